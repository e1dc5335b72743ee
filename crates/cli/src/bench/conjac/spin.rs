//! Bars that spin, with and without `corotate`: how much of its spin a free one keeps, and how far one that is turned by its end is from
//! `full` with short steps.

use super::case::{Case, Way};
use super::{Row, row};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
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
    /// Speeds of the end that is turned about z, rad/s.
    pub swings: Vec<f64>,
}

const SIZE: Vec3 = vec3(0.10, 0.03, 0.03);
/// Steps of the reference of a swing in one of ours.
const FINER: usize = 20;

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

/// A row for each speed and way: root of the mean square distance to `full` with short steps, over nodes and steps.
pub fn swing_rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &speed in &plan.swings {
        let case = swung_bar(plan, speed)?;
        let full = case.way(Method::Full, 0);
        let reference = track(
            &case,
            &full.with_step(full.h / FINER as f64),
            FINER,
            plan.steps,
        )?;
        for (method, corotate, corrections) in [
            (Method::Full, false, 0),
            (Method::Conjac, false, 0),
            (Method::Conjac, true, 0),
            (Method::Conjac, false, 1),
            (Method::Conjac, true, 1),
        ] {
            let mut way = case.way(method, plan.nodes);
            way.conjac.corotate = corotate;
            way.conjac.corrections = corrections;
            let error = track(&case, &way, 1, plan.steps).ok().map(|path| {
                let pairs = path.iter().flatten().zip(reference.iter().flatten());
                let squares = pairs.map(|(a, b)| (*a - *b).norm_squared());
                let count = path.len() * case.model.node_count();
                (squares.sum::<f64>() / count as f64).sqrt()
            });
            let mut row = row(json!({
                "part": "swing",
                "body": case.name,
                "speed": speed,
                "corotate": corotate,
                "rms_distance": error,
            }));
            row.extend(super::row(way.facts()));
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Positions after each of `steps` times `every` steps.
fn track(case: &Case, way: &Way, every: usize, steps: usize) -> Result<Vec<Vec<Vec3>>> {
    let mut simulation = case.simulation(way)?;
    let mut path = Vec::new();
    for _ in 0..steps {
        for _ in 0..every {
            simulation.step()?;
        }
        path.push(simulation.state().positions.clone());
    }
    Ok(path)
}

/// Angular momentum about the origin, where the centre of mass stays, kg·m²/s.
fn spin_of(model: &Model, x: &[Vec3], v: &[Vec3]) -> Vec3 {
    let moments = (0..x.len()).map(|n| x[n].cross(v[n]) * model.mass[n]);
    moments.fold(Vec3::ZERO, |sum, moment| sum + moment)
}

/// Free and spinning.
fn spun_bar(plan: &Plan, speed: f64) -> Result<Case> {
    bar("bar, free", plan, vec3(0.0, 0.0, speed), |_| Vec::new())
}

/// Turned about z by its left end.
fn swung_bar(plan: &Plan, speed: f64) -> Result<Case> {
    const FOR_EVER: f64 = 1e3;
    bar("bar, swung", plan, Vec3::ZERO, |positions| {
        let left = |&node: &u32| positions[node as usize].x < -0.499 * SIZE.x;
        let turn = Turn {
            axis: vec3(0.0, 0.0, 1.0),
            centre: vec3(-0.5 * SIZE.x, 0.0, 0.0),
            angle: Profile::Keyframes {
                keys: vec![(0.0, 0.0), (FOR_EVER, speed * FOR_EVER)],
                smooth: false,
            },
        };
        let action = Action::Prescribe {
            nodes: (0..positions.len() as u32).filter(left).collect(),
            axes: [true; 3],
            motion: Motion {
                rotation: Some(turn),
                ..Motion::default()
            },
            release: None,
        };
        vec![Drive {
            name: "hold".to_string(),
            action,
        }]
    })
}

/// 10 × 3 × 3 cm with the dragon's Young's modulus, centred at the origin, without gravity.
fn bar(
    name: &str,
    plan: &Plan,
    spin: Vec3,
    drives: impl Fn(&[Vec3]) -> Vec<Drive>,
) -> Result<Case> {
    let mut mesh = generate::bar(SIZE, plan.cells, generate::Split::Six)?;
    mesh.positions.iter_mut().for_each(|x| *x -= SIZE * 0.5);
    let drives = drives(&mesh.positions);
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 3e4, 0.4, 1000.0);
    let body = BodySpecification {
        spin,
        ..BodySpecification::uniform("bar", mesh, material)
    };
    // corners of both ends, or of the free end and the middle
    let left = if drives.is_empty() { -1.0 } else { 0.0 };
    let corners = [[left, -1.0], [left, 1.0], [1.0, -1.0], [1.0, 1.0]];
    let mut case = Case {
        name: name.to_string(),
        model: Model::build(vec![body], drives, Vec3::ZERO)?,
        settings: Settings {
            integrator: Integrator::LinearImplicit { beta: 0.5 },
            ..Settings::default()
        },
        order: Vec::new(),
        duration: 1.0,
    };
    case.order = (corners.iter())
        .map(|&[x, y]| {
            let z = if x > 0.0 { y } else { -y };
            case.nearest(SIZE.scale(vec3(x, y, z)) * 0.5)
        })
        .collect();
    Ok(case)
}
