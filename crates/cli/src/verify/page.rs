//! `verification.html`: all values with their sources, and how errors fall with sizes.

use super::case::{Check, Findings};
use pliant_scene::plot::{Series, line_plot};
use pliant_scene::run_report::{ReportTable, RunReport, html as report_html};

const COLUMNS: [&str; 6] = [
    "case (source)",
    "ours",
    "reference",
    "unit",
    "tolerance",
    "order",
];
const NOTE: &str = "Tolerances are shares of the reference, absolute where that is zero; orders of convergence are those of the finest two sizes or of three meshes.";

pub fn html(all: &Findings) -> String {
    let missed = all.checks.iter().filter(|check| !check.passes());
    let missed: Vec<String> = missed
        .map(|check| format!("{} misses its reference", check.name))
        .collect();
    let mut tables: Vec<ReportTable> = Vec::new();
    for check in &all.checks {
        let (family, name) = check.name.split_once(": ").unwrap_or(("", &check.name));
        if tables.last().is_none_or(|table| table.title != family) {
            tables.push(ReportTable {
                title: family.into(),
                columns: COLUMNS.map(String::from).to_vec(),
                ..ReportTable::default()
            });
        }
        if let Some(table) = tables.last_mut() {
            table.rows.push(row(name, check));
        }
    }
    if let Some(last) = tables.last_mut() {
        last.note = NOTE.into();
    }
    let plots = all.ladders.iter().map(|ladder| {
        let log = |&(size, error): &(f64, f64)| (size.log10(), error.log10());
        let points: Vec<(f64, f64)> = ladder.points.iter().map(log).collect();
        let series = Series {
            name: "error",
            points: &points,
        };
        let x = format!("log₁₀ of {}", ladder.size);
        line_plot(&ladder.title, &x, "log₁₀ of the relative error", &[series])
    });
    report_html(&RunReport {
        title: "Verification".into(),
        description: "Numbers of this engine beside closed forms and published ones.".into(),
        facts: vec![
            ("cases".into(), all.checks.len().to_string()),
            ("missed".into(), missed.len().to_string()),
            ("version".into(), env!("CARGO_PKG_VERSION").into()),
        ],
        health: missed,
        tables,
        plots: plots.collect(),
        ..RunReport::default()
    })
}

fn row(name: &str, check: &Check) -> Vec<String> {
    vec![
        format!("{name} ({})", check.source),
        number(check.value),
        number(check.reference),
        check.unit.into(),
        number(check.tolerance),
        check
            .order
            .map_or(String::new(), |[measured, _]| format!("{measured:.2}")),
    ]
}

fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        v if (1e-3..1e5).contains(&v) => {
            let decimals = (5.0 - v.log10().floor()).clamp(0.0, 8.0) as usize;
            format!("{value:.decimals$}")
        }
        _ => format!("{value:.3e}"),
    }
}
