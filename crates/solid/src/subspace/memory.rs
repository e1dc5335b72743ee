//! What a state remembers of the method `subspace`.

use pliant_linalg::Vec3;

/// Coordinates and regions between two steps. Positions and velocities of full nodes are those of the state; those of all others
/// follow from the coordinates, and the state's may be older, see [`Reduced::behind`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reduced {
    /// q of all domains; empty before the first step, then the positions are fitted.
    pub coordinates: Vec<f64>,
    /// How they changed over the last step, 1/s: (q − q₋)/h.
    pub rates: Vec<f64>,
    /// Length of the last step, s: velocities of nodes that the basis moves are differences over it. Zero before the first.
    pub last_step: f64,
    /// Full nodes, ascending.
    pub active: Vec<Active>,
    /// Copies of nodes that fade, by node and domain.
    pub fading: Vec<Fading>,
    /// Nodes at which exact forces showed after the last step that the basis fails.
    pub failing: Vec<u32>,
    /// Whether positions and velocities of the nodes that the basis moves are older than the coordinates.
    pub behind: bool,
}

/// A full node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Active {
    /// The node.
    pub node: u32,
    /// Steps since something asked for it.
    pub idle: u32,
    /// Speed and acceleration of its deformation, in sizes of its body, 1/s and 1/s².
    pub speed: f64,
    /// See above.
    pub acceleration: f64,
}

/// A node that has left a full region, in one of its domains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fading {
    /// The node.
    pub node: u32,
    /// The domain.
    pub domain: u32,
    /// Steps left.
    pub left: u32,
    /// What the basis could not show when it left, m, before skinning.
    pub offset: Vec3,
}

impl Fading {
    /// Share of the offset that is left when nodes fade over so many steps.
    pub(crate) fn share(&self, blend: u32) -> f64 {
        f64::from(self.left.min(blend)) / f64::from(blend.max(1))
    }

    /// The same one step before.
    pub(crate) fn share_before(&self, blend: u32) -> f64 {
        f64::from((self.left + 1).min(blend)) / f64::from(blend.max(1))
    }
}
