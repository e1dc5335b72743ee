//! Nodes that follow clumps: v = V + ω × r, two rows of the reduced system for each clump, V and ω [MWLK22, Eqs. 7 to 11].
//!
//! Elements are added up as if the clumps' nodes that they touch had rows of their own; that matrix is then *folded*: GᵀAG with
//! Γ = [1, −[r]×] for such a node. So no element knows of clumps, and threads never meet in a clump's rows. The term of
//! ∂Gᵀ/∂ω f is left out, as in the paper. Elements inside of a clump have no part: they have no resultant and no moment.

use super::clump::{Clump, ClumpMotion, NO_CLUMP};
use super::graph::NodeGraph;
use crate::assembly::{ScatterMap, Visited};
use crate::model::Model;
use pliant_linalg::{BlockMatrix, BlockPattern, Mat3, SolveError, Vec3};
use std::sync::Arc;

/// See the file header.
#[derive(Clone, Debug)]
pub struct Slaves {
    clumps: Vec<SlavedClump>,
    /// Place in `clumps` of each node's clump, or [`NO_CLUMP`].
    clump_of: Vec<u32>,
    /// r of the nodes that follow, m.
    arms: Vec<Vec3>,
    /// Row of each node in the matrix before it is folded, or [`NO_ROW`](crate::assembly::NO_ROW); those of kept nodes are the same as afterwards.
    row_of: Vec<u32>,
    /// Nodes of its further rows.
    outer: Vec<u32>,
    pattern: Arc<BlockPattern>,
}

/// A clump that moves, as a step sees it.
#[derive(Clone, Debug)]
pub(crate) struct SlavedClump {
    pub clump: Clump,
    /// Row of V; that of ω is the next.
    pub row: u32,
    /// Centre of mass, m.
    pub centre: Vec3,
    /// V and ω at the start of the step.
    pub velocity: Vec3,
    pub spin: Vec3,
    /// Rotation from its frame.
    pub rotation: Mat3,
}

impl Slaves {
    /// For clumps with their rows, below `row_count`, and the clump of each node; `kept` are the rows of the nodes that are kept.
    pub(super) fn new(
        model: &Model,
        graph: &NodeGraph,
        clumps: Vec<(Clump, u32)>,
        clump_of: Vec<u32>,
        kept: &[u32],
        row_count: usize,
        chunks: &Visited,
    ) -> Result<(Slaves, ScatterMap), SolveError> {
        let mut row_of = kept.to_vec();
        let mut outer = Vec::new();
        for (node, &clump) in clump_of.iter().enumerate().filter(|(_, c)| **c != NO_CLUMP) {
            let inside = |&other: &u32| clump_of[other as usize] == clump;
            if !graph.neighbours(node).iter().all(inside) {
                row_of[node] = (row_count + outer.len()) as u32;
                outer.push(node as u32);
            }
        }
        let pattern = Arc::new(graph.part(&row_of, row_count + outer.len())?);
        // elements inside of a clump have no part
        let counts = |nodes: &[u32]| {
            let clump = clump_of[nodes[0] as usize];
            clump == NO_CLUMP || nodes.iter().any(|&n| clump_of[n as usize] != clump)
        };
        let scatter = graph.scatter(model, chunks, &row_of, &pattern, counts);
        let slaved = |(clump, row)| SlavedClump {
            clump,
            row,
            centre: Vec3::ZERO,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            rotation: Mat3::IDENTITY,
        };
        let slaves = Slaves {
            clumps: clumps.into_iter().map(slaved).collect(),
            arms: vec![Vec3::ZERO; clump_of.len()],
            clump_of,
            row_of,
            outer,
            pattern,
        };
        Ok((slaves, scatter))
    }

    /// Takes the clumps' places and motions at the start of a step; `motions` are those of the clumps given to [`Self::new`].
    pub(super) fn place(&mut self, shape: &[Vec3], motions: impl Iterator<Item = ClumpMotion>) {
        for (slaved, motion) in self.clumps.iter_mut().zip(motions) {
            let clump = &slaved.clump;
            slaved.centre = motion.origin + motion.rotation * clump.centre;
            slaved.velocity = motion.velocity;
            slaved.spin = motion.spin;
            slaved.rotation = motion.rotation;
            for &node in &clump.nodes {
                let node = node as usize;
                self.arms[node] = motion.rotation * (shape[node] - clump.centre);
            }
        }
    }

    /// The clumps that have rows.
    pub(crate) fn clumps(&self) -> &[SlavedClump] {
        &self.clumps
    }

    /// Row of V of a node's clump and the node's arm.
    pub(crate) fn follows(&self, node: usize) -> Option<(u32, Vec3)> {
        let clump = self.clumps.get(self.clump_of[node] as usize)?;
        Some((clump.row, self.arms[node]))
    }

    /// An empty matrix that elements add to before it is folded.
    pub(crate) fn unfolded(&self) -> BlockMatrix {
        BlockMatrix::new(self.pattern.clone())
    }

    /// Row of each node in it, or [`NO_ROW`](crate::assembly::NO_ROW).
    pub(crate) fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// v = V + ω × r.
    pub(super) fn prolong(&self, z: &[Vec3], v: &mut [Vec3]) {
        for SlavedClump { clump, row, .. } in &self.clumps {
            let (velocity, spin) = (z[*row as usize], z[*row as usize + 1]);
            for &node in &clump.nodes {
                v[node as usize] = velocity + spin.cross(self.arms[node as usize]);
            }
        }
    }

    /// Σ f and Σ r × f.
    pub(super) fn restrict(&self, f: &[Vec3], r: &mut [Vec3]) {
        for SlavedClump { clump, row, .. } in &self.clumps {
            let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
            for &node in &clump.nodes {
                let node = node as usize;
                force += f[node];
                moment += self.arms[node].cross(f[node]);
            }
            (r[*row as usize], r[*row as usize + 1]) = (force, moment);
        }
    }

    /// V and ω at the start of the step.
    pub(super) fn first_guess(&self, z: &mut [Vec3]) {
        for clump in &self.clumps {
            let row = clump.row as usize;
            (z[row], z[row + 1]) = (clump.velocity, clump.spin);
        }
    }

    /// Folds a right-hand side, with `rhs` ending up in its first rows.
    pub(crate) fn fold_rhs(&self, unfolded: &[Vec3], rhs: &mut [Vec3]) {
        let count = rhs.len();
        for (rhs, &added) in rhs.iter_mut().zip(unfolded) {
            *rhs += added;
        }
        for (&node, &added) in self.outer.iter().zip(&unfolded[count..]) {
            if let Some((row, arm)) = self.follows(node as usize) {
                rhs[row as usize] += added;
                rhs[row as usize + 1] += arm.cross(added);
            }
        }
    }

    /// Adds GᵀAG to `matrix`, whose pattern holds all of it.
    pub(crate) fn fold(&self, unfolded: &BlockMatrix, matrix: &mut BlockMatrix) {
        let (pattern, blocks) = (unfolded.pattern(), unfolded.blocks());
        let count = matrix.row_count();
        add_kept(unfolded, matrix);
        let mut add = |row: usize, column: usize, block: Mat3| {
            let held = matrix.add_block(row, column, block);
            debug_assert!(held, "the pattern holds what elements couple");
        };
        let outer = |row: usize| {
            let node = self.outer[row - count] as usize;
            self.follows(node).unwrap_or((0, Vec3::ZERO)) // every outer node follows
        };
        for row in count..pattern.row_count() {
            let first = pattern.row_starts()[row] as usize;
            let (to, arm) = outer(row);
            let to = to as usize;
            for (k, &column) in pattern.row(row).iter().enumerate() {
                let (column, block) = (column as usize, blocks[first + k]);
                if column < count {
                    let turned = Mat3::cross_matrix(arm) * block;
                    add(to, column, block);
                    add(to + 1, column, turned);
                    add(column, to, block.transpose());
                    add(column, to + 1, turned.transpose());
                } else {
                    let (from, other) = outer(column);
                    add_pair([to, from as usize], [arm, other], block, &mut add);
                }
            }
        }
    }

    /// The blocks of inertia and mass damping of all clumps: row, column and block, both triangles.
    pub(crate) fn inertia(&self, h: f64, inertia: bool, add: &mut Vec<(u32, u32, Mat3)>) {
        if !inertia {
            return;
        }
        for SlavedClump {
            clump,
            row,
            rotation,
            ..
        } in &self.clumps
        {
            let (total, first, second) = clump.drag;
            let across = Mat3::cross_matrix(*rotation * first) * -h; // of V on ω
            let about = *rotation * (clump.inertia + second * h) * rotation.transpose();
            add.push((*row, *row, Mat3::IDENTITY * (clump.mass + h * total)));
            add.push((*row + 1, *row + 1, about.symmetric_part()));
            if first != Vec3::ZERO {
                add.push((*row, *row + 1, across));
                add.push((*row + 1, *row, across.transpose()));
            }
        }
    }

    /// Mass and inertia of a clump's rows as scalars, for preconditioners, and its centre.
    pub(crate) fn weights(&self, mass: &mut [f64], positions: &mut [Vec3]) {
        for slaved in &self.clumps {
            let row = slaved.row as usize;
            mass[row] = slaved.clump.mass;
            mass[row + 1] = slaved.clump.inertia.trace() / 3.0;
            positions[row] = slaved.centre;
            positions[row + 1] = slaved.centre;
        }
    }
}

/// Γᵀ B Γ' for arms of two nodes that follow.
fn add_pair(
    [to, from]: [usize; 2],
    [arm, other]: [Vec3; 2],
    block: Mat3,
    add: &mut impl FnMut(usize, usize, Mat3),
) {
    let (left, right) = (Mat3::cross_matrix(arm), Mat3::cross_matrix(other) * -1.0);
    add(to, from, block);
    add(to + 1, from, left * block);
    add(to, from + 1, block * right);
    add(to + 1, from + 1, left * block * right);
}

/// Adds the blocks between kept rows, which both patterns have in the same order.
fn add_kept(unfolded: &BlockMatrix, matrix: &mut BlockMatrix) {
    let (from, to) = (unfolded.pattern().clone(), matrix.pattern().clone());
    let blocks = unfolded.blocks();
    for row in 0..to.row_count() {
        let mut place = to.row_starts()[row] as usize;
        let first = from.row_starts()[row] as usize;
        for (k, &column) in from.row(row).iter().enumerate() {
            if column as usize >= to.row_count() {
                break; // columns ascend; the mirrors of these are folded
            }
            while to.columns()[place] < column {
                place += 1;
            }
            matrix.blocks_mut()[place] += blocks[first + k];
        }
    }
}
