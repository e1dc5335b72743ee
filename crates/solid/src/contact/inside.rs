//! Whether a point lies inside a deformed body, and which boundary facet it should be in front of.
//!
//! The element that holds the point carries it to the rest shape, where the nearest boundary point is well defined
//! for concave bodies too and never changes; that boundary point is taken on the deformed shape. A tree over the
//! deformed elements is refitted, a tree over the rest facets is built once.
//!
//! A node that sinks in close to a rim is nearer to the side than to the face it came through: two cubes stacked
//! flush would be carried by their inner nodes only. Hence a facet that faces the node's own surface is preferred to
//! a nearer one that does not, if it is near enough.

use crate::model::{Body, Model};
use pliant_linalg::Vec3;
use pliant_mesh::triangle::{Feature, closest_on_segment, closest_on_triangle};
use pliant_mesh::{Aabb, Bvh};

/// Barycentrics down to this count as inside, so that no point falls between two elements by rounding.
const CORNER_SLACK: f64 = 1e-10;

/// Facets whose normal has at most this component along the node's normal face it.
const FACING: f64 = -0.2;

/// A facing facet is preferred up to this multiple of the longest edge of the nearest facet. Deeper nodes leave by
/// the nearest facet, or a swallowed body would be turned inside out.
const PREFERENCE: f64 = 0.5;

/// Search structure of one body.
#[derive(Clone, Debug)]
pub struct Interior {
    /// Boxes of the deformed elements, and the tree over them; elements in the body's own numbers.
    boxes: Vec<Aabb>,
    elements: Bvh,
    /// Tree over the facets of the rest shape.
    facets: Bvh,
    /// Outward unit normals of the deformed surface at the body's nodes, weighted by area; zero inside.
    normals: Vec<Vec3>,
}

/// A point of a body's boundary: global nodes and barycentrics of a facet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundaryPoint {
    /// Corners; an edge repeats its first.
    pub nodes: [u32; 3],
    /// Barycentrics, in [0, 1], sum 1; an edge has a third zero.
    pub weights: [f64; 3],
    /// Corners in use, 2 or 3.
    pub count: usize,
}

impl Interior {
    /// Builds both trees for the rest shape.
    pub fn new(model: &Model, body: &Body) -> Interior {
        let mut boxes = vec![Aabb::EMPTY; body.elements.len()];
        element_boxes(model, body, &model.rest, &mut boxes);
        let elements = Bvh::new(&boxes);
        let facet_boxes: Vec<Aabb> = (0..body.surface.facet_count())
            .map(|f| Aabb::of(&facet_nodes(body, f).map(|n| model.rest[n as usize])))
            .collect();
        Interior {
            boxes,
            elements,
            facets: Bvh::new(&facet_boxes),
            normals: vec![Vec3::ZERO; body.nodes.len()],
        }
    }

    /// Follows the body to new positions of all nodes.
    pub fn refit(&mut self, model: &Model, body: &Body, positions: &[Vec3]) {
        element_boxes(model, body, positions, &mut self.boxes);
        self.elements.refit(&self.boxes);
        self.normals.fill(Vec3::ZERO);
        for f in 0..body.surface.facet_count() {
            let corners = facet_nodes(body, f).map(|n| positions[n as usize]);
            let normal = area_vector(corners, body.planar);
            for &n in body.surface.facet(f) {
                self.normals[n as usize] += normal;
            }
        }
        for &n in &body.surface.nodes {
            let normal = &mut self.normals[n as usize];
            *normal = normal.normalized().unwrap_or_default();
        }
    }

    /// Outward normal of the deformed surface at a node, in the body's own numbers.
    pub fn normal(&self, node: usize) -> Vec3 {
        self.normals[node]
    }

    /// The boundary point that belongs to `x`, a point of a surface with the given outward `normal`, if `x` lies in
    /// the body at the `positions` of the last refit.
    pub fn boundary_point(
        &self,
        model: &Model,
        body: &Body,
        positions: &[Vec3],
        x: Vec3,
        normal: Vec3,
    ) -> Option<BoundaryPoint> {
        let rest = self.rest_position(model, body, positions, x)?;
        let corners = |f: u32, of: &[Vec3]| facet_nodes(body, f as usize).map(|n| of[n as usize]);
        let distance_squared = |f: u32| {
            let [a, b, c] = corners(f, &model.rest);
            if body.planar {
                let t = closest_on_segment(a, b, rest);
                (a + (b - a) * t - rest).norm_squared()
            } else {
                closest_on_triangle([a, b, c], rest).distance_squared
            }
        };
        let faces = |f: u32| {
            let facet = area_vector(corners(f, positions), body.planar);
            facet.dot(normal) <= FACING * facet.norm()
        };
        let (mut facet, _) = self.facets.nearest(rest, f64::INFINITY, distance_squared)?;
        if !faces(facet) {
            let [a, b, c] = corners(facet, &model.rest);
            let longest = [b - a, c - b, a - c]
                .iter()
                .fold(0.0, |l: f64, e| l.max(e.norm_squared()));
            let limit = PREFERENCE * PREFERENCE * longest;
            let better = self.facets.nearest(rest, limit, |f| {
                let d = distance_squared(f);
                if d < limit && faces(f) {
                    d
                } else {
                    f64::INFINITY
                }
            });
            facet = better.map_or(facet, |(f, _)| f);
        }
        Some(BoundaryPoint {
            nodes: facet_nodes(body, facet as usize),
            weights: facet_weights(corners(facet, &model.rest), body.planar, rest),
            count: if body.planar { 2 } else { 3 },
        })
    }

    /// Where the point `x` of the deformed body is in its rest shape; `None` outside. Of several elements that hold
    /// it the first counts.
    fn rest_position(
        &self,
        model: &Model,
        body: &Body,
        positions: &[Vec3],
        x: Vec3,
    ) -> Option<Vec3> {
        let elements = &model.element_nodes[body.elements.clone()];
        let point = Aabb { low: x, high: x };
        let mut holder: Option<(u32, [f64; 4])> = None;
        self.elements.any_near_box(&point, |e| {
            if holder.is_none_or(|(best, _)| e < best) && self.boxes[e as usize].contains(x) {
                let corners = elements[e as usize].map(|n| positions[n as usize]);
                let weights = barycentrics(corners, body.planar, x);
                if let Some(weights) = weights.filter(|w| w.iter().all(|&w| w >= -CORNER_SLACK)) {
                    holder = Some((e, weights));
                }
            }
            false
        });
        let (element, weights) = holder?;
        let nodes = elements[element as usize];
        Some((0..4).fold(Vec3::ZERO, |s, c| {
            s + model.rest[nodes[c] as usize] * weights[c]
        }))
    }
}

impl BoundaryPoint {
    /// Where the point is.
    pub fn position(&self, positions: impl Fn(u32) -> Vec3) -> Vec3 {
        (0..self.count).fold(Vec3::ZERO, |s, i| {
            s + positions(self.nodes[i]) * self.weights[i]
        })
    }

    /// Outward unit normal of its facet, `None` when that has collapsed. Planar bodies lie in x and y, on the left
    /// of their edges.
    pub fn normal(&self, positions: impl Fn(u32) -> Vec3) -> Option<Vec3> {
        area_vector(self.nodes.map(positions), self.count == 2).normalized()
    }
}

/// Outward normal of a facet, as long as twice its area (an edge: its length).
fn area_vector([a, b, c]: [Vec3; 3], planar: bool) -> Vec3 {
    if planar {
        (b - a).cross(Vec3::AXES[2])
    } else {
        (b - a).cross(c - a)
    }
}

fn element_boxes(model: &Model, body: &Body, positions: &[Vec3], boxes: &mut [Aabb]) {
    for (bounds, nodes) in boxes
        .iter_mut()
        .zip(&model.element_nodes[body.elements.clone()])
    {
        *bounds = Aabb::of(&nodes.map(|n| positions[n as usize]));
    }
}

/// Global nodes of a boundary facet; an edge repeats its first.
fn facet_nodes(body: &Body, facet: usize) -> [u32; 3] {
    let local = body.surface.facet(facet);
    std::array::from_fn(|i| body.nodes.start as u32 + local.get(i).copied().unwrap_or(local[0]))
}

/// Barycentrics of `x` in a tetrahedron, or in a triangle in the plane of x and y (then the fourth is zero); `None`
/// without volume. Inverted elements are as good as others.
pub(super) fn barycentrics(corners: [Vec3; 4], planar: bool, x: Vec3) -> Option<[f64; 4]> {
    let [a, b, c] = [1, 2, 3].map(|i| corners[i] - corners[0]);
    let p = x - corners[0];
    let (volume, w1, w2, w3) = if planar {
        let cross = |u: Vec3, v: Vec3| u.x * v.y - u.y * v.x;
        (cross(a, b), cross(p, b), cross(a, p), 0.0)
    } else {
        let bc = b.cross(c);
        (a.dot(bc), p.dot(bc), a.dot(p.cross(c)), a.dot(b.cross(p)))
    };
    if volume == 0.0 {
        return None;
    }
    let [w1, w2, w3] = [w1 / volume, w2 / volume, w3 / volume];
    let weights = [1.0 - w1 - w2 - w3, w1, w2, w3];
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

/// Barycentrics of the point of a facet nearest to `x`.
fn facet_weights([a, b, c]: [Vec3; 3], planar: bool, x: Vec3) -> [f64; 3] {
    if planar {
        let t = closest_on_segment(a, b, x);
        return [1.0 - t, t, 0.0];
    }
    let corners = [a, b, c];
    let closest = closest_on_triangle(corners, x);
    let mut weights = [0.0; 3];
    match closest.feature {
        Feature::Corner(i) => weights[i as usize] = 1.0,
        Feature::Edge(i) => {
            let (start, end) = (i as usize, (i as usize + 1) % 3);
            let t = closest_on_segment(corners[start], corners[end], x);
            weights[start] = 1.0 - t;
            weights[end] = t;
        }
        Feature::Face => {
            // shares of the area, each along the common normal
            let normal = (b - a).cross(c - a);
            let p = closest.point - a;
            let area = normal.norm_squared();
            let w1 = (p.cross(c - a).dot(normal) / area).clamp(0.0, 1.0);
            let w2 = ((b - a).cross(p).dot(normal) / area).clamp(0.0, 1.0 - w1);
            weights = [1.0 - w1 - w2, w1, w2];
        }
    }
    weights
}
