//! The volume that closed walls enclose, by the divergence theorem, and what it changes with.
//!
//! Walls are oriented out of the body, into the cavity, so V = −⅓ Σ A·x over the facets with area vector A and centre x, and
//! ∂V/∂x of a corner is −⅓ Σ A over its facets (exact for closed walls). In the plane V = −½ t Σ n·x over edges of thickness t.

use crate::drive::Faces;
use pliant_linalg::Vec3;

/// Volume, m³; negative for walls that are the outside of a body.
pub(super) fn volume(walls: &Faces, position: impl Fn(u32) -> Vec3) -> f64 {
    // about one of the corners, so that rounding does not grow with the distance from the origin
    let first = match walls {
        Faces::Triangles(list) => list.first().map(|t| t[0]),
        Faces::Edges(list, _) => list.first().map(|e| e[0]),
    };
    let Some(centre) = first.map(&position) else {
        return 0.0;
    };
    let x = |n: u32| position(n) - centre;
    match walls {
        Faces::Triangles(list) => {
            let six: f64 = list
                .iter()
                .map(|t| x(t[0]).dot(x(t[1]).cross(x(t[2]))))
                .sum();
            -six / 6.0
        }
        Faces::Edges(list, thickness) => {
            let twice: f64 = list.iter().map(|e| x(e[0]).cross(x(e[1])).z).sum();
            -0.5 * thickness * twice
        }
    }
}

/// Calls `add` with corners of walls and their part of ∂V/∂x, m²; a corner comes once for each of its facets.
pub(super) fn gradient(walls: &Faces, x: impl Fn(u32) -> Vec3, mut add: impl FnMut(u32, Vec3)) {
    match walls {
        Faces::Triangles(list) => {
            for t in list {
                let area = (x(t[1]) - x(t[0])).cross(x(t[2]) - x(t[0])) * 0.5;
                for &corner in t {
                    add(corner, area / -3.0);
                }
            }
        }
        Faces::Edges(list, thickness) => {
            for e in list {
                let d = x(e[1]) - x(e[0]);
                let normal = Vec3::new(d.y, -d.x, 0.0) * *thickness;
                for &corner in e {
                    add(corner, normal / -2.0);
                }
            }
        }
    }
}

/// Area of the walls, m².
pub(super) fn area(walls: &Faces, x: impl Fn(u32) -> Vec3) -> f64 {
    match walls {
        Faces::Triangles(list) => list
            .iter()
            .map(|t| (x(t[1]) - x(t[0])).cross(x(t[2]) - x(t[0])).norm() * 0.5)
            .sum(),
        Faces::Edges(list, thickness) => list
            .iter()
            .map(|e| (x(e[1]) - x(e[0])).norm() * thickness)
            .sum(),
    }
}

/// Whether every edge (in the plane: every node) of the walls has a wall on both sides.
pub(super) fn is_closed(walls: &Faces) -> bool {
    let mut sides: Vec<([u32; 2], bool)> = match walls {
        Faces::Triangles(list) => (list.iter())
            .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
            .map(|[a, b]| ([a.min(b), a.max(b)], a < b))
            .collect(),
        Faces::Edges(list, _) => (list.iter())
            .flat_map(|e| [([e[0]; 2], false), ([e[1]; 2], true)])
            .collect(),
    };
    sides.sort_unstable();
    !sides.is_empty()
        && sides.chunk_by(|a, b| a.0 == b.0).all(|same| {
            let forward = same.iter().filter(|(_, side)| *side).count();
            2 * forward == same.len()
        })
}
