//! The graded octree behind the lattice: cubes of one cell at the boundary, doubling in size inwards.
//!
//! Coordinates are whole numbers of cells from the low corner of the root. Leaves that share a face or an edge
//! differ by at most one level, which is what the lattice's tetrahedra need.

use super::solid::Solid;
use crate::aabb::Aabb;
use pliant_linalg::{Vec3, vec3};

/// Deepest tree: corner coordinates in half cells then fit 21 bits.
pub(super) const DEEPEST: u32 = 19;

/// Leaves this close to the boundary, in cells, are one cell large. A vertex moves by at most 0.35 cells; the
/// tetrahedra at a centre reach into the next cube, half a cell farther on.
const FINE_MARGIN: f64 = 0.9;

const LEAF: u32 = u32::MAX;

/// Where a leaf lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The boundary may be within the margin.
    Near,
    /// All inside.
    Inside,
    /// All outside.
    Outside,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// First of eight children in a row, or [`LEAF`].
    children: u32,
    place: Place,
}

/// A leaf: low corner in cells, level (2^level cells wide), place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) low: [i32; 3],
    pub(super) level: u32,
    pub(super) place: Place,
}

pub(super) struct Octree {
    /// Low corner of the root, m.
    pub(super) origin: Vec3,
    /// Width of the smallest cube, m.
    pub(super) cell: f64,
    /// The root is 2^depth cells wide.
    depth: u32,
    nodes: Vec<Node>,
    node_limit: usize,
}

/// More nodes than allowed.
#[derive(Debug)]
pub(super) struct TooLarge;

impl Octree {
    /// Refines to the cell at the boundary, and to at most 2^`coarsest` cells inside. `shift` moves everything, m.
    pub(super) fn new(
        solid: &impl Solid,
        cell: f64,
        shift: Vec3,
        coarsest: u32,
        node_limit: usize,
    ) -> Result<Octree, TooLarge> {
        let bounds = solid.bounds();
        let extent = (bounds.high - bounds.low).max_abs();
        // two free cells all round
        let cells = (extent / cell).ceil() + 4.0;
        let mut depth = 0;
        while f64::from(1u32 << depth) < cells {
            depth += 1;
            if depth > DEEPEST {
                return Err(TooLarge);
            }
        }
        let half = 0.5 * cell * f64::from(1u32 << depth);
        let mut tree = Octree {
            origin: bounds.centre() + shift - vec3(half, half, half),
            cell,
            depth,
            nodes: vec![Node {
                children: LEAF,
                place: Place::Near,
            }],
            node_limit,
        };
        let mut stack = vec![(0usize, [0i32; 3], depth)];
        while let Some((n, low, level)) = stack.pop() {
            let cube = tree.cube(low, level);
            let place = if solid.boundary_near(&cube.grown(FINE_MARGIN * cell)) {
                Place::Near
            } else if solid.inside(cube.centre()) {
                Place::Inside
            } else {
                Place::Outside
            };
            tree.nodes[n].place = place;
            let large = match place {
                Place::Near => level > 0,
                Place::Inside => level > coarsest,
                Place::Outside => false,
            };
            if large {
                let first = tree.split(n)?;
                for k in (0..8).rev() {
                    stack.push((first + k, child_low(low, level, k), level - 1));
                }
            }
        }
        Ok(tree)
    }

    /// The box of a cube, m.
    pub(super) fn cube(&self, low: [i32; 3], level: u32) -> Aabb {
        let corner = self.point(low.map(|x| 2 * x));
        let width = self.cell * f64::from(1u32 << level);
        Aabb {
            low: corner,
            high: corner + vec3(width, width, width),
        }
    }

    /// The point at coordinates in half cells, m.
    pub(super) fn point(&self, half_cells: [i32; 3]) -> Vec3 {
        let [x, y, z] = half_cells.map(|c| 0.5 * self.cell * f64::from(c));
        self.origin + vec3(x, y, z)
    }

    fn split(&mut self, n: usize) -> Result<usize, TooLarge> {
        let first = self.nodes.len();
        if first + 8 > self.node_limit {
            return Err(TooLarge);
        }
        let child = Node {
            children: LEAF,
            place: self.nodes[n].place,
        };
        self.nodes.extend([child; 8]);
        self.nodes[n].children = first as u32;
        Ok(first)
    }

    /// Node index and leaf at the cell `at`, if it is in the root.
    fn find(&self, at: [i32; 3]) -> Option<(usize, Leaf)> {
        let width = 1i32 << self.depth;
        if at.iter().any(|&x| x < 0 || x >= width) {
            return None;
        }
        let (mut n, mut level) = (0, self.depth);
        while self.nodes[n].children != LEAF {
            level -= 1;
            let bit = |x: i32| (x >> level & 1) as usize;
            n = self.nodes[n].children as usize + (bit(at[0]) | bit(at[1]) << 1 | bit(at[2]) << 2);
        }
        let low = at.map(|x| x >> level << level);
        let place = self.nodes[n].place;
        Some((n, Leaf { low, level, place }))
    }

    /// The leaf that holds the cell `at`.
    pub(super) fn leaf_at(&self, at: [i32; 3]) -> Option<Leaf> {
        self.find(at).map(|(_, leaf)| leaf)
    }

    /// All leaves in depth-first order.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut stack = vec![(0usize, [0i32; 3], self.depth)];
        while let Some((n, low, level)) = stack.pop() {
            let node = self.nodes[n];
            if node.children == LEAF {
                let place = node.place;
                leaves.push(Leaf { low, level, place });
                continue;
            }
            for k in (0..8).rev() {
                stack.push((
                    node.children as usize + k,
                    child_low(low, level, k),
                    level - 1,
                ));
            }
        }
        leaves
    }

    /// Splits the leaf at `at` into single cells near the boundary; true if that changed anything.
    pub(super) fn refine_fully(&mut self, at: [i32; 3]) -> Result<bool, TooLarge> {
        let Some((n, leaf)) = self.find(at) else {
            return Ok(false);
        };
        let changed = leaf.level > 0 || leaf.place != Place::Near;
        let mut stack = vec![(n, leaf.level)];
        while let Some((n, level)) = stack.pop() {
            self.nodes[n].place = Place::Near;
            if level > 0 {
                let first = self.split(n)?;
                stack.extend((0..8).map(|k| (first + k, level - 1)));
            }
        }
        Ok(changed)
    }

    /// Splits leaves until those that share a face or an edge differ by at most one level.
    pub(super) fn balance(&mut self) -> Result<(), TooLarge> {
        let mut waiting = self.leaves();
        while let Some(leaf) = waiting.pop() {
            let width = 1i32 << leaf.level;
            for direction in face_and_edge_directions() {
                let at = [0, 1, 2].map(|k| leaf.low[k] + direction[k] * width);
                while let Some((n, other)) = self.find(at) {
                    if other.level <= leaf.level + 1 {
                        break;
                    }
                    self.split(n)?;
                    for k in 0..8 {
                        let low = child_low(other.low, other.level, k);
                        let level = other.level - 1;
                        waiting.push(Leaf {
                            low,
                            level,
                            ..other
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

fn child_low(low: [i32; 3], level: u32, k: usize) -> [i32; 3] {
    let half = 1i32 << (level - 1);
    [0, 1, 2].map(|axis| low[axis] + half * (k >> axis & 1) as i32)
}

/// The 18 directions to neighbours over a face or an edge.
fn face_and_edge_directions() -> impl Iterator<Item = [i32; 3]> {
    (0..27)
        .map(|k: i32| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1])
        .filter(|d| (1..=2).contains(&d.iter().filter(|&&x| x != 0).count()))
}
