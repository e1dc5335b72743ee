//! Through every ordered pair of volume formats and back: counts, order, coordinates bit for bit, regions and names.

use crate::real;
use crate::seeds;
use pliant_mesh::file::{Cells, Format, RawMesh, read_bytes, read_file, write_file};
use std::path::Path;

/// Formats that hold tetrahedra and regions.
fn volume_formats() -> Vec<Format> {
    Format::writable().filter(|f| !f.is_surface()).collect()
}

fn through(mesh: &RawMesh, format: Format, folder: &Path) -> RawMesh {
    let extension = match format.extensions() {
        [] if format.name().starts_with("vtu") => "vtu",
        [] => "msh",
        [.., last] => last,
    };
    let path = folder.join(format!("mesh.{extension}"));
    write_file(mesh, format, &path).unwrap();
    let read = read_file(&path);
    let (again, _) = read.unwrap_or_else(|e| panic!("{}: {e}", format.title()));
    again
}

fn names<const N: usize>(cells: &Cells<N>) -> Vec<&str> {
    cells
        .regions
        .iter()
        .map(|&r| cells.region_names[r as usize].as_str())
        .collect()
}

fn bits(mesh: &RawMesh) -> Vec<[u64; 3]> {
    mesh.positions
        .iter()
        .map(|p| p.to_array().map(f64::to_bits))
        .collect()
}

fn compare(mesh: &RawMesh, again: &RawMesh, with_triangles: bool, context: &str) {
    assert_eq!(bits(again), bits(mesh), "{context}");
    assert_eq!(again.tetrahedra.nodes, mesh.tetrahedra.nodes, "{context}");
    assert_eq!(
        names(&again.tetrahedra),
        names(&mesh.tetrahedra),
        "{context}"
    );
    assert_eq!(
        again.tetrahedra.region_names, mesh.tetrahedra.region_names,
        "{context}"
    );
    if with_triangles {
        assert_eq!(again.triangles.nodes, mesh.triangles.nodes, "{context}");
        assert_eq!(names(&again.triangles), names(&mesh.triangles), "{context}");
    }
}

/// All pairs; returns how many.
fn all_pairs(mesh: &RawMesh, title: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut pairs = 0;
    for first in volume_formats() {
        // Vega has tetrahedra only
        let solid_only = |f: Format| f == Format::Vega;
        if solid_only(first) && mesh.tetrahedra.is_empty() {
            continue;
        }
        let a = through(mesh, first, folder.path());
        compare(
            mesh,
            &a,
            !solid_only(first),
            &format!("{title} in {}", first.title()),
        );
        for second in volume_formats() {
            if solid_only(second) && mesh.tetrahedra.is_empty() {
                continue;
            }
            let context = format!("{title}: {} to {} and back", first.title(), second.title());
            let keeps = !solid_only(first) && !solid_only(second);
            let b = through(&a, second, folder.path());
            compare(&a, &b, keeps, &context);
            let back = through(&b, first, folder.path());
            compare(mesh, &back, keeps, &context);
            pairs += 1;
        }
    }
    pairs
}

#[test]
fn generated_meshes_survive_every_pair() {
    let formats = volume_formats().len();
    assert!(formats >= 12, "{formats}");
    assert_eq!(all_pairs(&seeds::solid(), "solid"), formats * formats);
    assert_eq!(all_pairs(&seeds::plain(), "plain"), formats * formats);
    assert_eq!(
        all_pairs(&seeds::plane(), "plane"),
        (formats - 1) * (formats - 1)
    );
}

#[test]
fn real_meshes_survive_every_pair() {
    let Some(folder) = real::folder() else { return };
    for file in [
        "general/asianDragon.veg",
        "general/msh-variants/two_material_41_binary.msh",
        "conjac/muscle2d.msh",
        "general/arma_5.ele",
        "early-cg/bowling_pin_97.vtk",
    ] {
        let (mesh, _) = read_file(&folder.join(file)).unwrap();
        all_pairs(&mesh, file);
    }
}

#[test]
fn node_ids_are_kept_where_the_format_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = seeds::solid();
    for format in [
        Format::Gmsh41,
        Format::Gmsh41Binary,
        Format::Gmsh22,
        Format::Gmsh22Binary,
        Format::Abaqus,
    ] {
        let again = through(&mesh, format, folder.path());
        assert_eq!(again.node_ids, mesh.node_ids, "{}", format.title());
    }
}

#[test]
fn surfaces_survive() {
    let folder = tempfile::tempdir().unwrap();
    let plane = seeds::plane();
    for format in [Format::Obj, Format::Ply, Format::Off] {
        let again = through(&plane, format, folder.path());
        assert_eq!(bits(&again), bits(&plane));
        assert_eq!(again.triangles.nodes, plane.triangles.nodes);
    }
    assert_eq!(
        names(&through(&plane, Format::Obj, folder.path()).triangles),
        names(&plane.triangles)
    );
    // a solid leaves its boundary: the 12 triangles of a cube
    for format in [Format::Obj, Format::Stl, Format::Ply, Format::Off] {
        let skin = through(&seeds::plain(), format, folder.path());
        assert_eq!(
            (skin.triangles.len(), skin.positions.len()),
            (12, 8),
            "{}",
            format.title()
        );
    }
}

#[test]
fn content_tells_the_format_then_the_extension() {
    for format in Format::writable().filter(|&f| f != Format::TetGen) {
        let bytes = seeds::written(&seeds::solid(), format);
        let family = format.title().split([' ', ',']).next();
        // OBJ and binary STL begin like nothing in particular
        let name = match format {
            Format::Obj => "a.OBJ",
            Format::Stl => "b.Stl",
            _ => "no extension, or a wrong one.txt",
        };
        let found = read_bytes(&bytes, name).unwrap().1;
        assert_eq!(
            found.title().split([' ', ',']).next(),
            family,
            "{}",
            format.title()
        );
    }
    let unknown = read_bytes(b"hello", "a.txt").unwrap_err();
    assert!(
        unknown
            .message
            .contains("neither the content nor the extension")
    );
    assert!(unknown.help.is_some_and(|h| h.contains("veg")));
    assert!(
        read_bytes(b"", "a.msh")
            .unwrap_err()
            .message
            .contains("empty")
    );
}

#[test]
fn one_stream_is_not_enough_for_three_files() {
    let error = Format::TetGen
        .write(&seeds::solid(), &mut Vec::new())
        .unwrap_err();
    assert!(error.to_string().contains("write to a path"), "{error}");
    let plane = Format::Vega
        .write(&seeds::plane(), &mut Vec::new())
        .unwrap_err();
    assert!(
        plane
            .to_string()
            .contains("cannot hold meshes without tetrahedra"),
        "{plane}"
    );
    let read_only = Format::Tobj
        .write(&seeds::solid(), &mut Vec::new())
        .unwrap_err();
    assert!(
        read_only.to_string().contains("read but not written"),
        "{read_only}"
    );
}
