//! Numbers only: 3×3 kernels, block-sparse matrices, Cholesky, conjugate gradients.
//!
//! Nothing here knows what a mesh or a material is.

pub mod mat3;
pub mod vec3;

pub use mat3::Mat3;
pub use vec3::{Vec3, flat, flat_mut, vec3};
