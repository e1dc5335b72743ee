//! `[body.material]`: elasticity, density, damping, fibres.

use crate::file::{ProfileValue, Vector};
use crate::units::{Angle, Density, Length, Number, Pressure, Rate, Time};
use pliant_solid::material::{FibreKind, MaterialModel};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Material of a body.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialTable {
    /// Elastic energy; default "stable-neo-hookean".
    #[serde(default)]
    pub model: MaterialModelName,
    /// Young's modulus, Pa; positive.
    pub young: Pressure,
    /// Poisson's ratio; below 0.5.
    pub poisson: Number,
    /// Density, kg/m³; default 1000.
    #[serde(default = "water")]
    pub density: Density,
    /// Rayleigh damping α₀, 1/s: force −α₀ m v; default 0.
    #[serde(default = "no_rate")]
    pub mass_damping: Rate,
    /// Rayleigh damping α₁, s: force −α₁ H v; default 0.
    #[serde(default = "no_time")]
    pub stiffness_damping: Time,
    /// Share of the second invariant in Mooney–Rivlin, 0 to 1; default 0.25.
    #[serde(default = "quarter")]
    pub mooney_share: Number,
    /// Use Lamé's constants as they are in the stable neo-Hookean energies, so that small strains no longer
    /// show `young` and `poisson`; default false.
    #[serde(default)]
    pub raw_lame: bool,
    /// Fibres; default none.
    pub fibre: Option<FibreTable>,
}

impl MaterialTable {
    /// What stands for the material of a rigid body, of which only the density counts.
    pub(crate) fn of_density(density: Option<Density>) -> Self {
        MaterialTable {
            model: MaterialModelName::default(),
            young: Pressure::constant(1.0),
            poisson: Number::constant(0.0),
            density: density.unwrap_or_else(water),
            mass_damping: no_rate(),
            stiffness_damping: no_time(),
            mooney_share: quarter(),
            raw_lame: false,
            fibre: None,
        }
    }
}

fn water() -> Density {
    Density::constant(1000.0)
}

fn no_rate() -> Rate {
    Rate::constant(0.0)
}

fn no_time() -> Time {
    Time::constant(0.0)
}

fn quarter() -> Number {
    Number::constant(0.25)
}

/// Elastic energies.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum MaterialModelName {
    /// Small strains and rotations only.
    Linear,
    /// Corotated linear elasticity.
    Corotated,
    /// Corotated, with a tangent that ignores the change of rotation.
    CorotatedFrozen,
    /// St. Venant–Kirchhoff.
    StVenantKirchhoff,
    /// Neo-Hookean with log J; forbids inversion.
    NeoHookean,
    /// Stable neo-Hookean.
    #[default]
    StableNeoHookean,
    /// Stable neo-Hookean with its logarithmic term.
    StableNeoHookeanLog,
    /// Compressible Mooney–Rivlin; forbids inversion.
    MooneyRivlin,
    /// Neo-Hookean split into changes of volume and of shape, as deal.II has it; forbids inversion.
    SplitNeoHookean,
}

impl From<MaterialModelName> for MaterialModel {
    fn from(name: MaterialModelName) -> Self {
        match name {
            MaterialModelName::Linear => MaterialModel::Linear,
            MaterialModelName::Corotated => MaterialModel::Corotated,
            MaterialModelName::CorotatedFrozen => MaterialModel::CorotatedFrozen,
            MaterialModelName::StVenantKirchhoff => MaterialModel::StVenantKirchhoff,
            MaterialModelName::NeoHookean => MaterialModel::NeoHookean,
            MaterialModelName::StableNeoHookean => MaterialModel::StableNeoHookean,
            MaterialModelName::StableNeoHookeanLog => MaterialModel::StableNeoHookeanLog,
            MaterialModelName::MooneyRivlin => MaterialModel::MooneyRivlin,
            MaterialModelName::SplitNeoHookean => MaterialModel::SplitNeoHookean,
        }
    }
}

/// Fibres: a stiffness along a direction, and optionally muscle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FibreTable {
    /// Passive response; default "st-venant-kirchhoff".
    #[serde(default)]
    pub kind: FibreKindName,
    /// Passive modulus, Pa; default 0.
    pub modulus: Option<Pressure>,
    /// Exponent of the Fung response; default 1.
    pub exponent: Option<Number>,
    /// Direction at rest.
    pub direction: FibreDirection,
    /// Muscle.
    pub active: Option<ActiveTable>,
}

/// Passive responses of fibres.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum FibreKindName {
    /// No passive stiffness.
    ActiveOnly,
    /// Quadratic in the squared stretch (aStVK).
    #[default]
    StVenantKirchhoff,
    /// Exponential in the squared stretch (aFung).
    Fung,
}

impl From<FibreKindName> for FibreKind {
    fn from(name: FibreKindName) -> Self {
        match name {
            FibreKindName::ActiveOnly => FibreKind::ActiveOnly,
            FibreKindName::StVenantKirchhoff => FibreKind::StVenantKirchhoff,
            FibreKindName::Fung => FibreKind::Fung,
        }
    }
}

/// Direction of the fibres in each element, at its centroid: exactly one key.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FibreDirection {
    /// The same everywhere; of any length but zero.
    Constant(Vector<Number>),
    /// Away from an axis.
    Radial(RadialTable),
    /// Around an axis, rising along it.
    Helical(HelicalTable),
}

/// An axis.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RadialTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// A point of the axis, m.
    pub centre: Vector<Length>,
}

/// A right-handed helix around an axis: give `angle` or `pitch`; negative values wind the other way.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelicalTable {
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// A point of the axis, m.
    pub centre: Vector<Length>,
    /// Angle between fibre and axis, rad, the same at every radius: 0 is along the axis, 90 deg is a ring.
    pub angle: Option<Angle>,
    /// Rise along the axis in one turn, m, the same at every radius.
    pub pitch: Option<Length>,
}

/// The active part of a muscle: energy ½ a(t) k (stretch − length)².
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActiveTable {
    /// Active modulus k, Pa.
    pub modulus: Pressure,
    /// Stretch at which the active force vanishes; default 0.7.
    pub length: Option<Number>,
    /// Activation a(t), usually 0 to 1.
    pub activation: ProfileValue<Number>,
}
