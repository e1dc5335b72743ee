//! The rotation of a polar decomposition F = Q S, improved from a nearby rotation by plane rotations.
//!
//! Each plane rotation makes one pair of entries of A = QᵀF symmetric and maximises tr A in its plane, so tr A never
//! decreases and the limit is the polar rotation, a proper one also where det F < 0. Started from the rotation of the step
//! before, one or two sweeps are enough (METHODS 4.3; suggested in [DB19, Sec. 3.3]).

use crate::lanes::{LaneMat3, Lanes, splat};
use crate::svd::svd_lanes;
use fearless_simd::{Select, Simd, prelude::*};

/// A ← GᵀA and Q ← Q G with the rotation G of the plane (p, q) that makes A_pq = A_qp.
#[inline(always)]
fn rotate_plane<S: Simd>(
    simd: S,
    a: &mut LaneMat3<S>,
    rotation: &mut LaneMat3<S>,
    p: usize,
    q: usize,
) {
    let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
    let s = a.at(q, p) - a.at(p, q);
    let c = a.at(p, p) + a.at(q, q);
    let squared = c.mul_add(c, s * s);
    let defined = squared.simd_gt(splat(simd, f64::MIN_POSITIVE));
    let inverse = one / defined.select(squared, one).sqrt();
    let c = defined.select(c * inverse, one);
    let s = defined.select(s * inverse, zero);
    for column in &mut a.0 {
        let (row_p, row_q) = (column.0[p], column.0[q]);
        column.0[p] = c.mul_add(row_p, s * row_q);
        column.0[q] = c.mul_sub(row_q, s * row_p);
    }
    let (column_p, column_q) = (rotation.0[p], rotation.0[q]);
    rotation.0[p] = column_p.scaled(c).add_scaled(s, column_q);
    rotation.0[q] = column_q.scaled(c).add_scaled(-s, column_p);
}

/// One sweep over the three planes, then one Newton step towards an orthogonal matrix, which keeps rounding from piling up
/// over the steps of a run.
#[inline(always)]
pub fn polar_sweep<S: Simd>(simd: S, f: &LaneMat3<S>, rotation: &mut LaneMat3<S>) {
    let mut a = rotation.transpose_times(f);
    rotate_plane(simd, &mut a, rotation, 0, 1);
    rotate_plane(simd, &mut a, rotation, 0, 2);
    rotate_plane(simd, &mut a, rotation, 1, 2);
    // Q ← Q (3 − QᵀQ)/2
    let half = splat(simd, -0.5);
    let mut correction = rotation.transpose_times(rotation).scaled(half);
    for i in 0..3 {
        correction.0[i].0[i] += 1.5;
    }
    *rotation = rotation.times(&correction);
}

/// ‖A − Aᵀ‖/‖A‖ of A = QᵀF: zero for the polar rotation, about 1.6 times the angle to it at small strain.
#[inline(always)]
pub fn symmetry_error<S: Simd>(simd: S, f: &LaneMat3<S>, rotation: &LaneMat3<S>) -> Lanes<S> {
    let a = rotation.transpose_times(f);
    let (x, y, z) = (
        a.at(0, 1) - a.at(1, 0),
        a.at(0, 2) - a.at(2, 0),
        a.at(1, 2) - a.at(2, 1),
    );
    let skew = x.mul_add(x, y.mul_add(y, z * z)) * 2.0;
    let size = a.norm_squared().max(splat(simd, f64::MIN_POSITIVE));
    (skew / size).sqrt()
}

/// The polar rotation by singular values, to rounding.
#[inline(always)]
pub fn exact_rotation<S: Simd>(simd: S, f: &LaneMat3<S>) -> LaneMat3<S> {
    let svd = svd_lanes(simd, f);
    svd.u.times_transpose(&svd.v)
}

/// Improves a rotation by `sweeps` sweeps; lanes whose symmetry error stays above `tolerance` take the exact one.
#[inline(always)]
pub fn follow_rotation<S: Simd>(
    simd: S,
    f: &LaneMat3<S>,
    rotation: &mut LaneMat3<S>,
    sweeps: u32,
    tolerance: f64,
) {
    for _ in 0..sweeps {
        polar_sweep(simd, f, rotation);
    }
    let error = symmetry_error(simd, f, rotation);
    // false for a NaN too, which the exact rotation leaves to whoever checks the forces
    let good = error.simd_le(splat(simd, tolerance));
    if !good.all_true() {
        let exact = exact_rotation(simd, f);
        for (column, exact) in rotation.0.iter_mut().zip(exact.0) {
            for (entry, exact) in column.0.iter_mut().zip(exact.0) {
                *entry = good.select(*entry, exact);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use crate::{Mat3, Vec3, svd, vec3, vectorize};

    fn random_matrix(random: &mut Random, size: f64) -> Mat3 {
        let mut column = || vec3(random.signed(), random.signed(), random.signed()) * size;
        Mat3::from_columns(column(), column(), column())
    }

    fn sweep(f: &Mat3, q: &Mat3, sweeps: u32, tolerance: f64) -> Mat3 {
        vectorize!(cold simd => {
            let mut rotation = LaneMat3::splat(simd, q);
            follow_rotation(simd, &LaneMat3::splat(simd, f), &mut rotation, sweeps, tolerance);
            rotation.lane(3)
        })
    }

    fn orthogonality(q: &Mat3) -> f64 {
        (q.transpose() * *q - Mat3::IDENTITY).max_abs()
    }

    #[test]
    fn warm_sweeps_converge_as_fast_as_the_companion_says() {
        // METHODS 4.2: 0.1 rad away, worst ‖Q − R‖ after one and two sweeps at 10 % and 30 % strain
        for (strain, bounds) in [(0.1, [0.04, 3e-3]), (0.3, [0.15, 3e-2])] {
            let mut random = Random::new(7);
            let mut worst = [0.0_f64; 2];
            for _ in 0..2000 {
                let axis = vec3(random.signed(), random.signed(), random.signed());
                let start = Mat3::rotation(axis / axis.norm().max(1e-3), 3.0 * random.signed());
                let away = vec3(random.signed(), random.signed(), random.signed());
                let away = Mat3::rotation(away / away.norm().max(1e-3), 0.1);
                let f = start * away * (Mat3::IDENTITY + random_matrix(&mut random, strain));
                let (exact, _) = svd::polar(&f);
                for (k, worst) in worst.iter_mut().enumerate() {
                    let q = sweep(&f, &start, k as u32 + 1, f64::INFINITY);
                    assert!(orthogonality(&q) < 1e-14);
                    *worst = worst.max((q - exact).max_abs());
                }
            }
            assert!(worst[0] < bounds[0] && worst[1] < bounds[1], "{worst:?}");
            assert!(worst[1] > 1e-9, "two sweeps are not exact");
        }
    }

    #[test]
    fn many_sweeps_reach_the_polar_rotation_also_of_inverted_matrices() {
        let mut random = Random::new(3);
        for _ in 0..500 {
            let f = random_matrix(&mut random, 1.0);
            let singular = svd::svd(&f);
            if singular.sigma[1] + singular.sigma[2] < 0.3 {
                continue; // the rotation is not unique where σ1 + σ2 = 0, and convergence stalls nearby
            }
            let q = sweep(&f, &Mat3::IDENTITY, 200, f64::INFINITY);
            assert!((q - svd::polar(&f).0).max_abs() < 1e-8, "{f:?}");
            assert!((q.determinant() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_bad_start_falls_back_to_the_exact_rotation() {
        let f = Mat3::rotation(vec3(0.6, 0.8, 0.0), 2.5)
            * (Mat3::IDENTITY + random_matrix(&mut Random::new(1), 0.2));
        let exact = svd::polar(&f).0;
        let loose = sweep(&f, &Mat3::IDENTITY, 1, f64::INFINITY);
        assert!((loose - exact).max_abs() > 0.05);
        let safe = sweep(&f, &Mat3::IDENTITY, 1, 0.02);
        assert!((safe - exact).max_abs() < 1e-12);
        // flat and zero matrices have no polar rotation, but the result is one
        for f in [Mat3::ZERO, Mat3::outer(Vec3::AXES[0], Vec3::AXES[1])] {
            assert!(orthogonality(&sweep(&f, &Mat3::IDENTITY, 2, 0.02)) < 1e-12);
        }
    }
}
