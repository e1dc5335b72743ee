//! Triangular solves with a supernodal factor, bound by reading the factor twice.
//!
//! Every supernode owns a *front vector*: the right-hand side of its columns, then its contribution to the rows below.
//! Forwards, children add theirs into their parent's; backwards, parents hand solved rows down. Data flows along
//! the tree only, so subtrees are solved in parallel with the same bits as one after the other.

use crate::lines::Lines;
use crate::llt::split_tasks;
use crate::symbolic::{LltSymbolic, Task};
use bytemuck::Pod;
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch, f64x8};
use std::ops::Range;

/// One row of right-hand sides that are solved together: one vector of eight, or two.
type Group<const N: usize> = [[f64; LANES]; N];

const LANES: usize = 8;

/// Factor entries from which a solve enters the thread pool.
pub(crate) const PARALLEL_ENTRIES: usize = 200_000;

/// Front vectors; grows on first use and may serve any factor.
#[derive(Clone, Debug, Default)]
pub struct SolveScratch {
    single: Vec<f64>,
    eight: Vec<Group<1>>,
    sixteen: Vec<Group<2>>,
    /// Of a [`crate::SingleFactor`].
    pub(crate) rounded: Lines,
}

impl SolveScratch {
    /// Scratch without memory yet.
    pub fn new() -> SolveScratch {
        SolveScratch::default()
    }
}

/// One right-hand side, in place.
pub(crate) fn solve_vector(
    symbolic: &LltSymbolic,
    values: &[f64],
    rhs: &mut [f64],
    scratch: &mut SolveScratch,
) {
    let fronts = &mut scratch.single;
    load_vector(symbolic, rhs, fronts);
    sweep(symbolic, values, fronts);
    let (nodes, _) = rhs.as_chunks_mut::<3>();
    for (node, &at) in nodes.iter_mut().zip(&symbolic.node_fronts) {
        node.copy_from_slice(&fronts[3 * at as usize..3 * at as usize + 3]);
    }
}

/// L⁻¹ times one right-hand side: the first rows of each front vector.
pub(crate) fn forward_vector(
    symbolic: &LltSymbolic,
    values: &[f64],
    rhs: &[f64],
    fronts: &mut Vec<f64>,
) {
    load_vector(symbolic, rhs, fronts);
    Sweep::new(symbolic, values).run_forward(fronts);
}

fn load_vector(symbolic: &LltSymbolic, rhs: &[f64], fronts: &mut Vec<f64>) {
    fronts.resize(front_length(symbolic), 0.0);
    for (node, &at) in rhs.as_chunks::<3>().0.iter().zip(&symbolic.node_fronts) {
        fronts[3 * at as usize..3 * at as usize + 3].copy_from_slice(node);
    }
}

/// Right-hand sides by columns, in place.
pub(crate) fn solve_columns(
    symbolic: &LltSymbolic,
    values: &[f64],
    columns: usize,
    rhs: &mut [f64],
    scratch: &mut SolveScratch,
) {
    let length = 3 * symbolic.row_count();
    if columns == 0 || length == 0 {
        return;
    }
    for group in rhs.chunks_mut(2 * LANES * length) {
        if group.len() <= LANES * length {
            solve_group(symbolic, values, group, &mut scratch.eight);
        } else {
            solve_group(symbolic, values, group, &mut scratch.sixteen);
        }
    }
}

/// As many right-hand sides as a group has room for, or fewer.
fn solve_group<const N: usize>(
    symbolic: &LltSymbolic,
    values: &[f64],
    rhs: &mut [f64],
    fronts: &mut Vec<Group<N>>,
) where
    Group<N>: Pod,
{
    let length = 3 * symbolic.row_count();
    let lanes = rhs.len() / length;
    fronts.resize(front_length(symbolic), [[0.0; LANES]; N]);
    for (i, &at) in symbolic.node_fronts.iter().enumerate() {
        for axis in 0..3 {
            let row = fronts[3 * at as usize + axis].as_flattened_mut();
            row.fill(0.0);
            for lane in 0..lanes {
                row[lane] = rhs[lane * length + 3 * i + axis];
            }
        }
    }
    sweep(symbolic, values, fronts);
    for (i, &at) in symbolic.node_fronts.iter().enumerate() {
        for axis in 0..3 {
            let row = fronts[3 * at as usize + axis].as_flattened();
            for lane in 0..lanes {
                rhs[lane * length + 3 * i + axis] = row[lane];
            }
        }
    }
}

fn front_length(symbolic: &LltSymbolic) -> usize {
    symbolic.front_starts.last().copied().unwrap_or(0)
}

/// One scalar row of the right-hand sides.
pub(crate) trait Row: Pod + Send + Sync {
    /// The numbers of panels.
    type Entry: Sync;
    fn add(&mut self, other: &Self);
    /// Forward substitution with a panel on a front vector, of which `columns` are the rows of the panel's columns.
    fn forward(level: Level, panel: &[Self::Entry], columns: Range<usize>, front: &mut [Self]);
    /// Backward substitution; the rows after `columns` hold solved ancestors.
    fn backward(level: Level, panel: &[Self::Entry], columns: Range<usize>, front: &mut [Self]);
}

/// A factor whose panels and front vectors may be laid out in several ways.
pub(crate) struct Sweep<'a, R: Row> {
    pub(crate) symbolic: &'a LltSymbolic,
    pub(crate) values: &'a [R::Entry],
    pub(crate) value_starts: &'a [usize],
    /// Where the front vectors start; the rows of a front are the last ones of its vector.
    pub(crate) front_starts: &'a [usize],
    pub(crate) level: Level,
}

fn sweep<R: Row<Entry = f64>>(symbolic: &LltSymbolic, values: &[f64], fronts: &mut [R]) {
    Sweep::new(symbolic, values).run(fronts);
}

impl<'a, R: Row<Entry = f64>> Sweep<'a, R> {
    fn new(symbolic: &'a LltSymbolic, values: &'a [f64]) -> Sweep<'a, R> {
        Sweep {
            symbolic,
            values,
            value_starts: symbolic.value_starts(),
            front_starts: &symbolic.front_starts,
            level: Level::new(),
        }
    }
}

impl<R: Row> Sweep<'_, R> {
    /// fronts ← L⁻ᵀ L⁻¹ fronts.
    pub(crate) fn run(&self, fronts: &mut [R]) {
        let tasks = &self.symbolic.tasks;
        self.enter(|| {
            self.forward_tasks(tasks, fronts);
            self.backward_tasks(tasks, fronts, None);
        });
    }

    /// fronts ← L⁻¹ fronts, in the rows of columns.
    fn run_forward(&self, fronts: &mut [R]) {
        self.enter(|| self.forward_tasks(&self.symbolic.tasks, fronts));
    }

    /// Enters the thread pool once, where that is worth it.
    fn enter(&self, run: impl FnOnce() + Send) {
        if self.symbolic.factor_entries() > PARALLEL_ENTRIES {
            rayon::join(run, || ());
        } else {
            run();
        }
    }

    fn panel(&self, s: usize) -> &[R::Entry] {
        &self.values[self.value_starts[s]..self.value_starts[s + 1]]
    }

    /// The rows of the columns of supernode `s` in its front vector.
    fn columns(&self, s: usize) -> Range<usize> {
        let length = self.front_starts[s + 1] - self.front_starts[s];
        let first = length - self.symbolic.front_height(s);
        first..first + 3 * self.symbolic.columns(s).len()
    }

    fn forward_tasks(&self, tasks: &[Task], fronts: &mut [R]) {
        match tasks {
            [] => {}
            [task] => {
                let base = self.front_starts[task.range.start];
                let own = task.own();
                let at = self.front_starts[own.start] - base;
                self.forward_tasks(&task.children, &mut fronts[..at]);
                for s in own {
                    self.forward(s, base, fronts);
                }
            }
            _ => {
                let (low, high) = split_tasks(tasks);
                let (low_fronts, high_fronts) = self.split(low, high, fronts);
                rayon::join(
                    || self.forward_tasks(low, low_fronts),
                    || self.forward_tasks(high, high_fronts),
                );
            }
        }
    }

    fn backward_tasks(&self, tasks: &[Task], fronts: &mut [R], parent: Option<&[R]>) {
        match tasks {
            [] => {}
            [task] => {
                let base = self.front_starts[task.range.start];
                let own = task.own();
                let at = self.front_starts[own.start] - base;
                for s in own.rev() {
                    self.backward(s, base, fronts, parent);
                }
                let (below, top) = fronts.split_at_mut(at);
                self.backward_tasks(&task.children, below, Some(top));
            }
            _ => {
                let (low, high) = split_tasks(tasks);
                let (low_fronts, high_fronts) = self.split(low, high, fronts);
                rayon::join(
                    || self.backward_tasks(low, low_fronts, parent),
                    || self.backward_tasks(high, high_fronts, parent),
                );
            }
        }
    }

    fn split<'r>(
        &self,
        low: &[Task],
        high: &[Task],
        fronts: &'r mut [R],
    ) -> (&'r mut [R], &'r mut [R]) {
        let starts = self.front_starts;
        fronts.split_at_mut(starts[high[0].range.start] - starts[low[0].range.start])
    }

    fn forward(&self, s: usize, base: usize, fronts: &mut [R]) {
        let starts = self.front_starts;
        let (before, rest) = fronts.split_at_mut(starts[s] - base);
        let front = &mut rest[..starts[s + 1] - starts[s]];
        let columns = self.columns(s);
        front[..columns.start].fill(R::zeroed());
        front[columns.end..].fill(R::zeroed());
        for &child in self.symbolic.children(s) {
            let child = child as usize;
            let skipped = self.columns(child).end;
            let source = &before[starts[child] - base + skipped..starts[child + 1] - base];
            for run in self.symbolic.runs(child) {
                let (from, to) = (3 * run.from as usize, columns.start + 3 * run.to as usize);
                let length = 3 * run.length as usize;
                for (t, s) in front[to..to + length]
                    .iter_mut()
                    .zip(&source[from..from + length])
                {
                    t.add(s);
                }
            }
        }
        R::forward(self.level, self.panel(s), columns, front);
    }

    /// `outside` is the front vector of the parent of the last supernode of a task.
    fn backward(&self, s: usize, base: usize, fronts: &mut [R], outside: Option<&[R]>) {
        let starts = self.front_starts;
        let (through, after) = fronts.split_at_mut(starts[s + 1] - base);
        let front = &mut through[starts[s] - base..];
        let columns = self.columns(s);
        if let Some(parent) = self.symbolic.parent(s) {
            let source = match outside {
                Some(outside) if starts[parent] - starts[s + 1] >= after.len() => outside,
                _ => &after[starts[parent] - starts[s + 1]..],
            };
            let first = self.columns(parent).start;
            for run in self.symbolic.runs(s) {
                let from = first + 3 * run.to as usize;
                let to = columns.end + 3 * run.from as usize;
                let length = 3 * run.length as usize;
                front[to..to + length].copy_from_slice(&source[from..from + length]);
            }
        }
        R::backward(self.level, self.panel(s), columns, front);
    }
}

impl Row for f64 {
    type Entry = f64;
    fn add(&mut self, other: &f64) {
        *self += other;
    }

    fn forward(level: Level, panel: &[f64], columns: Range<usize>, front: &mut [f64]) {
        dispatch!(level, simd => {
            for column in columns.step_by(3) {
                forward_columns::<_, 3>(simd, panel, column, front);
            }
        });
    }

    fn backward(level: Level, panel: &[f64], columns: Range<usize>, front: &mut [f64]) {
        dispatch!(level, simd => {
            for column in columns.step_by(3).rev() {
                backward_columns::<_, 3>(simd, panel, column, front);
            }
        });
    }
}

/// The parts below the diagonal block of `W` columns of a panel.
#[inline(always)]
fn tails<const W: usize>(panel: &[f64], column: usize, height: usize) -> [&[f64]; W] {
    std::array::from_fn(|a| &panel[(column + a) * height + column + W..(column + a + 1) * height])
}

#[inline(always)]
fn forward_columns<S: Simd, const W: usize>(
    simd: S,
    panel: &[f64],
    column: usize,
    front: &mut [f64],
) {
    let height = front.len();
    let (head, rest) = front[column..].split_at_mut(W);
    let mut x = [0.0; W];
    for a in 0..W {
        let entries = &panel[(column + a) * height + column..][..W];
        x[a] = head[a] / entries[a];
        for b in a + 1..W {
            head[b] -= entries[b] * x[a];
        }
        head[a] = x[a];
    }
    let columns = tails::<W>(panel, column, height);
    let (wide, narrow) = rest.as_chunks_mut::<8>();
    let chunks = columns.map(|c| &c.as_chunks::<8>().0[..wide.len()]);
    let factors = x.map(|v| f64x8::splat(simd, -v));
    for (i, out) in wide.iter_mut().enumerate() {
        let mut sum = f64x8::load_array_ref(simd, out);
        for a in 0..W {
            sum = f64x8::load_array_ref(simd, &chunks[a][i]).mul_add(factors[a], sum);
        }
        sum.store_array(out);
    }
    let done = 8 * wide.len();
    for (i, out) in narrow.iter_mut().enumerate() {
        for a in 0..W {
            *out -= columns[a][done + i] * x[a];
        }
    }
}

#[inline(always)]
fn backward_columns<S: Simd, const W: usize>(
    simd: S,
    panel: &[f64],
    column: usize,
    front: &mut [f64],
) {
    let height = front.len();
    let (head, rest) = front[column..].split_at_mut(W);
    let columns = tails::<W>(panel, column, height);
    let (wide, narrow) = rest.as_chunks::<8>();
    let chunks = columns.map(|c| &c.as_chunks::<8>().0[..wide.len()]);
    let mut sums = [f64x8::splat(simd, 0.0); W];
    for (i, known) in wide.iter().enumerate() {
        let known = f64x8::load_array_ref(simd, known);
        for a in 0..W {
            sums[a] = f64x8::load_array_ref(simd, &chunks[a][i]).mul_add(known, sums[a]);
        }
    }
    let done = 8 * wide.len();
    for a in (0..W).rev() {
        let mut sum = sums[a].reduce_sum();
        for (known, l) in narrow.iter().zip(&columns[a][done..]) {
            sum += known * l;
        }
        let entries = &panel[(column + a) * height + column..][..W];
        for b in a + 1..W {
            sum += entries[b] * head[b];
        }
        head[a] = (head[a] - sum) / entries[a];
    }
}

impl<const N: usize> Row for Group<N>
where
    Group<N>: Pod,
{
    type Entry = f64;
    fn add(&mut self, other: &Self) {
        let pairs = self.as_flattened_mut().iter_mut();
        for (t, s) in pairs.zip(other.as_flattened()) {
            *t += s;
        }
    }

    fn forward(level: Level, panel: &[f64], columns: Range<usize>, front: &mut [Self]) {
        let width = columns.end;
        dispatch!(level, simd => {
            let mut column = 0;
            while column + 6 <= width {
                forward_group::<_, N, 6>(simd, panel, column, front);
                column += 6;
            }
            if column < width {
                forward_group::<_, N, 3>(simd, panel, column, front);
            }
        });
    }

    fn backward(level: Level, panel: &[f64], columns: Range<usize>, front: &mut [Self]) {
        dispatch!(level, simd => {
            let mut column = columns.end;
            if !column.is_multiple_of(6) {
                column -= 3;
                backward_group::<_, N, 3>(simd, panel, column, front);
            }
            while column > 0 {
                column -= 6;
                backward_group::<_, N, 6>(simd, panel, column, front);
            }
        });
    }
}

#[inline(always)]
fn load<S: Simd, const N: usize>(simd: S, row: &Group<N>) -> [f64x8<S>; N] {
    row.map(|lanes| f64x8::from_slice(simd, &lanes))
}

#[inline(always)]
fn store<S: Simd, const N: usize>(values: [f64x8<S>; N], row: &mut Group<N>) {
    for (value, lanes) in values.iter().zip(row) {
        value.store_slice(lanes);
    }
}

/// row + x · entry.
#[inline(always)]
fn add_scaled<S: Simd, const N: usize>(
    simd: S,
    x: &[f64x8<S>; N],
    entry: f64,
    mut row: [f64x8<S>; N],
) -> [f64x8<S>; N] {
    let entry = f64x8::splat(simd, entry);
    for (row, x) in row.iter_mut().zip(x) {
        *row = x.mul_add(entry, *row);
    }
    row
}

#[inline(always)]
fn forward_group<S: Simd, const N: usize, const W: usize>(
    simd: S,
    panel: &[f64],
    column: usize,
    front: &mut [Group<N>],
) {
    let height = front.len();
    let (head, rest) = front[column..].split_at_mut(W);
    let mut x = [[f64x8::splat(simd, 0.0); N]; W];
    for a in 0..W {
        let mut row = load(simd, &head[a]);
        for b in 0..a {
            row = add_scaled(simd, &x[b], -panel[(column + b) * height + column + a], row);
        }
        let pivot = f64x8::splat(simd, 1.0 / panel[(column + a) * height + column + a]);
        x[a] = row.map(|row| row * pivot);
        store(x[a], &mut head[a]);
    }
    let columns = tails::<W>(panel, column, height).map(|c| &c[..rest.len()]);
    for (i, out) in rest.iter_mut().enumerate() {
        let mut row = load(simd, out);
        for a in 0..W {
            row = add_scaled(simd, &x[a], -columns[a][i], row);
        }
        store(row, out);
    }
}

#[inline(always)]
fn backward_group<S: Simd, const N: usize, const W: usize>(
    simd: S,
    panel: &[f64],
    column: usize,
    front: &mut [Group<N>],
) {
    let height = front.len();
    let (head, rest) = front[column..].split_at_mut(W);
    let columns = tails::<W>(panel, column, height).map(|c| &c[..rest.len()]);
    let mut sums = [[f64x8::splat(simd, 0.0); N]; W];
    for (i, known) in rest.iter().enumerate() {
        let known = load(simd, known);
        for a in 0..W {
            sums[a] = add_scaled(simd, &known, columns[a][i], sums[a]);
        }
    }
    for a in (0..W).rev() {
        let mut row = load(simd, &head[a]);
        for (row, sum) in row.iter_mut().zip(&sums[a]) {
            *row -= *sum;
        }
        for b in a + 1..W {
            let solved = load(simd, &head[b]);
            let entry = -panel[(column + a) * height + column + b];
            row = add_scaled(simd, &solved, entry, row);
        }
        let pivot = f64x8::splat(simd, 1.0 / panel[(column + a) * height + column + a]);
        store(row.map(|row| row * pivot), &mut head[a]);
    }
}
