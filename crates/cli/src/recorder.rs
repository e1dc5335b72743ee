//! A run that leaves a folder: what is written at its start, after each step, at its end, and when it breaks off.

use crate::failure::Failure;
use crate::output::{Output, settings_text};
use crate::summary::Summary;
use pliant_scene::Scene;
use pliant_scene::checkpoint::Checkpoint;
use pliant_solid::Simulation;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// See the file header.
pub struct Recorder {
    output: Output,
    summary: Summary,
    /// Steps between checkpoints.
    pub checkpoint_every: Option<u64>,
    /// What is done to the simulation from outside, for its checkpoints.
    pub changes: String,
    started: Instant,
}

impl Recorder {
    /// Starts the folder of a run, one under `runs/` where none is wanted; `text` is that of the scene.
    pub fn begin(
        folder: Option<&Path>,
        scene: &Scene,
        text: &str,
        simulation: &Simulation,
        threads: usize,
    ) -> Result<Recorder, Failure> {
        let mut output = Output::create(folder, scene, text)?;
        output.frame(simulation)?;
        Ok(Recorder::of(output, scene, simulation, threads))
    }

    /// Goes on with the folder that a checkpoint belongs to, or with a copy of it.
    pub fn resume(
        folder: Option<&Path>,
        scene: &Scene,
        (path, checkpoint): (&Path, &Checkpoint),
        simulation: &Simulation,
        threads: usize,
    ) -> Result<Recorder, Failure> {
        let output = Output::resume(folder, path, checkpoint, scene)?;
        Ok(Recorder::of(output, scene, simulation, threads))
    }

    fn of(output: Output, scene: &Scene, simulation: &Simulation, threads: usize) -> Recorder {
        Recorder {
            output,
            summary: Summary::new(scene, simulation, threads),
            checkpoint_every: None,
            changes: String::new(),
            started: Instant::now(),
        }
    }

    /// Everything that a finished step adds.
    pub fn step(&mut self, scene: &Scene, simulation: &Simulation) -> Result<(), Failure> {
        self.output.step(simulation)?;
        self.summary.note(simulation);
        let step = simulation.step_number();
        if (self.checkpoint_every).is_some_and(|every| step.is_multiple_of(every)) {
            (self.output).checkpoint(simulation, scene, &self.changes)?;
        }
        Ok(())
    }

    /// Ends a run that cannot or shall not go on: the last good state, and the recording so far.
    pub fn abandon(
        mut self,
        scene: &Scene,
        simulation: &Simulation,
    ) -> Result<(PathBuf, PathBuf), Failure> {
        let saved = (self.output).checkpoint(simulation, scene, &self.changes)?;
        self.output.last_frame(simulation)?;
        Ok((saved, self.output.finish()?))
    }

    /// Completes the folder: what the run amounts to, with `show` also for people.
    pub fn finish(mut self, simulation: &Simulation, show: bool) -> Result<Value, Failure> {
        self.summary.wall_seconds = self.started.elapsed().as_secs_f64();
        self.output.last_frame(simulation)?;
        let folder = self.output.finish()?;
        let value = self.summary.to_json(simulation, &folder);
        self.summary.write_files(simulation, &folder, &value)?;
        if show {
            self.summary.print(simulation, &folder);
        }
        Ok(value)
    }
}

/// A checkpoint that belongs to a scene with its method and settings.
pub fn read_checkpoint(path: &Path, scene: &Scene) -> Result<Checkpoint, Failure> {
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
    Ok(checkpoint)
}

/// Writes a checkpoint that belongs to no run's folder.
pub fn save_checkpoint(
    path: &Path,
    scene: &Scene,
    simulation: &Simulation,
    changes: String,
) -> Result<(), Failure> {
    let checkpoint = Checkpoint {
        state: simulation.state().clone(),
        scene: scene.name.clone(),
        digest: scene.digest,
        method: scene.method.name().to_string(),
        settings: settings_text(scene),
        changes,
        outputs: Vec::new(),
    };
    let written = checkpoint.write(path);
    written.map_err(|e| {
        Failure::usage(e.to_string(), None).help("name a file in a folder that exists")
    })
}
