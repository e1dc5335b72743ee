//! What the method `subspace` cannot do, said before the first step.

use super::domain::Domains;
use super::trained::TrainedError;
use crate::contact::{Detection, PenaltyFriction, Response};
use crate::drive::Action;
use crate::model::Model;
use crate::octet::Formulation;
use crate::settings::{Integrator, Settings};
use pliant_linalg::SolveError;
use thiserror::Error;

/// A basis row below this share of the largest entry counts as zero.
const NOTHING: f64 = 1e-10;

/// Why the method cannot start.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SubspaceError {
    /// No body has been trained.
    #[error(
        "the method `subspace` needs a trained model: run `pliant train SCENE --out MODEL` and name the file in [solver.subspace] model"
    )]
    Untrained,
    /// A trained model that does not fit.
    #[error(transparent)]
    Trained(#[from] TrainedError),
    /// Two trained models for one body.
    #[error("body `{body}` has two trained models: give one")]
    Twice {
        /// The body.
        body: String,
    },
    /// Something that the method does not know.
    #[error("the method `subspace` does not know {what}: {instead}")]
    Unknown {
        /// What the model has.
        what: &'static str,
        /// What to do about it.
        instead: &'static str,
    },
    /// Matrices that cannot be set up.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Whether the method can step this model.
pub(super) fn check(model: &Model, settings: &Settings) -> Result<(), SubspaceError> {
    if model.trained.is_empty() {
        return Err(SubspaceError::Untrained);
    }
    let mut seen = Vec::new();
    for trained in &model.trained {
        let body = trained.model.check(model)?;
        if seen.contains(&body) {
            let body = model.bodies[body].name.clone();
            return Err(SubspaceError::Twice { body });
        }
        seen.push(body);
    }
    let contact = &model.contact;
    let touches = contact.is_active(model.bodies.len());
    let unknown = [
        (
            model.bodies.iter().any(|b| b.planar),
            "planar bodies",
            "use solids, or another method",
        ),
        (
            !model.rigid.bodies.is_empty(),
            "rigid bodies",
            "make them obstacles, or use another method",
        ),
        (
            !model.joints.is_empty(),
            "joints",
            "use drives, or another method",
        ),
        (
            (model.bodies.iter()).any(|b| b.formulation != Formulation::Linear),
            "averaged or quadratic elements",
            "give the bodies the element tet4, or use another method",
        ),
        (!model.seams.all().is_empty(), "cuts", "use another method"),
        (
            touches && contact.response == Response::Constraint,
            "contact as constraints",
            "set model = \"penalty\" in [contact]",
        ),
        (
            touches && contact.penalty_friction == PenaltyFriction::Filter,
            "friction as a filter",
            "set penalty_friction = \"lagged\" in [contact]",
        ),
        (
            contact.enabled && model.bodies.len() > 1 && contact.detection == Detection::Inside,
            "contact between bodies found inside of them, which visits every node",
            "set detection = \"proximity\" in [contact]",
        ),
        (
            settings.integrator == Integrator::Bdf2,
            "the integrator bdf2",
            "use implicit-euler, linear-implicit or quasi-static",
        ),
    ];
    match unknown.into_iter().find(|(found, ..)| *found) {
        Some((_, what, instead)) => Err(SubspaceError::Unknown { what, instead }),
        None => Ok(()),
    }
}

/// Prescribed nodes that the basis does not carry along, ascending: those of drives with a motion of their own or an end, and those that
/// the basis moves along a prescribed axis. They are full for as long as they are prescribed.
pub(super) fn uncarried(model: &Model, domains: &Domains) -> Vec<u32> {
    let pose = domains.pose(0.0);
    let largest: Vec<f64> = (domains.list.iter())
        .map(|d| d.basis().basis.iter().fold(0.0f64, |m, u| m.max(u.abs())))
        .collect();
    let mut result = Vec::new();
    for drive in &model.drives {
        let Some((nodes, axes)) = drive.action.prescribed() else {
            continue;
        };
        // a rig holds nodes where its frames put them
        let moves = match &drive.action {
            Action::Prescribe {
                motion, release, ..
            } => !motion.is_rest() || release.is_some() || !pose.is_still(),
            _ => false,
        };
        let carried = |&node: &u32| {
            let still = |&(index, place): &(u32, u32)| {
                let domain = &domains.list[index as usize];
                let block = domain.basis().block(place as usize);
                let rows = block.chunks_exact(domain.rank.max(1)).zip(axes);
                let mut held = rows.filter(|(_, held)| *held).flat_map(|(row, _)| row);
                held.all(|u| u.abs() <= NOTHING * largest[index as usize])
            };
            !moves && domains.copies(node).iter().all(still)
        };
        result.extend(nodes.iter().filter(|node| !carried(node)));
    }
    result.sort_unstable();
    result.dedup();
    result
}
