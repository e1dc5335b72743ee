//! Everything that changes from step to step and that a checkpoint must hold.

use crate::assembly::RotationPack;
use crate::condense::Activity;
use crate::constraint::Remembered;
use crate::lagged::FactorMemory;
use crate::reduction::Rigidity;
use crate::rigid::RigidState;
use crate::subspace::Reduced;
use pliant_linalg::Vec3;

/// The changing part of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Steps taken.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// Node positions, m.
    pub positions: Vec<Vec3>,
    /// Node velocities, m/s.
    pub velocities: Vec<Vec3>,
    /// What a two-step integrator remembers of the step before; `None` at the start.
    pub previous: Option<Previous>,
    /// Rotations of the elements at `positions`, one a pack, where a method follows them; else empty.
    pub rotations: Vec<RotationPack>,
    /// Poses and velocities of rigid bodies, angles and rates of joints.
    pub rigid: RigidState,
    /// Forces of the constraints of the last step, by identity: the first guess of the next.
    pub constraint_forces: Vec<Remembered>,
    /// Matrices whose factors are in use or under way, where factors are older than a step.
    pub factors: Vec<FactorMemory>,
    /// Which nodes are dynamic, where they come and go.
    pub activity: Activity,
    /// What moves as rigid bodies, where elements come and go.
    pub rigidity: Rigidity,
    /// Coordinates and regions, where bodies move in trained spaces.
    pub subspace: Reduced,
    /// How often the next step is halved, where steps adapt to their error.
    pub halvings: u32,
    /// Work and losses since the start.
    pub ledger: Ledger,
}

/// Positions and velocities one step ago.
#[derive(Clone, Debug, PartialEq)]
pub struct Previous {
    /// Length of the step that led from them to the present, s.
    pub h: f64,
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Velocities, m/s.
    pub velocities: Vec<Vec3>,
}

/// Energy that entered or left since the start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Work done by loads and prescribed motion.
    pub external_work: f64,
    /// Lost to Rayleigh and spring damping.
    pub damping_loss: f64,
    /// Work of contact forces.
    pub contact_work: f64,
    /// Lost to the time integrator (negative: gained), the rest of the balance.
    pub integrator_loss: f64,
    /// Mechanical energy when the simulation began, the base of the balance; `None` before the first step.
    pub initial_energy: Option<f64>,
}
