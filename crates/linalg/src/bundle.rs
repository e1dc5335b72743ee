//! A bundle: solutions for several right-hand sides side by side, a row of numbers for every scalar unknown.
//!
//! Sparse columns go forwards along their paths of the elimination tree, as panels; dense ones alone, each bound by reading the
//! factor. Backwards all go together, one pass over the factor for up to four vectors of eight: rows of solved ancestors are
//! copied next to each other a chunk at a time, and stay in the first-level cache while all columns of the supernode use them.
//!
//! Rows are in the order of elimination. Then a subtree is a run of rows, what it needs of its ancestors is solved and shared,
//! and threads take subtrees with the same bits as one after the other.

use crate::bundle_kernels::{CHUNK_NUMBERS, Chunk, Group, load_head, solve_head, subtract_chunk};
use crate::columns::SparseColumns;
use crate::error::SolveError;
use crate::lines::Lines;
use crate::llt::{Llt, split_tasks};
use crate::llt_solve::{PARALLEL_ENTRIES, forward_vector};
use crate::panel::{PARALLEL_FLOPS, Panel, Paths, Seed, VECTOR, both, solve_panels};
use crate::panel_kernels::Factor;
use crate::symbolic::{LltSymbolic, Task};
use crate::vec3::{Vec3, flat};
use fearless_simd::dispatch;
use std::ops::Range;
use std::sync::Arc;

/// Most columns that go backwards together, and how many do where there are more: both are whole groups of three.
const MOST_LANES: usize = 32;
const MANY_LANES: usize = 24;

/// Most groups of three columns in a panel: two vectors.
const PANEL_SLOTS: usize = 5;

/// See the file header. Grows on first use; another solution with the same factor allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    symbolic: Option<Arc<LltSymbolic>>,
    /// Place of every node in the order of elimination.
    places: Vec<u32>,
    paths: Paths,
    panels: Vec<BundlePanel>,
    solved: Vec<Panel>,
    /// Front vectors of each dense column.
    fronts: Vec<Vec<f64>>,
    /// Columns, and numbers from one row to the next.
    width: usize,
    stride: usize,
    numbers: Lines,
}

/// Where the columns of a panel are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BundlePanel {
    /// First column, and how many.
    pub(crate) lane: usize,
    pub(crate) lanes: usize,
}

impl Bundle {
    /// A bundle without memory yet.
    pub fn new() -> Bundle {
        Bundle::default()
    }

    /// Numbers from one row to the next, a multiple of eight; those past the columns mean nothing.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The row of a scalar unknown, 3 node + axis.
    pub fn row(&self, dof: usize) -> &[f64] {
        let at = (3 * self.places[dof / 3] as usize + dof % 3) * self.stride;
        &self.numbers.numbers()[at..at + self.width]
    }

    /// The nodes in the order of elimination, in which those of a connected part of A follow each other.
    pub fn nodes(&self) -> &[u32] {
        self.symbolic.as_ref().map_or(&[], |s| s.permutation())
    }

    /// Three rows for each of [`Self::nodes`].
    pub fn numbers(&self) -> &[f64] {
        &self.numbers.numbers()[..3 * self.nodes().len() * self.stride]
    }

    /// One column, by nodes.
    pub fn column(&self, lane: usize, field: &mut [Vec3]) {
        if self.stride == 0 {
            return;
        }
        let rows = self.numbers().chunks_exact(3 * self.stride);
        for (rows, &node) in rows.zip(self.nodes()) {
            let at = |axis: usize| rows[axis * self.stride + lane];
            field[node as usize] = Vec3::new(at(0), at(1), at(2));
        }
    }

    /// Analyses the right-hand sides: panels of their paths. Returns the work of their substitution, flops.
    fn plan(&mut self, symbolic: &Arc<LltSymbolic>, sparse: &SparseColumns, dense: usize) -> f64 {
        if !(self.symbolic.as_ref()).is_some_and(|known| Arc::ptr_eq(known, symbolic)) {
            self.paths.prepare(symbolic);
            self.places.resize(symbolic.row_count(), 0);
            for (place, &node) in symbolic.permutation().iter().enumerate() {
                self.places[node as usize] = place as u32;
            }
            self.symbolic = Some(Arc::clone(symbolic));
        }
        let slots = sparse.group_count();
        self.width = 3 * slots + dense;
        self.stride = self.width.next_multiple_of(VECTOR);
        self.numbers.grow(3 * symbolic.row_count() * self.stride);
        self.panels.clear();
        let mut flops = 0.0;
        for lanes in groups(self.width) {
            let slots = lanes.start / 3..slots.min(lanes.end / 3);
            // two or more, for threads; the columns of a panel do not feel the others
            let size = slots.len().div_ceil(2).clamp(1, PANEL_SLOTS);
            for first in slots.clone().step_by(size) {
                let count = size.min(slots.end - first);
                let seeds = (0..count).flat_map(|slot| {
                    sparse.entries(first + slot).map(move |entry| {
                        let (supernode, row) = symbolic.supernode_of(sparse.rows[entry]);
                        Seed {
                            slot: slot as u32,
                            supernode,
                            row,
                            entry,
                        }
                    })
                });
                let p = self.panels.len();
                if p == self.solved.len() {
                    self.solved.push(Panel::default());
                }
                flops += self.paths.plan(symbolic, seeds, &mut self.solved[p]);
                self.panels.push(BundlePanel {
                    lane: 3 * first,
                    lanes: 3 * count,
                });
            }
        }
        flops
    }

    /// Forward substitution of all columns.
    fn forward(
        &mut self,
        factor: &Factor<'_>,
        sparse: &SparseColumns,
        dense: &[&[Vec3]],
        flops: f64,
    ) {
        let parallel = flops > PARALLEL_FLOPS;
        let panels = &mut self.solved[..self.panels.len()];
        let fronts = &mut self.fronts;
        fronts.resize_with(dense.len().max(fronts.len()), Vec::new);
        let alone = || {
            for (front, column) in fronts.iter_mut().zip(dense) {
                forward_vector(factor.symbolic, factor.values, flat(column), front);
            }
        };
        let together = || solve_panels(factor, panels, &|entry| sparse.blocks[entry], parallel);
        both(parallel, alone, together);
    }

    /// Backward substitution of all columns.
    fn backward(&mut self, factor: &Factor<'_>, dense: usize) {
        for lanes in groups(self.width) {
            let group = Group {
                factor: *factor,
                stride: self.stride,
                lane: lanes.start,
                vectors: lanes.len().div_ceil(VECTOR),
                panels: &self.panels,
                solved: &self.solved,
                fronts: &self.fronts[..dense],
                first_dense: self.width - dense,
            };
            let tasks = &factor.symbolic.tasks;
            let size = 3 * factor.symbolic.row_count() * self.stride;
            let x = &mut self.numbers.numbers_mut()[..size];
            let mut run = || backward_tasks(&group, tasks, x, None);
            if factor.symbolic.factor_entries() > PARALLEL_ENTRIES {
                rayon::join(run, || ());
            } else {
                run();
            }
        }
    }
}

/// The columns that go backwards together.
fn groups(width: usize) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        next = match width - first {
            0 => return None,
            left if left <= MOST_LANES => width,
            _ => first + MANY_LANES,
        };
        Some(first..next)
    })
}

impl Llt {
    /// bundle ← A⁻¹ [sparse, dense]: the columns of the sparse groups, three each, then the dense ones.
    pub fn solve_bundle(
        &self,
        sparse: &SparseColumns,
        dense: &[&[Vec3]],
        bundle: &mut Bundle,
    ) -> Result<(), SolveError> {
        let factor = self.panel_factor()?;
        sparse.check(factor.symbolic.row_count())?;
        for column in dense {
            SolveError::check_size("right-hand side", factor.symbolic.row_count(), column.len())?;
        }
        let flops = bundle.plan(self.symbolic(), sparse, dense.len());
        bundle.forward(&factor, sparse, dense, flops);
        bundle.backward(&factor, dense.len());
        Ok(())
    }
}

/// Solved rows of ancestors.
struct Known<'a> {
    /// The first node.
    first: usize,
    rows: &'a [f64],
    /// Ancestors of these.
    above: Option<&'a Known<'a>>,
}

/// Solves sibling tasks, in parallel; `x` are their rows.
fn backward_tasks(group: &Group<'_>, tasks: &[Task], x: &mut [f64], above: Option<&Known<'_>>) {
    let symbolic = group.factor.symbolic;
    let begin = |task: &Task| symbolic.columns(task.range.start).start;
    match tasks {
        [] => {}
        [task] => {
            let first = begin(task);
            backward_own(group, task, first, x, above);
            if let Some(s) = task.own().next().filter(|_| !task.children.is_empty()) {
                let start = symbolic.columns(s).start;
                let (below, own) = x.split_at_mut(3 * (start - first) * group.stride);
                let known = Known {
                    first: start,
                    rows: own,
                    above,
                };
                backward_tasks(group, &task.children, below, Some(&known));
            }
        }
        _ => {
            let (low, high) = split_tasks(tasks);
            let at = 3 * (begin(&high[0]) - begin(&low[0])) * group.stride;
            let (low_x, high_x) = x.split_at_mut(at);
            rayon::join(
                || backward_tasks(group, low, low_x, above),
                || backward_tasks(group, high, high_x, above),
            );
        }
    }
}

/// Solves for the supernodes that a task handles itself; `x` are the rows from node `first` on.
// its frame is large, and those who call it call themselves
#[inline(never)]
fn backward_own(
    group: &Group<'_>,
    task: &Task,
    first: usize,
    x: &mut [f64],
    above: Option<&Known<'_>>,
) {
    let symbolic = group.factor.symbolic;
    let mut chunk = Chunk([0.0; CHUNK_NUMBERS]);
    for s in task.own().rev() {
        let columns = symbolic.columns(s);
        let (through, after) = x.split_at_mut(3 * (columns.end - first) * group.stride);
        let known = Known {
            first: columns.end,
            rows: after,
            above,
        };
        let head = &mut through[3 * (columns.start - first) * group.stride..];
        backward(group, s, head, &known, &mut chunk);
    }
}

/// Solves for the rows of supernode `s`, its `head`.
fn backward(group: &Group<'_>, s: usize, head: &mut [f64], known: &Known<'_>, chunk: &mut Chunk) {
    let Factor {
        level,
        symbolic,
        values,
    } = group.factor;
    let height = symbolic.front_height(s);
    let panel = &values[symbolic.value_starts()[s]..symbolic.value_starts()[s + 1]];
    load_head(group, s, head);
    let lanes = VECTOR * group.vectors;
    let mut row = 3 * symbolic.columns(s).len();
    let mut known = known;
    for nodes in symbolic.rows(s).chunks(CHUNK_NUMBERS / (3 * lanes)) {
        for (&node, target) in nodes.iter().zip(chunk.0.chunks_exact_mut(3 * lanes)) {
            let mut place = node as usize - known.first;
            while 3 * place * group.stride >= known.rows.len() {
                let Some(above) = known.above else {
                    unreachable!("rows of a supernode are those of ancestors")
                };
                known = above;
                place = node as usize - known.first;
            }
            let source = &known.rows[3 * place * group.stride..3 * (place + 1) * group.stride];
            let rows = source.chunks_exact(group.stride);
            for (target, source) in target.chunks_exact_mut(lanes).zip(rows) {
                target.copy_from_slice(&source[group.lane..group.lane + lanes]);
            }
        }
        let rows = row..row + 3 * nodes.len();
        row = rows.end;
        dispatch!(level, simd => subtract_chunk(simd, group, (panel, height), rows, chunk, head));
    }
    dispatch!(level, simd => solve_head(simd, group, (panel, height), head));
}

#[cfg(test)]
mod tests;
