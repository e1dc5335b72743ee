//! Clumps: nodes that move as one rigid body for the time being.
//!
//! A clump has a frame: x = origin + R s, and s, its *shape*, is constant. The frame is not that of its centre of mass, so that a
//! clump that gains or loses nodes keeps the shape of all others, and what was computed from it.

use crate::constraint::Remembered;
use crate::model::Model;
use crate::rigid::{exponential, mean_spin, orthonormalized};
use pliant_linalg::{Mat3, Vec3};
use std::sync::Arc;

/// Clump of a node that is in none.
pub const NO_CLUMP: u32 = u32::MAX;

/// Motion that is none: so slow a clump, in sizes a second, stays where it is. What rests is then the same to the last bit from step to
/// step, and whoever keeps what he has found need not look again.
const STANDSTILL: f64 = 1e-9;

/// Where a clump is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClumpMotion {
    /// Origin of its frame, m.
    pub origin: Vec3,
    /// From its frame to the world.
    pub rotation: Mat3,
    /// Velocity of its centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub spin: Vec3,
}

/// What is rigid, for the state to remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rigidity {
    /// Clump of each node, or [`NO_CLUMP`]; empty where nothing has been rigid yet.
    pub clump_of: Arc<Vec<u32>>,
    /// Shape of the clumps, by nodes; zero for those in none.
    pub shape: Arc<Vec<Vec3>>,
    /// Whether each clump hangs on prescribed nodes that do not move.
    pub pinned: Vec<bool>,
    /// How each clump moves.
    pub motions: Vec<ClumpMotion>,
    /// For how many steps each element has hardly been strained.
    pub quiet: Vec<u8>,
    /// What the last prediction for each body stood on.
    pub tested: Arc<Vec<Tested>>,
    /// Velocities that predictions have added up since each clump was last changed, in their frames, m/s; forgotten in time.
    pub urge: Arc<Vec<Vec3>>,
    /// Steps for which each body has gone nowhere.
    pub calm: Vec<u16>,
    /// Where its nodes were when it last went anywhere, m.
    pub anchors: Arc<Vec<Vec3>>,
}

/// What a prediction stood on, and what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Largest squared strain rate that was predicted, 1/s²; infinite without a prediction.
    pub largest: f64,
    /// Forces of the constraints of the body, N.
    pub forces: Vec<Remembered>,
    /// Total force of every drive, N.
    pub totals: Vec<Vec3>,
    /// Spin of its clump in that one's own frame where it has only one, rad/s.
    pub spin: Vec3,
}

impl Default for Tested {
    fn default() -> Self {
        Tested {
            largest: f64::INFINITY,
            forces: Vec::new(),
            totals: Vec::new(),
            spin: Vec3::ZERO,
        }
    }
}

/// Constant properties of a clump, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Clump {
    /// The body that it is part of.
    pub body: u32,
    /// Its nodes, ascending.
    pub nodes: Vec<u32>,
    /// Whether it hangs on prescribed nodes that do not move.
    pub pinned: bool,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: Vec3,
    /// Inertia about the centre, kg·m².
    pub inertia: Mat3,
    /// Mass damping of its nodes about the centre: Σ c, Σ c r and Σ c (r² − r rᵀ).
    pub drag: (f64, Vec3, Mat3),
}

impl Rigidity {
    /// The clumps, whose properties follow from their shape.
    pub fn clumps(&self, model: &Model) -> Vec<Clump> {
        let mut nodes = vec![Vec::new(); self.motions.len()];
        for (node, &clump) in self.clump_of.iter().enumerate() {
            if clump != NO_CLUMP {
                nodes[clump as usize].push(node as u32);
            }
        }
        let lists = nodes.into_iter().zip(&self.pinned);
        lists
            .map(|(nodes, &pinned)| Clump::new(model, &self.shape, nodes, pinned))
            .collect()
    }
}

impl Clump {
    fn new(model: &Model, shape: &[Vec3], nodes: Vec<u32>, pinned: bool) -> Clump {
        let (mut mass, mut centre) = (0.0, Vec3::ZERO);
        for &node in &nodes {
            let node = node as usize;
            mass += model.mass[node];
            centre += shape[node] * model.mass[node];
        }
        centre = centre / mass;
        let mut inertia = Mat3::ZERO;
        let mut drag = (0.0, Vec3::ZERO, Mat3::ZERO);
        for &node in &nodes {
            let node = node as usize;
            let arm = shape[node] - centre;
            let spread = spread(arm);
            inertia += spread * model.mass[node];
            let rate = model.mass_damping[node];
            drag.0 += rate;
            drag.1 += arm * rate;
            drag.2 += spread * rate;
        }
        let first = nodes.first().map_or(0, |&node| node as usize);
        Clump {
            body: model.body_index_of_node(first).unwrap_or(0) as u32,
            nodes,
            pinned,
            mass,
            centre,
            inertia,
            drag,
        }
    }

    /// Distance of its nodes from the centre, in the mean of squares by mass, times √2, m.
    pub fn size(&self) -> f64 {
        (self.inertia.trace() / self.mass.max(f64::MIN_POSITIVE)).sqrt()
    }

    /// The rigid motion with the momenta of its nodes' velocities: nothing else is asked of it when a clump is made or changed.
    pub fn motion(
        &self,
        model: &Model,
        origin: Vec3,
        rotation: Mat3,
        shape: &[Vec3],
        v: &[Vec3],
    ) -> ClumpMotion {
        let mut motion = ClumpMotion {
            origin,
            rotation,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
        };
        if self.pinned {
            return motion;
        }
        let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
        for &node in &self.nodes {
            let node = node as usize;
            let p = v[node] * model.mass[node];
            linear += p;
            angular += (rotation * (shape[node] - self.centre)).cross(p);
        }
        motion.velocity = linear / self.mass;
        motion.spin = self.spin(rotation, angular);
        motion
    }

    /// Spin with an angular momentum, both in world axes.
    fn spin(&self, rotation: Mat3, momentum: Vec3) -> Vec3 {
        let inverse = self.inertia.inverse().unwrap_or(Mat3::ZERO);
        rotation * (inverse * (rotation.transpose() * momentum))
    }

    /// Moves on for a time `h` with the velocities that a step has solved for, which belong to the posture at its start. The spin
    /// afterwards is the one with the same angular momentum (see [`crate::rigid`]).
    pub fn advance(&self, at: &ClumpMotion, velocity: Vec3, spin: Vec3, h: f64) -> ClumpMotion {
        let size = self.size();
        if velocity.norm() + spin.norm() * size < STANDSTILL * size {
            return ClumpMotion {
                velocity: Vec3::ZERO,
                spin: Vec3::ZERO,
                ..*at
            };
        }
        let r = at.rotation;
        let in_frame = self.inertia * (r.transpose() * spin);
        let inverse = self.inertia.inverse().unwrap_or(Mat3::ZERO);
        let turn = exponential(mean_spin(in_frame, &inverse, h) * h);
        let rotation = orthonormalized(r * turn);
        let centre = at.origin + r * self.centre + velocity * h;
        ClumpMotion {
            origin: centre - rotation * self.centre,
            rotation,
            velocity,
            spin: self.spin(rotation, r * in_frame),
        }
    }
}

/// r² − r rᵀ, the inertia of a unit mass.
fn spread(arm: Vec3) -> Mat3 {
    Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)
}
