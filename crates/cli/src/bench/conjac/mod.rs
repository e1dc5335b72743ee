//! `pliant bench conjac`: what condensing inertia onto a few nodes costs and gives [WKS20].
//!
//! Rows carry their `part`: `stages` (Figure 2), `stability` and `smallest-beta` (the smallest stable β), `liveliness`,
//! `equal-liveliness`, `gentle` (a bar that only gravity moves), `adaptivity` (Figure 10), `quiet` (steps while all representatives sleep), `static`, and beyond the paper
//! `corrections`, `nodes`, `placement`, `torsion`, `spin` and `swing`. The quick study replaces the dragon by a bar in all parts but `stages`;
//! `body` tells what was stepped.

mod adaptivity;
mod beside;
mod case;
mod figures;
mod gentle;
mod liveliness;
mod motion;
mod spin;
mod stability;
mod stages;
mod statics;
mod summary;
mod tables;
mod twist;

use super::rows::{Row, draw, median, number, row};
use super::table;
use super::timing::thread_pools;
use super::{Options, machine, study};
use anyhow::Result;
use case::Body;
use figures::Figure;
use serde_json::Value;
use twist::Placement;

/// What is measured.
struct Plan {
    stages: stages::Plan,
    /// The summary is about the first.
    liveliness: Vec<liveliness::Plan>,
    gentle: gentle::Plan,
    adaptivity: adaptivity::Plan,
    statics: statics::Plan,
    twist: twist::Plan,
    spin: spin::Plan,
}

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    measure(options, if options.quick { quick() } else { full() })
}

/// Counts of dynamic nodes of Figure 2.
const COUNTS: [usize; 6] = [0, 2, 4, 6, 8, 10];

/// β with which the paper steps the dragon by `full`: all ways are stable.
const SAFE_BETA: f64 = 3.7;

/// A bar of the size of TWIST that is pulled and let go.
fn pulled_bar(cells: [usize; 3], repeats: usize) -> liveliness::Plan {
    liveliness::Plan {
        body: Body::Bar(cells),
        pull: 1.0,
        variants: vec![(6, 1), (6, 0)],
        largest_beta: 6.0,
        at_a_time: 4,
        shorter: vec![4e-3, 3e-3, 2e-3, 1e-3],
        longer: vec![1e-2],
        repeats,
    }
}

fn quick() -> Plan {
    Plan {
        stages: stages::Plan {
            body: Body::Dragon,
            nodes: COUNTS.into(),
            rounds: 6,
            beta: SAFE_BETA,
        },
        liveliness: vec![pulled_bar([12, 4, 4], 2)],
        gentle: gentle::Plan {
            cells: [10, 3, 3],
            reference_step: 6.25e-4,
        },
        adaptivity: adaptivity::Plan {
            body: Body::Bar([12, 4, 4]),
            nodes: 4,
            thresholds: vec![0.02, 0.10],
            damping: 20.0,
            settling: 200,
            rounds: 60,
        },
        statics: statics::Plan {
            bodies: vec![Body::Coarse("hetero", [5, 5, 15])],
            h: 0.1,
            beta: 1.0,
            most_steps: 400,
        },
        twist: twist::Plan {
            body: Body::Scene("twist"),
            steps: 80,
            corrections: vec![0, 1, 2, 4],
            placements: vec![
                Placement::Axis(1),
                Placement::Axis(4),
                Placement::Slices(2),
                Placement::Slices(4),
            ],
            random_nodes: vec![4],
            seeds: 2,
            torsion_steps: 60,
        },
        spin: spin::Plan {
            cells: [8, 3, 3],
            speeds: vec![10.0, 30.0],
            steps: 200,
            nodes: 4,
            swings: vec![20.0],
        },
    }
}

fn full() -> Plan {
    Plan {
        stages: stages::Plan {
            rounds: 60,
            ..quick().stages
        },
        liveliness: vec![
            liveliness::Plan {
                body: Body::Dragon,
                pull: 1.0,
                variants: vec![(6, 1), (6, 0)],
                largest_beta: 8.0,
                at_a_time: 2,
                shorter: vec![2e-3], // the paper's
                longer: Vec::new(),
                repeats: 1,
            },
            liveliness::Plan {
                body: Body::Dragon,
                pull: 10.0,
                variants: vec![(6, 0)],
                largest_beta: 8.0,
                at_a_time: 2,
                shorter: Vec::new(),
                longer: Vec::new(),
                repeats: 1,
            },
            pulled_bar([20, 6, 6], 4),
        ],
        gentle: quick().gentle,
        adaptivity: adaptivity::Plan {
            body: Body::Scene("armadillo"),
            nodes: 5,
            damping: 0.0,
            settling: 150,
            rounds: 60,
            ..quick().adaptivity
        },
        statics: statics::Plan {
            bodies: vec![
                Body::Scene("hetero"),
                Body::Scene("aniso-helical"),
                Body::Scene("aniso-diagonal"),
                Body::Dragon,
            ],
            ..quick().statics
        },
        twist: twist::Plan {
            steps: 800,
            placements: Placement::ALL.into(),
            random_nodes: vec![4, 8],
            seeds: 5,
            torsion_steps: 200,
            ..quick().twist
        },
        spin: spin::Plan {
            cells: [20, 6, 6],
            speeds: vec![5.0, 10.0, 20.0, 30.0, 60.0],
            swings: vec![10.0, 20.0, 30.0],
            ..quick().spin
        },
    }
}

fn measure(options: &Options, plan: Plan) -> Result<Value> {
    let machine = machine::describe(options);
    let pools = thread_pools(options.threads)?;
    let all = &pools[pools.len() - 1];
    let (rows, mut pictures) = all.install(|| measure_rows(&plan))?;
    if let Some(folder) = &options.out {
        pictures.extend(figures::figures(&rows));
        draw(folder, pictures)?;
    }
    let summary = summary::summarise(&rows);
    Ok(study("conjac", machine, rows, summary))
}

fn measure_rows(plan: &Plan) -> Result<(Vec<Row>, Vec<Figure>)> {
    let (mut rows, mut pictures) = (Vec::new(), Vec::new());
    let mut add = |title: &str, columns: &[table::Column], part: Vec<Row>| {
        if !part.is_empty() {
            table::print(title, columns, &part);
        }
        rows.extend(part);
    };
    let of = |rows: &[Row], part: &str| -> Vec<Row> {
        let own = rows.iter().filter(|row| row["part"] == part);
        own.cloned().collect()
    };

    let part = stages::rows(&plan.stages)?;
    add("Figure 2: stages of a step, medians", &tables::STAGES, part);

    for (place, plan) in plan.liveliness.iter().enumerate() {
        let (part, motions) = liveliness::rows(plan)?;
        for (title, columns, name) in [
            ("runs", &tables::STABILITY[..], "stability"),
            ("smallest stable β", &tables::SMALLEST, "smallest-beta"),
            (
                "motion of conjac over that of full",
                &tables::LIVELINESS,
                "liveliness",
            ),
            (
                "time at equal liveliness",
                &tables::EQUAL,
                "equal-liveliness",
            ),
        ] {
            add(title, columns, of(&part, name));
        }
        if place == 0 && !motions.is_empty() {
            pictures.push(figures::swings(&motions));
        }
    }

    let part = gentle::rows(&plan.gentle)?;
    add("a bar that only gravity moves", &tables::GENTLE, part);

    let part = adaptivity::rows(&plan.adaptivity)?;
    let title = "Figure 10: representatives";
    add(title, &tables::ADAPTIVITY, of(&part, "adaptivity"));
    add("quiet steps", &tables::QUIET, of(&part, "quiet"));

    let part = statics::rows(&plan.statics)?;
    add("shapes at rest against full", &tables::STATICS, part);

    let (part, curves) = twist::rows(&plan.twist)?;
    add("TWIST beside full", &tables::BESIDE, part);
    pictures.push(figures::torsion(&curves));

    let part = spin::rows(&plan.spin)?;
    add("angular momentum of a free bar", &tables::SPIN, part);
    let part = spin::swing_rows(&plan.spin)?;
    add("a bar that is swung by its end", &tables::SWING, part);
    Ok((rows, pictures))
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
        let bar = Body::Bar([8, 2, 2]);
        let quick = quick();
        let plan = Plan {
            stages: stages::Plan {
                body: bar,
                nodes: vec![0, 4, 10],
                rounds: 3,
                ..quick.stages
            },
            liveliness: vec![liveliness::Plan {
                shorter: vec![2.5e-3],
                longer: Vec::new(),
                ..pulled_bar([8, 2, 2], 1)
            }],
            gentle: gentle::Plan {
                cells: [6, 2, 2],
                reference_step: 2.5e-3,
            },
            adaptivity: adaptivity::Plan {
                body: bar,
                rounds: 3,
                ..quick.adaptivity
            },
            statics: statics::Plan {
                bodies: vec![Body::Coarse("hetero", [2, 2, 10])],
                ..quick.statics
            },
            twist: twist::Plan {
                body: Body::Coarse("twist", [20, 2, 2]),
                steps: 10,
                corrections: vec![0, 2],
                placements: vec![Placement::Axis(4), Placement::Slices(4)],
                random_nodes: vec![4],
                seeds: 1,
                torsion_steps: 40,
            },
            spin: spin::Plan {
                cells: [6, 2, 2],
                speeds: vec![30.0],
                steps: 100,
                ..quick.spin
            },
        };
        let result = measure(&options, plan).unwrap();
        let rows = result["rows"].as_array().unwrap();
        let part =
            |name: &str| -> Vec<&Value> { rows.iter().filter(|r| r["part"] == name).collect() };
        let unknowns: Vec<&Value> = part("stages").iter().map(|row| &row["unknowns"]).collect();
        assert_eq!(unknowns, [216, 0, 12, 30]);
        assert_eq!(part("smallest-beta")[0]["method"], "full");
        for row in part("stability") {
            assert_eq!(row["stable"] == true, row["broken"].is_null(), "{row}");
        }
        // two thresholds, four representatives
        assert_eq!(part("adaptivity").len(), 8);
        assert_eq!(part("corrections").len() + part("nodes").len(), 4);
        assert_eq!(part("placement").len() + part("torsion").len(), 4);
        let summary = &result["summary"];
        let of = |key: &str| {
            summary[key]
                .as_f64()
                .unwrap_or_else(|| panic!("{key}: {summary}"))
        };
        for key in [
            "step_ratio_0",
            "step_ratio_4",
            "step_ratio_10_median",
            "quiet_step_ratio",
            "beta_min_full",
            "beta_min_conjac",
            "liveliness_ratio",
            "time_ratio_at_equal_liveliness",
        ] {
            assert!(of(key) > 0.0, "{key}: {summary}");
        }
        assert!(of("static_difference") < 1e-6, "{summary}");
        assert_eq!(summary["static_at_rest"], true, "{summary}");
        assert_eq!(of("quiet_awake"), 0.0);
        assert!(of("activation_latency_max") <= of("activation_window"));
        // what corrections are for
        let left = &summary["corrections_unbalanced"];
        assert!(left["2"].as_f64() < left["0"].as_f64(), "{left}");
        // corners can turn about the axis, nodes on it cannot
        let waves = ["wave_axis", "wave_slices"].map(|key| {
            let own = summary[key].as_object().unwrap().values();
            own.filter_map(Value::as_f64).fold(0.0, f64::max)
        });
        assert!(waves[0] < waves[1], "{summary}");
        let kept = summary["spin_kept_corotate"]["30.0"].as_f64().unwrap();
        assert!((kept - 1.0).abs() < 0.01, "{kept}");
        let of_swing = |key: &str| summary[key]["20.0"].as_f64().unwrap();
        assert!(of_swing("swing_error_corotate") < of_swing("swing_error_plain"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 4);
    }
}
