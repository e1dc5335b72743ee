//! The methods by name. The only place that knows them all: a method is a reduction, a linear solver and (with
//! contact) a compliance.

use crate::assembly::Follow;
use crate::condense::Condensed;
use crate::early_cg::EarlyCg;
use crate::lagged::Lagged;
use crate::model::Model;
use crate::reduction::{Full, Reduction, Rigidify};
use crate::settings::{
    EarlyCgSettings, Integrator, IsodofSettings, LaggedSettings, Product, Settings, SolverChoice,
    Variant,
};
use crate::solver::{LinearSolver, linear_solver};
use crate::step::Stepper;
use crate::stepping::Stepping;
use crate::subspace::{SubspaceError, SubspaceStepper};
use crate::system::Form;
use pliant_linalg::SolveError;
use pliant_linalg::lanes::LANES;
use thiserror::Error;

/// Why a method cannot start with a model.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StartError {
    /// A linear system that cannot be set up.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// Something about trained spaces.
    #[error(transparent)]
    Subspace(#[from] SubspaceError),
}

/// What `--method` and a scene's `method` may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every node, nothing saved: the reference.
    #[default]
    Full,
    /// Conjugate gradients for each body, stopped early.
    EarlyCg,
    /// A factor that lags behind, and compliance from the degrees of freedom that constraints touch.
    Isodof,
    /// Inertia condensed onto a few nodes.
    Conjac,
    /// What is hardly strained moves as rigid bodies.
    Rigidify,
    /// Bodies move in trained spaces, but where those fail.
    Subspace,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 6] = [
        Method::Full,
        Method::EarlyCg,
        Method::Isodof,
        Method::Conjac,
        Method::Rigidify,
        Method::Subspace,
    ];

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Full => "full",
            Method::EarlyCg => "early-cg",
            Method::Isodof => "isodof",
            Method::Conjac => "conjac",
            Method::Rigidify => "rigidify",
            Method::Subspace => "subspace",
        }
    }

    /// One line of explanation.
    pub fn description(self) -> &'static str {
        match self {
            Method::Full => "every node is solved for; the reference for all other methods",
            Method::EarlyCg => {
                "conjugate gradients for each body, stopped when nobody would see the difference"
            }
            Method::Isodof => {
                "every node; factorised in the background, contact solved on the nodes that it touches"
            }
            Method::Conjac => {
                "a few dynamic nodes carry the inertia, all others follow them in equilibrium"
            }
            Method::Rigidify => "what is hardly strained moves as rigid bodies until that changes",
            Method::Subspace => "bodies move in trained spaces, with every node where those fail",
        }
    }

    /// The method with this name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name() == name)
    }

    /// What steps a model in this method.
    pub(crate) fn stepper(
        self,
        model: &Model,
        settings: Settings,
    ) -> Result<Box<dyn Stepping>, StartError> {
        Ok(match self {
            Method::Subspace => Box::new(SubspaceStepper::new(model, settings)?),
            _ => Box::new(Stepper::new(model, settings, self)?),
        })
    }

    /// The parts it is made of.
    pub(crate) fn parts(self, model: &Model, settings: &Settings) -> Result<Parts, SolveError> {
        match self {
            Method::Subspace => Err(SolveError::Unsupported {
                what: "a step of nodal velocities in the method `subspace`",
                instead: "start it through a simulation",
            }),
            Method::Full => Ok(Parts {
                reduction: Box::new(Full::new(model)?),
                solver: linear_solver(settings.solver),
                follow: None,
                compliance: Variant::Isolated,
                foresees: false,
                corrections: (0, 0.0),
            }),
            Method::Isodof => {
                let IsodofSettings {
                    variant,
                    factor,
                    foresee,
                    corrections,
                } = settings.isodof;
                Ok(Parts {
                    reduction: Box::new(Full::new(model)?),
                    solver: match variant {
                        Variant::Direct => linear_solver(SolverChoice::Direct),
                        _ => Box::new(Lagged::new(LaggedSettings {
                            prefetch: factor.prefetch && variant == Variant::Reuse,
                            ..factor
                        })),
                    },
                    follow: None,
                    compliance: variant,
                    foresees: foresee,
                    corrections: (corrections, factor.delay_tolerance),
                })
            }
            Method::Conjac => Ok(Parts {
                reduction: Box::new(Full::new(model)?),
                solver: Box::new(Condensed::new(model, settings.conjac)),
                follow: None,
                compliance: Variant::Isolated,
                foresees: false,
                corrections: (0, 0.0),
            }),
            Method::Rigidify => Ok(Parts {
                reduction: Box::new(Rigidify::new(model, settings.rigidify)?),
                solver: match settings.rigidify.early_cg {
                    true => Box::new(EarlyCg::new(settings.early_cg, Form::Bodies)),
                    false => linear_solver(settings.solver),
                },
                follow: None,
                compliance: Variant::Isolated,
                foresees: false,
                corrections: (0, 0.0),
            }),
            Method::EarlyCg => {
                let reduction = Full::new(model)?;
                let blocks = reduction.space().pattern().block_count();
                let form = form_for(model, blocks, &settings.early_cg);
                let follow = followed_rotations(model, settings);
                Ok(Parts {
                    reduction: Box::new(reduction),
                    solver: Box::new(EarlyCg::new(settings.early_cg, form)),
                    follow,
                    compliance: Variant::Isolated,
                    foresees: false,
                    corrections: (0, 0.0),
                })
            }
        }
    }

    /// Whether bodies must have been trained for it.
    pub fn needs_training(self) -> bool {
        self == Method::Subspace
    }

    /// The time step of scenes that name none, s.
    pub fn default_step(self) -> f64 {
        match self {
            Method::Full
            | Method::Isodof
            | Method::Conjac
            | Method::Rigidify
            | Method::Subspace => Settings::default().h,
            Method::EarlyCg => EarlyCgSettings::STEP,
        }
    }
}

/// Sweeps for the materials that follow rotations, where one linear solve makes the step: Newton's method needs the energy
/// that belongs to the forces.
fn followed_rotations(model: &Model, settings: &Settings) -> Option<Follow> {
    let EarlyCgSettings {
        sweeps,
        symmetry_tolerance: tolerance,
        ..
    } = settings.early_cg;
    let linear = matches!(settings.integrator, Integrator::LinearImplicit { .. });
    let used = (model.elements.chunks.iter()).any(|chunk| chunk.model.follows_rotation());
    (linear && used && sweeps > 0).then_some(Follow::Sweep { sweeps, tolerance })
}

/// Whether a matrix pays: adding it up costs more than evaluating tangents, its products cost less.
///
/// The constants are nanoseconds from runs of the 4 734-node scene on one machine, those of framed tangents older than the last
/// changes of the product; only their ratios matter. They are fixed, so that the choice is the same everywhere.
fn form_for(model: &Model, blocks: usize, settings: &EarlyCgSettings) -> Form {
    if model.has_constraints() {
        return Form::Bodies; // their compliance needs a factor
    }
    match settings.product {
        Product::Assembled => return Form::Bodies,
        Product::MatrixFree => return Form::Elements,
        Product::Automatic => {}
    }
    const BLOCK_PRODUCT: f64 = 2.6;
    // per element: product, assembly beyond tangents, and tangents once more for the damping force
    const ROTATED: [f64; 3] = [12.4, 106.0, 16.0];
    const FRAMED: [f64; 3] = [21.0, 87.0, 87.0];
    let elements = &model.elements;
    let count = |rotated: bool| {
        let chunks = elements.chunks.iter();
        let packs = chunks.filter(|chunk| chunk.model.is_rotated_linear() == rotated);
        (packs.map(|chunk| chunk.packs.len()).sum::<usize>() * LANES) as f64
    };
    let (rotated, framed) = (count(true), count(false));
    let of = |k: usize| rotated * ROTATED[k] + framed * FRAMED[k];
    let products = settings.budget as f64 + 1.0; // one for the first residual
    let damped = elements.has_stiffness_damping;
    let matrix_free = of(0) * products;
    let assembled =
        of(1) + if damped { of(2) } else { 0.0 } + BLOCK_PRODUCT * blocks as f64 * products;
    if matrix_free <= assembled {
        Form::Elements
    } else {
        Form::Bodies
    }
}

/// Reduction and solver of a method.
pub(crate) struct Parts {
    pub reduction: Box<dyn Reduction>,
    pub solver: Box<dyn LinearSolver>,
    /// How rotations are followed from step to step, if they are.
    pub follow: Option<Follow>,
    /// How the compliance of constraints is made.
    pub compliance: Variant,
    /// See [`IsodofSettings::foresee`].
    pub foresees: bool,
    /// See [`IsodofSettings::corrections`]: how many, and down to which residual.
    pub corrections: (u32, f64),
}
