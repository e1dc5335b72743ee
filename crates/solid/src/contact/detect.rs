//! Finds all contacts at given positions.
//!
//! Surface nodes are worked on in batches of fixed size and the batches are joined in order: the list is the same
//! for any number of threads, ascending by node, then obstacles before bodies, each ascending. Buffers are kept, so
//! that a later call allocates only when there are more contacts than ever.

use super::inside::{BoundaryPoint, Interior};
use super::{Contact, ContactModel};
use crate::model::{Body, Model};
use pliant_linalg::Vec3;
use pliant_mesh::Aabb;
use rayon::prelude::*;
use std::ops::Range;

/// Surface nodes in a batch. Fixed, so that no result depends on the number of threads.
const BATCH: usize = 128;

/// Distance to the boundary, as a fraction of the largest coordinate, below which a node whose facet looks the wrong way
/// is left alone: there the direction is rounding.
const DIRECTION_SLACK: f64 = 1e-9;

/// Finds contacts; keeps search structures and buffers between calls, but nothing that changes an answer.
#[derive(Clone, Debug)]
pub struct Detector {
    /// One a body; none when bodies do not touch each other.
    interiors: Vec<Interior>,
    /// Boxes of the bodies.
    bounds: Vec<Aabb>,
    /// For each body those whose boxes overlap its own, ascending.
    partners: Vec<Vec<u32>>,
    batches: Vec<Batch>,
    contacts: Vec<Contact>,
}

#[derive(Clone, Debug)]
struct Batch {
    body: usize,
    /// Places in the body's list of surface nodes.
    nodes: Range<usize>,
    found: Vec<Contact>,
}

/// What a batch is searched with.
struct Search<'a> {
    model: &'a Model,
    contact: &'a ContactModel,
    interiors: &'a [Interior],
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    h: f64,
}

impl Detector {
    /// Prepares the search for the bodies and the contact model of `model`.
    pub fn new(model: &Model) -> Detector {
        let count = model.bodies.len();
        let interiors = if model.contact.enabled && count > 1 {
            let bodies = model.bodies.par_iter();
            bodies.map(|body| Interior::new(model, body)).collect()
        } else {
            Vec::new()
        };
        let batches = model.bodies.iter().enumerate().flat_map(|(index, body)| {
            let total = body.surface.nodes.len();
            (0..total).step_by(BATCH).map(move |start| Batch {
                body: index,
                nodes: start..(start + BATCH).min(total),
                found: Vec::new(),
            })
        });
        Detector {
            interiors,
            bounds: vec![Aabb::EMPTY; count],
            partners: vec![Vec::new(); count],
            batches: batches.collect(),
            contacts: Vec::new(),
        }
    }

    /// All contacts at `positions`; `velocities` and the time step `h` tell where everything was one step earlier,
    /// x − h v, which decides [`Contact::fresh`]. `model` is the one that the detector was made for.
    pub fn detect(
        &mut self,
        model: &Model,
        positions: &[Vec3],
        velocities: &[Vec3],
        h: f64,
    ) -> &[Contact] {
        self.contacts.clear();
        let touching = !self.interiors.is_empty() && self.find_partners(model, positions);
        if touching {
            self.interiors
                .par_iter_mut()
                .zip(&model.bodies)
                .zip(&self.partners)
                .filter(|(_, partners)| !partners.is_empty())
                .for_each(|((interior, body), _)| interior.refit(model, body, positions));
        }
        if !touching && model.contact.obstacles.is_empty() {
            return &self.contacts;
        }
        let search = Search {
            model,
            contact: &model.contact,
            interiors: &self.interiors,
            positions,
            velocities,
            h,
        };
        let partners = &self.partners;
        self.batches.par_iter_mut().for_each(|batch| {
            batch.found.clear();
            let body = &model.bodies[batch.body];
            for &local in &body.surface.nodes[batch.nodes.clone()] {
                let node = body.nodes.start as u32 + local;
                search.against_obstacles(node, &mut batch.found);
                for &other in &partners[batch.body] {
                    let normal = search.interiors[batch.body].normal(local as usize);
                    let contact = search.against_body(node, normal, other as usize);
                    batch.found.extend(contact);
                }
            }
        });
        for batch in &self.batches {
            self.contacts.extend_from_slice(&batch.found);
        }
        &self.contacts
    }

    /// The contacts of the last call.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Lists for each body the others that may touch it; whether there are any. Planar bodies and solids pass
    /// through each other.
    fn find_partners(&mut self, model: &Model, positions: &[Vec3]) -> bool {
        self.bounds
            .par_iter_mut()
            .zip(&model.bodies)
            .for_each(|(bounds, body)| *bounds = Aabb::of(&positions[body.nodes.clone()]));
        let mut any = false;
        for (a, partners) in self.partners.iter_mut().enumerate() {
            partners.clear();
            let near = |b: usize| {
                b != a
                    && model.bodies[a].planar == model.bodies[b].planar
                    && self.bounds[a].overlaps(&self.bounds[b])
            };
            partners.extend(
                (0..model.bodies.len())
                    .filter(|&b| near(b))
                    .map(|b| b as u32),
            );
            any |= !partners.is_empty();
        }
        any
    }
}

impl Search<'_> {
    fn earlier(&self, node: u32) -> Vec3 {
        let n = node as usize;
        self.positions[n] - self.velocities[n] * self.h
    }

    fn against_obstacles(&self, node: u32, found: &mut Vec<Contact>) {
        let x = self.positions[node as usize];
        for (index, obstacle) in self.contact.obstacles.iter().enumerate() {
            let (distance, normal) = obstacle.shape.probe(x);
            if distance < 0.0 {
                found.push(Contact {
                    nodes: [node; 4],
                    weights: [1.0, 0.0, 0.0, 0.0],
                    count: 1,
                    normal,
                    depth: -distance,
                    stiffness: self.contact.stiffness * self.model.node_stiffness[node as usize],
                    friction: obstacle.friction.unwrap_or(self.contact.friction),
                    obstacle: Some(index as u32),
                    fresh: obstacle.shape.probe(self.earlier(node)).0 >= 0.0,
                });
            }
        }
    }

    fn against_body(&self, node: u32, normal: Vec3, other: usize) -> Option<Contact> {
        let body: &Body = &self.model.bodies[other];
        let x = self.positions[node as usize];
        let interior = &self.interiors[other];
        let point = interior.boundary_point(self.model, body, self.positions, x, normal)?;
        let now = |n: u32| self.positions[n as usize];
        let surface = point.position(now);
        let out = surface - x;
        let facing = point.normal(now).filter(|n| n.dot(out) > 0.0);
        let normal = match facing {
            Some(normal) => normal,
            // a collapsed or folded facet: straight to the boundary point
            None if out.max_abs() > DIRECTION_SLACK * x.max_abs().max(surface.max_abs()) => {
                out.normalized()?
            }
            None => return None,
        };
        let depth = normal.dot(out);

        let before = |n: u32| self.earlier(n);
        let earlier_normal = facing.and_then(|_| point.normal(before)).unwrap_or(normal);
        let gap = earlier_normal.dot(self.earlier(node) - point.position(before));

        let of_node = &self.model.node_stiffness;
        let own = of_node[node as usize];
        let others = (0..point.count).fold(0.0, |s, i| {
            s + point.weights[i] * of_node[point.nodes[i] as usize]
        });
        let (nodes, weights) = columns(node, &point);
        Some(Contact {
            nodes,
            weights,
            count: 1 + point.count,
            normal,
            depth,
            stiffness: self.contact.stiffness * 2.0 * own * others / (own + others),
            friction: self.contact.friction,
            obstacle: None,
            fresh: gap >= 0.0,
        })
    }
}

/// Nodes and weights of a contact between a node and a boundary point.
fn columns(node: u32, point: &BoundaryPoint) -> ([u32; 4], [f64; 4]) {
    let mut nodes = [node; 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    for i in 0..point.count {
        nodes[i + 1] = point.nodes[i];
        weights[i + 1] = -point.weights[i];
    }
    (nodes, weights)
}
