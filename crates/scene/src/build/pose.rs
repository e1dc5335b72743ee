//! Poses of skeletons as scenes write them.

use super::{direction, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{PoseKeyTable, RotationTable, Vector};
use crate::suggest::did_you_mean;
use crate::units::Length;
use pliant_linalg::Vec3;
use pliant_mesh::rig::{KeyedPose, Pose, Quaternion, Skeleton};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// What a pose table says.
pub struct Turns<'t> {
    pub turn: &'t BTreeMap<String, RotationTable>,
    pub root: &'t Option<RotationTable>,
    pub shift: &'t Option<Vector<Length>>,
}

/// A rotation that remembers how many turns it is: axis and angle, or a quaternion without.
#[derive(Clone, Copy)]
enum Rotation {
    Turn(Vec3, f64),
    Quaternion(Quaternion),
}

impl Rotation {
    const NONE: Rotation = Rotation::Quaternion(Quaternion::IDENTITY);

    fn quaternion(self) -> Quaternion {
        match self {
            Rotation::Turn(axis, angle) => Quaternion::turn(axis, angle),
            Rotation::Quaternion(quaternion) => quaternion,
        }
    }

    fn is_none(self) -> bool {
        matches!(self, Rotation::Quaternion(q) if q == Quaternion::IDENTITY)
    }

    /// Axis and both angles if both turn about one axis.
    fn common(self, other: Rotation) -> Option<(Vec3, f64, f64)> {
        match (self, other) {
            (Rotation::Turn(a, from), Rotation::Turn(b, to)) => {
                let along = a.dot(b);
                ((a.cross(b)).norm() < 1e-9).then_some((a, from, to * along.signum()))
            }
            (Rotation::Turn(axis, from), none) if none.is_none() => Some((axis, from, 0.0)),
            (none, Rotation::Turn(axis, to)) if none.is_none() => Some((axis, 0.0, to)),
            _ => None,
        }
    }
}

/// The bone of a name.
pub fn bone(name: &str, skeleton: &Skeleton, at: &KeyPath) -> Result<usize, Problem> {
    skeleton.bone_named(name).ok_or_else(|| {
        let known: Vec<&str> = (0..skeleton.bone_count())
            .map(|bone| skeleton.bone_name(bone))
            .collect();
        let root = skeleton.joints().iter().any(|joint| joint.name == name);
        let message = if root {
            format!("no bone ends at `{name}`, which is a root: turn it by `root`")
        } else {
            format!("there is no bone `{name}`")
        };
        Problem::new(at.clone(), message).help(did_you_mean(name, &known))
    })
}

fn rotation(table: &RotationTable, at: &KeyPath) -> Result<Rotation, Problem> {
    match (&table.axis, table.angle, table.quaternion) {
        (Some(axis), Some(angle), None) => {
            Ok(Rotation::Turn(direction(*axis, &at.key("axis"))?, angle.si))
        }
        (None, None, Some(numbers)) => {
            let [w, x, y, z] = numbers.map(|n| n.si);
            let quaternion = Quaternion::new(w, x, y, z).normalized();
            let quaternion = quaternion.ok_or_else(|| {
                let message = "this quaternion is no rotation: its length is zero";
                Problem::new(at.key("quaternion"), message)
            })?;
            Ok(Rotation::Quaternion(quaternion))
        }
        _ => Err(Problem::new(
            at.clone(),
            "a rotation is `axis` and `angle`, or `quaternion`",
        )
        .help("write { axis = [1, 0, 0], angle = \"30 deg\" }")),
    }
}

/// The rotations of a table: those of the bones, then that of the root.
fn rotations(
    turns: &Turns,
    skeleton: &Skeleton,
    at: &KeyPath,
) -> Result<(Vec<Rotation>, Vec3), Problem> {
    let mut list = vec![Rotation::NONE; skeleton.bone_count() + 1];
    for (name, table) in turns.turn {
        let at = at.key("turn").key(name);
        list[bone(name, skeleton, &at)?] = rotation(table, &at)?;
    }
    if let Some(table) = turns.root {
        list[skeleton.bone_count()] = rotation(table, &at.key("root"))?;
    }
    Ok((list, turns.shift.map_or(Vec3::ZERO, vector)))
}

fn assembled(list: &[Rotation], shift: Vec3) -> Pose {
    let mut rotations: Vec<Quaternion> = list.iter().map(|r| r.quaternion()).collect();
    let root = rotations.pop().unwrap_or(Quaternion::IDENTITY);
    Pose {
        root_rotation: root,
        root_shift: shift,
        rotations,
    }
}

/// The pose of a table.
pub fn pose(turns: &Turns, skeleton: &Skeleton, at: &KeyPath) -> Result<Pose, Problem> {
    let (list, shift) = rotations(turns, skeleton, at)?;
    Ok(assembled(&list, shift))
}

/// The keys of a motion. Turns about one axis by more than a third of a circle get keys in between, since keys go the shortest way.
pub fn key_poses(
    tables: &[PoseKeyTable],
    skeleton: &Skeleton,
    smooth: bool,
    at: &KeyPath,
) -> Result<Vec<KeyedPose>, Problem> {
    let mut keys: Vec<KeyedPose> = Vec::new();
    let mut before: Option<(f64, Vec<Rotation>, Vec3)> = None;
    for (index, table) in tables.iter().enumerate() {
        let at = at.index(index);
        let turns = Turns {
            turn: &table.turn,
            root: &table.root,
            shift: &table.shift,
        };
        let (list, shift) = rotations(&turns, skeleton, &at)?;
        let time = table.time.si;
        if let Some((earlier, from, start)) = &before {
            if time <= *earlier {
                let message =
                    format!("this key is at {time} s, not after the one before at {earlier} s");
                return Err(Problem::new(at.key("time"), message)
                    .help("write keys in the order of their times"));
            }
            let angles = from.iter().zip(&list).filter_map(|(a, b)| a.common(*b));
            let widest = angles.map(|(_, a, b)| (b - a).abs()).fold(0.0, f64::max);
            if smooth && widest >= PI {
                let message = format!(
                    "from the key before a bone turns by {:.0}°: with `smooth` the shortest way is less than a half turn",
                    widest.to_degrees()
                );
                return Err(Problem::new(at, message).help("add a key between the two"));
            }
            let parts = if smooth {
                1
            } else {
                (widest / (PI / 1.5)).ceil().max(1.0) as usize
            };
            let ends = (assembled(from, *start), assembled(&list, shift));
            for part in 1..parts {
                let s = part as f64 / parts as f64;
                let mut pose = ends.0.between(&ends.1, s);
                for (bone, (a, b)) in from.iter().zip(&list).enumerate() {
                    let Some((axis, from, to)) = a.common(*b) else {
                        continue;
                    };
                    let turned = Quaternion::turn(axis, from + (to - from) * s);
                    match pose.rotations.get_mut(bone) {
                        Some(rotation) => *rotation = turned,
                        None => pose.root_rotation = turned,
                    }
                }
                let time = earlier + (time - earlier) * s;
                keys.push(KeyedPose { time, pose });
            }
        }
        keys.push(KeyedPose {
            time,
            pose: assembled(&list, shift),
        });
        before = Some((time, list, shift));
    }
    Ok(keys)
}
