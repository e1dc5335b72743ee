//! Looks where the basis fails: exact forces on samples of the nodes that it moves, after every step.
//!
//! At a node of the full solution the forces balance, so what is missing there is the basis' fault: g = m a − f. Were the nodes within
//! ℓ = ρ L around it free, they would move by about g ℓ²/(k s²), with the node's stiffness k and the length s of its edges: a body
//! force b moves a piece of size ℓ by b ℓ²/E, and g = b s³, k = E s. That is compared with the tolerance. Samples take turns, so
//! that over some steps each is looked at; which ones is fixed by the number of the step.

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
    pub radius: f64,
}

/// Groups of samples with the elements around them.
pub(super) struct Sentinels {
    groups: Vec<Group>,
    /// Error, in sizes of the body.
    error: f64,
    /// Element evaluations of the last call.
    pub evaluations: usize,
}

struct Group {
    patch: Patch,
    /// (domain, place) of the patch's nodes.
    copies: Vec<(u32, u32)>,
    /// Samples: place in the patch, node, mean length of its edges, m.
    samples: Vec<(usize, u32, f64)>,
}

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
            let rest: Vec<Vec3> = (copies.iter())
                .map(|&(d, p)| model.rest[domains.list[d as usize].node(p) as usize])
                .collect();
            let list: Vec<(u32, f64)> = elements.iter().map(|&e| (e, 1.0)).collect();
            let number = |e: u32, n: u32| place(copy(e, n)) as u32;
            let samples = samples.iter().map(|&node| {
                let near = domains.neighbours.row(node as usize);
                let edge = |&n: &u32| (model.rest[n as usize] - model.rest[node as usize]).norm();
                let mean = near.iter().map(edge).sum::<f64>() / near.len().max(1) as f64;
                (place(domains.copies(node)[0]), node, mean)
            });
            let samples = samples.collect();
            let patch = Patch::new(model, places, &list, &rest, number, &[])?;
            groups.push(Group {
                patch,
                samples,
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
        for (x, &(d, place)) in group.patch.positions.iter_mut().zip(&group.copies) {
            let domain = &domains.list[d as usize];
            *x = domain
                .frame(end, place)
                .place(domain.shape(model, place, q));
        }
        group.patch.evaluations = 0;
        let evaluated = group.patch.evaluate(step.activations, None);
        self.evaluations = group.patch.evaluations;
        let mut failing = Vec::new();
        for &(at, node, edge) in &group.samples {
            let active = &step.memory.active;
            let near_full = |n: &u32| active.binary_search_by_key(n, |a| a.node).is_ok();
            if near_full(&node)
                || domains
                    .neighbours
                    .row(node as usize)
                    .iter()
                    .any(|n| near_full(n))
            {
                continue; // its elements are exact already
            }
            let body = model.body_index_of_node(node as usize);
            let size = body.map_or(1.0, |b| domains.sizes[b]);
            let index = node as usize;
            let mut missing =
                group.patch.nodal[at] + model.gravity * model.mass[index] + step.loads[index];
            if step.inertia {
                // m (x − y)/h², y from the two poses before
                let (d, place) = group.copies[at];
                let domain = &domains.list[d as usize];
                let shape = domain.shape(model, place, step.start);
                let rate = (domain.shape(model, place, step.predicted) - shape) / step.h;
                let frame = domain.frame(now, place);
                let x = frame.place(shape);
                let v = match step.ago {
                    ago if ago > 0.0 => {
                        (x - domain.frame(earlier, place).place(shape - rate * ago)) / ago
                    }
                    _ => frame.rotation * rate,
                };
                let acceleration = (group.patch.positions[at] - x - v * step.h) / (step.h * step.h);
                missing -= acceleration * model.mass[index];
            }
            let reach = step.radius * size / edge;
            let error = missing.norm() / model.node_stiffness[index] * reach * reach;
            if evaluated.is_err() || error > self.error * size {
                failing.push(node);
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
