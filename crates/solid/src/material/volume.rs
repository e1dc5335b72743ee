//! The part of an energy that resists changes of volume, so that elements can share it: U(θ), with θ a measure of volume.
//!
//! Subtracting U from ψ leaves the resistance to shear, at rest μ ε:ε. Materials whose resistance to volume is not a function of one
//! measure (corotated ones: tr S; St. Venant–Kirchhoff: tr E, which has no volume in it) have none here.

use super::{Coefficients, MaterialModel, Tangent};
use fearless_simd::Simd;
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

/// U, U' and U'' at one θ.
#[derive(Clone, Copy)]
pub(crate) struct VolumeResponse<S: Simd> {
    pub energy: Lanes<S>,
    pub slope: Lanes<S>,
    pub curvature: Lanes<S>,
}

impl MaterialModel {
    /// Whether its resistance to changes of volume is a part of its own, which elements can share.
    pub fn has_volume_part(self) -> bool {
        !matches!(
            self,
            MaterialModel::Corotated
                | MaterialModel::CorotatedFrozen
                | MaterialModel::StVenantKirchhoff
        )
    }

    /// θ: det F, and for linear elasticity its linearisation tr F − 2. 1 at rest.
    #[inline(always)]
    pub(crate) fn volume_measure<S: Simd>(self, simd: S, f: &LaneMat3<S>) -> Lanes<S> {
        match self {
            MaterialModel::Linear => f.at(0, 0) + f.at(1, 1) + f.at(2, 2) - splat(simd, 2.0),
            _ => f.determinant(),
        }
    }

    /// ∂θ/∂F.
    #[inline(always)]
    pub(crate) fn volume_gradient<S: Simd>(self, simd: S, f: &LaneMat3<S>) -> LaneMat3<S> {
        match self {
            MaterialModel::Linear => LaneMat3::identity(simd),
            _ => f.cofactor(),
        }
    }

    /// U = ½λ(θ − 1)², or ½λ ln²θ, or ¼λ(θ² − 1 − 2 ln θ), as the energy has it; λ is Lamé's, from the energy's own coefficients.
    #[inline(always)]
    pub(crate) fn volume_response<S: Simd>(
        self,
        simd: S,
        theta: Lanes<S>,
        c: &Coefficients<S>,
    ) -> VolumeResponse<S> {
        let one = splat(simd, 1.0);
        let lambda = match self {
            // λ̂ = λ + μ̂, and λ + 5μ/6 with μ̂ = 4μ/3
            MaterialModel::StableNeoHookean => c[1] - c[0],
            MaterialModel::StableNeoHookeanLog => c[1] - c[0] * 0.625,
            MaterialModel::MooneyRivlin => c[2] + c[1] + c[1],
            // κ without ⅔μ, so that each part keeps some resistance of its own as with the other energies
            MaterialModel::SplitNeoHookean => c[2],
            _ => c[1],
        };
        match self {
            MaterialModel::NeoHookean | MaterialModel::MooneyRivlin => {
                let log = super::neo_hookean::log_or_infinity(simd, theta);
                let slope = lambda * log / theta;
                VolumeResponse {
                    energy: lambda * 0.5 * log * log,
                    slope,
                    curvature: (lambda / theta - slope) / theta,
                }
            }
            MaterialModel::SplitNeoHookean => {
                let log = super::neo_hookean::log_or_infinity(simd, theta);
                let inverse = one / theta;
                let half = lambda * 0.5;
                VolumeResponse {
                    energy: half * 0.5 * ((theta - one) * (theta + one) - log - log),
                    slope: half * (theta - inverse),
                    curvature: half * (inverse * inverse + one),
                }
            }
            _ => {
                let change = theta - one;
                VolumeResponse {
                    energy: lambda * 0.5 * change * change,
                    slope: lambda * change,
                    curvature: lambda,
                }
            }
        }
    }
}

impl<S: Simd> VolumeResponse<S> {
    /// Puts U of this response, that of a mean, in place of the own U of a material at F, in ψ and P.
    #[inline(always)]
    pub fn replace_own(
        &self,
        simd: S,
        model: MaterialModel,
        f: &LaneMat3<S>,
        c: &Coefficients<S>,
        psi: &mut Lanes<S>,
        p: &mut LaneMat3<S>,
    ) {
        let own = model.volume_response(simd, model.volume_measure(simd, f), c);
        *psi += self.energy - own.energy;
        *p = p.add_scaled(self.slope - own.slope, &model.volume_gradient(simd, f));
    }

    /// The same in ∂P/∂F at singular values σ, for θ = det F. What couples the parts, U'' of the mean, is left out here.
    #[inline(always)]
    pub fn replace_own_tangent(&self, own: &Self, sigma: &[Lanes<S>; 3], tangent: &mut Tangent<S>) {
        let s = sigma;
        let j = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
        let slope = self.slope - own.slope;
        for i in 0..3 {
            let (a, b) = ((i + 1) % 3, (i + 2) % 3);
            tangent.scaling[i] -= own.curvature * j[i] * j[i];
            // pair opposite to axis i
            tangent.scaling[5 - i] += slope * s[i] - own.curvature * j[a] * j[b];
            tangent.twist[i] += slope * s[i];
            tangent.flip[i] -= slope * s[i];
        }
    }
}
