//! Scenes as trees of plain values, for programs that edit them: from text to a tree, one value by its path, and back to text.

use crate::error::SceneError;
use crate::parse::parse;
use crate::suggest::did_you_mean;
use serde_json::{Map, Value};

/// The tree of a scene's text, which must be a scene; `name` is what errors call it.
pub fn tree(text: &str, name: &str) -> Result<Value, SceneError> {
    parse(text, name)?;
    let read = toml::from_str(text);
    read.map_err(|e| SceneError::whole_file(name, e.message().to_string(), None))
}

/// The text of a tree; comments and the order of keys are not those of the text that it came from.
pub fn text(tree: &Value) -> Result<String, String> {
    toml::to_string(tree).map_err(|_| "a value is missing: null has no place in a scene".into())
}

/// Puts a value at a path such as `body.bar.material.young`, `time.step` or `drive.0.force.total.2`: keys with dots between them, and of
/// lists the index, or the name of an element that has one. Tables that are missing on the way are made.
pub fn set(tree: &mut Value, path: &str, value: Value) -> Result<(), String> {
    let mut place = tree;
    for key in path.split('.') {
        let inside = match place {
            Value::Null => {
                *place = Value::Object(Map::new());
                place
                    .as_object_mut()
                    .map(|t| t.entry(key).or_insert(Value::Null))
            }
            Value::Object(table) => Some(table.entry(key).or_insert(Value::Null)),
            Value::Array(list) => {
                let index = index(list, key).map_err(|why| format!("`{path}`: {why}"))?;
                list.get_mut(index)
            }
            _ => None,
        };
        place = inside.ok_or_else(|| {
            format!("`{path}`: there is nothing inside a plain value for `{key}`")
        })?;
    }
    *place = value;
    Ok(())
}

/// Place of an element by number or name.
fn index(list: &[Value], key: &str) -> Result<usize, String> {
    let names = list.iter().map(|v| v.get("name").and_then(Value::as_str));
    if let Some(index) = names.clone().position(|name| name == Some(key)) {
        return Ok(index);
    }
    match key.parse::<usize>() {
        Ok(index) if index < list.len() => Ok(index),
        Ok(index) => Err(format!("there is no element {index}, only {}", list.len())),
        Err(_) => {
            let known: Vec<&str> = names.flatten().collect();
            let help = match known.is_empty() {
                true => "give its number, counted from 0".to_string(),
                false => did_you_mean(key, &known),
            };
            Err(format!("there is no element `{key}`: {help}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EMBEDDED, build, parse};
    use serde_json::json;

    #[test]
    fn all_scenes_come_back_from_their_trees() {
        for scene in EMBEDDED {
            let first = tree(scene.text, scene.name).unwrap();
            let again = text(&first).unwrap();
            assert_eq!(tree(&again, scene.name).unwrap(), first, "{}", scene.name);
        }
    }

    #[test]
    fn a_scene_from_its_tree_is_the_same_model() {
        let scene = crate::embedded("cantilever").unwrap();
        let again = text(&tree(scene.text, "cantilever").unwrap()).unwrap();
        let [a, b] = [scene.text, &again]
            .map(|text| build(&parse(text, "cantilever").unwrap(), None).unwrap());
        assert_eq!(a.model.rest, b.model.rest);
        assert_eq!(a.model.mass, b.model.mass);
        assert_eq!(a.settings, b.settings);
    }

    #[test]
    fn paths_lead_to_values() {
        let mut scene = tree(crate::embedded("cantilever").unwrap().text, "c").unwrap();
        set(&mut scene, "body.bar.material.young", json!("20 kPa")).unwrap();
        set(&mut scene, "body.0.mesh.bar.cells.0", json!(12)).unwrap();
        set(&mut scene, "solver.early_cg.iterations", json!(7)).unwrap();
        assert_eq!(scene["body"][0]["material"]["young"], "20 kPa");
        assert_eq!(scene["body"][0]["mesh"]["bar"]["cells"][0], 12);
        assert_eq!(scene["solver"]["early_cg"]["iterations"], 7);
        for (path, why) in [
            ("body.baa.material.young", "did you mean `bar`"),
            ("body.3.name", "no element 3, only 1"),
            ("title.length", "inside a plain value"),
        ] {
            let error = set(&mut scene, path, json!(1)).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
