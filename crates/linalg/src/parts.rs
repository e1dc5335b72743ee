//! Cᵀ A⁻¹ C of a block diagonal A whose parts have factors of their own: the sum of what each part adds.

use crate::block_rows::BlockRows;
use crate::columns::{Lists, SparseColumns};
use crate::error::SolveError;
use crate::isolated::Reuse;
use crate::mat3::Mat3;

/// Memory of the sum; see the file header.
#[derive(Clone, Debug, Default)]
pub struct PartSum {
    /// Part of every entry of the columns.
    entry_parts: Vec<u32>,
    /// Groups of each part.
    lists: Lists,
    /// The columns in one part, and their Gram matrix.
    columns: SparseColumns,
    w: BlockRows,
}

impl PartSum {
    /// w ← Σ Cᵀ A⁻¹ C over the parts, the rows `0..ends[0]`, `ends[0]..ends[1]` and so on. `gram` makes the term of a part from the
    /// groups of columns that touch it, with rows counted from its first. Blocks of groups without a common part are not stored.
    pub fn gram(
        &mut self,
        columns: &SparseColumns,
        ends: &[usize],
        w: &mut BlockRows,
        mut gram: impl FnMut(usize, &SparseColumns, &mut BlockRows) -> Result<Reuse, SolveError>,
    ) -> Result<Reuse, SolveError> {
        columns.check(ends.last().copied().unwrap_or(0))?;
        if ends.len() == 1 {
            return gram(0, columns, w);
        }
        self.entry_parts.clear();
        let part_of = |&row: &u32| ends.partition_point(|&end| end <= row as usize) as u32;
        (self.entry_parts).extend(columns.rows.iter().map(part_of));
        columns.pattern(&self.entry_parts, ends.len(), &mut self.lists, w);
        w.blocks.fill(Mat3::ZERO);
        let mut sum = Reuse::default();
        for part in 0..ends.len() {
            if self.lists.of(part as u32).is_empty() {
                continue;
            }
            let first = if part == 0 { 0 } else { ends[part - 1] };
            self.choose(columns, part as u32, first as u32);
            let found = gram(part, &self.columns, &mut self.w)?;
            sum.touched += found.touched;
            sum.solved += found.solved;
            self.add(part as u32, w);
        }
        Ok(sum)
    }

    /// The entries of a part that begins at row `first`.
    fn choose(&mut self, columns: &SparseColumns, part: u32, first: u32) {
        let own = &mut self.columns;
        own.starts.clear();
        own.starts.push(0);
        own.rows.clear();
        own.blocks.clear();
        for &group in self.lists.of(part) {
            for entry in columns.entries(group as usize) {
                if self.entry_parts[entry] == part {
                    own.rows.push(columns.rows[entry] - first);
                    own.blocks.push(columns.blocks[entry]);
                }
            }
            own.starts.push(own.rows.len());
        }
    }

    /// Adds the term of a part; its columns and those of the sum both ascend.
    fn add(&self, part: u32, w: &mut BlockRows) {
        let groups = self.lists.of(part);
        for (row, &group) in groups.iter().enumerate() {
            let range = w.starts[group as usize]..w.starts[group as usize + 1];
            let mut at = range.start;
            let (columns, blocks) = self.w.row(row);
            for (&column, block) in columns.iter().zip(blocks) {
                let column = groups[column as usize];
                while w.columns[at] < column {
                    at += 1;
                }
                w.blocks[at] += *block;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gram::tests::random_columns;
    use crate::testing::random_spd;
    use crate::{GramScratch, Llt, SolveScratch};

    #[test]
    fn terms_of_parts_add_up_to_the_whole() {
        let sizes = [7, 30, 1, 12];
        let ends = [7, 37, 38, 50];
        let matrices: Vec<_> = (0..4).map(|i| random_spd(sizes[i], i as u64)).collect();
        let factors: Vec<Llt> = (matrices.iter())
            .map(|m| Llt::from_matrix(m).unwrap())
            .collect();
        let mut columns = random_columns(23, 50, 5);
        // a group that touches nothing, and one that touches one part
        columns.starts.push(columns.rows.len());
        columns.rows.push(40);
        columns.blocks.push(Mat3::IDENTITY);
        columns.starts.push(columns.rows.len());
        let mut w = BlockRows::default();
        let mut sum = PartSum::default();
        let mut scratch = GramScratch::default();
        let paths = |part: usize, columns: &SparseColumns, w: &mut BlockRows| {
            factors[part].gram(columns, &mut scratch, w)?;
            Ok(Reuse {
                touched: 1,
                solved: 0,
            })
        };
        let reuse = sum.gram(&columns, &ends, &mut w, paths).unwrap();
        assert_eq!(reuse.touched, 3); // nobody touches the part of one node
        let count = columns.group_count();
        for j in 0..count {
            for axis in 0..3 {
                let mut x = vec![crate::Vec3::ZERO; 50];
                for at in columns.entries(j) {
                    x[columns.rows[at] as usize] += columns.blocks[at].transpose().row(axis);
                }
                let mut start = 0;
                for (factor, end) in factors.iter().zip(ends) {
                    factor
                        .solve(&mut x[start..end], &mut SolveScratch::new())
                        .unwrap();
                    start = end;
                }
                for i in 0..count {
                    let mut expected = crate::Vec3::ZERO;
                    for at in columns.entries(i) {
                        expected += columns.blocks[at].transpose() * x[columns.rows[at] as usize];
                    }
                    let found = w.block(i, j).transpose().row(axis);
                    assert!((found - expected).max_abs() < 1e-10, "{i} {j}");
                }
            }
        }
        let beyond = SparseColumns {
            starts: vec![0, 1],
            rows: vec![50],
            blocks: vec![Mat3::IDENTITY],
        };
        let never = |_: usize, _: &SparseColumns, _: &mut BlockRows| Ok(Reuse::default());
        assert!(sum.gram(&beyond, &ends, &mut w, never).is_err());
    }
}
