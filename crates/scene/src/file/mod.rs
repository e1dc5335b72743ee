//! The types a scene file is read into. Their documentation becomes the descriptions in the JSON Schema.
//!
//! All coordinates are those of the world, after `place` has moved a body.

mod asset;
mod body;
mod contact;
mod cut;
mod drive;
mod dynamic;
mod joint;
mod material;
mod obstacle;
mod profile;
mod region;
mod rig;
mod rigid;
mod select;
mod shape;
mod solver;
mod training;

pub use asset::{AssetTable, BlobTable, CreatureTable};
pub use body::{
    BallTable, BandTable, BarTable, BodyTable, CapsuleTable, CylinderTable, ElementName,
    ExtrudeTable, FileTable, LatheTable, LengthUnit, MeshTable, PlaceTable, RectangleTable,
    RingTable, RotateTable, TorusTable, TriangleSplitName, TubeTable,
};
pub use contact::{
    CandidatesName, ConeName, ConstraintSolverName, ContactResponseName, ContactTable,
    DetectionName, PenaltyFrictionName,
};
pub use cut::CutTable;
pub use drive::{
    Axes, DriveTable, FixTable, FixValue, ForceTable, MoveTable, SpringTable, TractionTable,
    TurnTable, TwistTable,
};
pub use dynamic::{DynamicTable, RegionsValue};
pub use joint::{
    AttachTable, BoundName, CableTable, CavityTable, DistanceTable, HingeTable, PointTable,
    SlideTable,
};
pub use material::{
    ActiveTable, FibreDirection, FibreKindName, FibreTable, HelicalTable, MaterialModelName,
    MaterialTable, RadialTable,
};
pub use obstacle::{
    BumpsTable, ObstacleBoxTable, ObstacleHalfSpaceTable, ObstacleHeightFieldTable,
    ObstacleMoveTable, ObstaclePipeTable, ObstacleRodTable, ObstacleSphereTable, ObstacleSpinTable,
    ObstacleTable, ObstacleTorusTable, ObstacleTurnTable,
};
pub use profile::{KeysOrSine, ProfileValue, SineTable};
pub use region::{AxisName, LayersTable, RegionTable, WhereTable};
pub use rig::{
    FramesTable, JointTable, PoseKeyTable, PoseTable, RigTable, RotationTable, SamplesTable,
    SkeletonFileTable, SweepTable, TrainingFramesTable, TrainingTable,
};
pub use rigid::{ChainTable, LinkTable, RigidMoveTable, RigidName, RigidTable, RigidValue};
pub use select::{
    BoxTable, CoordinateTable, HalfSpaceTable, PlaneTable, SelectTable, Side, SphereTable,
};
pub(crate) use shape::misfit;
pub use solver::{
    ActivationName, BlendTable, ConjacTable, EarlyCgPreconditionerName, EarlyCgTable, GuessName,
    GuessValue, IntegratorName, IsodofTable, LinearName, PreconditionerName, ProductName,
    RigidifyTable, SolverTable, SubspaceLinearName, SubspaceTable, UnknownName, VariantName,
};
pub use training::{CubatureMethodName, CubatureTable, TrainRunTable, TrainTable};

use crate::units::{Acceleration, Frequency, Number, Time};
use schemars::JsonSchema;
use serde::Deserialize;

/// Three lengths, velocities, … along x, y and z.
pub type Vector<Q> = [Q; 3];

/// A Pliant scene: soft and rigid bodies, what acts on them, and how they are stepped.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneTable {
    /// Title for reports and the viewer.
    pub title: String,
    /// One line that says what the scene shows.
    #[serde(default)]
    pub description: String,
    /// Gravitational acceleration, m/s²; default [0, 0, -9.81].
    #[serde(default = "earth")]
    pub gravity: Vector<Acceleration>,
    /// Time step and duration.
    pub time: TimeTable,
    /// How steps are computed.
    #[serde(default)]
    pub solver: SolverTable,
    /// What `pliant train` learns from for the method "subspace".
    #[serde(default)]
    pub training: TrainTable,
    /// What the recording holds.
    #[serde(default)]
    pub record: RecordTable,
    /// The bodies; at least one.
    #[serde(default)]
    pub body: Vec<BodyTable>,
    /// Chains of rigid bodies that turn about each other.
    #[serde(default)]
    pub chain: Vec<ChainTable>,
    /// What acts on the bodies besides gravity.
    #[serde(default)]
    pub drive: Vec<DriveTable>,
    /// Planes along which bodies come apart.
    #[serde(default)]
    pub cut: Vec<CutTable>,
    /// How bodies touch; default obstacles only.
    pub contact: Option<ContactTable>,
    /// What every body may touch.
    #[serde(default)]
    pub obstacle: Vec<ObstacleTable>,
    /// Nodes tied to other bodies or to the world.
    #[serde(default)]
    pub attach: Vec<AttachTable>,
    /// Rods, ropes and spacers.
    #[serde(default)]
    pub distance: Vec<DistanceTable>,
    /// Points that slide along curves.
    #[serde(default)]
    pub slide: Vec<SlideTable>,
    /// Rigid bodies that turn about axes.
    #[serde(default)]
    pub hinge: Vec<HingeTable>,
    /// Cables through points.
    #[serde(default)]
    pub cable: Vec<CableTable>,
    /// Fluid in hollow bodies.
    #[serde(default)]
    pub cavity: Vec<CavityTable>,
}

fn earth() -> Vector<Acceleration> {
    [0.0, 0.0, -9.81].map(Acceleration::constant)
}

/// Time step and duration.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeTable {
    /// Time step, s; default 5 ms, and 1/150 s for the method "early-cg".
    pub step: Option<Time>,
    /// Largest error of a step, as a share of the size of the scene: steps with more are halved, up to `solver.max_halvings` times; by
    /// default steps are as long as `step` says.
    pub tolerance: Option<Number>,
    /// Simulated time, s.
    pub duration: Time,
}

/// What the recording holds.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordTable {
    /// Time between frames, s, rounded to whole steps; default 1/60 s. Give this or `fps`.
    pub every: Option<Time>,
    /// Frames per simulated second, 1/s. Give this or `every`.
    pub fps: Option<Frequency>,
    /// Record von Mises stress of every element; default true.
    pub stress: Option<bool>,
    /// Record node velocities; default false.
    pub velocities: Option<bool>,
}
