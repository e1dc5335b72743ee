//! Corrects the biases of joints and solves again until their defects themselves obey the laws; see `rows.rs`.

use super::{Configuration, JointRows};
use crate::constraint::{ConstraintSet, ConstraintSettings, Resolver};
use crate::integrator::Scheme;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::rigid::{RigidState, RigidStep};
use crate::solver::InverseOperator;
use crate::state::State;
use pliant_linalg::{SolveError, Vec3};

/// Most corrections; each divides what is missed by about the inverse of the turn within a step.
const MAX_CORRECTIONS: usize = 8;
/// Missed distance that counts as none, as a share of the model's size.
const NEGLIGIBLE: f64 = 1e-12;

/// The parts of a step that take part.
pub(crate) struct Settling<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub scheme: &'a Scheme,
    pub space: &'a ReducedSpace,
    pub settings: &'a ConstraintSettings,
    pub inverse: &'a dyn InverseOperator,
    /// Size of the model, m.
    pub size: f64,
    pub set: &'a mut ConstraintSet,
    pub resolver: &'a mut Resolver,
    pub rigid: &'a mut RigidStep,
    /// Work space: rigid bodies, velocities and positions at the end of the step.
    pub rigid_end: &'a mut RigidState,
    pub v: &'a mut [Vec3],
    pub x: &'a mut [Vec3],
    /// Reduced velocities.
    pub z: &'a mut [Vec3],
}

impl Settling<'_> {
    /// Starts from impulses that have been solved for and have acted; returns the largest change of impulses that it made, as a
    /// share of the largest.
    pub fn settle(&mut self, rows: &mut JointRows) -> Result<f64, SolveError> {
        let (mut change, mut last) = (0.0f64, f64::INFINITY);
        for round in 0..=MAX_CORRECTIONS {
            let missed = self.measure(rows);
            if missed > last {
                // too far from the solution for this Jacobian: better the rows as they were
                rows.unshift(self.set);
                return Ok(change.max(self.solve()?));
            }
            let hopeless = missed > 0.5 * last || missed == f64::INFINITY;
            if missed <= NEGLIGIBLE * self.size || hopeless || round == MAX_CORRECTIONS {
                break;
            }
            rows.shift(self.set);
            change = change.max(self.solve()?);
            last = missed;
        }
        Ok(change)
    }

    fn measure(&mut self, rows: &mut JointRows) -> f64 {
        self.space.prolong(self.z, self.v);
        self.scheme.positions(self.v, self.x);
        if !self.model.rigid.bodies.is_empty() {
            (self.rigid).finish(&self.model.rigid, &self.state.rigid, self.rigid_end);
        }
        let at = Configuration {
            model: self.model,
            positions: self.x,
            poses: &self.rigid_end.poses,
            time: rows.end,
        };
        let impulses = &self.resolver.impulses;
        rows.measure(self.set, impulses, self.v, self.rigid, at, self.scheme.h)
    }

    fn solve(&mut self) -> Result<f64, SolveError> {
        self.space.prolong(self.z, self.v);
        let change =
            (self.resolver).solve(self.set, self.v, self.rigid, self.inverse, self.settings)?;
        (self.resolver).respond(self.space, self.rigid, self.inverse, self.z)?;
        Ok(change)
    }
}
