//! What a study leaves in its folder: `study.json`, and `report.html` with its rows as tables, its figures and the machine, one file
//! that loads nothing.

use anyhow::{Context, Result};
use pliant_scene::run_report::{ReportTable, RunReport, html};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// Writes the results of a study into the folder that has its figures.
pub fn write(folder: &Path, study: &Value, description: &str) -> Result<()> {
    let path = folder.join("study.json");
    fs::write(&path, format!("{study:#}\n")).with_context(|| path.display().to_string())?;
    let name = plain(&study["study"]);
    let pairs = |value: &Value, before: &str| -> Vec<(String, String)> {
        let object = value.as_object();
        let object = object.map_or_else(Vec::new, |o| o.iter().collect());
        let pair = |(key, value): (&String, &Value)| (format!("{before}{key}"), plain(value));
        object.into_iter().map(pair).collect()
    };
    let mut settings = pairs(&study["machine"], "machine: ");
    settings.push(("version".into(), env!("CARGO_PKG_VERSION").into()));
    let (facts, long): (Vec<_>, Vec<_>) = pairs(&study["summary"], "")
        .into_iter()
        .partition(|(_, value)| value.len() <= 24);
    settings.splice(
        0..0,
        long.into_iter().map(|(k, v)| (format!("summary: {k}"), v)),
    );
    let report = RunReport {
        title: format!("Study: {name}"),
        description: description.to_string(),
        facts,
        tables: tables(study["rows"].as_array().map_or(&[], Vec::as_slice)),
        plots: figures(folder)?,
        settings,
        ..RunReport::default()
    };
    let path = folder.join("report.html");
    fs::write(&path, html(&report)).with_context(|| path.display().to_string())
}

/// Rows with the same keys are a table.
fn tables(rows: &[Value]) -> Vec<ReportTable> {
    let mut tables: Vec<ReportTable> = Vec::new();
    for row in rows.iter().filter_map(Value::as_object) {
        let columns = words_first(row);
        let cells = columns.iter().map(|key| plain(&row[key])).collect();
        match tables.iter_mut().find(|table| table.columns == columns) {
            Some(table) => table.rows.push(cells),
            None => tables.push(ReportTable {
                title: format!("Measurements {}", tables.len() + 1),
                columns,
                rows: vec![cells],
                note: String::new(),
            }),
        }
    }
    tables
}

/// Keys of a row, those with words before those with numbers: the first cell names the row.
fn words_first(row: &Map<String, Value>) -> Vec<String> {
    let (words, numbers): (Vec<_>, Vec<_>) = row.iter().partition(|(_, v)| v.is_string());
    words
        .into_iter()
        .chain(numbers)
        .map(|(key, _)| key.clone())
        .collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let value = number.as_f64().unwrap_or(f64::NAN);
            match value.abs() {
                0.0 => "0".into(),
                v if (1e-3..1e6).contains(&v) => {
                    let decimals = (3.0 - v.log10().floor()).clamp(0.0, 6.0) as usize;
                    format!("{value:.decimals$}")
                }
                _ => format!("{value:.3e}"),
            }
        }
        other => other.to_string(),
    }
}

/// The figures that the study has drawn, in the order of their names.
fn figures(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "svg"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        fs::read_to_string(path).with_context(|| path.display().to_string())
    };
    let texts = paths.iter().map(read).collect::<Result<Vec<_>>>()?;
    // only what we drew ourselves is put into a page as it is
    Ok(texts
        .into_iter()
        .filter(|svg| svg.starts_with("<svg ") && !svg.contains("<script"))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_study_becomes_a_page() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.svg"), "<svg role=\"img\"></svg>").unwrap();
        fs::write(folder.path().join("b.svg"), "<script>alert(1)</script>").unwrap();
        let study = json!({
            "study": "speed",
            "machine": { "cores": 2 },
            "rows": [{ "seconds": 0.12345, "name": "a<b" }, { "seconds": 2.0, "name": "c" }, { "other": 1 }],
            "summary": { "ratio": 1.5 },
        });
        write(folder.path(), &study, "how fast").unwrap();
        let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
        let stored = fs::read_to_string(folder.path().join("study.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&stored).unwrap(), study);
        assert!(
            page.contains("a&lt;b") && page.contains("0.1235") && page.contains("Measurements 2")
        );
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(!page.contains("<script"));
    }
}
