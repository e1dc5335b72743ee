//! Contacts as constraints: Signorini's condition on the gap at the end of the step, Coulomb's law on the slip.
//!
//! With the gap φ at the start, normal rate u and step ĥ the gap at the end is φ + ĥu. An open contact asks u + φ/ĥ ≥ 0. One
//! that has penetrated is to separate by a share of its depth only, and not faster than a set speed: overlaps that a scene starts
//! with open gently [BAU72].

use super::{Contact, ContactModel};
use crate::constraint::{Constraint, ConstraintSet, Law, RigidEntry, contact_frame};
use crate::integrator::Scheme;
use crate::model::Model;
use crate::state::State;
use pliant_linalg::{Mat3, Vec3, vec3};

/// Approach slower than this does not bounce, m/s.
const QUIET: f64 = 1e-2;

/// Adds the contacts to the constraints of the step of length `h` that `scheme` describes; they are the first of `set`.
pub(crate) fn constrain(
    model: &Model,
    state: &State,
    scheme: &Scheme,
    contacts: &[Contact],
    separation_speed: f64,
    h: f64,
    set: &mut ConstraintSet,
) {
    let ContactModel { constraint, .. } = &model.contact;
    for contact in contacts {
        let frame = contact_frame(contact.normal);
        let ends = || {
            let nodes = contact.nodes[..contact.count].iter();
            nodes.zip(&contact.weights).map(|(&n, &w)| (n as usize, w))
        };
        let combine =
            |field: &[Vec3]| ends().fold(Vec3::ZERO, |sum, (node, w)| sum + field[node] * w);
        // the gap at the base positions x̃, which differ from the present ones for two-step integrators
        let moved = combine(&scheme.base) - combine(&state.positions);
        // an obstacle moves for h, and the step's velocity acts for ĥ
        let beyond = contact.velocity * (h - scheme.h);
        let gap = contact.normal.dot(moved - beyond) - contact.depth;
        let mut bias = if gap >= 0.0 {
            gap / scheme.h
        } else {
            let whole = constraint.correction * gap / scheme.h;
            // a compliant contact rests on its penetration: λ = −bias/γ
            match constraint.compliance > 0.0 {
                true => whole,
                false => whole.max(-separation_speed),
            }
        };
        let before = combine(&state.velocities) - contact.velocity;
        let approach = contact.normal.dot(before);
        if constraint.restitution > 0.0 && approach < -QUIET && gap + scheme.h * approach < 0.0 {
            bias = bias.min(constraint.restitution * approach);
        }
        set.push(Constraint {
            identity: contact.identity,
            law: Law::Contact {
                friction: contact.friction,
                friction_kind: constraint.friction,
                tangential_compliance: constraint.tangential_compliance,
            },
            bias: vec3(bias, 0.0, 0.0) - frame * contact.velocity,
            compliance: constraint.compliance,
            frame,
        });
        for (node, w) in ends() {
            pull(model, state, set, node, frame * w);
        }
    }
}

/// The last constraint acts on a node with `block`, or on the rigid body that the node belongs to.
pub(crate) fn pull(
    model: &Model,
    state: &State,
    set: &mut ConstraintSet,
    node: usize,
    block: Mat3,
) {
    match model.rigid_of_node(node) {
        None => set.pull_node(node as u32, block),
        Some(body) => set.pull_rigid(RigidEntry {
            body: body as u32,
            arm: state.positions[node] - state.rigid.poses[body].centre,
            linear: block,
            angular: Mat3::ZERO,
        }),
    }
}
