//! Gmsh text files: reads MSH 1, 2.x and 4.1, writes 2.2 and 4.1. Binary files are refused.
//!
//! Formats: the "File formats" chapter of the Gmsh reference manual. Tetrahedra become the mesh; a file
//! without any gives its triangles. Physical groups become regions.

mod assemble;
mod lines;
mod read;
mod write;

pub use read::read_gmsh;
pub use write::{GmshVersion, write_gmsh};

use crate::error::MeshError;
use thiserror::Error;

/// Why a mesh file cannot be read. `name` is the file, lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// Something else stands where a value was expected.
    #[error("{name}, line {line}, {section}: expected {expected}, found {found}")]
    Syntax {
        /// The file.
        name: String,
        /// The section, as in the file.
        section: String,
        /// The line.
        line: usize,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The file stops in the middle.
    #[error(
        "{name} ends at line {line} in {section}, but {expected} was expected: the file is incomplete"
    )]
    Truncated {
        /// The file.
        name: String,
        /// The open section.
        section: String,
        /// Last line.
        line: usize,
        /// What should follow.
        expected: String,
    },
    /// Not a Gmsh file.
    #[error("{name} is not a Gmsh file: it does not start with $MeshFormat")]
    NotGmsh {
        /// The file.
        name: String,
    },
    /// A binary file.
    #[error(
        "{name} is a binary Gmsh file, which is not read yet: export it as ASCII (Mesh.Binary = 0 in Gmsh)"
    )]
    Binary {
        /// The file.
        name: String,
    },
    /// A version of the format that is not read, or a variant of one.
    #[error("{name}: {what}; export it as MSH 4.1 or 2.2 ASCII")]
    Version {
        /// The file.
        name: String,
        /// What it is.
        what: String,
    },
    /// Elements that cannot be simulated.
    #[error(
        "{name}, line {line}: {kind} elements are not supported; export the mesh with linear {instead} only"
    )]
    Unsupported {
        /// The file.
        name: String,
        /// Where the first one is.
        line: usize,
        /// Their kind.
        kind: String,
        /// What to use.
        instead: &'static str,
    },
    /// Neither tetrahedra nor triangles.
    #[error(
        "{name} holds neither tetrahedra nor triangles; was the volume meshed, and saved (\"Save all elements\")?"
    )]
    NoElements {
        /// The file.
        name: String,
    },
    /// An element names a node tag that no node has.
    #[error(
        "{name}, line {line}: element {element} uses node {node}, which the file does not define"
    )]
    UnknownNode {
        /// The file.
        name: String,
        /// The element's line.
        line: usize,
        /// Its tag.
        element: u64,
        /// The tag of the missing node.
        node: u32,
    },
    /// Two nodes with one tag.
    #[error("{name} defines node {tag} twice")]
    DuplicateNode {
        /// The file.
        name: String,
        /// The tag.
        tag: u32,
    },
    /// The numbers are readable but make no mesh. Elements and nodes are the file's tags.
    #[error("{name}, line {line}: {source}")]
    Element {
        /// The file.
        name: String,
        /// The element's line.
        line: usize,
        /// What is wrong.
        source: MeshError,
    },
    /// As [`ReadError::Element`], but not one element's fault.
    #[error("{name}: {source}")]
    Mesh {
        /// The file.
        name: String,
        /// What is wrong.
        source: MeshError,
    },
}

#[cfg(test)]
mod tests;
