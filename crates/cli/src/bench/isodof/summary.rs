//! What the rows of the study amount to.

use super::{Row, median, number};
use serde_json::{Value, json};

/// The numbers by which the study is judged. Ratios of single steps are of minima in the mode `standing`; those over whole lives of
/// factors compare means with the medians of variants that do not depend on it.
pub fn summarise(rows: &[Row]) -> Value {
    let stage = |mode: &str, variant: &str, key: &str| {
        // those of the first body come first
        let found = rows.iter().find(|row| {
            row["part"] == "stages" && row["mode"] == mode && row["variant"] == variant
        });
        found.and_then(|row| number(row, key))
    };
    let standing = |variant: &str, key: &str| stage("standing", variant, key);
    let renewed = |key: &str| stage("renewed", "reuse", key);
    let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
    let gain = |slow: &str, fast: &str, key: &str| ratio(standing(slow, key), standing(fast, key));
    let over_lives = |slow: &str, part: &str| {
        let slow = standing(slow, &format!("{part}_seconds_median"));
        ratio(slow, renewed(&format!("{part}_seconds_mean")))
    };
    let difference = largest(rows, "equality", "force_difference");
    let mean_gain = |figure: &str, way: &str| {
        let own = rows.iter().filter(|row| {
            row["part"] == "compliance" && row["figure"] == figure && row["way"] == way
        });
        let gains: Vec<f64> = own.filter_map(|row| number(row, "speedup")).collect();
        (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
    };
    let of_scenes = |key: &str| {
        let scenes = rows.iter().filter(|row| row["part"] == "scene");
        scenes
            .filter_map(|row| Some((row["scene"].as_str()?.to_owned(), row.get(key)?.clone())))
            .collect::<Row>()
    };
    let scene_ratios = rows
        .iter()
        .filter(|row| row["part"] == "scene")
        .filter_map(|row| {
            let jacobi = number(row, "block_jacobi_iterations_median")?;
            Some(jacobi / number(row, "pcg_iterations_median")?.max(1.0))
        });
    let w = "w_seconds_min";
    let step = "step_seconds_min";
    json!({
        "body": rows.iter().find(|row| row["part"] == "stages").map(|row| row["body"].clone()),
        "dofs": standing("reuse", "dofs"),
        "constraints": standing("reuse", "constraints_median"),
        "w_speedup_isodof": gain("dense-sts", "isodof", w),
        "w_speedup_reuse": gain("dense-sts", "reuse", w),
        "w_speedup_reuse_over_lives": over_lives("dense-sts", "w"),
        "step_speedup_vs_dense_sts": gain("dense-sts", "reuse", step),
        "step_speedup_vs_dense_sts_over_lives": over_lives("dense-sts", "step"),
        "step_speedup_vs_direct": gain("direct", "reuse", step),
        "step_speedup_vs_direct_over_lives": over_lives("direct", "step"),
        "w_share": ratio(standing("reuse", "w_seconds_median"), standing("reuse", "step_seconds_median")),
        "w_share_over_lives": ratio(renewed("w_seconds_mean"), renewed("step_seconds_mean")),
        "w_share_isodof": ratio(standing("isodof", "w_seconds_median"), standing("isodof", "step_seconds_median")),
        "w_share_dense_sts": ratio(standing("dense-sts", "w_seconds_median"), standing("dense-sts", "step_seconds_median")),
        "pgs_share": ratio(standing("reuse", "solver_seconds_median"), standing("reuse", "step_seconds_median")),
        "lambda_max_difference": difference,
        "pcg_iterations_median": renewed("pcg_iterations_median"),
        "block_jacobi_iterations_median": renewed("block_jacobi_iterations_median"),
        "delay_residual_median": renewed("delay_residual_median"),
        "lag": renewed("lag"),
        // exponents of W's time in the degrees of freedom at a fixed number of touched nodes
        "w_growth_exponent": exponent(rows, "isodof"),
        "w_growth_exponent_reuse": exponent(rows, "reuse"),
        "w_growth_exponent_dense_sts": exponent(rows, "dense-sts"),
        "figure_9_speedup_isodof": mean_gain("9", "isodof"),
        "figure_9_speedup_reuse": mean_gain("9", "reuse"),
        "figure_9_speedup_reuse_95": mean_gain("9", "reuse, 95 %"),
        "figure_10_speedup_isodof": mean_gain("10", "isodof"),
        "figure_10_speedup_reuse": mean_gain("10", "reuse"),
        "scene_pcg_iterations": of_scenes("pcg_iterations_median"),
        "scene_pcg_iterations_max": largest(rows, "scene", "pcg_iterations_median"),
        "scene_iteration_ratio_min": scene_ratios.reduce(f64::min),
        "scene_w_speedup": of_scenes("w_speedup"),
        "scene_w_share": of_scenes("w_share"),
        "scene_solver_share": of_scenes("solver_share"),
        "scene_w_share_median": median(
            rows.iter().filter(|row| row["part"] == "scene").filter_map(|row| number(row, "w_share")),
        ),
    })
}

fn largest(rows: &[Row], part: &str, key: &str) -> Option<f64> {
    let own = rows.iter().filter(|row| row["part"] == part);
    own.filter_map(|row| number(row, key)).reduce(f64::max)
}

/// Slope of the least-squares line through log W against log DOFs of Figure 10.
fn exponent(rows: &[Row], way: &str) -> Option<f64> {
    let own = rows
        .iter()
        .filter(|row| row["part"] == "compliance" && row["figure"] == "10" && row["way"] == way);
    let points: Vec<(f64, f64)> = own
        .filter_map(|row| Some((number(row, "dofs")?.ln(), number(row, "seconds_min")?.ln())))
        .collect();
    slope(&points)
}

fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    let (x, y) = (sum(&|p| p.0) / n, sum(&|p| p.1) / n);
    let (xx, xy) = (
        sum(&|p| (p.0 - x) * (p.0 - x)),
        sum(&|p| (p.0 - x) * (p.1 - y)),
    );
    (points.len() > 1 && xx > 0.0).then(|| xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let points: Vec<(f64, f64)> = [1.0f64, 2.0, 5.0, 9.0]
            .map(|x| (x.ln(), (3.0 * x.powf(0.4)).ln()))
            .to_vec();
        assert!((slope(&points).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(slope(&points[..1]), None);
    }
}
