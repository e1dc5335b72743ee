//! What can be wrong with a model.

use crate::contact::ContactError;
use crate::joint::JointError;
use crate::material::MaterialError;
use crate::rigid::RigidError;
use thiserror::Error;

/// A model that cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelError {
    /// No body.
    #[error("the model has no body: add at least one")]
    NoBodies,
    /// A parameter out of range.
    #[error("body `{body}`, material {material}: {source}")]
    Material {
        /// Body name.
        body: String,
        /// Index of the material.
        material: usize,
        /// What is wrong.
        source: MaterialError,
    },
    /// Lists of different length.
    #[error("body `{body}`: {what} has {found} entries for {expected} elements")]
    Length {
        /// Body name.
        body: String,
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Number of elements.
        expected: usize,
    },
    /// An element without volume.
    #[error("body `{body}`: element {element} has no positive volume")]
    Degenerate {
        /// Body name.
        body: String,
        /// Element of the body.
        element: usize,
    },
    /// A mesh of other elements than the formulation needs.
    #[error(
        "body `{body}`: the element `{element}` needs a mesh of ten-node tetrahedra: make it one with Mesh::with_octets"
    )]
    NoOctets {
        /// Body name.
        body: String,
        /// Name of the formulation.
        element: &'static str,
    },
    /// A ten-node tetrahedron with several materials or fibres.
    #[error(
        "body `{body}`: the eight parts of ten-node tetrahedron {octet} differ in material or fibre"
    )]
    MixedOctet {
        /// Body name.
        body: String,
        /// Octet of the body.
        octet: usize,
    },
    /// A material whose resistance to volume cannot be averaged.
    #[error(
        "body `{body}`: the material `{material}` has no part of its own that resists changes of volume, which `tet4-averaged` needs: take linear, neo-hookean, stable-neo-hookean, stable-neo-hookean-log, mooney-rivlin or split-neo-hookean, or the element tet10"
    )]
    NotAveraged {
        /// Body name.
        body: String,
        /// Name of the material.
        material: &'static str,
    },
    /// A fibre without direction.
    #[error("body `{body}`: the fibre direction of element {element} is not a unit vector")]
    Fibre {
        /// Body name.
        body: String,
        /// Element of the body.
        element: usize,
    },
    /// A representative that is no node of its body, or given twice.
    #[error(
        "body `{body}`: representative {node} is not one of its {count} nodes, or is given twice"
    )]
    Representative {
        /// Body name.
        body: String,
        /// Node of the body.
        node: u32,
        /// Number of its nodes.
        count: usize,
    },
    /// A drive that names a missing node or an impossible profile.
    #[error("drive `{drive}`: {reason}")]
    Drive {
        /// Drive name.
        drive: String,
        /// What is wrong.
        reason: String,
    },
    /// A rigid body of triangles.
    #[error("body `{body}` is planar: only solids (tetrahedra) can be rigid")]
    PlanarRigid {
        /// Body name.
        body: String,
    },
    /// A drive that acts on a rigid body.
    #[error(
        "drive `{drive}` acts on the rigid body `{body}`: give that body a motion or a joint instead"
    )]
    DrivenRigid {
        /// Drive name.
        drive: String,
        /// Body name.
        body: String,
    },
    /// A skeleton that does not fit its body.
    #[error("the skeleton of body `{body}`: {reason}")]
    Rig {
        /// Body name.
        body: String,
        /// What is wrong.
        reason: String,
    },
    /// An impossible rigid body or chain.
    #[error(transparent)]
    Rigid(#[from] RigidError),
    /// An impossible contact model.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// An impossible joint.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// An impossible seam.
    #[error("cut `{seam}`: {reason}")]
    Seam {
        /// Its name.
        seam: String,
        /// What is wrong.
        reason: String,
    },
    /// Two drives that prescribe the same coordinate.
    #[error(
        "drives `{first}` and `{second}` both prescribe node {node}: let their selections differ"
    )]
    Conflict {
        /// Drive name.
        first: String,
        /// Drive name.
        second: String,
        /// Global node.
        node: usize,
    },
}
