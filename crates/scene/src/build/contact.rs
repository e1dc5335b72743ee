//! Contact.

use crate::error::{KeyPath, Problem};
use crate::file::{
    CandidatesName, ConeName, ConstraintSolverName, ContactResponseName, ContactTable,
    DetectionName, PenaltyFrictionName,
};
use pliant_solid::constraint::{ConstraintSettings, ConstraintSolver, Friction};
use pliant_solid::contact::{
    ConstraintResponse, ContactModel, Detection, Obstacle, PenaltyFriction, Response,
};

/// What the bodies of a scene may touch; without a `[contact]` table obstacles only.
pub fn contact(
    table: Option<&ContactTable>,
    obstacles: Vec<Obstacle>,
) -> Result<ContactModel, Problem> {
    let default = ContactModel::default();
    let Some(table) = table else {
        return Ok(ContactModel {
            obstacles,
            ..default
        });
    };
    let at = KeyPath::root().key("contact");
    let response = match table.model {
        Some(ContactResponseName::Penalty) => Response::Penalty,
        Some(ContactResponseName::Constraint) | None => Response::Constraint,
    };
    refuse_foreign_keys(table, response, &at)?;
    let stiffness = table.stiffness.map_or(default.stiffness, |s| s.si);
    if stiffness <= 0.0 {
        return Err(Problem::new(
            at.key("stiffness"),
            format!("the stiffness of contacts must be positive, not {stiffness}"),
        )
        .help("1 is the stiffness of the material; use bodies = false to let bodies pass"));
    }
    let damping = table.damping.map_or(default.damping, |d| d.si);
    if damping < 0.0 {
        return Err(Problem::new(
            at.key("damping"),
            format!("the damping of contacts must not be negative, not {damping} s"),
        ));
    }
    Ok(ContactModel {
        enabled: table.bodies.unwrap_or(true),
        itself: table.itself.unwrap_or(false),
        obstacles,
        friction: friction(
            table.friction.map_or(default.friction, |f| f.si),
            &at.key("friction"),
        )?,
        detection: match table.detection {
            Some(DetectionName::Inside) => Detection::Inside,
            Some(DetectionName::Proximity) => Detection::Proximity,
            None => match response {
                Response::Constraint => Detection::Proximity,
                Response::Penalty => Detection::Inside,
            },
        },
        alarm: table.alarm.map(|a| a.si),
        response,
        constraint: constraint(table),
        stiffness,
        damping,
        isotropy: table.isotropy.map_or(default.isotropy, |i| i.si),
        penalty_friction: match table.friction_law {
            Some(PenaltyFrictionName::Filter) => PenaltyFriction::Filter,
            Some(PenaltyFrictionName::Lagged) | None => PenaltyFriction::Lagged,
        },
    })
}

fn constraint(table: &ContactTable) -> ConstraintResponse {
    let default = ConstraintResponse::default();
    ConstraintResponse {
        solver: ConstraintSettings {
            solver: match table.solver {
                None => default.solver.solver,
                Some(ConstraintSolverName::GaussSeidel) => ConstraintSolver::ProjectedGaussSeidel,
                Some(ConstraintSolverName::ConjugateGradients) => {
                    ConstraintSolver::ConjugateGradients
                }
                Some(ConstraintSolverName::Newton) => ConstraintSolver::Newton,
            },
            max_iterations: (table.iterations)
                .map_or(default.solver.max_iterations, |count| count as usize),
            tolerance: table.tolerance.map_or(default.solver.tolerance, |t| t.si),
        },
        friction: match table.cone {
            Some(ConeName::Box) => Friction::Box,
            Some(ConeName::Cone) | None => Friction::Cone,
        },
        correction: table.correction.map_or(default.correction, |c| c.si),
        compliance: table.compliance.map_or(default.compliance, |c| c.si),
        tangential_compliance: table
            .tangential_compliance
            .map_or(default.tangential_compliance, |c| c.si),
        restitution: table.restitution.map_or(default.restitution, |r| r.si),
        separation_speed: table.separation_speed.map(|s| s.si),
        all_near: table.candidates == Some(CandidatesName::Near),
    }
}

/// Keys that the chosen response would not read.
fn refuse_foreign_keys(
    table: &ContactTable,
    response: Response,
    at: &KeyPath,
) -> Result<(), Problem> {
    let (foreign, owner): (&[(&str, bool)], _) = match response {
        Response::Constraint => (
            &[
                ("stiffness", table.stiffness.is_some()),
                ("damping", table.damping.is_some()),
                ("isotropy", table.isotropy.is_some()),
                ("friction_law", table.friction_law.is_some()),
            ],
            "penalty",
        ),
        Response::Penalty => (
            &[
                ("cone", table.cone.is_some()),
                ("correction", table.correction.is_some()),
                ("separation_speed", table.separation_speed.is_some()),
                ("candidates", table.candidates.is_some()),
                ("compliance", table.compliance.is_some()),
                (
                    "tangential_compliance",
                    table.tangential_compliance.is_some(),
                ),
                ("restitution", table.restitution.is_some()),
                ("solver", table.solver.is_some()),
                ("iterations", table.iterations.is_some()),
                ("tolerance", table.tolerance.is_some()),
            ],
            "constraint",
        ),
    };
    match foreign.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => Err(Problem::new(
            at.key(key),
            format!("`{key}` has no effect on this model of contact"),
        )
        .help(format!("set model = \"{owner}\", or leave `{key}` out"))),
    }
}

/// A coefficient of friction.
pub fn friction(value: f64, at: &KeyPath) -> Result<f64, Problem> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Problem::new(
        at.clone(),
        format!("the coefficient of friction must not be negative, not {value}"),
    ))
}
