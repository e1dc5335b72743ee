//! What the rows of the study amount to.

use super::{Row, number};
use serde_json::{Map, Value, json};

/// Keys of single candidates.
const KEYS: [&str; 22] = [
    "speedup_average",
    "speedup_best",
    "speedup_worst",
    "active_average",
    "active_best",
    "active_worst",
    "speedup_average_direct",
    "speedup_best_direct",
    "speedup_worst_direct",
    "speedup_average_blocks",
    "speedup_best_blocks",
    "speedup_worst_blocks",
    "active_best_direct",
    "active_worst_direct",
    "error_mean",
    "error_most",
    "jump_ratio",
    "iterations_average",
    "iterations_most",
    "worst_residual",
    "steps",
    "failed",
];

/// The radius whose numbers stand for the study: the paper's smaller one of the capsule.
const RADIUS: f64 = 0.08;

/// Numbers of the first scene with ρ 0.08 (the first radius where there is none), errors over ρ, and below `scenes` those of all.
pub fn summarise(rows: &[Row]) -> Value {
    let scenes = || rows.iter().filter(|row| row["part"] == "scene");
    let first = scenes().next().map(|row| row["scene"].clone());
    let of_first = || scenes().filter(|row| Some(&row["scene"]) == first.as_ref());
    let with_radius = || of_first().filter(|row| row["kind"] == "radius");
    let stands = with_radius()
        .find(|row| number(row, "radius") == Some(RADIUS))
        .or_else(|| with_radius().next());
    let of = |key: &str| stands.and_then(|row| row.get(key)).cloned();
    let errors: Vec<Value> = of_first()
        .map(|row| {
            json!({
                "full": row["full"],
                "radius": row["radius"],
                "error_mean": row["error_mean"],
                "error_most": row["error_most"],
                "active_average": row["active_average"],
            })
        })
        .collect();
    let mut each = Map::new();
    for row in scenes() {
        let name = format!(
            "{}, {}",
            row["scene"].as_str().unwrap_or_default(),
            row["full"].as_str().unwrap_or_default()
        );
        let known = KEYS
            .iter()
            .map(|&key| (key.to_string(), row.get(key).cloned()));
        let known = known.filter_map(|(key, value)| Some((key, value?)));
        each.insert(name, Value::Object(known.collect()));
    }
    let failed: Vec<Value> = (rows.iter().filter(|row| row["part"] == "training"))
        .filter_map(|row| row.get("failed").cloned())
        .collect();
    json!({
        "speedup_average": of("speedup_average"),
        "speedup_best": of("speedup_best"),
        "speedup_worst": of("speedup_worst"),
        "speedup_average_direct": of("speedup_average_direct"),
        "active_average": of("active_average"),
        "active_best": of("active_best"),
        "active_worst": of("active_worst"),
        "radius": of("radius"),
        "scene": first,
        "error_by_rho": errors,
        "pcg_iterations_avg": of("iterations_average"),
        "subspace_step_size_exponent": exponent(rows, "seconds"),
        "size_exponent_detecting": exponent(rows, "seconds_detecting"),
        "scenes": each,
        "not_trained": failed,
    })
}

/// Slope of log time over log nodes, by least squares.
fn exponent(rows: &[Row], key: &str) -> Option<f64> {
    let points: Vec<(f64, f64)> = (rows.iter().filter(|row| row["part"] == "size"))
        .filter_map(|row| Some((number(row, "nodes")?.ln(), number(row, key)?.ln())))
        .collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let along: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let square: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    (square > 0.0).then(|| along / square)
}
