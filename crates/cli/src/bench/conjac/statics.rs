//! Whether a body comes to rest in the same shape with `conjac` as with `full`.
//!
//! Masses are damped so that both come to rest, and nothing pulls but gravity. A body is at rest when no node has moved by more than
//! 1e-12 of the body's length in each of ten steps.

use super::adaptivity::{damp, only_gravity};
use super::case::{Body, Case, Way, unbalanced, weight};
use super::{Row, row};
use anyhow::{Context, Result};
use pliant_linalg::Vec3;
use pliant_solid::strategy::Method;
use serde_json::json;

/// Bodies and how they settle.
pub struct Plan {
    pub bodies: Vec<Body>,
    /// Mass damping, 1/s, time step, s, and β.
    pub damping: f64,
    pub h: f64,
    pub beta: f64,
    /// Steps after which a body that still moves is compared as it is.
    pub most_steps: usize,
}

/// Movement in a step, as a share of the length, that counts as rest, and how many steps of it.
const STILL: f64 = 1e-12;
const STILL_STEPS: usize = 10;

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
    damp(&mut case, plan.damping);
    only_gravity(&mut case);
    if matches!(body, Body::Dragon) {
        case.order.truncate(6);
    }
    let settle = |method: Method| {
        let way = case.way(method, case.order.len());
        settled(plan, &case, &way.with_step(plan.h).with_beta(plan.beta))
    };
    let (full, conjac) = (settle(Method::Full)?, settle(Method::Conjac)?);
    let length = case.length();
    let pairs = || full.positions.iter().zip(&conjac.positions);
    let apart = pairs().map(|(&a, &b)| (a - b).norm()).fold(0.0, f64::max);
    let moved = full.positions.iter().zip(&case.model.rest);
    let moved = moved
        .map(|(&x, &rest)| (x - rest).norm())
        .fold(0.0, f64::max);
    Ok(row(json!({
        "part": "static",
        "body": case.name,
        "nodes": case.model.node_count(),
        "dynamic_nodes": case.order.len(),
        "length": length,
        "mass_damping": plan.damping,
        "h": plan.h,
        "beta": plan.beta,
        // how far gravity has moved a node
        "deflection": moved / length,
        "difference": apart / length,
        "at_rest": full.at_rest && conjac.at_rest,
        "steps_full": full.steps,
        "steps_conjac": conjac.steps,
        "movement_full": full.movement,
        "movement_conjac": conjac.movement,
        "residual_full": full.residual,
        "residual_conjac": conjac.residual,
    })))
}

fn settled(plan: &Plan, case: &Case, way: &Way) -> Result<Settled> {
    let mut simulation = case.simulation(way)?;
    let length = case.length();
    let mut before = simulation.state().positions.clone();
    let (mut still, mut steps, mut movement) = (0, 0, f64::INFINITY);
    while still < STILL_STEPS && steps < plan.most_steps {
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
