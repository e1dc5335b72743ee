//! Where the simulation and the pages meet. The simulation never waits for a page: it leaves a frame in the slot of a page that can take
//! one and goes on. A page that has not shown what it got gets no other, so frames are dropped and none pile up on the way.

use crate::message::{Command, View};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tungstenite::Bytes;

/// Most pages at a time.
pub const MOST_PAGES: usize = 32;
/// Requests that may wait; a page that sends more is closed.
const MOST_COMMANDS: usize = 4096;
/// Frames on the way to a page.
const IN_FLIGHT: u32 = 2;
/// Rows that are kept for pages that come later.
const ROWS: usize = 4000;

/// A frame and the number of the scene that it belongs to.
pub type Frame = (u64, Bytes);

#[derive(Default)]
struct Page {
    view: View,
    /// Frames on their way.
    sent: u32,
    frame: Option<Frame>,
    /// Number of the last picture that it got.
    seen: u64,
    /// Answers to pings.
    pongs: Vec<Bytes>,
    closing: bool,
}

#[derive(Default)]
struct Shared {
    pages: BTreeMap<u64, Page>,
    next_page: u64,
    steering: Option<u64>,
    commands: VecDeque<Command>,
    /// A number that changes with the scene, and what describes it.
    scene: Option<Frame>,
    /// The same for what pages show of the settings.
    status: (u64, Value),
    rows: VecDeque<Arc<Vec<f32>>>,
    first_row: u64,
    recording: Option<Option<Bytes>>,
    recording_wanted: u32,
    stop: bool,
}

/// See the file header.
#[derive(Default)]
pub struct Hub {
    shared: Mutex<Shared>,
    /// Something for the simulation to do.
    work: Condvar,
    /// Something for pages to send.
    news: Condvar,
    /// A recording has been read.
    fetched: Condvar,
}

/// What a page is to send next.
#[derive(Default)]
pub struct Delivery {
    /// The scene, if it is another.
    pub scene: Option<Frame>,
    /// The settings, if they are others: with them whether this page steers, and how many look.
    pub status: Option<(Value, bool, usize)>,
    /// Rows of the plots, and the number of the first.
    pub rows: Vec<Arc<Vec<f32>>>,
    /// A picture.
    pub frame: Option<Frame>,
    /// Answers to pings.
    pub pongs: Vec<Bytes>,
}

/// What a page has got already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Received {
    scene: u64,
    status: (u64, bool, usize),
    row: u64,
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // a thread that panicked while it held this left it whole: nothing here is half done
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a page in; none if there are too many, or if all is over.
    pub fn enter(&self) -> Option<u64> {
        let mut shared = self.lock();
        if shared.stop || shared.pages.len() >= MOST_PAGES {
            return None;
        }
        shared.next_page += 1;
        let id = shared.next_page;
        shared.pages.insert(id, Page::default());
        shared.steering.get_or_insert(id);
        shared.status.0 += 1;
        self.work.notify_all();
        self.news.notify_all();
        Some(id)
    }

    /// A page has left; the one that came first of the others steers, if it did.
    pub fn leave(&self, id: u64) {
        let mut shared = self.lock();
        shared.pages.remove(&id);
        if shared.steering == Some(id) {
            shared.steering = shared.pages.keys().next().copied();
            // what it held it does not hold any more
            shared.commands.push_back(Command::Release);
            self.work.notify_all();
        }
        shared.status.0 += 1;
        self.news.notify_all();
    }

    /// Takes a request of a page; false if the page must go.
    pub fn ask(&self, id: u64, command: Command) -> bool {
        let mut shared = self.lock();
        let steering = shared.steering == Some(id);
        let Some(page) = shared.pages.get_mut(&id) else {
            return false;
        };
        match command {
            Command::Ready => page.sent = page.sent.saturating_sub(1),
            Command::View(view) => {
                page.view = view;
                page.seen = 0;
                page.frame = None;
            }
            Command::Take => {
                shared.steering = Some(id);
                shared.status.0 += 1;
                self.news.notify_all();
            }
            _ if !steering => return true, // watchers may click; it does nothing
            command => {
                if shared.commands.len() >= MOST_COMMANDS {
                    return false;
                }
                // only the last place of a hand counts
                let moves = |c: &Command| matches!(c, Command::Pull { .. });
                match shared
                    .commands
                    .back_mut()
                    .filter(|c| moves(c) && moves(&command))
                {
                    Some(last) => *last = command,
                    None => shared.commands.push_back(command),
                }
            }
        }
        self.work.notify_all();
        true
    }

    /// An answer that a page wants.
    pub fn pong(&self, id: u64, payload: Bytes) {
        if let Some(page) = self.lock().pages.get_mut(&id)
            && page.pongs.len() < 16
        {
            page.pongs.push(payload);
        }
        self.news.notify_all();
    }

    /// Tells the threads of a page to end.
    pub fn close(&self, id: u64) {
        if let Some(page) = self.lock().pages.get_mut(&id) {
            page.closing = true;
        }
        self.news.notify_all();
    }

    /// Waits for something to send; none when the page is to be closed.
    pub fn deliver(&self, id: u64, got: &mut Received) -> Option<Delivery> {
        let mut shared = self.lock();
        loop {
            if shared.stop {
                return None;
            }
            let looking = shared.pages.len();
            let steers = shared.steering == Some(id);
            let scene = shared
                .scene
                .clone()
                .filter(|(number, _)| *number != got.scene);
            let status = (shared.status.0, steers, looking);
            let told = (status != got.status && !shared.status.1.is_null())
                .then(|| (shared.status.1.clone(), steers, looking));
            let page = shared.pages.get_mut(&id).filter(|page| !page.closing)?;
            let mut delivery = Delivery {
                scene,
                status: told,
                frame: page.frame.take(),
                pongs: std::mem::take(&mut page.pongs),
                rows: Vec::new(),
            };
            let anything = delivery.scene.is_some()
                || delivery.status.is_some()
                || delivery.frame.is_some()
                || !delivery.pongs.is_empty();
            if anything {
                if let Some((number, _)) = &delivery.scene {
                    got.scene = *number;
                }
                // of a scene that is gone: dropped
                delivery.frame = delivery.frame.filter(|(number, _)| *number == got.scene);
                page.sent += u32::from(delivery.frame.is_some());
                got.status = status;
                if delivery.frame.is_some() {
                    let from = got.row.max(shared.first_row);
                    let skip = (from - shared.first_row) as usize;
                    delivery.rows = shared.rows.iter().skip(skip).cloned().collect();
                    got.row = shared.first_row + shared.rows.len() as u64;
                }
                self.work.notify_all();
                return Some(delivery);
            }
            shared = self
                .news
                .wait(shared)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// For the simulation: what was asked for. Waits up to `wait` (none: as long as it takes) until there is something, or somebody
    /// wants a picture that is newer than `seen`. None when all is over.
    pub fn commands(&self, wait: Option<Duration>, picture: u64) -> Option<Vec<Command>> {
        let mut shared = self.lock();
        if shared.commands.is_empty() && !shared.stop && !shared.has_work(picture) {
            shared = match wait {
                Some(Duration::ZERO) => shared,
                Some(wait) => {
                    let waited = self.work.wait_timeout(shared, wait);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => (self.work.wait(shared)).unwrap_or_else(PoisonError::into_inner),
            };
        }
        match shared.stop {
            true => None,
            false => Some(shared.commands.drain(..).collect()),
        }
    }

    /// The views of pages that can take a picture that is newer than theirs, each once.
    pub fn wanted(&self, picture: u64) -> Vec<View> {
        let mut views = Vec::new();
        for page in self.lock().pages.values() {
            if page.wants(picture) && !views.contains(&page.view) {
                views.push(page.view);
            }
        }
        views
    }

    /// Puts a picture into the slots of the pages that look at things this way.
    pub fn publish(&self, view: View, picture: u64, frame: Frame) {
        let mut shared = self.lock();
        for page in shared.pages.values_mut() {
            if page.view == view && page.wants(picture) {
                page.frame = Some(frame.clone());
                page.seen = picture;
            }
        }
        self.news.notify_all();
    }

    /// Another scene; plots begin anew.
    pub fn set_scene(&self, number: u64, packet: Vec<u8>) {
        let mut shared = self.lock();
        shared.scene = Some((number, packet.into()));
        for page in shared.pages.values_mut() {
            page.frame = None;
        }
        self.news.notify_all();
    }

    /// Other settings.
    pub fn set_status(&self, status: Value) {
        let mut shared = self.lock();
        if shared.status.1 != status {
            shared.status = (shared.status.0 + 1, status);
            self.news.notify_all();
        }
    }

    /// Rows for the plots; they go out with the next frames.
    pub fn add_rows(&self, rows: Vec<Vec<f32>>) {
        let mut shared = self.lock();
        for row in rows {
            shared.rows.push_back(Arc::new(row));
            if shared.rows.len() > ROWS {
                shared.rows.pop_front();
                shared.first_row += 1;
            }
        }
    }

    /// For a page: the recording, once the simulation has handed it out.
    pub fn recording(&self) -> Option<Bytes> {
        let mut shared = self.lock();
        shared.recording_wanted += 1;
        shared.recording = None;
        self.work.notify_all();
        let limit = Duration::from_secs(30);
        let waits = |shared: &mut Shared| shared.recording.is_none() && !shared.stop;
        let waited = self.fetched.wait_timeout_while(shared, limit, waits);
        let mut shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        shared.recording_wanted = shared.recording_wanted.saturating_sub(1);
        shared.recording.clone().flatten()
    }

    /// For the simulation: whether somebody waits for that.
    pub fn wants_recording(&self) -> bool {
        let shared = self.lock();
        shared.recording_wanted > 0 && shared.recording.is_none()
    }

    /// Hands it out.
    pub fn hand_recording(&self, bytes: Option<Vec<u8>>) {
        self.lock().recording = Some(bytes.map(Bytes::from));
        self.fetched.notify_all();
    }

    /// Ends everything.
    pub fn stop(&self) {
        self.lock().stop = true;
        self.work.notify_all();
        self.news.notify_all();
        self.fetched.notify_all();
    }

    /// Whether everything has ended.
    pub fn is_stopped(&self) -> bool {
        self.lock().stop
    }
}

impl Shared {
    fn has_work(&self, picture: u64) -> bool {
        let wanted = self.recording_wanted > 0 && self.recording.is_none();
        wanted || self.pages.values().any(|page| page.wants(picture))
    }
}

impl Page {
    fn wants(&self, picture: u64) -> bool {
        !self.closing && self.sent < IN_FLIGHT && self.frame.is_none() && self.seen < picture
    }
}
