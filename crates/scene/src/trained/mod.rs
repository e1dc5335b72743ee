//! Files of trained models: bases, cubature, skinning weights, and identifiers of what they were trained for.
//!
//! Layout (little-endian): magic `\x89PLIANTM`, version u32, crc32 u32 and length u64 of what follows, then the fields in the
//! order of [`TrainedFile::to_bytes`]. Files are written like checkpoints: at any moment the old or the new one, complete.

mod solved;
#[cfg(test)]
mod tests;

pub use solved::{SolvedPose, SolvedPoses};

use crate::bytes::{Put, Reader};
use crate::checkpoint::write_atomically;
use pliant_mesh::rig::SkinWeights;
use pliant_solid::model::Model;
use pliant_solid::subspace::{
    Fingerprint, InterfaceNode, TrainedContact, TrainedDomain, TrainedError, TrainedModel,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"\x89PLIANTM";
/// 2: contacts that were seen in training.
const VERSION: u32 = 2;

/// Usual ending of the names of model files.
pub const EXTENSION: &str = "pliant-model";

/// A trained model and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedFile {
    /// The model.
    pub model: TrainedModel,
    /// Name of the scene that it was trained with.
    pub scene: String,
    /// Identifier of that scene's text and assets.
    pub digest: u64,
    /// How it was trained, in the words of whoever trained it.
    pub settings: String,
}

/// Why a model file cannot be written, read or used.
#[derive(Debug, Error)]
pub enum TrainedFileError {
    /// The file system refuses.
    #[error("trained model `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No such file.
    #[error("there is no trained model `{}`: make it with `pliant train {scene} --out {}`", path.display(), path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Name of the scene.
        scene: String,
    },
    /// Some other file.
    #[error("this is not a trained model: give a file that `pliant train` wrote")]
    NotAModel,
    /// From another version of the program.
    #[error(
        "this trained model has format version {found}, but this program reads version {VERSION}: train again with `pliant train`"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The file ends too early.
    #[error("the trained model is truncated: train again with `pliant train`")]
    Truncated,
    /// The checksum or a field is wrong.
    #[error("the trained model is damaged ({what}): train again with `pliant train`")]
    Corrupt {
        /// What is wrong.
        what: &'static str,
    },
    /// It belongs to something else.
    #[error(transparent)]
    Trained(#[from] TrainedError),
}

impl TrainedFile {
    /// The file's content.
    pub fn to_bytes(&self) -> Vec<u8> {
        // every field is named, so that a new one cannot be forgotten here
        let TrainedFile {
            model,
            scene,
            digest,
            settings,
        } = self;
        let TrainedModel {
            body,
            fingerprint,
            domains,
            interface,
            weights,
            contacts,
        } = model;
        let Fingerprint {
            mesh,
            materials,
            rig,
        } = fingerprint;
        let mut content = Vec::new();
        content.put_text(scene);
        content.put_u64(*digest);
        content.put_text(settings);
        content.put_text(body);
        for hash in [mesh, materials, rig] {
            content.put_u64(*hash);
        }
        content.put_u64(domains.len() as u64);
        for domain in domains {
            put_domain(&mut content, domain);
        }
        content.put_u64(interface.len() as u64);
        for InterfaceNode { node, copies } in interface {
            content.put_u32(*node);
            content.put_u64(copies.len() as u64);
            for &(domain, place) in copies {
                content.put_u32(domain);
                content.put_u32(place);
            }
        }
        content.push(u8::from(weights.is_some()));
        if let Some(SkinWeights { starts, entries }) = weights {
            put_numbers(&mut content, starts);
            put_pairs(&mut content, entries);
        }
        content.put_u64(contacts.len() as u64);
        for TrainedContact {
            domains,
            nodes,
            points,
            error,
        } in contacts
        {
            domains.iter().for_each(|&d| content.put_u32(d));
            put_numbers(&mut content, nodes);
            put_pairs(&mut content, points);
            content.put_f64(*error);
        }
        sealed(MAGIC, VERSION, content)
    }

    /// Reads what [`TrainedFile::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<TrainedFile, TrainedFileError> {
        let mut reader = opened(bytes, MAGIC, VERSION)?;
        let file = fields(&mut reader).filter(|_| reader.0.is_empty());
        file.ok_or(TrainedFileError::Corrupt { what: "a field" })
    }

    /// Writes the file so that killing the program at any moment leaves the old or the new one, complete.
    pub fn write(&self, path: &Path) -> Result<(), TrainedFileError> {
        write_atomically(path, &self.to_bytes()).map_err(|source| TrainedFileError::Io {
            path: path.to_path_buf(),
            source,
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<TrainedFile, TrainedFileError> {
        let bytes = fs::read(path).map_err(|source| TrainedFileError::Io {
            path: path.to_path_buf(),
            source,
        })?;
        TrainedFile::from_bytes(&bytes)
    }

    /// Reads a file for a model; one that was trained for another mesh, other materials or another rig is refused. Returns the place
    /// of the body too.
    pub fn read_for(path: &Path, model: &Model) -> Result<(TrainedFile, usize), TrainedFileError> {
        let file = TrainedFile::read(path)?;
        let body = file.model.check(model)?;
        Ok((file, body))
    }
}

fn put_domain(content: &mut Vec<u8>, domain: &TrainedDomain) {
    let TrainedDomain {
        elements,
        nodes,
        rank,
        basis,
        rigid_modes,
        cubature,
        error,
    } = domain;
    put_numbers(content, elements);
    put_numbers(content, nodes);
    content.put_u64(*rank as u64);
    content.put_u64(*rigid_modes as u64);
    content.put_u64(basis.len() as u64);
    basis.iter().for_each(|&value| content.put_f64(value));
    put_pairs(content, cubature);
    content.put_f64(*error);
}

fn fields(reader: &mut Reader<'_>) -> Option<TrainedFile> {
    let scene = reader.text()?;
    let digest = reader.u64()?;
    let settings = reader.text()?;
    let body = reader.text()?;
    let fingerprint = Fingerprint {
        mesh: reader.u64()?,
        materials: reader.u64()?,
        rig: reader.u64()?,
    };
    let mut domains = Vec::new();
    for _ in 0..reader.u64()? {
        domains.push(domain(reader)?);
    }
    let mut interface = Vec::new();
    for _ in 0..reader.u64()? {
        let node = reader.u32()?;
        let mut copies = Vec::new();
        for _ in 0..reader.u64()? {
            copies.push((reader.u32()?, reader.u32()?));
        }
        interface.push(InterfaceNode { node, copies });
    }
    let weights = match reader.u8()? {
        0 => None,
        1 => Some(SkinWeights {
            starts: numbers(reader)?,
            entries: pairs(reader)?,
        }),
        _ => return None,
    };
    let mut contacts = Vec::new();
    for _ in 0..reader.u64()? {
        contacts.push(TrainedContact {
            domains: [reader.u32()?, reader.u32()?],
            nodes: numbers(reader)?,
            points: pairs(reader)?,
            error: reader.f64()?,
        });
    }
    Some(TrainedFile {
        model: TrainedModel {
            body,
            fingerprint,
            domains,
            interface,
            weights,
            contacts,
        },
        scene,
        digest,
        settings,
    })
}

fn domain(reader: &mut Reader<'_>) -> Option<TrainedDomain> {
    let elements = numbers(reader)?;
    let nodes = numbers(reader)?;
    let rank = usize::try_from(reader.u64()?).ok()?;
    let rigid_modes = usize::try_from(reader.u64()?).ok()?;
    let count = usize::try_from(reader.u64()?).ok()?;
    let basis = Reader(reader.take(count.checked_mul(8)?)?).numbers()?;
    Some(TrainedDomain {
        elements,
        nodes,
        rank,
        basis,
        rigid_modes,
        cubature: pairs(reader)?,
        error: reader.f64()?,
    })
}

fn put_numbers(content: &mut Vec<u8>, list: &[u32]) {
    content.put_u64(list.len() as u64);
    list.iter().for_each(|&value| content.put_u32(value));
}

fn numbers(reader: &mut Reader<'_>) -> Option<Vec<u32>> {
    let count = usize::try_from(reader.u64()?).ok()?;
    let mut part = Reader(reader.take(count.checked_mul(4)?)?);
    (0..count).map(|_| part.u32()).collect()
}

fn put_pairs(content: &mut Vec<u8>, list: &[(u32, f64)]) {
    content.put_u64(list.len() as u64);
    for &(index, value) in list {
        content.put_u32(index);
        content.put_f64(value);
    }
}

fn pairs(reader: &mut Reader<'_>) -> Option<Vec<(u32, f64)>> {
    let count = usize::try_from(reader.u64()?).ok()?;
    let mut part = Reader(reader.take(count.checked_mul(12)?)?);
    (0..count)
        .map(|_| Some((part.u32()?, part.f64()?)))
        .collect()
}

/// A file: magic, version, checksum, length, content.
fn sealed(magic: [u8; 8], version: u32, content: Vec<u8>) -> Vec<u8> {
    let mut file = Vec::with_capacity(content.len() + 24);
    file.extend_from_slice(&magic);
    file.put_u32(version);
    file.put_u32(crc32fast::hash(&content));
    file.put_u64(content.len() as u64);
    file.extend_from_slice(&content);
    file
}

/// The content of a file that [`sealed`] made.
fn opened(bytes: &[u8], magic: [u8; 8], version: u32) -> Result<Reader<'_>, TrainedFileError> {
    let mut reader = Reader(bytes);
    if reader.array() != Some(magic) {
        return Err(TrainedFileError::NotAModel);
    }
    let found = reader.u32().ok_or(TrainedFileError::Truncated)?;
    if found != version {
        return Err(TrainedFileError::Version { found });
    }
    let checksum = reader.u32().ok_or(TrainedFileError::Truncated)?;
    let length = reader.u64().ok_or(TrainedFileError::Truncated)?;
    match (reader.0.len() as u64).cmp(&length) {
        std::cmp::Ordering::Less => return Err(TrainedFileError::Truncated),
        std::cmp::Ordering::Greater => {
            return Err(TrainedFileError::Corrupt { what: "its length" });
        }
        std::cmp::Ordering::Equal => {}
    }
    if crc32fast::hash(reader.0) != checksum {
        return Err(TrainedFileError::Corrupt {
            what: "its checksum",
        });
    }
    Ok(reader)
}
