//! Forces and tangents of a step: kept while positions, activations and the elements that count stay the same.

use super::{Stepper, fail};
use crate::assembly::{FollowedRotations, RotationPack, TangentInput, TangentWeights};
use crate::model::Model;
use crate::report::{Stage, StepError, StepFailure};
use crate::state::State;
use crate::system::Form;
use pliant_linalg::Vec3;

impl Stepper {
    /// Forces at `x`, kept from the step before where nothing has changed since.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        state: &State,
        x: &[Vec3],
    ) -> Result<(), StepError> {
        let chunks = self.reduction.space().chunks();
        let (positions, activations, visited) = &self.evaluated;
        if positions == x && *activations == self.activations && visited == chunks {
            return Ok(());
        }
        self.evaluated.0.clear();
        // where rotations are followed, `x` is the start of the step
        let rotations = FollowedRotations {
            known: self.known_rotations(state),
            ..FollowedRotations::default()
        };
        let (forces, activations) = (&mut self.forces, &self.activations);
        let evaluated = forces.evaluate_some(model, chunks, x, activations, false, rotations);
        evaluated
            .map_err(|fault| fail(state, Stage::Forces, StepFailure::element(model, fault)))?;
        self.remember_evaluation(x);
        Ok(())
    }

    /// Forces and stresses at the end of the step.
    pub(super) fn evaluate_with_stress(
        &mut self,
        model: &Model,
        state: &State,
    ) -> Result<(), StepError> {
        self.evaluated.0.clear();
        let rotations = match self.follow {
            Some(follow) => FollowedRotations {
                known: &state.rotations,
                found: &mut self.rotations,
                follow,
            },
            None => FollowedRotations::default(),
        };
        let (forces, activations) = (&mut self.forces, &self.activations);
        let chunks = self.reduction.space().chunks();
        let evaluated = forces.evaluate_some(model, chunks, &self.x, activations, true, rotations);
        evaluated
            .map_err(|fault| fail(state, Stage::Forces, StepFailure::element(model, fault)))?;
        let x = std::mem::take(&mut self.x);
        self.remember_evaluation(&x);
        self.x = x;
        self.clock.lap(Stage::Forces);
        Ok(())
    }

    /// Rotations at the start of the step, where they are followed; those of another method are of no use.
    pub(super) fn known_rotations<'a>(&self, state: &'a State) -> &'a [RotationPack] {
        match self.follow {
            Some(_) => &state.rotations,
            None => &[],
        }
    }

    pub(super) fn remember_evaluation(&mut self, x: &[Vec3]) {
        self.evaluated.0.extend_from_slice(x);
        self.evaluated.1.clone_from(&self.activations);
        let chunks = self.reduction.space().chunks();
        if self.evaluated.2 != chunks {
            self.evaluated.2 = chunks.to_vec();
        }
    }

    /// Tangents at the start of the step, in the chunks of the present space.
    pub(super) fn prepare_start_tangents(&mut self, model: &Model, state: &State) {
        let input = TangentInput {
            positions: &state.positions,
            activations: &self.activations,
            rotations: self.known_rotations(state),
        };
        let chunks = self.reduction.space().chunks();
        self.start_tangents
            .0
            .prepare(&model.elements, chunks, input);
        self.start_tangents.1 = true;
    }

    /// C v with C at the positions of the step's start: Rayleigh damping and spring dampers.
    pub(crate) fn damping_force(&mut self, model: &Model, state: &State, v: &[Vec3]) {
        for ((c, &v), &rate) in self.damping.iter_mut().zip(v).zip(&model.mass_damping) {
            *c = v * rate;
        }
        for spring in &self.loads.springs {
            let node = spring.node as usize;
            self.damping[node] += v[node] * spring.damping;
        }
        if !model.elements.has_stiffness_damping {
            return;
        }
        let kept = self.scheme.linear && self.system.form == Form::Elements;
        if !kept && !self.start_tangents.1 {
            self.prepare_start_tangents(model, state);
        }
        let tangents = match kept {
            true => &self.system.tangents,
            false => &self.start_tangents.0,
        };
        let weights = TangentWeights {
            stiffness: 0.0,
            damping: 1.0,
        };
        let chunks = self.reduction.space().chunks();
        tangents.add_product(&model.elements, chunks, weights, v, &mut self.damping);
    }
}
