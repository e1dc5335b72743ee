//! Rotation-variant singular values and polar decomposition of 3×3 matrices, and symmetric eigenvalues.
//!
//! F = U Σ Vᵀ with det U = det V = +1 and σ0 ≥ σ1 ≥ |σ2| (to rounding): a reflection shows as a negative σ2 (METHODS 0.3).
//! One-sided Jacobi rotations act on the columns of F itself, never on FᵀF, so small singular values keep their
//! full relative precision. The kernels work on eight matrices at once; the scalar functions use one lane.

use crate::lanes::{LaneMat3, LaneVec3, Lanes, splat};
use crate::{Mat3, each, vectorize};
use fearless_simd::{Select, Simd, prelude::*};

/// Sweeps after which the iterations stop in any case; five suffice for every matrix we have met.
const MAX_SWEEPS: usize = 12;

/// F = U diag(σ) Vᵀ in each lane.
#[derive(Clone, Copy)]
pub struct LaneSvd<S: Simd> {
    /// Left rotation.
    pub u: LaneMat3<S>,
    /// Singular values, σ0 ≥ σ1 ≥ |σ2|; only σ2 may be negative.
    pub sigma: [Lanes<S>; 3],
    /// Right rotation.
    pub v: LaneMat3<S>,
}

/// Cosine and sine of the angle that makes two columns orthogonal, from their squared lengths and product.
/// Written without a quotient of small numbers; equal columns and zero columns give a finite answer.
#[inline(always)]
fn jacobi_rotation<S: Simd>(
    simd: S,
    alpha: Lanes<S>,
    beta: Lanes<S>,
    gamma: Lanes<S>,
) -> (Lanes<S>, Lanes<S>) {
    let zero = splat(simd, 0.0);
    let delta = beta - alpha;
    let two_gamma = gamma + gamma;
    let root = delta.mul_add(delta, two_gamma * two_gamma).sqrt();
    let denominator = delta.abs() + root;
    let t = (two_gamma / denominator).copysign(delta * two_gamma);
    let t = denominator.simd_gt(zero).select(t, zero);
    let c = splat(simd, 1.0) / t.mul_add(t, splat(simd, 1.0)).sqrt();
    (c, c * t)
}

/// Columns (p, q) ← (c p − s q, s p + c q).
#[inline(always)]
fn rotate_columns<S: Simd>(m: &mut LaneMat3<S>, p: usize, q: usize, c: Lanes<S>, s: Lanes<S>) {
    let (a, b) = (m.0[p], m.0[q]);
    m.0[p] = a.scaled(c).add_scaled(-s, b);
    m.0[q] = a.scaled(s).add_scaled(c, b);
}

/// Where `swap`, exchanges columns p and q of `m` and negates one, so that det m is kept.
#[inline(always)]
fn swap_columns<S: Simd>(
    m: &mut LaneMat3<S>,
    p: usize,
    q: usize,
    swap: fearless_simd::mask64x8<S>,
) {
    for r in 0..3 {
        let (a, b) = (m.0[p].0[r], m.0[q].0[r]);
        m.0[p].0[r] = swap.select(b, a);
        m.0[q].0[r] = swap.select(-a, b);
    }
}

/// `a` over its length, or `fallback` where the length is zero.
#[inline(always)]
fn unit_or<S: Simd>(simd: S, a: LaneVec3<S>, fallback: LaneVec3<S>) -> LaneVec3<S> {
    let n2 = a.dot(a);
    let good = n2.simd_gt(splat(simd, 1e-280));
    let inverse = splat(simd, 1.0) / good.select(n2, splat(simd, 1.0)).sqrt();
    LaneVec3(each!(i in 3 => good.select(a.0[i] * inverse, fallback.0[i])))
}

/// A unit vector orthogonal to the unit vector `a`.
#[inline(always)]
fn orthogonal<S: Simd>(simd: S, a: LaneVec3<S>) -> LaneVec3<S> {
    // cross with the axis of a's smallest component: never nearly parallel
    let [x, y, z] = each!(i in 3 => a.0[i].abs());
    let (one, zero) = (splat(simd, 1.0), splat(simd, 0.0));
    let x_least = x.simd_le(y) & x.simd_le(z);
    let y_least = y.simd_le(z);
    let ex = x_least.select(one, zero);
    let ey = x_least.select(zero, y_least.select(one, zero));
    let ez = one - ex - ey;
    let n = a.cross(LaneVec3([ex, ey, ez]));
    n.scaled(one / n.dot(n).sqrt())
}

/// The decomposition of eight matrices.
#[inline(always)]
pub fn svd_lanes<S: Simd>(simd: S, f: &LaneMat3<S>) -> LaneSvd<S> {
    let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
    // scale to unit size: squares neither overflow nor vanish
    let mut size = zero;
    for c in f.0 {
        size = size.max(c.0[0].abs()).max(c.0[1].abs()).max(c.0[2].abs());
    }
    let size = size.simd_gt(zero).select(size, one);
    let mut b = f.scaled(one / size);
    let mut v = LaneMat3::identity(simd);

    for _ in 0..MAX_SWEEPS {
        let mut settled = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (alpha, beta) = (b.0[p].dot(b.0[p]), b.0[q].dot(b.0[q]));
            let gamma = b.0[p].dot(b.0[q]);
            // columns orthogonal to rounding: cos² of their angle at most (2e-16)²
            let large = (gamma * gamma).simd_gt(alpha * beta * 4e-32);
            if large.any_true() {
                settled = false;
                let (c, s) = jacobi_rotation(simd, alpha, beta, large.select(gamma, zero));
                rotate_columns(&mut b, p, q, c, s);
                rotate_columns(&mut v, p, q, c, s);
            }
        }
        if settled {
            break;
        }
    }

    // longest column first
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        let shorter = b.0[p].dot(b.0[p]).simd_lt(b.0[q].dot(b.0[q]));
        swap_columns(&mut b, p, q, shorter);
        swap_columns(&mut v, p, q, shorter);
    }

    // flat directions (σ1 or σ2 zero) take any completion of the frame; u2 = u0 × u1 gives σ2 the sign of det F
    let u0 = unit_or(simd, b.0[0], LaneVec3::splat(simd, crate::Vec3::AXES[0]));
    let b1 = b.0[1].add_scaled(-u0.dot(b.0[1]), u0);
    let u1 = unit_or(simd, b1, orthogonal(simd, u0));
    let u2 = u0.cross(u1);
    let sigma = [
        u0.dot(b.0[0]) * size,
        u1.dot(b.0[1]) * size,
        u2.dot(b.0[2]) * size,
    ];
    LaneSvd {
        u: LaneMat3([u0, u1, u2]),
        sigma,
        v,
    }
}

/// Symmetric 3×3 matrix in each lane: xx, yy, zz, xy, xz, yz.
pub type LaneSymmetric<S> = [Lanes<S>; 6];

/// The nearest positive semidefinite matrix: negative eigenvalues become zero (two-sided Jacobi).
/// Lanes that are already positive definite come back unchanged, and a pack of such lanes costs only the test.
#[inline(always)]
pub fn clamp_symmetric<S: Simd>(simd: S, m: LaneSymmetric<S>) -> LaneSymmetric<S> {
    let zero = splat(simd, 0.0);
    let [xx, yy, zz, xy, xz, yz] = m;
    // Sylvester's criterion, with a margin for the rounding of the minors
    let minor2 = xx.mul_sub(yy, xy * xy);
    let determinant =
        xx * yy.mul_sub(zz, yz * yz) - xy * xy.mul_sub(zz, yz * xz) + xz * xy.mul_sub(yz, yy * xz);
    let scale = xx.abs() + yy.abs() + zz.abs();
    let definite = xx.simd_gt(scale * 1e-14)
        & minor2.simd_gt(scale * scale * 1e-14)
        & determinant.simd_gt(scale * scale * scale * 1e-14);
    if definite.all_true() {
        return m;
    }

    let column = |a, b, c| LaneVec3([a, b, c]);
    let mut a = LaneMat3([column(xx, xy, xz), column(xy, yy, yz), column(xz, yz, zz)]);
    let mut q = LaneMat3::identity(simd);
    for _ in 0..MAX_SWEEPS {
        let off = a.at(0, 1).abs() + a.at(0, 2).abs() + a.at(1, 2).abs();
        if off.simd_le(scale * 1e-16).all_true() {
            break;
        }
        for (p, r) in [(0, 1), (0, 2), (1, 2)] {
            let (c, s) = jacobi_rotation(simd, a.at(p, p), a.at(r, r), a.at(p, r));
            // A ← GᵀAG by columns, then by rows through the transpose (A is symmetric)
            rotate_columns(&mut a, p, r, c, s);
            a = a.transpose();
            rotate_columns(&mut a, p, r, c, s);
            rotate_columns(&mut q, p, r, c, s);
        }
    }
    let kept = each!(i in 3 => a.at(i, i).max(zero));
    let clamped = q.times_diagonal(&kept).times_transpose(&q);
    let clamped = [
        clamped.at(0, 0),
        clamped.at(1, 1),
        clamped.at(2, 2),
        clamped.at(0, 1),
        clamped.at(0, 2),
        clamped.at(1, 2),
    ];
    each!(i in 6 => definite.select(m[i], clamped[i]))
}

/// F = U diag(σ) Vᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Svd {
    /// Left rotation.
    pub u: Mat3,
    /// Singular values, σ0 ≥ σ1 ≥ |σ2|; only σ2 may be negative.
    pub sigma: [f64; 3],
    /// Right rotation.
    pub v: Mat3,
}

/// Rotation-variant singular value decomposition of one matrix.
pub fn svd(f: &Mat3) -> Svd {
    #[inline(always)]
    fn one_lane<S: Simd>(simd: S, f: &Mat3) -> Svd {
        let d = svd_lanes(simd, &LaneMat3::splat(simd, f));
        Svd {
            u: d.u.lane(0),
            sigma: d.sigma.map(|s| s[0]),
            v: d.v.lane(0),
        }
    }
    vectorize!(cold simd => one_lane(simd, f))
}

/// F = R S: the rotation nearest to F (det R = +1, also when F is inverted) and the symmetric stretch.
pub fn polar(f: &Mat3) -> (Mat3, Mat3) {
    let Svd { u, sigma, v } = svd(f);
    let stretch = v * Mat3::diagonal(sigma.into()) * v.transpose();
    (u * v.transpose(), stretch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Vec3, vec3};
    use proptest::prelude::*;

    fn check(f: &Mat3) {
        let Svd { u, sigma, v } = svd(f);
        let size = f.max_abs().max(f64::MIN_POSITIVE);
        let back = u * Mat3::diagonal(sigma.into()) * v.transpose();
        assert!(
            (back - *f).max_abs() <= 1e-13 * size,
            "reconstruction of {f:?}"
        );
        for r in [u, v] {
            assert!(
                (r.transpose() * r - Mat3::IDENTITY).max_abs() < 1e-13,
                "{r:?} for {f:?}"
            );
            assert!((r.determinant() - 1.0).abs() < 1e-13);
        }
        assert!(
            sigma[0] >= sigma[1] - 4e-15 * size && sigma[1] >= sigma[2].abs() - 4e-15 * size,
            "{sigma:?}"
        );
        let (rotation, stretch) = polar(f);
        assert!((rotation * stretch - *f).max_abs() <= 1e-12 * size);
        assert!((stretch - stretch.transpose()).max_abs() <= 1e-13 * size);
    }

    #[test]
    fn special_matrices() {
        let r = Mat3::rotation(vec3(1.0, 2.0, 3.0).normalized().unwrap(), 2.5);
        let q = Mat3::rotation(vec3(-1.0, 0.5, 0.2).normalized().unwrap(), -1.1);
        let values = [
            vec3(1.0, 1.0, 1.0),
            vec3(2.0, 2.0, 1.0),
            vec3(2.0, 1.0, 1.0),
            vec3(1.0, 1.0, -1.0),
            vec3(1.0, 0.5, -1e-9),
            vec3(1.0, 1e-9, 1e-9),
            vec3(1.0, 1.0 + 1e-15, 1.0 - 1e-12),
            vec3(1.0, 1.0, 0.0),
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 0.0, 0.0),
            vec3(1e8, 1.0, 1e-8),
            vec3(3.0, 2.0, 1e-300),
        ];
        for d in values {
            for scale in [1.0, 1e-150, 1e150] {
                check(&(r * Mat3::diagonal(d) * q * scale));
                check(&(Mat3::diagonal(d) * scale));
            }
        }
        check(&Mat3::outer(vec3(1.0, 2.0, 3.0), vec3(3.0, -1.0, 0.0)));
    }

    #[test]
    fn small_singular_values_keep_relative_precision() {
        // graded columns: an eigen-decomposition of FᵀF would lose the last value entirely
        let r = Mat3::rotation(vec3(0.3, -0.5, 0.8).normalized().unwrap(), 0.7);
        let f = r * Mat3::diagonal(vec3(1.0, 1e-6, 1e-12));
        let s = svd(&f).sigma;
        for (value, expected) in s.iter().zip([1.0, 1e-6, 1e-12]) {
            assert!((value / expected - 1.0).abs() < 1e-12, "{s:?}");
        }
    }

    #[test]
    fn reflection_goes_to_the_smallest_value() {
        let f = Mat3::diagonal(vec3(-3.0, 2.0, 1.0));
        assert_eq!(svd(&f).sigma, [3.0, 2.0, -1.0]);
        let identity = svd(&Mat3::IDENTITY);
        assert_eq!((identity.u, identity.v), (Mat3::IDENTITY, Mat3::IDENTITY));
    }

    proptest! {
        #[test]
        fn random_matrices(a in proptest::array::uniform9(-2.0..2.0f64), flat in 0..4usize) {
            let mut f = Mat3::from_columns(
                Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]), Vec3::new(a[6], a[7], a[8]));
            match flat {
                1 => f.columns[2] = f.columns[0] * 0.3 + f.columns[1], // rank two
                2 => f.columns[1] = f.columns[0] * -2.0,
                _ => {}
            }
            check(&f);
        }

        #[test]
        fn clamp_leaves_only_nonnegative_values(a in proptest::array::uniform6(-1.0..1.0f64)) {
            let [xx, yy, zz, xy, xz, yz] = a;
            let m = Mat3::from_rows([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            #[inline(always)]
            fn run<S: Simd>(simd: S, a: [f64; 6]) -> [f64; 6] {
                clamp_symmetric(simd, a.map(|v| splat(simd, v))).map(|v| v[0])
            }
            let [xx, yy, zz, xy, xz, yz] = vectorize!(simd => run(simd, a));
            let c = Mat3::from_rows([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            // c ⪰ 0, c − m ⪰ 0 and (c − m) c = 0: c is the positive part of m, and the only one
            let rest = c - m;
            prop_assert!((rest * c).max_abs() < 1e-13);
            for k in [c, rest] {
                let d = svd(&k);
                let eigenvalues = d.u.transpose() * k * d.u;
                for i in 0..3 { prop_assert!(eigenvalues.at(i, i) > -1e-13); }
            }
        }
    }
}
