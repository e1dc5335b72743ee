//! The rows of the study as tables.

use crate::bench::table::{self, plain, scaled};
use serde_json::{Map, Value};

type Row = Map<String, Value>;

pub fn print_cost(rows: &[Row]) {
    let columns = [
        plain("scene", "scene"),
        plain("threads", "threads"),
        plain("guess", "guess"),
        plain("turned", "turned"),
        plain("preconditioner", "preconditioner"),
        plain("product", "product"),
        plain("budget", "budget"),
        plain("iterations", "iterations_mean"),
        scaled("CG", "cg_seconds_min", 1e3),
        scaled("median", "cg_seconds_median", 1e3),
        scaled("forces", "forces_seconds_min", 1e3),
        scaled("matrix", "matrix_seconds_min", 1e3),
        scaled("contact", "contact_seconds_min", 1e3),
        scaled("step", "step_seconds_min", 1e3),
        scaled("median", "step_seconds_median", 1e3),
        plain("fresh", "fresh_factor"),
        plain("energy tol.", "energy_tolerance"),
    ];
    table::print("milliseconds a frame of five steps", &columns, rows);
}

pub fn print_rotations(rows: &[Row]) {
    let rotations: Vec<Row> = (rows.iter())
        .filter(|row| row["part"] == "rotation")
        .cloned()
        .collect();
    let columns = [
        plain("scene", "scene"),
        plain("kernel", "kernel"),
        plain("data", "data"),
        plain("ns/element", "ns_per_element"),
        scaled("median", "seconds_median", 1e9),
        plain("max |Q - R|", "max_rotation_error"),
    ];
    table::print("rotations, one thread", &columns, &rotations);
}

pub fn print_errors(rows: &[Row]) {
    let columns = [
        plain("scene", "scene"),
        plain("guess", "guess"),
        plain("turned", "turned"),
        plain("budget", "budget"),
        plain("fresh", "fresh_factor"),
        plain("energy tol.", "energy_tolerance"),
        plain("tolerance", "tolerance"),
        plain("restored", "restore_momentum"),
        plain("iterations", "iterations_mean"),
        scaled("max vertex %", "max_vertex_error", 1e2),
        scaled("rms %", "rms_vertex_error", 1e2),
        scaled("kinetic %", "max_kinetic_error", 1e2),
        plain("energy left J", "energy_left_max"),
        plain("unstable at s", "unstable_at"),
    ];
    table::print(
        "errors against the converged run, of the body's diagonal",
        &columns,
        rows,
    );
}

pub fn print_curves(rows: &[Row]) {
    let columns = [
        plain("figure", "figure"),
        plain("scene", "scene"),
        plain("guess", "guess"),
        plain("preconditioner", "preconditioner"),
        plain("solution J", "kinetic_energy_solution"),
        plain("iterations to 1 %", "iterations_to_one_percent"),
    ];
    table::print("kinetic energy of iterates", &columns, rows);
}
