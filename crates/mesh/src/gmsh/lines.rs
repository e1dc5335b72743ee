//! Lines and numbers of a text file, with errors that say where.

use super::ReadError;
use std::str::FromStr;

/// Longest excerpt of a file shown in an error.
const EXCERPT: usize = 40;

/// Walks over the non-blank lines of a file.
pub(super) struct Lines<'a> {
    text: &'a [u8],
    /// The file, for errors.
    pub name: &'a str,
    /// The section being read, for errors.
    pub section: String,
    /// Number of the current line, from 1.
    pub line: usize,
    /// The words of the current line.
    pub words: Vec<&'a [u8]>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a [u8], name: &'a str) -> Self {
        Lines {
            text: text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text),
            name,
            section: "the start of the file".to_string(),
            line: 0,
            words: Vec::new(),
        }
    }

    /// Bytes not yet read: nothing may be allocated for more items than these can describe.
    pub fn remaining(&self) -> usize {
        self.text.len()
    }

    /// The next line that is not blank, trimmed.
    pub fn next_line(&mut self) -> Option<&'a [u8]> {
        while !self.text.is_empty() {
            let end = self.text.iter().position(|&b| b == b'\n');
            let (line, rest) = match end {
                Some(at) => (&self.text[..at], &self.text[at + 1..]),
                None => (self.text, &[][..]),
            };
            self.text = rest;
            self.line += 1;
            let line = line.trim_ascii();
            if !line.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// The next line inside a section.
    pub fn section_line(&mut self, expected: impl Fn() -> String) -> Result<&'a [u8], ReadError> {
        match self.next_line() {
            None => Err(self.truncated(expected())),
            Some(line) if line[0] == b'$' => Err(self.syntax(expected(), line)),
            Some(line) => Ok(line),
        }
    }

    /// Splits the next line inside a section into `words`.
    pub fn split_line(&mut self, expected: impl Fn() -> String) -> Result<(), ReadError> {
        let line = self.section_line(expected)?;
        self.words.clear();
        self.words.extend(
            line.split(|b| b.is_ascii_whitespace())
                .filter(|w| !w.is_empty()),
        );
        Ok(())
    }

    /// As [`Lines::split_line`], refusing lines without exactly `count` words.
    pub fn split_exactly(
        &mut self,
        count: usize,
        expected: impl Fn() -> String,
    ) -> Result<(), ReadError> {
        self.split_line(&expected)?;
        if self.words.len() == count {
            return Ok(());
        }
        let wanted = format!("{} ({count} values)", expected());
        Err(self.syntax_found(wanted, format!("{} values", self.words.len())))
    }

    /// Word `index` of the current line as a number.
    pub fn number<T: FromStr>(&self, index: usize, expected: &str) -> Result<T, ReadError> {
        let Some(word) = self.words.get(index) else {
            return Err(self.syntax_found(expected.to_string(), "the end of the line".to_string()));
        };
        std::str::from_utf8(word)
            .ok()
            .and_then(|w| w.parse().ok())
            .ok_or_else(|| self.syntax(expected.to_string(), word))
    }

    /// Word `index` of the current line as a finite coordinate.
    pub fn coordinate(&self, index: usize) -> Result<f64, ReadError> {
        let value: f64 = self.number(index, "a coordinate")?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.syntax("a finite coordinate".to_string(), self.words[index]))
    }

    /// Reads the line `$<end>` that closes a section.
    pub fn close(&mut self, end: &str) -> Result<(), ReadError> {
        match self.next_line() {
            Some(line) if line == end.as_bytes() => Ok(()),
            Some(line) => Err(self.syntax(end.to_string(), line)),
            None => Err(self.truncated(end.to_string())),
        }
    }

    /// Skips to the line that closes a section nobody reads.
    pub fn skip_to(&mut self, end: &[u8]) -> Result<(), ReadError> {
        while let Some(line) = self.next_line() {
            if line == end {
                return Ok(());
            }
        }
        Err(self.truncated(String::from_utf8_lossy(end).into_owned()))
    }

    pub fn syntax(&self, expected: String, found: &[u8]) -> ReadError {
        let shown = String::from_utf8_lossy(&found[..found.len().min(EXCERPT)]);
        let dots = if found.len() > EXCERPT { "…" } else { "" };
        self.syntax_found(expected, format!("\"{}{dots}\"", shown.escape_debug()))
    }

    pub fn syntax_found(&self, expected: String, found: String) -> ReadError {
        ReadError::Syntax {
            name: self.name.to_string(),
            section: self.section.clone(),
            line: self.line,
            expected,
            found,
        }
    }

    pub fn truncated(&self, expected: String) -> ReadError {
        ReadError::Truncated {
            name: self.name.to_string(),
            section: self.section.clone(),
            line: self.line,
            expected,
        }
    }
}
