//! Contact: what may touch what, and where it does at given positions.
//!
//! A [`Contact`] is a point of a surface with the obstacle or the facet that it should be in front of. It is
//! geometry and coefficients only; the forces are made from it elsewhere, as penalties or as constraints. Detection has
//! no memory, so a checkpoint needs nothing from it. Conventions of METHODS 0.8: +1 at the node, −β (true barycentrics) at the facet, the
//! normal points out of what is penetrated.

mod among;
mod constrain;
mod detect;
mod filter;
mod inside;
mod obstacle;
mod penalty;
mod readout;
#[cfg(test)]
mod tests;
mod touch;

pub(crate) use among::Candidates;
pub(crate) use constrain::{constrain, pull};
pub use detect::{Detector, Moving};
pub(crate) use detect::{obstacle_of, vertex_of};
pub(crate) use filter::filter_friction;
pub use obstacle::{
    DeepestPoint, HeightField, Obstacle, Pose, PosedObstacle, Shape, SolidSurface,
    SolidSurfaceError, deepest_on_edge, deepest_on_triangle,
};
pub use penalty::{Coupling, couple};
pub use readout::{ContactForce, ContactReadout, ContactState, PairForce, Partner};
pub(crate) use touch::Touch;

use crate::constraint::{ConstraintSettings, Friction, Identity};
use crate::model::Model;
use pliant_linalg::Vec3;
use pliant_mesh::components::root;
use thiserror::Error;

/// Iterations of the constraint solver that may be asked for: redundant contacts use all of them.
const MOST_ITERATIONS: usize = 1_000_000;

/// What bodies may touch. Default: nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactModel {
    /// Whether bodies touch each other.
    pub enabled: bool,
    /// Whether bodies touch themselves too.
    pub itself: bool,
    /// What every body may touch.
    pub obstacles: Vec<Obstacle>,
    /// Coulomb's coefficient between bodies, and of obstacles that have none of their own.
    pub friction: f64,
    /// How contacts between bodies are found.
    pub detection: Detection,
    /// Distance from which on things count as touching, m; default [`Detector::ALARM`] of the smallest mean edge.
    pub alarm: Option<f64>,
    /// How contacts act.
    pub response: Response,
    /// Of [`Response::Constraint`].
    pub constraint: ConstraintResponse,
    /// Penalty stiffness as a multiple of [`Model::node_stiffness`].
    pub stiffness: f64,
    /// Damping over stiffness of a penalty, s.
    pub damping: f64,
    /// Share α of a penalty's stiffness that acts in all directions, in [0, 1] [MZS11].
    pub isotropy: f64,
    /// How penalties rub.
    pub penalty_friction: PenaltyFriction,
}

/// Friction of penalty contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PenaltyFriction {
    /// A damper in the linear system, from the normal force and slip at the start of the step.
    #[default]
    Lagged,
    /// A filter of the velocities after the solve, with the normal force at the end.
    Filter,
}

/// How contacts act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// Impulses that obey Signorini's and Coulomb's laws at the end of the step.
    #[default]
    Constraint,
    /// Stiff springs inside the step's linear system.
    Penalty,
}

/// How contacts between bodies are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detection {
    /// Closest features of the surfaces: vertices against faces, edges against edges.
    #[default]
    Proximity,
    /// Vertices inside other bodies, through their elements and rest shapes.
    Inside,
}

/// Contact as constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintResponse {
    /// Solver of all constraints of a step.
    pub solver: ConstraintSettings,
    /// Exact cone, or a box.
    pub friction: Friction,
    /// Share of a penetration that a step removes (ERP), in [0, 1].
    pub correction: f64,
    /// γ of contacts, velocity per impulse, (m/s)/(N·s).
    pub compliance: f64,
    /// Slip of contacts that stick, per change of their impulse from step to step, (m/s)/(N·s): a spring along the surface [CS79]. What
    /// rests keeps its friction forces, also where many contacts of a rigid part leave open how they share the load.
    pub tangential_compliance: f64,
    /// Speed of separation over speed of approach, in [0, 1].
    pub restitution: f64,
    /// Fastest removal of a penetration, m/s; default ten alarm distances a second.
    pub separation_speed: Option<f64>,
    /// Whether all contacts that are near take part in a solve, not only those that would close.
    pub all_near: bool,
}

impl Default for ConstraintResponse {
    fn default() -> Self {
        ConstraintResponse {
            solver: ConstraintSettings::default(),
            friction: Friction::Cone,
            correction: 0.2,
            compliance: 0.0,
            tangential_compliance: 0.0,
            restitution: 0.0,
            separation_speed: None,
            all_near: false,
        }
    }
}

impl Default for ContactModel {
    fn default() -> Self {
        ContactModel {
            enabled: false,
            itself: false,
            obstacles: Vec::new(),
            friction: 0.5,
            detection: Detection::default(),
            alarm: None,
            response: Response::default(),
            constraint: ConstraintResponse::default(),
            stiffness: 1.0,
            damping: 0.0,
            isotropy: 0.0,
            penalty_friction: PenaltyFriction::default(),
        }
    }
}

impl ContactModel {
    /// Springs against nodes that are inside other bodies; nothing touches yet.
    pub fn penalty() -> ContactModel {
        ContactModel {
            response: Response::Penalty,
            detection: Detection::Inside,
            ..ContactModel::default()
        }
    }

    /// Whether anything can ever touch.
    pub fn is_active(&self, body_count: usize) -> bool {
        !self.obstacles.is_empty() || (self.enabled && body_count > 1) || self.itself
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
        require(
            (0.0..=1.0).contains(&self.isotropy),
            "isotropy",
            self.isotropy,
            "the share must be between 0 and 1",
        )?;
        require(
            self.alarm.is_none_or(|a| a > 0.0 && a.is_finite()),
            "alarm",
            self.alarm.unwrap_or(0.0),
            "the distance must be positive",
        )?;
        let c = &self.constraint;
        require(
            (0.0..=1.0).contains(&c.correction),
            "correction",
            c.correction,
            "the share must be between 0 and 1",
        )?;
        require(
            not_negative(c.compliance),
            "compliance",
            c.compliance,
            "compliance must not be negative",
        )?;
        require(
            not_negative(c.tangential_compliance),
            "tangential_compliance",
            c.tangential_compliance,
            "compliance must not be negative",
        )?;
        require(
            c.solver.tolerance > 0.0 && c.solver.tolerance.is_finite(),
            "tolerance",
            c.solver.tolerance,
            "the relative residual must be positive",
        )?;
        require(
            (1..=MOST_ITERATIONS).contains(&c.solver.max_iterations),
            "iterations",
            c.solver.max_iterations as f64,
            "at least one iteration is needed, and more than a million would never end",
        )?;
        require(
            (0.0..=1.0).contains(&c.restitution),
            "restitution",
            c.restitution,
            "the ratio of speeds must be between 0 and 1",
        )?;
        require(
            c.separation_speed.is_none_or(|s| s > 0.0 && s.is_finite()),
            "separation_speed",
            c.separation_speed.unwrap_or(0.0),
            "the speed must be positive",
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
    /// Penalties that a moving rigid body would not feel.
    #[error(
        "rigid body `{body}` would not feel penalty contacts: use model = \"constraint\", or make the body fixed or kinematic"
    )]
    PenaltyRigid {
        /// Body name.
        body: String,
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

/// A point of a surface and what it touches or is about to. A push p ≥ 0 is the force `weights[i]`·p·`normal` on
/// `nodes[i]`: between bodies the weights sum to zero, so nothing is pushed as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Names it from step to step.
    pub identity: Identity,
    /// The node, then the corners of the facet (or two ends of an edge each); the first is repeated beyond `count`.
    pub nodes: [u32; 4],
    /// 1, then −β; zero beyond `count`.
    pub weights: [f64; 4],
    /// Nodes in use: 1 for a node against an obstacle, 3 for a facet against one, 4 between solids, 3 between planar bodies.
    pub count: usize,
    /// Unit vector out of what is penetrated.
    pub normal: Vec3,
    /// Depth along the normal, m; negative where there is still a gap. Between bodies it is −normal·Σ weights x.
    pub depth: f64,
    /// Penalty stiffness, N/m.
    pub stiffness: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// The obstacle, if it is one.
    pub obstacle: Option<u32>,
    /// Velocity of the obstacle there over the step, m/s.
    pub velocity: Vec3,
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
    for contact in contacts.iter().filter(|c| c.obstacle.is_none()) {
        let [a, b] = [0, contact.count - 1].map(|i| root(&mut parent, body_of(contact.nodes[i])));
        parent[a.max(b) as usize] = a.min(b);
    }
    for body in 0..parent.len() as u32 {
        parent[body as usize] = root(&mut parent, body);
    }
    parent
}
