//! `element`: what solids are made of.

use pliant_linalg::vec3;
use pliant_mesh::file::{Format, RawMesh, write_file};
use pliant_mesh::generate::{Split, bar};
use pliant_scene::{Scene, SceneError, build, parse};
use pliant_solid::octet::Formulation;
use std::path::Path;

const BAR: &str = "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"b\"\nelement = \"tet10\"\n\
    mesh.bar = { size = [0.4, 0.1, 0.1], cells = [4, 2, 2] }\n\
    material = { young = 1e5, poisson = 0.4 }\n\
    [[body.region]]\nwhere.above = { x = 0.18 }\nyoung = 2e5\n\
    [[drive]]\nname = \"wall\"\nselect.side = \"-x\"\nfix = true\n\
    [[drive]]\nname = \"load\"\nselect.side = \"+x\"\ntraction.load = [0, 0, -10]\n";

fn scene(text: &str, base: &Path) -> Result<Scene, SceneError> {
    build(&parse(text, "t.toml")?, Some(base))
}

fn refusal(from: &str, to: &str) -> String {
    assert_eq!(BAR.matches(from).count(), 1, "{from}");
    let error = scene(&BAR.replacen(from, to, 1), Path::new("/nonexistent"));
    error.err().map(|e| e.to_string()).unwrap()
}

#[test]
fn a_body_is_made_of_what_it_says() {
    let cells = 16;
    for (name, formulation) in [
        ("tet4", Formulation::Linear),
        ("tet4-averaged", Formulation::Averaged),
        ("tet10", Formulation::Quadratic),
    ] {
        let text = BAR.replace("tet10", name);
        let model = scene(&text, Path::new("/nonexistent")).unwrap().model;
        assert_eq!(model.bodies[0].formulation, formulation);
        let parts = match formulation {
            Formulation::Linear => 1,
            _ => 8,
        };
        assert_eq!(model.element_count(), 6 * cells * parts);
        // a traction of 10 Pa on 0.01 m², wherever it goes
        let mut loads = pliant_solid::drive::Loads::default();
        loads.gather(&model, &model.rest, 1.0, 1e-3);
        assert!((loads.totals[1] - vec3(0.0, 0.0, -0.1)).norm() < 1e-12);
    }
    let rigid = BAR.replace("element", "rigid = \"free\"\nelement");
    let rigid = &rigid[..rigid.find("[[drive]]").unwrap()];
    let model = scene(rigid, Path::new("/nonexistent")).unwrap().model;
    assert_eq!(model.bodies[0].formulation, Formulation::Linear);
}

#[test]
fn files_with_ten_nodes_are_quadratic_unless_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = bar(vec3(0.4, 0.1, 0.1), [4, 2, 2], Split::Six).unwrap();
    let ten = RawMesh::from(mesh.with_octets().unwrap());
    write_file(&ten, Format::Gmsh41, &folder.path().join("ten.msh")).unwrap();
    let file = "mesh.file = \"ten.msh\"";
    let text = BAR.replace(
        "mesh.bar = { size = [0.4, 0.1, 0.1], cells = [4, 2, 2] }",
        file,
    );
    for (element, formulation) in [
        ("", Formulation::Quadratic),
        ("element = \"tet4\"\n", Formulation::Linear),
        ("element = \"tet4-averaged\"\n", Formulation::Averaged),
    ] {
        let text = text.replace("element = \"tet10\"\n", element);
        let model = scene(&text, folder.path()).unwrap().model;
        assert_eq!(model.bodies[0].formulation, formulation);
        assert_eq!(model.element_count(), 8 * 96);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_advice() {
    let error = refusal("tet10", "tet8");
    assert!(error.contains("tet4-averaged"), "{error}");
    let averaged = "element = \"tet4-averaged\"";
    let corotated = BAR.replace("poisson = 0.4", "poisson = 0.4, model = \"corotated\"");
    let corotated = corotated.replace("element = \"tet10\"", averaged);
    let error = scene(&corotated, Path::new("/nonexistent"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("averaged") && error.contains("tet10"),
        "{error}"
    );
    let plane = "mesh.rectangle = { size = [0.4, 0.1], cells = [4, 2] }";
    let bar = "mesh.bar = { size = [0.4, 0.1, 0.1], cells = [4, 2, 2] }";
    assert!(refusal(bar, plane).contains("only solids"));
    let cut = format!(
        "{BAR}[[cut]]\nbody = \"b\"\ntime = 0.5\npoint = [0.2, 0, 0]\nnormal = [1, 0, 0]\n"
    );
    let error = scene(&cut, Path::new("/nonexistent"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("cannot be cut") && error.contains("tet4"),
        "{error}"
    );
}
