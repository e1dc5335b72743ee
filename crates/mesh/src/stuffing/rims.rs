//! Rims: where the surface is thinner than the lattice resolves, cut points sample its rim unevenly and the boundary
//! has saw teeth. Nodes along such rims move until the mesh reaches the surface between the teeth.
//!
//! A facet knows how far it is from the surface, but not what it fails to cover; so points of the surface near sharp
//! edges of the boundary pull the nearest facets towards them, and lines of sharp edges are straightened.

use super::relax::{Angles, Movable};
use super::solid::SurfaceSolid;
use crate::aabb::Aabb;
use crate::adjacency::Csr;
use crate::bvh::Bvh;
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::closest_on_triangle;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// Rounds of sampling and moving.
const ROUNDS: usize = 3;

/// Edges of the boundary at which it turns by more are sharp, degrees.
const SHARP: f64 = 40.0;

/// No move makes the boundary turn by more at an edge, degrees: facets would fold onto each other.
const SHARPEST: f64 = 120.0;

/// No move bends the boundary around a node more than by this factor; a little more lets teeth meet halfway.
const MORE_BEND: f64 = 1.1;

/// Distance between samples of the surface, cells.
const SPACING: f64 = 0.35;

/// Samples farther than this many cells from every facet belong to something that the mesh has lost.
const REACH: f64 = 0.75;

/// How far a node on a line of sharp edges goes to the middle of its neighbours on the line in a round.
const STRAIGHTENING: f64 = 0.3;

/// Moves shorter than this many cells are left out.
const SMALLEST_MOVE: f64 = 0.01;

/// No node moves farther from the surface than this many cells.
const FARTHEST: f64 = 0.32;

/// Angles that a move may not newly exceed, degrees.
const LIMITS: [f64; 2] = [15.0, 150.0];

/// Moves nodes along jagged rims, except those with `fixed[n]`; a boundary without sharp edges stays as it is.
pub(super) fn smooth(
    movable: &mut Movable,
    boundary: &Surface,
    surface: &SurfaceMesh,
    solid: &SurfaceSolid,
    cell: f64,
    fixed: &[bool],
) {
    let limits = Angles::new(LIMITS[0].to_radians(), LIMITS[1].to_radians());
    let (reach, farthest) = (REACH * cell, FARTHEST * cell);
    let skin = Skin::of(boundary, movable.positions.len());
    let mut is_rim = vec![false; movable.positions.len()];
    for [a, b] in skin.sharp_edges(&movable.positions) {
        for n in [a, b] {
            is_rim[n as usize] = !fixed[n as usize];
        }
    }
    let mut samples = samples(
        surface,
        &near_rim(boundary, movable, solid, &is_rim, reach),
        SPACING * cell,
    );
    if samples.is_empty() {
        return;
    }
    // rims and the nodes next to them
    let mut moves = vec![false; movable.positions.len()];
    for t in &boundary.triangles {
        if t.iter().any(|&n| is_rim[n as usize]) {
            t.iter()
                .for_each(|&n| moves[n as usize] = !fixed[n as usize]);
        }
    }
    let mut tree = Bvh::new(&skin.boxes(&movable.positions));
    for _ in 0..ROUNDS {
        let wishes = skin.wishes(&movable.positions, &tree, &mut samples, reach, &moves);
        let lines = skin.line_neighbours(&movable.positions);
        for &n in boundary.nodes.iter().filter(|&&n| moves[n as usize]) {
            let i = n as usize;
            let start = movable.positions[i];
            let mut target = start + wishes[i];
            if let Some(middle) = lines[i] {
                target += (middle - start) * STRAIGHTENING;
            }
            if (target - start).norm() < SMALLEST_MOVE * cell {
                continue;
            }
            let before = skin.bend_at(&movable.positions, n);
            let is_near = |p: Vec3| solid.closest(p, farthest).is_some();
            let was_near = is_near(start);
            movable.step_where(n, target, &limits, |positions| {
                skin.bend_at(positions, n).may_follow(&before)
                    && (!was_near || is_near(positions[i]))
            });
        }
        tree.refit(&skin.boxes(&movable.positions));
    }
}

/// The boundary with its neighbourhoods.
struct Skin<'a> {
    facets: &'a [[u32; 3]],
    /// Edges with two facets, ascending, and the facets.
    edges: Vec<([u32; 2], [u32; 2])>,
    /// Edges of the facets at each node, as indices into `edges`; those opposite to the node too.
    around: Csr,
}

impl Skin<'_> {
    fn of(boundary: &Surface, node_count: usize) -> Skin<'_> {
        let facets = &boundary.triangles;
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * facets.len());
        for (f, &[a, b, c]) in facets.iter().enumerate() {
            for [u, v] in [[a, b], [b, c], [c, a]] {
                sides.push(([u.min(v), u.max(v)], f as u32));
            }
        }
        sides.sort_unstable();
        let edges: Vec<([u32; 2], [u32; 2])> = sides
            .chunk_by(|x, y| x.0 == y.0)
            .filter_map(|sides| match *sides {
                [(edge, f), (_, g)] => Some((edge, [f, g])),
                _ => None,
            })
            .collect();
        let pairs = edges.iter().enumerate().flat_map(|(e, &([a, b], sides))| {
            let [c, d] = sides.map(|f| {
                let corners = facets[f as usize];
                corners
                    .into_iter()
                    .find(|n| ![a, b].contains(n))
                    .unwrap_or(a)
            });
            [a, b, c, d].map(|n| (n, e as u32))
        });
        let around = Csr::from_pairs(node_count, pairs);
        Skin {
            facets,
            edges,
            around,
        }
    }

    fn normal(&self, positions: &[Vec3], f: u32) -> Vec3 {
        let [a, b, c] = self.corners(positions, f);
        (b - a).cross(c - a).normalized().unwrap_or_default()
    }

    /// Edges at which the boundary turns by more than [`SHARP`].
    fn sharp_edges(&self, positions: &[Vec3]) -> Vec<[u32; 2]> {
        let limit = SHARP.to_radians().cos();
        let normals: Vec<Vec3> = (0..self.facets.len() as u32)
            .map(|f| self.normal(positions, f))
            .collect();
        let turn = |[f, g]: [u32; 2]| normals[f as usize].dot(normals[g as usize]);
        let sharp = self.edges.iter().filter(|e| turn(e.1) < limit);
        sharp.map(|e| e.0).collect()
    }

    /// Middle of the neighbours along sharp edges, for nodes with at least two.
    fn line_neighbours(&self, positions: &[Vec3]) -> Vec<Option<Vec3>> {
        let mut sums = vec![(Vec3::ZERO, 0.0); positions.len()];
        for [a, b] in self.sharp_edges(positions) {
            for (n, m) in [(a, b), (b, a)] {
                sums[n as usize].0 += positions[m as usize];
                sums[n as usize].1 += 1.0;
            }
        }
        let middle = |(sum, count): (Vec3, f64)| (count >= 2.0).then(|| sum / count);
        sums.into_iter().map(middle).collect()
    }

    fn corners(&self, positions: &[Vec3], f: u32) -> [Vec3; 3] {
        self.facets[f as usize].map(|n| positions[n as usize])
    }

    fn boxes(&self, positions: &[Vec3]) -> Vec<Aabb> {
        (0..self.facets.len() as u32)
            .map(|f| Aabb::of(&self.corners(positions, f)))
            .collect()
    }

    /// How each node would move for its facets to meet the samples nearest to them (least squares, lumped); samples
    /// that are out of reach or pull no node with `moves[n]` are dropped. `tree` holds the facets.
    fn wishes(
        &self,
        positions: &[Vec3],
        tree: &Bvh,
        samples: &mut Vec<Vec3>,
        reach: f64,
        moves: &[bool],
    ) -> Vec<Vec3> {
        let pulls: Vec<Option<(u32, Vec3)>> = samples
            .par_iter()
            .map(|&p| {
                let on = |f: u32| closest_on_triangle(self.corners(positions, f), p);
                let (f, _) = tree.nearest(p, reach * reach, |f| on(f).distance_squared)?;
                Some((f, on(f).point))
            })
            .collect();
        let mut shifts = vec![Vec3::ZERO; positions.len()];
        let mut weights = vec![0.0; positions.len()];
        let mut kept = Vec::with_capacity(samples.len());
        for (&sample, pull) in samples.iter().zip(&pulls) {
            let Some((f, point)) = *pull else { continue };
            if !self.facets[f as usize].iter().any(|&n| moves[n as usize]) {
                continue;
            }
            kept.push(sample);
            let shares = shares(self.corners(positions, f), point);
            for (n, share) in self.facets[f as usize].into_iter().zip(shares) {
                shifts[n as usize] += (sample - point) * share;
                weights[n as usize] += share;
            }
        }
        *samples = kept;
        let mean = |(shift, weight): (Vec3, f64)| {
            if weight > 0.0 {
                shift / weight
            } else {
                Vec3::ZERO
            }
        };
        shifts.into_iter().zip(weights).map(mean).collect()
    }

    /// How the boundary bends at the edges that change when node `n` moves.
    fn bend_at(&self, positions: &[Vec3], n: u32) -> Bend {
        let mut bend = Bend {
            of_sharpest: 1.0,
            total: 0.0,
        };
        for &e in self.around.row(n as usize) {
            let (edge, sides) = self.edges[e as usize];
            let [f, g] = sides.map(|f| self.normal(positions, f));
            let [a, b] = edge.map(|n| positions[n as usize]);
            let cosine = f.dot(g);
            bend.of_sharpest = bend.of_sharpest.min(cosine);
            bend.total += (1.0 - cosine) * (a - b).norm();
        }
        bend
    }
}

/// How some edges bend the boundary.
struct Bend {
    /// Cosine of the largest turn.
    of_sharpest: f64,
    /// Sum of length times one minus the cosine of the turn, m: teeth make rims longer and sharper.
    total: f64,
}

impl Bend {
    /// Whether a move from a state that bends like `before` is allowed.
    fn may_follow(&self, before: &Bend) -> bool {
        self.of_sharpest >= before.of_sharpest.min(SHARPEST.to_radians().cos())
            && self.total <= MORE_BEND * before.total
    }
}

/// Which triangles of the surface have boxes near nodes of a rim.
fn near_rim(
    boundary: &Surface,
    movable: &Movable,
    solid: &SurfaceSolid,
    is_rim: &[bool],
    reach: f64,
) -> Vec<u32> {
    let mut near = Vec::new();
    for &n in boundary.nodes.iter().filter(|&&n| is_rim[n as usize]) {
        let around = Aabb::of(&[movable.positions[n as usize]]).grown(reach);
        solid.near_box(&around, &mut near);
    }
    near.sort_unstable();
    near.dedup();
    near
}

/// Points on some triangles, about one per square of `spacing`.
fn samples(surface: &SurfaceMesh, triangles: &[u32], spacing: f64) -> Vec<Vec3> {
    let mut samples = Vec::new();
    let mut due = 0.0;
    for &t in triangles {
        let [a, b, c] = surface.corners(t as usize);
        let squares = 0.5 * (b - a).cross(c - a).norm() / (spacing * spacing);
        if squares < 1.0 {
            // small triangles share a sample
            due += squares;
            if due >= 1.0 {
                due -= 1.0;
                samples.push((a + b + c) / 3.0);
            }
            continue;
        }
        let parts = (squares.sqrt().ceil() as usize).min(2000);
        let width = 1.0 / parts as f64;
        for i in 0..parts {
            for j in 0..2 * (parts - i) - 1 {
                // centroids of upright and inverted parts alternate along a row
                let centroid = if j % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
                let u = (i as f64 + centroid) * width;
                let v = ((j / 2) as f64 + centroid) * width;
                samples.push(a + (b - a) * u + (c - a) * v);
            }
        }
    }
    samples
}

/// Barycentric coordinates of a point of the triangle.
fn shares([a, b, c]: [Vec3; 3], p: Vec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let whole = normal.norm_squared();
    if whole <= 0.0 {
        return [1.0 / 3.0; 3];
    }
    let share = |u: Vec3, v: Vec3| ((u - p).cross(v - p).dot(normal) / whole).clamp(0.0, 1.0);
    [share(b, c), share(c, a), share(a, b)]
}
