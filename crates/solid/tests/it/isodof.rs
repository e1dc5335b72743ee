//! The method `isodof`: variants agree, a lagging factor changes nothing that it should not, results repeat.

use crate::common::{GRAVITY, distance, settings};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::joint::{Anchor, Joint, JointKind};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::rigid::Mobility;
use pliant_solid::settings::{Integrator, IsodofSettings, LaggedSettings, Settings, Variant};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;

const LINEAR: Integrator = Integrator::LinearImplicit { beta: 1.0 };

fn cube(size: f64, cells: usize, at: Vec3) -> Mesh {
    let size = vec3(size, size, size);
    let mut mesh = generate::bar(size, [cells; 3], generate::Split::Six).unwrap();
    mesh.positions.iter_mut().for_each(|x| *x += at);
    mesh
}

fn soft(name: &str, mesh: Mesh, model: MaterialModel) -> BodySpecification {
    let mut material = MaterialSpecification::new(model, 4e4, 0.4, 1000.0);
    material.stiffness_damping = 2e-3;
    BodySpecification::uniform(name, mesh, material)
}

/// Two soft cubes and a rigid one, stacked askew on a floor, with friction.
fn pile(material: MaterialModel) -> Model {
    let bodies = vec![
        soft("low", cube(0.1, 4, vec3(0.0, 0.0, 0.001)), material),
        soft("high", cube(0.1, 3, vec3(0.02, 0.015, 0.102)), material),
        BodySpecification {
            rigid: Some(Mobility::Free),
            ..soft("rigid", cube(0.06, 2, vec3(0.05, 0.05, 0.203)), material)
        },
    ];
    on_floor(bodies)
}

/// Bodies above a floor, with friction.
fn on_floor(bodies: Vec<BodySpecification>) -> Model {
    let mut contact = ContactModel {
        enabled: true,
        friction: 0.4,
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
    contact.constraint.solver.tolerance = 1e-11;
    contact.constraint.solver.max_iterations = 5000;
    let model = Model::build(bodies, vec![], GRAVITY).unwrap();
    model.with_contact(contact).unwrap()
}

fn isodof(variant: Variant, factor: LaggedSettings) -> Settings {
    Settings {
        isodof: IsodofSettings {
            variant,
            factor,
            foresee: true,
            corrections: 0,
        },
        ..settings(LINEAR)
    }
}

fn resume(model: &Model, settings: Settings, state: &State) -> Simulation {
    Simulation::resume(model.clone(), settings, Method::Isodof, state.clone()).unwrap()
}

/// Largest difference of constraint forces, as a share of the largest force.
fn force_difference(a: &State, b: &State) -> f64 {
    let (a, b) = (&a.constraint_forces, &b.constraint_forces);
    let size = a.iter().map(|r| r.force.norm()).fold(0.0, f64::max);
    let of = |list: &[pliant_solid::constraint::Remembered], identity| {
        let found = list.binary_search_by_key(identity, |r| r.identity);
        found.map_or(Vec3::ZERO, |at| list[at].force)
    };
    let identities = a.iter().chain(b).map(|r| &r.identity);
    let apart = identities.map(|i| (of(a, i) - of(b, i)).norm());
    apart.fold(0.0, f64::max) / size.max(f64::MIN_POSITIVE)
}

#[test]
fn all_variants_give_the_same_forces() {
    for material in [MaterialModel::Corotated, MaterialModel::StableNeoHookean] {
        let model = pile(material);
        for lag in [0, 3] {
            let exact = LaggedSettings {
                lag: Some(lag),
                refresh_at: 0,
                tolerance: 1e-13,
                ..LaggedSettings::default()
            };
            let mut simulation = resume(
                &model,
                isodof(Variant::Reuse, exact),
                &model.initial_state(),
            );
            for step in 0..40 {
                let before = simulation.state().clone();
                simulation.step().unwrap();
                if step % 6 != 3 {
                    continue;
                }
                for variant in Variant::ALL {
                    if variant == Variant::Direct && lag > 0 {
                        continue; // another matrix
                    }
                    let mut other = resume(&model, isodof(variant, exact), &before);
                    other.step().unwrap();
                    let what = format!("{} at lag {lag}, step {step}", variant.name());
                    let apart = force_difference(simulation.state(), other.state());
                    assert!(apart < 1e-9, "{what}: forces {apart:e} apart");
                    let (x, y) = (&simulation.state().positions, &other.state().positions);
                    assert!(distance(x, y) < 1e-12, "{what}");
                    assert!(
                        other.report().constraints > 20,
                        "{what}: hardly any contact"
                    );
                }
            }
        }
    }
}

#[test]
fn thread_counts_and_resuming_within_a_lag_give_the_same_bits() {
    let model = pile(MaterialModel::StableNeoHookean);
    let factor = LaggedSettings {
        lag: Some(4),
        refresh_at: 0,
        ..LaggedSettings::default()
    };
    let settings = || isodof(Variant::Reuse, factor);
    let start = model.initial_state();
    let at = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut simulation = resume(&model, settings(), &start);
            let mut states = Vec::new();
            for _ in 0..30 {
                simulation.step().unwrap();
                states.push(simulation.state().clone());
            }
            states
        })
    };
    let one = at(1);
    assert!(one == at(2), "two threads");
    let mut waiting = 0;
    for from in [13, 14, 15, 16, 17] {
        let saved = &one[from];
        waiting += usize::from(saved.factors[0].coming.as_ref().is_some_and(|c| c.due > 1));
        let mut resumed = resume(&model, settings(), saved);
        for state in &one[from + 1..] {
            resumed.step().unwrap();
            assert!(resumed.state() == state, "from {from}: step {}", state.step);
        }
    }
    assert!(waiting > 1, "never saved in the middle of a lag");
}

#[test]
fn prefetching_and_keeping_columns_change_no_bit() {
    let model = pile(MaterialModel::Corotated);
    let run = |prefetch: bool, kept_nodes: usize| {
        let factor = LaggedSettings {
            lag: Some(3),
            refresh_at: 0,
            prefetch,
            kept_nodes,
            ..LaggedSettings::default()
        };
        let mut simulation = resume(
            &model,
            isodof(Variant::Reuse, factor),
            &model.initial_state(),
        );
        let (mut touched, mut solved) = (0, 0);
        for _ in 0..30 {
            let report = simulation.step().unwrap();
            touched += report.isolated.touched;
            solved += report.isolated.solved;
        }
        (simulation.state().positions.clone(), touched, solved)
    };
    let (positions, touched, solved) = run(true, 4000);
    assert!(solved * 5 < touched, "{solved} of {touched} solved");
    let (without, _, more) = run(false, 4000);
    assert!(more > solved);
    assert!(positions == without);
    let (scarce, _, most) = run(false, 8);
    assert!(most >= more);
    assert!(positions == scarce);
}

/// A bar that spins about its middle in free flight.
fn spinning(model: MaterialModel) -> Model {
    let size = vec3(0.4, 0.1, 0.1);
    let mesh = generate::bar(size, [12, 3, 3], generate::Split::Six).unwrap();
    let body = BodySpecification {
        spin: vec3(0.3, 0.2, 6.0),
        ..soft("bar", mesh, model)
    };
    Model::build(vec![body], vec![], Vec3::ZERO).unwrap()
}

#[test]
fn a_factor_that_turns_survives_large_rotations() {
    for material in [MaterialModel::Corotated, MaterialModel::StableNeoHookean] {
        let model = spinning(material);
        let most = |warp: bool| {
            let factor = LaggedSettings {
                warp,
                refresh_at: u32::MAX, // the first factor for the whole run
                ..LaggedSettings::default()
            };
            let start = model.initial_state();
            let mut simulation = resume(&model, isodof(Variant::Reuse, factor), &start);
            let mut most = 0;
            for step in 0..200 {
                let report = simulation.step().unwrap();
                assert!(report.solve.converged);
                assert_eq!(report.factor.age, step);
                most = most.max(report.solve.iterations);
            }
            most
        };
        let (turned, stiff) = (most(true), most(false));
        assert!(turned <= 6, "{material:?}: {turned} iterations");
        assert!(stiff > 4 * turned, "{material:?}: {stiff} without turning");
    }
}

#[test]
fn a_lagging_factor_converges_to_the_full_solution() {
    let mut model = pile(MaterialModel::StableNeoHookean);
    model.contact.constraint.all_near = true; // else those that hardly close may stay out
    let run = |method: Method, corrections: u32, tolerance: f64, delay_tolerance: f64, foresee| {
        let mut settings = isodof(
            Variant::Reuse,
            LaggedSettings {
                lag: Some(4),
                tolerance,
                delay_tolerance,
                refresh_at: 0,
                ..LaggedSettings::default()
            },
        );
        settings.isodof.corrections = corrections;
        settings.isodof.foresee = foresee;
        let mut simulation = Simulation::new(model.clone(), settings, method).unwrap();
        let mut worst = 0.0f64;
        for _ in 0..60 {
            let report = simulation.step().unwrap();
            worst = worst.max(report.delay_residual);
        }
        (simulation.state().positions.clone(), worst)
    };
    let (full, _) = run(Method::Full, 0, 1e-5, 0.0, false);
    let away = |corrections, tolerance, delay_tolerance, foresee| {
        let method = Method::Isodof;
        let (x, worst) = run(method, corrections, tolerance, delay_tolerance, foresee);
        let apart = distance(&x, &full);
        eprintln!(
            "{corrections} corrections to {delay_tolerance}: {worst:e} left, {apart:e} m away"
        );
        (apart, worst)
    };
    let (plain, missing) = away(0, 1e-5, 0.0, false);
    let (one, _) = away(1, 1e-5, 1e-2, false);
    let (usual, rest) = away(2, 1e-5, 1e-2, false);
    let (more, _) = away(4, 1e-5, 1e-3, false);
    let (exact, nothing) = away(8, 1e-11, 0.0, false);
    assert!(missing > 1e-2, "the lag hardly matters: {missing:e}");
    assert!(rest < 0.3 * missing && nothing < 1e-6 * missing);
    assert!(plain < 1e-2 && one < plain, "{one:e} of {plain:e} m");
    assert!(
        usual < 0.3 * plain && more < 0.1 * plain,
        "{usual:e}, {more:e} of {plain:e} m"
    );
    assert!(exact < 1e-6 * plain, "{exact:e} of {plain:e} m");

    // with the impulses of the step before, only their change is left to the old factor
    let (foreseen, left) = away(0, 1e-5, 0.0, true);
    assert!(foreseen < 0.1 * plain && left < 0.2 * missing, "{left:e}");
    let (exact, nothing) = away(8, 1e-11, 0.0, true);
    assert!(
        exact < 1e-6 * plain && nothing < 1e-6 * missing,
        "{exact:e}"
    );
}

#[test]
fn the_lag_shortens_when_iterations_rise() {
    // a blow: stiffness damping and strain change from one step to the next
    let model = {
        let mut bodies = vec![soft(
            "bar",
            cube(0.1, 4, Vec3::ZERO),
            MaterialModel::StableNeoHookean,
        )];
        bodies[0].spin = vec3(40.0, 25.0, 10.0);
        Model::build(bodies, vec![], Vec3::ZERO).unwrap()
    };
    let factor = LaggedSettings {
        lag: Some(12),
        warp: false,
        refresh_at: 0,
        ..LaggedSettings::default()
    };
    let mut simulation = resume(
        &model,
        isodof(Variant::Reuse, factor),
        &model.initial_state(),
    );
    let (mut oldest, mut shortest) = (0, u32::MAX);
    for _ in 0..80 {
        let report = simulation.step().unwrap();
        oldest = oldest.max(report.factor.age);
        shortest = shortest.min(simulation.state().factors[0].lag);
    }
    assert!(shortest <= 3, "the lag stayed at {shortest} and more");
    assert!(oldest < 24, "a factor was {oldest} steps old");
}

#[test]
fn a_new_step_length_or_pattern_begins_with_its_own_factor() {
    let model = pile(MaterialModel::Corotated);
    let settings = isodof(Variant::Reuse, LaggedSettings::default());
    let mut simulation = resume(&model, settings.clone(), &model.initial_state());
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let shorter = Settings {
        h: 1e-3,
        ..settings
    };
    let mut other = resume(&model, shorter, simulation.state());
    let report = other.step().unwrap();
    assert_eq!((report.factor.age, report.factor.arrived), (0, 2));
    assert!(report.solve.iterations <= 3);
}

#[test]
fn newton_and_joints_work_with_a_lagging_factor() {
    let turn = Mat3::rotation(vec3(0.0, 1.0, 0.0), 0.3);
    let mut mesh = cube(0.1, 3, vec3(0.0, 0.0, 0.3));
    mesh.positions.iter_mut().for_each(|x| *x = turn * *x);
    let anchor = mesh.positions[0];
    let build = || {
        let body = soft("cube", mesh.clone(), MaterialModel::StableNeoHookean);
        let pin = JointKind::Attachment {
            pairs: vec![[Anchor::Node(0), Anchor::fixed(anchor)]],
        };
        let joint = Joint::new("pin", pin);
        let model = Model::build(vec![body], vec![], GRAVITY).unwrap();
        model.with_joints(vec![joint]).unwrap()
    };
    let run = |method: Method, integrator: Integrator| {
        let settings = Settings {
            integrator,
            ..isodof(Variant::Reuse, LaggedSettings::default())
        };
        let mut simulation = Simulation::new(build(), settings, method).unwrap();
        for _ in 0..60 {
            simulation.step().unwrap();
        }
        simulation.state().positions.clone()
    };
    let newton = Integrator::ImplicitEuler;
    let (a, b) = (run(Method::Isodof, newton), run(Method::Full, newton));
    assert!(distance(&a, &b) < 1e-6, "{:e}", distance(&a, &b));
    let x = run(Method::Isodof, LINEAR);
    assert!((x[0] - anchor).norm() < 1e-9, "the joint came off");
}

/// Positions after some steps of `full` and of `isodof`, largest distance.
fn apart(model: &Model, settings: &Settings, steps: usize) -> f64 {
    let run = |method: Method| {
        let mut simulation = Simulation::new(model.clone(), settings.clone(), method).unwrap();
        for _ in 0..steps {
            assert!(simulation.step().unwrap().solve.converged);
        }
        simulation.state().positions.clone()
    };
    distance(&run(Method::Isodof), &run(Method::Full))
}

fn tight() -> LaggedSettings {
    LaggedSettings {
        tolerance: 1e-11,
        ..LaggedSettings::default()
    }
}

#[test]
fn rollers_that_are_released_planar_bodies_and_statics_follow_the_full_solution() {
    // same pattern before and after, another matrix
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [8, 2, 2], generate::Split::Six).unwrap();
    let end = |x: f64| {
        let near = move |p: &Vec3| (p.x - x).abs() < 1e-9;
        let nodes = mesh.positions.iter().enumerate();
        let nodes = nodes.filter(|(_, p)| near(p)).map(|(i, _)| i as u32);
        nodes.collect::<Vec<u32>>()
    };
    let hold = |nodes: Vec<u32>, axes: [bool; 3], release: Option<f64>| Drive {
        name: "hold".into(),
        action: Action::Prescribe {
            nodes,
            axes,
            motion: Motion::default(),
            release,
        },
    };
    let roller = |release: Option<f64>| {
        let body = soft("bar", mesh.clone(), MaterialModel::StableNeoHookean);
        let drives = vec![
            hold(end(0.0), [true; 3], None),
            hold(end(0.4), [false, false, true], release),
        ];
        Model::build(vec![body], drives, GRAVITY).unwrap()
    };
    let linear = isodof(Variant::Reuse, tight());
    let released = roller(Some(0.1));
    let distance = apart(&released, &linear, 60);
    assert!(distance < 1e-8, "released: {distance:e}");

    let planar = {
        let plate = generate::rectangle([0.4, 0.1], [16, 4], Default::default()).unwrap();
        let clamped = (0..plate.positions.len() as u32)
            .filter(|&i| plate.positions[i as usize].x < 1e-9)
            .collect();
        let body = soft("plate", plate, MaterialModel::Corotated);
        let drives = vec![hold(clamped, [true; 3], None)];
        Model::build(vec![body], drives, vec3(0.0, -9.81, 0.0)).unwrap()
    };
    let distance = apart(&planar, &linear, 80);
    assert!(distance < 1e-8, "planar: {distance:e}");

    for integrator in [Integrator::QuasiStatic, Integrator::Bdf2] {
        let settings = Settings {
            integrator,
            ..linear.clone()
        };
        let distance = apart(&roller(None), &settings, 12);
        assert!(distance < 1e-7, "{integrator:?}: {distance:e}");
    }
}

#[test]
fn running_free_stays_near_the_lock_step() {
    let model = pile(MaterialModel::Corotated);
    let run = |free_running: bool| {
        let factor = LaggedSettings {
            free_running,
            refresh_at: 0,
            ..LaggedSettings::default()
        };
        let start = model.initial_state();
        let mut simulation = resume(&model, isodof(Variant::Reuse, factor), &start);
        simulation_steps(&mut simulation, 40);
        simulation.state().positions.clone()
    };
    let distance = distance(&run(true), &run(false));
    assert!(distance < 0.01, "{distance:e} m");
}

fn simulation_steps(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        assert!(simulation.step().unwrap().solve.converged);
    }
}

#[test]
fn a_step_in_halves_within_a_lag_repeats() {
    // a shorter step in between has its own factor, and the next long one again
    let model = pile(MaterialModel::StableNeoHookean);
    let settings = isodof(Variant::Reuse, LaggedSettings::default());
    let run = || {
        let mut simulation = resume(&model, settings.clone(), &model.initial_state());
        simulation_steps(&mut simulation, 9);
        let shorter = Settings {
            h: 0.5 * settings.h,
            ..settings.clone()
        };
        let mut halves = resume(&model, shorter, simulation.state());
        simulation_steps(&mut halves, 2);
        *simulation.state_mut() = halves.state().clone();
        simulation_steps(&mut simulation, 9);
        simulation.state().clone()
    };
    assert!(run() == run());
}

/// A body at rest in space and one that is shaken hard: only the second asks for new factors, and what the first has is its own.
#[test]
fn bodies_get_new_factors_by_themselves() {
    let material = MaterialModel::StableNeoHookean;
    let bodies = vec![
        soft("quiet", cube(0.1, 4, vec3(0.0, 0.0, 0.0)), material),
        soft("shaken", cube(0.1, 3, vec3(1.0, 0.0, 0.0)), material),
    ];
    let (first, count) = (125, 64);
    let shaken = Drive {
        name: "shake".into(),
        action: Action::Force {
            nodes: (first..first + count / 2).collect(),
            force: vec3(20.0, 4.0, 8.0),
            profile: Profile::Constant(1.0),
        },
    };
    let model = Model::build(bodies, vec![shaken], Vec3::ZERO).unwrap();
    let factor = LaggedSettings {
        lag: Some(2),
        ..LaggedSettings::default()
    };
    let settings = isodof(Variant::Reuse, factor);
    let mut simulation = Simulation::new(model, settings, Method::Isodof).unwrap();
    let mut renewed = 0;
    for step in 0..60 {
        renewed += simulation.step().unwrap().factor.arrived;
        let [quiet, shaken] = &simulation.state().factors[..] else {
            panic!("one memory a body");
        };
        assert_eq!(quiet.age, step, "its first factor still stands");
        assert!(quiet.coming.is_none() && quiet.iterations == 0);
        assert!(shaken.age <= quiet.age);
    }
    assert!(renewed > 3, "{renewed}");
}

/// Whether a light body is corrected does not depend on a heavy one that rests elsewhere.
#[test]
fn a_heavy_neighbour_hides_no_delay() {
    let material = MaterialModel::StableNeoHookean;
    let light = || {
        let mut mesh = cube(0.1, 3, Vec3::ZERO);
        let (sin, cos) = 0.4f64.sin_cos(); // falls on an edge
        let turned = |x: Vec3| vec3(cos * x.x + sin * x.z, x.y, cos * x.z - sin * x.x + 0.1);
        mesh.positions.iter_mut().for_each(|x| *x = turned(*x));
        soft("light", mesh, material)
    };
    let mut heavy = MaterialSpecification::new(material, 4e8, 0.4, 1e6);
    heavy.stiffness_damping = 2e-3;
    let heavy = BodySpecification::uniform("heavy", cube(0.1, 3, vec3(5.0, 0.0, 0.0)), heavy);
    let factor = LaggedSettings {
        lag: Some(4),
        ..LaggedSettings::default()
    };
    let run = |bodies: Vec<BodySpecification>, corrections| {
        let mut settings = isodof(Variant::Reuse, factor);
        settings.isodof.corrections = corrections;
        let model = on_floor(bodies);
        let mut simulation = Simulation::new(model, settings, Method::Isodof).unwrap();
        for _ in 0..60 {
            simulation.step().unwrap();
        }
        simulation.state().positions[..64].to_vec()
    };
    let alone = run(vec![light()], 2);
    let together = run(vec![light(), heavy], 2);
    let uncorrected = run(vec![light()], 0);
    let effect = distance(&alone, &uncorrected);
    let apart = distance(&alone, &together);
    assert!(effect > 1e-5, "nothing to correct: {effect:e} m");
    assert!(apart < 1e-2 * effect, "{apart:e} of {effect:e} m");
}
