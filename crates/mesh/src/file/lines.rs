//! Lines, words and numbers of a file, with errors that say where. Reads through a window, so that a text file
//! is never in memory as a whole.

use super::error::{Place, ReadError, excerpt};
use super::input::Input;
use std::ops::Range;
use std::str::FromStr;

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Longest line or word; a longer one is not a text file.
const LONGEST: usize = 16 << 20;

/// Walks over a file by lines, by words or by bytes.
pub struct Lines<'a> {
    input: &'a Input<'a>,
    /// The window; `position` is what comes next, `end` the end of what is filled.
    buffer: Vec<u8>,
    position: usize,
    end: usize,
    /// Where in the file the window begins.
    window_offset: u64,
    /// Everything from this byte to the end of a line is ignored.
    comment: Option<u8>,
    newlines: usize,
    /// The section being read, for errors.
    pub section: String,
    /// Number of the current line, from 1.
    pub line: usize,
    current: Range<usize>,
    words: Vec<Range<usize>>,
}

impl<'a> Lines<'a> {
    /// Starts at the beginning, after a byte-order mark.
    pub fn new(input: &'a Input<'a>) -> Result<Self, ReadError> {
        let mut lines = Lines {
            input,
            buffer: Vec::new(),
            position: 0,
            end: 0,
            window_offset: 0,
            comment: None,
            newlines: 0,
            section: String::new(),
            line: 0,
            current: 0..0,
            words: Vec::new(),
        };
        if lines.bytes(3)? == b"\xEF\xBB\xBF" {
            return Ok(lines);
        }
        lines.seek(0);
        Ok(lines)
    }

    /// Ignores everything from `byte` to the end of a line.
    pub fn ignoring_comments(mut self, byte: u8) -> Self {
        self.comment = Some(byte);
        self
    }

    /// The file, for errors.
    pub fn name(&self) -> &'a str {
        self.input.name()
    }

    /// What is read.
    pub fn input(&self) -> &'a Input<'a> {
        self.input
    }

    /// Position in the file of the next byte.
    pub fn offset(&self) -> u64 {
        self.window_offset + self.position as u64
    }

    /// Bytes not yet read: nothing may be allocated for more items than these can describe.
    pub fn remaining(&self) -> usize {
        let left = self.input.length().saturating_sub(self.offset());
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Goes on at another position; line numbers go on counting from here.
    pub fn seek(&mut self, offset: u64) {
        let within = offset
            .checked_sub(self.window_offset)
            .filter(|&o| o <= self.end as u64);
        match within {
            Some(position) => self.position = position as usize,
            None => {
                self.window_offset = offset;
                self.position = 0;
                self.end = 0;
            }
        }
    }

    /// Moves the unread bytes to the front of the window and reads more behind them; false at the end of the file.
    fn fill(&mut self) -> Result<bool, ReadError> {
        self.buffer.copy_within(self.position..self.end, 0);
        self.window_offset += self.position as u64;
        self.end -= self.position;
        self.position = 0;
        if self.end > LONGEST {
            let message = format!("there is no line break in {} MiB of text", LONGEST >> 20);
            return Err(self.error(message).help("is this a text file?"));
        }
        let wanted = (2 * self.end).max(WINDOW);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let at = self.window_offset + self.end as u64;
        let count = self.input.read_at(at, &mut self.buffer[self.end..])?;
        self.end += count;
        Ok(count > 0)
    }

    /// The next `count` bytes, or as many as there are; for short binary headers.
    pub fn bytes(&mut self, count: usize) -> Result<&[u8], ReadError> {
        while self.end - self.position < count && self.fill()? {}
        let from = self.position;
        self.position = (from + count).min(self.end);
        Ok(&self.buffer[from..self.position])
    }

    /// Exactly the next `N` bytes.
    pub fn array<const N: usize>(&mut self, expected: &str) -> Result<[u8; N], ReadError> {
        let at = self.offset();
        match <[u8; N]>::try_from(self.bytes(N)?) {
            Ok(array) => Ok(array),
            Err(_) => Err(ReadError {
                place: self.byte_place(at),
                ..self.truncated(expected)
            }),
        }
    }

    /// Takes the rest of the line, whatever it holds; false at the end of the file. The line is then [`Lines::text`].
    fn take_line(&mut self) -> Result<bool, ReadError> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.position + searched..self.end];
            if let Some(at) = memchr::memchr(b'\n', unread) {
                let stop = self.position + searched + at;
                self.current = self.position..stop;
                self.position = stop + 1;
                break;
            }
            searched = self.end - self.position;
            if !self.fill()? {
                if self.position == self.end {
                    return Ok(false);
                }
                self.current = self.position..self.end;
                self.position = self.end;
                break;
            }
        }
        self.newlines += 1;
        self.line = self.newlines;
        Ok(true)
    }

    /// Goes to the next line, blank or not; false at the end of the file.
    pub fn any_line(&mut self) -> Result<bool, ReadError> {
        self.take_line()
    }

    /// Goes back to where `offset` and `line` were taken.
    pub fn rewind(&mut self, offset: u64, line: usize) {
        self.seek(offset);
        self.line = line;
        self.newlines = line;
    }

    /// Goes to the next line that is not blank; false at the end of the file. The line, trimmed, is then
    /// [`Lines::text`].
    pub fn next_line(&mut self) -> Result<bool, ReadError> {
        while self.take_line()? {
            let mut line = &self.buffer[self.current.clone()];
            if let Some(comment) = self.comment
                && let Some(at) = line.iter().position(|&b| b == comment)
            {
                line = &line[..at];
            }
            let from = self.current.start + (line.len() - line.trim_ascii_start().len());
            let line = line.trim_ascii();
            if !line.is_empty() {
                self.current = from..from + line.len();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The current line.
    pub fn text(&self) -> &[u8] {
        &self.buffer[self.current.clone()]
    }

    /// The next line, which must exist.
    pub fn expect_line(&mut self, expected: impl Fn() -> String) -> Result<(), ReadError> {
        if self.next_line()? {
            return Ok(());
        }
        Err(self.truncated(&expected()))
    }

    /// Splits the current line into words wherever `separates` says so.
    pub fn split_by(&mut self, separates: impl Fn(u8) -> bool) {
        self.words.clear();
        let mut start = None;
        for at in self.current.clone() {
            match (separates(self.buffer[at]), start) {
                (true, Some(from)) => {
                    self.words.push(from..at);
                    start = None;
                }
                (false, None) => start = Some(at),
                _ => {}
            }
        }
        if let Some(from) = start {
            self.words.push(from..self.current.end);
        }
    }

    /// Splits the current line at white space.
    pub fn split(&mut self) {
        self.split_by(|b| b.is_ascii_whitespace());
    }

    /// Goes to the next line and splits it.
    pub fn split_line(&mut self, expected: impl Fn() -> String) -> Result<(), ReadError> {
        self.expect_line(expected)?;
        self.split();
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
        Err(self.expected(&wanted, format!("{} values", self.words.len())))
    }

    /// Number of words of the current line.
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Word `index` of the current line.
    pub fn word(&self, index: usize) -> Option<&[u8]> {
        self.words.get(index).map(|w| &self.buffer[w.clone()])
    }

    /// Word `index` of the current line as a number.
    pub fn number<T: FromStr>(&self, index: usize, expected: &str) -> Result<T, ReadError> {
        let Some(word) = self.word(index) else {
            return Err(self.expected(expected, "the end of the line".to_string()));
        };
        parse(word).ok_or_else(|| self.expected(expected, excerpt(word)))
    }

    /// Word `index` of the current line as a finite coordinate.
    pub fn coordinate(&self, index: usize) -> Result<f64, ReadError> {
        let value: f64 = self.number(index, "a coordinate")?;
        if value.is_finite() {
            return Ok(value);
        }
        let word = self.word(index).unwrap_or_default();
        Err(self.expected("a finite coordinate", excerpt(word)))
    }

    /// The next word, on this line or a later one; none at the end of the file.
    pub fn next_word(&mut self) -> Result<Option<&[u8]>, ReadError> {
        // white space and comments
        loop {
            if self.position == self.end && !self.fill()? {
                return Ok(None);
            }
            let byte = self.buffer[self.position];
            if byte == b'\n' {
                self.newlines += 1;
                self.position += 1;
            } else if byte.is_ascii_whitespace() {
                self.position += 1;
            } else if Some(byte) == self.comment {
                self.take_line()?;
            } else {
                break;
            }
        }
        self.line = self.newlines + 1;
        let mut length = 0;
        loop {
            let unread = &self.buffer[self.position + length..self.end];
            let stops = |b: &u8| b.is_ascii_whitespace() || Some(*b) == self.comment;
            if let Some(at) = unread.iter().position(stops) {
                length += at;
                break;
            }
            length += unread.len();
            if !self.fill()? {
                break;
            }
        }
        let from = self.position;
        self.position += length;
        self.current = from..self.position;
        Ok(Some(&self.buffer[from..self.position]))
    }

    /// The next word, which must exist, as a number.
    pub fn next_number<T: FromStr>(&mut self, expected: &str) -> Result<T, ReadError> {
        let value = match self.next_word()? {
            None => return Err(self.truncated(expected)),
            Some(word) => parse(word),
        };
        value.ok_or_else(|| self.expected(expected, excerpt(self.text())))
    }

    /// The next word as a finite coordinate.
    pub fn next_coordinate(&mut self) -> Result<f64, ReadError> {
        let value: f64 = self.next_number("a coordinate")?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.expected("a finite coordinate", excerpt(self.text())))
    }

    /// Where the current line is.
    pub fn place(&self) -> Place {
        Place::Line {
            line: self.line,
            section: self.section.clone(),
        }
    }

    /// A position in binary data of the current section.
    pub fn byte_place(&self, offset: u64) -> Place {
        Place::Byte {
            offset,
            section: self.section.clone(),
        }
    }

    /// An error at the current line.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError::new(self.name(), message).at(self.place())
    }

    /// The current line is not what was expected.
    pub fn unexpected(&self, expected: &str) -> ReadError {
        self.expected(expected, excerpt(self.text()))
    }

    /// Something else was found than expected.
    pub fn expected(&self, expected: &str, found: String) -> ReadError {
        self.error(format!("expected {expected}, found {found}"))
    }

    /// The file ends too early.
    pub fn truncated(&self, expected: &str) -> ReadError {
        self.error(format!(
            "the file is incomplete: it ends where {expected} was expected"
        ))
        .help("export or copy the file again")
    }
}

/// A number from its digits; Fortran's `1.0d-3` counts.
pub fn parse<T: FromStr>(word: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(word).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) if text.contains(['d', 'D']) => text.replace(['d', 'D'], "e").parse().ok(),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_lines(text: &[u8]) -> Vec<(usize, String)> {
        let input = Input::from_bytes(text, "t");
        let mut lines = Lines::new(&input).unwrap().ignoring_comments(b'#');
        let mut found = Vec::new();
        while lines.next_line().unwrap() {
            found.push((
                lines.line,
                String::from_utf8_lossy(lines.text()).into_owned(),
            ));
        }
        found
    }

    #[test]
    fn blank_lines_and_comments_are_passed_over() {
        let found = all_lines(b"\xEF\xBB\xBF\n  a b \r\n# c\n\nd # e\nf");
        let wanted = [(2, "a b"), (5, "d"), (6, "f")];
        assert_eq!(found, wanted.map(|(l, t)| (l, t.to_string())));
    }

    #[test]
    fn lines_and_words_survive_the_window() {
        // lines of growing length cross every window boundary
        let mut text = Vec::new();
        let mut lengths = Vec::new();
        for i in 0..600 {
            let length = 1 + i * 7 % 1000;
            text.extend(std::iter::repeat_n(b'a' + (i % 26) as u8, length));
            text.extend_from_slice(b" 7\n");
            lengths.push(length);
        }
        text.extend(std::iter::repeat_n(b'z', 3 * WINDOW));
        let found = all_lines(&text);
        assert_eq!(found.len(), 601);
        assert!(found.iter().zip(&lengths).all(|(f, l)| f.1.len() == l + 2));
        let input = Input::from_bytes(&text, "t");
        let mut lines = Lines::new(&input).unwrap();
        for (i, &length) in lengths.iter().enumerate() {
            assert_eq!(lines.next_word().unwrap().unwrap().len(), length);
            assert_eq!(lines.next_number::<u32>("seven").unwrap(), 7);
            assert_eq!(lines.line, i + 1);
        }
        assert_eq!(lines.next_word().unwrap().unwrap().len(), 3 * WINDOW);
        assert!(lines.next_word().unwrap().is_none());
    }

    #[test]
    fn bytes_words_and_lines_mix() {
        let input = Input::from_bytes(b"one two\nabc\x00\x01\nthree\n", "t");
        let mut lines = Lines::new(&input).unwrap();
        assert_eq!(lines.next_word().unwrap(), Some(&b"one"[..]));
        assert!(lines.next_line().unwrap());
        assert_eq!((lines.text(), lines.line), (&b"two"[..], 1));
        assert_eq!(lines.array::<5>("data").unwrap(), *b"abc\x00\x01");
        assert!(lines.next_line().unwrap());
        assert_eq!(lines.text(), b"three");
        assert!(
            lines
                .array::<4>("data")
                .unwrap_err()
                .message
                .contains("incomplete")
        );
        lines.seek(4);
        assert_eq!(lines.next_word().unwrap(), Some(&b"two"[..]));
    }
}
