//! Compressible Mooney–Rivlin; infinite at J ≤ 0.
//!
//! ψ = ½μ₁(I_C − 3) + ½μ₂(II_C − 3) − (μ₁ + 2μ₂) ln J + ½λ' ln²J,  II_C = σ₀²σ₁² + σ₁²σ₂² + σ₂²σ₀².
//! With the shape number r ∈ [0, 1]: μ₁ = (1 − r)μ, μ₂ = rμ, λ' = λ − 2rμ. Then the stress vanishes at rest and
//! the linear limit has the given μ, λ (checked by `material_tests!`). r = 0 is [`super::NeoHookean`].

use super::neo_hookean::{InvariantDerivatives, invariant_tangent, log_or_infinity};
use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Select, Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

/// See the file header. Coefficients: μ₁, μ₂, λ'.
pub struct MooneyRivlin;

impl Hyperelastic for MooneyRivlin {
    const STRESS_NEEDS_SVD: bool = false;
    const FORBIDS_INVERSION: bool = true;

    fn coefficients(lame: Lame, shape: f64) -> [f64; 3] {
        [
            (1.0 - shape) * lame.mu,
            shape * lame.mu,
            lame.lambda - 2.0 * shape * lame.mu,
        ]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let three = splat(d.simd, 3.0);
        let cofactor = d.f.cofactor();
        let log = log_or_infinity(d.simd, d.f.0[0].dot(cofactor.0[0]));
        // II_C = ‖cof F‖²
        let shear = (c[0] * 0.5).mul_add(
            d.f.norm_squared() - three,
            c[1] * 0.5 * (cofactor.norm_squared() - three),
        );
        let psi = (c[2] * 0.5)
            .mul_sub(log, c[0] + c[1] + c[1])
            .mul_add(log, shear);
        let infinite = splat(d.simd, f64::INFINITY);
        log.simd_lt(infinite).select(psi, infinite)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        // ∂(½II_C)/∂F = I_C F − F FᵀF
        let cofactor = d.f.cofactor();
        let j = d.f.0[0].dot(cofactor.0[0]);
        let log = log_or_infinity(d.simd, j);
        let second = c[2].mul_sub(log, c[0] + c[1] + c[1]) / j;
        let cubic = d.f.times(&d.f.transpose_times(&d.f));
        d.f.scaled(c[1].mul_add(d.f.norm_squared(), c[0]))
            .add_scaled(-c[1], &cubic)
            .add_scaled(second, &cofactor)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let s = d.svd.sigma;
        let j = s[0] * s[1] * s[2];
        let log = log_or_infinity(d.simd, j);
        let pressure = c[2].mul_sub(log, c[0] + c[1] + c[1]);
        let w = InvariantDerivatives {
            first: c[0],
            second: pressure / j,
            first_slope: splat(d.simd, 0.0),
            second_slope: (c[2] - pressure) / (j * j),
        };
        let mut tangent = invariant_tangent(d, &w);
        // ½μ₂ II_C: twist μ₂(σᵢ² + σⱼσₖ), flip μ₂(σᵢ² − σⱼσₖ), scaling μ₂(σⱼ² + σₖ²) and 2μ₂σᵢσⱼ
        let q = each!(i in 3 => s[i] * s[i]);
        let sum = q[0] + q[1] + q[2];
        for i in 0..3 {
            let product = s[(i + 1) % 3] * s[(i + 2) % 3];
            tangent.twist[i] = c[1].mul_add(q[i] + product, tangent.twist[i]);
            tangent.flip[i] = c[1].mul_add(q[i] - product, tangent.flip[i]);
            tangent.scaling[i] = c[1].mul_add(sum - q[i], tangent.scaling[i]);
            // pair opposite to axis i: xy for z, xz for y, yz for x
            tangent.scaling[5 - i] = (c[1] * 2.0).mul_add(product, tangent.scaling[5 - i]);
        }
        tangent
    }
}
