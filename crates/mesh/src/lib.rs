//! Meshes: nodes, elements and regions; adjacency, surfaces, generators, selections, files.
//!
//! Nothing here knows what a material is.

pub mod adjacency;
pub mod components;
pub mod error;
pub mod generate;
pub mod gmsh;
pub mod mesh;
pub mod quality;
pub mod region;
pub mod select;
pub mod surface;

pub use components::Components;
pub use error::{MeshError, MeshNotices};
pub use gmsh::{GmshVersion, ReadError, read_gmsh, write_gmsh};
pub use mesh::{Elements, Mesh};
pub use quality::Quality;
pub use region::{Layers, RegionError};
pub use select::{Selection, SelectionError};
pub use surface::Surface;
