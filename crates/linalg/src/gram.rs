//! The Gram matrix W = Cᵀ A⁻¹ C = (L⁻¹ P C)ᵀ (L⁻¹ P C) of sparse columns C: the compliance (Delassus operator) of contacts.
//!
//! No backward substitution is needed, and the forward one visits only the paths of the elimination tree that begin at
//! the rows of C. Panels of columns are solved in parallel, then pairs of panels multiplied; every number is computed
//! by one thread in a fixed order.

use crate::block_rows::BlockRows;
use crate::error::SolveError;
use crate::front::each_strip;
use crate::gram_kernels::{Path, multiply_panels};
use crate::gram_plan::{LANES, Panel, Plan, SparseColumns};
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
    tiles.grow(TILE * plan.pairs.len());
    let work = Work {
        level: Level::new(),
        symbolic,
        values,
        columns,
        plan,
        parallel: plan.flops > PARALLEL_FLOPS,
    };
    let solved = &mut solved.numbers_mut()[..size];
    let tiles = &mut tiles.numbers_mut()[..TILE * plan.pairs.len()];
    let mut run = || {
        work.solve(0..plan.panels.len(), solved);
        each_strip(work.parallel, 0, TILE, tiles, &|k, tile| {
            work.multiply(plan.pairs[k], solved, tile);
        });
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
    /// Solves some panels; `solved` are their numbers.
    fn solve(&self, panels: Range<usize>, solved: &mut [f64]) {
        if panels.len() <= 1 {
            if let Some(panel) = self.plan.panels[panels.clone()].first() {
                self.solve_panel(panels.start, panel, solved);
            }
            return;
        }
        let middle = panels.start + panels.len() / 2;
        let all = &self.plan.panels;
        let at = all[middle].solved.start - all[panels.start].solved.start;
        let (low, high) = solved.split_at_mut(at);
        let (a, b) = (panels.start..middle, middle..panels.end);
        if self.parallel {
            rayon::join(|| self.solve(a, low), || self.solve(b, high));
        } else {
            self.solve(a, low);
            self.solve(b, high);
        }
    }

    fn solve_panel(&self, index: usize, panel: &Panel, solved: &mut [f64]) {
        solved.fill(0.0);
        for load in self.plan.loads(index) {
            let block = &self.columns.blocks[load.entry];
            for r in 0..3 {
                let at = load.at + r * load.stride;
                for (c, number) in solved[at..at + 3].iter_mut().enumerate() {
                    *number += block.at(r, c);
                }
            }
        }
        let path = Path {
            level: self.level,
            symbolic: self.symbolic,
            values: self.values,
            steps: &self.plan.steps[panel.steps.clone()],
        };
        path.forward(solved);
    }

    fn multiply(&self, pair: [u32; 2], solved: &[f64], tile: &mut [f64]) {
        let [p, q] = pair.map(|index| {
            let panel = &self.plan.panels[index as usize];
            let steps = &self.plan.steps[panel.steps.clone()];
            (steps, &solved[panel.solved.clone()])
        });
        multiply_panels(self.level, self.symbolic, p, q, tile);
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
            let first = || self.fill(a, starts, columns, low, tiles);
            let second = || self.fill(b, starts, columns, high, tiles);
            if self.parallel {
                rayon::join(first, second);
            } else {
                first();
                second();
            }
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
        let Some(pair) = self.plan.pair(low.panel, high.panel) else {
            return Mat3::ZERO;
        };
        let tile = &tiles[TILE * pair..TILE * (pair + 1)];
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
