//! `[contact]` and `[[obstacle]]`: what bodies may touch.

use crate::file::Vector;
use crate::units::{Angle, Length, Number, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// How bodies touch each other and obstacles. Without this table they touch obstacles only.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactTable {
    /// Whether bodies touch each other; default true. A body does not touch itself.
    pub bodies: Option<bool>,
    /// Coulomb's coefficient between bodies, and of obstacles without one of their own; default 0.5.
    pub friction: Option<Number>,
    /// Stiffness of a contact as a multiple of the elastic stiffness of the node; default 1.
    pub stiffness: Option<Number>,
    /// Damping over stiffness of a contact, s; default 0.
    pub damping: Option<Time>,
}

/// Something fixed that every body may touch: exactly one of `half_space`, `sphere`, `box`, `capsule`, `cylinder`.
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

/// Rotation of an obstacle about its centre.
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
