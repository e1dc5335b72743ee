//! Pliant's full solver side by side with rapier's finite elements; see README.md.
//!
//! A table goes to standard error, one JSON object to standard output.

mod measure;
mod pliant_bar;
mod quiet;
mod rapier_bar;
mod scenario;

use measure::{CONFIGURATIONS, Configuration, Row, measure, tip_difference};
use scenario::Bar;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::time::Duration;

/// Cells of the two bars: 1225 and 4961 nodes.
const SIZES: [[usize; 3]; 2] = [[24, 6, 6], [40, 10, 10]];

const USAGE: &str = "options: --repeats N (3), --steps N (200), --nodes 1225|4961 (both), --only TEXT (configurations), \
    --patience SECONDS (0; how long a block of steps waits for a quiet machine), \
    --rapier-iterations (only finds how many iterations rapier needs)";

struct Options {
    repeats: usize,
    steps: usize,
    nodes: Option<usize>,
    only: String,
    rapier_iterations: bool,
    patience: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let mut rows = Vec::new();
    let mut summary = Map::new();
    let load_before = load();
    for cells in SIZES {
        let bar = Bar::new(cells)?;
        let nodes = bar.mesh.node_count();
        if options.nodes.is_some_and(|wanted| wanted != nodes) {
            continue;
        }
        if options.rapier_iterations {
            let iterations = measure::rapier_iterations(&bar, options.steps);
            eprintln!("{nodes} nodes: rapier needs at most {iterations} iterations a step");
            continue;
        }
        let chosen: Vec<Configuration> = (CONFIGURATIONS.into_iter())
            .filter(|c| format!("{} {}", c.engine(), c.name()).contains(&options.only))
            .collect();
        let measured = measure(
            &bar,
            &chosen,
            options.steps,
            options.repeats,
            options.patience,
        )?;
        print_table(nodes, &measured);
        rows.extend(measured.iter().map(|row| row_json(nodes, row, &measured)));
        summarise(nodes, &measured, &mut summary);
        if cells == SIZES[0] && options.only.is_empty() {
            compare_linearisations(&bar, &measured, &mut summary)?;
        }
    }
    let machine = json!({
        "cpu": cpu(),
        "threads": std::thread::available_parallelism()?.get(),
        "os": std::env::consts::OS,
        "compiled_for": compiled_for(),
        "load_before": load_before,
        "load_after": load(),
    });
    let study = json!({
        "study": "peers",
        "machine": machine,
        "peer": "rapier3d 0.36.1, features fem and parallel",
        "steps": options.steps,
        "repeats": options.repeats,
        "rows": rows,
        "summary": summary,
    });
    println!("{study:#}");
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        repeats: 3,
        steps: 200,
        nodes: None,
        only: String::new(),
        rapier_iterations: false,
        patience: Duration::ZERO,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or(format!("{argument} needs a value; {USAGE}"))
        };
        match argument.as_str() {
            "--repeats" => options.repeats = value()?.parse()?,
            "--steps" => options.steps = value()?.parse()?,
            "--nodes" => options.nodes = Some(value()?.parse()?),
            "--patience" => options.patience = Duration::from_secs(value()?.parse()?),
            "--only" => options.only = value()?,
            "--rapier-iterations" => options.rapier_iterations = true,
            _ => return Err(format!("unknown option {argument}; {USAGE}").into()),
        }
    }
    Ok(options)
}

fn find(rows: &[Row], configuration: Configuration) -> Option<&Row> {
    rows.iter().find(|row| row.configuration == configuration)
}

/// The configuration whose scheme is rapier's, solved without tolerance.
fn reference(rows: &[Row]) -> Option<&Row> {
    find(
        rows,
        Configuration::Pliant {
            frozen: true,
            direct: true,
        },
    )
}

fn print_table(nodes: usize, rows: &[Row]) {
    eprintln!(
        "\n{nodes} nodes; ms per step; tip against Pliant's direct solve with the frozen tangent"
    );
    eprintln!(
        "{:<9} {:<14} {:>7} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10}  stages (median ms)",
        "engine",
        "configuration",
        "threads",
        "min",
        "median",
        "quiet",
        "others",
        "iterations",
        "tip"
    );
    for row in rows {
        let stages: String = (row.stages.iter())
            .map(|(name, seconds)| format!("{name} {:.2}  ", 1e3 * seconds))
            .collect();
        let tip = reference(rows).map_or(f64::NAN, |other| tip_difference(&row.tip, &other.tip));
        eprintln!(
            "{:<9} {:<14} {:>7} {:>9.3} {:>9.3} {:>9.3} {:>7.2} {:>10} {:>10.1e}  {stages}",
            row.configuration.engine(),
            row.configuration.name(),
            row.threads,
            row.min_ms(),
            row.median_ms(),
            row.quiet_median_ms(),
            row.mean_others().unwrap_or(f64::NAN),
            row.mean_iterations()
                .map_or("-".into(), |n| format!("{n:.1}")),
            tip,
        );
    }
}

fn row_json(nodes: usize, row: &Row, rows: &[Row]) -> Value {
    let stages: Map<String, Value> = (row.stages.iter())
        .map(|&(name, seconds)| (name.to_string(), json!(rounded(1e3 * seconds))))
        .collect();
    let mut value = json!({
        "nodes": nodes,
        "engine": row.configuration.engine(),
        "configuration": row.configuration.name(),
        "threads": row.threads,
        "min_ms": rounded(row.min_ms()),
        "median_ms": rounded(row.median_ms()),
        "quiet_median_ms": rounded(row.quiet_median_ms()),
        "others_share": row.mean_others().map(rounded),
        "tip_difference": reference(rows).map(|other| tip_difference(&row.tip, &other.tip)),
    });
    if let Some(iterations) = row.mean_iterations().filter(|&n| n > 0.0) {
        value["iterations"] = json!(rounded(iterations));
    }
    if !stages.is_empty() {
        value["stage_median_ms"] = Value::Object(stages);
    }
    value
}

/// Speed-ups: the faster of rapier's single-precision rows over the fastest of Pliant's with all threads, among those
/// that compute the same motion.
fn summarise(nodes: usize, rows: &[Row], summary: &mut Map<String, Value>) {
    let all = rows.iter().map(|row| row.threads).max().unwrap_or(1);
    let single = Configuration::Rapier { double: false };
    let pliant = |row: &&Row| {
        let same = matches!(
            row.configuration,
            Configuration::Pliant { frozen: true, .. }
        );
        same && row.threads == all
    };
    let fastest = |which: &dyn Fn(&&Row) -> bool, time: fn(&Row) -> f64| {
        let candidates = rows.iter().filter(|row| which(row));
        candidates.min_by(|a, b| time(a).total_cmp(&time(b)))
    };
    for (suffix, time) in [
        ("", Row::median_ms as fn(&Row) -> f64),
        ("_min", Row::min_ms),
        ("_quiet", Row::quiet_median_ms),
    ] {
        let peer = fastest(&|row| row.configuration == single, time);
        let ours = fastest(&pliant, time);
        let (Some(peer), Some(ours)) = (peer, ours) else {
            return;
        };
        let speedup = time(peer) / time(ours);
        summary.insert(format!("speedup{suffix}_{nodes}"), json!(rounded(speedup)));
        eprintln!(
            "speed-up{suffix}: {speedup:.2} (rapier f32, {} threads, over Pliant {}, {} threads)",
            peer.threads,
            ours.configuration.name(),
            ours.threads
        );
        if suffix.is_empty() {
            let difference = tip_difference(&peer.tip, &ours.tip);
            summary.insert(format!("best_{nodes}"), json!(ours.configuration.name()));
            summary.insert(format!("tip_difference_{nodes}"), json!(difference));
            eprintln!(
                "tips of these two differ by {:.3} % of the peak",
                100.0 * difference
            );
        }
    }
}

/// How far the two linearised forms are from backward Euler solved to the end.
fn compare_linearisations(
    bar: &Bar,
    rows: &[Row],
    summary: &mut Map<String, Value>,
) -> Result<(), Box<dyn Error>> {
    let steps = rows.first().map_or(0, |row| row.tip.len());
    let nonlinear = measure::backward_euler(bar, steps)?;
    for (frozen, name) in [(false, "exact"), (true, "frozen")] {
        let direct = true;
        let Some(row) = find(rows, Configuration::Pliant { frozen, direct }) else {
            continue;
        };
        let difference = tip_difference(&row.tip, &nonlinear);
        summary.insert(format!("tip_from_backward_euler_{name}"), json!(difference));
        eprintln!(
            "{name} tangent: tip {:.2} % of the peak from backward Euler solved by Newton's method",
            100.0 * difference
        );
    }
    Ok(())
}

fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn cpu() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = information
        .lines()
        .find(|line| line.starts_with("model name"));
    let name = name.and_then(|line| line.split(':').nth(1));
    name.map_or_else(|| std::env::consts::ARCH.into(), |name| name.trim().into())
}

/// One-minute load average, where the system has one.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn compiled_for() -> &'static str {
    match () {
        _ if cfg!(target_feature = "avx512f") => "AVX-512",
        _ if cfg!(target_feature = "avx2") => "AVX2",
        _ => "the architecture's baseline",
    }
}
