//! The affine space v = G z + b: kept nodes, and nodes whose motion is known.
//!
//! z has one 3-vector a kept node. A node with all three coordinates prescribed is not kept; a node with one or two
//! (a roller, or every node of a planar body) is kept, and its prescribed coordinates are masked: identity rows in
//! the matrix, zero in z, their motion in b.

use crate::assembly::{NO_ROW, ScatterMap};
use crate::model::Model;
use pliant_linalg::{BlockPattern, SolveError, Vec3};
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
    pub(super) drift: Vec<Vec3>,
    pub(super) drifts: bool,
}

impl ReducedSpace {
    /// The space in which the coordinates `prescribed` (per node and axis) are known; the pattern holds the blocks of all
    /// elements and of the node `cliques`.
    pub(super) fn new(
        model: &Model,
        prescribed: &[[bool; 3]],
        cliques: &[[u32; 4]],
        revision: u64,
    ) -> Result<ReducedSpace, SolveError> {
        let node_count = model.node_count();
        let kept: Vec<u32> = (0..node_count as u32)
            .filter(|&n| prescribed[n as usize] != [true; 3])
            .collect();
        let mut row_of = vec![NO_ROW; node_count];
        for (row, &node) in kept.iter().enumerate() {
            row_of[node as usize] = row as u32;
        }
        let masked = (0..3 * kept.len() as u32)
            .filter(|&dof| prescribed[kept[dof as usize / 3] as usize][dof as usize % 3])
            .collect();
        let pattern = Arc::new(pattern(model, cliques, &row_of, kept.len())?);
        let scatter = ScatterMap::new(&model.elements, &row_of, &pattern);
        let row_before = |node: usize| kept.partition_point(|&k| (k as usize) < node);
        let body_rows: Vec<Range<usize>> = (model.bodies.iter())
            .map(|b| row_before(b.nodes.start)..row_before(b.nodes.end))
            .collect();
        Ok(ReducedSpace {
            revision,
            kept,
            row_of,
            masked,
            pattern,
            scatter,
            body_rows,
            drift: vec![Vec3::ZERO; node_count],
            drifts: false,
        })
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

    /// Node of each row.
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

    /// Where element blocks go in the reduced matrix.
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
            v[node as usize] += z;
        }
    }

    /// r = Gᵀ f, for forces and residuals, never for velocities.
    pub fn restrict(&self, f: &[Vec3], r: &mut [Vec3]) {
        for (&node, r) in self.kept.iter().zip(r.iter_mut()) {
            *r = f[node as usize];
        }
        self.mask(r);
    }

    /// The z nearest to a velocity field: its values at the kept nodes, zero where known.
    pub fn first_guess(&self, v: &[Vec3], z: &mut [Vec3]) {
        self.restrict(v, z);
    }

    /// Zeroes the prescribed entries of a reduced vector.
    pub fn mask(&self, r: &mut [Vec3]) {
        for &dof in &self.masked {
            r[dof as usize / 3][dof as usize % 3] = 0.0;
        }
    }
}

/// Blocks between kept nodes that share an element or a clique.
fn pattern(
    model: &Model,
    cliques: &[[u32; 4]],
    row_of: &[u32],
    row_count: usize,
) -> Result<BlockPattern, SolveError> {
    let clique_count = model.element_count() + cliques.len();
    let mut corners: Vec<u32> = Vec::with_capacity(4 * clique_count);
    let mut ends = Vec::with_capacity(clique_count + 1);
    ends.push(0);
    for nodes in model.element_nodes.iter().chain(cliques) {
        let rows = nodes
            .iter()
            .map(|&n| row_of[n as usize])
            .filter(|&r| r != NO_ROW);
        corners.extend(rows);
        ends.push(corners.len());
    }
    BlockPattern::from_cliques(row_count, ends.windows(2).map(|w| &corners[w[0]..w[1]]))
}
