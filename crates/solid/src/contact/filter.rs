//! Friction of penalty contacts as a filter of velocities after the solve [BFA02].
//!
//! A contact whose normal impulse is p may change the slip u_t of its nodes by µ p Σw²/m at most:
//!   u_t⁺ = max(1 − µ p Σw²/m / |u_t|, 0) u_t.
//! For one node this is Coulomb's law with its lumped mass. Contacts are filtered in order, each after the ones before it.

use super::{Contact, Coupling};
use crate::assembly::NO_ROW;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use pliant_linalg::Vec3;

/// Filters the kept velocities `z`; `velocities` are all of them before, and are kept in step. The friction impulse of each
/// contact, N·s, goes to `impulses`.
pub(crate) fn filter_friction(
    model: &Model,
    space: &ReducedSpace,
    contacts: &[Contact],
    couplings: &[Coupling],
    velocities: &mut [Vec3],
    z: &mut [Vec3],
    impulses: &mut Vec<Vec3>,
) {
    impulses.clear();
    for (contact, coupling) in contacts.iter().zip(couplings) {
        let n = contact.normal;
        let push = n.dot(coupling.impulse_at(velocities)).max(0.0);
        let slip = coupling.combine(velocities) - contact.velocity;
        let slip = slip - n * n.dot(slip);
        let row_of = |node: usize| Some(space.row_of()[node]).filter(|&row| row != NO_ROW);
        let movable = || {
            let free = |&(node, _): &(usize, f64)| row_of(node).is_some() && model.mass[node] > 0.0;
            coupling.ends().filter(free)
        };
        let lightness: f64 = movable().map(|(node, w)| w * w / model.mass[node]).sum();
        let speed = slip.norm();
        let wanted = if lightness > 0.0 {
            speed / lightness
        } else {
            0.0
        };
        let size = wanted.min(contact.friction * push);
        let impulse = slip.normalized().map_or(Vec3::ZERO, |along| along * -size);
        impulses.push(impulse);
        for (node, w) in movable() {
            let change = impulse * (w / model.mass[node]);
            velocities[node] += change;
            if let Some(row) = row_of(node) {
                z[row as usize] += change;
            }
        }
    }
    space.mask(z);
}
