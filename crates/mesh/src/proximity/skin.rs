//! One surface prepared for searching: its connections, made once, and its normals, boxes and tree, refreshed at
//! every call.
//!
//! Boxes hold a facet's way through the step in the frame that drifts with the surface's mean displacement; a
//! query moves in the same frame, so that bodies travelling together have small boxes.

use super::{Motion, ProximitySurface};
use crate::aabb::Aabb;
use crate::adjacency::Csr;
use crate::bvh::Bvh;
use pliant_linalg::{Vec3, vec3};
use rayon::prelude::*;

/// Sine of 2°: how much an edge must be bent to meet others. A ridge stands out by about a quarter of angle times length, which is how
/// far a contact jumps when it appears; at 10° piles tremble for ever.
const BENT: f64 = 0.03489949670250097;

/// Facets that one task looks after at least.
const SOME: usize = 512;

/// Stands for no facet.
pub(super) const NONE: u32 = u32::MAX;

/// An edge of a triangle surface, in the direction of its first facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Ends as places in [`Skin::vertices`].
    pub ends: [u32; 2],
    /// The facet on its left and the one on its right; [`NONE`] at a rim.
    pub facets: [u32; 2],
}

#[derive(Clone, Debug)]
pub(super) struct Skin {
    pub planar: bool,
    pub touches_itself: bool,
    pub group: Option<u32>,
    /// Points in use, ascending.
    pub vertices: Vec<u32>,
    /// Corners as points.
    pub facets: Vec<[u32; 3]>,
    /// Corners as places in `vertices`.
    pub corners: Vec<[u32; 3]>,
    /// Edge from corner k to corner k+1; empty when planar.
    pub facet_edges: Vec<[u32; 3]>,
    /// Ascending by their smaller, then their larger end; empty when planar.
    pub edges: Vec<Edge>,
    /// Whether each edge is a ridge of the shape at rest; empty where that is not known.
    pub ridges: Vec<bool>,
    pub vertex_facets: Csr,
    /// Places in `vertices` that share a facet with a vertex, itself included.
    pub rings: Csr,
    /// Outward unit normals; zero for facets without area.
    pub normals: Vec<Vec3>,
    pub boxes: Vec<Aabb>,
    pub tree: Option<Bvh>,
    pub bounds: Aabb,
    /// Mean displacement, m.
    pub drift: Vec3,
}

impl Skin {
    pub fn new(surface: &ProximitySurface) -> Skin {
        let facets: Vec<[u32; 3]> = surface
            .facets
            .iter()
            .copied()
            .filter(|&[a, b, c]| a != b && (surface.planar || (b != c && c != a)))
            .collect();
        let mut vertices: Vec<u32> = facets.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let corners: Vec<[u32; 3]> = facets
            .iter()
            .map(|f| f.map(|p| vertices.partition_point(|&v| v < p) as u32))
            .collect();
        let per_facet = if surface.planar { 2 } else { 3 };
        let uses = corners
            .iter()
            .enumerate()
            .flat_map(move |(f, c)| c[..per_facet].iter().map(move |&v| (v, f as u32)));
        let vertex_facets = Csr::from_pairs(vertices.len(), uses);
        let mut rings = Csr {
            offsets: vec![0],
            items: Vec::new(),
        };
        let mut ring = Vec::new();
        for row in vertex_facets.rows() {
            ring.clear();
            ring.extend(row.iter().flat_map(|&f| corners[f as usize]));
            ring.sort_unstable();
            ring.dedup();
            rings.items.extend_from_slice(&ring);
            rings.offsets.push(rings.items.len() as u32);
        }
        let (edges, facet_edges) = if surface.planar {
            (Vec::new(), Vec::new())
        } else {
            connect(&corners)
        };
        Skin {
            planar: surface.planar,
            touches_itself: surface.touches_itself,
            group: surface.group,
            normals: vec![Vec3::ZERO; facets.len()],
            boxes: vec![Aabb::EMPTY; facets.len()],
            vertices,
            facets,
            corners,
            facet_edges,
            edges,
            ridges: Vec::new(),
            vertex_facets,
            rings,
            tree: None,
            bounds: Aabb::EMPTY,
            drift: Vec3::ZERO,
        }
    }

    /// Mean displacement and the box of everything on its way.
    pub fn bound(&mut self, motion: &Motion) {
        self.drift = Vec3::ZERO;
        if motion.moves() && !self.vertices.is_empty() {
            let sum = self
                .vertices
                .iter()
                .fold(Vec3::ZERO, |s, &v| s + motion.shift(v));
            self.drift = sum / self.vertices.len() as f64;
        }
        self.bounds = self.vertices.iter().fold(Aabb::EMPTY, |b, &v| {
            let x = motion.at(v);
            b.with(x).with(x + (motion.shift(v) - self.drift))
        });
    }

    /// Normals, boxes and tree at the new positions.
    pub fn refresh(&mut self, motion: &Motion) {
        let (planar, drift) = (self.planar, self.drift);
        let of_facet = |&[a, b, c]: &[u32; 3]| {
            let [p, q, r] = [a, b, c].map(|v| motion.at(v));
            let normal = if planar {
                // the body is on the left
                vec3(q.y - p.y, p.x - q.x, 0.0)
            } else {
                (q - p).cross(r - p)
            };
            let mut bounds = Aabb::of(&[p, q, r]);
            if motion.moves() {
                for (v, x) in [(a, p), (b, q), (c, r)] {
                    bounds = bounds.with(x + (motion.shift(v) - drift));
                }
            }
            (normal.normalized().unwrap_or(Vec3::ZERO), bounds)
        };
        let facets = self.facets.par_iter().with_min_len(SOME).map(of_facet);
        facets.unzip_into_vecs(&mut self.normals, &mut self.boxes);
        match &mut self.tree {
            Some(tree) => tree.refit(&self.boxes),
            None => self.tree = Some(Bvh::new(&self.boxes)),
        }
    }

    /// Facets whose boxes touch `query`, ascending: the same for any shape of the tree.
    pub fn near_box(&self, query: &Aabb, out: &mut Vec<u32>) {
        out.clear();
        if let Some(tree) = &self.tree {
            tree.near_box(query, out);
            out.retain(|&f| self.boxes[f as usize].overlaps(query));
            out.sort_unstable();
        }
    }

    pub fn corner_positions(&self, facet: u32, motion: &Motion) -> [Vec3; 3] {
        self.facets[facet as usize].map(|p| motion.at(p))
    }

    /// Whether a facet touches the ring of vertex `v`, a place in `vertices`.
    pub fn in_ring(&self, v: u32, facet: u32) -> bool {
        let ring = self.rings.row(v as usize);
        self.corners[facet as usize]
            .iter()
            .any(|c| ring.contains(c))
    }

    /// Sum of the normals around a vertex weighted by the facets' angles there [BA05]; not of unit length.
    pub fn vertex_normal(&self, v: u32, motion: &Motion) -> Vec3 {
        let x = motion.at(self.vertices[v as usize]);
        self.vertex_facets
            .row(v as usize)
            .iter()
            .fold(Vec3::ZERO, |sum, &f| {
                let normal = self.normals[f as usize];
                if self.planar {
                    return sum + normal;
                }
                let corners = self.corners[f as usize];
                let k = corners.iter().position(|&c| c == v).unwrap_or(0);
                let other = |i: usize| motion.at(self.facets[f as usize][(k + i) % 3]) - x;
                let (p, q) = (other(1), other(2));
                sum + normal * p.cross(q).norm().atan2(p.dot(q))
            })
    }

    /// Sine of the angle between the facets of an edge: positive on a ridge, negative in a groove.
    pub fn ridge(&self, edge: u32, motion: &Motion) -> f64 {
        let Edge { ends, facets } = self.edges[edge as usize];
        if facets[1] == NONE {
            return 0.0;
        }
        let [n, m] = facets.map(|f| self.normals[f as usize]);
        let [p, q] = ends.map(|v| motion.at(self.vertices[v as usize]));
        let sine = n.cross(m).dot((q - p).normalized().unwrap_or(Vec3::ZERO));
        // beyond a right angle the sine falls again
        if n.dot(m) < 0.0 { sine.signum() } else { sine }
    }

    /// Takes the present ridges for those at rest.
    pub fn note_ridges(&mut self, motion: &Motion) {
        let edges = 0..self.edges.len() as u32;
        self.ridges = edges.map(|edge| self.ridge(edge, motion) > BENT).collect();
    }

    /// Whether an edge is bent outwards by more than 2°, or is so at rest and not flat or hollow now: what presses on a ridge makes it
    /// blunt and must not lose it by that.
    pub fn is_ridge(&self, edge: u32, motion: &Motion) -> bool {
        let at_rest = self.ridges.get(edge as usize) == Some(&true);
        self.ridge(edge, motion) > if at_rest { 0.0 } else { BENT }
    }

    /// Like [`Skin::ridge`] for a corner of a plane body.
    pub fn turn(&self, v: u32) -> f64 {
        let [f, g] = *self.vertex_facets.row(v as usize) else {
            return 0.0;
        };
        // f ends where g begins
        let (f, g) = if self.corners[f as usize][1] == v {
            (f, g)
        } else {
            (g, f)
        };
        let (n, m) = (self.normals[f as usize], self.normals[g as usize]);
        let sine = n.x * m.y - n.y * m.x;
        if n.dot(m) < 0.0 { sine.signum() } else { sine }
    }
}

/// Edges of triangles and each triangle's three. Uses in opposite directions are paired; what is left over (rims,
/// third triangles, triangles turned round) becomes an edge with one facet.
fn connect(corners: &[[u32; 3]]) -> (Vec<Edge>, Vec<[u32; 3]>) {
    // (smaller end, larger end, whether it runs down, facet, place in the facet)
    let mut uses: Vec<(u32, u32, bool, u32, u8)> = Vec::with_capacity(3 * corners.len());
    for (f, c) in corners.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (c[k], c[(k + 1) % 3]);
            uses.push((a.min(b), a.max(b), a > b, f as u32, k as u8));
        }
    }
    uses.sort_unstable();
    let mut edges = Vec::with_capacity(uses.len() / 2);
    let mut facet_edges = vec![[NONE; 3]; corners.len()];
    for group in uses.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
        let ups = group.partition_point(|u| !u.2);
        let (up, down) = group.split_at(ups);
        for i in 0..up.len().max(down.len()) {
            let number = edges.len() as u32;
            for u in up.get(i).into_iter().chain(down.get(i)) {
                facet_edges[u.3 as usize][u.4 as usize] = number;
            }
            let (low, high) = (group[0].0, group[0].1);
            edges.push(match (up.get(i), down.get(i)) {
                (Some(u), d) => Edge {
                    ends: [low, high],
                    facets: [u.3, d.map_or(NONE, |d| d.3)],
                },
                (None, d) => Edge {
                    ends: [high, low],
                    facets: [d.map_or(NONE, |d| d.3), NONE],
                },
            });
        }
    }
    (edges, facet_edges)
}
