//! Bodies that would pass through each other in one step; equal lists whatever the frame or the threads.

use super::*;

const Z: Vec3 = vec3(0.0, 0.0, 1.0);

#[test]
fn a_fast_ball_is_caught_by_a_thin_wall() {
    // edges of 10 mm, a step of 25 mm, a wall of 2 mm, alarm 1 mm
    let wall = block(vec3(-0.1, -0.1, -0.002), vec3(0.2, 0.2, 0.002), [20, 20, 1]);
    let world = World::of([wall, ball(0.03, 3, Z * 0.045)]);
    let step = vec3(0.004, -0.003, -0.025);
    let moves = world.displace(1, step);
    let found = world.find_moving(&moves, 1e-3);
    let wall_points = world.surfaces[0].facets.as_flattened().iter().max();
    let first = *wall_points.unwrap() as usize + 1;
    let crossing = (first..world.positions.len())
        .filter(|&v| {
            let z = world.positions[v].z;
            z > 0.0 && z + step.z <= 0.0
        })
        .count();
    assert!(crossing >= 5, "{crossing}");
    let by_ball: Vec<&Near> = found.iter().filter(|n| n.surfaces == [1, 0]).collect();
    assert_eq!(by_ball.len(), crossing);
    for near in by_ball {
        let x = world.positions[near.points[0] as usize];
        assert!((near.normal - Z).norm() < 1e-12 && (near.gap - x.z).abs() < 1e-12);
        // the facet is the one under the crossing
        let foot = (1..4).fold(Vec3::ZERO, |s, i| {
            s - world.positions[near.points[i] as usize] * near.weights[i]
        });
        let met = x + step * (x.z / -step.z);
        assert!((foot - met).norm() < 1e-12, "{foot:?} {met:?}");
    }
    // the wall's vertices meet the ball's underside
    for near in found.iter().filter(|n| n.surfaces == [0, 1]) {
        assert!(near.gap > 0.0 && near.normal.z < -0.2, "{near:?}");
    }
    // travelling together is not approaching, and neither is leaving
    let together = vec![step * 10.0; world.positions.len()];
    assert_eq!(world.find_moving(&together, 1e-3), []);
    assert_eq!(world.find_moving(&world.displace(1, -step), 1e-3), []);
    // a common drift changes nothing
    let drifting: Vec<Vec3> = moves.iter().map(|&d| d + vec3(0.3, 0.2, -0.1)).collect();
    let again = world.find_moving(&drifting, 1e-3);
    assert_eq!(again.len(), found.len());
    for (m, n) in found.iter().zip(&again) {
        assert_eq!((m.points, m.kind), (n.points, n.kind));
    }
}

#[test]
fn fast_edges_cross() {
    let bar = block(vec3(-1.0, -0.1, -0.1), vec3(2.0, 0.2, 0.2), [3, 1, 1]);
    let on_edge = turned(bar, vec3(1.0, 0.0, 0.0), std::f64::consts::FRAC_PI_4);
    let top = 0.2 * 2f64.sqrt();
    let upper = shifted(turned(on_edge.clone(), Z, 1.2), Z * (top + 0.5));
    let world = World::of([on_edge, upper]);
    assert_eq!(world.find(1e-2), []);
    let found = world.find_moving(&world.displace(1, vec3(0.05, 0.02, -0.6)), 1e-2);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, NearKind::EdgeEdge);
    assert!((found[0].normal + Z).norm() < 1e-12);
    assert!((found[0].gap - 0.5).abs() < 1e-12);
    // with the weights of the crossing
    let at = |i: usize| world.positions[found[0].points[i] as usize] * found[0].weights[i].abs();
    let t = 0.5 / 0.6;
    let met = at(2) + at(3) + vec3(0.05, 0.02, -0.6) * t;
    assert!((at(0) + at(1) - met).norm() < 1e-12);
}

#[test]
fn a_vertex_that_flies_across_a_bowl_meets_its_far_side() {
    let room = reversed(ball(1.0, 6, Vec3::ZERO));
    let world = World::of([room, ball(0.01, 1, vec3(-0.985, 0.0, 0.0))]);
    let moves = world.displace(1, vec3(1.99, 0.0, 0.0));
    let found = world.find_moving(&moves, 1e-2);
    let far: Vec<&Near> = found
        .iter()
        .filter(|n| n.surfaces[0] == 1 && n.normal.x < -0.9)
        .collect();
    assert!(far.len() >= 3, "{found:?}");
    assert!(far.iter().all(|n| n.gap > 1.9));
}

/// Two lumpy balls that overlap a little, moving against each other.
fn lumps(seed: &mut u64) -> (World, Vec<Vec3>) {
    let mut lump = |centre: Vec3| {
        let mut mesh = ball(1.0, 5, Vec3::ZERO);
        for p in &mut mesh.positions {
            *p = *p * (1.0 + 0.1 * noise(seed)) + noise_vector(seed) * 1e-3;
        }
        shifted(mesh, centre)
    };
    let world = World::of([lump(Vec3::ZERO), lump(vec3(1.2, 0.9, 1.25))]);
    let moves: Vec<Vec3> = world
        .positions
        .iter()
        .map(|_| noise_vector(seed) * 0.1)
        .collect();
    (world, moves)
}

#[test]
fn turning_and_shifting_everything_changes_nothing() {
    let mut seed = 11;
    for _ in 0..4 {
        let (world, moves) = lumps(&mut seed);
        let found = world.find_moving(&moves, 0.05);
        assert!(found.len() > 20, "{}", found.len());
        let turn = random_turn(&mut seed);
        let other = world.moved(&turn, noise_vector(&mut seed) * 10.0);
        let turned: Vec<Vec3> = moves.iter().map(|&d| turn * d).collect();
        let again = other.find_moving(&turned, 0.05);
        assert_eq!(found.len(), again.len());
        for (m, n) in found.iter().zip(&again) {
            assert_eq!(
                (m.points, m.surfaces, m.kind),
                (n.points, n.surfaces, n.kind)
            );
            assert!((m.gap - n.gap).abs() < 1e-9);
            assert!((turn * m.normal - n.normal).norm() < 1e-8);
            for i in 0..4 {
                assert!((m.weights[i] - n.weights[i]).abs() < 1e-8);
            }
        }
    }
}

#[test]
fn exchanging_the_bodies_reverses_edges_and_keeps_vertices() {
    let mut seed = 23;
    let (world, moves) = lumps(&mut seed);
    let mut exchanged = world.clone();
    exchanged.surfaces.swap(0, 1);
    let found = world.find_moving(&moves, 0.05);
    let again = exchanged.find_moving(&moves, 0.05);
    assert_eq!(found.len(), again.len());
    assert!(!of_kind(&found, NearKind::EdgeEdge).is_empty());
    for near in &found {
        let [a, b] = near.surfaces;
        let same = again.iter().filter(|n| {
            if near.kind == NearKind::EdgeEdge {
                let [p, q, r, s] = near.points;
                n.points == [r, s, p, q]
                    && n.surfaces == [a, b]
                    && (n.normal + near.normal).norm() < 1e-9
                    && (n.gap - near.gap).abs() < 1e-12
            } else {
                n.points == near.points
                    && n.surfaces == [b, a]
                    && n.normal == near.normal
                    && n.gap == near.gap
            }
        });
        assert_eq!(same.count(), 1, "{near:?}");
    }
}

#[test]
fn threads_and_history_change_nothing() {
    let mut seed = 31;
    let (mut world, moves) = lumps(&mut seed);
    for s in &mut world.surfaces {
        s.touches_itself = true;
    }
    let expected = world.find_moving(&moves, 0.05);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut finder = world.finder();
        pool.install(|| {
            // the tree is built elsewhere and refitted
            let far: Vec<Vec3> = world
                .positions
                .iter()
                .map(|p| p.scale(vec3(3.0, -1.0, 0.2)))
                .collect();
            finder.find(&far, &[], 0.05);
            assert_eq!(finder.find(&world.positions, &moves, 0.05), expected);
        });
    }
    // ordered by surface and vertex, then by surface and edge
    let key = |n: &Near| {
        (
            n.kind == NearKind::EdgeEdge,
            n.surfaces[0],
            n.points[0],
            n.surfaces[1],
        )
    };
    let vertices: Vec<_> = expected
        .iter()
        .filter(|n| n.kind == NearKind::VertexFace)
        .map(key)
        .collect();
    assert!(vertices.is_sorted());
    assert!(expected.is_sorted_by_key(|n| key(n).0));
}
