//! The `pliant` command; what it does is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    pliant_cli::command(std::env::args_os())
}
