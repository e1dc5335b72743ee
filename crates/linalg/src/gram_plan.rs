//! What a Gram matrix W = Cᵀ A⁻¹ C computes, and in which order: panels of columns, their paths, and the pattern of W.
//!
//! L⁻¹ P C has nonzeros only on the paths of the elimination tree from the rows of C to the root. Groups of
//! columns that begin near each other in the tree form a panel of [`LANES`] columns, which visits the union of their
//! paths; a step of a path is a supernode, with the vectors of the panel that have nonzeros there and the first nonzero row.

use crate::block_rows::BlockRows;
use crate::error::SolveError;
use crate::gram_kernels::PRODUCT_BATCH;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::symbolic::LltSymbolic;
use std::ops::Range;

/// Columns in a panel: three vectors of eight.
pub(crate) const LANES: usize = 24;

/// Columns in a vector, the unit in which columns are left out of a step.
pub(crate) const VECTOR: usize = 8;

/// Groups of three columns in a panel.
const SLOTS: usize = LANES / 3;

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

    fn entries(&self, group: usize) -> Range<usize> {
        self.starts[group]..self.starts[group + 1]
    }

    fn check(&self, node_count: usize) -> Result<(), SolveError> {
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
        match self.rows.iter().find(|&&row| row as usize >= node_count) {
            Some(&row) => Err(SolveError::NoSuchNode {
                node: row as usize,
                node_count,
            }),
            None => Ok(()),
        }
    }
}

/// A supernode on the path of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) supernode: u32,
    /// The step of the parent, counted from the first of the panel; [`NONE`] for a root.
    pub(crate) parent: u32,
    /// Leading nodes of the supernode where the panel is zero; they are not stored.
    pub(crate) skipped: u32,
    /// The first vector of the panel with nonzeros here, and the number of vectors.
    pub(crate) first: u32,
    pub(crate) vectors: u32,
    /// Where its rows begin in the solved numbers of the panel.
    pub(crate) at: usize,
}

impl Step {
    /// Numbers from one scalar row to the next.
    pub(crate) fn stride(&self) -> usize {
        VECTOR * self.vectors as usize
    }
}

/// Groups solved together.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// In [`Plan::steps`], ascending in the supernode.
    pub(crate) steps: Range<usize>,
    /// In the solved numbers of all panels.
    pub(crate) solved: Range<usize>,
}

/// Where a block of C goes in the solved numbers of its panel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    /// The entry of the columns.
    pub(crate) entry: usize,
    pub(crate) at: usize,
    pub(crate) stride: usize,
}

/// What is known of a supernode while a panel is planned.
#[derive(Clone, Copy, Debug)]
struct Mark {
    panel: u32,
    /// First and last slot of the panel with nonzeros here.
    low: u32,
    high: u32,
    skipped: u32,
    step: u32,
}

/// The place of a group in the panels; an empty group has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) panel: u32,
    pub(crate) slot: u32,
}

/// Lists of members, one list for each supernode that is a root.
#[derive(Clone, Debug, Default)]
struct Lists {
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Lists {
    /// From (root, member) pairs, members ascending; a pair may follow itself.
    fn fill(&mut self, count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        self.starts.clear();
        self.starts.resize(count + 2, 0);
        self.members.clear();
        for (root, _) in pairs.clone() {
            self.starts[root as usize + 2] += 1;
        }
        for root in 0..count {
            self.starts[root + 2] += self.starts[root + 1];
        }
        self.members.resize(self.starts[count + 1], 0);
        for (root, member) in pairs {
            let next = &mut self.starts[root as usize + 1];
            self.members[*next] = member;
            *next += 1;
        }
    }

    fn of(&self, root: u32) -> &[u32] {
        &self.members[self.starts[root as usize]..self.starts[root as usize + 1]]
    }
}

/// See the file header; kept between calls for its memory only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Root of every supernode's tree.
    roots: Vec<u32>,
    /// Supernode of every entry of the columns.
    supernodes: Vec<u32>,
    /// Groups with entries, sorted: (smallest root, largest root, first supernode, group).
    order: Vec<[u32; 4]>,
    marks: Vec<Mark>,
    pub(crate) places: Vec<Place>,
    pub(crate) panels: Vec<Panel>,
    pub(crate) steps: Vec<Step>,
    loads: Vec<Load>,
    load_starts: Vec<usize>,
    lists: Lists,
    /// Panels q ≥ p with a common root, for every panel p.
    pair_starts: Vec<usize>,
    pairs: Vec<[u32; 2]>,
    /// The tile of every pair.
    tiles: Vec<u32>,
    /// The pairs in the order of tiles, and the runs of them multiplied together, by first pair.
    pub(crate) tile_pairs: Vec<[u32; 2]>,
    pub(crate) run_starts: Vec<usize>,
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
        self.sort_groups(symbolic, columns);
        self.make_panels(symbolic, columns);
        self.make_pattern(columns, w);
        self.make_pairs();
        self.make_runs()
    }

    /// The blocks of C that belong to a panel.
    pub(crate) fn loads(&self, panel: usize) -> &[Load] {
        &self.loads[self.load_starts[panel]..self.load_starts[panel + 1]]
    }

    /// The tile of a pair of panels with a common root, p ≤ q.
    pub(crate) fn tile(&self, p: u32, q: u32) -> Option<usize> {
        let range = self.pair_starts[p as usize]..self.pair_starts[p as usize + 1];
        let found = self.pairs[range.clone()].binary_search(&[p, q]).ok()?;
        Some(self.tiles[range.start + found] as usize)
    }

    fn sort_groups(&mut self, symbolic: &LltSymbolic, columns: &SparseColumns) {
        let count = symbolic.supernode_count();
        self.roots.clear();
        self.roots.extend(0..count as u32);
        for s in (0..count).rev() {
            if let Some(parent) = symbolic.parent(s) {
                self.roots[s] = self.roots[parent];
            }
        }
        let starts = &symbolic.front_starts;
        self.supernodes.clear();
        self.supernodes.extend(columns.rows.iter().map(|&row| {
            let at = 3 * symbolic.node_fronts[row as usize] as usize;
            (starts.partition_point(|&start| start <= at) - 1) as u32
        }));
        self.order.clear();
        for group in 0..columns.group_count() {
            let mut key = [NONE, 0, NONE, group as u32];
            for &s in &self.supernodes[columns.entries(group)] {
                let root = self.roots[s as usize];
                key = [key[0].min(root), key[1].max(root), key[2].min(s), key[3]];
            }
            if !columns.entries(group).is_empty() {
                self.order.push(key);
            }
        }
        self.order.sort_unstable();
    }

    fn make_panels(&mut self, symbolic: &LltSymbolic, columns: &SparseColumns) {
        let unmarked = Mark {
            panel: NONE,
            low: 0,
            high: 0,
            skipped: 0,
            step: 0,
        };
        self.marks.clear();
        self.marks.resize(symbolic.supernode_count(), unmarked);
        self.places.clear();
        let none = Place {
            panel: NONE,
            slot: 0,
        };
        self.places.resize(columns.group_count(), none);
        self.panels.clear();
        self.steps.clear();
        self.loads.clear();
        self.load_starts.clear();
        self.load_starts.push(0);
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
        let panel = self.panels.len() as u32;
        let first_step = self.steps.len();
        let local = |entry: usize, s: usize| {
            symbolic.node_fronts[columns.rows[entry] as usize]
                - (symbolic.front_starts[s] / 3) as u32
        };
        for (slot, key) in self.order[groups.clone()].iter().enumerate() {
            let slot = slot as u32;
            self.places[key[3] as usize] = Place { panel, slot };
            for entry in columns.entries(key[3] as usize) {
                let start = self.supernodes[entry] as usize;
                let mut next = Some(start);
                while let Some(s) = next {
                    let mark = &mut self.marks[s];
                    if mark.panel != panel {
                        *mark = Mark {
                            panel,
                            low: slot,
                            high: slot,
                            skipped: NONE,
                            step: NONE,
                        };
                        self.steps.push(Step {
                            supernode: s as u32,
                            parent: NONE,
                            skipped: 0,
                            first: 0,
                            vectors: 0,
                            at: 0,
                        });
                    } else if mark.high == slot {
                        // the rest of the path is marked for this group
                        break;
                    }
                    mark.high = slot;
                    next = symbolic.parent(s);
                }
                let mark = &mut self.marks[start];
                mark.skipped = mark.skipped.min(local(entry, start));
            }
        }
        let steps = &mut self.steps[first_step..];
        steps.sort_unstable_by_key(|step| step.supernode);
        for (k, step) in steps.iter().enumerate() {
            self.marks[step.supernode as usize].step = k as u32;
        }
        let mut size = 0;
        for step in steps {
            let s = step.supernode as usize;
            let mark = self.marks[s];
            step.first = 3 * mark.low / VECTOR as u32;
            step.vectors = (3 * mark.high + 2) / VECTOR as u32 + 1 - step.first;
            step.skipped = mark.skipped;
            step.at = size;
            let nodes = symbolic.columns(s).len() - step.skipped as usize;
            size += 3 * nodes * step.stride();
            self.flops += (2 * 3 * nodes * symbolic.front_height(s) * step.stride()) as f64;
            if let Some(parent) = symbolic.parent(s) {
                // children come first: all that reaches the parent is known when it is met
                let row = symbolic.rows(s)[0] - symbolic.columns(parent).start as u32;
                let mark = &mut self.marks[parent];
                mark.skipped = mark.skipped.min(row);
                step.parent = mark.step;
            }
        }
        for (slot, key) in self.order[groups].iter().enumerate() {
            for entry in columns.entries(key[3] as usize) {
                let s = self.supernodes[entry] as usize;
                let step = &self.steps[first_step + self.marks[s].step as usize];
                let row = 3 * (local(entry, s) - step.skipped) as usize;
                self.loads.push(Load {
                    entry,
                    at: step.at + row * step.stride() + 3 * slot - VECTOR * step.first as usize,
                    stride: step.stride(),
                });
            }
        }
        self.load_starts.push(self.loads.len());
        let start = self.panels.last().map_or(0, |last| last.solved.end);
        self.panels.push(Panel {
            steps: first_step..self.steps.len(),
            solved: start..start + size,
        });
    }

    /// Rows of W: the groups with a common root, and the diagonal.
    fn make_pattern(&mut self, columns: &SparseColumns, w: &mut BlockRows) {
        let (supernodes, roots) = (&self.supernodes, &self.roots);
        let roots_of = |group: usize| {
            let entries = supernodes[columns.entries(group)].iter();
            entries.map(|&s| roots[s as usize])
        };
        let count = columns.group_count();
        let pairs = (0..count).flat_map(|g| roots_of(g).map(move |root| (root, g as u32)));
        self.lists.fill(roots.len(), pairs);
        w.starts.clear();
        w.starts.push(0);
        w.columns.clear();
        for group in 0..count {
            let start = w.columns.len();
            let [first, last] = match roots_of(group).min().zip(roots_of(group).max()) {
                Some((first, last)) => [first, last],
                None => {
                    w.columns.push(group as u32);
                    w.starts.push(w.columns.len());
                    continue;
                }
            };
            w.columns.extend_from_slice(self.lists.of(first));
            if first != last {
                for root in roots_of(group).filter(|&root| root != first) {
                    w.columns.extend_from_slice(self.lists.of(root));
                }
                w.columns[start..].sort_unstable();
            }
            // ascending now; several entries of a group have left copies
            let mut end = start;
            for at in start..w.columns.len() {
                if end == start || w.columns[at] != w.columns[end - 1] {
                    w.columns[end] = w.columns[at];
                    end += 1;
                }
            }
            w.columns.truncate(end);
            w.starts.push(end);
        }
        w.blocks.resize(w.columns.len(), Mat3::ZERO);
    }

    fn make_pairs(&mut self) {
        let (panels, steps) = (&self.panels, &self.steps);
        let roots_of = |panel: &Panel| {
            let steps = steps[panel.steps.clone()].iter();
            let roots = steps.filter(|step| step.parent == NONE);
            roots.map(|step| step.supernode)
        };
        let members = (panels.iter().enumerate())
            .flat_map(|(p, panel)| roots_of(panel).map(move |root| (root, p as u32)));
        self.lists.fill(self.roots.len(), members);
        self.pair_starts.clear();
        self.pair_starts.push(0);
        self.pairs.clear();
        for (p, panel) in panels.iter().enumerate() {
            let start = self.pairs.len();
            for root in roots_of(panel) {
                let others = self.lists.of(root);
                let later = &others[others.partition_point(|&q| (q as usize) < p)..];
                self.pairs.extend(later.iter().map(|&q| [p as u32, q]));
            }
            // a pair may share several roots
            self.pairs[start..].sort_unstable();
            let mut end = start;
            for at in start..self.pairs.len() {
                if end == start || self.pairs[at] != self.pairs[end - 1] {
                    self.pairs[end] = self.pairs[at];
                    end += 1;
                }
            }
            self.pairs.truncate(end);
            self.pair_starts.push(end);
        }
    }

    /// Sorts the pairs by blocks of panels.
    fn make_runs(&mut self) -> Result<(), SolveError> {
        let count = self.pairs.len();
        if count >= u32::MAX as usize {
            return Err(SolveError::TooLarge {
                what: "pairs of panels",
                count,
            });
        }
        let block = |pair: &[u32; 2]| pair.map(|index| index / PRODUCT_BATCH as u32);
        self.tile_pairs.clear();
        self.tile_pairs.extend_from_slice(&self.pairs);
        self.tile_pairs
            .sort_unstable_by_key(|pair| (block(pair), *pair));
        self.tiles.clear();
        self.tiles.resize(count, 0);
        self.run_starts.clear();
        for (tile, pair) in self.tile_pairs.iter().enumerate() {
            let range = self.pair_starts[pair[0] as usize]..self.pair_starts[pair[0] as usize + 1];
            let at = range.start + self.pairs[range].partition_point(|other| other < pair);
            self.tiles[at] = tile as u32;
            if tile == 0 || block(pair) != block(&self.tile_pairs[tile - 1]) {
                self.run_starts.push(tile);
            }
        }
        self.run_starts.push(count);
        Ok(())
    }
}
