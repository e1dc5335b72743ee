//! `[training]`: what `pliant train` learns from, and how much of it is kept.

use crate::file::{DriveTable, IntegratorName, LinearName, Vector};
use crate::units::{Acceleration, Number, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the spaces of the method "subspace" are learnt. A body with a rig is trained in the poses that its rig lists, one without in runs
/// of the scene.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainTable {
    /// Name of the body; may be left out when there is one soft body, or one with a rig.
    pub body: Option<String>,
    /// Share of the snapshots' variance that the modes of a domain hold; default 0.99998. Give this or `rank`.
    pub variance: Option<Number>,
    /// Most modes of a domain. Give this or `variance`.
    pub rank: Option<usize>,
    /// Append modes for translations and small rotations; default false.
    pub rigid_modes: Option<bool>,
    /// Which elements stand for all.
    #[serde(default)]
    pub cubature: CubatureTable,
    /// Of the random choices; default 1.
    pub seed: Option<u64>,
    /// Integrator of the runs and poses; default "quasi-static".
    pub integrator: Option<IntegratorName>,
    /// Linear solver of the runs and poses; default "direct". "pcg" has the settings of `[solver]`.
    #[serde(default)]
    pub linear: LinearName,
    /// Relative residual at which Newton's iteration stops in runs and poses; default 1e-5. A state that misses it a hundredfold
    /// is refused.
    pub newton_tolerance: Option<Number>,
    /// Steps from rest to a pose of a rig, where its equilibrium is not found from the skinned shape at once; default 10.
    pub pose_steps: Option<u64>,
    /// Runs of the scene to learn from, besides the training poses of a rig; default, where there are no such poses, one of the scene as it is but without contact, with 20
    /// snapshots.
    #[serde(default)]
    pub run: Vec<TrainRunTable>,
}

/// Elements and weights that stand for the forces of all elements of a domain.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubatureTable {
    /// How elements are searched; default "nn-htp".
    #[serde(default)]
    pub method: CubatureMethodName,
    /// Most elements of a domain; default 1000.
    pub points: Option<usize>,
    /// Relative error of the forces in training at which fewer elements suffice; default 0.04.
    pub tolerance: Option<Number>,
    /// Most iterations of "nn-htp"; default 100.
    pub iterations: Option<usize>,
    /// Most states at which forces are compared; default 200.
    pub samples: Option<usize>,
    /// Random states around each snapshot besides itself; default 1.
    pub perturbations: Option<usize>,
    /// How far those are from it, as a share of what the snapshots have of each mode; default 0.3.
    pub deviation: Option<Number>,
}

/// Searches for cubature.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum CubatureMethodName {
    /// Non-negative hard thresholding pursuit.
    #[default]
    NnHtp,
    /// One element after the other.
    Greedy,
}

/// A run of the scene to learn from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainRunTable {
    /// Name for reports; default "run N".
    pub name: Option<String>,
    /// Gravitational acceleration in this run, m/s²; default the scene's.
    pub gravity: Option<Vector<Acceleration>>,
    /// Names of the scene's drives that do not act in this run; default none.
    #[serde(default)]
    pub without: Vec<String>,
    /// Drives that act in this run only.
    #[serde(default)]
    pub drive: Vec<DriveTable>,
    /// Simulated time, s; default the scene's.
    pub duration: Option<Time>,
    /// Time step, s; default the scene's.
    pub step: Option<Time>,
    /// How many states of the run are learnt, evenly spaced up to its end; default 1.
    pub snapshots: Option<usize>,
    /// Whether the bodies touch obstacles and each other as in the scene; default false.
    pub contact: Option<bool>,
}
