//! Distances and normals of shapes with a closed form.

use pliant_linalg::{Vec3, vec3};
use pliant_mesh::triangle::closest_on_segment;

/// Distance and normal of the ball of `radius` around the origin.
#[inline]
pub fn around(x: Vec3, radius: f64) -> (f64, Vec3) {
    let normal = x.normalized().unwrap_or(vec3(0.0, 0.0, 1.0));
    (x.norm() - radius, normal)
}

/// Distance and normal of all points within `radius` of the segment `a b`.
#[inline]
pub fn from_capsule(x: Vec3, a: Vec3, b: Vec3, radius: f64) -> (f64, Vec3) {
    let away = x - (a + (b - a) * closest_on_segment(a, b, x));
    match (away.normalized(), (b - a).normalized()) {
        (None, Some(axis)) => (-radius, across(axis)),
        _ => around(away, radius),
    }
}

/// Distance and normal of the box from −`half` to `half`.
pub fn from_box(x: Vec3, half: Vec3) -> (f64, Vec3) {
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

/// A point in cylinder coordinates about the axis through `centre` along the unit vector `axis`.
struct Cylindrical {
    height: f64,
    radius: f64,
    outwards: Vec3,
    upwards: Vec3,
}

impl Cylindrical {
    #[inline]
    fn new(x: Vec3, centre: Vec3, axis: Vec3) -> Cylindrical {
        let away = x - centre;
        let height = away.dot(axis);
        let sideways = away - axis * height;
        Cylindrical {
            height,
            radius: sideways.norm(),
            outwards: sideways.normalized().unwrap_or_else(|| across(axis)),
            upwards: axis * 1f64.copysign(height),
        }
    }
}

/// Distance and normal of the cylinder with the end centres `a` and `b`.
pub fn from_cylinder(x: Vec3, a: Vec3, b: Vec3, radius: f64) -> (f64, Vec3) {
    let half = (b - a).norm() / 2.0;
    let at = Cylindrical::new(x, (a + b) * 0.5, (b - a) / (2.0 * half));
    section(
        at.radius - radius,
        at.outwards,
        at.height.abs() - half,
        at.upwards,
    )
}

/// Distance and normal of the wall between `inner` and `outer` radius around the segment `a b`, with flat ends.
pub fn from_pipe(x: Vec3, a: Vec3, b: Vec3, inner: f64, outer: f64) -> (f64, Vec3) {
    let half = (b - a).norm() / 2.0;
    let at = Cylindrical::new(x, (a + b) * 0.5, (b - a) / (2.0 * half));
    let from_middle = at.radius - 0.5 * (inner + outer);
    section(
        from_middle.abs() - 0.5 * (outer - inner),
        at.outwards * 1f64.copysign(from_middle),
        at.height.abs() - half,
        at.upwards,
    )
}

/// Distance and normal of the torus of `minor` radius around the circle of `major` radius about `axis`.
pub fn from_torus(x: Vec3, centre: Vec3, axis: Vec3, major: f64, minor: f64) -> (f64, Vec3) {
    let at = Cylindrical::new(x, centre, axis);
    let from_core = at.outwards * (at.radius - major) + axis * at.height;
    match from_core.normalized() {
        Some(normal) => (from_core.norm() - minor, normal),
        None => (-minor, axis),
    }
}

/// A rectangle seen from one of its quarters: how far the point is beyond its side and its end, and where those point.
#[inline]
fn section(beyond_side: f64, outwards: Vec3, beyond_end: f64, upwards: Vec3) -> (f64, Vec3) {
    let outside = outwards * beyond_side.max(0.0) + upwards * beyond_end.max(0.0);
    match outside.normalized() {
        Some(normal) => (outside.norm(), normal),
        None if beyond_end >= beyond_side => (beyond_end, upwards),
        None => (beyond_side, outwards),
    }
}

/// Some unit vector across a unit vector.
pub fn across(axis: Vec3) -> Vec3 {
    let reference = if axis.x.abs() < 0.5 {
        Vec3::AXES[0]
    } else {
        Vec3::AXES[1]
    };
    let across = reference - axis * axis.dot(reference);
    across / across.norm()
}
