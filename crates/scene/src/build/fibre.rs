//! Fibre directions at the centroids of elements.

use super::{direction, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{FibreDirection, RadialTable};
use pliant_linalg::{Vec3, vec3};
use std::f64::consts::TAU;

/// A fibre field, ready to be evaluated.
pub enum FibreField {
    Constant(Vec3),
    Radial(Axis),
    /// Angle to the axis, rad.
    HelicalAngle(Axis, f64),
    /// Rise in one turn, m.
    HelicalPitch(Axis, f64),
}

/// A line in space.
pub struct Axis {
    direction: Vec3,
    centre: Vec3,
}

impl Axis {
    fn new(table: &RadialTable, at: &KeyPath) -> Result<Self, Problem> {
        Ok(Axis {
            direction: direction(table.axis, &at.key("axis"))?,
            centre: vector(table.centre),
        })
    }

    /// Distance from the axis and the unit vector away from it; on the axis, any that is perpendicular to it.
    fn away(&self, point: Vec3) -> (f64, Vec3) {
        let arm = point - self.centre;
        let radial = arm - self.direction * arm.dot(self.direction);
        let radius = radial.norm();
        // rounding of the subtraction decides the direction below this
        if radius > 1e-12 * arm.norm() {
            return (radius, radial / radius);
        }
        let least =
            (0..3).min_by(|&a, &b| self.direction[a].abs().total_cmp(&self.direction[b].abs()));
        let other = Vec3::AXES[least.unwrap_or(0)];
        let across = self.direction.cross(other);
        (0.0, across.normalized().unwrap_or(vec3(1.0, 0.0, 0.0)))
    }

    /// The direction that leans from the axis towards its right-handed turn by `angle`, rad.
    fn helix(&self, away: Vec3, angle: f64) -> Vec3 {
        self.direction * angle.cos() + self.direction.cross(away) * angle.sin()
    }
}

impl FibreField {
    pub fn new(table: &FibreDirection, at: &KeyPath) -> Result<Self, Problem> {
        match table {
            FibreDirection::Constant(v) => {
                Ok(FibreField::Constant(direction(*v, &at.key("constant"))?))
            }
            FibreDirection::Radial(radial) => {
                Ok(FibreField::Radial(Axis::new(radial, &at.key("radial"))?))
            }
            FibreDirection::Helical(helical) => {
                let at = at.key("helical");
                let axis = RadialTable {
                    axis: helical.axis,
                    centre: helical.centre,
                };
                let axis = Axis::new(&axis, &at)?;
                match (helical.angle, helical.pitch) {
                    (Some(angle), None) => Ok(FibreField::HelicalAngle(axis, angle.si)),
                    (None, Some(pitch)) if pitch.si != 0.0 => {
                        Ok(FibreField::HelicalPitch(axis, pitch.si))
                    }
                    (None, Some(_)) => Err(Problem::new(
                        at.key("pitch"),
                        "the pitch of a helix must not be zero",
                    )
                    .help("write angle = \"90 deg\" for rings")),
                    _ => Err(Problem::new(at, "a helix needs either `angle` or `pitch`")),
                }
            }
        }
    }

    /// Unit direction at a point.
    pub fn at(&self, point: Vec3) -> Vec3 {
        match self {
            FibreField::Constant(v) => *v,
            FibreField::Radial(axis) => axis.away(point).1,
            FibreField::HelicalAngle(axis, angle) => axis.helix(axis.away(point).1, *angle),
            FibreField::HelicalPitch(axis, pitch) => {
                let (radius, away) = axis.away(point);
                axis.helix(away, (TAU * radius / pitch).atan())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upright() -> Axis {
        Axis {
            direction: vec3(0.0, 0.0, 1.0),
            centre: vec3(1.0, 0.0, 0.0),
        }
    }

    #[test]
    fn fields_by_hand() {
        let close = |a: Vec3, b: Vec3| (a - b).norm() < 1e-15;
        let point = vec3(3.0, 0.0, 7.0);
        assert!(close(
            FibreField::Radial(upright()).at(point),
            vec3(1.0, 0.0, 0.0)
        ));
        let ring = FibreField::HelicalAngle(upright(), TAU / 4.0);
        assert!(
            close(ring.at(point), vec3(0.0, 1.0, 0.0)),
            "counter-clockwise seen from the tip of the axis"
        );
        // radius 2: a turn of 4π rises by 4π, so the fibre rises at 45°
        let pitch = FibreField::HelicalPitch(upright(), 2.0 * TAU);
        let half = 0.5f64.sqrt();
        assert!(close(pitch.at(point), vec3(0.0, half, half)));
        let left = FibreField::HelicalPitch(upright(), -2.0 * TAU);
        assert!(close(left.at(point), vec3(0.0, -half, half)));
    }

    #[test]
    fn points_on_the_axis_get_a_unit_vector() {
        let on_axis = vec3(1.0, 0.0, 5.0);
        for field in [
            FibreField::Radial(upright()),
            FibreField::HelicalAngle(upright(), 1.0),
        ] {
            assert!((field.at(on_axis).norm() - 1.0).abs() < 1e-14);
        }
        let pitch = FibreField::HelicalPitch(upright(), 0.1);
        assert_eq!(pitch.at(on_axis), vec3(0.0, 0.0, 1.0));
    }
}
