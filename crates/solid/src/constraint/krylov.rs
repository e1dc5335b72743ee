//! GMRES [SS86] for small unsymmetric systems that are given as products.

/// Buffers, and the combination of the basis that an iteration found.
#[derive(Clone, Debug, Default)]
pub(super) struct Gmres {
    /// Orthonormal basis of the residuals.
    pub(super) basis: Vec<Vec<f64>>,
    /// Parts of the basis in the solution.
    pub(super) parts: Vec<f64>,
    /// Columns of the triangular factor of the Hessenberg matrix.
    triangle: Vec<Vec<f64>>,
    rotations: Vec<[f64; 2]>,
    residual: Vec<f64>,
}

impl Gmres {
    /// Finds `parts` such that the products of the basis with them are the right-hand side but for `forcing` of its norm.
    /// `multiply(k, v, y)` sets y to the product with v, vector k of the basis. The number of products, at most `most`.
    pub(super) fn solve(
        &mut self,
        rhs: &[f64],
        forcing: f64,
        most: usize,
        mut multiply: impl FnMut(usize, &[f64], &mut [f64]),
    ) -> usize {
        self.rotations.clear();
        self.parts.clear();
        self.residual.clear();
        self.residual.extend_from_slice(rhs);
        let norm = dot(rhs, rhs).sqrt();
        if norm == 0.0 || !norm.is_finite() {
            return 0;
        }
        self.parts.push(norm);
        let mut rest = norm;
        let mut products = 0;
        while products < most {
            let k = products;
            if self.basis.len() == k {
                self.basis.push(Vec::new());
                self.triangle.push(Vec::new());
            }
            let next = &mut self.basis[k];
            next.clear();
            next.extend(self.residual.iter().map(|r| r / rest));
            multiply(k, next, &mut self.residual);
            products += 1;
            let column = &mut self.triangle[k];
            column.clear();
            column.resize(k + 1, 0.0);
            // twice: once loses orthogonality when the new vector is almost in the space of the others
            for _ in 0..2 {
                for (basis, entry) in self.basis[..=k].iter().zip(column.iter_mut()) {
                    let part = dot(basis, &self.residual);
                    *entry += part;
                    for (r, b) in self.residual.iter_mut().zip(basis) {
                        *r -= part * b;
                    }
                }
            }
            rest = dot(&self.residual, &self.residual).sqrt();
            for (j, &[c, s]) in self.rotations.iter().enumerate() {
                let (a, b) = (column[j], column[j + 1]);
                column[j] = c * a + s * b;
                column[j + 1] = c * b - s * a;
            }
            let length = column[k].hypot(rest);
            if !(length > 1e-14 && length.is_finite()) {
                // nothing new: the best of what there is stays
                break;
            }
            let (c, s) = (column[k] / length, rest / length);
            column[k] = length;
            self.rotations.push([c, s]);
            let last = self.parts[k];
            self.parts[k] = c * last;
            self.parts.push(-s * last);
            if (s * last).abs() <= forcing * norm || rest <= 1e-14 * length {
                break;
            }
        }
        let used = self.rotations.len();
        self.parts.truncate(used);
        for k in (0..used).rev() {
            let mut sum = self.parts[k];
            for j in k + 1..used {
                sum -= self.triangle[j][k] * self.parts[j];
            }
            self.parts[k] = sum / self.triangle[k][k];
        }
        products
    }
}

/// Sum of the products of the entries, in eight parts that vectors can hold.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_parts, a_rest) = a.as_chunks::<8>();
    let (b_parts, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a_parts.iter().zip(b_parts) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}
