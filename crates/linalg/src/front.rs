//! Dense partial Cholesky of a front: eliminates the columns of a panel and updates the square below.
//!
//! Columns go in blocks of at most [`DEPTH`]. The rows of a block are packed into strips of a few vectors, `[column][row]`, so
//! that one kernel (a tile of products of two strips, held in registers) does all the work: left-looking within the block, then
//! for everything to the right of it. Large fronts are cut into strips of columns for several threads; every entry is
//! computed by the same operations in the same order on any number of threads.

use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};

/// Columns eliminated together: a strip of this depth fits the first-level cache, the others stream past it.
const DEPTH: usize = 144;

/// Most rows in a strip: three vectors of eight.
const TALLEST: usize = 24;

/// Work (flops) of a block from which its strips go to several threads.
const PARALLEL_FLOPS: usize = 4_000_000;

/// Numbers of scratch needed by [`eliminate`].
pub(crate) fn scratch_size(height: usize, width: usize) -> usize {
    (height + 3 * TALLEST) * width.next_multiple_of(8).min(DEPTH)
}

/// A pivot that is not positive and finite.
#[derive(Debug, PartialEq)]
pub(crate) struct BadPivot {
    pub(crate) column: usize,
    pub(crate) value: f64,
}

/// Factorises the first `width` columns of a symmetric front of `height` rows, of which the lower triangle counts.
///
/// `panel` holds these columns and becomes L; `update`, the square of the rows below, is set to −L₂₁ L₂₁ᵀ.
/// What lies above the diagonals is unspecified.
pub(crate) fn eliminate(
    panel: &mut [f64],
    height: usize,
    width: usize,
    update: &mut [f64],
    scratch: &mut [f64],
) -> Result<(), BadPivot> {
    let level = Level::new();
    // strips of 24 rows by 8 columns in 512-bit registers, 12 by 4 in 256-bit, 4 by 4 in 128-bit ones
    let shape = dispatch!(level, simd => lanes(simd));
    for first in (0..width).step_by(DEPTH) {
        let columns = DEPTH.min(width - first);
        let block = Block {
            level,
            height,
            width,
            first,
            columns,
            depth: columns.next_multiple_of(8),
        };
        match shape {
            8 => block.run::<3, 8>(24, panel, update, scratch),
            4 => block.run::<3, 4>(12, panel, update, scratch),
            other => block.run::<2, 4>(2 * other, panel, update, scratch),
        }?;
    }
    Ok(())
}

#[inline(always)]
fn lanes<S: Simd>(_: S) -> usize {
    S::f64s::LEN
}

/// One block of columns of a front.
#[derive(Clone, Copy)]
struct Block {
    level: Level,
    height: usize,
    width: usize,
    /// The first column.
    first: usize,
    columns: usize,
    /// Columns of a packed strip, a multiple of the tile width.
    depth: usize,
}

/// V vectors a strip, N columns a tile.
impl Block {
    /// `strip` is the number of rows of a strip.
    fn run<const V: usize, const N: usize>(
        self,
        strip: usize,
        panel: &mut [f64],
        update: &mut [f64],
        scratch: &mut [f64],
    ) -> Result<(), BadPivot> {
        let end = self.first + self.columns;
        let size = strip * self.depth;
        let (right, below) = (self.width - end, self.height - self.width);
        let counts = [self.columns, right, below].map(|rows| rows.div_ceil(strip));
        let scratch = &mut scratch[..(counts[0] + counts[1] + counts[2]) * size];
        let (diagonal, rest) = scratch.split_at_mut(counts[0] * size);
        let (panel, trailing) =
            panel[self.first * self.height..].split_at_mut(self.columns * self.height);

        let mut inverses = [0.0; DEPTH];
        for (k, packed) in diagonal.chunks_exact_mut(size).enumerate() {
            self.pack(strip, panel, self.first + k * strip, end, packed);
        }
        dispatch!(self.level, simd => {
            self.factor_diagonal::<_, V, N>(simd, diagonal, &mut inverses)
        })?;
        for (k, packed) in diagonal.chunks_exact(size).enumerate() {
            self.unpack(strip, panel, self.first + k * strip, end, packed);
        }

        let (right_strips, below_strips) = rest.split_at_mut(counts[1] * size);
        let parallel = self.columns * (right + below) * (right + below) > PARALLEL_FLOPS;
        let solve = |row: usize, row_end: usize, packed: &mut [f64]| {
            self.pack(strip, panel, row, row_end, packed);
            dispatch!(self.level, simd => {
                self.solve_strip::<_, V, N>(simd, diagonal, &inverses, packed);
            });
        };
        each_strip(parallel, 0, size, right_strips, &|k, packed| {
            solve(end + k * strip, self.width, packed);
        });
        each_strip(parallel, 0, size, below_strips, &|k, packed| {
            solve(self.width + k * strip, self.height, packed);
        });
        each_strip(parallel, 0, 8 * self.height, panel, &|k, columns| {
            let strips = (end..self.width)
                .step_by(strip)
                .zip(right_strips.chunks_exact(size));
            let below = (self.width..self.height)
                .step_by(strip)
                .zip(below_strips.chunks_exact(size));
            for (c, column) in columns.chunks_exact_mut(self.height).enumerate() {
                for (row, packed) in strips.clone().chain(below.clone()) {
                    let row_end = if row < self.width {
                        self.width
                    } else {
                        self.height
                    };
                    let length = strip.min(row_end - row);
                    column[row..row + length]
                        .copy_from_slice(&packed[(8 * k + c) * strip..][..length]);
                }
            }
        });

        let (right_strips, below_strips) = (&*right_strips, &*below_strips);
        each_strip(parallel, 0, strip * self.height, trailing, &|k, columns| {
            dispatch!(self.level, simd => {
                let own = &right_strips[k * size..(k + 1) * size];
                let mut target = Target {
                    numbers: columns,
                    stride: self.height,
                    row: end + k * strip,
                    row_end: self.width,
                    replace: false,
                };
                self.update::<_, V, N>(simd, own, &right_strips[k * size..], &mut target);
                target.row = self.width;
                target.row_end = self.height;
                self.update::<_, V, N>(simd, own, below_strips, &mut target);
            });
        });
        each_strip(parallel, 0, strip * below, update, &|k, columns| {
            dispatch!(self.level, simd => {
                let own = &below_strips[k * size..(k + 1) * size];
                let mut target = Target {
                    numbers: columns,
                    stride: below,
                    row: k * strip,
                    row_end: below,
                    replace: self.first == 0,
                };
                self.update::<_, V, N>(simd, own, &below_strips[k * size..], &mut target);
            });
        });
        Ok(())
    }

    /// Copies rows from `row`, at most up to `row_end`, of the block's columns into a strip, padded with zeros.
    fn pack(&self, strip: usize, panel: &[f64], row: usize, row_end: usize, packed: &mut [f64]) {
        let length = strip.min(row_end - row);
        for (target, column) in packed
            .chunks_exact_mut(strip)
            .zip(panel.chunks_exact(self.height))
        {
            target[..length].copy_from_slice(&column[row..row + length]);
            target[length..].fill(0.0);
        }
        packed[self.columns * strip..].fill(0.0);
    }

    /// Copies the lower triangle of a strip of the diagonal block back.
    fn unpack(&self, strip: usize, panel: &mut [f64], row: usize, row_end: usize, packed: &[f64]) {
        let length = strip.min(row_end - row);
        let columns = packed
            .chunks_exact(strip)
            .zip(panel.chunks_exact_mut(self.height));
        for (c, (source, column)) in columns.enumerate() {
            let skipped = (self.first + c).saturating_sub(row).min(length);
            column[row + skipped..row + length].copy_from_slice(&source[skipped..length]);
        }
    }

    /// Cholesky of the packed diagonal block; `inverses` of its diagonal.
    #[inline(always)]
    fn factor_diagonal<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        strips: &mut [f64],
        inverses: &mut [f64; DEPTH],
    ) -> Result<(), BadPivot> {
        let strip = V * S::f64s::LEN;
        let size = strip * self.depth;
        for column in (0..self.columns).step_by(N) {
            // the strip that holds the tile's own rows, from its row `offset`
            let (before, offset) = (column / strip, column % strip);
            let (head, tail) = strips[before * size..].split_at_mut(size);
            let mut corner = [[0.0; N]; N];
            {
                let sums = tile::<S, V, N>(simd, column, head, &head[offset..]);
                for c in 0..N {
                    let packed = &mut head[(column + c) * strip..(column + c + 1) * strip];
                    for v in 0..V {
                        let part = &mut packed[v * S::f64s::LEN..(v + 1) * S::f64s::LEN];
                        (S::f64s::from_slice(simd, part) - sums[c][v]).store_slice(part);
                    }
                }
            }
            for c in 0..N.min(self.columns - column) {
                for r in c..N {
                    let mut value = head[(column + c) * strip + offset + r];
                    for q in 0..c {
                        value -= corner[r][q] * corner[c][q];
                    }
                    if r == c {
                        if !(value > 0.0 && value.is_finite()) {
                            return Err(BadPivot {
                                column: self.first + column + c,
                                value,
                            });
                        }
                        corner[c][c] = value.sqrt();
                        inverses[column + c] = 1.0 / corner[c][c];
                    } else {
                        corner[r][c] = value * inverses[column + c];
                    }
                }
            }
            let inverse: [f64; N] = std::array::from_fn(|c| inverses[column + c]);
            let zero = [[S::f64s::splat(simd, 0.0); V]; N];
            finish_tile::<S, V, N>(simd, zero, &corner, &inverse, &mut head[column * strip..]);
            for c in 0..N.min(self.columns - column) {
                head[(column + c) * strip + offset + c] = corner[c][c];
            }
            for packed in
                tail[..(self.columns.div_ceil(strip) - before - 1) * size].chunks_exact_mut(size)
            {
                let sums = tile::<S, V, N>(simd, column, packed, &head[offset..]);
                finish_tile::<S, V, N>(
                    simd,
                    sums,
                    &corner,
                    &inverse,
                    &mut packed[column * strip..],
                );
            }
        }
        Ok(())
    }

    /// Divides a packed strip by the transposed diagonal block.
    #[inline(always)]
    fn solve_strip<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        diagonal: &[f64],
        inverses: &[f64; DEPTH],
        packed: &mut [f64],
    ) {
        let strip = V * S::f64s::LEN;
        let size = strip * self.depth;
        for column in (0..self.columns).step_by(N) {
            let own = &diagonal[column / strip * size..];
            let offset = column % strip;
            let mut corner = [[0.0; N]; N];
            for c in 0..N {
                for q in 0..c {
                    corner[c][q] = own[(column + q) * strip + offset + c];
                }
            }
            let inverse: [f64; N] = std::array::from_fn(|c| inverses[column + c]);
            let sums = tile::<S, V, N>(simd, column, packed, &own[offset..]);
            finish_tile::<S, V, N>(simd, sums, &corner, &inverse, &mut packed[column * strip..]);
        }
    }

    /// Subtracts the products of the strips `rows` with the strip `own` from the columns of `own`.
    #[inline(always)]
    fn update<S: Simd, const V: usize, const N: usize>(
        &self,
        simd: S,
        own: &[f64],
        rows: &[f64],
        target: &mut Target<'_>,
    ) {
        let lanes = S::f64s::LEN;
        let strip = V * lanes;
        let stride = target.stride;
        let columns = target.numbers.len() / stride;
        for (k, packed) in rows.chunks_exact(strip * self.depth).enumerate() {
            let row = target.row + k * strip;
            let length = strip.min(target.row_end - row);
            for column in (0..columns).step_by(N) {
                let sums = tile::<S, V, N>(simd, self.columns, packed, &own[column..]);
                let numbers = &mut target.numbers[column * stride..];
                if length == strip && column + N <= columns {
                    for c in 0..N {
                        let entries = &mut numbers[c * stride + row..][..strip];
                        for v in 0..V {
                            let part = &mut entries[v * lanes..(v + 1) * lanes];
                            let before = match target.replace {
                                true => S::f64s::splat(simd, 0.0),
                                false => S::f64s::from_slice(simd, part),
                            };
                            (before - sums[c][v]).store_slice(part);
                        }
                    }
                } else {
                    let mut buffer = [[0.0; TALLEST]; N];
                    for c in 0..N {
                        for v in 0..V {
                            sums[c][v].store_slice(&mut buffer[c][v * lanes..(v + 1) * lanes]);
                        }
                    }
                    for (c, values) in buffer.iter().take(columns - column).enumerate() {
                        let entries = &mut numbers[c * stride + row..][..length];
                        for (entry, value) in entries.iter_mut().zip(values) {
                            *entry = if target.replace { 0.0 } else { *entry } - value;
                        }
                    }
                }
            }
        }
    }
}

/// Columns that a strip updates, and which of their rows.
struct Target<'a> {
    numbers: &'a mut [f64],
    stride: usize,
    row: usize,
    row_end: usize,
    /// Whether the products replace what was there.
    replace: bool,
}

/// Runs `work` on every chunk of `size` numbers, the last may be shorter.
pub(crate) fn each_strip(
    parallel: bool,
    first: usize,
    size: usize,
    numbers: &mut [f64],
    work: &(impl Fn(usize, &mut [f64]) + Sync),
) {
    if numbers.is_empty() {
        return;
    }
    let count = numbers.len().div_ceil(size);
    if !parallel || count == 1 {
        for (k, chunk) in numbers.chunks_mut(size).enumerate() {
            work(first + k, chunk);
        }
        return;
    }
    let (low, high) = numbers.split_at_mut(count / 2 * size);
    rayon::join(
        || each_strip(parallel, first, size, low, work),
        || each_strip(parallel, first + count / 2, size, high, work),
    );
}

/// Σₖ rows[k] columns[k]ᵀ over `depth` columns of two strips; the caller offsets `columns` to the tile's first column.
#[inline(always)]
fn tile<S: Simd, const V: usize, const N: usize>(
    simd: S,
    depth: usize,
    rows: &[f64],
    columns: &[f64],
) -> [[S::f64s; V]; N] {
    let lanes = S::f64s::LEN;
    let strip = V * lanes;
    let mut sums = [[S::f64s::splat(simd, 0.0); V]; N];
    for (a, b) in rows
        .chunks_exact(strip)
        .zip(columns.chunks(strip))
        .take(depth)
    {
        let b = &b[..N];
        let a: [S::f64s; V] =
            std::array::from_fn(|v| S::f64s::from_slice(simd, &a[v * lanes..(v + 1) * lanes]));
        for c in 0..N {
            let factor = S::f64s::splat(simd, b[c]);
            for v in 0..V {
                sums[c][v] = a[v].mul_add(factor, sums[c][v]);
            }
        }
    }
    sums
}

/// Subtracts `sums` from the first N columns of a strip and divides by the transposed N×N triangle.
#[inline(always)]
fn finish_tile<S: Simd, const V: usize, const N: usize>(
    simd: S,
    sums: [[S::f64s; V]; N],
    corner: &[[f64; N]; N],
    inverse: &[f64; N],
    packed: &mut [f64],
) {
    let lanes = S::f64s::LEN;
    let strip = V * lanes;
    let mut solved = sums;
    for c in 0..N {
        let column = &mut packed[c * strip..(c + 1) * strip];
        for v in 0..V {
            let part = &mut column[v * lanes..(v + 1) * lanes];
            let mut value = S::f64s::from_slice(simd, part) - solved[c][v];
            for q in 0..c {
                value = solved[q][v].mul_add(S::f64s::splat(simd, -corner[c][q]), value);
            }
            solved[c][v] = value * S::f64s::splat(simd, inverse[c]);
            solved[c][v].store_slice(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn partial_factor_matches_the_definition() {
        for (height, width) in [
            (3, 3),
            (12, 3),
            (27, 24),
            (60, 33),
            (150, 99),
            (231, 120),
            (300, 300),
            (420, 210),
        ] {
            let mut random = Random::new(height as u64);
            let mut dense = vec![0.0; height * height];
            for j in 0..height {
                for i in j..height {
                    let value = random.signed();
                    dense[i + j * height] = value;
                    dense[j + i * height] = value;
                }
                dense[j + j * height] += 2.0 * height as f64;
            }
            let below = height - width;
            let mut update = vec![f64::NAN; below * below];
            let mut panel = dense[..height * width].to_vec();
            let mut scratch = vec![f64::NAN; scratch_size(height, width)];
            eliminate(&mut panel, height, width, &mut update, &mut scratch).unwrap();
            for j in 0..height {
                for i in j..height {
                    let mut sum = match j.checked_sub(width) {
                        Some(j) => update[i - width + j * below] + dense[i + (width + j) * height],
                        None => 0.0,
                    };
                    for k in 0..width.min(j + 1) {
                        sum += panel[i + k * height] * panel[j + k * height];
                    }
                    let error = (sum - dense[i + j * height]).abs();
                    assert!(
                        error < 1e-12 * height as f64,
                        "{height} {width}: ({i}, {j}) {error:e}"
                    );
                }
            }
        }
    }

    #[test]
    fn bad_pivots_are_named() {
        let (height, width) = (201, 150);
        for bad in [0, 7, 95, 96, 149] {
            let mut panel = vec![0.0; height * width];
            for j in 0..width {
                panel[j + j * height] = if j == bad { -2.5 } else { 4.0 };
            }
            let mut update = vec![0.0; 51 * 51];
            let mut scratch = vec![0.0; scratch_size(height, width)];
            assert_eq!(
                eliminate(&mut panel, height, width, &mut update, &mut scratch),
                Err(BadPivot {
                    column: bad,
                    value: -2.5
                })
            );
        }
    }
}
