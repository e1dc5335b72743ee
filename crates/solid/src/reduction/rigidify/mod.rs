//! Method `rigidify`: elements that are hardly strained for a while move as parts of rigid bodies [MWLK22].
//!
//! Before a step the oracle predicts which elements of clumps would be strained: those become elastic. After it, elements whose
//! strain rate stays below a threshold are counted; those that have been quiet for a window of steps join clumps. A step then
//! solves for the elastic nodes and six numbers a clump, and evaluates chunks with an elastic element only: all other chunks are
//! *frozen*, they were evaluated once in the frames of their clumps. Bodies that have come to rest sleep (`sleep.rs`).

mod group;
mod laplacian;
mod oracle;
mod rest;
mod sleep;
#[cfg(test)]
mod tests;

use super::clump::{Clump, ClumpMotion, NO_CLUMP, Rigidity, Tested};
use super::full::{mark_prescribed, set_drift};
use super::graph::NodeGraph;
use super::space::Choice;
use super::{ReducedSpace, Reduction, StepContext, StepOutcome};
use crate::assembly::{Before, Forces, TangentWeights, strain_rates};
use crate::contact::PenaltyFriction;
use crate::element::Chunk;
use crate::material::MaterialModel;
use crate::model::{Body, Model};
use crate::settings::RigidifySettings;
use crate::state::State;
use group::{Groups, Hold, Topology, Wish, clump_of_element, regroup};
use oracle::{Grounds, Oracle};
use pliant_linalg::{Mat3, SolveError, Vec3, elimination_order};
use rest::{Standing, motion};
use std::sync::Arc;

/// Share of a body's nodes that may stay elastic for clumps to pay, when there are none and when there are.
const WORTH_BEGINNING: f64 = 0.6;
const WORTH_KEEPING: f64 = 0.8;

/// Share of the threshold above which elements become elastic along with those above it.
const MARGIN: f64 = 0.1;

/// Share of the elastic elements that must be quiet for them to become rigid at once; fewer wait for so many windows.
const MANY: f64 = 0.1;
const PATIENCE: u32 = 4;

/// Chunks by what is done with them, each by colour.
#[derive(Default)]
struct Parts {
    /// With an elastic element.
    active: Vec<Vec<u32>>,
    /// Those of them in bodies with clumps.
    watched: Vec<Vec<u32>>,
    /// All others.
    frozen: Vec<Vec<u32>>,
}

impl Parts {
    /// Those chunks of clumps' bodies that belong to some of them.
    fn of_bodies(&self, model: &Model, wanted: &[bool]) -> Parts {
        let chunks = &model.elements.chunks;
        let of = |colours: &[Vec<u32>]| -> Vec<Vec<u32>> {
            let own = |chunk: &&u32| wanted[chunks[**chunk as usize].body as usize];
            let colours = colours.iter();
            colours
                .map(|colour| colour.iter().filter(own).copied().collect())
                .collect()
        };
        Parts {
            active: Vec::new(),
            watched: of(&self.watched),
            frozen: of(&self.frozen),
        }
    }
}

/// See the file header.
pub struct Rigidify {
    settings: RigidifySettings,
    topology: Topology,
    /// For the elements and the present cliques.
    graph: NodeGraph,
    /// Place of each node in an elimination order of all.
    ranks: Vec<u32>,
    space: ReducedSpace,
    /// Coordinates that are prescribed in the space, and in the coming step.
    prescribed: Vec<[bool; 3]>,
    wanted: Vec<[bool; 3]>,
    /// What nodes allow, for `prescribed`.
    holds: Vec<Hold>,
    cliques: Vec<[u32; 4]>,
    /// What is rigid in the step under way, and the clumps that follow from it.
    now: Rigidity,
    clumps: Vec<Clump>,
    /// Clumps that move, in the order of the space.
    moving: Vec<usize>,
    parts: Parts,
    bodies: Vec<bool>,
    /// Bodies that sleep in the step under way.
    asleep: Vec<bool>,
    /// Lengths of the bodies' diagonals at rest, m.
    sizes: Vec<f64>,
    /// Activations and shapes that the frozen chunks were evaluated with; none for those that are not.
    activations: Vec<f64>,
    frozen_shape: Vec<Vec<Vec3>>,
    oracle: Oracle,
    standing: Standing,
    rates: Vec<f64>,
    /// Strain rates that the oracle has predicted for this step, empty without a prediction.
    predicted: Vec<f64>,
    /// Displacements over a step, and over the one before.
    displacements: Vec<Vec3>,
    earlier: Vec<Vec3>,
    filtered: Vec<u32>,
    candidates: Vec<u32>,
    elastic: Vec<u32>,
}

impl Rigidify {
    /// For a model at time zero, with nothing rigid.
    pub fn new(model: &Model, settings: RigidifySettings) -> Result<Rigidify, SolveError> {
        let mut prescribed = Vec::new();
        mark_prescribed(model, 0.0, &mut prescribed);
        let graph = NodeGraph::new(model, &[])?;
        let space = whole_space(model, &graph, &prescribed, None)?;
        let ranks = node_ranks(model, &space)?;
        // in the order that later spaces have, so that they may go back to its factor
        let space = whole_space(model, &graph, &prescribed, Some(&ranks))?;
        let mut result = Rigidify {
            settings,
            topology: Topology::new(model),
            graph,
            ranks,
            space,
            wanted: prescribed.clone(),
            prescribed,
            holds: Vec::new(),
            cliques: Vec::new(),
            now: Rigidity::default(),
            clumps: Vec::new(),
            moving: Vec::new(),
            parts: Parts::default(),
            bodies: vec![false; model.bodies.len()],
            asleep: vec![false; model.bodies.len()],
            sizes: sleep::sizes(model),
            activations: Vec::new(),
            frozen_shape: Vec::new(),
            oracle: Oracle::default(),
            standing: Standing::default(),
            rates: vec![0.0; model.element_count()],
            predicted: Vec::new(),
            displacements: Vec::new(),
            earlier: Vec::new(),
            filtered: Vec::new(),
            candidates: Vec::new(),
            elastic: Vec::new(),
        };
        result.now = nothing_rigid(model);
        result.sort_chunks(model);
        result.note_holds(model, 0.0);
        Ok(result)
    }

    /// What nodes allow: those that are prescribed and do not move are pinned, others that are prescribed stay out of clumps.
    fn note_holds(&mut self, model: &Model, time: f64) {
        self.holds.clear();
        let planar = |node: usize| model.body_of_node(node).is_some_and(|body| body.planar);
        self.holds
            .extend(self.prescribed.iter().enumerate().map(|(node, axes)| {
                let known = [axes[0], axes[1], axes[2] && !planar(node)];
                match known.contains(&true) {
                    true => Hold::Loose,
                    false => Hold::Free,
                }
            }));
        let drives = model.drives.iter().filter(|d| d.action.prescribes_at(time));
        for drive in drives {
            if let Some((nodes, axes)) = drive.action.prescribed()
                && drive.action.holds_still()
            {
                for &node in nodes {
                    if axes[0] && axes[1] && (axes[2] || planar(node as usize)) {
                        self.holds[node as usize] = Hold::Pinned;
                    }
                }
            }
        }
    }

    /// Elements that the coming step would strain too much, and all of clumps that lose or gain a pin.
    fn find_elastic(&mut self, context: &StepContext<'_>) -> Result<(), SolveError> {
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
        let rates = (self.oracle).predict(context, &grounds, urge, &self.settings)?;
        let limit = self.settings.elastic_above;
        let tested = Arc::make_mut(&mut self.now.tested);
        self.predicted.resize(model.element_count(), f64::NAN);
        for (index, body) in model.bodies.iter().enumerate().filter(|(b, _)| awake[*b]) {
            let own = body.elements.clone();
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
        if self.elastic.is_empty() && self.settings.memory > 1 {
            // what may still add up counts as if it had
            let rates = self.oracle.rates_of_step(context, &grounds);
            let most = f64::from(self.settings.memory.pow(2));
            for (index, body) in model.bodies.iter().enumerate().filter(|(b, _)| awake[*b]) {
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
        let RigidifySettings {
            rigid_below,
            elastic_above,
            ..
        } = self.settings;
        let (clumps, motions) = (&self.clumps, &self.now.motions);
        let bodies = model.bodies.iter().enumerate();
        let found = bodies.map(|(index, body)| {
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
    fn find_asleep(&mut self, context: &StepContext<'_>) {
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
    fn settle(&mut self, model: &Model) {
        let mut bodies = model.bodies.iter().zip(&self.asleep);
        if bodies.any(|(body, &asleep)| asleep && !self.is_whole(model, body)) {
            self.asleep.fill(false);
        }
    }

    /// Nodes whose friction is a filter of their velocities (`contact/filter.rs`), which clumps do not have.
    fn note_filtered(&mut self, context: &StepContext<'_>) {
        self.filtered.clear();
        if context.model.contact.penalty_friction == PenaltyFriction::Filter {
            let ends = context.couplings.iter().flat_map(|c| c.ends());
            self.filtered.extend(ends.map(|(node, _)| node as u32));
            self.filtered.sort_unstable();
            self.filtered.dedup();
        }
    }

    /// Elements that have been quiet for long enough and are in no clump, every so many steps.
    fn find_candidates(&mut self, model: &Model, step: u64) {
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
    fn note_past(&mut self, context: &StepContext<'_>) {
        let nothing_elastic = self.parts.active.iter().all(Vec::is_empty);
        if self.settings.foresight == 0 || nothing_elastic && self.elastic.is_empty() {
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

    /// New clumps where elements change sides; whether there are any changes.
    fn change_clumps(&mut self, context: &StepContext<'_>) -> bool {
        let model = context.model;
        for &element in &self.elastic {
            self.now.quiet[element as usize] = 0;
        }
        if self.elastic.is_empty() && self.candidates.is_empty() {
            return false;
        }
        let wish = Wish {
            model,
            topology: &self.topology,
            clump_of: &self.now.clump_of,
            pinned: &self.now.pinned,
            holds: &self.holds,
            elastic: &self.elastic,
            candidates: &self.candidates,
        };
        let Some(mut groups) = regroup(&wish) else {
            return false;
        };
        self.drop_what_does_not_pay(model, &mut groups);
        if groups.clump_of == *self.now.clump_of {
            return false;
        }
        self.form(
            model,
            groups,
            &context.scheme.base,
            &context.scheme.velocity,
        );
        true
    }

    /// Leaves bodies elastic of which clumps would hold too little: a space of its own for every change costs more than it saves.
    fn drop_what_does_not_pay(&self, model: &Model, groups: &mut Groups) {
        for (body, &had) in model.bodies.iter().zip(&self.bodies) {
            let nodes = body.nodes.clone();
            let rigid = groups.clump_of[nodes.clone()]
                .iter()
                .filter(|&&c| c != NO_CLUMP);
            let elastic = (nodes.len() - rigid.count()) as f64;
            let most = if had { WORTH_KEEPING } else { WORTH_BEGINNING };
            if elastic > most * nodes.len() as f64 {
                groups.clump_of[nodes].fill(NO_CLUMP);
            }
        }
        // clumps that are gone leave their numbers
        let mut numbers = vec![NO_CLUMP; groups.pinned.len()];
        let mut pinned = Vec::new();
        for clump in groups.clump_of.iter_mut().filter(|c| **c != NO_CLUMP) {
            let old = *clump as usize;
            if numbers[old] == NO_CLUMP {
                numbers[old] = pinned.len() as u32;
                pinned.push(groups.pinned[old]);
            }
            *clump = numbers[old];
        }
        groups.pinned = pinned;
    }

    /// Takes over new clumps: the shape and frame of the old clump that has most of their nodes, the momenta of their nodes; those
    /// that have the same nodes as before stay as they are.
    fn form(&mut self, model: &Model, groups: Groups, x: &[Vec3], v: &[Vec3]) {
        let Groups { clump_of, pinned } = groups;
        let old = std::mem::take(&mut self.now);
        let mut votes: Vec<Vec<(u32, usize)>> = vec![Vec::new(); pinned.len()];
        let mut sizes = vec![0; pinned.len()];
        for (node, &clump) in clump_of.iter().enumerate().filter(|(_, c)| **c != NO_CLUMP) {
            sizes[clump as usize] += 1;
            let before = old.clump_of[node];
            let votes = &mut votes[clump as usize];
            match votes.iter_mut().find(|(from, _)| *from == before) {
                Some((_, count)) => *count += 1,
                None => votes.push((before, 1)),
            }
        }
        let mut shape = vec![Vec3::ZERO; clump_of.len()];
        let mut frames: Vec<Option<(Vec3, Mat3)>> = vec![None; pinned.len()];
        let source = |clump: usize| {
            let from = votes[clump].iter().filter(|(from, _)| *from != NO_CLUMP);
            from.max_by_key(|(from, count)| (*count, std::cmp::Reverse(*from)))
        };
        for (node, &clump) in clump_of.iter().enumerate().filter(|(_, c)| **c != NO_CLUMP) {
            let clump = clump as usize;
            let from = source(clump).map(|(from, _)| *from);
            let (origin, rotation) = *frames[clump].get_or_insert_with(|| match from {
                Some(from) => {
                    let motion = &old.motions[from as usize];
                    (motion.origin, motion.rotation)
                }
                None => (x[node], Mat3::IDENTITY),
            });
            shape[node] = match from {
                Some(from) if old.clump_of[node] == from => old.shape[node],
                _ => rotation.transpose() * (x[node] - origin),
            };
        }
        self.now = Rigidity {
            clump_of: Arc::new(clump_of),
            shape: Arc::new(shape),
            pinned,
            motions: Vec::new(),
            quiet: old.quiet,
            tested: Arc::new(vec![Tested::default(); model.bodies.len()]),
            urge: old.urge,
            calm: old.calm,
            anchors: old.anchors,
        };
        self.forget_urges(&old.clump_of);
        let still = ClumpMotion {
            origin: Vec3::ZERO,
            rotation: Mat3::IDENTITY,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        };
        self.now.motions = vec![still; frames.len()];
        self.clumps = self.now.clumps(model);
        for (index, frame) in frames.iter().enumerate() {
            let Some((origin, rotation)) = *frame else {
                continue; // every clump has a node
            };
            let kept = match source(index) {
                Some(&(from, count)) if count == sizes[index] => {
                    let same = self.clumps[index].pinned == old.pinned[from as usize];
                    let whole = old.clump_of.iter().filter(|&&c| c == from).count() == count;
                    (same && whole).then(|| old.motions[from as usize])
                }
                _ => None,
            };
            let shape = &self.now.shape;
            self.now.motions[index] = kept
                .unwrap_or_else(|| self.clumps[index].motion(model, origin, rotation, shape, v));
        }
    }

    /// Forgets what has added up at nodes that have come to another clump, or left theirs.
    fn forget_urges(&mut self, before: &[u32]) {
        let urge = Arc::make_mut(&mut self.now.urge);
        let pairs = self.now.clump_of.iter().zip(before);
        for (urge, (now, before)) in urge.iter_mut().zip(pairs) {
            if *now == NO_CLUMP || *before == NO_CLUMP {
                *urge = Vec3::ZERO;
            }
        }
    }

    /// Sorts chunks by whether they have an elastic element.
    fn sort_chunks(&mut self, model: &Model) {
        let elements = &model.elements;
        self.bodies.fill(false);
        for clump in &self.clumps {
            self.bodies[clump.body as usize] = true;
        }
        let is_active = |index: u32| {
            let chunk = &elements.chunks[index as usize];
            !self.bodies[chunk.body as usize] || {
                let mut elastic = false;
                elements.for_each_clique([index], |nodes| {
                    elastic |= clump_of_element(&self.now.clump_of, nodes) == NO_CLUMP;
                });
                elastic
            }
        };
        let mut parts = Parts::default();
        for colour in &elements.colours {
            let (active, frozen): (Vec<u32>, Vec<u32>) =
                colour.iter().partition(|&&c| is_active(c));
            let watched = active.iter().copied();
            let watched =
                watched.filter(|&c| self.bodies[elements.chunks[c as usize].body as usize]);
            parts.watched.push(watched.collect());
            parts.active.push(active);
            parts.frozen.push(frozen);
        }
        self.parts = parts;
    }

    /// Evaluates frozen chunks in the frames of their clumps: those that were not frozen before or have another shape now, or all with
    /// fibres where activations have changed.
    fn freeze(&mut self, model: &Model, forces: &mut Forces, activations: &[f64]) {
        let elements = &model.elements;
        let moved = self.activations != activations;
        let (known, shape) = (&mut self.frozen_shape, &self.now.shape);
        known.resize(elements.chunks.len(), Vec::new());
        for &index in self.parts.active.iter().flatten() {
            known[index as usize].clear(); // its energy is that of the present now
        }
        let mut stale = vec![Vec::new(); self.parts.frozen.len()];
        for (stale, colour) in stale.iter_mut().zip(&self.parts.frozen) {
            for &index in colour {
                let (chunk, known) = (&elements.chunks[index as usize], &mut known[index as usize]);
                let own = || chunk.nodes.iter().map(|&node| shape[node as usize]);
                if moved && chunk.has_fibres || !own().eq(known.iter().copied()) {
                    known.clear();
                    known.extend(own());
                    stale.push(index);
                }
            }
        }
        if moved {
            self.activations.clear();
            self.activations.extend_from_slice(activations);
        }
        forces.freeze(model, &stale, &self.parts.frozen, shape, activations);
        self.oracle.freeze(model, &stale, shape, activations);
    }

    /// The elimination order of a space without clumps, for the coordinates that are prescribed now.
    fn note_order(&mut self, model: &Model) -> Result<(), SolveError> {
        let graph = match self.cliques.is_empty() {
            true => &self.graph,
            false => &NodeGraph::new(model, &[])?,
        };
        let space = whole_space(model, graph, &self.prescribed, None)?;
        self.ranks = node_ranks(model, &space)?;
        Ok(())
    }

    /// Makes the stand-ins of all bodies that may become rigid, so that no later step has to.
    fn prepare_oracle(&mut self, context: &StepContext<'_>) -> Result<(), SolveError> {
        if self.settings.rigid_below <= 0.0 {
            return Ok(());
        }
        let (model, scheme) = (context.model, context.scheme);
        let weights = TangentWeights {
            stiffness: scheme.beta * scheme.h * scheme.h,
            damping: scheme.h,
        };
        let may = |body: &Body| body.rigid.is_none() && body.may_rigidify;
        let bodies: Vec<bool> = model.bodies.iter().map(may).collect();
        (self.oracle).prepare(model, weights, &bodies, &self.prescribed)
    }

    /// Whether a clump does not move in the step under way.
    fn stands(&self, clump: &Clump) -> bool {
        clump.pinned || self.asleep[clump.body as usize]
    }

    fn make_space(&mut self, model: &Model) -> Result<(), SolveError> {
        let clumps = self.clumps.iter().enumerate();
        self.moving = clumps
            .filter(|(_, c)| !c.pinned && !self.asleep[c.body as usize])
            .map(|(index, _)| index)
            .collect();
        let mut prescribed = self.prescribed.clone();
        for clump in self.clumps.iter().filter(|clump| self.stands(clump)) {
            for &node in &clump.nodes {
                prescribed[node as usize] = [true; 3];
            }
        }
        // an order that was found for the pattern of elements alone
        let ordered = !self.clumps.is_empty() || self.cliques.is_empty();
        let choice = Choice {
            prescribed: &prescribed,
            clumps: self
                .moving
                .iter()
                .map(|&index| self.clumps[index].clone())
                .collect(),
            chunks: &self.parts.active,
            ranks: ordered.then_some(&self.ranks[..]),
        };
        self.space = ReducedSpace::new(model, &self.graph, choice, self.space.revision() + 1)?;
        Ok(())
    }
}

impl Reduction for Rigidify {
    fn begin(
        &mut self,
        model: &Model,
        state: &State,
        forces: &mut Forces,
        activations: &[f64],
    ) -> Result<(), SolveError> {
        let known = &state.rigidity;
        let same = Arc::ptr_eq(&known.clump_of, &self.now.clump_of)
            && Arc::ptr_eq(&known.shape, &self.now.shape)
            && known.motions == self.now.motions
            && known.quiet == self.now.quiet
            && Arc::ptr_eq(&known.tested, &self.now.tested)
            && Arc::ptr_eq(&known.urge, &self.now.urge)
            && known.calm == self.now.calm
            && Arc::ptr_eq(&known.anchors, &self.now.anchors);
        if same {
            return Ok(());
        }
        self.now = match known.clump_of.len() == model.node_count() {
            true => known.clone(),
            false => nothing_rigid(model), // another method's
        };
        self.clumps = self.now.clumps(model);
        self.asleep.fill(false);
        self.sort_chunks(model);
        mark_prescribed(model, state.time, &mut self.wanted);
        if self.wanted != self.prescribed {
            self.prescribed.clone_from(&self.wanted);
            self.note_order(model)?;
            self.oracle.forget();
        }
        self.note_holds(model, state.time);
        self.freeze(model, forces, activations);
        self.make_space(model)
    }

    fn predicts(&self) -> bool {
        !self.clumps.is_empty()
    }

    fn adapt(&mut self, context: &mut StepContext<'_>) -> Result<(), SolveError> {
        let (model, end_time) = (context.model, context.end_time);
        if !context.scheme.linear {
            return Err(SolveError::Unsupported {
                what: "rigid parts of bodies in Newton's method",
                instead: "use `integrator = \"linear-implicit\"` with the method `rigidify`",
            });
        }
        mark_prescribed(model, end_time, &mut self.wanted);
        if self.activations != context.activations && !self.clumps.is_empty() {
            self.freeze(model, context.forces, context.activations);
        }
        self.note_filtered(context);
        self.find_candidates(model, context.step);
        let slept = self.asleep.clone();
        self.find_asleep(context);
        self.candidates.sort_unstable();
        self.candidates.dedup();
        self.find_elastic(context)?;
        let held = self.wanted != self.prescribed;
        if held {
            self.prescribed.clone_from(&self.wanted);
            self.note_holds(model, end_time);
            self.note_order(model)?;
            self.oracle.forget();
        }
        self.prepare_oracle(context)?;
        self.note_past(context);
        let changed = self.change_clumps(context);
        self.settle(model);
        if changed {
            self.sort_chunks(model);
            self.freeze(model, context.forces, context.activations);
        }
        let tied = self.cliques != context.cliques;
        if tied {
            self.cliques.clear();
            self.cliques.extend_from_slice(context.cliques);
            self.graph = NodeGraph::new(model, &self.cliques)?;
        }
        if changed || held || tied || slept != self.asleep {
            self.make_space(model)?;
        }
        let motions = self.moving.iter().map(|&index| self.now.motions[index]);
        self.space.place(&self.now.shape, motions);
        set_drift(
            &mut self.space,
            model,
            context.scheme,
            context.rigid,
            end_time,
        );
        Ok(())
    }

    fn space(&self) -> &ReducedSpace {
        &self.space
    }

    fn carry(&mut self, outcome: &StepOutcome<'_>, x: &mut [Vec3], v: &mut [Vec3]) {
        let rows = self
            .space
            .slaves()
            .map_or(&[][..], |slaves| slaves.clumps());
        for (&index, slaved) in self.moving.iter().zip(rows) {
            let (clump, row) = (&self.clumps[index], slaved.row as usize);
            let (velocity, spin) = (outcome.z[row], outcome.z[row + 1]);
            let motion = clump.advance(&self.now.motions[index], velocity, spin, outcome.h);
            for &node in &clump.nodes {
                let node = node as usize;
                let arm = motion.rotation * (self.now.shape[node] - clump.centre);
                x[node] = motion.origin + motion.rotation * self.now.shape[node];
                v[node] = motion.velocity + motion.spin.cross(arm);
            }
            self.now.motions[index] = motion;
        }
        for (index, clump) in self.clumps.iter().enumerate() {
            if !self.stands(clump) {
                continue;
            }
            for &node in &clump.nodes {
                x[node as usize] = outcome.start[node as usize];
                v[node as usize] = Vec3::ZERO;
            }
            self.now.motions[index] = sleep::at_rest(&self.now.motions[index]);
        }
    }

    fn observe(&mut self, model: &Model, start: &State, end: &[Vec3], h: f64) {
        let watch = sleep::Watch {
            model,
            sizes: &self.sizes,
            asleep: &self.asleep,
            quiet: self.settings.rigid_below.sqrt(),
            h,
        };
        sleep::count(&watch, end, &mut self.now);
        if self.parts.active.iter().all(Vec::is_empty) {
            return;
        }
        self.displacements.clear();
        let from = &start.positions;
        (self.displacements).extend(from.iter().zip(end).map(|(&from, &to)| to - from));
        let before = (self.settings.foresight > 0).then(|| Before {
            displacements: &self.earlier,
            horizon: f64::from(self.settings.foresight),
        });
        let active = &self.parts.active;
        strain_rates(
            model,
            active,
            from,
            &self.displacements,
            before,
            h,
            &mut self.rates,
        );
        for &chunk in active.iter().flatten() {
            let packs = model.elements.chunks[chunk as usize].packs.clone();
            for pack in &model.elements.packs[packs] {
                for &element in &pack.elements[..pack.count] {
                    let quiet = &mut self.now.quiet[element as usize];
                    *quiet = match self.rates[element as usize] < self.settings.rigid_below {
                        true => quiet.saturating_add(1),
                        false => 0,
                    };
                }
            }
        }
    }

    fn predictions(&self) -> Option<&[f64]> {
        (!self.predicted.is_empty()).then_some(&self.predicted[..])
    }

    fn rigidity(&self) -> Option<Rigidity> {
        Some(self.now.clone())
    }
}

fn nothing_rigid(model: &Model) -> Rigidity {
    Rigidity {
        clump_of: Arc::new(vec![NO_CLUMP; model.node_count()]),
        shape: Arc::new(vec![Vec3::ZERO; model.node_count()]),
        quiet: vec![0; model.element_count()],
        tested: Arc::new(vec![Tested::default(); model.bodies.len()]),
        urge: Arc::new(vec![Vec3::ZERO; model.node_count()]),
        calm: vec![0; model.bodies.len()],
        anchors: Arc::new(model.rest.clone()),
        ..Rigidity::default()
    }
}

/// The space in which nothing is rigid.
fn whole_space(
    model: &Model,
    graph: &NodeGraph,
    prescribed: &[[bool; 3]],
    ranks: Option<&[u32]>,
) -> Result<ReducedSpace, SolveError> {
    let choice = Choice {
        prescribed,
        clumps: Vec::new(),
        chunks: &model.elements.colours,
        ranks,
    };
    ReducedSpace::new(model, graph, choice, 0)
}

/// Place of each node in an elimination order of a space without clumps; those that it does not keep come last.
fn node_ranks(model: &Model, space: &ReducedSpace) -> Result<Vec<u32>, SolveError> {
    let mut ranks = vec![u32::MAX; model.node_count()];
    for (rank, &row) in elimination_order(space.pattern())?.iter().enumerate() {
        ranks[space.kept()[row as usize] as usize] = rank as u32;
    }
    Ok(ranks)
}
