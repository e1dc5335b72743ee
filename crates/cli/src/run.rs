//! `pliant run`: load, step, record, report.

use crate::args::{self, Cli, RunArgs};
use crate::assets;
use crate::failure::Failure;
use crate::output::{Output, settings_text};
use crate::summary::Summary;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::{EMBEDDED, Scene, SceneFile, Sources, build_from, embedded, parse};
use pliant_solid::Simulation;
use pliant_solid::strategy::Method;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Runs a scene. Nothing is written before the scene, its model and the checkpoint have been accepted.
pub fn run(args: &RunArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.threads)?;
    let (file, mut scene) = load(
        args.scene.as_deref().unwrap_or("demo"),
        assets::folders(args.assets.as_deref())?,
    )?;
    override_scene(args, &mut scene)?;
    let checkpoint = args
        .resume
        .as_deref()
        .map(|path| read_checkpoint(path, &scene))
        .transpose()?;
    if !cli.quiet {
        for notice in &scene.notices {
            eprintln!("note: {notice}");
        }
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| Failure::usage(format!("cannot start {threads} threads: {e}"), None))?;
    // the whole run lives in the pool, so that no step pays for entering it
    pool.install(|| simulate(args, cli, &file, &scene, checkpoint, threads))
}

/// A scene by built-in name or by path.
fn load(name: &str, assets: Vec<PathBuf>) -> Result<(SceneFile, Scene), Failure> {
    let path = Path::new(name);
    let is_embedded = EMBEDDED.iter().any(|s| s.name == name);
    let looks_like_file = path.extension().is_some_and(|e| e == "toml") || path.exists();
    let (text, base) = if !is_embedded && looks_like_file {
        let text = fs::read_to_string(path).map_err(|e| {
            Failure::usage(format!("cannot read the scene `{name}`: {e}"), None)
                .help("give the path of a scene file, or a name that `pliant scenes` lists")
        })?;
        (
            text,
            Some(path.parent().unwrap_or(Path::new("")).to_path_buf()),
        )
    } else {
        let scene = embedded(name).map_err(|e| Failure::scene(e, String::new()))?;
        (scene.text.to_string(), None)
    };
    let file = parse(&text, name).map_err(|e| Failure::scene(e, text.clone()))?;
    let sources = Sources { base, assets };
    let scene = build_from(&file, &sources).map_err(|e| Failure::scene(e, text.clone()))?;
    Ok((file, scene))
}

/// Applies the command line to the scene.
fn override_scene(args: &RunArgs, scene: &mut Scene) -> Result<(), Failure> {
    if let Some(method) = &args.method {
        let names: Vec<&str> = Method::ALL.iter().map(|m| m.name()).collect();
        let method = Method::from_name(method).ok_or_else(|| {
            Failure::usage(format!("there is no method `{method}`"), None)
                .help(format!("the methods are: {}", names.join(", ")))
        })?;
        scene.set_method(method);
    }
    if let Some(text) = &args.duration {
        let duration: pliant_scene::units::Time = text
            .parse()
            .map_err(|e| Failure::usage(format!("--duration: {e}"), None))?;
        if duration.si < scene.settings.h {
            return Err(Failure::usage(
                format!(
                    "--duration {text} is shorter than one step of {} s",
                    scene.settings.h
                ),
                None,
            ));
        }
        scene.duration = duration.si;
    }
    match args.steps {
        Some(0) => {
            return Err(Failure::usage(
                "--steps 0 leaves nothing to do",
                Some("take at least one step".into()),
            ));
        }
        Some(steps) => scene.duration = steps as f64 * scene.settings.h,
        None => {}
    }
    if args.checkpoint_every == Some(0) {
        return Err(Failure::usage(
            "--checkpoint-every 0 is not possible",
            Some("use 1 or more steps".into()),
        ));
    }
    Ok(())
}

/// A checkpoint that belongs to this scene, method and settings.
fn read_checkpoint(path: &Path, scene: &Scene) -> Result<Checkpoint, Failure> {
    let checkpoint = Checkpoint::read(path).map_err(|e| {
        Failure::usage(
            e.to_string(),
            Some("give a file from the checkpoints folder of a run".into()),
        )
    })?;
    let nodes = scene.model.node_count();
    let refuse = |what: String, help: &str| Err(Failure::usage(what, Some(help.to_string())));
    if checkpoint.digest != scene.digest || checkpoint.state.positions.len() != nodes {
        let what = format!(
            "the checkpoint is of the scene `{}`, which differs from `{}`",
            checkpoint.scene, scene.name
        );
        return refuse(
            what,
            "resume with the very scene that was running (the run's folder has a copy, scene.toml) and the same --assets",
        );
    }
    if checkpoint.method != scene.method.name() || checkpoint.settings != settings_text(scene) {
        let what = format!(
            "the checkpoint was written with method `{}` and other settings",
            checkpoint.method
        );
        return refuse(what, "resume with the same method and settings");
    }
    if checkpoint.state.step >= scene.step_count() {
        let what = format!(
            "the checkpoint is at step {} of {}",
            checkpoint.state.step,
            scene.step_count()
        );
        return refuse(what, "ask for a longer --duration or more --steps");
    }
    Ok(checkpoint)
}

fn simulate(
    args: &RunArgs,
    cli: &Cli,
    file: &SceneFile,
    scene: &Scene,
    checkpoint: Option<Checkpoint>,
    threads: usize,
) -> Result<Value, Failure> {
    let state = checkpoint
        .as_ref()
        .map_or_else(|| scene.model.initial_state(), |c| c.state.clone());
    let mut simulation = Simulation::resume(
        scene.model.clone(),
        scene.settings.clone(),
        scene.method,
        state,
    )
    .map_err(|e| {
        Failure::simulation(format!(
            "the method `{}` cannot start: {e}",
            scene.method.name()
        ))
    })?;
    let out = args.out.as_deref();
    let mut output = match (&checkpoint, &args.resume) {
        (Some(checkpoint), Some(path)) => Output::resume(out, path, checkpoint, scene)?,
        _ => {
            let mut output = Output::create(out, scene, &file.text)?;
            output.first_frame(&simulation)?;
            output
        }
    };

    let steps = scene.step_count();
    let progress = progress_bar(cli, steps);
    progress.set_position(simulation.state().step);
    progress.reset_eta();
    let mut summary = Summary::new(scene, &simulation, threads);
    let started = Instant::now();
    while simulation.state().step < steps {
        if let Err(error) = simulation.step() {
            progress.abandon();
            let saved = output.checkpoint(&simulation, scene)?;
            output.last_frame(&simulation)?;
            let folder = output.finish()?;
            return Err(Failure::simulation(error.to_string()).help(format!(
                "the last good state is in `{}`, the recording so far in `{}`; \
                 a smaller time step, the implicit-euler integrator or a stable material may help",
                saved.display(),
                folder.display()
            )));
        }
        let step = simulation.state().step;
        output.step(&simulation)?;
        summary.note(&simulation);
        if args.checkpoint_every.is_some_and(|n| step % n == 0) {
            output.checkpoint(&simulation, scene)?;
        }
        progress.set_position(step);
    }
    summary.wall_seconds = started.elapsed().as_secs_f64();
    progress.finish_and_clear();
    output.last_frame(&simulation)?;
    let folder = output.finish()?;
    let value = summary.to_json(&simulation, &folder);
    summary.write_files(&simulation, &folder, &value)?;
    if !cli.quiet {
        summary.print(&simulation, &folder);
    }
    Ok(value)
}

fn progress_bar(cli: &Cli, steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    let template = "{bar:40} {pos}/{len} steps  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if cli.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden()); // and hidden by itself when not a terminal
    }
    bar
}
