//! How fast elements are stretched: Ṡ of F = R S, which a rigid motion leaves zero [WKS20, Eqs. 14 to 19].
//!
//! With F = U Σ Vᵀ and B = Uᵀ Ḟ V the stretch rate in the frame V is (σᵢ Bᵢⱼ + σⱼ Bⱼᵢ) / (σᵢ + σⱼ): what the paper's
//! Ṡ = Rᵀ(Ḟ − ṘS) comes to with ∂R/∂F in closed form.

use super::field::LocalField;
use super::shared::SharedSlice;
use super::strain::largest;
use super::{ChunkKernel, deformation_gradient, edges, field_gradient, gradients, visit};
use crate::element::{Chunk, ElementPack};
use crate::model::Model;
use crate::octet::spread_points;
use fearless_simd::{Select, Simd, prelude::*};
use pliant_linalg::lanes::{LaneMat3, LaneVec3, Lanes, splat};
use pliant_linalg::svd::svd_lanes;
use pliant_linalg::{Vec3, each};

/// Sum of two stretches that counts as zero; the rate of turning is without bound there.
const FLAT: f64 = 1e-8;

struct StretchKernel<'a> {
    positions: &'a [Vec3],
    moved: &'a [Vec3],
    per_second: f64,
    rates: SharedSlice<'a, f64>,
}

/// The mean of |Ṡ| over its entries (of the plane for planar elements), 1/s, of each element when nodes went from `before` to
/// `after` in a time `h`. F is that of `after`.
pub fn stretch_rates(model: &Model, before: &[Vec3], after: &[Vec3], h: f64, rates: &mut Vec<f64>) {
    rates.clear();
    rates.resize(model.element_count(), 0.0);
    let kernel = StretchKernel {
        positions: after,
        moved: before,
        per_second: 1.0 / h,
        rates: SharedSlice::new(rates),
    };
    visit(&model.elements, &model.elements.colours, &kernel);
    spread_points(rates, &model.elements.quadratic, largest);
}

impl ChunkKernel for StretchKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        _: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [after, before]: &mut [LocalField; 2],
    ) {
        after.load(&chunk.nodes, self.positions);
        before.load(&chunk.nodes, self.moved);
        for pack in packs {
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, after, &g);
            let (to, from) = (edges(simd, after, pack), edges(simd, before, pack));
            let moved = each!(a in 3 => to[a].minus(from[a]).scaled(splat(simd, self.per_second)));
            let rate = stretch_rate(simd, &f, &field_gradient(&moved, &g));
            let mut sum = splat(simd, 0.0);
            for r in 0..3 {
                for c in 0..3 {
                    sum += rate.at(r, c).abs();
                }
            }
            let entries = if pack.plane > 0.0 { 4.0 } else { 9.0 };
            for lane in 0..pack.count {
                (self.rates).set(pack.elements[lane] as usize, sum[lane] / entries);
            }
        }
    }
}

/// Ṡ for F and Ḟ.
#[inline(always)]
fn stretch_rate<S: Simd>(simd: S, f: &LaneMat3<S>, rate: &LaneMat3<S>) -> LaneMat3<S> {
    let parts = svd_lanes(simd, f);
    let b = parts.u.transpose_times(&rate.times(&parts.v));
    let sigma = parts.sigma;
    let entry = |i: usize, j: usize| -> Lanes<S> {
        let both = sigma[i] + sigma[j];
        let flat = both.abs().simd_lt(splat(simd, FLAT));
        let divisor = flat.select(splat(simd, FLAT), both);
        (sigma[i] * b.at(i, j) + sigma[j] * b.at(j, i)) / divisor
    };
    let framed = LaneMat3(each!(c in 3 => LaneVec3(each!(r in 3 => entry(r, c)))));
    parts.v.times(&framed).times_transpose(&parts.v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::lanes::{Level, dispatch};
    use pliant_linalg::svd::polar;
    use pliant_linalg::testing::Random;
    use pliant_linalg::{Mat3, vec3};

    fn random_matrix(random: &mut Random) -> Mat3 {
        let mut column = || vec3(random.signed(), random.signed(), random.signed());
        Mat3::from_columns(column(), column(), column())
    }

    fn of(f: &Mat3, rate: &Mat3) -> Mat3 {
        let level = Level::new();
        dispatch!(level, simd => {
            stretch_rate(simd, &LaneMat3::splat(simd, f), &LaneMat3::splat(simd, rate)).lane(0)
        })
    }

    #[test]
    fn is_the_derivative_of_the_stretch() {
        let mut random = Random::new(7);
        for _ in 0..50 {
            let f = Mat3::IDENTITY + random_matrix(&mut random) * 0.4;
            let rate = random_matrix(&mut random);
            let step = 1e-6;
            let stretch = |t: f64| polar(&(f + rate * t)).1;
            let expected = (stretch(step) - stretch(-step)) * (0.5 / step);
            let error = (of(&f, &rate) - expected).max_abs();
            assert!(error < 1e-7 * (1.0 + expected.max_abs()), "{error:e}");
        }
    }

    #[test]
    fn spinning_is_no_stretching() {
        let mut random = Random::new(8);
        for _ in 0..50 {
            let f = Mat3::IDENTITY + random_matrix(&mut random) * 0.5;
            let spin = vec3(random.signed(), random.signed(), random.signed());
            let rate = Mat3::cross_matrix(spin) * f;
            assert!(of(&f, &rate).max_abs() < 1e-12);
        }
    }
}
