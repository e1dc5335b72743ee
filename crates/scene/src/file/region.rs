//! `[[body.region]]`: elements with a material of their own.

use crate::file::Vector;
use crate::file::material::{FibreTable, MaterialModelName};
use crate::file::select::{BoxTable, CoordinateTable, HalfSpaceTable, SphereTable};
use crate::units::{Density, Length, Number, Pressure, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Elements whose material differs in the fields given here; where regions overlap, the last one counts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionTable {
    /// Name for messages; default "region N".
    pub name: Option<String>,
    /// The elements, taken by their centroid.
    #[serde(rename = "where")]
    pub elements: WhereTable,
    /// Elastic energy.
    pub model: Option<MaterialModelName>,
    /// Young's modulus, Pa.
    pub young: Option<Pressure>,
    /// Poisson's ratio.
    pub poisson: Option<Number>,
    /// Density, kg/m³.
    pub density: Option<Density>,
    /// Damping α₀, 1/s.
    pub mass_damping: Option<Rate>,
    /// Damping α₁, s.
    pub stiffness_damping: Option<Time>,
    /// Share of the second invariant in Mooney–Rivlin.
    pub mooney_share: Option<Number>,
    /// Use Lamé's constants as they are in the stable neo-Hookean energies.
    pub raw_lame: Option<bool>,
    /// Fibres, in place of those of the body.
    pub fibre: Option<FibreTable>,
}

/// A set of elements: exactly one key.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WhereTable {
    /// Elements in a closed box.
    Box(BoxTable),
    /// Elements in layers across an axis.
    Layers(LayersTable),
    /// Elements on the side of a plane that its normal points to.
    HalfSpace(HalfSpaceTable),
    /// Elements whose coordinate is at least this.
    Above(CoordinateTable),
    /// Elements whose coordinate is at most this.
    Below(CoordinateTable),
    /// Elements in a closed ball.
    Sphere(SphereTable),
    /// Elements nearer to a line than a radius.
    Around(AroundTable),
    /// Elements of a named region (a physical group of the mesh file).
    Region(String),
}

/// The surroundings of a line without ends.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AroundTable {
    /// A point of the line, m.
    pub point: Vector<Length>,
    /// Its direction, of any length but zero.
    pub axis: Vector<Number>,
    /// Greatest distance from the line, m.
    pub radius: Length,
}

/// Layers of equal thickness across an axis: give `count` or `thickness`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayersTable {
    /// Axis along which the layers are stacked.
    pub axis: AxisName,
    /// Number of layers.
    pub count: Option<usize>,
    /// Thickness of a layer, m; the last one may be thinner.
    pub thickness: Option<Length>,
    /// Which layers, counted from 1 at the lower end.
    pub take: Vec<usize>,
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum AxisName {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    Z,
}
