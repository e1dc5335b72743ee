//! What the rows of the study amount to.

use super::candidate::{CONVERGED, Candidate};
use anyhow::{Result, anyhow};
use pliant_solid::settings::{PreconditionerChoice, Product};
use serde_json::{Map, Value, json};

type Row = Map<String, Value>;

/// The numbers by which the study is judged; `scene` is the one whose costs count.
pub fn summarise(rows: &[Row], scene: &str, threads: usize) -> Result<Value> {
    let cost = |candidate: Candidate, key: &str| {
        let found = rows.iter().find(|row| {
            row["part"] == "cost"
                && row["scene"] == scene
                && row["threads"] == threads
                && describes(row, candidate)
        });
        let number = found.and_then(|row| row.get(key)?.as_f64());
        number.ok_or_else(|| anyhow!("no {key} of {candidate:?}"))
    };
    let converged = Candidate::paper(CONVERGED);
    let speedup = |budget, key: &str| -> Result<f64> {
        Ok(cost(converged, key)? / cost(Candidate::paper(budget), key)?)
    };
    let variant = |change: &dyn Fn(Candidate) -> Candidate, budget| -> Result<f64> {
        let seconds = |budget| cost(change(Candidate::paper(budget)), "cg_seconds_min");
        Ok(seconds(CONVERGED)? / seconds(budget)?)
    };
    let jacobi = |c: Candidate| c.preconditioner(PreconditionerChoice::Jacobi);
    let assembled = |c: Candidate| c.product(Product::Assembled);
    let matrix_free = |c: Candidate| c.product(Product::MatrixFree);
    // the converged run at its best, whatever `automatic` chose
    let best = |key: &str| -> Result<f64> {
        let products = [Product::Automatic, Product::Assembled, Product::MatrixFree];
        products.iter().try_fold(f64::INFINITY, |least, &product| {
            Ok(least.min(cost(converged.product(product), key)?))
        })
    };
    // our default guess turns with bodies that spin: fewer iterations to convergence, so less to save
    let turned = |budget, key: &str| -> Result<f64> {
        Ok(cost(Candidate::new(CONVERGED), key)? / cost(Candidate::new(budget), key)?)
    };
    let against_best = |budget, key: &str| -> Result<f64> {
        Ok(best(key)? / cost(Candidate::paper(budget), key)?)
    };
    let iterations =
        |preconditioner| cost(converged.preconditioner(preconditioner), "iterations_mean");
    let identity = iterations(PreconditionerChoice::Identity)?;
    let errors_at = |budget: usize| {
        let wanted = Candidate::new(budget);
        (rows.iter()).filter(move |row| row["part"] == "error" && describes(row, wanted))
    };
    let error = |budget: usize, key: &str| {
        let found = errors_at(budget).filter(|row| row["contact"] == false);
        // null where one of them is unstable
        let errors = found.map(|row| row[key].as_f64().filter(|_| row["stable"] == true));
        errors.reduce(|a, b| Some(a?.max(b?))).flatten()
    };
    let error_of_each = |budget: usize| {
        let errors = errors_at(budget).map(|row| {
            let name = row["scene"].as_str().unwrap_or_default();
            (name.to_owned(), row["max_vertex_error"].clone())
        });
        errors.collect::<Row>()
    };
    let rotation = |scene: &str, kernel: &str, data: &str, key: &str| {
        let found = rows.iter().find(|row| {
            row["part"] == "rotation"
                && row["scene"] == scene
                && row["kernel"] == kernel
                && row["data"] == data
        });
        found.and_then(|row| row[key].as_f64())
    };
    let sweeping = |kernel: &str, data: &str, key: &str| {
        let seconds = |kernel: &str| rotation(scene, kernel, data, key);
        Some(seconds("svd")? / seconds(kernel)?)
    };
    let rotation_error = |kernel: &str| {
        let found = rows.iter().filter(|row| {
            row["part"] == "rotation" && row["kernel"] == kernel && row["data"] == "in cache"
        });
        let errors = found.filter_map(|row| row["max_rotation_error"].as_f64());
        errors.reduce(f64::max)
    };
    let unstable: Vec<&Row> = (rows.iter())
        .filter(|row| row["part"] == "error" && row["stable"] == false)
        .collect();
    let (cg, step) = ("cg_seconds_min", "step_seconds_min");
    Ok(json!({
        "scene": scene,
        "cg_speedup_5": speedup(5, cg)?,
        "cg_speedup_5_median": speedup(5, "cg_seconds_median")?,
        "cg_speedup_10": speedup(10, cg)?,
        "cg_speedup_10_median": speedup(10, "cg_seconds_median")?,
        "step_speedup_5": speedup(5, step)?,
        "step_speedup_5_median": speedup(5, "step_seconds_median")?,
        "step_speedup_10": speedup(10, step)?,
        "step_speedup_10_median": speedup(10, "step_seconds_median")?,
        "cg_speedup_5_against_best_product": against_best(5, cg)?,
        "cg_speedup_10_against_best_product": against_best(10, cg)?,
        "step_speedup_5_against_best_product": against_best(5, step)?,
        "cg_speedup_5_turned": turned(5, cg)?,
        "cg_speedup_10_turned": turned(10, cg)?,
        "step_speedup_5_turned": turned(5, step)?,
        "converged_iterations_turned": cost(Candidate::new(CONVERGED), "iterations_mean")?,
        // the same change on both sides
        "cg_speedup_5_jacobi": variant(&jacobi, 5)?,
        "cg_speedup_10_jacobi": variant(&jacobi, 10)?,
        "cg_speedup_5_assembled": variant(&assembled, 5)?,
        "cg_speedup_10_assembled": variant(&assembled, 10)?,
        "cg_speedup_5_matrix_free": variant(&matrix_free, 5)?,
        "cg_speedup_10_matrix_free": variant(&matrix_free, 10)?,
        "converged_iterations": cost(converged, "iterations_mean")?,
        "jacobi_iteration_ratio": iterations(PreconditionerChoice::Jacobi)? / identity,
        "block_jacobi_iteration_ratio": iterations(PreconditionerChoice::BlockJacobi)? / identity,
        // the worst of the scenes without contact, default settings
        "max_vertex_error_5": error(5, "max_vertex_error"),
        "max_vertex_error_10": error(10, "max_vertex_error"),
        "max_vertex_error_20": error(20, "max_vertex_error"),
        "max_vertex_error_10_scenes": error_of_each(10),
        "max_kinetic_error_10": error(10, "max_kinetic_error"),
        "unstable_runs": unstable.len(),
        "sweep_speedup": sweeping("one sweep", "in cache", "seconds_min"),
        "sweep_speedup_median": sweeping("one sweep", "in cache", "seconds_median"),
        "sweep_speedup_streamed": sweeping("one sweep", "streamed", "seconds_min"),
        "checked_sweep_speedup": sweeping("one sweep, checked", "in cache", "seconds_min"),
        "rotation_error_one_sweep": rotation_error("one sweep"),
        "rotation_error_two_sweeps": rotation_error("two sweeps"),
    }))
}

/// Whether a row is about this candidate.
fn describes(row: &Row, candidate: Candidate) -> bool {
    let facts = candidate.facts();
    let same = |(key, value): (&String, &Value)| row.get(key) == Some(value);
    facts.as_object().is_some_and(|f| f.iter().all(same))
}
