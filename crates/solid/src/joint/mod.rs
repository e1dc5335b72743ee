//! Joints: attachments, distances, slides, hinges, cables, cavities, and the limits of articulated chains.
//!
//! A joint ties [`Anchor`]s: nodes, points of elements, points of rigid bodies and points of the world. Each of its rows has a
//! defect g(x) that is to be zero, or not negative, at the end of the step. The rows enter the step's constraints linearised
//! at its start, u = J v + g/ĥ, and their bias is then corrected until the defect itself, not its linearisation, obeys
//! the law (`rows.rs`). So nothing drifts, and rigid pendulums step as SHAKE does [RCB77].
//!
//! Prescribed tensions and pressures are no constraints but loads (`loads.rs`).

mod anchor;
mod cavity;
mod check;
mod curve;
mod loads;
mod readout;
mod rows;
mod settle;

pub use anchor::Anchor;
pub(crate) use anchor::Configuration;
pub use check::JointError;
pub use curve::{Curve, Frame};
pub(crate) use loads::JointLoads;
pub use readout::JointReading;
pub(crate) use readout::readings;
pub(crate) use rows::JointRows;
pub(crate) use settle::Settling;

use crate::drive::Faces;
use crate::profile::Profile;
use pliant_linalg::Vec3;

/// A named joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name for reports.
    pub name: String,
    /// What it ties, and how.
    pub kind: JointKind,
    /// Softness of each of its rows, m/N (a hinge's turn: rad/(N·m)); zero is rigid. Loads and drag have none.
    pub compliance: f64,
    /// Share of a defect that a step removes, above 0 and at most 1.
    pub correction: f64,
}

impl Joint {
    /// A rigid joint that removes all of a defect in a step.
    pub fn new(name: impl Into<String>, kind: JointKind) -> Joint {
        Joint {
            name: name.into(),
            kind,
            compliance: 0.0,
            correction: 1.0,
        }
    }
}

/// The kinds of joints.
#[derive(Clone, Debug)]
pub enum JointKind {
    /// The two points of each pair stay together.
    Attachment {
        /// The pairs.
        pairs: Vec<[Anchor; 2]>,
    },
    /// Two points keep a distance: a rod, a rope or a spacer.
    Distance {
        /// The points.
        ends: [Anchor; 2],
        /// The distance in time, m.
        length: Profile,
        /// Which side of it is allowed.
        bound: Bound,
    },
    /// Points slide along a curve.
    Slide {
        /// The points.
        points: Vec<Anchor>,
        /// Where they may be.
        curve: Curve,
        /// Whether the ends of the curve hold the points; else it goes on straight.
        stops: bool,
        /// Force against sliding over its speed, of each point, N·s/m.
        drag: f64,
    },
    /// A rigid body turns about an axis of another one or of the world.
    Hinge {
        /// The rigid body.
        first: usize,
        /// The other one; none is the world.
        second: Option<usize>,
        /// A point of the axis when both are as at rest, m.
        point: Vec3,
        /// Its unit direction then.
        axis: Vec3,
    },
    /// A cable runs through points without friction.
    Cable {
        /// The points, from end to end.
        points: Vec<Anchor>,
        /// What is prescribed.
        control: CableControl,
    },
    /// A closed part of a body's surface that encloses a fluid.
    Cavity {
        /// The walls, oriented out of the body.
        walls: Faces,
        /// What is prescribed.
        control: CavityControl,
    },
}

impl JointKind {
    /// The word for it in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            JointKind::Attachment { .. } => "attach",
            JointKind::Distance { .. } => "distance",
            JointKind::Slide { .. } => "slide",
            JointKind::Hinge { .. } => "hinge",
            JointKind::Cable { .. } => "cable",
            JointKind::Cavity { .. } => "cavity",
        }
    }
}

/// Which distances are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Exactly the given one: a rod.
    #[default]
    Equal,
    /// At most it: a rope.
    AtMost,
    /// At least it: a spacer.
    AtLeast,
}

/// What of a cable is prescribed in time.
#[derive(Clone, Debug, PartialEq)]
pub enum CableControl {
    /// Its length, m: it pulls when the way through its points would be longer, and is slack when shorter.
    Length(Profile),
    /// Its tension, N; below zero it is slack.
    Tension(Profile),
}

/// What of a cavity is prescribed in time.
#[derive(Clone, Debug, PartialEq)]
pub enum CavityControl {
    /// Its volume over that at rest.
    Volume(Profile),
    /// Its pressure above that outside, Pa.
    Pressure(Profile),
}
