//! Early-terminated conjugate gradients: iterates, limits, momentum, robustness (METHODS ET-01 to ET-12).

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::material::{FibreKind, FibreSpecification, MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{
    EarlyCgSettings, Guess, Integrator, PreconditionerChoice, Product, Settings, Unknown,
};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;

const PRODUCTS: [Product; 2] = [Product::Assembled, Product::MatrixFree];

fn settings(early_cg: EarlyCgSettings) -> Settings {
    Settings {
        h: EarlyCgSettings::STEP,
        early_cg,
        ..Settings::default()
    }
}

fn simulation(model: &Model, early_cg: EarlyCgSettings) -> Simulation {
    Simulation::new(model.clone(), settings(early_cg), Method::EarlyCg).unwrap()
}

/// Exactly so many iterations, nothing put right afterwards.
fn truncated(budget: usize) -> EarlyCgSettings {
    EarlyCgSettings {
        budget,
        tolerance: 0.0,
        fresh_factor: 1.0,
        restore_momentum: false,
        ..EarlyCgSettings::default()
    }
}

/// As good as a factorisation.
fn converged() -> EarlyCgSettings {
    EarlyCgSettings {
        budget: 5000,
        tolerance: 1e-14,
        sweeps: 0,
        restore_momentum: false,
        ..EarlyCgSettings::default()
    }
}

fn rubber() -> MaterialSpecification {
    MaterialSpecification {
        stiffness_damping: 5e-3,
        ..soft(MaterialModel::CorotatedFrozen)
    }
}

fn flying(spin: f64, gravity: Vec3) -> Model {
    let mesh = bar([8, 3, 3]);
    free_body(
        mesh,
        rubber(),
        vec3(1.0, 0.5, 2.0),
        vec3(0.3, 1.0, 0.5) * spin,
        gravity,
    )
}

/// A state in the middle of a lively motion.
fn lively(model: &Model) -> State {
    let mut simulation = simulation(model, converged());
    for (i, x) in simulation.state_mut().positions.iter_mut().enumerate() {
        let s = i as f64;
        *x += vec3((1.3 * s).sin(), (2.1 * s).cos(), (0.7 * s).sin()) * 2e-3;
    }
    for _ in 0..8 {
        simulation.step().unwrap();
    }
    simulation.state().clone()
}

/// The velocity after one step of so many iterations.
fn step_from(model: &Model, state: &State, early_cg: EarlyCgSettings) -> Simulation {
    let settings = settings(early_cg);
    let mut simulation =
        Simulation::resume(model.clone(), settings, Method::EarlyCg, state.clone()).unwrap();
    simulation.step().unwrap();
    simulation
}

#[test]
fn the_increment_has_the_same_iterates_as_the_velocity() {
    // ET-06
    let model = flying(8.0, GRAVITY);
    let state = lively(&model);
    for product in PRODUCTS {
        for budget in 1..=15 {
            let velocities = [Unknown::Velocity, Unknown::Increment].map(|unknown| {
                let early_cg = EarlyCgSettings {
                    unknown,
                    product,
                    ..truncated(budget)
                };
                step_from(&model, &state, early_cg)
                    .state()
                    .velocities
                    .clone()
            });
            let apart = distance(&velocities[0], &velocities[1]);
            assert!(apart < 1e-11, "{product:?}, iteration {budget}: {apart:e}");
            if budget == 1 {
                let two = step_from(&model, &state, truncated(2));
                assert!(distance(&velocities[0], &two.state().velocities) > 1e-4);
            }
        }
    }
}

#[test]
fn from_zero_with_the_mass_as_preconditioner_energy_only_grows() {
    // the M-norm of the iterates is monotone, so that stopping early can only take energy out
    let model = flying(8.0, GRAVITY);
    let state = lively(&model);
    let mut last = 0.0;
    let mut first = None;
    for budget in 1..=60 {
        let early_cg = EarlyCgSettings {
            guess: Guess::ZERO,
            preconditioner: PreconditionerChoice::Mass,
            ..truncated(budget)
        };
        let kinetic = step_from(&model, &state, early_cg)
            .report()
            .energies
            .kinetic;
        assert!(
            kinetic >= last * (1.0 - 1e-12),
            "iteration {budget}: {kinetic} after {last}"
        );
        last = kinetic;
        first.get_or_insert(kinetic);
    }
    assert!(first.unwrap() < 0.9 * last, "one iteration loses energy");
}

/// Two bodies of several materials, one held and driven, one free; springs, a floor, contact between them.
fn crowded() -> Model {
    let mut fibrous = soft(MaterialModel::StableNeoHookean);
    fibrous.fibre = Some(FibreSpecification {
        kind: FibreKind::Fung,
        modulus: 2e4,
        exponent: 1.0,
        active_modulus: 2e4,
        active_length: 0.8,
        activation: Profile::Constant(0.7),
    });
    fibrous.stiffness_damping = 2e-3;
    let mut damped = rubber();
    damped.mass_damping = 0.5;
    let held = bar([8, 2, 2]);
    let count = held.element_count();
    let held = BodySpecification {
        materials: vec![damped, fibrous, soft(MaterialModel::Corotated)],
        material_of: (0..count as u32).map(|e| (e / 16) % 3).collect(),
        fibres: vec![vec3(1.0, 0.0, 0.0); count],
        ..BodySpecification::uniform("held", held, rubber())
    };
    let mut ball = generate::ball(0.06, 2).unwrap();
    for x in &mut ball.positions {
        *x += vec3(0.33, 0.05, 0.155);
    }
    let first_free = held.mesh.node_count() as u32;
    let turn = Turn {
        axis: vec3(1.0, 0.0, 0.0),
        centre: vec3(0.0, 0.05, 0.05),
        angle: Profile::Keyframes {
            keys: vec![(0.0, 0.0), (0.2, 1.0)],
            smooth: true,
        },
    };
    let motion = Motion {
        rotation: Some(turn),
        ..Motion::default()
    };
    let spring = Drive {
        name: "pull".into(),
        action: Action::Spring {
            nodes: vec![first_free, first_free + 7],
            motion: Motion::default(),
            stiffness: 30.0,
            damping: 0.1,
            from: 0.0,
            until: 0.1,
        },
    };
    let drives = vec![prescribe(left_end(&held.mesh), [true; 3], motion), spring];
    let falling = BodySpecification {
        velocity: vec3(0.0, 0.0, -2.0),
        ..BodySpecification::uniform("ball", ball, rubber())
    };
    let contact = ContactModel {
        enabled: true,
        obstacles: vec![Obstacle {
            name: "floor".into(),
            shape: Shape::HalfSpace {
                point: vec3(0.0, 0.0, -0.01),
                normal: vec3(0.0, 0.0, 1.0),
            },
            friction: Some(0.4),
            motion: None,
        }],
        damping: 1e-3,
        ..ContactModel::penalty()
    };
    let model = Model::build(vec![held, falling], drives, GRAVITY).unwrap();
    model.with_contact(contact).unwrap()
}

#[test]
fn without_a_limit_it_is_the_direct_solver() {
    for product in PRODUCTS {
        let model = crowded();
        let early_cg = EarlyCgSettings {
            product,
            ..converged()
        };
        let mut early = simulation(&model, early_cg);
        let mut full =
            Simulation::new(model, settings(EarlyCgSettings::default()), Method::Full).unwrap();
        let mut touched = 0;
        for _ in 0..40 {
            touched += early.step().unwrap().contacts;
            full.step().unwrap();
        }
        assert!(touched > 20, "ball, bar and floor touch");
        let apart = distance(&early.state().positions, &full.state().positions);
        assert!(apart < 1e-8, "{product:?}: {apart:e}");
        let (a, b) = (early.report(), full.report());
        assert!((a.energies.contact_work - b.energies.contact_work).abs() < 1e-6);
        for (a, b) in a.reactions.iter().zip(&b.reactions) {
            assert!((*a - *b).norm() < 1e-5, "{a:?} {b:?}");
        }
    }
}

#[test]
fn every_material_integrator_and_dimension_converges_to_the_direct_solver() {
    let integrators = [
        Integrator::LinearImplicit { beta: 0.6 },
        Integrator::ImplicitEuler,
        Integrator::Bdf2,
        Integrator::QuasiStatic,
    ];
    for (k, material) in MaterialModel::ALL.into_iter().enumerate() {
        let integrator = integrators[k % integrators.len()];
        if material == MaterialModel::CorotatedFrozen && integrator == Integrator::ImplicitEuler {
            continue; // its tangent is not the Hessian: Newton's method is for the others
        }
        for mesh in [bar([6, 2, 2]), rectangle()] {
            let model = cantilever(mesh, soft(material));
            let settings = Settings {
                integrator,
                early_cg: converged(),
                ..Settings::default()
            };
            let run = |method| {
                let mut simulation =
                    Simulation::new(model.clone(), settings.clone(), method).unwrap();
                for _ in 0..4 {
                    simulation.step().unwrap();
                }
                simulation.state().positions.clone()
            };
            let apart = distance(&run(Method::EarlyCg), &run(Method::Full));
            assert!(apart < 1e-8, "{material:?} {integrator:?}: {apart:e}");
        }
    }
}

/// Linear and angular momentum over all steps, compared with what gravity leaves of them.
fn momentum_error(model: &Model, early_cg: EarlyCgSettings, steps: usize) -> [f64; 2] {
    let mut simulation = simulation(model, early_cg);
    let mass: f64 = model.mass.iter().sum();
    let h = EarlyCgSettings::STEP;
    let momenta = |state: &State| {
        let parts = state
            .positions
            .iter()
            .zip(&state.velocities)
            .zip(&model.mass);
        parts.fold([Vec3::ZERO; 2], |[p, l], ((x, v), m)| {
            [p + *v * *m, l + x.cross(*v) * *m]
        })
    };
    let [mut linear, mut angular] = momenta(simulation.state());
    let sizes = [linear.norm(), angular.norm()];
    let mut worst = [0.0_f64; 2];
    for _ in 0..steps {
        let x = &simulation.state().positions;
        let centre = x
            .iter()
            .zip(&model.mass)
            .fold(Vec3::ZERO, |c, (x, m)| c + *x * (*m / mass));
        linear += model.gravity * (mass * h);
        angular += centre.cross(model.gravity) * (mass * h);
        simulation.step().unwrap();
        let [p, l] = momenta(simulation.state());
        worst[0] = worst[0].max((p - linear).norm() / sizes[0]);
        worst[1] = worst[1].max((l - angular).norm() / sizes[1]);
    }
    worst
}

#[test]
fn truncated_solves_conserve_momentum() {
    for gravity in [Vec3::ZERO, GRAVITY] {
        let model = flying(6.0, gravity);
        for budget in [1, 3, 10] {
            for guess in [Guess::ZERO, Guess::VELOCITY, Guess::blend(0.5)] {
                if guess.force > 0.0 && budget < 10 {
                    continue; // unstable, as [DB19] found
                }
                let restored = EarlyCgSettings {
                    guess,
                    restore_momentum: true,
                    ..truncated(budget)
                };
                let error = momentum_error(&model, restored, 50);
                assert!(
                    error[0] < 1e-12 && error[1] < 1e-12,
                    "{budget} {guess:?}: {error:?}"
                );
            }
        }
        let error = momentum_error(&model, truncated(3), 50);
        assert!(error[1] > 1e-6, "not by itself: {error:?}");
    }
    // in the plane
    let mesh = rectangle();
    let model = free_body(
        mesh,
        rubber(),
        vec3(1.0, -0.5, 0.0),
        vec3(0.0, 0.0, 5.0),
        Vec3::ZERO,
    );
    let restored = EarlyCgSettings {
        restore_momentum: true,
        ..truncated(2)
    };
    let error = momentum_error(&model, restored, 50);
    assert!(error[0] < 1e-12 && error[1] < 1e-12, "{error:?}");
}

#[test]
fn converged_solves_conserve_momentum_too() {
    // a linearised step by itself does not: this is the spin of a soft box
    let mesh = generate::bar(vec3(0.1, 0.1, 0.3), [2, 2, 6], generate::Split::Six).unwrap();
    let spin = vec3(0.0, 0.0, 10.0);
    let material = soft(MaterialModel::StableNeoHookean);
    let model = free_body(mesh, material, vec3(0.3, 0.0, 0.0), spin, Vec3::ZERO);
    for restore_momentum in [true, false] {
        let early_cg = EarlyCgSettings {
            restore_momentum,
            ..converged()
        };
        let error = momentum_error(&model, early_cg, 50);
        assert!(error[0] < 1e-12);
        assert_eq!(error[1] < 1e-12, restore_momentum, "{error:?}");
    }
}

#[test]
fn friction_of_new_contacts_stays_within_coulomb_s_bound() {
    // a stiff box lands on the floor at speed: friction may take µ times what the floor pushes
    let mesh = generate::bar(vec3(0.3, 0.3, 0.1), [4, 4, 2], generate::Split::Six).unwrap();
    let material = MaterialSpecification {
        stiffness_damping: 5e-3,
        ..MaterialSpecification::new(MaterialModel::CorotatedFrozen, 1e8, 0.35, 1000.0)
    };
    let body = BodySpecification {
        velocity: vec3(2.0, 0.0, 0.0),
        ..BodySpecification::uniform("box", mesh, material)
    };
    let floor = Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, 0.0),
            normal: vec3(0.0, 0.0, 1.0),
        },
        friction: Some(0.1),
        motion: None,
    };
    let contact = ContactModel {
        obstacles: vec![floor],
        ..ContactModel::penalty()
    };
    let model = Model::build(vec![body], vec![], GRAVITY).unwrap();
    let model = model.with_contact(contact).unwrap();
    let mut run = simulation(&model, converged());
    let steps = 150;
    for _ in 0..steps {
        run.step().unwrap();
    }
    let mass: f64 = model.mass.iter().sum();
    let speed = run.report().momentum.linear.x / mass;
    let expected = 2.0 - 0.1 * 9.81; // µ g for one second
    assert!(
        (speed - expected).abs() < 0.1,
        "{speed} m/s instead of {expected}"
    );
}

/// Two balls that meet, one heavier.
fn colliding() -> Model {
    let ball = |x: f64, speed: f64, density: f64| {
        let mut mesh = generate::ball(0.1, 2).unwrap();
        for node in &mut mesh.positions {
            *node += vec3(x, 0.2 * x, 0.03);
        }
        let material = MaterialSpecification {
            density,
            ..rubber()
        };
        BodySpecification {
            velocity: vec3(speed, 0.0, 0.0),
            ..BodySpecification::uniform(format!("ball at {x}"), mesh, material)
        }
    };
    let bodies = vec![ball(-0.12, 1.5, 1000.0), ball(0.12, -1.0, 2000.0)];
    let contact = ContactModel {
        enabled: true,
        friction: 0.6,
        ..ContactModel::penalty()
    };
    let model = Model::build(bodies, vec![], Vec3::ZERO).unwrap();
    model.with_contact(contact).unwrap()
}

#[test]
fn collisions_conserve_momentum() {
    let model = colliding();
    for budget in [2, 5] {
        let early_cg = EarlyCgSettings {
            restore_momentum: true,
            ..truncated(budget)
        };
        let error = momentum_error(&model, early_cg, 40);
        assert!(error[0] < 1e-12 && error[1] < 1e-10, "{budget}: {error:?}");
        let mut run = simulation(&model, early_cg);
        for _ in 0..40 {
            run.step().unwrap();
        }
        let split = model.bodies[1].nodes.start;
        assert!(
            run.state().velocities[split..].iter().all(|v| v.x > -0.9),
            "they bounced"
        );
    }
}

#[test]
fn products_with_and_without_a_matrix_agree() {
    let model = crowded();
    let runs = PRODUCTS.map(|product| {
        let early_cg = EarlyCgSettings {
            product,
            ..truncated(4)
        };
        let mut run = simulation(&model, early_cg);
        for _ in 0..25 {
            run.step().unwrap();
        }
        run.state().positions.clone()
    });
    let apart = distance(&runs[0], &runs[1]);
    assert!(apart > 0.0 && apart < 1e-9, "{apart:e}");
}

#[test]
fn bodies_do_not_know_of_each_other() {
    // one PCG per body: a second one far away changes no bit
    let ball = |x: f64| {
        let mut mesh = generate::ball(0.1, 2).unwrap();
        for node in &mut mesh.positions {
            *node += vec3(x, 0.0, 0.0);
        }
        BodySpecification {
            spin: vec3(0.0, 9.0, 2.0),
            ..BodySpecification::uniform(format!("ball at {x}"), mesh, rubber())
        }
    };
    let run = |bodies| {
        let model = Model::build(bodies, vec![], GRAVITY).unwrap();
        let early_cg = EarlyCgSettings {
            energy_tolerance: 0.01,
            ..EarlyCgSettings::default()
        };
        let mut run = simulation(&model, early_cg);
        for _ in 0..20 {
            run.step().unwrap();
        }
        run.state().positions.clone()
    };
    let alone = run(vec![ball(0.0)]);
    let mut far = ball(5.0);
    far.materials[0].young *= 100.0;
    let both = run(vec![ball(0.0), far]);
    // packs follow a curve through the box of all bodies, so sums may round differently
    assert!(distance(&alone, &both[..alone.len()]) < 1e-12);
}

#[test]
fn inverted_elements_survive() {
    let model = flying(0.0, Vec3::ZERO);
    for sweeps in [0, 1] {
        let early_cg = EarlyCgSettings {
            sweeps,
            ..EarlyCgSettings::default()
        };
        let mut run = simulation(&model, early_cg);
        let state = run.state_mut();
        for (i, x) in state.positions.iter_mut().enumerate() {
            // mirrored and shaken: most elements are inside out
            x.x *= -0.6;
            *x += vec3((1.3 * i as f64).sin(), (2.1 * i as f64).cos(), 0.3) * 0.02;
        }
        let inverted = run.step().unwrap().inverted_elements;
        assert!(inverted > 100, "{inverted}");
        for _ in 0..600 {
            run.step().unwrap();
        }
        let report = run.report();
        assert_eq!((report.inverted_elements, report.halvings), (0, 0));
        assert!(report.energies.elastic < 1e-2, "{:?}", report.energies);
    }
}

#[test]
fn followed_rotations_stay_near_the_exact_ones() {
    let model = flying(10.0, Vec3::ZERO);
    let run = |sweeps| {
        let early_cg = EarlyCgSettings {
            sweeps,
            ..EarlyCgSettings::default()
        };
        let mut run = simulation(&model, early_cg);
        let mut energies = Vec::new();
        for _ in 0..100 {
            run.step().unwrap();
            energies.push(run.report().energies.elastic);
        }
        (
            run.state().positions.clone(),
            energies,
            run.state().rotations.len(),
        )
    };
    let (exact, energies, none) = run(0);
    assert_eq!(none, 0);
    for (sweeps, bound) in [(1, 2e-3), (2, 2e-4)] {
        let (followed, swept, some) = run(sweeps);
        assert!(some > 0);
        let apart = distance(&exact, &followed);
        assert!(
            apart < bound,
            "{sweeps} sweeps: {apart:e} m after 100 steps at 10 rad/s"
        );
        for (a, b) in energies.iter().zip(&swept) {
            assert!((a - b).abs() < 0.1 * energies.iter().fold(0.0, |m: f64, e| m.max(*e)));
        }
    }
}

#[test]
fn a_resumed_run_goes_on_with_the_same_bits() {
    let model = crowded();
    let early_cg = EarlyCgSettings::default();
    let mut run = simulation(&model, early_cg);
    for _ in 0..15 {
        run.step().unwrap();
    }
    let saved = run.state().clone();
    assert!(!saved.rotations.is_empty());
    let mut resumed =
        Simulation::resume(model.clone(), settings(early_cg), Method::EarlyCg, saved).unwrap();
    for _ in 0..15 {
        run.step().unwrap();
        resumed.step().unwrap();
        assert_eq!(run.state(), resumed.state());
    }
    // what another method leaves behind belongs to other positions
    let full = Simulation::resume(model, settings(early_cg), Method::Full, run.state().clone());
    let mut full = full.unwrap();
    full.step().unwrap();
    assert!(full.state().rotations.is_empty());
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let mut run = simulation(&crowded(), EarlyCgSettings::default());
            for _ in 0..25 {
                run.step().unwrap();
            }
            run.state().clone()
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn new_loads_and_contacts_raise_the_budget() {
    let model = crowded();
    let early_cg = EarlyCgSettings {
        tolerance: 0.0,
        budget: 4,
        fresh_factor: 3.0,
        ..EarlyCgSettings::default()
    };
    let mut run = simulation(&model, early_cg);
    let mut iterations = Vec::new();
    for _ in 0..30 {
        iterations.push(run.step().unwrap().linear_iterations);
    }
    assert!(
        iterations.contains(&4) && iterations.contains(&12),
        "{iterations:?}"
    );
    // the spring lets go between 0.1 s and the step after, 15 steps in
    assert_eq!(iterations[15], 12, "{iterations:?}");
}

#[test]
fn fading_energy_ends_the_solve() {
    let model = flying(4.0, GRAVITY);
    let iterations = |energy_tolerance| {
        let early_cg = EarlyCgSettings {
            energy_tolerance,
            budget: 200,
            tolerance: 1e-9,
            ..EarlyCgSettings::default()
        };
        let mut run = simulation(&model, early_cg);
        let mut sum = 0;
        for _ in 0..20 {
            let report = run.step().unwrap();
            sum += report.linear_iterations;
            assert!(report.solve.energy_left >= 0.0 && report.solve.energy_left.is_finite());
            assert!(report.solve.energy_decrease > 0.0);
        }
        sum
    };
    let (all, early) = (iterations(0.0), iterations(0.01));
    assert!(early * 3 < all, "{early} of {all}");
}

#[test]
fn a_held_body_keeps_its_held_nodes() {
    let model = cantilever(bar([8, 2, 2]), rubber());
    let mut run = simulation(&model, truncated(2));
    for _ in 0..30 {
        run.step().unwrap();
    }
    for &node in &left_end(&bar([8, 2, 2])) {
        assert_eq!(
            run.state().positions[node as usize],
            model.rest[node as usize]
        );
    }
    assert!(
        run.report().reactions[0].z > 0.0,
        "the clamp carries the weight"
    );
    // turned by a quarter all at once: a truncated solve may be poor, but not NaN
    let turned = Mat3::rotation(vec3(0.0, 0.0, 1.0), 1.5);
    for x in &mut run.state_mut().positions {
        *x = turned * *x;
    }
    for _ in 0..30 {
        run.step().unwrap();
    }
}
