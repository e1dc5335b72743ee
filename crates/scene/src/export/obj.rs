//! Wavefront OBJ: a file for each frame, an object for each body and each obstacle.

use super::source::{Skin, Source, narrowed};
use super::target::{OutFile, Target};
use super::{ExportError, Options, Up};
use pliant_linalg::Vec3;
use std::io::{self, Write};
use std::path::Path;

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let series = target.series(source.frame_count(), "obj");
    target.prepare(&series, Some("obj"))?;
    for (i, path) in series.iter().enumerate() {
        let moment = source.moment(i)?;
        let mut file = OutFile::create(path)?;
        file.put(|out| {
            writeln!(out, "# {} s", moment.frame.time)?;
            let mut first = 1;
            for skin in source.skins() {
                let vertices = moment.place(skin);
                object(
                    out,
                    &skin.name,
                    &vertices,
                    &skin.triangles,
                    first,
                    options.up,
                )?;
                first += vertices.len();
            }
            for fixture in source.fixtures() {
                let pose = source.pose(fixture, moment.frame.time);
                let posed: Vec<Vec3> = fixture.vertices.iter().map(|&x| pose.to_world(x)).collect();
                object(
                    out,
                    &fixture.name,
                    &posed,
                    &fixture.triangles,
                    first,
                    options.up,
                )?;
                first += posed.len();
            }
            Ok(())
        })?;
        target.add(file)?;
        progress();
    }
    Ok(())
}

/// Writes the rest shape of a skin, for the point caches, in the same order of vertices.
pub fn write_rest(
    source: &Source,
    skin: &Skin,
    path: &Path,
    up: Up,
) -> Result<OutFile, ExportError> {
    let rest = &source.header().rest;
    let vertices = skin.at_vertices(|n| rest[n]);
    let mut file = OutFile::create(path)?;
    file.put(|out| object(out, &skin.name, &vertices, &skin.triangles, 1, up))?;
    Ok(file)
}

fn object(
    out: &mut impl Write,
    name: &str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    first: usize,
    up: Up,
) -> io::Result<()> {
    // a line break in a name would end the line
    writeln!(out, "o {}", name.replace(char::is_whitespace, "_"))?;
    for &vertex in vertices {
        let [x, y, z] = up.turn(narrowed(vertex));
        writeln!(out, "v {x:?} {y:?} {z:?}")?;
    }
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| v as usize + first);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
