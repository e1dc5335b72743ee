//! The full solutions that a training learns from: runs of the scene, several at a time, kept as they are finished.

use crate::failure::Failure;
use indicatif::ProgressBar;
use pliant_scene::Scene;
use pliant_scene::trained::{SolvedPose, SolvedPoses};
use pliant_solid::Simulation;
use pliant_solid::drive::Action;
use pliant_solid::model::Model;
use pliant_solid::settings::Settings;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::train::Snapshot;
use pliant_solid::subspace::{Fingerprint, Hash};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Nodes from which a run has all threads for itself: it uses them well, and needs much memory.
const LARGE: usize = 60_000;

/// A run that gives snapshots.
pub struct Task {
    /// For reports.
    pub name: String,
    /// What is stepped.
    pub model: Model,
    /// How.
    pub settings: Settings,
    /// How often.
    pub steps: u64,
    /// Steps whose states are learnt, ascending, counted from one.
    pub learnt: Vec<u64>,
}

/// A run that was stepped, now or before.
pub struct Solved {
    /// Its snapshots.
    pub pose: SolvedPose,
    /// Whether a work file had them.
    pub reused: bool,
}

/// The runs of a scene.
pub fn tasks(scene: &Scene, _body: usize) -> Result<Vec<Task>, Failure> {
    let plan = &scene.training;
    let of_run = |run: &pliant_scene::TrainingRun| {
        let model = run.model(&scene.model);
        let model = model.map_err(|e| Failure::usage(format!("{}: {e}", run.name), None))?;
        Ok(Task {
            name: run.name.clone(),
            model,
            settings: Settings {
                h: run.h,
                integrator: plan.integrator,
                ..scene.settings.clone()
            },
            steps: run.steps,
            learnt: (1..=run.steps).filter(|&step| run.learns(step)).collect(),
        })
    };
    plan.runs.iter().map(of_run).collect()
}

/// Nodes of the body that drives hold or move along all axes, its own numbers.
pub fn held_nodes(model: &Model, body: usize) -> Vec<u32> {
    let range = &model.bodies[body].nodes;
    let mut held: Vec<u32> = (model.drives.iter())
        .filter_map(|drive| match &drive.action {
            Action::Prescribe { nodes, axes, .. } if *axes == [true; 3] => Some(nodes),
            _ => None,
        })
        .flatten()
        .filter(|&&node| range.contains(&(node as usize)))
        .map(|&node| node - range.start as u32)
        .collect();
    held.sort_unstable();
    held.dedup();
    held
}

impl Task {
    /// Identifier of everything that the solution depends on.
    fn key(&self, body: usize) -> u64 {
        let mut hash = Text(Hash::default());
        for body in 0..self.model.bodies.len() {
            let print = Fingerprint::of_body(&self.model, body);
            hash.0.number(print.mesh);
            hash.0.number(print.materials);
        }
        hash.0.number(body as u64);
        self.model.mass.iter().for_each(|&m| hash.0.real(m));
        let Model {
            gravity,
            drives,
            contact,
            joints,
            activations,
            rigid,
            ..
        } = &self.model;
        let what = (gravity, drives, contact, joints, activations, rigid);
        // a hash takes any text
        let _ = write!(
            hash,
            "{what:?} {:?} {} {:?}",
            self.settings, self.steps, self.learnt
        );
        let _ = write!(hash, "{}", env!("CARGO_PKG_VERSION"));
        hash.0.value()
    }

    /// Steps through the run.
    fn solve(
        &self,
        body: usize,
        bar: &ProgressBar,
        stop: &AtomicBool,
    ) -> Result<SolvedPose, String> {
        let new = Simulation::new(self.model.clone(), self.settings.clone(), Method::Full);
        let mut simulation = new.map_err(|e| format!("cannot start: {e}"))?;
        let mut pose = SolvedPose {
            key: self.key(body),
            ..SolvedPose::default()
        };
        let nodes = self.model.bodies[body].nodes.clone();
        for step in 1..=self.steps {
            if stop.load(Ordering::Relaxed) {
                return Err("stopped".into());
            }
            simulation.step().map_err(|e| e.to_string())?;
            bar.inc(1);
            if self.learnt.binary_search(&step).is_ok() {
                let state = simulation.state();
                let activations = self.model.activations.iter();
                pose.snapshots.push(Snapshot {
                    positions: state.positions[nodes.clone()].to_vec(),
                    activations: activations.map(|a| a.at(state.time)).collect(),
                });
            }
        }
        pose.steps = self.steps;
        Ok(pose)
    }
}

struct Text(Hash);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.bytes(text.as_bytes());
        Ok(())
    }
}

/// Solves all runs; those that a work file has are not solved again. The order of results is that of the runs.
pub fn solve(
    tasks: &[Task],
    body: usize,
    threads: usize,
    work: &SolvedPoses,
    bar: &ProgressBar,
) -> Result<Vec<Solved>, Failure> {
    let large = tasks.iter().any(|t| t.model.node_count() > LARGE);
    let workers = if large { 1 } else { threads.min(tasks.len()) }.max(1);
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let results: Mutex<Vec<Option<Result<Solved, Failure>>>> =
        Mutex::new(tasks.iter().map(|_| None).collect());
    let run = |threads: usize| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(index).filter(|_| !stop.load(Ordering::Relaxed)) else {
                return;
            };
            let result = one(task, index, body, threads, work, bar, &stop);
            if result.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            if let Ok(mut results) = results.lock() {
                results[index] = Some(result);
            }
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..workers {
            // threads that do not divide evenly go to the first workers
            let own = threads / workers + usize::from(worker < threads % workers);
            let run = &run;
            scope.spawn(move || run(own.max(1)));
        }
    });
    let results = results
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut solved = Vec::new();
    // the first failure in the order of the runs that is not a consequence of another
    let (mut failure, mut stopped) = (None, None);
    for result in results.into_iter().flatten() {
        match result {
            Ok(pose) => solved.push(pose),
            Err(error) if error.message() == STOPPED => stopped = Some(error),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure.or(stopped) {
        Some(failure) => Err(failure),
        None => Ok(solved),
    }
}

const STOPPED: &str = "stopped";

fn one(
    task: &Task,
    index: usize,
    body: usize,
    threads: usize,
    work: &SolvedPoses,
    bar: &ProgressBar,
    stop: &AtomicBool,
) -> Result<Solved, Failure> {
    let key = task.key(body);
    if let Some(pose) = work.read(index, key) {
        bar.inc(task.steps);
        return Ok(Solved { pose, reused: true });
    }
    let pose = crate::stepping::on_threads(threads, || {
        task.solve(body, bar, stop).map_err(|e| match e.as_str() {
            STOPPED => Failure::simulation(STOPPED),
            _ => Failure::simulation(format!("{}: {e}", task.name)).help(
                "finished runs are kept and used when you train again; a smaller step, more pose_steps or a stable material \
                 may help",
            ),
        })
    })?;
    work.write(index, &pose).map_err(|e| {
        let folder = work.folder().display();
        Failure::usage(format!("cannot write to `{folder}`: {e}"), None)
    })?;
    Ok(Solved {
        pose,
        reused: false,
    })
}
