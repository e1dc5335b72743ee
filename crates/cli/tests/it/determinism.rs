//! The same bytes for any number of threads and across resumes at random steps, in every method, where everything happens at once:
//! contact by constraints and by penalties, friction, joints, a cut that opens, a trained body with nodes that become full.

use crate::common::Shell;
use pliant_linalg::random::Random;
use pliant_scene::checkpoint::Checkpoint;
use pliant_scene::trained::TrainedFile;
use pliant_scene::{Scene, build, embedded, parse};
use pliant_solid::Simulation;
use pliant_solid::model::Model;
use pliant_solid::settings::Settings;
use pliant_solid::state::State;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::Trained;
use std::sync::Arc;

/// A bar hangs on a rope and a cable, lies half on the floor, is hit by a box and cut in two.
const BUSY: &str = r#"
title = "Busy"
[time]
step = "5 ms"
duration = "1 s"
[solver]
conjac.adaptive = true
[contact]
friction = 0.4
[[obstacle]]
half_space = { point = [0, 0, 0], normal = [0, 0.02, 1] }
[[body]]
name = "bar"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [8, 2, 2] }
place.translate = [0, 0, "3 mm"]
material = { young = "60 kPa", poisson = 0.4, stiffness_damping = "2 ms" }
[[body]]
name = "box"
mesh.box = { size = ["8 cm", "8 cm", "8 cm"], cells = [2, 2, 2] }
place.translate = ["10 cm", "5 cm", "15 cm"]
velocity = ["30 cm/s", 0, "-1 m/s"]
material = { model = "corotated", young = "60 kPa", poisson = 0.3 }
[[cut]]
body = "bar"
time = "60 ms"
point = ["22 cm", 0, 0]
normal = [1, 0, 0.1]
[[distance]]
from = { at = ["40 cm", "5 cm", "50 cm"] }
to = { body = "bar", at = ["39 cm", "5 cm", "10 cm"] }
bound = "at-most"
[[cable]]
through = [{ at = [0, 0, "50 cm"] }, { body = "bar", at = [0, 0, "10 cm"], snap = true }]
ratio.keys = [["0 s", 1], ["100 ms", 0.97]]
"#;
const STEPS: u64 = 36;

struct Case {
    name: String,
    model: Model,
    settings: Settings,
    method: Method,
    steps: u64,
}

impl Case {
    fn new(name: &str, scene: &Scene, method: Method, steps: u64) -> Case {
        Case {
            name: format!("{name}, {}", method.name()),
            model: scene.model.clone(),
            settings: scene.settings.clone(),
            method,
            steps,
        }
    }

    fn start(&self) -> Simulation {
        Simulation::new(self.model.clone(), self.settings.clone(), self.method).unwrap()
    }

    fn go_on(&self, simulation: &mut Simulation, until: u64) {
        while simulation.step_number() < until {
            let step = simulation.step();
            step.unwrap_or_else(|e| panic!("{}: {e}", self.name));
        }
    }

    fn whole(&self) -> State {
        let mut simulation = self.start();
        self.go_on(&mut simulation, self.steps);
        simulation.state().clone()
    }

    fn whole_on(&self, threads: usize) -> State {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| self.whole())
    }

    /// From checkpoint to checkpoint, as bytes of a file.
    fn with_resumes(&self, random: &mut Random) -> State {
        let mut simulation = self.start();
        let half = self.steps as usize / 2;
        let mut stop = 1 + random.below(half) as u64;
        while stop < self.steps {
            self.go_on(&mut simulation, stop);
            let saved = Checkpoint {
                state: simulation.state().clone(),
                scene: String::new(),
                digest: 0,
                method: self.method.name().into(),
                settings: String::new(),
                changes: String::new(),
                outputs: Vec::new(),
            };
            let read = Checkpoint::from_bytes(&saved.to_bytes()).unwrap();
            let (model, settings) = (self.model.clone(), self.settings.clone());
            simulation = Simulation::resume(model, settings, self.method, read.state).unwrap();
            stop += 1 + random.below(half) as u64;
        }
        self.go_on(&mut simulation, self.steps);
        simulation.state().clone()
    }

    fn check(&self, random: &mut Random) {
        let one = self.whole_on(1);
        for threads in [2, 3, 8] {
            let other = self.whole_on(threads);
            assert!(other == one, "{} with {threads} threads", self.name);
        }
        for _ in 0..3 {
            assert!(self.with_resumes(random) == one, "{} resumed", self.name);
        }
    }
}

#[test]
fn threads_and_resumes_change_no_byte() {
    let mut random = Random::new(2026);
    for response in ["constraint", "penalty"] {
        let text = BUSY.replace("[contact]", &format!("[contact]\nmodel = \"{response}\""));
        let scene = build(&parse(&text, "busy.toml").unwrap(), None).unwrap();
        for method in Method::ALL.into_iter().filter(|m| !m.needs_training()) {
            let case = Case::new(response, &scene, method, STEPS);
            // everything takes part
            let mut simulation = case.start();
            let (mut contacts, mut constraints) = (0, 0);
            while simulation.step_number() < STEPS {
                let report = simulation.step().unwrap();
                contacts = contacts.max(report.contacts);
                constraints = constraints.max(report.constraints);
            }
            assert!(contacts > 3 && constraints > 1, "{}: {contacts}", case.name);
            assert_eq!(simulation.model().seams.open(), 1);
            case.check(&mut random);
        }
    }
}

#[test]
fn a_trained_body_with_full_nodes() {
    let shell = Shell::new();
    let out = "small.pliant-model";
    shell.json(&["train", "subspace/capsule-small", "--out", out]);
    let file = embedded("subspace/capsule-small").unwrap().parse().unwrap();
    let mut scene = build(&file, None).unwrap();
    let trained = TrainedFile::read(&shell.path(out)).unwrap();
    scene.model = scene.model.with_trained(vec![Trained {
        model: Arc::new(trained.model),
        rig: None,
    }]);
    let case = Case::new("capsule", &scene, Method::Subspace, 70);
    let mut simulation = case.start();
    case.go_on(&mut simulation, 64);
    let report = simulation.report();
    assert!(
        report.subspace.full_nodes > 0 && report.contacts > 0,
        "{:?}",
        report.subspace
    );
    case.check(&mut Random::new(9));
}
