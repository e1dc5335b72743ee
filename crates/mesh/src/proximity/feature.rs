//! Closest features of one surface: which corner, edge or facet, on which side, and whether a point is inside.
//!
//! The side of the nearest feature is decided by its angle-weighted pseudonormal [BA05], which is exact for
//! closed surfaces. Where only part of a surface may be asked (a vertex against its own surface), a ray decides.

use super::Motion;
use super::skin::{NONE, Skin};
use crate::triangle::{Feature, closest_on_segment, closest_on_triangle, segment_crossing};
use pliant_linalg::Vec3;

/// Sine of 10°: edges bent less count as flat.
pub(super) const SHARP: f64 = 0.17364817766693033;

/// Relative difference up to which two distances count as equal.
const EQUAL: f64 = 1e-9;

/// Part of a surface: a facet's inside, an edge, a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Facet(u32),
    Edge(u32),
    Vertex(u32),
}

/// Point of a facet nearest to a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    pub part: Part,
    pub point: Vec3,
    /// From `point` to the query, m.
    pub offset: Vec3,
    pub distance: f64,
}

impl Skin {
    pub fn closest(&self, facet: u32, x: Vec3, motion: &Motion) -> Closest {
        let corners = self.corner_positions(facet, motion);
        let places = self.corners[facet as usize];
        let (part, point) = if self.planar {
            let [a, b, _] = corners;
            let t = closest_on_segment(a, b, x);
            if t <= 0.0 {
                (Part::Vertex(places[0]), a)
            } else if t >= 1.0 {
                (Part::Vertex(places[1]), b)
            } else {
                (Part::Facet(facet), a + (b - a) * t)
            }
        } else {
            let closest = closest_on_triangle(corners, x);
            let part = match closest.feature {
                Feature::Face => Part::Facet(facet),
                Feature::Edge(k) => Part::Edge(self.facet_edges[facet as usize][k as usize]),
                Feature::Corner(k) => Part::Vertex(places[k as usize]),
            };
            (part, closest.point)
        };
        let offset = x - point;
        Closest {
            part,
            point,
            offset,
            distance: offset.norm(),
        }
    }

    /// Squared distance from the box of the facet's corners, a lower bound for that from the facet.
    #[inline]
    pub fn box_distance_squared(&self, facet: u32, x: Vec3, motion: &Motion) -> f64 {
        crate::aabb::Aabb::of(&self.corner_positions(facet, motion)).distance_squared(x)
    }

    /// Barycentric weights of a point of the facet.
    pub fn weights(&self, facet: u32, point: Vec3, motion: &Motion) -> [f64; 3] {
        let [a, b, c] = self.corner_positions(facet, motion);
        if self.planar {
            let t = closest_on_segment(a, b, point);
            return [1.0 - t, t, 0.0];
        }
        barycentric([a, b, c], point).unwrap_or_else(|| {
            // no area: the longest edge holds the point
            let corners = [a, b, c];
            let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
            let k = (1..3).fold(0, |m, k| if length(k) > length(m) { k } else { m });
            let t = closest_on_segment(corners[k], corners[(k + 1) % 3], point);
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - t;
            weights[(k + 1) % 3] = t;
            weights
        })
    }

    /// The facets around a part.
    pub fn facets_of<'a>(&'a self, part: &'a Part) -> &'a [u32] {
        match part {
            Part::Facet(f) => std::slice::from_ref(f),
            Part::Edge(e) => {
                let facets = &self.edges[*e as usize].facets;
                if facets[1] == NONE {
                    &facets[..1]
                } else {
                    facets
                }
            }
            Part::Vertex(v) => self.vertex_facets.row(*v as usize),
        }
    }

    /// Outward direction of a part, not of unit length; zero where all is degenerate.
    pub fn outward(&self, part: Part, motion: &Motion) -> Vec3 {
        match part {
            Part::Vertex(v) => self.vertex_normal(v, motion),
            _ => self
                .facets_of(&part)
                .iter()
                .fold(Vec3::ZERO, |s, &f| s + self.normals[f as usize]),
        }
    }

    /// Whether a part lies in a groove or pocket: free space near it is where all its facets' planes are in front,
    /// so that each of them counts even beside its facet.
    pub fn is_pocket(&self, part: Part, motion: &Motion) -> bool {
        match part {
            Part::Facet(_) => false,
            Part::Edge(e) => self.ridge(e, motion) < -SHARP,
            Part::Vertex(v) if self.planar => self.turn(v) < -SHARP,
            Part::Vertex(v) => {
                let mut bent = false;
                for &f in self.vertex_facets.row(v as usize) {
                    for e in self.facet_edges[f as usize] {
                        if self.edges[e as usize].ends.contains(&v) {
                            let ridge = self.ridge(e, motion);
                            if ridge > SHARP {
                                return false;
                            }
                            bent |= ridge < -SHARP;
                        }
                    }
                }
                bent
            }
        }
    }

    /// Whether no facet around the part comes nearer to `x` than the part itself.
    pub fn is_local_minimum(&self, part: Part, x: Vec3, distance: f64, motion: &Motion) -> bool {
        let least = distance * (1.0 - EQUAL) - motion.tiny;
        self.facets_of(&part)
            .iter()
            .all(|&f| self.closest(f, x, motion).distance >= least)
    }

    /// Whether `x` lies behind its nearest feature, or in front by no more than the flush distance.
    pub fn is_behind(&self, nearest: &Closest, motion: &Motion) -> bool {
        nearest.distance <= motion.flush
            || nearest.offset.dot(self.outward(nearest.part, motion)) < 0.0
    }

    /// Whether `x` is inside the surface; the surface must be known to be within `radius`.
    pub fn holds(&self, x: Vec3, radius: f64, motion: &Motion, near: &mut Vec<u32>) -> bool {
        let query = crate::aabb::Aabb { low: x, high: x }.grown(radius);
        self.near_box(&query, near);
        near.iter()
            .map(|&f| self.closest(f, x, motion))
            .reduce(|m, c| if c.distance < m.distance { c } else { m })
            .is_some_and(|nearest| self.is_behind(&nearest, motion))
    }

    /// Whether a point just under this surface is inside another part of it too: whether the first facet along
    /// `direction`, out of the surface, is met from behind. Facets that touch the rings of `own` (places in
    /// `vertices`) are not met.
    pub fn holds_itself(
        &self,
        x: Vec3,
        direction: Vec3,
        own: &[u32],
        motion: &Motion,
        near: &mut Vec<u32>,
    ) -> bool {
        let end = x + direction * (2.0 * self.bounds.diagonal());
        near.clear();
        if let Some(tree) = &self.tree {
            tree.near_segment(x, end, near);
        }
        near.sort_unstable();
        let mut first: Option<(f64, u32)> = None;
        for &f in near.iter() {
            if own.iter().any(|&v| self.in_ring(v, f)) {
                continue;
            }
            let corners = self.corner_positions(f, motion);
            let crossing = if self.planar {
                plane_crossing([corners[0], corners[1]], x, end)
            } else {
                segment_crossing(corners, x, end)
            };
            if let Some(t) = crossing
                && first.is_none_or(|(least, _)| t < least)
            {
                first = Some((t, f));
            }
        }
        first.is_some_and(|(_, f)| self.normals[f as usize].dot(direction) > 0.0)
    }
}

/// Weights of the point's projection on the triangle's plane; none without area.
pub(super) fn barycentric([a, b, c]: [Vec3; 3], p: Vec3) -> Option<[f64; 3]> {
    let area = (b - a).cross(c - a);
    let scale = area.norm_squared();
    if scale <= 0.0 {
        return None;
    }
    let v = (c - a).cross(a - p).dot(area) / scale;
    let w = (a - b).cross(a - p).dot(area) / scale;
    let u = 1.0 - v - w;
    (v.is_finite() && w.is_finite()).then_some([u, v, w])
}

/// Parameter at which the way from `start` to `end` crosses a segment, seen along z.
fn plane_crossing([a, b]: [Vec3; 2], start: Vec3, end: Vec3) -> Option<f64> {
    let cross = |p: Vec3, q: Vec3| p.x * q.y - p.y * q.x;
    let (d, e) = (end - start, b - a);
    let scale = cross(d, e);
    let t = cross(a - start, e) / scale;
    let s = cross(a - start, d) / scale;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then_some(t)
}
