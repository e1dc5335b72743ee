//! Skeletons in scenes: joints, files, keys, frames, training poses, and what is wrong with them.

use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::rig::Quaternion;
use pliant_scene::{Scene, SceneError, Sources, build, build_from, parse};
use pliant_solid::Simulation;
use pliant_solid::rig::Rig;
use pliant_solid::strategy::Method;
use std::f64::consts::PI;
use std::path::Path;
use std::sync::Arc;

const GOOD: &str = r#"title = "Finger"
gravity = [0, 0, 0]
time = { step = "10 ms", duration = "1 s" }

[[body]]
name = "finger"
mesh.capsule = { radius = "5 cm", length = "20 cm", divisions = 2, layers = 8 }
material = { model = "corotated", young = "10 kPa", poisson = 0.3 }

[body.rig]
conductance = 15

[[body.rig.joint]]
name = "base"
at = [0, 0, "-12 cm"]

[[body.rig.joint]]
name = "knuckle"
at = [0, 0, 0]
parent = "base"

[[body.rig.joint]]
name = "tip"
at = [0, 0, "12 cm"]
parent = "knuckle"

[[body.rig.keys]]
time = 0

[[body.rig.keys]]
time = "0.5 s"
turn.tip = { axis = [1, 0, 0], angle = "40 deg" }
shift = [0, "1 cm", 0]
root = { quaternion = [2, 0, 0, 0] }

[[body.rig.training]]
pose.turn.tip = { axis = [0, 1, 0], angle = "30 deg" }

[[body.rig.training]]
sweep = { axis = [1, 0, 0], angles = ["20 deg", "-20 deg"] }

[[body.rig.training]]
samples = { count = 3 }
"#;

fn scene(text: &str) -> Result<Scene, SceneError> {
    parse(text, "finger.toml").and_then(|file| build(&file, Some(Path::new("/nonexistent"))))
}

fn rig(scene: &Scene) -> Arc<Rig> {
    scene.model.bodies[0].rig.clone().unwrap()
}

/// Angle of a bone about x at a time, rad.
fn bend(rig: &Rig, bone: usize, t: f64) -> f64 {
    let Quaternion { w, v } = rig.motion.at(t).rotations[bone];
    2.0 * v.x.atan2(w)
}

#[test]
fn a_skeleton_is_built() {
    let scene = scene(GOOD).unwrap();
    let rig = rig(&scene);
    assert_eq!(rig.skeleton.bone_count(), 2);
    assert_eq!(rig.skeleton.bone_named("tip"), Some(1));
    assert!((bend(&rig, 1, 0.25) - 20.0 * PI / 180.0).abs() < 1e-12);
    assert!((bend(&rig, 1, 9.0) - 40.0 * PI / 180.0).abs() < 1e-12);
    assert!((rig.motion.at(0.25).root_shift - vec3(0.0, 0.005, 0.0)).norm() < 1e-15);
    let names: Vec<&str> = rig.training.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "pose 1",
            "knuckle 20°",
            "knuckle -20°",
            "tip 20°",
            "tip -20°",
            "0.000 s",
            "0.250 s",
            "0.500 s"
        ]
    );
    let bent = rig.training[0].pose.rotations[1].v;
    assert!((bent - vec3(0.0, (PI / 12.0).sin(), 0.0)).norm() < 1e-15);
    assert!(rig.training[5].pose.is_rest());
    // the last drive is that of the skeleton, and it holds what it says
    let drive = scene.model.drives.last().unwrap();
    assert_eq!(drive.name, "finger skeleton");
    assert_eq!(drive.held().len(), rig.held.len());
    let mut simulation = Simulation::new(scene.model, scene.settings, Method::Full).unwrap();
    for _ in 0..50 {
        simulation.step().unwrap();
    }
    let highest = simulation.state().positions.iter().map(|x| x.z);
    assert!(highest.fold(0.0, f64::max) < 0.14, "the tip bends down");
}

#[test]
fn place_moves_the_skeleton_and_turns_its_axes() {
    let place = r#"place = { scale = [2, 2, 2], rotate = { axis = [0, 1, 0], angle = "90 deg" }, translate = [1, 0, 0] }
[body.rig]"#;
    let placed = scene(&GOOD.replacen("[body.rig]", place, 1)).unwrap();
    let (rig, plain) = (rig(&placed), rig(&scene(GOOD).unwrap()));
    // z becomes x
    let joint = rig.skeleton.joints()[2].position;
    assert!((joint - vec3(1.24, 0.0, 0.0)).norm() < 1e-14);
    assert_eq!(rig.weights.starts, plain.weights.starts);
    // every node is where the placed node of the plain body would be
    let turn = Mat3::rotation(Vec3::AXES[1], PI / 2.0);
    let (a, b) = (rig.skinning_at(0.4), plain.skinning_at(0.4));
    let small = scene(GOOD).unwrap();
    for node in 0..placed.model.node_count() {
        let large = a.frame(rig.weights.of(node)).push(placed.model.rest[node]);
        let own = b.frame(plain.weights.of(node)).push(small.model.rest[node]);
        assert!((large - (turn * own * 2.0 + vec3(1.0, 0.0, 0.0))).norm() < 1e-9);
    }
}

#[test]
fn turns_may_be_longer_than_a_circle() {
    let far = GOOD.replace("\"40 deg\"", "\"-500 deg\"");
    let rig = rig(&scene(&far).unwrap());
    for part in [0.1, 0.35, 0.5, 0.77, 1.0] {
        let expected = Quaternion::turn(Vec3::AXES[0], -500.0 * part * PI / 180.0);
        let found = rig.motion.at(0.5 * part).rotations[1];
        assert!(found.dot(expected).abs() > 1.0 - 1e-12, "{part}");
    }
    let smooth = far.replace("conductance = 15", "smooth = true");
    let error = scene(&smooth).unwrap_err().to_string();
    assert!(
        error.contains("turns by 500°") && error.contains("add a key"),
        "{error}"
    );
}

/// A folder of assets with a skeleton in three formats and poses.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "bones.txt",
        "0 0 0 -12 -1\n1 0 0 0 0 knuckle\n2 0 0 12 1 tip\n",
    );
    write(
        "bones.tgf",
        "1 0 0 -12\n2 0 0 0\n3 0 0 12\n#\n1 2\n2 3\n#\n",
    );
    write(
        "walk.json",
        r#"{"description": "two frames", "joints": [
            {"index": 0, "name": "base", "position": [0, 0, -12], "parent": -1},
            {"index": 1, "name": "knuckle", "position": [0, 0, 0], "parent": 0},
            {"index": 2, "name": "tip", "position": [0, 0, 12], "parent": 1}],
            "frames": [[[1, 0, 0, 0], [1, 0, 0, 0]], [[1, 0, 0, 0], [0.8, 0.6, 0, 0]], [[1, 0, 0, 0], [2, 0, 0, 0]]]}"#,
    );
    write("short.json", r#"{"frames": [[[1, 0, 0, 0]]]}"#);
    write("bad.txt", "0 0 0\n");
    folder
}

fn from_files(skeleton: &str, frames: &str, folder: &Path) -> Result<Scene, SceneError> {
    let start = GOOD.find("[[body.rig.joint]]").unwrap();
    let text = format!(
        "{}skeleton = {{ {skeleton}, unit = \"cm\" }}\n{frames}",
        &GOOD[..start]
    );
    let sources = Sources {
        base: Some(folder.to_path_buf()),
        assets: vec![folder.to_path_buf()],
    };
    build_from(&parse(&text, "files.toml")?, &sources)
}

#[test]
fn skeletons_and_poses_come_from_files() {
    let folder = folder();
    let plain = rig(&scene(GOOD).unwrap());
    let walk = "frames = { asset = \"walk.json\", rate = \"10 Hz\", from = \"0.2 s\" }\nrepeat = true\ntraining = [{ frames = { file = \"walk.json\", every = 2 } }]\n";
    for source in [
        "asset = \"bones.txt\"",
        "file = \"bones.tgf\"",
        "asset = \"walk.json\"",
    ] {
        let scene = from_files(source, walk, folder.path()).unwrap();
        let rig = rig(&scene);
        assert_eq!(rig.weights, plain.weights, "{source}");
        assert_eq!(rig.held, plain.held);
        let angle = 2.0 * 0.6f64.atan2(0.8);
        for (t, share) in [(0.1, 0.0), (0.25, 0.5), (0.3, 1.0), (0.35, 0.5), (0.4, 0.0)] {
            assert!(
                (bend(&rig, 1, t) - share * angle).abs() < 1e-12,
                "{source} {t}"
            );
        }
        let names: Vec<&str> = rig.training.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["frame 0", "frame 2"]);
        assert!(scene.assets.len() >= 3 && scene.assets.iter().all(|a| a.file.is_some()));
    }
    // another file is another scene
    let before = from_files("asset = \"bones.txt\"", "", folder.path())
        .unwrap()
        .digest;
    std::fs::write(
        folder.path().join("bones.txt"),
        "0 0 0 -12 -1\n1 0 0 1 0\n2 0 0 12 1\n",
    )
    .unwrap();
    let after = from_files("asset = \"bones.txt\"", "", folder.path())
        .unwrap()
        .digest;
    assert_ne!(before, after);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = folder();
    let fails = |skeleton: &str, rest: &str| {
        let error = from_files(skeleton, rest, folder.path()).unwrap_err();
        assert!(error.line > 0);
        error.to_string()
    };
    assert!(fails("asset = \"bad.txt\"", "").contains("line 1 of the skeleton: z is missing"));
    assert!(fails("asset = \"none.txt\"", "").contains("--assets"));
    assert!(fails("asset = \"../bones.txt\"", "").contains("within the folder"));
    assert!(fails("file = \"none.txt\"", "").contains("cannot be read"));
    assert!(fails("asset = \"a\", file = \"b\"", "").contains("exactly one of `asset` and `file`"));
    let frames = |name: &str| format!("frames = {{ file = \"{name}\", rate = 10 }}");
    let bones = "asset = \"bones.txt\"";
    assert!(fails(bones, &frames("short.json")).contains("frame 0: the pose turns 1 bones"));
    assert!(fails(bones, &frames("bones.txt")).contains("`bones.txt`"));
    assert!(
        fails(bones, "frames = { file = \"walk.json\", rate = 0 }")
            .contains("rate must be positive")
    );
}

#[test]
fn figures_bring_their_skeleton() {
    for (kind, bones, edge) in [
        ("hand", 19, "6 cm"),
        ("humanoid", 17, "4 cm"),
        ("giant", 52, "6 cm"),
    ] {
        let text = format!(
            "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"b\"\nmesh.{kind} = {{ edge = \"{edge}\" }}\n\
             material = {{ young = 1e4, poisson = 0.3 }}\nrig = {{}}\n"
        );
        let scene = scene(&text).unwrap_or_else(|e| panic!("{e}"));
        let rig = rig(&scene);
        assert_eq!(rig.skeleton.bone_count(), bones);
        assert!(rig.motion.is_rest());
    }
}

/// The error after one replacement; its place must hold `at`, message and help must hold `words`.
fn check(old: &str, new: &str, at: &str, words: &[&str]) {
    assert_eq!(GOOD.matches(old).count(), 1, "`{old}` must occur once");
    let text = GOOD.replacen(old, new, 1);
    let error = scene(&text)
        .err()
        .unwrap_or_else(|| panic!("no error for {new}"));
    let shown = error.to_string();
    let span = error.span.clone().unwrap();
    assert!(
        text[span.clone()].contains(at),
        "{shown}\npoints at `{}`",
        &text[span]
    );
    for word in words {
        assert!(shown.contains(word), "`{word}` is not in: {shown}");
    }
}

#[test]
fn mistakes_are_explained() {
    check(
        "conductance = 15",
        "conductanse = 15",
        "conductanse",
        &["unknown key", "did you mean `conductance`"],
    );
    check(
        "conductance = 15",
        "conductance = -1",
        "-1",
        &["conductance must be a positive number"],
    );
    check(
        "conductance = 15",
        "bones_per_node = 0",
        "0",
        &["at least one bone"],
    );
    check(
        "parent = \"knuckle\"",
        "parent = \"knukle\"",
        "knukle",
        &["there is no joint `knukle`", "did you mean `knuckle`"],
    );
    check(
        "at = [0, 0, \"12 cm\"]",
        "at = [0, 0, 0]",
        "joint",
        &["no length"],
    );
    check(
        "name = \"tip\"",
        "name = \"base\"",
        "\"base\"",
        &["called `base` already"],
    );
    check(
        "turn.tip = { axis = [1, 0, 0]",
        "turn.tipp = { axis = [1, 0, 0]",
        "axis",
        &["there is no bone `tipp`", "did you mean `tip`"],
    );
    check(
        "turn.tip = { axis = [1, 0, 0]",
        "turn.base = { axis = [1, 0, 0]",
        "axis",
        &["root"],
    );
    check(
        "turn.tip = { axis = [1, 0, 0]",
        "turn.tip = { axis = [0, 0, 0]",
        "[0, 0, 0]",
        &["no direction"],
    );
    check(
        "angle = \"40 deg\" }",
        "angle = \"40 cm\" }",
        "40 cm",
        &["not an angle"],
    );
    check(
        ", angle = \"40 deg\" }",
        " }",
        "axis",
        &["`axis` and `angle`, or `quaternion`"],
    );
    check(
        "quaternion = [2, 0, 0, 0]",
        "quaternion = [0, 0, 0, 0]",
        "[0, 0, 0, 0]",
        &["no rotation"],
    );
    check(
        "quaternion = [2, 0, 0, 0]",
        "quaternion = [2, 0, 0]",
        "[2, 0, 0]",
        &["4"],
    );
    check(
        "time = \"0.5 s\"",
        "time = 0",
        "0",
        &["not after the one before"],
    );
    check(
        "samples = { count = 3 }",
        "samples = { count = 0 }",
        "0",
        &["count must be from 1"],
    );
    check(
        "samples = { count = 3 }",
        "samples = { count = 3 }\nsweep = { axis = [1, 0, 0], angles = [1] }",
        "",
        &["exactly one of"],
    );
    check(
        "sweep = { axis",
        "sweep = { bones = [\"thumb\"], axis",
        "thumb",
        &["there is no bone `thumb`"],
    );
    check(
        "[body.rig]",
        "rigid = \"free\"\n[body.rig]",
        "",
        &["rigid body has no skeleton"],
    );
}

#[test]
fn bodies_without_bones_inside_are_refused() {
    let text = GOOD.replace("[body.rig]", "place.translate = [5, 0, 0]\n[body.rig]");
    assert!(scene(&text).is_ok(), "the skeleton comes along");
    let text = GOOD
        .replace("\"12 cm\"", "\"120 cm\"")
        .replace("\"-12 cm\"", "\"100 cm\"");
    let error = scene(&text.replace("at = [0, 0, 0]", "at = [0, 0, \"110 cm\"]"));
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("no bone passes through")
    );
    let flat = GOOD.replace(
        "mesh.capsule = { radius = \"5 cm\", length = \"20 cm\", divisions = 2, layers = 8 }",
        "mesh.rectangle = { size = [1, 1], cells = [2, 2] }",
    );
    assert!(
        scene(&flat)
            .unwrap_err()
            .to_string()
            .contains("only solids")
    );
    let start = GOOD.find("[[body.rig.joint]]").unwrap();
    let bare = scene(&GOOD[..start]).unwrap_err().to_string();
    assert!(
        bare.contains("has no joints") && bare.contains("[[body.rig.joint]]"),
        "{bare}"
    );
    let cut = format!("{GOOD}\n[[cut]]\ntime = 0.1\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\n");
    let cut = scene(&cut).unwrap_err().to_string();
    assert!(cut.contains("cannot be cut"), "{cut}");
}
