//! Times a call; run on a quiet machine with `--ignored --nocapture`.

use super::*;
use std::time::Instant;

fn time(name: &str, world: &World, moves: &[Vec3], alarm: f64) {
    let mut finder = world.finder();
    let count = finder.find(&world.positions, moves, alarm).len();
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let start = Instant::now();
        finder.find(&world.positions, moves, alarm);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let facets: usize = world.surfaces.iter().map(|s| s.facets.len()).sum();
    println!(
        "{name}: {facets} facets, {count} contacts, {:.3} ms",
        best * 1e3
    );
}

#[test]
#[ignore = "measures time"]
fn two_balls_and_ten_tori() {
    let two = World::of([
        ball(1.0, 10, Vec3::ZERO),
        ball(1.0, 10, vec3(0.0, 0.0, 2.001)),
    ]);
    let torus = SurfaceMesh::of(&generate::torus(0.1, 0.03, 2, 64).unwrap()).unwrap();
    let mut ten =
        World::of((0..10).map(|k| shifted(torus.clone(), vec3(0.0, 0.0, 0.0602 * f64::from(k)))));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            println!("{threads} threads");
            time("two balls", &two, &[], 5e-3);
            let approach = two.displace(1, vec3(0.0, 0.0, -0.02));
            time("two balls, moving", &two, &approach, 5e-3);
            for s in &mut ten.surfaces {
                s.touches_itself = false;
            }
            time("ten tori", &ten, &[], 1e-3);
            let fall = vec![vec3(0.0, 0.0, -0.025); ten.positions.len()];
            time("ten tori, falling", &ten, &fall, 1e-3);
            for s in &mut ten.surfaces {
                s.touches_itself = true;
            }
            time("ten tori with themselves, falling", &ten, &fall, 1e-3);
        });
    }
}
