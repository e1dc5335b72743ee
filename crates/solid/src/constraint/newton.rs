//! Semismooth Newton steps on the defect of all constraints [AC91], with dense elimination of the closed ones.
//!
//! Open contacts get λ = 0. With ẑ the direction of z = λ_t − ρ_t u_t, M = μλ_n/|z| (I − ẑẑᵀ) and A = W + Γ, the rest is
//!     sticking and equations:  ρ A dλ + ε dλ = −ρ ũ
//!     sliding:                 (I − M) dλ_t − μ ẑ dλ_n + M ρ_t (A dλ)_t = μ λ_n ẑ − λ_t.
//! ε > 0 keeps redundant constraints solvable: a proximal step, whose fixed point is that of ε = 0. Rows and columns are
//! scaled by √ρ, which makes the sticking part symmetric with unit diagonal.

use super::cone::{Kind, Local};
use super::law::Problem;
use pliant_linalg::{Mat3, Vec3, vec3};

/// ε of the file header, relative to the unit diagonal.
const PROXIMAL: f64 = 1e-10;
/// Most unknowns: above, one elimination would take most of a second.
const MOST_UNKNOWNS: usize = 1200;

/// Buffers of the steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    /// First unknown of each constraint, and how many of its rows are unknowns (0 when open).
    places: Vec<(usize, usize)>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
}

/// What a closed constraint contributes: R (A dλ)_i + D dλ_i = F.
struct Row {
    /// R, applied to the block row of A.
    rate: Mat3,
    /// D, without ε.
    own: Mat3,
    /// F.
    rhs: Vec3,
}

impl Newton {
    /// About how many sweeps one step costs if every contact is closed, or `None` if that is too large to be done.
    pub(super) fn cost_in_sweeps(&self, locals: &[Local]) -> Option<usize> {
        let unknowns: usize = locals.iter().map(unknown_count).sum();
        (unknowns <= MOST_UNKNOWNS).then(|| (unknowns / 8).clamp(8, 100))
    }

    /// Replaces `impulses` by those of the next step; `rates` is ũ at the old ones. False when the matrix is singular,
    /// and then the impulses have not changed.
    pub(super) fn step(
        &mut self,
        problem: &Problem,
        locals: &[Local],
        rates: &[Vec3],
        impulses: &mut [Vec3],
    ) -> bool {
        let mut m = 0;
        self.places.clear();
        for ((local, &lambda), &u) in locals.iter().zip(impulses.iter()).zip(rates) {
            let bilateral = matches!(local.kind, Kind::Equality { .. });
            let closed = bilateral || lambda.x - local.scale.x * u.x > 0.0;
            let rows = if closed { unknown_count(local) } else { 0 };
            self.places.push((m, rows));
            m += rows;
        }
        if m == 0 || m > MOST_UNKNOWNS {
            return false;
        }
        self.matrix.clear();
        self.matrix.resize(m * m, 0.0);
        self.rhs.clear();
        self.rhs.resize(m, 0.0);
        for (i, local) in locals.iter().enumerate() {
            let (at, rows) = self.places[i];
            if rows > 0 {
                let row = row_of(local, impulses[i], rates[i]);
                self.assemble(problem, locals, impulses, i, &row, m, at, rows);
            }
        }
        if !eliminate(&mut self.matrix, &mut self.rhs) {
            return false;
        }
        for (i, local) in locals.iter().enumerate() {
            let (at, rows) = self.places[i];
            for r in 0..rows {
                impulses[i][r] += root(local.scale[r]) * self.rhs[at + r];
            }
            if rows == 0 {
                impulses[i] = Vec3::ZERO;
            }
        }
        true
    }

    #[allow(clippy::too_many_arguments)]
    fn assemble(
        &mut self,
        problem: &Problem,
        locals: &[Local],
        impulses: &[Vec3],
        i: usize,
        row: &Row,
        m: usize,
        at: usize,
        rows: usize,
    ) {
        let local = &locals[i];
        let left = local.scale;
        let (columns, blocks) = problem.delassus.row(i);
        // what the impulses that are let go of contributed
        let mut released = Vec3::ZERO;
        for (&j, block) in columns.iter().zip(blocks) {
            let j = j as usize;
            let (column, width) = self.places[j];
            if width == 0 {
                released += *block * impulses[j];
                continue;
            }
            let entries = if i == j {
                row.rate * local.block + row.own + Mat3::IDENTITY * PROXIMAL
            } else {
                row.rate * *block
            };
            for r in 0..rows {
                let line = &mut self.matrix[(at + r) * m + column..][..width];
                for (c, entry) in line.iter_mut().enumerate() {
                    *entry = entries.at(r, c) * root(locals[j].scale[c]) / root(left[r]);
                }
            }
        }
        let rhs = row.rhs + row.rate * released;
        for r in 0..rows {
            self.rhs[at + r] = rhs[r] / root(left[r]);
        }
    }
}

/// √ρ, one for rows that cannot move.
fn root(scale: f64) -> f64 {
    if scale > 0.0 { scale.sqrt() } else { 1.0 }
}

/// Rows of a closed constraint that are unknowns.
fn unknown_count(local: &Local) -> usize {
    match local.kind {
        Kind::Frozen => 0,
        Kind::Unilateral => 1,
        Kind::Cone { .. } | Kind::Box { .. } if local.scale.y == 0.0 => 1,
        Kind::Cone { .. } | Kind::Box { .. } => 3,
        Kind::Equality { .. } => (0..3).rfind(|&r| local.scale[r] > 0.0).map_or(0, |r| r + 1),
    }
}

fn row_of(local: &Local, lambda: Vec3, u: Vec3) -> Row {
    let rho = local.scale;
    let mut row = Row {
        rate: Mat3::diagonal(rho),
        own: Mat3::ZERO,
        rhs: -rho.scale(u),
    };
    let bound = |friction: f64| friction * lambda.x.max(0.0);
    match local.kind {
        Kind::Equality { .. } => {
            // a row that cannot move keeps its impulse
            for r in 0..3 {
                if rho[r] == 0.0 {
                    row.own.set(r, r, 1.0);
                }
            }
        }
        Kind::Box { friction } => {
            for r in 1..3 {
                let z = lambda[r] - rho[r] * u[r];
                if z.abs() > bound(friction) {
                    row.rate.set(r, r, 0.0);
                    row.own.set(r, r, 1.0);
                    row.own.set(r, 0, -friction * z.signum());
                    row.rhs[r] = friction * lambda.x * z.signum() - lambda[r];
                }
            }
        }
        Kind::Cone { friction, .. } => {
            let z = vec3(0.0, lambda.y - rho.y * u.y, lambda.z - rho.z * u.z);
            let size = z.norm();
            if size > bound(friction) {
                let e = z * (1.0 / size);
                let across = bound(friction) / size;
                for r in 1..3 {
                    for c in 1..3 {
                        let kept = if r == c { 1.0 } else { 0.0 };
                        let mobile = across * (kept - e[r] * e[c]);
                        row.rate.set(r, c, mobile * rho[r]);
                        row.own.set(r, c, kept - mobile);
                    }
                    row.own.set(r, 0, -friction * e[r]);
                    row.rhs[r] = friction * lambda.x * e[r] - lambda[r];
                }
            }
        }
        Kind::Frozen | Kind::Unilateral => {}
    }
    row
}

/// Gaussian elimination with row pivots; the solution replaces `rhs`. False when a pivot vanishes.
fn eliminate(matrix: &mut [f64], rhs: &mut [f64]) -> bool {
    let m = rhs.len();
    for k in 0..m {
        let mut pivot = k;
        for r in k + 1..m {
            if matrix[r * m + k].abs() > matrix[pivot * m + k].abs() {
                pivot = r;
            }
        }
        let size = matrix[pivot * m + k].abs();
        if !(size > 1e-14 && size.is_finite()) {
            return false;
        }
        if pivot != k {
            let (upper, lower) = matrix.split_at_mut(pivot * m);
            upper[k * m..][..m].swap_with_slice(&mut lower[..m]);
            rhs.swap(k, pivot);
        }
        let (upper, lower) = matrix.split_at_mut((k + 1) * m);
        let line = &upper[k * m + k + 1..];
        let inverse = 1.0 / upper[k * m + k];
        let own = rhs[k];
        for (below, value) in lower.chunks_exact_mut(m).zip(&mut rhs[k + 1..]) {
            let factor = below[k] * inverse;
            if factor != 0.0 {
                for (entry, &pivot) in below[k + 1..].iter_mut().zip(line) {
                    *entry -= factor * pivot;
                }
                *value -= factor * own;
            }
        }
    }
    for k in (0..m).rev() {
        let line = &matrix[k * m..][..m];
        let known: f64 = (line[k + 1..].iter().zip(&rhs[k + 1..]))
            .map(|(a, x)| a * x)
            .sum();
        rhs[k] = (rhs[k] - known) / line[k];
    }
    rhs.iter().all(|x| x.is_finite())
}
