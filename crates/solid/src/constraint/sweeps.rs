//! Plain Gauss–Seidel sweeps that keep ũ up to date: only impulses that change cost anything.
//!
//! A change acts at once on the rows of its panel, on all others when the panel is done, by several threads where that is worth
//! it. Every rate adds its changes in index order, so the bits do not depend on threads. Constraints that miss their law by less
//! than the tolerance asks for, or by far less than others do, are passed over; as ũ is known everywhere, a sweep that was enough
//! is seen at once.

use super::cone::Local;
use super::law::{ConstraintReport, ConstraintSettings, Problem};
use super::product::{add_change, add_changes, multiply};
use super::solve::{Pass, Scales, largest_of};
use pliant_linalg::Vec3;

/// Rows of a panel: few beside all rows, many beside the cost of calling another thread.
const PANEL: usize = 64;
/// Constraints that miss their law by less than this part of the tolerance are left as they are.
const WELL_ENOUGH: f64 = 0.5;
/// And those that miss it by less than this part of what the worst one does: more sweeps that read less of W.
const MINOR: f64 = 0.3;
/// Tolerances below this need ũ without what changes have added up.
const ROUNDING: f64 = 1e-8;

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct SweepBuffers {
    locals: Vec<Local>,
    /// ũ at the impulses.
    rates: Vec<Vec3>,
    /// Impulses of a panel that changed, and by how much.
    changes: Vec<(u32, Vec3)>,
    /// The impulses that missed the laws least.
    kept: Vec<Vec3>,
    used: Vec<u32>,
}

/// Leaves impulses and their residual; false when something was not finite.
pub(super) fn solve_by_sweeps(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    buffers: &mut SweepBuffers,
    report: &mut ConstraintReport,
) -> bool {
    let rate = buffers.begin(problem, impulses);
    let mut now = buffers.assess(impulses, rate);
    let (mut best, mut is_kept) = (f64::INFINITY, true);
    while now.is_finite() {
        if now < best {
            best = now;
            buffers.kept.clear();
            buffers.kept.extend_from_slice(impulses);
        }
        is_kept = now == best;
        let enough = now <= settings.tolerance;
        if enough && (settings.tolerance >= ROUNDING || report.iterations == 0) {
            break;
        }
        if enough {
            buffers.refresh(problem, impulses);
            now = buffers.assess(impulses, rate);
            if now <= settings.tolerance || report.iterations >= settings.max_iterations {
                break;
            }
        }
        if report.iterations >= settings.max_iterations {
            break;
        }
        let scales = Scales {
            impulse: largest_of(impulses),
            rate,
        };
        let negligible = (WELL_ENOUGH * settings.tolerance).max(MINOR * now);
        buffers.sweep(problem, impulses, scales, negligible);
        report.iterations += 1;
        now = buffers.assess(impulses, rate);
    }
    if now.is_finite() && now > settings.tolerance && !is_kept {
        impulses.copy_from_slice(&buffers.kept);
        now = best;
    }
    report.residual = now;
    now.is_finite()
}

impl SweepBuffers {
    /// Prepares the laws and ũ; the largest of the given rates in rows that are used.
    fn begin(&mut self, problem: &Problem, impulses: &mut [Vec3]) -> f64 {
        let mut largest = 0.0_f64;
        self.locals.clear();
        self.changes.clear();
        for (i, lambda) in impulses.iter_mut().enumerate() {
            let block = problem.delassus.block(i, i);
            let local = Local::new(&problem.laws[i], &block, problem.compliance[i], 0.0);
            let admissible = local.admissible(*lambda);
            if admissible != *lambda {
                self.changes.push((i as u32, admissible - *lambda));
                *lambda = admissible;
            }
            largest = largest.max(local.used(problem.rates[i]).norm());
            self.locals.push(local);
        }
        if let Some(start) = problem.start {
            self.rates.clear();
            self.rates.extend_from_slice(start);
            add_changes(problem.delassus, &self.changes, 0..0, &mut self.rates);
            for ((u, local), &lambda) in self.rates.iter_mut().zip(&self.locals).zip(&*impulses) {
                *u = local.compliant(*u, lambda);
            }
        } else {
            self.refresh(problem, impulses);
        }
        largest
    }

    /// ũ by a product.
    fn refresh(&mut self, problem: &Problem, impulses: &[Vec3]) {
        self.rates.resize(impulses.len(), Vec3::ZERO);
        multiply(problem.delassus, impulses, &mut self.used, &mut self.rates);
        for (i, u) in self.rates.iter_mut().enumerate() {
            *u = self.locals[i].compliant(problem.rates[i] + *u, impulses[i]);
        }
    }

    /// The residual; infinite if something is not finite.
    fn assess(&self, impulses: &[Vec3], rate: f64) -> f64 {
        let scales = Scales {
            impulse: largest_of(impulses),
            rate,
        };
        let mut pass = Pass::default();
        let all = self.locals.iter().zip(impulses).zip(&self.rates);
        for ((local, &lambda), &u) in all {
            let defect = local.defect(lambda, u);
            pass.add(local, defect, lambda, scales);
            pass.energy += 0.5 * defect.dot(local.block * defect);
        }
        pass.finish().residual
    }

    /// One sweep in index order over the constraints whose defect is more than negligible.
    fn sweep(&mut self, problem: &Problem, impulses: &mut [Vec3], scales: Scales, negligible: f64) {
        let SweepBuffers {
            locals,
            rates,
            changes,
            ..
        } = self;
        let w = problem.delassus;
        for first in (0..locals.len()).step_by(PANEL) {
            let panel = first..(first + PANEL).min(locals.len());
            changes.clear();
            for i in panel.clone() {
                let (local, old, u) = (&locals[i], impulses[i], rates[i]);
                let mut own = Pass::default();
                own.add(local, local.defect(old, u), old, scales);
                // of squares
                if own.residual <= negligible * negligible {
                    continue;
                }
                let new = local.solve(u - local.block * old);
                let change = new - old;
                if change == Vec3::ZERO {
                    continue;
                }
                impulses[i] = new;
                add_change(w, i, change, panel.clone(), rates);
                rates[i] += local.compliance.scale(change);
                changes.push((i as u32, change));
            }
            add_changes(w, changes, panel, rates);
        }
    }
}
