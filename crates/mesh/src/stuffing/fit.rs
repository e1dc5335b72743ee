//! Volume: nodes on a curved surface make facets that lie inside it, so a convex body loses volume. Boundary nodes
//! move along their normals until the facets lie as much outside as inside (least squares, lumped).

use super::relax::{Angles, Movable};
use super::solid::SurfaceSolid;
use crate::surface::Surface;
use crate::surface_mesh::SurfaceMesh;
use pliant_linalg::Vec3;
use rayon::prelude::*;

/// Rounds of sampling and moving.
const ROUNDS: usize = 3;

/// Samples farther than this many cells from the surface see some other part of it.
const REACH: f64 = 0.4;

/// No node ends up farther than this many cells from where it was: more is not curvature but a feature too fine.
const LARGEST_SHIFT: f64 = 0.12;

/// Angles that a move may not newly exceed, degrees.
const LIMITS: [f64; 2] = [15.0, 150.0];

/// Where a facet is compared with the surface, as weights of its corners.
const SAMPLES: [[f64; 3]; 4] = [
    [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0],
    [2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0],
    [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
    [1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0],
];

/// Fits the boundary to `surface`, leaving nodes with `fixed[n]` where they are and facets with `ignored[f]` aside.
pub(super) fn fit(
    movable: &mut Movable,
    boundary: &Surface,
    surface: &SurfaceMesh,
    solid: &SurfaceSolid,
    cell: f64,
    fixed: &[bool],
    ignored: &[bool],
) {
    let limits = Angles::new(LIMITS[0].to_radians(), LIMITS[1].to_radians());
    let start = movable.positions.clone();
    for _ in 0..ROUNDS {
        let positions = &movable.positions;
        let misses: Vec<[Vec3; SAMPLES.len()]> = boundary
            .triangles
            .par_iter()
            .zip(ignored)
            .map(|(t, &ignored)| {
                if ignored {
                    return [Vec3::ZERO; SAMPLES.len()];
                }
                let [a, b, c] = t.map(|n| positions[n as usize]);
                let normal = (b - a).cross(c - a);
                SAMPLES.map(|w| {
                    let sample = a * w[0] + b * w[1] + c * w[2];
                    let Some((point, triangle)) = solid.closest(sample, REACH * cell) else {
                        return Vec3::ZERO;
                    };
                    // a surface that faces elsewhere is another sheet
                    let [p, q, r] = surface.corners(triangle as usize);
                    if (q - p).cross(r - p).dot(normal) <= 0.0 {
                        return Vec3::ZERO;
                    }
                    point - sample
                })
            })
            .collect();
        let mut normals = vec![Vec3::ZERO; positions.len()];
        let mut shifts = vec![Vec3::ZERO; positions.len()];
        let mut weights = vec![0.0; positions.len()];
        for (t, misses) in boundary.triangles.iter().zip(&misses) {
            let [a, b, c] = t.map(|n| positions[n as usize]);
            let normal = (b - a).cross(c - a);
            let area = normal.norm();
            for k in 0..3 {
                let n = t[k] as usize;
                normals[n] += normal;
                for (w, &miss) in SAMPLES.iter().zip(misses) {
                    shifts[n] += miss * (w[k] * area);
                    weights[n] += w[k] * area;
                }
            }
        }
        for &n in &boundary.nodes {
            let i = n as usize;
            if fixed[i] || weights[i] <= 0.0 {
                continue;
            }
            let Some(normal) = normals[i].normalized() else {
                continue;
            };
            let distance = shifts[i].dot(normal) / weights[i];
            if distance.abs() > 1e-4 * cell {
                let wish = movable.positions[i] + normal * distance - start[i];
                let cap = (LARGEST_SHIFT * cell / wish.norm()).min(1.0);
                movable.step(n, start[i] + wish * cap, &limits);
            }
        }
    }
}
