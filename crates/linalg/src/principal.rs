//! Principal components of snapshots, not centred: the best basis for them that also holds zero.
//!
//! Columns are many fewer than rows, so the eigenvectors of the small Gram matrix YᵀY = V Σ² Vᵀ give U = Y V Σ⁻¹ (the method of
//! snapshots [SIR87]). Squaring loses singular values below about 1e-7 of the first; those are never kept. The division by small
//! ones loses orthogonality, which two Cholesky-QR passes restore.

use crate::dense_products::{combine, dot, gram};
use crate::reduce::add_scaled_chunk;
use crate::symmetric_eigen::symmetric_eigen;
use crate::vectorize;
use rayon::prelude::*;
use thiserror::Error;

/// Rows of a column that one thread works on.
const SLAB: usize = 4096;

/// How many components stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keep {
    /// The fewest whose squared singular values add up to this share of all; 0.99998 is usual (METHODS 2.3).
    Variance(f64),
    /// At most this many.
    Rank(usize),
}

impl Default for Keep {
    fn default() -> Self {
        Keep::Variance(0.99998)
    }
}

/// An orthonormal basis of snapshots: UᵀWU = I.
#[derive(Clone, Debug)]
pub struct PrincipalComponents {
    /// Columns of U, the most important first.
    pub columns: Vec<Vec<f64>>,
    /// All singular values, descending.
    pub singular_values: Vec<f64>,
    /// Share of Σσ² that U holds; one where there is nothing to hold.
    pub variance: f64,
}

/// Snapshots without principal components.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum PrincipalError {
    /// Columns or weights of different length.
    #[error("snapshot or weight list {index} has {found} rows where {expected} are needed")]
    Length {
        /// Which.
        index: usize,
        /// Its rows.
        found: usize,
        /// Rows of the first.
        expected: usize,
    },
    /// A number that is not one.
    #[error("snapshot {index} is not finite: leave it out")]
    NonFinite {
        /// Which.
        index: usize,
    },
    /// A weight that is no weight.
    #[error("weight {row} is {value}: weights must be positive and finite")]
    Weight {
        /// Its row.
        row: usize,
        /// The weight.
        value: f64,
    },
    /// An impossible share or number.
    #[error("a share of {0} of the variance cannot be kept: it must lie in (0, 1]")]
    Share(f64),
    /// Columns that depend on each other.
    #[error("column {index} depends on those before it, so that they have no orthonormal basis")]
    Dependent {
        /// Which.
        index: usize,
    },
}

/// U for snapshots given by columns, in the scalar product aᵀWb of positive `weights` (one a row; none: all one).
pub fn principal_components<C: AsRef<[f64]> + Sync>(
    snapshots: &[C],
    weights: Option<&[f64]>,
    keep: Keep,
) -> Result<PrincipalComponents, PrincipalError> {
    check(snapshots, weights)?;
    if let Keep::Variance(share) = keep
        && !(share > 0.0 && share <= 1.0)
    {
        return Err(PrincipalError::Share(share));
    }
    let n = snapshots.len();
    match weights {
        None => decompose(snapshots, n, keep),
        Some(weights) => {
            // in the coordinates W^½ y the scalar product is the usual one
            let roots: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
            let scaled: Vec<Vec<f64>> = (snapshots.par_iter())
                .map(|y| y.as_ref().iter().zip(&roots).map(|(y, r)| y * r).collect())
                .collect();
            let mut result = decompose(&scaled, n, keep)?;
            for column in &mut result.columns {
                column.iter_mut().zip(&roots).for_each(|(u, r)| *u /= r);
            }
            Ok(result)
        }
    }
}

fn check<C: AsRef<[f64]> + Sync>(
    snapshots: &[C],
    weights: Option<&[f64]>,
) -> Result<(), PrincipalError> {
    let expected = snapshots.first().map_or(0, |y| y.as_ref().len());
    let lists = snapshots.iter().map(AsRef::as_ref);
    for (index, list) in lists.chain(weights).enumerate() {
        if list.len() != expected && !snapshots.is_empty() {
            let found = list.len();
            return Err(PrincipalError::Length {
                index,
                found,
                expected,
            });
        }
    }
    let finite = |y: &C| y.as_ref().iter().all(|y| y.is_finite());
    if let Some(index) = snapshots.iter().position(|y| !finite(y)) {
        return Err(PrincipalError::NonFinite { index });
    }
    let good = |w: &f64| *w > 0.0 && w.is_finite();
    match weights.and_then(|w| Some((w, w.iter().position(|w| !good(w))?))) {
        Some((weights, row)) => Err(PrincipalError::Weight {
            row,
            value: weights[row],
        }),
        None => Ok(()),
    }
}

fn decompose<C: AsRef<[f64]> + Sync>(
    snapshots: &[C],
    n: usize,
    keep: Keep,
) -> Result<PrincipalComponents, PrincipalError> {
    let eigen = symmetric_eigen(&gram(snapshots), n);
    // finite snapshots have a Gram matrix that is not only where squares overflow
    let eigen = eigen.ok_or(PrincipalError::NonFinite { index: 0 })?;
    let first = eigen.values.first().map_or(0.0, |v| v.max(0.0));
    // below this an eigenvalue is made of rounding errors
    let floor = 16.0 * f64::EPSILON * n as f64 * first;
    let real = eigen.values.iter().take_while(|&&v| v > floor).count();
    let total: f64 = eigen.values.iter().map(|v| v.max(0.0)).sum();
    let mut sum = 0.0;
    let kept = match keep {
        Keep::Rank(rank) => rank.min(real),
        Keep::Variance(share) => (eigen.values[..real].iter())
            .position(|v| {
                sum += v;
                sum >= share * total
            })
            .map_or(real, |last| last + 1),
    };
    let coefficients: Vec<Vec<f64>> = (eigen.vectors[..kept].iter().zip(&eigen.values))
        .map(|(v, value)| v.iter().map(|v| v / value.sqrt()).collect())
        .collect();
    let mut columns = combine(snapshots, &coefficients);
    orthonormalize(&mut columns)?;
    let held: f64 = eigen.values[..kept].iter().sum();
    Ok(PrincipalComponents {
        columns,
        singular_values: eigen.values.iter().map(|v| v.max(0.0).sqrt()).collect(),
        variance: if total > 0.0 { held / total } else { 1.0 },
    })
}

/// Makes columns orthonormal, each in the span of those up to it: twice U ← U L⁻ᵀ with UᵀU = L Lᵀ, after scaling to length one.
pub fn orthonormalize(columns: &mut [Vec<f64>]) -> Result<(), PrincipalError> {
    for (index, column) in columns.iter_mut().enumerate() {
        let length = dot(column, column).sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return Err(PrincipalError::Dependent { index });
        }
        column.iter_mut().for_each(|u| *u /= length);
    }
    for _ in 0..2 {
        let factor = cholesky(gram(columns), columns.len())
            .map_err(|index| PrincipalError::Dependent { index })?;
        let n = columns.len();
        let rows = columns.first().map_or(0, Vec::len);
        // U_j ← (U_j − Σ_{i<j} L_ji U_i)/L_jj, slab by slab
        for j in 0..n {
            let (done, rest) = columns.split_at_mut(j);
            let column = &mut rest[0];
            let done = &*done;
            let slabs = column.par_chunks_mut(SLAB).enumerate();
            slabs.for_each(|(slab, part)| {
                let at = slab * SLAB;
                let end = rows.min(at + SLAB);
                for (i, u) in done.iter().enumerate() {
                    let l = -factor[j * n + i];
                    vectorize!(simd => add_scaled_chunk(simd, part, l, &u[at..end]));
                }
                part.iter_mut().for_each(|u| *u /= factor[j * n + j]);
            });
        }
    }
    Ok(())
}

/// L of G = L Lᵀ, row by row in place; the row whose pivot is not safely positive otherwise. The diagonal of G is one.
fn cholesky(mut g: Vec<f64>, n: usize) -> Result<Vec<f64>, usize> {
    for i in 0..n {
        for j in 0..=i {
            let (upper, lower) = g.split_at(i * n);
            let row = &lower[..n];
            let sum = if i == j {
                dot(&row[..j], &row[..j])
            } else {
                dot(&row[..j], &upper[j * n..j * n + j])
            };
            let value = g[i * n + j] - sum;
            g[i * n + j] = if i == j {
                if value.is_nan() || value < 1e-12 {
                    return Err(i);
                }
                value.sqrt()
            } else {
                value / g[j * n + j]
            };
        }
    }
    Ok(g)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn random_columns(rows: usize, count: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed);
        (0..count)
            .map(|_| (0..rows).map(|_| random.signed()).collect())
            .collect()
    }

    fn assert_orthonormal(columns: &[Vec<f64>], weights: Option<&[f64]>) {
        for (i, u) in columns.iter().enumerate() {
            for (j, v) in columns.iter().enumerate() {
                let product: f64 = (0..u.len())
                    .map(|k| u[k] * v[k] * weights.map_or(1.0, |w| w[k]))
                    .sum();
                let one = if i == j { 1.0 } else { 0.0 };
                assert!((product - one).abs() < 1e-13, "{i} {j}: {product}");
            }
        }
    }

    /// Largest relative distance of a snapshot from the span of U.
    fn distance(columns: &[Vec<f64>], snapshots: &[Vec<f64>]) -> f64 {
        let mut largest = 0.0_f64;
        for y in snapshots {
            let mut rest = y.clone();
            for u in columns {
                let share = dot(u, &rest);
                rest.iter_mut().zip(u).for_each(|(r, u)| *r -= share * u);
            }
            largest = largest.max((dot(&rest, &rest) / dot(y, y)).sqrt());
        }
        largest
    }

    #[test]
    fn known_singular_values_come_back() {
        // Y = Q diag(σ) Pᵀ with orthonormal Q and P; the values fall by three each, down to what squares can hold
        let (rows, n) = (3000, 12);
        let mut q = random_columns(rows, n, 1);
        orthonormalize(&mut q).unwrap();
        assert_orthonormal(&q, None);
        let mut p = random_columns(n, n, 2);
        orthonormalize(&mut p).unwrap();
        let sigma: Vec<f64> = (0..n).map(|k| 7.0 * 3.0_f64.powi(-(k as i32))).collect();
        let coefficients: Vec<Vec<f64>> = (0..n)
            .map(|column| (0..n).map(|k| sigma[k] * p[k][column]).collect())
            .collect();
        let snapshots = combine(&q, &coefficients);
        let all = principal_components(&snapshots, None, Keep::Rank(99)).unwrap();
        assert_eq!(all.columns.len(), n);
        for (found, exact) in all.singular_values.iter().zip(&sigma) {
            assert!((found / exact - 1.0).abs() < 1e-3, "{found} {exact}");
        }
        for (u, q) in all.columns.iter().zip(&q) {
            assert!((dot(u, q).abs() - 1.0).abs() < 1e-6);
        }
        assert_orthonormal(&all.columns, None);
        assert!(distance(&all.columns, &snapshots) < 1e-9);

        // Σσ² of k values holds 1 − 9⁻ᵏ of all
        for (share, count) in [(0.8, 1), (0.89, 2), (0.99998, 5), (1.0, 12)] {
            let some = principal_components(&snapshots, None, Keep::Variance(share)).unwrap();
            assert_eq!(some.columns.len(), count, "{share}");
            assert!(some.variance >= share * (1.0 - 1e-12));
        }
        let three = principal_components(&snapshots, None, Keep::Rank(3)).unwrap();
        assert_eq!(three.columns.len(), 3);
        assert!((three.variance - (1.0 - 9.0_f64.powi(-3))).abs() < 1e-9);
    }

    #[test]
    fn dependent_and_zero_snapshots_add_nothing() {
        let mut snapshots = random_columns(500, 4, 3);
        let sum = (0..500)
            .map(|k| snapshots[0][k] - 2.0 * snapshots[3][k])
            .collect();
        snapshots.extend([sum, vec![0.0; 500], snapshots[1].clone()]);
        let found = principal_components(&snapshots, None, Keep::Variance(1.0)).unwrap();
        assert_eq!(found.columns.len(), 4);
        assert_orthonormal(&found.columns, None);
        let nothing = principal_components(&[vec![0.0; 9]], None, Keep::default()).unwrap();
        assert!(nothing.columns.is_empty() && nothing.variance == 1.0);
        let none: [Vec<f64>; 0] = [];
        assert!(
            principal_components(&none, None, Keep::default())
                .unwrap()
                .columns
                .is_empty()
        );
    }

    #[test]
    fn weights_change_the_scalar_product() {
        let snapshots = random_columns(300, 5, 4);
        let weights: Vec<f64> = (0..300).map(|k| 0.1 + (k % 7) as f64).collect();
        let found = principal_components(&snapshots, Some(&weights), Keep::Rank(9)).unwrap();
        assert_eq!(found.columns.len(), 5);
        assert_orthonormal(&found.columns, Some(&weights));
        let scaled: Vec<Vec<f64>> = (snapshots.iter())
            .map(|y| y.iter().zip(&weights).map(|(y, w)| y * w.sqrt()).collect())
            .collect();
        let other = principal_components(&scaled, None, Keep::Rank(9)).unwrap();
        assert_eq!(other.singular_values, found.singular_values);
    }

    #[test]
    fn bits_do_not_depend_on_the_thread_count() {
        let snapshots = random_columns(9001, 21, 5);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                principal_components(&snapshots, None, Keep::Rank(13))
                    .unwrap()
                    .columns
            })
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn wrong_input_is_refused() {
        let pair = [vec![1.0, 2.0], vec![1.0]];
        let refused = |e: Result<PrincipalComponents, PrincipalError>| e.unwrap_err().to_string();
        assert!(refused(principal_components(&pair, None, Keep::Rank(1))).contains("1 rows"));
        let one = [vec![1.0, 2.0]];
        let negative = principal_components(&one, Some(&[1.0, -1.0]), Keep::Rank(1));
        assert!(refused(negative).contains("weight 1"));
        assert!(refused(principal_components(&one, None, Keep::Variance(1.5))).contains("1.5"));
        let bad = [vec![f64::NAN, 2.0]];
        assert!(refused(principal_components(&bad, None, Keep::Rank(1))).contains("snapshot 0"));
        let mut same = vec![vec![1.0, 2.0], vec![2.0, 4.0]];
        assert_eq!(
            orthonormalize(&mut same),
            Err(PrincipalError::Dependent { index: 1 })
        );
    }
}
