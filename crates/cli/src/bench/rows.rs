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

/// Adds the rows that an earlier run has left in the folder for parts of a study that this one has not measured, and sorts all in the order of
/// the parts.
pub fn with_earlier(
    mut rows: Vec<Row>,
    folder: Option<&Path>,
    parts: &[&str],
    part_of: fn(&Row) -> String,
) -> Vec<Row> {
    let file = folder.and_then(|folder| std::fs::read(folder.join("study.json")).ok());
    let earlier = file.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let earlier = earlier.and_then(|study| study["rows"].as_array().cloned());
    let measured: Vec<String> = rows.iter().map(part_of).collect();
    let kept = (earlier.into_iter().flatten())
        .filter_map(|row| row.as_object().cloned())
        .filter(|row| !measured.contains(&part_of(row)));
    rows.extend(kept);
    rows.sort_by_key(|row| parts.iter().position(|&part| part == part_of(row)));
    rows
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

/// Pictures one under the other in one.
pub fn stacked(panels: &[String]) -> String {
    let attribute = |svg: &str, name: &str| -> f64 {
        let start = svg
            .find(&format!(" {name}=\""))
            .map(|at| at + name.len() + 3);
        let number = start.and_then(|at| svg[at..].split('"').next()?.parse().ok());
        number.unwrap_or(0.0)
    };
    let width = panels
        .iter()
        .map(|p| attribute(p, "width"))
        .fold(0.0, f64::max);
    let height: f64 = panels.iter().map(|p| attribute(p, "height")).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">"
    );
    let mut y = 0.0;
    for panel in panels {
        svg.push_str(&panel.replacen("<svg ", &format!("<svg y=\"{y}\" "), 1));
        y += attribute(panel, "height");
    }
    svg.push_str("</svg>");
    svg
}
