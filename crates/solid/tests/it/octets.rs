//! Averaged and quadratic elements in whole steps: every method that needs no more than what elements give takes them.

use crate::common::*;
use crate::rigidify::rates;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Surface, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Faces};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model, ModelError};
use pliant_solid::octet::Formulation;
use pliant_solid::profile::Profile;
use pliant_solid::seam::Seam;
use pliant_solid::settings::{ConjacSettings, RigidifySettings, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;

const OCTETS: [Formulation; 2] = [Formulation::Averaged, Formulation::Quadratic];

fn body(formulation: Formulation, of: MaterialModel) -> BodySpecification {
    let bar = generate::bar(vec3(0.4, 0.1, 0.1), [4, 1, 1], generate::Split::Six).unwrap();
    let material = MaterialSpecification {
        stiffness_damping: 0.01,
        ..MaterialSpecification::new(of, 1e5, 0.45, 1000.0)
    };
    BodySpecification {
        formulation,
        ..BodySpecification::uniform("bar", bar.with_octets().unwrap(), material)
    }
}

/// A bar that is held at one end, pressed on from above and falls on a floor.
fn model(formulation: Formulation, of: MaterialModel) -> Model {
    let body = body(formulation, of);
    let mesh = &body.mesh;
    let held = (0..mesh.node_count() as u32).filter(|&n| mesh.positions[n as usize].x < 1e-9);
    let top = |t: &[u32; 3]| t.iter().all(|&n| mesh.positions[n as usize].z > 0.1 - 1e-9);
    let faces = Surface::of(mesh)
        .triangles
        .into_iter()
        .filter(top)
        .collect();
    let drives = vec![
        fix(held.collect()),
        Drive {
            name: "press".into(),
            action: Action::Traction {
                faces: Faces::Triangles(faces),
                traction: Vec3::ZERO,
                pressure: 100.0,
                profile: Profile::Constant(1.0),
            },
        },
    ];
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, -0.02),
            normal: vec3(0.0, 0.0, 1.0),
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        enabled: true,
        obstacles: vec![floor],
        friction: 0.3,
        ..ContactModel::default()
    };
    let model = Model::build(vec![body], drives, GRAVITY).unwrap();
    model.with_contact(contact).unwrap()
}

fn settings() -> Settings {
    Settings {
        h: 5e-3,
        rigidify: RigidifySettings::with_limits(rates(0.01)),
        conjac: ConjacSettings {
            count: 40,
            ..ConjacSettings::default()
        },
        ..Settings::default()
    }
}

fn run(model: &Model, settings: &Settings, method: Method, steps: usize) -> State {
    let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.state().clone()
}

fn apart(a: &State, b: &State) -> f64 {
    let pairs = a.positions.iter().zip(&b.positions);
    pairs.map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max)
}

#[test]
fn all_methods_but_subspace_take_them() {
    for formulation in OCTETS {
        for of in [MaterialModel::StableNeoHookean, MaterialModel::NeoHookean] {
            let model = model(formulation, of);
            let full = run(&model, &settings(), Method::Full, 60);
            let lowest = full.positions.iter().map(|x| x.z).fold(f64::MAX, f64::min);
            assert!(lowest < -0.018 && lowest > -0.0215, "{lowest}");
            for (method, most) in [
                (Method::Isodof, 1e-4),
                (Method::EarlyCg, 2e-2),
                (Method::Rigidify, 5e-3),
                (Method::Conjac, 2e-2),
            ] {
                let other = run(&model, &settings(), method, 60);
                let apart = apart(&full, &other);
                assert!(apart < most, "{formulation:?} {of:?} {method:?}: {apart:e}");
            }
            let refused = Simulation::new(model, settings(), Method::Subspace);
            assert!(refused.is_err());
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for formulation in OCTETS {
        let model = model(formulation, MaterialModel::StableNeoHookean);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let state = run(&model, &settings(), Method::Rigidify, 40);
                (state.positions, state.velocities)
            })
        };
        let one = on(1);
        assert!(on(2) == one && on(3) == one);
    }
}

/// Pressure inside of a box of quadratic elements presses its faces by their middles, with the same resultant.
#[test]
fn surface_loads_are_consistent() {
    let quadratic = model(Formulation::Quadratic, MaterialModel::Linear);
    let linear = model(Formulation::Linear, MaterialModel::Linear);
    let load = |model: &Model| {
        let mut loads = pliant_solid::drive::Loads::default();
        loads.gather(model, &model.rest, 1.0, 1e-3);
        loads
    };
    let (six, three) = (load(&quadratic), load(&linear));
    assert!((six.totals[1] - vec3(0.0, 0.0, -4.0)).norm() < 1e-12);
    assert!((six.totals[1] - three.totals[1]).norm() < 1e-12);
    let corner = |x: Vec3| x.x < 1e-9 && x.y < 1e-9 && x.z > 0.099;
    let at = quadratic.rest.iter().position(|x| corner(*x)).unwrap();
    assert!(six.force[at].norm() < 1e-14 && three.force[at].norm() > 1e-3);
    // moments about the middle vanish in both
    let moment = |model: &Model, force: &[Vec3]| {
        let arms = model.rest.iter().map(|x| *x - vec3(0.2, 0.05, 0.1));
        arms.zip(force)
            .fold(Vec3::ZERO, |s, (r, f)| s + r.cross(*f))
    };
    assert!(moment(&quadratic, &six.force).norm() < 1e-13);
}

#[test]
fn cuts_are_refused() {
    for formulation in OCTETS {
        let model = model(formulation, MaterialModel::StableNeoHookean);
        let seam = Seam {
            name: "cut".into(),
            time: 0.1,
            pairs: vec![[0, 1]],
        };
        let error = model.with_seams(vec![seam]).unwrap_err();
        assert!(matches!(&error, ModelError::Seam { reason, .. } if reason.contains("tet4")));
    }
}
