//! Configurations whose contacts can be written down.

use super::*;

const Z: Vec3 = vec3(0.0, 0.0, 1.0);

#[test]
fn flush_cubes_touch_with_vertical_normals() {
    let alarm = 1e-2;
    let mut seed = 5;
    for cells in [1, 3] {
        for lift in [0.0, 1e-7, -1e-7, 1e-4, -1e-4, -5e-3] {
            for rotated in [false, true] {
                let cube = |z: f64| block(vec3(0.0, 0.0, z), vec3(1.0, 1.0, 1.0), [cells; 3]);
                let mut world = World::of([cube(0.0), cube(1.0 + lift)]);
                let (turn, shift) = if rotated {
                    (random_turn(&mut seed), noise_vector(&mut seed))
                } else {
                    (Mat3::IDENTITY, Vec3::ZERO)
                };
                let upright = world.positions.clone();
                world = world.moved(&turn, shift);
                let found = world.find(alarm);
                let level = |z: f64, s: usize| {
                    let points = world.surfaces[s].facets.as_flattened();
                    let mut points: Vec<u32> = points
                        .iter()
                        .copied()
                        .filter(|&p| (upright[p as usize].z - z).abs() < 1e-12)
                        .collect();
                    points.sort_unstable();
                    points.dedup();
                    points
                };
                let mut expected = level(1.0, 0);
                expected.extend(level(1.0 + lift, 1));
                let vertices: Vec<u32> = found.iter().map(|n| n.points[0]).collect();
                assert_eq!(vertices, expected, "{cells} cells, lift {lift}, {rotated}");
                for near in &found {
                    assert_eq!(near.kind, NearKind::VertexFace);
                    let outward = if near.surfaces == [1, 0] { Z } else { -Z };
                    let off = near.normal - turn * outward;
                    assert!(off.norm() < 1e-6, "{lift} {rotated} {near:?}");
                    assert!((near.gap - lift).abs() < 1e-9, "{lift} {near:?}");
                }
            }
        }
    }
}

#[test]
fn cubes_shifted_sideways_hold_where_they_overlap() {
    let lower = block(Vec3::ZERO, vec3(1.0, 1.0, 1.0), [1; 3]);
    for lift in [2e-3, -2e-3] {
        let upper = shifted(lower.clone(), vec3(0.3, 0.2, 1.0 + lift));
        let found = World::of([lower.clone(), upper]).find(1e-2);
        // one corner of each over the other's face, and the outlines cross twice
        let faces = of_kind(&found, NearKind::VertexFace);
        let edges = of_kind(&found, NearKind::EdgeEdge);
        assert_eq!((faces.len(), edges.len()), (2, 2), "{found:?}");
        for near in &found {
            let up = if near.surfaces[0] == 1 { Z } else { -Z };
            assert!((near.normal - up).norm() < 1e-12, "{near:?}");
            assert!((near.gap - lift).abs() < 1e-12);
        }
    }
}

#[test]
fn faces_on_faces_have_no_contacts_of_diagonals() {
    let lower = block(vec3(-1.0, -1.0, -1.0), vec3(2.0, 2.0, 1.0), [5, 5, 2]);
    let upper = block(vec3(-0.7, -0.7, 0.0), vec3(1.4, 1.4, 1.0), [4, 4, 2]);
    for lift in [1e-3, 0.0, -1e-3] {
        let upper = shifted(turned(upper.clone(), Z, 0.5), Z * lift);
        let world = World::of([lower.clone(), upper]);
        let found = world.find(1e-2);
        assert_eq!(of_kind(&found, NearKind::EdgeEdge), []);
        assert_eq!(found.iter().filter(|n| n.surfaces[0] == 1).count(), 25);
        // an upper face wider than the lower: outlines cross, nothing else
        let wide = block(vec3(-1.0, -1.0, 0.0), vec3(2.0, 2.0, 1.0), [4, 4, 2]);
        let world = World::of([lower.clone(), shifted(turned(wide, Z, 0.5), Z * lift)]);
        let edges = of_kind(&world.find(1e-2), NearKind::EdgeEdge);
        assert_eq!(edges.len(), 8, "the corners of an octagon");
        for near in edges {
            assert!((near.normal + Z).norm() < 1e-9 && (near.gap - lift).abs() < 1e-9);
        }
    }
}

#[test]
fn a_cube_on_its_corner_is_one_contact() {
    let floor = block(vec3(-5.0, -5.0, -1.0), vec3(10.0, 10.0, 1.0), [1; 3]);
    let cube = block(Vec3::ZERO, vec3(1.0, 1.0, 1.0), [2; 3]);
    let diagonal = vec3(1.0, 1.0, 1.0) / 3f64.sqrt();
    let axis = diagonal.cross(Z).normalized().unwrap();
    let cube = turned(cube, axis, diagonal.dot(Z).acos());
    for lift in [0.0, 3e-3, -3e-3] {
        let found = World::of([floor.clone(), shifted(cube.clone(), Z * lift)]).find(1e-2);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].surfaces, [1, 0]);
        assert!((found[0].normal - Z).norm() < 1e-12);
        assert!((found[0].gap - lift).abs() < 1e-12);
    }
}

#[test]
fn bars_across_each_other() {
    let bar = block(vec3(-1.0, -0.1, -0.1), vec3(2.0, 0.2, 0.2), [3, 1, 1]);
    let half_diagonal = 0.1 * 2f64.sqrt();
    let on_edge = turned(
        bar.clone(),
        vec3(1.0, 0.0, 0.0),
        std::f64::consts::FRAC_PI_4,
    );
    let across = turned(on_edge.clone(), Z, 1.2);
    for lift in [4e-3, 0.0, -4e-3] {
        let upper = shifted(across.clone(), Z * (2.0 * half_diagonal + lift));
        let found = World::of([on_edge.clone(), upper.clone()]).find(1e-2);
        assert_eq!(found.len(), 1, "{lift} {found:?}");
        assert_eq!(found[0].kind, NearKind::EdgeEdge);
        assert!((found[0].normal + Z).norm() < 1e-12);
        assert!((found[0].gap - lift).abs() < 1e-12);
        // the same with the bodies exchanged
        let found = World::of([upper, on_edge.clone()]).find(1e-2);
        assert_eq!(found.len(), 1);
        assert!((found[0].normal - Z).norm() < 1e-12);
        assert!((found[0].gap - lift).abs() < 1e-12);
        // lying flat: two edges each
        let upper = shifted(turned(bar.clone(), Z, 1.2), Z * (0.2 + lift));
        let found = World::of([bar.clone(), upper]).find(1e-2);
        assert_eq!(of_kind(&found, NearKind::EdgeEdge).len(), 4, "{found:?}");
        for near in &found {
            assert!((near.gap - lift).abs() < 1e-12 && near.normal.z.abs() > 1.0 - 1e-12);
        }
    }
}

#[test]
fn a_corner_is_felt_on_all_walls() {
    let room = reversed(block(Vec3::ZERO, vec3(3.0, 3.0, 3.0), [2; 3]));
    // a cube in the corner of the room, in front of some walls and behind others
    for shift in [
        vec3(1e-4, 2e-4, 3e-4),
        vec3(-1e-4, 2e-4, 3e-4),
        vec3(-1e-4, -2e-4, 3e-4),
        vec3(-1e-4, -2e-4, -3e-4),
        Vec3::ZERO,
    ] {
        let cube = block(shift, vec3(1.0, 1.0, 1.0), [1; 3]);
        let world = World::of([room.clone(), cube]);
        let found = world.find(1e-2);
        let corner = world.positions.iter().position(|&p| p == shift);
        let corner = room.positions.len().max(corner.unwrap_or(0)) as u32;
        let mut felt: Vec<&Near> = found.iter().filter(|n| n.points[0] == corner).collect();
        felt.sort_by(|m, n| {
            n.normal
                .x
                .total_cmp(&m.normal.x)
                .then(n.normal.y.total_cmp(&m.normal.y))
        });
        assert_eq!(felt.len(), 3, "{shift:?} {felt:?}");
        for (k, near) in felt.iter().enumerate() {
            assert!((near.normal - Vec3::AXES[k]).norm() < 1e-9, "{near:?}");
            assert!((near.gap - shift[k]).abs() < 1e-12, "{near:?}");
        }
    }
    // a ball in the same corner touches three walls, and only where it is near them
    let centre = vec3(1.001, 1.002, 0.999);
    let world = World::of([room.clone(), ball(1.0, 8, centre)]);
    let found = world.find(1e-2);
    for axis in Vec3::AXES {
        let wall: Vec<&Near> = found
            .iter()
            .filter(|n| (n.normal - axis).norm() < 1e-9)
            .collect();
        assert!(!wall.is_empty());
        let least = wall.iter().map(|n| n.gap).fold(1.0, f64::min);
        assert!((least - (centre.dot(axis) - 1.0)).abs() < 1e-9, "{least}");
    }
    assert!(
        found.iter().all(|n| n.normal.max_abs() > 1.0 - 1e-9),
        "{found:?}"
    );
}

#[test]
fn a_fine_ball_over_one_big_triangle_pair() {
    let floor = block(vec3(-50.0, -50.0, -1.0), vec3(100.0, 100.0, 1.0), [1; 3]);
    for lift in [5e-3, -5e-3] {
        let world = World::of([floor.clone(), ball(1.0, 12, Z * (1.0 + lift))]);
        let alarm = 2e-2;
        let found = world.find(alarm);
        let expected = world
            .positions
            .iter()
            .skip(floor.positions.len())
            .filter(|p| p.z.abs() <= alarm)
            .count();
        assert!(expected > 5);
        assert_eq!(found.len(), expected);
        for near in found {
            let height = world.positions[near.points[0] as usize].z;
            assert!((near.normal - Z).norm() < 1e-9 && (near.gap - height).abs() < 1e-9);
        }
    }
}

#[test]
fn groups_and_plane_bodies_keep_apart() {
    let cube = |z: f64| block(vec3(0.0, 0.0, z), vec3(1.0, 1.0, 1.0), [1; 3]);
    let mut world = World::of([cube(0.0), cube(1.0), cube(2.0)]);
    world.surfaces[0].group = Some(0);
    world.surfaces[1].group = Some(0);
    let found = world.find(1e-2);
    assert!(!found.is_empty());
    assert!(found.iter().all(|n| n.surfaces.contains(&2)));
}

/// A rectangle's outline, body on the left.
fn outline(low: [f64; 2], size: [f64; 2], cells: usize) -> (Vec<Vec3>, Vec<[u32; 2]>) {
    let [x, y] = low;
    let [w, h] = size;
    let corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let mut points = Vec::new();
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        for i in 0..cells {
            let t = i as f64 / cells as f64;
            points.push(vec3(
                a[0] + (b[0] - a[0]) * t,
                a[1] + (b[1] - a[1]) * t,
                0.0,
            ));
        }
    }
    let n = points.len() as u32;
    (points, (0..n).map(|i| [i, (i + 1) % n]).collect())
}

fn plane_world(outlines: &[(Vec<Vec3>, Vec<[u32; 2]>)]) -> World {
    let mut world = World::default();
    for (points, edges) in outlines {
        let first = world.positions.len() as u32;
        world.positions.extend(points);
        world.surfaces.push(ProximitySurface {
            facets: edges
                .iter()
                .map(|&[a, b]| [a + first, b + first, a + first])
                .collect(),
            planar: true,
            ..ProximitySurface::default()
        });
    }
    world
}

#[test]
fn plane_bodies_stack_and_fit_corners() {
    let y = vec3(0.0, 1.0, 0.0);
    for lift in [0.0, 1e-4, -1e-4] {
        let world = plane_world(&[
            outline([0.0, 0.0], [1.0, 1.0], 3),
            outline([0.0, 1.0 + lift], [1.0, 1.0], 2),
        ]);
        let found = world.find(1e-2);
        assert_eq!(found.iter().filter(|n| n.surfaces == [1, 0]).count(), 3);
        assert_eq!(found.iter().filter(|n| n.surfaces == [0, 1]).count(), 4);
        for near in &found {
            let up = if near.surfaces[0] == 1 { y } else { -y };
            assert_eq!((near.kind, near.count), (NearKind::VertexEdge, 3));
            assert!((near.normal - up).norm() < 1e-9 && (near.gap - lift).abs() < 1e-9);
        }
    }
    for shift in [[1e-4, 2e-4], [-1e-4, 2e-4], [-1e-4, -2e-4], [0.0, 0.0]] {
        let mut room = outline([0.0, 0.0], [3.0, 3.0], 1);
        for edge in &mut room.1 {
            edge.swap(0, 1);
        }
        let world = plane_world(&[room, outline(shift, [1.0, 1.0], 1)]);
        let found = world.find(1e-2);
        let felt: Vec<&Near> = found.iter().filter(|n| n.points[0] == 4).collect();
        assert_eq!(felt.len(), 2, "{shift:?} {found:?}");
        for near in felt {
            let axis = if near.normal.x > 0.5 { 0 } else { 1 };
            assert!((near.normal - Vec3::AXES[axis]).norm() < 1e-12);
            assert!((near.gap - shift[axis]).abs() < 1e-12);
        }
    }
    // fast: the lower corners of a falling square meet the floor
    let world = plane_world(&[
        outline([-5.0, -1.0], [10.0, 1.0], 7),
        outline([0.0, 0.5], [1.0, 1.0], 1),
    ]);
    let found = world.find_moving(&world.displace(1, vec3(0.3, -0.8, 0.0)), 1e-2);
    assert_eq!(found.iter().filter(|n| n.surfaces == [1, 0]).count(), 2);
    for near in found {
        let up = if near.surfaces[0] == 1 { y } else { -y };
        assert!((near.normal - up).norm() < 1e-12 && (near.gap - 0.5).abs() < 1e-12);
    }
}

#[test]
fn bad_input_is_refused_and_degenerate_input_survives() {
    let surface = |facets: Vec<[u32; 3]>, planar| ProximitySurface {
        facets,
        planar,
        touches_itself: true,
        group: None,
    };
    assert!(matches!(
        Proximity::new(vec![surface(vec![[0, 1, 9]], false)], 3),
        Err(ProximityError::PointOutOfRange { point: 9, .. })
    ));
    assert!(matches!(
        Proximity::new(vec![surface(vec![[0, 1, 2]], true)], 3),
        Err(ProximityError::NotAnEdge { .. })
    ));
    assert!(
        Proximity::new(Vec::new(), 0)
            .unwrap()
            .find(&[], &[], 1.0)
            .is_empty()
    );
    // repeated corners, no area, coincident vertices, an open edge shared three times
    let cube = block(Vec3::ZERO, vec3(1.0, 1.0, 1.0), [2; 3]);
    let mut world = World::of([cube.clone(), shifted(cube, vec3(0.0, 0.0, 1.0))]);
    let n = world.positions.len() as u32;
    world.positions.extend([
        vec3(0.0, 0.0, 1.0),
        vec3(0.5, 0.0, 1.0),
        vec3(1.0, 0.0, 1.0),
    ]);
    world.surfaces[0]
        .facets
        .extend([[n, n + 1, n + 2], [n, n, n + 1], [n, n + 2, n + 1]]);
    for s in &mut world.surfaces {
        s.touches_itself = true;
    }
    let moves = world.displace(1, vec3(0.1, 0.0, -0.5));
    for alarm in [0.0, 1e-3, 0.1, 3.0] {
        world.find(alarm);
        world.find_moving(&moves, alarm);
    }
    let nowhere = vec![vec3(f64::NAN, 0.0, 0.0); world.positions.len()];
    world.finder().find(&nowhere, &nowhere, 1e-3);
    world.finder().find(&world.positions, &[], f64::NAN);
}

#[test]
fn ridges_that_are_pressed_blunt_stay_ridges() {
    // two roofs, the upper one upside down and turned, whose ridges cross; bent by `rise` a unit of width
    let roof = |rise: f64, down: bool| {
        let turned = |x: f64, y: f64, z: f64| match down {
            true => vec3(y, x, -z),
            false => vec3(x, y, z),
        };
        let points = vec![
            turned(-1.0, -1.0, -rise),
            turned(1.0, -1.0, -rise),
            turned(-1.0, 0.0, 0.0),
            turned(1.0, 0.0, 0.0),
            turned(-1.0, 1.0, -rise),
            turned(1.0, 1.0, -rise),
            turned(-1.0, 0.0, -1.0),
            turned(1.0, 0.0, -1.0),
        ];
        // a prism: two slopes, two sides below, two ends
        let facets = vec![
            [0, 1, 3],
            [0, 3, 2],
            [2, 3, 5],
            [2, 5, 4],
            [1, 0, 6],
            [1, 6, 7],
            [4, 5, 7],
            [4, 7, 6],
            [0, 2, 6],
            [2, 4, 6],
            [3, 1, 7],
            [5, 3, 7],
        ];
        (points, facets)
    };
    let world = |rise: f64, gap: f64| {
        let (mut positions, lower) = roof(rise, false);
        let (upper_points, upper) = roof(rise, true);
        let first = positions.len() as u32;
        positions.extend(upper_points.iter().map(|&p| p + vec3(0.0, 0.0, gap)));
        // mirrored twice: as outward as the lower one
        let upper = upper.iter().map(|f: &[u32; 3]| f.map(|p| p + first));
        let surfaces = [lower, upper.collect()].map(|facets| ProximitySurface {
            facets,
            ..ProximitySurface::default()
        });
        let surfaces = surfaces.to_vec();
        (surfaces, positions)
    };
    let crossings = |proximity: &mut Proximity, positions: &[Vec3]| {
        let found = proximity.find(positions, &[], 0.02);
        let both = |near: &&Near| [2, 3, 10, 11].iter().all(|p| near.points.contains(p));
        found.iter().filter(both).count()
    };
    let gap = -1e-3;
    let (surfaces, sharp) = world(0.3, gap);
    let (_, blunt) = world(0.01, gap); // 1.1° between the slopes
    let mut plain = Proximity::new(surfaces.clone(), sharp.len()).unwrap();
    assert_eq!(crossings(&mut plain, &sharp), 1);
    assert_eq!(crossings(&mut plain, &blunt), 0);
    let mut known = plain.clone().with_rest(&sharp);
    assert_eq!(crossings(&mut known, &sharp), 1);
    assert_eq!(crossings(&mut known, &blunt), 1);
    // what is hollow is no ridge, whatever it was
    let (_, hollow) = world(-0.02, gap);
    assert_eq!(crossings(&mut known, &hollow), 0);
}
