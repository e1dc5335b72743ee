//! The potential of a step, from what has been gathered and chosen.

use super::choose::Chosen;
use super::domain::Domain;
use super::memory::{Active, Fading};
use super::outcome::SOME;
use super::problem::FullNode;
use super::reduce::Slot;
use super::stepper::SubspaceStepper;
use crate::drive::Action;
use crate::model::Model;
use crate::report::Stage;
use crate::state::State;
use pliant_linalg::Vec3;
use rayon::prelude::*;

impl SubspaceStepper {
    pub(super) fn set_up(&mut self, model: &Model, state: &State, chosen: &Chosen, h: f64) {
        let (inertia, linear) = (self.scheme.inertia, self.scheme.linear);
        let problem = &mut self.problem;
        problem.h = h;
        problem.inertia = inertia;
        problem.beta = self.scheme.beta;
        problem.start.clone_from(&self.memory.coordinates);
        let coordinates = self.memory.coordinates.iter().zip(&self.memory.rates);
        problem.predicted.clear();
        match inertia {
            true => (problem.predicted).extend(coordinates.map(|(q, rate)| q + h * rate)),
            false => problem.predicted.extend_from_slice(&problem.start),
        }
        // coordinates without equations stay where they are
        let domains = self.domains.list.iter().zip(&problem.present.alive);
        for (domain, _) in domains.filter(|(_, alive)| !**alive) {
            let own = domain.offset..domain.offset + domain.rank;
            problem.predicted[own.clone()].copy_from_slice(&problem.start[own]);
        }
        self.set_slots(model, chosen);
        self.set_full_nodes(model, state, chosen, h);
        self.set_applied(model, h);
        let problem = &mut self.problem;
        let fly = inertia && !linear;
        problem.at.q.clone_from(if fly {
            &problem.predicted
        } else {
            &problem.start
        });
        problem.at.x.clear();
        let first = |node: &FullNode| {
            let mut x = if fly { node.predicted } else { node.carried };
            if !linear {
                let end = node.carried + node.known;
                for axis in (0..3).filter(|&axis| node.held[axis]) {
                    x[axis] = end[axis];
                }
            }
            x
        };
        problem.at.x.extend(problem.full.iter().map(first));
        problem.couplings.clear();
        for coupling in &self.couplings {
            let places = coupling
                .nodes
                .map(|n| problem.region.place_of(&self.domains, n));
            if places[..coupling.count].iter().all(Option::is_some) {
                let mut own = *coupling;
                own.nodes = places.map(|place| place.or(places[0]).unwrap_or(0) as u32);
                problem.couplings.push(own);
            }
        }
        if inertia {
            problem.region.patch.begin_damping(&problem.activations);
            problem.cubature.begin_damping(&problem.activations);
        }
        self.lap(Stage::Assemble);
    }

    /// Frames and offsets of the nodes that the basis moves in both patches, and where they start.
    fn set_slots(&mut self, model: &Model, chosen: &Chosen) {
        let [_, now, end] = &self.poses;
        let (domains, problem) = (&self.domains, &mut self.problem);
        let blend = self.settings.subspace.blend;
        let fading = |node: u32, domain: u32| -> Option<&Fading> {
            let key = |f: &Fading| (f.node, f.domain);
            let found = chosen.fading.binary_search_by_key(&(node, domain), key);
            found.ok().map(|at| &chosen.fading[at])
        };
        let count = chosen.active.len();
        problem.slaves.clear();
        for (index, slave) in problem.region.slaves.iter().enumerate() {
            let domain = &domains.list[slave.domain as usize];
            let fade = fading(domain.node(slave.place), slave.domain);
            let offset =
                |share: &dyn Fn(&Fading) -> f64| fade.map_or(Vec3::ZERO, |f| f.offset * share(f));
            let slot = Slot {
                domain: slave.domain,
                place: slave.place,
                frame: domain.frame(now, slave.place),
                offset: offset(&|f| f.share_before(blend)),
            };
            problem.region.patch.start[count + index] =
                slot.position(model, domains, &problem.start);
            problem.slaves.push(Slot {
                frame: domain.frame(end, slave.place),
                offset: offset(&|f| f.share(blend)),
                ..slot
            });
        }
        if self.scheme.inertia && problem.cubature.is_damped() {
            for corner in 0..problem.sampled.len() {
                let slot = &mut problem.sampled[corner];
                slot.frame = domains.list[slot.domain as usize].frame(now, slot.place);
                problem.cubature.start[corner] =
                    problem.sample(model, domains, corner, &problem.start);
            }
        }
        if !end.is_still() {
            for slot in &mut problem.sampled {
                slot.frame = domains.list[slot.domain as usize].frame(end, slot.place);
            }
        }
    }

    fn set_full_nodes(&mut self, model: &Model, state: &State, chosen: &Chosen, h: f64) {
        let [_, now, end] = &self.poses;
        let problem = &mut self.problem;
        problem.full.clear();
        problem.held.clear();
        let skin = |action: &Action| match action {
            Action::Skin { rig, .. } => Some(rig.skinning_at(state.time + h)),
            _ => None,
        };
        let skins: Vec<_> = model.drives.iter().map(|d| skin(&d.action)).collect();
        let domains = &self.domains;
        let carry = |(active, &(start, _)): (&Active, &(Vec3, Vec3))| match end.is_still()
            || domains.copies(active.node).is_empty()
        {
            true => start,
            false => {
                let [from, to] = [now, end].map(|pose| domains.frame(pose, active.node));
                to.place(from.pull_back(start))
            }
        };
        let nodes = chosen.active.par_iter().zip(&chosen.start);
        let carried: Vec<Vec3> = nodes.with_min_len(SOME).map(carry).collect();
        for (index, active) in chosen.active.iter().enumerate() {
            let node = active.node as usize;
            let (start, velocity) = chosen.start[index];
            let carried = carried[index];
            let mut own = FullNode {
                start,
                predicted: start + velocity * h,
                mass: model.mass[node],
                mass_damping: model.mass_damping[node],
                stiffness: model.node_stiffness[node],
                load: model.gravity * model.mass[node] + self.loads.force[node],
                spring: 0.0,
                spring_damping: 0.0,
                held: [false; 3],
                known: Vec3::ZERO,
                carried,
            };
            let drives = self.prescribed.get(&active.node);
            for &drive in drives.into_iter().flatten() {
                let action = &model.drives[drive].action;
                let Some((_, axes)) = action.prescribed() else {
                    continue;
                };
                if action.prescribes_at(state.time + h) {
                    let target = match (action, &skins[drive]) {
                        (Action::Prescribe { motion, .. }, _) => {
                            motion.at(model.rest[node], state.time + h)
                        }
                        (
                            Action::Skin {
                                rig, first_node, ..
                            },
                            Some(bones),
                        ) => {
                            let weights = rig.weights.of(node - *first_node as usize);
                            bones.frame(weights).push(model.rest[node])
                        }
                        _ => start,
                    };
                    for axis in (0..3).filter(|&axis| axes[axis]) {
                        own.held[axis] = true;
                        problem.held.push((index as u32, axis));
                        own.known[axis] = target[axis] - carried[axis];
                    }
                }
            }
            problem.full.push(own);
            problem.region.patch.start[index] = start;
        }
        for spring in &self.loads.springs {
            if let Ok(place) = problem.region.full.binary_search(&spring.node) {
                let own = &mut problem.full[place];
                own.spring += spring.stiffness;
                own.spring_damping += spring.damping;
                own.load +=
                    spring.target * spring.stiffness + spring.target_velocity * spring.damping;
            }
        }
    }

    /// Forces on the coordinates that the step does not change: gravity, loads, and the inertia of the pose's motion.
    fn set_applied(&mut self, model: &Model, h: f64) {
        let [earlier, now, end] = &self.poses;
        let (domains, problem, memory) = (&self.domains, &mut self.problem, &self.memory);
        problem.applied.clear();
        problem.applied.resize(domains.rank, 0.0);
        let posed = !end.is_still();
        let (inertia, predicted, present) =
            (self.scheme.inertia, &problem.predicted, &problem.present);
        let of_domain = |(index, domain): (usize, &Domain)| {
            let mut own = vec![0.0; domain.rank];
            if domain.rank == 0 {
                return own;
            }
            let (mut field, mut drag) = (Vec::new(), Vec::new());
            for cluster in &domain.clusters {
                let place = cluster.place;
                let last = domain.frame(end, place);
                let mut a = last.unturn(model.gravity);
                if posed && inertia {
                    let shape = domain.shape(model, place, &memory.coordinates);
                    let moved = domain.shape(model, place, predicted);
                    let frame = domain.frame(now, place);
                    let x = frame.place(shape);
                    let rate = (moved - shape) / h; // U q̇
                    let v = match memory.last_step {
                        ago if ago > 0.0 => {
                            (x - domain.frame(earlier, place).place(shape - rate * ago)) / ago
                        }
                        _ => frame.rotation * rate,
                    };
                    // e of `problem.rs`, and the same for the damping, which is relative to the start
                    a -= (moved - last.pull_back(x + v * h)) / (h * h);
                    drag.push((last.pull_back(x) - shape) / h);
                }
                field.push(a);
            }
            present.project(domains, index, false, &field, &mut own);
            if !drag.is_empty() && !present.damping[index].is_empty() {
                present.project(domains, index, true, &drag, &mut own);
            }
            own
        };
        // without inertia and gravity nothing acts
        let parts: Vec<Vec<f64>> = match posed && inertia || model.gravity != Vec3::ZERO {
            true => domains.list.par_iter().enumerate().map(of_domain).collect(),
            false => Vec::new(),
        };
        for (domain, part) in domains.list.iter().zip(&parts) {
            let own = domain.offset..domain.offset + domain.rank;
            problem.applied[own].copy_from_slice(part);
        }
        for &node in &self.loaded {
            let force = self.loads.force[node as usize];
            let copies = domains.copies(node);
            if force == Vec3::ZERO
                || copies.is_empty()
                || problem.region.full.binary_search(&node).is_ok()
            {
                continue;
            }
            let mass_of = |&(d, p): &(u32, u32)| domains.list[d as usize].mass[p as usize];
            let total: f64 = copies.iter().map(mass_of).sum();
            for copy in copies {
                let (domain, place) = *copy;
                let slot = Slot {
                    domain,
                    place,
                    frame: domains.list[domain as usize].frame(end, place),
                    offset: Vec3::ZERO,
                };
                slot.add_force(domains, mass_of(copy) / total, force, &mut problem.applied);
            }
        }
    }
}
