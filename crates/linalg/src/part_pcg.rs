//! Conjugate gradients for several independent systems at once: A is block diagonal, and every part has step lengths, directions
//! and an end of its own, as if it were solved alone. Products with A are made for all parts together.
//!
//! M⁻¹ may couple the nodes of a part, such as the factor of an earlier matrix. Sums follow the fixed tree of [`crate::reduce`].

use crate::block_matrix::LinearOperator;
use crate::error::SolveError;
use crate::pcg::{REFRESH, finite, positive};
use crate::reduce::{PARALLEL_NODES, add_scaled, dot, norm_squared, scale_add};
use crate::vec3::Vec3;
use std::ops::Range;

/// A part whose right-hand side is smaller than this share of all need not be solved more accurately than that: at rest it is
/// rounding.
pub const SMALLEST_PART: f64 = 1e-6;

/// What is solved.
#[derive(Clone, Copy)]
pub struct PartSystem<'a> {
    /// A.
    pub operator: &'a dyn LinearOperator,
    /// The parts are the rows `0..ends[0]`, `ends[0]..ends[1]` and so on.
    pub ends: &'a [usize],
    /// b.
    pub rhs: &'a [Vec3],
    /// What tolerances are relative to in every part: b itself, or that part of b which is not known to cancel.
    pub scale: &'a [Vec3],
}

/// A symmetric positive definite M⁻¹, block diagonal as A.
pub trait PartInverse: Send {
    /// z ← M⁻¹ r in the rows of the parts that are `wanted`; elsewhere z may be anything.
    fn apply(&mut self, wanted: &[bool], r: &[Vec3], z: &mut [Vec3]);
}

/// How a part ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartReport {
    /// Products with its matrix, not counting those that (re)compute b − A x.
    pub iterations: usize,
    /// ‖r‖ of the recurrence, which is replaced by b − A x every 50 iterations.
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// Decrease of ½xᵀAx − bᵀx from the first guess.
    pub energy_decrease: f64,
}

/// What the iteration knows of a part.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    report: PartReport,
    /// ‖r‖ at which it ends.
    goal: f64,
    /// rᵀz of the direction in use.
    rz: f64,
}

/// The solver's vectors; nothing is allocated after the first solve of a size.
#[derive(Clone, Debug, Default)]
pub struct PartPcg {
    residual: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
    progress: Vec<Progress>,
    active: Vec<bool>,
}

impl PartPcg {
    /// A solver without memory yet.
    pub fn new() -> PartPcg {
        PartPcg::default()
    }

    /// Solves A x = b in all parts, until ‖r‖ ≤ `tolerance` ‖scale‖ in each or it had `most` iterations; `x` holds the first
    /// guess on entry.
    pub fn solve(
        &mut self,
        system: &PartSystem<'_>,
        inverse: &mut dyn PartInverse,
        x: &mut [Vec3],
        (tolerance, most): (f64, usize),
    ) -> Result<(), SolveError> {
        let PartSystem {
            operator,
            ends,
            rhs,
            scale,
        } = *system;
        let n = operator.row_count();
        SolveError::check_size("scale", n, scale.len())?;
        SolveError::check_size("right-hand side", n, rhs.len())?;
        SolveError::check_size("first guess", n, x.len())?;
        SolveError::check_size("parts", n, ends.last().copied().unwrap_or(0))?;
        if let Some(pair) = ends.windows(2).find(|pair| pair[1] < pair[0]) {
            return Err(SolveError::SizeMismatch {
                what: "end of a part",
                expected: pair[0],
                found: pair[1],
            });
        }
        for vector in [
            &mut self.residual,
            &mut self.preconditioned,
            &mut self.direction,
            &mut self.image,
        ] {
            vector.resize(n, Vec3::ZERO);
        }
        finite("right-hand side", norm_squared(rhs))?;
        let whole = finite("scale", norm_squared(scale))?.sqrt();
        self.progress.clear();
        self.progress.extend(parts(ends).map(|rows| Progress {
            goal: tolerance * norm_squared(&scale[rows]).sqrt().max(SMALLEST_PART * whole),
            ..Progress::default()
        }));
        self.active.clear();
        self.active.resize(ends.len(), true);
        if rhs.iter().all(|&b| b == Vec3::ZERO) {
            x.fill(Vec3::ZERO);
            for progress in &mut self.progress {
                progress.report.converged = true;
            }
            return Ok(());
        }
        let mut run = || self.iterate(system, inverse, x, most);
        if n >= PARALLEL_NODES {
            // enter the thread pool once, not in every pass
            rayon::join(run, || ()).0
        } else {
            run()
        }
    }

    /// How the parts of the last solve ended.
    pub fn reports(&self) -> impl ExactSizeIterator<Item = PartReport> + Clone + '_ {
        self.progress.iter().map(|progress| progress.report)
    }

    fn iterate(
        &mut self,
        system: &PartSystem<'_>,
        inverse: &mut dyn PartInverse,
        x: &mut [Vec3],
        most: usize,
    ) -> Result<(), SolveError> {
        let PartSystem { operator, ends, .. } = *system;
        self.restart(system, x);
        for iteration in 1.. {
            let parts_left = self.progress.iter_mut().zip(&mut self.active);
            for (progress, active) in parts_left.filter(|(_, active)| **active) {
                let report = &mut progress.report;
                finite("residual", report.residual)?;
                report.converged = report.residual <= progress.goal;
                *active = !report.converged && report.residual > 0.0 && iteration <= most;
            }
            if !self.active.contains(&true) {
                return Ok(());
            }
            inverse.apply(&self.active, &self.residual, &mut self.preconditioned);
            for (part, rows) in parts(ends).enumerate() {
                let direction = &mut self.direction[rows.clone()];
                if !self.active[part] {
                    direction.fill(Vec3::ZERO); // its product is not needed
                    continue;
                }
                let z = &self.preconditioned[rows.clone()];
                let rz = dot(&self.residual[rows], z);
                positive("preconditioner", rz, iteration)?;
                let before = std::mem::replace(&mut self.progress[part].rz, rz);
                match iteration {
                    1 => direction.copy_from_slice(z),
                    _ => scale_add(direction, rz / before, z),
                }
            }
            operator.apply(&self.direction, &mut self.image);
            for (part, rows) in parts(ends).enumerate() {
                if !self.active[part] {
                    continue;
                }
                let Progress { report, rz, .. } = &mut self.progress[part];
                let (p, q) = (&self.direction[rows.clone()], &self.image[rows.clone()]);
                let curvature = dot(p, q);
                positive("matrix", curvature, iteration)?;
                let alpha = *rz / curvature;
                add_scaled(&mut x[rows.clone()], alpha, p);
                let residual = &mut self.residual[rows];
                add_scaled(residual, -alpha, q);
                report.residual = norm_squared(residual).sqrt();
                report.iterations = iteration;
                report.energy_decrease += 0.5 * alpha * *rz;
            }
            if iteration.is_multiple_of(REFRESH) {
                self.restart(system, x);
            }
        }
        Ok(())
    }

    /// r ← b − A x, as far as it is still worked on.
    fn restart(&mut self, system: &PartSystem<'_>, x: &[Vec3]) {
        system.operator.apply(x, &mut self.image);
        for ((r, &q), &b) in (self.residual.iter_mut().zip(&self.image)).zip(system.rhs) {
            *r = b - q;
        }
        let parts = self.progress.iter_mut().zip(parts(system.ends));
        for ((progress, rows), _) in parts.zip(&self.active).filter(|(_, active)| **active) {
            progress.report.residual = norm_squared(&self.residual[rows]).sqrt();
        }
    }
}

/// The rows of each part.
fn parts(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_matrix::{BlockMatrix, BlockPattern};
    use crate::testing::{random_spd, random_vector, relative_residual, spring_grid};
    use crate::{Llt, Pcg, PcgSettings, Preconditioner, SolveScratch};
    use std::sync::Arc;

    /// Factors of the parts; counts applications.
    struct Factors {
        ends: Vec<usize>,
        factors: Vec<Llt>,
        applications: Vec<usize>,
        scratch: SolveScratch,
    }

    impl Factors {
        fn new(matrices: &[&BlockMatrix]) -> Factors {
            let sizes = matrices.iter().map(|m| m.row_count());
            let sum = |end: &mut usize, size: usize| {
                *end += size;
                Some(*end)
            };
            Factors {
                ends: sizes.scan(0, sum).collect(),
                factors: (matrices.iter())
                    .map(|m| Llt::from_matrix(m).unwrap())
                    .collect(),
                applications: vec![0; matrices.len()],
                scratch: SolveScratch::new(),
            }
        }
    }

    impl PartInverse for Factors {
        fn apply(&mut self, wanted: &[bool], r: &[Vec3], z: &mut [Vec3]) {
            for (part, rows) in parts(&self.ends).enumerate() {
                z[rows.clone()].fill(Vec3::new(f64::NAN, 0.0, 0.0)); // nobody may look at it
                if wanted[part] {
                    z[rows.clone()].copy_from_slice(&r[rows.clone()]);
                    (self.factors[part].solve(&mut z[rows], &mut self.scratch)).unwrap();
                    self.applications[part] += 1;
                }
            }
        }
    }

    /// The block diagonal matrix of some.
    fn together(matrices: &[&BlockMatrix]) -> BlockMatrix {
        let mut edges = Vec::new();
        let mut first = 0;
        for matrix in matrices {
            for i in 0..matrix.row_count() {
                let row = matrix.pattern().row(i).iter();
                edges.extend(row.map(|&j| [(first + i) as u32, first as u32 + j]));
            }
            first += matrix.row_count();
        }
        let pattern = BlockPattern::from_edges(first, &edges).unwrap();
        let mut sum = BlockMatrix::new(Arc::new(pattern));
        let blocks = matrices.iter().flat_map(|m| m.blocks());
        for (to, from) in sum.blocks_mut().iter_mut().zip(blocks) {
            *to = *from;
        }
        sum
    }

    fn system<'a>(matrix: &'a BlockMatrix, ends: &'a [usize], rhs: &'a [Vec3]) -> PartSystem<'a> {
        PartSystem {
            operator: matrix,
            ends,
            rhs,
            scale: rhs,
        }
    }

    /// The grid with other diagonals.
    fn similar(matrix: &BlockMatrix, change: f64) -> BlockMatrix {
        let mut similar = matrix.clone();
        for i in 0..matrix.row_count() {
            similar.add_diagonal(i, matrix.diagonal_block(i) * (change * (i % 3) as f64));
        }
        similar
    }

    #[test]
    fn parts_end_by_themselves_and_as_if_they_were_alone() {
        let grids = [
            spring_grid([9, 9, 9]),
            spring_grid([7, 5, 4]),
            spring_grid([3, 3, 2]),
        ];
        let [a, b, c] = grids.each_ref();
        let old = [similar(a, 0.0), similar(b, 0.02), similar(c, 0.2)];
        let matrix = together(&[a, b, c]);
        let n = matrix.row_count();
        let rhs = random_vector(n, 3);
        let start = random_vector(n, 4);
        let mut inverse = Factors::new(&old.each_ref());
        let ends = inverse.ends.clone();
        let mut pcg = PartPcg::new();
        let mut x = start.clone();
        (pcg.solve(
            &system(&matrix, &ends, &rhs),
            &mut inverse,
            &mut x,
            (1e-9, 100),
        ))
        .unwrap();
        let reports: Vec<PartReport> = pcg.reports().collect();
        assert!(reports.iter().all(|r| r.converged), "{reports:?}");
        assert_eq!(reports[0].iterations, 1, "an exact factor");
        assert!((2..=25).contains(&reports[1].iterations), "{reports:?}");
        assert!(reports[2].iterations > reports[1].iterations, "{reports:?}");
        let applied: Vec<usize> = reports.iter().map(|r| r.iterations).collect();
        assert_eq!(inverse.applications, applied);
        for (part, rows) in parts(&ends).enumerate() {
            let own = relative_residual(&grids[part], &x[rows.clone()], &rhs[rows.clone()]);
            assert!(own < 1.1e-9, "{part}: {own:e}");
            let mut alone = start[rows.clone()].to_vec();
            let mut factor = Factors::new(&[&old[part]]);
            let mut pcg = PartPcg::new();
            let ends = [rows.len()];
            let rhs = &rhs[rows.clone()];
            let own = system(&grids[part], &ends, rhs);
            (pcg.solve(&own, &mut factor, &mut alone, (1e-9, 100))).unwrap();
            for (x, y) in x[rows].iter().zip(&alone) {
                assert!((*x - *y).max_abs() < 1e-12, "{part}");
            }
        }
        // a solution needs nothing
        let solved = x.clone();
        (pcg.solve(
            &system(&matrix, &ends, &rhs),
            &mut inverse,
            &mut x,
            (1e-8, 100),
        ))
        .unwrap();
        assert!(pcg.reports().all(|r| r.converged && r.iterations == 0));
        assert_eq!((x, inverse.applications), (solved, applied));
    }

    #[test]
    fn same_bits_on_any_threads_and_about_those_of_the_fused_form() {
        let matrix = spring_grid([12, 9, 9]);
        let n = matrix.row_count();
        let rhs = random_vector(n, 4);
        let mut jacobi = Preconditioner::block_jacobi();
        jacobi.prepare(matrix.diagonal_blocks(), &[]).unwrap();
        struct Jacobi<'a>(&'a Preconditioner);
        impl PartInverse for Jacobi<'_> {
            fn apply(&mut self, _: &[bool], r: &[Vec3], z: &mut [Vec3]) {
                self.0.apply(r, z);
            }
        }
        let settings = PcgSettings {
            max_iterations: 60, // beyond a refresh
            relative_tolerance: 0.0,
            ..PcgSettings::default()
        };
        let mut fused = random_vector(n, 5);
        let report = (Pcg::new().solve(&matrix, &jacobi, &rhs, &mut fused, &settings)).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let (mut pcg, mut x) = (PartPcg::new(), random_vector(n, 5));
                (pcg.solve(
                    &system(&matrix, &[n], &rhs),
                    &mut Jacobi(&jacobi),
                    &mut x,
                    (0.0, 60),
                ))
                .unwrap();
                let own = pcg.reports().next().unwrap();
                let decrease = own.energy_decrease / report.energy_decrease;
                assert!((decrease - 1.0).abs() < 1e-9);
                x
            })
        };
        let one = run(1);
        assert_eq!(one, run(2));
        for (x, y) in one.iter().zip(&fused) {
            assert!((*x - *y).max_abs() < 1e-8);
        }
    }

    #[test]
    fn rounding_at_rest_is_not_solved_and_nothing_gives_zero() {
        let (a, b) = (spring_grid([4, 4, 4]), spring_grid([4, 4, 3]));
        let matrix = together(&[&a, &b]);
        let n = matrix.row_count();
        let mut inverse = Factors::new(&[&a, &similar(&b, 0.5)]);
        let ends = inverse.ends.clone();
        let mut rhs = random_vector(n, 1);
        for r in &mut rhs[ends[0]..] {
            *r = *r * 1e-15;
        }
        let mut x = vec![Vec3::ZERO; n];
        let mut pcg = PartPcg::new();
        (pcg.solve(
            &system(&matrix, &ends, &rhs),
            &mut inverse,
            &mut x,
            (1e-5, 100),
        ))
        .unwrap();
        let iterations: Vec<usize> = pcg.reports().map(|r| r.iterations).collect();
        assert_eq!(iterations, [1, 0]);
        let nothing = vec![Vec3::ZERO; n];
        (pcg.solve(
            &system(&matrix, &ends, &nothing),
            &mut inverse,
            &mut x,
            (1e-5, 100),
        ))
        .unwrap();
        assert!(pcg.reports().all(|r| r.converged));
        assert_eq!(x, nothing);
    }

    #[test]
    fn bad_input_is_an_error() {
        let matrix = random_spd(10, 1);
        struct Scale(f64);
        impl PartInverse for Scale {
            fn apply(&mut self, _: &[bool], r: &[Vec3], z: &mut [Vec3]) {
                for (z, r) in z.iter_mut().zip(r) {
                    *z = *r * self.0;
                }
            }
        }
        let solve = |rhs: &[Vec3], scale, ends: &[usize]| {
            let mut x = vec![Vec3::ZERO; 10];
            let mut pcg = PartPcg::new();
            pcg.solve(
                &system(&matrix, ends, rhs),
                &mut Scale(scale),
                &mut x,
                (1e-3, 4000),
            )
        };
        let rhs = vec![Vec3::new(1.0, 0.0, 0.0); 10];
        assert!(solve(&rhs, 1.0, &[10]).is_ok());
        assert!(solve(&rhs[..9], 1.0, &[10]).is_err());
        assert!(solve(&rhs, 1.0, &[9]).is_err());
        assert!(solve(&rhs, 1.0, &[4, 3, 10]).is_err());
        let nan = vec![Vec3::new(f64::NAN, 0.0, 0.0); 10];
        let what = "right-hand side";
        assert_eq!(solve(&nan, 1.0, &[10]), Err(SolveError::NonFinite { what }));
        assert!(matches!(
            solve(&rhs, -1.0, &[10]),
            Err(SolveError::NegativeCurvature {
                operator: "preconditioner",
                iteration: 1,
                ..
            })
        ));
    }
}
