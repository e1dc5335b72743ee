//! States of a domain at which its cubature is trained: its snapshots as the modes show them, and random states around them.
//!
//! At equilibrium without loads the reduced force of a domain is small, whatever its elements do, and says little about how it
//! changes. States around the snapshots show that: their forces are what Newton's method has to get right.

use super::basis::pull_back;
use super::{Training, TrainingSettings};
use crate::subspace::trained::TrainedDomain;
use pliant_linalg::lanes::LANES;
use pliant_linalg::random::Random;
use pliant_linalg::{Mat3, Vec3};

/// Coordinates of the samples.
pub(super) struct Samples {
    /// The snapshot whose skinning and activations each sample has.
    pub snapshot: Vec<usize>,
    /// q of each.
    pub coordinates: Vec<Vec<f64>>,
}

impl Samples {
    pub(super) fn new(
        training: &Training<'_>,
        domain: &TrainedDomain,
        settings: &TrainingSettings,
        seed: u64,
    ) -> Samples {
        let count = training.snapshots.len();
        let all: Vec<Vec<f64>> = (0..count)
            .map(|s| coordinates(domain, &pull_back(training, s, &domain.nodes)))
            .collect();
        let deviation: Vec<f64> = (0..domain.rank)
            .map(|m| {
                let square: f64 = all.iter().map(|q| q[m] * q[m]).sum();
                settings.deviation * (square / count as f64).sqrt()
            })
            .collect();
        // of many snapshots every k-th, so that the samples are not too many
        let most = (settings.samples / (1 + settings.perturbations)).max(1);
        let used = count.min(most);
        let mut samples = Samples {
            snapshot: Vec::new(),
            coordinates: Vec::new(),
        };
        let mut random = Random::new(seed);
        for k in 0..used {
            let s = k * count / used;
            let mut add = |q| {
                samples.snapshot.push(s);
                samples.coordinates.push(q);
            };
            add(all[s].clone());
            for _ in 0..settings.perturbations {
                let moved = all[s].iter().zip(&deviation);
                add(moved.map(|(q, d)| q + d * random.normal()).collect());
            }
        }
        samples
    }

    pub(super) fn len(&self) -> usize {
        self.snapshot.len()
    }
}

/// Uᵀ ū; the columns of U are orthonormal.
pub(super) fn coordinates(domain: &TrainedDomain, displacements: &[Vec3]) -> Vec<f64> {
    let mut q = vec![0.0; domain.rank];
    for (place, u) in displacements.iter().enumerate() {
        domain.add_transposed(place, 1.0, *u, &mut q);
    }
    q
}

/// Positions of the domain's nodes in all samples, and rotations, ready for lanes of eight samples.
pub(super) struct States {
    pub groups: usize,
    /// x, y and z of node k in group g: `positions[(k groups + g) 3 + axis]`.
    pub positions: Vec<[f64; LANES]>,
    /// R by columns, nine for each node and group; empty where all are the identity.
    pub rotations: Vec<[f64; LANES]>,
}

impl States {
    pub(super) fn new(
        training: &Training<'_>,
        domain: &TrainedDomain,
        samples: &Samples,
    ) -> States {
        let groups = samples.len().div_ceil(LANES);
        let still = training.skinned.is_identity();
        let first = training.model.bodies[training.body].nodes.start;
        let mut states = States {
            groups,
            positions: Vec::with_capacity(domain.nodes.len() * groups * 3),
            rotations: Vec::new(),
        };
        for (place, &node) in domain.nodes.iter().enumerate() {
            let rest = training.model.rest[first + node as usize];
            for group in 0..groups {
                // lanes beyond the last sample repeat it
                let of_lane: [(Vec3, Mat3); LANES] = std::array::from_fn(|lane| {
                    let s = (group * LANES + lane).min(samples.len() - 1);
                    let shape = rest + domain.displacement(place, &samples.coordinates[s]);
                    if still {
                        return (shape, Mat3::IDENTITY);
                    }
                    let frame = training.skinned.frame(samples.snapshot[s], node as usize);
                    (frame.push(shape), frame.rotation)
                });
                for axis in 0..3 {
                    states.positions.push(of_lane.map(|(x, _)| x[axis]));
                }
                if !still {
                    for column in 0..3 {
                        for axis in 0..3 {
                            let entry = of_lane.map(|(_, r)| r.columns[column][axis]);
                            states.rotations.push(entry);
                        }
                    }
                }
            }
        }
        states
    }
}
