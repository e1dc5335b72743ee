//! A simulation for Python: stepping without the interpreter, arrays of the state, reports, checkpoints, the folder of a run.
//!
//! Everything is behind one lock that nobody waits for: a second thread that touches a simulation while it steps is told so.

use crate::change::Change;
use crate::error;
use crate::kept_changes;
use crate::report;
use crate::shown::Shown;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pliant_cli::recorder::{Recorder, read_checkpoint, save_checkpoint};
use pliant_linalg::Vec3;
use pliant_scene::{Scene, SceneFile, Sources, build_from, parse};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactReadout, Partner};
use pliant_solid::green::green_strain;
use pliant_solid::report::StepError;
use pliant_solid::strategy::Method;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long steps go on before somebody looks whether Ctrl-C was pressed.
const UNATTENDED: Duration = Duration::from_millis(50);

/// A simulation with all that belongs to it.
#[pyclass(frozen, module = "pliant._pliant")]
pub struct Engine(Mutex<Inner>);

pub struct Inner {
    pub file: SceneFile,
    pub sources: Sources,
    pub scene: Scene,
    pub simulation: Simulation,
    pub threads: usize,
    pub pool: ThreadPool,
    pub recorder: Option<Recorder>,
    /// What the last step left, where the stepper no longer knows it.
    pub kept: Option<Kept>,
    /// What was changed from outside since the start.
    pub changes: Vec<Change>,
    arrays: Arrays,
}

/// Results of a step that would go with its stepper.
pub struct Kept {
    contacts: ContactReadout,
    stress: Vec<[f64; 6]>,
    von_mises: Vec<f64>,
}

struct Arrays {
    positions: Shown<f64>,
    velocities: Shown<f64>,
    stress: Shown<f64>,
    von_mises: Shown<f64>,
    strain: Shown<f64>,
    contact_force: Shown<f64>,
    element_state: Shown<u8>,
}

impl Arrays {
    fn new() -> Arrays {
        Arrays {
            positions: Shown::new(3),
            velocities: Shown::new(3),
            stress: Shown::new(6),
            von_mises: Shown::new(0),
            strain: Shown::new(6),
            contact_force: Shown::new(3),
            element_state: Shown::new(0),
        }
    }

    fn all(&mut self) -> [&mut Shown<f64>; 6] {
        let Arrays {
            positions,
            velocities,
            stress,
            von_mises,
            strain,
            contact_force,
            element_state: _,
        } = self;
        [
            positions,
            velocities,
            stress,
            von_mises,
            strain,
            contact_force,
        ]
    }
}

/// The method of this name; none stays none.
pub fn method(py: Python<'_>, name: Option<&str>) -> PyResult<Option<Method>> {
    let found = name.map(pliant_cli::method).transpose();
    found.map_err(|e| error::failure(py, "MethodError", &e))
}

/// Folders of assets: the one given, or those of the environment.
pub fn asset_folders(py: Python<'_>, given: Option<PathBuf>) -> PyResult<Vec<PathBuf>> {
    let found = pliant_cli::asset_folders(given.as_deref());
    found.map_err(|e| error::failure(py, "SceneError", &e))
}

/// Threads of their own, as many as cores where none is named.
pub fn pool(py: Python<'_>, threads: Option<usize>) -> PyResult<ThreadPool> {
    let threads = pliant_cli::threads(threads);
    let threads = threads.map_err(|e| error::failure(py, "Error", &e))?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| error::refused(py, "Error", e.to_string()))
}

impl Inner {
    /// Up to `steps` steps, for about as long as nobody is missed; how many were taken.
    fn advance(&mut self, steps: u64) -> (u64, Result<(), Stop>) {
        let Inner {
            pool,
            simulation,
            scene,
            recorder,
            ..
        } = self;
        let started = Instant::now();
        pool.install(|| {
            let mut taken = 0;
            while taken < steps && (taken == 0 || started.elapsed() < UNATTENDED) {
                if let Err(error) = simulation.step() {
                    return (taken, Err(Stop::Step(error)));
                }
                taken += 1;
                if let Some(recorder) = recorder
                    && let Err(failure) = recorder.step(scene, simulation)
                {
                    return (taken, Err(Stop::Recorder(failure)));
                }
            }
            (taken, Ok(()))
        })
    }

    /// The state is another one: arrays that follow it are filled again, others when they are asked for.
    pub fn moved(&mut self, py: Python<'_>) -> PyResult<()> {
        self.kept = None;
        self.arrays.all().into_iter().for_each(Shown::outdate);
        self.arrays.element_state.outdate();
        if self.arrays.positions.is_wanted() {
            self.positions(py)?;
        }
        if self.arrays.velocities.is_wanted() {
            self.velocities(py)?;
        }
        Ok(())
    }

    /// There are other nodes and elements.
    pub fn remeshed(&mut self) {
        self.kept = None;
        self.arrays.all().into_iter().for_each(Shown::forget);
        self.arrays.element_state.forget();
    }

    /// Keeps what the last step left before its stepper is replaced.
    pub fn keep(&mut self) {
        if self.kept.is_none() {
            let stress = self.simulation.forces().stress.iter();
            self.kept = Some(Kept {
                contacts: self.simulation.contacts(),
                stress: stress.clone().map(|s| s.cauchy).collect(),
                von_mises: stress.map(|s| s.von_mises).collect(),
            });
        }
    }

    fn positions(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let positions = &self.simulation.state().positions;
        (self.arrays.positions).show(py, positions.len(), |to| copy(positions, to))
    }

    fn velocities(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let velocities = &self.simulation.state().velocities;
        (self.arrays.velocities).show(py, velocities.len(), |to| copy(velocities, to))
    }

    /// Contacts of the last step.
    fn contacts(&self) -> ContactReadout {
        let kept = self.kept.as_ref().map(|kept| kept.contacts.clone());
        kept.unwrap_or_else(|| self.simulation.contacts())
    }
}

/// Why steps ended early.
enum Stop {
    Step(StepError),
    Recorder(pliant_cli::Failure),
}

fn copy(from: &[Vec3], to: &mut [f64]) -> PyResult<()> {
    for (row, v) in to.chunks_exact_mut(3).zip(from) {
        row.copy_from_slice(&v.to_array());
    }
    Ok(())
}

/// Rows of three finite numbers, one a node.
pub fn vectors(
    py: Python<'_>,
    rows: &PyReadonlyArray2<'_, f64>,
    count: usize,
) -> PyResult<Vec<Vec3>> {
    if rows.shape() != [count, 3] {
        let message = format!("the shape must be ({count}, 3), not {:?}", rows.shape());
        return Err(error::refused(py, "ShapeError", message));
    }
    let rows: Vec<Vec3> = (rows.as_array().rows().into_iter())
        .map(|row| Vec3::new(row[0], row[1], row[2]))
        .collect();
    if let Some(row) = rows.iter().position(|v| !v.is_finite()) {
        let message = format!("row {row} is not finite");
        return Err(error::refused(py, "ShapeError", message));
    }
    Ok(rows)
}

impl Engine {
    /// The simulation, unless another thread steps it now.
    pub fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        self.0.try_lock().map_err(|_| {
            let message = "this simulation is stepping in another thread: wait for it, or give each thread its own";
            error::refused(py, "BusyError", message)
        })
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (text, name, base, assets, method, step, threads))]
    #[allow(clippy::too_many_arguments)] // keywords in Python
    fn new(
        py: Python<'_>,
        text: &str,
        name: &str,
        base: Option<PathBuf>,
        assets: Option<PathBuf>,
        method: Option<&str>,
        step: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Engine> {
        let method = self::method(py, method)?;
        let assets = asset_folders(py, assets)?;
        let pool = pool(py, threads)?;
        let sources = Sources { base, assets };
        let built = py.detach(|| {
            pool.install(|| {
                let file = parse(text, name)?;
                build_from(&file, &sources).map(|scene| (file, scene))
            })
        });
        let (file, mut scene) = built.map_err(|e| error::scene(py, &e))?;
        if let Some(method) = method {
            scene.set_method(method);
        }
        if let Some(h) = step {
            if !(h.is_finite() && h > 0.0) {
                let message = format!("the time step must be positive, not {h} s");
                return Err(error::refused(py, "SceneError", message));
            }
            scene.settings.h = h;
        }
        let method = scene.method;
        let loaded = pliant_cli::load_trained(&mut scene, method);
        loaded.map_err(|e| error::failure(py, "MethodError", &e))?;
        let state = scene.model.initial_state();
        let started = py.detach(|| pool.install(|| pliant_cli::start(&scene, state)));
        let simulation = started.map_err(|e| error::failure(py, "MethodError", &e))?;
        Ok(Engine(Mutex::new(Inner {
            file,
            sources,
            scene,
            simulation,
            threads: pool.current_num_threads(),
            pool,
            recorder: None,
            kept: None,
            changes: Vec::new(),
            arrays: Arrays::new(),
        })))
    }

    /// Takes steps. Ctrl-C ends it between two of them.
    fn advance(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        let mut guard = self.lock(py)?;
        let inner: &mut Inner = &mut guard;
        let mut left = steps;
        while left > 0 {
            let (taken, result) = py.detach(|| inner.advance(left));
            left -= taken;
            let interrupted = py.check_signals();
            if left == 0 || result.is_err() || interrupted.is_err() {
                inner.moved(py)?;
            }
            match result {
                Ok(()) => {}
                Err(Stop::Step(error)) => return Err(error::step(py, &error)),
                Err(Stop::Recorder(failure)) => {
                    return Err(error::failure(py, "RecordingError", &failure));
                }
            }
            interrupted?;
        }
        Ok(())
    }

    #[getter]
    fn step_number(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.simulation.step_number())
    }

    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.simulation.time())
    }

    /// Length of a step, s; steps of the whole scene; method; threads.
    fn plan(&self, py: Python<'_>) -> PyResult<(f64, u64, &'static str, usize)> {
        let inner = self.lock(py)?;
        let scene = &inner.scene;
        Ok((
            scene.settings.h,
            scene.step_count(),
            scene.method.name(),
            inner.threads,
        ))
    }

    /// The scene's text, with cuts that were made since.
    fn scene_text(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.file.text.clone())
    }

    /// Remarks on the scene.
    fn notices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.lock(py)?.scene.notices.clone())
    }

    /// Sets for how long the scene goes on, s.
    fn set_duration(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        self.lock(py)?.scene.duration = seconds;
        Ok(())
    }

    #[getter]
    fn x(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.lock(py)?.positions(py)
    }

    #[getter]
    fn v(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.lock(py)?.velocities(py)
    }

    /// Puts all nodes somewhere else, or gives them other velocities.
    #[pyo3(signature = (positions, velocities))]
    fn set_state(
        &self,
        py: Python<'_>,
        positions: Option<PyReadonlyArray2<'_, f64>>,
        velocities: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let mut guard = self.lock(py)?;
        let inner: &mut Inner = &mut guard;
        let count = inner.simulation.model().node_count();
        if !inner.simulation.model().rigid.bodies.is_empty() {
            let message = "the scene has rigid bodies, whose nodes follow their poses: states can be set only where all bodies are soft";
            return Err(error::refused(py, "StateError", message));
        }
        let read = |rows: Option<PyReadonlyArray2<'_, f64>>| {
            rows.map(|rows| vectors(py, &rows, count)).transpose()
        };
        let (positions, velocities) = (read(positions)?, read(velocities)?);
        let state = inner.simulation.state_mut();
        if let Some(positions) = positions {
            state.positions.copy_from_slice(&positions);
        }
        if let Some(velocities) = velocities {
            state.velocities.copy_from_slice(&velocities);
        }
        inner.moved(py)
    }

    /// Cauchy stress, Pa.
    #[getter]
    fn stress(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut guard = self.lock(py)?;
        let Inner {
            arrays,
            simulation,
            kept,
            ..
        } = &mut *guard;
        let count = simulation.model().element_count();
        arrays.stress.show(py, count, |to| {
            to.fill(0.0); // before the first step there is none
            let rows = to.chunks_exact_mut(6);
            match kept {
                Some(kept) => rows
                    .zip(&kept.stress)
                    .for_each(|(to, s)| to.copy_from_slice(s)),
                None => (rows.zip(&simulation.forces().stress))
                    .for_each(|(to, s)| to.copy_from_slice(&s.cauchy)),
            }
            Ok(())
        })
    }

    /// Von Mises stress, Pa.
    #[getter]
    fn von_mises(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut guard = self.lock(py)?;
        let Inner {
            arrays,
            simulation,
            kept,
            ..
        } = &mut *guard;
        let count = simulation.model().element_count();
        arrays.von_mises.show(py, count, |to| {
            to.fill(0.0);
            match kept {
                Some(kept) => (to.iter_mut().zip(&kept.von_mises)).for_each(|(to, s)| *to = *s),
                None => (to.iter_mut().zip(&simulation.forces().stress))
                    .for_each(|(to, s)| *to = s.von_mises),
            }
            Ok(())
        })
    }

    /// Green's strain.
    #[getter]
    fn strain(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut guard = self.lock(py)?;
        let Inner {
            arrays, simulation, ..
        } = &mut *guard;
        let model = simulation.model();
        arrays.strain.show(py, model.element_count(), |to| {
            let (rows, _) = to.as_chunks_mut::<6>();
            green_strain(model, &simulation.state().positions, rows);
            Ok(())
        })
    }

    /// What the method makes of each element, see `Simulation::element_states`; none where it knows no such thing.
    #[getter]
    fn element_state(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut guard = self.lock(py)?;
        let Inner {
            arrays, simulation, ..
        } = &mut *guard;
        let Some(states) = simulation.element_states() else {
            return Ok(None);
        };
        let fill = |to: &mut [u8]| {
            to.copy_from_slice(&states);
            Ok(())
        };
        arrays.element_state.show(py, states.len(), fill).map(Some)
    }

    /// Force of all contacts on each node, N.
    #[getter]
    fn contact_force(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut guard = self.lock(py)?;
        let contacts = guard.contacts();
        let count = guard.simulation.model().node_count();
        guard.arrays.contact_force.show(py, count, |to| {
            to.fill(0.0); // methods without contacts have no such list
            copy(&contacts.nodes, to)
        })
    }

    /// Contacts of the last step as columns.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py)?;
        let model = inner.simulation.model();
        let list = inner.contacts().contacts;
        let name = |partner: Partner| match partner {
            Partner::Body(index) => &model.bodies[index].name,
            Partner::Obstacle(index) => &model.contact.obstacles[index].name,
        };
        let columns = PyDict::new(py);
        let bodies: Vec<&str> = list.iter().map(|c| &*model.bodies[c.body].name).collect();
        let partners: Vec<&str> = list.iter().map(|c| &**name(c.partner)).collect();
        let states: Vec<&str> = list.iter().map(|c| c.state.name()).collect();
        columns.set_item("body", bodies)?;
        columns.set_item("partner", partners)?;
        columns.set_item("state", states)?;
        let rows = |of: fn(&pliant_solid::contact::ContactForce) -> Vec3| {
            let rows: Vec<Vec<f64>> = list.iter().map(|c| of(c).to_array().to_vec()).collect();
            match rows.is_empty() {
                true => Ok(PyArray2::<f64>::zeros(py, [0, 3], false)),
                false => PyArray2::from_vec2(py, &rows),
            }
        };
        columns.set_item("point", rows(|c| c.point)?)?;
        columns.set_item("normal", rows(|c| c.normal)?)?;
        columns.set_item("friction", rows(|c| c.friction)?)?;
        let numbers = |of: fn(&pliant_solid::contact::ContactForce) -> f64| {
            PyArray1::from_iter(py, list.iter().map(of))
        };
        columns.set_item("gap", numbers(|c| c.gap))?;
        columns.set_item("normal_force", numbers(|c| c.normal_force))?;
        columns.set_item("pressure", numbers(|c| c.pressure))?;
        Ok(columns)
    }

    /// What the last step reports, as JSON.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        Ok(report::report(&self.lock(py)?.simulation).to_string())
    }

    /// What does not change: bodies, drives and joints, as JSON.
    fn parts(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.lock(py)?;
        let model = inner.simulation.model();
        let body = |b: &pliant_solid::model::Body| {
            json!({
                "name": b.name,
                "nodes": [b.nodes.start, b.nodes.end],
                "elements": [b.elements.start, b.elements.end],
                "planar": b.planar,
                "rigid": b.rigid.is_some(),
            })
        };
        let joint =
            |j: &pliant_solid::joint::Joint| json!({ "name": j.name, "kind": j.kind.name() });
        Ok(json!({
            "bodies": model.bodies.iter().map(body).collect::<Vec<_>>(),
            "drives": model.drives.iter().map(|d| &d.name).collect::<Vec<_>>(),
            "joints": model.joints.iter().map(joint).collect::<Vec<_>>(),
            "regions": inner.scene.region_names,
        })
        .to_string())
    }

    /// Constant arrays, copied: rest positions, masses, elements, their volumes, their regions.
    fn constants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py)?;
        let model = inner.simulation.model();
        let constants = PyDict::new(py);
        let rest = PyArray2::<f64>::zeros(py, [model.node_count(), 3], false);
        copy(
            &model.rest,
            numpy::PyArrayMethods::readwrite(&rest).as_slice_mut()?,
        )?;
        constants.set_item("rest", rest)?;
        constants.set_item("mass", PyArray1::from_slice(py, &model.mass))?;
        let elements = PyArray2::<u32>::zeros(py, [model.element_count(), 4], false);
        (numpy::PyArrayMethods::readwrite(&elements).as_slice_mut()?)
            .copy_from_slice(model.element_nodes.as_flattened());
        constants.set_item("elements", elements)?;
        constants.set_item("volume", PyArray1::from_slice(py, &model.element_volumes))?;
        constants.set_item("region", PyArray1::from_slice(py, &inner.scene.regions))?;
        Ok(constants)
    }

    /// Nodes on the surface of a body, by its place.
    fn surface<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let inner = self.lock(py)?;
        let body = &inner.simulation.model().bodies[body];
        let nodes = body
            .surface
            .nodes
            .iter()
            .map(|n| n + body.nodes.start as u32);
        Ok(PyArray1::from_iter(py, nodes))
    }

    /// Writes a checkpoint.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let inner = self.lock(py)?;
        let changes = kept_changes::write(&inner.changes);
        let saved = save_checkpoint(&path, &inner.scene, &inner.simulation, changes);
        saved.map_err(|e| error::failure(py, "CheckpointError", &e))
    }

    /// Goes on from a checkpoint, with what acted then in place of what acts now.
    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let mut guard = self.lock(py)?;
        let inner: &mut Inner = &mut guard;
        if inner.recorder.is_some() {
            let message = "a run is being recorded: load before or after it";
            return Err(error::refused(py, "StateError", message));
        }
        let read = read_checkpoint(&path, &inner.scene);
        let checkpoint = read.map_err(|e| error::failure(py, "CheckpointError", &e))?;
        let changes = kept_changes::read(&checkpoint.changes).ok_or_else(|| {
            let message = "what was done to the simulation that it is of cannot be read: it is from another program";
            error::refused(py, "CheckpointError", message)
        })?;
        let (pool, scene) = (&inner.pool, &inner.scene);
        let started = py.detach(|| pool.install(|| pliant_cli::start(scene, checkpoint.state)));
        inner.simulation = started.map_err(|e| error::failure(py, "MethodError", &e))?;
        inner.changes.clear();
        for change in changes {
            inner.make(change).map_err(|e| error::live(py, &e))?;
        }
        inner.kept = None;
        inner.moved(py)
    }

    /// Begins the folder of a run, as the command does.
    #[pyo3(signature = (folder, checkpoint_every))]
    fn begin_recording(
        &self,
        py: Python<'_>,
        folder: Option<PathBuf>,
        checkpoint_every: Option<u64>,
    ) -> PyResult<()> {
        let mut guard = self.lock(py)?;
        let inner: &mut Inner = &mut guard;
        if inner.recorder.is_some() {
            return Err(error::refused(
                py,
                "StateError",
                "a run is being recorded already",
            ));
        }
        let (text, threads) = (&inner.file.text, inner.threads);
        let begun = Recorder::begin(
            folder.as_deref(),
            &inner.scene,
            text,
            &inner.simulation,
            threads,
        );
        let mut recorder = begun.map_err(|e| error::failure(py, "RecordingError", &e))?;
        recorder.checkpoint_every = checkpoint_every;
        recorder.changes = kept_changes::write(&inner.changes);
        inner.recorder = Some(recorder);
        Ok(())
    }

    /// Completes the folder of the run; its summary as JSON.
    fn finish_recording(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let mut guard = self.lock(py)?;
        let Some(recorder) = guard.recorder.take() else {
            return Ok(None);
        };
        let value = recorder.finish(&guard.simulation, false);
        let value = value.map_err(|e| error::failure(py, "RecordingError", &e))?;
        Ok(Some(value.to_string()))
    }

    /// Ends the folder of a run that breaks off; the checkpoint that it leaves.
    fn abandon_recording(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        let mut guard = self.lock(py)?;
        let Some(recorder) = guard.recorder.take() else {
            return Ok(None);
        };
        let saved = recorder.abandon(&guard.scene, &guard.simulation);
        let (checkpoint, _) = saved.map_err(|e| error::failure(py, "RecordingError", &e))?;
        Ok(Some(checkpoint))
    }
}
