//! `[training]`: defaults, runs, mistakes.

use pliant_linalg::{CubatureMethod, Keep, vec3};
use pliant_scene::{Scene, build, parse};
use pliant_solid::settings::Integrator;

const BAR: &str = r#"title = "Bar"

[time]
step = "5 ms"
duration = "1 s"

[[body]]
name = "bar"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [4, 1, 1] }

[body.material]
young = "100 kPa"
poisson = 0.4

[[drive]]
name = "wall"
select.side = "-x"
fix = true

[[drive]]
name = "mover"
select.side = "+x"
move.translate.keys = [["0 s", [0, 0, 0]], ["1 s", [0, 0, 0.1]]]

[[obstacle]]
name = "floor"
half_space = { point = [0, 0, -1], normal = [0, 0, 1] }
"#;

fn scene(training: &str) -> Scene {
    build(
        &parse(&format!("{BAR}\n{training}"), "bar.toml").unwrap(),
        None,
    )
    .unwrap()
}

#[test]
fn defaults_learn_from_the_scene_itself() {
    let scene = scene("");
    let plan = &scene.training;
    assert_eq!(plan.body, Some(0));
    assert_eq!(plan.integrator, Integrator::QuasiStatic);
    assert_eq!(plan.settings.keep, Keep::Variance(0.99998));
    assert_eq!(plan.runs.len(), 1);
    let run = &plan.runs[0];
    assert_eq!((run.steps, run.snapshots, run.drives.len()), (200, 20, 2));
    let learnt: Vec<u64> = (1..=200).filter(|&step| run.learns(step)).collect();
    assert_eq!(learnt.len(), 20);
    assert_eq!(learnt.last(), Some(&200));
    // no contact, unless asked for
    assert!(!scene.model.contact.obstacles.is_empty());
    assert!(
        run.model(&scene.model)
            .unwrap()
            .contact
            .obstacles
            .is_empty()
    );
}

#[test]
fn runs_change_loads() {
    let scene = scene(
        r#"
[training]
rank = 7
rigid_modes = true
seed = 5
integrator = "implicit-euler"
cubature = { method = "greedy", points = 30, tolerance = "1 %", samples = 40, perturbations = 3 }

[[training.run]]
without = ["mover"]
gravity = [0, 1, 0]
duration = "100 ms"
step = "10 ms"
snapshots = 3
contact = true

[[training.run.drive]]
select.side = "+x"
force = { total = [0, 1, 0] }

[[training.run]]
name = "as it is"
"#,
    );
    let plan = &scene.training;
    assert_eq!(plan.settings.keep, Keep::Rank(7));
    assert!(plan.settings.rigid_modes);
    let c = plan.settings.cubature;
    assert_eq!(
        (c.method, c.points, c.seed),
        (CubatureMethod::Greedy, 30, 5)
    );
    assert_eq!(
        (plan.settings.samples, plan.settings.perturbations),
        (40, 3)
    );
    assert_eq!(plan.integrator, Integrator::ImplicitEuler);
    let run = &plan.runs[0];
    let names: Vec<&str> = run.drives.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["wall", "training drive 1"]);
    assert_eq!(
        (run.name.as_str(), run.gravity, run.steps),
        ("run 1", vec3(0.0, 1.0, 0.0), 10)
    );
    assert_eq!((1..=10).filter(|&s| run.learns(s)).count(), 3);
    assert!(run.learns(10));
    let model = run.model(&scene.model).unwrap();
    assert_eq!(model.contact.obstacles.len(), 1);
    assert_eq!(model.gravity, vec3(0.0, 1.0, 0.0));
    assert_eq!(
        (plan.runs[1].name.as_str(), plan.runs[1].snapshots),
        ("as it is", 1)
    );
}

#[test]
fn mistakes_have_a_place_and_advice() {
    for (training, at, words) in [
        (
            "[training]\nbody = \"bra\"",
            "\"bra\"",
            "did you mean `bar`",
        ),
        ("[training]\nvariance = 2", "2", "(0, 1]"),
        (
            "[training]\nvariance = 0.9\nrank = 3",
            "3",
            "give one of them",
        ),
        ("[training]\nrank = 0", "0", "positive"),
        ("[training]\ncubature.points = 0", "0", "positive"),
        ("[training]\ncubature.tolerance = 2", "2", "between 0 and 1"),
        ("[training]\ncubature.method = \"nnhtp\"", "nnhtp", "nn-htp"),
        ("[training]\npose_steps = 0", "0", "pose_steps"),
        (
            "[[training.run]]\nwithout = [\"wal\"]",
            "wal",
            "did you mean `wall`",
        ),
        ("[[training.run]]\nsnapshots = 500", "500", "200 steps"),
        ("[[training.run]]\nstep = \"-1 s\"", "-1 s", "positive"),
        (
            "[[training.run]]\n[[training.run.drive]]\nname = \"wall\"\nselect.side = \"+x\"\nfix = true",
            "wall",
            "another name",
        ),
        (
            "[[training.run]]\n[[training.run.drive]]\nselect.side = \"-x\"\nfix = true",
            "training.run",
            "both prescribe",
        ),
    ] {
        let text = format!("{BAR}\n{training}");
        let result = parse(&text, "bar.toml").and_then(|file| build(&file, None));
        let error = result
            .err()
            .unwrap_or_else(|| panic!("no error for {training}"));
        let shown = error.to_string();
        let span = error
            .span
            .clone()
            .unwrap_or_else(|| panic!("no place: {shown}"));
        assert!(
            text[span.clone()].contains(at),
            "{shown} points at `{}`",
            &text[span]
        );
        assert!(shown.contains(words), "`{words}` is not in: {shown}");
    }
}
