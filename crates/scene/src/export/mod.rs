//! Recordings in the formats of other programs, one file of this folder per format.
//!
//! A [`Source`] hands out one frame at a time, so memory does not grow with the recording. Vertices keep their order
//! through all frames. Times are those of the recording.

mod csv;
mod gltf;
mod mdd;
mod obj;
mod pc2;
mod source;
mod target;
#[cfg(test)]
mod tests;
mod usd;
mod vtu;

pub use pliant_mesh::file::vtu_write::Encoding;
pub use source::{Choice, FrameRange, Skin, Source};

use crate::picture::{Rgb, body_colour};
use crate::recording::RecordingError;
use std::io;
use std::path::{Path, PathBuf};
use target::Target;
use thiserror::Error;

/// A format to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// ParaView: a series of `.vtu` and a `.pvd` with the times.
    Vtu,
    /// USD as text.
    Usd,
    /// glTF with its buffer beside it.
    Gltf,
    /// glTF in one binary file.
    Glb,
    /// Point cache of 3ds Max and Blender.
    Pc2,
    /// Point cache of LightWave and Blender.
    Mdd,
    /// A series of Wavefront OBJ.
    Obj,
    /// A table.
    Csv,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 8] = [
        Format::Vtu,
        Format::Usd,
        Format::Gltf,
        Format::Glb,
        Format::Pc2,
        Format::Mdd,
        Format::Obj,
        Format::Csv,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Vtu => "vtu",
            Format::Usd => "usd",
            Format::Gltf => "gltf",
            Format::Glb => "glb",
            Format::Pc2 => "pc2",
            Format::Mdd => "mdd",
            Format::Obj => "obj",
            Format::Csv => "csv",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Endings of the file that `--out` may name; the first is the usual one.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Vtu => &["pvd", "vtu"],
            Format::Usd => &["usda"],
            Format::Gltf => &["gltf"],
            Format::Glb => &["glb"],
            Format::Pc2 => &["pc2"],
            Format::Mdd => &["mdd"],
            Format::Obj => &["obj"],
            Format::Csv => &["csv"],
        }
    }

    /// Whether the result is a folder's worth of files.
    fn is_series(self) -> bool {
        matches!(self, Format::Vtu | Format::Pc2 | Format::Mdd | Format::Obj)
    }
}

/// Which axis points up in the exported coordinates; that of the simulation is z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As simulated.
    #[default]
    Z,
    /// Turned by −90° about x: (x, y, z) becomes (x, z, −y).
    Y,
}

impl Up {
    fn turn(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Up::Z => [x, y, z],
            Up::Y => [x, z, -y],
        }
    }
}

/// How to export.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Axis that points up, in USD, OBJ and the point caches.
    pub up: Up,
    /// Encoding of VTU arrays.
    pub encoding: Encoding,
    /// Compress VTU arrays.
    pub compress: bool,
    /// Surfaces instead of elements, in VTU.
    pub surface: bool,
    /// Smooth normals, in glTF.
    pub normals: bool,
    /// Hold each frame instead of blending to the next, in glTF.
    pub stepped: bool,
    /// A row per node instead of one per body, in CSV.
    pub per_node: bool,
    /// Only these nodes, counted within their body, in CSV; all if empty.
    pub nodes: Vec<usize>,
    /// Time codes per second in USD; the rate of the exported frames if not given.
    pub rate: Option<f64>,
    /// Replace files of an earlier export.
    pub force: bool,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exported {
    /// The files, the one to open first.
    pub files: Vec<PathBuf>,
    /// Frames in them.
    pub frames: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Why nothing, or not everything, was exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The recording cannot be read.
    #[error("{0}")]
    Recording(#[from] RecordingError),
    /// The file system refuses.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Files that would be lost.
    #[error("`{}` exists already: add --force to replace what an earlier export left, or choose another --out", path.display())]
    Exists {
        /// The first of them.
        path: PathBuf,
    },
    /// A request that does not fit the recording or the format.
    #[error("{0}")]
    Choice(String),
}

/// Bytes that an export will have, where they can be known beforehand and may surprise.
pub fn expected_bytes(source: &Source, format: Format, options: &Options) -> Option<u64> {
    match format {
        Format::Gltf | Format::Glb => Some(gltf::expected_bytes(source, options)),
        _ => None,
    }
}

/// Exports to `out`, or beside the recording; calls `progress` after each frame.
pub fn export(
    source: &mut Source,
    format: Format,
    out: Option<&Path>,
    options: &Options,
    progress: &mut dyn FnMut(),
) -> Result<Exported, ExportError> {
    let mut target = Target::new(source.path(), format, out, options.force)?;
    match format {
        Format::Vtu => vtu::write(source, &mut target, options, progress),
        Format::Usd => usd::write(source, &mut target, options, progress),
        Format::Gltf => gltf::write(source, &mut target, options, progress, false),
        Format::Glb => gltf::write(source, &mut target, options, progress, true),
        Format::Pc2 => pc2::write(source, &mut target, options, progress),
        Format::Mdd => mdd::write(source, &mut target, options, progress),
        Format::Obj => obj::write(source, &mut target, options, progress),
        Format::Csv => csv::write(source, &mut target, options, progress),
    }?;
    Ok(target.finish(source.frame_count()))
}

/// Colour of a body in linear light, which USD and glTF want, to four digits.
fn body_light(index: usize) -> [f32; 3] {
    light(body_colour(index))
}

fn light(colour: Rgb) -> [f32; 3] {
    colour.map(|value| {
        let encoded = f64::from(value) / 255.0;
        let light = match encoded <= 0.04045 {
            true => encoded / 12.92,
            false => ((encoded + 0.055) / 1.055).powf(2.4),
        };
        ((light * 1e4).round() / 1e4) as f32
    })
}
