//! The symbolic phase of the sparse Cholesky factorisation L Lᵀ = P A Pᵀ, on the node graph.
//!
//! Columns of L with nearly the same rows form *supernodes*, stored as dense panels by columns: first the square
//! diagonal block, below it the rows of the ancestors. The numeric phase is multifrontal (Duff and Reid 1983): a
//! supernode adds the update matrices of its children, eliminates its columns, and leaves its own update matrix
//! for its parent. Supernodes are postordered, so every subtree is a run, and subtrees are the parallel tasks.

use crate::block_matrix::BlockPattern;
use crate::error::SolveError;
use crate::ordering::{
    NONE, column_counts, elimination_order, elimination_tree, invert, postordered,
};
use std::ops::Range;
use std::sync::Arc;

/// Panels and update matrices start at multiples of a cache line, eight `f64`.
pub(crate) const LINE: usize = 8;

/// Subtrees below this work (flops) are not cut into tasks.
const SMALLEST_TASK: f64 = 1.0e6;

/// Tasks aimed at; many more than threads, so that threads finish together.
const TASK_COUNT: f64 = 24.0;

/// Consecutive rows of a child's update matrix that are consecutive in the parent's front too (in nodes).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// First row in the list of the child's rows below the diagonal.
    pub(crate) from: u32,
    /// First row in the parent's front.
    pub(crate) to: u32,
    /// Number of rows.
    pub(crate) length: u32,
}

/// A block of A and where it goes in the panel of its supernode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assembly {
    /// Position in the pattern of A.
    pub(crate) block: u32,
    /// Offset of its first entry in the panel.
    pub(crate) target: u32,
}

/// Work that one thread does: all supernodes of `range`, or, with children, the last ones, each the only child of the next, after the
/// children. Such chains are long where separators fall into many supernodes; with a task for each of them all their update matrices
/// would be in memory at once.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) range: Range<usize>,
    pub(crate) children: Vec<Task>,
    /// The first supernode that it handles itself.
    pub(crate) first: usize,
    pub(crate) flops: f64,
    /// Entries needed for update matrices at even and odd depths.
    pub(crate) stacks: [usize; 2],
}

impl Task {
    /// The supernodes this task handles itself.
    pub(crate) fn own(&self) -> Range<usize> {
        self.first..self.range.end
    }
}

/// Everything about a factorisation that depends on the pattern only.
#[derive(Debug)]
pub struct LltSymbolic {
    pub(crate) pattern: Arc<BlockPattern>,
    permutation: Vec<u32>,
    /// First column (node) of every supernode, and the node count.
    starts: Vec<u32>,
    row_starts: Vec<usize>,
    rows: Vec<u32>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    child_starts: Vec<u32>,
    children: Vec<u32>,
    value_starts: Vec<usize>,
    run_starts: Vec<usize>,
    runs: Vec<Run>,
    assembly_starts: Vec<usize>,
    assembly: Vec<Assembly>,
    /// First row of every supernode in the concatenated fronts, and of every node (old numbering).
    pub(crate) front_starts: Vec<usize>,
    pub(crate) node_fronts: Vec<u32>,
    pub(crate) tasks: Vec<Task>,
    entries: usize,
    flops: f64,
}

impl LltSymbolic {
    /// Orders the nodes and finds the supernodes. Costs about as much as one numeric factorisation.
    pub fn new(pattern: &Arc<BlockPattern>) -> Result<LltSymbolic, SolveError> {
        Self::with_permutation(pattern, elimination_order(pattern)?)
    }

    /// Finds the supernodes for an order that is known to be good, new → old, such as that of a larger pattern with some of its
    /// nodes merged or left out. Costs a fraction of a new order.
    pub fn with_order(
        pattern: &Arc<BlockPattern>,
        order: &[u32],
    ) -> Result<LltSymbolic, SolveError> {
        SolveError::check_size("order", pattern.row_count(), order.len())?;
        Self::with_permutation(pattern, postordered(pattern, order))
    }

    fn with_permutation(
        pattern: &Arc<BlockPattern>,
        permutation: Vec<u32>,
    ) -> Result<LltSymbolic, SolveError> {
        let parents = elimination_tree(pattern, &permutation);
        let counts = column_counts(pattern, &permutation, &parents);
        let starts = supernodes(&parents, &counts);
        Self::from_supernodes(pattern, permutation, starts)
    }

    fn from_supernodes(
        pattern: &Arc<BlockPattern>,
        permutation: Vec<u32>,
        starts: Vec<u32>,
    ) -> Result<LltSymbolic, SolveError> {
        let n = permutation.len();
        let inverse = invert(&permutation);
        let count = starts.len() - 1;
        let mut owner = vec![0_u32; n];
        for s in 0..count {
            owner[starts[s] as usize..starts[s + 1] as usize].fill(s as u32);
        }

        // rows of each supernode: those of A and of the children, past its own columns
        let mut row_starts = vec![0];
        let mut rows: Vec<u32> = Vec::new();
        let mut parents = vec![NONE; count];
        let mut pending: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut marks = vec![NONE; n];
        let mut row = Vec::new();
        for s in 0..count {
            let end = starts[s + 1];
            row.clear();
            let mut take = |i: u32| {
                if i >= end && marks[i as usize] != s as u32 {
                    marks[i as usize] = s as u32;
                    row.push(i);
                }
            };
            for j in starts[s]..end {
                for &old in pattern.row(permutation[j as usize] as usize) {
                    take(inverse[old as usize]);
                }
            }
            for &child in &pending[s] {
                for &i in &rows[row_starts[child as usize]..row_starts[child as usize + 1]] {
                    take(i);
                }
            }
            row.sort_unstable();
            if let Some(&first) = row.first() {
                parents[s] = owner[first as usize];
                pending[parents[s] as usize].push(s as u32);
            }
            rows.extend_from_slice(&row);
            row_starts.push(rows.len());
        }
        let mut child_starts = vec![0_u32];
        let mut children = Vec::with_capacity(count);
        for list in &pending {
            children.extend_from_slice(list);
            child_starts.push(children.len() as u32);
        }
        let mut depths = vec![0; count];
        for s in (0..count).rev() {
            if parents[s] != NONE {
                depths[s] = depths[parents[s] as usize] + 1;
            }
        }

        let mut symbolic = LltSymbolic {
            pattern: Arc::clone(pattern),
            permutation,
            starts,
            row_starts,
            rows,
            parents,
            depths,
            child_starts,
            children,
            value_starts: vec![0],
            run_starts: vec![0],
            runs: Vec::new(),
            assembly_starts: vec![0],
            assembly: Vec::new(),
            front_starts: vec![0],
            node_fronts: vec![0; n],
            tasks: Vec::new(),
            entries: 0,
            flops: 0.0,
        };
        symbolic.lay_out(&inverse)?;
        let flops: Vec<f64> = (0..count).map(|s| symbolic.supernode_flops(s)).collect();
        symbolic.flops = flops.iter().sum();
        symbolic.tasks = symbolic.make_tasks(&flops);
        Ok(symbolic)
    }

    /// Offsets of panels and fronts, maps from A and from children into the fronts.
    fn lay_out(&mut self, inverse: &[u32]) -> Result<(), SolveError> {
        let pattern = Arc::clone(&self.pattern);
        let mirrors = pattern.mirrors();
        let mut local = vec![0_u32; self.permutation.len()];
        // maps are made when the parent is met; runs are stored in child order afterwards
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); self.supernode_count()];
        for s in 0..self.supernode_count() {
            let columns = self.columns(s);
            let (width, below) = (3 * columns.len(), 3 * self.rows(s).len());
            let height = width + below;
            let size = height * width;
            if size >= u32::MAX as usize {
                return Err(SolveError::TooLarge {
                    what: "entries of a supernode",
                    count: size,
                });
            }
            for (k, j) in columns.clone().enumerate() {
                local[j] = k as u32;
            }
            for (k, &i) in self.rows(s).iter().enumerate() {
                local[i as usize] = (columns.len() + k) as u32;
            }
            for (k, j) in columns.clone().enumerate() {
                let old = self.permutation[j] as usize;
                self.node_fronts[old] = (self.front_starts[s] / 3 + k) as u32;
                let start = pattern.row_starts()[old];
                for (at, &neighbour) in pattern.row(old).iter().enumerate() {
                    let i = inverse[neighbour as usize] as usize;
                    if i >= j {
                        // the stored mirror block (i, j), so that no transpose is needed
                        let block = mirrors[start as usize + at];
                        let target = (3 * local[i] as usize + 3 * k * height) as u32;
                        self.assembly.push(Assembly { block, target });
                    }
                }
            }
            self.assembly_starts.push(self.assembly.len());
            for &child in self.children(s) {
                let list = &mut runs[child as usize];
                for (from, &i) in self.rows(child as usize).iter().enumerate() {
                    let to = local[i as usize];
                    match list.last_mut() {
                        Some(run) if run.to + run.length == to => run.length += 1,
                        _ => list.push(Run {
                            from: from as u32,
                            to,
                            length: 1,
                        }),
                    }
                }
            }
            self.entries += width * (width + 1) / 2 + width * below;
            self.value_starts
                .push(self.value_starts[s] + size.next_multiple_of(LINE));
            self.front_starts.push(self.front_starts[s] + height);
        }
        for list in &runs {
            self.runs.extend_from_slice(list);
            self.run_starts.push(self.runs.len());
        }
        Ok(())
    }

    fn make_tasks(&self, flops: &[f64]) -> Vec<Task> {
        let mut firsts: Vec<usize> = (0..flops.len()).collect();
        let mut subtree_flops = flops.to_vec();
        for s in 0..flops.len() {
            let parent = self.parents[s];
            if parent != NONE {
                let first = firsts[s].min(firsts[parent as usize]);
                firsts[parent as usize] = first;
                subtree_flops[parent as usize] += subtree_flops[s];
            }
        }
        let limit = (self.flops / TASK_COUNT).max(SMALLEST_TASK);
        let roots = (0..flops.len() as u32).filter(|&s| self.parents[s as usize] == NONE);
        let mut tasks: Vec<Task> = Vec::new();
        for root in roots {
            let task = self.make_task(root as usize, &firsts, &subtree_flops, limit);
            match tasks.last_mut() {
                // small components share a task
                Some(last)
                    if last.children.is_empty()
                        && task.children.is_empty()
                        && last.flops + task.flops <= limit =>
                {
                    last.range.end = task.range.end;
                    last.flops += task.flops;
                    last.stacks = self.stack_sizes(last.range.clone());
                }
                _ => tasks.push(task),
            }
        }
        tasks
    }

    fn make_task(&self, root: usize, firsts: &[usize], flops: &[f64], limit: f64) -> Task {
        let range = firsts[root]..root + 1;
        let mut first = root;
        while flops[root] > limit
            && let [child] = *self.children(first)
            && flops[child as usize] > limit
        {
            first = child as usize; // the one just before, by postorder
        }
        let below = match flops[root] > limit {
            true => self.children(first),
            false => &[],
        };
        let children = (below.iter())
            .map(|&child| self.make_task(child as usize, firsts, flops, limit))
            .collect();
        let mut task = Task {
            first: if below.is_empty() { range.start } else { first },
            range,
            children,
            flops: flops[root],
            stacks: [0; 2],
        };
        task.stacks = match below {
            [] => self.stack_sizes(task.range.clone()),
            _ => self.chain_sizes(task.own()),
        };
        task
    }

    /// Largest extent of the two stacks of update matrices when `range` is eliminated in order.
    ///
    /// Matrices of even depth live on one stack, of odd depth on the other: a supernode's children are then the top of
    /// the stack it does not write to.
    fn stack_sizes(&self, range: Range<usize>) -> [usize; 2] {
        let (mut tops, mut peaks) = ([0; 2], [0; 2]);
        for s in range {
            let own = self.depth(s) % 2;
            tops[own] += self.update_size(s);
            peaks[own] = peaks[own].max(tops[own]);
            tops[1 - own] -= self.children_size(s);
        }
        peaks
    }

    /// Extents of the two stacks for a chain: one update matrix at a time on each.
    fn chain_sizes(&self, chain: Range<usize>) -> [usize; 2] {
        let mut sizes = [0; 2];
        for s in chain {
            let own = &mut sizes[self.depth(s) % 2];
            *own = self.update_size(s).max(*own);
        }
        sizes
    }

    /// Entries of the children's update matrices.
    pub(crate) fn children_size(&self, s: usize) -> usize {
        self.children(s)
            .iter()
            .map(|&child| self.update_size(child as usize))
            .sum()
    }

    /// Entries of the update matrix, a square by columns of which the lower triangle is used.
    pub(crate) fn update_size(&self, s: usize) -> usize {
        let order = 3 * self.rows(s).len();
        (order * order).next_multiple_of(LINE)
    }

    /// n³/3 + n²m + n m² for n columns and m rows below them.
    fn supernode_flops(&self, s: usize) -> f64 {
        let n = 3.0 * self.columns(s).len() as f64;
        let m = 3.0 * self.rows(s).len() as f64;
        n * n * n / 3.0 + n * m * (n + m)
    }

    /// Number of nodes.
    pub fn row_count(&self) -> usize {
        self.permutation.len()
    }

    /// The pattern that was analysed.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Column of L → node.
    pub fn permutation(&self) -> &[u32] {
        &self.permutation
    }

    /// Number of supernodes.
    pub fn supernode_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The columns (nodes of the new order) of supernode `s`.
    pub fn columns(&self, s: usize) -> Range<usize> {
        self.starts[s] as usize..self.starts[s + 1] as usize
    }

    /// The supernode of a node (old numbering), and its place among the supernode's columns.
    pub(crate) fn supernode_of(&self, node: u32) -> (u32, u32) {
        let at = self.node_fronts[node as usize];
        let after = (self.front_starts).partition_point(|&start| start <= 3 * at as usize);
        let s = after - 1;
        (s as u32, at - (self.front_starts[s] / 3) as u32)
    }

    /// The sorted rows (nodes of the new order) below the diagonal block of supernode `s`.
    pub fn rows(&self, s: usize) -> &[u32] {
        &self.rows[self.row_starts[s]..self.row_starts[s + 1]]
    }

    /// The parent of supernode `s` in the elimination tree.
    pub fn parent(&self, s: usize) -> Option<usize> {
        (self.parents[s] != NONE).then_some(self.parents[s] as usize)
    }

    /// The children of supernode `s`, in increasing order.
    pub fn children(&self, s: usize) -> &[u32] {
        &self.children[self.child_starts[s] as usize..self.child_starts[s + 1] as usize]
    }

    /// Entries of the lower triangle of L, with the explicit zeros of relaxed supernodes.
    pub fn factor_entries(&self) -> usize {
        self.entries
    }

    /// Additions and multiplications of a numeric factorisation.
    pub fn factor_flops(&self) -> f64 {
        self.flops
    }

    /// Scalar rows of the front of supernode `s`, the leading dimension of its panel.
    pub fn front_height(&self, s: usize) -> usize {
        3 * (self.columns(s).len() + self.rows(s).len())
    }

    pub(crate) fn depth(&self, s: usize) -> usize {
        self.depths[s] as usize
    }

    pub(crate) fn value_starts(&self) -> &[usize] {
        &self.value_starts
    }

    pub(crate) fn runs(&self, child: usize) -> &[Run] {
        &self.runs[self.run_starts[child]..self.run_starts[child + 1]]
    }

    pub(crate) fn assembly(&self, s: usize) -> &[Assembly] {
        &self.assembly[self.assembly_starts[s]..self.assembly_starts[s + 1]]
    }
}

/// First columns of the supernodes and the node count.
///
/// Fundamental supernodes (columns of equal pattern) are merged with their parents while the explicit zeros stay few;
/// small panels tolerate more, since their cost is overhead rather than arithmetic.
fn supernodes(parents: &[u32], counts: &[u32]) -> Vec<u32> {
    struct Panel {
        start: usize,
        columns: usize,
        rows: usize,
        zeros: usize,
        parent: u32,
    }
    let n = parents.len();
    let mut panels: Vec<Panel> = Vec::new();
    let mut j = 0;
    while j < n {
        let start = j;
        while j + 1 < n && parents[j] as usize == j + 1 && counts[j] == counts[j + 1] + 1 {
            j += 1;
        }
        let mut panel = Panel {
            start,
            columns: j + 1 - start,
            rows: counts[j] as usize - 1,
            zeros: 0,
            parent: parents[j],
        };
        // merge the panels just before, as long as they are children of this one
        while let Some(child) = panels.last() {
            let is_child = child.parent != NONE && (child.parent as usize) <= j;
            let columns = child.columns + panel.columns;
            let height = panel.columns + panel.rows;
            let zeros =
                child.zeros + panel.zeros + child.columns * (height - child.rows.min(height));
            let size = columns * (columns + 1) / 2 + columns * panel.rows;
            let fraction = zeros as f64 / size as f64;
            let allowed = match 3 * columns {
                0..=12 => 1.0,
                13..=24 => 0.5,
                25..=48 => 0.15,
                _ => 0.05,
            };
            if !is_child || fraction > allowed {
                break;
            }
            panel = Panel {
                start: child.start,
                columns,
                rows: panel.rows,
                zeros,
                parent: panel.parent,
            };
            panels.pop();
        }
        panels.push(panel);
        j += 1;
    }
    let mut starts: Vec<u32> = panels.iter().map(|panel| panel.start as u32).collect();
    starts.push(n as u32);
    starts
}
