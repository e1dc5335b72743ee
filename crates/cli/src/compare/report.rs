//! `report.html` of a comparison: one file that loads nothing. Its numbers are those of `compare.json`.

use super::entrant::Entrant;
use crate::output::settings_text;
use crate::report::{draw, scenery};
use pliant_linalg::Vec3;
use pliant_scene::Scene;
use pliant_scene::picture::field_colours;
use pliant_scene::plot::{Series, line_plot};
use pliant_scene::recording::RecordingHeader;
use pliant_scene::run_report::{ReportTable, RunReport, html};
use pliant_solid::report::Stage;
use serde_json::{Map, Value};

/// The report; `result` is what the command prints.
pub fn page(scene: &Scene, entrants: &[Entrant], result: &Value) -> String {
    let rows: Vec<&Map<String, Value>> = result["rows"].as_array().map_or(Vec::new(), |rows| {
        rows.iter().filter_map(Value::as_object).collect()
    });
    let failed = |e: &Entrant| Some(format!("{}: {}", e.method.name(), e.error.as_ref()?));
    let text = |key: &str| plain(&result[key]);
    let pair = |name: &str, value: String| (name.to_string(), value);
    let mut settings = vec![
        pair("scene", text("scene")),
        pair("time step (s)", text("h")),
        pair("repetitions", text("repeats")),
        pair("version", env!("CARGO_PKG_VERSION").to_string()),
        pair("settings", settings_text(scene)),
    ];
    if let Some(machine) = result["machine"].as_object() {
        let machine = machine.iter();
        settings.extend(machine.map(|(k, v)| pair(&format!("machine: {k}"), plain(v))));
    }
    html(&RunReport {
        title: format!("{}: methods compared", scene.title),
        description: scene.description.clone(),
        method: format!("reference {}", text("reference")),
        facts: vec![
            pair("steps", text("steps")),
            pair("nodes", text("nodes")),
            pair("elements", text("elements")),
            pair("bodies", text("bodies")),
        ],
        health: entrants.iter().filter_map(failed).collect(),
        tables: vec![results(&rows), stages(entrants)],
        pictures: pictures(scene, entrants),
        plots: plots(entrants),
        settings,
        stage_times: Vec::new(),
    })
}

/// A value as `compare.json` has it, without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(v) if number.is_f64() => significant(v),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// Five digits, enough to find a number of the JSON again.
fn significant(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        v if (1e-3..1e5).contains(&v) => {
            let decimals = (4.0 - v.log10().floor()).max(0.0) as usize;
            format!("{value:.decimals$}")
        }
        _ => format!("{value:.4e}"),
    }
}

fn results(rows: &[&Map<String, Value>]) -> ReportTable {
    const COLUMNS: [(&str, &str); 9] = [
        ("method", "method"),
        ("speed-up", "speedup"),
        ("time (s)", "wall_seconds"),
        ("median step (s)", "step_seconds_median"),
        ("unknowns", "mean_active_dofs"),
        ("max error", "max_vertex_error"),
        ("rms error", "rms_vertex_error"),
        ("final error", "final_vertex_error"),
        ("energy drift", "energy_drift"),
    ];
    let cells = |row: &&Map<String, Value>| {
        let cell = |key: &str| plain(row.get(key).unwrap_or(&Value::Null));
        COLUMNS.iter().map(|(_, key)| cell(key)).collect()
    };
    ReportTable {
        title: "Results".into(),
        columns: COLUMNS.iter().map(|(name, _)| name.to_string()).collect(),
        rows: rows.iter().map(cells).collect(),
        note: "Errors are distances of nodes from where the reference has them, as shares of the diagonal of the body's bounding box."
            .into(),
    }
}

/// Seconds in each stage, a column a method; stages that nobody uses are left out.
fn stages(entrants: &[Entrant]) -> ReportTable {
    let of = |e: &Entrant, stage: Stage| e.record.stages.seconds(stage);
    let used = Stage::ALL.into_iter();
    let used = used.filter(|&s| entrants.iter().any(|e| of(e, s) > 0.0));
    let names = entrants.iter().map(|e| format!("{} (s)", e.method.name()));
    let row = |stage: Stage| {
        let cells = entrants.iter().map(|e| significant(of(e, stage)));
        std::iter::once(stage.name().to_string())
            .chain(cells)
            .collect()
    };
    ReportTable {
        title: "Where the time went".into(),
        columns: std::iter::once("stage".to_string()).chain(names).collect(),
        rows: used.map(row).collect(),
        note: "Sums over the steps of the first repetition.".into(),
    }
}

/// Each method at the chosen moments, and how far its nodes are from those of the reference.
fn pictures(scene: &Scene, entrants: &[Entrant]) -> Vec<(String, Vec<u8>)> {
    let header = RecordingHeader::new(scene);
    let [reference, others @ ..] = entrants else {
        return Vec::new();
    };
    let records = entrants.iter().flat_map(|e| &e.record.shapes);
    let shapes: Vec<Vec<Vec3>> = records.map(|(_, x)| x.clone()).collect();
    if shapes.is_empty() {
        return Vec::new();
    }
    let times: Vec<f64> = reference.record.shapes.iter().map(|(t, _)| *t).collect();
    let (camera, style) = scenery(&header, &shapes, &times);
    let diagonal = scene.model.diagonal();
    let mut pictures = Vec::new();
    for (moment, (time, x)) in reference.record.shapes.iter().enumerate() {
        let name = reference.method.name();
        let png = draw(&header, *time, x, None, &camera, &style);
        pictures.push((format!("{name}, t = {time:.3} s"), png));
        for other in others {
            let Some((_, y)) = other.record.shapes.get(moment) else {
                continue;
            };
            let name = other.method.name();
            let png = draw(&header, *time, y, None, &camera, &style);
            pictures.push((format!("{name}, t = {time:.3} s"), png));
            let far: Vec<f64> = x.iter().zip(y).map(|(a, b)| (*a - *b).norm()).collect();
            let most = far.iter().fold(0.0f64, |m, &d| m.max(d));
            let colours = field_colours(&far, 0.0, if most > 0.0 { most } else { 1.0 });
            let png = draw(&header, *time, y, Some(&colours), &camera, &style);
            let share = 100.0 * most / diagonal;
            let scale = format!("0 (dark) to {most:.2e} m (light), {share:.2} % of the scene");
            pictures.push((
                format!("{name}, t = {time:.3} s: distance from the reference, {scale}"),
                png,
            ));
        }
    }
    pictures
}

fn plots(entrants: &[Entrant]) -> Vec<String> {
    let [reference, others @ ..] = entrants else {
        return Vec::new();
    };
    let series = |points: &'_ [Vec<(f64, f64)>], title: &str, unit: &str| {
        let named = others.iter().zip(points);
        let named: Vec<Series> = named
            .map(|(e, points)| Series {
                name: e.method.name(),
                points,
            })
            .collect();
        line_plot(title, "time (s)", unit, &named)
    };
    let errors: Vec<_> = others.iter().map(|e| e.record.errors.clone()).collect();
    let base = &reference.record.seconds;
    let faster = |e: &Entrant| {
        let own = e.record.seconds.iter().zip(base);
        own.map(|((t, own), (_, base))| (*t, base / own)).collect()
    };
    let speedups: Vec<Vec<(f64, f64)>> = others.iter().map(faster).collect();
    let all: Vec<Series> = (entrants.iter())
        .map(|e| Series {
            name: e.method.name(),
            points: &e.record.seconds,
        })
        .collect();
    vec![
        series(
            &speedups,
            "Speed-up so far",
            "times as fast as the reference",
        ),
        series(&errors, "Largest vertex error", "share of the body's size"),
        line_plot(
            "Time of all steps so far",
            "time (s)",
            "time of steps (s)",
            &all,
        ),
    ]
}
