//! Writing a recording, and going on with one.

use super::chunk::{self, END, put_shuffled};
use super::reader::{FrameEntry, read_header, scan};
use super::{RecordingError, RecordingHeader, RecordingInfo};
use crate::bytes::Put;
use pliant_linalg::{Vec3, flat};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// What is recorded at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Steps taken.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Node positions, m.
    pub positions: &'a [Vec3],
    /// Node velocities, m/s; written if the header says so.
    pub velocities: &'a [Vec3],
    /// Von Mises stress of each element, Pa; written if the header says so.
    pub von_mises: &'a [f64],
    /// What the method does with each element, 0 where it simply deforms; written if given.
    pub states: Option<&'a [u8]>,
}

/// How far a recording has got: what a checkpoint keeps of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingPosition {
    /// Bytes up to the end of the last frame.
    pub bytes: u64,
    /// Frames in them.
    pub frames: u64,
}

/// Writes a recording frame by frame; each frame is in the file when [`RecordingWriter::frame`] returns.
#[derive(Debug)]
pub struct RecordingWriter {
    file: File,
    info: RecordingInfo,
    rest: Vec<Vec3>,
    entries: Vec<FrameEntry>,
    length: u64,
    raw: Vec<u8>,
    values: Vec<f32>,
}

impl RecordingWriter {
    /// Begins a recording, replacing a file of that name.
    pub fn create(path: &Path, header: &RecordingHeader) -> Result<Self, RecordingError> {
        if !header.is_consistent() {
            return Err(RecordingError::Corrupt {
                offset: 0,
                what: "counts, ranges and node numbers of the header do not fit together",
            });
        }
        let mut writer = RecordingWriter {
            file: File::create(path)?,
            info: header.info.clone(),
            rest: header.rest.clone(),
            entries: Vec::new(),
            length: 0,
            raw: Vec::new(),
            values: Vec::new(),
        };
        writer.append(&chunk::start())?;
        let info = serde_json::to_vec(&header.info).map_err(io::Error::other)?;
        writer.append(&chunk::encode(chunk::INFO, &info)?)?;
        let mut raw = Vec::new();
        raw.put_vectors(&header.rest);
        writer.append(&chunk::encode(chunk::REST, &raw)?)?;
        for (tag, indices) in [
            (chunk::ELEMENTS, header.elements.as_flattened()),
            (chunk::TRIANGLES, header.triangles.as_flattened()),
            (chunk::EDGES, header.edges.as_flattened()),
        ] {
            raw.clear();
            indices.iter().for_each(|&n| raw.put_u32(n));
            writer.append(&chunk::encode(tag, &raw)?)?;
        }
        raw.clear();
        header.masses.iter().for_each(|&m| raw.put_f64(m));
        writer.append(&chunk::encode(chunk::MASSES, &raw)?)?;
        let render = &header.render;
        for (tag, indices) in [
            (chunk::REGIONS, &header.regions[..]),
            (chunk::RENDER_TRIANGLES, render.triangles.as_flattened()),
            (chunk::RENDER_ELEMENTS, &render.elements[..]),
        ] {
            raw.clear();
            indices.iter().for_each(|&n| raw.put_u32(n));
            writer.append(&chunk::encode(tag, &raw)?)?;
        }
        raw.clear();
        let weights = render.weights.as_flattened().iter();
        weights.for_each(|&w| raw.put_f64(w));
        writer.append(&chunk::encode(chunk::RENDER_WEIGHTS, &raw)?)?;
        let obstacles = &header.obstacles;
        if !obstacles.list.is_empty() {
            let list = serde_json::to_vec(&obstacles.list).map_err(io::Error::other)?;
            writer.append(&chunk::encode(chunk::OBSTACLES, &list)?)?;
            raw.clear();
            raw.put_vectors(&obstacles.vertices);
            writer.append(&chunk::encode(chunk::OBSTACLE_VERTICES, &raw)?)?;
            raw.clear();
            let corners = obstacles.triangles.as_flattened().iter();
            corners.for_each(|&v| raw.put_u32(v));
            writer.append(&chunk::encode(chunk::OBSTACLE_TRIANGLES, &raw)?)?;
        }
        Ok(writer)
    }

    /// Goes on at `position`, dropping what was written after it. The finished file is the same, byte for byte, as
    /// if the run had not been interrupted.
    pub fn resume(path: &Path, position: RecordingPosition) -> Result<Self, RecordingError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let length = file.seek(SeekFrom::End(0))?;
        if length < position.bytes {
            return Err(RecordingError::CannotResume {
                what: "it is shorter than when the checkpoint was written",
            });
        }
        let (header, first_frame) = read_header(&mut file, position.bytes)?;
        let (entries, end) = scan(&mut file, first_frame, position.bytes)?;
        if end != position.bytes || entries.len() as u64 != position.frames {
            return Err(RecordingError::CannotResume {
                what: "its frames are not those of the checkpoint",
            });
        }
        file.set_len(position.bytes)?;
        file.seek(SeekFrom::Start(position.bytes))?;
        Ok(RecordingWriter {
            file,
            info: header.info,
            rest: header.rest,
            entries,
            length: position.bytes,
            raw: Vec::new(),
            values: Vec::new(),
        })
    }

    /// Appends a frame.
    pub fn frame(&mut self, frame: Frame<'_>) -> Result<(), RecordingError> {
        let (nodes, elements) = (self.info.nodes, self.info.elements);
        let check = |what, wanted: bool, found, expected| {
            if wanted && found != expected {
                return Err(RecordingError::FrameSize {
                    what,
                    found,
                    expected,
                });
            }
            Ok(())
        };
        check("positions", true, frame.positions.len(), nodes)?;
        check(
            "velocities",
            self.info.velocities,
            frame.velocities.len(),
            nodes,
        )?;
        check(
            "stresses",
            self.info.stress,
            frame.von_mises.len(),
            elements,
        )?;
        let states = frame.states.unwrap_or_default();
        check("states", frame.states.is_some(), states.len(), elements)?;

        self.raw.clear();
        self.raw.put_u64(frame.step);
        self.raw.put_f64(frame.time);
        let moved = flat(frame.positions).iter().zip(flat(&self.rest));
        self.values.clear();
        self.values.extend(moved.map(|(x, rest)| (x - rest) as f32));
        put_shuffled(&mut self.raw, &self.values);
        if self.info.velocities {
            self.values.clear();
            self.values
                .extend(flat(frame.velocities).iter().map(|&v| v as f32));
            put_shuffled(&mut self.raw, &self.values);
        }
        if self.info.stress {
            self.values.clear();
            self.values
                .extend(frame.von_mises.iter().map(|&s| s as f32));
            put_shuffled(&mut self.raw, &self.values);
        }
        self.raw.extend_from_slice(states);
        let entry = FrameEntry {
            offset: self.length,
            step: frame.step,
            time: frame.time,
        };
        let bytes = chunk::encode(chunk::FRAME, &self.raw)?;
        self.append(&bytes)?;
        self.entries.push(entry);
        Ok(())
    }

    /// How far the recording has got.
    pub fn position(&self) -> RecordingPosition {
        RecordingPosition {
            bytes: self.length,
            frames: self.entries.len() as u64,
        }
    }

    /// Waits until everything is on the disk; call it before a checkpoint that relies on the position returned.
    pub fn sync(&mut self) -> Result<RecordingPosition, RecordingError> {
        self.file.sync_data()?;
        Ok(self.position())
    }

    /// Writes the index, so that readers need not search for frames, and closes the file.
    pub fn finish(mut self) -> Result<RecordingPosition, RecordingError> {
        let position = self.position();
        let mut raw = Vec::new();
        for entry in &self.entries {
            raw.put_u64(entry.offset);
            raw.put_u64(entry.step);
            raw.put_f64(entry.time);
        }
        let mut tail = chunk::encode(chunk::INDEX, &raw)?;
        tail.put_u64(self.length);
        tail.extend_from_slice(&END);
        self.append(&tail)?;
        self.file.sync_all()?;
        Ok(position)
    }

    /// Appends bytes, or leaves the file as it was.
    fn append(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        if let Err(error) = self.file.write_all(bytes) {
            // if this fails too, the unfinished chunk at the end is ignored by readers
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(error.into());
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}
