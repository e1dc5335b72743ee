//! Energy, nodal forces f = −∂E/∂x and stresses of all elements.

use super::field::LocalField;
use super::octet::shared_volume;
use super::rotations::{FollowedRotations, RotationPack};
use super::shared::SharedSlice;
use super::{ChunkKernel, Visited, deformation_gradient, for_chunks, gradients, scatter_forces};
use crate::element::{Chunk, ElementPack, ElementSet};
use crate::material::{self, CorotatedFrozen};
use crate::model::Model;
use crate::octet::spread_points;
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::Vec3;
use pliant_linalg::lanes::splat;
use pliant_linalg::polar::{exact_rotation, follow_rotation};

/// Stress of one element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementStress {
    /// Cauchy stress xx, yy, zz, xy, xz, yz, Pa; zero where J = 0.
    pub cauchy: [f64; 6],
    /// von Mises stress, Pa.
    pub von_mises: f64,
}

impl ElementStress {
    /// The mean of three stresses, with the von Mises stress that belongs to it.
    fn mean(of: [ElementStress; 3]) -> ElementStress {
        let entry = |k: usize| of.iter().map(|s| s.cauchy[k]).sum::<f64>() / 3.0;
        let cauchy @ [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(entry);
        let (a, b, c) = (xx - yy, yy - zz, zz - xx);
        let normal = 0.5 * (a * a + b * b + c * c);
        ElementStress {
            cauchy,
            von_mises: (normal + 3.0 * (xy * xy + xz * xz + yz * yz)).sqrt(),
        }
    }
}

/// Why the forces at some positions are unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// det F ≤ 0 in a material that forbids it.
    Inverted,
    /// Not a finite number.
    NonFinite,
}

/// The first element (in element order) with unusable forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementFault {
    /// Element of the model.
    pub element: u32,
    /// What is wrong.
    pub kind: FaultKind,
}

/// Results of a force pass, kept between passes so that nothing is allocated again.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    /// Elastic force on each node, N.
    pub nodal: Vec<Vec3>,
    /// Elastic energy, J.
    pub energy: f64,
    /// Stress of each element, from the last time that it was asked for; of frozen chunks in the frames of their clumps.
    pub stress: Vec<ElementStress>,
    /// Elements with det F ≤ 0.
    pub inverted_elements: usize,
    /// Forces of frozen chunks, in the frames of their nodes' clumps, N; empty without any. See [`Forces::freeze`].
    pub frozen: Vec<Vec3>,
    /// The same of each frozen chunk by itself, one after the other, and their places.
    frozen_parts: Vec<Vec3>,
    places: Vec<Vec<u32>>,
    chunks: Vec<ChunkForces>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ChunkForces {
    energy: f64,
    inverted: usize,
    fault: Option<ElementFault>,
}

struct ForceKernel<'a> {
    positions: &'a [Vec3],
    activations: &'a [f64],
    forces: SharedSlice<'a, Vec3>,
    /// Where the nodes of each chunk are in `forces`; by number where there are none.
    places: &'a [Vec<u32>],
    stress: SharedSlice<'a, ElementStress>,
    known: &'a [RotationPack],
    found: SharedSlice<'a, RotationPack>,
    /// Sweeps and symmetry tolerance.
    plan: (u32, f64),
}

impl Forces {
    /// Evaluates at `positions`. On a fault the forces are meaningless.
    pub fn evaluate(
        &mut self,
        model: &Model,
        positions: &[Vec3],
        activations: &[f64],
        with_stress: bool,
    ) -> Result<(), ElementFault> {
        let (nothing, all) = (FollowedRotations::default(), &model.elements.colours);
        self.evaluate_some(model, all, positions, activations, with_stress, nothing)
    }

    /// [`Forces::evaluate`] for some chunks, with rotations that materials with a frozen rotation follow. Energies and stresses of
    /// the others stay as they were, nodal forces are those of the chunks visited.
    pub fn evaluate_some(
        &mut self,
        model: &Model,
        chunks: &Visited,
        positions: &[Vec3],
        activations: &[f64],
        with_stress: bool,
        rotations: FollowedRotations<'_>,
    ) -> Result<(), ElementFault> {
        let stressed = with_stress.then(|| model.element_count());
        let nodes = model.node_count();
        self.evaluate_set(
            &model.elements,
            nodes,
            chunks,
            positions,
            activations,
            stressed,
            rotations,
        )
    }

    /// The same for any set of elements that name `nodes` nodes; stresses of so many elements where they are asked for.
    #[allow(clippy::too_many_arguments)] // two call sites; a struct would only repeat the names
    pub(crate) fn evaluate_set(
        &mut self,
        elements: &ElementSet,
        nodes: usize,
        chunks: &Visited,
        positions: &[Vec3],
        activations: &[f64],
        stressed: Option<usize>,
        rotations: FollowedRotations<'_>,
    ) -> Result<(), ElementFault> {
        self.nodal.clear();
        self.nodal.resize(nodes, Vec3::ZERO);
        self.chunks
            .resize(elements.chunks.len(), ChunkForces::default());
        let stress = match stressed {
            Some(count) => {
                self.stress.resize(count, ElementStress::default());
                &mut self.stress[..]
            }
            None => &mut [], // those of frozen chunks are still good
        };
        let kernel = ForceKernel {
            positions,
            activations,
            forces: SharedSlice::new(&mut self.nodal),
            places: &[],
            stress: SharedSlice::new(stress),
            known: rotations.known,
            found: SharedSlice::new(rotations.found),
            plan: rotations.follow.plan(),
        };
        let outputs = SharedSlice::new(&mut self.chunks);
        for_chunks(elements, chunks, &kernel, &outputs);
        if stressed.is_some() {
            spread_points(&mut self.stress, &elements.quadratic, ElementStress::mean);
        }
        self.energy = self.chunks.iter().map(|c| c.energy).sum();
        self.inverted_elements = self.chunks.iter().map(|c| c.inverted).sum();
        let fault = self
            .chunks
            .iter()
            .filter_map(|c| c.fault)
            .min_by_key(|f| f.element);
        fault.map_or(Ok(()), Err)
    }
}

impl Forces {
    /// Evaluates chunks in which every element moves rigidly, once for all such motions: at the shapes that their clumps have in
    /// their own frames. Energies and stresses stay until these chunks are evaluated again. Nodal forces of all chunks in `all`,
    /// these and those that were evaluated before and are still good, go to `frozen`.
    pub fn freeze(
        &mut self,
        model: &Model,
        chunks: &Visited,
        all: &Visited,
        shape: &[Vec3],
        activations: &[f64],
    ) {
        let elements = &model.elements;
        if self.places.len() != elements.chunks.len() {
            let mut count = 0;
            self.places.clear();
            for chunk in &elements.chunks {
                let end = count + chunk.nodes.len() as u32;
                self.places.push((count..end).collect());
                count = end;
            }
            self.frozen_parts = vec![Vec3::ZERO; count as usize];
        }
        for &chunk in chunks.iter().flatten() {
            for &place in &self.places[chunk as usize] {
                self.frozen_parts[place as usize] = Vec3::ZERO;
            }
        }
        (self.chunks).resize(elements.chunks.len(), ChunkForces::default());
        self.stress
            .resize(model.element_count(), ElementStress::default());
        let kernel = ForceKernel {
            positions: shape,
            activations,
            forces: SharedSlice::new(&mut self.frozen_parts),
            places: &self.places,
            stress: SharedSlice::new(&mut self.stress),
            known: &[],
            found: SharedSlice::new(&mut []),
            plan: (0, 0.0),
        };
        // no fault can be found: these elements could be evaluated when they were elastic
        for_chunks(
            elements,
            chunks,
            &kernel,
            &SharedSlice::new(&mut self.chunks),
        );
        spread_points(&mut self.stress, &elements.quadratic, ElementStress::mean);
        self.frozen.clear();
        self.frozen.resize(model.node_count(), Vec3::ZERO);
        for &chunk in all.iter().flatten() {
            let nodes = elements.chunks[chunk as usize].nodes.iter();
            for (&node, &place) in nodes.zip(&self.places[chunk as usize]) {
                self.frozen[node as usize] += self.frozen_parts[place as usize];
            }
        }
    }
}

impl ChunkKernel for ForceKernel<'_> {
    type Output = ChunkForces;

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        number: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [positions, forces]: &mut [LocalField; 2],
    ) -> ChunkForces {
        let mut result = ChunkForces::default();
        let forbids_inversion = chunk.model.forbids_inversion();
        let follows = chunk.model.follows_rotation() && !self.known.is_empty();
        let keeps = chunk.model.follows_rotation() && self.found.len() > 0;
        positions.load(&chunk.nodes, self.positions);
        forces.clear(chunk.nodes.len());
        let mut mean = None;
        for (index, pack) in packs.iter().enumerate() {
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, positions, &g);
            let c = material::load(simd, &pack.coefficients);
            let volume = pack.volume.load(simd);
            let j = f.determinant();
            let (mut psi, mut p) = if follows || keeps {
                let place = chunk.packs.start + index;
                let q = match self.known.get(place) {
                    Some(known) => {
                        let mut q = known.load(simd);
                        follow_rotation(simd, &f, &mut q, self.plan.0, self.plan.1);
                        q
                    }
                    None => exact_rotation(simd, &f),
                };
                if keeps {
                    self.found.set(place, RotationPack::of(&q));
                }
                CorotatedFrozen::at_rotation(simd, &f, &q, &c)
            } else {
                chunk.model.energy_and_stress(simd, f, &c)
            };
            let shared = shared_volume(simd, chunk, packs, index, positions, &mut mean);
            if let Some(mean) = shared {
                mean.replace_own(simd, chunk.model, &f, &c, &mut psi, &mut p);
            }
            if let Some(fibre) = &pack.fibre {
                let response = fibre.respond(simd, &f, self.activations[fibre.channel]);
                psi += response.energy_density;
                p = p.add_scaled(splat(simd, 1.0), &response.first_piola());
            }
            scatter_forces(simd, pack, &p, volume, &g, forces);

            // a non-finite entry of P makes this sum non-finite too
            let health = psi + p.norm_squared();
            for lane in 0..pack.count {
                result.energy += volume[lane] * psi[lane];
                result.inverted += usize::from(j[lane] <= 0.0);
                let inverted = forbids_inversion && j[lane] <= 0.0;
                // an element without volume is none, whatever its shape
                if (inverted || !health[lane].is_finite()) && volume[lane] > 0.0 {
                    let kind = if inverted {
                        FaultKind::Inverted
                    } else {
                        FaultKind::NonFinite
                    };
                    let fault = ElementFault {
                        element: pack.elements[lane],
                        kind,
                    };
                    result.fault = Some(
                        result
                            .fault
                            .map_or(fault, |f| if f.element < fault.element { f } else { fault }),
                    );
                }
            }
            if self.stress.len() > 0 {
                self.store_stress(simd, pack, &p, &f, j);
            }
        }
        let nodes = self.places.get(number).unwrap_or(&chunk.nodes);
        forces.add_to(nodes, &self.forces);
        result
    }
}

impl ForceKernel<'_> {
    /// σ = P Fᵀ / J and von Mises' √(3/2 s:s).
    #[inline(always)]
    fn store_stress<S: Simd>(
        &self,
        simd: S,
        pack: &ElementPack,
        p: &pliant_linalg::lanes::LaneMat3<S>,
        f: &pliant_linalg::lanes::LaneMat3<S>,
        j: pliant_linalg::lanes::Lanes<S>,
    ) {
        let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
        let flat = j.simd_eq(zero);
        let inverse = fearless_simd::Select::select(flat, zero, one / j);
        let sigma = p.times_transpose(f).scaled(inverse);
        let (xx, yy, zz) = (sigma.at(0, 0), sigma.at(1, 1), sigma.at(2, 2));
        let (xy, xz, yz) = (sigma.at(0, 1), sigma.at(0, 2), sigma.at(1, 2));
        let (a, b, c) = (xx - yy, yy - zz, zz - xx);
        let normal = a.mul_add(a, b.mul_add(b, c * c)) * 0.5;
        let shear = xy.mul_add(xy, xz.mul_add(xz, yz * yz)) * 3.0;
        let von_mises = (normal + shear).sqrt();
        for lane in 0..pack.count {
            let stress = ElementStress {
                cauchy: [xx[lane], yy[lane], zz[lane], xy[lane], xz[lane], yz[lane]],
                von_mises: von_mises[lane],
            };
            self.stress.set(pack.elements[lane] as usize, stress);
        }
    }
}
