//! Writing files: the error, and writing to a path without losing what was there when it fails.

use super::format::Format;
use super::raw::RawMesh;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use thiserror::Error;

/// Why a file cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The operating system refuses.
    #[error("the file cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The format has no place for something.
    #[error("{format} files cannot hold {what}: {instead}")]
    CannotHold {
        /// The format.
        format: &'static str,
        /// What it cannot hold.
        what: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// Files of this format are only read.
    #[error("{format} files are read but not written")]
    ReadOnly {
        /// The format.
        format: &'static str,
    },
}

/// Writes a mesh to a file, which appears only when it is complete.
pub fn write_file(mesh: &RawMesh, format: Format, path: &Path) -> Result<(), WriteError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let write = || -> Result<(), WriteError> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(partial)?);
        format.write(mesh, &mut out)?;
        out.flush()?;
        Ok(std::fs::rename(partial, path)?)
    };
    let written = write();
    if written.is_err() {
        // the error that matters is the one above
        let _ = std::fs::remove_file(partial);
    }
    written
}
