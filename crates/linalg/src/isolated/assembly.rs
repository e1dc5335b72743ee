//! W = Ĥ W̄ Ĥᵀ from kept blocks W̄ of A⁻¹, in two steps [ZCC22, Eqs. 25c, 25d]: Yᵢ = Hᵢᵀ W̄ for all nodes that a later group
//! touches, then Wᵢⱼ = Yᵢ Hⱼ for the groups j ≥ i. The other half is copied.
//!
//! The sums run over the entries of i, then over those of j, in the order of the columns.

use super::{NodeCompliance, Tree};
use crate::block_rows::BlockRows;
use crate::columns::SparseColumns;
use crate::each;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::panel::{SLOTS, both};
use fearless_simd::{Level, Simd, dispatch, f64x4, prelude::*};
use std::ops::Range;

/// Blocks of W from which it is computed on several threads.
const PARALLEL_BLOCKS: usize = 4000;

/// Parts of the rows for each thread, so that threads finish together.
const PARTS: usize = 8;

/// Rows copied by one thread.
const ROWS: usize = 32;

/// Three columns of a 3×3 block, each with a zero below.
type Padded = [f64; 12];

/// A touched node, and where its blocks are.
#[derive(Clone, Copy, Debug)]
struct Touched {
    tree: u32,
    /// The last group that touches it.
    last: u32,
    node: u32,
    rank: u32,
    slot: u32,
}

/// Rows of W computed one after the other, with as much work as other parts.
#[derive(Clone, Debug)]
struct Part {
    rows: Range<usize>,
}

/// Ĥ, and memory; see the file header.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembly {
    /// By tree and last group.
    nodes: Vec<Touched>,
    /// Touched node of every entry of the columns, and its tree.
    entry_nodes: Vec<u32>,
    pub(super) entry_trees: Vec<u32>,
    /// Touched nodes of each tree.
    tree_nodes: Vec<Range<usize>>,
    /// Touched node of every node; [`NONE`] outside of [`Self::prepare`].
    names: Vec<u32>,
    /// Place of the diagonal in every row of W, and whether its group touches one tree only.
    diagonals: Vec<(usize, bool)>,
    parts: Vec<Part>,
    /// Y of the row at work, for each part.
    products: Vec<Padded>,
}

impl Assembly {
    /// Number of touched nodes.
    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Finds the touched nodes; all of them are kept.
    pub(super) fn prepare(&mut self, kept: &NodeCompliance, columns: &SparseColumns) {
        self.nodes.clear();
        if self.names.len() < kept.places.len() {
            self.names.resize(kept.places.len(), NONE);
        }
        for group in 0..columns.group_count() {
            for entry in columns.entries(group) {
                let node = columns.rows[entry];
                let name = &mut self.names[node as usize];
                if *name == NONE {
                    *name = self.nodes.len() as u32;
                    let place = kept.places[node as usize];
                    let panel = &kept.kept[place as usize / SLOTS];
                    self.nodes.push(Touched {
                        tree: panel.tree,
                        last: group as u32,
                        node,
                        rank: panel.rank,
                        slot: place % SLOTS as u32,
                    });
                } else {
                    self.nodes[*name as usize].last = group as u32;
                }
            }
        }
        (self.nodes).sort_unstable_by_key(|node| (node.tree, node.last, node.node));
        self.tree_nodes.clear();
        self.tree_nodes.resize(kept.tree_count, 0..0);
        for (at, node) in self.nodes.iter().enumerate() {
            self.names[node.node as usize] = at as u32;
            let range = &mut self.tree_nodes[node.tree as usize];
            if range.end == 0 {
                range.start = at;
            }
            range.end = at + 1;
        }
        self.entry_nodes.clear();
        self.entry_trees.clear();
        for &row in &columns.rows {
            let name = self.names[row as usize];
            self.entry_nodes.push(name);
            self.entry_trees.push(self.nodes[name as usize].tree);
        }
        for node in &self.nodes {
            self.names[node.node as usize] = NONE;
        }
    }

    /// Computes the blocks of W, whose pattern is there.
    pub(super) fn fill(
        &mut self,
        kept: &NodeCompliance,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) {
        let count = w.row_count();
        let parallel = w.blocks.len() >= PARALLEL_BLOCKS;
        self.diagonals.clear();
        for row in 0..count {
            let trees = &self.entry_trees[columns.entries(row)];
            let range = w.starts[row]..w.starts[row + 1];
            let place = w.columns[range].partition_point(|&column| (column as usize) < row);
            self.diagonals
                .push((place, trees.windows(2).all(|pair| pair[0] == pair[1])));
        }
        self.cut(w, parallel);
        (self.products).resize(self.parts.len() * self.nodes.len(), [0.0; 12]);
        let mut products = std::mem::take(&mut self.products);
        let work = Work {
            level: Level::new(),
            kept,
            columns,
            assembly: self,
            starts: &w.starts,
            row_columns: &w.columns,
            parallel,
        };
        let blocks = &mut w.blocks[..];
        let mut run = || {
            work.compute(&self.parts, blocks, &mut products);
            work.mirror(0..count, blocks);
        };
        if parallel {
            rayon::join(run, || ());
        } else {
            run();
        }
        self.products = products;
    }

    /// Cuts the rows into parts with about as many blocks from the diagonal on.
    fn cut(&mut self, w: &BlockRows, parallel: bool) {
        let upper = |row: usize| w.starts[row + 1] - w.starts[row] - self.diagonals[row].0;
        let count = w.row_count();
        let total: usize = (0..count).map(upper).sum();
        let parts = if parallel {
            PARTS * rayon::current_num_threads()
        } else {
            1
        };
        self.parts.clear();
        let (mut start, mut done) = (0, 0);
        for row in 0..count {
            done += upper(row);
            if done * parts >= total * (self.parts.len() + 1) || row + 1 == count {
                self.parts.push(Part {
                    rows: start..row + 1,
                });
                start = row + 1;
            }
        }
    }
}

struct Work<'a> {
    level: Level,
    kept: &'a NodeCompliance,
    columns: &'a SparseColumns,
    assembly: &'a Assembly,
    starts: &'a [usize],
    row_columns: &'a [u32],
    parallel: bool,
}

impl Work<'_> {
    /// The blocks of some parts from the diagonal on; `blocks` are those of their rows.
    fn compute(&self, parts: &[Part], blocks: &mut [Mat3], products: &mut [Padded]) {
        if parts.len() > 1 {
            let (low, high) = parts.split_at(parts.len() / 2);
            let at = self.starts[high[0].rows.start] - self.starts[low[0].rows.start];
            let (low_blocks, high_blocks) = blocks.split_at_mut(at);
            let (low_products, high_products) =
                products.split_at_mut(low.len() * self.assembly.nodes.len());
            both(
                self.parallel,
                || self.compute(low, low_blocks, low_products),
                || self.compute(high, high_blocks, high_products),
            );
            return;
        }
        let Some(part) = parts.first() else {
            return;
        };
        let base = self.starts[part.rows.start];
        for row in part.rows.clone() {
            let diagonal = self.starts[row] + self.assembly.diagonals[row].0;
            let range = diagonal..self.starts[row + 1];
            let blocks = &mut blocks[range.start - base..range.end - base];
            dispatch!(self.level, simd => {
                self.multiply_nodes(simd, row, products);
                self.multiply_groups(simd, row, products, &self.row_columns[range], blocks);
            });
            symmetrize(&mut blocks[0]);
        }
    }

    /// Y = Σ Hₐᵀ W̄ₐᵦ over the nodes a of a group, for nodes b of the same trees that this or a later group touches.
    #[inline(always)]
    fn multiply_nodes<S: Simd>(&self, simd: S, group: usize, products: &mut [Padded]) {
        let assembly = self.assembly;
        let entries = self.columns.entries(group);
        for entry in entries.clone() {
            let tree = assembly.entry_trees[entry];
            let first = !assembly.entry_trees[entries.start..entry].contains(&tree);
            let nodes = assembly.tree_nodes[tree as usize].clone();
            let passed =
                assembly.nodes[nodes.clone()].partition_point(|node| (node.last as usize) < group);
            let nodes = nodes.start + passed..nodes.end;
            let tiles = &self.kept.trees[tree as usize].tiles;
            let a = assembly.nodes[assembly.entry_nodes[entry] as usize];
            let h = &self.columns.blocks[entry];
            let h: [f64x4<S>; 3] = each!(k in 3 => {
                f64x4::from_slice(simd, &[h.at(k, 0), h.at(k, 1), h.at(k, 2), 0.0])
            });
            for (product, b) in products[nodes.clone()]
                .iter_mut()
                .zip(&assembly.nodes[nodes])
            {
                let tile = &self.kept.tiles[tiles[Tree::at(a.rank, b.rank)] as usize].0;
                let mut y: [f64x4<S>; 3] = each!(c in 3 => match first {
                    true => f64x4::splat(simd, 0.0),
                    false => f64x4::from_slice(simd, &product[4 * c..4 * c + 4]),
                });
                let block = if a.rank <= b.rank {
                    &tile[SLOTS * a.slot as usize + b.slot as usize]
                } else {
                    &tile[SLOTS * b.slot as usize + a.slot as usize]
                };
                let turned = a.rank > b.rank;
                for c in 0..3 {
                    for k in 0..3 {
                        let number = if turned {
                            block.at(c, k)
                        } else {
                            block.at(k, c)
                        };
                        y[c] = h[k].mul_add(f64x4::splat(simd, number), y[c]);
                    }
                    y[c].store_slice(&mut product[4 * c..4 * c + 4]);
                }
            }
        }
    }

    /// W = Σ Yᵦ Hᵦ over the nodes b of other groups.
    #[inline(always)]
    fn multiply_groups<S: Simd>(
        &self,
        simd: S,
        group: usize,
        products: &[Padded],
        others: &[u32],
        blocks: &mut [Mat3],
    ) {
        let assembly = self.assembly;
        let own = &assembly.entry_trees[self.columns.entries(group)];
        for (&other, block) in others.iter().zip(blocks) {
            let mut w = [f64x4::splat(simd, 0.0); 3];
            for entry in self.columns.entries(other as usize) {
                if !own.contains(&assembly.entry_trees[entry]) {
                    continue;
                }
                let product = &products[assembly.entry_nodes[entry] as usize];
                let h = &self.columns.blocks[entry];
                for k in 0..3 {
                    let y = f64x4::from_slice(simd, &product[4 * k..4 * k + 4]);
                    for c in 0..3 {
                        w[c] = y.mul_add(f64x4::splat(simd, h.at(k, c)), w[c]);
                    }
                }
            }
            let mut padded = [0.0; 12];
            for c in 0..3 {
                w[c].store_slice(&mut padded[4 * c..4 * c + 4]);
            }
            for c in 0..3 {
                for r in 0..3 {
                    block.set(r, c, padded[4 * c + r]);
                }
            }
        }
    }

    /// Copies the blocks of some rows and their columns to the other side of the diagonal.
    fn mirror(&self, rows: Range<usize>, blocks: &mut [Mat3]) {
        if rows.len() < 2 {
            return;
        }
        let middle = rows.start + rows.len() / 2;
        let (top, bottom) = (rows.start..middle, middle..rows.end);
        let (high, low) = blocks.split_at_mut(self.starts[middle] - self.starts[rows.start]);
        both(
            self.parallel && rows.len() > 2 * ROWS,
            || self.mirror(top.clone(), high),
            || self.mirror(bottom.clone(), low),
        );
        self.mirror_part(top, high, bottom, low);
    }

    /// Copies from rows above to rows below.
    fn mirror_part(
        &self,
        top: Range<usize>,
        source: &[Mat3],
        rows: Range<usize>,
        blocks: &mut [Mat3],
    ) {
        if rows.len() > ROWS {
            let middle = rows.start + rows.len() / 2;
            let (low, high) = blocks.split_at_mut(self.starts[middle] - self.starts[rows.start]);
            both(
                self.parallel,
                || self.mirror_part(top.clone(), source, rows.start..middle, low),
                || self.mirror_part(top.clone(), source, middle..rows.end, high),
            );
            return;
        }
        let (base, source_base) = (self.starts[rows.start], self.starts[top.start]);
        for row in rows {
            let columns = &self.row_columns[self.starts[row]..self.starts[row + 1]];
            let start = columns.partition_point(|&column| (column as usize) < top.start);
            let end = columns.partition_point(|&column| (column as usize) < top.end);
            let blocks = &mut blocks[self.starts[row] - base..][start..end];
            let (diagonal, single) = self.assembly.diagonals[row];
            for (block, &column) in blocks.iter_mut().zip(&columns[start..end]) {
                let column = column as usize;
                let other = self.starts[column]..self.starts[column + 1];
                // groups of the same single tree have the same columns
                let place = if single && self.assembly.diagonals[column].1 {
                    diagonal
                } else {
                    self.row_columns[other.clone()].partition_point(|&c| (c as usize) < row)
                };
                *block = source[other.start - source_base + place].transpose();
            }
        }
    }
}

/// Copies the entries above the diagonal below it.
fn symmetrize(block: &mut Mat3) {
    for (r, c) in [(0, 1), (0, 2), (1, 2)] {
        block.set(c, r, block.at(r, c));
    }
}
