//! Penalty contact as terms of a step's linear system.
//!
//! A contact of depth d pushes with k d along its normal n (a share α of k acts in all directions, towards the nearest point of
//! the surface [MZS11]), resists approach with damping c and slip with a lagged Coulomb
//! law: the tangential damping µ N / max(|u_t|, slow) uses the normal force and slip velocity at the start of the step. All of
//! it is implicit: with u = Σ w v the impulse of a step is ĥ k d n − B u, where
//!   B = βĥ² k nnᵀ + ĥ c nnᵀ + ĥ µ N / max(|u_t|, slow) (1 − nnᵀ).
//! N = k d is the force at the end of the step before. A fresh contact had none: its depth is how far the node flew, and a stiff
//! contact would claim far more friction than its push allows. There N is what stops the nodes themselves.
//! Both sides see the same impulse, so momentum is conserved.

use super::{Contact, PenaltyFriction};
use crate::integrator::Scheme;
use crate::model::Model;
use pliant_linalg::{Mat3, Vec3};

/// Slip velocity below which friction acts as a damper, m/s: sticking contacts tangential_compliance at most so fast.
const SLOW: f64 = 1e-3;

/// A term that ties up to four nodes: impulse − block · Σ weights v on each node, times its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// Nodes.
    pub nodes: [u32; 4],
    /// Their weights.
    pub weights: [f64; 4],
    /// Nodes in use.
    pub count: usize,
    /// B, kg.
    pub block: Mat3,
    /// ĥ k d n, N·s.
    pub impulse: Vec3,
    /// Whether it is against something with a motion of its own: an obstacle or a rigid body.
    pub external: bool,
}

impl Coupling {
    /// Nodes and weights in use.
    pub fn ends(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let nodes = self.nodes[..self.count].iter();
        nodes.zip(&self.weights).map(|(&n, &w)| (n as usize, w))
    }

    /// Σ weights · field.
    pub fn combine(&self, field: &[Vec3]) -> Vec3 {
        self.ends()
            .fold(Vec3::ZERO, |sum, (node, w)| sum + field[node] * w)
    }

    /// The impulse along the positive side at nodal velocities `v`, N·s.
    pub fn impulse_at(&self, v: &[Vec3]) -> Vec3 {
        self.impulse - self.block * self.combine(v)
    }
}

/// The terms of all contacts for the step that `scheme` describes, from these positions and velocities; nodal arrays are read only
/// at nodes of contacts.
pub fn couple(
    model: &Model,
    positions: &[Vec3],
    velocities: &[Vec3],
    scheme: &Scheme,
    contacts: &[Contact],
    couplings: &mut Vec<Coupling>,
) {
    let h = scheme.h;
    couplings.clear();
    couplings.extend(contacts.iter().map(|contact| {
        let mut coupling = Coupling {
            nodes: contact.nodes,
            weights: contact.weights,
            count: contact.count,
            block: Mat3::ZERO,
            impulse: Vec3::ZERO,
            external: contact.obstacle.is_some() || touches_rigid(model, contact),
        };
        let n = contact.normal;
        let along = Mat3::outer(n, n);
        let k = contact.stiffness;
        // depth at the base positions x̃, which differ from the present ones for two-step integrators
        let moved = coupling.combine(&scheme.base) - coupling.combine(positions);
        let depth = contact.depth - n.dot(moved);
        coupling.impulse = n * (h * k * depth);
        let alpha = model.contact.isotropy;
        let spread = along * (1.0 - alpha) + Mat3::IDENTITY * alpha;
        coupling.block = spread * (scheme.beta * h * h * k);
        // where an obstacle moves, the point to return to moves with it
        coupling.impulse += coupling.block * contact.velocity;
        if scheme.inertia && model.contact.penalty_friction == PenaltyFriction::Filter {
            coupling.block += along * (h * model.contact.damping * k);
        } else if scheme.inertia {
            let u = coupling.combine(velocities) - contact.velocity;
            let slip = (u - n * n.dot(u)).norm();
            let normal_force = if contact.fresh {
                // m(u⁺ − u) = h k (d − h u⁺) for the nodes alone
                let inverse_mass: f64 = (coupling.ends())
                    .map(|(node, w)| w * w / model.mass[node])
                    .sum();
                let push = k * (contact.depth - h * n.dot(u));
                push.max(0.0) / (1.0 + h * h * k * inverse_mass)
            } else {
                k * contact.depth
            };
            let drag = contact.friction * normal_force / slip.max(SLOW);
            let resistance =
                along * (h * model.contact.damping * k) + (Mat3::IDENTITY - along) * (h * drag);
            coupling.block += resistance;
            coupling.impulse += resistance * contact.velocity;
        }
        coupling
    }));
}

fn touches_rigid(model: &Model, contact: &Contact) -> bool {
    let mut nodes = contact.nodes[..contact.count].iter();
    nodes.any(|&node| model.rigid_of_node(node as usize).is_some())
}
