use super::*;
use crate::assembly::Forces;
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::BodySpecification;
use crate::subspace::train::samples::coordinates;
use pliant_linalg::{CubatureMethod, Mat3, flat, testing::random_vector, vec3};
use pliant_mesh::generate::{self, Split};

fn bar(cells: [usize; 3]) -> Model {
    let mesh = generate::bar(vec3(1.0, 0.2, 0.2), cells, Split::Five).unwrap();
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.4, 1e3);
    let body = BodySpecification::uniform("bar", mesh, material);
    Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
}

/// The bar bent to a circle of a curvature, towards y and z by an angle.
fn bent(model: &Model, curvature: f64, angle: f64) -> Snapshot {
    let (low, high) = (model.rest.iter()).fold((model.rest[0], model.rest[0]), |(l, h), x| {
        (l.min(*x), h.max(*x))
    });
    let middle = (low + high) * 0.5;
    let (sine, cosine) = angle.sin_cos();
    let towards = vec3(0.0, cosine, sine);
    let aside = vec3(0.0, -sine, cosine);
    let bend = |x: &Vec3| {
        let arm = *x - middle;
        let (s, t, w) = (arm.x, arm.dot(towards), arm.dot(aside));
        let radius = 1.0 / curvature - t;
        let x = vec3(radius * (curvature * s).sin(), 0.0, 0.0);
        middle + x + towards * (1.0 / curvature - radius * (curvature * s).cos()) + aside * w
    };
    Snapshot {
        positions: model.rest.iter().map(bend).collect(),
        activations: Vec::new(),
    }
}

fn training<'a>(
    model: &'a Model,
    snapshots: &'a [Snapshot],
    domains: &'a [Vec<u32>],
    skinned: &'a dyn Skinned,
) -> Training<'a> {
    Training {
        model,
        body: 0,
        snapshots,
        skinned,
        domains,
        held: &[],
        weights: None,
        touching: &[],
    }
}

fn settings(tolerance: f64) -> TrainingSettings {
    TrainingSettings {
        cubature: CubatureSettings {
            points: 120,
            tolerance,
            ..CubatureSettings::default()
        },
        ..TrainingSettings::default()
    }
}

fn one_domain(model: &Model) -> Vec<Vec<u32>> {
    vec![(0..model.element_count() as u32).collect()]
}

fn relative(found: &[f64], exact: &[f64]) -> f64 {
    let square = |x: f64| x * x;
    let error: f64 = found.iter().zip(exact).map(|(a, b)| square(a - b)).sum();
    (error / exact.iter().map(|b| square(*b)).sum::<f64>()).sqrt()
}

#[test]
fn forces_of_unseen_bends_are_near() {
    let model = bar([16, 4, 4]);
    let mut seen = Vec::new();
    for curvature in [0.3, 0.8, 1.3, 1.8] {
        for k in 0..8 {
            seen.push(bent(
                &model,
                curvature,
                0.25 * f64::from(k) * std::f64::consts::PI,
            ));
        }
    }
    let unseen: Vec<Snapshot> = (0..10)
        .map(|k| bent(&model, 0.45 + 0.12 * f64::from(k), 0.4 + 0.7 * f64::from(k)))
        .collect();
    let domains = one_domain(&model);
    for method in [CubatureMethod::Thresholding, CubatureMethod::Greedy] {
        let mut settings = settings(0.02);
        settings.cubature.method = method;
        let learn = training(&model, &seen, &domains, &Unskinned);
        let (trained, reports) = train(&learn, &settings, |_, _| {}).unwrap();
        assert_eq!(trained.check(&model), Ok(0));
        let (domain, report) = (&trained.domains[0], reports[0]);
        assert!(
            domain.error <= 0.02 && domain.error == report.error,
            "{report:?}"
        );
        assert!(
            report.points < 121 && report.points == domain.cubature.len(),
            "{report:?}"
        );
        assert!(report.rank >= 4 && report.rank < 24, "{report:?}");
        assert!(report.projection_error < 0.01, "{report:?}");
        let test = training(&model, &unseen, &domains, &Unskinned);
        for s in 0..unseen.len() {
            let u = basis::pull_back(&test, s, &domain.nodes);
            let q = coordinates(domain, &u);
            let (mut missed, mut size) = (0.0, 0.0);
            for (place, u) in u.iter().enumerate() {
                missed += (*u - domain.displacement(place, &q)).norm_squared();
                size += u.norm_squared();
            }
            assert!(
                (missed / size).sqrt() < 0.02,
                "{s}: {}",
                (missed / size).sqrt()
            );
            let exact = reduced_forces(&test, domain, s, &q, false).unwrap();
            let found = reduced_forces(&test, domain, s, &q, true).unwrap();
            let error = relative(&found, &exact);
            assert!(error < 0.1, "{method:?}, pose {s}: {error}");
        }
    }
}

/// U = I and all weights one: the reduced force is the force.
#[test]
fn the_identity_basis_with_weights_of_one_is_exact() {
    let model = bar([4, 2, 2]);
    let n = model.node_count();
    let snapshot = Snapshot {
        positions: (model.rest.iter().zip(random_vector(n, 3)))
            .map(|(x, noise)| *x + noise * 0.02)
            .collect(),
        activations: Vec::new(),
    };
    let mut domain = TrainedDomain {
        elements: (0..model.element_count() as u32).collect(),
        nodes: (0..n as u32).collect(),
        rank: 3 * n,
        basis: vec![0.0; 9 * n * n],
        cubature: (0..model.element_count() as u32)
            .map(|e| (e, 1.0))
            .collect(),
        ..TrainedDomain::default()
    };
    (0..3 * n).for_each(|k| domain.basis[k * 3 * n + k] = 1.0);
    let domains = one_domain(&model);
    let snapshots = [snapshot];
    let training = training(&model, &snapshots, &domains, &Unskinned);
    let q = coordinates(&domain, &basis::pull_back(&training, 0, &domain.nodes));
    let found = reduced_forces(&training, &domain, 0, &q, true).unwrap();
    let mut forces = Forces::default();
    forces
        .evaluate(&model, &snapshots[0].positions, &[], false)
        .unwrap();
    assert!(relative(&found, flat(&forces.nodal)) < 1e-13);
}

/// A rotation and shift for each node, as a skinning would give.
struct Turned {
    turn: Mat3,
    shift: Vec3,
}

impl Skinned for Turned {
    fn frame(&self, snapshot: usize, _: usize) -> NodeFrame {
        let more = Mat3::rotation(Vec3::AXES[1], 0.3 * snapshot as f64);
        NodeFrame {
            rotation: more * self.turn,
            shift: self.shift * snapshot as f64,
        }
    }
}

#[test]
fn turning_the_poses_changes_nothing() {
    let model = bar([8, 2, 2]);
    let still: Vec<Snapshot> = (1..7)
        .map(|k| bent(&model, 0.25 * f64::from(k), 0.9 * f64::from(k)))
        .collect();
    let skin = Turned {
        turn: Mat3::rotation(vec3(0.6, 0.0, 0.8), 2.1),
        shift: vec3(3.0, -1.0, 0.5),
    };
    let turned: Vec<Snapshot> = (still.iter().enumerate())
        .map(|(s, state)| {
            let frame = skin.frame(s, 0);
            let carry = |x: &Vec3| frame.push(*x);
            Snapshot {
                positions: state.positions.iter().map(carry).collect(),
                activations: Vec::new(),
            }
        })
        .collect();
    let domains = one_domain(&model);
    let run = |snapshots: &[Snapshot], skinned: &dyn Skinned| {
        let learn = training(&model, snapshots, &domains, skinned);
        train(&learn, &settings(0.01), |_, _| {}).unwrap().0
    };
    let (a, b) = (run(&still, &Unskinned), run(&turned, &skin));
    let (a, b) = (&a.domains[0], &b.domains[0]);
    assert_eq!(a.rank, b.rank);
    // columns may differ in sign; the spaces are the same
    for m in 0..a.rank {
        let product = |x: &TrainedDomain, y: &TrainedDomain, k: usize| {
            let rows = x.basis.chunks(a.rank).zip(y.basis.chunks(a.rank));
            rows.map(|(x, y)| x[m] * y[k]).sum::<f64>()
        };
        let held: f64 = (0..a.rank).map(|k| product(a, b, k).powi(2)).sum();
        assert!((held - 1.0).abs() < 1e-8, "mode {m}: {held}");
    }
    // forces in the turned frames are the same numbers
    let learn = training(&model, &turned, &domains, &skin);
    let q: Vec<f64> = (0..a.rank).map(|m| 0.05 / (1.0 + m as f64)).collect();
    let plain = training(&model, &still, &domains, &Unskinned);
    for s in 0..3 {
        let found = reduced_forces(&learn, a, s, &q, true).unwrap();
        let exact = reduced_forces(&plain, a, s, &q, true).unwrap();
        assert!(relative(&found, &exact) < 1e-11);
    }
}

#[test]
fn domains_share_nodes_and_rigid_modes_are_new() {
    let model = bar([8, 2, 2]);
    let snapshots: Vec<Snapshot> = (1..6)
        .map(|k| bent(&model, 0.2 * f64::from(k), 0.0))
        .collect();
    let half = |e: &u32| {
        let corners = model.element_nodes[*e as usize];
        let sum: f64 = corners.iter().map(|&n| model.rest[n as usize].x).sum();
        let middle: f64 = model.rest.iter().map(|x| x.x).sum::<f64>() / model.node_count() as f64;
        sum / 4.0 < middle
    };
    let all = 0..model.element_count() as u32;
    let domains = vec![
        all.clone().filter(|e| half(e)).collect::<Vec<u32>>(),
        Vec::new(),
        all.filter(|e| !half(e)).collect(),
    ];
    let held = [0, 3];
    let learn = Training {
        held: &held,
        ..training(&model, &snapshots, &domains, &Unskinned)
    };
    let settings = TrainingSettings {
        rigid_modes: true,
        ..settings(0.02)
    };
    let mut heard = Vec::new();
    let (trained, reports) = train(&learn, &settings, |d, _| heard.push(d)).unwrap();
    assert_eq!(heard, [0, 1, 2]);
    assert_eq!(trained.check(&model), Ok(0));
    // the nodes of the middle plane
    assert_eq!(trained.interface.len(), 9);
    assert_eq!(
        (trained.domains[1].rank, trained.domains[1].nodes.len()),
        (0, 0)
    );
    for (d, report) in [(0, reports[0]), (2, reports[2])] {
        let domain = &trained.domains[d];
        assert_eq!(report.rigid_modes, 6, "{report:?}");
        for a in 0..domain.rank {
            for b in 0..domain.rank {
                let rows = domain.basis.chunks(domain.rank);
                let product: f64 = rows.map(|row| row[a] * row[b]).sum();
                let one = if a == b { 1.0 } else { 0.0 };
                assert!((product - one).abs() < 1e-12);
            }
        }
        assert!(report.error <= 0.02, "{report:?}");
    }
    // the last modes of held nodes of the first domain move only as far as the principal components do
    let free = train(
        &Training {
            held: &[],
            ..training(&model, &snapshots, &domains, &Unskinned)
        },
        &settings,
        |_, _| {},
    )
    .unwrap()
    .0;
    assert_ne!(free.domains[0].basis, trained.domains[0].basis);
}

#[test]
fn bytes_are_the_same_for_any_number_of_threads() {
    let model = bar([8, 2, 2]);
    let snapshots: Vec<Snapshot> = (1..9)
        .map(|k| bent(&model, 0.2 * f64::from(k), 0.5 * f64::from(k)))
        .collect();
    let domains = one_domain(&model);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let learn = training(&model, &snapshots, &domains, &Unskinned);
            train(&learn, &settings(0.02), |_, _| {}).unwrap()
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn wrong_input_is_refused() {
    let model = bar([2, 1, 1]);
    let domains = one_domain(&model);
    let good = [bent(&model, 0.5, 0.0)];
    let refuse = |snapshots: &[Snapshot], domains: &[Vec<u32>]| {
        let learn = training(&model, snapshots, domains, &Unskinned);
        train(&learn, &settings(0.1), |_, _| {}).unwrap_err()
    };
    assert_eq!(refuse(&[], &domains), TrainingError::NoSnapshots);
    let short = [Snapshot {
        positions: vec![Vec3::ZERO; 3],
        activations: Vec::new(),
    }];
    assert!(matches!(
        refuse(&short, &domains),
        TrainingError::Size { found: 3, .. }
    ));
    assert_eq!(refuse(&good, &[vec![0, 1, 1]]), TrainingError::Domains(1));
    assert_eq!(refuse(&good, &[vec![0]]), TrainingError::Domains(1));
    let nothing = [Snapshot {
        positions: vec![vec3(f64::NAN, 0.0, 0.0); model.node_count()],
        activations: Vec::new(),
    }];
    assert!(matches!(
        refuse(&nothing, &domains),
        TrainingError::Basis { domain: 0, .. }
    ));
}

#[test]
fn elements_between_held_nodes_stand_for_nothing() {
    // both ends held: their elements have columns of rounding, which weights without bound would make forces of
    let model = bar([16, 3, 3]);
    let mut snapshots: Vec<Snapshot> = (0..12)
        .map(|k| {
            let k = f64::from(k);
            bent(&model, 0.3 + 0.1 * k, 0.5 * k)
        })
        .collect();
    let held: Vec<u32> = (0..model.node_count() as u32)
        .filter(|&n| (model.rest[n as usize].x - 0.5).abs() > 0.3)
        .collect();
    for snapshot in &mut snapshots {
        for &n in &held {
            // as a pull-back through frames leaves it
            snapshot.positions[n as usize] = model.rest[n as usize] * (1.0 + 1e-16);
        }
    }
    let domains = one_domain(&model);
    let mut learn = training(&model, &snapshots, &domains, &Unskinned);
    learn.held = &held;
    let (trained, _) = train(&learn, &settings(0.02), |_, _| {}).unwrap();
    let is_held = |n: &u32| held.binary_search(n).is_ok();
    let count = model.element_count() as f64;
    let total: f64 = trained.domains[0].cubature.iter().map(|p| p.1).sum();
    for &(e, weight) in &trained.domains[0].cubature {
        let corners = &model.element_nodes[e as usize];
        assert!(!corners.iter().all(is_held), "element {e} cannot move");
        assert!(weight < count, "element {e} stands for {weight}");
    }
    assert!(total < 2.0 * count, "{total} of {count}");
}
