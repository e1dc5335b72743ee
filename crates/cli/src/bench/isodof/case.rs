//! What is stepped and how: a body on a plane, generated or of a scene, and the variants of the method.

use crate::bench::contact::problem::{GRAVITY, half_space, moved};
use crate::bench::scene::{self, label};
use anyhow::{Context, Result};
use pliant_linalg::vec3;
use pliant_mesh::generate;
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::constraint::{ConstraintSettings, ConstraintSolver};
use pliant_solid::contact::ContactModel;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{IsodofSettings, LaggedSettings, Settings, Variant};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;

/// Sweeps as in the paper, which names no tolerance.
pub const SWEEPS: ConstraintSettings = ConstraintSettings {
    solver: ConstraintSolver::ProjectedGaussSeidel,
    max_iterations: 1000,
    tolerance: 1e-3,
};

/// So tight that variants can be compared.
const EXACT: ConstraintSettings = ConstraintSettings {
    solver: ConstraintSolver::Newton,
    max_iterations: 5000,
    tolerance: 1e-11,
};

/// A body that lies on a plane.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// A compact soft block with about so many nodes; its whole underside touches, a 27th of the nodes at the size of Table 1.
    Block { nodes: usize },
    /// That of a scene.
    Scene(&'static str),
}

/// A body with its settings.
#[derive(Clone)]
pub struct Case {
    /// Says so where the body is a stand-in for a mesh that is not there.
    pub name: String,
    pub model: Model,
    settings: Settings,
}

impl Case {
    /// Every near contact takes part, so that W is built exactly once a step.
    pub fn new(body: Body) -> Result<Case> {
        let (name, model, settings) = match body {
            Body::Block { nodes } => {
                let settings = Settings {
                    h: 1e-2,
                    ..Settings::default()
                };
                ("block".to_string(), block(nodes)?, settings)
            }
            Body::Scene(name) => {
                let scene = scene(name)?;
                (label(&scene, name), scene.model, scene.settings)
            }
        };
        let mut contact = model.contact.clone();
        contact.constraint.all_near = true;
        contact.constraint.solver = SWEEPS;
        Ok(Case {
            name,
            model: model.with_contact(contact)?,
            settings,
        })
    }

    /// A scene as it is.
    pub fn of(scene: &Scene) -> Case {
        Case {
            name: scene.name.clone(),
            model: scene.model.clone(),
            settings: scene.settings.clone(),
        }
    }

    /// With constraints solved as exactly as can be.
    pub fn exact(mut self) -> Case {
        self.model.contact.constraint.solver = EXACT;
        self
    }

    /// Time step, s.
    pub fn h(&self) -> f64 {
        self.settings.h
    }

    /// Those that are not of the method.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A simulation from a state.
    pub fn resume(&self, isodof: IsodofSettings, state: State) -> Result<Simulation> {
        let settings = Settings {
            isodof,
            ..self.settings.clone()
        };
        let model = self.model.clone();
        Ok(Simulation::resume(model, settings, Method::Isodof, state)?)
    }

    /// A simulation with the method's defaults after so many steps.
    pub fn after(&self, steps: usize) -> Result<Simulation> {
        let start = self.model.initial_state();
        let mut simulation = self.resume(IsodofSettings::default(), start)?;
        for _ in 0..steps {
            simulation.step().with_context(|| self.name.clone())?;
        }
        Ok(simulation)
    }
}

/// A state that remembers no factor, so that every variant begins with that of its first step.
pub fn forgetful(state: &State) -> State {
    State {
        factors: Default::default(),
        ..state.clone()
    }
}

/// The first factor for good, and the response as it gives it.
pub fn standing(variant: Variant) -> IsodofSettings {
    let factor = LaggedSettings {
        refresh_at: u32::MAX,
        delay_tolerance: f64::INFINITY,
        ..LaggedSettings::default()
    };
    IsodofSettings {
        variant,
        factor,
        ..IsodofSettings::default()
    }
}

/// A new factor is begun whenever the last has arrived: what a body in violent motion needs.
pub fn renewed(variant: Variant, free_running: bool, foresee: bool) -> IsodofSettings {
    let factor = LaggedSettings {
        refresh_at: 0,
        free_running,
        ..LaggedSettings::default()
    };
    IsodofSettings {
        variant,
        factor,
        foresee,
        ..IsodofSettings::default()
    }
}

/// A scene of the method by the last part of its name, with the meshes that are there.
pub fn scene(name: &str) -> Result<Scene> {
    scene::load(&format!("isodof/{name}"))
}

/// Planes of nodes of the block of Table 1's size: 19 845 nodes, 735 of them below.
const PLANES: [f64; 3] = [49.0, 15.0, 27.0];

/// 49 × 15 × 27 cm, soft enough to sag by its own weight, just above the plane.
fn block(nodes: usize) -> Result<Model> {
    let size = vec3(0.49, 0.15, 0.27);
    let scale = (nodes as f64 / PLANES.iter().product::<f64>()).cbrt();
    let cells = PLANES.map(|planes| ((planes * scale).round() as usize).max(3) - 1);
    let mesh = generate::bar(size, cells, generate::Split::Six)?;
    let mesh = moved(mesh, |x| x + vec3(0.0, 0.0, 1e-4));
    let mut material = MaterialSpecification::new(MaterialModel::CorotatedFrozen, 3e4, 0.4, 1000.0);
    material.stiffness_damping = 1e-2;
    let body = BodySpecification::uniform("block", mesh, material);
    let contact = ContactModel {
        enabled: true,
        friction: 0.5,
        obstacles: vec![half_space(vec3(0.0, 0.0, 1.0))],
        ..ContactModel::default()
    };
    let model = Model::build(vec![body], Vec::new(), vec3(0.0, 0.0, -GRAVITY))?;
    Ok(model.with_contact(contact)?)
}
