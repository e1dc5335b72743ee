//! The compliance of constraints, W = C ᵀ A⁻¹ C with C = Jᵀ in the rows of the space: the Delassus operator.
//!
//! It may be built with a factor only, see [`InverseOperator`]. Two ways give the same numbers: every column through the
//! whole factor, or only along its path in the elimination tree.

use crate::solver::InverseOperator;
use pliant_linalg::{BlockRows, GramScratch, Mat3, SolveError, SolveScratch, SparseColumns, Vec3};

/// Builds W.
pub trait Compliance: Send {
    /// W for the columns C of all constraints, in groups of three.
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<(), SolveError>;
}

/// Solves every column with the whole inverse: any inverse will do, each column costs a full solve.
#[derive(Default)]
pub struct WholeSolves {
    scratch: SolveScratch,
    solved: [Vec<Vec3>; 3],
}

impl Compliance for WholeSolves {
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<(), SolveError> {
        let groups = columns.starts.len().saturating_sub(1);
        *w = BlockRows::dense(groups, |_, _| Mat3::ZERO);
        for j in 0..groups {
            for (axis, solved) in self.solved.iter_mut().enumerate() {
                solved.clear();
                solved.resize(inverse.row_count(), Vec3::ZERO);
                for at in columns.starts[j]..columns.starts[j + 1] {
                    let column = columns.blocks[at].transpose().row(axis);
                    solved[columns.rows[at] as usize] += column;
                }
                inverse.apply(solved, &mut self.scratch)?;
            }
            for i in 0..groups {
                let mut block = Mat3::ZERO;
                for at in columns.starts[i]..columns.starts[i + 1] {
                    let row = columns.rows[at] as usize;
                    let [a, b, c] = [0, 1, 2].map(|axis| self.solved[axis][row]);
                    block += columns.blocks[at].transpose() * Mat3::from_columns(a, b, c);
                }
                w.blocks[i * groups + j] = block;
            }
        }
        Ok(())
    }
}

/// Solves along paths of the elimination tree, where the inverse is a sparse factor; else as [`WholeSolves`].
#[derive(Default)]
pub struct PathSolves {
    scratch: GramScratch,
    whole: WholeSolves,
}

impl Compliance for PathSolves {
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<(), SolveError> {
        match inverse.factor() {
            Some(factor) => factor.gram(columns, &mut self.scratch, w),
            None => self.whole.delassus(columns, inverse, w),
        }
    }
}
