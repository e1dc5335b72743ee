//! Changes as text, for checkpoints: what acts when a simulation is saved acts again when it is loaded.
//!
//! Drives are written as what acts from now on. Of a scene's own drive that was released or moved the profile in time is gone already.

use crate::change::Change;
use pliant_linalg::Vec3;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::joint::{Anchor, Joint, JointKind};
use pliant_solid::profile::Profile;
use serde_json::{Value, json};

/// The text of changes; empty for none. One that has no text makes all of them something that [`read`] refuses.
pub fn write(changes: &[Change]) -> String {
    if changes.is_empty() {
        return String::new();
    }
    let values: Option<Vec<Value>> = changes.iter().map(value).collect();
    values.map_or(Value::Null, Value::Array).to_string()
}

/// Reads what [`write`] wrote; none where it is something else.
pub fn read(text: &str) -> Option<Vec<Change>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let values: Value = serde_json::from_str(text).ok()?;
    values.as_array()?.iter().map(change).collect()
}

fn value(change: &Change) -> Option<Value> {
    Some(match change {
        Change::Control(name, value) => json!({ "control": name, "value": value }),
        Change::Joint(joint) => {
            let JointKind::Attachment { pairs } = &joint.kind else {
                return None;
            };
            let pairs: Option<Vec<_>> = pairs
                .iter()
                .map(|[a, b]| Some([end(a)?, end(b)?]))
                .collect();
            json!({ "attach": joint.name, "pairs": pairs? })
        }
        Change::Drive(Drive { name, action }) => match action {
            // a force is set, or released and then zero, without a profile
            Action::Force { nodes, force, .. } => {
                json!({ "force": name, "nodes": nodes, "total": force.to_array() })
            }
            Action::Spring {
                nodes,
                motion,
                stiffness,
                damping,
                from,
                until,
            } => json!({
                "pull": name, "nodes": nodes, "by": shift(motion), "stiffness": stiffness, "damping": damping,
                "from": from, "until": until,
            }),
            Action::Prescribe {
                nodes,
                axes,
                motion,
                release,
            } => {
                json!({ "move": name, "nodes": nodes, "axes": axes, "by": shift(motion), "release": release })
            }
            _ => return None,
        },
    })
}

fn change(value: &Value) -> Option<Change> {
    let name = |key: &str| value[key].as_str().map(str::to_string);
    let number = |key: &str| value[key].as_f64();
    let nodes = || list(&value["nodes"], |n| u32::try_from(n.as_u64()?).ok());
    if let Some(name) = name("control") {
        return Some(Change::Control(name, number("value")?));
    }
    if let Some(name) = name("attach") {
        let pairs = list(&value["pairs"], |pair| {
            let ends = list(pair, anchor)?;
            <[Anchor; 2]>::try_from(ends).ok()
        })?;
        let kind = JointKind::Attachment { pairs };
        return Some(Change::Joint(Joint::new(name, kind)));
    }
    let motion = || -> Option<Motion> {
        Some(Motion {
            translation: Some(vector(&value["by"])?.to_array().map(Profile::Constant)),
            ..Motion::default()
        })
    };
    let (name, action) = if let Some(name) = name("force") {
        let action = Action::Force {
            nodes: nodes()?,
            force: vector(&value["total"])?,
            profile: Profile::Constant(1.0),
        };
        (name, action)
    } else if let Some(name) = name("pull") {
        let action = Action::Spring {
            nodes: nodes()?,
            motion: motion()?,
            stiffness: number("stiffness")?,
            damping: number("damping")?,
            from: number("from")?,
            until: number("until")?,
        };
        (name, action)
    } else {
        let axes = list(&value["axes"], Value::as_bool)?;
        let action = Action::Prescribe {
            nodes: nodes()?,
            axes: axes.try_into().ok()?,
            motion: motion()?,
            release: number("release"),
        };
        (name("move")?, action)
    };
    Some(Change::Drive(Drive { name, action }))
}

/// By how much a motion shifts now; nothing for one that is over.
fn shift(motion: &Motion) -> [f64; 3] {
    let of = |profile: &Profile| match profile {
        Profile::Constant(value) => *value,
        _ => 0.0,
    };
    let translation = motion.translation.as_ref();
    translation.map_or([0.0; 3], |t| [of(&t[0]), of(&t[1]), of(&t[2])])
}

/// A node's number, or a place.
fn end(anchor: &Anchor) -> Option<Value> {
    match anchor {
        Anchor::Node(node) => Some(json!(node)),
        Anchor::World { point, .. } => Some(json!(point.to_array())),
        _ => None,
    }
}

fn anchor(value: &Value) -> Option<Anchor> {
    match value.as_u64() {
        Some(node) => Some(Anchor::Node(u32::try_from(node).ok()?)),
        None => Some(Anchor::fixed(vector(value)?)),
    }
}

fn vector(value: &Value) -> Option<Vec3> {
    let numbers: [f64; 3] = list(value, Value::as_f64)?.try_into().ok()?;
    Some(Vec3::from(numbers))
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}
