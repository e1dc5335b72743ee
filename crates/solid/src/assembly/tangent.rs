//! The matrix Σₑ wₑ Hₑ, scattered straight into the rows that a reduced space keeps.
//!
//! Hₑ = V Bᵀ (∂²ψ/∂F²) B with the eigenvalues clamped at zero. The blocks of corners 1 to 3 come from a [`LocalTangent`],
//! those with corner 0 follow from Σₐ K_ab = 0. Octets add up what their parts or points make of ten nodes first, and what couples
//! parts that share their volume.

use super::field::LocalField;
use super::local::LocalTangent;
pub use super::local::TangentInput;
use super::octet::{mean_stiffness, mean_volume_gradient, shared_volume};
use super::shared::SharedSlice;
use super::{ChunkKernel, Visited, visit};
use crate::element::{Chunk, ElementPack, ElementSet};
use crate::material::VolumeResponse;
use crate::octet::{Formulation, Stencil};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Lanes, Pack, splat};
use pliant_linalg::{BlockMatrix, BlockPattern, Vec3, each};
use rayon::prelude::*;

/// Row of a node that is not kept.
pub const NO_ROW: u32 = u32::MAX;

/// Chunks from which finding their places is worth a second thread.
const PARALLEL_LISTS: usize = 8;

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

/// Where the blocks of an element's nodes go, in each lane: position of block (a, b) of N nodes at N a + b, or [`NO_ROW`].
type Places<const B: usize> = [[u32; B]; LANES];

/// Where the 16 blocks of each element and the 100 of each octet go in the value array of a matrix, for the elements of some chunks.
#[derive(Clone, Debug)]
pub struct ScatterMap {
    /// Per pack of these chunks.
    blocks: Vec<Places<16>>,
    /// Per pack of octets of these chunks.
    octets: Vec<Places<100>>,
    /// Where the packs of each chunk start in `blocks` or `octets`.
    starts: Vec<u32>,
    chunks: Vec<Vec<u32>>,
}

impl ScatterMap {
    /// For the rows given by `row_of` (node → row or [`NO_ROW`]) and a pattern that holds all element blocks.
    pub fn new(elements: &ElementSet, row_of: &[u32], pattern: &BlockPattern) -> ScatterMap {
        ScatterMap::of_chunks(elements, &elements.colours, row_of, pattern, |_| true)
    }

    /// The same for those elements of some chunks whose nodes count.
    pub fn of_chunks(
        elements: &ElementSet,
        chunks: &Visited,
        row_of: &[u32],
        pattern: &BlockPattern,
        counts: impl Fn(&[u32]) -> bool + Sync,
    ) -> ScatterMap {
        let position = |a: u32, b: u32| {
            let (row, column) = (row_of[a as usize], row_of[b as usize]);
            if row == NO_ROW || column == NO_ROW {
                return NO_ROW;
            }
            let found = pattern.position(row as usize, column as usize);
            found.map_or(NO_ROW, |p| p as u32)
        };
        let make = |_, chunk: &Chunk| ChunkPlaces {
            packs: each_element(elements, chunk, |pack| {
                places_of(&pack.nodes, &position, &counts)
            }),
            octets: each_octet(elements, chunk, |nodes| {
                places_of(nodes, &position, &counts)
            }),
        };
        ScatterMap::made(elements, chunks, make)
    }

    /// The same in another matrix, for those elements of some of its chunks whose nodes count: block p of this one is `places[p]` of the other.
    pub fn renamed(
        &self,
        elements: &ElementSet,
        chunks: &Visited,
        places: &[u32],
        counts: impl Fn(&[u32]) -> bool + Sync,
    ) -> ScatterMap {
        let make = |index: u32, chunk: &Chunk| {
            let start = self.starts[index as usize] as usize;
            let mut known = self.blocks[start.min(self.blocks.len())..].iter();
            let packs = each_element(elements, chunk, |pack| {
                renamed_places(known.next(), &pack.nodes, places, &counts)
            });
            let mut known = self.octets[start.min(self.octets.len())..].iter();
            let octets = each_octet(elements, chunk, |nodes| {
                renamed_places(known.next(), nodes, places, &counts)
            });
            ChunkPlaces { packs, octets }
        };
        ScatterMap::made(elements, chunks, make)
    }

    /// What a function makes for each chunk, in the order of the chunks given.
    fn made(
        elements: &ElementSet,
        chunks: &Visited,
        make: impl Fn(u32, &Chunk) -> ChunkPlaces + Sync,
    ) -> ScatterMap {
        let list: Vec<u32> = chunks.iter().flatten().copied().collect();
        let of = |&chunk: &u32| make(chunk, &elements.chunks[chunk as usize]);
        let made: Vec<ChunkPlaces> = match list.len() {
            0..PARALLEL_LISTS => list.iter().map(of).collect(),
            _ => list.par_iter().map(of).collect(),
        };
        let mut map = ScatterMap {
            blocks: Vec::with_capacity(made.iter().map(|m| m.packs.len()).sum()),
            octets: Vec::with_capacity(made.iter().map(|m| m.octets.len()).sum()),
            starts: vec![0; elements.chunks.len()],
            chunks: chunks.to_vec(),
        };
        for (&chunk, made) in list.iter().zip(made) {
            let is_linear = elements.chunks[chunk as usize].formulation == Formulation::Linear;
            map.starts[chunk as usize] = match is_linear {
                true => map.blocks.len(),
                false => map.octets.len(),
            } as u32;
            map.blocks.extend(made.packs);
            map.octets.extend(made.octets);
        }
        map
    }

    /// The chunks, by colour.
    pub fn chunks(&self) -> &Visited {
        &self.chunks
    }
}

/// The places of a chunk: of its elements, or of its octets.
struct ChunkPlaces {
    packs: Vec<Places<16>>,
    octets: Vec<Places<100>>,
}

/// What a function makes of each pack of linear elements of a chunk.
fn each_element<T>(
    elements: &ElementSet,
    chunk: &Chunk,
    make: impl FnMut(&ElementPack) -> T,
) -> Vec<T> {
    match chunk.formulation {
        Formulation::Linear => (elements.packs[chunk.packs.clone()].iter().map(make)).collect(),
        _ => Vec::new(),
    }
}

/// What a function makes of the nodes of each pack of octets of a chunk.
fn each_octet<T>(
    elements: &ElementSet,
    chunk: &Chunk,
    make: impl FnMut(&[[u32; LANES]; 10]) -> T,
) -> Vec<T> {
    let packs = elements.packs[chunk.packs.clone()].iter();
    let first = packs.step_by(chunk.formulation.parts());
    let octets = first.filter_map(|pack| pack.octet.as_deref());
    octets.map(|octet| &octet.nodes).map(make).collect()
}

/// Where the blocks of N nodes in each lane go.
fn places_of<const N: usize, const B: usize>(
    nodes: &[[u32; LANES]; N],
    position: &impl Fn(u32, u32) -> u32,
    counts: &impl Fn(&[u32]) -> bool,
) -> Places<B> {
    std::array::from_fn(|lane| {
        let nodes = nodes.each_ref().map(|node| node[lane]);
        match counts(&nodes) {
            true => std::array::from_fn(|k| position(nodes[k / N], nodes[k % N])),
            false => [NO_ROW; B],
        }
    })
}

/// The same from places that are known in another matrix.
fn renamed_places<const N: usize, const B: usize>(
    known: Option<&Places<B>>,
    nodes: &[[u32; LANES]; N],
    places: &[u32],
    counts: &impl Fn(&[u32]) -> bool,
) -> Places<B> {
    let Some(known) = known else {
        return [[NO_ROW; B]; LANES];
    };
    let rename = |&p: &u32| places.get(p as usize).copied().unwrap_or(NO_ROW);
    std::array::from_fn(|lane| {
        let nodes = nodes.each_ref().map(|node| node[lane]);
        match counts(&nodes) {
            true => std::array::from_fn(|k| rename(&known[lane][k])),
            false => [NO_ROW; B],
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

/// The B = N² blocks of N nodes of eight elements, turned from one register an entry to one an element, as the matrix stores them:
/// nine column-major entries, block (a, b) at N a + b.
struct Blocks<const N: usize, const B: usize> {
    /// Entries 0 to 7 of each block and lane.
    first: [[Pack; LANES]; B],
    /// Entry 8 of each block.
    last: [Pack; B],
}

impl<const N: usize, const B: usize> Blocks<N, B> {
    fn zero() -> Self {
        Blocks {
            first: [[Pack::default(); LANES]; B],
            last: [Pack::default(); B],
        }
    }

    /// Stores block (a, b) and its mirror (b, a).
    #[inline(always)]
    fn store<S: Simd>(&mut self, a: usize, b: usize, k: &LaneMat3<S>) {
        self.store_columns(N * a + b, k);
        if a != b {
            self.store_columns(N * b + a, &k.transpose());
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
        positions.load(&chunk.nodes, self.input.positions);
        if chunk.formulation != Formulation::Linear {
            return self.run_octets(simd, first, chunk, packs, positions);
        }
        let mut blocks = Blocks::<4, 16>::zero();
        for (index, pack) in packs.iter().enumerate() {
            let place = chunk.packs.start + index;
            let local = self.local(simd, chunk, pack, place, positions, None);
            element_blocks(simd, &local, &mut blocks);
            let map = &self.map.blocks[first + index];
            self.scatter(simd, &pack.nodes, pack.count, map, &blocks);
        }
    }
}

/// A block of eight elements in memory.
type StoredBlock = [[Pack; 3]; 3];

impl TangentKernel<'_> {
    /// The weighted tangent of a pack.
    #[inline(always)]
    fn local<S: Simd>(
        &self,
        simd: S,
        chunk: &Chunk,
        pack: &ElementPack,
        place: usize,
        positions: &LocalField,
        shared: Option<&VolumeResponse<S>>,
    ) -> LocalTangent<S> {
        let (model, input) = (chunk.model, &self.input);
        let mut local = LocalTangent::at(simd, model, pack, place, positions, input, shared);
        let (weight, turning) = self.weights.of(simd, &pack.stiffness_damping);
        let volume = pack.volume.load(simd);
        local.scale(weight * volume, turning * volume);
        local
    }

    /// Octet after octet: K_ab = Σ Bₐᵢ k_ij B_bj over parts or points, with the blocks k_ij of their edges.
    #[inline(always)]
    fn run_octets<S: Simd>(
        &self,
        simd: S,
        first: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        positions: &LocalField,
    ) {
        let stencils = chunk.formulation.stencils();
        let mut edges = [[[[[Pack::default(); 3]; 3]; 3]; 3]; 8];
        let mut blocks = Blocks::<10, 100>::zero();
        let mut mean = None;
        for (octet, parts) in packs.chunks(stencils.len()).enumerate() {
            for (k, pack) in parts.iter().enumerate() {
                let index = octet * stencils.len() + k;
                let shared = shared_volume(simd, chunk, packs, index, positions, &mut mean);
                let place = chunk.packs.start + index;
                let local = self.local(simd, chunk, pack, place, positions, shared.as_ref());
                for i in 0..3 {
                    for j in i..3 {
                        let block = local.block(simd, i, j);
                        edges[k][i][j] = stored_block(&block);
                        edges[k][j][i] = stored_block(&block.transpose());
                    }
                }
            }
            let coupling = mean.as_ref().map(|mean| {
                let gradient = mean_volume_gradient(simd, chunk.model, parts, positions);
                let (weight, _) = self.weights.of(simd, &parts[0].stiffness_damping);
                (gradient, weight * mean_stiffness(simd, parts, mean))
            });
            octet_blocks(simd, stencils, &edges, coupling.as_ref(), &mut blocks);
            if let Some(octet_pack) = &parts[0].octet {
                let map = &self.map.octets[first + octet];
                self.scatter(simd, &octet_pack.nodes, parts[0].count, map, &blocks);
            }
        }
    }
}

#[inline(always)]
fn stored_block<S: Simd>(k: &LaneMat3<S>) -> StoredBlock {
    let mut stored = StoredBlock::default();
    for (column, values) in stored.iter_mut().zip(&k.0) {
        for (entry, &value) in column.iter_mut().zip(&values.0) {
            entry.store(value);
        }
    }
    stored
}

#[inline(always)]
fn loaded_block<S: Simd>(simd: S, k: &StoredBlock) -> LaneMat3<S> {
    LaneMat3(each!(c in 3 => LaneVec3(each!(r in 3 => k[c][r].load(simd)))))
}

/// All blocks of a pack of octets; `coupling` is ∂θ̄/∂x and its factor where parts share their volume.
#[inline(always)]
fn octet_blocks<S: Simd>(
    simd: S,
    stencils: &[Stencil],
    edges: &[[[StoredBlock; 3]; 3]; 8],
    coupling: Option<&([LaneVec3<S>; 10], Lanes<S>)>,
    blocks: &mut Blocks<10, 100>,
) {
    let zero = LaneMat3([LaneVec3::splat(simd, Vec3::ZERO); 3]);
    for a in 0..10 {
        // Σᵢ Bₐᵢ k_ij of each part
        let mut rows = [[zero; 3]; 8];
        for ((row, stencil), edges) in rows.iter_mut().zip(stencils).zip(edges) {
            for (i, &factor) in stencil[a].iter().enumerate().filter(|(_, f)| **f != 0.0) {
                let factor = splat(simd, factor);
                for (sum, block) in row.iter_mut().zip(&edges[i]) {
                    *sum = sum.add_scaled(factor, &loaded_block(simd, block));
                }
            }
        }
        for b in a..10 {
            let mut k = zero;
            for (row, stencil) in rows.iter().zip(stencils) {
                if stencil[a] == [0.0; 3] {
                    continue;
                }
                for (block, &factor) in row.iter().zip(&stencil[b]) {
                    if factor != 0.0 {
                        k = k.add_scaled(splat(simd, factor), block);
                    }
                }
            }
            if let Some((gradient, factor)) = coupling {
                let pull = gradient[a].scaled(*factor);
                k = LaneMat3(each!(c in 3 => k.0[c].add_scaled(gradient[b].0[c], pull)));
            }
            blocks.store(a, b, &k);
        }
    }
}

/// All blocks of a pack.
#[inline(always)]
fn element_blocks<S: Simd>(simd: S, local: &LocalTangent<S>, blocks: &mut Blocks<4, 16>) {
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
    fn scatter<S: Simd, const N: usize, const B: usize>(
        &self,
        simd: S,
        nodes: &[[u32; LANES]; N],
        count: usize,
        map: &Places<B>,
        blocks: &Blocks<N, B>,
    ) {
        for lane in 0..count {
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
            for lane in (0..count).filter(counts) {
                self.subtract_drift(nodes, lane, drift, blocks);
            }
        }
    }

    /// rhs_a −= K_ab b_b for the corners of one lane.
    #[inline(always)]
    fn subtract_drift<const N: usize, const B: usize>(
        &self,
        nodes: &[[u32; LANES]; N],
        lane: usize,
        drift: &[Vec3],
        blocks: &Blocks<N, B>,
    ) {
        for b in 0..N {
            let known = drift[nodes[b][lane] as usize];
            if known == Vec3::ZERO {
                continue;
            }
            for a in 0..N {
                let row = self.row_of[nodes[a][lane] as usize];
                if row == NO_ROW {
                    continue;
                }
                let first = &blocks.first[N * a + b][lane].0;
                let entry = |e: usize| match e {
                    8 => blocks.last[N * a + b].0[lane],
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
