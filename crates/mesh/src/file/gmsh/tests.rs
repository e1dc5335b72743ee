//! Round trips, hand-written files, real files where the shared folder exists, and corrupted input.

use super::*;
use crate::components::Components;
use crate::error::MeshNotices;
use crate::file::raw::RawMesh;
use crate::generate::{Split, TriangleSplit, bar, rectangle};
use crate::mesh::{Elements, Mesh};
use crate::quality::Quality;
use crate::region::Layers;
use crate::surface::Surface;
use pliant_linalg::vec3;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// Every encoding that is written.
const ENCODINGS: [(Version, bool); 4] = [
    (Version::V2_2, false),
    (Version::V2_2, true),
    (Version::V4_1, false),
    (Version::V4_1, true),
];

fn write(mesh: &Mesh, (version, binary): (Version, bool)) -> Vec<u8> {
    let mut bytes = Vec::new();
    super::write(&RawMesh::from(mesh.clone()), version, binary, &mut bytes).unwrap();
    bytes
}

fn read_gmsh(bytes: &[u8], name: &str) -> Result<(Mesh, MeshNotices), ReadError> {
    super::read(&Input::from_bytes(bytes, name))?.into_mesh()
}

fn read(text: &str) -> Result<(Mesh, MeshNotices), ReadError> {
    read_gmsh(text.as_bytes(), "test.msh")
}

/// What reading back a generated mesh gives: the same, with tags from 1.
fn with_tags(mut mesh: Mesh) -> Mesh {
    mesh.original_ids = (1..=mesh.node_count() as u32).collect();
    mesh
}

fn layered() -> Mesh {
    let mut mesh = bar(vec3(0.1, 0.2, 0.3), [2, 1, 3], Split::Six).unwrap();
    mesh.assign_layers(2, Layers::Count(3), &["hard shell", "soft"])
        .unwrap();
    mesh
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn reading_undoes_writing(
        cells in prop::array::uniform3(1usize..4),
        size in prop::array::uniform3(1e-9f64..1e9),
        offset in prop::array::uniform3(-1e3f64..1e3),
        layers in 1usize..5,
    ) {
        // a tiny box far away from the origin would be flat: scale the offset
        let least = size.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = size.iter().copied().fold(0.0, f64::max);
        prop_assume!(greatest < 1e4 * least);
        let offset = pliant_linalg::Vec3::from(offset) * (least * 1e-3);
        let mut solid = bar(size.into(), cells, Split::Five).unwrap().translated(offset);
        solid.assign_layers(0, Layers::Count(layers), &["a", "b", "c"]).unwrap();
        let mut plane =
            rectangle([size[0], size[1]], [cells[0], cells[1]], TriangleSplit::Crossed).unwrap();
        plane.assign_layers(0, Layers::Count(layers), &["a", "b"]).unwrap();
        for mesh in [solid, plane] {
            for version in ENCODINGS {
                let (again, notices) = read_gmsh(&write(&mesh, version), "again").unwrap();
                prop_assert!(notices.is_empty());
                prop_assert_eq!(&again, &with_tags(mesh.clone()));
                // once tags are there they are kept
                let third = read_gmsh(&write(&again, version), "third").unwrap().0;
                prop_assert_eq!(&third, &again);
            }
        }
    }
}

const SMALL_2: &str = "\u{feff}$Comments\nanything\n$EndComments\r\n$MeshFormat\r\n2.2 0 8\r
$EndMeshFormat\r\n$PhysicalNames\n2\n2 7 \"skin\"\n3 7 \"my  body\"\n$EndPhysicalNames\n$Nodes\n6
900 0 0 0\n20 1 0 0\n\n30 0 1e0 0\n44 0 0 1.\n5 1 1 1\n77 9 9 9\n$EndNodes
$Elements\n6\n1 15 2 0 1 900\n2 1 0 900 20\n3 2 2 7 1 900 20 30
10 4 3 7 1 0 900 20 30 44\n12 4 2 -7 1 20 30 44 5\n13 15 2 0 1 5\n$EndElements\n";

#[test]
fn tags_groups_and_leftovers() {
    let (mesh, notices) = read(SMALL_2).unwrap();
    assert_eq!(mesh.original_ids, [900, 20, 30, 44, 5]);
    assert_eq!(mesh.region_names, ["my  body"]);
    assert_eq!(mesh.nodes_of(0), [0, 1, 2, 3]);
    assert_eq!(notices.unreferenced_nodes, 1);
    assert_eq!(notices.reoriented, 0);
    let skipped = [("line", 1), ("point", 2), ("triangle", 1)];
    assert_eq!(notices.skipped, skipped.map(|(k, n)| (k.to_string(), n)));
    let chosen = crate::Selection::Ids(vec![5, 900]).resolve(&mesh);
    assert_eq!(chosen.unwrap(), [0, 4]);
}

#[test]
fn blocks_parametric_nodes_and_unnamed_groups() {
    let text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 0 1 5 0
1 0 0 0 1 1 1 2 3 9 1 1\n2 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n2 5 1 9\n2 1 1 3\n1\n2\n3\n0 0 0 0 0\n1 0 0 1 0
0 1 0 0 1\n3 1 0 2\n4\n9\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n3 3 1 3\n2 1 2 1\n1 1 2 3\n3 2 4 1\n2 1 2 3 4
3 1 4 1\n3 2 3 4 9\n$EndElements\n$NodeData\nwhatever\n$EndNodeData\n";
    let (mesh, notices) = read(text).unwrap();
    assert_eq!(mesh.original_ids, [1, 2, 3, 4, 9]);
    assert_eq!(mesh.region_names, ["default", "3"]);
    assert_eq!(mesh.regions, [0, 1]);
    assert_eq!(notices.skipped, [("triangle".to_string(), 1)]);
}

#[test]
fn first_version() {
    let text = "$NOD\n4\n2 0 0 0\n3 1 0 0\n4 0 1 0\n8 0 0 1\n$ENDNOD\n$ELM\n2\n1 2 1 1 3 2 3 4\n2 4 6 6 4 2 3 4 8\n$ENDELM";
    let (mesh, _) = read(text).unwrap();
    assert_eq!(mesh.region_names, ["6"]);
    assert_eq!(mesh.element_count(), 1);
}

#[test]
fn errors_say_where_and_what() {
    let message = |text: &str| read(text).unwrap_err().to_string();
    let change = |from: &str, to: &str| {
        assert!(SMALL_2.contains(from), "{from}");
        message(&SMALL_2.replacen(from, to, 1))
    };
    for (from, to, wanted) in [
        (
            "44 0 0 1.",
            "44 0 zero 1.",
            "line 18, $Nodes: expected a coordinate, found \"zero\"",
        ),
        (
            "44 0 0 1.",
            "44 0 nan 1.",
            "expected a finite coordinate, found \"nan\"",
        ),
        (
            "44 0 0 1.",
            "44 0 0",
            "expected node 4 of 6: tag x y z (4 values), found 3 values",
        ),
        (
            "44 0 0 1.",
            "99999999999 0 0 1",
            "expected a node tag, found \"99999999999\"",
        ),
        (
            "$Nodes\n6",
            "$Nodes\n7",
            "expected node 7 of 7: tag x y z, found \"$EndNodes\"",
        ),
        (
            "$Nodes\n6",
            "$Nodes\n5",
            "expected $EndNodes, found \"77 9 9 9\"",
        ),
        (
            "$Nodes\n6",
            "$Nodes\n-6",
            "expected the number of nodes, found \"-6\"",
        ),
        (
            "20 30 44 5\n",
            "20 30 44 6\n",
            "line 28: element 12 uses node 6, which the file does not define",
        ),
        (
            "20 30 44 5\n",
            "20 30 44\n",
            "expected the 4 nodes of a tetrahedron, found 3 values",
        ),
        (
            "20 30 44 5\n",
            "20 30 30 5\n",
            "line 28: element 12 lists node 30 twice",
        ),
        (
            "10 4 3 7",
            "10 4 99999999999999999999 7",
            "expected the number of element tags",
        ),
        (
            "10 4 3 7",
            "10 4 18446744073709551615 7",
            "expected the 4 nodes of a tetrahedron",
        ),
        (
            "10 4 3 7",
            "10 5 3 7",
            "hexahedron elements are not supported",
        ),
        ("10 4 3 7", "10 29 3 7", "higher-order tetrahedron"),
        (
            "10 4 3 7",
            "10 11 3 7",
            "expected the 10 nodes of a ten-node tetrahedron",
        ),
        ("10 4 3 7", "10 4711 3 7", "type 4711 elements"),
        ("900 0 0 0\n", "20 0 0 0\n", "defines node 20 twice"),
        (
            "2.2 0 8",
            "2.2 1 8",
            "expected the number 1 that tells the byte order",
        ),
        ("2.2 0 8", "2.2 1 4", "numbers of 4 bytes are not read"),
        ("2.2 0 8", "3 0 8", "MSH version 3 is not read"),
        (
            "2.2 0 8",
            "2.2",
            "expected version, file type and data size",
        ),
        ("$Comments", "Comments", "not a Gmsh file"),
        ("$EndElements\n", "", "the file is incomplete"),
        (
            "$EndElements\n",
            "$EndElements\nrubbish",
            "expected the start of a section",
        ),
        (
            "$EndElements\n",
            "$EndElements\n$Elements\n",
            "expected only one such section",
        ),
        (
            "3 7 \"my",
            "3 x \"my",
            "expected a physical group, found \"x\"",
        ),
    ] {
        let found = change(from, to);
        assert!(found.contains(wanted), "{to:?} gave {found}");
        assert!(found.starts_with("test.msh"), "{found}");
    }
    let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    assert!(message("").contains("$MeshFormat was expected"));
    assert!(message(head).contains("where a section $Nodes was expected"));
    let nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n";
    let file = |elements: &str| message(&format!("{head}{nodes}{elements}$EndElements\n"));
    assert!(file("0\n").contains("neither tetrahedra nor triangles"));
    assert!(file("1\n1 3 0 1 2 3 4\n").contains("quadrangle elements are not supported"));
    let surface = file("2\n1 2 0 1 2 3\n2 2 0 1 2 4\n");
    assert!(surface.contains("node 4 has z = 1"), "{surface}");
    assert!(surface.contains("fill it with tetrahedra"), "{surface}");
}

#[test]
fn huge_header_counts_cost_nothing() {
    for huge in ["10000000000", "18446744073709551615"] {
        for text in [
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{huge}\n1 0 0 0\n"),
            format!(
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Elements\n{huge}\n"
            ),
            format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{huge}\n"),
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{huge} {huge} 1 {huge}\n3 1 0 {huge}\n1\n"
            ),
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n{huge} {huge} {huge} {huge}\n"
            ),
            format!(
                "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Elements\n{huge} {huge} 1 1\n3 1 4 {huge}\n"
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.message.contains("the file is incomplete"), "{error}");
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    for version in ENCODINGS {
        let text = write(&layered(), version);
        for length in 0..text.len() - 1 {
            assert!(read_gmsh(&text[..length], "cut").is_err(), "{length}");
        }
    }
}

/// The folder of real meshes beside the checkout, where there is one.
fn shared() -> Option<PathBuf> {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/meshes"
    ));
    folder
        .join("manifest.json")
        .is_file()
        .then(|| folder.to_path_buf())
}

/// The entries of the manifest, each as its lines `"key": value`.
fn manifest(folder: &Path) -> Vec<Vec<(String, String)>> {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    let mut entries: Vec<Vec<(String, String)>> = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_end_matches(',');
        let Some((key, value)) = line.split_once(": ") else {
            continue;
        };
        let (key, value) = (key.trim_matches('"'), value.trim_matches('"'));
        if key == "file" {
            entries.push(Vec::new());
        }
        if let Some(entry) = entries.last_mut() {
            entry.push((key.to_string(), value.to_string()));
        }
    }
    entries
}

#[test]
fn real_files_match_the_manifest() {
    let Some(folder) = shared() else { return };
    let mut compared = 0;
    for entry in manifest(&folder) {
        let value = |key: &str| entry.iter().find(|e| e.0 == key).map_or("", |e| &e.1);
        let file = value("file");
        if !file.ends_with(".msh") || file.starts_with("nasty") {
            continue;
        }
        let text = std::fs::read(folder.join(file)).unwrap();
        let result = read_gmsh(&text, file);
        let (mesh, notices) = result.unwrap();
        let number = |key: &str| value(key).parse::<f64>().unwrap();
        let count = |key: &str| value(key).parse::<usize>().unwrap();
        if mesh.is_planar() {
            assert_eq!(
                (mesh.node_count(), mesh.element_count()),
                (262, 438),
                "{file}"
            );
            assert_eq!(Surface::of(&mesh).nodes.len(), 84);
            assert!((mesh.total_volume() - 0.00231).abs() < 1e-5);
            assert!(Quality::of(&mesh).min_angle.to_degrees() > 29.9);
            assert_eq!(mesh.region_names.len(), 2);
            continue;
        }
        compared += 1;
        assert_eq!(
            mesh.node_count() + notices.unreferenced_nodes,
            count("vertices"),
            "{file}"
        );
        assert_eq!(
            notices.unreferenced_nodes,
            count("unreferenced_nodes"),
            "{file}"
        );
        assert_eq!(mesh.element_count(), count("tets"), "{file}");
        assert_eq!(notices.reoriented, count("negative_tets"), "{file}");
        assert_eq!(Components::of(&mesh).count, count("components"), "{file}");
        assert_eq!(
            Surface::of(&mesh).facet_count(),
            count("boundary_triangles"),
            "{file}"
        );
        let volume = number("volume");
        assert!(
            (mesh.total_volume() - volume).abs() < 1e-9 * volume,
            "{file}"
        );
        let quality = Quality::of(&mesh);
        assert!(
            (quality.min_angle.to_degrees() - number("min_dihedral_deg")).abs() < 1e-3,
            "{file}"
        );
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn nasty_files_are_repaired_or_refused() {
    let Some(folder) = shared() else { return };
    let nasty = |file: &str| {
        let text = std::fs::read(folder.join("nasty").join(file)).unwrap();
        read_gmsh(&text, file)
    };
    for (file, wanted) in [
        (
            "malformed_cube_22_ascii_missing_element.msh",
            "expected element 24 of 24, found \"$EndElements\"",
        ),
        (
            "malformed_cube_22_ascii_missing_node.msh",
            "expected node 14 of 14",
        ),
        (
            "malformed_cube_22_ascii_missing_num_nodes.msh",
            "line 5, $Nodes: expected the number of nodes",
        ),
        (
            "malformed_cube_41_ascii_missing_element.msh",
            "expected element 24 of 24 in block 1",
        ),
        (
            "malformed_cube_41_ascii_missing_node_header.msh",
            "line 9, $Nodes: expected the header",
        ),
        ("hybrid_block.msh", "pyramid elements are not supported"),
        ("syn_bar_degenerate_elements.msh", "lists node"),
        ("syn_delaunay_slivers.msh", "has no volume"),
    ] {
        let error = nasty(file).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    for (file, nodes, reoriented, pieces) in [
        ("6_tetra_bad.msh", 17, 1, 1),
        ("microstructure_P1_inverted.msh", 1585, 8, 1),
        ("screw_slivers.msh", 1732, 0, 1),
        ("syn_bar_far_from_origin.msh", 144, 0, 1),
        ("syn_bar_mixed_orientation.msh", 144, 126, 1),
        ("syn_bar_unwelded_duplicate_nodes.msh", 350, 0, 2),
        ("syn_cubes_share_edge.msh", 51, 0, 1),
        ("syn_cubes_share_vertex.msh", 53, 0, 1),
        ("syn_sparse_node_tags.msh", 80, 0, 1),
    ] {
        let (mesh, notices) = nasty(file).unwrap();
        let found = (
            mesh.node_count(),
            notices.reoriented,
            Components::of(&mesh).count,
        );
        assert_eq!(found, (nodes, reoriented, pieces), "{file}");
        assert!(matches!(mesh.elements, Elements::Tetrahedra(_)));
    }
    // whatever else is there must not panic, Gmsh file or not
    for file in std::fs::read_dir(folder.join("nasty")).unwrap() {
        let path = file.unwrap().path();
        let _ = read_gmsh(&std::fs::read(&path).unwrap(), "nasty");
    }
}

#[test]
fn what_is_not_read_says_how_to_export_it() {
    for (section, advice) in [
        ("$PartitionedEntities", "Mesh > Unpartition"),
        ("$ParametricNodes", "Save parametric coordinates"),
    ] {
        let text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{section}\n");
        let error = read(&text).unwrap_err();
        assert!(format!("{error:?}").contains(advice), "{error:?}");
    }
}
