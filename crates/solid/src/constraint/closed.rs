//! The Newton method of `descent.rs` with W at hand: its cost grows with the constraints that push, not with all of them.
//!
//! Of many contacts that take part only some push. Products use the columns of impulses that are not zero; a step
//! assembles K = Rᵀ A C + D + ε of closed constraints and solves with it by GMRES, where ε keeps redundant constraints
//! solvable. The preconditioner is the Cholesky factor of the symmetric Rᵀ A R + D + ε (without the μ ẑ of sliding
//! contacts, see `tangent.rs`); that of an earlier step is used as long as it serves.

use super::cone::{Kind, Local};
use super::descent::{Machine, System, add_compliance};
use super::krylov::{Gmres, dot};
use super::product::{add_change, find_used, multiply, row_product_of, times_row};
use super::tangent::Tangent;
use pliant_linalg::{BlockRows, DenseLlt, Mat3, Vec3, vectorize};
use rayon::prelude::*;

/// ε, relative to the unit diagonal.
const PROXIMAL: f64 = 1e-10;
/// Most products of one inner iteration.
const MOST_INNER: usize = 40;
/// Unknowns up to which a factor costs less than the inner iterations that it saves.
const CHEAP_FACTOR: usize = 800;
/// Blocks of W or of K from which several threads share the work, which is then that of milliseconds.
const PARALLEL_BLOCKS: usize = 100_000;

/// Buffers that are kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedBuffers {
    gmres: Gmres,
    preconditioner: Preconditioner,
    scales: Vec<f64>,
    rhs: Vec<f64>,
    /// Constraints with unknowns.
    closed: Vec<u32>,
    /// Of every unknown: its constraint as a place in `closed`, and its scaled vectors of C and R.
    owners: Vec<u32>,
    columns: Vec<Vec3>,
    rows: Vec<Vec3>,
    /// K by rows, scaled.
    matrix: Vec<f64>,
    /// Rᵀ A R + D + ε, upper triangle by rows.
    symmetric: Vec<f64>,
    work: Vec<f64>,
    /// Places of impulses that are not zero.
    used: Vec<u32>,
}

/// One solve with W.
pub(super) struct Closed<'a> {
    delassus: &'a BlockRows,
    buffers: &'a mut ClosedBuffers,
    /// Inner iterations of the last step.
    inner: usize,
}

impl<'a> Closed<'a> {
    pub(super) fn new(delassus: &'a BlockRows, buffers: &'a mut ClosedBuffers) -> Closed<'a> {
        buffers.preconditioner.forget();
        Closed {
            delassus,
            buffers,
            inner: 0,
        }
    }

    /// Lists the closed constraints and what their unknowns are.
    fn arrange(&mut self, system: &System) {
        let buffers = &mut *self.buffers;
        system.scales(&mut buffers.scales);
        buffers.closed.clear();
        buffers.owners.clear();
        buffers.columns.clear();
        buffers.rows.clear();
        for (i, tangent) in system.tangents.iter().enumerate() {
            if tangent.width > 0 {
                for r in 0..tangent.width {
                    let scale = buffers.scales[buffers.owners.len()];
                    buffers.owners.push(buffers.closed.len() as u32);
                    buffers.columns.push(tangent.columns[r] * scale);
                    buffers.rows.push(tangent.rows[r] * scale);
                }
                buffers.closed.push(i as u32);
            }
        }
    }

    /// K, and its symmetric part when that will be factorised.
    fn assemble(&mut self, system: &System, factorise: bool) {
        let m = system.unknowns;
        let buffers = &mut *self.buffers;
        // every entry that is read will be written
        buffers.matrix.resize(m * m, 0.0);
        let kept = if factorise { m * m } else { 0 };
        buffers.symmetric.resize(kept, 0.0);
        let (mut matrix, mut symmetric) = (&mut buffers.matrix[..], &mut buffers.symmetric[..]);
        let mut lines = Vec::with_capacity(buffers.closed.len());
        for (place, &i) in buffers.closed.iter().enumerate() {
            let height = system.tangents[i as usize].width * m;
            let (first, rest) = matrix.split_at_mut(height);
            let (second, symmetric_rest) = symmetric.split_at_mut(height.min(symmetric.len()));
            (matrix, symmetric) = (rest, symmetric_rest);
            lines.push((place, first, second));
        }
        let view = Rows {
            delassus: self.delassus,
            system,
            closed: &buffers.closed,
            owners: &buffers.owners,
            columns: &buffers.columns,
            rows: &buffers.rows,
        };
        let fill = |products: &mut Vec<Vec3>, line: &mut (usize, &mut [f64], &mut [f64])| {
            view.fill(line.0, products, line.1, line.2);
        };
        if view.closed.len() * view.closed.len() > PARALLEL_BLOCKS {
            (lines.par_iter_mut().with_min_len(8)).for_each_init(Vec::new, fill);
        } else {
            let mut products = Vec::new();
            lines.iter_mut().for_each(|line| fill(&mut products, line));
        }
    }
}

/// What the rows of K are made of.
struct Rows<'a> {
    delassus: &'a BlockRows,
    system: &'a System,
    closed: &'a [u32],
    owners: &'a [u32],
    columns: &'a [Vec3],
    rows: &'a [Vec3],
}

impl Rows<'_> {
    /// The rows of one closed constraint of K, and from the diagonal on those of the symmetric part if there is space.
    fn fill(
        &self,
        place: usize,
        products: &mut Vec<Vec3>,
        matrix: &mut [f64],
        symmetric: &mut [f64],
    ) {
        let m = self.owners.len();
        let i = self.closed[place] as usize;
        let at = self.system.starts[i];
        let (columns, blocks) = self.delassus.row(i);
        let dense = columns.len() == self.system.tangents.len();
        products.clear();
        products.resize(self.closed.len(), Vec3::ZERO);
        for (r, line) in matrix.chunks_exact_mut(m).enumerate() {
            // rᵀ A, by constraints
            let row = self.rows[at + r];
            if dense {
                for (product, &j) in products.iter_mut().zip(self.closed) {
                    *product = times_row(&blocks[j as usize], row);
                }
            } else {
                for (&j, block) in columns.iter().zip(blocks) {
                    if let Ok(found) = self.closed.binary_search(&j) {
                        products[found] = times_row(block, row);
                    }
                }
            }
            products[place] = times_row(&self.system.locals[i].block, row);
            let vectors = self.owners.iter().zip(self.columns);
            for (entry, (&owner, &column)) in line.iter_mut().zip(vectors) {
                *entry = products[owner as usize].dot(column);
            }
            let own = self.system.tangents[i].own[r] * row.norm_squared();
            line[at + r] += own + PROXIMAL;
            if let Some(line) = symmetric.get_mut(r * m..(r + 1) * m) {
                let vectors = self.owners[at..].iter().zip(&self.rows[at..]);
                for (entry, (&owner, &row)) in line[at..].iter_mut().zip(vectors) {
                    *entry = products[owner as usize].dot(row);
                }
                line[at + r] += own + PROXIMAL;
            }
        }
    }
}

/// The factor of a step, which other steps may use.
#[derive(Clone, Debug, Default)]
struct Preconditioner {
    factor: DenseLlt,
    tangents: Vec<Tangent>,
    starts: Vec<usize>,
    scales: Vec<f64>,
    work: Vec<f64>,
    /// Whether the factor is that of the present step.
    fresh: bool,
}

impl Preconditioner {
    fn forget(&mut self) {
        self.tangents.clear();
    }

    /// Whether few enough constraints have unknowns that the factor does not know.
    fn serves(&self, system: &System, inner: usize) -> bool {
        // a factor takes as long as so many inner iterations
        let slow = system.unknowns / 128;
        if self.tangents.is_empty() || system.unknowns <= CHEAP_FACTOR || inner > slow {
            return false;
        }
        let both = self.tangents.iter().zip(&system.tangents);
        let strange = both.filter(|(old, new)| new.width > old.width).count();
        50 * strange < system.unknowns
    }

    fn renew(&mut self, system: &System, scales: &[f64], symmetric: &[f64]) {
        let m = system.unknowns;
        self.fresh = self.factor.factor(m, |column, entries| {
            entries.copy_from_slice(&symmetric[column * m + column..(column + 1) * m]);
        });
        self.tangents.clone_from(&system.tangents);
        self.starts.clone_from(&system.starts);
        self.scales.clear();
        self.scales.extend_from_slice(scales);
        if !self.fresh {
            self.forget();
        }
    }

    /// x ← P⁻¹ x in scaled unknowns. With the factor of another step, rates go through the directions that both know; the
    /// rest is divided by the diagonal.
    fn apply(&mut self, system: &System, scales: &[f64], x: &mut [f64]) {
        if self.fresh {
            self.factor.solve(x);
            return;
        }
        if self.tangents.is_empty() {
            return;
        }
        self.work.clear();
        self.work.resize(self.factor.size(), 0.0);
        let both = || self.tangents.iter().zip(&system.tangents);
        let places = || self.starts.iter().zip(&system.starts);
        for ((old, new), (&old_at, &at)) in both().zip(places()) {
            let mut rate = Vec3::ZERO;
            for r in 0..new.width {
                rate += new.rows[r] * (x[at + r] / scales[at + r]);
            }
            for k in 0..old.width {
                let known = old.rows[k].dot(rate);
                self.work[old_at + k] = known * self.scales[old_at + k];
                rate -= old.rows[k] * known;
            }
            for r in 0..new.width {
                x[at + r] = scales[at + r] * new.rows[r].dot(rate);
            }
        }
        self.factor.solve(&mut self.work);
        for ((old, new), (&old_at, &at)) in both().zip(places()) {
            let mut impulse = Vec3::ZERO;
            for k in 0..old.width {
                impulse += old.rows[k] * (self.work[old_at + k] * self.scales[old_at + k]);
            }
            for r in 0..new.width {
                x[at + r] += new.rows[r].dot(impulse) / scales[at + r];
            }
        }
    }
}

impl Machine for Closed<'_> {
    fn diagonal(&self, i: usize) -> Mat3 {
        self.delassus.block(i, i)
    }

    fn product(&mut self, x: &[Vec3], y: &mut [Vec3]) -> usize {
        multiply(self.delassus, x, &mut self.buffers.used, y);
        0
    }

    fn newton(
        &mut self,
        system: &System,
        forcing: f64,
        _most: usize,
        direction: &mut [Vec3],
        response: &mut [Vec3],
    ) -> usize {
        let m = system.unknowns;
        self.arrange(system);
        let buffers = &mut *self.buffers;
        // what the offsets do, only where it is asked for
        response.fill(Vec3::ZERO);
        find_used(direction, &mut buffers.used);
        if !buffers.used.is_empty() {
            for &i in &buffers.closed {
                let i = i as usize;
                let product = row_product_of(self.delassus, i, direction, &buffers.used);
                response[i] = system.locals[i].compliant(product, direction[i]);
            }
        }
        system.right_hand_side(response, &buffers.scales, &mut buffers.rhs);
        let serves = buffers.preconditioner.serves(system, self.inner);
        self.assemble(system, !serves);
        let ClosedBuffers {
            gmres,
            preconditioner,
            scales,
            rhs,
            matrix,
            symmetric,
            work,
            ..
        } = &mut *self.buffers;
        if serves {
            preconditioner.fresh = false;
        } else {
            preconditioner.renew(system, scales, symmetric);
        }
        work.clear();
        work.resize(m, 0.0);
        self.inner = gmres.solve(rhs, forcing, MOST_INNER, |_, basis, product| {
            work.copy_from_slice(basis);
            preconditioner.apply(system, scales, work);
            multiply_rows(matrix, work, product);
        });
        work.fill(0.0);
        for (basis, &part) in gmres.basis.iter().zip(&gmres.parts) {
            for (sum, b) in work.iter_mut().zip(basis) {
                *sum += part * b;
            }
        }
        preconditioner.apply(system, scales, work);
        for (x, scale) in work.iter_mut().zip(scales.iter()) {
            *x *= scale;
        }
        let all = system.tangents.iter().zip(&system.starts);
        for (direction, (tangent, &start)) in direction.iter_mut().zip(all) {
            *direction += tangent.expand(&work[start..start + tangent.width]);
        }
        multiply(self.delassus, direction, &mut self.buffers.used, response);
        add_compliance(&system.locals, direction, response);
        1
    }

    /// A sweep in index order that keeps ũ up to date: open contacts that stay open cost nothing.
    fn relax(&mut self, locals: &[Local], impulses: &mut [Vec3], rates: &mut [Vec3]) -> usize {
        for (i, local) in locals.iter().enumerate() {
            let (old, u) = (impulses[i], rates[i]);
            let bilateral = matches!(local.kind, Kind::Equality { .. });
            if !bilateral && old == Vec3::ZERO && u.x >= 0.0 {
                continue;
            }
            let new = local.solve(u - local.block * old);
            let change = new - old;
            if change == Vec3::ZERO {
                continue;
            }
            impulses[i] = new;
            add_change(self.delassus, i, change, 0..locals.len(), rates);
            rates[i] += local.compliance.scale(change);
        }
        1
    }
}

/// y = M x by rows.
fn multiply_rows(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let lines = matrix.chunks_exact(x.len().max(1));
    let parallel = matrix.len() > 9 * PARALLEL_BLOCKS;
    if parallel {
        let lines = matrix.par_chunks_exact(x.len()).with_min_len(64);
        lines.zip(y).for_each(|(line, y)| {
            *y = vectorize!(_simd => dot(line, x));
        });
    } else {
        for (y, line) in y.iter_mut().zip(lines) {
            *y = vectorize!(_simd => dot(line, x));
        }
    }
}
