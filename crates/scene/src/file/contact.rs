//! `[contact]`: how bodies touch.

use crate::units::{Length, Number, Time, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

/// How bodies touch each other and obstacles. Without this table they touch obstacles only.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactTable {
    /// Whether bodies touch each other; default true.
    pub bodies: Option<bool>,
    /// Whether bodies touch themselves too; default false.
    pub itself: Option<bool>,
    /// How contacts act: impulses that obey the laws of contact, or stiff springs; default "constraint".
    pub model: Option<ContactResponseName>,
    /// How contacts between bodies are found: closest features of their surfaces, or nodes inside the other; default "proximity", with penalties "inside".
    pub detection: Option<DetectionName>,
    /// Distance from which on things count as touching, m; default 0.3 of the smallest mean edge of a surface.
    pub alarm: Option<Length>,
    /// Coulomb's coefficient between bodies, and of obstacles without one of their own; default 0.5.
    pub friction: Option<Number>,
    /// Penalty: stiffness as a multiple of the elastic stiffness of the node; default 1.
    pub stiffness: Option<Number>,
    /// Penalty: damping over stiffness, s; default 0.
    pub damping: Option<Time>,
    /// Penalty: share of the stiffness that acts in all directions; default 0.
    pub isotropy: Option<Number>,
    /// Penalty: friction as a damper from the step before, or as a filter of velocities after the solve; default "lagged".
    pub friction_law: Option<PenaltyFrictionName>,
    /// Constraint: limit of friction, Coulomb's cone or each tangent by itself; default "cone".
    pub cone: Option<ConeName>,
    /// Constraint: share of a penetration that a step removes; default 0.2.
    pub correction: Option<Number>,
    /// Constraint: fastest removal of a penetration, m/s; default ten alarm distances a second.
    pub separation_speed: Option<Velocity>,
    /// Constraint: which contacts take part in a solve; default "closing".
    pub candidates: Option<CandidatesName>,
    /// Constraint: compliance of contacts, velocity per impulse, (m/s)/(N s); default 0.
    pub compliance: Option<Number>,
    /// Constraint: slip of contacts that stick per change of their impulse, (m/s)/(N s); default 0.
    pub tangential_compliance: Option<Number>,
    /// Constraint: speed of separation over speed of approach; default 0.
    pub restitution: Option<Number>,
    /// Constraint: solver; default "newton".
    pub solver: Option<ConstraintSolverName>,
    /// Constraint: most iterations of the solver; default 500.
    pub iterations: Option<u32>,
    /// Constraint: relative residual at which the solver stops; default 1e-6.
    pub tolerance: Option<Number>,
}

/// How contacts act.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactResponseName {
    /// Impulses at the end of each step.
    Constraint,
    /// Springs.
    Penalty,
}

/// How contacts between bodies are found.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DetectionName {
    /// Closest features of surfaces.
    Proximity,
    /// Nodes inside other bodies.
    Inside,
}

/// Friction of penalties.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PenaltyFrictionName {
    /// A damper.
    Lagged,
    /// A filter.
    Filter,
}

/// Limit of friction.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConeName {
    /// The same in all directions.
    Cone,
    /// Each tangent by itself.
    Box,
}

/// Solvers of constraints.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConstraintSolverName {
    /// Projected Gauss–Seidel.
    GaussSeidel,
    /// Nonsmooth conjugate gradients around it.
    ConjugateGradients,
    /// Semismooth Newton after it.
    Newton,
}

/// Which contacts take part in a solve.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CandidatesName {
    /// Those that would close, and those that pushed a step ago.
    Closing,
    /// All that are nearer than the alarm distance.
    Near,
}
