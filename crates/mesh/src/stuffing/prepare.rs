//! Makes a given surface as good as it gets before it is filled: welds equal vertices, drops triangles without area
//! and repetitions, turns neighbours to run alike and whole pieces to face outwards.

use crate::surface_mesh::SurfaceMesh;
use crate::winding::solid_angle;
use pliant_linalg::Vec3;
use std::f64::consts::PI;

/// A surface ready to be filled, and what was changed.
pub(super) struct Prepared {
    pub(super) surface: SurfaceMesh,
    /// Every edge has as many triangles in one direction as in the other.
    pub(super) closed: bool,
    /// Edges that say otherwise.
    pub(super) open_edges: usize,
    pub(super) dropped_triangles: usize,
    pub(super) turned_triangles: usize,
}

const NONE: u32 = u32::MAX;

/// Winding numbers of all other patches are summed for at most this many pairs of patch and triangle.
const NESTING_WORK: usize = 100_000_000;

pub(super) fn prepare(given: &SurfaceMesh) -> Prepared {
    let mut surface = given.welded();
    let before = surface.triangles.len();
    drop_useless(&mut surface);
    let dropped_triangles = before - surface.triangles.len();
    let original = surface.triangles.clone();
    let patches = orient_alike(&mut surface);
    face_outwards(&mut surface, &patches);
    let turned_triangles = surface
        .triangles
        .iter()
        .zip(&original)
        .filter(|(a, b)| a != b)
        .count();
    let open_edges = unbalanced_edges(&surface);
    Prepared {
        surface,
        closed: open_edges == 0,
        open_edges,
        dropped_triangles,
        turned_triangles,
    }
}

/// Drops triangles with a repeated vertex and repetitions of a triangle in the same direction. Two copies that face
/// opposite ways cancel in the winding number and stay.
fn drop_useless(surface: &mut SurfaceMesh) {
    let key = |&[a, b, c]: &[u32; 3]| {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    };
    surface
        .triangles
        .retain(|&[a, b, c]| a != b && b != c && c != a);
    let mut order: Vec<u32> = (0..surface.triangles.len() as u32).collect();
    order.sort_unstable_by_key(|&t| (key(&surface.triangles[t as usize]), t));
    let mut keep = vec![true; surface.triangles.len()];
    for pair in order.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|t| key(&surface.triangles[t as usize]));
        if a == b {
            keep[pair[1] as usize] = false;
        }
    }
    let mut index = 0;
    surface.triangles.retain(|_| {
        index += 1;
        keep[index - 1]
    });
}

/// Uses of undirected edges: smaller and larger vertex, triangle, direction; ascending.
fn edge_uses(surface: &SurfaceMesh) -> Vec<(u32, u32, u32, bool)> {
    let mut uses = Vec::with_capacity(3 * surface.triangles.len());
    for (t, &[a, b, c]) in surface.triangles.iter().enumerate() {
        for [i, j] in [[a, b], [b, c], [c, a]] {
            uses.push((i.min(j), i.max(j), t as u32, i < j));
        }
    }
    uses.sort_unstable();
    uses
}

fn unbalanced_edges(surface: &SurfaceMesh) -> usize {
    edge_uses(surface)
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .filter(|group| 2 * group.iter().filter(|u| u.3).count() != group.len())
        .count()
}

/// Turns triangles so that neighbours over edges with two triangles run alike, keeping the first of each patch;
/// returns the patch of each triangle. Patches end at edges with more triangles. A patch that cannot be oriented
/// (a Möbius strip) keeps some edges where it is not.
fn orient_alike(surface: &mut SurfaceMesh) -> Vec<u32> {
    let uses = edge_uses(surface);
    let count = surface.triangles.len();
    let mut neighbours = vec![[(NONE, false); 3]; count];
    let mut filled = vec![0usize; count];
    for group in uses.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [a, b] = group
            && a.2 != b.2
        {
            for (t, other) in [(a.2, b.2), (b.2, a.2)] {
                neighbours[t as usize][filled[t as usize]] = (other, a.3 == b.3);
                filled[t as usize] += 1;
            }
        }
    }
    let mut patch = vec![NONE; count];
    let mut turned = vec![false; count];
    let mut next_patch = 0;
    let mut stack = Vec::new();
    for start in 0..count {
        if patch[start] != NONE {
            continue;
        }
        patch[start] = next_patch;
        stack.push(start);
        while let Some(t) = stack.pop() {
            for &(other, same_direction) in &neighbours[t] {
                if other != NONE && patch[other as usize] == NONE {
                    patch[other as usize] = next_patch;
                    turned[other as usize] = turned[t] ^ same_direction;
                    stack.push(other as usize);
                }
            }
        }
        next_patch += 1;
    }
    for (t, triangle) in surface.triangles.iter_mut().enumerate() {
        if turned[t] {
            triangle.swap(1, 2);
        }
    }
    patch
}

/// Turns everything if it encloses negative volume, then those patches that do and are not inside others (a patch
/// that faces inwards inside another one is a cavity).
fn face_outwards(surface: &mut SurfaceMesh, patch: &[u32]) {
    let patch_count = patch.iter().max().map_or(0, |&p| p as usize + 1);
    let origin = surface.bounds().centre();
    let mut volumes = vec![0.0; patch_count];
    for (t, &p) in patch.iter().enumerate() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volumes[p as usize] += a.dot(b.cross(c));
    }
    if volumes.iter().sum::<f64>() < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        volumes.iter_mut().for_each(|v| *v = -*v);
    }
    let negative: Vec<u32> = (0..patch_count as u32)
        .filter(|&p| volumes[p as usize] < 0.0)
        .collect();
    if negative.is_empty() || negative.len() * patch.len() > NESTING_WORK {
        return;
    }
    let mut first_triangle = vec![0; patch_count];
    for t in (0..patch.len()).rev() {
        first_triangle[patch[t] as usize] = t;
    }
    let mut turn = vec![false; patch_count];
    for &p in &negative {
        let probe: Vec3 = {
            let [a, b, c] = surface.corners(first_triangle[p as usize]);
            (a + b + c) / 3.0
        };
        let around: f64 = (0..patch.len())
            .filter(|&t| patch[t] != p)
            .map(|t| solid_angle(surface.corners(t), probe))
            .sum();
        turn[p as usize] = around / (4.0 * PI) < 0.5;
    }
    for (t, triangle) in surface.triangles.iter_mut().enumerate() {
        if turn[patch[t] as usize] {
            triangle.swap(1, 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ball;
    use pliant_linalg::vec3;

    fn sphere(radius: f64, centre: Vec3) -> SurfaceMesh {
        let mut skin = SurfaceMesh::of(&ball(radius, 4).unwrap()).unwrap();
        skin.positions.iter_mut().for_each(|p| *p += centre);
        skin
    }

    fn joined(parts: &[SurfaceMesh]) -> SurfaceMesh {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        for part in parts {
            let n = positions.len() as u32;
            positions.extend_from_slice(&part.positions);
            triangles.extend(part.triangles.iter().map(|t| t.map(|v| v + n)));
        }
        SurfaceMesh {
            positions,
            triangles,
        }
    }

    #[test]
    fn scrambled_spheres_face_outwards_again_and_cavities_stay() {
        let whole = sphere(1.0, Vec3::ZERO);
        let volume = whole.enclosed_volume();
        let mut scrambled = whole.clone();
        for t in (0..scrambled.triangles.len()).step_by(3) {
            scrambled.triangles[t].swap(0, 1);
        }
        let prepared = prepare(&scrambled);
        assert!(prepared.closed);
        assert!((prepared.surface.enclosed_volume() - volume).abs() < 1e-12);

        let mut inward = sphere(0.4, vec3(3.0, 0.0, 0.0));
        inward.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        let beside = prepare(&joined(&[whole.clone(), inward.clone()]));
        let small = volume * 0.4f64.powi(3);
        assert!((beside.surface.enclosed_volume() - volume - small).abs() < 1e-9);
        inward.positions.iter_mut().for_each(|p| p.x -= 3.0);
        let hollow = prepare(&joined(&[whole.clone(), inward]));
        assert!((hollow.surface.enclosed_volume() - volume + small).abs() < 1e-9);
        assert_eq!(hollow.turned_triangles, 0);
    }

    #[test]
    fn repetitions_go_and_holes_are_seen() {
        let mut skin = sphere(1.0, Vec3::ZERO);
        let t = skin.triangles[5];
        skin.triangles
            .extend([t, [t[1], t[2], t[0]], [t[0], t[0], t[1]]]);
        let prepared = prepare(&skin);
        assert!(prepared.closed);
        assert_eq!(prepared.dropped_triangles, 3);
        skin.triangles
            .retain(|&x| x != t && x != [t[1], t[2], t[0]]);
        let prepared = prepare(&skin);
        assert!(!prepared.closed);
        assert_eq!(prepared.open_edges, 3);
    }
}
