//! Method `subspace`: mixed systems, regions that come and go, and what they cost [TMDK15].

use crate::common::{GRAVITY, bar, cantilever, distance, left_end, soft};
use pliant_linalg::{Keep, Mat3, Vec3, principal_components, vec3};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, NewtonSettings, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::{
    Activation, Fingerprint, Frame, Oracle, Rig, Skin, SubspaceLinear, SubspaceSettings,
    SubspaceStepper, Trained, TrainedDomain, TrainedModel, View,
};
use std::sync::Arc;

const INTEGRATORS: [Integrator; 3] = [
    Integrator::QuasiStatic,
    Integrator::ImplicitEuler,
    Integrator::LinearImplicit { beta: 1.0 },
];

fn settings(integrator: Integrator, subspace: SubspaceSettings) -> Settings {
    Settings {
        h: 0.01,
        integrator,
        subspace,
        newton: NewtonSettings {
            relative_tolerance: 1e-10,
            max_iterations: 60,
        },
        ..Settings::default()
    }
}

fn tight(linear: SubspaceLinear) -> SubspaceSettings {
    SubspaceSettings {
        linear,
        tolerance: 1e-12,
        ..SubspaceSettings::default()
    }
}

/// A model with one domain that has this basis, given by columns of 3 numbers a node.
fn with_basis(model: &Model, columns: &[Vec<f64>], cubature: Vec<(u32, f64)>) -> TrainedModel {
    let (nodes, rank) = (model.node_count(), columns.len());
    let mut basis = vec![0.0; 3 * nodes * rank];
    for (m, column) in columns.iter().enumerate() {
        for (row, &u) in column.iter().enumerate() {
            basis[row * rank + m] = u;
        }
    }
    TrainedModel {
        body: model.bodies[0].name.clone(),
        fingerprint: Fingerprint::of_body(model, 0),
        domains: vec![TrainedDomain {
            elements: (0..model.element_count() as u32).collect(),
            nodes: (0..nodes as u32).collect(),
            rank,
            basis,
            rigid_modes: 0,
            cubature,
            error: 0.0,
        }],
        interface: Vec::new(),
        weights: None,
    }
}

fn all_elements(model: &Model) -> Vec<(u32, f64)> {
    (0..model.element_count() as u32)
        .map(|e| (e, 1.0))
        .collect()
}

/// Every motion of nodes that are not held.
fn identity(model: &Model, held: &[u32]) -> TrainedModel {
    let free = (0..model.node_count()).filter(|&n| !held.contains(&(n as u32)));
    let column = |dof: usize| {
        let mut column = vec![0.0; 3 * model.node_count()];
        column[dof] = 1.0;
        column
    };
    let columns: Vec<Vec<f64>> = free
        .flat_map(|n| [0, 1, 2].map(|a| column(3 * n + a)))
        .collect();
    with_basis(model, &columns, all_elements(model))
}

fn attach(model: &Model, trained: TrainedModel, rig: Option<Arc<dyn Rig>>) -> Model {
    let trained = Trained {
        model: Arc::new(trained),
        rig,
    };
    model.clone().with_trained(vec![trained])
}

fn run(model: &Model, settings: &Settings, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

/// Names the same nodes in some steps.
struct Always(Vec<u32>, u64);

impl Oracle for Always {
    fn name_nodes(&mut self, view: &View<'_>, starts: &mut Vec<u32>) {
        let _ = view;
        if self.1 > 0 {
            self.1 -= 1;
            starts.extend_from_slice(&self.0);
        }
    }
}

/// Steps with an oracle that asks for some nodes at first; positions after every step.
fn run_with(
    model: &Model,
    settings: &Settings,
    starts: Vec<u32>,
    asked: u64,
    steps: usize,
) -> Vec<State> {
    let mut stepper = SubspaceStepper::new(model, settings.clone()).unwrap();
    stepper.add_oracle(Box::new(Always(starts, asked)));
    let mut state = model.initial_state();
    let mut states = Vec::new();
    for _ in 0..steps {
        stepper.step(model, &mut state, settings.h).unwrap();
        let mut shown = state.clone();
        stepper.fill(model, &mut shown);
        states.push(shown);
    }
    states
}

fn damped(model: MaterialModel) -> pliant_solid::material::MaterialSpecification {
    pliant_solid::material::MaterialSpecification {
        mass_damping: 0.5,
        stiffness_damping: 0.01,
        ..soft(model)
    }
}

fn small() -> (Model, Vec<u32>) {
    let mesh = bar([5, 2, 2]);
    let held = left_end(&mesh);
    (
        cantilever(mesh, damped(MaterialModel::StableNeoHookean)),
        held,
    )
}

#[test]
fn the_identity_with_all_elements_is_full() {
    let (model, held) = small();
    let reduced = attach(&model, identity(&model, &held), None);
    for integrator in INTEGRATORS {
        let settings = settings(integrator, tight(SubspaceLinear::Pcg));
        let full = run(&model, &settings, Method::Full, 5);
        let own = run(&reduced, &settings, Method::Subspace, 5);
        let error = distance(&own.state().positions, &full.state().positions);
        assert!(error < 1e-9, "{integrator:?}: {error:e}");
        let moved = distance(&full.state().positions, &model.rest);
        assert!(moved > 1e-3, "{integrator:?}: nothing happened");
        assert_eq!(own.report().subspace.full_nodes, 0);
    }
}

#[test]
fn regions_within_the_identity_are_full() {
    // boundary forces, cubature, inertia and the mixed matrix together: any region must give the same answer
    let (model, held) = small();
    let reduced = attach(&model, identity(&model, &held), None);
    let tip: Vec<u32> = (0..model.node_count() as u32)
        .filter(|&n| model.rest[n as usize].x > 0.39)
        .collect();
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let settings = settings(
                integrator,
                SubspaceSettings {
                    radius: 0.45,
                    ..tight(linear)
                },
            );
            let full = run(&model, &settings, Method::Full, 9);
            let states = run_with(&reduced, &settings, tip.clone(), 3, 9);
            let active: Vec<usize> = states.iter().map(|s| s.subspace.active.len()).collect();
            assert!(
                active[0] > 9 && active[0] < model.node_count() - 9,
                "{active:?}"
            );
            let error = distance(&states[8].positions, &full.state().positions);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
        }
    }
}

fn floor(height: f64) -> Obstacle {
    Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, height),
            normal: Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    }
}

#[test]
fn everything_active_is_full() {
    // in contact, with a basis of one mode that knows nothing
    let (model, _) = small();
    let contact = ContactModel {
        obstacles: vec![floor(-0.02)],
        isotropy: 0.5,
        stiffness: 5.0,
        ..ContactModel::penalty()
    };
    let model = model.with_contact(contact).unwrap();
    let mut mode = vec![0.0; 3 * model.node_count()];
    mode[3 * (model.node_count() - 1)] = 1.0;
    let reduced = attach(&model, with_basis(&model, &[mode], vec![(0, 1.0)]), None);
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let own = SubspaceSettings {
                activation: Activation::Everything,
                ..tight(linear)
            };
            let settings = settings(integrator, own);
            let full = run(&model, &settings, Method::Full, 15);
            let run = run(&reduced, &settings, Method::Subspace, 15);
            assert!(full.report().contacts > 0);
            let error = distance(&run.state().positions, &full.state().positions);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
        }
    }
}
