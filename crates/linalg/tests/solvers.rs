//! The conformance tests of every linear solver, and faer's factorisation as an oracle of ours.

use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{MatRef, Side};
use pliant_linalg::testing::{random_vector, spring_grid};
use pliant_linalg::{
    BlockMatrix, Llt, LltSymbolic, Pcg, PcgSettings, Preconditioner, SolveError, SolveScratch,
    Vec3, flat, solver_tests,
};
use std::sync::Arc as Shared;

#[derive(Default)]
struct Direct {
    llt: Option<Llt>,
    scratch: SolveScratch,
}

impl pliant_linalg::testing::TestedSolver for Direct {
    fn prepare(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        let llt = match self.llt.take() {
            Some(llt) if llt.symbolic().pattern() == matrix.pattern() => self.llt.insert(llt),
            _ => {
                let symbolic = LltSymbolic::new(matrix.pattern())?;
                self.llt.insert(Llt::new(Shared::new(symbolic)))
            }
        };
        llt.factorize(matrix)
    }
    fn solve(&mut self, rhs: &[Vec3], x: &mut [Vec3]) -> Result<(), SolveError> {
        x.copy_from_slice(rhs);
        let llt = self.llt.as_ref().ok_or(SolveError::NotFactorized)?;
        llt.solve(x, &mut self.scratch)
    }
}

struct Iterative {
    pcg: Pcg,
    preconditioner: Preconditioner,
    matrix: Option<BlockMatrix>,
}

impl Iterative {
    fn new(preconditioner: Preconditioner) -> Iterative {
        Iterative {
            pcg: Pcg::new(),
            preconditioner,
            matrix: None,
        }
    }
}

impl pliant_linalg::testing::TestedSolver for Iterative {
    fn prepare(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        self.matrix = Some(matrix.clone());
        self.preconditioner
            .prepare(matrix.diagonal_blocks(), &vec![0.5; matrix.row_count()])
    }
    fn solve(&mut self, rhs: &[Vec3], x: &mut [Vec3]) -> Result<(), SolveError> {
        let settings = PcgSettings {
            relative_tolerance: 1e-10,
            max_iterations: 4000,
            ..PcgSettings::default()
        };
        let matrix = self.matrix.as_ref().ok_or(SolveError::NotFactorized)?;
        let report = self
            .pcg
            .solve(matrix, &self.preconditioner, rhs, x, &settings)?;
        assert!(report.converged);
        Ok(())
    }
}

solver_tests!(llt, Direct::default(), 1e-13);
solver_tests!(
    pcg_identity,
    Iterative::new(Preconditioner::Identity),
    1.1e-10
);
solver_tests!(pcg_mass, Iterative::new(Preconditioner::mass()), 1.1e-10);
solver_tests!(
    pcg_jacobi,
    Iterative::new(Preconditioner::jacobi()),
    1.1e-10
);
solver_tests!(
    pcg_block_jacobi,
    Iterative::new(Preconditioner::block_jacobi()),
    1.1e-10
);

#[test]
fn llt_agrees_with_faer() {
    let matrix = spring_grid([10, 8, 8]);
    let n = matrix.row_count();
    let mut entries = Vec::new();
    for i in 0..n {
        for &j in matrix.pattern().row(i) {
            let block = matrix.block(i, j as usize);
            for r in 0..3 {
                for c in 0..3 {
                    entries.push(Triplet::new(3 * i + r, 3 * j as usize + c, block.at(r, c)));
                }
            }
        }
    }
    let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(3 * n, 3 * n, &entries).unwrap();
    let rhs = random_vector(n, 1);
    let oracle = sparse
        .sp_cholesky(Side::Lower)
        .unwrap()
        .solve(MatRef::from_column_major_slice(flat(&rhs), 3 * n, 1));
    let mut x = rhs.clone();
    let llt = Llt::from_matrix(&matrix).unwrap();
    llt.solve(&mut x, &mut SolveScratch::new()).unwrap();
    let scale = x.iter().fold(0.0_f64, |m, v| m.max(v.max_abs()));
    for (k, value) in flat(&x).iter().enumerate() {
        assert!((value - oracle[(k, 0)]).abs() < 1e-11 * scale);
    }
}
