//! The columns of the study's tables.

use super::super::table::{Column, plain, scaled};

pub const TRAINING: [Column; 10] = [
    plain("scene", "label"),
    plain("nodes", "nodes"),
    plain("elements", "elements"),
    plain("domains", "domains"),
    plain("modes", "rank"),
    plain("points", "points"),
    scaled("missed %", "projection_error", 1e2),
    scaled("force error %", "force_error", 1e2),
    plain("solving s", "solve_seconds"),
    plain("learning s", "learn_seconds"),
];

pub const ITERATIONS: [Column; 7] = [
    plain("scene", "label"),
    plain("full", "full"),
    plain("most", "iterations_most"),
    plain("average", "iterations_average"),
    plain("of full", "iterations_full_pcg"),
    plain("Newton", "newton_average"),
    plain("residual", "worst_residual"),
];

pub const SCENES: [Column; 17] = [
    plain("scene", "label"),
    plain("full", "full"),
    plain("steps", "steps"),
    scaled("full PCG ms", "seconds_full_pcg", 1e3),
    scaled("blocks ms", "seconds_full_blocks", 1e3),
    scaled("direct ms", "seconds_full_direct", 1e3),
    scaled("ours ms", "seconds_mean", 1e3),
    scaled("free ms", "seconds_free", 1e3),
    plain("average ×", "speedup_average"),
    scaled("active %", "active_average", 1e2),
    plain("best ×", "speedup_best"),
    plain("worst ×", "speedup_worst"),
    scaled("active %", "active_worst", 1e2),
    plain("blocks: average ×", "speedup_average_blocks"),
    plain("direct: average ×", "speedup_average_direct"),
    plain("best ×", "speedup_best_direct"),
    plain("worst ×", "speedup_worst_direct"),
];

pub const ERRORS: [Column; 7] = [
    plain("scene", "label"),
    plain("full", "full"),
    plain("contact steps", "contact_steps"),
    scaled("mean error %", "error_mean", 1e2),
    scaled("most %", "error_most", 1e2),
    scaled("active at most %", "active_most", 1e2),
    plain("jumps", "jump_ratio"),
];

pub const SIZES: [Column; 7] = [
    plain("nodes", "nodes"),
    plain("elements", "elements"),
    plain("surface", "surface_nodes"),
    plain("modes", "rank"),
    plain("points", "points"),
    scaled("step µs", "seconds", 1e6),
    scaled("with detection µs", "seconds_detecting", 1e6),
];
