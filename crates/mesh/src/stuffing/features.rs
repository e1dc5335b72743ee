//! Sharp features: boundary nodes next to creases and corners move onto them [DOR13], and what gets in the way is
//! moved aside, as long as all angles keep the bounds of the plain mesh.
//!
//! Each boundary node lies on a set of patches: one on a smooth part, two on a crease, more at a corner. The mesh
//! follows the creases when the ends of every boundary edge and the corners of every facet share a patch; wherever
//! they do not, the facet cuts something off, and a node is moved onto the crease or corner between them.

use super::creases::Creases;
use super::relax::{Angles, Movable};
use super::solid::{Solid, SurfaceSolid};
use super::{FeatureReport, MAX_DIHEDRAL, MIN_DIHEDRAL};
use crate::adjacency::node_elements;
use crate::mesh::{Elements, Mesh};
use crate::surface::Surface;
use pliant_linalg::Vec3;

/// Creases and corners farther than this many cells from a node are not its business.
const REACH: f64 = 1.3;

/// Nodes tried for a corner, nearest first.
const CANDIDATES: usize = 6;

/// Rounds over all boundary edges.
const ROUNDS: usize = 5;

/// Steps of moving aside what a snapped node has squeezed, in cells.
const STEPS: [f64; 8] = [0.2, 0.1, 0.05, 0.02, 0.02, 0.02, 0.02, 0.02];

/// Passes of snapping and flipping.
const PASSES: usize = 4;

/// Where a node may move.
#[derive(Clone, Debug, PartialEq)]
enum Hold {
    /// Anywhere: not on the boundary.
    Free,
    /// On a patch of the surface.
    Patch([u32; 1]),
    /// Along the crease between two patches.
    Crease([u32; 2]),
    /// Nowhere: at a corner with these patches, or on the boundary without a patch nearby.
    Fixed(Vec<u32>),
}

impl Hold {
    fn patches(&self) -> &[u32] {
        match self {
            Hold::Free => &[],
            Hold::Patch(p) => p,
            Hold::Crease(p) => p,
            Hold::Fixed(p) => p,
        }
    }
}

struct Snapper<'a, 'b> {
    movable: &'a mut Movable<'b>,
    creases: &'a Creases,
    solid: &'a SurfaceSolid<'a>,
    cell: f64,
    holds: Vec<Hold>,
    limits: Angles,
}

/// What snapping leaves for others.
pub(super) struct Snapped {
    pub(super) report: FeatureReport,
    /// Nodes that must stay where they are.
    pub(super) fixed: Vec<bool>,
    /// Facets of the boundary that still cut something off.
    pub(super) cutting: Vec<bool>,
}

/// Snaps nodes to the features; single tetrahedra are added or removed where only that uncovers a crease.
pub(super) fn snap(mesh: &mut Mesh, creases: &Creases, solid: &SurfaceSolid, cell: f64) -> Snapped {
    let mut holds = vec![Hold::Free; mesh.positions.len()];
    let mut boundary = Surface::of(mesh);
    for &n in &boundary.nodes {
        let found = solid.closest(mesh.positions[n as usize], 0.5 * cell);
        holds[n as usize] = match found {
            Some((_, t)) => Hold::Patch([creases.patch_of[t as usize]]),
            None => Hold::Fixed(Vec::new()),
        };
    }
    let mut report = FeatureReport::default();
    for pass in 0..PASSES {
        let at_node = node_elements(mesh);
        let Elements::Tetrahedra(tetrahedra) = &mesh.elements else {
            break;
        };
        let mut movable = Movable {
            positions: mesh.positions.clone(),
            tetrahedra,
            at_node: &at_node,
        };
        let mut snapper = Snapper {
            movable: &mut movable,
            creases,
            solid,
            cell,
            holds,
            limits: Angles::new(MIN_DIHEDRAL, MAX_DIHEDRAL),
        };
        if pass == 0 {
            snapper.corners(&boundary, &mut report);
        }
        let edges = boundary_edges(&boundary);
        for _ in 0..ROUNDS {
            if !snapper.edges(&edges) & !snapper.facets(&boundary.triangles) {
                break;
            }
        }
        let flips = snapper.flips(&boundary);
        let cut_off = edges.iter().filter(|&&e| snapper.cuts(e)).count();
        holds = snapper.holds;
        mesh.positions = movable.positions;
        let on_creases = |h: &&Hold| matches!(h, Hold::Crease(_));
        report.edge_nodes_met = holds.iter().filter(on_creases).count();
        report.edge_nodes = report.edge_nodes_met + cut_off;
        if flips.is_empty() {
            break;
        }
        flips.apply(mesh);
        boundary = Surface::of(mesh);
    }
    let shares = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|n| holds[n as usize].patches());
        a.iter().any(|p| b.contains(p) && c.contains(p))
    };
    Snapped {
        report,
        fixed: holds
            .iter()
            .map(|h| !matches!(h, Hold::Free | Hold::Patch(_)))
            .collect(),
        cutting: boundary.triangles.iter().map(|t| !shares(t)).collect(),
    }
}

/// Edges of the boundary, smaller node first, ascending.
fn boundary_edges(boundary: &Surface) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = boundary
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Tetrahedra to add and to remove.
#[derive(Default)]
struct Flips {
    added: Vec<[u32; 4]>,
    removed: Vec<u32>,
}

impl Flips {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn apply(&self, mesh: &mut Mesh) {
        if let Elements::Tetrahedra(list) = &mut mesh.elements {
            let mut e = 0;
            list.retain(|_| {
                e += 1;
                !self.removed.contains(&(e - 1))
            });
            list.extend(&self.added);
            mesh.regions = vec![0; list.len()];
        }
    }
}

impl Snapper<'_, '_> {
    fn at(&self, n: u32) -> Vec3 {
        self.movable.positions[n as usize]
    }

    fn patches(&self, n: u32) -> &[u32] {
        self.holds[n as usize].patches()
    }

    fn share(&self, a: u32, b: u32) -> bool {
        self.patches(a).iter().any(|p| self.patches(b).contains(p))
    }

    /// Whether the three nodes lie on one patch.
    fn share_all(&self, t: &[u32; 3]) -> bool {
        let on_all = |p: &u32| t[1..].iter().all(|&n| self.patches(n).contains(p));
        self.patches(t[0]).iter().any(on_all)
    }

    /// Whether the edge cuts off a crease: its ends share no patch though a crease lies between them.
    fn cuts(&self, [a, b]: [u32; 2]) -> bool {
        !self.share(a, b)
            && self
                .creases
                .closest(
                    (self.at(a) + self.at(b)) * 0.5,
                    REACH * self.cell,
                    self.patches(a),
                    self.patches(b),
                )
                .is_some()
    }

    /// A node for every corner with boundary nearby.
    fn corners(&mut self, boundary: &Surface, report: &mut FeatureReport) {
        let boxes: Vec<_> = boundary
            .nodes
            .iter()
            .map(|&n| crate::aabb::Aabb::of(&[self.at(n)]))
            .collect();
        let tree = crate::bvh::Bvh::new(&boxes);
        let creases = self.creases;
        let mut near = Vec::new();
        for corner in &creases.corners {
            near.clear();
            let around = crate::aabb::Aabb::of(&[corner.position]).grown(REACH * self.cell);
            tree.near_box(&around, &mut near);
            let mut candidates: Vec<(f64, u32)> = near
                .iter()
                .map(|&i| boundary.nodes[i as usize])
                .filter(|&n| matches!(&self.holds[n as usize], Hold::Patch([p]) if corner.patches.contains(p)))
                .map(|n| ((self.at(n) - corner.position).norm(), n))
                .filter(|c| c.0 < REACH * self.cell)
                .collect();
            if candidates.is_empty() || self.is_buried(corner.position) {
                continue;
            }
            candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            candidates.truncate(CANDIDATES);
            report.corners += 1;
            let hold = Hold::Fixed(corner.patches.clone());
            if candidates
                .iter()
                .any(|&(_, n)| self.place(n, corner.position, hold.clone()))
            {
                report.corners_met += 1;
            }
        }
    }

    /// Whether a corner lies inside another part of the surface that overlaps its own.
    fn is_buried(&self, corner: Vec3) -> bool {
        let step = 0.05 * self.cell;
        (0..8).all(|k| {
            let side = |axis: usize| if k >> axis & 1 == 0 { -step } else { step };
            self.solid
                .inside(corner + Vec3::new(side(0), side(1), side(2)))
        })
    }

    /// Moves an end of every edge that cuts a crease onto it, nearest first; true if any moved.
    fn edges(&mut self, edges: &[[u32; 2]]) -> bool {
        let mut wanted: Vec<(f64, u32, [u32; 2])> = Vec::new();
        for &[a, b] in edges {
            if self.share(a, b) {
                continue;
            }
            for (n, other) in [(a, b), (b, a)] {
                if let Some((point, _)) = self.target(n, other) {
                    wanted.push(((point - self.at(n)).norm(), n, [a, b]));
                }
            }
        }
        wanted.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.2, x.1).cmp(&(y.2, y.1))));
        let mut moved = false;
        for (_, n, [a, b]) in wanted {
            if self.share(a, b) {
                continue;
            }
            let other = a + b - n;
            if let Some((point, pair)) = self.target(n, other) {
                moved |= self.place(n, point, Hold::Crease(pair));
            }
        }
        moved
    }

    /// Where node `n` would have to go to share a patch with `other`.
    fn target(&self, n: u32, other: u32) -> Option<(Vec3, [u32; 2])> {
        let Hold::Patch(own) = &self.holds[n as usize] else {
            return None;
        };
        let reach = REACH * self.cell;
        self.creases
            .closest(self.at(n), reach, own, self.patches(other))
    }

    /// Moves a corner of every facet that cuts off a corner of the surface; true if any moved.
    fn facets(&mut self, triangles: &[[u32; 3]]) -> bool {
        let mut moved = false;
        for t in triangles {
            if self.share_all(t)
                || !(self.share(t[0], t[1]) && self.share(t[1], t[2]) && self.share(t[2], t[0]))
            {
                continue;
            }
            // a node on one patch can go to the crease of its neighbours
            for k in 0..3 {
                let [n, a, b] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
                let Hold::Patch(own) = self.holds[n as usize].clone() else {
                    continue;
                };
                let shared: Vec<u32> = self
                    .patches(a)
                    .iter()
                    .copied()
                    .filter(|p| self.patches(b).contains(p))
                    .collect();
                let reach = REACH * self.cell;
                if let Some((point, pair)) = self.creases.closest(self.at(n), reach, &own, &shared)
                    && self.place(n, point, Hold::Crease(pair))
                {
                    moved = true;
                    break;
                }
            }
        }
        moved
    }

    /// Where an edge u v bridges a crease that two other nodes a, b of its facets are on: the tetrahedron u v a b fills
    /// the gap in front of a convex crease, or is taken out of a concave one, so that a b becomes the edge.
    fn flips(&self, boundary: &Surface) -> Flips {
        let mut sides: Vec<([u32; 2], u32, u32)> = Vec::new();
        for (f, &[a, b, c]) in boundary.triangles.iter().enumerate() {
            for (u, v, apex) in [(a, b, c), (b, c, a), (c, a, b)] {
                sides.push(([u.min(v), u.max(v)], apex, f as u32));
            }
        }
        sides.sort_unstable();
        let mut flips = Flips::default();
        let mut touched: Vec<u32> = Vec::new();
        for pair in sides.chunk_by(|x, y| x.0 == y.0) {
            let &[(_, a, f), (_, b, g)] = pair else {
                continue;
            };
            let [u, v] = pair[0].0;
            if self.share(u, v) || [u, v, a, b].iter().any(|n| touched.contains(n)) {
                continue;
            }
            let common = |n: u32| {
                let on = |m: u32, p: &u32| self.patches(m).contains(p);
                self.patches(n).iter().any(|p| on(a, p) && on(b, p))
            };
            if !common(u) || !common(v) {
                continue;
            }
            let joined = |&t: &u32| self.movable.tetrahedra[t as usize].contains(&b);
            let (owner, other) = (boundary.owners[f as usize], boundary.owners[g as usize]);
            if owner == other {
                // every node must keep other tetrahedra, and a b must not be on the boundary already
                let lonely = |n: u32| self.movable.at_node.row(n as usize).len() < 2;
                let inner = self
                    .movable
                    .at_node
                    .row(a as usize)
                    .iter()
                    .filter(|&t| joined(t));
                if inner.count() > 1 && ![u, v, a, b].into_iter().any(lonely) {
                    let on_boundary = boundary
                        .triangles
                        .iter()
                        .any(|t| t.contains(&a) && t.contains(&b));
                    if !on_boundary {
                        flips.removed.push(owner);
                        touched.extend([u, v, a, b]);
                    }
                }
            } else if !self.movable.at_node.row(a as usize).iter().any(joined) {
                // outward facets: u v a from the side of a
                let ring = boundary.triangles[f as usize];
                let tetrahedron = [ring[0], ring[1], ring[2], b];
                if self.movable.angles(tetrahedron).within(&self.limits) {
                    flips.added.push(tetrahedron);
                    touched.extend([u, v, a, b]);
                }
            }
        }
        flips
    }

    /// Puts node `n` at `point` if the angles can be kept; otherwise nothing changes.
    fn place(&mut self, n: u32, point: Vec3, hold: Hold) -> bool {
        let old_hold = std::mem::replace(&mut self.holds[n as usize], hold);
        let mut undo = vec![(n, self.at(n))];
        self.movable.positions[n as usize] = point;
        let mut squeezed = Vec::new();
        for step in STEPS {
            self.squeezed_around(&undo, &mut squeezed);
            if squeezed.is_empty() {
                return true;
            }
            for &m in &squeezed {
                let before = self.at(m);
                if m != n && self.ease(m, step) {
                    undo.push((m, before));
                }
            }
        }
        self.squeezed_around(&undo, &mut squeezed);
        if squeezed.is_empty() {
            return true;
        }
        for &(m, position) in undo.iter().rev() {
            self.movable.positions[m as usize] = position;
        }
        self.holds[n as usize] = old_hold;
        false
    }

    /// Nodes of tetrahedra beyond the limits at the nodes that moved, ascending.
    fn squeezed_around(&self, moved: &[(u32, Vec3)], out: &mut Vec<u32>) {
        out.clear();
        for &(m, _) in moved {
            for &t in self.movable.at_node.row(m as usize) {
                if !self.movable.angles_of(t).within(&self.limits) {
                    out.extend(self.movable.tetrahedra[t as usize]);
                }
            }
        }
        out.sort_unstable();
        out.dedup();
    }

    /// Moves node `m` a step to wherever the worst angle at it is best; true if that is elsewhere.
    fn ease(&mut self, m: u32, step: f64) -> bool {
        if matches!(self.holds[m as usize], Hold::Fixed(_)) {
            return false;
        }
        let start = self.at(m);
        let mut best = (self.movable.angles_at(m).badness(), start);
        for k in 0..27 {
            let direction = Vec3::new(
                f64::from(k % 3 - 1),
                f64::from(k / 3 % 3 - 1),
                f64::from(k / 9 - 1),
            );
            let Some(direction) = direction.normalized() else {
                continue;
            };
            let Some(point) = self.allowed(m, start + direction * (step * self.cell)) else {
                continue;
            };
            self.movable.positions[m as usize] = point;
            let badness = self.movable.angles_at(m).badness();
            if badness < best.0 - 1e-9 {
                best = (badness, point);
            }
        }
        self.movable.positions[m as usize] = best.1;
        best.1 != start
    }

    /// The point nearest to `wish` where node `m` may be.
    fn allowed(&self, m: u32, wish: Vec3) -> Option<Vec3> {
        let limit = 0.5 * self.cell;
        match &self.holds[m as usize] {
            Hold::Free => Some(wish),
            Hold::Patch([p]) => {
                let creases = self.creases;
                self.solid
                    .closest_where(wish, limit, |t| creases.patch_of[t as usize] == *p)
            }
            Hold::Crease([p, q]) => self.creases.closest(wish, limit, &[*p], &[*q]).map(|c| c.0),
            Hold::Fixed(_) => None,
        }
    }
}
