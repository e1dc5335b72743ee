//! Method `subspace` with several domains: a bar with two bones that bends towards a floor.

use crate::common::{bar, distance, newton_settings, run, soft, tight};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::Mesh;
use pliant_mesh::rig::{
    Joint, KeyedPose, Pose, Quaternion, Skeleton, SkeletonMotion, WeightOptions,
};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::rig::Rig;
use pliant_solid::settings::{Integrator, NewtonSettings, Settings};
use pliant_solid::strategy::Method;
use pliant_solid::subspace::train::{Rigged, Snapshot, Training, TrainingSettings, train};
use pliant_solid::subspace::trained::interface_of;
use pliant_solid::subspace::{
    Activation, Fingerprint, Oracle, SubspaceLinear, SubspaceSettings, SubspaceStepper, Trained,
    TrainedDomain, TrainedModel, View,
};
use std::sync::Arc;

const INTEGRATORS: [Integrator; 2] = [Integrator::QuasiStatic, Integrator::ImplicitEuler];

/// Where the root joint is: turns of the whole are about it.
const ROOT: Vec3 = vec3(0.02, 0.05, 0.05);

fn skeleton() -> Skeleton {
    let joint = |name: &str, x: f64, parent: Option<usize>| Joint {
        name: name.to_string(),
        position: vec3(x, 0.05, 0.05),
        parent,
    };
    let joints = vec![
        joint("root", ROOT.x, None),
        joint("middle", 0.2, Some(0)),
        joint("end", 0.38, Some(1)),
    ];
    Skeleton::new(joints).unwrap()
}

fn pose(angle: f64, whole: Quaternion) -> Pose {
    let mut pose = Pose::rest(&skeleton());
    pose.rotations[1] = Quaternion::turn(Vec3::AXES[1], angle);
    pose.root_rotation = whole;
    pose
}

/// Bends by `angle` within 0.1 s; all of it, gravity and floor included, turned about the root.
fn turned(cells: [usize; 3], angle: f64, axis: Vec3, turn: f64) -> Model {
    let mesh: Mesh = bar(cells);
    let whole = Quaternion::turn(axis, turn);
    let keys = [(0.0, 0.0), (0.1, angle)].map(|(time, angle)| KeyedPose {
        time,
        pose: pose(angle, whole),
    });
    let motion = SkeletonMotion::new(&skeleton(), keys.into(), false, false).unwrap();
    let options = WeightOptions::default();
    let rig = Arc::new(Rig::new(&mesh, skeleton(), &options, motion, Vec::new()).unwrap());
    let drive = rig.drive("skeleton", 0);
    let body = BodySpecification {
        rig: Some(rig),
        ..BodySpecification::uniform("bar", mesh, soft(MaterialModel::Corotated))
    };
    let turn = Mat3::rotation(axis, turn);
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: ROOT + turn * (vec3(0.0, 0.0, -0.03) - ROOT),
            normal: turn * Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        obstacles: vec![floor],
        isotropy: 0.3,
        stiffness: 3.0,
        ..ContactModel::penalty()
    };
    let gravity = turn * vec3(0.0, 0.0, -3.0);
    let model = Model::build(vec![body], vec![drive], gravity).unwrap();
    model.with_contact(contact).unwrap()
}

fn bending(cells: [usize; 3], angle: f64) -> Model {
    turned(cells, angle, Vec3::AXES[2], 0.0)
}

fn attach(model: &Model, trained: TrainedModel) -> Model {
    let trained = Trained {
        model: Arc::new(trained),
        rig: None,
    };
    model.clone().with_trained(vec![trained])
}

/// Every motion of the nodes of each domain that bones do not hold, and all elements.
fn identity(model: &Model) -> TrainedModel {
    let split = model.domains(0).unwrap();
    let held = &model.bodies[0].rig.as_ref().unwrap().held;
    let mut domains = Vec::new();
    for (elements, nodes) in split.elements.iter().zip(&split.nodes) {
        let free: Vec<usize> = (0..nodes.len())
            .filter(|&k| !held.contains(&nodes[k]))
            .collect();
        let rank = 3 * free.len();
        let mut basis = vec![0.0; 3 * nodes.len() * rank];
        for (m, &k) in free.iter().enumerate() {
            for axis in 0..3 {
                basis[(3 * k + axis) * rank + 3 * m + axis] = 1.0;
            }
        }
        domains.push(TrainedDomain {
            elements: elements.clone(),
            nodes: nodes.clone(),
            rank,
            basis,
            rigid_modes: 0,
            cubature: elements.iter().map(|&e| (e, 1.0)).collect(),
            error: 0.0,
        });
    }
    let lists: Vec<&[u32]> = domains.iter().map(|d| &d.nodes[..]).collect();
    TrainedModel {
        body: "bar".into(),
        fingerprint: Fingerprint::of_body(model, 0),
        interface: interface_of(&lists),
        domains,
        weights: None,
        contacts: Vec::new(),
    }
}

/// What `pliant train` does: bends without contact, then modes and cubature of both domains.
fn learnt(model: &Model) -> TrainedModel {
    let mut still = model.clone();
    still.contact = ContactModel::default();
    still.gravity = Vec3::ZERO;
    let rig = model.bodies[0].rig.as_ref().unwrap();
    let whole = rig.motion.keys()[0].pose.root_rotation;
    let (mut snapshots, mut skinnings) = (Vec::new(), Vec::new());
    for angle in [-0.6, -0.4, -0.2, 0.2, 0.4, 0.6] {
        let motion = SkeletonMotion::held(pose(angle, whole));
        let posed = still.clone().with_rig_motion(0, motion).unwrap();
        let with = settings(Integrator::QuasiStatic, SubspaceSettings::default());
        let own = run(&posed, &with, Method::Full, 1);
        snapshots.push(Snapshot {
            positions: own.state().positions.clone(),
            activations: Vec::new(),
        });
        skinnings.push(posed.bodies[0].rig.as_ref().unwrap().skinning_at(0.0));
    }
    let split = model.domains(0).unwrap();
    let rigged = Rigged {
        skinnings,
        weights: &rig.weights,
    };
    let training = Training {
        model,
        body: 0,
        snapshots: &snapshots,
        skinned: &rigged,
        domains: &split.elements,
        held: &rig.held,
        weights: Some((*rig.weights).clone()),
        touching: &[],
    };
    let found = train(&training, &TrainingSettings::default(), |_, _| {});
    found.unwrap().0
}

fn settings(integrator: Integrator, subspace: SubspaceSettings) -> Settings {
    newton_settings(integrator, subspace, 1e-9)
}

struct Always(Vec<u32>);

impl Oracle for Always {
    fn name_nodes(&mut self, _: &View<'_>, starts: &mut Vec<u32>) {
        starts.extend_from_slice(&self.0);
    }
}

#[test]
fn two_identities_with_an_interface_of_full_nodes_are_full() {
    // the bend stays above the floor, so that nothing but the oracle below makes nodes full
    let model = bending([6, 2, 2], -0.5);
    let reduced = attach(&model, identity(&model));
    let split = model.domains(0).unwrap();
    let interface: Vec<u32> = split.interface.iter().map(|i| i.node).collect();
    assert!(interface.len() > 3);
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let own = SubspaceSettings {
                radius: 0.0,
                ..tight(linear)
            };
            let with = settings(integrator, own);
            let full = run(&model, &with, Method::Full, 8);
            let mut stepper = SubspaceStepper::new(&reduced, with.clone()).unwrap();
            stepper.add_oracle(Box::new(Always(interface.clone())));
            let mut state = reduced.initial_state();
            for _ in 0..8 {
                let report = stepper.step(&reduced, &mut state, with.h).unwrap();
                assert_eq!(report.subspace.full_nodes, interface.len());
            }
            stepper.fill(&reduced, &mut state);
            let error = distance(&state.positions, &full.state().positions);
            let moved = distance(&state.positions, &model.rest);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
            assert!(moved > 0.05, "{moved}");
        }
    }
}

#[test]
fn two_identities_come_to_full_as_their_springs_stiffen() {
    let model = bending([6, 2, 2], -0.5);
    let reduced = attach(&model, identity(&model));
    for integrator in INTEGRATORS {
        let errors = [1e1, 1e3, 1e5].map(|stiffness| {
            let own = SubspaceSettings {
                interface_stiffness: stiffness,
                ..tight(SubspaceLinear::Direct)
            };
            let with = settings(integrator, own);
            let full = run(&model, &with, Method::Full, 8);
            let own = run(&reduced, &with, Method::Subspace, 8);
            assert_eq!(own.report().subspace.full_nodes, 0);
            distance(&own.state().positions, &full.state().positions)
        });
        println!("{integrator:?}: {errors:?}");
        // what springs give way is as the inverse of their stiffness
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((30.0..300.0).contains(&ratio), "{integrator:?}: {errors:?}");
        }
    }
}

#[test]
fn everything_active_is_full_with_two_domains_in_contact() {
    let model = bending([8, 2, 2], 0.5);
    let reduced = attach(&model, learnt(&model));
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let own = SubspaceSettings {
                activation: Activation::Everything,
                ..tight(linear)
            };
            let with = settings(integrator, own);
            let full = run(&model, &with, Method::Full, 12);
            let own = run(&reduced, &with, Method::Subspace, 12);
            assert!(full.report().contacts > 0);
            let error = distance(&own.state().positions, &full.state().positions);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
        }
    }
}

#[test]
fn turning_a_rigged_scene_changes_nothing() {
    let (axis, angle) = (vec3(1.0, 2.0, -0.5) / vec3(1.0, 2.0, -0.5).norm(), 1.1);
    let model = bending([8, 2, 2], 0.5);
    let other = turned([8, 2, 2], 0.5, axis, angle);
    let basis = learnt(&model);
    let turn = Mat3::rotation(axis, angle);
    let mut regions = 0;
    for integrator in INTEGRATORS {
        let own = SubspaceSettings {
            radius: 0.15,
            ..tight(SubspaceLinear::Direct)
        };
        let mut with = settings(integrator, own);
        with.newton = NewtonSettings {
            relative_tolerance: 1e-11,
            max_iterations: 500,
        };
        let still = attach(&model, basis.clone());
        let mut still = Simulation::new(still, with.clone(), Method::Subspace).unwrap();
        let moved = attach(&other, basis.clone());
        let mut moved = Simulation::new(moved, with.clone(), Method::Subspace).unwrap();
        for step in 0..14 {
            still.step().unwrap();
            moved.step().unwrap();
            let [a, b] = [&still, &moved].map(|s| s.report().subspace.full_nodes);
            assert_eq!(a, b, "{integrator:?}, step {step}");
            regions += usize::from(0 < a && a < model.node_count());
            let there: Vec<Vec3> = (still.state().positions.iter())
                .map(|&x| ROOT + turn * (x - ROOT))
                .collect();
            let error = distance(&moved.state().positions, &there);
            assert!(error < 1e-8, "{integrator:?}, step {step}: {error:e}");
        }
    }
    assert!(regions > 5, "regions in {regions} steps");
}

#[test]
fn resuming_with_regions_over_two_domains_changes_no_bit() {
    let model = bending([8, 2, 2], 0.5);
    let reduced = attach(&model, learnt(&model));
    for integrator in INTEGRATORS {
        let own = SubspaceSettings {
            radius: 0.2,
            error: Some(0.5),
            ..SubspaceSettings::default()
        };
        let with = Settings {
            newton: NewtonSettings::default(),
            ..settings(integrator, own)
        };
        let whole = run(&reduced, &with, Method::Subspace, 16);
        let mut active = 0;
        for steps in [7, 9, 12] {
            let state = run(&reduced, &with, Method::Subspace, steps)
                .state()
                .clone();
            active += usize::from(!state.subspace.active.is_empty());
            let resumed =
                Simulation::resume(reduced.clone(), with.clone(), Method::Subspace, state);
            let mut resumed = resumed.unwrap();
            for _ in steps..16 {
                resumed.step().unwrap();
            }
            assert_eq!(resumed.state(), whole.state(), "{integrator:?}, {steps}");
        }
        assert!(active >= 2, "{integrator:?}: regions were active");
    }
}

#[test]
fn a_learnt_bend_is_near_the_full_one() {
    let model = bending([10, 3, 3], -0.5);
    let reduced = attach(&model, learnt(&model));
    let mut with = settings(Integrator::QuasiStatic, SubspaceSettings::default());
    with.newton.relative_tolerance = 1e-5;
    let full = run(&model, &with, Method::Full, 8);
    let own = run(&reduced, &with, Method::Subspace, 8);
    let report = own.report();
    assert_eq!(report.subspace.full_nodes, 0);
    assert!(report.newton_residual <= 1e-5 && report.newton_iterations < 10);
    let skinned = model.bodies[0].rig.as_ref().unwrap().skinning_at(0.08);
    let weights = &model.bodies[0].rig.as_ref().unwrap().weights;
    let skin: Vec<Vec3> = (model.rest.iter().enumerate())
        .map(|(n, &x)| skinned.frame(weights.of(n)).push(x))
        .collect();
    let [error, bare] =
        [&own.state().positions, &skin].map(|x| distance(x, &full.state().positions));
    println!("basis {error:.2e}, skinning alone {bare:.2e}");
    assert!(error < 0.35 * bare, "{error:e} {bare:e}");
    // energies are those of the body, with what the cubature misses
    let [a, b] = [&own, &full].map(|s| s.report().energies.elastic);
    assert!((a / b - 1.0).abs() < 0.15, "{a} {b}");
}
