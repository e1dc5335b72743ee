//! The thread that simulates: requests, a step, a picture for who can take one; and it waits only when there is nothing to do.

use crate::hub::Hub;
use crate::source::{Change, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Shortest time between pictures.
const PICTURES: Duration = Duration::from_micros(15_500);
/// The same while steps take all the time there is: pictures are made and fetched at the cost of steps.
const BUSY_PICTURES: Duration = Duration::from_millis(31);
/// After so long without having to wait for anything the simulation counts as busy.
const BUSY: Duration = Duration::from_millis(250);
/// Over which the pace is measured.
const PACE: Duration = Duration::from_millis(1000);

/// See the file header.
pub struct Engine {
    source: Box<dyn Source>,
    hub: Arc<Hub>,
    /// Numbers of the present scene and picture.
    scene: u64,
    picture: u64,
    published: Option<Instant>,
    /// When it last had time left.
    idle: Instant,
    /// When time began to run, and the simulated time then.
    clock: Option<(Instant, f64)>,
    /// For the pace: real and simulated time at the start of the window, steps since.
    window: (Instant, f64),
    pace: f64,
    notices: u64,
    notice: Value,
}

impl Engine {
    /// Before anything moves.
    pub fn new(source: Box<dyn Source>, hub: Arc<Hub>) -> Engine {
        let window = (Instant::now(), source.time());
        Engine {
            source,
            hub,
            scene: 1,
            picture: 1,
            published: None,
            idle: Instant::now(),
            clock: None,
            window,
            pace: 0.0,
            notices: 0,
            notice: Value::Null,
        }
    }

    /// Runs until the hub is stopped.
    pub fn run(mut self) {
        self.hub.set_scene(self.scene, self.source.scene().finish());
        self.tell();
        self.hub.add_rows(self.source.rows());
        loop {
            let patience = self.patience();
            let Some(commands) = self.hub.commands(patience, self.seen()) else {
                return;
            };
            for command in commands {
                if !self.source.is_playing() {
                    self.window = (Instant::now(), self.source.time()); // pauses are no part of the pace
                }
                let change = self.source.apply(command);
                self.clock = None;
                self.note(change);
                self.tell();
            }
            if self.hub.wants_recording() {
                self.hub.hand_recording(self.source.recording());
            }
            if self.source.is_playing() && self.delay().is_zero() {
                let change = self.source.step();
                self.note(change);
                self.measure();
                let rows = self.source.rows();
                self.hub.add_rows(rows);
                if !self.source.is_playing() {
                    self.tell(); // it has come to an end by itself
                }
            } else if !self.source.is_playing() {
                self.clock = None;
                self.hub.add_rows(self.source.rows());
            }
            self.publish();
        }
    }

    /// How long to wait for requests; none for as long as it takes.
    fn patience(&mut self) -> Option<Duration> {
        let next = self.until_picture();
        let delay = self.source.is_playing().then(|| self.delay());
        if delay.is_none_or(|delay| !delay.is_zero()) {
            self.idle = Instant::now();
        }
        // paused: somebody may want a picture that is not due yet
        delay.or_else(|| (!next.is_zero()).then_some(next))
    }

    /// Time until the next step is due.
    fn delay(&mut self) -> Duration {
        let now = Instant::now();
        let simulated = self.source.time();
        let (began, from) = *self.clock.get_or_insert((now, simulated));
        let real = (now - began).as_secs_f64();
        let ahead = simulated - from;
        let speed = self.source.speed();
        if speed > 0.0 && ahead / speed < real - 0.1 {
            // too slow for real time: what was missed is not made up for
            self.clock = Some((now, simulated));
        }
        self.source.wait(ahead, real)
    }

    fn until_picture(&self) -> Duration {
        let shortest = match self.idle.elapsed() > BUSY {
            true => BUSY_PICTURES,
            false => PICTURES,
        };
        let since = self.published.map_or(shortest, |at| at.elapsed());
        shortest.saturating_sub(since)
    }

    /// The number of the picture that is worth waking up for: while the next is not due, none.
    fn seen(&self) -> u64 {
        match self.until_picture().is_zero() {
            true => self.picture,
            false => 0,
        }
    }

    fn note(&mut self, change: Change) {
        if change.scene {
            self.scene += 1;
            self.hub.set_scene(self.scene, self.source.scene().finish());
        }
        if change.picture || change.scene {
            self.picture += 1;
        }
        if let Some(text) = change.notice {
            self.notices += 1;
            self.notice = json!({ "number": self.notices, "text": text });
            self.tell();
        }
    }

    fn tell(&self) {
        let mut status = self.source.status();
        status["notice"] = self.notice.clone();
        self.hub.set_status(status);
    }

    /// Simulated over real time of the last moments.
    fn measure(&mut self) {
        let now = Instant::now();
        let real = now - self.window.0;
        if real >= PACE {
            let simulated = self.source.time() - self.window.1;
            self.pace = (simulated / real.as_secs_f64()).max(0.0);
            self.window = (now, self.source.time());
        }
    }

    fn publish(&mut self) {
        if !self.until_picture().is_zero() {
            return;
        }
        let views = self.hub.wanted(self.picture);
        if views.is_empty() {
            return;
        }
        for view in views {
            let mut packet = self.source.frame(view);
            packet.set("number", self.scene);
            packet.set("pace", self.pace);
            packet.set("playing", self.source.is_playing());
            let frame = (self.scene, packet.finish().into());
            self.hub.publish(view, self.picture, frame);
        }
        self.published = Some(Instant::now());
    }
}
