//! `pliant mesh check` and `pliant mesh repair`.

use super::args::{CheckArgs, RepairArgs};
use super::{open, save, say_written};
use crate::args::Cli;
use crate::failure::Failure;
use pliant_mesh::inspect::repair::RepairOptions;
use pliant_mesh::inspect::{Check, Finding, Severity, check as check_mesh, repair as repair_mesh};
use serde_json::{Value, json};

/// Ids that are printed of a finding.
const SHOWN: usize = 8;

/// Runs `pliant mesh check`. Findings are no failure of the command.
pub fn check(args: &CheckArgs, cli: &Cli) -> Result<Value, Failure> {
    let (raw, format) = open(&args.source)?;
    let found = check_mesh(&raw, args.source.unit.metres);
    if !cli.json && !cli.quiet {
        print(&found);
    }
    let mut value = to_json(&found);
    value["file"] = json!(args.source.file.display().to_string());
    value["format"] = json!(format.name());
    Ok(value)
}

/// Runs `pliant mesh repair`.
pub fn repair(args: &RepairArgs, cli: &Cli) -> Result<Value, Failure> {
    let (raw, _) = open(&args.source)?;
    let options = RepairOptions {
        join: !args.keep_duplicates,
        relax: !args.keep_elements,
    };
    let repaired = repair_mesh(&raw, options);
    let left = check_mesh(&repaired.mesh, args.source.unit.metres);
    let written = save(repaired.mesh, &args.source.unit, &args.out, &args.target)?;
    if !cli.json && !cli.quiet {
        if repaired.done.is_empty() {
            println!("nothing to mend");
        }
        for sentence in &repaired.done {
            println!("{sentence}");
        }
        say_written(&written, cli);
        println!("what is left:");
        print(&left);
    }
    Ok(json!({ "written": written, "done": repaired.done, "left": to_json(&left) }))
}

fn print(check: &Check) {
    for finding in &check.findings {
        let word = match finding.severity {
            Severity::Blocks => "REFUSED",
            Severity::Warns => "warning",
            Severity::Mended => "mended",
            Severity::Notes => "note",
        };
        println!("{word:<8} {}{}", finding.message, ids(finding));
        println!("         {}", finding.help);
    }
    println!("{}", verdict(check));
}

fn verdict(check: &Check) -> &'static str {
    let worst = check.findings.iter().map(|f| f.severity).min();
    match worst {
        Some(Severity::Blocks) => "a simulation refuses this mesh",
        Some(Severity::Warns) => "a simulation accepts this mesh, with the warnings above",
        _ => "a simulation accepts this mesh",
    }
}

fn ids(finding: &Finding) -> String {
    if finding.ids.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = finding.ids.iter().take(SHOWN).map(u64::to_string).collect();
    let dots = if finding.count > shown.len() {
        ", …"
    } else {
        ""
    };
    format!(" (ids {}{dots})", shown.join(", "))
}

fn to_json(check: &Check) -> Value {
    let finding = |f: &Finding| {
        json!({
            "kind": f.kind.name(),
            "severity": f.severity.name(),
            "blocks": f.severity == Severity::Blocks,
            "count": f.count,
            "ids": f.ids,
            "message": f.message,
            "help": f.help,
        })
    };
    json!({
        "blocks": check.blocks(),
        "verdict": verdict(check),
        "findings": check.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
