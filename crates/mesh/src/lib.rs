//! Meshes: nodes, elements and regions; adjacency, surfaces, generators, selections, files.
//!
//! Nothing here knows what a material is.

pub mod adjacency;
pub mod error;
pub mod generate;
pub mod mesh;
pub mod surface;

pub use error::{MeshError, MeshNotices};
pub use mesh::{Elements, Mesh};
pub use surface::Surface;
