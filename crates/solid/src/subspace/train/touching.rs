//! Self-collision cubature: few vertices whose contacts push as all contacts between two parts of the surface do [TOK14].
//!
//! Contacts of snapshots are found where the modes put the surface, as they will be found later, and belong to pairs of domains. Column v holds
//! Û_vᵀ f of the contacts of vertex v with the other part, facet included, over the snapshots s in which the parts touch; the target is the
//! sum over all contacts of the pair, those between edges included. Both are divided by the length of the target as forces of elements are.
//! Unlike [TOK14], which keeps points for each relative pose, there is one set for all poses: a vertex that does not touch
//! pushes nothing, whatever its weight.

use super::samples::coordinates;
use super::{Training, basis};
use crate::contact::{Contact, Detector, Moving, Response, vertex_of};
use crate::subspace::domain::{Domains, Trained};
use crate::subspace::trained::{TrainedContact, TrainedModel};
use pliant_linalg::{CubatureSettings, ElementColumns, Vec3, select_cubature};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Least divisor of a snapshot, relative to the root mean square of the lengths of all.
const LEAST: f64 = 0.1;

/// Error above which vertices cannot stand for the contacts of a pair, which then stay new.
const POOR: f64 = 0.3;

/// What two parts push in a snapshot.
#[derive(Default)]
struct Push {
    all: Vec<f64>,
    of_vertices: BTreeMap<u32, Vec<f64>>,
}

/// Two parts of the surface in the snapshots in which they touch.
#[derive(Default)]
struct Pair {
    nodes: BTreeSet<u32>,
    pushes: BTreeMap<usize, Push>,
}

struct Columns(Vec<Vec<f64>>);

impl ElementColumns for Columns {
    fn row_count(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }
    fn column_count(&self) -> usize {
        self.0.len()
    }
    fn fill(&self, column: usize, entries: &mut [f64]) {
        entries.copy_from_slice(&self.0[column]);
    }
}

/// Of a trained body; nothing unless its model has penalties between parts of one surface.
pub(super) fn learn(
    training: &Training<'_>,
    trained: &TrainedModel,
    settings: &CubatureSettings,
) -> Vec<TrainedContact> {
    let contact = &training.model.contact;
    if training.touching.is_empty() || !contact.itself || contact.response != Response::Penalty {
        return Vec::new();
    }
    let mut model = training.model.clone();
    model.contact.obstacles.clear();
    let own = Trained {
        model: Arc::new(trained.clone()),
        rig: None,
    };
    let domains = Domains::new(&model, &[own], 1);
    let body = &model.bodies[training.body];
    let first = body.nodes.start as u32;
    let mut detector = Detector::new(&model);
    let still = vec![Vec3::ZERO; model.node_count()];
    let mut positions = model.rest.clone();
    let mut pairs: BTreeMap<[u32; 2], Pair> = BTreeMap::new();
    for &s in training.touching {
        let parts = (trained.domains.iter())
            .flat_map(|d| coordinates(d, &basis::pull_back(training, s, &d.nodes)));
        let q: Vec<f64> = parts.collect();
        for &local in &body.surface.nodes {
            let frame = training.skinned.frame(s, local as usize);
            let node = first + local;
            positions[node as usize] = frame.push(domains.shape(&model, node, &q));
        }
        let at = Moving {
            positions: &positions,
            velocities: &still,
            time: 0.0,
            h: 1.0,
        };
        let inside = |c: &&Contact| c.nodes.iter().all(|&n| body.nodes.contains(&(n as usize)));
        for contact in detector.detect(&model, at).iter().filter(inside) {
            let Some(key) = domains.pair_of(contact) else {
                continue;
            };
            let pair = pairs.entry(key).or_default();
            let ends = || contact.nodes[..contact.count].iter().zip(&contact.weights);
            pair.nodes.extend(ends().map(|(&n, _)| n));
            let mut push = vec![0.0; domains.rank];
            let force = contact.normal * (contact.stiffness * contact.depth);
            for (&node, &weight) in ends() {
                if let Some(&(index, place)) = domains.copies(node).first() {
                    let domain = &domains.list[index as usize];
                    let frame = training.skinned.frame(s, (node - first) as usize);
                    let own = &mut push[domain.offset..domain.offset + domain.rank];
                    let turned = frame.rotation.transpose() * force;
                    (domain.basis()).add_transposed(place as usize, weight, turned, own);
                }
            }
            let all = pair.pushes.entry(s).or_default();
            add(&mut all.all, &push);
            if let Some(vertex) = vertex_of(contact.identity) {
                add(all.of_vertices.entry(vertex).or_default(), &push);
            }
        }
    }
    let found = pairs.into_iter().filter_map(|(domains, pair)| {
        let (points, error) = pair.choose(settings)?;
        let own = |nodes: &[u32]| nodes.iter().map(|n| n - first).collect::<BTreeSet<u32>>();
        let nodes: Vec<u32> = pair.nodes.iter().copied().collect();
        let mut nodes = own(&nodes);
        // and their neighbours on the surface
        let before = nodes.clone();
        for facet in 0..body.surface.facet_count() {
            let corners = body.surface.facet(facet);
            if corners.iter().any(|n| before.contains(n)) {
                nodes.extend(corners);
            }
        }
        Some(TrainedContact {
            domains,
            nodes: nodes.into_iter().collect(),
            points: points.into_iter().map(|(v, w)| (v - first, w)).collect(),
            error,
        })
    });
    found.collect()
}

impl Pair {
    /// Vertices, weights and their error; none where vertices cannot stand for what there is.
    fn choose(&self, settings: &CubatureSettings) -> Option<(Vec<(u32, f64)>, f64)> {
        let length = |f: &[f64]| f.iter().map(|f| f * f).sum::<f64>().sqrt();
        let lengths: Vec<f64> = self.pushes.values().map(|p| length(&p.all)).collect();
        let least = LEAST * length(&lengths) / (lengths.len() as f64).sqrt();
        if least <= 0.0 {
            return None;
        }
        let scales: Vec<f64> = lengths.iter().map(|l| 1.0 / l.max(least)).collect();
        let vertices: BTreeSet<u32> = (self.pushes.values())
            .flat_map(|p| p.of_vertices.keys().copied())
            .collect();
        let vertices: Vec<u32> = vertices.into_iter().collect();
        let stacked = |of: &dyn Fn(&Push) -> Vec<f64>| -> Vec<f64> {
            let parts = self.pushes.values().zip(&scales);
            let scaled = |(push, scale): (&Push, &f64)| {
                of(push).iter().map(|f| f * scale).collect::<Vec<f64>>()
            };
            parts.flat_map(scaled).collect()
        };
        let column = |v: &u32| {
            stacked(&|push| match push.of_vertices.get(v) {
                Some(own) => own.clone(),
                None => vec![0.0; push.all.len()],
            })
        };
        let columns = Columns(vertices.iter().map(column).collect());
        let target = stacked(&|push| push.all.clone());
        let found = match vertices.is_empty() {
            true => return None,
            false => select_cubature(&columns, &target, settings),
        };
        let points = found.points.iter().map(|&(k, w)| (vertices[k], w));
        (found.error <= POOR).then(|| (points.collect(), found.error))
    }
}

fn add(sum: &mut Vec<f64>, more: &[f64]) {
    sum.resize(more.len(), 0.0);
    sum.iter_mut().zip(more).for_each(|(s, m)| *s += m);
}
