//! Quaternions w + x i + y j + z k; those of unit length are rotations, q and −q the same one.

use pliant_linalg::{Mat3, Vec3, vec3};
use std::ops::{Add, Mul, Neg};

/// A quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion {
    /// Real part; cos of half the angle.
    pub w: f64,
    /// Vector part; the axis times sin of half the angle.
    pub v: Vec3,
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Quaternion = Quaternion {
        w: 1.0,
        v: Vec3::ZERO,
    };
    /// Nothing.
    pub const ZERO: Quaternion = Quaternion {
        w: 0.0,
        v: Vec3::ZERO,
    };

    /// From its four numbers, real part first.
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Quaternion {
        Quaternion {
            w,
            v: vec3(x, y, z),
        }
    }

    /// The rotation by `angle` rad about a unit axis, right-handed.
    pub fn turn(axis: Vec3, angle: f64) -> Quaternion {
        let (sin, cos) = (0.5 * angle).sin_cos();
        Quaternion {
            w: cos,
            v: axis * sin,
        }
    }

    /// Scalar product of the four numbers.
    #[inline]
    pub fn dot(self, other: Quaternion) -> f64 {
        self.w * other.w + self.v.dot(other.v)
    }

    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Of unit length, or `None` if it has none or is not finite.
    pub fn normalized(self) -> Option<Quaternion> {
        let norm = self.norm();
        (norm > 0.0 && norm.is_finite()).then(|| self * (1.0 / norm))
    }

    /// The inverse of a rotation.
    #[inline]
    pub fn conjugate(self) -> Quaternion {
        Quaternion {
            w: self.w,
            v: -self.v,
        }
    }

    /// The matrix of the rotation, if the length is one.
    pub fn matrix(self) -> Mat3 {
        let (w, Vec3 { x, y, z }) = (self.w, self.v);
        Mat3::from_rows([
            [
                1.0 - 2.0 * (y * y + z * z),
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            ],
            [
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
            ],
            [
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                1.0 - 2.0 * (x * x + y * y),
            ],
        ])
    }

    /// The vector turned by a quaternion of unit length.
    #[inline]
    pub fn rotate(self, x: Vec3) -> Vec3 {
        let t = self.v.cross(x) * 2.0;
        x + t * self.w + self.v.cross(t)
    }

    /// On the shortest way from `self` to `other` at constant speed, `s` from 0 to 1. Both have unit length.
    pub fn slerp(self, other: Quaternion, s: f64) -> Quaternion {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        // the angle by atan2 of the half sum and difference, which is accurate for small and for right angles
        let (sum, difference) = (self + other, self + -other);
        let angle = 2.0 * difference.norm().atan2(sum.norm());
        let sine = angle.sin();
        // below this the chord and the arc are one to the last bit
        if sine < 1e-9 {
            return (self * (1.0 - s) + other * s).normalized().unwrap_or(self);
        }
        let blend = self * (((1.0 - s) * angle).sin() / sine) + other * ((s * angle).sin() / sine);
        blend.normalized().unwrap_or(self)
    }
}

impl Mul for Quaternion {
    type Output = Quaternion;
    /// First `other`, then `self`.
    #[inline]
    fn mul(self, other: Quaternion) -> Quaternion {
        Quaternion {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v * self.w + self.v * other.w + self.v.cross(other.v),
        }
    }
}

impl Mul<f64> for Quaternion {
    type Output = Quaternion;
    #[inline]
    fn mul(self, factor: f64) -> Quaternion {
        Quaternion {
            w: self.w * factor,
            v: self.v * factor,
        }
    }
}

impl Add for Quaternion {
    type Output = Quaternion;
    #[inline]
    fn add(self, other: Quaternion) -> Quaternion {
        Quaternion {
            w: self.w + other.w,
            v: self.v + other.v,
        }
    }
}

impl Neg for Quaternion {
    type Output = Quaternion;
    #[inline]
    fn neg(self) -> Quaternion {
        self * -1.0
    }
}
