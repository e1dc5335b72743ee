//! Which degrees of freedom a step solves for.
//!
//! A reduction chooses, before every step, an affine space of velocities v = G z + b ([`ReducedSpace`]).
//! Known motion lives in b. The full solver keeps every node that is not prescribed.

mod clump;
mod full;
mod graph;
mod rigidify;
mod slaves;
mod space;

pub use clump::{ClumpMotion, NO_CLUMP, Rigidity, Tested};
pub use full::Full;
pub use rigidify::Rigidify;
pub use slaves::Slaves;
pub use space::{NO_NODE, ReducedSpace};

use crate::assembly::{ElementTangents, Forces};
use crate::constraint::ConstraintSet;
use crate::contact::Coupling;
use crate::drive::Loads;
use crate::integrator::Scheme;
use crate::model::Model;
use crate::rigid::RigidStep;
use crate::settings::StrainRates;
use crate::state::State;
use pliant_linalg::{SolveError, Vec3};

/// What a reduction may look at before a step.
pub struct StepContext<'a> {
    /// The model.
    pub model: &'a Model,
    /// Base positions and velocities of the step, and its effective length.
    pub scheme: &'a Scheme,
    /// Rigid bodies in this step.
    pub rigid: &'a RigidStep,
    /// Steps taken before.
    pub step: u64,
    /// Time at the end of the step, s.
    pub end_time: f64,
    /// Nodes that contacts tie together and whose blocks the matrix must hold.
    pub cliques: &'a [[u32; 4]],
    /// Loads at the end of the step.
    pub loads: &'a Loads,
    /// Contacts by penalties.
    pub couplings: &'a [Coupling],
    /// Constraints, contacts among them, and their impulses in the step before, N·s.
    pub set: &'a ConstraintSet,
    /// See above.
    pub impulses: &'a [Vec3],
    /// Fibre activations at the end of the step.
    pub activations: &'a [f64],
    /// Forces and tangents at the start of the step in the chunks of the space, where the reduction [predicts](Reduction::predicts).
    pub forces: &'a mut Forces,
    /// See above.
    pub tangents: &'a ElementTangents,
}

/// What a step has found.
pub struct StepOutcome<'a> {
    /// Reduced velocities.
    pub z: &'a [Vec3],
    /// Length of the step, s.
    pub h: f64,
    /// Positions at its start, m.
    pub start: &'a [Vec3],
}

/// A choice of velocities.
pub trait Reduction: Send {
    /// A step begins at a state, which may be another than the last step has led to.
    fn begin(
        &mut self,
        _: &Model,
        _: &State,
        _: &mut Forces,
        _activations: &[f64],
    ) -> Result<(), SolveError> {
        Ok(())
    }

    /// Whether it wants to know forces and tangents before it chooses.
    fn predicts(&self) -> bool {
        false
    }

    /// Chooses the space for the coming step.
    fn adapt(&mut self, context: &mut StepContext<'_>) -> Result<(), SolveError>;

    /// The space chosen last.
    fn space(&self) -> &ReducedSpace;

    /// Moves what does not move along straight lines.
    fn carry(&mut self, _: &StepOutcome<'_>, _x: &mut [Vec3], _v: &mut [Vec3]) {}

    /// Nodes have come to `end` in a step of length `h`; the state is that at its start.
    fn observe(&mut self, _: &Model, _start: &State, _end: &[Vec3], _h: f64) {}

    /// Whether nothing of the model may move in the step that was chosen for, nor in further ones in which nothing else changes.
    fn sleeps(&self) -> bool {
        false
    }

    /// Squared strain rates, 1/s², that were predicted for the elements of the last step; none where nothing was, NaN for elements that were not
    /// asked about.
    fn predictions(&self) -> Option<&[f64]> {
        None
    }

    /// What counts as hardly strained in each body, for methods that ask; empty for others.
    fn limits(&self) -> &[StrainRates] {
        &[]
    }

    /// What is rigid, for the state to remember; none where that is not asked.
    fn rigidity(&self) -> Option<Rigidity> {
        None
    }
}
