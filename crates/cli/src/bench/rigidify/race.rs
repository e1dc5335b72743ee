//! `full` and `rigidify` through one scene, step by step in turns.

use super::case::Case;
use super::oracle::{Counts, Judge, is_rigid};
use crate::bench::timing::time;
use crate::measure::deviation::{Deviation, diagonals};
use anyhow::Result;
use pliant_solid::Simulation;
use pliant_solid::report::{Energies, Stage, StageTimes};
use pliant_solid::strategy::Method;
use std::time::Instant;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Most steps; the scene may have fewer.
    pub steps: usize,
    /// No step is begun after so long.
    pub seconds: f64,
    /// Steps from one look at the oracle to the next; zero never looks.
    pub sample_every: usize,
    /// Further passes of both, which tell slow steps from disturbed ones, and the time for all of them.
    pub replays: usize,
    pub replay_seconds: f64,
}

/// Stages that are there for contact.
const CONTACT: [Stage; 5] = [
    Stage::Detect,
    Stage::Jacobian,
    Stage::Delassus,
    Stage::Constraints,
    Stage::Response,
];

/// The time of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub seconds: f64,
    pub stages: StageTimes,
}

impl Cost {
    /// Without the stages of contact, s.
    pub fn without_contact(&self) -> f64 {
        let contact: f64 = CONTACT.iter().map(|&s| self.stages.seconds(s)).sum();
        (self.seconds - contact).max(f64::MIN_POSITIVE)
    }
}

/// A step of both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// At its end, s.
    pub time: f64,
    pub full: Cost,
    pub rigidify: Cost,
    /// Unknowns of both.
    pub unknowns: [usize; 2],
    /// Elements that were not rigid, and those of them that had been quiet for long enough to be.
    pub elastic: usize,
    pub ready: usize,
    /// Largest vertex error, as a share of the body's size.
    pub error: f64,
    pub energies: [Energies; 2],
    pub halvings: [u32; 2],
}

/// What both did.
pub struct Race {
    pub samples: Vec<Sample>,
    pub deviation: Deviation,
    pub oracle: Counts,
    /// Seconds of the steps of `full` and `rigidify` in further passes, as many as there was time for.
    pub replays: Vec<Vec<[f64; 2]>>,
    /// Sum over the steps of the elements of each region that were not rigid.
    pub elastic_of_region: Vec<u64>,
    /// Why it ended early.
    pub error: Option<String>,
    pub full: Simulation,
    pub rigidify: Simulation,
}

/// Steps both in turns; `watch` sees them after each step.
pub fn run(
    case: &Case,
    plan: &Plan,
    mut watch: impl FnMut(&Simulation, &Simulation),
) -> Result<Race> {
    let mut race = Race {
        samples: Vec::new(),
        deviation: Deviation::default(),
        oracle: Counts::default(),
        replays: Vec::new(),
        elastic_of_region: vec![0; case.scene.region_names.len()],
        error: None,
        full: case.simulation(Method::Full)?,
        rigidify: case.simulation(Method::Rigidify)?,
    };
    let mut judge = (plan.sample_every > 0)
        .then(|| Judge::new(case))
        .transpose()?;
    let diagonals = diagonals(&case.scene.model);
    let steps = (case.scene.step_count() as usize).min(plan.steps);
    let start = Instant::now();
    for step in 0..steps {
        if start.elapsed().as_secs_f64() > plan.seconds {
            break;
        }
        let look = plan.sample_every > 0 && step % plan.sample_every == plan.sample_every - 1;
        let before = look.then(|| race.rigidify.state().clone());
        let both = cost(&mut race.full).and_then(|a| Ok((a, cost(&mut race.rigidify)?)));
        let (full, rigidify) = match both {
            Ok(both) => both,
            Err(error) => {
                race.error = Some(format!("step {}: {error:#}", step + 1));
                break;
            }
        };
        let after = race.rigidify.state();
        let positions = &race.full.state().positions;
        let error = race.deviation.note(&after.positions, positions, &diagonals);
        let reports = [race.full.report(), race.rigidify.report()];
        let mut sample = Sample {
            time: after.time,
            full,
            rigidify,
            unknowns: reports.map(|report| report.active_dofs),
            error,
            energies: reports.map(|report| report.energies),
            halvings: reports.map(|report| report.halvings),
            ..Sample::default()
        };
        count_elastic(
            case,
            &race.rigidify,
            &mut sample,
            &mut race.elastic_of_region,
        );
        race.samples.push(sample);
        if let (Some(judge), Some(before)) = (&mut judge, &before) {
            judge.note(before, &race.rigidify)?;
        }
        watch(&race.full, &race.rigidify);
    }
    race.oracle = judge.map(|judge| judge.counts).unwrap_or_default();
    race.replays = replays(case, plan, race.samples.len())?;
    Ok(race)
}

fn cost(simulation: &mut Simulation) -> Result<Cost> {
    let (seconds, times) = time(|| simulation.step().map(|report| report.times));
    let stages = times?;
    Ok(Cost { seconds, stages })
}

fn count_elastic(case: &Case, simulation: &Simulation, sample: &mut Sample, of_region: &mut [u64]) {
    let rigidity = &simulation.state().rigidity;
    let window = case.settings().window.max(1);
    let model = simulation.model();
    for (element, nodes) in model.element_nodes.iter().enumerate() {
        if is_rigid(&rigidity.clump_of, nodes) {
            continue;
        }
        let quiet = rigidity.quiet.get(element).copied().unwrap_or(0);
        sample.elastic += 1;
        sample.ready += usize::from(u32::from(quiet) >= window);
        let region = case.scene.regions.get(element).copied().unwrap_or(0);
        if let Some(count) = of_region.get_mut(region as usize) {
            *count += 1;
        }
    }
}

/// Times of the same steps in further passes.
fn replays(case: &Case, plan: &Plan, steps: usize) -> Result<Vec<Vec<[f64; 2]>>> {
    let start = Instant::now();
    let mut passes = Vec::new();
    for pass in 0..plan.replays {
        // as far as its share of the time goes
        let until = plan.replay_seconds * (pass + 1) as f64 / plan.replays as f64;
        let mut full = case.simulation(Method::Full)?;
        let mut rigidify = case.simulation(Method::Rigidify)?;
        let mut seconds = Vec::new();
        while seconds.len() < steps && start.elapsed().as_secs_f64() < until {
            match cost(&mut full).and_then(|a| Ok([a, cost(&mut rigidify)?])) {
                Ok(both) => seconds.push(both.map(|cost| cost.seconds)),
                Err(_) => break, // as in the first pass, which has told
            }
        }
        passes.push(seconds);
    }
    Ok(passes)
}
