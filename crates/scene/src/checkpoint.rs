//! Checkpoints: everything a run needs to go on as if it had not stopped.
//!
//! Layout (little-endian): magic `\x89PLIANTC`, version u32, crc32 u32 and length u64 of what follows, then the fields
//! in the order of [`Checkpoint::to_bytes`]. A checkpoint is written to a temporary file in the same folder, synced and
//! renamed, so that at any moment the file of its name is either the old or the new one, complete.

mod atomic;
mod factors;
mod lists;
mod reduced;
mod rigidity;
#[cfg(test)]
mod tests;

pub use atomic::write_atomically;

use crate::bytes::{Put, Reader};
use factors::{factors, put_factors};
use lists::{list, put_list, vectors};
use pliant_linalg::Mat3;
use pliant_solid::assembly::RotationPack;
use pliant_solid::condense::Activity;
use pliant_solid::rigid::{Pose, RigidState, Twist};
use pliant_solid::state::{Ledger, Previous, State};
use reduced::{put_reduced, reduced};
use rigidity::{put_remembered, put_rigidity, remembered, rigidity};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"\x89PLIANTC";
const VERSION: u32 = 10;

/// The state of a run between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The simulation's state.
    pub state: State,
    /// Name of the scene.
    pub scene: String,
    /// Identifier of the scene's text, [`crate::SceneFile::digest`].
    pub digest: u64,
    /// Name of the method.
    pub method: String,
    /// Options of the run that the scene does not hold, in the words of whoever wrote them.
    pub settings: String,
    /// What was done to the simulation from outside, in the words of whoever did it; empty for nothing.
    pub changes: String,
    /// How far each output file had got.
    pub outputs: Vec<OutputPosition>,
}

/// How far an output file had got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPosition {
    /// Name of the file in the output folder.
    pub name: String,
    /// Its length, bytes.
    pub bytes: u64,
    /// Frames or rows in it.
    pub records: u64,
}

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file system refuses.
    #[error("checkpoint `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Some other file.
    #[error("this is not a Pliant checkpoint")]
    NotACheckpoint,
    /// From another version of the program.
    #[error(
        "this checkpoint has format version {found}, but this program reads version {VERSION}: run it with the program that wrote it"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The file ends too early.
    #[error("the checkpoint is truncated: use an earlier one")]
    Truncated,
    /// The checksum or a field is wrong.
    #[error("the checkpoint is damaged ({what}): use an earlier one")]
    Corrupt {
        /// What is wrong.
        what: &'static str,
    },
}

impl Checkpoint {
    /// The file's content.
    pub fn to_bytes(&self) -> Vec<u8> {
        // every field is named, so that a new one cannot be forgotten here
        let Checkpoint {
            state,
            scene,
            digest,
            method,
            settings,
            changes,
            outputs,
        } = self;
        let State {
            step,
            time,
            positions,
            velocities,
            previous,
            rotations,
            rigid,
            constraint_forces,
            factors,
            activity,
            rigidity,
            subspace,
            halvings,
            ledger,
        } = state;
        let RigidState {
            poses,
            twists,
            angles,
            rates,
        } = rigid;
        let Ledger {
            external_work,
            damping_loss,
            contact_work,
            integrator_loss,
            initial_energy,
        } = ledger;
        let mut body = Vec::with_capacity(256 + 96 * positions.len());
        body.put_text(scene);
        body.put_u64(*digest);
        body.put_text(method);
        body.put_text(settings);
        body.put_text(changes);
        body.put_u64(*step);
        body.put_f64(*time);
        body.put_u64(positions.len() as u64);
        body.put_vectors(positions);
        body.put_u64(velocities.len() as u64);
        body.put_vectors(velocities);
        body.push(u8::from(previous.is_some()));
        if let Some(Previous {
            h,
            positions,
            velocities,
        }) = previous
        {
            body.put_f64(*h);
            body.put_u64(positions.len() as u64);
            body.put_vectors(positions);
            body.put_u64(velocities.len() as u64);
            body.put_vectors(velocities);
        }
        let rotations = RotationPack::numbers(rotations);
        body.put_u64(rotations.len() as u64);
        for &value in rotations {
            body.put_f64(value);
        }
        put_list(&mut body, poses, |body, Pose { rotation, centre }| {
            let transposed = rotation.transpose();
            body.put_vectors(&[0, 1, 2].map(|column| transposed.row(column)));
            body.put_vectors(&[*centre]);
        });
        put_list(&mut body, twists, |body, Twist { velocity, spin }| {
            body.put_vectors(&[*velocity, *spin]);
        });
        put_list(&mut body, angles, |body, angle| body.put_f64(*angle));
        put_list(&mut body, rates, |body, rate| body.put_f64(*rate));
        put_list(&mut body, constraint_forces, put_remembered);
        put_list(&mut body, factors, put_factors);
        let Activity { dynamic, metrics } = activity;
        put_list(&mut body, dynamic, |body, dynamic| {
            body.push(u8::from(*dynamic))
        });
        put_list(&mut body, metrics, |body, step| {
            put_list(body, step, |body, metric| body.put_f64(*metric));
        });
        put_rigidity(&mut body, rigidity);
        put_reduced(&mut body, subspace);
        body.put_u32(*halvings);
        for value in [external_work, damping_loss, contact_work, integrator_loss] {
            body.put_f64(*value);
        }
        body.push(u8::from(initial_energy.is_some()));
        if let Some(energy) = initial_energy {
            body.put_f64(*energy);
        }
        body.put_u64(outputs.len() as u64);
        for output in outputs {
            body.put_text(&output.name);
            body.put_u64(output.bytes);
            body.put_u64(output.records);
        }

        let mut file = Vec::with_capacity(body.len() + 24);
        file.extend_from_slice(&MAGIC);
        file.put_u32(VERSION);
        file.put_u32(crc32fast::hash(&body));
        file.put_u64(body.len() as u64);
        file.extend_from_slice(&body);
        file
    }

    /// Reads what [`Checkpoint::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let mut reader = Reader(bytes);
        if reader.array() != Some(MAGIC) {
            return Err(CheckpointError::NotACheckpoint);
        }
        let found = reader.u32().ok_or(CheckpointError::Truncated)?;
        if found != VERSION {
            return Err(CheckpointError::Version { found });
        }
        let checksum = reader.u32().ok_or(CheckpointError::Truncated)?;
        let length = reader.u64().ok_or(CheckpointError::Truncated)?;
        match (reader.0.len() as u64).cmp(&length) {
            std::cmp::Ordering::Less => return Err(CheckpointError::Truncated),
            std::cmp::Ordering::Greater => {
                return Err(CheckpointError::Corrupt { what: "its length" });
            }
            std::cmp::Ordering::Equal => {}
        }
        if crc32fast::hash(reader.0) != checksum {
            return Err(CheckpointError::Corrupt {
                what: "its checksum",
            });
        }
        fields(&mut reader).ok_or(CheckpointError::Corrupt { what: "a field" })
    }

    /// Writes the file so that killing the program at any moment leaves the old or the new one, complete.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let failed = |source| CheckpointError::Io {
            path: path.to_path_buf(),
            source,
        };
        write_atomically(path, &self.to_bytes()).map_err(failed)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let bytes = fs::read(path).map_err(|source| CheckpointError::Io {
            path: path.to_path_buf(),
            source,
        })?;
        Checkpoint::from_bytes(&bytes)
    }
}

fn fields(reader: &mut Reader<'_>) -> Option<Checkpoint> {
    let scene = reader.text()?;
    let digest = reader.u64()?;
    let method = reader.text()?;
    let settings = reader.text()?;
    let changes = reader.text()?;
    let step = reader.u64()?;
    let time = reader.f64()?;
    let positions = vectors(reader)?;
    let velocities = vectors(reader)?;
    let previous = match reader.u8()? {
        0 => None,
        1 => Some(Previous {
            h: reader.f64()?,
            positions: vectors(reader)?,
            velocities: vectors(reader)?,
        }),
        _ => return None,
    };
    let count = usize::try_from(reader.u64()?).ok()?;
    let mut rotations = Reader(reader.take(count.checked_mul(8)?)?);
    let rotations = RotationPack::from_numbers(&rotations.numbers()?)?;
    let rigid = RigidState {
        poses: list(reader, |r| {
            let [a, b, c] = [r.vector()?, r.vector()?, r.vector()?];
            let rotation = Mat3::from_columns(a, b, c);
            let centre = r.vector()?;
            Some(Pose { rotation, centre })
        })?,
        twists: list(reader, |r| {
            let [velocity, spin] = [r.vector()?, r.vector()?];
            Some(Twist { velocity, spin })
        })?,
        angles: list(reader, Reader::f64)?,
        rates: list(reader, Reader::f64)?,
    };
    let constraint_forces = list(reader, remembered)?;
    let factors = list(reader, factors)?;
    let activity = Activity {
        dynamic: list(reader, |r| match r.u8()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })?,
        metrics: list(reader, |r| list(r, Reader::f64))?,
    };
    let count = activity.dynamic.len();
    if activity.metrics.iter().any(|step| step.len() != count) {
        return None;
    }
    let rigidity = rigidity(reader, positions.len())?;
    let subspace = reduced(reader, positions.len())?;
    let halvings = reader.u32()?;
    let ledger = Ledger {
        external_work: reader.f64()?,
        damping_loss: reader.f64()?,
        contact_work: reader.f64()?,
        integrator_loss: reader.f64()?,
        initial_energy: match reader.u8()? {
            0 => None,
            1 => Some(reader.f64()?),
            _ => return None,
        },
    };
    let mut outputs = Vec::new();
    for _ in 0..reader.u64()? {
        outputs.push(OutputPosition {
            name: reader.text()?,
            bytes: reader.u64()?,
            records: reader.u64()?,
        });
    }
    reader.0.is_empty().then_some(Checkpoint {
        state: State {
            step,
            time,
            positions,
            velocities,
            previous,
            rotations,
            rigid,
            constraint_forces,
            factors,
            activity,
            rigidity,
            subspace,
            halvings,
            ledger,
        },
        scene,
        digest,
        method,
        settings,
        changes,
        outputs,
    })
}
