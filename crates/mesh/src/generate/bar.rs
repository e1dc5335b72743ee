//! The box-shaped bar.

use super::grid::{Axis, Split, nodes, tetrahedra};
use super::{GenerateError, at_least, check_size, finish, positive};
use crate::mesh::{Elements, Mesh};
use pliant_linalg::{Vec3, vec3};

/// A box with one corner at the origin and the opposite one at `size` (m).
///
/// Nodes: (nx+1)(ny+1)(nz+1), x fastest. Tetrahedra: 6·nx·ny·nz or 5·nx·ny·nz. Volume exact.
pub fn bar(size: Vec3, cells: [usize; 3], split: Split) -> Result<Mesh, GenerateError> {
    for (what, length) in ["size x", "size y", "size z"]
        .into_iter()
        .zip(size.to_array())
    {
        positive(what, length)?;
    }
    for (what, count) in ["cells along x", "cells along y", "cells along z"]
        .into_iter()
        .zip(cells)
    {
        at_least(what, 1, count)?;
    }
    check_size(&[cells[0], cells[1], cells[2], split.tetrahedra_per_cell()])?;
    let axes = cells.map(Axis::open);
    let fraction = |index: usize, a: usize| index as f64 / cells[a] as f64;
    let positions = nodes(&axes, |[i, j, k]| {
        size.scale(vec3(fraction(i, 0), fraction(j, 1), fraction(k, 2)))
    });
    finish(positions, Elements::Tetrahedra(tetrahedra(&axes, split)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;

    #[test]
    fn counts_and_volume_are_exact() {
        for split in [Split::Six, Split::Five] {
            let mesh = bar(vec3(0.1, 0.03, 0.02), [20, 6, 5], split).unwrap();
            assert_eq!(mesh.node_count(), 21 * 7 * 6);
            assert_eq!(
                mesh.element_count(),
                20 * 6 * 5 * split.tetrahedra_per_cell()
            );
            assert!((mesh.total_volume() - 6e-5).abs() < 1e-16);
            assert_eq!(mesh.bounds(), (Vec3::ZERO, vec3(0.1, 0.03, 0.02)));
            let surface = Surface::of(&mesh);
            assert!(surface.is_closed_manifold() && surface.overshared_faces == 0);
        }
    }

    #[test]
    fn absurd_requests_are_refused_before_allocating() {
        let one = vec3(1.0, 1.0, 1.0);
        let error = bar(one, [3, 0, 3], Split::Six).unwrap_err();
        assert_eq!(error.to_string(), "cells along y must be at least 1, not 0");
        let error = bar(one, [usize::MAX; 3], Split::Six).unwrap_err();
        assert!(matches!(error, GenerateError::TooMany { .. }));
        let error = bar(one, [1000, 1000, 9], Split::Six).unwrap_err();
        assert_eq!(
            error,
            GenerateError::TooMany {
                elements: 54_000_000
            }
        );
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(bar(vec3(1.0, bad, 1.0), [1; 3], Split::Six).is_err());
        }
    }
}
