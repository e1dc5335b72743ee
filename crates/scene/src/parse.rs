//! From text to the types of a scene file, with messages that say what to write instead.

use crate::error::{KeyPath, Problem, SceneError};
use crate::file::{SceneTable, misfit};
use crate::suggest::did_you_mean;

/// Longest scene text that is read, bytes.
const LONGEST_TEXT: usize = 16 << 20;

/// A scene file that has been read but not built.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// Name of the file or embedded scene.
    pub name: String,
    /// The text, kept for the places of errors.
    pub text: String,
    /// The content.
    pub table: SceneTable,
}

impl SceneFile {
    /// Ties a problem to its place in the text.
    pub(crate) fn error(&self, problem: Problem) -> SceneError {
        let Problem { at, message, help } = problem;
        // a scene-wide problem points at the beginning
        let span = at.span(&self.text).or(Some(0..0));
        SceneError::at(&self.name, &self.text, span, message, help)
    }

    /// An identifier of the text (FNV-1a, 64 bits), to notice that a scene was edited between runs.
    pub fn digest(&self) -> u64 {
        let step =
            |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }
}

/// Reads the text of a scene; `name` is what errors call it.
pub fn parse(text: &str, name: &str) -> Result<SceneFile, SceneError> {
    if text.len() > LONGEST_TEXT {
        let message = format!("{} bytes are too many for a scene", text.len());
        let help = "put meshes into files of their own".to_string();
        return Err(SceneError::whole_file(name, message, Some(help)));
    }
    if let Some(found) = misfit(text) {
        let span = Some(found.span);
        return Err(SceneError::at(name, text, span, found.message, found.help));
    }
    match toml::from_str::<SceneTable>(text) {
        Ok(table) => Ok(SceneFile {
            name: name.to_string(),
            text: text.to_string(),
            table,
        }),
        Err(error) => {
            let (message, help) = explain(error.message());
            let span = error.span().or(KeyPath::root().span(text)).or(Some(0..0));
            Err(SceneError::at(name, text, span, message, help))
        }
    }
}

/// Serde's words in ours: unknown names with the nearest known one, missing keys, types of the file for those of Rust.
fn explain(message: &str) -> (String, Option<String>) {
    for (start, what) in [("unknown field `", "key"), ("unknown variant `", "name")] {
        if let Some(rest) = message.strip_prefix(start)
            && let Some((name, expected)) = rest.split_once('`')
        {
            let candidates: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
            return (
                format!("unknown {what} `{name}`"),
                Some(did_you_mean(name, &candidates)),
            );
        }
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return (
            format!("the key {rest} is missing"),
            Some(format!("add {rest} here")),
        );
    }
    let message = message.trim_end().replace('\n', ", ");
    let Some((found, expected)) = message.split_once(", expected ") else {
        return (message, None);
    };
    let expected = match expected {
        "usize" | "u64" => "a whole number from 0",
        "u32" => "a whole number from 0 to 4294967295",
        "a sequence" => "a list",
        "a map" => "a table",
        other if other.starts_with("struct ") => "a table",
        other => other,
    };
    let found = match found {
        "invalid type: map" => "invalid type: table",
        "invalid type: sequence" => "invalid type: list",
        other => other,
    };
    (format!("{found}, expected {expected}"), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations() {
        let (message, help) = explain("unknown field `yuong`, expected one of `model`, `young`");
        assert_eq!(message, "unknown key `yuong`");
        assert_eq!(
            help.unwrap(),
            "did you mean `young`? known are `model`, `young`"
        );
        let (_, help) = explain("unknown field `a`, expected `b`");
        assert_eq!(help.unwrap(), "there is only `b`");
        assert_eq!(
            explain("missing field `young`").0,
            "the key `young` is missing"
        );
        assert_eq!(
            explain("invalid value: integer `-1`, expected usize").0,
            "invalid value: integer `-1`, expected a whole number from 0"
        );
    }
}
