//! A model, its state and a stepper together, with retries of failed steps.

mod live;

pub use live::LiveError;

use crate::assembly::Forces;
use crate::contact::ContactReadout;
use crate::hand::Hold;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::report::{Stage, StageTimes, StepError, StepFailure, StepReport};
use crate::settings::{Settings, StrainRates};
use crate::state::State;
use crate::step::fail;
use crate::stepping::Stepping;
use crate::strategy::{Method, StartError};
use pliant_linalg::SolveError;
use std::cell::OnceCell;

/// Share of the tolerance below which the next step has a halving less: twice the step has four times the error.
const EASY: f64 = 0.2;

/// A running simulation.
pub struct Simulation {
    model: Model,
    state: State,
    stepper: Box<dyn Stepping>,
    method: Method,
    /// The state with all nodes in place, where they lag behind what is solved for; made when somebody looks.
    shown: OnceCell<Box<State>>,
    /// Forces at the end of the last step, where the step has not found them; made when somebody looks.
    forces: OnceCell<Box<Forces>>,
}

impl Simulation {
    /// From the model's initial state.
    pub fn new(model: Model, settings: Settings, method: Method) -> Result<Simulation, StartError> {
        let state = model.initial_state();
        Simulation::resume(model, settings, method, state)
    }

    /// From a state saved earlier; goes on exactly as the uninterrupted run would have. Seams are open whose time has come.
    pub fn resume(
        mut model: Model,
        settings: Settings,
        method: Method,
        state: State,
    ) -> Result<Simulation, StartError> {
        model.open_seams(model.seams.due(state.time, settings.h));
        let stepper = method.stepper(&model, settings)?;
        Ok(Simulation {
            model,
            state,
            stepper,
            method,
            shown: OnceCell::new(),
            forces: OnceCell::new(),
        })
    }

    /// Takes one step of the length in the settings, in as many halvings as the settings' tolerance asks for. A step that failed is
    /// halved too, up to the limit in the settings; then the state is that before the step.
    pub fn step(&mut self) -> Result<&StepReport, StepError> {
        self.open_seams()?;
        self.shown.take();
        self.forces.take();
        let Settings {
            h,
            tolerance,
            max_halvings,
            ..
        } = *self.stepper.settings();
        let step = self.state.step + 1;
        let mut halvings = tolerance.map_or(0, |_| self.state.halvings.min(max_halvings));
        let mut start = None;
        let (times, error) = loop {
            if halvings > 0 || tolerance.is_some() {
                start.get_or_insert_with(|| self.state.clone());
            } // a step in one part leaves the state alone when it fails
            let result = self.step_in_parts(h, 1 << halvings);
            let more = halvings < max_halvings;
            match result {
                Ok(done) if !more || tolerance.is_none_or(|most| done.1 <= most) => break done,
                Err(e) if !more => {
                    restore(&mut self.state, &start);
                    return Err(StepError { step, ..e });
                }
                _ => restore(&mut self.state, &start),
            }
            halvings += 1;
        };
        if let Some(most) = tolerance {
            let easy = error < EASY * most;
            self.state.halvings = halvings - u32::from(easy && halvings > 0);
        }
        self.state.step = step;
        self.state.time = step as f64 * h; // no drift from adding up steps or halves
        let report = self.stepper.report_mut();
        report.step = step;
        report.time = self.state.time;
        report.halvings = halvings;
        report.step_error = error;
        report.times = times;
        Ok(report)
    }

    /// Lets hands hold these nodes from now on, in place of what they held; see [`Model::with_hands`].
    pub fn hold(&mut self, holds: &[Hold]) {
        self.model.set_hands(holds, self.state.time);
    }

    /// Opens the seams whose time has come. The state stays as it is: twins are where their masters are, packs of elements are the
    /// same, and what solvers remember of a body that has changed they do not recognise.
    fn open_seams(&mut self) -> Result<(), StepError> {
        let (before, settings) = (self.model.seams.open(), self.stepper.settings());
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
        match self.method.stepper(&self.model, settings.clone()) {
            Ok(mut stepper) => {
                std::mem::swap(stepper.report_mut(), self.stepper.report_mut());
                self.stepper = stepper;
                Ok(())
            }
            Err(error) => {
                self.model.open_seams(before);
                let place = "opening of a cut".into();
                let source = match error {
                    StartError::Solve(source) => source,
                    // the method refuses seams before there is one to open
                    StartError::Subspace(_) => SolveError::PatternMismatch,
                };
                let failure = StepFailure::Solve { place, source };
                Err(fail(&self.state, Stage::Adapt, failure))
            }
        }
    }

    /// Equal parts of a step; their times, and the largest error of one.
    fn step_in_parts(&mut self, h: f64, parts: u32) -> Result<(StageTimes, f64), StepError> {
        let (mut times, mut error) = (StageTimes::default(), 0.0f64);
        for _ in 0..parts {
            let part = h / f64::from(parts);
            let report = self.stepper.step(&self.model, &mut self.state, part)?;
            times.merge(&report.times);
            error = error.max(report.step_error);
        }
        Ok((times, error))
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What each element is at present: 0 where it is as usual, another number for each clump that it may be inside of (they repeat
    /// where there are many), or for exact evaluation where that is the exception. None where the method knows no such thing.
    pub fn element_states(&self) -> Option<Vec<u8>> {
        self.stepper.element_states(&self.model, &self.state)
    }

    /// Steps taken.
    pub fn step_number(&self) -> u64 {
        self.state.step
    }

    /// Time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The state, all nodes where they are. In methods that do not step nodes this visits all of them, once after a step: ask for
    /// [`Self::step_number`] and [`Self::time`] where those are enough.
    pub fn state(&self) -> &State {
        if !self.state.subspace.behind {
            return &self.state;
        }
        self.shown.get_or_init(|| {
            let mut state = Box::new(self.state.clone());
            self.stepper.fill(&self.model, &mut state);
            state
        })
    }

    /// The state, to be changed between steps. Where coordinates are stepped they are what counts, not the nodes that follow them.
    pub fn state_mut(&mut self) -> &mut State {
        if let Some(shown) = self.shown.take() {
            self.state = *shown;
        }
        if self.state.subspace.behind {
            self.stepper.fill(&self.model, &mut self.state);
        }
        self.forces.take();
        &mut self.state
    }

    /// Report of the last step.
    pub fn report(&self) -> &StepReport {
        self.stepper.report()
    }

    /// Forces and stresses at the end of the last step.
    pub fn forces(&self) -> &Forces {
        if let Some(forces) = self.stepper.forces() {
            return forces;
        }
        self.forces.get_or_init(|| {
            let mut forces = Box::new(Forces::default());
            let state = self.state();
            let activations = self.model.activations.iter();
            let activations: Vec<f64> = activations.map(|a| a.at(state.time)).collect();
            // a fault is for the next step to find; the stresses are what there is
            let _ = forces.evaluate(&self.model, &state.positions, &activations, true);
            forces
        })
    }

    /// Forces of all contacts of the last step.
    pub fn contacts(&self) -> ContactReadout {
        self.stepper.contacts(&self.model, self.state())
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

    /// Squared strain rates that the method has predicted for the elements of the last step, 1/s²; see
    /// [`Reduction::predictions`](crate::reduction::Reduction::predictions).
    pub fn predictions(&self) -> Option<&[f64]> {
        self.stepper.predictions()
    }

    /// What counts as hardly strained in each body, for the method that asks (`rigidify`); empty for others.
    pub fn strain_limits(&self) -> &[StrainRates] {
        self.stepper.limits()
    }

    /// Nodes that may carry the inertia of those around them, ascending, and whether each did in the last step: those that the scene
    /// names or the method chose, joints hold or equilibrium needs. None where all nodes carry their own.
    pub fn dynamic_nodes(&self) -> Option<Vec<(u32, bool)>> {
        self.stepper.dynamic_nodes()
    }

    /// The space of the last step.
    pub fn space(&self) -> &ReducedSpace {
        self.stepper.space()
    }
}

fn restore(state: &mut State, start: &Option<State>) {
    if let Some(start) = start {
        state.clone_from(start);
    }
}
