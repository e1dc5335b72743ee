//! Rims: where the surface is thinner than the lattice resolves, cut points sample its rim unevenly and the boundary
//! has saw teeth. Nodes along such rims move until the mesh reaches the surface between the teeth.
//!
//! A facet knows how far it is from the surface, but not what it fails to cover; so here points of the surface near
//! sharp edges of the boundary pull the nearest facets towards them, and lines of sharp edges are straightened.

use super::relax::{Angles, Movable};
use super::solid::SurfaceSolid;
use crate::aabb::Aabb;
use crate::adjacency::Csr;
use crate::bvh::Bvh;
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;
use crate::triangle::closest_on_triangle;
use pliant_linalg::Vec3;
use rayon::prelude::*;

fn knob(name: &str, default: f64) -> f64 {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// Smooths jagged rims.
pub(super) fn smooth(
    movable: &mut Movable,
    boundary: &Surface,
    surface: &SurfaceMesh,
    solid: &SurfaceSolid,
    cell: f64,
    fixed: &[bool],
) {
    let rounds = knob("R_ROUNDS", 6.0) as usize;
    if rounds == 0 {
        return;
    }
    let turn = knob("R_TURN", 50.0).to_radians().cos();
    let pull = knob("R_PULL", 1.0);
    let lap = knob("R_LAP", 0.3);
    let slide = knob("R_SLIDE", 0.3);
    let far = knob("R_FAR", 0.35) * cell;
    let reach = knob("R_REACH", 0.75) * cell;
    let spacing = knob("R_SPACING", 0.2) * cell;
    let start_time = std::time::Instant::now();
    let limits = Angles::new(
        knob("R_LO", 12.0).to_radians(),
        knob("R_HI", 160.0).to_radians(),
    );
    let count = movable.positions.len();
    let edges = inner_edges(boundary);
    let sharp = |positions: &[Vec3]| -> Vec<[u32; 2]> {
        let normals: Vec<Vec3> = boundary
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|n| positions[n as usize]);
                (b - a).cross(c - a).normalized().unwrap_or_default()
            })
            .collect();
        let is_sharp = |e: &&([u32; 2], [u32; 2])| {
            normals[e.1[0] as usize].dot(normals[e.1[1] as usize]) < turn
        };
        edges.iter().filter(is_sharp).map(|e| e.0).collect()
    };
    let first = sharp(&movable.positions);
    let mut jagged = vec![false; count];
    for &n in first.as_flattened() {
        jagged[n as usize] = true;
    }
    // samples
    let mut wanted = vec![false; surface.triangles.len()];
    let mut near = Vec::new();
    for &n in &boundary.nodes {
        if jagged[n as usize] && !fixed[n as usize] {
            near.clear();
            let around = Aabb::of(&[movable.positions[n as usize]]).grown(reach);
            solid.near_box(&around, &mut near);
            for &t in &near {
                wanted[t as usize] = true;
            }
        }
    }
    let samples = samples(surface, &wanted, spacing);
    // the ring around
    let mut active = jagged.clone();
    for t in &boundary.triangles {
        if t.iter().any(|&n| jagged[n as usize]) {
            t.iter().for_each(|&n| active[n as usize] = true);
        }
    }
    let neighbours = Csr::from_pairs(
        count,
        edges.iter().flat_map(|&([a, b], _)| [(a, b), (b, a)]),
    );
    let facets: Vec<[u32; 3]> = boundary
        .triangles
        .iter()
        .copied()
        .filter(|t| t.iter().any(|&n| active[n as usize]))
        .collect();
    if facets.is_empty() {
        return;
    }
    let setup = start_time.elapsed().as_secs_f64();
    for round in 0..rounds {
        let positions = &movable.positions;
        let boxes: Vec<Aabb> = facets
            .iter()
            .map(|t| Aabb::of(&t.map(|n| positions[n as usize])))
            .collect();
        let tree = Bvh::new(&boxes);
        let pulls: Vec<Option<(u32, [f64; 3], Vec3)>> = samples
            .par_iter()
            .map(|&p| {
                let on = |f: u32| {
                    closest_on_triangle(facets[f as usize].map(|n| positions[n as usize]), p)
                };
                let (f, _) = tree.nearest(p, reach * reach, |f| on(f).distance_squared)?;
                let point = on(f).point;
                let corners = facets[f as usize].map(|n| positions[n as usize]);
                Some((f, weights(corners, point), p - point))
            })
            .collect();
        let mut shifts = vec![Vec3::ZERO; count];
        let mut total = vec![0.0; count];
        for (f, w, miss) in pulls.iter().flatten() {
            for k in 0..3 {
                let n = facets[*f as usize][k] as usize;
                shifts[n] += *miss * w[k];
                total[n] += w[k];
            }
        }
        let lines = sharp(positions);
        let mut along = vec![(Vec3::ZERO, 0.0); count];
        for &[a, b] in &lines {
            for (n, m) in [(a, b), (b, a)] {
                along[n as usize].0 += positions[m as usize];
                along[n as usize].1 += 1.0;
            }
        }
        for &n in &boundary.nodes {
            let i = n as usize;
            if fixed[i] || !active[i] {
                continue;
            }
            let p = movable.positions[i];
            let mut wish = p;
            if total[i] > 0.0 {
                wish += shifts[i] * (pull / total[i]);
            }
            let (sum, k) = along[i];
            if k >= 2.0 {
                wish += (sum / k - p) * lap;
            } else {
                let ring = neighbours.row(i);
                let mean = ring
                    .iter()
                    .fold(Vec3::ZERO, |s, &m| s + movable.positions[m as usize])
                    / ring.len().max(1) as f64;
                wish += (mean - p) * slide;
                if let Some((q, _)) = solid.closest(wish, cell) {
                    wish = q;
                }
            }
            if (wish - p).norm() < 1e-3 * cell {
                continue;
            }
            movable.step(n, wish, &limits);
            if solid.closest(movable.positions[i], far).is_none() && solid.closest(p, far).is_some()
            {
                movable.positions[i] = p;
            }
        }
        if knob("R_SAY", 0.0) > 0.0 {
            println!(
                "   round {round}: {} sharp, {} samples, {} facets",
                lines.len(),
                samples.len(),
                facets.len()
            );
        }
    }
    if knob("R_SAY", 0.0) > 0.0 {
        println!(
            "   setup {setup:.3} s, all {:.3} s",
            start_time.elapsed().as_secs_f64()
        );
    }
}

/// Edges of the boundary with the two facets at each, ascending.
fn inner_edges(boundary: &Surface) -> Vec<([u32; 2], [u32; 2])> {
    let mut sides: Vec<([u32; 2], u32)> = Vec::new();
    for (f, &[a, b, c]) in boundary.triangles.iter().enumerate() {
        for [u, v] in [[a, b], [b, c], [c, a]] {
            sides.push(([u.min(v), u.max(v)], f as u32));
        }
    }
    sides.sort_unstable();
    let pairs = sides.chunk_by(|x, y| x.0 == y.0);
    pairs
        .filter_map(|pair| match pair {
            &[(edge, f), (_, g)] => Some((edge, [f, g])),
            _ => None,
        })
        .collect()
}

/// Points on the wanted triangles, one per square of `spacing`.
fn samples(surface: &SurfaceMesh, wanted: &[bool], spacing: f64) -> Vec<Vec3> {
    let mut samples = Vec::new();
    let mut due = 0.0;
    for t in (0..wanted.len()).filter(|&t| wanted[t]) {
        let [a, b, c] = surface.corners(t);
        let share = 0.5 * (b - a).cross(c - a).norm() / (spacing * spacing);
        if share < 1.0 {
            // small triangles share a sample
            due += share;
            if due >= 1.0 {
                due -= 1.0;
                samples.push((a + b + c) / 3.0);
            }
            continue;
        }
        let parts = (share.sqrt().ceil() as usize).min(1000);
        let step = 1.0 / parts as f64;
        for i in 0..parts {
            for j in 0..2 * (parts - i) - 1 {
                // upright and inverted parts alternate along a row
                let third = if j % 2 == 0 { 1.0 / 3.0 } else { 2.0 / 3.0 };
                let u = (i as f64 + third) * step;
                let v = ((j / 2) as f64 + third) * step;
                samples.push(a + (b - a) * u + (c - a) * v);
            }
        }
    }
    samples
}

/// Barycentric coordinates of a point of the triangle.
fn weights([a, b, c]: [Vec3; 3], p: Vec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let whole = normal.norm_squared();
    if whole <= 0.0 {
        return [1.0 / 3.0; 3];
    }
    let part = |u: Vec3, v: Vec3| ((u - p).cross(v - p).dot(normal) / whole).clamp(0.0, 1.0);
    [part(b, c), part(c, a), part(a, b)]
}
