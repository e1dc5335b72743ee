//! The full solutions that a training learns from: poses of a rig and runs of the scene, several at a time, kept as they are finished.

use crate::failure::Failure;
use indicatif::ProgressBar;
use pliant_mesh::rig::{SkeletonMotion, Skinning};
use pliant_scene::trained::{SolvedPose, SolvedPoses};
use pliant_scene::{Scene, TrainingRun};
use pliant_solid::Simulation;
use pliant_solid::drive::Action;
use pliant_solid::model::{Model, ModelError};
use pliant_solid::rig::NamedPose;
use pliant_solid::settings::Settings;
use pliant_solid::strategy::Method;
use pliant_solid::subspace::train::Snapshot;
use pliant_solid::subspace::{Fingerprint, Hash};
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Nodes from which a run has all threads for itself: it uses them well, and needs much memory.
const LARGE: usize = 60_000;

/// How far beyond the tolerance a residual may be in a state that is learnt.
const MISSED: f64 = 100.0;

/// Says of a run that it ended because another had failed.
const STOPPED: &str = "stopped";

/// Something to solve, from which snapshots are learnt.
pub struct Task {
    /// For reports.
    pub name: String,
    what: What,
    h: f64,
    /// Steps, if nothing goes wrong.
    pub steps: u64,
    /// Steps whose states are learnt, ascending, counted from one.
    learnt: Vec<u64>,
}

enum What {
    /// One step to the equilibrium of a pose, from the shape that skinning gives the body; where that fails, many from rest.
    Pose(NamedPose),
    Run(TrainingRun),
}

/// A task that was solved, now or before.
pub struct Solved {
    /// Its snapshots.
    pub pose: SolvedPose,
    /// Whether a work file had them.
    pub reused: bool,
}

/// The training poses of a body's rig, and the runs of a scene.
pub fn tasks(scene: &Scene, body: usize) -> Vec<Task> {
    let rig = scene.model.bodies[body].rig.as_ref();
    let poses = rig.map_or(&[][..], |rig| &rig.training);
    let of_pose = |pose: &NamedPose| Task {
        name: pose.name.clone(),
        what: What::Pose(pose.clone()),
        h: scene.settings.h,
        steps: 1,
        learnt: vec![1],
    };
    let of_run = |run: &TrainingRun| Task {
        name: run.name.clone(),
        what: What::Run(run.clone()),
        h: run.h,
        steps: run.steps,
        learnt: (1..=run.steps).filter(|&step| run.learns(step)).collect(),
    };
    let runs = scene.training.runs.iter().map(of_run);
    poses.iter().map(of_pose).chain(runs).collect()
}

/// Nodes of the body that drives hold or move along all axes, its own numbers.
pub fn held_nodes(model: &Model, body: usize) -> Vec<u32> {
    let range = &model.bodies[body].nodes;
    let mut held: Vec<u32> = (model.drives.iter())
        .filter_map(|drive| drive.action.prescribed())
        .filter(|(_, axes)| *axes == [true; 3])
        .flat_map(|(nodes, _)| nodes)
        .filter(|&&node| range.contains(&(node as usize)))
        .map(|&node| node - range.start as u32)
        .collect();
    held.sort_unstable();
    held.dedup();
    held
}

impl Task {
    /// Whether its states are of a run with contact.
    pub fn touches(&self) -> bool {
        matches!(&self.what, What::Run(run) if run.contact)
    }

    /// How many states of it are learnt.
    pub fn snapshot_count(&self) -> usize {
        self.learnt.len()
    }

    /// What is stepped.
    fn model(&self, scene: &Scene, body: usize) -> Result<Model, ModelError> {
        match &self.what {
            What::Run(run) => run.model(&scene.model),
            What::Pose(pose) => posed(scene, body, SkeletonMotion::held(pose.pose.clone())),
        }
    }

    /// The way from rest to a pose, and its steps.
    fn detour(&self, scene: &Scene, body: usize) -> Option<(Result<Model, ModelError>, u64)> {
        let (What::Pose(pose), Some(rig)) = (&self.what, &scene.model.bodies[body].rig) else {
            return None;
        };
        let steps = scene.training.pose_steps;
        let motion = rig.motion_to(&pose.pose, steps as f64 * self.h);
        Some((posed(scene, body, motion), steps))
    }

    fn settings(&self, scene: &Scene) -> Settings {
        Settings {
            h: self.h,
            integrator: scene.training.integrator,
            solver: scene.training.solver,
            newton: scene.training.newton,
            ..scene.settings.clone()
        }
    }

    /// How the body is skinned in each snapshot; none without a rig.
    pub fn skinnings(&self, scene: &Scene, body: usize) -> Vec<Skinning> {
        let Some(rig) = &scene.model.bodies[body].rig else {
            return Vec::new();
        };
        match &self.what {
            What::Pose(pose) => vec![Skinning::of(&rig.skeleton, &pose.pose)],
            What::Run(_) => {
                let at = |step: &u64| rig.skinning_at(*step as f64 * self.h);
                self.learnt.iter().map(at).collect()
            }
        }
    }

    /// Identifier of everything that the solution depends on.
    fn key(&self, scene: &Scene, body: usize, model: &Model) -> u64 {
        let mut hash = Text(Hash::default());
        for body in 0..model.bodies.len() {
            let Fingerprint {
                mesh,
                materials,
                rig,
            } = Fingerprint::of_body(model, body);
            [mesh, materials, rig]
                .into_iter()
                .for_each(|part| hash.0.number(part));
        }
        hash.0.number(body as u64);
        model.mass.iter().for_each(|&m| hash.0.real(m));
        // a hash takes any text
        for drive in &model.drives {
            let _ = match &drive.action {
                // of the rig the fingerprint has all but the motion
                Action::Skin { rig, .. } => write!(hash, "{:?}", rig.motion),
                action => write!(hash, "{action:?}"),
            };
        }
        let Model {
            gravity,
            contact,
            joints,
            activations,
            rigid,
            ..
        } = model;
        let _ = write!(
            hash,
            "{gravity:?} {contact:?} {joints:?} {activations:?} {rigid:?}"
        );
        let settings = self.settings(scene);
        let _ = write!(hash, "{settings:?} {} {:?}", self.steps, self.learnt);
        let _ = write!(
            hash,
            "{} {}",
            scene.training.pose_steps,
            env!("CARGO_PKG_VERSION")
        );
        hash.0.value()
    }
}

/// The scene's model without contact and with another motion of a skeleton.
fn posed(scene: &Scene, body: usize, motion: SkeletonMotion) -> Result<Model, ModelError> {
    let mut model = scene.model.clone();
    model.contact = Default::default();
    model.with_rig_motion(body, motion)
}

struct Text(Hash);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.bytes(text.as_bytes());
        Ok(())
    }
}

/// All that solving needs, shared by the workers.
pub struct Solver<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// The body that is trained.
    pub body: usize,
    /// Where solutions are kept.
    pub work: &'a SolvedPoses,
    /// Counts steps.
    pub bar: &'a ProgressBar,
}

impl Solver<'_> {
    /// Solves all tasks; those that a work file has are not solved again. The order of results is that of the tasks.
    pub fn solve(&self, tasks: &[Task], threads: usize) -> Result<Vec<Solved>, Failure> {
        let large = self.scene.model.node_count() > LARGE;
        let workers = if large { 1 } else { threads.min(tasks.len()) }.max(1);
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let none: Vec<Option<Result<Solved, Failure>>> = tasks.iter().map(|_| None).collect();
        let results = Mutex::new(none);
        let run = |threads: usize| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index).filter(|_| !stop.load(Ordering::Relaxed)) else {
                    return;
                };
                let result = self.one(task, index, threads, &stop);
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
        let results = (results.into_inner()).unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut solved = Vec::new();
        // the first failure in the order of the tasks that is not a consequence of another
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

    fn one(
        &self,
        task: &Task,
        index: usize,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Solved, Failure> {
        let refuse = |e: ModelError| Failure::usage(format!("{}: {e}", task.name), None);
        let model = task.model(self.scene, self.body).map_err(refuse)?;
        let key = task.key(self.scene, self.body, &model);
        if let Some(pose) = self.work.read(index, key) {
            self.bar.inc(task.steps);
            return Ok(Solved { pose, reused: true });
        }
        let mut result = crate::stepping::on_threads(threads, || {
            self.walk(task, model, task.steps, &task.learnt, stop)
        });
        if let Err(error) = &result
            && error.message() != STOPPED
            && let Some((model, steps)) = task.detour(self.scene, self.body)
        {
            let model = model.map_err(refuse)?;
            self.bar.inc_length(steps);
            result = crate::stepping::on_threads(threads, || {
                self.walk(task, model, steps, &[steps], stop)
            });
        }
        let pose = SolvedPose { key, ..result? };
        self.work.write(index, &pose).map_err(|e| {
            let folder = self.work.folder().display();
            Failure::usage(format!("cannot write to `{folder}`: {e}"), None)
        })?;
        Ok(Solved {
            pose,
            reused: false,
        })
    }

    /// Steps a model and keeps the states that are learnt.
    fn walk(
        &self,
        task: &Task,
        model: Model,
        steps: u64,
        learnt: &[u64],
        stop: &AtomicBool,
    ) -> Result<SolvedPose, Failure> {
        let fail = |e: String| {
            Failure::simulation(format!("{}: {e}", task.name)).help(
                "finished runs are kept and used when you train again; a smaller step, more pose_steps or a stable material \
                 may help",
            )
        };
        let nodes = model.bodies[self.body].nodes.clone();
        let new = Simulation::new(model, task.settings(self.scene), Method::Full);
        let mut simulation = new.map_err(|e| fail(format!("cannot start: {e}")))?;
        let mut pose = SolvedPose {
            steps,
            ..SolvedPose::default()
        };
        for step in 1..=steps {
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::simulation(STOPPED));
            }
            simulation.step().map_err(|e| fail(e.to_string()))?;
            self.bar.inc(1);
            if learnt.binary_search(&step).is_ok() {
                let residual = simulation.report().newton_residual;
                if residual > MISSED * self.scene.training.newton.relative_tolerance {
                    return Err(fail(format!(
                        "equilibrium was not found, the relative residual is {residual:.1e}"
                    )));
                }
                pose.residual = pose.residual.max(residual);
                let (state, model) = (simulation.state(), simulation.model());
                let activations = model.activations.iter();
                pose.snapshots.push(Snapshot {
                    positions: state.positions[nodes.clone()].to_vec(),
                    activations: activations.map(|a| a.at(state.time)).collect(),
                });
            }
        }
        Ok(pose)
    }
}
