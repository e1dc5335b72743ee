//! `[[body]]`: shape, place, material, initial motion.

use crate::file::Vector;
use crate::file::asset::{AssetTable, BlobTable, CreatureTable};
use crate::file::dynamic::DynamicTable;
use crate::file::material::MaterialTable;
use crate::file::region::RegionTable;
use crate::file::rig::RigTable;
use crate::file::rigid::RigidValue;
use crate::units::{Angle, AngularVelocity, Density, Length, Number, Velocity};
use pliant_solid::octet::Formulation;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A deformable or rigid body.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyTable {
    /// Name, unlike that of any other body.
    pub name: String,
    /// Rest shape.
    pub mesh: MeshTable,
    /// Where the shape is put before anything else looks at it.
    pub place: Option<PlaceTable>,
    /// Material; only rigid bodies can do without.
    pub material: Option<MaterialTable>,
    /// Makes the body rigid: "free", "fixed", "link" of a chain, or a table with `move`. Of its material only the density
    /// counts then.
    pub rigid: Option<RigidValue>,
    /// Density of a rigid body without `material`, kg/m³; default 1000.
    pub density: Option<Density>,
    /// Elements with a material of their own; later ones win.
    #[serde(default)]
    pub region: Vec<RegionTable>,
    /// Thickness of a planar body, m; default 1 m.
    pub thickness: Option<Length>,
    /// Initial velocity, m/s; default 0.
    pub velocity: Option<Vector<Velocity>>,
    /// Initial angular velocity about the centre of mass, rad/s; default 0.
    pub spin: Option<Vector<AngularVelocity>>,
    /// Nodes that may be dynamic in methods in which few are; others ignore it. Default: the method chooses.
    pub dynamic: Option<DynamicTable>,
    /// Whether methods that take quiet parts of bodies for rigid may do so here; default true.
    #[serde(default = "yes")]
    pub rigidify: bool,
    /// A skeleton that moves the body.
    pub rig: Option<RigTable>,
    /// What elements a solid is made of. Default: "tet4"; of a mesh file with ten-node tetrahedra "tet10".
    pub element: Option<ElementName>,
}

/// What elements a solid is made of.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ElementName {
    /// Linear tetrahedra: too stiff in bending, and where Poisson's ratio nears 0.5.
    Tet4,
    /// Each tetrahedron becomes eight linear ones with one resistance to changes of volume for all of them.
    Tet4Averaged,
    /// Quadratic tetrahedra, with nodes in the middle of their edges.
    Tet10,
}

impl From<ElementName> for Formulation {
    fn from(name: ElementName) -> Formulation {
        match name {
            ElementName::Tet4 => Formulation::Linear,
            ElementName::Tet4Averaged => Formulation::Averaged,
            ElementName::Tet10 => Formulation::Quadratic,
        }
    }
}

fn yes() -> bool {
    true
}

/// A rest shape: exactly one key.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MeshTable {
    /// A box with one corner at the origin.
    Bar(BarTable),
    /// A box with its centre at the origin.
    Box(BarTable),
    /// A ball around the origin.
    Ball(BallTable),
    /// A cylinder with round ends along z, centred at the origin.
    Capsule(CapsuleTable),
    /// A cylinder along z, centred at the origin.
    Cylinder(CylinderTable),
    /// A solid torus around z, centred at the origin.
    Torus(TorusTable),
    /// A hollow cylinder along z, centred at the origin.
    Tube(TubeTable),
    /// A hollow torus around z, centred at the origin.
    Ring(RingTable),
    /// A solid of revolution about z.
    Lathe(LatheTable),
    /// A drawing extruded along y, centred at the origin.
    Extrude(ExtrudeTable),
    /// A plane rectangle (plane strain) with one corner at the origin.
    Rectangle(RectangleTable),
    /// A plane band along x (plane strain), symmetric about y = 0.
    Band(BandTable),
    /// Tapered limbs that merge smoothly.
    Blob(BlobTable),
    /// A hand with fingers along y, its palm towards z, 1.6 m long; it has a skeleton of 19 bones.
    Hand(CreatureTable),
    /// A child with a large head, 0.84 m tall along y; it has a skeleton of 17 bones.
    Humanoid(CreatureTable),
    /// A stout creature with a tail, 2 m tall along y; it has a skeleton of 52 bones.
    Giant(CreatureTable),
    /// A mesh file.
    File(FileTable),
    /// A mesh that may be absent, with a shape to use instead.
    Asset(AssetTable),
}

/// A box cut into cells.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BarTable {
    /// Lengths of the edges, m.
    pub size: Vector<Length>,
    /// Cells along x, y and z.
    pub cells: [usize; 3],
    /// Tetrahedra a cell: 6 or 5; default 6.
    pub split: Option<u32>,
}

/// A ball: (2·divisions+1)³ nodes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallTable {
    /// Radius, m.
    pub radius: Length,
    /// Cells from the centre to the surface.
    pub divisions: usize,
}

/// A cylinder with a half ball on each end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapsuleTable {
    /// Radius, m.
    pub radius: Length,
    /// Length of the straight part, m.
    pub length: Length,
    /// Cells from the axis to the surface.
    pub divisions: usize,
    /// Cells along the straight part.
    pub layers: usize,
}

/// A cylinder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderTable {
    /// Radius, m.
    pub radius: Length,
    /// Length, m.
    pub length: Length,
    /// Cells from the axis to the surface.
    pub divisions: usize,
    /// Cells along the length.
    pub layers: usize,
}

/// A solid torus.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusTable {
    /// Radius of the circle that the core follows, m.
    pub major: Length,
    /// Radius of the round section, m.
    pub minor: Length,
    /// Cells from the core to the surface.
    pub divisions: usize,
    /// Cells around the axis.
    pub segments: usize,
}

/// A hollow cylinder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TubeTable {
    /// Inner radius, m.
    pub inner: Length,
    /// Outer radius, m.
    pub outer: Length,
    /// Length, m.
    pub length: Length,
    /// Cells through the wall, around, along.
    pub cells: [usize; 3],
}

/// A hollow torus.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingTable {
    /// Radius of the circle that the core follows, m.
    pub major: Length,
    /// Inner radius of the section, m.
    pub inner: Length,
    /// Outer radius of the section, m.
    pub outer: Length,
    /// Cells through the wall, around the section, around the axis.
    pub cells: [usize; 3],
}

/// A solid of revolution: one layer of 1 + segments·rings nodes for each point, one node for a pole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LatheTable {
    /// Points (radius, height), m, upwards; a radius of 0 at an end makes a pole.
    pub profile: Vec<[Length; 2]>,
    /// Nodes around.
    pub segments: usize,
    /// Rings of nodes between axis and surface; default 1.
    pub rings: Option<usize>,
}

/// A drawing extruded along y. Give `cell` or both `widths` and `heights`; `depth` and `layers`, or `depths`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtrudeTable {
    /// Rows from top to bottom; a space or `.` is empty, cells with the same character are a region of that name.
    pub picture: Vec<String>,
    /// Width and height of a cell along x and z, m.
    pub cell: Option<[Length; 2]>,
    /// Width of each column, m, in place of that of `cell`.
    pub widths: Option<Vec<Length>>,
    /// Height of each row from the top, m, in place of that of `cell`.
    pub heights: Option<Vec<Length>>,
    /// Depth along y, m.
    pub depth: Option<Length>,
    /// Layers of cells along y.
    pub layers: Option<usize>,
    /// Depth of each layer of cells, m, in place of `depth` and `layers`.
    pub depths: Option<Vec<Length>>,
    /// Sweeps that round off the outline; default 0.
    #[serde(default)]
    pub smooth: usize,
}

/// A plane rectangle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RectangleTable {
    /// Lengths of the edges along x and y, m.
    pub size: [Length; 2],
    /// Cells along x and y.
    pub cells: [usize; 2],
    /// How a cell is cut; default "alternating".
    #[serde(default)]
    pub split: TriangleSplitName,
}

/// A plane band of varying width.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BandTable {
    /// Points (x, half width), m, rightwards; straight lines between them.
    pub profile: Vec<[Length; 2]>,
    /// Cells along x, of equal length, and across.
    pub cells: [usize; 2],
}

/// How a rectangular cell is cut.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum TriangleSplitName {
    /// Two triangles, all diagonals alike.
    Parallel,
    /// Two triangles, diagonals changing direction from cell to cell.
    #[default]
    Alternating,
    /// Four triangles around a node in the middle.
    Crossed,
}

/// A mesh file: its path, or a table with `path`, `unit` and `render`.
#[derive(Clone, Debug)]
pub struct FileTable {
    /// Path, relative to the folder of the scene file.
    pub path: String,
    /// Unit of the coordinates; default "m".
    pub unit: LengthUnit,
    /// Path of a surface in the same unit that is carried along and shown instead of the mesh.
    pub render: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileFields {
    /// Path, relative to the folder of the scene file.
    path: String,
    /// Unit of the coordinates; default "m".
    #[serde(default)]
    unit: LengthUnit,
    /// Path of a surface in the same unit that is carried along and shown instead of the mesh.
    render: Option<String>,
}

impl<'de> Deserialize<'de> for FileTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PathOrTable;

        impl<'de> Visitor<'de> for PathOrTable {
            type Value = FileTable;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a path, or a table with `path`, `unit` and `render`")
            }

            fn visit_str<E: de::Error>(self, path: &str) -> Result<FileTable, E> {
                Ok(FileTable {
                    path: path.to_string(),
                    unit: LengthUnit::M,
                    render: None,
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FileTable, A::Error> {
                let FileFields { path, unit, render } =
                    FileFields::deserialize(MapAccessDeserializer::new(map))?;
                Ok(FileTable { path, unit, render })
            }
        }

        deserializer.deserialize_any(PathOrTable)
    }
}

impl JsonSchema for FileTable {
    fn schema_name() -> Cow<'static, str> {
        "MeshFile".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = FileFields::json_schema(generator);
        json_schema!({
            "description": "A mesh file: its path, or a table with `path`, `unit` and `render`.",
            "anyOf": [{ "type": "string" }, table],
        })
    }
}

/// Unit of the coordinates of a mesh file.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LengthUnit {
    /// Metres.
    #[default]
    M,
    /// Decimetres.
    Dm,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
    /// Micrometres.
    Um,
    /// Inches.
    In,
}

impl LengthUnit {
    /// Metres.
    pub fn metres(self) -> f64 {
        match self {
            LengthUnit::M => 1.0,
            LengthUnit::Dm => 0.1,
            LengthUnit::Cm => 0.01,
            LengthUnit::Mm => 1e-3,
            LengthUnit::Um => 1e-6,
            LengthUnit::In => 0.0254,
        }
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            LengthUnit::M => "m",
            LengthUnit::Dm => "dm",
            LengthUnit::Cm => "cm",
            LengthUnit::Mm => "mm",
            LengthUnit::Um => "um",
            LengthUnit::In => "in",
        }
    }
}

/// Scaling about the origin, then rotation, then translation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceTable {
    /// Factors along x, y and z; positive.
    pub scale: Option<Vector<Number>>,
    /// Rotation.
    pub rotate: Option<RotateTable>,
    /// Translation, m.
    pub translate: Option<Vector<Length>>,
}

/// A rotation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// Angle, rad, right-handed.
    pub angle: Angle,
    /// A point of the axis, m; default the origin.
    pub centre: Option<Vector<Length>>,
}
