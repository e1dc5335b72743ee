//! `pliant run`: load, step, record, report.

use crate::args::{self, Cli, RunArgs};
use crate::failure::Failure;
use crate::output::{Output, settings_text};
use crate::stepping;
use crate::summary::Summary;
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::{Scene, SceneFile};
use pliant_solid::Simulation;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs a scene. Nothing is written before the scene, its model and the checkpoint have been accepted.
pub fn run(args: &RunArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.stepping.threads)?;
    let name = args.scene.as_deref().unwrap_or("demo");
    let (file, mut scene) = stepping::load(name, &args.stepping)?;
    override_scene(args, &mut scene)?;
    let checkpoint = args
        .resume
        .as_deref()
        .map(|path| read_checkpoint(path, &scene))
        .transpose()?;
    stepping::print_notices(&scene, cli);
    stepping::on_threads(threads, || {
        simulate(args, cli, &file, &scene, checkpoint, threads)
    })
}

/// Applies the command line to the scene.
fn override_scene(args: &RunArgs, scene: &mut Scene) -> Result<(), Failure> {
    if let Some(method) = &args.method {
        scene.set_method(stepping::method(method)?);
    }
    stepping::load_trained(scene, scene.method)?;
    stepping::set_length(&args.stepping, scene)?;
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
    let progress = stepping::progress_bar(cli, steps);
    progress.set_position(simulation.step_number());
    progress.reset_eta();
    let mut summary = Summary::new(scene, &simulation, threads);
    let interrupted = interrupts()?;
    let started = Instant::now();
    while simulation.step_number() < steps {
        if interrupted.load(Ordering::Relaxed) {
            progress.abandon();
            let (saved, folder) = end_early(output, &simulation, scene)?;
            let step = simulation.step_number();
            return Err(
                Failure::interrupted(format!("interrupted after step {step} of {steps}")).help(
                    format!(
                        "the recording so far is in `{}`; go on with --resume {}",
                        folder.display(),
                        saved.display()
                    ),
                ),
            );
        }
        if let Err(error) = simulation.step() {
            progress.abandon();
            let ended = end_early(output, &simulation, scene);
            return Err(Failure::simulation(error.to_string()).help(match ended {
                Ok((saved, folder)) => format!(
                    "the last good state is in `{}`, the recording so far in `{}`; \
                     a smaller time step, the implicit-euler integrator or a stable material may help",
                    saved.display(),
                    folder.display()
                ),
                Err(failure) => format!("and the last good state is lost: {}", failure.message()),
            }));
        }
        let step = simulation.step_number();
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

/// A checkpoint, and a recording that ends here.
fn end_early(
    mut output: Output,
    simulation: &Simulation,
    scene: &Scene,
) -> Result<(PathBuf, PathBuf), Failure> {
    let saved = output.checkpoint(simulation, scene)?;
    output.last_frame(simulation)?;
    Ok((saved, output.finish()?))
}

/// Becomes true when somebody presses Ctrl-C; who does so again does not want to wait.
fn interrupts() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|e| Failure::usage(format!("cannot wait for Ctrl-C: {e}"), None))?;
    Ok(flag)
}
