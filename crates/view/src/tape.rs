//! A recording of a live session, in a file of its own among temporary ones until a page fetches it.

use crate::source::Change;
use pliant_scene::Scene;
use pliant_scene::recording::{Frame, RecordingHeader, RecordingWriter};
use pliant_solid::Simulation;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// Frames a simulated second.
const RATE: f64 = 60.0;
/// Longest file, bytes: an hour that somebody forgot must not fill the disk.
const LARGEST: u64 = 1 << 30;

/// See the file header.
#[derive(Debug, Default)]
pub struct Tape {
    path: Option<PathBuf>,
    writer: Option<RecordingWriter>,
    next: f64,
    frames: u64,
}

/// Tells tapes of one process apart.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Tape {
    /// Begins a recording, in place of one that was made before.
    pub fn start(&mut self, scene: &Scene) -> Result<Change, String> {
        self.remove();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("pliant-view-{}-{number}.pliant", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut scene = scene.clone();
        scene.record.velocities = true;
        scene.record.every = 1.0 / RATE;
        let writer = RecordingWriter::create(&path, &RecordingHeader::new(&scene));
        self.writer = Some(writer.map_err(|e| e.to_string())?);
        self.path = Some(path);
        Ok(Change::default())
    }

    /// Notes the state if it is time to.
    pub fn step(&mut self, simulation: &Simulation) -> Result<(), String> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        if simulation.time() < self.next && self.frames > 0 {
            return Ok(());
        }
        self.next = simulation.time() + 0.999 / RATE;
        let state = simulation.state();
        let stress = simulation.forces().stress.iter();
        let mut von_mises: Vec<f64> = stress.map(|s| s.von_mises).collect();
        von_mises.resize(simulation.model().element_count(), 0.0);
        let states = simulation.element_states();
        let written = writer.frame(Frame {
            step: simulation.step_number(),
            time: simulation.time(),
            positions: &state.positions,
            velocities: &state.velocities,
            von_mises: &von_mises,
            states: states.as_deref(),
        });
        self.frames += 1;
        if let Err(error) = written {
            self.stop();
            return Err(format!("The recording ended: {error}."));
        }
        if writer.position().bytes > LARGEST {
            self.stop();
            return Err("The recording has reached 1 GB and ended.".into());
        }
        Ok(())
    }

    /// Ends the recording; it can still be fetched.
    pub fn stop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // an unfinished recording can be read too
            let _ = writer.finish();
        }
    }

    /// Whether frames are being written.
    pub fn is_running(&self) -> bool {
        self.writer.is_some()
    }

    /// How many there are.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The file.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        fs::read(self.path.as_ref()?).ok()
    }

    fn remove(&mut self) {
        self.stop();
        if let Some(path) = self.path.take() {
            let _ = fs::remove_file(path);
        }
        (self.frames, self.next) = (0, 0.0);
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.remove();
    }
}
