//! Contact, friction and bilateral constraints as one numeric problem: u = b + W λ with a law for each block of λ.
//!
//! Only numbers here: what a constraint is geometrically, and where W comes from, is decided elsewhere.

mod cone;
mod law;
mod newton;
#[cfg(test)]
mod pile_tests;
mod solve;
#[cfg(test)]
mod solve_tests;

pub use law::{ConstraintReport, ConstraintSettings, ConstraintSolver, Friction, Law, Problem};
pub use solve::{Workspace, solve};
