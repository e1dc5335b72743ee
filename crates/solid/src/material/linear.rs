//! Small-strain linear elasticity: ψ = μ ε:ε + ½ λ tr²ε, ε = sym F − I.
//!
//! Cheap and exact for small rotations only: a rotated body stores energy. Kept as a reference.

use super::{Coefficients, Deformation, Hyperelastic, Lame, Tangent};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

/// See the file header. Coefficients: μ, λ.
pub struct Linear;

/// ε = sym F − I and its trace.
#[inline(always)]
fn strain<S: Simd>(d: &Deformation<S>) -> (LaneMat3<S>, Lanes<S>) {
    let one = splat(d.simd, 1.0);
    let half = splat(d.simd, 0.5);
    let mut e = d.f.scaled(half).add_scaled(half, &d.f.transpose());
    for i in 0..3 {
        e.0[i].0[i] -= one;
    }
    let trace = e.at(0, 0) + e.at(1, 1) + e.at(2, 2);
    (e, trace)
}

/// The tangent of isotropic linear elasticity in any orthonormal frame (u, v): no stiffness against twist.
#[inline(always)]
pub(super) fn linear_tangent<S: Simd>(
    simd: S,
    u: LaneMat3<S>,
    v: LaneMat3<S>,
    c: &Coefficients<S>,
) -> Tangent<S> {
    let [mu, lambda, _] = *c;
    let two_mu = mu + mu;
    let diagonal = two_mu + lambda;
    Tangent {
        u,
        v,
        scaling: [diagonal, diagonal, diagonal, lambda, lambda, lambda],
        twist: [splat(simd, 0.0); 3],
        flip: [two_mu; 3],
    }
}

impl Hyperelastic for Linear {
    const STRESS_NEEDS_SVD: bool = false;

    fn coefficients(lame: Lame, _shape: f64) -> [f64; 3] {
        [lame.mu, lame.lambda, 0.0]
    }

    #[inline(always)]
    fn energy_density<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Lanes<S> {
        let (e, trace) = strain(d);
        c[0].mul_add(e.norm_squared(), c[1] * 0.5 * trace * trace)
    }

    #[inline(always)]
    fn first_piola<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> LaneMat3<S> {
        let (e, trace) = strain(d);
        let mut p = e.scaled(c[0] + c[0]);
        for i in 0..3 {
            p.0[i].0[i] = c[1].mul_add(trace, p.0[i].0[i]);
        }
        p
    }

    #[inline(always)]
    fn tangent<S: Simd>(d: &Deformation<S>, c: &Coefficients<S>) -> Tangent<S> {
        let identity = LaneMat3::identity(d.simd);
        linear_tangent(d.simd, identity, identity, c)
    }
}
