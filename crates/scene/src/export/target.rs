//! Where results go: names, what may be replaced, and files that appear only when they are whole.

use super::{ExportError, Exported, Format};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Digits of frame numbers in names, at least.
const DIGITS: usize = 4;

/// The folder and the beginning of the names of what is written, and what has been written.
pub struct Target {
    folder: PathBuf,
    stem: String,
    force: bool,
    written: Exported,
}

impl Target {
    /// `out` is a folder, or a file whose name the files take; without it they go beside the recording.
    pub fn new(
        recording: &Path,
        format: Format,
        out: Option<&Path>,
        force: bool,
    ) -> Result<Target, ExportError> {
        let target = |folder: PathBuf, stem: String| Target {
            folder,
            stem,
            force,
            written: Exported::default(),
        };
        let usual = usual_stem(recording);
        let beside = recording.parent().unwrap_or(Path::new(""));
        let Some(out) = out else {
            let folder = match format.is_series() {
                true => beside.join(format.name()),
                false => beside.to_path_buf(),
            };
            return Ok(target(folder, usual));
        };
        let extension = out.extension().map(|e| e.to_string_lossy().to_lowercase());
        let stem = out.file_stem().map(|s| s.to_string_lossy().into_owned());
        let parent = out.parent().unwrap_or(Path::new("")).to_path_buf();
        let ours = extension
            .as_deref()
            .is_some_and(|e| format.extensions().contains(&e));
        match (ours, out.is_dir(), stem) {
            (true, false, Some(stem)) => Ok(target(parent, stem)),
            (_, true, _) => Ok(target(out.to_path_buf(), usual)),
            _ if format.is_series() => Ok(target(out.to_path_buf(), usual)),
            (false, false, Some(stem)) if extension.is_none() => Ok(target(parent, stem)),
            _ => Err(ExportError::Choice(format!(
                "--out `{}` does not name a {} file: let it end in .{}",
                out.display(),
                format.name(),
                format.extensions()[0]
            ))),
        }
    }

    /// `STEM.EXTENSION`.
    pub fn file(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.stem))
    }

    /// `STEM_PART.EXTENSION`, or `STEM.EXTENSION` if there is only one part.
    pub fn part(&self, part: Option<&str>, extension: &str) -> PathBuf {
        match part {
            Some(part) => self
                .folder
                .join(format!("{}_{part}.{extension}", self.stem)),
            None => self.file(extension),
        }
    }

    /// `STEM_0000.EXTENSION` and so on.
    pub fn series(&self, count: usize, extension: &str) -> Vec<PathBuf> {
        let digits = count.saturating_sub(1).to_string().len().max(DIGITS);
        let name = |i| format!("{}_{i:0digits$}.{extension}", self.stem);
        (0..count).map(|i| self.folder.join(name(i))).collect()
    }

    /// Makes the folder ready for `files`: refuses to replace anything unless forced to, and then also removes what
    /// a longer series of the same name and `extension` left.
    pub fn prepare(&self, files: &[PathBuf], extension: Option<&str>) -> Result<(), ExportError> {
        let folder = match self.folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.folder,
        };
        let fail = |path: &Path, source| ExportError::Write {
            path: path.to_path_buf(),
            source,
        };
        fs::create_dir_all(folder).map_err(|e| fail(folder, e))?;
        let mut taken: BTreeSet<PathBuf> = files.iter().filter(|p| p.exists()).cloned().collect();
        if let Some(extension) = extension {
            for entry in fs::read_dir(folder).map_err(|e| fail(folder, e))? {
                let entry = entry.map_err(|e| fail(folder, e))?;
                if self.is_numbered(&entry.file_name().to_string_lossy(), extension) {
                    taken.insert(self.folder.join(entry.file_name()));
                }
            }
        }
        if let (Some(path), false) = (taken.first(), self.force) {
            return Err(ExportError::Exists { path: path.clone() });
        }
        let new: BTreeSet<&PathBuf> = files.iter().collect();
        for stale in taken.iter().filter(|p| !new.contains(p)) {
            fs::remove_file(stale).map_err(|e| fail(stale, e))?;
        }
        Ok(())
    }

    fn is_numbered(&self, name: &str, extension: &str) -> bool {
        let number = name
            .strip_prefix(&self.stem)
            .and_then(|rest| rest.strip_prefix('_'))
            .and_then(|rest| rest.strip_suffix(extension))
            .and_then(|rest| rest.strip_suffix('.'));
        number.is_some_and(|n| n.len() >= DIGITS && n.bytes().all(|b| b.is_ascii_digit()))
    }

    /// Notes a file that is complete.
    pub fn add(&mut self, file: OutFile) -> Result<(), ExportError> {
        let (path, bytes) = file.finish()?;
        self.written.files.push(path);
        self.written.bytes += bytes;
        Ok(())
    }

    /// Notes a complete file that names the others: the one to open.
    pub fn add_first(&mut self, file: OutFile) -> Result<(), ExportError> {
        self.add(file)?;
        self.written.files.rotate_right(1);
        Ok(())
    }

    /// What was written.
    pub fn finish(mut self, frames: usize) -> Exported {
        self.written.frames = frames;
        self.written
    }
}

/// The recording's name, or that of its folder when the recording has the name that all have.
fn usual_stem(recording: &Path) -> String {
    let stem = recording.file_stem().map(|s| s.to_string_lossy());
    match stem.as_deref() {
        Some("recording") | None => {
            let folder = recording.parent().and_then(|p| fs::canonicalize(p).ok());
            let name = folder.as_deref().and_then(Path::file_name);
            name.map_or("recording".into(), |n| n.to_string_lossy().into_owned())
        }
        Some(stem) => stem.to_string(),
    }
}

/// A file that has another name until it is whole, and vanishes if it never is.
pub struct OutFile {
    path: PathBuf,
    partial: PathBuf,
    out: Option<BufWriter<File>>,
}

impl OutFile {
    /// Starts a file.
    pub fn create(path: &Path) -> Result<OutFile, ExportError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let partial = path.with_file_name(format!(".{name}.partial"));
        let fail = |source| ExportError::Write {
            path: path.to_path_buf(),
            source,
        };
        if path.is_dir() {
            return Err(fail(io::Error::other("it is a folder")));
        }
        let file = File::create(&partial).map_err(fail)?;
        Ok(OutFile {
            path: path.to_path_buf(),
            partial,
            out: Some(BufWriter::with_capacity(1 << 18, file)),
        })
    }

    /// Writes with `f`; an error names the file.
    pub fn put<T>(
        &mut self,
        f: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> Result<T, ExportError> {
        let closed = || io::Error::other("it is closed");
        let result = self.out.as_mut().ok_or_else(closed).and_then(f);
        result.map_err(|source| ExportError::Write {
            path: self.path.clone(),
            source,
        })
    }

    fn finish(mut self) -> Result<(PathBuf, u64), ExportError> {
        let bytes = self.put(|out| {
            out.flush()?;
            Ok(out.get_ref().metadata()?.len())
        })?;
        self.out = None;
        match fs::rename(&self.partial, &self.path) {
            Ok(()) => Ok((self.path.clone(), bytes)),
            Err(source) => Err(ExportError::Write {
                path: self.path.clone(),
                source,
            }),
        }
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            // the error that led here is the one to report
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Names for files and identifiers: letters, digits and `_` (and `-`, `.` if `loose`), different from each other.
pub fn plain_names<'a>(names: impl Iterator<Item = &'a str>, loose: bool) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut result = Vec::new();
    for name in names {
        let allowed = |c: char| c.is_ascii_alphanumeric() || (loose && (c == '-' || c == '.'));
        let mut plain: String = name
            .chars()
            .map(|c| if allowed(c) { c } else { '_' })
            .collect();
        let bad_start = |c: char| c == '.' || (!loose && c.is_ascii_digit());
        if plain.is_empty() || plain.starts_with(bad_start) {
            plain.insert(0, '_');
        }
        let base = plain.clone();
        let mut number = 2;
        while !used.insert(plain.to_lowercase()) {
            plain = format!("{base}_{number}");
            number += 1;
        }
        result.push(plain);
    }
    result
}
