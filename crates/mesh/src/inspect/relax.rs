//! Better shaped tetrahedra by moving nodes inside the body: each such node of a bad element goes where the worst
//! dihedral angle around it is largest. The boundary stays as it is.

use crate::adjacency::node_elements;
use crate::mesh::{Elements, Mesh};
use crate::quality::smallest_dihedral;
use crate::surface::Surface;
use pliant_linalg::{Vec3, vec3};

/// Passes over the nodes of bad elements at most.
const PASSES: usize = 12;

/// Times that the step of a search is halved.
const HALVINGS: usize = 7;

/// What was achieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relaxed {
    /// Elements below the limit before.
    pub before: usize,
    /// Elements below the limit after.
    pub after: usize,
    /// Nodes that were moved.
    pub moved: usize,
}

/// Moves inner nodes of tetrahedra with an angle below `limit` (rad).
pub fn relax(mesh: &mut Mesh, limit: f64) -> Relaxed {
    let Elements::Tetrahedra(list) = &mesh.elements else {
        return Relaxed {
            before: 0,
            after: 0,
            moved: 0,
        };
    };
    let list = list.clone();
    let around = node_elements(mesh);
    let mut fixed = vec![false; mesh.node_count()];
    for &n in &Surface::of(mesh).nodes {
        fixed[n as usize] = true;
    }
    let mut moved = vec![false; mesh.node_count()];
    let bad = |positions: &[Vec3]| -> Vec<usize> {
        (0..list.len())
            .filter(|&e| quality(positions, &list[e]) < limit)
            .collect()
    };
    let before = bad(&mesh.positions);
    let mut elements = before.clone();
    // a node whose surroundings did not change has nowhere better to go
    let mut stirred = vec![true; mesh.node_count()];
    for _ in 0..PASSES {
        let mut nodes: Vec<u32> = elements.iter().flat_map(|&e| list[e]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.retain(|&n| stirred[n as usize] && !fixed[n as usize]);
        stirred.fill(false);
        for n in nodes {
            if improve(&mut mesh.positions, n, around.row(n as usize), &list) {
                moved[n as usize] = true;
                for &e in around.row(n as usize) {
                    list[e as usize]
                        .iter()
                        .for_each(|&m| stirred[m as usize] = true);
                }
            }
        }
        elements = bad(&mesh.positions);
        if elements.is_empty() || !stirred.contains(&true) {
            break;
        }
    }
    Relaxed {
        before: before.len(),
        after: elements.len(),
        moved: moved.iter().filter(|&&m| m).count(),
    }
}

/// Smallest dihedral angle; below zero by its depth if the element is inverted or flat.
pub(super) fn quality(positions: &[Vec3], nodes: &[u32; 4]) -> f64 {
    let points = nodes.map(|n| positions[n as usize]);
    let [u, v, w] = [1, 2, 3].map(|i| points[i] - points[0]);
    let det = u.dot(v.cross(w));
    if det <= 0.0 {
        let scale = u.norm_squared().max(v.norm_squared()).max(w.norm_squared());
        return det / (scale * scale.sqrt()).max(f64::MIN_POSITIVE);
    }
    smallest_dihedral(points)
}

/// Moves node `n` uphill; false if it stays.
fn improve(positions: &mut [Vec3], n: u32, elements: &[u32], list: &[[u32; 4]]) -> bool {
    let here = n as usize;
    // the worst angle around the node, as soon as it is known to be below `limit` any angle that is
    let worst = |positions: &[Vec3], limit: f64| {
        let mut worst = f64::INFINITY;
        for &e in elements {
            worst = worst.min(quality(positions, &list[e as usize]));
            if worst <= limit {
                break;
            }
        }
        worst
    };
    let start = positions[here];
    let mut best = worst(positions, f64::NEG_INFINITY);
    let first = best;
    // the middle of the neighbours is often already good
    let neighbours = elements
        .iter()
        .flat_map(|&e| list[e as usize])
        .filter(|&m| m != n);
    let (sum, count) = neighbours.fold((Vec3::ZERO, 0), |(s, c), m| {
        (s + positions[m as usize], c + 1)
    });
    let middle = sum / f64::from(count.max(1));
    let mut step = (elements.iter().flat_map(|&e| list[e as usize]))
        .map(|m| (positions[m as usize] - start).norm())
        .fold(0.0, f64::max)
        * 0.3;
    let mut at = start;
    for candidate in [middle, (middle + start) / 2.0] {
        positions[here] = candidate;
        let value = worst(positions, best);
        if value > best {
            (best, at) = (value, candidate);
        }
    }
    let diagonal = 1.0 / 3f64.sqrt();
    for _ in 0..HALVINGS {
        let mut better = None;
        for axis in 0..14 {
            let direction = match axis {
                0..6 => Vec3::AXES[axis / 2] * if axis % 2 == 0 { 1.0 } else { -1.0 },
                corner => {
                    let sign = |bit: usize| {
                        if (corner - 6) >> bit & 1 == 0 {
                            diagonal
                        } else {
                            -diagonal
                        }
                    };
                    vec3(sign(0), sign(1), sign(2))
                }
            };
            positions[here] = at + direction * step;
            let value = worst(positions, best);
            if value > best {
                best = value;
                better = Some(positions[here]);
            }
        }
        match better {
            Some(position) => at = position,
            None => step /= 2.0,
        }
    }
    // a gain that nobody would notice is not worth a moved node
    let gained = best > first + 1e-3;
    positions[here] = if gained { at } else { start };
    gained
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use crate::inspect::SLIVER;

    #[test]
    fn a_crushed_node_comes_back() {
        let mut mesh = bar(vec3(4.0, 4.0, 4.0), [4, 4, 4], Split::Six).unwrap();
        let outside = Surface::of(&mesh).nodes;
        let inside: Vec<usize> = (0..mesh.node_count())
            .filter(|n| outside.binary_search(&(*n as u32)).is_err())
            .collect();
        let volume = mesh.total_volume();
        let untouched = mesh.positions.clone();
        for &n in &inside {
            mesh.positions[n].x += if n % 2 == 0 { 0.98 } else { 0.4 };
        }
        let result = relax(&mut mesh, SLIVER);
        assert!(result.before > 20 && result.after == 0, "{result:?}");
        assert!((mesh.total_volume() - volume).abs() < 1e-9 * volume);
        assert!(
            outside
                .iter()
                .all(|&n| mesh.positions[n as usize] == untouched[n as usize])
        );
    }
}
