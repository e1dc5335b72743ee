//! A recording that is played: forwards in time, and to any frame.

use crate::history;
use crate::message::{Command, Field, View};
use crate::packet::Packet;
use crate::section::Section;
use crate::shape::Shape;
use crate::source::{Change, Source};
use pliant_linalg::Vec3;
use pliant_scene::recording::{FrameEntry, RecordedFrame, RecordingError, RecordingReader};
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// See the file header.
pub struct Player {
    path: PathBuf,
    reader: RecordingReader<BufReader<File>>,
    entries: Vec<FrameEntry>,
    shape: Shape,
    index: usize,
    frame: RecordedFrame,
    playing: bool,
    speed: f64,
    /// What plots show, until it has been handed out.
    rows: Vec<Vec<f32>>,
}

impl Player {
    /// Opens a recording at its first frame.
    pub fn open(path: &Path, playing: bool) -> Result<Player, RecordingError> {
        let mut reader = RecordingReader::open(path)?;
        let frame = reader.frame(0)?;
        Ok(Player {
            path: path.to_path_buf(),
            entries: reader.entries().to_vec(),
            shape: Shape::new(reader.header().clone()),
            reader,
            index: 0,
            frame,
            playing,
            speed: 1.0,
            rows: path.parent().map_or_else(Vec::new, history::read),
        })
    }

    fn seek(&mut self, index: usize) -> Change {
        let index = index.min(self.entries.len().saturating_sub(1));
        match self.reader.frame(index) {
            Ok(frame) => {
                (self.frame, self.index) = (frame, index);
                Change::picture()
            }
            Err(error) => {
                self.playing = false;
                Change::notice(error.to_string())
            }
        }
    }

    fn at_end(&self) -> bool {
        self.index + 1 >= self.entries.len()
    }
}

impl Source for Player {
    fn apply(&mut self, command: Command) -> Change {
        match command {
            Command::Play => {
                self.playing = true;
                match self.at_end() {
                    true => self.seek(0),
                    false => Change::default(),
                }
            }
            Command::Pause => {
                self.playing = false;
                Change::default()
            }
            Command::Step => {
                self.playing = false;
                self.seek(self.index + 1)
            }
            Command::Reset => {
                self.playing = false;
                self.seek(0)
            }
            Command::Seek { frame } => self.seek(frame),
            Command::Speed { ratio } => {
                self.speed = ratio.clamp(0.0, 100.0);
                Change::default()
            }
            Command::Ready | Command::View(_) | Command::Take => Change::default(),
            _ => Change::notice("this is a recording: open a scene to change something"),
        }
    }

    fn is_playing(&self) -> bool {
        self.playing && !self.at_end()
    }

    fn time(&self) -> f64 {
        self.frame.time
    }

    fn speed(&self) -> f64 {
        match self.speed {
            // a recording as fast as it can be read shows nothing
            0.0 => 4.0,
            speed => speed,
        }
    }

    fn step(&mut self) -> Change {
        let change = self.seek(self.index + 1);
        if self.at_end() {
            self.playing = false;
        }
        change
    }

    fn rows(&mut self) -> Vec<Vec<f32>> {
        std::mem::take(&mut self.rows)
    }

    fn scene(&self) -> Packet {
        let mut packet = Packet::new("scene");
        self.shape.describe(&mut packet);
        let info = &self.reader.header().info;
        packet.set(
            "panes",
            vec![json!({ "method": info.method, "thresholds": [] })],
        );
        packet.set("live", false);
        let times: Vec<f32> = self.entries.iter().map(|e| e.time as f32).collect();
        packet.f32("times", &times);
        packet.set("velocities", info.velocities);
        packet.set("stress", info.stress);
        packet
    }

    fn frame(&mut self, view: View) -> Packet {
        let frame = &self.frame;
        let shape = &self.shape;
        let carried = view.embedded && shape.has_carried;
        let vector = |v: [f32; 3]| Vec3::new(v[0].into(), v[1].into(), v[2].into());
        let moved = |n: usize| vector(frame.displacements[n]);
        let mut packet = Packet::new("frame");
        packet.set("step", frame.step);
        packet.set("time", frame.time);
        packet.set("index", self.index);
        packet.set("carried", carried);
        packet.set("view", serde_json::to_value(view).unwrap_or_default());
        packet.set("diagonal", shape.diagonal());
        packet.set(
            "panes",
            vec![json!({ "method": self.reader.header().info.method })],
        );
        packet.f32(
            "x0",
            &shape.positions(carried, |n| shape.rest[n] + moved(n)),
        );
        let nodal = match (view.field, &frame.von_mises) {
            (Field::Stress, Some(stress)) => shape.at_nodes(|e| stress[e].into()),
            _ => Vec::new(),
        };
        let scalar: Option<Box<dyn Fn(usize) -> f64>> = match view.field {
            Field::Displacement => Some(Box::new(|n| moved(n).norm())),
            Field::Speed => (frame.velocities.as_ref())
                .map(|v| Box::new(|n: usize| vector(v[n]).norm()) as Box<dyn Fn(usize) -> f64>),
            Field::Stress if !nodal.is_empty() => Some(Box::new(|n| nodal[n])),
            _ => None,
        };
        if let Some(scalar) = &scalar {
            packet.f32("s0", &shape.scalars(carried, scalar));
        }
        let states = frame.states.as_deref();
        let states = states.filter(|_| view.field == Field::State);
        if let Some(states) = states {
            packet.u8("t0", &shape.triangle_states(carried, states));
        }
        if let Some(plane) = view.section {
            let place = |n: usize| shape.rest[n] + moved(n);
            let section = Section::new(shape, plane, place);
            section.add(&mut packet, 0, shape, place, states, scalar.as_deref());
        }
        packet
    }

    fn status(&self) -> Value {
        let info = &self.reader.header().info;
        json!({
            "live": false,
            "playing": self.is_playing(),
            "speed": self.speed,
            "scene": info.scene,
            "methods": [info.method],
            "frames": self.entries.len(),
        })
    }

    fn recording(&self) -> Option<Vec<u8>> {
        std::fs::read(&self.path).ok()
    }
}
