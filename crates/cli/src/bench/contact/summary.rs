//! What the rows of the study amount to.

use super::Row;
use serde_json::{Value, json};

/// The numbers by which the study is judged; null where a part was not measured.
pub fn summarise(rows: &[Row]) -> Value {
    let part = |name: &'static str| rows.iter().filter(move |row| row["part"] == name);
    let worst = |name: &'static str, key: &str| {
        let numbers = part(name).filter_map(|row| row[key].as_f64());
        numbers.map(f64::abs).reduce(f64::max)
    };
    let by_scene = |key: &str| -> Row {
        let rows = part("stages").filter_map(|row| row["scene"].as_str().zip(row.get(key)));
        rows.map(|(scene, value)| (scene.to_owned(), value.clone()))
            .collect()
    };
    let tori = |key: &str| {
        part("stages")
            .find(|r| r["scene"] == "ten-tori")
            .map(|r| r[key].clone())
    };
    let share = tori("usual_contact_share").and_then(|share| share.as_f64());
    let seconds = |way: &str| {
        let found = part("delassus").find(|row| row["way"] == way);
        found.and_then(|row| row["seconds_min"].as_f64())
    };
    let settled: Row = part("settle")
        .filter_map(|row| Some((row["solver"].as_str()?.to_owned(), row["settled"].clone())))
        .collect();
    // by resolution, at the same load
    let usual = part("hertz").next().map(|row| &row["radius_ratio"]);
    let hertz: Vec<(f64, f64)> = part("hertz")
        .filter(|row| Some(&row["radius_ratio"]) == usual)
        .filter_map(|row| Some((row["cells_in_radius"].as_f64()?, row["error"].as_f64()?)))
        .collect();
    // error = limit + constant/cells²
    let limit = hertz
        .last_chunk()
        .map(|&[(n, coarse), (m, fine)]| (fine * m * m - coarse * n * n) / (m * m - n * n));
    let stages = [
        "detect",
        "jacobian",
        "delassus",
        "constraints",
        "response",
        "rest",
    ];
    let shares: Row = (stages.iter())
        .filter_map(|stage| Some((stage.to_string(), tori(&format!("{stage}_share"))?)))
        .collect();
    json!({
        "ten_tori_contact_share": share,
        "ten_tori_contact_share_met": share.map(|share| share < 0.3),
        "ten_tori_contact_share_at_most_contacts": tori("contact_share"),
        "ten_tori_shares": shares,
        "ten_tori_contact_share_without_solver": tori("contact_share_without_solver"),
        "ten_tori_contacts": tori("contacts_median"),
        "ten_tori_constraints": tori("constraints_median"),
        "ten_tori_unconverged_steps": tori("unconverged_steps"),
        "contact_share": by_scene("contact_share"),
        "step_seconds": by_scene("seconds_median"),
        "stack_4096_settled": settled,
        "path_speedup": seconds("whole solves").zip(seconds("paths")).map(|(w, p)| w / p),
        "path_difference": worst("delassus", "difference"),
        "incline_error": worst("incline", "error"),
        "incline_drift": worst("incline", "drift"),
        "rest_force_error": worst("rest", "force_error"),
        "rest_depth_over_edge": worst("rest", "rest_depth_over_edge"),
        "impact_force_error": worst("impact", "force_error"),
        "impact_depth_over_edge": worst("impact", "deepest_over_edge"),
        "impact_rest_depth_over_edge": worst("impact", "rest_depth_over_edge"),
        "hertz_errors": hertz.iter().map(|h| h.1).collect::<Vec<_>>(),
        "hertz_error": hertz.last().map(|h| h.1),
        "hertz_error_limit": limit,
        "hertz_converging": hertz.windows(2).all(|w| w[1].1.abs() < w[0].1.abs()),
    })
}
