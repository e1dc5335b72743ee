//! Files that are either the old or the new one, complete, at any moment.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path` by one with this content, or leaves it as it was: temporary file in the same folder,
/// sync, rename, sync of the folder.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = temporary_path(path)?;
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // nothing is lost if this fails too: the next checkpoint overwrites the temporary file
        let _ = fs::remove_file(&temporary);
        return written;
    }
    sync_folder(path)
}

/// Always the same name, so that killed runs leave at most one such file.
pub(super) fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".partial");
    Ok(path.with_file_name(hidden))
}

/// Makes the rename itself survive a power failure.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the rename is as safe as the system makes it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
