//! What a Gram matrix W = Cᵀ A⁻¹ C computes, and in which order: panels of groups of columns and their pairs.

use crate::block_rows::BlockRows;
use crate::columns::{Lists, SparseColumns, keep_distinct};
use crate::error::SolveError;
use crate::ordering::NONE;
use crate::panel::{Panel, Paths, SLOTS, Seed};
use crate::panel_pairs::Pairs;
use crate::symbolic::LltSymbolic;
use std::ops::Range;

/// The place of a group in the panels; an empty group has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) panel: u32,
    pub(crate) slot: u32,
}

/// See the file header; kept between calls for its memory only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    paths: Paths,
    /// Supernode of every entry of the columns, its node there, and the root of its tree.
    supernodes: Vec<u32>,
    rows: Vec<u32>,
    roots: Vec<u32>,
    /// Groups with entries, sorted: (smallest root, largest root, first supernode, group).
    order: Vec<[u32; 4]>,
    pub(crate) places: Vec<Place>,
    /// The first [`Self::panel_count`] are used.
    pub(crate) panels: Vec<Panel>,
    pub(crate) panel_count: usize,
    lists: Lists,
    /// Panels q ≥ p with a common root, for every panel p.
    pair_starts: Vec<usize>,
    pairs: Vec<[u32; 2]>,
    /// The tile of every pair.
    tiles: Vec<u32>,
    /// The pairs in the order of tiles.
    pub(crate) tile_pairs: Pairs,
    /// Multiplications and additions of the substitutions.
    pub(crate) flops: f64,
}

impl Plan {
    /// Plans the panels, their pairs, and the pattern of W.
    pub(crate) fn make(
        &mut self,
        symbolic: &LltSymbolic,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<(), SolveError> {
        columns.check(symbolic.row_count())?;
        self.paths.prepare(symbolic);
        self.sort_groups(symbolic, columns);
        self.make_panels(symbolic, columns);
        let tree_count = symbolic.supernode_count();
        columns.pattern(&self.roots, tree_count, &mut self.lists, w);
        self.make_pairs(tree_count);
        self.sort_pairs()
    }

    /// The tile of a pair of panels with a common root, p ≤ q.
    pub(crate) fn tile(&self, p: u32, q: u32) -> Option<usize> {
        let range = self.pair_starts[p as usize]..self.pair_starts[p as usize + 1];
        let found = self.pairs[range.clone()].binary_search(&[p, q]).ok()?;
        Some(self.tiles[range.start + found] as usize)
    }

    fn sort_groups(&mut self, symbolic: &LltSymbolic, columns: &SparseColumns) {
        self.supernodes.clear();
        self.rows.clear();
        self.roots.clear();
        for &node in &columns.rows {
            let (s, row) = symbolic.supernode_of(node);
            self.supernodes.push(s);
            self.rows.push(row);
            self.roots.push(self.paths.roots[s as usize]);
        }
        self.order.clear();
        for group in 0..columns.group_count() {
            let mut key = [NONE, 0, NONE, group as u32];
            for entry in columns.entries(group) {
                let (root, s) = (self.roots[entry], self.supernodes[entry]);
                key = [key[0].min(root), key[1].max(root), key[2].min(s), key[3]];
            }
            if !columns.entries(group).is_empty() {
                self.order.push(key);
            }
        }
        self.order.sort_unstable();
    }

    fn make_panels(&mut self, symbolic: &LltSymbolic, columns: &SparseColumns) {
        self.places.clear();
        let none = Place {
            panel: NONE,
            slot: 0,
        };
        self.places.resize(columns.group_count(), none);
        self.panel_count = 0;
        self.flops = 0.0;
        let mut start = 0;
        while start < self.order.len() {
            // other bodies begin another panel: they would share no step
            let alike = |key: &&[u32; 4]| key[..2] == self.order[start][..2];
            let groups = self.order[start..].iter().take(SLOTS).take_while(alike);
            let groups = start..start + groups.count();
            start = groups.end;
            self.make_panel(symbolic, columns, groups);
        }
    }

    fn make_panel(
        &mut self,
        symbolic: &LltSymbolic,
        columns: &SparseColumns,
        groups: Range<usize>,
    ) {
        let groups = &self.order[groups];
        for (slot, key) in groups.iter().enumerate() {
            self.places[key[3] as usize] = Place {
                panel: self.panel_count as u32,
                slot: slot as u32,
            };
        }
        if self.panel_count == self.panels.len() {
            self.panels.push(Panel::default());
        }
        let (supernodes, rows) = (&self.supernodes, &self.rows);
        let seeds = groups.iter().enumerate().flat_map(|(slot, key)| {
            let entries = columns.entries(key[3] as usize);
            entries.map(move |entry| Seed {
                slot: slot as u32,
                supernode: supernodes[entry],
                row: rows[entry],
                entry,
            })
        });
        let panel = &mut self.panels[self.panel_count];
        self.flops += self.paths.plan(symbolic, seeds, panel);
        self.panel_count += 1;
    }

    fn make_pairs(&mut self, tree_count: usize) {
        let panels = &self.panels[..self.panel_count];
        let members = (panels.iter().enumerate())
            .flat_map(|(p, panel)| panel.roots().map(move |root| (root, p as u32)));
        self.lists.fill(tree_count, members);
        self.pair_starts.clear();
        self.pair_starts.push(0);
        self.pairs.clear();
        for (p, panel) in panels.iter().enumerate() {
            let start = self.pairs.len();
            for root in panel.roots() {
                let others = self.lists.of(root);
                let later = &others[others.partition_point(|&q| (q as usize) < p)..];
                self.pairs.extend(later.iter().map(|&q| [p as u32, q]));
            }
            // a pair may share several roots
            self.pairs[start..].sort_unstable();
            keep_distinct(&mut self.pairs, start);
            self.pair_starts.push(self.pairs.len());
        }
    }

    /// Sorts the pairs by blocks of panels.
    fn sort_pairs(&mut self) -> Result<(), SolveError> {
        let count = self.pairs.len();
        if count >= NONE as usize {
            return Err(SolveError::TooLarge {
                what: "pairs of panels",
                count,
            });
        }
        self.tile_pairs.list.clear();
        self.tile_pairs.list.extend_from_slice(&self.pairs);
        self.tile_pairs.sort();
        self.tiles.clear();
        self.tiles.resize(count, 0);
        for (tile, pair) in self.tile_pairs.list.iter().enumerate() {
            let range = self.pair_starts[pair[0] as usize]..self.pair_starts[pair[0] as usize + 1];
            let at = range.start + self.pairs[range].partition_point(|other| other < pair);
            self.tiles[at] = tile as u32;
        }
        Ok(())
    }
}
