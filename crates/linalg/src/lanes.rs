//! Eight elements side by side: the 3-vectors and 3×3 matrices of vectorised element kernels.
//!
//! Every function is generic over the instruction set `S` and `#[inline(always)]`, so that it becomes part of
//! the kernel that [`vectorize`] compiles once per instruction set and picks at run time.
//! Lane i of every value belongs to element i of a pack; lanes never mix. Arrays of lanes are written with [`each`]
//! instead of `map` or `from_fn`: a closure that is not inlined would lose the instruction set.

use crate::{Mat3, Vec3};
#[doc(hidden)]
pub use fearless_simd::{Level, Simd, dispatch};
use fearless_simd::{f64x8, prelude::*};

/// `vectorize!(simd => e)` evaluates `e` with the widest instruction set of this machine: AVX-512, AVX2 or SSE2 on x86-64
/// (each one more copy of the kernel to compile; SSE4.2 would gain nothing over SSE2), whatever there is elsewhere.
/// `vectorize!(cold simd => e)` compiles `e` for the baseline only.
#[macro_export]
macro_rules! vectorize {
    (cold $simd:ident => $e:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            let $simd = $crate::lanes::baseline();
            $e
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let level = $crate::lanes::Level::new();
            $crate::lanes::dispatch!(level, $simd => $e)
        }
    }};
    ($simd:ident => $e:expr) => {{
        let level = $crate::lanes::Level::new();
        #[cfg(target_arch = "x86_64")]
        match level {
            $crate::lanes::Level::Avx512($simd) => $crate::vectorize!(@ $simd $e),
            $crate::lanes::Level::Avx2($simd) => $crate::vectorize!(@ $simd $e),
            _ => $crate::vectorize!(cold $simd => $e),
        }
        #[cfg(not(target_arch = "x86_64"))]
        $crate::lanes::dispatch!(level, $simd => $e)
    }};
    (@ $simd:ident $e:expr) => {
        $crate::lanes::Simd::vectorize(
            $simd,
            #[inline(always)]
            || $e,
        )
    };
}

/// SSE2, which every x86-64 processor has.
#[cfg(target_arch = "x86_64")]
pub fn baseline() -> fearless_simd::x86::Sse2 {
    match Level::new().as_sse2() {
        Some(simd) => simd,
        None => unreachable!("x86-64 includes SSE2"),
    }
}

/// `each!(i in 3 => e)` is `[e with i = 0, e with i = 1, e with i = 2]`, unrolled in place.
#[macro_export]
macro_rules! each {
    ($i:ident in 3 => $e:expr) => {
        [$crate::each!(@ $i 0 $e), $crate::each!(@ $i 1 $e), $crate::each!(@ $i 2 $e)]
    };
    ($i:ident in 4 => $e:expr) => {
        [$crate::each!(@ $i 0 $e), $crate::each!(@ $i 1 $e), $crate::each!(@ $i 2 $e), $crate::each!(@ $i 3 $e)]
    };
    ($i:ident in 6 => $e:expr) => {
        [
            $crate::each!(@ $i 0 $e), $crate::each!(@ $i 1 $e), $crate::each!(@ $i 2 $e),
            $crate::each!(@ $i 3 $e), $crate::each!(@ $i 4 $e), $crate::each!(@ $i 5 $e),
        ]
    };
    (@ $i:ident $n:literal $e:expr) => {{
        let $i: usize = $n;
        $e
    }};
}

/// How many elements a pack holds.
pub const LANES: usize = 8;

/// One `f64` for each element of a pack.
pub type Lanes<S> = f64x8<S>;

/// Storage form of [`Lanes`], aligned to a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Pack(pub [f64; LANES]);

impl Pack {
    /// Into a register.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S) -> Lanes<S> {
        Lanes::from_slice(simd, &self.0)
    }

    /// From a register.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, value: Lanes<S>) {
        value.store_slice(&mut self.0);
    }
}

/// The same number in every lane.
#[inline(always)]
pub fn splat<S: Simd>(simd: S, value: f64) -> Lanes<S> {
    Lanes::splat(simd, value)
}

/// Applies a scalar function to each lane; for the logarithm and exponential, which no instruction set has.
#[inline(always)]
pub fn map<S: Simd>(simd: S, value: Lanes<S>, f: impl Fn(f64) -> f64) -> Lanes<S> {
    let mut a = [0.0; LANES];
    value.store_slice(&mut a);
    for lane in &mut a {
        *lane = f(*lane);
    }
    Lanes::from_slice(simd, &a)
}

/// A 3-vector in each lane.
#[derive(Clone, Copy)]
pub struct LaneVec3<S: Simd>(pub [Lanes<S>; 3]);

impl<S: Simd> LaneVec3<S> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(simd: S, v: Vec3) -> Self {
        LaneVec3([splat(simd, v.x), splat(simd, v.y), splat(simd, v.z)])
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> Lanes<S> {
        self.0[0].mul_add(o.0[0], self.0[1].mul_add(o.0[1], self.0[2] * o.0[2]))
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        let (a, b) = (self.0, o.0);
        LaneVec3([
            a[1].mul_sub(b[2], a[2] * b[1]),
            a[2].mul_sub(b[0], a[0] * b[2]),
            a[0].mul_sub(b[1], a[1] * b[0]),
        ])
    }

    /// self + s·o.
    #[inline(always)]
    pub fn add_scaled(self, s: Lanes<S>, o: Self) -> Self {
        LaneVec3([
            s.mul_add(o.0[0], self.0[0]),
            s.mul_add(o.0[1], self.0[1]),
            s.mul_add(o.0[2], self.0[2]),
        ])
    }

    /// s·self.
    #[inline(always)]
    pub fn scaled(self, s: Lanes<S>) -> Self {
        LaneVec3([self.0[0] * s, self.0[1] * s, self.0[2] * s])
    }

    /// Difference.
    #[inline(always)]
    pub fn minus(self, o: Self) -> Self {
        LaneVec3([self.0[0] - o.0[0], self.0[1] - o.0[1], self.0[2] - o.0[2]])
    }

    /// Sum.
    #[inline(always)]
    pub fn plus(self, o: Self) -> Self {
        LaneVec3([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }
}

/// A 3×3 matrix in each lane, by columns.
#[derive(Clone, Copy)]
pub struct LaneMat3<S: Simd>(pub [LaneVec3<S>; 3]);

impl<S: Simd> LaneMat3<S> {
    /// The same matrix in every lane.
    #[inline(always)]
    pub fn splat(simd: S, m: &Mat3) -> Self {
        LaneMat3(each!(c in 3 => LaneVec3::splat(simd, m.columns[c])))
    }

    /// The identity in every lane.
    #[inline(always)]
    pub fn identity(simd: S) -> Self {
        Self::splat(simd, &Mat3::IDENTITY)
    }

    /// The matrix of one lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Mat3 {
        let column = |c: usize| {
            Vec3::new(
                self.at(0, c)[lane],
                self.at(1, c)[lane],
                self.at(2, c)[lane],
            )
        };
        Mat3::from_columns(column(0), column(1), column(2))
    }

    /// Entry in row `r`, column `c`.
    #[inline(always)]
    pub fn at(&self, r: usize, c: usize) -> Lanes<S> {
        self.0[c].0[r]
    }

    /// Row `r`.
    #[inline(always)]
    pub fn row(&self, r: usize) -> LaneVec3<S> {
        LaneVec3([self.at(r, 0), self.at(r, 1), self.at(r, 2)])
    }

    /// The transpose.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        LaneMat3([self.row(0), self.row(1), self.row(2)])
    }

    /// Matrix times vector.
    #[inline(always)]
    pub fn times_vector(&self, v: LaneVec3<S>) -> LaneVec3<S> {
        self.0[0]
            .scaled(v.0[0])
            .add_scaled(v.0[1], self.0[1])
            .add_scaled(v.0[2], self.0[2])
    }

    /// selfᵀ v.
    #[inline(always)]
    pub fn transpose_times_vector(&self, v: LaneVec3<S>) -> LaneVec3<S> {
        LaneVec3([self.0[0].dot(v), self.0[1].dot(v), self.0[2].dot(v)])
    }

    /// Matrix product.
    #[inline(always)]
    pub fn times(&self, o: &Self) -> Self {
        LaneMat3(each!(c in 3 => self.times_vector(o.0[c])))
    }

    /// self · oᵀ.
    #[inline(always)]
    pub fn times_transpose(&self, o: &Self) -> Self {
        self.times(&o.transpose())
    }

    /// selfᵀ · o.
    #[inline(always)]
    pub fn transpose_times(&self, o: &Self) -> Self {
        LaneMat3(each!(c in 3 => self.transpose_times_vector(o.0[c])))
    }

    /// Columns scaled by the components of `d`: self · diag(d).
    #[inline(always)]
    pub fn times_diagonal(&self, d: &[Lanes<S>; 3]) -> Self {
        LaneMat3([
            self.0[0].scaled(d[0]),
            self.0[1].scaled(d[1]),
            self.0[2].scaled(d[2]),
        ])
    }

    /// self + s·o.
    #[inline(always)]
    pub fn add_scaled(&self, s: Lanes<S>, o: &Self) -> Self {
        LaneMat3(each!(c in 3 => self.0[c].add_scaled(s, o.0[c])))
    }

    /// s·self.
    #[inline(always)]
    pub fn scaled(&self, s: Lanes<S>) -> Self {
        LaneMat3(each!(c in 3 => self.0[c].scaled(s)))
    }

    /// ∂det/∂F, see [`Mat3::cofactor`].
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        let [a, b, c] = self.0;
        LaneMat3([b.cross(c), c.cross(a), a.cross(b)])
    }

    /// The determinant.
    #[inline(always)]
    pub fn determinant(&self) -> Lanes<S> {
        self.0[0].dot(self.0[1].cross(self.0[2]))
    }

    /// Squared Frobenius norm.
    #[inline(always)]
    pub fn norm_squared(&self) -> Lanes<S> {
        self.0[0].dot(self.0[0]) + self.0[1].dot(self.0[1]) + self.0[2].dot(self.0[2])
    }
}
