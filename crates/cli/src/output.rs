//! The folder of a run: recording, time series, checkpoints.

use crate::failure::Failure;
use crate::series::{self, Series};
use pliant_scene::Scene;
use pliant_scene::checkpoint::{Checkpoint, OutputPosition};
use pliant_scene::recording::{Frame, RecordingHeader, RecordingPosition, RecordingWriter};
use pliant_solid::Simulation;
use std::fs;
use std::path::{Path, PathBuf};

pub const RECORDING: &str = "recording.pliant";
pub const SERIES: &str = "series.csv";
const TIMINGS: &str = "timings.csv";
const CHECKPOINTS: &str = "checkpoints";
/// Older checkpoints are removed.
const KEPT_CHECKPOINTS: usize = 10;

/// The open files of a run.
pub struct Output {
    pub folder: PathBuf,
    recording: RecordingWriter,
    series: Series,
    timings: Series,
    stride: u64,
    von_mises: Vec<f64>,
}

/// A file or folder that cannot be written or read.
pub fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("cannot {what} `{}`: {error}", path.display()), None)
        .help("choose a folder that can be written with --out")
}

/// A folder under `runs/` for what was done with a scene, which does not exist yet.
pub fn folder_for(scene: &Scene, what: &str) -> PathBuf {
    let stem = Path::new(&scene.name).with_extension("");
    let name: String = stem.to_string_lossy().replace(['/', '\\'], "-");
    fresh_folder(&format!("{}-{what}", name.trim_matches(['-', '.'])))
}

/// A folder under `runs/` that does not exist yet.
pub fn fresh_folder(base: &str) -> PathBuf {
    let candidate = |n: u32| {
        if n == 1 {
            base.to_string()
        } else {
            format!("{base}-{n}")
        }
    };
    (1..)
        .map(|n| Path::new("runs").join(candidate(n)))
        .find(|p| !p.exists())
        .unwrap_or_default()
}

impl Output {
    /// Starts the files of a new run.
    pub fn create(wanted: Option<&Path>, scene: &Scene, text: &str) -> Result<Output, Failure> {
        let folder =
            wanted.map_or_else(|| folder_for(scene, scene.method.name()), Path::to_path_buf);
        fs::create_dir_all(&folder).map_err(|e| failed("create the folder", &folder, e))?;
        let path = folder.join(RECORDING);
        let recording = RecordingWriter::create(&path, &RecordingHeader::new(scene))
            .map_err(|e| failed("write", &path, e))?;
        let create = |name: &str, header: &str| {
            let path = folder.join(name);
            Series::create(&path, header).map_err(|e| failed("write", &path, e))
        };
        let series = create(SERIES, &series::results_header(&scene.model))?;
        let timings = create(TIMINGS, &series::timings_header())?;
        let path = folder.join("scene.toml");
        fs::write(&path, text).map_err(|e| failed("write", &path, e))?;
        let stride = scene.record.stride(scene.settings.h);
        Ok(Output {
            folder,
            recording,
            series,
            timings,
            stride,
            von_mises: Vec::new(),
        })
    }

    /// Goes on with the files that belong to a checkpoint; they are copied when `wanted` is another folder.
    pub fn resume(
        wanted: Option<&Path>,
        checkpoint_path: &Path,
        checkpoint: &Checkpoint,
        scene: &Scene,
    ) -> Result<Output, Failure> {
        let origin = checkpoint_path
            .parent()
            .and_then(Path::parent)
            .map_or(PathBuf::new(), Path::to_path_buf);
        let folder = wanted.map_or_else(|| origin.clone(), Path::to_path_buf);
        let position = |name: &str| {
            checkpoint
                .outputs
                .iter()
                .find(|o| o.name == name)
                .ok_or_else(|| {
                    Failure::usage(format!("the checkpoint says nothing of `{name}`"), None)
                })
        };
        let same =
            fs::canonicalize(&folder).ok() == fs::canonicalize(&origin).ok() && folder.exists();
        if !same {
            fs::create_dir_all(&folder).map_err(|e| failed("create the folder", &folder, e))?;
            for name in [RECORDING, SERIES, TIMINGS, "scene.toml"] {
                let from = origin.join(name);
                fs::copy(&from, folder.join(name)).map_err(|e| {
                    failed("copy", &from, e)
                        .help("keep a checkpoint in the folder of its run, beside the recording")
                })?;
            }
        }
        let path = folder.join(RECORDING);
        let at = position(RECORDING)?;
        let at = RecordingPosition {
            bytes: at.bytes,
            frames: at.records,
        };
        let recording =
            RecordingWriter::resume(&path, at).map_err(|e| failed("go on with", &path, e))?;
        let resume = |name: &str| {
            let path = folder.join(name);
            let at = position(name)?;
            Series::resume(&path, at.bytes, at.records).map_err(|e| failed("go on with", &path, e))
        };
        let (series, timings) = (resume(SERIES)?, resume(TIMINGS)?);
        let stride = scene.record.stride(scene.settings.h);
        Ok(Output {
            folder,
            recording,
            series,
            timings,
            stride,
            von_mises: Vec::new(),
        })
    }

    /// Everything that a finished step adds.
    pub fn step(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let report = simulation.report();
        let written = self
            .series
            .line(&series::results_row(report))
            .and_then(|()| self.timings.line(&series::timings_row(report)));
        written.map_err(|e| failed("write", &self.folder, e))?;
        if report.step.is_multiple_of(self.stride) {
            self.frame(simulation)
        } else {
            Ok(())
        }
    }

    /// The end of the run, unless it is a frame already. Not in a checkpoint: a longer run would not have it.
    pub fn last_frame(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let step = simulation.step_number();
        if step.is_multiple_of(self.stride) {
            Ok(())
        } else {
            self.frame(simulation)
        }
    }

    /// A frame of the present state.
    pub fn frame(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let state = simulation.state();
        self.von_mises.clear();
        self.von_mises
            .extend(simulation.forces().stress.iter().map(|s| s.von_mises));
        // before the first step there are no stresses yet, and the rest shape has none
        self.von_mises
            .resize(simulation.model().element_count(), 0.0);
        let states = simulation.element_states();
        let frame = Frame {
            step: state.step,
            time: state.time,
            positions: &state.positions,
            velocities: &state.velocities,
            von_mises: &self.von_mises,
            states: states.as_deref(),
        };
        self.recording
            .frame(frame)
            .map_err(|e| failed("write", &self.folder.join(RECORDING), e))
    }

    /// Writes a checkpoint of the present state.
    pub fn checkpoint(
        &mut self,
        simulation: &Simulation,
        scene: &Scene,
        changes: &str,
    ) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(CHECKPOINTS);
        fs::create_dir_all(&folder).map_err(|e| failed("create the folder", &folder, e))?;
        let fail = |e: std::io::Error| failed("write", &folder, e);
        // the frames must reach the disk before a checkpoint that counts on them
        self.recording
            .sync()
            .map_err(|e| failed("write", &self.folder.join(RECORDING), e))?;
        let recorded = self.recording.position();
        let (series_bytes, series_rows) = self.series.position().map_err(fail)?;
        let (timings_bytes, timings_rows) = self.timings.position().map_err(fail)?;
        let entry = |name: &str, bytes, records| OutputPosition {
            name: name.to_string(),
            bytes,
            records,
        };
        let checkpoint = Checkpoint {
            state: simulation.state().clone(),
            scene: scene.name.clone(),
            digest: scene.digest,
            method: scene.method.name().to_string(),
            settings: settings_text(scene),
            changes: changes.to_string(),
            outputs: vec![
                entry(RECORDING, recorded.bytes, recorded.frames),
                entry(SERIES, series_bytes, series_rows),
                entry(TIMINGS, timings_bytes, timings_rows),
            ],
        };
        let path = folder.join(format!("step-{:08}.checkpoint", simulation.state().step));
        checkpoint
            .write(&path)
            .map_err(|e| failed("write", &path, e))?;
        remove_old(&folder);
        Ok(path)
    }

    /// Completes the recording and the series.
    pub fn finish(mut self) -> Result<PathBuf, Failure> {
        let fail = |e: std::io::Error| failed("write", &self.folder, e);
        self.series.position().map_err(fail)?;
        self.timings.position().map_err(fail)?;
        self.recording
            .finish()
            .map_err(|e| failed("write", &self.folder.join(RECORDING), e))?;
        Ok(self.folder)
    }
}

/// What a resumed run must have in common with the interrupted one, besides the scene's text.
pub fn settings_text(scene: &Scene) -> String {
    format!("{:?} {:?}", scene.settings, scene.record)
}

/// Keeps the newest checkpoints; failing to remove an old one harms nothing.
fn remove_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|e| e.ok())
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|x| x == "checkpoint"))
        .collect();
    paths.sort();
    for path in paths.iter().rev().skip(KEPT_CHECKPOINTS) {
        let _ = fs::remove_file(path);
    }
}
