//! What the rows of the study amount to.

use super::{Row, number, row};
use serde_json::{Value, json};

/// Keys of the summary, and whether the worst of the scenes is the least.
const KEYS: [(&str, bool); 8] = [
    ("speedup_total", true),
    ("speedup_mean", true),
    ("speedup_total_no_contact", true),
    ("speedup_mean_no_contact", true),
    ("max_vertex_error", false),
    ("worst_step_ratio", false),
    ("quiet_step_ratio", false),
    ("false_negative_rate", false),
];

/// Further keys of single scenes.
const MORE: [&str; 15] = [
    "slowest_step_of_median",
    "false_negative_rate_of_rigid",
    "rigid_strained_later",
    "steps",
    "steps_of_scene",
    "quiet_steps",
    "unknowns_share",
    "energy_difference",
    "topple_full",
    "topple_rigidify",
    "topple_same_side",
    "topple_time_difference",
    "pile_height",
    "pile_kinetic",
    "failed",
];

/// The worst over all scenes, and below `scenes` those of each.
pub fn summarise(rows: &[Row]) -> Value {
    let scenes = || rows.iter().filter(|row| row["part"] == "scene");
    let worst = |(key, least): (&str, bool)| {
        let values = scenes().filter_map(|row| number(row, key));
        let worst = values.reduce(if least { f64::min } else { f64::max });
        (key.to_string(), json!(worst))
    };
    let mut summary: Row = KEYS.into_iter().map(worst).collect();
    let of_scene = |scene: &Row| {
        let keys = KEYS.iter().map(|key| key.0).chain(MORE);
        let known = keys.filter_map(|key| Some((key.to_string(), scene.get(key)?.clone())));
        known.collect::<Row>()
    };
    let each = scenes()
        .filter_map(|scene| Some((scene["scene"].as_str()?.to_string(), of_scene(scene).into())));
    summary.insert("scenes".into(), Value::Object(each.collect()));
    let figure = rows
        .iter()
        .filter(|row| row["part"] == "cantilever")
        .map(|cantilever| {
            let keys = ["elastic_above", "max_vertex_error", "speedup_total"];
            keys.map(|key| number(cantilever, key))
        });
    summary.extend(row(json!({ "figure_5": figure.collect::<Vec<_>>() })));
    Value::Object(summary)
}
