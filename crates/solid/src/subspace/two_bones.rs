//! Two domains: potential, forces and matrix belong together, springs between copies and contact included.

use super::problem::{Mixed, Problem};
use super::trained::interface_of;
use super::{
    Fingerprint, Oracle, SubspaceSettings, SubspaceStepper, Trained, TrainedDomain, TrainedModel,
    View,
};
use crate::contact::{ContactModel, Obstacle, Shape};
use crate::material::{MaterialModel, MaterialSpecification};
use crate::model::{BodySpecification, Model};
use crate::rig::Rig;
use crate::settings::{Integrator, Settings};
use pliant_linalg::testing::Random;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_mesh::rig::{
    Joint, KeyedPose, Pose, Quaternion, Skeleton, SkeletonMotion, WeightOptions,
};
use std::sync::Arc;

/// A bar along x with two bones; the second turns about y by 0.5 within 0.1 s, towards a floor.
fn bar(energy: MaterialModel) -> Model {
    bar_of(energy, [8, 2, 2])
}

/// The same of so many cells.
pub(super) fn bar_of(energy: MaterialModel, cells: [usize; 3]) -> Model {
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), cells, generate::Split::Six).unwrap();
    let joint = |name: &str, x: f64, parent: Option<usize>| Joint {
        name: name.to_string(),
        position: vec3(x, 0.05, 0.05),
        parent,
    };
    let joints = vec![
        joint("root", 0.02, None),
        joint("middle", 0.2, Some(0)),
        joint("end", 0.38, Some(1)),
    ];
    let skeleton = Skeleton::new(joints).unwrap();
    let key = |time: f64, angle: f64| {
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[1] = Quaternion::turn(Vec3::AXES[1], angle);
        KeyedPose { time, pose }
    };
    let keys = vec![key(0.0, 0.0), key(0.1, 0.5)];
    let motion = SkeletonMotion::new(&skeleton, keys, false, false).unwrap();
    let options = WeightOptions::default();
    let rig = Arc::new(Rig::new(&mesh, skeleton, &options, motion, Vec::new()).unwrap());
    let drive = rig.drive("skeleton", 0);
    let material = MaterialSpecification::new(energy, 1e5, 0.35, 1000.0);
    let body = BodySpecification {
        rig: Some(rig),
        ..BodySpecification::uniform("bar", mesh, material)
    };
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, -0.01),
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
    let model = Model::build(vec![body], vec![drive], vec3(0.0, 0.0, -9.81)).unwrap();
    model.with_contact(contact).unwrap()
}

/// Random modes of both domains, smooth enough to turn no element inside out, and every third element.
pub(super) fn with_modes(model: Model, rank: usize) -> Model {
    let split = model.domains(0).unwrap();
    let held = model.bodies[0].rig.as_ref().unwrap().held.clone();
    let mut random = Random::new(11);
    let mut domains = Vec::new();
    for (elements, nodes) in split.elements.iter().zip(&split.nodes) {
        let mut basis = Vec::new();
        for node in nodes {
            let size = if held.contains(node) { 0.0 } else { 0.05 };
            basis.extend((0..3 * rank).map(|_| size * random.signed()));
        }
        let cubature = elements.iter().step_by(3).map(|&e| (e, 2.5)).collect();
        domains.push(TrainedDomain {
            elements: elements.clone(),
            nodes: nodes.clone(),
            rank,
            basis,
            rigid_modes: 0,
            cubature,
            error: 0.0,
        });
    }
    let lists: Vec<&[u32]> = domains.iter().map(|d| &d.nodes[..]).collect();
    let trained = TrainedModel {
        body: "bar".into(),
        fingerprint: Fingerprint::of_body(&model, 0),
        interface: interface_of(&lists),
        domains,
        weights: None,
        contacts: Vec::new(),
    };
    model.with_trained(vec![Trained {
        model: Arc::new(trained),
        rig: None,
    }])
}

struct Named(Vec<u32>);

impl Oracle for Named {
    fn name_nodes(&mut self, _: &View<'_>, starts: &mut Vec<u32>) {
        starts.extend_from_slice(&self.0);
    }
}

/// A stepper with a region that holds a part of the interface and of both domains, in contact, bent, after some steps.
fn bent(model: &Model, integrator: Integrator) -> SubspaceStepper {
    let settings = Settings {
        h: 0.02,
        integrator,
        subspace: SubspaceSettings {
            radius: 0.15,
            ..SubspaceSettings::default()
        },
        ..Settings::default()
    };
    let mut stepper = SubspaceStepper::new(model, settings).unwrap();
    let top = |&n: &u32| (model.rest[n as usize] - vec3(0.22, 0.1, 0.1)).norm() < 0.04;
    let named: Vec<u32> = (0..model.node_count() as u32).filter(top).collect();
    stepper.add_oracle(Box::new(Named(named)));
    let mut state = model.initial_state();
    for _ in 0..3 {
        stepper.step(model, &mut state, 0.02).unwrap();
    }
    let (problem, domains) = (&stepper.problem, &stepper.domains);
    let shared = |&n: &u32| domains.copies(n).len() > 1;
    let full_shared = problem.region.full.iter().copied().filter(shared).count();
    let all_shared = (0..model.node_count() as u32).filter(shared).count();
    assert!(0 < full_shared && full_shared < all_shared);
    assert!(!problem.couplings.is_empty() && !problem.slaves.is_empty());
    assert!(problem.present.alive.iter().all(|&alive| alive));
    assert!(problem.cubature.count > 0 && problem.region.patch.count > 0);
    stepper
}

fn directions(problem: &Problem, rank: usize) -> Vec<Mixed> {
    let mut random = Random::new(3);
    let mut all = Vec::new();
    for _ in 0..3 {
        let mut direction = Mixed::default();
        direction.resize(problem.full.len(), rank);
        for (x, node) in direction.x.iter_mut().zip(&problem.full) {
            for axis in (0..3).filter(|&axis| !node.held[axis]) {
                x[axis] = 1e-2 * random.signed();
            }
        }
        direction.q.iter_mut().for_each(|q| *q = random.signed());
        all.push(direction);
    }
    all
}

/// Potential and gradient at `start` + s `direction`.
fn look(
    stepper: &mut SubspaceStepper,
    model: &Model,
    start: &Mixed,
    s: f64,
    direction: &Mixed,
) -> (f64, Mixed) {
    let (problem, domains) = (&mut stepper.problem, &stepper.domains);
    problem.at.copy_from(start);
    problem.at.add_scaled(s, direction);
    problem.evaluate(model, domains).unwrap();
    let value = problem.value(domains);
    problem.find_gradient(model, domains);
    (value, problem.gradient.clone())
}

#[test]
fn two_domains_have_a_potential() {
    for energy in [MaterialModel::Linear, MaterialModel::Corotated] {
        for integrator in [Integrator::QuasiStatic, Integrator::ImplicitEuler] {
            let model = with_modes(bar(energy), 4);
            let mut stepper = bent(&model, integrator);
            let start = stepper.problem.at.clone();
            for direction in directions(&stepper.problem, stepper.domains.rank) {
                let slope = look(&mut stepper, &model, &start, 0.0, &direction)
                    .1
                    .dot(&direction);
                let sides = [1e-3, -1e-3].map(|s| {
                    let (value, gradient) = look(&mut stepper, &model, &start, s, &direction);
                    (value, gradient.dot(&direction))
                });
                let found = (sides[0].0 - sides[1].0) / 2e-3;
                // third order of the potential is what central differences leave
                let bend = (sides[0].1 - sides[1].1).abs();
                let third = (sides[0].1 + sides[1].1 - 2.0 * slope).abs();
                assert!(
                    (found - slope).abs() < 1e-6 * bend + third,
                    "{energy:?} {integrator:?}: {found} {slope} {bend} {third}"
                );
            }
        }
    }
}

#[test]
fn the_matrix_of_two_domains_is_the_derivative_of_their_forces() {
    // linear elasticity, so that no eigenvalue is clamped
    for integrator in [Integrator::QuasiStatic, Integrator::ImplicitEuler] {
        let model = with_modes(bar(MaterialModel::Linear), 4);
        let mut stepper = bent(&model, integrator);
        let start = stepper.problem.at.clone();
        for direction in directions(&stepper.problem, stepper.domains.rank) {
            look(&mut stepper, &model, &start, 0.0, &direction);
            stepper.problem.assemble(&stepper.domains);
            let mut product = Mixed::default();
            let solver = &mut stepper.newton.solver;
            solver.multiply(
                &stepper.domains,
                &mut stepper.problem,
                &direction,
                &mut product,
            );
            let [above, below] =
                [1e-3, -1e-3].map(|s| look(&mut stepper, &model, &start, s, &direction).1);
            let mut error = product.clone();
            error.add_scaled(-500.0, &above);
            error.add_scaled(500.0, &below);
            let relative = (error.dot(&error) / product.dot(&product)).sqrt();
            assert!(relative < 1e-7, "{integrator:?}: {relative:e}");
        }
    }
}

#[test]
fn a_bend_without_loads_has_energies_of_its_material_and_a_residual() {
    let mut model = bar(MaterialModel::Corotated);
    model.gravity = Vec3::ZERO;
    model.contact = ContactModel::default();
    let model = with_modes(model, 4);
    let settings = Settings {
        h: 0.02,
        integrator: Integrator::QuasiStatic,
        ..Settings::default()
    };
    let tolerance = settings.newton.relative_tolerance;
    let mut stepper = SubspaceStepper::new(&model, settings).unwrap();
    let mut state = model.initial_state();
    for _ in 0..5 {
        let report = stepper.step(&model, &mut state, 0.02).unwrap();
        // forces vanish in sum at every step; what elements pull one by one does not
        assert!(report.newton_residual <= tolerance && report.newton_iterations <= 12);
        println!(
            "{} {:e} {:e}",
            report.newton_iterations, report.newton_residual, report.energies.elastic
        );
        // Young's modulus times the volume, half the square of a bend over the thickness: far above what there can be
        assert!(report.energies.elastic < 1e5 * 4e-3 * 0.1);
    }
}
