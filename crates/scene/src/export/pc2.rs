//! PC2 point caches: a file for each body, and its rest shape as OBJ beside it.
//!
//! Little-endian: "POINTCACHE2\0", version (i32, 1), points (i32), first frame (f32), frames per sample (f32), samples
//! (i32), then 3 × f32 a point. Samples are equally spaced by definition of the format.

use super::source::{Moment, Skin, Source, narrowed};
use super::target::{OutFile, Target, plain_names};
use super::{ExportError, Options, Up, obj};
use std::io::{self, Write};
use std::path::PathBuf;

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    let samples = count(source.frame_count())?;
    let header = |skin: &Skin| -> Result<Vec<u8>, ExportError> {
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend(1_i32.to_le_bytes());
        bytes.extend(count(skin.vertex_count())?.to_le_bytes());
        bytes.extend(0_f32.to_le_bytes());
        bytes.extend(1_f32.to_le_bytes());
        bytes.extend(samples.to_le_bytes());
        Ok(bytes)
    };
    write_caches(source, target, options, progress, "pc2", &header, |v| {
        v.to_le_bytes()
    })
}

/// A number that the formats hold as i32.
pub fn count(n: usize) -> Result<i32, ExportError> {
    i32::try_from(n)
        .map_err(|_| ExportError::Choice(format!("{n} does not fit the format: export less")))
}

/// Writes for each body a header and the positions of every frame, and the rest shapes.
pub fn write_caches(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
    extension: &str,
    header: &dyn Fn(&Skin) -> Result<Vec<u8>, ExportError>,
    bytes_of: impl Fn(f32) -> [u8; 4],
) -> Result<(), ExportError> {
    let names = plain_names(source.skins().iter().map(|s| s.name.as_str()), true);
    let part = |i: usize| (names.len() > 1).then(|| names[i].as_str());
    let paths = |extension: &str| -> Vec<PathBuf> {
        let path = |i| target.part(part(i), extension);
        (0..names.len()).map(path).collect()
    };
    let (caches, shapes) = (paths(extension), paths("obj"));
    target.prepare(&[&caches[..], &shapes[..]].concat(), None)?;

    let mut files = Vec::new();
    for (skin, path) in source.skins().iter().zip(&caches) {
        let mut file = OutFile::create(path)?;
        let bytes = header(skin)?;
        file.put(|out| out.write_all(&bytes))?;
        files.push(file);
    }
    for i in 0..source.frame_count() {
        let moment = source.moment(i)?;
        for (skin, file) in source.skins().iter().zip(&mut files) {
            file.put(|out| sample(out, &moment, skin, options.up, &bytes_of))?;
        }
        progress();
    }
    for (i, file) in files.into_iter().enumerate() {
        target.add(file)?;
        let shape = obj::write_rest(source, &source.skins()[i], &shapes[i], options.up)?;
        target.add(shape)?;
    }
    Ok(())
}

fn sample(
    out: &mut impl Write,
    moment: &Moment,
    skin: &Skin,
    up: Up,
    bytes_of: &impl Fn(f32) -> [u8; 4],
) -> io::Result<()> {
    for vertex in moment.place(skin) {
        for value in up.turn(narrowed(vertex)) {
            out.write_all(&bytes_of(value))?;
        }
    }
    Ok(())
}
