//! Contact: what may touch what, and where it does at given positions.
//!
//! A [`Contact`] is one penetrating node with the obstacle or the facet that it should be in front of. It is
//! geometry and coefficients only; the forces are made from it elsewhere. Detection has no memory, so a checkpoint
//! needs nothing from it. Conventions of METHODS 0.8: +1 at the node, −β (true barycentrics) at the facet, the
//! normal points out of what is penetrated.

mod detect;
mod inside;
mod obstacle;
mod penalty;
#[cfg(test)]
mod tests;
mod touch;

pub use detect::Detector;
pub use obstacle::{
    DeepestPoint, HeightField, Obstacle, Pose, PosedObstacle, Shape, SolidSurface,
    SolidSurfaceError, deepest_on_edge, deepest_on_triangle,
};
pub use penalty::{Coupling, couple};
pub(crate) use touch::Touch;

use crate::model::Model;
use pliant_linalg::Vec3;
use pliant_mesh::components::root;
use thiserror::Error;

/// What bodies may touch. Default: nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactModel {
    /// Whether bodies touch each other; a body does not touch itself.
    pub enabled: bool,
    /// What every body may touch.
    pub obstacles: Vec<Obstacle>,
    /// Coulomb's coefficient between bodies, and of obstacles that have none of their own.
    pub friction: f64,
    /// Penalty stiffness as a multiple of [`Model::node_stiffness`].
    pub stiffness: f64,
    /// Damping over stiffness of a contact, s.
    pub damping: f64,
}

impl Default for ContactModel {
    fn default() -> Self {
        ContactModel {
            enabled: false,
            obstacles: Vec::new(),
            friction: 0.5,
            stiffness: 1.0,
            damping: 0.0,
        }
    }
}

impl ContactModel {
    /// Whether anything can ever touch.
    pub fn is_active(&self, body_count: usize) -> bool {
        !self.obstacles.is_empty() || (self.enabled && body_count > 1)
    }

    /// Refuses values without meaning.
    pub fn check(&self) -> Result<(), ContactError> {
        let require = |ok: bool, parameter, value, reason| {
            if ok {
                return Ok(());
            }
            Err(ContactError::Parameter {
                parameter,
                value,
                reason,
            })
        };
        let not_negative = |v: f64| v >= 0.0 && v.is_finite();
        require(
            not_negative(self.friction),
            "friction",
            self.friction,
            "the coefficient must not be negative",
        )?;
        require(
            self.stiffness > 0.0 && self.stiffness.is_finite(),
            "stiffness",
            self.stiffness,
            "the multiple must be positive; 1 is the stiffness of the material",
        )?;
        require(
            not_negative(self.damping),
            "damping",
            self.damping,
            "damping must not be negative",
        )?;
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            obstacle.check().map_err(|reason| ContactError::Obstacle {
                index,
                name: obstacle.name.clone(),
                reason,
            })?;
        }
        Ok(())
    }
}

/// A contact parameter outside its range.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ContactError {
    /// A number.
    #[error("{parameter} = {value} is not allowed: {reason}")]
    Parameter {
        /// Name of the parameter as in scene files.
        parameter: &'static str,
        /// The refused value.
        value: f64,
        /// The allowed range and what to do.
        reason: &'static str,
    },
    /// An impossible obstacle.
    #[error("obstacle `{name}`: {reason}")]
    Obstacle {
        /// Its place in the list.
        index: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        reason: &'static str,
    },
}

/// One penetrating node. A push p ≥ 0 is the force `weights[i]`·p·`normal` on `nodes[i]`: between bodies the weights
/// sum to zero, so nothing is pushed as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The penetrating node, then the corners of the facet; the first is repeated beyond `count`.
    pub nodes: [u32; 4],
    /// 1, then −β; zero beyond `count`.
    pub weights: [f64; 4],
    /// Nodes in use: 1 against an obstacle, 4 against a triangle, 3 against an edge of a planar body.
    pub count: usize,
    /// Unit vector out of what is penetrated.
    pub normal: Vec3,
    /// Depth along the normal, m; positive. Between bodies it is −normal·Σ weights x.
    pub depth: f64,
    /// Penalty stiffness, N/m.
    pub stiffness: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// The obstacle, if it is one.
    pub obstacle: Option<u32>,
    /// Whether the node was in front of this obstacle or facet one step earlier.
    pub fresh: bool,
}

/// For each body the smallest body that it hangs together with through body–body contacts.
pub fn islands(model: &Model, contacts: &[Contact]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..model.bodies.len() as u32).collect();
    let body_of = |node: u32| {
        let after = |b: &crate::model::Body| b.nodes.end <= node as usize;
        model.bodies.partition_point(after) as u32
    };
    for contact in contacts.iter().filter(|c| c.count > 1) {
        let [a, b] = [0, 1].map(|i| root(&mut parent, body_of(contact.nodes[i])));
        parent[a.max(b) as usize] = a.min(b);
    }
    for body in 0..parent.len() as u32 {
        parent[body as usize] = root(&mut parent, body);
    }
    parent
}
