//! `pliant bench full`: time per step of a cantilever under gravity, stage by stage, direct and PCG.
//!
//! All solvers and thread counts take their steps in turn. Every candidate walks the same trajectory from rest.
//! The quick study leaves the tight tolerance and the single thread out at the larger bar.

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
            energy_tolerance: 0.0,
            eigenvalue_bound: 0.0,
        },
        preconditioner: PreconditionerChoice::BlockJacobi,
    }
}

/// What is measured at one bar.
struct Plan {
    cells: [usize; 3],
    effort: Effort,
    /// How many of [`SOLVERS`], from the first.
    solvers: usize,
    /// One thread too, not only all of them.
    single: bool,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let plan = |cells, rounds, seconds| Plan {
        cells,
        effort: Effort { rounds, seconds },
        solvers: SOLVERS.len(),
        single: true,
    };
    let plans = match options.quick {
        true => [
            plan(bar::SMALL, 30, 8.0),
            Plan {
                solvers: 2,
                single: false,
                ..plan(bar::LARGE, 4, 10.0)
            },
        ],
        false => [plan(bar::SMALL, 150, 60.0), plan(bar::LARGE, 30, 100.0)],
    };
    measure(options, &plans)
}

fn measure(options: &Options, plans: &[Plan; 2]) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let mut rows = Vec::new();
    for plan in plans {
        eprintln!("steps of a bar of {:?} cells", plan.cells);
        let from = if plan.single { 0 } else { pools.len() - 1 };
        rows.extend(step_rows(plan, &pools[from..])?);
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
    let summary = summarise(&rows, options.threads)?;
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

fn step_rows(plan: &Plan, pools: &[ThreadPool]) -> Result<Vec<Row>> {
    let material = || bar::material(MaterialModel::StableNeoHookean);
    let mut simulations = (0..plan.solvers * pools.len())
        .map(|k| bar::simulation(plan.cells, material(), SOLVERS[k / pools.len()].1))
        .collect::<Result<Vec<_>>>()?;
    let mut records: Vec<Record> = simulations.iter().map(|_| Record::default()).collect();
    let timings = interleave(simulations.len(), plan.effort, |k| {
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

fn summarise(rows: &[Row], threads: usize) -> Result<Value> {
    let small = rows.first().and_then(|row| row["nodes"].as_u64());
    let find = |first_bar: bool, solver: usize, threads: usize, key: &str| {
        let found = rows.iter().find(|row| {
            (row["nodes"].as_u64() == small) == first_bar
                && row["solver"] == SOLVERS[solver].0
                && row["threads"] == threads
        });
        found.and_then(|row| row.get(key)?.as_f64())
    };
    let at = |solver: usize, key: &str| {
        find(true, solver, threads, key).ok_or_else(|| anyhow!("no {key} of {}", SOLVERS[solver].0))
    };
    let step = "seconds_min";
    // null where the quick study has no single thread
    let speedup = |first_bar: bool, solver: usize, key: &str| {
        let seconds = |threads| find(first_bar, solver, threads, key);
        Some(seconds(1)? / seconds(threads)?)
    };
    let element_passes = at(0, "assemble_seconds_min")? + at(0, "read_out_seconds_min")?;
    Ok(json!({
        // median over the steps of the assemble stage over the whole step; direct, all threads
        "assembly_share": at(0, "assembly_share")?,
        // the force pass belongs to the read-out, whose forces the next step uses
        "assembly_and_read_out_share": element_passes / at(0, step)?,
        "step_seconds_direct_4961": at(0, step)?,
        "step_seconds_pcg_4961": at(1, step)?,
        "step_seconds_pcg_1e-8_4961": at(2, step)?,
        "pcg_iterations_4961": at(1, "iterations_mean")?,
        "pcg_iterations_1e-8_4961": at(2, "iterations_mean")?,
        "step_seconds_direct_18785": find(false, 0, threads, step),
        "step_seconds_pcg_18785": find(false, 1, threads, step),
        "pcg_iterations_18785": find(false, 1, threads, "iterations_mean"),
        "thread_speedup": {
            "direct": speedup(true, 0, step),
            "direct_assemble": speedup(true, 0, "assemble_seconds_min"),
            "direct_factor": speedup(true, 0, "factor_seconds_min"),
            "pcg": speedup(true, 1, step),
            "direct_18785": speedup(false, 0, step),
            "pcg_18785": speedup(false, 1, step),
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
            out: None,
            only: Vec::new(),
        };
        let plans = [([4, 2, 2], 3, true), ([5, 2, 2], 2, false)];
        let plans = plans.map(|(cells, solvers, single)| Plan {
            cells,
            effort,
            solvers,
            single,
        });
        let result = measure(&options, &plans).unwrap();
        let rows = result["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2 * 3 + 2);
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
            "step_seconds_direct_18785",
        ] {
            assert!(summary[key].as_f64().unwrap() > 0.0, "{key}");
        }
        assert!(summary["thread_speedup"]["direct"].as_f64().unwrap() > 0.0);
    }
}
