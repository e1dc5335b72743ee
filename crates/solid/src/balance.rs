//! Nodes without inertia at the end of a step: how far they go towards equilibrium, and corrections of where they went.
//!
//! A solver may move positions by more than velocities say ([`crate::solver::LinearSolver::shift`]): along a direction of Newton's method
//! on the potential of elastic and external forces. In large deformation a whole step of it, and even a share, may overshoot [WKS20, Section 2.3],
//! so it is shortened until the potential does not rise.

use crate::assembly::elastic_energy;
use crate::contact::Coupling;
use crate::model::Model;
use crate::readout;
use crate::reduction::ReducedSpace;
use crate::report::{Stage, StepError};
use crate::solver::StepEnd;
use crate::state::State;
use crate::step::Stepper;
use pliant_linalg::Vec3;

/// Share of the predicted decrease that a correction must achieve (Armijo).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// How often a step towards equilibrium is halved before it is given up.
const MAX_BACKTRACKS: u32 = 8;
/// Share of the parts of a potential that their sums may be wrong by. At rest any change is smaller, and shortening steps would not help.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Potential of all forces, J.
#[derive(Clone, Copy)]
struct Potential {
    value: f64,
    /// Sum of the sizes of its parts.
    size: f64,
}

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
            self.limit_shift(model, shift);
        }
        let h = self.scheme.h;
        let tangents = step_end(model, self.reduction.space(), h, state);
        self.solver.turn(&tangents, &mut self.x, &self.v);
        for _ in 0..self.solver.corrections() {
            if !self.balance_positions(model, state)? {
                break;
            }
        }
        let turned = step_end(model, self.reduction.space(), h, state);
        self.solver.keep_momentum(&turned, &self.x, &mut self.v);
        self.solver.observe(model, &state.positions, &self.x, h);
        Ok(())
    }

    /// Shortens a shift, by rows, that is in the positions, until the potential is not above that of the positions without it.
    fn limit_shift(&mut self, model: &Model, mut shift: Vec<Vec3>) {
        shift.iter_mut().for_each(|s| *s = *s * self.scheme.h); // a displacement
        let end = self.x.clone();
        for (&node, &d) in self.reduction.space().kept().iter().zip(&shift) {
            self.x[node as usize] -= d;
        }
        let held = self.held_forces();
        let before = self.potential(model, &held);
        if !before.value.is_finite() {
            self.x = end; // velocities alone go wrong: nothing to compare with
            return;
        }
        self.search(model, &shift, before, 0.0, &held);
    }

    /// Moves nodes without inertia to where the forces at the end of the step vanish, one step of Newton's method with the factor
    /// that is there; impulses of constraints are held. False when nothing can be gained.
    fn balance_positions(&mut self, model: &Model, state: &State) -> Result<bool, StepError> {
        let h = self.scheme.h;
        self.evaluate_at_end(model, state)?;
        readout::external_forces(model, &self.loads, &self.x, &mut self.nodal);
        let held = self.held_forces();
        let pairs = self.nodal.iter_mut().zip(&self.forces.nodal);
        pairs.for_each(|(f, &elastic)| *f += elastic);
        let pairs = self.nodal.iter_mut().zip(&held);
        pairs.for_each(|(f, &held)| *f += held);
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
        Ok(self.search(model, &direction, before, gain, &held))
    }

    /// Forces that do not change with positions, by nodes, N: those of constraints, and reversed what accelerates bodies as a whole.
    /// Empty where there are none.
    fn held_forces(&self) -> Vec<Vec3> {
        let whole = self.solver.whole_motion();
        if whole.is_empty() && self.resolver.active_count() == 0 {
            return Vec::new();
        }
        let mut held = vec![Vec3::ZERO; self.x.len()];
        self.resolver.add_nodal_impulses(&self.touch.set, &mut held);
        for (&node, &whole) in self.reduction.space().kept().iter().zip(whole) {
            held[node as usize] -= whole;
        }
        held.iter_mut().for_each(|f| *f = *f / self.scheme.h);
        held
    }

    /// Goes along a displacement by rows, or a half of it, a quarter …, until the potential has fallen by a share of `gain` from
    /// `before`, as far as rounding lets us see; stays, and returns false, where it never does.
    fn search(
        &mut self,
        model: &Model,
        direction: &[Vec3],
        before: Potential,
        gain: f64,
        held: &[Vec3],
    ) -> bool {
        let start = self.x.clone();
        let mut length = 1.0;
        for _ in 0..MAX_BACKTRACKS {
            for (&node, &d) in self.reduction.space().kept().iter().zip(direction) {
                self.x[node as usize] = start[node as usize] + d * length;
            }
            let most = before.value - SUFFICIENT_DECREASE * length * gain;
            if self.potential(model, held).value <= most + ROUNDING * before.size {
                return true;
            }
            length *= 0.5;
        }
        self.x = start;
        false
    }

    /// Potential of all forces at the end positions: elastic, external, penalties, and `held`.
    fn potential(&mut self, model: &Model, held: &[Vec3]) -> Potential {
        let energies = &mut self.energies;
        let elastic = elastic_energy(model, &self.x, &self.activations, energies);
        let external = readout::external_potential(model, &self.loads, &self.x);
        let mut coupled = 0.0;
        for coupling in &self.touch.couplings {
            let u = self.mean_rate(coupling);
            coupled += 0.5 * u.dot(coupling.block * u) - coupling.impulse.dot(u);
        }
        let held: f64 = held.iter().zip(&self.x).map(|(f, x)| f.dot(*x)).sum();
        Potential {
            value: elastic + external + coupled - held,
            size: elastic.abs() + external.abs() + coupled.abs() + held.abs(),
        }
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

fn step_end<'a>(
    model: &'a Model,
    space: &'a ReducedSpace,
    h: f64,
    state: &'a State,
) -> StepEnd<'a> {
    StepEnd {
        model,
        space,
        h,
        start: &state.positions,
    }
}
