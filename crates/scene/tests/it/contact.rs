//! `[contact]` and `[[obstacle]]`.

use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_scene::{SceneError, build, parse};
use pliant_solid::contact::{ContactModel, Detection, Obstacle, Response, Shape};

const BALL: &str = r#"title = "Ball"
time.duration = "1 s"

[[body]]
name = "ball"
mesh.ball = { radius = "10 cm", divisions = 1 }
material = { young = "100 kPa", poisson = 0.4 }

"#;

const GOOD: &str = r#"[contact]
model = "penalty"
friction = 0.3
stiffness = 2
damping = "1 ms"

[[obstacle]]
name = "floor"
friction = "80 %"
half_space = { point = [0, 0, "-1 m"], normal = [0, 0, 2] }

[[obstacle]]
name = "bowl"
sphere = { centre = [0, 0, "50 cm"], radius = 3, hollow = true }

[[obstacle]]
box = { centre = [1, 0, 0], size = ["20 cm", "40 cm", "60 cm"], rotate = { axis = [0, 0, 3], angle = "30 deg" } }

[[obstacle]]
name = "peg"
capsule = { from = [0, 0, 0], to = [0, 0, 1], radius = "1 cm" }

[[obstacle]]
name = "post"
cylinder = { from = [0, 0, 0], to = [0, 0, 1], radius = "2 cm" }
"#;

fn contact(text: &str) -> Result<ContactModel, SceneError> {
    let file = parse(&format!("{BALL}{text}"), "ball.toml")?;
    Ok(build(&file, None)?.model.contact)
}

#[test]
fn contact_is_taken_over() {
    let found = contact(GOOD).unwrap_or_else(|e| panic!("{e}"));
    let (a, b) = (Vec3::ZERO, vec3(0.0, 0.0, 1.0));
    let obstacle = |name: &str, shape| Obstacle {
        name: name.into(),
        shape,
        friction: None,
        motion: None,
    };
    let floor = Shape::HalfSpace {
        point: -b,
        normal: b,
    };
    let bowl = Shape::Sphere {
        centre: b * 0.5,
        radius: 3.0,
        hollow: true,
    };
    let third = Shape::Box {
        centre: vec3(1.0, 0.0, 0.0),
        half: vec3(0.2, 0.4, 0.6) * 0.5,
        rotation: Mat3::rotation(b, 30f64.to_radians()),
    };
    let (thin, thick) = (0.01, 0.02);
    let expected = ContactModel {
        enabled: true,
        obstacles: vec![
            Obstacle {
                friction: Some(0.8),
                ..obstacle("floor", floor)
            },
            obstacle("bowl", bowl),
            obstacle("obstacle 3", third),
            obstacle("peg", Shape::Capsule { a, b, radius: thin }),
            obstacle(
                "post",
                Shape::Cylinder {
                    a,
                    b,
                    radius: thick,
                },
            ),
        ],
        friction: 0.3,
        stiffness: 2.0,
        damping: 1e-3,
        response: Response::Penalty,
        detection: Detection::Inside,
        ..ContactModel::default()
    };
    assert_eq!(found, expected);
}

#[test]
fn bodies_touch_only_when_asked() {
    assert_eq!(contact("").unwrap(), ContactModel::default());
    assert!(contact("[contact]").unwrap().enabled);
    assert!(!contact("[contact]\nbodies = false").unwrap().enabled);
    let floor = "[[obstacle]]\nhalf_space = { point = [0, 0, 0], normal = [0, 0, 1] }";
    let found = contact(floor).unwrap();
    assert!(!found.enabled && found.obstacles.len() == 1);
}

#[test]
fn mistakes_are_explained_in_place() {
    for (old, new, at, words) in [
        (
            "friction = 0.3",
            "friction = -0.3",
            "-0.3",
            "must not be negative",
        ),
        ("stiffness = 2", "stiffness = 0", "0", "must be positive"),
        (
            "model = \"penalty\"",
            "model = \"constraint\"",
            "2",
            "set model = \"penalty\"",
        ),
        (
            "stiffness = 2",
            "cone = \"box\"",
            "box",
            "set model = \"constraint\"",
        ),
        ("\"1 ms\"", "\"-1 ms\"", "-1 ms", "must not be negative"),
        ("\"80 %\"", "\"-8 %\"", "-8 %", "must not be negative"),
        ("\"80 %\"", "\"8 cm\"", "8 cm", "number"),
        (
            "normal = [0, 0, 2]",
            "normal = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        ("radius = 3", "radius = 0", "0", "must be positive"),
        ("\"40 cm\"", "\"-40 cm\"", "-40 cm", "must be positive"),
        (
            "axis = [0, 0, 3]",
            "axis = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        (
            "to = [0, 0, 1], radius = \"1 cm\"",
            "to = [0, 0, 0], radius = 1",
            "[0, 0, 0]",
            "`sphere`",
        ),
        ("name = \"peg\"", "name = \"bowl\"", "bowl", "called `bowl`"),
        ("name = \"peg\"", "name = \" \"", " ", "must not be empty"),
        (
            "name = \"peg\"",
            "name = \"obstacle 3\"",
            "obstacle 3",
            "called `obstacle 3`",
        ),
        ("capsule = {", "capsul = {", "capsul", "capsule"),
        (
            "name = \"post\"",
            "sphere = { centre = [0, 0, 0], radius = 1 }",
            "obstacle",
            "exactly one",
        ),
        ("box = {", "name = \"x\" # {", "", "exactly one"),
    ] {
        assert_eq!(GOOD.matches(old).count(), 1, "`{old}` must occur once");
        let changed = GOOD.replacen(old, new, 1);
        let Err(error) = contact(&changed) else {
            panic!("no error for {new}");
        };
        let shown = error.to_string();
        assert!(shown.contains(words), "{shown}");
        let span = error
            .span
            .clone()
            .unwrap_or_else(|| panic!("no place: {shown}"));
        let text = format!("{BALL}{changed}");
        assert!(
            text[span.clone()].contains(at),
            "{shown}\npoints at `{}`",
            &text[span]
        );
    }
}
