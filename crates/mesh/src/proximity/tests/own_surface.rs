//! Thin bodies and self-contact.

use super::*;
use crate::generate::{Extrusion, extrude};

const Z: Vec3 = vec3(0.0, 0.0, 1.0);

#[test]
fn nothing_is_felt_through_a_thin_plate() {
    let plate = block(Vec3::ZERO, vec3(1.0, 1.0, 0.01), [10, 10, 1]);
    for alarm in [0.005, 0.02, 0.05] {
        assert_eq!(World::itself(plate.clone()).find(alarm), []);
        // a stack of three: only faces that look at each other, though the next but one is also near
        let at = |z: f64| shifted(plate.clone(), vec3(0.013, 0.021, z));
        let gap = 1e-3;
        let step = 0.01 + gap;
        let world = World::of([
            plate.clone(),
            at(step),
            shifted(plate.clone(), Z * (2.0 * step)),
        ]);
        let found = world.find(alarm);
        assert!(found.len() > 300);
        for near in &found {
            let apart = f64::from(near.surfaces[0].abs_diff(near.surfaces[1]) - 1);
            let expected = gap + apart * step;
            assert!((near.gap - expected).abs() < 1e-12, "{alarm} {near:?}");
            let up = if near.surfaces[0] > near.surfaces[1] {
                Z
            } else {
                -Z
            };
            assert!((near.normal - up).norm() < 1e-9, "{near:?}");
        }
    }
    // a bent plate is its own interior as well
    let mut bent = block(vec3(-1.0, 0.0, 0.0), vec3(2.0, 0.3, 0.01), [40, 6, 1]);
    for p in &mut bent.positions {
        let angle = 1.2 * p.x;
        let radius = 0.8 - p.z;
        *p = vec3(radius * angle.sin(), p.y, -radius * angle.cos());
    }
    assert_eq!(World::itself(bent).find(0.04), []);
}

/// A C whose mouth opens towards +x between z = −0.05 and 0.05.
fn mouth() -> SurfaceMesh {
    let picture = ["#####", "#....", "#####"].map(String::from).to_vec();
    let drawing = Extrusion::uniform(picture, [0.1, 0.1], 0.1, 2).unwrap();
    SurfaceMesh::of(&extrude(&drawing).unwrap()).unwrap()
}

#[test]
fn the_lips_of_a_mouth_touch() {
    let open = mouth();
    let alarm = 0.01;
    assert_eq!(World::itself(open.clone()).find(alarm), []);
    for gap in [4e-3, 0.0, -4e-3] {
        // the upper arm bends down in proportion to its distance from the back
        let mut closed = open.clone();
        for p in &mut closed.positions {
            let reach = (p.x + 0.15).max(0.0) / 0.4;
            if p.z > 0.0 {
                p.z -= (0.1 - gap) * reach;
            }
        }
        let world = World::itself(closed);
        let found = world.find(alarm);
        // the row of vertices at the end of either arm
        let lips = of_kind(&found, NearKind::VertexFace);
        assert!(lips.len() >= 6, "{gap} {found:?}");
        for near in &lips {
            let x = world.positions[near.points[0] as usize];
            let upper = open.positions[near.points[0] as usize].z > 0.0;
            assert!(x.x > 0.2, "{near:?}");
            let out = if upper { Z } else { -Z };
            assert!(near.normal.dot(out) > 0.9, "{gap} {near:?}");
            assert!((near.gap - gap).abs() < 2e-3, "{gap} {near:?}");
        }
        assert!(
            lips.iter()
                .any(|n| (n.gap - gap).abs() < 1e-9 && (n.normal - Z).norm() < 1e-9)
        );
    }
    // the arm comes down by a step: found from afar
    let down: Vec<Vec3> = open
        .positions
        .iter()
        .map(|p| if p.z > 0.0 { Z * -0.15 } else { Vec3::ZERO })
        .collect();
    let found = World::itself(open.clone()).find_moving(&down, alarm);
    let lips = of_kind(&found, NearKind::VertexFace);
    assert!(lips.len() >= 20, "{}", lips.len());
    for near in lips {
        assert!(
            (near.gap - 0.1).abs() < 1e-12 && near.normal.z.abs() > 0.999,
            "{near:?}"
        );
    }
}

#[test]
fn a_bar_in_a_loop_touches_where_its_ends_pass() {
    // one and a quarter turns of a helix with pitch slightly over the bar's height
    let height = 0.1;
    let pitch = height + 2e-3;
    let mut bar = block(vec3(0.0, -0.05, 0.0), vec3(1.0, 0.1, height), [120, 2, 2]);
    for p in &mut bar.positions {
        let turns = 1.25 * p.x;
        let angle = std::f64::consts::TAU * turns;
        let radius = 1.0 + p.y;
        *p = vec3(
            radius * angle.sin(),
            radius * angle.cos(),
            p.z + pitch * turns,
        );
    }
    // keep the body outward: the map above turns it round
    let volume = bar.enclosed_volume();
    let bar = if volume < 0.0 { reversed(bar) } else { bar };
    let world = World::itself(bar);
    let found = world.find(5e-3);
    let faces = of_kind(&found, NearKind::VertexFace);
    // 24 segments overlap, with three vertices across, from both sides
    assert!(faces.len() > 100 && faces.len() < 170, "{}", faces.len());
    for near in faces {
        assert!((near.gap - 2e-3).abs() < 3e-4, "{near:?}");
        assert!(near.normal.z.abs() > 0.99, "{near:?}");
    }
}
