use pliant_linalg::vec3;
use pliant_mesh::generate::{Split, bar};
use pliant_mesh::{Format, RawMesh, SurfaceMesh, write_file};
use pliant_scene::{Scene, SceneError, build, parse};
use std::path::Path;

const SCENE: &str = "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"b\"\nmesh.file = FILE\nmaterial = { young = 1e5, poisson = 0.4 }\n\
    [[body.region]]\nwhere.region = \"tendon\"\ndensity = 2000\n\
    [[drive]]\nselect.region = \"tendon\"\nfix = true\n";

fn load(file: &str, folder: &Path) -> Result<Scene, SceneError> {
    build(
        &parse(&SCENE.replace("FILE", file), "t.toml")?,
        Some(folder),
    )
}

#[test]
fn physical_groups_become_regions() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = bar(vec3(40.0, 10.0, 10.0), [4, 1, 1], Split::Six).unwrap();
    mesh.assign_region_in_box("tendon", vec3(0.0, 0.0, 0.0), vec3(10.0, 10.0, 10.0))
        .unwrap();
    let mut bytes = Vec::new();
    Format::Gmsh41
        .write(&RawMesh::from(mesh), &mut bytes)
        .unwrap();
    std::fs::write(folder.path().join("bar.msh"), &bytes).unwrap();
    let scene = load("{ path = \"bar.msh\", unit = \"mm\" }", folder.path()).unwrap();
    // 40 × 10 × 10 mm of water, its first quarter twice as heavy
    let mass: f64 = scene.model.mass.iter().sum();
    assert!((mass - 4e-6 * 1000.0 * 1.25).abs() < 1e-15, "{mass}");
    let metres = load("\"bar.msh\"", folder.path()).unwrap();
    assert!((metres.model.diagonal() / scene.model.diagonal() - 1000.0).abs() < 1e-9);

    let half = bytes[..bytes.len() / 2]
        .iter()
        .rposition(|&b| b == b'\n')
        .unwrap();
    std::fs::write(folder.path().join("cut.msh"), &bytes[..=half]).unwrap();
    let error = load("\"cut.msh\"", folder.path()).unwrap_err();
    assert_eq!((error.line, error.column), (5, 13));
    assert!(
        error.to_string().contains("the file is incomplete"),
        "{error}"
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("dir.msh")).unwrap();
    for (file, word) in [
        ("\"none.msh\"", "none.msh"),
        ("\"dir.msh\"", "not a file"),
        ("\"\"", "not a file"),
    ] {
        let error = load(file, folder.path()).unwrap_err();
        assert_eq!(error.line, 5);
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn a_body_carries_its_render_surface() {
    let folder = tempfile::tempdir().unwrap();
    let body = bar(vec3(40.0, 10.0, 10.0), [8, 3, 3], Split::Six).unwrap();
    let surface = SurfaceMesh::of(&body).unwrap();
    let cage = pliant_mesh::cage(&surface, 12.0).unwrap();
    let write = |name: &str, format: Format, mesh| {
        write_file(&mesh, format, &folder.path().join(name)).unwrap();
    };
    let mut skin = RawMesh::new("skin");
    skin.positions = surface.positions.clone();
    skin.node_ids = (1..=skin.positions.len() as u64).collect();
    for (t, nodes) in (1..).zip(&surface.triangles) {
        skin.triangles.push(*nodes, t, 0);
    }
    skin.triangles.single_region();
    write("skin.obj", Format::Obj, skin);
    write("cage.msh", Format::Gmsh41, RawMesh::from(cage.clone()));
    let text = "title = \"t\"\ntime.duration = 1\n[[body]]\nname = \"b\"\n\
        mesh.file = { path = \"cage.msh\", unit = \"mm\", render = \"skin.obj\" }\n\
        place.translate = [1, 0, 0]\nmaterial = { young = 1e5, poisson = 0.4 }\n";
    let scene = |text: &str| build(&parse(text, "t.toml")?, Some(folder.path()));
    let built = scene(text).unwrap();
    let embedding = built.embeddings[0].as_ref().unwrap();
    let elements = pliant_mesh::Elements::Tetrahedra(built.model.element_nodes.clone());
    let x = embedding.positions(&elements, &built.model.rest);
    assert_eq!(embedding.triangles.len(), surface.triangles.len());
    // the surface is where the file has it, in metres and moved with its cage
    for (found, p) in x.iter().zip(&surface.positions) {
        assert!((*found - (*p * 1e-3 + vec3(1.0, 0.0, 0.0))).norm() < 1e-12);
    }
    assert!(
        built.notices.iter().any(|n| n.contains("mm")),
        "{:?}",
        built.notices
    );
    let error = scene(&text.replace("skin.obj", "none.obj")).unwrap_err();
    assert!(
        error.to_string().contains("`none.obj` cannot be read"),
        "{error}"
    );
    let error = scene(&text.replace("skin.obj", "cage.msh")).unwrap_err();
    assert!(error.to_string().contains("has no triangles"), "{error}");
}
