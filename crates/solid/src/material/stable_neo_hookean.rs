//! Stable neo-Hookean, finite for any F, inverted or flat [SGK18].
//!
//! Without the logarithm: ψ = ½μ̂(I_C − 3) + ½λ̂(J − α)², μ̂ = μ, λ̂ = λ + μ, α = 1 + μ̂/λ̂.
//! With it [SGK18, Eq. 14]: ψ −= ½μ̂ ln(I_C + 1), μ̂ = 4μ/3, λ̂ = λ + 5μ/6, α = 1 + μ̂/λ̂ − μ̂/(4λ̂).
//! Both are shifted by a constant so that ψ = 0 at rest, and reduce to linear elasticity with the given μ, λ;
//! `Lame::raw` keeps μ̂ = μ, λ̂ = λ in the logarithmic form, as some published code does.

use super::neo_hookean::{InvariantDerivatives, invariant_tangent};
use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LaneMat3, Lanes, map, splat};

/// The form without the logarithm. Coefficients: μ̂, λ̂, α.
pub struct StableNeoHookean;

/// The form with the logarithm. Coefficients: μ̂, λ̂, α.
pub struct StableNeoHookeanLog;

/// ½λ̂((J − α)² − (1 − α)²), factored so that it does not cancel near J = 1.
#[inline(always)]
fn volume_energy<S: Simd>(simd: S, j: Lanes<S>, c: &Coefficients<S>) -> Lanes<S> {
    let one = splat(simd, 1.0);
    c[1] * 0.5 * (j - one) * (j + one - c[2] - c[2])
}

impl Hyperelastic for StableNeoHookean {
    const STRESS_NEEDS_SVD: bool = false;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        let (mu, lambda) = if lame.raw {
            (lame.mu, lame.lambda)
        } else {
            (lame.mu, lame.lambda + lame.mu)
        };
        [mu, lambda, 1.0 + mu / lambda]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let invariant = d.f.norm_squared() - splat(d.simd, 3.0);
        (c[0] * 0.5).mul_add(invariant, volume_energy(d.simd, d.f.determinant(), c))
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let cofactor = d.f.cofactor();
        let j = d.f.0[0].dot(cofactor.0[0]);
        d.f.scaled(c[0]).add_scaled(c[1] * (j - c[2]), &cofactor)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let s = d.svd.sigma;
        let j = s[0] * s[1] * s[2];
        let zero = splat(d.simd, 0.0);
        let w = InvariantDerivatives {
            first: c[0],
            second: c[1] * (j - c[2]),
            first_slope: zero,
            second_slope: c[1],
        };
        invariant_tangent(d, &w)
    }
}

impl Hyperelastic for StableNeoHookeanLog {
    const STRESS_NEEDS_SVD: bool = false;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        let (mu, lambda) = if lame.raw {
            (lame.mu, lame.lambda)
        } else {
            (lame.mu * 4.0 / 3.0, lame.lambda + lame.mu * 5.0 / 6.0)
        };
        [mu, lambda, 1.0 + 0.75 * mu / lambda]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let invariant = d.f.norm_squared() - splat(d.simd, 3.0);
        // ln(I_C + 1) − ln 4 = ln(1 + (I_C − 3)/4)
        let log = map(d.simd, invariant * 0.25, f64::ln_1p);
        (c[0] * 0.5).mul_add(invariant - log, volume_energy(d.simd, d.f.determinant(), c))
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let one = splat(d.simd, 1.0);
        let cofactor = d.f.cofactor();
        let j = d.f.0[0].dot(cofactor.0[0]);
        let first = c[0] * (one - one / (d.f.norm_squared() + one));
        d.f.scaled(first).add_scaled(c[1] * (j - c[2]), &cofactor)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let one = splat(d.simd, 1.0);
        let s = d.svd.sigma;
        let j = s[0] * s[1] * s[2];
        let inverse = one / (s[0].mul_add(s[0], s[1].mul_add(s[1], s[2].mul_add(s[2], one))));
        let w = InvariantDerivatives {
            first: c[0] * (one - inverse),
            second: c[1] * (j - c[2]),
            first_slope: c[0] * 2.0 * inverse * inverse,
            second_slope: c[1],
        };
        invariant_tangent(d, &w)
    }
}
