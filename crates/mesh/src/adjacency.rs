//! Who touches whom: node to elements, node to nodes, element to elements across faces.

use crate::mesh::{Elements, Mesh};

/// Marks a face without a neighbour in [`element_neighbours`].
pub const NO_NEIGHBOUR: u32 = u32::MAX;

/// Faces of a positive tetrahedron, outward; face i is opposite to node i.
pub const TETRAHEDRON_FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Edges of a tetrahedron.
pub const TETRAHEDRON_EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Edges of a counter-clockwise triangle with the inside on the left; edge i is opposite to node i.
pub const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Lists of indices, one for each row, in two flat arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr {
    /// Row r is `items[offsets[r]..offsets[r + 1]]`; one entry more than there are rows.
    pub offsets: Vec<u32>,
    /// The rows, one after the other.
    pub items: Vec<u32>,
}

impl Csr {
    /// Gathers (row, item) pairs by row, keeping their order within a row. Rows must be below `row_count`.
    pub fn from_pairs(row_count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Csr {
        let mut offsets = vec![0u32; row_count + 1];
        for (row, _) in pairs.clone() {
            offsets[row as usize + 1] += 1;
        }
        for r in 0..row_count {
            offsets[r + 1] += offsets[r];
        }
        let mut next = offsets.clone();
        let mut items = vec![0; offsets[row_count] as usize];
        for (row, item) in pairs {
            let slot = &mut next[row as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Csr { offsets, items }
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Row `r`.
    #[inline]
    pub fn row(&self, r: usize) -> &[u32] {
        &self.items[self.offsets[r] as usize..self.offsets[r + 1] as usize]
    }

    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.row_count()).map(|r| self.row(r))
    }
}

/// For each node the elements around it, ascending.
pub fn node_elements(mesh: &Mesh) -> Csr {
    let pairs = (0..mesh.element_count())
        .flat_map(|e| mesh.nodes_of(e).iter().map(move |&n| (n, e as u32)));
    Csr::from_pairs(mesh.node_count(), pairs)
}

/// For each node the nodes it shares an element with, ascending, itself excluded.
pub fn node_neighbours(mesh: &Mesh) -> Csr {
    let around = node_elements(mesh);
    let mut offsets = Vec::with_capacity(mesh.node_count() + 1);
    offsets.push(0);
    let mut items = Vec::new();
    let mut row = Vec::new();
    for (node, elements) in around.rows().enumerate() {
        row.clear();
        for &e in elements {
            let nodes = mesh.nodes_of(e as usize);
            row.extend(nodes.iter().copied().filter(|&n| n as usize != node));
        }
        row.sort_unstable();
        row.dedup();
        items.extend_from_slice(&row);
        offsets.push(items.len() as u32);
    }
    Csr { offsets, items }
}

/// The distinct edges as (smaller, larger) node, ascending.
pub fn edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let neighbours = node_neighbours(mesh);
    let mut list = Vec::with_capacity(neighbours.items.len() / 2);
    for (a, row) in neighbours.rows().enumerate() {
        let a = a as u32;
        list.extend(row.iter().filter(|&&b| b > a).map(|&b| [a, b]));
    }
    list
}

/// One element's use of a face (an edge in 2D).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FaceUse {
    /// Sorted nodes; the third is `u32::MAX` for an edge.
    pub key: [u32; 3],
    pub element: u32,
    /// The face is opposite to this local node.
    pub local: u8,
}

/// Every face use, sorted so that the uses of one face are next to each other.
pub(crate) fn face_uses(mesh: &Mesh) -> Vec<FaceUse> {
    // faces go to the bucket of their smallest node, a dozen or so in each, and are sorted there
    let mut ends = vec![0u32; mesh.node_count() + 1];
    for_each_face(mesh, |face| ends[face.key[0] as usize + 1] += 1);
    for n in 0..mesh.node_count() {
        ends[n + 1] += ends[n];
    }
    let nothing = FaceUse {
        key: [0; 3],
        element: 0,
        local: 0,
    };
    let mut uses = vec![nothing; ends[mesh.node_count()] as usize];
    let mut next = ends.clone();
    for_each_face(mesh, |face| {
        let slot = &mut next[face.key[0] as usize];
        uses[*slot as usize] = face;
        *slot += 1;
    });
    for bounds in ends.windows(2) {
        uses[bounds[0] as usize..bounds[1] as usize].sort_unstable();
    }
    uses
}

/// Visits the faces of all elements.
fn for_each_face(mesh: &Mesh, mut visit: impl FnMut(FaceUse)) {
    match &mesh.elements {
        Elements::Tetrahedra(list) => {
            for (e, nodes) in list.iter().enumerate() {
                for (local, face) in TETRAHEDRON_FACES.iter().enumerate() {
                    let mut key = face.map(|i| nodes[i]);
                    key.sort_unstable();
                    visit(FaceUse {
                        key,
                        element: e as u32,
                        local: local as u8,
                    });
                }
            }
        }
        Elements::Triangles(list) => {
            for (e, nodes) in list.iter().enumerate() {
                for (local, edge) in TRIANGLE_EDGES.iter().enumerate() {
                    let [a, b] = edge.map(|i| nodes[i]);
                    visit(FaceUse {
                        key: [a.min(b), a.max(b), u32::MAX],
                        element: e as u32,
                        local: local as u8,
                    });
                }
            }
        }
    }
}

/// For each element and local node i, the element across the face opposite to i, or [`NO_NEIGHBOUR`].
/// Triangles leave the fourth entry at [`NO_NEIGHBOUR`]. A face that three or more elements claim joins none.
pub fn element_neighbours(mesh: &Mesh) -> Vec<[u32; 4]> {
    let mut neighbours = vec![[NO_NEIGHBOUR; 4]; mesh.element_count()];
    for group in face_uses(mesh).chunk_by(|a, b| a.key == b.key) {
        if let [a, b] = group {
            neighbours[a.element as usize][a.local as usize] = b.element;
            neighbours[b.element as usize][b.local as usize] = a.element;
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::{Vec3, vec3};

    /// Two tetrahedra on a common face 1-2-3.
    fn pair() -> Mesh {
        let positions = vec![
            Vec3::ZERO,
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(0.0, 0.0, 1.0),
            vec3(1.0, 1.0, 1.0),
        ];
        let list = vec![[0, 1, 2, 3], [4, 1, 3, 2]];
        Mesh::single_region(positions, Elements::Tetrahedra(list))
            .unwrap()
            .0
    }

    #[test]
    fn csr_gathers_in_order() {
        let pairs = [(2, 7), (0, 1), (2, 5), (0, 3)];
        let csr = Csr::from_pairs(4, pairs.iter().copied());
        assert_eq!(csr.row_count(), 4);
        let rows: Vec<&[u32]> = csr.rows().collect();
        assert_eq!(rows, [&[1, 3][..], &[], &[7, 5], &[]]);
    }

    #[test]
    fn two_tetrahedra_by_hand() {
        let mesh = pair();
        assert_eq!(node_elements(&mesh).row(0), [0]);
        assert_eq!(node_elements(&mesh).row(2), [0, 1]);
        assert_eq!(node_neighbours(&mesh).row(1), [0, 2, 3, 4]);
        assert_eq!(node_neighbours(&mesh).row(4), [1, 2, 3]);
        assert_eq!(edges(&mesh).len(), 9);
        let n = NO_NEIGHBOUR;
        assert_eq!(element_neighbours(&mesh), [[1, n, n, n], [0, n, n, n]]);
    }

    #[test]
    fn face_tables_point_outward() {
        let mesh = pair();
        for e in 0..2 {
            let nodes = mesh.nodes_of(e);
            for (opposite, face) in TETRAHEDRON_FACES.iter().enumerate() {
                let [a, b, c] = face.map(|i| mesh.positions[nodes[i] as usize]);
                let inside = mesh.positions[nodes[opposite] as usize];
                assert!((b - a).cross(c - a).dot(inside - a) < 0.0);
            }
        }
    }

    #[test]
    fn a_face_of_three_elements_joins_none() {
        let mut mesh = pair();
        mesh.positions.push(vec3(2.0, 2.0, 2.0));
        let list = vec![[0, 1, 2, 3], [4, 1, 3, 2], [5, 1, 3, 2]];
        let mesh = Mesh::single_region(mesh.positions, Elements::Tetrahedra(list))
            .unwrap()
            .0;
        assert!(
            element_neighbours(&mesh)
                .iter()
                .all(|n| n[0] == NO_NEIGHBOUR)
        );
    }
}
