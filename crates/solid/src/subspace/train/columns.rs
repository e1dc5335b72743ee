//! What each element adds to the reduced forces of all samples: the columns that cubature is chosen from.
//!
//! Column e is U_eᵀ R_eᵀ f_e(x_s) over the samples s, divided by ‖f̃_s‖ so that no sample outweighs the others (METHODS 2.3). A
//! sample whose reduced force nearly cancels is divided by a tenth of the usual length instead: its relative error would only
//! measure rounding and truncation.
//!
//! Elements with hardly a column are no candidates: between held nodes nothing moves, and what rounding leaves there would take weights of
//! 10²⁸ to look like forces. Their energy, which no coordinate changes, would then hide that of all others.

use super::samples::{Samples, States};
use super::{Snapshot, Training};
use crate::assembly::sampled_forces;
use crate::element::Element;
use crate::subspace::trained::TrainedDomain;
use pliant_linalg::lanes::{LANES, Pack};
use pliant_linalg::{ElementColumns, vectorize};
use rayon::prelude::*;

/// Elements summed by one thread; sums of blocks are added in order.
const BLOCK: usize = 256;

/// Least divisor of a sample, relative to the root mean square of ‖f̃_s‖.
const LEAST: f64 = 0.1;

/// Length of a column, relative to the root mean square of all, below which its element is no candidate.
const SHORT: f64 = 0.1;

pub(super) struct DomainColumns<'a> {
    domain: &'a TrainedDomain,
    elements: &'a [&'a Element],
    /// Places of the corners of each element among the domain's nodes.
    places: Vec<[u32; 4]>,
    states: States,
    snapshots: Vec<&'a Snapshot>,
    /// 1/‖f̃_s‖; zero for samples that have no forces.
    scales: Vec<f64>,
    target: Vec<f64>,
    /// Elements that are no candidates.
    short: Vec<bool>,
}

impl<'a> DomainColumns<'a> {
    /// None when no sample has finite forces.
    pub(super) fn new(
        training: &'a Training<'a>,
        domain: &'a TrainedDomain,
        elements: &'a [&'a Element],
        samples: Samples,
    ) -> Option<DomainColumns<'a>> {
        let mut columns = DomainColumns::unscaled(training, domain, elements, &samples);
        let (mut sum, faults) = columns.sum();
        let rank = domain.rank;
        let lengths: Vec<f64> = (sum.chunks(rank))
            .map(|f| f.iter().map(|f| f * f).sum::<f64>().sqrt())
            .collect();
        let good: Vec<bool> = (lengths.iter().zip(&faults))
            .map(|(length, fault)| !fault && length.is_finite())
            .collect();
        let count = good.iter().filter(|good| **good).count();
        if count == 0 {
            return None;
        }
        let usable = lengths.iter().zip(&good).filter(|(_, good)| **good);
        let square: f64 = usable.map(|(length, _)| length * length).sum();
        let least = LEAST * (square / count as f64).sqrt();
        columns.scales = (lengths.iter().zip(&good))
            .map(|(&length, &good)| match good && length.max(least) > 0.0 {
                true => 1.0 / length.max(least),
                false => 0.0,
            })
            .collect();
        for (f, &scale) in sum.chunks_mut(rank).zip(&columns.scales) {
            for f in f {
                *f = if scale > 0.0 { *f * scale } else { 0.0 };
            }
        }
        columns.target = sum;
        columns.find_short();
        Some(columns)
    }

    /// Marks the elements with hardly a column.
    fn find_short(&mut self) {
        let blocks: Vec<usize> = (0..self.elements.len()).step_by(BLOCK).collect();
        let squares = |&first: &usize| {
            let mut column = vec![0.0; self.row_count()];
            let last = (first + BLOCK).min(self.elements.len());
            let square = |e: usize| {
                column.fill(0.0);
                self.add(e, 1.0, &mut column, None);
                column.iter().map(|c| c * c).sum()
            };
            (first..last).map(square).collect::<Vec<f64>>()
        };
        let squares: Vec<f64> = blocks.par_iter().flat_map_iter(squares).collect();
        let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        self.short = squares.iter().map(|s| *s < SHORT * SHORT * mean).collect();
    }

    fn unscaled(
        training: &'a Training<'a>,
        domain: &'a TrainedDomain,
        elements: &'a [&'a Element],
        samples: &Samples,
    ) -> DomainColumns<'a> {
        let start = training.model.bodies[training.body].nodes.start as u32;
        let place = |node: u32| domain.nodes.partition_point(|&n| n < node - start) as u32;
        DomainColumns {
            domain,
            elements,
            places: elements.iter().map(|e| e.nodes.map(place)).collect(),
            states: States::new(training, domain, samples),
            snapshots: (samples.snapshot.iter())
                .map(|&s| &training.snapshots[s])
                .collect(),
            scales: vec![1.0; samples.len()],
            target: Vec::new(),
            short: Vec::new(),
        }
    }

    /// Σ of all columns.
    pub(super) fn target(&self) -> &[f64] {
        &self.target
    }

    /// Samples with forces.
    pub(super) fn sample_count(&self) -> usize {
        self.scales.iter().filter(|s| **s > 0.0).count()
    }

    /// Sum of all columns as they are now, and which samples have elements without finite forces.
    fn sum(&self) -> (Vec<f64>, Vec<bool>) {
        let mut sum = vec![0.0; self.row_count()];
        let mut faults = vec![false; self.scales.len()];
        let all: Vec<usize> = (0..self.elements.len()).collect();
        // several blocks at a time, so that their sums need little memory
        for some in all.chunks(64 * BLOCK) {
            let parts: Vec<(Vec<f64>, Vec<bool>)> = (some.par_chunks(BLOCK))
                .map(|block| {
                    let mut part = (vec![0.0; sum.len()], vec![false; faults.len()]);
                    for &e in block {
                        self.add(e, 1.0, &mut part.0, Some(&mut part.1));
                    }
                    part
                })
                .collect();
            for (part, marks) in parts {
                sum.iter_mut().zip(part).for_each(|(s, p)| *s += p);
                faults.iter_mut().zip(marks).for_each(|(f, m)| *f |= m);
            }
        }
        (sum, faults)
    }

    /// Adds weight times a column.
    fn add(&self, e: usize, weight: f64, entries: &mut [f64], mut faults: Option<&mut [bool]>) {
        let (rank, groups) = (self.domain.rank, self.states.groups);
        let places = self.places[e].map(|p| p as usize);
        // a triangle repeats its first corner, on which the fourth has no force
        for group in 0..groups {
            let at = |place: usize| (place * groups + group) * 3;
            let x = places.map(|p| [0, 1, 2].map(|axis| Pack(self.states.positions[at(p) + axis])));
            let found = sampled_forces(self.elements[e], &x, |channel| {
                std::array::from_fn(|lane| {
                    let s = (group * LANES + lane).min(self.snapshots.len() - 1);
                    self.snapshots[s]
                        .activations
                        .get(channel)
                        .copied()
                        .unwrap_or(0.0)
                })
            });
            let mut forces = found.corners;
            if !self.states.rotations.is_empty() {
                for (force, place) in forces.iter_mut().zip(places) {
                    *force = self.turn_back(force, 3 * at(place));
                }
            }
            let samples = self
                .scales
                .iter()
                .enumerate()
                .skip(group * LANES)
                .take(LANES);
            for (lane, (s, scale)) in samples.enumerate() {
                if found.faults & (1 << lane) != 0 {
                    if let Some(faults) = &mut faults {
                        faults[s] = true;
                    }
                    continue;
                }
                if *scale == 0.0 {
                    continue;
                }
                let rows = &mut entries[s * rank..(s + 1) * rank];
                let f = forces.map(|f| f.map(|axis| axis.0[lane] * weight * scale));
                let blocks = places.map(|place| self.domain.block(place));
                vectorize!(_simd => add_modes(&blocks, &f, rows));
            }
        }
    }

    /// Rᵀ f in eight samples; R is stored from `at`.
    fn turn_back(&self, force: &[Pack; 3], at: usize) -> [Pack; 3] {
        [0, 1, 2].map(|column| {
            let r = &self.states.rotations[at + 3 * column..at + 3 * column + 3];
            Pack(std::array::from_fn(|lane| {
                (0..3).map(|axis| r[axis][lane] * force[axis].0[lane]).sum()
            }))
        })
    }
}

/// rows ← rows + Σ U_cᵀ f_c over four corners.
#[inline(always)]
fn add_modes(blocks: &[&[f64]; 4], f: &[[f64; 3]; 4], rows: &mut [f64]) {
    let rank = rows.len();
    for (block, f) in blocks.iter().zip(f) {
        let (x, rest) = block.split_at(rank);
        let (y, z) = rest.split_at(rank);
        for (((sum, x), y), z) in rows.iter_mut().zip(x).zip(y).zip(z) {
            *sum += x * f[0] + y * f[1] + z * f[2];
        }
    }
}

impl ElementColumns for DomainColumns<'_> {
    fn row_count(&self) -> usize {
        self.scales.len() * self.domain.rank
    }
    fn column_count(&self) -> usize {
        self.elements.len()
    }
    fn fill(&self, column: usize, entries: &mut [f64]) {
        entries.fill(0.0);
        if !self.short[column] {
            self.add(column, 1.0, entries, None);
        }
    }
}

/// Σ w_e U_eᵀ R_eᵀ f_e of a domain at its coordinates q, with the skinning and activations of a snapshot: over its cubature, or over
/// all of its elements with weight one. None where forces are not finite.
pub fn reduced_forces(
    training: &Training<'_>,
    domain: &TrainedDomain,
    snapshot: usize,
    q: &[f64],
    by_cubature: bool,
) -> Option<Vec<f64>> {
    let elements = training.model.elements.unpacked();
    let body = &training.model.bodies[training.body];
    let first = elements.partition_point(|e| (e.number as usize) < body.elements.start);
    let points: Vec<(u32, f64)> = match by_cubature {
        true => domain.cubature.clone(),
        false => domain.elements.iter().map(|&e| (e, 1.0)).collect(),
    };
    let used: Vec<&Element> = (points.iter())
        .map(|&(e, _)| &elements[first + e as usize])
        .collect();
    let samples = Samples {
        snapshot: vec![snapshot],
        coordinates: vec![q.to_vec()],
    };
    let columns = DomainColumns::unscaled(training, domain, &used, &samples);
    let (mut sum, mut faults) = (vec![0.0; domain.rank], vec![false]);
    for (e, (_, weight)) in points.iter().enumerate() {
        columns.add(e, *weight, &mut sum, Some(&mut faults));
    }
    (!faults[0]).then_some(sum)
}
