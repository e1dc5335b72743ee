//! Contacts at the end of a run: `contacts.csv`, and the forces between pairs for the summary.

use pliant_solid::Simulation;
use pliant_solid::contact::{ContactReadout, Partner};
use pliant_solid::model::Model;
use serde_json::{Value, json};
use std::fmt::Write;

/// Columns of `contacts.csv`; SI units, forces on the body.
const HEADER: &str = "body,partner,state,point_x,point_y,point_z,normal_x,normal_y,normal_z,gap,\
    normal_force,friction_x,friction_y,friction_z,pressure";

/// One line a contact of the last step.
pub fn table(model: &Model, contacts: &ContactReadout) -> String {
    let mut text = format!("{HEADER}\n");
    for c in &contacts.contacts {
        let names = [&model.bodies[c.body].name, partner(model, c.partner)];
        let names = names.map(|name| name.replace([',', '"', '\n'], " "));
        let numbers = [c.point, c.normal].into_iter().flat_map(|v| v.to_array());
        let numbers = numbers
            .chain([c.gap, c.normal_force])
            .chain(c.friction.to_array())
            .chain([c.pressure]);
        // writing to a string cannot fail
        let _ = write!(text, "{},{},{}", names[0], names[1], c.state.name());
        for number in numbers {
            let _ = write!(text, ",{number:?}");
        }
        text.push('\n');
    }
    text
}

/// Force on each body by each partner that it touches.
pub fn pairs(model: &Model, contacts: &ContactReadout) -> Vec<Value> {
    let pushing = contacts.pairs.iter().filter(|pair| pair.pushing > 0);
    let pair = pushing.map(|pair| {
        json!({
            "body": model.bodies[pair.body].name,
            "partner": partner(model, pair.partner),
            "force": pair.force.to_array(),
            "contacts": pair.pushing,
        })
    });
    pair.collect()
}

/// Whether anything of the model can touch.
pub fn are_possible(simulation: &Simulation) -> bool {
    let model = simulation.model();
    model.contact.is_active(model.bodies.len())
}

fn partner(model: &Model, partner: Partner) -> &String {
    match partner {
        Partner::Body(index) => &model.bodies[index].name,
        Partner::Obstacle(index) => &model.contact.obstacles[index].name,
    }
}
