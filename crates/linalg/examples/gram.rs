//! Times W = Cᵀ A⁻¹ C against full solves and against the factorisation; minimum and median of interleaved runs.
//!
//! `cargo run --release -p pliant-linalg --example gram`

use pliant_linalg::testing::{Random, fill_spd, grid_pattern};
use pliant_linalg::{
    BlockMatrix, BlockPattern, BlockRows, GramScratch, Llt, LltSymbolic, Mat3, SolveScratch,
    SparseColumns,
};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Nodes across and around a ring.
const ACROSS: usize = 5;
const AROUND: usize = 44;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random::new(1);
    let surface = |k: usize| [0, ACROSS - 1].contains(&(k % ACROSS));
    let nodes = ACROSS * ACROSS * AROUND;
    let rings = fill_spd(Arc::new(ring_pattern(10)?), 1);
    let spread: Vec<u32> = (0..110)
        .map(|c| {
            loop {
                let k = random.below(nodes);
                if surface(k) {
                    break (c / 11 * nodes + k) as u32;
                }
            }
        })
        .collect();
    measure("ten rings, contacts all over", &rings, &spread)?;
    let patch: Vec<u32> = (0..110)
        .map(|c| (c / 11 * nodes + c % 11 / 4 * ACROSS * ACROSS + c % 4 * ACROSS) as u32)
        .collect();
    measure("ten rings, contacts in a patch", &rings, &patch)?;

    let block = fill_spd(Arc::new(grid_pattern([12, 29, 29])), 2);
    for count in [120, 600] {
        let face: Vec<u32> = (0..count)
            .map(|c| (13 * (c * 900 / count)) as u32)
            .collect();
        measure("one block, contacts on a face", &block, &face)?;
    }
    Ok(())
}

/// Rings of square section, cells cut into tetrahedra.
fn ring_pattern(count: usize) -> Result<BlockPattern, Box<dyn std::error::Error>> {
    let paths = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut tetrahedra = Vec::new();
    for ring in 0..count {
        for cell in 0..(ACROSS - 1) * (ACROSS - 1) * AROUND {
            let across = ACROSS - 1;
            let place = [
                cell % across,
                cell / across % across,
                cell / across / across,
            ];
            let id = |[x, y, z]: [usize; 3]| {
                (x + ACROSS * (y + ACROSS * (z % AROUND + AROUND * ring))) as u32
            };
            for path in paths {
                let mut corner = place;
                let mut tetrahedron = [id(place); 4];
                for (step, axis) in path.into_iter().enumerate() {
                    corner[axis] += 1;
                    tetrahedron[step + 1] = id(corner);
                }
                tetrahedra.push(tetrahedron);
            }
        }
    }
    let nodes = ACROSS * ACROSS * AROUND * count;
    Ok(BlockPattern::from_cliques(
        nodes,
        tetrahedra.iter().map(|t| t.as_slice()),
    )?)
}

/// Milliseconds of one call.
fn milliseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

fn measure(
    name: &str,
    matrix: &BlockMatrix,
    rows: &[u32],
) -> Result<(), Box<dyn std::error::Error>> {
    let n = matrix.row_count();
    let mut llt = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern())?));
    llt.factorize(matrix)?;
    println!(
        "{name}: {n} nodes, {} groups, {:.2} M factor entries, {:.2} GFlop",
        rows.len(),
        llt.symbolic().factor_entries() as f64 * 1e-6,
        llt.symbolic().factor_flops() * 1e-9
    );
    let columns = SparseColumns {
        starts: (0..=rows.len()).collect(),
        rows: rows.to_vec(),
        blocks: vec![Mat3::IDENTITY; rows.len()],
    };
    let mut scratch = GramScratch::new();
    let mut w = BlockRows::default();
    let mut solve_scratch = SolveScratch::new();
    let count = 3 * rows.len();
    let mut x = vec![0.0; 3 * n * count];
    let mut dense = vec![0.0; count * count];
    for threads in 1..=2 {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let mut times = [const { Vec::new() }; 3];
        for run in 0..15 {
            times[0].push(milliseconds(|| {
                pool.install(|| llt.factorize(matrix)).expect("definite");
            }));
            times[1].push(milliseconds(|| {
                pool.install(|| llt.gram(&columns, &mut scratch, &mut w))
                    .expect("factorised");
            }));
            if run < 5 {
                times[2].push(milliseconds(|| {
                    x.fill(0.0);
                    for (c, &row) in rows.iter().enumerate() {
                        for axis in 0..3 {
                            x[(3 * c + axis) * 3 * n + 3 * row as usize + axis] = 1.0;
                        }
                    }
                    pool.install(|| llt.solve_many(count, &mut x, &mut solve_scratch))
                        .expect("factorised");
                    // the blocks of C are identities: its transpose picks rows
                    for j in 0..count {
                        for (i, &row) in rows.iter().enumerate() {
                            let at = 3 * n * j + 3 * row as usize;
                            dense[j * count + 3 * i..][..3].copy_from_slice(&x[at..at + 3]);
                        }
                    }
                    black_box(&dense);
                }));
            }
        }
        let scale = dense.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let mut error = 0.0_f64;
        for j in 0..count {
            for i in 0..count {
                let entry = w.block(i / 3, j / 3).at(i % 3, j % 3);
                error = error.max((entry - dense[j * count + i]).abs());
            }
        }
        for list in &mut times {
            list.sort_by(f64::total_cmp);
        }
        let [factor, gram, full] = times.map(|list| [list[0], list[list.len() / 2]]);
        println!(
            "  {threads} threads: factor {:.2} ({:.2}) ms, gram {:.3} ({:.3}) ms, full solves {:.1} ({:.1}) ms; \
             gram/factor {:.1} %, full/gram {:.1}, {} blocks, error {:.1e}",
            factor[0],
            factor[1],
            gram[0],
            gram[1],
            full[0],
            full[1],
            100.0 * gram[0] / factor[0],
            full[0] / gram[0],
            w.blocks.len(),
            error / scale
        );
    }
    Ok(())
}
