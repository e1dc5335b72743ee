//! The columns of the study's tables.

use super::super::table::{Column, plain, scaled};

pub const STAGES: [Column; 11] = [
    plain("body", "body"),
    plain("way", "way"),
    plain("unknowns", "unknowns"),
    scaled("fill ms", "fill_seconds_median", 1e3),
    scaled("factor ms", "factor_seconds_median", 1e3),
    scaled("solve ms", "solve_seconds_median", 1e3),
    scaled("other ms", "other_seconds_median", 1e3),
    scaled("step ms", "step_seconds_median", 1e3),
    scaled("step min ms", "step_seconds_min", 1e3),
    plain("of full (min)", "ratio"),
    plain("of full (median)", "ratio_median"),
];

pub const SMALLEST: [Column; 9] = [
    plain("body", "body"),
    plain("way", "way"),
    plain("h", "h"),
    plain("γ", "stabilisation"),
    plain("smallest β", "beta_min"),
    plain("first stable β", "beta_first_stable"),
    plain("calm from β", "beta_first_calm"),
    plain("unstable above", "unstable_above"),
    plain("pattern", "pattern"),
];

pub const STABILITY: [Column; 12] = [
    plain("body", "body"),
    plain("way", "way"),
    plain("h", "h"),
    plain("β", "beta"),
    plain("stable", "stable"),
    plain("calm", "calm"),
    plain("broken", "broken"),
    plain("until s", "end"),
    plain("energy growth", "energy_growth"),
    plain("inverted", "inverted_end"),
    scaled("swing late mm", "swing_late", 1e3),
    scaled("swing whole mm", "swing_whole", 1e3),
];

pub const LIVELINESS: [Column; 10] = [
    plain("body", "body"),
    plain("way", "way"),
    plain("at", "basis"),
    plain("β conjac", "beta_conjac"),
    plain("β full", "beta_full"),
    plain("marked node", "ratio"),
    plain("from release", "ratio_whole"),
    plain("body, late", "ratio_body"),
    plain("kinetic", "ratio_kinetic"),
    plain("kinetic mean", "ratio_kinetic_mean"),
];

pub const EQUAL: [Column; 10] = [
    plain("body", "body"),
    plain("way", "way"),
    plain("reached", "reached"),
    plain("note", "note"),
    scaled("h conjac ms", "h_conjac", 1e3),
    scaled("h full ms", "h_full", 1e3),
    plain("β full", "beta_full"),
    plain("conjac s", "seconds_conjac"),
    plain("full s", "seconds_full"),
    plain("time ratio", "time_ratio"),
];

pub const ADAPTIVITY: [Column; 8] = [
    plain("body", "body"),
    plain("threshold", "threshold"),
    plain("representative", "representative"),
    plain("active s", "active_seconds"),
    scaled("active %", "active_share", 1e2),
    plain("last active s", "last_active"),
    plain("latency", "latency_max"),
    plain("largest metric", "metric_max"),
];

pub const QUIET: [Column; 6] = [
    plain("body", "body"),
    plain("awake", "awake"),
    scaled("asleep ms", "seconds_asleep", 1e3),
    scaled("quasi-static ms", "seconds_quasi_static", 1e3),
    plain("ratio (min)", "ratio"),
    plain("ratio (median)", "ratio_median"),
];

pub const STATICS: [Column; 9] = [
    plain("body", "body"),
    plain("nodes", "nodes"),
    plain("dynamic", "dynamic_nodes"),
    plain("at rest", "at_rest"),
    plain("steps conjac", "steps_conjac"),
    plain("residual full", "residual_full"),
    plain("residual conjac", "residual_conjac"),
    plain("deflection", "deflection"),
    plain("difference", "difference"),
];

pub const BESIDE: [Column; 12] = [
    plain("part", "part"),
    plain("placement", "placement"),
    plain("seed", "seed"),
    plain("dynamic", "dynamic_nodes"),
    plain("corrections", "corrections"),
    plain("max error", "max_vertex_error"),
    plain("rms error", "rms_vertex_error"),
    plain("unbalanced max", "unbalanced_max"),
    plain("unbalanced mean", "unbalanced_mean"),
    scaled("step ms", "step_seconds_median", 1e3),
    plain("of full (median)", "ratio_median"),
    plain("wave", "wave"),
];

pub const GENTLE: [Column; 6] = [
    plain("way", "way"),
    scaled("h ms", "h", 1e3),
    plain("β", "beta"),
    scaled("height mm", "height", 1e3),
    scaled("box mm", "reach", 1e3),
    scaled("energy lost mJ", "energy_lost", 1e3),
];

pub const SPIN: [Column; 6] = [
    plain("way", "way"),
    plain("corotate", "corotate"),
    plain("rad/s", "speed"),
    plain("° a step", "degrees_per_step"),
    plain("kept", "kept"),
    plain("failed at", "failed_at"),
];

pub const SWING: [Column; 4] = [
    plain("way", "way"),
    plain("corotate", "corotate"),
    plain("rad/s", "speed"),
    scaled("rms distance mm", "rms_distance", 1e3),
];
