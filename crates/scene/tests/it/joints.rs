//! `[[attach]]`, `[[distance]]`, `[[slide]]`, `[[hinge]]`, `[[cable]]`, `[[cavity]]`.

use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate::{Split, bar};
use pliant_mesh::{Elements, Format, Mesh, RawMesh, write_file};
use pliant_scene::{Scene, SceneError, build, parse};
use pliant_solid::Simulation;
use pliant_solid::joint::{Anchor, Bound, CableControl, Frame, JointKind};
use pliant_solid::profile::Profile;

const BODIES: &str = r#"title = "Joints"
time = { step = "2 ms", duration = "10 ms" }

[[body]]
name = "left"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [4, 1, 1] }
material = { young = "100 kPa", poisson = 0.4 }

[[body]]
name = "right"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [4, 1, 1] }
place.translate = ["40 cm", 0, 0]
material = { young = "100 kPa", poisson = 0.4 }

[[body]]
name = "frame"
mesh.extrude = { picture = ["OOO", "O.O", "OOO"], cell = ["10 cm", "10 cm"], depth = "10 cm" }
place.translate = [0, 0, "2 m"]
material = { young = "100 kPa", poisson = 0.4 }

"#;

const JOINTS: &str = r#"[[attach]]
name = "weld"
body = "right"
select.side = "-x"
to = "left"

[[attach]]
body = "left"
select.side = "-x"
translate.keys = [["0 s", [0, 0, 0]], ["1 s", [0, 0, "1 cm"]]]
compliance = 1e-6
correction = 0.5

[[distance]]
name = "rope"
from = { at = ["80 cm", 0, "50 cm"] }
to = { body = "right", at = ["79 cm", "2 cm", "9.5 cm"] }
bound = "at-most"

[[slide]]
name = "rail"
body = "right"
select.nearest = ["80 cm", 0, 0]
curve = [["80 cm", 0, "-10 cm"], ["80 cm", 0, "10 cm"]]
stops = true
drag = "0.5 N*s/m"

[[cable]]
name = "tendon"
through = [
  { body = "left", at = ["10 cm", "5 cm", "10 cm"] },
  { body = "left", at = ["30 cm", "5 cm", "10 cm"], snap = true },
  { body = "right", at = ["60 cm", "5 cm", "10 cm"] },
]
ratio.keys = [["0 s", 1], ["1 s", "90 %"]]
"#;

fn scene(text: &str) -> Result<Scene, SceneError> {
    build(&parse(&format!("{BODIES}{text}"), "joints.toml")?, None)
}

#[test]
fn joints_are_taken_over_and_step() {
    let scene = scene(JOINTS).unwrap_or_else(|e| panic!("{e}"));
    let joints = &scene.model.joints;
    let names: Vec<&str> = joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(names, ["weld", "attach 2", "rope", "rail", "tendon"]);
    let rest = &scene.model.rest;
    let JointKind::Attachment { pairs } = &joints[0].kind else {
        panic!("{:?}", joints[0]);
    };
    assert_eq!(pairs.len(), 4);
    for pair in pairs {
        let [Anchor::Node(a), Anchor::Node(b)] = pair else {
            panic!("coinciding nodes are tied as nodes, not {pair:?}");
        };
        assert!((rest[*a as usize] - rest[*b as usize]).norm() < 1e-12);
    }
    assert_eq!((joints[1].compliance, joints[1].correction), (1e-6, 0.5));
    let JointKind::Distance {
        ends,
        length,
        bound,
    } = &joints[2].kind
    else {
        panic!("{:?}", joints[2]);
    };
    let Anchor::Element { nodes, weights } = &ends[1] else {
        panic!("{ends:?}");
    };
    let corners = nodes.iter().zip(weights);
    let found = corners.fold(Vec3::ZERO, |sum, (&n, &w)| sum + rest[n as usize] * w);
    assert!((found - vec3(0.79, 0.02, 0.095)).norm() < 1e-12);
    assert_eq!(*bound, Bound::AtMost);
    let expected = vec3(0.01, 0.02, 0.405).norm();
    assert!(matches!(length, Profile::Constant(l) if (l - expected).abs() < 1e-12));
    let JointKind::Slide {
        curve, stops, drag, ..
    } = &joints[3].kind
    else {
        panic!("{:?}", joints[3]);
    };
    assert!(*stops && *drag == 0.5 && curve.points.len() == 2);
    assert!(matches!(&curve.frame, Frame::World(motion) if motion.is_rest()));
    let JointKind::Cable {
        points,
        control: CableControl::Length(length),
    } = &joints[4].kind
    else {
        panic!("{:?}", joints[4]);
    };
    // the second point snaps to the edge, 5 cm aside
    let way = vec3(0.2, 0.05, 0.0).norm() + vec3(0.3, 0.05, 0.0).norm();
    assert_eq!(points.len(), 3);
    assert!((length.at(0.0) - way).abs() < 1e-12 && (length.at(1.0) - 0.9 * way).abs() < 1e-12);

    let mut simulation = Simulation::new(scene.model, scene.settings, scene.method).unwrap();
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let columns = simulation.model().joint_columns();
    let report = simulation.report();
    assert_eq!(columns.len(), report.joints.len());
    for ((_, _, quantities), reading) in columns.iter().zip(&report.joints) {
        assert_eq!(quantities.len(), reading.values().len());
    }
}

#[test]
fn bodies_without_a_hollow_have_no_cavity() {
    let hollow = r#"title = "Ring"
time.duration = "10 ms"

[[body]]
name = "ring"
mesh.rectangle = { size = ["30 cm", "30 cm"], cells = [3, 3] }
material = { young = "100 kPa", poisson = 0.4 }

[[cavity]]
volume = 1.1
"#;
    let error = build(&parse(hollow, "ring.toml").unwrap(), None).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("should have one hollow, but has none"),
        "{text}"
    );
    // a hole through a body is no hollow
    let error = scene("[[cavity]]\nbody = \"frame\"\npressure = \"1 kPa\"\n").unwrap_err();
    assert!(error.to_string().contains("has none"), "{error}");
    let open = "[[cavity]]\nbody = \"frame\"\npressure = \"1 kPa\"\nselect.box = { min = [-0.06, -1, 1.9], max = [0.06, 1, 2.1] }\n";
    let error = scene(open).unwrap_err();
    assert!(error.to_string().contains("have a gap"), "{error}");
}

#[test]
fn mistakes_say_what_to_do() {
    let cases = [
        ("to = \"left\"", "to = \"lift\"", "there is no body `lift`"),
        ("to = \"left\"", "to = \"right\"", "attached to itself"),
        (
            "to = \"left\"",
            "to = \"frame\"",
            "m outside of body `frame`",
        ),
        (
            "\"9.5 cm\"] }",
            "\"15 cm\"] }",
            "5.000e-2 m outside of body `right`",
        ),
        ("bound = \"at-most\"", "length = -1", "must not be negative"),
        (
            "stops = true",
            "on = \"left\"",
            "is soft, but must be rigid",
        ),
        (
            "stops = true",
            "points = []",
            "either `body` and `select`, or `points`",
        ),
        ("ratio.keys", "tension = 1\nratio.keys", "exactly one of"),
        ("correction = 0.5", "correction = 2", "at most 1"),
        ("name = \"tendon\"\n", "name = \" \"\n", "must not be empty"),
        (
            "select.nearest = [\"80 cm\", 0, 0]",
            "select.above = { x = 3 }",
            "holds no node",
        ),
        (
            "curve = [[\"80 cm\", 0, \"-10 cm\"], ",
            "curve = [",
            "no length",
        ),
        (
            "snap = true",
            "snap = true, translate = [0, 0, 1]",
            "moves points of the world",
        ),
    ];
    for (old, new, words) in cases {
        assert_eq!(JOINTS.matches(old).count(), 1, "`{old}` must occur once");
        let error = scene(&JOINTS.replacen(old, new, 1)).err();
        let error = error.unwrap_or_else(|| panic!("no error for `{new}`"));
        assert!(error.span.is_some(), "no place: {error}");
        let text = error.to_string();
        assert!(text.contains(words), "`{words}` is not in: {text}");
    }
    let hinge = "[[hinge]]\nbody = \"left\"\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n";
    let text = scene(hinge).unwrap_err().to_string();
    assert!(text.contains("must be rigid here"), "{text}");
}

#[test]
fn the_only_hollow_of_a_body_is_found() {
    let full = bar(vec3(0.4, 0.4, 0.4), [4; 3], Split::Six).unwrap();
    let Elements::Tetrahedra(all) = &full.elements else {
        panic!("not a solid");
    };
    let outer = |e: &usize| {
        let centroid = full.centroid(*e).to_array();
        centroid.iter().any(|c| !(0.1..0.3).contains(c))
    };
    let kept = (0..all.len()).filter(outer).map(|e| all[e]).collect();
    let (mesh, _) =
        Mesh::single_region(full.positions.clone(), Elements::Tetrahedra(kept)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.msh");
    write_file(&RawMesh::from(mesh), Format::Gmsh41, &path).unwrap();
    let text = r#"title = "Box"
time.duration = "10 ms"
gravity = [0, 0, 0]

[[body]]
name = "box"
mesh.file = "box.msh"
material = { young = "100 kPa", poisson = 0.4 }

[[cavity]]
volume = { keys = [["0 s", 1], ["10 ms", "101 %"]] }
"#;
    let scene = build(&parse(text, "box.toml").unwrap(), Some(folder.path())).unwrap();
    let mut simulation = Simulation::new(scene.model, scene.settings, scene.method).unwrap();
    for _ in 0..2 {
        simulation.step().unwrap();
    }
    let values = simulation.report().joints[0].values();
    assert!(values[0] > 0.0, "{values:?}");
    assert!(
        (values[1] / (1.01 * 0.008) - 1.0).abs() < 1e-9,
        "{values:?}"
    );
}

#[test]
fn soft_and_rigid_bodies_are_tied() {
    let text = r#"title = "Rigid"
time = { step = "2 ms", duration = "10 ms" }

[[body]]
name = "bar"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [4, 1, 1] }
material = { young = "100 kPa", poisson = 0.4 }

[[body]]
name = "block"
mesh.box = { size = ["20 cm", "10 cm", "10 cm"], cells = [1, 1, 1] }
place.translate = ["50 cm", "5 cm", "5 cm"]
rigid = "free"

[[body]]
name = "wall"
mesh.box = { size = ["20 cm", "10 cm", "10 cm"], cells = [1, 1, 1] }
place.translate = ["80 cm", "5 cm", "5 cm"]
rigid = "fixed"

[[attach]]
name = "grip"
body = "bar"
select.side = "+x"
to = "block"

[[hinge]]
name = "door"
body = "block"
to = "wall"
point = ["60 cm", "5 cm", "5 cm"]
axis = [0, 2, 0]

[[slide]]
body = "bar"
select.nearest = [0, 0, 0]
curve = [[-1, 0, 0], [1, 0, 0]]
on = "wall"
"#;
    let scene = build(&parse(text, "rigid.toml").unwrap(), None).unwrap_or_else(|e| panic!("{e}"));
    let kinds: Vec<&str> = scene.model.joints.iter().map(|j| j.kind.name()).collect();
    assert_eq!(kinds, ["attach", "slide", "hinge"]);
    let JointKind::Attachment { pairs } = &scene.model.joints[0].kind else {
        panic!("not an attachment");
    };
    assert!(
        pairs
            .iter()
            .all(|p| matches!(p[1], Anchor::Rigid { body: 0, .. }))
    );
    let mut simulation = Simulation::new(scene.model, scene.settings, scene.method).unwrap();
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    // the node that slides falls with nothing but its line to hold it
    let state = simulation.state();
    assert!(state.positions[0].y.abs() < 1e-12 && state.positions[0].z.abs() < 1e-12);
    let door = simulation.report().joints[2].values();
    assert!(door[6].abs() > 1e-6, "it turns: {door:?}");
}
