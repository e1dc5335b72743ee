//! Figure 2 of [WKS20]: the stages of a step of `full` and of `conjac` with more and more dynamic nodes.
//!
//! All begin at the start of the case with the same h and β and step in turn, each from a state of its own.

use super::case::{Body, Case, Way};
use super::{Row, row};
use crate::bench::timing::{Timing, time};
use anyhow::{Context, Result};
use pliant_solid::Simulation;
use pliant_solid::report::Stage;
use pliant_solid::strategy::Method;
use serde_json::json;

/// What is measured.
pub struct Plan {
    pub body: Body,
    /// Counts of dynamic nodes.
    pub nodes: Vec<usize>,
    /// Steps of each, after the first, which analyses the matrix and is not counted.
    pub rounds: usize,
    /// β of all, such that all are stable.
    pub beta: f64,
}

/// The parts of a bar and the stages that they are made of; what is in none is `other`.
pub const GROUPS: [(&str, &[Stage]); 3] = [
    ("fill", &[Stage::Forces, Stage::Assemble]),
    ("factor", &[Stage::Factor]),
    ("solve", &[Stage::Solve]),
];

/// Times of one way, a list over the steps of each group, of the rest and of the whole step, s.
#[derive(Clone, Default)]
pub struct Samples([Vec<f64>; GROUPS.len() + 2]);

impl Samples {
    /// Takes a step.
    pub fn step(&mut self, simulation: &mut Simulation) -> Result<()> {
        let (seconds, report) = time(|| simulation.step().map(|report| report.times));
        let times = report?;
        let groups = GROUPS.map(|(_, stages)| stages.iter().map(|&s| times.seconds(s)).sum());
        let other = seconds - groups.iter().sum::<f64>();
        let all = groups.into_iter().chain([other, seconds]);
        self.0
            .iter_mut()
            .zip(all)
            .for_each(|(list, s)| list.push(s));
        Ok(())
    }

    /// Minimum and median of the whole step.
    pub fn timing(&self) -> Timing {
        Timing::of(self.0[GROUPS.len() + 1].clone())
    }

    /// Adds minima and medians of all parts.
    pub fn add_to(&self, row: &mut Row) {
        let names = GROUPS.iter().map(|group| group.0).chain(["other", "step"]);
        for (name, list) in names.zip(&self.0) {
            let timing = Timing::of(list.clone());
            row.insert(format!("{name}_seconds_min"), json!(timing.minimum));
            row.insert(format!("{name}_seconds_median"), json!(timing.median));
        }
    }
}

/// Steps simulations in turn; the first round is not counted.
pub fn take_turns(simulations: &mut [Simulation], rounds: usize) -> Result<Vec<Samples>> {
    let mut samples = vec![Samples::default(); simulations.len()];
    for round in 0..=rounds {
        if round == 1 {
            samples.fill(Samples::default());
        }
        for (simulation, samples) in simulations.iter_mut().zip(&mut samples) {
            samples.step(simulation)?;
        }
    }
    Ok(samples)
}

/// A row for each way, `full` first.
pub fn rows(plan: &Plan) -> Result<Vec<Row>> {
    let case = Case::new(plan.body)?;
    let conjac = plan.nodes.iter().map(|&n| case.way(Method::Conjac, n));
    let ways = std::iter::once(case.way(Method::Full, 0)).chain(conjac);
    let ways: Vec<Way> = ways.map(|way| way.with_beta(plan.beta)).collect();
    let simulations = ways.iter().map(|way| case.simulation(way));
    let mut simulations = simulations.collect::<Result<Vec<_>>>()?;
    let samples = take_turns(&mut simulations, plan.rounds).with_context(|| case.name.clone())?;
    let reference = samples[0].timing();
    let rows = ways.iter().zip(&samples).zip(&simulations);
    Ok(rows
        .map(|((way, samples), simulation)| {
            let timing = samples.timing();
            let mut row = row(json!({
                "part": "stages",
                "body": case.name,
                "nodes": case.model.node_count(),
                "elements": case.model.element_count(),
                "steps": plan.rounds,
                "unknowns": simulation.report().active_dofs,
                "ratio": timing.minimum / reference.minimum,
                "ratio_median": timing.median / reference.median,
            }));
            row.extend(super::row(way.facts()));
            samples.add_to(&mut row);
            row
        })
        .collect())
}
