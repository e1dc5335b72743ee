//! Plots of a recording: the time series that `pliant run` has left beside it.

use crate::series::columns;
use std::fs;
use std::path::Path;

/// Most rows that plots show.
const MOST: usize = 900;
/// Longest file that is read, bytes.
const LONGEST: u64 = 256 << 20;

/// Numbers of a file by the names of its first columns; later ones may have quotes.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f32>>,
}

impl Table {
    fn read(path: &Path) -> Option<Table> {
        if fs::metadata(path).ok()?.len() > LONGEST {
            return None;
        }
        let text = fs::read_to_string(path).ok()?;
        let mut lines = text.lines();
        let names = lines.next()?.split(',').map(str::to_string).collect();
        let numbers = |line: &str| -> Vec<f32> {
            line.split(',')
                .map(|v| v.parse().unwrap_or(f32::NAN))
                .collect()
        };
        let lines: Vec<&str> = lines.collect();
        let stride = lines.len().div_ceil(MOST).max(1);
        let rows = lines.iter().step_by(stride).map(|l| numbers(l)).collect();
        Some(Table { names, rows })
    }

    fn at(&self, row: usize, name: &str) -> f32 {
        let column = self.names.iter().position(|n| n == name);
        let value = column.and_then(|c| self.rows.get(row)?.get(c));
        value.copied().filter(|v| v.is_finite()).unwrap_or(0.0)
    }
}

/// Rows as those of live scenes ([`crate::series::row`]); none where there are no such files.
pub fn read(folder: &Path) -> Vec<Vec<f32>> {
    let Some(results) = Table::read(&folder.join("series.csv")) else {
        return Vec::new();
    };
    let timings = Table::read(&folder.join("timings.csv"));
    let row = |index: usize| {
        let of = |name: &str| results.at(index, name);
        let timed = |name: &str| timings.as_ref().map_or(0.0, |t| t.at(index, name));
        let value = |name: &&str| match *name {
            "step" | "time" | "contacts" => of(name),
            "wall" => timed("total"),
            "dofs" => of("active_dofs"),
            "kinetic" => of("kinetic_energy"),
            "elastic" => of("elastic_energy"),
            "gravitational" => of("gravitational_energy"),
            "work" => of("external_work") + of("contact_work"),
            "loss" => of("damping_loss") + of("integrator_loss"),
            "residual" => of("linear_residual").max(of("delay_residual")),
            "newton" => of("newton_residual"),
            "iterations" => of("linear_iterations"),
            "penetration" => of("max_penetration"),
            "stress" => of("max_von_mises"),
            // of one simulation only, and not recorded
            "pane" | "error" | "metric" => 0.0,
            stage => timed(stage),
        };
        columns().iter().map(value).collect()
    };
    (0..results.rows.len()).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_run_become_rows() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).is_empty());
        let series =
            "step,time,kinetic_energy,active_dofs,\"a,b\"\n1,0.1,2.5,30,1\n2,0.2,3.5,31,1\n";
        fs::write(folder.path().join("series.csv"), series).unwrap();
        fs::write(
            folder.path().join("timings.csv"),
            "step,solve,total\n1,0.5,0.75\n2,1,2\n",
        )
        .unwrap();
        let rows = read(folder.path());
        let names = columns();
        let at = |row: usize, name: &str| rows[row][names.iter().position(|n| *n == name).unwrap()];
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (at(1, "time"), at(1, "kinetic"), at(0, "dofs")),
            (0.2, 3.5, 30.0)
        );
        assert_eq!(
            (at(0, "wall"), at(1, "solve"), at(0, "pane")),
            (0.75, 1.0, 0.0)
        );
        assert_eq!(rows[0].len(), names.len());
    }
}
