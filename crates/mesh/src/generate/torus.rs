//! Full and hollow tori around z.

use super::ball::{cube_to_ball, symmetric};
use super::grid::{Axis, Split, nodes, tetrahedra};
use super::{GenerateError, at_least, between, check_size, finish, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::{Vec3, vec3};
use std::f64::consts::TAU;

/// A solid torus around z, centred at the origin: `major` is the radius (m) of the circle that its core
/// follows, `minor` that of its round section; `divisions` = d cells from core to surface, `segments` = s around z.
///
/// Nodes: (2d+1)²·s. Tetrahedra: 24d²s. Needs `minor` < `major` and s ≥ 3.
pub fn torus(
    major: f64,
    minor: f64,
    divisions: usize,
    segments: usize,
) -> Result<Mesh, GenerateError> {
    positive("major radius", major)?;
    between("minor radius", minor, 0.0, major)?;
    at_least("divisions", 1, divisions)?;
    at_least("segments", 3, segments)?;
    let d = divisions;
    check_size(&[d, d, segments, 24])?;
    let section = Axis::outward(2 * d, d);
    let axes = [section, section, Axis::closed(segments)];
    // (z, radial, around) is a right-handed frame
    let positions = nodes(&axes, |[i, j, k]| {
        let disc = cube_to_ball(vec3(symmetric(i, d), symmetric(j, d), 0.0)) * minor;
        around_z(major + disc.y, disc.x, k, segments)
    });
    finish(
        positions,
        Elements::Tetrahedra(tetrahedra(&axes, Split::Six)),
    )
}

/// A hollow torus (an inner tube) around z, centred at the origin: the wall lies between the section radii
/// `inner` and `outer` (m); `cells` = [t through the wall, c around the section, s around z].
///
/// Nodes: (t+1)·c·s. Tetrahedra: 6·t·c·s. Needs `inner` < `outer` < `major`, c ≥ 3 and s ≥ 3. The boundary
/// has two pieces, the outside and the cavity.
pub fn ring(major: f64, inner: f64, outer: f64, cells: [usize; 3]) -> Result<Mesh, GenerateError> {
    positive("major radius", major)?;
    between("outer section radius", outer, 0.0, major)?;
    between("inner section radius", inner, 0.0, outer)?;
    let [through, around, segments] = cells;
    at_least("cells through the wall", 1, through)?;
    at_least("cells around the section", 3, around)?;
    at_least("cells around the axis", 3, segments)?;
    check_size(&[through, around, segments, 6])?;
    let axes = [
        Axis::open(through),
        Axis::closed(around),
        Axis::closed(segments),
    ];
    // the section is walked from radial towards −z, so that the frame is right-handed
    let positions = nodes(&axes, |[i, j, k]| {
        let radius = inner + (outer - inner) * (i as f64 / through as f64);
        let (sin, cos) = (TAU * j as f64 / around as f64).sin_cos();
        around_z(major + radius * cos, -radius * sin, k, segments)
    });
    finish(
        positions,
        Elements::Tetrahedra(tetrahedra(&axes, Split::Six)),
    )
}

/// The point at distance `rho` from the z axis, turned by `k` of `segments` parts of a full turn.
fn around_z(rho: f64, z: f64, k: usize, segments: usize) -> Vec3 {
    let (sin, cos) = (TAU * k as f64 / segments as f64).sin_cos();
    vec3(rho * cos, rho * sin, z)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, converges};
    use super::*;
    use crate::surface::Surface;
    use std::f64::consts::PI;

    #[test]
    fn tori() {
        for (d, s) in [(1, 12), (2, 24), (3, 30), (4, 40)] {
            let mesh = torus(0.4, 0.15, d, s).unwrap();
            check(&mesh, (2 * d + 1).pow(2) * s, 24 * d * d * s, 15.0, 1);
            let surface = Surface::of(&mesh);
            assert_eq!(2 * surface.nodes.len(), surface.triangles.len());
        }
        check(&torus(0.4, 0.15, 1, 3).unwrap(), 27, 72, 1.0, 1);
        converges(2.0 * PI * PI * 2.0 * 0.25, |d| torus(2.0, 0.5, d, 12 * d));
        assert!(torus(1.0, 1.0, 2, 12).is_err());
        assert!(torus(1.0, 0.5, 2, 2).is_err());
    }

    #[test]
    fn rings() {
        for (t, c, s) in [(1, 10, 24), (2, 16, 30)] {
            let mesh = ring(0.4, 0.1, 0.15, [t, c, s]).unwrap();
            check(&mesh, (t + 1) * c * s, 6 * t * c * s, 10.0, 2);
        }
        check(&ring(0.4, 0.1, 0.2, [1, 3, 3]).unwrap(), 18, 54, 1.0, 2);
        let exact = 2.0 * PI * PI * 2.0 * (0.25 - 0.09);
        converges(exact, |d| ring(2.0, 0.3, 0.5, [d, 6 * d, 16 * d]));
        assert!(ring(1.0, 0.5, 0.4, [1, 8, 8]).is_err());
        assert!(ring(1.0, 0.2, 1.4, [1, 8, 8]).is_err());
    }
}
