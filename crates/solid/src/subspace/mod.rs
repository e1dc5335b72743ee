//! The method `subspace`: bodies that move in trained spaces, with regions of full space where those fail [TMDK15].

pub mod fingerprint;
pub mod train;
pub mod trained;

pub use fingerprint::{Fingerprint, Hash};
pub use trained::{InterfaceNode, TrainedDomain, TrainedError, TrainedModel};
