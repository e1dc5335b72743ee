//! Edges across edges, where both are ridges: bent outwards by more than 2°, now or at rest.
//!
//! The normal is perpendicular to both edges; its sign is the one for which it lies between the normals of b's two
//! facets and its opposite between those of a's. Hence the gap has the right sign without asking which edge is on
//! which side, and edges inside flat or hollow parts never count.

use super::skin::Skin;
use super::sweep;
use super::vertex::Scratch;
use super::{Motion, Near, NearKind};
use crate::aabb::Aabb;
use pliant_linalg::Vec3;

/// Closest points must be inside both edges by this fraction: the ends are the vertices' business.
const INSIDE: f64 = 1e-6;

/// Sine between two edges below which they are parallel.
const PARALLEL: f64 = 0.02;

/// Sine by which a normal may lie outside the normals of an edge's facets.
const CONE: f64 = 0.05;

/// A ridge at the start of the step.
struct Ridge<'a> {
    skin: &'a Skin,
    edge: u32,
    points: [u32; 2],
    ends: [Vec3; 2],
    /// Directions in its two facets, away from it.
    into: [Vec3; 2],
    /// Sum of the facets' normals.
    outward: Vec3,
}

impl<'a> Ridge<'a> {
    fn of(skin: &'a Skin, edge: u32, motion: &Motion) -> Option<Ridge<'a>> {
        if !skin.is_ridge(edge, motion) {
            return None;
        }
        let record = &skin.edges[edge as usize];
        let points = record.ends.map(|v| skin.vertices[v as usize]);
        let ends = points.map(|p| motion.at(p));
        let along = (ends[1] - ends[0]).normalized()?;
        let [n, m] = record.facets.map(|f| skin.normals[f as usize]);
        Some(Ridge {
            skin,
            edge,
            points,
            ends,
            into: [n.cross(along), along.cross(m)],
            outward: n + m,
        })
    }

    fn along(&self) -> Vec3 {
        self.ends[1] - self.ends[0]
    }

    /// Whether a unit vector perpendicular to the edge lies between its facets' normals.
    fn faces(&self, direction: Vec3) -> bool {
        direction.dot(self.outward) > 0.0 && self.into.iter().all(|i| direction.dot(*i) <= CONE)
    }

    fn places(&self) -> [u32; 2] {
        self.skin.edges[self.edge as usize].ends
    }

    fn at(&self, s: f64) -> Vec3 {
        self.ends[0] + self.along() * s
    }
}

/// Appends the contacts of edge `i` of a surface with its wanted partners that are not before it, and with later edges of
/// its own surface.
#[allow(clippy::too_many_arguments)] // one call site
pub(super) fn search(
    skins: &[Skin],
    surface: usize,
    i: usize,
    partners: &[u32],
    wanted: impl Fn(u32) -> bool,
    motion: &Motion,
    scratch: &mut Scratch,
    found: &mut Vec<Near>,
) {
    let skin = &skins[surface];
    let ends = skin.edges[i].ends;
    let mut ridge = None;
    let later = partners.iter().filter(|&&p| p as usize >= surface);
    for &partner in later.filter(|&&p| wanted(p)) {
        let other = &skins[partner as usize];
        let query = way(skin, ends, other.drift, motion).grown(motion.alarm);
        if !query.overlaps(&other.bounds) {
            continue;
        }
        let Some(ridge) = ridge.get_or_insert_with(|| Ridge::of(skin, i as u32, motion)) else {
            return;
        };
        other.near_box(&query, &mut scratch.near);
        let Scratch { near, others, .. } = scratch;
        others.clear();
        for &f in near.iter() {
            // each edge once, with its first facet
            let edges = other.facet_edges[f as usize].into_iter();
            others.extend(edges.filter(|&e| other.edges[e as usize].facets[0] == f));
        }
        let own = partner as usize == surface;
        others.retain(|&e| {
            let across = other.edges[e as usize].ends;
            // pairs within one surface once
            (!own || e as usize > i)
                && way(other, across, other.drift, motion).overlaps(&query)
                && !(own && touching(other, ridge.places(), across))
        });
        others.sort_unstable();
        for k in 0..scratch.others.len() {
            let Some(across) = Ridge::of(other, scratch.others[k], motion) else {
                continue;
            };
            if let Some(mut near) = meet(ridge, &across, own, motion, &mut scratch.near) {
                near.surfaces = [surface as u32, partner];
                found.push(near);
            }
        }
    }
}

/// Box around the way of an edge, given by its ends, in the frame that moves by `drift`.
fn way(skin: &Skin, ends: [u32; 2], drift: Vec3, motion: &Motion) -> Aabb {
    ends.iter().fold(Aabb::EMPTY, |b, &v| {
        let p = skin.vertices[v as usize];
        let x = motion.at(p);
        b.with(x).with(x + (motion.shift(p) - drift))
    })
}

/// Whether two edges of one surface share a vertex or are joined by an edge.
pub(super) fn touching(skin: &Skin, a: [u32; 2], b: [u32; 2]) -> bool {
    a.iter()
        .any(|&v| b.iter().any(|w| skin.rings.row(v as usize).contains(w)))
}

/// The contact of two ridges: near each other now, or across each other during the step.
fn meet(a: &Ridge, b: &Ridge, own: bool, motion: &Motion, near: &mut Vec<u32>) -> Option<Near> {
    let (d, e) = (a.along(), b.along());
    let across = d.cross(e);
    if across.norm() <= PARALLEL * d.norm() * e.norm() {
        return None;
    }
    let normal = across.normalized()?;
    let normal = if b.faces(normal) && a.faces(-normal) {
        normal
    } else if b.faces(-normal) && a.faces(normal) {
        -normal
    } else {
        return None;
    };
    let gap = normal.dot(a.ends[0] - b.ends[0]);
    let parameters = if gap.abs() <= motion.alarm
        && let Some([s, t]) = crossing_point(a.ends, b.ends)
    {
        if gap < -motion.flush
            && !overlap([a, b], [a.at(s), b.at(t)], normal, gap, own, motion, near)
        {
            return None;
        }
        [s, t]
    } else if gap >= 0.0 && motion.moves() {
        sweep_point(a, b, motion)?
    } else {
        return None;
    };
    let [s, t] = parameters;
    let mut near = Near {
        surfaces: [0; 2],
        kind: NearKind::EdgeEdge,
        points: [a.points[0], a.points[1], b.points[0], b.points[1]],
        weights: [1.0 - s, s, t - 1.0, -t],
        count: 4,
        normal,
        gap: 0.0,
    };
    near.gap = near.along_normal(motion.positions);
    Some(near)
}

/// Parameters of the points at which two lines are closest, if inside both edges.
fn crossing_point(a: [Vec3; 2], b: [Vec3; 2]) -> Option<[f64; 2]> {
    let (d, e, r) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let across = d.cross(e);
    let scale = across.norm_squared();
    let s = r.cross(e).dot(across) / scale;
    let t = r.cross(d).dot(across) / scale;
    let inside = |s: f64| s > INSIDE && s < 1.0 - INSIDE;
    (inside(s) && inside(t)).then_some([s, t])
}

/// Whether the bodies really overlap where one edge is behind the other: each point is inside the other body. Else they
/// only look at each other through thin bodies.
fn overlap(
    [a, b]: [&Ridge; 2],
    [on_a, on_b]: [Vec3; 2],
    normal: Vec3,
    gap: f64,
    own: bool,
    motion: &Motion,
    near: &mut Vec<u32>,
) -> bool {
    if own {
        let start = on_a - a.outward.normalized().unwrap_or(Vec3::ZERO) * motion.flush;
        a.skin
            .holds_itself(start, -normal, &a.places(), motion, near)
    } else {
        b.skin.holds(on_a, 1.001 * gap.abs(), motion, near)
            && a.skin.holds(on_b, 1.001 * gap.abs(), motion, near)
    }
}

/// Parameters at the first time at which the edges cross.
fn sweep_point(a: &Ridge, b: &Ridge, motion: &Motion) -> Option<[f64; 2]> {
    let points = [a.ends[0], a.ends[1], b.ends[0], b.ends[1]];
    let shifts = [a.points[0], a.points[1], b.points[0], b.points[1]].map(|p| motion.shift(p));
    let cubic = sweep::volume(points, shifts);
    if cubic.keeps_sign() {
        return None;
    }
    cubic.crossings().find_map(|crossing| {
        let [p, q, r, s] = [0, 1, 2, 3].map(|i| points[i] + shifts[i] * crossing.time);
        crossing_point([p, q], [r, s])
    })
}
