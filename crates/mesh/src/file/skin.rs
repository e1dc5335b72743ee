//! What surface formats hold: polygons become triangles, and solids are written as their boundary.

use super::raw::{Cells, RawMesh};
use super::runs::Runs;
use super::write::WriteError;
use crate::adjacency::TETRAHEDRON_FACES;
use std::borrow::Cow;

/// Appends a polygon as a fan around its first corner: n corners make n − 2 triangles.
pub fn push_polygon(cells: &mut Cells<3>, corners: &[u32], line: usize) {
    for pair in corners.windows(2).skip(1) {
        cells.push([corners[0], pair[0], pair[1]], cells.len() as u64 + 1, line);
    }
}

/// The boundary of the tetrahedra of a mesh; its triangles where it has none. Triangles beside tetrahedra mark some faces
/// of a solid, and are no surface of their own.
pub fn triangles<'a>(
    mesh: &'a RawMesh,
    format: &'static str,
) -> Result<Cow<'a, Cells<3>>, WriteError> {
    match (mesh.triangles.is_empty(), mesh.tetrahedra.is_empty()) {
        (_, false) => Ok(Cow::Owned(boundary(mesh))),
        (false, true) => Ok(Cow::Borrowed(&mesh.triangles)),
        (true, true) => Err(WriteError::CannotHold {
            format,
            what: "meshes without triangles or tetrahedra",
            instead: "there is nothing to write",
        }),
    }
}

/// Faces that exactly one tetrahedron has, outward, in the order of the tetrahedra; regions are those of the
/// tetrahedra.
fn boundary(mesh: &RawMesh) -> Cells<3> {
    let solid = &mesh.tetrahedra;
    let mut uses = Vec::with_capacity(4 * solid.len());
    for (e, nodes) in solid.nodes.iter().enumerate() {
        for (local, face) in TETRAHEDRON_FACES.iter().enumerate() {
            let mut key = face.map(|i| nodes[i]);
            key.sort_unstable();
            uses.push((key, e, local));
        }
    }
    uses.sort_unstable();
    let groups = uses.chunk_by(|a, b| a.0 == b.0);
    let mut single: Vec<(usize, usize)> = groups
        .filter(|g| g.len() == 1)
        .map(|g| (g[0].1, g[0].2))
        .collect();
    single.sort_unstable();
    let mut cells = Cells::default();
    for (e, local) in single {
        let nodes = solid.nodes[e];
        let [a, b, c] = TETRAHEDRON_FACES[local].map(|i| nodes[i]);
        let [p, q, r, s] = nodes.map(|n| mesh.positions[n as usize]);
        let is_inverted = (q - p).dot((r - p).cross(s - p)) < 0.0;
        cells
            .nodes
            .push(if is_inverted { [a, c, b] } else { [a, b, c] });
        cells.regions.push(solid.regions[e]);
    }
    cells.region_names = solid.region_names.clone();
    cells.ids = Runs::counting(1, cells.nodes.len());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use crate::surface::Surface;
    use pliant_linalg::vec3;

    #[test]
    fn boundary_is_that_of_the_solid() {
        let solid = bar(vec3(1.0, 2.0, 3.0), [2, 1, 3], Split::Five).unwrap();
        let wanted = Surface::of(&solid).triangles;
        let mut mesh = RawMesh::from(solid);
        assert_eq!(triangles(&mesh, "t").unwrap().nodes, wanted);
        // turned inside out, the boundary still faces outward
        mesh.tetrahedra.nodes.iter_mut().for_each(|n| n.swap(0, 1));
        let volume = |list: &[[u32; 3]]| -> f64 {
            let at = |n: u32| mesh.positions[n as usize];
            list.iter()
                .map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6.0)
                .sum()
        };
        let turned = volume(&triangles(&mesh, "t").unwrap().nodes);
        assert!((turned - 6.0).abs() < 1e-12, "{turned}");
        assert!(triangles(&RawMesh::new("t"), "t").is_err());
    }

    #[test]
    fn polygons_become_fans() {
        let mut cells = Cells::default();
        push_polygon(&mut cells, &[5, 6, 7, 8, 9], 3);
        assert_eq!(cells.nodes, [[5, 6, 7], [5, 7, 8], [5, 8, 9]]);
        assert_eq!(cells.ids, Runs::counting(1, 3));
    }
}
