//! Bodies that a skeleton moves, under every method.

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::generate;
use pliant_mesh::rig::{
    Joint, KeyedPose, Pose, Quaternion, Skeleton, SkeletonMotion, WeightOptions,
};
use pliant_solid::Simulation;
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model, ModelError};
use pliant_solid::rig::Rig;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;
use std::sync::Arc;

/// A capsule along z with two bones; the upper one turns about x by `angle` within 0.1 s, the root moves along y.
fn finger(angle: f64, from: f64) -> Model {
    let mesh = generate::capsule(0.05, 0.2, 3, 12).unwrap();
    let joint = |name: &str, z: f64, parent: Option<usize>| Joint {
        name: name.to_string(),
        position: vec3(0.0, 0.0, z),
        parent,
    };
    let skeleton = Skeleton::new(vec![
        joint("base", -0.12, None),
        joint("knuckle", 0.0, Some(0)),
        joint("tip", 0.12, Some(1)),
    ])
    .unwrap();
    let key = |time: f64, angle: f64| {
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[1] = Quaternion::turn(Vec3::AXES[0], angle);
        pose.root_shift = vec3(0.0, 0.2 * time, 0.0);
        KeyedPose { time, pose }
    };
    let keys = vec![key(0.0, from), key(0.1, angle)];
    let motion = SkeletonMotion::new(&skeleton, keys, false, false).unwrap();
    let rig = Rig::new(
        &mesh,
        skeleton,
        &WeightOptions::default(),
        motion,
        Vec::new(),
    );
    let rig = Arc::new(rig.unwrap());
    let drive = rig.drive("skeleton", 0);
    let body = BodySpecification {
        rig: Some(rig),
        ..BodySpecification::uniform("finger", mesh, soft(MaterialModel::Corotated))
    };
    Model::build(vec![body], vec![drive], Vec3::ZERO).unwrap()
}

/// How far held nodes are from where skinning has them, m.
fn miss(simulation: &Simulation) -> f64 {
    let (model, state) = (simulation.model(), simulation.state());
    let rig = model.bodies[0].rig.as_ref().unwrap();
    let skinning = rig.skinning_at(state.time);
    let misses = rig.held.iter().map(|&node| {
        let node = node as usize;
        let target = skinning.frame(rig.weights.of(node)).push(model.rest[node]);
        (state.positions[node] - target).norm()
    });
    misses.fold(0.0, f64::max)
}

#[test]
fn held_nodes_follow_the_skeleton_under_every_method() {
    for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
        for integrator in [
            Integrator::LinearImplicit { beta: 1.0 },
            Integrator::ImplicitEuler,
        ] {
            let settings = settings(integrator);
            let linear_only = matches!(method, Method::Conjac | Method::Rigidify);
            if linear_only && integrator == Integrator::ImplicitEuler {
                continue;
            }
            let mut simulation = Simulation::new(finger(0.6, 0.0), settings, method).unwrap();
            for _ in 0..20 {
                simulation.step().unwrap();
            }
            let off = miss(&simulation);
            assert!(off < 1e-12, "{} {integrator:?}: {off:e}", method.name());
            // the surface comes along: the tip has turned about the joint
            let model = simulation.model();
            let tip = (0..model.node_count())
                .max_by(|&a, &b| model.rest[a].z.total_cmp(&model.rest[b].z))
                .unwrap();
            let turned =
                Mat3::rotation(Vec3::AXES[0], 0.6) * model.rest[tip] + vec3(0.0, 0.02, 0.0);
            let found = simulation.state().positions[tip];
            assert!(
                (found - turned).norm() < 0.03,
                "{} {found:?} {turned:?}",
                method.name()
            );
        }
    }
}

#[test]
fn equilibria_do_not_depend_on_where_the_body_is() {
    // the whole skeleton moved rigidly: no strain, wherever the nodes start
    let model = finger(0.0, 0.0);
    let skeleton = model.bodies[0].rig.as_ref().unwrap().skeleton.clone();
    let mut pose = Pose::rest(&skeleton);
    pose.root_rotation = Quaternion::turn(Vec3::AXES[1], 0.5);
    pose.root_shift = vec3(0.01, 0.0, 0.0);
    let model = model
        .with_rig_motion(0, SkeletonMotion::held(pose.clone()))
        .unwrap();
    let placement = pose.placements(&skeleton)[0];
    let settings = Settings {
        integrator: Integrator::QuasiStatic,
        ..Settings::default()
    };
    let simulation = simulate(model, settings, 2);
    for (rest, x) in (simulation.model().rest.iter()).zip(&simulation.state().positions) {
        assert!((placement.apply(*rest) - *x).norm() < 1e-9);
    }
    assert!(simulation.report().energies.elastic < 1e-12);
    assert!(miss(&simulation) < 1e-12);
}

#[test]
fn a_body_starts_in_the_first_pose() {
    let model = finger(0.3, 1.0);
    let rig = model.bodies[0].rig.clone().unwrap();
    let state = model.initial_state();
    let skinning = rig.skinning_at(0.0);
    for (node, x) in state.positions.iter().enumerate() {
        let expected = skinning.frame(rig.weights.of(node)).push(model.rest[node]);
        assert_eq!(*x, expected);
    }
    let top = model.rest.iter().zip(&state.positions);
    assert!(top.fold(0.0, |m: f64, (a, b)| m.max((*a - *b).norm())) > 0.1);
    // 0.3 rad of the pose at the end come from the last key, wherever the time is then
    let simulation = simulate(model, settings(Integrator::ImplicitEuler), 25);
    assert!(miss(&simulation) < 1e-12);
}

#[test]
fn domains_are_in_the_numbers_of_the_body() {
    let model = finger(0.0, 0.0);
    let domains = model.domains(0).unwrap();
    assert_eq!(domains.of_element.len(), model.element_count());
    assert_eq!(domains.nodes.len(), 2);
    assert!(domains.interface.iter().all(|n| n.domains == [0, 1]));
    assert!(model.domains(1).is_none());
}

#[test]
fn skeletons_that_do_not_fit_are_refused() {
    let model = finger(0.0, 0.0);
    let rig = model.bodies[0].rig.clone().unwrap();
    let other = generate::capsule(0.05, 0.2, 2, 8).unwrap();
    let body = BodySpecification {
        rig: Some(rig.clone()),
        ..BodySpecification::uniform("other", other, soft(MaterialModel::Corotated))
    };
    let error = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap_err();
    assert!(
        matches!(&error, ModelError::Rig { body, .. } if body == "other"),
        "{error}"
    );
    let short = Pose {
        rotations: Vec::new(),
        ..Pose::rest(&rig.skeleton)
    };
    let error = model
        .clone()
        .with_rig_motion(0, SkeletonMotion::held(short));
    assert!(error.unwrap_err().to_string().contains("0 bones"));
    let still = SkeletonMotion::at_rest(&rig.skeleton);
    assert!(model.with_rig_motion(3, still).is_err());
}
