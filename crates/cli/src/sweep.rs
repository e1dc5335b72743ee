//! `pliant sweep`: many runs of one scene. The Python package does it (docs/decisions/0016): this starts it and hands on what it says.

use crate::args::{Cli, SweepArgs};
use crate::failure::Failure;
use serde_json::Value;
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Names the interpreter where `python3` is not the one with the package.
const VARIABLE: &str = "PLIANT_PYTHON";

/// What to do where the package is missing.
const INSTALL: &str = "install the Python package: `pip install '.[sweep]'` in a checkout (`.[sweep,ray]` for --engine ray), and name its \
                       interpreter with PLIANT_PYTHON if it is not `python3`";

/// Runs the study in Python.
pub fn run(args: &SweepArgs, cli: &Cli) -> Result<Value, Failure> {
    let python = std::env::var_os(VARIABLE).unwrap_or_else(|| OsString::from("python3"));
    check(&python)?;
    let mut command = Command::new(&python);
    command
        .args(["-m", "pliant.sweep", "--json"])
        .arg(&args.study);
    command.args(["--engine", &args.engine]);
    if let Some(address) = &args.address {
        command.args(["--address", address]);
    }
    if let Some(jobs) = args.jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    if let Some(out) = &args.out {
        command.arg("--out").arg(out);
    }
    if cli.quiet {
        command.arg("--quiet");
    }
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| missing(&python, &e.to_string()))?;
    let mut value: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        Failure::simulation(format!(
            "the sweep ended without a result ({})",
            output.status
        ))
        .help("run it again: finished runs are not repeated")
    })?;
    if output.status.success() {
        return Ok(value);
    }
    let error = value.as_object_mut().and_then(|v| v.remove("error"));
    let error = error.unwrap_or_default();
    let text = |key: &str| error[key].as_str().map(str::to_string);
    let message = text("message").unwrap_or_else(|| "the sweep failed".to_string());
    let failure = match output.status.code() {
        Some(2) => Failure::usage(message, text("help")),
        _ => Failure::simulation(message),
    };
    match value.as_object().is_some_and(|v| !v.is_empty()) {
        true => Err(failure.with_result(value)),
        false => Err(failure),
    }
}

/// Whether there is an interpreter with the package.
fn check(python: &OsString) -> Result<(), Failure> {
    let mut command = Command::new(python);
    let probe = command.args(["-c", "import pliant.sweep"]).output();
    let probe = probe.map_err(|e| missing(python, &e.to_string()))?;
    if probe.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&probe.stderr);
    let last = said.lines().last().unwrap_or_default();
    Err(missing(python, last))
}

fn missing(python: &OsString, why: &str) -> Failure {
    let python = python.to_string_lossy();
    let message = format!("sweeps need the Python package, which `{python}` does not have: {why}");
    Failure::usage(message, Some(INSTALL.to_string()))
}
