//! Which parts of a surface may touch the surface itself.
//!
//! A vertex meets a facet, or an edge an edge, only with a normal that opposes one of the facets around it: their angle is above L = 98.6°
//! (`FACING` of `vertex.rs` is 101.5°; the rest is for the slack of edges and for rounding). So parts whose facets all look about the same
//! way cannot touch: where the normals of one lie within an angle α around an axis, those of the other within β around theirs, and the axes are
//! θ apart, there is nothing if θ + α + β ≤ L. Only folds and parts that look at each other are left to be searched.
//!
//! A contact's normal is that of a facet or a local direction of shortest distance from an edge or corner. Around a corner whose facets are
//! within α ≤ 45° of an axis the surface is a graph over the plane across it with slopes up to tan α, so that such a direction is
//! within α as well, on the side of the mean normal. Therefore every facet counts with all that share a corner with it, and wider
//! parts, rims and facets without area exclude nothing.
//!
//! Cones come from boxes around normals, which are joined up the tree of facets like boxes around places.

use super::edge::touching;
use super::skin::{NONE, Skin};
use crate::aabb::Aabb;
use pliant_linalg::{Vec3, vec3};
use rayon::prelude::*;

/// Cosine and sine of L.
const LIMIT: [f64; 2] = [-0.15, 0.988_685_996_664_259_4];

/// Cosine of the widest cone that excludes anything, 45°.
const NARROW: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Normals of anything.
const ANY: Aabb = Aabb {
    low: vec3(-1.0, -1.0, -1.0),
    high: vec3(1.0, 1.0, 1.0),
};

/// Vertices or facets that one task looks after at least.
const SOME: usize = 512;

/// Directions within an angle around an axis; with a cosine below [`NARROW`] nothing is known.
#[derive(Clone, Copy, Debug)]
struct Cone {
    axis: Vec3,
    cosine: f64,
    sine: f64,
}

impl Cone {
    /// Of the unit vectors in a box: |n − c| ≤ r makes n · c/|c| ≥ (1 + |c|² − r²)/(2|c|).
    fn of(normals: &Aabb) -> Cone {
        let centre = normals.centre();
        let length = centre.norm();
        let cosine = match length > 0.5 {
            true => {
                let radius = (normals.high - centre).norm_squared();
                ((1.0 + length * length - radius) / (2.0 * length)).min(1.0)
            }
            false => -1.0,
        };
        Cone {
            axis: centre / length.max(0.5),
            cosine,
            sine: (1.0 - cosine * cosine).max(0.0).sqrt(),
        }
    }

    /// Whether no direction of one opposes one of the other.
    fn agrees(&self, other: &Cone) -> bool {
        // θ ≤ L − (α + β), both sides between 0 and 180°
        let cosine = self.cosine * other.cosine - self.sine * other.sine;
        let sine = self.sine * other.cosine + self.cosine * other.sine;
        self.cosine >= NARROW
            && other.cosine >= NARROW
            && self.axis.dot(other.axis) >= LIMIT[0] * cosine + LIMIT[1] * sine
    }
}

/// Facets of a surface that may touch others of it; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Folds {
    of_vertices: Vec<Aabb>,
    of_facets: Vec<Aabb>,
    of_nodes: Vec<Aabb>,
    cones: Vec<Cone>,
    waiting: Vec<[u32; 2]>,
    /// Whether each facet may.
    pub marks: Vec<bool>,
}

impl Folds {
    /// Finds them anew. Normals, boxes and tree of `skin` are up to date; boxes are of what moves in the step.
    pub fn find(&mut self, skin: &Skin, alarm: f64) {
        let Folds {
            of_vertices,
            of_facets,
            of_nodes,
            cones,
            waiting,
            marks,
        } = self;
        marks.clear();
        marks.resize(skin.facets.len(), false);
        let Some(tree) = &skin.tree else {
            return;
        };
        let around = |v: usize| {
            let mut normals = Aabb::EMPTY;
            for &f in skin.vertex_facets.row(v) {
                let normal = skin.normals[f as usize];
                let rim = skin.facet_edges[f as usize]
                    .iter()
                    .any(|&e| skin.edges[e as usize].facets[1] == NONE);
                if rim || normal == Vec3::ZERO {
                    return ANY;
                }
                normals = normals.with(normal);
            }
            normals
        };
        let vertices = (0..skin.vertices.len()).into_par_iter();
        (vertices.with_min_len(SOME).map(around)).collect_into_vec(of_vertices);
        let of_facet = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|v| of_vertices[v as usize]);
            a.union(&b).union(&c)
        };
        let corners = skin.corners.par_iter().with_min_len(SOME);
        corners.map(of_facet).collect_into_vec(of_facets);
        of_nodes.resize(tree.node_count(), Aabb::EMPTY);
        for n in (0..tree.node_count()).rev() {
            of_nodes[n] = match tree.node(n) {
                Ok(items) => {
                    (items.iter()).fold(Aabb::EMPTY, |b, &f| b.union(&of_facets[f as usize]))
                }
                Err([left, right]) => of_nodes[left].union(&of_nodes[right]),
            };
        }
        cones.clear();
        cones.extend(of_nodes.iter().map(Cone::of));
        waiting.clear();
        waiting.push([0, 0]);
        while let Some([a, b]) = waiting.pop() {
            let [m, n] = [a as usize, b as usize];
            if cones[m].agrees(&cones[n])
                || (m != n && !tree.box_of(m).grown(alarm).overlaps(tree.box_of(n)))
            {
                continue;
            }
            match (tree.node(m), tree.node(n)) {
                (Ok(own), Ok(others)) => mark(skin, alarm, of_facets, own, others, marks),
                (Err([left, right]), _) if m == n => {
                    waiting.extend([[left, left], [left, right], [right, right]].map(numbers));
                }
                // the larger part is divided
                (Err(parts), Ok(_)) => waiting.extend(parts.map(|p| numbers([p, n]))),
                (Err(parts), Err(_)) if tree.box_of(m).diagonal() >= tree.box_of(n).diagonal() => {
                    waiting.extend(parts.map(|p| numbers([p, n])));
                }
                (_, Err(parts)) => waiting.extend(parts.map(|p| numbers([m, p]))),
            }
        }
    }
}

fn numbers(nodes: [usize; 2]) -> [u32; 2] {
    nodes.map(|n| n as u32)
}

/// Marks facets of two leaves that may touch.
fn mark(
    skin: &Skin,
    alarm: f64,
    normals: &[Aabb],
    own: &[u32],
    others: &[u32],
    marks: &mut [bool],
) {
    for &f in own {
        let bounds = skin.boxes[f as usize].grown(alarm);
        let cone = Cone::of(&normals[f as usize]);
        for &g in others {
            if f != g
                && !(marks[f as usize] && marks[g as usize])
                && bounds.overlaps(&skin.boxes[g as usize])
                && !cone.agrees(&Cone::of(&normals[g as usize]))
                && !excluded(skin, f, g)
            {
                marks[f as usize] = true;
                marks[g as usize] = true;
            }
        }
    }
}

/// Whether every corner of one is next to the other and every edge next to every edge, so that they are not asked about each other.
fn excluded(skin: &Skin, f: u32, g: u32) -> bool {
    let near = |f: u32, g: u32| {
        let corners = skin.corners[f as usize];
        corners.iter().all(|&v| skin.in_ring(v, g))
    };
    let ends = |f: u32| skin.facet_edges[f as usize].map(|e| skin.edges[e as usize].ends);
    near(f, g)
        && near(g, f)
        && ends(f)
            .iter()
            .all(|&a| ends(g).iter().all(|&b| touching(skin, a, b)))
}
