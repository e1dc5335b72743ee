//! Which degrees of freedom a step solves for.
//!
//! A reduction chooses, before every step, an affine space of velocities v = G z + b ([`ReducedSpace`]).
//! Known motion lives in b. The full solver keeps every node that is not prescribed.

mod full;
mod space;

pub use full::Full;
pub use space::ReducedSpace;

use crate::integrator::Scheme;
use crate::model::Model;
use crate::rigid::RigidStep;
use pliant_linalg::SolveError;

/// What a reduction may look at before a step.
pub struct StepContext<'a> {
    /// The model.
    pub model: &'a Model,
    /// Base positions and velocities of the step, and its effective length.
    pub scheme: &'a Scheme,
    /// Rigid bodies in this step.
    pub rigid: &'a RigidStep,
    /// Time at the end of the step, s.
    pub end_time: f64,
    /// Nodes that contacts tie together and whose blocks the matrix must hold.
    pub cliques: &'a [[u32; 4]],
}

/// A choice of velocities.
pub trait Reduction: Send {
    /// Chooses the space for the coming step.
    fn adapt(&mut self, context: &StepContext<'_>) -> Result<(), SolveError>;

    /// The space chosen last.
    fn space(&self) -> &ReducedSpace;
}
