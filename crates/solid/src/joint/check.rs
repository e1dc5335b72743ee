//! Refuses joints that cannot work, and says what to do.

use super::{Anchor, CableControl, CavityControl, Curve, Frame, Joint, JointKind, cavity};
use crate::drive::{Faces, Motion};
use crate::model::{Model, ModelError};
use crate::profile::Profile;
use pliant_linalg::Vec3;
use thiserror::Error;

/// A joint that is refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{kind} `{name}`: {reason}")]
pub struct JointError {
    /// Place in the list of joints.
    pub index: usize,
    /// Kind, by its word in scene files.
    pub kind: &'static str,
    /// Name of the joint.
    pub name: String,
    /// What is wrong and what to do.
    pub reason: String,
}

impl Model {
    /// The model with joints, checked. They name nodes and rigid bodies of the model.
    pub fn with_joints(mut self, joints: Vec<Joint>) -> Result<Model, ModelError> {
        for (index, joint) in joints.iter().enumerate() {
            check(joint, &self).map_err(|reason| JointError {
                index,
                kind: joint.kind.name(),
                name: joint.name.clone(),
                reason,
            })?;
        }
        self.set_joints(joints);
        Ok(self)
    }
}

fn require(ok: bool, reason: impl Into<String>) -> Result<(), String> {
    if ok { Ok(()) } else { Err(reason.into()) }
}

fn check(joint: &Joint, model: &Model) -> Result<(), String> {
    let Joint {
        compliance,
        correction,
        ..
    } = *joint;
    require(
        compliance >= 0.0 && compliance.is_finite(),
        format!("the compliance must not be negative, not {compliance}; zero is rigid"),
    )?;
    require(
        correction > 0.0 && correction <= 1.0,
        format!("the correction must be a share above 0 and at most 1, not {correction}"),
    )?;
    match &joint.kind {
        JointKind::Attachment { pairs } => {
            require(
                !pairs.is_empty(),
                "it ties nothing: give it a pair of points",
            )?;
            for [a, b] in pairs {
                anchors([a, b], model)?;
            }
            Ok(())
        }
        JointKind::Distance { ends, length, .. } => {
            anchors([&ends[0], &ends[1]], model)?;
            profile(length, "length")?;
            not_negative(length, "length")
        }
        JointKind::Slide {
            points,
            curve,
            drag,
            ..
        } => {
            require(!points.is_empty(), "it has no points: select at least one")?;
            for point in points {
                anchor(point, model)?;
            }
            require(
                *drag >= 0.0 && drag.is_finite(),
                format!("the drag must not be negative, not {drag}"),
            )?;
            check_curve(curve, model)
        }
        JointKind::Hinge {
            first,
            second,
            point,
            axis,
        } => {
            rigid_body(*first, model)?;
            if let Some(second) = second {
                rigid_body(*second, model)?;
                require(
                    first != second,
                    "both bodies are the same: a hinge needs two, or one and the world",
                )?;
            }
            require(point.is_finite(), "the point must be finite")?;
            unit(*axis)
        }
        JointKind::Cable { points, control } => {
            let count = points.len();
            require(
                count >= 2,
                format!("it runs through {count} points: give it two at least"),
            )?;
            anchors(points, model)?;
            match control {
                CableControl::Length(length) => {
                    profile(length, "length")?;
                    not_negative(length, "length")
                }
                CableControl::Tension(tension) => profile(tension, "tension"),
            }
        }
        JointKind::Cavity { walls, control } => {
            check_walls(walls, model)?;
            match control {
                CavityControl::Volume(ratio) => profile(ratio, "volume"),
                CavityControl::Pressure(pressure) => profile(pressure, "pressure"),
            }
        }
    }
}

/// At least one of the points can be moved by forces, and all exist.
fn anchors<'a>(points: impl IntoIterator<Item = &'a Anchor>, model: &Model) -> Result<(), String> {
    let mut moves = false;
    for point in points {
        anchor(point, model)?;
        moves |= !matches!(point, Anchor::World { .. });
    }
    require(
        moves,
        "all its points belong to the world: tie at least one to a body",
    )
}

fn anchor(anchor: &Anchor, model: &Model) -> Result<(), String> {
    match anchor {
        Anchor::Node(node) => check_node(*node, model),
        Anchor::Element { nodes, weights } => {
            for &node in nodes {
                check_node(node, model)?;
            }
            let sum: f64 = weights.iter().sum();
            require(
                (sum - 1.0).abs() < 1e-9,
                format!("the weights of a point must add up to 1, not {sum}"),
            )
        }
        Anchor::Rigid { body, point } => {
            rigid_body(*body, model)?;
            require(point.is_finite(), "a point of a rigid body must be finite")
        }
        Anchor::World { point, motion } => {
            require(point.is_finite(), "a point of the world must be finite")?;
            check_motion(motion)
        }
    }
}

fn check_node(node: u32, model: &Model) -> Result<(), String> {
    let count = model.node_count();
    require(
        (node as usize) < count,
        format!("it names node {node}, but there are only {count}"),
    )
}

fn rigid_body(body: usize, model: &Model) -> Result<(), String> {
    let count = model.rigid.bodies.len();
    require(
        body < count,
        format!("it names rigid body {body}, but there are only {count}"),
    )
}

fn unit(axis: Vec3) -> Result<(), String> {
    let length = axis.norm();
    require(
        (length - 1.0).abs() <= 1e-9,
        format!("the axis must have length 1, not {length}: divide it by its length"),
    )
}

fn profile(profile: &Profile, quantity: &str) -> Result<(), String> {
    require(
        profile.is_valid(),
        format!(
            "the keyframes of its {quantity} must be finite, in increasing time, and at least one"
        ),
    )
}

fn not_negative(profile: &Profile, quantity: &str) -> Result<(), String> {
    let least = match profile {
        Profile::Constant(value) => *value,
        Profile::Keyframes { keys, .. } => keys.iter().map(|k| k.1).fold(f64::INFINITY, f64::min),
        Profile::Sine {
            offset, amplitude, ..
        } => offset - amplitude.abs(),
    };
    require(
        least >= 0.0,
        format!("its {quantity} must not be negative, not {least}"),
    )
}

fn check_motion(motion: &Motion) -> Result<(), String> {
    for path in motion.profiles() {
        profile(path, "motion")?;
    }
    let turns = [&motion.rotation, &motion.twist];
    for turn in turns.into_iter().flatten() {
        unit(turn.axis)?;
        require(
            turn.centre.is_finite(),
            "the centre of its turn must be finite",
        )?;
    }
    Ok(())
}

fn check_curve(curve: &Curve, model: &Model) -> Result<(), String> {
    require(
        curve.points.iter().all(|p| p.is_finite()),
        "the points of its curve must be finite",
    )?;
    require(
        curve.points.len() >= 2 && curve.length() > 0.0,
        "its curve has no length: give it two different points at least",
    )?;
    match &curve.frame {
        Frame::Rigid(body) => rigid_body(*body, model),
        Frame::World(motion) => {
            require(
                motion.twist.is_none(),
                "a twist bends its curve: use a rotation and a translation",
            )?;
            check_motion(motion)
        }
    }
}

fn check_walls(walls: &Faces, model: &Model) -> Result<(), String> {
    let nodes: Vec<u32> = match walls {
        Faces::Triangles(list) => list.iter().flatten().copied().collect(),
        Faces::Edges(list, _) => list.iter().flatten().copied().collect(),
    };
    for &node in &nodes {
        check_node(node, model)?;
    }
    require(
        cavity::is_closed(walls),
        "its walls have a gap: select all facets around it",
    )?;
    let volume = cavity::volume(walls, |n| model.rest[n as usize]);
    require(
        volume > 0.0,
        format!(
            "its walls enclose {volume:.3e} m³: they are the outside of a body, select the inside of a hollow one"
        ),
    )
}
