//! Every way to build the compliance of constraints gives Cᵀ A⁻¹ C.

use pliant_linalg::{
    BlockMatrix, BlockPattern, BlockRows, Llt, Mat3, SolveScratch, SparseColumns, Vec3, vec3,
};
use pliant_solid::constraint::{ByParts, Compliance, PathSolves, WholeSolves};
use std::sync::Arc;

/// Numbers without a pattern, the same every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn block(&mut self) -> Mat3 {
        let row = |noise: &mut Noise| [noise.next(), noise.next(), noise.next()];
        Mat3::from_rows([row(self), row(self), row(self)])
    }
}

/// Two separate chains of springs between nodes with mass, each spring with its own stiffness.
fn matrix(noise: &mut Noise) -> BlockMatrix {
    let springs: Vec<[u32; 2]> = (0..40u32)
        .flat_map(|i| [[i, i + 1], [i, i + 3]])
        .filter(|[a, b]| (*a < 20) == (*b < 20) && *b < 40)
        .collect();
    let cliques = springs.iter().map(|s| s.as_slice());
    let pattern = Arc::new(BlockPattern::from_cliques(40, cliques).unwrap());
    let mut matrix = BlockMatrix::new(pattern);
    for &[a, b] in &springs {
        let root = noise.block();
        let stiffness = root * root.transpose();
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            assert!(matrix.add_block(i as usize, j as usize, stiffness * sign));
        }
    }
    for row in 0..40 {
        matrix.add_diagonal(row, Mat3::IDENTITY * 0.1);
    }
    matrix
}

#[test]
fn compliances_are_that_of_the_inverse() {
    let mut noise = Noise(7);
    let matrix = matrix(&mut noise);
    let factor = Llt::from_matrix(&matrix).unwrap();
    // contacts on one node, on four, between the chains, and one that touches nothing
    let ends: [&[u32]; 5] = [&[3], &[17, 18, 19, 16], &[5, 30, 31], &[39], &[]];
    let mut columns = SparseColumns::default();
    columns.starts.push(0);
    for rows in ends {
        for &row in rows {
            columns.rows.push(row);
            columns.blocks.push(noise.block());
        }
        columns.starts.push(columns.rows.len());
    }
    let dense = {
        let mut solved = vec![vec![Vec3::ZERO; 40]; 15];
        for (k, column) in solved.iter_mut().enumerate() {
            for at in columns.starts[k / 3]..columns.starts[k / 3 + 1] {
                let axis = [
                    vec3(1.0, 0.0, 0.0),
                    vec3(0.0, 1.0, 0.0),
                    vec3(0.0, 0.0, 1.0),
                ][k % 3];
                column[columns.rows[at] as usize] += columns.blocks[at] * axis;
            }
        }
        let right = solved.clone();
        for column in &mut solved {
            factor.solve(column, &mut SolveScratch::new()).unwrap();
        }
        let entry = |i: usize, j: usize| -> f64 {
            right[i]
                .iter()
                .zip(&solved[j])
                .map(|(a, b)| a.dot(*b))
                .sum()
        };
        BlockRows::dense(5, |i, j| {
            let row = |r: usize| [0, 1, 2].map(|c| entry(3 * i + r, 3 * j + c));
            Mat3::from_rows([row(0), row(1), row(2)])
        })
    };
    let scale = dense.blocks.iter().fold(0.0f64, |m, b| m.max(b.max_abs()));
    let ways: [Box<dyn Compliance>; 2] = [
        Box::new(WholeSolves::default()),
        Box::new(ByParts::<PathSolves>::default()),
    ];
    for mut way in ways {
        let mut w = BlockRows::default();
        way.delassus(&columns, &factor, &mut w).unwrap();
        assert_eq!(w.row_count(), 5);
        for i in 0..5 {
            for j in 0..5 {
                let error = (w.block(i, j) - dense.block(i, j)).max_abs();
                assert!(error < 1e-10 * scale, "{i} {j}: {error:e}");
            }
        }
        assert_eq!(w.block(4, 4), Mat3::ZERO);
        assert!(w.block(0, 3).max_abs() < 1e-12 * scale, "separate chains");
    }
}
