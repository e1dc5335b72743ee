//! Method `rigidify`: clumps come and go, and nothing is lost on the way [MWLK22].

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, PenaltyFriction, Response, Shape};
use pliant_solid::drive::{Action, Drive};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::reduction::NO_CLUMP;
use pliant_solid::rigid::Mobility;
use pliant_solid::settings::{
    EarlyCgSettings, Integrator, RigidifySettings, Settings, StrainLimits, StrainRates,
};
use pliant_solid::strategy::Method;

fn damped(model: MaterialModel) -> MaterialSpecification {
    MaterialSpecification {
        stiffness_damping: 0.02,
        ..MaterialSpecification::new(model, 1e6, 0.35, 1000.0)
    }
}

/// Limits that let a strain come about unnoticed in a second.
pub fn rates(strain: f64) -> StrainLimits {
    StrainLimits::Rates(StrainRates {
        rigid_below: 0.1 * strain * strain,
        elastic_above: strain * strain,
    })
}

fn settings(error: f64) -> Settings {
    Settings {
        h: 5e-3,
        rigidify: RigidifySettings::with_limits(rates(error)),
        ..Settings::default()
    }
}

fn run(model: &Model, settings: &Settings, method: Method, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max)
}

/// A block that falls on a floor, rests, and is pushed.
fn dropped(mesh: Mesh, material: MaterialSpecification) -> Model {
    let height = mesh.positions.iter().map(|x| -x.z).fold(f64::MIN, f64::max);
    let top: Vec<u32> = (0..mesh.node_count() as u32)
        .filter(|&n| mesh.positions[n as usize].z > 0.099)
        .collect();
    let push = Drive {
        name: "push".into(),
        action: Action::Force {
            nodes: top,
            force: vec3(0.0, 0.0, -20.0),
            profile: Profile::Keyframes {
                keys: vec![(1.0, 0.0), (1.02, 1.0), (1.3, 1.0), (1.32, 0.0)],
                smooth: false,
            },
        },
    };
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, -height - 0.01),
            normal: vec3(0.0, 0.0, 1.0),
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        enabled: true,
        obstacles: vec![floor],
        friction: 0.5,
        ..ContactModel::default()
    };
    let body = BodySpecification::uniform("block", mesh, material);
    Model::build(vec![body], vec![push], GRAVITY)
        .unwrap()
        .with_contact(contact)
        .unwrap()
}

/// Where nothing may become rigid nothing differs, to the last bit.
#[test]
fn without_clumps_it_is_the_full_method() {
    let model = dropped(bar([6, 2, 2]), damped(MaterialModel::StableNeoHookean));
    let mut settings = settings(0.01);
    settings.rigidify.limits = StrainLimits::Rates(StrainRates {
        rigid_below: 0.0,
        elastic_above: 1.0,
    });
    let (full, other) = (
        run(&model, &settings, Method::Full, 60),
        run(&model, &settings, Method::Rigidify, 60),
    );
    assert_eq!(full.state().positions, other.state().positions);
    assert_eq!(full.state().velocities, other.state().velocities);
}

/// A clamped bar swings out under its weight. At the turning point nothing is strained any faster, and nothing is in balance: with the
/// present rates alone it is taken for rigid there, and hangs.
#[test]
fn what_turns_back_is_not_at_rest() {
    let mut material = damped(MaterialModel::StableNeoHookean);
    material.young = 2e5;
    material.stiffness_damping = 0.05;
    let mesh = bar([12, 2, 2]);
    let model = cantilever(mesh, material);
    let mut settings = settings(0.1);
    let steps = 1000;
    let error = |settings: &Settings| {
        let start = || Simulation::new(model.clone(), settings.clone(), Method::Full).unwrap();
        let mut full = start();
        let mut rigid = Simulation::new(model.clone(), settings.clone(), Method::Rigidify).unwrap();
        let mut error = 0.0f64;
        for _ in 0..steps {
            full.step().unwrap();
            rigid.step().unwrap();
            error = error.max(farthest(&full.state().positions, &rigid.state().positions));
        }
        (error, rigid.report().active_dofs)
    };
    let looks_ahead = error(&settings);
    settings.rigidify.foresight = Some(0);
    let looks_at_now = error(&settings);
    assert!(looks_ahead.0 < 0.6 * looks_at_now.0);
    assert_eq!(looks_ahead.1, 0, "it comes to rest all the same");
}

/// An error that is asked for is kept without knowing anything about strain rates: a clamped bar swings out under its weight, comes to
/// rest, and a load grows on it so slowly that no single step strains it; faster bodies and shorter steps make no difference.
#[test]
fn errors_are_what_was_asked_for() {
    for (young, h, error) in [(2e5, 5e-3, 0.01), (2e5, 5e-3, 0.003), (2e7, 5e-4, 0.01)] {
        let mut material = damped(MaterialModel::StableNeoHookean);
        material.young = young;
        material.stiffness_damping = 10.0 * h;
        let mut model = cantilever(bar([12, 2, 2]), material);
        // in units of the time that the bar swings in
        let time = 1000.0 * h;
        let tip = (0..model.node_count() as u32).filter(|&n| model.rest[n as usize].x > 0.39);
        model.drives.push(Drive {
            name: "load".into(),
            action: Action::Force {
                nodes: tip.collect(),
                force: vec3(0.0, 0.0, -1.2e-5 * young),
                profile: Profile::Keyframes {
                    keys: vec![(0.5 * time, 0.0), (time, 1.0)],
                    smooth: false,
                },
            },
        });
        let mut settings = Settings { h, ..settings(0.0) };
        settings.rigidify = RigidifySettings::with_limits(StrainLimits::Error(error));
        let mut full = Simulation::new(model.clone(), settings.clone(), Method::Full).unwrap();
        let mut rigid = Simulation::new(model, settings, Method::Rigidify).unwrap();
        let (mut largest, mut saved) = (0.0f64, 0);
        for _ in 0..1000 {
            full.step().unwrap();
            rigid.step().unwrap();
            let apart = farthest(&full.state().positions, &rigid.state().positions);
            largest = largest.max(apart);
            saved += full.report().active_dofs - rigid.report().active_dofs;
        }
        let asked = error * full.model().diagonal();
        assert!(largest < asked, "{young} {h}: {largest} of {asked}");
        let whole = 1000 * full.report().active_dofs;
        assert!(5 * saved > whole, "{young} {h}: {saved} of {whole}");
    }
}

/// A block falls, comes to rest, is pushed and rests again: it is one clump while it rests and while it falls, elastic in between,
/// and never far from the full solution.
#[test]
fn clumps_come_and_go() {
    let model = dropped(bar([6, 2, 2]), damped(MaterialModel::StableNeoHookean));
    let settings = settings(0.01);
    let mut full = Simulation::new(model.clone(), settings.clone(), Method::Full).unwrap();
    let mut rigid = Simulation::new(model.clone(), settings, Method::Rigidify).unwrap();
    let (mut unknowns, mut error) = (Vec::new(), 0.0f64);
    for _ in 0..400 {
        full.step().unwrap();
        rigid.step().unwrap();
        unknowns.push(rigid.report().active_dofs);
        error = error.max(farthest(&full.state().positions, &rigid.state().positions));
    }
    let all = 3 * model.node_count();
    assert_eq!(unknowns[0], all);
    assert!(
        unknowns[5..9].contains(&6),
        "rigid in free fall: {:?}",
        &unknowns[..12]
    );
    assert!(unknowns[10..40].contains(&all), "elastic when it lands");
    assert!(unknowns[195] <= 6, "rigid at rest");
    assert!(
        unknowns[200..220].iter().any(|&u| u > all / 2),
        "woken by the push"
    );
    assert!(unknowns[399] <= 6, "rigid again");
    assert!(error < 0.01 * 0.42, "{error}");
    assert!(rigid.report().energies.kinetic < 1e-9);
}

/// A block at rest is exactly where it was a step before, and nobody asks what would strain it; a load wakes it all the same, and
/// then the oracle names rates for its elements.
#[test]
fn what_rests_stands_still() {
    let model = dropped(bar([6, 2, 2]), damped(MaterialModel::StableNeoHookean));
    let mut simulation = run(&model, &settings(0.01), Method::Rigidify, 180);
    for _ in 180..195 {
        let before = simulation.state().positions.clone();
        simulation.step().unwrap();
        assert_eq!(simulation.state().positions, before);
        assert!(
            simulation
                .state()
                .velocities
                .iter()
                .all(|v| *v == Vec3::ZERO)
        );
        assert!(simulation.predictions().is_none());
    }
    let mut asked = false;
    for _ in 195..215 {
        simulation.step().unwrap();
        if let Some(rates) = simulation.predictions() {
            asked = true;
            assert_eq!(rates.len(), model.element_count());
            assert!(rates.iter().all(|rate| *rate >= 0.0), "{rates:?}");
        }
    }
    assert!(asked && simulation.report().active_dofs > 6);
}

/// Every material, in space and in the plane.
#[test]
fn any_material_comes_to_rest_as_clumps() {
    use MaterialModel::*;
    let models = [
        StableNeoHookean,
        NeoHookean,
        StVenantKirchhoff,
        Corotated,
        CorotatedFrozen,
        StableNeoHookeanLog,
    ];
    for model in models {
        for mesh in [bar([6, 2, 2]), rectangle()] {
            let clamped = cantilever(mesh, damped(model));
            let full = run(&clamped, &settings(0.01), Method::Full, 300);
            let rigid = run(&clamped, &settings(0.01), Method::Rigidify, 300);
            let unknowns = rigid.report().active_dofs;
            assert!(
                unknowns < 10,
                "{model:?}: {unknowns} of {}",
                full.report().active_dofs
            );
            let error = farthest(&full.state().positions, &rigid.state().positions);
            assert!(error < 0.004 * 0.42, "{model:?}: {error}");
        }
    }
}

/// Everything rigid is the integrator of rigid bodies: a tumbling box with three different moments of inertia.
#[test]
fn all_rigid_is_a_rigid_body() {
    let mesh = generate::bar(vec3(0.4, 0.2, 0.1), [4, 2, 2], generate::Split::Six).unwrap();
    // so stiff that turning does not strain it
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e9, 0.3, 1000.0);
    let spin = vec3(0.3, 4.0, 0.2);
    let model = free_body(
        mesh.clone(),
        material.clone(),
        vec3(0.1, 0.0, 0.0),
        spin,
        Vec3::ZERO,
    );
    let mut settings = settings(0.01);
    settings.rigidify.limits = StrainLimits::Rates(StrainRates {
        rigid_below: f64::INFINITY,
        elastic_above: f64::INFINITY,
    });
    settings.rigidify.window = 1;
    let mut simulation =
        Simulation::new(model.clone(), settings.clone(), Method::Rigidify).unwrap();
    for _ in 0..2 {
        simulation.step().unwrap();
    }
    assert_eq!(simulation.report().active_dofs, 6);
    let start = simulation.report().clone();

    // a body of the rigid module with the same moments, from the same state
    let (x, v) = (
        &simulation.state().positions,
        &simulation.state().velocities,
    );
    let total: f64 = model.mass.iter().sum();
    let weighted = |f: &[Vec3]| {
        let pairs = f.iter().zip(&model.mass);
        pairs.fold(Vec3::ZERO, |sum, (&f, &m)| sum + f * (m / total))
    };
    let (centre, velocity) = (weighted(x), weighted(v));
    let (mut inertia, mut momentum) = (Mat3::ZERO, Vec3::ZERO);
    for ((&x, &v), &m) in x.iter().zip(v).zip(&model.mass) {
        let arm = x - centre;
        inertia += (Mat3::IDENTITY * arm.norm_squared() - Mat3::outer(arm, arm)) * m;
        momentum += arm.cross(v) * m;
    }
    let body = BodySpecification {
        rigid: Some(Mobility::Free),
        ..BodySpecification::uniform("rigid", mesh, material)
    };
    let mut reference = Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap();
    let rigid = &mut reference.rigid.bodies[0];
    (rigid.mass, rigid.inertia, rigid.centre) = (total, inertia, centre);
    (rigid.velocity, rigid.spin) = (velocity, inertia.inverse().unwrap() * momentum);
    let arms: Vec<Vec3> = x.iter().map(|&x| x - centre).collect();
    let mut other = Simulation::new(reference, settings, Method::Full).unwrap();
    for _ in 0..500 {
        simulation.step().unwrap();
        other.step().unwrap();
        let pose = other.state().rigid.poses[0];
        let carried: Vec<Vec3> = arms
            .iter()
            .map(|&arm| pose.centre + pose.rotation * arm)
            .collect();
        let error = farthest(&carried, &simulation.state().positions);
        assert!(error < 1e-11, "{error:e}");
    }
    let end = simulation.report();
    assert_eq!(end.active_dofs, 6);
    let kept = (end.energies.kinetic / start.energies.kinetic - 1.0).abs();
    assert!(kept < 1e-11, "{kept:e}");
    assert!((end.momentum.linear - start.momentum.linear).norm() < 1e-12);
    assert!((end.momentum.angular - start.momentum.angular).norm() < 1e-11);
}

/// Linear momentum passes every switch (an elastic step does not conserve the angular one exactly; `form` has a test of its own): a free bar that is bent at first rings down, in clumps and out of them.
#[test]
fn momentum_passes_every_switch() {
    let model = free_body(
        bar([8, 2, 2]),
        damped(MaterialModel::StableNeoHookean),
        vec3(0.3, -0.2, 0.1),
        vec3(0.5, 1.0, 2.0),
        Vec3::ZERO,
    );
    let settings = settings(0.02);
    let mut state = model.initial_state();
    let middle = vec3(0.2, 0.05, 0.05);
    for x in &mut state.positions {
        let along = (x.x - middle.x) / 0.2;
        x.z += 0.01 * along * along;
    }
    let mut simulation = Simulation::resume(model, settings, Method::Rigidify, state).unwrap();
    simulation.step().unwrap();
    let start = simulation.report().momentum;
    let mut before = simulation.state().rigidity.clump_of.clone();
    let mut switches = 0;
    for _ in 0..400 {
        simulation.step().unwrap();
        let now = simulation.report().momentum;
        let missing = (now.linear - start.linear).norm() / start.linear.norm();
        assert!(missing < 1e-12, "{missing:e}");
        let clumps = simulation.state().rigidity.clump_of.clone();
        let changed = clumps != before;
        switches += usize::from(changed);
        before = clumps;
    }
    assert!(switches > 2, "{switches}");
    assert_eq!(simulation.report().active_dofs, 6);
}

/// A body that spins fast in free flight stays one clump: neither the spin nor gravity is strain.
#[test]
fn pure_spin_and_fall_are_no_strain() {
    let spin = vec3(0.0, 0.0, 5.0); // about a principal axis: tumbling would strain it
    let mut model = free_body(
        bar([8, 2, 2]),
        damped(MaterialModel::StableNeoHookean),
        Vec3::ZERO,
        spin,
        Vec3::ZERO,
    );
    model.gravity = GRAVITY;
    let mut settings = settings(0.02);
    settings.h = 1e-3;
    let mut simulation = Simulation::new(model, settings, Method::Rigidify).unwrap();
    for step in 0..600 {
        simulation.step().unwrap();
        if step > 300 {
            assert_eq!(simulation.report().active_dofs, 6, "step {step}");
        }
    }
}

/// The same bytes after a resume at any step, and for any number of threads.
#[test]
fn resuming_and_threads_change_nothing() {
    let model = dropped(bar([6, 2, 2]), damped(MaterialModel::StableNeoHookean));
    let mut settings = settings(0.01);
    settings.rigidify.memory = Some(2);
    let whole = run(&model, &settings, Method::Rigidify, 120);
    assert!(
        whole
            .state()
            .rigidity
            .clump_of
            .iter()
            .any(|&c| c != NO_CLUMP)
    );
    for steps in [7, 11, 23, 52, 90] {
        let first = run(&model, &settings, Method::Rigidify, steps);
        let state = first.state().clone();
        let mut second =
            Simulation::resume(model.clone(), settings.clone(), Method::Rigidify, state).unwrap();
        for _ in steps..120 {
            second.step().unwrap();
        }
        assert_eq!(second.state(), whole.state(), "resumed at {steps}");
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let other = pool
            .unwrap()
            .install(|| run(&model, &settings, Method::Rigidify, 120));
        assert_eq!(other.state(), whole.state());
    }
}

/// Penalties, and conjugate gradients that stop early, on the mixed system.
#[test]
fn penalties_and_early_cg_work_with_clumps() {
    let mut model = dropped(bar([6, 2, 2]), damped(MaterialModel::StableNeoHookean));
    model.contact.response = Response::Penalty;
    model.contact.stiffness = 20.0;
    let mut iterative = settings(0.01);
    iterative.early_cg = EarlyCgSettings {
        budget: 60,
        tolerance: 1e-6,
        ..EarlyCgSettings::default()
    };
    iterative.rigidify.early_cg = true;
    for settings in [settings(0.01), iterative] {
        let full = run(&model, &settings, Method::Full, 190);
        let rigid = run(&model, &settings, Method::Rigidify, 190);
        assert!(rigid.report().active_dofs < 3 * model.node_count() / 2);
        let error = farthest(&full.state().positions, &rigid.state().positions);
        assert!(error < 0.01 * 0.42, "{error}");
    }
}

/// Newton's integrators are refused in words.
/// Friction that filters velocities reaches a body that rests on nodes of its clump: it is pushed along by twice what friction holds, and
/// stops as with `full`.
#[test]
fn friction_filters_reach_what_is_rigid() {
    const PUSH: [f64; 3] = [6.0, 0.0, 0.0];
    let mesh = generate::bar(vec3(0.4, 0.4, 0.2), [4, 4, 2], generate::Split::Six).unwrap();
    let nodes: Vec<u32> = (0..mesh.node_count() as u32).collect();
    let push = |axis: usize| Profile::Keyframes {
        keys: vec![
            (0.5, 0.0),
            (0.51, PUSH[axis]),
            (0.6, PUSH[axis]),
            (0.61, 0.0),
        ],
        smooth: false,
    };
    let drive = Drive {
        name: "push".into(),
        action: Action::Accelerate {
            nodes,
            acceleration: [push(0), push(1), push(2)],
        },
    };
    let body = BodySpecification::uniform("block", mesh, damped(MaterialModel::StableNeoHookean));
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: Vec3::ZERO,
            normal: vec3(0.0, 0.0, 1.0),
        },
        friction: None,
        motion: None,
    };
    let contact = ContactModel {
        enabled: true,
        response: Response::Penalty,
        penalty_friction: PenaltyFriction::Filter,
        friction: 0.3,
        obstacles: vec![floor],
        ..ContactModel::default()
    };
    let model = Model::build(vec![body], vec![drive], GRAVITY).unwrap();
    let model = model.with_contact(contact).unwrap();
    let slid = |method: Method| {
        let rested = run(&model, &settings(0.01), method, 95);
        let end = run(&model, &settings(0.01), method, 300);
        let moved = end.report().momentum.centre - rested.report().momentum.centre;
        let rigid = rested.state().rigidity.clump_of.iter();
        let rigid = rigid.filter(|&&clump| clump != NO_CLUMP).count();
        (moved.x, end.report().momentum.linear.x.abs(), rigid)
    };
    let (full, rigidify) = (slid(Method::Full), slid(Method::Rigidify));
    assert!(rigidify.2 > 0, "some of it is rigid while it rests");
    assert!(full.0 > 0.01 && full.1 < 1e-3, "{full:?}");
    assert!(
        (rigidify.0 / full.0 - 1.0).abs() < 0.05,
        "{rigidify:?} {full:?}"
    );
    assert!(rigidify.1 < 1e-3, "{rigidify:?}");
}

#[test]
fn other_integrators_are_refused() {
    let settings = Settings {
        integrator: Integrator::ImplicitEuler,
        max_halvings: 0,
        ..settings(0.01)
    };
    let model = cantilever(bar([4, 1, 1]), soft(MaterialModel::StableNeoHookean));
    let mut simulation = Simulation::new(model, settings, Method::Rigidify).unwrap();
    let error = simulation.step().unwrap_err().to_string();
    assert!(error.contains("linear-implicit"), "{error}");
}

/// Reactions of a pinned clump carry the weight, and what is released falls.
#[test]
fn pins_carry_and_let_go() {
    let mesh = bar([6, 2, 2]);
    let material = damped(MaterialModel::StableNeoHookean);
    let mut clamp = fix(left_end(&mesh));
    if let Action::Prescribe { release, .. } = &mut clamp.action {
        *release = Some(2.0);
    }
    let body = BodySpecification::uniform("bar", mesh, material);
    let model = Model::build(vec![body], vec![clamp], GRAVITY).unwrap();
    let mut simulation = run(&model, &settings(0.01), Method::Rigidify, 390);
    assert_eq!(simulation.report().active_dofs, 0);
    let weight = model.mass.iter().sum::<f64>() * 9.81;
    let reaction = simulation.report().reactions[0];
    assert!(
        (reaction.z / weight - 1.0).abs() < 0.01,
        "{reaction:?} for {weight}"
    );
    for _ in 0..30 {
        simulation.step().unwrap();
    }
    let expected = -9.81 * 19.0 * 5e-3;
    let fall = simulation.report().momentum.linear.z / model.mass.iter().sum::<f64>();
    assert!(
        (fall / expected - 1.0).abs() < 0.06,
        "{fall} for {expected}"
    );
}
