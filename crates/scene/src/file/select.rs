//! `select`: which nodes of a body a drive acts on.

use crate::file::Vector;
use crate::units::{Length, Number};
use schemars::JsonSchema;
use serde::Deserialize;

/// A set of nodes: "all", "surface", or a table with exactly one of the other keys.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SelectTable {
    /// Every node.
    All,
    /// Nodes on the boundary.
    Surface,
    /// Nodes on one side of the body's bounding box.
    Side(Side),
    /// Nodes in a closed box.
    Box(BoxTable),
    /// Nodes on a plane.
    Plane(PlaneTable),
    /// Nodes on the side of a plane that its normal points to, the plane included.
    HalfSpace(HalfSpaceTable),
    /// Nodes whose coordinate is at least this.
    Above(CoordinateTable),
    /// Nodes whose coordinate is at most this.
    Below(CoordinateTable),
    /// Nodes in a closed ball.
    Sphere(SphereTable),
    /// Nodes of the elements of a named region (a physical group of the mesh file).
    Region(String),
    /// The node nearest to a point, m.
    Nearest(Vector<Length>),
    /// Nodes by their number: that of the generator counted from 0, or the tag in a mesh file.
    Ids(Vec<u32>),
    /// Nodes in all of these.
    And(Vec<SelectTable>),
    /// Nodes in any of these.
    Or(Vec<SelectTable>),
    /// Nodes not in this.
    Not(Box<SelectTable>),
}

/// A side of a bounding box.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
pub enum Side {
    /// Smallest x.
    #[serde(rename = "-x")]
    LowX,
    /// Largest x.
    #[serde(rename = "+x")]
    HighX,
    /// Smallest y.
    #[serde(rename = "-y")]
    LowY,
    /// Largest y.
    #[serde(rename = "+y")]
    HighY,
    /// Smallest z.
    #[serde(rename = "-z")]
    LowZ,
    /// Largest z.
    #[serde(rename = "+z")]
    HighZ,
}

/// A box along the axes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxTable {
    /// Smallest coordinates, m.
    pub min: Vector<Length>,
    /// Largest coordinates, m.
    pub max: Vector<Length>,
}

/// A plane: one of `x`, `y`, `z`, or `point` and `normal`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneTable {
    /// The plane of this x, m.
    pub x: Option<Length>,
    /// The plane of this y, m.
    pub y: Option<Length>,
    /// The plane of this z, m.
    pub z: Option<Length>,
    /// A point of the plane, m.
    pub point: Option<Vector<Length>>,
    /// Its normal, of any length but zero.
    pub normal: Option<Vector<Number>>,
    /// Largest distance from the plane, m; default 1e-9 of the body's size.
    pub tolerance: Option<Length>,
}

/// Half of space.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HalfSpaceTable {
    /// A point of the border, m.
    pub point: Vector<Length>,
    /// Points into the half, of any length but zero.
    pub normal: Vector<Number>,
}

/// One coordinate: exactly one of `x`, `y`, `z`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoordinateTable {
    /// Along x, m.
    pub x: Option<Length>,
    /// Along y, m.
    pub y: Option<Length>,
    /// Along z, m.
    pub z: Option<Length>,
}

/// A ball.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereTable {
    /// Centre, m.
    pub centre: Vector<Length>,
    /// Radius, m.
    pub radius: Length,
}
