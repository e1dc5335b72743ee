//! The time series of a run as CSV: results in one file, clock times in another, so that results repeat byte by byte.

use pliant_solid::model::Model;
use pliant_solid::report::{Stage, StepReport};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// A CSV file being written.
pub struct Series {
    file: BufWriter<File>,
    bytes: u64,
    rows: u64,
}

impl Series {
    /// Starts a file with its header line.
    pub fn create(path: &Path, header: &str) -> io::Result<Series> {
        let mut series = Series {
            file: BufWriter::new(File::create(path)?),
            bytes: 0,
            rows: 0,
        };
        series.line(header)?;
        series.rows = 0;
        Ok(series)
    }

    /// Goes on with a file of which the first `bytes` count.
    pub fn resume(path: &Path, bytes: u64, rows: u64) -> io::Result<Series> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        if file.metadata()?.len() < bytes {
            return Err(io::Error::other(
                "the file is shorter than when the checkpoint was written",
            ));
        }
        file.set_len(bytes)?;
        file.seek(SeekFrom::Start(bytes))?;
        Ok(Series {
            file: BufWriter::new(file),
            bytes,
            rows,
        })
    }

    /// Appends a line.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.file, "{line}")?;
        self.bytes += line.len() as u64 + 1;
        self.rows += 1;
        Ok(())
    }

    /// Makes everything so far part of the file and says how far it has got: bytes, rows.
    pub fn position(&mut self) -> io::Result<(u64, u64)> {
        self.file.flush()?;
        Ok((self.bytes, self.rows))
    }
}

/// Names of the columns of `series.csv`; SI units.
pub fn results_header(model: &Model) -> String {
    let mut header = String::from(
        "step,time,kinetic_energy,elastic_energy,gravitational_energy,external_work,damping_loss,contact_work,integrator_loss,\
         momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z,\
         centre_x,centre_y,centre_z,max_von_mises,max_von_mises_element,inverted_elements,\
         newton_iterations,newton_residual,linear_iterations,linear_residual,solver_energy,solver_energy_left,\
         active_dofs,halvings,contacts,max_penetration,constraints,constraint_iterations,constraint_residual,force_balance,\
         factor_age,touched_nodes,delay_residual",
    );
    for drive in &model.drives {
        for axis in ["x", "y", "z"] {
            header += &format!(",{}", quoted(&format!("reaction {} {axis}", drive.name)));
        }
    }
    for (kind, name, quantities) in model.joint_columns() {
        for quantity in quantities {
            header += &format!(",{}", quoted(&format!("{kind} {name} {quantity}")));
        }
    }
    header
}

/// A row of `series.csv`. Numbers are written so that reading them back gives the same bits.
pub fn results_row(r: &StepReport) -> String {
    let e = &r.energies;
    let m = &r.momentum;
    let mut row = format!("{}", r.step);
    let numbers = [
        r.time,
        e.kinetic,
        e.elastic,
        e.gravitational,
        e.external_work,
        e.damping_loss,
        e.contact_work,
        e.integrator_loss,
    ];
    let vectors = [m.linear, m.angular, m.centre];
    for value in numbers
        .into_iter()
        .chain(vectors.into_iter().flat_map(|v| v.to_array()))
    {
        row += &format!(",{value:?}");
    }
    row += &format!(
        ",{:?},{},{}",
        r.max_von_mises.0, r.max_von_mises.1, r.inverted_elements
    );
    row += &format!(
        ",{},{:?},{}",
        r.newton_iterations, r.newton_residual, r.linear_iterations
    );
    row += &format!(
        ",{:?},{:?},{:?},{},{},{},{:?}",
        r.solve.relative_residual,
        r.solve.energy_decrease,
        r.solve.energy_left,
        r.active_dofs,
        r.halvings,
        r.contacts,
        r.max_penetration
    );
    row += &format!(
        ",{},{},{:?},{:?}",
        r.constraints, r.constraint_solve.iterations, r.constraint_solve.residual, r.force_balance
    );
    row += &format!(
        ",{},{},{:?}",
        r.factor.age, r.isolated.touched, r.delay_residual
    );
    for value in r.reactions.iter().flat_map(|v| v.to_array()) {
        row += &format!(",{value:?}");
    }
    for value in r.joints.iter().flat_map(|j| j.values()) {
        row += &format!(",{value:?}");
    }
    row
}

/// Names of the columns of `timings.csv`, s, and how many columns of the compliance were solved.
pub fn timings_header() -> String {
    Stage::ALL.iter().fold("step".to_string(), |header, stage| {
        header + "," + stage.name()
    }) + ",total,solved_nodes"
}

/// A row of `timings.csv`.
pub fn timings_row(r: &StepReport) -> String {
    let stages = Stage::ALL.iter().fold(r.step.to_string(), |row, &s| {
        row + &format!(",{:.3e}", r.times.seconds(s))
    });
    // what is kept from before is a matter of cost, not of results
    stages + &format!(",{:.3e},{}", r.times.total(), r.isolated.solved)
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_string()
    }
}
