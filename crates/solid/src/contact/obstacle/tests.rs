//! Shapes against their own triangles, motions against their chords, deepest points against dense samples.

use super::*;
use crate::drive::Turn;
use crate::profile::Profile;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::generate::{Split, bar, torus};
use pliant_mesh::triangle::{closest_on_triangle, segment_crossing};
use pliant_mesh::winding::Winding;
use pliant_mesh::{Aabb, SurfaceMesh};
use std::sync::Arc;

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

    fn direction(&mut self) -> Vec3 {
        self.vector().normalized().unwrap()
    }
}

/// A relief of 9 × 7 heights about a quarter of its cells high.
fn relief(rotation: Mat3) -> Shape {
    let mut noise = Noise(5);
    let heights = (0..63).map(|_| 0.06 * noise.next()).collect();
    let origin = rotation * vec3(-0.8, -0.6, 0.0);
    let field = HeightField::new(origin, rotation, [0.2, 0.2], [9, 7], heights);
    Shape::HeightField(Arc::new(field.unwrap()))
}

fn mesh(surface: SurfaceMesh) -> Shape {
    Shape::Mesh(Arc::new(SolidSurface::new(&surface).unwrap()))
}

fn ring() -> SurfaceMesh {
    SurfaceMesh::of(&torus(0.6, 0.25, 2, 16).unwrap()).unwrap()
}

fn brick() -> SurfaceMesh {
    SurfaceMesh::of(&bar(vec3(0.9, 0.5, 0.7), [2, 2, 2], Split::Six).unwrap()).unwrap()
}

fn bounded() -> Vec<Shape> {
    let mut noise = Noise(11);
    let (a, b) = (vec3(-0.4, 0.1, 0.2), vec3(0.5, -0.3, 0.4));
    vec![
        Shape::Sphere {
            centre: noise.vector() * 0.3,
            radius: 0.7,
            hollow: false,
        },
        Shape::Box {
            centre: noise.vector() * 0.3,
            half: vec3(0.5, 0.3, 0.8),
            rotation: Mat3::rotation(noise.direction(), 1.0),
        },
        Shape::Capsule { a, b, radius: 0.2 },
        Shape::Cylinder { a, b, radius: 0.3 },
        Shape::Torus {
            centre: noise.vector() * 0.2,
            axis: noise.direction(),
            major: 0.6,
            minor: 0.2,
        },
        Shape::Pipe {
            a,
            b,
            inner: 0.3,
            outer: 0.5,
        },
        mesh(ring()),
        mesh(brick()),
    ]
}

fn all() -> Vec<Shape> {
    let mut shapes = bounded();
    shapes.extend([
        Shape::HalfSpace {
            point: vec3(0.1, 0.2, 0.0),
            normal: vec3(0.6, 0.0, 0.8),
        },
        Shape::Sphere {
            centre: vec3(0.1, 0.0, 0.2),
            radius: 0.9,
            hollow: true,
        },
        relief(Mat3::IDENTITY),
        relief(Mat3::rotation(vec3(0.6, 0.8, 0.0), 0.7)),
    ]);
    shapes
}

fn unit_box() -> Aabb {
    Aabb {
        low: vec3(-1.0, -1.0, -1.0),
        high: vec3(1.0, 1.0, 1.0),
    }
}

fn distance_to(surface: &SurfaceMesh, x: Vec3) -> f64 {
    let each = 0..surface.triangles.len();
    each.map(|t| closest_on_triangle(surface.corners(t), x).distance_squared)
        .fold(f64::INFINITY, f64::min)
        .sqrt()
}

#[test]
fn distances_are_those_to_the_triangles() {
    let mut noise = Noise(1);
    for shape in bounded() {
        let surface = shape.surface(&unit_box());
        let topology = surface.topology();
        assert!(topology.is_closed_manifold(), "{shape:?}: {topology:?}");
        assert!(surface.enclosed_volume() > 0.0);
        let bounds = shape.bounds().unwrap();
        let winding = Winding::new(&surface);
        // facets of round shapes lie up to 0.3 % of the radius inside them
        let slack = if matches!(shape, Shape::Mesh(_) | Shape::Box { .. }) {
            1e-12
        } else {
            3e-3
        };
        let mut inside = 0;
        for _ in 0..200 {
            let x = noise.vector();
            let (d, _) = shape.probe(x);
            let expected = distance_to(&surface, x);
            assert!(
                (d.abs() - expected).abs() < slack,
                "{shape:?} at {x:?}: {d}, {expected}"
            );
            if d.abs() > slack {
                assert_eq!(d < 0.0, winding.exact(x) > 0.5, "{shape:?} at {x:?}");
            }
            if d < 0.0 {
                inside += 1;
                assert!(bounds.contains(x));
            }
        }
        assert!(inside > 3, "{shape:?}");
        // and no larger than need be
        let own = surface.bounds();
        let excess = (own.low - bounds.low).max_abs() + (bounds.high - own.high).max_abs();
        assert!(excess < 0.02, "{shape:?}: {bounds:?} {own:?}");
    }
}

#[test]
fn reliefs_are_exact_near_the_surface_and_signed_everywhere() {
    let mut noise = Noise(2);
    for rotation in [Mat3::IDENTITY, Mat3::rotation(vec3(0.6, 0.8, 0.0), 0.7)] {
        let shape = relief(rotation);
        let surface = shape.surface(&unit_box());
        for _ in 0..300 {
            let local = vec3(0.6 * noise.next(), 0.4 * noise.next(), 0.2 * noise.next());
            let x = rotation * local;
            let (d, _) = shape.probe(x);
            assert!((d.abs() - distance_to(&surface, x)).abs() < 1e-12);
            let sky = rotation * (local + vec3(0.0, 0.0, 9.0));
            let mut each = 0..surface.triangles.len();
            let below = each.any(|t| segment_crossing(surface.corners(t), x, sky).is_some());
            assert_eq!(d < 0.0, below);
        }
        // level from the rim outwards
        for (x, y) in [(50.0, 0.03), (-1e9, 0.03), (0.05, 1e12), (3.0, -7.0)] {
            let at = |z: f64| shape.probe(rotation * vec3(x, y, z)).0;
            assert!(at(0.07) > 0.0 && at(-0.07) < 0.0);
            assert!(at(1e6) > 0.9e6 && at(-1e6) < -0.9e6);
        }
    }
}

#[test]
fn normals_are_gradients() {
    let mut noise = Noise(3);
    let step = 1e-6;
    for shape in all() {
        let mut ridges = 0;
        for _ in 0..300 {
            let x = noise.vector() * 0.7;
            let (d, n) = shape.probe(x);
            assert!((n.norm() - 1.0).abs() < 1e-12);
            let at = |axis: usize, s: f64| shape.probe(x + Vec3::AXES[axis] * s).0;
            let slope = Vec3::from([0, 1, 2].map(|k| (at(k, step) - at(k, -step)) / (2.0 * step)));
            ridges += u32::from((slope - n).norm() > 1e-4);
            // the boundary is where the distance says
            let foot = shape.probe(x - n * d).0;
            assert!(foot.abs() < 1e-9, "{shape:?} at {x:?}: {d} {foot}");
        }
        assert!(ridges <= 2, "{shape:?}: {ridges}");
    }
}

#[test]
fn limits_only_leave_out_what_is_far() {
    let mut noise = Noise(4);
    for shape in all() {
        let mut seen = [0, 0];
        for _ in 0..500 {
            let x = noise.vector() * 1.5;
            for limit in [0.0, 0.05, 0.5, f64::INFINITY] {
                let (d, n) = shape.probe(x);
                let within = shape.probe_within(x, limit);
                seen[usize::from(within.is_some())] += 1;
                assert_eq!(within.is_some(), d < limit, "{shape:?} at {x:?}");
                if let Some((distance, normal)) = within {
                    assert!((distance - d).abs() < 1e-14 && (normal - n).norm() < 1e-9);
                }
            }
        }
        assert!(seen[0] > 0 && seen[1] > 0);
    }
}

fn motion() -> Motion {
    let keys = |a: f64, b: f64| Profile::Keyframes {
        keys: vec![(0.0, a), (1.0, b), (1.5, -b)],
        smooth: true,
    };
    Motion {
        translation: Some([keys(0.0, 0.3), keys(0.1, -0.2), Profile::Constant(0.05)]),
        rotation: Some(Turn {
            axis: vec3(0.0, 0.6, 0.8),
            centre: vec3(0.2, -0.1, 0.3),
            angle: Profile::Sine {
                offset: 0.2,
                amplitude: 1.5,
                frequency: 0.7,
                phase: 0.1,
            },
        }),
        twist: None,
    }
}

fn obstacle(shape: Shape, motion: Option<Motion>) -> Obstacle {
    Obstacle {
        name: "rock".into(),
        shape,
        friction: None,
        motion,
    }
}

#[test]
fn a_moving_obstacle_is_the_shape_at_rest_carried_along() {
    let mut noise = Noise(6);
    let (t, h) = (0.83, 0.04);
    for shape in all() {
        let moving = obstacle(shape.clone(), Some(motion()));
        let posed = PosedObstacle::new(&moving, t, h);
        for _ in 0..20 {
            let rest = noise.vector();
            let path = motion();
            let x = path.at(rest, t);
            assert!((moving.pose(t).to_world(rest) - x).norm() < 1e-14);
            assert!((moving.pose(t).to_rest(x) - rest).norm() < 1e-14);
            let (d, n) = shape.probe(rest);
            let (distance, normal) = posed.probe(x);
            assert!((distance - d).abs() < 1e-12, "{shape:?}");
            assert!((normal - posed.pose().rotation * n).norm() < 1e-6);
            assert_eq!(posed.probe_within(x, 0.1).is_some(), distance < 0.1);
            let chord = (path.at(rest, t + h) - x) / h;
            assert!((posed.velocity(x) - chord).norm() < 1e-12);
        }
        let still = obstacle(shape, None);
        let posed = PosedObstacle::new(&still, t, h);
        assert!(!posed.moves());
        assert_eq!(posed.velocity(vec3(1.0, 2.0, 3.0)), Vec3::ZERO);
    }
}

#[test]
fn deepest_points_are_as_deep_as_any_sample() {
    const SAMPLES: i32 = 40;
    let mut noise = Noise(7);
    let mut spared_tori = 0;
    for shape in all() {
        let convex = shape.is_convex();
        let thing = obstacle(shape, Some(motion()));
        let posed = PosedObstacle::new(&thing, 0.4, 0.1);
        let (mut inner, mut spared) = (0, 0);
        for round in 0..45 {
            let size = [0.15, 0.5, 1.5][round % 3];
            let middle = noise.vector() * 0.6;
            let corners = [0; 3].map(|_| middle + noise.vector() * size);
            let found = deepest_on_triangle(&posed, corners, f64::INFINITY, 0.0).unwrap();
            let at = |w: [f64; 3]| {
                let x = corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
                posed.probe(x).0
            };
            assert!(found.weights.iter().all(|w| (0.0..=1.0).contains(w)));
            assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((at(found.weights) - found.distance).abs() < 1e-12);
            assert!((found.normal.norm() - 1.0).abs() < 1e-12);
            inner += i32::from(!found.is_corner());
            let mut least = f64::INFINITY;
            for i in 0..=SAMPLES {
                for j in 0..=SAMPLES - i {
                    let (u, v) = (
                        f64::from(i) / f64::from(SAMPLES),
                        f64::from(j) / f64::from(SAMPLES),
                    );
                    least = least.min(at([1.0 - u - v, u, v]));
                }
            }
            let slack = if convex { 1e-6 } else { 0.02 } * size;
            assert!(
                found.distance <= least + slack,
                "{:?}: {} above {least}, size {size}",
                thing.shape,
                found.distance
            );
            // a limit changes nothing but whether there is an answer
            for limit in [0.0, 0.3] {
                let limited = deepest_on_triangle(&posed, corners, limit, 0.0);
                assert_eq!(limited, Some(found).filter(|f| f.distance < limit));
            }
            // nor does it matter that only points clearly deeper than the corners are asked for
            let clearly = 0.05 * size;
            let asked = deepest_on_triangle(&posed, corners, f64::INFINITY, clearly);
            let corner = corners.iter().map(|&x| posed.probe(x).0);
            if found.distance < corner.fold(f64::INFINITY, f64::min) - clearly {
                assert_eq!(asked, Some(found));
            }
            spared += i32::from(asked.is_none());
            // and an edge is a triangle without width
            let on_edge = deepest_on_edge(&posed, [corners[0], corners[1]], f64::INFINITY);
            let along = (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES));
            let least = along
                .map(|t| at([1.0 - t, t, 0.0]))
                .fold(f64::INFINITY, f64::min);
            assert!(on_edge.unwrap().distance <= least + slack);
        }
        let corners_only = matches!(
            thing.shape,
            Shape::HalfSpace { .. } | Shape::Sphere { hollow: true, .. }
        );
        assert_eq!(inner == 0, corners_only, "{:?}", thing.shape);
        assert!(spared > 0 || !convex, "{:?}", thing.shape);
        spared_tori += spared * i32::from(matches!(thing.shape, Shape::Torus { .. }));
    }
    assert!(spared_tori > 0);
}

#[test]
fn a_corner_and_a_rod_press_between_the_nodes() {
    // a large facet above, facing down, all of its corners far away from the obstacle
    let facet = [
        vec3(-2.0, -2.0, 0.0),
        vec3(-2.0, 2.0, 0.0),
        vec3(3.0, 0.0, 0.0),
    ];
    let up = Vec3::AXES[2];
    // a cube on its corner, which reaches 1 cm through the facet
    let diagonal = vec3(1.0, 1.0, 1.0) / 3f64.sqrt();
    let axis = diagonal.cross(up).normalized().unwrap();
    let rotation = Mat3::rotation(axis, diagonal.dot(up).acos());
    let side = 0.2;
    let cube = obstacle(
        Shape::Box {
            centre: vec3(0.0, 0.0, 0.01 - 0.5 * side * 3f64.sqrt()),
            half: vec3(side, side, side) * 0.5,
            rotation,
        },
        None,
    );
    let posed = PosedObstacle::new(&cube, 0.0, 0.01);
    let found = deepest_on_triangle(&posed, facet, 0.0, 0.0).unwrap();
    assert!(
        (found.distance + 0.01 / 3f64.sqrt()).abs() < 1e-6,
        "{found:?}"
    );
    assert!((found.normal - up).norm() < 1e-12);
    let rod = obstacle(
        Shape::Capsule {
            a: vec3(-0.5, 0.1, -0.015),
            b: vec3(0.5, 0.1, -0.015),
            radius: 0.02,
        },
        None,
    );
    let posed = PosedObstacle::new(&rod, 0.0, 0.01);
    let found = deepest_on_triangle(&posed, facet, 0.0, 0.0).unwrap();
    assert!((found.distance + 0.005).abs() < 1e-12);
    assert!((found.normal - up).norm() < 1e-12);
    let away = facet.map(|x| x + up * 0.006);
    assert_eq!(deepest_on_triangle(&posed, away, 0.0, 0.0), None);
}

#[test]
fn surfaces_that_bound_nothing_are_refused() {
    let mut open = ring();
    open.triangles.pop();
    let error = SolidSurface::new(&open).unwrap_err().to_string();
    assert!(error.contains("not closed: 3 edges at holes"), "{error}");
    let sheet = SurfaceMesh {
        positions: vec![Vec3::ZERO, Vec3::AXES[0], Vec3::AXES[1]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert_eq!(SolidSurface::new(&sheet), Err(SolidSurfaceError::Flat));
    // inside out is put right
    let mut inverted = brick();
    inverted.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    assert!(mesh(inverted).probe(vec3(0.4, 0.2, 0.3)).0 < 0.0);
}

#[test]
fn impossible_shapes_and_motions_are_refused() {
    let refused = |shape: Shape, motion: Option<Motion>, words: &str| {
        let error = obstacle(shape, motion).check().unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    let torus = |major, minor| Shape::Torus {
        centre: Vec3::ZERO,
        axis: Vec3::AXES[2],
        major,
        minor,
    };
    refused(torus(1.0, 1.0), None, "has a hole");
    refused(torus(f64::NAN, 1.0), None, "positive");
    let pipe = |b: Vec3, inner| Shape::Pipe {
        a: Vec3::ZERO,
        b,
        inner,
        outer: 1.0,
    };
    refused(pipe(Vec3::ZERO, 0.5), None, "ends must differ");
    refused(pipe(Vec3::AXES[0], 1.0), None, "inner radius");
    let twist = Turn {
        axis: Vec3::AXES[0],
        centre: Vec3::ZERO,
        angle: Profile::Constant(1.0),
    };
    let twisted = Motion {
        twist: Some(twist.clone()),
        ..Motion::default()
    };
    refused(torus(1.0, 0.1), Some(twisted), "cannot twist");
    let disordered = Profile::Keyframes {
        keys: vec![(1.0, 0.0), (0.0, 1.0)],
        smooth: false,
    };
    let turned = Motion {
        rotation: Some(Turn {
            angle: disordered.clone(),
            ..twist
        }),
        ..Motion::default()
    };
    refused(torus(1.0, 0.1), Some(turned), "ordered keyframes");
    let moved = Motion {
        translation: Some([disordered.clone(), disordered.clone(), disordered]),
        ..Motion::default()
    };
    refused(torus(1.0, 0.1), Some(moved), "increasing time");
    let field = |spacing, counts, heights| {
        HeightField::new(Vec3::ZERO, Mat3::IDENTITY, spacing, counts, heights).unwrap_err()
    };
    assert!(field([0.0, 1.0], [2, 2], vec![0.0; 4]).contains("distance between heights"));
    assert!(field([1.0, 1.0], [1, 4], vec![0.0; 4]).contains("at least two"));
    assert!(field([1.0, 1.0], [2, 3], vec![0.0; 4]).contains("does not fit"));
    assert!(field([1.0, 1.0], [2, 2], vec![f64::NAN; 4]).contains("finite"));
}
