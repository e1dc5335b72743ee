//! Table 1 of [DB19]: time per frame in conjugate gradients, forces and matrix, and iterations to convergence.
//!
//! A run (converged, but for the quick study) walks the trajectory and leaves states behind. All candidates take two steps from each of these states,
//! in turn, and the second one is timed: it finds the forces of the step before as every step of a run does. So all of them
//! solve the same systems (the timed ones but for the difference that one step makes), and none has time to become unstable.
//! Iterations are those of the first step, whose systems are the same to the last bit.
//! Times are means over the states of the minimum and the median over repetitions, for the five steps of a frame.

use super::candidate::{CONVERGED, Candidate, PRECONDITIONERS, guesses};
use crate::bench::timing::Timing;
use anyhow::{Context, Result};
use pliant_scene::Scene;
use pliant_solid::Simulation;
use pliant_solid::report::{Stage, StageTimes};
use pliant_solid::settings::{EarlyCgSettings, PreconditionerChoice, Product};
use pliant_solid::state::State;
use serde_json::{Map, Value, json};

type Row = Map<String, Value>;

/// Steps of a frame at 30 frames a second.
const FRAME_STEPS: f64 = 5.0;

/// The budgets of the paper's table.
const BUDGETS: [usize; 5] = [1, 2, 5, 10, CONVERGED];

/// A state of the trajectory and the next one.
pub struct Visit {
    pub before: State,
    pub after: State,
}

/// The trajectory of the walker: one visit every `stride` steps.
pub fn walk(scene: &Scene, walker: Candidate, visits: usize, stride: usize) -> Result<Vec<Visit>> {
    let mut simulation = walker.simulation(scene)?;
    let mut visited = Vec::new();
    for _ in 0..visits {
        for _ in 1..stride {
            simulation.step().with_context(|| scene.name.clone())?;
        }
        let before = simulation.state().clone();
        simulation.step().with_context(|| scene.name.clone())?;
        visited.push(Visit {
            before,
            after: simulation.state().clone(),
        });
    }
    Ok(visited)
}

/// A candidate and how much of it is measured.
pub struct Entry {
    pub candidate: Candidate,
    /// Not only iterations.
    pub timed: bool,
}

/// The candidates of the whole table.
pub fn full_table() -> Vec<Entry> {
    let mut candidates = Vec::new();
    let jacobi = |budget| Candidate::paper(budget).preconditioner(PreconditionerChoice::Jacobi);
    for guess in guesses() {
        candidates.extend(BUDGETS.map(|budget| jacobi(budget).guess(guess)));
    }
    for preconditioner in PRECONDITIONERS {
        if preconditioner != PreconditionerChoice::Jacobi {
            candidates.extend(
                BUDGETS.map(|budget| Candidate::paper(budget).preconditioner(preconditioner)),
            );
        }
    }
    for product in [Product::Assembled, Product::MatrixFree] {
        candidates.extend([5, 10, CONVERGED].map(|b| Candidate::paper(b).product(product)));
    }
    candidates.push(Candidate {
        fresh_factor: EarlyCgSettings::default().fresh_factor,
        ..Candidate::paper(10)
    });
    candidates.push(Candidate {
        energy_tolerance: 0.01,
        ..Candidate::paper(20)
    });
    candidates.extend([5, 10, CONVERGED].map(Candidate::new));
    let entry = |candidate| Entry {
        candidate,
        timed: true,
    };
    candidates.into_iter().map(entry).collect()
}

/// The candidates of the summary.
pub fn short_table() -> Vec<Entry> {
    let plain = Candidate::paper;
    let timed = [1, 2, 5, 10, CONVERGED].map(plain);
    let products = [Product::Assembled, Product::MatrixFree]
        .map(|product| [5, 10, CONVERGED].map(|budget| plain(budget).product(product)));
    let jacobi = [5, 10, CONVERGED].map(|b| plain(b).preconditioner(PreconditionerChoice::Jacobi));
    let identity = plain(CONVERGED).preconditioner(PreconditionerChoice::Identity);
    let entry = |candidate| Entry {
        candidate,
        timed: candidate != identity,
    };
    let turned = [5, 10, CONVERGED].map(Candidate::new);
    let all = timed.into_iter().chain(products.concat()).chain(jacobi);
    all.chain(turned).chain([identity]).map(entry).collect()
}

/// Times of one candidate at one state, a list over the repetitions.
#[derive(Clone, Default)]
struct Record {
    /// Conjugate gradients, forces, matrix, contact, whole step.
    seconds: [Vec<f64>; PARTS.len()],
}

/// The measured parts of a step.
const PARTS: [&str; 5] = ["cg", "forces", "matrix", "contact", "step"];

impl Record {
    fn add(&mut self, times: &StageTimes) {
        let parts = [
            times.seconds(Stage::Solve),
            times.seconds(Stage::Forces),
            times.seconds(Stage::Assemble) + times.seconds(Stage::Factor),
            times.seconds(Stage::Detect),
            times.total(),
        ];
        for (list, seconds) in self.seconds.iter_mut().zip(parts) {
            list.push(seconds);
        }
    }
}

/// One row for each entry.
pub fn rows(
    scene: &Scene,
    visits: &[Visit],
    entries: &[Entry],
    repetitions: usize,
    threads: usize,
) -> Result<Vec<Row>> {
    let mut simulations = (entries.iter())
        .map(|entry| entry.candidate.simulation(scene))
        .collect::<Result<Vec<_>>>()?;
    let mut records = vec![vec![Record::default(); visits.len()]; entries.len()];
    let mut iterations = vec![Vec::new(); entries.len()];
    for (place, visit) in visits.iter().enumerate() {
        // the first round warms up and counts iterations
        for round in 0..=repetitions {
            for (index, simulation) in simulations.iter_mut().enumerate() {
                if round > 0 && !entries[index].timed {
                    continue;
                }
                let stepped = two_steps(simulation, &visit.before, entries[index].timed);
                let (count, times) = stepped
                    .with_context(|| format!("{}: {:?}", scene.name, entries[index].candidate))?;
                match round {
                    0 => iterations[index].push(count),
                    _ => records[index][place].add(&times),
                }
            }
        }
    }
    let rows = entries.iter().zip(records).zip(iterations);
    Ok(rows
        .map(|((entry, records), iterations)| {
            let mut row = Row::new();
            row.insert("part".into(), json!("cost"));
            row.insert("scene".into(), json!(scene.name));
            row.insert("nodes".into(), json!(scene.model.node_count()));
            row.insert("threads".into(), json!(threads));
            row.extend(
                entry
                    .candidate
                    .facts()
                    .as_object()
                    .cloned()
                    .unwrap_or_default(),
            );
            let total: usize = iterations.iter().sum();
            let mean = total as f64 / iterations.len().max(1) as f64;
            row.insert("states".into(), json!(iterations.len()));
            row.insert("iterations_mean".into(), json!(mean));
            row.insert("iterations_max".into(), json!(iterations.iter().max()));
            if entry.timed {
                insert_times(&mut row, &records);
            }
            row
        })
        .collect())
}

/// Iterations of the first step and times of the second.
fn two_steps(
    simulation: &mut Simulation,
    start: &State,
    twice: bool,
) -> Result<(usize, StageTimes)> {
    simulation.state_mut().clone_from(start);
    let report = simulation.step()?;
    let (iterations, mut times) = (report.solve.iterations, report.times);
    if twice {
        times = simulation.step()?.times;
    }
    Ok((iterations, times))
}

fn insert_times(row: &mut Row, records: &[Record]) {
    for (part, name) in PARTS.iter().enumerate() {
        let timings = records.iter().map(|r| Timing::of(r.seconds[part].clone()));
        let sum = timings.fold([0.0; 2], |sum, t| [sum[0] + t.minimum, sum[1] + t.median]);
        let scale = FRAME_STEPS / records.len().max(1) as f64;
        row.insert(format!("{name}_seconds_min"), json!(sum[0] * scale));
        row.insert(format!("{name}_seconds_median"), json!(sum[1] * scale));
    }
}
