//! `pliant mesh make`: the generators on the command line.

use super::args::{FigureArgs, ShapeArgs, Target, Unit, length};
use super::{save, say_written, target_format};
use crate::args::Cli;
use crate::failure::Failure;
use pliant_linalg::vec3;
use pliant_mesh::file::RawMesh;
use pliant_mesh::generate::{self, Extrusion, GenerateError, Split, TriangleSplit};
use pliant_mesh::mesh::ELEMENT_LIMIT;
use pliant_mesh::{CreatureKind, Mesh};
use serde_json::Value;
use std::path::Path;

/// Makes a shape and writes it.
pub fn run(shape: &ShapeArgs, cli: &Cli) -> Result<Value, Failure> {
    let (out, target) = target_of(shape);
    // a name that cannot be written is refused before the work
    target_format(target, out)?;
    let mesh = made(shape)?;
    let metres = Unit {
        name: "m".to_string(),
        metres: 1.0,
    };
    if let Some((kind, figure)) = figure_of(shape) {
        write_skeleton(kind, figure, target)?;
    }
    let written = save(RawMesh::from(mesh), &metres, out, target)?;
    say_written(&written, cli);
    Ok(written)
}

fn target_of(shape: &ShapeArgs) -> (&Path, &Target) {
    match shape {
        ShapeArgs::Bar { out, target, .. }
        | ShapeArgs::Ball { out, target, .. }
        | ShapeArgs::Capsule { out, target, .. }
        | ShapeArgs::Cylinder { out, target, .. }
        | ShapeArgs::Torus { out, target, .. }
        | ShapeArgs::Tube { out, target, .. }
        | ShapeArgs::Ring { out, target, .. }
        | ShapeArgs::Lathe { out, target, .. }
        | ShapeArgs::Extrude { out, target, .. }
        | ShapeArgs::Hand { out, target, .. }
        | ShapeArgs::Humanoid { out, target, .. }
        | ShapeArgs::Giant { out, target, .. }
        | ShapeArgs::Band { out, target, .. }
        | ShapeArgs::Rectangle { out, target, .. } => (out, target),
    }
}

fn figure_of(shape: &ShapeArgs) -> Option<(CreatureKind, &FigureArgs)> {
    match shape {
        ShapeArgs::Hand { figure, .. } => Some((CreatureKind::Hand, figure)),
        ShapeArgs::Humanoid { figure, .. } => Some((CreatureKind::Humanoid, figure)),
        ShapeArgs::Giant { figure, .. } => Some((CreatureKind::Giant, figure)),
        _ => None,
    }
}

/// Writes the joints of a figure if that was asked for.
fn write_skeleton(kind: CreatureKind, figure: &FigureArgs, target: &Target) -> Result<(), Failure> {
    let Some(path) = &figure.skeleton else {
        return Ok(());
    };
    if path.exists() && !target.force {
        let message = format!("{} exists", path.display());
        return Err(Failure::usage(
            message,
            Some("add --force to replace it".to_string()),
        ));
    }
    let refuse = |e: String| Failure::usage(format!("--skeleton {}: {e}", path.display()), None);
    let skeleton = kind.figure().map_err(|e| refuse(e.to_string()))?.skeleton;
    let mut text = String::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let [x, y, z] = joint.position.to_array();
        let parent = joint.parent.map_or(-1, |p| p as i64);
        let name = joint.name.replace(' ', "-");
        text.push_str(&format!("{index} {x} {y} {z} {parent} {name}\n"));
    }
    std::fs::write(path, text).map_err(|e| refuse(e.to_string()))
}

fn made(shape: &ShapeArgs) -> Result<Mesh, Failure> {
    if let Some((kind, FigureArgs { edge, grading, .. })) = figure_of(shape) {
        let edge = match edge {
            None => kind.default_edge(),
            Some(edge) => length(edge, "--edge")?,
        };
        let made = pliant_mesh::creature(kind, edge, *grading, ELEMENT_LIMIT);
        return made.map_err(|e| Failure::usage(e.to_string(), None));
    }
    let made: Result<Mesh, GenerateError> = match shape {
        ShapeArgs::Bar {
            size, cells, split, ..
        } => {
            let [x, y, z] = lengths(size, "--size")?;
            let split = match split {
                5 => Split::Five,
                6 => Split::Six,
                other => {
                    let message = format!("a cell cannot be cut into {other} tetrahedra");
                    return Err(Failure::usage(
                        message,
                        Some("write --split 5 or 6".to_string()),
                    ));
                }
            };
            generate::bar(vec3(x, y, z), counts(cells, "--cells")?, split)
        }
        ShapeArgs::Ball {
            radius, divisions, ..
        } => generate::ball(length(radius, "--radius")?, *divisions),
        ShapeArgs::Capsule {
            radius,
            length: long,
            divisions,
            layers,
            ..
        } => {
            let (radius, long) = (length(radius, "--radius")?, length(long, "--length")?);
            generate::capsule(radius, long, *divisions, *layers)
        }
        ShapeArgs::Cylinder {
            radius,
            length: long,
            divisions,
            layers,
            ..
        } => {
            let (radius, long) = (length(radius, "--radius")?, length(long, "--length")?);
            generate::cylinder(radius, long, *divisions, *layers)
        }
        ShapeArgs::Torus {
            major,
            minor,
            divisions,
            segments,
            ..
        } => {
            let (major, minor) = (length(major, "--major")?, length(minor, "--minor")?);
            generate::torus(major, minor, *divisions, *segments)
        }
        ShapeArgs::Tube {
            inner,
            outer,
            length: long,
            cells,
            ..
        } => {
            let (inner, outer) = (length(inner, "--inner")?, length(outer, "--outer")?);
            generate::tube(
                inner,
                outer,
                length(long, "--length")?,
                counts(cells, "--cells")?,
            )
        }
        ShapeArgs::Ring {
            major,
            inner,
            outer,
            cells,
            ..
        } => {
            let (inner, outer) = (length(inner, "--inner")?, length(outer, "--outer")?);
            generate::ring(
                length(major, "--major")?,
                inner,
                outer,
                counts(cells, "--cells")?,
            )
        }
        ShapeArgs::Lathe {
            profile,
            segments,
            rings,
            ..
        } => {
            let points: Result<Vec<[f64; 2]>, Failure> = profile.iter().map(|p| point(p)).collect();
            generate::lathe(&points?, *segments, *rings)
        }
        ShapeArgs::Extrude {
            picture,
            cell,
            depth,
            layers,
            smooth,
            ..
        } => {
            let cell = lengths(cell, "--cell")?;
            let depth = length(depth, "--depth")?;
            Extrusion::uniform(picture.clone(), cell, depth, *layers).and_then(|mut drawing| {
                drawing.smooth = *smooth;
                generate::extrude(&drawing)
            })
        }
        ShapeArgs::Band { profile, cells, .. } => {
            let points: Result<Vec<[f64; 2]>, Failure> = profile.iter().map(|p| point(p)).collect();
            generate::band(&points?, counts(cells, "--cells")?)
        }
        ShapeArgs::Rectangle { size, cells, .. } => {
            let size = lengths(size, "--size")?;
            generate::rectangle(size, counts(cells, "--cells")?, TriangleSplit::Alternating)
        }
        // made above
        ShapeArgs::Hand { .. } | ShapeArgs::Humanoid { .. } | ShapeArgs::Giant { .. } => {
            return Err(Failure::usage("this shape is a figure", None));
        }
    };
    made.map_err(|e| Failure::usage(e.to_string(), None))
}

/// A point of a profile such as 3cm:5cm.
fn point(text: &str) -> Result<[f64; 2], Failure> {
    let Some((radius, height)) = text.split_once(':') else {
        return Err(Failure::usage(
            format!("--profile {text}: a point is two lengths with a colon between them"),
            Some("write points such as 3cm:0cm,4cm:6cm".to_string()),
        ));
    };
    Ok([length(radius, "--profile")?, length(height, "--profile")?])
}

fn wrong_number(option: &str, wanted: usize, found: usize) -> Failure {
    let message = format!("{option} needs {wanted} values with commas between them, not {found}");
    Failure::usage(message, None)
}

fn lengths<const N: usize>(texts: &[String], option: &str) -> Result<[f64; N], Failure> {
    let values: Result<Vec<f64>, Failure> = texts.iter().map(|t| length(t, option)).collect();
    values?
        .try_into()
        .map_err(|v: Vec<f64>| wrong_number(option, N, v.len()))
}

fn counts<const N: usize>(values: &[usize], option: &str) -> Result<[usize; N], Failure> {
    values
        .try_into()
        .map_err(|_| wrong_number(option, N, values.len()))
}
