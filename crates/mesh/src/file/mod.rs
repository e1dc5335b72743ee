//! Mesh files: reading any of the formats into a [`RawMesh`], and writing it.

pub mod abaqus;
pub mod abaqus_types;
pub mod base64;
pub mod bytes;
pub mod error;
pub mod format;
pub mod gmsh;
pub mod input;
pub mod kind;
pub mod lines;
pub mod medit;
pub mod obj;
pub mod off;
pub mod ply;
pub mod raw;
pub mod regions;
pub mod runs;
pub mod skin;
pub mod stl;
mod ten_nodes;
pub mod tetgen;
pub mod tobj;
pub mod vega;
pub mod vtk;
pub mod vtk_cells;
pub mod vtu;
pub mod vtu_write;
pub mod write;
pub mod xml;

pub use error::{Place, ReadError};
pub use format::Format;
pub use input::Input;
pub use kind::ElementKind;
pub use raw::{Cells, RawMesh};
pub use write::{WriteError, write_file};

use std::path::Path;

/// Reads a file of any format.
pub fn read_file(path: &Path) -> Result<(RawMesh, Format), ReadError> {
    read(&Input::open(path)?)
}

/// Reads bytes of any format; `name` gives the extension and is used in errors.
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<(RawMesh, Format), ReadError> {
    read(&Input::from_bytes(bytes, name))
}

/// Reads an input of any format.
pub fn read(input: &Input) -> Result<(RawMesh, Format), ReadError> {
    let format = Format::of(input)?;
    let mesh = format.read(input)?;
    Ok((mesh, format))
}
