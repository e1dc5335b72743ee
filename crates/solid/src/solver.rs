//! Linear solvers behind one interface: factorisation, or conjugate gradients.
//!
//! A factor is linear and symmetric and may build a contact compliance; a truncated Krylov solve is neither. So
//! [`LinearSolver::inverse`] hands out a factor, which solvers that iterate make only when constraints ask for it.

use crate::condense::Activity;
use crate::factors::Factors;
use crate::lagged::{FactorMemory, FactorReport};
use crate::model::Model;
use crate::reduction::ReducedSpace;
use crate::settings::{Guess, PreconditionerChoice, SolverChoice};
use crate::system::{Form, System};
use pliant_linalg::{
    BlockRows, GaussSeidelPcg, Llt, Mat3, NodeCompliance, Pcg, PcgReport, PcgSettings,
    Preconditioner, SolveError, SolveScratch, SparseColumns, Vec3,
};
use std::ops::Range;
use std::sync::Mutex;

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

/// What a solver may look at before the first system of a step.
pub struct StepStart<'a> {
    /// The model.
    pub model: &'a Model,
    /// The space of the step.
    pub space: &'a ReducedSpace,
    /// Effective length of the step, s.
    pub h: f64,
    /// Node positions at its start, m.
    pub positions: &'a [Vec3],
    /// What was remembered at the state that it starts from.
    pub memory: &'a [FactorMemory],
    /// Rows that constraints touch, then those that they may touch next.
    pub near: &'a [u32],
    /// Nodes that joints hold.
    pub joined: &'a [u32],
    /// Which nodes are dynamic, where some are not.
    pub activity: &'a Activity,
    /// Whether the step is one linear solve.
    pub linear: bool,
}

/// What a solver may look at when positions at the end of a step are known.
pub struct StepEnd<'a> {
    /// The model.
    pub model: &'a Model,
    /// The space of the step.
    pub space: &'a ReducedSpace,
    /// Effective length of the step, s.
    pub h: f64,
    /// Node positions at its start, m.
    pub start: &'a [Vec3],
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
    /// Whether it wants to know which rows constraints are near.
    fn wants_near(&self) -> bool {
        self.is_lagged()
    }
    /// A step begins.
    fn begin(&mut self, _: &StepStart) -> Result<(), SolveError> {
        Ok(())
    }
    /// Whether it wants a matrix this time, besides the elements.
    fn wants_matrix(&self) -> bool {
        false
    }
    /// Whether its inverse may be that of an older matrix.
    fn is_lagged(&self) -> bool {
        false
    }
    /// Waits for what it has under way on other threads between steps.
    fn settle(&self) {}
    /// The residuals that older factors have left of the step in each body with rows, relative.
    fn note_delay(&mut self, _: &[f64]) {}
    /// What the state must remember for the next step, of each body with rows.
    fn memory(&self) -> Vec<FactorMemory> {
        Vec::new()
    }
    /// How old the factors of this step were.
    fn factor_report(&self) -> FactorReport {
        FactorReport::default()
    }
    /// The part of the solution that moves positions and is no velocity, by rows, after the impulses that constraints have added to
    /// it; empty where all of it is velocity.
    fn shift(&mut self, _impulses: &[Vec3]) -> Result<&[Vec3], SolveError> {
        Ok(&[])
    }
    /// The velocities nearest to `z` among those that the solver may give.
    fn project(&mut self, _: &System, _z: &mut [Vec3]) {}
    /// Impulses that move bodies as a whole and that nodes without inertia need not balance, by rows; empty for none.
    fn whole_motion(&self) -> &[Vec3] {
        &[]
    }
    /// Whether the shift must not raise the potential.
    fn limits_shift(&self) -> bool {
        false
    }
    /// Nodes that may carry the inertia of those around them, ascending, and whether each did in the last step, made in `space`; none
    /// where all nodes carry their own.
    fn dynamic_nodes(&self, _space: &ReducedSpace) -> Option<Vec<(u32, bool)>> {
        None
    }
    /// How often positions should be balanced after a step.
    fn corrections(&self) -> u32 {
        0
    }
    /// Displacements that would balance forces on nodes without inertia, in place of those forces, h² f by rows; the others stay.
    fn balance(&mut self, _forces: &mut [Vec3]) -> Result<(), SolveError> {
        Ok(())
    }
    /// Positions `x` that velocities `v` have led to along tangents in a step from `start` may turn with what spins.
    fn turn(&self, _step: &StepEnd, _x: &mut [Vec3], _v: &[Vec3]) {}
    /// Velocities `v` of bodies that nothing holds may be corrected, now that their positions `x` stand.
    fn keep_momentum(&self, _step: &StepEnd, _x: &[Vec3], _v: &mut [Vec3]) {}
    /// How many numbers it solves for, of those that the space has.
    fn unknown_count(&self, of_space: usize) -> usize {
        of_space
    }
    /// Nodes have moved from `before` to `after` in a step of length `h`.
    fn observe(&mut self, _: &Model, _before: &[Vec3], _after: &[Vec3], _h: f64) {}
    /// Which nodes are dynamic next, for the state to remember.
    fn activity(&self) -> Activity {
        Activity::default()
    }
    /// Factorises, or sets up the preconditioner.
    fn prepare(&mut self, system: &System) -> Result<(), SolveError>;
    /// `x` holds the first guess and receives the solution.
    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError>;
    /// The inverse of the system prepared last, as a linear symmetric operator.
    fn inverse(&mut self, system: &System) -> Result<&dyn InverseOperator, SolveError>;
}

/// A linear symmetric map: a factor or a preconditioner, never an iteration.
pub trait InverseOperator: Sync {
    /// Number of 3-vectors it acts on.
    fn row_count(&self) -> usize;
    /// x ← A⁻¹ x.
    fn apply(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError>;
    /// The sparse factors that it is made of, between turns: their rows follow each other and are all there are. None where it is
    /// not made of factors.
    fn parts(&self) -> Vec<FactorPart<'_>> {
        Vec::new()
    }
    /// Maps R of the rows between which the factors stand, A⁻¹ ≈ R (L Lᵀ)⁻¹ Rᵀ, rotations as a rule; empty for none.
    fn turns(&self) -> &[Mat3] {
        &[]
    }
    /// Adds Cᵀ U C for what else it has, a symmetric U of low rank, to `w`, which holds all blocks that it may touch.
    fn add_low_rank(&self, _columns: &SparseColumns, _w: &mut BlockRows) {}
}

/// A factor of some rows that are coupled to no others.
pub struct FactorPart<'a> {
    /// Its rows.
    pub rows: Range<usize>,
    /// The factor.
    pub factor: &'a Llt,
    /// Columns of its inverse that are kept as long as it stands, where any are.
    pub kept: Option<&'a Mutex<NodeCompliance>>,
}

impl InverseOperator for Llt {
    fn row_count(&self) -> usize {
        self.symbolic().row_count()
    }

    fn parts(&self) -> Vec<FactorPart<'_>> {
        vec![FactorPart {
            rows: 0..self.symbolic().row_count(),
            factor: self,
            kept: None,
        }]
    }

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
                    factors: Factors::default(),
                });
            }
            Box::new(Iterative {
                pcg: Pcg::new(),
                settings,
                preconditioner: preconditioner.preconditioner(),
                factors: Factors::default(),
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

/// Sparse Cholesky.
#[derive(Default)]
struct Direct {
    factors: Factors,
    product: Vec<Vec3>,
    scratch: SolveScratch,
}

impl LinearSolver for Direct {
    fn prepare(&mut self, system: &System) -> Result<(), SolveError> {
        self.factors.update(system)
    }

    fn solve(&mut self, system: &System, x: &mut [Vec3]) -> Result<SolveReport, SolveError> {
        x.copy_from_slice(&system.rhs);
        self.factors.apply(x, &mut self.scratch)?;
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

    fn inverse(&mut self, _: &System) -> Result<&dyn InverseOperator, SolveError> {
        Ok(&self.factors)
    }
}

/// Preconditioned conjugate gradients.
struct Iterative {
    pcg: Pcg,
    settings: PcgSettings,
    preconditioner: Preconditioner,
    factors: Factors,
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

    fn inverse(&mut self, system: &System) -> Result<&dyn InverseOperator, SolveError> {
        self.factors.update(system)?;
        Ok(&self.factors)
    }
}

/// Conjugate gradients with the sweeps of symmetric Gauss–Seidel.
struct Swept {
    pcg: GaussSeidelPcg,
    settings: PcgSettings,
    factors: Factors,
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

    fn inverse(&mut self, system: &System) -> Result<&dyn InverseOperator, SolveError> {
        self.factors.update(system)?;
        Ok(&self.factors)
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
