//! The JSON Schema of scene files, for editors that complete and check while one types.

use crate::file::SceneTable;
use serde_json::Value;

/// The schema (draft 2020-12), generated from the types that read the files.
pub fn json_schema() -> Value {
    let mut schema = schemars::schema_for!(SceneTable);
    schema.insert("title".to_string(), "Pliant scene".into());
    let mut value = schema.to_value();
    remove_null(&mut value);
    value
}

/// TOML has no null: keys that may be left out are just not required.
fn remove_null(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(remove_null),
        Value::Object(map) => {
            map.values_mut().for_each(remove_null);
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|t| t != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_string(), only);
                }
            }
            if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
                choices.retain(|c| c.get("type").is_none_or(|t| t != "null"));
                if let [Value::Object(only)] = choices.as_slice() {
                    let only = only.clone();
                    map.remove("anyOf");
                    map.extend(only);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_committed_copy_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene.schema.json");
        let mut current = serde_json::to_string_pretty(&json_schema()).unwrap();
        current.push('\n');
        if std::env::var_os("PLIANT_UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &current).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == current,
            "run the tests once with PLIANT_UPDATE_SCHEMA=1 to renew docs/scene.schema.json"
        );
    }

    #[test]
    fn keys_are_described() {
        let schema = json_schema();
        let young = &schema["$defs"]["MaterialTable"]["properties"]["young"];
        assert_eq!(young["description"], "Young's modulus, Pa; positive.");
        assert_eq!(schema["$defs"]["Pressure"]["examples"][0], "50 kPa");
        assert_eq!(schema["additionalProperties"], false);
        assert!(!schema.to_string().contains("null"));
        assert!(schema["properties"]["drive"].is_object());
        assert!(schema["$defs"]["DriveTable"]["properties"]["move"].is_object());
        assert!(schema["$defs"]["RegionTable"]["properties"]["where"].is_object());
    }
}
