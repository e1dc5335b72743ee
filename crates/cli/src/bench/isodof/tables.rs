//! The columns of the study's tables.

use super::super::table::{Column, plain, scaled};

pub const COMPLIANCE: [Column; 9] = [
    plain("figure", "figure"),
    plain("body", "body"),
    plain("DOFs", "dofs"),
    plain("constraints", "constraints"),
    plain("touched nodes", "touched_nodes"),
    plain("way", "way"),
    scaled("min ms", "seconds_min", 1e3),
    scaled("median ms", "seconds_median", 1e3),
    plain("speed-up", "speedup"),
];

pub const STAGES: [Column; 17] = [
    plain("body", "body"),
    plain("mode", "mode"),
    plain("variant", "variant"),
    plain("DOFs", "dofs"),
    plain("constraints", "constraints_median"),
    plain("steps", "steps"),
    scaled("detect", "detect_seconds_median", 1e3),
    scaled("build + factor", "build_seconds_median", 1e3),
    scaled("free motion", "free_seconds_median", 1e3),
    plain("PCG it.", "pcg_iterations_median"),
    scaled("W", "w_seconds_median", 1e3),
    scaled("W mean", "w_seconds_mean", 1e3),
    scaled("GS", "solver_seconds_median", 1e3),
    plain("GS it.", "solver_iterations_median"),
    scaled("response", "response_seconds_median", 1e3),
    scaled("step", "step_seconds_median", 1e3),
    scaled("step mean", "step_seconds_mean", 1e3),
];

pub const UNBUILT: [Column; 10] = [
    plain("body", "body"),
    plain("DOFs", "dofs"),
    plain("constraints", "constraints"),
    scaled("W isodof ms", "w_seconds_isodof", 1e3),
    scaled("W reuse ms", "w_seconds_reuse", 1e3),
    scaled("solve ms", "solve_seconds_min", 1e3),
    plain("sweeps", "sweeps"),
    plain("products", "products"),
    scaled("built, in all ms", "built_seconds", 1e3),
    scaled("unbuilt, in all ms", "unbuilt_seconds", 1e3),
];

pub const EQUALITY: [Column; 5] = [
    plain("variant", "variant"),
    plain("nodes", "nodes"),
    plain("contacts", "contacts"),
    plain("force difference", "force_difference"),
    plain("solver residual", "solver_residual_max"),
];

pub const SCENES: [Column; 13] = [
    plain("scene", "scene"),
    plain("DOFs", "dofs"),
    plain("steps", "steps"),
    plain("constraints", "constraints_mean"),
    scaled("step ms", "step_seconds_mean", 1e3),
    scaled("W ms", "w_seconds_mean", 1e3),
    scaled("W %", "w_share", 1e2),
    plain("speed-up", "w_speedup"),
    scaled("reused %", "reused_mean", 1e2),
    plain("PCG it.", "pcg_iterations_median"),
    plain("block-Jacobi it.", "block_jacobi_iterations_median"),
    scaled("GS %", "solver_share", 1e2),
    plain("unconverged", "unconverged_steps"),
];
