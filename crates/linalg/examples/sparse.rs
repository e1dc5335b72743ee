//! Times the sparse kernels on grid matrices against faer and against memory bandwidth; minimum of interleaved runs.
//!
//! `cargo run --release -p pliant-linalg --example sparse [cells_x cells_y cells_z]`

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::perm::Perm;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};
use pliant_linalg::testing::{random_vector, relative_residual, spring_grid};
use pliant_linalg::{
    BlockMatrix, Llt, LltSymbolic, Pcg, PcgSettings, Preconditioner, SingleFactor, SolveScratch,
    Vec3, flat_mut,
};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    match sizes[..] {
        [x, y, z] => measure([x, y, z]),
        _ => {
            measure([40, 10, 10])?;
            measure([26, 26, 26])
        }
    }
}

/// Milliseconds of one call.
fn milliseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

fn scalar_lower(matrix: &BlockMatrix) -> SparseColMat<u32, f64> {
    let n = matrix.row_count();
    let mut entries = Vec::new();
    for i in 0..n {
        for &j in matrix.pattern().row(i) {
            let block = matrix.block(i, j as usize);
            for r in 0..3 {
                for c in 0..3 {
                    let (row, column) = (3 * i as u32 + r, 3 * j + c);
                    if row >= column {
                        entries.push(Triplet::new(row, column, block.at(r as usize, c as usize)));
                    }
                }
            }
        }
    }
    SparseColMat::try_new_from_triplets(3 * n, 3 * n, &entries).expect("a valid pattern")
}

fn measure(cells: [usize; 3]) -> Result<(), Box<dyn std::error::Error>> {
    let matrix = spring_grid(cells);
    let n = matrix.row_count();
    let rhs = random_vector(n, 1);
    println!(
        "grid {cells:?}: {n} nodes, {} blocks",
        matrix.pattern().block_count()
    );
    let pools: Vec<rayon::ThreadPool> = (1..=2)
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .collect::<Result<_, _>>()?;
    let runs = if n > 10_000 { 5 } else { 15 };

    // factor and solves
    let start = Instant::now();
    let symbolic = Arc::new(LltSymbolic::new(matrix.pattern())?);
    println!(
        "  symbolic {:.1} ms, {} supernodes, {:.3} M entries, {:.3} GFlop",
        start.elapsed().as_secs_f64() * 1e3,
        symbolic.supernode_count(),
        symbolic.factor_entries() as f64 * 1e-6,
        symbolic.factor_flops() * 1e-9
    );
    let mut llt = Llt::new(Arc::clone(&symbolic));
    let mut scratch = SolveScratch::new();
    let lower = scalar_lower(&matrix);
    let order: Vec<u32> = (symbolic.permutation().iter())
        .flat_map(|&node| (0..3).map(move |axis| 3 * node + axis))
        .collect();
    let mut inverse = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        inverse[old as usize] = new as u32;
    }
    let permutation = Perm::new_checked(order.into(), inverse.into(), 3 * n);
    let oracle = factorize_symbolic_cholesky(
        lower.symbolic(),
        Side::Lower,
        SymmetricOrdering::Custom(permutation.as_ref()),
        CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        },
    )
    .expect("faer's symbolic phase");
    let mut oracle_values = vec![0.0; oracle.len_val()];
    let mut oracle_memory = MemBuffer::new(
        oracle
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(oracle.solve_in_place_scratch::<f64>(31, Par::Seq)),
    );
    let mut factor = [f64::INFINITY; 3];
    let mut single = [f64::INFINITY; 3];
    let mut rounded = [f64::INFINITY; 2];
    let mut copying = [f64::INFINITY; 2];
    let mut half = SingleFactor::new();
    let mut many = [f64::INFINITY; 3];
    let columns: Vec<f64> = (0..31)
        .flat_map(|c| {
            let mut column = random_vector(n, c);
            flat_mut(&mut column).to_vec()
        })
        .collect();
    let mut x = rhs.clone();
    let mut xs = columns.clone();
    for _ in 0..runs {
        for (t, pool) in pools.iter().enumerate() {
            let time = milliseconds(|| pool.install(|| llt.factorize(&matrix)).expect("definite"));
            factor[t] = factor[t].min(time);
            x.copy_from_slice(&rhs);
            let time = milliseconds(|| {
                pool.install(|| llt.solve(&mut x, &mut scratch))
                    .expect("factorised");
            });
            single[t] = single[t].min(time);
            let time = milliseconds(|| pool.install(|| half.copy_from(&llt)).expect("factorised"));
            copying[t] = copying[t].min(time);
            for _ in 0..3 {
                x.copy_from_slice(&rhs);
                let time = milliseconds(|| {
                    pool.install(|| half.solve(&mut x, &mut scratch))
                        .expect("factorised");
                });
                rounded[t] = rounded[t].min(time);
                x.copy_from_slice(&rhs);
                let time = milliseconds(|| {
                    pool.install(|| llt.solve(&mut x, &mut scratch))
                        .expect("factorised");
                });
                single[t] = single[t].min(time);
            }
            xs.copy_from_slice(&columns);
            let time = milliseconds(|| {
                pool.install(|| llt.solve_many(31, &mut xs, &mut scratch))
                    .expect("factorised");
            });
            many[t] = many[t].min(time);
        }
        let mut factored = None;
        let time = milliseconds(|| {
            factored = Some(
                oracle
                    .factorize_numeric_llt(
                        &mut oracle_values,
                        lower.as_ref(),
                        Side::Lower,
                        LltRegularization::default(),
                        Par::Seq,
                        MemStack::new(&mut oracle_memory),
                        Default::default(),
                    )
                    .expect("definite"),
            );
        });
        factor[2] = factor[2].min(time);
        let Some(factored) = factored else { continue };
        let mut y = rhs.clone();
        let time = milliseconds(|| {
            factored.solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(flat_mut(&mut y), 3 * n, 1),
                Par::Seq,
                MemStack::new(&mut oracle_memory),
            );
        });
        single[2] = single[2].min(time);
        let mut ys = columns.clone();
        let time = milliseconds(|| {
            factored.solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(&mut ys, 3 * n, 31),
                Par::Seq,
                MemStack::new(&mut oracle_memory),
            );
        });
        many[2] = many[2].min(time);
    }
    let flops = symbolic.factor_flops() * 1e-6;
    let bytes = 2.0 * 8.0 * symbolic.factor_entries() as f64 * 1e-6;
    println!("                    1 thread   2 threads   faer, 1 thread");
    println!(
        "  factor ms       {:10.2} {:10.2} {:10.2}   ({:.1} {:.1} {:.1} GFlop/s)",
        factor[0],
        factor[1],
        factor[2],
        flops / factor[0],
        flops / factor[1],
        flops / factor[2]
    );
    println!(
        "  solve 1 ms      {:10.3} {:10.3} {:10.3}   ({:.1} {:.1} {:.1} GB/s)",
        single[0],
        single[1],
        single[2],
        bytes / single[0],
        bytes / single[1],
        bytes / single[2]
    );
    println!(
        "  rounded 1 ms    {:10.3} {:10.3}   ({:.1} {:.1} GB/s; copying {:.1} {:.1} ms)",
        rounded[0],
        rounded[1],
        0.5 * bytes / rounded[0],
        0.5 * bytes / rounded[1],
        copying[0],
        copying[1]
    );
    println!(
        "  solve 31 ms     {:10.2} {:10.2} {:10.2}",
        many[0], many[1], many[2]
    );
    println!("  residual {:.1e}", relative_residual(&matrix, &x, &rhs));

    // products, against a plain loop and a plain sum of the values
    let mut product = [f64::INFINITY; 4];
    let mut y = vec![Vec3::ZERO; n];
    for _ in 0..10 * runs {
        for (t, pool) in pools.iter().enumerate() {
            let time = pool.install(|| milliseconds(|| matrix.multiply(&rhs, &mut y)));
            product[t] = product[t].min(time);
        }
        let time = milliseconds(|| {
            for i in 0..n {
                let start = matrix.pattern().row_starts()[i] as usize;
                let mut sum = Vec3::ZERO;
                for (k, &j) in matrix.pattern().row(i).iter().enumerate() {
                    sum += matrix.blocks()[start + k] * rhs[j as usize];
                }
                y[i] = sum;
            }
        });
        product[2] = product[2].min(time);
        let time = milliseconds(|| {
            let mut sums = [0.0; 32];
            for chunk in black_box(matrix.values()).as_chunks::<32>().0 {
                for (sum, value) in sums.iter_mut().zip(chunk) {
                    *sum += value;
                }
            }
            black_box(sums);
        });
        product[3] = product[3].min(time);
    }
    let bytes = matrix.pattern().block_count() as f64 * 76e-6 + n as f64 * 52e-6;
    println!(
        "  SpMV ms: 1 thread {:.3}, 2 threads {:.3}, plain {:.3}, sum of values {:.3}   ({:.1} {:.1} {:.1} {:.1} GB/s)",
        product[0],
        product[1],
        product[2],
        product[3],
        bytes / product[0],
        bytes / product[1],
        bytes / product[2],
        bytes / product[3]
    );

    // conjugate gradients
    let mut pcg = Pcg::new();
    for mut preconditioner in [
        Preconditioner::Identity,
        Preconditioner::jacobi(),
        Preconditioner::block_jacobi(),
    ] {
        preconditioner.prepare(matrix.diagonal_blocks(), &[])?;
        let settings = PcgSettings {
            relative_tolerance: 0.0,
            max_iterations: 40,
            ..PcgSettings::default()
        };
        let mut best = [f64::INFINITY; 2];
        for _ in 0..runs {
            for (t, pool) in pools.iter().enumerate() {
                x.fill(Vec3::ZERO);
                let time = milliseconds(|| {
                    pool.install(|| pcg.solve(&matrix, &preconditioner, &rhs, &mut x, &settings))
                        .expect("definite");
                });
                best[t] = best[t].min(time / 40.0);
            }
        }
        let name = format!("{preconditioner:?}");
        let name = name.split('(').next().unwrap_or_default();
        println!(
            "  PCG {name:12} ms an iteration: 1 thread {:.4}, 2 threads {:.4}",
            best[0], best[1]
        );
    }
    Ok(())
}
