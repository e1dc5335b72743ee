//! J: a row for every unknown, with a number for every slot, in the order of elimination.
//!
//! Products with it read all of its rows once, in pieces of some nodes of one island. Pieces are as they are for any number of
//! threads, and their sums are added in order.

use super::layout::Layout;
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LANES, Lanes, splat};
use pliant_linalg::{Bundle, vectorize};
use rayon::prelude::*;
use std::ops::Range;

/// Most nodes of a piece.
const PIECE: usize = 512;

/// Scalar rows that stay in the first-level cache while all products of their numbers are added.
const BATCH: usize = 96;

/// Slots whose products with vectors of slots are summed in registers.
const TILE: usize = 8;

/// Some nodes of one island, by their places in the order of elimination.
#[derive(Debug)]
struct Piece {
    places: Range<usize>,
    island: usize,
}

/// See the file header.
#[derive(Default)]
pub(super) struct Responses {
    pub bundle: Bundle,
    pieces: Vec<Piece>,
    sums: Vec<f64>,
}

impl Responses {
    /// Cuts the rows into pieces once the bundle is solved.
    pub fn cut(&mut self, island_of: &[u32]) {
        self.pieces.clear();
        let nodes = self.bundle.nodes();
        let mut start = 0;
        while start < nodes.len() {
            let island = island_of[nodes[start] as usize];
            let most = nodes[start..].iter().take(PIECE);
            let same = most.take_while(|&&node| island_of[node as usize] == island);
            let end = start + same.count();
            self.pieces.push(Piece {
                places: start..end,
                island: island as usize,
            });
            start = end;
        }
    }

    /// No columns.
    pub fn clear(&mut self) {
        self.pieces.clear();
    }

    /// The numbers of a scalar row, 3 row + axis.
    pub fn row(&self, dof: usize) -> &[f64] {
        self.bundle.row(dof)
    }

    fn rows(&self, piece: &Piece) -> &[f64] {
        let size = 3 * self.bundle.stride();
        &self.bundle.numbers()[piece.places.start * size..piece.places.end * size]
    }

    /// Jᵀ x, in the order of the dynamic unknowns.
    pub fn restrict(&self, layout: &Layout, x: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; layout.dofs.len()];
        let stride = self.bundle.stride();
        let mut sums = vec![0.0; self.pieces.len() * stride];
        let pieces = self
            .pieces
            .par_iter()
            .zip(sums.par_chunks_exact_mut(stride.max(1)));
        pieces.for_each(|(piece, sums)| {
            let nodes = &self.bundle.nodes()[piece.places.clone()];
            vectorize!(simd => add_rows(simd, self.rows(piece), nodes, x, sums));
        });
        for (piece, sums) in self.pieces.iter().zip(sums.chunks_exact(stride.max(1))) {
            let of_island = &mut result[layout.of_island(piece.island)];
            of_island.iter_mut().zip(sums).for_each(|(r, s)| *r += s);
        }
        result
    }

    /// x += J y.
    pub fn add_expanded(&self, layout: &Layout, island_of: &[u32], y: &[f64], x: &mut [f64]) {
        if self.pieces.is_empty() {
            return;
        }
        let stride = self.bundle.stride();
        let nodes = self.bundle.nodes();
        let mut field = vec![[0.0; 3]; nodes.len()];
        let numbers = self.bundle.numbers().par_chunks(3 * stride * PIECE);
        let pieces = field
            .par_chunks_mut(PIECE)
            .zip(numbers)
            .zip(nodes.par_chunks(PIECE));
        pieces.for_each(|((field, numbers), nodes)| {
            let mut factors = vec![0.0; stride];
            let mut filled = None;
            for ((sum, rows), &node) in field
                .iter_mut()
                .zip(numbers.chunks_exact(3 * stride))
                .zip(nodes)
            {
                let island = island_of[node as usize];
                if filled != Some(island) {
                    filled = Some(island);
                    let own = &y[layout.of_island(island as usize)];
                    factors.fill(0.0);
                    factors[..own.len()].copy_from_slice(own);
                }
                *sum = vectorize!(simd => row_products(simd, rows, &factors));
            }
        });
        for (sum, &node) in field.iter().zip(nodes) {
            let at = 3 * node as usize;
            x[at..at + 3].iter_mut().zip(sum).for_each(|(x, s)| *x += s);
        }
    }

    /// Jᵀ diag(w) J with a weight a row; entry (k, l), l ≤ k, of each island goes to `add(island, k, l, value)`.
    pub fn inertia(
        &mut self,
        layout: &Layout,
        weights: &[f64],
        mut add: impl FnMut(usize, usize, usize, f64),
    ) {
        let stride = self.bundle.stride();
        let size = (stride * stride).max(1);
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.resize(self.pieces.len() * size, 0.0);
        let pieces = self.pieces.par_iter().zip(sums.par_chunks_exact_mut(size));
        pieces.for_each(|(piece, sums)| {
            let count = layout.of_island(piece.island).len();
            let nodes = &self.bundle.nodes()[piece.places.clone()];
            let batches = self.rows(piece).chunks(BATCH * stride);
            for (rows, nodes) in batches.zip(nodes.chunks(BATCH / 3)) {
                vectorize!(simd => add_squares(simd, rows, stride, count, nodes, weights, sums));
            }
        });
        for (piece, sums) in self.pieces.iter().zip(sums.chunks_exact(size)) {
            let count = layout.of_island(piece.island).len();
            for k in 0..count {
                for l in 0..=k {
                    add(piece.island, k, l, sums[k * stride + l]);
                }
            }
        }
        self.sums = sums;
    }
}

/// sums += Jᵀ x over some rows of J.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, rows: &[f64], nodes: &[u32], x: &[f64], sums: &mut [f64]) {
    let stride = sums.len();
    let (sums, _) = sums.as_chunks_mut::<LANES>();
    for (rows, &node) in rows.chunks_exact(3 * stride).zip(nodes) {
        let x = &x[3 * node as usize..3 * node as usize + 3];
        for (row, &x) in rows.chunks_exact(stride).zip(x) {
            let x = splat(simd, x);
            for (sum, row) in sums.iter_mut().zip(row.as_chunks::<LANES>().0) {
                let j = Lanes::simd_from(simd, *row);
                let total = j.mul_add(x, Lanes::simd_from(simd, *sum));
                *sum = total.into();
            }
        }
    }
}

/// Three rows of J times factors.
#[inline(always)]
fn row_products<S: Simd>(simd: S, rows: &[f64], factors: &[f64]) -> [f64; 3] {
    let mut result = [0.0; 3];
    for (result, row) in result.iter_mut().zip(rows.chunks_exact(factors.len())) {
        let mut sum = splat(simd, 0.0);
        let pairs = row
            .as_chunks::<LANES>()
            .0
            .iter()
            .zip(factors.as_chunks::<LANES>().0);
        for (row, factors) in pairs {
            let (row, factors): (Lanes<S>, Lanes<S>) = (
                Lanes::simd_from(simd, *row),
                Lanes::simd_from(simd, *factors),
            );
            sum = row.mul_add(factors, sum);
        }
        *result = sum.reduce_sum();
    }
    result
}

/// The lower triangle, in tiles, of sums += Jᵀ diag(w) J over some rows of J.
#[inline(always)]
fn add_squares<S: Simd>(
    simd: S,
    rows: &[f64],
    stride: usize,
    count: usize,
    nodes: &[u32],
    weights: &[f64],
    sums: &mut [f64],
) {
    for k in (0..count).step_by(TILE) {
        for l in (0..=k).step_by(2 * LANES) {
            let places = (rows, stride, k, l);
            if l + LANES <= k {
                add_tile::<S, 2>(simd, places, nodes, weights, sums);
            } else {
                add_tile::<S, 1>(simd, places, nodes, weights, sums);
            }
        }
    }
}

/// Products of [`TILE`] slots from `k` with V vectors of slots from `l`.
#[inline(always)]
fn add_tile<S: Simd, const V: usize>(
    simd: S,
    (rows, stride, k, l): (&[f64], usize, usize, usize),
    nodes: &[u32],
    weights: &[f64],
    sums: &mut [f64],
) {
    let mut tile = [[splat(simd, 0.0); V]; TILE];
    for (rows, &node) in rows.chunks_exact(3 * stride).zip(nodes) {
        let weight = splat(simd, weights[node as usize]);
        for row in rows.chunks_exact(stride) {
            let factors = &row[k..k + TILE];
            let (vectors, _) = row[l..l + V * LANES].as_chunks::<LANES>();
            let mut x = [splat(simd, 0.0); V];
            for v in 0..V {
                let vector: Lanes<S> = Lanes::simd_from(simd, vectors[v]);
                x[v] = vector * weight;
            }
            for a in 0..TILE {
                let factor = splat(simd, factors[a]);
                for v in 0..V {
                    tile[a][v] = x[v].mul_add(factor, tile[a][v]);
                }
            }
        }
    }
    for a in 0..TILE {
        let (row, _) = sums[(k + a) * stride + l..][..V * LANES].as_chunks_mut::<LANES>();
        for v in 0..V {
            let sum: Lanes<S> = Lanes::simd_from(simd, row[v]);
            row[v] = (sum + tile[a][v]).into();
        }
    }
}
