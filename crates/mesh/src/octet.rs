//! Ten-node tetrahedra as octets: eight tetrahedra on the same ten nodes, one at each corner and four inside.
//!
//! Whatever looks at a mesh sees linear tetrahedra: surfaces are four flat triangles for each face, contact, cuts of the picture and
//! recordings need not know more. Who computes with ten nodes finds them here. Nodes are the corners 0 to 3, then the middles of the
//! edges 01, 12, 02, 03, 13, 23, as in VTK and Abaqus.

use crate::error::MeshError;
use crate::mesh::{Elements, Mesh};
use pliant_linalg::Vec3;

/// Corners of the edges whose middles are nodes 4 to 9.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// The nodes of the eight parts: number c is at corner c, number 4 + c inside, on the face opposite to corner c. The inner four share
/// the edge from the middle of 02 to that of 13.
pub const PARTS: [[usize; 4]; 8] = [
    [0, 4, 6, 7],
    [4, 1, 5, 8],
    [6, 5, 2, 9],
    [7, 8, 9, 3],
    [6, 5, 9, 8],
    [6, 9, 7, 8],
    [6, 7, 4, 8],
    [6, 4, 5, 8],
];

/// The six nodes of the face opposite to each corner, outward: corners, then the middles of the edges between them in turn.
pub const FACES: [[usize; 6]; 4] = [
    [1, 2, 3, 5, 9, 8],
    [0, 3, 2, 7, 9, 6],
    [0, 1, 3, 4, 8, 7],
    [0, 2, 1, 6, 5, 4],
];

/// The four flat triangles of a six-node face.
pub const FACE_PARTS: [[usize; 3]; 4] = [[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]];

/// The corners so that the shortest of the three diagonals inside is the one between the middles of 02 and 13. Only even permutations.
fn ordered(corners: [u32; 4], positions: &[Vec3]) -> [u32; 4] {
    let [a, b, c, d] = corners.map(|n| positions[n as usize]);
    let length = |p: Vec3, q: Vec3, r: Vec3, s: Vec3| (p + q - r - s).norm_squared();
    // diagonals 02–13, 01–23, 03–12; the first of equal ones
    let lengths = [length(a, c, b, d), length(a, b, c, d), length(a, d, b, c)];
    let [p, q, r, s] = corners;
    let slack = 1.0 - 1e-9; // symmetric ones must not be told apart by rounding
    if lengths[1] < slack * lengths[0] && lengths[1] <= lengths[2] {
        [p, s, q, r]
    } else if lengths[2] < slack * lengths[0] {
        [p, r, s, q]
    } else {
        [p, q, r, s]
    }
}

impl Mesh {
    /// The mesh with a node in the middle of every edge, and each tetrahedron as an octet. Nodes that there were keep their numbers.
    /// Octets stay as they are; a plane mesh has none.
    pub fn with_octets(self) -> Result<Mesh, MeshError> {
        let Elements::Tetrahedra(list) = &self.elements else {
            let what = "a plane mesh has no ten-node tetrahedra".to_string();
            return Err(MeshError::BadTransform { what });
        };
        if self.octets {
            return Ok(self);
        }
        let corners: Vec<[u32; 4]> = list.iter().map(|&c| ordered(c, &self.positions)).collect();
        let edge = |c: &[u32; 4], [i, j]: [usize; 2]| [c[i].min(c[j]), c[i].max(c[j])];
        let of_element = |c: &[u32; 4]| EDGES.map(|e| edge(c, e));
        let mut edges: Vec<[u32; 2]> = corners.iter().flat_map(of_element).collect();
        edges.sort_unstable();
        edges.dedup();
        let first = self.positions.len();
        let count = 8 * corners.len();
        if count > crate::mesh::ELEMENT_LIMIT || first + edges.len() >= u32::MAX as usize {
            let limit = crate::mesh::ELEMENT_LIMIT;
            return Err(MeshError::TooManyElements { count, limit });
        }
        let at = |n: u32| self.positions[n as usize];
        let middles = edges.iter().map(|&[a, b]| (at(a) + at(b)) * 0.5);
        let positions = self.positions.iter().copied().chain(middles).collect();
        let ten = corners.iter().map(|c| {
            let middle = |e: [usize; 2]| {
                let place = edges.partition_point(|known| *known < edge(c, e));
                (first + place) as u32
            };
            let mut nodes = [0; 10];
            nodes[..4].copy_from_slice(c);
            for (node, e) in nodes[4..].iter_mut().zip(EDGES) {
                *node = middle(e);
            }
            nodes
        });
        let next = self.original_ids.iter().max().map_or(0, |id| id + 1);
        let mut original_ids = self.original_ids.clone();
        original_ids.extend((0..edges.len() as u32).map(|k| next + k));
        Ok(Mesh {
            elements: Elements::Tetrahedra(parts_of(ten)),
            positions,
            regions: self.regions.iter().flat_map(|&r| [r; 8]).collect(),
            original_ids,
            octets: true,
            region_names: self.region_names,
        })
    }

    /// The ten nodes of each octet; `None` where the elements are none.
    pub fn ten_nodes(&self) -> Option<Vec<[u32; 10]>> {
        let Elements::Tetrahedra(list) = &self.elements else {
            return None;
        };
        let (octets, rest) = list.as_chunks::<8>();
        let all = octets.iter().map(ten_nodes_of).collect::<Option<_>>();
        all.filter(|_| self.octets && rest.is_empty())
    }

    /// The tetrahedra between the corners of octets, with all nodes: what regions and directions are chosen by. Other meshes as they are.
    pub fn without_octets(&self) -> Mesh {
        match self.ten_nodes() {
            None => self.clone(),
            Some(ten) => Mesh {
                positions: self.positions.clone(),
                elements: Elements::Tetrahedra(
                    ten.iter().map(|n| [n[0], n[1], n[2], n[3]]).collect(),
                ),
                regions: self.regions.iter().step_by(8).copied().collect(),
                region_names: self.region_names.clone(),
                original_ids: self.original_ids.clone(),
                octets: false,
            },
        }
    }

    /// The outward six-node faces of the boundary of octets, by ascending element; none of other meshes.
    pub fn six_node_faces(&self) -> Vec<[u32; 6]> {
        let Some(ten) = self.ten_nodes() else {
            return Vec::new();
        };
        let mut faces: Vec<([u32; 3], [u32; 6])> = Vec::with_capacity(4 * ten.len());
        for nodes in &ten {
            for face in FACES.map(|face| face.map(|i| nodes[i])) {
                let mut key = [face[0], face[1], face[2]];
                key.sort_unstable();
                faces.push((key, face));
            }
        }
        faces.sort(); // equal keys are one face from both sides
        let single = faces
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.len() == 1);
        single.map(|group| group[0].1).collect()
    }
}

/// The parts of ten-node tetrahedra, octet after octet.
pub fn parts_of(ten: impl Iterator<Item = [u32; 10]>) -> Vec<[u32; 4]> {
    ten.flat_map(|nodes| PARTS.map(|part| part.map(|i| nodes[i])))
        .collect()
}

/// The ten nodes of eight tetrahedra that are such parts.
pub(crate) fn ten_nodes_of(parts: &[[u32; 4]; 8]) -> Option<[u32; 10]> {
    let mut nodes = [0; 10];
    for (part, place) in parts.iter().zip(PARTS) {
        for (&node, place) in part.iter().zip(place) {
            nodes[place] = node;
        }
    }
    (PARTS.map(|part| part.map(|i| nodes[i])) == *parts).then_some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::surface::Surface;
    use pliant_linalg::vec3;

    fn bar() -> Mesh {
        generate::bar(vec3(0.4, 0.3, 0.2), [3, 2, 2], generate::Split::Six).unwrap()
    }

    #[test]
    fn octets_fill_their_tetrahedra() {
        let coarse = bar();
        let fine = coarse.clone().with_octets().unwrap();
        assert_eq!(fine.element_count(), 8 * coarse.element_count());
        for e in 0..coarse.element_count() {
            for part in 8 * e..8 * e + 8 {
                let share = fine.volume(part) / coarse.volume(e);
                assert!((share - 0.125).abs() < 1e-12, "{share}");
            }
        }
        let (checked, notices) =
            Mesh::single_region(fine.positions.clone(), fine.elements.clone()).unwrap();
        assert_eq!(notices.reoriented + notices.unreferenced_nodes, 0);
        let surface = Surface::of(&fine);
        assert!(surface.is_closed_manifold());
        assert_eq!(surface, Surface::of(&checked));
        assert_eq!(
            surface.triangles.len(),
            4 * Surface::of(&coarse).triangles.len()
        );
        let ten = fine.ten_nodes().unwrap();
        for nodes in &ten {
            let x = nodes.map(|n| fine.positions[n as usize]);
            for (k, [a, b]) in EDGES.into_iter().enumerate() {
                assert!((x[4 + k] - (x[a] + x[b]) * 0.5).norm() < 1e-15);
            }
        }
        assert_eq!(fine.without_octets().elements.element_count(), ten.len());
    }

    #[test]
    fn six_node_faces_are_four_triangles_of_the_surface() {
        let fine = bar().with_octets().unwrap();
        let faces = fine.six_node_faces();
        let of_face = |face: &[u32; 6]| FACE_PARTS.map(|part| part.map(|i| face[i]));
        let turned = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
        let mut parts: Vec<_> = faces.iter().flat_map(of_face).map(turned).collect();
        let mut surface: Vec<_> = Surface::of(&fine)
            .triangles
            .into_iter()
            .map(turned)
            .collect();
        parts.sort_unstable();
        surface.sort_unstable();
        assert_eq!(parts, surface);
    }

    #[test]
    fn the_shortest_diagonal_is_taken() {
        // a tetrahedron stretched so that each pair of opposite edges in turn is nearest
        for axis in 0..3 {
            let mut x = [
                vec3(1.0, 1.0, 1.0),
                vec3(1.0, -1.0, -1.0),
                vec3(-1.0, 1.0, -1.0),
                vec3(-1.0, -1.0, 1.0),
            ];
            for p in &mut x {
                p[axis] *= 0.3;
            }
            let mesh = Mesh::single_region(x.to_vec(), Elements::Tetrahedra(vec![[0, 1, 2, 3]]))
                .unwrap()
                .0;
            let fine = mesh.with_octets().unwrap();
            let nodes = fine.ten_nodes().unwrap()[0];
            let at = |k: usize| fine.positions[nodes[k] as usize];
            let lengths = [(6, 8), (4, 9), (7, 5)].map(|(a, b)| (at(a) - at(b)).norm());
            assert!(lengths[0] < 0.7 * lengths[1].min(lengths[2]), "{lengths:?}");
            assert!((0..8).all(|part| fine.volume(part) > 0.0));
        }
    }
}
