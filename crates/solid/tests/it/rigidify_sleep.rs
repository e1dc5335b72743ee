//! Bodies that have come to rest sleep, together with what they touch, until something happens to them.

use crate::common::*;
use crate::rigidify::rates;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::report::{Stage, StageTimes, StepReport};
use pliant_solid::settings::{RigidifySettings, Settings};
use pliant_solid::strategy::Method;

const SIDE: f64 = 0.1;
/// Steps after which two blocks on each other sleep, and one of them is hit or pushed.
const AT_REST: usize = 300;

fn settings() -> Settings {
    Settings {
        h: 5e-3,
        rigidify: RigidifySettings::with_limits(rates(0.01)),
        ..Settings::default()
    }
}

fn block(name: &str, at: Vec3) -> BodySpecification {
    let mut mesh = generate::bar(vec3(SIDE, SIDE, SIDE), [2, 2, 2], generate::Split::Six).unwrap();
    mesh.positions.iter_mut().for_each(|x| *x += at);
    let material = MaterialSpecification {
        stiffness_damping: 0.02,
        ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e6, 0.35, 1000.0)
    };
    BodySpecification::uniform(name, mesh, material)
}

fn model(bodies: Vec<BodySpecification>, drives: Vec<Drive>, motion: Option<Motion>) -> Model {
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: Vec3::ZERO,
            normal: vec3(0.0, 0.0, 1.0),
        },
        friction: None,
        motion,
    };
    let contact = ContactModel {
        enabled: true,
        obstacles: vec![floor],
        friction: 0.5,
        ..ContactModel::default()
    };
    let model = Model::build(bodies, drives, GRAVITY).unwrap();
    model.with_contact(contact).unwrap()
}

/// Two blocks on each other, a little apart at first.
fn stack() -> Vec<BodySpecification> {
    let lower = block("lower", vec3(0.0, 0.0, 0.002));
    vec![lower, block("upper", vec3(0.03, 0.02, 0.004 + SIDE))]
}

fn run(model: &Model, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

fn centre(simulation: &Simulation, body: usize) -> Vec3 {
    let nodes = simulation.model().bodies[body].nodes.clone();
    let x = &simulation.state().positions[nodes];
    x.iter().fold(Vec3::ZERO, |sum, &x| sum + x) / x.len() as f64
}

/// Sum of the forces that the floor pushes up with, N.
fn carried(simulation: &Simulation) -> f64 {
    let contacts = simulation.contacts();
    let floor = contacts
        .pairs
        .iter()
        .filter(|pair| matches!(pair.partner, pliant_solid::contact::Partner::Obstacle(_)));
    floor.map(|pair| pair.force.z).sum()
}

/// Nothing is solved for any more, nothing moves, and the floor carries both blocks as it did.
#[test]
fn a_stack_falls_asleep() {
    let model = model(stack(), Vec::new(), None);
    let mut simulation = run(&model, Method::Rigidify, AT_REST);
    assert_eq!(simulation.report().active_dofs, 0);
    let before = simulation.state().positions.clone();
    let weight = 2.0 * 1000.0 * SIDE.powi(3) * 9.81;
    for _ in 0..20 {
        simulation.step().unwrap();
        assert_eq!(simulation.state().positions, before);
        let force = carried(&simulation);
        assert!((force - weight).abs() < 1e-3 * weight, "{force} {weight}");
    }
    let full = run(&model, Method::Full, AT_REST);
    for body in 0..2 {
        let apart = (centre(&simulation, body) - centre(&full, body)).norm();
        assert!(apart < 1e-3 * SIDE, "{body}: {apart}");
    }
}

/// Who does not want it is not put to sleep.
#[test]
fn sleep_can_be_switched_off() {
    let model = model(stack(), Vec::new(), None);
    let mut settings = settings();
    settings.rigidify.sleep = false;
    let mut simulation = Simulation::new(model, settings, Method::Rigidify).unwrap();
    for _ in 0..AT_REST {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.report().active_dofs, 12);
}

/// A third block falls on the stack: all of it wakes, and comes to rest again.
#[test]
fn a_blow_wakes_the_whole_stack() {
    let mut bodies = stack();
    bodies.push(block("third", vec3(0.04, 0.03, 11.5)));
    let model = model(bodies, Vec::new(), None);
    // it falls for 1.52 s, 304 steps
    let mut simulation = run(&model, Method::Rigidify, 290);
    assert!(simulation.report().active_dofs <= 6, "only the third moves");
    let mut woken = 0;
    for _ in 290..330 {
        simulation.step().unwrap();
        woken = woken.max(simulation.report().active_dofs);
    }
    assert_eq!(woken, 3 * 3 * 27, "all of them");
    for _ in 330..900 {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.report().active_dofs, 0, "asleep again");
    assert!(centre(&simulation, 0).z < 0.06 && centre(&simulation, 0).z > 0.04);
}

/// Loads and moving obstacles wake what sleeps.
#[test]
fn loads_and_obstacles_wake() {
    let ramp = Profile::Keyframes {
        keys: vec![(1.6, 0.0), (2.6, 1.0)],
        smooth: false,
    };
    let push = Drive {
        name: "push".into(),
        action: Action::Force {
            nodes: (27..54).collect(), // the upper block
            force: vec3(12.0, 0.0, 0.0),
            profile: ramp.clone(),
        },
    };
    let pushed = run(&model(stack(), vec![push], None), Method::Rigidify, 300);
    assert_eq!(pushed.report().active_dofs, 0);
    let mut both = pushed;
    for _ in 0..220 {
        both.step().unwrap();
    }
    assert!(centre(&both, 1).x > 0.03 + SIDE / 2.0 + 0.01, "slides");

    let along = Motion {
        translation: Some([ramp, Profile::Constant(0.0), Profile::Constant(0.0)]),
        ..Motion::default()
    };
    let mut belt = run(
        &model(stack(), Vec::new(), Some(along)),
        Method::Rigidify,
        300,
    );
    assert_eq!(belt.report().active_dofs, 0);
    for _ in 0..150 {
        belt.step().unwrap();
    }
    // the floor has moved on by 0.65 m at 1 m/s, the lower block slips until friction has brought it to that speed
    let way = centre(&belt, 0).x - SIDE / 2.0;
    let slipped = 1.0 / (2.0 * 0.5 * 9.81);
    assert!((way - 0.65 + slipped).abs() < 0.02, "{way}");
}

/// What sleeps is not stepped: its steps are the one before again. A stepper that is new in every step takes all of them in full, and
/// comes to the same state and report, also when a push begins.
#[test]
fn steps_asleep_are_those_taken_in_full() {
    let begin = (AT_REST + 20) as f64 * settings().h;
    let push = Drive {
        name: "push".into(),
        action: Action::Force {
            nodes: (27..54).collect(), // the upper block
            force: vec3(12.0, 0.0, 0.0),
            profile: Profile::Keyframes {
                keys: vec![(begin, 0.0), (begin + 0.1, 1.0)],
                smooth: false,
            },
        },
    };
    let model = model(stack(), vec![push], None);
    let mut simulation = run(&model, Method::Rigidify, AT_REST);
    let mut skipped = 0;
    let timeless = |report: &StepReport| {
        let times = StageTimes::default();
        let report = report.clone();
        format!("{:?}", StepReport { times, ..report })
    };
    for _ in 0..40 {
        let state = simulation.state().clone();
        let fresh = Simulation::resume(model.clone(), settings(), Method::Rigidify, state);
        let mut fresh = fresh.unwrap();
        let full = timeless(fresh.step().unwrap());
        let report = simulation.step().unwrap();
        skipped += usize::from(report.times.seconds(Stage::Detect) == 0.0);
        assert_eq!(timeless(report), full);
        assert_eq!(simulation.state(), fresh.state());
    }
    assert!((15..=20).contains(&skipped), "{skipped}");
    assert!(
        simulation.report().active_dofs > 0,
        "the push has woken them"
    );
}

/// The same bytes when a run is resumed while it sleeps, or just before.
#[test]
fn resuming_asleep_changes_nothing() {
    let model = model(stack(), Vec::new(), None);
    let whole = run(&model, Method::Rigidify, 320);
    for steps in [120, 180, 310] {
        let state = run(&model, Method::Rigidify, steps).state().clone();
        let mut second =
            Simulation::resume(model.clone(), settings(), Method::Rigidify, state).unwrap();
        for _ in steps..320 {
            second.step().unwrap();
        }
        assert_eq!(second.state(), whole.state(), "resumed at {steps}");
    }
}
