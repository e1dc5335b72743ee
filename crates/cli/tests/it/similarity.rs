//! Every built-in scene, turned, mirrored, moved by a kilometre, renumbered, or a thousand times larger or smaller with all that has
//! units, moves as it did, in every method.

mod change;

use crate::common::{Shell, is_huge};
use change::{Change, Image};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_scene::trained::TrainedFile;
use pliant_scene::{EMBEDDED, Scene, SceneFile, Sources, build, embedded, parse, specify};
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
        let specification = specify(file, &sources).unwrap();
        Case {
            name: scene.name.clone(),
            planar: specification.bodies.iter().any(|b| b.mesh.is_planar()),
            specification,
            settings: scene.settings.clone(),
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
        let settings = change.settings(&self.settings);
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

fn steps(method: Method, settings: &Settings) -> bool {
    let linear = matches!(settings.integrator, Integrator::LinearImplicit { .. });
    !method.needs_training() && (linear || !matches!(method, Method::Conjac | Method::Rigidify))
}

#[test]
fn survey() {
    for entry in EMBEDDED.iter().filter(|e| !is_huge(e.name)) {
        let file = embedded(entry.name).unwrap().parse().unwrap();
        let scene = build(&file, None).unwrap();
        let n = scene.model.node_count();
        if n > 3000 {
            continue;
        }
        let case = Case::new(&file, &scene);
        let count = if n < 600 { 12 } else { 4 };
        for method in Method::ALL
            .into_iter()
            .filter(|&m| steps(m, &case.settings))
        {
            let start = std::time::Instant::now();
            let errors = case.errors(method, count);
            let text: Vec<String> = errors.iter().map(|(n, e)| format!("{n} {e:.0e}")).collect();
            println!(
                "{:24} {n:5} {:9} {:5.2} s  {}",
                case.name,
                method.name(),
                start.elapsed().as_secs_f64(),
                text.join("  ")
            );
        }
    }
}
