//! Contact.

use crate::error::{KeyPath, Problem};
use crate::file::ContactTable;
use pliant_solid::contact::{ContactModel, Obstacle};

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
        obstacles,
        friction: friction(
            table.friction.map_or(default.friction, |f| f.si),
            &at.key("friction"),
        )?,
        stiffness,
        damping,
    })
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
