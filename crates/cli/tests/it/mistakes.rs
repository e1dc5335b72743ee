//! Bad input gives exit code 2, one clear message, and nothing is written.

use crate::common::*;

fn scene_with(from: &str, to: &str) -> String {
    let scene = small_scene("");
    assert!(scene.contains(from), "{from}");
    scene.replace(from, to)
}

#[test]
fn bad_scenes_are_refused_with_a_place_and_a_remedy() {
    let cases: &[(String, &[&str])] = &[
        (
            scene_with("young = \"50 kPa\"", "young = \"-50 kPa\""),
            &["bad.toml:15", "young", "positive"],
        ),
        (
            scene_with("young = \"50 kPa\"", "young = \"50 kg\""),
            &["bad.toml:15", "50 kg", "Pa"],
        ),
        (
            scene_with("poisson = 0.4", "poisson = 0.5"),
            &["bad.toml:16", "poisson", "0.49"],
        ),
        (
            scene_with("poisson = 0.4", "poison = 0.4"),
            &["bad.toml:16", "poison", "poisson"],
        ),
        (
            scene_with("select.side = \"-x\"", "select.above = { x = \"3 m\" }"),
            &["bad.toml:22", "no node"],
        ),
        (
            scene_with("body = \"bar\"", "body = \"bra\""),
            &["bad.toml:21", "bra", "bar"],
        ),
        (
            scene_with("title", "titel"),
            &["bad.toml:2", "titel", "title"],
        ),
        (
            scene_with("[solver]", "[solver]\nmethod = \"ful\""),
            &["ful", "full"],
        ),
        (
            scene_with("cells = [8, 2, 2]", "cells = [800000, 200000, 2000000]"),
            &["bad.toml:12", "elements"],
        ),
        (
            scene_with("step = \"5 ms\"", "step = \"0 s\""),
            &["bad.toml:4", "step"],
        ),
        (
            scene_with(
                "mesh.bar = { size = [\"20 cm\", \"5 cm\", \"5 cm\"], cells = [8, 2, 2] }",
                "mesh.file = \"gone.msh\"",
            ),
            &["gone.msh"],
        ),
        ("title = ".to_string(), &["bad.toml:1"]),
    ];
    for (text, expected) in cases {
        let shell = Shell::new();
        shell.write("bad.toml", text);
        let output = shell.run(&["run", "bad.toml"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        for part in *expected {
            assert!(message.contains(part), "`{part}` is not in: {message}");
        }
        assert!(output.stdout.is_empty());
        assert_eq!(shell.files(), ["bad.toml"], "nothing is written");
    }
}

#[test]
fn bad_meshes_are_refused() {
    let scene = scene_with(
        "mesh.bar = { size = [\"20 cm\", \"5 cm\", \"5 cm\"], cells = [8, 2, 2] }",
        "mesh.file = \"mesh.msh\"",
    );
    let cases: &[(&str, &str)] = &[
        // a count of ten thousand million nodes in a file of a hundred bytes
        (
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10000000000\n1 0 0 0\n$EndNodes\n",
            "mesh.msh",
        ),
        (
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n",
            "mesh.msh",
        ),
        (
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n",
            "mesh.msh",
        ),
        ("not a mesh", "mesh.msh"),
    ];
    for (mesh, expected) in cases {
        let shell = Shell::new();
        shell.write("scene.toml", &scene);
        shell.write("mesh.msh", mesh);
        let output = shell.run(&["run", "scene.toml"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
        assert_eq!(shell.files(), ["mesh.msh", "scene.toml"]);
    }
}

#[test]
fn bad_usage_is_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["run", "nowhere.toml"], "nowhere.toml"),
        (&["run", "demmo"], "demo"),
        (&["run", "demo", "--method", "magic"], "full"),
        (&["run", "demo", "--steps", "0"], "at least one"),
        (&["run", "demo", "--duration", "5 kg"], "5 kg"),
        (&["run", "demo", "--duration", "1 us"], "shorter"),
        (&["run", "demo", "--threads", "0"], "threads"),
        (
            &["run", "demo", "--resume", "nothing.checkpoint"],
            "nothing.checkpoint",
        ),
        (
            &["run", "demo", "--checkpoint-every", "0"],
            "checkpoint-every",
        ),
        (&["run", "demo", "--out", "/proc/nowhere"], "/proc/nowhere"),
        (&["bench", "nothing"], "kernels"),
        (&["walk"], "walk"),
    ];
    for (arguments, expected) in cases {
        let shell = Shell::new();
        let output = shell.run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(shell.files().is_empty());
    }
    // with --json the message is also an object
    let output = Shell::new().run(&["run", "demmo", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        value["error"]["file"] == "demmo" && value["error"]["message"].is_string(),
        "{value}"
    );
}

#[test]
fn a_failed_simulation_exits_with_one_and_keeps_the_last_good_state() {
    // half a metre through itself in one step: no halving helps a material that forbids inversion
    let scene = scene_with("stable-neo-hookean", "neo-hookean")
        + "[[drive]]\nname = \"press\"\nbody = \"bar\"\nselect.side = \"+x\"\n\
           move.translate.keys = [[\"0 s\", [0, 0, 0]], [\"50 ms\", [0, 0, 0]], [\"55 ms\", [\"-50 cm\", 0, 0]]]\n";
    let shell = Shell::new();
    shell.write("scene.toml", scene);
    let output = shell.run(&["run", "scene.toml", "--out", "out"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("step 11") && message.contains("inside out") && message.contains("`bar`"),
        "{message}"
    );
    let saved = shell.path("out/checkpoints/step-00000010.checkpoint");
    assert_eq!(
        pliant_scene::checkpoint::Checkpoint::read(&saved)
            .unwrap()
            .state
            .step,
        10
    );
    let recording =
        pliant_scene::recording::RecordingReader::open(&shell.path("out/recording.pliant"))
            .unwrap();
    assert!(recording.is_complete());
}
