//! Ways beside `full` with the same h and β, step by step in turns: errors, time, and what is left of the forces on quasi-static nodes.

use super::case::{Case, Way, unbalanced, weight};
use super::stages::Samples;
use super::{Row, row};
use crate::measure::deviation::{Deviation, diagonals};
use anyhow::Result;
use pliant_linalg::Vec3;
use pliant_solid::Simulation;
use pliant_solid::strategy::Method;
use serde_json::{Value, json};

/// A way to be compared, with dynamic nodes of its own.
pub struct Candidate {
    /// What its row says about it.
    pub facts: Value,
    pub order: Vec<u32>,
    /// Its number of nodes is that of `order`.
    pub way: Way,
}

/// A candidate on its way.
struct Entrant {
    simulation: Simulation,
    samples: Samples,
    deviation: Deviation,
    /// Over nodes that are neither dynamic nor held, as a share of the weight of the body: largest, and sum over steps of the root of
    /// the mean square.
    quasi_static: Vec<bool>,
    unbalanced: (f64, f64),
    steps: usize,
    failed_at: Option<f64>,
}

/// A row for each candidate, and what `read` reads after every step: of `full`, then of each candidate.
pub fn rows(
    case: &Case,
    candidates: &[Candidate],
    steps: usize,
    mut read: impl FnMut(&[Vec3]) -> f64,
) -> Result<(Vec<Row>, Vec<Vec<f64>>)> {
    let weight = weight(&case.model);
    let diagonals = diagonals(&case.model);
    let Some(first) = candidates.first() else {
        return Ok((Vec::new(), Vec::new()));
    };
    let reference = Way {
        method: Method::Full,
        ..first.way
    };
    let mut reference = case.simulation(&reference)?;
    let mut reference_samples = Samples::default();
    let mut entrants = Vec::new();
    for candidate in candidates {
        let own = Case {
            order: candidate.order.clone(),
            ..case.clone()
        };
        let mut quasi_static = case.free_nodes();
        for &node in &candidate.order {
            quasi_static[node as usize] = false;
        }
        entrants.push(Entrant {
            simulation: own.simulation(&candidate.way)?,
            samples: Samples::default(),
            deviation: Deviation::default(),
            quasi_static,
            unbalanced: (0.0, 0.0),
            steps: 0,
            failed_at: None,
        });
    }
    let mut read_values = vec![Vec::new(); entrants.len() + 1];
    for _ in 0..steps {
        if reference_samples.step(&mut reference).is_err() {
            break; // `steps` tells how far it got
        }
        let positions = &reference.state().positions;
        read_values[0].push(read(positions));
        for (entrant, values) in entrants.iter_mut().zip(&mut read_values[1..]) {
            if entrant.failed_at.is_some() {
                continue;
            }
            let Entrant {
                simulation,
                samples,
                ..
            } = entrant;
            if samples.step(simulation).is_err() {
                entrant.failed_at = Some(simulation.state().time);
                continue;
            }
            entrant.steps += 1;
            let (largest, rms) = unbalanced(&entrant.simulation, &entrant.quasi_static);
            entrant.unbalanced.0 = entrant.unbalanced.0.max(largest / weight);
            entrant.unbalanced.1 += rms / weight;
            let own = &entrant.simulation.state().positions;
            entrant.deviation.note(own, positions, &diagonals);
            values.push(read(own));
        }
    }
    let rows = candidates.iter().zip(&entrants);
    let rows = rows.map(|(candidate, entrant)| {
        let mut facts = row(json!({
            "body": case.name,
            "steps": entrant.steps,
            "failed_at": entrant.failed_at,
            "max_vertex_error": entrant.deviation.largest(),
            "rms_vertex_error": entrant.deviation.root_mean_square(),
            "unbalanced_max": entrant.unbalanced.0,
            "unbalanced_mean": entrant.unbalanced.1 / entrant.steps.max(1) as f64,
        }));
        facts.extend(row(candidate.way.facts()));
        if entrant.steps > 0 {
            let (timing, reference) = (entrant.samples.timing(), reference_samples.timing());
            entrant.samples.add_to(&mut facts);
            facts.insert("ratio".into(), json!(timing.minimum / reference.minimum));
            facts.insert(
                "ratio_median".into(),
                json!(timing.median / reference.median),
            );
        }
        facts.extend(row(candidate.facts.clone()));
        facts
    });
    Ok((rows.collect(), read_values))
}
