//! Forces of one element in eight states at a time: the columns of cubature training, element by element.
//!
//! The same formulas as [`super::Forces`], with lanes that are states of one element instead of elements in one state.

use super::field_gradient;
use crate::element::{Element, ElementFibre};
use crate::material::FibreCoefficients;
use fearless_simd::Simd;
use pliant_linalg::lanes::{LANES, LaneMat3, LaneVec3, Pack, splat};
use pliant_linalg::{each, vectorize};

/// States of a corner: x, y and z of eight states.
pub type SampledPoint = [Pack; 3];

/// Forces on the four corners of an element in eight states, N.
#[derive(Clone, Copy, Debug, Default)]
pub struct SampledForces {
    /// Of each corner.
    pub corners: [SampledPoint; 4],
    /// Bit l: state l is unusable, because it is turned inside out and may not be, or not finite.
    pub faults: u8,
}

/// f = −∂E/∂x of an element at eight states of its corners; `activations(channel)` gives the activation of each state.
pub fn sampled_forces(
    element: &Element,
    corners: &[SampledPoint; 4],
    activations: impl Fn(usize) -> [f64; LANES],
) -> SampledForces {
    let fibre = (element.fibre.as_ref()).map(|f| fibre_of_states(f, activations(f.channel)));
    vectorize!(simd => evaluate(simd, element, corners, fibre.as_ref()))
}

/// The active modulus takes the activation with it, which differs between states.
fn fibre_of_states(fibre: &ElementFibre, activations: [f64; LANES]) -> FibreCoefficients {
    let all = |value: f64| Pack([value; LANES]);
    FibreCoefficients {
        kind: fibre.kind,
        direction: fibre.direction.to_array().map(all),
        modulus: all(fibre.modulus),
        exponent: all(fibre.exponent),
        active: Pack(activations.map(|a| a * fibre.active)),
        active_length: all(fibre.active_length),
        channel: fibre.channel,
    }
}

#[inline(always)]
fn evaluate<S: Simd>(
    simd: S,
    element: &Element,
    corners: &[SampledPoint; 4],
    fibre: Option<&FibreCoefficients>,
) -> SampledForces {
    let y = each!(c in 4 => LaneVec3(each!(axis in 3 => corners[c][axis].load(simd))));
    let g = each!(a in 3 => LaneVec3::splat(simd, element.gradients[a]));
    let d = each!(a in 3 => y[a + 1].minus(y[0]));
    let mut f = field_gradient(&d, &g);
    if element.planar {
        f.0[2].0[2] += splat(simd, 1.0);
    }
    let c = each!(i in 3 => splat(simd, element.coefficients[i]));
    let (mut psi, mut p): (_, LaneMat3<S>) = element.model.energy_and_stress(simd, f, &c);
    if let Some(fibre) = fibre {
        let response = fibre.respond(simd, &f, 1.0);
        psi += response.energy_density;
        p = p.add_scaled(splat(simd, 1.0), &response.first_piola());
    }
    let scaled = p.scaled(splat(simd, -element.volume));
    let force = each!(a in 3 => scaled.times_vector(g[a]));
    let first = LaneVec3::splat(simd, pliant_linalg::Vec3::ZERO);
    let first = first.minus(force[0]).minus(force[1]).minus(force[2]);

    let mut result = SampledForces::default();
    for axis in 0..3 {
        result.corners[0][axis].store(first.0[axis]);
        for a in 0..3 {
            result.corners[a + 1][axis].store(force[a].0[axis]);
        }
    }
    let health = psi + p.norm_squared();
    let j = f.determinant();
    for lane in 0..LANES {
        let inverted = element.model.forbids_inversion() && j[lane] <= 0.0;
        if inverted || !health[lane].is_finite() {
            result.faults |= 1 << lane;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Forces;
    use crate::assembly::tests::model;
    use pliant_linalg::{Vec3, testing::random_vector};

    #[test]
    fn sums_over_elements_are_the_forces_of_the_engine() {
        for planar in [false, true] {
            let model = model(planar);
            let elements = model.elements.unpacked();
            assert_eq!(elements.len(), model.element_count());
            // eight states with activations of their own
            let states: Vec<Vec<Vec3>> = (0..8)
                .map(|s| {
                    let noise = random_vector(model.node_count(), 40 + s);
                    let move_by = |(x, n): (&Vec3, Vec3)| {
                        *x + Vec3::new(n.x, n.y, if planar { 0.0 } else { n.z }) * 6e-3
                    };
                    model.rest.iter().zip(noise).map(move_by).collect()
                })
                .collect();
            let activation = |state: usize| 0.1 * state as f64;
            let mut sums = vec![vec![Vec3::ZERO; model.node_count()]; 8];
            for element in &elements {
                let corner = |c: usize, axis: usize| {
                    Pack(std::array::from_fn(|s| {
                        states[s][element.nodes[c] as usize][axis]
                    }))
                };
                let corners = std::array::from_fn(|c| std::array::from_fn(|axis| corner(c, axis)));
                let found = sampled_forces(element, &corners, |_| std::array::from_fn(activation));
                assert_eq!(found.faults, 0);
                for (c, force) in found.corners.iter().enumerate() {
                    for (s, sum) in sums.iter_mut().enumerate() {
                        let f = Vec3::new(force[0].0[s], force[1].0[s], force[2].0[s]);
                        sum[element.nodes[c] as usize] += f;
                    }
                }
            }
            for (s, sum) in sums.iter().enumerate() {
                let mut forces = Forces::default();
                let activations = vec![activation(s); model.activations.len()];
                forces
                    .evaluate(&model, &states[s], &activations, false)
                    .unwrap();
                let scale = forces.nodal.iter().map(|f| f.norm()).fold(0.0, f64::max);
                assert!(scale > 1.0);
                for (a, b) in sum.iter().zip(&forces.nodal) {
                    assert!(
                        (*a - *b).norm() < 1e-12 * scale,
                        "{planar} {s}: {a:?} {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn states_that_are_no_numbers_are_marked() {
        let model = model(false);
        let element = &model.elements.unpacked()[0];
        let mut corners: [SampledPoint; 4] = std::array::from_fn(|c| {
            let x = model.rest[element.nodes[c] as usize].to_array();
            x.map(|x| Pack([x; LANES]))
        });
        corners[2][1].0[5] = f64::NAN;
        assert_eq!(
            sampled_forces(element, &corners, |_| [0.0; LANES]).faults,
            1 << 5
        );
    }
}
