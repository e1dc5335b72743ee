//! The `pliant` command as a library, for its binary and for the Python package. Parsing and printing live in this crate and
//! nowhere else.

#![recursion_limit = "256"] // the summary is one large json! object

mod args;
mod assets;
mod bench;
mod compare;
mod contacts;
mod export;
mod failure;
mod health;
mod list;
mod measure;
mod mesh;
mod output;
pub mod recorder;
mod report;
mod run;
mod series;
mod stepping;
mod summary;
mod sweep;
mod train;
mod verify;
mod view;

pub use args::threads;
pub use assets::folders as asset_folders;
pub use failure::Failure;
pub use stepping::{find, load_trained, method, start};

use args::{Cli, Command};
use clap::Parser;
use serde_json::Value;
use std::ffi::OsString;
use std::process::ExitCode;

/// The whole command: `arguments` begin with its name. Ends the process on bad usage.
pub fn command(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    end_quietly_when_nobody_listens();
    let cli = Cli::parse_from(arguments); // exits with code 2 on bad usage
    let result = dispatch(&cli);
    match result {
        Ok(value) => {
            // nothing from a command that had to print it before its end
            if cli.json && !value.is_null() {
                println!("{value}");
            }
            ExitCode::SUCCESS
        }
        Err(failure) => {
            failure.print();
            if cli.json {
                println!("{}", failure.to_json());
            }
            failure.exit_code()
        }
    }
}

/// `pliant … | head` closes our output before we are done: that is no failure. Printing panics then, and the hook ends
/// the process without a message.
fn end_quietly_when_nobody_listens() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload().downcast_ref::<String>();
        let text = payload.map_or("", String::as_str);
        if text.starts_with("failed printing to") && text.contains("Broken pipe") {
            std::process::exit(0);
        }
        report(panic);
    }));
}

/// Runs a command; what it returns is printed with `--json`, everything else it has printed itself.
fn dispatch(cli: &Cli) -> Result<Value, Failure> {
    match &cli.command {
        Command::Run(args) => run::run(args, cli),
        Command::Train(args) => train::run(args, cli),
        Command::Compare(args) => compare::run(args, cli),
        Command::View(args) => view::run(args, cli),
        Command::Export(args) => export::run(args, cli),
        Command::Mesh { command } => mesh::run(command, cli),
        Command::Bench(args) => bench_command(args, cli),
        Command::Verify(args) => verify::run(args, cli),
        Command::Sweep(args) => sweep::run(args, cli),
        Command::Scenes => list::scenes(cli),
        Command::Schema => list::schema(cli),
    }
}

fn bench_command(args: &args::BenchArgs, cli: &Cli) -> Result<Value, Failure> {
    let Some(name) = &args.name else {
        return Ok(list::studies());
    };
    let study = bench::find(name).ok_or_else(|| {
        let names: Vec<&str> = bench::STUDIES.iter().map(|s| s.name).collect();
        Failure::usage(
            format!("there is no study `{name}`"),
            Some(format!("the studies are {}", names.join(", "))),
        )
    })?;
    if let Some(part) = (args.only.iter()).find(|part| !study.parts.contains(&part.as_str())) {
        let hint = match study.parts {
            [] => "leave --only out: it has no parts".to_string(),
            parts => format!("its parts are {}", parts.join(", ")),
        };
        let message = format!("the study `{name}` has no part `{part}`");
        return Err(Failure::usage(message, Some(hint)));
    }
    let given = args.out.clone();
    let folder = given.unwrap_or_else(|| output::fresh_folder(&format!("bench-{name}")));
    let options = bench::Options {
        quick: args.quick,
        threads: args::threads(args.threads)?,
        out: Some(folder.clone()),
        only: args.only.clone(),
    };
    // before anything is measured: a study may take long
    std::fs::create_dir_all(&folder)
        .map_err(|e| output::failed("create the folder", &folder, e))?;
    let failed = |error: anyhow::Error| Failure::simulation(format!("{error:#}"));
    let result = (study.run)(&options).map_err(failed)?;
    bench::report::write(&folder, &result, study.description).map_err(failed)?;
    if !cli.quiet {
        eprintln!("results in {}/, report.html among them", folder.display());
    }
    Ok(result)
}
