//! Compressible neo-Hookean split into changes of volume and of shape [MIE94]; infinite at J ≤ 0.
//!
//! ψ = ¼κ(J² − 1 − 2 ln J) + ½μ(J^(−2/3) I_C − 3), κ = λ + ⅔μ. What deal.II's step-44 and code gallery use; other than in
//! [`super::NeoHookean`] the pressure depends on J alone.

use super::neo_hookean::{InvariantDerivatives, invariant_tangent, log_or_infinity};
use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Select, Simd, prelude::*};
use pliant_linalg::lanes::{LaneMat3, Lanes, map, splat};

/// See the file header. Coefficients: μ, κ, λ; the last is what elements can share (`volume.rs`).
pub struct SplitNeoHookean;

/// J^(−2/3).
#[inline(always)]
fn shape_factor<S: Simd>(simd: S, j: Lanes<S>) -> Lanes<S> {
    let root = map(simd, j, f64::cbrt);
    splat(simd, 1.0) / (root * root)
}

impl Hyperelastic for SplitNeoHookean {
    const STRESS_NEEDS_SVD: bool = false;
    const FORBIDS_INVERSION: bool = true;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        [lame.mu, lame.lambda + lame.mu * 2.0 / 3.0, lame.lambda]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let one = splat(d.simd, 1.0);
        let j = d.f.determinant();
        let log = log_or_infinity(d.simd, j);
        let invariant = shape_factor(d.simd, j).mul_sub(d.f.norm_squared(), splat(d.simd, 3.0));
        let volume = (j - one).mul_sub(j + one, log + log);
        let psi = (c[0] * 0.5).mul_add(invariant, c[1] * 0.25 * volume);
        let infinite = splat(d.simd, f64::INFINITY);
        log.simd_lt(infinite).select(psi, infinite)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let cofactor = d.f.cofactor();
        let j = d.f.0[0].dot(cofactor.0[0]);
        let first = c[0] * shape_factor(d.simd, j);
        let w = slope(d.simd, j, first * d.f.norm_squared() / 3.0, c);
        d.f.scaled(first).add_scaled(w, &cofactor)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let s = d.svd.sigma;
        let j = s[0] * s[1] * s[2];
        let square = |i: usize| s[i] * s[i];
        let first = c[0] * shape_factor(d.simd, j);
        let third = first * (square(0) + square(1) + square(2)) / 3.0;
        let inverse = splat(d.simd, 1.0) / (j * j);
        let w = InvariantDerivatives {
            first,
            second: slope(d.simd, j, third, c),
            first_slope: splat(d.simd, 0.0),
            second_slope: (c[1] * 0.5).mul_add(inverse, c[1] * 0.5) + third * inverse * 5.0 / 3.0,
        };
        let mut tangent = invariant_tangent(d, &w);
        // 2 ∂²ψ/∂I_C∂J (σᵢJⱼ + Jᵢσⱼ), where σᵢJᵢ = J and σᵢJⱼ + Jᵢσⱼ = (σᵢ² + σⱼ²)σₖ
        let mixed = first * (-2.0 / 3.0) / j;
        for i in 0..3 {
            tangent.scaling[i] = mixed.mul_add(j + j, tangent.scaling[i]);
            // pair opposite to axis i
            let across = (square((i + 1) % 3) + square((i + 2) % 3)) * s[i];
            tangent.scaling[5 - i] = mixed.mul_add(across, tangent.scaling[5 - i]);
        }
        tangent
    }
}

/// ∂ψ/∂J = ½κ(J − 1/J) − ⅓μ J^(−2/3) I_C / J; `third` is ⅓μ J^(−2/3) I_C.
#[inline(always)]
fn slope<S: Simd>(simd: S, j: Lanes<S>, third: Lanes<S>, c: &Coefficients<S>) -> Lanes<S> {
    let inverse = splat(simd, 1.0) / j;
    (c[1] * 0.5).mul_sub(j - inverse, third * inverse)
}
