//! A plane band of varying width.

use super::{GenerateError, TriangleSplit, at_least, finish, rectangle};
use crate::mesh::Mesh;
use pliant_linalg::vec3;

/// A band in the plane z = 0 along x, symmetric about y = 0. `profile` = points (x, half width), m, rightwards, with straight
/// lines between them; `cells` = equal steps along x, and cells across.
///
/// Nodes: (nx+1)(ny+1), x fastest. Triangles: 2·nx·ny, diagonals changing direction from cell to cell.
pub fn band(profile: &[[f64; 2]], cells: [usize; 2]) -> Result<Mesh, GenerateError> {
    at_least("points of the profile", 2, profile.len())?;
    for (index, &[x, width]) in profile.iter().enumerate() {
        let bad = |problem: String| {
            let point = index + 1;
            Err(GenerateError::BadProfile { point, problem })
        };
        if !(x.is_finite() && width.is_finite() && width > 0.0) {
            return bad(format!(
                "({x}, {width}) must be finite, with a half width above 0"
            ));
        }
        if index > 0 && x <= profile[index - 1][0] {
            return bad(format!("at x = {x} is not right of the one before"));
        }
    }
    let (left, right) = (profile[0][0], profile[profile.len() - 1][0]);
    let square = rectangle([1.0, 1.0], cells, TriangleSplit::Alternating)?;
    let place = |share: f64| left + share * (right - left);
    let positions = square.positions.iter().map(|p| {
        let x = place(p.x);
        vec3(x, (2.0 * p.y - 1.0) * half_width(profile, x), 0.0)
    });
    finish(positions.collect(), square.elements.clone())
}

fn half_width(profile: &[[f64; 2]], x: f64) -> f64 {
    let after = profile.partition_point(|p| p[0] <= x);
    let end = after.clamp(1, profile.len() - 1);
    let ([a, from], [b, to]) = (profile[end - 1], profile[end]);
    let share = ((x - a) / (b - a)).clamp(0.0, 1.0);
    from + share * (to - from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Elements;

    #[test]
    fn a_spindle_by_hand() {
        let profile = [[0.0, 1.0], [2.0, 2.0], [4.0, 1.0]];
        let mesh = band(&profile, [8, 3]).unwrap();
        assert_eq!((mesh.node_count(), mesh.element_count()), (36, 48));
        assert!((mesh.total_volume() - 12.0).abs() < 1e-13);
        let (low, high) = mesh.bounds();
        assert_eq!((low, high), (vec3(0.0, -2.0, 0.0), vec3(4.0, 2.0, 0.0)));
        // the second column, a quarter of the way to the middle
        assert_eq!(mesh.positions[1], vec3(0.5, -1.25, 0.0));
        assert!(matches!(mesh.elements, Elements::Triangles(_)));
    }

    #[test]
    fn senseless_profiles_are_refused() {
        let too_short = band(&[[0.0, 1.0]], [2, 2]);
        assert!(matches!(too_short, Err(GenerateError::TooFew { .. })));
        for (bad, place) in [
            ([[0.0, 0.0], [1.0, 1.0]], 1),
            ([[0.0, 1.0], [0.0, 1.0]], 2),
            ([[0.0, 1.0], [f64::NAN, 1.0]], 2),
        ] {
            let error = band(&bad, [2, 2]).unwrap_err();
            assert!(
                matches!(error, GenerateError::BadProfile { point, .. } if point == place),
                "{error}"
            );
        }
        assert!(band(&[[0.0, 1.0], [1.0, 1.0]], [0, 2]).is_err());
    }
}
