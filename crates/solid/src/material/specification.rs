//! What a user says of a material, checked.

use super::{FibreKind, MaterialModel};
use thiserror::Error;

/// Lamé's constants in Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus μ.
    pub mu: f64,
    /// First parameter λ.
    pub lambda: f64,
    /// Use μ, λ as they are in the stable neo-Hookean energies, without re-parametrisation (METHODS 0.4).
    pub raw: bool,
}

impl Lame {
    /// μ = E/2(1+ν), λ = Eν/((1+ν)(1−2ν)).
    pub fn from_young(young: f64, poisson: f64) -> Self {
        Lame {
            mu: young / (2.0 * (1.0 + poisson)),
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            raw: false,
        }
    }
}

/// Fibres of a material; their directions are a field over the body's elements.
#[derive(Clone, Debug, PartialEq)]
pub struct FibreSpecification {
    /// Passive response.
    pub kind: FibreKind,
    /// Passive modulus, Pa.
    pub modulus: f64,
    /// Exponent of the Fung response.
    pub exponent: f64,
    /// Active modulus k, Pa.
    pub active_modulus: f64,
    /// Stretch at which the active force vanishes.
    pub active_length: f64,
    /// Activation a(t); constant zero when the fibre is passive.
    pub activation: crate::profile::Profile,
}

/// A material with its parameters, SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSpecification {
    /// Energy.
    pub model: MaterialModel,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// α₀, 1/s: damping force −α₀ m v.
    pub mass_damping: f64,
    /// α₁, s: damping force −α₁ H v.
    pub stiffness_damping: f64,
    /// Share r of the second invariant in Mooney–Rivlin.
    pub mooney_share: f64,
    /// Keep raw Lamé constants, see [`Lame::raw`].
    pub raw_lame: bool,
    /// Fibres.
    pub fibre: Option<FibreSpecification>,
}

/// A parameter outside its range.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{parameter} = {value} is not allowed: {reason}")]
pub struct MaterialError {
    /// Name of the parameter as in scene files.
    pub parameter: &'static str,
    /// The refused value.
    pub value: f64,
    /// The allowed range and what to do.
    pub reason: &'static str,
}

impl MaterialSpecification {
    /// A material without damping or fibres.
    pub fn new(model: MaterialModel, young: f64, poisson: f64, density: f64) -> Self {
        MaterialSpecification {
            model,
            young,
            poisson,
            density,
            mass_damping: 0.0,
            stiffness_damping: 0.0,
            mooney_share: 0.25,
            raw_lame: false,
            fibre: None,
        }
    }

    /// μ and λ.
    pub fn lame(&self) -> Lame {
        Lame {
            raw: self.raw_lame,
            ..Lame::from_young(self.young, self.poisson)
        }
    }

    /// The energy's own coefficients.
    pub fn coefficients(&self) -> [f64; 3] {
        self.model.coefficients(self.lame(), self.mooney_share)
    }

    /// Refuses values without physical meaning.
    pub fn check(&self) -> Result<(), MaterialError> {
        let require = |ok: bool, parameter, value, reason| {
            if ok {
                Ok(())
            } else {
                Err(MaterialError {
                    parameter,
                    value,
                    reason,
                })
            }
        };
        let positive = |v: f64| v > 0.0 && v.is_finite();
        let not_negative = |v: f64| v >= 0.0 && v.is_finite();
        require(
            positive(self.young),
            "young",
            self.young,
            "Young's modulus must be positive",
        )?;
        require(
            self.poisson > -1.0 && self.poisson < 0.5,
            "poisson",
            self.poisson,
            "Poisson's ratio must lie in (−1, 0.5); use 0.49 for a nearly incompressible material",
        )?;
        require(
            positive(self.density),
            "density",
            self.density,
            "the density must be positive",
        )?;
        require(
            not_negative(self.mass_damping),
            "mass_damping",
            self.mass_damping,
            "damping must not be negative",
        )?;
        require(
            not_negative(self.stiffness_damping),
            "stiffness_damping",
            self.stiffness_damping,
            "damping must not be negative",
        )?;
        require(
            (0.0..=1.0).contains(&self.mooney_share),
            "mooney_share",
            self.mooney_share,
            "the share of the second invariant lies in [0, 1]",
        )?;
        if self.model == MaterialModel::MooneyRivlin {
            let [_, _, volumetric] = self.coefficients();
            require(
                volumetric >= 0.0,
                "mooney_share",
                self.mooney_share,
                "λ − 2·share·μ must not be negative: lower the share or raise Poisson's ratio",
            )?;
        }
        if matches!(
            self.model,
            MaterialModel::StableNeoHookean | MaterialModel::StableNeoHookeanLog
        ) {
            let [_, lambda, _] = self.coefficients();
            require(
                lambda > 0.0,
                "poisson",
                self.poisson,
                "the stable neo-Hookean energies need a larger Poisson's ratio (λ̂ > 0)",
            )?;
        }
        if let Some(fibre) = &self.fibre {
            require(
                not_negative(fibre.modulus),
                "fibre.modulus",
                fibre.modulus,
                "must not be negative",
            )?;
            require(
                positive(fibre.exponent),
                "fibre.exponent",
                fibre.exponent,
                "must be positive",
            )?;
            require(
                not_negative(fibre.active_modulus),
                "fibre.active_modulus",
                fibre.active_modulus,
                "must not be negative",
            )?;
            require(
                positive(fibre.active_length),
                "fibre.active_length",
                fibre.active_length,
                "the stretch must be positive",
            )?;
        }
        Ok(())
    }
}
