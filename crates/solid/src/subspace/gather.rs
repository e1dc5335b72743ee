//! What acts on the step: where the nodes are that it asks about, loads, contacts.

use super::choose::Chosen;
use super::domain::Domains;
use super::frame::Pose;
use super::memory::{Fading, Reduced};
use super::stepper::SubspaceStepper;
use super::transfer::{self, Arrival};
use super::watch::Now;
use crate::contact::{Candidates, Moving, PosedObstacle, couple};
use crate::drive::Action;
use crate::model::Model;
use crate::report::Stage;
use crate::state::State;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// Reads nodes that the basis moves at a state.
pub(super) struct Moved<'a> {
    pub model: &'a Model,
    pub domains: &'a Domains,
    pub memory: &'a Reduced,
    /// The pose at the state, and one step before.
    pub earlier: &'a Pose,
    pub now: &'a Pose,
    /// Steps over which nodes fade.
    pub blend: u32,
}

/// Nodes that one thread places together.
const BATCH: usize = 256;

impl Moved<'_> {
    /// The same of any node, where `places` are zero for those that are not full.
    fn at(&self, state: &State, places: &[u32], node: u32, moving: bool) -> (Vec3, Vec3) {
        let at = node as usize;
        match places[at] != 0 || self.domains.copies(node).is_empty() {
            true => (state.positions[at], state.velocities[at]),
            false => self.node(node, moving),
        }
    }

    /// Position and velocity of a node, fading or not, m and m/s; no velocity unless `moving`.
    pub fn node(&self, node: u32, moving: bool) -> (Vec3, Vec3) {
        let (domains, memory) = (self.domains, self.memory);
        let mut shape = domains.shape(self.model, node, &memory.coordinates);
        if !memory.fading.is_empty() {
            let first = memory.fading.partition_point(|f| f.node < node);
            let own = memory.fading[first..].iter().take_while(|f| f.node == node);
            let copies = own.clone().count().max(1) as f64;
            let part = |f: &Fading| f.offset * (f.share(self.blend) / copies);
            shape += own.fold(Vec3::ZERO, |sum, f| sum + part(f));
        }
        let frame = domains.frame(self.now, node);
        let x = frame.place(shape);
        if !moving {
            return (x, Vec3::ZERO);
        }
        // X + U q̇: the rest position is taken off again
        let rate = domains.shape(self.model, node, &memory.rates) - self.model.rest[node as usize];
        let v = match memory.last_step {
            h if h > 0.0 => {
                let before = domains.frame(self.earlier, node).place(shape - rate * h);
                (x - before) / h
            }
            _ => frame.rotation * rate,
        };
        (x, v)
    }
}

impl SubspaceStepper {
    /// Takes up coordinates and regions of the state. Before the first step positions and velocities of the nodes are fitted.
    pub(super) fn recall(&mut self, model: &Model, state: &State) {
        let rank = self.domains.rank;
        self.memory.clone_from(&state.subspace);
        if state.subspace.coordinates.len() != rank {
            self.memory = self.fitted(model, state);
        }
        let (places, nodes) = &mut self.active;
        for &node in nodes.iter() {
            places[node as usize] = 0;
        }
        nodes.clear();
        for active in &self.memory.active {
            nodes.push(active.node);
            places[active.node as usize] = nodes.len() as u32;
        }
    }

    /// Coordinates that meet the positions and velocities of all nodes best. The only pass over the mesh, before the first step.
    fn fitted(&mut self, model: &Model, state: &State) -> Reduced {
        let mut memory = Reduced {
            coordinates: vec![0.0; self.domains.rank],
            rates: vec![0.0; self.domains.rank],
            behind: true,
            ..Reduced::default()
        };
        let pose = self.domains.pose(state.time);
        let moved = |node: &u32| !self.domains.copies(*node).is_empty();
        let nodes = (0..model.node_count() as u32).filter(moved);
        let (mut shapes, mut rates) = (Vec::new(), Vec::new());
        for node in nodes {
            let frame = self.domains.frame(&pose, node);
            let (x, v) = (
                state.positions[node as usize],
                state.velocities[node as usize],
            );
            shapes.push(Arrival {
                node,
                displacement: frame.pull_back(x) - model.rest[node as usize],
            });
            rates.push(Arrival {
                node,
                displacement: frame.unturn(v),
            });
        }
        let present = &mut self.problem.present;
        present.update(model, &self.domains, &[]);
        transfer::fit(&self.domains, present, &shapes, &mut memory.coordinates);
        transfer::fit(&self.domains, present, &rates, &mut memory.rates);
        memory
    }

    fn moved<'a>(&'a self, model: &'a Model) -> Moved<'a> {
        let [earlier, now, _] = &self.poses;
        Moved {
            model,
            domains: &self.domains,
            memory: &self.memory,
            earlier,
            now,
            blend: self.settings.subspace.blend,
        }
    }

    /// Position and velocity of a node at the start of the step, m and m/s.
    pub(super) fn node_at(&self, model: &Model, state: &State, node: u32) -> (Vec3, Vec3) {
        let inertia = self.scheme.inertia;
        (self.moved(model)).at(state, &self.active.0, node, inertia)
    }

    /// Loads at the end of the step.
    pub(super) fn gather_loads(&mut self, model: &Model, state: &State, h: f64) {
        let end = state.time + h;
        for i in 0..self.loaded.len() {
            let node = self.loaded[i];
            self.loads.force[node as usize] = Vec3::ZERO;
        }
        for drive in &model.drives {
            let Action::Traction { pressure, .. } = &drive.action else {
                continue;
            };
            if *pressure != 0.0 {
                for node in drive.action.parts().0 {
                    self.scheme.base[node as usize] = self.node_at(model, state, node).0;
                }
            }
        }
        self.loads.add(model, &self.scheme.base, end, h);
        let activations = &mut self.problem.activations;
        activations.clear();
        activations.extend(model.activations.iter().map(|a| a.at(end)));
        self.lap(Stage::Adapt);
    }

    /// Contacts at the start of the step, and the terms that they add to its equations.
    pub(super) fn find_contacts(&mut self, model: &Model, state: &State, h: f64) {
        let Some(mut detector) = self.detector.take() else {
            return;
        };
        let posed = |obstacle| PosedObstacle::new(obstacle, state.time, h);
        let obstacles: Vec<PosedObstacle<'_>> = match &self.watch {
            Some(_) => model.contact.obstacles.iter().map(posed).collect(),
            None => Vec::new(),
        };
        let mut watch = self.watch.take();
        let candidates = watch.as_mut().map(|watch| {
            watch.search(&Now {
                model,
                domains: &self.domains,
                pose: &self.poses[1],
                memory: &self.memory,
                obstacles: &obstacles,
            })
        });
        self.place_surface(model, state, candidates);
        let (positions, velocities) = (&self.scheme.base, &self.scheme.velocity);
        let at = Moving {
            positions,
            velocities,
            time: state.time,
            h,
        };
        let contacts = match candidates {
            Some(candidates) => detector.detect_among(model, at, &obstacles, candidates),
            None => detector.detect(model, at),
        };
        self.max_penetration = contacts.iter().fold(0.0, |deepest, c| c.depth.max(deepest));
        self.detector = Some(detector);
        self.watch = watch;
        self.known.begin(&self.memory);
        self.take_contacts();
        self.lap(Stage::Detect);
    }

    /// Tells new contacts from known ones.
    fn take_contacts(&mut self) {
        if let Some(detector) = &self.detector {
            let found = detector.contacts();
            self.new_contacts = (self.known).sort(&self.domains, found, &mut self.contacts);
        }
    }

    /// Asks the oracles about new contacts, again while regions come to lie on known ones, and makes the terms of all contacts.
    pub(super) fn choose_trusting(&mut self, model: &Model, state: &State) -> Chosen {
        let mut chosen = self.choose(model, state);
        while self.known.give_up(&chosen) {
            self.take_contacts();
            chosen = self.choose(model, state);
        }
        couple(
            model,
            &self.scheme.base,
            &self.scheme.velocity,
            &self.scheme,
            &self.contacts,
            &mut self.couplings,
        );
        chosen
    }

    /// Finds positions and velocities of the nodes of all surfaces, or of candidates for contact.
    fn place_surface(&mut self, model: &Model, state: &State, candidates: Option<&Candidates>) {
        let mut nodes: Vec<u32> = Vec::new();
        let body_of = |body: u32| &model.bodies[body as usize];
        match candidates {
            None => {
                for body in &model.bodies {
                    let own = body.surface.nodes.iter();
                    nodes.extend(own.map(|local| body.nodes.start as u32 + local));
                }
            }
            Some(candidates) => {
                for &[body, at] in &candidates.nodes {
                    let body = body_of(body);
                    nodes.push(body.nodes.start as u32 + body.surface.nodes[at as usize]);
                }
                for &[body, facet] in &candidates.facets {
                    let body = body_of(body);
                    let corners = body.surface.facet(facet as usize).iter();
                    nodes.extend(corners.map(|local| body.nodes.start as u32 + local));
                }
                nodes.sort_unstable();
                nodes.dedup();
            }
        }
        let (moved, places) = (self.moved(model), &self.active.0);
        let inertia = self.scheme.inertia;
        let at = |&node: &u32| moved.at(state, places, node, inertia);
        let found: Vec<(Vec3, Vec3)> = nodes.par_iter().with_min_len(BATCH).map(at).collect();
        for (&node, (x, v)) in nodes.iter().zip(found) {
            self.scheme.base[node as usize] = x;
            self.scheme.velocity[node as usize] = v;
        }
    }
}
