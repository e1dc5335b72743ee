//! Kept blocks of A⁻¹ against full solves, against the Gram matrix from scratch, and against themselves with another history.

use crate::gram::tests::{columns_of, oracle, random_columns};
use crate::testing::{Random, fill_spd, grid_pattern, random_spd, spring_grid};
use crate::{
    BlockMatrix, BlockPattern, BlockRows, GramScratch, Llt, LltSymbolic, Mat3, NodeCompliance,
    Reuse, SolveError, SparseColumns,
};
use std::sync::Arc;

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

fn gram_of(llt: &Llt, columns: &SparseColumns) -> BlockRows {
    let mut w = BlockRows::default();
    llt.gram(columns, &mut GramScratch::new(), &mut w).unwrap();
    w
}

fn fresh(llt: &Llt, columns: &SparseColumns) -> BlockRows {
    let mut w = BlockRows::default();
    let reuse = NodeCompliance::new().gram(llt, columns, &mut w).unwrap();
    assert_eq!(reuse.touched, reuse.solved);
    w
}

/// Checks values, structure and symmetry.
fn check(matrix: &BlockMatrix, columns: &SparseColumns) {
    let llt = Llt::from_matrix(matrix).unwrap();
    let w = fresh(&llt, columns);
    let from_scratch = gram_of(&llt, columns);
    assert_eq!(w.starts, from_scratch.starts);
    assert_eq!(w.columns, from_scratch.columns);
    let expected = oracle(&llt, columns);
    let groups = columns.group_count();
    let scale = (0..groups)
        .map(|g| expected.block(g, g).max_abs())
        .fold(0.0, f64::max);
    for i in 0..groups {
        for j in 0..groups {
            let block = w.block(i, j);
            for other in [expected.block(i, j), from_scratch.block(i, j)] {
                let error = (block - other).max_abs();
                assert!(error <= 1e-12 * scale, "({i}, {j}): {error:e} of {scale:e}");
            }
            assert_eq!(block, w.block(j, i).transpose());
        }
    }
}

#[test]
fn equals_full_solves_and_the_gram_matrix() {
    for (n, groups) in [(1, 1), (2, 3), (5, 9), (60, 7), (300, 30), (700, 53)] {
        check(&random_spd(n, n as u64), &random_columns(groups, n, 3));
    }
    check(&spring_grid([7, 5, 5]), &random_columns(40, 8 * 36, 5));
    // wide supernodes, and enough groups for several threads
    let matrix = fill_spd(Arc::new(grid_pattern([12, 11, 11])), 4);
    let face: Vec<[u32; 1]> = (0..70).map(|k| [13 * 2 * k]).collect();
    let face: Vec<&[u32]> = face.iter().map(|row| row.as_slice()).collect();
    check(&matrix, &columns_of(&face, 6));
    check(&matrix, &random_columns(66, matrix.row_count(), 7));
}

#[test]
fn groups_of_several_trees_have_the_blocks_they_share() {
    // six chains of nine nodes
    let edges: Vec<[u32; 2]> = (0..54).filter(|i| i % 9 != 8).map(|i| [i, i + 1]).collect();
    let matrix = fill_spd(Arc::new(BlockPattern::from_edges(54, &edges).unwrap()), 2);
    let groups: &[&[u32]] = &[&[20], &[0, 1], &[], &[8, 9], &[17, 12, 17], &[2, 31, 20]];
    check(&matrix, &columns_of(groups, 3));
    check(&matrix, &random_columns(90, 54, 8));
}

/// Some nodes, clustered and repeated.
fn random_nodes(random: &mut Random, node_count: usize) -> Vec<u32> {
    let centre = random.below(node_count);
    let reach = 1 + random.below(node_count);
    let count = random.below(40);
    (0..count)
        .map(|_| ((centre + random.below(reach)) % node_count) as u32)
        .collect()
}

#[test]
fn bits_do_not_depend_on_history() {
    let bodies: Vec<[u32; 2]> = (0..400)
        .filter(|i| i % 50 != 49)
        .flat_map(|i| [[i, i + 1], [i, (i + 7).min(i / 50 * 50 + 49)]])
        .filter(|[i, j]| i != j)
        .collect();
    let patterns = [
        Arc::new(grid_pattern([13, 9, 9])),
        Arc::new(BlockPattern::from_edges(400, &bodies).unwrap()),
    ];
    for (seed, pattern) in patterns.into_iter().enumerate() {
        let n = pattern.row_count();
        let matrices = [1, 2].map(|seed| fill_spd(Arc::clone(&pattern), seed));
        let mut llt = Llt::from_matrix(&matrices[0]).unwrap();
        let mut random = Random::new(seed as u64);
        // without limit, with limits that evict always, often and rarely
        let mut caches: Vec<NodeCompliance> = vec![NodeCompliance::new()];
        caches.extend([0, 60, 250].map(NodeCompliance::with_limit));
        for step in 0..40 {
            if random.below(8) == 0 {
                llt.factorize(&matrices[step % 2]).unwrap();
                // told or not, the cache notices
                if random.below(2) == 0 {
                    caches.iter_mut().for_each(NodeCompliance::clear);
                }
            }
            let columns = random_columns(1 + random.below(40), n, step as u64);
            let expected = on_threads(1, || fresh(&llt, &columns));
            for cache in &mut caches {
                let nodes = random_nodes(&mut random, n);
                match random.below(3) {
                    0 => drop(cache.require(&llt, &nodes).unwrap()),
                    1 => drop(cache.couple(&llt, &nodes).unwrap()),
                    _ => {}
                }
                let threads = 1 + random.below(3);
                let mut w = BlockRows::default();
                on_threads(threads, || cache.gram(&llt, &columns, &mut w)).unwrap();
                assert_eq!(w, expected, "step {step}");
            }
        }
    }
}

#[test]
fn blocks_of_nodes_do_not_depend_on_the_columns_around_them() {
    let matrix = fill_spd(Arc::new(grid_pattern([12, 11, 11])), 4);
    let llt = Llt::from_matrix(&matrix).unwrap();
    let unit = |nodes: &[u32]| SparseColumns {
        starts: (0..=nodes.len()).collect(),
        rows: nodes.to_vec(),
        blocks: vec![Mat3::IDENTITY; nodes.len()],
    };
    let mut random = Random::new(3);
    let nodes: Vec<u32> = (0..120)
        .map(|_| random.below(matrix.row_count()) as u32)
        .collect();
    let all = fresh(&llt, &unit(&nodes));
    for _ in 0..150 {
        let [i, j] = [0; 2].map(|_| random.below(nodes.len()));
        let two = fresh(&llt, &unit(&[nodes[i], nodes[j]]));
        assert_eq!(two.block(0, 1), all.block(i, j));
        assert_eq!(two.block(0, 0), all.block(i, i));
    }
}

#[test]
fn the_limit_holds_and_the_least_used_go_first() {
    let matrix = fill_spd(Arc::new(grid_pattern([9, 9, 9])), 1);
    let llt = Llt::from_matrix(&matrix).unwrap();
    let mut cache = NodeCompliance::with_limit(32);
    let nodes = |start: u32, count: u32| (start..start + count).collect::<Vec<u32>>();
    assert_eq!(cache.require(&llt, &nodes(0, 16)), Ok(16));
    assert_eq!(cache.require(&llt, &nodes(100, 16)), Ok(16));
    assert_eq!(cache.require(&llt, &nodes(0, 16)), Ok(0));
    assert_eq!(cache.len(), 32);
    assert_eq!(cache.require(&llt, &nodes(200, 8)), Ok(8));
    assert!(cache.len() <= 32);
    assert_eq!(cache.require(&llt, &nodes(0, 16)), Ok(0));
    assert!(cache.require(&llt, &nodes(100, 16)).unwrap() >= 8);
    // a call may need more
    let groups: Vec<u32> = nodes(300, 100);
    let groups: Vec<&[u32]> = groups.chunks(2).collect();
    let columns = columns_of(&groups, 1);
    let mut w = BlockRows::default();
    let reuse = cache.gram(&llt, &columns, &mut w).unwrap();
    assert_eq!(
        reuse,
        Reuse {
            touched: 100,
            solved: 100
        }
    );
    assert_eq!(cache.len(), 100);
    assert_eq!(cache.gram(&llt, &columns, &mut w).unwrap().solved, 0);
    cache.require(&llt, &nodes(0, 16)).unwrap();
    assert!(cache.len() <= 32);
    cache.clear();
    assert!(cache.is_empty());
    assert_eq!(cache.require(&llt, &nodes(0, 16)), Ok(16));
}

#[test]
fn another_factor_is_noticed() {
    fn moves<T: Send + 'static>(value: T) -> T {
        std::thread::spawn(|| value).join().unwrap()
    }
    let mut cache = NodeCompliance::new();
    let mut w = BlockRows::default();
    for (n, seed) in [(80, 1), (300, 2), (40, 3), (300, 2), (300, 9)] {
        let llt = Llt::from_matrix(&random_spd(n, seed)).unwrap();
        let columns = random_columns(20, n, seed);
        let reuse = cache.gram(&llt, &columns, &mut w).unwrap();
        assert_eq!(reuse.touched, reuse.solved);
        assert_eq!(w, fresh(&llt, &columns));
        cache = moves(cache);
        assert_eq!(cache.gram(&llt, &columns, &mut w).unwrap().solved, 0);
    }
}

#[test]
fn bad_input_is_an_error_and_harms_nothing() {
    let matrix = random_spd(10, 1);
    let llt = Llt::from_matrix(&matrix).unwrap();
    let mut cache = NodeCompliance::new();
    let mut w = BlockRows::default();
    let outside = SolveError::NoSuchNode {
        node: 10,
        node_count: 10,
    };
    assert_eq!(cache.require(&llt, &[1, 10]), Err(outside.clone()));
    assert_eq!(
        cache.gram(&llt, &columns_of(&[&[1, 10]], 1), &mut w),
        Err(outside)
    );
    let mut broken = columns_of(&[&[1], &[2, 3]], 1);
    broken.blocks.pop();
    assert!(cache.gram(&llt, &broken, &mut w).is_err());
    let good = columns_of(&[&[1], &[2, 3]], 1);
    let empty = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern()).unwrap()));
    assert_eq!(
        cache.gram(&empty, &good, &mut w),
        Err(SolveError::NotFactorized)
    );
    assert_eq!(cache.require(&empty, &[]), Err(SolveError::NotFactorized));
    cache.gram(&llt, &good, &mut w).unwrap();
    assert_eq!(w, fresh(&llt, &good));
    cache.gram(&llt, &SparseColumns::default(), &mut w).unwrap();
    assert_eq!(w.row_count(), 0);
}
