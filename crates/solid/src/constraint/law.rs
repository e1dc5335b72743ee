//! The problem that contact and bilateral constraints pose, and the settings and report of its solvers.
//!
//! u = rates + W λ: λ impulses (N s), u velocities in constraint space (m/s), W = J A⁻¹ Jᵀ the Delassus operator.
//! With γ the compliance ((m/s)/(N s)) and ũ = u + γ λ on the compliant rows, each constraint asks for
//!
//! - contact: 0 ≤ λ_n ⟂ ũ_n ≥ 0 and |λ_t| ≤ μ λ_n, where ũ_t ≠ 0 only if |λ_t| = μ λ_n and λ_t opposes ũ_t;
//! - equality: ũ = 0; inequality: 0 ≤ λ ⟂ ũ ≥ 0.
//!
//! The sign of γ: at rest on a compliant contact λ = −bias/γ, so γ λ is *added* to u.

use pliant_linalg::{BlockRows, Vec3};

/// How the two tangential impulses of a contact are bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// √(λ₁² + λ₂²) ≤ μ λ_n, isotropic: sliding is opposed exactly.
    #[default]
    Cone,
    /// |λ₁| ≤ μ λ_n and |λ₂| ≤ μ λ_n, each opposing its own sliding velocity.
    Box,
}

/// What one block of three rows obeys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Row 0 is the normal (positive velocity opens the contact), rows 1 and 2 the tangents. Compliance acts on row 0.
    Contact {
        /// Coefficient of friction μ; zero leaves out the tangents.
        friction: f64,
        /// Disc or square.
        friction_kind: Friction,
        /// γ of rows 1 and 2.
        tangential_compliance: f64,
    },
    /// The first `rows` rows (1 to 3) are equations; the others are unused and carry no impulse.
    Equality {
        /// Number of equations.
        rows: usize,
    },
    /// Row 0 is an inequality with impulse ≥ 0 (a cable, a joint limit); rows 1 and 2 carry no impulse.
    Inequality,
}

/// See the file header. All slices are as long as the operator has rows.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// W, symmetric positive semi-definite, (m/s)/(N s).
    pub delassus: &'a BlockRows,
    /// The law of each block.
    pub laws: &'a [Law],
    /// Velocities without constraint impulses, bias (gap/h or Baumgarte) included, m/s.
    pub rates: &'a [Vec3],
    /// γ ≥ 0 of each constraint, (m/s)/(N s).
    pub compliance: &'a [f64],
    /// u at the impulses that the solve starts from, where it is known: that saves a product with W.
    pub start: Option<&'a [Vec3]>,
}

impl Problem<'_> {
    /// Whether lengths agree and everything but W is finite and has the right sign.
    pub(super) fn is_well_formed(&self, impulses: &[Vec3]) -> bool {
        let n = self.delassus.row_count();
        is_well_formed(n, self.laws, self.rates, self.compliance, impulses)
            && (self.start).is_none_or(|u| u.len() == n && u.iter().all(|u| u.is_finite()))
    }
}

/// Whether all slices have `n` entries that are finite and of the right sign.
pub(super) fn is_well_formed(
    n: usize,
    laws: &[Law],
    rates: &[Vec3],
    compliance: &[f64],
    impulses: &[Vec3],
) -> bool {
    let law_is_good = |law: &Law| match *law {
        Law::Contact {
            friction,
            tangential_compliance,
            ..
        } => {
            let not_negative = |x: f64| x.is_finite() && x >= 0.0;
            not_negative(friction) && not_negative(tangential_compliance)
        }
        Law::Equality { rows } => (1..=3).contains(&rows),
        Law::Inequality => true,
    };
    [laws.len(), rates.len(), compliance.len(), impulses.len()] == [n; 4]
        && laws.iter().all(law_is_good)
        && rates.iter().chain(impulses).all(|v| v.is_finite())
        && compliance.iter().all(|c| c.is_finite() && *c >= 0.0)
}

/// Which iteration solves the problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConstraintSolver {
    /// Block Gauss–Seidel with the exact local law, in index order.
    ProjectedGaussSeidel,
    /// The same sweeps, accelerated by nonlinear conjugate gradients [SNE10].
    ConjugateGradients,
    /// Semismooth Newton: after accelerated sweeps in small islands, almost from the start in large ones.
    #[default]
    Newton,
}

/// How long and how well to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintSettings {
    /// The method.
    pub solver: ConstraintSolver,
    /// Most sweeps plus Newton steps.
    pub max_iterations: usize,
    /// Largest relative residual, as [`ConstraintReport::residual`] defines it.
    pub tolerance: f64,
}

impl Default for ConstraintSettings {
    fn default() -> Self {
        ConstraintSettings {
            solver: ConstraintSolver::default(),
            max_iterations: 500,
            tolerance: 1e-6,
        }
    }
}

/// What a solve came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConstraintReport {
    /// Sweeps plus Newton steps done.
    pub iterations: usize,
    /// With the defect δ_i = λ_i − Π_i(λ_i − ρ_i ũ_i), the impulse by which a constraint misses its law: the largest
    /// over all constraints of |δ_i| / max(|λ_i|, |λ_i − δ_i|, 1e-3 max_j |λ_j|), relative to the constraint's own
    /// impulse or a thousandth of the largest, and of |A_ii δ_i| / max_j |rates_j|, the same as a velocity. The second
    /// keeps large impulses of ill-conditioned stacks from hiding velocities. Infinite for input that is not usable.
    pub residual: f64,
    /// Whether the residual is at most the tolerance.
    pub converged: bool,
    /// Newton steps among the iterations.
    pub newton_steps: usize,
}
