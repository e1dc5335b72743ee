//! Who is full in a step: what oracles ask for, what stays for a while, what leaves.

use super::memory::{Active, Fading};
use super::oracle::{Leaving, View};
use super::region::Region;
use super::settings::Activation;
use super::stepper::SubspaceStepper;
use super::transfer::{self, Arrival};
use crate::model::Model;
use crate::report::{Stage, StepError, StepFailure};
use crate::state::State;
use crate::step::fail;
use pliant_linalg::Vec3;

/// Nodes leave when they are at least this part of all that are full.
const FEW: usize = 16;

/// The choice of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    /// Full nodes, ascending.
    pub active: Vec<Active>,
    /// Copies of nodes that fade, by node and domain, with the steps they have left in this one.
    pub fading: Vec<Fading>,
    /// Nodes that stop being full, ascending.
    pub leaving: Vec<Active>,
    /// Nodes that become full.
    pub entering: usize,
    /// Their positions and velocities at the start of the step, of all full nodes, m and m/s.
    pub start: Vec<(Vec3, Vec3)>,
}

impl SubspaceStepper {
    /// Asks the oracles.
    pub(super) fn choose(&mut self, model: &Model, state: &State) -> Chosen {
        let own = self.settings.subspace;
        let mut asked = self.permanent(model, state);
        match own.activation {
            Activation::Everything => asked = (0..model.node_count() as u32).collect(),
            Activation::Nothing => {}
            Activation::Oracles => {
                let mut starts: Vec<u32> = self.loads.springs.iter().map(|s| s.node).collect();
                let view = View {
                    model,
                    memory: &self.memory,
                    contacts: &self.contacts[..self.new_contacts],
                    domains: &self.domains,
                };
                for oracle in &mut self.oracles {
                    oracle.name_nodes(&view, &mut starts);
                }
                let reached = self
                    .search
                    .spread(model, &self.domains, &starts, own.radius);
                asked.extend_from_slice(reached);
            }
        }
        asked.sort_unstable();
        asked.dedup();
        // both lists ascend: merge them
        let mut chosen = Chosen::default();
        let mut old = self.memory.active.iter().copied().peekable();
        let mut leave = Vec::new();
        let mut wait = |mut active: Active, kept: &mut Vec<Active>| {
            active.idle += 1;
            match active.idle < own.timeout {
                true => kept.push(active),
                false => leave.push(active),
            }
        };
        for node in asked {
            while let Some(active) = old.next_if(|a| a.node < node) {
                wait(active, &mut chosen.active);
            }
            let known = old.next_if(|a| a.node == node);
            chosen.entering += usize::from(known.is_none());
            chosen.active.push(Active {
                idle: 0,
                ..known.unwrap_or(Active {
                    node,
                    idle: 0,
                    speed: 0.0,
                    acceleration: 0.0,
                })
            });
        }
        old.for_each(|active| wait(active, &mut chosen.active));
        chosen.leaving = leave;
        if !chosen.leaving.is_empty() {
            self.let_oracles_hold(model, state, &mut chosen);
        }
        self.lap(Stage::Adapt);
        chosen
    }

    /// Nodes that no basis can move: those of other bodies, and prescribed ones that it does not carry.
    fn permanent(&self, model: &Model, state: &State) -> Vec<u32> {
        let end = state.time + self.scheme.h;
        let in_force = |node: &&u32| {
            let drives = self.prescribed.get(node).map_or(&[][..], Vec::as_slice);
            drives
                .iter()
                .any(|&d| model.drives[d].action.prescribes_at(end))
        };
        let held = self.uncarried.iter().filter(in_force);
        held.chain(&self.untrained).copied().collect()
    }

    /// Parts of regions that would leave, one after the other, unless an oracle holds them.
    fn let_oracles_hold(&mut self, model: &Model, state: &State, chosen: &mut Chosen) {
        let regions = self.parts(&chosen.leaving);
        let arrivals = self.arrivals(model, state, &chosen.leaving);
        // as well as the basis can: without inertia the next step finds coordinates anew
        let mut fitted = self.memory.coordinates.clone();
        let full: Vec<u32> = chosen.active.iter().map(|a| a.node).collect();
        self.problem.present.update(model, &self.domains, &full);
        transfer::fit(&self.domains, &self.problem.present, &arrivals, &mut fitted);
        let domains = &self.domains;
        let misfit = |arrival: &Arrival| {
            let rest = model.rest[arrival.node as usize];
            let shown = domains.shape(model, arrival.node, &fitted) - rest;
            let off = (arrival.displacement - shown).norm();
            (off, arrival.displacement.norm())
        };
        let misfits: Vec<(f64, f64)> = arrivals.iter().map(misfit).collect();
        let mut kept = Vec::new();
        let mut gone = Vec::new();
        for region in regions {
            let nodes: Vec<Active> = region.iter().map(|&i| chosen.leaving[i]).collect();
            let leaving = Leaving {
                nodes: &nodes,
                misfit: {
                    let most = |of: &dyn Fn(usize) -> f64| {
                        region.iter().fold(0.0, |m: f64, &i| m.max(of(i)))
                    };
                    let (off, moved) = (most(&|i| misfits[i].0), most(&|i| misfits[i].1));
                    if moved > 0.0 { off / moved } else { 0.0 }
                },
                fineness: self.fineness(model, &nodes),
            };
            match self.oracles.iter().any(|oracle| oracle.holds(&leaving)) {
                true => kept.extend(nodes),
                false => gone.extend(nodes),
            }
        }
        // a region that loses a few nodes in every step costs a new one in every step
        let size = chosen.active.len() + kept.len() + gone.len();
        if FEW * gone.len() < size && gone.len() < size {
            kept.append(&mut gone);
        }
        gone.sort_unstable_by_key(|a| a.node);
        chosen.leaving = gone;
        chosen.active.extend(kept);
        chosen.active.sort_unstable_by_key(|a| a.node);
    }

    /// Size of the body over the mean length of edges at some of its nodes.
    fn fineness(&self, model: &Model, nodes: &[Active]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for active in nodes {
            let from = model.rest[active.node as usize];
            for &next in self.domains.neighbours.row(active.node as usize) {
                sum += (model.rest[next as usize] - from).norm();
                count += 1.0;
            }
        }
        let body = nodes.first();
        let body = body.and_then(|a| model.body_index_of_node(a.node as usize));
        let size = body.map_or(1.0, |b| self.domains.sizes[b]);
        if sum > 0.0 { size * count / sum } else { 1.0 }
    }

    /// Places of nodes in a list, by the clusters of inertia that they belong to: what is quiet leaves, however large the region is.
    fn parts(&self, list: &[Active]) -> Vec<Vec<usize>> {
        let cluster = |active: &Active| {
            let copy = self.domains.copies(active.node).first();
            copy.map(|&(d, place)| (d, self.domains.list[d as usize].cluster_of[place as usize]))
        };
        let mut parts: Vec<_> = (list.iter().map(cluster).zip(0..)).collect();
        parts.sort_unstable();
        let parts = parts.chunk_by(|a, b| a.0 == b.0);
        parts
            .map(|part| part.iter().map(|p| p.1).collect())
            .collect()
    }

    /// Displacements before skinning of full nodes of the state.
    fn arrivals(&self, model: &Model, state: &State, nodes: &[Active]) -> Vec<Arrival> {
        let arrival = |active: &Active| {
            let node = active.node as usize;
            let frame = self.domains.frame(&self.poses[1], active.node);
            Arrival {
                node: active.node,
                displacement: frame.pull_back(state.positions[node]) - model.rest[node],
            }
        };
        nodes.iter().map(arrival).collect()
    }

    /// Fits the coordinates to nodes that leave, which begin to fade; finds where all full nodes are; makes the region.
    pub(super) fn take_over(
        &mut self,
        model: &Model,
        state: &State,
        mut chosen: Chosen,
        h: f64,
    ) -> Result<Chosen, StepError> {
        let full: Vec<u32> = chosen.active.iter().map(|a| a.node).collect();
        let starts = full.iter().map(|&node| self.node_at(model, state, node));
        chosen.start = starts.collect();
        self.problem.present.update(model, &self.domains, &full);
        let arrivals = self.arrivals(model, state, &chosen.leaving);
        // without inertia coordinates are found anew in every step: the old ones leave everything in place
        if self.scheme.inertia && !arrivals.is_empty() {
            self.fit_rates(model, state, &chosen.leaving, &arrivals, h);
        }
        let is_full = |node: u32| full.binary_search(&node).is_ok();
        let still = self
            .memory
            .fading
            .iter()
            .filter(|f| f.left > 0 && !is_full(f.node));
        let mut fading: Vec<Fading> = still
            .map(|f| Fading {
                left: f.left - 1,
                ..*f
            })
            .collect();
        let blend = self.settings.subspace.blend;
        for arrival in arrivals.iter().filter(|_| blend > 0) {
            for &(index, place) in self.domains.copies(arrival.node) {
                let domain = &self.domains.list[index as usize];
                let q = domain.own(&self.memory.coordinates);
                let shown = domain.basis().displacement(place as usize, q);
                fading.push(Fading {
                    node: arrival.node,
                    domain: index,
                    left: blend,
                    offset: arrival.displacement - shown,
                });
            }
        }
        fading.sort_unstable_by_key(|f| (f.node, f.domain));
        chosen.fading = fading;
        self.make_region(model, state, &full, &chosen)?;
        Ok(chosen)
    }

    /// Coordinates now and a step ago that meet positions and velocities of nodes that leave.
    fn fit_rates(
        &mut self,
        model: &Model,
        state: &State,
        leaving: &[Active],
        arrivals: &[Arrival],
        h: f64,
    ) {
        let memory = &mut self.memory;
        let ago = if memory.last_step > 0.0 {
            memory.last_step
        } else {
            h
        };
        let mut earlier: Vec<f64> = (memory.coordinates.iter().zip(&memory.rates))
            .map(|(q, rate)| q - ago * rate)
            .collect();
        let pose = match memory.last_step > 0.0 {
            true => &self.poses[0],
            false => &self.poses[1],
        };
        let before: Vec<Arrival> = leaving
            .iter()
            .map(|active| {
                let node = active.node as usize;
                let x = state.positions[node] - state.velocities[node] * ago;
                let frame = self.domains.frame(pose, active.node);
                Arrival {
                    node: active.node,
                    displacement: frame.pull_back(x) - model.rest[node],
                }
            })
            .collect();
        let present = &self.problem.present;
        transfer::fit(&self.domains, present, arrivals, &mut memory.coordinates);
        transfer::fit(&self.domains, present, &before, &mut earlier);
        for (rate, (q, before)) in memory
            .rates
            .iter_mut()
            .zip(memory.coordinates.iter().zip(&earlier))
        {
            *rate = (q - before) / ago;
        }
    }

    /// Makes the region unless it is the one there is, and takes its elements out of the cubature.
    fn make_region(
        &mut self,
        model: &Model,
        state: &State,
        full: &[u32],
        chosen: &Chosen,
    ) -> Result<(), StepError> {
        let several = self.couplings.iter().filter(|c| c.count > 1);
        let cliques: Vec<[u32; 4]> = several.map(|c| c.nodes).collect();
        // what contacts push though it is not full
        let known = match self.settings.subspace.activation {
            Activation::Nothing => &self.couplings[..],
            _ => &self.couplings[self.new_contacts..],
        };
        let mut touched: Vec<u32> = known
            .iter()
            .flat_map(|c| &c.nodes[..c.count])
            .copied()
            .collect();
        touched.sort_unstable();
        touched.dedup();
        let fading = &chosen.fading;
        if !self.problem.region.is_of(full, fading, &cliques, &touched) {
            let made = Region::new(
                model,
                &self.domains,
                &self.places,
                full,
                fading,
                &cliques,
                &touched,
                &mut self.mark,
            );
            self.problem.region = made.map_err(|source| {
                let place = "full region".into();
                fail(state, Stage::Adapt, StepFailure::Solve { place, source })
            })?;
            let problem = &mut self.problem;
            for (index, (e, _)) in problem.points.iter().enumerate() {
                let exact = problem.region.elements.binary_search(e).is_ok();
                problem.cubature.switch(index, !exact);
            }
        }
        self.lap(Stage::Adapt);
        Ok(())
    }
}
