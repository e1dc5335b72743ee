//! Solves the mixed system of [TMDK15, Eq. 11], iteratively or directly.
//!
//! Conjugate gradients: 3×3 blocks of the diagonal on the full part and the explicit factor of K̃ on the coordinates precondition; a
//! product costs the blocks of full nodes and the dense blocks of those at the edge (`edge.rs`). Direct: a sparse factor of K_ff, and the coordinates eliminated
//! as a dense border, S = K̃ − Bᵀ K_ff⁻¹ B with B = K_fs Û.

use super::domain::Domains;
use super::problem::{Mixed, Problem};
use super::settings::{SubspaceLinear, SubspaceSettings};
use crate::solver::SolveReport;
use pliant_linalg::reduce::fold;
use pliant_linalg::{
    BlockMatrix, BlockPattern, DenseLlt, Llt, LltSymbolic, Mat3, SolveError, SolveScratch, Vec3,
};
use std::sync::Arc;

/// Added to the diagonal of K̃, relative to its mean: what is left of a domain may be fewer nodes than modes. The mean is at least that of
/// masses and springs of whole domains, since what is left of those is known to their rounding only.
const RIDGE: f64 = 1e-12;

/// How often the ridge grows thousandfold before a matrix is given up.
const RIDGES: usize = 4;

/// Full nodes from which passes over them are worth a second thread.
const PARALLEL: usize = 1024;

/// Vectors of a pass: those that change, and those that do not.
type Parts<'a> = (
    (&'a mut [Vec3], &'a mut [Vec3], &'a mut [Vec3]),
    (&'a [Vec3], &'a [Vec3], &'a [Mat3]),
);

/// Solvers with their memory.
#[derive(Default)]
pub(crate) struct MixedSolver {
    /// Of K̃ or of S.
    reduced: DenseLlt,
    blocks: Vec<Mat3>,
    motion: Vec<Vec3>,
    vectors: [Mixed; 4],
    /// Pattern of the full nodes, where each of its blocks is in the region's matrix, and its factor.
    part: Option<Part>,
    scratch: SolveScratch,
    columns: Vec<f64>,
    /// What the last factor has added to the diagonal of K̃.
    ridge: f64,
}

struct Part {
    whole: Arc<BlockPattern>,
    matrix: BlockMatrix,
    positions: Vec<u32>,
    llt: Llt,
}

impl MixedSolver {
    /// x ← A⁻¹ b; iterations stop at a relative residual of `tolerance`.
    pub fn solve(
        &mut self,
        domains: &Domains,
        problem: &mut Problem,
        settings: &SubspaceSettings,
        tolerance: f64,
        b: &Mixed,
        x: &mut Mixed,
    ) -> Result<SolveReport, SolveError> {
        x.resize(problem.full.len(), domains.rank);
        x.fill_zero();
        if problem.full.is_empty() {
            // a subspace-only step [TMDK15, Alg. 1]; fading nodes are in the border
            self.factor(domains, problem, |_, _| 0.0)?;
            x.q.copy_from_slice(&b.q);
            self.reduced.solve(&mut x.q);
            return Ok(exact());
        }
        match settings.linear {
            SubspaceLinear::Direct => self.solve_directly(domains, problem, b, x),
            SubspaceLinear::Pcg => self.iterate(domains, problem, settings, tolerance, b, x),
        }
    }

    /// Factorises K̃ less `minus(row, column)`.
    fn factor(
        &mut self,
        domains: &Domains,
        problem: &Problem,
        minus: impl Fn(usize, usize) -> f64,
    ) -> Result<(), SolveError> {
        let rank = domains.rank;
        let mut dead = vec![false; rank];
        for (domain, _) in domains
            .list
            .iter()
            .zip(&problem.present.alive)
            .filter(|(_, alive)| !**alive)
        {
            dead[domain.offset..domain.offset + domain.rank].fill(true);
        }
        let entry = |i: usize, j: usize| problem.inner[i * rank + j] + problem.border[i * rank + j];
        let trace: f64 = (0..rank).map(|i| entry(i, i)).sum();
        let mean = trace.max(problem.whole_trace()) / rank.max(1) as f64;
        let mut ridge = RIDGE * if mean > 0.0 { mean } else { 1.0 };
        for _ in 0..RIDGES {
            let good = self.reduced.factor(rank, |j, column| {
                for (i, value) in (j..rank).zip(column) {
                    *value = match (dead[i] || dead[j], i == j) {
                        (true, true) => 1.0,
                        (true, false) => 0.0,
                        (false, same) => entry(i, j) - minus(i, j) + if same { ridge } else { 0.0 },
                    };
                }
            });
            if good {
                self.ridge = ridge;
                return Ok(());
            }
            ridge *= 1e3;
        }
        Err(SolveError::NotPositiveDefinite {
            node: 0,
            axis: 0,
            value: mean,
        })
    }

    /// y ← A p, without the rows of held coordinates.
    pub fn multiply(&mut self, domains: &Domains, problem: &mut Problem, p: &Mixed, y: &mut Mixed) {
        let (count, rank) = (problem.full.len(), domains.rank);
        y.resize(count, rank);
        // slaves stand still here: what they do is in the edge and in K̃
        self.motion.clear();
        self.motion.extend_from_slice(&p.x);
        self.motion
            .resize(problem.region.patch.positions.len(), Vec3::ZERO);
        let matrix = &problem.region.patch.matrix;
        matrix.multiply_part(0..count, &self.motion, &mut y.x);
        let rows = problem.inner.chunks_exact(rank.max(1));
        let rows = rows.zip(problem.border.chunks_exact(rank.max(1)));
        // the ridge as in the factor: what is left of a domain may leave coordinates without stiffness, and rounding would make it negative
        for ((y, own), (inner, border)) in y.q.iter_mut().zip(&p.q).zip(rows) {
            let terms = inner.iter().zip(border).zip(&p.q);
            *y = self.ridge * own + terms.map(|((a, b), p)| (a + b) * p).sum::<f64>();
        }
        (problem.edge).multiply(domains, &p.x, &p.q, &mut y.x, &mut y.q);
        for &(node, axis) in &problem.held {
            y.x[node as usize][axis] = 0.0;
        }
        mask(domains, problem, y);
    }

    /// x += s p, r −= s A p, z ← M⁻¹ r; returns rᵀr and rᵀz.
    fn advance(&self, s: f64, [x, p, product, r, z]: [&mut Mixed; 5]) -> [f64; 2] {
        let parts = (
            (&mut x.x[..], &mut r.x[..], &mut z.x[..]),
            (&p.x[..], &product.x[..], &self.blocks[..]),
        );
        let parallel = p.x.len() >= PARALLEL;
        let mut sums = fold(
            parts,
            parallel,
            &|((x, r, z), (p, product, blocks)): Parts<'_>| {
                let mut sums = [0.0; 2];
                for i in 0..x.len() {
                    x[i] += p[i] * s;
                    r[i] -= product[i] * s;
                    z[i] = blocks[i] * r[i];
                    sums[0] += r[i].norm_squared();
                    sums[1] += r[i].dot(z[i]);
                }
                sums
            },
        );
        super::domain::add_scaled(&mut x.q, s, &p.q);
        super::domain::add_scaled(&mut r.q, -s, &product.q);
        z.q.copy_from_slice(&r.q);
        self.reduced.solve(&mut z.q);
        for (r, z) in r.q.iter().zip(&z.q) {
            sums[0] += r * r;
            sums[1] += r * z;
        }
        sums
    }

    fn iterate(
        &mut self,
        domains: &Domains,
        problem: &mut Problem,
        settings: &SubspaceSettings,
        tolerance: f64,
        b: &Mixed,
        x: &mut Mixed,
    ) -> Result<SolveReport, SolveError> {
        self.factor(domains, problem, |_, _| 0.0)?;
        self.blocks.clear();
        let diagonal = problem.region.patch.matrix.diagonal_blocks();
        for (block, node) in diagonal.zip(&problem.full) {
            self.blocks.push(inverse_of(block, node.held));
        }
        let [mut r, mut z, mut p, mut product] = std::mem::take(&mut self.vectors);
        for vector in [&mut r, &mut z, &mut p, &mut product] {
            vector.resize(problem.full.len(), domains.rank);
        }
        r.copy_from(b);
        p.fill_zero();
        product.fill_zero();
        let mut report = exact();
        let [start, mut along] = self.advance(0.0, [&mut *x, &mut p, &mut product, &mut r, &mut z]);
        let mut squared = start;
        p.copy_from(&z);
        let mut result = Ok(());
        loop {
            report.relative_residual = match start > 0.0 {
                true => (squared / start).sqrt(),
                false => 0.0,
            };
            if report.relative_residual <= tolerance || along == 0.0 {
                break;
            }
            if report.iterations == settings.max_iterations {
                report.converged = false;
                break;
            }
            report.iterations += 1;
            self.multiply(domains, problem, &p, &mut product);
            let curvature = p.dot(&product);
            if !(curvature > 0.0 && along > 0.0) {
                let operator = if along > 0.0 {
                    "matrix"
                } else {
                    "preconditioner"
                };
                let value = if along > 0.0 { curvature } else { along };
                let iteration = report.iterations;
                result = Err(SolveError::NegativeCurvature {
                    operator,
                    value,
                    iteration,
                });
                break;
            }
            let step = along / curvature;
            let [next_squared, next] =
                self.advance(step, [&mut *x, &mut p, &mut product, &mut r, &mut z]);
            squared = next_squared;
            let turn = next / along;
            along = next;
            pliant_linalg::reduce::scale_add(&mut p.x, turn, &z.x);
            for (p, z) in p.q.iter_mut().zip(&z.q) {
                *p = z + turn * *p;
            }
        }
        self.vectors = [r, z, p, product];
        result.map(|()| report)
    }

    fn solve_directly(
        &mut self,
        domains: &Domains,
        problem: &Problem,
        b: &Mixed,
        x: &mut Mixed,
    ) -> Result<SolveReport, SolveError> {
        let (count, rank) = (problem.full.len(), domains.rank);
        self.factor_part(problem)?;
        let Some(part) = &self.part else {
            return Err(SolveError::NotFactorized);
        };
        // columns of B for the domains that touch the region, then those of K_ff⁻¹ B
        let mut touched: Vec<usize> = problem.slaves.iter().map(|s| s.domain as usize).collect();
        touched.dedup();
        let modes: Vec<usize> = (touched.iter())
            .flat_map(|&d| (0..domains.list[d].rank).map(move |m| domains.list[d].offset + m))
            .collect();
        let size = 3 * count;
        let mut border = vec![0.0; size * modes.len()];
        let matrix = &problem.region.patch.matrix;
        let pattern = matrix.pattern();
        let mut first = 0;
        for &domain in &touched {
            let own = &domains.list[domain];
            for (place, slot) in problem
                .slaves
                .iter()
                .enumerate()
                .filter(|(_, s)| s.domain as usize == domain)
            {
                let row = count + place;
                let begin = pattern.row_starts()[row] as usize;
                for (k, &column) in pattern.row(row).iter().enumerate() {
                    let i = column as usize;
                    if i >= count {
                        break;
                    }
                    // K_is = K_siᵀ; times R, then U
                    let block = matrix.blocks()[begin + k].transpose() * slot.frame.rotation;
                    let moves = own.basis().block(slot.place as usize);
                    for mode in 0..own.rank {
                        let u = Vec3::new(
                            moves[mode],
                            moves[own.rank + mode],
                            moves[2 * own.rank + mode],
                        );
                        let f = block * u;
                        let at = (first + mode) * size + 3 * i;
                        for axis in (0..3).filter(|&a| !problem.full[i].held[a]) {
                            border[at + axis] += f[axis];
                        }
                    }
                }
            }
            first += own.rank;
        }
        self.columns.clone_from(&border);
        part.llt
            .solve_many(modes.len(), &mut self.columns, &mut self.scratch)?;
        let mut free: Vec<Vec3> = b.x.clone();
        part.llt.solve(&mut free, &mut self.scratch)?;
        let columns = std::mem::take(&mut self.columns);
        let mut schur = vec![0.0; rank * rank];
        for (i, &mode) in modes.iter().enumerate() {
            for (j, &other) in modes.iter().enumerate().skip(i) {
                let [a, b] =
                    [(i, &border), (j, &columns)].map(|(k, c)| &c[k * size..(k + 1) * size]);
                let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                schur[mode * rank + other] = product;
                schur[other * rank + mode] = product;
            }
        }
        self.factor(domains, problem, |i, j| schur[i * rank + j])?;
        x.q.copy_from_slice(&b.q);
        for (i, &mode) in modes.iter().enumerate() {
            let column = &columns[i * size..(i + 1) * size];
            let known = pliant_linalg::flat(&b.x).iter().zip(column);
            x.q[mode] -= known.map(|(a, b)| a * b).sum::<f64>();
        }
        mask(domains, problem, x);
        self.reduced.solve(&mut x.q);
        x.x.copy_from_slice(&free);
        for (i, &mode) in modes.iter().enumerate() {
            let column = &columns[i * size..(i + 1) * size];
            super::domain::add_scaled(pliant_linalg::flat_mut(&mut x.x), -x.q[mode], column);
        }
        self.columns = columns;
        Ok(exact())
    }

    /// Factorises the full part; held coordinates are identities.
    fn factor_part(&mut self, problem: &Problem) -> Result<(), SolveError> {
        let whole = problem.region.patch.matrix.pattern();
        let count = problem.full.len();
        if !self
            .part
            .as_ref()
            .is_some_and(|part| Arc::ptr_eq(&part.whole, whole))
        {
            let mut edges = Vec::new();
            for i in 0..count {
                let columns = whole.row(i).iter().filter(|&&j| (j as usize) < count);
                edges.extend(columns.map(|&j| [i as u32, j]));
            }
            let pattern = Arc::new(BlockPattern::from_edges(count, &edges)?);
            let mut positions = Vec::with_capacity(pattern.block_count());
            for i in 0..count {
                let found = pattern
                    .row(i)
                    .iter()
                    .map(|&j| whole.position(i, j as usize));
                positions.extend(found.map(|p| p.unwrap_or(0) as u32));
            }
            let llt = Llt::new(Arc::new(LltSymbolic::new(&pattern)?));
            self.part = Some(Part {
                whole: whole.clone(),
                matrix: BlockMatrix::new(pattern),
                positions,
                llt,
            });
        }
        let Some(part) = &mut self.part else {
            return Ok(());
        };
        let blocks = problem.region.patch.matrix.blocks();
        for (block, &position) in part.matrix.blocks_mut().iter_mut().zip(&part.positions) {
            *block = blocks[position as usize];
        }
        let held = problem.full.iter().zip(0u32..);
        let dofs: Vec<u32> = held
            .flat_map(|(node, i)| {
                (0..3)
                    .filter(move |&a| node.held[a as usize])
                    .map(move |a| 3 * i + a)
            })
            .collect();
        part.matrix.mask_dofs(&dofs, 1.0)?;
        part.llt.factorize(&part.matrix)
    }
}

fn mask(domains: &Domains, problem: &Problem, y: &mut Mixed) {
    for (domain, alive) in domains.list.iter().zip(&problem.present.alive) {
        if !alive {
            y.q[domain.offset..domain.offset + domain.rank].fill(0.0);
        }
    }
}

/// Inverse of a diagonal block, with identities for held coordinates; of a singular one the inverse of its diagonal.
fn inverse_of(mut block: Mat3, held: [bool; 3]) -> Mat3 {
    for axis in (0..3).filter(|&axis| held[axis]) {
        for other in 0..3 {
            block.set(axis, other, 0.0);
            block.set(other, axis, 0.0);
        }
        block.set(axis, axis, 1.0);
    }
    match block.inverse().filter(Mat3::is_finite) {
        Some(inverse) => inverse,
        None => Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) / block.trace().max(f64::MIN_POSITIVE)),
    }
}

fn exact() -> SolveReport {
    SolveReport {
        converged: true,
        ..SolveReport::default()
    }
}
