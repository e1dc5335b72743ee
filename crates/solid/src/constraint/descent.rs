//! Semismooth Newton method on the defects of all constraints, for any way of multiplying by W and of solving for a step.
//!
//! Every step linearises the laws (`tangent.rs`) and solves for the unknowns of closed constraints only, as exactly as is
//! useful at that place. ũ is linear in λ, so it is known along the whole step: the line search needs no products.
//! Where the directions fail, all constraints move towards their local solutions from the best place so far.
//!
//! Redundant constraints (one node against two obstacles, contacts of a rigid part) make the systems nearly singular: while
//! contacts are linearised as sticking that will slide, only a small compliance bounds the impulses that the redundant ones hold
//! against each other, and a step is far too long. Such steps are not made but found again with damping, a compliance
//! for the change of the impulses, as Levenberg and Marquardt damp. It fades as the defect falls, and biases nothing:
//! where the laws hold, nothing changes.

use super::cone::Local;
use super::law::{ConstraintReport, ConstraintSettings, Law};
use super::solve::{Pass, Scales, largest_of};
use super::tangent::Tangent;
use pliant_linalg::{Mat3, Vec3};

/// Steps in a row that may fail to lower the defect.
const PATIENCE: usize = 3;
/// Steps that raise the energy of the defect by this factor, however short, are not made.
const WORSE: f64 = 4.0;
/// Damping after the first step that is not made, as a part of the diagonal; its factor after each more, and the most of it.
const DAMPING: f64 = 1e-3;
const MORE_DAMPING: f64 = 10.0;
const MOST_DAMPING: f64 = 1.0;
/// Factor of the damping after steps that leave less than a part `GOOD` of the energy.
const LESS_DAMPING: f64 = 0.1;
const GOOD: f64 = 0.25;

/// What the method needs of W. Everything that is returned is a number of iterations to be counted.
pub(super) trait Machine {
    /// The block of a constraint on the diagonal of W.
    fn diagonal(&self, i: usize) -> Mat3;
    /// y = W x.
    fn product(&mut self, x: &[Vec3], y: &mut [Vec3]) -> usize;
    /// Solves (Rᵀ A C + D) q = f − Rᵀ A c over all tangents to a residual of `forcing`, in at most `most` iterations.
    /// `direction` holds the offsets c and becomes c + C q, `response` A times that.
    fn newton(
        &mut self,
        system: &System,
        forcing: f64,
        most: usize,
        direction: &mut [Vec3],
        response: &mut [Vec3],
    ) -> usize;
    /// Moves the impulses towards solutions of their own laws, and ũ with them.
    fn relax(&mut self, locals: &[Local], impulses: &mut [Vec3], rates: &mut [Vec3]) -> usize;
}

/// The linearised laws.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) locals: Vec<Local>,
    pub(super) tangents: Vec<Tangent>,
    /// First unknown of each constraint.
    pub(super) starts: Vec<usize>,
    pub(super) unknowns: usize,
}

impl System {
    /// With `damping` as a part of the diagonal of A added to D.
    fn linearise(&mut self, impulses: &[Vec3], rates: &[Vec3], damping: f64) {
        let at = self.locals.iter().zip(impulses).zip(rates);
        self.tangents.clear();
        (self.tangents).extend(at.map(|((local, &lambda), &u)| Tangent::new(local, lambda, u)));
        self.starts.clear();
        self.unknowns = 0;
        for (tangent, local) in self.tangents.iter_mut().zip(&self.locals) {
            if damping > 0.0 {
                for k in 0..tangent.width {
                    let row = tangent.rows[k];
                    tangent.own[k] += damping * row.dot(local.block * row);
                }
            }
            self.starts.push(self.unknowns);
            self.unknowns += tangent.width;
        }
    }

    /// 1/√ of the diagonal of Rᵀ A R + D.
    pub(super) fn scales(&self, scales: &mut Vec<f64>) {
        scales.clear();
        for (local, tangent) in self.locals.iter().zip(&self.tangents) {
            for k in 0..tangent.width {
                let row = tangent.rows[k];
                let diagonal = row.dot(local.block * row) + tangent.own[k];
                scales.push(if diagonal > 0.0 {
                    1.0 / diagonal.sqrt()
                } else {
                    1.0
                });
            }
        }
    }

    /// f − Rᵀ a, scaled.
    pub(super) fn right_hand_side(&self, response: &[Vec3], scales: &[f64], rhs: &mut Vec<f64>) {
        rhs.clear();
        for (tangent, &response) in self.tangents.iter().zip(response) {
            for k in 0..tangent.width {
                let value = tangent.rhs[k] - tangent.rows[k].dot(response);
                rhs.push(scales[rhs.len()] * value);
            }
        }
    }
}

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    system: System,
    /// ũ at the impulses.
    rates: Vec<Vec3>,
    direction: Vec<Vec3>,
    /// A times the direction.
    response: Vec<Vec3>,
    trial: Vec<Vec3>,
    trial_rates: Vec<Vec3>,
    /// The impulses that missed the laws least, and ũ there.
    kept: Vec<Vec3>,
    kept_rates: Vec<Vec3>,
}

/// A problem without W.
#[derive(Clone, Copy)]
pub(super) struct Laws<'a> {
    pub(super) laws: &'a [Law],
    pub(super) rates: &'a [Vec3],
    pub(super) compliance: &'a [f64],
    /// u at the impulses as they are given, where it is known.
    pub(super) start: Option<&'a [Vec3]>,
}

impl Buffers {
    pub(super) fn locals(&self) -> &[Local] {
        &self.system.locals
    }

    /// ũ at the impulses of the last step or check.
    pub(super) fn rates(&self) -> &[Vec3] {
        &self.rates
    }
}

/// One solve.
pub(super) struct Descent<'a> {
    machine: &'a mut dyn Machine,
    /// Rates without impulses.
    given: &'a [Vec3],
    /// Until it has been used; the direction then holds how far the impulses are from where it is.
    start: Option<&'a [Vec3]>,
    impulses: &'a mut [Vec3],
    settings: &'a ConstraintSettings,
    buffers: &'a mut Buffers,
    report: &'a mut ConstraintReport,
    /// What defects are measured by, of the rates unless set otherwise.
    pub(super) largest_rate: f64,
}

impl<'a> Descent<'a> {
    /// Prepares the laws; W is only what the machine does.
    pub(super) fn new(
        machine: &'a mut dyn Machine,
        laws: &'a Laws,
        impulses: &'a mut [Vec3],
        settings: &'a ConstraintSettings,
        buffers: &'a mut Buffers,
        report: &'a mut ConstraintReport,
    ) -> Descent<'a> {
        let Laws {
            laws,
            rates: given,
            compliance,
            start,
        } = *laws;
        for buffer in [
            &mut buffers.rates,
            &mut buffers.direction,
            &mut buffers.response,
            &mut buffers.trial,
            &mut buffers.trial_rates,
            &mut buffers.kept,
            &mut buffers.kept_rates,
        ] {
            buffer.clear();
            buffer.resize(laws.len(), Vec3::ZERO);
        }
        let mut largest_rate = 0.0_f64;
        let locals = &mut buffers.system.locals;
        locals.clear();
        for (i, (law, &gamma)) in laws.iter().zip(compliance).enumerate() {
            let local = Local::new(law, &machine.diagonal(i), gamma, 0.0);
            let before = impulses[i];
            impulses[i] = local.admissible(before);
            buffers.direction[i] = impulses[i] - before;
            largest_rate = largest_rate.max(local.used(given[i]).norm());
            locals.push(local);
        }
        Descent {
            machine,
            given,
            start,
            impulses,
            settings,
            buffers,
            report,
            largest_rate,
        }
    }

    /// Finds ũ, and moves at most `relaxations` times towards local solutions: they open and close most of what will be.
    pub(super) fn begin(&mut self, relaxations: usize) -> Pass {
        match self.start.take() {
            Some(start) => self.move_to(start),
            None => self.refresh(),
        }
        let mut now = self.assess(self.impulses, &self.buffers.rates);
        for _ in 0..relaxations {
            if now.residual <= self.settings.tolerance || !now.residual.is_finite() {
                break;
            }
            let before = now.energy;
            self.relax();
            now = self.assess(self.impulses, &self.buffers.rates);
            // where they get on badly, steps do better
            if now.energy > 0.5 * before {
                break;
            }
        }
        now
    }

    /// Steps until the laws hold, or until `hopeless` steps have not halved the defect. Leaves the best impulses and their
    /// residual, infinite if something was not finite.
    pub(super) fn run(&mut self, hopeless: usize) {
        let mut now = self.begin(0);
        let mut best = f64::INFINITY;
        let mut failures = 0;
        let mut forcing: f64 = 0.1;
        let mut damping = 0.0;
        // the energy to get below by some step
        let (mut goal, mut goal_at) = (f64::INFINITY, 0);
        loop {
            self.report.residual = now.residual;
            if !now.residual.is_finite() {
                return;
            }
            if now.energy < best {
                best = now.energy;
                self.keep();
            }
            if now.residual <= self.settings.tolerance {
                // to the bounds on impulses as they are written, and to ũ without what steps have added up
                self.project();
                self.refresh();
                now = self.assess(self.impulses, &self.buffers.rates);
                self.report.residual = now.residual;
                if now.residual <= self.settings.tolerance {
                    return;
                }
            }
            if best < goal {
                goal = 0.5 * best;
                goal_at = self.report.newton_steps.saturating_add(hopeless);
            }
            let out_of_steps = self.report.newton_steps >= goal_at;
            if out_of_steps || self.report.iterations >= self.settings.max_iterations {
                break;
            }
            if failures == PATIENCE {
                failures = 0;
                self.recall();
                for _ in 0..PATIENCE {
                    self.relax();
                }
                now = self.assess(self.impulses, &self.buffers.rates);
                continue;
            }
            let before = now.energy;
            // no more exactly than the tolerance asks for
            let enough = 0.1 * self.settings.tolerance / now.residual;
            self.find_direction(forcing.max(enough), damping);
            let Some(there) = self.advance(before) else {
                damping = (damping * MORE_DAMPING).max(DAMPING);
                if damping > MOST_DAMPING {
                    damping = 0.0;
                    failures = PATIENCE;
                }
                continue;
            };
            now = there;
            if now.energy < before {
                if now.energy < GOOD * before {
                    damping *= LESS_DAMPING;
                }
                forcing = (0.5 * now.energy / before).clamp(1e-5, 0.1);
                failures = 0;
            } else {
                failures += 1;
                forcing = 0.03;
            }
        }
        self.recall();
        self.project();
        self.refresh();
        self.report.residual = self.assess(self.impulses, &self.buffers.rates).residual;
    }

    /// ũ at the impulses from u where they were given.
    fn move_to(&mut self, start: &[Vec3]) {
        let buffers = &mut *self.buffers;
        buffers.rates.copy_from_slice(start);
        if buffers.direction.iter().any(|d| *d != Vec3::ZERO) {
            self.report.iterations +=
                (self.machine).product(&buffers.direction, &mut buffers.response);
            for (u, &response) in buffers.rates.iter_mut().zip(&buffers.response) {
                *u += response;
            }
        }
        add_compliance(&buffers.system.locals, self.impulses, &mut buffers.rates);
    }

    /// ũ at the impulses, by a product.
    fn refresh(&mut self) {
        let buffers = &mut *self.buffers;
        buffers.rates.copy_from_slice(self.given);
        if self.impulses.iter().any(|l| *l != Vec3::ZERO) {
            let products = self.machine.product(self.impulses, &mut buffers.response);
            self.report.iterations += products;
            add_compliance(&buffers.system.locals, self.impulses, &mut buffers.response);
            for (u, &response) in buffers.rates.iter_mut().zip(&buffers.response) {
                *u += response;
            }
        }
    }

    fn relax(&mut self) {
        let buffers = &mut *self.buffers;
        let locals = &buffers.system.locals;
        self.report.iterations += (self.machine).relax(locals, self.impulses, &mut buffers.rates);
    }

    fn keep(&mut self) {
        let buffers = &mut *self.buffers;
        buffers.kept.copy_from_slice(self.impulses);
        buffers.kept_rates.copy_from_slice(&buffers.rates);
    }

    fn recall(&mut self) {
        let buffers = &mut *self.buffers;
        self.impulses.copy_from_slice(&buffers.kept);
        buffers.rates.copy_from_slice(&buffers.kept_rates);
    }

    fn project(&mut self) {
        let all = self.buffers.system.locals.iter().zip(&self.buffers.rates);
        for (lambda, (local, &u)) in self.impulses.iter_mut().zip(all) {
            *lambda = local.projected(*lambda, u);
        }
    }

    fn assess(&self, impulses: &[Vec3], rates: &[Vec3]) -> Pass {
        let scales = Scales {
            impulse: largest_of(impulses),
            rate: self.largest_rate,
        };
        let mut pass = Pass::default();
        let locals = &self.buffers.system.locals;
        for ((local, &lambda), &u) in locals.iter().zip(impulses).zip(rates) {
            let defect = local.defect(lambda, u);
            pass.add(local, defect, lambda, scales);
            pass.energy += 0.5 * defect.dot(local.block * defect);
        }
        pass.finish()
    }

    /// Direction and response of a Newton step whose linear system is damped and solved to `forcing`.
    fn find_direction(&mut self, forcing: f64, damping: f64) {
        let buffers = &mut *self.buffers;
        let system = &mut buffers.system;
        system.linearise(self.impulses, &buffers.rates, damping);
        for (direction, tangent) in buffers.direction.iter_mut().zip(&buffers.system.tangents) {
            *direction = tangent.offset;
        }
        let most = (self.settings.max_iterations).saturating_sub(self.report.iterations);
        self.report.newton_steps += 1;
        self.report.iterations += self.machine.newton(
            &buffers.system,
            forcing,
            most.max(1),
            &mut buffers.direction,
            &mut buffers.response,
        );
    }

    /// Moves along the direction, by the longest of some lengths that halves the defect or else the best one; the whole way
    /// if none lowers it. Stays if that is much worse.
    fn advance(&mut self, energy: f64) -> Option<Pass> {
        let mut trial = std::mem::take(&mut self.buffers.trial);
        let mut trial_rates = std::mem::take(&mut self.buffers.trial_rates);
        let mut place = |length: f64, this: &Self| {
            let buffers = &*this.buffers;
            for (i, (lambda, u)) in trial.iter_mut().zip(&mut trial_rates).enumerate() {
                *lambda = this.impulses[i] + buffers.direction[i] * length;
                *u = buffers.rates[i] + buffers.response[i] * length;
            }
            this.assess(&trial, &trial_rates)
        };
        let (mut length, mut best_length) = (1.0, 1.0);
        let mut best = f64::INFINITY;
        for _ in 0..6 {
            let there = place(length, self).energy;
            if there < best {
                (best, best_length) = (there, length);
            } else if best < energy {
                break;
            }
            if best < 0.5 * energy {
                break;
            }
            length *= 0.5;
        }
        if best >= energy {
            best_length = 1.0;
        }
        let there = place(best_length, self);
        let stays = there.energy >= WORSE * energy;
        if !stays {
            self.impulses.copy_from_slice(&trial);
            self.buffers.rates.copy_from_slice(&trial_rates);
        }
        self.buffers.trial = trial;
        self.buffers.trial_rates = trial_rates;
        (!stays).then_some(there)
    }
}

/// y += Γ x.
pub(super) fn add_compliance(locals: &[Local], x: &[Vec3], y: &mut [Vec3]) {
    for ((y, &x), local) in y.iter_mut().zip(x).zip(locals) {
        *y = local.compliant(*y, x);
    }
}

/// sum += part x.
pub(super) fn add(sum: &mut [Vec3], part: f64, x: &[Vec3]) {
    for (sum, &x) in sum.iter_mut().zip(x) {
        *sum += x * part;
    }
}
