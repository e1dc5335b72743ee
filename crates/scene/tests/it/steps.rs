//! Every embedded scene steps under every method (large ones once, under their own, the largest not at all), and a run continued from a checkpoint is the same run.

use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::{EMBEDDED, Scene, build, embedded};
use pliant_solid::Simulation;
use pliant_solid::settings::Integrator;
use pliant_solid::strategy::Method;

/// Scenes of more nodes take a second a step.
const LARGE: usize = 6000;
/// Scenes that take minutes to build and step; their meshes are counted elsewhere.
const HUGE: [&str; 5] = [
    "subspace/capsule",
    "subspace/capsule-wide",
    "subspace/cheb",
    "subspace/hand",
    "subspace/giant",
];

fn scene(name: &str) -> Scene {
    build(&embedded(name).unwrap().parse().unwrap(), None).unwrap()
}

#[test]
fn embedded_scenes_step() {
    for entry in EMBEDDED.iter().filter(|e| !HUGE.contains(&e.name)) {
        let scene = scene(entry.name);
        let large = scene.model.node_count() > LARGE;
        for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
            if large && method != scene.method {
                continue;
            }
            let linear = matches!(scene.settings.integrator, Integrator::LinearImplicit { .. });
            let linear_only = matches!(method, Method::Conjac | Method::Rigidify);
            if linear_only && !linear {
                continue;
            }
            let settings = scene.settings.clone();
            let mut simulation = Simulation::new(scene.model.clone(), settings, method).unwrap();
            for _ in 0..if large { 1 } else { 3 } {
                simulation
                    .step()
                    .unwrap_or_else(|e| panic!("{}: {e}", entry.name));
            }
            let state = simulation.state();
            assert!(
                state
                    .positions
                    .iter()
                    .chain(&state.velocities)
                    .all(|v| v.is_finite()),
                "{}",
                entry.name
            );
            assert_ne!(state.positions, simulation.model().rest, "{}", entry.name);
        }
    }
}

#[test]
fn a_checkpoint_continues_the_run_exactly() {
    let start = || {
        let scene = scene("conjac/twist");
        Simulation::new(scene.model, scene.settings, scene.method).unwrap()
    };
    let mut whole = start();
    let mut first = start();
    for step in 0..8 {
        whole.step().unwrap();
        if step < 4 {
            first.step().unwrap();
        }
    }
    let saved = Checkpoint {
        state: first.state().clone(),
        scene: "conjac/twist".into(),
        digest: 0,
        method: "full".into(),
        settings: String::new(),
        changes: String::new(),
        outputs: Vec::new(),
    };
    let state = Checkpoint::from_bytes(&saved.to_bytes()).unwrap().state;
    let scene = scene("conjac/twist");
    let mut second = Simulation::resume(scene.model, scene.settings, scene.method, state).unwrap();
    for _ in 0..4 {
        second.step().unwrap();
    }
    assert_eq!(whole.state(), second.state());
}
