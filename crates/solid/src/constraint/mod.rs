//! Contact, friction and bilateral constraints.
//!
//! A step gathers a [`ConstraintSet`], the resolver turns it into one numeric problem, u = b + W λ with a law for each block of
//! λ, solves that and lets the impulses act.

mod closed;
#[cfg(test)]
mod closed_tests;
mod compliance;
mod cone;
mod descent;
mod islands;
mod krylov;
mod law;
mod near;
mod newton;
mod operator;
#[cfg(test)]
mod pile_tests;
mod product;
mod resolve;
mod rounds;
mod set;
mod solve;
#[cfg(test)]
mod solve_tests;
mod sweeps;
#[cfg(test)]
mod sweeps_tests;
mod tangent;
mod unbuilt;
#[cfg(test)]
mod unbuilt_tests;

pub use compliance::{
    ByParts, Compliance, DenseSolves, IsolatedNodes, PartCompliance, PathSolves, WholeSolves,
};
pub(crate) use islands::Islands;
pub use law::{ConstraintReport, ConstraintSettings, ConstraintSolver, Friction, Law, Problem};
pub(crate) use near::NearRows;
pub use resolve::Remembered;
pub(crate) use resolve::{Resolver, rate};
pub use set::{Constraint, ConstraintSet, Identity, NodeEntry, RigidEntry, contact_frame};
pub use solve::{Workspace, solve};
pub use unbuilt::{DelassusOperator, UnbuiltWorkspace, solve_unbuilt};
