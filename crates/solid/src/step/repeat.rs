//! Where everything sleeps and nothing that acts changes, a step is the one before once more: only time goes on.
//!
//! What is compared is all that a step depends on, so that a stepper which goes on from a saved state, and takes its first step in
//! full, comes to the same bytes.

use super::Stepper;
use crate::model::Model;
use crate::report::{Stage, StepReport};
use crate::state::State;
use pliant_linalg::Vec3;

/// What acted in a step in which nothing moved.
pub(super) struct Rest {
    h: f64,
    force: Vec<Vec3>,
    totals: Vec<Vec3>,
    activations: Vec<f64>,
}

impl Stepper {
    /// Whether the coming step can only be the last one again. Loads and activations are those of its end.
    pub(super) fn repeats(&self, model: &Model, state: &State, h: f64) -> bool {
        self.rest.as_ref().is_some_and(|rest| {
            rest.h == h
                && self.loads.springs.is_empty()
                && rest.totals == self.loads.totals
                && rest.activations == self.activations
                && rest.force == self.loads.force
                && state.positions == self.x
                && state.velocities == self.v
                && nothing_drives(model, state.time, h)
        })
    }

    /// Takes that step.
    pub(super) fn repeat(&mut self, state: &mut State, h: f64) -> &StepReport {
        self.tick(state, h);
        self.clock.lap(Stage::Adapt);
        self.report.times = self.clock.times;
        &self.report
    }

    /// Remembers what acted in the step from `state`, if nothing moved before, in, or after it.
    pub(super) fn note_rest(&mut self, model: &Model, state: &State, h: f64) {
        let stands = |v: &[Vec3]| v.iter().all(|&v| v == Vec3::ZERO);
        let rests = self.reduction.sleeps()
            && self.follow.is_none()
            && model.rigid.bodies.is_empty()
            && model.joints.is_empty()
            && self.loads.springs.is_empty()
            && stands(&state.velocities)
            && stands(&self.v)
            && state.positions == self.x
            && nothing_drives(model, state.time, h);
        self.rest = rests.then(|| Rest {
            h,
            force: self.loads.force.clone(),
            totals: self.loads.totals.clone(),
            activations: self.activations.clone(),
        });
    }
}

/// Whether nothing that prescribes motion moves, begins or ends in a step, and no obstacle moves.
fn nothing_drives(model: &Model, start: f64, h: f64) -> bool {
    let end = start + h;
    let mut actions = model.drives.iter().map(|drive| &drive.action);
    let steady = actions.all(|action| {
        let prescribes = action.prescribes_at(end);
        action.prescribes_at(start) == prescribes && (!prescribes || action.holds_still())
    });
    let mut obstacles = model.contact.obstacles.iter();
    steady && obstacles.all(|o| o.motion.is_none() || o.pose(start) == o.pose(end))
}
