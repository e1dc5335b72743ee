//! Products with W, dense or sparse: whole, of one row, and of one impulse that changes.

use fearless_simd::{Simd, SimdBase, SimdFloat, f64x4};
use pliant_linalg::{BlockRows, Mat3, Vec3, flat, vec3, vectorize};
use rayon::prelude::*;
use std::ops::Range;

/// Blocks from which several threads share the work.
const PARALLEL_BLOCKS: usize = 30_000;
/// Rows that a thread takes at once.
const ROWS: usize = 16;
/// Columns that a thread takes at once.
const COLUMNS: usize = 128;

/// y = W x; `used` becomes the places where x is not zero.
pub(super) fn multiply(w: &BlockRows, x: &[Vec3], used: &mut Vec<u32>, y: &mut [Vec3]) {
    find_used(x, used);
    let row = |i: usize| row_product_of(w, i, x, used);
    if used.len() * x.len() > PARALLEL_BLOCKS {
        let rows = y.par_iter_mut().enumerate().with_min_len(ROWS);
        rows.for_each(|(i, y)| *y = row(i));
    } else {
        for (i, y) in y.iter_mut().enumerate() {
            *y = row(i);
        }
    }
}

/// The places where x is not zero.
pub(super) fn find_used(x: &[Vec3], used: &mut Vec<u32>) {
    used.clear();
    used.extend((0..x.len() as u32).filter(|&i| x[i as usize] != Vec3::ZERO));
}

/// (W x)_row. Two sets of three accumulators, one for each column of a block; the last column is loaded one entry early,
/// so that all loads stay inside of the block: its lanes 1 to 3 hold the column.
#[inline(always)]
pub(super) fn row_product<S: Simd>(simd: S, w: &BlockRows, row: usize, x: &[Vec3]) -> Vec3 {
    let (columns, blocks) = w.row(row);
    let mut sums = [[f64x4::splat(simd, 0.0); 3]; 2];
    if columns.len() == x.len() {
        // dense: no indirection
        let (pairs, rest) = blocks.as_chunks::<2>();
        let (x_pairs, x_rest) = x.as_chunks::<2>();
        for (pair, x) in pairs.iter().zip(x_pairs) {
            add_product(simd, &mut sums[0], &pair[0], x[0]);
            add_product(simd, &mut sums[1], &pair[1], x[1]);
        }
        for (block, x) in rest.iter().zip(x_rest) {
            add_product(simd, &mut sums[0], block, *x);
        }
    } else {
        for (block, &j) in blocks.iter().zip(columns) {
            add_product(simd, &mut sums[0], block, x[j as usize]);
        }
    }
    let whole = (sums[0][0] + sums[0][1]) + (sums[1][0] + sums[1][1]);
    let last = sums[0][2] + sums[1][2];
    vec3(whole[0] + last[1], whole[1] + last[2], whole[2] + last[3])
}

/// (W x)_row where x is zero but at the places `used`.
pub(super) fn row_product_of(w: &BlockRows, row: usize, x: &[Vec3], used: &[u32]) -> Vec3 {
    vectorize!(simd => used_row_product(simd, w, row, x, used))
}

#[inline(always)]
fn used_row_product<S: Simd>(simd: S, w: &BlockRows, row: usize, x: &[Vec3], used: &[u32]) -> Vec3 {
    let (columns, blocks) = w.row(row);
    if columns.len() != x.len() {
        return row_product(simd, w, row, x);
    }
    let mut sums = [f64x4::splat(simd, 0.0); 3];
    for &j in used {
        add_product(simd, &mut sums, &blocks[j as usize], x[j as usize]);
    }
    let whole = sums[0] + sums[1];
    vec3(
        whole[0] + sums[2][1],
        whole[1] + sums[2][2],
        whole[2] + sums[2][3],
    )
}

#[inline(always)]
fn add_product<S: Simd>(simd: S, sums: &mut [f64x4<S>; 3], block: &Mat3, x: Vec3) {
    let entries = flat(&block.columns);
    sums[0] = f64x4::from_slice(simd, &entries[0..4]).mul_add(x.x, sums[0]);
    sums[1] = f64x4::from_slice(simd, &entries[3..7]).mul_add(x.y, sums[1]);
    sums[2] = f64x4::from_slice(simd, &entries[5..9]).mul_add(x.z, sums[2]);
}

/// y += W Δ for a change Δ of one impulse, in the rows of `range`. W is symmetric: its row is its column.
pub(super) fn add_change(
    w: &BlockRows,
    i: usize,
    change: Vec3,
    range: Range<usize>,
    y: &mut [Vec3],
) {
    vectorize!(simd => add_columns(simd, w, &[(i as u32, change)], range, y, 0));
}

/// y += W Δ for changes of some impulses, in all rows but those of `done`; every row sums in the order of the changes, whatever
/// the number of threads.
pub(super) fn add_changes(
    w: &BlockRows,
    changes: &[(u32, Vec3)],
    done: Range<usize>,
    y: &mut [Vec3],
) {
    let rows = y.len();
    let add = |range: Range<usize>, y: &mut [Vec3], first: usize| {
        let before = range.start..range.end.min(done.start);
        let after = range.start.max(done.end)..range.end;
        for range in [before, after] {
            if !range.is_empty() {
                vectorize!(simd => add_columns(simd, w, changes, range, y, first));
            }
        }
    };
    if changes.len() * rows > PARALLEL_BLOCKS {
        let parts = y.par_chunks_mut(COLUMNS).enumerate();
        parts.for_each(|(part, y)| {
            let first = part * COLUMNS;
            add(first..first + y.len(), y, first);
        });
    } else {
        add(0..rows, y, 0);
    }
}

/// For the rows of `range`; the first of `y` is row `first`.
#[inline(always)]
fn add_columns<S: Simd>(
    _simd: S,
    w: &BlockRows,
    changes: &[(u32, Vec3)],
    range: Range<usize>,
    y: &mut [Vec3],
    first: usize,
) {
    let rows = w.row_count();
    for &(i, change) in changes {
        let (columns, blocks) = w.row(i as usize);
        if columns.len() == rows {
            let y = &mut y[range.start - first..range.end - first];
            for (y, block) in y.iter_mut().zip(&blocks[range.clone()]) {
                *y += times_row(block, change);
            }
        } else {
            let begin = columns.partition_point(|&j| (j as usize) < range.start);
            let end = columns.partition_point(|&j| (j as usize) < range.end);
            for (&j, block) in columns[begin..end].iter().zip(&blocks[begin..end]) {
                y[j as usize - first] += times_row(block, change);
            }
        }
    }
}

/// Bᵀ r.
#[inline(always)]
pub(super) fn times_row(block: &Mat3, row: Vec3) -> Vec3 {
    let [a, b, c] = block.columns;
    vec3(a.dot(row), b.dot(row), c.dot(row))
}
