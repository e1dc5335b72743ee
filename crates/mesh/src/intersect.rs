//! Self-intersections of a surface: pairs of triangles that cross or lie on each other.
//!
//! Only proper crossings count: triangles that merely touch, as the corners of unwelded neighbours do, are left alone.

use crate::bvh::Bvh;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::segment_crossing;
use pliant_linalg::Vec3;

/// Touching within this fraction of the size of the pair is not crossing.
const TOUCH: f64 = 1e-9;

/// Pairs of triangles that cross or overlap, ascending, at most `limit` of them.
pub fn self_intersections(surface: &SurfaceMesh, limit: usize) -> Vec<[u32; 2]> {
    let boxes = surface.triangle_boxes();
    let tree = Bvh::new(&boxes);
    let mut found = Vec::new();
    let mut near = Vec::new();
    for i in 0..boxes.len() {
        near.clear();
        tree.near_box(&boxes[i], &mut near);
        near.retain(|&j| j as usize > i && boxes[j as usize].overlaps(&boxes[i]));
        near.sort_unstable();
        for &j in &near {
            if found.len() >= limit {
                return found;
            }
            if intersect(surface, i, j as usize) {
                found.push([i as u32, j]);
            }
        }
    }
    found
}

fn intersect(surface: &SurfaceMesh, i: usize, j: usize) -> bool {
    let (s, t) = (surface.triangles[i], surface.triangles[j]);
    let degenerate = |t: [u32; 3]| t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
    if degenerate(s) || degenerate(t) {
        return false;
    }
    let (p, q) = (surface.corners(i), surface.corners(j));
    let shared: Vec<u32> = s.iter().copied().filter(|v| t.contains(v)).collect();
    match shared.len() {
        3 => true,
        2 => folded(p, q, s, t),
        1 => {
            // the edge opposite to the shared corner against the other triangle
            let opposite = |own: [u32; 3], corners: [Vec3; 3]| {
                let k = own.iter().position(|v| *v == shared[0]).unwrap_or(0);
                [corners[(k + 1) % 3], corners[(k + 2) % 3]]
            };
            crosses(opposite(s, p), q)
                || crosses(opposite(t, q), p)
                || (coplanar(p, q) && overlap_in_plane(p, q))
        }
        _ => {
            let edges = |c: [Vec3; 3]| [[c[0], c[1]], [c[1], c[2]], [c[2], c[0]]];
            edges(p).iter().any(|&e| crosses(e, q))
                || edges(q).iter().any(|&e| crosses(e, p))
                || (coplanar(p, q) && overlap_in_plane(p, q))
        }
    }
}

/// Whether the segment passes through the inside of the triangle.
fn crosses([start, end]: [Vec3; 2], triangle: [Vec3; 3]) -> bool {
    let Some(t) = segment_crossing(triangle, start, end) else {
        return false;
    };
    let [a, b, c] = triangle;
    let normal = (b - a).cross(c - a);
    let area = normal.norm();
    let size = (end - start).norm().max(area.sqrt());
    let above = |p: Vec3| (p - a).dot(normal) / area;
    // both ends clearly on their sides, the point clearly inside all three edges
    let x = start + (end - start) * t;
    let clear =
        |p: Vec3, q: Vec3| (q - p).cross(x - p).dot(normal) > TOUCH * size * area * (q - p).norm();
    above(start).abs() > TOUCH * size
        && above(end).abs() > TOUCH * size
        && clear(a, b)
        && clear(b, c)
        && clear(c, a)
}

/// Whether two triangles at a common edge lie on each other.
fn folded(p: [Vec3; 3], q: [Vec3; 3], s: [u32; 3], t: [u32; 3]) -> bool {
    let lone =
        |own: [u32; 3], other: [u32; 3]| own.iter().position(|v| !other.contains(v)).unwrap_or(0);
    let k = lone(s, t);
    let (start, end) = (p[(k + 1) % 3], p[(k + 2) % 3]);
    let edge = end - start;
    let across = |x: Vec3| (x - start) - edge * ((x - start).dot(edge) / edge.norm_squared());
    let (u, v) = (across(p[k]), across(q[lone(t, s)]));
    let product = u.norm() * v.norm();
    product > 0.0 && u.dot(v) > 0.0 && u.cross(v).norm() < TOUCH * product
}

fn coplanar(p: [Vec3; 3], q: [Vec3; 3]) -> bool {
    let normal = (p[1] - p[0]).cross(p[2] - p[0]);
    let area = normal.norm();
    area > 0.0
        && q.iter()
            .all(|&x| (x - p[0]).dot(normal).abs() < TOUCH * area * area.sqrt())
}

/// Whether coplanar triangles share area: no edge line of either has the other on its far side.
fn overlap_in_plane(p: [Vec3; 3], q: [Vec3; 3]) -> bool {
    let separates = |a: [Vec3; 3], b: [Vec3; 3]| {
        let normal = (a[1] - a[0]).cross(a[2] - a[0]);
        (0..3).any(|k| {
            let (start, edge) = (a[k], a[(k + 1) % 3] - a[k]);
            let inward = normal.cross(edge);
            let scale = TOUCH * inward.norm() * edge.norm();
            b.iter().all(|&x| (x - start).dot(inward) <= scale)
        })
    };
    !separates(p, q) && !separates(q, p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, ball, bar};
    use pliant_linalg::vec3;

    fn joined(a: &SurfaceMesh, b: &SurfaceMesh) -> SurfaceMesh {
        let n = a.positions.len() as u32;
        let shifted = b.triangles.iter().map(|t| t.map(|v| v + n));
        SurfaceMesh {
            positions: [a.positions.clone(), b.positions.clone()].concat(),
            triangles: a.triangles.iter().copied().chain(shifted).collect(),
        }
    }

    #[test]
    fn clean_surfaces_have_none() {
        let skin = SurfaceMesh::of(&ball(1.0, 5).unwrap()).unwrap();
        assert_eq!(self_intersections(&skin, 10), Vec::<[u32; 2]>::new());
        // unwelded neighbours touch everywhere and cross nowhere
        let mut soup = SurfaceMesh {
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        for t in 0..skin.triangles.len() {
            let n = soup.positions.len() as u32;
            soup.positions.extend(skin.corners(t));
            soup.triangles.push([n, n + 1, n + 2]);
        }
        assert_eq!(self_intersections(&soup, 10), Vec::<[u32; 2]>::new());
    }

    #[test]
    fn crossing_bodies_and_common_walls_are_found() {
        let cube =
            SurfaceMesh::of(&bar(vec3(1.0, 1.0, 1.0), [1, 1, 1], Split::Six).unwrap()).unwrap();
        let moved = |offset: Vec3| {
            let mut other = cube.clone();
            other.positions.iter_mut().for_each(|p| *p += offset);
            joined(&cube, &other)
        };
        assert!(!self_intersections(&moved(vec3(0.3, 0.4, 0.5)), 100).is_empty());
        assert!(self_intersections(&moved(vec3(1.3, 0.0, 0.0)), 100).is_empty());
        // walls on each other
        assert!(!self_intersections(&moved(vec3(1.0, 0.1, 0.2)), 100).is_empty());
        assert_eq!(self_intersections(&moved(vec3(0.3, 0.4, 0.5)), 3).len(), 3);
    }

    #[test]
    fn folds_are_found() {
        let p = vec![
            Vec3::ZERO,
            vec3(1.0, 0.0, 0.0),
            vec3(0.2, 1.0, 0.0),
            vec3(0.5, 0.7, 0.0),
            vec3(0.5, -0.7, 0.0),
        ];
        let fold = SurfaceMesh::new(p.clone(), vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        assert_eq!(self_intersections(&fold, 9), vec![[0, 1]]);
        let flat = SurfaceMesh::new(p, vec![[0, 1, 2], [1, 0, 4]]).unwrap();
        assert!(self_intersections(&flat, 9).is_empty());
    }
}
