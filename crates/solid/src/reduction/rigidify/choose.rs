//! What the coming step would strain, what has been quiet for long enough to become rigid, and who sleeps through it.

use super::super::StepContext;
use super::super::clump::NO_CLUMP;
use super::Rigidify;
use super::group::clump_of_element;
use super::oracle::Grounds;
use super::rest::motion;
use super::sleep;
use crate::contact::PenaltyFriction;
use crate::element::Chunk;
use crate::material::MaterialModel;
use crate::model::{Body, Model};
use crate::settings::StrainRates;
use pliant_linalg::{SolveError, Vec3};
use std::sync::Arc;

/// Share of the threshold above which elements become elastic along with those above it.
const MARGIN: f64 = 0.1;

/// Share of the elastic elements that must be quiet for them to become rigid at once; fewer wait for so many windows.
const MANY: f64 = 0.1;
const PATIENCE: u32 = 4;

impl Rigidify {
    /// Elements that the coming step would strain too much, and all of clumps that lose or gain a pin.
    pub(super) fn find_elastic(&mut self, context: &StepContext<'_>) -> Result<(), SolveError> {
        let StepContext { model, .. } = *context;
        self.elastic.clear();
        self.predicted.clear();
        if self.clumps.is_empty() {
            return Ok(());
        }
        for &node in &self.filtered {
            if self.now.clump_of[node as usize] != NO_CLUMP {
                (self.elastic).extend_from_slice(self.topology.elements_of(node));
            }
        }
        if self.wanted != self.prescribed {
            for (node, (wanted, was)) in self.wanted.iter().zip(&self.prescribed).enumerate() {
                if wanted != was {
                    (self.elastic).extend_from_slice(self.topology.elements_of(node as u32));
                }
            }
        }
        let (awake, spins) = self.awake(context);
        if !awake.contains(&true) {
            return Ok(());
        }
        let parts = self.parts.of_bodies(model, &awake);
        let grounds = Grounds {
            clumps: &self.clumps,
            motions: &self.now.motions,
            clump_of: &self.now.clump_of,
            shape: &self.now.shape,
            parts: &parts,
            tangents: context.tangents,
            bodies: &awake,
            prescribed: &self.prescribed,
        };
        let urge = Arc::make_mut(&mut self.now.urge);
        let (iterations, memories) = (self.settings.iterations, self.limits.memories());
        let rates = (self.oracle).predict(context, &grounds, urge, iterations, memories)?;
        let tested = Arc::make_mut(&mut self.now.tested);
        self.predicted.resize(model.element_count(), f64::NAN);
        for (index, body) in model.bodies.iter().enumerate().filter(|(b, _)| awake[*b]) {
            let own = body.elements.clone();
            let limit = self.limits.rates()[index].elastic_above;
            self.predicted[own.clone()].copy_from_slice(&rates[own]);
            let rate = |element: usize| {
                let nodes = &model.element_nodes[element];
                match rates[element] > MARGIN * limit
                    && clump_of_element(&self.now.clump_of, nodes) == NO_CLUMP
                {
                    true => 0.0, // elastic already
                    false => rates[element],
                }
            };
            let largest = body.elements.clone().map(rate).fold(0.0, f64::max);
            tested[index] = self.standing.tested(index, largest, spins[index]);
            if largest > limit {
                // and those that would follow soon: every change costs a new space
                let close = body.elements.clone().filter(|&e| rate(e) > MARGIN * limit);
                self.elastic.extend(close.map(|element| element as u32));
            }
        }
        if self.elastic.is_empty() && memories.iter().any(|&steps| steps > 1) {
            // what may still add up counts as if it had
            let rates = self.oracle.rates_of_step(context, &grounds);
            for (index, body) in model.bodies.iter().enumerate().filter(|(b, _)| awake[*b]) {
                let most = f64::from(memories[index]).powi(2);
                let of_step = rates[body.elements.clone()].iter().copied();
                let largest = of_step.fold(0.0, f64::max) * most;
                tested[index].largest = tested[index].largest.max(largest);
            }
        }
        self.elastic.sort_unstable();
        self.elastic.dedup();
        Ok(())
    }

    /// Bodies with clumps that neither rest nor fly as they did when they were last looked at; and the spins of all.
    fn awake(&mut self, context: &StepContext<'_>) -> (Vec<bool>, Vec<Vec3>) {
        let model = context.model;
        let (clumps, motions) = (&self.clumps, &self.now.motions);
        let bodies = model.bodies.iter().enumerate();
        let found = bodies.map(|(index, body)| {
            let StrainRates {
                rigid_below,
                elastic_above,
            } = self.limits.rates()[index];
            let moves = motion(model, index, body, clumps, motions, rigid_below.sqrt());
            let repeats = moves.as_ref().is_some_and(|moves| {
                let tested = &self.now.tested[index];
                (self.standing).repeats(index, moves, tested, elastic_above)
            });
            let spin = moves.and_then(|moves| moves.spin);
            let awake = self.bodies[index] && !self.asleep[index] && !repeats;
            (awake, spin.unwrap_or_default())
        });
        found.unzip()
    }

    /// Bodies that sleep through the coming step: candidates until [`Self::settle`] has made them rigid throughout.
    pub(super) fn find_asleep(&mut self, context: &StepContext<'_>) {
        let model = context.model;
        self.standing.find(context);
        let steady = self.settings.sleep
            && self.wanted == self.prescribed
            && self.activations == context.activations;
        let may = |(index, body): (usize, &Body)| {
            let tested = &self.now.tested[index];
            let has_clumps = self.bodies[index] && body.may_rigidify;
            steady && has_clumps && self.standing.has_same_loads(tested)
        };
        let may: Vec<bool> = model.bodies.iter().enumerate().map(may).collect();
        self.asleep = sleep::asleep(context, &self.now.calm, &may);
        for (index, body) in model.bodies.iter().enumerate() {
            if self.asleep[index] && !self.is_whole(model, body) {
                let elastic = |&element: &u32| {
                    let nodes = &model.element_nodes[element as usize];
                    clump_of_element(&self.now.clump_of, nodes) == NO_CLUMP
                };
                let elements = body.elements.start as u32..body.elements.end as u32;
                self.candidates.extend(elements.filter(elastic));
            }
        }
    }

    /// Whether all that is there of a body is rigid.
    fn is_whole(&self, model: &Model, body: &Body) -> bool {
        let rigid = self.now.clump_of[body.nodes.clone()].iter();
        rigid.filter(|&&clump| clump != NO_CLUMP).count() == model.present_node_count(body)
    }

    /// Nobody sleeps where one could not be made rigid throughout.
    pub(super) fn settle(&mut self, model: &Model) {
        let mut bodies = model.bodies.iter().zip(&self.asleep);
        if bodies.any(|(body, &asleep)| asleep && !self.is_whole(model, body)) {
            self.asleep.fill(false);
        }
    }

    /// Nodes whose friction is a filter of their velocities (`contact/filter.rs`), which clumps do not have.
    pub(super) fn note_filtered(&mut self, context: &StepContext<'_>) {
        self.filtered.clear();
        if context.model.contact.penalty_friction == PenaltyFriction::Filter {
            let ends = context.couplings.iter().flat_map(|c| c.ends());
            self.filtered.extend(ends.map(|(node, _)| node as u32));
            self.filtered.sort_unstable();
            self.filtered.dedup();
        }
    }

    /// Elements that have been quiet for long enough and are in no clump, every so many steps.
    pub(super) fn find_candidates(&mut self, model: &Model, step: u64) {
        self.candidates.clear();
        let window = self.settings.window.max(1);
        if !step.is_multiple_of(u64::from(window)) {
            return; // a new space costs more than a few steps with the one that is there
        }
        // linear elasticity would change its forces as it turns
        let may = |chunk: &Chunk| {
            model.bodies[chunk.body as usize].may_rigidify && chunk.model != MaterialModel::Linear
        };
        let (mut elastic, mut longest) = (0, 0);
        for &chunk in self.parts.active.iter().flatten() {
            let chunk = &model.elements.chunks[chunk as usize];
            if !may(chunk) {
                continue;
            }
            model.elements.for_each_number(chunk, |element| {
                let nodes = &model.element_nodes[element as usize];
                if clump_of_element(&self.now.clump_of, nodes) != NO_CLUMP {
                    return;
                }
                elastic += 1;
                let quiet = u32::from(self.now.quiet[element as usize]);
                let is_filtered = |node: &u32| self.filtered.binary_search(node).is_ok();
                if quiet >= window && !nodes.iter().any(is_filtered) {
                    longest = longest.max(quiet);
                    self.candidates.push(element);
                }
            });
        }
        let many = self.candidates.len() as f64 >= MANY * f64::from(elastic);
        if !many && longest < (PATIENCE * window).min(255) {
            self.candidates.clear(); // let more come together
        }
    }

    /// Displacements over a step like the one before: along straight lines, and of clumps as they have moved.
    pub(super) fn note_past(&mut self, context: &StepContext<'_>) {
        let nothing_elastic = self.parts.active.iter().all(Vec::is_empty);
        let nobody_looks = self.limits.horizons().iter().all(|&steps| steps == 0);
        if nobody_looks || nothing_elastic && self.elastic.is_empty() {
            return; // nobody looks
        }
        let h = context.scheme.h;
        self.earlier.clear();
        (self.earlier).extend(context.scheme.velocity.iter().map(|&v| v * h));
        let moving = self.clumps.iter().zip(&self.now.motions);
        for (clump, now) in moving {
            if clump.pinned || self.asleep[clump.body as usize] {
                continue;
            }
            // the motion is symmetric in time: where it would go backwards it came from
            let before = clump.advance(now, now.velocity, now.spin, -h);
            for &node in &clump.nodes {
                let shape = self.now.shape[node as usize];
                let moved = now.rotation * shape - before.rotation * shape;
                self.earlier[node as usize] = now.origin - before.origin + moved;
            }
        }
    }
}
