//! Solves a [`Problem`]: block Gauss–Seidel sweeps with exact local laws, plain or accelerated by conjugate gradients
//! [SNE10], and Newton steps (`newton.rs`) that finish what sweeps would take long for.
//!
//! A sweep reads W once. Convergence is judged by the defect of every constraint (`cone.rs`), first as a sweep meets
//! them, which costs nothing, then for all at the final impulses. Everything is sequential and in index order.

use super::cone::Local;
use super::law::{ConstraintReport, ConstraintSettings, ConstraintSolver, Problem};
use super::newton::Newton;
use pliant_linalg::{BlockRows, Vec3};

/// Defects count relative to at least this part of the largest impulse.
const SMALLEST_SCALE: f64 = 1e-3;

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
    newton: Newton,
}

/// What a pass over all constraints saw.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    /// Largest relative defect; infinite when something was not finite.
    residual: f64,
    /// Σ ½ Δᵀ A_ii Δ over the changes of a sweep or the defects of a check, J.
    energy: f64,
    /// Largest impulse.
    largest: f64,
}

impl Pass {
    #[inline]
    fn add(&mut self, defect: Vec3, impulse: Vec3, floor: f64) {
        let missed = defect.norm_squared();
        if missed > 0.0 {
            let target = (impulse - defect).norm_squared();
            let scale = target.max(impulse.norm_squared()).max(floor * floor);
            self.residual = self.residual.max(missed / scale);
        } else if missed.is_nan() {
            self.residual = f64::INFINITY;
        }
    }
}

/// Changes `impulses` (warm start in, solution out) until every law holds. Input that is not finite, of wrong sign or
/// of wrong length gives zero impulses and a report that has not converged.
pub fn solve(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
) -> ConstraintReport {
    let mut report = ConstraintReport::default();
    let usable = problem.is_well_formed(impulses)
        && iterate(problem, impulses, settings, workspace, &mut report);
    if !usable {
        impulses.fill(Vec3::ZERO);
        report.residual = f64::INFINITY;
    }
    report.converged = report.residual <= settings.tolerance;
    report
}

/// False when something was not finite.
fn iterate(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
) -> bool {
    let w = problem.delassus;
    let n = w.row_count();
    workspace.locals.clear();
    let prepared = problem.laws.iter().zip(problem.compliance).enumerate();
    (workspace.locals)
        .extend(prepared.map(|(i, (law, &gamma))| Local::new(law, &w.block(i, i), gamma)));
    for buffer in [
        &mut workspace.rates,
        &mut workspace.before,
        &mut workspace.direction,
        &mut workspace.saved,
    ] {
        buffer.clear();
        buffer.resize(n, Vec3::ZERO);
    }
    for (lambda, local) in impulses.iter_mut().zip(&workspace.locals) {
        *lambda = local.admissible(*lambda);
    }
    let accelerated = settings.solver != ConstraintSolver::ProjectedGaussSeidel;
    let mut with_newton = settings.solver == ConstraintSolver::Newton;
    // an elimination costs as much as this many sweeps: it is tried when the sweeps so far have cost as much
    let mut next_newton = workspace.newton.cost_in_sweeps(&workspace.locals);
    with_newton &= next_newton.is_some();
    let mut last = Pass {
        largest: largest_of(impulses),
        ..Pass::default()
    };
    while report.iterations < settings.max_iterations {
        workspace.before.copy_from_slice(impulses);
        let pass = sweep(problem, &workspace.locals, impulses, last.largest);
        report.iterations += 1;
        if pass.residual == f64::INFINITY || !pass.largest.is_finite() {
            return false;
        }
        report.residual = pass.residual;
        if pass.residual <= settings.tolerance {
            let checked = check(problem, workspace, impulses);
            report.residual = checked.residual;
            if checked.residual <= settings.tolerance {
                return true;
            }
        }
        if with_newton && next_newton.is_some_and(|at| report.iterations >= at) {
            if newton_phase(problem, impulses, settings, workspace, report) {
                return true;
            }
            next_newton = Some(2 * report.iterations);
            // the impulses may have moved: the direction belongs to another place
            last = Pass {
                largest: largest_of(impulses),
                ..Pass::default()
            };
            continue;
        }
        if accelerated && report.iterations < settings.max_iterations {
            accelerate(workspace, impulses, last.energy, pass.energy);
        }
        last = pass;
    }
    let checked = check(problem, workspace, impulses);
    report.residual = checked.residual;
    checked.residual.is_finite()
}

fn largest_of(impulses: &[Vec3]) -> f64 {
    let largest = |m: f64, lambda: &Vec3| m.max(lambda.norm_squared());
    impulses.iter().fold(0.0, largest).sqrt()
}

/// (W x)_row; the dense case has no indirection.
#[inline]
fn row_product(w: &BlockRows, row: usize, x: &[Vec3]) -> Vec3 {
    let (columns, blocks) = w.row(row);
    if columns.len() == x.len() {
        // two sums, because the latency of the additions is what one would wait for
        let mut sums = [Vec3::ZERO; 2];
        let (pairs, rest) = blocks.as_chunks::<2>();
        let (x_pairs, x_rest) = x.as_chunks::<2>();
        for ([b0, b1], [x0, x1]) in pairs.iter().zip(x_pairs) {
            sums[0] += *b0 * *x0;
            sums[1] += *b1 * *x1;
        }
        for (block, x) in rest.iter().zip(x_rest) {
            sums[0] += *block * *x;
        }
        sums[0] + sums[1]
    } else {
        w.row_product(row, x)
    }
}

/// One Gauss–Seidel sweep in index order; `largest` is the largest impulse so far.
fn sweep(problem: &Problem, locals: &[Local], impulses: &mut [Vec3], largest: f64) -> Pass {
    let mut pass = Pass::default();
    let mut squared = 0.0_f64;
    for (i, local) in locals.iter().enumerate() {
        let old = impulses[i];
        let u = problem.rates[i] + row_product(problem.delassus, i, impulses);
        let u = local.compliant(u, old);
        let new = local.solve(u - local.block * old);
        pass.add(local.defect(old, u), old, SMALLEST_SCALE * largest);
        let change = new - old;
        pass.energy += 0.5 * change.dot(local.block * change);
        squared = squared.max(new.norm_squared());
        impulses[i] = new;
    }
    pass.residual = pass.residual.sqrt();
    pass.largest = squared.sqrt();
    if pass.energy.is_nan() {
        pass.residual = f64::INFINITY;
    }
    pass
}

/// The residual of impulses as they are; leaves ũ in the workspace.
fn check(problem: &Problem, workspace: &mut Workspace, impulses: &[Vec3]) -> Pass {
    let largest = largest_of(impulses);
    let mut pass = Pass {
        largest,
        ..Pass::default()
    };
    for (i, local) in workspace.locals.iter().enumerate() {
        let u = problem.rates[i] + row_product(problem.delassus, i, impulses);
        let u = local.compliant(u, impulses[i]);
        let defect = local.defect(impulses[i], u);
        pass.add(defect, impulses[i], SMALLEST_SCALE * largest);
        pass.energy += 0.5 * defect.dot(local.block * defect);
        workspace.rates[i] = u;
    }
    pass.residual = pass.residual.sqrt();
    pass
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

/// Newton steps from the impulses of a sweep. Keeps what it found if the laws then hold, or if they are missed by less
/// energy than before; else the impulses stay.
fn newton_phase(
    problem: &Problem,
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut Workspace,
    report: &mut ConstraintReport,
) -> bool {
    /// Steps without a new best before giving up.
    const PATIENCE: usize = 4;
    let mut best = check(problem, workspace, impulses);
    let mut waited = 0;
    workspace.saved.copy_from_slice(impulses);
    while report.iterations < settings.max_iterations && waited < PATIENCE {
        let stepped =
            (workspace.newton).step(problem, &workspace.locals, &workspace.rates, impulses);
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
            if now.residual <= settings.tolerance {
                break;
            }
        } else {
            waited += 1;
        }
    }
    // a sweep makes the impulses admissible to the last bit
    impulses.copy_from_slice(&workspace.saved);
    sweep(problem, &workspace.locals, impulses, best.largest);
    let after = check(problem, workspace, impulses);
    report.residual = after.residual;
    after.residual <= settings.tolerance
}
