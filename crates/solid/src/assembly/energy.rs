//! Elastic energy alone, for line searches: no forces, and no singular values where the energy needs none.

use super::field::LocalField;
use super::octet::shared_volume;
use super::shared::SharedSlice;
use super::{ChunkKernel, deformation_gradient, for_chunks, gradients};
use crate::element::{Chunk, ElementPack};
use crate::material;
use crate::model::Model;
use fearless_simd::Simd;
use pliant_linalg::Vec3;

struct EnergyKernel<'a> {
    positions: &'a [Vec3],
    activations: &'a [f64],
}

/// Elastic energy at `positions`, J, with the bits of [`super::Forces::energy`]; not finite where an element is turned inside out that
/// may not be. `chunks` is memory.
pub fn elastic_energy(
    model: &Model,
    positions: &[Vec3],
    activations: &[f64],
    chunks: &mut Vec<f64>,
) -> f64 {
    chunks.resize(model.elements.chunks.len(), 0.0);
    let kernel = EnergyKernel {
        positions,
        activations,
    };
    let (elements, outputs) = (&model.elements, SharedSlice::new(chunks));
    for_chunks(elements, &elements.colours, &kernel, &outputs);
    chunks.iter().sum()
}

impl ChunkKernel for EnergyKernel<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        _: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [positions, _]: &mut [LocalField; 2],
    ) -> f64 {
        let mut energy = 0.0;
        let forbids_inversion = chunk.model.forbids_inversion();
        positions.load(&chunk.nodes, self.positions);
        let mut mean = None;
        for (index, pack) in packs.iter().enumerate() {
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, positions, &g);
            let c = material::load(simd, &pack.coefficients);
            let volume = pack.volume.load(simd);
            let mut psi = chunk.model.energy_density(simd, f, &c);
            let shared = shared_volume(simd, chunk, packs, index, positions, &mut mean);
            if let Some(mean) = shared {
                let own = chunk.model.volume_measure(simd, &f);
                psi += mean.energy - chunk.model.volume_response(simd, own, &c).energy;
            }
            if let Some(fibre) = &pack.fibre {
                psi += fibre
                    .respond(simd, &f, self.activations[fibre.channel])
                    .energy_density;
            }
            let j = f.determinant();
            for lane in 0..pack.count {
                energy += volume[lane] * psi[lane];
                if forbids_inversion && j[lane] <= 0.0 {
                    energy = f64::INFINITY;
                }
            }
        }
        energy
    }
}
