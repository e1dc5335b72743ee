//! `pliant bench viewer`: what `pliant view` costs. Frames a second of a large surface at a socket, processor time of a paused scene, and
//! how much a watching page slows the solver down.
//!
//! The page (`page.rs`) does with a frame what a browser does, but for drawing. When it does not watch it never says that it has shown
//! a frame, and gets none. Watched and unwatched stretches take turns. Their steps a second depend on what else the machine does; the
//! processor time of the threads that simulate, per step, hardly does.

mod page;
mod plate;

use super::rows::{Row, median, row};
use super::table::{self, plain, scaled};
use super::{Options, machine, study};
use crate::view::{loader, pool};
use anyhow::{Context, Result};
use page::Page;
use pliant_view::client::{Client, Message};
use pliant_view::packet::Received;
use pliant_view::source::Source;
use pliant_view::{Listen, Live, Server};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const READY: &str = r#"{"do":"ready"}"#;
/// Length of a watched or unwatched stretch, s.
const TURN: f64 = 0.8;

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let machine = machine::describe(options);
    let (stream, pause, turns) = match options.quick {
        true => (3.0, 3.0, 14),
        false => (10.0, 10.0, 24),
    };
    let folder = std::env::temp_dir().join(format!("pliant-bench-viewer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let recorded = streaming("recording", Box::new(plate::recorded(&folder)?), stream)?;
    let live = streaming("live", Box::new(plate::carried(&folder)?), stream)?;
    std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let idle = paused(pause)?;
    let mut slowed = Vec::new();
    for scene in ["conjac/twist", "contact/stack"] {
        slowed.push(watched(scene, options.threads, turns)?);
    }
    let summary = json!({
        "triangles": recorded["triangles"],
        "frames_per_second": recorded["frames_per_second"],
        "live_frames_per_second": live["frames_per_second"],
        "paused_core_share": idle["core_share"],
        "worst_slowdown": worst(&slowed, "slowdown"),
        "worst_more_processor_time": worst(&slowed, "more_processor_time"),
    });
    let mut rows = vec![recorded, live, idle];
    rows.extend(slowed);
    table::print(
        "viewer",
        &[
            plain("measured", "measured"),
            plain("scene", "scene"),
            plain("triangles", "triangles"),
            scaled("frames/s", "frames_per_second", 1.0),
            scaled("MB/s", "bytes_per_second", 1e-6),
            scaled("% of a core", "core_share", 100.0),
            scaled("steps/s alone", "steps_per_second", 1.0),
            scaled("watched", "watched_steps_per_second", 1.0),
            scaled("slower by %", "slowdown", 100.0),
            scaled("processor time +%", "more_processor_time", 100.0),
        ],
        &rows,
    );
    Ok(study("viewer", machine, rows, summary))
}

fn worst(rows: &[Row], key: &str) -> Option<f64> {
    rows.iter()
        .filter_map(|row| row[key].as_f64())
        .reduce(f64::max)
}

/// Frames of a large surface as they arrive.
fn streaming(what: &str, source: Box<dyn Source>, seconds: f64) -> Result<Row> {
    let server = Server::start(Listen::default(), source, pool(1))?;
    let mut page = Page::open(server.addresses()[0])?;
    page.show()?;
    let (mut frames, mut bytes, began) = (0u64, 0u64, Instant::now());
    while began.elapsed().as_secs_f64() < seconds {
        frames += 1;
        bytes += page.show()?.1 as u64;
    }
    let elapsed = began.elapsed().as_secs_f64();
    server.stop();
    Ok(row(json!({
        "measured": "streaming",
        "scene": what,
        "triangles": page.triangles(),
        "seconds": elapsed,
        "frames": frames,
        "frames_per_second": frames as f64 / elapsed,
        "bytes_per_second": bytes as f64 / elapsed,
    })))
}

/// Processor time, s, of a process or thread from its `stat`; none where the system does not tell.
fn processor_seconds(stat: &Path) -> Option<f64> {
    const TICKS: f64 = 100.0; // a second, on every Linux
    let text = std::fs::read_to_string(stat).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let of = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((of(11)? + of(12)?) / TICKS)
}

/// The same of the threads that simulate: the one of the server and its pool, which has its name.
fn solver_seconds() -> Option<f64> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let threads = threads.filter_map(|entry| Some(entry.ok()?.path()));
    let simulates = |path: &PathBuf| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim() == "simulation")
    };
    let times = threads.filter(simulates);
    Some(
        times
            .filter_map(|path| processor_seconds(&path.join("stat")))
            .sum(),
    )
}

/// A scene that is paused while a page looks.
fn paused(seconds: f64) -> Result<Row> {
    let live = Live::new(loader(None), "demo", None, false).map_err(anyhow::Error::msg)?;
    let server = Server::start(Listen::default(), Box::new(live), pool(1))?;
    let mut client = Client::connect(server.addresses()[0])?;
    client.packet("frame")?;
    std::thread::sleep(Duration::from_millis(300));
    let stat = Path::new("/proc/self/stat");
    let (began, used) = (Instant::now(), processor_seconds(stat));
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let used = processor_seconds(stat)
        .zip(used)
        .map(|(now, before)| now - before);
    let share = used.map(|used| used / began.elapsed().as_secs_f64());
    server.stop();
    Ok(row(
        json!({ "measured": "paused", "scene": "demo", "seconds": seconds, "core_share": share }),
    ))
}

/// Steps a second with and without a page that watches.
fn watched(scene: &str, threads: usize, turns: usize) -> Result<Row> {
    let live = Live::new(loader(None), scene, None, true).map_err(anyhow::Error::msg)?;
    let server = Server::start(Listen::default(), Box::new(live), pool(threads))?;
    let mut page = Page::open(server.addresses()[0])?;
    page.client.send(r#"{"do":"speed","ratio":0}"#)?;
    let step = |packet: &Received| packet.head["step"].as_u64().unwrap_or(0);
    let mut rates = [Vec::new(), Vec::new()];
    // processor time and steps of all stretches of each kind
    let mut work = [(0.0, 0u64); 2];
    for number in 0..turns {
        // from the start again, so that all stretches are of the same motion
        page.client.send(r#"{"do":"reset"}"#)?;
        page.client.packet("scene")?;
        let (first, _) = page.show()?;
        let (began, used) = (Instant::now(), solver_seconds());
        let looks = number % 2 == 1;
        let last = match looks {
            true => loop {
                let (packet, _) = page.show()?;
                if began.elapsed().as_secs_f64() > TURN {
                    break packet;
                }
            },
            false => {
                // frames on the way come and are not answered; then the next is asked for
                std::thread::sleep(Duration::from_secs_f64(TURN));
                let mut held = 0;
                while held < 2 {
                    let message = page.client.receive()?;
                    held +=
                        u32::from(matches!(message, Message::Packet(p, _) if p.kind() == "frame"));
                }
                page.client.send(READY)?;
                page.client.send(READY)?;
                page.show()?.0
            }
        };
        let steps = step(&last) - step(&first);
        rates[usize::from(looks)].push(steps as f64 / began.elapsed().as_secs_f64());
        let (seconds, count) = &mut work[usize::from(looks)];
        *seconds += solver_seconds()
            .zip(used)
            .map_or(f64::NAN, |(now, before)| now - before);
        *count += steps;
    }
    server.stop();
    let [alone, seen] = rates.map(|r| median(r).unwrap_or(f64::NAN));
    let [alone_work, seen_work] = work.map(|(seconds, steps)| seconds / steps as f64);
    Ok(row(json!({
        "measured": "watched",
        "scene": scene,
        "threads": threads,
        "turns": turns,
        "steps_per_second": alone,
        "watched_steps_per_second": seen,
        "slowdown": 1.0 - seen / alone,
        "more_processor_time": (seen_work / alone_work - 1.0),
    })))
}
