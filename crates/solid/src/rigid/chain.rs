//! A chain at given angles: forward kinematics, its mass matrix and the torques of its inertia.
//!
//! With world axes a_k and joint points j_k, joint k turns every link beyond it: the columns of a body's Jacobian are
//! a_k × (c − j_k) for its centre c and a_k for its spin, and M = Σ J_bᵀ diag(m, I) J_b (METHODS 1.3, after [WWB19]).
//! Ours uses world axes at each centre instead of body twists, so M needs no adjoints. Kinetic energy T = ½ uᵀ M u.

use super::model::{Chain, RigidModel};
use super::state::{Pose, Twist, Wrench};
use pliant_linalg::{Mat3, Vec3};

/// Where the links of one chain are.
#[derive(Clone, Debug, Default)]
pub(super) struct Posture {
    /// Axis of each joint in the world.
    pub axes: Vec<Vec3>,
    /// A point of each joint's axis in the world, m.
    pub points: Vec<Vec3>,
    /// Pose of each link.
    pub poses: Vec<Pose>,
    /// The joints that move each link, from the ground outwards.
    pub paths: Vec<Vec<usize>>,
    parents: Vec<Option<usize>>,
    masses: Vec<f64>,
    /// In world axes, about the centres, kg·m².
    inertias: Vec<Mat3>,
}

/// What hangs on a joint: a force and its moment about the joint's point.
#[derive(Clone, Copy, Default)]
struct Load {
    force: Vec3,
    moment: Vec3,
}

impl Posture {
    /// Forward kinematics: link i is its parent's pose after a turn by angle i about the joint as it was at rest.
    pub fn place(&mut self, model: &RigidModel, chain: &Chain, angles: &[f64]) {
        *self = Posture::default();
        for (index, (link, &angle)) in chain.links.iter().zip(angles).enumerate() {
            let body = &model.bodies[link.body];
            let (parent_rotation, point) = match link.parent {
                None => (Mat3::IDENTITY, link.point),
                Some(p) => {
                    let rest_centre = model.bodies[chain.links[p].body].centre;
                    let pose = self.poses[p];
                    (pose.rotation, pose.point(rest_centre, link.point))
                }
            };
            let rotation = parent_rotation * Mat3::rotation(link.axis, angle);
            self.axes.push(parent_rotation * link.axis);
            self.points.push(point);
            self.poses.push(Pose {
                rotation,
                centre: point + rotation * (body.centre - link.point),
            });
            let mut path = link.parent.map_or(Vec::new(), |p| self.paths[p].clone());
            path.push(index);
            self.paths.push(path);
            self.parents.push(link.parent);
            self.masses.push(body.mass);
            self.inertias
                .push(rotation * body.inertia * rotation.transpose());
        }
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.axes.len()
    }

    /// Velocity of a point x beyond the joint per unit rate, m.
    pub fn column(&self, joint: usize, x: Vec3) -> Vec3 {
        self.axes[joint].cross(x - self.points[joint])
    }

    /// Twist of a link at its centre.
    pub fn twist(&self, link: usize, rates: &[f64]) -> Twist {
        let mut twist = Twist::default();
        for &joint in &self.paths[link] {
            twist.velocity += self.column(joint, self.poses[link].centre) * rates[joint];
            twist.spin += self.axes[joint] * rates[joint];
        }
        twist
    }

    /// Momentum of a link, and angular momentum about its centre, as a wrench of impulse.
    pub fn momentum(&self, link: usize, rates: &[f64]) -> Wrench {
        let twist = self.twist(link, rates);
        Wrench {
            force: twist.velocity * self.masses[link],
            torque: self.inertias[link] * twist.spin,
        }
    }

    /// Writes poses and twists of the links into those of all bodies.
    pub fn write(&self, chain: &Chain, rates: &[f64], poses: &mut [Pose], twists: &mut [Twist]) {
        for (index, link) in chain.links.iter().enumerate() {
            poses[link.body] = self.poses[index];
            twists[link.body] = self.twist(index, rates);
        }
    }

    /// The mass matrix by rows, kg·m².
    pub fn mass_matrix(&self, out: &mut Vec<f64>) {
        let n = self.len();
        out.clear();
        out.resize(n * n, 0.0);
        let mut columns = Vec::with_capacity(n);
        for body in 0..n {
            let (path, centre) = (&self.paths[body], self.poses[body].centre);
            columns.clear();
            columns.extend(path.iter().map(|&joint| self.column(joint, centre)));
            for (i, &r) in path.iter().enumerate() {
                let linear = columns[i] * self.masses[body];
                let angular = self.inertias[body] * self.axes[r];
                for (&c, column) in path[..=i].iter().zip(&columns) {
                    out[r * n + c] += linear.dot(*column) + angular.dot(self.axes[c]);
                }
            }
        }
        for (r, c) in (0..n).flat_map(|r| (0..r).map(move |c| (r, c))) {
            out[c * n + r] = out[r * n + c];
        }
    }

    /// Adds to `out` the joint torques Jᵀ f of wrenches about the links' centres, plus gravity.
    pub fn add_torques(&self, wrench: impl Fn(usize) -> Wrench, gravity: Vec3, out: &mut [f64]) {
        let loads = self.gather(|link| {
            let Wrench { force, torque } = wrench(link);
            (force + gravity * self.masses[link], torque)
        });
        for (joint, load) in loads.iter().enumerate() {
            out[joint] += self.axes[joint].dot(load.moment);
        }
    }

    /// Adds `factor` ∂T/∂q at the rates u to `out`, N·m for factor 1.
    ///
    /// ∂T/∂q_k = Σ (m v · J̇_k + I ω · ȧ_k) over the bodies beyond joint k, where only the terms
    /// ȧ_k = ω × a_k and −a_k × (velocity of j_k) of J̇ matter, as v · (a_k × v) = 0.
    pub fn add_inertia_torques(&self, rates: &[f64], factor: f64, out: &mut [f64]) {
        // spin of each link and velocity of its joint's point
        let mut spins: Vec<Vec3> = Vec::with_capacity(self.len());
        let mut joints: Vec<Vec3> = Vec::with_capacity(self.len());
        for link in 0..self.len() {
            let (parent_spin, velocity) = match self.parents[link] {
                None => (Vec3::ZERO, Vec3::ZERO),
                Some(p) => {
                    let arm = self.points[link] - self.points[p];
                    (spins[p], joints[p] + spins[p].cross(arm))
                }
            };
            spins.push(parent_spin + self.axes[link] * rates[link]);
            joints.push(velocity);
        }
        let momenta = self.gather(|link| {
            let arm = self.poses[link].centre - self.points[link];
            let velocity = joints[link] + spins[link].cross(arm);
            (
                velocity * self.masses[link],
                self.inertias[link] * spins[link],
            )
        });
        for (joint, load) in momenta.iter().enumerate() {
            let axis = self.axes[joint];
            out[joint] += factor
                * (spins[joint].cross(axis).dot(load.moment)
                    - axis.cross(joints[joint]).dot(load.force));
        }
    }

    /// Sums (force, torque about the centre) over all links beyond each joint, about the joint's point.
    fn gather(&self, of_link: impl Fn(usize) -> (Vec3, Vec3)) -> Vec<Load> {
        let mut loads = vec![Load::default(); self.len()];
        for link in (0..self.len()).rev() {
            let (force, torque) = of_link(link);
            let arm = self.poses[link].centre - self.points[link];
            loads[link].force += force;
            loads[link].moment += torque + arm.cross(force);
            if let Some(parent) = self.parents[link] {
                let Load { force, moment } = loads[link];
                let arm = self.points[link] - self.points[parent];
                loads[parent].force += force;
                loads[parent].moment += moment + arm.cross(force);
            }
        }
        loads
    }
}
