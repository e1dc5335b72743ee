//! Skeletons: joints, motion, training poses.

use super::asset::Files;
use super::pose::{Turns, key_poses, pose};
use super::rig_file::{self, Named};
use super::{direction, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    BodyTable, JointTable, MeshTable, PlaceTable, PoseTable, RigTable, TrainingTable,
};
use crate::suggest::did_you_mean;
use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::rig::{
    Joint, KeyedPose, Pose, Quaternion, RigError, Skeleton, SkeletonMotion, WeightOptions,
};
use pliant_mesh::{CreatureKind, Mesh};
use pliant_solid::rig::{NamedPose, Rig};

/// Most training poses of a body.
const POSE_LIMIT: usize = 10_000;

/// The rig of a body, whose mesh has been placed.
pub fn rig(
    table: &RigTable,
    body: &BodyTable,
    mesh: &Mesh,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Rig, Problem> {
    let owner = format!("the skeleton of body `{}`", body.name);
    if body.rigid.is_some() {
        return Err(Problem::new(at.clone(), "a rigid body has no skeleton").help("remove `rig`"));
    }
    let skeleton = skeleton(table, &body.mesh, &owner, at, files)?;
    let place = Place::of(body.place.as_ref(), &at.key("place"))?;
    let motion = motion(table, &skeleton, &owner, at, files)?;
    let training = training(table, &skeleton, &motion, &owner, at, files)?;

    let refuse = |e: RigError| problem(&e, at);
    let placed = skeleton
        .placed(
            place.scale,
            &place.rotation.matrix(),
            place.centre,
            place.shift,
        )
        .map_err(refuse)?;
    let keys = motion.keys().iter().map(|key| KeyedPose {
        time: key.time,
        pose: place.pose(&key.pose),
    });
    let motion =
        SkeletonMotion::new(&placed, keys.collect(), table.smooth, table.repeat).map_err(refuse)?;
    let training = training
        .into_iter()
        .map(|NamedPose { name, pose }| NamedPose {
            name,
            pose: place.pose(&pose),
        });
    let defaults = WeightOptions::default();
    let options = WeightOptions {
        conductance: table.conductance.map_or(defaults.conductance, |c| c.si),
        most: table.bones_per_node.unwrap_or(defaults.most),
        ..defaults
    };
    Rig::new(mesh, placed, &options, motion, training.collect()).map_err(refuse)
}

/// The place of an error in the table.
fn problem(error: &RigError, at: &KeyPath) -> Problem {
    let at = match error {
        RigError::BadConductance(_) => at.key("conductance"),
        RigError::NoWeights => at.key("bones_per_node"),
        RigError::BadKeys { key } => at.key("keys").index(*key).key("time"),
        RigError::ZeroLength { joint, .. }
        | RigError::Circle { joint, .. }
        | RigError::NonFinite { joint, .. } => at.key("joint").index(*joint),
        _ => at.clone(),
    };
    Problem::new(at, error.to_string())
}

/// How a body is placed.
struct Place {
    scale: Vec3,
    rotation: Quaternion,
    centre: Vec3,
    shift: Vec3,
}

impl Place {
    fn of(table: Option<&PlaceTable>, at: &KeyPath) -> Result<Place, Problem> {
        let mut place = Place {
            scale: Vec3::new(1.0, 1.0, 1.0),
            rotation: Quaternion::IDENTITY,
            centre: Vec3::ZERO,
            shift: Vec3::ZERO,
        };
        let Some(table) = table else {
            return Ok(place);
        };
        if let Some(scale) = table.scale {
            place.scale = vector(scale);
        }
        if let Some(rotate) = &table.rotate {
            let axis = direction(rotate.axis, &at.key("rotate").key("axis"))?;
            place.rotation = Quaternion::turn(axis, rotate.angle.si);
            place.centre = rotate.centre.map_or(Vec3::ZERO, vector);
        }
        if let Some(translate) = table.translate {
            place.shift = vector(translate);
        }
        Ok(place)
    }

    /// A pose in the axes of the placed body; shifts scale with it.
    fn pose(&self, pose: &Pose) -> Pose {
        let turned = |q: Quaternion| {
            if q.v == Vec3::ZERO {
                return q;
            }
            self.rotation * q * self.rotation.conjugate()
        };
        let matrix: Mat3 = self.rotation.matrix();
        Pose {
            root_rotation: turned(pose.root_rotation),
            root_shift: matrix * pose.root_shift.scale(self.scale),
            rotations: pose.rotations.iter().map(|&q| turned(q)).collect(),
        }
    }
}

/// The skeleton of a table: of its file, its joints, or the figure that the body is.
fn skeleton(
    table: &RigTable,
    mesh: &MeshTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Skeleton, Problem> {
    let own = figure_of(mesh);
    if let Some(file) = &table.skeleton {
        let at = at.key("skeleton");
        let named = Named {
            asset: file.asset.as_deref(),
            file: file.file.as_deref(),
        };
        let spare = !table.joint.is_empty() || own.is_some();
        if let Some(found) = rig_file::find(&named, spare, owner, &at, files)? {
            let skeleton = found.skeleton()?;
            let metres = file.unit.metres();
            let scale = Vec3::new(metres, metres, metres);
            return skeleton
                .placed(scale, &Mat3::IDENTITY, Vec3::ZERO, Vec3::ZERO)
                .map_err(|e| Problem::new(at, e.to_string()));
        }
    }
    if !table.joint.is_empty() {
        return joints(&table.joint, &at.key("joint"));
    }
    match own {
        Some(kind) => match kind.figure() {
            Ok(figure) => Ok(figure.skeleton),
            Err(e) => Err(problem(&e, at)),
        },
        None => Err(
            Problem::new(at.clone(), "the skeleton has no joints").help(
                "add [[body.rig.joint]] tables with name, at and parent, or skeleton = { file = \"…\" }; \
                 only the shapes hand, humanoid and giant have a skeleton of their own",
            ),
        ),
    }
}

/// The figure that a body is, or that stands in for it.
fn figure_of(mesh: &MeshTable) -> Option<CreatureKind> {
    match mesh {
        MeshTable::Hand(_) => Some(CreatureKind::Hand),
        MeshTable::Humanoid(_) => Some(CreatureKind::Humanoid),
        MeshTable::Giant(_) => Some(CreatureKind::Giant),
        MeshTable::Asset(asset) => figure_of(asset.otherwise.as_deref()?),
        _ => None,
    }
}

fn joints(tables: &[JointTable], at: &KeyPath) -> Result<Skeleton, Problem> {
    let names: Vec<&str> = tables.iter().map(|j| j.name.as_str()).collect();
    let mut joints = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let parent = match &table.parent {
            None => None,
            Some(parent) => Some(names.iter().position(|n| n == parent).ok_or_else(|| {
                let at = at.index(index).key("parent");
                Problem::new(at, format!("there is no joint `{parent}`"))
                    .help(did_you_mean(parent, &names))
            })?),
        };
        if let Some(first) = names[..index].iter().position(|n| *n == table.name) {
            let message = format!("joint {} is called `{}` already", first + 1, table.name);
            return Err(Problem::new(at.index(index).key("name"), message)
                .help("give each joint a name of its own"));
        }
        joints.push(Joint {
            name: table.name.clone(),
            position: vector(table.at),
            parent,
        });
    }
    Skeleton::new(joints).map_err(|e| match &e {
        RigError::ZeroLength { joint, .. } | RigError::Circle { joint, .. } => {
            Problem::new(at.index(*joint), e.to_string())
        }
        _ => Problem::new(at.clone(), e.to_string()),
    })
}

/// The motion of a table, before the body is placed.
fn motion(
    table: &RigTable,
    skeleton: &Skeleton,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<SkeletonMotion, Problem> {
    let mut keys = None;
    if let Some(frames) = &table.frames {
        let at = at.key("frames");
        let named = Named {
            asset: frames.asset.as_deref(),
            file: frames.file.as_deref(),
        };
        if frames.rate.si <= 0.0 {
            let message = format!("the rate must be positive, not {}", frames.rate.si);
            return Err(Problem::new(at.key("rate"), message));
        }
        if let Some(found) = rig_file::find(&named, !table.keys.is_empty(), owner, &at, files)? {
            let poses = found.poses(skeleton)?;
            let from = frames.from.map_or(0.0, |t| t.si);
            let mut list: Vec<KeyedPose> = Vec::new();
            if from > 0.0 {
                let pose = Pose::rest(skeleton);
                list.push(KeyedPose { time: 0.0, pose });
            }
            // a cycle ends with the frame that it began with
            let again = poses.first().cloned().filter(|_| table.repeat);
            for (index, pose) in poses.into_iter().chain(again).enumerate() {
                let time = from + index as f64 / frames.rate.si;
                list.push(KeyedPose { time, pose });
            }
            keys = Some(list);
        }
    }
    let keys = match keys {
        Some(keys) => keys,
        None if table.keys.is_empty() => return Ok(SkeletonMotion::at_rest(skeleton)),
        None => key_poses(&table.keys, skeleton, table.smooth, &at.key("keys"))?,
    };
    SkeletonMotion::new(skeleton, keys, table.smooth, table.repeat).map_err(|e| problem(&e, at))
}

/// The training poses of a table, before the body is placed.
fn training(
    table: &RigTable,
    skeleton: &Skeleton,
    motion: &SkeletonMotion,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Vec<NamedPose>, Problem> {
    let mut poses = Vec::new();
    for (index, table) in table.training.iter().enumerate() {
        let at = at.key("training").index(index);
        let given = [
            table.pose.is_some(),
            table.sweep.is_some(),
            table.frames.is_some(),
            table.samples.is_some(),
        ];
        if given.iter().filter(|&&g| g).count() != 1 {
            let message = "training needs exactly one of `pose`, `sweep`, `frames`, `samples`";
            return Err(Problem::new(at, message));
        }
        lesson(
            table, index, skeleton, motion, owner, &at, files, &mut poses,
        )?;
        if poses.len() > POSE_LIMIT {
            let message = format!("these are more than {POSE_LIMIT} training poses");
            return Err(Problem::new(at, message));
        }
    }
    Ok(poses)
}

/// Adds the poses of one table.
#[allow(clippy::too_many_arguments)]
fn lesson(
    table: &TrainingTable,
    index: usize,
    skeleton: &Skeleton,
    motion: &SkeletonMotion,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
    poses: &mut Vec<NamedPose>,
) -> Result<(), Problem> {
    let mut add = |name: String, pose: Pose| poses.push(NamedPose { name, pose });
    if let Some(table) = &table.pose {
        let PoseTable { turn, root, shift } = table;
        let turns = Turns { turn, root, shift };
        let pose = pose(&turns, skeleton, &at.key("pose"))?;
        add(format!("pose {}", index + 1), pose);
    } else if let Some(sweep) = &table.sweep {
        let at = at.key("sweep");
        let axis = direction(sweep.axis, &at.key("axis"))?;
        let bones: Vec<usize> = match &sweep.bones {
            None => (0..skeleton.bone_count()).collect(),
            Some(names) => {
                let find = |(index, name): (usize, &String)| {
                    super::pose::bone(name, skeleton, &at.key("bones").index(index))
                };
                names
                    .iter()
                    .enumerate()
                    .map(find)
                    .collect::<Result<_, _>>()?
            }
        };
        for bone in bones {
            for angle in &sweep.angles {
                let mut pose = Pose::rest(skeleton);
                pose.rotations[bone] = Quaternion::turn(axis, angle.si);
                let degrees = angle.si.to_degrees();
                add(format!("{} {degrees:.0}°", skeleton.bone_name(bone)), pose);
            }
        }
    } else if let Some(frames) = &table.frames {
        let at = at.key("frames");
        let named = Named {
            asset: frames.asset.as_deref(),
            file: frames.file.as_deref(),
        };
        let every = frames.every.unwrap_or(1);
        if every == 0 {
            return Err(Problem::new(
                at.key("every"),
                "every must be at least 1, not 0",
            ));
        }
        if let Some(found) = rig_file::find(&named, true, owner, &at, files)? {
            for (frame, pose) in found.poses(skeleton)?.into_iter().enumerate() {
                if frame % every == 0 {
                    add(format!("frame {frame}"), pose);
                }
            }
        }
    } else if let Some(samples) = &table.samples {
        let at = at.key("samples");
        let from = samples.from.map_or(0.0, |t| t.si);
        let last = motion.keys().last().map_or(0.0, |key| key.time);
        let until = samples.until.map_or(last, |t| t.si);
        if samples.count == 0 || samples.count > POSE_LIMIT {
            let message = format!(
                "count must be from 1 to {POSE_LIMIT}, not {}",
                samples.count
            );
            return Err(Problem::new(at.key("count"), message));
        }
        if until < from {
            let message = format!("the samples end at {until} s, before they begin at {from} s");
            return Err(Problem::new(at.key("until"), message));
        }
        for sample in 0..samples.count {
            let share = sample as f64 / (samples.count.max(2) - 1) as f64;
            let time = from + (until - from) * share;
            add(format!("{time:.3} s"), motion.at(time));
        }
    }
    Ok(())
}
