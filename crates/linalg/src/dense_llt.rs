//! Dense Cholesky factorisation of one symmetric matrix, with the kernel of the fronts.

use crate::front::{eliminate, scratch_size};
use crate::vectorize;
use fearless_simd::Simd;

/// A = L Lᵀ; the memory is kept between factorisations.
#[derive(Clone, Debug, Default)]
pub struct DenseLlt {
    size: usize,
    /// By columns; what lies above the diagonal is unspecified.
    factor: Vec<f64>,
    scratch: Vec<f64>,
}

impl DenseLlt {
    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Factorises the matrix that `fill(column, entries)` gives, entries of a column from the diagonal down. False when
    /// it is not positive definite; then nothing can be solved.
    pub fn factor(&mut self, size: usize, mut fill: impl FnMut(usize, &mut [f64])) -> bool {
        self.size = size;
        self.factor.clear();
        self.factor.resize(size * size, 0.0);
        for (column, entries) in self.factor.chunks_exact_mut(size.max(1)).enumerate() {
            fill(column, &mut entries[column..]);
        }
        self.scratch.resize(scratch_size(size, size), 0.0);
        let good = eliminate(&mut self.factor, size, size, &mut [], &mut self.scratch).is_ok();
        if !good {
            self.size = 0;
        }
        good
    }

    /// x ← A⁻¹ x; `x` must have `size` entries.
    pub fn solve(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.size, "one entry for each row");
        vectorize!(simd => self.substitute(simd, x));
    }

    #[inline(always)]
    fn substitute<S: Simd>(&self, _simd: S, x: &mut [f64]) {
        let columns = self.factor.chunks_exact(self.size.max(1));
        for (k, column) in columns.clone().enumerate() {
            let (done, rest) = x.split_at_mut(k + 1);
            let value = done[k] / column[k];
            done[k] = value;
            for (x, l) in rest.iter_mut().zip(&column[k + 1..]) {
                *x -= value * l;
            }
        }
        for (k, column) in columns.enumerate().rev() {
            // four sums, so that the compiler may use vectors
            let (done, rest) = x.split_at_mut(k + 1);
            let (fours, tail) = column[k + 1..].as_chunks::<8>();
            let (x_fours, x_tail) = rest.as_chunks::<8>();
            let mut sums = [0.0; 8];
            for (l, x) in fours.iter().zip(x_fours) {
                for lane in 0..8 {
                    sums[lane] += l[lane] * x[lane];
                }
            }
            let mut sum: f64 = tail.iter().zip(x_tail).map(|(l, x)| l * x).sum();
            for part in sums {
                sum += part;
            }
            done[k] = (done[k] - sum) / column[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn random_matrices_are_solved() {
        let mut random = Random::new(17);
        let mut llt = DenseLlt::default();
        for size in [0, 1, 2, 7, 24, 65, 150, 301] {
            let mut matrix = vec![0.0; size * size];
            for i in 0..size {
                for j in 0..=i {
                    let entry =
                        random.signed() + if i == j { 0.7 * size as f64 + 1.0 } else { 0.0 };
                    matrix[i * size + j] = entry;
                    matrix[j * size + i] = entry;
                }
            }
            let exact: Vec<f64> = (0..size).map(|_| random.signed()).collect();
            let mut x: Vec<f64> = (matrix.chunks(size.max(1)))
                .map(|row| row.iter().zip(&exact).map(|(a, x)| a * x).sum())
                .collect();
            assert!(llt.factor(size, |column, entries| {
                entries.copy_from_slice(&matrix[column * size + column..(column + 1) * size]);
            }));
            llt.solve(&mut x);
            let error = x
                .iter()
                .zip(&exact)
                .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-12, "{size}: {error:e}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut llt = DenseLlt::default();
        let matrix = [1.0, 2.0, 2.0, 1.0];
        assert!(!llt.factor(2, |c, entries| {
            entries.copy_from_slice(&matrix[2 * c + c..2 * c + 2])
        }));
        assert_eq!(llt.size(), 0);
    }
}
