//! Averaged and quadratic elements: passes against each other, finite differences of the energy and fields with a known answer.

use super::*;
use crate::drive::Drive;
use crate::material::{FibreKind, FibreSpecification, MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, Model, ModelError};
use crate::octet::Formulation;
use crate::profile::Profile;
use pliant_linalg::testing::random_vector;
use pliant_linalg::{BlockMatrix, Mat3, vec3};
use pliant_mesh::{Mesh, generate};
use std::sync::Arc;

const OCTETS: [Formulation; 2] = [Formulation::Averaged, Formulation::Quadratic];

fn mesh() -> Mesh {
    let mesh = generate::bar(vec3(0.4, 0.2, 0.1), [5, 3, 2], generate::Split::Six).unwrap();
    mesh.with_octets().unwrap()
}

fn material(model: MaterialModel) -> MaterialSpecification {
    MaterialSpecification {
        stiffness_damping: 1e-3,
        ..MaterialSpecification::new(model, 2e4, 0.45, 1000.0)
    }
}

/// A bar of two materials in turns, one of them with a fibre.
fn model(formulation: Formulation, of: MaterialModel) -> Model {
    let mesh = mesh();
    let mut fibrous = material(of);
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
        materials: vec![material(of), fibrous],
        material_of: (0..count as u32).map(|e| (e / 40) % 2).collect(),
        fibres: vec![vec3(0.8, 0.6, 0.0); count],
        formulation,
        ..BodySpecification::uniform("body", mesh, material(of))
    };
    Model::build(vec![body], Vec::<Drive>::new(), Vec3::ZERO).unwrap()
}

/// Every formulation with every material that it takes.
fn cases() -> Vec<(Formulation, MaterialModel)> {
    let all = OCTETS.map(|f| MaterialModel::ALL.map(|m| (f, m)));
    let fits =
        |(f, m): &(Formulation, MaterialModel)| *f == Formulation::Quadratic || m.has_volume_part();
    all.into_iter().flatten().filter(fits).collect()
}

fn moved(model: &Model, stretch: f64, noise: f64) -> Vec<Vec3> {
    let noise = random_vector(model.node_count(), 5)
        .into_iter()
        .map(|n| n * noise);
    let pairs = model.rest.iter().zip(noise);
    pairs.map(|(&x, n)| x * stretch + n).collect()
}

fn input<'a>(positions: &'a [Vec3], activations: &'a [f64]) -> TangentInput<'a> {
    TangentInput {
        positions,
        activations,
        rotations: &[],
    }
}

fn largest(v: &[Vec3]) -> f64 {
    v.iter().fold(0.0, |m: f64, v| m.max(v.max_abs()))
}

fn matrix(
    model: &Model,
    x: &[Vec3],
    weights: TangentWeights,
    drift: &[Vec3],
) -> (BlockMatrix, Vec<Vec3>) {
    let pattern = Arc::new(model.elements.pattern(model.node_count(), &[]).unwrap());
    let rows: Vec<u32> = (0..model.node_count() as u32).collect();
    let map = ScatterMap::new(&model.elements, &rows, &pattern);
    let (mut matrix, mut rhs) = (BlockMatrix::new(pattern), vec![Vec3::ZERO; rows.len()]);
    let (elements, at) = (&model.elements, input(x, &[0.5]));
    assemble_tangent(
        elements,
        at,
        weights,
        &map,
        &rows,
        Some(drift),
        &mut matrix,
        &mut rhs,
    );
    (matrix, rhs)
}

#[test]
fn forces_are_the_negative_gradient_of_the_energy() {
    for (formulation, of) in cases() {
        let model = model(formulation, of);
        let x = moved(&model, 1.03, 0.002);
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &[0.5], true).unwrap();
        assert_eq!(
            elastic_energy(&model, &x, &[0.5], &mut Vec::new()),
            forces.energy
        );
        assert!(forces.stress.iter().all(|s| s.von_mises > 0.0));
        let f = forces.nodal.clone();
        let scale = largest(&f);
        for node in (0..model.node_count()).step_by(29) {
            for axis in 0..3 {
                let energy = |e: f64| {
                    let mut y = x.clone();
                    y[node][axis] += e;
                    elastic_energy(&model, &y, &[0.5], &mut Vec::new())
                };
                let difference = -(energy(1e-6) - energy(-1e-6)) / 2e-6;
                let error = (difference - f[node][axis]).abs() / scale;
                assert!(error < 1e-5, "{formulation:?} {of:?}: {error:e}");
            }
        }
        let total = f.iter().fold(Vec3::ZERO, |s, &f| s + f);
        assert!(total.norm() < 1e-10 * scale, "internal forces balance");
    }
}

#[test]
fn matrix_product_diagonal_and_finite_differences_agree() {
    for (formulation, of) in cases() {
        let model = model(formulation, of);
        // stretched in all directions nothing is clamped
        let x = moved(&model, 1.02, 1e-4);
        let v = random_vector(model.node_count(), 6);
        let weights = TangentWeights {
            stiffness: 1.0,
            damping: 0.0,
        };
        let (matrix, rhs) = matrix(&model, &x, weights, &v);
        let (mut multiplied, mut product) = (rhs.clone(), vec![Vec3::ZERO; v.len()]);
        matrix.multiply(&v, &mut multiplied);
        let (elements, all) = (&model.elements, &model.elements.colours);
        let mut tangents = ElementTangents::default();
        tangents.prepare(elements, all, input(&x, &[0.5]));
        tangents.add_product(elements, all, weights, &v, &mut product);
        let scale = largest(&product);
        assert!(matrix.symmetry_error() < 1e-10 * scale);
        let mut diagonal = Vec::new();
        tangents.diagonal(elements, weights, &mut diagonal, v.len());
        let at = |e: f64| {
            let y: Vec<Vec3> = x.iter().zip(&v).map(|(&x, &v)| x + v * e).collect();
            let mut forces = Forces::default();
            forces.evaluate(&model, &y, &[0.5], false).unwrap();
            forces.nodal
        };
        let (plus, minus) = (at(1e-7), at(-1e-7));
        for i in 0..v.len() {
            assert!((product[i] - multiplied[i]).max_abs() < 1e-11 * scale);
            assert!((product[i] + rhs[i]).max_abs() < 1e-11 * scale);
            let place = matrix.pattern().diagonal_position(i);
            let apart = matrix.blocks()[place] - ElementTangents::diagonal_block(&diagonal[i]);
            assert!(apart.max_abs() < 1e-11 * scale);
            let difference = (minus[i] - plus[i]) / 2e-7;
            // the frozen rotation is no Hessian
            let error = (product[i] - difference).max_abs() / scale;
            assert!(
                error < 3e-5 || of == MaterialModel::CorotatedFrozen,
                "{formulation:?} {of:?}: {error:e}"
            );
        }
    }
}

#[test]
fn tangents_are_positive_however_bodies_are_crushed() {
    for (formulation, of) in cases() {
        let model = model(formulation, of);
        let x = moved(&model, 0.8, 0.006);
        let weights = TangentWeights {
            stiffness: 1.0,
            damping: 2.0,
        };
        let mut tangents = ElementTangents::default();
        let (elements, all) = (&model.elements, &model.elements.colours);
        tangents.prepare(elements, all, input(&x, &[0.5]));
        for seed in 10..40 {
            let v = random_vector(model.node_count(), seed);
            let mut y = vec![Vec3::ZERO; v.len()];
            tangents.add_product(elements, all, weights, &v, &mut y);
            let work: f64 = v.iter().zip(&y).map(|(v, y)| v.dot(*y)).sum();
            assert!(work > 0.0, "{formulation:?} {of:?}");
        }
    }
}

#[test]
fn affine_fields_have_the_stress_of_one_element() {
    let gradient = Mat3::from_rows([[1.1, 0.05, 0.02], [-0.03, 0.95, 0.01], [0.04, 0.0, 1.02]]);
    for (formulation, of) in cases() {
        let body = BodySpecification {
            formulation,
            ..BodySpecification::uniform("body", mesh(), material(of))
        };
        let model = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap();
        let x: Vec<Vec3> = model.rest.iter().map(|&x| gradient * x).collect();
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &[], true).unwrap();
        let coefficients = material(of).coefficients();
        let p = of.respond(&gradient, coefficients);
        let energy = p.energy_density * model.element_volumes.iter().sum::<f64>();
        assert!(
            (forces.energy - energy).abs() < 1e-10 * energy,
            "{formulation:?} {of:?}"
        );
        let sigma = p.first_piola * gradient.transpose() * (1.0 / gradient.determinant());
        for stress in &forces.stress {
            assert!((stress.cauchy[0] - sigma.at(0, 0)).abs() < 1e-9 * sigma.max_abs());
            assert!((stress.cauchy[3] - sigma.at(0, 1)).abs() < 1e-9 * sigma.max_abs());
        }
        // nodes inside are in balance
        let surface = &model.bodies[0].surface.nodes;
        let inside =
            (0..model.node_count()).filter(|n| surface.binary_search(&(*n as u32)).is_err());
        let scale = largest(&forces.nodal);
        let most = inside
            .map(|n| forces.nodal[n].max_abs())
            .fold(0.0, f64::max);
        assert!(most < 1e-11 * scale, "{most:e} of {scale}");
        assert!(
            (model.mass.iter().sum::<f64>() - 8.0).abs() < 1e-12
                && model.mass.iter().all(|&m| m > 0.0)
        );
    }
}

/// Pure bending u = κ (xy, −x²/2 − ν(y² − z²)/2, −ν y z)·… is quadratic: the energy is exact on any mesh.
#[test]
fn quadratic_elements_bend_exactly() {
    let (young, poisson, curvature) = (2e4, 0.45, 0.3);
    let body = BodySpecification {
        formulation: Formulation::Quadratic,
        ..BodySpecification::uniform("body", mesh(), material(MaterialModel::Linear))
    };
    let model = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap();
    let bent = |x: &Vec3| {
        let (y, z) = (x.y - 0.1, x.z - 0.05);
        let across = -0.5 * (x.x * x.x + poisson * (y * y - z * z));
        *x + vec3(x.x * y, across, -poisson * y * z) * curvature
    };
    let x: Vec<Vec3> = model.rest.iter().map(bent).collect();
    let energy = elastic_energy(&model, &x, &[], &mut Vec::new());
    // ½ E I κ² L with I = b h³/12
    let exact = 0.5 * young * (0.1 * 0.2f64.powi(3) / 12.0) * curvature * curvature * 0.4;
    assert!((energy / exact - 1.0).abs() < 1e-10, "{energy} {exact}");
}

#[test]
fn bits_do_not_depend_on_threads() {
    for formulation in OCTETS {
        let model = model(formulation, MaterialModel::StableNeoHookean);
        let x = moved(&model, 1.0, 0.004);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut forces = Forces::default();
                forces.evaluate(&model, &x, &[0.5], true).unwrap();
                let weights = TangentWeights {
                    stiffness: 1.0,
                    damping: 0.5,
                };
                let (matrix, rhs) = matrix(&model, &x, weights, &x);
                (
                    forces.energy.to_bits(),
                    forces.nodal,
                    forces.stress,
                    matrix.values().to_vec(),
                    rhs,
                )
            })
        };
        let one = run(1);
        assert!([2, 3, 5].into_iter().all(|threads| run(threads) == one));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let build =
        |body: BodySpecification| Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap_err();
    let averaged = |of, mesh| BodySpecification {
        formulation: Formulation::Averaged,
        ..BodySpecification::uniform("body", mesh, material(of))
    };
    let error = build(averaged(MaterialModel::Corotated, mesh()));
    assert!(
        matches!(error, ModelError::NotAveraged { .. }) && error.to_string().contains("corotated")
    );
    let linear = generate::bar(vec3(1.0, 1.0, 1.0), [2, 2, 2], generate::Split::Six).unwrap();
    let error = build(averaged(MaterialModel::Linear, linear));
    assert!(matches!(
        error,
        ModelError::NoOctets {
            element: "tet4-averaged",
            ..
        }
    ));
    let mut mixed = averaged(MaterialModel::Linear, mesh());
    mixed.materials.push(material(MaterialModel::NeoHookean));
    mixed.material_of[13] = 1;
    assert!(matches!(
        build(mixed),
        ModelError::MixedOctet { octet: 1, .. }
    ));
}
