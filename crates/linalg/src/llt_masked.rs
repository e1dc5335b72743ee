//! Factorising with some scalar unknowns cut off, without a copy of the matrix.
//!
//! Blocks in the rows and columns of such unknowns are few. They are replaced where fronts are assembled.

use crate::block_matrix::{BlockMatrix, BlockPattern};
use crate::error::SolveError;
use crate::llt::Llt;
use crate::mat3::Mat3;
use crate::symbolic::LltSymbolic;
use std::sync::Arc;

/// A block of a front in place of that of the matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replaced {
    supernode: u32,
    /// Offset of its first entry in the panel.
    pub(crate) target: u32,
    pub(crate) block: [f64; 9],
}

/// What fronts are assembled from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) blocks: &'a [[f64; 9]],
    /// Ascending in the supernode.
    pub(crate) replaced: &'a [Replaced],
}

impl<'a> Source<'a> {
    /// The replaced blocks of a supernode.
    pub(crate) fn replaced(&self, s: usize) -> &'a [Replaced] {
        let start = self
            .replaced
            .partition_point(|r| (r.supernode as usize) < s);
        let end = start + self.replaced[start..].partition_point(|r| r.supernode as usize == s);
        &self.replaced[start..end]
    }
}

impl Llt {
    /// Factorises a matrix of the analysed pattern in which scalar unknowns (3 node + axis) have identity rows and columns times
    /// `scale`: that of [`BlockMatrix::mask_dofs`].
    pub fn factorize_masked(
        &mut self,
        matrix: &BlockMatrix,
        dofs: &[u32],
        scale: f64,
    ) -> Result<(), SolveError> {
        let same = |a: &Arc<BlockPattern>, b| Arc::ptr_eq(a, b) || a == b;
        if !same(matrix.pattern(), self.symbolic().pattern()) {
            return Err(SolveError::PatternMismatch);
        }
        let count = matrix.row_count();
        if let Some(&dof) = dofs.iter().find(|&&dof| dof as usize / 3 >= count) {
            return Err(SolveError::NoSuchNode {
                node: dof as usize / 3,
                node_count: count,
            });
        }
        let replaced = replace(self.symbolic(), matrix, dofs, scale);
        self.factorize_replacing(matrix.blocks(), &replaced)
    }
}

fn replace(
    symbolic: &LltSymbolic,
    matrix: &BlockMatrix,
    dofs: &[u32],
    scale: f64,
) -> Vec<Replaced> {
    let mut dofs = dofs.to_vec();
    dofs.sort_unstable();
    dofs.dedup();
    let is_masked = |node: usize, axis: usize| {
        let dof = (3 * node + axis) as u32;
        dofs.binary_search(&dof).is_ok()
    };
    let place = |node: usize| {
        let (s, row) = symbolic.supernode_of(node as u32);
        (s, symbolic.columns(s as usize).start + row as usize)
    };
    let pattern = matrix.pattern();
    let mut found = Vec::new();
    for same in dofs.chunk_by(|a, b| a / 3 == b / 3) {
        let node = same[0] as usize / 3;
        for &other in pattern.row(node) {
            let other = other as usize;
            if other < node && (0..3).any(|axis| is_masked(other, axis)) {
                continue; // met from the other side
            }
            // fronts take the block in the column that is eliminated first
            let (row, column) = match place(other).1 >= place(node).1 {
                true => (other, node),
                false => (node, other),
            };
            let s = place(column).0;
            let Some(position) = pattern.position(row, column) else {
                continue;
            };
            let assembly = symbolic.assembly(s as usize);
            let entry = assembly.iter().find(|e| e.block as usize == position);
            let Some(entry) = entry else { continue };
            let mut block = matrix.blocks()[position];
            for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))) {
                if is_masked(row, r) || is_masked(column, c) {
                    let diagonal = row == column && r == c;
                    block.set(r, c, if diagonal { scale } else { 0.0 });
                }
            }
            found.push(Replaced {
                supernode: s,
                target: entry.target,
                block: numbers(&block),
            });
        }
    }
    found.sort_unstable_by_key(|r| (r.supernode, r.target));
    found
}

/// By columns.
fn numbers(block: &Mat3) -> [f64; 9] {
    bytemuck::cast(*block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_vector, spring_grid};
    use crate::{SolveScratch, Vec3};

    /// The same bits as factorising the masked copy.
    #[test]
    fn is_the_factor_of_the_masked_matrix() {
        let matrix = spring_grid([7, 4, 4]);
        let n = matrix.row_count();
        let mut llt = Llt::from_matrix(&matrix).unwrap();
        // whole nodes, neighbours, single axes, in any order and twice
        let dofs = [301, 300, 302, 3, 4, 5, 6, 7, 8, 40, 3 * n as u32 - 1, 40];
        let mut copy = matrix.clone();
        copy.mask_dofs(&dofs, 2.5).unwrap();
        let solve = |llt: &Llt| -> Vec<Vec3> {
            let mut x = random_vector(n, 3);
            llt.solve(&mut x, &mut SolveScratch::new()).unwrap();
            x
        };
        llt.factorize_masked(&matrix, &dofs, 2.5).unwrap();
        let found = solve(&llt);
        llt.factorize(&copy).unwrap();
        assert_eq!(found, solve(&llt));
        let error = llt.factorize_masked(&matrix, &[3 * n as u32], 1.0);
        assert!(matches!(error, Err(SolveError::NoSuchNode { .. })));
    }
}
