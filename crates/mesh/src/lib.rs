//! Meshes: nodes, elements and regions; adjacency, surfaces, generators, selections, files.
//!
//! Nothing here knows what a material is.

pub mod aabb;
pub mod adjacency;
pub mod bvh;
pub mod cage;
pub mod components;
pub mod creature;
pub mod cut;
pub mod embed;
pub mod error;
pub mod file;
pub mod generate;
pub mod inspect;
pub mod intersect;
pub mod mesh;
pub mod octet;
pub mod proximity;
pub mod quality;
pub mod region;
pub mod rig;
pub mod sampling;
pub mod select;
pub mod stuffing;
pub mod surface;
pub mod surface_mesh;
pub mod triangle;
pub mod winding;

pub use aabb::Aabb;
pub use bvh::Bvh;
pub use cage::cage;
pub use components::Components;
pub use creature::{Creature, CreatureKind, creature};
pub use cut::{CutError, CutMesh, CutOptions, CutPart, Plane, Twin};
pub use embed::{EmbedError, Embedding};
pub use error::{MeshError, MeshNotices};
pub use file::{Format, RawMesh, ReadError, WriteError, read_bytes, read_file, write_file};
pub use intersect::self_intersections;
pub use mesh::{Elements, Mesh};
pub use quality::Quality;
pub use region::{Layers, RegionError};
pub use sampling::{EdgeGraph, NO_OWNER, farthest_nodes, owners};
pub use select::{Selection, SelectionError};
pub use stuffing::{
    Ball, Blob, Stuffed, StuffingError, StuffingOptions, StuffingReport, blob, default_edge,
    tetrahedralize,
};
pub use surface::Surface;
pub use surface_mesh::{SurfaceError, SurfaceMesh, SurfaceTopology};
