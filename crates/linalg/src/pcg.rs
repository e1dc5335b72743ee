//! Preconditioned conjugate gradients for A x = b, with fused passes over memory.
//!
//! An iteration reads the matrix once and the vectors twice: q = A p with pᵀq; x, r, z = M⁻¹r with rᵀz and rᵀr;
//! p = z + β p. An M⁻¹ that couples nodes is applied between the passes instead. The error that is left is bounded by Gauss–Radau quadrature [MT13]. Sums follow the fixed tree of [`crate::reduce`], so results do not depend on the thread count.

use crate::block_matrix::LinearOperator;
use crate::error::SolveError;
use crate::preconditioner::{InverseView, Preconditioner};
use crate::reduce::{
    PARALLEL_NODES, add_scaled_chunk, dot, dot_chunk, fold, norm_squared, scale_add,
};
use crate::vec3::{Vec3, flat, flat_mut};
use fearless_simd::{Level, dispatch};

/// Iterations after which the recurrence of the residual is replaced by b − A x.
const REFRESH: usize = 50;

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

/// A symmetric positive definite M⁻¹ that is not local to the nodes, such as the factor of an earlier matrix.
pub trait ApproximateInverse: Send {
    /// Number of nodes, a third of the degrees of freedom.
    fn row_count(&self) -> usize;
    /// z ← M⁻¹ r; z holds anything on entry.
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]);
}

/// How the iteration applies M⁻¹: fused into its passes, or by itself and only once it is known to be needed.
enum Inverse<'a> {
    Fused(&'a Preconditioner),
    Separate(&'a mut dyn ApproximateInverse),
}

impl Inverse<'_> {
    fn view(&self) -> InverseView<'_> {
        match self {
            Inverse::Fused(preconditioner) => preconditioner.view(),
            Inverse::Separate(_) => InverseView::Later,
        }
    }
}

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
        self.run(operator, Inverse::Fused(preconditioner), rhs, x, settings)
    }

    /// [`Self::solve`] with any M⁻¹, which is applied exactly once an iteration.
    ///
    /// A last application would only sharpen [`PcgReport::energy_left`]: that is the bound before the last iteration less its
    /// decrease, infinite without an iteration.
    pub fn solve_with(
        &mut self,
        operator: &dyn LinearOperator,
        preconditioner: &mut dyn ApproximateInverse,
        rhs: &[Vec3],
        x: &mut [Vec3],
        settings: &PcgSettings,
    ) -> Result<PcgReport, SolveError> {
        let n = operator.row_count();
        SolveError::check_size("preconditioner", n, preconditioner.row_count())?;
        self.run(
            operator,
            Inverse::Separate(preconditioner),
            rhs,
            x,
            settings,
        )
    }

    fn run(
        &mut self,
        operator: &dyn LinearOperator,
        mut inverse: Inverse<'_>,
        rhs: &[Vec3],
        x: &mut [Vec3],
        settings: &PcgSettings,
    ) -> Result<PcgReport, SolveError> {
        let n = operator.row_count();
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
        let mut run = || self.iterate(operator, &mut inverse, rhs, x, settings);
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
        inverse: &mut Inverse<'_>,
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
        let mut decrease = 0.0;
        report.energy_left = f64::INFINITY;
        let [mut rz, mut rr] = self.restart(operator, inverse, rhs, x);
        loop {
            report.relative_residual = finite("residual", rr)?.sqrt() / rhs_norm;
            report.converged = report.relative_residual <= settings.relative_tolerance;
            let exhausted = report.iterations >= settings.max_iterations || rr == 0.0;
            let done = report.converged || exhausted || faded;
            let beta = match inverse {
                Inverse::Separate(_) if done => {
                    let left = (report.energy_left - decrease).max(0.0);
                    report.energy_left = if rr > 0.0 { left } else { 0.0 };
                    return Ok(report);
                }
                Inverse::Separate(inverse) => {
                    inverse.apply(&self.residual, &mut self.preconditioned);
                    rz = dot(&self.residual, &self.preconditioned);
                    bound.advance(rz)
                }
                Inverse::Fused(_) => bound.advance(rz),
            };
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
            decrease = 0.5 * alpha * rz;
            report.energy_decrease += decrease;
            faded = decrease < settings.energy_tolerance.max(NOTHING) * report.energy_decrease;
            [rz, rr] = if report.iterations.is_multiple_of(REFRESH) {
                crate::reduce::add_scaled(x, alpha, &self.direction);
                self.restart(operator, inverse, rhs, x)
            } else {
                self.advance(inverse, alpha, x)
            };
        }
    }

    /// r ← b − A x, z ← M⁻¹ r, returning [rᵀz, rᵀr]; z and rᵀz only where M⁻¹ is fused.
    fn restart(
        &mut self,
        operator: &dyn LinearOperator,
        inverse: &Inverse<'_>,
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
                inverse.view(),
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

    /// x ← x + α p, r ← r − α q, z ← M⁻¹ r, returning [rᵀz, rᵀr]; z and rᵀz only where M⁻¹ is fused.
    fn advance(&mut self, inverse: &Inverse<'_>, alpha: f64, x: &mut [Vec3]) -> [f64; 2] {
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
                inverse.view(),
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

fn finite(what: &'static str, value: f64) -> Result<f64, SolveError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(SolveError::NonFinite { what })
    }
}

fn positive(operator: &'static str, value: f64, iteration: usize) -> Result<(), SolveError> {
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
    use crate::{Llt, SolveScratch};

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

    /// Counts its applications.
    struct Counted<F> {
        nodes: usize,
        applications: usize,
        inverse: F,
    }

    impl<F: FnMut(&[Vec3], &mut [Vec3]) + Send> ApproximateInverse for Counted<F> {
        fn row_count(&self) -> usize {
            self.nodes
        }
        fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
            self.applications += 1;
            (self.inverse)(r, z);
        }
    }

    fn counted<F>(nodes: usize, inverse: F) -> Counted<F> {
        Counted {
            nodes,
            applications: 0,
            inverse,
        }
    }

    fn factor(matrix: &BlockMatrix) -> impl FnMut(&[Vec3], &mut [Vec3]) + Send + use<> {
        let llt = Llt::from_matrix(matrix).unwrap();
        let mut scratch = SolveScratch::new();
        move |r, z| {
            z.copy_from_slice(r);
            llt.solve(z, &mut scratch).unwrap();
        }
    }

    #[test]
    fn exact_factor_needs_one_iteration_and_a_solution_none() {
        let matrix = spring_grid([9, 9, 9]);
        let n = matrix.row_count();
        let b = random_vector(n, 1);
        let mut inverse = counted(n, factor(&matrix));
        let mut x = random_vector(n, 2);
        let settings = PcgSettings::default();
        let mut pcg = Pcg::new();
        let report = (pcg.solve_with(&matrix, &mut inverse, &b, &mut x, &settings)).unwrap();
        assert!(report.converged && report.iterations == 1 && inverse.applications == 1);
        assert!(relative_residual(&matrix, &x, &b) < 1e-11);
        let solved = x.clone();
        let report = (pcg.solve_with(&matrix, &mut inverse, &b, &mut x, &settings)).unwrap();
        assert!(report.converged && report.iterations == 0 && inverse.applications == 1);
        assert_eq!(x, solved);
    }

    #[test]
    fn factor_of_a_similar_matrix_needs_few_iterations() {
        let matrix = spring_grid([13, 9, 9]);
        let n = matrix.row_count();
        let b = random_vector(n, 3);
        let mut similar = matrix.clone();
        for i in 0..n {
            similar.add_diagonal(i, matrix.diagonal_block(i) * (0.02 * (i % 3) as f64));
        }
        let mut inverse = counted(n, factor(&similar));
        let mut x = vec![Vec3::ZERO; n];
        let settings = PcgSettings {
            relative_tolerance: 1e-9,
            ..PcgSettings::default()
        };
        let report = Pcg::new()
            .solve_with(&matrix, &mut inverse, &b, &mut x, &settings)
            .unwrap();
        assert!(report.converged && report.iterations == inverse.applications);
        assert!(
            (2..=25).contains(&report.iterations),
            "{}",
            report.iterations
        );
        let residual = relative_residual(&matrix, &x, &b);
        assert!((residual - report.relative_residual).abs() < 1e-12);
        let jacobi = prepared(3, &matrix);
        let mut y = vec![Vec3::ZERO; n];
        let slow = (Pcg::new().solve(&matrix, &jacobi, &b, &mut y, &settings)).unwrap();
        assert!(slow.iterations > 5 * report.iterations, "{slow:?}");
        let scale = y.iter().fold(0.0_f64, |most, v| most.max(v.max_abs()));
        for (x, y) in x.iter().zip(&y) {
            assert!((*x - *y).max_abs() < 1e-6 * scale);
        }
    }

    #[test]
    fn general_and_fused_forms_give_the_same_bits_on_any_threads() {
        let matrix = spring_grid([12, 9, 9]);
        let n = matrix.row_count();
        let b = random_vector(n, 4);
        let jacobi = prepared(3, &matrix);
        let settings = PcgSettings {
            max_iterations: 60, // beyond a refresh
            relative_tolerance: 0.0,
            eigenvalue_bound: 1e-3,
            ..PcgSettings::default()
        };
        let mut x = random_vector(n, 5);
        let fused = (Pcg::new().solve(&matrix, &jacobi, &b, &mut x, &settings)).unwrap();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut inverse = counted(n, |r: &[Vec3], z: &mut [Vec3]| jacobi.apply(r, z));
            let mut y = random_vector(n, 5);
            let solve = || Pcg::new().solve_with(&matrix, &mut inverse, &b, &mut y, &settings);
            let general = pool.install(solve).unwrap();
            assert_eq!((x == y, inverse.applications), (true, 60));
            assert!(general.energy_left.is_finite());
            let energy_left = fused.energy_left;
            assert_eq!(
                fused,
                PcgReport {
                    energy_left,
                    ..general
                }
            );
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
        let mut short = counted(9, |_: &[Vec3], _: &mut [Vec3]| ());
        let solve = |inverse: &mut dyn ApproximateInverse| {
            let mut x = vec![Vec3::ZERO; 10];
            Pcg::new().solve_with(&matrix, inverse, &rhs, &mut x, &settings)
        };
        assert!(matches!(
            solve(&mut short),
            Err(SolveError::SizeMismatch { found: 9, .. })
        ));
        let mut negative = counted(10, |r: &[Vec3], z: &mut [Vec3]| {
            z.copy_from_slice(r);
            z[0] = z[0] * -1e3;
        });
        assert!(matches!(
            solve(&mut negative),
            Err(SolveError::NegativeCurvature {
                operator: "preconditioner",
                iteration: 1,
                ..
            })
        ));
    }
}
