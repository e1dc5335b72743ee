//! Selections of nodes.

use super::{PlacedBody, direction, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{CoordinateTable, PlaneTable, SelectTable, Side};
use crate::suggest::did_you_mean;
use crate::units::Length;
use pliant_linalg::Vec3;
use pliant_mesh::{Mesh, Selection, SelectionError};

/// Slack of a side as a fraction of the bounding-box diagonal: curved surfaces end in rounding.
const SIDE_SLACK: f64 = 1e-6;

/// The selected nodes of a body in its own numbers, ascending, with all copies that cuts make of them; never empty.
pub fn nodes(table: &SelectTable, body: &PlacedBody, at: &KeyPath) -> Result<Vec<u32>, Problem> {
    let selection = selection(table, &body.mesh, at)?;
    let nodes = selection.resolve(&body.mesh).map_err(|error| {
        let (low, high) = body.mesh.bounds();
        match &error {
            SelectionError::Empty { .. } => {
                let help = format!(
                    "body `{}` spans {:?} m to {:?} m",
                    body.name,
                    low.to_array(),
                    high.to_array()
                );
                Problem::new(at.clone(), "the selection holds no node").help(help)
            }
            SelectionError::UnknownRegion { name, .. } => {
                let known: Vec<&str> = body.mesh.region_names.iter().map(String::as_str).collect();
                Problem::new(
                    at.clone(),
                    format!("body `{}` has no region `{name}`", body.name),
                )
                .help(did_you_mean(name, &known))
            }
            _ => Problem::new(at.clone(), error.to_string()),
        }
    })?;
    Ok(body.with_copies(nodes))
}

/// The selection of a table; sides are those of `mesh`.
pub fn selection(table: &SelectTable, mesh: &Mesh, at: &KeyPath) -> Result<Selection, Problem> {
    Ok(match table {
        SelectTable::All => Selection::All,
        SelectTable::Surface => Selection::Surface,
        SelectTable::Side(side) => side_of(*side, mesh),
        SelectTable::Box(table) => Selection::Box {
            min: vector(table.min),
            max: vector(table.max),
        },
        SelectTable::Plane(table) => plane(table, &at.key("plane"))?,
        SelectTable::HalfSpace(table) => Selection::HalfSpace {
            point: vector(table.point),
            normal: direction(table.normal, &at.key("half_space").key("normal"))?,
        },
        SelectTable::Above(table) => half_space(coordinate(table, &at.key("above"))?, 1.0),
        SelectTable::Below(table) => half_space(coordinate(table, &at.key("below"))?, -1.0),
        SelectTable::Sphere(table) => Selection::Sphere {
            centre: vector(table.centre),
            radius: table.radius.si,
        },
        SelectTable::Region(name) => Selection::Region(name.clone()),
        SelectTable::Nearest(point) => Selection::Nearest(vector(*point)),
        SelectTable::Ids(ids) => Selection::Ids(ids.clone()),
        SelectTable::And(parts) => Selection::And(list(parts, mesh, &at.key("and"))?),
        SelectTable::Or(parts) => Selection::Or(list(parts, mesh, &at.key("or"))?),
        SelectTable::Not(inner) => {
            Selection::Not(Box::new(selection(inner, mesh, &at.key("not"))?))
        }
    })
}

fn list(parts: &[SelectTable], mesh: &Mesh, at: &KeyPath) -> Result<Vec<Selection>, Problem> {
    if parts.is_empty() {
        return Err(Problem::new(at.clone(), "this list of selections is empty"));
    }
    let each = parts.iter().enumerate();
    each.map(|(i, part)| selection(part, mesh, &at.index(i)))
        .collect()
}

fn side_of(side: Side, mesh: &Mesh) -> Selection {
    let (low, high) = mesh.bounds();
    let (axis, point) = match side {
        Side::LowX => (0, low),
        Side::HighX => (0, high),
        Side::LowY => (1, low),
        Side::HighY => (1, high),
        Side::LowZ => (2, low),
        Side::HighZ => (2, high),
    };
    Selection::Plane {
        point,
        normal: Vec3::AXES[axis],
        tolerance: SIDE_SLACK * mesh.diagonal(),
    }
}

/// The only coordinate given, if it is one.
fn single(values: [Option<Length>; 3]) -> Option<(usize, f64)> {
    let mut given = (0..3).filter_map(|axis| values[axis].map(|v| (axis, v.si)));
    given.next().filter(|_| given.next().is_none())
}

/// Axis and value of a table with exactly one coordinate.
pub fn coordinate(table: &CoordinateTable, at: &KeyPath) -> Result<(usize, f64), Problem> {
    single([table.x, table.y, table.z])
        .ok_or_else(|| Problem::new(at.clone(), "give exactly one of `x`, `y`, `z` here"))
}

fn along(axis: usize, value: f64) -> Vec3 {
    Vec3::AXES[axis] * value
}

fn half_space((axis, value): (usize, f64), sign: f64) -> Selection {
    Selection::HalfSpace {
        point: along(axis, value),
        normal: Vec3::AXES[axis] * sign,
    }
}

fn plane(table: &PlaneTable, at: &KeyPath) -> Result<Selection, Problem> {
    let coordinates = [table.x, table.y, table.z];
    let (point, normal) = match (single(coordinates), table.point, table.normal) {
        (Some((axis, value)), None, None) => (along(axis, value), Vec3::AXES[axis]),
        (None, Some(point), Some(normal)) if coordinates.iter().all(Option::is_none) => {
            (vector(point), direction(normal, &at.key("normal"))?)
        }
        _ => {
            return Err(Problem::new(
                at.clone(),
                "a plane needs one of `x`, `y`, `z`, or `point` and `normal`",
            ));
        }
    };
    Ok(Selection::Plane {
        point,
        normal,
        tolerance: table.tolerance.map_or(0.0, |t| t.si),
    })
}
