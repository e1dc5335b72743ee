//! Element tangents evaluated once and multiplied many times, without a matrix: y += Σₑ wₑ Hₑ x.
//!
//! A rotated linear element keeps 12 numbers (rotated gradients, moduli, damping), any other 32, a fibre 8 more; an assembled
//! matrix keeps about 28 per element and has to be added up first. What octets share adds 32 each. Products of one body touch no other body.

use super::field::LocalField;
use super::local::{Form, LocalTangent, TangentInput};
use super::octet::{mean_stiffness, mean_volume_gradient, shared_volume, stencil};
use super::shared::SharedSlice;
use super::tangent::turn;
use super::{
    ChunkKernel, NO_ROW, PARALLEL_CHUNKS, TangentWeights, Visited, edges, field_gradient,
    run_chunk, scatter_edges, visit,
};
use crate::element::{CHUNK_NODES, Chunk, ElementPack, ElementSet};
use crate::material::{FibreTangent, Tangent};
use crate::octet::Formulation;
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Lanes, Pack, splat};
use pliant_linalg::{Mat3, Vec3, each};
use std::ops::Range;

/// Chunks of a body from which its product is cut in two halves.
const HALVED_CHUNKS: usize = 16;

/// Three vectors or the columns of a matrix.
type Nine = [[Pack; 3]; 3];

/// Row of each node of each chunk, counted from the first row of the chunk's body; [`NO_ROW`] where there is none.
#[derive(Clone, Debug)]
pub struct RowMap {
    chunks: Vec<Vec<u32>>,
}

impl RowMap {
    /// From the row of each node and the rows of each body.
    pub fn new(elements: &ElementSet, row_of: &[u32], body_rows: &[Range<usize>]) -> RowMap {
        let of_chunk = |chunk: &Chunk| {
            let first = body_rows[chunk.body as usize].start as u32;
            let rows = chunk.nodes.iter().map(|&node| row_of[node as usize]);
            let local = |row: u32| if row == NO_ROW { NO_ROW } else { row - first };
            rows.map(local).collect()
        };
        RowMap {
            chunks: elements.chunks.iter().map(of_chunk).collect(),
        }
    }
}

/// Linear elasticity with rotated gradients.
#[derive(Clone, Copy, Debug, Default)]
struct RotatedPack {
    h: Nine,
    /// V µ and V λ.
    mu: Pack,
    lambda: Pack,
    damping: Pack,
}

/// A tangent in its principal frame.
#[derive(Clone, Copy, Debug, Default)]
struct FramedPack {
    u: Nine,
    /// Vᵀg.
    gradients: Nine,
    /// V times scaling, twist and flip.
    scaling: [Pack; 6],
    twist: [Pack; 3],
    flip: [Pack; 3],
    damping: Pack,
}

#[derive(Clone, Copy, Debug, Default)]
struct FibrePack {
    /// aᵀg.
    along: [Pack; 3],
    stretched: [Pack; 3],
    /// V times the factors.
    first: Pack,
    second: Pack,
}

/// Volume that the parts of an octet share.
#[derive(Clone, Copy, Debug, Default)]
struct SharedPack {
    /// ∂θ̄/∂x of ten nodes.
    gradient: [[Pack; 3]; 10],
    /// V U''.
    stiffness: Pack,
    damping: Pack,
}

/// The tangents of all elements; see the file header.
#[derive(Clone, Debug, Default)]
pub struct ElementTangents {
    rotated: Vec<RotatedPack>,
    framed: Vec<FramedPack>,
    fibres: Vec<FibrePack>,
    shared: Vec<SharedPack>,
    /// Place of each pack in `rotated` or `framed`, in `fibres`, and of its octets in `shared`.
    places: Vec<[u32; 3]>,
}

#[inline(always)]
fn store_three<S: Simd>(v: &LaneVec3<S>) -> [Pack; 3] {
    let mut packs = [Pack::default(); 3];
    for (pack, &value) in packs.iter_mut().zip(&v.0) {
        pack.store(value);
    }
    packs
}

#[inline(always)]
fn load_three<S: Simd>(simd: S, packs: &[Pack; 3]) -> LaneVec3<S> {
    LaneVec3(each!(c in 3 => packs[c].load(simd)))
}

#[inline(always)]
fn stored<S: Simd>(value: Lanes<S>) -> Pack {
    let mut pack = Pack::default();
    pack.store(value);
    pack
}

impl ElementTangents {
    /// Evaluates the tangents of some chunks; the others stay as they are.
    pub fn prepare(&mut self, elements: &ElementSet, chunks: &Visited, input: TangentInput<'_>) {
        self.layout(elements);
        let kernel = PrepareKernel {
            input,
            rotated: SharedSlice::new(&mut self.rotated),
            framed: SharedSlice::new(&mut self.framed),
            fibres: SharedSlice::new(&mut self.fibres),
            shared: SharedSlice::new(&mut self.shared),
            places: &self.places,
        };
        visit(elements, chunks, &kernel);
    }

    fn layout(&mut self, elements: &ElementSet) {
        if self.places.len() == elements.packs.len() {
            return;
        }
        let mut counts = [0u32; 4];
        self.places.clear();
        for chunk in &elements.chunks {
            let kind = usize::from(!chunk.model.is_rotated_linear());
            let parts = chunk.formulation.parts();
            for (index, pack) in elements.packs[chunk.packs.clone()].iter().enumerate() {
                self.places.push([counts[kind], counts[2], counts[3]]);
                counts[kind] += 1;
                counts[2] += u32::from(pack.fibre.is_some());
                let is_last = (index + 1).is_multiple_of(parts);
                counts[3] += u32::from(chunk.formulation == Formulation::Averaged && is_last);
            }
        }
        self.rotated = vec![RotatedPack::default(); counts[0] as usize];
        self.framed = vec![FramedPack::default(); counts[1] as usize];
        self.fibres = vec![FibrePack::default(); counts[2] as usize];
        self.shared = vec![SharedPack::default(); counts[3] as usize];
    }

    /// y += Σ wₑ Hₑ x over the elements of some chunks; x and y are nodal.
    pub fn add_product(
        &self,
        elements: &ElementSet,
        chunks: &Visited,
        weights: TangentWeights,
        x: &[Vec3],
        y: &mut [Vec3],
    ) {
        let kernel = ProductKernel {
            tangents: self,
            weights,
            rows: None,
            x,
            y: SharedSlice::new(y),
        };
        visit(elements, chunks, &kernel);
    }

    /// y += Σ wₑ Hₑ x over the elements of one body; x and y are given on its rows, x is zero elsewhere.
    ///
    /// A body of middling size is cut in two halves, the second with a result of its own in `second`: threads meet once, not
    /// after every colour.
    #[allow(clippy::too_many_arguments)] // one call site; a struct would only repeat the names
    pub fn add_body_product(
        &self,
        elements: &ElementSet,
        body: usize,
        rows: &RowMap,
        weights: TangentWeights,
        x: &[Vec3],
        y: &mut [Vec3],
        second: &mut Vec<Vec3>,
    ) {
        let kernel = |y| ProductKernel {
            tangents: self,
            weights,
            rows: Some(rows),
            x,
            y: SharedSlice::new(y),
        };
        let chunks = elements.body_chunks[body].clone();
        if chunks.len() >= PARALLEL_CHUNKS {
            return visit(elements, &elements.body_colours[body], &kernel(y));
        }
        let all = |kernel: ProductKernel, chunks: Range<u32>| {
            chunks.for_each(|index| run_chunk(elements, &kernel, index));
        };
        if chunks.len() < HALVED_CHUNKS {
            return all(kernel(y), chunks);
        }
        let middle = chunks.start + chunks.len() as u32 / 2;
        second.clear();
        second.resize(y.len(), Vec3::ZERO);
        rayon::join(
            || all(kernel(&mut *y), chunks.start..middle),
            || all(kernel(&mut *second), middle..chunks.end),
        );
        for (y, &other) in y.iter_mut().zip(second.iter()) {
            *y += other;
        }
    }

    /// The diagonal blocks of Σ wₑ Hₑ, one a node.
    pub fn diagonal(
        &self,
        elements: &ElementSet,
        weights: TangentWeights,
        work: &mut Vec<[f64; 8]>,
        node_count: usize,
    ) {
        work.clear();
        work.resize(node_count, [0.0; 8]);
        let kernel = DiagonalKernel {
            tangents: self,
            weights,
            entries: SharedSlice::new(work),
        };
        visit(elements, &elements.colours, &kernel);
    }

    /// The block that [`ElementTangents::diagonal`] has written as xx, yy, zz, xy, xz, yz.
    pub fn diagonal_block(e: &[f64; 8]) -> Mat3 {
        Mat3::from_rows([[e[0], e[3], e[4]], [e[3], e[1], e[5]], [e[4], e[5], e[2]]])
    }
}

struct PrepareKernel<'a> {
    input: TangentInput<'a>,
    rotated: SharedSlice<'a, RotatedPack>,
    framed: SharedSlice<'a, FramedPack>,
    fibres: SharedSlice<'a, FibrePack>,
    shared: SharedSlice<'a, SharedPack>,
    places: &'a [[u32; 3]],
}

impl ChunkKernel for PrepareKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        _: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [positions, _]: &mut [LocalField; 2],
    ) {
        positions.load(&chunk.nodes, self.input.positions);
        let (model, mut mean) = (chunk.model, None);
        for (number, pack) in packs.iter().enumerate() {
            let shared = shared_volume(simd, chunk, packs, number, positions, &mut mean);
            let index = chunk.packs.start + number;
            let [place, fibre_place, shared_place] = self.places[index].map(|p| p as usize);
            if let Some(mean) = shared.filter(|_| number.is_multiple_of(chunk.formulation.parts()))
            {
                let parts = &packs[number..number + chunk.formulation.parts()];
                let mut gradient = [[Pack::default(); 3]; 10];
                let of_nodes = mean_volume_gradient(simd, model, parts, positions);
                for (stored, of_node) in gradient.iter_mut().zip(&of_nodes) {
                    *stored = store_three(of_node);
                }
                *self.shared.entry(shared_place) = SharedPack {
                    gradient,
                    stiffness: stored(mean_stiffness(simd, parts, &mean)),
                    damping: pack.stiffness_damping,
                };
            }
            let input = &self.input;
            let mut local =
                LocalTangent::at(simd, model, pack, index, positions, input, shared.as_ref());
            let volume = pack.volume.load(simd);
            local.scale(volume, volume);
            let damping = pack.stiffness_damping;
            match &local.form {
                Form::Rotated { h, mu, lambda } => {
                    *self.rotated.entry(place) = RotatedPack {
                        h: each!(a in 3 => store_three(&h[a])),
                        mu: stored(*mu),
                        lambda: stored(*lambda),
                        damping,
                    };
                }
                Form::Framed { tangent, in_frame } => {
                    *self.framed.entry(place) = FramedPack {
                        u: each!(c in 3 => store_three(&tangent.u.0[c])),
                        gradients: each!(a in 3 => store_three(&in_frame[a])),
                        scaling: each!(i in 6 => stored(tangent.scaling[i])),
                        twist: each!(i in 3 => stored(tangent.twist[i])),
                        flip: each!(i in 3 => stored(tangent.flip[i])),
                        damping,
                    };
                }
            }
            if let Some((t, along)) = &local.fibre {
                *self.fibres.entry(fibre_place) = FibrePack {
                    along: each!(a in 3 => stored(along[a])),
                    stretched: store_three(&t.stretched),
                    first: stored(t.first),
                    second: stored(t.second),
                };
            }
        }
    }
}

impl ElementTangents {
    /// The stored tangent of a pack, times its weight.
    #[inline(always)]
    fn load<S: Simd>(
        &self,
        simd: S,
        chunk: &Chunk,
        index: usize,
        weights: TangentWeights,
    ) -> LocalTangent<S> {
        let [place, fibre_place, _] = self.places[index].map(|p| p as usize);
        let (form, damping) = if chunk.model.is_rotated_linear() {
            let pack = &self.rotated[place];
            let form = Form::Rotated {
                h: each!(a in 3 => load_three(simd, &pack.h[a])),
                mu: pack.mu.load(simd),
                lambda: pack.lambda.load(simd),
            };
            (form, &pack.damping)
        } else {
            let pack = &self.framed[place];
            let form = Form::Framed {
                tangent: Tangent {
                    u: LaneMat3(each!(c in 3 => load_three(simd, &pack.u[c]))),
                    v: LaneMat3::identity(simd),
                    scaling: each!(i in 6 => pack.scaling[i].load(simd)),
                    twist: each!(i in 3 => pack.twist[i].load(simd)),
                    flip: each!(i in 3 => pack.flip[i].load(simd)),
                },
                in_frame: each!(a in 3 => load_three(simd, &pack.gradients[a])),
            };
            (form, &pack.damping)
        };
        let fibre = if chunk.has_fibres {
            let pack = &self.fibres[fibre_place];
            let t = FibreTangent {
                direction: LaneVec3::splat(simd, Vec3::ZERO), // its products with the gradients are stored
                stretched: load_three(simd, &pack.stretched),
                first: pack.first.load(simd),
                second: pack.second.load(simd),
            };
            Some((t, each!(a in 3 => pack.along[a].load(simd))))
        } else {
            None
        };
        let mut local = LocalTangent { form, fibre };
        let (weight, turning) = weights.of(simd, damping);
        local.scale(weight, turning);
        local
    }
}

struct ProductKernel<'a> {
    tangents: &'a ElementTangents,
    weights: TangentWeights,
    /// Where x and y have the nodes; by node number without.
    rows: Option<&'a RowMap>,
    x: &'a [Vec3],
    y: SharedSlice<'a, Vec3>,
}

impl ChunkKernel for ProductKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        index: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [x, y]: &mut [LocalField; 2],
    ) {
        let nodes = match self.rows {
            Some(rows) => &rows.chunks[index],
            None => &chunk.nodes,
        };
        x.load(nodes, self.x);
        y.clear(nodes.len());
        if chunk.model.is_rotated_linear() && !chunk.has_fibres {
            let first = self.tangents.places[chunk.packs.start][0] as usize;
            let stored = &self.tangents.rotated[first..first + packs.len()];
            for (pack, stored) in packs.iter().zip(stored) {
                let corners = edges(simd, x, pack);
                let h = each!(a in 3 => load_three(simd, &stored.h[a]));
                let (weight, _) = self.weights.of(simd, &stored.damping);
                let (mu, lambda) = (stored.mu.load(simd), stored.lambda.load(simd));
                let f = rotated_product(&corners, &h, mu * weight, lambda * weight);
                scatter_edges(simd, pack, &f, y);
            }
        } else {
            for (i, pack) in packs.iter().enumerate() {
                let corners = edges(simd, x, pack);
                let place = chunk.packs.start + i;
                let local = self.tangents.load(simd, chunk, place, self.weights);
                let mut f = match &local.form {
                    Form::Rotated { h, mu, lambda } => rotated_product(&corners, h, *mu, *lambda),
                    Form::Framed { tangent, in_frame } => {
                        framed_product(&corners, tangent, in_frame)
                    }
                };
                if let Some((t, along)) = &local.fibre {
                    let d = &corners;
                    let dm = d[0].scaled(along[0]);
                    let dm = dm.add_scaled(along[1], d[1]).add_scaled(along[2], d[2]);
                    let pull = dm.scaled(t.first);
                    let pull = pull.add_scaled(t.second * t.stretched.dot(dm), t.stretched);
                    f = each!(a in 3 => f[a].add_scaled(along[a], pull));
                }
                scatter_edges(simd, pack, &f, y);
            }
        }
        if chunk.formulation == Formulation::Averaged {
            self.add_shared(simd, chunk, packs, x, y);
        }
        y.add_to(nodes, &self.y);
    }
}

impl ProductKernel<'_> {
    /// y += w V U'' ∂θ̄/∂x (∂θ̄/∂x · x) of octets.
    #[inline(always)]
    fn add_shared<S: Simd>(
        &self,
        simd: S,
        chunk: &Chunk,
        packs: &[ElementPack],
        x: &LocalField,
        y: &mut LocalField,
    ) {
        let first = packs.iter().step_by(chunk.formulation.parts());
        let start = self.tangents.places[chunk.packs.start][2] as usize;
        for (pack, shared) in first.zip(&self.tangents.shared[start..]) {
            let Some(octet) = &pack.octet else { continue };
            let mut rate = splat(simd, 0.0);
            for (local, gradient) in octet.local.iter().zip(&shared.gradient) {
                rate += load_three(simd, gradient).dot(x.gather(simd, local));
            }
            let (weight, _) = self.weights.of(simd, &shared.damping);
            let pull = rate * weight * shared.stiffness.load(simd);
            for (local, gradient) in octet.local.iter().zip(&shared.gradient) {
                y.scatter(simd, &load_three(simd, gradient).scaled(pull), local);
            }
        }
    }
}

/// σ h with σ = λ tr G + µ (G + Gᵀ) and G = Σ y hᵀ: forces on corners 1 to 3.
#[inline(always)]
fn rotated_product<S: Simd>(
    y: &[LaneVec3<S>; 3],
    h: &[LaneVec3<S>; 3],
    mu: Lanes<S>,
    lambda: Lanes<S>,
) -> [LaneVec3<S>; 3] {
    let g = field_gradient(y, h);
    let volumetric = lambda * (g.at(0, 0) + g.at(1, 1) + g.at(2, 2));
    let two_mu = mu + mu;
    let xy = mu * (g.at(0, 1) + g.at(1, 0));
    let xz = mu * (g.at(0, 2) + g.at(2, 0));
    let yz = mu * (g.at(1, 2) + g.at(2, 1));
    let sigma = LaneMat3([
        LaneVec3([two_mu.mul_add(g.at(0, 0), volumetric), xy, xz]),
        LaneVec3([xy, two_mu.mul_add(g.at(1, 1), volumetric), yz]),
        LaneVec3([xz, yz, two_mu.mul_add(g.at(2, 2), volumetric)]),
    ]);
    each!(a in 3 => sigma.times_vector(h[a]))
}

/// U D(Uᵀ Σ y (Vᵀg)ᵀ) Vᵀg: forces on corners 1 to 3.
#[inline(always)]
fn framed_product<S: Simd>(
    y: &[LaneVec3<S>; 3],
    tangent: &Tangent<S>,
    in_frame: &[LaneVec3<S>; 3],
) -> [LaneVec3<S>; 3] {
    let dp = tangent.apply_in_frame(&tangent.u.transpose_times(&field_gradient(y, in_frame)));
    let dp = tangent.u.times(&dp);
    each!(a in 3 => dp.times_vector(in_frame[a]))
}

struct DiagonalKernel<'a> {
    tangents: &'a ElementTangents,
    weights: TangentWeights,
    entries: SharedSlice<'a, [f64; 8]>,
}

impl ChunkKernel for DiagonalKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        _: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        _: &mut [LocalField; 2],
    ) {
        let mut sums = [[0.0; 8]; CHUNK_NODES];
        for (i, pack) in packs.iter().enumerate() {
            let index = chunk.packs.start + i;
            let local = self.tangents.load(simd, chunk, index, self.weights);
            if let Some(octet) = pack.point() {
                for (nodes, factors) in octet.local.iter().zip(stencil(octet)) {
                    let factors = each!(i in 3 => splat(simd, factors[i]));
                    add_diagonal(
                        simd,
                        &local.node_block(simd, &factors),
                        nodes,
                        pack.count,
                        &mut sums,
                    );
                }
                continue;
            }
            let one = |k: usize| each!(i in 3 => splat(simd, if i == k { 1.0 } else { 0.0 }));
            let corners = [[splat(simd, -1.0); 3], one(0), one(1), one(2)];
            for (nodes, factors) in pack.local.iter().zip(&corners) {
                add_diagonal(
                    simd,
                    &local.node_block(simd, factors),
                    nodes,
                    pack.count,
                    &mut sums,
                );
            }
        }
        if chunk.formulation == Formulation::Averaged {
            let first = packs.iter().step_by(chunk.formulation.parts());
            let start = self.tangents.places[chunk.packs.start][2] as usize;
            for (pack, shared) in first.zip(&self.tangents.shared[start..]) {
                let Some(octet) = &pack.octet else { continue };
                let (weight, _) = self.weights.of(simd, &shared.damping);
                let factor = weight * shared.stiffness.load(simd);
                for (nodes, gradient) in octet.local.iter().zip(&shared.gradient) {
                    let v = load_three(simd, gradient);
                    let block = LaneMat3(each!(c in 3 => v.scaled(v.0[c] * factor)));
                    add_diagonal(simd, &block, nodes, pack.count, &mut sums);
                }
            }
        }
        for (sum, &node) in sums.iter().zip(&chunk.nodes) {
            let entries = self.entries.entry(node as usize);
            let total = Lanes::from_slice(simd, entries) + Lanes::from_slice(simd, sum);
            total.store_slice(entries);
        }
    }
}

/// Adds the upper triangles of blocks to the sums of their nodes.
#[inline(always)]
fn add_diagonal<S: Simd>(
    simd: S,
    k: &LaneMat3<S>,
    nodes: &[u8; LANES],
    count: usize,
    sums: &mut [[f64; 8]; CHUNK_NODES],
) {
    let zero = splat(simd, 0.0);
    let lanes = turn([
        k.at(0, 0),
        k.at(1, 1),
        k.at(2, 2),
        k.at(0, 1),
        k.at(0, 2),
        k.at(1, 2),
        zero,
        zero,
    ]);
    for (lane, &addend) in lanes.iter().enumerate().take(count) {
        let entries = &mut sums[nodes[lane] as usize];
        let sum = Lanes::from_slice(simd, entries) + addend;
        sum.store_slice(entries);
    }
}
