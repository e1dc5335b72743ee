//! What the rows of the study amount to.

use super::{Row, median, number};
use serde_json::{Value, json};

/// The numbers by which the study is judged. Ratios of time are of minima, as in all studies, where the key does not say `median`.
pub fn summarise(rows: &[Row]) -> Value {
    let part = |name: &'static str| rows.iter().filter(move |row| row["part"] == name);
    let stage = |nodes: usize, key: &str| {
        let own = part("stages").find(|row| row["dynamic_nodes"] == json!(nodes));
        own.and_then(|row| number(row, key))
    };
    let body = |name: &'static str| part(name).next().map(|row| row["body"].clone());
    let pulled = body("smallest-beta");
    let of_pulled = |name: &'static str| {
        let pulled = pulled.clone();
        part(name).filter(move |row| row.get("body") == pulled.as_ref())
    };
    // those of the first search come first: full, then conjac with the nodes that are compared
    let smallest = |method: &str, key: &str| {
        let own = of_pulled("smallest-beta").find(|row| row["method"] == method);
        own.and_then(|row| row.get(key).cloned())
    };
    let lively = |basis: &str, key: &str| {
        let own = of_pulled("liveliness").find(|row| row["basis"] == basis);
        own.and_then(|row| number(row, key))
    };
    let own = |key: &str| lively("own smallest β", key);
    // as in the paper, without corrections
    let plain = |name: &'static str, key: &str| {
        let mut rows = of_pulled(name);
        let own = rows.find(|row| row["corrections"] == 0);
        own.and_then(|row| row.get(key).cloned())
    };
    let equal = |key: &str| {
        of_pulled("equal-liveliness")
            .next()
            .and_then(|row| row.get(key).cloned())
    };
    let quiet = |key: &str| part("quiet").next().and_then(|row| number(row, key));
    let largest = |name: &'static str, key: &str| {
        part(name)
            .filter_map(|row| number(row, key))
            .reduce(f64::max)
    };
    let by = |name: &'static str, label: &'static str, key: &'static str| -> Row {
        let pairs = part(name).filter_map(|row| {
            let label = match row.get(label)? {
                Value::String(word) => word.clone(),
                other => other.to_string(),
            };
            Some((label, row.get(key)?.clone()))
        });
        pairs.collect()
    };
    let placed = |placement: &str| {
        let own = part("placement").filter(|row| row["placement"] == placement);
        median(own.filter_map(|row| number(row, "rms_vertex_error")))
    };
    let wave = |placement: &'static str| -> Row {
        let own = part("torsion").filter(|row| row["placement"] == placement);
        let pairs = own
            .filter_map(|row| Some((row["dynamic_nodes"].to_string(), row.get("wave")?.clone())));
        pairs.collect()
    };
    let spun = |name: &'static str, corotate: bool, key: &str| -> Row {
        let plain = |row: &&Row| row["method"] == "conjac" && row["corrections"] == 0;
        let own = part(name).filter(|row| plain(row) && row["corotate"] == corotate);
        own.filter_map(|row| Some((row["speed"].to_string(), row.get(key)?.clone())))
            .collect()
    };
    let h = smallest("full", "h");
    let smallest_by_way: Row = of_pulled("smallest-beta")
        .filter(|row| row.get("h") == h.as_ref())
        .filter_map(|row| Some((row["way"].as_str()?.to_owned(), row["beta_min"].clone())))
        .collect();
    json!({
        "body": body("stages"),
        "step_ratio_0": stage(0, "ratio"),
        "step_ratio_2": stage(2, "ratio"),
        "step_ratio_4": stage(4, "ratio"),
        "step_ratio_6": stage(6, "ratio"),
        "step_ratio_8": stage(8, "ratio"),
        "step_ratio_10": stage(10, "ratio"),
        "step_ratio_4_median": stage(4, "ratio_median"),
        "step_ratio_10_median": stage(10, "ratio_median"),
        "liveliness_body": pulled,
        "beta_min_full": smallest("full", "beta_min"),
        "beta_min_conjac": smallest("conjac", "beta_min"),
        "beta_min_by_way": smallest_by_way,
        "beta_min_conjac_plain": plain("smallest-beta", "beta_min"),
        "beta_calm_full": smallest("full", "beta_first_calm"),
        "beta_calm_conjac": smallest("conjac", "beta_first_calm"),
        "beta_first_stable_full": smallest("full", "beta_first_stable"),
        "beta_first_stable_conjac": smallest("conjac", "beta_first_stable"),
        "liveliness_ratio": own("ratio"),
        "liveliness_ratio_plain": plain("liveliness", "ratio"),
        "liveliness_ratio_from_release": own("ratio_whole"),
        "liveliness_ratio_body": own("ratio_body"),
        "liveliness_ratio_kinetic": own("ratio_kinetic"),
        "liveliness_ratio_equal_beta": lively("smallest β of full", "ratio"),
        "time_ratio_at_equal_liveliness": equal("time_ratio"),
        "time_ratio_at_equal_liveliness_plain": plain("equal-liveliness", "time_ratio"),
        "time_ratio_at_equal_liveliness_median": equal("time_ratio_median"),
        "time_ratio_at_equal_liveliness_best_step": equal("time_ratio_best"),
        "equal_liveliness_reached": equal("reached"),
        "equal_liveliness_note": equal("note"),
        "equal_liveliness_h_full": equal("h_full"),
        "equal_liveliness_beta_full": equal("beta_full"),
        "activation_latency_max": largest("adaptivity", "latency_max"),
        "activation_window": largest("adaptivity", "window"),
        "quiet_step_ratio": quiet("ratio"),
        "quiet_step_ratio_median": quiet("ratio_median"),
        "quiet_awake": quiet("awake"),
        "static_difference": largest("static", "difference"),
        "static_differences": by("static", "body", "difference"),
        "static_at_rest": part("static").all(|row| row["at_rest"] == true),
        "corrections_unbalanced": by("corrections", "corrections", "unbalanced_mean"),
        "corrections_rms_error": by("corrections", "corrections", "rms_vertex_error"),
        "corrections_step_ratio": by("corrections", "corrections", "ratio"),
        "nodes_rms_error": by("nodes", "dynamic_nodes", "rms_vertex_error"),
        "wave_axis": wave("axis"),
        "wave_slices": wave("slices"),
        "placement_rms_error_farthest": placed("farthest"),
        "placement_rms_error_random_median": placed("random"),
        "spin_kept_plain": spun("spin", false, "kept"),
        "spin_kept_corotate": spun("spin", true, "kept"),
        "swing_error_plain": spun("swing", false, "rms_distance"),
        "swing_error_corotate": spun("swing", true, "rms_distance"),
    })
}
