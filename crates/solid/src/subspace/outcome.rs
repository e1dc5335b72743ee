//! What a step has led to: what the state remembers, what the report says, and nodal arrays on demand.

use super::choose::Chosen;
use super::gather::Moved;
use super::memory::Active;
use super::present::Present;
use super::settings::Activation;
use super::stepper::SubspaceStepper;
use crate::contact::ContactReadout;
use crate::model::Model;
use crate::readout;
use crate::reduction::ReducedSpace;
use crate::report::{
    Energies, Momentum, Stage, StepError, StepFailure, StepReport, SubspaceReport,
};
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::{FARTHEST, fail};
use crate::stepping::Stepping;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// Full nodes that one thread looks at in a row.
pub(super) const SOME: usize = 256;

impl SubspaceStepper {
    /// Refuses what is not finite or far out of the scene.
    pub(super) fn check(&self, model: &Model, state: &State) -> Result<(), StepError> {
        let problem = &self.problem;
        let nodes = problem
            .region
            .full
            .iter()
            .zip(&problem.full)
            .zip(&problem.at.x);
        let wrong = |node: usize, moved: f64| {
            let body = model.body_of_node(node);
            let name = body.map_or_else(String::new, |b| b.name.clone());
            let node = node - body.map_or(0, |b| b.nodes.start);
            let failure = match moved.is_finite() {
                true => StepFailure::Diverged {
                    body: name,
                    node,
                    distance: moved,
                },
                false => StepFailure::NonFinite { body: name, node },
            };
            Err(fail(state, Stage::Advance, failure))
        };
        for ((&node, own), &x) in nodes {
            let moved = (x - own.start).norm();
            if moved.is_nan() || moved > FARTHEST * self.size {
                return wrong(node as usize, moved);
            }
        }
        for (slot, &x) in problem.sampled.iter().zip(&problem.cubature.positions) {
            let node = self.domains.list[slot.domain as usize].node(slot.place) as usize;
            let moved = (x - model.rest[node]).norm();
            if moved.is_nan() || moved > FARTHEST * self.size {
                return wrong(node, moved);
            }
        }
        match problem.at.q.iter().position(|q| !q.is_finite()) {
            Some(_) => wrong(0, f64::NAN),
            None => Ok(()),
        }
    }

    /// Coordinates and regions at the end of the step.
    pub(super) fn remember(&mut self, model: &Model, state: &State, chosen: Chosen, h: f64) {
        let Chosen {
            active,
            fading,
            leaving,
            entering,
            start,
        } = chosen;
        let (problem, inertia) = (&self.problem, self.scheme.inertia);
        let active = match inertia {
            true => self.lively(model, &active, &start, h),
            false => active,
        };
        self.report.subspace = SubspaceReport {
            full_nodes: active.len(),
            fading_nodes: fading.len(),
            entered: entering,
            left: leaving.len(),
            exact_elements: problem.region.patch.count,
            cubature_elements: problem.cubature.count,
            evaluations: 0,
        };
        let memory = &mut self.memory;
        let ago = memory.last_step;
        for (rate, (q, before)) in memory
            .rates
            .iter_mut()
            .zip(problem.at.q.iter().zip(&problem.start))
        {
            *rate = if inertia { (q - before) / h } else { 0.0 };
        }
        memory.coordinates.clone_from(&problem.at.q);
        memory.last_step = h;
        memory.active = active;
        memory.fading = fading;
        memory.behind = true;
        memory.failing.clear();
        if let Some(sentinels) = &mut self.sentinels
            && self.settings.subspace.activation == Activation::Oracles
        {
            let forces = &self.loads.force;
            let activations = &problem.activations;
            let step = super::residual::Finished {
                model,
                domains: &self.domains,
                memory,
                full: &problem.at.x,
                poses: &self.poses,
                start: &problem.start,
                predicted: &problem.predicted,
                loads: forces,
                activations,
                inertia,
                h,
                ago,
                number: state.step,
            };
            memory.failing = sentinels.failing(&step);
            self.report.subspace.evaluations += sentinels.evaluations;
        }
        self.clock.lap(Stage::Adapt);
    }

    /// Full nodes with how fast they deform: what the pose does with them is not among it.
    fn lively(
        &self,
        model: &Model,
        active: &[Active],
        start: &[(Vec3, Vec3)],
        h: f64,
    ) -> Vec<Active> {
        let (domains, problem, poses) = (&self.domains, &self.problem, &self.poses);
        let ago = self.memory.last_step;
        let lively = |(index, active): (usize, &Active)| {
            let (own, x) = (&problem.full[index], problem.at.x[index]);
            let (from, velocity) = start[index];
            let frames = poses.each_ref();
            let [earlier, now, end] = frames.map(|pose| domains.frame(pose, active.node));
            let rate = end.unturn(x - own.carried) / h;
            let before = match ago > 0.0 {
                true => {
                    let carried = now.place(earlier.pull_back(from - velocity * ago));
                    now.unturn(from - carried) / ago
                }
                false => Vec3::ZERO,
            };
            let body = model.body_index_of_node(active.node as usize);
            let size = body.map_or(1.0, |b| domains.sizes[b]);
            Active {
                speed: rate.norm() / size,
                acceleration: (rate - before).norm() / (h * size),
                ..*active
            }
        };
        let active = active.par_iter().with_min_len(SOME).enumerate();
        active.map(lively).collect()
    }

    /// Numbers that need no pass over the mesh; energies of what the basis moves are those of the cubature.
    pub(super) fn fill_report(&mut self, model: &Model, state: &State, h: f64) {
        let problem = &self.problem;
        let (q, rates) = (&self.memory.coordinates, &self.memory.rates);
        let (inertia, end) = (self.scheme.inertia, &self.poses[2]);
        let (mass, moment) = problem.present.first_moment(&self.domains, end, q);
        let (_, before) =
            problem
                .present
                .first_moment(&self.domains, &self.poses[1], &problem.start);
        let mut energies = Energies {
            elastic: problem.elastic_energy(),
            gravitational: -model.gravity.dot(moment),
            ..Energies::default()
        };
        let mut momentum = Momentum {
            linear: if inertia {
                (moment - before) / h
            } else {
                Vec3::ZERO
            },
            centre: moment,
            ..Momentum::default()
        };
        let mut total = mass;
        let (mut work, mut damping_loss, mut contact_work) = (0.0, 0.0, 0.0);
        for (index, domain) in self.domains.list.iter().enumerate().filter(|_| inertia) {
            let own = domain.own(rates);
            energies.kinetic += 0.5 * Present::form(&problem.present.mass[index], own);
            damping_loss += h * Present::form(&problem.present.damping[index], own);
        }
        let mut most = 0.0f64;
        for (node, &x) in problem.full.iter().zip(&problem.at.x) {
            let moved = x - node.start;
            let v = if inertia { moved / h } else { Vec3::ZERO };
            energies.kinetic += 0.5 * node.mass * v.norm_squared();
            energies.gravitational -= node.mass * model.gravity.dot(x);
            momentum.linear += v * node.mass;
            momentum.angular += x.cross(v * node.mass);
            momentum.centre += x * node.mass;
            total += node.mass;
            damping_loss += h * node.mass_damping * v.norm_squared();
            work += (node.load - model.gravity * node.mass - x * node.spring).dot(moved);
            most = most.max((v - (node.predicted - node.start) / h).norm());
        }
        for (m, &f) in problem.applied.iter().enumerate() {
            work += f * (q[m] - problem.start[m]);
        }
        let pull = model.gravity.dot(moment - before); // is among what is applied
        work -= if self.poses[2].is_still() { pull } else { 0.0 };
        let patch = &problem.region.patch;
        let velocities: Vec<Vec3> = match problem.couplings.is_empty() {
            true => Vec::new(),
            false => (patch.positions.iter().zip(&patch.start))
                .map(|(&x, &s)| (x - s) / h)
                .collect(),
        };
        for coupling in &problem.couplings {
            contact_work += coupling
                .impulse_at(&velocities)
                .dot(coupling.combine(&velocities));
        }
        momentum.centre = momentum.centre / total;
        let ledger = &state.ledger;
        energies.external_work = ledger.external_work + work;
        energies.damping_loss = ledger.damping_loss + damping_loss;
        energies.contact_work = ledger.contact_work + contact_work;
        let initial = ledger.initial_energy.unwrap_or(energies.mechanical());
        let gained = energies.external_work + energies.contact_work - energies.damping_loss;
        energies.integrator_loss = initial + gained - energies.mechanical();
        let report = &mut self.report;
        report.energies = energies;
        report.momentum = momentum;
        report.reactions.clone_from(&self.loads.totals);
        for spring in &self.loads.springs {
            if let Ok(at) = problem.region.full.binary_search(&spring.node) {
                let (x, start) = (problem.at.x[at], problem.full[at].start);
                let v = if inertia { (x - start) / h } else { Vec3::ZERO };
                report.reactions[spring.drive] += (spring.target - x) * spring.stiffness
                    + (spring.target_velocity - v) * spring.damping;
            }
        }
        report.step_error = 0.5 * h * most / self.size;
        report.inverted_elements = 0;
        report.active_dofs = 3 * problem.full.len() + self.domains.rank;
        report.contacts = problem.couplings.len();
        report.max_penetration = self.max_penetration;
        report.subspace.evaluations += problem.cubature.evaluations + patch.evaluations;
    }

    /// The only place where the state changes. Nodes that the basis moves stay behind until somebody asks for them.
    pub(super) fn commit(&mut self, state: &mut State, h: f64) {
        let problem = &self.problem;
        for (index, &node) in problem.region.full.iter().enumerate() {
            let (x, own) = (problem.at.x[index], &problem.full[index]);
            state.positions[node as usize] = x;
            state.velocities[node as usize] = match self.scheme.inertia {
                true => (x - own.start) / h,
                false => Vec3::ZERO,
            };
        }
        std::mem::swap(&mut state.subspace, &mut self.memory);
        state.rotations.clear(); // they would no longer belong to the positions
        let initial = (state.ledger.initial_energy).unwrap_or(self.report.energies.mechanical());
        state.ledger = readout::ledger(&self.report, initial);
        state.time += h;
        state.step += 1;
        self.report.step = state.step;
        self.report.time = state.time;
    }

    /// Puts the nodes that the basis moves where the coordinates of the state say.
    pub fn fill(&self, model: &Model, state: &mut State) {
        let memory = std::mem::take(&mut state.subspace);
        let moving = self.settings.integrator != Integrator::QuasiStatic;
        let times = [state.time - memory.last_step, state.time];
        let [earlier, now] = times.map(|time| self.domains.pose(time));
        let moved = Moved {
            model,
            domains: &self.domains,
            memory: &memory,
            earlier: &earlier,
            now: &now,
            blend: self.settings.subspace.blend,
        };
        let mut active = memory.active.iter().map(|a| a.node).peekable();
        for node in 0..model.node_count() as u32 {
            if active.next_if_eq(&node).is_some() || self.domains.copies(node).is_empty() {
                continue;
            }
            let (x, v) = moved.node(node, moving);
            state.positions[node as usize] = x;
            state.velocities[node as usize] = v;
        }
        state.subspace = memory;
        state.subspace.behind = false;
    }
}

impl Stepping for SubspaceStepper {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<&StepReport, StepError> {
        SubspaceStepper::step(self, model, state, h)
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn report(&self) -> &StepReport {
        &self.report
    }

    fn report_mut(&mut self) -> &mut StepReport {
        &mut self.report
    }

    fn fill(&self, model: &Model, state: &mut State) {
        SubspaceStepper::fill(self, model, state);
    }

    fn contacts(&self, model: &Model, state: &State) -> ContactReadout {
        let found = &self.contacts[..];
        let impulse = |index: usize| {
            let coupling = &self.couplings[index];
            coupling.impulse_at(&state.velocities)
        };
        let (x, base) = (&state.positions, &self.scheme.base);
        ContactReadout::of(model, x, base, found, impulse, self.scheme.h)
    }

    fn element_states(&self, model: &Model, state: &State) -> Option<Vec<u8>> {
        let mut states = vec![0; model.element_count()];
        for active in &state.subspace.active {
            for &e in self.domains.elements_of.row(active.node as usize) {
                states[e as usize] = 1;
            }
        }
        Some(states)
    }

    fn space(&self) -> &ReducedSpace {
        &self.space
    }
}
