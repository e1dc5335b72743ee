//! `[solver]`: method, integrator and linear solver.

use crate::units::Number;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How steps are computed.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolverTable {
    /// Name of the method; default "full".
    pub method: Option<String>,
    /// Time integrator; default "linear-implicit".
    #[serde(default)]
    pub integrator: IntegratorName,
    /// Factor β of the stiffness in the linear-implicit step; default 1.
    pub beta: Option<Number>,
    /// Linear solver; default "direct".
    #[serde(default)]
    pub linear: LinearName,
    /// Relative residual at which conjugate gradients stop; default 1e-8.
    pub tolerance: Option<Number>,
    /// Iterations after which conjugate gradients stop; default 1000.
    pub max_iterations: Option<usize>,
    /// Preconditioner of conjugate gradients; default "block-jacobi".
    pub preconditioner: Option<PreconditionerName>,
    /// Relative residual at which Newton's iteration stops; default 1e-8.
    pub newton_tolerance: Option<Number>,
    /// Most iterations of Newton's method in a step; default 40.
    pub newton_iterations: Option<u32>,
    /// How often a failed step may be halved before the run stops; default 6.
    pub max_halvings: Option<u32>,
}

/// Time integrators.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorName {
    /// Backward Euler, linearised once a step, with factor `beta` on the stiffness.
    #[default]
    LinearImplicit,
    /// Backward Euler solved by Newton's method with line search.
    ImplicitEuler,
    /// Second-order backward differences, solved the same way.
    Bdf2,
    /// Static equilibrium at every time, no inertia.
    QuasiStatic,
}

/// Linear solvers.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum LinearName {
    /// Sparse Cholesky factorisation.
    #[default]
    Direct,
    /// Preconditioned conjugate gradients.
    Pcg,
}

/// Preconditioners.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PreconditionerName {
    /// None.
    Identity,
    /// Lumped mass.
    Mass,
    /// Diagonal.
    Jacobi,
    /// A forward and a backward sweep over the rows; half the iterations, on one thread.
    GaussSeidel,
    /// 3×3 diagonal blocks.
    #[default]
    BlockJacobi,
}
