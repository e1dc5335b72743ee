//! A coarse cage of tetrahedra around everything that a surface encloses, to simulate in place of it: whole
//! tetrahedra of a body-centred cubic lattice, so that all dihedral angles are 60° or 90°. The surface is carried
//! along by [`crate::Embedding`].

use crate::aabb::Aabb;
use crate::bvh::Bvh;
use crate::mesh::{ELEMENT_LIMIT, Elements, Mesh};
use crate::stuffing::{StuffingError, oriented};
use crate::surface_mesh::SurfaceMesh;
use crate::winding::Winding;
use pliant_linalg::{Vec3, vec3};

/// Mean edge of the lattice over the width of its cubes: 8 short edges of √3/2 and 6 long ones meet at a vertex.
const MEAN_EDGE: f64 = 0.923;

/// Winding numbers above this are inside.
const INSIDE: f64 = 0.5;

/// A cage whose edges are `edge` long on average, m.
pub fn cage(surface: &SurfaceMesh, edge: f64) -> Result<Mesh, StuffingError> {
    if !(edge.is_finite() && edge > 0.0) {
        return Err(StuffingError::BadEdge(edge));
    }
    let bounds = surface.bounds();
    if bounds.diagonal() <= 0.0 {
        return Err(StuffingError::NoExtent);
    }
    let width = edge / MEAN_EDGE;
    // a little off, so that flat sides of the surface do not lie in planes of the lattice
    let origin = bounds.low - vec3(1.031, 1.047, 1.013) * width;
    let size = bounds.high - origin;
    let cubes = size.to_array().map(|s| (s / width).ceil() as usize + 1);
    let count = cubes
        .iter()
        .try_fold(12usize, |product, &n| product.checked_mul(n));
    if count.is_none_or(|c| c > ELEMENT_LIMIT) {
        let volume = size.x * size.y * size.z;
        return Err(StuffingError::TooFine {
            edge,
            limit: ELEMENT_LIMIT,
            fitting: 1.1 * MEAN_EDGE * (12.0 * volume / ELEMENT_LIMIT as f64).cbrt(),
        });
    }
    let lattice = Lattice {
        origin,
        width,
        cubes,
    };
    let boxes = surface.triangle_boxes();
    let tree = Bvh::new(&boxes);
    let winding = Winding::new(&oriented(surface));
    let mut kept: Vec<[u32; 4]> = Vec::new();
    lattice.for_each(|nodes| {
        let points = nodes.map(|n| lattice.position(n));
        let around = Aabb::of(&points);
        let crossed = tree.any_near_box(&around, |t| meets(points, surface.corners(t as usize)));
        // a tetrahedron that the surface does not cross is inside as a whole or not at all
        let inside = || {
            let middle = (points[0] + points[1] + points[2] + points[3]) / 4.0;
            bounds.contains(middle) && winding.fast(middle) > INSIDE
        };
        if crossed || inside() {
            kept.push(nodes);
        }
    });
    let positions = (0..lattice.node_count() as u32)
        .map(|n| lattice.position(n))
        .collect();
    let (mut mesh, _) = Mesh::single_region(positions, Elements::Tetrahedra(kept))?;
    mesh.original_ids = (0..mesh.node_count() as u32).collect();
    Ok(mesh)
}

/// Corners of cubes, then their centres.
struct Lattice {
    origin: Vec3,
    width: f64,
    cubes: [usize; 3],
}

impl Lattice {
    fn corner_count(&self) -> usize {
        self.cubes.iter().map(|n| n + 1).product()
    }

    fn node_count(&self) -> usize {
        self.corner_count() + self.cubes.iter().product::<usize>()
    }

    fn corner(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cubes.map(|n| n + 1);
        ((k * ny + j) * nx + i) as u32
    }

    fn centre(&self, [i, j, k]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cubes;
        (self.corner_count() + (k * ny + j) * nx + i) as u32
    }

    fn position(&self, node: u32) -> Vec3 {
        let split = |index: usize, [nx, ny]: [usize; 2], shift: f64| {
            let (i, j, k) = (index % nx, index / nx % ny, index / (nx * ny));
            let grid = vec3(i as f64 + shift, j as f64 + shift, k as f64 + shift);
            self.origin + grid * self.width
        };
        let (node, corners) = (node as usize, self.corner_count());
        let [nx, ny, _] = self.cubes;
        match node.checked_sub(corners) {
            None => split(node, [nx + 1, ny + 1], 0.0),
            Some(centre) => split(centre, [nx, ny], 0.5),
        }
    }

    /// Four tetrahedra around every edge between the centres of two neighbouring cubes.
    fn for_each(&self, mut take: impl FnMut([u32; 4])) {
        let [nx, ny, nz] = self.cubes;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let here = [i, j, k];
                    for axis in 0..3 {
                        let mut next = here;
                        next[axis] += 1;
                        if next[axis] == self.cubes[axis] {
                            continue;
                        }
                        let ends = (self.centre(here), self.centre(next));
                        // corners of the face between the two cubes, in turn
                        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                        let face = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[p, q]| {
                            let mut at = next;
                            at[b] += p;
                            at[c] += q;
                            self.corner(at)
                        });
                        for side in 0..4 {
                            take([ends.0, ends.1, face[side], face[(side + 1) % 4]]);
                        }
                    }
                }
            }
        }
    }
}

/// Whether a tetrahedron and a triangle have a point in common: no axis separates them.
fn meets(tetrahedron: [Vec3; 4], triangle: [Vec3; 3]) -> bool {
    let apart = |axis: Vec3| {
        let range = |points: &[Vec3]| {
            let along = points.iter().map(|p| p.dot(axis));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                (l.min(x), h.max(x))
            })
        };
        let ((a, b), (c, d)) = (range(&tetrahedron), range(&triangle));
        b < c || d < a
    };
    let [a, b, c, d] = tetrahedron;
    let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
    let sides = [
        triangle[1] - triangle[0],
        triangle[2] - triangle[1],
        triangle[0] - triangle[2],
    ];
    let normals = [
        edges[0].cross(edges[1]),
        edges[0].cross(edges[2]),
        edges[1].cross(edges[2]),
        edges[3].cross(edges[4]),
        sides[0].cross(sides[1]),
    ];
    let crossed = edges.iter().flat_map(|e| sides.iter().map(|s| e.cross(*s)));
    !normals
        .into_iter()
        .chain(crossed)
        .any(|axis| axis.norm_squared() > 0.0 && apart(axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::embed::Embedding;
    use crate::generate::{ball, torus};
    use crate::quality::Quality;
    use crate::surface::Surface;

    #[test]
    fn a_cage_holds_its_surface() {
        for (body, edge) in [
            (torus(1.0, 0.3, 6, 40).unwrap(), 0.25),
            (ball(1.0, 12).unwrap(), 0.4),
        ] {
            let surface = SurfaceMesh::of(&body).unwrap();
            let cage = cage(&surface, edge).unwrap();
            let quality = Quality::of(&cage);
            assert!((quality.min_angle.to_degrees() - 60.0).abs() < 1e-6);
            assert!((quality.max_angle.to_degrees() - 90.0).abs() < 1e-6);
            assert_eq!(Components::of(&cage).count, 1);
            assert_eq!(Surface::of(&cage).overshared_faces, 0);
            assert!(cage.total_volume() > body.total_volume());
            assert!(cage.total_volume() < 2.2 * body.total_volume());
            let mean = cage.mean_edge_length();
            assert!((mean / edge - 1.0).abs() < 0.05, "{mean} {edge}");
            let embedding = Embedding::new(&cage, &surface).unwrap();
            let least = embedding
                .weights
                .as_flattened()
                .iter()
                .copied()
                .fold(1.0, f64::min);
            assert!(least > -1e-9, "{least}");
        }
    }

    #[test]
    fn a_surface_that_looks_inwards_is_filled_too() {
        let mut surface = SurfaceMesh::of(&ball(1.0, 8).unwrap()).unwrap();
        let outwards = cage(&surface, 0.2).unwrap();
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert_eq!(cage(&surface, 0.2).unwrap().elements, outwards.elements);
        // and one whose triangles look to both sides
        surface
            .triangles
            .iter_mut()
            .step_by(5)
            .for_each(|t| t.swap(0, 1));
        assert_eq!(cage(&surface, 0.2).unwrap().elements, outwards.elements);
    }

    #[test]
    fn bad_edges_are_refused() {
        let surface = SurfaceMesh::of(&ball(1.0, 4).unwrap()).unwrap();
        assert!(matches!(
            cage(&surface, 0.0),
            Err(StuffingError::BadEdge(_))
        ));
        let Err(StuffingError::TooFine { fitting, .. }) = cage(&surface, 1e-5) else {
            panic!("not refused");
        };
        assert!(fitting > 1e-3 && fitting < 0.1);
    }

    #[test]
    fn separating_axes_by_hand() {
        let corner = [
            Vec3::ZERO,
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(0.0, 0.0, 1.0),
        ];
        let at = |x: f64| [vec3(x, -5.0, -5.0), vec3(x, 5.0, -5.0), vec3(x, 0.0, 9.0)];
        assert!(meets(corner, at(0.5)) && meets(corner, at(0.0)));
        assert!(!meets(corner, at(1.1)) && !meets(corner, at(-0.1)));
        // within the box of the tetrahedron, but beyond its slanted face
        let beyond = [
            vec3(0.9, 0.9, 0.1),
            vec3(0.9, 0.1, 0.9),
            vec3(0.9, 0.9, 0.9),
        ];
        assert!(!meets(corner, beyond));
    }
}
