//! Detection against closed forms and brute force.

use super::inside::barycentrics;
use super::*;
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, ModelError};
use pliant_linalg::{Mat3, vec3};
use pliant_mesh::Mesh;
use pliant_mesh::generate::{Split, TriangleSplit, ball, bar, rectangle, torus};
use pliant_mesh::triangle::closest_on_triangle;

/// Numbers in −1..1 from a fixed sequence.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        vec3(self.next(), self.next(), self.next())
    }

    fn rotation(&mut self) -> Mat3 {
        let axis = self.vector().normalized().unwrap();
        Mat3::rotation(axis, 3.0 * self.next())
    }
}

fn shapes(noise: &mut Noise) -> Vec<Shape> {
    let (a, b) = (vec3(-0.4, 0.1, 0.2), vec3(0.5, -0.3, 0.6));
    vec![
        Shape::HalfSpace {
            point: noise.vector(),
            normal: noise.vector().normalized().unwrap(),
        },
        Shape::Sphere {
            centre: noise.vector() * 0.3,
            radius: 0.7,
            hollow: false,
        },
        Shape::Sphere {
            centre: noise.vector() * 0.3,
            radius: 0.7,
            hollow: true,
        },
        Shape::Box {
            centre: noise.vector() * 0.3,
            half: vec3(0.5, 0.3, 0.8),
            rotation: noise.rotation(),
        },
        Shape::Capsule { a, b, radius: 0.3 },
        Shape::Cylinder { a, b, radius: 0.3 },
    ]
}

#[test]
fn distances_by_hand() {
    let close = |shape: &Shape, x: Vec3, distance: f64, normal: Vec3| {
        let (d, n) = shape.probe(x);
        assert!((d - distance).abs() < 1e-14, "{shape:?} at {x:?}: {d}");
        assert!((n - normal).norm() < 1e-14, "{shape:?} at {x:?}: {n:?}");
    };
    let [x, y, z] = Vec3::AXES;
    let floor = Shape::HalfSpace {
        point: vec3(5.0, 0.0, 1.0),
        normal: z,
    };
    close(&floor, vec3(7.0, 8.0, 0.25), -0.75, z);
    let sphere = |hollow| Shape::Sphere {
        centre: x,
        radius: 2.0,
        hollow,
    };
    close(&sphere(false), x * 4.0, 1.0, x);
    close(&sphere(false), x, -2.0, z);
    close(&sphere(true), x * 4.0, -1.0, -x);
    close(&sphere(true), x, 2.0, -z);
    // its own x axis is the world's y
    let turned = Shape::Box {
        centre: Vec3::ZERO,
        half: vec3(3.0, 1.0, 2.0),
        rotation: Mat3::from_columns(y, -x, z),
    };
    close(&turned, y * 4.0, 1.0, y);
    close(&turned, x * -0.9, -0.1, -x);
    close(&turned, vec3(4.0, 7.0, 0.0), 5.0, vec3(0.6, 0.8, 0.0));
    close(&turned, vec3(0.0, 2.9, 0.0), -0.1, y);
    let capsule = Shape::Capsule {
        a: Vec3::ZERO,
        b: x * 2.0,
        radius: 0.5,
    };
    close(&capsule, vec3(1.0, 0.2, 0.0), -0.3, y);
    close(&capsule, vec3(5.0, 4.0, 0.0), 4.5, vec3(0.6, 0.8, 0.0));
    let cylinder = Shape::Cylinder {
        a: Vec3::ZERO,
        b: x * 2.0,
        radius: 0.5,
    };
    close(&cylinder, vec3(1.0, 0.4, 0.0), -0.1, y);
    close(&cylinder, vec3(1.95, 0.0, 0.0), -0.05, x);
    close(&cylinder, vec3(-0.3, 0.9, 0.0), 0.5, vec3(-0.6, 0.8, 0.0));
    close(&cylinder, vec3(0.6, 0.0, 0.0), -0.5, y);
}

#[test]
fn normals_are_gradients_of_distances() {
    let mut noise = Noise(1);
    let step = 1e-6;
    for _ in 0..50 {
        for shape in shapes(&mut noise) {
            let x = noise.vector();
            let (d, n) = shape.probe(x);
            assert!((n.norm() - 1.0).abs() < 1e-12);
            let at = |axis: usize, s: f64| shape.probe(x + Vec3::AXES[axis] * s).0;
            let slope = Vec3::from([0, 1, 2].map(|k| (at(k, step) - at(k, -step)) / (2.0 * step)));
            // near a ridge of the inside the two differ, and the slope is shorter than 1 there
            assert!(
                (slope - n).norm() < 1e-5 || slope.norm() < 0.999,
                "{shape:?} at {x:?}"
            );
            // the boundary is where the distance says
            assert!(
                shape.probe(x - n * d).0.abs() < 1e-12,
                "{shape:?} at {x:?}: {d}"
            );
        }
    }
}

#[test]
fn impossible_obstacles_are_refused() {
    let one = || model(vec![ball(0.1, 1).unwrap()], ContactModel::penalty());
    let refused = |contact: ContactModel| one().with_contact(contact).unwrap_err().to_string();
    let shape = Shape::Sphere {
        centre: Vec3::ZERO,
        radius: -1.0,
        hollow: false,
    };
    let obstacle = |shape, friction| ContactModel {
        obstacles: vec![Obstacle {
            name: "rock".into(),
            shape,
            friction,
            motion: None,
        }],
        ..ContactModel::penalty()
    };
    assert_eq!(
        refused(obstacle(shape, None)),
        "obstacle `rock`: the radius must be positive"
    );
    let normal = vec3(0.0, 0.0, 2.0);
    let point = Vec3::ZERO;
    assert!(refused(obstacle(Shape::HalfSpace { point, normal }, None)).contains("length 1"));
    let normal = normal / 2.0;
    assert!(refused(obstacle(Shape::HalfSpace { point, normal }, Some(-1.0))).contains("friction"));
    let stiffness = one().with_contact(ContactModel {
        stiffness: 0.0,
        ..ContactModel::penalty()
    });
    assert!(matches!(
        stiffness,
        Err(ModelError::Contact(ContactError::Parameter {
            parameter: "stiffness",
            ..
        }))
    ));
    assert!(
        refused(ContactModel {
            damping: f64::NAN,
            ..ContactModel::penalty()
        })
        .contains("damping")
    );
}

fn model(meshes: Vec<Mesh>, contact: ContactModel) -> Model {
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.4, 1e3);
    let bodies = meshes
        .into_iter()
        .enumerate()
        .map(|(i, mesh)| BodySpecification::uniform(format!("body {i}"), mesh, material.clone()));
    Model::build(bodies.collect(), Vec::new(), Vec3::ZERO)
        .unwrap()
        .with_contact(contact)
        .unwrap()
}

fn at<'a>(positions: &'a [Vec3], velocities: &'a [Vec3]) -> Moving<'a> {
    Moving {
        positions,
        velocities,
        time: 0.0,
        h: 0.01,
    }
}

fn touching() -> ContactModel {
    ContactModel {
        enabled: true,
        ..ContactModel::penalty()
    }
}

/// Every body of the model sheared, stretched, waved, turned and moved a little in its own way.
fn deformed(model: &Model, noise: &mut Noise) -> Vec<Vec3> {
    let mut positions = model.rest.clone();
    for body in &model.bodies {
        let shear = Mat3::from_columns(noise.vector(), noise.vector(), noise.vector()) * 0.15;
        let map = noise.rotation() * (Mat3::IDENTITY + shear);
        let (wave, phase) = (noise.vector() * 0.05, noise.vector() * 4.0);
        let shift = noise.vector() * 0.4;
        for x in &mut positions[body.nodes.clone()] {
            *x = map * (*x + wave * (x.dot(phase)).sin()) + shift;
        }
    }
    positions
}

fn gap(contact: &Contact, positions: &[Vec3]) -> Vec3 {
    (0..contact.count).fold(Vec3::ZERO, |s, i| {
        s + positions[contact.nodes[i] as usize] * contact.weights[i]
    })
}

/// Nodes of other bodies inside `body`, each with the rest position and its distance from the rest boundary.
fn brute_force(model: &Model, positions: &[Vec3], node: usize, body: usize) -> Option<(Vec3, f64)> {
    let body = &model.bodies[body];
    let weights = body.elements.clone().find_map(|e| {
        let nodes = model.element_nodes[e];
        let corners = nodes.map(|n| positions[n as usize]);
        let inverse = Mat3::from_columns(
            corners[1] - corners[0],
            corners[2] - corners[0],
            corners[3] - corners[0],
        )
        .inverse()?;
        let w = inverse * (positions[node] - corners[0]);
        let all = [1.0 - w.x - w.y - w.z, w.x, w.y, w.z];
        let rest = (0..4).fold(Vec3::ZERO, |s, c| {
            s + model.rest[nodes[c] as usize] * all[c]
        });
        all.iter().all(|&w| w >= 0.0).then_some(rest)
    })?;
    let offset = body.nodes.start;
    let facets = body.surface.triangles.iter().map(|t| {
        closest_on_triangle(t.map(|n| model.rest[offset + n as usize]), weights).distance_squared
    });
    Some((weights, facets.fold(f64::INFINITY, f64::min).sqrt()))
}

#[test]
fn nodes_inside_as_by_brute_force() {
    let mut noise = Noise(7);
    let ball = || ball(0.5, 3).unwrap();
    let ring = || torus(0.6, 0.25, 2, 16).unwrap();
    let block = || bar(vec3(1.0, 0.7, 0.6), [4, 3, 3], Split::Six).unwrap();
    let (mut total, mut fallbacks, mut farther) = (0, 0, 0);
    for meshes in [
        vec![ball(), block()],
        vec![ring(), ball()],
        vec![block(), ring(), ball()],
    ] {
        let model = model(meshes, touching());
        let mut detector = Detector::new(&model);
        for _ in 0..8 {
            let positions = deformed(&model, &mut noise);
            let velocities = vec![Vec3::ZERO; positions.len()];
            let contacts = detector.detect(&model, at(&positions, &velocities));
            assert!(contacts.is_sorted_by_key(|c| c.nodes[0]));
            let mut listed = contacts.iter();
            for (a, body) in model.bodies.iter().enumerate() {
                for &local in &body.surface.nodes {
                    let node = body.nodes.start + local as usize;
                    for b in (0..model.bodies.len()).filter(|&b| b != a) {
                        let Some((rest, distance)) = brute_force(&model, &positions, node, b)
                        else {
                            continue;
                        };
                        let contact = listed.next().unwrap();
                        assert_eq!(contact.nodes[0] as usize, node);
                        let other = &model.bodies[b];
                        assert!(
                            contact.nodes[1..]
                                .iter()
                                .all(|&n| other.nodes.contains(&(n as usize)))
                        );
                        // the nearest boundary point of the rest shape
                        let surface = (1..4).fold(Vec3::ZERO, |s, i| {
                            s - model.rest[contact.nodes[i] as usize] * contact.weights[i]
                        });
                        let extra = (surface - rest).norm() - distance;
                        assert!(extra > -1e-9);
                        farther += usize::from(extra > 1e-9);
                        check(contact, &positions);
                        let [p, q, r] = [1, 2, 3].map(|i| positions[contact.nodes[i] as usize]);
                        let facet = (q - p).cross(r - p).normalized().unwrap();
                        fallbacks += usize::from((facet - contact.normal).norm() > 1e-12);
                        total += 1;
                    }
                }
            }
            assert_eq!(listed.next(), None);
        }
    }
    assert!(total > 1000, "{total}");
    // few see a facing facet near enough to be preferred
    assert!(farther * 5 < total, "{farther} of {total}");
    assert!(fallbacks * 50 < total, "{fallbacks} of {total}");
}

fn check(contact: &Contact, positions: &[Vec3]) {
    assert!(
        contact.weights[1..]
            .iter()
            .all(|w| (-1.0..=0.0).contains(w))
    );
    assert!(contact.weights.iter().sum::<f64>().abs() < 1e-15);
    assert!((contact.normal.norm() - 1.0).abs() < 1e-12);
    assert!(contact.depth > 0.0 && contact.stiffness > 0.0);
    let gap = -contact.normal.dot(gap(contact, positions));
    assert!((gap - contact.depth).abs() < 1e-12);
    assert!(contact.obstacle.is_none() && contact.count == 4);
}

#[test]
fn a_ball_in_the_hole_of_a_torus_touches_nothing() {
    let ring = torus(0.6, 0.25, 2, 24).unwrap();
    let model = model(vec![ring, ball(0.2, 3).unwrap()], touching());
    let mut detector = Detector::new(&model);
    let at_rest = vec![Vec3::ZERO; model.node_count()];
    assert!(
        detector
            .detect(&model, at(&model.rest, &at_rest))
            .is_empty()
    );
    // pushed towards the ring it is pushed back
    let mut positions = model.rest.clone();
    for x in &mut positions[model.bodies[1].nodes.clone()] {
        x.x += 0.2;
    }
    let contacts = detector.detect(&model, at(&positions, &at_rest));
    let mut on_ball = Vec3::ZERO;
    for contact in contacts {
        let sign = if model.bodies[1].nodes.contains(&(contact.nodes[0] as usize)) {
            1.0
        } else {
            -1.0
        };
        on_ball += contact.normal * (sign * contact.depth);
    }
    // as symmetric as the meshes are
    let aside = on_ball.y.abs().max(on_ball.z.abs());
    assert!(on_ball.x < -0.05 && aside < -0.1 * on_ball.x, "{on_ball:?}");
    assert_eq!(islands(&model, contacts), [0, 0]);
}

#[test]
fn flush_cubes_touch_with_all_nodes_of_their_faces() {
    let cube = || bar(vec3(1.0, 1.0, 1.0), [2, 2, 2], Split::Six).unwrap();
    let upper = cube().translated(vec3(0.0, 0.0, 0.99));
    let model = model(vec![cube(), upper], touching());
    let at_rest = vec![Vec3::ZERO; model.node_count()];
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, at(&model.rest, &at_rest));
    assert_eq!(contacts.len(), 18);
    for contact in contacts {
        let up = if contact.nodes[0] < 27 { -1.0 } else { 1.0 };
        assert!((contact.normal - vec3(0.0, 0.0, up)).norm() < 1e-12);
        assert!((contact.depth - 0.01).abs() < 1e-12);
    }
}

#[test]
fn a_swallowed_ball_leaves_by_the_nearest_side() {
    let cube = bar(vec3(1.0, 1.0, 1.0), [5, 5, 5], Split::Six).unwrap();
    let inner = ball(0.1, 2).unwrap().translated(vec3(0.5, 0.5, 0.85));
    let model = model(vec![cube, inner], touching());
    let at_rest = vec![Vec3::ZERO; model.node_count()];
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, at(&model.rest, &at_rest));
    assert_eq!(contacts.len(), model.bodies[1].surface.nodes.len());
    assert!(contacts.iter().all(|c| c.normal.z > 0.999));
}

#[test]
fn planar_bodies_touch_at_edges() {
    let plate = || rectangle([1.0, 0.5], [8, 4], TriangleSplit::Alternating).unwrap();
    let upper = plate().translated(vec3(0.0, 0.49, 0.0));
    let model = model(vec![plate(), upper], touching());
    let at_rest = vec![Vec3::ZERO; model.node_count()];
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, at(&model.rest, &at_rest));
    assert_eq!(contacts.len(), 18);
    for contact in contacts {
        assert_eq!(contact.count, 3);
        assert!(contact.weights.iter().sum::<f64>().abs() < 1e-15);
        let up = if (contact.nodes[0] as usize) < model.bodies[0].nodes.end {
            -1.0
        } else {
            1.0
        };
        assert!(
            (contact.normal - vec3(0.0, up, 0.0)).norm() < 1e-12,
            "{contact:?}"
        );
        assert!((contact.depth - 0.01).abs() < 1e-12);
    }
}

#[test]
fn obstacles_are_met_by_surface_nodes_only() {
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: Vec3::ZERO,
            normal: Vec3::AXES[2],
        },
        friction: Some(0.25),
        motion: None,
    };
    let ceiling = Obstacle {
        name: "ceiling".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, 0.3),
            normal: -Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        obstacles: vec![floor, ceiling],
        stiffness: 3.0,
        ..ContactModel::penalty()
    };
    let model = model(vec![ball(0.5, 3).unwrap(), ball(0.5, 2).unwrap()], contact);
    let mut velocities = vec![vec3(0.0, 0.0, -100.0); model.node_count()];
    velocities[0] = Vec3::ZERO;
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, at(&model.rest, &velocities));
    let mut listed = contacts.iter();
    for body in &model.bodies {
        for &local in &body.surface.nodes {
            let node = body.nodes.start + local as usize;
            let z = model.rest[node].z;
            for (index, depth) in [(0u32, -z), (1, z - 0.3)] {
                if depth <= 0.0 {
                    continue;
                }
                let contact = listed.next().unwrap();
                assert_eq!(contact.nodes[0] as usize, node);
                assert_eq!(contact.obstacle, Some(index));
                assert_eq!((contact.count, contact.weights), (1, [1.0, 0.0, 0.0, 0.0]));
                assert!((contact.depth - depth).abs() < 1e-15);
                assert_eq!(contact.stiffness, 3.0 * model.node_stiffness[node]);
                assert_eq!(contact.friction, [0.25, 0.5][index as usize]);
                // a metre higher one step ago
                assert_eq!(contact.fresh, index == 0 && node != 0);
            }
        }
    }
    assert_eq!(listed.next(), None);
    assert_eq!(islands(&model, contacts), [0, 1]);
}

#[test]
fn runs_of_nodes_miss_no_obstacle() {
    // many small obstacles, so that most are out of reach of most runs of nodes
    let (mut noise, alarm) = (Noise(23), 0.03);
    let mut obstacles = Vec::new();
    for k in 0..40 {
        let place = noise.vector() * 0.9;
        let shape = match k % 3 {
            0 => Shape::Sphere {
                centre: place,
                radius: 0.1,
                hollow: false,
            },
            1 => Shape::Box {
                centre: place,
                half: vec3(0.1, 0.05, 0.15),
                rotation: noise.rotation(),
            },
            _ => Shape::Torus {
                centre: place,
                axis: noise.vector().normalized().unwrap(),
                major: 0.12,
                minor: 0.04,
            },
        };
        obstacles.push(Obstacle {
            name: format!("obstacle {k}"),
            shape,
            friction: None,
            motion: None,
        });
    }
    let contact = ContactModel {
        obstacles,
        alarm: Some(alarm),
        ..ContactModel::default()
    };
    let model = model(vec![ball(0.8, 7).unwrap()], contact);
    let velocities: Vec<Vec3> = (0..model.node_count())
        .map(|_| noise.vector() * 3.0)
        .collect();
    let moving = at(&model.rest, &velocities);
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, moving);
    let found: Vec<[u32; 2]> = contacts
        .iter()
        .filter(|c| c.count == 1)
        .map(|c| [c.nodes[0], c.obstacle.unwrap()])
        .collect();
    let mut expected = Vec::new();
    for &node in &model.bodies[0].surface.nodes {
        let (x, moved) = (
            model.rest[node as usize],
            velocities[node as usize] * moving.h,
        );
        for (index, obstacle) in model.contact.obstacles.iter().enumerate() {
            let (distance, normal) = obstacle.shape.probe(x);
            if distance.min(distance + normal.dot(moved)) < alarm {
                expected.push([node, index as u32]);
            }
        }
    }
    assert_eq!(found, expected);
    assert!(found.len() > 50, "{}", found.len());
}

#[test]
fn fresh_contacts_were_apart_one_step_ago() {
    let block = || bar(vec3(1.0, 1.0, 1.0), [3, 3, 3], Split::Six).unwrap();
    // smaller on top: 16 of its nodes are in, and 4 of the lower block's
    let upper = block()
        .scaled(vec3(0.5, 0.5, 0.5))
        .unwrap()
        .translated(vec3(0.24, 0.23, 0.98));
    let model = model(vec![block(), upper], touching());
    let mut detector = Detector::new(&model);
    let mut fresh = |speed: [f64; 2]| {
        let mut velocities = vec![Vec3::ZERO; model.node_count()];
        for (body, speed) in model.bodies.iter().zip(speed) {
            velocities[body.nodes.clone()].fill(vec3(0.3, 0.0, speed));
        }
        let contacts = detector.detect(&model, at(&model.rest, &velocities));
        assert_eq!(contacts.len(), 20);
        assert!(contacts.iter().all(|c| (c.depth - 0.02).abs() < 1e-12));
        let count = contacts.iter().filter(|c| c.fresh).count();
        assert!(count == 0 || count == 20);
        count > 0
    };
    assert!(!fresh([0.0, 0.0]));
    assert!(fresh([0.0, -2.1]));
    assert!(!fresh([0.0, -1.9]));
    assert!(fresh([1.5, -1.0]));
    assert!(!fresh([-5.0, -5.0]));
}

#[test]
fn islands_are_named_by_their_first_body() {
    let cubes = [0.0, 3.0, 0.9, 3.9, 7.0, 1.8].map(|x| {
        let small = if x == 0.9 || x == 3.9 { 0.8 } else { 1.0 };
        let cube = bar(vec3(1.0, small, small), [2, 2, 2], Split::Six).unwrap();
        let aside = (1.0 - small) / 2.0;
        cube.translated(vec3(x, aside, aside))
    });
    let model = model(cubes.to_vec(), touching());
    let at_rest = vec![Vec3::ZERO; model.node_count()];
    let mut detector = Detector::new(&model);
    let contacts = detector.detect(&model, at(&model.rest, &at_rest));
    assert_eq!(islands(&model, contacts), [0, 1, 0, 1, 4, 0]);
    assert_eq!(islands(&model, &[]), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn stiffness_is_that_of_the_rest_shape() {
    // Σₐ|gₐ|² of the unit corner tetrahedron is 3 + 1 + 1 + 1, V = 1/6
    let corner = [
        Vec3::ZERO,
        vec3(1.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
        vec3(0.0, 0.0, 1.0),
    ];
    let elements = pliant_mesh::Elements::Tetrahedra(vec![[0, 1, 2, 3]]);
    let (mesh, _) = Mesh::single_region(corner.to_vec(), elements).unwrap();
    let model = model(vec![mesh], ContactModel::penalty());
    let lame = crate::material::Lame::from_young(1e5, 0.4);
    let unit = (lame.lambda + 4.0 * lame.mu) / 18.0;
    for (found, share) in model.node_stiffness.iter().zip([3.0, 1.0, 1.0, 1.0]) {
        assert!((found / (unit * share) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn thread_counts_give_the_same_bits() {
    let mut noise = Noise(3);
    let meshes = (0..4).map(|_| ball(0.5, 4).unwrap()).collect();
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: Vec3::ZERO,
            normal: Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        obstacles: vec![floor],
        ..touching()
    };
    let model = model(meshes, contact);
    let positions = deformed(&model, &mut noise);
    let velocities: Vec<Vec3> = positions.iter().map(|_| noise.vector()).collect();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut detector = Detector::new(&model);
            let first = detector
                .detect(&model, at(&positions, &velocities))
                .to_vec();
            // other positions in between leave no trace
            detector.detect(&model, at(&model.rest, &velocities));
            let again = detector.detect(&model, at(&positions, &velocities));
            assert_eq!(first, again);
            first
        })
    };
    let one = run(1);
    assert!(one.len() > 100);
    for threads in [2, 5] {
        assert_eq!(format!("{:?}", run(threads)), format!("{one:?}"));
    }
}

/// Contacts of what stands still are kept; the list is always that of a detector which has seen nothing yet.
#[test]
fn kept_contacts_are_those_of_a_new_search() {
    let mut noise = Noise(8);
    let obstacle = |shape, motion| Obstacle {
        name: "obstacle".into(),
        shape,
        friction: None,
        motion,
    };
    let ground = Shape::Box {
        centre: Vec3::ZERO,
        half: vec3(0.6, 0.6, 0.3),
        rotation: Mat3::IDENTITY,
    };
    let ring = Shape::Capsule {
        a: vec3(-1.0, 0.0, 0.4),
        b: vec3(1.0, 0.0, 0.4),
        radius: 0.1,
    };
    for mut contact in [touching(), ContactModel::default()] {
        contact.enabled = true;
        contact.obstacles = vec![obstacle(ground.clone(), None), obstacle(ring.clone(), None)];
        let model = model((0..3).map(|_| ball(0.5, 3).unwrap()).collect(), contact);
        let mut detector = Detector::new(&model);
        let mut positions = deformed(&model, &mut noise);
        let mut velocities: Vec<Vec3> = positions.iter().map(|_| noise.vector()).collect();
        let mut found = 0;
        for call in 0..12 {
            match call % 4 {
                0 => {} // everything as it was
                1 => {
                    let nodes = model.bodies[call % 3].nodes.clone();
                    positions[nodes]
                        .iter_mut()
                        .for_each(|x| *x += vec3(0.03, 0.0, -0.02));
                }
                2 => velocities[model.bodies[2].nodes.start] = noise.vector(),
                _ => positions = deformed(&model, &mut noise),
            }
            let h = if call == 4 { 0.02 } else { 0.01 };
            let moving = Moving {
                h,
                ..at(&positions, &velocities)
            };
            let fresh = Detector::new(&model).detect(&model, moving).to_vec();
            assert_eq!(detector.detect(&model, moving), fresh, "call {call}");
            found += fresh.len();
        }
        assert!(found > 200, "{found}");
    }
}

#[test]
fn barycentrics_rebuild_the_point() {
    let mut noise = Noise(5);
    for _ in 0..100 {
        let corners = [(); 4].map(|()| noise.vector());
        let x = noise.vector();
        let weights = barycentrics(corners, false, x).unwrap();
        let again = (0..4).fold(Vec3::ZERO, |s, c| s + corners[c] * weights[c]);
        assert!((again - x).norm() < 1e-10);
    }
    assert_eq!(barycentrics([Vec3::AXES[0]; 4], false, Vec3::ZERO), None);
}
