//! Writing files: the error, and writing to a path without losing what was there when it fails.

use super::format::Format;
use super::raw::RawMesh;
use super::tetgen;
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

/// Writes a mesh to a file, which appears only when it is complete. TetGen takes a file each for nodes, elements and
/// faces, which lie beside `path`.
pub fn write_file(mesh: &RawMesh, format: Format, path: &Path) -> Result<(), WriteError> {
    if format != Format::TetGen {
        return complete(path, |out| format.write(mesh, out));
    }
    for (extension, write) in tetgen::PARTS {
        complete(&path.with_extension(extension), |out| write(mesh, out))?;
    }
    Ok(())
}

/// Writes beside `path` and moves the result there when it is complete.
fn complete(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let write = || -> Result<(), WriteError> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(partial)?);
        write(&mut out)?;
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
