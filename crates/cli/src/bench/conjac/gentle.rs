//! The gentle configuration of METHODS 1.5: a soft cantilever that gravity alone moves, one dynamic node at its tip.
//!
//! The tip swings far round, so that the height it covers tells little of how much motion is left: with short steps `full` covers
//! *less* height than with long ones. The diagonal of the box that it fills and the energy that is left do not mislead.

use super::case::{Case, Way};
use super::{Row, row};
use anyhow::Result;
use pliant_linalg::vec3;
use pliant_mesh::generate;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;
use serde_json::json;

/// What swings.
pub struct Plan {
    pub cells: [usize; 3],
    /// Step of the run that the others should come near, s.
    pub reference_step: f64,
}

/// Simulated time, s, and that from which the motion counts.
const DURATION: f64 = 1.5;
const LATE: f64 = 1.0;

/// A row for each way.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let case = cantilever(plan)?;
    let full = case.way(Method::Full, 0);
    let with_corrections = |corrections: u32| {
        let mut way = case.way(Method::Conjac, 1);
        way.conjac.corrections = corrections;
        way
    };
    let mut ways: Vec<Way> = [0.5, 1.0, 2.0].map(|beta| full.with_beta(beta)).into();
    for corrections in [0, 1] {
        let way = with_corrections(corrections);
        ways.extend([0.25, 0.5, 1.0].map(|beta| way.with_beta(beta)));
    }
    ways.push(full.with_step(plan.reference_step));
    ways.iter().map(|way| swing(&case, way)).collect()
}

fn swing(case: &Case, way: &Way) -> Result<Row> {
    let mut simulation = case.simulation(way)?;
    let tip = case.order[0] as usize;
    let (mut low, mut high) = (None, None);
    let mut energies = Vec::new();
    for _ in 0..case.steps(way.h) {
        simulation.step()?;
        let (x, time) = (simulation.state().positions[tip], simulation.state().time);
        energies.push(simulation.report().energies.mechanical());
        if time > LATE + 0.5 * way.h {
            low = Some(low.map_or(x, |low| x.min(low)));
            high = Some(high.map_or(x, |high| x.max(high)));
        }
    }
    let box_of = low.zip(high).map(|(low, high)| high - low);
    let mut row = row(json!({
        "part": "gentle",
        "body": case.name,
        "height": box_of.map(|size| size.z),
        "reach": box_of.map(|size| size.norm()),
        // since the start, in which nothing moves and nothing is deformed
        "energy_lost": energies.last().zip(energies.first()).map(|(end, start)| start - end),
    }));
    row.extend(super::row(way.facts()));
    Ok(row)
}

/// 15 × 4.5 × 4.5 cm along x, held at one end.
fn cantilever(plan: &Plan) -> Result<Case> {
    let size = vec3(0.15, 0.045, 0.045);
    let mesh = generate::bar(size, plan.cells, generate::Split::Six)?;
    let held = (0..mesh.node_count()).filter(|&n| mesh.positions[n].x < 1e-9);
    let held = Drive {
        name: "fixed end".into(),
        action: Action::Prescribe {
            nodes: held.map(|n| n as u32).collect(),
            axes: [true; 3],
            motion: Motion::default(),
            release: None,
        },
    };
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e4, 0.4, 1000.0);
    let body = BodySpecification::uniform("bar", mesh, material);
    let mut case = Case {
        name: "cantilever".to_string(),
        model: Model::build(vec![body], vec![held], vec3(0.0, 0.0, -9.81))?,
        settings: Settings {
            integrator: Integrator::LinearImplicit { beta: 0.5 },
            ..Settings::default()
        },
        order: Vec::new(),
        duration: DURATION,
    };
    case.order = vec![case.nearest(vec3(size.x, 0.5 * size.y, 0.5 * size.z))];
    Ok(case)
}
