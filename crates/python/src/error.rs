//! Errors of the engine as exceptions of `pliant.errors`.

use pliant_cli::Failure;
use pliant_scene::SceneError;
use pliant_solid::LiveError;
use pliant_solid::report::{StepError, StepFailure};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// An exception of the class of this name in `pliant.errors`, with attributes from an object.
pub fn exception(py: Python<'_>, class: &str, message: &str, details: &Value) -> PyErr {
    let made = py.import("pliant.errors").and_then(|module| {
        let arguments = (class, message, details.to_string());
        module.getattr("_exception")?.call1(arguments)
    });
    match made {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// Something that is refused without any place to point at.
pub fn refused(py: Python<'_>, class: &str, message: impl AsRef<str>) -> PyErr {
    exception(py, class, message.as_ref(), &json!({}))
}

/// What is wrong with a scene, and where.
pub fn scene(py: Python<'_>, error: &SceneError) -> PyErr {
    let details = json!({
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "help": error.help,
        "reason": error.message,
    });
    exception(py, "SceneError", &error.to_string(), &details)
}

/// A failure of the command line; with a place it is about a scene, else of the given class.
pub fn failure(py: Python<'_>, class: &str, failure: &Failure) -> PyErr {
    let value = failure.to_json();
    let details = &value["error"];
    let mut message = failure.message().to_string();
    let class = match details.get("line") {
        Some(_) => "SceneError",
        None => class,
    };
    if let (Some(file), Some(line)) = (details["file"].as_str(), details["line"].as_u64()) {
        let place = match line {
            0 => file.to_string(),
            _ => format!("{file}:{line}:{}", details["column"]),
        };
        message = format!("{place}: {message}");
    }
    if let Some(help) = details["help"].as_str() {
        message = format!("{message}; help: {help}");
    }
    exception(py, class, &message, details)
}

/// A step that failed; the simulation is as before it.
pub fn step(py: Python<'_>, error: &StepError) -> PyErr {
    exception(py, "StepError", &error.to_string(), &step_details(error))
}

/// The numbers in the error of a step.
fn step_details(error: &StepError) -> Value {
    let (kind, body, element, node) = match &error.failure {
        StepFailure::Solve { .. } => ("solve", None, None, None),
        StepFailure::Element { body, element, .. } => ("element", Some(body), Some(*element), None),
        StepFailure::NonFinite { body, node } => ("non-finite", Some(body), None, Some(*node)),
        StepFailure::Diverged { body, node, .. } => ("diverged", Some(body), None, Some(*node)),
        StepFailure::RigidIntegrator { body } => ("integrator", Some(body), None, None),
        StepFailure::Stalled { .. } => ("stalled", None, None, None),
    };
    json!({
        "step": error.step,
        "time": error.time,
        "stage": error.stage.name(),
        "kind": kind,
        "body": body,
        "element": element,
        "node": node,
    })
}

/// A change that a running simulation refuses.
pub fn live(py: Python<'_>, error: &LiveError) -> PyErr {
    let class = match error {
        LiveError::Unknown { .. } => "UnknownName",
        LiveError::Model(_) => "SceneError",
        LiveError::Start(_) => "MethodError",
    };
    refused(py, class, error.to_string())
}
