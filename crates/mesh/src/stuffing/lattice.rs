//! Tetrahedra of the graded body-centred cubic lattice [LS07]: corners and centres of the octree's leaves.
//!
//! Two equal leaves with a common face make four tetrahedra round the line between their centres, one for each edge
//! of the face; an edge with a midpoint (a smaller leaf lies beside it) bisects its tetrahedron. Where four smaller
//! leaves meet a face, the larger side is a fan of eight quarter tetrahedra round the face's centre, and each
//! smaller leaf closes its quarter of the face with two half pyramids.

use super::octree::{Leaf, Octree, Place};

/// A vertex of the lattice: coordinates in half cells, 21 bits each.
pub(super) type Key = u64;

/// Packs half-cell coordinates.
pub(super) fn key(at: [i32; 3]) -> Key {
    (at[2] as u64) << 42 | (at[1] as u64) << 21 | at[0] as u64
}

/// Unpacks half-cell coordinates.
pub(super) fn half_cells(key: Key) -> [i32; 3] {
    [key, key >> 21, key >> 42].map(|k| (k & 0x1f_ffff) as i32)
}

/// The lattice with its vertices numbered in ascending order of their keys.
pub(super) struct Lattice {
    pub(super) vertices: Vec<Key>,
    pub(super) tetrahedra: Vec<[u32; 4]>,
    /// Whether a tetrahedron is a plain one of the finest size: the only kind that may be cut.
    pub(super) plain: Vec<bool>,
}

impl Lattice {
    /// The tetrahedra of a balanced tree that are not outside. None of them reaches the border of the root.
    pub(super) fn of(tree: &Octree) -> Lattice {
        let mut found = Found::default();
        for leaf in tree.leaves() {
            if leaf.place == Place::Outside {
                continue;
            }
            for axis in 0..3 {
                for side in [-1, 1] {
                    found.face(tree, &leaf, axis, side);
                }
            }
        }
        let mut vertices = found.tetrahedra.as_flattened().to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        let number = |k: Key| vertices.partition_point(|&v| v < k) as u32;
        let tetrahedra = found.tetrahedra.iter().map(|t| t.map(number)).collect();
        Lattice {
            tetrahedra,
            plain: found.plain,
            vertices,
        }
    }
}

#[derive(Default)]
struct Found {
    tetrahedra: Vec<[Key; 4]>,
    plain: Vec<bool>,
}

impl Found {
    fn push(&mut self, corners: [[i32; 3]; 4], plain: bool) {
        self.tetrahedra.push(corners.map(key));
        self.plain.push(plain);
    }

    /// What the leaf contributes at its face across `axis` on `side`.
    fn face(&mut self, tree: &Octree, leaf: &Leaf, axis: usize, side: i32) {
        let width = 1i32 << leaf.level;
        let mut beyond = leaf.low;
        beyond[axis] += side * width;
        let Some(other) = tree.leaf_at(beyond) else {
            return;
        };
        if other.place == Place::Outside {
            return;
        }
        // in half cells: the leaf is 2·width wide
        let low = leaf.low.map(|x| 2 * x);
        let centre = low.map(|x| x + width);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        // the point of the face at (a, b) half widths from its low corner
        let on_face = |a: i32, b: i32| {
            let mut p = low;
            p[axis] = centre[axis] + side * width;
            p[u] += a * width;
            p[v] += b * width;
            p
        };
        // corners in turn, and the direction outwards of the edge that starts there
        let rim = [
            ([0, 0], [0, -1]),
            ([2, 0], [1, 0]),
            ([2, 2], [0, 1]),
            ([0, 2], [-1, 0]),
        ];
        if other.level < leaf.level {
            let middle = on_face(1, 1);
            for k in 0..4 {
                let ([a, b], [c, d]) = (rim[k].0, rim[(k + 1) % 4].0);
                let half = on_face((a + c) / 2, (b + d) / 2);
                self.push([centre, middle, on_face(a, b), half], false);
                self.push([centre, middle, half, on_face(c, d)], false);
            }
        } else if other.level > leaf.level {
            // the diagonal of this quarter runs from the corner of the larger face to its centre
            let offset = |k: usize| i32::from(leaf.low[k] != other.low[k]);
            let (a, b) = (2 * offset(u), 2 * offset(v));
            let (corner, middle) = (on_face(a, b), on_face(2 - a, 2 - b));
            self.push([centre, corner, middle, on_face(2 - a, b)], false);
            self.push([centre, corner, middle, on_face(a, 2 - b)], false);
        } else if side > 0 {
            let mut far = centre;
            far[axis] += 2 * width;
            for k in 0..4 {
                let ([a, b], outward) = rim[k];
                let [c, d] = rim[(k + 1) % 4].0;
                let (start, end) = (on_face(a, b), on_face(c, d));
                let bisected = [leaf.low, beyond].iter().any(|&from| {
                    let mut beside = from;
                    beside[u] += outward[0] * width;
                    beside[v] += outward[1] * width;
                    tree.leaf_at(beside).is_some_and(|l| l.level < leaf.level)
                });
                if bisected {
                    let half = on_face((a + c) / 2, (b + d) / 2);
                    self.push([centre, far, start, half], false);
                    self.push([centre, far, half, end], false);
                } else {
                    self.push([centre, far, start, end], leaf.level == 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solid::Solid;
    use super::*;
    use crate::aabb::Aabb;
    use crate::mesh::{Elements, Mesh};
    use crate::quality::Quality;
    use crate::surface::Surface;
    use pliant_linalg::{Vec3, vec3};

    /// Fine only round one point, inside everywhere else: all kinds of transitions.
    struct Speck(Vec3);

    impl Solid for Speck {
        fn bounds(&self) -> Aabb {
            Aabb {
                low: Vec3::ZERO,
                high: vec3(28.0, 28.0, 28.0),
            }
        }
        fn inside(&self, _: Vec3) -> bool {
            true
        }
        fn boundary_near(&self, bounds: &Aabb) -> bool {
            bounds.contains(self.0)
        }
    }

    #[test]
    fn graded_lattices_conform_and_are_well_shaped() {
        for speck in [
            vec3(14.0, 14.0, 14.0),
            vec3(3.3, 20.1, 9.7),
            vec3(8.5, 16.5, 11.2),
        ] {
            let mut tree = Octree::new(&Speck(speck), 1.0, Vec3::ZERO, 3, 1 << 20).unwrap();
            tree.balance().unwrap();
            assert!(tree.leaves().iter().any(|l| l.level == 3));
            let lattice = Lattice::of(&tree);
            assert!(lattice.plain.iter().any(|&p| p) && lattice.plain.iter().any(|&p| !p));
            let positions = lattice.vertices.iter().map(|&k| tree.point(half_cells(k)));
            let (mesh, _) = Mesh::single_region(
                positions.collect(),
                Elements::Tetrahedra(lattice.tetrahedra.clone()),
            )
            .unwrap();
            let surface = Surface::of(&mesh);
            assert_eq!(surface.overshared_faces, 0);
            assert!(surface.is_closed_manifold());
            // tetrahedra fill the closed surface exactly once
            let enclosed = surface.enclosed_volume(&mesh.positions);
            assert!((mesh.total_volume() - enclosed).abs() < 1e-9 * enclosed);
            let quality = Quality::of(&mesh);
            assert!(quality.min_angle.to_degrees() > 44.99);
            assert!(quality.max_angle.to_degrees() < 120.01);
            // no cracks inside: the only boundary is that of the outermost pyramids
            let low = tree.point([0; 3]).x;
            for &n in &surface.nodes {
                let p = mesh.positions[n as usize];
                let depth = [0, 1, 2].map(|k| (p[k] - low).min(low + 32.0 - p[k]));
                assert!(depth.iter().any(|&d| d <= 4.0));
            }
        }
    }
}
