//! What every target does with its bytes: reads them, and looks at what was accepted.

pub mod files;

use pliant_mesh::file::{Cells, Format, Input, RawMesh, tetgen};

/// Reads `bytes` as a file of that format. For TetGen, zero bytes part the three files.
pub fn attempt(format: Format, bytes: &[u8]) {
    let read = if format == Format::TetGen {
        let mut parts = bytes.splitn(3, |&b| b == 0);
        let mut input = || Input::from_bytes(parts.next().unwrap_or_default(), "fuzz");
        let (node, ele, face) = (input(), input(), input());
        tetgen::read_parts(Some(&node), Some(&ele), Some(&face))
    } else {
        format.read(&Input::from_bytes(bytes, "fuzz"))
    };
    match read {
        Ok(mesh) => check(mesh),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check(mesh: RawMesh) {
    assert!(mesh.positions.iter().all(|p| p.is_finite()));
    assert_eq!(mesh.node_ids.len(), mesh.positions.len());
    check_cells(&mesh.tetrahedra, mesh.positions.len());
    check_cells(&mesh.triangles, mesh.positions.len());
    let _ = mesh.into_mesh();
}

fn check_cells<const N: usize>(cells: &Cells<N>, node_count: usize) {
    assert_eq!(cells.regions.len(), cells.len());
    assert_eq!(cells.ids.len(), cells.len());
    assert!(cells.nodes.iter().flatten().all(|&n| (n as usize) < node_count));
    assert!(cells.regions.iter().all(|&r| (r as usize) < cells.region_names.len()));
}
