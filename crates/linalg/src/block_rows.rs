//! A square matrix of 3×3 blocks, row by row, both triangles stored: what a Gauss–Seidel sweep reads.

use crate::mat3::Mat3;
use crate::vec3::Vec3;

/// See the file header. Columns of a row ascend and the diagonal block is always there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockRows {
    /// Where each row starts in `columns` and `blocks`; one more than there are rows, or empty.
    pub starts: Vec<usize>,
    /// Block columns.
    pub columns: Vec<u32>,
    /// Blocks.
    pub blocks: Vec<Mat3>,
}

impl BlockRows {
    /// Number of block rows.
    pub fn row_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Columns and blocks of a row.
    pub fn row(&self, row: usize) -> (&[u32], &[Mat3]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.blocks[range])
    }

    /// The block at a place, zero where none is stored.
    pub fn block(&self, row: usize, column: usize) -> Mat3 {
        let (columns, blocks) = self.row(row);
        let at = columns.binary_search(&(column as u32));
        at.map_or(Mat3::ZERO, |at| blocks[at])
    }

    /// Row `row` of the product with `x`.
    #[inline]
    pub fn row_product(&self, row: usize, x: &[Vec3]) -> Vec3 {
        let (columns, blocks) = self.row(row);
        let terms = columns.iter().zip(blocks);
        terms.fold(Vec3::ZERO, |sum, (&c, &block)| sum + block * x[c as usize])
    }

    /// All blocks of a dense matrix, `block(row, column)`.
    pub fn dense(rows: usize, block: impl Fn(usize, usize) -> Mat3) -> BlockRows {
        BlockRows {
            starts: (0..=rows).map(|row| row * rows).collect(),
            columns: (0..rows).flat_map(|_| 0..rows as u32).collect(),
            blocks: (0..rows * rows)
                .map(|at| block(at / rows, at % rows))
                .collect(),
        }
    }
}
