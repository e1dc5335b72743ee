//! Rows of studies: what the studies do with them.

use super::timing::Timing;
use anyhow::{Context, Result};
use serde_json::{Map, Value};
use std::path::Path;

/// One measurement by keys.
pub type Row = Map<String, Value>;

/// The object as a row.
pub fn row(facts: Value) -> Row {
    facts.as_object().cloned().unwrap_or_default()
}

/// A number of a row.
pub fn number(row: &Row, key: &str) -> Option<f64> {
    row.get(key)?.as_f64()
}

/// None of an empty list.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    (!values.is_empty()).then(|| Timing::of(values).median)
}

/// Writes pictures by file name.
pub fn draw(folder: &Path, figures: Vec<(&str, String)>) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, svg) in figures {
        let path = folder.join(name);
        std::fs::write(&path, svg).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
