//! Finds all contacts at given positions.
//!
//! Surface nodes and facets are worked on in batches of fixed size and the batches are joined in order: the list is the same
//! for any number of threads. Nodes against obstacles come first, then facets against obstacles that are smaller than they
//! are, then bodies against bodies. Buffers are kept, so that a later call allocates only when there are more contacts than
//! ever.
//!
//! Constraints need to know what is about to touch: everything nearer than the alarm distance now, or after moving on for a
//! step with the present velocity and gravity. Penalties act only on what has penetrated.

use super::inside::{BoundaryPoint, Interior};
use super::obstacle::{PosedObstacle, Shape, deepest_on_edge, deepest_on_triangle};
use super::{Contact, ContactModel, Detection, Response};
use crate::constraint::Identity;
use crate::model::{Body, Model};
use crate::rigid::Mobility;
use pliant_linalg::Vec3;
use pliant_mesh::Aabb;
use pliant_mesh::proximity::{Near, NearKind, Proximity, ProximitySurface};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

/// Surface nodes or facets in a batch. Fixed, so that no result depends on the number of threads.
const BATCH: usize = 128;

/// Distance to the boundary, as a fraction of the largest coordinate, below which a node whose facet looks the wrong way
/// is left alone: there the direction is rounding.
const DIRECTION_SLACK: f64 = 1e-9;

/// A facet touches an obstacle between its nodes where it is deeper than they are by this share of the alarm distance.
const BETWEEN_NODES: f64 = 0.02;

/// First number of an [`Identity`]: what found the contact.
mod finder {
    pub const NODE_ON_OBSTACLE: u32 = 0;
    pub const FACET_ON_OBSTACLE: u32 = 1;
    pub const NODE_IN_BODY: u32 = 2;
    pub const VERTEX_FACE: u32 = 3;
    pub const EDGE_EDGE: u32 = 4;
}

/// The obstacle of a contact, if it is with one.
pub(crate) fn obstacle_of(identity: Identity) -> Option<usize> {
    match identity[0] {
        finder::NODE_ON_OBSTACLE => Some(identity[2] as usize),
        finder::FACET_ON_OBSTACLE => Some(identity[4] as usize),
        _ => None,
    }
}

/// The vertex of a contact of closest features, if it is not between edges.
pub(crate) fn vertex_of(identity: Identity) -> Option<u32> {
    (identity[0] == finder::VERTEX_FACE).then_some(identity[1])
}

/// Finds contacts; keeps search structures and buffers between calls, but nothing that changes an answer.
#[derive(Debug)]
pub struct Detector {
    pub(super) alarm: f64,
    /// Distance up to which contacts are of interest: the alarm distance, or zero for penalties.
    pub(super) reach: f64,
    /// One a body; none unless nodes inside bodies are looked for.
    pub(super) interiors: Vec<Interior>,
    /// Of the bodies' surfaces; none unless closest features are looked for.
    pub(super) proximity: Option<Proximity>,
    /// h v + h² g of every node of a surface, m.
    pub(super) displacements: Vec<Vec3>,
    /// Boxes of the bodies.
    bounds: Vec<Aabb>,
    /// For each body those whose boxes overlap its own, ascending.
    partners: Vec<Vec<u32>>,
    batches: Vec<Batch>,
    facet_batches: Vec<Batch>,
    /// Contacts between surfaces.
    near: Vec<Contact>,
    pub(super) contacts: Vec<Contact>,
    /// What the last call was about, and bodies for which this one is about the same.
    pub(super) seen: Seen,
    same: Vec<bool>,
}

/// Where everything was: what has not moved has the contacts that it had.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    h: f64,
}

#[derive(Clone, Debug)]
struct Batch {
    body: usize,
    /// Places in the body's list of surface nodes, or of facets.
    places: Range<usize>,
    /// Obstacles that may be within reach.
    obstacles: Vec<u32>,
    found: Vec<Contact>,
}

/// Where everything is and goes.
#[derive(Clone, Copy)]
pub struct Moving<'a> {
    /// Node positions, m.
    pub positions: &'a [Vec3],
    /// Node velocities, m/s.
    pub velocities: &'a [Vec3],
    /// Time, s.
    pub time: f64,
    /// Length of the coming step, and of the one before as far as [`Contact::fresh`] goes, s.
    pub h: f64,
}

/// What a batch is searched with.
pub(super) struct Search<'a> {
    pub model: &'a Model,
    pub contact: &'a ContactModel,
    pub obstacles: &'a [PosedObstacle<'a>],
    pub interiors: &'a [Interior],
    pub displacements: &'a [Vec3],
    pub reach: f64,
    pub at: Moving<'a>,
}

impl Detector {
    /// The alarm distance unless the model names one, as a share of the mean edge of the finest surface.
    pub const ALARM: f64 = 0.3;

    /// Prepares the search for the bodies and the contact model of `model`.
    pub fn new(model: &Model) -> Detector {
        let contact = &model.contact;
        let count = model.bodies.len();
        let edges = model.bodies.iter().map(|body| mean_edge(model, body));
        let finest = edges.fold(f64::INFINITY, f64::min);
        let alarm = contact.alarm.unwrap_or(Detector::ALARM * finest);
        let each_other = contact.enabled && count > 1;
        let interiors = if each_other && contact.detection == Detection::Inside {
            let bodies = model.bodies.par_iter();
            bodies.map(|body| Interior::new(model, body)).collect()
        } else {
            Vec::new()
        };
        let wanted = each_other && contact.detection == Detection::Proximity;
        let surfaces = (model.bodies.iter()).map(|body| surface(model, body, wanted));
        // the surfaces of a model name nodes that it has
        let proximity = (wanted || contact.itself)
            .then(|| Proximity::new(surfaces.collect(), model.node_count()).ok())
            .flatten()
            .map(|proximity| proximity.with_rest(&model.rest));
        let batches = |total: &dyn Fn(&Body) -> usize| -> Vec<Batch> {
            let bodies = model.bodies.iter().enumerate();
            let moving = bodies.filter(|(_, body)| can_move(model, body));
            let ranges = moving.flat_map(|(index, body)| {
                let total = total(body);
                (0..total).step_by(BATCH).map(move |start| Batch {
                    body: index,
                    places: start..(start + BATCH).min(total),
                    obstacles: Vec::new(),
                    found: Vec::new(),
                })
            });
            ranges.collect()
        };
        Detector {
            alarm,
            reach: match contact.response {
                Response::Constraint => alarm,
                Response::Penalty => 0.0,
            },
            interiors,
            proximity,
            displacements: vec![Vec3::ZERO; model.node_count()],
            bounds: vec![Aabb::EMPTY; count],
            partners: vec![Vec::new(); count],
            batches: batches(&|body| body.surface.nodes.len()),
            facet_batches: batches(&|body| body.surface.facet_count()),
            near: Vec::new(),
            contacts: Vec::new(),
            seen: Seen::default(),
            same: vec![false; count],
        }
    }

    /// A penetration that nobody would see, m.
    pub fn negligible(&self) -> f64 {
        1e-3 * self.alarm
    }

    /// Fastest removal of a penetration, m/s.
    pub fn separation_speed(&self, contact: &ContactModel) -> f64 {
        let chosen = contact.constraint.separation_speed;
        chosen.unwrap_or(10.0 * self.alarm)
    }

    /// All contacts; `model` is the one that the detector was made for.
    pub fn detect(&mut self, model: &Model, at: Moving<'_>) -> &[Contact] {
        self.contacts.clear();
        self.note_what_is_still(model, at);
        let Moving { positions, h, .. } = at;
        for (body, displacements) in bodies_of(model, &mut self.displacements) {
            let gravity = match can_move(model, body) {
                true => model.gravity * (h * h),
                false => Vec3::ZERO,
            };
            for &local in &body.surface.nodes {
                let node = body.nodes.start + local as usize;
                displacements[local as usize] = at.velocities[node] * h + gravity;
            }
        }
        if !self.interiors.is_empty() && self.find_partners(model, positions) {
            self.interiors
                .par_iter_mut()
                .zip(&model.bodies)
                .zip(&self.partners)
                .filter(|(_, partners)| !partners.is_empty())
                .for_each(|((interior, body), _)| interior.refit(model, body, positions));
        }
        let obstacles = model.contact.obstacles.iter();
        let obstacles: Vec<PosedObstacle<'_>> = obstacles
            .map(|obstacle| PosedObstacle::new(obstacle, at.time, h))
            .collect();
        let search = Search {
            model,
            contact: &model.contact,
            obstacles: &obstacles,
            interiors: &self.interiors,
            displacements: &self.displacements,
            reach: self.reach,
            at,
        };
        let (partners, same) = (&self.partners, &self.same);
        // obstacles that never move have met what stands still before
        let fixed = obstacles.iter().all(|o| o.obstacle.motion.is_none());
        let known = |body: usize| same[body] && fixed && search.interiors.is_empty();
        if !obstacles.is_empty() || !self.interiors.is_empty() {
            let batches = self.batches.par_iter_mut();
            batches.filter(|b| !known(b.body)).for_each(|batch| {
                batch.found.clear();
                let body = &model.bodies[batch.body];
                let nodes = &body.surface.nodes[batch.places.clone()];
                search.find_near(body, nodes.iter().copied(), &mut batch.obstacles);
                for &local in nodes {
                    let node = body.nodes.start as u32 + local;
                    search.against_obstacles(node, &batch.obstacles, &mut batch.found);
                    for &other in &partners[batch.body] {
                        let normal = search.interiors[batch.body].normal(local as usize);
                        let contact = search.against_body(node, normal, other as usize);
                        batch.found.extend(contact);
                    }
                }
            });
            gather(&self.batches, &mut self.contacts);
        }
        if obstacles.iter().any(meets_facets) {
            let alarm = self.alarm;
            let batches = self.facet_batches.par_iter_mut();
            batches.filter(|b| !known(b.body)).for_each(|batch| {
                batch.found.clear();
                let body = &model.bodies[batch.body];
                let facets = batch.places.clone();
                let corners = facets.clone().flat_map(|f| body.surface.facet(f));
                search.find_near(body, corners.copied(), &mut batch.obstacles);
                let near = |&o: &u32| meets_facets(&obstacles[o as usize]);
                batch.obstacles.retain(near);
                for facet in facets.filter(|_| !batch.obstacles.is_empty()) {
                    let (near, found) = (&batch.obstacles, &mut batch.found);
                    search.facet_against_obstacles(body, facet, near, alarm, found);
                }
            });
            let found = self.facet_batches.iter().flat_map(|batch| &batch.found);
            extend_once(&mut self.contacts, found.copied());
        }
        let all_still = self.same.iter().all(|&same| same);
        if let Some(proximity) = self.proximity.as_mut().filter(|_| !all_still) {
            self.near.clear();
            let near = proximity.find(positions, &self.displacements, self.alarm);
            let mut ordinal = Ordinal::default();
            let mut met = BTreeSet::new();
            for near in near {
                if let Some([a, b]) = corner_on_corner(near) {
                    if met.contains(&[b, a]) {
                        continue; // the same two corners, seen from the other body
                    }
                    met.insert([a, b]);
                }
                let identity = identity(near, ordinal.of(near));
                self.near.extend(search.between_bodies(near, identity));
            }
        }
        self.contacts.extend_from_slice(&self.near);
        &self.contacts
    }

    /// Finds the bodies that are where they were in the last call, with the same velocities and step.
    fn note_what_is_still(&mut self, model: &Model, at: Moving<'_>) {
        let Seen {
            positions,
            velocities,
            h,
        } = &mut self.seen;
        let known = positions.len() == at.positions.len() && *h == at.h;
        for (same, body) in self.same.iter_mut().zip(&model.bodies) {
            let nodes = body.nodes.clone();
            *same = known
                && positions[nodes.clone()] == at.positions[nodes.clone()]
                && velocities[nodes.clone()] == at.velocities[nodes];
        }
        *h = at.h;
        for (seen, now) in [(positions, at.positions), (velocities, at.velocities)] {
            seen.clear();
            seen.extend_from_slice(now);
        }
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
    fn position(&self, node: u32) -> Vec3 {
        self.at.positions[node as usize]
    }

    fn earlier(&self, node: u32) -> Vec3 {
        self.position(node) - self.at.velocities[node as usize] * self.at.h
    }

    /// Lists the obstacles that any of some nodes of a body, or what is between them, may come near.
    fn find_near(
        &self,
        body: &Body,
        nodes: impl Iterator<Item = u32> + Clone,
        near: &mut Vec<u32>,
    ) {
        let places = nodes.map(|local| body.nodes.start + local as usize);
        let bounds = places.clone().map(|node| self.at.positions[node]);
        let bounds = bounds.fold(Aabb::EMPTY, |all, x| all.with(x));
        let (centre, radius) = (bounds.centre(), 0.5 * bounds.diagonal());
        let squared = places.map(|node| self.displacements[node].norm_squared());
        let farthest = squared.fold(0.0, f64::max).sqrt();
        let limit = match self.reach > 0.0 {
            true => radius + self.reach + farthest,
            false => radius,
        };
        near.clear();
        for (index, posed) in self.obstacles.iter().enumerate() {
            // distances change at most as fast as places; what moves by itself is looked at node by node
            if posed.moves() || !posed.is_clear_of(centre, limit * (1.0 + 1e-9)) {
                near.push(index as u32);
            }
        }
    }

    pub(super) fn against_obstacles(&self, node: u32, near: &[u32], found: &mut Vec<Contact>) {
        let x = self.position(node);
        for &index in near {
            let posed = &self.obstacles[index as usize];
            let moved = self.moved_against(posed, x, self.displacements[node as usize]);
            let limit = if self.reach > 0.0 {
                self.reach + moved.norm()
            } else {
                0.0
            };
            let Some((distance, normal)) = posed.probe_within(x, limit) else {
                continue;
            };
            if distance.min(distance + normal.dot(moved)) < self.reach {
                found.push(Contact {
                    identity: [finder::NODE_ON_OBSTACLE, node, index, 0, 0],
                    nodes: [node; 4],
                    weights: [1.0, 0.0, 0.0, 0.0],
                    count: 1,
                    normal,
                    depth: -distance,
                    stiffness: self.contact.stiffness * self.model.node_stiffness[node as usize],
                    friction: posed.obstacle.friction.unwrap_or(self.contact.friction),
                    obstacle: Some(index),
                    velocity: posed.velocity(x),
                    fresh: posed.probe(self.earlier(node)).0 >= 0.0,
                });
            }
        }
    }

    /// How far a point at `x` that moves by `displacement` comes nearer to an obstacle, as a vector.
    fn moved_against(&self, posed: &PosedObstacle<'_>, x: Vec3, displacement: Vec3) -> Vec3 {
        match posed.moves() {
            true => displacement - posed.velocity(x) * self.at.h,
            false => displacement,
        }
    }

    /// The deepest point of a facet, where it is clearly deeper than the facet's nodes.
    pub(super) fn facet_against_obstacles(
        &self,
        body: &Body,
        facet: usize,
        near: &[u32],
        alarm: f64,
        found: &mut Vec<Contact>,
    ) {
        let local = body.surface.facet(facet);
        let count = local.len();
        let nodes: [u32; 3] =
            std::array::from_fn(|i| body.nodes.start as u32 + *local.get(i).unwrap_or(&local[0]));
        let corners = nodes.map(|n| self.position(n));
        let sum = |weights: &[f64; 3], of: &dyn Fn(usize) -> Vec3| {
            (0..count).fold(Vec3::ZERO, |s, i| s + of(nodes[i] as usize) * weights[i])
        };
        for &index in near {
            let posed = &self.obstacles[index as usize];
            let farthest = (0..count).fold(0.0f64, |far, i| {
                let d = self.displacements[nodes[i] as usize];
                far.max(self.moved_against(posed, corners[i], d).norm())
            });
            let limit = if self.reach > 0.0 {
                self.reach + farthest
            } else {
                0.0
            };
            let deepest = match count {
                3 => deepest_on_triangle(posed, corners, limit, BETWEEN_NODES * alarm),
                _ => deepest_on_edge(posed, [corners[0], corners[1]], limit),
            };
            let Some(deepest) = deepest.filter(|d| !d.is_corner()) else {
                continue;
            };
            let weights = deepest.weights;
            let at_corners = corners[..count].iter().map(|&x| posed.probe(x).0);
            if deepest.distance + BETWEEN_NODES * alarm > at_corners.fold(f64::INFINITY, f64::min) {
                continue;
            }
            let x = sum(&weights, &|n| self.at.positions[n]);
            let moved = self.moved_against(posed, x, sum(&weights, &|n| self.displacements[n]));
            let (distance, normal) = (deepest.distance, deepest.normal);
            if distance.min(distance + normal.dot(moved)) >= self.reach {
                continue;
            }
            let earlier = x - sum(&weights, &|n| self.at.velocities[n]) * self.at.h;
            let stiffness: f64 = (0..count)
                .map(|i| weights[i] * self.model.node_stiffness[nodes[i] as usize])
                .sum();
            let [a, b, c] = nodes;
            found.push(Contact {
                identity: [finder::FACET_ON_OBSTACLE, a, b, c, index],
                nodes: [a, b, c, a],
                weights: [weights[0], weights[1], weights[2], 0.0],
                count,
                normal,
                depth: -distance,
                stiffness: self.contact.stiffness * stiffness,
                friction: posed.obstacle.friction.unwrap_or(self.contact.friction),
                obstacle: Some(index),
                velocity: posed.velocity(x),
                fresh: posed.probe(earlier).0 >= 0.0,
            });
        }
    }

    /// Two features near each other, unless only penetration is of interest or neither side can move.
    fn between_bodies(&self, near: &Near, identity: Identity) -> Option<Contact> {
        let bodies = near.surfaces.map(|s| &self.model.bodies[s as usize]);
        let movable = bodies.iter().any(|body| can_move(self.model, body));
        if !movable || (self.reach == 0.0 && near.gap >= 0.0) {
            return None;
        }
        let of_node = &self.model.node_stiffness;
        let side = |sign: f64| -> f64 {
            let ends = near.points[..near.count].iter().zip(&near.weights);
            ends.map(|(&n, &w)| (sign * w).max(0.0) * of_node[n as usize])
                .sum()
        };
        let (own, others) = (side(1.0), side(-1.0));
        let ends = || near.points[..near.count].iter().zip(&near.weights);
        let before = ends().fold(Vec3::ZERO, |s, (&n, &w)| s + self.earlier(n) * w);
        Some(Contact {
            identity,
            nodes: near.points,
            weights: near.weights,
            count: near.count,
            normal: near.normal,
            depth: -near.gap,
            stiffness: self.contact.stiffness * 2.0 * own * others / (own + others),
            friction: self.contact.friction,
            obstacle: None,
            velocity: Vec3::ZERO,
            fresh: near.normal.dot(before) >= 0.0,
        })
    }

    fn against_body(&self, node: u32, normal: Vec3, other: usize) -> Option<Contact> {
        let body: &Body = &self.model.bodies[other];
        let x = self.position(node);
        let interior = &self.interiors[other];
        let point = interior.boundary_point(self.model, body, self.at.positions, x, normal)?;
        let now = |n: u32| self.position(n);
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
            identity: [finder::NODE_IN_BODY, node, other as u32, 0, 0],
            nodes,
            weights,
            count: 1 + point.count,
            normal,
            depth,
            stiffness: self.contact.stiffness * 2.0 * own * others / (own + others),
            friction: self.contact.friction,
            obstacle: None,
            velocity: Vec3::ZERO,
            fresh: gap >= 0.0,
        })
    }
}

/// The two vertices of a contact in which a vertex lies on a corner of a facet, as it does where equal meshes meet.
fn corner_on_corner(near: &Near) -> Option<[u32; 2]> {
    const AT_CORNER: f64 = 0.95;
    if near.kind == NearKind::EdgeEdge {
        return None;
    }
    let corner = (1..near.count).find(|&i| near.weights[i] < -AT_CORNER)?;
    Some([near.points[0], near.points[corner]])
}

/// Counts the contacts of one vertex with one surface: a vertex in a corner has several.
#[derive(Default)]
struct Ordinal {
    last: Option<(u32, u32)>,
    count: u32,
}

impl Ordinal {
    fn of(&mut self, near: &Near) -> u32 {
        let key = Some((near.points[0], near.surfaces[1]));
        self.count = if key == self.last { self.count + 1 } else { 0 };
        self.last = key;
        self.count
    }
}

/// A vertex keeps its identity while it slides from facet to facet.
fn identity(near: &Near, ordinal: u32) -> Identity {
    let [a, b, c, d] = near.points;
    match near.kind {
        NearKind::EdgeEdge => [finder::EDGE_EDGE, a, b, c, d],
        _ => [finder::VERTEX_FACE, a, near.surfaces[1], ordinal, 0],
    }
}

/// Whether an obstacle may be deeper between nodes than at them.
pub(super) fn meets_facets(posed: &PosedObstacle<'_>) -> bool {
    !matches!(posed.obstacle.shape, Shape::HalfSpace { .. })
}

/// Adds contacts of facets; a point of an edge, which both of its facets have found, once.
pub(super) fn extend_once(contacts: &mut Vec<Contact>, of_facets: impl Iterator<Item = Contact>) {
    let mut met = BTreeSet::new();
    contacts.extend(of_facets.filter(|c| on_edge(c).is_none_or(|edge| met.insert(edge))));
}

/// The nodes of the edge that a contact of a facet is on, and the obstacle; none where it is inside of the facet.
fn on_edge(contact: &Contact) -> Option<[u32; 3]> {
    let ends = contact.nodes.iter().zip(&contact.weights);
    let mut ends = ends.filter(|(_, w)| **w != 0.0).map(|(&node, _)| node);
    let (a, b) = (ends.next()?, ends.next()?);
    let obstacle = contact.obstacle?;
    ends.next()
        .is_none()
        .then_some([a.min(b), a.max(b), obstacle])
}

fn gather(batches: &[Batch], contacts: &mut Vec<Contact>) {
    for batch in batches {
        contacts.extend_from_slice(&batch.found);
    }
}

/// Each body with its part of a nodal field.
fn bodies_of<'a>(
    model: &'a Model,
    field: &'a mut [Vec3],
) -> impl Iterator<Item = (&'a Body, &'a mut [Vec3])> {
    let mut rest = field;
    model.bodies.iter().map(move |body| {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(body.nodes.len());
        rest = after;
        (body, own)
    })
}

/// Whether contacts can change anything about a body.
pub(super) fn can_move(model: &Model, body: &Body) -> bool {
    let mobility = body.rigid.map(|index| &model.rigid.bodies[index].mobility);
    !matches!(mobility, Some(Mobility::Fixed | Mobility::Kinematic(_)))
}

/// Links of one chain do not touch each other: they overlap at their joints.
fn surface(model: &Model, body: &Body, each_other: bool) -> ProximitySurface {
    let group = match body.rigid.map(|r| &model.rigid.bodies[r].mobility) {
        _ if !each_other => Some(0),
        Some(Mobility::Link { chain, .. }) => Some(*chain as u32 + 1),
        _ => None,
    };
    let facets = (0..body.surface.facet_count()).map(|f| {
        let local = body.surface.facet(f);
        std::array::from_fn(|i| body.nodes.start as u32 + *local.get(i).unwrap_or(&local[0]))
    });
    ProximitySurface {
        facets: facets.collect(),
        planar: body.planar,
        touches_itself: model.contact.itself && body.rigid.is_none(),
        group,
    }
}

/// Mean length of the edges of a body's surface at rest, m.
pub(crate) fn mean_edge(model: &Model, body: &Body) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for f in 0..body.surface.facet_count() {
        let nodes = body.surface.facet(f);
        for i in 0..nodes.len() {
            let [a, b] = [i, (i + 1) % nodes.len()]
                .map(|i| model.rest[body.nodes.start + nodes[i] as usize]);
            sum += (b - a).norm();
            count += 1;
        }
    }
    sum / count.max(1) as f64
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
