//! Newton's method with line search on the step's equation M(v − ṽ) + ĥ C v = ĥ f(x̃ + ĥ v).
//!
//! With C frozen at the start of the step this is the stationarity of
//!   Φ(v) = ½(v−ṽ)ᵀM(v−ṽ) + ½ĥ vᵀC v + E(x̃ + ĥ v),
//! E including the potentials of gravity, dead loads and springs. The clamped Hessian M + ĥC + ĥ²H gives a direction
//! of descent; it evaluates C at the current positions, which changes the rate of convergence but not the solution.

use crate::model::Model;
use crate::readout;
use crate::report::{Stage, StepError, StepFailure};
use crate::solver::SolveReport;
use crate::state::State;
use crate::step::{Stepper, fail};
use pliant_linalg::Vec3;

/// Share of the predicted decrease that a step must achieve (Armijo).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// Halvings of the search step before giving up.
const MAX_BACKTRACKS: u32 = 30;
/// A stalled iteration is accepted as converged to rounding below this residual.
const ROUNDING_RESIDUAL: f64 = 1e-5;

/// Relative rounding error of an element's force, whose terms are stiffness times position.
const ROUNDING: f64 = 1e-15;

/// Vectors of the iteration.
#[derive(Default)]
pub(crate) struct Workspace {
    /// Accepted velocity.
    v: Vec<Vec3>,
    /// Search direction, full space.
    direction: Vec<Vec3>,
    /// Accepted reduced velocity.
    z: Vec<Vec3>,
    /// C v and C·direction.
    damping: Vec<Vec3>,
    damping_direction: Vec<Vec3>,
}

/// Most turns between Newton's method and the constraints.
const MAX_PASSES: u32 = 8;

impl Stepper {
    /// Newton's method with the constraints' impulses held, then impulses for the system linearised where it ended, and so on
    /// until neither changes.
    pub(crate) fn solve_newton_and_constraints(
        &mut self,
        model: &Model,
        state: &State,
    ) -> Result<(), StepError> {
        for _ in 0..MAX_PASSES {
            self.solve_newton(model, state)?;
            if self.touch.set.is_empty() {
                break;
            }
            self.reduction.space().prolong(&self.z, &mut self.v);
            let mut x = std::mem::take(&mut self.x);
            self.scheme.positions(&self.v, &mut x);
            self.assemble(model, &x, &[], false);
            self.x = x;
            self.lap(Stage::Assemble);
            let prepared = self.solver.prepare(&self.system);
            prepared.map_err(|source| self.solve_error(model, state, Stage::Factor, source))?;
            self.lap(Stage::Factor);
            // finer than the impulses are known there is nothing to settle
            let settled = model.contact.constraint.solver.tolerance;
            if self.resolve_constraints(model, state, true)? <= settled {
                break;
            }
        }
        Ok(())
    }

    fn solve_newton(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let mut w = std::mem::take(&mut self.newton);
        let result = self.newton_loop(model, state, &mut w);
        self.newton = w;
        result
    }

    fn newton_loop(
        &mut self,
        model: &Model,
        state: &State,
        w: &mut Workspace,
    ) -> Result<(), StepError> {
        let settings = self.settings.newton;
        let inertia = self.scheme.inertia;
        self.report.linear_iterations = 0;
        self.report.solve = SolveReport {
            converged: true,
            ..SolveReport::default()
        }; // if none is needed
        if !inertia {
            self.z.fill(Vec3::ZERO); // start from the last equilibrium …
            self.carry_along(model, state); // … seen from the skeleton
        }
        w.z.clone_from(&self.z);
        w.v.resize(model.node_count(), Vec3::ZERO);
        w.direction.resize(model.node_count(), Vec3::ZERO);
        self.place(w, 0.0);
        if self.evaluate_trial(model, state).is_err() {
            // flying on would turn an element inside out: start from standing still
            w.z.fill(Vec3::ZERO);
            self.place(w, 0.0);
            self.evaluate_trial(model, state)?;
        }
        self.damping_of(model, state, inertia, false, w);

        for iteration in 0.. {
            let residual = self.gradient(model, w);
            self.report.newton_iterations = iteration;
            self.report.newton_residual = residual;
            self.lap(Stage::Forces);
            if residual <= settings.relative_tolerance || iteration == settings.max_iterations {
                break;
            }

            // A δ = −gradient
            for g in &mut self.nodal {
                *g = -*g;
            }
            let x = std::mem::take(&mut self.x);
            self.assemble(model, &x, &[], false);
            self.system.external.clone_from(&self.system.rhs);
            self.x = x;
            self.z.fill(Vec3::ZERO);
            self.lap(Stage::Assemble);
            self.factor_and_solve(model, state)?;
            self.report.linear_iterations += self.report.solve.iterations;

            let slope: f64 = -self
                .system
                .rhs
                .iter()
                .zip(&self.z)
                .map(|(g, d)| g.dot(*d))
                .sum::<f64>();
            self.expand_direction(w);
            self.damping_of(model, state, inertia, true, w);
            if !self.line_search(model, state, w, slope) {
                if residual < ROUNDING_RESIDUAL {
                    break;
                }
                let failure = StepFailure::Stalled {
                    iterations: iteration + 1,
                    residual,
                };
                return Err(fail(state, Stage::Solve, failure));
            }
        }
        self.z.copy_from_slice(&w.z);
        Ok(())
    }

    /// Finds a step length along the direction with sufficient decrease of Φ, and takes it.
    fn line_search(&mut self, model: &Model, state: &State, w: &mut Workspace, slope: f64) -> bool {
        let start = self.objective(model, w, 0.0);
        let rounding = 1e-13 * (start.abs() + self.forces.energy.abs());
        let mut length = 1.0;
        for _ in 0..MAX_BACKTRACKS {
            self.place(w, length);
            if self.evaluate_trial(model, state).is_ok() {
                let value = self.objective(model, w, length);
                if value <= start + SUFFICIENT_DECREASE * length * slope + rounding {
                    self.accept(w, length);
                    return true;
                }
            }
            length *= 0.5;
        }
        self.place(w, 0.0);
        let _ = self.evaluate_trial(model, state); // succeeded before at this very point
        false
    }

    /// v ← prolongation of the accepted z plus `length` times the direction; x follows.
    fn place(&mut self, w: &mut Workspace, length: f64) {
        self.reduction.space().prolong(&w.z, &mut w.v);
        for ((v, &base), &d) in self.v.iter_mut().zip(&w.v).zip(&w.direction) {
            *v = base + d * length;
        }
        self.scheme.positions(&self.v, &mut self.x);
    }

    fn accept(&mut self, w: &mut Workspace, length: f64) {
        for (z, &d) in w.z.iter_mut().zip(&self.z) {
            *z += d * length;
        }
        for (c, &d) in w.damping.iter_mut().zip(&w.damping_direction) {
            *c += d * length;
        }
        self.reduction.space().prolong(&w.z, &mut w.v);
    }

    /// Moves the nodes of rigged bodies as skinning moves them from the pose of the last step to that of this one (METHODS 2.2):
    /// otherwise those beside the bones would leave all others behind.
    fn carry_along(&mut self, model: &Model, state: &State) {
        let (h, mut last) = (self.scheme.h, usize::MAX);
        let mut frames = None;
        for (&node, z) in self.reduction.space().kept().iter().zip(&mut self.z) {
            let node = node as usize;
            let Some(index) = model.body_index_of_node(node) else {
                continue;
            };
            let body = &model.bodies[index];
            if last != index {
                last = index;
                frames = (body.rig.as_ref())
                    .map(|rig| (rig, [0.0, h].map(|dt| rig.skinning_at(state.time + dt))));
            }
            let Some((rig, [old, new])) = &frames else {
                continue;
            };
            let weights = rig.weights.of(node - body.nodes.start);
            let rest = old.frame(weights).pull_back(state.positions[node]);
            *z = (new.frame(weights).push(rest) - self.scheme.base[node]) / h;
        }
    }

    fn evaluate_trial(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        let x = std::mem::take(&mut self.x);
        let result = self.evaluate(model, state, &x);
        self.x = x;
        result
    }

    fn expand_direction(&self, w: &mut Workspace) {
        w.direction.fill(Vec3::ZERO);
        for (&node, &d) in self.space().kept().iter().zip(&self.z) {
            w.direction[node as usize] = d;
        }
    }

    /// C v of the accepted velocity, or of the direction.
    fn damping_of(
        &mut self,
        model: &Model,
        state: &State,
        inertia: bool,
        of_direction: bool,
        w: &mut Workspace,
    ) {
        let field = if of_direction { &w.direction } else { &w.v };
        if inertia {
            self.damping_force(model, state, field);
        } else {
            self.damping.fill(Vec3::ZERO);
        }
        let target = if of_direction {
            &mut w.damping_direction
        } else {
            &mut w.damping
        };
        target.clone_from(&self.damping);
    }

    /// ∂Φ/∂v at the accepted velocity into `nodal`; returns its size relative to the forces involved.
    fn gradient(&mut self, model: &Model, w: &Workspace) -> f64 {
        let h = self.scheme.h;
        readout::external_forces(model, &self.loads, &self.x, &mut self.nodal);
        let mut scale = [0.0f64; 3];
        let mut rounding = 0.0;
        for (i, g) in self.nodal.iter_mut().enumerate() {
            let momentum = if self.scheme.inertia {
                (w.v[i] - self.scheme.velocity[i]) * model.mass[i]
            } else {
                Vec3::ZERO
            };
            let (elastic, external) = (self.forces.nodal[i] * h, *g * h);
            scale[0] += momentum.norm_squared();
            scale[1] += elastic.norm_squared();
            scale[2] += external.norm_squared();
            *g = momentum + w.damping[i] * h - elastic - external;
            let stiff = h * model.node_stiffness[i] * self.x[i].norm();
            let moving = model.mass[i] * w.v[i].norm();
            rounding += ROUNDING * ROUNDING * (stiff * stiff + moving * moving);
        }
        for coupling in &self.touch.couplings {
            let impulse = coupling.impulse_at(&w.v);
            for (node, weight) in coupling.ends() {
                self.nodal[node] -= impulse * weight;
            }
        }
        for (g, &impulse) in self.nodal.iter_mut().zip(&self.held_impulses) {
            *g -= impulse;
        }
        let largest = scale.iter().copied().fold(0.0, f64::max).sqrt();
        let space = self.reduction.space();
        space.restrict(&self.nodal, &mut self.system.rhs);
        let norm = self
            .system
            .rhs
            .iter()
            .map(|g| g.norm_squared())
            .sum::<f64>()
            .sqrt();
        // a body without forces has a residual of rounding only, however small the forces it is compared with
        if norm <= rounding.sqrt() {
            return 0.0;
        }
        if largest > 0.0 { norm / largest } else { 0.0 }
    }

    /// Φ at the trial velocity and positions, `length` along the direction.
    fn objective(&self, model: &Model, w: &Workspace, length: f64) -> f64 {
        let mut value =
            self.forces.energy + readout::external_potential(model, &self.loads, &self.x);
        if self.scheme.inertia {
            for i in 0..self.v.len() {
                let change = self.v[i] - self.scheme.velocity[i];
                let damping = w.damping[i]
                    + w.damping_direction
                        .get(i)
                        .map_or(Vec3::ZERO, |&d| d * length);
                value += 0.5 * model.mass[i] * change.norm_squared();
                value += 0.5 * self.scheme.h * self.v[i].dot(damping);
            }
        }
        for coupling in &self.touch.couplings {
            let u = coupling.combine(&self.v);
            value += 0.5 * u.dot(coupling.block * u) - coupling.impulse.dot(u);
        }
        for (&v, &impulse) in self.v.iter().zip(&self.held_impulses) {
            value -= impulse.dot(v);
        }
        value
    }
}
