//! Full and hollow cylinders along z.

use super::ball::{cube_to_ball, symmetric};
use super::grid::{Axis, Split, nodes, tetrahedra};
use super::{GenerateError, at_least, between, check_size, finish, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::vec3;
use std::f64::consts::TAU;

/// A cylinder of `radius` and `length` (m) along z, centred at the origin; `divisions` = d cells from axis to
/// surface (8d around it), `layers` = m cells along the length.
///
/// Nodes: (2d+1)²(m+1). Tetrahedra: 24d²m.
pub fn cylinder(
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
    check_size(&[d, d, m, 24])?;
    let section = Axis::outward(2 * d, d);
    let axes = [section, section, Axis::open(m)];
    let positions = nodes(&axes, |[i, j, k]| {
        let disc = cube_to_ball(vec3(symmetric(i, d), symmetric(j, d), 0.0));
        disc * radius + vec3(0.0, 0.0, length * (k as f64 / m as f64 - 0.5))
    });
    finish(
        positions,
        Elements::Tetrahedra(tetrahedra(&axes, Split::Six)),
    )
}

/// A hollow cylinder between `inner` and `outer` radius, `length` long (m), along z, centred at the origin;
/// `cells` = [r through the wall, c around, m along]. A short one is a flat ring.
///
/// Nodes: (r+1)·c·(m+1). Tetrahedra: 6·r·c·m. Needs c ≥ 3.
pub fn tube(inner: f64, outer: f64, length: f64, cells: [usize; 3]) -> Result<Mesh, GenerateError> {
    positive("outer radius", outer)?;
    between("inner radius", inner, 0.0, outer)?;
    positive("length", length)?;
    let [through, around, along] = cells;
    at_least("cells through the wall", 1, through)?;
    at_least("cells around", 3, around)?;
    at_least("cells along", 1, along)?;
    check_size(&[through, around, along, 6])?;
    let axes = [Axis::open(through), Axis::closed(around), Axis::open(along)];
    let positions = nodes(&axes, |[i, j, k]| {
        let radius = inner + (outer - inner) * (i as f64 / through as f64);
        let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
        let z = length * (k as f64 / along as f64 - 0.5);
        vec3(radius * cos, radius * sin, z)
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
    fn cylinders() {
        for (d, m) in [(1, 1), (2, 3), (3, 7), (6, 2)] {
            let mesh = cylinder(0.1, 0.1 * m as f64 / d as f64, d, m).unwrap();
            check(&mesh, (2 * d + 1).pow(2) * (m + 1), 24 * d * d * m, 25.0, 1);
        }
        converges(PI * 3.0, |d| cylinder(1.0, 3.0, d, 3 * d));
        assert!(cylinder(1.0, f64::INFINITY, 1, 1).is_err());
        assert!(cylinder(1.0, 1.0, 1, usize::MAX).is_err());
    }

    #[test]
    fn tubes() {
        for (r, c, m) in [(1, 8, 4), (2, 24, 3), (3, 36, 9)] {
            let mesh = tube(0.3, 0.5, 0.6, [r, c, m]).unwrap();
            check(&mesh, (r + 1) * c * (m + 1), 6 * r * c * m, 20.0, 1);
            // a tube is a thickened circle: its surface is a torus, Euler characteristic 0
            let surface = Surface::of(&mesh);
            assert_eq!(2 * surface.nodes.len(), surface.triangles.len());
        }
        // the coarsest one is still a valid mesh
        check(&tube(0.3, 0.5, 0.6, [1, 3, 1]).unwrap(), 12, 18, 1.0, 1);
        converges(PI * 3.0 * 2.0, |d| tube(1.0, 2.0, 2.0, [d, 6 * d, d]));
        assert!(tube(0.5, 0.5, 1.0, [1, 8, 1]).is_err());
        assert!(tube(0.1, 0.5, 1.0, [1, 2, 1]).is_err());
    }
}
