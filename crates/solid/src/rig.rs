//! Bodies with a skeleton: what the engine needs of the rig, and its motion as a drive.
//!
//! Nodes beside the bones are held where skinning puts them, in every method; the rest of the body follows by its elasticity. They
//! are at R X + t exactly, so that the displacement u of x = R (X + u) + t is zero there, whatever the pose [TMDK15, Section 4.1].

use crate::drive::{Action, Drive};
use crate::model::{Model, ModelError};
use pliant_linalg::Vec3;
use pliant_mesh::Mesh;
use pliant_mesh::rig::{
    Domains, Pose, RigError, Skeleton, SkeletonMotion, SkinWeights, Skinning, WeightOptions,
    heat_weights, nodes_at_bones, split_into_domains,
};
use std::sync::Arc;

/// A pose by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPose {
    /// What reports call it.
    pub name: String,
    /// The pose.
    pub pose: Pose,
}

/// The skeleton of a body and how it moves; nodes are numbered as in the body.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Joints and bones at rest.
    pub skeleton: Arc<Skeleton>,
    /// Bones of each node.
    pub weights: Arc<SkinWeights>,
    /// Nodes beside bones, which are held where skinning puts them; sorted.
    pub held: Arc<Vec<u32>>,
    /// Poses in time.
    pub motion: SkeletonMotion,
    /// Poses from which methods learn how the body deforms.
    pub training: Arc<Vec<NamedPose>>,
}

impl Rig {
    /// Finds the weights of the nodes of a mesh, and those beside bones.
    pub fn new(
        mesh: &Mesh,
        skeleton: Skeleton,
        options: &WeightOptions,
        motion: SkeletonMotion,
        training: Vec<NamedPose>,
    ) -> Result<Rig, RigError> {
        Ok(Rig {
            weights: Arc::new(heat_weights(mesh, &skeleton, options)?),
            held: Arc::new(nodes_at_bones(mesh, &skeleton)?),
            skeleton: Arc::new(skeleton),
            motion,
            training: Arc::new(training),
        })
    }

    /// The bones at time `t`, s.
    pub fn skinning_at(&self, t: f64) -> Skinning {
        Skinning::of(&self.skeleton, &self.motion.at(t))
    }

    /// A motion from rest to a pose within `seconds`, which is then held.
    pub fn motion_to(&self, pose: &Pose, seconds: f64) -> SkeletonMotion {
        SkeletonMotion::ramp(Pose::rest(&self.skeleton), pose.clone(), seconds)
    }

    /// The drive that holds the nodes beside bones of the body whose first node is given.
    pub fn drive(self: &Arc<Rig>, name: impl Into<String>, first_node: u32) -> Drive {
        Drive {
            name: name.into(),
            action: Action::Skin {
                nodes: self.held.iter().map(|node| node + first_node).collect(),
                rig: self.clone(),
                first_node,
            },
        }
    }

    /// What is wrong with it for a body of so many nodes.
    pub(crate) fn problem(&self, node_count: usize) -> Option<String> {
        let bones = self.skeleton.bone_count();
        if self.weights.node_count() != node_count {
            let found = self.weights.node_count();
            return Some(format!(
                "weights are given for {found} of {node_count} nodes"
            ));
        }
        if self.weights.entries.iter().any(|w| w.0 as usize >= bones) {
            return Some(format!("a weight names none of the {bones} bones"));
        }
        if self.held.iter().any(|&node| node as usize >= node_count) {
            return Some(format!("it holds a node that is none of {node_count}"));
        }
        let keys = self.motion.keys().iter().map(|key| &key.pose);
        let poses = keys.chain(self.training.iter().map(|t| &t.pose));
        let unfit = poses.map(|p| p.rotations.len()).find(|&n| n != bones);
        unfit.map(|found| format!("a pose turns {found} bones, but there are {bones}"))
    }
}

impl Model {
    /// The elements of a rigged body by bones, and nodes of several; in the numbers of the body.
    pub fn domains(&self, body: usize) -> Option<Domains> {
        let body = self.bodies.get(body)?;
        let rig = body.rig.as_ref()?;
        let first = body.nodes.start as u32;
        let elements = self.element_nodes[body.elements.clone()].iter();
        let own = elements.map(|nodes| nodes.map(|node| node - first));
        Some(split_into_domains(
            own,
            &rig.weights,
            rig.skeleton.bone_count(),
        ))
    }

    /// The model with another motion of the skeleton of a body.
    pub fn with_rig_motion(
        mut self,
        body: usize,
        motion: SkeletonMotion,
    ) -> Result<Model, ModelError> {
        let refuse = |body: String, reason: String| Err(ModelError::Rig { body, reason });
        let Some(owner) = self.bodies.get_mut(body) else {
            return refuse(body.to_string(), "there is no such body".to_string());
        };
        let Some(old) = &owner.rig else {
            return refuse(owner.name.clone(), "it has none".to_string());
        };
        let rig = Arc::new(Rig {
            motion,
            ..(**old).clone()
        });
        if let Some(reason) = rig.problem(owner.nodes.len()) {
            return refuse(owner.name.clone(), reason);
        }
        owner.rig = Some(rig.clone());
        let first = owner.nodes.start as u32;
        for drive in &mut self.drives {
            if let Action::Skin {
                rig: used,
                first_node,
                ..
            } = &mut drive.action
                && *first_node == first
            {
                *used = rig.clone();
            }
        }
        Ok(self)
    }

    /// Puts the nodes of rigged bodies where skinning has them at time zero.
    pub(crate) fn pose_bodies(&self, positions: &mut [Vec3]) {
        for body in &self.bodies {
            let Some(rig) = &body.rig else { continue };
            if rig.motion.at(0.0).is_rest() {
                continue;
            }
            let skinning = rig.skinning_at(0.0);
            for (own, node) in body.nodes.clone().enumerate() {
                positions[node] = skinning.frame(rig.weights.of(own)).push(self.rest[node]);
            }
        }
    }
}
