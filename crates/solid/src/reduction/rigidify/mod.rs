//! Method `rigidify`: elements that are hardly strained for a while move as parts of rigid bodies [MWLK22].
//!
//! Before a step the oracle predicts which elements of clumps would be strained: those become elastic. After it, elements whose
//! strain rate stays below a threshold are counted; those that have been quiet for a window of steps join clumps. A step then
//! solves for the elastic nodes and six numbers a clump, and evaluates chunks with an elastic element only: all other chunks are
//! *frozen*, they were evaluated once in the frames of their clumps. Bodies that have come to rest sleep (`sleep.rs`).

mod change;
mod choose;
mod group;
mod laplacian;
mod limits;
mod oracle;
mod parts;
mod rest;
mod sleep;
#[cfg(test)]
mod tests;

use super::clump::{Clump, NO_CLUMP, Rigidity, Tested};
use super::full::{mark_prescribed, set_drift};
use super::graph::NodeGraph;
use super::space::Choice;
use super::{ReducedSpace, Reduction, StepContext, StepOutcome};
use crate::assembly::{Before, Forces, TangentWeights, strain_rates};
use crate::model::{Body, Model};
use crate::settings::{RigidifySettings, StrainRates};
use crate::state::State;
use group::{Hold, Topology};
use limits::Limits;
use oracle::Oracle;
use parts::Parts;
use pliant_linalg::{SolveError, Vec3, elimination_order};
use rest::Standing;
use std::sync::Arc;

/// See the file header.
pub struct Rigidify {
    settings: RigidifySettings,
    /// What counts as hardly strained in each body.
    limits: Limits,
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
            limits: Limits::new(model, &settings, &prescribed)?,
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
        if self.limits.are_never_met() {
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
        self.limits.begin(context.scheme.h);
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
            limits: self.limits.rates(),
            h,
        };
        sleep::count(&watch, end, &mut self.now);
        if self.parts.active.iter().all(Vec::is_empty) {
            return;
        }
        self.displacements.clear();
        let from = &start.positions;
        (self.displacements).extend(from.iter().zip(end).map(|(&from, &to)| to - from));
        let horizons = self.limits.horizons();
        let before = horizons.iter().any(|&steps| steps > 0).then(|| Before {
            displacements: &self.earlier,
            horizons,
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
            let chunk = &model.elements.chunks[chunk as usize];
            let limit = self.limits.rates()[chunk.body as usize].rigid_below;
            for pack in &model.elements.packs[chunk.packs.clone()] {
                for &element in &pack.elements[..pack.count] {
                    let quiet = &mut self.now.quiet[element as usize];
                    *quiet = match self.rates[element as usize] < limit {
                        true => quiet.saturating_add(1),
                        false => 0,
                    };
                }
            }
        }
    }

    fn sleeps(&self) -> bool {
        !self.asleep.contains(&false)
    }

    fn predictions(&self) -> Option<&[f64]> {
        (!self.predicted.is_empty()).then_some(&self.predicted[..])
    }

    fn limits(&self) -> &[StrainRates] {
        self.limits.rates()
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
