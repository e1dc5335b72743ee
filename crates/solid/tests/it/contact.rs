//! Constraint contact: closed forms, balance of forces, laws, momentum, invariance.

use crate::common::{GRAVITY, distance, fix, settings, soft};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{
    ContactModel, ContactState, Detection, Obstacle, Partner, PenaltyFriction, Response, Shape,
};
use pliant_solid::drive::Motion;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::rigid::Mobility;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::strategy::Method;

const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };
const UP: Vec3 = vec3(0.0, 0.0, 1.0);

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle {
        name: "obstacle".into(),
        shape,
        friction: None,
        motion: None,
    }
}

fn floor(normal: Vec3) -> Obstacle {
    let point = Vec3::ZERO;
    obstacle(Shape::HalfSpace { point, normal })
}

fn on(obstacles: Vec<Obstacle>, friction: f64) -> ContactModel {
    ContactModel {
        enabled: true,
        friction,
        obstacles,
        ..ContactModel::default()
    }
}

fn model(bodies: Vec<BodySpecification>, gravity: Vec3, contact: ContactModel) -> Model {
    let model = Model::build(bodies, vec![], gravity).unwrap();
    model.with_contact(contact).unwrap()
}

fn simulation(model: Model) -> Simulation {
    Simulation::new(model, settings(LINEAR), Method::Full).unwrap()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}

/// A cube with one corner at `at`.
fn cube(size: f64, cells: usize, at: Vec3) -> Mesh {
    let size = vec3(size, size, size);
    let mut mesh = generate::bar(size, [cells; 3], generate::Split::Six).unwrap();
    mesh.positions.iter_mut().for_each(|x| *x += at);
    mesh
}

fn turned(mut mesh: Mesh, turn: Mat3) -> Mesh {
    mesh.positions.iter_mut().for_each(|x| *x = turn * *x);
    mesh
}

fn damped(young: f64) -> MaterialSpecification {
    let mut material = MaterialSpecification::new(MaterialModel::Corotated, young, 0.3, 1000.0);
    material.stiffness_damping = 0.01;
    material
}

fn body(name: &str, mesh: Mesh) -> BodySpecification {
    BodySpecification::uniform(name, mesh, damped(5e5))
}

fn rigid(name: &str, mesh: Mesh) -> BodySpecification {
    BodySpecification {
        rigid: Some(Mobility::Free),
        ..body(name, mesh)
    }
}

fn mean_velocity(simulation: &Simulation) -> Vec3 {
    let momentum = simulation.report().momentum.linear;
    let model = simulation.model();
    let soft: f64 = model.mass.iter().sum();
    let rigid: f64 = model.rigid.bodies.iter().map(|b| b.mass).sum();
    momentum / (soft + rigid)
}

#[test]
fn blocks_on_an_incline_stick_or_slide_as_coulomb_says() {
    let angle = 30f64.to_radians();
    let (sin, cos) = angle.sin_cos();
    let turn = Mat3::rotation(vec3(0.0, 1.0, 0.0), angle);
    let down = turn * vec3(1.0, 0.0, 0.0);
    for (size, friction, is_rigid) in [
        (0.014, 0.2, false),
        (0.014, 0.6, false),
        (0.14, 0.4, false),
        (0.14, 0.6, false),
        (1.4, 0.2, false),
        (1.4, 0.6, false),
        (0.14, 0.4, true),
        (0.14, 0.6, true),
    ] {
        let mesh = turned(cube(size, 3, Vec3::ZERO), turn);
        let block = BodySpecification {
            rigid: is_rigid.then_some(Mobility::Free),
            ..BodySpecification::uniform("block", mesh, damped(5e6 * size))
        };
        let contact = on(vec![floor(turn * UP)], friction);
        let mut simulation = simulation(model(vec![block], GRAVITY, contact));
        run(&mut simulation, 200);
        let before = mean_velocity(&simulation).dot(down);
        run(&mut simulation, 100);
        let after = mean_velocity(&simulation).dot(down);
        let what = format!("size {size}, µ {friction}, rigid {is_rigid}");
        let expected = 9.81 * (sin - friction * cos);
        if expected < 0.0 {
            assert!(after.abs() < 1e-6, "{what}: drifts with {after:e} m/s");
            let states = simulation.contacts().contacts;
            let pushing = states.iter().filter(|c| c.state != ContactState::Open);
            assert!(pushing.clone().count() >= 3);
            assert!(pushing.clone().any(|c| c.state == ContactState::Stick));
        } else {
            let gained = (after - before) / (100.0 * 5e-3);
            let error = gained / expected - 1.0;
            assert!(error.abs() < 1e-4, "{what}: {gained} for {expected}");
            let states = simulation.contacts().contacts;
            assert!(states.iter().all(|c| c.state != ContactState::Stick));
        }
        assert!(simulation.report().force_balance < 1e-9, "{what}");
    }
}

/// A spring along the surface: a block that sticks gives way once, by γ of the change of its impulses, and then neither creeps nor forgets.
/// With h = 5 ms and n contacts that share the load of a rigid block evenly, it has slipped by Σ h γ Δλ = h γ m g sin(α) h / n.
#[test]
fn tangential_compliance_gives_way_once() {
    let angle = 20f64.to_radians();
    let turn = Mat3::rotation(vec3(0.0, 1.0, 0.0), angle);
    let down = turn * vec3(1.0, 0.0, 0.0);
    let (gamma, h) = (0.5, settings(LINEAR).h);
    let slip = |tangential_compliance: f64| {
        let block = rigid("block", turned(cube(0.1, 1, Vec3::ZERO), turn));
        let mut contact = on(vec![floor(turn * UP)], 0.8);
        contact.constraint.tangential_compliance = tangential_compliance;
        let model = model(vec![block], GRAVITY, contact);
        let mut simulation = simulation(model);
        let centre = |s: &Simulation| s.report().momentum.centre;
        let start = turn * vec3(0.05, 0.05, 0.05);
        run(&mut simulation, 200);
        let early = (centre(&simulation) - start).dot(down);
        run(&mut simulation, 400);
        let late = (centre(&simulation) - start).dot(down);
        let contacts = simulation.contacts().contacts;
        let stick = contacts.iter().filter(|c| c.state == ContactState::Stick);
        (early, late, stick.count())
    };
    let (hard, soft) = (slip(0.0), slip(gamma));
    assert_eq!(hard.2, soft.2);
    let load = 1000.0 * 0.1f64.powi(3) * 9.81 * angle.sin() * h;
    let expected = h * gamma * load / soft.2 as f64;
    let given = soft.0 - hard.0;
    assert!(
        (given / expected - 1.0).abs() < 0.05,
        "{given:e} for {expected:e}"
    );
    assert!(
        (soft.1 - soft.0).abs() < 1e-3 * expected,
        "creeps: {soft:?}"
    );
}

#[test]
fn an_impact_does_not_penetrate_and_comes_to_rest_with_its_weight() {
    let edge = 0.1 / 5.0;
    let block = BodySpecification {
        velocity: vec3(0.3, 0.0, -5.0),
        ..body("block", cube(0.1, 5, vec3(0.0, 0.0, 0.08)))
    };
    let mut simulation = simulation(model(vec![block], GRAVITY, on(vec![floor(UP)], 0.3)));
    let mut deepest = 0.0f64;
    for _ in 0..300 {
        deepest = deepest.max(simulation.step().unwrap().max_penetration);
    }
    assert!(deepest < 0.01 * edge, "{deepest:e}");
    let weight = 9.81 * simulation.model().mass.iter().sum::<f64>();
    let contacts = simulation.contacts();
    let pair = contacts.pairs[0];
    assert_eq!((pair.body, pair.partner), (0, Partner::Obstacle(0)));
    assert!(
        (pair.force.z / weight - 1.0).abs() < 1e-6,
        "{:?}",
        pair.force
    );
    assert!(pair.force.x.abs() < 1e-6 * weight);
    // by node, by contact and by pressure it is the same force
    let by_node = contacts.nodes.iter().fold(Vec3::ZERO, |s, &f| s + f);
    assert!((by_node - pair.force).norm() < 1e-12 * weight);
    let normal: f64 = contacts.contacts.iter().map(|c| c.normal_force).sum();
    assert!((normal / weight - 1.0).abs() < 1e-6);
    let mean = normal / 0.01;
    assert!(contacts.contacts.iter().all(|c| c.pressure < 10.0 * mean));
    assert!(simulation.report().max_penetration < 1e-3 * edge);
    assert!(simulation.report().energies.kinetic < 1e-9);
}

#[test]
fn stacks_of_soft_and_rigid_cubes_carry_the_weight_above() {
    for kinds in ["ssss", "rrrr", "srsr"] {
        let bodies = kinds.chars().enumerate().map(|(i, kind)| {
            let gap = 1e-3 * (i + 1) as f64;
            let mesh = cube(0.1, 2, vec3(0.0, 0.0, 0.1 * i as f64 + gap));
            match kind {
                'r' => rigid(&format!("cube {i}"), mesh),
                _ => body(&format!("cube {i}"), mesh),
            }
        });
        let contact = on(vec![floor(UP)], 0.5);
        let mut simulation = simulation(model(bodies.collect(), GRAVITY, contact));
        run(&mut simulation, 200);
        let contacts = simulation.contacts();
        let force = |a: usize, partner: Partner| {
            let pair = contacts
                .pairs
                .iter()
                .find(|p| (p.body, p.partner) == (a, partner));
            pair.unwrap().force.z / 9.81
        };
        assert!(
            (force(0, Partner::Obstacle(0)) - 4.0).abs() < 1e-4,
            "{kinds}"
        );
        for lower in 0..3 {
            let above = (3 - lower) as f64;
            let carried = -force(lower, Partner::Body(lower + 1));
            assert!((carried - above).abs() < 1e-3, "{kinds} {lower}: {carried}");
        }
        assert!(simulation.report().max_penetration < 1e-6);
    }
}

#[test]
fn collisions_in_free_space_conserve_momentum() {
    for (first, second) in [(false, false), (true, false), (true, true)] {
        for integrator in [LINEAR, Integrator::ImplicitEuler] {
            let make = |is_rigid: bool, mesh: Mesh, velocity: Vec3| BodySpecification {
                rigid: is_rigid.then_some(Mobility::Free),
                velocity,
                ..body(if velocity.x > 0.0 { "left" } else { "right" }, mesh)
            };
            let turn = Mat3::rotation(vec3(0.6, 0.0, 0.8), 0.5);
            let left = make(first, cube(0.1, 3, Vec3::ZERO), vec3(1.0, 0.1, 0.0));
            let right = turned(cube(0.1, 2, Vec3::ZERO), turn);
            let mut right = make(second, right, vec3(-1.0, 0.0, 0.0));
            right
                .mesh
                .positions
                .iter_mut()
                .for_each(|x| *x += vec3(0.2, 0.03, -0.01));
            let model = model(vec![left, right], Vec3::ZERO, on(vec![], 0.4));
            let mut simulation =
                Simulation::new(model, settings(integrator), Method::Full).unwrap();
            simulation.step().unwrap();
            let start = simulation.report().momentum;
            let (mut touched, mut most) = (0, 0.0f64);
            for _ in 0..60 {
                let report = simulation.step().unwrap();
                touched += report.contacts;
                most = most.max(report.max_penetration);
            }
            let end = simulation.report().momentum;
            let what = format!("{first} {second} {integrator:?}");
            assert!(touched > 3, "{what}");
            assert!((end.linear - start.linear).norm() < 1e-11, "{what}");
            assert!(most < 2e-3, "{what}: {most:e}");
        }
    }
}

#[test]
fn every_contact_pushes_both_sides_alike_and_within_the_cone() {
    let lower = cube(0.1, 3, Vec3::ZERO);
    let turn = Mat3::rotation(UP, 0.4);
    let upper = turned(cube(0.1, 2, vec3(0.0, -0.02, 0.1)), turn);
    let thrown = BodySpecification {
        velocity: vec3(0.5, 0.2, -1.0),
        ..body("upper", upper)
    };
    let contact = on(vec![floor(UP)], 0.3);
    let mut simulation = simulation(model(vec![body("lower", lower), thrown], GRAVITY, contact));
    for _ in 0..60 {
        simulation.step().unwrap();
        let contacts = simulation.contacts();
        let of = |b: usize| {
            let nodes = simulation.model().bodies[b].nodes.clone();
            contacts.nodes[nodes].iter().fold(Vec3::ZERO, |s, &f| s + f)
        };
        let outside = contacts
            .pairs
            .iter()
            .filter(|p| matches!(p.partner, Partner::Obstacle(_)));
        let outside = outside.fold(Vec3::ZERO, |s, p| s + p.force);
        let scale = 1.0 + outside.norm();
        assert!((of(0) + of(1) - outside).norm() < 1e-9 * scale);
        for c in &contacts.contacts {
            assert!(c.normal_force >= 0.0);
            assert!(c.friction.norm() <= 0.3 * c.normal_force * (1.0 + 1e-6) + 1e-9);
            assert!(c.gap > -1e-4);
        }
    }
}

#[test]
fn integrators_and_methods_agree_at_rest() {
    let rest = |integrator: Integrator, method: Method, h: f64| {
        let ball = {
            let mut mesh = generate::ball(0.05, 2).unwrap();
            mesh.positions.iter_mut().for_each(|x| x.z += 0.051);
            mesh
        };
        let ball = body("ball", ball);
        let model = model(vec![ball], GRAVITY, on(vec![floor(UP)], 0.5));
        let settings = Settings {
            h,
            ..settings(integrator)
        };
        let mut simulation = Simulation::new(model, settings, method).unwrap();
        run(&mut simulation, 250);
        (simulation.contacts(), simulation.state().positions.clone())
    };
    let (reference, shape) = rest(LINEAR, Method::Full, 5e-3);
    for (integrator, method, tolerance) in [
        (Integrator::ImplicitEuler, Method::Full, 1e-3),
        (Integrator::Bdf2, Method::Full, 1e-3),
        (LINEAR, Method::EarlyCg, 1e-2),
    ] {
        let (contacts, other) = rest(integrator, method, 5e-3);
        let force = |c: &[Vec3]| c.iter().fold(Vec3::ZERO, |s, &f| s + f).z;
        let relative = force(&contacts.nodes) / force(&reference.nodes) - 1.0;
        assert!(
            relative.abs() < 1e-4,
            "{integrator:?} {method:?}: {relative:e}"
        );
        let apart = distance(&shape, &other);
        assert!(
            apart < tolerance * 0.1,
            "{integrator:?} {method:?}: {apart:e}"
        );
        for (a, b) in contacts.nodes.iter().zip(&reference.nodes) {
            let weight = force(&reference.nodes);
            assert!(
                (*a - *b).norm() < 0.02 * weight,
                "{integrator:?} {method:?}"
            );
        }
    }
}

#[test]
fn a_moving_obstacle_carries_and_pushes() {
    // a belt that moves at constant speed carries a block along; a wall pushes it
    let path = |speed: f64| {
        let keys = vec![(0.0, 0.0), (10.0, 10.0 * speed)];
        let straight = Profile::Keyframes {
            keys,
            smooth: false,
        };
        let still = Profile::Constant(0.0);
        Motion {
            translation: Some([straight, still.clone(), still]),
            ..Motion::default()
        }
    };
    let belt = Obstacle {
        motion: Some(path(0.2)),
        ..floor(UP)
    };
    let block = body("block", cube(0.1, 2, Vec3::ZERO));
    let mut carried = simulation(model(vec![block.clone()], GRAVITY, on(vec![belt], 0.5)));
    run(&mut carried, 200);
    assert!((mean_velocity(&carried).x - 0.2).abs() < 1e-6);

    let wall = Shape::Box {
        centre: vec3(-0.06, 0.05, 0.05),
        half: vec3(0.05, 0.1, 0.1),
        rotation: Mat3::IDENTITY,
    };
    let wall = Obstacle {
        motion: Some(path(0.2)),
        ..obstacle(wall)
    };
    let mut pushed = simulation(model(vec![block], GRAVITY, on(vec![floor(UP), wall], 0.3)));
    run(&mut pushed, 300);
    assert!((mean_velocity(&pushed).x - 0.2).abs() < 1e-6);
    let contacts = pushed.contacts();
    let force = |o: usize| {
        let pair = contacts
            .pairs
            .iter()
            .find(|p| p.partner == Partner::Obstacle(o));
        pair.unwrap().force
    };
    // the wall overcomes what the floor holds back
    assert!((force(0).x + 0.3 * force(0).z).abs() < 1e-3);
    assert!((force(1).x + force(0).x).abs() < 1e-3);
}

#[test]
fn a_small_ball_presses_between_the_nodes() {
    // a plate of large facets, held at its sides, sinks on a small sphere that no node meets
    let mut mesh = generate::bar(vec3(0.3, 0.3, 0.03), [3, 3, 1], generate::Split::Six).unwrap();
    mesh.positions.iter_mut().for_each(|x| x.z += 0.03);
    let sphere = obstacle(Shape::Sphere {
        centre: vec3(0.14, 0.17, 0.0),
        radius: 0.02,
        hollow: false,
    });
    let mut simulation = simulation(model(
        vec![body("plate", mesh)],
        GRAVITY,
        on(vec![sphere], 0.5),
    ));
    let mut pushed = 0;
    for _ in 0..30 {
        pushed += simulation.step().unwrap().contacts;
    }
    assert!(pushed > 5, "the facet over the sphere is held up");
    assert!(simulation.report().max_penetration < 2e-3);
}

#[test]
fn bodies_touch_themselves_when_asked() {
    // a C lying on its lower arm; a strong gravity bends the upper one down
    let picture: Vec<String> = ["######", "#.....", "######"].map(String::from).into();
    let drawing = generate::Extrusion::uniform(picture, [0.02, 0.02], 0.04, 2).unwrap();
    let mesh = generate::extrude(&drawing).unwrap();
    let closed = |itself: bool| {
        let body =
            BodySpecification::uniform("c", mesh.clone(), soft(MaterialModel::StableNeoHookean));
        let low = mesh.positions.iter().fold(f64::INFINITY, |l, x| l.min(x.z));
        let held: Vec<u32> = (0..mesh.node_count() as u32)
            .filter(|&n| mesh.positions[n as usize].z < low + 1e-9)
            .collect();
        let contact = ContactModel {
            itself,
            ..on(vec![], 0.3)
        };
        let model = Model::build(vec![body], vec![fix(held)], vec3(0.0, 0.0, -120.0)).unwrap();
        let mut simulation = simulation(model.with_contact(contact).unwrap());
        let mut pushed = 0;
        for _ in 0..150 {
            pushed += simulation.step().unwrap().contacts;
        }
        let lowest_upper = simulation
            .state()
            .positions
            .iter()
            .zip(&mesh.positions)
            .filter(|(_, rest)| rest.z > low + 0.0399)
            .fold(f64::INFINITY, |l, (x, _)| l.min(x.z - low));
        (pushed, lowest_upper)
    };
    let (pushed, height) = closed(true);
    let (free, through) = closed(false);
    assert!(pushed > 0 && free == 0);
    assert!(
        through < height,
        "without contact the arm sinks deeper: {through} {height}"
    );
    assert!(height > 0.015, "the arm rests on the other: {height}");
}

#[test]
fn initial_overlaps_open_gently() {
    let below = body("below", cube(0.1, 2, Vec3::ZERO));
    let above = body("above", cube(0.1, 2, vec3(0.0, 0.0, 0.09)));
    let mut simulation = simulation(model(vec![below, above], Vec3::ZERO, on(vec![], 0.5)));
    let mut fastest = 0.0f64;
    for _ in 0..300 {
        simulation.step().unwrap();
        let speeds = simulation.state().velocities.iter().map(|v| v.norm());
        fastest = fastest.max(speeds.fold(0.0, f64::max));
    }
    assert!(simulation.report().max_penetration < 1e-3);
    assert!(fastest < 1.0, "thrown apart with {fastest} m/s");
}

#[test]
fn penalty_friction_filter_is_coulomb_s_law() {
    let angle = 30f64.to_radians();
    let turn = Mat3::rotation(vec3(0.0, 1.0, 0.0), angle);
    let down = turn * vec3(1.0, 0.0, 0.0);
    for isotropy in [0.0, 0.1] {
        let mesh = turned(cube(0.1, 2, Vec3::ZERO), turn);
        let contact = ContactModel {
            response: Response::Penalty,
            detection: Detection::Inside,
            penalty_friction: PenaltyFriction::Filter,
            isotropy,
            damping: 1e-3,
            ..on(vec![floor(turn * UP)], 0.3)
        };
        let mut simulation = simulation(model(vec![body("block", mesh)], GRAVITY, contact));
        run(&mut simulation, 300);
        let before = mean_velocity(&simulation).dot(down);
        run(&mut simulation, 100);
        let gained = (mean_velocity(&simulation).dot(down) - before) / 0.5;
        let expected = 9.81 * (angle.sin() - 0.3 * angle.cos());
        if isotropy == 0.0 {
            assert!(
                (gained / expected - 1.0).abs() < 0.02,
                "{gained} {expected}"
            );
        } else {
            assert!(gained < expected, "the isotropic share resists too");
        }
    }
}

#[test]
fn thread_counts_and_resuming_give_the_same_bits() {
    let make = || {
        let ball = {
            let mut mesh = generate::ball(0.05, 3).unwrap();
            mesh.positions
                .iter_mut()
                .for_each(|x| *x += vec3(0.05, 0.05, 0.16));
            mesh
        };
        let bodies = vec![
            body("cube", cube(0.1, 4, vec3(0.0, 0.0, 0.001))),
            rigid("ball", ball),
        ];
        model(bodies, GRAVITY, on(vec![floor(UP)], 0.4))
    };
    let at = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut simulation = simulation(make());
            run(&mut simulation, 60);
            simulation.state().clone()
        })
    };
    let one = at(1);
    assert_eq!(one, at(2));
    assert_eq!(one, at(3));
    let mut half = simulation(make());
    run(&mut half, 30);
    let saved = half.state().clone();
    assert!(!saved.constraint_forces.is_empty());
    let mut resumed = Simulation::resume(make(), settings(LINEAR), Method::Full, saved).unwrap();
    run(&mut resumed, 30);
    assert_eq!(*resumed.state(), one);
}
