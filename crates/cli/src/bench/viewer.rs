//! `pliant bench viewer`: what `pliant view` costs. Frames a second of a large surface at a socket, processor time of a paused scene, and
//! how much a watching page slows the solver down.
//!
//! The page is a socket on this machine that takes every frame at once. A page that does not watch is connected too, but never says that
//! it has shown a frame: it gets none. Watched and unwatched stretches take turns.

use super::rows::{Row, median, row};
use super::table::{self, plain, scaled};
use super::{Options, machine, study};
use crate::view::{loader, pool};
use anyhow::{Context, Result};
use pliant_linalg::{Vec3, vec3};
use pliant_scene::recording::{Frame, RecordingHeader, RecordingWriter};
use pliant_view::client::{Client, Message};
use pliant_view::{Listen, Live, Player, Server};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// A plate whose surface has 30 972 triangles.
const PLATE: &str = r#"
title = "plate"
[time]
step = "5 ms"
duration = "1 s"
[[body]]
name = "plate"
mesh.box = { size = ["1 m", "1 m", "20 mm"], cells = [87, 87, 1] }
[body.material]
young = "100 kPa"
poisson = 0.3
"#;

const READY: &str = r#"{"do":"ready"}"#;

/// The study.
pub fn run(options: &Options) -> Result<Value> {
    let machine = machine::describe(options);
    let (stream, pause, turns) = match options.quick {
        true => (3.0, 3.0, 14),
        false => (10.0, 10.0, 24),
    };
    let streamed = streaming(stream)?;
    let idle = paused(pause)?;
    let mut slowed = Vec::new();
    for scene in ["conjac/twist", "contact/stack"] {
        slowed.push(watched(scene, options.threads, turns)?);
    }
    let summary = json!({
        "frames_per_second": streamed["frames_per_second"],
        "triangles": streamed["triangles"],
        "paused_core_share": idle["core_share"],
        "worst_slowdown": slowed.iter().filter_map(|r| r["slowdown"].as_f64()).fold(f64::MIN, f64::max),
    });
    let mut rows = vec![streamed, idle];
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
        ],
        &rows,
    );
    Ok(study("viewer", machine, rows, summary))
}

/// A recording of the plate in waves, two seconds at 60 frames a second.
fn record(path: &Path) -> Result<u64> {
    let file = pliant_scene::parse(PLATE, "plate")?;
    let scene = pliant_scene::build(&file, None)?;
    let header = RecordingHeader::new(&scene);
    let triangles = header.triangles.len() as u64;
    let mut writer = RecordingWriter::create(path, &header)?;
    let rest = &scene.model.rest;
    let still = vec![Vec3::ZERO; rest.len()];
    let stress = vec![0.0; scene.model.element_count()];
    for step in 0..120u64 {
        let time = step as f64 / 60.0;
        let lift = |x: &Vec3| *x + vec3(0.0, 0.0, 0.05 * (12.0 * x.x + 6.0 * time).sin());
        let positions: Vec<Vec3> = rest.iter().map(lift).collect();
        writer.frame(Frame {
            step,
            time,
            positions: &positions,
            velocities: &still,
            von_mises: &stress,
            states: None,
        })?;
    }
    writer.finish()?;
    Ok(triangles)
}

/// Frames of the plate as they arrive.
fn streaming(seconds: f64) -> Result<Row> {
    let name = format!("pliant-bench-viewer-{}.pliant", std::process::id());
    let path = std::env::temp_dir().join(name);
    let triangles = record(&path)?;
    let player = Player::open(&path, true)?;
    let server = Server::start(Listen::default(), Box::new(player), |work| work())?;
    let mut client = Client::connect(server.addresses()[0])?;
    let (mut frames, mut bytes) = (0u64, 0u64);
    client.packet("frame")?;
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < seconds {
        match client.receive()? {
            Message::Packet(packet, length) if packet.kind() == "frame" => {
                frames += 1;
                bytes += length as u64;
                client.send(READY)?;
            }
            // the end of the recording: once more from the start
            Message::Text(status) if status["playing"] == false => {
                client.send(r#"{"do":"play"}"#)?
            }
            _ => {}
        }
    }
    let elapsed = began.elapsed().as_secs_f64();
    server.stop();
    std::fs::remove_file(&path).with_context(|| path.display().to_string())?;
    Ok(row(json!({
        "measured": "streaming",
        "scene": "plate",
        "triangles": triangles,
        "seconds": elapsed,
        "frames": frames,
        "frames_per_second": frames as f64 / elapsed,
        "bytes_per_second": bytes as f64 / elapsed,
    })))
}

/// Processor time of this process since its start, s; none where the system does not tell.
fn processor_seconds() -> Option<f64> {
    const TICKS: f64 = 100.0; // a second, on every Linux
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let of = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((of(11)? + of(12)?) / TICKS)
}

/// A scene that is paused while a page looks.
fn paused(seconds: f64) -> Result<Row> {
    let live = Live::new(loader(None), "demo", None, false).map_err(anyhow::Error::msg)?;
    let server = Server::start(Listen::default(), Box::new(live), pool(1))?;
    let mut client = Client::connect(server.addresses()[0])?;
    client.packet("frame")?;
    std::thread::sleep(Duration::from_millis(300));
    let (began, used) = (Instant::now(), processor_seconds());
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let used = processor_seconds()
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
    let mut client = Client::connect(server.addresses()[0])?;
    client.send(r#"{"do":"speed","ratio":0}"#)?;
    client.packet("frame")?;
    let step = |packet: &pliant_view::packet::Received| packet.head["step"].as_u64().unwrap_or(0);
    let turn = 0.8;
    let mut rates = [Vec::new(), Vec::new()];
    for number in 0..turns {
        // from the start again, so that all stretches are of the same motion
        client.send(r#"{"do":"reset"}"#)?;
        client.packet("scene")?;
        let (first, _) = client.packet("frame")?;
        let began = Instant::now();
        let looks = number % 2 == 1;
        let last = match looks {
            true => loop {
                let (packet, _) = client.packet("frame")?;
                if began.elapsed().as_secs_f64() > turn {
                    break packet;
                }
            },
            false => {
                // frames on the way come, and are not answered; then the next is asked for
                std::thread::sleep(Duration::from_secs_f64(turn));
                let mut held = 0;
                while held < 2 {
                    let message = client.receive()?;
                    held +=
                        u32::from(matches!(message, Message::Packet(p, _) if p.kind() == "frame"));
                }
                client.send(READY)?;
                client.send(READY)?;
                client.packet("frame")?.0
            }
        };
        let rate = (step(&last) - step(&first)) as f64 / began.elapsed().as_secs_f64();
        rates[usize::from(looks)].push(rate);
    }
    server.stop();
    let [alone, seen] = rates.map(|r| median(r).unwrap_or(f64::NAN));
    Ok(row(json!({
        "measured": "watched",
        "scene": scene,
        "threads": threads,
        "turns": turns,
        "steps_per_second": alone,
        "watched_steps_per_second": seen,
        "slowdown": 1.0 - seen / alone,
    })))
}
