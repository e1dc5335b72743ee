//! Linear solvers behind one interface: factorisation, or conjugate gradients.
//!
//! A factor is linear and symmetric and may build a contact compliance; a truncated Krylov solve is neither,
//! so only [`LinearSolver::inverse`] hands out an [`InverseOperator`], and PCG has none.

use crate::settings::{PreconditionerChoice, SolverChoice};
use pliant_linalg::{
    BlockMatrix, GaussSeidelPcg, Llt, LltSymbolic, Pcg, PcgReport, PcgSettings, Preconditioner,
    SolveError, SolveScratch, Vec3,
};
use std::sync::Arc;

/// The linear system of one step or Newton iteration.
#[derive(Clone, Debug)]
pub struct System {
    /// GᵀAG.
    pub matrix: BlockMatrix,
    /// Gᵀ(r − A b).
    pub rhs: Vec<Vec3>,
    /// Mass of each row, for the mass preconditioner.
    pub mass: Vec<f64>,
    /// Revision of the space, see `ReducedSpace::revision`.
    pub revision: u64,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Iterations; 0 for a direct solve.
    pub iterations: usize,
    /// ‖b − A x‖/‖b‖ where the solver stopped.
    pub relative_residual: f64,
    /// Whether the tolerance was met within the budget.
    pub converged: bool,
}

/// Solves the system of a step.
pub trait LinearSolver: Send {
    /// Factorises, or sets up the preconditioner.
    fn prepare(&mut self, system: &System) -> Result<(), SolveError>;
    /// `x` holds the first guess and receives the solution.
    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError>;
    /// The inverse as a linear symmetric operator, where there is one.
    fn inverse(&self) -> Option<&dyn InverseOperator>;
}

/// A linear symmetric map: a factor or a preconditioner, never an iteration.
pub trait InverseOperator: Sync {
    /// x ← A⁻¹ x.
    fn apply(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError>;
}

impl InverseOperator for Llt {
    fn apply(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        self.solve(x, scratch)
    }
}

/// The solver that a setting names.
pub fn linear_solver(choice: SolverChoice) -> Box<dyn LinearSolver> {
    match choice {
        SolverChoice::Direct => Box::new(Direct::default()),
        SolverChoice::Pcg {
            settings,
            preconditioner,
        } => {
            let preconditioner = match preconditioner {
                PreconditionerChoice::Identity => Preconditioner::Identity,
                PreconditionerChoice::Mass => Preconditioner::mass(),
                PreconditionerChoice::Jacobi => Preconditioner::jacobi(),
                PreconditionerChoice::BlockJacobi => Preconditioner::block_jacobi(),
                PreconditionerChoice::GaussSeidel => {
                    return Box::new(Swept {
                        pcg: GaussSeidelPcg::new(),
                        settings,
                    });
                }
            };
            Box::new(Iterative {
                pcg: Pcg::new(),
                settings,
                preconditioner,
            })
        }
    }
}

/// Sparse Cholesky; the symbolic analysis is kept while the revision stands.
#[derive(Default)]
struct Direct {
    factor: Option<(u64, Llt)>,
    scratch: SolveScratch,
    product: Vec<Vec3>,
}

impl LinearSolver for Direct {
    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        if self
            .factor
            .as_ref()
            .is_none_or(|(revision, _)| *revision != system.revision)
        {
            let symbolic = LltSymbolic::new(system.matrix.pattern())?;
            self.factor = Some((system.revision, Llt::new(Arc::new(symbolic))));
        }
        match &mut self.factor {
            Some((_, factor)) => factor.factorize(&system.matrix),
            None => Err(SolveError::NotFactorized),
        }
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        let Some((_, factor)) = &self.factor else {
            return Err(SolveError::NotFactorized);
        };
        x.copy_from_slice(&system.rhs);
        factor.solve(x, &mut self.scratch)?;
        // one product more is cheap beside the factorisation, and every solve publishes its residual
        self.product.resize(x.len(), Vec3::ZERO);
        system.matrix.multiply(x, &mut self.product);
        let squared = |v: Vec3| v.norm_squared();
        let norm: f64 = system.rhs.iter().map(|&b| squared(b)).sum();
        let error: f64 = system
            .rhs
            .iter()
            .zip(&self.product)
            .map(|(&b, &y)| squared(b - y))
            .sum();
        let relative_residual = if norm > 0.0 {
            (error / norm).sqrt()
        } else {
            0.0
        };
        Ok(SolveReport {
            iterations: 0,
            relative_residual,
            converged: true,
        })
    }

    fn inverse(&self) -> Option<&dyn InverseOperator> {
        self.factor
            .as_ref()
            .map(|(_, factor)| factor as &dyn InverseOperator)
    }
}

/// Preconditioned conjugate gradients.
struct Iterative {
    pcg: Pcg,
    settings: PcgSettings,
    preconditioner: Preconditioner,
}

impl LinearSolver for Iterative {
    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.preconditioner.prepare(&system.matrix, &system.mass)
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        let report = self.pcg.solve(
            &system.matrix,
            &self.preconditioner,
            &system.rhs,
            x,
            &self.settings,
        )?;
        Ok(report.into())
    }

    fn inverse(&self) -> Option<&dyn InverseOperator> {
        None
    }
}

/// Conjugate gradients with the sweeps of symmetric Gauss–Seidel.
struct Swept {
    pcg: GaussSeidelPcg,
    settings: PcgSettings,
}

impl LinearSolver for Swept {
    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.pcg.prepare(&system.matrix)
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        let report = self
            .pcg
            .solve(&system.matrix, &system.rhs, x, &self.settings)?;
        Ok(report.into())
    }

    fn inverse(&self) -> Option<&dyn InverseOperator> {
        None
    }
}

impl From<PcgReport> for SolveReport {
    fn from(report: PcgReport) -> SolveReport {
        SolveReport {
            iterations: report.iterations,
            relative_residual: report.relative_residual,
            converged: report.converged,
        }
    }
}
