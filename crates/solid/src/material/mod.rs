//! Hyperelastic materials: one energy per file, three functions and a clamp each.
//!
//! ψ is an energy density in J/m³ of rest volume, P = ∂ψ/∂F the first Piola–Kirchhoff stress in Pa.
//! All kernels evaluate eight elements at once. Coefficients are per element and already converted from
//! Young's modulus and Poisson's ratio to what the energy needs ([`Hyperelastic::coefficients`]).

mod corotated;
mod fibre;
mod linear;
mod mooney_rivlin;
mod neo_hookean;
mod specification;
mod split_neo_hookean;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
mod tangent;
#[cfg(test)]
mod tests;
mod volume;

pub use corotated::{Corotated, CorotatedFrozen};
pub use fibre::{FibreCoefficients, FibreKind, FibreResponse};
pub use linear::Linear;
pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;
pub use specification::{FibreSpecification, Lame, MaterialError, MaterialSpecification};
pub use split_neo_hookean::SplitNeoHookean;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use stable_neo_hookean::{StableNeoHookean, StableNeoHookeanLog};
pub use tangent::{FibreTangent, Tangent};
pub(crate) use volume::VolumeResponse;

use fearless_simd::Simd;
use pliant_linalg::lanes::{LaneMat3, Lanes, Pack, splat};
use pliant_linalg::svd::{LaneSvd, svd_lanes};
use pliant_linalg::{Mat3, each, vectorize};

/// Three coefficients an element; what they mean is the material's own matter.
pub type Coefficients<S> = [Lanes<S>; 3];

/// A deformation gradient in each lane, with its singular values where the caller asked for them.
#[derive(Clone, Copy)]
pub struct Deformation<S: Simd> {
    /// Instruction set.
    pub simd: S,
    /// F.
    pub f: LaneMat3<S>,
    /// F = U Σ Vᵀ; meaningful only when built by [`Deformation::with_svd`].
    pub svd: LaneSvd<S>,
}

impl<S: Simd> Deformation<S> {
    /// F alone.
    #[inline(always)]
    pub fn plain(simd: S, f: LaneMat3<S>) -> Self {
        let identity = LaneMat3::identity(simd);
        let svd = LaneSvd {
            u: identity,
            sigma: [splat(simd, 1.0); 3],
            v: identity,
        };
        Deformation { simd, f, svd }
    }

    /// F and its singular value decomposition.
    #[inline(always)]
    pub fn with_svd(simd: S, f: LaneMat3<S>) -> Self {
        Deformation {
            simd,
            f,
            svd: svd_lanes(simd, &f),
        }
    }
}

/// An isotropic hyperelastic energy.
pub trait Hyperelastic {
    /// Whether `energy_density` and `first_piola` read the singular values.
    const STRESS_NEEDS_SVD: bool;
    /// Whether the energy is infinite at det F ≤ 0.
    const FORBIDS_INVERSION: bool = false;

    /// The energy's own coefficients from Lamé's μ, λ (Pa) and one dimensionless shape number.
    fn coefficients(lame: Lame, shape: f64) -> [f64; 3];
    /// ψ(F).
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S>;
    /// P = ∂ψ/∂F.
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S>;
    /// ∂P/∂F, not projected. Needs [`Deformation::with_svd`].
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S>;
}

/// The names of the materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaterialModel {
    /// Small-strain linear elasticity; not invariant to rotation.
    Linear,
    /// Corotated linear elasticity with its exact Hessian.
    Corotated,
    /// Corotated linear elasticity whose tangent ignores the change of rotation.
    CorotatedFrozen,
    /// St. Venant–Kirchhoff.
    StVenantKirchhoff,
    /// Neo-Hookean with log J (Bonet–Wood); forbids inversion.
    NeoHookean,
    /// Stable neo-Hookean without the logarithm.
    StableNeoHookean,
    /// Stable neo-Hookean with the logarithm of [SGK18, Eq. 14].
    StableNeoHookeanLog,
    /// Compressible Mooney–Rivlin; forbids inversion.
    MooneyRivlin,
    /// Neo-Hookean split into changes of volume and of shape; forbids inversion.
    SplitNeoHookean,
}

/// Runs `$body` with the type `$M` bound to the material that `$model` names.
macro_rules! with_material {
    ($model:expr, $M:ident => $body:expr) => {
        match $model {
            $crate::material::MaterialModel::Linear => {
                type $M = $crate::material::Linear;
                $body
            }
            $crate::material::MaterialModel::Corotated => {
                type $M = $crate::material::Corotated;
                $body
            }
            $crate::material::MaterialModel::CorotatedFrozen => {
                type $M = $crate::material::CorotatedFrozen;
                $body
            }
            $crate::material::MaterialModel::StVenantKirchhoff => {
                type $M = $crate::material::StVenantKirchhoff;
                $body
            }
            $crate::material::MaterialModel::NeoHookean => {
                type $M = $crate::material::NeoHookean;
                $body
            }
            $crate::material::MaterialModel::StableNeoHookean => {
                type $M = $crate::material::StableNeoHookean;
                $body
            }
            $crate::material::MaterialModel::StableNeoHookeanLog => {
                type $M = $crate::material::StableNeoHookeanLog;
                $body
            }
            $crate::material::MaterialModel::MooneyRivlin => {
                type $M = $crate::material::MooneyRivlin;
                $body
            }
            $crate::material::MaterialModel::SplitNeoHookean => {
                type $M = $crate::material::SplitNeoHookean;
                $body
            }
        }
    };
}

impl MaterialModel {
    /// Energy density and stress; the material is chosen once a pack, so that each pass is compiled once.
    #[inline(always)]
    pub(crate) fn energy_and_stress<S: Simd>(
        self,
        simd: S,
        f: LaneMat3<S>,
        c: &Coefficients<S>,
    ) -> (Lanes<S>, LaneMat3<S>) {
        with_material!(self, M => {
            let d = if M::STRESS_NEEDS_SVD { Deformation::with_svd(simd, f) } else { Deformation::plain(simd, f) };
            (M::energy_density(&d, c), M::first_piola(&d, c))
        })
    }

    /// Energy density alone.
    #[inline(always)]
    pub(crate) fn energy_density<S: Simd>(
        self,
        simd: S,
        f: LaneMat3<S>,
        c: &Coefficients<S>,
    ) -> Lanes<S> {
        with_material!(self, M => {
            let d = if M::STRESS_NEEDS_SVD { Deformation::with_svd(simd, f) } else { Deformation::plain(simd, f) };
            M::energy_density(&d, c)
        })
    }

    /// ∂P/∂F, not projected.
    #[inline(always)]
    pub(crate) fn tangent<S: Simd>(
        self,
        simd: S,
        f: LaneMat3<S>,
        c: &Coefficients<S>,
    ) -> Tangent<S> {
        let d = Deformation::with_svd(simd, f);
        with_material!(self, M => M::tangent(&d, c))
    }

    /// The same where the parts of an octet share their resistance to volume, which is `mean`; not for linear elasticity.
    #[inline(always)]
    pub(crate) fn tangent_sharing_volume<S: Simd>(
        self,
        simd: S,
        f: LaneMat3<S>,
        c: &Coefficients<S>,
        mean: &VolumeResponse<S>,
    ) -> Tangent<S> {
        let d = Deformation::with_svd(simd, f);
        let mut tangent = with_material!(self, M => M::tangent(&d, c));
        let sigma = d.svd.sigma;
        let own = self.volume_response(simd, sigma[0] * sigma[1] * sigma[2], c);
        mean.replace_own_tangent(&own, &sigma, &mut tangent);
        tangent
    }
}

/// Energy, stress and tangent of one deformation gradient: for tests, studies and users, not for hot loops.
#[derive(Clone, Debug)]
pub struct PointResponse {
    /// ψ, J/m³.
    pub energy_density: f64,
    /// P, Pa.
    pub first_piola: Mat3,
    /// ∂vec(P)/∂vec(F), column-major vec.
    pub tangent: [[f64; 9]; 9],
    /// The same with its eigenvalues clamped at zero.
    pub tangent_projected: [[f64; 9]; 9],
}

impl MaterialModel {
    /// All materials, in the order of their names.
    pub const ALL: [MaterialModel; 9] = [
        MaterialModel::Linear,
        MaterialModel::Corotated,
        MaterialModel::CorotatedFrozen,
        MaterialModel::StVenantKirchhoff,
        MaterialModel::NeoHookean,
        MaterialModel::StableNeoHookean,
        MaterialModel::StableNeoHookeanLog,
        MaterialModel::MooneyRivlin,
        MaterialModel::SplitNeoHookean,
    ];

    /// The name used in scene files.
    pub fn name(self) -> &'static str {
        match self {
            MaterialModel::Linear => "linear",
            MaterialModel::Corotated => "corotated",
            MaterialModel::CorotatedFrozen => "corotated-frozen",
            MaterialModel::StVenantKirchhoff => "st-venant-kirchhoff",
            MaterialModel::NeoHookean => "neo-hookean",
            MaterialModel::StableNeoHookean => "stable-neo-hookean",
            MaterialModel::StableNeoHookeanLog => "stable-neo-hookean-log",
            MaterialModel::MooneyRivlin => "mooney-rivlin",
            MaterialModel::SplitNeoHookean => "split-neo-hookean",
        }
    }

    /// Whether the energy is infinite at det F ≤ 0.
    pub fn forbids_inversion(self) -> bool {
        with_material!(self, M => M::FORBIDS_INVERSION)
    }

    /// Whether its stress and tangent need only a rotation, which may be followed from step to step.
    pub fn follows_rotation(self) -> bool {
        self == MaterialModel::CorotatedFrozen
    }

    /// Whether its tangent is that of linear elasticity in a rotated frame.
    pub(crate) fn is_rotated_linear(self) -> bool {
        matches!(self, MaterialModel::Linear | MaterialModel::CorotatedFrozen)
    }

    /// The energy's own coefficients; see [`Hyperelastic::coefficients`].
    pub fn coefficients(self, lame: Lame, shape: f64) -> [f64; 3] {
        with_material!(self, M => M::coefficients(lame, shape))
    }

    /// The response at one deformation gradient.
    pub fn respond(self, f: &Mat3, coefficients: [f64; 3]) -> PointResponse {
        vectorize!(cold simd => self.respond_lane(simd, f, coefficients))
    }

    #[inline(always)]
    fn respond_lane<S: Simd>(self, simd: S, f: &Mat3, coefficients: [f64; 3]) -> PointResponse {
        let c = each!(i in 3 => splat(simd, coefficients[i]));
        let f = LaneMat3::splat(simd, f);
        let (psi, p) = self.energy_and_stress(simd, f, &c);
        let tangent = self.tangent(simd, f, &c);
        let projected = tangent.projected(simd);
        PointResponse {
            energy_density: psi[0],
            first_piola: p.lane(0),
            tangent: dense(simd, |df| tangent.apply(df)),
            tangent_projected: dense(simd, |df| projected.apply(df)),
        }
    }
}

/// The 9×9 matrix of a linear map on 3×3 matrices.
#[inline(always)]
fn dense<S: Simd>(simd: S, apply: impl Fn(&LaneMat3<S>) -> LaneMat3<S>) -> [[f64; 9]; 9] {
    let mut m = [[0.0; 9]; 9];
    for column in 0..9 {
        let mut df = Mat3::ZERO;
        df.set(column % 3, column / 3, 1.0);
        let dp = apply(&LaneMat3::splat(simd, &df)).lane(0);
        for row in 0..9 {
            m[row][column] = dp.at(row % 3, row / 3);
        }
    }
    m
}

/// Loads three stored coefficients.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, packs: &[Pack; 3]) -> Coefficients<S> {
    [
        packs[0].load(simd),
        packs[1].load(simd),
        packs[2].load(simd),
    ]
}
