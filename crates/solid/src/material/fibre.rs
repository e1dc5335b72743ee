//! Fibres along a unit rest direction a: energies of I₅ = ‖Fa‖² added to an isotropic material (METHODS 0.5).
//!
//! - StVK [KDGI19]: ψ = ½μ(I₅ − 1)²
//! - Fung: ψ = μ(e^{c(I₅−1)} − c(I₅ − 1) − 1)
//! - active: ψ = ½ a(t) k (√I₅ − ℓ₀)², the pull of a muscle towards the length ℓ₀, activation a ∈ [0, 1]

use super::tangent::FibreTangent;
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, LaneVec3, Lanes, Pack, map, splat};

/// Largest exponent of the Fung energy; beyond it the fibre goes on with e²⁰.
const FUNG_EXPONENT_LIMIT: f64 = 20.0;

/// The passive response of a fibre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FibreKind {
    /// No passive stiffness: the active term alone.
    ActiveOnly,
    /// Quadratic in I₅ (aStVK).
    StVenantKirchhoff,
    /// Exponential in I₅ (aFung).
    Fung,
}

/// Stored fibre data of one pack.
#[derive(Clone, Debug)]
pub struct FibreCoefficients {
    /// Passive response, the same for all lanes.
    pub kind: FibreKind,
    /// Rest direction, unit length.
    pub direction: [Pack; 3],
    /// Passive modulus μ, Pa.
    pub modulus: Pack,
    /// Fung's exponent c.
    pub exponent: Pack,
    /// Active modulus k at full activation, Pa.
    pub active: Pack,
    /// Active rest length ℓ₀ as a stretch.
    pub active_length: Pack,
    /// Which activation a(t) of the model drives all lanes.
    pub channel: usize,
}

/// ψ and its derivatives with respect to the fibre vector.
pub struct FibreResponse<S: Simd> {
    /// ψ, J/m³.
    pub energy_density: Lanes<S>,
    /// ∂P/∂F; its `first` is also the stress factor, P = first · m aᵀ.
    pub tangent: FibreTangent<S>,
}

impl FibreCoefficients {
    /// Energy, stress factor and tangent at F and activation a.
    #[inline(always)]
    pub fn respond<S: Simd>(&self, simd: S, f: &LaneMat3<S>, activation: f64) -> FibreResponse<S> {
        let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
        let direction = LaneVec3(each!(i in 3 => self.direction[i].load(simd)));
        let stretched = f.times_vector(direction);
        let i5 = stretched.dot(stretched);
        let excess = i5 - one;
        let mu = self.modulus.load(simd);

        let (mut psi, mut first, mut second) = match self.kind {
            FibreKind::ActiveOnly => (zero, zero, zero),
            FibreKind::StVenantKirchhoff => {
                (mu * 0.5 * excess * excess, mu * 2.0 * excess, mu * 4.0)
            }
            FibreKind::Fung => {
                let c = self.exponent.load(simd);
                let exponent = c * excess;
                let e = map(simd, exponent, |x| x.min(FUNG_EXPONENT_LIMIT).exp());
                (
                    mu * (e - exponent - one),
                    mu * c * 2.0 * (e - one),
                    mu * c * c * 4.0 * e,
                )
            }
        };

        let active = self.active.load(simd) * activation;
        let rest = self.active_length.load(simd);
        let length = i5.max(splat(simd, 1e-24)).sqrt();
        let shortening = length - rest;
        psi = (active * 0.5 * shortening).mul_add(shortening, psi);
        first += active * (shortening / length);
        second += active * rest / (length * length * length);
        FibreResponse {
            energy_density: psi,
            tangent: FibreTangent {
                direction,
                stretched,
                first,
                second,
            },
        }
    }
}

impl<S: Simd> FibreResponse<S> {
    /// P = first · m aᵀ.
    #[inline(always)]
    pub fn first_piola(&self) -> LaneMat3<S> {
        let t = &self.tangent;
        let m = t.stretched.scaled(t.first);
        LaneMat3(each!(c in 3 => m.scaled(t.direction.0[c])))
    }
}
