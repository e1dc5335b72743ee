//! Panels: up to [`LANES`] columns of L⁻¹ P C, solved together along their paths of the elimination tree.
//!
//! A column of L⁻¹ has nonzeros only on the path from its first row to the root of the elimination tree. Columns that
//! begin near each other visit the union of their paths; a step of it is a supernode, with the vectors of the
//! panel that have nonzeros there and the first nonzero row. What is computed for a column does not depend on the others
//! of its panel: they only add steps, rows and sums that are exactly zero.

use crate::lines::Lines;
use crate::mat3::Mat3;
use crate::ordering::NONE;
use crate::panel_kernels::{BATCH, Factor};
use crate::symbolic::LltSymbolic;

/// Columns in a panel: three vectors of eight.
pub(crate) const LANES: usize = 24;

/// Columns in a vector, the unit in which columns are left out of a step.
pub(crate) const VECTOR: usize = 8;

/// Groups of three columns in a panel.
pub(crate) const SLOTS: usize = LANES / 3;

/// The first nonzero row of a step is a multiple of so many nodes: then the rows that are solved together, and with
/// them the order of sums, are the same whatever else is in the panel.
pub(crate) const ALIGNMENT: u32 = 3;

/// Work (flops) from which panels are solved on several threads.
pub(crate) const PARALLEL_FLOPS: f64 = 1.0e6;

/// A supernode on the path of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) supernode: u32,
    /// The step of the parent; [`NONE`] for a root.
    pub(crate) parent: u32,
    /// Leading nodes of the supernode where the panel is zero; they are not stored.
    pub(crate) skipped: u32,
    /// The first vector of the panel with nonzeros here, and the number of vectors.
    pub(crate) first: u32,
    pub(crate) vectors: u32,
    /// Where its rows begin in the numbers of the panel.
    pub(crate) at: usize,
}

impl Step {
    /// Numbers from one scalar row to the next.
    pub(crate) fn stride(&self) -> usize {
        VECTOR * self.vectors as usize
    }
}

/// Where a block of the right-hand sides goes.
#[derive(Clone, Copy, Debug)]
struct Load {
    /// The caller's name of the block.
    entry: usize,
    at: usize,
    stride: usize,
}

/// See the file header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// Ascending in the supernode.
    pub(crate) steps: Vec<Step>,
    loads: Vec<Load>,
    numbers: Lines,
    size: usize,
}

impl Panel {
    /// The solved numbers, by steps.
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers.numbers()[..self.size]
    }

    /// The roots of the trees it touches.
    pub(crate) fn roots(&self) -> impl Iterator<Item = u32> + Clone {
        let roots = self.steps.iter().filter(|step| step.parent == NONE);
        roots.map(|step| step.supernode)
    }

    /// Steps and numbers.
    pub(crate) fn parts(&mut self) -> (&[Step], &mut [f64]) {
        (&self.steps, &mut self.numbers.numbers_mut()[..self.size])
    }

    fn load(&mut self, block: &impl Fn(usize) -> Mat3) {
        self.numbers.grow(self.size);
        let numbers = &mut self.numbers.numbers_mut()[..self.size];
        numbers.fill(0.0);
        for load in &self.loads {
            let block = block(load.entry);
            for r in 0..3 {
                let at = load.at + r * load.stride;
                for (c, number) in numbers[at..at + 3].iter_mut().enumerate() {
                    *number += block.at(r, c);
                }
            }
        }
    }
}

/// Solves panels; `block` gives the block of the right-hand sides that has a name. The work is shared among threads when
/// `parallel`.
pub(crate) fn solve_panels(
    factor: &Factor<'_>,
    panels: &mut [Panel],
    block: &(impl Fn(usize) -> Mat3 + Sync),
    parallel: bool,
) {
    // a few batches for each thread; their size changes no bit of the result
    let batches = 2 * rayon::current_num_threads();
    let batch = (panels.len() / batches).clamp(1, BATCH);
    solve_batches(factor, panels, block, parallel.then_some(batch));
}

/// In batches of at most so many panels on several threads, or one after the other.
fn solve_batches(
    factor: &Factor<'_>,
    panels: &mut [Panel],
    block: &(impl Fn(usize) -> Mat3 + Sync),
    parallel: Option<usize>,
) {
    if panels.len() > parallel.unwrap_or(BATCH) {
        let (low, high) = panels.split_at_mut(panels.len() / 2);
        let low = || solve_batches(factor, low, block, parallel);
        let high = || solve_batches(factor, high, block, parallel);
        both(parallel.is_some(), low, high);
        return;
    }
    for panel in panels.iter_mut() {
        panel.load(block);
    }
    factor.forward(panels);
}

/// Both halves of some work.
pub(crate) fn both(parallel: bool, low: impl FnOnce() + Send, high: impl FnOnce() + Send) {
    if parallel {
        rayon::join(low, high);
    } else {
        low();
        high();
    }
}

/// A block of the right-hand sides of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    pub(crate) slot: u32,
    pub(crate) supernode: u32,
    /// The node, counted from the first of the supernode.
    pub(crate) row: u32,
    /// The caller's name of the block.
    pub(crate) entry: usize,
}

/// What is known of a supernode while a panel is planned.
#[derive(Clone, Copy, Debug)]
struct Mark {
    panel: u32,
    /// First and last slot of the panel with nonzeros here.
    low: u32,
    high: u32,
    skipped: u32,
    step: u32,
}

/// Plans the paths of panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// Root of every supernode's tree.
    pub(crate) roots: Vec<u32>,
    marks: Vec<Mark>,
    planned: u32,
}

impl Paths {
    /// For a factor's pattern.
    pub(crate) fn prepare(&mut self, symbolic: &LltSymbolic) {
        let count = symbolic.supernode_count();
        self.roots.clear();
        self.roots.extend(0..count as u32);
        for s in (0..count).rev() {
            if let Some(parent) = symbolic.parent(s) {
                self.roots[s] = self.roots[parent];
            }
        }
        let unmarked = Mark {
            panel: NONE,
            low: 0,
            high: 0,
            skipped: 0,
            step: 0,
        };
        self.marks.clear();
        self.marks.resize(count, unmarked);
        self.planned = 0;
    }

    /// Plans a panel from its seeds, ascending in the slot; returns the multiplications and additions of its substitution.
    pub(crate) fn plan(
        &mut self,
        symbolic: &LltSymbolic,
        seeds: impl Iterator<Item = Seed> + Clone,
        panel: &mut Panel,
    ) -> f64 {
        let name = self.planned;
        self.planned += 1;
        let aligned = |row: u32| row - row % ALIGNMENT;
        let steps = &mut panel.steps;
        steps.clear();
        for seed in seeds.clone() {
            let mut next = Some(seed.supernode as usize);
            while let Some(s) = next {
                let mark = &mut self.marks[s];
                if mark.panel != name {
                    *mark = Mark {
                        panel: name,
                        low: seed.slot,
                        high: seed.slot,
                        skipped: NONE,
                        step: NONE,
                    };
                    steps.push(Step {
                        supernode: s as u32,
                        parent: NONE,
                        skipped: 0,
                        first: 0,
                        vectors: 0,
                        at: 0,
                    });
                } else if mark.high == seed.slot {
                    // the rest of the path is marked for this slot
                    break;
                }
                mark.high = seed.slot;
                next = symbolic.parent(s);
            }
            let mark = &mut self.marks[seed.supernode as usize];
            mark.skipped = mark.skipped.min(aligned(seed.row));
        }
        steps.sort_unstable_by_key(|step| step.supernode);
        for (k, step) in steps.iter().enumerate() {
            self.marks[step.supernode as usize].step = k as u32;
        }
        let mut flops = 0.0;
        panel.size = 0;
        for step in steps.iter_mut() {
            let s = step.supernode as usize;
            let mark = self.marks[s];
            step.first = 3 * mark.low / VECTOR as u32;
            step.vectors = (3 * mark.high + 2) / VECTOR as u32 + 1 - step.first;
            step.skipped = mark.skipped;
            step.at = panel.size;
            let nodes = symbolic.columns(s).len() - step.skipped as usize;
            panel.size += 3 * nodes * step.stride();
            flops += (2 * 3 * nodes * symbolic.front_height(s) * step.stride()) as f64;
            if let Some(parent) = symbolic.parent(s) {
                // children come first: all that reaches the parent is known when it is met
                let row = symbolic.rows(s)[0] - symbolic.columns(parent).start as u32;
                let mark = &mut self.marks[parent];
                mark.skipped = mark.skipped.min(aligned(row));
                step.parent = mark.step;
            }
        }
        panel.loads.clear();
        for seed in seeds {
            let step = &steps[self.marks[seed.supernode as usize].step as usize];
            let row = 3 * (seed.row - step.skipped) as usize;
            let column = 3 * seed.slot as usize - VECTOR * step.first as usize;
            panel.loads.push(Load {
                entry: seed.entry,
                at: step.at + row * step.stride() + column,
                stride: step.stride(),
            });
        }
        flops
    }
}
