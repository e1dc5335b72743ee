//! Cuts of scene files: what becomes of materials, selections, loads, joints and recordings.

use pliant_linalg::Vec3;
use pliant_scene::recording::RecordingHeader;
use pliant_scene::{Scene, build, parse};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Faces};
use pliant_solid::joint::JointKind;
use pliant_solid::strategy::Method;

/// A bar with a soft upper half and fibres, cut at 3/8 of its length, a little to the right of a plane of its grid.
fn bar(more: &str) -> String {
    format!(
        r#"title = "Cut"
gravity = [0, 0, 0]
time = {{ step = "5 ms", duration = "1 s" }}

[[body]]
name = "bar"
mesh.bar = {{ size = ["40 cm", "10 cm", "10 cm"], cells = [8, 2, 2] }}

[body.material]
young = "100 kPa"
poisson = 0.35
fibre = {{ kind = "st-venant-kirchhoff", modulus = "10 kPa", direction.helical = {{ axis = [1, 0, 0], centre = [0, 0.05, 0.05], angle = "30 deg" }} }}

[[body.region]]
name = "upper"
where.above = {{ z = "5 cm" }}
young = "50 kPa"

{more}"#
    )
}

fn scene(text: &str) -> Scene {
    let file = parse(text, "cut.toml").unwrap_or_else(|e| panic!("{e}"));
    build(&file, None).unwrap_or_else(|e| panic!("{e}"))
}

const CUT: &str = r#"
[[cut]]
time = "20 ms"
point = ["17 cm", 0, 0]
normal = [1, 0, 0]
"#;

#[test]
fn parts_of_elements_keep_material_fibre_and_region() {
    let (whole, cut) = (scene(&bar("")), scene(&bar(CUT)));
    let model = &cut.model;
    assert_eq!(model.seams.all()[0].name, "cut 1");
    assert!(model.element_count() > whole.model.element_count() + 50);
    assert_eq!(cut.regions.len(), model.element_count());
    let of_region = |scene: &Scene, name: &str| -> f64 {
        let volumes = scene.model.element_volumes.iter().zip(&scene.regions);
        let own = volumes.filter(|(_, r)| scene.region_names[**r as usize] == name);
        own.map(|(v, _)| v).sum()
    };
    for name in ["default", "upper"] {
        let (a, b) = (of_region(&whole, name), of_region(&cut, name));
        assert!((a - b).abs() < 1e-12 * a, "{name}");
    }
    // the same energy under the same strain: every part has its parent's modulus and fibre
    let energy = |scene: &Scene| {
        let strain = |x: &Vec3| Vec3::new(1.1 * x.x + 0.1 * x.y, 0.95 * x.y, x.z + 0.2 * x.x);
        let x: Vec<Vec3> = scene.model.rest.iter().map(strain).collect();
        let mut forces = pliant_solid::assembly::Forces::default();
        let activations = vec![0.0; scene.model.activations.len()];
        forces
            .evaluate(&scene.model, &x, &activations, false)
            .unwrap();
        forces.energy
    };
    let (a, b) = (energy(&whole), energy(&cut));
    assert!((a - b).abs() < 1e-12 * a, "{a} {b}");
}

#[test]
fn selections_loads_and_joints_hold_copies() {
    let more = r#"
[[body]]
name = "ground"
rigid = "fixed"
mesh.box = { size = [1, 1, "10 cm"], cells = [1, 1, 1] }
place.translate = [0, 0, "-5 cm"]

[[drive]]
name = "pressed"
body = "bar"
select = "all"
traction.pressure = "100 Pa"

[[drive]]
name = "turned"
body = "bar"
select.and = ["surface", { above = { z = "9 cm" } }]
move.rotate = { axis = [0, 0, 1], angle = { keys = [["0 s", 0], ["1 s", 1]] } }

[[attach]]
name = "glue"
body = "bar"
select.side = "-z"
to = "ground"

[[cut]]
name = "late"
body = "bar"
time = "40 ms"
point = [0, "5 cm", 0]
normal = [0, 1, 0]

[[cut]]
name = "early"
body = "bar"
time = "20 ms"
point = ["20 cm", 0, 0]
normal = [1, 0, 0]
"#;
    let scene = scene(&bar(more));
    let seams = scene.model.seams.all();
    // in the order of time; the second acts on both halves
    let sizes = seams.iter().map(|s| (s.name.as_str(), s.pairs.len()));
    assert_eq!(
        sizes.collect::<Vec<_>>(),
        [("early", 9), ("late", 9 * 3 + 3)]
    );
    let mut simulation =
        Simulation::new(scene.model.clone(), scene.settings, Method::Full).unwrap();
    let top = |x: &Vec3| (x.z - 0.1).abs() < 1e-9;
    for step in 0..12 {
        simulation.step().unwrap();
        let model = simulation.model();
        let open = model.seams.open();
        assert_eq!(
            open,
            [0, 1, 2][usize::from(step >= 4) + usize::from(step >= 8)]
        );
        let Action::Traction {
            faces: Faces::Triangles(loaded),
            ..
        } = &model.drives[0].action
        else {
            panic!("no traction");
        };
        // never on the faces of cuts
        assert_eq!(loaded.len(), 4 * (8 * 2 + 2 * 2 + 2 * 8));
        let Action::Prescribe { nodes, motion, .. } = &model.drives[1].action else {
            panic!("no motion");
        };
        assert_eq!(nodes.len(), 27 + [0, 3, 3 + 10][open]);
        let turn = motion.rotation.as_ref().unwrap();
        assert!((turn.centre - Vec3::new(0.2, 0.05, 0.1)).norm() < 1e-12);
        let JointKind::Attachment { pairs } = &model.joints[0].kind else {
            panic!("no attachment");
        };
        assert_eq!(pairs.len(), nodes.len());
        // copies at the top move together for ever, those in the middle part
        // all around it has no sum
        assert!(open > 0 || simulation.report().reactions[0].norm() < 1e-9);
        let state = simulation.state();
        for seam in model.seams.all() {
            for [a, b] in &seam.pairs {
                let gap = (state.positions[*a as usize] - state.positions[*b as usize]).norm();
                if top(&model.rest[*a as usize]) || open == 0 {
                    assert!(gap < 1e-15, "{gap}");
                }
            }
        }
    }
}

#[test]
fn recordings_hold_the_split_mesh() {
    let scene = scene(&bar(CUT));
    let header = RecordingHeader::new(&scene);
    let pairs = scene.model.seams.all()[0].pairs.len();
    assert_eq!(header.rest.len(), scene.model.node_count());
    let mut used = vec![false; header.rest.len()];
    for &n in header.elements.as_flattened() {
        used[n as usize] = true;
    }
    assert!(used.iter().all(|&u| u));
    assert!(scene.model.element_nodes != header.elements);
    let (closed, open) = (
        scene.model.bodies[0].surface.triangles.len(),
        header.triangles.len(),
    );
    assert!(open > closed && (open - closed) % 2 == 0);
    let (all, present): (f64, f64) = (header.masses.iter().sum(), scene.model.mass.iter().sum());
    assert!((all - present).abs() < 1e-12 * all);
    assert_eq!(
        scene.model.mass.iter().filter(|m| **m == 0.0).count(),
        pairs
    );
}

#[test]
fn walls_of_cavities_are_not_cut() {
    let tube = |x: &str| {
        format!(
            r#"title = "Cut"
time = {{ step = "5 ms", duration = "1 s" }}

[[body]]
name = "tyre"
mesh.ring = {{ major = "10 cm", inner = "2 cm", outer = "4 cm", cells = [2, 6, 16] }}
material = {{ young = "100 kPa", poisson = 0.35 }}

[[cavity]]
body = "tyre"
pressure = "1 kPa"

[[cut]]
time = 0
point = [{x}, 0, 0]
normal = [1, 0, 0]
"#
        )
    };
    let error = |x: &str| {
        let file = parse(&tube(x), "cut.toml").unwrap();
        build(&file, None).err().map(|e| e.to_string())
    };
    assert_eq!(error("\"13.2 cm\""), None);
    let text = error("0").unwrap();
    assert!(text.contains("goes through the walls"), "{text}");
}
