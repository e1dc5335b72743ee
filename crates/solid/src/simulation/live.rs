//! What somebody outside changes about a simulation between its steps: loads, motions, tensions and pressures, attachments.
//!
//! Numbers of something that acts already are changed in place and cost nothing; whatever is new makes a new stepper, which goes on
//! from the state as from a checkpoint.

use super::Simulation;
use crate::drive::{Action, Drive};
use crate::joint::{CableControl, CavityControl, Joint, JointKind};
use crate::model::ModelError;
use crate::profile::Profile;
use crate::strategy::StartError;
use thiserror::Error;

/// Why a simulation cannot be changed; it goes on as it was.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LiveError {
    /// The model would not be possible.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The method cannot step it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Something that is not there.
    #[error("there is no {kind} `{name}`: known are {known}")]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        known: String,
    },
}

impl Simulation {
    /// Adds a drive, or puts it in the place of the one that has its name. Returns whether the stepper is a new one, which knows no
    /// forces and contacts of the last step.
    pub fn set_drive(&mut self, drive: Drive) -> Result<bool, LiveError> {
        let mut drives = self.model.split_drives().to_vec();
        let known = drives.iter_mut().find(|d| d.name == drive.name);
        let same = known
            .as_ref()
            .is_some_and(|d| only_numbers_differ(d, &drive));
        match known {
            Some(known) => *known = drive,
            None => drives.push(drive),
        }
        if same {
            self.model.set_drives(drives);
            return Ok(false);
        }
        let mut model = self.model.clone();
        model.set_drives(drives);
        model.check_drives()?;
        let before = std::mem::replace(&mut self.model, model);
        self.renew().inspect_err(|_| self.model = before)?;
        Ok(true)
    }

    /// The drive of this name, naming nodes as if all seams were open.
    pub fn drive(&self, name: &str) -> Result<&Drive, LiveError> {
        let mut drives = self.model.split_drives().iter();
        let found = drives.find(|d| d.name == name);
        found.ok_or_else(|| {
            let names = self.model.drives.iter().map(|d| d.name.as_str());
            unknown("drive", name, names)
        })
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, joint: Joint) -> Result<(), LiveError> {
        let mut joints = self.model.split_joints().to_vec();
        joints.push(joint);
        let model = self.model.clone().with_joints(joints)?;
        let before = std::mem::replace(&mut self.model, model);
        self.renew().inspect_err(|_| self.model = before)?;
        Ok(())
    }

    /// From now on what a cable (length in m or tension in N) or a cavity (relative volume or pressure in Pa) prescribes has this value.
    pub fn set_control(&mut self, name: &str, value: f64) -> Result<(), LiveError> {
        let controlled = |joint: &Joint| {
            matches!(
                joint.kind,
                JointKind::Cable { .. } | JointKind::Cavity { .. }
            )
        };
        let mut joints = self.model.split_joints().to_vec();
        let found = joints.iter_mut().find(|j| j.name == name && controlled(j));
        let Some(joint) = found else {
            let joints = self.model.joints.iter().filter(|j| controlled(j));
            let names = joints.map(|j| j.name.as_str());
            return Err(unknown("cable or cavity", name, names));
        };
        let profile = match &mut joint.kind {
            JointKind::Cable {
                control: CableControl::Length(profile) | CableControl::Tension(profile),
                ..
            }
            | JointKind::Cavity {
                control: CavityControl::Volume(profile) | CavityControl::Pressure(profile),
                ..
            } => profile,
            _ => return Ok(()),
        };
        *profile = Profile::Constant(value);
        self.model.set_joints(joints);
        Ok(())
    }

    /// A new stepper for the present model, with the report of the old one.
    fn renew(&mut self) -> Result<(), StartError> {
        let settings = self.stepper.settings().clone();
        let mut stepper = self.method.stepper(&self.model, settings)?;
        std::mem::swap(stepper.report_mut(), self.stepper.report_mut());
        self.stepper = stepper;
        Ok(())
    }
}

fn unknown<'a>(kind: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> LiveError {
    let names: Vec<String> = names.map(|n| format!("`{n}`")).collect();
    LiveError::Unknown {
        kind,
        name: name.to_string(),
        known: match names.is_empty() {
            true => "none".to_string(),
            false => names.join(", "),
        },
    }
}

/// Whether a drive acts on the same nodes in the same way as another, so that steppers notice nothing.
fn only_numbers_differ(old: &Drive, new: &Drive) -> bool {
    match (&old.action, &new.action) {
        (Action::Force { nodes: old, .. }, Action::Force { nodes: new, .. }) => old == new,
        (Action::Spring { nodes: old, .. }, Action::Spring { nodes: new, .. }) => old == new,
        (
            Action::Prescribe {
                nodes,
                axes,
                motion,
                release: None,
            },
            Action::Prescribe {
                nodes: new_nodes,
                axes: new_axes,
                motion: new_motion,
                release: None,
            },
        ) => {
            // what holds still may be known as such
            nodes == new_nodes && axes == new_axes && !motion.is_rest() && !new_motion.is_rest()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::Motion;
    use crate::joint::Anchor;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::{BodySpecification, Model};
    use crate::settings::Settings;
    use crate::strategy::Method;
    use pliant_linalg::{Vec3, vec3};
    use pliant_mesh::generate::{Split, bar};

    fn simulation() -> Simulation {
        let mesh = bar(vec3(0.2, 0.1, 0.1), [4, 2, 2], Split::Six).unwrap();
        let material =
            MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e4, 0.3, 1000.0);
        let body = BodySpecification::uniform("bar", mesh, material);
        let nodes: Vec<u32> = (0..body.mesh.positions.len() as u32)
            .filter(|&n| body.mesh.positions[n as usize].x == 0.0)
            .collect();
        let wall = Drive {
            name: "wall".into(),
            action: Action::Prescribe {
                nodes,
                axes: [true; 3],
                motion: Motion::default(),
                release: None,
            },
        };
        let model = Model::build(vec![body], vec![wall], Vec3::ZERO).unwrap();
        Simulation::new(model, Settings::default(), Method::Full).unwrap()
    }

    fn force(node: u32, z: f64) -> Drive {
        Drive {
            name: "push".into(),
            action: Action::Force {
                nodes: vec![node],
                force: vec3(0.0, 0.0, z),
                profile: Profile::Constant(1.0),
            },
        }
    }

    #[test]
    fn a_force_that_is_set_later_acts_as_one_that_was_there() {
        let last = simulation().model().node_count() as u32 - 1;
        let mut given = simulation();
        assert!(given.set_drive(force(last, 0.01)).unwrap());
        let mut set = simulation();
        assert!(set.set_drive(force(last, 7.0)).unwrap());
        assert!(!set.set_drive(force(last, 0.01)).unwrap());
        for _ in 0..10 {
            given.step().unwrap();
            set.step().unwrap();
        }
        assert_eq!(given.state().positions, set.state().positions);
        // and the report has its reaction
        assert_eq!(set.report().reactions[1], vec3(0.0, 0.0, 0.01));
        // gone again in mid-run
        set.set_drive(force(last, 0.0)).unwrap();
        set.step().unwrap();
        given.step().unwrap();
        assert_eq!(set.report().reactions[1], Vec3::ZERO);
        let end = |simulation: &Simulation| simulation.state().velocities[last as usize].z;
        assert!(end(&set) < end(&given), "nothing pulls it up any more");
    }

    #[test]
    fn a_new_stepper_goes_on_as_the_old_one() {
        let (mut plain, mut renewed) = (simulation(), simulation());
        let last = plain.model().node_count() as u32 - 1;
        plain.set_drive(force(last, 0.01)).unwrap();
        renewed.set_drive(force(last, 0.01)).unwrap();
        for _ in 0..5 {
            plain.step().unwrap();
            renewed.step().unwrap();
        }
        renewed.renew().unwrap();
        for _ in 0..5 {
            plain.step().unwrap();
            renewed.step().unwrap();
        }
        assert_eq!(plain.state(), renewed.state());
    }

    #[test]
    fn an_attachment_in_mid_run_holds() {
        let mut bar = simulation();
        let last = bar.model().node_count() as u32 - 1;
        bar.set_drive(force(last, 0.01)).unwrap();
        for _ in 0..5 {
            bar.step().unwrap();
        }
        let there = bar.state().positions[last as usize];
        let pairs = vec![[Anchor::Node(last), Anchor::fixed(there)]];
        let pin = Joint::new("pin", JointKind::Attachment { pairs });
        bar.add_joint(pin).unwrap();
        for _ in 0..20 {
            bar.step().unwrap();
        }
        assert!((bar.state().positions[last as usize] - there).norm() < 1e-9);
    }

    #[test]
    fn what_is_not_possible_changes_nothing() {
        let mut bar = simulation();
        let before = bar.model().drives.len();
        assert!(bar.set_drive(force(1_000_000, 1.0)).is_err());
        assert_eq!(bar.model().drives.len(), before);
        let error = bar.set_control("cable", 1.0).unwrap_err().to_string();
        assert!(error.contains("known are none"), "{error}");
        assert!(bar.drive("wal").unwrap_err().to_string().contains("`wall`"));
        bar.step().unwrap();
    }
}
