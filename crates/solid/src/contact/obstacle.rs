//! Things that do not move and cannot be entered, as signed distances.

use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::triangle::closest_on_segment;

/// Slack of unit vectors and rotations given by the user.
const UNIT_SLACK: f64 = 1e-9;

/// A fixed thing that every body may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Name for reports.
    pub name: String,
    /// Where it is.
    pub shape: Shape,
    /// Coulomb's coefficient; default that between bodies.
    pub friction: Option<f64>,
}

/// The part of space that nothing may enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Everything behind a plane.
    HalfSpace {
        /// A point of the plane, m.
        point: Vec3,
        /// Unit normal, towards the free side.
        normal: Vec3,
    },
    /// A ball, or everything outside it.
    Sphere {
        /// Centre, m.
        centre: Vec3,
        /// Radius, m.
        radius: f64,
        /// Bodies are kept inside.
        hollow: bool,
    },
    /// A box.
    Box {
        /// Centre, m.
        centre: Vec3,
        /// Half of its extent along its own axes, m.
        half: Vec3,
        /// Its axes in the world are the columns.
        rotation: Mat3,
    },
    /// All points near a segment; a ball when its ends coincide.
    Capsule {
        /// One end of the segment, m.
        a: Vec3,
        /// Other end, m.
        b: Vec3,
        /// Distance from the segment, m.
        radius: f64,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Centre of one end, m.
        a: Vec3,
        /// Centre of the other, m.
        b: Vec3,
        /// Radius, m.
        radius: f64,
    },
}

impl Obstacle {
    /// What is wrong with it, if anything.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.friction.is_some_and(|f| !(f >= 0.0 && f.is_finite())) {
            return Err("the coefficient of friction must not be negative");
        }
        self.shape.check()
    }
}

impl Shape {
    /// Signed distance (m, negative inside) and the unit normal out of the obstacle, its gradient. Where the gradient
    /// is not unique (the middle of a ball, an edge seen from inside) it is one of the possible ones.
    #[inline]
    pub fn probe(&self, x: Vec3) -> (f64, Vec3) {
        match *self {
            Shape::HalfSpace { point, normal } => (normal.dot(x - point), normal),
            Shape::Sphere {
                centre,
                radius,
                hollow,
            } => {
                let (distance, normal) = around(x - centre, radius);
                if hollow {
                    (-distance, -normal)
                } else {
                    (distance, normal)
                }
            }
            Shape::Box {
                centre,
                half,
                rotation,
            } => {
                let (distance, normal) = from_box(rotation.transpose() * (x - centre), half);
                (distance, rotation * normal)
            }
            Shape::Capsule { a, b, radius } => {
                let t = closest_on_segment(a, b, x);
                around(x - (a + (b - a) * t), radius)
            }
            Shape::Cylinder { a, b, radius } => from_cylinder(x, a, b, radius),
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let length = |r: f64| r > 0.0 && r.is_finite();
        let require = |ok: bool, reason| if ok { Ok(()) } else { Err(reason) };
        match *self {
            Shape::HalfSpace { point, normal } => {
                require(point.is_finite(), "the point must be finite")?;
                let unit = (normal.norm() - 1.0).abs() < UNIT_SLACK;
                require(unit, "the normal must have length 1")
            }
            Shape::Sphere { centre, radius, .. } => {
                require(centre.is_finite(), "the centre must be finite")?;
                require(length(radius), "the radius must be positive")
            }
            Shape::Box {
                centre,
                half,
                rotation,
            } => {
                require(centre.is_finite(), "the centre must be finite")?;
                let positive = half.to_array().into_iter().all(length);
                require(positive, "the extents must be positive")?;
                let excess = rotation.transpose() * rotation - Mat3::IDENTITY;
                let proper = excess.max_abs() < UNIT_SLACK && rotation.determinant() > 0.0;
                require(proper, "the rotation must be a proper rotation")
            }
            Shape::Capsule { a, b, radius } => {
                require(a.is_finite() && b.is_finite(), "the ends must be finite")?;
                require(length(radius), "the radius must be positive")
            }
            Shape::Cylinder { a, b, radius } => {
                require(a.is_finite() && b.is_finite(), "the ends must be finite")?;
                require(length((b - a).norm()), "the ends must differ")?;
                require(length(radius), "the radius must be positive")
            }
        }
    }
}

/// Distance and normal of the ball of `radius` around the origin.
#[inline]
fn around(x: Vec3, radius: f64) -> (f64, Vec3) {
    let normal = x.normalized().unwrap_or(vec3(0.0, 0.0, 1.0));
    (x.norm() - radius, normal)
}

/// Distance and normal of the box from −`half` to `half`.
fn from_box(x: Vec3, half: Vec3) -> (f64, Vec3) {
    let mirrored = vec3(x.x.abs(), x.y.abs(), x.z.abs());
    let beyond = mirrored - half;
    let outside = beyond.max(Vec3::ZERO);
    let sign = vec3(1f64.copysign(x.x), 1f64.copysign(x.y), 1f64.copysign(x.z));
    if let Some(normal) = outside.normalized() {
        return (outside.norm(), normal.scale(sign));
    }
    // inside: out through the nearest face, the first of equals
    let axis = (1..3).fold(0, |a, k| if beyond[k] > beyond[a] { k } else { a });
    (beyond[axis], Vec3::AXES[axis] * sign[axis])
}

/// Distance and normal of the cylinder with the end centres `a` and `b`.
fn from_cylinder(x: Vec3, a: Vec3, b: Vec3, radius: f64) -> (f64, Vec3) {
    let half = (b - a).norm() / 2.0;
    let axis = (b - a) / (2.0 * half);
    let from_middle = x - (a + b) * 0.5;
    let height = from_middle.dot(axis);
    let sideways = from_middle - axis * height;
    let outwards = sideways.normalized().unwrap_or_else(|| across(axis));
    let upwards = axis * 1f64.copysign(height);
    let (beyond_side, beyond_end) = (sideways.norm() - radius, height.abs() - half);
    let outside = outwards * beyond_side.max(0.0) + upwards * beyond_end.max(0.0);
    match outside.normalized() {
        Some(normal) => (outside.norm(), normal),
        None if beyond_end >= beyond_side => (beyond_end, upwards),
        None => (beyond_side, outwards),
    }
}

/// Some unit vector across a unit vector.
fn across(axis: Vec3) -> Vec3 {
    let reference = if axis.x.abs() < 0.5 {
        Vec3::AXES[0]
    } else {
        Vec3::AXES[1]
    };
    let across = reference - axis * axis.dot(reference);
    across / across.norm()
}
