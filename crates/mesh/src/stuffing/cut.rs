//! Cut points on the lattice's edges, and warping: lattice vertices too close to a cut point move onto it, after
//! which no cut is close to an end of its edge and the stencils' angles are bounded [LS07].

use super::lattice::{Key, Lattice, half_cells};
use super::octree::Octree;
use super::solid::Solid;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// A vertex moves onto a cut point nearer than this fraction of a long edge (one cell).
///
/// The pair makes the smallest dihedral angle over all stencils largest: 10.78° to 164.74°, where [LS07] proves 10.7°
/// and 164.8°. It was found by a search over all extreme warps and cuts of a tetrahedron, which is no proof.
pub(super) const ALPHA_LONG: f64 = 0.28513;
/// The same for short edges (√3/2 cells).
pub(super) const ALPHA_SHORT: f64 = 0.39882;

/// Which side of the boundary a lattice vertex is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    /// Moved onto the boundary.
    On,
    Outside,
}

/// The lattice, cut and warped.
pub(super) struct Cut {
    pub(super) sides: Vec<Side>,
    /// Positions of the lattice's vertices, then of the cut points.
    pub(super) positions: Vec<Vec3>,
    /// Edges (smaller vertex first) with a cut point, ascending.
    pub(super) edges: Vec<[u32; 2]>,
}

impl Cut {
    /// Number of the cut point on the edge between two vertices.
    pub(super) fn point(&self, a: u32, b: u32) -> u32 {
        let edge = [a.min(b), a.max(b)];
        let place = self.edges.partition_point(|e| *e < edge);
        debug_assert_eq!(self.edges.get(place), Some(&edge));
        (self.sides.len() + place) as u32
    }
}

/// Side of each vertex. `known` tells it where the octree does already.
pub(super) fn sides(
    tree: &Octree,
    lattice: &Lattice,
    solid: &impl Solid,
    known: &[Option<bool>],
) -> Vec<Side> {
    lattice
        .vertices
        .par_iter()
        .zip(known)
        .map(|(&k, known)| {
            if known.unwrap_or_else(|| solid.inside(tree.point(half_cells(k)))) {
                Side::Inside
            } else {
                Side::Outside
            }
        })
        .collect()
}

/// Whether the edge between two lattice vertices is a long one: parallel to an axis.
pub(super) fn is_long(a: Key, b: Key) -> bool {
    let (p, q) = (half_cells(a), half_cells(b));
    (0..3).filter(|&k| p[k] != q[k]).count() == 1
}

/// Finds the cut points and warps the vertices.
pub(super) fn cut_and_warp(
    tree: &Octree,
    lattice: &Lattice,
    solid: &impl Solid,
    mut sides: Vec<Side>,
) -> Cut {
    let mut edges = Vec::new();
    for t in &lattice.tetrahedra {
        for i in 0..4 {
            for j in i + 1..4 {
                let (a, b) = (t[i].min(t[j]), t[i].max(t[j]));
                if sides[a as usize] != sides[b as usize] {
                    edges.push([a, b]);
                }
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut positions: Vec<Vec3> = lattice
        .vertices
        .iter()
        .map(|&k| tree.point(half_cells(k)))
        .collect();
    let points: Vec<Vec3> = edges
        .par_iter()
        .map(|&[a, b]| {
            let (p, q) = (positions[a as usize], positions[b as usize]);
            if sides[a as usize] == Side::Inside {
                solid.crossing(p, q)
            } else {
                solid.crossing(q, p)
            }
        })
        .collect();

    // cuts of each vertex
    let mut starts = vec![0u32; sides.len() + 1];
    for &v in edges.as_flattened() {
        starts[v as usize + 1] += 1;
    }
    for v in 0..sides.len() {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut cuts_of = vec![0u32; 2 * edges.len()];
    for (c, edge) in edges.iter().enumerate() {
        for &v in edge {
            cuts_of[next[v as usize] as usize] = c as u32;
            next[v as usize] += 1;
        }
    }

    let mut alive = vec![true; edges.len()];
    for v in 0..sides.len() {
        let own = &cuts_of[starts[v] as usize..starts[v + 1] as usize];
        let mut closest: Option<(f64, Vec3)> = None;
        for &c in own {
            if !alive[c as usize] {
                continue;
            }
            let [a, b] = edges[c as usize].map(|w| lattice.vertices[w as usize]);
            let (length, alpha) = if is_long(a, b) {
                (tree.cell, ALPHA_LONG)
            } else {
                (0.75f64.sqrt() * tree.cell, ALPHA_SHORT)
            };
            let distance = (points[c as usize] - positions[v]).norm();
            if distance < alpha * length && closest.is_none_or(|(d, _)| distance < d) {
                closest = Some((distance, points[c as usize]));
            }
        }
        if let Some((_, point)) = closest {
            positions[v] = point;
            sides[v] = Side::On;
            for &c in own {
                alive[c as usize] = false;
            }
        }
    }
    let mut kept = Vec::new();
    for (c, edge) in edges.iter().enumerate() {
        if alive[c] {
            kept.push(*edge);
            positions.push(points[c]);
        }
    }
    Cut {
        sides,
        positions,
        edges: kept,
    }
}
