//! How well shaped elements are: dihedral angles and radius ratio of tetrahedra, corner angles and radius
//! ratio of triangles. Angles in radians. The radius ratio is (dimension)·inradius/circumradius:
//! 1 for the regular shape, 0 for a flat one.

use crate::adjacency::{TETRAHEDRON_EDGES, TETRAHEDRON_FACES};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::Vec3;

/// Inner angles between the faces at the six edges, in the order of [`TETRAHEDRON_EDGES`].
pub fn dihedral_angles(points: [Vec3; 4]) -> [f64; 6] {
    let normals =
        TETRAHEDRON_FACES.map(|[a, b, c]| (points[b] - points[a]).cross(points[c] - points[a]));
    TETRAHEDRON_EDGES.map(|edge| {
        // the faces at an edge are those opposite to the two other nodes
        let mut others = (0..4).filter(|i| !edge.contains(i));
        let (i, j) = (others.next().unwrap_or(0), others.next().unwrap_or(0));
        let (m, n) = (normals[i], normals[j]);
        m.cross(n).norm().atan2(-m.dot(n))
    })
}

/// Smallest of the dihedral angles, to about 1e-8: by one arc cosine instead of six arc tangents.
pub fn smallest_dihedral(points: [Vec3; 4]) -> f64 {
    let normals = TETRAHEDRON_FACES.map(|[a, b, c]| {
        let normal = (points[b] - points[a]).cross(points[c] - points[a]);
        normal / normal.norm().max(f64::MIN_POSITIVE)
    });
    let mut largest: f64 = -1.0;
    for i in 0..4 {
        for j in i + 1..4 {
            largest = largest.max(-normals[i].dot(normals[j]));
        }
    }
    largest.min(1.0).acos()
}

/// 3·inradius/circumradius of a tetrahedron, from 0 (flat) to 1 (regular).
pub fn tetrahedron_radius_ratio(points: [Vec3; 4]) -> f64 {
    let [u, v, w] = [1, 2, 3].map(|i| points[i] - points[0]);
    let six_volumes = u.dot(v.cross(w)).abs();
    let twice_area: f64 = TETRAHEDRON_FACES
        .iter()
        .map(|&[a, b, c]| (points[b] - points[a]).cross(points[c] - points[a]).norm())
        .sum();
    // inradius = 3V/A; circumradius = |‖u‖² v×w + ‖v‖² w×u + ‖w‖² u×v| / 12V
    let circle = (v.cross(w) * u.norm_squared()
        + w.cross(u) * v.norm_squared()
        + u.cross(v) * w.norm_squared())
    .norm();
    let product = twice_area * circle;
    if product > 0.0 {
        6.0 * six_volumes * six_volumes / product
    } else {
        0.0
    }
}

/// Corner angles of a triangle.
pub fn corner_angles(points: [Vec3; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let (u, v) = (
            points[(i + 1) % 3] - points[i],
            points[(i + 2) % 3] - points[i],
        );
        u.cross(v).norm().atan2(u.dot(v))
    })
}

/// 2·inradius/circumradius of a triangle, from 0 (flat) to 1 (equilateral).
pub fn triangle_radius_ratio(points: [Vec3; 3]) -> f64 {
    // inradius = 2A/(a+b+c), circumradius = abc/4A
    let [a, b, c] = [0, 1, 2].map(|i| (points[(i + 1) % 3] - points[i]).norm());
    let twice_area = (points[1] - points[0]).cross(points[2] - points[0]).norm();
    let product = a * b * c * (a + b + c);
    if product > 0.0 {
        4.0 * twice_area * twice_area / product
    } else {
        0.0
    }
}

/// Extremes over a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Smallest dihedral angle (corner angle in 2D), rad.
    pub min_angle: f64,
    /// Largest dihedral angle (corner angle in 2D), rad.
    pub max_angle: f64,
    /// Smallest radius ratio.
    pub min_radius_ratio: f64,
    /// Mean radius ratio.
    pub mean_radius_ratio: f64,
    /// The element with the smallest angle.
    pub worst_element: usize,
}

impl Quality {
    /// Measures every element of `mesh`.
    pub fn of(mesh: &Mesh) -> Quality {
        let mut quality = Quality {
            min_angle: f64::INFINITY,
            max_angle: 0.0,
            min_radius_ratio: f64::INFINITY,
            mean_radius_ratio: 0.0,
            worst_element: 0,
        };
        let at = |n: u32| mesh.positions[n as usize];
        match &mesh.elements {
            Elements::Tetrahedra(list) => {
                for (e, nodes) in list.iter().enumerate() {
                    let points = nodes.map(at);
                    quality.add(
                        e,
                        &dihedral_angles(points),
                        tetrahedron_radius_ratio(points),
                    );
                }
            }
            Elements::Triangles(list) => {
                for (e, nodes) in list.iter().enumerate() {
                    let points = nodes.map(at);
                    quality.add(e, &corner_angles(points), triangle_radius_ratio(points));
                }
            }
        }
        quality.mean_radius_ratio /= mesh.element_count().max(1) as f64;
        quality
    }

    fn add(&mut self, e: usize, angles: &[f64], radius_ratio: f64) {
        for &angle in angles {
            if angle < self.min_angle {
                self.min_angle = angle;
                self.worst_element = e;
            }
            self.max_angle = self.max_angle.max(angle);
        }
        self.min_radius_ratio = self.min_radius_ratio.min(radius_ratio);
        self.mean_radius_ratio += radius_ratio;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_angle_is_the_smallest() {
        let corner = |i: u32, k: f64| {
            let seed = f64::from(i) * 12.9898 + k * 78.233;
            pliant_linalg::vec3(seed.sin(), (1.7 * seed).sin(), (2.3 * seed).cos())
        };
        for i in 0..200 {
            let points = [0.0, 1.0, 2.0, 3.0].map(|k| corner(i, k));
            let exact = dihedral_angles(points)
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            assert!((smallest_dihedral(points) - exact).abs() < 1e-7);
        }
    }

    use crate::generate::{Split, TriangleSplit, bar, rectangle};
    use pliant_linalg::vec3;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    #[test]
    fn regular_tetrahedron() {
        let points = [
            vec3(1.0, 1.0, 1.0),
            vec3(1.0, -1.0, -1.0),
            vec3(-1.0, 1.0, -1.0),
            vec3(-1.0, -1.0, 1.0),
        ];
        for angle in dihedral_angles(points) {
            assert!((angle - (1.0f64 / 3.0).acos()).abs() < 1e-14);
        }
        assert!((tetrahedron_radius_ratio(points) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn corner_tetrahedron() {
        let points = [Vec3::ZERO, Vec3::AXES[0], Vec3::AXES[1], Vec3::AXES[2]];
        let slanted = (1.0 / 3.0f64.sqrt()).acos();
        let expected = [FRAC_PI_2, FRAC_PI_2, FRAC_PI_2, slanted, slanted, slanted];
        for (angle, wanted) in dihedral_angles(points).iter().zip(expected) {
            assert!((angle - wanted).abs() < 1e-14);
        }
        // inradius 1/(3+√3), circumradius √3/2
        let ratio = 3.0 / (3.0 + 3.0f64.sqrt()) / (3.0f64.sqrt() / 2.0);
        assert!((tetrahedron_radius_ratio(points) - ratio).abs() < 1e-14);
    }

    #[test]
    fn grids_have_known_angles() {
        let quality = Quality::of(&bar(vec3(3.0, 2.0, 1.0), [3, 2, 1], Split::Six).unwrap());
        assert!((quality.min_angle - FRAC_PI_4).abs() < 1e-12);
        assert!((quality.max_angle - FRAC_PI_2).abs() < 1e-12);
        let plane = rectangle([2.0, 1.0], [2, 1], TriangleSplit::Crossed).unwrap();
        let quality = Quality::of(&plane);
        assert!((quality.min_angle - FRAC_PI_4).abs() < 1e-14);
        let right_isosceles = 2.0 * (2.0f64.sqrt() - 1.0);
        assert!((quality.min_radius_ratio - right_isosceles).abs() < 1e-14);
        assert!((quality.mean_radius_ratio - right_isosceles).abs() < 1e-14);
    }
}
