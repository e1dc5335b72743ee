//! The matrix Σₑ wₑ Hₑ, scattered straight into the rows that a reduced space keeps.
//!
//! Hₑ = V Bᵀ (∂²ψ/∂F²) B with the eigenvalues clamped at zero. The blocks of corners 1 to 3 come from a [`LocalTangent`],
//! those with corner 0 follow from Σₐ K_ab = 0.

use super::field::LocalField;
use super::local::LocalTangent;
pub use super::local::TangentInput;
use super::shared::SharedSlice;
use super::{ChunkKernel, Visited, visit};
use crate::element::{Chunk, ElementPack, ElementSet};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Lanes, Pack, splat};
use pliant_linalg::{BlockMatrix, BlockPattern, Vec3, each};
use rayon::prelude::*;

/// Row of a node that is not kept.
pub const NO_ROW: u32 = u32::MAX;

/// Packs from which finding their places is worth a second thread.
const PARALLEL_PACKS: usize = 128;

/// Factor of each element's stiffness: stiffness + damping · α₁.
///
/// C = Σ α₁ H without the modes in which stress resists turning (twists, and fibres across their direction). At rest they are zero.
/// In a stressed body they would brake rotations: those of tension are positive, those of compression are clamped, and α₁ is many
/// times h as a rule. A falling wheel with α₁ = 0.05 and 0.2 s lost 9 % of its angular momentum in 50 ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Factor of H, usually βh².
    pub stiffness: f64,
    /// Factor of C, usually h.
    pub damping: f64,
}

impl TangentWeights {
    /// Weights of elements with these α₁, and of their turning modes.
    #[inline(always)]
    pub(super) fn of<S: Simd>(&self, simd: S, damping: &Pack) -> (Lanes<S>, Lanes<S>) {
        let all = damping.load(simd) * self.damping + self.stiffness;
        (all, splat(simd, self.stiffness))
    }
}

/// Where the 16 blocks of each element go in the value array of a matrix, for the elements of some chunks.
#[derive(Clone, Debug)]
pub struct ScatterMap {
    /// Per pack of these chunks and lane: position of block (a, b) at 4a + b, or [`NO_ROW`].
    blocks: Vec<[[u32; 16]; LANES]>,
    /// Where the packs of each chunk start in `blocks`.
    starts: Vec<u32>,
    chunks: Vec<Vec<u32>>,
}

impl ScatterMap {
    /// For the rows given by `row_of` (node → row or [`NO_ROW`]) and a pattern that holds all element blocks.
    pub fn new(elements: &ElementSet, row_of: &[u32], pattern: &BlockPattern) -> ScatterMap {
        let of_pack = |pack: &ElementPack| places_of(pack, row_of, pattern, |_| true);
        let (packs, starts) = visited_packs(elements, &elements.colours);
        ScatterMap {
            blocks: match packs.len() {
                0..PARALLEL_PACKS => packs.into_iter().map(of_pack).collect(),
                _ => packs.into_par_iter().map(of_pack).collect(),
            },
            starts,
            chunks: elements.colours.clone(),
        }
    }

    /// The same for those elements of some chunks whose nodes count.
    pub fn of_chunks(
        elements: &ElementSet,
        chunks: &Visited,
        row_of: &[u32],
        pattern: &BlockPattern,
        counts: impl Fn([u32; 4]) -> bool,
    ) -> ScatterMap {
        let (packs, starts) = visited_packs(elements, chunks);
        let of_pack = |pack| places_of(pack, row_of, pattern, &counts);
        ScatterMap {
            blocks: packs.into_iter().map(of_pack).collect(),
            starts,
            chunks: chunks.to_vec(),
        }
    }

    /// The same in another matrix, for those elements of some of its chunks whose nodes count: block p of this one is `places[p]` of the other.
    pub fn renamed(
        &self,
        elements: &ElementSet,
        chunks: &Visited,
        places: &[u32],
        counts: impl Fn([u32; 4]) -> bool + Sync,
    ) -> ScatterMap {
        let rename = |&p: &u32| places.get(p as usize).copied().unwrap_or(NO_ROW);
        let of_chunk = |&chunk: &u32| {
            let packs = elements.chunks[chunk as usize].packs.clone();
            let known = &self.blocks[self.starts[chunk as usize] as usize..][..packs.len()];
            let of_pack = |(pack, known): (&ElementPack, &[[u32; 16]; LANES])| {
                std::array::from_fn(|lane| match counts(pack.nodes.map(|corner| corner[lane])) {
                    true => std::array::from_fn(|k| rename(&known[lane][k])),
                    false => [NO_ROW; 16],
                })
            };
            let pairs = elements.packs[packs].iter().zip(known);
            pairs.map(of_pack).collect::<Vec<[[u32; 16]; LANES]>>()
        };
        let list: Vec<u32> = chunks.iter().flatten().copied().collect();
        let made: Vec<_> = list.par_iter().map(of_chunk).collect();
        let mut starts = vec![0; elements.chunks.len()];
        let mut blocks = Vec::with_capacity(made.iter().map(Vec::len).sum());
        for (&chunk, made) in list.iter().zip(made) {
            starts[chunk as usize] = blocks.len() as u32;
            blocks.extend(made);
        }
        ScatterMap {
            blocks,
            starts,
            chunks: chunks.to_vec(),
        }
    }

    /// The chunks, by colour.
    pub fn chunks(&self) -> &Visited {
        &self.chunks
    }
}

/// The packs of some chunks, and where those of each chunk start among them.
fn visited_packs<'a>(
    elements: &'a ElementSet,
    chunks: &Visited,
) -> (Vec<&'a ElementPack>, Vec<u32>) {
    let mut packs: Vec<&ElementPack> = Vec::new();
    let mut starts = vec![0; elements.chunks.len()];
    for &chunk in chunks.iter().flatten() {
        starts[chunk as usize] = packs.len() as u32;
        packs.extend(&elements.packs[elements.chunks[chunk as usize].packs.clone()]);
    }
    (packs, starts)
}

/// Where the blocks of a pack's elements go.
fn places_of(
    pack: &ElementPack,
    row_of: &[u32],
    pattern: &BlockPattern,
    counts: impl Fn([u32; 4]) -> bool,
) -> [[u32; 16]; LANES] {
    let position = |a: u32, b: u32| {
        let (row, column) = (row_of[a as usize], row_of[b as usize]);
        if row == NO_ROW || column == NO_ROW {
            return NO_ROW;
        }
        let found = pattern.position(row as usize, column as usize);
        found.map_or(NO_ROW, |p| p as u32)
    };
    std::array::from_fn(|lane| {
        let nodes = pack.nodes.map(|corner| corner[lane]);
        match counts(nodes) {
            true => std::array::from_fn(|k| position(nodes[k / 4], nodes[k % 4])),
            false => [NO_ROW; 16],
        }
    })
}

struct TangentKernel<'a> {
    input: TangentInput<'a>,
    weights: TangentWeights,
    map: &'a ScatterMap,
    values: SharedSlice<'a, f64>,
    row_of: &'a [u32],
    drift: Option<&'a [Vec3]>,
    rhs: SharedSlice<'a, Vec3>,
}

/// Adds Σ wₑ Hₑ to `matrix`; with a drift b (known nodal velocities) also subtracts its product from `rhs`:
/// rhs −= (Σ wₑ Hₑ) b on the kept rows.
#[allow(clippy::too_many_arguments)] // one call site; a struct would only repeat the names
pub fn assemble_tangent(
    elements: &ElementSet,
    input: TangentInput<'_>,
    weights: TangentWeights,
    map: &ScatterMap,
    row_of: &[u32],
    drift: Option<&[Vec3]>,
    matrix: &mut BlockMatrix,
    rhs: &mut [Vec3],
) {
    let kernel = TangentKernel {
        input,
        weights,
        map,
        values: SharedSlice::new(matrix.values_mut()),
        row_of,
        drift,
        rhs: SharedSlice::new(rhs),
    };
    visit(elements, &map.chunks, &kernel);
}

/// The 16 blocks of eight elements, turned from one register an entry to one an element, as the matrix stores them:
/// nine column-major entries, block (a, b) at 4a + b.
struct Blocks {
    /// Entries 0 to 7 of each block and lane.
    first: [[Pack; LANES]; 16],
    /// Entry 8 of each block.
    last: [Pack; 16],
}

impl Blocks {
    /// Stores block (a, b) and its mirror (b, a).
    #[inline(always)]
    fn store<S: Simd>(&mut self, a: usize, b: usize, k: &LaneMat3<S>) {
        self.store_columns(4 * a + b, k);
        if a != b {
            self.store_columns(4 * b + a, &k.transpose());
        }
    }

    #[inline(always)]
    fn store_columns<S: Simd>(&mut self, at: usize, k: &LaneMat3<S>) {
        let [x, y, z] = k.0;
        let lanes = turn([
            x.0[0], x.0[1], x.0[2], y.0[0], y.0[1], y.0[2], z.0[0], z.0[1],
        ]);
        for (stored, lane) in self.first[at].iter_mut().zip(lanes) {
            stored.store(lane);
        }
        self.last[at].store(z.0[2]);
    }
}

/// Transposes eight registers: number j of result i is number i of argument j.
#[inline(always)]
pub(super) fn turn<S: Simd>(mut rows: [Lanes<S>; LANES]) -> [Lanes<S>; LANES] {
    // interleaving rows i and i + 4 rotates the bits of (row, column) by one place; after three rounds they are swapped
    for _ in 0..3 {
        let (r0, r1) = rows[0].interleave(rows[4]);
        let (r2, r3) = rows[1].interleave(rows[5]);
        let (r4, r5) = rows[2].interleave(rows[6]);
        let (r6, r7) = rows[3].interleave(rows[7]);
        rows = [r0, r1, r2, r3, r4, r5, r6, r7];
    }
    rows
}

#[inline(always)]
fn minus_sum<S: Simd>(a: &LaneMat3<S>, b: &LaneMat3<S>, c: &LaneMat3<S>) -> LaneMat3<S> {
    LaneMat3(each!(i in 3 => {
        let sum = a.0[i].plus(b.0[i]).plus(c.0[i]);
        LaneVec3([-sum.0[0], -sum.0[1], -sum.0[2]])
    }))
}

impl ChunkKernel for TangentKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        number: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [positions, _]: &mut [LocalField; 2],
    ) {
        let first = self.map.starts[number] as usize;
        let mut blocks = Blocks {
            first: [[Pack::default(); LANES]; 16],
            last: [Pack::default(); 16],
        };
        positions.load(&chunk.nodes, self.input.positions);
        for (index, pack) in packs.iter().enumerate() {
            let place = chunk.packs.start + index;
            let mut local =
                LocalTangent::at(simd, chunk.model, pack, place, positions, &self.input);
            let (weight, turning) = self.weights.of(simd, &pack.stiffness_damping);
            let volume = pack.volume.load(simd);
            local.scale(weight * volume, turning * volume);
            element_blocks(simd, &local, &mut blocks);
            self.scatter(simd, pack, &self.map.blocks[first + index], &blocks);
        }
    }
}

/// All blocks of a pack.
#[inline(always)]
fn element_blocks<S: Simd>(simd: S, local: &LocalTangent<S>, blocks: &mut Blocks) {
    // corners 1…3, then K_0b = −Σₐ K_ab and K_00 = −Σ_b K_0b
    let k11 = local.block(simd, 0, 0);
    let k12 = local.block(simd, 0, 1);
    let k13 = local.block(simd, 0, 2);
    let k22 = local.block(simd, 1, 1);
    let k23 = local.block(simd, 1, 2);
    let k33 = local.block(simd, 2, 2);
    let k01 = minus_sum(&k11, &k12.transpose(), &k13.transpose());
    let k02 = minus_sum(&k12, &k22, &k23.transpose());
    let k03 = minus_sum(&k13, &k23, &k33);
    let k00 = minus_sum(&k01, &k02, &k03);
    blocks.store(0, 0, &k00);
    blocks.store(0, 1, &k01);
    blocks.store(0, 2, &k02);
    blocks.store(0, 3, &k03);
    blocks.store(1, 1, &k11);
    blocks.store(1, 2, &k12);
    blocks.store(1, 3, &k13);
    blocks.store(2, 2, &k22);
    blocks.store(2, 3, &k23);
    blocks.store(3, 3, &k33);
}

impl TangentKernel<'_> {
    #[inline(always)]
    fn scatter<S: Simd>(
        &self,
        simd: S,
        pack: &ElementPack,
        map: &[[u32; 16]; LANES],
        blocks: &Blocks,
    ) {
        for lane in 0..pack.count {
            for (k, &position) in map[lane].iter().enumerate() {
                if position == NO_ROW {
                    continue;
                }
                let [first @ .., last] = self.values.nine(9 * position as usize);
                let sum = Lanes::from_slice(simd, first) + blocks.first[k][lane].load(simd);
                sum.store_slice(first);
                *last += blocks.last[k].0[lane];
            }
        }
        if let Some(drift) = self.drift {
            // an element without a block has no kept node, or its nodes move as one
            let counts = |lane: &usize| map[*lane].iter().any(|&position| position != NO_ROW);
            for lane in (0..pack.count).filter(counts) {
                self.subtract_drift(pack, lane, drift, blocks);
            }
        }
    }

    /// rhs_a −= K_ab b_b for the corners of one lane.
    #[inline(always)]
    fn subtract_drift(&self, pack: &ElementPack, lane: usize, drift: &[Vec3], blocks: &Blocks) {
        for b in 0..4 {
            let known = drift[pack.nodes[b][lane] as usize];
            if known == Vec3::ZERO {
                continue;
            }
            for a in 0..4 {
                let row = self.row_of[pack.nodes[a][lane] as usize];
                if row == NO_ROW {
                    continue;
                }
                let first = &blocks.first[4 * a + b][lane].0;
                let entry = |e: usize| match e {
                    8 => blocks.last[4 * a + b].0[lane],
                    _ => first[e],
                };
                let component =
                    |r: usize| -(0..3).map(|c| entry(3 * c + r) * known[c]).sum::<f64>();
                self.rhs.add(
                    row as usize,
                    Vec3::new(component(0), component(1), component(2)),
                );
            }
        }
    }
}
