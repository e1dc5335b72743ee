//! A model, its state and a stepper together, with retries of failed steps.

use crate::assembly::Forces;
use crate::contact::ContactReadout;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::report::{StageTimes, StepError, StepReport};
use crate::settings::Settings;
use crate::state::State;
use crate::step::Stepper;
use crate::strategy::Method;
use pliant_linalg::SolveError;

/// A running simulation.
pub struct Simulation {
    model: Model,
    state: State,
    stepper: Stepper,
}

impl Simulation {
    /// From the model's initial state.
    pub fn new(model: Model, settings: Settings, method: Method) -> Result<Simulation, SolveError> {
        let state = model.initial_state();
        Simulation::resume(model, settings, method, state)
    }

    /// From a state saved earlier; goes on exactly as the uninterrupted run would have.
    pub fn resume(
        model: Model,
        settings: Settings,
        method: Method,
        state: State,
    ) -> Result<Simulation, SolveError> {
        let stepper = Stepper::new(&model, settings, method)?;
        Ok(Simulation {
            model,
            state,
            stepper,
        })
    }

    /// Takes one step of the length in the settings. A failed step is tried again as two halves, and those as
    /// quarters, up to the limit in the settings; then the state is that before the step.
    pub fn step(&mut self) -> Result<&StepReport, StepError> {
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

    /// Whether the method may go on working on other threads after a step.
    pub fn works_in_background(&self) -> bool {
        self.stepper.works_in_background()
    }

    /// Waits for what it has under way there, so that it disturbs nothing that is measured next. Changes no result, unless factors
    /// run free.
    pub fn settle(&self) {
        self.stepper.settle();
    }

    /// The space of the last step.
    pub fn space(&self) -> &ReducedSpace {
        self.stepper.space()
    }
}
