//! A ball around part of a surface that goes with a bone, and how much it must grow as coordinates and other bones move.
//!
//! A node is at x = g(b) (X + u), where b is the blend Σ w_j b_j of its bones' dual quaternions, divided by its length. Everything is seen
//! from one bone, the reference: blends of b_ref⁻¹ b_j put the node at y, and x is where the reference takes y. So what the reference
//! does costs nothing, and y changes by
//!   |Δu| ≤ Σ_m max_i |U_im| |Δq_m|,
//! and, since r = Σ w_j r_j (rotations) and d = Σ w_j d_j (dual parts, seen from the middle of the part at rest, so that |d_j| is half the shift
//! of the middle) enter as rotation r/|r| and shift 2 d r*/|r|², by no more than
//!   2 |Δr| |X + u|/n + 2 |Δd|/n + 6 |d| |Δr|/n²
//! with the least |r| on the way, n, and |Δr| ≤ Σ_j max_i w_ij |Δr_j| and so on. Quaternions are on one side of the reference; n is at least
//! their least real part. Where two bones are not on one side of each other, nothing is known.

use crate::subspace::domain::Domains;
use crate::subspace::frame::{Frame, Pose};
use pliant_linalg::Vec3;
use pliant_mesh::rig::Quaternion;

/// Quaternions whose product is below this are not for certain on one side.
const SIDE: f64 = 1e-6;

/// A bone in a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bone {
    pub turn: Quaternion,
    pub frame: Frame,
}

impl Bone {
    /// The bones of every trained body; one that stands still for a body without a rig, none where nothing is known.
    pub fn of_pose(domains: &Domains, pose: &Pose) -> Vec<Vec<Bone>> {
        let still = Bone {
            turn: Quaternion::IDENTITY,
            frame: Frame::IDENTITY,
        };
        let bones = |body: usize| match pose.skin(body) {
            None => vec![still],
            Some(skin) => skin.blend().map_or(Vec::new(), |(bones, _)| {
                let bone = |j: usize| {
                    let frame = bones.frame(&[(j as u32, 1.0)]);
                    Bone {
                        turn: bones.turn(j),
                        frame: Frame {
                            rotation: frame.rotation,
                            shift: frame.shift,
                        },
                    }
                };
                (0..bones.bone_count()).map(bone).collect()
            }),
        };
        (0..domains.body_count()).map(bones).collect()
    }
}

/// See the file header.
#[derive(Clone, Debug, Default)]
pub(super) struct Ball {
    /// Trained body and reference bone.
    pub body: usize,
    pub reference: u32,
    /// Middle of the part at rest, m.
    pub middle: Vec3,
    /// Other bones of its nodes, and the most that a node has of each.
    pub bones: Vec<(u32, f64)>,
    /// Coordinates that move its nodes, and the largest motion by a unit of each, m.
    pub modes: Vec<(u32, f64)>,
    /// When it was fitted: centre seen from the reference, radius and largest |X + u| from the middle, m.
    pub centre: Vec3,
    pub radius: f64,
    pub extent: f64,
    /// Then: coordinates, and rotations and shifts of the middle of the other bones, seen from the reference.
    pub fitted: (Vec<f64>, Vec<(Quaternion, Vec3)>),
    /// Whether it was, and anything is known since.
    pub valid: bool,
}

/// How much a ball has to grow, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slack {
    /// By coordinates, and by all.
    pub shape: f64,
    pub all: f64,
}

impl Ball {
    /// Bones as seen from the reference; false where they are not on one side.
    fn relative(&self, bones: &[Bone], into: &mut Vec<(Quaternion, Vec3)>) -> bool {
        let own = &bones[self.reference as usize];
        into.clear();
        for &(bone, _) in &self.bones {
            let other = &bones[bone as usize];
            let turn = own.turn.conjugate() * other.turn;
            let turn = if turn.w < 0.0 { -turn } else { turn };
            let there = own.frame.pull_back(other.frame.place(self.middle));
            into.push((turn, there - self.middle));
        }
        let all = || into.iter().map(|b| b.0);
        all()
            .enumerate()
            .all(|(index, a)| a.w > SIDE && all().skip(index + 1).all(|b| a.dot(b) > SIDE))
    }

    /// What it must grow by in a pose with these coordinates; none where nothing is known.
    pub fn slack(
        &self,
        bones: &[Bone],
        q: &[f64],
        work: &mut Vec<(Quaternion, Vec3)>,
    ) -> Option<Slack> {
        if !self.valid {
            return None;
        }
        let (old_q, old) = &self.fitted;
        let moved = self.modes.iter().zip(old_q);
        let shape: f64 = moved
            .map(|(&(m, most), old)| most * (q[m as usize] - old).abs())
            .sum();
        if self.bones.is_empty() {
            return Some(Slack { shape, all: shape });
        }
        if !self.relative(bones, work) {
            return None;
        }
        let (mut least, mut turned, mut dual, mut size) = (1.0f64, 0.0, 0.0, 0.0);
        for ((&(_, weight), old), now) in self.bones.iter().zip(old).zip(work.iter()) {
            let turn = (now.0 + -old.0).norm();
            least = least.min(old.0.w).min(now.0.w);
            turned += weight * turn;
            // d = ½ t r
            let shift = (now.1 - old.1).norm();
            let far = old.1.norm().max(now.1.norm());
            dual += 0.5 * weight * (shift + far * turn);
            size += 0.5 * weight * far;
        }
        let posed = 2.0 * turned * self.extent + 2.0 * dual + 6.0 * size * turned / least;
        Some(Slack {
            shape,
            all: shape + posed / least,
        })
    }

    /// Notes where coordinates and bones are, after centre, radius and extent were set.
    pub fn note(&mut self, bones: &[Bone], q: &[f64]) {
        let (mut own, mut seen) = std::mem::take(&mut self.fitted);
        own.clear();
        own.extend(self.modes.iter().map(|&(m, _)| q[m as usize]));
        self.valid = self.relative(bones, &mut seen);
        self.fitted = (own, seen);
    }

    /// Around these points of nodes: where they are, and X + u.
    pub fn fit(&mut self, bones: &[Bone], q: &[f64], points: &[(Vec3, Vec3)]) {
        let own = bones[self.reference as usize].frame;
        let seen = || points.iter().map(|&(x, _)| own.pull_back(x));
        let low = seen().reduce(Vec3::min).unwrap_or_default();
        let high = seen().reduce(Vec3::max).unwrap_or_default();
        let centre = (low + high) * 0.5;
        self.centre = centre;
        self.radius = seen().map(|y| (y - centre).norm()).fold(0.0, f64::max);
        let shapes = points
            .iter()
            .map(|&(_, shape)| (shape - self.middle).norm());
        self.extent = shapes.fold(0.0, f64::max);
        self.note(bones, q);
    }
}
