//! What joints did in a step: forces, tensions, pressures, and where they ended.

use super::rows::{Part, cable_length};
use super::{Bound, CableControl, CavityControl, Configuration, JointKind, cavity};
use crate::model::Model;
use crate::step::Stepper;
use pliant_linalg::{Mat3, Vec3};

/// A joint at the end of a step. Forces are means over the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointReading {
    /// Attachment.
    Attachment {
        /// Sum of the forces on the first points of all pairs, N; the second ones feel the opposite.
        force: Vec3,
    },
    /// Distance.
    Distance {
        /// Force that pulls the ends together, N; negative where it pushes them apart.
        tension: f64,
        /// Their distance, m.
        length: f64,
    },
    /// Slide.
    Slide {
        /// Sum of the forces on the points, N; the curve feels the opposite.
        force: Vec3,
        /// Length of the curve up to the first point, m.
        along: f64,
    },
    /// Hinge.
    Hinge {
        /// Force on the first body at the hinge's point, N.
        force: Vec3,
        /// Torque on the first body across the axis, N·m.
        torque: Vec3,
        /// Angle of the first body against the second, rad, right-handed about the axis, between −π and π.
        angle: f64,
    },
    /// Cable.
    Cable {
        /// N.
        tension: f64,
        /// m.
        length: f64,
    },
    /// Cavity.
    Cavity {
        /// Above that outside, Pa.
        pressure: f64,
        /// m³.
        volume: f64,
    },
    /// Joint of an articulated chain.
    Link {
        /// Sum of driving, spring, damping and limit torque on the link about the axis, N·m.
        torque: f64,
        /// Part of it that a limit exerts, N·m.
        limit_torque: f64,
        /// rad.
        angle: f64,
    },
}

impl JointReading {
    /// Its numbers, in the order of [`Model::joint_columns`].
    pub fn values(&self) -> Vec<f64> {
        match *self {
            JointReading::Attachment { force } => force.to_array().to_vec(),
            JointReading::Distance { tension, length }
            | JointReading::Cable { tension, length } => {
                vec![tension, length]
            }
            JointReading::Slide { force, along } => {
                let [x, y, z] = force.to_array();
                vec![x, y, z, along]
            }
            JointReading::Hinge {
                force,
                torque,
                angle,
            } => {
                let mut values = [force.to_array(), torque.to_array()].concat();
                values.push(angle);
                values
            }
            JointReading::Cavity { pressure, volume } => vec![pressure, volume],
            JointReading::Link {
                torque,
                limit_torque,
                angle,
            } => vec![torque, limit_torque, angle],
        }
    }
}

const FORCE: [&str; 3] = ["force_x", "force_y", "force_z"];

impl JointKind {
    fn columns(&self) -> Vec<&'static str> {
        match self {
            JointKind::Attachment { .. } => FORCE.to_vec(),
            JointKind::Distance { .. } | JointKind::Cable { .. } => vec!["tension", "length"],
            JointKind::Slide { .. } => [FORCE.as_slice(), &["along"]].concat(),
            JointKind::Hinge { .. } => [
                FORCE.as_slice(),
                &["torque_x", "torque_y", "torque_z", "angle"],
            ]
            .concat(),
            JointKind::Cavity { .. } => vec!["pressure", "volume"],
        }
    }
}

impl Model {
    /// Kind, name and quantities of each entry of [`crate::report::StepReport::joints`]: joints, then links of chains by the
    /// names of their bodies.
    pub fn joint_columns(&self) -> Vec<(&'static str, String, Vec<&'static str>)> {
        let joints =
            (self.joints.iter()).map(|j| (j.kind.name(), j.name.clone(), j.kind.columns()));
        let links = self.rigid.chains.iter().flat_map(|c| &c.links);
        let bodies = links.map(|link| {
            let columns = vec!["torque", "limit_torque", "angle"];
            ("link", self.rigid.bodies[link.body].name.clone(), columns)
        });
        joints.chain(bodies).collect()
    }
}

/// Readings of the step that ends at positions `x`.
pub(crate) fn readings(stepper: &Stepper, model: &Model, x: &[Vec3], into: &mut Vec<JointReading>) {
    into.clear();
    if model.joints.is_empty() && model.rigid.chains.is_empty() {
        return;
    }
    let (h, rows) = (stepper.scheme.h, &stepper.joints);
    let at = Configuration {
        model,
        positions: x,
        poses: &stepper.rigid_end.poses,
        time: rows.end,
    };
    for (joint, &strength) in model.joints.iter().zip(&stepper.joint_loads.strengths) {
        into.push(at_rest(&joint.kind, strength, at));
    }
    for row in &rows.rows {
        let constraint = &stepper.touch.set.constraints()[row.index];
        let push = stepper.resolver.impulses[row.index] / h;
        let kind = &model.joints[row.joint].kind;
        match &mut into[row.joint] {
            JointReading::Attachment { force } => *force += push,
            JointReading::Distance { tension, .. } => {
                let pushes = matches!(
                    kind,
                    JointKind::Distance {
                        bound: Bound::AtLeast,
                        ..
                    }
                );
                *tension = if pushes { -push.x } else { push.x };
            }
            JointReading::Slide { force, .. } => {
                *force += match row.part {
                    Part::Stop { direction, .. } | Part::Drag(direction) => direction * push.x,
                    _ => constraint.frame.transpose() * push,
                };
            }
            JointReading::Hinge { force, torque, .. } => match row.part {
                Part::HingeAxis(_) => {
                    if let Some(entry) = stepper.touch.set.rigids_of(row.index).first() {
                        *torque += entry.angular.transpose() * push;
                    }
                }
                _ => *force += push,
            },
            JointReading::Cable { tension, .. } => *tension = push.x,
            JointReading::Cavity { pressure, .. } => {
                if let JointKind::Cavity { walls, .. } = kind {
                    *pressure = push.x / cavity::area(walls, |n| model.rest[n as usize]);
                }
            }
            JointReading::Link { .. } => {}
        }
    }
    let first_link = into.len();
    let torques = stepper.rigid.joint_torques();
    for (torque, &angle) in torques.iter().zip(&stepper.rigid_end.angles) {
        into.push(JointReading::Link {
            torque: torque.applied + torque.spring + torque.damping,
            limit_torque: 0.0,
            angle,
        });
    }
    for limit in &rows.limits {
        if let Some(JointReading::Link {
            torque,
            limit_torque,
            ..
        }) = into.get_mut(first_link + limit.joint)
        {
            let push = limit.sign * stepper.resolver.impulses[limit.index].x / h;
            *limit_torque += push;
            *torque += push;
        }
    }
}

/// A reading without the forces of constraints.
fn at_rest(kind: &JointKind, strength: f64, at: Configuration) -> JointReading {
    let force = Vec3::ZERO;
    match kind {
        JointKind::Attachment { .. } => JointReading::Attachment { force },
        JointKind::Distance { ends, .. } => JointReading::Distance {
            tension: 0.0,
            length: (ends[1].position(at) - ends[0].position(at)).norm(),
        },
        JointKind::Slide { points, curve, .. } => JointReading::Slide {
            force,
            along: points.first().map_or(0.0, |point| {
                let q = curve.frame.to_rest(point.position(at), at);
                curve.foot(q).along
            }),
        },
        JointKind::Hinge {
            first,
            second,
            axis,
            ..
        } => {
            let of = |body: usize| at.poses[body].rotation;
            let relative = second.map_or(Mat3::IDENTITY, of).transpose() * of(*first);
            // R = cos + sin [a]× + …: its skew part holds the sine, its trace the cosine
            let skew = Vec3::new(
                relative.at(2, 1) - relative.at(1, 2),
                relative.at(0, 2) - relative.at(2, 0),
                relative.at(1, 0) - relative.at(0, 1),
            );
            JointReading::Hinge {
                force,
                torque: Vec3::ZERO,
                angle: skew.dot(*axis).atan2(relative.trace() - 1.0),
            }
        }
        JointKind::Cable { points, control } => JointReading::Cable {
            tension: match control {
                CableControl::Tension(_) => strength,
                CableControl::Length(_) => 0.0,
            },
            length: cable_length(points, at),
        },
        JointKind::Cavity { walls, control } => JointReading::Cavity {
            pressure: match control {
                CavityControl::Pressure(_) => strength,
                CavityControl::Volume(_) => 0.0,
            },
            volume: cavity::volume(walls, |n| at.node(n as usize)),
        },
    }
}
