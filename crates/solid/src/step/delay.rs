//! What a factor older than the step leaves of its equations, and passes that take it away.

use super::Stepper;
use crate::model::Model;
use crate::report::{Stage, StepError};
use crate::state::State;
use crate::system::{System, SystemOperator};
use pliant_linalg::reduce::norm_squared;
use pliant_linalg::{LinearOperator, SMALLEST_PART, Vec3};
use std::ops::Range;

impl Stepper {
    /// How far z is from A z = r + Jᵀλ, which a factor of another matrix has not solved; and, as often as is asked for, z that
    /// solves it with the impulses as they are, and impulses that suit it.
    pub(super) fn correct_delay(&mut self, model: &Model, state: &State) -> Result<(), StepError> {
        self.report.delay_residual = 0.0;
        if self.resolver.active_count() == 0 || !self.solver.is_lagged() {
            return Ok(());
        }
        for corrected in 0.. {
            self.include_impulses();
            self.report.delay_residual = self.delay();
            if corrected == 0 {
                self.solver.note_delay(&self.delays);
            }
            let (most, tolerance) = self.corrections;
            if corrected == most || self.report.delay_residual <= tolerance {
                break;
            }
            let solved = self.solver.solve(&self.system, &mut self.z);
            let report =
                solved.map_err(|source| self.solve_error(model, state, Stage::Solve, source))?;
            self.report.linear_iterations += report.iterations;
            self.clock.lap(Stage::Solve);
            self.resolve_constraints(model, state, false)?;
        }
        self.clock.lap(Stage::Response);
        Ok(())
    }

    /// Puts the present impulses into the right-hand side, in place of those before.
    pub(super) fn include_impulses(&mut self) {
        let System { rhs, foreseen, .. } = &mut self.system;
        for (rhs, &before) in rhs.iter_mut().zip(foreseen.iter()) {
            *rhs -= before;
        }
        foreseen.clear();
        foreseen.resize(rhs.len(), Vec3::ZERO);
        self.resolver.add_reduced_impulses(foreseen);
        for (rhs, &now) in rhs.iter_mut().zip(foreseen.iter()) {
            *rhs += now;
        }
    }

    /// ‖A z − rhs‖ of a system given by elements, relative to the larger part of rhs, with and without impulses: that of the body
    /// where it is largest; all go to `delays`.
    pub(super) fn delay(&mut self) -> f64 {
        let operator = SystemOperator::new(&self.system);
        let (rhs, image) = (&self.system.rhs, &mut self.residual);
        image.resize(rhs.len(), Vec3::ZERO);
        operator.apply(&self.z, image);
        for (image, &rhs) in image.iter_mut().zip(rhs) {
            *image -= rhs;
        }
        // at rest the impulses and the rest of rhs cancel
        let pushed = &self.system.foreseen;
        let size = |rows: Range<usize>| {
            let pairs = rhs[rows.clone()].iter().zip(&pushed[rows.clone()]);
            let given: f64 = pairs.map(|(&all, &part)| (all - part).norm_squared()).sum();
            given.max(norm_squared(&pushed[rows]))
        };
        // of a body with less than that the solver leaves more than a share
        let least = size(0..rhs.len()) * SMALLEST_PART * SMALLEST_PART;
        self.delays.clear();
        let rows = self.system.bodies.iter().map(|body| body.rows.clone());
        for rows in rows.filter(|rows| !rows.is_empty()) {
            let missed = norm_squared(&image[rows.clone()]);
            self.delays.push(share(missed, size(rows).max(least)));
        }
        self.delays.iter().copied().fold(0.0, f64::max)
    }
}

/// √(part/whole) of squares, zero of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        (part / whole).sqrt()
    } else {
        0.0
    }
}
