//! Products with the tangent without assembling it: y += Σₑ wₑ Hₑ v.

use super::scatter_forces;
use super::shared::SharedSlice;
use super::{
    ChunkKernel, TangentWeights, deformation_gradient, field_gradient, for_each_chunk, gather,
    gradients,
};
use crate::element::{Chunk, ElementPack};
use crate::material;
use crate::model::Model;
use fearless_simd::Simd;
use pliant_linalg::Vec3;
use pliant_linalg::lanes::splat;

struct ProductKernel<'a> {
    positions: &'a [Vec3],
    activations: &'a [f64],
    velocities: &'a [Vec3],
    weights: TangentWeights,
    result: SharedSlice<'a, Vec3>,
}

/// result += Σₑ (w.stiffness + w.damping α₁ₑ) Hₑ(positions) velocities, with the projected Hessian.
pub fn add_tangent_product(
    model: &Model,
    positions: &[Vec3],
    activations: &[f64],
    weights: TangentWeights,
    velocities: &[Vec3],
    result: &mut [Vec3],
) {
    let kernel = ProductKernel {
        positions,
        activations,
        velocities,
        weights,
        result: SharedSlice::new(result),
    };
    // a slice of unit values occupies no memory: this pass has nothing to say about a chunk
    let mut nothing = vec![(); model.elements.chunks.len()];
    for_each_chunk(&model.elements, &kernel, &mut nothing);
}

impl ChunkKernel for ProductKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, chunk: &Chunk, packs: &[ElementPack]) {
        for pack in packs {
            let weight = self.weights.of(simd, pack);
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, self.positions, &g);
            let df = field_gradient(&gather(simd, self.velocities, &pack.nodes), &g);
            let c = material::load(simd, &pack.coefficients);
            let mut dp = chunk.model.tangent(simd, f, &c).projected(simd).apply(&df);
            if let Some(fibre) = &pack.fibre {
                let response = fibre.respond(simd, &f, self.activations[fibre.channel]);
                let fibre_dp = response.tangent.projected(simd).apply(&df);
                dp = dp.add_scaled(splat(simd, 1.0), &fibre_dp);
            }
            // forces are −V P g, and a stiffness product is their negative
            scatter_forces(simd, pack, &dp, -weight, &g, &self.result);
        }
    }
}
