//! Element passes: energy and forces, tangent matrices, tangent products.
//!
//! A pass visits the chunks of an [`ElementSet`] colour by colour; chunks of one colour run in parallel and share no
//! node, so each adds straight into nodal results. The order of additions is fixed by the colouring: results are
//! the same bits for any number of threads.

mod energy;
mod field;
mod forces;
mod local;
mod octet;
#[cfg(test)]
mod octet_tests;
mod operator;
mod rotations;
mod sampled;
mod shared;
mod strain;
mod stretch;
mod tangent;
#[cfg(test)]
mod tests;

pub use energy::elastic_energy;
pub use forces::{ElementFault, ElementStress, FaultKind, Forces};
pub use operator::{ElementTangents, RowMap};
pub use rotations::{Follow, FollowedRotations, RotationPack};
pub use sampled::{SampledForces, sampled_forces};
pub use strain::{Before, strain_rates};
pub use stretch::stretch_rates;
pub use tangent::{NO_ROW, ScatterMap, TangentInput, TangentWeights, assemble_tangent};

use crate::element::{Chunk, ElementPack, ElementSet};
use fearless_simd::Simd;
use field::{LocalField, with_fields};
use pliant_linalg::lanes::{LaneMat3, LaneVec3, Lanes};
use pliant_linalg::{Vec3, each, vectorize};
use rayon::prelude::*;
use shared::SharedSlice;

/// Chunks from which a pass is worth a second thread; the threads meet after every colour.
const PARALLEL_CHUNKS: usize = 64;

/// What a pass does with the packs of one chunk.
trait ChunkKernel: Sync {
    /// What it has to say about a chunk.
    type Output: Copy + Send;

    /// Works through the packs of chunk number `index`, with two fields to work in.
    fn run<S: Simd>(
        &self,
        simd: S,
        index: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        fields: &mut [LocalField; 2],
    ) -> Self::Output;
}

/// The chunks that a pass visits, by colour: those of an [`ElementSet`], or some of them.
pub type Visited = [Vec<u32>];

/// Runs a kernel that has nothing to say over some chunks.
fn visit<K: ChunkKernel<Output = ()>>(elements: &ElementSet, chunks: &Visited, kernel: &K) {
    let mut nothing = vec![(); elements.chunks.len()];
    for_chunks(elements, chunks, kernel, &SharedSlice::new(&mut nothing));
}

/// Runs a kernel over some chunks; `outputs` has one entry for each chunk that there is.
fn for_chunks<K: ChunkKernel>(
    elements: &ElementSet,
    colours: &Visited,
    kernel: &K,
    outputs: &SharedSlice<'_, K::Output>,
) {
    let count: usize = colours.iter().map(Vec::len).sum();
    for colour in colours {
        // each chunk index appears in exactly one colour, once
        let run = |&index: &u32| outputs.set(index as usize, run_chunk(elements, kernel, index));
        if count < PARALLEL_CHUNKS {
            colour.iter().for_each(run);
        } else {
            colour.par_iter().for_each(run);
        }
    }
}

/// Runs a kernel over one chunk.
fn run_chunk<K: ChunkKernel>(elements: &ElementSet, kernel: &K, index: u32) -> K::Output {
    let index = index as usize;
    let chunk = &elements.chunks[index];
    let packs = &elements.packs[chunk.packs.clone()];
    with_fields(|fields| vectorize!(simd => kernel.run(simd, index, chunk, packs, fields)))
}

/// A local field along the three edges of a pack: differences to its first corner, or sums over the ten nodes of octets.
#[inline(always)]
fn edges<S: Simd>(simd: S, field: &LocalField, pack: &ElementPack) -> [LaneVec3<S>; 3] {
    if let Some(octet) = pack.point() {
        return octet::point_edges(simd, field, octet);
    }
    let y = each!(corner in 4 => field.gather(simd, &pack.local[corner]));
    each!(a in 3 => y[a + 1].minus(y[0]))
}

/// Shape gradients g₁, g₂, g₃.
#[inline(always)]
fn gradients<S: Simd>(simd: S, pack: &ElementPack) -> [LaneVec3<S>; 3] {
    each!(a in 3 => LaneVec3(each!(c in 3 => pack.gradients[a][c].load(simd))))
}

/// Σᵢ dᵢ gᵢᵀ of a field along the edges: Σₐ yₐ gₐᵀ over the corners, as g₀ = −Σ gₐ.
#[inline(always)]
fn field_gradient<S: Simd>(d: &[LaneVec3<S>; 3], g: &[LaneVec3<S>; 3]) -> LaneMat3<S> {
    LaneMat3(each!(c in 3 => {
        d[0].scaled(g[0].0[c]).add_scaled(g[1].0[c], d[1]).add_scaled(g[2].0[c], d[2])
    }))
}

/// F, with F_zz = 1 added for plane strain.
#[inline(always)]
fn deformation_gradient<S: Simd>(
    simd: S,
    pack: &ElementPack,
    positions: &LocalField,
    g: &[LaneVec3<S>; 3],
) -> LaneMat3<S> {
    let mut f = field_gradient(&edges(simd, positions, pack), g);
    f.0[2].0[2] += pack.plane;
    f
}

/// Adds −V P g to the nodes of a pack: the forces of a stress P, with `volume` = V (METHODS 0.2).
#[inline(always)]
fn scatter_forces<S: Simd>(
    simd: S,
    pack: &ElementPack,
    p: &LaneMat3<S>,
    volume: Lanes<S>,
    g: &[LaneVec3<S>; 3],
    forces: &mut LocalField,
) {
    let scaled = p.scaled(-volume);
    let corner = each!(a in 3 => scaled.times_vector(g[a]));
    scatter_edges(simd, pack, &corner, forces);
}

/// Adds forces on edges, the transpose of [`edges`]: on corners 1 to 3, and their opposite on corner 0. Unused lanes have no volume and
/// add zeros.
#[inline(always)]
fn scatter_edges<S: Simd>(
    simd: S,
    pack: &ElementPack,
    f: &[LaneVec3<S>; 3],
    forces: &mut LocalField,
) {
    if let Some(octet) = pack.point() {
        return octet::scatter_point(simd, octet, f, forces);
    }
    let first = LaneVec3::splat(simd, Vec3::ZERO);
    let first = first.minus(f[0]).minus(f[1]).minus(f[2]);
    forces.scatter(simd, &first, &pack.local[0]);
    forces.scatter(simd, &f[0], &pack.local[1]);
    forces.scatter(simd, &f[1], &pack.local[2]);
    forces.scatter(simd, &f[2], &pack.local[3]);
}
