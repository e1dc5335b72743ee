//! Table 2: what W costs to build, against the solves that do without it.

use super::super::timing::Effort;
use super::compliance::{Moment, solve_timing};
use super::{Row, number, row};
use anyhow::Result;
use serde_json::{Value, json};

/// Solves that the paper counts with.
const ITERATIONS: [usize; 2] = [10, 200];

/// A row of a body whose stages were measured: the unbuilt scheme needs one solve for each product with W.
pub fn measured_row(moment: &Moment, stages: &[Row], effort: Effort) -> Result<Row> {
    let solve = solve_timing(moment, effort)?;
    let of = |variant: &str, key: &str| {
        let found = (stages.iter()).find(|r| r["mode"] == "standing" && r["variant"] == variant);
        found.and_then(|row| number(row, key))
    };
    let built: Row = ["isodof", "reuse"]
        .iter()
        .map(|variant| (variant.to_string(), json!(of(variant, "w_seconds_min"))))
        .collect();
    let extra: Vec<Value> = ITERATIONS
        .map(|count| json!({ "iterations": count, "seconds": count as f64 * solve.minimum }))
        .to_vec();
    Ok(row(json!({
        "part": "unbuilt",
        "body": moment.case.name,
        "dofs": 3 * moment.factor.symbolic().row_count(),
        "constraints": 3 * moment.contacts.len(),
        "w_seconds_isodof": built["isodof"],
        "w_seconds_reuse": built["reuse"],
        "solve_seconds_min": solve.minimum,
        "solve_seconds_median": solve.median,
        "sweeps": of("reuse", "solver_iterations_median"),
        "products": of("unbuilt", "solver_iterations_median"),
        "built_seconds": of("reuse", "w_seconds_min").zip(of("reuse", "solver_seconds_min")).map(|(w, s)| w + s),
        "unbuilt_seconds": of("unbuilt", "w_seconds_min").zip(of("unbuilt", "solver_seconds_min")).map(|(w, s)| w + s),
        "extra": extra,
    })))
}
