//! Where rigid things are and how they move: all that a checkpoint must hold, and what can be read from it.

use super::chain::Posture;
use super::model::{Mobility, RigidBody, RigidModel, is_dynamic, pose_at};
use pliant_linalg::{Mat3, Vec3};

/// Where a rigid body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// From rest axes to present ones.
    pub rotation: Mat3,
    /// Centre of mass, m.
    pub centre: Vec3,
}

impl Pose {
    /// Where the material point with rest position `rest` is, for a body with rest centre `rest_centre`.
    pub fn point(&self, rest_centre: Vec3, rest: Vec3) -> Vec3 {
        self.centre + self.rotation * (rest - rest_centre)
    }
}

/// How a rigid body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Spin in world axes, rad/s.
    pub spin: Vec3,
}

impl Twist {
    /// Velocity of the material point at the centre plus `arm`.
    pub fn at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }
}

/// A force and a torque.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force, N.
    pub force: Vec3,
    /// Torque about the centre of mass, N·m.
    pub torque: Vec3,
}

/// Momentum of moving bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Linear, kg·m/s.
    pub linear: Vec3,
    /// Angular about the world's origin, kg·m²/s.
    pub angular: Vec3,
}

/// Everything rigid at one moment. Poses and twists of links follow from angles and rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidState {
    /// Pose of each body.
    pub poses: Vec<Pose>,
    /// Twist of each body; of a kinematic one, the chord of the step that led here, zero at first.
    pub twists: Vec<Twist>,
    /// Angles of all joints, chain after chain, rad.
    pub angles: Vec<f64>,
    /// Rates of all joints, rad/s.
    pub rates: Vec<f64>,
}

impl RigidState {
    /// The state at time 0 of a model that passed [`RigidModel::check`].
    pub fn initial(model: &RigidModel) -> Self {
        let mut state = RigidState::default();
        for body in &model.bodies {
            let (mut pose, mut twist) = (
                Pose {
                    rotation: Mat3::IDENTITY,
                    centre: body.centre,
                },
                Twist::default(),
            );
            match &body.mobility {
                Mobility::Free => {
                    twist.velocity = body.velocity;
                    twist.spin = body.spin;
                }
                Mobility::Kinematic(motion) => pose = pose_at(motion, body.centre, 0.0),
                Mobility::Fixed | Mobility::Link { .. } => {}
            }
            state.poses.push(pose);
            state.twists.push(twist);
        }
        let links = model.chains.iter().flat_map(|c| &c.links);
        (state.angles, state.rates) = links.map(|l| (l.angle, l.rate)).unzip();
        let mut posture = Posture::default();
        for (index, chain) in model.chains.iter().enumerate() {
            let first = model.first_joint(index);
            let joints = first..first + chain.links.len();
            posture.place(model, chain, &state.angles[joints.clone()]);
            posture.write(
                chain,
                &state.rates[joints],
                &mut state.poses,
                &mut state.twists,
            );
        }
        state
    }

    /// Whether it has as many bodies and joints as the model, as a state from a file must.
    pub fn fits(&self, model: &RigidModel) -> bool {
        let bodies = [self.poses.len(), self.twists.len()];
        let joints = [self.angles.len(), self.rates.len()];
        bodies == [model.bodies.len(); 2] && joints == [model.joint_count(); 2]
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let pose = |p: &Pose| p.rotation.is_finite() && p.centre.is_finite();
        let twist = |t: &Twist| t.velocity.is_finite() && t.spin.is_finite();
        self.poses.iter().all(pose)
            && self.twists.iter().all(twist)
            && self.angles.iter().chain(&self.rates).all(|v| v.is_finite())
    }

    /// Kinetic energy of free bodies and links, J.
    pub fn kinetic_energy(&self, model: &RigidModel) -> f64 {
        self.moving(model)
            .map(|(body, pose, twist)| {
                let spin = pose.rotation.transpose() * twist.spin;
                0.5 * body.mass * twist.velocity.norm_squared()
                    + 0.5 * spin.dot(body.inertia * spin)
            })
            .sum()
    }

    /// Energy of free bodies and links in a field of gravity, zero at the world's origin, J.
    pub fn gravitational_energy(&self, model: &RigidModel, gravity: Vec3) -> f64 {
        self.moving(model)
            .map(|(body, pose, _)| -body.mass * gravity.dot(pose.centre))
            .sum()
    }

    /// Energy of the joints' springs, J.
    pub fn spring_energy(&self, model: &RigidModel) -> f64 {
        let links = model.chains.iter().flat_map(|c| &c.links);
        links
            .zip(&self.angles)
            .map(|(link, angle)| 0.5 * link.stiffness * (angle - link.rest_angle).powi(2))
            .sum()
    }

    /// Momentum of free bodies and links.
    pub fn momentum(&self, model: &RigidModel) -> Momentum {
        let mut total = Momentum::default();
        for (body, pose, twist) in self.moving(model) {
            let linear = twist.velocity * body.mass;
            let spin = pose.rotation.transpose() * twist.spin;
            total.linear += linear;
            total.angular += pose.centre.cross(linear) + pose.rotation * (body.inertia * spin);
        }
        total
    }

    /// Bodies that have momentum, with pose and twist.
    pub(crate) fn moving<'a>(
        &'a self,
        model: &'a RigidModel,
    ) -> impl Iterator<Item = (&'a RigidBody, &'a Pose, &'a Twist)> {
        let all = model.bodies.iter().zip(&self.poses).zip(&self.twists);
        all.map(|((body, pose), twist)| (body, pose, twist))
            .filter(|(body, ..)| is_dynamic(&body.mobility))
    }
}
