//! Compressible neo-Hookean with log J [BW08]: ψ = ½μ(I_C − 3) − μ ln J + ½λ ln²J; infinite at J ≤ 0.
//!
//! Also the shared tangent of every energy whose stress is P = first·F + second·∂J/∂F.

use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Select, Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, Lanes, map, splat};

/// See the file header. Coefficients: μ, λ.
pub struct NeoHookean;

/// Derivatives of ψ(I_C, J) that its tangent needs.
pub(super) struct InvariantDerivatives<S: Simd> {
    /// 2 ∂ψ/∂I_C.
    pub first: Lanes<S>,
    /// ∂ψ/∂J.
    pub second: Lanes<S>,
    /// 4 ∂²ψ/∂I_C².
    pub first_slope: Lanes<S>,
    /// ∂²ψ/∂J².
    pub second_slope: Lanes<S>,
}

/// Eigen-system of ψ(I_C, J): twist_i = first + second σᵢ, flip_i = first − second σᵢ,
/// scaling_ij = first δᵢⱼ + first_slope σᵢσⱼ + second_slope JᵢJⱼ + second σₖ (i≠j), with Jᵢ = σⱼσₖ.
#[inline(always)]
pub(super) fn invariant_tangent<S: Simd>(
    d: &Deformation<S>,
    w: &InvariantDerivatives<S>,
) -> Tangent<S> {
    let s = d.svd.sigma;
    let j = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
    let diagonal = each!(i in 3 => {
        w.first_slope.mul_add(s[i] * s[i], (w.second_slope * j[i]).mul_add(j[i], w.first))
    });
    // off the diagonal, opposite to axis i
    let mixed = each!(i in 3 => {
        let (a, b) = ((i + 1) % 3, (i + 2) % 3);
        let outer = w.first_slope.mul_add(s[a] * s[b], w.second_slope * j[a] * j[b]);
        w.second.mul_add(s[i], outer)
    });
    Tangent {
        u: d.svd.u,
        v: d.svd.v,
        scaling: [
            diagonal[0],
            diagonal[1],
            diagonal[2],
            mixed[2],
            mixed[1],
            mixed[0],
        ],
        twist: each!(i in 3 => w.second.mul_add(s[i], w.first)),
        flip: each!(i in 3 => w.first - w.second * s[i]),
    }
}

/// ln J, and +∞ where J ≤ 0.
#[inline(always)]
pub(super) fn log_or_infinity<S: Simd>(simd: S, j: Lanes<S>) -> Lanes<S> {
    map(simd, j, |j| if j > 0.0 { j.ln() } else { f64::INFINITY })
}

impl Hyperelastic for NeoHookean {
    const STRESS_NEEDS_SVD: bool = false;
    const FORBIDS_INVERSION: bool = true;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        [lame.mu, lame.lambda, 0.0]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let log = log_or_infinity(d.simd, d.f.determinant());
        let invariant = d.f.norm_squared() - splat(d.simd, 3.0);
        let psi = (c[0] * 0.5).mul_add(invariant, (c[1] * 0.5).mul_sub(log, c[0]) * log);
        // λ = 0 and ln J = ∞ would give −∞
        let infinite = splat(d.simd, f64::INFINITY);
        log.simd_lt(infinite).select(psi, infinite)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let j = d.f.determinant();
        let log = log_or_infinity(d.simd, j);
        d.f.scaled(c[0])
            .add_scaled(c[1].mul_sub(log, c[0]) / j, &d.f.cofactor())
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let s = d.svd.sigma;
        let j = s[0] * s[1] * s[2];
        let log = log_or_infinity(d.simd, j);
        let pressure = c[1].mul_sub(log, c[0]);
        invariant_tangent(
            d,
            &InvariantDerivatives {
                first: c[0],
                second: pressure / j,
                first_slope: splat(d.simd, 0.0),
                second_slope: (c[1] - pressure) / (j * j),
            },
        )
    }
}
