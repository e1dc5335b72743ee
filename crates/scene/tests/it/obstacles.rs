//! Shapes and motions of `[[obstacle]]`.

use pliant_linalg::{Mat3, vec3};
use pliant_scene::{SceneError, build, parse};
use pliant_solid::contact::{Obstacle, Shape};
use pliant_solid::profile::Profile;
use std::path::Path;

const BALL: &str = r#"title = "Ball"
time.duration = "1 s"

[[body]]
name = "ball"
mesh.ball = { radius = "10 cm", divisions = 1 }
material = { young = "100 kPa", poisson = 0.4 }

"#;

const GOOD: &str = r#"[[obstacle]]
name = "ring"
torus = { centre = [0, 0, "-1 m"], axis = [0, 0, 2], major = "30 cm", minor = "5 cm" }
move.translate = { keys = [["0 s", [0, 0, 0]], ["1 s", [0, 0, "20 cm"]]], smooth = true }
move.rotate = { axis = [0, 3, 0], angle = { sine = { amplitude = "30 deg", frequency = "2 Hz" } } }

[[obstacle]]
name = "duct"
pipe = { from = [0, 0, 0], to = [0, 0, "2 m"], inner = "20 cm", outer = "22 cm" }

[[obstacle]]
name = "ground"
height_field = { origin = [-1, -1, "-2 m"], spacing = ["50 cm", 1], heights = [[0, 0, "10 cm"], [0, "20 cm", 0], [0, 0, 0]] }

[[obstacle]]
name = "bumps"
height_field.origin = [0, 0, -3]
height_field.rotate = { axis = [1, 0, 0], angle = "-90 deg" }
height_field.bumps = { size = [2, "3 m"], cells = [40, 60], amplitude = "4 cm", wavelength = ["1 m", "50 cm"] }

[[obstacle]]
name = "block"
mesh.bar = { size = [1, 1, 1], cells = [2, 2, 2] }
place = { scale = [1, 2, 1], rotate = { axis = [0, 0, 1], angle = "90 deg" }, translate = [5, 0, 0] }
"#;

fn obstacles(text: &str, base: Option<&Path>) -> Result<Vec<Obstacle>, SceneError> {
    let file = parse(&format!("{BALL}{text}"), "ball.toml")?;
    Ok(build(&file, base)?.model.contact.obstacles)
}

#[test]
fn shapes_and_motions_are_taken_over() {
    let found = obstacles(GOOD, None).unwrap_or_else(|e| panic!("{e}"));
    let [ring, duct, ground, bumps, block] = &found[..] else {
        panic!("{}", found.len());
    };
    assert_eq!(
        ring.shape,
        Shape::Torus {
            centre: vec3(0.0, 0.0, -1.0),
            axis: vec3(0.0, 0.0, 1.0),
            major: 0.3,
            minor: 0.05,
        }
    );
    let motion = ring.motion.as_ref().unwrap();
    let rotation = motion.rotation.as_ref().unwrap();
    // about its middle, where nothing else is said
    assert_eq!(rotation.centre, vec3(0.0, 0.0, -1.0));
    assert_eq!(rotation.axis, vec3(0.0, 1.0, 0.0));
    assert!(matches!(rotation.angle, Profile::Sine { frequency, .. } if frequency == 2.0));
    assert_eq!(motion.at(rotation.centre, 2.0), vec3(0.0, 0.0, -0.8));
    assert_eq!(
        duct.shape,
        Shape::Pipe {
            a: vec3(0.0, 0.0, 0.0),
            b: vec3(0.0, 0.0, 2.0),
            inner: 0.2,
            outer: 0.22,
        }
    );
    assert_eq!(duct.motion, None);
    // the first row lies at the origin, along x
    let height = |shape: &Shape, x: f64, y: f64, z: f64| shape.probe(vec3(x, y, z)).0;
    assert!(height(&ground.shape, 0.0, -1.0, -1.9).abs() < 1e-12);
    assert!(height(&ground.shape, -0.5, 0.0, -1.8).abs() < 1e-12);
    assert!(height(&ground.shape, -0.5, -1.0, -2.0).abs() < 1e-12);
    // heights along y, the second side along −z
    let turned = Mat3::rotation(vec3(1.0, 0.0, 0.0), -90f64.to_radians());
    let top = turned * vec3(0.25, 0.125, 0.04) + vec3(0.0, 0.0, -3.0);
    // the crest lies between two rows of points, whose chord is 2 mm lower
    let (distance, normal) = bumps.shape.probe(top + vec3(0.0, 0.01, 0.0));
    assert!(
        (distance - 0.01).abs() < 2.5e-3 && normal.y > 0.9,
        "{distance} {normal:?}"
    );
    let bounds = block.shape.bounds().unwrap();
    assert!(
        (bounds.low - vec3(3.0, 0.0, 0.0)).norm() < 1e-12,
        "{bounds:?}"
    );
    assert!(
        (bounds.high - vec3(5.0, 1.0, 1.0)).norm() < 1e-12,
        "{bounds:?}"
    );
    assert!(block.shape.probe(vec3(4.0, 0.5, 0.5)).0 + 0.5 < 1e-12);
}

#[test]
fn surfaces_come_from_files() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let wedge = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::fs::write(folder.join("wedge.obj"), wedge).unwrap();
    let open = wedge.replace("f 3 1 4\n", "");
    std::fs::write(folder.join("open.obj"), open).unwrap();
    let with = |file: &str| {
        let text = format!(
            "[[obstacle]]\nmesh.file = {{ path = \"{file}\", unit = \"cm\" }}\nplace.translate = [1, 0, 0]\n"
        );
        obstacles(&text, Some(folder))
    };
    let found = with("wedge.obj").unwrap_or_else(|e| panic!("{e}"));
    let bounds = found[0].shape.bounds().unwrap();
    assert!((bounds.high - vec3(1.1, 0.1, 0.1)).norm() < 1e-12);
    assert!((found[0].shape.probe(vec3(1.02, 0.02, -0.03)).0 - 0.03).abs() < 1e-12);
    let shown = with("open.obj").unwrap_err().to_string();
    assert!(shown.contains("not closed: 3 edges at holes"), "{shown}");
    assert!(with("none.obj").is_err());
}

#[test]
fn mistakes_are_explained_in_place() {
    for (old, new, at, words) in [
        (
            "minor = \"5 cm\"",
            "minor = \"50 cm\"",
            "50 cm",
            "a torus has a hole",
        ),
        (
            "minor = \"5 cm\"",
            "minor = 0",
            "0",
            "minor radius of an obstacle must be positive",
        ),
        (
            "axis = [0, 0, 2]",
            "axis = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        (
            "axis = [0, 3, 0]",
            "axis = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        (
            "move.rotate = {",
            "move.twist = {",
            "twist",
            "unknown key `twist`",
        ),
        (
            "[\"1 s\", [0, 0, \"20 cm\"]]",
            "[\"0 s\", [0, 0, 1]]",
            "0 s",
            "must increase",
        ),
        (
            "to = [0, 0, \"2 m\"]",
            "to = [0, 0, 0]",
            "[0, 0, 0]",
            "ends where it begins",
        ),
        (
            "inner = \"20 cm\"",
            "inner = \"30 cm\"",
            "30 cm",
            "less than the outer one",
        ),
        (
            "[0, \"20 cm\", 0]",
            "[0, \"20 cm\"]",
            "[0, \"20 cm\"]",
            "this row has 2 heights",
        ),
        (
            "spacing = [\"50 cm\", 1], ",
            "",
            "heights",
            "no distance from each other",
        ),
        (
            "spacing = [\"50 cm\", 1]",
            "spacing = [0, 1]",
            "0",
            "spacing of an obstacle must be positive",
        ),
        (
            "heights = [[0, 0, \"10 cm\"], [0, \"20 cm\", 0], [0, 0, 0]]",
            "heights = []",
            "[]",
            "at least two rows",
        ),
        (
            "cells = [40, 60]",
            "cells = [40, 0]",
            "[40, 0]",
            "cells are not possible",
        ),
        (
            "cells = [40, 60]",
            "cells = [4000000000, 4000000000]",
            "4000000000",
            "cells are not possible",
        ),
        (
            "wavelength = [\"1 m\", \"50 cm\"]",
            "wavelength = [\"1 m\", 0]",
            "0",
            "wavelength of an obstacle must be positive",
        ),
        (
            "height_field.bumps = {",
            "height_field.spacing = [1, 1]\nheight_field.bumps = {",
            "[1, 1]",
            "remove it",
        ),
        (
            "mesh.bar = { size = [1, 1, 1], cells = [2, 2, 2] }",
            "mesh.rectangle = { size = [1, 1], cells = [2, 2] }",
            "rectangle",
            "bounds no solid",
        ),
        (
            "mesh.bar = { size = [1, 1, 1], cells = [2, 2, 2] }",
            "mesh.bar = { size = [1, 1, 1], cells = [2, 0, 2] }",
            "[2, 0, 2]",
            "at least",
        ),
        (
            "mesh.bar = { size = [1, 1, 1], cells = [2, 2, 2] }",
            "mesh.bar = { size = [1, 1, 1], cells = [200000, 200000, 2] }",
            "200000",
            "the limit is",
        ),
        (
            "mesh.bar = { size = [1, 1, 1], cells = [2, 2, 2] }",
            "mesh.file = \"x.obj\"",
            "x.obj",
            "embedded scene cannot name a mesh file",
        ),
        (
            "scale = [1, 2, 1]",
            "scale = [1, -2, 1]",
            "[1, -2, 1]",
            "must be positive",
        ),
        (
            "pipe = {",
            "place.translate = [0, 0, 0]\npipe = {",
            "translate",
            "only a `mesh`",
        ),
        ("name = \"duct\"", "move = {}", "{}", "moves nothing"),
    ] {
        assert_eq!(GOOD.matches(old).count(), 1, "`{old}` must occur once");
        let changed = GOOD.replacen(old, new, 1);
        let Err(error) = obstacles(&changed, None) else {
            panic!("no error for {new}");
        };
        let shown = format!("{error}; {}", error.help.clone().unwrap_or_default());
        assert!(shown.contains(words), "{shown}");
        let span = error.span.clone();
        let span = span.unwrap_or_else(|| panic!("no place: {shown}"));
        let text = format!("{BALL}{changed}");
        let pointed = &text[span];
        assert!(pointed.contains(at), "{shown}\npoints at `{pointed}`");
    }
}
