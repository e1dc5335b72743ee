//! Each mistake gives one message at the right place that says what to do.

use pliant_scene::{SceneError, build, parse};
use std::path::Path;

const GOOD: &str = r#"title = "Bar"

[time]
step = "5 ms"
duration = "1 s"

[[body]]
name = "bar"
mesh.bar = { size = ["40 cm", "10 cm", "10 cm"], cells = [4, 1, 1] }

[body.material]
young = "100 kPa"
poisson = 0.4

[[body.region]]
where.above = { x = "20 cm" }
density = "2 g/cm3"

[[drive]]
name = "wall"
select.side = "-x"
fix = true

[[drive]]
name = "mover"
select.side = "+x"
move.translate.keys = [["0 s", [0, 0, 0]], ["1 s", [0, 0, 0.1]]]
"#;

fn failure(text: &str) -> SceneError {
    let result =
        parse(text, "bar.toml").and_then(|file| build(&file, Some(Path::new("/nonexistent"))));
    result
        .err()
        .unwrap_or_else(|| panic!("no error for\n{text}"))
}

/// The error after one replacement; its span must hold `at`, the message and help must hold `words`.
fn check(old: &str, new: &str, at: &str, words: &[&str]) {
    assert_eq!(GOOD.matches(old).count(), 1, "`{old}` must occur once");
    let text = GOOD.replacen(old, new, 1);
    let error = failure(&text);
    let shown = error.to_string();
    let span = error
        .span
        .clone()
        .unwrap_or_else(|| panic!("no place: {shown}"));
    assert!(
        text[span.clone()].contains(at),
        "{shown}\npoints at `{}`",
        &text[span]
    );
    for word in words {
        assert!(shown.contains(word), "`{word}` is not in: {shown}");
    }
    let line = text[..span.start].matches('\n').count() + 1;
    assert!(shown.starts_with(&format!("bar.toml:{line}:")), "{shown}");
}

#[test]
fn the_scene_is_good() {
    build(&parse(GOOD, "bar.toml").unwrap(), None).unwrap();
}

#[test]
fn the_place_is_exact() {
    let error = failure(&GOOD.replace("young", "yuong"));
    assert_eq!((error.line, error.column), (12, 1));
    assert!(error.to_string().starts_with(
        "bar.toml:12:1: unknown key `yuong`; help: did you mean `young`? known are `model`, `young`"
    ));
}

#[test]
fn unknown_names() {
    check(
        "duration",
        "duratoin",
        "duratoin",
        &[
            "unknown key `duratoin`",
            "did you mean `duration`?",
            "`step`",
        ],
    );
    check(
        "[time]",
        "[times]",
        "times",
        &["unknown key `times`", "did you mean `time`?"],
    );
    check(
        "mesh.bar",
        "mesh.bra",
        "bra",
        &["unknown name `bra`", "did you mean `bar`?", "`ball`"],
    );
    check(
        "cells",
        "cell",
        "cell",
        &["unknown key `cell`", "did you mean `cells`?"],
    );
    check(
        "young =",
        "model = \"neo-hokean\"\nyoung =",
        "neo-hokean",
        &["did you mean `neo-hookean`?"],
    );
    check("\"-x\"", "\"-w\"", "\"-w\"", &["unknown name `-w`", "`-x`"]);
    check(
        "[[body]]",
        "[solver]\nmethod = \"ful\"\n[[body]]",
        "\"ful\"",
        &["no method `ful`", "did you mean `full`?"],
    );
    check(
        "select.side = \"-x\"",
        "body = \"bra\"\nselect.side = \"-x\"",
        "\"bra\"",
        &["no body `bra`", "did you mean `bar`?"],
    );
    check(
        "select.side = \"-x\"",
        "select.region = \"defualt\"",
        "defualt",
        &["no region `defualt`", "did you mean `default`?"],
    );
    check(
        "where.above = { x = \"20 cm\" }",
        "where.region = \"tendon\"",
        "\"tendon\"",
        &["no region `tendon`", "`default`"],
    );
    check(
        "where.above = { x = \"20 cm\" }",
        "where.around = { point = [0, 0, 0], axis = [0, 0, 0], radius = 1 }",
        "[0, 0, 0]",
        &["no direction"],
    );
    check(
        "fix = true",
        "fix = { axis = \"x\" }",
        "axis",
        &["unknown key `axis`", "did you mean `axes`?"],
    );
    check(
        "translate.keys",
        "translate.key",
        "key",
        &["did you mean `keys`?"],
    );
}

#[test]
fn units_and_types() {
    check(
        "\"100 kPa\"",
        "\"100 kg\"",
        "\"100 kg\"",
        &["`100 kg` is not a pressure: use one of Pa, kPa, MPa"],
    );
    check("\"5 ms\"", "\"5 mm\"", "\"5 mm\"", &["is not a time", "ms"]);
    check(
        "\"40 cm\"",
        "\"forty\"",
        "\"forty\"",
        &["does not begin with a number", "\"10 cm\""],
    );
    check("\"100 kPa\"", "nan", "nan", &["finite"]);
    check(
        "\"100 kPa\"",
        "true",
        "true",
        &["a pressure such as \"50 kPa\""],
    );
    check("[4, 1, 1]", "[4, 1]", "[4, 1]", &["3"]);
    check("[4, 1, 1]", "[4, 1, -1]", "-1", &["a whole number from 0"]);
    check("fix = true", "fix = 1", "1", &["`true`"]);
    check(
        "fix = true",
        "fix = { axes = \"xw\" }",
        "\"xw\"",
        &["letters of \"xyz\""],
    );
    check(
        "title = \"Bar\"",
        "title = \"Bar",
        "",
        &["invalid basic string"],
    );
    check(
        "[0, 0, 0.1]",
        "[0, 0, \"1 s\"]",
        "\"1 s\"",
        &["is not a length"],
    );
    check(
        "young = \"100 kPa\"\n",
        "",
        "[body.material]",
        &["the key `young` is missing"],
    );
    check(
        "name = \"bar\"\n",
        "",
        "[[body]]",
        &["the key `name` is missing"],
    );
}

#[test]
fn values_without_meaning() {
    check(
        "\"100 kPa\"",
        "\"-1 kPa\"",
        "\"-1 kPa\"",
        &["young = -1000", "must be positive"],
    );
    check("poisson = 0.4", "poisson = 0.5", "0.5", &["(−1, 0.5)"]);
    check("\"2 g/cm3\"", "\"-2 g/cm3\"", "\"-2 g/cm3\"", &["density"]);
    check(
        "density = \"2 g/cm3\"",
        "poisson = 0.7",
        "0.7",
        &["poisson"],
    );
    check(
        "poisson = 0.4",
        "poisson = 0.4\nfibre = { modulus = -1, direction.constant = [1, 0, 0] }",
        "-1",
        &["fibre.modulus"],
    );
    check(
        "poisson = 0.4",
        "poisson = 0.4\nfibre = { direction.constant = [0, 0, 0] }",
        "[0, 0, 0]",
        &["no direction"],
    );
    check(
        "poisson = 0.4",
        "poisson = 0.4\nfibre = { direction.constant = [0, 0, 1], active = { modulus = 1, length = 0, activation = 1 } }",
        "0",
        &["fibre.active_length"],
    );
    check("\"5 ms\"", "0", "0", &["the step must be positive"]);
    check(
        "\"5 ms\"",
        "\"2 s\"",
        "\"2 s\"",
        &["longer than the duration"],
    );
    check("\"5 ms\"", "1e-12", "1e-12", &["steps are too many"]);
    check(
        "\"1 s\"\n\n",
        "\"-1 s\"\n\n",
        "\"-1 s\"",
        &["the duration must be positive"],
    );
    check("\"40 cm\"", "\"-40 cm\"", "\"-40 cm\"", &["size x must be"]);
    check(
        "[4, 1, 1]",
        "[4, 0, 1]",
        "[4, 0, 1]",
        &["cells along y must be at least 1"],
    );
    check(
        "[4, 1, 1]",
        "[10000, 10000, 10000]",
        "cells",
        &["6000000000000 elements", "use fewer cells"],
    );
    check("[4, 1, 1] }", "[4, 1, 1], split = 7 }", "7", &["5 or 6"]);
    check(
        "[\"1 s\", [",
        "[\"0 s\", [",
        "\"0 s\"",
        &["keyframe times must increase"],
    );
    check(
        "[[\"0 s\", [0, 0, 0]], [\"1 s\", [0, 0, 0.1]]]",
        "[]",
        "[]",
        &["must not be empty"],
    );
    check(
        "name = \"bar\"",
        "name = \"bar\"\nplace.translate = [1e9, 0, 0]",
        "translate",
        &["too far"],
    );
    check(
        "name = \"bar\"",
        "name = \"bar\"\nplace.scale = [1, 0, 1]",
        "[1, 0, 1]",
        &["positive"],
    );
    check(
        "name = \"bar\"",
        "name = \"bar\"\nthickness = 1",
        "1",
        &["only planar bodies"],
    );
    check(
        "[time]",
        "[solver]\nbeta = 0\n[time]",
        "0",
        &["beta must be positive"],
    );
    check(
        "[time]",
        "[solver]\ntolerance = 1e-3\n[time]",
        "1e-3",
        &["only used with linear = \"pcg\""],
    );
    check(
        "[time]",
        "[record]\nfps = 0\n[time]",
        "0",
        &["frames a second"],
    );
    check(
        "[time]",
        "[record]\nfps = 60\nevery = \"1 s\"\n[time]",
        "60",
        &["remove one"],
    );
}

#[test]
fn selections_and_names() {
    check(
        "select.side = \"-x\"",
        "select.plane = { x = \"50 cm\" }",
        "plane",
        &[
            "the selection holds no node",
            "body `bar` spans [0.0, 0.0, 0.0] m to [0.4, 0.1, 0.1] m",
        ],
    );
    check(
        "select.side = \"-x\"",
        "select.plane = { x = 0, y = 0 }",
        "x = 0, y = 0",
        &["one of `x`, `y`, `z`"],
    );
    check(
        "select.side = \"-x\"",
        "select = { side = \"-x\", region = \"a\" }",
        "region",
        &["exactly one key, not", "`side`", "`region`"],
    );
    check(
        "select.side = \"-x\"",
        "select.ids = [999]",
        "999",
        &["no node with id 999"],
    );
    check(
        "select.side = \"-x\"",
        "select.box = { min = [1, 0, 0], max = [0, 1, 1] }",
        "min",
        &["inside out"],
    );
    check("select.side = \"-x\"", "select.and = []", "[]", &["empty"]);
    check(
        "select.side = \"+x\"",
        "select = \"all\"",
        "all",
        &["both prescribe node", "`wall`"],
    );
    check(
        "{ x = \"20 cm\" }",
        "{ x = \"60 cm\" }",
        "60 cm",
        &["no element", "spans"],
    );
    check(
        "name = \"mover\"",
        "name = \"wall\"",
        "\"wall\"",
        &["called `wall`"],
    );
    check(
        "name = \"mover\"",
        "name = \" \"",
        "\" \"",
        &["must not be empty"],
    );
    check("fix = true", "fix = false", "false", &["does nothing"]);
    check(
        "fix = true",
        "",
        "[[drive]]",
        &["exactly one of `fix`, `move`"],
    );
    check(
        "fix = true",
        "accelerate = [0, 0, \"1 m/s\"]",
        "\"1 m/s\"",
        &["is not an acceleration"],
    );
    check(
        "fix = true",
        "fix = true\nforce.total = [0, 0, 1]",
        "[[drive]]",
        &["exactly one of `fix`, `move`"],
    );
    check(
        "fix = true",
        "traction.profile = 1",
        "",
        &["`load` or `pressure`"],
    );
    check(
        "fix = true",
        "spring = { stiffness = -1 }",
        "-1",
        &["must not be negative"],
    );
    check(
        "fix = true",
        "spring = { stiffness = 1, from = 2, until = 1 }",
        "1",
        &["before it begins"],
    );
    let two = GOOD.replace("[[drive]]\nname = \"wall\"", "[[body]]\nname = \"b\"\nmesh.ball = { radius = 1, divisions = 1 }\nmaterial = { young = 1, poisson = 0.4 }\n[[drive]]\nname = \"wall\"");
    assert!(
        failure(&two)
            .to_string()
            .contains("does not say which body")
    );
}

#[test]
fn drawings_and_profiles() {
    let bar = "mesh.bar = { size = [\"40 cm\", \"10 cm\", \"10 cm\"], cells = [4, 1, 1] }";
    let shape = |mesh: &str, at: &str, words: &[&str]| check(bar, mesh, at, words);
    shape(
        "mesh.lathe = { profile = [[1, 0], [1, 0]], segments = 5 }",
        "[[1, 0], [1, 0]]",
        &["point 2 of the profile", "not above"],
    );
    shape(
        "mesh.lathe = { profile = [[1, 0], [1, 1]], segments = 2 }",
        "2",
        &["segments must be at least 3"],
    );
    let sizes = "cell = [1, 1], depth = 1, layers = 1";
    shape(
        &format!("mesh.extrude = {{ picture = [\"#.\", \".#\"], {sizes} }}"),
        "#.",
        &["row 1, column 1", "corner"],
    );
    shape(
        "mesh.extrude = { picture = [\"##\"], depth = 1, layers = 1 }",
        "picture",
        &["no size", "add cell"],
    );
    shape(
        "mesh.extrude = { picture = [\"##\"], cell = [1, 1] }",
        "picture",
        &["no depth", "add depth"],
    );
    shape(
        "mesh.extrude = { picture = [\"##\"], cell = [1, 1], depth = 1, depths = [1] }",
        "[1]",
        &["in place of depth"],
    );
    shape(
        "mesh.extrude = { picture = [\"##\"], cell = [1, 1], widths = [1], depth = 1 }",
        "[1]",
        &["2 numbers are needed, not 1"],
    );
    shape(
        "mesh.extrude = { picture = [\"##\"], cell = [1, 1], depth = 1, layers = 10000000000 }",
        "mesh",
        &["the limit is"],
    );
    shape(
        &format!("mesh.extrude = {{ picture = [\"##\"], smooth = -1, {sizes} }}"),
        "-1",
        &["expected a whole number from 0"],
    );
    shape(
        &format!("mesh.extrude = {{ picture = [], {sizes} }}"),
        "[]",
        &["rows of the picture must be at least 1, not 0"],
    );
    shape(
        &format!("mesh.extrude = {{ picture = [\"..\"], {sizes} }}"),
        "..",
        &["row 1, column 1", "all others are empty"],
    );
    for unseen in ["\\t", "\\n"] {
        shape(
            &format!("mesh.extrude = {{ picture = [\"##\", \"#{unseen}#\"], {sizes} }}"),
            "##",
            &["row 2, column 2", "is a tab, a line break or the like"],
        );
    }
}

#[test]
fn lists_of_another_length() {
    let top = |line: &str, at: &str, words: &[&str]| {
        check("[time]", &format!("{line}\n[time]"), at, words)
    };
    let shape = |mesh: &str, at: &str, words: &[&str]| {
        let bar = "mesh.bar = { size = [\"40 cm\", \"10 cm\", \"10 cm\"], cells = [4, 1, 1] }";
        check(bar, mesh, at, words)
    };
    let three = &["3 values are expected here, not 4"];
    let two = &["2 values are expected here, not 3"];
    let error = failure(&GOOD.replace("[time]", "gravity = [0, 0, -9.81, 5]\n[time]"));
    assert_eq!((error.line, error.column), (3, 11), "{error}");
    top("gravity = [0, 0, -9.81, 5]", "-9.81, 5]", three);
    top(
        "gravity = [0, -9.81]",
        "-9.81]",
        &["3 values are expected here, not 2"],
    );
    top(
        "[[obstacle]]\nhalf_space = { point = [0, 0, 0, 7], normal = [0, 0, 1] }",
        "[0, 0, 0, 7]",
        three,
    );
    check("[4, 1, 1]", "[4, 1, 1, 9]", "[4, 1, 1, 9]", three);
    check("\"10 cm\"],", "\"10 cm\", 1],", "\"10 cm\", 1]", three);
    shape(
        "mesh.lathe = { profile = [[1, 0], [1, 1, 5]], segments = 5 }",
        "[1, 1, 5]",
        two,
    );
    shape(
        "mesh.extrude = { picture = [\"#\"], cell = [1, 1, 1], depth = 1 }",
        "[1, 1, 1]",
        two,
    );
    shape(
        "mesh.rectangle = { size = [1, 1], cells = [1, 1, 1] }",
        "[1, 1, 1]",
        two,
    );
    check("[0, 0, 0.1]]", "[0, 0, 0.1], 2]", "0.1], 2]", two);
    check("[0, 0, 0.1]", "[0, 0, 0.1, 2]", "[0, 0, 0.1, 2]", three);
    check(
        "translate.keys = [[\"0 s\", [0, 0, 0]], [\"1 s\", [0, 0, 0.1]]]",
        "translate = [0, 0, 0, 1]",
        "[0, 0, 0, 1]",
        three,
    );
    check(
        "select.side = \"-x\"",
        "select.and = [\"all\", { nearest = [0, 0, 0, 1] }]",
        "[0, 0, 0, 1]",
        three,
    );
}

#[test]
fn tables_and_lists_of_tables() {
    check(
        "[time]",
        "[[contact]]\nfriction = 0.2\n[time]",
        "contact",
        &["`contact` is one table, not a list", "write [contact]"],
    );
    check(
        "[time]",
        "[[solver.early_cg]]\nbudget = 2\n[time]",
        "early_cg",
        &["`solver.early_cg` is one table", "[solver.early_cg]"],
    );
    check(
        "{ x = \"20 cm\" }",
        "[\"20 cm\"]",
        "[\"20 cm\"]",
        &["one table, not a list"],
    );
    check(
        "[time]",
        "[obstacle]\nname = \"a\"\n[time]",
        "obstacle",
        &["`obstacle` is a list of tables", "write [[obstacle]]"],
    );
    check(
        "mesh.bar =",
        "mesh.ball = { radius = 1, divisions = 1 }\nmesh.bar =",
        "mesh",
        &["exactly one key, not `ball` and `bar`"],
    );
    check(
        "select.side = \"-x\"",
        "select = {}",
        "{}",
        &["exactly one key, but has none", "known are `side`"],
    );
    check(
        "[time]\nstep = \"5 ms\"\nduration = \"1 s\"",
        "time = 1",
        "1",
        &["expected a table"],
    );
}

#[test]
fn settings_of_early_cg() {
    let early = |line: &str, at: &str, words: &[&str]| {
        check(
            "[time]",
            &format!("[solver.early_cg]\n{line}\n[time]"),
            at,
            words,
        )
    };
    let guesses = &["`zero`, `velocity`, `velocity+force`, `{ blend = 0.5 }`"];
    early("guess = \"foo\"", "\"foo\"", guesses);
    early(
        "guess = \"velocty\"",
        "\"velocty\"",
        &["unknown name `velocty`", "did you mean `velocity`?"],
    );
    early(
        "guess = 1",
        "1",
        &["expected \"zero\", \"velocity\", \"velocity+force\" or { blend = 0.5 }"],
    );
    early("guess = {}", "{}", &["the key `blend` is missing"]);
    early(
        "guess = { blnd = 1 }",
        "blnd",
        &["unknown key `blnd`", "`blend`"],
    );
    early("guess = { blend = nan }", "nan", &["finite"]);
    early("guess = { blend = 2 }", "2", &["between 0 and 1"]);
    early(
        "budget = -1",
        "-1",
        &["integer `-1`, expected a whole number from 0"],
    );
    early("budget = 1.5", "1.5", &["expected a whole number from 0"]);
    early(
        "budget = \"10\"",
        "\"10\"",
        &["expected a whole number from 0"],
    );
    early(
        "sweeps = -1",
        "-1",
        &["a whole number from 0 to 4294967295"],
    );
    early(
        "fresh_factor = 1e18",
        "1e18",
        &["fresh_factor must be between 1 and 1e6, not 1e18"],
    );
    early("fresh_factor = 0.5", "0.5", &["between 1 and 1e6, not 0.5"]);
    let error = failure(&GOOD.replace(
        "[time]",
        "[solver.early_cg]\npreconditioner = \"gauss-seidl\"\n[time]",
    ));
    assert_eq!(
        error.help.as_deref(),
        Some("known are `identity`, `mass`, `jacobi`, `block-jacobi`")
    );
}

#[test]
fn obstacles_and_large_numbers() {
    let obstacle = |lines: &str, at: &str, words: &[&str]| {
        check(
            "[time]",
            &format!("[[obstacle]]\n{lines}\n[time]"),
            at,
            words,
        )
    };
    obstacle(
        "half_space = { point = [0, 0, 0], normal = [0, 0, 1e300] }",
        "1e300",
        &["`1e300` is out of range for a number", "1e100"],
    );
    obstacle(
        "name = \"\"\nhalf_space = { point = [0, 0, 0], normal = [0, 0, 1] }",
        "\"\"",
        &["the name of an obstacle must not be empty"],
    );
}

#[test]
fn cuts() {
    let good = "time = 0.5\npoint = [0.2, 0, 0]\nnormal = [1, 0, 0]";
    let cut = |old: &str, new: &str, at: &str, words: &[&str]| {
        let lines = good.replace(old, new);
        assert_ne!(lines, good, "`{old}` must occur");
        check("[time]", &format!("[[cut]]\n{lines}\n[time]"), at, words);
    };
    cut(
        "time",
        "body = \"bra\"\ntime",
        "bra",
        &["there is no body `bra`", "did you mean `bar`"],
    );
    cut("0.5", "\"-1 ms\"", "-1 ms", &["must not be negative"]);
    cut("[1, 0, 0]", "[0, 0, 0]", "[0, 0, 0]", &["no direction"]);
    cut(
        "[0.2, 0, 0]",
        "[0.5, 0, 0]",
        "[0.5, 0, 0]",
        &[
            "separates nothing of body `bar`",
            "spans [0.0, 0.0, 0.0] m to [0.4, 0.1, 0.1] m",
        ],
    );
    cut("time", "tolerance = 2\ntime", "2", &["0.5, not 2"]);
    cut(
        "time",
        "within.sphere = { centre = [0.2, 0, 0], radius = \"1 mm\" }\ntime",
        "sphere",
        &["opens nowhere", "larger"],
    );
    cut(
        "time",
        "within = \"surface\"\ntime",
        "surface",
        &["not a part of space"],
    );
    cut("time", "when = 2\ntime", "when", &["unknown key `when`"]);
    cut("time = 0.5\n", "", "cut", &["`time` is missing"]);
    let twice = format!("[[cut]]\n{good}\n[[cut]]\n{good}\n[time]");
    check(
        "[time]",
        &twice,
        "[0.2, 0, 0]",
        &["separates nothing", "along an earlier cut"],
    );
    let named = |lines: &str| format!("[[cut]]\nname = \"slit\"\n{lines}\n");
    let twice = format!("{0}{0}[time]", named(good));
    check("[time]", &twice, "slit", &["two of the scene's cut tables"]);
    // rigid bodies, and which body
    let text = GOOD.replace("[time]", &format!("[[cut]]\n{good}\n[time]"));
    let rigid = text.replace("[[body.region]]", "[[body]]\nname = \"stone\"\nrigid = \"free\"\nmesh.box = { size = [1, 1, 1], cells = [1, 1, 1] }\n[[body.region]]");
    let error = failure(&rigid).to_string();
    assert!(error.contains("which body it acts on"), "{error}");
    let rigid = rigid.replace("[[cut]]", "[[cut]]\nbody = \"stone\"");
    let error = failure(&rigid).to_string();
    assert!(
        error.contains("`stone` is rigid and cannot be cut"),
        "{error}"
    );
}

#[test]
fn scenes_without_bodies_and_files_that_are_missing() {
    let error = failure("title = \"t\"\ntime.duration = 1\n");
    assert!(
        error
            .to_string()
            .starts_with("bar.toml:1:1: the scene has no body; help: add a [[body]]"),
        "{error}"
    );
    let file = "mesh.file = \"no.msh\"";
    check(
        "mesh.bar = { size = [\"40 cm\", \"10 cm\", \"10 cm\"], cells = [4, 1, 1] }",
        file,
        "no.msh",
        &["no.msh"],
    );
    let text = GOOD.replace(
        "mesh.bar = { size = [\"40 cm\", \"10 cm\", \"10 cm\"], cells = [4, 1, 1] }",
        file,
    );
    let error = build(&parse(&text, "bar.toml").unwrap(), None).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("embedded scene cannot name a mesh file"),
        "{error}"
    );
}
