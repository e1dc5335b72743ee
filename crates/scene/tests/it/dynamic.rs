//! `[body.dynamic]`: which nodes may be dynamic.

use pliant_linalg::{Vec3, vec3};
use pliant_scene::{Scene, build, parse};

/// A bar of 41 × 3 × 3 nodes whose wall is held.
const BAR: &str = r#"title = "Bar"
time = { step = "5 ms", duration = "1 s" }

[[body]]
name = "first"
mesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }
place.translate = [0, 5, 0]
material = { young = "10 kPa", poisson = 0.4 }

[[body]]
name = "bar"
mesh.bar = { size = ["40 cm", "2 cm", "2 cm"], cells = [40, 2, 2] }
material = { young = "10 kPa", poisson = 0.4 }

[[body.region]]
name = "stiff"
where.above = { x = "30 cm" }
young = "1 MPa"

[body.dynamic]
DYNAMIC

[[drive]]
body = "bar"
select.side = "-x"
fix = true
"#;

fn scene(dynamic: &str) -> Scene {
    let file = parse(&BAR.replace("DYNAMIC", dynamic), "bar.toml");
    let file = file.unwrap_or_else(|e| panic!("{e}"));
    build(&file, None).unwrap_or_else(|e| panic!("{e}"))
}

fn places(dynamic: &str) -> Vec<Vec3> {
    let scene = scene(dynamic);
    let bar = &scene.model.bodies[1];
    assert!(scene.model.bodies[0].representatives.is_none());
    let nodes = bar.representatives.as_ref().unwrap();
    assert!(nodes.iter().all(|&n| bar.nodes.contains(&(n as usize))));
    let place = |&n: &u32| scene.model.rest[n as usize];
    nodes.iter().map(place).collect()
}

fn close(found: Vec<Vec3>, expected: &[Vec3]) {
    let near = |(a, b): (&Vec3, &Vec3)| (*a - *b).norm() < 1e-12;
    let same = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(same, "{found:?} instead of {expected:?}");
}

#[test]
fn points_regions_selections_and_counts() {
    let axis = |x: f64| vec3(x, 0.01, 0.01);
    close(
        places(r#"at = [["30 cm", "1 cm", "1 cm"], ["11 cm", "9 mm", "9 mm"]]"#),
        &[axis(0.3), axis(0.11)],
    );
    // the wall is held: the node beside it is the nearest that is free
    close(places("at = [[0, 0.01, 0.01]]"), &[axis(0.01)]);
    close(places("regions = true"), &[axis(0.15), axis(0.35)]);
    close(places(r#"regions = ["stiff"]"#), &[axis(0.35)]);
    close(
        places(
            r#"at = [[0.2, 0.01, 0.01]]
select.and = [{ plane = { y = 0.01 } }, { plane = { z = 0.01 } }, { or = [{ below = { x = 0.01 } }, { plane = { x = 0.2 } }] }]"#,
        ),
        &[axis(0.2), axis(0.01)],
    );
    // far from the wall, then from both
    let spread = places("count = 2");
    assert!((spread[0].x - 0.4).abs() < 1e-12 && (spread[1].x - 0.2).abs() < 0.0151);
    let filled = places("at = [[0.4, 0.01, 0.01]]\ncount = 2");
    assert!(filled[0] == axis(0.4) && (filled[1].x - 0.2).abs() < 0.0151);
}

#[test]
fn none_is_not_the_same_as_not_given() {
    assert_eq!(places("count = 0"), []);
    let without = BAR.replace("[body.dynamic]\nDYNAMIC", "");
    let scene = build(&parse(&without, "bar.toml").unwrap(), None).unwrap();
    assert!(scene.model.bodies[1].representatives.is_none());
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let check = |dynamic: &str, at: &str, words: &[&str]| {
        let text = BAR.replace("DYNAMIC", dynamic);
        let error = parse(&text, "bar.toml").and_then(|file| build(&file, None));
        let error = error.err().unwrap_or_else(|| panic!("{dynamic}: no error"));
        let span = error.span.clone().unwrap_or_default();
        assert!(
            text[span.clone()].contains(at),
            "{error} at {}",
            &text[span]
        );
        for word in words {
            assert!(error.to_string().contains(word), "{error}");
        }
    };
    check("", "dynamic", &["chooses no node", "count = 0"]);
    check("at = []", "dynamic", &["chooses no node"]);
    check(
        "at = [[0.1, 0, 0], [0.2, 0, 0]]\ncount = 1",
        "1",
        &["1 dynamic nodes", "fewer than the 2", "in all"],
    );
    check("count = 361", "361", &["too many", "360 nodes"]);
    check("count = -1", "-1", &["-1"]);
    check(
        "at = [[0.1, 0, 0], [0.1, 0.001, 0]]",
        "[0.1, 0.001, 0]",
        &["same nearest node"],
    );
    check(
        r#"regions = ["stif"]"#,
        "stif",
        &["no elements of a region `stif`", "did you mean `stiff`?"],
    );
    check("regions = false", "false", &["does nothing"]);
    check("regions = []", "[]", &["empty"]);
    check(r#"regions = "stiff""#, "stiff", &["a list of names"]);
    check(
        "select.sphere = { centre = [9, 9, 9], radius = 0.1 }",
        "sphere",
        &["holds no node", "spans"],
    );
    check("select.side = \"-x\"", "-x", &["held by drives"]);
    check("cuont = 2", "cuont", &["did you mean `count`?"]);
    let rigid = BAR
        .replace("DYNAMIC", "count = 1")
        .replace("name = \"bar\"", "name = \"bar\"\nrigid = \"free\"");
    let error = build(&parse(&rigid, "bar.toml").unwrap(), None).unwrap_err();
    assert!(
        error.to_string().contains("rigid body has no dynamic"),
        "{error}"
    );
}

#[test]
fn a_plane_band_has_the_width_of_its_profile() {
    let text = r#"title = "Band"
time.duration = 1
gravity = [0, 0, 0]
[[body]]
name = "band"
mesh.band = { profile = [[0, "1 cm"], ["10 cm", "2 cm"]], cells = [10, 2] }
material = { young = 1e4, poisson = 0.4, density = 1000 }
"#;
    let scene = build(&parse(text, "band.toml").unwrap(), None).unwrap();
    assert_eq!(
        (scene.model.node_count(), scene.model.element_count()),
        (33, 40)
    );
    let mass: f64 = scene.model.mass.iter().sum();
    assert!((mass - 3.0).abs() < 1e-12);
    let error = build(
        &parse(&text.replace("\"2 cm\"", "0"), "band.toml").unwrap(),
        None,
    );
    let shown = error.unwrap_err().to_string();
    assert!(
        shown.starts_with("band.toml:6:") && shown.contains("point 2"),
        "{shown}"
    );
}
