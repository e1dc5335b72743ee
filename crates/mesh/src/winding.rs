//! Generalized winding numbers [JKS13]: how often a triangle surface winds round a point. 1 inside and 0 outside
//! a closed, outward surface; in between near holes, so that > ½ is a robust inside test for dirty surfaces.
//!
//! The fast version [BDS18] sums whole branches of a box tree by a second-order expansion of the dipole field
//! about the area-weighted centre, and descends to exact solid angles nearby.

use crate::bvh::Bvh;
use crate::surface_mesh::SurfaceMesh;
use pliant_linalg::{Mat3, Vec3};
use std::f64::consts::PI;

/// A branch is expanded beyond this many of its radii.
const ACCURACY: f64 = 2.3;

/// Depth of the tree times one waiting node a level, with room to spare.
const STACK: usize = 64;

/// A branch seen from afar.
#[derive(Clone, Copy, Debug)]
struct Dipole {
    centre: Vec3,
    /// Distance from the centre to the farthest corner, m.
    radius: f64,
    /// Σ area·normal, m².
    area_normal: Vec3,
    /// Σ area (centroid − centre) ⊗ normal, m³.
    moment: Mat3,
}

/// Winding numbers of one surface.
#[derive(Clone, Debug)]
pub struct Winding {
    corners: Vec<[Vec3; 3]>,
    tree: Bvh,
    dipoles: Vec<Dipole>,
}

impl Winding {
    /// Prepares the tree.
    pub fn new(surface: &SurfaceMesh) -> Winding {
        Winding::with_tree(surface, Bvh::new(&surface.triangle_boxes()))
    }

    /// The same with a tree over the boxes of the triangles that exists already.
    pub fn with_tree(surface: &SurfaceMesh, tree: Bvh) -> Winding {
        let corners: Vec<[Vec3; 3]> = (0..surface.triangles.len())
            .map(|t| surface.corners(t))
            .collect();
        let mut winding = Winding {
            corners,
            dipoles: Vec::with_capacity(tree.node_count()),
            tree,
        };
        // triangles below each node, in tree order; children follow their parents
        for n in 0..winding.tree.node_count() {
            let below = winding.items_below(n);
            winding.dipoles.push(winding.dipole(&below));
        }
        winding
    }

    fn items_below(&self, n: usize) -> Vec<u32> {
        let mut items = Vec::new();
        let mut stack = vec![n];
        while let Some(m) = stack.pop() {
            match self.tree.node(m) {
                Ok(leaf) => items.extend_from_slice(leaf),
                Err([left, right]) => stack.extend([right, left]),
            }
        }
        items
    }

    fn dipole(&self, items: &[u32]) -> Dipole {
        let mut total = 0.0;
        let mut centre = Vec3::ZERO;
        let mut plain = Vec3::ZERO;
        let mut area_normal = Vec3::ZERO;
        for &i in items {
            let [a, b, c] = self.corners[i as usize];
            let half_cross = (b - a).cross(c - a) * 0.5;
            let centroid = (a + b + c) / 3.0;
            let area = half_cross.norm();
            total += area;
            centre += centroid * area;
            plain += centroid;
            area_normal += half_cross;
        }
        let centre = if total > 0.0 {
            centre / total
        } else {
            plain / items.len().max(1) as f64
        };
        let mut radius_squared = 0.0f64;
        let mut moment = Mat3::default();
        for &i in items {
            let [a, b, c] = self.corners[i as usize];
            let half_cross = (b - a).cross(c - a) * 0.5;
            moment += Mat3::outer((a + b + c) / 3.0 - centre, half_cross);
            for p in [a, b, c] {
                radius_squared = radius_squared.max((p - centre).norm_squared());
            }
        }
        Dipole {
            centre,
            radius: radius_squared.sqrt(),
            area_normal,
            moment,
        }
    }

    /// The winding number at `p`, to about 0.05: enough to tell inside from outside.
    pub fn fast(&self, p: Vec3) -> f64 {
        let mut sum = 0.0;
        let mut stack = [0usize; STACK];
        let mut waiting = usize::from(!self.dipoles.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let n = stack[waiting];
            let dipole = &self.dipoles[n];
            let x = dipole.centre - p;
            let distance_squared = x.norm_squared();
            let limit = ACCURACY * dipole.radius;
            if distance_squared > limit * limit {
                // x·N/r³ + tr M/r³ − 3 x·Mx/r⁵, all over 4π
                let inverse_cube = 1.0 / (distance_squared * distance_squared.sqrt());
                let second =
                    dipole.moment.trace() - 3.0 * x.dot(dipole.moment * x) / distance_squared;
                sum += (x.dot(dipole.area_normal) + second) * inverse_cube;
                continue;
            }
            match self.tree.node(n) {
                Ok(items) => {
                    for &i in items {
                        sum += solid_angle(self.corners[i as usize], p);
                    }
                }
                Err([left, right]) => {
                    stack[waiting] = right;
                    stack[waiting + 1] = left;
                    waiting += 2;
                }
            }
        }
        sum / (4.0 * PI)
    }

    /// The winding number at `p` from the solid angle of every triangle.
    pub fn exact(&self, p: Vec3) -> f64 {
        let sum: f64 = self.corners.iter().map(|&t| solid_angle(t, p)).sum();
        sum / (4.0 * PI)
    }
}

/// Signed solid angle of a triangle seen from `p`, positive when `p` is behind it [VOS83].
pub fn solid_angle(triangle: [Vec3; 3], p: Vec3) -> f64 {
    let [a, b, c] = triangle.map(|x| x - p);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    if volume == 0.0 {
        return 0.0;
    }
    2.0 * volume.atan2(denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{ball, torus};
    use pliant_linalg::vec3;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn a_ball_counts_once_inside_and_never_outside() {
        let skin = SurfaceMesh::of(&ball(1.0, 8).unwrap()).unwrap();
        let winding = Winding::new(&skin);
        let mut seed = 3;
        for _ in 0..500 {
            let p = vec3(noise(&mut seed), noise(&mut seed), noise(&mut seed)) * 3.0
                - vec3(1.5, 1.5, 1.5);
            if (p.norm() - 0.97).abs() < 0.1 {
                continue;
            }
            let expected = if p.norm() < 0.97 { 1.0 } else { 0.0 };
            assert!((winding.exact(p) - expected).abs() < 1e-12);
            assert!(
                (winding.fast(p) - expected).abs() < 0.1,
                "{p:?} {}",
                winding.fast(p)
            );
        }
    }

    #[test]
    fn fast_agrees_with_exact_on_an_open_surface() {
        let mut skin = SurfaceMesh::of(&torus(1.0, 0.4, 4, 32).unwrap()).unwrap();
        skin.triangles.truncate(skin.triangles.len() * 2 / 3);
        let winding = Winding::new(&skin);
        let mut seed = 5;
        let mut fractional = 0;
        for _ in 0..500 {
            let p = vec3(noise(&mut seed), noise(&mut seed), noise(&mut seed)) * 3.0
                - vec3(1.5, 1.5, 1.5);
            let exact = winding.exact(p);
            assert!(
                (winding.fast(p) - exact).abs() < 0.1,
                "{} {exact}",
                winding.fast(p)
            );
            fractional += usize::from(exact > 0.1 && exact < 0.9);
        }
        assert!(fractional > 5, "{fractional}");
    }

    #[test]
    fn one_face_of_a_cube_is_a_sixth() {
        let corner = |x: f64, y: f64| vec3(x, y, 1.0);
        let (a, b, c, d) = (
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        );
        let sum = solid_angle([a, b, c], Vec3::ZERO) + solid_angle([a, c, d], Vec3::ZERO);
        assert!((sum - 4.0 * PI / 6.0).abs() < 1e-14);
    }
}
