//! `pliant run`: load, step, record, report.

use crate::args::{self, Cli, RunArgs};
use crate::failure::Failure;
use crate::recorder::{Recorder, read_checkpoint};
use crate::stepping;
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::{Scene, SceneFile};
use serde_json::Value;
use std::path::Path;

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
    while simulation.step_number() < steps {
        if let Err(error) = simulation.step() {
            progress.abandon();
            let (saved, folder) = recorder.abandon(scene, &simulation)?;
            return Err(Failure::simulation(error.to_string()).help(format!(
                "the last good state is in `{}`, the recording so far in `{}`; \
                 a smaller time step, the implicit-euler integrator or a stable material may help",
                saved.display(),
                folder.display()
            )));
        }
        recorder.step(scene, &simulation)?;
        progress.set_position(simulation.step_number());
    }
    progress.finish_and_clear();
    recorder.finish(&simulation, !cli.quiet)
}
