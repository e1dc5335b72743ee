//! The bar in Pliant, without damping.

use crate::scenario::{
    Bar, DENSITY, Engine, H, ITERATION_LIMIT, POISSON, TOLERANCE, YOUNG, gravity,
};
use pliant_linalg::PcgSettings;
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::report::Stage;
use pliant_solid::settings::{Integrator, PreconditionerChoice, Settings, SolverChoice};
use pliant_solid::strategy::Method;
use std::error::Error;

/// Conjugate gradients to the tolerance that rapier has, with our best preconditioner at this size.
pub fn pcg() -> SolverChoice {
    SolverChoice::Pcg {
        settings: PcgSettings {
            relative_tolerance: TOLERANCE,
            max_iterations: ITERATION_LIMIT,
        },
        preconditioner: PreconditionerChoice::GaussSeidel,
    }
}

/// One linear solve a step, β = 1: backward Euler linearised once, as rapier has it.
pub const LINEARISED: Integrator = Integrator::LinearImplicit { beta: 1.0 };

/// A simulation of the bar.
pub fn build(
    bar: &Bar,
    material: MaterialModel,
    solver: SolverChoice,
    integrator: Integrator,
) -> Result<Simulation, Box<dyn Error>> {
    let specification = MaterialSpecification::new(material, YOUNG, POISSON, DENSITY);
    let body = BodySpecification::uniform("bar", bar.mesh.clone(), specification);
    let clamp = Drive {
        name: "clamp".into(),
        action: Action::Prescribe {
            nodes: bar.clamped.clone(),
            axes: [true; 3],
            motion: Motion::default(),
            release: None,
        },
    };
    let model = Model::build(vec![body], vec![clamp], gravity())?;
    let settings = Settings {
        h: H,
        integrator,
        solver,
        max_halvings: 0,
        ..Settings::default()
    };
    Ok(Simulation::new(model, settings, Method::Full)?)
}

impl Engine for Simulation {
    fn step(&mut self) -> Result<(), String> {
        let report = Simulation::step(self).map_err(|error| error.to_string())?;
        if report.solve.converged {
            Ok(())
        } else {
            Err("Pliant's linear solve did not reach the tolerance".into())
        }
    }

    fn tip(&self, bar: &Bar) -> f64 {
        bar.tip_displacement(|node| self.state().positions[node].z)
    }

    fn iterations(&self) -> Option<usize> {
        Some(self.report().linear_iterations)
    }

    fn stages(&self) -> Vec<(&'static str, f64)> {
        let times = &self.report().times;
        (Stage::ALL.iter())
            .map(|&stage| (stage.name(), times.seconds(stage)))
            .collect()
    }
}
