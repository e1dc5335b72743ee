//! Constraint contact: closed forms, balance, laws.

use crate::common::{GRAVITY, settings, soft};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::rigid::Mobility;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };

fn floor(normal: Vec3) -> Obstacle {
    Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: Vec3::ZERO,
            normal,
        },
        friction: None,
        motion: None,
    }
}

fn touching(bodies: Vec<BodySpecification>, gravity: Vec3, friction: f64) -> Model {
    touching_on(vec![floor(vec3(0.0, 0.0, 1.0))], bodies, gravity, friction)
}

fn touching_on(
    obstacles: Vec<Obstacle>,
    bodies: Vec<BodySpecification>,
    gravity: Vec3,
    friction: f64,
) -> Model {
    let contact = ContactModel {
        enabled: true,
        friction,
        obstacles,
        ..ContactModel::default()
    };
    let model = Model::build(bodies, vec![], gravity).unwrap();
    model.with_contact(contact).unwrap()
}

/// A block of the given edge on the plane z = 0, turned about y by `tilt` about the origin.
fn block(size: f64, cells: usize, at: Vec3, tilt: f64) -> Mesh {
    let mut mesh = generate::bar(vec3(size, size, size), [cells; 3], generate::Split::Six).unwrap();
    let turn = Mat3::rotation(vec3(0.0, 1.0, 0.0), tilt);
    for x in &mut mesh.positions {
        *x = turn * (*x + at);
    }
    mesh
}

fn stiff(young: f64) -> MaterialSpecification {
    MaterialSpecification::new(MaterialModel::Corotated, young, 0.3, 1000.0)
}

fn mean_velocity(simulation: &Simulation) -> Vec3 {
    let model = simulation.model();
    let total: f64 = model.mass.iter().sum();
    let moving = model.mass.iter().zip(&simulation.state().velocities);
    moving.fold(Vec3::ZERO, |s, (&m, &v)| s + v * (m / total))
}

#[test]
fn blocks_on_an_incline_stick_or_slide_as_coulomb_says() {
    let angle = 30f64.to_radians();
    let (sin, cos) = angle.sin_cos();
    // down the slope is turn · x
    let down = Mat3::rotation(vec3(0.0, 1.0, 0.0), angle) * vec3(1.0, 0.0, 0.0);
    for size in [0.014, 0.14, 1.4] {
        for friction in [0.2, 0.4, 0.6] {
            let normal = Mat3::rotation(vec3(0.0, 1.0, 0.0), angle) * vec3(0.0, 0.0, 1.0);
            let mesh = block(size, 3, Vec3::ZERO, angle);
            let body = BodySpecification::uniform("block", mesh, stiff(1e6 * size / 0.14));
            let model = touching_on(vec![floor(normal)], vec![body], GRAVITY, friction);
            let mut simulation = Simulation::new(model, settings(LINEAR), Method::Full).unwrap();
            let steps = 200;
            for _ in 0..steps {
                simulation.step().unwrap();
            }
            let speed = mean_velocity(&simulation).dot(down);
            let before = mean_velocity(&simulation).dot(down);
            for _ in 0..100 {
                simulation.step().unwrap();
            }
            let gained = (mean_velocity(&simulation).dot(down) - before) / (100.0 * 5e-3);
            let expected = 9.81 * (sin - friction * cos);
            let report = simulation.report();
            eprintln!(
                "size {size} mu {friction}: speed {speed:e} acceleration {gained:e} expected {expected:e} contacts {} iterations {} residual {:e} depth {:e} balance {:e}",
                report.contacts,
                report.constraint_solve.iterations,
                report.constraint_solve.residual,
                report.max_penetration,
                report.force_balance
            );
            if expected < 0.0 {
                assert!(speed.abs() < 1e-6);
            } else {
                assert!((gained / expected - 1.0).abs() < 5e-3);
            }
        }
    }
}

#[test]
fn impact() {
    let mesh = block(0.1, 6, vec3(0.0, 0.0, 0.3), 0.0);
    let edge = 0.1 / 6.0;
    let body = BodySpecification {
        velocity: vec3(0.0, 0.0, -5.0),
        ..BodySpecification::uniform("block", mesh, soft(MaterialModel::StableNeoHookean))
    };
    let model = touching(vec![body], GRAVITY, 0.3);
    let mut simulation = Simulation::new(model, settings(LINEAR), Method::Full).unwrap();
    let mut deepest = 0.0f64;
    for i in 0..600 {
        let r = simulation.step().unwrap();
        deepest = deepest.max(r.max_penetration / edge);
        if i % 20 == 0 {
            let r = r.clone();
            let force: Vec3 = simulation
                .contacts()
                .nodes
                .iter()
                .fold(Vec3::ZERO, |s, &f| s + f);
            eprintln!(
                "t {:.3} contacts {} it {} res {:e} depth {:e} balance {:e} z {:.4} force {:.6} energy {:.4}",
                r.time,
                r.contacts,
                r.constraint_solve.iterations,
                r.constraint_solve.residual,
                r.max_penetration / edge,
                r.force_balance,
                r.momentum.centre.z,
                force.z,
                r.energies.mechanical()
            );
        }
    }
    eprintln!("deepest {deepest}");
    panic!();
}

#[test]
fn stack() {
    for rigid in [false, true] {
        let bodies: Vec<_> = (0..4)
            .map(|i| {
                let mesh = block(
                    0.1,
                    2,
                    vec3(0.0, 0.0, 0.1 * i as f64 + 0.001 * (i + 1) as f64),
                    0.0,
                );
                BodySpecification {
                    rigid: rigid.then_some(Mobility::Free),
                    ..BodySpecification::uniform(format!("block{i}"), mesh, stiff(1e6))
                }
            })
            .collect();
        let model = touching(bodies, GRAVITY, 0.5);
        let mut simulation = Simulation::new(model, Settings::default(), Method::Full).unwrap();
        for i in 0..400 {
            let r = simulation.step().unwrap();
            if i % 40 == 0 {
                let r = r.clone();
                let read = simulation.contacts();
                let pairs: Vec<_> = read
                    .pairs
                    .iter()
                    .map(|p| format!("{}-{:?} {:.5}", p.body, p.partner, p.force.z))
                    .collect();
                eprintln!(
                    "t {:.3} contacts {} it {} res {:e} depth {:e} balance {:e} z {:.4} {:?}",
                    r.time,
                    r.contacts,
                    r.constraint_solve.iterations,
                    r.constraint_solve.residual,
                    r.max_penetration,
                    r.force_balance,
                    r.momentum.centre.z,
                    pairs
                );
            }
        }
    }
    panic!();
}
