//! A million steps: nothing drifts, nothing grows. Run by `./test --long`; the last result is in `docs/verification.md`.

use crate::common::*;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

const STEPS: usize = 1_000_000;

/// Memory of this process, MiB; zero where the system does not tell.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0.0) * 4096.0 / (1024.0 * 1024.0)
}

/// Steps to the end and looks at the memory after a tenth of the way and at the end.
fn walk(simulation: &mut Simulation, mut look: impl FnMut(&Simulation)) {
    let mut early = 0.0;
    for step in 0..STEPS {
        simulation.step().unwrap();
        look(simulation);
        if step == STEPS / 10 {
            early = resident();
        }
    }
    let grown = resident() - early;
    println!("resident memory: {early:.1} MiB after a tenth, {grown:+.1} MiB at the end");
    assert!(grown < 4.0, "{grown} MiB more");
}

/// A block lies on a floor, with friction.
#[test]
#[ignore = "minutes"]
fn a_million_steps_at_rest() {
    for method in [Method::Full, Method::Rigidify] {
        let mesh = generate::bar(vec3(0.1, 0.1, 0.1), [2, 2, 1], generate::Split::Six).unwrap();
        let floor = Obstacle {
            name: "floor".into(),
            shape: Shape::HalfSpace {
                point: Vec3::ZERO,
                normal: vec3(0.1, 0.0, 1.0).normalized().unwrap(),
            },
            friction: None,
            motion: None,
        };
        let contact = ContactModel {
            enabled: true,
            friction: 0.5,
            obstacles: vec![floor],
            ..ContactModel::default()
        };
        let material = MaterialSpecification {
            stiffness_damping: 0.01,
            ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.3, 1000.0)
        };
        let body =
            BodySpecification::uniform("block", mesh.translated(vec3(0.0, 0.0, 0.002)), material);
        let model = Model::build(vec![body], vec![], GRAVITY).unwrap();
        let model = model.with_contact(contact).unwrap();
        let mut simulation = Simulation::new(model, Settings::default(), method).unwrap();
        for _ in 0..1000 {
            simulation.step().unwrap();
        }
        let before = simulation.state().positions.clone();
        let mut deepest = 0.0f64;
        walk(&mut simulation, |s| {
            deepest = deepest.max(s.report().max_penetration)
        });
        let drift = distance(&simulation.state().positions, &before);
        println!(
            "{}: drift {drift:e} m, deepest {deepest:e} m",
            method.name()
        );
        assert!(drift < 1e-6, "{drift:e}");
        assert!(deepest < 1e-4, "{deepest:e}");
    }
}

/// A bar swings by its end, without damping but that of the integrator.
#[test]
#[ignore = "minutes"]
fn a_million_steps_of_a_swinging_bar() {
    let mesh = generate::bar(vec3(0.4, 0.05, 0.05), [4, 1, 1], generate::Split::Six).unwrap();
    let held: Vec<u32> = (0..mesh.node_count() as u32)
        .filter(|&n| mesh.positions[n as usize].x < 1e-9 && mesh.positions[n as usize].z < 1e-9)
        .collect();
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e6, 0.3, 1000.0);
    let body = BodySpecification::uniform("bar", mesh, material);
    let model = Model::build(vec![body], vec![fix(held)], GRAVITY).unwrap();
    let settings = Settings {
        h: 1e-3,
        ..settings(Integrator::Bdf2)
    };
    let mut simulation = Simulation::new(model, settings, Method::Full).unwrap();
    simulation.step().unwrap();
    let start = simulation.report().energies.mechanical();
    let mut highest = f64::MIN;
    walk(&mut simulation, |s| {
        highest = highest.max(s.report().energies.mechanical())
    });
    let end = simulation.report().energies;
    println!(
        "energy: {start:.6} J at the start, at most {highest:.6}, {:.6} at the end",
        end.mechanical()
    );
    // it only ever falls; what swings has no more than the weight gives it on its way down
    assert!(highest <= start * (1.0 + 1e-6) + 1e-9, "{highest} {start}");
    assert!(end.mechanical() < start);
    let weight = 1000.0 * 0.4 * 0.05 * 0.05 * 9.81;
    assert!(end.kinetic < weight * 0.4, "{}", end.kinetic);
}
