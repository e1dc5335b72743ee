//! Which nodes share an element or a contact, and where the blocks of elements are in a matrix over all nodes.
//!
//! The patterns of all spaces of a model are parts of this one. Their rows ascend as its nodes do, so that a new space sorts nothing and
//! searches nothing.

use crate::assembly::{NO_ROW, ScatterMap, Visited};
use crate::model::Model;
use pliant_linalg::{BlockPattern, SolveError};

/// See the file header.
pub(super) struct NodeGraph {
    pattern: BlockPattern,
    blocks: ScatterMap,
}

impl NodeGraph {
    /// Of the elements of a model, and of lists of nodes that contacts tie together.
    pub fn new(model: &Model, cliques: &[[u32; 4]]) -> Result<NodeGraph, SolveError> {
        let pattern = model.elements.pattern(model.node_count(), cliques)?;
        let all: Vec<u32> = (0..model.node_count() as u32).collect();
        let blocks = ScatterMap::new(&model.elements, &all, &pattern);
        Ok(NodeGraph { pattern, blocks })
    }

    /// The nodes that a node is tied to, itself among them, ascending.
    pub fn neighbours(&self, node: usize) -> &[u32] {
        self.pattern.row(node)
    }

    /// The pattern of the first rows for the nodes that have some, which ascend in runs as the nodes do; rows of no node stay empty.
    pub fn part(&self, row_of: &[u32], row_count: usize) -> Result<BlockPattern, SolveError> {
        let mut node_of = vec![NO_ROW; row_count];
        for (node, &row) in row_of.iter().enumerate().filter(|(_, row)| **row != NO_ROW) {
            node_of[row as usize] = node as u32;
        }
        BlockPattern::from_rows(row_count, |row, columns| {
            if node_of[row] != NO_ROW {
                let near = self.neighbours(node_of[row] as usize).iter();
                let rows = near.map(|&node| row_of[node as usize]);
                columns.extend(rows.filter(|&row| row != NO_ROW));
            }
        })
    }

    /// Where the blocks of those elements of some chunks whose nodes count go in a matrix with such a pattern.
    pub fn scatter(
        &self,
        model: &Model,
        chunks: &Visited,
        row_of: &[u32],
        pattern: &BlockPattern,
        counts: impl Fn(&[u32]) -> bool + Sync,
    ) -> ScatterMap {
        let mut places = vec![NO_ROW; self.pattern.block_count()];
        for (node, &row) in row_of.iter().enumerate().filter(|(_, row)| **row != NO_ROW) {
            let first = self.pattern.row_starts()[node] as usize;
            let own = pattern.row(row as usize);
            let start = pattern.row_starts()[row as usize];
            let mut at = 0;
            for (place, &node) in places[first..].iter_mut().zip(self.neighbours(node)) {
                let column = row_of[node as usize];
                if column == NO_ROW {
                    continue;
                }
                // the next one as a rule; another run of rows begins where it is not
                if own.get(at) != Some(&column) {
                    at = own.partition_point(|&c| c < column);
                }
                *place = start + at as u32;
                at += 1;
            }
        }
        (self.blocks).renamed(&model.elements, chunks, &places, counts)
    }
}
