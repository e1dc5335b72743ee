//! Figure 11 and Table 1: the stages of a step with every variant.
//!
//! All variants start from one state and step in turn. In the mode `standing` each keeps the factor of its first step, so that
//! they walk the same trajectory (`direct` but for the age of the factor) and nothing runs in the background. In the other modes a new
//! factor is always under way, on a core that the step then lacks, and swaps are part of the means; `unforeseen` leaves all impulses
//! to the factor, as the paper does.

use super::super::timing::{Timing, time};
use super::case::{Case, forgetful, renewed, standing};
use super::{Row, median};
use anyhow::{Context, Result};
use pliant_linalg::{PcgSettings, Reuse};
use pliant_solid::Simulation;
use pliant_solid::contact::ContactModel;
use pliant_solid::report::{Stage, StepReport};
use pliant_solid::settings::{
    IsodofSettings, LaggedSettings, PreconditionerChoice, Settings, SolverChoice, Variant,
};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use serde_json::json;

/// What is measured from one state.
pub struct Plan {
    /// Rounds of one step of each variant, after the first, which factorises and is not counted.
    pub rounds: usize,
    /// Rounds in which the slow ones take part.
    pub slow_rounds: usize,
    /// Times that a factor is replaced in the mode `renewed`.
    pub periods: usize,
    /// States whose systems are also solved with diagonal blocks as preconditioner.
    pub block_jacobi: usize,
}

/// The columns of Table 1 and the stages that they are made of; what is in none is the rest.
pub const GROUPS: [(&str, &[Stage]); 6] = [
    ("detect", &[Stage::Detect, Stage::Jacobian]),
    ("build", &[Stage::Assemble, Stage::Factor]),
    ("free", &[Stage::Solve]),
    ("w", &[Stage::Delassus]),
    ("solver", &[Stage::Constraints]),
    ("response", &[Stage::Response]),
];

/// A step.
pub struct Sample {
    /// By [`GROUPS`], s.
    groups: [f64; GROUPS.len()],
    pub seconds: f64,
    pub report: StepReport,
}

impl Sample {
    /// Takes a step.
    pub fn take(simulation: &mut Simulation) -> Result<Sample> {
        let (seconds, report) = time(|| simulation.step().cloned());
        let report = report?;
        Ok(Sample {
            groups: GROUPS.map(|(_, stages)| stages.iter().map(|&s| report.times.seconds(s)).sum()),
            seconds,
            report,
        })
    }

    /// Time of W, s.
    pub fn compliance_seconds(&self) -> f64 {
        self.report.times.seconds(Stage::Delassus)
    }
}

/// Rows of all modes, from the state of a simulation.
pub fn rows(case: &Case, start: &State, plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = standing_rows(case, start, plan)?;
    for (mode, settings) in [
        ("renewed", renewed(Variant::Reuse, false, true)),
        ("renewed", renewed(Variant::Isolated, false, true)),
        ("unforeseen", renewed(Variant::Reuse, false, false)),
        ("free-running", renewed(Variant::Reuse, true, true)),
    ] {
        let (mut row, states) = renewed_row(case, start, plan, mode, settings)?;
        if mode == "renewed" && settings.variant == Variant::Reuse {
            let counted = (states.iter())
                .map(|state| block_jacobi_iterations(case, state))
                .collect::<Result<Vec<_>>>()?;
            let median = median(counted.iter().map(|&n| n as f64));
            row.insert("block_jacobi_iterations_median".into(), json!(median));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn standing_rows(case: &Case, start: &State, plan: &Plan) -> Result<Vec<Row>> {
    let start = forgetful(start);
    let mut simulations = (Variant::ALL.iter())
        .map(|&variant| case.resume(standing(variant), start.clone()))
        .collect::<Result<Vec<_>>>()?;
    let mut samples: Vec<Vec<Sample>> = Variant::ALL.iter().map(|_| Vec::new()).collect();
    for round in 0..=plan.rounds {
        for (index, simulation) in simulations.iter_mut().enumerate() {
            let variant = Variant::ALL[index];
            if round > plan.slow_rounds && is_slow(variant) {
                continue;
            }
            let sample = Sample::take(simulation).with_context(|| variant.name())?;
            if round > 0 {
                samples[index].push(sample);
            }
        }
    }
    let rows = Variant::ALL.iter().zip(samples);
    Ok(rows
        .map(|(&variant, samples)| row(case, "standing", variant, &samples))
        .collect())
}

/// At the size of Table 1 a step takes seconds.
fn is_slow(variant: Variant) -> bool {
    match variant {
        Variant::DenseSts | Variant::Direct | Variant::Unbuilt => true,
        Variant::Reuse | Variant::Isolated => false,
    }
}

/// The row, and states at which steps began.
fn renewed_row(
    case: &Case,
    start: &State,
    plan: &Plan,
    mode: &str,
    settings: IsodofSettings,
) -> Result<(Row, Vec<State>)> {
    let mut simulation = case.resume(settings, forgetful(start))?;
    // until the first factor from the background is in use
    let mut lag = 0;
    for step in 0..MOST_WAIT {
        let arrived = simulation.step()?.factor.arrived > 0;
        let factors = &simulation.state().factors;
        lag = factors.first().map_or(0, |factor| factor.lag as usize);
        if step > 0 && arrived {
            break;
        }
    }
    let count = (plan.periods * lag).max(plan.rounds);
    let (mut samples, mut states) = (Vec::new(), Vec::new());
    let stride = (count / plan.block_jacobi.max(1)).max(1);
    for step in 0..count {
        if step % stride == 0 && states.len() < plan.block_jacobi {
            states.push(simulation.state().clone());
        }
        samples.push(Sample::take(&mut simulation)?);
    }
    let mut row = row(case, mode, settings.variant, &samples);
    row.insert("lag".into(), json!(lag));
    Ok((row, states))
}

/// Steps after which a factor that runs free should have arrived.
const MOST_WAIT: usize = 40;

/// Iterations with diagonal blocks for the velocities without contact, to the same tolerance from the same guess.
pub fn block_jacobi_iterations(case: &Case, state: &State) -> Result<usize> {
    let settings = Settings {
        solver: SolverChoice::Pcg {
            settings: PcgSettings {
                relative_tolerance: LaggedSettings::default().tolerance,
                max_iterations: 5000,
                ..PcgSettings::default()
            },
            preconditioner: PreconditionerChoice::BlockJacobi,
        },
        ..case.settings().clone()
    };
    let model = case.model.clone().with_contact(ContactModel::default())?;
    let state = forgetful(state);
    let mut simulation = Simulation::resume(model, settings, Method::Full, state)?;
    Ok(simulation.step()?.linear_iterations)
}

fn row(case: &Case, mode: &str, variant: Variant, samples: &[Sample]) -> Row {
    let of = |number: &dyn Fn(&StepReport) -> f64| {
        median(samples.iter().map(|sample| number(&sample.report)))
    };
    let most =
        |number: &dyn Fn(&StepReport) -> usize| samples.iter().map(|s| number(&s.report)).max();
    let reused = |r: &StepReport| {
        let Reuse { touched, solved } = r.isolated;
        1.0 - solved as f64 / touched.max(1) as f64
    };
    let facts = json!({
        "part": "stages",
        "body": case.name,
        "mode": mode,
        "variant": variant.name(),
        "dofs": samples.first().map(|s| s.report.active_dofs),
        "steps": samples.len(),
        "contacts_median": of(&|r| r.contacts as f64),
        "constraints_median": of(&|r| 3.0 * r.constraints as f64),
        "pcg_iterations_median": of(&|r| r.solve.iterations as f64),
        "pcg_iterations_max": most(&|r| r.solve.iterations),
        // those of solves that correct what the age of the factor leaves
        "correction_iterations_median": of(&|r| (r.linear_iterations - r.solve.iterations) as f64),
        "solver_iterations_median": of(&|r| r.constraint_solve.iterations as f64),
        "unconverged_steps": samples.iter().filter(|s| !s.report.constraint_solve.converged).count(),
        "factor_age_max": most(&|r| r.factor.age as usize),
        "arrivals": samples.iter().map(|s| s.report.factor.arrived).sum::<u32>(),
        "reused_median": of(&reused),
        "delay_residual_median": of(&|r| r.delay_residual),
    });
    let mut row = facts.as_object().cloned().unwrap_or_default();
    let mut insert = |name: &str, seconds: Vec<f64>| {
        if seconds.is_empty() {
            return;
        }
        let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
        let timing = Timing::of(seconds);
        row.insert(format!("{name}_seconds_min"), json!(timing.minimum));
        row.insert(format!("{name}_seconds_median"), json!(timing.median));
        row.insert(format!("{name}_seconds_mean"), json!(mean));
    };
    let rest = |s: &Sample| s.seconds - s.groups.iter().sum::<f64>();
    for (at, (name, _)) in GROUPS.iter().enumerate() {
        insert(name, samples.iter().map(|s| s.groups[at]).collect());
    }
    insert("rest", samples.iter().map(rest).collect());
    insert("step", samples.iter().map(|s| s.seconds).collect());
    row
}
