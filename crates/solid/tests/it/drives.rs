//! Prescribed motion, release, loads, springs, planar bodies, damping.

use crate::common::*;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::Surface;
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Faces, Motion};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

fn ramp(v: f64) -> Profile {
    Profile::Keyframes {
        keys: vec![(0.0, 0.0), (0.1, v)],
        smooth: false,
    }
}

#[test]
fn prescribed_nodes_are_exactly_where_they_should_be_and_then_let_go() {
    for integrator in [Integrator::LinearImplicit { beta: 1.0 }, Integrator::Bdf2] {
        let mesh = bar([8, 2, 2]);
        let (left, right) = (left_end(&mesh), right_end(&mesh));
        let motion = Motion {
            translation: Some([ramp(0.1), ramp(-0.05), ramp(0.0)]),
            ..Motion::default()
        };
        let moving = Drive {
            name: "pull".into(),
            action: Action::Prescribe {
                nodes: right.clone(),
                axes: [true; 3],
                motion: motion.clone(),
                release: Some(0.1),
            },
        };
        let body = BodySpecification::uniform("bar", mesh, soft(MaterialModel::StableNeoHookean));
        let model = Model::build(vec![body], vec![fix(left), moving], Vec3::ZERO).unwrap();
        let mut simulation = Simulation::new(model, settings(integrator), Method::Full).unwrap();
        for step in 1..=20 {
            simulation.step().unwrap();
            for &n in &right {
                let target = motion.at(simulation.model().rest[n as usize], step as f64 * 5e-3);
                assert!((simulation.state().positions[n as usize] - target).norm() < 1e-12);
            }
        }
        let kept = simulation.space().row_count();
        let held = simulation.report().reactions[1];
        assert!(held.x > 0.0, "stretched: the drive pulls along x, {held:?}");
        for _ in 0..5 {
            simulation.step().unwrap();
        }
        assert_eq!(simulation.space().row_count(), kept + right.len());
        assert_eq!(simulation.report().reactions[1], Vec3::ZERO);
        let n = right[0] as usize;
        assert!(
            simulation.state().positions[n].x < simulation.model().rest[n].x + 0.1,
            "it springs back"
        );
    }
}

#[test]
fn loads_arrive_at_the_clamp() {
    let mesh = bar([8, 2, 2]);
    let (left, right) = (left_end(&mesh), right_end(&mesh));
    let surface = Surface::of(&mesh);
    let end: Vec<[u32; 3]> = surface
        .triangles
        .iter()
        .copied()
        .filter(|t| t.iter().all(|n| right.binary_search(n).is_ok()))
        .collect();
    let loads = [
        Action::Force {
            nodes: right.clone(),
            force: vec3(0.3, -0.2, 0.5),
            profile: Profile::Constant(1.0),
        },
        Action::Traction {
            faces: Faces::Triangles(end.clone()),
            traction: vec3(30.0, -20.0, 50.0),
            pressure: 0.0,
            profile: Profile::Constant(1.0),
        },
        Action::Spring {
            nodes: right.clone(),
            motion: Motion {
                translation: Some([0.05, 0.0, 0.02].map(Profile::Constant)),
                ..Motion::default()
            },
            stiffness: 2.0,
            damping: 0.1,
            from: 0.0,
            until: 1e9,
        },
        Action::Traction {
            faces: Faces::Triangles(surface.triangles.clone()),
            traction: Vec3::ZERO,
            pressure: 100.0,
            profile: Profile::Constant(1.0),
        },
        Action::Accelerate {
            nodes: right.clone(),
            acceleration: [0.3, -0.2, 0.5].map(Profile::Constant),
        },
    ];
    for (index, action) in loads.into_iter().enumerate() {
        let load = Drive {
            name: "load".into(),
            action,
        };
        let body =
            BodySpecification::uniform("bar", mesh.clone(), soft(MaterialModel::StableNeoHookean));
        let model = Model::build(vec![body], vec![fix(left.clone()), load], Vec3::ZERO).unwrap();
        let simulation = simulate(model, settings(Integrator::QuasiStatic), 3);
        let [clamp, applied] = simulation.report().reactions[..] else {
            panic!()
        };
        let scale = applied.norm().max(1e-3);
        assert!(
            (clamp + applied).norm() < 1e-6 * scale,
            "load {index}: {clamp:?} {applied:?}"
        );
        if index < 2 {
            assert!(
                (applied - vec3(0.3, -0.2, 0.5)).norm() < 1e-12,
                "{applied:?}"
            );
        }
    }
}

#[test]
fn a_body_falls_by_an_acceleration_as_by_gravity() {
    let mesh = bar([4, 2, 2]);
    let nodes: Vec<u32> = (0..mesh.node_count() as u32).collect();
    let body = BodySpecification::uniform("bar", mesh, soft(MaterialModel::StableNeoHookean));
    let mass: f64 = {
        let model = Model::build(vec![body.clone()], Vec::new(), Vec3::ZERO).unwrap();
        model.mass.iter().sum()
    };
    // half a gravity until it is taken away at the end of the third step
    let h = settings(Integrator::LinearImplicit { beta: 1.0 }).h;
    let pull = |axis: usize| Profile::Keyframes {
        keys: vec![(3.0 * h, 0.5 * GRAVITY[axis]), (3.5 * h, 0.0)],
        smooth: false,
    };
    let drive = Drive {
        name: "pull".into(),
        action: Action::Accelerate {
            nodes,
            acceleration: [pull(0), pull(1), pull(2)],
        },
    };
    let model = Model::build(vec![body], vec![drive], Vec3::ZERO).unwrap();
    let first = simulate(
        model.clone(),
        settings(Integrator::LinearImplicit { beta: 1.0 }),
        1,
    );
    let applied = first.report().reactions[0];
    assert!((applied - GRAVITY * (0.5 * mass)).norm() < 1e-12 * applied.norm());
    let later = simulate(model, settings(Integrator::LinearImplicit { beta: 1.0 }), 6);
    let expected = GRAVITY * (0.5 * 3.0 * h);
    for velocity in &later.state().velocities {
        assert!((*velocity - expected).norm() < 1e-9, "{velocity:?}");
    }
}

#[test]
fn springs_hold_a_body_in_the_air() {
    let mesh = bar([4, 2, 2]);
    let nodes: Vec<u32> = (0..mesh.node_count() as u32).collect();
    let count = nodes.len() as f64;
    let action = Action::Spring {
        nodes,
        motion: Motion::default(),
        stiffness: 50.0,
        damping: 2.0,
        from: 0.0,
        until: 1e9,
    };
    let body = BodySpecification::uniform("bar", mesh, soft(MaterialModel::StableNeoHookean));
    let drive = Drive {
        name: "spring".into(),
        action,
    };
    let model = Model::build(vec![body], vec![drive], GRAVITY).unwrap();
    let start = Simulation::new(model.clone(), Settings::default(), Method::Full).unwrap();
    let rest = start
        .model()
        .rest
        .iter()
        .zip(&start.model().mass)
        .map(|(x, m)| x.z * m)
        .sum::<f64>()
        / start.model().mass.iter().sum::<f64>();
    let simulation = simulate(
        model,
        settings(Integrator::LinearImplicit { beta: 1.0 }),
        400,
    );
    let mass: f64 = simulation.model().mass.iter().sum();
    let sag = rest - simulation.report().momentum.centre.z;
    assert!((simulation.report().reactions[0].z - mass * 9.81).abs() < 1e-6 * mass * 9.81);
    assert!(
        (sag / (mass * 9.81 / (50.0 * count)) - 1.0).abs() < 0.2,
        "{sag}"
    );
}

#[test]
fn planar_bodies_stay_in_their_plane() {
    let mesh = rectangle();
    let clamp = fix(left_end(&mesh));
    let body = BodySpecification {
        thickness: 0.1,
        ..BodySpecification::uniform("beam", mesh, soft(MaterialModel::StableNeoHookean))
    };
    let model = Model::build(vec![body], vec![clamp], vec3(0.0, -9.81, -3.0)).unwrap();
    assert!(
        (model.mass.iter().sum::<f64>() - 4.0).abs() < 1e-12,
        "0.4 × 0.1 × 0.1 m³ of water"
    );
    let simulation = simulate(
        model,
        settings(Integrator::LinearImplicit { beta: 1.0 }),
        40,
    );
    assert!(simulation.state().positions.iter().all(|x| x.z == 0.0));
    assert!(
        simulation.state().positions.iter().any(|x| x.y < -0.02),
        "and it bends"
    );
}

#[test]
fn mass_damping_decays_a_free_flight_as_it_should() {
    // METHODS 0.1: with α₀ = 1/s backward Euler gives v (1 + h)⁻ⁿ; the sign is the whole point
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 1.0;
    let model = free_body(
        bar([3, 1, 1]),
        material,
        vec3(1.0, 0.0, 0.0),
        Vec3::ZERO,
        Vec3::ZERO,
    );
    let mass: f64 = model.mass.iter().sum();
    let simulation = simulate(
        model,
        settings(Integrator::LinearImplicit { beta: 1.0 }),
        400,
    );
    let speed = simulation.report().momentum.linear.x / mass;
    assert!((speed - 1.005f64.powi(-400)).abs() < 1e-10, "{speed}");
}
