//! A surface carried along by a tetrahedral cage: each vertex is a fixed affine combination of the four nodes of
//! one element.

use crate::aabb::Aabb;
use crate::bvh::Bvh;
use crate::mesh::{Elements, Mesh};
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::closest_on_triangle;
use pliant_linalg::Vec3;
use thiserror::Error;

/// Weights this far below zero still count as inside the element.
const INSIDE_TOLERANCE: f64 = 1e-12;

/// Surface vertex i is Σ_k `weights[i][k]`·x[k-th node of element `elements[i]`].
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// Triangles of the surface.
    pub triangles: Vec<[u32; 3]>,
    /// Element of the cage that carries each vertex.
    pub elements: Vec<u32>,
    /// Barycentric coordinates in that element; they sum to 1 and leave [0, 1] for a vertex outside the cage.
    pub weights: Vec<[f64; 4]>,
}

/// Why a surface cannot be embedded.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EmbedError {
    /// The cage is a plane mesh.
    #[error(
        "a surface can only be embedded in a tetrahedral mesh, and the cage is a plane mesh of triangles"
    )]
    PlanarCage,
}

impl Embedding {
    /// Finds for each vertex of `surface` the element of `cage` that holds it, or the one behind the nearest
    /// point of the cage's boundary.
    pub fn new(cage: &Mesh, surface: &SurfaceMesh) -> Result<Embedding, EmbedError> {
        let Elements::Tetrahedra(tetrahedra) = &cage.elements else {
            return Err(EmbedError::PlanarCage);
        };
        let corners = |e: u32| tetrahedra[e as usize].map(|n| cage.positions[n as usize]);
        let boxes: Vec<Aabb> = (0..tetrahedra.len() as u32)
            .map(|e| Aabb::of(&corners(e)))
            .collect();
        let tree = Bvh::new(&boxes);
        let boundary = Surface::of(cage);
        let skin = |t: u32| boundary.triangles[t as usize].map(|n| cage.positions[n as usize]);
        let skin_boxes: Vec<Aabb> = (0..boundary.triangles.len() as u32)
            .map(|t| Aabb::of(&skin(t)))
            .collect();
        let skin_tree = Bvh::new(&skin_boxes);

        let mut embedding = Embedding {
            triangles: surface.triangles.clone(),
            elements: Vec::with_capacity(surface.positions.len()),
            weights: Vec::with_capacity(surface.positions.len()),
        };
        let mut near = Vec::new();
        for &p in &surface.positions {
            near.clear();
            tree.near_box(&Aabb { low: p, high: p }, &mut near);
            let mut best: Option<(f64, u32, [f64; 4])> = None;
            for &e in &near {
                if !boxes[e as usize].contains(p) {
                    continue;
                }
                let weights = barycentric(corners(e), p);
                let depth = weights.iter().fold(f64::INFINITY, |m, &w| m.min(w));
                let better = best.is_none_or(|(d, f, _)| depth > d || (depth == d && e < f));
                if depth >= -INSIDE_TOLERANCE && better {
                    best = Some((depth, e, weights));
                }
            }
            let (element, weights) = match best {
                Some((_, e, weights)) => (e, weights),
                None => {
                    let nearest = skin_tree.nearest(p, f64::INFINITY, |t| {
                        closest_on_triangle(skin(t), p).distance_squared
                    });
                    // a mesh has elements and so a boundary; squared distances may overflow all the same
                    let e = nearest.map_or(0, |(t, _)| boundary.owners[t as usize]);
                    (e, barycentric(corners(e), p))
                }
            };
            embedding.elements.push(element);
            embedding.weights.push(weights);
        }
        Ok(embedding)
    }

    /// Positions of the surface's vertices for nodes of the cage at `nodal_positions`.
    pub fn positions(&self, cage_elements: &Elements, nodal_positions: &[Vec3]) -> Vec<Vec3> {
        let carried = |(&e, weights): (&u32, &[f64; 4])| {
            let nodes = cage_elements.nodes_of(e as usize);
            nodes.iter().zip(weights).fold(Vec3::ZERO, |s, (&n, &w)| {
                s + nodal_positions[n as usize] * w
            })
        };
        self.elements
            .iter()
            .zip(&self.weights)
            .map(carried)
            .collect()
    }
}

/// Barycentric coordinates of `p`; the first makes the sum one.
fn barycentric([a, b, c, d]: [Vec3; 4], p: Vec3) -> [f64; 4] {
    let (u, v, w, x) = (b - a, c - a, d - a, p - a);
    let six_volumes = u.dot(v.cross(w));
    let weights = [
        x.dot(v.cross(w)) / six_volumes,
        x.dot(w.cross(u)) / six_volumes,
        x.dot(u.cross(v)) / six_volumes,
    ];
    [
        1.0 - weights[0] - weights[1] - weights[2],
        weights[0],
        weights[1],
        weights[2],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use pliant_linalg::{Mat3, vec3};

    #[test]
    fn affine_motion_carries_vertices_exactly() {
        let cage = bar(vec3(3.0, 2.0, 1.0), [6, 4, 2], Split::Six).unwrap();
        let mut skin = SurfaceMesh::of(&cage).unwrap();
        for (i, p) in skin.positions.iter_mut().enumerate() {
            // some inside, some outside the cage
            let s = if i % 2 == 0 { 0.9 } else { 1.05 };
            *p = vec3(1.5, 1.0, 0.5) + (*p - vec3(1.5, 1.0, 0.5)) * s;
        }
        let embedding = Embedding::new(&cage, &skin).unwrap();
        let motion = Mat3::rotation(vec3(1.0, 2.0, 3.0), 0.8) * 1.3;
        let moved: Vec<Vec3> = cage
            .positions
            .iter()
            .map(|&p| motion * p + vec3(5.0, 0.0, 0.0))
            .collect();
        let carried = embedding.positions(&cage.elements, &moved);
        for (i, (p, q)) in skin.positions.iter().zip(carried).enumerate() {
            assert!((motion * *p + vec3(5.0, 0.0, 0.0) - q).norm() < 1e-12);
            let weights = embedding.weights[i];
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            let inside = weights.iter().all(|&w| w >= -1e-12);
            assert_eq!(inside, i % 2 == 0);
        }
    }

    #[test]
    fn an_outside_vertex_hangs_on_the_nearest_boundary_element() {
        let cage = bar(vec3(4.0, 1.0, 1.0), [4, 1, 1], Split::Six).unwrap();
        let far = vec3(3.5, 0.5, 1.2);
        let surface = SurfaceMesh::new(vec![far; 3], vec![[0, 1, 2]]).unwrap();
        let embedding = Embedding::new(&cage, &surface).unwrap();
        let centroid = cage.centroid(embedding.elements[0] as usize);
        assert!(centroid.x > 3.0);
    }

    #[test]
    fn plane_cages_are_refused() {
        let plane =
            crate::generate::rectangle([1.0, 1.0], [1, 1], crate::generate::TriangleSplit::Crossed)
                .unwrap();
        let surface = SurfaceMesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]).unwrap();
        assert_eq!(
            Embedding::new(&plane, &surface),
            Err(EmbedError::PlanarCage)
        );
    }
}
