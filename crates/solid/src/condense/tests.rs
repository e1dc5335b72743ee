//! Identities of condensation: with γ = β = 1 and no inertia of its own, J R⁻¹ Jᵀ + A_qq⁻¹ is the inverse of A.

use super::Condensed;
use crate::constraint::{ByParts, Compliance, IsolatedNodes, WholeSolves};
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, Model};
use crate::reduction::{Full, Reduction};
use crate::settings::{ConjacSettings, LivelinessSettings};
use crate::solver::{LinearSolver, StepStart};
use crate::system::{Form, System};
use pliant_linalg::testing::{Random, fill_spd, random_vector};
use pliant_linalg::{BlockRows, Llt, Mat3, SolveScratch, SparseColumns, Vec3, flat, vec3};
use pliant_mesh::generate;

fn bars() -> Model {
    let bar = |at: f64| {
        let size = vec3(0.3, 0.1, 0.1);
        let mut mesh = generate::bar(size, [6, 2, 2], generate::Split::Six).unwrap();
        mesh.positions.iter_mut().for_each(|x| x.y += at);
        let material = MaterialSpecification::new(MaterialModel::Linear, 1e5, 0.3, 1000.0);
        BodySpecification::uniform("bar", mesh, material)
    };
    Model::build(vec![bar(0.0), bar(0.5)], vec![], Vec3::ZERO).unwrap()
}

/// A system of random numbers in the pattern of a model, and the solver that has begun its step.
fn random_system(model: &Model, count: usize) -> (System, Condensed) {
    let space = Full::new(model).unwrap();
    let space = space.space();
    let mut system = System::new(model, space, Form::Stiffness);
    let filled = fill_spd(space.pattern().clone(), 3);
    (system.matrix.values_mut()).copy_from_slice(filled.values());
    system.rhs = random_vector(space.row_count(), 5);
    system.mass.fill(0.0);
    system.node_weights.fill(0.0);
    let settings = ConjacSettings {
        count,
        stabilisation: 1.0,
        ..ConjacSettings::default()
    };
    let mut solver = Condensed::new(model, settings);
    begin(model, space, &mut solver);
    solver.prepare(&system).unwrap();
    (system, solver)
}

fn begin(model: &Model, space: &crate::reduction::ReducedSpace, solver: &mut Condensed) {
    let start = StepStart {
        model,
        space,
        h: 0.01,
        positions: &model.rest,
        memory: &[],
        near: &[],
        joined: &[],
        activity: &Default::default(),
        linear: true,
    };
    solver.begin(&start).unwrap();
}

fn largest(a: &[Vec3], b: &[Vec3]) -> f64 {
    let pairs = flat(a).iter().zip(flat(b));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Condensing with A instead of H equals the full solution to rounding, whoever is dynamic (none: six anchors each).
#[test]
fn condensing_with_the_whole_matrix_is_exact() {
    let model = bars();
    for count in [0, 1, 2, 5, 30] {
        let (system, mut solver) = random_system(&model, count);
        let mut z = vec![Vec3::ZERO; system.rhs.len()];
        let report = solver.solve(&system, &mut z).unwrap();
        assert!(report.relative_residual < 1e-12);
        let mut exact = system.rhs.clone();
        let factor = Llt::from_matrix(&system.matrix).unwrap();
        factor.solve(&mut exact, &mut SolveScratch::new()).unwrap();
        let scale = largest(&exact, &vec![Vec3::ZERO; exact.len()]);
        assert!(largest(&z, &exact) < 1e-12 * scale, "{count} nodes");

        // the inverse that constraints use is the same map
        let mut applied = system.rhs.clone();
        let inverse = solver.inverse(&system).unwrap();
        inverse
            .apply(&mut applied, &mut SolveScratch::new())
            .unwrap();
        assert!(largest(&applied, &exact) < 1e-12 * scale, "{count} nodes");
    }
}

/// As many unknowns as the policy of METHODS 1.2 says: three a node, and what is missing to hold two free bodies.
#[test]
fn unknowns_are_nodes_and_missing_rigid_motions() {
    let model = bars();
    for (count, expected) in [(0, 6), (1, 6), (2, 7), (3, 9), (4, 12)] {
        let (_, solver) = random_system(&model, count);
        assert_eq!(solver.unknown_count(0), 2 * expected, "{count} nodes");
        assert_eq!(
            solver.inverse.layout.width, expected,
            "bodies share columns"
        );
    }
}

/// W from isolated nodes and the term of low rank equals W from whole solves.
#[test]
fn compliance_is_that_of_the_inverse() {
    let model = bars();
    let (system, mut solver) = random_system(&model, 3);
    let mut z = vec![Vec3::ZERO; system.rhs.len()];
    solver.solve(&system, &mut z).unwrap();
    let mut random = Random::new(11);
    let mut columns = SparseColumns {
        starts: vec![0],
        ..SparseColumns::default()
    };
    for _ in 0..12 {
        for _ in 0..3 {
            columns.rows.push(random.below(system.rhs.len()) as u32);
            let mut column = || vec3(random.signed(), random.signed(), random.signed());
            let block = Mat3::from_columns(column(), column(), column());
            columns.blocks.push(block);
        }
        columns.starts.push(columns.rows.len());
    }
    let inverse = solver.inverse(&system).unwrap();
    let (mut w, mut reference) = (BlockRows::default(), BlockRows::default());
    let mut isolated = ByParts::<IsolatedNodes>::default();
    isolated.delassus(&columns, inverse, &mut w).unwrap();
    let mut whole = WholeSolves::default();
    whole.delassus(&columns, inverse, &mut reference).unwrap();
    for row in 0..12 {
        for column in 0..12 {
            let difference = w.block(row, column) - reference.block(row, column);
            assert!(difference.max_abs() < 1e-12, "{row}, {column}");
            let mirrored = w.block(row, column) - w.block(column, row).transpose();
            assert_eq!(mirrored.max_abs(), 0.0);
        }
    }
}

/// Representatives wake and sleep without a new symbolic analysis: the factor's pattern stands (CJ-17, CJ-18).
#[test]
fn switching_nodes_keeps_the_symbolic_factor() {
    let model = bars();
    let space = Full::new(&model).unwrap();
    let (system, _) = random_system(&model, 3);
    let settings = ConjacSettings {
        count: 3,
        stabilisation: 1.0,
        adaptive: Some(LivelinessSettings::default()),
        ..ConjacSettings::default()
    };
    let mut solver = Condensed::new(&model, settings);
    let mut symbolic = None;
    for dynamic in [
        vec![true; 6],
        vec![false; 6],
        vec![true, false, true, false, false, true],
    ] {
        let activity = super::Activity {
            dynamic,
            metrics: Vec::new(),
        };
        let start = StepStart {
            model: &model,
            space: space.space(),
            h: 0.01,
            positions: &model.rest,
            memory: &[],
            near: &[],
            joined: &[],
            activity: &activity,
            linear: true,
        };
        solver.begin(&start).unwrap();
        solver.prepare(&system).unwrap();
        let mut z = vec![Vec3::ZERO; system.rhs.len()];
        solver.solve(&system, &mut z).unwrap();
        let mut exact = system.rhs.clone();
        let factor = Llt::from_matrix(&system.matrix).unwrap();
        factor.solve(&mut exact, &mut SolveScratch::new()).unwrap();
        assert!(largest(&z, &exact) < 1e-10);
        let used = solver.inverse.factor.as_ref().unwrap().symbolic().clone();
        let first = symbolic.get_or_insert_with(|| used.clone());
        assert!(std::sync::Arc::ptr_eq(first, &used));
    }
}

/// The projection after a friction filter is the least-squares one in the norm of A (CJ-21): what is left is A-orthogonal to J.
#[test]
fn projection_is_optimal() {
    let model = bars();
    let (mut system, mut solver) = random_system(&model, 2);
    system.node_weights = (0..system.rhs.len())
        .map(|i| 0.5 + (i % 3) as f64)
        .collect();
    let mut z = vec![Vec3::ZERO; system.rhs.len()];
    solver.solve(&system, &mut z).unwrap();
    let wanted = random_vector(system.rhs.len(), 17);
    let mut nearest = wanted.clone();
    solver.project(&system, &mut nearest);
    let missed: Vec<Vec3> = wanted.iter().zip(&nearest).map(|(&a, &b)| a - b).collect();
    let mut image = vec![Vec3::ZERO; missed.len()];
    system.matrix.multiply(&missed, &mut image);
    for (i, image) in image.iter_mut().enumerate() {
        *image += missed[i] * system.node_weights[i];
    }
    let along = solver.inverse.restrict(flat(&image));
    let size = solver.inverse.restrict(flat(&wanted));
    let largest = |list: &[f64]| list.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(largest(&along) < 1e-11 * largest(&size));
    // and a velocity that is already among the possible ones stays
    let before = nearest.clone();
    solver.project(&system, &mut nearest);
    assert!(super::tests::largest(&before, &nearest) < 1e-12);
}

/// Steps that are not measured would have been measured below a thousandth of the threshold for falling asleep.
#[test]
fn what_is_not_measured_is_negligible() {
    let model = bars();
    let adaptive = LivelinessSettings::default();
    let settings = ConjacSettings {
        count: 3,
        adaptive: Some(adaptive),
        ..ConjacSettings::default()
    };
    let h = 0.01;
    let shake = random_vector(model.node_count(), 8);
    let negligible = 1e-3 * adaptive.threshold * adaptive.release;
    let (mut skipped, mut measured) = (0, 0);
    for power in -14..-2 {
        let moved = shake.iter().zip(&model.rest);
        let moved: Vec<Vec3> = moved.map(|(&s, &x)| x + s * 10f64.powi(power)).collect();
        let mut solver = Condensed::new(&model, settings);
        solver.liveliness.begin(&Default::default());
        solver.observe(&model, &model.rest, &moved, h);
        let mut rates = Vec::new();
        crate::assembly::stretch_rates(&model, &model.rest, &moved, h, &mut rates);
        let fastest = rates.iter().copied().fold(0.0, f64::max);
        if solver.activity().metrics[0].iter().all(|&m| m == 0.0) {
            assert!(fastest <= negligible);
            skipped += 1;
        } else {
            measured += 1;
        }
    }
    assert!(skipped > 2 && measured > 2);
}
