//! Looks where the basis fails: exact forces on samples of the nodes that it moves, after every step.
//!
//! At a node of the full solution the forces balance, so what is missing there is the basis' fault: g = m a − f. In a body whose stress is
//! wrong by δσ over its size L, g is about δσ s³/L and the forces of the elements around the node about σ s² each, with the length s of
//! its edges: g/Σ|f| · L/s is an estimate of δσ/σ for any mesh, and that is compared with the tolerance. Loads and inertia count among the
//! forces. Where there is hardly a stress an error of it is no harm: Σ|f| is at least its root mean square over the samples. Beside full nodes stresses differ from one
//! element to the next, L is s there, and g/Σ|f| itself the estimate: otherwise regions would grow by their own edges. Samples take turns, so that over some steps each is looked at; which ones is fixed by the number of the step.

use super::domain::Domains;
use super::frame::Pose;
use super::memory::Reduced;
use super::patch::Patch;
use crate::model::Model;
use pliant_linalg::{SolveError, Vec3};
use std::collections::BTreeMap;

/// Nodes looked at after a step, and groups of such nodes that take turns.
const GROUP: usize = 48;
const GROUPS: usize = 16;

/// What a finished step is judged by.
pub(super) struct Finished<'a> {
    pub model: &'a Model,
    pub domains: &'a Domains,
    pub memory: &'a Reduced,
    /// Where the full nodes of the memory are, m.
    pub full: &'a [Vec3],
    /// Poses before the state, at its start and end.
    pub poses: &'a [Pose; 3],
    pub start: &'a [f64],
    pub predicted: &'a [f64],
    pub loads: &'a [Vec3],
    pub activations: &'a [f64],
    pub inertia: bool,
    pub h: f64,
    /// Length of the step before, s; zero where there was none.
    pub ago: f64,
    pub number: u64,
}

/// Groups of samples with the elements around them.
pub(super) struct Sentinels {
    groups: Vec<Group>,
    /// Relative error of the forces.
    error: f64,
    /// Element evaluations of the last call.
    pub evaluations: usize,
}

struct Group {
    /// Every element has four nodes of its own, so that its forces are known.
    patch: Patch,
    /// (domain, place) of the nodes, and where each node of the patch is among them.
    copies: Vec<(u32, u32)>,
    corners: Vec<u32>,
    samples: Vec<Sample>,
}

struct Sample {
    node: u32,
    /// Its place among the copies, and nodes of the patch there.
    copy: usize,
    corners: Vec<u32>,
    /// Mean length of its edges, m.
    edge: f64,
}

/// Forces that would move a node by less than this share of the body are nothing.
const NOTHING: f64 = 1e-9;

impl Sentinels {
    pub fn new(
        model: &Model,
        domains: &Domains,
        places: &[Option<[u32; 3]>],
        prescribed: &BTreeMap<u32, Vec<usize>>,
        error: f64,
    ) -> Result<Sentinels, SolveError> {
        // an interface has springs, and prescribed nodes forces that nobody knows
        let usable = |&n: &u32| domains.copies(n).len() == 1 && !prescribed.contains_key(&n);
        let nodes: Vec<u32> = (0..model.node_count() as u32).filter(usable).collect();
        let wanted = (GROUP * GROUPS).min(nodes.len());
        // the golden section spreads any number of them evenly
        let stride = coprime(
            (nodes.len() as f64 * 0.618_033_988_75) as usize,
            nodes.len(),
        );
        let order: Vec<u32> = (0..wanted)
            .map(|k| nodes[k * stride % nodes.len()])
            .collect();
        let mut groups = Vec::new();
        for samples in order.chunks(GROUP) {
            let mut elements: Vec<u32> = (samples.iter())
                .flat_map(|&n| domains.elements_of.row(n as usize))
                .copied()
                .collect();
            elements.sort_unstable();
            elements.dedup();
            let copy = |e: u32, n: u32| {
                let domain = domains.domain_of[e as usize];
                (domain, domains.copy_in(n, domain).unwrap_or(0))
            };
            let mut copies: Vec<(u32, u32)> = (elements.iter())
                .flat_map(|&e| model.element_nodes[e as usize].map(|n| copy(e, n)))
                .collect();
            copies.sort_unstable();
            copies.dedup();
            let place = |key: (u32, u32)| copies.partition_point(|&c| c < key);
            let corner = |e: u32, n: u32| {
                let index = elements.partition_point(|&other| other < e);
                let own = model.element_nodes[e as usize];
                let at = own.iter().position(|&other| other == n).unwrap_or(0);
                (4 * index + at) as u32
            };
            let rest: Vec<Vec3> = (elements.iter())
                .flat_map(|&e| model.element_nodes[e as usize].map(|n| model.rest[n as usize]))
                .collect();
            let corners = (elements.iter())
                .flat_map(|&e| model.element_nodes[e as usize].map(|n| place(copy(e, n)) as u32))
                .collect();
            let list: Vec<(u32, f64)> = elements.iter().map(|&e| (e, 1.0)).collect();
            let samples = samples.iter().map(|&node| {
                let near = domains.neighbours.row(node as usize);
                let edge = |&n: &u32| (model.rest[n as usize] - model.rest[node as usize]).norm();
                let around = domains.elements_of.row(node as usize).iter();
                Sample {
                    node,
                    copy: place(domains.copies(node)[0]),
                    corners: around.map(|&e| corner(e, node)).collect(),
                    edge: near.iter().map(edge).sum::<f64>() / near.len().max(1) as f64,
                }
            });
            groups.push(Group {
                samples: samples.collect(),
                patch: Patch::new(model, places, &list, &rest, corner)?,
                corners,
                copies,
            });
        }
        Ok(Sentinels {
            groups,
            error,
            evaluations: 0,
        })
    }

    /// Samples of this step's group at which the basis fails, ascending.
    pub fn failing(&mut self, step: &Finished<'_>) -> Vec<u32> {
        self.evaluations = 0;
        let count = self.groups.len() as u64;
        if count == 0 {
            return Vec::new();
        }
        let group = &mut self.groups[(step.number % count) as usize];
        let (model, domains) = (step.model, step.domains);
        let q = &step.memory.coordinates;
        let [earlier, now, end] = step.poses;
        let active = &step.memory.active;
        let full = |node: u32| active.binary_search_by_key(&node, |a| a.node);
        let position = |&(d, place): &(u32, u32)| {
            let domain = &domains.list[d as usize];
            if let Ok(at) = full(domain.node(place)) {
                return step.full[at];
            }
            let shape = domain.shape(model, place, q);
            domain.frame(end, place).place(shape)
        };
        let positions: Vec<Vec3> = group.copies.iter().map(position).collect();
        for (x, &copy) in group.patch.positions.iter_mut().zip(&group.corners) {
            *x = positions[copy as usize];
        }
        group.patch.evaluations = 0;
        let evaluated = group.patch.evaluate(step.activations, None);
        self.evaluations = group.patch.evaluations;
        let mut found: Vec<(&Sample, f64, f64)> = Vec::new();
        let mut scales = Vec::with_capacity(group.samples.len());
        for sample in &group.samples {
            let index = sample.node as usize;
            let load = model.gravity * model.mass[index] + step.loads[index];
            let (mut missing, mut scale) = (load, load.norm());
            for &corner in &sample.corners {
                let f = group.patch.nodal[corner as usize];
                missing += f;
                scale += f.norm();
            }
            if step.inertia {
                // m (x − y)/h², y from the two poses before
                let (d, place) = group.copies[sample.copy];
                let domain = &domains.list[d as usize];
                let shape = domain.shape(model, place, step.start);
                let rate = (domain.shape(model, place, step.predicted) - shape) / step.h;
                let frame = domain.frame(now, place);
                let x = frame.place(shape);
                let v = match step.ago {
                    ago if ago > 0.0 => {
                        let before = domain.frame(earlier, place).place(shape - rate * ago);
                        (x - before) / ago
                    }
                    _ => frame.rotation * rate,
                };
                let gained = (positions[sample.copy] - x - v * step.h) / (step.h * step.h);
                missing -= gained * model.mass[index];
                scale += gained.norm() * model.mass[index];
            }
            scales.push(scale);
            if full(sample.node).is_ok() {
                continue; // balanced by its own equations
            }
            found.push((sample, missing.norm(), scale));
        }
        let count = scales.len().max(1) as f64;
        let usual = (scales.iter().map(|s| s * s).sum::<f64>() / count).sqrt();
        let mut failing = Vec::new();
        for (sample, missing, scale) in found {
            let index = sample.node as usize;
            let size = (model.body_index_of_node(index)).map_or(1.0, |b| domains.sizes[b]);
            let mut near = domains.neighbours.row(index).iter();
            let smooth = match near.any(|&n| full(n).is_ok()) {
                true => 1.0,
                false => size / sample.edge,
            };
            let error = missing / scale.max(usual) * smooth;
            let counts = missing > NOTHING * size * model.node_stiffness[index];
            if evaluated.is_err() || counts && error > self.error {
                failing.push(sample.node);
            }
        }
        failing.sort_unstable();
        failing
    }
}

/// The smallest number from `wish` on that has no divisor in common with `count`.
fn coprime(wish: usize, count: usize) -> usize {
    let divisor = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let mut stride = wish.max(1);
    while divisor(stride, count.max(1)) != 1 {
        stride += 1;
    }
    stride
}
