//! The Gram matrix W = Cᵀ A⁻¹ C = (L⁻¹ P C)ᵀ (L⁻¹ P C) of sparse columns C: the compliance (Delassus operator) of contacts.
//!
//! No backward substitution is needed, and the forward one visits only the paths of the elimination tree that begin at
//! the rows of C. Panels of columns are solved in parallel, then pairs of panels multiplied; every number is computed
//! by one thread in a fixed order.

use crate::block_rows::BlockRows;
use crate::columns::SparseColumns;
use crate::error::SolveError;
use crate::gram_plan::Plan;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::panel::{PARALLEL_FLOPS, SLOTS, both, solve_panels};
use crate::panel_kernels::Factor;
use crate::panel_pairs::{Product, Tile};
use bytemuck::Zeroable;
use std::ops::Range;

/// Rows of W filled by one thread.
const ROWS: usize = 16;

/// Memory of [`crate::Llt::gram`]; grows on first use and may serve any factor.
#[derive(Clone, Debug, Default)]
pub struct GramScratch {
    plan: Plan,
    tiles: Vec<Tile>,
}

impl GramScratch {
    /// Scratch without memory yet.
    pub fn new() -> GramScratch {
        GramScratch::default()
    }
}

pub(crate) fn gram(
    factor: &Factor<'_>,
    columns: &SparseColumns,
    scratch: &mut GramScratch,
    w: &mut BlockRows,
) -> Result<(), SolveError> {
    let GramScratch { plan, tiles } = scratch;
    plan.make(factor.symbolic, columns, w)?;
    let parallel = plan.flops > PARALLEL_FLOPS;
    let count = plan.tile_pairs.list.len();
    tiles.resize(count.max(tiles.len()), Tile::zeroed());
    let mut run = || {
        let panels = &mut plan.panels[..plan.panel_count];
        solve_panels(factor, panels, &|entry| columns.blocks[entry], parallel);
        let product = Product {
            level: factor.level,
            symbolic: factor.symbolic,
            panel: |p: u32| &plan.panels[p as usize],
            panel_count: plan.panel_count,
            parallel,
        };
        plan.tile_pairs.multiply(&product, &mut tiles[..count]);
        let rows = Rows {
            plan,
            tiles,
            parallel,
        };
        let count = plan.places.len();
        rows.fill(0..count, &w.starts, &w.columns, &mut w.blocks);
    };
    if parallel {
        rayon::join(run, || ());
    } else {
        run();
    }
    Ok(())
}

struct Rows<'a> {
    plan: &'a Plan,
    tiles: &'a [Tile],
    parallel: bool,
}

impl Rows<'_> {
    /// Copies products into some rows of W, of which `blocks` are all blocks.
    fn fill(&self, rows: Range<usize>, starts: &[usize], columns: &[u32], blocks: &mut [Mat3]) {
        if rows.len() > ROWS {
            let middle = rows.start + rows.len() / 2;
            let (low, high) = blocks.split_at_mut(starts[middle] - starts[rows.start]);
            both(
                self.parallel,
                || self.fill(rows.start..middle, starts, columns, low),
                || self.fill(middle..rows.end, starts, columns, high),
            );
            return;
        }
        let base = starts[rows.start];
        for i in rows {
            let range = starts[i]..starts[i + 1];
            let own = &mut blocks[range.start - base..range.end - base];
            for (block, &j) in own.iter_mut().zip(&columns[range]) {
                *block = self.block(i, j as usize);
            }
        }
    }

    fn block(&self, i: usize, j: usize) -> Mat3 {
        let [a, b] = [i, j].map(|group| self.plan.places[group]);
        if a.panel == NONE {
            return Mat3::ZERO;
        }
        let turned = (b.panel, b.slot) < (a.panel, a.slot);
        let (low, high) = if turned { (b, a) } else { (a, b) };
        let Some(tile) = self.plan.tile(low.panel, high.panel) else {
            return Mat3::ZERO;
        };
        let block = self.tiles[tile].0[SLOTS * low.slot as usize + high.slot as usize];
        if turned { block.transpose() } else { block }
    }
}

#[cfg(test)]
pub(crate) mod tests;
