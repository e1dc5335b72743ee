//! Things that cannot be entered and that nothing moves but their own motion, as signed distances.
//!
//! A [`Shape`] is given where it is at rest; [`Obstacle::motion`] carries it through space as a drive carries nodes.
//! A step asks a [`PosedObstacle`], which knows both the place of the obstacle and how far the step takes it.

mod deepest;
mod height_field;
mod pose;
mod primitive;
mod shape;
mod solid_surface;
mod tessellate;
#[cfg(test)]
mod tests;

pub use deepest::{DeepestPoint, deepest_on_edge, deepest_on_triangle};
pub use height_field::HeightField;
pub use pose::{Pose, PosedObstacle};
pub use shape::Shape;
pub use solid_surface::{SolidSurface, SolidSurfaceError};

use crate::drive::Motion;

/// Something that every body may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Name for reports.
    pub name: String,
    /// Where it is at rest.
    pub shape: Shape,
    /// Coulomb's coefficient; default that between bodies.
    pub friction: Option<f64>,
    /// How it moves from there; `None` for what stands still. A twist is refused: obstacles are rigid.
    pub motion: Option<Motion>,
}

impl Obstacle {
    /// What is wrong with it, if anything.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.friction.is_some_and(|f| !(f >= 0.0 && f.is_finite())) {
            return Err("the coefficient of friction must not be negative");
        }
        if let Some(motion) = &self.motion {
            pose::check(motion)?;
        }
        self.shape.check()
    }

    /// Where it is at a time.
    pub fn pose(&self, time: f64) -> Pose {
        match &self.motion {
            None => Pose::REST,
            Some(motion) => Pose::of(motion, time),
        }
    }
}
