//! One simulation with its method and its clock.

use pliant_solid::Simulation;
use pliant_solid::report::StepError;
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
    /// Before its first step.
    pub fn new(simulation: Simulation, method: Method) -> Pane {
        Pane {
            simulation,
            method,
            steps: 0,
            last: 0.0,
            total: 0.0,
        }
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
