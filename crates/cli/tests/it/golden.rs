//! Small summaries of every scene, relative 1e-8, so that numerics do not change unnoticed.
//!
//! Re-mint with `PLIANT_MINT=1 cargo test --release -p pliant --test it golden`, and say why in the changelog
//! under Numerics.

use crate::common::*;
use serde_json::{Value, json};

const STEPS: &str = "10";
/// Scenes of ten thousand nodes and more take a second a step.
const STEPS_OF_LARGE: &str = "2";
const TOLERANCE: f64 = 1e-8;

#[test]
fn scenes_give_the_stored_results() {
    let shell = Shell::new();
    let mint = std::env::var_os("PLIANT_MINT").is_some();
    for scene in pliant_scene::EMBEDDED.iter().filter(|s| !is_huge(s.name)) {
        let large = is_large(scene.name) || scene.name.starts_with("isodof/");
        let steps = if large { STEPS_OF_LARGE } else { STEPS };
        let result = shell.json(&["run", scene.name, "--steps", steps, "--threads", "1"]);
        let found = json!({
            "nodes": result["nodes"],
            "elements": result["elements"],
            "active_dofs": result["active_dofs"],
            "energies": result["energies"],
            "centre": result["momentum"]["centre"],
            "max_displacement": result["max_displacement"],
            "max_von_mises": result["max_von_mises"],
        });
        let name = scene.name.replace('/', "-");
        let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
        if mint {
            std::fs::write(&path, format!("{found:#}\n")).unwrap();
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .expect("no golden file: mint it, see the head of this test");
        let stored: Value = serde_json::from_str(&text).unwrap();
        for (key, value) in found.as_object().unwrap() {
            let scale = if key == "energies" {
                energy_scale(&stored)
            } else {
                0.0
            };
            compare(value, &stored[key], &format!("{} {key}", scene.name), scale);
        }
    }
}

/// Energies and losses are differences of each other: their errors scale with the largest.
fn energy_scale(stored: &Value) -> f64 {
    stored["energies"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(Value::as_f64)
        .fold(0.0, |m, v| m.max(v.abs()))
}

fn compare(found: &Value, stored: &Value, place: &str, scale: f64) {
    match (found, stored) {
        (Value::Object(a), Value::Object(b)) => {
            assert_eq!(
                a.keys().collect::<Vec<_>>(),
                b.keys().collect::<Vec<_>>(),
                "{place}"
            );
            for (key, value) in a {
                compare(value, &b[key], &format!("{place} {key}"), scale);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            let size = b
                .iter()
                .filter_map(Value::as_f64)
                .fold(0.0, |m: f64, v| m.max(v.abs()));
            for (a, b) in a.iter().zip(b) {
                compare(a, b, place, size);
            }
        }
        _ => {
            let (a, b) = (found.as_f64().unwrap(), stored.as_f64().unwrap());
            let scale = scale.max(b.abs());
            assert!(
                (a - b).abs() <= TOLERANCE * scale,
                "{place}: {a} instead of {b}"
            );
        }
    }
}
