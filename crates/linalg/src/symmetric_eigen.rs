//! Eigenvalues and eigenvectors of a dense symmetric matrix: Householder's tridiagonal form, then implicit QL steps with
//! Wilkinson's shift [GV13, §8.3]. For the few hundred to thousand rows of Gram matrices of snapshots; sequential and deterministic.

use crate::dense_products::dot;
use crate::reduce::add_scaled_chunk;
use crate::vectorize;
use fearless_simd::{Simd, SimdBase, SimdFloat, f64x8};

/// QL steps that one eigenvalue may take; two or three are usual.
const MOST_STEPS: usize = 60;

/// Steps after which what is small beside the whole matrix counts as small. Where eigenvalues fall over more decades than there are digits,
/// as those of snapshots of a run that starts at rest do, rounding keeps entries above what is small beside their neighbours.
const PATIENCE: usize = 30;

/// A = Σ λ_k v_k v_kᵀ.
#[derive(Clone, Debug)]
pub struct SymmetricEigen {
    /// λ, descending.
    pub values: Vec<f64>,
    /// v_k, unit length.
    pub vectors: Vec<Vec<f64>>,
}

/// Decomposes the matrix given row by row, of which the lower triangle is read. None when entries are not finite.
pub fn symmetric_eigen(matrix: &[f64], size: usize) -> Option<SymmetricEigen> {
    assert_eq!(matrix.len(), size * size, "a square matrix");
    if !matrix.iter().all(|a| a.is_finite()) {
        return None;
    }
    // a scale at which squares neither overflow nor vanish
    let scale = matrix.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let mut rows: Vec<Vec<f64>> = (matrix.chunks(size.max(1)).take(size))
        .map(|row| row.iter().map(|a| a / scale).collect())
        .collect();
    let (mut diagonal, mut beside) = tridiagonalize(&mut rows);
    iterate(&mut diagonal, &mut beside, &mut rows)?;

    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&a, &b| diagonal[b].total_cmp(&diagonal[a]));
    let mut rows: Vec<Option<Vec<f64>>> = rows.into_iter().map(Some).collect();
    Some(SymmetricEigen {
        values: order.iter().map(|&k| diagonal[k] * scale).collect(),
        vectors: order.iter().filter_map(|&k| rows[k].take()).collect(),
    })
}

/// A = Qᵀ T Q. Returns the diagonal of T and what is below it (entry k couples k and k + 1); `a` becomes Q, whose rows the QL steps
/// turn into eigenvectors.
fn tridiagonalize(a: &mut [Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let n = a.len();
    let (mut diagonal, mut beside) = (vec![0.0; n], vec![0.0; n.saturating_sub(1)]);
    // H = I − 2 u uᵀ/(uᵀu) for each column k; u has entries from k + 1
    let mut reflectors: Vec<Vec<f64>> = Vec::with_capacity(n.saturating_sub(2));
    let mut p = vec![0.0; n];
    for k in 0..n {
        diagonal[k] = a[k][k];
        if k + 1 >= n {
            break;
        }
        let mut u: Vec<f64> = (k + 1..n).map(|i| a[i][k]).collect();
        let norm = dot(&u, &u).sqrt();
        if k + 2 >= n || dot(&u[1..], &u[1..]) == 0.0 {
            beside[k] = u[0];
            reflectors.push(Vec::new());
            continue;
        }
        let alpha = if u[0] > 0.0 { -norm } else { norm };
        beside[k] = alpha;
        u[0] -= alpha;
        let length = dot(&u, &u).sqrt();
        u.iter_mut().for_each(|u| *u /= length);
        // B ← H B H = B − u wᵀ − w uᵀ, with p = 2 B u and w = p − (pᵀu) u; B is the block from k + 1, its lower triangle
        let block = &mut a[k + 1..];
        let p = &mut p[..u.len()];
        p.fill(0.0);
        for (i, row) in block.iter().enumerate() {
            let row = &row[k + 1..k + 2 + i];
            p[i] += 2.0 * dot(row, &u[..=i]);
            vectorize!(simd => add_scaled_chunk(simd, &mut p[..i], 2.0 * u[i], &row[..i]));
        }
        let share = dot(p, &u);
        for (p, u) in p.iter_mut().zip(&u) {
            *p -= share * u;
        }
        for (i, row) in block.iter_mut().enumerate() {
            let row = &mut row[k + 1..k + 2 + i];
            vectorize!(simd => {
                add_scaled_chunk(simd, row, -u[i], &p[..=i]);
                add_scaled_chunk(simd, row, -p[i], &u[..=i]);
            });
        }
        reflectors.push(u);
    }
    // Q = H_{n−3} … H_0, built from the last so that only the lower right blocks are touched: Q_k = Q_{k+1} H_k
    for (i, row) in a.iter_mut().enumerate() {
        row.fill(0.0);
        row[i] = 1.0;
    }
    for (k, u) in reflectors.iter().enumerate().rev() {
        if u.is_empty() {
            continue;
        }
        for row in &mut a[k + 1..] {
            let row = &mut row[k + 1..];
            let share = -2.0 * dot(row, u);
            vectorize!(simd => add_scaled_chunk(simd, row, share, u));
        }
    }
    (diagonal, beside)
}

/// Implicit QL steps until nothing is beside the diagonal; rotations act on pairs of rows of `vectors`.
fn iterate(d: &mut [f64], e: &mut [f64], vectors: &mut [Vec<f64>]) -> Option<()> {
    let n = d.len();
    let whole = (d.iter().chain(e.iter())).fold(0.0_f64, |m, a| m.max(a.abs()));
    for l in 0..n {
        for step in 0.. {
            // the first entry from l that is small beside its neighbours on the diagonal
            let least = if step < PATIENCE { 0.0 } else { whole };
            let size = |k: usize| (d[k].abs() + d[k + 1].abs()).max(least);
            let small = |k: usize| e[k].abs() <= f64::EPSILON * size(k);
            let m = (l..n - 1).find(|&k| small(k)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            if step == MOST_STEPS {
                return None;
            }
            // Wilkinson's shift: the eigenvalue of the leading 2×2 block that is nearer to d_l
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = g.hypot(1.0);
            let shift = d[l] - e[l] / (g + r.copysign(g));
            let mut g = d[m] - shift;
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut broken = false;
            for i in (l..m).rev() {
                let f = s * e[i];
                let b = c * e[i];
                let r = f.hypot(g);
                if i + 1 < m {
                    e[i + 1] = r;
                }
                if r == 0.0 {
                    // the matrix falls apart here
                    d[i + 1] -= p;
                    broken = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                let before = d[i + 1] - p;
                let t = (d[i] - before) * s + 2.0 * c * b;
                p = s * t;
                d[i + 1] = before + p;
                g = c * t - b;
                let (low, high) = vectors.split_at_mut(i + 1);
                vectorize!(simd => rotate(simd, &mut low[i], &mut high[0], c, s));
            }
            if m < n - 1 {
                e[m] = 0.0;
            }
            if !broken {
                d[l] -= p;
                e[l] = g;
            }
        }
    }
    Some(())
}

/// (a, b) ← (c a − s b, s a + c b).
#[inline(always)]
fn rotate<S: Simd>(simd: S, a: &mut [f64], b: &mut [f64], c: f64, s: f64) {
    let (cosine, sine) = (f64x8::splat(simd, c), f64x8::splat(simd, s));
    let (a_wide, a_rest) = a.as_chunks_mut::<8>();
    let (b_wide, b_rest) = b.as_chunks_mut::<8>();
    for (a, b) in a_wide.iter_mut().zip(b_wide) {
        let (u, v) = (
            f64x8::load_array_ref(simd, a),
            f64x8::load_array_ref(simd, b),
        );
        (u * cosine - v * sine).store_array(a);
        u.mul_add(sine, v * cosine).store_array(b);
    }
    for (a, b) in a_rest.iter_mut().zip(b_rest) {
        (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn check(matrix: &[f64], n: usize) -> SymmetricEigen {
        let eigen = symmetric_eigen(matrix, n).unwrap();
        let size = matrix.iter().fold(1e-300_f64, |m, a| m.max(a.abs()));
        assert!(eigen.values.windows(2).all(|w| w[0] >= w[1]));
        for (i, v) in eigen.vectors.iter().enumerate() {
            for r in 0..n {
                let av = dot(&matrix[r * n..(r + 1) * n], v);
                let error = (av - eigen.values[i] * v[r]).abs();
                assert!(error < 1e-13 * size * n as f64, "{n}: {error:e}");
            }
            for (j, w) in eigen.vectors.iter().enumerate() {
                let one = if i == j { 1.0 } else { 0.0 };
                assert!((dot(v, w) - one).abs() < 1e-13 * (n as f64).max(10.0));
            }
        }
        eigen
    }

    #[test]
    fn random_and_special_matrices() {
        let mut random = Random::new(8);
        for n in [0, 1, 2, 3, 10, 65, 120] {
            let mut matrix = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..=i {
                    matrix[i * n + j] = random.signed() * 1e3;
                    matrix[j * n + i] = matrix[i * n + j];
                }
            }
            let eigen = check(&matrix, n);
            let trace: f64 = (0..n).map(|i| matrix[i * n + i]).sum();
            assert!((trace - eigen.values.iter().sum::<f64>()).abs() < 1e-9);
            // multiple eigenvalues: a projection of rank n/2
            let eigen = symmetric_eigen(&matrix, n).unwrap();
            let mut projection = vec![0.0; n * n];
            for v in &eigen.vectors[..n / 2] {
                for i in 0..n {
                    for j in 0..n {
                        projection[i * n + j] += v[i] * v[j];
                    }
                }
            }
            let values = check(&projection, n).values;
            for (k, value) in values.iter().enumerate() {
                let exact = if k < n / 2 { 1.0 } else { 0.0 };
                assert!((value - exact).abs() < 1e-12);
            }
        }
        check(&[0.0; 49], 7);
        let identity: Vec<f64> = (0..49)
            .map(|k| if k % 8 == 0 { 1e-200 } else { 0.0 })
            .collect();
        check(&identity, 7);
        assert!(symmetric_eigen(&[1.0, f64::NAN, f64::NAN, 1.0], 2).is_none());
    }

    /// Gram matrices of snapshots that begin as rounding and grow to one, in few directions.
    #[test]
    fn matrices_that_fall_over_all_digits() {
        for seed in 0..8 {
            let mut random = Random::new(seed);
            let (n, rows, rank) = (120, 12, 3);
            let mut vector = |count: usize| (0..count).map(|_| random.signed()).collect();
            let modes: Vec<Vec<f64>> = (0..rank).map(|_| vector(rows)).collect();
            let shares: Vec<Vec<f64>> = (0..n).map(|_| vector(rank)).collect();
            let snapshot = |(k, shares): (usize, &Vec<f64>)| -> Vec<f64> {
                let size = 10f64.powf(-14.0 * (1.0 - k as f64 / n as f64));
                let entry = |row: usize| (0..rank).map(|j| shares[j] * modes[j][row]).sum::<f64>();
                (0..rows).map(|row| size * entry(row)).collect()
            };
            let snapshots: Vec<Vec<f64>> = shares.iter().enumerate().map(snapshot).collect();
            let products = snapshots
                .iter()
                .flat_map(|a| snapshots.iter().map(move |b| dot(a, b)));
            let matrix: Vec<f64> = products.collect();
            let values = check(&matrix, n).values;
            assert!(values[rank] < 1e-14 * values[0]);
        }
    }

    #[test]
    fn eigenvalues_of_a_chain_of_springs_are_known() {
        // 2 − 2 cos(kπ/(n+1))
        let n = 40;
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            matrix[i * n + i] = 2.0;
            if i > 0 {
                matrix[i * n + i - 1] = -1.0;
                matrix[(i - 1) * n + i] = -1.0;
            }
        }
        let eigen = check(&matrix, n);
        for (k, value) in eigen.values.iter().rev().enumerate() {
            let angle = (k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
            assert!((value - (2.0 - 2.0 * angle.cos())).abs() < 1e-13);
        }
    }
}
