//! Cables and cavities: joints that pull and press.

use crate::common::*;
use crate::joints::{build, constant, damped, free, on_rigid, ramp, start};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Elements, Mesh, Surface, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Faces};
use pliant_solid::joint::{Anchor, CableControl, CavityControl, Joint, JointKind, JointReading};
use pliant_solid::material::MaterialSpecification;
use pliant_solid::model::BodySpecification;
use pliant_solid::settings::Integrator;
const G: f64 = 9.81;
const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };

#[test]
fn a_cable_over_a_pulley_is_atwoods_machine() {
    let heavy = free("heavy", vec3(0.2, 0.1, 0.1), vec3(-0.6, 0.0, -1.0));
    let light = free("light", vec3(0.1, 0.1, 0.1), vec3(0.45, 0.0, -1.0));
    let (m, n) = (2.0, 1.0);
    let model = build(vec![heavy, light], vec![], GRAVITY);
    let centres = [0, 1].map(|b| model.rigid.bodies[b].centre);
    let points = vec![
        on_rigid(0, centres[0]),
        Anchor::fixed(vec3(-0.5, 0.05, 0.0)),
        Anchor::fixed(vec3(0.5, 0.05, 0.0)),
        on_rigid(1, centres[1]),
    ];
    let length = 1.0 + 2.0 * 0.95;
    let control = CableControl::Length(constant(length));
    let cable = Joint::new("cable", JointKind::Cable { points, control });
    let mut simulation = start(model.with_joints(vec![cable]).unwrap(), LINEAR, 1e-3);
    for step in 1..=200 {
        simulation.step().unwrap();
        let fall = simulation.state().rigid.twists[0].velocity.z;
        let expected = -G * (m - n) / (m + n) * 1e-3 * f64::from(step);
        assert!((fall / expected - 1.0).abs() < 1e-6, "{fall} {expected}");
    }
    let JointReading::Cable {
        tension,
        length: found,
    } = simulation.report().joints[0]
    else {
        panic!("not a cable");
    };
    let expected = 2.0 * m * n * G / (m + n);
    assert!(
        (tension / expected - 1.0).abs() < 1e-6,
        "{tension} {expected}"
    );
    assert!((found - length).abs() < 1e-9);
}

#[test]
fn a_given_tension_carries_a_rigid_body_and_a_slack_cable_nothing() {
    let block = free("block", vec3(0.1, 0.1, 0.1), Vec3::ZERO);
    let model = build(vec![block], vec![], GRAVITY);
    let centre = model.rigid.bodies[0].centre;
    let points = vec![
        Anchor::fixed(centre + vec3(0.0, 0.0, 1.0)),
        on_rigid(0, centre),
    ];
    let with = |control| {
        let kind = JointKind::Cable {
            points: points.clone(),
            control,
        };
        let model = model.clone().with_joints(vec![Joint::new("cable", kind)]);
        start(model.unwrap(), LINEAR, 5e-3)
    };
    // 1 kg
    let mut simulation = with(CableControl::Tension(constant(G)));
    for _ in 0..100 {
        let report = simulation.step().unwrap();
        assert!(report.force_balance < 1e-10);
    }
    assert!((simulation.state().rigid.poses[0].centre - centre).norm() < 1e-12);
    assert_eq!(
        simulation.report().joints[0].values()[0].to_bits(),
        G.to_bits()
    );
    let mut simulation = with(CableControl::Tension(constant(3.0 * G)));
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let speed = simulation.state().rigid.twists[0].velocity.z;
    assert!((speed - 2.0 * G * 0.1).abs() < 1e-9, "{speed}");
    let e = simulation.report().energies;
    let gained = e.kinetic + e.gravitational - G * centre.z;
    assert!((e.external_work / gained - 1.0).abs() < 0.06, "{e:?}");

    let mut slack = with(CableControl::Length(constant(1.5)));
    for _ in 0..30 {
        slack.step().unwrap();
        assert_eq!(slack.report().joints[0].values()[0], 0.0);
    }
    let speed = slack.state().rigid.twists[0].velocity.z;
    assert!((speed + G * 0.15).abs() < 1e-12, "{speed}");
    for _ in 0..200 {
        slack.step().unwrap();
    }
    let [tension, length] = slack.report().joints[0].values()[..] else {
        panic!("not a cable");
    };
    assert!(
        (tension / G - 1.0).abs() < 1e-6 && (length - 1.5).abs() < 1e-9,
        "{tension} {length}"
    );
}

#[test]
fn a_shortened_cable_bends_a_bar_and_its_work_is_tension_times_length() {
    let mesh = bar([8, 2, 2]);
    let at = |x: f64, z: f64| {
        let near = |p: &Vec3| (*p - vec3(x, 0.05, z)).norm() < 1e-9;
        Anchor::Node(mesh.positions.iter().position(near).unwrap() as u32)
    };
    let points = vec![at(0.1, 0.1), at(0.2, 0.1), at(0.3, 0.1), at(0.4, 0.1)];
    let control = CableControl::Length(ramp(0.3, 0.27, 0.5));
    let cable = Joint::new("cable", JointKind::Cable { points, control });
    let mut model = cantilever(mesh.clone(), damped());
    model.gravity = Vec3::ZERO;
    let mut simulation = start(model.with_joints(vec![cable]).unwrap(), LINEAR, 2e-3);
    let (mut work, mut before) = (0.0, 0.3);
    for _ in 0..500 {
        let report = simulation.step().unwrap();
        let [tension, length] = report.joints[0].values()[..] else {
            panic!("not a cable");
        };
        assert!(tension >= 0.0);
        work += tension * (before - length);
        before = length;
    }
    assert!((before - 0.27).abs() < 1e-10);
    let e = simulation.report().energies;
    assert!(
        (e.contact_work / work - 1.0).abs() < 0.01,
        "{} {work}",
        e.contact_work
    );
    assert!(e.elastic > 0.0 && e.elastic < work);
    // the tip rises towards the cable
    let JointKind::Cable { points, .. } = &simulation.model().joints[0].kind else {
        panic!("not a cable");
    };
    let Anchor::Node(tip) = points[3] else {
        panic!("not a node");
    };
    assert!(simulation.state().positions[tip as usize].z > 0.11);
    // a cable between points of the body exerts nothing on it as a whole
    let (reaction, tension) = (
        simulation.report().reactions[0].norm(),
        simulation.report().joints[0].values()[0],
    );
    assert!(reaction < 1e-2 * tension, "{reaction} {tension}");
}

#[test]
fn a_cable_from_the_world_balances_weight_and_reaction() {
    let mesh = bar([8, 2, 2]);
    let near = |p: &Vec3| (*p - vec3(0.4, 0.05, 0.1)).norm() < 1e-9;
    let tip = mesh.positions.iter().position(near).unwrap();
    let hook = vec3(0.4, 0.05, 0.6);
    let points = vec![Anchor::fixed(hook), Anchor::Node(tip as u32)];
    let control = CableControl::Length(constant(0.5));
    let cable = Joint::new("cable", JointKind::Cable { points, control });
    let model = cantilever(mesh, damped()).with_joints(vec![cable]).unwrap();
    let weight: f64 = model.mass.iter().sum::<f64>() * G;
    let mut simulation = start(model, LINEAR, 5e-3);
    for _ in 0..800 {
        simulation.step().unwrap();
    }
    let tension = simulation.report().joints[0].values()[0];
    let pull = (hook - simulation.state().positions[tip]) * (tension / 0.5);
    let sum = simulation.report().reactions[0] + pull - vec3(0.0, 0.0, weight);
    assert!(tension > 0.2 * weight);
    assert!(sum.norm() < 1e-5 * weight, "{sum:?}");
}

/// A box of 0.4 m with a cavity of 0.2 m, its walls, and the nodes of its bottom.
fn hollow_box() -> (Mesh, Vec<[u32; 3]>, Vec<u32>) {
    let full = generate::bar(vec3(0.4, 0.4, 0.4), [4; 3], generate::Split::Six).unwrap();
    let Elements::Tetrahedra(all) = &full.elements else {
        panic!("not a solid");
    };
    let inner = |x: Vec3| {
        x.to_array()
            .iter()
            .all(|c| (0.1 - 1e-9..0.3 + 1e-9).contains(c))
    };
    let kept = (0..all.len()).filter(|&e| !inner(full.centroid(e)));
    let tetrahedra: Vec<[u32; 4]> = kept.map(|e| all[e]).collect();
    let elements = Elements::Tetrahedra(tetrahedra);
    // drops the node in the middle
    let (mesh, _) = Mesh::single_region(full.positions.clone(), elements).unwrap();
    let walls = Surface::of(&mesh).triangles;
    let walls = walls
        .into_iter()
        .filter(|t| t.iter().all(|&n| inner(mesh.positions[n as usize])));
    let walls: Vec<[u32; 3]> = walls.collect();
    let bottom = (0..mesh.node_count() as u32).filter(|&n| mesh.positions[n as usize].z < 1e-9);
    let bottom = bottom.collect();
    (mesh, walls, bottom)
}

fn chamber(control: CavityControl, drives: Vec<Drive>, gravity: Vec3) -> Simulation {
    let (mesh, walls, bottom) = hollow_box();
    let material = MaterialSpecification {
        mass_damping: 20.0,
        ..damped()
    };
    let mut all = vec![fix(bottom)];
    all.extend(drives);
    let model = build(
        vec![BodySpecification::uniform("box", mesh, material)],
        all,
        gravity,
    );
    let walls = Faces::Triangles(walls);
    let cavity = Joint::new("cavity", JointKind::Cavity { walls, control });
    start(model.with_joints(vec![cavity]).unwrap(), LINEAR, 5e-3)
}

#[test]
fn a_closed_cavity_keeps_its_volume_under_load() {
    let (mesh, _, _) = hollow_box();
    let top = (0..mesh.node_count() as u32).filter(|&n| mesh.positions[n as usize].z > 0.4 - 1e-9);
    let press = Drive {
        name: "press".into(),
        action: Action::Force {
            nodes: top.collect(),
            force: vec3(0.0, 0.0, -800.0),
            profile: ramp(0.0, 1.0, 0.1),
        },
    };
    let mut closed = chamber(
        CavityControl::Volume(constant(1.0)),
        vec![press.clone()],
        GRAVITY,
    );
    let mut open = chamber(CavityControl::Pressure(constant(0.0)), vec![press], GRAVITY);
    for _ in 0..300 {
        closed.step().unwrap();
        open.step().unwrap();
        let volume = closed.report().joints[0].values()[1];
        assert!((volume / 0.008 - 1.0).abs() < 1e-9, "{volume}");
    }
    let [pressure, _] = closed.report().joints[0].values()[..] else {
        panic!("not a cavity");
    };
    let [none, volume] = open.report().joints[0].values()[..] else {
        panic!("not a cavity");
    };
    assert!(pressure > 500.0, "{pressure}");
    assert!(none == 0.0 && volume < 0.0079, "{volume}");

    // every node of the walls is in balance with pressure times its share of their area
    let (state, model) = (closed.state(), closed.model());
    let JointKind::Cavity {
        walls: Faces::Triangles(walls),
        ..
    } = &model.joints[0].kind
    else {
        panic!("not a cavity");
    };
    let mut sums: Vec<Vec3> = vec![Vec3::ZERO; model.node_count()];
    let mut largest = 0.0f64;
    for t in walls {
        let [a, b, c] = t.map(|n| state.positions[n as usize]);
        let push = (b - a).cross(c - a) * (-pressure / 6.0);
        for &n in t {
            sums[n as usize] += push;
            largest = largest.max(push.norm());
        }
    }
    for &n in walls.iter().flatten() {
        let n = n as usize;
        let all = sums[n] + closed.forces().nodal[n] + model.gravity * model.mass[n];
        assert!(all.norm() < 1e-3 * largest, "{all:?} {largest}");
    }
}

#[test]
fn pressure_and_volume_control_agree() {
    let mut by_volume = chamber(
        CavityControl::Volume(ramp(1.0, 1.15, 0.2)),
        vec![],
        Vec3::ZERO,
    );
    for _ in 0..500 {
        by_volume.step().unwrap();
    }
    let [pressure, volume] = by_volume.report().joints[0].values()[..] else {
        panic!("not a cavity");
    };
    assert!((volume / (1.15 * 0.008) - 1.0).abs() < 1e-9);
    assert!(pressure > 100.0, "{pressure}");
    let mut by_pressure = chamber(
        CavityControl::Pressure(ramp(0.0, pressure, 0.2)),
        vec![],
        Vec3::ZERO,
    );
    for _ in 0..500 {
        by_pressure.step().unwrap();
    }
    let [_, reached] = by_pressure.report().joints[0].values()[..] else {
        panic!("not a cavity");
    };
    assert!((reached / volume - 1.0).abs() < 1e-6, "{reached} {volume}");
}
