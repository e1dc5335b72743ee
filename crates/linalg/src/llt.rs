//! Sparse Cholesky factorisation L Lᵀ = P A Pᵀ, multifrontal, parallel over subtrees.
//!
//! A front is the panel of a supernode (stored in the factor) and its update matrix (kept on a stack until the parent
//! has added it). Threads take whole subtrees, and strips of large fronts; every front adds its children in index order, so the
//! factor has the same bits for any number of threads.

use crate::block_matrix::{BlockMatrix, BlockPattern};
use crate::block_rows::BlockRows;
use crate::columns::SparseColumns;
use crate::error::SolveError;
use crate::front::{each_strip, eliminate, scratch_size};
use crate::gram::{GramScratch, gram};
use crate::lines::Lines;
use crate::llt_masked::{Replaced, Source};
use crate::llt_solve::{SolveScratch, solve_columns, solve_vector};
use crate::mat3::Mat3;
use crate::panel_kernels::Factor;
use crate::symbolic::{LltSymbolic, Run, Task};
use crate::vec3::{Vec3, flat_mut};
use fearless_simd::{Level, Simd, dispatch};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Factorisations of this process, for [`Llt::stamp`].
static FACTORIZATIONS: AtomicU64 = AtomicU64::new(0);

/// Work (flops) from which a factorisation enters the thread pool.
const PARALLEL_FLOPS: f64 = 5.0e6;

/// Entries of a front from which its children are added on several threads, in strips of columns.
const PARALLEL_ENTRIES: usize = 250_000;

/// Columns of such a strip.
const COLUMNS: usize = 48;

/// Memory of a [`Task`]: its stacks of update matrices.
#[derive(Debug)]
struct TaskMemory {
    stacks: [Lines; 2],
    scratch: Lines,
    children: Vec<TaskMemory>,
}

impl TaskMemory {
    fn new(symbolic: &LltSymbolic, task: &Task, pool: &mut Vec<Lines>) -> TaskMemory {
        let scratch = (task.own())
            .map(|s| scratch_size(symbolic.front_height(s), 3 * symbolic.columns(s).len()))
            .max();
        TaskMemory {
            stacks: task.stacks.map(|length| Lines::from_pool(pool, length)),
            scratch: Lines::from_pool(pool, scratch.unwrap_or(0)),
            children: (task.children.iter())
                .map(|child| TaskMemory::new(symbolic, child, pool))
                .collect(),
        }
    }

    fn touch(&mut self) {
        self.stacks.iter_mut().for_each(Lines::touch);
        self.scratch.touch();
        self.children.iter_mut().for_each(TaskMemory::touch);
    }

    fn give(self, pool: &mut Vec<Lines>) {
        pool.extend(self.stacks);
        pool.push(self.scratch);
        (self.children.into_iter()).for_each(|child| child.give(pool));
    }
}

/// A pivot that is not positive: supernode, its scalar column, value.
struct Failure {
    supernode: usize,
    column: usize,
    value: f64,
}

/// A numeric factorisation; refactorising another matrix of the same pattern allocates nothing.
#[derive(Debug)]
pub struct Llt {
    symbolic: Arc<LltSymbolic>,
    values: Lines,
    memory: Vec<TaskMemory>,
    factorized: bool,
    stamp: u64,
}

/// A supernode of L: a dense panel by columns.
#[derive(Clone, Copy, Debug)]
pub struct SupernodeView<'a> {
    /// First column, a node of the elimination order.
    pub first_column: usize,
    /// Number of columns, in nodes.
    pub column_count: usize,
    /// Sorted rows below the diagonal block, nodes of the elimination order.
    pub rows: &'a [u32],
    /// The panel: 3 (columns + rows) scalar rows, 3 columns scalar columns. Above the diagonal it is unspecified.
    pub values: &'a [f64],
    /// Scalars from one column to the next.
    pub leading_dimension: usize,
}

impl Llt {
    /// Memory for a factorisation; [`Self::factorize`] fills it.
    pub fn new(symbolic: Arc<LltSymbolic>) -> Llt {
        Llt::in_memory_of(None, symbolic)
    }

    /// A factorisation in the memory of one that is not needed any more: getting fresh memory can take longer than factorising a small
    /// matrix.
    pub fn in_memory_of(old: Option<Llt>, symbolic: Arc<LltSymbolic>) -> Llt {
        let pool = &mut Vec::new();
        if let Some(old) = old {
            pool.push(old.values);
            (old.memory.into_iter()).for_each(|memory| memory.give(pool));
        }
        let size = symbolic.value_starts().last().copied().unwrap_or(0);
        let values = Lines::from_pool(pool, size);
        let memory = (symbolic.tasks.iter())
            .map(|task| TaskMemory::new(&symbolic, task, pool))
            .collect();
        Llt {
            symbolic,
            values,
            memory,
            factorized: false,
            stamp: 0,
        }
    }

    /// Memory for another factorisation of the same size, which the system has given already: see [`Self::in_memory_of`].
    pub fn room(&self) -> Llt {
        let mut room = Llt::new(Arc::clone(&self.symbolic));
        room.values.touch();
        (room.memory.iter_mut()).for_each(TaskMemory::touch);
        room
    }

    /// Analyses the pattern of a matrix and factorises it.
    pub fn from_matrix(matrix: &BlockMatrix) -> Result<Llt, SolveError> {
        let mut llt = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern())?));
        llt.factorize(matrix)?;
        Ok(llt)
    }

    /// Factorises a matrix of the analysed pattern.
    pub fn factorize(&mut self, matrix: &BlockMatrix) -> Result<(), SolveError> {
        let same = |a: &Arc<BlockPattern>, b| Arc::ptr_eq(a, b) || a == b;
        if !same(matrix.pattern(), self.symbolic.pattern()) {
            return Err(SolveError::PatternMismatch);
        }
        self.factorize_blocks(matrix.blocks())
    }

    /// Factorises the matrix with these blocks, in the order of the analysed pattern.
    pub fn factorize_blocks(&mut self, blocks: &[Mat3]) -> Result<(), SolveError> {
        self.factorize_replacing(blocks, &[])
    }

    /// The same with other blocks in place of some.
    pub(crate) fn factorize_replacing(
        &mut self,
        blocks: &[Mat3],
        replaced: &[Replaced],
    ) -> Result<(), SolveError> {
        if blocks.len() != self.symbolic.pattern().block_count() {
            return Err(SolveError::PatternMismatch);
        }
        self.factorized = false;
        let symbolic = &*self.symbolic;
        let source = Source {
            blocks: bytemuck::cast_slice(blocks),
            replaced,
        };
        let (values, memory) = (self.values.numbers_mut(), &mut self.memory[..]);
        let mut run = || factor_tasks(symbolic, source, &symbolic.tasks, memory, values);
        let result = if symbolic.factor_flops() > PARALLEL_FLOPS {
            // enter the thread pool once
            rayon::join(run, || ()).0
        } else {
            run()
        };
        result.map_err(|failure| self.describe(&failure))?;
        self.factorized = true;
        self.stamp = 1 + FACTORIZATIONS.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn describe(&self, failure: &Failure) -> SolveError {
        if !failure.value.is_finite() {
            return SolveError::NonFinite { what: "matrix" };
        }
        let column = self.symbolic.columns(failure.supernode).start + failure.column / 3;
        SolveError::NotPositiveDefinite {
            node: self.symbolic.permutation()[column] as usize,
            axis: failure.column % 3,
            value: failure.value,
        }
    }

    /// The symbolic phase.
    pub fn symbolic(&self) -> &Arc<LltSymbolic> {
        &self.symbolic
    }

    /// rhs ← A⁻¹ rhs.
    pub fn solve(&self, rhs: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        self.check(self.symbolic.row_count(), rhs.len())?;
        solve_vector(
            &self.symbolic,
            self.values.numbers(),
            flat_mut(rhs),
            scratch,
        );
        Ok(())
    }

    /// rhs ← A⁻¹ rhs for several right-hand sides, one after the other in memory.
    pub fn solve_many(
        &self,
        columns: usize,
        rhs: &mut [f64],
        scratch: &mut SolveScratch,
    ) -> Result<(), SolveError> {
        self.check(3 * self.symbolic.row_count() * columns, rhs.len())?;
        solve_columns(&self.symbolic, self.values.numbers(), columns, rhs, scratch);
        Ok(())
    }

    /// Whether the last factorisation succeeded, so that there is a factor to solve with.
    pub fn is_factorized(&self) -> bool {
        self.factorized
    }

    fn check(&self, expected: usize, found: usize) -> Result<(), SolveError> {
        if !self.factorized {
            return Err(SolveError::NotFactorized);
        }
        SolveError::check_size("right-hand side", expected, found)
    }

    /// w ← Cᵀ A⁻¹ C for sparse columns C, symmetric to the bit. Blocks of groups that touch no common connected part
    /// of A are zero and not stored. Allocates nothing once `scratch` and `w` have had the size.
    pub fn gram(
        &self,
        columns: &SparseColumns,
        scratch: &mut GramScratch,
        w: &mut BlockRows,
    ) -> Result<(), SolveError> {
        gram(&self.panel_factor()?, columns, scratch, w)
    }

    /// What panels are solved with.
    pub(crate) fn panel_factor(&self) -> Result<Factor<'_>, SolveError> {
        if !self.factorized {
            return Err(SolveError::NotFactorized);
        }
        Ok(Factor {
            level: Level::new(),
            symbolic: &self.symbolic,
            values: self.values.numbers(),
        })
    }

    /// Names the numbers of the factor: another for every factorisation in this process.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Number of supernodes.
    pub fn supernode_count(&self) -> usize {
        self.symbolic.supernode_count()
    }

    /// Supernode `s` of L.
    pub fn supernode(&self, s: usize) -> SupernodeView<'_> {
        let columns = self.symbolic.columns(s);
        let leading_dimension = self.symbolic.front_height(s);
        let start = self.symbolic.value_starts()[s];
        let size = leading_dimension * 3 * columns.len();
        SupernodeView {
            first_column: columns.start,
            column_count: columns.len(),
            rows: self.symbolic.rows(s),
            values: &self.values.numbers()[start..start + size],
            leading_dimension,
        }
    }

    /// The parent of supernode `s`.
    pub fn parent(&self, s: usize) -> Option<usize> {
        self.symbolic.parent(s)
    }
}

/// Factorises sibling tasks, in parallel; `values` are those of their supernodes. The first failure in order wins.
fn factor_tasks(
    symbolic: &LltSymbolic,
    source: Source<'_>,
    tasks: &[Task],
    memory: &mut [TaskMemory],
    values: &mut [f64],
) -> Result<(), Failure> {
    match tasks {
        [] => Ok(()),
        [task] => factor_task(symbolic, source, task, &mut memory[0], values),
        _ => {
            let (low, high) = split_tasks(tasks);
            let (low_memory, high_memory) = memory.split_at_mut(low.len());
            let starts = symbolic.value_starts();
            let at = starts[high[0].range.start] - starts[low[0].range.start];
            let (low_values, high_values) = values.split_at_mut(at);
            let (a, b) = rayon::join(
                || factor_tasks(symbolic, source, low, low_memory, low_values),
                || factor_tasks(symbolic, source, high, high_memory, high_values),
            );
            a.and(b)
        }
    }
}

/// Cuts a list of at least two tasks where the work is closest to halved.
pub(crate) fn split_tasks(tasks: &[Task]) -> (&[Task], &[Task]) {
    let total: f64 = tasks.iter().map(|task| task.flops).sum();
    let mut low = 0.0;
    let mut at = 1;
    for (k, task) in tasks[..tasks.len() - 1].iter().enumerate() {
        if k > 0 && low + 0.5 * task.flops > 0.5 * total {
            break;
        }
        low += task.flops;
        at = k + 1;
    }
    tasks.split_at(at)
}

fn factor_task(
    symbolic: &LltSymbolic,
    source: Source<'_>,
    task: &Task,
    memory: &mut TaskMemory,
    values: &mut [f64],
) -> Result<(), Failure> {
    let starts = symbolic.value_starts();
    let base = starts[task.range.start];
    let TaskMemory {
        stacks,
        scratch,
        children,
    } = memory;
    let [even, odd] = stacks;
    if children.is_empty() {
        let mut tops = [0; 2];
        for s in task.range.clone() {
            let own = symbolic.depth(s) % 2;
            let (mine, theirs) = match own {
                0 => (even.numbers_mut(), odd.numbers()),
                _ => (odd.numbers_mut(), even.numbers()),
            };
            let children_start = tops[1 - own] - symbolic.children_size(s);
            let updates = symbolic
                .children(s)
                .iter()
                .scan(children_start, |at, &child| {
                    let start = *at;
                    *at += symbolic.update_size(child as usize);
                    Some(&theirs[start..*at])
                });
            let end = tops[own] + symbolic.update_size(s);
            let front = Front {
                symbolic,
                supernode: s,
                panel: &mut values[starts[s] - base..starts[s + 1] - base],
                update: &mut mine[tops[own]..end],
            };
            front.eliminate(source, updates, scratch.numbers_mut())?;
            tops[own] = end;
            tops[1 - own] = children_start;
        }
        return Ok(());
    }
    let (below, panels) = values.split_at_mut(starts[task.first] - base);
    factor_tasks(symbolic, source, &task.children, children, below)?;
    for s in task.own() {
        let (mine, theirs) = match symbolic.depth(s) % 2 {
            0 => (even.numbers_mut(), odd.numbers()),
            _ => (odd.numbers_mut(), even.numbers()),
        };
        let front = Front {
            symbolic,
            supernode: s,
            panel: &mut panels[starts[s] - starts[task.first]..],
            update: &mut mine[..symbolic.update_size(s)],
        };
        let other = 1 - symbolic.depth(s) % 2;
        if s == task.first {
            let updates = (children.iter()).map(|memory| memory.stacks[other].numbers());
            front.eliminate(source, updates, scratch.numbers_mut())?;
        } else {
            // the only child is the supernode before
            front.eliminate(source, std::iter::once(theirs), scratch.numbers_mut())?;
        }
    }
    Ok(())
}

struct Front<'a> {
    symbolic: &'a LltSymbolic,
    supernode: usize,
    panel: &'a mut [f64],
    update: &'a mut [f64],
}

impl Front<'_> {
    /// Adds A and the children's updates, factorises the panel, and forms the update matrix.
    /// `updates` are the update matrices of the children in index order.
    fn eliminate<'c>(
        self,
        source: Source<'_>,
        updates: impl Iterator<Item = &'c [f64]> + Clone + Sync,
        scratch: &mut [f64],
    ) -> Result<(), Failure> {
        let Front {
            symbolic,
            supernode: s,
            panel,
            update,
        } = self;
        let width = 3 * symbolic.columns(s).len();
        let height = symbolic.front_height(s);
        let below = height - width;
        let panel = &mut panel[..height * width];
        panel.fill(0.0);
        let mut place = |target: u32, block: &[f64; 9]| {
            for c in 0..3 {
                let at = target as usize + c * height;
                panel[at..at + 3].copy_from_slice(&block[3 * c..3 * c + 3]);
            }
        };
        for entry in symbolic.assembly(s) {
            place(entry.target, &source.blocks[entry.block as usize]);
        }
        for entry in source.replaced(s) {
            place(entry.target, &entry.block);
        }
        let level = Level::new();
        let parallel = height * height > PARALLEL_ENTRIES;
        // adds the children to the columns from `first` on; rows above `first` are not stored
        let add_children = |first: usize, numbers: &mut [f64]| {
            let stride = if first == 0 { height } else { height - first };
            each_strip(parallel, 0, COLUMNS * stride, numbers, &|k, numbers| {
                let start = first + k * COLUMNS;
                let columns = start..start + numbers.len() / stride;
                for (&child, source) in symbolic.children(s).iter().zip(updates.clone()) {
                    let order = 3 * symbolic.rows(child as usize).len();
                    let runs = symbolic.runs(child as usize);
                    dispatch!(level, simd => {
                        add_update(simd, source, order, runs, columns.clone(), height, numbers);
                    });
                }
            });
        };
        add_children(0, panel);
        let update = &mut update[..below * below];
        eliminate(panel, height, width, update, scratch).map_err(|bad| Failure {
            supernode: s,
            column: bad.column,
            value: bad.value,
        })?;
        add_children(width, update);
        Ok(())
    }
}

/// Adds the lower triangle of a child's update matrix to some columns of a front of `height` rows. The stored columns
/// may lack the first rows.
#[inline(always)]
fn add_update<S: Simd>(
    _: S,
    source: &[f64],
    order: usize,
    runs: &[Run],
    columns: Range<usize>,
    height: usize,
    numbers: &mut [f64],
) {
    let stride = numbers.len() / columns.len();
    let missing = height - stride;
    for (k, run) in runs.iter().enumerate() {
        let (from, to) = (3 * run.from as usize, 3 * run.to as usize);
        let end = to + 3 * run.length as usize;
        for column in columns.start.max(to)..columns.end.min(end) {
            let source = &source[(from + column - to) * order..][..order];
            let target = &mut numbers[(column - columns.start) * stride..][..stride];
            let mut add = |from: usize, to: usize, length: usize| {
                let target = &mut target[to - missing..to - missing + length];
                for (t, s) in target.iter_mut().zip(&source[from..from + length]) {
                    *t += s;
                }
            };
            add(from + column - to, column, end - column);
            for next in &runs[k + 1..] {
                let length = 3 * next.length as usize;
                add(3 * next.from as usize, 3 * next.to as usize, length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fill_spd, random_spd, random_vector, relative_residual, spring_grid};

    #[test]
    fn factor_times_its_transpose_is_the_permuted_matrix() {
        let matrix = random_spd(70, 5);
        let llt = Llt::from_matrix(&matrix).unwrap();
        let dense = matrix.to_dense();
        let n = 3 * 70;
        let mut l = vec![vec![0.0; n]; n];
        for s in 0..llt.supernode_count() {
            let view = llt.supernode(s);
            let nodes: Vec<usize> = (view.first_column..view.first_column + view.column_count)
                .chain(view.rows.iter().map(|&i| i as usize))
                .collect();
            for c in 0..3 * view.column_count {
                for r in c..view.leading_dimension {
                    let (i, j) = (3 * nodes[r / 3] + r % 3, 3 * view.first_column + c);
                    l[i][j] = view.values[c * view.leading_dimension + r];
                }
            }
        }
        let old = |i: usize| 3 * llt.symbolic().permutation()[i / 3] as usize + i % 3;
        for i in 0..n {
            for j in 0..=i {
                let product: f64 = (0..=j).map(|k| l[i][k] * l[j][k]).sum();
                assert!((product - dense[old(i)][old(j)]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn many_right_hand_sides_agree_with_one() {
        let matrix = spring_grid([9, 5, 5]);
        let n = matrix.row_count();
        let llt = Llt::from_matrix(&matrix).unwrap();
        let mut scratch = SolveScratch::new();
        for columns in [0, 1, 16, 31] {
            let mut many: Vec<f64> = Vec::new();
            for c in 0..columns {
                many.extend_from_slice(crate::vec3::flat(&random_vector(n, c)));
            }
            llt.solve_many(columns as usize, &mut many, &mut scratch)
                .unwrap();
            for c in 0..columns {
                let mut x = random_vector(n, c);
                llt.solve(&mut x, &mut scratch).unwrap();
                let column = &many[3 * n * c as usize..3 * n * (c as usize + 1)];
                for (a, b) in crate::vec3::flat(&x).iter().zip(column) {
                    assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()));
                }
            }
        }
    }

    #[test]
    fn failing_pivot_names_its_node() {
        let mut matrix = random_spd(90, 8);
        matrix.add_diagonal(37, crate::Mat3::diagonal(crate::vec3(0.0, -50.0, 0.0)));
        let mut llt = Llt::new(Arc::new(LltSymbolic::new(matrix.pattern()).unwrap()));
        match llt.factorize(&matrix) {
            Err(SolveError::NotPositiveDefinite { node, axis, value }) => {
                assert_eq!((node, axis), (37, 1));
                assert!((-50.0..-40.0).contains(&value));
            }
            other => panic!("{other:?}"),
        }
        let mut x = random_vector(90, 1);
        let mut scratch = SolveScratch::new();
        assert_eq!(
            llt.solve(&mut x, &mut scratch),
            Err(SolveError::NotFactorized)
        );
        matrix.add_diagonal(37, crate::Mat3::IDENTITY * f64::NAN);
        assert_eq!(
            llt.factorize(&matrix),
            Err(SolveError::NonFinite { what: "matrix" })
        );
        let fresh = fill_spd(Arc::clone(matrix.pattern()), 3);
        llt.factorize(&fresh).unwrap();
        llt.solve(&mut x, &mut scratch).unwrap();
        assert!(relative_residual(&fresh, &x, &random_vector(90, 1)) < 1e-13);
        let other = random_spd(90, 77);
        assert_eq!(llt.factorize(&other), Err(SolveError::PatternMismatch));
        assert!(llt.solve(&mut x[..5], &mut scratch).is_err());
    }

    #[test]
    fn residual_of_a_large_elastic_matrix_is_round_off() {
        let matrix = spring_grid([16, 12, 12]);
        let llt = Llt::from_matrix(&matrix).unwrap();
        assert!(
            llt.symbolic()
                .tasks
                .iter()
                .any(|task| !task.children.is_empty())
        );
        let rhs = random_vector(matrix.row_count(), 3);
        let mut x = rhs.clone();
        llt.solve(&mut x, &mut SolveScratch::new()).unwrap();
        let residual = relative_residual(&matrix, &x, &rhs);
        assert!(residual < 1e-13, "{residual:e}");
    }

    #[test]
    fn what_old_memory_holds_makes_no_difference() {
        fn spoil(memory: &mut TaskMemory) {
            memory
                .stacks
                .iter_mut()
                .for_each(|s| s.numbers_mut().fill(f64::NAN));
            memory.scratch.numbers_mut().fill(f64::NAN);
            memory.children.iter_mut().for_each(spoil);
        }
        let large = spring_grid([16, 12, 12]);
        for matrix in [
            spring_grid([15, 12, 11]),
            spring_grid([4, 3, 3]),
            random_spd(70, 5),
        ] {
            let mut old = Llt::from_matrix(&large).unwrap();
            old.values.numbers_mut().fill(f64::NAN);
            old.memory.iter_mut().for_each(spoil);
            let fresh = Llt::from_matrix(&matrix).unwrap();
            let mut reused = Llt::in_memory_of(Some(old), Arc::clone(fresh.symbolic()));
            reused.factorize(&matrix).unwrap();
            let [a, b] = [&fresh, &reused].map(|llt| {
                let mut x = random_vector(matrix.row_count(), 4);
                llt.solve(&mut x, &mut SolveScratch::new()).unwrap();
                x
            });
            assert_eq!(a, b);
            let room = fresh.room();
            assert_eq!(room.values.numbers().len(), fresh.values.numbers().len());
        }
    }

    #[test]
    fn mirrored_blocks_are_where_they_are_looked_for() {
        let matrix = random_spd(70, 8);
        let (pattern, mirrors) = (matrix.pattern(), matrix.pattern().mirrors());
        for row in 0..pattern.row_count() {
            let first = pattern.row_starts()[row] as usize;
            for (at, &column) in pattern.row(row).iter().enumerate() {
                let found = pattern.position(column as usize, row);
                assert_eq!(found, Some(mirrors[first + at] as usize));
            }
        }
    }
}
