//! W as products only [ZCC22, Eqs. 21–22]: y = J A⁻¹ (Jᵀ x), a solve with the factor each time, and its diagonal blocks.

use super::compliance::{ByParts, Compliance, PathSolves};
use super::resolve::{RigidColumns, enliven};
use super::{DelassusOperator, Law, UnbuiltWorkspace};
use crate::rigid::RigidStep;
use crate::solver::InverseOperator;
use pliant_linalg::{BlockRows, Mat3, SolveError, SolveScratch, SparseColumns, Vec3};

/// Constraints whose diagonal blocks are found together: enough for all threads, few enough for the products between them.
const PANEL: usize = 64;

/// Diagonal blocks and buffers that are kept between calls.
#[derive(Default)]
pub(super) struct Unbuilt {
    diagonal: Vec<Mat3>,
    /// What was added to them where nothing can move.
    added: Vec<(u32, Mat3)>,
    some: SparseColumns,
    block: BlockRows,
    paths: ByParts<PathSolves>,
    rows: Vec<Vec3>,
    rigid_blocks: Vec<Vec3>,
    solves: SolveScratch,
    pub workspace: UnbuiltWorkspace,
}

impl Unbuilt {
    /// Finds the diagonal blocks.
    pub fn prepare(
        &mut self,
        columns: &SparseColumns,
        rigid_columns: &RigidColumns,
        rigid: &RigidStep,
        inverse: &dyn InverseOperator,
        laws: &[Law],
    ) -> Result<(), SolveError> {
        let count = columns.group_count();
        self.diagonal.clear();
        for first in (0..count).step_by(PANEL) {
            let groups = first..(first + PANEL).min(count);
            let entries = columns.starts[groups.start]..columns.starts[groups.end];
            let some = &mut self.some;
            some.starts.clear();
            let starts = columns.starts[groups.start..=groups.end].iter();
            some.starts
                .extend(starts.map(|start| start - entries.start));
            some.rows.clear();
            some.rows.extend_from_slice(&columns.rows[entries.clone()]);
            some.blocks.clear();
            some.blocks.extend_from_slice(&columns.blocks[entries]);
            self.paths.delassus(some, inverse, &mut self.block)?;
            let own = (0..groups.len()).map(|i| self.block.block(i, i));
            self.diagonal.extend(own);
        }
        for (row, column, block) in rigid_columns.compliance(rigid) {
            if row == column {
                self.diagonal[row as usize] += block;
            }
        }
        self.added.clear();
        for (index, (block, law)) in self.diagonal.iter_mut().zip(laws).enumerate() {
            let before = *block;
            enliven(block, law);
            if *block != before {
                self.added.push((index as u32, *block - before));
            }
        }
        Ok(())
    }

    /// W as it acts on impulses, for the columns that were prepared.
    pub fn operator<'a>(
        &'a mut self,
        columns: &'a SparseColumns,
        rigid_columns: &'a RigidColumns,
        rigid: &'a RigidStep,
        inverse: &'a dyn InverseOperator,
    ) -> (ActingDelassus<'a>, &'a mut UnbuiltWorkspace) {
        let Unbuilt {
            diagonal,
            added,
            rows,
            rigid_blocks,
            solves,
            workspace,
            ..
        } = self;
        let acting = ActingDelassus {
            columns,
            rigid_columns,
            rigid,
            inverse,
            diagonal,
            added,
            rows,
            rigid_blocks,
            solves,
            failed: None,
        };
        (acting, workspace)
    }
}

/// See the file header.
pub(super) struct ActingDelassus<'a> {
    columns: &'a SparseColumns,
    rigid_columns: &'a RigidColumns,
    rigid: &'a RigidStep,
    inverse: &'a dyn InverseOperator,
    diagonal: &'a [Mat3],
    added: &'a [(u32, Mat3)],
    rows: &'a mut Vec<Vec3>,
    rigid_blocks: &'a mut Vec<Vec3>,
    solves: &'a mut SolveScratch,
    /// The first solve that failed, if one did; products are zero from then on.
    pub failed: Option<SolveError>,
}

impl DelassusOperator for ActingDelassus<'_> {
    fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn apply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        let SparseColumns {
            starts,
            rows,
            blocks,
        } = self.columns;
        self.rows.clear();
        self.rows.resize(self.inverse.row_count(), Vec3::ZERO);
        for (starts, &x) in starts.windows(2).zip(x) {
            for at in starts[0]..starts[1] {
                self.rows[rows[at] as usize] += blocks[at] * x;
            }
        }
        if let Err(error) = self.inverse.apply(self.rows, self.solves) {
            self.failed.get_or_insert(error);
            self.rows.fill(Vec3::ZERO);
        }
        for (starts, y) in starts.windows(2).zip(y.iter_mut()) {
            let ends = starts[0]..starts[1];
            *y = ends.fold(Vec3::ZERO, |sum, at| {
                sum + blocks[at].transpose() * self.rows[rows[at] as usize]
            });
        }
        (self.rigid_columns).add_product(self.rigid, x, y, self.rigid_blocks);
        for &(index, block) in self.added {
            y[index as usize] += block * x[index as usize];
        }
    }

    fn diagonal(&self, i: usize) -> Mat3 {
        self.diagonal[i]
    }
}
