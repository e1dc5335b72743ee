//! A model, its state and a stepper together, with retries of failed steps.

use crate::assembly::Forces;
use crate::contact::ContactReadout;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::report::{Stage, StageTimes, StepError, StepFailure, StepReport};
use crate::settings::Settings;
use crate::state::State;
use crate::step::{Stepper, fail};
use crate::strategy::Method;
use pliant_linalg::SolveError;

/// A running simulation.
pub struct Simulation {
    model: Model,
    state: State,
    stepper: Stepper,
    method: Method,
}

impl Simulation {
    /// From the model's initial state.
    pub fn new(model: Model, settings: Settings, method: Method) -> Result<Simulation, SolveError> {
        let state = model.initial_state();
        Simulation::resume(model, settings, method, state)
    }

    /// From a state saved earlier; goes on exactly as the uninterrupted run would have. Seams are open whose time has come.
    pub fn resume(
        mut model: Model,
        settings: Settings,
        method: Method,
        state: State,
    ) -> Result<Simulation, SolveError> {
        model.open_seams(model.seams.due(state.time, settings.h));
        let stepper = Stepper::new(&model, settings, method)?;
        Ok(Simulation {
            model,
            state,
            stepper,
            method,
        })
    }

    /// Takes one step of the length in the settings. A failed step is tried again as two halves, and those as
    /// quarters, up to the limit in the settings; then the state is that before the step.
    pub fn step(&mut self) -> Result<&StepReport, StepError> {
        self.open_seams()?;
        let h = self.stepper.settings.h;
        let step = self.state.step + 1;
        let (times, halvings) = match self.stepper.step(&self.model, &mut self.state, h) {
            Ok(report) => (report.times, 0),
            Err(error) => self.step_in_halves(h, error)?,
        };
        self.state.step = step;
        self.state.time = step as f64 * h; // no drift from adding up steps or halves
        let report = &mut self.stepper.report;
        report.step = step;
        report.time = self.state.time;
        report.halvings = halvings;
        report.times = times;
        Ok(report)
    }

    /// Opens the seams whose time has come. The state stays as it is: twins are where their masters are, packs of elements are the
    /// same, and what solvers remember of a body that has changed they do not recognise.
    fn open_seams(&mut self) -> Result<(), StepError> {
        let (before, settings) = (self.model.seams.open(), &self.stepper.settings);
        let open = self.model.seams.due(self.state.time, settings.h);
        if open <= before {
            return Ok(());
        }
        let State {
            positions,
            velocities,
            ..
        } = &mut self.state;
        self.model.carry_twins(positions, velocities);
        self.model.open_seams(open);
        match Stepper::new(&self.model, settings.clone(), self.method) {
            Ok(mut stepper) => {
                stepper.report = std::mem::take(&mut self.stepper.report);
                self.stepper = stepper;
                Ok(())
            }
            Err(source) => {
                self.model.open_seams(before);
                let place = "opening of a cut".into();
                let failure = StepFailure::Solve { place, source };
                Err(fail(&self.state, Stage::Adapt, failure))
            }
        }
    }

    /// Redoes a failed step in 2, 4, 8 … parts.
    fn step_in_halves(&mut self, h: f64, first: StepError) -> Result<(StageTimes, u32), StepError> {
        let start = self.state.clone();
        let mut error = first;
        for halvings in 1..=self.stepper.settings.max_halvings {
            let parts = 1u32 << halvings;
            let mut times = StageTimes::default();
            let attempt = (0..parts).try_for_each(|_| {
                let report =
                    self.stepper
                        .step(&self.model, &mut self.state, h / f64::from(parts))?;
                times.merge(&report.times);
                Ok(())
            });
            match attempt {
                Ok(()) => {
                    return Ok((times, halvings));
                }
                Err(e) => {
                    self.state.clone_from(&start);
                    error = StepError {
                        step: start.step + 1,
                        ..e
                    };
                }
            }
        }
        Err(error)
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state, to be changed between steps.
    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Report of the last step.
    pub fn report(&self) -> &StepReport {
        &self.stepper.report
    }

    /// Forces and stresses at the end of the last step.
    pub fn forces(&self) -> &Forces {
        self.stepper.forces()
    }

    /// Forces of all contacts of the last step.
    pub fn contacts(&self) -> ContactReadout {
        self.stepper.contact_readout(&self.model, &self.state)
    }

    /// The space of the last step.
    pub fn space(&self) -> &ReducedSpace {
        self.stepper.space()
    }
}
