//! Files of public projects, against the counts of their manifest. They lie beside the checkout, or not at all.

use pliant_mesh::file::{Format, RawMesh, read_file};
use std::path::{Path, PathBuf};

/// The folder, where there is one.
pub fn folder() -> Option<PathBuf> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/meshes"
    ));
    if folder.join("manifest.json").is_file() {
        return Some(folder.to_path_buf());
    }
    println!("no folder of real meshes: nothing compared");
    None
}

fn manifest(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn bounds(mesh: &RawMesh) -> [[f64; 3]; 2] {
    let mut low = mesh.positions[0];
    let mut high = low;
    for &p in &mesh.positions {
        low = low.min(p);
        high = high.max(p);
    }
    [low.to_array(), high.to_array()]
}

/// Sum of |volume|, or the volume that a surface encloses.
fn volume(mesh: &RawMesh) -> f64 {
    let at = |n: u32| mesh.positions[n as usize];
    if mesh.tetrahedra.is_empty() {
        let part = |t: &[u32; 3]| at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6.0;
        return mesh.triangles.nodes.iter().map(part).sum();
    }
    let part = |t: &[u32; 4]| {
        let [a, b, c, d] = t.map(at);
        (b - a).dot((c - a).cross(d - a)).abs() / 6.0
    };
    mesh.tetrahedra.nodes.iter().map(part).sum()
}

#[test]
fn counts_bounds_and_volumes_match_the_manifest() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    for entry in manifest(&folder) {
        let text = |key: &str| entry[key].as_str().unwrap_or_default();
        let file = text("file");
        if ["rig", "malformed"].contains(&text("kind")) {
            continue;
        }
        let (mesh, format) =
            read_file(&folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let by_extension = Format::by_extension(Path::new(file)).unwrap();
        assert_eq!(
            format.title().split([' ', ',']).next(),
            by_extension.title().split([' ', ',']).next(),
            "{file}"
        );
        let count = |key: &str| entry[key].as_u64().map(|n| n as usize);
        // the manifest counts the vertices that this surface uses; its file has more
        let vertices = match file {
            "nasty/two-boxes-bad-self-union.ply" => Some(486),
            _ => count("vertices"),
        };
        assert_eq!(Some(mesh.positions.len()), vertices, "{file}");
        assert_eq!(mesh.node_ids.len(), mesh.positions.len(), "{file}");
        match count("tets") {
            Some(tets) => assert_eq!(mesh.tetrahedra.len(), tets, "{file}"),
            None => assert_eq!(Some(mesh.triangles.len()), count("triangles"), "{file}"),
        }
        if let Some(wanted) = entry["volume"].as_f64() {
            let found = volume(&mesh);
            assert!(
                (found - wanted).abs() <= 1e-9 * wanted.abs().max(1e-12),
                "{file}: {found} {wanted}"
            );
        }
        for (key, found) in ["bbox_min", "bbox_max"].iter().zip(bounds(&mesh)) {
            let Some(wanted) = entry[*key].as_array() else {
                continue;
            };
            for (found, wanted) in found.iter().zip(wanted) {
                let wanted = wanted.as_f64().unwrap();
                assert!(
                    (found - wanted).abs() <= 1e-6 * (1.0 + wanted.abs()),
                    "{file}: {found} {wanted}"
                );
            }
        }
        compared += 1;
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn all_parts_of_a_mesh_open_it() {
    let Some(folder) = folder() else { return };
    for extension in ["node", "ele"] {
        let (mesh, format) =
            read_file(&folder.join("general/arma_5").with_extension(extension)).unwrap();
        assert_eq!(
            (format, mesh.positions.len(), mesh.tetrahedra.len()),
            (Format::TetGen, 413, 1084)
        );
    }
    let (plane, _) = read_file(&folder.join("adaptive-rigidification/cantileverP05.node")).unwrap();
    assert_eq!((plane.positions.len(), plane.triangles.len()), (1454, 2739));
}

#[test]
fn files_that_do_not_belong_together_are_told() {
    let Some(folder) = folder() else { return };
    for extension in ["node", "ele"] {
        let error =
            read_file(&folder.join("nasty/gargNested2").with_extension(extension)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("gargNested2.ele, line "), "{text}");
        assert!(
            text.contains("counts nodes from 0 (it uses nodes 0 to 344), but "),
            "{text}"
        );
        assert!(text.ends_with("gargNested2.node counts from 1"), "{text}");
        assert!(error.help.is_some());
    }
}

#[test]
fn regions_of_real_files() {
    let Some(folder) = folder() else { return };
    let names = |file: &str| {
        let (mesh, _) = read_file(&folder.join(file)).unwrap();
        match mesh.tetrahedra.is_empty() {
            true => mesh.triangles.region_names,
            false => mesh.tetrahedra.region_names,
        }
    };
    assert_eq!(names("general/asianDragon.veg"), ["BODY"]);
    assert_eq!(names("nasty/doubleLoopWithCube.veg"), ["defaultMaterial"]);
    assert_eq!(names("adaptive-rigidification/pachinko1Model.obj").len(), 8);
    assert_eq!(names("adaptive-rigidification/fatBowl.obj"), ["Plato"]);
    assert_eq!(names("isolated-dofs/raptor_8kp.obj"), ["Group1"]);
    assert_eq!(names("general/octopus-low.mesh"), ["default"]);
    assert_eq!(names("general/bunny_5.tobj"), ["default"]);
}
