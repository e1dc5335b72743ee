//! `pliant bench contact`: what contact costs and how right it is.
//!
//! Rows carry their `part`: `stages` (time in each stage of a step while much touches), `solver` (the solvers on the same
//! problems), `settle` (a stack of mass ratio 4096 with each solver), `delassus` (ways to build the compliance), and against closed
//! forms `incline`, `rest`, `impact` and `hertz`.

pub(super) mod compliance;
pub mod hertz;
mod impact;
pub mod incline;
pub mod problem;
mod solvers;
mod stages;
mod summary;

use super::table::{self, Column, plain, scaled};
use super::timing::{Effort, thread_pools};
use super::{Options, machine, study};
use anyhow::{Context, Result};
use hertz::HertzPlan;
use pliant_scene::Scene;
use serde_json::{Map, Value};
use solvers::{SettlePlan, SolverPlan};
use stages::StagePlan;

type Row = Map<String, Value>;

/// What is measured.
struct Plan {
    stages: Vec<StagePlan>,
    solvers: Vec<SolverPlan>,
    settle: SettlePlan,
    compliance: compliance::Plan,
    inclines: incline::Plan,
    /// Steps of an impact until rest.
    impact_steps: usize,
    hertz: Vec<HertzPlan>,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    measure(options, if options.quick { quick() } else { full() })
}

fn quick() -> Plan {
    let stages = |scene, steps, seconds| StagePlan {
        scene,
        steps,
        seconds,
    };
    let solvers = |scene, first, stride, problems| SolverPlan {
        scene,
        first,
        stride,
        problems,
    };
    Plan {
        stages: vec![
            stages("stack", 150, 2.5),
            stages("ten-tori", 200, 7.0),
            stages("strike", 300, 1.0),
        ],
        solvers: vec![solvers("stack", 10, 10, 3), solvers("stack-4096", 1, 20, 2)],
        settle: SettlePlan {
            steps: 60,
            seconds: 1.6,
        },
        compliance: compliance::Plan {
            scene: "ten-tori",
            groups: 8,
            effort: Effort {
                rounds: 3,
                seconds: 0.0,
            },
        },
        inclines: incline::Plan {
            settle: 250,
            measured: 50,
        },
        impact_steps: 300,
        hertz: vec![HertzPlan::new(4), HertzPlan::new(6)],
    }
}

fn full() -> Plan {
    let brief = quick();
    let mut stages = brief.stages;
    for (plan, (steps, seconds)) in stages
        .iter_mut()
        .zip([(600, 20.0), (400, 60.0), (600, 20.0)])
    {
        plan.steps = steps;
        plan.seconds = seconds;
    }
    let mut solvers = brief.solvers;
    for plan in &mut solvers {
        plan.problems = 8;
    }
    solvers.push(SolverPlan {
        scene: "ten-tori",
        first: 12,
        stride: 6,
        problems: 2,
    });
    Plan {
        stages,
        solvers,
        settle: SettlePlan {
            steps: 400,
            seconds: 20.0,
        },
        compliance: compliance::Plan {
            scene: "ten-tori",
            groups: 64,
            effort: Effort {
                rounds: 4,
                seconds: 20.0,
            },
        },
        inclines: incline::Plan {
            settle: 400,
            measured: 100,
        },
        impact_steps: 600,
        hertz: vec![
            HertzPlan::new(3),
            HertzPlan::new(4),
            HertzPlan::new(6),
            HertzPlan::new(8),
            HertzPlan::new(6).scaled(0.5),
            HertzPlan::new(6).scaled(2.0),
        ],
    }
}

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let rows = all.install(|| measure_rows(&plan))?;
    let summary = summary::summarise(&rows);
    Ok(study("contact", machine, rows, summary))
}

fn measure_rows(plan: &Plan) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut add = |title: &str, columns: &[Column], part: Vec<Row>| {
        table::print(title, columns, &part);
        rows.extend(part);
    };
    let (mut part, mut reached) = (Vec::new(), None);
    for stages in &plan.stages {
        let (row, simulation) = stages::measured_row(stages).context(stages.scene)?;
        part.push(row);
        if stages.scene == plan.compliance.scene {
            reached = Some(simulation);
        }
    }
    let title = "milliseconds a step while much touches, medians";
    add(title, &STAGES, part);
    if let Some(simulation) = reached {
        let title = "compliance of contacts that push";
        let part = compliance::rows(&plan.compliance, &simulation)?;
        add(title, &DELASSUS, part);
    }
    let mut part = Vec::new();
    for plan in &plan.solvers {
        part.extend(solvers::rows(plan).context(plan.scene)?);
    }
    add("solvers on the same problems", &SOLVERS, part);
    add(
        "a stack of mass ratio 4096",
        &SETTLE,
        solvers::settle_rows(&plan.settle)?,
    );
    add(
        "blocks on an incline of 30°",
        &INCLINE,
        incline::rows(&plan.inclines)?,
    );
    add(
        "rest, and impact at 5 m/s",
        &IMPACT,
        impact::rows(plan.impact_steps)?,
    );
    let part = plan
        .hertz
        .iter()
        .map(hertz::measured_row)
        .collect::<Result<_>>()?;
    add("an elastic ball pressed on a plane", &HERTZ, part);
    Ok(rows)
}

/// A scene of contact by the last part of its name.
fn scene(name: &str) -> Result<Scene> {
    let file = pliant_scene::embedded(&format!("contact/{name}"))?.parse()?;
    Ok(pliant_scene::build(&file, None)?)
}

/// The object as a row.
fn row(facts: Value) -> Row {
    facts.as_object().cloned().unwrap_or_default()
}

const STAGES: [Column; 15] = [
    plain("scene", "scene"),
    plain("nodes", "nodes"),
    plain("steps", "contact_steps"),
    plain("contacts", "contacts_median"),
    plain("constraints", "constraints_median"),
    scaled("detect", "detect_seconds_median", 1e3),
    scaled("jacobian", "jacobian_seconds_median", 1e3),
    scaled("delassus", "delassus_seconds_median", 1e3),
    scaled("solver", "constraints_seconds_median", 1e3),
    scaled("response", "response_seconds_median", 1e3),
    scaled("rest", "rest_seconds_median", 1e3),
    scaled("step", "seconds_median", 1e3),
    scaled("contact %", "contact_share", 1e2),
    plain("iterations", "iterations_median"),
    plain("unconverged", "unconverged_steps"),
];

const SOLVERS: [Column; 10] = [
    plain("scene", "scene"),
    plain("solver", "solver"),
    plain("start", "start"),
    plain("problems", "problems"),
    plain("constraints", "constraints_mean"),
    plain("iterations", "iterations_mean"),
    plain("most", "iterations_max"),
    plain("worst residual", "residual_max"),
    plain("unconverged", "unconverged"),
    scaled("median ms", "seconds_median", 1e3),
];

const SETTLE: [Column; 8] = [
    plain("solver", "solver"),
    plain("steps", "steps"),
    plain("settled", "settled"),
    plain("fastest node m/s", "speed"),
    scaled("top sank mm", "sank", 1e3),
    plain("iterations", "iterations_mean"),
    plain("unconverged", "unconverged_steps"),
    scaled("solver ms a step", "seconds_median", 1e3),
];

const DELASSUS: [Column; 6] = [
    plain("way", "way"),
    plain("contacts", "groups"),
    plain("nodes", "nodes"),
    scaled("min ms", "seconds_min", 1e3),
    scaled("median ms", "seconds_median", 1e3),
    plain("difference", "difference"),
];

const INCLINE: [Column; 8] = [
    plain("size m", "size"),
    plain("friction", "friction"),
    plain("contacts", "contacts"),
    plain("acceleration", "acceleration"),
    plain("theory", "theory"),
    plain("error", "error"),
    plain("drift m/s", "drift"),
    plain("met", "met"),
];

const IMPACT: [Column; 8] = [
    plain("part", "part"),
    plain("case", "case"),
    plain("nodes", "nodes"),
    scaled("deepest % of edge", "deepest_over_edge", 1e2),
    scaled("at rest %", "rest_depth_over_edge", 1e2),
    plain("force error", "force_error"),
    plain("speed m/s", "speed"),
    plain("met", "met"),
];

const HERTZ: [Column; 8] = [
    plain("cells in a", "cells_in_radius"),
    plain("a/R", "radius_ratio"),
    plain("nodes", "nodes"),
    plain("contacts", "contacts"),
    plain("force N", "force"),
    plain("theory N", "theory"),
    scaled("error %", "error", 1e2),
    plain("radius/a", "radius_over_theory"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_study_has_all_parts_and_plausible_numbers() {
        let options = Options {
            quick: true,
            threads: 2,
            out: None,
            only: Vec::new(),
        };
        let stages = |scene, steps| StagePlan {
            scene,
            steps,
            seconds: 2.0,
        };
        let plan = Plan {
            stages: vec![stages("stack", 30), stages("strike", 30)],
            solvers: vec![SolverPlan {
                scene: "stack",
                first: 10,
                stride: 5,
                problems: 1,
            }],
            settle: SettlePlan {
                steps: 5,
                seconds: 1.0,
            },
            compliance: compliance::Plan {
                scene: "stack",
                groups: 4,
                effort: Effort {
                    rounds: 3,
                    seconds: 0.0,
                },
            },
            inclines: incline::Plan {
                settle: 60,
                measured: 20,
            },
            impact_steps: 80,
            hertz: vec![HertzPlan::new(2), HertzPlan::new(4)],
        };
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part =
            |name: &str| -> Vec<&Value> { rows.iter().filter(|r| r["part"] == name).collect() };
        for row in part("stages") {
            let share = row["contact_share"].as_f64().unwrap();
            assert!(share > 0.0 && share < 1.0, "{row}");
            assert!(row["contacts_max"].as_u64() > Some(0), "{row}");
        }
        assert_eq!(part("solver").len(), 2 * 3);
        assert_eq!(part("settle").len(), 3);
        for row in part("delassus") {
            let difference = row.get("difference").and_then(Value::as_f64);
            assert!(difference.is_none_or(|d| d < 1e-9), "{row}");
        }
        let inclines = part("incline");
        assert_eq!(inclines.len(), 9);
        let sliding = inclines.iter().filter(|r| r["friction"] == 0.2);
        assert!(sliding.clone().count() == 3 && sliding.clone().all(|r| r["met"] == true));
        for row in part("impact") {
            assert!(row["deepest_over_edge"].as_f64() < Some(0.1), "{row}");
        }
        let error = |row: &Value| row["error"].as_f64().unwrap().abs();
        let hertz = part("hertz");
        assert!(error(hertz[1]) < error(hertz[0]) && error(hertz[1]) < 0.3);
        let share = &result["summary"]["contact_share"]["stack"];
        assert!(share.as_f64().unwrap() > 0.0);
    }
}
