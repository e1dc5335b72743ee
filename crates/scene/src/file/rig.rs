//! `[body.rig]`: a skeleton that moves a body, its motion, and poses to learn from.

use crate::file::Vector;
use crate::file::body::LengthUnit;
use crate::units::{Angle, Frequency, Length, Number, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A skeleton in the coordinates of the shape, before `place` puts both where they belong. The bones hold the nodes beside them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RigTable {
    /// A file with the skeleton; default the joints below, or the skeleton that a generated figure has.
    pub skeleton: Option<SkeletonFileTable>,
    /// The joints; each with a parent ends a bone of the same name. Used where the file of `skeleton` is absent, too.
    #[serde(default)]
    pub joint: Vec<JointTable>,
    /// How sharply nodes belong to the nearest bone; default 20.
    pub conductance: Option<Number>,
    /// Most bones to which a node belongs; default 4.
    pub bones_per_node: Option<usize>,
    /// Poses in time; constant before the first and after the last. Default none: the skeleton stays at rest.
    #[serde(default)]
    pub keys: Vec<PoseKeyTable>,
    /// A file with poses, a frame after the other, in place of `keys`; those are used where the file is absent.
    pub frames: Option<FramesTable>,
    /// Turns that begin and end slowly at every key instead of constant speed; default false.
    #[serde(default)]
    pub smooth: bool,
    /// After the last key the motion starts anew; default false.
    #[serde(default)]
    pub repeat: bool,
    /// Poses from which methods learn how the body deforms; those that do not learn ignore them.
    #[serde(default)]
    pub training: Vec<TrainingTable>,
}

/// A file with a skeleton: lines of `index x y z parent`, TGF, or JSON with `joints`. Give `asset` or `file`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkeletonFileTable {
    /// Path within the folder of assets.
    pub asset: Option<String>,
    /// Path, relative to the folder of the scene file.
    pub file: Option<String>,
    /// Unit of the coordinates; default "m".
    #[serde(default)]
    pub unit: LengthUnit,
}

/// A joint.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointTable {
    /// Name, unlike that of any other joint; the bone that ends here has the same.
    pub name: String,
    /// Place at rest, m.
    pub at: Vector<Length>,
    /// Name of the joint that carries it; default none, a root.
    pub parent: Option<String>,
}

/// A rotation: `axis` and `angle`, or `quaternion`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotationTable {
    /// Direction of the axis in the rest pose, of any length but zero.
    pub axis: Option<Vector<Number>>,
    /// Angle, rad, right-handed. Between keys with the same axis it may change by more than a half turn.
    pub angle: Option<Angle>,
    /// [w, x, y, z], of any length but zero.
    pub quaternion: Option<[Number; 4]>,
}

/// A pose: bones that are not named are as at rest.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseTable {
    /// Rotation of bones about the joints at which they start, relative to the bones that carry them, by name.
    #[serde(default)]
    pub turn: BTreeMap<String, RotationTable>,
    /// Rotation of the whole skeleton about its root.
    pub root: Option<RotationTable>,
    /// Shift of the whole skeleton, m; default 0.
    pub shift: Option<Vector<Length>>,
}

/// A pose and when it is taken.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseKeyTable {
    /// Time, s; later than that of the key before.
    pub time: Time,
    /// Rotation of bones about the joints at which they start, relative to the bones that carry them, by name; those that are not
    /// named are as at rest.
    #[serde(default)]
    pub turn: BTreeMap<String, RotationTable>,
    /// Rotation of the whole skeleton about its root.
    pub root: Option<RotationTable>,
    /// Shift of the whole skeleton, m; default 0.
    pub shift: Option<Vector<Length>>,
}

/// A JSON file with `frames`: for each frame the quaternions [w, x, y, z] of all bones in order. Give `asset` or `file`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FramesTable {
    /// Path within the folder of assets.
    pub asset: Option<String>,
    /// Path, relative to the folder of the scene file.
    pub file: Option<String>,
    /// Frames a second, 1/s.
    pub rate: Frequency,
    /// Time of the first frame, s; the skeleton goes there from rest. Default 0.
    pub from: Option<Time>,
}

/// Poses to learn from: `pose`, `sweep`, `frames` or `samples`, exactly one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainingTable {
    /// One pose.
    pub pose: Option<PoseTable>,
    /// Bones turned one at a time.
    pub sweep: Option<SweepTable>,
    /// The frames of a file; nothing where it is absent.
    pub frames: Option<TrainingFramesTable>,
    /// Poses of the motion itself.
    pub samples: Option<SamplesTable>,
}

/// Each bone alone at each angle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepTable {
    /// Names of the bones; default all.
    pub bones: Option<Vec<String>>,
    /// Direction of the axis, of any length but zero.
    pub axis: Vector<Number>,
    /// The angles, rad.
    pub angles: Vec<Angle>,
}

/// Frames of a JSON file, see `frames` of the rig.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainingFramesTable {
    /// Path within the folder of assets.
    pub asset: Option<String>,
    /// Path, relative to the folder of the scene file.
    pub file: Option<String>,
    /// Every how many frames one is taken; default 1.
    pub every: Option<usize>,
}

/// Poses at equal times.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SamplesTable {
    /// How many.
    pub count: usize,
    /// Time of the first, s; default 0.
    pub from: Option<Time>,
    /// Time of the last, s; default that of the last key.
    pub until: Option<Time>,
}
