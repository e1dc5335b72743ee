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
    /// The method `early-cg`.
    pub early_cg: EarlyCgSettings,
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
            early_cg: EarlyCgSettings::default(),
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

/// Early-terminated conjugate gradients [DB19].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyCgSettings {
    /// Most iterations of a body in a step.
    pub budget: usize,
    /// Relative residual at which a body needs no further iteration.
    pub tolerance: f64,
    /// A body stops when an iteration lowers its energy by less than this share of the decrease so far; zero never does.
    pub energy_tolerance: f64,
    /// Factor of the budget for bodies with a new contact or load.
    pub fresh_factor: f64,
    /// Where the iteration starts.
    pub guess: Guess,
    /// Whether the guess turns with free bodies that spin.
    pub turn_guess: bool,
    /// Preconditioner; Gauss–Seidel sweeps need a matrix and are not among them.
    pub preconditioner: PreconditionerChoice,
    /// What is solved for.
    pub unknown: Unknown,
    /// How products with the matrix are made.
    pub product: Product,
    /// Plane-rotation sweeps a step for materials with a frozen rotation; zero decomposes every time.
    pub sweeps: u32,
    /// Symmetry error above which a rotation is decomposed after all.
    pub symmetry_tolerance: f64,
    /// Whether linear and angular momentum are restored after the solve.
    pub restore_momentum: bool,
}

impl EarlyCgSettings {
    /// The time step the method is meant for, s: five steps a frame of 1/30 s.
    pub const STEP: f64 = 1.0 / 150.0;
}

impl Default for EarlyCgSettings {
    fn default() -> Self {
        EarlyCgSettings {
            budget: 10,
            tolerance: 1e-5,
            energy_tolerance: 0.0,
            fresh_factor: 2.0,
            guess: Guess::VELOCITY,
            turn_guess: true,
            preconditioner: PreconditionerChoice::BlockJacobi,
            unknown: Unknown::Velocity,
            product: Product::Automatic,
            sweeps: 1,
            symmetry_tolerance: 0.02,
            restore_momentum: true,
        }
    }
}

/// First guess of the velocity at the end of a step: `velocity` · v + `force` · ΔtM⁻¹f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// Share of the velocity at the start.
    pub velocity: f64,
    /// Share of the velocity that the forces at the start would add.
    pub force: f64,
}

impl Guess {
    /// Standing still.
    pub const ZERO: Guess = Guess::new(0.0, 0.0);
    /// The velocity at the start.
    pub const VELOCITY: Guess = Guess::new(1.0, 0.0);
    /// An explicit Euler step.
    pub const VELOCITY_AND_FORCE: Guess = Guess::new(1.0, 1.0);

    const fn new(velocity: f64, force: f64) -> Guess {
        Guess { velocity, force }
    }

    /// α times the velocity at the start and 1 − α times the explicit Euler step.
    pub fn blend(alpha: f64) -> Guess {
        Guess::new(1.0, 1.0 - alpha)
    }
}

/// What conjugate gradients solve for. The iterates are the same; the tolerance is relative to another right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The velocity at the end of the step.
    Velocity,
    /// Its difference to the first guess [BW98].
    Increment,
}

/// How products with the matrix are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// Whichever should be faster for the budget, the mesh and the materials.
    Automatic,
    /// From an assembled matrix.
    Assembled,
    /// Element by element.
    MatrixFree,
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
