//! The method `conjac`: the paper's equations, statics, free bodies, contact, switching.

use crate::common::*;
use pliant_linalg::{BlockMatrix, Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::assembly::{
    Forces, NO_ROW, ScatterMap, TangentInput, TangentWeights, assemble_tangent,
};
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{ConjacSettings, Integrator, LivelinessSettings, Settings};
use pliant_solid::strategy::Method;

const BETA: f64 = 0.5;

fn conjac(conjac: ConjacSettings) -> Settings {
    Settings {
        conjac,
        ..settings(Integrator::LinearImplicit { beta: BETA })
    }
}

fn with_nodes(mut model: Model, nodes: &[u32]) -> Model {
    model.bodies[0].representatives = Some(nodes.to_vec());
    model
}

fn run(model: &Model, settings: &Settings, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

/// Solves A X = B densely by Gaussian elimination with pivoting; B by columns.
pub(crate) fn dense_solve(a: &[Vec<f64>], columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut a: Vec<Vec<f64>> = a.to_vec();
    let mut x: Vec<Vec<f64>> = columns.to_vec();
    for k in 0..n {
        let best = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()));
        let best = best.unwrap();
        a.swap(k, best);
        x.iter_mut().for_each(|x| x.swap(k, best));
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            x.iter_mut().for_each(|x| x[i] -= factor * x[k]);
        }
    }
    for x in &mut x {
        for k in (0..n).rev() {
            let rest: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
            x[k] = (x[k] - rest) / a[k][k];
        }
    }
    x
}

/// H, or C of stiffness damping, of all nodes as a dense matrix.
pub(crate) fn dense_tangent(
    model: &Model,
    x: &[Vec3],
    activations: &[f64],
    weights: TangentWeights,
) -> Vec<Vec<f64>> {
    let rows: Vec<u32> = (0..model.node_count() as u32).collect();
    let mut free = model.clone();
    free.drives.clear();
    let space = Simulation::new(free, Settings::default(), Method::Full).unwrap();
    let pattern = space.space().pattern().clone();
    let map = ScatterMap::new(&model.elements, &rows, &pattern);
    let mut matrix = BlockMatrix::new(pattern);
    let input = TangentInput {
        positions: x,
        activations,
        rotations: &[],
    };
    let mut nothing = vec![Vec3::ZERO; model.node_count()];
    assemble_tangent(
        &model.elements,
        input,
        weights,
        &map,
        &rows,
        None,
        &mut matrix,
        &mut nothing,
    );
    assert!(rows.iter().all(|&row| row != NO_ROW));
    matrix.to_dense()
}

/// One step by [WKS20, Eqs. 6, 7, 11 to 13] with dense matrices and explicit partitions; prescribed nodes have the velocity
/// `known` and pull the quasi-static ones along. Returns positions and velocities.
fn dense_step(
    model: &Model,
    state: &pliant_solid::state::State,
    dynamic: &[u32],
    known: &[(u32, Vec3)],
    h: f64,
    gamma: f64,
) -> (Vec<Vec3>, Vec<Vec3>) {
    let n = model.node_count();
    let x = &state.positions;
    let stiffness = TangentWeights {
        stiffness: 1.0,
        damping: 0.0,
    };
    let damping = TangentWeights {
        stiffness: 0.0,
        damping: 1.0,
    };
    let hessian = dense_tangent(model, x, &[], stiffness);
    let viscous = dense_tangent(model, x, &[], damping);
    let mut forces = Forces::default();
    forces.evaluate(model, x, &[], false).unwrap();
    let f = |dof: usize| {
        let node = dof / 3;
        (forces.nodal[node] + model.gravity * model.mass[node])[dof % 3]
    };
    let d: Vec<usize> = dynamic
        .iter()
        .flat_map(|&n| (0..3).map(move |a| 3 * n as usize + a))
        .collect();
    let k: Vec<usize> = known
        .iter()
        .flat_map(|&(n, _)| (0..3).map(move |a| 3 * n as usize + a))
        .collect();
    let q: Vec<usize> = (0..3 * n)
        .filter(|i| !d.contains(i) && !k.contains(i))
        .collect();
    let qq: Vec<Vec<f64>> = q
        .iter()
        .map(|&i| q.iter().map(|&j| hessian[i][j]).collect())
        .collect();
    let mut columns: Vec<Vec<f64>> = d
        .iter()
        .map(|&j| q.iter().map(|&i| -hessian[i][j]).collect())
        .collect();
    columns.push(q.iter().map(|&i| f(i)).collect());
    let b: Vec<f64> = known.iter().flat_map(|(_, v)| v.to_array()).collect();
    let pulled = |i: usize| {
        -k.iter()
            .zip(&b)
            .map(|(&j, b)| hessian[i][j] * b)
            .sum::<f64>()
    };
    columns.push(q.iter().map(|&i| pulled(i)).collect());
    let solved = dense_solve(&qq, &columns);
    // J and c over all unknowns
    let mut jacobian = vec![vec![0.0; 3 * n]; d.len()];
    for (column, (jacobian, &dof)) in jacobian.iter_mut().zip(&d).enumerate() {
        jacobian[dof] = 1.0;
        for (place, &i) in q.iter().enumerate() {
            jacobian[i] = solved[column][place];
        }
    }
    let mut c = vec![0.0; 3 * n];
    q.iter()
        .enumerate()
        .for_each(|(place, &i)| c[i] = solved[d.len() + 1][place]);
    k.iter().zip(&b).for_each(|(&i, &b)| c[i] = b);
    let a = |i: usize, j: usize| {
        let mass = if i == j {
            model.mass[i / 3] + h * model.mass_damping[i / 3]
        } else {
            0.0
        };
        mass + h * viscous[i][j] + BETA * h * h * hessian[i][j]
    };
    let times = |field: &[f64]| -> Vec<f64> {
        (0..3 * n)
            .map(|i| (0..3 * n).map(|j| a(i, j) * field[j]).sum())
            .collect()
    };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let images: Vec<Vec<f64>> = jacobian.iter().map(|j| times(j)).collect();
    let reduced: Vec<Vec<f64>> = jacobian
        .iter()
        .map(|j| images.iter().map(|image| dot(j, image)).collect())
        .collect();
    let of_c = times(&c);
    let r: Vec<f64> = (0..3 * n)
        .map(|i| model.mass[i / 3] * state.velocities[i / 3][i % 3] + h * f(i) - of_c[i])
        .collect();
    let rhs: Vec<f64> = jacobian.iter().map(|j| dot(j, &r)).collect();
    let rates = &dense_solve(&reduced, &[rhs])[0];
    let mut v = c;
    for (j, rate) in jacobian.iter().zip(rates) {
        v.iter_mut().zip(j).for_each(|(v, j)| *v += j * rate);
    }
    let mut moved = v.clone();
    q.iter()
        .enumerate()
        .for_each(|(place, &i)| moved[i] += gamma * solved[d.len()][place] / h);
    let field =
        |flat: &[f64]| -> Vec<Vec3> { flat.chunks(3).map(|v| vec3(v[0], v[1], v[2])).collect() };
    let x = x
        .iter()
        .zip(field(&moved))
        .map(|(&x, v)| x + v * h)
        .collect();
    (x, field(&v))
}

/// A step equals the paper's equations written out, with damping, prescribed motion and a material that is not linear.
#[test]
fn a_step_is_the_paper_s() {
    let mesh = bar([5, 2, 2]);
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 0.3;
    let (left, right) = (left_end(&mesh), right_end(&mesh));
    let speed = vec3(0.02, 0.01, -0.03);
    let motion = Motion {
        translation: Some(speed.to_array().map(|v| Profile::Keyframes {
            keys: vec![(0.0, 0.0), (10.0, 10.0 * v)],
            smooth: false,
        })),
        ..Motion::default()
    };
    for stiffness_damping in [0.0, 4e-3] {
        material.stiffness_damping = stiffness_damping;
        let body = BodySpecification::uniform("bar", mesh.clone(), material.clone());
        let drives = vec![
            fix(left.clone()),
            prescribe(right.clone(), [true; 3], motion.clone()),
        ];
        let model = Model::build(vec![body], drives, GRAVITY).unwrap();
        let dynamic = [22, 31];
        let model = with_nodes(model, &dynamic);
        let settings = conjac(ConjacSettings::default());
        let mut simulation = run(&model, &settings, Method::Conjac, 6);
        let still = left.iter().map(|&node| (node, Vec3::ZERO));
        let known: Vec<(u32, Vec3)> = still
            .chain(right.iter().map(|&node| (node, speed)))
            .collect();
        let start = simulation.state().clone();
        let (x, v) = dense_step(&model, &start, &dynamic, &known, settings.h, 1.0 / 3.0);
        simulation.step().unwrap();
        let moved = distance(&x, &start.positions);
        assert!(moved > 1e-5);
        assert!(distance(&simulation.state().positions, &x) < 1e-9 * moved);
        let fastest = v.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(distance(&simulation.state().velocities, &v) < 1e-9 * fastest);
        assert_eq!(simulation.report().active_dofs, 6);
    }
}

/// Where every node is dynamic nothing is condensed, and the method is the full one.
#[test]
fn all_dynamic_is_full() {
    let mesh = bar([4, 2, 2]);
    let all: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let model = with_nodes(
        cantilever(mesh, soft(MaterialModel::StableNeoHookean)),
        &all,
    );
    let settings = conjac(ConjacSettings::default());
    let condensed = run(&model, &settings, Method::Conjac, 20);
    let full = run(&model, &settings, Method::Full, 20);
    let (a, b) = (&condensed.state().positions, &full.state().positions);
    assert!(distance(a, b) < 1e-12);
}

/// CJ-11: the same static state as the full method, for any number of dynamic nodes, also none.
#[test]
fn rest_is_the_full_method_s() {
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 8.0;
    let model = cantilever(bar([8, 2, 2]), material);
    let settings = conjac(ConjacSettings::default());
    let full = run(&model, &settings, Method::Full, 1500);
    for nodes in [&[][..], &[44], &[12, 44, 80]] {
        let condensed = run(
            &with_nodes(model.clone(), nodes),
            &settings,
            Method::Conjac,
            1500,
        );
        let (a, b) = (&condensed.state().positions, &full.state().positions);
        assert!(distance(a, b) < 1e-7 * 0.4, "{nodes:?}: {}", distance(a, b));
    }
}

/// A free body keeps its momentum and falls as it should, however few nodes are dynamic.
#[test]
fn free_bodies_fall_and_keep_momentum() {
    let velocity = vec3(0.3, -0.2, 0.5);
    for nodes in [&[][..], &[20], &[3, 40], &[0, 20, 44, 13]] {
        let mesh = bar([4, 2, 2]);
        let body = free_body(
            mesh,
            soft(MaterialModel::StableNeoHookean),
            velocity,
            vec3(0.0, 0.5, 0.2),
            GRAVITY,
        );
        let model = with_nodes(body, nodes);
        let settings = conjac(ConjacSettings::default());
        let simulation = run(&model, &settings, Method::Conjac, 40);
        let report = simulation.report();
        let mass: f64 = model.mass.iter().sum();
        let expected = (velocity + GRAVITY * (40.0 * settings.h)) * mass;
        let error = (report.momentum.linear - expected).norm();
        assert!(error < 1e-10 * expected.norm(), "{nodes:?}: {error:e}");
        assert_eq!(report.inverted_elements, 0);
    }
}

/// A block on a floor rests on it: the forces of constraints are its weight, and nothing sinks in.
#[test]
fn constraint_contact_carries_the_weight() {
    let size = vec3(0.1, 0.1, 0.1);
    let mut mesh =
        pliant_mesh::generate::bar(size, [4; 3], pliant_mesh::generate::Split::Six).unwrap();
    mesh.positions.iter_mut().for_each(|x| x.z += 0.002);
    let mut material =
        MaterialSpecification::new(MaterialModel::StableNeoHookean, 5e4, 0.4, 1000.0);
    material.mass_damping = 5.0;
    let contact = ContactModel {
        enabled: true,
        friction: 0.0, // with friction rest has many shapes
        obstacles: vec![Obstacle {
            name: "floor".into(),
            shape: Shape::HalfSpace {
                point: Vec3::ZERO,
                normal: vec3(0.0, 0.0, 1.0),
            },
            friction: None,
            motion: None,
        }],
        ..ContactModel::default()
    };
    let body = BodySpecification::uniform("block", mesh, material);
    let model = Model::build(vec![body], vec![], GRAVITY).unwrap();
    let model = model.with_contact(contact).unwrap();
    let settings = conjac(ConjacSettings::default());
    let simulation = run(&model, &settings, Method::Conjac, 600);
    let forces = &simulation.state().constraint_forces;
    let pushed: Vec3 = forces.iter().fold(Vec3::ZERO, |sum, r| sum + r.force);
    let weight = GRAVITY * model.mass.iter().sum::<f64>();
    assert!(
        (pushed + weight).norm() < 1e-4 * weight.norm(),
        "{pushed:?}"
    );
    let lowest = (simulation.state().positions.iter())
        .map(|x| x.z)
        .fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-6, "{lowest:e}");
    let full = run(&model, &settings, Method::Full, 600);
    let (a, b) = (&simulation.state().positions, &full.state().positions);
    let height = |x: &[Vec3]| x.iter().map(|x| x.z).sum::<f64>() / x.len() as f64;
    assert!(
        (height(a) - height(b)).abs() < 1e-5,
        "{} {}",
        height(a),
        height(b)
    );
}

fn adaptive_bar() -> (Model, Settings) {
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 4.0;
    let model = with_nodes(cantilever(bar([8, 2, 2]), material), &[80, 40]);
    let settings = conjac(ConjacSettings {
        adaptive: Some(LivelinessSettings::default()),
        ..ConjacSettings::default()
    });
    (model, settings)
}

/// Everything is quasi-static at first, gravity wakes it, rest puts it to sleep, and rest is that of the full method (CJ-12 to CJ-18).
#[test]
fn nodes_wake_and_sleep() {
    let (model, settings) = adaptive_bar();
    let mut simulation = Simulation::new(model.clone(), settings.clone(), Method::Conjac).unwrap();
    let mut unknowns = Vec::new();
    for _ in 0..900 {
        simulation.step().unwrap();
        unknowns.push(simulation.report().active_dofs);
    }
    assert_eq!(unknowns[0], 0);
    let woken = unknowns.iter().position(|&u| u == 6).unwrap();
    assert!(woken <= 10, "within the window, not after {woken} steps");
    assert_eq!(unknowns[899], 0);
    assert!(simulation.state().activity.mean(0) < 0.02);
    let full = run(&model, &settings, Method::Full, 1500);
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    let (a, b) = (&simulation.state().positions, &full.state().positions);
    assert!(distance(a, b) < 1e-6 * 0.4, "{}", distance(a, b));
}

/// The same bytes after a resume in the middle of a window, and for any number of threads.
#[test]
fn resuming_and_threads_change_nothing() {
    let (model, settings) = adaptive_bar();
    let whole = run(&model, &settings, Method::Conjac, 60);
    for steps in [3, 12, 41] {
        let first = run(&model, &settings, Method::Conjac, steps);
        let state = first.state().clone();
        let mut second =
            Simulation::resume(model.clone(), settings.clone(), Method::Conjac, state).unwrap();
        for _ in steps..60 {
            second.step().unwrap();
        }
        assert_eq!(second.state(), whole.state());
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let other = pool
            .unwrap()
            .install(|| run(&model, &settings, Method::Conjac, 60));
        assert_eq!(other.state(), whole.state());
    }
}

/// Newton's integrators are refused with a remedy, and the state stays.
#[test]
fn other_integrators_are_refused() {
    let model = cantilever(bar([2, 1, 1]), soft(MaterialModel::StableNeoHookean));
    let settings = settings(Integrator::ImplicitEuler);
    let mut simulation = Simulation::new(model, settings, Method::Conjac).unwrap();
    let error = simulation.step().unwrap_err().to_string();
    assert!(error.contains("linear-implicit"), "{error}");
    assert_eq!(simulation.state().step, 0);
}

/// Corrections with the same factor leave less force on quasi-static nodes than stabilisation does.
#[test]
fn corrections_balance_quasi_static_nodes() {
    let unbalanced = |corrections: u32| {
        let model = cantilever(bar([8, 2, 2]), soft(MaterialModel::StableNeoHookean));
        let model = with_nodes(model, &[80]);
        let settings = conjac(ConjacSettings {
            corrections,
            ..ConjacSettings::default()
        });
        let mut simulation = Simulation::new(model.clone(), settings, Method::Conjac).unwrap();
        let mut sum = 0.0;
        for _ in 0..60 {
            simulation.step().unwrap();
            let mut forces = Forces::default();
            let x = &simulation.state().positions;
            forces.evaluate(&model, x, &[], false).unwrap();
            let fixed = |node: usize| model.rest[node].x < 1e-9 || node == 80;
            let nodes = (0..model.node_count()).filter(|&node| !fixed(node));
            let left = nodes.map(|i| (forces.nodal[i] + GRAVITY * model.mass[i]).norm_squared());
            let left = left.sum::<f64>();
            if simulation.state().step > 5 {
                sum += left; // the first load is a jump
            }
        }
        (sum / 55.0).sqrt()
    };
    let (plain, corrected) = (unbalanced(0), unbalanced(3));
    assert!(corrected < 0.02 * plain, "{corrected:e} against {plain:e}");
}

/// A fast free spin: along tangents a body grows and loses its spin, co-rotated it keeps its shape, momentum and energy.
#[test]
fn corotation_keeps_a_fast_spin() {
    let spin = vec3(1.0, 2.0, 30.0);
    let spun = |corotate: bool| {
        let mesh = bar([4, 2, 2]);
        let material =
            MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e6, 0.4, 1000.0);
        let model = free_body(mesh, material, vec3(0.1, 0.0, 0.0), spin, Vec3::ZERO);
        let settings = conjac(ConjacSettings {
            corotate,
            ..ConjacSettings::default()
        });
        let mut simulation = Simulation::new(model.clone(), settings, Method::Conjac).unwrap();
        simulation.step().unwrap();
        let start = simulation.report().momentum;
        for _ in 0..200 {
            simulation.step().unwrap();
        }
        let end = simulation.report();
        let about = |m: &pliant_solid::report::Momentum| m.angular - m.centre.cross(m.linear);
        let lost = (about(&end.momentum) - about(&start)).norm() / about(&start).norm();
        (lost, end.energies.kinetic)
    };
    let (tangents, corotated) = (spun(false), spun(true));
    assert!(corotated.0 < 1e-3, "{corotated:?}");
    assert!(
        tangents.0 > 20.0 * corotated.0,
        "{tangents:?} {corotated:?}"
    );
}

/// What spins swells by centrifugal forces: co-rotation must not take them away. Mean over half a second, beside `full` with short steps.
#[test]
fn corotation_leaves_centrifugal_forces() {
    let mesh = bar([8, 2, 2]);
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.young = 3e4;
    let spin = vec3(0.0, 0.0, 30.0);
    let model = free_body(mesh, material, Vec3::ZERO, spin, Vec3::ZERO);
    let radius = |x: &[Vec3]| {
        let moment = |field: &dyn Fn(usize) -> Vec3| {
            (0..x.len()).fold(Vec3::ZERO, |sum, i| sum + field(i) * model.mass[i])
        };
        let mass: f64 = model.mass.iter().sum();
        let centre = moment(&|i| x[i]) / mass;
        let squares = (0..x.len()).map(|i| (x[i] - centre).norm_squared() * model.mass[i]);
        (squares.sum::<f64>() / mass).sqrt()
    };
    let swelling = |method: Method, h: f64, corrections: u32| {
        let settings = Settings {
            h,
            ..conjac(ConjacSettings {
                corotate: true,
                corrections,
                ..ConjacSettings::default()
            })
        };
        let mut simulation = Simulation::new(model.clone(), settings, method).unwrap();
        let steps = (0.5 / h).round() as usize;
        let sum: f64 = (0..steps)
            .map(|_| {
                simulation.step().unwrap();
                radius(&simulation.state().positions)
            })
            .sum();
        sum / steps as f64 / radius(&model.rest) - 1.0
    };
    let wanted = swelling(Method::Full, 2e-4, 0);
    for corrections in [0, 1] {
        let found = swelling(Method::Conjac, 1e-3, corrections);
        assert!(
            (found / wanted - 1.0).abs() < 0.05,
            "{corrections} {found:e} {wanted:e}"
        );
    }
}

/// A bar turned by its end: in the frame of the hold it is nearer to `full` with short steps.
#[test]
fn held_pieces_turn_with_their_hold() {
    let size = vec3(0.10, 0.03, 0.03);
    let mesh = generate::bar(size, [8, 3, 3], generate::Split::Six).unwrap();
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.young = 3e4;
    let turn = Turn {
        axis: vec3(0.0, 0.0, 1.0),
        centre: vec3(0.0, 0.5, 0.5).scale(size),
        angle: Profile::Keyframes {
            keys: vec![(0.0, 0.0), (10.0, 200.0)],
            smooth: false,
        },
    };
    let drive = Drive {
        name: "hold".into(),
        action: Action::Prescribe {
            nodes: left_end(&mesh),
            axes: [true; 3],
            motion: Motion {
                rotation: Some(turn),
                ..Motion::default()
            },
            release: None,
        },
    };
    let body = BodySpecification::uniform("bar", mesh, material);
    let model = Model::build(vec![body], vec![drive], Vec3::ZERO).unwrap();
    let path = |method: Method, every: usize, corotate: bool| {
        let settings = Settings {
            h: 5e-3 / every as f64,
            ..conjac(ConjacSettings {
                corotate,
                ..ConjacSettings::default()
            })
        };
        let mut simulation = Simulation::new(model.clone(), settings, method).unwrap();
        let mut path = Vec::new();
        for _ in 0..200 {
            for _ in 0..every {
                simulation.step().unwrap();
            }
            path.extend_from_slice(&simulation.state().positions);
        }
        path
    };
    let reference = path(Method::Full, 20, false);
    let [plain, corotated] = [false, true].map(|corotate| {
        let path = path(Method::Conjac, 1, corotate);
        let squares = path.iter().zip(&reference);
        let squares = squares.map(|(a, b)| (*a - *b).norm_squared());
        (squares.sum::<f64>() / path.len() as f64).sqrt()
    });
    assert!(corotated < 0.9 * plain, "{corotated:e} {plain:e}");
}

/// Steps that adapt to their error: few where little happens, many after a release, and the same bytes after a resume.
#[test]
fn steps_adapt_to_their_error() {
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 3.0;
    let model = with_nodes(cantilever(bar([8, 2, 2]), material), &[80]);
    let settings = Settings {
        h: 0.02,
        tolerance: Some(1e-3),
        ..conjac(ConjacSettings::default())
    };
    let mut simulation = Simulation::new(model.clone(), settings.clone(), Method::Conjac).unwrap();
    let mut halvings = Vec::new();
    for _ in 0..150 {
        let report = simulation.step().unwrap();
        assert!(report.step_error <= 1e-3);
        halvings.push(report.halvings);
    }
    assert!(halvings[..10].iter().any(|&n| n >= 1), "{halvings:?}");
    assert!(halvings[140..].iter().all(|&n| n == 0), "{halvings:?}");
    let first = run(&model, &settings, Method::Conjac, 4);
    let state = first.state().clone();
    let mut second = Simulation::resume(model, settings, Method::Conjac, state).unwrap();
    for _ in 4..150 {
        second.step().unwrap();
    }
    assert_eq!(second.state(), simulation.state());
}

/// In free fall, and while it spins, nothing hangs from the dynamic nodes: a fall leaves a body undeformed.
#[test]
fn a_fall_deforms_nothing() {
    let fallen = |whole_motion: bool| {
        let mesh = bar([8, 2, 2]);
        let body = free_body(
            mesh,
            soft(MaterialModel::StableNeoHookean),
            Vec3::ZERO,
            Vec3::ZERO,
            GRAVITY,
        );
        let settings = conjac(ConjacSettings {
            whole_motion,
            ..ConjacSettings::default()
        });
        let simulation = run(
            &with_nodes(body, &[0, 40, 80]),
            &settings,
            Method::Conjac,
            30,
        );
        simulation.report().energies.elastic
    };
    let (hanging, falling) = (fallen(false), fallen(true));
    assert!(falling < 1e-12 * hanging, "{falling:e} against {hanging:e}");
}
