//! Obstacles.

use super::asset::{self, Files};
use super::contact::friction;
use super::{body, check, direction, drive, mesh_file, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    BumpsTable, MeshTable, ObstacleBoxTable, ObstacleHeightFieldTable, ObstacleMoveTable,
    ObstaclePipeTable, ObstacleRodTable, ObstacleSphereTable, ObstacleTable, ObstacleTorusTable,
    ObstacleTurnTable, PlaceTable, TurnTable,
};
use crate::units::Length;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::SurfaceMesh;
use pliant_solid::contact::{HeightField, Obstacle, Shape, SolidSurface};
use pliant_solid::drive::Motion;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Most points of a height field.
const POINT_LIMIT: usize = 1 << 24;

/// The obstacles of a scene, with different names.
pub fn obstacles(tables: &[ObstacleTable], files: &mut Files) -> Result<Vec<Obstacle>, Problem> {
    let at = KeyPath::root().key("obstacle");
    let each = tables.iter().enumerate();
    let obstacles = each
        .map(|(index, table)| obstacle(table, index, &at.index(index), files))
        .collect::<Result<Vec<_>, _>>()?;
    check::unique(
        "obstacle",
        obstacles.iter().map(|o| Some(o.name.as_str())).collect(),
    )?;
    Ok(obstacles)
}

fn obstacle(
    table: &ObstacleTable,
    index: usize,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Obstacle, Problem> {
    let name = match &table.name {
        Some(name) => name.clone(),
        None => format!("obstacle {}", index + 1),
    };
    let coefficient = match table.friction {
        None => None,
        Some(value) => Some(friction(value.si, &at.key("friction"))?),
    };
    let shape = shape(table, &name, at, files)?;
    let motion = match &table.r#move {
        None => None,
        Some(table) => Some(motion(table, &shape, &at.key("move"))?),
    };
    Ok(Obstacle {
        name,
        shape,
        friction: coefficient,
        motion,
    })
}

fn shape(
    table: &ObstacleTable,
    name: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Shape, Problem> {
    if table.place.is_some() && table.mesh.is_none() {
        return Err(
            Problem::new(at.key("place"), "only a `mesh` is put somewhere by `place`")
                .help("remove it; the other shapes say themselves where they are"),
        );
    }
    let shapes = [
        table.half_space.as_ref().map(|half_space| {
            let at = at.key("half_space");
            Ok(Shape::HalfSpace {
                point: vector(half_space.point),
                normal: direction(half_space.normal, &at.key("normal"))?,
            })
        }),
        table.sphere.as_ref().map(|s| sphere(s, &at.key("sphere"))),
        table.r#box.as_ref().map(|b| cuboid(b, &at.key("box"))),
        table.capsule.as_ref().map(|rod| {
            let (a, b, radius) = ends(rod, &at.key("capsule"))?;
            Ok(Shape::Capsule { a, b, radius })
        }),
        table.cylinder.as_ref().map(|rod| {
            let (a, b, radius) = ends(rod, &at.key("cylinder"))?;
            Ok(Shape::Cylinder { a, b, radius })
        }),
        table.torus.as_ref().map(|t| torus(t, &at.key("torus"))),
        table.pipe.as_ref().map(|p| pipe(p, &at.key("pipe"))),
        table
            .height_field
            .as_ref()
            .map(|f| height_field(f, &at.key("height_field"))),
        table
            .mesh
            .as_ref()
            .map(|mesh| solid(mesh, table.place.as_ref(), name, at, files)),
    ];
    let mut given = shapes.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(only), None) => only,
        _ => Err(Problem::new(
            at.clone(),
            "an obstacle needs exactly one of `half_space`, `sphere`, `box`, `capsule`, `cylinder`, `torus`, `pipe`, \
             `height_field`, `mesh`",
        )),
    }
}

fn sphere(table: &ObstacleSphereTable, at: &KeyPath) -> Result<Shape, Problem> {
    Ok(Shape::Sphere {
        centre: vector(table.centre),
        radius: positive(table.radius, "radius", &at.key("radius"))?,
        hollow: table.hollow,
    })
}

fn cuboid(table: &ObstacleBoxTable, at: &KeyPath) -> Result<Shape, Problem> {
    let size = vector(table.size);
    if size.to_array().iter().any(|&s| s <= 0.0) {
        return Err(Problem::new(
            at.key("size"),
            format!(
                "the extents of an obstacle must be positive, not {:?} m",
                size.to_array()
            ),
        ));
    }
    Ok(Shape::Box {
        centre: vector(table.centre),
        half: size * 0.5,
        rotation: rotation(&table.rotate, &at.key("rotate"))?,
    })
}

fn rotation(table: &Option<ObstacleTurnTable>, at: &KeyPath) -> Result<Mat3, Problem> {
    let Some(turn) = table else {
        return Ok(Mat3::IDENTITY);
    };
    let axis = direction(turn.axis, &at.key("axis"))?;
    Ok(Mat3::rotation(axis, turn.angle.si))
}

fn ends(table: &ObstacleRodTable, at: &KeyPath) -> Result<(Vec3, Vec3, f64), Problem> {
    let (a, b) = (vector(table.from), vector(table.to));
    if (b - a).normalized().is_none() {
        return Err(Problem::new(at.key("to"), "the axis ends where it begins")
            .help("move one end, or use `sphere`"));
    }
    Ok((a, b, positive(table.radius, "radius", &at.key("radius"))?))
}

fn torus(table: &ObstacleTorusTable, at: &KeyPath) -> Result<Shape, Problem> {
    let major = positive(table.major, "major radius", &at.key("major"))?;
    let minor = positive(table.minor, "minor radius", &at.key("minor"))?;
    if minor >= major {
        return Err(Problem::new(
            at.key("minor"),
            format!(
                "the minor radius {} must be less than the major one, {}",
                table.minor, table.major
            ),
        )
        .help("a torus has a hole; use `sphere` for a ball"));
    }
    Ok(Shape::Torus {
        centre: vector(table.centre),
        axis: direction(table.axis, &at.key("axis"))?,
        major,
        minor,
    })
}

fn pipe(table: &ObstaclePipeTable, at: &KeyPath) -> Result<Shape, Problem> {
    let (a, b) = (vector(table.from), vector(table.to));
    if (b - a).normalized().is_none() {
        return Err(
            Problem::new(at.key("to"), "the pipe ends where it begins").help("move one end")
        );
    }
    let inner = positive(table.inner, "inner radius", &at.key("inner"))?;
    let outer = positive(table.outer, "outer radius", &at.key("outer"))?;
    if inner >= outer {
        return Err(Problem::new(
            at.key("inner"),
            format!(
                "the inner radius {} must be less than the outer one, {}",
                table.inner, table.outer
            ),
        ));
    }
    Ok(Shape::Pipe { a, b, inner, outer })
}

fn height_field(table: &ObstacleHeightFieldTable, at: &KeyPath) -> Result<Shape, Problem> {
    let (spacing, counts, heights) = match (&table.heights, &table.bumps) {
        (Some(rows), None) => {
            let Some(spacing) = table.spacing else {
                return Err(Problem::new(
                    at.clone(),
                    "the heights have no distance from each other",
                )
                .help("add spacing = [\"10 cm\", \"10 cm\"]"));
            };
            let spacing =
                [0, 1].map(|k| positive(spacing[k], "spacing", &at.key("spacing").index(k)));
            let [first, second] = spacing;
            let (counts, heights) = listed(rows, &at.key("heights"))?;
            ([first?, second?], counts, heights)
        }
        (None, Some(bumps)) => {
            if table.spacing.is_some() {
                return Err(
                    Problem::new(at.key("spacing"), "bumps have a `size` and `cells`")
                        .help("remove it"),
                );
            }
            generated(bumps, &at.key("bumps"))?
        }
        _ => {
            return Err(Problem::new(
                at.clone(),
                "a height field needs either `heights` with `spacing`, or `bumps`",
            ));
        }
    };
    let rotation = rotation(&table.rotate, &at.key("rotate"))?;
    let origin = vector(table.origin);
    let field = HeightField::new(origin, rotation, spacing, counts, heights);
    let field = field.map_err(|reason| Problem::new(at.clone(), reason))?;
    Ok(Shape::HeightField(Arc::new(field)))
}

fn listed(rows: &[Vec<Length>], at: &KeyPath) -> Result<([usize; 2], Vec<f64>), Problem> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.len() < 2 || width < 2 {
        return Err(Problem::new(
            at.clone(),
            "a height field needs at least two rows of at least two heights",
        ));
    }
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        let message = format!(
            "this row has {} heights, but the first has {width}",
            rows[row].len()
        );
        return Err(Problem::new(at.index(row), message).help("give all rows the same length"));
    }
    let heights = rows.iter().flatten().map(|h| h.si).collect();
    Ok(([width, rows.len()], heights))
}

type Grid = ([f64; 2], [usize; 2], Vec<f64>);

fn generated(table: &BumpsTable, at: &KeyPath) -> Result<Grid, Problem> {
    let pair = |values: [Length; 2], key: &str| -> Result<[f64; 2], Problem> {
        let at = at.key(key);
        Ok([
            positive(values[0], key, &at.index(0))?,
            positive(values[1], key, &at.index(1))?,
        ])
    };
    let size = pair(table.size, "size")?;
    let wavelength = pair(table.wavelength, "wavelength")?;
    let counts = table.cells.map(|c| c.saturating_add(1));
    let points = counts[0].saturating_mul(counts[1]);
    if table.cells.contains(&0) || points > POINT_LIMIT {
        let [x, y] = table.cells;
        return Err(
            Problem::new(at.key("cells"), format!("{x} × {y} cells are not possible")).help(
                format!("use at least 1 along both sides and at most {POINT_LIMIT} points"),
            ),
        );
    }
    let spacing = [0, 1].map(|k| size[k] / table.cells[k] as f64);
    let wave = |k: usize, i: usize| (TAU * spacing[k] * i as f64 / wavelength[k]).sin();
    let columns: Vec<f64> = (0..counts[0]).map(|i| wave(0, i)).collect();
    let mut heights = Vec::with_capacity(points);
    for j in 0..counts[1] {
        let row = table.amplitude.si * wave(1, j);
        heights.extend(columns.iter().map(|c| c * row));
    }
    Ok((spacing, counts, heights))
}

/// The solid that a closed surface bounds.
fn solid(
    table: &MeshTable,
    place: Option<&PlaceTable>,
    name: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Shape, Problem> {
    let at_mesh = at.key("mesh");
    let surface = surface(table, &format!("obstacle `{name}`"), &at_mesh, files)?;
    let surface = match place {
        None => surface,
        Some(place) => placed(surface, place, &at.key("place"))?,
    };
    let solid = SolidSurface::new(&surface).map_err(|e| {
        Problem::new(at_mesh, e.to_string())
            .help("close it in a modelling program; `pliant mesh check` says more")
    })?;
    Ok(Shape::Mesh(Arc::new(solid)))
}

/// The surface of a table, before it is put anywhere; `owner` is the obstacle, for messages.
pub fn surface(
    table: &MeshTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<SurfaceMesh, Problem> {
    match table {
        MeshTable::File(file) => mesh_file::surface(file, &at.key("file"), files.base()),
        MeshTable::Asset(table) => asset::surface(table, owner, &at.key("asset"), files),
        generated => {
            let mesh = body::mesh(generated, owner, at, files)?;
            SurfaceMesh::of(&mesh).map_err(|e| Problem::new(at.clone(), e.to_string()))
        }
    }
}

/// Scaling about the origin, then rotation, then translation, as for bodies.
pub fn placed(
    mut surface: SurfaceMesh,
    place: &PlaceTable,
    at: &KeyPath,
) -> Result<SurfaceMesh, Problem> {
    let scale = place.scale.map_or(Vec3::new(1.0, 1.0, 1.0), vector);
    if scale.to_array().iter().any(|&s| s <= 0.0) {
        let message = format!("the factors must be positive, not {:?}", scale.to_array());
        return Err(Problem::new(at.key("scale"), message));
    }
    let (rotation, centre) = match &place.rotate {
        None => (Mat3::IDENTITY, Vec3::ZERO),
        Some(rotate) => {
            let axis = direction(rotate.axis, &at.key("rotate").key("axis"))?;
            let centre = rotate.centre.map_or(Vec3::ZERO, vector);
            (Mat3::rotation(axis, rotate.angle.si), centre)
        }
    };
    let shift = place.translate.map_or(Vec3::ZERO, vector) + centre;
    for x in &mut surface.positions {
        *x = rotation * (x.scale(scale) - centre) + shift;
    }
    Ok(surface)
}

fn motion(table: &ObstacleMoveTable, shape: &Shape, at: &KeyPath) -> Result<Motion, Problem> {
    let rotate = table.rotate.as_ref().map(|spin| TurnTable {
        axis: spin.axis,
        centre: spin.centre,
        angle: spin.angle.clone(),
    });
    let motion = drive::motion(&table.translate, &rotate, &None, middle(shape), at)?;
    if motion.is_rest() {
        return Err(Problem::new(at.clone(), "this motion moves nothing")
            .help("add `translate` or `rotate`, or remove it"));
    }
    Ok(motion)
}

/// What an obstacle turns about if nothing is said.
fn middle(shape: &Shape) -> Vec3 {
    match shape {
        Shape::HalfSpace { point, .. } => *point,
        Shape::Sphere { centre, .. } => *centre,
        Shape::HeightField(field) => {
            let [columns, rows] = field.counts();
            (field.point(0, 0) + field.point(columns - 1, rows - 1)) * 0.5
        }
        bounded => bounded.bounds().map_or(Vec3::ZERO, |b| b.centre()),
    }
}

fn positive(value: Length, what: &str, at: &KeyPath) -> Result<f64, Problem> {
    if value.si > 0.0 {
        return Ok(value.si);
    }
    Err(Problem::new(
        at.clone(),
        format!("the {what} of an obstacle must be positive, not {value}"),
    ))
}
