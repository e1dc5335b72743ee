//! Parameters far beyond reason: every step is taken with finite results, or refused in words with the state as it was.

use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Elements, Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

use crate::similarity::METHODS;

const YOUNG: [f64; 5] = [1e-3, 1.0, 1e5, 1e10, 1e15];
const STEPS: [f64; 4] = [1e-9, 1e-3, 0.1, 10.0];

fn tetrahedron(height: f64) -> Option<Mesh> {
    let positions = vec![
        Vec3::ZERO,
        vec3(0.1, 0.0, 0.0),
        vec3(0.0, 0.1, 0.0),
        vec3(0.03, 0.03, height),
    ];
    let elements = Elements::Tetrahedra(vec![[0, 1, 2, 3]]);
    Some(Mesh::single_region(positions, elements).ok()?.0)
}

/// Falls at 1 m/s on a floor that it nearly touches.
fn falling(mesh: Mesh, material: MaterialSpecification) -> Option<Model> {
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, -1e-3),
            normal: vec3(0.0, 0.0, 1.0),
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
    let body = BodySpecification {
        velocity: vec3(0.2, 0.0, -1.0),
        ..BodySpecification::uniform("body", mesh, material)
    };
    let model = Model::build(vec![body], vec![], vec3(0.0, 0.0, -9.81)).ok()?;
    Some(model.with_contact(contact).unwrap())
}

/// Steps a few times; how many were taken.
fn survive(model: Model, settings: Settings, method: Method, what: &str) -> usize {
    let Ok(mut simulation) = Simulation::new(model, settings, method) else {
        return 0; // refused from the start
    };
    for step in 0..4 {
        let before = simulation.state().positions.clone();
        match simulation.step() {
            Ok(_) => {
                let state = simulation.state();
                let finite = |v: &Vec3| v.is_finite();
                let all = state.positions.iter().chain(&state.velocities).all(finite);
                assert!(all, "{what}: not finite");
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(simulation.state().positions, before, "{what}: {error}");
                return step;
            }
        }
    }
    4
}

#[test]
fn stiffness_and_steps_of_any_size() {
    let mesh = generate::bar(vec3(0.1, 0.1, 0.1), [1, 1, 2], generate::Split::Six).unwrap();
    let (mut taken, mut wanted) = (0, 0);
    for model in MaterialModel::ALL {
        for young in YOUNG {
            let material = MaterialSpecification::new(model, young, 0.3, 1000.0);
            for h in STEPS {
                for method in METHODS {
                    let what = format!("{} {young:e} Pa, {h} s, {}", model.name(), method.name());
                    let settings = Settings {
                        h,
                        ..Settings::default()
                    };
                    let scene = falling(mesh.clone(), material.clone()).unwrap();
                    taken += survive(scene, settings, method, &what);
                    wanted += 4;
                }
            }
        }
    }
    // most of it is merely unusual
    assert!(taken * 10 > wanted * 6, "{taken} of {wanted}");
}

#[test]
fn every_integrator_with_any_density() {
    let mesh = generate::bar(vec3(0.1, 0.1, 0.1), [1, 1, 2], generate::Split::Six).unwrap();
    let integrators = [
        Integrator::LinearImplicit { beta: 1.0 },
        Integrator::ImplicitEuler,
        Integrator::Bdf2,
    ];
    for integrator in integrators {
        for density in [1e-6, 1.0, 1e3, 1e12] {
            for h in STEPS {
                let material =
                    MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.3, density);
                let settings = Settings {
                    h,
                    integrator,
                    ..Settings::default()
                };
                let what = format!("{integrator:?} {density:e} kg/m³, {h} s");
                survive(
                    falling(mesh.clone(), material).unwrap(),
                    settings,
                    Method::Full,
                    &what,
                );
            }
        }
    }
}

/// One element, from regular to flatter than rounding; the flattest are refused before they move.
#[test]
fn slivers() {
    let mut built = 0;
    for height in [0.1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
        for model in MaterialModel::ALL {
            let material = MaterialSpecification::new(model, 1e5, 0.3, 1000.0);
            for method in METHODS {
                let what = format!("{} of height {height:e}, {}", model.name(), method.name());
                let mesh = tetrahedron(height);
                if let Some(scene) = mesh.and_then(|mesh| falling(mesh, material.clone())) {
                    built += 1;
                    survive(scene, Settings::default(), method, &what);
                }
            }
        }
    }
    assert!(built >= 2 * 8 * 5);
}

/// A force that is not a number is refused with the state as it was.
#[test]
fn forces_that_are_no_numbers() {
    use pliant_solid::drive::{Action, Drive};
    use pliant_solid::profile::Profile;
    let mesh = tetrahedron(0.1).unwrap();
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.3, 1000.0);
    for method in METHODS {
        let push = Drive {
            name: "push".into(),
            action: Action::Force {
                nodes: vec![3],
                force: vec3(f64::NAN, 0.0, 1.0),
                profile: Profile::Constant(1.0),
            },
        };
        let body = BodySpecification::uniform("body", mesh.clone(), material.clone());
        if let Ok(model) = Model::build(vec![body], vec![push], Vec3::ZERO) {
            let taken = survive(model, Settings::default(), method, "nan");
            assert_eq!(taken, 0, "{}", method.name());
        }
    }
}
