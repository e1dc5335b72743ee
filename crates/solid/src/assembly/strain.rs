//! How fast elements are strained: the change of Green's strain E = ½(FᵀF − 1) over a step, which a rigid motion leaves zero
//! [MWLK22, Eq. 17]. With D the gradient of the displacements, E⁺ − E = sym(DᵀF) + ½ DᵀD: exact, for any rotation. With B that of the
//! displacements of the step before, how much the rate has changed is E⁺ − 2E + E⁻ = sym((D − B)ᵀF) + ½ (DᵀD + BᵀB).

use super::field::LocalField;
use super::shared::SharedSlice;
use super::{ChunkKernel, Visited, deformation_gradient, edges, field_gradient, gradients, visit};
use crate::element::{Chunk, ElementPack};
use crate::model::Model;
use crate::octet::spread_points;
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::Vec3;
use pliant_linalg::lanes::{LaneMat3, Lanes, splat};

struct StrainKernel<'a> {
    positions: &'a [Vec3],
    displacements: &'a [Vec3],
    per_second: f64,
    before: Option<Before<'a>>,
    rates: SharedSlice<'a, f64>,
}

/// What a strain rate is compared with to see where it is going.
#[derive(Clone, Copy)]
pub struct Before<'a> {
    /// Displacements over the step before.
    pub displacements: &'a [Vec3],
    /// Steps for which the rate is taken to change on as it has, for each body.
    pub horizons: &'a [u32],
}

/// ‖Ė‖² (Frobenius), 1/s², of the elements of some chunks whose nodes go from `positions` by `displacements` in a time `h`; the
/// others' entries of `rates` stay. With a step before, what ‖Ė‖² would come to from nothing if Ė changed on as it does, if that is more:
/// a body at the turning point of its swing is not at rest.
pub fn strain_rates(
    model: &Model,
    chunks: &Visited,
    positions: &[Vec3],
    displacements: &[Vec3],
    before: Option<Before<'_>>,
    h: f64,
    rates: &mut [f64],
) {
    let kernel = StrainKernel {
        positions,
        displacements,
        per_second: 1.0 / h,
        before,
        rates: SharedSlice::new(rates),
    };
    visit(&model.elements, chunks, &kernel);
    spread_points(rates, &model.elements.quadratic, largest);
}

/// Of the points near an inner part of an octet, the one that is strained fastest.
pub(super) fn largest(rates: [f64; 3]) -> f64 {
    rates.into_iter().fold(0.0, f64::max)
}

impl ChunkKernel for StrainKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        _: usize,
        chunk: &Chunk,
        packs: &[ElementPack],
        [positions, displacements]: &mut [LocalField; 2],
    ) {
        positions.load(&chunk.nodes, self.positions);
        displacements.load(&chunk.nodes, self.displacements);
        let mut earlier = LocalField::ZERO;
        if let Some(before) = self.before {
            earlier.load(&chunk.nodes, before.displacements);
        }
        let scale = splat(simd, self.per_second * self.per_second);
        let horizon = (self.before).map_or(0.0, |before| {
            f64::from(before.horizons[chunk.body as usize])
        });
        let horizon = splat(simd, horizon * horizon);
        for pack in packs {
            let g = gradients(simd, pack);
            let f = deformation_gradient(simd, pack, positions, &g);
            let d = field_gradient(&edges(simd, displacements, pack), &g);
            let change = d.transpose_times(&f.add_scaled(splat(simd, 0.5), &d));
            let mut sum = square_of_symmetric(&change);
            if self.before.is_some() {
                let b = field_gradient(&edges(simd, &earlier, pack), &g);
                let was = b.transpose_times(&f.add_scaled(splat(simd, -0.5), &b));
                let turn = change.add_scaled(splat(simd, -1.0), &was);
                sum = sum.max(square_of_symmetric(&turn) * horizon);
            }
            let sum = sum * scale;
            for lane in 0..pack.count {
                (self.rates).set(pack.elements[lane] as usize, sum[lane]);
            }
        }
    }
}

/// Σ Eᵢⱼ² of the symmetric part of a matrix.
#[inline(always)]
fn square_of_symmetric<S: Simd>(m: &LaneMat3<S>) -> Lanes<S> {
    // off the diagonal Eᵢⱼ = (a, b, c)/2, each twice
    let [a, b, c] = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| m.at(i, j) + m.at(j, i));
    let shear = (a * a + b * b + c * c) * 0.5;
    [0, 1, 2]
        .into_iter()
        .fold(shear, |sum, i| m.at(i, i).mul_add(m.at(i, i), sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::BodySpecification;
    use pliant_linalg::testing::Random;
    use pliant_linalg::{Mat3, vec3};
    use pliant_mesh::generate;

    /// ½ FᵀF of an element.
    fn strain_of(model: &Model, nodes: &[u32; 4], x: &dyn Fn(u32) -> Vec3) -> Mat3 {
        let edges = |x: &dyn Fn(u32) -> Vec3| {
            Mat3::from_columns(
                x(nodes[1]) - x(nodes[0]),
                x(nodes[2]) - x(nodes[0]),
                x(nodes[3]) - x(nodes[0]),
            )
        };
        let rest = edges(&|n| model.rest[n as usize]).inverse().unwrap();
        let f = edges(x) * rest;
        f.transpose() * f * 0.5
    }

    #[test]
    fn is_the_change_of_strain_and_no_spin() {
        let mesh = generate::bar(vec3(0.2, 0.1, 0.1), [2, 1, 1], generate::Split::Six).unwrap();
        let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e4, 0.3, 1e3);
        let bodies = vec![BodySpecification::uniform("bar", mesh, material)];
        let model = Model::build(bodies, Vec::new(), Vec3::ZERO).unwrap();
        let mut random = Random::new(3);
        let mut field = |size: f64| -> Vec<Vec3> {
            let entry = |_: &Vec3| vec3(random.signed(), random.signed(), random.signed()) * size;
            model.rest.iter().map(entry).collect()
        };
        let moved: Vec<Vec3> = model
            .rest
            .iter()
            .zip(field(0.01))
            .map(|(&x, d)| x + d)
            .collect();
        let (h, count) = (0.01, model.element_count());
        let mut rates = vec![0.0; count];

        // any rotation, however large
        let r = Mat3::rotation(vec3(0.36, -0.48, 0.8), 2.0);
        let turned: Vec<Vec3> = moved.iter().map(|&x| r * x - x).collect();
        strain_rates(
            &model,
            &model.elements.colours,
            &moved,
            &turned,
            None,
            h,
            &mut rates,
        );
        assert!(
            rates.iter().all(|&rate| rate < 1e-24 / (h * h)),
            "{rates:?}"
        );

        // two steps of the same spin: the strain rate is and stays zero
        let half = Mat3::rotation(vec3(0.36, -0.48, 0.8), 0.2);
        let back = half.transpose();
        let on: Vec<Vec3> = moved.iter().map(|&x| half * x - x).collect();
        let earlier: Vec<Vec3> = moved.iter().map(|&x| x - back * x).collect();
        let before = |displacements, horizons| {
            Some(Before {
                displacements,
                horizons,
            })
        };
        let all = &model.elements.colours;
        strain_rates(
            &model,
            all,
            &moved,
            &on,
            before(&earlier, &[10]),
            h,
            &mut rates,
        );
        assert!(
            rates.iter().all(|&rate| rate < 1e-22 / (h * h)),
            "{rates:?}"
        );

        // F of each element by hand, before and after
        let (steps, earlier) = (field(0.01), field(0.01));
        strain_rates(&model, all, &moved, &steps, None, h, &mut rates);
        for (element, nodes) in model.element_nodes.iter().enumerate() {
            let strain = |x: &dyn Fn(u32) -> Vec3| strain_of(&model, nodes, x);
            let from = strain(&|n| moved[n as usize]);
            let after = strain(&|n| moved[n as usize] + steps[n as usize]);
            let expected = ((after - from) * (1.0 / h)).norm().powi(2);
            assert!((rates[element] - expected).abs() < 1e-9 * expected);
        }

        // and of the step before: what the rate becomes in three steps, or is
        let ahead = before(&earlier, &[3]);
        strain_rates(&model, all, &moved, &steps, ahead, h, &mut rates);
        let mut turning = 0;
        for (element, nodes) in model.element_nodes.iter().enumerate() {
            let strain = |x: &dyn Fn(u32) -> Vec3| strain_of(&model, nodes, x);
            let now = strain(&|n| moved[n as usize]);
            let was = now - strain(&|n| moved[n as usize] - earlier[n as usize]);
            let comes = strain(&|n| moved[n as usize] + steps[n as usize]) - now;
            let turn = 3.0 * (comes - was).norm();
            turning += usize::from(turn > comes.norm());
            let expected = (turn.max(comes.norm()) / h).powi(2);
            assert!((rates[element] - expected).abs() < 1e-9 * expected);
        }
        assert!(turning > count / 2);
    }
}
