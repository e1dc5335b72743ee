//! The folder of a comparison: `compare.json`, `report.html`, and `errors.csv` with the errors over time.

use super::entrant::Entrant;
use crate::failure::Failure;
use crate::output::failed;
use crate::series::Series;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// `errors.csv` while it is written: the time, s, and for each method but the reference its largest vertex error then.
pub struct ErrorFile {
    path: PathBuf,
    series: Series,
}

impl ErrorFile {
    /// Starts the file in a folder that is made if need be; the first entrant is the reference.
    pub fn create(folder: &Path, entrants: &[Entrant]) -> Result<ErrorFile, Failure> {
        fs::create_dir_all(folder).map_err(|e| failed("create the folder", folder, e))?;
        let path = folder.join("errors.csv");
        let names = entrants.iter().skip(1).map(|e| e.method.name());
        let header = std::iter::once("time").chain(names).collect::<Vec<_>>();
        let series = Series::create(&path, &header.join(","));
        let series = series.map_err(|e| failed("write", &path, e))?;
        Ok(ErrorFile { path, series })
    }

    /// A row from the given step of the present turn; empty for who has failed. Numbers read back as the same bits.
    pub fn row(&mut self, time: f64, entrants: &[Entrant], step: usize) -> Result<(), Failure> {
        let errors = entrants.iter().skip(1).map(|e| e.turn_errors.get(step));
        let row = errors.fold(format!("{time:?}"), |row, error| {
            row + "," + &error.map_or_else(String::new, |e| format!("{e:?}"))
        });
        let written = self.series.line(&row);
        written.map_err(|e| failed("write", &self.path, e))
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), Failure> {
        let finished = self.series.position().map(|_| ());
        finished.map_err(|e| failed("write", &self.path, e))
    }
}

/// Writes `compare.json`.
pub fn write_result(folder: &Path, result: &Value) -> Result<(), Failure> {
    let path = folder.join("compare.json");
    fs::write(&path, format!("{result:#}\n")).map_err(|e| failed("write", &path, e))
}

/// Writes `report.html`.
pub fn write_report(folder: &Path, page: &str) -> Result<(), Failure> {
    let path = folder.join("report.html");
    fs::write(&path, page).map_err(|e| failed("write", &path, e))
}
