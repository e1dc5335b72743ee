//! Scenes as texts and trees; the class `pliant.Scene` around them is in Python.

use crate::error;
use pliant_scene::{EMBEDDED, json_schema, tree};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Text of a built-in scene or a file, and the folder that its paths start from (none for built-in scenes).
#[pyfunction]
pub fn find_scene(py: Python<'_>, name: &str) -> PyResult<(String, Option<PathBuf>)> {
    let found = pliant_cli::find(name, None);
    let (file, sources) = found.map_err(|e| error::failure(py, "SceneError", &e))?;
    Ok((file.text, sources.base))
}

/// The tree of a scene's text as JSON.
#[pyfunction]
pub fn scene_tree(py: Python<'_>, text: &str, name: &str) -> PyResult<String> {
    let tree = tree::tree(text, name).map_err(|e| error::scene(py, &e))?;
    Ok(tree.to_string())
}

/// The text of a tree given as JSON.
#[pyfunction]
pub fn scene_text(py: Python<'_>, tree_json: &str, name: &str) -> PyResult<String> {
    let refused = |why: String| error::refused(py, "SceneError", format!("{name}: {why}"));
    let value: Value = serde_json::from_str(tree_json).map_err(|e| refused(e.to_string()))?;
    let text = tree::text(&value).map_err(refused)?;
    tree::tree(&text, name).map_err(|e| error::scene(py, &e))?;
    Ok(text)
}

/// The tree, as JSON, with a value at a path.
#[pyfunction]
pub fn set_in_tree(py: Python<'_>, tree_json: &str, path: &str, value: &str) -> PyResult<String> {
    let refused = |why: String| error::refused(py, "SceneError", why);
    let [mut tree, value] = [tree_json, value].map(serde_json::from_str::<Value>);
    if let (Ok(tree), Ok(value)) = (&mut tree, value) {
        tree::set(tree, path, value).map_err(refused)?;
        return Ok(tree.to_string());
    }
    Err(refused("this is not JSON".to_string()))
}

/// Names and descriptions of the built-in scenes as JSON.
#[pyfunction]
pub fn embedded_scenes(py: Python<'_>) -> PyResult<String> {
    let mut rows = Vec::new();
    for scene in EMBEDDED {
        let description = scene.description().map_err(|e| error::scene(py, &e))?;
        rows.push(json!({ "name": scene.name, "description": description }));
    }
    Ok(Value::Array(rows).to_string())
}

/// The JSON Schema of scenes.
#[pyfunction]
pub fn schema() -> String {
    json_schema().to_string()
}
