//! Matrices and checks shared by the tests of the linear solvers.

#![allow(clippy::unwrap_used)]

use crate::block_matrix::{BlockMatrix, BlockPattern};
use crate::error::SolveError;
use crate::mat3::Mat3;
pub use crate::random::Random;
use crate::vec3::{Vec3, vec3};
use std::sync::Arc;

/// Entries uniform in [-1, 1).
pub fn random_vector(node_count: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random::new(seed);
    (0..node_count)
        .map(|_| vec3(random.signed(), random.signed(), random.signed()))
        .collect()
}

/// A random graph of about four edges a node, some nodes isolated, with weights that make it positive definite.
pub fn random_spd(node_count: usize, seed: u64) -> BlockMatrix {
    let mut random = Random::new(seed);
    let mut edges = Vec::new();
    for _ in 0..2 * node_count {
        let i = random.below(node_count);
        // mostly short edges, so that the factors stay sparse
        let j = (i + 1 + random.below(9)).min(node_count - 1);
        edges.push([i as u32, j as u32]);
    }
    let pattern = Arc::new(BlockPattern::from_edges(node_count, &edges).unwrap());
    fill_spd(pattern, seed)
}

/// Random symmetric values on a pattern: sum over edges of [1 -1]ᵀ B [1 -1] with B positive definite, plus a small diagonal.
pub fn fill_spd(pattern: Arc<BlockPattern>, seed: u64) -> BlockMatrix {
    let mut random = Random::new(seed ^ 0x55);
    let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
    for i in 0..pattern.row_count() {
        matrix.add_diagonal(i, Mat3::IDENTITY * 0.05);
        for &j in pattern.row(i) {
            let j = j as usize;
            if j > i {
                let a = vec3(random.signed(), random.signed(), random.signed());
                let b = Mat3::outer(a, a) + Mat3::IDENTITY * 0.2;
                matrix.add_diagonal(i, b);
                matrix.add_diagonal(j, b);
                matrix.add_block(i, j, -b);
                matrix.add_block(j, i, -b);
            }
        }
    }
    matrix
}

/// The node pattern of a grid of `cells`, each cell cut into six tetrahedra around its diagonal.
pub fn grid_pattern(cells: [usize; 3]) -> BlockPattern {
    let [nx, ny, nz] = cells.map(|c| c + 1);
    let id = |x: usize, y: usize, z: usize| (x + nx * (y + ny * z)) as u32;
    let mut tetrahedra = Vec::new();
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                for path in [
                    [0, 1, 2],
                    [0, 2, 1],
                    [1, 0, 2],
                    [1, 2, 0],
                    [2, 0, 1],
                    [2, 1, 0],
                ] {
                    let mut corner = [x, y, z];
                    let mut tetrahedron = [id(x, y, z); 4];
                    for (step, axis) in path.into_iter().enumerate() {
                        corner[axis] += 1;
                        tetrahedron[step + 1] = id(corner[0], corner[1], corner[2]);
                    }
                    tetrahedra.push(tetrahedron);
                }
            }
        }
    }
    BlockPattern::from_cliques(nx * ny * nz, tetrahedra.iter().map(|t| t.as_slice())).unwrap()
}

/// Springs along the edges of the grid plus a little mass: as ill-conditioned as a soft bar in a large time step.
pub fn spring_grid(cells: [usize; 3]) -> BlockMatrix {
    let [nx, ny, _] = cells.map(|c| c + 1);
    let place = |i: usize| {
        vec3(
            (i % nx) as f64,
            (i / nx % ny) as f64,
            (i / (nx * ny)) as f64,
        )
    };
    let pattern = Arc::new(grid_pattern(cells));
    let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
    for i in 0..pattern.row_count() {
        matrix.add_diagonal(i, Mat3::IDENTITY * 0.01);
        for &j in pattern.row(i) {
            let j = j as usize;
            if j > i {
                let edge = place(j) - place(i);
                let direction = edge / edge.norm();
                let b = Mat3::outer(direction, direction) * (1.0 / edge.norm());
                matrix.add_diagonal(i, b);
                matrix.add_diagonal(j, b);
                matrix.add_block(i, j, -b);
                matrix.add_block(j, i, -b);
            }
        }
    }
    matrix
}

/// ‖b − A x‖/‖b‖.
pub fn relative_residual(matrix: &BlockMatrix, x: &[Vec3], rhs: &[Vec3]) -> f64 {
    let mut product = vec![Vec3::ZERO; x.len()];
    matrix.multiply(x, &mut product);
    let (mut error, mut norm) = (0.0, 0.0);
    for (q, b) in product.iter().zip(rhs) {
        error += (*q - *b).norm_squared();
        norm += b.norm_squared();
    }
    (error / norm).sqrt()
}

/// What the conformance tests need of a solver.
pub trait TestedSolver {
    /// Takes a matrix; called again for other matrices of the same or another pattern.
    fn prepare(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError>;
    /// x ← A⁻¹ rhs.
    fn solve(&mut self, rhs: &[Vec3], x: &mut [Vec3]) -> Result<(), SolveError>;
}

/// Solves and returns the solution.
pub fn solution(
    solver: &mut dyn TestedSolver,
    matrix: &BlockMatrix,
    rhs: &[Vec3],
) -> Result<Vec<Vec3>, SolveError> {
    solver.prepare(matrix)?;
    let mut x = vec![Vec3::ZERO; rhs.len()];
    solver.solve(rhs, &mut x)?;
    Ok(x)
}

/// The conformance tests of a linear solver: `$make` is an expression of a [`TestedSolver`].
#[macro_export]
macro_rules! solver_tests {
    ($name:ident, $make:expr, $tolerance:expr) => {
        mod $name {
            use super::*;
            use std::sync::Arc;
            use $crate::testing::{
                TestedSolver, fill_spd, random_spd, random_vector, relative_residual, solution,
                spring_grid,
            };
            use $crate::{BlockPattern, Mat3, SolveError, Vec3};

            #[test]
            fn residuals_are_small_on_matrices_of_any_shape() {
                let mut solver = $make;
                let mut matrices: Vec<_> = [1, 2, 3, 50, 700]
                    .into_iter()
                    .map(|n| random_spd(n, n as u64))
                    .collect();
                let components = BlockPattern::from_edges(9, &[[0, 7], [7, 3], [2, 5]]).unwrap();
                matrices.push(fill_spd(Arc::new(components), 1));
                matrices.push(spring_grid([9, 6, 6]));
                for matrix in &matrices {
                    let rhs = random_vector(matrix.row_count(), 2);
                    let x = solution(&mut solver, matrix, &rhs).unwrap();
                    let residual = relative_residual(matrix, &x, &rhs);
                    assert!(residual <= $tolerance, "{} nodes: {residual:e}", rhs.len());
                }
            }

            #[test]
            fn zero_gives_exactly_zero() {
                let matrix = random_spd(60, 4);
                let x = solution(&mut $make, &matrix, &[Vec3::ZERO; 60]).unwrap();
                assert_eq!(x, [Vec3::ZERO; 60]);
            }

            #[test]
            fn changed_values_give_the_same_bits_as_a_fresh_solver() {
                let first = random_spd(300, 6);
                let second = fill_spd(Arc::clone(first.pattern()), 7);
                let rhs = random_vector(300, 8);
                let mut reused = $make;
                solution(&mut reused, &first, &rhs).unwrap();
                let again = solution(&mut reused, &second, &rhs).unwrap();
                assert_eq!(again, solution(&mut $make, &second, &rhs).unwrap());
            }

            #[test]
            fn bits_do_not_depend_on_the_thread_count() {
                // large enough for every kernel to use threads
                let matrix = spring_grid([24, 14, 14]);
                let rhs = random_vector(matrix.row_count(), 9);
                let run = |threads| {
                    let pool = ::rayon::ThreadPoolBuilder::new()
                        .num_threads(threads)
                        .build()
                        .unwrap();
                    pool.install(|| solution(&mut $make, &matrix, &rhs).unwrap())
                };
                let one = run(1);
                assert_eq!(one, run(2));
                assert_eq!(one, run(3));
            }

            #[test]
            fn indefinite_and_non_finite_matrices_are_errors() {
                let mut matrix = random_spd(80, 10);
                let rhs = random_vector(80, 11);
                matrix.add_diagonal(20, Mat3::IDENTITY * -30.0);
                let error = solution(&mut $make, &matrix, &rhs).unwrap_err();
                assert!(
                    matches!(
                        error,
                        SolveError::NotPositiveDefinite { node: 20, .. }
                            | SolveError::NegativeCurvature { .. }
                    ),
                    "{error}"
                );
                matrix.add_diagonal(20, Mat3::IDENTITY * f64::NAN);
                let error = solution(&mut $make, &matrix, &rhs).unwrap_err();
                assert!(matches!(error, SolveError::NonFinite { .. }), "{error}");
            }
        }
    };
}
