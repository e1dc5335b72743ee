//! What joints tie: points whose position and velocity follow from nodes, rigid bodies or a known motion.

use crate::constraint::{ConstraintSet, RigidEntry};
use crate::contact::pull;
use crate::drive::Motion;
use crate::model::Model;
use crate::rigid::Pose;
use crate::state::State;
use pliant_linalg::{Mat3, Vec3};

/// A point that a joint holds on to.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// A node.
    Node(u32),
    /// A material point of an element.
    Element {
        /// Corners; the first is repeated for triangles.
        nodes: [u32; 4],
        /// Barycentric weights, zero for the repeated corner.
        weights: [f64; 4],
    },
    /// A point that moves with a rigid body.
    Rigid {
        /// The rigid body.
        body: usize,
        /// Where the point is when the body is as at rest, m.
        point: Vec3,
    },
    /// A point of the world.
    World {
        /// Where it is without motion, m.
        point: Vec3,
        /// How it moves.
        motion: Box<Motion>,
    },
}

/// Where everything is at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Configuration<'a> {
    pub model: &'a Model,
    /// Of nodes; those of rigid bodies are not read.
    pub positions: &'a [Vec3],
    pub poses: &'a [Pose],
    pub time: f64,
}

impl Configuration<'_> {
    /// Position of a node.
    pub fn node(&self, node: usize) -> Vec3 {
        match self.model.rigid_of_node(node) {
            None => self.positions[node],
            Some(body) => self.rigid_point(body, self.model.rest[node]),
        }
    }

    /// Position of the point of a rigid body that rests at `rest`.
    pub fn rigid_point(&self, body: usize, rest: Vec3) -> Vec3 {
        self.poses[body].point(self.model.rigid.bodies[body].centre, rest)
    }
}

impl Anchor {
    /// A point of the world that stays.
    pub fn fixed(point: Vec3) -> Anchor {
        Anchor::World {
            point,
            motion: Box::default(),
        }
    }

    /// Where it is.
    pub(crate) fn position(&self, at: Configuration) -> Vec3 {
        match self {
            Anchor::Node(node) => at.node(*node as usize),
            Anchor::Element { nodes, weights } => {
                let corners = nodes.iter().zip(weights);
                corners.fold(Vec3::ZERO, |sum, (&n, &w)| sum + at.node(n as usize) * w)
            }
            Anchor::Rigid { body, point } => at.rigid_point(*body, *point),
            Anchor::World { point, motion } => motion.at(*point, at.time),
        }
    }

    /// Its velocity at a state, m/s; zero for points of the world.
    pub(super) fn velocity(&self, model: &Model, state: &State) -> Vec3 {
        match self {
            Anchor::Node(node) => state.velocities[*node as usize],
            Anchor::Element { nodes, weights } => {
                let corners = nodes.iter().zip(weights);
                corners.fold(Vec3::ZERO, |sum, (&n, &w)| {
                    sum + state.velocities[n as usize] * w
                })
            }
            Anchor::Rigid { body, point } => {
                let (pose, twist) = (state.rigid.poses[*body], state.rigid.twists[*body]);
                twist.at(pose.rotation * (*point - model.rigid.bodies[*body].centre))
            }
            Anchor::World { .. } => Vec3::ZERO,
        }
    }

    /// The last constraint acts on its velocity with `block`.
    pub(super) fn pull(&self, model: &Model, state: &State, set: &mut ConstraintSet, block: Mat3) {
        match self {
            Anchor::Node(node) => pull(model, state, set, *node as usize, block),
            Anchor::Element { nodes, weights } => {
                for (&node, &w) in nodes.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
                    pull(model, state, set, node as usize, block * w);
                }
            }
            Anchor::Rigid { body, point } => {
                let rest = model.rigid.bodies[*body].centre;
                set.pull_rigid(RigidEntry {
                    body: *body as u32,
                    arm: state.rigid.poses[*body].rotation * (*point - rest),
                    linear: block,
                    angular: Mat3::ZERO,
                });
            }
            Anchor::World { .. } => {}
        }
    }

    /// Hands out a force on it: to nodes, with their share, or to a rigid body at the point.
    pub(super) fn share(&self, force: Vec3, at: Configuration, push: &mut impl FnMut(Push)) {
        match self {
            Anchor::Node(node) => push(Push::node(at, *node as usize, force)),
            Anchor::Element { nodes, weights } => {
                for (&node, &w) in nodes.iter().zip(weights) {
                    push(Push::node(at, node as usize, force * w));
                }
            }
            Anchor::Rigid { body, point } => push(Push::Rigid {
                body: *body,
                arm: at.rigid_point(*body, *point) - at.poses[*body].centre,
                force,
            }),
            Anchor::World { .. } => {}
        }
    }
}

/// A force and where it acts.
pub(super) enum Push {
    Node {
        node: usize,
        force: Vec3,
    },
    /// On a rigid body, at its centre plus the arm.
    Rigid {
        body: usize,
        arm: Vec3,
        force: Vec3,
    },
}

impl Push {
    /// On a node, or on the rigid body that it belongs to.
    pub fn node(at: Configuration, node: usize, force: Vec3) -> Push {
        match at.model.rigid_of_node(node) {
            None => Push::Node { node, force },
            Some(body) => Push::Rigid {
                body,
                arm: at.node(node) - at.poses[body].centre,
                force,
            },
        }
    }
}
