//! Random configurations against all pairs, by formulas written independently: closest points by the normal
//! equations and clamped segments, the inside by winding numbers, edge pairs by alternating projections.

use super::*;
use crate::winding::Winding;

const ALARM: f64 = 0.08;
const TOUCHING: f64 = FLUSH * ALARM;

fn on_segment(a: Vec3, b: Vec3, p: Vec3) -> (f64, Vec3) {
    let t = ((p - a).dot(b - a) / (b - a).norm_squared()).clamp(0.0, 1.0);
    (t, a * (1.0 - t) + b * t)
}

fn on_triangle([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let (u, v, r) = (b - a, c - a, p - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (ru, rv) = (r.dot(u), r.dot(v));
    let scale = uu * vv - uv * uv;
    let (s, t) = ((vv * ru - uv * rv) / scale, (uu * rv - uv * ru) / scale);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return a + u * s + v * t;
    }
    [
        on_segment(a, b, p),
        on_segment(b, c, p),
        on_segment(c, a, p),
    ]
    .map(|(_, q)| q)
    .into_iter()
    .reduce(|m, q| {
        if (p - q).norm() < (p - m).norm() {
            q
        } else {
            m
        }
    })
    .unwrap()
}

struct Body {
    mesh: SurfaceMesh,
    winding: Winding,
    first: u32,
}

impl Body {
    fn normal(&self, t: usize) -> Vec3 {
        let [a, b, c] = self.mesh.corners(t);
        (b - a).cross(c - a).normalized().unwrap()
    }

    /// Nearest point and a triangle that holds it.
    fn nearest(&self, p: Vec3) -> (Vec3, usize) {
        (0..self.mesh.triangles.len())
            .map(|t| (on_triangle(self.mesh.corners(t), p), t))
            .reduce(|m, q| {
                if (p - q.0).norm() < (p - m.0).norm() {
                    q
                } else {
                    m
                }
            })
            .unwrap()
    }

    fn holds(&self, p: Vec3) -> bool {
        self.winding.exact(p) > 0.5
    }

    fn opposing(&self, vertex: usize, normal: Vec3) -> f64 {
        (0..self.mesh.triangles.len())
            .filter(|&t| self.mesh.triangles[t].contains(&(vertex as u32)))
            .map(|t| self.normal(t).dot(normal))
            .fold(1.0, f64::min)
    }
}

/// Bodies of different resolution and roughness, near each other or slightly overlapping.
fn random_bodies(seed: &mut u64, divisions: [usize; 2], rough: f64) -> Vec<Body> {
    let mut first = 0;
    let direction = noise_vector(seed).normalized().unwrap();
    let mut bodies = Vec::new();
    for (k, d) in divisions.into_iter().enumerate() {
        let mut mesh = ball(1.0, d, Vec3::ZERO);
        let turn = random_turn(seed);
        for p in &mut mesh.positions {
            *p = turn * (*p * (1.0 + rough * noise(seed)));
        }
        let mesh = shifted(mesh, direction * (k as f64 * (1.9 + 0.1 * noise(seed))));
        bodies.push(Body {
            winding: Winding::new(&mesh),
            first,
            mesh,
        });
        first += bodies[k].mesh.positions.len() as u32;
    }
    bodies
}

#[test]
fn vertices_agree_with_all_pairs() {
    let mut seed = 3;
    let (mut outside, mut inside) = (0, 0);
    for (divisions, rough) in [([2, 5], 0.2), ([3, 3], 0.4), ([6, 2], 0.05), ([5, 4], 0.3)] {
        for _ in 0..6 {
            let bodies = random_bodies(&mut seed, divisions, rough);
            let found = World::of(bodies.iter().map(|b| b.mesh.clone())).find(ALARM);
            for (a, b) in [(0, 1), (1, 0)] {
                for (v, &x) in bodies[a].mesh.positions.iter().enumerate() {
                    let contacts: Vec<&Near> = found
                        .iter()
                        .filter(|n| n.kind == NearKind::VertexFace)
                        .filter(|n| n.points[0] == bodies[a].first + v as u32)
                        .collect();
                    for near in &contacts {
                        assert_eq!(near.surfaces, [a as u32, b as u32]);
                        assert!(near.gap.abs() <= ALARM);
                    }
                    let (q, triangle) = bodies[b].nearest(x);
                    let distance = (x - q).norm();
                    if distance > ALARM * 0.999 {
                        assert!(distance < ALARM || contacts.is_empty());
                        continue;
                    }
                    if distance < 2.0 * TOUCHING {
                        continue;
                    }
                    let held = bodies[b].holds(x);
                    let sign = if held { -1.0 } else { 1.0 };
                    let normal = (x - q) * (sign / distance);
                    // whoever is outside is behind nothing
                    assert!(held || contacts.iter().all(|n| n.gap > -TOUCHING));
                    // who overlaps may be sent back through a face that it looks at better
                    let least = if held { -0.5 } else { -0.22 };
                    if bodies[a].opposing(v, normal) > least {
                        continue;
                    }
                    // behind a groove both walls count instead of the way to its bottom, and close to an edge the
                    // neighbour may be as near and look better
                    let corners = bodies[b].mesh.corners(triangle);
                    let rim = (0..3)
                        .map(|k| (q - on_segment(corners[k], corners[(k + 1) % 3], q).1).norm())
                        .fold(f64::INFINITY, f64::min);
                    let clear = rim > 1.5 * (2.0 * distance * TOUCHING).sqrt();
                    let strict = clear || (!held && rim < 1e-9);
                    let positions = bodies[b].mesh.positions.as_slice();
                    let nearest = contacts.iter().any(|n| {
                        let foot = (1..4).fold(Vec3::ZERO, |s, i| {
                            let corner = positions[(n.points[i] - bodies[b].first) as usize];
                            s - corner * n.weights[i]
                        });
                        let depth = sign * n.gap;
                        let as_near = (x - foot).norm() < distance + 1.01 * TOUCHING;
                        if strict {
                            as_near && (depth - distance).abs() < 1.01 * TOUCHING
                        } else {
                            depth > 0.0 && depth < distance + 1.01 * TOUCHING
                        }
                    });
                    assert!(nearest, "{distance} {normal:?} {contacts:?}");
                    if held {
                        inside += 1;
                    } else {
                        outside += 1;
                    }
                }
            }
        }
    }
    assert!(outside > 150 && inside > 50, "{outside} {inside}");
}

/// Edges with both their triangles: ends, triangles.
fn edges(body: &Body) -> Vec<([u32; 2], [usize; 2])> {
    let list = &body.mesh.triangles;
    let mut edges = Vec::new();
    for (t, tri) in list.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (tri[k], tri[(k + 1) % 3]);
            if a < b {
                let other = list
                    .iter()
                    .position(|o| (0..3).any(|m| o[m] == b && o[(m + 1) % 3] == a));
                edges.push(([a, b], [t, other.unwrap()]));
            }
        }
    }
    edges
}

/// Closest points of two edges and whether both are well inside.
fn between(a: [Vec3; 2], b: [Vec3; 2]) -> Option<[Vec3; 2]> {
    let mut p = (a[0] + a[1]) * 0.5;
    for _ in 0..20000 {
        let (t, q) = on_segment(b[0], b[1], p);
        let (s, next) = on_segment(a[0], a[1], q);
        if (next - p).norm() < 1e-15 {
            let inside = |t: f64| t > 1e-3 && t < 0.999;
            return (inside(s) && inside(t)).then_some([next, q]);
        }
        p = next;
    }
    None
}

#[test]
fn edges_agree_with_all_pairs() {
    let mut seed = 17;
    let (mut outside, mut inside) = (0, 0);
    for (divisions, rough) in [([2, 3], 0.3), ([1, 1], 0.3), ([3, 3], 0.5)] {
        for _ in 0..12 {
            let bodies = random_bodies(&mut seed, divisions, rough);
            let found = World::of(bodies.iter().map(|b| b.mesh.clone())).find(ALARM);
            let found = of_kind(&found, NearKind::EdgeEdge);
            let [a, b] = [&bodies[0], &bodies[1]];
            let others = edges(b);
            for (e, e_facets) in edges(a) {
                for &(f, f_facets) in &others {
                    let ends = e.map(|v| a.mesh.positions[v as usize]);
                    let other_ends = f.map(|v| b.mesh.positions[v as usize]);
                    let (d, g) = (ends[1] - ends[0], other_ends[1] - other_ends[0]);
                    let Some([p, q]) = between(ends, other_ends) else {
                        continue;
                    };
                    let same = |n: &&Near| {
                        let sorted = |x: u32, y: u32| [x.min(y), x.max(y)];
                        sorted(n.points[0], n.points[1]) == e.map(|v| v + a.first)
                            && sorted(n.points[2], n.points[3]) == f.map(|v| v + b.first)
                    };
                    let contact = found.iter().find(same);
                    let distance = (p - q).norm();
                    if distance > ALARM {
                        assert!(contact.is_none_or(|_| distance < ALARM * 1.0001));
                        continue;
                    }
                    // no facet at either edge is nearer to the other's point
                    let alone = |body: &Body, facets: [usize; 2], x: Vec3, share: f64| {
                        facets.iter().all(|&t| {
                            (x - on_triangle(body.mesh.corners(t), x)).norm() > distance * share
                        })
                    };
                    let bent = |body: &Body, [s, t]: [usize; 2]| {
                        body.normal(s).dot(body.normal(t)) < 11f64.to_radians().cos()
                    };
                    if d.cross(g).norm() > 0.03 * d.norm() * g.norm()
                        && bent(a, e_facets)
                        && bent(b, f_facets)
                        && !(b.holds(p) || a.holds(q))
                        && alone(b, f_facets, p, 1.0 - 1e-6)
                        && alone(a, e_facets, q, 1.0 - 1e-6)
                    {
                        outside += 1;
                        let near = contact.unwrap();
                        assert!((near.gap - distance).abs() < 1e-9, "{near:?} {distance}");
                        assert!((near.normal * distance - (p - q)).norm() < 1e-7);
                    }
                    let Some(near) = contact else { continue };
                    assert!((near.gap.abs() - distance).abs() < 1e-9);
                    if near.gap < -TOUCHING {
                        assert!(a.holds(q) && b.holds(p), "{near:?}");
                        inside += 1;
                    } else if near.gap > TOUCHING {
                        // up to the tolerance for the normals
                        assert!(alone(b, f_facets, p, 0.998) && alone(a, e_facets, q, 0.998));
                    }
                }
            }
        }
    }
    assert!(outside > 10 && inside > 10, "{outside} {inside}");
}
