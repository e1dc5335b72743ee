//! Dual-quaternion skinning [KCZO08]: the motion of a node as a blend of the motions of its bones, always a rotation and a shift.
//!
//! A bone's motion x → R X + t is the unit dual quaternion r + ε d with d = ½ t r. Blends are Σ w s (r, d); r and −r are the same
//! rotation, so that s = ±1 brings each onto the side of the bone with the largest weight. Dividing by |r| leaves the rotation R of
//! r/|r| and the shift t = 2 d r*/|r|². R depends on weights and pose alone, not on the displacement.

use super::pose::Pose;
use super::quaternion::Quaternion;
use super::skeleton::Skeleton;
use pliant_linalg::{Mat3, Vec3};

/// The bones of a pose; the cost is that of the bones, nodes are asked for one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Skinning {
    bones: Vec<[Quaternion; 2]>,
}

/// Where skinning puts a node: x = R (X + u) + t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeFrame {
    /// R.
    pub rotation: Mat3,
    /// t, m.
    pub shift: Vec3,
}

impl NodeFrame {
    /// Nothing is moved.
    pub const IDENTITY: NodeFrame = NodeFrame {
        rotation: Mat3::IDENTITY,
        shift: Vec3::ZERO,
    };

    /// x of a place before skinning, X + u.
    #[inline]
    pub fn push(&self, unskinned: Vec3) -> Vec3 {
        self.rotation * unskinned + self.shift
    }

    /// The place before skinning, Rᵀ (x − t); less X it is the displacement u.
    #[inline]
    pub fn pull_back(&self, x: Vec3) -> Vec3 {
        self.rotation.transpose() * (x - self.shift)
    }
}

impl Skinning {
    /// For a pose of a skeleton.
    pub fn of(skeleton: &Skeleton, pose: &Pose) -> Skinning {
        let dual = |p: super::pose::BonePlacement| {
            let t = Quaternion { w: 0.0, v: p.shift };
            [p.rotation, t * p.rotation * 0.5]
        };
        Skinning {
            bones: pose.placements(skeleton).into_iter().map(dual).collect(),
        }
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// The rotation of a bone.
    pub fn turn(&self, bone: usize) -> Quaternion {
        self.bones[bone][0]
    }

    /// The frame of a node with these weights, the largest first.
    pub fn frame(&self, weights: &[(u32, f64)]) -> NodeFrame {
        let Some(&(pivot, _)) = weights.first() else {
            return NodeFrame::IDENTITY;
        };
        let [pivot, _] = self.bones[pivot as usize];
        let (mut real, mut dual) = (Quaternion::ZERO, Quaternion::ZERO);
        for &(bone, weight) in weights {
            let [r, d] = self.bones[bone as usize];
            let signed = if r.dot(pivot) < 0.0 { -weight } else { weight };
            real = real + r * signed;
            dual = dual + d * signed;
        }
        // all are on the side of the pivot: |real| is at least the pivot's weight
        let inverse = 1.0 / real.norm();
        let unit = real * inverse;
        NodeFrame {
            rotation: unit.matrix(),
            shift: (dual * unit.conjugate()).v * (2.0 * inverse),
        }
    }
}
