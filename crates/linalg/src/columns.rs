//! Sparse columns C in groups of three, and the pattern of Cᵀ A⁻¹ C.

use crate::block_rows::BlockRows;
use crate::error::SolveError;
use crate::mat3::Mat3;
use std::ops::Range;

/// Sparse columns in groups of three: the transposed Jacobian of constraints with three components each.
#[derive(Clone, Debug, Default)]
pub struct SparseColumns {
    /// Where each group starts in `rows` and `blocks`; one more than there are groups, or empty.
    pub starts: Vec<usize>,
    /// Block rows (nodes), in any order; several entries in one row add up.
    pub rows: Vec<u32>,
    /// The three rows of that node in the three columns of the group.
    pub blocks: Vec<Mat3>,
}

impl SparseColumns {
    /// Number of groups of three columns.
    pub fn group_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn entries(&self, group: usize) -> Range<usize> {
        self.starts[group]..self.starts[group + 1]
    }

    pub(crate) fn check(&self, node_count: usize) -> Result<(), SolveError> {
        let size = SolveError::check_size;
        size("list of blocks", self.rows.len(), self.blocks.len())?;
        let last = self.starts.last().copied().unwrap_or(0);
        size("list of rows", last, self.rows.len())?;
        size("start", 0, self.starts.first().copied().unwrap_or(0))?;
        if let Some(pair) = self.starts.windows(2).find(|pair| pair[1] < pair[0]) {
            return Err(SolveError::SizeMismatch {
                what: "start of a group",
                expected: pair[0],
                found: pair[1],
            });
        }
        if self.group_count() >= u32::MAX as usize {
            return Err(SolveError::TooLarge {
                what: "groups of columns",
                count: self.group_count(),
            });
        }
        SolveError::check_nodes(&self.rows, node_count)
    }

    /// Rows of W: the groups with a common tree, and the diagonal. `trees` has the tree of every entry, below `tree_count`.
    pub(crate) fn pattern(
        &self,
        trees: &[u32],
        tree_count: usize,
        lists: &mut Lists,
        w: &mut BlockRows,
    ) {
        let trees_of = |group: usize| trees[self.entries(group)].iter().copied();
        let count = self.group_count();
        let pairs = (0..count).flat_map(|g| trees_of(g).map(move |tree| (tree, g as u32)));
        lists.fill(tree_count, pairs);
        w.starts.clear();
        w.starts.push(0);
        w.columns.clear();
        for group in 0..count {
            let start = w.columns.len();
            match trees_of(group).min().zip(trees_of(group).max()) {
                None => w.columns.push(group as u32),
                Some((first, last)) => {
                    w.columns.extend_from_slice(lists.of(first));
                    if first != last {
                        for tree in trees_of(group).filter(|&tree| tree != first) {
                            w.columns.extend_from_slice(lists.of(tree));
                        }
                        w.columns[start..].sort_unstable();
                        keep_distinct(&mut w.columns, start);
                    }
                }
            }
            w.starts.push(w.columns.len());
        }
        w.blocks.resize(w.columns.len(), Mat3::ZERO);
    }
}

/// Removes repetitions from the sorted tail of a list.
pub(crate) fn keep_distinct<T: Copy + PartialEq>(list: &mut Vec<T>, start: usize) {
    let mut end = start;
    for at in start..list.len() {
        if end == start || list[at] != list[end - 1] {
            list[end] = list[at];
            end += 1;
        }
    }
    list.truncate(end);
}

/// Ascending lists of members without repetition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// Where each list starts, and where it ends.
    ranges: Vec<[usize; 2]>,
    members: Vec<u32>,
}

impl Lists {
    /// From (list, member) pairs, members ascending; a pair may come again as long as no other member of its list
    /// has come in between.
    pub(crate) fn fill(&mut self, count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        self.ranges.clear();
        self.ranges.resize(count, [0; 2]);
        for (list, _) in pairs.clone() {
            self.ranges[list as usize][1] += 1;
        }
        let mut total = 0;
        for range in &mut self.ranges {
            let length = range[1];
            *range = [total; 2];
            total += length;
        }
        self.members.clear();
        self.members.resize(total, 0);
        for (list, member) in pairs {
            let [start, end] = &mut self.ranges[list as usize];
            if end == start || self.members[*end - 1] != member {
                self.members[*end] = member;
                *end += 1;
            }
        }
    }

    pub(crate) fn of(&self, list: u32) -> &[u32] {
        let [start, end] = self.ranges[list as usize];
        &self.members[start..end]
    }
}
