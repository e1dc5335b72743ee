//! Commands that only print: scenes, schema, the list of studies.

use crate::args::Cli;
use crate::bench;
use crate::failure::Failure;
use pliant_scene::{EMBEDDED, json_schema};
use serde_json::{Value, json};

/// `pliant scenes`.
pub fn scenes(cli: &Cli) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    for scene in EMBEDDED {
        let description = scene
            .description()
            .map_err(|error| Failure::scene(error, scene.text.to_string()))?;
        if !cli.json {
            println!("{:<20} {description}", scene.name);
        }
        rows.push(json!({ "name": scene.name, "description": description }));
    }
    Ok(json!({ "scenes": rows }))
}

/// `pliant schema`; the schema is one JSON object with or without `--json`.
pub fn schema(cli: &Cli) -> Result<Value, Failure> {
    let schema = json_schema();
    if !cli.json {
        println!("{schema:#}");
    }
    Ok(schema)
}

/// `pliant bench --list`.
pub fn studies() -> Value {
    let row = |s: &bench::Study| {
        eprintln!("{:<12} {}", s.name, s.description);
        json!({ "name": s.name, "description": s.description })
    };
    json!({ "studies": bench::STUDIES.iter().map(row).collect::<Vec<_>>() })
}
