//! `--assets`: the mesh of a folder or its stand-in, told in every result, and never mixed up in a run that goes on.

use crate::common::*;

/// The small scene with a bar of as many nodes from a file where there is one.
fn scene() -> String {
    let bar = r#"{ size = ["20 cm", "5 cm", "5 cm"], cells = [8, 2, 2] }"#;
    let plain = format!("mesh.bar = {bar}");
    let scene = small_scene("");
    assert!(scene.contains(&plain));
    let asset = format!("mesh.asset = {{ name = \"parts/bar.msh\", otherwise.bar = {bar} }}");
    scene.replace(&plain, &asset)
}

#[test]
fn the_mesh_of_the_folder_or_its_stand_in() {
    let shell = Shell::new();
    shell.write("scene.toml", scene());
    std::fs::create_dir_all(shell.path("meshes/parts")).unwrap();
    let make = [
        "mesh",
        "make",
        "bar",
        "meshes/parts/bar.msh",
        "--size",
        "20cm,6cm,5cm",
        "--cells",
        "8,2,2",
    ];
    shell.json(&make);
    let steps = [
        "run",
        "scene.toml",
        "--steps",
        "4",
        "--checkpoint-every",
        "2",
    ];
    let run = |more: &[&'static str]| [&steps[..], more].concat();

    let stand_in = shell.json(&run(&["--out", "a"]));
    let used = &stand_in["assets"][0];
    assert_eq!(
        (&used["owner"], &used["stand_in"]),
        (&"body `bar`".into(), &true.into())
    );
    let found = shell.json(&run(&["--out", "b", "--assets", "meshes"]));
    let used = &found["assets"][0];
    assert_eq!(
        (&used["name"], &used["stand_in"]),
        (&"parts/bar.msh".into(), &false.into())
    );
    assert_eq!(
        (&used["nodes"], &found["nodes"]),
        (&stand_in["nodes"], &stand_in["nodes"])
    );
    assert_ne!(found["momentum"], stand_in["momentum"]);
    let report = std::fs::read_to_string(shell.path("a/report.html")).unwrap();
    assert!(report.contains("generated in place of parts/bar.msh"));

    // the environment names folders too, and what is used is told on standard error
    let mut command = shell.command(&run(&["--out", "c"]));
    let output = command
        .env("PLIANT_ASSETS", shell.path("meshes"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("note: body `bar` is ") && told.contains("bar.msh"),
        "{told}"
    );

    // as many nodes, but another mesh
    let checkpoint = "b/checkpoints/step-00000002.checkpoint";
    let other = shell.refused(&run(&["--out", "d", "--resume", checkpoint]));
    assert!(other.contains("the same --assets"), "{other}");
    shell.json(&run(&[
        "--out", "d", "--resume", checkpoint, "--assets", "meshes",
    ]));
    assert!(same_bytes(
        &shell.path("b/series.csv"),
        &shell.path("d/series.csv")
    ));

    let nowhere = shell.refused(&run(&["--assets", "nowhere"]));
    assert!(nowhere.contains("no such folder"), "{nowhere}");
}
