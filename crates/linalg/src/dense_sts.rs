//! The Gram matrix W = Cᵀ A⁻¹ C by dense columns [CAK14]: the earlier method that [`crate::Llt::gram`] is measured against.
//!
//! S = L⁻¹ P C passes through the whole factor for every column, whatever its zeros, then W = SᵀS, of which one triangle is
//! computed. Both are products of tiles held in registers, at the speed of dense matrices. The substitution is
//! multifrontal, so that a panel of columns needs a stack of update rows rather than all of S; the tree goes in *segments* of
//! about a thousand rows, and W takes the rows of S of a segment before the next one overwrites them. Threads share the panels
//! of a segment, then the blocks of W; every number is computed by one thread in a fixed order.

use crate::block_rows::BlockRows;
use crate::columns::SparseColumns;
use crate::error::SolveError;
use crate::lines::Lines;
use crate::llt::Llt;
use crate::mat3::Mat3;
use crate::symbolic::LltSymbolic;
use crate::vec3::vec3;
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use std::ops::Range;

/// Columns of a panel: three vectors of eight.
const LANES: usize = 24;

/// Groups of three columns in a panel.
const SLOTS: usize = LANES / 3;

/// Rows of a tile.
const TILE: usize = 8;

/// Columns of L eliminated together: their part of a panel fits the first-level cache.
const DEPTH: usize = 144;

/// Rows of L copied together, with which all panels of a batch are updated.
const CHUNK: usize = 72;

/// Numbers of a copied chunk, or of the lower triangle of a diagonal block in rows of tiles.
const PACKED: usize = DEPTH * (DEPTH + TILE) / 2;

/// Most panels that share a copied chunk: their part of it fits the second-level cache.
const BATCH: usize = 16;

/// Rows of S multiplied together: of three panels at a time they fit the first-level cache.
const PRODUCT_DEPTH: usize = 72;

/// Most panels in the rows and in the columns of a block of W, which stays in the second-level cache.
const PRODUCT_BATCH: usize = 8;

/// Rows of a segment; the more, the less often W is read and written.
const SEGMENT: usize = 1024;

/// Numbers of the product of two panels.
const PRODUCT: usize = LANES * LANES;

/// Rows of W filled by one thread.
const ROWS: usize = 16;

/// Work (flops) from which threads are used.
const PARALLEL_FLOPS: f64 = 1.0e6;

/// Consecutive supernodes.
#[derive(Clone, Debug)]
struct Segment {
    supernodes: Range<usize>,
    /// In nodes.
    columns: Range<usize>,
    /// Rows on the stacks when it begins.
    tops: [usize; 2],
}

/// Memory of [`Llt::dense_gram`]; grows on first use and may serve any factor.
#[derive(Clone, Debug, Default)]
pub struct DenseScratch {
    segments: Vec<Segment>,
    /// Column of L of every entry of C, in nodes.
    places: Vec<u32>,
    solved: Lines,
    stacks: Lines,
    tiles: Lines,
}

impl DenseScratch {
    /// Scratch without memory yet.
    pub fn new() -> DenseScratch {
        DenseScratch::default()
    }
}

impl Llt {
    /// w ← Cᵀ A⁻¹ C like [`Llt::gram`], but by dense substitutions and products; all blocks are stored.
    pub fn dense_gram(
        &self,
        columns: &SparseColumns,
        scratch: &mut DenseScratch,
        w: &mut BlockRows,
    ) -> Result<(), SolveError> {
        if !self.is_factorized() {
            return Err(SolveError::NotFactorized);
        }
        let symbolic = &**self.symbolic();
        columns.check(symbolic.row_count())?;
        let groups = columns.group_count();
        w.starts.clear();
        w.starts.extend((0..=groups).map(|row| row * groups));
        w.columns.clear();
        (w.columns).extend((0..groups).flat_map(|_| 0..groups as u32));
        w.blocks.resize(groups * groups, Mat3::ZERO);
        if groups == 0 {
            return Ok(());
        }
        let panels = groups.div_ceil(SLOTS);
        let stack_sizes = scratch.plan(symbolic, columns);
        let rows = (scratch.segments.iter())
            .map(|segment| 3 * segment.columns.len())
            .max()
            .unwrap_or(0);
        let work = Work {
            level: Level::new(),
            factor: self,
            symbolic,
            columns,
            places: &scratch.places,
            panels,
            // several blocks for each thread; their size changes no bit of the result
            block: (panels / 8).clamp(1, PRODUCT_BATCH),
            solved_size: rows * LANES,
            stack_sizes,
            parallel: dense_flops(symbolic, groups) > PARALLEL_FLOPS,
        };
        let sizes = [
            panels * work.solved_size,
            panels * work.stack_size(),
            panels * (panels + 1) / 2 * PRODUCT,
        ];
        scratch.solved.grow(sizes[0]);
        scratch.stacks.grow(sizes[1]);
        scratch.tiles.grow(sizes[2]);
        let solved = &mut scratch.solved.numbers_mut()[..sizes[0]];
        let stacks = &mut scratch.stacks.numbers_mut()[..sizes[1]];
        let tiles = &mut scratch.tiles.numbers_mut()[..sizes[2]];
        let segments = &scratch.segments;
        let blocks = panels.div_ceil(work.block);
        let mut run = || {
            // a few batches for each thread; their size changes no bit of the result
            let batches = 2 * rayon::current_num_threads();
            let batch = panels.div_ceil(panels.div_ceil(BATCH).max(batches));
            tiles.fill(0.0);
            for segment in segments {
                work.solve(segment, batch, 0..panels, solved, stacks);
                work.multiply(segment, 0..blocks * (blocks + 1) / 2, solved, tiles);
            }
            work.fill(0..groups, &mut w.blocks, tiles);
        };
        if work.parallel {
            rayon::join(run, || ());
        } else {
            run();
        }
        Ok(())
    }
}

/// Multiplications and additions of [`Llt::dense_gram`].
fn dense_flops(symbolic: &LltSymbolic, groups: usize) -> f64 {
    let (rows, columns) = (3.0 * symbolic.row_count() as f64, 3.0 * groups as f64);
    2.0 * symbolic.factor_entries() as f64 * columns + rows * columns * (columns + 1.0)
}

impl DenseScratch {
    /// Cuts the tree into segments; returns the largest extents of the two stacks, in rows.
    ///
    /// Update rows of supernodes of even depth live on one stack, of odd depth on the other, as in the factorisation.
    fn plan(&mut self, symbolic: &LltSymbolic, columns: &SparseColumns) -> [usize; 2] {
        self.places.clear();
        self.places.extend(columns.rows.iter().map(|&row| {
            let (s, local) = symbolic.supernode_of(row);
            symbolic.columns(s as usize).start as u32 + local
        }));
        self.segments.clear();
        let (mut tops, mut peaks) = ([0; 2], [0; 2]);
        for s in 0..symbolic.supernode_count() {
            let columns = symbolic.columns(s);
            match self.segments.last_mut() {
                Some(segment) if 3 * segment.columns.len() < SEGMENT => {
                    segment.supernodes.end = s + 1;
                    segment.columns.end = columns.end;
                }
                _ => self.segments.push(Segment {
                    supernodes: s..s + 1,
                    columns,
                    tops,
                }),
            }
            let own = symbolic.depth(s) % 2;
            tops[own] += 3 * symbolic.rows(s).len();
            peaks[own] = peaks[own].max(tops[own]);
            tops[1 - own] -= children_rows(symbolic, s);
        }
        peaks
    }
}

/// Scalar rows on the stack that the children of a supernode have left.
fn children_rows(symbolic: &LltSymbolic, s: usize) -> usize {
    (symbolic.children(s).iter())
        .map(|&child| 3 * symbolic.rows(child as usize).len())
        .sum()
}

struct Work<'a> {
    level: Level,
    factor: &'a Llt,
    symbolic: &'a LltSymbolic,
    columns: &'a SparseColumns,
    places: &'a [u32],
    panels: usize,
    /// Panels in the rows and in the columns of a block of W.
    block: usize,
    /// Numbers of a panel for the rows of a segment.
    solved_size: usize,
    /// Rows.
    stack_sizes: [usize; 2],
    parallel: bool,
}

/// The negated entries of some rows and columns of L: tiles of `TILE` rows, `[column][row]`.
#[repr(align(64))]
struct Packed([f64; PACKED]);

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

    /// Numbers of both stacks of a panel.
    fn stack_size(&self) -> usize {
        (self.stack_sizes[0] + self.stack_sizes[1]) * LANES
    }

    /// Solves a segment for some panels, at most `batch` at a time; `solved` and `stacks` are theirs.
    fn solve(
        &self,
        segment: &Segment,
        batch: usize,
        panels: Range<usize>,
        solved: &mut [f64],
        stacks: &mut [f64],
    ) {
        if panels.len() > batch {
            // whole batches
            let low = panels.len().div_ceil(batch) / 2 * batch;
            let middle = panels.start + low;
            let (low_solved, high_solved) = solved.split_at_mut(low * self.solved_size);
            let (low_stacks, high_stacks) = stacks.split_at_mut(low * self.stack_size());
            let (a, b) = (panels.start..middle, middle..panels.end);
            self.both(
                || self.solve(segment, batch, a, low_solved, low_stacks),
                || self.solve(segment, batch, b, high_solved, high_stacks),
            );
            return;
        }
        for (panel, solved) in panels.zip(solved.chunks_exact_mut(self.solved_size)) {
            self.load(segment, panel, solved);
        }
        let mut packed = Packed([0.0; PACKED]);
        let mut tops = segment.tops;
        for s in segment.supernodes.clone() {
            let own = self.symbolic.depth(s) % 2;
            tops[1 - own] -= children_rows(self.symbolic, s);
            let supernode = Supernode {
                work: self,
                index: s,
                own,
                tops,
                first: 3 * (self.symbolic.columns(s).start - segment.columns.start),
            };
            supernode.add_children(solved, stacks);
            supernode.eliminate(&mut packed, solved, stacks);
            tops[own] += 3 * self.symbolic.rows(s).len();
        }
    }

    /// The rows of P C of a segment.
    fn load(&self, segment: &Segment, panel: usize, solved: &mut [f64]) {
        solved[..3 * segment.columns.len() * LANES].fill(0.0);
        let groups = SLOTS * panel..self.columns.group_count().min(SLOTS * (panel + 1));
        for (slot, group) in groups.enumerate() {
            for entry in self.columns.entries(group) {
                let column = self.places[entry] as usize;
                if !segment.columns.contains(&column) {
                    continue;
                }
                let block = &self.columns.blocks[entry];
                for r in 0..3 {
                    let row = 3 * (column - segment.columns.start) + r;
                    let numbers = &mut solved[row * LANES + 3 * slot..][..3];
                    for (c, number) in numbers.iter_mut().enumerate() {
                        *number += block.at(r, c);
                    }
                }
            }
        }
    }

    /// The panels of a block.
    fn block_panels(&self, block: usize) -> Range<usize> {
        self.block * block..self.panels.min(self.block * (block + 1))
    }

    /// Where the products of a pair of blocks of panels, p ≤ q, begin: by rows q, those on the diagonal last.
    fn products_start(&self, p: usize, q: usize) -> usize {
        let panels = self.block_panels(q);
        PRODUCT * (triangle(panels.start) + self.block * p * panels.len())
    }

    /// Adds the products of a segment for some pairs of blocks, counted by rows; `tiles` are theirs.
    fn multiply(&self, segment: &Segment, pairs: Range<usize>, solved: &[f64], tiles: &mut [f64]) {
        let blocks = |pair: usize| {
            let q = (0..).take_while(|&q| triangle(q) <= pair).count() - 1;
            (pair - triangle(q), q)
        };
        if pairs.len() > 1 {
            let middle = pairs.start + pairs.len() / 2;
            let [start, at] = [pairs.start, middle].map(|pair| {
                let (p, q) = blocks(pair);
                self.products_start(p, q)
            });
            let (low, high) = tiles.split_at_mut(at - start);
            let (a, b) = (pairs.start..middle, middle..pairs.end);
            self.both(
                || self.multiply(segment, a, solved, low),
                || self.multiply(segment, b, solved, high),
            );
            return;
        }
        if pairs.is_empty() {
            return;
        }
        let (p, q) = blocks(pairs.start);
        let rows = 3 * segment.columns.len();
        for first in (0..rows).step_by(PRODUCT_DEPTH) {
            let depth = PRODUCT_DEPTH.min(rows - first);
            let part = |panel: usize| &solved[panel * self.solved_size + first * LANES..];
            let pairs = (self.block_panels(q)).flat_map(|b| {
                self.block_panels(p)
                    .take_while(move |&a| a <= b)
                    .map(move |a| (a, b))
            });
            for ((a, b), tile) in pairs.zip(tiles.chunks_exact_mut(PRODUCT)) {
                dispatch!(self.level, simd => add_product(simd, depth, part(a), part(b), tile));
            }
        }
    }

    /// Copies products into some rows of W; `blocks` are theirs.
    fn fill(&self, rows: Range<usize>, blocks: &mut [Mat3], tiles: &[f64]) {
        let groups = self.columns.group_count();
        if rows.len() > ROWS {
            let middle = rows.start + rows.len() / 2;
            let (low, high) = blocks.split_at_mut((middle - rows.start) * groups);
            let (a, b) = (rows.start..middle, middle..rows.end);
            self.both(|| self.fill(a, low, tiles), || self.fill(b, high, tiles));
            return;
        }
        for (i, row) in rows.zip(blocks.chunks_exact_mut(groups)) {
            for (j, block) in row.iter_mut().enumerate() {
                *block = match i <= j {
                    true => self.block(i, j, tiles),
                    false => self.block(j, i, tiles).transpose(),
                };
            }
        }
    }

    /// Block (i, j), i ≤ j.
    fn block(&self, i: usize, j: usize, tiles: &[f64]) -> Mat3 {
        let [p, q] = [i, j].map(|group| group / SLOTS);
        let [a, b] = [p, q].map(|panel| panel % self.block);
        let [bp, bq] = [p, q].map(|panel| panel / self.block);
        let local = if bp == bq {
            triangle(b) + a
        } else {
            self.block * b + a
        };
        let tile = &tiles[self.products_start(bp, bq) + PRODUCT * local..][..PRODUCT];
        let column = |c: usize| {
            let at = (3 * (j % SLOTS) + c) * LANES + 3 * (i % SLOTS);
            vec3(tile[at], tile[at + 1], tile[at + 2])
        };
        Mat3::from_columns(column(0), column(1), column(2))
    }
}

/// Pairs p ≤ q' with q' < q.
fn triangle(q: usize) -> usize {
    q * (q + 1) / 2
}

/// A supernode on its way through a batch of panels.
struct Supernode<'a> {
    work: &'a Work<'a>,
    index: usize,
    /// Which stack its update rows go to.
    own: usize,
    /// Where they go on their stack, and where the children's begin on the other.
    tops: [usize; 2],
    /// Its first row in the segment.
    first: usize,
}

impl Supernode<'_> {
    fn width(&self) -> usize {
        3 * self.work.symbolic.columns(self.index).len()
    }

    /// The rows of the columns, and the update rows, of a panel; and the children's update rows.
    fn rows<'r>(
        &self,
        solved: &'r mut [f64],
        stack: &'r mut [f64],
    ) -> (&'r mut [f64], &'r mut [f64], &'r [f64]) {
        let solved = &mut solved[self.first * LANES..][..self.width() * LANES];
        let (even, odd) = stack.split_at_mut(self.work.stack_sizes[0] * LANES);
        let (mine, theirs) = match self.own {
            0 => (even, odd),
            _ => (odd, even),
        };
        let below = 3 * self.work.symbolic.rows(self.index).len();
        let update = &mut mine[self.tops[self.own] * LANES..][..below * LANES];
        (solved, update, &theirs[self.tops[1 - self.own] * LANES..])
    }

    /// Every panel of a batch.
    fn panels<'r>(
        &'r self,
        solved: &'r mut [f64],
        stacks: &'r mut [f64],
    ) -> impl Iterator<Item = (&'r mut [f64], &'r mut [f64], &'r [f64])> {
        // without update rows anywhere the stacks are empty
        let mut rest = stacks;
        let size = self.work.stack_size();
        (solved.chunks_exact_mut(self.work.solved_size)).map(move |solved| {
            let stack;
            (stack, rest) = std::mem::take(&mut rest).split_at_mut(size);
            self.rows(solved, stack)
        })
    }

    /// Adds the update rows of the children to the rows of this supernode, and sets its own update rows to their sum.
    fn add_children(&self, solved: &mut [f64], stacks: &mut [f64]) {
        let symbolic = self.work.symbolic;
        let width = self.width();
        let level = self.work.level;
        for (solved, update, children) in self.panels(solved, stacks) {
            // rows of `update` that have a value so far
            let mut known = 0;
            let mut rest = children;
            for (k, &child) in symbolic.children(self.index).iter().enumerate() {
                let child = child as usize;
                let source;
                (source, rest) = rest.split_at(3 * symbolic.rows(child).len() * LANES);
                for run in symbolic.runs(child) {
                    let (from, to) = (3 * run.from as usize, 3 * run.to as usize);
                    let length = 3 * run.length as usize;
                    // the part among the columns, and the part below
                    let inside = width.saturating_sub(to).min(length);
                    let source = &source[from * LANES..(from + length) * LANES];
                    let (low, high) = source.split_at(inside * LANES);
                    if !low.is_empty() {
                        dispatch!(level, simd => add(simd, &mut solved[to * LANES..], low));
                    }
                    if high.is_empty() {
                        continue;
                    }
                    let below = to + inside - width;
                    let end = below + length - inside;
                    if k == 0 {
                        update[known * LANES..below * LANES].fill(0.0);
                        update[below * LANES..end * LANES].copy_from_slice(high);
                        known = end;
                    } else {
                        dispatch!(level, simd => add(simd, &mut update[below * LANES..], high));
                    }
                }
                if k == 0 {
                    update[known * LANES..].fill(0.0);
                    known = update.len() / LANES;
                }
            }
            update[known * LANES..].fill(0.0);
        }
    }

    /// Solves for the rows of the columns and subtracts their products with L from the rows below.
    fn eliminate(&self, packed: &mut Packed, solved: &mut [f64], stacks: &mut [f64]) {
        let view = self.work.factor.supernode(self.index);
        let (width, height) = (self.width(), view.leading_dimension);
        let level = self.work.level;
        for block in (0..width).step_by(DEPTH) {
            let columns = block..width.min(block + DEPTH);
            packed.triangle(view.values, height, columns.clone());
            for (solved, ..) in self.panels(solved, stacks) {
                let rows = &mut solved[columns.start * LANES..columns.end * LANES];
                dispatch!(level, simd => solve_rows(simd, &packed.0, rows));
            }
            for (start, end) in [(columns.end, width), (width, height)] {
                for row in (start..end).step_by(CHUNK) {
                    let rows = row..end.min(row + CHUNK);
                    packed.rows(view.values, height, columns.clone(), rows.clone());
                    for (solved, update, _) in self.panels(solved, stacks) {
                        let (known, after) = solved.split_at_mut(columns.end * LANES);
                        let known = &known[columns.start * LANES..];
                        let target = match start == width {
                            true => &mut update[(row - width) * LANES..],
                            false => &mut after[(row - columns.end) * LANES..],
                        };
                        let target = &mut target[..rows.len() * LANES];
                        dispatch!(level, simd => update_rows(simd, &packed.0, known, target));
                    }
                }
            }
        }
    }
}

impl Packed {
    /// Negated entries of L, tile by tile, rows that a tile has too many as zeros.
    fn rows(&mut self, panel: &[f64], height: usize, columns: Range<usize>, rows: Range<usize>) {
        let depth = columns.len();
        let tiles = self.0.chunks_exact_mut(depth * TILE);
        for (row, tile) in rows.clone().step_by(TILE).zip(tiles) {
            copy_tile(
                panel,
                height,
                columns.clone(),
                row..rows.end.min(row + TILE),
                tile,
            );
        }
    }

    /// The lower triangle of a diagonal block: in each tile the columns up to its own last one. A pivot is stored as its
    /// inverse.
    fn triangle(&mut self, panel: &[f64], height: usize, columns: Range<usize>) {
        let mut rest = &mut self.0[..];
        for row in columns.clone().step_by(TILE) {
            let tile;
            (tile, rest) = rest.split_at_mut((row - columns.start + TILE) * TILE);
            let rows = row..columns.end.min(row + TILE);
            copy_tile(panel, height, columns.start..rows.end, rows.clone(), tile);
            for r in rows {
                let at = (r - columns.start) * TILE + r - row;
                tile[at] = -1.0 / tile[at];
            }
        }
    }
}

fn copy_tile(
    panel: &[f64],
    height: usize,
    columns: Range<usize>,
    rows: Range<usize>,
    tile: &mut [f64],
) {
    let count = rows.len();
    for (c, target) in columns.zip(tile.chunks_exact_mut(TILE)) {
        let source = &panel[c * height + rows.start..][..count];
        if let (Ok(target), Ok(source)) = (
            <&mut [f64; TILE]>::try_from(&mut *target),
            <&[f64; TILE]>::try_from(source),
        ) {
            for r in 0..TILE {
                target[r] = -source[r];
            }
        } else {
            for (r, number) in target.iter_mut().enumerate() {
                *number = source.get(r).map_or(0.0, |value| -value);
            }
        }
    }
}

#[inline(always)]
fn add<S: Simd>(simd: S, target: &mut [f64], source: &[f64]) {
    let target = target[..source.len()].chunks_exact_mut(S::f64s::LEN);
    for (t, s) in target.zip(source.chunks_exact(S::f64s::LEN)) {
        (S::f64s::from_slice(simd, t) + S::f64s::from_slice(simd, s)).store_slice(t);
    }
}

/// Solves the rows of a diagonal block.
#[inline(always)]
fn solve_rows<S: Simd>(simd: S, packed: &[f64], rows: &mut [f64]) {
    match S::f64s::LEN {
        8 => solve_lanes::<S, 3>(simd, packed, rows),
        _ => solve_lanes::<S, 1>(simd, packed, rows),
    }
}

/// Adds products with packed rows to some rows.
#[inline(always)]
fn update_rows<S: Simd>(simd: S, packed: &[f64], known: &[f64], target: &mut [f64]) {
    match S::f64s::LEN {
        8 => update_lanes::<S, 3>(simd, packed, known, target),
        _ => update_lanes::<S, 1>(simd, packed, known, target),
    }
}

/// tile ← tile + AᵀB by columns of B.
#[inline(always)]
fn add_product<S: Simd>(simd: S, depth: usize, a: &[f64], b: &[f64], tile: &mut [f64]) {
    match S::f64s::LEN {
        8 => multiply_lanes::<S, 3>(simd, depth, a, b, tile),
        _ => multiply_lanes::<S, 1>(simd, depth, a, b, tile),
    }
}

#[inline(always)]
fn solve_lanes<S: Simd, const V: usize>(simd: S, packed: &[f64], rows: &mut [f64]) {
    let lanes = V * S::f64s::LEN;
    let count = rows.len() / LANES;
    let mut rest = packed;
    for row in (0..count).step_by(TILE) {
        let tile;
        (tile, rest) = rest.split_at((row + TILE) * TILE);
        let (known, target) = rows.split_at_mut(row * LANES);
        let (entries, corner) = tile.split_at(row * TILE);
        for lane in (0..LANES).step_by(lanes) {
            let from = &known[lane.min(known.len())..];
            let mut x = products::<S, V, TILE>(simd, row, from, entries);
            for a in 0..TILE {
                if row + a == count {
                    break;
                }
                let part = &mut target[a * LANES + lane..][..lanes];
                let pivot = S::f64s::splat(simd, corner[a * TILE + a]);
                for v in 0..V {
                    let part = &mut part[v * S::f64s::LEN..(v + 1) * S::f64s::LEN];
                    let mut value = S::f64s::from_slice(simd, part) + x[a][v];
                    for b in 0..a {
                        let entry = S::f64s::splat(simd, corner[b * TILE + a]);
                        value = x[b][v].mul_add(entry, value);
                    }
                    x[a][v] = value * pivot;
                    x[a][v].store_slice(part);
                }
            }
        }
    }
}

#[inline(always)]
fn update_lanes<S: Simd, const V: usize>(
    simd: S,
    packed: &[f64],
    known: &[f64],
    target: &mut [f64],
) {
    let depth = known.len() / LANES;
    let tiles = packed.chunks_exact(depth * TILE);
    for (target, entries) in target.chunks_mut(TILE * LANES).zip(tiles) {
        for lane in (0..LANES).step_by(V * S::f64s::LEN) {
            let sums = products::<S, V, TILE>(simd, depth, &known[lane..], entries);
            add_sums(simd, sums, &mut target[lane..]);
        }
    }
}

#[inline(always)]
fn multiply_lanes<S: Simd, const V: usize>(
    simd: S,
    depth: usize,
    a: &[f64],
    b: &[f64],
    tile: &mut [f64],
) {
    for (k, tile) in tile.chunks_exact_mut(TILE * LANES).enumerate() {
        for lane in (0..LANES).step_by(V * S::f64s::LEN) {
            let sums = products::<S, V, LANES>(simd, depth, &a[lane..], &b[k * TILE..]);
            add_sums(simd, sums, &mut tile[lane..]);
        }
    }
}

/// Adds sums to as many rows as there are.
#[inline(always)]
fn add_sums<S: Simd, const V: usize>(simd: S, sums: [[S::f64s; V]; TILE], rows: &mut [f64]) {
    for (row, sums) in rows.chunks_mut(LANES).zip(sums) {
        let row = &mut row[..V * S::f64s::LEN];
        for (part, sum) in row.chunks_exact_mut(S::f64s::LEN).zip(sums) {
            (S::f64s::from_slice(simd, part) + sum).store_slice(part);
        }
    }
}

/// Σₖ factors[k] rows[k]ᵀ over `depth` rows of `LANES` and as many runs of `STRIDE` factors, of which the first `TILE` count.
#[inline(always)]
fn products<S: Simd, const V: usize, const STRIDE: usize>(
    simd: S,
    depth: usize,
    rows: &[f64],
    factors: &[f64],
) -> [[S::f64s; V]; TILE] {
    let lanes = S::f64s::LEN;
    let mut sums = [[S::f64s::splat(simd, 0.0); V]; TILE];
    for (row, factor) in (rows.chunks(LANES)).zip(factors.chunks(STRIDE)).take(depth) {
        let (row, factor) = (&row[..V * lanes], &factor[..TILE]);
        let row: [S::f64s; V] =
            std::array::from_fn(|v| S::f64s::from_slice(simd, &row[v * lanes..(v + 1) * lanes]));
        for n in 0..TILE {
            let factor = S::f64s::splat(simd, factor[n]);
            for v in 0..V {
                sums[n][v] = row[v].mul_add(factor, sums[n][v]);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gram::tests::{columns_of, oracle, random_columns};
    use crate::testing::{fill_spd, grid_pattern, random_spd, spring_grid};
    use crate::{BlockMatrix, GramScratch};
    use std::sync::Arc;

    fn dense(llt: &Llt, columns: &SparseColumns) -> BlockRows {
        let mut w = BlockRows::default();
        llt.dense_gram(columns, &mut DenseScratch::new(), &mut w)
            .unwrap();
        w
    }

    fn check(matrix: &BlockMatrix, columns: &SparseColumns) {
        let llt = Llt::from_matrix(matrix).unwrap();
        let w = dense(&llt, columns);
        let groups = columns.group_count();
        let expected = oracle(&llt, columns);
        assert_eq!(
            (&w.starts, &w.columns),
            (&expected.starts, &expected.columns)
        );
        let mut sparse = BlockRows::default();
        llt.gram(columns, &mut GramScratch::new(), &mut sparse)
            .unwrap();
        let scale = (w.blocks.iter()).fold(0.0_f64, |most, block| most.max(block.max_abs()));
        for i in 0..groups {
            for j in 0..groups {
                let error = (w.block(i, j) - expected.block(i, j)).max_abs();
                assert!(error <= 1e-12 * scale, "({i}, {j}): {error:e} of {scale:e}");
                let error = (w.block(i, j) - sparse.block(i, j)).max_abs();
                assert!(error <= 1e-11 * scale, "({i}, {j}): {error:e} of {scale:e}");
                assert_eq!(w.block(i, j), w.block(j, i).transpose());
            }
        }
    }

    #[test]
    fn equals_dense_solves() {
        for (n, groups) in [(1, 1), (2, 3), (5, 9), (60, 8), (300, 30), (700, 53)] {
            check(&random_spd(n, n as u64), &random_columns(groups, n, 3));
        }
        check(&random_spd(9, 1), &columns_of(&[&[], &[3, 3]], 1));
        // several segments, wide supernodes, more than one block of panels
        let matrix = fill_spd(Arc::new(grid_pattern([12, 11, 11])), 4);
        check(&matrix, &random_columns(140, matrix.row_count(), 7));
        check(&spring_grid([7, 5, 5]), &random_columns(40, 8 * 36, 5));
    }

    #[test]
    fn bits_depend_on_neither_threads_nor_scratch() {
        let matrix = fill_spd(Arc::new(grid_pattern([14, 9, 9])), 8);
        let llt = Llt::from_matrix(&matrix).unwrap();
        let columns = random_columns(150, matrix.row_count(), 4);
        let (mut scratch, mut w) = (DenseScratch::new(), BlockRows::default());
        let first = dense(&llt, &columns);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| llt.dense_gram(&columns, &mut scratch, &mut w))
                .unwrap();
            assert!(w == first);
            // another factor and other columns in between
            let small = Llt::from_matrix(&random_spd(80, 1)).unwrap();
            small
                .dense_gram(&random_columns(9, 80, 1), &mut scratch, &mut w)
                .unwrap();
            assert_eq!(w.row_count(), 9);
        }
    }

    #[test]
    fn bad_input_is_an_error() {
        let matrix = random_spd(10, 1);
        let llt = Llt::from_matrix(&matrix).unwrap();
        assert_eq!(dense(&llt, &SparseColumns::default()).row_count(), 0);
        let mut w = BlockRows::default();
        let mut run = |llt: &Llt, columns: &SparseColumns| {
            llt.dense_gram(columns, &mut DenseScratch::new(), &mut w)
        };
        assert!(run(&llt, &columns_of(&[&[1, 10]], 1)).is_err());
        let empty = Llt::new(Arc::clone(llt.symbolic()));
        assert_eq!(
            run(&empty, &columns_of(&[&[1]], 1)),
            Err(SolveError::NotFactorized)
        );
    }
}
