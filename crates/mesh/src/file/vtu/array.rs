//! One DataArray of a VTU file: where its numbers are and how they are wrapped (text, bytes, base64, zlib), decoded
//! in pieces on all threads.

use crate::file::base64;
use crate::file::bytes::ByteOrder;
use crate::file::error::{Place, ReadError};
use crate::file::input::Input;
use flate2::{Decompress, FlushDecompress, Status};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a thread decodes at a time.
const PIECE: u64 = 256 << 10;

/// Deflate expands at most this many times (and a little for the wrapping).
const EXPANSION: u64 = 1040;

/// Types of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Number {
    /// By VTK's name. Strings are bytes, each ended by a zero.
    pub fn by_name(name: &str) -> Option<Number> {
        Some(match name {
            "Int8" => Number::I8,
            "UInt8" | "String" => Number::U8,
            "Int16" => Number::I16,
            "UInt16" => Number::U16,
            "Int32" => Number::I32,
            "UInt32" => Number::U32,
            "Int64" => Number::I64,
            "UInt64" => Number::U64,
            "Float32" => Number::F32,
            "Float64" => Number::F64,
            _ => return None,
        })
    }

    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::I64 | Number::U64 | Number::F64 => 8,
        }
    }

    /// Whether it has a fraction.
    pub fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }

    /// As a whole number; a fraction or a number beyond 63 bits has none.
    #[inline(always)]
    pub fn integer(self, order: ByteOrder, bytes: &[u8]) -> Option<i64> {
        Some(match self {
            Number::I8 => i64::from(bytes[0] as i8),
            Number::U8 => i64::from(bytes[0]),
            Number::I16 => i64::from(order.i16(bytes)),
            Number::U16 => i64::from(order.u16(bytes)),
            Number::I32 => i64::from(order.i32(bytes)),
            Number::U32 => i64::from(order.u32(bytes)),
            Number::I64 => order.i64(bytes),
            Number::U64 => i64::try_from(order.u64(bytes)).ok()?,
            Number::F32 | Number::F64 => {
                let value = self.float(order, bytes);
                let whole = value as i64;
                return (whole as f64 == value).then_some(whole);
            }
        })
    }

    /// As a real number.
    #[inline(always)]
    pub fn float(self, order: ByteOrder, bytes: &[u8]) -> f64 {
        match self {
            Number::F32 => f64::from(order.f32(bytes)),
            Number::F64 => order.f64(bytes),
            whole => whole.integer(order, bytes).unwrap_or(i64::MAX) as f64,
        }
    }

    /// Appends the bytes of a number written as text, low byte first.
    pub fn encode(self, text: &[u8], out: &mut Vec<u8>) -> Option<()> {
        use crate::file::lines::parse;
        match self {
            Number::F32 => out.extend_from_slice(&parse::<f32>(text)?.to_le_bytes()),
            Number::F64 => out.extend_from_slice(&parse::<f64>(text)?.to_le_bytes()),
            Number::U64 => out.extend_from_slice(&parse::<u64>(text)?.to_le_bytes()),
            whole => {
                let value: i64 = parse(text)?;
                let bytes = value.to_le_bytes();
                let size = whole.size();
                out.extend_from_slice(&bytes[..size]);
                // what was cut off must be nothing but the sign
                let kept = whole.integer(ByteOrder::Little, &bytes[..size]);
                if kept != Some(value) {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// Where the bytes of an array are.
pub enum Storage {
    /// In memory, low byte first: they were text.
    Held(Vec<u8>),
    /// In the file.
    Raw {
        /// Where they begin.
        offset: u64,
        /// How many there are.
        length: u64,
    },
    /// In the file in base64.
    Base64 {
        /// Where the characters begin.
        offset: u64,
        /// Bytes of a header before the data.
        skip: u64,
        /// Bytes of data.
        length: u64,
    },
    /// Compressed in blocks.
    Blocks(Blocks),
}

/// Blocks of zlib data, one after the other.
pub struct Blocks {
    /// Whether they are in base64.
    pub base64: bool,
    /// Where the first begins.
    pub offset: u64,
    /// Bytes of every block but the last, decompressed.
    pub size: u64,
    /// Bytes of all, decompressed.
    pub length: u64,
    /// Where each block ends, compressed, counted from the first; begins with 0.
    pub ends: Vec<u64>,
}

/// An array of numbers.
pub struct DataArray {
    /// Its name.
    pub name: String,
    /// Type of its numbers.
    pub number: Number,
    /// Order of their bytes.
    pub order: ByteOrder,
    /// Numbers of a point or cell.
    pub components: usize,
    /// Where they are.
    pub storage: Storage,
    /// Position of its tag, for errors.
    pub start: u64,
}

impl DataArray {
    /// Bytes of data.
    fn length(&self) -> u64 {
        match &self.storage {
            Storage::Held(bytes) => bytes.len() as u64,
            Storage::Raw { length, .. } | Storage::Base64 { length, .. } => *length,
            Storage::Blocks(blocks) => blocks.length,
        }
    }

    /// How many numbers there are.
    pub fn value_count(&self) -> usize {
        (self.length() / self.number.size() as u64) as usize
    }

    /// An error about this array.
    pub fn error(&self, input: &Input, message: impl Into<String>) -> ReadError {
        ReadError::new(input.name(), message).at(Place::Byte {
            offset: self.start,
            section: format!("DataArray \"{}\"", self.name),
        })
    }

    /// Decodes groups of `values` numbers. `convert` gets the index and the bytes of a group; the first group that it
    /// refuses is `Err(index)` inside `Ok`. `zero` is any value.
    pub fn groups<T: Copy + Send>(
        &self,
        input: &Input,
        values: usize,
        zero: T,
        convert: impl Fn(usize, &[u8]) -> Option<T> + Sync,
    ) -> Result<Result<Vec<T>, usize>, ReadError> {
        let size = values * self.number.size();
        let count = (self.length() / size as u64) as usize;
        if count == 0 {
            // the header of no blocks may give them no size
            return Ok(Ok(Vec::new()));
        }
        let groups_per_piece = self.groups_per_piece(size as u64)?.max(1);
        let mut list = vec![zero; count];
        let refused = AtomicUsize::new(usize::MAX);
        list.par_chunks_mut(groups_per_piece)
            .enumerate()
            .try_for_each_init(Piece::default, |piece, (index, out)| {
                let first = index * groups_per_piece;
                let from = (first * size) as u64;
                let bytes = self.bytes(input, from, from + (out.len() * size) as u64, piece)?;
                for (i, (value, group)) in out.iter_mut().zip(bytes.chunks_exact(size)).enumerate()
                {
                    match convert(first + i, group) {
                        Some(converted) => *value = converted,
                        None => {
                            refused.fetch_min(first + i, Ordering::Relaxed);
                            break;
                        }
                    }
                }
                Ok::<(), ReadError>(())
            })?;
        Ok(match refused.into_inner() {
            usize::MAX => Ok(list),
            index => Err(index),
        })
    }

    /// All numbers as whole ones.
    pub fn integers(&self, input: &Input) -> Result<Vec<i64>, ReadError> {
        let (number, order) = (self.number, self.byte_order());
        let values = self.groups(input, 1, 0, |_, b| number.integer(order, b))?;
        values.map_err(|index| self.error(input, format!("number {index} is not a whole number")))
    }

    /// Order of the bytes as they come out of [`DataArray::groups`].
    pub fn byte_order(&self) -> ByteOrder {
        match self.storage {
            Storage::Held(_) => ByteOrder::Little,
            _ => self.order,
        }
    }

    /// Groups that a thread decodes at a time: whole blocks where there are blocks.
    fn groups_per_piece(&self, size: u64) -> Result<usize, ReadError> {
        let piece = match &self.storage {
            Storage::Blocks(blocks) => {
                let common = least_common_multiple(blocks.size, size);
                // blocks that never line up with the groups are decoded at once
                let common = common.filter(|c| *c <= PIECE.max(blocks.size).saturating_mul(16));
                match common {
                    Some(common) => common * (PIECE / common).max(1),
                    None => blocks.length.max(size),
                }
            }
            _ => PIECE,
        };
        Ok((piece / size) as usize)
    }

    /// Bytes `from` to `to` of the data.
    fn bytes<'b>(
        &'b self,
        input: &Input,
        from: u64,
        to: u64,
        piece: &'b mut Piece,
    ) -> Result<&'b [u8], ReadError> {
        let Piece {
            bytes,
            text,
            packed,
            inflater,
        } = piece;
        bytes.clear();
        match &self.storage {
            Storage::Held(held) => return Ok(&held[from as usize..to as usize]),
            Storage::Raw { offset, .. } => {
                bytes.resize((to - from) as usize, 0);
                if input.read_at(offset + from, bytes)? < bytes.len() {
                    return Err(self.error(input, "the file became shorter while it was read"));
                }
            }
            Storage::Base64 { offset, skip, .. } => {
                let slack = self.base64(input, *offset, from + skip, to + skip, text, bytes)?;
                bytes.truncate(slack + (to - from) as usize);
                bytes.drain(..slack);
            }
            Storage::Blocks(blocks) => {
                let first = (from / blocks.size) as usize;
                let end = to.div_ceil(blocks.size) as usize;
                let (start, stop) = (blocks.ends[first], blocks.ends[end]);
                packed.clear();
                let slack = if blocks.base64 {
                    self.base64(input, blocks.offset, start, stop, text, packed)?
                } else {
                    packed.resize((stop - start) as usize, 0);
                    input.read_at(blocks.offset + start, packed)?;
                    0
                };
                bytes.resize((to - from) as usize, 0);
                for block in first..end {
                    let at = |b: usize| slack + (blocks.ends[b] - start) as usize;
                    let Some(source) = packed.get(at(block)..at(block + 1)) else {
                        return Err(self.error(input, "the compressed data ends too early"));
                    };
                    let low = (block as u64 * blocks.size - from) as usize;
                    let high = bytes.len().min(low + blocks.size as usize);
                    let inflater = inflater.get_or_insert_with(|| Decompress::new(true));
                    inflater.reset(true);
                    let target = &mut bytes[low..high];
                    let wanted = target.len() as u64;
                    let status = inflater.decompress(source, target, FlushDecompress::Finish);
                    if !matches!(status, Ok(Status::StreamEnd)) || inflater.total_out() != wanted {
                        let message = format!("compressed block {block} is damaged");
                        return Err(self.error(input, message));
                    }
                }
            }
        }
        Ok(bytes)
    }

    /// Appends decoded bytes `from` to `to` of the base64 text at `offset`, with up to two bytes before and after them;
    /// returns how many come before.
    fn base64(
        &self,
        input: &Input,
        offset: u64,
        from: u64,
        to: u64,
        text: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<usize, ReadError> {
        let (first, end) = (from / 3, to.div_ceil(3));
        text.resize((4 * (end - first)) as usize, 0);
        let read = input.read_at(offset + 4 * first, text)?;
        if read < text.len() || !base64::decode(text, out) {
            return Err(self.error(input, "the base64 text is damaged"));
        }
        Ok((from - 3 * first) as usize)
    }
}

/// Memory of a thread.
#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    text: Vec<u8>,
    packed: Vec<u8>,
    inflater: Option<Decompress>,
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}

impl Blocks {
    /// Whether the compressed bytes can hold what the header promises.
    pub fn is_plausible(&self) -> bool {
        let packed = self.ends.last().copied().unwrap_or(0);
        self.length <= packed.saturating_mul(EXPANSION)
    }
}
