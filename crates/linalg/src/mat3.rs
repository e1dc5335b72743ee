//! A 3×3 matrix stored by columns, the order of `vec(F)` everywhere in Pliant.

use crate::vec3::{Vec3, vec3};
use bytemuck::{Pod, Zeroable};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A 3×3 matrix of three columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Mat3 {
    /// The columns: entry (row r, column c) is `columns[c][r]`.
    pub columns: [Vec3; 3],
}

impl Mat3 {
    /// The zero matrix.
    pub const ZERO: Mat3 = Mat3 {
        columns: [Vec3::ZERO; 3],
    };
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3 {
        columns: Vec3::AXES,
    };

    /// From three columns.
    #[inline]
    pub const fn from_columns(a: Vec3, b: Vec3, c: Vec3) -> Self {
        Mat3 { columns: [a, b, c] }
    }

    /// From rows, the way a matrix is written on paper.
    #[inline]
    pub const fn from_rows(r: [[f64; 3]; 3]) -> Self {
        Mat3::from_columns(
            vec3(r[0][0], r[1][0], r[2][0]),
            vec3(r[0][1], r[1][1], r[2][1]),
            vec3(r[0][2], r[1][2], r[2][2]),
        )
    }

    /// A diagonal matrix.
    #[inline]
    pub const fn diagonal(d: Vec3) -> Self {
        Mat3::from_rows([[d.x, 0.0, 0.0], [0.0, d.y, 0.0], [0.0, 0.0, d.z]])
    }

    /// a bᵀ.
    #[inline]
    pub fn outer(a: Vec3, b: Vec3) -> Self {
        Mat3::from_columns(a * b.x, a * b.y, a * b.z)
    }

    /// `[a]×`, the matrix with `[a]× b = a × b`.
    #[inline]
    pub const fn cross_matrix(a: Vec3) -> Self {
        Mat3::from_rows([[0.0, -a.z, a.y], [a.z, 0.0, -a.x], [-a.y, a.x, 0.0]])
    }

    /// The rotation by `angle` radians about `axis` (a unit vector), right-handed.
    pub fn rotation(axis: Vec3, angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        Mat3::IDENTITY * c + Mat3::cross_matrix(axis) * s + Mat3::outer(axis, axis) * (1.0 - c)
    }

    /// Entry in row `r`, column `c`.
    #[inline]
    pub fn at(&self, r: usize, c: usize) -> f64 {
        self.columns[c][r]
    }

    /// Sets the entry in row `r`, column `c`.
    #[inline]
    pub fn set(&mut self, r: usize, c: usize, value: f64) {
        self.columns[c][r] = value;
    }

    /// Row `r`.
    #[inline]
    pub fn row(&self, r: usize) -> Vec3 {
        vec3(self.columns[0][r], self.columns[1][r], self.columns[2][r])
    }

    /// The transpose.
    #[inline]
    pub fn transpose(&self) -> Mat3 {
        Mat3::from_columns(self.row(0), self.row(1), self.row(2))
    }

    /// The determinant.
    #[inline]
    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.columns;
        a.dot(b.cross(c))
    }

    /// ∂det/∂F = [f1×f2 | f2×f0 | f0×f1].
    #[inline]
    pub fn cofactor(&self) -> Mat3 {
        let [a, b, c] = self.columns;
        Mat3::from_columns(b.cross(c), c.cross(a), a.cross(b))
    }

    /// The inverse, or `None` when the determinant is zero or not finite.
    pub fn inverse(&self) -> Option<Mat3> {
        let det = self.determinant();
        (det != 0.0 && det.is_finite()).then(|| self.cofactor().transpose() * (1.0 / det))
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> f64 {
        self.columns[0].x + self.columns[1].y + self.columns[2].z
    }

    /// Frobenius norm.
    pub fn norm(&self) -> f64 {
        self.columns
            .iter()
            .map(|c| c.norm_squared())
            .sum::<f64>()
            .sqrt()
    }

    /// Largest absolute entry.
    pub fn max_abs(&self) -> f64 {
        self.columns.iter().fold(0.0, |m, c| m.max(c.max_abs()))
    }

    /// ½(A + Aᵀ).
    pub fn symmetric_part(&self) -> Mat3 {
        (*self + self.transpose()) * 0.5
    }

    /// Whether every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.columns.iter().all(|c| c.is_finite())
    }
}

impl Add for Mat3 {
    type Output = Mat3;
    #[inline]
    fn add(self, o: Mat3) -> Mat3 {
        let ([a, b, c], [d, e, f]) = (self.columns, o.columns);
        Mat3::from_columns(a + d, b + e, c + f)
    }
}

impl AddAssign for Mat3 {
    #[inline]
    fn add_assign(&mut self, o: Mat3) {
        *self = *self + o;
    }
}

impl Sub for Mat3 {
    type Output = Mat3;
    #[inline]
    fn sub(self, o: Mat3) -> Mat3 {
        self + -o
    }
}

impl Neg for Mat3 {
    type Output = Mat3;
    #[inline]
    fn neg(self) -> Mat3 {
        self * -1.0
    }
}

impl Mul<f64> for Mat3 {
    type Output = Mat3;
    #[inline]
    fn mul(self, s: f64) -> Mat3 {
        let [a, b, c] = self.columns;
        Mat3::from_columns(a * s, b * s, c * s)
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, v: Vec3) -> Vec3 {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }
}

impl Mul<Mat3> for Mat3 {
    type Output = Mat3;
    #[inline]
    fn mul(self, o: Mat3) -> Mat3 {
        Mat3::from_columns(
            self * o.columns[0],
            self * o.columns[1],
            self * o.columns[2],
        )
    }
}
