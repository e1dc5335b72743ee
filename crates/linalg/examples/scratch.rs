use pliant_linalg::testing::*;
use pliant_linalg::*;
use std::time::Instant;
fn main() {
    let a: Vec<usize> = std::env::args()
        .skip(1)
        .map(|w| w.parse().unwrap())
        .collect();
    let matrix = spring_grid([a[0], a[1], a[2]]);
    let n = matrix.row_count();
    let llt = Llt::from_matrix(&matrix).unwrap();
    let mut single = SingleFactor::new();
    single.copy_from(&llt).unwrap();
    let entries = llt.symbolic().factor_entries() as f64;
    let rhs = random_vector(n, 1);
    let mut x = rhs.clone();
    let mut scratch = SolveScratch::new();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut best = [f64::INFINITY; 2];
        pool.install(|| {
            for _ in 0..a[3] {
                x.copy_from_slice(&rhs);
                let t = Instant::now();
                llt.solve(&mut x, &mut scratch).unwrap();
                best[0] = best[0].min(t.elapsed().as_secs_f64());
                x.copy_from_slice(&rhs);
                let t = Instant::now();
                single.solve(&mut x, &mut scratch).unwrap();
                best[1] = best[1].min(t.elapsed().as_secs_f64());
            }
        });
        println!(
            "{n} nodes {:.1} M entries, {threads} threads: f64 {:.3} ms {:.1} GB/s, f32 {:.3} ms {:.1} GB/s, ratio {:.2}",
            entries * 1e-6,
            best[0] * 1e3,
            16e-9 * entries / best[0],
            best[1] * 1e3,
            8e-9 * entries / best[1],
            best[0] / best[1]
        );
    }
}
