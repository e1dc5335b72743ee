//! Meshes that may be absent, and generated bodies that stand in for them.

use crate::file::body::{LengthUnit, MeshTable, PlaceTable};
use crate::units::{Length, Number};
use schemars::JsonSchema;
use serde::Deserialize;

/// A mesh from a folder of meshes (`--assets`, `PLIANT_ASSETS`), with a shape to use where that has none.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssetTable {
    /// Path within the folder; without an extension the first format of docs/formats.md that is there.
    pub name: String,
    /// Unit of the coordinates; default "m".
    #[serde(default)]
    pub unit: LengthUnit,
    /// Where the mesh of the file is put first, so that it lies as the other shape does; default as it is.
    pub place: Option<PlaceTable>,
    /// Shape of about the same size and place that is used where there is no such file; default none, an error.
    pub otherwise: Option<Box<MeshTable>>,
}

/// A rounded solid: limbs that merge where they come near each other.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlobTable {
    /// Limbs: points [x, y, z, radius], m, each joined to the next by a tapered rod; one point makes a ball.
    pub limbs: Vec<Vec<[Length; 4]>>,
    /// Distance between the surfaces of two limbs below which they merge, m; default 0.
    pub blend: Option<Length>,
    /// Mean edge of the tetrahedra at the surface, m; the number of nodes follows from it.
    pub edge: Length,
    /// How many times longer edges deep inside may become: 1, 2, 4, …; default 1.
    pub grading: Option<Number>,
}

/// A figure made of limbs that merge.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreatureTable {
    /// Mean edge of the tetrahedra at the surface, m; default the one that gives the size of the mesh in the paper on the method
    /// `subspace`: 96 000 nodes for the hand, 27 000 for the humanoid, 117 000 for the giant.
    pub edge: Option<Length>,
    /// How many times longer edges deep inside may become: 1, 2, 4, …; default 1.
    pub grading: Option<Number>,
}
