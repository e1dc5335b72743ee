//! What a step tells: energies, momentum, reactions, solver, time per stage.

use crate::assembly::{ElementFault, FaultKind};
use crate::constraint::ConstraintReport;
use crate::joint::JointReading;
use crate::lagged::FactorReport;
use crate::solver::SolveReport;
use pliant_linalg::{Reuse, SolveError, Vec3};
use std::time::Duration;
use thiserror::Error;

/// Energies of a state, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// ½ Σ m v².
    pub kinetic: f64,
    /// Strain energy, fibres and the springs of chains included.
    pub elastic: f64,
    /// −Σ m g·x.
    pub gravitational: f64,
    /// Work of loads and prescribed motion since the start.
    pub external_work: f64,
    /// Lost to damping since the start.
    pub damping_loss: f64,
    /// Work of contacts and joints since the start; negative where they take energy or hold some.
    pub contact_work: f64,
    /// Lost to the integrator since the start: what closes the balance.
    pub integrator_loss: f64,
}

impl Energies {
    /// Kinetic + elastic + gravitational.
    pub fn mechanical(&self) -> f64 {
        self.kinetic + self.elastic + self.gravitational
    }
}

/// Momentum and centre of all bodies together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Linear momentum, kg·m/s.
    pub linear: Vec3,
    /// Angular momentum about the origin, kg·m²/s.
    pub angular: Vec3,
    /// Centre of mass, m.
    pub centre: Vec3,
}

/// The stages of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding contacts.
    Detect,
    /// Choosing the space, gathering loads.
    Adapt,
    /// Element forces, energies and stresses.
    Forces,
    /// Element tangents, with the matrix or without.
    Assemble,
    /// Factorisation or preconditioner.
    Factor,
    /// Linear solve.
    Solve,
    /// Jacobian of the constraints.
    Jacobian,
    /// Their compliance.
    Delassus,
    /// Their impulses.
    Constraints,
    /// What the impulses do to the velocities.
    Response,
    /// New positions.
    Advance,
    /// Energies, momentum, reactions.
    ReadOut,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 12] = [
        Stage::Detect,
        Stage::Adapt,
        Stage::Forces,
        Stage::Assemble,
        Stage::Factor,
        Stage::Solve,
        Stage::Jacobian,
        Stage::Delassus,
        Stage::Constraints,
        Stage::Response,
        Stage::Advance,
        Stage::ReadOut,
    ];

    /// A word for reports.
    pub fn name(self) -> &'static str {
        [
            "detect",
            "adapt",
            "forces",
            "assemble",
            "factor",
            "solve",
            "jacobian",
            "delassus",
            "constraints",
            "response",
            "advance",
            "read-out",
        ][self as usize]
    }
}

/// Time spent in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes([Duration; Stage::ALL.len()]);

impl StageTimes {
    /// Adds to a stage.
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }

    /// Time of a stage, s.
    pub fn seconds(&self, stage: Stage) -> f64 {
        self.0[stage as usize].as_secs_f64()
    }

    /// Sum over all stages, s.
    pub fn total(&self) -> f64 {
        self.0.iter().map(Duration::as_secs_f64).sum()
    }

    /// Adds all stages of another step.
    pub fn merge(&mut self, other: &StageTimes) {
        for stage in Stage::ALL {
            self.0[stage as usize] += other.0[stage as usize];
        }
    }
}

/// Results of one step.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Steps taken, this one included.
    pub step: u64,
    /// Time at its end, s.
    pub time: f64,
    /// Energies.
    pub energies: Energies,
    /// Momentum.
    pub momentum: Momentum,
    /// Total reaction force of each drive, N: what a prescribed motion exerts on the body, or the load itself.
    pub reactions: Vec<Vec3>,
    /// Joints, then joints of chains: forces, tensions, pressures; named by [`crate::model::Model::joint_columns`].
    pub joints: Vec<JointReading>,
    /// Largest von Mises stress, Pa, and its element.
    pub max_von_mises: (f64, u32),
    /// Elements with det F ≤ 0.
    pub inverted_elements: usize,
    /// The last linear solve.
    pub solve: SolveReport,
    /// Linear solver iterations over all Newton iterations.
    pub linear_iterations: usize,
    /// Newton iterations; 1 for a linearised step.
    pub newton_iterations: u32,
    /// Newton residual relative to the largest force.
    pub newton_residual: f64,
    /// Unknown numbers solved for.
    pub active_dofs: usize,
    /// Contacts that pushed.
    pub contacts: usize,
    /// Depth of the deepest contact at the start of the step, m.
    pub max_penetration: f64,
    /// How far forces and change of momentum of the free bodies differ, as a share of their weight.
    pub force_balance: f64,
    /// Constraints that took part, contacts among them, and how their solver ended.
    pub constraints: usize,
    /// See [`ConstraintReport`].
    pub constraint_solve: ConstraintReport,
    /// The factor that the step used, where it may be older than the step.
    pub factor: FactorReport,
    /// ‖A v − r − Jᵀλ‖ over the larger of ‖r‖ and ‖Jᵀλ‖: what a factor older than the step has left of the equation of motion; 0
    /// for others.
    pub delay_residual: f64,
    /// Nodes that constraints touch, and how many of their columns of the compliance had to be solved.
    pub isolated: Reuse,
    /// Passes between Newton's method and the constraints; 1 for a linearised step with constraints.
    pub constraint_passes: u32,
    /// How often this step was halved.
    pub halvings: u32,
    /// Estimate of the error of positions in a part of this step, as a share of the size of the scene.
    pub step_error: f64,
    /// Regions of the method `subspace`.
    pub subspace: SubspaceReport,
    /// Time per stage; never part of results that must repeat.
    pub times: StageTimes,
}

/// What was full in a step of the method `subspace`, and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubspaceReport {
    /// Full nodes.
    pub full_nodes: usize,
    /// Copies of nodes that fade.
    pub fading_nodes: usize,
    /// Nodes that became full, and that stopped being so.
    pub entered: usize,
    /// See above.
    pub left: usize,
    /// Elements evaluated exactly in every iteration, and by cubature.
    pub exact_elements: usize,
    /// See above.
    pub cubature_elements: usize,
    /// Evaluations of elements in the whole step, for forces or tangents.
    pub evaluations: usize,
}

/// Why a step failed. The state is as before the step.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("step {step} at t = {time:.6} s failed ({}): {failure}", stage.name())]
pub struct StepError {
    /// The step that failed, counted from 1.
    pub step: u64,
    /// Time at its start, s.
    pub time: f64,
    /// Where.
    pub stage: Stage,
    /// What.
    pub failure: StepFailure,
}

/// The cause of a failed step.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepFailure {
    /// The linear system could not be solved.
    #[error("{place}: {source}")]
    Solve {
        /// Body and node concerned, as far as known.
        place: String,
        /// The cause.
        source: SolveError,
    },
    /// An element has no usable forces.
    #[error("element {element} of body `{body}` {}", match kind {
        FaultKind::Inverted => "turned inside out, which its material forbids: use a smaller time step, Newton's method or a stable material",
        FaultKind::NonFinite => "has a stress that is not a finite number",
    })]
    Element {
        /// Body name.
        body: String,
        /// Element of the body.
        element: usize,
        /// What is wrong with it.
        kind: FaultKind,
    },
    /// A node has no finite position or velocity.
    #[error("node {node} of body `{body}` has a position or velocity that is not a finite number")]
    NonFinite {
        /// Body name.
        body: String,
        /// Node of the body.
        node: usize,
    },
    /// A node left everything behind within one step.
    #[error(
        "node {node} of body `{body}` moved {distance:.1e} m in one step, a thousand times the size of the scene: \
         use a smaller time step, more iterations or another first guess"
    )]
    Diverged {
        /// Body name.
        body: String,
        /// Node of the body.
        node: usize,
        /// How far it moved, m.
        distance: f64,
    },
    /// Rigid bodies that the integrator cannot carry along.
    #[error(
        "rigid body `{body}` moves freely, which needs the integrator linear-implicit or implicit-euler:          choose one of them, or make the body fixed or kinematic"
    )]
    RigidIntegrator {
        /// Body name.
        body: String,
    },
    /// Newton's method found no decrease.
    #[error(
        "Newton's method stalled after {iterations} iterations at a relative residual of {residual:.2e}"
    )]
    Stalled {
        /// Iterations made.
        iterations: u32,
        /// Residual relative to the largest force.
        residual: f64,
    },
}

impl StepFailure {
    pub(crate) fn element(model: &crate::model::Model, fault: ElementFault) -> StepFailure {
        let element = fault.element as usize;
        let body = model.body_of_element(element);
        StepFailure::Element {
            body: body.map_or_else(String::new, |b| b.name.clone()),
            element: element - body.map_or(0, |b| b.elements.start),
            kind: fault.kind,
        }
    }
}
