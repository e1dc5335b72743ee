//! Nodes without inertia at the end of a step: how far they go towards equilibrium, and corrections of where they went.
//!
//! A solver may move positions by more than velocities say ([`crate::solver::LinearSolver::shift`]): along a direction of Newton's method
//! on the potential of elastic and external forces. In large deformation a whole step of it, and even a share, may overshoot [WKS20, Section 2.3],
//! so it is shortened until the potential does not rise.

use crate::contact::Coupling;
use crate::model::Model;
use crate::readout;
use crate::report::{Stage, StepError};
use crate::solver::StepEnd;
use crate::state::State;
use crate::step::Stepper;
use pliant_linalg::Vec3;

/// Share of the predicted decrease that a correction must achieve (Armijo).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// How often a step towards equilibrium is halved before it is given up.
const MAX_BACKTRACKS: u32 = 8;

impl Stepper {
    /// Takes out of the velocities what only moves positions, limits and corrects that, and lets the solver see where nodes went.
    pub(crate) fn take_shift(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.residual.clear();
        if self.resolver.active_count() > 0 {
            self.residual.resize(self.z.len(), Vec3::ZERO);
            self.resolver.add_reduced_impulses(&mut self.residual);
        }
        let shift = match self.solver.shift(&self.residual) {
            Ok(shift) => shift.to_vec(),
            Err(source) => return Err(self.solve_error(model, state, Stage::Advance, source)),
        };
        for (&shift, &node) in shift.iter().zip(self.reduction.space().kept()) {
            self.v[node as usize] -= shift;
        }
        // what constraints have shifted must stay where they want it
        if self.solver.limits_shift() && self.resolver.active_count() == 0 && !shift.is_empty() {
            self.limit_shift(model, state, shift);
        }
        let end = StepEnd {
            model,
            space: self.reduction.space(),
            h: self.scheme.h,
            start: &state.positions,
        };
        self.solver.turn(&end, &mut self.x, &mut self.v);
        for _ in 0..self.solver.corrections() {
            if !self.balance_positions(model, state)? {
                break;
            }
        }
        (self.solver).observe(model, &state.positions, &self.x, self.scheme.h);
        Ok(())
    }

    /// Shortens a shift, by rows, that is in the positions, until the potential is not above that of the positions without it.
    fn limit_shift(&mut self, model: &Model, state: &State, mut shift: Vec<Vec3>) {
        shift.iter_mut().for_each(|s| *s = *s * self.scheme.h); // a displacement
        let mut start = self.x.clone();
        for (&node, &d) in self.reduction.space().kept().iter().zip(&shift) {
            start[node as usize] -= d;
        }
        std::mem::swap(&mut self.x, &mut start);
        if self.evaluate_at_end(model, state).is_err() {
            self.x = start; // velocities alone go wrong: nothing to compare with
            return;
        }
        let held = self.held_forces();
        let before = self.potential(model, &held);
        self.search(model, state, &shift, before, 0.0, &held);
    }

    /// Moves nodes without inertia to where the forces at the end of the step vanish, one step of Newton's method with the factor
    /// that is there; impulses of constraints are held. False when nothing can be gained.
    fn balance_positions(&mut self, model: &Model, state: &State) -> Result<bool, StepError> {
        let h = self.scheme.h;
        self.evaluate_at_end(model, state)?;
        readout::external_forces(model, &self.loads, &self.x, &mut self.nodal);
        let held = self.held_forces();
        let others = self.forces.nodal.iter().zip(&held);
        for (f, (&elastic, &held)) in self.nodal.iter_mut().zip(others) {
            *f += elastic + held;
        }
        for coupling in &self.touch.couplings {
            let force = (coupling.impulse - coupling.block * self.mean_rate(coupling)) / h;
            for (node, w) in coupling.ends() {
                self.nodal[node] += force * w;
            }
        }
        let mut forces = vec![Vec3::ZERO; self.z.len()];
        self.reduction.space().restrict(&self.nodal, &mut forces);
        let mut direction: Vec<Vec3> = forces.iter().map(|&f| f * (h * h)).collect();
        let balanced = self.solver.balance(&mut direction);
        balanced.map_err(|source| self.solve_error(model, state, Stage::Advance, source))?;
        let pairs = forces.iter().zip(&direction);
        let gain: f64 = pairs.map(|(f, d)| f.dot(*d)).sum();
        let before = self.potential(model, &held);
        Ok(self.search(model, state, &direction, before, gain, &held))
    }

    /// Forces that do not change with positions, by nodes, N: those of constraints, and reversed what accelerates bodies as a whole.
    fn held_forces(&self) -> Vec<Vec3> {
        let mut held = vec![Vec3::ZERO; self.x.len()];
        self.resolver.add_nodal_impulses(&self.touch.set, &mut held);
        let whole = self.solver.whole_motion();
        for (&node, &whole) in self.reduction.space().kept().iter().zip(whole) {
            held[node as usize] -= whole;
        }
        held.iter_mut().for_each(|f| *f = *f / self.scheme.h);
        held
    }

    /// Goes along a displacement by rows, or a half of it, a quarter …, until the potential has fallen by a share of `gain` from
    /// `before`; stays, and returns false, where it never does.
    fn search(
        &mut self,
        model: &Model,
        state: &State,
        direction: &[Vec3],
        before: f64,
        gain: f64,
        held: &[Vec3],
    ) -> bool {
        let start = self.x.clone();
        let mut length = 1.0;
        for _ in 0..MAX_BACKTRACKS {
            for (&node, &d) in self.reduction.space().kept().iter().zip(direction) {
                self.x[node as usize] = start[node as usize] + d * length;
            }
            let most = before - SUFFICIENT_DECREASE * length * gain;
            if self.evaluate_at_end(model, state).is_ok() && self.potential(model, held) <= most {
                return true;
            }
            length *= 0.5;
        }
        self.x = start;
        false
    }

    /// Potential of all forces at the end positions, J: elastic, external, penalties, and `held`.
    fn potential(&self, model: &Model, held: &[Vec3]) -> f64 {
        let mut value =
            self.forces.energy + readout::external_potential(model, &self.loads, &self.x);
        for coupling in &self.touch.couplings {
            let u = self.mean_rate(coupling);
            value += 0.5 * u.dot(coupling.block * u) - coupling.impulse.dot(u);
        }
        value
            - (held.iter().zip(&self.x))
                .map(|(f, x)| f.dot(*x))
                .sum::<f64>()
    }

    /// The rate of a coupling that leads to the end positions.
    fn mean_rate(&self, coupling: &Coupling) -> Vec3 {
        (coupling.combine(&self.x) - coupling.combine(&self.scheme.base)) / self.scheme.h
    }

    fn evaluate_at_end(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let x = std::mem::take(&mut self.x);
        let evaluated = self.evaluate(model, state, &x);
        self.x = x;
        evaluated
    }
}
