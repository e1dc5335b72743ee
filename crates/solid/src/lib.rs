//! The Pliant engine: deformable solids, stepped by exchangeable methods.
//!
//! Start at [`Simulation`], then read [`step::Stepper::step`], which is one page. A [`model::Model`] is constant, a
//! [`state::State`] changes, and every stage takes both in that order. No printing, no files, no serialisation.

pub mod assembly;
mod balance;
pub mod condense;
pub mod constraint;
pub mod contact;
pub mod drive;
mod early_cg;
pub mod element;
mod factors;
pub mod green;
pub mod hand;
pub mod integrator;
pub mod joint;
pub mod lagged;
pub mod material;
pub mod model;
mod newton;
pub mod octet;
pub mod profile;
mod readout;
pub mod reduction;
pub mod report;
pub mod rig;
pub mod rigid;
pub mod seam;
pub mod settings;
mod simulation;
pub mod solver;
pub mod specification;
pub mod state;
pub mod step;
mod stepping;
pub mod strategy;
pub mod subspace;
pub mod system;
mod vibration;

pub use simulation::{LiveError, Simulation};
pub use strategy::StartError;
