//! Forward substitution of panels of sparse columns along their paths, and products of panels.
//!
//! The rows of a supernode below its diagonal are columns of its ancestors, which lie on the path too: updates go
//! straight into the solved numbers of the ancestors, without fronts. One kernel, a tile of products held in registers,
//! does nearly all the work. Panels go in batches, so that L and other panels are read from far memory once a batch; what is
//! computed for a panel or a pair does not depend on its batch.

use crate::panel::{ALIGNMENT, LANES, Panel, Step, VECTOR};
use crate::symbolic::LltSymbolic;
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use std::ops::Range;

/// Columns of L eliminated together; a multiple of [`CORNER`].
const DEPTH: usize = 144;

/// Rows of L that update all panels of a batch before the next rows do; a multiple of the heights of tiles.
const CHUNK: usize = 72;

/// Vectors that share a chunk of L from which it is copied next to each other first.
const PACKED_VECTORS: u32 = 4;

/// Most rows of panels multiplied together.
const PRODUCT_DEPTH: usize = 96;

/// Rows solved together in the diagonal block.
const CORNER: usize = 3 * ALIGNMENT as usize;

/// Most panels in a batch: their part of a chunk fits the second-level cache.
pub(crate) const BATCH: usize = 8;

/// Panels in the rows and in the columns of a batch of products: [`PRODUCT_DEPTH`] rows of all of them and the products fit the
/// second-level cache.
pub(crate) const PRODUCT_BATCH: usize = 8;

/// Numbers of the product of two panels.
pub(crate) const PRODUCT: usize = LANES * LANES;

/// A chunk of L, copied; aligned to cache lines.
#[repr(align(64))]
struct Packed([f64; DEPTH * CHUNK]);

/// The steps of some panels at one supernode.
struct Visit<'a, const N: usize> {
    supernode: usize,
    /// By panel of the batch.
    steps: [Option<&'a Step>; N],
}

/// Visits the supernodes on some paths in ascending order.
fn each_supernode<'a, const N: usize>(
    mut paths: [&'a [Step]; N],
    mut visit: impl FnMut(&Visit<'a, N>),
) {
    let first = |path: &&[Step]| path.first().map(|step| step.supernode);
    while let Some(supernode) = paths.iter().filter_map(first).min() {
        let steps = std::array::from_fn(|k| {
            let (step, rest) = paths[k].split_first()?;
            (step.supernode == supernode).then(|| {
                paths[k] = rest;
                step
            })
        });
        visit(&Visit {
            supernode: supernode as usize,
            steps,
        });
    }
}

/// A factor to solve panels with.
#[derive(Clone, Copy)]
pub(crate) struct Factor<'a> {
    pub(crate) level: Level,
    pub(crate) symbolic: &'a LltSymbolic,
    pub(crate) values: &'a [f64],
}

impl Factor<'_> {
    /// x ← L⁻¹ x for at most [`BATCH`] panels x. L is read once for all.
    // its frame is large, and those who call it call themselves
    #[inline(never)]
    pub(crate) fn forward(&self, panels: &mut [Panel]) {
        let mut packed = Packed([0.0; DEPTH * CHUNK]);
        let mut paths: [&[Step]; BATCH] = Default::default();
        let mut numbers: [&mut [f64]; BATCH] = Default::default();
        for (k, panel) in panels.iter_mut().enumerate() {
            (paths[k], numbers[k]) = panel.parts();
        }
        each_supernode(paths, |visit| {
            self.forward_supernode(&paths, visit, &mut packed, &mut numbers);
        });
    }

    fn forward_supernode(
        &self,
        paths: &[&[Step]; BATCH],
        visit: &Visit<'_, BATCH>,
        packed: &mut Packed,
        numbers: &mut [&mut [f64]; BATCH],
    ) {
        let s = visit.supernode;
        let columns = self.symbolic.columns(s);
        let (width, height) = (3 * columns.len(), self.symbolic.front_height(s));
        let panel = &self.values[self.symbolic.value_starts()[s]..][..width * height];
        for block in (0..width).step_by(DEPTH) {
            let end = width.min(block + DEPTH);
            let jobs = || {
                let steps = visit.steps.iter().enumerate();
                let steps = steps.filter_map(|(k, step)| Some((k, (*step)?)));
                let steps = steps.filter(|(_, step)| 3 * (step.skipped as usize) < end);
                steps.map(|(k, step)| {
                    let job = Job {
                        symbolic: self.symbolic,
                        steps: paths[k],
                        step,
                    };
                    (k, job)
                })
            };
            let vectors: u32 = jobs().map(|(_, job)| job.step.vectors).sum();
            for (k, job) in jobs() {
                dispatch!(self.level, simd => {
                    job.solve(simd, panel, height, job.first(block)..end, numbers[k]);
                });
            }
            if vectors == 0 {
                continue;
            }
            for row in (end..height).step_by(CHUNK) {
                let rows = row..height.min(row + CHUNK);
                let pack = vectors >= PACKED_VECTORS;
                if pack {
                    for (target, column) in (packed.0.chunks_exact_mut(CHUNK))
                        .zip(panel[block * height..end * height].chunks_exact(height))
                    {
                        target[..rows.len()].copy_from_slice(&column[rows.clone()]);
                    }
                }
                for (k, job) in jobs() {
                    let first = job.first(block);
                    let entries = match pack {
                        true => (&packed.0[(first - block) * CHUNK..], CHUNK),
                        false => (&panel[first * height + row..], height),
                    };
                    dispatch!(self.level, simd => {
                        job.update(simd, entries, first..end, rows.clone(), numbers[k]);
                    });
                }
            }
        }
    }
}

/// One panel at one supernode.
struct Job<'a> {
    symbolic: &'a LltSymbolic,
    /// All steps of the panel.
    steps: &'a [Step],
    step: &'a Step,
}

impl Job<'_> {
    /// The first column, not before `block`, where the panel has nonzeros.
    fn first(&self, block: usize) -> usize {
        block.max(3 * self.step.skipped as usize)
    }

    /// Where a scalar row of the supernode is.
    fn own(&self, row: usize) -> usize {
        self.step.at + (row - 3 * self.step.skipped as usize) * self.step.stride()
    }

    /// Solves with a diagonal block of L.
    #[inline(always)]
    fn solve<S: Simd>(
        &self,
        simd: S,
        panel: &[f64],
        height: usize,
        columns: Range<usize>,
        solved: &mut [f64],
    ) {
        let entries = (&panel[columns.start * height + columns.start..], height);
        let lanes = (0..self.step.stride()).step_by(VECTOR);
        match (S::f64s::LEN, self.step.vectors) {
            (8, 1) => self.solve_lanes::<S, 1>(simd, entries, columns, 0, solved),
            (8, 2) => self.solve_lanes::<S, 2>(simd, entries, columns, 0, solved),
            (8, _) => self.solve_lanes::<S, 3>(simd, entries, columns, 0, solved),
            (4, _) => {
                for lane in lanes {
                    self.solve_lanes::<S, 2>(simd, entries, columns.clone(), lane, solved);
                }
            }
            _ => {
                for lane in lanes {
                    self.solve_lanes::<S, 4>(simd, entries, columns.clone(), lane, solved);
                }
            }
        }
    }

    /// V vectors from `lane`.
    #[inline(always)]
    fn solve_lanes<S: Simd, const V: usize>(
        &self,
        simd: S,
        (entries, height): (&[f64], usize),
        columns: Range<usize>,
        lane: usize,
        solved: &mut [f64],
    ) {
        let known = self.own(columns.start) + lane;
        let mut depth = 0;
        while depth < columns.len() {
            let tile = Tile {
                entries: &entries[depth..],
                entry_stride: height,
                depth,
                known,
                stride: self.step.stride(),
            };
            if depth + CORNER <= columns.len() {
                tile.solve::<S, V, CORNER>(simd, solved);
                depth += CORNER;
            } else {
                tile.solve::<S, V, 3>(simd, solved);
                depth += 3;
            }
        }
    }

    /// Updates the rows below solved columns. Tiles are as tall as the registers allow: 32 of 512 bits, 16 of 256
    /// or 128.
    #[inline(always)]
    fn update<S: Simd>(
        &self,
        simd: S,
        entries: (&[f64], usize),
        columns: Range<usize>,
        rows: Range<usize>,
        solved: &mut [f64],
    ) {
        let lanes = (0..self.step.stride()).step_by(VECTOR);
        match (S::f64s::LEN, self.step.vectors) {
            (8, 1) => self.update_lanes::<S, 1, 24>(simd, entries, columns, rows, 0, solved),
            (8, 2) => self.update_lanes::<S, 2, 12>(simd, entries, columns, rows, 0, solved),
            (8, _) => self.update_lanes::<S, 3, 9>(simd, entries, columns, rows, 0, solved),
            (4, _) => {
                for lane in lanes {
                    let (columns, rows) = (columns.clone(), rows.clone());
                    self.update_lanes::<S, 2, 6>(simd, entries, columns, rows, lane, solved);
                }
            }
            _ => {
                for lane in lanes {
                    let (columns, rows) = (columns.clone(), rows.clone());
                    self.update_lanes::<S, 4, 3>(simd, entries, columns, rows, lane, solved);
                }
            }
        }
    }

    /// V vectors from `lane`, in tiles of N rows.
    #[inline(always)]
    fn update_lanes<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        (entries, entry_stride): (&[f64], usize),
        columns: Range<usize>,
        rows: Range<usize>,
        lane: usize,
        solved: &mut [f64],
    ) {
        let s = self.step.supernode as usize;
        let mut targets = Targets {
            job: self,
            lane,
            rows: self.symbolic.rows(s),
            columns: self.symbolic.columns(s),
            ancestor: self.step,
            range: self.symbolic.columns(s),
        };
        let known = self.own(columns.start) + lane;
        let mut row = rows.start;
        while row < rows.end {
            let tile = Tile {
                entries: &entries[row - rows.start..],
                entry_stride,
                depth: columns.len(),
                known,
                stride: self.step.stride(),
            };
            if row + N <= rows.end {
                tile.update::<S, V, N>(simd, row, &mut targets, solved);
                row += N;
            } else if N > 9 && row + 9 <= rows.end {
                tile.update::<S, V, 9>(simd, row, &mut targets, solved);
                row += 9;
            } else {
                tile.update::<S, V, 3>(simd, row, &mut targets, solved);
                row += 3;
            }
        }
    }
}

/// Finds the solved rows of the nodes of a supernode's front, met in ascending order.
struct Targets<'a> {
    job: &'a Job<'a>,
    lane: usize,
    rows: &'a [u32],
    columns: Range<usize>,
    /// The step that owns the last node, and its columns.
    ancestor: &'a Step,
    range: Range<usize>,
}

impl Targets<'_> {
    /// Where the first of the three rows of a node of the front is, and the stride of the rows.
    #[inline(always)]
    fn find(&mut self, node: usize) -> (usize, usize) {
        let i = match node.checked_sub(self.columns.len()) {
            None => self.columns.start + node,
            Some(below) => self.rows[below] as usize,
        };
        while i >= self.range.end {
            self.ancestor = &self.job.steps[self.ancestor.parent as usize];
            let s = self.ancestor.supernode as usize;
            self.range = self.job.symbolic.columns(s);
        }
        let stride = self.ancestor.stride();
        let row = 3 * (i - self.range.start - self.ancestor.skipped as usize);
        let shift = VECTOR * (self.job.step.first - self.ancestor.first) as usize;
        (self.ancestor.at + row * stride + shift + self.lane, stride)
    }
}

/// Some rows of a block of columns of L, and the solved rows of these columns.
struct Tile<'a> {
    /// L from the first row and the first column, and the stride of its columns.
    entries: &'a [f64],
    entry_stride: usize,
    /// Number of solved rows.
    depth: usize,
    /// Where they are, and their stride.
    known: usize,
    stride: usize,
}

impl Tile<'_> {
    #[inline(always)]
    fn sums<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        solved: &[f64],
    ) -> [[S::f64s; V]; N] {
        products(
            simd,
            self.depth,
            (&solved[self.known..], self.stride),
            (self.entries, self.entry_stride),
        )
    }

    /// Solves the N rows that follow the solved ones.
    #[inline(always)]
    fn solve<S: Simd, const V: usize, const N: usize>(&self, simd: S, solved: &mut [f64]) {
        let mut x = self.sums::<S, V, N>(simd, solved);
        let corner = &self.entries[self.depth * self.entry_stride..];
        for a in 0..N {
            let pivot = S::f64s::splat(simd, 1.0 / corner[a * self.entry_stride + a]);
            let at = self.known + (self.depth + a) * self.stride;
            let row = &mut solved[at..at + V * S::f64s::LEN];
            for (v, part) in row.chunks_exact_mut(S::f64s::LEN).enumerate() {
                let mut value = S::f64s::from_slice(simd, part) - x[a][v];
                for b in 0..a {
                    let entry = S::f64s::splat(simd, -corner[b * self.entry_stride + a]);
                    value = x[b][v].mul_add(entry, value);
                }
                x[a][v] = value * pivot;
                x[a][v].store_slice(part);
            }
        }
    }

    /// Subtracts the products with N rows of L, from `row` on, from the solved rows they belong to.
    #[inline(always)]
    fn update<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        row: usize,
        targets: &mut Targets<'_>,
        solved: &mut [f64],
    ) {
        let sums = self.sums::<S, V, N>(simd, solved);
        for node in 0..N / 3 {
            let (at, stride) = targets.find(row / 3 + node);
            for axis in 0..3 {
                let row = &mut solved[at + axis * stride..][..V * S::f64s::LEN];
                for (v, part) in row.chunks_exact_mut(S::f64s::LEN).enumerate() {
                    (S::f64s::from_slice(simd, part) - sums[3 * node + axis][v]).store_slice(part);
                }
            }
        }
    }
}

/// Σₖ rows[k] factors[k]ᵀ over `depth` rows of two arrays with given strides.
///
/// The loop has one exit and no check, or the sums would be stored in every turn.
#[inline(always)]
fn products<S: Simd, const V: usize, const N: usize>(
    simd: S,
    depth: usize,
    (rows, row_stride): (&[f64], usize),
    (factors, factor_stride): (&[f64], usize),
) -> [[S::f64s; V]; N] {
    let mut sums = [[S::f64s::splat(simd, 0.0); V]; N];
    let Some(last) = depth.checked_sub(1) else {
        return sums;
    };
    assert!(row_stride >= V * S::f64s::LEN && factor_stride >= N);
    // the last row may lack the end of its stride
    let (rows, last_row) = rows.split_at(last * row_stride);
    let (factors, last_factor) = factors.split_at(last * factor_stride);
    for (row, factor) in (rows.chunks_exact(row_stride)).zip(factors.chunks_exact(factor_stride)) {
        add_product::<S, V, N>(simd, row, factor, &mut sums);
    }
    add_product::<S, V, N>(simd, last_row, last_factor, &mut sums);
    sums
}

#[inline(always)]
fn add_product<S: Simd, const V: usize, const N: usize>(
    simd: S,
    row: &[f64],
    factor: &[f64],
    sums: &mut [[S::f64s; V]; N],
) {
    let lanes = S::f64s::LEN;
    let (row, factor) = (&row[..V * lanes], &factor[..N]);
    let row: [S::f64s; V] =
        std::array::from_fn(|v| S::f64s::from_slice(simd, &row[v * lanes..(v + 1) * lanes]));
    for n in 0..N {
        let factor = S::f64s::splat(simd, factor[n]);
        for v in 0..V {
            sums[n][v] = row[v].mul_add(factor, sums[n][v]);
        }
    }
}

/// sums ← AᵀB for pairs of solved panels, by columns of B: sums over the supernodes on both paths, [`PRODUCT`] numbers
/// a pair, zero on entry.
///
/// A pair names A among the first half of the panels and B among the second.
pub(crate) fn multiply_panels(
    level: Level,
    symbolic: &LltSymbolic,
    panels: &[&Panel; 2 * PRODUCT_BATCH],
    pairs: &[[usize; 2]],
    sums: &mut [f64],
) {
    each_supernode(panels.map(|panel| &panel.steps[..]), |visit| {
        let rows = 3 * symbolic.columns(visit.supernode).len();
        // blocks of equal depth; they may not depend on the panels
        let depth = rows.div_ceil(rows.div_ceil(PRODUCT_DEPTH));
        for block in (0..rows).step_by(depth) {
            let end = rows.min(block + depth);
            for (&[p, q], sums) in pairs.iter().zip(sums.chunks_exact_mut(PRODUCT)) {
                let (Some(a), Some(b)) = (visit.steps[p], visit.steps[q]) else {
                    continue;
                };
                let first = block.max(3 * a.skipped.max(b.skipped) as usize);
                if first >= end {
                    continue;
                }
                let from = |panel: usize, step: &Step| {
                    let row = first - 3 * step.skipped as usize;
                    &panels[panel].numbers()[step.at + row * step.stride()..]
                };
                let (a, b) = ((a, from(p, a)), (b, from(q, b)));
                dispatch!(level, simd => add_products(simd, end - first, a, b, sums));
            }
        }
    });
}

#[inline(always)]
fn add_products<S: Simd>(
    simd: S,
    rows: usize,
    a: (&Step, &[f64]),
    b: (&Step, &[f64]),
    tile: &mut [f64],
) {
    let lanes = (0..a.0.stride()).step_by(VECTOR);
    match (S::f64s::LEN, a.0.vectors) {
        (8, 1) => add_columns::<S, 1, 8>(simd, rows, 0, a, b, tile),
        (8, 2) => add_columns::<S, 2, 8>(simd, rows, 0, a, b, tile),
        (8, _) => add_columns::<S, 3, 8>(simd, rows, 0, a, b, tile),
        (4, _) => lanes.for_each(|lane| add_columns::<S, 2, 4>(simd, rows, lane, a, b, tile)),
        _ => lanes.for_each(|lane| add_columns::<S, 4, 2>(simd, rows, lane, a, b, tile)),
    }
}

/// V vectors of `a` from `lane`, N columns of `b` at a time.
#[inline(always)]
fn add_columns<S: Simd, const V: usize, const N: usize>(
    simd: S,
    rows: usize,
    lane: usize,
    (a, a_rows): (&Step, &[f64]),
    (b, b_rows): (&Step, &[f64]),
    tile: &mut [f64],
) {
    for column in (0..b.stride()).step_by(N) {
        let (left, right) = (&a_rows[lane..], &b_rows[column..]);
        let sums = products::<S, V, N>(simd, rows, (left, a.stride()), (right, b.stride()));
        for c in 0..N {
            let at =
                (VECTOR * b.first as usize + column + c) * LANES + VECTOR * a.first as usize + lane;
            let entries = &mut tile[at..at + V * S::f64s::LEN];
            for (v, part) in entries.chunks_exact_mut(S::f64s::LEN).enumerate() {
                (S::f64s::from_slice(simd, part) + sums[c][v]).store_slice(part);
            }
        }
    }
}
