//! Products of tall matrices given by columns: YᵀY, YᵀZ and combinations of columns. The same bits for any number of threads.

use crate::reduce::dot_chunk;
use crate::vectorize;
use fearless_simd::{Simd, SimdBase, SimdFloat, f64x8};
use rayon::prelude::*;

/// Columns in a tile of the Gram matrix: its 16 sums of eight stay in registers.
const TILE: usize = 4;

/// Rows that two tiles' columns share the first-level cache in.
const ROWS: usize = 512;

/// Rows of a combination that one thread works on.
const SLAB: usize = 4096;

/// aᵀb in one fixed order.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    vectorize!(simd => dot_chunk(simd, a, b))
}

/// G = YᵀY, all entries, row by row.
pub(crate) fn gram<C: AsRef<[f64]> + Sync>(columns: &[C]) -> Vec<f64> {
    let n = columns.len();
    let tiles = n.div_ceil(TILE);
    // pairs of tiles (i ≥ j); each product is made by one thread, down the rows
    let pairs: Vec<(usize, usize)> = (0..tiles)
        .flat_map(|i| (0..=i).map(move |j| (i, j)))
        .collect();
    let products: Vec<[[f64; TILE]; TILE]> = pairs
        .par_iter()
        .map(|&(i, j)| {
            // a tile that sticks out repeats the last column
            let tile = |t: usize| -> [&[f64]; TILE] {
                std::array::from_fn(|k| columns[(t * TILE + k).min(n - 1)].as_ref())
            };
            vectorize!(simd => tile_product(simd, tile(i), tile(j)))
        })
        .collect();
    let mut gram = vec![0.0; n * n];
    for ((i, j), product) in pairs.into_iter().zip(products) {
        for (a, row) in (i * TILE..n).zip(product) {
            for (b, value) in (j * TILE..n.min(a + 1)).zip(row) {
                gram[a * n + b] = value;
                gram[b * n + a] = value;
            }
        }
    }
    gram
}

#[inline(always)]
fn tile_product<S: Simd>(simd: S, a: [&[f64]; TILE], b: [&[f64]; TILE]) -> [[f64; TILE]; TILE] {
    let rows = a[0].len();
    let mut total = [[0.0; TILE]; TILE];
    let mut start = 0;
    while start < rows {
        let end = rows.min(start + ROWS);
        let mut sums = [[f64x8::splat(simd, 0.0); TILE]; TILE];
        let wide = start + (end - start) / 8 * 8;
        let mut row = start;
        while row < wide {
            let left = crate::each!(k in 4 => f64x8::from_slice(simd, &a[k][row..row + 8]));
            let right = crate::each!(k in 4 => f64x8::from_slice(simd, &b[k][row..row + 8]));
            for i in 0..TILE {
                for j in 0..TILE {
                    sums[i][j] = left[i].mul_add(right[j], sums[i][j]);
                }
            }
            row += 8;
        }
        for i in 0..TILE {
            for j in 0..TILE {
                let mut rest = 0.0;
                for k in wide..end {
                    rest += a[i][k] * b[j][k];
                }
                total[i][j] += sums[i][j].reduce_sum() + rest;
            }
        }
        start = end;
    }
    total
}

/// Columns Σ_j Y_j c_jk for each k: `coefficients[k]` has one number for each column of Y.
pub(crate) fn combine<C: AsRef<[f64]> + Sync>(
    columns: &[C],
    coefficients: &[Vec<f64>],
) -> Vec<Vec<f64>> {
    let rows = columns.first().map_or(0, |c| c.as_ref().len());
    let mut result = vec![vec![0.0; rows]; coefficients.len()];
    result
        .par_iter_mut()
        .zip(coefficients)
        .for_each(|(sum, coefficients)| {
            for (start, slab) in sum.chunks_mut(SLAB).enumerate() {
                let start = start * SLAB;
                for (column, &c) in columns.iter().zip(coefficients) {
                    if c != 0.0 {
                        let part = &column.as_ref()[start..start + slab.len()];
                        vectorize!(simd => crate::reduce::add_scaled_chunk(simd, slab, c, part));
                    }
                }
            }
        });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn products_match_their_definitions() {
        let mut random = Random::new(5);
        for (rows, n) in [(1, 1), (7, 3), (600, 4), (1031, 9)] {
            let columns: Vec<Vec<f64>> = (0..n)
                .map(|_| (0..rows).map(|_| random.signed()).collect())
                .collect();
            let g = gram(&columns);
            for i in 0..n {
                for j in 0..n {
                    let exact: f64 = (columns[i].iter().zip(&columns[j]))
                        .map(|(a, b)| a * b)
                        .sum();
                    assert!((g[i * n + j] - exact).abs() < 1e-12 * rows as f64);
                }
            }
            let c: Vec<f64> = (0..n).map(|_| random.signed()).collect();
            let sum = combine(&columns, &[c.clone(), vec![0.0; n]]);
            for k in 0..rows {
                let exact: f64 = (0..n).map(|j| columns[j][k] * c[j]).sum();
                assert!((sum[0][k] - exact).abs() < 1e-13 && sum[1][k] == 0.0);
            }
        }
    }
}
