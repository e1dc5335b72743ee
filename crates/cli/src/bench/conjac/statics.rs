//! Whether a body comes to rest in the same shape with `conjac` as with `full`.
//!
//! Nothing pulls but gravity. `full` rests where all forces vanish; that shape is found by its quasi-static integrator, Newton's method, whose
//! residual is in the rows. `conjac` is stepped from the undeformed shape until no node moves by more than 1e-10 of the body's
//! length in each of ten steps. Long steps damp slow motions, which damped masses would make tangential_compliance. Small bodies are stepped by `full`
//! in the same way, too.

use super::adaptivity::only_gravity;
use super::case::{Body, Case, Way, unbalanced, weight};
use super::{Row, row};
use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::settings::{Integrator, NewtonSettings, Settings};
use pliant_solid::strategy::Method;
use serde_json::json;

/// Bodies and how they settle.
pub struct Plan {
    pub bodies: Vec<Body>,
    /// Time step, s, and β.
    pub h: f64,
    pub beta: f64,
    /// Steps after which a body that still moves is compared as it is.
    pub most_steps: usize,
}

/// Movement in a step, as a share of the length, that counts as rest, and how many steps of it.
const STILL: f64 = 1e-10;
const STILL_STEPS: usize = 10;

/// Most nodes of a body that `full` is stepped for.
const SMALL: usize = 2000;

/// Most quasi-static steps under the same load; each goes on where the one before has stopped.
const MOST_EQUILIBRIA: usize = 10;

/// A row for each body.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    plan.bodies
        .iter()
        .map(|&body| compare(plan, body))
        .collect()
}

struct Settled {
    positions: Vec<Vec3>,
    steps: usize,
    at_rest: bool,
    /// Movement in the last step, as a share of the length.
    movement: f64,
    /// Largest force on a free node over the weight of the body.
    residual: f64,
}

fn compare(plan: &Plan, body: Body) -> Result<Row> {
    let mut case = Case::new(body)?;
    only_gravity(&mut case);
    if matches!(body, Body::Dragon) {
        case.order.truncate(6);
    }
    let settle = |method: Method| {
        let way = case.way(method, case.order.len());
        let way = way.with_step(plan.h).with_beta(plan.beta);
        settled(&case, case.simulation(&way)?, plan.most_steps, &way)
    };
    let (full, conjac) = (equilibrium(&case)?, settle(Method::Conjac)?);
    let length = case.length();
    let apart = |a: &[Vec3], b: &[Vec3]| {
        let distances = a.iter().zip(b).map(|(&a, &b)| (a - b).norm());
        distances.fold(0.0, f64::max) / length
    };
    let stepped = match case.model.node_count() <= SMALL {
        true => Some(settle(Method::Full)?),
        false => None,
    };
    Ok(row(json!({
        "part": "static",
        "body": case.name,
        "nodes": case.model.node_count(),
        "dynamic_nodes": case.order.len(),
        "length": length,
        "h": plan.h,
        "beta": plan.beta,
        // how far gravity has moved a node
        "deflection": apart(&full.positions, &case.model.rest),
        "difference": apart(&full.positions, &conjac.positions),
        "difference_stepped": stepped.map(|own| apart(&own.positions, &conjac.positions)),
        "at_rest": full.at_rest && conjac.at_rest,
        "steps_conjac": conjac.steps,
        "movement_full": full.movement,
        "movement_conjac": conjac.movement,
        "residual_full": full.residual,
        "residual_conjac": conjac.residual,
    })))
}

/// Where all forces vanish, by `full` without inertia.
fn equilibrium(case: &Case) -> Result<Settled> {
    let settings = Settings {
        integrator: Integrator::QuasiStatic,
        newton: NewtonSettings {
            relative_tolerance: 1e-12,
            max_iterations: 60,
        },
        ..case.settings.clone()
    };
    let simulation = Simulation::new(case.model.clone(), settings, Method::Full)?;
    let way = case.way(Method::Full, 0);
    let mut found = settled(case, simulation, MOST_EQUILIBRIA, &way)?;
    found.at_rest = found.movement < STILL;
    Ok(found)
}

fn settled(case: &Case, mut simulation: Simulation, most: usize, way: &Way) -> Result<Settled> {
    let length = case.length();
    let mut before = simulation.state().positions.clone();
    let (mut still, mut steps, mut movement) = (0, 0, f64::INFINITY);
    while still < STILL_STEPS && steps < most {
        simulation
            .step()
            .with_context(|| format!("{}, {}", case.name, way.name()))?;
        let positions = &simulation.state().positions;
        let pairs = positions.iter().zip(&before);
        movement = pairs.map(|(&a, &b)| (a - b).norm()).fold(0.0, f64::max) / length;
        before.clone_from(positions);
        still = if movement < STILL { still + 1 } else { 0 };
        steps += 1;
    }
    let (largest, _) = unbalanced(&simulation, &case.free_nodes());
    Ok(Settled {
        steps,
        at_rest: still == STILL_STEPS,
        movement,
        residual: largest / weight(&case.model),
        positions: before,
    })
}
