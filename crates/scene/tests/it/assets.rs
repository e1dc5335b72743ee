//! Meshes that may be absent: the file where there is one, else its stand-in, and a word about which.

use pliant_linalg::vec3;
use pliant_mesh::file::RawMesh;
use pliant_mesh::generate::ball;
use pliant_mesh::{Format, write_file};
use pliant_scene::{Scene, SceneError, Sources, build, build_from, parse};
use std::path::Path;

const SCENE: &str = r#"
title = "t"
time.duration = 1
[[body]]
name = "newt"
mesh.asset = { name = "animals/newt.msh", unit = "cm", place.translate = [0, 0, 1], otherwise.box = { size = [1, 1, 1], cells = [2, 2, 2] } }
place.translate = [5, 0, 0]
material = { young = 1e5, poisson = 0.4 }
"#;

fn with(text: &str, assets: &[&Path]) -> Result<Scene, SceneError> {
    let sources = Sources {
        base: None,
        assets: assets.iter().map(|p| p.to_path_buf()).collect(),
    };
    build_from(&parse(text, "newt.toml")?, &sources)
}

/// A folder with a ball of 125 nodes and 2 cm under the asset's name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("animals")).unwrap();
    let mesh = RawMesh::from(ball(1.0, 2).unwrap());
    let path = folder.path().join("animals/newt.msh");
    write_file(&mesh, Format::Gmsh41, &path).unwrap();
    folder
}

fn centre(scene: &Scene) -> pliant_linalg::Vec3 {
    let count = scene.model.rest.len() as f64;
    scene
        .model
        .rest
        .iter()
        .fold(vec3(0.0, 0.0, 0.0), |s, &x| s + x)
        / count
}

#[test]
fn the_file_is_used_where_there_is_one() {
    let (empty, full) = (tempfile::tempdir().unwrap(), folder());
    let scene = with(SCENE, &[empty.path(), full.path()]).unwrap();
    assert_eq!(scene.model.node_count(), 125);
    assert_eq!(scene.assets[0].nodes, 125);
    assert!(
        scene.assets[0]
            .file
            .as_ref()
            .unwrap()
            .starts_with(full.path())
    );
    assert!(
        scene.notices[0].contains("newt.msh (125 nodes)"),
        "{:?}",
        scene.notices
    );
    // in cm, put by the asset first and by the body then
    assert!((centre(&scene) - vec3(5.0, 0.0, 1.0)).norm() < 1e-9);
    let widest = scene.model.rest.iter().map(|x| (x.x - 5.0).abs());
    assert!((widest.fold(0.0, f64::max) - 0.01).abs() < 1e-9);
    // the extension may be left out
    let short = SCENE.replace("newt.msh", "newt");
    assert_eq!(
        with(&short, &[full.path()]).unwrap().model.rest,
        scene.model.rest
    );
}

#[test]
fn its_stand_in_is_used_where_there_is_none() {
    let empty = tempfile::tempdir().unwrap();
    let scene = with(SCENE, &[empty.path()]).unwrap();
    assert_eq!(
        (scene.model.node_count(), scene.assets[0].file.clone()),
        (27, None)
    );
    assert!(scene.notices[0].contains("stand-in of 27 nodes for animals/newt.msh"));
    assert!((centre(&scene) - vec3(5.0, 0.0, 0.0)).norm() < 1e-12);
    let file = parse(SCENE, "newt.toml").unwrap();
    assert_eq!(build(&file, None).unwrap().digest, scene.digest);
    // a checkpoint of one mesh does not fit the other, be the nodes as many
    let other = with(SCENE, &[folder().path()]).unwrap();
    assert!(other.digest != scene.digest && scene.digest != file.digest());
}

#[test]
fn mistakes_are_told() {
    let full = folder();
    let needed = SCENE.replace(
        ", otherwise.box = { size = [1, 1, 1], cells = [2, 2, 2] }",
        "",
    );
    let message = |text: &str, assets: &[&Path]| with(text, assets).unwrap_err().to_string();
    let text = message(&needed, &[]);
    assert!(
        text.contains("no folder of assets is known") && text.contains("--assets"),
        "{text}"
    );
    let nowhere = Path::new("/nonexistent");
    assert!(message(&needed, &[nowhere]).contains("not in `/nonexistent`"));
    assert_eq!(
        with(&needed, &[full.path()]).unwrap().model.node_count(),
        125
    );
    for name in ["../newt.msh", "/newt.msh", ""] {
        let text = message(&SCENE.replace("animals/newt.msh", name), &[full.path()]);
        assert!(text.contains("is no name of a mesh"), "{text}");
    }
    // a file that is there but broken is no reason for the stand-in
    std::fs::write(full.path().join("animals/newt.msh"), "rubbish").unwrap();
    assert!(message(SCENE, &[full.path()]).contains("newt.msh"));
    let blob = SCENE.replace(
        "otherwise.box = { size = [1, 1, 1], cells = [2, 2, 2] }",
        "otherwise.blob = { limbs = [[[0, 0, 0, -1]]], edge = 0.1 }",
    );
    assert!(message(&blob, &[]).contains("limb 1 has a point with the radius -1"));
}

#[test]
fn obstacles_may_be_assets_too() {
    let text = SCENE.replace(
        "mesh.asset = { name = \"animals/newt.msh\", unit = \"cm\", place.translate = [0, 0, 1], otherwise.box = { size = [1, 1, 1], cells = [2, 2, 2] } }",
        "mesh.ball = { radius = 1, divisions = 1 }",
    ) + r#"
[[obstacle]]
name = "newt"
place.translate = [0, 0, -9]
[obstacle.mesh.asset]
name = "animals/newt.obj"
unit = "cm"
place.translate = [0, 0, 1]
otherwise.box = { size = [1, 1, 1], cells = [2, 2, 2] }
"#;
    let low = |scene: &Scene| {
        let bounds = scene.model.contact.obstacles[0].shape.bounds().unwrap();
        (bounds.low.z, bounds.high.z)
    };
    let close = |(a, b): (f64, f64), (c, d): (f64, f64)| {
        assert!((a - c).abs() < 1e-6 && (b - d).abs() < 1e-6, "{a} {b}");
    };
    let absent = with(&text, &[]).unwrap();
    close(low(&absent), (-9.5, -8.5));
    assert!(absent.notices[0].contains("obstacle `newt` is a generated stand-in"));
    // a closed surface is enough
    let full = folder();
    let corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let path = full.path().join("animals/newt.obj");
    std::fs::write(&path, corner).unwrap();
    let found = with(&text, &[full.path()]).unwrap();
    close(low(&found), (-8.0, -7.99));
    assert_eq!(found.assets[0].file.as_deref(), Some(path.as_path()));
    assert_ne!(found.digest, absent.digest);
    std::fs::write(&path, "rubbish").unwrap();
    let message = with(&text, &[full.path()]).unwrap_err().to_string();
    assert!(message.contains("newt.obj"), "{message}");
}
