//! ∂P/∂F of eight elements, in the form that keeps it small and its eigenvalues visible.
//!
//! For an isotropic energy the 9×9 Hessian is block diagonal in the frame of F = U Σ Vᵀ [SGK19]: three scaling
//! modes coupled by a symmetric 3×3 matrix, three flip modes and three twist modes with one eigenvalue each.
//!
//! ```text
//! dP = U ( D : (Uᵀ dF V) ) Vᵀ
//! D couples (i,i) with (k,k) by scaling_ik,
//! (i,j) with itself by ½(flip_k + twist_k) and with (j,i) by ½(flip_k − twist_k),   i, j, k distinct.
//! ```
//!
//! A fibre along a adds first · (aaᵀ ⊗ I) + second · vec(m aᵀ) vec(m aᵀ)ᵀ with m = F a (METHODS 0.5).

use fearless_simd::{Simd, prelude::*};
use pliant_linalg::each;
use pliant_linalg::lanes::{LaneMat3, LaneVec3, Lanes, splat};
use pliant_linalg::svd::{LaneSymmetric, clamp_symmetric};

/// Index of the pair (i, k), i ≠ k, in the order xx, yy, zz, xy, xz, yz.
#[inline(always)]
fn pair(i: usize, k: usize) -> usize {
    2 + i + k
}

/// Isotropic part of ∂P/∂F; see the file header.
#[derive(Clone, Copy)]
pub struct Tangent<S: Simd> {
    /// Left frame.
    pub u: LaneMat3<S>,
    /// Right frame.
    pub v: LaneMat3<S>,
    /// ∂²ψ/∂σᵢ∂σₖ as xx, yy, zz, xy, xz, yz.
    pub scaling: LaneSymmetric<S>,
    /// Eigenvalue of the twist mode about axis i.
    pub twist: [Lanes<S>; 3],
    /// Eigenvalue of the flip mode about axis i.
    pub flip: [Lanes<S>; 3],
}

/// Fibre part of ∂P/∂F; see the file header.
#[derive(Clone, Copy)]
pub struct FibreTangent<S: Simd> {
    /// Rest direction a, of unit length.
    pub direction: LaneVec3<S>,
    /// m = F a.
    pub stretched: LaneVec3<S>,
    /// Factor of aaᵀ ⊗ I.
    pub first: Lanes<S>,
    /// Factor of vec(m aᵀ) vec(m aᵀ)ᵀ.
    pub second: Lanes<S>,
}

impl<S: Simd> Tangent<S> {
    /// The nearest positive semidefinite tangent: all nine eigenvalues clamped at zero.
    #[inline(always)]
    pub fn projected(mut self, simd: S) -> Self {
        let zero = splat(simd, 0.0);
        self.twist = each!(i in 3 => self.twist[i].max(zero));
        self.flip = each!(i in 3 => self.flip[i].max(zero));
        self.scaling = clamp_symmetric(simd, self.scaling);
        self
    }

    /// ½(flip + twist) and ½(flip − twist) of the three axes.
    #[inline(always)]
    fn shear(&self) -> ([Lanes<S>; 3], [Lanes<S>; 3]) {
        (
            each!(k in 3 => (self.flip[k] + self.twist[k]) * 0.5),
            each!(k in 3 => (self.flip[k] - self.twist[k]) * 0.5),
        )
    }

    /// dP for a change dF.
    #[inline(always)]
    pub fn apply(&self, df: &LaneMat3<S>) -> LaneMat3<S> {
        let dp = self.apply_in_frame(&self.u.transpose_times(&df.times(&self.v)));
        self.u.times(&dp).times_transpose(&self.v)
    }

    /// Uᵀ dP V for a change given as Uᵀ dF V.
    #[inline(always)]
    pub fn apply_in_frame(&self, d: &LaneMat3<S>) -> LaneMat3<S> {
        let (same, swapped) = self.shear();
        let s = &self.scaling;
        let mut dp = *d;
        for r in 0..3 {
            let (j, k) = ((r + 1) % 3, (r + 2) % 3);
            dp.0[r].0[r] = s[r].mul_add(
                d.at(r, r),
                s[pair(r, j)].mul_add(d.at(j, j), s[pair(r, k)] * d.at(k, k)),
            );
            // entries (j, k) and (k, j) belong to axis r
            dp.0[k].0[j] = same[r].mul_add(d.at(j, k), swapped[r] * d.at(k, j));
            dp.0[j].0[k] = same[r].mul_add(d.at(k, j), swapped[r] * d.at(j, k));
        }
        dp
    }

    /// Stiffness between the nodes with shape gradients `ga` and `gb`, per unit volume: ∂(P ga)/∂x_b.
    /// Gradients are given in the right frame, Vᵀg; the result is still in the left frame, Uᵀ K U.
    #[inline(always)]
    pub fn block_in_frame(&self, ga: LaneVec3<S>, gb: LaneVec3<S>) -> LaneMat3<S> {
        let (same, swapped) = self.shear();
        let s = &self.scaling;
        let (a, b) = (ga.0, gb.0);
        let mut k = LaneMat3([ga; 3]);
        for r in 0..3 {
            let (i, j) = ((r + 1) % 3, (r + 2) % 3);
            k.0[r].0[r] =
                (s[r] * a[r]).mul_add(b[r], (same[j] * a[i]).mul_add(b[i], same[i] * a[j] * b[j]));
            // entries (i, j) and (j, i) belong to axis r
            let scaling = s[pair(i, j)];
            k.0[j].0[i] = (scaling * a[i]).mul_add(b[j], swapped[r] * a[j] * b[i]);
            k.0[i].0[j] = (scaling * a[j]).mul_add(b[i], swapped[r] * a[i] * b[j]);
        }
        k
    }
}

impl<S: Simd> FibreTangent<S> {
    /// The nearest positive semidefinite tangent (METHODS 0.5).
    #[inline(always)]
    pub fn projected(mut self, simd: S) -> Self {
        let zero = splat(simd, 0.0);
        let i5 = self.stretched.dot(self.stretched);
        let across = self.first.max(zero);
        let along = self.second.mul_add(i5, self.first).max(zero);
        let safe = i5.max(splat(simd, f64::MIN_POSITIVE));
        self.first = across;
        self.second = (along - across) / safe;
        self
    }

    /// dP for a change dF.
    #[inline(always)]
    pub fn apply(&self, df: &LaneMat3<S>) -> LaneMat3<S> {
        let dm = df.times_vector(self.direction);
        let dp = dm
            .scaled(self.first)
            .add_scaled(self.second * self.stretched.dot(dm), self.stretched);
        LaneMat3(each!(c in 3 => dp.scaled(self.direction.0[c])))
    }

    /// Stiffness between two nodes per unit volume, given aᵀg of both.
    #[inline(always)]
    pub fn block(&self, sa: Lanes<S>, sb: Lanes<S>) -> LaneMat3<S> {
        let weight = sa * sb;
        let scaled = self.stretched.scaled(self.second * weight);
        let mut k = LaneMat3(each!(c in 3 => scaled.scaled(self.stretched.0[c])));
        for i in 0..3 {
            k.0[i].0[i] = self.first.mul_add(weight, k.0[i].0[i]);
        }
        k
    }
}
