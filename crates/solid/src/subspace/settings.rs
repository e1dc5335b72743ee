//! How the method `subspace` works.

/// Subspace condensation [TMDK15].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubspaceSettings {
    /// Who says which nodes are full.
    pub activation: Activation,
    /// ρ: how far around a touched node others become full, at rest, in units of the largest extent of the body.
    pub radius: f64,
    /// Steps for which nodes stay full that nothing asks for any more, the first one included.
    pub timeout: u32,
    /// Steps over which what the basis cannot show fades when nodes stop being full; zero drops it at once.
    pub blend: u32,
    /// Mean speed and acceleration of a region's deformation below which it may end, in sizes of the body, 1/s and 1/s².
    pub calm_speed: f64,
    /// See above.
    pub calm_acceleration: f64,
    /// Relative error of forces and displacements above which the basis is not trusted: nodes become full where it fails. None: no test.
    pub error: Option<f64>,
    /// Stiffness of the springs between domains, as a multiple of [`crate::model::Model::node_stiffness`].
    pub interface_stiffness: f64,
    /// How the mixed system is solved.
    pub linear: SubspaceLinear,
    /// ‖r‖/‖b‖ at which conjugate gradients stop.
    pub tolerance: f64,
    /// Iterations after which they stop.
    pub max_iterations: usize,
    /// Clusters of nodes of a domain whose frames stand for those of all, in inertia and gravity; of no use without a rig.
    pub mass_samples: usize,
    /// Whether contacts of a body with itself that were seen in training push the coordinates through a few vertices, and make no node full.
    pub trained_contacts: bool,
}

impl Default for SubspaceSettings {
    fn default() -> Self {
        SubspaceSettings {
            activation: Activation::Oracles,
            radius: 0.1,
            timeout: 2,
            blend: 3,
            calm_speed: 0.05,
            calm_acceleration: 0.2,
            error: None,
            interface_stiffness: 10.0,
            linear: SubspaceLinear::Pcg,
            tolerance: 0.01,
            max_iterations: 1000,
            mass_samples: 128,
            trained_contacts: false,
        }
    }
}

/// Who says which nodes are full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// Contact, motion and, where asked for, residuals.
    #[default]
    Oracles,
    /// Nobody: contacts push the coordinates. For comparison; it locks.
    Nothing,
    /// Every node, always: the method `full` in other words.
    Everything,
}

/// Solvers of the mixed system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubspaceLinear {
    /// Conjugate gradients.
    #[default]
    Pcg,
    /// A sparse factor with the coordinates as a dense border.
    Direct,
}
