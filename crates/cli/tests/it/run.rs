//! What a run leaves behind, and that it repeats.

use crate::common::*;
use serde_json::Value;

#[test]
fn every_scene_runs_under_every_method() {
    let shell = Shell::new();
    let scenes = shell.json(&["scenes"]);
    let names: Vec<String> = scenes["scenes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap().to_string())
        .collect();
    assert!(names.len() >= 6);
    for name in names.iter().filter(|name| !is_huge(name)) {
        let own = pliant_scene::embedded(name).unwrap().parse().unwrap();
        let own = own.table.solver.method.unwrap_or("full".into());
        let all = pliant_solid::strategy::Method::ALL.into_iter();
        for method in all.filter(|m| !m.needs_training()) {
            if is_large(name) && method.name() != own {
                continue; // seconds a step
            }
            if name.starts_with("subspace/") && method.name() != own {
                continue; // quasi-static by Newton's method, which most refuse
            }
            let result = shell.json(&["run", name, "--steps", "3", "--method", method.name()]);
            assert_eq!(result["steps"], 3, "{name}");
            assert_eq!(result["method"], method.name());
            for value in result["energies"].as_object().unwrap().values() {
                assert!(
                    value.as_f64().is_some_and(f64::is_finite),
                    "{name} {result}"
                );
            }
            if method == pliant_solid::strategy::Method::EarlyCg {
                // it stops before a tolerance by intention, and says what that gave up; rigid scenes have nothing to solve
                let stopped = if result["active_dofs"] == 0 { 0 } else { 3 };
                assert_eq!(result["unconverged_solves"], stopped, "{name}");
                let left = result["max_solver_energy_left"].as_f64();
                assert!(left.is_some_and(f64::is_finite), "{name} {result}");
                continue;
            }
            let tolerance = match method {
                pliant_solid::strategy::Method::Isodof => 1.001e-5, // that of its conjugate gradients
                _ if name.starts_with("subspace/") => 1e-4, // what the scene asks of Newton's method
                _ => 1e-6,
            };
            assert!(
                result["worst_residual"].as_f64().unwrap() < tolerance,
                "{name} {result}"
            );
            assert_eq!(result["unconverged_solves"], 0, "{name}");
        }
    }
}

#[test]
fn the_paper_s_bars_have_the_paper_s_counts() {
    let shell = Shell::new();
    for (name, nodes, elements) in [
        ("conjac/twist", 1029, 4320),
        ("conjac/hetero", 5915, 29376),
        ("conjac/aniso-helical", 6591, 32832),
        // with the twins of two cuts
        ("conjac/barcut", 6050 + 2 * 121, 29400),
    ] {
        let result = shell.json(&["run", name, "--steps", "1"]);
        assert_eq!(
            (&result["nodes"], &result["elements"]),
            (&Value::from(nodes), &Value::from(elements))
        );
    }
}

#[test]
fn a_run_leaves_recording_series_summary_and_report() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    let result = shell.json(&["run", "small.toml", "--out", "results"]);
    for name in [
        "recording.pliant",
        "series.csv",
        "timings.csv",
        "summary.json",
        "report.html",
        "scene.toml",
    ] {
        let size = std::fs::metadata(shell.path("results").join(name))
            .unwrap()
            .len();
        assert!(size > 100, "{name}");
    }
    let summary: Value =
        serde_json::from_slice(&std::fs::read(shell.path("results/summary.json")).unwrap())
            .unwrap();
    assert_eq!(summary, result);

    let series = std::fs::read_to_string(shell.path("results/series.csv")).unwrap();
    let rows: Vec<&str> = series.lines().collect();
    assert_eq!(rows.len(), 41);
    let columns: Vec<&str> = rows[0].split(',').collect();
    assert!(
        rows[1..]
            .iter()
            .all(|r| r.split(',').count() == columns.len())
    );
    let column = |name: &str| columns.iter().position(|c| *c == name).unwrap();
    let last: Vec<f64> = rows[40].split(',').map(|v| v.parse().unwrap()).collect();
    assert_eq!(
        last[column("kinetic_energy")],
        result["energies"]["kinetic"].as_f64().unwrap()
    );
    assert_eq!(
        last[column("reaction clamp z")],
        result["reactions"]["clamp"][2].as_f64().unwrap()
    );

    let mut recording =
        pliant_scene::recording::RecordingReader::open(&shell.path("results/recording.pliant"))
            .unwrap();
    assert!(recording.is_complete());
    // 40 steps, a frame every 3, the start and the end
    assert_eq!(recording.frame_count(), 15);
    let frame = recording.frame(14).unwrap();
    assert_eq!(frame.step, 40);
    assert!(frame.displacements.iter().any(|d| d[2] < -0.01));

    // without --out a second run does not touch the first
    shell.json(&["run", "small.toml"]);
    shell.json(&["run", "small.toml"]);
    assert!(shell.path("runs/small-full").exists() && shell.path("runs/small-full-2").exists());
}

#[test]
fn threads_change_no_byte() {
    let shell = Shell::new();
    for solver in ["", "linear = \"pcg\"", "integrator = \"bdf2\""] {
        shell.write("small.toml", small_scene(solver));
        for threads in ["1", "2", "3"] {
            shell.json(&["run", "small.toml", "--threads", threads, "--out", threads]);
            for name in ["recording.pliant", "series.csv"] {
                assert!(
                    same_bytes(&shell.path("1").join(name), &shell.path(threads).join(name)),
                    "{solver} {threads}"
                );
            }
        }
    }
}

#[test]
fn json_is_the_only_thing_on_standard_output() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    for arguments in [
        &["run", "small.toml", "--steps", "2"][..],
        &["scenes"],
        &["schema"],
        &["bench", "--list"],
    ] {
        assert!(shell.json(arguments).is_object());
    }
    let quiet = shell.run(&["run", "small.toml", "--steps", "2", "--quiet"]);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    let schema = shell.json(&["schema"]);
    assert!(schema["properties"]["body"].is_object(), "{schema}");
}
