//! The tags of an XML file, one after the other, without holding what lies between them. Enough for VTK's files:
//! no entities beyond the five of XML, no namespaces, and a document type is passed over.

use super::error::{Place, ReadError};
use super::input::Input;
use memchr::{memchr, memchr3_iter};

/// Bytes read at a time.
const WINDOW: usize = 16 << 10;

/// Longest tag.
const LONGEST: usize = 1 << 20;

/// A tag: `<name …>`, `</name>` or `<name …/>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Names and values, in order.
    pub attributes: Vec<(String, String)>,
    /// Whether it is `</name>`.
    pub closes: bool,
    /// Whether it is `<name …/>`.
    pub is_empty: bool,
    /// Position of its `<` in the file.
    pub start: u64,
    /// Position in the file after its `>`.
    pub end: u64,
}

impl Tag {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.0 == name);
        found.map(|a| a.1.as_str())
    }
}

/// Walks over the tags of a file.
pub struct Tags<'a> {
    input: &'a Input<'a>,
    position: u64,
}

impl<'a> Tags<'a> {
    /// Starts at the beginning.
    pub fn new(input: &'a Input<'a>) -> Tags<'a> {
        Tags { input, position: 0 }
    }

    /// Goes on at another position.
    pub fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// The next tag; none at the end of the file.
    pub fn next_tag(&mut self) -> Result<Option<Tag>, ReadError> {
        loop {
            let Some(start) = self.find(self.position, b"<")? else {
                return Ok(None);
            };
            let mut head = [0; 4];
            let length = self.input.read_at(start, &mut head)?;
            let head = &head[..length];
            // comments, declarations and processing instructions
            let skipped = if head.starts_with(b"<!--") {
                Some(&b"-->"[..])
            } else if head.starts_with(b"<?") {
                Some(&b"?>"[..])
            } else if head.starts_with(b"<!") {
                Some(&b">"[..])
            } else {
                None
            };
            if let Some(terminator) = skipped {
                let end = self.find(start, terminator)?;
                let end = end.ok_or_else(|| self.unclosed(start))?;
                self.position = end + terminator.len() as u64;
                continue;
            }
            let end = self.tag_end(start)?;
            let mut bytes = vec![0; (end - start) as usize];
            self.input.read_at(start, &mut bytes)?;
            self.position = end;
            let inner = &bytes[1..bytes.len() - 1];
            let mut tag = parse(inner).ok_or_else(|| {
                self.error(
                    start,
                    "this is not an XML tag: <name attribute=\"value\" …>",
                )
            })?;
            (tag.start, tag.end) = (start, end);
            return Ok(Some(tag));
        }
    }

    /// The position after the `>` of the tag that begins at `start`; one in a quoted value is part of the value.
    fn tag_end(&self, start: u64) -> Result<u64, ReadError> {
        let mut buffer = vec![0; WINDOW];
        let mut at = start;
        let mut quote = None;
        while at - start <= LONGEST as u64 {
            let length = self.input.read_at(at, &mut buffer)?;
            for i in memchr3_iter(b'>', b'"', b'\'', &buffer[..length]) {
                match (quote, buffer[i]) {
                    (None, b'>') => return Ok(at + i as u64 + 1),
                    (None, opening) => quote = Some(opening),
                    (Some(opening), byte) if opening == byte => quote = None,
                    _ => {}
                }
            }
            if length < WINDOW {
                return Err(self.unclosed(start));
            }
            at += length as u64;
        }
        Err(self.error(start, "this tag is too long to be one"))
    }

    /// Where `wanted` next occurs from `from` on.
    fn find(&self, from: u64, wanted: &[u8]) -> Result<Option<u64>, ReadError> {
        let mut buffer = vec![0; WINDOW];
        let mut at = from;
        loop {
            let length = self.input.read_at(at, &mut buffer)?;
            let window = &buffer[..length];
            let mut searched = 0;
            while let Some(i) = memchr(wanted[0], &window[searched..]) {
                if window[searched + i..].starts_with(wanted) {
                    return Ok(Some(at + (searched + i) as u64));
                }
                searched += i + 1;
            }
            if length < WINDOW {
                return Ok(None);
            }
            // an occurrence may cross the end of the window
            at += (length + 1 - wanted.len()) as u64;
        }
    }

    /// An error at a position.
    pub fn error(&self, offset: u64, message: impl Into<String>) -> ReadError {
        let section = String::new();
        ReadError::new(self.input.name(), message).at(Place::Byte { offset, section })
    }

    fn unclosed(&self, start: u64) -> ReadError {
        self.error(start, "the file is incomplete: it ends within a tag")
            .help("export or copy the file again")
    }
}

/// The inside of a tag.
fn parse(inner: &[u8]) -> Option<Tag> {
    let text = std::str::from_utf8(inner).ok()?;
    let mut tag = Tag::default();
    let mut text = text.trim_end();
    if let Some(rest) = text.strip_prefix('/') {
        tag.closes = true;
        text = rest;
    } else if let Some(rest) = text.strip_suffix('/') {
        tag.is_empty = true;
        text = rest;
    }
    let name_end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(name_end);
    if name.is_empty() || name.contains(['"', '\'', '=', '<']) {
        return None;
    }
    tag.name = name.to_string();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(tag);
        }
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| ['"', '\''].contains(c))?;
        let (value, after) = after[1..].split_once(quote)?;
        tag.attributes
            .push((key.trim_end().to_string(), unescape(value)));
        rest = after;
    }
}

fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_string();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_order() {
        let filler = "x".repeat(3 * WINDOW);
        let text = format!(
            "<?xml version=\"1.0\"?>\n<!-- <a> --><a b = 'c &lt;' d=\"e\">{filler}<f/></a>"
        );
        let input = Input::from_bytes(text.as_bytes(), "t");
        let mut tags = Tags::new(&input);
        let a = tags.next_tag().unwrap().unwrap();
        assert_eq!((a.name.as_str(), a.attribute("b")), ("a", Some("c <")));
        assert_eq!((a.attribute("d"), a.closes), (Some("e"), false));
        assert_eq!(a.end as usize, text.find("xxx").unwrap());
        assert!(tags.next_tag().unwrap().unwrap().is_empty);
        let end = tags.next_tag().unwrap().unwrap();
        assert!(end.closes && end.name == "a");
        assert_eq!(tags.next_tag().unwrap(), None);
    }

    #[test]
    fn values_may_hold_the_end_of_a_tag() {
        let filler = "x".repeat(2 * WINDOW);
        let text = format!("<a b=\"p -> 'q'\" c='\">' d='{filler}>'/>><e>");
        let input = Input::from_bytes(text.as_bytes(), "t");
        let mut tags = Tags::new(&input);
        let a = tags.next_tag().unwrap().unwrap();
        assert_eq!(
            (a.attribute("b"), a.attribute("c")),
            (Some("p -> 'q'"), Some("\">"))
        );
        assert!(a.is_empty && a.attribute("d").unwrap().ends_with("x>"));
        assert_eq!(tags.next_tag().unwrap().unwrap().name, "e");
    }

    #[test]
    fn broken_tags_are_errors() {
        for text in ["<a", "<a b=c>", "<a b='c>", "< a>", "<>", "<!-- x"] {
            let input = Input::from_bytes(text.as_bytes(), "t");
            assert!(Tags::new(&input).next_tag().is_err(), "{text}");
        }
    }
}
