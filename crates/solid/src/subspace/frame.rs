//! Where a pose puts nodes: x = R (X + u) + t, with the rotation and shift that skinning gives each node.

use crate::rig::Rig;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::rig::{SkinWeights, Skinning};
use std::fmt::Debug;
use std::sync::Arc;

/// Rotation and shift of one node in one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// R.
    pub rotation: Mat3,
    /// t, m.
    pub shift: Vec3,
}

impl Frame {
    /// Nothing moves.
    pub const IDENTITY: Frame = Frame {
        rotation: Mat3::IDENTITY,
        shift: Vec3::ZERO,
    };

    /// R p + t.
    pub fn place(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.shift
    }

    /// Rᵀ (x − t): the point that the frame puts at `x`.
    pub fn pull_back(&self, x: Vec3) -> Vec3 {
        self.unturn(x - self.shift)
    }

    /// Rᵀ f.
    pub fn unturn(&self, f: Vec3) -> Vec3 {
        let [a, b, c] = self.rotation.columns;
        Vec3::new(a.dot(f), b.dot(f), c.dot(f))
    }
}

/// What moves the nodes of a body as a skeleton would, before anything deforms.
pub trait Posing: Debug + Send + Sync {
    /// The frames of all nodes at a time, s. Costs what the skeleton has bones, nothing for each node.
    fn skin(&self, time: f64) -> Box<dyn Skin>;
}

/// The frames of one pose.
pub trait Skin: Send + Sync {
    /// Of a node, in the body's own numbers.
    fn frame(&self, node: u32) -> Frame;

    /// What blends the frames, where dual quaternions do: then motions of many nodes are bounded at once. None: nothing is known of them.
    fn blend(&self) -> Option<(&Skinning, &SkinWeights)> {
        None
    }
}

/// Bones and weights at one time.
struct Skinned {
    bones: Skinning,
    weights: Arc<SkinWeights>,
}

impl Posing for Rig {
    fn skin(&self, time: f64) -> Box<dyn Skin> {
        Box::new(Skinned {
            bones: self.skinning_at(time),
            weights: self.weights.clone(),
        })
    }
}

impl Skin for Skinned {
    fn frame(&self, node: u32) -> Frame {
        let frame = self.bones.frame(self.weights.of(node as usize));
        Frame {
            rotation: frame.rotation,
            shift: frame.shift,
        }
    }

    fn blend(&self) -> Option<(&Skinning, &SkinWeights)> {
        Some((&self.bones, &self.weights))
    }
}

/// The pose of all trained bodies at one time.
#[derive(Default)]
pub(crate) struct Pose {
    /// Of each trained body; none where there is no rig.
    skins: Vec<Option<Box<dyn Skin>>>,
}

impl Pose {
    /// Of these rigs at a time, s.
    pub fn at<'a>(rigs: impl Iterator<Item = Option<&'a dyn Posing>>, time: f64) -> Pose {
        Pose {
            skins: rigs.map(|rig| rig.map(|rig| rig.skin(time))).collect(),
        }
    }

    /// Whether no body has a rig.
    pub fn is_still(&self) -> bool {
        self.skins.iter().all(Option::is_none)
    }

    /// What moves a trained body.
    pub fn skin(&self, body: usize) -> Option<&dyn Skin> {
        self.skins[body].as_deref()
    }

    /// The frame of a node of a trained body.
    pub fn frame(&self, body: usize, node: u32) -> Frame {
        match &self.skins[body] {
            Some(skin) => skin.frame(node),
            None => Frame::IDENTITY,
        }
    }
}
