//! One precise error about a scene file, and the way from a key to its place in the text.

use std::fmt;
use std::ops::Range;

/// What is wrong with a scene, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct SceneError {
    /// What is wrong.
    pub message: String,
    /// Name of the file or embedded scene.
    pub file: String,
    /// Line from 1; 0 when the error has no place.
    pub line: usize,
    /// Column from 1 in characters; 0 when the error has no place.
    pub column: usize,
    /// Bytes of the text at fault.
    pub span: Option<Range<usize>>,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "; help: {help}"),
            None => Ok(()),
        }
    }
}

impl SceneError {
    /// An error at a place of `text`.
    pub(crate) fn at(
        file: &str,
        text: &str,
        span: Option<Range<usize>>,
        message: String,
        help: Option<String>,
    ) -> Self {
        let (line, column) = span
            .as_ref()
            .map_or((0, 0), |s| line_and_column(text, s.start));
        SceneError {
            message,
            file: file.to_string(),
            line,
            column,
            span,
            help,
        }
    }

    /// An error without a place in the text.
    pub(crate) fn whole_file(file: &str, message: String, help: Option<String>) -> Self {
        SceneError::at(file, "", None, message, help)
    }
}

fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = before.matches('\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// Where a value stands in a scene: keys and indices from the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KeyPath(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

impl KeyPath {
    pub fn root() -> Self {
        KeyPath::default()
    }

    pub fn key(&self, key: &str) -> Self {
        self.with(Step::Key(key.to_string()))
    }

    pub fn index(&self, index: usize) -> Self {
        self.with(Step::Index(index))
    }

    fn with(&self, step: Step) -> Self {
        let mut path = self.clone();
        path.0.push(step);
        path
    }

    /// Bytes of the value, or of the nearest enclosing table that is written down.
    pub fn span(&self, text: &str) -> Option<Range<usize>> {
        use toml::de::{DeTable, DeValue};
        let root = DeTable::parse(text).ok()?;
        let mut table = Some(root.get_ref());
        let mut array = None;
        let mut span: Option<Range<usize>> = None;
        for step in &self.0 {
            let value = match step {
                Step::Key(key) => table.and_then(|t| t.get(key.as_str())),
                Step::Index(index) => array.and_then(|a: &toml::de::DeArray<'_>| a.get(*index)),
            };
            let Some(value) = value else { break };
            span = Some(value.span());
            (table, array) = match value.get_ref() {
                DeValue::Table(inner) => (Some(inner), None),
                DeValue::Array(inner) => (None, Some(inner)),
                _ => (None, None),
            };
        }
        // a table made by a dotted key is spanned by that key alone: stretch it over its only value
        while let (Some(stretched), Some(inner)) = (span.as_mut(), table) {
            let mut values = inner.iter();
            let (Some((_, value)), None) = (values.next(), values.next()) else {
                break;
            };
            let Range { start, end } = value.span();
            let on_one_line = |gap: &str| !gap.contains('\n');
            if !text.get(stretched.end..start).is_some_and(on_one_line) {
                break;
            }
            stretched.end = end;
            table = match value.get_ref() {
                DeValue::Table(deeper) => Some(deeper),
                _ => None,
            };
        }
        span
    }
}

/// A problem found while building, before it is tied to a file.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub at: KeyPath,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(at: KeyPath, message: impl Into<String>) -> Self {
        Problem {
            at,
            message: message.into(),
            help: None,
        }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_and_column("aé\nbü = 1", 7), (2, 3));
        assert_eq!(line_and_column("", 9), (1, 1));
    }

    #[test]
    fn paths_lead_to_values() {
        let text = "a = 1\n[[body]]\nname = \"x\"\nmesh.bar = { size = [1, 2, 3] }\n[body.material]\nyoung = 5\n";
        let slice = |path: KeyPath| &text[path.span(text).unwrap()];
        let body = KeyPath::root().key("body").index(0);
        assert_eq!(slice(body.key("name")), "\"x\"");
        assert_eq!(slice(body.key("mesh").key("bar").key("size").index(1)), "2");
        assert_eq!(slice(body.key("material").key("young")), "5");
        assert_eq!(slice(body.key("mesh")), "mesh.bar = { size = [1, 2, 3] }");
        // a missing key leads to the table that lacks it
        assert_eq!(
            slice(body.key("material").key("poisson")),
            "[body.material]"
        );
        assert_eq!(slice(body.key("spin")), "[[body]]");
    }
}
