//! Velocities that obey the constraints of a step, and friction of penalty contacts.

use super::Stepper;
use crate::contact::{PenaltyFriction, filter_friction};
use crate::joint::Settling;
use crate::model::Model;
use crate::report::{Stage, StepError};
use crate::state::State;
use pliant_linalg::Vec3;

/// How often contacts that the response closes are added.
const MAX_CHOICES: usize = 4;

impl Stepper {
    /// Impulses of the constraints for the velocities that the last solve gave, and their response: z and the velocities of rigid
    /// bodies obey the constraints afterwards. `anew` unless the compliance of the last call still holds. Returns how far the
    /// impulses changed, as a share of the largest.
    pub(crate) fn resolve_constraints(
        &mut self,
        model: &Model,
        state: &State,
        anew: bool,
    ) -> Result<f64, StepError> {
        if self.touch.set.is_empty() {
            return Ok(0.0);
        }
        let space = self.reduction.space();
        let (set, resolver) = (&mut self.touch.set, &mut self.resolver);
        space.prolong(&self.z, &mut self.v);
        let all = model.contact.constraint.all_near;
        let mut changed = resolver.choose(set, &self.v, &self.rigid, all) || anew;
        if resolver.active_count() == 0 {
            self.clock.lap(Stage::Jacobian);
            return Ok(0.0); // everything stays open
        }
        let settings = &model.contact.constraint.solver;
        let mut resolve = || {
            let inverse = self.solver.inverse(&self.system)?;
            self.clock.lap(Stage::Delassus);
            let mut change = 0.0f64;
            for choice in 1..=MAX_CHOICES {
                if changed {
                    resolver.fill_columns(set, space, &self.rigid);
                    self.clock.lap(Stage::Jacobian);
                    resolver.fill_delassus(&self.rigid, inverse)?;
                    self.clock.lap(Stage::Delassus);
                }
                change =
                    change.max(resolver.solve(set, &self.v, &self.rigid, inverse, settings)?);
                self.clock.lap(Stage::Constraints);
                resolver.respond(space, &mut self.rigid, inverse, &mut self.z)?;
                space.prolong(&self.z, &mut self.v);
                self.clock.lap(Stage::Response);
                if choice == MAX_CHOICES {
                    break; // what was chosen now would have no compliance
                }
                changed = resolver.choose(set, &self.v, &self.rigid, all);
                if !changed {
                    break;
                }
            }
            if !self.joints.can_miss() {
                return Ok(change);
            }
            let mut settling = Settling {
                model,
                state,
                scheme: &self.scheme,
                space,
                settings,
                inverse,
                size: self.size,
                set,
                resolver,
                rigid: &mut self.rigid,
                rigid_end: &mut self.rigid_end,
                v: &mut self.v,
                x: &mut self.x,
                z: &mut self.z,
            };
            Ok(change.max(settling.settle(&mut self.joints)?))
        };
        let change = resolve();
        let change =
            change.map_err(|source| self.solve_error(model, state, Stage::Delassus, source))?;
        if !self.scheme.linear {
            self.held_impulses.clear();
            self.held_impulses.resize(self.v.len(), Vec3::ZERO);
            let held = &mut self.held_impulses;
            self.resolver.add_nodal_impulses(&self.touch.set, held);
        }
        self.report.constraint_passes += 1;
        self.clock.lap(Stage::Response);
        Ok(change)
    }

    pub(super) fn filter_friction(
        &mut self,
        model: &Model,
        state: &State,
    ) -> Result<(), StepError> {
        let wanted = model.contact.penalty_friction == PenaltyFriction::Filter;
        if !wanted || !self.scheme.inertia || self.touch.couplings.is_empty() {
            return Ok(());
        }
        let space = self.reduction.space();
        let shift = match self.solver.shift(&[]) {
            Ok(shift) => shift.to_vec(),
            Err(source) => return Err(self.solve_error(model, state, Stage::Response, source)),
        };
        let pairs = self.z.iter_mut().zip(&shift);
        pairs.for_each(|(z, &shift)| *z -= shift);
        space.prolong(&self.z, &mut self.v);
        let mut friction = std::mem::take(&mut self.touch.friction);
        filter_friction(
            model,
            space,
            self.touch.contacts(),
            &self.touch.couplings,
            &mut self.v,
            &mut self.z,
            &mut friction,
        );
        self.touch.friction = friction;
        self.solver.project(&self.system, &mut self.z);
        let pairs = self.z.iter_mut().zip(&shift);
        pairs.for_each(|(z, &shift)| *z += shift);
        Ok(())
    }
}
