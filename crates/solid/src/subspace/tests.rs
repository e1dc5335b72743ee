//! The mixed matrix against differences of forces, and formulations that are rejected for a reason.

use super::frame::{Frame, Posing, Skin};
use super::problem::Mixed;
use super::{
    Fingerprint, Oracle, SubspaceSettings, SubspaceStepper, Trained, TrainedDomain, TrainedModel,
    View,
};
use crate::assembly::{Forces, ScatterMap, TangentInput, TangentWeights, assemble_tangent};
use crate::contact::{ContactModel, Obstacle, Shape};
use crate::drive::{Action, Drive, Motion};
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, Model};
use crate::settings::{Integrator, Settings};
use pliant_linalg::testing::Random;
use pliant_linalg::{
    BlockMatrix, BlockPattern, Keep, Llt, Mat3, SolveScratch, Vec3, flat, flat_mut,
    principal_components, vec3,
};
use pliant_mesh::generate;
use std::sync::Arc;

fn clamped(cells: [usize; 3], energy: MaterialModel) -> Model {
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), cells, generate::Split::Six).unwrap();
    let held = (0..mesh.positions.len() as u32).filter(|&n| mesh.positions[n as usize].x < 1e-9);
    let clamp = Drive {
        name: "clamp".into(),
        action: Action::Prescribe {
            nodes: held.collect(),
            axes: [true; 3],
            motion: Motion::default(),
            release: None,
        },
    };
    let material = MaterialSpecification::new(energy, 1e6, 0.35, 1000.0);
    let body = BodySpecification::uniform("bar", mesh, material);
    Model::build(vec![body], vec![clamp], vec3(0.0, 0.0, -9.81)).unwrap()
}

fn trained(model: &Model, columns: &[Vec<f64>], cubature: Vec<(u32, f64)>) -> TrainedModel {
    let (nodes, rank) = (model.node_count(), columns.len());
    let mut basis = vec![0.0; 3 * nodes * rank];
    for (m, column) in columns.iter().enumerate() {
        for (row, &u) in column.iter().enumerate() {
            basis[row * rank + m] = u;
        }
    }
    TrainedModel {
        body: "bar".into(),
        fingerprint: Fingerprint::of_body(model, 0),
        domains: vec![TrainedDomain {
            elements: (0..model.element_count() as u32).collect(),
            nodes: (0..nodes as u32).collect(),
            rank,
            basis,
            rigid_modes: 0,
            cubature,
            error: 0.0,
        }],
        interface: Vec::new(),
        weights: None,
        contacts: Vec::new(),
    }
}

/// Turns nodes about the axis of the bar.
#[derive(Debug)]
struct Twist(Vec<Vec3>);

struct Twisted(Vec<Vec3>, f64);

impl Posing for Twist {
    fn skin(&self, time: f64) -> Box<dyn Skin> {
        Box::new(Twisted(self.0.clone(), 10.0 * time))
    }
}

impl Skin for Twisted {
    fn frame(&self, node: u32) -> Frame {
        let centre = vec3(0.0, 0.05, 0.05);
        let rotation = Mat3::rotation(Vec3::AXES[0], self.1 * self.0[node as usize].x);
        let shift = centre - rotation * centre;
        Frame { rotation, shift }
    }
}

struct Tip(Vec<u32>);

impl Oracle for Tip {
    fn name_nodes(&mut self, _: &View<'_>, starts: &mut Vec<u32>) {
        starts.extend_from_slice(&self.0);
    }
}

#[test]
fn the_mixed_matrix_is_the_derivative_of_the_forces() {
    // linear elasticity: the projection of tangents changes nothing, and frames turn all the same
    let model = clamped([8, 2, 2], MaterialModel::Linear);
    let mut random = Random::new(5);
    let column = |random: &mut Random, model: &Model| -> Vec<f64> {
        let ahead = |dof: usize| model.rest[dof / 3].x; // nothing moves at the clamp
        (0..3 * model.node_count())
            .map(|dof| 0.1 * random.signed() * ahead(dof))
            .collect()
    };
    let columns: Vec<Vec<f64>> = (0..5).map(|_| column(&mut random, &model)).collect();
    let cubature = (0..model.element_count() as u32)
        .step_by(3)
        .map(|e| (e, 2.5))
        .collect();
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, 1e-3),
            normal: Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        obstacles: vec![floor],
        isotropy: 0.3,
        ..ContactModel::penalty()
    };
    let rig: Arc<dyn Posing> = Arc::new(Twist(model.rest.clone()));
    let own = Trained {
        model: Arc::new(trained(&model, &columns, cubature)),
        rig: Some(rig),
    };
    let tip = (0..model.node_count() as u32).filter(|&n| model.rest[n as usize].x > 0.39);
    let tip: Vec<u32> = tip.collect();
    let model = model.with_trained(vec![own]).with_contact(contact).unwrap();
    let settings = Settings {
        h: 0.02,
        integrator: Integrator::ImplicitEuler,
        subspace: SubspaceSettings {
            radius: 0.15,
            ..SubspaceSettings::default()
        },
        ..Settings::default()
    };
    let mut stepper = SubspaceStepper::new(&model, settings).unwrap();
    stepper.add_oracle(Box::new(Tip(tip)));
    let mut state = model.initial_state();
    for _ in 0..2 {
        stepper.step(&model, &mut state, 0.02).unwrap();
    }
    let (problem, domains) = (&mut stepper.problem, &stepper.domains);
    assert!(
        !problem.couplings.is_empty() && !problem.slaves.is_empty() && !problem.full.is_empty()
    );
    assert!(problem.region.patch.count > 0 && problem.cubature.count > 0);
    problem.evaluate(&model, domains).unwrap();
    problem.find_gradient(&model, domains);
    problem.assemble(domains);
    let start = problem.at.clone();
    let mut direction = Mixed::default();
    direction.resize(start.x.len(), start.q.len());
    for (x, node) in direction.x.iter_mut().zip(&problem.full) {
        for axis in (0..3).filter(|&axis| !node.held[axis]) {
            x[axis] = 1e-2 * random.signed();
        }
    }
    direction.q.iter_mut().for_each(|q| *q = random.signed());
    let mut product = Mixed::default();
    (stepper.newton.solver).multiply(domains, problem, &direction, &mut product);
    // central differences
    let mut errors = Vec::new();
    for step in [1e-3, 5e-4] {
        let at = |problem: &mut super::problem::Problem, s: f64| {
            problem.at.copy_from(&start);
            problem.at.add_scaled(s, &direction);
            problem.evaluate(&model, domains).unwrap();
            problem.find_gradient(&model, domains);
            problem.gradient.clone()
        };
        let mut difference = at(problem, step);
        difference.add_scaled(-1.0, &at(problem, -step));
        let mut error = product.clone();
        error.add_scaled(-0.5 / step, &difference);
        errors.push((error.dot(&error) / product.dot(&product)).sqrt());
        // and the potential has these forces
        problem.at.copy_from(&start);
        problem.at.add_scaled(step, &direction);
        problem.evaluate(&model, domains).unwrap();
        let above = problem.value(domains);
        problem.at.copy_from(&start);
        problem.at.add_scaled(-step, &direction);
        problem.evaluate(&model, domains).unwrap();
        let below = problem.value(domains);
        problem.at.copy_from(&start);
        problem.evaluate(&model, domains).unwrap();
        problem.find_gradient(&model, domains);
        let slope = problem.gradient.dot(&direction);
        let found = (above - below) / (2.0 * step);
        let scale = product.dot(&direction) * step;
        assert!(
            (found - slope).abs() < 0.05 * scale.abs(),
            "{found} {slope} {scale}"
        );
    }
    assert!(errors.iter().all(|&e| e < 1e-7), "{errors:?}");
}

/// Stiffness at rest, by rows of nodes.
fn stiffness(model: &Model) -> BlockMatrix {
    let corners = model.element_nodes.iter().map(|n| &n[..]);
    let pattern = Arc::new(BlockPattern::from_cliques(model.node_count(), corners).unwrap());
    let rows: Vec<u32> = (0..model.node_count() as u32).collect();
    let map = ScatterMap::new(&model.elements, &rows, &pattern);
    let mut matrix = BlockMatrix::new(pattern);
    let input = TangentInput {
        positions: &model.rest,
        activations: &[],
        rotations: &[],
    };
    let weights = TangentWeights {
        stiffness: 1.0,
        damping: 0.0,
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
    let held = model.drives[0].held();
    let dofs: Vec<u32> = held
        .iter()
        .flat_map(|n| [0, 1, 2].map(|a| 3 * n + a))
        .collect();
    matrix.mask_dofs(&dofs, 1.0).unwrap();
    matrix
}

/// Solves a small dense system by elimination with pivots: one of those here is not even positive definite.
fn dense_solve(matrix: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .zip(b)
        .map(|(row, &b)| [&row[..], &[b]].concat())
        .collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()));
        rows.swap(k, pivot.unwrap());
        let (done, below) = rows.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / done[k][k];
            super::domain::add_scaled(row, -factor, &done[k]);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        x[k] = (rows[k][n] - dot(&rows[k][k + 1..n], &x[k + 1..])) / rows[k][k];
    }
    x
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Components of linear answers to loads that a basis is trained with.
fn components(model: &Model, matrix: &BlockMatrix, modes: usize) -> Vec<Vec<f64>> {
    let llt = Llt::from_matrix(matrix).unwrap();
    let held = model.drives[0].held();
    let answer = |load: &dyn Fn(Vec3) -> Vec3| {
        let mut u: Vec<Vec3> = (0..model.node_count() as u32)
            .map(|n| match held.contains(&n) {
                true => Vec3::ZERO,
                false => load(model.rest[n as usize]) * model.mass[n as usize],
            })
            .collect();
        llt.solve(&mut u, &mut SolveScratch::new()).unwrap();
        flat(&u).to_vec()
    };
    let snapshots: Vec<Vec<f64>> = (0..12)
        .map(|k| {
            let k = f64::from(k);
            answer(&|x| vec3((3.0 * x.x * k).sin(), (k + 5.0 * x.x).cos(), 1.0 + k * x.x))
        })
        .collect();
    principal_components(&snapshots, None, Keep::Rank(modes))
        .unwrap()
        .columns
}

/// [TMDK15, Eq. 8]: the inverse of the reduced stiffness expanded to nodes, K_ss⁻¹ ≈ U_s K̃⁻¹ U_sᵀ, in Eqs. 3 and 4. With K̃ of just the
/// subspace nodes and the same load on both sides that would be Eq. 11 once more, its coordinates eliminated; the reduced
/// stiffness that a subspace integrator has at hand, and its inverse, is that of all nodes.
#[test]
fn expanding_the_reduced_inverse_is_worse() {
    let model = clamped([12, 3, 3], MaterialModel::StableNeoHookean);
    let matrix = stiffness(&model);
    let columns = components(&model, &matrix, 6);
    let n = 3 * model.node_count();
    let k = matrix.to_dense();
    // a poke at the tip that the basis does not know
    let at = |node: usize| model.rest[node];
    let poked = (0..model.node_count())
        .find(|&i| (at(i) - vec3(0.4, 0.1, 0.1)).norm() < 1e-9)
        .unwrap();
    let mut load = vec![0.0; n];
    load[3 * poked + 1] = -3.0;
    load[3 * poked + 2] = -5.0;
    let mut exact: Vec<Vec3> = (0..model.node_count())
        .map(|i| vec3(load[3 * i], load[3 * i + 1], load[3 * i + 2]))
        .collect();
    Llt::from_matrix(&matrix)
        .unwrap()
        .solve(&mut exact, &mut SolveScratch::new())
        .unwrap();
    let exact = flat_mut(&mut exact);
    let full: Vec<usize> = (0..n)
        .filter(|&dof| (at(dof / 3) - at(poked)).norm() < 0.08)
        .collect();
    let rest: Vec<usize> = (0..n).filter(|dof| !full.contains(dof)).collect();
    let (f, r) = (full.len(), columns.len());
    let product = |rows: &[usize], over: &[usize], m: usize| -> Vec<f64> {
        (rows.iter())
            .map(|&i| over.iter().map(|&j| k[i][j] * columns[m][j]).sum())
            .collect()
    };
    let border: Vec<Vec<f64>> = (0..r).map(|m| product(&full, &rest, m)).collect(); // K_fs U_s
    let gram = |over: &[usize]| -> Vec<Vec<f64>> {
        (0..r)
            .map(|a| {
                let row = product(over, over, a);
                let entry = |b: usize| (0..over.len()).map(|i| columns[b][over[i]] * row[i]).sum();
                (0..r).map(entry).collect()
            })
            .collect()
    };
    let all: Vec<usize> = (0..n).collect();
    let (own, whole) = (gram(&rest), gram(&all));
    // eliminates the coordinates with one K̃ or the other
    let solve = |reduced: &[Vec<f64>]| {
        let inverse: Vec<Vec<f64>> = (0..f)
            .map(|i| dense_solve(reduced, &border.iter().map(|c| c[i]).collect::<Vec<_>>()))
            .collect();
        let schur: Vec<Vec<f64>> = (0..f)
            .map(|i| {
                let with = |j: usize| (0..r).map(|m| border[m][i] * inverse[j][m]).sum::<f64>();
                (0..f).map(|j| k[full[i]][full[j]] - with(j)).collect()
            })
            .collect();
        let loads: Vec<f64> = full.iter().map(|&i| load[i]).collect();
        dense_solve(&schur, &loads)
    };
    let error = |found: &[f64]| {
        let off = full.iter().zip(found).map(|(&i, u)| (u - exact[i]).powi(2));
        let size = full.iter().map(|&i| exact[i].powi(2));
        (off.sum::<f64>() / size.sum::<f64>()).sqrt()
    };
    let (vector, expanded) = (error(&solve(&own)), error(&solve(&whole)));
    println!("Eq. 11: {vector:.3}, Eq. 8: {expanded:.3}");
    assert!(
        vector < 0.2 && expanded > 3.0 * vector,
        "{vector} {expanded}"
    );
}

/// f̃ − U_fᵀ f_f: the reduced force of everything less the projected force of full nodes (METHODS SC-06). The full nodes have left the
/// basis, and their forces project onto it as they please.
#[test]
fn subtracting_projected_full_forces_is_worse() {
    let model = clamped([12, 3, 3], MaterialModel::StableNeoHookean);
    let matrix = stiffness(&model);
    let columns = components(&model, &matrix, 6);
    let mut random = Random::new(3);
    // a state of the basis, with a dent where nodes are full
    let centre = vec3(0.3, 0.05, 0.1);
    let full = |n: usize| (model.rest[n] - centre).norm() < 0.07;
    let mut x = model.rest.clone();
    for (n, x) in x.iter_mut().enumerate() {
        for axis in 0..3 {
            x[axis] += (0..columns.len())
                .map(|m| 0.05 * columns[m][3 * n + axis])
                .sum::<f64>();
        }
    }
    let smooth = x.clone();
    for (n, x) in x.iter_mut().enumerate().filter(|(n, _)| full(*n)) {
        let near = 1.0 - (model.rest[n] - centre).norm() / 0.07;
        *x += vec3(
            0.002 * random.signed(),
            0.002 * random.signed(),
            -0.02 * near,
        );
    }
    let force = |x: &[Vec3]| {
        let mut forces = Forces::default();
        forces.evaluate(&model, x, &[], false).unwrap();
        forces.nodal
    };
    let held = model.drives[0].held();
    let project = |f: &[Vec3], which: &dyn Fn(usize) -> bool| -> Vec<f64> {
        let own = |n: &usize| which(*n) && !held.contains(&(*n as u32));
        (columns.iter())
            .map(|c| {
                let nodes = (0..model.node_count()).filter(own);
                nodes
                    .map(|n| dot(&c[3 * n..3 * n + 3], &f[n].to_array()))
                    .sum()
            })
            .collect()
    };
    let truth = project(&force(&x), &|n| !full(n));
    let all = project(&force(&smooth), &|_| true);
    let of_full = project(&force(&x), &full);
    let rejected: Vec<f64> = all.iter().zip(&of_full).map(|(a, b)| a - b).collect();
    // Eq. 12, with every element as well, so that only the formulations differ
    let points = (0..model.element_count() as u32)
        .map(|e| (e, 1.0))
        .collect();
    let own = Trained {
        model: Arc::new(trained(&model, &columns, points)),
        rig: None,
    };
    let with = model.clone().with_trained(vec![own]);
    let settings = Settings {
        integrator: Integrator::QuasiStatic,
        ..Settings::default()
    };
    let nodes: Vec<u32> = (0..model.node_count() as u32)
        .filter(|&n| full(n as usize))
        .collect();
    let mut stepper = SubspaceStepper::new(
        &with,
        Settings {
            subspace: SubspaceSettings {
                radius: 0.0,
                ..settings.subspace
            },
            ..settings
        },
    )
    .unwrap();
    stepper.add_oracle(Box::new(Tip(nodes.clone())));
    let mut state = with.initial_state();
    stepper.step(&with, &mut state, 0.01).unwrap();
    let (problem, domains) = (&mut stepper.problem, &stepper.domains);
    problem.at.x = nodes.iter().map(|&n| x[n as usize]).collect();
    problem.at.q.fill(0.05);
    problem.applied.fill(0.0);
    problem.evaluate(&with, domains).unwrap();
    problem.find_gradient(&with, domains);
    let ours: Vec<f64> = problem.gradient.q.iter().map(|g| -g).collect();
    // relative to what the dent does to the coordinates
    let before = project(&force(&smooth), &|n| !full(n));
    let effect: f64 = truth
        .iter()
        .zip(&before)
        .map(|(a, b)| (a - b).powi(2))
        .sum();
    let error = |f: &[f64]| {
        let off = f.iter().zip(&truth).map(|(a, b)| (a - b).powi(2));
        (off.sum::<f64>() / effect).sqrt()
    };
    let (ours, rejected) = (error(&ours), error(&rejected));
    println!("Eq. 12: {ours:.1e}, f̃ − U_fᵀ f_f: {rejected:.3}");
    assert!(ours < 1e-8 && rejected > 0.02, "{ours} {rejected}");
}

/// Shifts the whole body forth and back along x, at 0.25 m/s, and turns round every second step of 0.01 s.
#[derive(Debug)]
struct Shaken;

struct Shifted(f64);

impl Posing for Shaken {
    fn skin(&self, time: f64) -> Box<dyn Skin> {
        let phase = (time / 0.04 + 0.25).fract();
        Box::new(Shifted(0.01 * (0.5 - (phase - 0.5).abs())))
    }
}

impl Skin for Shifted {
    fn frame(&self, _: u32) -> Frame {
        Frame {
            rotation: Mat3::IDENTITY,
            shift: vec3(self.0, 0.0, 0.0),
        }
    }
}

/// Names nodes in the first steps only.
struct Early(Vec<u32>, u32);

impl Oracle for Early {
    fn name_nodes(&mut self, _: &View<'_>, starts: &mut Vec<u32>) {
        if self.1 > 0 {
            self.1 -= 1;
            starts.extend_from_slice(&self.0);
        }
    }
}

#[test]
fn the_motion_of_the_pose_alone_holds_no_region() {
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [8, 2, 2], generate::Split::Six).unwrap();
    // so stiff that it hardly deforms
    let material = MaterialSpecification::new(MaterialModel::Linear, 1e11, 0.35, 1000.0);
    let body = BodySpecification::uniform("bar", mesh, material);
    let model = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap();
    let mut random = Random::new(8);
    let mut column = || -> Vec<f64> {
        let modes = (0..3 * model.node_count()).map(|_| 0.1 * random.signed());
        modes.collect()
    };
    let columns = [column(), column()];
    let cubature = (0..model.element_count() as u32).step_by(3);
    let own = Trained {
        model: Arc::new(trained(
            &model,
            &columns,
            cubature.map(|e| (e, 3.0)).collect(),
        )),
        rig: Some(Arc::new(Shaken)),
    };
    let tip = (0..model.node_count() as u32).filter(|&n| model.rest[n as usize].x > 0.39);
    let tip: Vec<u32> = tip.collect();
    let model = model.with_trained(vec![own]);
    let settings = Settings {
        h: 0.01,
        integrator: Integrator::ImplicitEuler,
        ..Settings::default()
    };
    let mut stepper = SubspaceStepper::new(&model, settings).unwrap();
    stepper.add_oracle(Box::new(Early(tip, 4)));
    let mut state = model.initial_state();
    let mut full = Vec::new();
    for _ in 0..16 {
        stepper.step(&model, &mut state, 0.01).unwrap();
        full.push(state.subspace.active.len());
    }
    assert!(full[3] > 0 && full[15] == 0, "{full:?}");
}
