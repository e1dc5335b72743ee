//! The outer layer of a recording: checked, compressed chunks.

use super::{RecordingError, VERSION};
use crate::bytes::{Put, Reader};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// First bytes of a recording; the high bit and the line ends reveal transfers that change bytes.
const MAGIC: [u8; 8] = *b"\x89PLR\r\n\x1a\n";
/// Magic, version and four bytes of zero.
pub const START_LENGTH: u64 = 16;
/// Tag, checksum, stored length, raw length.
pub const CHUNK_HEADER: u64 = 24;
/// Position of the index and [`END`].
pub const TRAILER_LENGTH: u64 = 16;
/// Last bytes of a finished recording.
pub const END: [u8; 8] = *b"PLR.END\n";

pub const INFO: [u8; 4] = *b"INFO";
pub const REST: [u8; 4] = *b"REST";
pub const ELEMENTS: [u8; 4] = *b"ELEM";
pub const TRIANGLES: [u8; 4] = *b"TRIS";
pub const EDGES: [u8; 4] = *b"EDGE";
pub const MASSES: [u8; 4] = *b"MASS";
pub const REGIONS: [u8; 4] = *b"REGI";
pub const RENDER_TRIANGLES: [u8; 4] = *b"RTRI";
pub const RENDER_ELEMENTS: [u8; 4] = *b"RELE";
pub const RENDER_WEIGHTS: [u8; 4] = *b"RWEI";
pub const OBSTACLES: [u8; 4] = *b"OBST";
pub const OBSTACLE_VERTICES: [u8; 4] = *b"OVER";
pub const OBSTACLE_TRIANGLES: [u8; 4] = *b"OTRI";
pub const FRAME: [u8; 4] = *b"FRAM";
pub const INDEX: [u8; 4] = *b"INDX";

/// Single-precision noise hardly shrinks further at higher levels, which take several times as long.
const LEVEL: u32 = 3;
/// Deflate expands a byte to at most 1032.
const LARGEST_EXPANSION: u64 = 1032;

pub fn start() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.put_u32(VERSION);
    bytes.put_u32(0);
    bytes
}

/// The version of the format, if it can be read.
pub fn check_start(bytes: &[u8]) -> Result<u32, RecordingError> {
    let mut reader = Reader(bytes);
    if reader.array() != Some(MAGIC) {
        return Err(RecordingError::NotARecording);
    }
    match reader.u32() {
        Some(version @ 1..=VERSION) => Ok(version),
        Some(found) => Err(RecordingError::Version { found }),
        None => Err(RecordingError::Truncated),
    }
}

/// The bytes of a chunk.
pub fn encode(tag: [u8; 4], raw: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(vec![0; CHUNK_HEADER as usize], Compression::new(LEVEL));
    encoder.write_all(raw)?;
    let mut chunk = encoder.finish()?;
    let stored = chunk.len() as u64 - CHUNK_HEADER;
    chunk[0..4].copy_from_slice(&tag);
    chunk[8..16].copy_from_slice(&stored.to_le_bytes());
    chunk[16..24].copy_from_slice(&(raw.len() as u64).to_le_bytes());
    let sum = checksum(&chunk);
    chunk[4..8].copy_from_slice(&sum.to_le_bytes());
    Ok(chunk)
}

/// crc32 of the whole chunk without the four bytes that hold it.
fn checksum(chunk: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&chunk[0..4]);
    hasher.update(&chunk[8..]);
    hasher.finalize()
}

/// A chunk as it is stored, checked.
pub struct Chunk {
    pub tag: [u8; 4],
    pub offset: u64,
    /// Where the next one begins.
    pub end: u64,
    raw_length: usize,
    stored: Vec<u8>,
}

impl Chunk {
    fn corrupt(&self, what: &'static str) -> RecordingError {
        RecordingError::Corrupt {
            offset: self.offset,
            what,
        }
    }

    /// The content.
    pub fn raw(&self) -> Result<Vec<u8>, RecordingError> {
        let mut raw = Vec::with_capacity(self.raw_length);
        // one byte more than announced shows that the length is wrong
        let mut decoder = ZlibDecoder::new(&self.stored[..]).take(self.raw_length as u64 + 1);
        if decoder.read_to_end(&mut raw).is_err() {
            return Err(self.corrupt("its content cannot be inflated"));
        }
        if raw.len() != self.raw_length {
            return Err(self.corrupt("its content has another length than announced"));
        }
        Ok(raw)
    }

    /// The first bytes of the content.
    pub fn beginning<const N: usize>(&self) -> Result<[u8; N], RecordingError> {
        let mut bytes = [0; N];
        let mut decoder = ZlibDecoder::new(&self.stored[..]);
        match decoder.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(_) => Err(self.corrupt("its content cannot be inflated")),
        }
    }
}

/// Reads the chunk at `offset` of a file of `length` bytes; `None` when the file ends within it.
pub fn read<R: Read + Seek>(
    file: &mut R,
    offset: u64,
    length: u64,
) -> Result<Option<Chunk>, RecordingError> {
    let corrupt = |what| RecordingError::Corrupt { offset, what };
    let room = length.saturating_sub(offset);
    if room < CHUNK_HEADER {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut chunk = vec![0; CHUNK_HEADER as usize];
    file.read_exact(&mut chunk)?;
    let mut header = Reader(&chunk);
    let fields = (header.array(), header.u32(), header.u64(), header.u64());
    let (Some(tag), Some(sum), Some(stored), Some(raw)) = fields else {
        return Err(corrupt("its header is incomplete"));
    };
    if stored > room - CHUNK_HEADER {
        return Ok(None);
    }
    if raw / LARGEST_EXPANSION > stored {
        return Err(corrupt("it announces more content than it can hold"));
    }
    let too_long = |_| corrupt("it is too long for this machine");
    let raw_length = usize::try_from(raw).map_err(too_long)?;
    chunk.resize(
        CHUNK_HEADER as usize + usize::try_from(stored).map_err(too_long)?,
        0,
    );
    file.read_exact(&mut chunk[CHUNK_HEADER as usize..])?;
    if checksum(&chunk) != sum {
        return Err(corrupt("its checksum is wrong"));
    }
    Ok(Some(Chunk {
        tag,
        offset,
        end: offset + CHUNK_HEADER + stored,
        raw_length,
        stored: chunk.split_off(CHUNK_HEADER as usize),
    }))
}

/// Appends numbers with their bytes sorted by significance, which compresses better.
pub fn put_shuffled(bytes: &mut Vec<u8>, values: &[f32]) {
    for significance in 0..4 {
        bytes.extend(values.iter().map(|v| v.to_le_bytes()[significance]));
    }
}

/// Reverses [`put_shuffled`].
pub fn take_shuffled(reader: &mut Reader<'_>, count: usize) -> Option<Vec<f32>> {
    let planes = reader.take(count.checked_mul(4)?)?;
    let value = |i| f32::from_le_bytes(std::array::from_fn(|k| planes[k * count + i]));
    Some((0..count).map(value).collect())
}
