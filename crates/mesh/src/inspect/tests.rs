//! Meshes with one fault each, by hand, and all the bad ones of the shared folder where it exists.

use super::repair::RepairOptions;
use super::*;
use crate::file::{Format, read_file};
use crate::generate::{Split, TriangleSplit, bar, rectangle};
use pliant_linalg::vec3;
use std::path::{Path, PathBuf};

fn block() -> RawMesh {
    RawMesh::from(bar(vec3(0.1, 0.1, 0.1), [3, 3, 3], Split::Six).unwrap())
}

fn kinds(raw: &RawMesh) -> Vec<FindingKind> {
    check(raw, 1.0).findings.iter().map(|f| f.kind).collect()
}

fn mended(raw: &RawMesh) -> RawMesh {
    let repaired = repair(raw, RepairOptions::default());
    assert!(!repaired.done.is_empty());
    repaired.mesh
}

#[test]
fn a_good_mesh_has_no_findings() {
    assert_eq!(kinds(&block()), []);
    let plane = rectangle([1.0, 1.0], [4, 4], TriangleSplit::Crossed).unwrap();
    assert_eq!(kinds(&RawMesh::from(plane)), []);
    assert_eq!(
        repair(&block(), RepairOptions::default()).done,
        [] as [String; 0]
    );
}

#[test]
fn inspection_of_a_block() {
    let facts = Inspection::of(&block());
    assert_eq!(
        (facts.kind, facts.nodes, facts.tetrahedra),
        (Kind::Solid, 64, 162)
    );
    assert!((facts.volume - 1e-3).abs() < 1e-15 && (facts.area - 0.06).abs() < 1e-12);
    assert!((facts.min_angle().to_degrees() - 45.0).abs() < 1e-9);
    assert_eq!(
        (facts.boundary_facets, facts.pieces, facts.slivers()),
        (108, 1, 0)
    );
    let third = 0.1 / 3.0;
    assert!(
        (facts.edges.min - third).abs() < 1e-12
            && (facts.edges.max - third * 3f64.sqrt()).abs() < 1e-12
    );
}

#[test]
fn every_fault_is_found_and_mended() {
    let mut inverted = block();
    inverted.tetrahedra.nodes[7].swap(0, 1);
    assert_eq!(kinds(&inverted), [FindingKind::InvertedElements]);
    assert_eq!(check(&inverted, 1.0).findings[0].ids, [8]);
    assert_eq!(kinds(&mended(&inverted)), []);

    let mut repeated = block();
    repeated.tetrahedra.nodes[3][1] = repeated.tetrahedra.nodes[3][0];
    assert!(check(&repeated, 1.0).blocks());
    assert_eq!(
        check(&repeated, 1.0)
            .find(FindingKind::RepeatedNodes)
            .unwrap()
            .ids,
        [4]
    );
    assert_eq!(mended(&repeated).tetrahedra.len(), 161);

    let mut doubled = block();
    let nodes = doubled.tetrahedra.nodes[5];
    doubled
        .tetrahedra
        .push([nodes[1], nodes[2], nodes[0], nodes[3]], 900, 0);
    doubled.tetrahedra.regions.push(0);
    assert_eq!(
        check(&doubled, 1.0)
            .find(FindingKind::DuplicateElements)
            .unwrap()
            .ids,
        [900]
    );
    assert_eq!(kinds(&mended(&doubled)), []);

    let mut stray = block();
    stray.positions.push(vec3(0.05, 0.05, 0.2));
    stray.node_ids.push(777);
    assert_eq!(check(&stray, 1.0).findings[0].ids, [777]);
    assert_eq!(kinds(&mended(&stray)), []);

    // the first cell cut off: three faces of it are free now
    let mut cut = block();
    let copies: Vec<u32> = cut.tetrahedra.nodes[..6].as_flattened().to_vec();
    let first = cut.positions.len() as u32;
    for (i, &n) in copies.iter().enumerate() {
        cut.positions.push(cut.positions[n as usize]);
        cut.node_ids.push(1000 + i as u64);
        cut.tetrahedra.nodes[i / 4][i % 4] = first + i as u32;
    }
    let found = kinds(&cut);
    assert!(found.contains(&FindingKind::DuplicateNodes) && found.contains(&FindingKind::Pieces));
    assert_eq!(kinds(&mended(&cut)), []);

    let mut far = block();
    far.positions
        .iter_mut()
        .for_each(|p| *p += vec3(1e6, 0.0, 0.0));
    assert!(check(&far, 1.0).find(FindingKind::FarFromOrigin).is_some());
    assert!(
        check(&mended(&far), 1.0)
            .find(FindingKind::FarFromOrigin)
            .is_none()
    );

    // an inner node pressed flat
    let mut crushed = block();
    let inner = vec3(0.1, 0.1, 0.1) / 3.0;
    let n = crushed
        .positions
        .iter()
        .position(|p| (*p - inner).norm() < 1e-9)
        .unwrap();
    crushed.positions[n].x = 0.0;
    assert!(
        check(&crushed, 1.0)
            .find(FindingKind::FlatElements)
            .is_some()
    );
    assert_eq!(kinds(&mended(&crushed)), []);
}

#[test]
fn units_are_guessed() {
    let mut organ = block();
    organ.positions.iter_mut().for_each(|p| *p = *p * 1e4);
    let found = check(&organ, 1.0);
    let finding = found.find(FindingKind::ImplausibleUnits).unwrap();
    assert!(
        finding.message.contains("1.0000 km") && finding.help.contains("in mm it is 1.0000 m"),
        "{finding:?}"
    );
    assert!(check(&organ, 1e-3).findings.is_empty());
}

#[test]
fn surfaces_are_told_apart_and_turned() {
    let body = bar(vec3(0.1, 0.1, 0.1), [2, 2, 2], Split::Five).unwrap();
    let skin = crate::SurfaceMesh::of(&body).unwrap();
    let mut raw = RawMesh::new("skin");
    raw.node_ids = (0..skin.positions.len() as u64).collect();
    raw.positions = skin.positions.clone();
    for (t, nodes) in skin.triangles.iter().enumerate() {
        raw.triangles.push(*nodes, t as u64, 0);
    }
    raw.triangles.single_region();
    assert_eq!(kinds(&raw), [FindingKind::OnlyASurface]);
    let mut mixed = raw.clone();
    mixed.triangles.nodes[4].swap(0, 1);
    mixed.triangles.nodes[9].swap(0, 1);
    assert!(kinds(&mixed).contains(&FindingKind::InconsistentOrientation));
    assert_eq!(
        mended(&mixed)
            .triangles
            .nodes
            .iter()
            .map(|t| rolled(*t))
            .collect::<Vec<_>>(),
        raw.triangles
            .nodes
            .iter()
            .map(|t| rolled(*t))
            .collect::<Vec<_>>()
    );
    let mut inside_out = raw.clone();
    inside_out
        .triangles
        .nodes
        .iter_mut()
        .for_each(|t| t.swap(0, 1));
    assert!(kinds(&inside_out).contains(&FindingKind::InsideOut));
    assert_eq!(kinds(&mended(&inside_out)), [FindingKind::OnlyASurface]);
    let mut open = raw.clone();
    open.triangles.nodes.pop();
    open.triangles.regions.pop();
    assert_eq!(
        check(&open, 1.0)
            .find(FindingKind::OpenSurface)
            .unwrap()
            .count,
        3
    );
}

/// The same triangle beginning with its smallest node.
fn rolled([a, b, c]: [u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        m if m == a => [a, b, c],
        m if m == b => [b, c, a],
        _ => [c, a, b],
    }
}

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

/// The shared README says that this one overlaps itself, but no edge of its boundary cuts a triangle, and no node or
/// centroid lies in a foreign tetrahedron.
#[test]
fn the_double_loop_only_looks_overlapping() {
    let Some(folder) = shared() else {
        println!("no shared meshes here");
        return;
    };
    let (raw, _) = read_file(&folder.join("nasty/doubleLoopWithCube.veg")).unwrap();
    assert_eq!(kinds(&raw), []);
}

#[test]
fn the_bad_meshes_are_diagnosed_and_mended() {
    let Some(folder) = shared() else {
        println!("no shared meshes here");
        return;
    };
    use FindingKind::*;
    for (file, wanted, blocks_after) in [
        ("6_tetra_bad.msh", InvertedElements, false),
        ("bunny_slivers.mesh", Slivers, false),
        ("microstructure_P1_inverted.msh", InvertedElements, false),
        ("screw_slivers.msh", Slivers, false),
        ("hybrid_block.msh", UnsupportedElements, true),
        ("box_all_negative.vtk", InvertedElements, false),
        ("unstructured.vtk", UnsupportedElements, true),
        ("two_tets_vertex_face_kiss.tobj", SelfIntersections, false),
        ("nm_closed_cubes.off", DuplicateNodes, true),
        ("non_manifold_vertex.off", OpenSurface, true),
        ("fused_vertices.off", FlatElements, true),
        ("degenerated.obj", NonManifoldEdges, true),
        ("cube_with_fold.ply", SelfIntersections, true),
        ("two-boxes-bad-self-union.ply", OpenSurface, true),
        (
            "syn_bar_unwelded_duplicate_nodes.msh",
            DuplicateNodes,
            false,
        ),
        ("syn_bar_degenerate_elements.msh", DuplicateElements, false),
        ("syn_bar_mixed_orientation.msh", InvertedElements, false),
        ("syn_cubes_share_edge.msh", Hinges, false),
        ("syn_cubes_share_vertex.msh", Hinges, false),
        ("syn_three_pieces_unreferenced.vtk", Pieces, false),
        ("syn_delaunay_slivers.msh", FlatElements, false),
        ("syn_bar_far_from_origin.msh", FarFromOrigin, false),
    ] {
        let (raw, _) = read_file(&folder.join("nasty").join(file)).unwrap();
        let found = check(&raw, 1.0);
        assert!(found.find(wanted).is_some(), "{file}: {:?}", kinds(&raw));
        let after = repair(&raw, RepairOptions::default());
        let left = check(&after.mesh, 1.0);
        assert_eq!(
            left.blocks(),
            blocks_after,
            "{file}: {:?} {left:?}",
            after.done
        );
        if !blocks_after {
            // what is said to be simulated is accepted, also after a trip through a file
            let mut bytes = Vec::new();
            Format::Gmsh41.write(&after.mesh, &mut bytes).unwrap();
            let (again, _) = crate::file::read_bytes(&bytes, "again.msh").unwrap();
            again.into_mesh().unwrap_or_else(|e| panic!("{file}: {e}"));
        }
    }
}

/// A node that was dragged out of its neighbours folds the mesh, which no order of nodes can mend.
#[test]
fn folds_are_not_taken_for_numbering() {
    let mut numbered = block();
    for e in [7, 8, 40] {
        numbered.tetrahedra.nodes[e].swap(2, 3);
    }
    assert_eq!(kinds(&numbered), [FindingKind::InvertedElements]);

    let mut solid = block();
    let inner = vec3(0.1, 0.1, 0.1) / 3.0;
    let near = |p: &Vec3| (*p - inner).norm() < 1e-9;
    let node = solid.positions.iter().position(near).unwrap();
    solid.positions[node].x += 0.045;
    let found = check(&solid, 1.0);
    let finding = found.find(FindingKind::FoldedElements).unwrap();
    assert_eq!(finding.severity, Severity::Warns);
    assert!(finding.count > 2 && finding.ids.len() > 2);
    // numbered anew, as a reader does, the fold is still there
    for e in 0..solid.tetrahedra.nodes.len() {
        if state(&unchecked(&solid).0, e) == State::Inverted {
            solid.tetrahedra.nodes[e].swap(0, 1);
        }
    }
    let found = check(&solid, 1.0);
    assert_eq!(found.find(FindingKind::InvertedElements), None);
    assert!(found.find(FindingKind::FoldedElements).is_some());

    let mut plane = RawMesh::from(rectangle([1.0, 1.0], [4, 4], TriangleSplit::Crossed).unwrap());
    let near = |p: &Vec3| (*p - vec3(0.5, 0.5, 0.0)).norm() < 1e-9;
    let node = plane.positions.iter().position(near).unwrap();
    plane.positions[node].x += 0.3;
    assert!(
        check(&plane, 1.0)
            .find(FindingKind::FoldedElements)
            .is_some()
    );
}
