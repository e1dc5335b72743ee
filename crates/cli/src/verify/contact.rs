//! Contact and friction against closed forms; the set-ups are those of `pliant bench contact`.

use super::case::{Check, Findings, Ladder};
use crate::bench::contact::{hertz, incline, problem};
use anyhow::{Context, Result};
use pliant_linalg::vec3;
use pliant_mesh::generate;
use pliant_solid::contact::ContactModel;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::BodySpecification;
use pliant_solid::settings::Settings;
use serde_json::{Map, Value};

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    inclines(&mut found)?;
    rest(&mut found)?;
    press(&mut found, full)?;
    Ok(found)
}

fn number(row: &Map<String, Value>, key: &str) -> Result<f64> {
    row[key]
        .as_f64()
        .with_context(|| format!("no number {key}"))
}

/// A block on a slope of 30°: g (sin θ − μ cos θ), or it sticks.
fn inclines(found: &mut Findings) -> Result<()> {
    let plan = incline::Plan {
        settle: 60,
        measured: 60,
    };
    for friction in [0.2, 0.4] {
        let row = incline::slide(&plan, 0.14, friction)?;
        let name = format!("block on an incline, μ = {friction}");
        let (value, reference) = (number(&row, "acceleration")?, number(&row, "theory")?);
        let source = "g (sin θ − μ cos θ), θ = 30°";
        found
            .checks
            .push(Check::new(name, value, reference, 5e-3, source).unit("m/s²"));
    }
    let row = incline::slide(&plan, 0.14, 0.6)?;
    let source = "it sticks: μ > tan θ";
    let check = Check::new(
        "drift of a block that sticks, μ = 0.6",
        number(&row, "drift")?,
        0.0,
        1e-6,
        source,
    );
    found.checks.push(check.unit("m/s"));
    Ok(())
}

/// The floor carries the weight of what rests on it.
fn rest(found: &mut Findings) -> Result<()> {
    let mesh = generate::bar(vec3(0.1, 0.1, 0.1), [4; 3], generate::Split::Six)?;
    let material = MaterialSpecification {
        stiffness_damping: 2e-2,
        ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.35, 1000.0)
    };
    let contact = ContactModel {
        friction: 0.3,
        obstacles: vec![problem::half_space(vec3(0.0, 0.0, 1.0))],
        ..ContactModel::default()
    };
    let body = BodySpecification::uniform("block", mesh, material);
    let gravity = vec3(0.0, 0.0, -problem::GRAVITY);
    let mut simulation =
        problem::simulation(vec![body], vec![], gravity, contact, Settings::default())?;
    for _ in 0..200 {
        simulation.step()?;
    }
    let value = problem::force_of_obstacles(&simulation).z;
    let check = Check::new(
        "weight on a floor",
        value,
        problem::weight(&simulation),
        1e-6,
        "equilibrium",
    );
    found.checks.push(check.unit("N"));
    Ok(())
}

/// A ball on a plane: F = 4/3 E* √R δ^{3/2}.
fn press(found: &mut Findings, full: bool) -> Result<()> {
    let cells: &[usize] = if full { &[2, 4, 6, 8] } else { &[2, 4, 6] };
    let mut forces = Vec::new();
    let mut reference = f64::NAN;
    for &n in cells {
        let row = hertz::measured_row(&hertz::HertzPlan::new(n))?;
        reference = number(&row, "theory")?;
        forces.push((1.0 / n as f64, number(&row, "force")?));
    }
    let value = forces.last().map_or(f64::NAN, |f| f.1);
    let source = "Hertz: 4/3 E* √R δ^{3/2}; the finest mesh";
    let tolerance = if full { 0.04 } else { 0.05 };
    found.checks.push(
        Check::new(
            "ball pressed on a plane",
            value,
            reference,
            tolerance,
            source,
        )
        .unit("N"),
    );
    found.ladders.push(Ladder::new(
        "ball pressed on a plane",
        "edge over contact radius",
        reference,
        &forces,
    ));
    Ok(())
}
