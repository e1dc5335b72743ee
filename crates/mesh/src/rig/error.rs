//! What can be wrong with skeletons, poses and weights.

use pliant_linalg::SolveError;
use thiserror::Error;

/// Why a rig is refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RigError {
    /// Fewer than two joints, or none with a parent.
    #[error("the skeleton has no bone: give at least two joints, one the parent of the other")]
    NoBones,
    /// A joint that names a parent which does not exist.
    #[error("joint {joint} (`{name}`) has the parent {parent}, but there are only {count} joints")]
    NoSuchParent {
        /// The joint, from 0.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent it names.
        parent: usize,
        /// Number of joints.
        count: usize,
    },
    /// Parents that lead in a circle.
    #[error(
        "the parents of joint {joint} (`{name}`) lead back to it: let one joint have no parent"
    )]
    Circle {
        /// The joint, from 0.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// A bone without length.
    #[error(
        "the bone to joint {joint} (`{name}`) has no length: it and its parent are at one place; move or remove one of them"
    )]
    ZeroLength {
        /// The joint, from 0.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// A coordinate that is NaN or infinite.
    #[error("joint {joint} (`{name}`) has a coordinate that is not a finite number")]
    NonFinite {
        /// The joint, from 0.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// Two joints of one name.
    #[error("two joints are called `{name}`: give each a name of its own")]
    DoubleName {
        /// The name.
        name: String,
    },
    /// A line of a skeleton file that cannot be read.
    #[error("line {line} of the skeleton: {problem}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong and what to write.
        problem: String,
    },
    /// A pose for another number of bones.
    #[error("the pose turns {found} bones, but the skeleton has {expected}")]
    BoneCount {
        /// Bones of the pose.
        found: usize,
        /// Bones of the skeleton.
        expected: usize,
    },
    /// A quaternion that is no rotation.
    #[error("the rotation of bone {bone} is not a quaternion of positive finite length")]
    BadRotation {
        /// The bone, from 0.
        bone: usize,
    },
    /// No key, or keys out of order.
    #[error("the keys of a motion need finite times that increase: key {key} does not")]
    BadKeys {
        /// The key, from 0.
        key: usize,
    },
    /// A mesh of triangles.
    #[error("only solids (tetrahedra) can have a skeleton, not planar bodies")]
    Planar,
    /// The conductance is not positive.
    #[error("the conductance must be a positive number, not {0}")]
    BadConductance(f64),
    /// Not a single weight a node.
    #[error("at least one bone a node must be kept")]
    NoWeights,
    /// A skeleton outside of the mesh.
    #[error(
        "no bone passes through the inside of the mesh, so that nothing would be moved by the skeleton: check units and place of both"
    )]
    Outside,
    /// The matrix of the heat flow could not be factorised.
    #[error("the weights of the bones could not be solved for: {0}")]
    Solve(#[from] SolveError),
}
