//! Geometry of single triangles: closest point, crossing with a segment, overlap with a box.

use crate::aabb::Aabb;
use pliant_linalg::Vec3;

/// Which part of a triangle a closest point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Corner 0, 1 or 2.
    Corner(u8),
    /// The inside of the edge from corner i to corner i+1.
    Edge(u8),
    /// The inside.
    Face,
}

/// A closest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// Where it is.
    pub point: Vec3,
    /// What it lies on.
    pub feature: Feature,
    /// Squared distance from the query, m².
    pub distance_squared: f64,
}

/// Point of the segment `a b` closest to `p`, as the parameter from 0 at `a` to 1 at `b`.
pub fn closest_on_segment(a: Vec3, b: Vec3, p: Vec3) -> f64 {
    let d = b - a;
    let length = d.norm_squared();
    if length > 0.0 {
        ((p - a).dot(d) / length).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Point of the triangle closest to `p`: by the Voronoi regions of corners, edges and face [ERI05, 5.1.5].
/// Triangles without area are treated as their edges.
pub fn closest_on_triangle([a, b, c]: [Vec3; 3], p: Vec3) -> ClosestPoint {
    let found = |point: Vec3, feature| ClosestPoint {
        point,
        feature,
        distance_squared: (p - point).norm_squared(),
    };
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return found(a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return found(b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return found(a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return found(c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return found(a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    let (s, t) = (d4 - d3, d5 - d6);
    if va <= 0.0 && s >= 0.0 && t >= 0.0 && s + t > 0.0 {
        return found(b + (c - b) * (s / (s + t)), Feature::Edge(1));
    }
    let sum = va + vb + vc;
    if va > 0.0 && vb > 0.0 && vc > 0.0 && sum > 0.0 {
        return found(a + ab * (vb / sum) + ac * (vc / sum), Feature::Face);
    }
    let corners = [a, b, c];
    let on_edge = |i: usize| {
        let (start, end) = (corners[i], corners[(i + 1) % 3]);
        let t = closest_on_segment(start, end, p);
        let feature = if t <= 0.0 {
            Feature::Corner(i as u8)
        } else if t >= 1.0 {
            Feature::Corner((i as u8 + 1) % 3)
        } else {
            Feature::Edge(i as u8)
        };
        found(start + (end - start) * t, feature)
    };
    [on_edge(1), on_edge(2)]
        .into_iter()
        .fold(on_edge(0), |m, x| {
            if x.distance_squared < m.distance_squared {
                x
            } else {
                m
            }
        })
}

/// Parameter (0 at `start`, 1 at `end`) at which the segment crosses the triangle, `None` when it misses it or
/// runs in its plane. Signs of three volumes decide, so neighbouring triangles leave no gap at a shared edge.
pub fn segment_crossing([a, b, c]: [Vec3; 3], start: Vec3, end: Vec3) -> Option<f64> {
    let d = end - start;
    let (sa, sb, sc) = (a - start, b - start, c - start);
    // volumes of the segment with each edge, equal for both triangles at that edge up to sign
    let (u, v, w) = (
        edge_volume(d, sb, sc),
        edge_volume(d, sc, sa),
        edge_volume(d, sa, sb),
    );
    let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let sum = u + v + w;
    if !inside || sum == 0.0 {
        return None;
    }
    let normal = (b - a).cross(c - a);
    let along = d.dot(normal);
    let t = if along != 0.0 {
        sa.dot(normal) / along
    } else {
        (sa * u + sb * v + sc * w).dot(d) / (sum * d.norm_squared())
    };
    (0.0..=1.0).contains(&t).then_some(t)
}

/// d·(p×q), exactly antisymmetric in p and q.
fn edge_volume(d: Vec3, p: Vec3, q: Vec3) -> f64 {
    d.dot(p.cross(q))
}

/// Whether the triangle touches the box: separating axes [AM01].
pub fn touches_box([a, b, c]: [Vec3; 3], bounds: &Aabb) -> bool {
    if !Aabb::of(&[a, b, c]).overlaps(bounds) {
        return false;
    }
    let centre = bounds.centre();
    let half = bounds.high - centre;
    let points = [a - centre, b - centre, c - centre];
    let edges = [b - a, c - b, a - c];
    let separated = |axis: Vec3| {
        let [p, q, r] = points.map(|x| x.dot(axis));
        let radius = half.x * axis.x.abs() + half.y * axis.y.abs() + half.z * axis.z.abs();
        p.min(q).min(r) > radius || p.max(q).max(r) < -radius
    };
    if separated(edges[0].cross(edges[1])) {
        return false;
    }
    !edges
        .iter()
        .any(|&e| Vec3::AXES.iter().any(|&axis| separated(axis.cross(e))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    const FLAT: [Vec3; 3] = [
        vec3(0.0, 0.0, 0.0),
        vec3(2.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
    ];

    #[test]
    fn closest_points_know_their_feature() {
        let cases = [
            (vec3(0.3, 0.3, 1.0), vec3(0.3, 0.3, 0.0), Feature::Face),
            (vec3(-1.0, -1.0, 2.0), FLAT[0], Feature::Corner(0)),
            (vec3(3.0, 0.0, 0.0), FLAT[1], Feature::Corner(1)),
            (vec3(-0.1, 3.0, 0.0), FLAT[2], Feature::Corner(2)),
            (vec3(1.0, -1.0, 0.5), vec3(1.0, 0.0, 0.0), Feature::Edge(0)),
            (vec3(1.5, 1.5, 0.0), vec3(1.0, 0.5, 0.0), Feature::Edge(1)),
            (vec3(-2.0, 0.5, 0.0), vec3(0.0, 0.5, 0.0), Feature::Edge(2)),
        ];
        for (p, point, feature) in cases {
            let closest = closest_on_triangle(FLAT, p);
            assert!((closest.point - point).norm() < 1e-14, "{p:?}");
            assert_eq!(closest.feature, feature, "{p:?}");
        }
    }

    #[test]
    fn degenerate_triangles_are_their_edges() {
        let line = [FLAT[0], FLAT[1], vec3(4.0, 0.0, 0.0)];
        let closest = closest_on_triangle(line, vec3(3.0, 1.0, 0.0));
        assert!((closest.point - vec3(3.0, 0.0, 0.0)).norm() < 1e-14);
        let point = closest_on_triangle([FLAT[1]; 3], vec3(3.0, 1.0, 0.0));
        assert_eq!(point.point, FLAT[1]);
        assert_eq!(
            segment_crossing(line, vec3(1.0, 0.0, 1.0), vec3(1.0, 0.0, -1.0)),
            None
        );
    }

    #[test]
    fn crossings() {
        let t = segment_crossing(FLAT, vec3(0.3, 0.3, 1.0), vec3(0.3, 0.3, -3.0));
        assert!((t.unwrap() - 0.25).abs() < 1e-15);
        assert!(segment_crossing(FLAT, vec3(2.3, 0.3, 1.0), vec3(0.3, 2.3, -3.0)).is_none());
        assert!(segment_crossing(FLAT, vec3(0.3, 0.3, 1.0), vec3(0.3, 0.3, 0.1)).is_none());
    }

    #[test]
    fn box_overlap_is_exact_at_slanted_faces() {
        let slanted = [
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(0.0, 0.0, 1.0),
        ];
        let cube = |size: f64| Aabb {
            low: Vec3::ZERO,
            high: vec3(size, size, size),
        };
        assert!(!touches_box(slanted, &cube(0.333)));
        assert!(touches_box(slanted, &cube(0.334)));
        // beside the hypotenuse, though the boxes overlap
        let corner = Aabb {
            low: vec3(1.2, 0.6, -0.1),
            high: vec3(2.0, 1.0, 0.1),
        };
        assert!(!touches_box(FLAT, &corner));
    }
}
