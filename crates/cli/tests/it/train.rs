//! `pliant train`: the same bytes however it is run, work that is not done twice, mistakes.

use crate::common::*;
use pliant_scene::trained::TrainedFile;
use pliant_scene::{build, parse};
use serde_json::Value;

/// Loads in three directions on a clamped bar; every run gives two snapshots.
fn scene(training: &str) -> String {
    let mut text = small_scene("") + "[training]\n" + training;
    for (name, force) in [
        ("up", "[0, 0, 0.3]"),
        ("side", "[0, 0.3, 0]"),
        ("pull", "[2, 0, 0]"),
    ] {
        text += &format!(
            r#"
[[training.run]]
name = "{name}"
gravity = [0, 0, 0]
step = "100 ms"
duration = "400 ms"
snapshots = 2
[[training.run.drive]]
select.side = "+x"
force = {{ total = {force}, profile.keys = [["0 s", 0], ["400 ms", 1]] }}
"#
        );
    }
    text
}

fn numbers<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = f64> + 'a {
    let key = key.to_string();
    let list = value["domains"].as_array().unwrap().iter();
    list.map(move |d| d[&key].as_f64().unwrap())
}

#[test]
fn a_model_is_trained_and_fits_its_scene() {
    let shell = Shell::new();
    shell.write("bar.toml", scene("cubature = { tolerance = 0.02 }"));
    let result = shell.json(&["train", "bar.toml", "--out", "bar.pliant-model"]);
    assert_eq!(
        (&result["command"], &result["scene"]),
        (&"train".into(), &"bar.toml".into())
    );
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    for run in runs {
        let seen = (&run["steps"], &run["snapshots"], &run["reused"]);
        assert_eq!(seen, (&4.into(), &2.into(), &false.into()));
    }
    assert_eq!(numbers(&result, "nodes").sum::<f64>(), 81.0);
    let (rank, points) = (
        result["rank"].as_u64().unwrap(),
        result["cubature"].as_u64().unwrap(),
    );
    assert!((3..=6).contains(&rank), "{result}");
    assert!((1..100).contains(&points), "{result}");
    assert!(result["largest_error"].as_f64().unwrap() <= 0.02);

    let file = parse(&scene(""), "bar.toml").unwrap();
    let model = build(&file, None).unwrap().model;
    let (trained, body) = TrainedFile::read_for(&shell.path("bar.pliant-model"), &model).unwrap();
    assert_eq!((body, trained.scene.as_str()), (0, "bar.toml"));
    let domain = &trained.model.domains[0];
    assert_eq!(
        (domain.rank, domain.cubature.len()),
        (rank as usize, points as usize)
    );
    // the clamped end moves in no mode
    for (place, &node) in domain.nodes.iter().enumerate() {
        if model.rest[node as usize].x.abs() < 1e-9 {
            assert!(domain.block(place).iter().all(|u| u.abs() < 1e-12));
        }
    }
    // a scene with another material is refused
    let other = scene("").replace("50 kPa", "60 kPa");
    let other = build(&parse(&other, "bar.toml").unwrap(), None)
        .unwrap()
        .model;
    let refused = TrainedFile::read_for(&shell.path("bar.pliant-model"), &other);
    assert!(refused.unwrap_err().to_string().contains("other materials"));
    // nothing else stays in the folder
    assert_eq!(shell.files(), ["bar.pliant-model", "bar.toml"]);
}

#[test]
fn bytes_do_not_depend_on_threads_or_interruptions() {
    let shell = Shell::new();
    shell.write("bar.toml", scene(""));
    let train = |out: &str, threads: &str, more: &[&str]| {
        let mut all = vec!["train", "bar.toml", "--out", out, "--threads", threads];
        all.extend(more);
        shell.json(&all)
    };
    train("one", "1", &["--keep-work"]);
    train("two", "3", &[]);
    assert!(same_bytes(&shell.path("one"), &shell.path("two")));

    // as if stopped after two of three runs, one of them damaged on the disk
    let work = shell.path("one.work");
    std::fs::remove_file(work.join("pose-0001")).unwrap();
    let mut bytes = std::fs::read(work.join("pose-0002")).unwrap();
    bytes[100] ^= 8;
    std::fs::write(work.join("pose-0002"), bytes).unwrap();
    std::fs::remove_file(shell.path("one")).unwrap();
    let again = train("one", "2", &[]);
    let reused: Vec<&Value> = (again["runs"].as_array().unwrap().iter())
        .map(|run| &run["reused"])
        .collect();
    assert_eq!(reused, [true, false, false]);
    assert!(same_bytes(&shell.path("one"), &shell.path("two")));
    assert!(!work.exists());

    // solutions are kept when only what is learnt from them changes, and not when a load does
    train("one", "1", &["--keep-work"]);
    shell.write("bar.toml", scene("rank = 2"));
    let fewer = train("one", "1", &["--keep-work"]);
    assert_eq!(fewer["rank"], 2);
    assert!((fewer["runs"].as_array().unwrap().iter()).all(|run| run["reused"] == true));
    shell.write(
        "bar.toml",
        scene("rank = 2").replace("[0, 0, 0.3]", "[0, 0, 0.2]"),
    );
    let changed = train("one", "1", &[]);
    assert_eq!(changed["runs"][0]["reused"], false);
    assert_eq!(changed["runs"][1]["reused"], true);
}

#[test]
fn a_scene_without_training_is_learnt_from_its_own_run() {
    let shell = Shell::new();
    let text = small_scene("").replace("[[drive]]", "[training]\nrigid_modes = true\n[[drive]]");
    shell.write("bar.toml", text);
    let result = shell.json(&["train", "bar.toml"]);
    assert_eq!(result["model"], "bar.pliant-model");
    assert_eq!(result["runs"][0]["snapshots"], 20);
    // the bar sags under its weight at once and stays so: one mode, and six more
    assert_eq!(numbers(&result, "rigid_modes").sum::<f64>(), 6.0);
    assert!(shell.path("bar.pliant-model").exists());
}

#[test]
fn mistakes_are_refused_before_anything_is_computed() {
    let shell = Shell::new();
    shell.write("bar.toml", scene("body = \"rod\""));
    let message = shell.refused(&["train", "bar.toml"]);
    assert!(
        message.contains("there is no body `rod`") && message.contains("bar.toml:"),
        "{message}"
    );
    shell.write("bar.toml", scene(""));
    let message = shell.refused(&["train", "bar.toml", "--out", "none/x.pliant-model"]);
    assert!(message.contains("folder that exists"), "{message}");
    assert_eq!(shell.files(), ["bar.toml"]);
}

#[test]
fn a_run_that_fails_is_named_and_the_others_are_kept() {
    let shell = Shell::new();
    // a pull that nothing can balance: the clamp is gone in one run
    let text = scene("").replacen(
        "name = \"side\"",
        "name = \"free\"\nwithout = [\"clamp\"]",
        1,
    );
    shell.write("bar.toml", text);
    let output = shell.run(&["train", "bar.toml", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("free") && message.contains("kept"),
        "{message}"
    );
    assert!(shell.path("bar.pliant-model.work/pose-0000").exists());
    assert!(!shell.path("bar.pliant-model").exists());
}

/// A bar with two bones, bent at the joint between them.
fn rigged(training: &str) -> String {
    let bar = small_scene("").replace(
        "[[drive]]\nname = \"clamp\"\nbody = \"bar\"\nselect.side = \"-x\"\nfix = true\n",
        "",
    );
    bar + r#"
[[body.rig.joint]]
name = "root"
at = ["1 cm", "2.5 cm", "2.5 cm"]
[[body.rig.joint]]
name = "low"
at = ["10 cm", "2.5 cm", "2.5 cm"]
parent = "root"
[[body.rig.joint]]
name = "high"
at = ["19 cm", "2.5 cm", "2.5 cm"]
parent = "low"
[[body.rig.training]]
sweep = { bones = ["high"], axis = [0, 0, 1], angles = ["-40 deg", "-20 deg", "20 deg", "40 deg"] }
[[body.rig.training]]
sweep = { bones = ["high"], axis = [0, 1, 0], angles = ["-30 deg", "30 deg"] }
[training]
"# + training
}

#[test]
fn poses_of_a_rig_are_learnt_by_domains() {
    let shell = Shell::new();
    shell.write("arm.toml", rigged("cubature = { tolerance = 0.03 }"));
    let result = shell.json(&["train", "arm.toml", "--threads", "2"]);
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 6, "{result}");
    // from the skinned shape equilibrium is found at once
    for run in runs {
        assert_eq!(run["steps"], 1, "{result}");
        assert!(run["residual"].as_f64().unwrap() <= 1e-3, "{result}");
    }
    assert_eq!(result["domains"].as_array().unwrap().len(), 2);
    assert!(
        result["largest_error"].as_f64().unwrap() <= 0.03,
        "{result}"
    );

    let file = parse(&rigged(""), "arm.toml").unwrap();
    let model = build(&file, None).unwrap().model;
    let path = shell.path("arm.pliant-model");
    let (trained, _) = TrainedFile::read_for(&path, &model).unwrap();
    let rig = model.bodies[0].rig.as_ref().unwrap();
    assert_eq!(trained.model.weights.as_ref(), Some(&*rig.weights));
    assert!(!trained.model.interface.is_empty());
    let mut held = 0;
    for domain in &trained.model.domains {
        assert!(domain.rank >= 2 && !domain.cubature.is_empty());
        // nodes beside bones are where skinning puts them: no mode moves them
        for (place, node) in domain.nodes.iter().enumerate() {
            if rig.held.binary_search(node).is_ok() {
                held += 1;
                assert!(domain.block(place).iter().all(|u| u.abs() < 1e-9));
            }
        }
    }
    assert!(held > 0);
    // another skeleton is refused
    let moved = rigged("").replace("10 cm\", \"2.5", "11 cm\", \"2.5");
    let moved = build(&parse(&moved, "arm.toml").unwrap(), None)
        .unwrap()
        .model;
    let refused = TrainedFile::read_for(&path, &moved)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("another rig"), "{refused}");
    // one that moves in another way is not
    let turned = rigged("").replace("[training]", "[[body.rig.keys]]\ntime = \"1 s\"\nturn.high = { axis = [0, 0, 1], angle = \"10 deg\" }\n[training]");
    let turned = build(&parse(&turned, "arm.toml").unwrap(), None)
        .unwrap()
        .model;
    TrainedFile::read_for(&path, &turned).unwrap();
}

/// The small capsule: trained, bent against its pipe with the trained model, checkpointed in contact and resumed.
#[test]
fn a_trained_capsule_is_stepped_in_its_space() {
    let shell = Shell::new();
    let result = shell.json(&[
        "train",
        "subspace/capsule-small",
        "--out",
        "small.pliant-model",
    ]);
    assert_eq!(result["domains"].as_array().unwrap().len(), 2);
    assert!(result["largest_error"].as_f64().unwrap() <= 0.04);
    let embedded = include_str!("../../../../scenes/subspace/capsule-small.toml");
    let with = |radius: &str| {
        let own = format!(
            "\n[solver.subspace]\nmodel = \"small.pliant-model\"\nradius = {radius}\n\n[contact]"
        );
        embedded.replacen("\n[contact]", &own, 1)
    };
    shell.write("near.toml", with("0.08"));
    shell.write("far.toml", with("0.25"));
    let run = |scene: &str, more: &[&str]| {
        let mut all = vec!["run", scene, "--method", "subspace"];
        all.extend(more);
        shell.json(&all)
    };
    let near = run("near.toml", &["--out", "near", "--checkpoint-every", "58"]);
    let far = run("far.toml", &["--out", "far"]);
    for result in [&near, &far] {
        let of = |key: &str| result[key].as_f64().unwrap();
        assert_eq!(of("steps"), 90.0);
        assert!(of("max_contacts") > 10.0, "{result}");
        assert!(of("worst_residual") <= 1e-4, "{result}");
        assert!(of("newton_iterations") < 360.0, "{result}");
        assert_eq!(of("halved_steps"), 0.0);
    }
    // a checkpoint in contact goes on to the same end
    let checkpoint = "near/checkpoints/step-00000058.checkpoint";
    let resumed = run("near.toml", &["--out", "again", "--resume", checkpoint]);
    assert_eq!(resumed["energies"]["elastic"], near["energies"]["elastic"]);
    assert_eq!(resumed["max_displacement"], near["max_displacement"]);
    // without a model it says what to do
    std::fs::remove_file(shell.path("small.pliant-model")).unwrap();
    let message = shell.refused(&["run", "near.toml", "--method", "subspace"]);
    assert!(message.contains("pliant train"), "{message}");
}
