//! The whole command line, for `python -m pliant`.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command with these arguments, the first of which is its name; the exit code. Ends the process on bad usage.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| pliant_cli::command(arguments));
    // exit codes of Rust cannot be compared with numbers in any other way
    let is = |n: u8| code == std::process::ExitCode::from(n);
    (0..=u8::MAX).find(|&n| is(n)).unwrap_or(1)
}
