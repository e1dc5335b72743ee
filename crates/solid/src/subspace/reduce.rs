//! Products with the basis of many nodes: U q, Uᵀ f and Uᵀ K U, in un-skinned frames.
//!
//! With Û_i = R_i U_i the products Ûᵀ f and Û_iᵀ K_ij Û_j are U_iᵀ (R_iᵀ f) and U_iᵀ (R_iᵀ K_ij R_j) U_j: forces and blocks are turned,
//! never the basis.

use super::domain::{Domains, add_scaled};
use super::frame::Frame;
use crate::contact::Coupling;
use crate::model::Model;
use fearless_simd::Simd;
use pliant_linalg::{BlockMatrix, Mat3, Vec3, vectorize};
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a matrix that one thread reduces together. Fixed, so that no result depends on the number of threads.
const BATCH: usize = 128;

/// A copy of a node, with its frame in the pose of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub domain: u32,
    pub place: u32,
    pub frame: Frame,
    /// Added to U q before skinning, m.
    pub offset: Vec3,
}

impl Slot {
    /// R (X + U q + offset) + t.
    pub fn position(&self, model: &Model, domains: &Domains, q: &[f64]) -> Vec3 {
        let shape = domains.list[self.domain as usize].shape(model, self.place, q);
        self.frame.place(shape + self.offset)
    }

    /// reduced += s Uᵀ Rᵀ f.
    pub fn add_force(&self, domains: &Domains, s: f64, f: Vec3, reduced: &mut [f64]) {
        let domain = &domains.list[self.domain as usize];
        let own = &mut reduced[domain.offset..domain.offset + domain.rank];
        let f = self.frame.unturn(f);
        (domain.basis()).add_transposed(self.place as usize, s, f, own);
    }
}

/// into += Σ U_iᵀ R_iᵀ K_ij R_j U_j over the rows and columns of `matrix` from `first` on, which belong to `slots`, sorted by domain.
/// `into` has all coordinates, by rows. Elements have one domain each, so that they have no blocks between domains.
pub(crate) fn add_reduced(
    domains: &Domains,
    matrix: &BlockMatrix,
    first: usize,
    slots: &[Slot],
    into: &mut [f64],
) {
    let mut runs: Vec<(u32, Range<usize>)> = Vec::new();
    let mut start = 0;
    for run in slots.chunk_by(|a, b| a.domain == b.domain) {
        let end = start + run.len();
        let batches = (start..end).step_by(BATCH);
        runs.extend(batches.map(|from| (run[0].domain, from..(from + BATCH).min(end))));
        start = end;
    }
    let reduce = |(domain, rows): &(u32, Range<usize>)| {
        let rank = domains.list[*domain as usize].rank;
        let mut sum = vec![0.0; rank * rank];
        let rows = rows.clone();
        vectorize!(simd => reduce_rows(simd, domains, matrix, first, slots, rows, rank, &mut sum));
        sum
    };
    let parts: Vec<Vec<f64>> = match runs.len() {
        0 | 1 => runs.iter().map(reduce).collect(),
        _ => runs.par_iter().map(reduce).collect(),
    };
    for ((domain, _), part) in runs.iter().zip(&parts) {
        let domain = &domains.list[*domain as usize];
        for (m, row) in part.chunks_exact(domain.rank.max(1)).enumerate() {
            let at = (domain.offset + m) * domains.rank + domain.offset;
            add_scaled(&mut into[at..at + domain.rank], 1.0, row);
        }
    }
}

/// The same of what contacts add between slots of different domains; nodes from `first` on are slots, and `scale` takes blocks to those of
/// the matrix.
pub(crate) fn add_contacts(
    domains: &Domains,
    couplings: &[Coupling],
    first: usize,
    slots: &[Slot],
    scale: f64,
    into: &mut [f64],
) {
    let slot = |node: usize| node.checked_sub(first).map(|index| &slots[index]);
    for coupling in couplings {
        for (a, own) in coupling.ends().filter_map(|(n, w)| Some((w, slot(n)?))) {
            let others = coupling.ends().filter_map(|(n, w)| Some((w, slot(n)?)));
            for (b, other) in others.filter(|(_, other)| other.domain != own.domain) {
                let block = coupling.block * (a * b * scale);
                let block = turned(&own.frame.rotation, &block, &other.frame.rotation);
                let [rows, columns] = [own, other].map(|slot| &domains.list[slot.domain as usize]);
                let left = rows.basis().block(own.place as usize);
                let right = columns.basis().block(other.place as usize);
                for m in 0..rows.rank {
                    let at = (rows.offset + m) * domains.rank + columns.offset;
                    let row = &mut into[at..at + columns.rank];
                    for axis in 0..3 {
                        let push = (0..3)
                            .map(|k| left[k * rows.rank + m] * block.at(k, axis))
                            .sum::<f64>();
                        let moves = &right[axis * columns.rank..(axis + 1) * columns.rank];
                        add_scaled(row, push, moves);
                    }
                }
            }
        }
    }
}

#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel; one call site
fn reduce_rows<S: Simd>(
    _: S,
    domains: &Domains,
    matrix: &BlockMatrix,
    first: usize,
    slots: &[Slot],
    rows: Range<usize>,
    rank: usize,
    sum: &mut [f64],
) {
    let pattern = matrix.pattern();
    let mut product = vec![0.0; 3 * rank];
    for i in rows {
        let own = &slots[i];
        let basis = domains.list[own.domain as usize].basis();
        product.fill(0.0);
        let begin = pattern.row_starts()[first + i] as usize;
        for (k, &column) in pattern.row(first + i).iter().enumerate() {
            let Some(j) = (column as usize).checked_sub(first) else {
                continue;
            };
            let other = &slots[j];
            if other.domain != own.domain {
                continue; // a contact between domains, see `add_contacts`
            }
            let block = matrix.blocks()[begin + k];
            let turned = turned(&own.frame.rotation, &block, &other.frame.rotation);
            let moves = basis.block(other.place as usize);
            for a in 0..3 {
                let into = &mut product[a * rank..(a + 1) * rank];
                for b in 0..3 {
                    axpy(into, turned.at(a, b), &moves[b * rank..(b + 1) * rank]);
                }
            }
        }
        let moves = basis.block(own.place as usize);
        for a in 0..3 {
            let row = &product[a * rank..(a + 1) * rank];
            for (m, into) in sum.chunks_exact_mut(rank).enumerate() {
                axpy(into, moves[a * rank + m], row);
            }
        }
    }
}

#[inline(always)]
fn axpy(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}

/// Aᵀ K B.
fn turned(a: &Mat3, k: &Mat3, b: &Mat3) -> Mat3 {
    a.transpose() * (*k * *b)
}
