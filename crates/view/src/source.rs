//! What is watched: a live session or a recording, behind one interface.

use crate::message::{Command, View};
use crate::packet::Packet;
use std::time::Duration;

/// What a request led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Everything constant must be sent again.
    pub scene: bool,
    /// There is something new to see.
    pub picture: bool,
    /// Something to tell the pages.
    pub notice: Option<String>,
}

impl Change {
    /// A new picture.
    pub fn picture() -> Change {
        Change {
            picture: true,
            ..Change::default()
        }
    }

    /// Another scene.
    pub fn scene() -> Change {
        Change {
            scene: true,
            picture: true,
            notice: None,
        }
    }

    /// With words.
    pub fn saying(self, text: impl Into<String>) -> Change {
        Change {
            notice: Some(text.into()),
            ..self
        }
    }

    /// Nothing but words.
    pub fn notice(text: impl Into<String>) -> Change {
        Change::default().saying(text)
    }
}

/// Something that moves and can be looked at.
pub trait Source: Send {
    /// Does what a page asked for.
    fn apply(&mut self, command: Command) -> Change;

    /// Whether it goes on by itself.
    fn is_playing(&self) -> bool;

    /// Simulated time, s.
    fn time(&self) -> f64;

    /// Simulated over real time at most; 0 for as fast as it goes.
    fn speed(&self) -> f64;

    /// One step.
    fn step(&mut self) -> Change;

    /// Rows for the plots since the last call, and the names of their columns.
    fn rows(&mut self) -> Vec<Vec<f32>>;

    /// Everything constant.
    fn scene(&self) -> Packet;

    /// What there is to see now.
    fn frame(&mut self, view: View) -> Packet;

    /// What pages show of the settings, an object.
    fn status(&self) -> serde_json::Value;

    /// The bytes of a recording that was made, for a download.
    fn recording(&self) -> Option<Vec<u8>>;

    /// Time to wait for the next step when real time is what counts, given simulated and real time since it began to play.
    fn wait(&self, simulated: f64, real: f64) -> Duration {
        let speed = self.speed();
        if speed <= 0.0 {
            return Duration::ZERO;
        }
        Duration::from_secs_f64((simulated / speed - real).clamp(0.0, 0.25))
    }
}
