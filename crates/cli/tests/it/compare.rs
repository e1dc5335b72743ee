//! `pliant compare`: errors that can be checked by other means, shape of the results, mistakes.

use crate::common::*;
use pliant_scene::recording::RecordingReader;
use serde_json::Value;

fn row<'a>(result: &'a Value, method: &str) -> &'a Value {
    let rows = result["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| row["method"] == method);
    found.unwrap_or_else(|| panic!("no {method} in {result}"))
}

fn number(row: &Value, key: &str) -> f64 {
    row[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

/// Frames at every step, and the given settings of `early-cg`.
fn scene(early_cg: &str) -> String {
    let scene = small_scene("").replace("every = \"15 ms\"", "every = \"5 ms\"");
    scene + "[solver.early_cg]\n" + early_cg
}

#[test]
fn a_method_that_solves_the_same_equations_has_no_error() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    let result = shell.json(&[
        "compare",
        "small.toml",
        "--methods",
        "isodof",
        "--repeat",
        "2",
    ]);
    assert_eq!(result["scene"], "small.toml");
    assert_eq!(result["reference"], "full");
    assert_eq!((number(&result, "h"), &result["steps"]), (5e-3, &40.into()));
    assert!(number(&result["machine"], "cores") >= 1.0);
    // the reference takes part although it is not named, and comes first
    let methods: Vec<&Value> = (result["rows"].as_array().unwrap().iter())
        .map(|row| &row["method"])
        .collect();
    assert_eq!(methods, ["full", "isodof"]);
    for method in ["full", "isodof"] {
        let row = row(&result, method);
        assert_eq!((&row["failed"], &row["steps"]), (&false.into(), &40.into()));
        assert!(row["error"].is_null());
        let (least, median) = (
            number(row, "wall_seconds"),
            number(row, "wall_seconds_median"),
        );
        assert!(0.0 < least && least <= median, "{row}");
        assert!(number(row, "step_seconds_median") < least);
        // 9 × 3 × 3 nodes, those of one end held
        assert_eq!(number(row, "mean_active_dofs"), 216.0);
        let drift = number(row, "energy_drift");
        assert!((1e-4..1.0).contains(&drift), "{row}"); // Euler's method dissipates
    }
    let (full, isodof) = (row(&result, "full"), row(&result, "isodof"));
    let ratio = number(full, "wall_seconds") / number(isodof, "wall_seconds");
    assert!((number(isodof, "speedup") / ratio - 1.0).abs() < 1e-12);
    assert_eq!(number(full, "speedup"), 1.0);
    for key in ["max_vertex_error", "rms_vertex_error", "final_vertex_error"] {
        assert_eq!(number(full, key), 0.0);
        // conjugate gradients to 1e-5
        assert!((1e-16..1e-5).contains(&number(isodof, key)), "{isodof}");
    }
}

#[test]
fn errors_are_those_between_the_recordings_of_two_runs() {
    let shell = Shell::new();
    shell.write("small.toml", scene("budget = 6\nfresh_factor = 1\n"));
    let recording = |method: &str| {
        shell.json(&["run", "small.toml", "--method", method, "--out", method]);
        let mut reader =
            RecordingReader::open(&shell.path(method).join("recording.pliant")).unwrap();
        let frames = 1..reader.frame_count();
        let frames = frames.map(|k| reader.frame(k).unwrap().displacements);
        frames.collect::<Vec<_>>()
    };
    let pairs: Vec<_> = recording("full")
        .into_iter()
        .zip(recording("early-cg"))
        .collect();
    assert_eq!(pairs.len(), 40);
    let diagonal = (0.2_f64.powi(2) + 2.0 * 0.05_f64.powi(2)).sqrt();
    let distances = |(a, b): &(Vec<[f32; 3]>, Vec<[f32; 3]>)| -> Vec<f64> {
        let squared = |(a, b): (&[f32; 3], &[f32; 3])| -> f64 {
            (0..3).map(|k| f64::from(a[k] - b[k]).powi(2)).sum()
        };
        a.iter()
            .zip(b)
            .map(|pair| squared(pair).sqrt() / diagonal)
            .collect()
    };
    let largest = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    let frames: Vec<Vec<f64>> = pairs.iter().map(distances).collect();
    let all = frames.concat();
    let mean_square = all.iter().map(|d| d * d).sum::<f64>() / all.len() as f64;

    let result = shell.json(&[
        "compare",
        "small.toml",
        "--methods",
        "early-cg,full",
        "--out",
        "both",
    ]);
    let early = row(&result, "early-cg");
    for (key, expected) in [
        ("max_vertex_error", largest(&all)),
        ("rms_vertex_error", mean_square.sqrt()),
        ("final_vertex_error", largest(&frames[39])),
    ] {
        let found = number(early, key);
        assert!((1e-4..0.1).contains(&found), "{early}");
        // recordings have single precision
        assert!((found - expected).abs() < 1e-6, "{key} {found} {expected}");
    }

    // the folder: the same object, and the errors over time
    let stored = std::fs::read(shell.path("both/compare.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&stored).unwrap(), result);
    let table = std::fs::read_to_string(shell.path("both/errors.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (41, "time,early-cg"));
    for (k, (line, frame)) in lines[1..].iter().zip(&frames).enumerate() {
        let (time, error) = line.split_once(',').unwrap();
        assert!((time.parse::<f64>().unwrap() - 5e-3 * (k + 1) as f64).abs() < 1e-12);
        assert!((error.parse::<f64>().unwrap() - largest(frame)).abs() < 1e-6);
    }

    // a larger budget makes it smaller
    shell.write("small.toml", scene("budget = 20\nfresh_factor = 1\n"));
    let better = shell.json(&["compare", "small.toml", "--methods", "early-cg"]);
    let better = number(row(&better, "early-cg"), "max_vertex_error");
    assert!(better < 0.3 * number(early, "max_vertex_error"));
}

#[test]
fn threads_and_company_change_no_error() {
    let shell = Shell::new();
    shell.write("small.toml", scene("budget = 3\n"));
    let errors = |more: &[&str]| {
        let all = [&["compare", "small.toml", "--steps", "35"], more].concat();
        let result = shell.json(&all);
        let early = row(&result, "early-cg");
        ["max_vertex_error", "rms_vertex_error", "energy_drift"].map(|key| number(early, key))
    };
    let alone = errors(&["--methods", "full,early-cg", "--threads", "1"]);
    // beside a method that works in the background turns are longer: more than one of them here
    let beside = errors(&["--methods", "isodof,early-cg", "--threads", "2"]);
    assert_eq!(alone, beside);
}

#[test]
fn all_methods_take_the_step_of_the_scene_or_else_of_the_reference() {
    let shell = Shell::new();
    let steps = |more: &[&str]| {
        let result = shell.json(&[&["compare", "small.toml"], more].concat());
        let methods = result["rows"].as_array().unwrap().len();
        assert_eq!(methods, 2);
        (number(&result, "h"), result["steps"].as_u64().unwrap())
    };
    let named = small_scene("method = \"early-cg\"");
    let unnamed = named.replace("step = \"5 ms\"\n", "");
    assert_ne!(unnamed, named);
    shell.write("small.toml", &unnamed);
    assert_eq!(steps(&[]), (5e-3, 40));
    assert_eq!(steps(&["--duration", "50 ms"]), (5e-3, 10));
    let of_early_cg = ["--reference", "early-cg", "--methods", "full"];
    assert_eq!(steps(&of_early_cg), (1.0 / 150.0, 30));
    shell.write("small.toml", named.replace("5 ms", "4 ms"));
    assert_eq!(steps(&[]), (4e-3, 50));
    assert_eq!(steps(&of_early_cg), (4e-3, 50));
}

#[test]
fn a_method_that_fails_has_its_row_and_the_others_go_on() {
    let shell = Shell::new();
    // one iteration from a guess that the forces have already moved: it explodes
    let unstable = scene("budget = 1\nfresh_factor = 1\nguess = \"velocity+force\"\n");
    let unstable = unstable.replace("young = \"50 kPa\"", "young = \"50 MPa\"");
    shell.write("small.toml", unstable);
    let arguments = [
        "compare",
        "small.toml",
        "--methods",
        "early-cg,isodof",
        "--repeat",
        "2",
        "--out",
        "out",
        "--json",
    ];
    let output = shell.run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("error: early-cg: step "), "{told}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = result["error"]["message"].as_str().unwrap();
    assert!(message.contains("early-cg: step "), "{message}");

    let early = row(&result, "early-cg");
    let taken = early["steps"].as_u64().unwrap();
    assert!((1..40).contains(&taken), "{early}");
    assert_eq!(early["failed"], true);
    let own = early["error"].as_str().unwrap();
    assert!(own.contains(&format!("step {}", taken + 1)), "{own}");
    assert!(early["speedup"].is_null() && early["final_vertex_error"].is_null());
    assert!(number(early, "max_vertex_error") > 1e-3);
    for method in ["full", "isodof"] {
        let row = row(&result, method);
        assert_eq!((&row["failed"], &row["steps"]), (&false.into(), &40.into()));
        assert!(row["speedup"].is_number() && number(row, "max_vertex_error") < 1e-4);
    }
    let table = std::fs::read_to_string(shell.path("out/errors.csv")).unwrap();
    let empty = table.lines().filter(|line| line.contains(",,")).count() as u64;
    assert_eq!((table.lines().count(), empty), (41, 40 - taken));

    // without a reference there is nothing to compare with
    let output = shell.run(&[&arguments[..], &["--reference", "early-cg"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let isodof = row(&result, "isodof");
    assert_eq!(
        (&isodof["failed"], &isodof["steps"]),
        (&false.into(), &40.into())
    );
    assert!(isodof["speedup"].is_null() && isodof["final_vertex_error"].is_null());
    let table = std::fs::read_to_string(shell.path("out/errors.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, taken + 1);
}

#[test]
fn the_table_is_on_standard_error() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    let arguments = [
        "compare",
        "small.toml",
        "--methods",
        "early-cg",
        "--steps",
        "2",
    ];
    let output = shell.run(&arguments);
    assert!(output.status.success() && output.stdout.is_empty());
    let table = String::from_utf8(output.stderr).unwrap();
    for part in ["2 steps of 5.00 ms", "speed-up", "\n  full", "\n  early-cg"] {
        assert!(table.contains(part), "`{part}` is not in: {table}");
    }
    let quiet = shell.run(&[&arguments[..], &["--quiet"]].concat());
    assert!(quiet.status.success() && quiet.stdout.is_empty() && quiet.stderr.is_empty());
    // each has a folder of its own
    assert_eq!(shell.files(), ["runs", "small.toml"]);
    for folder in ["runs/small-compare", "runs/small-compare-2"] {
        for file in ["compare.json", "errors.csv", "report.html"] {
            assert!(shell.path(folder).join(file).is_file(), "{folder}/{file}");
        }
    }
}

#[test]
fn mistakes_are_refused() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["`full`", "--methods full,"]),
        (&["--methods", "full"], &["only the reference", "early-cg"]),
        (
            &["--methods", "full,ealry-cg"],
            &["`ealry-cg`", "did you mean `early-cg`?"],
        ),
        (&["--methods", "full,"], &["no method ``", "known are"]),
        (&["--methods", "isodof,isodof"], &["`isodof` twice"]),
        (
            &["--methods", "isodof", "--reference", "ful"],
            &["did you mean `full`?"],
        ),
        (&["--methods", "isodof", "--repeat", "0"], &["--repeat 0"]),
        (&["--methods", "isodof", "--steps", "0"], &["at least one"]),
        (&["--methods", "isodof", "--threads", "0"], &["--threads 0"]),
        (
            &["--methods", "isodof", "--assets", "gone"],
            &["no such folder"],
        ),
        (
            &[
                "--methods",
                "isodof",
                "--steps",
                "1",
                "--out",
                "/proc/nowhere",
            ],
            &["/proc/nowhere", "--out"],
        ),
    ];
    for (arguments, expected) in cases {
        let message = shell.refused(&[&["compare", "small.toml"], *arguments].concat());
        for part in *expected {
            assert!(
                message.contains(part),
                "{arguments:?}: `{part}` is not in: {message}"
            );
        }
    }
    assert!(shell.refused(&["compare"]).contains("SCENE"));
    assert!(shell.refused(&["compare", "demmo"]).contains("demo"));
    assert_eq!(shell.files(), ["small.toml"]);
}

/// One file that opens without a network, with the numbers of the JSON.
#[test]
fn the_report_has_the_numbers_of_the_json() {
    let shell = Shell::new();
    let result = shell.json(&[
        "compare",
        "cantilever",
        "--methods",
        "full,early-cg",
        "--steps",
        "12",
    ]);
    let folder = result["out"].as_str().unwrap();
    let page = std::fs::read_to_string(shell.path(folder).join("report.html")).unwrap();
    let local = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!local.contains("http:") && !local.contains("https:"));
    assert!(page.contains("default-src 'none'"));
    // pictures of three moments: of both methods and of the error
    assert_eq!(page.matches("data:image/png;base64,").count(), 9);
    assert_eq!(page.matches("<svg").count(), 3);
    for row in result["rows"].as_array().unwrap() {
        for key in ["speedup", "wall_seconds", "max_vertex_error"] {
            let Some(value) = row[key].as_f64().filter(|v| *v != 0.0) else {
                continue;
            };
            let digits = if (1e-3..1e5).contains(&value) {
                let decimals = (4.0 - value.log10().floor()).max(0.0) as usize;
                format!("{value:.decimals$}")
            } else {
                format!("{value:.4e}")
            };
            assert!(page.contains(&digits), "{key}: {digits}");
        }
    }
}
