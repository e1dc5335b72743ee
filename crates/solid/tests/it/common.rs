//! Small models shared by the tests.

use pliant_linalg::{PcgSettings, Vec3, vec3};
use pliant_mesh::{Mesh, Selection, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{
    Integrator, NewtonSettings, PreconditionerChoice, Settings, SolverChoice,
};
use pliant_solid::strategy::Method;
use pliant_solid::subspace::{SubspaceLinear, SubspaceSettings};

pub const GRAVITY: Vec3 = vec3(0.0, 0.0, -9.81);

pub fn bar(cells: [usize; 3]) -> Mesh {
    generate::bar(vec3(0.4, 0.1, 0.1), cells, generate::Split::Six).unwrap()
}

pub fn rectangle() -> Mesh {
    generate::rectangle([0.4, 0.1], [16, 4], Default::default()).unwrap()
}

pub fn soft(model: MaterialModel) -> MaterialSpecification {
    MaterialSpecification::new(model, 1e5, 0.35, 1000.0)
}

pub fn fix(nodes: Vec<u32>) -> Drive {
    prescribe(nodes, [true; 3], Motion::default())
}

pub fn prescribe(nodes: Vec<u32>, axes: [bool; 3], motion: Motion) -> Drive {
    Drive {
        name: "prescribed".into(),
        action: Action::Prescribe {
            nodes,
            axes,
            motion,
            release: None,
        },
    }
}

pub fn left_end(mesh: &Mesh) -> Vec<u32> {
    at_x(mesh, 0.0)
}

pub fn right_end(mesh: &Mesh) -> Vec<u32> {
    at_x(mesh, 0.4)
}

fn at_x(mesh: &Mesh, x: f64) -> Vec<u32> {
    let plane = Selection::Plane {
        point: vec3(x, 0.0, 0.0),
        normal: vec3(1.0, 0.0, 0.0),
        tolerance: 1e-9,
    };
    plane.resolve(mesh).unwrap()
}

pub fn cantilever(mesh: Mesh, material: MaterialSpecification) -> Model {
    let clamp = fix(left_end(&mesh));
    Model::build(
        vec![BodySpecification::uniform("bar", mesh, material)],
        vec![clamp],
        GRAVITY,
    )
    .unwrap()
}

pub fn free_body(
    mesh: Mesh,
    material: MaterialSpecification,
    velocity: Vec3,
    spin: Vec3,
    gravity: Vec3,
) -> Model {
    let body = BodySpecification {
        velocity,
        spin,
        ..BodySpecification::uniform("body", mesh, material)
    };
    Model::build(vec![body], vec![], gravity).unwrap()
}

pub fn settings(integrator: Integrator) -> Settings {
    Settings {
        integrator,
        ..Settings::default()
    }
}

pub fn pcg(tolerance: f64) -> SolverChoice {
    SolverChoice::Pcg {
        settings: PcgSettings {
            relative_tolerance: tolerance,
            max_iterations: 5000,
            ..PcgSettings::default()
        },
        preconditioner: PreconditionerChoice::BlockJacobi,
    }
}

pub fn simulate(model: Model, settings: Settings, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model, settings, Method::Full).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

/// Largest distance between two sets of positions.
pub fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (*a - *b).norm())
        .fold(0.0, f64::max)
}

/// Steps of 10 ms by Newton's method to this residual.
pub fn newton_settings(
    integrator: Integrator,
    subspace: SubspaceSettings,
    relative_tolerance: f64,
) -> Settings {
    Settings {
        h: 0.01,
        integrator,
        subspace,
        newton: NewtonSettings {
            relative_tolerance,
            max_iterations: 80,
        },
        ..Settings::default()
    }
}

/// Linear systems solved to rounding, and inertia of every node in its own frame.
pub fn tight(linear: SubspaceLinear) -> SubspaceSettings {
    SubspaceSettings {
        linear,
        tolerance: 1e-12,
        max_iterations: 10_000,
        mass_samples: 10_000,
        ..SubspaceSettings::default()
    }
}

/// Some steps of a method.
pub fn run(model: &Model, settings: &Settings, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}
