//! A triangle surface in space: what a scan, an STL part or the skin of a tetrahedral mesh is.
//!
//! Nothing is promised beyond valid indices and finite positions: surfaces may be open, self-intersecting or
//! badly oriented. [`SurfaceMesh::topology`] says which.

use crate::aabb::Aabb;
use crate::mesh::{ELEMENT_LIMIT, Mesh};
use crate::surface::Surface;
use pliant_linalg::Vec3;
use thiserror::Error;

/// Vertices and triangles, counter-clockwise seen from outside where the surface is well oriented.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMesh {
    /// Vertex positions, m.
    pub positions: Vec<Vec3>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Why vertices and triangles are not a usable surface.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SurfaceError {
    /// No triangle at all.
    #[error("the surface has no triangles")]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, but there are only {vertex_count} vertices")]
    VertexOutOfRange {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The vertex index it holds.
        vertex: u32,
        /// Number of vertices.
        vertex_count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not a finite number")]
    NonFinite {
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// More triangles or vertices than 32-bit tables can index.
    #[error("{count} triangles or vertices are too many: the limit is {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// [`ELEMENT_LIMIT`].
        limit: usize,
    },
    /// A plane body has no surface in this sense.
    #[error(
        "a plane mesh of triangles bounds no solid: give a tetrahedral mesh or a closed surface"
    )]
    Planar,
}

/// How the triangles hang together. Triangles that list a vertex twice count only as degenerate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceTopology {
    /// Edges that one triangle uses: the rim of a hole.
    pub boundary_edges: usize,
    /// Edges that three or more triangles use.
    pub non_manifold_edges: usize,
    /// Edges that two triangles use in the same direction: one of the two faces the wrong way.
    pub inconsistent_edges: usize,
    /// Edges that an odd number of triangles use.
    pub odd_edges: usize,
    /// Pieces, where triangles that share a vertex hang together.
    pub components: usize,
    /// Triangles that list a vertex twice.
    pub degenerate_triangles: usize,
}

impl SurfaceTopology {
    /// Whether every edge has an even number of triangles, so that inside and outside are separated.
    pub fn is_closed(&self) -> bool {
        self.odd_edges == 0
    }

    /// Whether every edge has exactly two triangles that run along it in opposite directions.
    pub fn is_closed_manifold(&self) -> bool {
        self.boundary_edges == 0 && self.non_manifold_edges == 0 && self.inconsistent_edges == 0
    }
}

impl SurfaceMesh {
    /// Checks indices and coordinates. Degenerate triangles and unused vertices are kept.
    pub fn new(
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<SurfaceMesh, SurfaceError> {
        if triangles.is_empty() {
            return Err(SurfaceError::Empty);
        }
        let count = triangles.len().max(positions.len());
        if count > ELEMENT_LIMIT {
            return Err(SurfaceError::TooMany {
                count,
                limit: ELEMENT_LIMIT,
            });
        }
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            return Err(SurfaceError::NonFinite { vertex });
        }
        for (triangle, nodes) in triangles.iter().enumerate() {
            if let Some(&vertex) = nodes.iter().find(|&&v| v as usize >= positions.len()) {
                return Err(SurfaceError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertex_count: positions.len(),
                });
            }
        }
        Ok(SurfaceMesh {
            positions,
            triangles,
        })
    }

    /// The boundary of a tetrahedral mesh, with only the nodes on it, in their order.
    pub fn of(mesh: &Mesh) -> Result<SurfaceMesh, SurfaceError> {
        if mesh.is_planar() {
            return Err(SurfaceError::Planar);
        }
        let boundary = Surface::of(mesh);
        let new_index = |n: u32| boundary.nodes.partition_point(|&m| m < n) as u32;
        SurfaceMesh::new(
            boundary
                .nodes
                .iter()
                .map(|&n| mesh.positions[n as usize])
                .collect(),
            boundary
                .triangles
                .iter()
                .map(|t| t.map(new_index))
                .collect(),
        )
    }

    /// Corners of triangle `t`.
    #[inline]
    pub fn corners(&self, t: usize) -> [Vec3; 3] {
        self.triangles[t].map(|v| self.positions[v as usize])
    }

    /// Volume enclosed by the triangles (divergence theorem), m³; negative when they face inwards.
    pub fn enclosed_volume(&self) -> f64 {
        let origin = self.bounds().centre();
        (0..self.triangles.len())
            .map(|t| {
                let [a, b, c] = self.corners(t).map(|p| p - origin);
                a.dot(b.cross(c))
            })
            .sum::<f64>()
            / 6.0
    }

    /// Total area, m².
    pub fn area(&self) -> f64 {
        (0..self.triangles.len())
            .map(|t| {
                let [a, b, c] = self.corners(t);
                (b - a).cross(c - a).norm()
            })
            .sum::<f64>()
            / 2.0
    }

    /// Smallest box around the vertices in use.
    pub fn bounds(&self) -> Aabb {
        let used = self.triangles.as_flattened().iter();
        used.fold(Aabb::EMPTY, |b, &v| b.with(self.positions[v as usize]))
    }

    /// Length of the diagonal of [`SurfaceMesh::bounds`], m.
    pub fn diagonal(&self) -> f64 {
        self.bounds().diagonal()
    }

    /// The box of each triangle.
    pub fn triangle_boxes(&self) -> Vec<Aabb> {
        (0..self.triangles.len())
            .map(|t| Aabb::of(&self.corners(t)))
            .collect()
    }

    /// Counts what is wrong with the connections.
    pub fn topology(&self) -> SurfaceTopology {
        let mut topology = SurfaceTopology::default();
        let mut uses = Vec::with_capacity(3 * self.triangles.len());
        for &[a, b, c] in &self.triangles {
            if a == b || b == c || c == a {
                topology.degenerate_triangles += 1;
                continue;
            }
            for [i, j] in [[a, b], [b, c], [c, a]] {
                uses.push([i.min(j), i.max(j), u32::from(i > j)]);
            }
        }
        uses.sort_unstable();
        for group in uses.chunk_by(|a, b| a[..2] == b[..2]) {
            let backward = group.iter().filter(|u| u[2] == 1).count();
            match group.len() {
                1 => topology.boundary_edges += 1,
                2 => topology.inconsistent_edges += usize::from(backward != 1),
                _ => topology.non_manifold_edges += 1,
            }
            topology.odd_edges += group.len() % 2;
        }
        topology.components = self.components().0;
        topology
    }

    /// Number of pieces and the piece of each triangle, where triangles that share a vertex hang together.
    /// Pieces are numbered in the order of their first triangle.
    pub fn components(&self) -> (usize, Vec<u32>) {
        const NONE: u32 = u32::MAX;
        let mut parent: Vec<u32> = (0..self.positions.len() as u32).collect();
        let root = |parent: &mut Vec<u32>, mut n: u32| {
            while parent[n as usize] != n {
                parent[n as usize] = parent[parent[n as usize] as usize];
                n = parent[n as usize];
            }
            n
        };
        for &[a, b, c] in &self.triangles {
            for other in [b, c] {
                let (i, j) = (root(&mut parent, a), root(&mut parent, other));
                parent[i.max(j) as usize] = i.min(j);
            }
        }
        let mut number = vec![NONE; self.positions.len()];
        let mut count = 0;
        let of_triangle = self
            .triangles
            .iter()
            .map(|t| {
                let top = root(&mut parent, t[0]) as usize;
                if number[top] == NONE {
                    number[top] = count;
                    count += 1;
                }
                number[top]
            })
            .collect();
        (count as usize, of_triangle)
    }

    /// The same triangles with vertices at exactly equal positions made one (STL files repeat every corner).
    pub fn welded(&self) -> SurfaceMesh {
        // adding zero turns −0.0 into 0.0
        let key = |v: u32| {
            self.positions[v as usize]
                .to_array()
                .map(|x| (x + 0.0).to_bits())
        };
        let mut order: Vec<u32> = (0..self.positions.len() as u32).collect();
        order.sort_unstable_by_key(|&v| (key(v), v));
        let mut first_of = vec![0; self.positions.len()];
        for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
            for &v in group {
                first_of[v as usize] = group[0];
            }
        }
        let mut new_index = vec![0; self.positions.len()];
        let mut positions = Vec::new();
        for v in 0..self.positions.len() {
            if first_of[v] as usize == v {
                new_index[v] = positions.len() as u32;
                positions.push(self.positions[v]);
            }
        }
        let triangles = self
            .triangles
            .iter()
            .map(|t| t.map(|v| new_index[first_of[v as usize] as usize]))
            .collect();
        SurfaceMesh {
            positions,
            triangles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use pliant_linalg::vec3;

    fn bar_surface() -> SurfaceMesh {
        let mesh = bar(vec3(3.0, 2.0, 1.0), [3, 2, 1], Split::Six).unwrap();
        SurfaceMesh::of(&mesh).unwrap()
    }

    #[test]
    fn bar_skin_is_closed_with_known_measures() {
        let skin = bar_surface();
        assert!((skin.enclosed_volume() - 6.0).abs() < 1e-12);
        assert!((skin.area() - 22.0).abs() < 1e-12);
        assert!((skin.diagonal() - 14f64.sqrt()).abs() < 1e-12);
        let topology = skin.topology();
        assert!(topology.is_closed() && topology.is_closed_manifold());
        assert_eq!(topology.components, 1);
    }

    #[test]
    fn defects_are_counted() {
        let mut skin = bar_surface();
        skin.triangles[0].swap(1, 2);
        assert_eq!(skin.topology().inconsistent_edges, 3);
        assert!(skin.topology().is_closed());
        skin.triangles.remove(0);
        assert_eq!(skin.topology().boundary_edges, 3);
        assert!(!skin.topology().is_closed());
        let t = skin.triangles[0];
        skin.triangles.extend([t, [t[0], t[0], t[1]]]);
        assert_eq!(skin.topology().non_manifold_edges, 3);
        assert_eq!(skin.topology().degenerate_triangles, 1);
    }

    #[test]
    fn a_soup_becomes_closed_by_welding() {
        let skin = bar_surface();
        let mut soup = SurfaceMesh {
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        for t in 0..skin.triangles.len() {
            let n = soup.positions.len() as u32;
            soup.positions.extend(skin.corners(t));
            soup.triangles.push([n, n + 1, n + 2]);
        }
        assert_eq!(soup.topology().components, skin.triangles.len());
        let welded = soup.welded();
        assert_eq!(welded.positions.len(), skin.positions.len());
        assert!(welded.topology().is_closed_manifold());
    }

    #[test]
    fn bad_input_is_refused() {
        let p = vec![Vec3::ZERO; 3];
        assert_eq!(
            SurfaceMesh::new(p.clone(), vec![]),
            Err(SurfaceError::Empty)
        );
        assert!(matches!(
            SurfaceMesh::new(p, vec![[0, 1, 3]]),
            Err(SurfaceError::VertexOutOfRange { vertex: 3, .. })
        ));
        let p = vec![Vec3::ZERO, Vec3::ZERO, vec3(f64::NAN, 0.0, 0.0)];
        assert_eq!(
            SurfaceMesh::new(p, vec![[0, 1, 2]]),
            Err(SurfaceError::NonFinite { vertex: 2 })
        );
    }
}
