//! `[[obstacle]]`: what every body may touch and nothing moves but its own motion.

use crate::file::{MeshTable, PlaceTable, ProfileValue, Vector};
use crate::units::{Angle, Length, Number};
use schemars::JsonSchema;
use serde::Deserialize;

/// Something that every body may touch: exactly one of `half_space`, `sphere`, `box`, `capsule`, `cylinder`, `torus`,
/// `pipe`, `height_field`, `mesh`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTable {
    /// Name, unlike that of any other obstacle; default "obstacle N".
    pub name: Option<String>,
    /// Coulomb's coefficient; default that of `[contact]`.
    pub friction: Option<Number>,
    /// Everything behind a plane: a floor, a wall, an incline.
    pub half_space: Option<ObstacleHalfSpaceTable>,
    /// A ball, or a hollow that holds the bodies.
    pub sphere: Option<ObstacleSphereTable>,
    /// A box.
    pub r#box: Option<ObstacleBoxTable>,
    /// A rod with round ends.
    pub capsule: Option<ObstacleRodTable>,
    /// A rod with flat ends.
    pub cylinder: Option<ObstacleRodTable>,
    /// A ring with a round section.
    pub torus: Option<ObstacleTorusTable>,
    /// A hollow cylinder with flat ends, which bodies may go through.
    pub pipe: Option<ObstaclePipeTable>,
    /// Everything below a relief.
    pub height_field: Option<ObstacleHeightFieldTable>,
    /// Everything inside a closed surface: that of a file, or of a shape as bodies have it.
    pub mesh: Option<MeshTable>,
    /// Where the `mesh` is put.
    pub place: Option<PlaceTable>,
    /// How the obstacle moves; default not at all.
    pub r#move: Option<ObstacleMoveTable>,
}

/// Everything behind a plane.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleHalfSpaceTable {
    /// A point of the plane, m.
    pub point: Vector<Length>,
    /// Points to the free side, of any length but zero.
    pub normal: Vector<Number>,
}

/// A ball, or everything outside it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleSphereTable {
    /// Centre, m.
    pub centre: Vector<Length>,
    /// Radius, m.
    pub radius: Length,
    /// Keep the bodies inside instead of outside; default false.
    #[serde(default)]
    pub hollow: bool,
}

/// A box.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleBoxTable {
    /// Centre, m.
    pub centre: Vector<Length>,
    /// Extent along its own x, y and z, m.
    pub size: Vector<Length>,
    /// Rotation about its centre.
    pub rotate: Option<ObstacleTurnTable>,
}

/// Rotation of an obstacle about its centre, of a height field about its origin.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTurnTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// Angle, rad, right-handed.
    pub angle: Angle,
}

/// A rod around the segment between two points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleRodTable {
    /// One end of the axis, m.
    pub from: Vector<Length>,
    /// Other end of the axis, m.
    pub to: Vector<Length>,
    /// Radius, m.
    pub radius: Length,
}

/// A ring with a round section.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleTorusTable {
    /// Centre, m.
    pub centre: Vector<Length>,
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// Radius of the circle in the middle of the section, m.
    pub major: Length,
    /// Radius of the section, m; less than `major`.
    pub minor: Length,
}

/// A hollow cylinder around the segment between two points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstaclePipeTable {
    /// Middle of one end, m.
    pub from: Vector<Length>,
    /// Middle of the other end, m.
    pub to: Vector<Length>,
    /// Inner radius, m.
    pub inner: Length,
    /// Outer radius, m.
    pub outer: Length,
}

/// A relief over a rectangle that goes on level from its rim: `heights` with `spacing`, or `bumps`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleHeightFieldTable {
    /// The corner of the rectangle from which x and y grow, at height zero, m.
    pub origin: Vector<Length>,
    /// Rotation about the origin; without it the rectangle lies along x and y, and heights along z.
    pub rotate: Option<ObstacleTurnTable>,
    /// Distances between heights along x and y, m.
    pub spacing: Option<[Length; 2]>,
    /// Rows of heights, m: along x within a row, the rows along y; all rows of the same length.
    pub heights: Option<Vec<Vec<Length>>>,
    /// Regular bumps.
    pub bumps: Option<BumpsTable>,
}

/// Heights amplitude · sin(2π x / wavelength₀) · sin(2π y / wavelength₁).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BumpsTable {
    /// Extent of the rectangle along x and y, m.
    pub size: [Length; 2],
    /// Cells along x and y.
    pub cells: [usize; 2],
    /// Height of the bumps above the mean, m.
    pub amplitude: Length,
    /// Distance from bump to bump along x and y, m.
    pub wavelength: [Length; 2],
}

/// A motion of the obstacle from where it is given: rotation, then translation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleMoveTable {
    /// Translation, m, constant or changing.
    pub translate: Option<ProfileValue<Vector<Length>>>,
    /// Rotation about an axis.
    pub rotate: Option<ObstacleSpinTable>,
}

/// Rotation of an obstacle in time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleSpinTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// A point of the axis, m; default the middle of the obstacle.
    pub centre: Option<Vector<Length>>,
    /// Angle, rad, right-handed, constant or changing.
    pub angle: ProfileValue<Angle>,
}
