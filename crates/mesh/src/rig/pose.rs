//! Poses, and where they carry the bones.

use super::error::RigError;
use super::quaternion::Quaternion;
use super::skeleton::Skeleton;
use pliant_linalg::Vec3;

/// Rotations of bones about the joints at which they start, in the axes of the rest pose, and the motion of the roots.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Rotation of each root about itself, unit length.
    pub root_rotation: Quaternion,
    /// Shift of the roots, m.
    pub root_shift: Vec3,
    /// Rotation of each bone relative to the one that carries it, unit length.
    pub rotations: Vec<Quaternion>,
}

/// Where a bone is: what is fixed to it goes from X to R X + t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BonePlacement {
    /// R, unit length.
    pub rotation: Quaternion,
    /// t, m.
    pub shift: Vec3,
}

impl BonePlacement {
    /// Where a point of the bone is.
    pub fn apply(&self, rest: Vec3) -> Vec3 {
        self.rotation.rotate(rest) + self.shift
    }
}

impl Pose {
    /// The rest pose of a skeleton.
    pub fn rest(skeleton: &Skeleton) -> Pose {
        Pose {
            root_rotation: Quaternion::IDENTITY,
            root_shift: Vec3::ZERO,
            rotations: vec![Quaternion::IDENTITY; skeleton.bone_count()],
        }
    }

    /// Normalises the quaternions and checks that there is one for each bone.
    pub fn checked(mut self, skeleton: &Skeleton) -> Result<Pose, RigError> {
        if self.rotations.len() != skeleton.bone_count() {
            return Err(RigError::BoneCount {
                found: self.rotations.len(),
                expected: skeleton.bone_count(),
            });
        }
        for (bone, rotation) in self.rotations.iter_mut().enumerate() {
            *rotation = (rotation.normalized()).ok_or(RigError::BadRotation { bone })?;
        }
        let root = self.root_rotation.normalized();
        self.root_rotation = root
            .filter(|_| self.root_shift.is_finite())
            .ok_or(RigError::BadRotation { bone: 0 })?;
        Ok(self)
    }

    /// Whether nothing is moved.
    pub fn is_rest(&self) -> bool {
        let still = |q: &Quaternion| q.v == Vec3::ZERO;
        self.root_shift == Vec3::ZERO
            && still(&self.root_rotation)
            && self.rotations.iter().all(still)
    }

    /// Between two poses: rotations by the shortest way, the shift along a line.
    pub fn between(&self, other: &Pose, s: f64) -> Pose {
        let pairs = self.rotations.iter().zip(&other.rotations);
        Pose {
            root_rotation: self.root_rotation.slerp(other.root_rotation, s),
            root_shift: self.root_shift * (1.0 - s) + other.root_shift * s,
            rotations: pairs.map(|(a, b)| a.slerp(*b, s)).collect(),
        }
    }

    /// Forward kinematics: G = G_parent q, P_end = P_start + G (J_end − J_start), and what is fixed to the bone goes to
    /// G (X − J_start) + P_start.
    pub fn placements(&self, skeleton: &Skeleton) -> Vec<BonePlacement> {
        let still = BonePlacement {
            rotation: Quaternion::IDENTITY,
            shift: Vec3::ZERO,
        };
        let mut placements = vec![still; skeleton.bone_count()];
        for &index in skeleton.order() {
            let bone = skeleton.bones()[index];
            let joint = skeleton.joints()[bone.start].position;
            let (carrier, place) = match bone.parent {
                Some(parent) => (placements[parent].rotation, placements[parent].apply(joint)),
                None => (self.root_rotation, joint + self.root_shift),
            };
            // products of many unit quaternions drift off unit length by a rounding each
            let product = carrier * self.rotations[index];
            let rotation = product.normalized().unwrap_or(carrier);
            let still = rotation.v == Vec3::ZERO;
            let shift = if still {
                place - joint
            } else {
                place - rotation.rotate(joint)
            };
            placements[index] = BonePlacement { rotation, shift };
        }
        placements
    }
}
