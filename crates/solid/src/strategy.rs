//! The methods by name. The only place that knows them all: a method is a reduction, a linear solver and (with
//! contact) a compliance.

use crate::model::Model;
use crate::reduction::{Full, Reduction};
use crate::settings::Settings;
use crate::solver::{LinearSolver, linear_solver};
use pliant_linalg::SolveError;

/// What `--method` and a scene's `method` may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Every node, nothing saved: the reference.
    #[default]
    Full,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 1] = [Method::Full];

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Full => "full",
        }
    }

    /// One line of explanation.
    pub fn description(self) -> &'static str {
        match self {
            Method::Full => "every node is solved for; the reference for all other methods",
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
            }),
        }
    }
}

/// Reduction and solver of a method.
pub(crate) struct Parts {
    pub reduction: Box<dyn Reduction>,
    pub solver: Box<dyn LinearSolver>,
}
