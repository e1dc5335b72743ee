//! The shapes of obstacles.

use super::primitive::{around, from_box, from_capsule, from_cylinder, from_pipe, from_torus};
use super::{HeightField, SolidSurface};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::Aabb;
use std::sync::Arc;

/// Slack of unit vectors and rotations given by the user.
pub(super) const UNIT_SLACK: f64 = 1e-9;

/// The part of space that nothing may enter.
#[derive(Clone, Debug, PartialEq)]
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
    /// A ring with a round section.
    Torus {
        /// Centre, m.
        centre: Vec3,
        /// Unit vector along its axis.
        axis: Vec3,
        /// Radius of the circle in the middle of the section, m.
        major: f64,
        /// Radius of the section, m; less than `major`.
        minor: f64,
    },
    /// A hollow cylinder with flat ends, which bodies may go through.
    Pipe {
        /// Centre of one end, m.
        a: Vec3,
        /// Centre of the other, m.
        b: Vec3,
        /// Inner radius, m.
        inner: f64,
        /// Outer radius, m.
        outer: f64,
    },
    /// Everything below a relief.
    HeightField(Arc<HeightField>),
    /// Everything inside a closed surface.
    Mesh(Arc<SolidSurface>),
}

impl Shape {
    /// Signed distance (m, negative inside) and the unit normal out of the obstacle, its gradient. Where the gradient
    /// is not unique (the middle of a ball, an edge seen from inside) it is one of the possible ones.
    #[inline]
    pub fn probe(&self, x: Vec3) -> (f64, Vec3) {
        match self {
            &Shape::HalfSpace { point, normal } => (normal.dot(x - point), normal),
            &Shape::Sphere {
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
                let (distance, normal) = from_box(rotation.transpose() * (x - *centre), *half);
                (distance, *rotation * normal)
            }
            &Shape::Capsule { a, b, radius } => from_capsule(x, a, b, radius),
            &Shape::Cylinder { a, b, radius } => from_cylinder(x, a, b, radius),
            &Shape::Torus {
                centre,
                axis,
                major,
                minor,
            } => from_torus(x, centre, axis, major, minor),
            &Shape::Pipe { a, b, inner, outer } => from_pipe(x, a, b, inner, outer),
            Shape::HeightField(field) => field.probe(x),
            Shape::Mesh(surface) => surface.probe(x),
        }
    }

    /// [`Shape::probe`] where the distance is below `limit` (m, not negative), `None` elsewhere: most points are
    /// farther away and cost a comparison of boxes.
    #[inline]
    pub fn probe_within(&self, x: Vec3, limit: f64) -> Option<(f64, Vec3)> {
        let far = match self {
            Shape::HalfSpace { .. } | Shape::Sphere { .. } => false,
            Shape::HeightField(field) => return field.probe_within(x, limit),
            Shape::Mesh(surface) => return surface.probe_within(x, limit),
            // no box is kept: the distance to the middle says as much
            &Shape::Box { centre, half, .. } => beyond(x - centre, half.norm() + limit),
            &Shape::Capsule { a, b, radius } => {
                beyond(x - (a + b) * 0.5, 0.5 * (b - a).norm() + radius + limit)
            }
            &Shape::Cylinder { a, b, radius: r } | &Shape::Pipe { a, b, outer: r, .. } => {
                beyond(x - (a + b) * 0.5, 0.5 * (b - a).norm() + r + limit)
            }
            &Shape::Torus {
                centre,
                major,
                minor,
                ..
            } => beyond(x - centre, major + minor + limit),
        };
        if far {
            return None;
        }
        Some(self.probe(x)).filter(|(distance, _)| *distance < limit)
    }

    /// Whether a ball is outside for certain; may say no though it is. Distances change no faster than points move.
    pub fn is_clear_of(&self, centre: Vec3, radius: f64) -> bool {
        match self {
            Shape::HeightField(field) => field.is_clear_of(centre, radius),
            other => other.probe_within(centre, radius).is_none(),
        }
    }

    /// How much the distance curves downwards at most within a ball, 1/m: zero for convex shapes, infinite where no bound is known.
    pub fn concavity(&self, middle: Vec3, radius: f64) -> f64 {
        match *self {
            _ if self.is_convex() => 0.0,
            Shape::Torus {
                centre,
                axis,
                major,
                ..
            } => {
                // around the axis (ρ − R)/(dρ), with |ρ − R| ≤ d; nowhere else
                let offset = middle - centre;
                let nearest = (offset - axis * offset.dot(axis)).norm() - radius;
                match nearest {
                    rho if rho >= major => 0.0,
                    rho if rho > 0.0 => 1.0 / rho,
                    _ => f64::INFINITY,
                }
            }
            _ => f64::INFINITY,
        }
    }

    /// The box around the shape, `None` where it has no end.
    pub fn bounds(&self) -> Option<Aabb> {
        let ball = |c: Vec3, r: f64| Aabb { low: c, high: c }.grown(r);
        // half the extent of a disc of unit radius across a unit vector
        let disc = |axis: Vec3| {
            let across = axis.to_array().map(|a| (1.0 - a * a).max(0.0).sqrt());
            Vec3::from(across)
        };
        match self {
            Shape::HalfSpace { .. }
            | Shape::Sphere { hollow: true, .. }
            | Shape::HeightField(_) => None,
            &Shape::Sphere { centre, radius, .. } => Some(ball(centre, radius)),
            Shape::Box {
                centre,
                half,
                rotation,
            } => {
                let reach = (0..3).fold(Vec3::ZERO, |sum, k| {
                    let column = rotation.columns[k] * half[k];
                    sum + column.max(-column)
                });
                Some(Aabb {
                    low: *centre - reach,
                    high: *centre + reach,
                })
            }
            &Shape::Capsule { a, b, radius } => Some(Aabb::of(&[a, b]).grown(radius)),
            &Shape::Cylinder { a, b, radius: r } | &Shape::Pipe { a, b, outer: r, .. } => {
                let reach = disc((b - a).normalized().unwrap_or(Vec3::AXES[2])) * r;
                let ends = Aabb::of(&[a, b]);
                Some(Aabb {
                    low: ends.low - reach,
                    high: ends.high + reach,
                })
            }
            &Shape::Torus {
                centre,
                axis,
                major,
                minor,
            } => {
                let reach = disc(axis) * major + vec3(minor, minor, minor);
                Some(Aabb {
                    low: centre - reach,
                    high: centre + reach,
                })
            }
            Shape::Mesh(surface) => Some(surface.bounds()),
        }
    }

    /// Whether the signed distance is a convex function: then a single descent finds its least value.
    pub(super) fn is_convex(&self) -> bool {
        match self {
            Shape::HalfSpace { .. }
            | Shape::Sphere { hollow: false, .. }
            | Shape::Box { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. } => true,
            Shape::Sphere { hollow: true, .. }
            | Shape::Torus { .. }
            | Shape::Pipe { .. }
            | Shape::HeightField(_)
            | Shape::Mesh(_) => false,
        }
    }

    /// What is wrong with it, if anything. Height fields and surfaces were checked when they were made.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let length = |r: f64| r > 0.0 && r.is_finite();
        let unit = |v: Vec3| (v.norm() - 1.0).abs() < UNIT_SLACK;
        let require = |ok: bool, reason| if ok { Ok(()) } else { Err(reason) };
        let ends = |a: Vec3, b: Vec3| {
            require(a.is_finite() && b.is_finite(), "the ends must be finite")?;
            require(length((b - a).norm()), "the ends must differ")
        };
        match *self {
            Shape::HalfSpace { point, normal } => {
                require(point.is_finite(), "the point must be finite")?;
                require(unit(normal), "the normal must have length 1")
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
                require(
                    is_rotation(&rotation),
                    "the rotation must be a proper rotation",
                )
            }
            Shape::Capsule { a, b, radius } => {
                require(a.is_finite() && b.is_finite(), "the ends must be finite")?;
                require(length(radius), "the radius must be positive")
            }
            Shape::Cylinder { a, b, radius } => {
                ends(a, b)?;
                require(length(radius), "the radius must be positive")
            }
            Shape::Torus {
                centre,
                axis,
                major,
                minor,
            } => {
                require(centre.is_finite(), "the centre must be finite")?;
                require(unit(axis), "the axis must have length 1")?;
                let both = length(major) && length(minor);
                require(both, "the radii must be positive")?;
                require(
                    minor < major,
                    "the minor radius must be less than the major one: a torus has a hole",
                )
            }
            Shape::Pipe { a, b, inner, outer } => {
                ends(a, b)?;
                let both = length(inner) && length(outer);
                require(both, "the radii must be positive")?;
                require(
                    inner < outer,
                    "the inner radius must be less than the outer one",
                )
            }
            Shape::HeightField(_) | Shape::Mesh(_) => Ok(()),
        }
    }
}

/// Whether a vector is longer than `limit`.
#[inline]
fn beyond(v: Vec3, limit: f64) -> bool {
    v.norm_squared() > limit * limit
}

pub(super) fn is_rotation(m: &Mat3) -> bool {
    let excess = m.transpose() * *m - Mat3::IDENTITY;
    excess.max_abs() < UNIT_SLACK && m.determinant() > 0.0
}
