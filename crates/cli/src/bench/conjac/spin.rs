//! How much of its spin a free bar keeps, with and without `corotate`.

use super::case::{Case, Way};
use super::{Row, row};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;
use serde_json::json;

/// What is spun.
pub struct Plan {
    pub cells: [usize; 3],
    /// About z, rad/s.
    pub speeds: Vec<f64>,
    pub steps: usize,
    pub nodes: usize,
}

/// A row for each speed and way.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &speed in &plan.speeds {
        let case = spun_bar(plan, speed)?;
        for (method, corotate) in [
            (Method::Full, false),
            (Method::Conjac, false),
            (Method::Conjac, true),
        ] {
            let mut way = case.way(method, plan.nodes);
            way.conjac.corotate = corotate;
            rows.push(kept_row(plan, &case, &way, speed)?);
        }
    }
    Ok(rows)
}

fn kept_row(plan: &Plan, case: &Case, way: &Way, speed: f64) -> Result<Row> {
    let mut simulation = case.simulation(way)?;
    let before = spin_of(
        &case.model,
        &case.model.rest,
        &simulation.state().velocities,
    );
    let mut failed_at = None;
    for _ in 0..plan.steps {
        if simulation.step().is_err() {
            failed_at = Some(simulation.state().time);
            break;
        }
    }
    let state = simulation.state();
    let after = spin_of(&case.model, &state.positions, &state.velocities);
    let mut row = row(json!({
        "part": "spin",
        "body": case.name,
        "speed": speed,
        "degrees_per_step": (speed * way.h).to_degrees(),
        "steps": plan.steps,
        "corotate": way.conjac.corotate,
        "failed_at": failed_at,
        "kept": after.z / before.z,
        "lost": 1.0 - after.z / before.z,
    }));
    row.extend(super::row(way.facts()));
    Ok(row)
}

/// Angular momentum about the origin, where the centre of mass stays, kg·m²/s.
fn spin_of(model: &Model, x: &[Vec3], v: &[Vec3]) -> Vec3 {
    let moments = (0..x.len()).map(|n| x[n].cross(v[n]) * model.mass[n]);
    moments.fold(Vec3::ZERO, |sum, moment| sum + moment)
}

/// 10 × 3 × 3 cm with the dragon's Young's modulus, centred at the origin, without gravity.
fn spun_bar(plan: &Plan, speed: f64) -> Result<Case> {
    let size = vec3(0.10, 0.03, 0.03);
    let mut mesh = generate::bar(size, plan.cells, generate::Split::Six)?;
    mesh.positions.iter_mut().for_each(|x| *x -= size * 0.5);
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 3e4, 0.4, 1000.0);
    let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
    let body = BodySpecification {
        spin: vec3(0.0, 0.0, speed),
        ..BodySpecification::uniform("bar", mesh, material)
    };
    let mut case = Case {
        name: "bar, free".to_string(),
        model: Model::build(vec![body], Vec::new(), Vec3::ZERO)?,
        settings: Settings {
            integrator: Integrator::LinearImplicit { beta: 0.5 },
            ..Settings::default()
        },
        order: Vec::new(),
        duration: 1.0,
    };
    // corners of both ends
    case.order = (corners.iter())
        .map(|&[x, y]| case.nearest(size.scale(vec3(x, y, x * y)) * 0.5))
        .collect();
    Ok(case)
}
