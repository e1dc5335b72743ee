//! The Gram matrix W = Cᵀ A⁻¹ C = (L⁻¹ P C)ᵀ (L⁻¹ P C) of sparse columns C: the compliance (Delassus operator) of contacts.
//!
//! No backward substitution is needed, and the forward one visits only the paths of the elimination tree that begin at
//! the rows of C. Panels of columns are solved in parallel, then pairs of panels multiplied; every number is computed
//! by one thread in a fixed order.

use crate::block_rows::BlockRows;
use crate::error::SolveError;
use crate::gram_kernels::{BATCH, Batch, PRODUCT_BATCH, multiply_panels};
use crate::gram_plan::{LANES, Plan, SparseColumns};
use crate::llt::Lines;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::symbolic::LltSymbolic;
use crate::vec3::vec3;
use fearless_simd::Level;
use std::ops::Range;

/// Work (flops) from which a Gram matrix enters the thread pool.
const PARALLEL_FLOPS: f64 = 1.0e6;

/// Rows of W filled by one thread.
const ROWS: usize = 16;

/// Numbers of the product of two panels.
const TILE: usize = LANES * LANES;

/// Memory of [`crate::Llt::gram`]; grows on first use and may serve any factor.
#[derive(Clone, Debug, Default)]
pub struct GramScratch {
    plan: Plan,
    solved: Lines,
    tiles: Lines,
}

impl GramScratch {
    /// Scratch without memory yet.
    pub fn new() -> GramScratch {
        GramScratch::default()
    }
}

pub(crate) fn gram(
    symbolic: &LltSymbolic,
    values: &[f64],
    columns: &SparseColumns,
    scratch: &mut GramScratch,
    w: &mut BlockRows,
) -> Result<(), SolveError> {
    let GramScratch {
        plan,
        solved,
        tiles,
    } = scratch;
    plan.make(symbolic, columns, w)?;
    let size = plan.panels.last().map_or(0, |panel| panel.solved.end);
    solved.grow(size);
    tiles.grow(TILE * plan.tile_pairs.len());
    let work = Work {
        level: Level::new(),
        symbolic,
        values,
        columns,
        plan,
        parallel: plan.flops > PARALLEL_FLOPS,
    };
    let solved = &mut solved.numbers_mut()[..size];
    let tiles = &mut tiles.numbers_mut()[..TILE * plan.tile_pairs.len()];
    let mut run = || {
        // a few batches for each thread; their size changes no bit of the result
        let batches = 2 * rayon::current_num_threads();
        let batch = (plan.panels.len() / batches).clamp(1, BATCH);
        work.solve(batch, 0..plan.panels.len(), solved);
        work.multiply(0..plan.run_starts.len() - 1, solved, tiles);
        work.fill(
            0..plan.places.len(),
            &w.starts,
            &w.columns,
            &mut w.blocks,
            tiles,
        );
    };
    if work.parallel {
        rayon::join(run, || ());
    } else {
        run();
    }
    Ok(())
}

struct Work<'a> {
    level: Level,
    symbolic: &'a LltSymbolic,
    values: &'a [f64],
    columns: &'a SparseColumns,
    plan: &'a Plan,
    parallel: bool,
}

impl Work<'_> {
    /// Both halves of some work.
    fn both(&self, low: impl FnOnce() + Send, high: impl FnOnce() + Send) {
        if self.parallel {
            rayon::join(low, high);
        } else {
            low();
            high();
        }
    }

    /// Solves some panels, at most `batch` at a time; `solved` are their numbers.
    fn solve(&self, batch: usize, panels: Range<usize>, solved: &mut [f64]) {
        if panels.len() <= batch {
            self.solve_batch(panels, solved);
            return;
        }
        let middle = panels.start + panels.len() / 2;
        let all = &self.plan.panels;
        let at = all[middle].solved.start - all[panels.start].solved.start;
        let (low, high) = solved.split_at_mut(at);
        self.both(
            || self.solve(batch, panels.start..middle, low),
            || self.solve(batch, middle..panels.end, high),
        );
    }

    fn solve_batch(&self, panels: Range<usize>, solved: &mut [f64]) {
        solved.fill(0.0);
        let all = &self.plan.panels;
        for panel in panels.clone() {
            let start = all[panel].solved.start - all[panels.start].solved.start;
            for load in self.plan.loads(panel) {
                let block = &self.columns.blocks[load.entry];
                for r in 0..3 {
                    let at = start + load.at + r * load.stride;
                    for (c, number) in solved[at..at + 3].iter_mut().enumerate() {
                        *number += block.at(r, c);
                    }
                }
            }
        }
        let batch = Batch {
            level: self.level,
            symbolic: self.symbolic,
            values: self.values,
            steps: &self.plan.steps,
            panels: &all[panels],
        };
        batch.forward(solved);
    }

    /// Multiplies some runs of pairs; `tiles` are theirs.
    fn multiply(&self, runs: Range<usize>, solved: &[f64], tiles: &mut [f64]) {
        let starts = &self.plan.run_starts;
        if runs.len() > 1 {
            let middle = runs.start + runs.len() / 2;
            let at = TILE * (starts[middle] - starts[runs.start]);
            let (low, high) = tiles.split_at_mut(at);
            self.both(
                || self.multiply(runs.start..middle, solved, low),
                || self.multiply(middle..runs.end, solved, high),
            );
            return;
        }
        let pairs = &self.plan.tile_pairs[starts[runs.start]..starts[runs.end]];
        if let Some(pair) = pairs.first() {
            let firsts = pair.map(|index| index as usize / PRODUCT_BATCH * PRODUCT_BATCH);
            let pairs = (firsts, pairs);
            multiply_panels(self.level, self.symbolic, self.plan, pairs, solved, tiles);
        }
    }

    /// Copies products into some rows of W, of which `blocks` are all blocks.
    fn fill(
        &self,
        rows: Range<usize>,
        starts: &[usize],
        columns: &[u32],
        blocks: &mut [Mat3],
        tiles: &[f64],
    ) {
        if rows.len() > ROWS {
            let middle = rows.start + rows.len() / 2;
            let (low, high) = blocks.split_at_mut(starts[middle] - starts[rows.start]);
            let (a, b) = (rows.start..middle, middle..rows.end);
            self.both(
                || self.fill(a, starts, columns, low, tiles),
                || self.fill(b, starts, columns, high, tiles),
            );
            return;
        }
        let base = starts[rows.start];
        for i in rows {
            let range = starts[i]..starts[i + 1];
            let own = &mut blocks[range.start - base..range.end - base];
            for (block, &j) in own.iter_mut().zip(&columns[range]) {
                *block = self.block(i, j as usize, tiles);
            }
        }
    }

    fn block(&self, i: usize, j: usize, tiles: &[f64]) -> Mat3 {
        let [a, b] = [i, j].map(|group| self.plan.places[group]);
        if a.panel == NONE {
            return Mat3::ZERO;
        }
        let turned = (b.panel, b.slot) < (a.panel, a.slot);
        let (low, high) = if turned { (b, a) } else { (a, b) };
        let Some(tile) = self.plan.tile(low.panel, high.panel) else {
            return Mat3::ZERO;
        };
        let tile = &tiles[TILE * tile..TILE * (tile + 1)];
        let column = |c: usize| {
            let at = (3 * high.slot as usize + c) * LANES + 3 * low.slot as usize;
            vec3(tile[at], tile[at + 1], tile[at + 2])
        };
        let block = Mat3::from_columns(column(0), column(1), column(2));
        if turned { block.transpose() } else { block }
    }
}

#[cfg(test)]
mod tests;
