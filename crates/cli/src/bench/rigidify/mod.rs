//! `pliant bench rigidify`: what it saves to take quiet elements for rigid, and what that costs [MWLK22].
//!
//! Rows carry their `part`: `scene` (Table 1, Figures 3 and 6), `beam` (Figure 4), `cantilever` (Figure 5) and `error` (an error asked for). In all of them `full`
//! and `rigidify` step the same scene in turns, with the same solver and contact.
//!
//! - `speedup_total` is the ratio of the sums over all steps but the first, `speedup_mean` the mean of the ratios of single steps;
//!   those with `no_contact` leave out the stages detect, jacobian, delassus, constraints and response.
//! - Errors are shares of the diagonal of a body's bounding box. For scenes in which chance decides they are left out: `pile_…` are
//!   statistics of the end, of `full` and of `rigidify`.
//! - `worst_step_ratio`: the largest ratio of a step of `rigidify` to the same step of `full`; the time of a step is the median of its
//!   passes (`worst_step_passes`). `slowest_step_of_median` is the slowest step of `rigidify` over the median step of `full`, which
//!   on impact is not that of `full` either; `late_step_ratio` is that of the 99th percentile of the first pass.
//! - `quiet_step_ratio`: the median step in which every element is rigid, over the median step of `full`.
//! - `false_negative_rate`: see the file `oracle.rs`.
//!
//! `--only` measures some parts; rows of the others are those that an earlier run has left in the folder for results, with their own
//! `load_average`.

mod case;
mod figures;
mod numbers;
mod oracle;
mod outcome;
mod race;
mod scenes;
mod summary;
mod sweeps;
mod tables;

use super::rows::{Row, draw, median, number, row, with_earlier};
use super::table;
use super::timing::thread_pools;
use super::{Options, machine, study};
use anyhow::{Context, Result};
use serde_json::Value;
use sweeps::Beam;

/// What is measured.
struct Plan {
    scenes: Vec<scenes::Plan>,
    sweeps: sweeps::Plan,
}

/// Scenes, the cantilever over τ_E, beams, and errors asked for.
pub const PARTS: &[&str] = &[
    "wheel",
    "octopus",
    "blob",
    "forest",
    "pachinko",
    "cantilever-2d",
    "beam",
    THRESHOLDS,
    BEAMS,
    ERRORS,
];

const THRESHOLDS: &str = "thresholds";
const BEAMS: &str = "beams";
const ERRORS: &str = "errors";

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let mut plan = if options.quick { quick() } else { full() };
    if !options.only.is_empty() {
        let wanted = |name: &str| options.only.iter().any(|part| part == name);
        plan.scenes.retain(|plan| wanted(plan.name));
        let sweeps = &mut plan.sweeps;
        sweeps.cantilever.retain(|_| wanted(THRESHOLDS));
        sweeps.beams.retain(|_| wanted(BEAMS));
        sweeps.errors.retain(|_| wanted(ERRORS));
    }
    measure(options, plan)
}

/// The part of the study that a row belongs to.
fn part_of(row: &Row) -> String {
    let part = match row["part"].as_str() {
        Some("cantilever") => THRESHOLDS,
        Some("beam") => BEAMS,
        Some("error") => ERRORS,
        _ => row["scene"].as_str().unwrap_or_default(),
    };
    part.to_string()
}

fn quick() -> Plan {
    // the whole scene
    let race = race::Plan {
        steps: 1500,
        seconds: 15.0,
        sample_every: 10,
        replays: 2,
        replay_seconds: 7.0,
    };
    Plan {
        scenes: vec![
            scenes::Plan {
                name: "cantilever-2d",
                race,
            },
            // it touches the ground after 63
            scenes::Plan {
                name: "wheel",
                race: race::Plan {
                    steps: 400,
                    seconds: 15.0,
                    sample_every: 5,
                    ..race
                },
            },
        ],
        sweeps: sweeps::Plan {
            cantilever: Vec::new(),
            beams: Vec::new(),
            errors: Vec::new(),
            race,
        },
    }
}

/// Scenes of Table 1 and the most time for each, s.
const SCENES: [(&str, f64); 7] = [
    ("wheel", 700.0),
    ("octopus", 400.0),
    ("blob", 300.0),
    ("forest", 200.0),
    ("pachinko", 500.0),
    ("cantilever-2d", 30.0),
    ("beam", 30.0),
];

/// Whole scenes, within the time for each.
fn full() -> Plan {
    let race = race::Plan {
        steps: usize::MAX,
        seconds: 0.0,
        sample_every: 20,
        replays: 2,
        replay_seconds: 25.0,
    };
    let thresholds = [1e-6, 1e-5, 1e-4, 1e-3].map(Beam::Threshold);
    let damping = [0.005, 0.01, 0.05, 0.1, 0.5].map(Beam::Damping);
    let resolutions = [[2, 2, 5], [4, 4, 10], [6, 6, 14], [8, 8, 20], [12, 12, 28]];
    let stiffness = [1e4, 3e4, 5e4, 1e5, 1e6].map(Beam::Stiffness);
    let beams = (thresholds.into_iter())
        .chain(damping)
        .chain(resolutions.map(Beam::Resolution))
        .chain(stiffness);
    Plan {
        scenes: SCENES
            .map(|(name, seconds)| scenes::Plan {
                name,
                race: race::Plan { seconds, ..race },
            })
            .into(),
        sweeps: sweeps::Plan {
            cantilever: (-7..=0).map(|exponent| 10f64.powi(exponent)).collect(),
            beams: beams.collect(),
            errors: vec![
                ("cantilever-2d", 1e-3),
                ("cantilever-2d", 1e-2),
                ("beam", 1e-3),
                ("beam", 1e-2),
                ("blob", 1e-2),
                ("octopus", 1e-2),
            ],
            race: race::Plan {
                steps: 2000,
                seconds: 8.0,
                sample_every: 0,
                replays: 0,
                replay_seconds: 0.0,
            },
        },
    }
}

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let mut rows = all.install(|| measure_rows(&plan))?;
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
    Ok(study("rigidify", machine, rows, summary))
}

fn measure_rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for plan in &plan.scenes {
        eprintln!("scene {}", plan.name);
        let row = scenes::measured_row(plan).context(plan.name)?;
        if let Some(error) = row["failed"].as_str() {
            eprintln!("{}: {error}", plan.name);
        }
        rows.push(row);
    }
    table::print("Table 1: scenes", &tables::SCENES, &rows);
    table::print("Figure 6: what the oracle misses", &tables::ORACLE, &rows);
    let mut add = |title: &str, columns: &[table::Column], part: Vec<Row>| {
        if !part.is_empty() {
            table::print(title, columns, &part);
            rows.extend(part);
        }
    };
    let part = sweeps::cantilever_rows(&plan.sweeps)?;
    add("Figure 5: cantilever over τ_E", &tables::CANTILEVER, part);
    let part = sweeps::beam_rows(&plan.sweeps)?;
    add("Figure 4: beams", &tables::BEAMS, part);
    let part = sweeps::error_rows(&plan.sweeps)?;
    add("Errors asked for", &tables::ERRORS, part);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_study_has_all_parts_and_plausible_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            quick: true,
            threads: 2,
            out: Some(folder.path().to_path_buf()),
            only: Vec::new(),
        };
        let race = race::Plan {
            steps: 12,
            seconds: 60.0,
            sample_every: 4,
            replays: 2,
            replay_seconds: 20.0,
        };
        let plan = Plan {
            scenes: ["cantilever-2d", "beam"]
                .map(|name| scenes::Plan { name, race })
                .into(),
            sweeps: sweeps::Plan {
                // with the largest all is rigid as soon as it may be
                cantilever: vec![1e-5, 1e6],
                beams: vec![
                    Beam::Threshold(1e-6),
                    Beam::Damping(0.5),
                    Beam::Resolution([2, 2, 5]),
                    Beam::Stiffness(1e6),
                ],
                errors: vec![("beam", 0.01)],
                race: race::Plan {
                    sample_every: 0,
                    replays: 0,
                    ..race
                },
            },
        };
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part =
            |name: &str| -> Vec<&Value> { rows.iter().filter(|r| r["part"] == name).collect() };
        assert_eq!(part("scene").len(), 2);
        for row in part("scene") {
            let of = |key: &str| row[key].as_f64().unwrap();
            assert!(row["failed"].is_null(), "{row}");
            assert_eq!(of("steps"), 12.0, "{row}");
            assert_eq!(of("worst_step_passes"), 3.0, "{row}");
            assert_eq!(of("sampled_steps"), 3.0, "{row}");
            assert!(of("max_vertex_error") < 0.1, "{row}");
            assert!(of("unknowns_mean") <= of("unknowns_full"), "{row}");
            let rate = of("false_negative_rate");
            assert!((0.0..=1.0).contains(&rate), "{row}");
        }
        let [fine, coarse] = part("cantilever")[..] else {
            panic!("two thresholds: {rows:?}");
        };
        let share = |row: &Value| row["unknowns_share"].as_f64().unwrap();
        assert_eq!(share(fine), 1.0, "{fine}");
        assert!(
            share(coarse) < 1.0 && coarse["quiet_steps"].as_u64() > Some(0),
            "{coarse}"
        );
        assert_eq!(part("beam").len(), 4);
        let coarse = part("beam")[2];
        assert_eq!(coarse["elements"], 2 * 2 * 5 * 6, "{coarse}");
        let summary = &result["summary"];
        for key in ["speedup_total", "speedup_mean", "worst_step_ratio"] {
            assert!(summary[key].as_f64().unwrap() > 0.0, "{key}: {summary}");
        }
        for key in ["max_vertex_error", "false_negative_rate"] {
            assert!(summary[key].is_number(), "{key}: {summary}");
        }
        // nothing has come to rest yet
        assert!(summary["quiet_step_ratio"].is_null(), "{summary}");
        assert!(summary["scenes"]["beam"]["speedup_total"].is_number());
        assert_eq!(folder.path().read_dir().unwrap().count(), 5);
        let known = |plan: &scenes::Plan| PARTS.contains(&plan.name);
        assert!(full().scenes.iter().chain(&quick().scenes).all(known));
    }
}
