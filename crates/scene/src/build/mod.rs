//! From a scene file to a model that can be stepped.

mod asset;
mod body;
mod check;
mod conjac;
mod contact;
mod cut;
mod drive;
mod dynamic;
mod early_cg;
mod fibre;
mod isodof;
mod joint;
mod mesh_file;
mod obstacle;
mod point;
mod pose;
mod profile;
mod region;
mod rig;
mod rig_file;
mod rigid;
mod rigidify;
mod select;
mod subspace;
mod training;

pub use asset::{AssetUse, Sources};
pub use training::{TrainingPlan, TrainingRun};

use crate::error::{KeyPath, Problem, SceneError};
use crate::file::{
    IntegratorName, LinearName, PreconditionerName, RecordTable, SceneTable, SolverTable, Vector,
};
use crate::parse::SceneFile;
use crate::suggest::did_you_mean;
use crate::trained::{TrainedFile, TrainedFileError};
use crate::units::Quantity;
use pliant_linalg::{PcgSettings, Vec3};
use pliant_mesh::Mesh;
use pliant_mesh::embed::Embedding;
use pliant_mesh::mesh::ELEMENT_LIMIT;
use pliant_solid::contact::ContactError;
use pliant_solid::joint::JointError;
use pliant_solid::model::{Model, ModelError};
use pliant_solid::settings::{
    Integrator, NewtonSettings, PreconditionerChoice, Settings, SolverChoice,
};
use pliant_solid::strategy::Method;
use pliant_solid::subspace::Trained;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most steps of a run: a year of computing, so more is a slip of units.
const STEP_LIMIT: f64 = 1e9;

/// A scene ready to run.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name of the file or embedded scene.
    pub name: String,
    /// Title.
    pub title: String,
    /// One line about it; may be empty.
    pub description: String,
    /// Identifier of the text it was built from, see [`SceneFile::digest`], and of the assets that were used.
    pub digest: u64,
    /// Bodies and drives.
    pub model: Model,
    /// Method.
    pub method: Method,
    /// Whether the scene names its time step, rather than leaving it to the method.
    pub names_step: bool,
    /// Time step, integrator, solver.
    pub settings: Settings,
    /// Simulated time, s.
    pub duration: f64,
    /// What `pliant train` does.
    pub training: TrainingPlan,
    /// What to record.
    pub record: RecordSettings,
    /// For each element of the model an index into `region_names`.
    pub regions: Vec<u32>,
    /// Names of the regions: of the scene file where it sets a material, else of the mesh; all different.
    pub region_names: Vec<String>,
    /// For each body the surface that is drawn in place of its own, if it has one.
    pub embeddings: Vec<Option<Embedding>>,
    /// What was used for each asset.
    pub assets: Vec<AssetUse>,
    /// What the user should be told though nothing is wrong.
    pub notices: Vec<String>,
    /// File of the trained model that the scene names; [`Scene::load_trained`] reads it.
    pub trained: Option<PathBuf>,
}

impl Scene {
    /// Takes another method, with its own time step where the scene names none.
    pub fn set_method(&mut self, method: Method) {
        self.method = method;
        if !self.names_step {
            self.settings.h = method.default_step();
        }
    }

    /// Reads the trained model that the scene names where a method needs one. A missing or stale file is refused with what to do about it.
    pub fn load_trained(&mut self, method: Method) -> Result<(), TrainedFileError> {
        let needed = method.needs_training() && self.model.trained.is_empty();
        let Some(path) = self.trained.as_ref().filter(|_| needed) else {
            return Ok(());
        };
        if !path.exists() {
            return Err(TrainedFileError::Missing {
                path: path.clone(),
                scene: self.name.clone(),
            });
        }
        let file = TrainedFile::read(path)?;
        file.model.check(&self.model)?;
        self.model.trained = vec![Trained {
            model: Arc::new(file.model),
            rig: None,
        }];
        Ok(())
    }

    /// Number of steps that fill the duration.
    pub fn step_count(&self) -> u64 {
        (self.duration / self.settings.h).round().max(1.0) as u64
    }
}

/// What a recording holds and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordSettings {
    /// Time between frames, s.
    pub every: f64,
    /// Record von Mises stresses.
    pub stress: bool,
    /// Record velocities.
    pub velocities: bool,
}

impl RecordSettings {
    /// Steps between frames for time step `h`, at least one.
    pub fn stride(&self, h: f64) -> u64 {
        (self.every / h).round().max(1.0) as u64
    }
}

/// Builds a scene with stand-ins for all assets. Mesh files are looked up from `base`; without it, as for embedded
/// scenes, they are refused.
pub fn build(file: &SceneFile, base: Option<&Path>) -> Result<Scene, SceneError> {
    build_limited(file, base, ELEMENT_LIMIT as u128)
}

/// Builds a scene with files and assets from where `sources` says.
pub fn build_from(file: &SceneFile, sources: &Sources) -> Result<Scene, SceneError> {
    assemble(file, sources, ELEMENT_LIMIT as u128).map_err(|problem| file.error(problem))
}

/// [`build`] with a lower limit on the number of elements, for tests and services.
pub fn build_limited(
    file: &SceneFile,
    base: Option<&Path>,
    element_limit: u128,
) -> Result<Scene, SceneError> {
    let sources = Sources {
        base: base.map(Path::to_path_buf),
        assets: Vec::new(),
    };
    assemble(file, &sources, element_limit).map_err(|problem| file.error(problem))
}

/// What the parts of a body's table were turned into; kept for drives and messages.
struct PlacedBody {
    name: String,
    /// As it is before anything cuts it; nodes have the numbers that they have in the split mesh, twins belong to no element.
    mesh: Mesh,
    /// For bodies that are cut.
    split: Option<cut::SplitMesh>,
    thickness: f64,
    /// Its first node in the model.
    node_offset: u32,
}

fn assemble(file: &SceneFile, sources: &Sources, element_limit: u128) -> Result<Scene, Problem> {
    let table = &file.table;
    let root = KeyPath::root();
    let settings = settings(table)?;
    let record = record(&table.record, &root.key("record"))?;
    check::names(table)?;
    check::sizes(table, element_limit)?;

    let mut files = asset::Files::new(sources);
    let mut specifications = Vec::new();
    let mut placed: Vec<PlacedBody> = Vec::new();
    let mut node_offset = 0u32;
    let mut regions = region::Names::default();
    let mut embeddings = Vec::new();
    let mut cuts = cut::Cuts::new(table)?;
    for (index, body) in table.body.iter().enumerate() {
        let at = root.key("body").index(index);
        let (mut specification, mut embedding) = body::body(body, &at, &mut files)?;
        let rigged = specification.rig.is_some();
        let (mesh, split) = match cuts.split(index, node_offset, &mut specification)? {
            None => (specification.mesh.clone(), None),
            Some((mesh, split)) => (mesh, Some(split)),
        };
        if split.is_some() && rigged {
            return Err(
                Problem::new(at.key("rig"), "a body with a skeleton cannot be cut")
                    .help("remove the cut or `rig`"),
            );
        }
        if split.is_some() && embedding.take().is_some() {
            let notice = "is cut, so its own surface is shown, not the one it would carry along";
            files.notices.push(format!("body `{}` {notice}", body.name));
        }
        embeddings.push(embedding);
        regions.add(body, &specification);
        placed.push(PlacedBody {
            name: body.name.clone(),
            mesh,
            split,
            thickness: specification.thickness,
            node_offset,
        });
        let nodes = u32::try_from(specification.mesh.node_count()).ok();
        node_offset = nodes
            .and_then(|n| node_offset.checked_add(n))
            .ok_or_else(|| {
                Problem::new(
                    at.key("mesh"),
                    "the scene has too many nodes for 32-bit numbers",
                )
            })?;
        specifications.push(specification);
    }
    let gravity = vector(table.gravity);
    if gravity.z != 0.0 && placed.iter().any(|b| b.mesh.is_planar()) {
        let notice = "gravity has a z component, which planar bodies cannot follow";
        files.notices.push(notice.to_string());
    }
    let mut drives = table
        .drive
        .iter()
        .enumerate()
        .map(|(index, drive)| drive::drive(drive, index, &root.key("drive").index(index), &placed))
        .collect::<Result<Vec<_>, _>>()?;
    for (body, specification) in placed.iter().zip(&specifications) {
        if let Some(rig) = &specification.rig {
            drives.push(rig.drive(format!("{} skeleton", body.name), body.node_offset));
        }
    }
    dynamic::representatives(&table.body, &placed, &drives, &mut specifications)?;
    let names: Vec<String> = drives.iter().map(|d| d.name.clone()).collect();
    let obstacles = obstacle::obstacles(&table.obstacle, &mut files)?;
    let contact = contact::contact(table.contact.as_ref(), obstacles)?;
    let chains = rigid::chains(&table.chain, &placed, &mut specifications)?;
    let model = Model::build_articulated(specifications, chains, drives, gravity)
        .and_then(|model| model.with_contact(contact))
        .map_err(|e| model_problem(e, table, &names))?;
    let model = with_joints(model, table, &placed)?;
    let model = model.with_seams(cuts.seams()).map_err(|e| match &e {
        ModelError::Seam { seam, .. } => Problem::new(cuts.place(seam), e.to_string()),
        _ => model_problem(e, table, &names),
    })?;
    let training = training::plan(table, &placed, &model, &settings)?;
    Ok(Scene {
        name: file.name.clone(),
        title: table.title.clone(),
        description: table.description.clone(),
        digest: files.digest(file.digest()),
        model,
        method: method(&table.solver)?,
        names_step: table.time.step.is_some(),
        settings,
        duration: table.time.duration.si,
        training,
        record,
        regions: regions.of_elements,
        region_names: regions.names,
        embeddings,
        assets: files.assets,
        notices: files.notices,
        trained: (table.solver.subspace.model.as_ref()).map(|path| match &sources.base {
            Some(base) => base.join(path),
            None => PathBuf::from(path),
        }),
    })
}

/// The model with the joints of the scene, which refer to its bodies.
fn with_joints(model: Model, table: &SceneTable, bodies: &[PlacedBody]) -> Result<Model, Problem> {
    let places = point::Places {
        bodies,
        model: &model,
    };
    let (joints, tables): (Vec<_>, Vec<_>) = joint::joints(table, &places)?.into_iter().unzip();
    model.with_joints(joints).map_err(|error| match error {
        ModelError::Joint(JointError { index, reason, .. }) => {
            Problem::new(tables[index].clone(), reason)
        }
        other => model_problem(other, table, &[]),
    })
}

/// The place of an error that the model found although the parts looked right.
fn model_problem(error: ModelError, table: &SceneTable, drives: &[String]) -> Problem {
    let body = |name: &str, key: &str| {
        let index = table.body.iter().position(|b| b.name == name).unwrap_or(0);
        KeyPath::root().key("body").index(index).key(key)
    };
    let drive = |name: &str| {
        let index = drives.iter().position(|d| d == name).unwrap_or(0);
        if index >= table.drive.len() {
            // that of a skeleton, after all that the scene names
            let owner = table
                .body
                .iter()
                .position(|b| format!("{} skeleton", b.name) == name);
            return KeyPath::root()
                .key("body")
                .index(owner.unwrap_or(0))
                .key("rig");
        }
        KeyPath::root().key("drive").index(index).key("select")
    };
    let at = match &error {
        ModelError::NoBodies => KeyPath::root(),
        ModelError::Material { body: name, .. } => body(name, "material"),
        ModelError::Length { body: name, .. } | ModelError::Degenerate { body: name, .. } => {
            body(name, "mesh")
        }
        ModelError::NoOctets { body: name, .. }
        | ModelError::MixedOctet { body: name, .. }
        | ModelError::NotAveraged { body: name, .. } => body(name, "element"),
        ModelError::Representative { body: name, .. } => body(name, "dynamic"),
        ModelError::Fibre { body: name, .. } => {
            body(name, "material").key("fibre").key("direction")
        }
        ModelError::Rig { body: name, .. } => body(name, "rig"),
        ModelError::PlanarRigid { body: name } | ModelError::DrivenRigid { body: name, .. } => {
            body(name, "rigid")
        }
        ModelError::Rigid(_) | ModelError::Joint(_) | ModelError::Seam { .. } => KeyPath::root(),
        ModelError::Contact(ContactError::Parameter { parameter, .. }) => {
            KeyPath::root().key("contact").key(parameter)
        }
        ModelError::Contact(ContactError::PenaltyRigid { .. }) => {
            KeyPath::root().key("contact").key("model")
        }
        ModelError::Contact(ContactError::Obstacle { index, .. }) => {
            KeyPath::root().key("obstacle").index(*index)
        }
        ModelError::Drive { drive: name, .. } | ModelError::Conflict { second: name, .. } => {
            drive(name)
        }
    };
    Problem::new(at, error.to_string())
}

fn settings(table: &SceneTable) -> Result<Settings, Problem> {
    let time = KeyPath::root().key("time");
    let default_step = method(&table.solver)?.default_step();
    let h = table.time.step.map_or(default_step, |step| step.si);
    let duration = table.time.duration.si;
    for (key, value) in [("step", h), ("duration", duration)] {
        if value <= 0.0 {
            return Err(Problem::new(
                time.key(key),
                format!("the {key} must be positive, not {value} s"),
            ));
        }
    }
    if h > duration {
        return Err(Problem::new(
            time.key("step"),
            format!("the step of {h} s is longer than the duration of {duration} s"),
        )
        .help("shorten the step or lengthen the duration"));
    }
    if duration / h > STEP_LIMIT {
        return Err(Problem::new(
            time.key("step"),
            format!("{:.3e} steps are too many", duration / h),
        )
        .help(format!(
            "the limit is {STEP_LIMIT:e}: check the units of step and duration"
        )));
    }

    let solver = &table.solver;
    let at = KeyPath::root().key("solver");
    method(solver)?;
    let positive = |key: &str, value: f64| {
        if value > 0.0 {
            return Ok(value);
        }
        Err(Problem::new(
            at.key(key),
            format!("{key} must be positive, not {value}"),
        ))
    };
    let only_for = |key: &str, given: bool, allowed: bool, what: &str| {
        if given && !allowed {
            return Err(
                Problem::new(at.key(key), format!("{key} is only used with {what}"))
                    .help("remove it"),
            );
        }
        Ok(())
    };
    let linear_implicit = solver.integrator == IntegratorName::LinearImplicit;
    let pcg = solver.linear == LinearName::Pcg;
    only_for(
        "beta",
        solver.beta.is_some(),
        linear_implicit,
        "integrator = \"linear-implicit\"",
    )?;
    only_for(
        "tolerance",
        solver.tolerance.is_some(),
        pcg,
        "linear = \"pcg\"",
    )?;
    only_for(
        "max_iterations",
        solver.max_iterations.is_some(),
        pcg,
        "linear = \"pcg\"",
    )?;
    only_for(
        "preconditioner",
        solver.preconditioner.is_some(),
        pcg,
        "linear = \"pcg\"",
    )?;
    let newton = "an integrator other than \"linear-implicit\"";
    only_for(
        "newton_tolerance",
        solver.newton_tolerance.is_some(),
        !linear_implicit,
        newton,
    )?;
    only_for(
        "newton_iterations",
        solver.newton_iterations.is_some(),
        !linear_implicit,
        newton,
    )?;

    let integrator = match solver.integrator {
        IntegratorName::LinearImplicit => Integrator::LinearImplicit {
            beta: positive("beta", solver.beta.map_or(1.0, |b| b.si))?,
        },
        IntegratorName::ImplicitEuler => Integrator::ImplicitEuler,
        IntegratorName::Bdf2 => Integrator::Bdf2,
        IntegratorName::QuasiStatic => Integrator::QuasiStatic,
    };
    let defaults = PcgSettings::default();
    let linear = match solver.linear {
        LinearName::Direct => SolverChoice::Direct,
        LinearName::Pcg => SolverChoice::Pcg {
            settings: PcgSettings {
                relative_tolerance: positive(
                    "tolerance",
                    solver
                        .tolerance
                        .map_or(defaults.relative_tolerance, |t| t.si),
                )?,
                max_iterations: positive(
                    "max_iterations",
                    solver.max_iterations.unwrap_or(defaults.max_iterations) as f64,
                )? as usize,
                ..defaults
            },
            preconditioner: preconditioner(solver.preconditioner.unwrap_or_default()),
        },
    };
    let newton = NewtonSettings::default();
    Ok(Settings {
        h,
        integrator,
        solver: linear,
        early_cg: early_cg::settings(&solver.early_cg, &at.key("early_cg"))?,
        isodof: isodof::settings(&solver.isodof, linear_implicit, &at.key("isodof"))?,
        conjac: conjac::settings(&solver.conjac, &at.key("conjac"))?,
        rigidify: rigidify::settings(&solver.rigidify, &at.key("rigidify"))?,
        subspace: subspace::settings(&solver.subspace, &at.key("subspace"))?,
        newton: NewtonSettings {
            relative_tolerance: positive(
                "newton_tolerance",
                solver
                    .newton_tolerance
                    .map_or(newton.relative_tolerance, |t| t.si),
            )?,
            max_iterations: positive(
                "newton_iterations",
                f64::from(solver.newton_iterations.unwrap_or(newton.max_iterations)),
            )? as u32,
        },
        tolerance: match table.time.tolerance.map(|t| t.si) {
            Some(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Some(tolerance),
            Some(tolerance) => {
                let message = format!("tolerance must lie between 0 and 1, not {tolerance}");
                return Err(Problem::new(time.key("tolerance"), message));
            }
            None => None,
        },
        max_halvings: solver
            .max_halvings
            .unwrap_or(Settings::default().max_halvings),
    })
}

fn preconditioner(name: PreconditionerName) -> PreconditionerChoice {
    match name {
        PreconditionerName::Identity => PreconditionerChoice::Identity,
        PreconditionerName::Mass => PreconditionerChoice::Mass,
        PreconditionerName::Jacobi => PreconditionerChoice::Jacobi,
        PreconditionerName::BlockJacobi => PreconditionerChoice::BlockJacobi,
        PreconditionerName::GaussSeidel => PreconditionerChoice::GaussSeidel,
    }
}

fn method(solver: &SolverTable) -> Result<Method, Problem> {
    let Some(name) = &solver.method else {
        return Ok(Method::default());
    };
    Method::from_name(name).ok_or_else(|| {
        let known = Method::ALL.map(Method::name);
        let at = KeyPath::root().key("solver").key("method");
        Problem::new(at, format!("there is no method `{name}`")).help(did_you_mean(name, &known))
    })
}

fn record(table: &RecordTable, at: &KeyPath) -> Result<RecordSettings, Problem> {
    let every = match (table.every, table.fps) {
        (Some(_), Some(_)) => {
            return Err(
                Problem::new(at.key("fps"), "both `every` and `fps` are given")
                    .help("remove one of them"),
            );
        }
        (Some(every), None) if every.si > 0.0 => every.si,
        (Some(every), None) => {
            return Err(Problem::new(
                at.key("every"),
                format!("the time between frames must be positive, not {every}"),
            ));
        }
        (None, Some(fps)) if fps.si > 0.0 && (1.0 / fps.si).is_finite() => 1.0 / fps.si,
        (None, Some(fps)) => {
            return Err(Problem::new(
                at.key("fps"),
                format!(
                    "the number of frames a second must be positive, not {}",
                    fps.si
                ),
            ));
        }
        (None, None) => 1.0 / 60.0,
    };
    Ok(RecordSettings {
        every,
        stress: table.stress.unwrap_or(true),
        velocities: table.velocities.unwrap_or(false),
    })
}

/// Three quantities in SI units.
fn vector<D>(v: Vector<Quantity<D>>) -> Vec3 {
    Vec3::from(v.map(|q| q.si))
}

/// A unit vector, or a problem at `at`.
fn direction<D>(v: Vector<Quantity<D>>, at: &KeyPath) -> Result<Vec3, Problem> {
    vector(v).normalized().ok_or_else(|| {
        Problem::new(at.clone(), "this vector has no direction")
            .help("at least one component must differ from zero")
    })
}
