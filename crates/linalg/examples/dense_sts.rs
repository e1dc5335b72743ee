//! Times W = Cᵀ A⁻¹ C by dense columns against the path solves of `gram`; minimum of interleaved runs.
//!
//! `cargo run --release -p pliant-linalg --example dense_sts [cells_x cells_y cells_z groups runs]`

use pliant_linalg::testing::{Random, fill_spd, spring_grid};
use pliant_linalg::{BlockPattern, BlockRows, DenseScratch, GramScratch, Llt, Mat3, SparseColumns};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<usize> = std::env::args()
        .skip(1)
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let (cells, groups, runs) = match words[..] {
        [x, y, z, groups, runs] => ([x, y, z], groups, runs),
        _ => ([16, 16, 68], 750, 3),
    };
    let pools: Vec<rayon::ThreadPool> = (1..=2)
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .collect::<Result<_, _>>()?;

    let matrix = spring_grid(cells);
    let nodes = matrix.row_count();
    let llt = Llt::from_matrix(&matrix)?;
    // contacts of one node each, anywhere on the face z = 0 and the four sides
    let [nx, ny, _] = cells.map(|c| c + 1);
    let surface = |i: usize| {
        let (x, y) = (i % nx, i / nx % ny);
        x == 0 || y == 0 || x == nx - 1 || y == ny - 1 || i < nx * ny
    };
    let mut random = Random::new(1);
    let mut columns = SparseColumns {
        starts: (0..=groups).collect(),
        ..SparseColumns::default()
    };
    while columns.rows.len() < groups {
        let node = random.below(nodes);
        if surface(node) {
            columns.rows.push(node as u32);
            columns.blocks.push(Mat3::IDENTITY);
        }
    }
    let (n, c) = (3.0 * nodes as f64, 3.0 * groups as f64);
    let substitution = 2e-9 * llt.symbolic().factor_entries() as f64 * c;
    let product = 1e-9 * n * c * (c + 1.0);
    println!(
        "grid {cells:?}: {nodes} nodes, {:.1} M entries of L, {c} columns: {substitution:.1} + {product:.1} GFlop",
        llt.symbolic().factor_entries() as f64 * 1e-6
    );

    // the kernel of the factorisation on a dense matrix, for what the machine can do
    let dense_nodes = 600;
    let clique: Vec<u32> = (0..dense_nodes).collect();
    let pattern = BlockPattern::from_cliques(clique.len(), std::iter::once(&clique[..]))?;
    let full = fill_spd(Arc::new(pattern), 1);
    let mut full_llt = Llt::from_matrix(&full)?;

    let mut best = [[f64::INFINITY; 3]; 2];
    let (mut dense_scratch, mut scratch) = (DenseScratch::new(), GramScratch::new());
    let mut w = [BlockRows::default(), BlockRows::default()];
    for _ in 0..runs {
        for (pool, best) in pools.iter().zip(&mut best) {
            let mut time = |k: usize, work: &mut (dyn FnMut() + Send)| {
                let start = Instant::now();
                pool.install(work);
                best[k] = best[k].min(start.elapsed().as_secs_f64());
            };
            time(0, &mut || {
                llt.dense_gram(&columns, &mut dense_scratch, &mut w[0])
                    .expect("factorised");
            });
            time(1, &mut || {
                llt.gram(&columns, &mut scratch, &mut w[1])
                    .expect("factorised");
            });
            for _ in 0..5 {
                time(2, &mut || full_llt.factorize(&full).expect("definite"));
            }
        }
    }
    for (threads, [dense, paths, factor]) in best.into_iter().enumerate() {
        println!(
            "  {} threads: dense {:.3} s, {:.1} GFlop/s; paths {:.3} s, {:.1} times faster; dense factor {:.1} GFlop/s",
            threads + 1,
            dense,
            (substitution + product) / dense,
            paths,
            dense / paths,
            full_llt.symbolic().factor_flops() * 1e-9 / factor
        );
    }
    let scale = (w[0].blocks.iter()).fold(0.0_f64, |most, block| most.max(block.max_abs()));
    let mut error = 0.0_f64;
    for i in 0..groups {
        for j in 0..groups {
            error = error.max((w[0].block(i, j) - w[1].block(i, j)).max_abs());
        }
    }
    println!("  largest difference {:.1e} of {scale:.1e}", error);
    Ok(())
}
