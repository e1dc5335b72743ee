//! The affine space v = G z + b: kept nodes, nodes whose motion is known, and nodes that follow clumps.
//!
//! z has one 3-vector a kept node and two a clump that moves (`slaves.rs`). A node with all three coordinates prescribed is not kept; a node with one or two
//! (a roller, or every node of a planar body) is kept, and its prescribed coordinates are masked: identity rows in
//! the matrix, zero in z, their motion in b.

use super::clump::{Clump, ClumpMotion};
use super::graph::NodeGraph;
use super::slaves::Slaves;
use crate::assembly::{NO_ROW, ScatterMap, Visited};
use crate::model::Model;
use pliant_linalg::{BlockPattern, Mat3, SolveError, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// See the file header.
#[derive(Clone, Debug)]
pub struct ReducedSpace {
    revision: u64,
    kept: Vec<u32>,
    row_of: Vec<u32>,
    masked: Vec<u32>,
    pattern: Arc<BlockPattern>,
    scatter: ScatterMap,
    body_rows: Vec<Range<usize>>,
    slaves: Option<Slaves>,
    order: Option<Arc<Vec<u32>>>,
    pub(super) drift: Vec<Vec3>,
    pub(super) drifts: bool,
}

/// Node of a row that belongs to no node.
pub const NO_NODE: u32 = u32::MAX;

/// What a space is made of.
pub(super) struct Choice<'a> {
    /// Coordinates that are known, per node and axis.
    pub prescribed: &'a [[bool; 3]],
    /// Clumps that move; none of their nodes is prescribed.
    pub clumps: Vec<Clump>,
    /// Chunks with an element that is not inside of a clump.
    pub chunks: &'a Visited,
    /// Place of every node in an elimination order for all of them, if that should be kept to.
    pub ranks: Option<&'a [u32]>,
}

impl ReducedSpace {
    /// The space of a choice.
    pub(super) fn new(
        model: &Model,
        graph: &NodeGraph,
        choice: Choice<'_>,
        revision: u64,
    ) -> Result<ReducedSpace, SolveError> {
        let Choice {
            prescribed,
            clumps,
            chunks,
            ranks,
        } = choice;
        let node_count = model.node_count();
        let mut in_clump = vec![NO_NODE; node_count];
        for (index, clump) in clumps.iter().enumerate() {
            for &node in &clump.nodes {
                in_clump[node as usize] = index as u32;
            }
        }
        // rows of each body: its kept nodes, then two a clump
        let mut kept = Vec::with_capacity(node_count);
        let mut row_of = vec![NO_ROW; node_count];
        let mut masked = Vec::new();
        let mut body_rows = Vec::with_capacity(model.bodies.len());
        let mut placed: Vec<Option<(Clump, u32)>> =
            clumps.into_iter().map(|c| Some((c, 0))).collect();
        for (index, body) in model.bodies.iter().enumerate() {
            let start = kept.len();
            for node in body.nodes.clone() {
                if prescribed[node] == [true; 3] || in_clump[node] != NO_NODE {
                    continue;
                }
                let row = kept.len() as u32;
                row_of[node] = row;
                kept.push(node as u32);
                let known = (0..3).filter(|&axis| prescribed[node][axis as usize]);
                masked.extend(known.map(|axis| 3 * row + axis));
            }
            let own = |(clump, _): &&mut (Clump, u32)| clump.body as usize == index;
            for (_, row) in placed.iter_mut().flatten().filter(own) {
                *row = kept.len() as u32;
                kept.extend([NO_NODE; 2]);
                if body.planar {
                    masked.extend([2, 3, 4].map(|axis| 3 * *row + axis)); // V_z, ω_x, ω_y
                }
            }
            body_rows.push(start..kept.len());
        }
        let clumps: Vec<(Clump, u32)> = placed.into_iter().flatten().collect();
        let pattern = Arc::new(match clumps.is_empty() {
            true => graph.part(&row_of, kept.len())?,
            false => folded_pattern(graph, &kept, &row_of, &in_clump, &clumps)?,
        });
        let (scatter, slaves) = if clumps.is_empty() {
            let scatter = graph.scatter(model, chunks, &row_of, &pattern, |_| true);
            (scatter, None)
        } else {
            let made = Slaves::new(model, graph, clumps, in_clump, &row_of, kept.len(), chunks)?;
            (made.1, Some(made.0))
        };
        let order = ranks.map(|ranks| Arc::new(order(&kept, slaves.as_ref(), ranks)));
        Ok(ReducedSpace {
            revision,
            kept,
            row_of,
            masked,
            pattern,
            scatter,
            body_rows,
            slaves,
            order,
            drift: vec![Vec3::ZERO; node_count],
            drifts: false,
        })
    }

    /// A space without rows.
    pub(crate) fn nothing(model: &Model) -> Result<ReducedSpace, SolveError> {
        let choice = Choice {
            prescribed: &vec![[true; 3]; model.node_count()],
            clumps: Vec::new(),
            chunks: &[],
            ranks: None,
        };
        ReducedSpace::new(model, &NodeGraph::new(model, &[])?, choice, 0)
    }

    /// Places clumps, given by their shape and motions in the order of the choice, for a step.
    pub(super) fn place(&mut self, shape: &[Vec3], motions: impl Iterator<Item = ClumpMotion>) {
        if let Some(slaves) = &mut self.slaves {
            slaves.place(shape, motions);
        }
    }

    /// Nodes that follow clumps, where there are any.
    pub(crate) fn slaves(&self) -> Option<&Slaves> {
        self.slaves.as_ref()
    }

    /// The chunks whose elements take part.
    pub fn chunks(&self) -> &Visited {
        self.scatter.chunks()
    }

    /// An elimination order of the rows, new → old, where one is known.
    pub fn order(&self) -> Option<&Arc<Vec<u32>>> {
        self.order.as_ref()
    }

    /// How a node moves with the rows: v = Σ block · z. Nothing for known motion.
    pub fn terms(&self, node: usize) -> impl Iterator<Item = (u32, Mat3)> + use<> {
        let row = self.row_of[node];
        let terms = if row != NO_ROW {
            [Some((row, Mat3::IDENTITY)), None]
        } else {
            let follows = self.slaves.as_ref().and_then(|s| s.follows(node));
            let turning = |arm: Vec3| Mat3::cross_matrix(arm) * -1.0;
            [
                follows.map(|(row, _)| (row, Mat3::IDENTITY)),
                follows.map(|(row, arm)| (row + 1, turning(arm))),
            ]
        };
        terms.into_iter().flatten()
    }

    /// Number of unknown 3-vectors.
    pub fn row_count(&self) -> usize {
        self.kept.len()
    }

    /// Number of unknown numbers.
    pub fn dim(&self) -> usize {
        3 * self.kept.len() - self.masked.len()
    }

    /// Changes exactly when the sparsity pattern does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Node of each row, [`NO_NODE`] for those of clumps.
    pub fn kept(&self) -> &[u32] {
        &self.kept
    }

    /// Row of each node, or [`NO_ROW`].
    pub fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// Prescribed scalar unknowns (3·row + axis) of kept nodes.
    pub fn masked(&self) -> &[u32] {
        &self.masked
    }

    /// Pattern of the reduced matrix.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Where element blocks go in the reduced matrix, or in the one that is folded into it.
    pub fn scatter(&self) -> &ScatterMap {
        &self.scatter
    }

    /// Rows of each body.
    pub fn body_rows(&self) -> &[Range<usize>] {
        &self.body_rows
    }

    /// Known velocities b, when any is not zero.
    pub fn drift(&self) -> Option<&[Vec3]> {
        self.drifts.then_some(self.drift.as_slice())
    }

    /// v = G z + b.
    pub fn prolong(&self, z: &[Vec3], v: &mut [Vec3]) {
        v.copy_from_slice(&self.drift);
        for (&node, &z) in self.kept.iter().zip(z) {
            if let Some(v) = v.get_mut(node as usize) {
                *v += z;
            }
        }
        if let Some(slaves) = &self.slaves {
            slaves.prolong(z, v);
        }
    }

    /// r = Gᵀ f, for forces and residuals, never for velocities.
    pub fn restrict(&self, f: &[Vec3], r: &mut [Vec3]) {
        for (&node, r) in self.kept.iter().zip(r.iter_mut()) {
            *r = f.get(node as usize).copied().unwrap_or_default();
        }
        if let Some(slaves) = &self.slaves {
            slaves.restrict(f, r);
        }
        self.mask(r);
    }

    /// The z nearest to a velocity field: its values at the kept nodes, zero where known; clumps have their own.
    pub fn first_guess(&self, v: &[Vec3], z: &mut [Vec3]) {
        for (&node, z) in self.kept.iter().zip(z.iter_mut()) {
            *z = v.get(node as usize).copied().unwrap_or_default();
        }
        if let Some(slaves) = &self.slaves {
            slaves.first_guess(z);
        }
        self.mask(z);
    }

    /// Zeroes the prescribed entries of a reduced vector.
    pub fn mask(&self, r: &mut [Vec3]) {
        for &dof in &self.masked {
            r[dof as usize / 3][dof as usize % 3] = 0.0;
        }
    }
}

/// The pattern of kept nodes and clumps: those are tied to what any of their nodes is tied to.
fn folded_pattern(
    graph: &NodeGraph,
    kept: &[u32],
    row_of: &[u32],
    in_clump: &[u32],
    clumps: &[(Clump, u32)],
) -> Result<BlockPattern, SolveError> {
    let tie = |node: u32, columns: &mut Vec<u32>| {
        for &other in graph.neighbours(node as usize) {
            let row = row_of[other as usize];
            if row != NO_ROW {
                columns.push(row);
            } else if let Some((_, row)) = clumps.get(in_clump[other as usize] as usize) {
                columns.extend([*row, row + 1]);
            }
        }
    };
    let mut of_clumps = Vec::with_capacity(clumps.len());
    for (index, (clump, row)) in clumps.iter().enumerate() {
        let mut columns = vec![*row, row + 1];
        for &node in &clump.nodes {
            let inside = |&other: &u32| in_clump[other as usize] as usize == index;
            if !graph.neighbours(node as usize).iter().all(inside) {
                tie(node, &mut columns);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        of_clumps.push((*row, columns));
    }
    of_clumps.sort_unstable(); // by rows
    BlockPattern::from_rows(kept.len(), |row, columns| match kept[row] {
        NO_NODE => {
            let clump = of_clumps.partition_point(|(first, _)| *first as usize <= row) - 1;
            columns.extend_from_slice(&of_clumps[clump].1);
        }
        node => tie(node, columns),
    })
}

/// Rows in the order of their nodes; a clump comes where the last of its nodes would, so that its rows couple what the nodes did.
fn order(kept: &[u32], slaves: Option<&Slaves>, ranks: &[u32]) -> Vec<u32> {
    let mut keys: Vec<(u32, u32)> = Vec::with_capacity(kept.len());
    for (row, &node) in kept.iter().enumerate() {
        if let Some(&rank) = ranks.get(node as usize) {
            keys.push((rank, row as u32));
        }
    }
    for clump in slaves.map_or(&[][..], Slaves::clumps) {
        let nodes = clump.clump.nodes.iter().map(|&node| ranks[node as usize]);
        let last = nodes.max().unwrap_or(0);
        keys.extend([(last, clump.row), (last, clump.row + 1)]);
    }
    keys.sort_unstable();
    keys.into_iter().map(|(_, row)| row).collect()
}
