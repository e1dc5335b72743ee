//! `pliant verify`: numbers of ours beside those of closed forms and of other people, each with its source.
//!
//! A case computes values by the engine's public interface and knows what they should be; nothing here can change a result. Small sizes by
//! default, under 45 s; `--full` refines meshes further.

mod beam;
mod case;
mod contact;
mod locking;
mod material;
mod motion;
mod order;
mod page;
mod patch;
mod plane;
mod quadratic;
mod setup;
mod sphere;
mod vibration;

use crate::args::{Cli, VerifyArgs};
use crate::failure::Failure;
use crate::measure::table::{self, plain};
use case::{Case, Findings};
use serde_json::{Map, Value, json};
use std::path::Path;

/// All cases; names are families and what is computed in them.
const CASES: &[Case] = &[
    Case::new("material", material::points),
    Case::new("patch", patch::all),
    Case::new("beam", beam::all),
    Case::new("vibration", vibration::all),
    Case::new("membrane", plane::cook),
    Case::new("sphere", sphere::lame),
    Case::new("locking", locking::all),
    Case::new("quadratic", quadratic::all),
    Case::new("motion", motion::all),
    Case::new("contact", contact::all),
    Case::new("order", order::all),
];

/// The command.
pub fn run(args: &VerifyArgs, cli: &Cli) -> Result<Value, Failure> {
    let wanted = args.name.as_deref();
    let cases: Vec<&Case> = CASES
        .iter()
        .filter(|case| wanted.is_none_or(|name| case.family == name))
        .collect();
    if cases.is_empty() {
        let names: Vec<&str> = CASES.iter().map(|case| case.family).collect();
        return Err(Failure::usage(
            format!("there is no verification `{}`", wanted.unwrap_or_default()),
            Some(format!("there are {}", names.join(", "))),
        ));
    }
    let mut all = Findings::default();
    for case in cases {
        if !cli.quiet {
            eprintln!("{} …", case.family);
        }
        let failed =
            |error: anyhow::Error| Failure::simulation(format!("{}: {error:#}", case.family));
        all.take(case.family, (case.run)(args.full).map_err(failed)?);
    }
    let rows: Vec<Map<String, Value>> = all.checks.iter().map(case::Check::row).collect();
    if !cli.json {
        let columns = [
            plain("case", "name"),
            plain("ours", "value"),
            plain("reference", "reference"),
            plain("unit", "unit"),
            plain("tolerance", "tolerance"),
            plain("order", "order"),
            plain("", "verdict"),
            plain("source", "source"),
        ];
        table::print("Verification", &columns, &rows);
    }
    if let Some(folder) = &args.out {
        write_page(folder, &all)?;
    }
    let missed: Vec<&str> = all
        .checks
        .iter()
        .filter(|c| !c.passes())
        .map(|c| &c.name[..])
        .collect();
    let value = json!({
        "cases": rows,
        "passed": all.checks.len() - missed.len(),
        "missed": missed,
    });
    match missed.is_empty() {
        true => Ok(value),
        false => {
            let message = format!(
                "{} of {} cases missed their reference: {}",
                missed.len(),
                all.checks.len(),
                missed.join(", ")
            );
            Err(Failure::simulation(message).with_result(value))
        }
    }
}

fn write_page(folder: &Path, all: &Findings) -> Result<(), Failure> {
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("verification.html"), page::html(all))
    };
    write().map_err(|error| crate::output::failed("write", folder, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number is within its tolerance, has a source, and a name of its own.
    #[test]
    fn all_cases_pass_at_small_size() {
        let mut all = Findings::default();
        for case in CASES {
            all.take(case.family, (case.run)(false).unwrap());
        }
        assert!(all.checks.len() >= 20);
        let mut names: Vec<&str> = all.checks.iter().map(|c| &c.name[..]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.checks.len());
        for check in &all.checks {
            assert!(check.passes(), "{check:?}");
            assert!(!check.source.is_empty());
        }
        let page = page::html(&all);
        assert!(page.contains("elastica") && page.contains("<svg"));
    }
}
