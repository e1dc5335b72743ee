//! The Gram matrix against dense solves, on patterns of every kind.

use crate::testing::{Random, fill_spd, grid_pattern, random_spd, spring_grid};
use crate::vec3::vec3;
use crate::{
    BlockMatrix, BlockPattern, BlockRows, GramScratch, Llt, LltSymbolic, Mat3, SolveError,
    SolveScratch, SparseColumns, Vec3,
};
use std::sync::Arc;

fn random_block(random: &mut Random) -> Mat3 {
    let mut column = || vec3(random.signed(), random.signed(), random.signed());
    Mat3::from_columns(column(), column(), column())
}

/// Groups with 0 to 5 entries, some of them in the same row.
pub(crate) fn random_columns(groups: usize, node_count: usize, seed: u64) -> SparseColumns {
    let mut random = Random::new(seed);
    let mut columns = SparseColumns {
        starts: vec![0],
        ..Default::default()
    };
    for _ in 0..groups {
        for _ in 0..random.below(6) {
            let near = columns.rows.last().copied().unwrap_or(0);
            let row = match random.below(4) {
                0 => near,
                _ => random.below(node_count) as u32,
            };
            columns.rows.push(row);
            columns.blocks.push(random_block(&mut random));
        }
        columns.starts.push(columns.rows.len());
    }
    columns
}

pub(crate) fn columns_of(groups: &[&[u32]], seed: u64) -> SparseColumns {
    let mut random = Random::new(seed);
    let mut columns = SparseColumns {
        starts: vec![0],
        ..Default::default()
    };
    for group in groups {
        columns.rows.extend_from_slice(group);
        let blocks = group.iter().map(|_| random_block(&mut random));
        columns.blocks.extend(blocks);
        columns.starts.push(columns.rows.len());
    }
    columns
}

/// Cᵀ A⁻¹ C by a full solve for every column.
pub(crate) fn oracle(llt: &Llt, columns: &SparseColumns) -> BlockRows {
    let groups = columns.group_count();
    let n = llt.symbolic().row_count();
    let mut scratch = SolveScratch::new();
    let solved: Vec<[Vec<Vec3>; 3]> = (0..groups)
        .map(|g| {
            std::array::from_fn(|c| {
                let mut x = vec![Vec3::ZERO; n];
                for k in columns.starts[g]..columns.starts[g + 1] {
                    x[columns.rows[k] as usize] += columns.blocks[k].columns[c];
                }
                llt.solve(&mut x, &mut scratch).unwrap();
                x
            })
        })
        .collect();
    BlockRows::dense(groups, |i, j| {
        let mut block = Mat3::ZERO;
        for k in columns.starts[i]..columns.starts[i + 1] {
            let x = [0, 1, 2].map(|c| solved[j][c][columns.rows[k] as usize]);
            block += columns.blocks[k].transpose() * Mat3::from_columns(x[0], x[1], x[2]);
        }
        block
    })
}

/// Checks values, structure, symmetry and absent blocks; returns W.
fn check(matrix: &BlockMatrix, columns: &SparseColumns) -> BlockRows {
    let llt = Llt::from_matrix(matrix).unwrap();
    let mut w = BlockRows::default();
    llt.gram(columns, &mut GramScratch::new(), &mut w).unwrap();
    let expected = oracle(&llt, columns);
    let groups = columns.group_count();
    assert_eq!(w.row_count(), groups);
    assert_eq!(w.columns.len(), w.blocks.len());
    let scale = (0..groups)
        .map(|g| expected.block(g, g).max_abs())
        .fold(0.0, f64::max);
    for i in 0..groups {
        let row = w.row(i).0;
        assert!(row.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(row.contains(&(i as u32)));
        for j in 0..groups {
            let error = (w.block(i, j) - expected.block(i, j)).max_abs();
            assert!(error <= 1e-10 * scale, "({i}, {j}): {error:e} of {scale:e}");
            assert_eq!(w.block(i, j), w.block(j, i).transpose());
            assert_eq!(row.contains(&(j as u32)), w.row(j).0.contains(&(i as u32)));
        }
    }
    w
}

#[test]
fn equals_dense_solves_on_random_patterns() {
    for (n, groups) in [(1, 1), (2, 3), (5, 9), (60, 7), (300, 30), (700, 53)] {
        check(&random_spd(n, n as u64), &random_columns(groups, n, 3));
    }
}

#[test]
fn equals_dense_solves_on_grids() {
    check(&spring_grid([7, 5, 5]), &random_columns(40, 8 * 36, 5));
    // wide supernodes: several blocks of columns, tiles of every size
    let matrix = fill_spd(Arc::new(grid_pattern([12, 11, 11])), 4);
    let face: Vec<[u32; 1]> = (0..25).map(|k| [13 * 5 * k]).collect();
    let face: Vec<&[u32]> = face.iter().map(|row| row.as_slice()).collect();
    let w = check(&matrix, &columns_of(&face, 6));
    assert_eq!(w.columns.len(), 25 * 25);
    check(&matrix, &random_columns(20, matrix.row_count(), 7));
}

#[test]
fn groups_without_a_common_part_have_no_block() {
    // four chains of nine nodes
    let edges: Vec<[u32; 2]> = (0..36).filter(|i| i % 9 != 8).map(|i| [i, i + 1]).collect();
    let pattern = Arc::new(BlockPattern::from_edges(36, &edges).unwrap());
    let groups: &[&[u32]] = &[
        &[20],
        &[0, 1],
        &[],
        &[8, 9],
        &[17, 12, 17],
        &[30],
        &[2, 31, 20],
        &[],
    ];
    let w = check(&fill_spd(pattern, 2), &columns_of(groups, 3));
    let rows: [&[u32]; 8] = [
        &[0, 6],
        &[1, 3, 6],
        &[2],
        &[1, 3, 4, 6],
        &[3, 4],
        &[5, 6],
        &[0, 1, 3, 5, 6],
        &[7],
    ];
    for (i, row) in rows.into_iter().enumerate() {
        assert_eq!(w.row(i).0, row);
    }
    assert_eq!(w.block(2, 2), Mat3::ZERO);
}

#[test]
fn rows_held_fixed_answer_with_the_identity() {
    let pattern = Arc::new(grid_pattern([5, 4, 4]));
    let free = fill_spd(Arc::clone(&pattern), 9);
    let fixed = |i: usize| i.is_multiple_of(6);
    let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
    for i in 0..pattern.row_count() {
        for &j in pattern.row(i) {
            let j = j as usize;
            if !fixed(i) && !fixed(j) {
                matrix.add_block(i, j, free.block(i, j));
            }
        }
        if fixed(i) {
            matrix.add_diagonal(i, Mat3::IDENTITY);
        }
    }
    let w = check(&matrix, &columns_of(&[&[6], &[7], &[12, 13], &[6, 20]], 1));
    assert_eq!(w.block(0, 1), Mat3::ZERO);
    check(&matrix, &random_columns(30, pattern.row_count(), 2));
}

#[test]
fn bits_depend_on_neither_threads_nor_scratch() {
    let matrix = fill_spd(Arc::new(grid_pattern([14, 9, 9])), 8);
    let llt = Llt::from_matrix(&matrix).unwrap();
    let columns = random_columns(70, matrix.row_count(), 4);
    let run = |threads, scratch: &mut GramScratch, w: &mut BlockRows| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| llt.gram(&columns, scratch, w)).unwrap();
    };
    let (mut scratch, mut w) = (GramScratch::new(), BlockRows::default());
    run(1, &mut scratch, &mut w);
    let first = w.clone();
    for threads in [2, 3] {
        let mut fresh = BlockRows::default();
        run(threads, &mut GramScratch::new(), &mut fresh);
        assert_eq!(fresh, first);
    }
    // another factor and other columns in between
    let other = random_spd(80, 1);
    let small = Llt::from_matrix(&other).unwrap();
    small
        .gram(&random_columns(9, 80, 1), &mut scratch, &mut w)
        .unwrap();
    assert_eq!(w.row_count(), 9);
    run(2, &mut scratch, &mut w);
    assert_eq!(w, first);
}

#[test]
fn bad_columns_are_errors() {
    let matrix = random_spd(10, 1);
    let llt = Llt::from_matrix(&matrix).unwrap();
    let mut w = BlockRows::default();
    let mut run = |llt: &Llt, columns: &SparseColumns| {
        llt.gram(columns, &mut GramScratch::new(), &mut w)
            .map(|()| w.row_count())
    };
    assert_eq!(run(&llt, &SparseColumns::default()), Ok(0));
    let good = columns_of(&[&[1], &[2, 3]], 1);
    assert_eq!(run(&llt, &good), Ok(2));
    let outside = columns_of(&[&[1, 10]], 1);
    assert_eq!(
        run(&llt, &outside),
        Err(SolveError::NoSuchNode {
            node: 10,
            node_count: 10
        })
    );
    let broken: [fn(&mut SparseColumns); 4] = [
        |c| c.starts = vec![0, 3, 2, 3],
        |c| c.starts = vec![0, 1],
        |c| c.starts = vec![1, 3],
        |c| c.blocks.truncate(2),
    ];
    for breaks in broken {
        let mut columns = good.clone();
        breaks(&mut columns);
        let error = run(&llt, &columns).unwrap_err();
        assert!(matches!(error, SolveError::SizeMismatch { .. }), "{error}");
    }
    let empty = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern()).unwrap()));
    assert_eq!(run(&empty, &good), Err(SolveError::NotFactorized));
}
