//! Rotations of corotated elements that are followed from step to step instead of being decomposed anew.

use fearless_simd::Simd;
use pliant_linalg::each;
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Pack};

/// Rotation Q of the eight elements of a pack, column after column.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct RotationPack(pub [Pack; 9]);

impl RotationPack {
    /// No rotation.
    pub const IDENTITY: RotationPack = {
        let (one, zero) = (Pack([1.0; 8]), Pack([0.0; 8]));
        RotationPack([one, zero, zero, zero, one, zero, zero, zero, one])
    };

    /// All numbers in order, for checkpoints.
    pub fn numbers(packs: &[RotationPack]) -> &[f64] {
        bytemuck::cast_slice(packs)
    }

    /// What [`RotationPack::numbers`] gave; `None` when the count does not fit.
    pub fn from_numbers(numbers: &[f64]) -> Option<Vec<RotationPack>> {
        let (packs, rest) = numbers.as_chunks::<{ 9 * LANES }>();
        let pack = |numbers: &[f64; 9 * LANES]| {
            let mut pack = RotationPack::IDENTITY;
            bytemuck::cast_slice_mut(&mut pack.0).copy_from_slice(numbers);
            pack
        };
        rest.is_empty().then(|| packs.iter().map(pack).collect())
    }

    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> LaneMat3<S> {
        LaneMat3(each!(c in 3 => LaneVec3(each!(r in 3 => self.0[3 * c + r].load(simd)))))
    }

    #[inline(always)]
    pub(super) fn of<S: Simd>(rotation: &LaneMat3<S>) -> RotationPack {
        let mut pack = RotationPack::IDENTITY;
        for c in 0..3 {
            for r in 0..3 {
                pack.0[3 * c + r].store(rotation.at(r, c));
            }
        }
        pack
    }
}

/// Rotations of a force pass.
#[derive(Debug, Default)]
pub struct FollowedRotations<'a> {
    /// Rotations to start from, one a pack; where empty, F is decomposed.
    pub known: &'a [RotationPack],
    /// Receives the rotations used; may be empty.
    pub found: &'a mut [RotationPack],
    /// What is done with the known ones.
    pub follow: Follow,
}

/// What a force pass does with the rotations it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Follow {
    /// Takes them as they are.
    #[default]
    Keep,
    /// Improves them by plane-rotation sweeps; where the symmetry error stays above the tolerance, decomposes.
    Sweep {
        /// Sweeps, each over three planes.
        sweeps: u32,
        /// Largest ‖A − Aᵀ‖/‖A‖ of A = QᵀF that is accepted.
        tolerance: f64,
    },
}

impl Follow {
    /// Sweeps and tolerance that do this.
    pub(super) fn plan(self) -> (u32, f64) {
        match self {
            Follow::Keep => (0, f64::INFINITY),
            Follow::Sweep { sweeps, tolerance } => (sweeps, tolerance),
        }
    }
}
