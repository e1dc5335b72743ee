//! Solves the same laws without W: only products y = W x and the diagonal blocks are known (the unbuilt scheme of
//! [ZCC22], here not as sweeps but as a semismooth Newton method with Krylov steps).
//!
//! Every step linearises the laws (`tangent.rs`) and solves for the unknowns of closed constraints by GMRES [SS86],
//! preconditioned by their own blocks, as far as is useful at that place. ũ is linear in λ, so that the products of the
//! inner iteration give ũ along the whole step: the line search needs no products. Where Newton's direction is of no
//! use, all constraints move towards their local solutions instead. One product is one iteration.

use super::cone::Local;
use super::law::{ConstraintReport, ConstraintSettings, Law, is_well_formed};
use super::solve::{Pass, Scales, largest_of};
use super::tangent::Tangent;
use pliant_linalg::{Mat3, Vec3};

/// Most products of one inner iteration.
const MOST_INNER: usize = 60;
/// Steps in a row that may fail to lower the defect.
const PATIENCE: usize = 3;

/// W as a linear map.
pub trait DelassusOperator {
    /// Number of constraints.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// y = W x, impulses to velocities.
    fn apply(&mut self, x: &[Vec3], y: &mut [Vec3]);
    /// The block of a constraint on the diagonal of W.
    fn diagonal(&self, i: usize) -> Mat3;
}

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub struct UnbuiltWorkspace {
    locals: Vec<Local>,
    tangents: Vec<Tangent>,
    /// First unknown of each constraint.
    starts: Vec<usize>,
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
    krylov: Krylov,
}

/// As [`super::solve`] without W. `ConstraintReport::iterations` counts products; `settings.solver` is not looked at.
pub fn solve_unbuilt(
    operator: &mut dyn DelassusOperator,
    laws: &[Law],
    rates: &[Vec3],
    compliance: &[f64],
    impulses: &mut [Vec3],
    settings: &ConstraintSettings,
    workspace: &mut UnbuiltWorkspace,
) -> ConstraintReport {
    let mut report = ConstraintReport::default();
    if is_well_formed(operator.len(), laws, rates, compliance, impulses) {
        let mut solve = Solve {
            operator,
            given: rates,
            largest_rate: 0.0,
            impulses,
            settings,
            workspace,
            report: &mut report,
        };
        solve.prepare(laws, compliance);
        solve.iterate();
    } else {
        report.residual = f64::INFINITY;
    }
    if !report.residual.is_finite() {
        impulses.fill(Vec3::ZERO);
        report.residual = f64::INFINITY;
    }
    report.converged = report.residual <= settings.tolerance;
    report
}

struct Solve<'a> {
    operator: &'a mut dyn DelassusOperator,
    /// Rates without impulses.
    given: &'a [Vec3],
    largest_rate: f64,
    impulses: &'a mut [Vec3],
    settings: &'a ConstraintSettings,
    workspace: &'a mut UnbuiltWorkspace,
    report: &'a mut ConstraintReport,
}

impl Solve<'_> {
    fn prepare(&mut self, laws: &[Law], compliance: &[f64]) {
        let work = &mut *self.workspace;
        for buffer in [
            &mut work.rates,
            &mut work.direction,
            &mut work.response,
            &mut work.trial,
            &mut work.trial_rates,
            &mut work.kept,
            &mut work.kept_rates,
        ] {
            buffer.clear();
            buffer.resize(laws.len(), Vec3::ZERO);
        }
        work.locals.clear();
        for (i, (law, &gamma)) in laws.iter().zip(compliance).enumerate() {
            let local = Local::new(law, &self.operator.diagonal(i), gamma, 0.0);
            self.impulses[i] = local.admissible(self.impulses[i]);
            let rate = local.used(self.given[i]).norm();
            self.largest_rate = self.largest_rate.max(rate);
            work.locals.push(local);
        }
    }

    fn may_go_on(&self) -> bool {
        self.report.iterations < self.settings.max_iterations
    }

    /// ũ at the impulses, by a product.
    fn refresh(&mut self) {
        let work = &mut *self.workspace;
        if self.impulses.iter().all(|l| *l == Vec3::ZERO) {
            work.rates.copy_from_slice(self.given);
            return;
        }
        let locals = &work.locals;
        apply(self.operator, locals, self.impulses, &mut work.rates);
        self.report.iterations += 1;
        for (u, &given) in work.rates.iter_mut().zip(self.given) {
            *u += given;
        }
    }

    fn iterate(&mut self) {
        self.refresh();
        let mut now = self.assess(self.impulses, &self.workspace.rates);
        let mut best = f64::INFINITY;
        let mut failures = 0;
        let mut forcing: f64 = 0.1;
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
                // to the laws as they are written, and to ũ without what steps have added up
                self.project();
                self.refresh();
                now = self.assess(self.impulses, &self.workspace.rates);
                self.report.residual = now.residual;
                if now.residual <= self.settings.tolerance {
                    return;
                }
            }
            if !self.may_go_on() {
                break;
            }
            let before = now;
            let over_solved = 0.1 * self.settings.tolerance / now.residual;
            if failures < PATIENCE {
                self.report.newton_steps += 1;
                self.newton_direction(forcing.max(over_solved));
            } else {
                failures = 0;
                self.recall();
                self.local_direction();
            }
            now = self.advance(before.energy);
            if now.energy < before.energy {
                let ratio = now.energy / before.energy;
                forcing = (0.5 * ratio).clamp(1e-3, 0.1);
                failures = 0;
            } else {
                failures += 1;
                forcing = 0.03;
            }
        }
        self.recall();
        self.project();
        self.refresh();
        self.report.residual = self.assess(self.impulses, &self.workspace.rates).residual;
    }

    fn keep(&mut self) {
        self.workspace.kept.copy_from_slice(self.impulses);
        let work = &mut *self.workspace;
        work.kept_rates.copy_from_slice(&work.rates);
    }

    fn recall(&mut self) {
        self.impulses.copy_from_slice(&self.workspace.kept);
        let work = &mut *self.workspace;
        work.rates.copy_from_slice(&work.kept_rates);
    }

    fn project(&mut self) {
        let all = self.workspace.locals.iter().zip(&self.workspace.rates);
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
        for ((local, &lambda), &u) in self.workspace.locals.iter().zip(impulses).zip(rates) {
            let defect = local.defect(lambda, u);
            pass.add(local, defect, lambda, scales);
            pass.energy += 0.5 * defect.dot(local.block * defect);
        }
        pass.finish()
    }

    /// Direction and response of a Newton step whose linear system is solved to `forcing`.
    fn newton_direction(&mut self, forcing: f64) {
        let work = &mut *self.workspace;
        let at = work
            .locals
            .iter()
            .zip(self.impulses.iter())
            .zip(&work.rates);
        work.tangents.clear();
        (work.tangents).extend(at.map(|((local, &lambda), &u)| Tangent::new(local, lambda, u)));
        work.starts.clear();
        let mut unknowns = 0;
        for (tangent, direction) in work.tangents.iter().zip(&mut work.direction) {
            work.starts.push(unknowns);
            unknowns += tangent.width;
            *direction = tangent.offset;
        }
        if work.direction.iter().any(|d| *d != Vec3::ZERO) {
            apply(
                self.operator,
                &work.locals,
                &work.direction,
                &mut work.response,
            );
            self.report.iterations += 1;
        } else {
            work.response.fill(Vec3::ZERO);
        }
        let most =
            self.settings.max_iterations - self.report.iterations.min(self.settings.max_iterations);
        let system = System {
            locals: &work.locals,
            tangents: &work.tangents,
            starts: &work.starts,
            unknowns,
        };
        self.report.iterations += work.krylov.solve(
            self.operator,
            &system,
            forcing,
            most.min(MOST_INNER),
            &mut work.direction,
            &mut work.response,
        );
    }

    /// Every constraint to where its own law would hold if no other moved.
    fn local_direction(&mut self) {
        let work = &mut *self.workspace;
        for (i, local) in work.locals.iter().enumerate() {
            let lambda = self.impulses[i];
            work.direction[i] = local.solve(work.rates[i] - local.block * lambda) - lambda;
        }
        apply(
            self.operator,
            &work.locals,
            &work.direction,
            &mut work.response,
        );
        self.report.iterations += 1;
    }

    /// Moves along the direction: the longest of some lengths that lowers the defect enough, or the whole way.
    fn advance(&mut self, energy: f64) -> Pass {
        let mut trial = std::mem::take(&mut self.workspace.trial);
        let mut trial_rates = std::mem::take(&mut self.workspace.trial_rates);
        let mut place = |length: f64, this: &Self| {
            let work = &*this.workspace;
            for (i, (lambda, u)) in trial.iter_mut().zip(&mut trial_rates).enumerate() {
                *lambda = this.impulses[i] + work.direction[i] * length;
                *u = work.rates[i] + work.response[i] * length;
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
        self.impulses.copy_from_slice(&trial);
        self.workspace.rates.copy_from_slice(&trial_rates);
        self.workspace.trial = trial;
        self.workspace.trial_rates = trial_rates;
        there
    }
}

/// y = A x.
fn apply(operator: &mut dyn DelassusOperator, locals: &[Local], x: &[Vec3], y: &mut [Vec3]) {
    operator.apply(x, y);
    for ((y, &x), local) in y.iter_mut().zip(x).zip(locals) {
        *y = local.compliant(*y, x);
    }
}

/// Rᵀ A C + D over all closed constraints.
struct System<'a> {
    locals: &'a [Local],
    tangents: &'a [Tangent],
    starts: &'a [usize],
    unknowns: usize,
}

/// GMRES with the blocks on the diagonal as right preconditioner, rows and columns scaled to a unit diagonal.
#[derive(Clone, Debug, Default)]
struct Krylov {
    /// 1/√ of the symmetric part of the diagonal.
    scale: Vec<f64>,
    /// Inverse blocks of the scaled system.
    inverses: Vec<Mat3>,
    /// Orthonormal basis of the residuals.
    basis: Vec<Vec<f64>>,
    /// Impulses of the preconditioned basis, and A times them.
    moves: Vec<Vec<Vec3>>,
    responses: Vec<Vec<Vec3>>,
    /// Columns of the triangular factor of the Hessenberg matrix.
    triangle: Vec<Vec<f64>>,
    rotations: Vec<[f64; 2]>,
    projected: Vec<f64>,
    residual: Vec<f64>,
}

impl Krylov {
    /// Adds the solution to `direction` and A times it to `response`, which holds A times the offsets. The number of
    /// products.
    fn solve(
        &mut self,
        operator: &mut dyn DelassusOperator,
        system: &System,
        forcing: f64,
        most: usize,
        direction: &mut [Vec3],
        response: &mut [Vec3],
    ) -> usize {
        self.prepare(system, response);
        let norm = dot(&self.residual, &self.residual).sqrt();
        if norm == 0.0 || !norm.is_finite() {
            return 0;
        }
        self.rotations.clear();
        self.projected.clear();
        self.projected.push(norm);
        let mut products = 0;
        while products < most {
            let k = products;
            if self.basis.len() == k {
                self.basis.push(Vec::new());
                self.moves.push(Vec::new());
                self.responses.push(Vec::new());
                self.triangle.push(Vec::new());
            }
            let size = 1.0 / norm_of(&self.residual);
            let mut next = std::mem::take(&mut self.basis[k]);
            next.clear();
            next.extend(self.residual.iter().map(|r| r * size));
            self.basis[k] = next;
            self.multiply(operator, system, k);
            products += 1;
            // twice: once loses orthogonality when the new direction is almost in the basis
            let mut column = std::mem::take(&mut self.triangle[k]);
            column.clear();
            column.resize(k + 1, 0.0);
            for _ in 0..2 {
                for (basis, entry) in self.basis[..=k].iter().zip(&mut column) {
                    let part = dot(basis, &self.residual);
                    *entry += part;
                    for (r, b) in self.residual.iter_mut().zip(basis) {
                        *r -= part * b;
                    }
                }
            }
            let rest = norm_of(&self.residual);
            for (j, &[c, s]) in self.rotations.iter().enumerate() {
                let (a, b) = (column[j], column[j + 1]);
                column[j] = c * a + s * b;
                column[j + 1] = c * b - s * a;
            }
            let length = column[k].hypot(rest);
            if !(length > 1e-14 && length.is_finite()) {
                // nothing new: what there is so far is the solution in the least-squares sense
                self.triangle[k] = column;
                break;
            }
            let (c, s) = (column[k] / length, rest / length);
            column[k] = length;
            self.triangle[k] = column;
            self.rotations.push([c, s]);
            let last = self.projected[k];
            self.projected[k] = c * last;
            self.projected.push(-s * last);
            if (s * last).abs() <= forcing * norm || rest <= 1e-14 * length {
                break;
            }
        }
        let used = self.rotations.len();
        for k in (0..used).rev() {
            let mut sum = self.projected[k];
            for j in k + 1..used {
                sum -= self.triangle[j][k] * self.projected[j];
            }
            self.projected[k] = sum / self.triangle[k][k];
        }
        for (k, &part) in self.projected[..used].iter().enumerate() {
            add(direction, part, &self.moves[k]);
            add(response, part, &self.responses[k]);
        }
        products
    }

    /// Scales, blocks and the first residual.
    fn prepare(&mut self, system: &System, response: &[Vec3]) {
        self.scale.clear();
        self.residual.clear();
        self.inverses.clear();
        for ((local, tangent), &offset) in system.locals.iter().zip(system.tangents).zip(response) {
            let first = self.scale.len();
            for k in 0..tangent.width {
                let row = tangent.rows[k];
                let diagonal = row.dot(local.block * row) + tangent.own[k];
                let scale = if diagonal > 0.0 {
                    1.0 / diagonal.sqrt()
                } else {
                    1.0
                };
                self.scale.push(scale);
                self.residual
                    .push(scale * (tangent.rhs[k] - row.dot(offset)));
            }
            let mut block = tangent.diagonal(&local.block);
            for r in 0..tangent.width {
                for c in 0..tangent.width {
                    let scaled = block.at(r, c) * self.scale[first + r] * self.scale[first + c];
                    block.set(r, c, scaled);
                }
            }
            // a block of redundant rows is left to the iteration
            let inverse = block.inverse().filter(|i| i.max_abs() < 1e4);
            self.inverses.push(inverse.unwrap_or(Mat3::IDENTITY));
        }
    }

    /// The residual becomes the product with the preconditioned vector k of the basis.
    fn multiply(&mut self, operator: &mut dyn DelassusOperator, system: &System, k: usize) {
        let n = system.tangents.len();
        let (moves, responses) = (&mut self.moves[k], &mut self.responses[k]);
        moves.clear();
        responses.clear();
        responses.resize(n, Vec3::ZERO);
        self.residual.clear();
        self.residual.resize(system.unknowns, 0.0);
        for (i, tangent) in system.tangents.iter().enumerate() {
            let mut v = Vec3::ZERO;
            let at = system.starts[i];
            for r in 0..tangent.width {
                v[r] = self.basis[k][at + r];
            }
            let v = self.inverses[i] * v;
            let mut q = [0.0; 3];
            for r in 0..tangent.width {
                q[r] = v[r] * self.scale[at + r];
                self.residual[at + r] = self.scale[at + r] * tangent.own[r] * q[r];
            }
            moves.push(tangent.expand(&q));
        }
        apply(operator, system.locals, moves, responses);
        for (i, tangent) in system.tangents.iter().enumerate() {
            let at = system.starts[i];
            for r in 0..tangent.width {
                self.residual[at + r] += self.scale[at + r] * tangent.rows[r].dot(responses[i]);
            }
        }
    }
}

fn add(sum: &mut [Vec3], part: f64, x: &[Vec3]) {
    for (sum, &x) in sum.iter_mut().zip(x) {
        *sum += x * part;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm_of(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
