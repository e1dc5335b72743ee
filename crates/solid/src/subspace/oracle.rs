//! Oracles: which nodes must be full, and which may not stop being so yet [TMDK15, §4.2].
//!
//! An oracle names nodes around which the basis is not enough; a search spreads from them. Nodes that nobody has named for some steps
//! leave, unless an oracle holds their region: a connected set of nodes that would leave together.

use super::domain::Domains;
use super::memory::{Active, Reduced};
use crate::contact::Contact;
use crate::model::Model;

/// What oracles may look at before a step.
pub struct View<'a> {
    /// The model.
    pub model: &'a Model,
    /// Coordinates and regions after the step before.
    pub memory: &'a Reduced,
    /// Contacts of the step.
    pub contacts: &'a [Contact],
    pub(crate) domains: &'a Domains,
}

/// Nodes of a region that would leave, and how well the basis could show them.
pub struct Leaving<'a> {
    /// The nodes.
    pub nodes: &'a [Active],
    /// Largest distance between where they are and where the fitted basis would put them, relative to their largest displacement
    /// before skinning.
    pub misfit: f64,
    /// Size of their body over the mean length of their edges: a misfit of u, of displacements that strain the body by u/L, strains elements
    /// by this factor more.
    pub fineness: f64,
}

/// See the file header.
pub trait Oracle: Send {
    /// Adds nodes around which nodes must be full.
    fn name_nodes(&mut self, view: &View<'_>, starts: &mut Vec<u32>);

    /// Whether a region must stay.
    fn holds(&self, _: &Leaving<'_>) -> bool {
        false
    }
}

/// Nodes that touch something are full, and those around them.
#[derive(Debug, Default)]
pub struct ContactOracle;

impl Oracle for ContactOracle {
    fn name_nodes(&mut self, view: &View<'_>, starts: &mut Vec<u32>) {
        for contact in view.contacts {
            // on an edge the third corner of a facet has no part, and which of two facets has found it is chance
            let ends = contact.nodes.iter().zip(contact.weights);
            let touching = ends.take(contact.count).filter(|end| end.1 != 0.0);
            starts.extend(touching.map(|end| end.0));
        }
    }
}

/// Regions that still move stay.
#[derive(Debug)]
pub struct DynamicsOracle {
    /// Mean speed and acceleration of the deformation above which a region stays, in sizes of its body, 1/s and 1/s².
    pub speed: f64,
    /// See above.
    pub acceleration: f64,
}

impl Oracle for DynamicsOracle {
    fn name_nodes(&mut self, _: &View<'_>, _: &mut Vec<u32>) {}

    fn holds(&self, leaving: &Leaving<'_>) -> bool {
        let count = leaving.nodes.len() as f64;
        let mean = |of: &dyn Fn(&Active) -> f64| leaving.nodes.iter().map(of).sum::<f64>() / count;
        mean(&|a| a.speed) > self.speed || mean(&|a| a.acceleration) > self.acceleration
    }
}

/// Nodes are full where the exact forces on samples show that the basis fails, and stay so while it could not show what they do.
/// Found after the step before, see `residual.rs`.
#[derive(Debug)]
pub struct ResidualOracle {
    /// Relative error.
    pub error: f64,
}

impl Oracle for ResidualOracle {
    fn name_nodes(&mut self, view: &View<'_>, starts: &mut Vec<u32>) {
        let domains = view.domains;
        let posed = |node: &&u32| !domains.copies(**node).is_empty();
        starts.extend(view.memory.failing.iter().filter(posed));
    }

    fn holds(&self, leaving: &Leaving<'_>) -> bool {
        leaving.misfit * leaving.fineness > self.error
    }
}
