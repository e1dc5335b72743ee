//! Method `subspace`: mixed systems, regions that come and go, and what they cost [TMDK15].

use crate::common::{
    GRAVITY, bar, cantilever, distance, fix, left_end, newton_settings, prescribe, run, soft, tight,
};
use pliant_linalg::{Keep, Mat3, Vec3, flat, principal_components, vec3};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::{
    Activation, Fingerprint, Frame, Oracle, Posing, Skin, SubspaceLinear, SubspaceSettings,
    SubspaceStepper, Trained, TrainedDomain, TrainedModel, View,
};
use std::sync::Arc;

const INTEGRATORS: [Integrator; 3] = [
    Integrator::QuasiStatic,
    Integrator::ImplicitEuler,
    Integrator::LinearImplicit { beta: 1.0 },
];

fn settings(integrator: Integrator, subspace: SubspaceSettings) -> Settings {
    newton_settings(integrator, subspace, 1e-10)
}

/// A model with one domain that has this basis, given by columns of 3 numbers a node.
fn with_basis(model: &Model, columns: &[Vec<f64>], cubature: Vec<(u32, f64)>) -> TrainedModel {
    let (nodes, rank) = (model.node_count(), columns.len());
    let mut basis = vec![0.0; 3 * nodes * rank];
    for (m, column) in columns.iter().enumerate() {
        for (row, &u) in column.iter().enumerate() {
            basis[row * rank + m] = u;
        }
    }
    TrainedModel {
        body: model.bodies[0].name.clone(),
        fingerprint: Fingerprint::of_body(model, 0),
        domains: vec![TrainedDomain {
            elements: (0..model.element_count() as u32).collect(),
            nodes: (0..nodes as u32).collect(),
            rank,
            basis,
            rigid_modes: 0,
            cubature,
            error: 0.0,
        }],
        interface: Vec::new(),
        weights: None,
        contacts: Vec::new(),
    }
}

fn all_elements(model: &Model) -> Vec<(u32, f64)> {
    (0..model.element_count() as u32)
        .map(|e| (e, 1.0))
        .collect()
}

/// Every motion of nodes that are not held.
fn identity(model: &Model, held: &[u32]) -> TrainedModel {
    let free = (0..model.node_count()).filter(|&n| !held.contains(&(n as u32)));
    let column = |dof: usize| {
        let mut column = vec![0.0; 3 * model.node_count()];
        column[dof] = 1.0;
        column
    };
    let columns: Vec<Vec<f64>> = free
        .flat_map(|n| [0, 1, 2].map(|a| column(3 * n + a)))
        .collect();
    with_basis(model, &columns, all_elements(model))
}

fn attach(model: &Model, trained: TrainedModel, rig: Option<Arc<dyn Posing>>) -> Model {
    let trained = Trained {
        model: Arc::new(trained),
        rig,
    };
    model.clone().with_trained(vec![trained])
}

/// Names the same nodes in some steps.
struct Always(Vec<u32>, u64);

impl Oracle for Always {
    fn name_nodes(&mut self, view: &View<'_>, starts: &mut Vec<u32>) {
        let _ = view;
        if self.1 > 0 {
            self.1 -= 1;
            starts.extend_from_slice(&self.0);
        }
    }
}

/// Steps with an oracle that asks for some nodes at first; positions after every step.
fn run_with(
    model: &Model,
    settings: &Settings,
    starts: Vec<u32>,
    asked: u64,
    steps: usize,
) -> Vec<State> {
    let mut stepper = SubspaceStepper::new(model, settings.clone()).unwrap();
    stepper.add_oracle(Box::new(Always(starts, asked)));
    let mut state = model.initial_state();
    let mut states = Vec::new();
    for _ in 0..steps {
        stepper.step(model, &mut state, settings.h).unwrap();
        let mut shown = state.clone();
        stepper.fill(model, &mut shown);
        states.push(shown);
    }
    states
}

fn damped(model: MaterialModel) -> pliant_solid::material::MaterialSpecification {
    pliant_solid::material::MaterialSpecification {
        mass_damping: 0.5,
        stiffness_damping: 0.01,
        ..soft(model)
    }
}

fn small() -> (Model, Vec<u32>) {
    let mesh = bar([5, 2, 2]);
    let held = left_end(&mesh);
    (
        cantilever(mesh, damped(MaterialModel::StableNeoHookean)),
        held,
    )
}

#[test]
fn the_identity_with_all_elements_is_full() {
    let (model, held) = small();
    let reduced = attach(&model, identity(&model, &held), None);
    for integrator in INTEGRATORS {
        let settings = settings(integrator, tight(SubspaceLinear::Pcg));
        let full = run(&model, &settings, Method::Full, 5);
        let own = run(&reduced, &settings, Method::Subspace, 5);
        let error = distance(&own.state().positions, &full.state().positions);
        assert!(error < 1e-9, "{integrator:?}: {error:e}");
        let moved = distance(&full.state().positions, &model.rest);
        assert!(moved > 1e-3, "{integrator:?}: nothing happened");
        assert_eq!(own.report().subspace.full_nodes, 0);
    }
}

#[test]
fn regions_within_the_identity_are_full() {
    // boundary forces, cubature, inertia and the mixed matrix together: any region must give the same answer
    let (model, held) = small();
    let reduced = attach(&model, identity(&model, &held), None);
    let tip: Vec<u32> = (0..model.node_count() as u32)
        .filter(|&n| model.rest[n as usize].x > 0.39)
        .collect();
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let settings = settings(
                integrator,
                SubspaceSettings {
                    radius: 0.45,
                    ..tight(linear)
                },
            );
            let full = run(&model, &settings, Method::Full, 9);
            let states = run_with(&reduced, &settings, tip.clone(), 3, 9);
            let active: Vec<usize> = states.iter().map(|s| s.subspace.active.len()).collect();
            assert!(
                active[0] > 9 && active[0] < model.node_count() - 9,
                "{active:?}"
            );
            let error = distance(&states[8].positions, &full.state().positions);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
        }
    }
}

fn floor(height: f64) -> Obstacle {
    Obstacle {
        name: "floor".into(),
        shape: Shape::HalfSpace {
            point: vec3(0.0, 0.0, height),
            normal: Vec3::AXES[2],
        },
        friction: None,
        motion: None,
    }
}

#[test]
fn everything_active_is_full() {
    // in contact, with a basis of one mode that knows nothing
    let (model, _) = small();
    let contact = ContactModel {
        obstacles: vec![floor(-0.02)],
        isotropy: 0.5,
        stiffness: 5.0,
        ..ContactModel::penalty()
    };
    let model = model.with_contact(contact).unwrap();
    let mut mode = vec![0.0; 3 * model.node_count()];
    mode[3 * (model.node_count() - 1)] = 1.0;
    let reduced = attach(&model, with_basis(&model, &[mode], vec![(0, 1.0)]), None);
    for integrator in INTEGRATORS {
        for linear in [SubspaceLinear::Pcg, SubspaceLinear::Direct] {
            let own = SubspaceSettings {
                activation: Activation::Everything,
                ..tight(linear)
            };
            let settings = settings(integrator, own);
            let full = run(&model, &settings, Method::Full, 15);
            let run = run(&reduced, &settings, Method::Subspace, 15);
            assert!(full.report().contacts > 0);
            let error = distance(&run.state().positions, &full.state().positions);
            assert!(error < 1e-8, "{integrator:?}, {linear:?}: {error:e}");
        }
    }
}

/// Frames that turn about the x axis by an angle that grows along it, and in time; and about z as a whole.
#[derive(Debug)]
struct Twisting {
    rest: Vec<Vec3>,
    /// rad/m/s², and rad/s and rad of the whole.
    twist: f64,
    spin: f64,
    angle: f64,
}

struct Twisted(Vec<Vec3>, f64, Mat3);

impl Posing for Twisting {
    fn skin(&self, time: f64) -> Box<dyn Skin> {
        let whole = Mat3::rotation(Vec3::AXES[2], self.angle + self.spin * time);
        Box::new(Twisted(self.rest.clone(), self.twist * time * time, whole))
    }
}

impl Skin for Twisted {
    fn frame(&self, node: u32) -> Frame {
        let x = self.0[node as usize].x;
        Frame {
            rotation: self.2 * Mat3::rotation(Vec3::AXES[0], self.1 * x),
            shift: vec3(0.3 * self.1 * x, 0.0, 0.1 * self.1),
        }
    }
}

#[test]
fn moving_frames_have_the_inertia_of_what_they_carry() {
    // whatever the frames do, the identity can undo: the equations of motion must not notice them
    let (model, held) = small();
    let rig = |twist: f64| -> Option<Arc<dyn Posing>> {
        Some(Arc::new(Twisting {
            rest: model.rest.clone(),
            twist,
            spin: 2.0,
            angle: 0.4,
        }))
    };
    let _ = held;
    let all = identity(&model, &[]);
    for integrator in [Integrator::QuasiStatic, Integrator::ImplicitEuler] {
        let exact = SubspaceSettings {
            mass_samples: 10_000,
            ..tight(SubspaceLinear::Pcg)
        };
        let with = settings(integrator, exact);
        let full = run(&model, &with, Method::Full, 8);
        let reduced = attach(&model, all.clone(), rig(60.0));
        let own = run(&reduced, &with, Method::Subspace, 8);
        let error = distance(&own.state().positions, &full.state().positions);
        assert!(error < 2e-8, "{integrator:?}: {error:e}");
        let error = distance(&own.state().velocities, &full.state().velocities);
        assert!(error < 1e-5, "{integrator:?}: velocities {error:e}");
    }
    // fewer frames than nodes cost little, and less the more there are
    let mut errors = Vec::new();
    for samples in [1, 8, 64] {
        let some = SubspaceSettings {
            mass_samples: samples,
            ..tight(SubspaceLinear::Pcg)
        };
        let with = settings(Integrator::ImplicitEuler, some);
        let full = run(&model, &with, Method::Full, 8);
        let reduced = attach(&model, all.clone(), rig(6.0));
        let own = run(&reduced, &with, Method::Subspace, 8);
        let moved = distance(&full.state().positions, &model.rest);
        errors.push(distance(&own.state().positions, &full.state().positions) / moved);
    }
    println!("errors of sampled inertia: {errors:?}");
    assert!(
        errors[0] > 2.0 * errors[1] && errors[1] > errors[2],
        "{errors:?}"
    );
    assert!(errors[2] < 0.05, "{errors:?}");
}

/// Snapshots of a clamped bar under loads in several directions, and their principal components.
fn trained(model: &Model, modes: usize, cubature: Vec<(u32, f64)>) -> TrainedModel {
    let mut snapshots: Vec<Vec<f64>> = Vec::new();
    let model = &model.clone().with_contact(ContactModel::default()).unwrap();
    for (pull, scale) in [
        (vec3(0.0, 0.0, -1.0), 1.0),
        (vec3(0.0, 1.0, 0.3), 1.0),
        (vec3(0.0, -0.7, 1.0), 1.2),
        (vec3(1.0, 0.0, 0.0), 3.0),
    ] {
        let mut loaded = model.clone();
        loaded.gravity = pull * (9.81 * scale);
        let run = run(
            &loaded,
            &settings(Integrator::QuasiStatic, Default::default()),
            Method::Full,
            1,
        );
        let moved: Vec<Vec3> = (run.state().positions.iter().zip(&model.rest))
            .map(|(&x, &r)| x - r)
            .collect();
        snapshots.push(flat(&moved).to_vec());
    }
    let found = principal_components(&snapshots, None, Keep::Rank(modes)).unwrap();
    with_basis(model, &found.columns, cubature)
}

#[test]
fn turning_the_scene_changes_nothing() {
    let mesh = bar([8, 2, 2]);
    let held = left_end(&mesh);
    let body = || {
        vec![BodySpecification::uniform(
            "bar",
            mesh.clone(),
            damped(MaterialModel::Corotated),
        )]
    };
    let turn = Mat3::rotation(Vec3::AXES[2], 1.1);
    let model = Model::build(
        body(),
        vec![fix(held.clone())],
        GRAVITY + vec3(0.0, 3.0, 0.0),
    )
    .unwrap();
    let motion = Motion {
        rotation: Some(Turn {
            axis: Vec3::AXES[2],
            centre: Vec3::ZERO,
            angle: Profile::Constant(1.1),
        }),
        ..Motion::default()
    };
    let turned = Model::build(
        body(),
        vec![prescribe(held, [true; 3], motion)],
        turn * (GRAVITY + vec3(0.0, 3.0, 0.0)),
    )
    .unwrap();
    let rig: Arc<dyn Posing> = Arc::new(Twisting {
        rest: model.rest.clone(),
        twist: 0.0,
        spin: 0.0,
        angle: 1.1,
    });
    let basis = trained(&model, 3, all_elements(&model));
    let tip: Vec<u32> = (0..model.node_count() as u32)
        .filter(|&n| model.rest[n as usize].x > 0.39)
        .collect();
    let still = attach(&model, basis.clone(), None);
    let moved = attach(&turned, basis, Some(rig));
    for integrator in INTEGRATORS {
        let with = settings(
            integrator,
            SubspaceSettings {
                radius: 0.2,
                ..tight(SubspaceLinear::Direct)
            },
        );
        let mut stepper = SubspaceStepper::new(&moved, with.clone()).unwrap();
        stepper.add_oracle(Box::new(Always(tip.clone(), 4)));
        let mut state = moved.initial_state();
        state.positions.iter_mut().for_each(|x| *x = turn * *x);
        let states = run_with(&still, &with, tip.clone(), 4, 8);
        for expected in &states {
            stepper.step(&moved, &mut state, with.h).unwrap();
            let mut shown = state.clone();
            stepper.fill(&moved, &mut shown);
            let there: Vec<Vec3> = expected.positions.iter().map(|&x| turn * x).collect();
            let error = distance(&shown.positions, &there);
            assert!(
                error < 1e-9,
                "{integrator:?}, step {}: {error:e}",
                state.step
            );
        }
    }
}

/// A bar that a ball dents from above and leaves again.
fn dented(cells: [usize; 3]) -> Model {
    let mesh = bar(cells);
    let clamp = fix(left_end(&mesh));
    let stiff = pliant_solid::material::MaterialSpecification {
        young: 2e6,
        ..damped(MaterialModel::StableNeoHookean)
    };
    let body = BodySpecification::uniform("bar", mesh, stiff);
    let keys = vec![(0.0, 0.03), (0.1, -0.02), (0.2, -0.02), (0.3, 0.06)];
    let path = Profile::Keyframes { keys, smooth: true };
    let nothing = Profile::Constant(0.0);
    let ball = Obstacle {
        name: "ball".into(),
        shape: Shape::Sphere {
            centre: vec3(0.3, 0.05, 0.13),
            radius: 0.03,
            hollow: false,
        },
        friction: Some(0.0),
        motion: Some(Motion {
            translation: Some([nothing.clone(), nothing, path]),
            ..Motion::default()
        }),
    };
    let contact = ContactModel {
        obstacles: vec![ball],
        isotropy: 0.5,
        stiffness: 2.0,
        ..ContactModel::penalty()
    };
    let model = Model::build(vec![body], vec![clamp], GRAVITY * 0.3).unwrap();
    model.with_contact(contact).unwrap()
}

fn dent_settings(integrator: Integrator, radius: f64) -> Settings {
    let mut with = settings(
        integrator,
        SubspaceSettings {
            radius,
            tolerance: 1e-6,
            ..SubspaceSettings::default()
        },
    );
    with.newton.relative_tolerance = 1e-6;
    with
}

/// Largest motion of a node in a step.
fn jumps(frames: &[Vec<Vec3>]) -> Vec<f64> {
    frames.windows(2).map(|w| distance(&w[0], &w[1])).collect()
}

#[test]
fn regions_come_and_go_without_a_jump() {
    let model = dented([16, 4, 4]);
    let reduced = attach(&model, trained(&model, 4, all_elements(&model)), None);
    // the bar rings after the ball has left: the region must stay until it is calm
    for (integrator, steps) in [
        (Integrator::QuasiStatic, 60),
        (Integrator::ImplicitEuler, 240),
    ] {
        let with = dent_settings(integrator, 0.2);
        let mut frames = [Vec::new(), Vec::new()];
        let mut sizes = Vec::new();
        for (frames, (model, method)) in frames
            .iter_mut()
            .zip([(&model, Method::Full), (&reduced, Method::Subspace)])
        {
            let mut simulation = Simulation::new(model.clone(), with.clone(), method).unwrap();
            for _ in 0..steps {
                simulation.step().unwrap();
                frames.push(simulation.state().positions.clone());
                if method == Method::Subspace {
                    sizes.push(simulation.report().subspace.full_nodes);
                }
            }
        }
        let [full, own] = frames;
        assert!(
            sizes[0] == 0 && sizes[steps - 1] == 0,
            "a region at the ends: {sizes:?}"
        );
        let most = *sizes.iter().max().unwrap();
        assert!(most > 20 && most < model.node_count() / 2, "{sizes:?}");
        let largest = |jumps: &[f64]| jumps.iter().fold(0.0f64, |m, &j| m.max(j));
        let (of_full, of_own) = (largest(&jumps(&full)), largest(&jumps(&own)));
        println!(
            "{integrator:?}: largest jump {of_own:.2e}, of full {of_full:.2e}; regions {sizes:?}"
        );
        assert!(
            of_own < 2.0 * of_full,
            "{integrator:?}: {of_own:e} {of_full:e}"
        );
        // the basis without regions is farther from the truth where it matters
        let nothing = SubspaceSettings {
            activation: Activation::Nothing,
            ..with.subspace
        };
        let locked = run(
            &reduced,
            &Settings {
                subspace: nothing,
                ..with.clone()
            },
            Method::Subspace,
            15,
        );
        let errors = [&own[14], &locked.state().positions].map(|x| distance(x, &full[14]));
        println!("{integrator:?}: errors at the dent {errors:?}");
        // in motion the rest of the body, which both leave to the basis, is off as well
        let share = match integrator {
            Integrator::QuasiStatic => 0.6,
            _ => 0.75,
        };
        assert!(errors[0] < share * errors[1], "{integrator:?}: {errors:?}");
    }
}

#[test]
fn a_larger_radius_is_more_accurate() {
    let model = dented([16, 4, 4]);
    let reduced = attach(&model, trained(&model, 4, all_elements(&model)), None);
    let full = run(
        &model,
        &dent_settings(Integrator::QuasiStatic, 0.1),
        Method::Full,
        15,
    );
    let errors = [0.06, 0.12, 0.25, 0.5].map(|radius| {
        let own = run(
            &reduced,
            &dent_settings(Integrator::QuasiStatic, radius),
            Method::Subspace,
            15,
        );
        let off = own.state().positions.iter().zip(&full.state().positions);
        off.map(|(a, b)| (*a - *b).norm_squared())
            .sum::<f64>()
            .sqrt()
    });
    println!("errors by radius: {errors:?}");
    assert!(errors.windows(2).all(|w| w[1] < w[0]), "{errors:?}");
}

#[test]
fn threads_and_resuming_change_no_bit() {
    let model = dented([12, 4, 4]);
    let reduced = attach(&model, trained(&model, 4, all_elements(&model)), None);
    let mut with = dent_settings(Integrator::ImplicitEuler, 0.12);
    with.subspace.error = Some(1e-3);
    let pool = |threads: usize| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    };
    let whole = pool(1).install(|| run(&reduced, &with, Method::Subspace, 40));
    let other = pool(2).install(|| run(&reduced, &with, Method::Subspace, 40));
    assert_eq!(whole.state(), other.state());
    let mut active = 0;
    for steps in [9, 14, 22, 33] {
        let first = run(&reduced, &with, Method::Subspace, steps);
        let state = first.state().clone();
        active += usize::from(!state.subspace.active.is_empty());
        let mut second =
            Simulation::resume(reduced.clone(), with.clone(), Method::Subspace, state).unwrap();
        for _ in steps..40 {
            second.step().unwrap();
        }
        assert_eq!(second.state(), whole.state(), "resumed after {steps} steps");
    }
    assert!(active >= 2, "regions were active");
}

#[test]
fn without_a_region_a_step_costs_what_the_cubature_does() {
    // a few elements and modes, on ever finer bars: the same number of evaluations
    let mut counts = Vec::new();
    for cells in [[8, 2, 2], [16, 4, 4], [24, 6, 6]] {
        let mesh = bar(cells);
        let model = cantilever(mesh, soft(MaterialModel::StableNeoHookean));
        let every = model.element_count() / 40;
        let cubature = (0..40)
            .map(|k| ((k * every) as u32, every as f64))
            .collect();
        let reduced = attach(&model, trained(&model, 3, cubature), None);
        let with = Settings {
            h: 0.002,
            ..settings(
                Integrator::LinearImplicit { beta: 1.0 },
                SubspaceSettings::default(),
            )
        };
        let mut simulation = Simulation::new(reduced, with, Method::Subspace).unwrap();
        for _ in 0..3 {
            simulation.step().unwrap();
        }
        assert_eq!(simulation.report().active_dofs, 3);
        counts.push(simulation.report().subspace.evaluations);
    }
    assert_eq!(
        counts, [120; 3],
        "forces at both ends and one tangent of 40 elements"
    );
}

#[test]
fn the_residual_oracle_finds_what_the_basis_lacks() {
    // trained for bending in one plane, pulled in the other: the basis cannot follow, and only residuals tell
    let mesh = bar([12, 3, 3]);
    let base = cantilever(mesh, soft(MaterialModel::StableNeoHookean));
    let mut single = trained(&base, 1, all_elements(&base));
    single.domains[0].error = 0.0;
    let mut model = base.clone();
    model.gravity = vec3(0.0, 6.0, 0.0);
    let reduced = attach(&model, single, None);
    let full = run(
        &model,
        &settings(Integrator::QuasiStatic, Default::default()),
        Method::Full,
        30,
    );
    let error = |tolerance: Option<f64>| {
        let with = settings(
            Integrator::QuasiStatic,
            SubspaceSettings {
                error: tolerance,
                radius: 0.2,
                ..tight(SubspaceLinear::Direct)
            },
        );
        let own = run(&reduced, &with, Method::Subspace, 30);
        (
            distance(&own.state().positions, &full.state().positions),
            own.report().subspace.full_nodes,
        )
    };
    let (blind, (seeing, nodes)) = (error(None).0, error(Some(0.5)));
    println!(
        "blind {blind:.2e}, seeing {seeing:.2e} with {nodes} of {} nodes",
        model.node_count()
    );
    assert!(blind > 1e-3 && seeing < 0.2 * blind, "{blind:e} {seeing:e}");
    // and it keeps quiet where the basis does well
    let reduced = attach(&base, trained(&base, 4, all_elements(&base)), None);
    let with = settings(
        Integrator::QuasiStatic,
        SubspaceSettings {
            error: Some(0.5),
            ..tight(SubspaceLinear::Direct)
        },
    );
    let own = run(&reduced, &with, Method::Subspace, 20);
    assert_eq!(own.report().subspace.full_nodes, 0);
}

#[test]
fn the_residual_oracle_wakes_a_loaded_patch_and_not_the_rest() {
    // trained under weight of all directions; then a pinch of top and bottom, which bends nothing
    let mesh = bar([24, 4, 4]);
    let near = |height: f64| -> Vec<u32> {
        let within = |n: &u32| {
            let off = mesh.positions[*n as usize] - vec3(0.3, 0.05, height);
            off.norm() < 0.03
        };
        (0..mesh.positions.len() as u32).filter(within).collect()
    };
    let sides = [(near(0.1), -1.0), (near(0.0), 1.0)];
    let patch: Vec<u32> = sides.iter().flat_map(|s| s.0.clone()).collect();
    assert!(patch.len() > 5 && sides[0].0.len() == sides[1].0.len());
    // stiff: what weight does is a matter of the basis alone
    let stiff = pliant_solid::material::MaterialSpecification {
        young: 5e6,
        ..soft(MaterialModel::StableNeoHookean)
    };
    let base = cantilever(mesh.clone(), stiff);
    let mut model = base.clone();
    model.gravity = GRAVITY * 0.5;
    let weight: f64 = model.mass.iter().sum::<f64>() * GRAVITY.norm();
    let pinch = sides.map(|(nodes, sign)| Drive {
        name: format!("pinch {sign}"),
        action: Action::Force {
            nodes,
            force: vec3(0.0, 0.0, 5.0 * sign * weight),
            profile: Profile::Constant(1.0),
        },
    });
    let drives = [&model.drives[..], &pinch].concat();
    let model = model.with_drives(drives).unwrap();
    let reduced = attach(&model, trained(&base, 4, all_elements(&base)), None);
    let full = run(
        &model,
        &settings(Integrator::QuasiStatic, Default::default()),
        Method::Full,
        1,
    );
    let own = |error: Option<f64>| {
        let with = settings(
            Integrator::QuasiStatic,
            SubspaceSettings {
                error,
                radius: 0.05,
                ..tight(SubspaceLinear::Direct)
            },
        );
        run(&reduced, &with, Method::Subspace, 40)
    };
    let (blind, seeing, strict) = (own(None), own(Some(0.5)), own(Some(0.1)));
    // the tolerance is a knob
    let [few, more] = [&seeing, &strict].map(|s| s.report().subspace.full_nodes);
    assert!(few < more, "{few} {more}");
    assert_eq!(blind.report().subspace.full_nodes, 0);
    let active: Vec<u32> = (seeing.state().subspace.active.iter())
        .map(|a| a.node)
        .collect();
    let reach = |n: u32| {
        let near = patch
            .iter()
            .map(|&p| (model.rest[p as usize] - model.rest[n as usize]).norm());
        near.fold(f64::INFINITY, f64::min)
    };
    let farthest = active.iter().map(|&n| reach(n)).fold(0.0, f64::max);
    let errors = [&blind, &seeing].map(|s| {
        let dent = patch.iter().map(|&n| {
            let n = n as usize;
            (s.state().positions[n] - full.state().positions[n]).norm()
        });
        dent.fold(0.0, f64::max)
    });
    println!(
        "{} of {} nodes, up to {farthest:.3} m from the patch; errors there {errors:?}",
        active.len(),
        model.node_count()
    );
    let woken = patch.iter().filter(|n| active.contains(n)).count();
    assert!(woken == patch.len(), "{woken} of {}", patch.len());
    // the basis answers a pinch by bending, so that nodes around are woken as well; not those at the clamp
    assert!(active.len() < model.node_count() / 2, "{}", active.len());
    assert!(farthest < 0.26, "{farthest}");
    assert!(errors[1] < 0.2 * errors[0], "{errors:?}");
}

#[test]
fn what_the_method_cannot_do_is_said() {
    let (model, held) = small();
    let start = |model: &Model, integrator| {
        let made = Simulation::new(
            model.clone(),
            settings(integrator, Default::default()),
            Method::Subspace,
        );
        made.err().map(|e| e.to_string()).unwrap_or_default()
    };
    let message = start(&model, Integrator::QuasiStatic);
    assert!(message.contains("pliant train"), "{message}");
    let mut other = identity(&model, &held);
    other.fingerprint.mesh ^= 1;
    let message = start(&attach(&model, other, None), Integrator::QuasiStatic);
    assert!(
        message.contains("another mesh") && message.contains("pliant train"),
        "{message}"
    );
    let reduced = attach(&model, identity(&model, &held), None);
    assert!(start(&reduced, Integrator::Bdf2).contains("bdf2"));
    let touching = ContactModel {
        obstacles: vec![floor(-0.1)],
        ..ContactModel::default()
    };
    let message = start(
        &reduced.with_contact(touching).unwrap(),
        Integrator::QuasiStatic,
    );
    assert!(message.contains("penalty"), "{message}");
}
