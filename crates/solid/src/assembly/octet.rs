//! Octets in the passes: gradients at quadrature points of ten nodes, volume that eight parts share, blocks between ten nodes.

use super::field::LocalField;
use super::{deformation_gradient, gradients};
use crate::element::{Chunk, ElementPack, OctetPack};
use crate::material::{self, Coefficients, MaterialModel, VolumeResponse};
use crate::octet::{Formulation, Stencil};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LaneVec3, Lanes, splat};
use pliant_linalg::{Vec3, each};
use pliant_mesh::octet::PARTS;

/// Bₐᵢ of a pack.
#[inline(always)]
pub(super) fn stencil(octet: &OctetPack) -> &'static Stencil {
    let formulation = match octet.is_quadratic {
        true => Formulation::Quadratic,
        false => Formulation::Averaged,
    };
    &formulation.stencils()[octet.part]
}

/// dᵢ = Σₐ Bₐᵢ (yₐ − y₀): the same as Σₐ Bₐᵢ yₐ, and exact far away from the origin.
#[inline(always)]
pub(super) fn point_edges<S: Simd>(
    simd: S,
    field: &LocalField,
    octet: &OctetPack,
) -> [LaneVec3<S>; 3] {
    let first = field.gather(simd, &octet.local[0]);
    let mut edges = [LaneVec3::splat(simd, Vec3::ZERO); 3];
    for (local, factors) in octet.local.iter().zip(stencil(octet)).skip(1) {
        let y = field.gather(simd, local).minus(first);
        edges = each!(i in 3 => edges[i].add_scaled(splat(simd, factors[i]), y));
    }
    edges
}

/// fₐ = Σᵢ Bₐᵢ fᵢ.
#[inline(always)]
pub(super) fn scatter_point<S: Simd>(
    simd: S,
    octet: &OctetPack,
    f: &[LaneVec3<S>; 3],
    forces: &mut LocalField,
) {
    for (local, factors) in octet.local.iter().zip(stencil(octet)) {
        forces.scatter(simd, &combined(simd, factors, f), local);
    }
}

/// Σᵢ Bᵢ vᵢ.
#[inline(always)]
fn combined<S: Simd>(simd: S, factors: &[f64; 3], v: &[LaneVec3<S>; 3]) -> LaneVec3<S> {
    let [a, b, c] = each!(i in 3 => splat(simd, factors[i]));
    v[0].scaled(a).add_scaled(b, v[1]).add_scaled(c, v[2])
}

/// U of the mean θ of eight octets, whose packs of parts these are.
#[inline(always)]
pub(super) fn mean_volume<S: Simd>(
    simd: S,
    model: MaterialModel,
    parts: &[ElementPack],
    positions: &LocalField,
    c: &Coefficients<S>,
) -> VolumeResponse<S> {
    let mut theta = splat(simd, 0.0);
    for pack in parts {
        let g = gradients(simd, pack);
        let f = deformation_gradient(simd, pack, positions, &g);
        theta = share(simd, pack).mul_add(model.volume_measure(simd, &f), theta);
    }
    model.volume_response(simd, theta, c)
}

/// [`mean_volume`] for the pack at `index` of a chunk: found at the first part of octets, kept for the others; none where nothing is shared.
#[inline(always)]
pub(super) fn shared_volume<S: Simd>(
    simd: S,
    chunk: &Chunk,
    packs: &[ElementPack],
    index: usize,
    positions: &LocalField,
    known: &mut Option<VolumeResponse<S>>,
) -> Option<VolumeResponse<S>> {
    if chunk.formulation != Formulation::Averaged {
        return None;
    }
    if index.is_multiple_of(PARTS.len()) {
        let parts = &packs[index..index + PARTS.len()];
        let c = material::load(simd, &parts[0].coefficients);
        *known = Some(mean_volume(simd, chunk.model, parts, positions, &c));
    }
    *known
}

/// Vₑ/V of a part.
#[inline(always)]
fn share<S: Simd>(simd: S, pack: &ElementPack) -> Lanes<S> {
    match &pack.octet {
        Some(octet) => octet.share.load(simd),
        None => splat(simd, 1.0),
    }
}

/// ∂θ̄/∂x of the ten nodes of eight octets.
#[inline(always)]
pub(super) fn mean_volume_gradient<S: Simd>(
    simd: S,
    model: MaterialModel,
    parts: &[ElementPack],
    positions: &LocalField,
) -> [LaneVec3<S>; 10] {
    let mut sums = [LaneVec3::splat(simd, Vec3::ZERO); 10];
    for (pack, nodes) in parts.iter().zip(PARTS) {
        let g = gradients(simd, pack);
        let f = deformation_gradient(simd, pack, positions, &g);
        let pull = model.volume_gradient(simd, &f).scaled(share(simd, pack));
        for i in 0..3 {
            let v = pull.times_vector(g[i]);
            sums[nodes[i + 1]] = sums[nodes[i + 1]].plus(v);
            sums[nodes[0]] = sums[nodes[0]].minus(v);
        }
    }
    sums
}

/// V U'' ≥ 0 of eight octets, whose first packs of parts have this volume: the factor of ∂θ̄/∂x ∂θ̄/∂xᵀ in H.
#[inline(always)]
pub(super) fn mean_stiffness<S: Simd>(
    simd: S,
    parts: &[ElementPack],
    mean: &VolumeResponse<S>,
) -> Lanes<S> {
    let mut volume = splat(simd, 0.0);
    for pack in parts {
        volume += pack.volume.load(simd);
    }
    volume * mean.curvature.max(splat(simd, 0.0))
}
