//! `pliant bench early-cg`: what early termination of conjugate gradients saves and what it costs [DB19].
//!
//! Rows carry their `part`: `cost` (Table 1), `curve` (Figures 3 and 4), `error` (against the converged run) and
//! `rotation` (sweeps against singular values). "Converged" is the same method with the paper's tolerance and no budget.

mod candidate;
mod cost;
mod curves;
mod errors;
mod rotations;
mod summary;
mod tables;

use super::timing::{Effort, thread_pools};
use super::{Options, machine, study};
use anyhow::{Context, Result};
use candidate::{CONVERGED, Candidate, free_car, guesses, scene};
use cost::{Entry, full_table, short_table, walk};
use errors::Reference;
use pliant_scene::Scene;
use pliant_solid::settings::{EarlyCgSettings, Guess};
use rayon::ThreadPool;
use serde_json::{Map, Value};
use std::path::Path;

type Row = Map<String, Value>;

/// Steps of 5 s.
const FIVE_SECONDS: usize = 750;

/// A part of Table 1.
struct CostPlan {
    scene: &'static str,
    entries: Vec<Entry>,
    /// States, and steps from one to the next.
    visits: usize,
    stride: usize,
    repetitions: usize,
    /// One thread too, for the candidates of the summary.
    single: bool,
}

/// A scene beside its converged run.
struct ErrorPlan {
    scene: Scene,
    candidates: Vec<Candidate>,
    steps: usize,
}

/// What is measured.
struct Plan {
    /// Leaves the states behind from which the costs are measured.
    walker: Candidate,
    /// The first is what the summary is about.
    cost: Vec<CostPlan>,
    errors: Vec<ErrorPlan>,
    /// Scenes of Figure 3 and of Figure 4, and the last iteration shown.
    guess_curves: Vec<&'static str>,
    preconditioner_curves: Vec<&'static str>,
    last_iteration: usize,
    rotations: Effort,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let plan = if options.quick { quick()? } else { full()? };
    measure(options, plan)
}

fn quick() -> Result<Plan> {
    let cost = |scene, entries, visits, stride, repetitions| CostPlan {
        scene,
        entries,
        visits,
        stride,
        repetitions,
        single: false,
    };
    Ok(Plan {
        walker: Candidate::new(20),
        cost: vec![
            cost("cars-spin", short_table(), 6, 35, 3),
            cost("snowman", short_table(), 3, 40, 2),
        ],
        errors: vec![
            ErrorPlan {
                scene: scene("snowman")?,
                candidates: budgets().collect(),
                steps: FIVE_SECONDS,
            },
            ErrorPlan {
                scene: free_car()?,
                candidates: [5, 10, 20].map(Candidate::new).to_vec(),
                steps: FIVE_SECONDS,
            },
        ],
        guess_curves: vec!["bowling"],
        preconditioner_curves: Vec::new(),
        last_iteration: 30,
        rotations: Effort {
            rounds: 15,
            seconds: 2.0,
        },
    })
}

fn full() -> Result<Plan> {
    let cost = |scene, visits, stride, repetitions| CostPlan {
        scene,
        entries: full_table(),
        visits,
        stride,
        repetitions,
        single: true,
    };
    let mut errors = Vec::new();
    for name in ["snowman", "bowling", "cars-spin", "cars-sideways", "multi"] {
        let mut candidates: Vec<Candidate> = budgets().chain(variants()).collect();
        if ["snowman", "cars-spin"].contains(&name) {
            for budget in [5, 10] {
                let others = [Guess::ZERO, Guess::VELOCITY_AND_FORCE];
                candidates.extend(others.map(|guess| Candidate::new(budget).guess(guess)));
            }
        }
        errors.push(ErrorPlan {
            scene: scene(name)?,
            candidates,
            steps: FIVE_SECONDS,
        });
    }
    errors.push(ErrorPlan {
        scene: free_car()?,
        candidates: budgets().chain(variants()).collect(),
        steps: FIVE_SECONDS,
    });
    Ok(Plan {
        walker: Candidate::new(CONVERGED),
        cost: vec![
            cost("cars-spin", 12, 25, 3),
            cost("bowling", 15, 10, 9),
            cost("snowman", 15, 10, 9),
        ],
        errors,
        guess_curves: vec!["bowling", "cars-spin"],
        preconditioner_curves: vec!["cars-sideways"],
        last_iteration: 80,
        rotations: Effort {
            rounds: 60,
            seconds: 10.0,
        },
    })
}

/// The budgets whose errors are compared.
fn budgets() -> impl Iterator<Item = Candidate> {
    [1, 2, 5, 10, 20].into_iter().map(Candidate::new)
}

/// Budget 10 with more for new contacts and without restored momentum, an end by energy, and what the tolerance of the
/// converged run itself leaves open.
fn variants() -> impl Iterator<Item = Candidate> {
    let fresh = Candidate {
        fresh_factor: EarlyCgSettings::default().fresh_factor,
        ..Candidate::new(10)
    };
    let energy = Candidate {
        energy_tolerance: 0.01,
        ..Candidate::new(20)
    };
    let tight = Candidate {
        tolerance: 1e-10,
        ..Candidate::new(CONVERGED)
    };
    let lossy = Candidate {
        restore_momentum: false,
        ..Candidate::new(10)
    };
    [Candidate::paper(10), fresh, energy, lossy, tight].into_iter()
}

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let summary_scene = plan.cost.first().map_or("", |p| p.scene);
    let mut rows = Vec::new();
    let mut walks = Vec::new();
    for part in &plan.cost {
        eprintln!("cost of budgets, {}", part.scene);
        let scene = scene(part.scene)?;
        let visits = all.install(|| walk(&scene, plan.walker, part.visits, part.stride))?;
        let mut found = cost_rows(part, &scene, &visits, all)?;
        if part.single && pools.len() > 1 {
            found.extend(cost_rows(
                &CostPlan {
                    entries: short_table(),
                    ..*part
                },
                &scene,
                &visits,
                &pools[0],
            )?);
        }
        tables::print_cost(&found);
        rows.extend(found);
        walks.push((scene, visits));
    }
    for (scene, visits) in &walks {
        eprintln!("rotations, {}", scene.name);
        rows.extend(rotations::rows(scene, visits, plan.rotations)?);
    }
    tables::print_rotations(&rows);
    rows.extend(all.install(|| curve_rows(&plan, options.out.as_deref()))?);
    for part in &plan.errors {
        eprintln!("errors of budgets, {}", part.scene.name);
        let found = all.install(|| {
            let reference = Reference::run(&part.scene, Candidate::new(CONVERGED), part.steps)?;
            reference.rows(&part.candidates)
        })?;
        tables::print_errors(&found);
        rows.extend(found);
    }
    let summary = summary::summarise(&rows, summary_scene, options.threads)?;
    Ok(study("early-cg", machine, rows, summary))
}

fn cost_rows(
    part: &CostPlan,
    scene: &Scene,
    visits: &[cost::Visit],
    pool: &ThreadPool,
) -> Result<Vec<Row>> {
    let threads = pool.current_num_threads();
    pool.install(|| cost::rows(scene, visits, &part.entries, part.repetitions, threads))
}

/// Figures 3 and 4; the pictures go to a folder if there is one.
fn curve_rows(plan: &Plan, folder: Option<&Path>) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut figures = Vec::new();
    let state_of = |scene: &Scene| curves::collision(scene, Candidate::new(CONVERGED));
    for name in &plan.guess_curves {
        eprintln!("kinetic energy of iterates, {name}");
        let scene = scene(name)?;
        let (found, figure) =
            curves::guess_curves(&scene, &state_of(&scene)?, plan.last_iteration)?;
        rows.extend(found);
        figures.push(figure);
    }
    for name in &plan.preconditioner_curves {
        eprintln!("kinetic energy of iterates, {name}");
        let scene = scene(name)?;
        let state = state_of(&scene)?;
        for guess in guesses() {
            let last = plan.last_iteration;
            let (found, figure) = curves::preconditioner_curves(&scene, &state, guess, last)?;
            rows.extend(found);
            figures.push(figure);
        }
    }
    tables::print_curves(&rows);
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (name, svg) in figures {
            let path = folder.join(name);
            std::fs::write(&path, svg).with_context(|| path.display().to_string())?;
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_study_has_all_keys_and_plausible_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            quick: true,
            threads: 2,
            out: Some(folder.path().to_path_buf()),
            only: Vec::new(),
        };
        let plan = Plan {
            walker: Candidate::new(CONVERGED),
            cost: vec![CostPlan {
                scene: "bowling",
                entries: short_table(),
                visits: 2,
                stride: 20,
                repetitions: 3,
                single: true,
            }],
            errors: vec![ErrorPlan {
                scene: scene("snowman").unwrap(),
                candidates: budgets().chain(variants()).collect(),
                steps: 60,
            }],
            guess_curves: vec!["bowling"],
            preconditioner_curves: vec!["bowling"],
            last_iteration: 12,
            rotations: Effort {
                rounds: 3,
                seconds: 0.0,
            },
        };
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part = |name: &str| {
            rows.iter()
                .filter(|r| r["part"] == name)
                .collect::<Vec<_>>()
        };
        assert_eq!(part("cost").len(), 2 * short_table().len());
        for row in part("cost") {
            let Some(step) = row["step_seconds_min"].as_f64() else {
                continue; // counted, not timed
            };
            let cg = row["cg_seconds_min"].as_f64().unwrap();
            assert!(cg > 0.0 && cg < step, "{row}");
            let iterations = row["iterations_mean"].as_f64().unwrap();
            let budget = row["budget"].as_f64().unwrap_or(CONVERGED as f64);
            assert!(iterations >= 1.0 && iterations <= budget, "{row}");
        }
        for row in part("curve") {
            let energies = row["kinetic_energy"].as_array().unwrap();
            let solution = row["kinetic_energy_solution"].as_f64().unwrap();
            assert_eq!(energies.len(), 13);
            let last = energies[12].as_f64().unwrap();
            assert!(last > 0.0 && last.is_finite(), "{row}");
            if row["guess"] == "zero" {
                assert_eq!(energies[0], 0.0);
                assert!(last > 0.1 * solution && last < 1.1 * solution, "{row}");
            }
        }
        assert_eq!(
            folder.path().read_dir().unwrap().count(),
            1 + guesses().len()
        );
        let errors = part("error");
        let vertex = |k: usize| errors[k]["max_vertex_error"].as_f64().unwrap();
        assert!(vertex(0) > vertex(2) && vertex(2) > vertex(4) && vertex(4) < 0.02);
        let tight = errors.len() - 1;
        assert!(vertex(tight) < vertex(4), "the converged run has converged");
        let summary = &result["summary"];
        for key in [
            "cg_speedup_5",
            "cg_speedup_10",
            "step_speedup_5",
            "max_vertex_error_10",
            "jacobi_iteration_ratio",
            "block_jacobi_iteration_ratio",
            "sweep_speedup",
            "rotation_error_two_sweeps",
        ] {
            assert!(summary[key].as_f64().unwrap() > 0.0, "{key}: {summary}");
        }
        assert!(summary["cg_speedup_5"].as_f64() > Some(1.0), "{summary}");
        assert!(summary["sweep_speedup"].as_f64() > Some(1.0), "{summary}");
        let error = |key: &str| summary[key].as_f64().unwrap();
        assert!(error("rotation_error_two_sweeps") < error("rotation_error_one_sweep"));
    }
}
