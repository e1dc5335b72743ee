//! Joints against mechanics: attachments, distances, slides, hinges, limits.

use crate::common::*;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Surface, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Drive, Faces, Motion, Turn};
use pliant_solid::joint::{
    Anchor, Bound, CableControl, CavityControl, Curve, Frame, Joint, JointKind, JointReading,
};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model, ModelError};
use pliant_solid::profile::Profile;
use pliant_solid::rigid::{Chain, Link, Mobility};
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use std::f64::consts::PI;

const G: f64 = 9.81;
const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };

pub(crate) fn jelly() -> MaterialSpecification {
    soft(MaterialModel::Corotated)
}

pub(crate) fn damped() -> MaterialSpecification {
    MaterialSpecification {
        mass_damping: 8.0,
        stiffness_damping: 0.02,
        ..jelly()
    }
}

pub(crate) fn rigid(name: &str, size: Vec3, corner: Vec3, mobility: Mobility) -> BodySpecification {
    let mesh = generate::bar(size, [1; 3], generate::Split::Six).unwrap();
    BodySpecification {
        rigid: Some(mobility),
        ..BodySpecification::uniform(name, mesh.translated(corner), jelly())
    }
}

pub(crate) fn free(name: &str, size: Vec3, corner: Vec3) -> BodySpecification {
    rigid(name, size, corner, Mobility::Free)
}

pub(crate) fn build(bodies: Vec<BodySpecification>, drives: Vec<Drive>, gravity: Vec3) -> Model {
    Model::build(bodies, drives, gravity).unwrap()
}

pub(crate) fn start(model: Model, integrator: Integrator, h: f64) -> Simulation {
    let settings = Settings {
        h,
        ..settings(integrator)
    };
    Simulation::new(model, settings, Method::Full).unwrap()
}

pub(crate) fn on_rigid(body: usize, point: Vec3) -> Anchor {
    Anchor::Rigid { body, point }
}

pub(crate) fn constant(value: f64) -> Profile {
    Profile::Constant(value)
}

pub(crate) fn ramp(from: f64, to: f64, over: f64) -> Profile {
    Profile::Keyframes {
        keys: vec![(0.0, from), (over, to)],
        smooth: true,
    }
}

/// Ties nodes of the second list to those of the first at the same place.
pub(crate) fn coinciding(positions: &[Vec3], first: &[u32], second: &[u32]) -> JointKind {
    let pairs = second.iter().map(|&b| {
        let near = |a: &&u32| (positions[**a as usize] - positions[b as usize]).norm() < 1e-9;
        let a = first.iter().find(near).unwrap();
        [Anchor::Node(*a), Anchor::Node(b)]
    });
    JointKind::Attachment {
        pairs: pairs.collect(),
    }
}

/// Bars of 0.4 m end to end, the first one clamped.
pub(crate) fn two_bars(material: &MaterialSpecification, cells: [usize; 3]) -> Model {
    let first = bar(cells);
    let count = first.node_count() as u32;
    let (left, right) = (left_end(&first), right_end(&first));
    let second = first.clone().translated(vec3(0.4, 0.0, 0.0));
    let shifted: Vec<u32> = left.iter().map(|n| n + count).collect();
    let positions = [first.positions.clone(), second.positions.clone()].concat();
    let bodies = [("first", first), ("second", second)];
    let bodies =
        bodies.map(|(name, mesh)| BodySpecification::uniform(name, mesh, material.clone()));
    let joint = Joint::new("weld", coinciding(&positions, &right, &shifted));
    build(bodies.to_vec(), vec![fix(left)], GRAVITY)
        .with_joints(vec![joint])
        .unwrap()
}

#[test]
fn two_bars_end_to_end_are_one_of_double_length() {
    let long = generate::bar(vec3(0.8, 0.1, 0.1), [12, 2, 2], generate::Split::Six).unwrap();
    for integrator in [LINEAR, Integrator::ImplicitEuler, Integrator::Bdf2] {
        let two = simulate(two_bars(&jelly(), [6, 2, 2]), settings(integrator), 25);
        let one = simulate(cantilever(long.clone(), jelly()), settings(integrator), 25);
        let end = vec3(0.8, 0.1, 0.1);
        let place = |s: &Simulation| {
            let at = |(_, x): &(usize, &Vec3)| (**x - end).norm() < 1e-9;
            let node = s.model().rest.iter().enumerate().rfind(at).unwrap().0;
            s.state().positions[node]
        };
        let sag = (place(&one) - end).norm();
        let apart = (place(&two) - place(&one)).norm();
        assert!(sag > 0.02, "{integrator:?}: {sag}");
        assert!(apart < 1e-6 * sag, "{integrator:?}: {apart}");
        // the weld carries what the second bar feels: weight less inertia
        let JointReading::Attachment { force } = two.report().joints[0] else {
            panic!("not an attachment");
        };
        assert!(force.z < 0.0 && force.norm() > 1.0, "{force:?}");
    }
}

#[test]
fn early_cg_resolves_attachments() {
    let settings = settings(LINEAR);
    let mut simulation =
        Simulation::new(two_bars(&damped(), [6, 2, 2]), settings, Method::EarlyCg).unwrap();
    for _ in 0..40 {
        simulation.step().unwrap();
    }
    let state = simulation.state();
    let JointKind::Attachment { pairs } = &simulation.model().joints[0].kind else {
        panic!("not an attachment");
    };
    for pair in pairs {
        let [Anchor::Node(a), Anchor::Node(b)] = pair else {
            panic!("not nodes");
        };
        let apart = state.positions[*a as usize] - state.positions[*b as usize];
        assert!(apart.norm() < 1e-10);
    }
}

#[test]
fn a_soft_bar_held_by_a_rigid_block_is_clamped() {
    let mesh = bar([6, 2, 2]);
    let left = left_end(&mesh);
    let clamped = simulate(cantilever(mesh.clone(), damped()), settings(LINEAR), 400);
    let soft_body = BodySpecification::uniform("bar", mesh.clone(), damped());
    let block = rigid(
        "block",
        vec3(0.1, 0.1, 0.1),
        vec3(-0.1, 0.0, 0.0),
        Mobility::Fixed,
    );
    let hold = |anchor: &dyn Fn(Vec3) -> Anchor| {
        let pair = |&n: &u32| [Anchor::Node(n), anchor(mesh.positions[n as usize])];
        let kind = JointKind::Attachment {
            pairs: left.iter().map(pair).collect(),
        };
        let model = build(vec![soft_body.clone(), block.clone()], vec![], GRAVITY);
        let held = simulate(
            model.with_joints(vec![Joint::new("hold", kind)]).unwrap(),
            settings(LINEAR),
            400,
        );
        let nodes = mesh.node_count();
        let apart = distance(&held.state().positions[..nodes], &clamped.state().positions);
        assert!(apart < 1e-8, "{apart}");
        let JointReading::Attachment { force } = held.report().joints[0] else {
            panic!("not an attachment");
        };
        let reaction = clamped.report().reactions[0];
        // at rest, where the linearised and the true elastic forces agree
        assert!(
            (force - reaction).norm() < 1e-5 * reaction.norm(),
            "{force:?} {reaction:?}"
        );
    };
    hold(&|x| on_rigid(0, x));
    hold(&Anchor::fixed);
}

#[test]
fn attached_bodies_in_free_flight_keep_their_momentum() {
    let mesh = bar([4, 2, 2]);
    let count = mesh.node_count() as u32;
    let first = BodySpecification {
        velocity: vec3(0.3, -0.1, 0.2),
        ..BodySpecification::uniform("first", mesh.clone(), jelly())
    };
    let second = BodySpecification {
        spin: vec3(1.0, 0.5, 3.0),
        ..BodySpecification::uniform(
            "second",
            mesh.clone().translated(vec3(0.35, 0.02, 0.01)),
            jelly(),
        )
    };
    let ball = BodySpecification {
        velocity: vec3(0.0, 1.0, 0.0),
        ..free("ball", vec3(0.1, 0.1, 0.1), vec3(-0.1, 0.0, 0.0))
    };
    // a node of the second in the middle of an element of the first, another one tied to a rigid body
    let model = build(vec![first, second, ball], vec![], Vec3::ZERO);
    let node = count + left_end(&mesh)[4];
    let element = model.element_nodes[0];
    let weights = [0.1, 0.2, 0.3, 0.4];
    let inside = Anchor::Element {
        nodes: element,
        weights,
    };
    let joints = vec![
        Joint::new(
            "pin",
            JointKind::Attachment {
                pairs: vec![[Anchor::Node(node), inside]],
            },
        ),
        Joint::new(
            "rod",
            JointKind::Distance {
                ends: [Anchor::Node(3), on_rigid(0, vec3(0.0, 0.1, 0.1))],
                length: constant(0.2),
                bound: Bound::Equal,
            },
        ),
    ];
    let model = model.with_joints(joints).unwrap();
    let before = {
        let s = model.initial_state();
        let nodes = model.mass.iter().zip(&s.velocities);
        nodes.fold(s.rigid.momentum(&model.rigid).linear, |sum, (&m, &v)| {
            sum + v * m
        })
    };
    for integrator in [LINEAR, Integrator::ImplicitEuler] {
        let mut simulation = start(model.clone(), integrator, 2e-3);
        for _ in 0..30 {
            let report = simulation.step().unwrap();
            let lost = (report.momentum.linear - before).norm();
            assert!(lost < 1e-11 * before.norm(), "{integrator:?}: {lost}");
            assert!(report.force_balance < 1e-6, "{}", report.force_balance);
        }
        let JointReading::Distance { length, .. } = simulation.report().joints[1] else {
            panic!("not a distance");
        };
        assert!((length - 0.2).abs() < 1e-10, "{length}");
    }
}

/// Time of the first upward and the next upward zero of samples.
pub(crate) fn period(samples: &[(f64, f64)]) -> f64 {
    let crossings: Vec<f64> = samples
        .windows(2)
        .filter(|w| w[0].1 < 0.0 && w[1].1 >= 0.0)
        .map(|w| w[0].0 - w[0].1 * (w[1].0 - w[0].0) / (w[1].1 - w[0].1))
        .collect();
    let last = crossings.len() - 1;
    (crossings[last] - crossings[0]) / last as f64
}

#[test]
fn a_body_on_a_rod_or_rope_swings_as_a_pendulum() {
    let (length, amplitude) = (0.5, 0.1f64);
    for bound in [Bound::Equal, Bound::AtMost] {
        let place = vec3(length * amplitude.sin(), 0.0, -length * amplitude.cos());
        let bob = free(
            "bob",
            vec3(0.02, 0.02, 0.02),
            place - vec3(0.01, 0.01, 0.01),
        );
        let model = build(vec![bob], vec![], GRAVITY);
        let rod = JointKind::Distance {
            ends: [Anchor::fixed(Vec3::ZERO), on_rigid(0, place)],
            length: constant(length),
            bound,
        };
        let model = model.with_joints(vec![Joint::new("rod", rod)]).unwrap();
        let mut simulation = start(model, LINEAR, 2e-3);
        let mut samples = Vec::new();
        let mut highest = 0.0f64;
        for _ in 0..2200 {
            simulation.step().unwrap();
            let state = simulation.state();
            let x = state.rigid.poses[0].centre;
            samples.push((state.time, x.x));
            highest = highest.max(x.x.abs());
            assert!((x.norm() - length).abs() < 1e-9);
        }
        let expected = 2.0 * PI * (length / G).sqrt() * (1.0 + amplitude * amplitude / 16.0);
        let found = period(&samples);
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
        // no drift of the amplitude: the step is symplectic
        assert!((highest / place.x - 1.0).abs() < 1e-3, "{highest}");
        let JointReading::Distance { tension, .. } = simulation.report().joints[0] else {
            panic!("not a distance");
        };
        let weight = 1000.0 * 8e-6 * G;
        assert!((tension / weight - 1.0).abs() < 0.02, "{tension} {weight}");
    }
}

#[test]
fn a_hinged_body_is_a_physical_pendulum_and_keeps_its_axis() {
    let amplitude = 0.1f64;
    let gravity = vec3(amplitude.cos(), 0.0, amplitude.sin()) * G;
    let point = vec3(0.0, 0.05, 0.05);
    let model = build(
        vec![free("box", vec3(0.4, 0.1, 0.1), Vec3::ZERO)],
        vec![],
        gravity,
    );
    let hinge = JointKind::Hinge {
        first: 0,
        second: None,
        point,
        axis: Vec3::AXES[1],
    };
    let model = model.with_joints(vec![Joint::new("hinge", hinge)]).unwrap();
    let centre = model.rigid.bodies[0].centre;
    let mut simulation = start(model, LINEAR, 1e-3);
    let mut samples = Vec::new();
    for _ in 0..4000 {
        simulation.step().unwrap();
        let pose = simulation.state().rigid.poses[0];
        assert!((pose.point(centre, point) - point).norm() < 1e-9);
        assert!((pose.rotation * Vec3::AXES[1] - Vec3::AXES[1]).norm() < 1e-9);
        let JointReading::Hinge { angle, .. } = simulation.report().joints[0] else {
            panic!("not a hinge");
        };
        samples.push((simulation.state().time, angle + amplitude));
    }
    let inertia = (0.4f64.powi(2) + 0.1f64.powi(2)) / 12.0 + 0.04;
    let expected = 2.0 * PI * (inertia / (G * 0.2)).sqrt() * (1.0 + amplitude * amplitude / 16.0);
    let found = period(&samples);
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    let swing = samples.iter().map(|s| s.1.abs()).fold(0.0, f64::max);
    assert!((swing / amplitude - 1.0).abs() < 1e-3, "{swing}");
}

#[test]
fn hinged_bodies_in_free_flight_keep_momentum_and_axis() {
    let first = BodySpecification {
        spin: vec3(0.5, 2.0, -1.0),
        velocity: vec3(0.1, 0.0, 0.2),
        ..free("first", vec3(0.4, 0.1, 0.1), Vec3::ZERO)
    };
    let second = BodySpecification {
        spin: vec3(-1.0, 4.0, 0.3),
        ..free("second", vec3(0.3, 0.2, 0.1), vec3(0.4, 0.0, 0.0))
    };
    let point = vec3(0.4, 0.05, 0.05);
    let axis = vec3(0.0, 0.8, 0.6);
    let model = build(vec![first, second], vec![], Vec3::ZERO);
    let hinge = JointKind::Hinge {
        first: 0,
        second: Some(1),
        point,
        axis,
    };
    let model = model.with_joints(vec![Joint::new("hinge", hinge)]).unwrap();
    let centres = [0, 1].map(|b| model.rigid.bodies[b].centre);
    let mut simulation = start(model, LINEAR, 2e-3);
    let momentum = simulation.state().rigid.momentum(&simulation.model().rigid);
    let mut energy = None;
    for _ in 0..500 {
        simulation.step().unwrap();
        let rigid = &simulation.state().rigid;
        let [a, b] = [0, 1].map(|k| rigid.poses[k].point(centres[k], point));
        assert!((a - b).norm() < 1e-9, "{}", (a - b).norm());
        let [a, b] = [0, 1].map(|k| rigid.poses[k].rotation * axis);
        assert!((a - b).norm() < 1e-9, "{}", (a - b).norm());
        let now = rigid.momentum(&simulation.model().rigid);
        assert!((now.linear - momentum.linear).norm() < 1e-11);
        assert!((now.angular - momentum.angular).norm() < 1e-9);
        let kinetic = rigid.kinetic_energy(&simulation.model().rigid);
        let first = *energy.get_or_insert(kinetic);
        assert!((kinetic / first - 1.0).abs() < 0.02, "{kinetic} {first}");
    }
}

#[test]
fn a_bead_slides_down_a_line_and_drag_ends_its_acceleration() {
    let slope = vec3(0.8, 0.0, -0.6);
    let start_at = vec3(0.1, 0.2, 0.3);
    let bead = free(
        "bead",
        vec3(0.02, 0.02, 0.02),
        start_at - vec3(0.01, 0.01, 0.01),
    );
    let mass = 1000.0 * 8e-6;
    for drag in [0.0, 0.1] {
        let slide = JointKind::Slide {
            points: vec![on_rigid(0, start_at)],
            curve: Curve {
                points: vec![start_at - slope, start_at + slope * 100.0],
                frame: Frame::World(Box::default()),
            },
            stops: false,
            drag,
        };
        let model = build(vec![bead.clone()], vec![], GRAVITY);
        let model = model.with_joints(vec![Joint::new("slide", slide)]).unwrap();
        let mut simulation = start(model, LINEAR, 5e-3);
        for step in 1..=400 {
            simulation.step().unwrap();
            let rigid = &simulation.state().rigid;
            let off = (rigid.poses[0].centre - start_at).cross(slope).norm();
            assert!(off < 1e-9, "{off}");
            if drag == 0.0 {
                let speed = rigid.twists[0].velocity.dot(slope);
                assert!((speed / (0.6 * G * 5e-3 * f64::from(step)) - 1.0).abs() < 1e-9);
            }
        }
        let JointReading::Slide { force, along } = simulation.report().joints[0] else {
            panic!("not a slide");
        };
        if drag > 0.0 {
            let speed = simulation.state().rigid.twists[0].velocity.dot(slope);
            assert!(
                (speed * drag / (0.6 * mass * G) - 1.0).abs() < 1e-6,
                "{speed}"
            );
            assert!((force + GRAVITY * mass).norm() < 1e-6 * mass * G);
        } else {
            let across = GRAVITY - slope * GRAVITY.dot(slope);
            assert!((force + across * mass).norm() < 1e-9 * mass * G);
        }
        let travelled = (simulation.state().rigid.poses[0].centre - start_at).norm();
        assert!((along - 1.0 - travelled).abs() < 1e-9);
    }
}

#[test]
fn tissue_stays_on_a_needle_that_moves() {
    let mesh = bar([6, 2, 2]);
    // the middle of the section at x = 0.2, on a needle along z that a rigid body carries while it turns and moves
    let middle = |x: &&Vec3| (**x - vec3(0.2, 0.05, 0.05)).norm() < 1e-9;
    let node = mesh.positions.iter().position(|x| middle(&x)).unwrap();
    let turning = Motion {
        translation: Some([ramp(0.0, 0.03, 0.2), constant(0.0), ramp(0.0, 0.02, 0.2)]),
        rotation: Some(Turn {
            axis: Vec3::AXES[1],
            centre: vec3(0.2, 0.05, 0.2),
            angle: ramp(0.0, 0.5, 0.2),
        }),
        twist: None,
    };
    let line = vec![vec3(0.2, 0.05, 0.3), vec3(0.2, 0.05, -0.2)];
    let corner = vec3(0.19, 0.04, 0.2);
    let handle = |mobility| rigid("needle", vec3(0.02, 0.02, 0.1), corner, mobility);
    let bodies = |needle| {
        vec![
            BodySpecification::uniform("tissue", mesh.clone(), jelly()),
            needle,
        ]
    };
    let clamp = fix(left_end(&mesh));
    for on_body in [true, false] {
        let frame = match on_body {
            true => Frame::Rigid(0),
            false => Frame::World(Box::new(turning.clone())),
        };
        let mobility = Mobility::Kinematic(turning.clone());
        let model = build(bodies(handle(mobility)), vec![clamp.clone()], GRAVITY);
        let slide = JointKind::Slide {
            points: vec![Anchor::Node(node as u32)],
            curve: Curve {
                points: line.clone(),
                frame,
            },
            stops: false,
            drag: 0.0,
        };
        for integrator in [
            LINEAR,
            Integrator::ImplicitEuler,
            Integrator::Bdf2,
            Integrator::QuasiStatic,
        ] {
            let joint = Joint::new("needle", slide.clone());
            let mut simulation = start(
                model.clone().with_joints(vec![joint]).unwrap(),
                integrator,
                5e-3,
            );
            for _ in 0..40 {
                simulation.step().unwrap();
                let state = simulation.state();
                let x = state.positions[node];
                let a = turning.at(line[0], state.time);
                let b = turning.at(line[1], state.time);
                let off = (x - a).cross((b - a).normalized().unwrap()).norm();
                assert!(off < 1e-9, "{on_body} {integrator:?}: {off}");
            }
            let moved = simulation.state().positions[node] - mesh.positions[node];
            assert!(moved.norm() > 0.02, "{moved:?}");
        }
    }
}

#[test]
fn beads_round_corners_and_stop_at_ends() {
    // down a line, round a polyline arc, up against the end of a level
    let mut points = vec![vec3(-0.5, 0.0, 0.5), Vec3::ZERO];
    points.extend((1..=20).map(|k| {
        let angle = PI / 4.0 * (1.0 - f64::from(k) / 20.0);
        let full = PI / 4.0;
        vec3(full.sin() - angle.sin(), 0.0, full.cos() - angle.cos()) * 0.3
    }));
    let last = *points.last().unwrap();
    points.push(last + vec3(0.2, 0.0, 0.0));
    let from = vec3(-0.2, 0.0, 0.2);
    let bead = free(
        "bead",
        vec3(0.02, 0.02, 0.02),
        from - vec3(0.01, 0.01, 0.01),
    );
    let curve = Curve {
        points: points.clone(),
        frame: Frame::World(Box::default()),
    };
    let length = curve.length();
    let slide = JointKind::Slide {
        points: vec![on_rigid(0, from)],
        curve,
        stops: true,
        drag: 0.0,
    };
    let model = build(vec![bead], vec![], GRAVITY);
    let model = model.with_joints(vec![Joint::new("track", slide)]).unwrap();
    let mut simulation = start(model, LINEAR, 2e-3);
    let mut worst = 0.0f64;
    for _ in 0..500 {
        simulation.step().unwrap();
        let x = simulation.state().rigid.poses[0].centre;
        let off = points.windows(2).map(|s| {
            let d = s[1] - s[0];
            let t = ((x - s[0]).dot(d) / d.norm_squared()).clamp(0.0, 1.0);
            (x - s[0] - d * t).norm()
        });
        worst = worst.max(off.fold(f64::INFINITY, f64::min));
    }
    assert!(worst < 1e-5, "{worst}");
    let JointReading::Slide { along, .. } = simulation.report().joints[0] else {
        panic!("not a slide");
    };
    assert!((along - length).abs() < 1e-9, "{along} {length}");
}

#[test]
fn a_joint_of_a_chain_stops_at_its_limit() {
    let point = vec3(0.0, 0.05, 0.05);
    let arm = |chain: usize, link| Mobility::Link { chain, link };
    let upper = rigid("upper", vec3(0.4, 0.1, 0.1), Vec3::ZERO, arm(0, 0));
    let lower = rigid("lower", vec3(0.4, 0.1, 0.1), vec3(0.4, 0.0, 0.0), arm(0, 1));
    let link = |body, parent, point, limits| Link {
        body,
        parent,
        axis: Vec3::AXES[1],
        point,
        angle: 0.0,
        rate: 0.0,
        limits: Some(limits),
        damping: 0.5,
        stiffness: 0.0,
        rest_angle: 0.0,
        torque: constant(0.0),
    };
    let chain = Chain {
        name: "arm".into(),
        links: vec![
            link(0, None, point, [-1.0, 0.4]),
            link(1, Some(0), point + vec3(0.4, 0.0, 0.0), [-0.2, 0.3]),
        ],
    };
    let bodies = vec![upper, lower];
    let model = Model::build_articulated(bodies, vec![chain], vec![], GRAVITY).unwrap();
    let masses = [0, 1].map(|b| model.rigid.bodies[b].mass);
    let mut simulation = start(model, LINEAR, 5e-3);
    for _ in 0..400 {
        simulation.step().unwrap();
        let angles = &simulation.state().rigid.angles;
        assert!(
            angles[0] < 0.4 + 1e-9 && angles[1] < 0.3 + 1e-9,
            "{angles:?}"
        );
    }
    let state = &simulation.state().rigid;
    assert!((state.angles[0] - 0.4).abs() < 1e-9 && (state.angles[1] - 0.3).abs() < 1e-9);
    // about y a weight at x exerts +m g x, the limits the opposite
    let x = |body: usize| state.poses[body].centre.x;
    let elbow = 0.4 * 0.4f64.cos();
    let expected = [
        -G * (masses[0] * x(0) + masses[1] * x(1)),
        -G * masses[1] * (x(1) - elbow),
    ];
    for (reading, expected) in simulation.report().joints.iter().zip(expected) {
        let JointReading::Link { limit_torque, .. } = reading else {
            panic!("not a link");
        };
        // chains take ∂T/∂q at the velocity without limits, which costs a torque of second order in h
        assert!(
            (limit_torque / expected - 1.0).abs() < 1e-3,
            "{limit_torque} {expected}"
        );
    }
}

/// Everything at once: soft bars, rigid bodies, a hinge, a slide, cables.
fn zoo() -> Model {
    let mesh = bar([6, 2, 2]);
    let count = mesh.node_count() as u32;
    let second = mesh.clone().translated(vec3(0.4, 0.0, 0.0));
    let (left, right) = (left_end(&mesh), right_end(&mesh));
    let positions = [mesh.positions.clone(), second.positions.clone()].concat();
    let shifted: Vec<u32> = left.iter().map(|n| n + count).collect();
    let bodies = vec![
        BodySpecification::uniform("first", mesh, jelly()),
        BodySpecification::uniform("second", second, jelly()),
        free("swing", vec3(0.1, 0.1, 0.2), vec3(0.8, 0.0, -0.1)),
        free("weight", vec3(0.1, 0.1, 0.2), vec3(0.8, 0.0, -0.3)),
    ];
    let model = build(bodies, vec![fix(left)], GRAVITY);
    let tips: Vec<u32> = right.iter().map(|n| n + count).collect();
    let held = tips
        .iter()
        .map(|&n| [Anchor::Node(n), on_rigid(0, positions[n as usize])]);
    let joints = vec![
        Joint::new("weld", coinciding(&positions, &right, &shifted)),
        Joint::new(
            "hold",
            JointKind::Attachment {
                pairs: held.collect(),
            },
        ),
        Joint::new(
            "hinge",
            JointKind::Hinge {
                first: 1,
                second: Some(0),
                point: vec3(0.85, 0.05, -0.1),
                axis: Vec3::AXES[0],
            },
        ),
        Joint::new(
            "cable",
            JointKind::Cable {
                points: vec![
                    Anchor::fixed(vec3(0.3, 0.0, 0.5)),
                    Anchor::Node(tips[0]),
                    on_rigid(1, vec3(0.85, 0.05, -0.3)),
                ],
                control: CableControl::Tension(ramp(0.0, 5.0, 0.1)),
            },
        ),
        Joint::new(
            "rope",
            JointKind::Distance {
                ends: [Anchor::Node(0), Anchor::Node(tips[1])],
                length: constant(0.81),
                bound: Bound::AtMost,
            },
        ),
    ];
    model.with_joints(joints).unwrap()
}

fn run_zoo(threads: usize, resume_at: Option<usize>) -> State {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let settings = settings(LINEAR);
        let mut simulation = Simulation::new(zoo(), settings.clone(), Method::Full).unwrap();
        for step in 0..30 {
            if resume_at == Some(step) {
                let state = simulation.state().clone();
                simulation =
                    Simulation::resume(zoo(), settings.clone(), Method::Full, state).unwrap();
            }
            simulation.step().unwrap();
        }
        simulation.state().clone()
    })
}

#[test]
fn resumed_runs_and_other_thread_counts_give_the_same_bits() {
    let whole = run_zoo(1, None);
    assert_eq!(whole, run_zoo(1, Some(13)));
    assert_eq!(whole, run_zoo(3, None));
}

#[test]
fn bad_joints_are_refused_with_a_reason() {
    let model = || {
        build(
            vec![BodySpecification::uniform("bar", bar([2, 1, 1]), jelly())],
            vec![],
            GRAVITY,
        )
    };
    let refuse = |kind: JointKind, words: &str| {
        let error = model()
            .with_joints(vec![Joint::new("bad", kind)])
            .unwrap_err();
        assert!(matches!(error, ModelError::Joint(_)));
        let text = error.to_string();
        assert!(text.contains("`bad`") && text.contains(words), "{text}");
    };
    let attach = |a, b| JointKind::Attachment {
        pairs: vec![[a, b]],
    };
    let node = Anchor::Node(0);
    let world = Anchor::fixed(Vec3::ZERO);
    refuse(attach(Anchor::Node(1000), world.clone()), "only 12");
    refuse(attach(world.clone(), world.clone()), "belong to the world");
    refuse(
        attach(node.clone(), on_rigid(0, Vec3::ZERO)),
        "rigid body 0",
    );
    refuse(JointKind::Attachment { pairs: vec![] }, "ties nothing");
    refuse(
        JointKind::Cable {
            points: vec![node.clone()],
            control: CableControl::Length(constant(1.0)),
        },
        "two at least",
    );
    refuse(
        JointKind::Distance {
            ends: [node.clone(), world],
            length: constant(-1.0),
            bound: Bound::Equal,
        },
        "not be negative",
    );
    refuse(
        JointKind::Slide {
            points: vec![node],
            curve: Curve {
                points: vec![Vec3::ZERO; 2],
                frame: Frame::World(Box::default()),
            },
            stops: false,
            drag: 0.0,
        },
        "no length",
    );
    let surface = Surface::of(&bar([2, 1, 1])).triangles;
    let cavity = |walls: &[[u32; 3]]| JointKind::Cavity {
        walls: Faces::Triangles(walls.to_vec()),
        control: CavityControl::Volume(constant(1.0)),
    };
    refuse(cavity(&surface), "outside of a body");
    refuse(cavity(&surface[1..]), "gap");
}
