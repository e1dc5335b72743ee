//! What a simulation asks of whatever steps it. Two things do: [`crate::step::Stepper`], which solves for velocities of nodes, and
//! [`crate::subspace::SubspaceStepper`], which works on coordinates and knows where most nodes are only when asked.

use crate::assembly::Forces;
use crate::contact::ContactReadout;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::report::{StepError, StepReport};
use crate::settings::{Settings, StrainRates};
use crate::state::State;

/// See the file header.
pub(crate) trait Stepping: Send {
    /// Advances a state by `h`, or leaves it as it is and says why.
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<&StepReport, StepError>;

    /// What it was made with.
    fn settings(&self) -> &Settings;

    /// Report of the last step.
    fn report(&self) -> &StepReport;

    /// The same, to be completed.
    fn report_mut(&mut self) -> &mut StepReport;

    /// Brings the nodal arrays of a state up to date where they are behind ([`crate::subspace::Reduced::behind`]): the one way from
    /// coordinates to positions and velocities of all nodes. Steps never need it.
    fn fill(&self, _: &Model, _: &mut State) {}

    /// Forces and stresses at the end of the last step, where the step has found those of all elements.
    fn forces(&self) -> Option<&Forces> {
        None
    }

    /// Forces of all contacts of the last step, which ended at `state`, whose nodal arrays are up to date.
    fn contacts(&self, model: &Model, state: &State) -> ContactReadout;

    /// See [`crate::Simulation::element_states`].
    fn element_states(&self, model: &Model, state: &State) -> Option<Vec<u8>>;

    /// The space of the last step; one without rows where velocities of nodes are not what is solved for.
    fn space(&self) -> &ReducedSpace;

    /// See [`Reduction::limits`](crate::reduction::Reduction::limits).
    fn limits(&self) -> &[StrainRates] {
        &[]
    }

    /// See [`Reduction::predictions`](crate::reduction::Reduction::predictions).
    fn predictions(&self) -> Option<&[f64]> {
        None
    }

    /// See [`crate::Simulation::dynamic_nodes`].
    fn dynamic_nodes(&self) -> Option<Vec<(u32, bool)>> {
        None
    }

    /// Whether work may go on on other threads after a step.
    fn works_in_background(&self) -> bool {
        false
    }

    /// Waits for such work. Changes no result, unless factors run free.
    fn settle(&self) {}
}
