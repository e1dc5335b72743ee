//! Which unknowns are dynamic, and where their columns of J are.
//!
//! A *piece* is what hangs together by elements; it may lack support. An *island* is what hangs together in the matrix, pieces and
//! what couples them. Columns of J vanish outside of their island, so islands share the columns of memory: slot s holds, in the
//! rows of each island, the response to its dynamic unknown number s.

use crate::assembly::NO_ROW;
use crate::model::Model;
use crate::reduction::ReducedSpace;
use std::ops::Range;

/// Pieces and islands of a space; see the file header.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Rows of each piece, ascending.
    pub rows: Vec<Vec<u32>>,
    /// Nodes without rows that share elements with each piece, ascending.
    pub held: Vec<Vec<u32>>,
    /// Island of each row, numbered by their first rows.
    pub island_of: Vec<u32>,
    /// Number of islands.
    pub islands: usize,
}

impl Pieces {
    pub fn new(model: &Model, space: &ReducedSpace) -> Pieces {
        let (row_of, rows) = (space.row_of(), space.row_count());
        let mut joined = Sets::new(rows);
        for nodes in &model.element_nodes {
            let mut kept = nodes
                .iter()
                .map(|&n| row_of[n as usize])
                .filter(|&r| r != NO_ROW);
            if let Some(first) = kept.next() {
                kept.for_each(|row| joined.unite(first, row));
            }
        }
        let (piece_of, count) = joined.numbers();
        let mut pieces = Pieces {
            rows: vec![Vec::new(); count],
            held: vec![Vec::new(); count],
            ..Pieces::default()
        };
        for (row, &piece) in piece_of.iter().enumerate() {
            pieces.rows[piece as usize].push(row as u32);
        }
        for nodes in &model.element_nodes {
            let kept = nodes.iter().map(|&n| row_of[n as usize]);
            if let Some(row) = kept.into_iter().find(|&row| row != NO_ROW) {
                let held = &mut pieces.held[piece_of[row as usize] as usize];
                held.extend(nodes.iter().filter(|&&n| row_of[n as usize] == NO_ROW));
            }
        }
        for held in &mut pieces.held {
            held.sort_unstable();
            held.dedup();
        }
        for row in 0..rows {
            for &other in space.pattern().row(row) {
                joined.unite(row as u32, other);
            }
        }
        (pieces.island_of, pieces.islands) = joined.numbers();
        pieces
    }
}

/// Disjoint sets in which the smallest member is the root.
struct Sets(Vec<u32>);

impl Sets {
    fn new(count: usize) -> Sets {
        Sets((0..count as u32).collect())
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[at as usize];
            self.0[at as usize] = self.0[above as usize];
            at = above;
        }
        at
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The number of each member's set, in the order of smallest members, and how many sets there are.
    fn numbers(&mut self) -> (Vec<u32>, usize) {
        let mut numbers = vec![0; self.0.len()];
        let mut count = 0;
        for at in 0..self.0.len() as u32 {
            let root = self.root(at);
            numbers[at as usize] = if root == at {
                count += 1;
                count - 1
            } else {
                numbers[root as usize]
            };
        }
        (numbers, count as usize)
    }
}

/// The dynamic unknowns of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// Scalar unknowns, 3·row + axis, by island, ascending within each.
    pub dofs: Vec<u32>,
    /// Where those of each island start; one more than there are islands.
    starts: Vec<usize>,
    /// Most dynamic unknowns of an island: the number of columns.
    pub width: usize,
}

impl Layout {
    /// For dynamic unknowns in any order.
    pub fn new(mut dofs: Vec<u32>, pieces: &Pieces) -> Layout {
        let island = |dof: u32| pieces.island_of[dof as usize / 3];
        dofs.sort_unstable_by_key(|&dof| (island(dof), dof));
        dofs.dedup();
        let starts: Vec<usize> = (0..=pieces.islands as u32)
            .map(|i| dofs.partition_point(|&dof| island(dof) < i))
            .collect();
        let width = starts.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        Layout {
            dofs,
            starts,
            width,
        }
    }

    /// Number of islands.
    pub fn islands(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Where the unknowns of an island are in `dofs`.
    pub fn of_island(&self, island: usize) -> Range<usize> {
        self.starts[island]..self.starts[island + 1]
    }

    /// The unknowns whose columns share a slot.
    pub fn of_slot(&self, slot: usize) -> impl Iterator<Item = u32> + '_ {
        let islands = (0..self.islands()).map(|island| self.of_island(island));
        islands.filter_map(move |range| self.dofs[range].get(slot).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_their_smallest_members() {
        let mut sets = Sets::new(6);
        sets.unite(4, 1);
        sets.unite(5, 4);
        sets.unite(2, 3);
        assert_eq!(sets.numbers(), (vec![0, 1, 2, 2, 1, 1], 3));
    }

    #[test]
    fn islands_share_slots() {
        let pieces = Pieces {
            island_of: vec![0, 1, 0, 1],
            islands: 2,
            ..Pieces::default()
        };
        let layout = Layout::new(vec![11, 0, 7, 3, 4, 0], &pieces);
        assert_eq!(layout.dofs, [0, 7, 3, 4, 11]);
        assert_eq!(layout.width, 3);
        assert_eq!(layout.of_slot(0).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(layout.of_slot(2).collect::<Vec<_>>(), [11]);
    }
}
