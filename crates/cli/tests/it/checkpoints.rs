//! A resumed run equals the uninterrupted one, byte for byte, also after a kill at any moment.

use crate::common::*;
use pliant_scene::checkpoint::Checkpoint;
use std::path::{Path, PathBuf};
use std::time::Duration;

const RESULTS: [&str; 2] = ["recording.pliant", "series.csv"];

fn assert_same_results(a: &Path, b: &Path) {
    for name in RESULTS {
        assert!(
            same_bytes(&a.join(name), &b.join(name)),
            "{name} of {} and {}",
            a.display(),
            b.display()
        );
    }
}

#[test]
fn resuming_changes_no_byte() {
    for solver in [
        "",
        "integrator = \"bdf2\"",
        "integrator = \"quasi-static\"",
        "linear = \"pcg\"",
        "method = \"isodof\"",
    ] {
        let shell = Shell::new();
        shell.write("small.toml", small_scene(solver));
        shell.json(&[
            "run",
            "small.toml",
            "--out",
            "whole",
            "--checkpoint-every",
            "20",
        ]);
        // from a checkpoint on the way, into another folder
        let middle = "whole/checkpoints/step-00000020.checkpoint";
        shell.json(&[
            "run",
            "small.toml",
            "--out",
            "second",
            "--resume",
            middle,
            "--threads",
            "1",
        ]);
        assert_same_results(&shell.path("whole"), &shell.path("second"));
        // a run that ended early, continued in its own folder; 20 is not a multiple of the frame stride
        shell.json(&[
            "run",
            "small.toml",
            "--steps",
            "20",
            "--out",
            "short",
            "--checkpoint-every",
            "10",
        ]);
        shell.json(&[
            "run",
            "small.toml",
            "--resume",
            "short/checkpoints/step-00000020.checkpoint",
        ]);
        assert_same_results(&shell.path("whole"), &shell.path("short"));
    }
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene(""));
    shell.write("other.toml", small_scene("").replace("50 kPa", "51 kPa"));
    shell.json(&[
        "run",
        "small.toml",
        "--steps",
        "5",
        "--out",
        "out",
        "--checkpoint-every",
        "5",
    ]);
    let saved = "out/checkpoints/step-00000005.checkpoint";
    let before = std::fs::read(shell.path("out/series.csv")).unwrap();
    for arguments in [
        &["run", "other.toml", "--resume", saved][..],
        &["run", "small.toml", "--resume", saved, "--steps", "5"],
        &["run", "small.toml", "--resume", "out/series.csv"],
    ] {
        let output = shell.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(before, std::fs::read(shell.path("out/series.csv")).unwrap());
}

#[test]
fn killing_the_process_leaves_a_good_checkpoint() {
    let shell = Shell::new();
    shell.write("small.toml", small_scene("").replace("200 ms", "2 s"));
    shell.json(&["run", "small.toml", "--out", "whole"]);
    for (index, delay) in [35, 60, 90, 130, 200].into_iter().enumerate() {
        let out = format!("killed-{index}");
        let arguments = [
            "run",
            "small.toml",
            "--out",
            &out,
            "--checkpoint-every",
            "1",
            "--quiet",
        ];
        let mut child = shell.command(&arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let Some(newest) = newest_checkpoint(&shell.path(&out)) else {
            continue;
        };
        let checkpoint = Checkpoint::read(&newest).expect("the newest checkpoint is complete");
        if checkpoint.state.step == 400 {
            continue; // it had finished before the kill
        }
        shell.json(&["run", "small.toml", "--resume", newest.to_str().unwrap()]);
        assert_same_results(&shell.path("whole"), &shell.path(&out));
    }
    assert!(
        (0..5).any(|i| newest_checkpoint(&shell.path(&format!("killed-{i}"))).is_some()),
        "no run got far enough"
    );
}

fn newest_checkpoint(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder.join("checkpoints")).ok()?;
    let paths = entries
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|x| x == "checkpoint"));
    paths.max()
}

#[test]
fn resuming_in_the_middle_of_a_lag_changes_no_byte() {
    let shell = Shell::new();
    let run = |steps: &str, out: &str, more: &[&str]| {
        let run = [
            "run",
            "isodof/hetero-stacking",
            "--steps",
            steps,
            "--out",
            out,
        ];
        shell.json(&[&run[..], more].concat())
    };
    let whole = run("24", "whole", &[]);
    assert!(whole["factors"].as_u64().is_some_and(|n| n > 1), "{whole}");
    assert!(whole["max_contacts"].as_u64().is_some_and(|n| n > 50));
    for from in ["11", "12", "13"] {
        let (first, second) = (format!("to-{from}"), format!("from-{from}"));
        run(from, &first, &["--checkpoint-every", from]);
        let checkpoint = format!("{first}/checkpoints/step-000000{from}.checkpoint");
        let resume = ["--resume", &checkpoint, "--threads", "1"];
        run("24", &second, &resume);
        assert_same_results(&shell.path("whole"), &shell.path(&second));
    }
}
