//! Why a file cannot be read: which file, where in it, what was expected, what to do.

use std::fmt;
use thiserror::Error;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of text, from 1; the section may be empty.
    Line {
        /// The line.
        line: usize,
        /// The part of the file it is in.
        section: String,
    },
    /// A position in binary data.
    Byte {
        /// Bytes before it.
        offset: u64,
        /// The part of the file it is in.
        section: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let section = match self {
            Place::File => return Ok(()),
            Place::Line { line, section } => {
                write!(f, ", line {line}")?;
                section
            }
            Place::Byte { offset, section } => {
                write!(f, ", byte {offset}")?;
                section
            }
        };
        if section.is_empty() {
            return Ok(());
        }
        write!(f, ", {section}")
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{place}: {message}")]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// Where in it.
    pub place: Place,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ReadError {
    /// An error about the file as a whole.
    pub fn new(file: &str, message: impl Into<String>) -> ReadError {
        ReadError {
            file: file.to_string(),
            place: Place::File,
            message: message.into(),
            help: None,
        }
    }

    /// The operating system refuses.
    pub fn io(file: &str, error: &std::io::Error) -> ReadError {
        ReadError::new(file, format!("the file cannot be read: {error}"))
    }

    /// Says where.
    pub fn at(mut self, place: Place) -> ReadError {
        self.place = place;
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> ReadError {
        self.help = Some(help.into());
        self
    }
}

/// Longest excerpt of a file shown in an error.
const EXCERPT: usize = 40;

/// Bytes of a file as they appear in an error: quoted, escaped, cut short.
pub fn excerpt(found: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&found[..found.len().min(EXCERPT)]);
    let dots = if found.len() > EXCERPT { "…" } else { "" };
    format!("\"{}{dots}\"", shown.escape_debug())
}
