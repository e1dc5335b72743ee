//! Linear solvers behind one interface: factorisation, or conjugate gradients.
//!
//! A factor is linear and symmetric and may build a contact compliance; a truncated Krylov solve is neither,
//! so only [`LinearSolver::inverse`] hands out an [`InverseOperator`], and PCG has none.

use crate::settings::{Guess, PreconditionerChoice, SolverChoice};
use crate::system::{Form, System};
use pliant_linalg::{
    GaussSeidelPcg, Llt, LltSymbolic, Pcg, PcgReport, PcgSettings, Preconditioner, SolveError,
    SolveScratch, Vec3,
};
use std::sync::Arc;

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Iterations; 0 for a direct solve.
    pub iterations: usize,
    /// ‖b − A x‖/‖b‖ where the solver stopped.
    pub relative_residual: f64,
    /// Whether the tolerance was met within the budget.
    pub converged: bool,
    /// How far an iteration lowered the energy ½zᵀAz − rᵀz from its first guess, J; 0 for a direct solve.
    pub energy_decrease: f64,
    /// What further iterations could have lowered it by, at most, J; infinite where no bound is known, 0 for a direct solve.
    pub energy_left: f64,
}

/// Solves the system of a step.
pub trait LinearSolver: Send {
    /// How it wants the matrix.
    fn form(&self) -> Form {
        Form::Matrix
    }
    /// Where it wants to start in a step of one solve, and whether that turns with bodies that spin.
    fn guess(&self) -> (Guess, bool) {
        (Guess::VELOCITY, false)
    }
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
            if preconditioner == PreconditionerChoice::GaussSeidel {
                return Box::new(Swept {
                    pcg: GaussSeidelPcg::new(),
                    settings,
                });
            }
            Box::new(Iterative {
                pcg: Pcg::new(),
                settings,
                preconditioner: preconditioner.preconditioner(),
            })
        }
    }
}

impl PreconditionerChoice {
    /// The diagonal preconditioner of this name, not prepared yet. Gauss–Seidel sweeps are none; their place takes the
    /// nearest one, the diagonal blocks.
    pub(crate) fn preconditioner(self) -> Preconditioner {
        match self {
            PreconditionerChoice::Identity => Preconditioner::Identity,
            PreconditionerChoice::Mass => Preconditioner::mass(),
            PreconditionerChoice::Jacobi => Preconditioner::jacobi(),
            PreconditionerChoice::BlockJacobi | PreconditionerChoice::GaussSeidel => {
                Preconditioner::block_jacobi()
            }
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
            ..SolveReport::default()
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
        let diagonal = system.matrix.diagonal_blocks();
        self.preconditioner.prepare(diagonal, &system.mass)
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
            energy_decrease: report.energy_decrease,
            energy_left: report.energy_left,
        }
    }
}
