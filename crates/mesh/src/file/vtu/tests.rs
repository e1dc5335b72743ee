//! Every way of wrapping numbers, written by hand, by our writer, and by other programs where the shared folder exists.

use super::*;
use crate::generate::{Split, bar};
use crate::region::Layers;

fn text(bytes: &[u8]) -> Result<RawMesh, ReadError> {
    read(&Input::from_bytes(bytes, "test.vtu"))
}

fn layered() -> RawMesh {
    let mut mesh = bar(vec3(0.1, 0.2, 0.3), [3, 4, 5], Split::Six).unwrap();
    mesh.assign_layers(2, Layers::Count(5), &["hard shell", "weich – süß"])
        .unwrap();
    let mut raw = RawMesh::from(mesh);
    raw.triangles.nodes = vec![[0, 1, 2], [3, 4, 5]];
    raw.triangles.regions = vec![1, 0];
    raw.triangles.region_names = vec!["top".to_string(), "skin".to_string()];
    raw
}

#[test]
fn every_encoding_comes_back() {
    let mesh = layered();
    for encoding in [Encoding::Ascii, Encoding::Base64, Encoding::Appended] {
        for compress in [false, true] {
            let mut bytes = Vec::new();
            write(&mesh, encoding, compress, &mut bytes).unwrap();
            assert!(begins(&bytes));
            let again = text(&bytes).unwrap();
            assert_eq!(again.positions, mesh.positions);
            assert_eq!(again.tetrahedra.regions, mesh.tetrahedra.regions);
            assert_eq!(again.tetrahedra.nodes, mesh.tetrahedra.nodes);
            assert_eq!(again.tetrahedra.region_names, mesh.tetrahedra.region_names);
            assert_eq!(again.triangles.nodes, mesh.triangles.nodes);
            assert_eq!(again.triangles.regions, mesh.triangles.regions);
            assert_eq!(again.triangles.region_names, mesh.triangles.region_names);
        }
    }
}

#[test]
fn large_arrays_cross_pieces_and_blocks() {
    let mesh = RawMesh::from(bar(vec3(1.0, 1.0, 1.0), [40, 20, 20], Split::Six).unwrap());
    for (encoding, compress) in [
        (Encoding::Base64, false),
        (Encoding::Base64, true),
        (Encoding::Appended, false),
        (Encoding::Appended, true),
    ] {
        let mut bytes = Vec::new();
        write(&mesh, encoding, compress, &mut bytes).unwrap();
        let again = text(&bytes).unwrap();
        assert!(
            again.positions == mesh.positions && again.tetrahedra.nodes == mesh.tetrahedra.nodes
        );
    }
}

/// A tetrahedron and a triangle in two pieces, with odd spacing.
const SMALL: &str = r#"<?xml version="1.0"?><!-- <Piece> -->
<VTKFile type='UnstructuredGrid' version="0.1"><UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="1"><Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">
0 0 0 1 0 0 0 1e0 0 0 0 1.0d0</DataArray></Points>
<Cells><DataArray type="Int64" Name="types" format="ascii">10</DataArray>
<DataArray type="Int32" Name="connectivity" format="ascii"> 0 1
2 3</DataArray><DataArray type="Int32" Name="offsets" format="ascii">4 </DataArray></Cells>
<CellData><DataArray type="Float64" Name="Material" format="ascii">3.0</DataArray></CellData></Piece>
<Piece NumberOfPoints="3" NumberOfCells="2"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">
0 0 5 1 0 5 0 1 5</DataArray></Points>
<Cells><DataArray type="UInt8" Name="types" format="ascii">5 3</DataArray>
<DataArray type="Int32" Name="connectivity" format="ascii">0 1 2 0 1</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3 5</DataArray></Cells></Piece>
</UnstructuredGrid></VTKFile>"#;

#[test]
fn pieces_are_put_together() {
    let mesh = text(SMALL.as_bytes()).unwrap();
    assert_eq!(mesh.positions.len(), 7);
    assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3]]);
    assert_eq!(mesh.tetrahedra.region_names, ["3"]);
    assert_eq!(mesh.triangles.nodes, [[4, 5, 6]]);
    assert_eq!(mesh.skipped[&crate::file::ElementKind::Line].count, 1);
}

#[test]
fn fractions_are_no_regions() {
    let text = SMALL.replace("ascii\">3.0<", "ascii\">0.3<");
    assert_ne!(text, SMALL);
    let mesh = read(&Input::from_bytes(text.as_bytes(), "t.vtu")).unwrap();
    let plain = read(&Input::from_bytes(SMALL.as_bytes(), "t.vtu")).unwrap();
    assert_eq!(plain.tetrahedra.region_names, ["3"]);
    assert_eq!(mesh.tetrahedra.region_names, ["default"]);
    assert_eq!(mesh.tetrahedra.nodes, plain.tetrahedra.nodes);
}

#[test]
fn errors_say_what_to_do() {
    for (from, to, wanted) in [
        (
            "NumberOfCells=\"1\"",
            "NumberOfCells=\"2\"",
            "the array has 1 entries, but NumberOfCells is 2",
        ),
        (
            "NumberOfPoints=\"4\"",
            "NumberOfPoints=\"5\"",
            "the array has 4 entries, but NumberOfPoints is 5",
        ),
        (
            "NumberOfPoints=\"4\"",
            "NumberOfPoints=\"many\"",
            "expected a number for NumberOfPoints",
        ),
        ("0 0 0 1 0 0 0", "0 0 0 1 zero 0 0", "found \"zero\""),
        (
            "0 0 0 1 0 0 0",
            "0 0 0 1 inf 0 0",
            "point 1 has a coordinate that is not a finite number",
        ),
        (
            "2 3</DataArray>",
            "2 4</DataArray>",
            "uses a node that does not exist",
        ),
        (
            "2 3</DataArray>",
            "2</DataArray>",
            "position 4 of the connectivity",
        ),
        (">10<", ">1000<", "the type of cell 0 is not known"),
        (
            "'UnstructuredGrid'",
            "'PolyData'",
            "this is a PolyData file",
        ),
        (
            "version=\"0.1\"",
            "compressor=\"vtkLZ4DataCompressor\"",
            "vtkLZ4DataCompressor is not read",
        ),
        (
            "format=\"ascii\">10",
            "format=\"appended\" offset=\"0\">10",
            "no appended data",
        ),
        (
            "format=\"ascii\">10",
            "format=\"binary\">10",
            "base64 text is damaged",
        ),
        ("Name=\"types\"", "Name=\"kinds\"", "no types array"),
        ("</UnstructuredGrid>", "", "ends before </UnstructuredGrid>"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = text(SMALL.replacen(from, to, 1).as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.contains(wanted), "{to}: {error}");
    }
}

#[test]
fn base64_may_be_broken_into_lines() {
    let mesh = layered();
    for compress in [false, true] {
        let mut bytes = Vec::new();
        write(&mesh, Encoding::Base64, compress, &mut bytes).unwrap();
        let mut broken = String::new();
        for line in String::from_utf8(bytes).unwrap().lines() {
            if line.starts_with('<') || line.len() < 200 {
                broken.push_str(line);
            } else {
                for piece in line.as_bytes().chunks(76) {
                    broken.push_str(std::str::from_utf8(piece).unwrap());
                    broken.push('\n');
                }
            }
            broken.push('\n');
        }
        let again = text(broken.as_bytes()).unwrap();
        assert_eq!(again.tetrahedra.nodes, mesh.tetrahedra.nodes);
        assert_eq!(again.positions, mesh.positions);
    }
}

#[test]
fn damaged_blocks_are_noticed() {
    let mut bytes = Vec::new();
    write(&layered(), Encoding::Appended, true, &mut bytes).unwrap();
    let start = memchr::memmem::find(&bytes, b"\n_").unwrap();
    // the checksum of zlib catches what still inflates
    let mut refused = 0;
    for at in (start + 60..bytes.len() - 40).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        match text(&changed) {
            Err(_) => refused += 1,
            Ok(mesh) => assert_eq!(
                mesh.tetrahedra.nodes.len(),
                layered().tetrahedra.nodes.len()
            ),
        }
    }
    assert!(refused > 100, "{refused}");
}
