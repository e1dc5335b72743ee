//! Blocks on an incline: they stick when μ > tan θ, else they slide with g(sin θ − μ cos θ).

use super::problem::{self, GRAVITY, block, half_space, moved, tilt};
use super::{Row, row};
use anyhow::Result;
use pliant_linalg::vec3;
use pliant_solid::contact::ContactModel;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::settings::Settings;
use serde_json::json;

/// Steps of 5 ms.
pub struct Plan {
    pub settle: usize,
    pub measured: usize,
}

const DEGREES: f64 = 30.0;

/// Wanted: relative error of the acceleration, and drift of what sticks in m/s.
const WANTED: [f64; 2] = [5e-3, 1e-6];

/// A row for each size and coefficient.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let cases = [0.014, 0.14, 1.4].map(|size| [0.2, 0.4, 0.6].map(|friction| (size, friction)));
    let cases = cases.as_flattened().iter();
    cases
        .map(|&(size, friction)| slide(plan, size, friction))
        .collect()
}

/// The row of one size and coefficient.
pub fn slide(plan: &Plan, size: f64, friction: f64) -> Result<Row> {
    let angle = DEGREES.to_radians();
    let turn = tilt(angle);
    let mesh = moved(block(size, 3)?, |x| turn * x);
    // as stiff for its weight at every size
    let young = 1e6 * size / 0.14;
    let material = MaterialSpecification {
        stiffness_damping: 5e-3,
        ..MaterialSpecification::new(MaterialModel::Corotated, young, 0.3, 1000.0)
    };
    let contact = ContactModel {
        friction,
        obstacles: vec![half_space(turn * vec3(0.0, 0.0, 1.0))],
        ..ContactModel::default()
    };
    let settings = Settings::default();
    let h = settings.h;
    let mut simulation = problem::simulation(
        vec![BodySpecification::uniform("block", mesh, material)],
        vec![],
        vec3(0.0, 0.0, -GRAVITY),
        contact,
        settings,
    )?;
    for _ in 0..plan.settle {
        simulation.step()?;
    }
    let down = turn * vec3(1.0, 0.0, 0.0);
    let along = |field: &[_]| problem::mean(&simulation, field).dot(down);
    let [position, velocity] = {
        let state = simulation.state();
        [along(&state.positions), along(&state.velocities)]
    };
    let mut deepest = 0.0f64;
    for _ in 0..plan.measured {
        deepest = deepest.max(simulation.step()?.max_penetration);
    }
    let along = |field: &[_]| problem::mean(&simulation, field).dot(down);
    let time = plan.measured as f64 * h;
    let state = simulation.state();
    let acceleration = (along(&state.velocities) - velocity) / time;
    let drift = (along(&state.positions) - position) / time;
    let theory = (GRAVITY * (angle.sin() - friction * angle.cos())).max(0.0);
    let sticks = theory == 0.0;
    let error = (!sticks).then(|| acceleration / theory - 1.0);
    let report = simulation.report();
    Ok(row(json!({
        "part": "incline",
        "size": size,
        "friction": friction,
        "contacts": report.contacts,
        "iterations": report.constraint_solve.iterations,
        "residual": report.constraint_solve.residual,
        "acceleration": acceleration,
        "theory": theory,
        "error": error,
        // mean speed down the slope over the measured time, of blocks that should stick
        "drift": sticks.then_some(drift),
        "fastest_node": sticks.then(|| problem::fastest(&simulation)),
        "max_penetration": deepest,
        "met": match error {
            Some(error) => error.abs() < WANTED[0],
            None => drift.abs() < WANTED[1],
        },
    })))
}
