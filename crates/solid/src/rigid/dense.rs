//! Cholesky factor of a small dense matrix, stored by rows.

/// A = L Lᵀ. A matrix that is not positive definite gives NaN, which the caller's finiteness check finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factorises the `size`×`size` matrix `a`, of which the lower triangle is read.
    pub fn factor(&mut self, a: &[f64], size: usize) {
        self.size = size;
        self.lower.clear();
        self.lower.extend_from_slice(a);
        let l = &mut self.lower;
        for r in 0..size {
            for c in 0..=r {
                let dot: f64 = (0..c).map(|k| l[r * size + k] * l[c * size + k]).sum();
                let rest = l[r * size + c] - dot;
                l[r * size + c] = if r == c {
                    rest.sqrt()
                } else {
                    rest / l[c * size + c]
                };
            }
        }
    }

    /// x ← A⁻¹ x for the first entries of `x`; what follows them is left alone.
    pub fn solve(&self, x: &mut [f64]) {
        let (n, l) = (self.size, &self.lower);
        for r in 0..n {
            let dot: f64 = (0..r).map(|k| l[r * n + k] * x[k]).sum();
            x[r] = (x[r] - dot) / l[r * n + r];
        }
        for r in (0..n).rev() {
            let dot: f64 = (r + 1..n).map(|k| l[k * n + r] * x[k]).sum();
            x[r] = (x[r] - dot) / l[r * n + r];
        }
    }
}

/// y = A x for a square matrix stored by rows.
pub(super) fn product(a: &[f64], x: &[f64], y: &mut Vec<f64>) {
    y.clear();
    y.extend(a.chunks_exact(x.len().max(1)).map(|row| dot(row, x)));
}

/// Scalar product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
