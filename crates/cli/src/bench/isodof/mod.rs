//! `pliant bench isodof`: what isolated degrees of freedom and their reuse save in contact [ZCC22].
//!
//! Rows carry their `part`: `compliance` (Figures 9 and 10), `stages` (Figure 11 and Table 1), `unbuilt` (Table 2), `scene`
//! (Table 3) and `equality` (forces of all variants). In all parts but `scene` every near contact takes part, so that W
//! is built exactly once a step, and sweeps solve the constraints, as in the paper.

mod case;
mod compliance;
mod equality;
mod figures;
mod scenes;
mod stages;
mod summary;
mod tables;
mod unbuilt;

use super::rows::{Row, draw, median, number, row};
use super::table;
use super::timing::{Effort, thread_pools};
use super::{Options, machine, study};
use anyhow::{Context, Result};
use case::Body;
use compliance::{ConstraintPlan, Moment, SizePlan};
use scenes::ScenePlan;
use serde_json::Value;

/// What is measured.
struct Plan {
    constraints: ConstraintPlan,
    sizes: SizePlan,
    /// Bodies of Table 1, and steps until they lie on the plane; the summary is about the first.
    bodies: Vec<(Body, usize)>,
    stages: stages::Plan,
    solve: Effort,
    equality: equality::Plan,
    scenes: Vec<ScenePlan>,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    measure(options, if options.quick { quick() } else { full() })
}

/// 17 280 degrees of freedom.
const QUICK: Body = Body::Block { nodes: 5760 };

fn quick() -> Plan {
    let effort = Effort {
        rounds: 3,
        seconds: 0.0,
    };
    Plan {
        constraints: ConstraintPlan {
            body: QUICK,
            steps: 1,
            contacts: vec![60, 160, 320],
            effort,
        },
        sizes: SizePlan {
            nodes: vec![1200, 2500, 5000],
            contacts: 80,
            effort,
        },
        bodies: vec![(QUICK, 20)],
        stages: stages::Plan {
            rounds: 10,
            slow_rounds: 3,
            periods: 2,
            block_jacobi: 2,
        },
        solve: Effort {
            rounds: 20,
            seconds: 1.0,
        },
        equality: equality::Plan {
            body: Body::Block { nodes: 1500 },
            steps: vec![3, 8],
        },
        scenes: Vec::new(),
    }
}

fn full() -> Plan {
    let effort = Effort {
        rounds: 5,
        seconds: 20.0,
    };
    Plan {
        constraints: ConstraintPlan {
            body: Body::Scene("raptor-12k"),
            steps: 80,
            contacts: vec![60, 120, 200, 300, 400, 620],
            effort,
        },
        sizes: SizePlan {
            nodes: vec![1200, 2500, 5000, 8000, 12_023, 19_845],
            contacts: 80,
            effort,
        },
        bodies: vec![
            (Body::Scene("raptor"), 100),
            (Body::Block { nodes: 19_845 }, 20),
        ],
        stages: stages::Plan {
            rounds: 20,
            slow_rounds: 4,
            periods: 2,
            block_jacobi: 3,
        },
        solve: Effort {
            rounds: 30,
            seconds: 10.0,
        },
        equality: equality::Plan {
            body: QUICK,
            steps: vec![3, 8],
        },
        scenes: SCENES
            .map(|name| ScenePlan {
                name,
                steps: 400,
                seconds: 12.0,
                compared: 3,
            })
            .into(),
    }
}

/// Those of Table 3, with the large stacks and the needle at both sizes.
const SCENES: [&str; 12] = [
    "pass-torus",
    "multi-torus",
    "rolling",
    "hetero-material",
    "needle",
    "needle-31k",
    "rich-contact",
    "stacking",
    "stacking-4096",
    "hetero-stacking",
    "gripping",
    "pick-and-place",
];

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let rows = all.install(|| measure_rows(&plan))?;
    if let Some(folder) = &options.out {
        draw(folder, figures::figures(&rows))?;
    }
    let summary = summary::summarise(&rows);
    Ok(study("isodof", machine, rows, summary))
}

fn measure_rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut add = |title: &str, columns: &[table::Column], part: Vec<Row>| {
        table::print(title, columns, &part);
        rows.extend(part);
    };
    let part = compliance::constraint_rows(&plan.constraints)?;
    add("time of W against constraints", &tables::COMPLIANCE, part);
    let part = compliance::size_rows(&plan.sizes)?;
    add("time of W against size", &tables::COMPLIANCE, part);
    for &(body, steps) in &plan.bodies {
        let moment = Moment::new(body, steps)?;
        let state = moment.simulation.state();
        let part = stages::rows(&moment.case, state, &plan.stages)?;
        let unbuilt = unbuilt::measured_row(&moment, &part, plan.solve)?;
        let title = "milliseconds of the stages of a step, medians";
        add(title, &tables::STAGES, part);
        add("W built or not", &tables::UNBUILT, vec![unbuilt]);
    }
    let part = equality::rows(&plan.equality)?;
    add(
        "forces of the variants against reuse",
        &tables::EQUALITY,
        part,
    );
    let mut part = Vec::new();
    for plan in &plan.scenes {
        eprintln!("scene {}", plan.name);
        part.push(scenes::measured_row(plan).context(plan.name)?);
    }
    if !part.is_empty() {
        add("scenes", &tables::SCENES, part);
    }
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
        let effort = Effort {
            rounds: 3,
            seconds: 0.0,
        };
        let tiny = Body::Block { nodes: 600 };
        let plan = Plan {
            constraints: ConstraintPlan {
                body: tiny,
                steps: 1,
                contacts: vec![10, 30, 1000],
                effort,
            },
            sizes: SizePlan {
                nodes: vec![300, 800],
                contacts: 20,
                effort,
            },
            bodies: vec![(tiny, 4)],
            stages: stages::Plan {
                rounds: 3,
                slow_rounds: 2,
                periods: 2,
                block_jacobi: 2,
            },
            solve: effort,
            equality: equality::Plan {
                body: tiny,
                steps: vec![1, 4],
            },
            scenes: vec![ScenePlan {
                name: "hetero-stacking",
                steps: 12,
                seconds: 3.0,
                compared: 2,
            }],
        };
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part =
            |name: &str| -> Vec<&Value> { rows.iter().filter(|r| r["part"] == name).collect() };
        assert_eq!(part("compliance").len(), (3 + 2) * 4);
        assert_eq!(part("stages").len(), 5 + 4);
        for row in part("stages") {
            let of = |key: &str| row[key].as_f64().unwrap();
            assert!(of("w_seconds_min") < of("step_seconds_min"), "{row}");
            assert!(of("constraints_median") >= 90.0, "{row}");
            if row["variant"] == "reuse" {
                assert!(of("reused_median") > 0.9, "{row}");
            }
        }
        assert_eq!(part("unbuilt").len(), 1);
        assert_eq!(part("equality").len(), 5);
        let scene = part("scene")[0];
        assert!(scene["w_speedup"].as_f64() > Some(0.0), "{scene}");
        let share = scene["w_share"].as_f64().unwrap();
        assert!(share > 0.0 && share < 1.0, "{scene}");
        let summary = &result["summary"];
        for key in [
            "w_speedup_isodof",
            "w_speedup_reuse",
            "step_speedup_vs_dense_sts",
            "step_speedup_vs_direct",
            "w_share",
            "pgs_share",
            "pcg_iterations_median",
            "block_jacobi_iterations_median",
        ] {
            assert!(summary[key].as_f64().unwrap() > 0.0, "{key}: {summary}");
        }
        for key in ["w_growth_exponent", "delay_residual_median"] {
            assert!(summary[key].is_number(), "{key}: {summary}");
        }
        let apart = summary["lambda_max_difference"].as_f64().unwrap();
        assert!(apart < 1e-9, "{summary}");
        let fewer = summary["block_jacobi_iterations_median"].as_f64().unwrap()
            / summary["pcg_iterations_median"].as_f64().unwrap();
        assert!(fewer > 2.0, "{summary}");
        assert_eq!(folder.path().read_dir().unwrap().count(), 3);
    }
}
