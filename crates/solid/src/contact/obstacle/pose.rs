//! Obstacles in motion: where one is during a step and how fast its surface goes.

use super::{Obstacle, Shape};
use crate::drive::Motion;
use pliant_linalg::{Mat3, Vec3};

/// A rigid placement: the point X of the shape at rest is at R X + d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// R, a proper rotation.
    pub rotation: Mat3,
    /// d, m.
    pub translation: Vec3,
}

impl Pose {
    /// Where everything is at rest.
    pub const REST: Pose = Pose {
        rotation: Mat3::IDENTITY,
        translation: Vec3::ZERO,
    };

    /// The pose that a motion without twist has reached.
    pub fn of(motion: &Motion, time: f64) -> Pose {
        let rotation = match &motion.rotation {
            None => Mat3::IDENTITY,
            Some(turn) => Mat3::rotation(turn.axis, turn.angle.at(time)),
        };
        Pose {
            rotation,
            translation: motion.at(Vec3::ZERO, time),
        }
    }

    /// Where a point of the rest shape is.
    #[inline]
    pub fn to_world(&self, rest: Vec3) -> Vec3 {
        self.rotation * rest + self.translation
    }

    /// Which point of the rest shape is there.
    #[inline]
    pub fn to_rest(&self, x: Vec3) -> Vec3 {
        self.rotation.transpose() * (x - self.translation)
    }
}

/// What is wrong with the motion of an obstacle, if anything.
pub(super) fn check(motion: &Motion) -> Result<(), &'static str> {
    if motion.twist.is_some() {
        return Err("an obstacle is rigid and cannot twist: use `translate` and `rotate`");
    }
    let turns = motion.rotation.iter();
    let unit = |axis: Vec3| (axis.norm() - 1.0).abs() < super::shape::UNIT_SLACK;
    if !turns
        .clone()
        .all(|t| unit(t.axis) && t.centre.is_finite() && t.angle.is_valid())
    {
        return Err(
            "the rotation needs an axis of length 1, a finite centre and ordered keyframes",
        );
    }
    if !motion.translation.iter().flatten().all(|p| p.is_valid()) {
        return Err("the keyframes of the translation must be finite and in increasing time");
    }
    Ok(())
}

/// An obstacle during one step: where it is at its start, and how the step moves it.
#[derive(Clone, Copy, Debug)]
pub struct PosedObstacle<'a> {
    /// The obstacle.
    pub obstacle: &'a Obstacle,
    /// `None` for what stands still, which costs nothing.
    moving: Option<Moving>,
}

#[derive(Clone, Copy, Debug)]
struct Moving {
    start: Pose,
    end: Pose,
    h: f64,
}

impl<'a> PosedObstacle<'a> {
    /// The obstacle at time `t`, before a step of length `h`.
    pub fn new(obstacle: &'a Obstacle, t: f64, h: f64) -> PosedObstacle<'a> {
        let moving = obstacle.motion.as_ref().map(|motion| Moving {
            start: Pose::of(motion, t),
            end: Pose::of(motion, t + h),
            h,
        });
        PosedObstacle { obstacle, moving }
    }

    /// Where it is.
    pub fn pose(&self) -> Pose {
        self.moving.map_or(Pose::REST, |m| m.start)
    }

    /// Whether it has a motion.
    pub fn moves(&self) -> bool {
        self.moving.is_some()
    }

    /// Signed distance (m, negative inside) and outward unit normal at `x`, as [`Shape::probe`].
    #[inline]
    pub fn probe(&self, x: Vec3) -> (f64, Vec3) {
        let Some(moving) = &self.moving else {
            return self.shape().probe(x);
        };
        let (distance, normal) = self.shape().probe(moving.start.to_rest(x));
        (distance, moving.start.rotation * normal)
    }

    /// The same, where the distance is below `limit` (m, not negative), as [`Shape::probe_within`].
    #[inline]
    pub fn probe_within(&self, x: Vec3, limit: f64) -> Option<(f64, Vec3)> {
        let Some(moving) = &self.moving else {
            return self.shape().probe_within(x, limit);
        };
        let (distance, normal) = self.shape().probe_within(moving.start.to_rest(x), limit)?;
        Some((distance, moving.start.rotation * normal))
    }

    /// Whether a ball is outside for certain, as [`Shape::is_clear_of`].
    pub fn is_clear_of(&self, centre: Vec3, radius: f64) -> bool {
        match &self.moving {
            None => self.shape().is_clear_of(centre, radius),
            Some(moving) => {
                let centre = moving.start.to_rest(centre);
                self.shape().is_clear_of(centre, radius)
            }
        }
    }

    /// Velocity, m/s, of the obstacle's material point at `x`: the chord of its path over the step, so that a step
    /// with this velocity ends on the obstacle's path whatever the motion does in between.
    #[inline]
    pub fn velocity(&self, x: Vec3) -> Vec3 {
        match &self.moving {
            Some(m) if m.h > 0.0 => (m.end.to_world(m.start.to_rest(x)) - x) / m.h,
            _ => Vec3::ZERO,
        }
    }

    fn shape(&self) -> &'a Shape {
        &self.obstacle.shape
    }
}
