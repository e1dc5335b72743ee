//! Running the command.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command, in a folder of its own.
pub struct Shell {
    pub folder: tempfile::TempDir,
}

impl Shell {
    pub fn new() -> Shell {
        Shell {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("PLIANT_ASSETS");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs with `--json` and returns the object, after checking that the command succeeded.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.push("--json");
        let output = self.run(&all);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).expect("one JSON object on standard output")
    }

    /// What a successful command prints.
    pub fn output(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The message of a command that is refused for what was asked.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

pub fn same_bytes(a: &Path, b: &Path) -> bool {
    std::fs::read(a).unwrap() == std::fs::read(b).unwrap()
}

/// Scenes that take long, and twins of others: they step a little, under their own method.
pub fn is_large(scene: &str) -> bool {
    let conjac = [
        "conjac/aniso-horizontal",
        "conjac/aniso-vertical",
        "conjac/aniso-diagonal",
        "conjac/dragon",
        "conjac/bunny",
        "conjac/armadillo",
    ];
    let rigidify = [
        "rigidify/wheels-line",
        "rigidify/forest",
        "rigidify/pachinko",
        "rigidify/mattress",
        "rigidify/beam-fine",
        "rigidify/explorer",
    ];
    let isodof = scene.starts_with("isodof/") && scene != "isodof/hetero-stacking";
    isodof || conjac.contains(&scene) || rigidify.contains(&scene)
}

/// Scenes that take minutes even for a step or two of Newton's method; they are built elsewhere.
pub fn is_huge(scene: &str) -> bool {
    scene.starts_with("subspace/") && scene != "subspace/capsule-small"
}

/// A quick scene: a short bar, with whatever is added at the end.
pub fn small_scene(solver: &str) -> String {
    format!(
        r#"
title = "Small"
[time]
step = "5 ms"
duration = "200 ms"
[solver]
{solver}
[record]
every = "15 ms"
[[body]]
name = "bar"
mesh.bar = {{ size = ["20 cm", "5 cm", "5 cm"], cells = [8, 2, 2] }}
[body.material]
model = "stable-neo-hookean"
young = "50 kPa"
poisson = 0.4
density = "1000 kg/m3"
stiffness_damping = "1 ms"
[[drive]]
name = "clamp"
body = "bar"
select.side = "-x"
fix = true
"#
    )
}
