//! A polyline that points slide along, and the frame that carries it.

use super::Configuration;
use crate::drive::Motion;
use pliant_linalg::{Mat3, Vec3};

/// A line or polyline that goes on straight beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its corners at rest, m; two make a line. The first is repeated at the end of a closed one.
    pub points: Vec<Vec3>,
    /// What carries it.
    pub frame: Frame,
}

/// What carries a curve.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// The world, with a motion without twist.
    World(Box<Motion>),
    /// A rigid body.
    Rigid(usize),
}

/// The place of a curve that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub point: Vec3,
    /// Unit direction of the curve there.
    pub tangent: Vec3,
    /// Length of the curve up to there, m; beyond the ends negative or above [`Curve::length`].
    pub along: f64,
}

impl Curve {
    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|s| (s[1] - s[0]).norm()).sum()
    }

    /// Nearest place to a point, both at rest. The first of equally near ones.
    pub(super) fn foot(&self, q: Vec3) -> Foot {
        let last = self.points.len().saturating_sub(2);
        let mut before = 0.0;
        let mut best = (f64::INFINITY, Foot::NONE);
        for (index, segment) in self.points.windows(2).enumerate() {
            let [a, b] = [segment[0], segment[1]];
            let length = (b - a).norm();
            let Some(tangent) = (b - a).normalized() else {
                continue;
            };
            let lower = if index == 0 { f64::NEG_INFINITY } else { 0.0 };
            let upper = if index == last { f64::INFINITY } else { length };
            let along = (q - a).dot(tangent).clamp(lower, upper);
            let point = a + tangent * along;
            let distance = (q - point).norm_squared();
            if distance < best.0 {
                let along = before + along;
                best = (
                    distance,
                    Foot {
                        point,
                        tangent,
                        along,
                    },
                );
            }
            before += length;
        }
        best.1
    }
}

impl Foot {
    const NONE: Foot = Foot {
        point: Vec3::ZERO,
        tangent: Vec3::AXES[0],
        along: 0.0,
    };
}

impl Frame {
    /// Turn from rest to the present.
    pub(super) fn rotation(&self, at: Configuration) -> Mat3 {
        match self {
            Frame::Rigid(body) => at.poses[*body].rotation,
            Frame::World(motion) => motion.rotation.as_ref().map_or(Mat3::IDENTITY, |turn| {
                Mat3::rotation(turn.axis, turn.angle.at(at.time))
            }),
        }
    }

    /// Where a point of the frame is now.
    pub(super) fn to_present(&self, q: Vec3, at: Configuration) -> Vec3 {
        match self {
            Frame::Rigid(body) => at.rigid_point(*body, q),
            Frame::World(motion) => motion.at(q, at.time),
        }
    }

    /// Where a present point would be if the frame were at rest.
    pub(super) fn to_rest(&self, x: Vec3, at: Configuration) -> Vec3 {
        let back = self.rotation(at).transpose();
        match self {
            Frame::Rigid(body) => {
                at.model.rigid.bodies[*body].centre + back * (x - at.poses[*body].centre)
            }
            Frame::World(motion) => {
                let moved = motion.translation.as_ref().map_or(Vec3::ZERO, |path| {
                    Vec3::new(
                        path[0].at(at.time),
                        path[1].at(at.time),
                        path[2].at(at.time),
                    )
                });
                match &motion.rotation {
                    None => x - moved,
                    Some(turn) => turn.centre + back * (x - moved - turn.centre),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn feet_are_nearest_and_ends_go_on() {
        let curve = Curve {
            points: vec![Vec3::ZERO, vec3(1.0, 0.0, 0.0), vec3(1.0, 2.0, 0.0)],
            frame: Frame::World(Box::default()),
        };
        assert_eq!(curve.length(), 3.0);
        let foot = curve.foot(vec3(0.4, 0.1, 0.2));
        assert_eq!(
            (foot.point, foot.tangent, foot.along),
            (vec3(0.4, 0.0, 0.0), Vec3::AXES[0], 0.4)
        );
        let foot = curve.foot(vec3(1.1, 1.5, 0.0));
        assert_eq!(
            (foot.point, foot.tangent, foot.along),
            (vec3(1.0, 1.5, 0.0), Vec3::AXES[1], 2.5)
        );
        assert_eq!(curve.foot(vec3(-1.0, -1.0, 0.0)).along, -1.0);
        assert_eq!(curve.foot(vec3(1.0, 2.5, 0.0)).along, 3.5);
    }
}
