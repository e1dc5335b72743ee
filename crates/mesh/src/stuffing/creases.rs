//! Sharp edges and corners of a surface, and the smooth patches between them.

use crate::aabb::Aabb;
use crate::bvh::Bvh;
use crate::components::root;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::closest_on_segment;
use pliant_linalg::Vec3;

/// A point where sharp edges meet or turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) position: Vec3,
    /// Patches round it, ascending.
    pub(super) patches: Vec<u32>,
}

/// The sharp features of a surface.
pub(super) struct Creases {
    /// Patch of each triangle.
    pub(super) patch_of: Vec<u32>,
    /// Sharp edges as segments.
    segments: Vec<[Vec3; 2]>,
    /// The two patches at each segment, ascending.
    pairs: Vec<[u32; 2]>,
    tree: Bvh,
    pub(super) corners: Vec<Corner>,
}

impl Creases {
    /// Edges at which the normal turns by more than `angle` (rad), or that more than two triangles share.
    pub(super) fn of(surface: &SurfaceMesh, angle: f64) -> Creases {
        let normals: Vec<Vec3> = (0..surface.triangles.len())
            .map(|t| {
                let [a, b, c] = surface.corners(t);
                (b - a).cross(c - a)
            })
            .collect();
        let mut uses: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * surface.triangles.len());
        for (t, &[a, b, c]) in surface.triangles.iter().enumerate() {
            for [i, j] in [[a, b], [b, c], [c, a]] {
                uses.push((i.min(j), i.max(j), t as u32));
            }
        }
        uses.sort_unstable();
        let mut parent: Vec<u32> = (0..surface.triangles.len() as u32).collect();
        let mut sharp: Vec<([u32; 2], Vec<u32>)> = Vec::new();
        for group in uses.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let triangles: Vec<u32> = group.iter().map(|u| u.2).collect();
            let is_sharp = match triangles[..] {
                [s, t] => {
                    let (m, n) = (normals[s as usize], normals[t as usize]);
                    m.cross(n).norm().atan2(m.dot(n)) > angle
                }
                [_] => false,
                _ => true,
            };
            if is_sharp {
                sharp.push(([group[0].0, group[0].1], triangles));
            } else if let [s, t] = triangles[..] {
                let (i, j) = (root(&mut parent, s), root(&mut parent, t));
                parent[i.max(j) as usize] = i.min(j);
            }
        }
        let patch_of: Vec<u32> = (0..parent.len() as u32)
            .map(|t| root(&mut parent, t))
            .collect();
        let at = |v: u32| surface.positions[v as usize];
        let (mut segments, mut pairs) = (Vec::new(), Vec::new());
        let mut ends: Vec<(u32, u32)> = Vec::new();
        for ([a, b], triangles) in &sharp {
            ends.extend([(*a, *b), (*b, *a)]);
            let mut patches: Vec<u32> = triangles.iter().map(|&t| patch_of[t as usize]).collect();
            patches.sort_unstable();
            patches.dedup();
            // every pair of different patches at the edge
            for (k, &p) in patches.iter().enumerate() {
                for &q in &patches[k + 1..] {
                    segments.push([at(*a), at(*b)]);
                    pairs.push([p, q]);
                }
            }
        }
        ends.sort_unstable();
        let mut is_corner = vec![false; surface.positions.len()];
        for group in ends.chunk_by(|a, b| a.0 == b.0) {
            let v = group[0].0;
            is_corner[v as usize] = match group {
                // the end of a crease inside a patch is smooth
                [_] => false,
                [(_, a), (_, b)] => {
                    let (d, e) = (at(v) - at(*a), at(*b) - at(v));
                    d.cross(e).norm().atan2(d.dot(e)) > angle
                }
                _ => true,
            };
        }
        let mut around: Vec<(u32, u32)> = Vec::new();
        for (t, triangle) in surface.triangles.iter().enumerate() {
            for &v in triangle {
                if is_corner[v as usize] {
                    around.push((v, patch_of[t]));
                }
            }
        }
        around.sort_unstable();
        around.dedup();
        let corners = around
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| Corner {
                position: at(group[0].0),
                patches: group.iter().map(|g| g.1).collect(),
            })
            .collect();
        let boxes: Vec<Aabb> = segments.iter().map(|s| Aabb::of(s)).collect();
        Creases {
            patch_of,
            tree: Bvh::new(&boxes),
            segments,
            pairs,
            corners,
        }
    }

    /// Point closest to `p`, within `limit`, on a crease between a patch of `first` and one of `second`, and those two.
    pub(super) fn closest(
        &self,
        p: Vec3,
        limit: f64,
        first: &[u32],
        second: &[u32],
    ) -> Option<(Vec3, [u32; 2])> {
        let on = |s: u32| {
            let [a, b] = self.segments[s as usize];
            a + (b - a) * closest_on_segment(a, b, p)
        };
        let wanted = |[a, b]: [u32; 2]| {
            (first.contains(&a) && second.contains(&b))
                || (first.contains(&b) && second.contains(&a))
        };
        let (s, _) = self.tree.nearest(p, limit * limit, |s| {
            if wanted(self.pairs[s as usize]) {
                (on(s) - p).norm_squared()
            } else {
                f64::INFINITY
            }
        })?;
        Some((on(s), self.pairs[s as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar, cylinder};
    use pliant_linalg::vec3;

    #[test]
    fn a_box_has_six_patches_and_eight_corners() {
        let mesh = bar(vec3(2.0, 3.0, 4.0), [2, 3, 4], Split::Six).unwrap();
        let creases = Creases::of(&SurfaceMesh::of(&mesh).unwrap(), 0.7);
        let mut patches = creases.patch_of.clone();
        patches.sort_unstable();
        patches.dedup();
        assert_eq!(patches.len(), 6);
        assert_eq!(creases.corners.len(), 8);
        assert!(creases.corners.iter().all(|c| c.patches.len() == 3));
        let length: f64 = creases.segments.iter().map(|s| (s[1] - s[0]).norm()).sum();
        assert!((length - 36.0).abs() < 1e-12);
    }

    #[test]
    fn a_cylinder_has_two_rims_and_no_corner() {
        let mesh = cylinder(1.0, 2.0, 8, 4).unwrap();
        let creases = Creases::of(&SurfaceMesh::of(&mesh).unwrap(), 0.9);
        let mut patches = creases.patch_of.clone();
        patches.sort_unstable();
        patches.dedup();
        assert_eq!(patches.len(), 3);
        assert!(creases.corners.is_empty());
    }
}
