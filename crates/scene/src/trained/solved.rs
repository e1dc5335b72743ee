//! Work file of a training: the solutions of the runs that are finished, so that a training that was stopped goes on.
//!
//! Each run has a file of its own in a folder beside the model, named by the run's place. It is used again only if its key, an
//! identifier of everything that the solution depends on, is the same.

use super::{opened, sealed};
use crate::bytes::{Put, Reader};
use crate::checkpoint::write_atomically;
use pliant_solid::subspace::train::Snapshot;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"\x89PLIANTP";
const VERSION: u32 = 1;

/// The solution of one run or pose of a training.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolvedPose {
    /// Identifier of all that it depends on.
    pub key: u64,
    /// Its snapshots.
    pub snapshots: Vec<Snapshot>,
    /// Steps that were taken.
    pub steps: u64,
    /// Largest residual of Newton's method in a snapshot, relative to the largest force.
    pub residual: f64,
}

impl SolvedPose {
    fn to_bytes(&self) -> Vec<u8> {
        let SolvedPose {
            key,
            snapshots,
            steps,
            residual,
        } = self;
        let mut content = Vec::new();
        content.put_u64(*key);
        content.put_u64(*steps);
        content.put_f64(*residual);
        content.put_u64(snapshots.len() as u64);
        for Snapshot {
            positions,
            activations,
        } in snapshots
        {
            content.put_u64(positions.len() as u64);
            content.put_vectors(positions);
            content.put_u64(activations.len() as u64);
            activations.iter().for_each(|&a| content.put_f64(a));
        }
        sealed(MAGIC, VERSION, content)
    }

    fn from_bytes(bytes: &[u8]) -> Option<SolvedPose> {
        let mut reader = opened(bytes, MAGIC, VERSION).ok()?;
        let mut pose = SolvedPose {
            key: reader.u64()?,
            steps: reader.u64()?,
            residual: reader.f64()?,
            snapshots: Vec::new(),
        };
        for _ in 0..reader.u64()? {
            let count = usize::try_from(reader.u64()?).ok()?;
            let positions = reader.vectors(count)?;
            let count = usize::try_from(reader.u64()?).ok()?;
            let activations = Reader(reader.take(count.checked_mul(8)?)?).numbers()?;
            pose.snapshots.push(Snapshot {
                positions,
                activations,
            });
        }
        reader.0.is_empty().then_some(pose)
    }
}

/// The folder of solved poses.
#[derive(Clone, Debug)]
pub struct SolvedPoses {
    folder: PathBuf,
}

impl SolvedPoses {
    /// Beside a model file: its name and `.work`.
    pub fn beside(model: &Path) -> SolvedPoses {
        let mut name = model.file_name().unwrap_or_default().to_os_string();
        name.push(".work");
        SolvedPoses {
            folder: model.with_file_name(name),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, index: usize) -> PathBuf {
        self.folder.join(format!("pose-{index:04}"))
    }

    /// A pose that was solved before with the same key; one that is damaged or another counts as not solved.
    pub fn read(&self, index: usize, key: u64) -> Option<SolvedPose> {
        let bytes = fs::read(self.path(index)).ok()?;
        SolvedPose::from_bytes(&bytes).filter(|pose| pose.key == key)
    }

    /// Keeps a pose.
    pub fn write(&self, index: usize, pose: &SolvedPose) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        write_atomically(&self.path(index), &pose.to_bytes())
    }

    /// Removes the folder, when the model is there.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
