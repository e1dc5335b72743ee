//! Skeletons that move meshes: bones, poses, weights, skinning, domains.
//!
//! A [`Skeleton`] is a tree of joints with a bone from each joint's parent to it. A [`Pose`] turns bones about their joints, a
//! [`SkeletonMotion`] goes from pose to pose in time. Every node of a mesh belongs to a few bones by [`SkinWeights`], found by the
//! diffusion of heat through the volume ([`heat_weights`]), and is moved by x = R (X + u) + t with a pure rotation R: the blend of
//! the dual quaternions of its bones ([`Skinning`]), as in [TMDK15, Section 4.1].

mod domains;
mod error;
mod held;
mod motion;
mod pose;
mod quaternion;
mod read;
mod skeleton;
mod skinning;
#[cfg(test)]
mod tests;
mod weights;

pub use domains::{Domains, InterfaceNode, split_into_domains};
pub use error::RigError;
pub use held::nodes_at_bones;
pub use motion::{KeyedPose, SkeletonMotion};
pub use pose::{BonePlacement, Pose};
pub use quaternion::Quaternion;
pub use read::{read_skeleton, read_tgf};
pub use skeleton::{Bone, Joint, Skeleton};
pub use skinning::{NodeFrame, Skinning};
pub use weights::{SkinWeights, WeightOptions, heat_weights};
