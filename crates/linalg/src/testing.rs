//! Matrices and checks shared by the tests of the linear solvers.

#![allow(clippy::unwrap_used)]

use crate::block_matrix::{BlockMatrix, BlockPattern};
use crate::mat3::Mat3;
use crate::vec3::{Vec3, vec3};
use std::sync::Arc;

/// A small deterministic generator (splitmix64).
pub struct Random(u64);

impl Random {
    /// A generator from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Uniform in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
}

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
