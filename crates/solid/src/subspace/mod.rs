//! The method `subspace`: bodies that move in trained spaces, with regions of full space where those fail [TMDK15].
//!
//! Start at [`stepper::SubspaceStepper::step`]. Training leaves a [`TrainedModel`] for each body.

mod choose;
mod domain;
mod edge;
pub mod fingerprint;
mod frame;
mod gather;
mod known;
mod linear;
mod memory;
mod newton;
mod oracle;
mod outcome;
mod patch;
mod present;
mod problem;
mod reduce;
mod refuse;
mod region;
mod residual;
mod search;
mod settings;
mod setup;
pub mod stepper;
#[cfg(test)]
mod tests;
pub mod train;
pub mod trained;
mod transfer;
#[cfg(test)]
mod two_bones;
mod watch;

pub use domain::Trained;
pub use fingerprint::{Fingerprint, Hash};
pub use frame::{Frame, Posing, Skin};
pub use memory::{Active, Fading, Reduced};
pub use oracle::{ContactOracle, DynamicsOracle, Leaving, Oracle, ResidualOracle, View};
pub use refuse::SubspaceError;
pub use settings::{Activation, SubspaceLinear, SubspaceSettings};
pub use stepper::SubspaceStepper;
pub use trained::{InterfaceNode, TrainedContact, TrainedDomain, TrainedError, TrainedModel};
