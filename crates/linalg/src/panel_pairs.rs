//! Products of pairs of panels, many at a time: tiles of A⁻¹ (or of Cᵀ A⁻¹ C) by 3×3 blocks.

use crate::mat3::Mat3;
use crate::panel::{LANES, Panel, SLOTS, both};
use crate::panel_kernels::{PRODUCT, PRODUCT_BATCH, multiply_panels};
use crate::symbolic::LltSymbolic;
use crate::vec3::vec3;
use bytemuck::{Pod, Zeroable};
use fearless_simd::Level;
use std::ops::Range;

/// The product of two panels: the block of slot i of the first and slot j of the second is at `SLOTS * i + j`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Tile(pub(crate) [Mat3; SLOTS * SLOTS]);

impl Tile {
    /// From the product by columns, in place.
    fn order(&mut self) {
        let mut product = [0.0; PRODUCT];
        product.copy_from_slice(bytemuck::cast_slice(&self.0));
        for (at, block) in self.0.iter_mut().enumerate() {
            let (i, j) = (at / SLOTS, at % SLOTS);
            let column = |c: usize| {
                let at = (3 * j + c) * LANES + 3 * i;
                vec3(product[at], product[at + 1], product[at + 2])
            };
            *block = Mat3::from_columns(column(0), column(1), column(2));
        }
    }
}

/// Pairs of panels to multiply, given by places in some list of panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) list: Vec<[u32; 2]>,
    /// Where the runs that are multiplied together start.
    run_starts: Vec<usize>,
}

/// The panels to multiply.
pub(crate) struct Product<'a, P: Fn(u32) -> &'a Panel + Sync> {
    pub(crate) level: Level,
    pub(crate) symbolic: &'a LltSymbolic,
    /// The panel at a place of the list.
    pub(crate) panel: P,
    pub(crate) panel_count: usize,
    pub(crate) parallel: bool,
}

impl Pairs {
    /// Sorts the pairs by blocks of places: the order of tiles.
    pub(crate) fn sort(&mut self) {
        let block = |pair: &[u32; 2]| pair.map(|index| index / PRODUCT_BATCH as u32);
        self.list.sort_unstable_by_key(|pair| (block(pair), *pair));
        self.run_starts.clear();
        for (at, pair) in self.list.iter().enumerate() {
            if at == 0 || block(pair) != block(&self.list[at - 1]) {
                self.run_starts.push(at);
            }
        }
        self.run_starts.push(self.list.len());
    }

    /// Fills the tiles of the sorted pairs.
    pub(crate) fn multiply<'a, P: Fn(u32) -> &'a Panel + Sync>(
        &self,
        product: &Product<'a, P>,
        tiles: &mut [Tile],
    ) {
        self.multiply_runs(product, 0..self.run_starts.len() - 1, tiles);
    }

    fn multiply_runs<'a, P: Fn(u32) -> &'a Panel + Sync>(
        &self,
        product: &Product<'a, P>,
        runs: Range<usize>,
        tiles: &mut [Tile],
    ) {
        let starts = &self.run_starts;
        if runs.len() > 1 {
            let middle = runs.start + runs.len() / 2;
            let (low, high) = tiles.split_at_mut(starts[middle] - starts[runs.start]);
            both(
                product.parallel,
                || self.multiply_runs(product, runs.start..middle, low),
                || self.multiply_runs(product, middle..runs.end, high),
            );
            return;
        }
        let list = &self.list[starts[runs.start]..starts[runs.end]];
        let Some(first) = list.first() else {
            return;
        };
        let none = Panel::default();
        let mut panels = [&none; 2 * PRODUCT_BATCH];
        for (half, &place) in first.iter().enumerate() {
            let first = place as usize / PRODUCT_BATCH * PRODUCT_BATCH;
            let last = product.panel_count.min(first + PRODUCT_BATCH);
            for (k, place) in (first..last).enumerate() {
                panels[half * PRODUCT_BATCH + k] = (product.panel)(place as u32);
            }
        }
        let mut pairs = [[0; 2]; PRODUCT_BATCH * PRODUCT_BATCH];
        for (pair, places) in pairs.iter_mut().zip(list) {
            let [p, q] = places.map(|place| place as usize % PRODUCT_BATCH);
            *pair = [p, PRODUCT_BATCH + q];
        }
        tiles.fill(Tile::zeroed());
        let (level, symbolic) = (product.level, product.symbolic);
        let sums = bytemuck::cast_slice_mut(tiles);
        multiply_panels(level, symbolic, &panels, &pairs[..list.len()], sums);
        tiles.iter_mut().for_each(Tile::order);
    }
}
