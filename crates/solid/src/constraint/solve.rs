//! Solves a [`Problem`]: block Gauss–Seidel sweeps with exact local laws, plain (`sweeps.rs`) or accelerated by conjugate gradients
//! [SNE10], and Newton steps (`newton.rs`) that finish what sweeps would take long for, along a proximal path if they
//! fail directly. Large islands try Newton's method first (`rounds.rs`).
//!
//! An accelerated sweep reads W once. Convergence is judged by the defect of every constraint (`cone.rs`), first as a sweep meets
//! them, which costs nothing, then for all at the final impulses. Everything is sequential and in index order.

use super::cone::Local;
use super::law::{ConstraintReport, ConstraintSettings, ConstraintSolver, Problem};
use super::newton::Newton;
use super::product::row_product;
use super::rounds::{RoundsBuffers, solve_in_rounds};
use super::sweeps::{SweepBuffers, solve_by_sweeps};
use fearless_simd::Simd;
use pliant_linalg::{Vec3, vectorize};

/// Defects count relative to at least this part of the largest impulse.
const SMALLEST_SCALE: f64 = 1e-3;

/// Constraints from which Newton's method is tried first.
const MANY: usize = 48;

/// Buffers that are kept between calls: nothing is allocated once they have grown to the size of the problem.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) locals: Vec<Local>,
    /// ũ at the impulses of the last check.
    pub(super) rates: Vec<Vec3>,
    /// Impulses before a sweep.
    before: Vec<Vec3>,
    /// Direction of the conjugate gradients.
    direction: Vec<Vec3>,
    /// Impulses that a Newton phase starts from, to return to when it fails.
    saved: Vec<Vec3>,
    /// The rates of the problem, shifted by the pull.
    given: Vec<Vec3>,
    /// What the impulses are pulled to.
    centre: Vec<Vec3>,
    /// The impulses that missed the laws least among those of all sweeps, for when nothing converges.
    kept: Vec<Vec3>,
    kept_residual: f64,
    newton: Newton,
    rounds: RoundsBuffers,
    sweeps: SweepBuffers,
    /// Largest of the given rates in rows that are used.
    largest_rate: f64,
}

impl Workspace {
    fn prepare(&mut self, problem: &Problem, impulses: &[Vec3]) {
        for buffer in [
            &mut self.rates,
            &mut self.before,
            &mut self.direction,
            &mut self.saved,
            &mut self.given,
            &mut self.centre,
            &mut self.kept,
        ] {
            buffer.clear();
            buffer.extend_from_slice(impulses);
        }
        let prepared = (0..impulses.len()).map(|i| {
            let block = problem.delassus.block(i, i);
            Local::new(&problem.laws[i], &block, problem.compliance[i], 0.0)
        });
        self.locals.clear();
        self.locals.extend(prepared);
        self.kept_residual = f64::INFINITY;
    }

    /// Adds the pull ε/ρ (λ − centre) to ũ, or takes it away with ε = 0.
    fn pull(&mut self, problem: &Problem, epsilon: f64) {
        for (i, local) in self.locals.iter_mut().enumerate() {
            let block = problem.delassus.block(i, i);
            *local = Local::new(&problem.laws[i], &block, problem.compliance[i], epsilon);
            self.given[i] = problem.rates[i] - local.pull.scale(self.centre[i]);
        }
    }
}

/// What defects are measured by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scales {
    /// Largest impulse, N s.
    pub(super) impulse: f64,
    /// Largest of the given rates, m/s.
    pub(super) rate: f64,
}

/// What a pass over all constraints saw; squares until [`Pass::finish`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pass {
    /// Largest relative defect; infinite when something was not finite.
    pub(super) residual: f64,
    /// Σ ½ Δᵀ A_ii Δ over the changes of a sweep or the defects of a check, J.
    pub(super) energy: f64,
    /// Largest impulse.
    largest: f64,
}

impl Pass {
    #[inline(always)]
    pub(super) fn add(&mut self, local: &Local, defect: Vec3, impulse: Vec3, scales: Scales) {
        let missed = defect.norm_squared();
        if missed > 0.0 {
            let floor = SMALLEST_SCALE * scales.impulse;
            let target = (impulse - defect).norm_squared();
            let scale = target.max(impulse.norm_squared()).max(floor * floor);
            let rate = (local.block * defect).norm_squared();
            let rate_scale = scales.rate * scales.rate;
            // without a division: the larger of missed/scale and rate/rate_scale
            if missed > self.residual * scale {
                self.residual = missed / scale;
            }
            if rate > self.residual * rate_scale && rate_scale > 0.0 {
                self.residual = rate / rate_scale;
            }
        } else if missed.is_nan() {
            self.residual = f64::INFINITY;
        }
    }

    pub(super) fn finish(mut self) -> Pass {
        self.residual = self.residual.sqrt();
        self.largest = self.largest.sqrt();
        if !(self.energy.is_finite() && self.largest.is_finite()) {
            self.residual = f64::INFINITY;
        }
        self
    }
}

/// Changes `impulses` (warm start in, solution out) until every law holds, or to the best that was met. Input that is
/// not finite, of wrong sign or of wrong length gives zero impulses and a report that has not converged.
pub fn solve(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
) -> ConstraintReport {
    let mut report = ConstraintReport::default();
    let usable = problem.is_well_formed(impulses)
        && match settings.solver {
            ConstraintSolver::ProjectedGaussSeidel => {
                let sweeps = &mut workspace.sweeps;
                solve_by_sweeps(problem, impulses, settings, sweeps, &mut report)
            }
            ConstraintSolver::ConjugateGradients | ConstraintSolver::Newton => {
                descend_by_newton(problem, impulses, settings, workspace, &mut report)
                    || iterate(problem, impulses, settings, workspace, &mut report)
            }
        };
    if !usable {
        impulses.fill(Vec3::ZERO);
        report.residual = f64::INFINITY;
    }
    report.converged = report.residual <= settings.tolerance;
    report
}

/// Newton's method from the start, for islands that are large: whether the laws hold then. If not, the impulses are those
/// that it came nearest with.
fn descend_by_newton(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
) -> bool {
    let count = impulses.len();
    if settings.solver != ConstraintSolver::Newton || count < MANY {
        return false;
    }
    let rounds = &mut workspace.rounds;
    solve_in_rounds(problem, impulses, settings, rounds, report);
    if !report.residual.is_finite() {
        impulses.fill(Vec3::ZERO);
    }
    report.residual <= settings.tolerance
}

/// False when something was not finite.
fn iterate(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
) -> bool {
    workspace.prepare(problem, impulses);
    workspace.pull(problem, 0.0);
    for (lambda, local) in impulses.iter_mut().zip(&workspace.locals) {
        *lambda = local.admissible(*lambda);
    }
    let used = (problem.rates.iter().zip(&workspace.locals)).map(|(rate, local)| local.used(*rate));
    workspace.largest_rate = used.fold(0.0, |m: f64, r| m.max(r.norm_squared())).sqrt();
    let affordable = settings.solver == ConstraintSolver::Newton;
    let newton_at = Newton::cost_in_sweeps(&workspace.locals).filter(|_| affordable);
    let goal = Goal {
        tolerance: settings.tolerance,
        last_iteration: settings.max_iterations,
        newton_at,
        newton_tries: 1,
        keeps_best: true,
    };
    let mut end = descend(problem, impulses, workspace, report, goal);
    if let Some(newton_at) = newton_at {
        if end == End::Stuck && Newton::can_be_repeated(&workspace.locals) {
            end = follow_path(problem, impulses, workspace, report, goal);
        }
        if end == End::Stuck {
            let goal = Goal {
                newton_at: Some(report.iterations + newton_at),
                newton_tries: usize::MAX,
                ..goal
            };
            end = descend(problem, impulses, workspace, report, goal);
        }
    }
    if end != End::NotFinite && end != End::Converged {
        workspace.pull(problem, 0.0);
        report.residual = check(problem, workspace, impulses).residual;
        workspace.before.copy_from_slice(impulses);
        impulses.copy_from_slice(&workspace.kept);
        let kept = check(problem, workspace, impulses).residual;
        if kept < report.residual {
            report.residual = kept;
        } else {
            impulses.copy_from_slice(&workspace.before);
        }
    }
    end != End::NotFinite && report.residual.is_finite()
}

/// When [`descend`] stops.
#[derive(Clone, Copy, Debug)]
struct Goal {
    tolerance: f64,
    /// Count of iterations at which to stop.
    last_iteration: usize,
    /// Count of iterations at which Newton steps are tried first, then whenever the count has doubled.
    newton_at: Option<usize>,
    /// How often they may fail before the sweeps stop too.
    newton_tries: usize,
    /// Whether the best impulses are kept: not while the problem is pulled.
    keeps_best: bool,
}

/// Why [`descend`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Converged,
    /// Newton steps failed as often as they may.
    Stuck,
    OutOfIterations,
    NotFinite,
}

/// Sweeps, and Newton steps where the goal allows them. An elimination costs as much as many sweeps, so it is tried when
/// the sweeps so far have cost as much.
fn descend(
    problem: &Problem,
    impulses: &mut [Vec3],
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
    goal: Goal,
) -> End {
    let mut newton_at = goal.newton_at;
    let mut newton_tries = 0;
    let mut last = Pass {
        largest: largest_of(impulses),
        ..Pass::default()
    };
    while report.iterations < goal.last_iteration {
        workspace.before.copy_from_slice(impulses);
        let scales = Scales {
            impulse: last.largest,
            rate: workspace.largest_rate,
        };
        let pass = sweep(problem, workspace, impulses, scales);
        report.iterations += 1;
        if pass.residual == f64::INFINITY {
            return End::NotFinite;
        }
        if goal.keeps_best && pass.residual < workspace.kept_residual {
            workspace.kept_residual = pass.residual;
            workspace.kept.copy_from_slice(impulses);
        }
        if pass.residual <= goal.tolerance {
            report.residual = check(problem, workspace, impulses).residual;
            if report.residual <= goal.tolerance {
                return End::Converged;
            }
        }
        if newton_at.is_some_and(|at| report.iterations >= at) {
            if newton_steps(problem, impulses, workspace, report, goal) {
                return End::Converged;
            }
            newton_tries += 1;
            if newton_tries == goal.newton_tries {
                return End::Stuck;
            }
            newton_at = Some(2 * report.iterations);
            // the impulses may have moved: the direction belongs to another place
            last = Pass {
                largest: largest_of(impulses),
                ..Pass::default()
            };
            continue;
        }
        if report.iterations < goal.last_iteration {
            accelerate(workspace, impulses, last.energy, pass.energy);
        }
        last = pass;
    }
    End::OutOfIterations
}

/// Solves a sequence of problems, each with the pull ε/ρ (λ − λ_c) towards the solution λ_c of the one before: a proximal
/// method. ε falls while the problems are solved, which is easy as long as it is large, and rises when one is not.
fn follow_path(
    problem: &Problem,
    impulses: &mut [Vec3],
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
    goal: Goal,
) -> End {
    const SWEEPS: usize = 4;
    const MOST_FAILURES: usize = 8;
    let mut pull = 0.1;
    let mut failures = 0;
    while report.iterations < goal.last_iteration && pull > 1e-9 && failures < MOST_FAILURES {
        workspace.centre.copy_from_slice(impulses);
        workspace.pull(problem, pull);
        let level = Goal {
            tolerance: 1e-6,
            newton_at: Some(report.iterations + SWEEPS),
            newton_tries: 1,
            keeps_best: false,
            ..goal
        };
        let end = descend(problem, impulses, workspace, report, level);
        workspace.pull(problem, 0.0);
        match end {
            End::NotFinite => return end,
            End::Converged => {
                report.residual = check(problem, workspace, impulses).residual;
                if report.residual <= goal.tolerance {
                    return end;
                }
                pull *= 0.2;
            }
            _ => {
                impulses.copy_from_slice(&workspace.centre);
                failures += 1;
                pull = (pull * 10.0_f64).min(1.0);
            }
        }
    }
    if newton_steps(problem, impulses, workspace, report, goal) {
        End::Converged
    } else {
        End::Stuck
    }
}

pub(super) fn largest_of(impulses: &[Vec3]) -> f64 {
    let largest = |m: f64, lambda: &Vec3| m.max(lambda.norm_squared());
    impulses.iter().fold(0.0, largest).sqrt()
}

/// One Gauss–Seidel sweep in index order.
fn sweep(problem: &Problem, workspace: &Workspace, impulses: &mut [Vec3], scales: Scales) -> Pass {
    vectorize!(simd => sweep_rows(simd, problem, workspace, impulses, scales))
}

#[inline(always)]
fn sweep_rows<S: Simd>(
    simd: S,
    problem: &Problem,
    workspace: &Workspace,
    impulses: &mut [Vec3],
    scales: Scales,
) -> Pass {
    let mut pass = Pass::default();
    for (i, local) in workspace.locals.iter().enumerate() {
        let old = impulses[i];
        let u = workspace.given[i] + row_product(simd, problem.delassus, i, impulses);
        let u = local.compliant(u, old);
        let new = local.solve(u - local.block * old);
        pass.add(local, local.defect(old, u), old, scales);
        let change = new - old;
        pass.energy += 0.5 * change.dot(local.block * change);
        pass.largest = pass.largest.max(new.norm_squared());
        impulses[i] = new;
    }
    pass.finish()
}

/// The residual of impulses as they are; leaves ũ in the workspace.
fn check(problem: &Problem, workspace: &mut Workspace, impulses: &[Vec3]) -> Pass {
    vectorize!(simd => check_rows(simd, problem, workspace, impulses))
}

#[inline(always)]
fn check_rows<S: Simd>(
    simd: S,
    problem: &Problem,
    workspace: &mut Workspace,
    impulses: &[Vec3],
) -> Pass {
    let scales = Scales {
        impulse: largest_of(impulses),
        rate: workspace.largest_rate,
    };
    let mut pass = Pass::default();
    for (i, local) in workspace.locals.iter().enumerate() {
        let lambda = impulses[i];
        let u = workspace.given[i] + row_product(simd, problem.delassus, i, impulses);
        let u = local.compliant(u, lambda);
        let defect = local.defect(lambda, u);
        pass.add(local, defect, lambda, scales);
        pass.energy += 0.5 * defect.dot(local.block * defect);
        pass.largest = pass.largest.max(lambda.norm_squared());
        workspace.rates[i] = u;
    }
    pass.finish()
}

/// One step of [SNE10], the change of a sweep in the place of the negative gradient. Deviation: lengths are energies,
/// Δᵀ A_ii Δ, so that rows of different units can be added.
fn accelerate(workspace: &mut Workspace, impulses: &mut [Vec3], last: f64, now: f64) {
    let beta = if last > 0.0 { now / last } else { 0.0 };
    let restart = beta > 1.0;
    let all = (impulses.iter_mut().zip(&workspace.before)).zip(&mut workspace.direction);
    for ((lambda, before), direction) in all {
        let change = *lambda - *before;
        if restart {
            *direction = change;
        } else {
            let carried = *direction * beta;
            *lambda += carried;
            *direction = carried + change;
        }
    }
}

/// Newton steps from the impulses of a sweep. Keeps what it found if the laws are then missed by less energy than before;
/// true if they hold.
fn newton_steps(
    problem: &Problem,
    impulses: &mut [Vec3],
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
    goal: Goal,
) -> bool {
    /// Steps without a new best before giving up: on their way to the right set of closed contacts they may go up.
    const PATIENCE: usize = 4;
    let mut best = check(problem, workspace, impulses);
    let mut waited = 0;
    workspace.saved.copy_from_slice(impulses);
    while report.iterations < goal.last_iteration && waited < PATIENCE {
        let locals = &workspace.locals;
        let stepped = (workspace.newton).step(problem, locals, &workspace.rates, impulses);
        report.iterations += 1;
        report.newton_steps += 1;
        if !stepped {
            break;
        }
        let now = check(problem, workspace, impulses);
        if now.energy < best.energy {
            best = now;
            waited = 0;
            workspace.saved.copy_from_slice(impulses);
            if now.residual <= goal.tolerance {
                break;
            }
        } else {
            waited += 1;
        }
    }
    // a sweep makes the impulses admissible to the last bit
    impulses.copy_from_slice(&workspace.saved);
    sweep(problem, workspace, impulses, Scales::default());
    report.residual = check(problem, workspace, impulses).residual;
    report.residual <= goal.tolerance
}
