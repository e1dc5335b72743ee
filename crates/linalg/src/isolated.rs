//! Isolated degrees of freedom: W = Cᵀ A⁻¹ C = Ĥ W̄ Ĥᵀ by whole nodes, kept while a factor stands [ZCC22].
//!
//! The columns C touch few nodes. S̄ = L⁻¹ Īᵀ has three unit columns for each of them and depends on the factor
//! only, and so do the 3×3 blocks of A⁻¹ between them, W̄ = S̄ᵀ S̄; Ĥ is C with its rows renumbered. Nodes that are
//! new are solved in panels of eight near each other in the elimination tree, and W̄ is kept in tiles, the products of two
//! panels. [ZCC22, Eqs. 23–30] extends W̄ by a border from one step to the next; here all that was solved since the
//! factor arrived stays, up to a limit.
//!
//! No bit depends on history: a block of W̄ is the same whatever was solved together, in which order, or evicted before.

mod assembly;

use crate::block_rows::BlockRows;
use crate::columns::{Lists, SparseColumns};
use crate::error::SolveError;
use crate::llt::Llt;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::panel::{PARALLEL_FLOPS, Panel, Paths, SLOTS, Seed, solve_panels};
use crate::panel_pairs::{Pairs, Product, Tile};
use crate::symbolic::LltSymbolic;
use assembly::Assembly;
use bytemuck::Zeroable;

/// Pairs of panels from which they are multiplied on several threads.
const PARALLEL_PAIRS: usize = 8;

/// Nodes touched by the columns of a call, and how many of them had to be solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Different nodes in the columns.
    pub touched: usize,
    /// Those that were not there yet.
    pub solved: usize,
}

/// Columns of L⁻¹ for whole nodes and blocks of A⁻¹ between them, kept while a factor stands; see the file header.
///
/// It notices when it is given another factor, or new numbers in the same, and starts again.
#[derive(Clone, Debug, Default)]
pub struct NodeCompliance {
    limit: Option<usize>,
    /// The factorisation that the numbers belong to, 0 for none.
    stamp: u64,
    paths: Paths,
    /// [`SLOTS`] · panel + slot of every node, or [`NONE`].
    places: Vec<u32>,
    panels: Vec<Panel>,
    /// What is in every panel.
    kept: Vec<Kept>,
    /// Panels without nodes, kept for their memory.
    vacant: Vec<u32>,
    node_count: usize,
    /// Counts calls.
    clock: u64,
    /// The tree of every supernode that is a root of needed nodes, or [`NONE`].
    tree_names: Vec<u32>,
    /// The first [`Self::tree_count`] are used.
    trees: Vec<Tree>,
    tree_count: usize,
    /// As many as `tile_owners` are products, the others are memory.
    tiles: Vec<Tile>,
    /// Tree and two ranks of every tile.
    tile_owners: Vec<[u32; 3]>,
    scratch: Scratch,
}

/// What is in a panel.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// By slot; none for a vacant panel.
    nodes: Vec<u32>,
    tree: u32,
    /// Its place among the panels of its tree.
    rank: u32,
    /// The call that last needed it.
    used: u64,
}

/// The panels of one tree of the elimination forest: only they have products.
#[derive(Clone, Debug, Default)]
struct Tree {
    root: u32,
    /// Number of ranks given.
    size: u32,
    /// Ranks of evicted panels.
    free: Vec<u32>,
    /// The tile of ranks p ≤ q, with p in its rows, at q (q + 1)/2 + p; [`NONE`] while nobody needed it.
    tiles: Vec<u32>,
}

impl Tree {
    fn at(p: u32, q: u32) -> usize {
        let (low, high) = (p.min(q) as usize, p.max(q) as usize);
        high * (high + 1) / 2 + low
    }
}

/// Memory of a call.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// New nodes: root, supernode, row in it, node.
    fresh: Vec<[u32; 4]>,
    /// The panels they are solved in, while they are solved, and which they are.
    solving: Vec<Panel>,
    solved: Vec<u32>,
    /// Panels by last use.
    oldest: Vec<(u64, u32)>,
    /// Panels that are needed, by tree and rank, and the pairs of them without a tile.
    needed: Vec<[u32; 3]>,
    pairs: Pairs,
    lists: Lists,
    assembly: Assembly,
}

impl NodeCompliance {
    /// Keeps all nodes.
    pub fn new() -> NodeCompliance {
        NodeCompliance::default()
    }

    /// Keeps at most `nodes` nodes, those used last, but always all that a call needs. They go by panels, the up to eight nodes
    /// that were solved together.
    pub fn with_limit(nodes: usize) -> NodeCompliance {
        NodeCompliance {
            limit: Some(nodes),
            ..NodeCompliance::default()
        }
    }

    /// Number of nodes that are kept.
    pub fn len(&self) -> usize {
        self.node_count
    }

    /// Whether no node is kept.
    pub fn is_empty(&self) -> bool {
        self.node_count == 0
    }

    /// Forgets all numbers and keeps the memory.
    pub fn clear(&mut self) {
        self.stamp = 0;
        self.vacant.clear();
        // the first panel is taken first: then its memory has the size it will need
        self.vacant.extend((0..self.panels.len() as u32).rev());
        for kept in &mut self.kept {
            kept.nodes.clear();
        }
        self.places.fill(NONE);
        self.node_count = 0;
        for tree in &mut self.trees[..self.tree_count] {
            self.tree_names[tree.root as usize] = NONE;
            tree.size = 0;
            tree.free.clear();
            tree.tiles.clear();
        }
        self.tree_count = 0;
        self.tile_owners.clear();
    }

    /// Solves S̄ = L⁻¹ Īᵀ for those of `nodes` that are not there yet; returns how many were new.
    ///
    /// The new nodes of a call share panels, and blocks of A⁻¹ are computed for pairs of whole panels: ask together for
    /// nodes that are likely to be needed together.
    pub fn require(&mut self, factor: &Llt, nodes: &[u32]) -> Result<usize, SolveError> {
        let panel_factor = factor.panel_factor()?;
        let symbolic = panel_factor.symbolic;
        SolveError::check_nodes(nodes, symbolic.row_count())?;
        self.follow(factor);
        self.clock += 1;
        let fresh = &mut self.scratch.fresh;
        fresh.clear();
        for &node in nodes {
            match self.places[node as usize] {
                NONE => {
                    let (s, row) = symbolic.supernode_of(node);
                    fresh.push([self.paths.roots[s as usize], s, row, node]);
                }
                place => self.kept[place as usize / SLOTS].used = self.clock,
            }
        }
        if fresh.is_empty() {
            return Ok(0);
        }
        fresh.sort_unstable();
        fresh.dedup();
        let count = fresh.len();
        self.evict(count);
        let flops = self.plan(symbolic);

        let Scratch {
            solving, solved, ..
        } = &mut self.scratch;
        let take = |&p: &u32| std::mem::take(&mut self.panels[p as usize]);
        solving.extend(solved.iter().map(take));
        let parallel = flops > PARALLEL_FLOPS;
        let mut run = || solve_panels(&panel_factor, solving, &|_| Mat3::IDENTITY, parallel);
        if parallel {
            rayon::join(run, || ());
        } else {
            run();
        }
        for (&p, panel) in solved.iter().zip(solving.drain(..)) {
            self.panels[p as usize] = panel;
        }
        Ok(count)
    }

    /// Requires nodes and computes the blocks of A⁻¹ between all of them; returns how many nodes were new.
    pub fn couple(&mut self, factor: &Llt, nodes: &[u32]) -> Result<usize, SolveError> {
        let solved = self.require(factor, nodes)?;
        self.multiply(factor)?;
        Ok(solved)
    }

    /// w ← Cᵀ A⁻¹ C, symmetric to the bit, as [`Llt::gram`] but for rounding: requires the touched nodes and computes the
    /// blocks of A⁻¹ between them that are not there yet.
    pub fn gram(
        &mut self,
        factor: &Llt,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        columns.check(factor.symbolic().row_count())?;
        let solved = self.couple(factor, &columns.rows)?;
        let mut assembly = std::mem::take(&mut self.scratch.assembly);
        let mut lists = std::mem::take(&mut self.scratch.lists);
        assembly.prepare(self, columns);
        columns.pattern(&assembly.entry_trees, self.tree_count, &mut lists, w);
        assembly.fill(self, columns, w);
        let touched = assembly.node_count();
        (self.scratch.assembly, self.scratch.lists) = (assembly, lists);
        Ok(Reuse { touched, solved })
    }

    /// Starts again when the factor is not the one that the numbers belong to.
    fn follow(&mut self, factor: &Llt) {
        if self.stamp == factor.stamp() {
            return;
        }
        self.clear();
        self.stamp = factor.stamp();
        let symbolic = factor.symbolic();
        self.paths.prepare(symbolic);
        self.places.resize(symbolic.row_count(), NONE);
        self.tree_names.clear();
        self.tree_names.resize(symbolic.supernode_count(), NONE);
    }

    /// Plans panels for the new nodes; returns the work of solving them.
    fn plan(&mut self, symbolic: &LltSymbolic) -> f64 {
        let Scratch { fresh, solved, .. } = &mut self.scratch;
        solved.clear();
        let mut flops = 0.0;
        let mut rest = &fresh[..];
        while let Some(&[root, ..]) = rest.first() {
            // other bodies begin another panel: they would share no step
            let alike = rest.iter().take(SLOTS).take_while(|key| key[0] == root);
            let (own, after) = rest.split_at(alike.count());
            rest = after;
            let p = self.vacant.pop().unwrap_or_else(|| {
                self.panels.push(Panel::default());
                self.kept.push(Kept::default());
                self.panels.len() as u32 - 1
            });
            let seeds = own.iter().enumerate().map(|(slot, key)| Seed {
                slot: slot as u32,
                supernode: key[1],
                row: key[2],
                entry: 0,
            });
            flops += (self.paths).plan(symbolic, seeds, &mut self.panels[p as usize]);
            solved.push(p);

            let name = &mut self.tree_names[root as usize];
            if *name == NONE {
                *name = self.tree_count as u32;
                self.tree_count += 1;
                if self.trees.len() < self.tree_count {
                    self.trees.push(Tree::default());
                }
                self.trees[*name as usize].root = root;
            }
            let tree = &mut self.trees[*name as usize];
            let kept = &mut self.kept[p as usize];
            kept.tree = *name;
            kept.used = self.clock;
            kept.rank = tree.free.pop().unwrap_or_else(|| {
                tree.size += 1;
                let size = tree.size as usize;
                tree.tiles.resize(size * (size + 1) / 2, NONE);
                tree.size - 1
            });
            for (slot, key) in own.iter().enumerate() {
                kept.nodes.push(key[3]);
                self.places[key[3] as usize] = p * SLOTS as u32 + slot as u32;
            }
            self.node_count += own.len();
        }
        flops
    }

    /// Makes room for some nodes, as far as the limit asks and the present call allows.
    fn evict(&mut self, coming: usize) {
        let limit = self.limit.unwrap_or(usize::MAX);
        if self.node_count + coming <= limit {
            return;
        }
        let mut oldest = std::mem::take(&mut self.scratch.oldest);
        oldest.clear();
        let kept = self.kept.iter().zip(0..);
        let kept = kept.filter(|(kept, _)| !kept.nodes.is_empty() && kept.used < self.clock);
        oldest.extend(kept.map(|(kept, p)| (kept.used, p)));
        oldest.sort_unstable();
        for &(_, p) in &oldest {
            if self.node_count + coming <= limit {
                break;
            }
            self.remove(p);
        }
        self.scratch.oldest = oldest;
    }

    fn remove(&mut self, p: u32) {
        let Kept {
            nodes, tree, rank, ..
        } = &mut self.kept[p as usize];
        let (name, rank) = (*tree as usize, *rank);
        self.node_count -= nodes.len();
        for node in nodes.drain(..) {
            self.places[node as usize] = NONE;
        }
        self.vacant.push(p);
        self.trees[name].free.push(rank);
        for other in 0..self.trees[name].size {
            let tile = &mut self.trees[name].tiles[Tree::at(rank, other)];
            let tile = std::mem::replace(tile, NONE) as usize;
            if tile == NONE as usize {
                continue;
            }
            // the last tile takes its place
            self.tile_owners.swap_remove(tile);
            if let Some(&[tree, low, high]) = self.tile_owners.get(tile) {
                self.tiles[tile] = self.tiles[self.tile_owners.len()];
                self.trees[tree as usize].tiles[Tree::at(low, high)] = tile as u32;
            }
        }
    }

    /// Computes the missing tiles between the panels of the present call.
    fn multiply(&mut self, factor: &Llt) -> Result<(), SolveError> {
        let Scratch { needed, pairs, .. } = &mut self.scratch;
        needed.clear();
        let kept = self.kept.iter().zip(0..);
        let kept = kept.filter(|(kept, _)| !kept.nodes.is_empty() && kept.used == self.clock);
        needed.extend(kept.map(|(kept, p)| [kept.tree, kept.rank, p]));
        needed.sort_unstable();
        pairs.list.clear();
        let mut first = 0;
        for (at, &[tree, rank, _]) in needed.iter().enumerate() {
            if needed[first][0] != tree {
                first = at;
            }
            let tiles = &self.trees[tree as usize].tiles;
            for (other, &[_, low, _]) in needed[..=at].iter().enumerate().skip(first) {
                if tiles[Tree::at(low, rank)] == NONE {
                    pairs.list.push([other as u32, at as u32]);
                }
            }
        }
        let (start, count) = (self.tile_owners.len(), pairs.list.len());
        if count == 0 {
            return Ok(());
        }
        if start + count >= NONE as usize {
            return Err(SolveError::TooLarge {
                what: "pairs of panels",
                count: start + count,
            });
        }
        pairs.sort();
        for pair in &pairs.list {
            let [[tree, low, _], [_, high, _]] = pair.map(|place| needed[place as usize]);
            let tile = self.tile_owners.len() as u32;
            self.trees[tree as usize].tiles[Tree::at(low, high)] = tile;
            self.tile_owners.push([tree, low, high]);
        }
        if self.tiles.len() < start + count {
            self.tiles.resize(start + count, Tile::zeroed());
        }
        let panel_factor = factor.panel_factor()?;
        let product = Product {
            level: panel_factor.level,
            symbolic: panel_factor.symbolic,
            panel: |place: u32| &self.panels[needed[place as usize][2] as usize],
            panel_count: needed.len(),
            parallel: count >= PARALLEL_PAIRS,
        };
        let tiles = &mut self.tiles[start..start + count];
        if product.parallel {
            rayon::join(|| pairs.multiply(&product, tiles), || ());
        } else {
            pairs.multiply(&product, tiles);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
