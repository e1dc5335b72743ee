//! Numbers only: 3×3 kernels, block-sparse matrices, Cholesky, conjugate gradients.
//!
//! Nothing here knows what a mesh or a material is.

mod block_matrix;
mod block_rows;
mod bundle;
mod bundle_kernels;
mod columns;
pub mod cubature;
mod dense_llt;
mod dense_products;
mod dense_sts;
mod error;
mod front;
mod gauss_seidel;
mod gram;
mod gram_plan;
mod isolated;
pub mod lanes;
mod lines;
mod llt;
mod llt_masked;
mod llt_single;
mod llt_solve;
pub mod mat3;
pub mod nonnegative;
mod ordering;
mod panel;
mod panel_kernels;
mod panel_pairs;
mod part_pcg;
mod parts;
mod pcg;
pub mod polar;
mod preconditioner;
pub mod principal;
pub mod random;
pub mod reduce;
mod scalar_factor;
pub mod svd;
mod symbolic;
pub mod symmetric_eigen;
#[doc(hidden)]
pub mod testing;
pub mod vec3;

pub use block_matrix::{BlockMatrix, BlockPattern, LinearOperator};
pub use block_rows::BlockRows;
pub use bundle::Bundle;
pub use columns::SparseColumns;
pub use cubature::{Cubature, CubatureMethod, CubatureSettings, ElementColumns, select_cubature};
pub use dense_llt::DenseLlt;
pub use dense_sts::DenseScratch;
pub use error::SolveError;
pub use gauss_seidel::GaussSeidelPcg;
pub use gram::GramScratch;
pub use isolated::{NodeCompliance, Reuse};
pub use llt::{Llt, SupernodeView};
pub use llt_single::SingleFactor;
pub use llt_solve::SolveScratch;
pub use mat3::Mat3;
pub use nonnegative::{NonnegativeFit, nonnegative_least_squares};
pub use ordering::elimination_order;
pub use part_pcg::{PartInverse, PartPcg, PartReport, PartSystem, SMALLEST_PART};
pub use parts::PartSum;
pub use pcg::{Pcg, PcgReport, PcgSettings};
pub use preconditioner::Preconditioner;
pub use principal::{
    Keep, PrincipalComponents, PrincipalError, orthonormalize, principal_components,
};
pub use scalar_factor::ScalarFactor;
pub use symbolic::LltSymbolic;
pub use vec3::{Vec3, flat, flat_mut, vec3};
