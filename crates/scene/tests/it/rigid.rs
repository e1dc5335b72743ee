//! Rigid bodies and `[[chain]]`.

use pliant_linalg::{Vec3, vec3};
use pliant_scene::{Scene, SceneError, build, parse};
use pliant_solid::Simulation;
use pliant_solid::rigid::Mobility;
use pliant_solid::strategy::Method;

const GOOD: &str = r#"title = "Arm"
time.duration = "1 s"
gravity = [0, 0, 0]

[[body]]
name = "soft"
mesh.ball = { radius = "10 cm", divisions = 1 }
material = { young = "100 kPa", poisson = 0.4 }

[[body]]
name = "lower"
mesh.box = { size = [1, "10 cm", "10 cm"], cells = [1, 1, 1] }
place.translate = ["50 cm", 0, 1]
rigid = "link"
density = "2 g/cm3"

[[body]]
name = "upper"
mesh.box = { size = [1, "10 cm", "10 cm"], cells = [1, 1, 1] }
place.translate = ["1.5 m", 0, 1]
rigid = "link"

[[body]]
name = "block"
mesh.box = { size = [1, 1, 1], cells = [2, 2, 2] }
place.translate = [0, 0, -3]
rigid = "free"
velocity = [0, 0, "2 m/s"]
spin = [0, "1 rad/s", 0]
material = { young = "1 kPa", poisson = 0.2, density = 500 }

[[body]]
name = "gate"
mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }
place.translate = [0, 5, 0]
rigid.move = { translate = { keys = [["0 s", ["1 m", 0, 0]], ["1 s", ["3 m", 0, 0]]] }, rotate = { axis = [0, 0, 2], angle = "90 deg" } }

[[body]]
name = "post"
mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }
place.translate = [0, -5, 0]
rigid = "fixed"

[[chain]]
name = "arm"

[[chain.link]]
body = "lower"
axis = [0, 2, 0]
point = [0, 0, 1]
angle = "-90 deg"
rate = "1 rad/s"
limits = ["-120 deg", "45 deg"]
damping = "3 mN*m*s/rad"
stiffness = "4 N*m/rad"
rest_angle = "10 deg"
torque = { keys = [["0 s", 0], ["1 s", "2 N*m"]] }

[[chain.link]]
body = "upper"
parent = "lower"
axis = [0, 1, 0]
point = [1, 0, 1]
"#;

fn scene(text: &str) -> Result<Scene, SceneError> {
    build(&parse(text, "arm.toml")?, None)
}

#[test]
fn rigid_bodies_are_taken_over() {
    let scene = scene(GOOD).unwrap_or_else(|e| panic!("{e}"));
    let rigid = &scene.model.rigid;
    let names: Vec<&str> = rigid.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["lower", "upper", "block", "gate", "post"]);
    let masses: Vec<f64> = rigid.bodies.iter().map(|b| b.mass).collect();
    for (mass, expected) in masses.iter().zip([20.0, 10.0, 500.0]) {
        assert!((mass - expected).abs() < 1e-9 * expected, "{masses:?}");
    }
    assert!(matches!(
        rigid.bodies[1].mobility,
        Mobility::Link { chain: 0, link: 1 }
    ));
    assert!(matches!(rigid.bodies[2].mobility, Mobility::Free));
    assert!(matches!(rigid.bodies[3].mobility, Mobility::Kinematic(_)));
    assert!(matches!(rigid.bodies[4].mobility, Mobility::Fixed));
    assert_eq!(rigid.bodies[2].velocity, vec3(0.0, 0.0, 2.0));

    let [lower, upper] = &rigid.chains[0].links[..] else {
        panic!("two links");
    };
    assert_eq!((lower.body, lower.parent), (0, None));
    assert_eq!((upper.body, upper.parent), (1, Some(0)));
    assert_eq!(lower.axis, vec3(0.0, 1.0, 0.0));
    assert_eq!(lower.angle, -90f64.to_radians());
    assert_eq!(
        lower.limits,
        Some([-120f64.to_radians(), 45f64.to_radians()])
    );
    assert_eq!(
        (lower.rate, lower.damping, lower.stiffness),
        (1.0, 3e-3, 4.0)
    );
    assert_eq!(lower.rest_angle, 10f64.to_radians());
    assert_eq!(lower.torque.at(0.5), 1.0);
    assert_eq!(upper.torque.at(0.5), 0.0);
}

/// Middle of a body's nodes.
fn middle(scene: &Scene, positions: &[Vec3], body: &str) -> Vec3 {
    let body = scene.model.bodies.iter().find(|b| b.name == body).unwrap();
    let nodes = &positions[body.nodes.clone()];
    nodes.iter().fold(Vec3::ZERO, |s, &x| s + x) / nodes.len() as f64
}

#[test]
fn nodes_follow_their_bodies_from_the_start() {
    let scene = scene(GOOD).unwrap();
    let mut simulation =
        Simulation::new(scene.model.clone(), scene.settings.clone(), Method::Full).unwrap();
    let near = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-6, "{a:?} {b:?}");
    let at = |simulation: &Simulation, body| middle(&scene, &simulation.state().positions, body);
    // −90° about +y turns +x into +z
    near(at(&simulation, "lower"), vec3(0.0, 0.0, 1.5));
    near(at(&simulation, "upper"), vec3(0.0, 0.0, 2.5));
    near(at(&simulation, "gate"), vec3(1.0, 5.0, 0.0));
    for _ in 0..10 {
        simulation.step().unwrap();
    }
    near(at(&simulation, "block"), vec3(0.0, 0.0, -2.9));
    near(at(&simulation, "gate"), vec3(1.1, 5.0, 0.0));
    near(at(&simulation, "post"), vec3(0.0, -5.0, 0.0));
    let hinge = at(&simulation, "lower") - vec3(0.0, 0.0, 1.0);
    assert!(
        (hinge.norm() - 0.5).abs() < 1e-9 && hinge.x.abs() > 1e-3,
        "{hinge:?}"
    );
    assert_eq!(
        simulation.forces().stress.len(),
        scene.model.element_count()
    );
}

#[test]
fn mistakes_are_explained_in_place() {
    for (old, new, at, words) in [
        (
            "rigid = \"free\"",
            "rigid = \"fre\"",
            "fre",
            "did you mean `free`?",
        ),
        ("rigid = \"free\"", "rigid = true", "true", "\"fixed\""),
        (
            "rigid = \"free\"",
            "rigid = \"fixed\"",
            "m/s",
            "not its own",
        ),
        (
            "density = \"2 g/cm3\"",
            "density = \"-2 g/cm3\"",
            "",
            "density",
        ),
        (
            "density = \"2 g/cm3\"",
            "material = { young = 1, poisson = 0.1 }\ndensity = 5",
            "5",
            "remove one",
        ),
        (
            "material = { young = \"100 kPa\", poisson = 0.4 }",
            "",
            "body",
            "`material` is missing",
        ),
        (
            "material = { young = \"100 kPa\", poisson = 0.4 }",
            "density = 3",
            "3",
            "only rigid bodies",
        ),
        (
            "rigid.move = { translate = { keys = [[\"0 s\", [\"1 m\", 0, 0]], [\"1 s\", [\"3 m\", 0, 0]]] }, rotate = { axis = [0, 0, 2], angle = \"90 deg\" } }",
            "rigid.move = {}",
            "{}",
            "moves nothing",
        ),
        (
            "axis = [0, 0, 2]",
            "axis = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        (
            "axis = [0, 2, 0]",
            "axis = [0, 0, 0]",
            "[0, 0, 0]",
            "no direction",
        ),
        (
            "body = \"upper\"",
            "body = \"uper\"",
            "uper",
            "did you mean `upper`?",
        ),
        (
            "body = \"upper\"",
            "body = \"block\"",
            "block",
            "rigid = \"link\"",
        ),
        ("body = \"upper\"", "body = \"lower\"", "lower", "already"),
        (
            "body = \"upper\"",
            "body = \"soft\"",
            "soft",
            "rigid = \"link\"",
        ),
        (
            "parent = \"lower\"",
            "parent = \"upper\"",
            "upper",
            "earlier link",
        ),
        (
            "rigid = \"fixed\"",
            "rigid = \"link\"",
            "link",
            "no chain has",
        ),
        (
            "[\"-120 deg\", \"45 deg\"]",
            "[\"45 deg\", \"-120 deg\"]",
            "deg",
            "[least, greatest]",
        ),
        (
            "[\"-120 deg\", \"45 deg\"]",
            "[\"-20 deg\", \"45 deg\"]",
            "-90 deg",
            "outside its limits",
        ),
        ("\"3 mN*m*s/rad\"", "-3", "-3", "must not be negative"),
        ("\"3 mN*m*s/rad\"", "\"3 N\"", "3 N", "N*m*s/rad"),
        ("stiffness = \"4 N*m/rad\"\n", "", "10 deg", "no spring"),
        (
            "[\"1 s\", \"2 N*m\"]",
            "[\"0 s\", \"2 N*m\"]",
            "2 N*m",
            "must increase",
        ),
        ("name = \"arm\"", "name = \" \"", " ", "must not be empty"),
    ] {
        assert_eq!(GOOD.matches(old).count(), 1, "`{old}` must occur once");
        let changed = GOOD.replacen(old, new, 1);
        let Err(error) = scene(&changed) else {
            panic!("no error for {new}");
        };
        let shown = error.to_string();
        assert!(shown.contains(words), "{shown}");
        let span = (error.span.clone()).unwrap_or_else(|| panic!("no place: {shown}"));
        let place = &changed[span];
        assert!(place.contains(at), "{shown}\npoints at `{place}`");
    }
}
