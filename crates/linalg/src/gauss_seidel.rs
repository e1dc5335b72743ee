//! Conjugate gradients preconditioned by symmetric Gauss–Seidel, at the cost of one product an iteration [EIS81].
//!
//! A = L + D + Lᵀ in 3×3 blocks, M = (D + L) D⁻¹ (D + Lᵀ). With r̂ = (D + L)⁻¹ r and p̂ likewise the iteration needs only
//! (D + L)⁻¹ A (D + Lᵀ)⁻¹ p̂ = t + (D + L)⁻¹ (p̂ − D t), t = (D + Lᵀ)⁻¹ p̂: a backward and a forward sweep, which together read
//! each block off the diagonal once. About half as many iterations as block-Jacobi; the sweeps run on one thread.

use crate::block_matrix::{BlockMatrix, row_product};
use crate::error::SolveError;
use crate::pcg::{PcgReport, PcgSettings};
use crate::{Mat3, Vec3, vectorize};
use fearless_simd::Simd;

/// The norm of r is computed from r̂ (half a product) only when the norm of r̂ is within this factor of the tolerance.
const NEAR: f64 = 4.0;

/// The solver with its vectors; nothing is allocated after the first solve of a size.
#[derive(Clone, Debug, Default)]
pub struct GaussSeidelPcg {
    diagonal: Vec<Mat3>,
    inverse: Vec<Mat3>,
    /// r̂.
    residual: Vec<Vec3>,
    /// p̂.
    direction: Vec<Vec3>,
    /// D r̂, and scratch for r.
    scaled: Vec<Vec3>,
    /// t.
    upper: Vec<Vec3>,
    /// (D + L)⁻¹ (p̂ − D t).
    lower: Vec<Vec3>,
}

impl GaussSeidelPcg {
    /// Without a matrix.
    pub fn new() -> GaussSeidelPcg {
        GaussSeidelPcg::default()
    }

    /// Inverts the diagonal blocks.
    pub fn prepare(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        self.diagonal.clear();
        self.inverse.clear();
        for node in 0..matrix.row_count() {
            let block = matrix.diagonal_block(node);
            let minor = block.at(0, 0) * block.at(1, 1) - block.at(0, 1) * block.at(1, 0);
            let definite = block.at(0, 0) > 0.0 && minor > 0.0 && block.determinant() > 0.0;
            let inverse = block
                .inverse()
                .filter(|inverse| definite && inverse.is_finite());
            self.diagonal.push(block);
            self.inverse
                .push(inverse.ok_or(SolveError::NotPositiveDefinite {
                    node,
                    axis: 0,
                    value: block.at(0, 0).min(minor).min(block.determinant()),
                })?);
        }
        Ok(())
    }

    /// Solves A x = rhs for the matrix it was prepared with; `x` holds the first guess. The residual that it reports
    /// is (D + L) r̂ of the recurrence.
    pub fn solve(
        &mut self,
        matrix: &BlockMatrix,
        rhs: &[Vec3],
        x: &mut [Vec3],
        settings: &PcgSettings,
    ) -> Result<PcgReport, SolveError> {
        let n = self.inverse.len();
        SolveError::check_size("matrix", n, matrix.row_count())?;
        SolveError::check_size("right-hand side", n, rhs.len())?;
        SolveError::check_size("first guess", n, x.len())?;
        for vector in [
            &mut self.residual,
            &mut self.direction,
            &mut self.scaled,
            &mut self.upper,
            &mut self.lower,
        ] {
            vector.resize(n, Vec3::ZERO);
        }
        let size = norm_squared(rhs).sqrt();
        if !size.is_finite() {
            return Err(SolveError::NonFinite {
                what: "right-hand side",
            });
        }
        if size == 0.0 {
            x.fill(Vec3::ZERO);
            return Ok(PcgReport {
                converged: true,
                ..PcgReport::default()
            });
        }

        // the norm of b̂ gives the norm of r̂ a scale
        self.lower.copy_from_slice(rhs);
        vectorize!(simd => forward(simd, matrix, &self.inverse, &mut self.lower));
        let hat_size = scale(&self.diagonal, &self.lower, &mut self.scaled).sqrt();
        matrix.multiply(x, &mut self.scaled);
        for ((r, &b), &ax) in self.residual.iter_mut().zip(rhs).zip(&self.scaled) {
            *r = b - ax;
        }
        let mut report = PcgReport {
            relative_residual: norm_squared(&self.residual).sqrt() / size,
            ..PcgReport::default()
        };
        if report.relative_residual <= settings.relative_tolerance {
            report.converged = true;
            return Ok(report);
        }
        vectorize!(simd => forward(simd, matrix, &self.inverse, &mut self.residual));
        let mut rho = self.scale_residual();
        self.direction.copy_from_slice(&self.scaled);

        while report.iterations < settings.max_iterations {
            report.iterations += 1;
            vectorize!(simd => {
                backward(simd, matrix, &self.inverse, &self.direction, &mut self.upper, &mut self.lower);
                forward(simd, matrix, &self.inverse, &mut self.lower);
            });
            let ends = self.upper.iter().zip(&self.lower).map(|(&t, &y)| t + y);
            let curvature: f64 = self.direction.iter().zip(ends).map(|(p, s)| p.dot(s)).sum();
            if !curvature.is_finite() || !rho.is_finite() {
                return Err(SolveError::NonFinite { what: "iterate" });
            }
            if curvature <= 0.0 {
                return Err(SolveError::NegativeCurvature {
                    operator: "matrix",
                    value: curvature,
                    iteration: report.iterations,
                });
            }
            let alpha = rho / curvature;
            report.energy_decrease += 0.5 * alpha * rho;
            for i in 0..n {
                x[i] += self.upper[i] * alpha;
                self.residual[i] -= (self.upper[i] + self.lower[i]) * alpha;
            }
            let next = self.scale_residual();
            let last = report.iterations == settings.max_iterations;
            if next.sqrt() <= NEAR * settings.relative_tolerance * hat_size || last {
                report.relative_residual = self.true_norm(matrix) / size;
                report.converged = report.relative_residual <= settings.relative_tolerance;
                if report.converged {
                    break;
                }
                self.scale_residual(); // `scaled` was the scratch of the norm
            }
            let beta = next / rho;
            rho = next;
            for (p, &z) in self.direction.iter_mut().zip(&self.scaled) {
                *p = z + *p * beta;
            }
        }
        Ok(report)
    }

    /// scaled ← D r̂; returns r̂ᵀ D r̂.
    fn scale_residual(&mut self) -> f64 {
        scale(&self.diagonal, &self.residual, &mut self.scaled)
    }

    /// ‖(D + L) r̂‖.
    fn true_norm(&mut self, matrix: &BlockMatrix) -> f64 {
        let Self {
            residual,
            scaled,
            diagonal,
            ..
        } = self;
        vectorize!(simd => {
            for i in 0..residual.len() {
                scaled[i] = diagonal[i] * residual[i] + row_product(simd, matrix, lower_part(matrix, i), 0, residual);
            }
        });
        norm_squared(scaled).sqrt()
    }
}

/// ‖a‖²; here and below plain sums, because waking a second thread would cost more than the sum.
fn norm_squared(a: &[Vec3]) -> f64 {
    a.iter().map(|v| v.norm_squared()).sum()
}

/// z ← D r; returns rᵀ D r.
fn scale(diagonal: &[Mat3], r: &[Vec3], z: &mut [Vec3]) -> f64 {
    let mut sum = 0.0;
    for ((z, d), &r) in z.iter_mut().zip(diagonal).zip(r) {
        *z = *d * r;
        sum += z.dot(r);
    }
    sum
}

/// Positions of row i's blocks before the diagonal.
#[inline(always)]
fn lower_part(matrix: &BlockMatrix, i: usize) -> std::ops::Range<usize> {
    let pattern = matrix.pattern();
    pattern.row_starts()[i] as usize..pattern.diagonal_position(i)
}

/// Positions of row i's blocks after the diagonal.
#[inline(always)]
fn upper_part(matrix: &BlockMatrix, i: usize) -> std::ops::Range<usize> {
    let pattern = matrix.pattern();
    pattern.diagonal_position(i) + 1..pattern.row_starts()[i + 1] as usize
}

/// y ← (D + L)⁻¹ y.
#[inline(always)]
fn forward<S: Simd>(simd: S, matrix: &BlockMatrix, inverse: &[Mat3], y: &mut [Vec3]) {
    for i in 0..y.len() {
        let known = row_product(simd, matrix, lower_part(matrix, i), 0, y);
        y[i] = inverse[i] * (y[i] - known);
    }
}

/// t ← (D + Lᵀ)⁻¹ p and w ← p − D t = Lᵀ t.
#[inline(always)]
fn backward<S: Simd>(
    simd: S,
    matrix: &BlockMatrix,
    inverse: &[Mat3],
    p: &[Vec3],
    t: &mut [Vec3],
    w: &mut [Vec3],
) {
    for i in (0..p.len()).rev() {
        let known = row_product(simd, matrix, upper_part(matrix, i), 0, t);
        w[i] = known;
        t[i] = inverse[i] * (p[i] - known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pcg::Pcg;
    use crate::preconditioner::Preconditioner;
    use crate::testing::{random_spd, random_vector, spring_grid};

    #[test]
    fn solves_to_the_tolerance_it_reports() {
        for (n, seed) in [(1, 1), (2, 2), (60, 3)] {
            let matrix = random_spd(n, seed);
            let rhs = random_vector(n, seed + 10);
            for tolerance in [1e-3, 1e-6, 1e-11] {
                let settings = PcgSettings {
                    relative_tolerance: tolerance,
                    max_iterations: 2000,
                    ..PcgSettings::default()
                };
                let mut solver = GaussSeidelPcg::new();
                solver.prepare(&matrix).unwrap();
                let mut x = random_vector(n, seed + 20);
                let report = solver.solve(&matrix, &rhs, &mut x, &settings).unwrap();
                let mut product = vec![Vec3::ZERO; n];
                matrix.multiply(&x, &mut product);
                let error = rhs
                    .iter()
                    .zip(&product)
                    .map(|(b, y)| (*b - *y).norm_squared())
                    .sum::<f64>()
                    .sqrt();
                let relative = error / norm_squared(&rhs).sqrt();
                assert!(
                    report.converged && relative <= tolerance * 1.01 + 1e-14,
                    "{report:?} {relative}"
                );
                assert!((report.relative_residual - relative).abs() <= 1e-3 * tolerance + 1e-14);
            }
        }
    }

    #[test]
    fn takes_fewer_iterations_than_block_jacobi() {
        let matrix = spring_grid([12, 6, 6]);
        let n = matrix.row_count();
        let rhs = random_vector(n, 5);
        let settings = PcgSettings {
            relative_tolerance: 1e-8,
            max_iterations: 2000,
            ..PcgSettings::default()
        };
        let mut block_jacobi = Preconditioner::block_jacobi();
        block_jacobi.prepare(matrix.diagonal_blocks(), &[]).unwrap();
        let mut x = vec![Vec3::ZERO; n];
        let plain = Pcg::new()
            .solve(&matrix, &block_jacobi, &rhs, &mut x, &settings)
            .unwrap();
        let mut solver = GaussSeidelPcg::new();
        solver.prepare(&matrix).unwrap();
        let mut y = vec![Vec3::ZERO; n];
        let swept = solver.solve(&matrix, &rhs, &mut y, &settings).unwrap();
        assert!(
            swept.converged && swept.iterations * 10 <= plain.iterations * 7,
            "{swept:?} {plain:?}"
        );
        let difference = x
            .iter()
            .zip(&y)
            .map(|(a, b)| (*a - *b).norm())
            .fold(0.0, f64::max);
        let size = x.iter().map(|a| a.norm()).fold(0.0, f64::max);
        assert!(difference < 1e-5 * size, "{difference} {size}");
    }

    #[test]
    fn zero_and_bad_input() {
        let matrix = random_spd(8, 1);
        let mut solver = GaussSeidelPcg::new();
        solver.prepare(&matrix).unwrap();
        let mut x = random_vector(8, 2);
        let report = solver
            .solve(&matrix, &[Vec3::ZERO; 8], &mut x, &PcgSettings::default())
            .unwrap();
        assert!(report.converged && report.iterations == 0 && x.iter().all(|v| *v == Vec3::ZERO));
        let mut bad = vec![Vec3::ZERO; 8];
        bad[3].x = f64::NAN;
        assert!(
            solver
                .solve(&matrix, &bad, &mut x, &PcgSettings::default())
                .is_err()
        );
        assert!(
            solver
                .solve(&matrix, &[Vec3::ZERO; 7], &mut x, &PcgSettings::default())
                .is_err()
        );
        let mut indefinite = random_spd(8, 3);
        indefinite.add_diagonal(5, Mat3::IDENTITY * -1e6);
        assert!(matches!(
            solver.prepare(&indefinite),
            Err(SolveError::NotPositiveDefinite { node: 5, .. })
        ));
    }
}
