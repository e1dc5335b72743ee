//! Exports from the outside; the files themselves are checked by other programs in `tests/readers`.

use crate::common::*;
use serde_json::Value;

fn run_small(shell: &Shell) {
    shell.write("small.toml", small_scene(""));
    shell.json(&["run", "small.toml", "--steps", "12", "--out", "results"]);
}

#[test]
fn every_format_says_what_it_wrote() {
    let shell = Shell::new();
    run_small(&shell);
    for (format, files) in [
        ("vtu", 6),
        ("usd", 1),
        ("gltf", 2),
        ("glb", 1),
        ("pc2", 2),
        ("mdd", 2),
        ("obj", 5),
        ("csv", 1),
    ] {
        // the folder of a run stands for its recording
        let result = shell.json(&["export", "results", "--to", format]);
        assert_eq!(result["frames"], 5, "{format}");
        assert_eq!(result["complete"], true);
        let paths = result["files"].as_array().unwrap();
        assert_eq!(paths.len(), files, "{format}");
        let size = |p: &Value| {
            std::fs::metadata(shell.path(p.as_str().unwrap()))
                .unwrap()
                .len()
        };
        assert_eq!(
            result["bytes"],
            paths.iter().map(size).sum::<u64>(),
            "{format}"
        );

        let again = shell.run(&["export", "results", "--to", format]);
        let message = String::from_utf8_lossy(&again.stderr);
        assert_eq!(again.status.code(), Some(2), "{message}");
        assert!(message.contains("--force"), "{message}");
        shell.json(&["export", "results", "--to", format, "--force"]);
    }
}

#[test]
fn wrong_requests_are_explained_and_write_nothing() {
    let shell = Shell::new();
    run_small(&shell);
    shell.write("small.obj", "v 0 0 0\n");
    let before = shell.files();
    let cases: &[(&[&str], &str)] = &[
        (&["results", "--to", "ply"], "`vtu`"),
        (&["results", "--to", "usda"], "did you mean `usd`"),
        (&["small.obj", "--to", "usd"], "not a Pliant recording"),
        (&["nowhere", "--to", "usd"], "nowhere"),
        (&[".", "--to", "usd"], "recording.pliant"),
        (
            &["results", "--to", "usd", "--frames", "2..99"],
            "frames 0 to 4",
        ),
        (&["results", "--to", "usd", "--frames", "two"], "A..B"),
        (&["results", "--to", "usd", "--every", "0"], "1 or more"),
        (
            &["results", "--to", "usd", "--body", "bra"],
            "did you mean `bar`",
        ),
        (&["results", "--to", "usd", "--compress"], "vtu"),
        (&["results", "--to", "vtu", "--up", "y"], "usd, obj"),
        (&["results", "--to", "usd", "--up", "q"], "`z`"),
        (&["results", "--to", "usd", "--out", "x.glb"], ".usda"),
        (
            &["results", "--to", "csv", "--nodes", "5000"],
            "within their body",
        ),
        (&["results", "--to", "vtu", "--encoding", "xml"], "base64"),
        (
            &["results", "--to", "usd", "--out", "/proc/nowhere/x.usda"],
            "/proc/nowhere",
        ),
    ];
    for (arguments, expected) in cases {
        let output = shell.run(&[&["export"], *arguments].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert_eq!(shell.files(), before, "{arguments:?}");
    }
}

#[test]
fn an_unfinished_recording_exports_its_whole_frames() {
    let shell = Shell::new();
    run_small(&shell);
    let bytes = std::fs::read(shell.path("results/recording.pliant")).unwrap();
    shell.write("cut.pliant", &bytes[..bytes.len() - 700]);
    let output = shell.run(&["export", "cut.pliant", "--to", "csv", "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["complete"], false);
    let frames = result["frames"].as_u64().unwrap();
    assert!((1..5).contains(&frames), "{frames}");
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(
        note.contains(&format!("holds {frames} whole frames")),
        "{note}"
    );
    let table = std::fs::read_to_string(shell.path("cut.csv")).unwrap();
    assert_eq!(table.lines().count() as u64, 1 + frames);
}
