//! `[training]`.

use super::{PlacedBody, drive, vector};
use crate::error::{KeyPath, Problem};
use crate::file::{
    CubatureMethodName, CubatureTable, IntegratorName, LinearName, SceneTable, TrainRunTable,
    TrainTable,
};
use crate::suggest::did_you_mean;
use pliant_linalg::{CubatureMethod, CubatureSettings, Keep, PcgSettings, Vec3};
use pliant_solid::contact::ContactModel;
use pliant_solid::drive::Drive;
use pliant_solid::model::{Model, ModelError};
use pliant_solid::settings::{
    Integrator, NewtonSettings, PreconditionerChoice, Settings, SolverChoice,
};
use pliant_solid::subspace::train::TrainingSettings;

/// Most steps and most snapshots of a run.
const MOST: f64 = 1e6;

/// Snapshots of the scene itself, where it names no runs.
const SNAPSHOTS: f64 = 20.0;

/// Most iterations of Newton's method: bends of 90° take a hundred from the skinned shape, and fewer than a way there in steps.
const ITERATIONS: u32 = 150;

/// What a body is trained in.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// Place of the body; none where the scene does not say and has none or several that could be meant.
    pub body: Option<usize>,
    /// How much is kept, and how cubature is searched.
    pub settings: TrainingSettings,
    /// Integrator of runs and poses.
    pub integrator: Integrator,
    /// Linear solver of runs and poses.
    pub solver: SolverChoice,
    /// How accurately equilibrium is found in them.
    pub newton: NewtonSettings,
    /// Steps from rest to each pose of a rig.
    pub pose_steps: u64,
    /// Runs of the scene; none where a rig has poses to learn from and the scene names none.
    pub runs: Vec<TrainingRun>,
}

/// A run of the scene with some changes.
#[derive(Clone, Debug)]
pub struct TrainingRun {
    /// For reports.
    pub name: String,
    /// Gravitational acceleration, m/s².
    pub gravity: Vec3,
    /// All drives that act.
    pub drives: Vec<Drive>,
    /// Whether there is contact.
    pub contact: bool,
    /// Time step, s.
    pub h: f64,
    /// Steps.
    pub steps: u64,
    /// States learnt, evenly spaced.
    pub snapshots: u64,
}

impl TrainingRun {
    /// The model of this run.
    pub fn model(&self, scene: &Model) -> Result<Model, ModelError> {
        let mut model = scene.clone();
        model.gravity = self.gravity;
        if !self.contact {
            model.contact = ContactModel::default();
        }
        model.with_drives(self.drives.clone())
    }

    /// Whether the state after a step, counted from one, is learnt.
    pub fn learns(&self, step: u64) -> bool {
        // the k-th snapshot is taken at the first step at or after k steps/snapshots
        let before = |step: u64| step as u128 * self.snapshots as u128 / self.steps as u128;
        before(step) > before(step - 1)
    }
}

pub(super) fn plan(
    table: &SceneTable,
    bodies: &[PlacedBody],
    model: &Model,
    settings: &Settings,
) -> Result<TrainingPlan, Problem> {
    let at = KeyPath::root().key("training");
    let given = &table.training;
    let body = body(given, model, &at)?;
    let scene = Defaults {
        model,
        settings,
        duration: table.time.duration.si,
        bodies,
    };
    let mut runs = Vec::new();
    let poses = body
        .and_then(|b| model.bodies[b].rig.as_ref())
        .is_some_and(|rig| !rig.training.is_empty());
    if given.run.is_empty() && !poses {
        let steps = (scene.duration / settings.h).round().max(1.0);
        let whole = TrainRunTable {
            snapshots: Some(SNAPSHOTS.min(steps) as usize),
            ..TrainRunTable::default()
        };
        runs.push(run(&whole, 0, &at.key("run"), &scene)?);
    }
    for (index, table) in given.run.iter().enumerate() {
        runs.push(run(table, index, &at.key("run").index(index), &scene)?);
    }
    let integrator = match given.integrator.unwrap_or(IntegratorName::QuasiStatic) {
        IntegratorName::LinearImplicit => Integrator::LinearImplicit { beta: 1.0 },
        IntegratorName::ImplicitEuler => Integrator::ImplicitEuler,
        IntegratorName::Bdf2 => Integrator::Bdf2,
        IntegratorName::QuasiStatic => Integrator::QuasiStatic,
    };
    let solver = match (given.linear, settings.solver) {
        (LinearName::Direct, _) => SolverChoice::Direct,
        (LinearName::Pcg, pcg @ SolverChoice::Pcg { .. }) => pcg,
        (LinearName::Pcg, SolverChoice::Direct) => SolverChoice::Pcg {
            settings: PcgSettings::default(),
            preconditioner: PreconditionerChoice::BlockJacobi,
        },
    };
    let tolerance = given.newton_tolerance.map_or(1e-5, |t| t.si);
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let message = format!("newton_tolerance must lie between 0 and 1, not {tolerance}");
        return Err(Problem::new(at.key("newton_tolerance"), message));
    }
    let pose_steps = given.pose_steps.unwrap_or(10);
    if pose_steps == 0 || pose_steps as f64 > MOST {
        let message = format!("pose_steps must lie between 1 and {MOST}, not {pose_steps}");
        return Err(Problem::new(at.key("pose_steps"), message));
    }
    Ok(TrainingPlan {
        body,
        settings: training_settings(given, &at)?,
        integrator,
        solver,
        newton: NewtonSettings {
            relative_tolerance: tolerance,
            max_iterations: ITERATIONS,
        },
        pose_steps,
        runs,
    })
}

/// The body that is named, or the only one that can be meant.
fn body(table: &TrainTable, model: &Model, at: &KeyPath) -> Result<Option<usize>, Problem> {
    let soft = |index: &usize| model.bodies[*index].rigid.is_none();
    let Some(name) = &table.body else {
        let only = |mut all: std::vec::IntoIter<usize>| all.next().filter(|_| all.next().is_none());
        let all: Vec<usize> = (0..model.bodies.len()).filter(soft).collect();
        let rigged = all.iter().filter(|&&b| model.bodies[b].rig.is_some());
        let rigged: Vec<usize> = rigged.copied().collect();
        return Ok(only(rigged.into_iter()).or_else(|| only(all.into_iter())));
    };
    let at = at.key("body");
    match model.bodies.iter().position(|b| b.name == *name) {
        Some(index) if soft(&index) => Ok(Some(index)),
        Some(_) => Err(Problem::new(at, format!("the body `{name}` is rigid"))
            .help("name a soft body: rigid ones need no training")),
        None => {
            let names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
            Err(Problem::new(at, format!("there is no body `{name}`"))
                .help(did_you_mean(name, &names)))
        }
    }
}

struct Defaults<'a> {
    model: &'a Model,
    settings: &'a Settings,
    duration: f64,
    bodies: &'a [PlacedBody],
}

fn run(
    table: &TrainRunTable,
    index: usize,
    at: &KeyPath,
    scene: &Defaults<'_>,
) -> Result<TrainingRun, Problem> {
    let refuse = |key: &str, message: String| Problem::new(at.key(key), message);
    let names: Vec<&str> = scene.model.drives.iter().map(|d| d.name.as_str()).collect();
    for (place, name) in table.without.iter().enumerate() {
        if !names.contains(&name.as_str()) {
            let message = format!("the scene has no drive `{name}`");
            let at = at.key("without").index(place);
            return Err(Problem::new(at, message).help(did_you_mean(name, &names)));
        }
    }
    let kept = |drive: &&Drive| !table.without.contains(&drive.name);
    let mut drives: Vec<Drive> = scene.model.drives.iter().filter(kept).cloned().collect();
    for (place, table) in table.drive.iter().enumerate() {
        let at = at.key("drive").index(place);
        let mut more = drive::drive(table, place, &at, scene.bodies)?;
        if table.name.is_none() {
            more.name = format!("training drive {}", place + 1);
        }
        if drives.iter().any(|d| d.name == more.name) {
            let message = format!("there is a drive `{}` already", more.name);
            let at = if table.name.is_some() {
                at.key("name")
            } else {
                at
            };
            return Err(Problem::new(at, message).help("give it another name"));
        }
        drives.push(more);
    }
    let duration = table.duration.map_or(scene.duration, |t| t.si);
    let h = table.step.map_or(scene.settings.h, |t| t.si);
    for (key, value) in [("duration", duration), ("step", h)] {
        if value <= 0.0 {
            return Err(refuse(
                key,
                format!("{key} must be positive, not {value} s"),
            ));
        }
    }
    let steps = (duration / h).round().max(1.0);
    if steps > MOST {
        return Err(refuse("step", format!("{steps:.3e} steps are too many")));
    }
    let snapshots = table.snapshots.map_or(1.0, |n| n as f64);
    if !(1.0..=steps).contains(&snapshots) {
        let message = format!(
            "snapshots must lie between 1 and the {steps} steps of the run, not {snapshots}"
        );
        return Err(refuse("snapshots", message));
    }
    let run = TrainingRun {
        name: (table.name.clone()).unwrap_or_else(|| format!("run {}", index + 1)),
        gravity: table.gravity.map_or(scene.model.gravity, vector),
        drives,
        contact: table.contact.unwrap_or(false),
        h,
        steps: steps as u64,
        snapshots: snapshots as u64,
    };
    // drives that cannot act together are refused here, not when training has begun
    if !table.drive.is_empty() || !table.without.is_empty() {
        run.model(scene.model)
            .map_err(|e| Problem::new(at.clone(), e.to_string()))?;
    }
    Ok(run)
}

fn training_settings(table: &TrainTable, at: &KeyPath) -> Result<TrainingSettings, Problem> {
    let default = TrainingSettings::default();
    let keep = match (table.variance, table.rank) {
        (Some(_), Some(_)) => {
            let message = "`variance` and `rank` both say how many modes stay: give one of them";
            return Err(Problem::new(at.key("rank"), message));
        }
        (Some(share), None) if share.si > 0.0 && share.si <= 1.0 => Keep::Variance(share.si),
        (Some(share), None) => {
            let message = format!("variance must lie in (0, 1], not {}", share.si);
            return Err(Problem::new(at.key("variance"), message));
        }
        (None, Some(0)) => {
            let message = "a space without modes cannot move: rank must be positive";
            return Err(Problem::new(at.key("rank"), message));
        }
        (None, Some(rank)) => Keep::Rank(rank),
        (None, None) => default.keep,
    };
    let at = at.key("cubature");
    let CubatureTable {
        method,
        points,
        tolerance,
        iterations,
        samples,
        perturbations,
        deviation,
    } = &table.cubature;
    let count = |key: &str, value: Option<usize>, default: usize| match value {
        Some(0) => Err(Problem::new(at.key(key), format!("{key} must be positive"))),
        value => Ok(value.unwrap_or(default)),
    };
    let tolerance = tolerance.map_or(default.cubature.tolerance, |t| t.si);
    if !(0.0..1.0).contains(&tolerance) {
        let message = format!("tolerance must lie between 0 and 1, not {tolerance}");
        return Err(Problem::new(at.key("tolerance"), message));
    }
    let deviation = deviation.map_or(default.deviation, |d| d.si);
    if !(0.0..=10.0).contains(&deviation) {
        let message = format!("deviation must lie between 0 and 10, not {deviation}");
        return Err(Problem::new(at.key("deviation"), message));
    }
    Ok(TrainingSettings {
        keep,
        rigid_modes: table.rigid_modes.unwrap_or(default.rigid_modes),
        cubature: CubatureSettings {
            method: match method {
                CubatureMethodName::NnHtp => CubatureMethod::Thresholding,
                CubatureMethodName::Greedy => CubatureMethod::Greedy,
            },
            points: count("points", *points, default.cubature.points)?,
            tolerance,
            iterations: iterations.unwrap_or(default.cubature.iterations),
            seed: table.seed.unwrap_or(default.cubature.seed),
            ..default.cubature
        },
        samples: count("samples", *samples, default.samples)?,
        perturbations: perturbations.unwrap_or(default.perturbations),
        deviation,
    })
}
