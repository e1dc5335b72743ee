//! Corotated linear elasticity: ψ = μ‖F − R‖² + ½ λ tr²(S − I), F = RS [MZS11].
//!
//! In singular values: ψ = μ Σ(σᵢ − 1)² + ½ λ (Σσᵢ − 3)². The frozen form has the same energy and stress but
//! leaves ∂R/∂F out of its tangent [PO09]: positive semidefinite by construction, not the Hessian of ψ.

use super::linear::linear_tangent;
use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

/// Exact tangent. Coefficients: μ, λ.
pub struct Corotated;

/// Frozen-rotation tangent. Coefficients: μ, λ.
pub struct CorotatedFrozen;

/// σᵢ − 1 and tr S − 3.
#[inline(always)]
fn stretches<S: Simd>(d: &Deformation<S>) -> ([Lanes<S>; 3], Lanes<S>) {
    let one = splat(d.simd, 1.0);
    let e = each!(i in 3 => d.svd.sigma[i] - one);
    (e, e[0] + e[1] + e[2])
}

impl Hyperelastic for Corotated {
    const STRESS_NEEDS_SVD: bool = true;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        [lame.mu, lame.lambda, 0.0]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let (e, trace) = stretches(d);
        let squares = e[0].mul_add(e[0], e[1].mul_add(e[1], e[2] * e[2]));
        c[0].mul_add(squares, c[1] * 0.5 * trace * trace)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let (e, trace) = stretches(d);
        let volumetric = c[1] * trace;
        let principal = each!(i in 3 => (c[0] + c[0]).mul_add(e[i], volumetric));
        d.svd.u.times_diagonal(&principal).times_transpose(&d.svd.v)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let mut tangent = linear_tangent(d.simd, d.svd.u, d.svd.v, c);
        // twist_i = 2μ + 2 (λ tr(S−I) − 2μ)/(σⱼ+σₖ); ∂R/∂F is singular where σⱼ+σₖ = 0
        let two_mu = c[0] + c[0];
        let (_, trace) = stretches(d);
        let factor = c[1].mul_sub(trace, two_mu) * 2.0;
        let s = &d.svd.sigma;
        let floor = splat(d.simd, 1e-8) * s[0].max(splat(d.simd, 1e-12));
        tangent.twist =
            each!(i in 3 => two_mu + factor / (s[(i + 1) % 3] + s[(i + 2) % 3]).max(floor));
        tangent
    }
}

impl CorotatedFrozen {
    /// ψ and P = Q σ for a given rotation Q, with σ = λ tr ε + 2µ ε and ε = sym(QᵀF) − 1 [DB19, Eqs. 3–6].
    #[inline(always)]
    pub(crate) fn at_rotation<S: Simd>(
        simd: S,
        f: &LaneMat3<S>,
        q: &LaneMat3<S>,
        c: &Coefficients<S>,
    ) -> (Lanes<S>, LaneMat3<S>) {
        let a = q.transpose_times(f);
        let one = splat(simd, 1.0);
        let mut strain = a;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            strain.0[i].0[i] = a.at(i, i) - one;
            let shear = (a.at(j, k) + a.at(k, j)) * 0.5;
            strain.0[j].0[k] = shear;
            strain.0[k].0[j] = shear;
        }
        let trace = strain.at(0, 0) + strain.at(1, 1) + strain.at(2, 2);
        let psi = c[0].mul_add(strain.norm_squared(), c[1] * 0.5 * trace * trace);
        let mut stress = strain.scaled(c[0] + c[0]);
        for i in 0..3 {
            stress.0[i].0[i] = c[1].mul_add(trace, stress.0[i].0[i]);
        }
        (psi, q.times(&stress))
    }
}

impl Hyperelastic for CorotatedFrozen {
    const STRESS_NEEDS_SVD: bool = true;

    fn coefficients(lame: Lame, shape: f64) -> [f64; 3] {
        Corotated::coefficients(lame, shape)
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        Corotated::energy_density(d, c)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        Corotated::first_piola(d, c)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        linear_tangent(d.simd, d.svd.u, d.svd.v, c)
    }
}
