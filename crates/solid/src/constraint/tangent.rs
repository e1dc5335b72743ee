//! The laws of closed constraints, linearised at an impulse: what one step of a semismooth Newton method [AC91] asks for.
//!
//! A constraint moves by dλ = offset + C q and asks for Rᵀ A dλ + D q = f, with A = W + Γ and at most three unknowns q:
//!     open:     dλ = −λ;
//!     sticking, and equations: C = R = I, D = 0, f = −ũ;
//!     sliding:  λ + dλ = (λ_n + dλ_n) (e_n + μ ẑ) + t̂-part, so C = [e_n + μ ẑ, t̂], R = [e_n, t̂],
//! where ẑ is the direction of z = λ_t − ρ_t u_t and t̂ is across. Along t̂ the disc of radius b turns the impulse:
//! (1 − m) dλ_t̂ + m ρ_t (A dλ)_t̂ = −m ρ_t u_t̂ with m = b/|z|. Only μ ẑ makes the system unsymmetric. The radius is that
//! of the normal impulse to come, b = μ (λ_n − ρ_n ũ_n), so that contacts which have just closed can stick.

use super::cone::{Kind, Local};
use pliant_linalg::{Mat3, Vec3, vec3};

/// Sliding contacts with less than this m do not turn: they point against their velocity.
const RIGID_TURN: f64 = 1e-9;

/// See the file header; only the first `width` entries of arrays are used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tangent {
    pub(super) width: usize,
    /// Whether the first column differs from the first row.
    pub(super) slides: bool,
    pub(super) columns: [Vec3; 3],
    pub(super) rows: [Vec3; 3],
    pub(super) own: [f64; 3],
    pub(super) rhs: [f64; 3],
    pub(super) offset: Vec3,
}

impl Tangent {
    pub(super) fn new(local: &Local, lambda: Vec3, u: Vec3) -> Tangent {
        let mut tangent = Tangent::default();
        let rho = local.scale;
        let pushed = lambda - rho.scale(u);
        let bilateral = matches!(local.kind, Kind::Equality { .. });
        let frozen = matches!(local.kind, Kind::Frozen);
        if frozen || !(bilateral || pushed.x > 0.0) {
            tangent.offset = -lambda;
            return tangent;
        }
        match local.kind {
            Kind::Frozen => {}
            Kind::Equality { .. } => {
                for r in 0..3 {
                    if rho[r] > 0.0 {
                        tangent.add_axis(r, u);
                    }
                }
            }
            Kind::Unilateral => tangent.add_axis(0, u),
            _ if rho.y == 0.0 => tangent.add_axis(0, u),
            Kind::Box { friction } => {
                let bound = friction * pushed.x;
                tangent.add_axis(0, u);
                for r in 1..3 {
                    if pushed[r].abs() <= bound {
                        tangent.add_axis(r, u);
                    } else {
                        let slope = friction * pushed[r].signum();
                        tangent.slides = true;
                        tangent.columns[0][r] = slope;
                        tangent.offset[r] = slope * lambda.x - lambda[r];
                    }
                }
            }
            Kind::Cone { friction, .. } => {
                let bound = friction * pushed.x;
                let z = vec3(0.0, pushed.y, pushed.z);
                let size = z.norm();
                tangent.add_axis(0, u);
                if size <= bound {
                    tangent.add_axis(1, u);
                    tangent.add_axis(2, u);
                } else {
                    let e = z * (1.0 / size);
                    let across = vec3(0.0, -e.z, e.y);
                    let turn = bound / size;
                    tangent.slides = true;
                    tangent.columns[0] += e * friction;
                    tangent.offset = e * (friction * lambda.x - e.dot(lambda));
                    if turn > RIGID_TURN {
                        let at = tangent.width;
                        tangent.columns[at] = across;
                        tangent.rows[at] = across;
                        tangent.own[at] = (1.0 - turn) / (turn * rho.y);
                        tangent.rhs[at] = -across.dot(u) / turn;
                        tangent.width += 1;
                    } else {
                        tangent.offset -= across * across.dot(lambda);
                    }
                }
            }
        }
        tangent
    }

    fn add_axis(&mut self, r: usize, u: Vec3) {
        let mut axis = Vec3::ZERO;
        axis[r] = 1.0;
        self.columns[self.width] = axis;
        self.rows[self.width] = axis;
        self.rhs[self.width] = -u[r];
        self.width += 1;
    }

    /// C q.
    #[inline]
    pub(super) fn expand(&self, q: &[f64]) -> Vec3 {
        let terms = self.columns.iter().zip(q);
        terms.fold(Vec3::ZERO, |sum, (column, &q)| sum + *column * q)
    }

    /// Rᵀ M C + D for a 3×3 block M of A on the diagonal; rows and columns beyond the width are those of the identity.
    pub(super) fn diagonal(&self, block: &Mat3) -> Mat3 {
        let mut matrix = Mat3::IDENTITY;
        for r in 0..self.width {
            for c in 0..self.width {
                let own = if r == c { self.own[r] } else { 0.0 };
                matrix.set(r, c, self.rows[r].dot(*block * self.columns[c]) + own);
            }
        }
        matrix
    }
}
