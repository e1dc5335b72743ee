//! One simulation with its method and its clock.

use crate::hand;
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::report::StepError;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use std::time::Instant;

/// See the file header.
pub struct Pane {
    /// The simulation.
    pub simulation: Simulation,
    /// Its method.
    pub method: Method,
    /// Steps since it began.
    pub steps: u64,
    /// Time that the last of them took, s.
    pub last: f64,
    /// Time that all of them took, s.
    pub total: f64,
}

impl Pane {
    /// A simulation of a scene with a method, from its start or from a state.
    pub fn start(scene: &mut Scene, method: Method, state: Option<State>) -> Result<Pane, String> {
        scene.load_trained(method).map_err(|e| e.to_string())?;
        let model = scene.model.clone().with_hands(hand::NODES);
        let state = state.unwrap_or_else(|| model.initial_state());
        let simulation = Simulation::resume(model, scene.settings.clone(), method, state);
        let why = |e| format!("The method {} cannot start: {e}.", method.name());
        Ok(Pane {
            simulation: simulation.map_err(why)?,
            method,
            steps: 0,
            last: 0.0,
            total: 0.0,
        })
    }

    /// Takes a step.
    pub fn step(&mut self) -> Result<(), StepError> {
        let began = Instant::now();
        self.simulation.step()?;
        self.last = began.elapsed().as_secs_f64();
        self.total += self.last;
        self.steps += 1;
        Ok(())
    }
}
