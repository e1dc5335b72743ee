//! Joints and the bones between them.

use super::error::RigError;
use crate::triangle::closest_on_segment;
use pliant_linalg::{Mat3, Vec3};

/// A joint at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name; the bone that ends here has the same.
    pub name: String,
    /// Place at rest, m.
    pub position: Vec3,
    /// The joint that carries it; none for a root.
    pub parent: Option<usize>,
}

/// A bone: the segment from a joint to one that it carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint about which it turns.
    pub start: usize,
    /// The joint that it carries.
    pub end: usize,
    /// The bone that ends where it starts; none if that is a root.
    pub parent: Option<usize>,
}

/// A tree of joints, or several.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    bones: Vec<Bone>,
    /// Bones, each after its parent.
    order: Vec<usize>,
}

impl Skeleton {
    /// Checks the joints. There is a bone for each that has a parent, in the order of the joints.
    pub fn new(joints: Vec<Joint>) -> Result<Skeleton, RigError> {
        let count = joints.len();
        let mut bone_to: Vec<Option<usize>> = vec![None; count];
        let mut bones = Vec::new();
        for (index, joint) in joints.iter().enumerate() {
            let name = || joint.name.clone();
            if !joint.position.is_finite() {
                return Err(RigError::NonFinite {
                    joint: index,
                    name: name(),
                });
            }
            if joints[..index].iter().any(|other| other.name == joint.name) {
                return Err(RigError::DoubleName { name: name() });
            }
            let Some(parent) = joint.parent else { continue };
            if parent >= count {
                return Err(RigError::NoSuchParent {
                    joint: index,
                    name: name(),
                    parent,
                    count,
                });
            }
            bone_to[index] = Some(bones.len());
            bones.push(Bone {
                start: parent,
                end: index,
                parent: None,
            });
        }
        if bones.is_empty() {
            return Err(RigError::NoBones);
        }
        for bone in &mut bones {
            bone.parent = bone_to[bone.start];
        }
        let order = parents_first(&bones).map_err(|joint| RigError::Circle {
            joint,
            name: joints[joint].name.clone(),
        })?;
        let skeleton = Skeleton {
            joints,
            bones,
            order,
        };
        let size = skeleton.extent();
        for bone in &skeleton.bones {
            let [a, b] = [bone.start, bone.end].map(|j| skeleton.joints[j].position);
            // shorter ones have no direction that rounding leaves
            if (b - a).norm() <= 1e-12 * size {
                return Err(RigError::ZeroLength {
                    joint: bone.end,
                    name: skeleton.joints[bone.end].name.clone(),
                });
            }
        }
        Ok(skeleton)
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The bones, in the order of the joints at their ends.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Bones, each after its parent.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// Name of a bone: that of the joint at its end.
    pub fn bone_name(&self, bone: usize) -> &str {
        &self.joints[self.bones[bone].end].name
    }

    /// The bone of a name.
    pub fn bone_named(&self, name: &str) -> Option<usize> {
        (0..self.bones.len()).find(|&bone| self.bone_name(bone) == name)
    }

    /// Both ends of a bone at rest, m.
    pub fn segment(&self, bone: usize) -> [Vec3; 2] {
        let Bone { start, end, .. } = self.bones[bone];
        [start, end].map(|joint| self.joints[joint].position)
    }

    /// Distance of a point from a bone at rest, m.
    pub fn distance(&self, bone: usize, point: Vec3) -> f64 {
        let [a, b] = self.segment(bone);
        (point - a - (b - a) * closest_on_segment(a, b, point)).norm()
    }

    /// Diagonal of the box around the joints, m.
    fn extent(&self) -> f64 {
        let places = || self.joints.iter().map(|j| j.position);
        let low = places().reduce(Vec3::min).unwrap_or_default();
        let high = places().reduce(Vec3::max).unwrap_or_default();
        (high - low).norm()
    }

    /// The skeleton stretched along the axes, turned about `centre`, moved: as a body is placed.
    pub fn placed(
        &self,
        scale: Vec3,
        rotation: &Mat3,
        centre: Vec3,
        shift: Vec3,
    ) -> Result<Skeleton, RigError> {
        let place = |p: Vec3| centre + *rotation * (p.scale(scale) - centre) + shift;
        let joints = self.joints.iter().map(|joint| Joint {
            position: place(joint.position),
            ..joint.clone()
        });
        Skeleton::new(joints.collect())
    }
}

/// The bones in an order in which each follows its parent; the end of one on a circle otherwise.
fn parents_first(bones: &[Bone]) -> Result<Vec<usize>, usize> {
    let mut order = Vec::with_capacity(bones.len());
    let mut placed = vec![false; bones.len()];
    // as many rounds as the tree is deep
    while order.len() < bones.len() {
        let before = order.len();
        for (index, bone) in bones.iter().enumerate() {
            if !placed[index] && bone.parent.is_none_or(|parent| placed[parent]) {
                placed[index] = true;
                order.push(index);
            }
        }
        if order.len() == before {
            let stuck = placed.iter().position(|placed| !placed).unwrap_or(0);
            return Err(bones[on_circle(bones, stuck)].end);
        }
    }
    Ok(order)
}

/// A bone on the circle to which the parents of `bone` lead.
fn on_circle(bones: &[Bone], mut bone: usize) -> usize {
    for _ in 0..bones.len() {
        bone = bones[bone].parent.unwrap_or(bone);
    }
    bone
}
