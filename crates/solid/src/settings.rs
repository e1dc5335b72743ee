//! How a model is stepped: time step, integrator, linear solver, budgets.

use pliant_linalg::PcgSettings;

/// Everything a run needs to know besides the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step, s.
    pub h: f64,
    /// Time integrator.
    pub integrator: Integrator,
    /// Linear solver.
    pub solver: SolverChoice,
    /// Newton's iteration, for the integrators that use it.
    pub newton: NewtonSettings,
    /// How often a failed step may be halved before the run stops.
    pub max_halvings: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            h: 5e-3,
            integrator: Integrator::LinearImplicit { beta: 1.0 },
            solver: SolverChoice::Direct,
            newton: NewtonSettings::default(),
            max_halvings: 6,
        }
    }
}

/// Time integrators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// (M + hC + βh²H) v⁺ = M v + h f: one linear solve a step [WKS20, Eq. 10].
    LinearImplicit {
        /// Factor β of the stiffness; 1 is backward Euler linearised once.
        beta: f64,
    },
    /// Backward Euler solved by Newton's method with line search.
    ImplicitEuler,
    /// Second-order backward differences, solved the same way.
    Bdf2,
    /// Static equilibrium at every time, no inertia.
    QuasiStatic,
}

/// Linear solvers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolverChoice {
    /// Sparse Cholesky factorisation.
    Direct,
    /// Preconditioned conjugate gradients.
    Pcg {
        /// Tolerance and budget.
        settings: PcgSettings,
        /// Preconditioner.
        preconditioner: PreconditionerChoice,
    },
}

/// Preconditioners by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreconditionerChoice {
    /// None.
    Identity,
    /// Lumped mass.
    Mass,
    /// Diagonal.
    Jacobi,
    /// 3×3 diagonal blocks.
    BlockJacobi,
    /// A forward and a backward sweep over the rows; half the iterations, on one thread.
    GaussSeidel,
}

/// Newton's iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// Stop when the residual falls below this share of the largest force involved.
    pub relative_tolerance: f64,
    /// Iterations after which the step is accepted with the residual it has, which is reported.
    pub max_iterations: u32,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        NewtonSettings {
            relative_tolerance: 1e-8,
            max_iterations: 40,
        }
    }
}
