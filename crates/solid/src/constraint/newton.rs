//! Semismooth Newton steps on the defect of all constraints [AC91], with dense elimination of the closed ones.
//!
//! Open contacts get λ = 0. With ẑ the direction of z = λ_t − ρ_t u_t, M = μλ_n/|z| (I − ẑẑᵀ) and A = W + Γ, the rest is
//!     sticking and equations:  ρ A dλ + ε dλ = −ρ ũ
//!     sliding:                 (I − M) dλ_t − μ ẑ dλ_n + M ρ_t (A dλ)_t = μ λ_n ẑ − λ_t.
//! ε > 0 keeps redundant constraints solvable; proximal rounds remove it from what can be solved. Rows and columns are
//! scaled by √ρ, which makes the sticking part symmetric with unit diagonal.

use super::cone::{Kind, Local};
use super::law::Problem;
use fearless_simd::Simd;
use pliant_linalg::{Mat3, Vec3, vec3, vectorize};

/// ε of the file header, relative to the unit diagonal.
const PROXIMAL: f64 = 1e-10;
/// Proximal steps with one elimination.
const ROUNDS: usize = 3;
/// Columns that are eliminated together.
const PANEL: usize = 8;
/// Most unknowns: above, one elimination would take longer than the rest of a step.
const MOST_UNKNOWNS: usize = 600;
/// Most unknowns for methods that take tens of steps.
const MOST_REPEATED: usize = 600;

/// Buffers of the steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Newton {
    /// First unknown of each constraint, and how many of its rows are unknowns (0 when open).
    places: Vec<(usize, usize)>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    /// Row exchanged with row k in step k.
    pivots: Vec<usize>,
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
    /// After how many sweeps a step is worth trying, or `None` if it is too large to be done. An elimination costs about
    /// as much as half of the unknowns in sweeps if all contacts are closed, and more where W is sparse.
    pub(super) fn cost_in_sweeps(locals: &[Local]) -> Option<usize> {
        let unknowns: usize = locals.iter().map(unknown_count).sum();
        (unknowns <= MOST_UNKNOWNS).then(|| (unknowns / 4).clamp(8, 150))
    }

    /// Whether tens of steps cost little enough.
    pub(super) fn can_be_repeated(locals: &[Local]) -> bool {
        locals.iter().map(unknown_count).sum::<usize>() <= MOST_REPEATED
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
        if !vectorize!(simd => factor(simd, &mut self.matrix, &mut self.pivots, m)) {
            return false;
        }
        // x ← (K + ε)⁻¹ (b + ε x), the proximal iteration: its limit solves K x = b
        self.solution.clear();
        self.solution.resize(m, 0.0);
        for _ in 0..ROUNDS {
            for (x, b) in self.solution.iter_mut().zip(&self.rhs) {
                *x = b + PROXIMAL * *x;
            }
            substitute(&self.matrix, &self.pivots, &mut self.solution);
        }
        if !self.solution.iter().all(|x| x.is_finite()) {
            return false;
        }
        for (i, local) in locals.iter().enumerate() {
            let (at, rows) = self.places[i];
            for r in 0..rows {
                impulses[i][r] += root(local.scale[r]) * self.solution[at + r];
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

/// L U with row exchanges in place, by panels of columns; L has a unit diagonal. False when a pivot vanishes.
#[inline(always)]
fn factor<S: Simd>(_simd: S, matrix: &mut [f64], pivots: &mut Vec<usize>, m: usize) -> bool {
    pivots.clear();
    for start in (0..m).step_by(PANEL) {
        let end = (start + PANEL).min(m);
        for k in start..end {
            let mut pivot = k;
            for r in k + 1..m {
                if matrix[r * m + k].abs() > matrix[pivot * m + k].abs() {
                    pivot = r;
                }
            }
            pivots.push(pivot);
            let size = matrix[pivot * m + k].abs();
            let usable = size > 1e-14 && size.is_finite();
            if !usable {
                return false;
            }
            if pivot != k {
                let (upper, lower) = matrix.split_at_mut(pivot * m);
                upper[k * m..][..m].swap_with_slice(&mut lower[..m]);
            }
            let (upper, lower) = matrix.split_at_mut((k + 1) * m);
            let line = &upper[k * m..][..end];
            let inverse = 1.0 / line[k];
            for below in lower.chunks_exact_mut(m) {
                let multiplier = below[k] * inverse;
                below[k] = multiplier;
                for c in k + 1..end {
                    below[c] -= multiplier * line[c];
                }
            }
        }
        if end == m {
            break;
        }
        // the rows of the panel, right of it
        for k in start + 1..end {
            let (upper, lower) = matrix.split_at_mut(k * m);
            let line = &mut lower[..m];
            for j in start..k {
                let multiplier = line[j];
                let above = &upper[j * m + end..][..m - end];
                for (entry, above) in line[end..].iter_mut().zip(above) {
                    *entry -= multiplier * above;
                }
            }
        }
        // everything below, one pass for the whole panel
        let (upper, lower) = matrix.split_at_mut(end * m);
        let mut lines = upper[start * m..].chunks_exact(m).map(|line| &line[end..]);
        let panel: [&[f64]; PANEL] = std::array::from_fn(|_| lines.next().unwrap_or_default());
        for below in lower.chunks_exact_mut(m) {
            let (left, right) = below.split_at_mut(end);
            let f = &left[start..];
            // whole rows of zeros are frequent where W is sparse
            if f.iter().all(|f| *f == 0.0) {
                continue;
            }
            let [p0, p1, p2, p3, p4, p5, p6, p7] = panel.map(|line| &line[..right.len()]);
            for (c, entry) in right.iter_mut().enumerate() {
                let first = f[0] * p0[c] + f[1] * p1[c] + f[2] * p2[c] + f[3] * p3[c];
                let second = f[4] * p4[c] + f[5] * p5[c] + f[6] * p6[c] + f[7] * p7[c];
                *entry -= first + second;
            }
        }
    }
    true
}

/// Solves with the factors; the solution replaces `x`.
fn substitute(matrix: &[f64], pivots: &[usize], x: &mut [f64]) {
    let m = x.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for (k, &pivot) in pivots.iter().enumerate() {
        x.swap(k, pivot);
    }
    for k in 1..m {
        x[k] -= dot(&matrix[k * m..][..k], &x[..k]);
    }
    for k in (0..m).rev() {
        let line = &matrix[k * m..][..m];
        x[k] = (x[k] - dot(&line[k + 1..], &x[k + 1..])) / line[k];
    }
}
