//! Rest and impact: contact forces carry the weight, and nothing penetrates visibly.

use super::problem::{self, GRAVITY, block, half_space, moved, obstacle};
use super::{Row, row};
use anyhow::{Context, Result};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::settings::Settings;
use serde_json::json;

/// Speed of impact, m/s.
const SPEED: f64 = 5.0;

/// Wanted: depth over edge on impact and at rest, relative error of the force at rest.
const WANTED: [f64; 3] = [0.1, 0.01, 1e-6];

struct Case {
    part: &'static str,
    name: &'static str,
    /// The first falls, in impacts.
    meshes: Vec<Mesh>,
    obstacles: Vec<Obstacle>,
    /// Whether it comes to rest on the obstacles.
    rests: bool,
}

/// A row for each case, followed for so many steps of 5 ms.
pub fn rows(steps: usize) -> Result<Vec<Row>> {
    let floor = || half_space(vec3(0.0, 0.0, 1.0));
    let at = |mesh, x, y, z| moved(mesh, |p| p + vec3(x, y, z));
    let turned = |mesh, degrees: f64| {
        let turn = Mat3::rotation(vec3(0.0, 0.0, 1.0), degrees.to_radians());
        moved(mesh, |p| turn * p)
    };
    let peg = Shape::Capsule {
        a: vec3(-0.2, 0.0, 0.0),
        b: vec3(0.2, 0.0, 0.0),
        radius: 0.02,
    };
    let cases = [
        Case {
            part: "rest",
            name: "block on floor",
            meshes: vec![block(0.1, 6)?],
            obstacles: vec![floor()],
            rests: true,
        },
        Case {
            part: "rest",
            name: "two blocks on floor",
            meshes: vec![
                at(turned(block(0.1, 4)?, 20.0), 0.02, -0.01, 0.1),
                block(0.1, 5)?,
            ],
            obstacles: vec![floor()],
            rests: true,
        },
        Case {
            part: "impact",
            name: "block on floor",
            meshes: vec![at(block(0.1, 6)?, 0.0, 0.0, 0.06)],
            obstacles: vec![floor()],
            rests: true,
        },
        Case {
            part: "impact",
            name: "block on block",
            meshes: vec![
                at(turned(block(0.1, 4)?, 20.0), 0.02, -0.01, 0.16),
                block(0.1, 5)?,
            ],
            obstacles: vec![floor()],
            rests: true,
        },
        Case {
            part: "impact",
            name: "ball on ball",
            meshes: vec![
                at(generate::ball(0.05, 3)?, 0.01, 0.0, 0.22),
                at(generate::ball(0.05, 3)?, 0.0, 0.0, 0.05),
            ],
            obstacles: vec![floor()],
            rests: false,
        },
        Case {
            part: "impact",
            name: "ball on peg",
            meshes: vec![at(generate::ball(0.05, 4)?, 0.0, 0.005, 0.13)],
            obstacles: vec![obstacle(peg)],
            rests: false,
        },
    ];
    let rows = cases.into_iter().map(|case| {
        let (part, name) = (case.part, case.name);
        follow(case, steps).with_context(|| format!("{part} of {name}"))
    });
    rows.collect()
}

fn follow(case: Case, steps: usize) -> Result<Row> {
    let falls = case.part == "impact";
    let material = MaterialSpecification {
        // rest does not depend on it, how soon it is reached does: a block on a turned one rocks slowly
        stiffness_damping: if falls { 5e-3 } else { 2e-2 },
        ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.35, 1000.0)
    };
    let falling = if falls { -SPEED } else { 0.0 };
    let bodies = case
        .meshes
        .into_iter()
        .enumerate()
        .map(|(k, mesh)| BodySpecification {
            velocity: if k == 0 {
                vec3(0.0, 0.0, falling)
            } else {
                Vec3::ZERO
            },
            ..BodySpecification::uniform(format!("body {k}"), mesh, material.clone())
        });
    let contact = ContactModel {
        friction: 0.3,
        obstacles: case.obstacles,
        ..ContactModel::default()
    };
    let gravity = vec3(0.0, 0.0, -GRAVITY);
    let settings = Settings::default();
    let mut simulation = problem::simulation(bodies.collect(), vec![], gravity, contact, settings)?;
    let edge = problem::mean_edge(&simulation);
    // what rolls off is followed no longer than its impact
    let steps = if case.rests { steps } else { steps.min(40) };
    let (mut deepest, mut last, mut unconverged, mut halved) = (0.0f64, 0.0, 0, 0);
    for _ in 0..steps {
        let report = simulation.step()?;
        last = report.max_penetration / edge;
        deepest = deepest.max(last);
        unconverged += usize::from(report.constraints > 0 && !report.constraint_solve.converged);
        halved += usize::from(report.halvings > 0);
    }
    let force = problem::force_of_obstacles(&simulation);
    let force_error = (force - vec3(0.0, 0.0, problem::weight(&simulation))).norm()
        / problem::weight(&simulation);
    let at_rest = !case.rests || (last < WANTED[1] && force_error < WANTED[2]);
    Ok(row(json!({
        "part": case.part,
        "case": case.name,
        "nodes": simulation.model().node_count(),
        "steps": steps,
        "mean_edge": edge,
        "deepest_over_edge": deepest,
        "rest_depth_over_edge": case.rests.then_some(last),
        "force_error": case.rests.then_some(force_error),
        "speed": problem::fastest(&simulation),
        "unconverged_steps": unconverged,
        "halved_steps": halved,
        "met": deepest < WANTED[0] && at_rest,
    })))
}
