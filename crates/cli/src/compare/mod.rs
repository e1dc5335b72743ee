//! `pliant compare`: one scene, several methods; what each saves and what that costs in accuracy.

mod energy;
mod entrant;
mod files;
mod record;
mod report;
mod turns;

use crate::args::{self, Cli, CompareArgs};
use crate::assets;
use crate::failure::Failure;
use crate::measure::machine;
use crate::measure::table::{self, Column, plain, scaled};
use crate::output;
use crate::stepping;
use entrant::Entrant;
use files::ErrorFile;
use pliant_scene::Scene;
use pliant_solid::strategy::Method;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Compares. Nothing is written before the scene and the methods have been accepted.
pub fn run(args: &CompareArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.stepping.threads)?;
    if args.repeat == 0 {
        return Err(Failure::usage(
            "--repeat 0 leaves nothing to do",
            Some("use 1 or more".into()),
        ));
    }
    let reference = stepping::method(&args.reference)?;
    let (_, mut scene) = stepping::load(&args.scene, &args.stepping)?;
    let methods = methods(&args.methods, reference, scene.method)?;
    for &method in &methods {
        stepping::load_trained(&mut scene, method)?;
    }
    scene.set_method(reference); // a step that the scene does not name is the reference's, for all
    stepping::set_length(&args.stepping, &mut scene)?;
    stepping::print_notices(&scene, cli);
    let machine = machine::describe(threads);
    let entrants: Vec<Entrant> = methods.into_iter().map(Entrant::new).collect();
    let given = args.out.clone();
    let folder = given.unwrap_or_else(|| output::folder_for(&scene, "compare"));
    let entrants = stepping::on_threads(threads, || repeat(args, cli, &scene, entrants, &folder))?;
    finish(args, cli, &scene, &entrants, machine, &folder)
}

/// The methods to step, the reference first, then those named, or else the scene's own.
fn methods(named: &[String], reference: Method, own: Method) -> Result<Vec<Method>, Failure> {
    let mut methods = vec![reference];
    let mut given: Vec<Method> = Vec::new();
    for name in named {
        let method = stepping::method(name.trim())?;
        if given.contains(&method) {
            return Err(Failure::usage(
                format!("--methods names `{}` twice", method.name()),
                Some("name every method once".into()),
            ));
        }
        given.push(method);
    }
    if named.is_empty() {
        given.push(own);
    }
    methods.extend(given.into_iter().filter(|&m| m != reference));
    if methods.len() > 1 {
        return Ok(methods);
    }
    let reference = reference.name();
    let message = match named {
        [] => format!("the scene's own method is `{reference}`, which is also the reference"),
        _ => format!("--methods names only the reference, `{reference}`"),
    };
    let all = Method::ALL.map(Method::name).join(",");
    Err(Failure::usage(
        message,
        Some(format!("name others to compare with it: --methods {all}")),
    ))
}

/// As often as asked for; errors over time are those of the first repetition.
fn repeat(
    args: &CompareArgs,
    cli: &Cli,
    scene: &Scene,
    mut entrants: Vec<Entrant>,
    folder: &Path,
) -> Result<Vec<Entrant>, Failure> {
    let mut file = Some(ErrorFile::create(folder, &entrants)?);
    let steps = scene.step_count() * entrants.len() as u64 * u64::from(args.repeat);
    let progress = stepping::progress_bar(cli, steps);
    for _ in 0..args.repeat {
        turns::run(scene, &mut entrants, file.as_mut(), &progress)?;
        if let Some(file) = file.take() {
            file.finish()?;
        }
    }
    progress.finish_and_clear();
    Ok(entrants)
}

/// Files, table and result; a failure where a method failed.
fn finish(
    args: &CompareArgs,
    cli: &Cli,
    scene: &Scene,
    entrants: &[Entrant],
    machine: Value,
    folder: &Path,
) -> Result<Value, Failure> {
    let reference = &entrants[0];
    let rows: Vec<_> = entrants.iter().map(|e| e.row(reference)).collect();
    let result = json!({
        "scene": scene.name,
        "title": scene.title,
        "assets": assets::to_json(&scene.assets),
        "bodies": scene.model.bodies.len(),
        "nodes": scene.model.node_count(),
        "elements": scene.model.element_count(),
        "h": scene.settings.h,
        "steps": scene.step_count(),
        "repeats": args.repeat,
        "reference": reference.method.name(),
        "machine": machine,
        "out": folder,
        "rows": rows,
    });
    files::write_result(folder, &result)?;
    files::write_report(folder, &report::page(scene, entrants, &result))?;
    if !cli.quiet {
        print(scene, args, &rows, folder);
    }
    let failed = |e: &Entrant| Some(format!("{}: {}", e.method.name(), e.error.as_ref()?));
    let failed: Vec<String> = entrants.iter().filter_map(failed).collect();
    match failed.is_empty() {
        true => Ok(result),
        false => Err(Failure::simulation(failed.join("; ")).with_result(result)),
    }
}

fn print(scene: &Scene, args: &CompareArgs, rows: &[Map<String, Value>], folder: &Path) {
    let mut columns: Vec<Column> = vec![
        plain("method", "method"),
        plain("speed-up", "speedup"),
        plain("time s", "wall_seconds"),
        scaled("step ms", "step_seconds_median", 1e3),
        plain("unknowns", "mean_active_dofs"),
        scaled("max error %", "max_vertex_error", 1e2),
        scaled("rms %", "rms_vertex_error", 1e2),
        scaled("final %", "final_vertex_error", 1e2),
        scaled("energy drift %", "energy_drift", 1e2),
    ];
    if args.repeat > 1 {
        columns.insert(3, plain("median s", "wall_seconds_median"));
    }
    let title = format!(
        "{} ({}), {} steps of {} ms, errors against {} in % of the bodies' size",
        scene.title,
        scene.name,
        scene.step_count(),
        table::significant(1e3 * scene.settings.h),
        args.reference
    );
    table::print(&title, &columns, rows);
    eprintln!("  results in {}/, report.html among them", folder.display());
}
