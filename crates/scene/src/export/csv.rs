//! A table: a row for each frame and body, or for each frame and node. SI units; empty where nothing was recorded.

use super::source::{Moment, Source};
use super::target::{OutFile, Target};
use super::{ExportError, Options};
use crate::recording::{RecordedBody, RecordingHeader};
use pliant_linalg::Vec3;
use std::io::{self, Write};

const BODY_COLUMNS: &str = "frame,step,time,body,centre_x,centre_y,centre_z,min_x,min_y,min_z,max_x,max_y,max_z,\
    max_displacement,max_displacement_node,max_von_mises,max_von_mises_element";
const NODE_COLUMNS: &str = "frame,step,time,body,node,x,y,z,displacement_x,displacement_y,displacement_z,\
    velocity_x,velocity_y,velocity_z";

pub fn write(
    source: &mut Source,
    target: &mut Target,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<(), ExportError> {
    for (_, body) in source.bodies() {
        let count = body.nodes[1] - body.nodes[0];
        if let Some(node) = options.nodes.iter().find(|&&n| n >= count) {
            return Err(ExportError::Choice(format!(
                "there is no node {node} in body `{}`, which has nodes 0 to {}: nodes are counted within their body, \
                 choose one with --body",
                body.name,
                count.saturating_sub(1)
            )));
        }
    }
    let path = target.file("csv");
    target.prepare(std::slice::from_ref(&path), None)?;
    let mut file = OutFile::create(&path)?;
    let per_node = options.per_node || !options.nodes.is_empty();
    let columns = if per_node { NODE_COLUMNS } else { BODY_COLUMNS };
    file.put(|out| writeln!(out, "{columns}"))?;
    for i in 0..source.frame_count() {
        let moment = source.moment(i)?;
        file.put(|out| {
            for (_, body) in source.bodies() {
                match per_node {
                    true => node_rows(out, &moment, body, &options.nodes)?,
                    false => body_row(out, &moment, body, source.header())?,
                }
            }
            Ok(())
        })?;
        progress();
    }
    target.add(file)
}

fn start(moment: &Moment, body: &RecordedBody) -> String {
    let frame = &moment.frame;
    let name = quoted(&body.name);
    format!("{},{},{:?},{name}", moment.number, frame.step, frame.time)
}

fn body_row(
    out: &mut impl Write,
    moment: &Moment,
    body: &RecordedBody,
    header: &RecordingHeader,
) -> io::Result<()> {
    let nodes = body.nodes[0]..body.nodes[1];
    let x = &moment.positions[nodes.clone()];
    let masses = &header.masses[nodes.clone()];
    let mass: f64 = masses.iter().sum();
    let moment_of_mass = x.iter().zip(masses);
    let centre = moment_of_mass.fold(Vec3::ZERO, |sum, (&x, &m)| sum + x * m) / mass;
    let low = x.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let high = x.iter().copied().reduce(Vec3::max).unwrap_or_default();
    write!(out, "{}", start(moment, body))?;
    for value in [centre, low, high].into_iter().flat_map(|v| v.to_array()) {
        write!(out, ",{value:?}")?;
    }
    let moved = moment.frame.displacements[nodes].iter();
    let largest = first_largest(moved.map(|d| Vec3::from(d.map(f64::from)).norm()));
    write_largest(out, largest)?;
    let elements = body.elements[0]..body.elements[1];
    let stresses = moment.frame.von_mises.as_ref();
    let largest = stresses.and_then(|s| first_largest(s[elements].iter().map(|&v| f64::from(v))));
    write_largest(out, largest)?;
    writeln!(out)
}

fn first_largest(values: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
    values
        .enumerate()
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn write_largest(out: &mut impl Write, largest: Option<(usize, f64)>) -> io::Result<()> {
    match largest {
        Some((index, value)) => write!(out, ",{value:?},{index}"),
        None => write!(out, ",,"),
    }
}

fn node_rows(
    out: &mut impl Write,
    moment: &Moment,
    body: &RecordedBody,
    chosen: &[usize],
) -> io::Result<()> {
    let start = start(moment, body);
    let mut row = |node: usize| {
        let n = body.nodes[0] + node;
        write!(out, "{start},{node}")?;
        for value in moment.positions[n].to_array() {
            write!(out, ",{value:?}")?;
        }
        for value in moment.frame.displacements[n] {
            write!(out, ",{value:?}")?;
        }
        match &moment.frame.velocities {
            Some(velocities) => {
                let [x, y, z] = velocities[n];
                writeln!(out, ",{x:?},{y:?},{z:?}")
            }
            None => writeln!(out, ",,,"),
        }
    };
    match chosen {
        [] => (0..body.nodes[1] - body.nodes[0]).try_for_each(row),
        chosen => chosen.iter().try_for_each(|&n| row(n)),
    }
}

fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_string(),
    }
}
