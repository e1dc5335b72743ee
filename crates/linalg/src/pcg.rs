//! Preconditioned conjugate gradients for A x = b, with fused passes over memory.
//!
//! An iteration reads the matrix once and the vectors twice: q = A p with pᵀq; x, r, z = M⁻¹r with rᵀz and rᵀr;
//! p = z + β p. The error that is left is bounded by Gauss–Radau quadrature [MT13]. Sums follow the fixed tree of [`crate::reduce`], so results do not depend on the thread count.

use crate::block_matrix::LinearOperator;
use crate::error::SolveError;
use crate::preconditioner::{InverseView, Preconditioner};
use crate::reduce::{PARALLEL_NODES, add_scaled_chunk, dot_chunk, fold, norm_squared, scale_add};
use crate::vec3::{Vec3, flat, flat_mut};
use fearless_simd::{Level, dispatch};

/// Iterations after which the recurrence of the residual is replaced by b − A x.
pub(crate) const REFRESH: usize = 50;

/// Share of the energy's decrease that an iteration can only change by rounding: the solve has stagnated.
const NOTHING: f64 = 1e-29;

/// x, r, z, p, q and the inverse of the preconditioner.
type Vectors<'a> = (
    &'a mut [Vec3],
    &'a mut [Vec3],
    &'a mut [Vec3],
    &'a [Vec3],
    &'a [Vec3],
    InverseView<'a>,
);

/// The Gauss–Radau bound of the energy that is left [MT13, Alg. 3.1], fed with the numbers of the iteration.
struct EnergyBound {
    /// The lower bound of the eigenvalues, or zero.
    mu: f64,
    /// γ, ∞ without a bound.
    gamma: f64,
    alpha: f64,
    /// rᵀz of the direction in use; zero before the first.
    rz: f64,
}

impl EnergyBound {
    fn new(mu: f64) -> EnergyBound {
        EnergyBound {
            mu,
            gamma: 1.0 / mu,
            alpha: 0.0,
            rz: 0.0,
        }
    }

    /// Takes rᵀz of a new residual and returns β of the next direction, zero for the first.
    fn advance(&mut self, rz: f64) -> f64 {
        let first = self.rz == 0.0;
        let beta = if first { 0.0 } else { rz / self.rz };
        self.rz = rz;
        if !first && self.mu > 0.0 {
            // in exact arithmetic γ > α; rounding may not make the bound negative
            let gap = (self.gamma - self.alpha).max(0.0);
            self.gamma = (gap / self.mu.mul_add(gap, beta)).max(self.alpha);
        }
        beta
    }

    /// ½‖x* − x‖²_A is at most this.
    fn left(&self) -> f64 {
        if self.rz > 0.0 {
            0.5 * self.gamma * self.rz
        } else {
            0.0
        }
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcgSettings {
    /// Stop when ‖r‖ ≤ tolerance ‖b‖; zero runs all iterations.
    pub relative_tolerance: f64,
    /// Stop after this many products with the matrix.
    pub max_iterations: usize,
    /// Stop when an iteration lowers the energy ½xᵀAx − bᵀx by less than this share of the decrease so far; zero never does.
    pub energy_tolerance: f64,
    /// A lower bound µ > 0 of the eigenvalues of M⁻¹A, from which [`PcgReport::energy_left`] follows; zero for none.
    pub eigenvalue_bound: f64,
}

impl Default for PcgSettings {
    fn default() -> Self {
        PcgSettings {
            relative_tolerance: 1e-8,
            max_iterations: 1000,
            energy_tolerance: 0.0,
            eigenvalue_bound: 0.0,
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PcgReport {
    /// Products with the matrix, not counting those that (re)compute b − A x.
    pub iterations: usize,
    /// ‖r‖/‖b‖ of the recurrence, which is replaced by b − A x every 50 iterations.
    pub relative_residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Decrease of ½xᵀAx − bᵀx from the first guess, Σ ½ α rᵀz ≥ 0.
    pub energy_decrease: f64,
    /// Upper bound of the decrease that all further iterations would bring, ½‖x* − x‖²_A; infinite without a bound µ.
    pub energy_left: f64,
}

/// The solver's vectors; nothing is allocated after the first solve of a size.
#[derive(Clone, Debug, Default)]
pub struct Pcg {
    residual: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
}

impl Pcg {
    /// A solver without memory yet.
    pub fn new() -> Pcg {
        Pcg::default()
    }

    /// Solves A x = `rhs`; `x` holds the first guess on entry. Ends with a report, also short of the tolerance.
    pub fn solve(
        &mut self,
        operator: &dyn LinearOperator,
        preconditioner: &Preconditioner,
        rhs: &[Vec3],
        x: &mut [Vec3],
        settings: &PcgSettings,
    ) -> Result<PcgReport, SolveError> {
        let n = operator.row_count();
        SolveError::check_size("preconditioner", n, preconditioner.row_count().unwrap_or(n))?;
        SolveError::check_size("right-hand side", n, rhs.len())?;
        SolveError::check_size("first guess", n, x.len())?;
        for vector in [
            &mut self.residual,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.image,
        ] {
            vector.resize(n, Vec3::ZERO);
        }
        let mut run = || self.iterate(operator, preconditioner, rhs, x, settings);
        if n >= PARALLEL_NODES {
            // enter the thread pool once, not in every pass
            rayon::join(run, || ()).0
        } else {
            run()
        }
    }

    fn iterate(
        &mut self,
        operator: &dyn LinearOperator,
        preconditioner: &Preconditioner,
        rhs: &[Vec3],
        x: &mut [Vec3],
        settings: &PcgSettings,
    ) -> Result<PcgReport, SolveError> {
        let rhs_norm = finite("right-hand side", norm_squared(rhs))?.sqrt();
        let mut report = PcgReport::default();
        if rhs_norm == 0.0 {
            x.fill(Vec3::ZERO);
            report.converged = true;
            return Ok(report);
        }
        let mut bound = EnergyBound::new(settings.eigenvalue_bound);
        let mut faded = false;
        let [mut rz, mut rr] = self.restart(operator, preconditioner, rhs, x);
        loop {
            report.relative_residual = finite("residual", rr)?.sqrt() / rhs_norm;
            report.converged = report.relative_residual <= settings.relative_tolerance;
            let exhausted = report.iterations >= settings.max_iterations || rr == 0.0;
            let done = report.converged || exhausted || faded;
            let beta = bound.advance(rz);
            report.energy_left = bound.left();
            if done {
                return Ok(report);
            }
            report.iterations += 1;
            positive("preconditioner", rz, report.iterations)?;
            if report.iterations == 1 {
                self.direction.copy_from_slice(&self.preconditioned);
            } else {
                scale_add(&mut self.direction, beta, &self.preconditioned);
            }
            let curvature = operator.apply_dot(&self.direction, &mut self.image);
            positive("matrix", curvature, report.iterations)?;
            let alpha = rz / curvature;
            bound.alpha = alpha;
            let decrease = 0.5 * alpha * rz;
            report.energy_decrease += decrease;
            faded = decrease < settings.energy_tolerance.max(NOTHING) * report.energy_decrease;
            [rz, rr] = if report.iterations.is_multiple_of(REFRESH) {
                crate::reduce::add_scaled(x, alpha, &self.direction);
                self.restart(operator, preconditioner, rhs, x)
            } else {
                self.advance(preconditioner, alpha, x)
            };
        }
    }

    /// r ← b − A x, z ← M⁻¹ r, returning [rᵀz, rᵀr].
    fn restart(
        &mut self,
        operator: &dyn LinearOperator,
        preconditioner: &Preconditioner,
        rhs: &[Vec3],
        x: &[Vec3],
    ) -> [f64; 2] {
        let Pcg {
            residual,
            preconditioned,
            image,
            ..
        } = self;
        if x.iter().all(|&x| x == Vec3::ZERO) {
            image.fill(Vec3::ZERO); // nothing to multiply from a zero first guess
        } else {
            operator.apply(x, image);
        }
        let level = Level::new();
        fold(
            (
                &mut residual[..],
                &mut preconditioned[..],
                &image[..],
                rhs,
                preconditioner.view(),
            ),
            rhs.len() >= PARALLEL_NODES,
            &|(r, z, q, b, inverse): (&mut [Vec3], &mut [Vec3], &[Vec3], &[Vec3], InverseView)| {
                dispatch!(level, simd => {
                    for ((r, q), b) in flat_mut(r).iter_mut().zip(flat(q)).zip(flat(b)) {
                        *r = b - q;
                    }
                    [inverse.apply_dot(simd, r, z), dot_chunk(simd, flat(r), flat(r))]
                })
            },
        )
    }

    /// x ← x + α p, r ← r − α q, z ← M⁻¹ r, returning [rᵀz, rᵀr].
    fn advance(&mut self, preconditioner: &Preconditioner, alpha: f64, x: &mut [Vec3]) -> [f64; 2] {
        let level = Level::new();
        let parallel = x.len() >= PARALLEL_NODES;
        let Pcg {
            residual,
            preconditioned,
            direction,
            image,
        } = self;
        fold(
            (
                x,
                &mut residual[..],
                &mut preconditioned[..],
                &direction[..],
                &image[..],
                preconditioner.view(),
            ),
            parallel,
            &|(x, r, z, p, q, inverse): Vectors| {
                dispatch!(level, simd => {
                    add_scaled_chunk(simd, flat_mut(x), alpha, flat(p));
                    add_scaled_chunk(simd, flat_mut(r), -alpha, flat(q));
                    [inverse.apply_dot(simd, r, z), dot_chunk(simd, flat(r), flat(r))]
                })
            },
        )
    }
}

pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64, SolveError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(SolveError::NonFinite { what })
    }
}

pub(crate) fn positive(
    operator: &'static str,
    value: f64,
    iteration: usize,
) -> Result<(), SolveError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else if value.is_finite() {
        Err(SolveError::NegativeCurvature {
            operator,
            value,
            iteration,
        })
    } else {
        Err(SolveError::NonFinite {
            what: "quadratic form of a search direction",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_matrix::BlockMatrix;
    use crate::testing::{random_spd, random_vector, relative_residual, spring_grid};

    fn prepared(kind: usize, matrix: &BlockMatrix) -> Preconditioner {
        let mut preconditioner = match kind {
            0 => Preconditioner::Identity,
            1 => Preconditioner::mass(),
            2 => Preconditioner::jacobi(),
            _ => Preconditioner::block_jacobi(),
        };
        let mass = vec![2.0; matrix.row_count()];
        preconditioner
            .prepare(matrix.diagonal_blocks(), &mass)
            .unwrap();
        preconditioner
    }

    #[test]
    fn energy_decrease_is_that_of_the_quadratic() {
        let matrix = random_spd(300, 11);
        let b = random_vector(300, 12);
        let energy = |x: &[Vec3]| {
            let mut q = vec![Vec3::ZERO; 300];
            0.5 * matrix.multiply_dot(x, &mut q) - crate::reduce::dot(&b, x)
        };
        let mut x = random_vector(300, 13);
        let before = energy(&x);
        let settings = PcgSettings {
            relative_tolerance: 0.0,
            max_iterations: 7,
            ..PcgSettings::default()
        };
        let report = Pcg::new()
            .solve(&matrix, &prepared(3, &matrix), &b, &mut x, &settings)
            .unwrap();
        assert_eq!((report.iterations, report.converged), (7, false));
        let decrease = before - energy(&x);
        assert!((report.energy_decrease - decrease).abs() < 1e-10 * decrease);
    }

    #[test]
    fn energy_left_is_an_upper_bound_that_tightens() {
        let matrix = spring_grid([9, 5, 4]);
        let n = matrix.row_count();
        let b = random_vector(n, 21);
        let tight = PcgSettings {
            relative_tolerance: 1e-14,
            max_iterations: 5000,
            ..PcgSettings::default()
        };
        // the grid is at least its smallest eigenvalue, found by inverse iteration
        let block_jacobi = prepared(3, &matrix);
        let mut y = random_vector(n, 22);
        let mut smallest = 0.0;
        for _ in 0..60 {
            let mut next = vec![Vec3::ZERO; n];
            (Pcg::new().solve(&matrix, &block_jacobi, &y, &mut next, &tight)).unwrap();
            smallest = crate::reduce::dot(&y, &next) / norm_squared(&next);
            let scale = 1.0 / norm_squared(&next).sqrt();
            y = next.iter().map(|&v| v * scale).collect();
        }
        let mass = vec![0.99 * smallest; n];
        for kind in [0, 2, 3] {
            let preconditioner = prepared(kind, &matrix);
            let bound = preconditioner.eigenvalue_bound(matrix.diagonal_blocks(), &mass);
            let mut solution = vec![Vec3::ZERO; n];
            (Pcg::new().solve(&matrix, &preconditioner, &b, &mut solution, &tight)).unwrap();
            let mut ratios = Vec::new();
            for max_iterations in 0..25 {
                let settings = PcgSettings {
                    relative_tolerance: 0.0,
                    max_iterations,
                    eigenvalue_bound: bound,
                    ..PcgSettings::default()
                };
                let mut x = vec![Vec3::ZERO; n];
                let report =
                    (Pcg::new().solve(&matrix, &preconditioner, &b, &mut x, &settings)).unwrap();
                let error: Vec<Vec3> = solution.iter().zip(&x).map(|(&s, &x)| s - x).collect();
                let left = 0.5 * matrix.multiply_dot(&error, &mut x);
                ratios.push(report.energy_left / left);
            }
            assert!(ratios.iter().all(|r| *r > 0.999), "{kind}: {ratios:?}");
            assert!(
                ratios[24] < 12.0 && ratios[24] < 0.1 * ratios[0],
                "{kind}: {ratios:?}"
            );
        }
    }

    #[test]
    fn fading_decreases_end_the_iteration() {
        let matrix = spring_grid([9, 5, 4]);
        let b = random_vector(matrix.row_count(), 5);
        let run = |energy_tolerance| {
            let settings = PcgSettings {
                relative_tolerance: 1e-12,
                energy_tolerance,
                ..PcgSettings::default()
            };
            let mut x = vec![Vec3::ZERO; matrix.row_count()];
            let report = Pcg::new().solve(&matrix, &prepared(3, &matrix), &b, &mut x, &settings);
            report.unwrap()
        };
        let (all, early) = (run(0.0), run(0.01));
        assert!(all.converged && !early.converged && early.iterations < all.iterations / 2);
        assert!(early.energy_decrease > 0.9 * all.energy_decrease);
    }

    #[test]
    fn reported_residual_is_true_after_many_iterations() {
        let matrix = spring_grid([12, 4, 4]);
        let n = matrix.row_count();
        let b = random_vector(n, 5);
        let settings = PcgSettings {
            relative_tolerance: 1e-11,
            max_iterations: 5000,
            ..PcgSettings::default()
        };
        for kind in 0..4 {
            let mut x = vec![Vec3::ZERO; n];
            let report = Pcg::new()
                .solve(&matrix, &prepared(kind, &matrix), &b, &mut x, &settings)
                .unwrap();
            assert!(report.converged && report.iterations > REFRESH);
            let residual = relative_residual(&matrix, &x, &b);
            assert!(residual < 1.5e-11, "{kind}: {residual:e}");
        }
    }

    #[test]
    fn sizes_and_non_finite_input_are_errors() {
        let matrix = random_spd(10, 1);
        let settings = PcgSettings::default();
        let mut pcg = Pcg::new();
        let mut x = vec![Vec3::ZERO; 10];
        let mut solve = |rhs: &[Vec3], preconditioner: &Preconditioner| {
            pcg.solve(&matrix, preconditioner, rhs, &mut x, &settings)
        };
        let rhs = vec![Vec3::new(1.0, 0.0, 0.0); 10];
        assert!(solve(&rhs[..9], &Preconditioner::Identity).is_err());
        assert!(solve(&rhs, &Preconditioner::jacobi()).is_err());
        let nan = vec![Vec3::new(f64::NAN, 0.0, 0.0); 10];
        assert_eq!(
            solve(&nan, &Preconditioner::Identity),
            Err(SolveError::NonFinite {
                what: "right-hand side"
            })
        );
        assert!(solve(&rhs, &Preconditioner::Identity).unwrap().converged);
    }
}
