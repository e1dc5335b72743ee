//! One constraint by itself: the exact solution of its law for a 3×3 block, and the defect of a given impulse.
//!
//! Contact, with d the rates at λ = 0 and A the block (compliance included): open if d_n ≥ 0. Otherwise the sliding law
//! u_t = −s λ_t, s ≥ 0, eliminates everything but s: with B = A_tt − a_tn a_tnᵀ/a_nn and r = d_t − a_tn d_n/a_nn
//!     λ_t(s) = −(B + s)⁻¹ r,    λ_n(s) = −(d_n + a_tn·λ_t(s))/a_nn.
//! s = 0 sticks. If that is outside of the cone, μ λ_n/|λ_t| − 1 rises from below zero at s = 0 to +∞ (where it is
//! asymptotically linear, as in trust-region methods), so that a bracketed Newton iteration always finds a slip.
//! For large μ there can be more solutions; each root satisfies the law.

use super::law::{Friction, Law};
use pliant_linalg::{Mat3, Vec3, vec3};

/// Diagonal entries and eigenvalues below this part of the largest count as zero: directions that cannot move.
const NEGLIGIBLE: f64 = 1e-13;

/// A constraint prepared for many local solves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Local {
    /// Diagonal block of W, with compliance: A.
    pub(super) block: Mat3,
    /// γ by row, the pull included.
    pub(super) compliance: Vec3,
    /// ε/ρ by row, see `Local::new`.
    pub(super) pull: Vec3,
    /// ρ, impulse per velocity by row, the scale of the defect; zero in rows that are unused or cannot move.
    pub(super) scale: Vec3,
    pub(super) kind: Kind,
}

/// The laws of [`Law`], with what their local solution needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Kind {
    /// Nothing moves: no impulse.
    #[default]
    Frozen,
    /// Row 0 only, impulse ≥ 0: also contacts without friction.
    Unilateral,
    Cone {
        friction: f64,
        /// Eigenvalues of B, an orthonormal eigenvector (cos, sin) of the first; a_tn/a_nn in that basis.
        stiffness: [f64; 2],
        axis: [f64; 2],
        coupling: [f64; 2],
    },
    Box {
        friction: f64,
    },
    /// Inverse of the used and movable rows, zero elsewhere.
    Equality {
        inverse: Mat3,
    },
}

impl Local {
    /// `epsilon` adds a compliance of that part of the block's own diagonal to every used row, for proximal iterations.
    pub(super) fn new(law: &Law, delassus: &Mat3, gamma: f64, epsilon: f64) -> Local {
        let rows = match *law {
            Law::Equality { rows } => rows,
            _ => 1,
        };
        let tangential_compliance = match *law {
            Law::Contact {
                tangential_compliance,
                ..
            } => tangential_compliance,
            _ => 0.0,
        };
        let row = |r: usize| {
            if r < rows {
                gamma
            } else {
                tangential_compliance
            }
        };
        let compliance = vec3(row(0), row(1), row(2));
        let pulled = match *law {
            Law::Contact { .. } => 3,
            _ => rows,
        };
        let diagonal = |r: usize| delassus.at(r, r) + compliance[r];
        let pull = |r: usize| {
            if r < pulled {
                epsilon * diagonal(r)
            } else {
                0.0
            }
        };
        let pull = vec3(pull(0), pull(1), pull(2));
        let compliance = compliance + pull;
        let block = *delassus + Mat3::diagonal(compliance);
        let diagonal = vec3(block.at(0, 0), block.at(1, 1), block.at(2, 2));
        let inverse_or_zero = |x: f64, of: f64| if x > NEGLIGIBLE * of { 1.0 / x } else { 0.0 };
        let normal = inverse_or_zero(diagonal.x, diagonal.max_abs());
        let with = |scale, kind| Local {
            block,
            compliance,
            pull,
            scale,
            kind,
        };
        let frozen = with(Vec3::ZERO, Kind::Frozen);
        match *law {
            Law::Equality { rows } => {
                let inverse = partial_inverse(&block, rows);
                let used = |r: usize| {
                    let moves = r < rows && diagonal[r] > NEGLIGIBLE * diagonal.max_abs();
                    if moves { 1.0 / diagonal[r] } else { 0.0 }
                };
                let scale = vec3(used(0), used(1), used(2));
                with(scale, Kind::Equality { inverse })
            }
            _ if normal == 0.0 => frozen,
            Law::Contact {
                friction,
                friction_kind,
                ..
            } if friction > 0.0 => {
                let tangent = inverse_or_zero(0.5 * (diagonal.y + diagonal.z), diagonal.x);
                let kind = match friction_kind {
                    Friction::Box => Kind::Box { friction },
                    Friction::Cone => cone(&block, friction),
                };
                with(vec3(normal, tangent, tangent), kind)
            }
            _ => with(vec3(normal, 0.0, 0.0), Kind::Unilateral),
        }
    }

    /// ũ from u.
    #[inline]
    pub(super) fn compliant(&self, u: Vec3, lambda: Vec3) -> Vec3 {
        u + self.compliance.scale(lambda)
    }

    /// The impulse that satisfies the law when ũ = d + A λ.
    #[inline]
    pub(super) fn solve(&self, d: Vec3) -> Vec3 {
        match self.kind {
            Kind::Frozen => Vec3::ZERO,
            Kind::Unilateral => vec3((-d.x * self.scale.x).max(0.0), 0.0, 0.0),
            Kind::Equality { inverse } => -(inverse * d),
            Kind::Box { .. } | Kind::Cone { .. } if d.x >= 0.0 => Vec3::ZERO,
            Kind::Box { friction } => solve_box(&self.block, d, friction),
            Kind::Cone {
                friction,
                stiffness,
                axis,
                coupling,
            } => solve_cone(&self.block, d, friction, stiffness, axis, coupling),
        }
    }

    /// λ − Π(λ − ρ ũ) with Π onto λ_n ≥ 0 and then onto the disc or square of size μ λ_n [AC91]: zero exactly where
    /// the law holds.
    #[inline]
    pub(super) fn defect(&self, lambda: Vec3, u: Vec3) -> Vec3 {
        let pushed = lambda - self.scale.scale(u);
        let normal = lambda.x - pushed.x.max(0.0);
        match self.kind {
            Kind::Frozen => lambda,
            Kind::Unilateral => vec3(normal, lambda.y, lambda.z),
            Kind::Equality { inverse } => inverse * u,
            Kind::Box { friction } => {
                let bound = friction * lambda.x.max(0.0);
                let [y, z] = [pushed.y, pushed.z].map(|x| x.clamp(-bound, bound));
                vec3(normal, lambda.y - y, lambda.z - z)
            }
            Kind::Cone { friction, .. } => {
                let bound = friction * lambda.x.max(0.0);
                let size = length(pushed.y, pushed.z);
                let part = if size > bound { bound / size } else { 1.0 };
                vec3(
                    normal,
                    lambda.y - part * pushed.y,
                    lambda.z - part * pushed.z,
                )
            }
        }
    }

    /// What `defect` compares with, its friction bounded by the new normal impulse: obeys all bounds on impulses.
    pub(super) fn projected(&self, lambda: Vec3, u: Vec3) -> Vec3 {
        let pushed = lambda - self.scale.scale(u);
        let normal = pushed.x.max(0.0);
        match self.kind {
            Kind::Frozen => Vec3::ZERO,
            Kind::Unilateral => vec3(normal, 0.0, 0.0),
            Kind::Equality { inverse } => lambda - inverse * u,
            Kind::Box { friction } => {
                let bound = friction * normal;
                let [y, z] = [pushed.y, pushed.z].map(|x| x.clamp(-bound, bound));
                vec3(normal, y, z)
            }
            Kind::Cone { friction, .. } => {
                let bound = friction * normal;
                let size = length(pushed.y, pushed.z);
                let part = if size > bound { bound / size } else { 1.0 };
                vec3(normal, part * pushed.y, part * pushed.z)
            }
        }
    }

    /// The rates of the rows that have a law and can move.
    pub(super) fn used(&self, rates: Vec3) -> Vec3 {
        let keep = |r: usize| if self.scale[r] > 0.0 { rates[r] } else { 0.0 };
        vec3(keep(0), keep(1), keep(2))
    }

    /// Sets to zero what can carry no impulse: unused rows, and rows that cannot move.
    pub(super) fn admissible(&self, lambda: Vec3) -> Vec3 {
        match self.kind {
            Kind::Frozen => Vec3::ZERO,
            Kind::Unilateral => vec3(lambda.x.max(0.0), 0.0, 0.0),
            Kind::Equality { .. } => self.used(lambda),
            _ if lambda.x <= 0.0 => Vec3::ZERO,
            _ => lambda,
        }
    }
}

/// Without the care of `f64::hypot` for overflow, which costs more than the rest of a defect.
#[inline]
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Inverse of the leading `rows` rows by elimination with diagonal pivots, largest first; negligible pivots are left out.
fn partial_inverse(block: &Mat3, rows: usize) -> Mat3 {
    let mut a = *block;
    let mut inverse = Mat3::ZERO;
    for r in 0..rows {
        inverse.set(r, r, 1.0);
    }
    let largest = (0..rows).fold(0.0_f64, |m, r| m.max(block.at(r, r)));
    let mut done = [false; 3];
    for _ in 0..rows {
        let candidates = (0..rows).filter(|&r| !done[r]);
        let pivot = candidates.reduce(|p, r| if a.at(r, r) > a.at(p, p) { r } else { p });
        let Some(p) = pivot.filter(|&p| a.at(p, p) > NEGLIGIBLE * largest) else {
            break;
        };
        done[p] = true;
        let factor = 1.0 / a.at(p, p);
        for c in 0..3 {
            a.set(p, c, a.at(p, c) * factor);
            inverse.set(p, c, inverse.at(p, c) * factor);
        }
        for r in (0..rows).filter(|&r| r != p) {
            let f = a.at(r, p);
            for c in 0..3 {
                a.set(r, c, a.at(r, c) - f * a.at(p, c));
                inverse.set(r, c, inverse.at(r, c) - f * inverse.at(p, c));
            }
        }
    }
    // rows left out get no impulse and their rates are not looked at
    for r in 0..3 {
        for c in 0..3 {
            if !done[r] || !done[c] {
                inverse.set(r, c, 0.0);
            }
        }
    }
    inverse.symmetric_part()
}

fn cone(block: &Mat3, friction: f64) -> Kind {
    let a_nn = block.at(0, 0);
    let k = [block.at(1, 0) / a_nn, block.at(2, 0) / a_nn];
    let b11 = block.at(1, 1) - k[0] * block.at(0, 1);
    let b22 = block.at(2, 2) - k[1] * block.at(0, 2);
    let b12 = block.at(1, 2) - k[0] * block.at(0, 2);
    let angle = 0.5 * (2.0 * b12).atan2(b11 - b22);
    let (s, c) = angle.sin_cos();
    let first = c * c * b11 + 2.0 * c * s * b12 + s * s * b22;
    let second = s * s * b11 - 2.0 * c * s * b12 + c * c * b22;
    let negligible = NEGLIGIBLE * (block.at(1, 1) + block.at(2, 2));
    let positive = |b: f64| if b > negligible { b } else { 0.0 };
    Kind::Cone {
        friction,
        stiffness: [positive(first), positive(second)],
        axis: [c, s],
        coupling: [c * k[0] + s * k[1], c * k[1] - s * k[0]],
    }
}

/// d.x < 0 and a_nn > 0 here. Without a solution, which needs a singular block and rates that no motion has, the
/// frictionless impulse. Letters as in the file header; k = a_tn/a_nn, everything tangential in the eigenbasis of B.
#[inline(never)]
fn solve_cone(block: &Mat3, d: Vec3, mu: f64, b: [f64; 2], [c, s]: [f64; 2], k: [f64; 2]) -> Vec3 {
    let a_nn = block.at(0, 0);
    let free = -d.x / a_nn;
    let d_t = [c * d.y + s * d.z, c * d.z - s * d.y];
    let push = [k[0] * -d.x, k[1] * -d.x];
    let mut r = [d_t[0] + push[0], d_t[1] + push[1]];
    let mut b = b;
    let size = d_t[0].abs() + d_t[1].abs() + push[0].abs() + push[1].abs();
    let mut may_stick = true;
    for i in 0..2 {
        if r[i].abs() <= 1e-14 * size {
            r[i] = 0.0;
        }
        if b[i] == 0.0 {
            may_stick &= r[i] == 0.0;
            if r[i] == 0.0 {
                b[i] = 1.0;
            }
        }
    }
    if may_stick {
        let t = [-r[0] / b[0], -r[1] / b[1]];
        let normal = free - k[0] * t[0] - k[1] * t[1];
        if normal >= 0.0 && length(t[0], t[1]) <= mu * normal {
            return vec3(normal, c * t[0] - s * t[1], s * t[0] + c * t[1]);
        }
    }
    let rr = [r[0] * r[0], r[1] * r[1]];
    let kr = [k[0] * r[0], k[1] * r[1]];
    let largest = b[0].max(b[1]);
    let (mut low, mut high) = (0.0_f64, f64::INFINITY);
    // exact when B is a multiple of the identity and nothing couples
    let mut at = (length(r[0], r[1]) / (mu * free) - 0.5 * (b[0] + b[1])).max(0.0);
    if at == 0.0 {
        at = if may_stick { 0.0 } else { 1e-3 * largest };
    }
    let mut direction = [0.0; 2];
    for _ in 0..200 {
        let q = [1.0 / (b[0] + at), 1.0 / (b[1] + at)];
        let squares = [rr[0] * q[0] * q[0], rr[1] * q[1] * q[1]];
        let p = (squares[0] + squares[1]).sqrt();
        let normal = free + kr[0] * q[0] + kr[1] * q[1];
        direction = [-r[0] * q[0] / p, -r[1] * q[1] / p];
        let value = mu * normal / p - 1.0;
        if value.abs() <= 4e-15 {
            break;
        }
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let normal_slope = -(kr[0] * q[0] * q[0] + kr[1] * q[1] * q[1]);
        let p_slope = -(squares[0] * q[0] + squares[1] * q[1]) / p;
        let slope = mu * (normal_slope * p - normal * p_slope) / (p * p);
        let newton = at - value / slope;
        let next = if newton > low && newton < high {
            newton
        } else if high.is_finite() {
            0.5 * (low + high)
        } else {
            2.0 * at + largest
        };
        if (next - at).abs() <= 4e-16 * (next + largest) || !next.is_finite() {
            break;
        }
        at = next;
    }
    // the direction is all that is taken from the iteration: ũ_n = 0 and |λ_t| = μ λ_n then hold to rounding
    let lever = a_nn * (1.0 + mu * (k[0] * direction[0] + k[1] * direction[1]));
    if lever.is_nan() || lever <= 0.0 {
        return vec3(free, 0.0, 0.0);
    }
    let normal = -d.x / lever;
    let t = [mu * normal * direction[0], mu * normal * direction[1]];
    vec3(normal, c * t[0] - s * t[1], s * t[0] + c * t[1])
}

/// d.x < 0 and a_nn > 0 here: tries the nine combinations of sticking and sliding either way, and takes the first that
/// satisfies the law, or the one that misses it least.
#[inline(never)]
fn solve_box(block: &Mat3, d: Vec3, mu: f64) -> Vec3 {
    let mut best = (f64::INFINITY, vec3(-d.x / block.at(0, 0), 0.0, 0.0));
    // 0 sticks, ±1 is the sign of a sliding tangent's impulse
    const SIDES: [f64; 3] = [0.0, 1.0, -1.0];
    for first in SIDES {
        for second in SIDES {
            let Some(lambda) = box_candidate(block, d, mu, [first, second]) else {
                continue;
            };
            let miss = box_miss(block, d, mu, lambda);
            if miss < best.0 {
                best = (miss, lambda);
            }
            if miss <= 1e-14 {
                return lambda;
            }
        }
    }
    best.1
}

/// Solves ũ_n = 0, u = 0 in sticking rows and λ_t = side μ λ_n in sliding ones.
fn box_candidate(block: &Mat3, d: Vec3, mu: f64, side: [f64; 2]) -> Option<Vec3> {
    let mut a = *block;
    let mut rhs = -d;
    for (i, &side) in side.iter().enumerate() {
        let r = i + 1;
        let cannot_move = block.at(r, r) <= NEGLIGIBLE * block.max_abs();
        if side != 0.0 || cannot_move {
            let own = block.at(0, 0);
            for c in 0..3 {
                a.set(r, c, 0.0);
            }
            a.set(r, r, own);
            a.set(r, 0, -side * mu * own);
            rhs[r] = 0.0;
        }
    }
    let lambda = a.inverse()? * rhs;
    (lambda.is_finite() && lambda.x >= 0.0).then_some(lambda)
}

/// By how much an impulse misses the box law, relative to itself.
fn box_miss(block: &Mat3, d: Vec3, mu: f64, lambda: Vec3) -> f64 {
    let u = d + *block * lambda;
    let bound = mu * lambda.x;
    let mut miss = (u.x / block.at(0, 0)).abs();
    for r in 1..3 {
        let diagonal = block.at(r, r);
        let rho = if diagonal > NEGLIGIBLE * block.max_abs() {
            1.0 / diagonal
        } else {
            1.0 / block.at(0, 0)
        };
        let target = (lambda[r] - rho * u[r]).clamp(-bound, bound);
        miss = miss.max((lambda[r] - target).abs());
    }
    miss / lambda.norm()
}
