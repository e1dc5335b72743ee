//! A vertex against the facets of a surface: normally one contact, with the nearest feature in sight; several in a
//! pocket whose walls differ by more than 45° and see each other.
//!
//! Two kinds of contact are collected. *Planes*: the point is over or under a facet, or beside it by no more than
//! the flush distance, or beside it across a groove; the normal is the facet's. *Directions*: the nearest point is on
//! an edge or corner and no facet around it is nearer; the normal runs from there to the vertex. Either counts only
//! if it opposes one of the vertex's own outward normals, so that the back of a thin body is never in contact, and
//! a vertex behind a facet counts only if it really is inside.

use super::feature::{Closest, Part, barycentric};
use super::skin::Skin;
use super::sweep;
use super::{Motion, Near, NearKind};
use crate::aabb::Aabb;
use pliant_linalg::Vec3;

/// Cosine between a contact normal and the reversed normal of the vertex (the best around it) that is enough: 78°.
const FACING: f64 = 0.2;

/// Where a vertex overlaps, a contact below `STRONG` displaces those above `WEAK`: cosines of 45° and 60°, negative.
const STRONG: f64 = -0.7;
const WEAK: f64 = -0.5;

/// Cosine of 45°: normals closer than that are one contact.
const DISTINCT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// How far outside a facet, in barycentric weights, a crossing still counts, so that nothing slips between two.
const SEAM: f64 = 1e-9;

/// A possible contact of the vertex at hand.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    facet: u32,
    /// On the facet.
    point: Vec3,
    /// Where the facet lies as seen from other candidates: its middle, or `point` for directions.
    stands: Vec3,
    normal: Vec3,
    gap: f64,
    distance: f64,
    /// Least cosine with the vertex's normals: −1 opposes perfectly.
    opposing: f64,
    weights: [f64; 3],
}

/// Working memory of one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub near: Vec<u32>,
    pub others: Vec<u32>,
    seen: Vec<Part>,
    /// Outward normals around the vertex and their mean.
    normals: Vec<Vec3>,
    candidates: Vec<Candidate>,
    kept: Vec<Candidate>,
}

/// One vertex against one surface.
struct Query<'a> {
    skin: &'a Skin,
    motion: &'a Motion<'a>,
    point: u32,
    x: Vec3,
    /// Place of the vertex in `skin.vertices` when it is its own surface.
    own: Option<u32>,
    /// Angle-weighted normal of the vertex, not of unit length.
    outward: Vec3,
}

/// Appends the contacts of vertex `i` of a surface with its wanted partners.
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
    let point = skin.vertices[i];
    let x = motion.at(point);
    let mut outward = None;
    for &partner in partners.iter().filter(|&&p| wanted(p)) {
        let other = &skins[partner as usize];
        let way = motion.shift(point) - other.drift;
        let query = Aabb::of(&[x, x + way]).grown(motion.alarm);
        if !query.overlaps(&other.bounds) {
            continue;
        }
        let own = (partner as usize == surface).then_some(i as u32);
        other.near_box(&query, &mut scratch.near);
        scratch.near.retain(|&f| match own {
            Some(v) => !other.in_ring(v, f),
            None => !other.facets[f as usize].contains(&point),
        });
        if scratch.near.is_empty() {
            continue;
        }
        let outward = *outward.get_or_insert_with(|| {
            let mean = skin.vertex_normal(i as u32, motion);
            let facets = skin.vertex_facets.row(i).iter();
            scratch.normals.clear();
            scratch
                .normals
                .extend(facets.map(|&f| skin.normals[f as usize]));
            scratch.normals.extend(mean.normalized());
            mean
        });
        let query = Query {
            skin: other,
            motion,
            point,
            x,
            own,
            outward,
        };
        query.collect(scratch);
        query.select(scratch);
        if motion.moves() {
            query.sweep(scratch);
        }
        found.extend(
            scratch
                .kept
                .iter()
                .map(|c| query.contact(c, [surface as u32, partner])),
        );
    }
}

/// Least cosine between `normal` and the vertex's normals.
fn opposing(normals: &[Vec3], normal: Vec3) -> f64 {
    normals.iter().fold(1.0, |m, n| n.dot(normal).min(m))
}

impl Query<'_> {
    fn middle(&self, facet: u32) -> Vec3 {
        let [a, b, c] = self.skin.corner_positions(facet, self.motion);
        if self.skin.planar {
            (a + b) * 0.5
        } else {
            (a + b + c) / 3.0
        }
    }

    /// Fills `candidates` with what is within the alarm distance.
    fn collect(&self, scratch: &mut Scratch) {
        let Query {
            skin, motion, x, ..
        } = *self;
        let Scratch {
            near,
            others,
            seen,
            normals,
            candidates,
            ..
        } = scratch;
        candidates.clear();
        seen.clear();
        let mut nearest: Option<Closest> = None;
        let mut add = |facet: u32, closest: &Closest, normal: Vec3, stands: Option<Vec3>| {
            let opposing = opposing(normals, normal);
            if opposing < -FACING {
                candidates.push(Candidate {
                    facet,
                    point: closest.point,
                    stands: stands.unwrap_or(closest.point),
                    normal,
                    gap: closest.offset.dot(normal),
                    distance: closest.distance,
                    opposing,
                    weights: skin.weights(facet, closest.point, motion),
                });
            }
        };
        let limit = motion.alarm * motion.alarm;
        for &f in near.iter() {
            if skin.box_distance_squared(f, x, motion) > limit {
                continue;
            }
            let closest = skin.closest(f, x, motion);
            if closest.distance > motion.alarm {
                continue;
            }
            if nearest.is_none_or(|n| closest.distance < n.distance) {
                nearest = Some(closest);
            }
            let normal = skin.normals[f as usize];
            if let Part::Facet(_) = closest.part {
                add(f, &closest, normal, Some(self.middle(f)));
                continue;
            }
            let pocket = skin.is_pocket(closest.part, motion);
            let beside = closest.offset - normal * closest.offset.dot(normal);
            if normal != Vec3::ZERO && (pocket || beside.norm() <= motion.flush) {
                add(f, &closest, normal, Some(self.middle(f)));
            }
            if !pocket && !seen.contains(&closest.part) {
                seen.push(closest.part);
                if let Some(normal) = self.direction(&closest) {
                    add(f, &closest, normal, None);
                }
            }
        }
        // behind a facet, but outside the body or only on the other side of it
        let behind = candidates.iter().filter(|c| c.gap < -motion.flush);
        let Some(deepest) = behind.reduce(|m, c| if c.opposing < m.opposing { c } else { m })
        else {
            return;
        };
        let inside = match self.own {
            Some(v) => {
                let start = x - self.outward.normalized().unwrap_or(Vec3::ZERO) * motion.flush;
                skin.holds_itself(start, -deepest.normal, &[v], motion, others)
            }
            None => nearest.is_some_and(|n| skin.is_behind(&n, motion)),
        };
        if !inside {
            candidates.retain(|c| c.gap >= -motion.flush);
        }
    }

    /// Outward unit vector between the nearest point, on an edge or corner, and the vertex; none if a facet there
    /// is nearer.
    fn direction(&self, closest: &Closest) -> Option<Vec3> {
        let Query {
            skin, motion, x, ..
        } = *self;
        if !skin.is_local_minimum(closest.part, x, closest.distance, motion) {
            return None;
        }
        let outward = skin.outward(closest.part, motion);
        if closest.distance <= motion.tiny {
            return outward.normalized();
        }
        let direction = closest.offset.normalized()?;
        Some(if direction.dot(outward) < 0.0 {
            -direction
        } else {
            direction
        })
    }

    /// Fills `kept`: the nearest candidate, of nearly equals the one that opposes best; then others that are
    /// another wall of the same pocket.
    fn select(&self, scratch: &mut Scratch) {
        let Scratch {
            candidates, kept, ..
        } = scratch;
        kept.clear();
        // an overlapping corner came in through the face that it looks at, however near another one is
        let overlaps = |c: &Candidate| c.gap <= self.motion.flush;
        if candidates
            .iter()
            .any(|c| overlaps(c) && c.opposing < STRONG)
        {
            candidates.retain(|c| !overlaps(c) || c.opposing < WEAK);
        }
        while let Some(least) = candidates
            .iter()
            .map(|c| c.distance)
            .reduce(|m, d| if d < m { d } else { m })
        {
            let best = candidates
                .iter()
                .filter(|c| c.distance <= least + self.motion.flush)
                .copied()
                .reduce(|m, c| {
                    let order = c
                        .opposing
                        .total_cmp(&m.opposing)
                        .then(c.distance.total_cmp(&m.distance));
                    if order.is_lt() { c } else { m }
                });
            let Some(best) = best else { break };
            kept.push(best);
            let flush = self.motion.flush;
            candidates.retain(|c| {
                c.normal.dot(best.normal) < DISTINCT
                    && best.normal.dot(c.stands - best.point) > flush
                    && c.normal.dot(best.stands - c.point) > flush
            });
        }
    }

    /// Appends to `kept` the first facet that the vertex would cross from its front, unless what is there already
    /// holds it back as much.
    fn sweep(&self, scratch: &mut Scratch) {
        let motion = self.motion;
        let mut first: Option<(f64, Candidate)> = None;
        for &f in &scratch.near {
            let normal = self.skin.normals[f as usize];
            let opposing = opposing(&scratch.normals, normal);
            if opposing >= -FACING {
                continue;
            }
            let Some((time, weights)) = self.meeting(f) else {
                continue;
            };
            let corners = self.skin.corner_positions(f, motion);
            let point = (0..3).fold(Vec3::ZERO, |s, k| s + corners[k] * weights[k]);
            let offset = self.x - point;
            let gap = offset.dot(normal);
            let sooner = first
                .is_none_or(|(t, c)| time < t - SEAM || (time < t + SEAM && opposing < c.opposing));
            if gap >= -motion.flush && sooner {
                let candidate = Candidate {
                    facet: f,
                    point,
                    stands: point,
                    normal,
                    gap,
                    distance: offset.norm(),
                    opposing,
                    weights,
                };
                first = Some((time, candidate));
            }
        }
        let Some((_, candidate)) = first else { return };
        let end = self.gap_at_end(&candidate) + motion.flush;
        let held = scratch
            .kept
            .iter()
            .any(|c| c.normal.dot(candidate.normal) >= DISTINCT && self.gap_at_end(c) <= end);
        if !held {
            scratch.kept.push(candidate);
        }
    }

    /// When the vertex crosses the facet from its front, and the weights of where.
    fn meeting(&self, facet: u32) -> Option<(f64, [f64; 3])> {
        let Query {
            skin, motion, x, ..
        } = *self;
        let points = skin.facets[facet as usize];
        let [a, b, c] = points.map(|p| motion.at(p));
        let [da, db, dc] = points.map(|p| motion.shift(p));
        let dx = motion.shift(self.point);
        let cubic = if skin.planar {
            sweep::area([a, b, x], [da, db, dx])
        } else {
            sweep::volume([a, b, c, x], [da, db, dc, dx])
        };
        if cubic.keeps_sign() {
            return None;
        }
        cubic
            .crossings()
            .filter(|c| c.falling)
            .find_map(|crossing| {
                let t = crossing.time;
                let (a, b, c, x) = (a + da * t, b + db * t, c + dc * t, x + dx * t);
                let weights = if skin.planar {
                    let s = (x - a).dot(b - a) / (b - a).norm_squared();
                    [1.0 - s, s, 0.0]
                } else {
                    barycentric([a, b, c], x)?
                };
                if !weights.iter().all(|&w| w >= -SEAM) {
                    return None;
                }
                let weights = weights.map(|w| w.max(0.0));
                let sum: f64 = weights.iter().sum();
                Some((t, weights.map(|w| w / sum)))
            })
    }

    /// Gap after the displacements, with the normal and weights of now.
    fn gap_at_end(&self, c: &Candidate) -> f64 {
        let points = self.skin.facets[c.facet as usize];
        let shift = (0..3).fold(self.motion.shift(self.point), |s, k| {
            s - self.motion.shift(points[k]) * c.weights[k]
        });
        c.gap + c.normal.dot(shift)
    }

    fn contact(&self, c: &Candidate, surfaces: [u32; 2]) -> Near {
        let [p, q, r] = self.skin.facets[c.facet as usize];
        let [u, v, w] = c.weights;
        let planar = self.skin.planar;
        let mut near = Near {
            surfaces,
            kind: if planar {
                NearKind::VertexEdge
            } else {
                NearKind::VertexFace
            },
            points: [self.point, p, q, if planar { self.point } else { r }],
            weights: [1.0, -u, -v, if planar { 0.0 } else { -w }],
            count: if planar { 3 } else { 4 },
            normal: c.normal,
            gap: 0.0,
        };
        near.gap = near.along_normal(self.motion.positions);
        near
    }
}
