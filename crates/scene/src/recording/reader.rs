//! Reading a recording, finished or not, damaged or not.

use super::chunk::{self, Chunk, START_LENGTH, TRAILER_LENGTH, take_shuffled};
use super::{
    RecordedObstacles, RecordingError, RecordingHeader, RecordingInfo, RenderSurfaces,
    lumped_volumes,
};
use crate::bytes::Reader;
use pliant_mesh::mesh::DEFAULT_REGION;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Where a frame is and when it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameEntry {
    /// Position of its chunk in the file.
    pub offset: u64,
    /// Steps taken.
    pub step: u64,
    /// Time, s.
    pub time: f64,
}

/// A frame that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFrame {
    /// Steps taken.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Displacements from the rest positions, m.
    pub displacements: Vec<[f32; 3]>,
    /// Velocities, m/s, if recorded.
    pub velocities: Option<Vec<[f32; 3]>>,
    /// Von Mises stress of each element, Pa, if recorded.
    pub von_mises: Option<Vec<f32>>,
    /// What the method does with each element, if recorded.
    pub states: Option<Vec<u8>>,
}

/// Reads a recording with random access to its frames.
#[derive(Debug)]
pub struct RecordingReader<R> {
    file: R,
    length: u64,
    header: RecordingHeader,
    entries: Vec<FrameEntry>,
    complete: bool,
}

impl RecordingReader<BufReader<File>> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        RecordingReader::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read + Seek> RecordingReader<R> {
    /// Reads header and index. A recording that was not finished is searched up to its last whole frame.
    pub fn new(mut file: R) -> Result<Self, RecordingError> {
        let length = file.seek(SeekFrom::End(0))?;
        let (header, first_frame) = read_header(&mut file, length)?;
        let index = read_index(&mut file, first_frame, length)?;
        let complete = index.is_some();
        let entries = match index {
            Some(entries) => entries,
            None => scan(&mut file, first_frame, length)?.0,
        };
        Ok(RecordingReader {
            file,
            length,
            header,
            entries,
            complete,
        })
    }

    /// The constant part.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// Number of frames.
    pub fn frame_count(&self) -> usize {
        self.entries.len()
    }

    /// When the frames were.
    pub fn entries(&self) -> &[FrameEntry] {
        &self.entries
    }

    /// Whether the run that wrote it came to its end.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Reads a frame, counted from 0.
    pub fn frame(&mut self, frame: usize) -> Result<RecordedFrame, RecordingError> {
        let count = self.entries.len();
        let no_such_frame = RecordingError::NoSuchFrame { frame, count };
        let entry = *self.entries.get(frame).ok_or(no_such_frame)?;
        let corrupt = |what| RecordingError::Corrupt {
            offset: entry.offset,
            what,
        };
        let chunk = chunk::read(&mut self.file, entry.offset, self.length)?
            .ok_or(corrupt("it is incomplete"))?;
        if chunk.tag != chunk::FRAME {
            return Err(corrupt("it is not a frame"));
        }
        let raw = chunk.raw()?;
        decode(&raw, &self.header).ok_or(corrupt("the frame does not fit the header"))
    }
}

fn decode(raw: &[u8], header: &RecordingHeader) -> Option<RecordedFrame> {
    let info = &header.info;
    let expected = info.floats_per_frame()?.checked_mul(4)?.checked_add(16)?;
    let with_states = expected.checked_add(info.elements)?;
    if raw.len() != expected && raw.len() != with_states {
        return None;
    }
    let mut reader = Reader(raw);
    let (step, time) = (reader.u64()?, reader.f64()?);
    let vectors = |values: Vec<f32>| values.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
    let displacements = vectors(take_shuffled(&mut reader, 3 * info.nodes)?);
    let velocities = match info.velocities {
        true => Some(vectors(take_shuffled(&mut reader, 3 * info.nodes)?)),
        false => None,
    };
    let von_mises = match info.stress {
        true => Some(take_shuffled(&mut reader, info.elements)?),
        false => None,
    };
    // states are recognised by the length of the frame
    let states = (!reader.0.is_empty()).then(|| reader.0.to_vec());
    Some(RecordedFrame {
        step,
        time,
        displacements,
        velocities,
        von_mises,
        states,
    })
}

/// Reads the constant part; also returns where the first frame is.
pub fn read_header<R: Read + Seek>(
    file: &mut R,
    length: u64,
) -> Result<(RecordingHeader, u64), RecordingError> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.by_ref().take(START_LENGTH).read_to_end(&mut start)?;
    let version = chunk::check_start(&start)?;
    let mut at = START_LENGTH;
    let mut next = |tag: [u8; 4]| -> Result<(Chunk, Vec<u8>), RecordingError> {
        let chunk = chunk::read(file, at, length)?.ok_or(RecordingError::Truncated)?;
        if chunk.tag != tag {
            return Err(RecordingError::Corrupt {
                offset: at,
                what: "this part of the header is missing",
            });
        }
        at = chunk.end;
        let raw = chunk.raw()?;
        Ok((chunk, raw))
    };
    let corrupt = |chunk: &Chunk, what| RecordingError::Corrupt {
        offset: chunk.offset,
        what,
    };
    let (chunk, raw) = next(chunk::INFO)?;
    let mut info: RecordingInfo = serde_json::from_slice(&raw)
        .map_err(|_| corrupt(&chunk, "the description is not as expected"))?;
    let uneven = "its length does not fit its content";
    let (chunk, raw) = next(chunk::REST)?;
    let rest = match raw.len() % 24 {
        0 => Reader(&raw).vectors(raw.len() / 24),
        _ => None,
    };
    let rest = rest.ok_or(corrupt(&chunk, uneven))?;
    let (chunk, raw) = next(chunk::ELEMENTS)?;
    let elements: Vec<[u32; 4]> = Reader(&raw).index_groups().ok_or(corrupt(&chunk, uneven))?;
    let (chunk, raw) = next(chunk::TRIANGLES)?;
    let triangles = Reader(&raw).index_groups().ok_or(corrupt(&chunk, uneven))?;
    let (mut chunk, raw) = next(chunk::EDGES)?;
    let edges = Reader(&raw).index_groups().ok_or(corrupt(&chunk, uneven))?;
    let mut masses = vec![0.0; rest.len()];
    let mut regions = vec![0; elements.len()];
    let mut render = RenderSurfaces::default();
    if version == 1 {
        info.regions = vec![DEFAULT_REGION.to_string()];
    } else {
        let mut raw;
        (chunk, raw) = next(chunk::MASSES)?;
        masses = Reader(&raw).numbers().ok_or(corrupt(&chunk, uneven))?;
        (chunk, raw) = next(chunk::REGIONS)?;
        let groups: Option<Vec<[u32; 1]>> = Reader(&raw).index_groups();
        regions = groups.ok_or(corrupt(&chunk, uneven))?.into_flattened();
        (chunk, raw) = next(chunk::RENDER_TRIANGLES)?;
        render.triangles = Reader(&raw).index_groups().ok_or(corrupt(&chunk, uneven))?;
        (chunk, raw) = next(chunk::RENDER_ELEMENTS)?;
        let groups: Option<Vec<[u32; 1]>> = Reader(&raw).index_groups();
        render.elements = groups.ok_or(corrupt(&chunk, uneven))?.into_flattened();
        (chunk, raw) = next(chunk::RENDER_WEIGHTS)?;
        let weights = Reader(&raw).numbers().ok_or(corrupt(&chunk, uneven))?;
        let (weights, left) = weights.as_chunks();
        if !left.is_empty() {
            return Err(corrupt(&chunk, uneven));
        }
        render.weights = weights.to_vec();
    }
    let (obstacles, at) = read_obstacles(file, at, length)?;
    let mut header = RecordingHeader {
        info,
        rest,
        elements,
        triangles,
        edges,
        masses,
        regions,
        render,
        obstacles,
    };
    if !header.is_consistent() {
        return Err(corrupt(
            &chunk,
            "counts, ranges and node numbers do not fit together",
        ));
    }
    if version == 1 {
        header.masses = lumped_volumes(&header.rest, &header.elements);
    }
    Ok((header, at))
}

/// The obstacles, if they follow at `at`; also returns where the next chunk is.
fn read_obstacles<R: Read + Seek>(
    file: &mut R,
    at: u64,
    length: u64,
) -> Result<(RecordedObstacles, u64), RecordingError> {
    let none = (RecordedObstacles::default(), at);
    let first = match chunk::read(file, at, length) {
        Ok(Some(chunk)) if chunk.tag == chunk::OBSTACLES => chunk,
        Err(error @ RecordingError::Io(_)) => return Err(error),
        // a damaged chunk here is as likely a frame, which readers do without
        _ => return Ok(none),
    };
    let corrupt = |chunk: &Chunk, what| RecordingError::Corrupt {
        offset: chunk.offset,
        what,
    };
    let uneven = "its length does not fit its content";
    let list = serde_json::from_slice(&first.raw()?)
        .map_err(|_| corrupt(&first, "the list of obstacles is not as expected"))?;
    let mut next = |at: u64, tag: [u8; 4]| match chunk::read(file, at, length)? {
        None => Err(RecordingError::Truncated),
        Some(chunk) if chunk.tag != tag => {
            Err(corrupt(&chunk, "this part of the obstacles is missing"))
        }
        Some(chunk) => {
            let raw = chunk.raw()?;
            Ok((chunk, raw))
        }
    };
    let (chunk, raw) = next(first.end, chunk::OBSTACLE_VERTICES)?;
    let vertices = match raw.len() % 24 {
        0 => Reader(&raw).vectors(raw.len() / 24),
        _ => None,
    };
    let vertices = vertices.ok_or(corrupt(&chunk, uneven))?;
    let (chunk, raw) = next(chunk.end, chunk::OBSTACLE_TRIANGLES)?;
    let triangles = Reader(&raw).index_groups().ok_or(corrupt(&chunk, uneven))?;
    let obstacles = RecordedObstacles {
        list,
        vertices,
        triangles,
    };
    Ok((obstacles, chunk.end))
}

/// The index at the end; `None` when there is none that can be used.
fn read_index<R: Read + Seek>(
    file: &mut R,
    first_frame: u64,
    length: u64,
) -> Result<Option<Vec<FrameEntry>>, RecordingError> {
    if length < first_frame + TRAILER_LENGTH {
        return Ok(None);
    }
    let mut trailer = [0; TRAILER_LENGTH as usize];
    file.seek(SeekFrom::Start(length - TRAILER_LENGTH))?;
    file.read_exact(&mut trailer)?;
    let mut reader = Reader(&trailer);
    let (Some(offset), Some(end)) = (reader.u64(), reader.array()) else {
        return Ok(None);
    };
    if end != chunk::END || offset < first_frame {
        return Ok(None);
    }
    let raw = match chunk::read(file, offset, length) {
        Ok(Some(chunk)) if chunk.tag == chunk::INDEX && chunk.end == length - TRAILER_LENGTH => {
            chunk.raw()
        }
        Err(RecordingError::Io(error)) => return Err(error.into()),
        _ => return Ok(None),
    };
    let Ok(raw) = raw else { return Ok(None) };
    let mut reader = Reader(&raw);
    let mut entries = Vec::with_capacity(raw.len() / 24);
    while let (Some(offset), Some(step), Some(time)) = (reader.u64(), reader.u64(), reader.f64()) {
        entries.push(FrameEntry { offset, step, time });
    }
    Ok(reader.0.is_empty().then_some(entries))
}

/// Searches the frames from `first_frame` to `limit`; also returns the end of the last whole, undamaged chunk.
pub fn scan<R: Read + Seek>(
    file: &mut R,
    first_frame: u64,
    limit: u64,
) -> Result<(Vec<FrameEntry>, u64), RecordingError> {
    let mut entries = Vec::new();
    let mut at = first_frame;
    loop {
        let chunk = match chunk::read(file, at, limit) {
            Ok(Some(chunk)) => chunk,
            // the tail of a killed run may hold anything
            Ok(None) | Err(RecordingError::Corrupt { .. }) => break,
            Err(error) => return Err(error),
        };
        if chunk.tag == chunk::FRAME {
            let Ok(beginning) = chunk.beginning::<16>() else {
                break;
            };
            let mut reader = Reader(&beginning);
            let (Some(step), Some(time)) = (reader.u64(), reader.f64()) else {
                break;
            };
            entries.push(FrameEntry {
                offset: at,
                step,
                time,
            });
        }
        at = chunk.end;
    }
    Ok((entries, at))
}
