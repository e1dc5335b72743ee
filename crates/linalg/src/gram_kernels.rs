//! Forward substitution of a panel of sparse columns along its path, and products of two panels.
//!
//! The rows of a supernode below its diagonal are columns of its ancestors, which lie on the path too: updates go
//! straight into the solved numbers of the ancestors, without fronts. One kernel, a tile of products held in registers,
//! does nearly all the work; every number is computed by the same operations in any run.

use crate::gram_plan::{LANES, Step, VECTOR};
use crate::symbolic::LltSymbolic;
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use std::ops::Range;

/// Columns of L eliminated together: their solved rows stay in the first-level cache.
const DEPTH: usize = 48;

/// Rows of two panels multiplied together, both in the first-level cache.
const PRODUCT_DEPTH: usize = 96;

/// Solved rows before the division by a triangle of L: rows of a tile of the diagonal block.
const CORNER: usize = 9;

/// A factor and the path of a panel through it.
pub(crate) struct Path<'a> {
    pub(crate) level: Level,
    pub(crate) symbolic: &'a LltSymbolic,
    pub(crate) values: &'a [f64],
    pub(crate) steps: &'a [Step],
}

impl Path<'_> {
    /// solved ← L⁻¹ solved; the panel's part of P C on entry.
    pub(crate) fn forward(&self, solved: &mut [f64]) {
        for step in self.steps {
            dispatch!(self.level, simd => self.forward_step(simd, step, solved));
        }
    }

    /// Tiles are as tall as the registers allow: 32 of 512 bits, 16 of 256 or 128.
    #[inline(always)]
    fn forward_step<S: Simd>(&self, simd: S, step: &Step, solved: &mut [f64]) {
        let lanes = (0..step.stride()).step_by(VECTOR);
        match (S::f64s::LEN, step.vectors) {
            (8, 1) => self.substitute::<S, 1, 24>(simd, step, 0, solved),
            (8, 2) => self.substitute::<S, 2, 12>(simd, step, 0, solved),
            (8, _) => self.substitute::<S, 3, 9>(simd, step, 0, solved),
            (4, _) => {
                for lane in lanes {
                    self.substitute::<S, 2, 6>(simd, step, lane, solved);
                }
            }
            _ => {
                for lane in lanes {
                    self.substitute::<S, 4, 3>(simd, step, lane, solved);
                }
            }
        }
    }

    /// Solves V vectors from `lane` with the columns of a supernode and updates the rows below, in tiles of N rows.
    #[inline(always)]
    fn substitute<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        step: &Step,
        lane: usize,
        solved: &mut [f64],
    ) {
        let s = step.supernode as usize;
        let columns = self.symbolic.columns(s);
        let (width, height) = (3 * columns.len(), self.symbolic.front_height(s));
        let panel = &self.values[self.symbolic.value_starts()[s]..][..width * height];
        let skipped = 3 * step.skipped as usize;
        let stride = step.stride();
        let own = |row: usize| step.at + lane + (row - skipped) * stride;
        for first in (skipped..width).step_by(DEPTH) {
            let end = width.min(first + DEPTH);
            let mut row = first;
            while row < end {
                let tile = Tile {
                    panel: &panel[first * height..],
                    height,
                    row,
                    depth: row - first,
                    known: own(first),
                    stride,
                };
                if row + CORNER <= end {
                    tile.solve::<S, V, CORNER>(simd, own(row), solved);
                    row += CORNER;
                } else {
                    tile.solve::<S, V, 3>(simd, own(row), solved);
                    row += 3;
                }
            }
            let mut targets = Targets {
                path: self,
                step,
                lane,
                rows: self.symbolic.rows(s),
                columns: columns.clone(),
                ancestor: step,
                range: columns.clone(),
            };
            let mut row = end;
            while row < height {
                let tile = Tile {
                    panel: &panel[first * height..],
                    height,
                    row,
                    depth: end - first,
                    known: own(first),
                    stride,
                };
                if row + N <= height {
                    tile.update::<S, V, N>(simd, &mut targets, solved);
                    row += N;
                } else if N > 9 && row + 9 <= height {
                    tile.update::<S, V, 9>(simd, &mut targets, solved);
                    row += 9;
                } else {
                    tile.update::<S, V, 3>(simd, &mut targets, solved);
                    row += 3;
                }
            }
        }
    }
}

/// Finds the solved rows of the nodes of a supernode's front, met in ascending order.
struct Targets<'a> {
    path: &'a Path<'a>,
    step: &'a Step,
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
            self.ancestor = &self.path.steps[self.ancestor.parent as usize];
            let s = self.ancestor.supernode as usize;
            self.range = self.path.symbolic.columns(s);
        }
        let stride = self.ancestor.stride();
        let row = 3 * (i - self.range.start - self.ancestor.skipped as usize);
        let shift = VECTOR * (self.step.first - self.ancestor.first) as usize;
        (self.ancestor.at + row * stride + shift + self.lane, stride)
    }
}

/// Some rows of a block of columns of L, and the solved rows of these columns.
struct Tile<'a> {
    /// L from the first column of the block.
    panel: &'a [f64],
    height: usize,
    row: usize,
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
            (&self.panel[self.row..], self.height),
        )
    }

    /// Solves N rows of the diagonal block, at `own`, of which `depth` columns are known.
    #[inline(always)]
    fn solve<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        own: usize,
        solved: &mut [f64],
    ) {
        let mut x = self.sums::<S, V, N>(simd, solved);
        let corner = &self.panel[self.depth * self.height + self.row..];
        for a in 0..N {
            let pivot = S::f64s::splat(simd, 1.0 / corner[a * self.height + a]);
            let row = &mut solved[own + a * self.stride..][..V * S::f64s::LEN];
            for (v, part) in row.chunks_exact_mut(S::f64s::LEN).enumerate() {
                let mut value = S::f64s::from_slice(simd, part) - x[a][v];
                for b in 0..a {
                    let entry = S::f64s::splat(simd, -corner[b * self.height + a]);
                    value = x[b][v].mul_add(entry, value);
                }
                x[a][v] = value * pivot;
                x[a][v].store_slice(part);
            }
        }
    }

    /// Subtracts the products with N rows of L from the solved rows they belong to.
    #[inline(always)]
    fn update<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        targets: &mut Targets<'_>,
        solved: &mut [f64],
    ) {
        let sums = self.sums::<S, V, N>(simd, solved);
        for node in 0..N / 3 {
            let (at, stride) = targets.find(self.row / 3 + node);
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
#[inline(always)]
fn products<S: Simd, const V: usize, const N: usize>(
    simd: S,
    depth: usize,
    (rows, row_stride): (&[f64], usize),
    (factors, factor_stride): (&[f64], usize),
) -> [[S::f64s; V]; N] {
    let lanes = S::f64s::LEN;
    let mut sums = [[S::f64s::splat(simd, 0.0); V]; N];
    for (row, factor) in (rows.chunks(row_stride))
        .zip(factors.chunks(factor_stride))
        .take(depth)
    {
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
    sums
}

/// tile ← AᵀB of two solved panels, by columns of B: the sum over the supernodes on both paths.
pub(crate) fn multiply_panels(
    level: Level,
    symbolic: &LltSymbolic,
    (a_steps, a_solved): (&[Step], &[f64]),
    (b_steps, b_solved): (&[Step], &[f64]),
    tile: &mut [f64],
) {
    tile.fill(0.0);
    let mut b_steps = b_steps.iter().peekable();
    for a in a_steps {
        while b_steps.next_if(|b| b.supernode < a.supernode).is_some() {}
        let Some(b) = b_steps.next_if(|b| b.supernode == a.supernode) else {
            continue;
        };
        let skipped = a.skipped.max(b.skipped);
        let rows = 3 * (symbolic.columns(a.supernode as usize).len() - skipped as usize);
        let from = |step: &Step| step.at + 3 * (skipped - step.skipped) as usize * step.stride();
        let (a_rows, b_rows) = (&a_solved[from(a)..], &b_solved[from(b)..]);
        dispatch!(level, simd => add_products(simd, rows, (a, a_rows), (b, b_rows), tile));
    }
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
    let (a_stride, b_stride) = (a.stride(), b.stride());
    for first in (0..rows).step_by(PRODUCT_DEPTH) {
        let depth = PRODUCT_DEPTH.min(rows - first);
        let a_rows = &a_rows[first * a_stride + lane..];
        let b_rows = &b_rows[first * b_stride..];
        for column in (0..b_stride).step_by(N) {
            let sums = products::<S, V, N>(
                simd,
                depth,
                (a_rows, a_stride),
                (&b_rows[column..], b_stride),
            );
            for c in 0..N {
                let at = (VECTOR * b.first as usize + column + c) * LANES
                    + VECTOR * a.first as usize
                    + lane;
                let entries = &mut tile[at..at + V * S::f64s::LEN];
                for (v, part) in entries.chunks_exact_mut(S::f64s::LEN).enumerate() {
                    (S::f64s::from_slice(simd, part) + sums[c][v]).store_slice(part);
                }
            }
        }
    }
}
