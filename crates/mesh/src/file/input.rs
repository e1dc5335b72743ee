//! A file, or bytes in memory, that can be read at any position by several threads. Nothing is held but small
//! buffers, so that reading a mesh costs hardly more memory than the mesh.

use super::error::{Place, ReadError};
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a thread reads at a time: small enough to stay in its cache.
const WINDOW: usize = 128 << 10;

/// Records that are converted at a time.
pub const BATCH: usize = 64;

/// Records that a thread has read.
#[derive(Default)]
struct Window {
    first: usize,
    count: usize,
    bytes: Vec<u8>,
}

/// Something to read from.
pub struct Input<'a> {
    name: String,
    path: Option<PathBuf>,
    content: Content<'a>,
    length: u64,
}

enum Content<'a> {
    File(File),
    Bytes(&'a [u8]),
}

impl Input<'static> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Input<'static>, ReadError> {
        let name = path.display().to_string();
        let open = || -> io::Result<(File, u64)> {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if !metadata.is_file() {
                return Err(io::Error::other("it is not a file"));
            }
            Ok((file, metadata.len()))
        };
        let (file, length) = open().map_err(|e| ReadError::io(&name, &e))?;
        Ok(Input {
            name,
            path: Some(path.to_path_buf()),
            content: Content::File(file),
            length,
        })
    }
}

impl<'a> Input<'a> {
    /// Reads from memory; `name` is used in errors.
    pub fn from_bytes(bytes: &'a [u8], name: &str) -> Input<'a> {
        Input {
            name: name.to_string(),
            path: None,
            content: Content::Bytes(bytes),
            length: bytes.len() as u64,
        }
    }

    /// The same input under another name, for errors.
    pub fn named(mut self, name: &str) -> Input<'a> {
        self.name = name.to_string();
        self
    }

    /// Name for errors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file beside this one with another extension; none for bytes in memory.
    pub fn sibling(&self, extension: &str) -> Option<PathBuf> {
        self.path.as_ref().map(|p| p.with_extension(extension))
    }

    /// Bytes in all.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Fills as much of `buffer` as there are bytes from `offset` on; returns how many.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        match &self.content {
            Content::Bytes(bytes) => {
                let from = usize::try_from(offset)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                let count = buffer.len().min(bytes.len() - from);
                buffer[..count].copy_from_slice(&bytes[from..from + count]);
                Ok(count)
            }
            Content::File(file) => {
                let mut filled = 0;
                while filled < buffer.len() {
                    match read_file_at(file, &mut buffer[filled..], offset + filled as u64) {
                        Ok(0) => break,
                        Ok(count) => filled += count,
                        Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                        Err(e) => return Err(ReadError::io(&self.name, &e)),
                    }
                }
                Ok(filled)
            }
        }
    }

    /// Everything, for formats whose files are small or whose reader wants one slice.
    pub fn read_all(&self) -> Result<Vec<u8>, ReadError> {
        let length = usize::try_from(self.length)
            .map_err(|_| ReadError::new(&self.name, "the file is too large for this machine"))?;
        let mut bytes = vec![0; length];
        let count = self.read_at(0, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    }

    /// Reads `count` records of `size` bytes from `offset` on, on all threads. `convert` gets the index and the bytes
    /// of a record; the first record that it refuses is returned as `Err(index)` inside `Ok`. `zero` is any value.
    ///
    /// Checks that the file is long enough before it takes memory.
    pub fn records<T: Copy + Send + Sync>(
        &self,
        section: &str,
        offset: u64,
        count: usize,
        size: usize,
        zero: T,
        convert: impl Fn(usize, &[u8]) -> Option<T> + Sync,
    ) -> Result<Result<Vec<T>, usize>, ReadError> {
        self.batches(section, offset, count, size, zero, |first, bytes, out| {
            for (i, (value, record)) in out.iter_mut().zip(bytes.chunks_exact(size)).enumerate() {
                match convert(first + i, record) {
                    Some(converted) => *value = converted,
                    None => return Some(i),
                }
            }
            None
        })
    }

    /// As [`Input::records`], converting up to [`BATCH`] records at a time: `convert` gets the index of the first, the
    /// bytes of all and where they go, and returns the first of them that it refuses.
    pub fn batches<T: Copy + Send + Sync>(
        &self,
        section: &str,
        offset: u64,
        count: usize,
        size: usize,
        zero: T,
        convert: impl Fn(usize, &[u8], &mut [T]) -> Option<usize> + Sync,
    ) -> Result<Result<Vec<T>, usize>, ReadError> {
        self.check_room(section, offset, count as u64, size as u64)?;
        let refused = AtomicUsize::new(usize::MAX);
        let failed: Mutex<Option<ReadError>> = Mutex::new(None);
        // a window holds whole batches
        let per_window = (WINDOW / size.max(1)).next_multiple_of(BATCH);
        let load = |window: &mut Window, first: usize| {
            window.first = first;
            window.count = per_window.min(count - first);
            window.bytes.resize(per_window * size, 0);
            let bytes = &mut window.bytes[..window.count * size];
            let error = match self.read_at(offset + (first * size) as u64, bytes) {
                Ok(read) if read == bytes.len() => return,
                Ok(_) => self.short(section, offset),
                Err(error) => error,
            };
            if let Ok(mut failed) = failed.lock() {
                failed.get_or_insert(error);
            }
        };
        // collected in batches, the last one filled up, because that writes the list only once: filling it with zeros
        // beforehand takes a quarter of the time of reading it
        let mut list: Vec<[T; BATCH]> = Vec::new();
        (0..count.div_ceil(BATCH))
            .into_par_iter()
            .with_min_len(per_window / BATCH)
            .map_init(Window::default, |window, batch| {
                let first = batch * BATCH;
                if first.wrapping_sub(window.first) >= window.count {
                    load(window, first);
                }
                let length = BATCH.min(count - first);
                let at = (first - window.first) * size;
                let mut out = [zero; BATCH];
                let bytes = &window.bytes[at..at + length * size];
                if let Some(i) = convert(first, bytes, &mut out[..length]) {
                    refused.fetch_min(first + i, Ordering::Relaxed);
                }
                out
            })
            .collect_into_vec(&mut list);
        let mut list = list.into_flattened();
        list.truncate(count);
        match failed.into_inner() {
            Ok(Some(error)) => Err(error),
            _ => Ok(match refused.into_inner() {
                usize::MAX => Ok(list),
                index => Err(index),
            }),
        }
    }

    /// Refuses a promise of `count` records of `size` bytes from `offset` on that the file is too short for.
    pub fn check_room(
        &self,
        section: &str,
        offset: u64,
        count: u64,
        size: u64,
    ) -> Result<(), ReadError> {
        let end = count.checked_mul(size).and_then(|b| b.checked_add(offset));
        match end {
            Some(end) if end <= self.length => Ok(()),
            _ => Err(self.short(section, offset)),
        }
    }

    fn short(&self, section: &str, offset: u64) -> ReadError {
        let message = "the file is incomplete: it ends before the data that its header promises";
        ReadError::new(&self.name, message)
            .at(Place::Byte {
                offset,
                section: section.to_string(),
            })
            .help("export or copy the file again")
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
