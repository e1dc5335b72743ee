//! The boundary: faces that exactly one element owns, outward, in the order of their elements.

use crate::adjacency::{TETRAHEDRON_FACES, TRIANGLE_EDGES, face_uses};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::Vec3;

/// The boundary of a mesh: triangles around a solid, edges around a plane body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Outward triangles (counter-clockwise from outside); empty for plane bodies.
    pub triangles: Vec<[u32; 3]>,
    /// Directed edges with the body on their left; empty for solids.
    pub edges: Vec<[u32; 2]>,
    /// The element behind each triangle or edge.
    pub owners: Vec<u32>,
    /// Nodes on the boundary, ascending.
    pub nodes: Vec<u32>,
    /// Faces that three or more elements claim: the mesh is not conforming there.
    pub overshared_faces: usize,
}

impl Surface {
    /// Extracts the boundary of `mesh`, ordered by element, then by the local node opposite to the face.
    pub fn of(mesh: &Mesh) -> Surface {
        let mut surface = Surface::default();
        let mut single = Vec::new();
        for group in face_uses(mesh).chunk_by(|a, b| a.key == b.key) {
            match group {
                [only] => single.push((only.element, only.local as usize)),
                [_, _] => {}
                _ => surface.overshared_faces += 1,
            }
        }
        single.sort_unstable();
        for (element, local) in single {
            surface.owners.push(element);
            match &mesh.elements {
                Elements::Tetrahedra(list) => {
                    let nodes = list[element as usize];
                    let face = TETRAHEDRON_FACES[local].map(|i| nodes[i]);
                    surface.triangles.push(face);
                    surface.nodes.extend(face);
                }
                Elements::Triangles(list) => {
                    let nodes = list[element as usize];
                    let edge = TRIANGLE_EDGES[local].map(|i| nodes[i]);
                    surface.edges.push(edge);
                    surface.nodes.extend(edge);
                }
            }
        }
        surface.nodes.sort_unstable();
        surface.nodes.dedup();
        surface
    }

    /// The boundary once each node is replaced by its leader: facets that then meet another one are inside.
    pub fn joined(&self, leaders: &[u32]) -> Surface {
        let triangles = led(&self.triangles, leaders);
        let edges = led(&self.edges, leaders);
        let kept: Vec<usize> = match self.triangles.is_empty() {
            true => unmatched(&edges),
            false => unmatched(&triangles),
        };
        fn of<T: Copy>(list: &[T], kept: &[usize]) -> Vec<T> {
            kept.iter().filter_map(|&f| list.get(f).copied()).collect()
        }
        let mut surface = Surface {
            triangles: of(&triangles, &kept),
            edges: of(&edges, &kept),
            owners: of(&self.owners, &kept),
            nodes: Vec::new(),
            overshared_faces: self.overshared_faces,
        };
        surface.nodes.extend(surface.triangles.as_flattened());
        surface.nodes.extend(surface.edges.as_flattened());
        surface.nodes.sort_unstable();
        surface.nodes.dedup();
        surface
    }

    /// Number of triangles or edges.
    pub fn facet_count(&self) -> usize {
        self.owners.len()
    }

    /// Nodes of facet `f`.
    pub fn facet(&self, f: usize) -> &[u32] {
        match self.triangles.get(f) {
            Some(triangle) => triangle,
            None => &self.edges[f],
        }
    }

    /// Area (m²) of triangle `f`, or length (m) of edge `f`, at the given nodal positions.
    pub fn facet_area(&self, f: usize, positions: &[Vec3]) -> f64 {
        let at = |i: usize| positions[self.facet(f)[i] as usize];
        if self.triangles.is_empty() {
            (at(1) - at(0)).norm()
        } else {
            (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2.0
        }
    }

    /// Total area (m²) or length (m).
    pub fn total_area(&self, positions: &[Vec3]) -> f64 {
        (0..self.facet_count())
            .map(|f| self.facet_area(f, positions))
            .sum()
    }

    /// For each node of the mesh its share of the area of the facets around it, m² (m in 2D); zero inside.
    pub fn nodal_areas(&self, positions: &[Vec3]) -> Vec<f64> {
        let mut areas = vec![0.0; positions.len()];
        for f in 0..self.facet_count() {
            let nodes = self.facet(f);
            let share = self.facet_area(f, positions) / nodes.len() as f64;
            for &n in nodes {
                areas[n as usize] += share;
            }
        }
        areas
    }

    /// Whether every edge of the surface is met once in each direction (in 2D: every node is entered and
    /// left once). Surfaces that touch themselves along an edge are watertight but fail this test.
    pub fn is_closed_manifold(&self) -> bool {
        if self.triangles.is_empty() {
            let mut starts: Vec<u32> = self.edges.iter().map(|e| e[0]).collect();
            let mut ends: Vec<u32> = self.edges.iter().map(|e| e[1]).collect();
            starts.sort_unstable();
            ends.sort_unstable();
            return starts == ends && starts.windows(2).all(|w| w[0] != w[1]);
        }
        let mut half_edges: Vec<[u32; 2]> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .collect();
        half_edges.sort_unstable();
        half_edges.windows(2).all(|w| w[0] != w[1])
            && half_edges
                .iter()
                .all(|&[a, b]| half_edges.binary_search(&[b, a]).is_ok())
    }

    /// Volume enclosed by the outward triangles (divergence theorem), m³; for edges the enclosed area, m².
    pub fn enclosed_volume(&self, positions: &[Vec3]) -> f64 {
        let origin = positions.first().copied().unwrap_or_default();
        let at = |n: u32| positions[n as usize] - origin;
        if self.triangles.is_empty() {
            let twice = |&[a, b]: &[u32; 2]| at(a).cross(at(b)).z;
            return self.edges.iter().map(twice).sum::<f64>() / 2.0;
        }
        let six_times = |t: &[u32; 3]| at(t[0]).dot(at(t[1]).cross(at(t[2])));
        self.triangles.iter().map(six_times).sum::<f64>() / 6.0
    }
}

/// Facets with each node replaced by its leader.
pub fn led<const N: usize>(facets: &[[u32; N]], leaders: &[u32]) -> Vec<[u32; N]> {
    let facets = facets.iter();
    facets.map(|f| f.map(|n| leaders[n as usize])).collect()
}

/// Places of the facets that have their nodes for themselves, ascending.
pub fn unmatched<const N: usize>(facets: &[[u32; N]]) -> Vec<usize> {
    let sorted = |&(mut nodes, place): &([u32; N], usize)| {
        nodes.sort_unstable();
        (nodes, place)
    };
    let places = facets.iter().copied().zip(0..);
    let mut keys: Vec<([u32; N], usize)> = places.map(|facet| sorted(&facet)).collect();
    keys.sort_unstable();
    let groups = keys.chunk_by(|a, b| a.0 == b.0);
    let mut single: Vec<usize> = groups.filter(|g| g.len() == 1).map(|g| g[0].1).collect();
    single.sort_unstable();
    single
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, TriangleSplit, bar, rectangle};
    use pliant_linalg::vec3;
    use proptest::prelude::*;

    #[test]
    fn unit_cell_by_hand() {
        let mesh = bar(vec3(1.0, 2.0, 3.0), [1, 1, 1], Split::Five).unwrap();
        let surface = Surface::of(&mesh);
        assert_eq!(surface.triangles.len(), 12);
        assert_eq!(surface.nodes, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(surface.is_closed_manifold());
        assert!((surface.total_area(&mesh.positions) - 22.0).abs() < 1e-12);
        let nodal: f64 = surface.nodal_areas(&mesh.positions).iter().sum();
        assert!((nodal - 22.0).abs() < 1e-12);
        // the inner tetrahedron of five owns no boundary face
        let mut owners = surface.owners.clone();
        assert!(owners.is_sorted());
        owners.dedup();
        assert_eq!(owners.len(), 4);
    }

    #[test]
    fn outline_of_a_rectangle() {
        let mesh = rectangle([2.0, 1.0], [4, 2], TriangleSplit::Alternating).unwrap();
        let outline = Surface::of(&mesh);
        assert_eq!(outline.edges.len(), 12);
        assert_eq!(outline.nodes.len(), 12);
        assert!(outline.is_closed_manifold());
        assert!((outline.total_area(&mesh.positions) - 6.0).abs() < 1e-14);
        assert!((outline.enclosed_volume(&mesh.positions) - 2.0).abs() < 1e-14);
    }

    #[test]
    fn an_open_surface_is_told_apart() {
        let mesh = bar(vec3(1.0, 1.0, 1.0), [2, 1, 1], Split::Six).unwrap();
        let mut surface = Surface::of(&mesh);
        surface.triangles.pop();
        assert!(!surface.is_closed_manifold());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn bars_have_closed_surfaces(x in 1usize..6, y in 1usize..6, z in 1usize..6, five: bool) {
            let split = if five { Split::Five } else { Split::Six };
            let mesh = bar(vec3(1.0, 0.7, 0.4), [x, y, z], split).unwrap();
            let surface = Surface::of(&mesh);
            prop_assert!(surface.is_closed_manifold());
            prop_assert_eq!(surface.overshared_faces, 0);
            prop_assert_eq!(surface.triangles.len(), 4 * (x * y + y * z + z * x));
            let interior = (x - 1) * (y - 1) * (z - 1);
            prop_assert_eq!(surface.nodes.len() + interior, mesh.node_count());
            prop_assert!((surface.enclosed_volume(&mesh.positions) - 0.28).abs() < 1e-12);
        }
    }
}
