//! Bundles hold what single solves give, for any number of columns and threads.

use super::Bundle;
use crate::testing::{Random, random_vector, spring_grid};
use crate::{BlockMatrix, Llt, Mat3, SolveScratch, SparseColumns, Vec3, vec3};

/// Groups of columns with nonzeros at a few nodes next to each other.
fn sparse_columns(groups: usize, nodes: usize, random: &mut Random) -> SparseColumns {
    let mut columns = SparseColumns {
        starts: vec![0],
        ..SparseColumns::default()
    };
    for _ in 0..groups {
        let first = random.below(nodes);
        for node in first..nodes.min(first + 4) {
            let mut column = || vec3(random.signed(), random.signed(), random.signed());
            columns.rows.push(node as u32);
            let block = Mat3::from_columns(column(), column(), column());
            columns.blocks.push(block);
        }
        columns.starts.push(columns.rows.len());
    }
    columns
}

/// All right-hand sides as fields.
fn fields(nodes: usize, sparse: &SparseColumns, dense: &[&[Vec3]]) -> Vec<Vec<Vec3>> {
    let of_group = |group: usize, axis: usize| {
        let mut field = vec![Vec3::ZERO; nodes];
        for at in sparse.entries(group) {
            field[sparse.rows[at] as usize] += sparse.blocks[at].columns[axis];
        }
        field
    };
    let groups = 0..sparse.group_count();
    let sparse = groups.flat_map(|group| (0..3).map(move |axis| of_group(group, axis)));
    sparse.chain(dense.iter().map(|d| d.to_vec())).collect()
}

fn check(matrix: &BlockMatrix, counts: &[(usize, usize)]) {
    let nodes = matrix.row_count();
    let llt = Llt::from_matrix(matrix).unwrap();
    let mut random = Random::new(5);
    let mut bundle = Bundle::new();
    for &(groups, dense) in counts {
        let sparse = sparse_columns(groups, nodes, &mut random);
        let dense: Vec<Vec<Vec3>> = (0..dense as u64).map(|k| random_vector(nodes, k)).collect();
        let dense: Vec<&[Vec3]> = dense.iter().map(Vec::as_slice).collect();
        llt.solve_bundle(&sparse, &dense, &mut bundle).unwrap();
        let mut found = vec![Vec3::ZERO; nodes];
        for (lane, mut x) in fields(nodes, &sparse, &dense).into_iter().enumerate() {
            llt.solve(&mut x, &mut SolveScratch::new()).unwrap();
            bundle.column(lane, &mut found);
            let size = x.iter().map(|x| x.norm()).fold(0.0, f64::max);
            for (node, (&x, &found)) in x.iter().zip(&found).enumerate() {
                let same = (x - found).norm() <= 1e-13 * size;
                assert!(same, "{groups} groups, column {lane}, node {node}");
                for axis in 0..3 {
                    assert_eq!(bundle.row(3 * node + axis)[lane], found[axis]);
                }
            }
        }
    }
}

#[test]
fn columns_are_those_of_single_solves() {
    let counts = [
        (0, 0),
        (0, 1),
        (1, 0),
        (2, 2),
        (4, 1),
        (5, 1),
        (7, 1),
        (10, 2),
        (11, 1),
        (30, 3),
    ];
    check(&spring_grid([9, 5, 5]), &counts);
    // fronts of more rows than a chunk has
    check(&spring_grid([16, 12, 12]), &[(10, 1), (4, 1)]);
}

/// Bit for bit, on one thread and on several, and whether memory is new or not.
#[test]
fn threads_change_nothing() {
    let matrix = spring_grid([16, 12, 12]);
    let nodes = matrix.row_count();
    let llt = Llt::from_matrix(&matrix).unwrap();
    let force = random_vector(nodes, 1);
    let mut used = Bundle::new();
    for groups in [4, 10, 12] {
        let sparse = sparse_columns(groups, nodes, &mut Random::new(groups as u64));
        let mut results = Vec::new();
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            let solve = |bundle: &mut Bundle| llt.solve_bundle(&sparse, &[&force], bundle);
            let mut bundle = Bundle::new();
            pool.install(|| solve(&mut bundle)).unwrap();
            pool.install(|| solve(&mut used)).unwrap();
            assert_eq!(bundle.numbers(), used.numbers());
            results.push(bundle);
        }
        assert!(results.iter().all(|r| r.numbers() == results[0].numbers()));
    }
}
