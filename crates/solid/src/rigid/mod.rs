//! Rigid bodies and chains of revolute joints as generalised velocities that a constraint solver can couple.
//!
//! Everything rigid is one vector of 3-blocks: a free body has two (velocity of its centre of mass, spin in world
//! axes), a chain of d joints has ⌈d/3⌉ of joint rates, padded by entries that stay zero. Kinematic and fixed bodies
//! have none, their motion is known. A constraint with Jacobian J on these blocks adds J A⁻¹ Jᵀ to its compliance,
//! where A is block diagonal, one dense block per system (a free body or a chain).
//!
//! Both kinds step in momentum form. The solve happens at the posture at the start of the step, u being the velocity
//! that moves it: A u = p + h (forces + ∂T/∂q), impulses add to p = M u, the posture moves with u, and the velocity
//! that is kept is the one that belongs to the same momentum at the new posture. So no gyroscopic or Coriolis force
//! enters A, momentum is exact in free flight, and the energy of resolved free motion has no drift.

mod chain;
mod dense;
mod mass;
mod model;
mod rotation;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use rotation::{exponential, mean_spin, orthonormalized};

pub use mass::{MassProperties, mass_properties, surface_mass_properties};
pub use model::{Chain, Link, Mobility, RigidBody, RigidError, RigidModel};
pub use state::{Momentum, Pose, RigidState, Twist, Wrench};
pub use step::{JointLimit, JointTorque, RigidStep};
