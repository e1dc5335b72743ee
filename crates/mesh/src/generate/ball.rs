//! Ball and capsule: cubes bent round.
//!
//! A point p of the cube |p|∞ ≤ 1 goes to the sphere of radius |p|∞, in the direction of tan(π/4 · p/|p|∞)
//! taken by components. Equal steps on a cube face become equal angles, which keeps the largest and smallest
//! element within a factor of 1.5 in volume, and cells are cut along their radial diagonal, without which
//! those at the cube's edges and corners would go flat. Dihedral angles stay between 29° and 114°.

use super::grid::{Axis, Split, nodes, tetrahedra};
use super::{GenerateError, at_least, check_size, finish, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::{Vec3, vec3};
use std::f64::consts::FRAC_PI_4;

/// The cube |p|∞ ≤ 1 to the unit ball; keeps the planes x, y, z = 0.
pub(super) fn cube_to_ball(p: Vec3) -> Vec3 {
    let shell = p.max_abs();
    if shell == 0.0 {
        return Vec3::ZERO;
    }
    let warp = |x: f64| (FRAC_PI_4 * x / shell).tan();
    let direction = vec3(warp(p.x), warp(p.y), warp(p.z));
    direction * (shell / direction.norm())
}

/// Grid index 0..=2d to −1..=1, exact at both ends and in the middle.
pub(super) fn symmetric(index: usize, divisions: usize) -> f64 {
    (index as f64 - divisions as f64) / divisions as f64
}

/// A ball of `radius` (m) centred at the origin, `divisions` = d cells from centre to surface.
///
/// Nodes: (2d+1)³, of which 24d²+2 on the surface. Tetrahedra: 48d³.
pub fn ball(radius: f64, divisions: usize) -> Result<Mesh, GenerateError> {
    positive("radius", radius)?;
    at_least("divisions", 1, divisions)?;
    check_size(&[divisions, divisions, divisions, 48])?;
    let d = divisions;
    let axes = [Axis::outward(2 * d, d); 3];
    let positions = nodes(&axes, |index| {
        let [x, y, z] = index.map(|i| symmetric(i, d));
        cube_to_ball(vec3(x, y, z)) * radius
    });
    finish(
        positions,
        Elements::Tetrahedra(tetrahedra(&axes, Split::Six)),
    )
}

/// A cylinder of `radius` and `length` (m, without the caps) with a half ball on each end, centred at the
/// origin along z; `divisions` = d cells from axis to surface, `layers` = m cells along the straight part.
///
/// Nodes: (2d+1)²(2d+m+1). Tetrahedra: 24d²(2d+m). Overall length: `length` + 2·`radius`.
pub fn capsule(
    radius: f64,
    length: f64,
    divisions: usize,
    layers: usize,
) -> Result<Mesh, GenerateError> {
    positive("radius", radius)?;
    positive("length", length)?;
    at_least("divisions", 1, divisions)?;
    at_least("layers", 1, layers)?;
    let (d, m) = (divisions, layers);
    check_size(&[d, d, d.saturating_mul(2).saturating_add(m), 24])?;
    // node planes 0..=d are the lower cap, d..=d+m the straight part, d+m..=2d+m the upper cap
    let section = Axis::outward(2 * d, d);
    let axes = [section, section, Axis::outward(2 * d + m, d)];
    let positions = nodes(&axes, |[i, j, k]| {
        let layer = k.saturating_sub(d).min(m);
        let in_cap = k as f64 - (d + layer) as f64;
        let point = vec3(symmetric(i, d), symmetric(j, d), in_cap / d as f64);
        let base = length * (layer as f64 / m as f64 - 0.5);
        cube_to_ball(point) * radius + vec3(0.0, 0.0, base)
    });
    finish(
        positions,
        Elements::Tetrahedra(tetrahedra(&axes, Split::Six)),
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, converges};
    use super::*;
    use crate::surface::Surface;
    use std::f64::consts::PI;

    #[test]
    fn balls() {
        for d in 1..7 {
            let mesh = ball(0.3, d).unwrap();
            check(&mesh, (2 * d + 1).pow(3), 48 * d.pow(3), 25.0, 1);
            let surface = Surface::of(&mesh);
            assert_eq!(surface.nodes.len(), 24 * d * d + 2);
            for &n in &surface.nodes {
                assert!((mesh.positions[n as usize].norm() - 0.3).abs() < 1e-15);
            }
        }
        converges(4.0 / 3.0 * PI * 8.0, |d| ball(2.0, d));
        assert!(ball(1.0, 0).is_err());
        assert!(ball(1.0, 1_000_000_000).is_err());
        assert!(ball(-1.0, 2).is_err());
    }

    #[test]
    fn capsules() {
        for (d, m) in [(1, 1), (2, 3), (3, 7), (5, 4)] {
            let mesh = capsule(0.1, 0.1 * m as f64 / d as f64, d, m).unwrap();
            let nodes = (2 * d + 1).pow(2) * (2 * d + m + 1);
            check(&mesh, nodes, 24 * d * d * (2 * d + m), 25.0, 1);
        }
        let mesh = capsule(0.5, 2.0, 3, 6).unwrap();
        let (low, high) = mesh.bounds();
        assert!((high - vec3(0.5, 0.5, 1.5)).norm() < 1e-14 && (low + high).norm() < 1e-14);
        converges(4.0 / 3.0 * PI + 3.0 * PI, |d| capsule(1.0, 3.0, d, 3 * d));
        assert!(capsule(1.0, 1.0, 1, 0).is_err());
        assert!(capsule(1.0, 1.0, 1, usize::MAX).is_err());
        assert!(capsule(1.0, 0.0, 1, 1).is_err());
    }
}
