//! `pliant bench subspace`: what trained spaces with regions of full nodes save, and what they cost [TMDK15].
//!
//! Bodies are trained first, unless a folder for results has their models of another time. Rows carry their `part`:
//! - `training`: modes, points, errors and seconds of each scene;
//! - `scene`: a scene with one radius ρ, or `nothing` full, or `everything` (Tables 1 and 2, Figures 7 and 9);
//! - `size`: steps without a region on ever finer capsules with the same number of modes and points.
//!
//! `--only` measures some parts; rows of the others are those that an earlier run has left in the folder for results, with their own `load_average`.
//!
//! All candidates and both full solvers step the scene in turns; of the time of a step the least of all passes counts.
//! - `speedup_average` is the ratio of the sums over all steps, `speedup_best` and `speedup_worst` are the extremes of the ratios of
//!   single steps, each with the share of nodes that were full (`active_…`). The full solver of the paper is Newton's method with conjugate
//!   gradients and Jacobi's preconditioner, stopped at 1 % as those of the mixed system are (`full_pcg`); `…_direct` are relative to
//!   Newton's method with sparse factors, `…_blocks`, in large scenes, whose factors take longer, to conjugate gradients with blocks of three rows as preconditioner.
//! - Errors are ‖x − x_full‖ over ‖x_full − X‖, the distance from rest, over all nodes: mean and largest over the steps in contact.
//! - `jump_ratio`: the largest motion of a node in a step in which nodes became full or stopped, over that of `full` in these steps.
//! - `iterations_…`: of conjugate gradients for one linear solve, in steps with a region.
//! - `size_exponent`: the slope of log time over log nodes.

mod case;
mod figures;
mod race;
mod sizes;
mod summary;
mod tables;

use super::rows::{Row, draw, number, row, with_earlier};
use super::table;
use super::timing::thread_pools;
use super::{Options, machine, study};
use anyhow::{Context, Result};
use case::{Case, Full};
use serde_json::{Value, json};
use std::path::Path;

/// What is measured.
struct Plan {
    scenes: Vec<race::Plan>,
    sizes: Option<sizes::Plan>,
}

/// Scenes, and steps on ever finer meshes.
pub const PARTS: &[&str] = &[
    "capsule-small",
    "capsule",
    "hand-20k",
    "cheb",
    "hand",
    "giant",
    SIZES,
];

const SIZES: &str = "sizes";

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let mut plan = if options.quick { quick() } else { full() };
    if !options.only.is_empty() {
        let wanted = |name: &str| options.only.iter().any(|part| part == name);
        plan.scenes.retain(|plan| wanted(plan.scene));
        plan.sizes = plan.sizes.filter(|_| wanted(SIZES));
    }
    measure(options, plan)
}

fn quick() -> Plan {
    Plan {
        scenes: vec![race::Plan {
            scene: "capsule-small",
            full: vec![
                Full::Nothing,
                Full::Radius(0.0),
                Full::Radius(0.08),
                Full::Radius(0.15),
                Full::Radius(0.25),
                Full::Everything,
            ],
            steps: usize::MAX,
            seconds: 20.0,
            direct: true,
            passes: 2,
        }],
        sizes: Some(sizes::Plan {
            cells: vec![(2, 11), (3, 16), (5, 27)],
            poses: 4,
            rank: 4,
            points: 16,
            steps: 60,
            passes: 3,
        }),
    }
}

/// Scenes, radii and the time for each, s.
fn full() -> Plan {
    let small = quick();
    let scene = |scene: &'static str, radii: &[f64], direct: bool, seconds: f64| race::Plan {
        scene,
        full: std::iter::once(Full::Nothing)
            .chain(radii.iter().map(|&r| Full::Radius(r)))
            .collect(),
        steps: usize::MAX,
        seconds,
        direct,
        passes: 1,
    };
    Plan {
        scenes: small
            .scenes
            .into_iter()
            .chain([
                // sparse factors of these take seconds to a minute each
                scene("capsule", &[0.0, 0.08, 0.25], false, 400.0),
                scene("hand-20k", &[0.0, 0.046, 0.1], false, 300.0),
                scene("cheb", &[0.39], false, 400.0),
                scene("hand", &[0.046], false, 400.0),
                scene("giant", &[0.048], false, 400.0),
            ])
            .collect(),
        sizes: small.sizes.map(|sizes| sizes::Plan {
            cells: vec![(2, 11), (3, 16), (5, 27), (8, 43)],
            ..sizes
        }),
    }
}

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let mut rows = measure_rows(&plan, options.threads, options.out.as_deref(), all)?;
    for row in &mut rows {
        row.insert("load_average".into(), machine["load_average"].clone());
    }
    if !options.only.is_empty() {
        rows = with_earlier(rows, options.out.as_deref(), PARTS, part_of);
    }
    if let Some(folder) = &options.out {
        draw(folder, figures::figures(&rows))?;
    }
    let summary = summary::summarise(&rows);
    Ok(study("subspace", machine, rows, summary))
}

/// The part of the study that a row belongs to.
fn part_of(row: &Row) -> String {
    match row["part"].as_str() {
        Some("size") => SIZES.to_string(),
        _ => row["scene"].as_str().unwrap_or_default().to_string(),
    }
}

fn measure_rows(
    plan: &Plan,
    threads: usize,
    folder: Option<&Path>,
    pool: &rayon::ThreadPool,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for plan in &plan.scenes {
        eprintln!("scene {}: training", plan.scene);
        // what does not train in reasonable time must not cost the others their rows
        let case = match Case::new(plan.scene, threads, folder) {
            Ok(case) => case,
            Err(error) => {
                eprintln!("{}: {error:#}", plan.scene);
                let facts = json!({ "part": "training", "scene": plan.scene, "failed": format!("{error:#}") });
                rows.push(row(facts));
                continue;
            }
        };
        rows.push(case.training_row());
        eprintln!("scene {}: steps", plan.scene);
        let part = pool.install(|| race::rows(&case, plan));
        rows.extend(part.with_context(|| plan.scene.to_string())?);
    }
    let part = |name: &str, rows: &[Row]| -> Vec<Row> {
        (rows.iter().filter(|row| row["part"] == name))
            .cloned()
            .collect()
    };
    table::print("Training", &tables::TRAINING, &part("training", &rows));
    table::print(
        "Table 1: iterations",
        &tables::ITERATIONS,
        &part("scene", &rows),
    );
    table::print("Table 2: speed-up", &tables::SCENES, &part("scene", &rows));
    table::print("Figure 7: errors", &tables::ERRORS, &part("scene", &rows));
    if let Some(plan) = &plan.sizes {
        let sizes = sizes::rows(plan, threads, pool)?;
        table::print("Steps without a region", &tables::SIZES, &sizes);
        rows.extend(sizes);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_measured_later_replace_their_rows_and_leave_the_others() {
        let of = |part: &str, scene: &str, value: u64| {
            row(json!({ "part": part, "scene": scene, "value": value }))
        };
        let folder = tempfile::tempdir().unwrap();
        let earlier = [
            of("training", "capsule", 1),
            of("scene", "capsule", 2),
            of("scene", "cheb", 3),
            row(json!({ "part": "size", "value": 4 })),
        ];
        let study = serde_json::to_vec(&json!({ "rows": earlier })).unwrap();
        std::fs::write(folder.path().join("study.json"), study).unwrap();
        let now = vec![of("scene", "capsule", 5), of("scene", "hand", 6)];
        let rows = with_earlier(now.clone(), Some(folder.path()), PARTS, part_of);
        let values: Vec<u64> = (rows.iter())
            .map(|r| r["value"].as_u64().unwrap())
            .collect();
        assert_eq!(values, [5, 3, 6, 4]);
        assert_eq!(with_earlier(now.clone(), None, PARTS, part_of), now);
        let known = |plan: &race::Plan| PARTS.contains(&plan.scene);
        assert!(full().scenes.iter().all(known));
    }

    #[test]
    fn a_tiny_study_has_all_parts_and_plausible_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            quick: true,
            threads: 2,
            out: Some(folder.path().to_path_buf()),
            only: Vec::new(),
        };
        let mut plan = quick();
        // contact begins after fifty steps of ninety
        plan.scenes[0].full = vec![Full::Nothing, Full::Radius(0.08), Full::Radius(0.25)];
        plan.scenes[0].steps = 58;
        plan.scenes[0].passes = 1;
        plan.sizes = Some(sizes::Plan {
            cells: vec![(2, 6), (2, 10), (3, 12)],
            poses: 2,
            rank: 2,
            points: 8,
            steps: 4,
            passes: 1,
        });
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part =
            |name: &str| -> Vec<&Value> { rows.iter().filter(|r| r["part"] == name).collect() };
        let [training] = part("training")[..] else {
            panic!("{rows:?}");
        };
        assert!(training["rank"].as_u64().unwrap() >= 4, "{training}");
        let [nothing, near, far] = part("scene")[..] else {
            panic!("{rows:?}");
        };
        let of =
            |row: &Value, key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
        for row in [nothing, near, far] {
            assert!(row["failed"].is_null(), "{row}");
            assert_eq!(of(row, "steps"), 58.0);
            for key in [
                "speedup_average",
                "speedup_best",
                "speedup_worst",
                "speedup_average_direct",
            ] {
                assert!(of(row, key) > 0.0);
            }
            assert!(of(row, "worst_residual") <= 1e-4, "{row}");
        }
        // regions only with a radius, larger ones with a larger one, and those are nearer to the truth
        assert_eq!(of(nothing, "active_average"), 0.0);
        assert!(of(near, "active_average") > 0.0);
        assert!(of(far, "active_average") > of(near, "active_average"));
        assert!(of(far, "error_mean") < of(nothing, "error_mean"));
        assert!(of(near, "iterations_average") > 1.0);
        let sizes = part("size");
        assert_eq!(sizes.len(), 3);
        for row in &sizes {
            assert_eq!(
                (&row["rank"], &row["points"]),
                (&4.into(), &16.into()),
                "{row}"
            );
        }
        let summary = &result["summary"];
        for key in [
            "speedup_average",
            "speedup_best",
            "speedup_worst",
            "pcg_iterations_avg",
            "subspace_step_size_exponent",
        ] {
            assert!(summary[key].is_number(), "{key}: {summary}");
        }
        assert_eq!(summary["error_by_rho"].as_array().unwrap().len(), 3);
        // four files, and the models for another time
        assert!(folder.path().join("models").is_dir());
        assert_eq!(folder.path().read_dir().unwrap().count(), 5);
    }
}
