//! Every built-in scene, turned, mirrored, moved by a kilometre, renumbered, or a thousand times larger or smaller with all that has
//! units, moves as it did, in every method.

mod change;

use crate::common::{Shell, is_huge};
use change::{Change, Image};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_scene::trained::TrainedFile;
use pliant_scene::{EMBEDDED, Scene, SceneFile, Sources, build, embedded, specify};
use pliant_solid::Simulation;
use pliant_solid::settings::{Integrator, Settings};
use pliant_solid::specification::ModelSpecification;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::{Trained, TrainedModel};
use std::sync::Arc;

fn changes(planar: bool) -> [Change; 6] {
    let plain = Change::NONE;
    // plane bodies stay in their plane
    let (axis, normal, shift) = match planar {
        true => (Vec3::AXES[2], vec3(0.6, 0.8, 0.0), vec3(600.0, -800.0, 0.0)),
        false => (
            vec3(1.0, 2.0, -0.7).normalized().unwrap(),
            vec3(2.0, -1.0, 2.0) / 3.0,
            vec3(600.0, -800.0, 50.0),
        ),
    };
    [
        Change {
            name: "turned",
            turn: Mat3::rotation(axis, 2.1),
            ..plain
        },
        Change {
            name: "mirrored",
            turn: Mat3::IDENTITY - Mat3::outer(normal, normal) * 2.0,
            ..plain
        },
        Change {
            name: "moved",
            shift,
            ..plain
        },
        Change {
            name: "renumbered",
            renumbered: Some(7),
            ..plain
        },
        // at the same times, and under the same gravity
        Change {
            name: "smaller",
            scale: 1e-3,
            ..plain
        },
        Change {
            name: "larger",
            scale: 1e3,
            time: 1e3f64.sqrt(),
            ..plain
        },
    ]
}

/// From axis to axis, for scenes that name axes of the world.
fn along_axes(change: Change, planar: bool) -> Change {
    let [x, y, z] = Vec3::AXES;
    let turn = match (change.name, planar) {
        ("turned", true) => Mat3::from_columns(y, -x, z),
        ("turned", false) => Mat3::from_columns(y, z, x),
        _ => Mat3::diagonal(vec3(-1.0, 1.0, 1.0)),
    };
    Change { turn, ..change }
}

/// Where conjugate gradients stop is decided by comparing rounded numbers: one iteration more or less changes results by their
/// tolerance.
fn solve_exactly(settings: &mut Settings) {
    settings.isodof.factor.tolerance = 1e-12;
    settings.isodof.factor.max_iterations = 2000;
    settings.early_cg.tolerance = 1e-14;
    settings.early_cg.energy_tolerance = 0.0;
    settings.newton.relative_tolerance = settings.newton.relative_tolerance.min(1e-10);
}

/// The nodes that `conjac` chooses by itself are those farthest from each other; of nodes equally far, the numbers decide. Those named here
/// do not lie on a line: where a free body could turn about one, an unknown along an axis of the world holds it.
fn name_dynamic_nodes(specification: &mut ModelSpecification) {
    for body in &mut specification.bodies {
        let count = body.mesh.node_count() as u32;
        let mut spread: Vec<u32> = (1..5)
            .map(|k| (k * count / 5 + 3 * k * k) % count)
            .collect();
        spread.sort_unstable();
        spread.dedup();
        body.representatives.get_or_insert(spread);
    }
}

struct Case {
    name: String,
    specification: ModelSpecification,
    settings: Settings,
    trained: Option<TrainedModel>,
    planar: bool,
}

impl Case {
    fn new(file: &SceneFile, scene: &Scene) -> Case {
        let sources = Sources {
            base: None,
            assets: Vec::new(),
        };
        let mut specification = specify(file, &sources).unwrap();
        let mut settings = scene.settings.clone();
        solve_exactly(&mut settings);
        name_dynamic_nodes(&mut specification);
        Case {
            name: scene.name.clone(),
            planar: specification.bodies.iter().any(|b| b.mesh.is_planar()),
            specification,
            settings,
            trained: None,
        }
    }

    fn image(&self, change: Change) -> Image {
        Image::of(&self.specification, change)
            .or_else(|_| Image::of(&self.specification, along_axes(change, self.planar)))
            .unwrap_or_else(|what| panic!("{}: {what} has no image", self.name))
    }

    /// Positions after some steps, as they would be without the change.
    fn outcome(&self, change: Change, method: Method, steps: u64) -> Vec<Vec3> {
        let image = self.image(change);
        let mut model = image.specification.clone().build().unwrap();
        if let Some(trained) = &self.trained {
            let trained = Trained {
                model: Arc::new(image.trained(trained, &model)),
                rig: None,
            };
            model = model.with_trained(vec![trained]);
        }
        let mut settings = change.settings(&self.settings);
        // lengths and speeds of `subspace` are in units of the body's extent along the axes of the world, which a turn changes
        let same = extent(&self.specification) * change.scale / extent(&image.specification);
        let own = &mut settings.subspace;
        for share in [
            &mut own.radius,
            &mut own.calm_speed,
            &mut own.calm_acceleration,
        ] {
            *share *= same;
        }
        let mut simulation = Simulation::new(model, settings, method).unwrap();
        for _ in 0..steps {
            let step = simulation.step();
            step.unwrap_or_else(|e| panic!("{}, {}: {e}", self.name, change.name));
        }
        image.undo(&simulation.state().positions)
    }

    fn size(&self) -> f64 {
        let all = || self.specification.bodies.iter().map(|b| b.mesh.bounds());
        let low = all().map(|b| b.0).reduce(Vec3::min).unwrap();
        let high = all().map(|b| b.1).reduce(Vec3::max).unwrap();
        (high - low).norm()
    }

    /// Largest distance over the size of the scene, for each change.
    fn errors(&self, method: Method, steps: u64) -> Vec<(&'static str, f64)> {
        let plain = self.outcome(Change::NONE, method, steps);
        let changes = changes(self.planar).into_iter();
        let error = |change: Change| {
            let other = self.outcome(change, method, steps);
            let apart = plain.iter().zip(&other).map(|(a, b)| (*a - *b).norm());
            (change.name, apart.fold(0.0, f64::max) / self.size())
        };
        changes.map(error).collect()
    }
}

/// Largest extent of the first body along an axis of the world, m.
fn extent(specification: &ModelSpecification) -> f64 {
    let (low, high) = specification.bodies[0].mesh.bounds();
    (high - low).to_array().into_iter().fold(0.0, f64::max)
}

/// Whether a method can step a scene with these settings.
fn runs(method: Method, settings: &Settings) -> bool {
    let linear = matches!(settings.integrator, Integrator::LinearImplicit { .. });
    !method.needs_training() && (linear || !matches!(method, Method::Conjac | Method::Rigidify))
}

/// Largest distance over the size of the scene that rounding may make of a few steps: a kilometre away coordinates are known to
/// 1e-13 m, and strains of elements of some millimetres to 1e-10.
const ROUNDING: f64 = 1e-8;

/// What comes out differently for a reason, and by how much at most.
fn tolerance(scene: &str, method: Method) -> f64 {
    match (scene, method) {
        // Bodies that lie flat on each other have more contacts than they need: friction can share the load in many ways, and which
        // of them a solver ends with, to a residual of 1e-6, depends on the order of contacts and on rounding.
        ("contact/stack" | "contact/stack-4096", Method::Conjac) => 5e-3,
        ("contact/stack" | "contact/stack-4096" | "contact/cards", _) => 1e-4,
        ("contact/arm", Method::Conjac) => 1e-3,
        // Things begin in touch, at a depth of exactly zero: rounding decides whether the springs of penalties act in the first step.
        ("early-cg/bowling", Method::Conjac) => 1e-2,
        ("early-cg/bowling" | "early-cg/snowman" | "early-cg/multi" | "contact/arm", _) => 2e-4,
        // Constraints are solved to a residual of 1e-6, and few inert nodes carry all of what is left.
        (_, Method::Conjac) => 3e-4,
        // The same, for the velocities that constraints or budgets leave.
        ("contact/strike" | "contact/incline" | "contact/ring", _) => 1e-4,
        ("isodof/hetero-stacking", _) => 1e-6,
        _ => ROUNDING,
    }
}

/// Scenes up to so many nodes are for every day.
const EVERY_DAY: usize = 1300;

fn check_scenes(least: usize, most: usize, only_own: bool) {
    let mut worst = Vec::new();
    for entry in EMBEDDED.iter().filter(|e| !is_huge(e.name)) {
        let file = embedded(entry.name).unwrap().parse().unwrap();
        let scene = build(&file, None).unwrap();
        let nodes = scene.model.node_count();
        if !(least..most).contains(&nodes) {
            continue;
        }
        let case = Case::new(&file, &scene);
        let count = if nodes < 600 { 6 } else { 3 };
        for method in Method::ALL.into_iter().filter(|&m| runs(m, &case.settings)) {
            if only_own && method != scene.method {
                continue;
            }
            let started = std::time::Instant::now();
            let errors = case.errors(method, count);
            let seconds = started.elapsed().as_secs_f64();
            let text: Vec<String> = errors.iter().map(|(n, e)| format!("{n} {e:.0e}")).collect();
            println!(
                "{:22} {:9} {seconds:5.1} s  {}",
                case.name,
                method.name(),
                text.join("  ")
            );
            let most = tolerance(&case.name, method);
            worst.extend(
                errors
                    .into_iter()
                    .filter(|e| e.1.is_nan() || e.1 > most)
                    .map(|(name, e)| {
                        format!(
                            "{}, {}, {name}: {e:.1e} > {most:.0e}",
                            case.name,
                            method.name()
                        )
                    }),
            );
        }
    }
    assert!(worst.is_empty(), "{}", worst.join("\n"));
}

#[test]
fn small_scenes_in_all_methods() {
    check_scenes(0, EVERY_DAY, false);
}

/// The large ones in their own method.
#[test]
#[ignore = "minutes"]
fn long_large_scenes_in_their_method() {
    check_scenes(EVERY_DAY, 15_000, true);
}

/// A trained body bends, and then against its pipe, with nodes that become full and fade.
#[test]
fn a_trained_capsule() {
    let shell = Shell::new();
    let out = "small.pliant-model";
    shell.json(&["train", "subspace/capsule-small", "--out", out]);
    let file = embedded("subspace/capsule-small").unwrap().parse().unwrap();
    let scene = build(&file, None).unwrap();
    let mut case = Case::new(&file, &scene);
    case.trained = Some(TrainedFile::read(&shell.path(out)).unwrap().model);
    // conjugate gradients stop by comparing rounded numbers
    case.settings.subspace.tolerance = 1e-10;
    for steps in [40, 64] {
        for (name, error) in case.errors(Method::Subspace, steps) {
            println!("{steps} steps, {name}: {error:.1e}");
            assert!(error < 1e-6, "{steps} steps, {name}: {error:e}");
        }
    }
}
