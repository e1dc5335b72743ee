//! St. Venant–Kirchhoff: ψ = μ‖E‖² + ½ λ tr²E, E = ½(FᵀF − I).
//!
//! Loses stiffness under compression (below σ ≈ 0.58) and can invert; kept because much published work uses it.

use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

/// See the file header. Coefficients: μ, λ.
pub struct StVenantKirchhoff;

/// Green strain and its trace.
#[inline(always)]
fn green<S: Simd>(d: &Deformation<S>) -> (LaneMat3<S>, Lanes<S>) {
    let half = splat(d.simd, 0.5);
    let mut e = d.f.transpose_times(&d.f).scaled(half);
    for i in 0..3 {
        e.0[i].0[i] -= half;
    }
    let trace = e.at(0, 0) + e.at(1, 1) + e.at(2, 2);
    (e, trace)
}

impl Hyperelastic for StVenantKirchhoff {
    const STRESS_NEEDS_SVD: bool = false;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        [lame.mu, lame.lambda, 0.0]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let (e, trace) = green(d);
        c[0].mul_add(e.norm_squared(), c[1] * 0.5 * trace * trace)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let (e, trace) = green(d);
        let mut second_piola = e.scaled(c[0] + c[0]);
        for i in 0..3 {
            second_piola.0[i].0[i] = c[1].mul_add(trace, second_piola.0[i].0[i]);
        }
        d.f.times(&second_piola)
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        // METHODS 0.4: β = −μ + ½ λ (I_C − 3)
        let [mu, lambda, _] = *c;
        let s = d.svd.sigma;
        let q = each!(i in 3 => s[i] * s[i]);
        let beta = (lambda * 0.5).mul_sub(q[0] + q[1] + q[2] - splat(d.simd, 3.0), mu);
        let product = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
        let sum = q[0] + q[1] + q[2];
        let diagonal = each!(i in 3 => (mu * 3.0 + lambda).mul_add(q[i], beta));
        Tangent {
            u: d.svd.u,
            v: d.svd.v,
            scaling: [
                diagonal[0],
                diagonal[1],
                diagonal[2],
                lambda * product[2],
                lambda * product[1],
                lambda * product[0],
            ],
            twist: each!(i in 3 => mu.mul_add(sum - q[i] - product[i], beta)),
            flip: each!(i in 3 => mu.mul_add(sum - q[i] + product[i], beta)),
        }
    }
}
