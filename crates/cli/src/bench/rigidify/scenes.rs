//! Table 1, Figures 3 and 6: the scenes of the method.

use super::case::Case;
use super::outcome::{Topple, pile};
use super::{Row, numbers, race, row};
use anyhow::Result;
use serde_json::json;

/// A scene and how far to follow it.
pub struct Plan {
    pub name: &'static str,
    pub race: race::Plan,
}

/// The row of a scene.
pub fn measured_row(plan: &Plan) -> Result<Row> {
    let case = Case::new(plan.name)?;
    let mut topple = (plan.name == "wheel").then(|| Topple::new(&case.scene.model));
    let race = race::run(&case, &plan.race, |full, rigidify| {
        if let Some(topple) = &mut topple {
            topple.note([full, rigidify]);
        }
    })?;
    let mut facts = row(json!({ "part": "scene", "chaotic": case.chaotic }));
    facts.extend(numbers::facts(&case, &race));
    facts.extend(topple.map(|topple| row(topple.facts())).unwrap_or_default());
    if case.chaotic {
        facts.extend(row(pile(&case, &race)));
    }
    Ok(facts)
}
