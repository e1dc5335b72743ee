//! How a model is stepped: time step, integrator, linear solver, budgets.

use crate::subspace::SubspaceSettings;
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
    /// The method `isodof`.
    pub isodof: IsodofSettings,
    /// The method `conjac`.
    pub conjac: ConjacSettings,
    /// The method `rigidify`.
    pub rigidify: RigidifySettings,
    /// The method `subspace`.
    pub subspace: SubspaceSettings,
    /// Newton's iteration, for the integrators that use it.
    pub newton: NewtonSettings,
    /// Largest error of a step, as a share of the size of the scene; a step with more is halved. None: steps are as long as they are.
    pub tolerance: Option<f64>,
    /// How often a step may be halved; one that fails even then stops the run.
    pub max_halvings: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            h: 5e-3,
            integrator: Integrator::LinearImplicit { beta: 1.0 },
            solver: SolverChoice::Direct,
            early_cg: EarlyCgSettings::default(),
            isodof: IsodofSettings::default(),
            conjac: ConjacSettings::default(),
            rigidify: RigidifySettings::default(),
            subspace: SubspaceSettings::default(),
            newton: NewtonSettings::default(),
            tolerance: None,
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

/// Adaptive rigidification [MWLK22].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidifySettings {
    /// What is hardly strained.
    pub limits: StrainLimits,
    /// Steps for which an element must be quiet before it may become rigid.
    pub window: u32,
    /// Iterations of the prediction.
    pub iterations: usize,
    /// Steps over which predictions of the same clump add up; 1 looks at single steps, as the paper does. None: one with given rates,
    /// otherwise as many as a body takes to swing.
    pub memory: Option<u32>,
    /// Steps for which an element must stay quiet if its strain rate changes on as it does; 0 looks at the present rate alone, as the paper
    /// does. None: ten with given rates, otherwise as many as a body takes to swing.
    pub foresight: Option<u32>,
    /// Whether the mixed system is solved by conjugate gradients that stop early, with the settings of `early-cg`.
    pub early_cg: bool,
    /// Whether bodies that have gone nowhere for a while, with all they touch, stop until something happens to them.
    pub sleep: bool,
}

impl RigidifySettings {
    /// With these limits, all else as it is by default.
    pub fn with_limits(limits: StrainLimits) -> RigidifySettings {
        RigidifySettings {
            limits,
            window: 5,
            iterations: 1,
            memory: None,
            foresight: None,
            early_cg: false,
            sleep: true,
        }
    }
}

impl Default for RigidifySettings {
    fn default() -> Self {
        RigidifySettings::with_limits(StrainLimits::Error(0.01))
    }
}

/// When an element counts as hardly strained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrainLimits {
    /// The same strain rates for all bodies, as in the paper.
    Rates(StrainRates),
    /// For an error, as a share of a body's size: rates that follow from how fast the body swings.
    Error(f64),
}

/// Squared strain rates ‖Ė‖², 1/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainRates {
    /// Below it an element is quiet (the paper's τ_R).
    pub rigid_below: f64,
    /// An element of a clump becomes elastic where more is predicted (the paper's τ_E).
    pub elastic_above: f64,
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

/// Contact with isolated degrees of freedom [ZCC22].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IsodofSettings {
    /// How the compliance of constraints is made.
    pub variant: Variant,
    /// The factor that solves and compliance share.
    pub factor: LaggedSettings,
    /// Whether the velocities that constraints start from contain the impulses of the step before; then the factor, which may be
    /// old, has only their change to deal with. In steps of one linear solve.
    pub foresee: bool,
    /// How often, at most, constraints are solved again with velocities that obey the present matrix, not the factor's, while
    /// more than [`LaggedSettings::delay_tolerance`] is missing.
    pub corrections: u32,
}

impl Default for IsodofSettings {
    fn default() -> Self {
        IsodofSettings {
            variant: Variant::default(),
            factor: LaggedSettings::default(),
            foresee: true,
            corrections: 2,
        }
    }
}

/// The ways to a compliance that the paper compares. All give the same numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Columns of touched nodes along their paths in the elimination tree, kept while the factor stands.
    #[default]
    Reuse,
    /// The same, solved anew in every step.
    Isolated,
    /// Columns of constraints through the whole factor [CAK14].
    DenseSts,
    /// No matrix at all: a solve for every iteration over the constraints.
    Unbuilt,
    /// As `Isolated`, with a new factor in every step and no conjugate gradients.
    Direct,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 5] = [
        Variant::Reuse,
        Variant::Isolated,
        Variant::DenseSts,
        Variant::Unbuilt,
        Variant::Direct,
    ];

    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Reuse => "reuse",
            Variant::Isolated => "isodof",
            Variant::DenseSts => "dense-sts",
            Variant::Unbuilt => "unbuilt",
            Variant::Direct => "direct",
        }
    }
}

/// A factor made on another thread, some steps old when it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaggedSettings {
    /// Most steps from the assembly of a matrix to the use of its factor; `None` chooses by the sizes of factor and mesh, zero
    /// factorises every step's own matrix before it is solved.
    pub lag: Option<u32>,
    /// Uses a factor as soon as it is there: results depend on the clock.
    pub free_running: bool,
    /// A new factor is begun after a step with so many iterations; zero begins one whenever the last has arrived.
    pub refresh_at: u32,
    /// The same after a step in which the age of the factor left more than this of the equations, relative.
    pub delay_tolerance: f64,
    /// Whether factors turn with the nodes.
    pub warp: bool,
    /// Relative residual at which conjugate gradients stop.
    pub tolerance: f64,
    /// Iterations after which they stop.
    pub max_iterations: usize,
    /// Whether the other thread also solves the columns of nodes that are touched, or near those.
    pub prefetch: bool,
    /// Nodes whose columns are kept, at most.
    pub kept_nodes: usize,
}

impl Default for LaggedSettings {
    fn default() -> Self {
        LaggedSettings {
            lag: None,
            free_running: false,
            refresh_at: 4,
            delay_tolerance: 1e-2,
            warp: true,
            tolerance: 1e-5,
            max_iterations: 200,
            prefetch: true,
            kept_nodes: 3000,
        }
    }
}

/// Condensation onto a few dynamic nodes [WKS20].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConjacSettings {
    /// Dynamic nodes of a body that names none of its own.
    pub count: usize,
    /// γ: how much of what would balance the quasi-static nodes moves them in a step.
    pub stabilisation: f64,
    /// Whether that is shortened where it would raise the potential.
    pub line_search: bool,
    /// Whether dynamic nodes come and go with what happens around them.
    pub adaptive: Option<LivelinessSettings>,
    /// How often quasi-static nodes are balanced again where a step has put them, with the same factor and a line search.
    pub corrections: u32,
    /// Whether quasi-static nodes of free pieces feel the acceleration of the whole: without it they hang from the dynamic ones.
    pub whole_motion: bool,
    /// Whether pieces and regions that spin go along circles instead of tangents.
    pub corotate: bool,
}

impl Default for ConjacSettings {
    fn default() -> Self {
        ConjacSettings {
            count: 4,
            stabilisation: 1.0 / 3.0,
            line_search: true,
            adaptive: None,
            corrections: 0,
            whole_motion: true,
            corotate: false,
        }
    }
}

/// When a node is dynamic [WKS20, Section 3].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LivelinessSettings {
    /// Mean stretching speed of its surroundings above which it is, 1/s.
    pub threshold: f64,
    /// Share of the threshold below which it is no longer.
    pub release: f64,
    /// Steps over which the speed is averaged.
    pub window: usize,
}

impl Default for LivelinessSettings {
    fn default() -> Self {
        LivelinessSettings {
            threshold: 0.02,
            release: 0.5,
            window: 10,
        }
    }
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
