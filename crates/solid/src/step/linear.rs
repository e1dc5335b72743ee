//! The linear system of a step: first guess, matrix and right-hand side, solution.

use super::Stepper;
use crate::assembly::{RotationPack, TangentInput, TangentWeights, assemble_tangent};
use crate::integrator::Scheme;
use crate::model::Model;
use crate::report::{Stage, StepError};
use crate::settings::Guess;
use crate::state::State;
use crate::system::{Form, Freedom};
use pliant_linalg::{Mat3, Vec3};

impl Stepper {
    /// The first guess: a share of ṽ, turned with bodies that spin, and a share of what the impulses in `nodal` would add.
    pub(super) fn guess(&mut self, model: &Model, positions: &[Vec3]) {
        let (Guess { velocity, force }, turn) = self.solver.guess();
        if (velocity, force, turn) == (1.0, 0.0, false) {
            return; // z holds it already
        }
        self.v.copy_from_slice(&self.scheme.velocity);
        if turn {
            for (body, part) in model.bodies.iter().zip(&self.system.bodies) {
                if part.freedom != Freedom::Held {
                    let nodes = body.nodes.clone();
                    let mass = &model.mass[nodes.clone()];
                    turn_velocities(
                        mass,
                        &positions[nodes.clone()],
                        &mut self.v[nodes],
                        self.scheme.h,
                    );
                }
            }
        }
        for (i, guess) in self.v.iter_mut().enumerate() {
            let gained = self.nodal[i] / model.mass[i] - self.scheme.velocity[i];
            *guess = *guess * velocity + gained * force;
        }
        self.reduction.space().first_guess(&self.v, &mut self.z);
    }

    /// Lets the velocities contain the impulses of the step before, so that constraints and old factors have only their change to
    /// deal with.
    pub(super) fn foresee(&mut self) {
        if self.foresees && !self.touch.set.is_empty() {
            let (set, space) = (&self.touch.set, self.reduction.space());
            (self.resolver).foresee(set, space, &mut self.rigid, &mut self.system.foreseen);
            let pairs = self.system.rhs.iter_mut().zip(&self.system.foreseen);
            pairs.for_each(|(rhs, &impulse)| *rhs += impulse);
        }
    }

    /// Fills the system: the matrix at positions `x`, and the restriction of `nodal` (minus A b) as right-hand side.
    pub(crate) fn assemble(
        &mut self,
        model: &Model,
        x: &[Vec3],
        rotations: &[RotationPack],
        with_drift: bool,
    ) {
        let Scheme {
            h, beta, inertia, ..
        } = self.scheme;
        let space = self.reduction.space();
        let system = &mut self.system;
        let input = TangentInput {
            positions: x,
            activations: &self.activations,
            rotations,
        };
        let apart = system.form == Form::Stiffness;
        (system.beta, system.damping_weight) = (beta, if inertia { h } else { 0.0 });
        system.weights = TangentWeights {
            stiffness: beta * h * h,
            damping: if apart { 0.0 } else { system.damping_weight },
        };
        let drift = if with_drift { space.drift() } else { None };
        system.foreseen.clear();
        system.keep_drift(drift.filter(|_| apart));
        space.restrict(&self.nodal, &mut system.rhs);
        system.fill_nodes(
            model,
            space,
            x,
            &self.loads,
            &self.touch.couplings,
            &self.scheme,
        );
        let by_elements = system.form == Form::Elements;
        if !by_elements || self.solver.wants_matrix() {
            system.matrix.set_zero();
            let (matrix, rhs, row_of) = match (&mut system.unfolded, space.slaves()) {
                (Some((matrix, rhs)), Some(slaves)) => {
                    matrix.set_zero();
                    rhs.fill(Vec3::ZERO);
                    (matrix, rhs, slaves.row_of())
                }
                _ if apart => (&mut system.matrix, &mut system.pull, space.row_of()),
                _ => (&mut system.matrix, &mut system.rhs, space.row_of()),
            };
            let (scatter, drift) = (space.scatter(), drift.filter(|_| !by_elements));
            assemble_tangent(
                &model.elements,
                input,
                system.weights,
                scatter,
                row_of,
                drift,
                matrix,
                rhs,
            );
            system.complete_matrix(space);
        }
        let all = &model.elements.colours;
        if apart && model.elements.has_stiffness_damping {
            system.tangents.prepare(&model.elements, all, input);
        }
        if by_elements {
            system.tangents.prepare(&model.elements, all, input);
            system.fill_diagonal(space, &mut self.diagonal);
            if let Some(drift) = drift {
                let known = &mut self.damping;
                known.fill(Vec3::ZERO);
                (system.tangents).add_product(&model.elements, all, system.weights, drift, known);
                for (rhs, &node) in system.rhs.iter_mut().zip(space.kept()) {
                    *rhs -= known[node as usize];
                }
            }
        }
        if let Some(drift) = drift {
            system.subtract_coupled_drift(space, &self.touch.couplings, drift);
        }
        space.mask(&mut system.rhs);
        if !system.pull.is_empty() {
            space.mask(&mut system.pull);
        }
    }

    /// Solves the system for `z`, started from what `z` holds.
    pub(crate) fn factor_and_solve(
        &mut self,
        model: &Model,
        state: &State,
    ) -> Result<(), StepError> {
        let prepared = self.solver.prepare(&self.system);
        prepared.map_err(|source| self.solve_error(model, state, Stage::Factor, source))?;
        self.clock.lap(Stage::Factor);
        let solved = self.solver.solve(&self.system, &mut self.z);
        self.report.solve =
            solved.map_err(|source| self.solve_error(model, state, Stage::Solve, source))?;
        self.clock.lap(Stage::Solve);
        Ok(())
    }
}

/// Turns a velocity field with the mean rotation of its body for the time `h`: v ← v + h ω × (v − v̄). Of a rigid motion
/// that is the change of v itself, the centripetal acceleration.
fn turn_velocities(mass: &[f64], x: &[Vec3], v: &mut [Vec3], h: f64) {
    let total: f64 = mass.iter().sum();
    let mean = |field: &[Vec3]| {
        let weighted = field.iter().zip(mass);
        weighted.fold(Vec3::ZERO, |sum, (&f, &m)| sum + f * (m / total))
    };
    let (centre, velocity) = (mean(x), mean(v));
    let (mut moment, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
    for ((&m, &x), &v) in mass.iter().zip(x).zip(v.iter()) {
        let arm = x - centre;
        moment += arm.cross(v) * m;
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * m;
    }
    // a needle has no inertia about its own axis, and nothing to turn there
    let Some(inverse) = inertia.inverse().filter(Mat3::is_finite) else {
        return;
    };
    let turn = inverse * moment * h;
    for v in v {
        *v += turn.cross(*v - velocity);
    }
}
