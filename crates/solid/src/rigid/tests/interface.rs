//! What constraints use: Jacobians, inverse masses, limits, known motion; and refused models.

use super::super::chain::Posture;
use super::*;
use crate::drive::{Motion, Turn};
use pliant_linalg::{flat, flat_mut};

/// Two free bodies, a fixed one, and two chains of 7 and 4 joints.
fn zoo() -> RigidModel {
    let mut model = tree(&BRANCHED, 21);
    let mut random = Random(4);
    for mobility in [Mobility::Free, Mobility::Fixed, Mobility::Free] {
        let mut free = body(1.3, random.inertia(0.2), random.vector(), mobility);
        free.velocity = random.vector();
        free.spin = random.vector() * 3.0;
        model.bodies.push(free);
    }
    let second = tree(&[None, Some(0), Some(1), Some(0)], 22);
    let first = model.bodies.len();
    for (i, mut body) in second.bodies.into_iter().enumerate() {
        body.mobility = Mobility::Link { chain: 1, link: i };
        model.bodies.push(body);
    }
    let mut chain = second.chains.into_iter().next().unwrap();
    for (i, link) in chain.links.iter_mut().enumerate() {
        link.body = first + i;
        link.damping = 0.3 * i as f64;
        link.stiffness = 20.0;
    }
    model.chains.push(chain);
    model.check().unwrap();
    model
}

#[test]
fn jacobians_are_derivatives_of_point_positions() {
    let model = zoo();
    // somewhere on the way, so that free bodies are turned as well
    let state = run(&model, GRAVITY, 0.02, 20, |_| {});
    let mut random = Random(77);
    let mut step = RigidStep::default();
    let e = 1e-5;
    step.begin(&model, &state, GRAVITY, &[], 0.0, e);
    assert_eq!(step.block_count(), 2 + 2 + 3 + 2);
    assert_eq!(step.system_count(), 4);
    let mut velocity = vec![Vec3::ZERO; step.block_count()];
    for system in 0..step.system_count() {
        let blocks = step.blocks_of(system);
        assert!(blocks.clone().all(|b| step.system_of_block(b) == system));
        let entries = [6, 6, 7, 4][system];
        for value in &mut flat_mut(&mut velocity[blocks])[..entries] {
            *value = random.number();
        }
    }
    let mut moved = |h: f64| {
        step.begin(&model, &state, GRAVITY, &[], 0.0, h);
        step.velocity_mut().copy_from_slice(&velocity);
        let mut next = RigidState::default();
        step.finish(&model, &state, &mut next);
        next
    };
    let (back, ahead) = (moved(-e), moved(e));
    for body in 0..model.bodies.len() {
        let arm = random.vector();
        let [linear, angular] =
            [0, 1].map(|_| Mat3::from_columns(random.vector(), random.vector(), random.vector()));
        let mut found = Vec3::ZERO;
        let mut last = None;
        step.jacobian(body, arm, &linear, &angular, &mut |block, matrix| {
            assert!(last < Some(block));
            last = Some(block);
            found += matrix * velocity[block];
        });
        let rest_arm = state.poses[body].rotation.transpose() * arm;
        let at = |s: &RigidState| s.poses[body].centre + s.poses[body].rotation * rest_arm;
        let chord = (at(&ahead) - at(&back)) / (2.0 * e);
        let turning = (ahead.poses[body].rotation - back.poses[body].rotation) * (0.5 / e);
        let w = turning * state.poses[body].rotation.transpose();
        let spin = vec3(w.at(2, 1), w.at(0, 2), w.at(1, 0));
        let expected = linear * chord + angular * spin;
        assert!((found - expected).norm() < 1e-8, "body {body}");
        let twist = step.twist(body);
        assert!((linear * twist.at(arm) + angular * twist.spin - found).norm() < 1e-13);
        assert!((step.point_velocity(body, arm) - twist.at(arm)).norm() < 1e-13);
        assert_eq!(last.is_some(), step.is_dynamic(body));
    }
}

#[test]
fn the_inverse_mass_is_that_of_a_dense_solve() {
    let model = zoo();
    let state = run(&model, GRAVITY, 0.02, 20, |_| {});
    let (mut step, h) = (RigidStep::default(), 0.02);
    step.begin(&model, &state, GRAVITY, &[], 0.0, h);
    let mut random = Random(9);
    for system in 0..step.system_count() {
        let x: Vec<Vec3> = step.blocks_of(system).map(|_| random.vector()).collect();
        let mut solved = x.clone();
        step.apply_inverse(system, &mut solved);
        if system < 2 {
            let index = [7, 9][system];
            let (body, r) = (&model.bodies[index], state.poses[index].rotation);
            let inertia = r * body.inertia * r.transpose();
            assert!((solved[0] * body.mass - x[0]).norm() < 1e-14);
            assert!((inertia * solved[1] - x[1]).norm() < 1e-13);
            continue;
        }
        let (chain, angles) = [(0, &state.angles[..7]), (1, &state.angles[7..])][system - 2];
        let mut posture = Posture::default();
        posture.place(&model, &model.chains[chain], angles);
        let (mut mass, n) = (Vec::new(), angles.len());
        posture.mass_matrix(&mut mass);
        let (solved, x) = (flat(&solved), flat(&x));
        for (i, link) in model.chains[chain].links.iter().enumerate() {
            mass[i * n + i] += h * link.damping + h * h * link.stiffness;
            let row: f64 = (0..n).map(|j| mass[i * n + j] * solved[j]).sum();
            assert!((row - x[i]).abs() < 1e-12);
        }
        assert!(solved[n..].iter().all(|&v| v == 0.0), "padding stays zero");
    }
    let padding = flat(step.velocity())[12 + 7..12 + 9].iter();
    assert!(
        padding
            .chain(&flat(step.velocity())[21 + 4..])
            .all(|&v| v == 0.0)
    );
}

#[test]
fn limits_are_reported_when_near_beyond_or_about_to_be_crossed() {
    let mut model = pendulum(5);
    let links = &mut model.chains[0].links;
    for link in links.iter_mut() {
        link.limits = Some([-1.0, 2.0]);
    }
    links[0].limits = None;
    links[1].angle = -1.1;
    links[2].angle = 1.95;
    links[3].angle = 1.5;
    links[4].limits = Some([f64::NEG_INFINITY, 0.5]);
    let state = RigidState::initial(&model);
    let (mut step, h) = (RigidStep::default(), 0.1);
    step.begin(&model, &state, Vec3::ZERO, &[], 0.0, h);
    step.velocity_mut()[1].x = 6.0; // joint 3 would reach 2.1
    let found = step.joint_limits(0.06);
    let facts: Vec<_> = found
        .iter()
        .map(|l| (l.link, l.block, l.row, l.sign))
        .collect();
    assert_eq!(facts, [(1, 0, 1, 1.0), (2, 0, 2, -1.0), (3, 1, 0, -1.0)]);
    for (limit, gap) in found.iter().zip([-0.1, 0.05, 0.5]) {
        assert!((limit.gap - gap).abs() < 1e-12 && limit.chain == 0);
    }
    // taking a constraint's velocity exactly to the limit lands on it
    let limit = found[2];
    step.velocity_mut()[limit.block][limit.row] = -limit.sign * limit.gap / h;
    let mut next = RigidState::default();
    step.finish(&model, &state, &mut next);
    assert!((next.angles[3] - 2.0).abs() < 1e-14);
}

#[test]
fn a_kinematic_body_lands_on_its_keyframes() {
    let turn = Turn {
        axis: vec3(0.0, 0.6, 0.8),
        centre: vec3(1.0, 0.0, 0.0),
        angle: Profile::Keyframes {
            keys: vec![(0.0, 0.2), (1.0, 9.0)],
            smooth: true,
        },
    };
    let line = |to: f64| Profile::Keyframes {
        keys: vec![(0.0, 0.0), (1.0, to)],
        smooth: false,
    };
    let motion = Motion {
        translation: Some([line(1.0), line(-2.0), line(0.0)]),
        rotation: Some(turn),
        twist: None,
    };
    let rest = vec3(0.3, 0.4, 0.5);
    let kinematic = body(0.0, Mat3::ZERO, rest, Mobility::Kinematic(motion.clone()));
    let model = RigidModel {
        bodies: vec![kinematic],
        chains: vec![],
    };
    model.check().unwrap();
    let (mut state, mut next) = (RigidState::initial(&model), RigidState::default());
    let (mut step, h) = (RigidStep::default(), 0.1);
    let material = vec3(2.0, -1.0, 0.7);
    for i in 0..10 {
        let t = 0.1 * i as f64;
        step.begin(&model, &state, GRAVITY, &[], t, h);
        assert_eq!(step.block_count(), 0);
        let start = state.poses[0].point(rest, material);
        assert!((start - motion.at(material, t)).norm() < 1e-14);
        let velocity = step.point_velocity(0, start - state.poses[0].centre);
        assert!((start + velocity * h - motion.at(material, t + h)).norm() < 1e-14);
        // the twist leads there as well, by the exponential map
        let twist = step.twist(0);
        let turned = super::super::rotation::exponential(twist.spin * h) * state.poses[0].rotation;
        let centre = state.poses[0].centre + twist.velocity * h;
        step.finish(&model, &state, &mut next);
        assert!((next.poses[0].rotation - turned).max_abs() < 1e-14);
        assert!((next.poses[0].centre - centre).norm() < 1e-14);
        assert_eq!(next.twists[0], twist);
        std::mem::swap(&mut state, &mut next);
    }
    assert!((state.poses[0].point(rest, material) - motion.at(material, 1.0)).norm() < 1e-14);
    assert_eq!(state.kinetic_energy(&model), 0.0);
}

#[test]
fn torques_of_joints_are_read_at_the_end_of_the_step() {
    let mut model = pendulum(2);
    let joint = &mut model.chains[0].links[1];
    (
        joint.damping,
        joint.stiffness,
        joint.rest_angle,
        joint.angle,
    ) = (0.7, 3.0, 0.1, 0.4);
    joint.torque = Profile::Keyframes {
        keys: vec![(0.0, 0.0), (1.0, 5.0)],
        smooth: false,
    };
    let (state, mut next) = (RigidState::initial(&model), RigidState::default());
    let (mut step, h) = (RigidStep::default(), 0.1);
    step.begin(&model, &state, GRAVITY, &[], 0.5, h);
    let torques = step.joint_torques();
    step.finish(&model, &state, &mut next);
    let rate = (next.angles[1] - state.angles[1]) / h;
    assert_eq!(torques[0].applied, 0.0);
    assert!((torques[1].applied - 3.0).abs() < 1e-14);
    assert!((torques[1].damping + 0.7 * rate).abs() < 1e-12);
    assert!((torques[1].spring + 3.0 * (next.angles[1] - 0.1)).abs() < 1e-12);
}

#[test]
fn models_that_cannot_step_are_refused() {
    let refused = |change: &dyn Fn(&mut RigidModel)| {
        let mut model = zoo();
        change(&mut model);
        model.check().unwrap_err()
    };
    use RigidError as E;
    assert!(matches!(
        refused(&|m| m.bodies[7].mass = 0.0),
        E::Mass { .. }
    ));
    assert!(matches!(
        refused(&|m| m.bodies[0].mass = f64::NAN),
        E::Mass { .. }
    ));
    let line = Mat3::diagonal(vec3(0.0, 1.0, 1.0));
    assert!(matches!(
        refused(&|m| m.bodies[7].inertia = line),
        E::Inertia { .. }
    ));
    assert!(matches!(
        refused(&|m| m.bodies[7].inertia.set(0, 1, 0.3)),
        E::Inertia { .. }
    ));
    assert!(matches!(
        refused(&|m| m.bodies[8].centre.x = f64::INFINITY),
        E::NotFinite { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains[0].links.clear()),
        E::Stray { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains.push(Chain {
            name: "empty".into(),
            links: vec![]
        })),
        E::Empty { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].body = 99),
        E::Stray { .. }
    ));
    let twice = |m: &mut RigidModel| {
        let again = m.chains[1].links[3].clone();
        m.chains[1].links.push(again);
    };
    assert!(matches!(refused(&twice), E::Body { .. }));
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].parent = Some(2)),
        E::Parent { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].axis = vec3(0.0, 2.0, 0.0)),
        E::Axis { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].limits = Some([1.0, -1.0])),
        E::Limits { .. }
    ));
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].damping = -1.0),
        E::Negative { .. }
    ));
    let no_keys = Profile::Keyframes {
        keys: vec![],
        smooth: false,
    };
    assert!(matches!(
        refused(&|m| m.chains[0].links[2].torque = no_keys.clone()),
        E::Profile { .. }
    ));
    let twist = Motion {
        twist: Some(Turn {
            axis: Vec3::AXES[0],
            centre: Vec3::ZERO,
            angle: Profile::Constant(1.0),
        }),
        ..Motion::default()
    };
    let error = refused(&|m| m.bodies[8].mobility = Mobility::Kinematic(twist.clone()));
    assert!(error.to_string().contains("use a rotation"));
}
