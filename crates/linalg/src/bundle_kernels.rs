//! Backward substitution of a bundle at one supernode: tiles of columns of L times vectors of right-hand sides, held in registers.
//!
//! Each sum runs over the rows of L in a fixed order, whatever is solved on other threads.

use crate::bundle::BundlePanel;
use crate::panel::{Panel, VECTOR};
use crate::panel_kernels::Factor;
use fearless_simd::{Simd, SimdBase, SimdFloat, f64x8};
use std::ops::Range;

/// Numbers of a chunk of solved rows: half of a first-level cache, whole nodes of one to four vectors.
pub(crate) const CHUNK_NUMBERS: usize = 3 * VECTOR * 128;

/// Solved rows next to each other.
#[repr(align(64))]
pub(crate) struct Chunk(pub(crate) [f64; CHUNK_NUMBERS]);

/// Columns that go backwards together.
pub(crate) struct Group<'a> {
    pub(crate) factor: Factor<'a>,
    /// Numbers from one row to the next.
    pub(crate) stride: usize,
    /// The first column, and the number of vectors.
    pub(crate) lane: usize,
    pub(crate) vectors: usize,
    pub(crate) panels: &'a [BundlePanel],
    pub(crate) solved: &'a [Panel],
    /// Front vectors of dense columns, and the first of these.
    pub(crate) fronts: &'a [Vec<f64>],
    pub(crate) first_dense: usize,
}

impl Group<'_> {
    /// Where its columns are in a row.
    fn lanes(&self) -> Range<usize> {
        self.lane..self.lane + VECTOR * self.vectors
    }
}

/// Puts what forward substitution has left at supernode `s` into its rows.
pub(crate) fn load_head(group: &Group<'_>, s: usize, head: &mut [f64]) {
    let (symbolic, lanes) = (group.factor.symbolic, group.lanes());
    for row in head.chunks_exact_mut(group.stride) {
        row[lanes.clone()].fill(0.0);
    }
    for (column, front) in (group.first_dense..).zip(group.fronts) {
        if lanes.contains(&column) {
            let front = &front[symbolic.front_starts[s]..];
            for (row, &value) in head.chunks_exact_mut(group.stride).zip(front) {
                row[column] = value;
            }
        }
    }
    for (own, panel) in group.panels.iter().zip(group.solved) {
        if !lanes.contains(&own.lane) {
            continue;
        }
        let found = (panel.steps).binary_search_by_key(&(s as u32), |step| step.supernode);
        let Ok(found) = found else { continue };
        let step = &panel.steps[found];
        let first = VECTOR * step.first as usize;
        let count = step.stride().min(own.lanes - first);
        let rows = head.chunks_exact_mut(group.stride);
        let rows = rows.skip(3 * step.skipped as usize);
        let numbers = panel.numbers()[step.at..].chunks_exact(step.stride());
        for (row, numbers) in rows.zip(numbers) {
            row[own.lane + first..][..count].copy_from_slice(&numbers[..count]);
        }
    }
}

/// Subtracts the products with some rows of L, whose solved rows are in `chunk`.
#[inline(always)]
pub(crate) fn subtract_chunk<S: Simd>(
    simd: S,
    group: &Group<'_>,
    panel: (&[f64], usize),
    rows: Range<usize>,
    chunk: &Chunk,
    head: &mut [f64],
) {
    // 32 registers of 512 bits hold 24 sums; elsewhere a vector of eight is several registers
    match (S::f64s::LEN, group.vectors) {
        (8, 1) => subtract::<S, 1, 12>(simd, group, panel, rows, (chunk, 0, 1), head),
        (8, 2) => subtract::<S, 2, 12>(simd, group, panel, rows, (chunk, 0, 2), head),
        (8, 3) => subtract::<S, 3, 6>(simd, group, panel, rows, (chunk, 0, 3), head),
        (8, _) => subtract::<S, 4, 6>(simd, group, panel, rows, (chunk, 0, 4), head),
        (4, n) => {
            for v in 0..n {
                subtract::<S, 1, 6>(simd, group, panel, rows.clone(), (chunk, v, n), head);
            }
        }
        (_, n) => {
            for v in 0..n {
                subtract::<S, 1, 3>(simd, group, panel, rows.clone(), (chunk, v, n), head);
            }
        }
    }
}

/// V vectors from the one that is named, of a chunk whose rows have so many.
#[inline(always)]
fn subtract<S: Simd, const V: usize, const W: usize>(
    simd: S,
    group: &Group<'_>,
    (panel, height): (&[f64], usize),
    rows: Range<usize>,
    (chunk, vector, vectors): (&Chunk, usize, usize),
    head: &mut [f64],
) {
    let (known, _) = chunk.0.as_chunks::<VECTOR>();
    let known = &known[..rows.len() * vectors];
    let width = head.len() / group.stride;
    let lane = group.lane + VECTOR * vector;
    let mut column = 0;
    while column < width {
        let out = &mut head[column * group.stride + lane..];
        let entries = &panel[column * height + rows.start..];
        let source = (known, vector, vectors);
        let tile = width - column;
        column += if tile >= W {
            tile_products::<S, V, W>(simd, source, (entries, height), (out, group.stride));
            W
        } else if W > 6 && tile >= 6 {
            tile_products::<S, V, 6>(simd, source, (entries, height), (out, group.stride));
            6
        } else {
            tile_products::<S, V, 3>(simd, source, (entries, height), (out, group.stride));
            3
        };
    }
}

/// Subtracts the products of W columns of L with solved rows.
#[inline(always)]
fn tile_products<S: Simd, const V: usize, const W: usize>(
    simd: S,
    (known, vector, vectors): (&[[f64; VECTOR]], usize, usize),
    (entries, height): (&[f64], usize),
    (out, stride): (&mut [f64], usize),
) {
    let count = known.len() / vectors;
    let columns: [&[f64]; W] = std::array::from_fn(|a| &entries[a * height..][..count]);
    let mut sums = [[f64x8::splat(simd, 0.0); V]; W];
    for (i, row) in known.chunks_exact(vectors).enumerate().take(count) {
        let row = &row[vector..vector + V];
        let mut x = [f64x8::splat(simd, 0.0); V];
        for v in 0..V {
            x[v] = f64x8::load_array_ref(simd, &row[v]);
        }
        for a in 0..W {
            let entry = f64x8::splat(simd, columns[a][i]);
            for v in 0..V {
                sums[a][v] = x[v].mul_add(entry, sums[a][v]);
            }
        }
    }
    for a in 0..W {
        for v in 0..V {
            let part = &mut out[a * stride + VECTOR * v..][..VECTOR];
            (f64x8::from_slice(simd, part) - sums[a][v]).store_slice(part);
        }
    }
}

/// Solves with the transposed diagonal block of L.
#[inline(always)]
pub(crate) fn solve_head<S: Simd>(
    simd: S,
    group: &Group<'_>,
    panel: (&[f64], usize),
    head: &mut [f64],
) {
    match (S::f64s::LEN, group.vectors) {
        (8, 1) => solve::<S, 1>(simd, group, panel, 0, head),
        (8, 2) => solve::<S, 2>(simd, group, panel, 0, head),
        (8, 3) => solve::<S, 3>(simd, group, panel, 0, head),
        (8, _) => solve::<S, 4>(simd, group, panel, 0, head),
        (_, n) => {
            for v in 0..n {
                solve::<S, 1>(simd, group, panel, v, head);
            }
        }
    }
}

#[inline(always)]
fn solve<S: Simd, const V: usize>(
    simd: S,
    group: &Group<'_>,
    (panel, height): (&[f64], usize),
    vector: usize,
    head: &mut [f64],
) {
    let lane = group.lane + VECTOR * vector;
    let mut column = head.len() / group.stride;
    while column > 0 {
        // full tiles begin at multiples of six
        let tile = if column.is_multiple_of(6) { 6 } else { 3 };
        column -= tile;
        let entries = &panel[column * height + column..];
        let rows = &mut head[column * group.stride..];
        if tile == 6 {
            corner::<S, V, 6>(simd, (entries, height), lane, (rows, group.stride));
        } else {
            corner::<S, V, 3>(simd, (entries, height), lane, (rows, group.stride));
        }
    }
}

/// Solves for the first W of some rows; the others are solved.
#[inline(always)]
fn corner<S: Simd, const V: usize, const W: usize>(
    simd: S,
    (entries, height): (&[f64], usize),
    lane: usize,
    (rows, stride): (&mut [f64], usize),
) {
    let (own, solved) = rows.split_at_mut(W * stride);
    let count = solved.len() / stride;
    let columns: [&[f64]; W] = std::array::from_fn(|a| &entries[a * height + W..][..count]);
    let mut sums = [[f64x8::splat(simd, 0.0); V]; W];
    for (i, row) in solved.chunks_exact(stride).enumerate().take(count) {
        let row = &row[lane..lane + VECTOR * V];
        let mut x = [f64x8::splat(simd, 0.0); V];
        for v in 0..V {
            x[v] = f64x8::from_slice(simd, &row[VECTOR * v..VECTOR * (v + 1)]);
        }
        for a in 0..W {
            let entry = f64x8::splat(simd, columns[a][i]);
            for v in 0..V {
                sums[a][v] = x[v].mul_add(entry, sums[a][v]);
            }
        }
    }
    for a in (0..W).rev() {
        let pivot = f64x8::splat(simd, 1.0 / entries[a * height + a]);
        let part = &mut own[a * stride + lane..][..VECTOR * V];
        for v in 0..V {
            let part = &mut part[VECTOR * v..VECTOR * (v + 1)];
            let mut value = f64x8::from_slice(simd, part) - sums[a][v];
            for b in a + 1..W {
                let entry = f64x8::splat(simd, -entries[a * height + b]);
                value = sums[b][v].mul_add(entry, value);
            }
            sums[a][v] = value * pivot;
            sums[a][v].store_slice(part);
        }
    }
}
