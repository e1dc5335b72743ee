//! The plane rectangle of triangles.

use super::{GenerateError, at_least, check_size, finish, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::vec3;

/// How a rectangular cell is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TriangleSplit {
    /// Two triangles, every diagonal in the same direction.
    Parallel,
    /// Two triangles, the diagonal changing direction from cell to cell.
    #[default]
    Alternating,
    /// Four triangles around an additional node in the middle of the cell.
    Crossed,
}

impl TriangleSplit {
    /// Triangles a cell.
    pub fn triangles_per_cell(self) -> usize {
        if self == TriangleSplit::Crossed { 4 } else { 2 }
    }
}

/// A rectangle in the plane z = 0 with one corner at the origin and the opposite one at `size` (m).
///
/// Nodes: (nx+1)(ny+1), x fastest; [`TriangleSplit::Crossed`] appends nx·ny cell centres.
/// Triangles: 2·nx·ny, or 4·nx·ny when crossed. Area exact.
pub fn rectangle(
    size: [f64; 2],
    cells: [usize; 2],
    split: TriangleSplit,
) -> Result<Mesh, GenerateError> {
    positive("size x", size[0])?;
    positive("size y", size[1])?;
    at_least("cells along x", 1, cells[0])?;
    at_least("cells along y", 1, cells[1])?;
    check_size(&[cells[0], cells[1], split.triangles_per_cell()])?;
    let [nx, ny] = cells;
    let point = |i: f64, j: f64| vec3(size[0] * (i / nx as f64), size[1] * (j / ny as f64), 0.0);
    let mut positions = Vec::with_capacity((nx + 1) * (ny + 1) + nx * ny);
    for j in 0..=ny {
        positions.extend((0..=nx).map(|i| point(i as f64, j as f64)));
    }
    let mut list = Vec::with_capacity(nx * ny * split.triangles_per_cell());
    for j in 0..ny {
        for i in 0..nx {
            let a = (i + (nx + 1) * j) as u32;
            let (b, d) = (a + 1, a + nx as u32 + 1);
            let c = d + 1;
            match split {
                TriangleSplit::Crossed => {
                    let m = positions.len() as u32;
                    positions.push(point(i as f64 + 0.5, j as f64 + 0.5));
                    list.extend([[a, b, m], [b, c, m], [c, d, m], [d, a, m]]);
                }
                TriangleSplit::Alternating if (i + j) % 2 == 1 => {
                    list.extend([[a, b, d], [b, c, d]]);
                }
                _ => list.extend([[a, b, c], [a, c, d]]),
            }
        }
    }
    finish(positions, Elements::Triangles(list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;
    use TriangleSplit::*;

    #[test]
    fn counts_and_area_are_exact() {
        for (split, nodes, triangles) in
            [(Parallel, 20, 24), (Alternating, 20, 24), (Crossed, 32, 48)]
        {
            let mesh = rectangle([2.0, 0.5], [4, 3], split).unwrap();
            assert_eq!(
                (mesh.node_count(), mesh.element_count()),
                (nodes, triangles)
            );
            assert!((mesh.total_volume() - 1.0).abs() < 1e-14);
            let outline = Surface::of(&mesh);
            assert_eq!(outline.edges.len(), 14);
            assert!(outline.is_closed_manifold());
        }
        assert!(rectangle([1.0, 1.0], [0, 1], Crossed).is_err());
        assert!(rectangle([1.0, 1.0], [usize::MAX, 2], Crossed).is_err());
    }
}
