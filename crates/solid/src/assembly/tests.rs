//! The three passes against each other and against finite differences of the energy.

use super::*;
use crate::drive::Drive;
use crate::material::{FibreKind, FibreSpecification, MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, Model};
use crate::profile::Profile;
use pliant_linalg::{BlockMatrix, BlockPattern, vec3};
use pliant_mesh::generate;
use std::sync::Arc;

/// A bar with three materials, one of them with an active fibre; or a rectangle.
pub(super) fn model(planar: bool) -> Model {
    let mesh = if planar {
        generate::rectangle([0.3, 0.2], [7, 5], Default::default()).unwrap()
    } else {
        generate::bar(vec3(0.4, 0.2, 0.1), [8, 4, 3], generate::Split::Six).unwrap()
    };
    let material = |model, young| MaterialSpecification {
        stiffness_damping: 1e-3,
        ..MaterialSpecification::new(model, young, 0.35, 1000.0)
    };
    let mut fibrous = material(MaterialModel::StableNeoHookean, 2e4);
    fibrous.fibre = Some(FibreSpecification {
        kind: FibreKind::Fung,
        modulus: 1e4,
        exponent: 1.0,
        active_modulus: 5e3,
        active_length: 0.8,
        activation: Profile::Constant(0.5),
    });
    let count = mesh.element_count();
    let body = BodySpecification {
        materials: vec![
            material(MaterialModel::StableNeoHookean, 1e4),
            material(MaterialModel::Corotated, 3e4),
            fibrous,
        ],
        material_of: (0..count as u32).map(|e| (e / 7) % 3).collect(),
        fibres: vec![vec3(0.8, 0.6, 0.0); count],
        ..BodySpecification::uniform("body", mesh, material(MaterialModel::Linear, 1.0))
    };
    Model::build(vec![body], Vec::<Drive>::new(), Vec3::ZERO).unwrap()
}

fn input<'a>(positions: &'a [Vec3], activations: &'a [f64]) -> TangentInput<'a> {
    TangentInput {
        positions,
        activations,
        rotations: &[],
    }
}

/// y += Σ w H v by element tangents.
fn add_product(
    model: &Model,
    x: &[Vec3],
    activations: &[f64],
    weights: TangentWeights,
    v: &[Vec3],
    y: &mut [Vec3],
) {
    let mut tangents = ElementTangents::default();
    let all = &model.elements.colours;
    tangents.prepare(&model.elements, all, input(x, activations));
    tangents.add_product(&model.elements, all, weights, v, y);
}

fn wobble(model: &Model, amplitude: f64) -> Vec<Vec3> {
    let planar = model.bodies[0].planar;
    let shift = |i: usize| {
        let s = i as f64;
        vec3(
            (1.3 * s).sin(),
            (2.1 * s + 0.4).cos(),
            if planar { 0.0 } else { (0.7 * s).sin() },
        )
    };
    model
        .rest
        .iter()
        .enumerate()
        .map(|(i, &x)| x + shift(i) * amplitude)
        .collect()
}

#[test]
fn colours_share_no_node() {
    let mesh = generate::bar(vec3(1.0, 1.0, 1.0), [12, 12, 12], generate::Split::Six).unwrap();
    let material = MaterialSpecification::new(MaterialModel::Linear, 1.0, 0.3, 1.0);
    let model = Model::build(
        vec![BodySpecification::uniform("b", mesh, material)],
        vec![],
        Vec3::ZERO,
    )
    .unwrap();
    let elements = &model.elements;
    let mut seen = vec![false; elements.chunks.len()];
    for colour in &elements.colours {
        let mut owner = vec![u32::MAX; model.node_count()];
        for &chunk in colour {
            assert!(
                !std::mem::replace(&mut seen[chunk as usize], true),
                "a chunk has one colour"
            );
            for node in elements.packs[elements.chunks[chunk as usize].packs.clone()]
                .iter()
                .flat_map(|p| p.nodes.as_flattened())
            {
                let previous = std::mem::replace(&mut owner[*node as usize], chunk);
                assert!(
                    previous == u32::MAX || previous == chunk,
                    "node {node} in two chunks of a colour"
                );
            }
        }
    }
    assert!(
        seen.iter().all(|s| *s) && elements.colours.len() < 40,
        "{}",
        elements.colours.len()
    );
    let mut counted = vec![0; model.element_count()];
    for pack in &elements.packs {
        for lane in 0..pack.count {
            counted[pack.elements[lane] as usize] += 1;
        }
    }
    assert!(
        counted.iter().all(|c| *c == 1),
        "every element in exactly one lane"
    );
}

#[test]
fn forces_are_the_negative_gradient_of_the_energy() {
    for planar in [false, true] {
        let model = model(planar);
        let activations = [0.5];
        let x = wobble(&model, 0.004);
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &activations, false).unwrap();
        let f = forces.nodal.clone();
        let scale = f.iter().fold(0.0, |m: f64, f| m.max(f.max_abs()));
        for node in (0..model.node_count()).step_by(7) {
            for axis in 0..if planar { 2 } else { 3 } {
                let mut energy = |e: f64| {
                    let mut y = x.clone();
                    y[node][axis] += e;
                    forces.evaluate(&model, &y, &activations, false).unwrap();
                    forces.energy
                };
                let difference = -(energy(1e-6) - energy(-1e-6)) / 2e-6;
                assert!(
                    (difference - f[node][axis]).abs() < 1e-5 * scale,
                    "{difference} {}",
                    f[node][axis]
                );
            }
        }
        let total = f.iter().fold(Vec3::ZERO, |s, &f| s + f);
        assert!(total.norm() < 1e-11 * scale, "internal forces balance");
    }
}

/// All nodes kept, every matrix entry there.
fn full_matrix(model: &Model) -> (BlockMatrix, ScatterMap, Vec<u32>) {
    let corners = model.element_nodes.iter().map(|n| n.as_slice());
    let pattern = Arc::new(BlockPattern::from_cliques(model.node_count(), corners).unwrap());
    let row_of: Vec<u32> = (0..model.node_count() as u32).collect();
    let map = ScatterMap::new(&model.elements, &row_of, &pattern);
    (BlockMatrix::new(pattern), map, row_of)
}

#[test]
fn matrix_product_and_finite_differences_agree() {
    for planar in [false, true] {
        let model = model(planar);
        let activations = [0.5];
        // stretched in all directions nothing is clamped, so the tangent is the exact Hessian
        let x: Vec<Vec3> = wobble(&model, 2e-4).iter().map(|&x| x * 1.1).collect();
        let v = wobble(&model, 0.5);
        let weights = TangentWeights {
            stiffness: 1.0,
            damping: 0.0,
        };
        let (mut matrix, map, row_of) = full_matrix(&model);
        let mut rhs = vec![Vec3::ZERO; model.node_count()];
        assemble_tangent(
            &model.elements,
            input(&x, &activations),
            weights,
            &map,
            &row_of,
            Some(&v),
            &mut matrix,
            &mut rhs,
        );
        let mut product = vec![Vec3::ZERO; model.node_count()];
        add_product(&model, &x, &activations, weights, &v, &mut product);
        let mut multiplied = vec![Vec3::ZERO; model.node_count()];
        matrix.multiply(&v, &mut multiplied);
        let scale = product.iter().fold(0.0, |m: f64, f| m.max(f.max_abs()));
        assert!(matrix.symmetry_error() < 1e-10 * scale);

        let mut forces = Forces::default();
        let mut at = |e: f64| {
            let y: Vec<Vec3> = x.iter().zip(&v).map(|(&x, &v)| x + v * e).collect();
            forces.evaluate(&model, &y, &activations, false).unwrap();
            forces.nodal.clone()
        };
        let (plus, minus) = (at(1e-7), at(-1e-7));
        for i in 0..model.node_count() {
            assert!((product[i] - multiplied[i]).max_abs() < 1e-11 * scale);
            assert!(
                (product[i] + rhs[i]).max_abs() < 1e-11 * scale,
                "the drift goes to the right-hand side"
            );
            let mut difference = (minus[i] - plus[i]) / 2e-7;
            if planar {
                difference.z = product[i].z; // out of the plane nothing moves
            }
            assert!(
                (product[i] - difference).max_abs() < 2e-5 * scale,
                "{:?} {difference:?}",
                product[i]
            );
        }
    }
}

/// At rest C = α₁ H; in a stressed body a rotation meets H, but next to nothing of C (decision 13).
#[test]
fn damping_weights_are_per_element_and_leave_rotations_alone() {
    let model = model(false);
    let of = |x: &[Vec3], v: &[Vec3], stiffness, damping| {
        let mut y = vec![Vec3::ZERO; model.node_count()];
        let weights = TangentWeights { stiffness, damping };
        add_product(&model, x, &[0.0], weights, v, &mut y);
        y
    };
    let size = |y: &[Vec3]| y.iter().map(|y| y.max_abs()).fold(0.0, f64::max);
    // α₁ = 1e-3 everywhere
    let v = wobble(&model, 0.5);
    let (stiff, damped) = (
        of(&model.rest, &v, 2e-3, 0.0),
        of(&model.rest, &v, 0.0, 2.0),
    );
    let apart: Vec<Vec3> = stiff.iter().zip(&damped).map(|(a, b)| *a - *b).collect();
    assert!(size(&apart) < 1e-9 * size(&stiff));

    let x: Vec<Vec3> = model.rest.iter().map(|x| *x * 1.01).collect();
    let spin: Vec<Vec3> = x.iter().map(|&x| vec3(0.3, -0.2, 0.5).cross(x)).collect();
    let (stiff, damped) = (of(&x, &spin, 2e-3, 0.0), of(&x, &spin, 0.0, 2.0));
    assert!(
        size(&damped) < 0.1 * size(&stiff),
        "{} {}",
        size(&damped),
        size(&stiff)
    );
}

#[test]
fn bits_do_not_depend_on_threads() {
    let model = model(false);
    let x = wobble(&model, 0.004);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut forces = Forces::default();
            forces.evaluate(&model, &x, &[0.5], true).unwrap();
            let (mut matrix, map, row_of) = full_matrix(&model);
            let weights = TangentWeights {
                stiffness: 1.0,
                damping: 0.5,
            };
            let mut rhs = vec![Vec3::ZERO; model.node_count()];
            assemble_tangent(
                &model.elements,
                input(&x, &[0.5]),
                weights,
                &map,
                &row_of,
                None,
                &mut matrix,
                &mut rhs,
            );
            (
                forces.energy.to_bits(),
                forces.nodal,
                forces.stress,
                matrix.values().to_vec(),
            )
        })
    };
    let one = run(1);
    for threads in [2, 3, 5] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn an_inverted_element_is_named() {
    let mesh = generate::bar(vec3(1.0, 1.0, 1.0), [2, 2, 2], generate::Split::Six).unwrap();
    let material = MaterialSpecification::new(MaterialModel::NeoHookean, 1e4, 0.3, 1.0);
    let model = Model::build(
        vec![BodySpecification::uniform("b", mesh, material)],
        vec![],
        Vec3::ZERO,
    )
    .unwrap();
    let mut x = model.rest.clone();
    x[0] += vec3(0.6, 0.6, 0.6);
    let fault = Forces::default()
        .evaluate(&model, &x, &[], false)
        .unwrap_err();
    assert_eq!(fault.kind, FaultKind::Inverted);
    let expected = model.element_nodes.iter().position(|n| {
        let [a, b, c, d] = n.map(|n| x[n as usize]);
        (b - a).dot((c - a).cross(d - a)) <= 0.0
    });
    assert_eq!(Some(fault.element as usize), expected);
    x[0].x = f64::NAN;
    assert!(Forces::default().evaluate(&model, &x, &[], false).is_err());
}

/// The energy of a line search is that of the forces, to the bit, and infinite where forces are refused.
#[test]
fn energy_alone_is_that_of_the_forces() {
    for planar in [false, true] {
        let model = model(planar);
        let activations = [0.5];
        let x = wobble(&model, 0.01);
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &activations, false).unwrap();
        let energy = elastic_energy(&model, &x, &activations, &mut Vec::new());
        assert_eq!(energy, forces.energy);
    }
    let mesh = generate::bar(vec3(0.4, 0.2, 0.1), [4, 2, 1], generate::Split::Six).unwrap();
    let material = MaterialSpecification::new(MaterialModel::NeoHookean, 1e4, 0.3, 1000.0);
    let body = BodySpecification::uniform("body", mesh, material);
    let model = Model::build(vec![body], Vec::<Drive>::new(), Vec3::ZERO).unwrap();
    let mirrored: Vec<Vec3> = model.rest.iter().map(|&x| vec3(-x.x, x.y, x.z)).collect();
    let energy = elastic_energy(&model, &mirrored, &[], &mut Vec::new());
    assert!(!energy.is_finite());
}
