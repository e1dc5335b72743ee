//! Checkpoints: everything a run needs to go on as if it had not stopped.
//!
//! Layout (little-endian): magic `\x89PLIANTC`, version u32, crc32 u32 and length u64 of what follows, then the fields
//! in the order of [`Checkpoint::to_bytes`]. A checkpoint is written to a temporary file in the same folder, synced and
//! renamed, so that at any moment the file of its name is either the old or the new one, complete.

use crate::bytes::{Put, Reader};
use pliant_linalg::{Mat3, Vec3};
use pliant_solid::assembly::RotationPack;
use pliant_solid::condense::Activity;
use pliant_solid::constraint::Remembered;
use pliant_solid::lagged::{Coming, FactorMemory, Snapshot};
use pliant_solid::reduction::{ClumpMotion, NO_CLUMP, Rigidity, Tested};
use pliant_solid::rigid::{Pose, RigidState, Twist};
use pliant_solid::state::{Ledger, Previous, State};
use pliant_solid::subspace::{Active, Fading, Reduced};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"\x89PLIANTC";
const VERSION: u32 = 8;

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
        outputs,
    })
}

fn put_rigidity(body: &mut Vec<u8>, rigidity: &Rigidity) {
    let Rigidity {
        clump_of,
        shape,
        pinned,
        motions,
        quiet,
        tested,
        urge,
    } = rigidity;
    put_list(body, clump_of, |body, clump| body.put_u32(*clump));
    body.put_vectors(shape);
    body.put_vectors(urge);
    put_list(body, pinned, |body, pinned| body.push(u8::from(*pinned)));
    for ClumpMotion {
        origin,
        rotation,
        velocity,
        spin,
    } in motions
    {
        body.put_vectors(&[*origin]);
        body.put_vectors(&rotation.columns);
        body.put_vectors(&[*velocity, *spin]);
    }
    put_list(body, quiet, |body, quiet| body.push(*quiet));
    put_list(body, tested, |body, tested| {
        let Tested {
            largest,
            forces,
            totals,
            spin,
        } = tested;
        body.put_f64(*largest);
        put_list(body, forces, put_remembered);
        put_list(body, totals, |body, total| body.put_vectors(&[*total]));
        body.put_vectors(&[*spin]);
    });
}

fn put_reduced(body: &mut Vec<u8>, reduced: &Reduced) {
    let Reduced {
        coordinates,
        rates,
        last_step,
        active,
        fading,
        failing,
        behind,
    } = reduced;
    put_list(body, coordinates, |body, q| body.put_f64(*q));
    put_list(body, rates, |body, rate| body.put_f64(*rate));
    body.put_f64(*last_step);
    put_list(body, active, |body, active| {
        let Active {
            node,
            idle,
            speed,
            acceleration,
        } = active;
        body.put_u32(*node);
        body.put_u32(*idle);
        body.put_f64(*speed);
        body.put_f64(*acceleration);
    });
    put_list(body, fading, |body, fading| {
        let Fading {
            node,
            domain,
            left,
            offset,
        } = fading;
        body.put_u32(*node);
        body.put_u32(*domain);
        body.put_u32(*left);
        body.put_vectors(&[*offset]);
    });
    put_list(body, failing, |body, node| body.put_u32(*node));
    body.push(u8::from(*behind));
}

/// None where nodes and coordinates do not fit each other.
fn reduced(reader: &mut Reader, nodes: usize) -> Option<Reduced> {
    let reduced = Reduced {
        coordinates: list(reader, Reader::f64)?,
        rates: list(reader, Reader::f64)?,
        last_step: reader.f64()?,
        active: list(reader, |r| {
            Some(Active {
                node: r.u32()?,
                idle: r.u32()?,
                speed: r.f64()?,
                acceleration: r.f64()?,
            })
        })?,
        fading: list(reader, |r| {
            Some(Fading {
                node: r.u32()?,
                domain: r.u32()?,
                left: r.u32()?,
                offset: r.vector()?,
            })
        })?,
        failing: list(reader, Reader::u32)?,
        behind: match reader.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        },
    };
    let active = reduced.active.iter().map(|a| a.node);
    let fading = reduced.fading.iter().map(|f| f.node);
    let mut named = active
        .clone()
        .chain(fading)
        .chain(reduced.failing.iter().copied());
    let ascending = reduced.active.is_sorted_by(|a, b| a.node < b.node)
        && (reduced.fading).is_sorted_by_key(|f| (f.node, f.domain));
    let fits = reduced.coordinates.len() == reduced.rates.len();
    (fits && ascending && named.all(|n| (n as usize) < nodes)).then_some(reduced)
}

fn put_remembered(body: &mut Vec<u8>, remembered: &Remembered) {
    let Remembered { identity, force } = remembered;
    identity.iter().for_each(|&part| body.put_u32(part));
    body.put_vectors(&[*force]);
}

fn remembered(r: &mut Reader) -> Option<Remembered> {
    let identity = [r.u32()?, r.u32()?, r.u32()?, r.u32()?, r.u32()?];
    let force = r.vector()?;
    Some(Remembered { identity, force })
}

/// None where clumps and nodes do not fit each other.
fn rigidity(reader: &mut Reader, nodes: usize) -> Option<Rigidity> {
    let clump_of = list(reader, Reader::u32)?;
    if !clump_of.is_empty() && clump_of.len() != nodes {
        return None;
    }
    let mut vectors = || {
        let all = clump_of.iter().map(|_| reader.vector());
        all.collect::<Option<Vec<Vec3>>>()
    };
    let (shape, urge) = (vectors()?, vectors()?);
    let pinned = list(reader, |r| match r.u8()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    })?;
    let motion = |r: &mut Reader| {
        Some(ClumpMotion {
            origin: r.vector()?,
            rotation: Mat3::from_columns(r.vector()?, r.vector()?, r.vector()?),
            velocity: r.vector()?,
            spin: r.vector()?,
        })
    };
    let motions = pinned.iter().map(|_| motion(reader));
    let motions = motions.collect::<Option<Vec<ClumpMotion>>>()?;
    let known = |&clump: &u32| clump == NO_CLUMP || (clump as usize) < motions.len();
    if !clump_of.iter().all(known) {
        return None;
    }
    Some(Rigidity {
        clump_of: Arc::new(clump_of),
        shape: Arc::new(shape),
        urge: Arc::new(urge),
        pinned,
        motions,
        quiet: list(reader, Reader::u8)?,
        tested: Arc::new(list(reader, |r| {
            Some(Tested {
                largest: r.f64()?,
                forces: list(r, remembered)?,
                totals: list(r, Reader::vector)?,
                spin: r.vector()?,
            })
        })?),
    })
}

fn put_factors(body: &mut Vec<u8>, factors: &FactorMemory) {
    let FactorMemory {
        current,
        age,
        coming,
        lag,
        iterations,
        delay,
    } = factors;
    let put_snapshot = |body: &mut Vec<u8>, snapshot: &Snapshot| {
        let Snapshot {
            blocks,
            rotations,
            pattern,
            h,
        } = snapshot;
        put_list(body, blocks, |body, block| body.put_vectors(&block.columns));
        put_list(body, rotations, |body, r| body.put_vectors(&r.columns));
        body.put_u64(*pattern);
        body.put_f64(*h);
    };
    body.push(u8::from(current.is_some()));
    if let Some(current) = current {
        put_snapshot(body, current);
    }
    body.put_u32(*age);
    body.push(u8::from(coming.is_some()));
    if let Some(Coming {
        snapshot,
        age,
        due,
        prefetch,
    }) = coming
    {
        put_snapshot(body, snapshot);
        body.put_u32(*age);
        body.put_u32(*due);
        put_list(body, prefetch, |body, row| body.put_u32(*row));
    }
    body.put_u32(*lag);
    body.put_u32(*iterations);
    body.put_f64(*delay);
}

fn factors(reader: &mut Reader<'_>) -> Option<FactorMemory> {
    let matrix = |r: &mut Reader<'_>| {
        let [a, b, c] = [r.vector()?, r.vector()?, r.vector()?];
        Some(Mat3::from_columns(a, b, c))
    };
    let snapshot = |reader: &mut Reader<'_>| {
        Some(Arc::new(Snapshot {
            blocks: list(reader, matrix)?,
            rotations: list(reader, matrix)?,
            pattern: reader.u64()?,
            h: reader.f64()?,
        }))
    };
    let current = match reader.u8()? {
        0 => None,
        1 => Some(snapshot(reader)?),
        _ => return None,
    };
    let age = reader.u32()?;
    let coming = match reader.u8()? {
        0 => None,
        1 => Some(Coming {
            snapshot: snapshot(reader)?,
            age: reader.u32()?,
            due: reader.u32()?,
            prefetch: Arc::new(list(reader, Reader::u32)?),
        }),
        _ => return None,
    };
    Some(FactorMemory {
        current,
        age,
        coming,
        lag: reader.u32()?,
        iterations: reader.u32()?,
        delay: reader.f64()?,
    })
}

fn put_list<T>(body: &mut Vec<u8>, list: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    body.put_u64(list.len() as u64);
    list.iter().for_each(|item| put(body, item));
}

/// A list with its length before it; it grows as far as there are bytes.
fn list<'a, T>(
    reader: &mut Reader<'a>,
    item: impl Fn(&mut Reader<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let count = reader.u64()?;
    let mut list = Vec::new();
    for _ in 0..count {
        list.push(item(reader)?);
    }
    Some(list)
}

fn vectors(reader: &mut Reader<'_>) -> Option<Vec<Vec3>> {
    let count = usize::try_from(reader.u64()?).ok()?;
    reader.vectors(count)
}

/// Replaces the file at `path` by one with this content, or leaves it as it was: temporary file in the same folder,
/// sync, rename, sync of the folder.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = temporary_path(path)?;
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // nothing is lost if this fails too: the next checkpoint overwrites the temporary file
        let _ = fs::remove_file(&temporary);
        return written;
    }
    sync_folder(path)
}

/// Always the same name, so that killed runs leave at most one such file.
fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".partial");
    Ok(path.with_file_name(hidden))
}

/// Makes the rename itself survive a power failure.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the rename is as safe as the system makes it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    fn sample(with_previous: bool) -> Checkpoint {
        let list = vec![
            vec3(-0.0, f64::MIN_POSITIVE / 8.0, 1.0 / 3.0),
            vec3(f64::MAX, -5e-324, 0.1 + 0.2),
        ];
        let snapshot = |count: usize| {
            Arc::new(Snapshot {
                blocks: vec![Mat3::from_columns(list[0], list[1], list[0]); count],
                rotations: vec![Mat3::IDENTITY],
                pattern: 0xfeed,
                h: 5e-3,
            })
        };
        Checkpoint {
            state: State {
                step: u64::MAX - 3,
                time: 0.1 + 0.2,
                positions: list.clone(),
                velocities: list.iter().map(|&v| -v).collect(),
                previous: with_previous.then(|| Previous {
                    h: 5e-3,
                    positions: list.clone(),
                    velocities: list.clone(),
                }),
                rotations: vec![RotationPack::IDENTITY; 3],
                rigid: RigidState {
                    poses: vec![Pose {
                        rotation: Mat3::from_rows([
                            [1.0, 2.0, 3.0],
                            [4.0, 5.0, 6.0],
                            [7.0, 8.0, 9.0],
                        ]),
                        centre: list[0],
                    }],
                    twists: vec![Twist {
                        velocity: list[1],
                        spin: list[0],
                    }],
                    angles: vec![0.1, -0.0],
                    rates: vec![3.0],
                },
                constraint_forces: vec![Remembered {
                    identity: [3, 1, 4, 1, u32::MAX],
                    force: list[1],
                }],
                factors: vec![
                    FactorMemory {
                        current: Some(snapshot(2)),
                        age: 3,
                        coming: with_previous.then(|| Coming {
                            snapshot: snapshot(1),
                            age: 1,
                            due: 2,
                            prefetch: Arc::new(vec![7, 9]),
                        }),
                        lag: 4,
                        iterations: 5,
                        delay: 0.125,
                    },
                    FactorMemory::default(),
                ],
                activity: Activity {
                    dynamic: vec![true, false],
                    metrics: vec![vec![0.02, -0.0]; 3],
                },
                rigidity: Rigidity {
                    clump_of: Arc::new(vec![1, NO_CLUMP]),
                    shape: Arc::new(list.clone()),
                    urge: Arc::new(list.clone()),
                    pinned: vec![true, false],
                    motions: vec![
                        ClumpMotion {
                            origin: list[0],
                            rotation: Mat3::from_columns(list[1], list[0], list[1]),
                            velocity: list[1],
                            spin: list[0],
                        };
                        2
                    ],
                    quiet: vec![0, 5, 255],
                    tested: Arc::new(vec![
                        Tested {
                            largest: 0.25,
                            forces: vec![Remembered {
                                identity: [2, 7, 1, 8, 0],
                                force: list[0],
                            }],
                            totals: list.clone(),
                            spin: list[1],
                        },
                        Tested::default(),
                    ]),
                },
                subspace: Reduced {
                    coordinates: vec![0.5, -0.0],
                    rates: vec![1e-310, 2.0],
                    last_step: 5e-3,
                    active: vec![Active {
                        node: 1,
                        idle: 2,
                        speed: 0.25,
                        acceleration: 3.0,
                    }],
                    fading: vec![Fading {
                        node: 0,
                        domain: 1,
                        left: 2,
                        offset: list[1],
                    }],
                    failing: vec![1],
                    behind: with_previous,
                },
                halvings: 2,
                ledger: Ledger {
                    external_work: -0.0,
                    damping_loss: 1e-310,
                    contact_work: 0.25,
                    integrator_loss: -1.5,
                    initial_energy: with_previous.then_some(-0.0),
                },
            },
            scene: "conjac/twist".into(),
            digest: 0x0123_4567_89ab_cdef,
            method: "full".into(),
            settings: "steps = 40; ü".into(),
            outputs: vec![OutputPosition {
                name: "recording.plr".into(),
                bytes: 1 << 40,
                records: 77,
            }],
        }
    }

    fn bits(list: &[Vec3]) -> Vec<u64> {
        pliant_linalg::flat(list)
            .iter()
            .map(|v| v.to_bits())
            .collect()
    }

    #[test]
    fn round_trip_keeps_every_bit() {
        for with_previous in [false, true] {
            let checkpoint = sample(with_previous);
            let back = Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap();
            assert_eq!(back, checkpoint);
            // equality of floats ignores the sign of zero
            assert_eq!(
                bits(&back.state.positions),
                bits(&checkpoint.state.positions)
            );
            assert_eq!(
                bits(&back.state.velocities),
                bits(&checkpoint.state.velocities)
            );
            assert!(back.state.ledger.external_work.is_sign_negative());
            assert_eq!(back.to_bytes(), checkpoint.to_bytes());
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_noticed() {
        let bytes = sample(true).to_bytes();
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(&bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Checkpoint::from_bytes(&longer).is_err());
        let mut newer = bytes;
        newer[8] = 9;
        let message = Checkpoint::from_bytes(&newer).unwrap_err().to_string();
        assert!(message.contains("version 9"), "{message}");
    }

    #[test]
    fn huge_counts_with_a_right_checksum_are_refused() {
        let good = sample(false);
        let bytes = good.to_bytes();
        let body = &bytes[24..];
        // wherever a count stands, a huge one must not be allocated
        for at in 0..body.len() - 8 {
            let mut damaged = body.to_vec();
            damaged[at..at + 8].copy_from_slice(&(u64::MAX >> 4).to_le_bytes());
            let mut file = bytes[..12].to_vec();
            file.put_u32(crc32fast::hash(&damaged));
            file.put_u64(damaged.len() as u64);
            file.extend_from_slice(&damaged);
            let _ = Checkpoint::from_bytes(&file);
        }
    }

    #[test]
    fn an_interrupted_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.plc");
        let old = sample(false);
        old.write(&path).unwrap();
        // a process killed while writing leaves part of the temporary file
        fs::write(
            temporary_path(&path).unwrap(),
            &sample(true).to_bytes()[..40],
        )
        .unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), old);
        let new = sample(true);
        new.write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), new);
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file stays"
        );
    }

    #[test]
    fn missing_folders_and_other_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none/run.plc");
        let message = sample(false).write(&path).unwrap_err().to_string();
        assert!(message.contains("run.plc"), "{message}");
        assert!(Checkpoint::read(&path).is_err());
        assert!(matches!(
            Checkpoint::from_bytes(b"title = \"x\"  "),
            Err(CheckpointError::NotACheckpoint)
        ));
    }
}
