//! `pliant mesh` from the outside.

use crate::common::*;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn shapes_are_made_looked_at_and_converted() {
    let shell = Shell::new();
    for (shape, kind, volume) in [
        ("bar", "solid", 4e-5),
        ("ball", "solid", 5.2e-4),
        ("capsule", "solid", 1.09e-4),
        ("cylinder", "solid", 1.26e-4),
        ("torus", "solid", 2.22e-4),
        ("tube", "solid", 9.42e-5),
        ("ring", "solid", 1.23e-4),
        ("lathe", "solid", 5.39e-4),
        ("extrude", "solid", 6.4e-5),
        ("humanoid", "solid", 4.35e-2),
        ("rectangle", "plane", 2e-3),
        ("band", "plane", 2.34e-3),
    ] {
        let file = format!("{shape}.vtu");
        let made = shell.json(&["mesh", "make", shape, &file]);
        let info = shell.json(&["mesh", "info", &file]);
        assert_eq!(info["kind"], kind);
        assert_eq!(info["nodes"], made["nodes"]);
        let found = info["volume"].as_f64().unwrap();
        assert!((found / volume - 1.0).abs() < 0.06, "{shape}: {found}");
        assert_eq!(shell.json(&["mesh", "check", &file])["blocks"], false);
    }
    // millimetres are written and read back as such
    shell.json(&["mesh", "convert", "bar.vtu", "mm.msh", "--to-unit", "mm"]);
    let millimetres = shell.json(&["mesh", "info", "mm.msh"]);
    assert!((millimetres["size"][0].as_f64().unwrap() - 100.0).abs() < 1e-12);
    let metres = shell.json(&["mesh", "info", "mm.msh", "--unit", "mm"]);
    assert!((metres["size"][0].as_f64().unwrap() - 0.1).abs() < 1e-15);
    let text = shell.output(&["mesh", "info", "mm.msh", "--unit", "mm"]);
    assert!(
        text.contains("100.000000 × 20.000000 × 20.000000 mm"),
        "{text}"
    );
    assert!(
        text.contains("smallest dihedral angle") && text.contains('█'),
        "{text}"
    );
}

#[test]
fn a_surface_is_filled_and_simulated() {
    let shell = Shell::new();
    shell.json(&["mesh", "make", "ball", "ball.msh"]);
    shell.json(&["mesh", "convert", "ball.msh", "skin.stl"]);
    let check = shell.json(&["mesh", "check", "skin.stl"]);
    assert_eq!(check["findings"][0]["kind"], "only-a-surface");
    let filled = shell.json(&[
        "mesh",
        "tetrahedralize",
        "skin.stl",
        "filled.msh",
        "--edge",
        "12mm",
    ]);
    assert!(filled["min_dihedral_deg"].as_f64().unwrap() > 10.0);
    assert!(
        (filled["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.02,
        "{filled}"
    );
    let caged = shell.json(&[
        "mesh",
        "tetrahedralize",
        "skin.stl",
        "cage.msh",
        "--edge",
        "30mm",
        "--embed",
    ]);
    assert_eq!(caged["embedding"]["outside_the_cage"], 0);
    shell.write(
        "scene.toml",
        "title = \"t\"\ntime.duration = \"20 ms\"\n[[body]]\nname = \"ball\"\n\
         mesh.file = { path = \"cage.msh\", render = \"skin.stl\" }\nmaterial = { young = 1e5, poisson = 0.4 }\n",
    );
    shell.json(&["run", "scene.toml", "--out", "results"]);
    let exported = shell.json(&["export", "results", "--to", "obj"]);
    // the surface that is exported is the one that was carried along
    let first = exported["files"][0].as_str().unwrap();
    let shown = shell.json(&["mesh", "info", first]);
    let skin = shell.json(&["mesh", "info", "skin.stl"]);
    assert_eq!(shown["triangles"], skin["triangles"]);
}

#[test]
fn a_thin_plate_is_filled_without_being_told_how() {
    let shell = Shell::new();
    let size = ["--size", "1m,1m,1cm", "--cells", "10,10,1"];
    shell.json(&[&["mesh", "make", "bar", "plate.msh"], &size[..]].concat());
    let filled = shell.json(&["mesh", "tetrahedralize", "plate.msh", "filled.msh"]);
    assert!(filled["edge"].as_f64().unwrap() < 0.015, "{filled}");
    assert!(
        (filled["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.05,
        "{filled}"
    );
}

#[test]
fn faults_are_found_and_mended() {
    let shell = Shell::new();
    let nodes = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n6 9 9 9\n$EndNodes\n";
    let elements =
        "$Elements\n4\n7 4 0 1 2 3 4\n8 4 0 1 2 4 3\n9 4 0 2 3 4 5\n10 4 0 2 2 3 4\n$EndElements\n";
    shell.write(
        "bad.msh",
        format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{nodes}{elements}"),
    );
    let check = shell.json(&["mesh", "check", "bad.msh"]);
    assert_eq!(check["blocks"], true);
    let ids = |kind: &str| {
        let findings = check["findings"].as_array().unwrap();
        let found = findings.iter().find(|f| f["kind"] == kind);
        found.map_or(Value::Null, |f| f["ids"].clone())
    };
    assert_eq!(ids("duplicate-elements"), json!([8]));
    assert_eq!(ids("repeated-nodes"), json!([10]));
    assert_eq!(ids("unreferenced-nodes"), json!([6]));
    assert_eq!(ids("inverted-elements"), json!([8]));
    let repaired = shell.json(&["mesh", "repair", "bad.msh", "good.msh"]);
    assert_eq!(repaired["left"]["blocks"], false);
    assert_eq!(repaired["done"].as_array().unwrap().len(), 3, "{repaired}");
    assert_eq!(shell.json(&["mesh", "info", "good.msh"])["tetrahedra"], 2);
    let text = shell.output(&["mesh", "check", "bad.msh"]);
    assert!(
        text.contains("REFUSED  1 element(s) list a node twice (ids 10)"),
        "{text}"
    );
    assert!(text.ends_with("a simulation refuses this mesh\n"), "{text}");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let shell = Shell::new();
    let mut child = shell
        .command(&["mesh", "formats"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn mistakes_are_explained() {
    let shell = Shell::new();
    shell.json(&["mesh", "make", "bar", "bar.msh"]);
    shell.write("cut.msh", "$MeshFormat\n4.1 0 8\n");
    shell.write("what.xyz", "hello");
    for (arguments, wanted) in [
        (&["mesh", "info", "none.msh"][..], "none.msh"),
        (
            &["mesh", "info", "cut.msh"],
            "cut.msh, line 2, $MeshFormat: the file is incomplete",
        ),
        (
            &["mesh", "info", "what.xyz"],
            "neither the content nor the extension tells the format",
        ),
        (&["mesh", "convert", "bar.msh", "bar.msh"], "exists already"),
        (
            &["mesh", "convert", "bar.msh", "bar.docx"],
            "tells no mesh format",
        ),
        (
            &["mesh", "convert", "bar.msh", "b.msh", "--to", "gmhs"],
            "did you mean `gmsh`",
        ),
        (
            &["mesh", "make", "bar", "b.msh", "--size", "1,2"],
            "needs 3 values",
        ),
        (
            &["mesh", "make", "bar", "b.msh", "--split", "7"],
            "cannot be cut into 7",
        ),
        (
            &["mesh", "make", "ball", "b.msh", "--radius=-1cm"],
            "radius",
        ),
        (
            &[
                "mesh",
                "tetrahedralize",
                "bar.msh",
                "b.msh",
                "--edge",
                "thick",
            ],
            "write a length such as 5mm",
        ),
        (
            &["mesh", "tetrahedralize", "bar.msh", "b.msh", "--edge", "0m"],
            "edge length must be a positive",
        ),
        (
            &[
                "mesh",
                "tetrahedralize",
                "bar.msh",
                "b.msh",
                "--edge",
                "1um",
            ],
            "use at least",
        ),
    ] {
        let error = shell.refused(arguments);
        assert!(error.contains(wanted), "{arguments:?}: {error}");
    }
    assert!(
        !shell.path("b.msh").exists(),
        "nothing is written by a command that fails"
    );
}

/// Every file of the shared folder, where it exists, against its manifest.
#[test]
fn shared_meshes_agree_with_their_manifest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.json")) else {
        println!("no shared meshes here");
        return;
    };
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let shell = Shell::new();
    let mut compared = 0;
    for entry in manifest.as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let path = folder.join(file).display().to_string();
        let kind = entry["kind"].as_str().unwrap();
        if kind == "rig" {
            continue;
        }
        compared += 1;
        if kind == "malformed" {
            let error = shell.refused(&["mesh", "info", &path]);
            assert!(
                error.contains(Path::new(file).file_stem().unwrap().to_str().unwrap()),
                "{error}"
            );
            continue;
        }
        let info = shell.json(&["mesh", "info", &path]);
        let same = |found: &Value, wanted: &Value, what: &str, tolerance: f64| {
            if wanted.is_null() {
                return;
            }
            let (found, wanted) = (found.as_f64().unwrap(), wanted.as_f64().unwrap());
            let limit = tolerance * wanted.abs();
            assert!(
                (found - wanted).abs() <= limit,
                "{file}: {what} is {found}, not {wanted}"
            );
        };
        // the manifest counts this file after joining vertices in the same place: 486 became 360, 12 pieces 2
        let joined = file == "nasty/two-boxes-bad-self-union.ply";
        if !joined {
            same(&info["nodes"], &entry["vertices"], "nodes", 0.0);
            same(&info["pieces"], &entry["components"], "pieces", 0.0);
            let key = "unreferenced_nodes";
            same(&info[key], &entry[key], "unreferenced nodes", 0.0);
            let key = "open_edges";
            same(&info["surface"][key], &entry[key], "open edges", 0.0);
            let key = "duplicate_nodes";
            same(&info[key], &entry[key], "duplicate nodes", 0.0);
        }
        same(&info["tetrahedra"], &entry["tets"], "tetrahedra", 0.0);
        same(&info["volume"], &entry["volume"], "volume", 1e-9);
        same(&info["volume"], &entry["area"], "area", 1e-9);
        if kind != "tet" {
            same(&info["triangles"], &entry["triangles"], "triangles", 0.0);
        }
        same(
            &info["quality"]["inverted"],
            &entry["negative_tets"],
            "inverted",
            0.0,
        );
        if let Some(wanted) = entry["min_dihedral_deg"].as_f64() {
            let found = info["quality"]["min_angle_deg"].as_f64().unwrap();
            assert!((found - wanted).abs() < 1e-3, "{file}: {found} {wanted}");
        }
        for (corner, key) in [("min", "bbox_min"), ("max", "bbox_max")] {
            for axis in 0..3 {
                if let Some(wanted) = entry[key][axis].as_f64() {
                    let found = info["bounds"][corner][axis].as_f64().unwrap();
                    assert!(
                        (found - wanted).abs() <= 1e-6 * wanted.abs().max(1e-3),
                        "{file}: {found} {wanted}"
                    );
                }
            }
        }
    }
    assert!(compared > 90, "{compared}");
}
