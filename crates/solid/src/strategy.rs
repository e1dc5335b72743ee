//! The methods by name. The only place that knows them all: a method is a reduction, a linear solver and (with
//! contact) a compliance.

use crate::assembly::Follow;
use crate::early_cg::EarlyCg;
use crate::model::Model;
use crate::reduction::{Full, Reduction};
use crate::settings::{EarlyCgSettings, Integrator, Product, Settings};
use crate::solver::{LinearSolver, linear_solver};
use crate::system::Form;
use pliant_linalg::SolveError;

/// What `--method` and a scene's `method` may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every node, nothing saved: the reference.
    #[default]
    Full,
    /// Conjugate gradients for each body, stopped early.
    EarlyCg,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 2] = [Method::Full, Method::EarlyCg];

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Full => "full",
            Method::EarlyCg => "early-cg",
        }
    }

    /// One line of explanation.
    pub fn description(self) -> &'static str {
        match self {
            Method::Full => "every node is solved for; the reference for all other methods",
            Method::EarlyCg => {
                "conjugate gradients for each body, stopped when nobody would see the difference"
            }
        }
    }

    /// The method with this name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name() == name)
    }

    /// The parts it is made of.
    pub(crate) fn parts(self, model: &Model, settings: &Settings) -> Result<Parts, SolveError> {
        match self {
            Method::Full => Ok(Parts {
                reduction: Box::new(Full::new(model)?),
                solver: linear_solver(settings.solver),
                follow: None,
            }),
            Method::EarlyCg => Ok(Parts {
                reduction: Box::new(Full::new(model)?),
                solver: Box::new(EarlyCg::new(
                    settings.early_cg,
                    form_for(model, &settings.early_cg),
                )),
                follow: followed_rotations(settings),
            }),
        }
    }

    /// The time step of scenes that name none, s.
    pub fn default_step(self) -> f64 {
        match self {
            Method::Full => Settings::default().h,
            Method::EarlyCg => EarlyCgSettings::STEP,
        }
    }
}

/// Sweeps for the materials that follow rotations, where one linear solve makes the step: Newton's method needs the energy
/// that belongs to the forces.
fn followed_rotations(settings: &Settings) -> Option<Follow> {
    let EarlyCgSettings {
        sweeps,
        symmetry_tolerance: tolerance,
        ..
    } = settings.early_cg;
    let linear = matches!(settings.integrator, Integrator::LinearImplicit { .. });
    (linear && sweeps > 0).then_some(Follow::Sweep { sweeps, tolerance })
}

/// Whether a matrix pays: it has to be added up first, but its products are then cheaper for materials with a full tangent.
fn form_for(model: &Model, settings: &EarlyCgSettings) -> Form {
    match settings.product {
        Product::Assembled => return Form::Bodies,
        Product::MatrixFree => return Form::Elements,
        Product::Automatic => {}
    }
    let _ = model;
    Form::Elements
}

/// Reduction and solver of a method.
pub(crate) struct Parts {
    pub reduction: Box<dyn Reduction>,
    pub solver: Box<dyn LinearSolver>,
    /// How rotations are followed from step to step, if they are.
    pub follow: Option<Follow>,
}
