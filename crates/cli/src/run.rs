//! `pliant run`: load, step, record, report.

use crate::args::{self, Cli, RunArgs};
use crate::failure::Failure;
use crate::recorder::{Recorder, read_checkpoint};
use crate::stepping;
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::{Scene, SceneFile};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a scene. Nothing is written before the scene, its model and the checkpoint have been accepted.
pub fn run(args: &RunArgs, cli: &Cli) -> Result<Value, Failure> {
    let threads = args::threads(args.stepping.threads)?;
    let name = args.scene.as_deref().unwrap_or("demo");
    let (file, mut scene) = stepping::load(name, &args.stepping)?;
    override_scene(args, &mut scene)?;
    let checkpoint = args
        .resume
        .as_deref()
        .map(|path| checkpoint_to_resume(path, &scene))
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

/// A checkpoint from which there is something left to do.
fn checkpoint_to_resume(path: &Path, scene: &Scene) -> Result<Checkpoint, Failure> {
    let checkpoint = read_checkpoint(path, scene)?;
    if !checkpoint.changes.is_empty() {
        let what =
            "the checkpoint is of a simulation that a Python program has pushed, pulled or tied";
        let help = "go on there: pliant.Simulation(scene).load(path); the command would leave those forces out";
        return Err(Failure::usage(what, Some(help.to_string())));
    }
    if checkpoint.state.step >= scene.step_count() {
        let what = format!(
            "the checkpoint is at step {} of {}",
            checkpoint.state.step,
            scene.step_count()
        );
        let help = "ask for a longer --duration or more --steps".to_string();
        return Err(Failure::usage(what, Some(help)));
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
    let mut simulation = stepping::start(scene, state)?;
    let out = args.out.as_deref();
    let mut recorder = match (&checkpoint, &args.resume) {
        (Some(checkpoint), Some(path)) => {
            Recorder::resume(out, scene, (path, checkpoint), &simulation, threads)?
        }
        _ => Recorder::begin(out, scene, &file.text, &simulation, threads)?,
    };
    recorder.checkpoint_every = args.checkpoint_every;

    let steps = scene.step_count();
    let progress = stepping::progress_bar(cli, steps);
    progress.set_position(simulation.step_number());
    progress.reset_eta();
    let interrupted = interrupts()?;
    while simulation.step_number() < steps {
        if interrupted.load(Ordering::Relaxed) {
            progress.abandon();
            let (saved, folder) = recorder.abandon(scene, &simulation)?;
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
            let ended = recorder.abandon(scene, &simulation);
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
        recorder.step(scene, &simulation)?;
        progress.set_position(simulation.step_number());
    }
    progress.finish_and_clear();
    recorder.finish(&simulation, !cli.quiet)
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
