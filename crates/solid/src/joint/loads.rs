//! Joints that are loads: cables of given tension and cavities of given pressure, with directions at the start of the step.

use super::anchor::Push;
use super::rows::cable_pulls;
use super::{CableControl, CavityControl, Configuration, JointKind, cavity};
use crate::drive::Loads;
use crate::model::Model;
use crate::rigid::Wrench;
use crate::state::State;

/// What they exert on rigid bodies, and how strong they are.
#[derive(Default)]
pub(crate) struct JointLoads {
    /// One a rigid body; empty where there is no such joint.
    pub wrenches: Vec<Wrench>,
    /// Tension (N) or pressure (Pa) of each joint that is a load, zero for others.
    pub(super) strengths: Vec<f64>,
}

impl JointLoads {
    /// Adds the forces on nodes at time `end` to `loads`, and keeps those on rigid bodies.
    pub fn gather(&mut self, model: &Model, state: &State, end: f64, loads: &mut Loads) {
        self.strengths.clear();
        self.wrenches.clear();
        if model.joints.is_empty() {
            return;
        }
        self.strengths.resize(model.joints.len(), 0.0);
        self.wrenches
            .resize(model.rigid.bodies.len(), Wrench::default());
        let at = Configuration {
            model,
            positions: &state.positions,
            poses: &state.rigid.poses,
            time: end,
        };
        let wrenches = &mut self.wrenches;
        let mut act = |push: Push| match push {
            Push::Node { node, force } => loads.force[node] += force,
            Push::Rigid { body, arm, force } => {
                wrenches[body].force += force;
                wrenches[body].torque += arm.cross(force);
            }
        };
        for (joint, strength) in model.joints.iter().zip(&mut self.strengths) {
            match &joint.kind {
                JointKind::Cable {
                    points,
                    control: CableControl::Tension(tension),
                } => {
                    *strength = tension.at(end).max(0.0);
                    for (point, pull) in points.iter().zip(cable_pulls(points, at)) {
                        point.share(pull * *strength, at, &mut act);
                    }
                }
                JointKind::Cavity {
                    walls,
                    control: CavityControl::Pressure(pressure),
                } => {
                    *strength = pressure.at(end);
                    let present = |n: u32| at.node(n as usize);
                    cavity::gradient(walls, present, |node, part| {
                        act(Push::node(at, node as usize, part * *strength));
                    });
                }
                _ => {}
            }
        }
    }
}
