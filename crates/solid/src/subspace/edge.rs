//! How full nodes at the edge of a region feel the coordinates: K_fs Û, dense, a block of three rows for a node and a domain.
//!
//! With it a product with the mixed matrix visits no node that the basis moves: y_f = K_ff x + (K_fs Û) q and y_q = (K_fs Û)ᵀ x + K̃ q.

use super::domain::Domains;
use super::reduce::Slot;
use fearless_simd::Simd;
use pliant_linalg::{BlockMatrix, Vec3, vectorize};
use rayon::prelude::*;

/// Blocks that one thread works on together. Fixed, so that no result depends on the number of threads.
const BATCH: usize = 256;

/// See the file header.
#[derive(Default)]
pub(crate) struct Edge {
    batches: Vec<Batch>,
}

#[derive(Default)]
struct Batch {
    /// Full node and domain, by node.
    keys: Vec<(u32, u32)>,
    /// Three rows of the domain's rank for each.
    values: Vec<f64>,
    /// Products: with the coordinates for each key, and with the nodes.
    pushed: Vec<Vec3>,
    pulled: Vec<f64>,
}

impl Edge {
    /// From the first `count` rows of a region's matrix, whose columns from there on are slaves.
    pub fn assemble(
        &mut self,
        domains: &Domains,
        matrix: &BlockMatrix,
        slaves: &[Slot],
        count: usize,
    ) {
        let mut keys: Vec<(u32, u32)> = Vec::new();
        let pattern = matrix.pattern();
        let mut own: Vec<u32> = Vec::new();
        for i in 0..count {
            let row = pattern.row(i);
            // columns ascend
            if row.last().is_none_or(|&last| (last as usize) < count) {
                continue;
            }
            let first = row.partition_point(|&j| (j as usize) < count);
            own.clear();
            own.extend(
                row[first..]
                    .iter()
                    .map(|&j| slaves[j as usize - count].domain),
            );
            own.sort_unstable();
            own.dedup();
            keys.extend(own.iter().map(|&domain| (i as u32, domain)));
        }
        self.batches.truncate(keys.len().div_ceil(BATCH));
        self.batches
            .resize_with(keys.len().div_ceil(BATCH), Batch::default);
        for (batch, keys) in self.batches.iter_mut().zip(keys.chunks(BATCH)) {
            batch.keys.clear();
            batch.keys.extend_from_slice(keys);
        }
        self.each(|batch| {
            vectorize!(simd => batch.fill(simd, domains, matrix, slaves, count));
        });
    }

    fn each(&mut self, work: impl Fn(&mut Batch) + Sync + Send) {
        match self.batches.len() {
            0 | 1 => self.batches.iter_mut().for_each(work),
            _ => self.batches.par_iter_mut().for_each(work),
        }
    }

    /// y_x += K_fs Û q and y_q += (K_fs Û)ᵀ x.
    pub fn multiply(
        &mut self,
        domains: &Domains,
        x: &[Vec3],
        q: &[f64],
        y_x: &mut [Vec3],
        y_q: &mut [f64],
    ) {
        self.each(|batch| {
            vectorize!(simd => batch.product(simd, domains, x, q));
        });
        for batch in &self.batches {
            for (&(node, _), &f) in batch.keys.iter().zip(&batch.pushed) {
                y_x[node as usize] += f;
            }
            super::domain::add_scaled(y_q, 1.0, &batch.pulled);
        }
    }
}

impl Batch {
    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        _: S,
        domains: &Domains,
        matrix: &BlockMatrix,
        slaves: &[Slot],
        count: usize,
    ) {
        let size = |&(_, domain): &(u32, u32)| 3 * domains.list[domain as usize].rank;
        self.values.clear();
        self.values.resize(self.keys.iter().map(size).sum(), 0.0);
        let pattern = matrix.pattern();
        let mut rest = &mut self.values[..];
        for key in &self.keys {
            let (into, after) = rest.split_at_mut(size(key));
            rest = after;
            let (node, domain) = (key.0 as usize, key.1);
            let basis = domains.list[domain as usize].basis();
            let rank = into.len() / 3;
            let begin = pattern.row_starts()[node] as usize;
            for (k, &j) in pattern.row(node).iter().enumerate() {
                let Some(slot) = (j as usize).checked_sub(count).map(|s| &slaves[s]) else {
                    continue;
                };
                if slot.domain != domain {
                    continue;
                }
                let block = matrix.blocks()[begin + k] * slot.frame.rotation;
                let moves = basis.block(slot.place as usize);
                for a in 0..3 {
                    let row = &mut into[a * rank..(a + 1) * rank];
                    for b in 0..3 {
                        axpy(row, block.at(a, b), &moves[b * rank..(b + 1) * rank]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn product<S: Simd>(&mut self, _: S, domains: &Domains, x: &[Vec3], q: &[f64]) {
        self.pushed.clear();
        self.pulled.clear();
        self.pulled.resize(q.len(), 0.0);
        let mut rest = &self.values[..];
        for &(node, domain) in &self.keys {
            let domain = &domains.list[domain as usize];
            let (own, after) = rest.split_at(3 * domain.rank);
            rest = after;
            let modes = domain.offset..domain.offset + domain.rank;
            let (q, pulled) = (&q[modes.clone()], &mut self.pulled[modes]);
            let mut f = Vec3::ZERO;
            for (axis, row) in own.chunks_exact(domain.rank.max(1)).enumerate() {
                f[axis] = row.iter().zip(q).map(|(k, q)| k * q).sum();
                axpy(pulled, x[node as usize][axis], row);
            }
            self.pushed.push(f);
        }
    }
}

#[inline(always)]
fn axpy(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * x;
    }
}
