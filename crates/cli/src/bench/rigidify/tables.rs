//! The columns of the study's tables.

use super::super::table::{Column, plain, scaled};

pub const SCENES: [Column; 16] = [
    plain("scene", "label"),
    plain("steps", "steps"),
    plain("of", "steps_of_scene"),
    plain("total ×", "speedup_total"),
    plain("mean ×", "speedup_mean"),
    plain("no contact ×", "speedup_total_no_contact"),
    plain("mean ×", "speedup_mean_no_contact"),
    plain("τ_R", "rigid_below"),
    plain("τ_E", "elastic_above"),
    scaled("h ms", "h", 1e3),
    plain("unknowns", "unknowns_mean"),
    scaled("max error %", "max_vertex_error", 1e2),
    plain("worst step", "worst_step_ratio"),
    plain("quiet steps", "quiet_steps"),
    plain("quiet step", "quiet_step_ratio"),
    scaled("missed %", "false_negative_rate", 1e2),
];

pub const ORACLE: [Column; 9] = [
    plain("scene", "label"),
    plain("sampled steps", "sampled_steps"),
    plain("strained", "strained"),
    plain("missed", "missed"),
    scaled("missed %", "false_negative_rate", 1e2),
    plain("strained of rigid", "asked"),
    scaled("missed %", "false_negative_rate_of_rigid", 1e2),
    scaled("needless %", "needless_share", 1e2),
    scaled("strained later %", "rigid_strained_later", 1e2),
];

pub const ERRORS: [Column; 8] = [
    plain("scene", "label"),
    scaled("asked for %", "error", 1e2),
    scaled("max error %", "max_vertex_error", 1e2),
    plain("total ×", "speedup_total"),
    plain("mean ×", "speedup_mean"),
    plain("steps", "steps"),
    scaled("unknowns %", "unknowns_share", 1e2),
    plain("rigid since s", "rigid_since"),
];

pub const CANTILEVER: [Column; 8] = [
    plain("τ_E", "elastic_above"),
    plain("steps", "steps"),
    scaled("max error %", "max_vertex_error", 1e2),
    scaled("final error %", "final_vertex_error", 1e2),
    plain("total ×", "speedup_total"),
    plain("mean ×", "speedup_mean"),
    scaled("unknowns %", "unknowns_share", 1e2),
    plain("rigid since s", "rigid_since"),
];

pub const BEAMS: [Column; 10] = [
    plain("varied", "varied"),
    plain("value", "value"),
    plain("elements", "elements"),
    plain("steps", "steps"),
    scaled("unknowns %", "unknowns_share", 1e2),
    scaled("at the end %", "unknowns_share_end", 1e2),
    plain("first rigid s", "first_clump"),
    plain("all rigid s", "rigid_since"),
    scaled("max error %", "max_vertex_error", 1e2),
    plain("total ×", "speedup_total"),
];
