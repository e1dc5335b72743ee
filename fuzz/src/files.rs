//! Everything that is read besides meshes. Checksums are made right first: behind them is what is worth looking at.

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::recording::{Frame, RecordingHeader, RecordingReader, RecordingWriter};
use pliant_scene::trained::TrainedFile;
use pliant_scene::{Scene, build_limited, parse};
use pliant_solid::Simulation;
use pliant_solid::subspace::{Fingerprint, TrainedDomain, TrainedModel};
use pliant_view::message::Command;
use std::io::{Cursor, Read, Write};
use std::sync::OnceLock;

/// Bytes before what a checksum covers: magic, version, checksum, length.
const SEAL: usize = 24;
/// Bytes before the first chunk of a recording, and before the content of a chunk.
const START: usize = 16;
const CHUNK: usize = 24;

const SMALL: &str = "title = \"s\"\ntime.duration = 1\nrecord.velocities = true\n[[body]]\nname = \"b\"\n\
    mesh.bar = { size = [1, 1, 1], cells = [1, 1, 1] }\nmaterial = { young = 1e5, poisson = 0.4 }\n\
    [[obstacle]]\nhalf_space = { point = [0, 0, -1], normal = [0, 0, 1] }\n";

fn small() -> Scene {
    build_limited(&parse(SMALL, "small").expect("a scene"), None, 100).expect("a model")
}

pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let refused = match parse(text, "fuzz.toml") {
        Ok(file) => build_limited(&file, None, 300).err(),
        Err(error) => Some(error),
    };
    if let Some(error) = refused {
        assert!(error.line > 0 && !error.message.is_empty());
    }
}

pub fn message(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(command) = serde_json::from_str::<Command>(text) {
        let _ = (command.is_finite(), command.is_for_everybody());
    }
}

/// A checkpoint after a step.
pub fn good_checkpoint() -> Vec<u8> {
    let scene = small();
    let mut simulation =
        Simulation::new(scene.model, scene.settings, scene.method).expect("a simulation");
    simulation.step().expect("a step");
    let checkpoint = Checkpoint {
        state: simulation.state().clone(),
        scene: "small".into(),
        digest: 1,
        method: "full".into(),
        settings: String::new(),
        changes: String::new(),
        outputs: Vec::new(),
    };
    checkpoint.to_bytes()
}

pub fn good_model() -> Vec<u8> {
    let scene = small();
    let count = scene.model.node_count() as u32;
    let domain = TrainedDomain {
        elements: vec![0, 1],
        nodes: (0..count).collect(),
        rank: 1,
        basis: vec![0.1; 3 * count as usize],
        rigid_modes: 0,
        cubature: vec![(0, 1.5)],
        error: 0.01,
    };
    let model = TrainedModel {
        body: "b".into(),
        fingerprint: Fingerprint::of_body(&scene.model, 0),
        domains: vec![domain],
        interface: Vec::new(),
        weights: None,
    };
    let file = TrainedFile { model, scene: "small".into(), digest: 1, settings: String::new() };
    file.to_bytes()
}

/// A whole recording of two frames.
pub fn good_recording() -> Vec<u8> {
    let scene = small();
    let path = std::env::temp_dir().join(format!("pliant-fuzz-{}", std::process::id()));
    let mut writer = RecordingWriter::create(&path, &RecordingHeader::new(&scene)).expect("a file");
    let (x, stress) = (&scene.model.rest, vec![0.0; scene.model.element_count()]);
    for step in 0..2 {
        let frame = Frame {
            step,
            time: step as f64,
            positions: x,
            velocities: x,
            von_mises: &stress,
            states: None,
        };
        writer.frame(frame).expect("a frame");
    }
    writer.finish().expect("a recording");
    let bytes = std::fs::read(&path).expect("what was written");
    let _ = std::fs::remove_file(&path);
    bytes
}

/// What the checksum of a good file covers: a seed.
pub fn content(file: &[u8]) -> &[u8] {
    &file[SEAL..]
}

/// `content` in the seal of a good file.
fn sealed(good: &[u8], content: &[u8]) -> Vec<u8> {
    let mut file = good[..12].to_vec();
    file.extend(crc32fast::hash(content).to_le_bytes());
    file.extend((content.len() as u64).to_le_bytes());
    file.extend(content);
    file
}

pub fn checkpoint(bytes: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let _ = Checkpoint::from_bytes(bytes);
    let file = sealed(GOOD.get_or_init(good_checkpoint), bytes);
    if let Ok(read) = Checkpoint::from_bytes(&file) {
        assert_eq!(read.to_bytes(), file, "what is read is what is there");
    }
}

pub fn model(bytes: &[u8]) {
    static GOOD: OnceLock<(Vec<u8>, Scene)> = OnceLock::new();
    let (good, scene) = GOOD.get_or_init(|| (good_model(), small()));
    let _ = TrainedFile::from_bytes(bytes);
    if let Ok(file) = TrainedFile::from_bytes(&sealed(good, bytes)) {
        let _ = file.model.check(&scene.model);
    }
}

/// The chunks of a recording as seeds have them: tag, length (u32), content.
pub fn unpacked(recording: &[u8]) -> Vec<u8> {
    let mut rest = &recording[START..];
    let mut seed = Vec::new();
    while rest.len() >= CHUNK {
        let stored = u64::from_le_bytes(rest[8..16].try_into().expect("eight bytes")) as usize;
        let Some(packed) = rest.get(CHUNK..CHUNK + stored) else { break };
        let mut raw = Vec::new();
        ZlibDecoder::new(packed).read_to_end(&mut raw).expect("a good chunk");
        seed.extend(&rest[..4]);
        seed.extend((raw.len() as u32).to_le_bytes());
        seed.extend(&raw);
        rest = &rest[CHUNK + stored..];
    }
    seed
}

fn packed(good: &[u8], mut seed: &[u8]) -> Vec<u8> {
    let mut file = good[..START].to_vec();
    while let Some((head, rest)) = seed.split_at_checked(8) {
        let length = u32::from_le_bytes(head[4..].try_into().expect("four bytes")) as usize;
        let (raw, rest) = rest.split_at(length.min(rest.len()));
        let mut encoder = ZlibEncoder::new(vec![0; CHUNK], Compression::none());
        encoder.write_all(raw).expect("memory");
        let mut chunk = encoder.finish().expect("memory");
        let stored = (chunk.len() - CHUNK) as u64;
        chunk[..4].copy_from_slice(&head[..4]);
        chunk[8..16].copy_from_slice(&stored.to_le_bytes());
        chunk[16..24].copy_from_slice(&(raw.len() as u64).to_le_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&chunk[..4]);
        sum.update(&chunk[8..]);
        chunk[4..8].copy_from_slice(&sum.finalize().to_le_bytes());
        file.extend(chunk);
        seed = rest;
    }
    file
}

pub fn recording(bytes: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    look_at(bytes);
    look_at(&packed(GOOD.get_or_init(good_recording), bytes));
}

fn look_at(bytes: &[u8]) {
    let Ok(mut reader) = RecordingReader::new(Cursor::new(bytes)) else { return };
    let nodes = reader.header().info.nodes;
    for frame in 0..reader.frame_count().min(4) {
        if let Ok(frame) = reader.frame(frame) {
            assert_eq!(frame.displacements.len(), nodes);
        }
    }
}
