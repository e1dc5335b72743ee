//! `pliant bench full`: time per step of a cantilever under gravity, stage by stage, direct and PCG.
//!
//! All solvers and thread counts take their steps in turn. Every candidate walks the same trajectory from rest.

use super::bar;
use super::table::{self, plain, scaled};
use super::timing::{Effort, Timing, interleave, thread_pools, time};
use super::{Options, machine, study};
use anyhow::{Context, Result, anyhow};
use pliant_linalg::PcgSettings;
use pliant_solid::Simulation;
use pliant_solid::material::MaterialModel;
use pliant_solid::report::Stage;
use pliant_solid::settings::{PreconditionerChoice, SolverChoice};
use rayon::ThreadPool;
use serde_json::{Map, Value, json};

type Row = Map<String, Value>;

/// The solvers compared.
const SOLVERS: [(&str, SolverChoice); 3] = [
    ("direct", SolverChoice::Direct),
    ("pcg 1e-6", pcg(1e-6)),
    ("pcg 1e-8", pcg(1e-8)),
];

const fn pcg(relative_tolerance: f64) -> SolverChoice {
    SolverChoice::Pcg {
        settings: PcgSettings {
            relative_tolerance,
            max_iterations: 5000,
        },
        preconditioner: PreconditionerChoice::BlockJacobi,
    }
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let effort = |rounds, seconds| Effort { rounds, seconds };
    let bars = match options.quick {
        true => [
            (bar::SMALL, effort(40, 12.0)),
            (bar::LARGE, effort(4, 12.0)),
        ],
        false => [
            (bar::SMALL, effort(150, 60.0)),
            (bar::LARGE, effort(30, 120.0)),
        ],
    };
    measure(options, &bars)
}

/// The summary is about the first bar.
fn measure(options: &Options, bars: &[([usize; 3], Effort)]) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let mut rows = Vec::new();
    for &(cells, effort) in bars {
        eprintln!("steps of a bar of {cells:?} cells");
        rows.extend(step_rows(cells, effort, &pools)?);
    }
    let columns = [
        plain("solver", "solver"),
        plain("nodes", "nodes"),
        plain("threads", "threads"),
        plain("steps", "steps"),
        scaled("step ms", "seconds_min", 1e3),
        scaled("median", "seconds_median", 1e3),
        scaled("adapt", "adapt_seconds_min", 1e3),
        scaled("assemble", "assemble_seconds_min", 1e3),
        scaled("factor", "factor_seconds_min", 1e3),
        scaled("solve", "solve_seconds_min", 1e3),
        scaled("advance", "advance_seconds_min", 1e3),
        scaled("read-out", "read_out_seconds_min", 1e3),
        plain("iterations", "iterations_mean"),
        scaled("assembly %", "assembly_share", 1e2),
    ];
    table::print(
        "milliseconds a step, minimum of each stage",
        &columns,
        &rows,
    );
    let summary = summarise(&rows, pools.len())?;
    Ok(study("full", machine, rows, summary))
}

/// What the steps of one candidate took; the warm-up step is left out.
#[derive(Default)]
struct Record {
    stages: [Vec<f64>; Stage::ALL.len()],
    shares: Vec<f64>,
    iterations: Vec<usize>,
}

impl Record {
    fn add(&mut self, simulation: &Simulation) {
        let report = simulation.report();
        if report.step == 1 {
            return; // analysis of the pattern, first touch of all memory
        }
        for (stage, list) in Stage::ALL.iter().zip(&mut self.stages) {
            list.push(report.times.seconds(*stage));
        }
        self.shares
            .push(report.times.seconds(Stage::Assemble) / report.times.total());
        self.iterations.push(report.linear_iterations);
    }
}

fn step_rows(cells: [usize; 3], effort: Effort, pools: &[ThreadPool]) -> Result<Vec<Row>> {
    let material = || bar::material(MaterialModel::StableNeoHookean);
    let mut simulations = (0..SOLVERS.len() * pools.len())
        .map(|k| bar::simulation(cells, material(), SOLVERS[k / pools.len()].1))
        .collect::<Result<Vec<_>>>()?;
    let mut records: Vec<Record> = simulations.iter().map(|_| Record::default()).collect();
    let timings = interleave(simulations.len(), effort, |k| {
        let simulation = &mut simulations[k];
        let pool = &pools[k % pools.len()];
        let (seconds, stepped) = pool.install(|| time(|| simulation.step().map(|_| ())));
        stepped.context(SOLVERS[k / pools.len()].0)?;
        records[k].add(simulation);
        Ok(seconds)
    })?;
    let rows = (timings.iter().zip(records))
        .enumerate()
        .map(|(k, (timing, record))| {
            let model = simulations[k].model();
            let steps = record.iterations.len();
            let iterations: usize = record.iterations.iter().sum();
            let mut row = timing.row(json!({
                "solver": SOLVERS[k / pools.len()].0,
                "threads": pools[k % pools.len()].current_num_threads(),
                "nodes": model.node_count(),
                "elements": model.element_count(),
                "steps": steps,
                "iterations_mean": iterations as f64 / steps.max(1) as f64,
                "iterations_max": record.iterations.iter().max(),
                "assembly_share": Timing::of(record.shares).median,
            }));
            for (stage, seconds) in Stage::ALL.iter().zip(record.stages) {
                let name = stage.name().replace('-', "_");
                let timing = Timing::of(seconds);
                row.insert(format!("{name}_seconds_min"), json!(timing.minimum));
                row.insert(format!("{name}_seconds_median"), json!(timing.median));
            }
            row
        });
    Ok(rows.collect())
}

fn summarise(rows: &[Row], pool_count: usize) -> Result<Value> {
    // rows follow each other by bar, solver and thread count
    let at = |solver: usize, threads: usize, key: &str| {
        let row = rows.get(solver * pool_count + threads);
        row.and_then(|row| row.get(key)?.as_f64())
            .ok_or_else(|| anyhow!("no {key}"))
    };
    let all = pool_count - 1;
    let step = |solver| at(solver, all, "seconds_min");
    let speedup = |solver: usize, key: &str| -> Result<f64> {
        Ok(at(solver, 0, key)? / at(solver, all, key)?)
    };
    let large = SOLVERS.len();
    let element_passes = at(0, all, "assemble_seconds_min")? + at(0, all, "read_out_seconds_min")?;
    Ok(json!({
        // median over the steps of the assemble stage over the whole step; direct, all threads
        "assembly_share": at(0, all, "assembly_share")?,
        // the force pass belongs to the read-out, whose forces the next step uses
        "assembly_and_read_out_share": element_passes / step(0)?,
        "step_seconds_direct_4961": step(0)?,
        "step_seconds_pcg_4961": step(1)?,
        "step_seconds_pcg_1e-8_4961": step(2)?,
        "pcg_iterations_4961": at(1, all, "iterations_mean")?,
        "pcg_iterations_1e-8_4961": at(2, all, "iterations_mean")?,
        "step_seconds_direct_18785": step(large)?,
        "step_seconds_pcg_18785": step(large + 1)?,
        "thread_speedup": {
            "direct": speedup(0, "seconds_min")?,
            "direct_assemble": speedup(0, "assemble_seconds_min")?,
            "direct_factor": speedup(0, "factor_seconds_min")?,
            "pcg": speedup(1, "seconds_min")?,
            "direct_18785": speedup(large, "seconds_min")?,
            "pcg_18785": speedup(large + 1, "seconds_min")?,
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_study_has_all_keys_and_positive_numbers() {
        let effort = Effort {
            rounds: 3,
            seconds: 0.0,
        };
        let options = Options {
            quick: true,
            threads: 2,
        };
        let bars = [([4, 2, 2], effort), ([5, 2, 2], effort)];
        let result = measure(&options, &bars).unwrap();
        let rows = result["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2 * 2 * SOLVERS.len());
        for row in rows {
            assert_eq!(row["steps"], 3);
            let number = |key: &str| row[key].as_f64().unwrap();
            let stages: f64 = (Stage::ALL.iter())
                .map(|s| number(&format!("{}_seconds_min", s.name().replace('-', "_"))))
                .sum();
            assert!(stages > 0.0 && stages <= number("seconds_min"), "{row:?}");
            let iterative = row["solver"] != "direct";
            assert_eq!(number("iterations_mean") > 0.0, iterative);
        }
        let summary = &result["summary"];
        let share = summary["assembly_share"].as_f64().unwrap();
        assert!(share > 0.0 && share < 1.0);
        for key in [
            "step_seconds_direct_4961",
            "step_seconds_pcg_4961",
            "pcg_iterations_4961",
        ] {
            assert!(summary[key].as_f64().unwrap() > 0.0, "{key}");
        }
        assert!(summary["thread_speedup"]["direct"].as_f64().unwrap() > 0.0);
    }
}
