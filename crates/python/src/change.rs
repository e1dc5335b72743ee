//! What Python changes about a running simulation: forces, pulls, motions, tensions and pressures, attachments, cuts.

use crate::engine::{Engine, Inner};
use crate::error;
use crate::kept_changes;
use numpy::PyReadonlyArray1;
use pliant_linalg::Vec3;
use pliant_scene::{Scene, build_from, parse, tree};
use pliant_solid::LiveError;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::joint::{Anchor, Joint, JointKind};
use pliant_solid::model::Model;
use pliant_solid::profile::Profile;
use pliant_view::transfer;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Stiffness of a pull that names none, as a share of that of the mesh at its nodes.
const STIFFNESS: f64 = 0.3;

/// Something that was changed, to be done again when a cut gives the nodes other numbers.
#[derive(Clone)]
pub enum Change {
    Drive(Drive),
    Joint(Joint),
    Control(String, f64),
}

impl Inner {
    /// Makes a change; the last one of its name counts.
    pub fn make(&mut self, change: Change) -> Result<(), LiveError> {
        match &change {
            Change::Drive(drive) => {
                let known = self.kept.is_some();
                self.keep();
                // where only numbers change the stepper still knows what it did
                if !self.simulation.set_drive(drive.clone())? && !known {
                    self.kept = None;
                }
            }
            Change::Joint(joint) => {
                self.keep();
                self.simulation.add_joint(joint.clone())?;
            }
            Change::Control(name, value) => self.simulation.set_control(name, *value)?,
        }
        // in the order in which they were first made, which is that of the model's drives and joints
        let known = self
            .changes
            .iter_mut()
            .find(|old| old.name() == change.name());
        match known {
            Some(known) => *known = change,
            None => self.changes.push(change),
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.changes = kept_changes::write(&self.changes);
        }
        Ok(())
    }

    /// Drives and joints bring columns of their own, which a recording has from its start or not at all.
    fn may_add(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let known = self.changes.iter().any(|change| change.name().1 == name);
        let known = known || self.simulation.drive(name).is_ok();
        if self.recorder.is_some() && !known {
            let message = format!(
                "`{name}` would be new in a run that is being recorded: make it before the run, for example with a force of zero"
            );
            return Err(error::refused(py, "StateError", message));
        }
        Ok(())
    }
}

impl Change {
    fn name(&self) -> (u8, &str) {
        match self {
            Change::Drive(drive) => (0, &drive.name),
            Change::Joint(joint) => (1, &joint.name),
            Change::Control(name, _) => (2, name),
        }
    }

    /// The same with other numbers of nodes; none where a node is gone.
    fn renumbered(&self, nodes: &impl Fn(u32) -> Option<Vec<u32>>) -> Option<Change> {
        let all = |list: &[u32]| -> Option<Vec<u32>> {
            let lists = list.iter().map(|&n| nodes(n)).collect::<Option<Vec<_>>>()?;
            let mut list = lists.concat();
            list.sort_unstable();
            list.dedup();
            Some(list)
        };
        let mut change = self.clone();
        match &mut change {
            Change::Drive(drive) => match &mut drive.action {
                Action::Force { nodes, .. }
                | Action::Spring { nodes, .. }
                | Action::Prescribe { nodes, .. } => *nodes = all(nodes)?,
                _ => {}
            },
            Change::Joint(joint) => {
                if let JointKind::Attachment { pairs } = &mut joint.kind {
                    for anchor in pairs.iter_mut().flatten() {
                        if let Anchor::Node(node) = anchor {
                            *node = *nodes(*node)?.first()?;
                        }
                    }
                }
            }
            Change::Control(..) => {}
        }
        Some(change)
    }
}

/// Numbers of nodes, each of a soft or rigid body of the model, sorted and once.
fn nodes(py: Python<'_>, inner: &Inner, list: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<u32>> {
    let count = inner.simulation.model().node_count();
    let mut nodes = Vec::new();
    for &node in list.as_array() {
        let good = u32::try_from(node).ok().filter(|&n| (n as usize) < count);
        nodes.push(good.ok_or_else(|| {
            let message = format!(
                "there is no node {node}: they count from 0 to {}",
                count - 1
            );
            error::refused(py, "ShapeError", message)
        })?);
    }
    if nodes.is_empty() {
        return Err(error::refused(
            py,
            "ShapeError",
            "the list of nodes is empty",
        ));
    }
    nodes.sort_unstable();
    nodes.dedup();
    Ok(nodes)
}

fn finite(py: Python<'_>, what: &str, numbers: &[f64]) -> PyResult<()> {
    match numbers.iter().all(|v| v.is_finite()) {
        true => Ok(()),
        false => Err(error::refused(
            py,
            "ShapeError",
            format!("{what} must be finite, not {numbers:?}"),
        )),
    }
}

fn translation(by: Vec3) -> Motion {
    Motion {
        translation: Some(by.to_array().map(Profile::Constant)),
        ..Motion::default()
    }
}

/// A force in N, shared by nodes.
#[pyfunction]
pub fn set_force(
    py: Python<'_>,
    engine: &Engine,
    list: PyReadonlyArray1<'_, i64>,
    force: [f64; 3],
    name: String,
) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    finite(py, "the force", &force)?;
    inner.may_add(py, &name)?;
    let action = Action::Force {
        nodes: nodes(py, &inner, &list)?,
        force: Vec3::from(force),
        profile: Profile::Constant(1.0),
    };
    let made = inner.make(Change::Drive(Drive { name, action }));
    made.map_err(|e| error::live(py, &e))
}

/// Springs that pull nodes so that their middle comes to a point.
#[pyfunction]
#[pyo3(signature = (engine, list, to, stiffness, damping, name))]
pub fn pull(
    py: Python<'_>,
    engine: &Engine,
    list: PyReadonlyArray1<'_, i64>,
    to: [f64; 3],
    stiffness: Option<f64>,
    damping: Option<f64>,
    name: String,
) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    finite(py, "the target", &to)?;
    inner.may_add(py, &name)?;
    let nodes = nodes(py, &inner, &list)?;
    let model = inner.simulation.model();
    let mean =
        |list: &[f64]| nodes.iter().map(|&n| list[n as usize]).sum::<f64>() / nodes.len() as f64;
    let stiffness = stiffness.unwrap_or_else(|| STIFFNESS * mean(&model.node_stiffness));
    let damping = damping.unwrap_or_else(|| (stiffness * mean(&model.mass)).sqrt());
    finite(py, "stiffness and damping", &[stiffness, damping])?;
    if stiffness < 0.0 || damping < 0.0 {
        return Err(error::refused(
            py,
            "ShapeError",
            "stiffness and damping must not be negative",
        ));
    }
    let rest = nodes
        .iter()
        .fold(Vec3::ZERO, |sum, &n| sum + model.rest[n as usize]);
    let by = Vec3::from(to) - rest / nodes.len() as f64;
    let from = match inner.simulation.drive(&name).map(|d| &d.action) {
        Ok(Action::Spring {
            nodes: held,
            from,
            until,
            ..
        }) if *held == nodes && *until > 0.0 => *from,
        _ => inner.simulation.time().next_up(),
    };
    let action = Action::Spring {
        nodes,
        motion: translation(by),
        stiffness,
        damping,
        from,
        until: f64::MAX,
    };
    let made = inner.make(Change::Drive(Drive { name, action }));
    made.map_err(|e| error::live(py, &e))
}

/// Ends a force or a pull.
#[pyfunction]
pub fn release(py: Python<'_>, engine: &Engine, name: &str) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    let time = inner.simulation.time();
    let found = inner
        .simulation
        .drive(name)
        .map_err(|e| error::live(py, &e))?;
    let mut drive = found.clone();
    match &mut drive.action {
        Action::Force { force, .. } => *force = Vec3::ZERO,
        Action::Spring { until, .. } => *until = time,
        _ => {
            let message = format!("`{name}` is neither a force nor a pull");
            return Err(error::refused(py, "StateError", message));
        }
    }
    let made = inner.make(Change::Drive(drive));
    made.map_err(|e| error::live(py, &e))
}

/// Where a drive that prescribes motion has its nodes: at rest, shifted by this, m.
#[pyfunction]
pub fn move_drive(py: Python<'_>, engine: &Engine, name: &str, by: [f64; 3]) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    finite(py, "the shift", &by)?;
    let found = inner
        .simulation
        .drive(name)
        .map_err(|e| error::live(py, &e))?;
    let mut drive = found.clone();
    let Action::Prescribe { motion, .. } = &mut drive.action else {
        let message =
            format!("`{name}` prescribes no motion: it must be a drive with `fix` or `move`");
        return Err(error::refused(py, "StateError", message));
    };
    *motion = translation(Vec3::from(by));
    let made = inner.make(Change::Drive(drive));
    made.map_err(|e| error::live(py, &e))
}

/// Length or tension of a cable, relative volume or pressure of a cavity.
#[pyfunction]
pub fn set_control(py: Python<'_>, engine: &Engine, name: String, value: f64) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    finite(py, "the value", &[value])?;
    let made = inner.make(Change::Control(name, value));
    made.map_err(|e| error::live(py, &e))
}

/// Ties nodes to where they are, or to other nodes, one by one.
#[pyfunction]
#[pyo3(signature = (engine, list, to, name))]
pub fn attach(
    py: Python<'_>,
    engine: &Engine,
    list: PyReadonlyArray1<'_, i64>,
    to: Option<PyReadonlyArray1<'_, i64>>,
    name: String,
) -> PyResult<()> {
    let mut inner = engine.lock(py)?;
    if inner.recorder.is_some() {
        let message =
            "attachments cannot be made in a run that is being recorded: make them before it";
        return Err(error::refused(py, "StateError", message));
    }
    let model = inner.simulation.model();
    if model.joints.iter().any(|j| j.name == name) {
        let message = format!("there is a joint `{name}` already: give this one another name");
        return Err(error::refused(py, "StateError", message));
    }
    let single = |list: &PyReadonlyArray1<'_, i64>| -> PyResult<Vec<u32>> {
        nodes(py, &inner, list)?; // all of them exist
        Ok(list.as_array().iter().map(|&n| n as u32).collect())
    };
    let own = single(&list)?;
    let positions = &inner.simulation.state().positions;
    let others: Vec<Anchor> = match &to {
        None => (own.iter())
            .map(|&n| Anchor::fixed(positions[n as usize]))
            .collect(),
        Some(to) => single(to)?.into_iter().map(Anchor::Node).collect(),
    };
    if others.len() != own.len() {
        let message = format!(
            "{} nodes cannot be tied to {} one by one",
            own.len(),
            others.len()
        );
        return Err(error::refused(py, "ShapeError", message));
    }
    let pairs = own.into_iter().map(Anchor::Node).zip(others);
    let kind = JointKind::Attachment {
        pairs: pairs.map(|(a, b)| [a, b]).collect(),
    };
    let made = inner.make(Change::Joint(Joint::new(name, kind)));
    made.map_err(|e| error::live(py, &e))
}

/// Cuts soft bodies that a plane meets as they are now; how many.
#[pyfunction]
#[pyo3(signature = (engine, point, normal, body))]
pub fn cut(
    py: Python<'_>,
    engine: &Engine,
    point: [f64; 3],
    normal: [f64; 3],
    body: Option<String>,
) -> PyResult<usize> {
    let mut guard = engine.lock(py)?;
    let inner: &mut Inner = &mut guard;
    finite(py, "the plane", &[point, normal].concat())?;
    if inner.recorder.is_some() {
        let message = "a recording has one mesh: cut before or after the run, or write the cut into the scene";
        return Err(error::refused(py, "StateError", message));
    }
    let model = inner.simulation.model();
    if let Some(name) = &body
        && !model.bodies.iter().any(|b| b.name == *name)
    {
        let known: Vec<&str> = model.bodies.iter().map(|b| &*b.name).collect();
        let message = format!("there is no body `{name}`: known are {}", known.join(", "));
        return Err(error::refused(py, "UnknownName", message));
    }
    let plane = [point, normal].map(Vec3::from);
    let cuts = planes(inner, plane, body.as_deref());
    if cuts.is_empty() {
        let message = "the plane meets no soft body";
        return Err(error::refused(py, "StateError", message));
    }
    let count = cuts.len();
    let (file, scene) = recut(inner, cuts).map_err(|why| error::refused(py, "SceneError", why))?;
    let pool = &inner.pool;
    let h = scene.settings.h;
    let (old_model, old_state) = (inner.simulation.model(), inner.simulation.state());
    let started = py.detach(|| {
        pool.install(|| {
            let opened = pliant_cli::start(&scene, scene.model.initial_state());
            let opened = opened.map_err(|e| e.message().to_string())?;
            let state = transfer::interpolated(opened.model(), old_model, old_state, h);
            let state = state.ok_or("the cut meshes do not fit the old ones")?;
            pliant_cli::start(&scene, state).map_err(|e| e.message().to_string())
        })
    });
    let simulation = started.map_err(|why| error::refused(py, "StateError", why))?;
    let map = same_places(old_model, simulation.model());
    let changes: Option<Vec<Change>> = (inner.changes.iter())
        .map(|change| change.renumbered(&|node| map.get(&node).cloned()))
        .collect();
    let changes = changes.ok_or_else(|| {
        error::refused(
            py,
            "StateError",
            "a node that is pulled or attached is gone after the cut",
        )
    })?;
    (inner.file, inner.scene, inner.simulation) = (file, scene, simulation);
    inner.remeshed();
    inner.changes.clear();
    for change in changes {
        inner.make(change).map_err(|e| error::live(py, &e))?;
    }
    inner.kept = None;
    Ok(count)
}

/// The planes in bodies at rest that a plane cuts along.
fn planes(inner: &Inner, plane: [Vec3; 2], only: Option<&str>) -> Vec<(String, [Vec3; 2])> {
    let (model, state) = (inner.simulation.model(), inner.simulation.state());
    let soft = model
        .bodies
        .iter()
        .enumerate()
        .filter(|(_, b)| b.rigid.is_none());
    let chosen = soft.filter(|(_, b)| only.is_none_or(|name| name == b.name));
    chosen
        .filter_map(|(index, body)| {
            let at_rest = transfer::plane_at_rest(model, index, &state.positions, plane)?;
            Some((body.name.clone(), at_rest))
        })
        .collect()
}

/// The scene with more cuts, open from the start.
fn recut(
    inner: &Inner,
    cuts: Vec<(String, [Vec3; 2])>,
) -> Result<(pliant_scene::SceneFile, Scene), String> {
    let name = &inner.file.name;
    let mut tree = tree::tree(&inner.file.text, name).map_err(|e| e.to_string())?;
    let table = tree.as_object_mut().ok_or("the scene is no table")?;
    let list = table
        .entry("cut")
        .or_insert_with(|| Value::Array(Vec::new()));
    let list = list.as_array_mut().ok_or("`cut` is no list")?;
    for (body, [point, normal]) in cuts {
        list.push(json!({
            "name": format!("cut {}", list.len() + 1),
            "body": body,
            "time": 0.0,
            "point": point.to_array(),
            "normal": normal.to_array(),
        }));
    }
    let file = parse(&tree::text(&tree)?, name).map_err(|e| e.to_string())?;
    let mut scene = build_from(&file, &inner.sources).map_err(|e| e.to_string())?;
    scene.method = inner.scene.method;
    scene.settings.h = inner.scene.settings.h;
    scene.duration = inner.scene.duration;
    let method = scene.method;
    let loaded = pliant_cli::load_trained(&mut scene, method);
    loaded.map_err(|e| e.message().to_string())?;
    Ok((file, scene))
}

/// For each node those of the same body that rest in the same place in another model.
fn same_places(old: &Model, new: &Model) -> BTreeMap<u32, Vec<u32>> {
    let mut map = BTreeMap::new();
    for (body, cut) in old.bodies.iter().zip(&new.bodies) {
        let mut places: BTreeMap<[u64; 3], Vec<u32>> = BTreeMap::new();
        let key = |v: Vec3| v.to_array().map(f64::to_bits);
        for node in cut.nodes.clone() {
            places
                .entry(key(new.rest[node]))
                .or_default()
                .push(node as u32);
        }
        for node in body.nodes.clone() {
            if let Some(there) = places.get(&key(old.rest[node])) {
                map.insert(node as u32, there.clone());
            }
        }
    }
    map
}
