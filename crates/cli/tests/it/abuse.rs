//! What happens to a run from outside: full disks, folders that cannot be written, Ctrl-C, kill −9. The results so far stay good,
//! and a resumed run ends with the bytes of an uninterrupted one.

use crate::common::*;
use pliant_linalg::random::Random;
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::recording::RecordingReader;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const STEPS: u64 = 60;

/// Long enough to be interrupted: a bar falls on a slope and slides.
fn scene(method: &str) -> String {
    let scene = small_scene(&format!("method = \"{method}\"")).replace("200 ms", "300 ms");
    let (free, _) = scene.split_once("[[drive]]").unwrap();
    format!(
        "{free}[contact]\nfriction = 0.3\n\
         [[obstacle]]\nhalf_space = {{ point = [0, 0, -0.005], normal = [0, 0.05, 1] }}\n"
    )
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.join("checkpoints")) else {
        return Vec::new();
    };
    let paths = entries.map(|e| e.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|p| p.extension().is_some_and(|x| x == "checkpoint"))
        .collect();
    paths.sort();
    paths
}

fn assert_same_results(a: &Path, b: &Path) {
    for name in ["recording.pliant", "series.csv"] {
        assert!(same_bytes(&a.join(name), &b.join(name)), "{name} of {b:?}");
    }
}

/// All checkpoints are whole, and the newest one leads to the same end. None that has begun is allowed to be missing.
fn goes_on(shell: &Shell, scene: &str, out: &str, whole: &str) -> bool {
    let saved = checkpoints(&shell.path(out));
    for path in &saved {
        Checkpoint::read(path).unwrap_or_else(|e| panic!("{e}"));
    }
    let Some(newest) = saved.last() else {
        return false;
    };
    if Checkpoint::read(newest).unwrap().state.step == STEPS {
        return false; // it was too late
    }
    shell.json(&["run", scene, "--resume", newest.to_str().unwrap()]);
    assert_same_results(&shell.path(whole), &shell.path(out));
    true
}

fn start(shell: &Shell, scene: &str, out: &str) -> Child {
    let arguments = [
        "run",
        scene,
        "--out",
        out,
        "--checkpoint-every",
        "1",
        "--quiet",
    ];
    let mut command = shell.command(&arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits until a run has written so many rows of its series, or has ended.
fn wait_for(child: &mut Child, folder: &Path, checkpoint: usize) {
    let name = format!("checkpoints/step-{checkpoint:08}.checkpoint");
    let patience = Instant::now();
    while !folder.join(&name).exists() && child.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(120), "{name}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn seed() -> u64 {
    let given = std::env::var("PLIANT_SEED").ok();
    let seed = given.map_or_else(
        || u64::from(std::process::id()) ^ 0x5eed,
        |n| n.parse().unwrap(),
    );
    println!("PLIANT_SEED={seed} repeats this");
    seed
}

#[test]
fn kills_at_random_times_leave_good_checkpoints() {
    let mut random = Random::new(seed());
    for method in ["full", "early-cg", "isodof", "conjac", "rigidify"] {
        let shell = Shell::new();
        shell.write("scene.toml", scene(method));
        shell.json(&["run", "scene.toml", "--out", "whole"]);
        let mut resumed = 0;
        for round in 0..2 {
            let out = format!("killed-{round}");
            let mut child = start(&shell, "scene.toml", &out);
            let step = 1 + random.below(40);
            wait_for(&mut child, &shell.path(&out), step);
            std::thread::sleep(Duration::from_micros(random.below(4000) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
            resumed += usize::from(goes_on(&shell, "scene.toml", &out, "whole"));
        }
        assert!(resumed > 0, "{method}: no run was killed on its way");
    }
}

#[test]
#[cfg(unix)]
fn interrupted_runs_end_in_order_and_go_on() {
    let shell = Shell::new();
    shell.write("scene.toml", scene("full"));
    shell.json(&["run", "scene.toml", "--out", "whole"]);
    let mut child = start(&shell, "scene.toml", "stopped");
    wait_for(&mut child, &shell.path("stopped"), 10);
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("interrupted after step") && said.contains("--resume"),
        "{said}"
    );
    // what there is can be looked at
    let recording = RecordingReader::open(&shell.path("stopped/recording.pliant")).unwrap();
    assert!(recording.is_complete() && recording.frame_count() > 2);
    assert!(goes_on(&shell, "scene.toml", "stopped", "whole"));
}

/// Runs with a limit to the size of files, blocks of 512 bytes, which writes then meet as they would meet a full disk.
fn limited(shell: &Shell, blocks: u32, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!(
        "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""
    ));
    command.arg(env!("CARGO_BIN_EXE_pliant")).args(arguments);
    command.current_dir(shell.folder.path()).output().unwrap()
}

fn refused_in_words(output: &Output, what: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(
        code == Some(1) || code == Some(2),
        "{code:?} {what:?}: {said}"
    );
    assert!(
        said.contains("error") && !said.contains("panicked"),
        "{what:?}: {said}"
    );
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_reported_and_what_was_saved_stays_good() {
    let shell = Shell::new();
    shell.write("scene.toml", scene("full"));
    shell.json(&["run", "scene.toml", "--out", "whole"]);
    let mut resumed = 0;
    for blocks in [0, 1, 3, 8, 20, 40, 60] {
        let out = format!("full-{blocks}");
        let arguments = [
            "run",
            "scene.toml",
            "--out",
            &out,
            "--checkpoint-every",
            "7",
        ];
        let output = limited(&shell, blocks, &arguments);
        if output.status.success() {
            continue;
        }
        refused_in_words(&output, &arguments);
        resumed += usize::from(goes_on(&shell, "scene.toml", &out, "whole"));
    }
    assert!(resumed > 0, "no limit was met after a checkpoint");
    shell.write("short.toml", small_scene(""));
    let pose = shell.path("whole/recording.pliant");
    let pose = pose.to_str().unwrap();
    let others: [&[&str]; 6] = [
        &["train", "short.toml", "--out", "m.pliant-model"],
        &["export", pose, "--to", "vtu", "--out", "frames"],
        &["export", pose, "--to", "glb", "--out", "a.glb"],
        &[
            "compare",
            "short.toml",
            "--methods",
            "full,early-cg",
            "--steps",
            "3",
            "--out",
            "c",
        ],
        &["mesh", "make", "bar", "bar.msh", "--cells", "9,9,9"],
        &["verify", "patch", "--out", "v"],
    ];
    for arguments in others {
        refused_in_words(&limited(&shell, 0, arguments), arguments);
    }
}

/// Standard output that cannot be written to, as `> file` on a full disk.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_no_panic() {
    let shell = Shell::new();
    for arguments in [&["scenes"][..], &["schema"], &["scenes", "--json"]] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = shell.command(arguments);
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        refused_in_words(&output, arguments);
    }
}

/// Folders without permission to write; for root, who needs none, as somebody else.
#[test]
#[cfg(unix)]
fn folders_that_cannot_be_written_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let shell = Shell::new();
    shell.write("scene.toml", small_scene(""));
    shell.json(&[
        "run",
        "scene.toml",
        "--steps",
        "4",
        "--out",
        "done",
        "--checkpoint-every",
        "2",
    ]);
    shell.write("model.obj", "v 0 0 0\n");
    let allow = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let folders = ["done", "done/checkpoints", ""];
    for folder in folders {
        allow(&shell.path(folder), 0o555);
    }
    let probe = shell.path("probe");
    let is_root = std::fs::write(&probe, "").is_ok();
    let resume = "done/checkpoints/step-00000002.checkpoint";
    let attempts: [&[&str]; 8] = [
        &["run", "scene.toml", "--steps", "4"],
        &["run", "scene.toml", "--steps", "4", "--out", "new"],
        &["run", "scene.toml", "--steps", "4", "--resume", resume],
        &["train", "scene.toml"],
        &[
            "export",
            "done/recording.pliant",
            "--to",
            "vtu",
            "--out",
            "frames",
        ],
        &[
            "compare",
            "scene.toml",
            "--methods",
            "full,early-cg",
            "--steps",
            "2",
        ],
        &["mesh", "make", "bar", "bar.msh", "--cells", "2,2,2"],
        &["verify", "patch", "--out", "v"],
    ];
    for arguments in attempts {
        let mut command = match is_root {
            false => shell.command(arguments),
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
                command.arg(env!("CARGO_BIN_EXE_pliant")).args(arguments);
                command.current_dir(shell.folder.path());
                command
            }
        };
        match command.output() {
            Ok(output) => refused_in_words(&output, arguments),
            Err(error) if is_root => {
                println!("not tried, there is no setpriv here: {error}");
                break;
            }
            Err(error) => panic!("{error}"),
        }
    }
    for folder in folders {
        allow(&shell.path(folder), 0o755);
    }
}

/// More than fits in memory: refused, or at worst a clean end, and at once.
#[test]
#[cfg(unix)]
fn runaway_sizes_are_refused_within_little_memory() {
    let shell = Shell::new();
    let large = small_scene("").replace("[8, 2, 2]", "[4000, 3000, 2000]");
    shell.write("large.toml", large);
    shell.write(
        "none.toml",
        small_scene("").replace("[8, 2, 2]", "[0, 2, 2]"),
    );
    shell.write(
        "long.toml",
        small_scene("")
            .replace("5 ms", "1 ns")
            .replace("200 ms", "10 s"),
    );
    for scene in ["large.toml", "none.toml", "long.toml"] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""]);
        command
            .arg(env!("CARGO_BIN_EXE_pliant"))
            .args(["run", scene]);
        let output = command.current_dir(shell.folder.path()).output().unwrap();
        refused_in_words(&output, &[scene]);
    }
}

/// In the memory of a small machine; half a minute for a step on one thread.
#[test]
#[ignore = "minutes"]
#[cfg(unix)]
fn long_a_bar_of_a_million_elements() {
    let shell = Shell::new();
    let large = small_scene("linear = \"pcg\"").replace("[8, 2, 2]", "[500, 18, 19]");
    shell.write("large.toml", large);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 12000000; exec \"$0\" \"$@\""]);
    command.arg(env!("CARGO_BIN_EXE_pliant"));
    command.args([
        "run",
        "large.toml",
        "--steps",
        "2",
        "--out",
        "out",
        "--json",
    ]);
    let output = command.current_dir(shell.folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["elements"], 1_026_000);
    assert_eq!(result["steps"], 2);
    let moved = result["max_displacement"].as_f64().unwrap();
    assert!(moved > 1e-5 && moved < 1e-2, "{moved}");
}
