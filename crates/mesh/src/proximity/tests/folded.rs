//! Parts that look the same way are left out, and nothing is missed by that.

use super::*;

/// The same with nothing left out.
fn exhaustive(world: &World, displacements: &[Vec3], alarm: f64) -> Vec<Near> {
    let mut finder = world.finder();
    finder.leave_nothing_out = true;
    finder.find(&world.positions, displacements, alarm).to_vec()
}

/// A bar bent by an angle over a length in its middle, and roughened.
fn bent(angle: f64, rough: f64, seed: u64) -> SurfaceMesh {
    let mut bar = block(vec3(-1.0, -0.1, 0.0), vec3(2.0, 0.2, 0.2), [60, 6, 6]);
    let mut random = seed;
    for p in &mut bar.positions {
        let turned = angle * (p.x / 0.3).clamp(-0.5, 0.5);
        let radius = 0.3 / angle - p.z;
        let middle = vec3(
            radius * turned.sin(),
            p.y,
            0.3 / angle - radius * turned.cos(),
        );
        let beyond = p.x - p.x.clamp(-0.15, 0.15);
        *p = middle + vec3(turned.cos(), 0.0, turned.sin()) * beyond;
        *p += noise_vector(&mut random) * (2.0 * rough);
    }
    bar
}

#[test]
fn nothing_is_missed_in_folds_of_any_sharpness() {
    let (mut met, mut left_out) = (0, 0);
    for (k, angle) in [0.01, 0.6, 1.5, 2.4, 2.9, 3.1].into_iter().enumerate() {
        for rough in [0.0, 0.004, 0.015] {
            let world = World::itself(bent(angle, rough, 7 + k as u64));
            let way: Vec<Vec3> = (world.positions.iter())
                .map(|p| vec3(-0.03 * p.x.signum(), 0.0, 0.01 * p.y))
                .collect();
            for displacements in [&[][..], &way] {
                for alarm in [0.004, 0.02] {
                    let mut finder = world.finder();
                    let found = finder.find(&world.positions, displacements, alarm);
                    assert_eq!(
                        found,
                        exhaustive(&world, displacements, alarm),
                        "{angle} {rough}"
                    );
                    met += found.len();
                    left_out += finder.folds[0].marks.iter().filter(|m| !**m).count();
                }
            }
        }
    }
    // it is a test only if there are contacts, and something is left out in spite of edges and roughness
    assert!(met > 1000, "{met}");
    let all = 6 * 3 * 2 * 2 * bent(0.01, 0.0, 1).triangles.len();
    assert!(10 * left_out > all, "{left_out} of {all}");
}

#[test]
fn a_smooth_body_needs_no_search() {
    let world = World::itself(ball(1.0, 12, Vec3::ZERO));
    let mut finder = world.finder();
    assert_eq!(finder.find(&world.positions, &[], 0.02), []);
    assert!(finder.folds[0].marks.iter().all(|m| !m));
}
