//! Where parts of the shape come closer than a cell, tetrahedra of the two may touch at an edge or a node only, and
//! the boundary is no manifold there. The smaller fan at such an edge is removed; at a node the parts get a node each.

use super::Raw;
use crate::adjacency::Csr;
use pliant_linalg::Vec3;

/// Rounds of removing fans: removing one may bare another edge.
const ROUNDS: usize = 16;

/// No more than this fraction of the volume is removed.
const VOLUME_LIMIT: f64 = 0.01;

/// Makes the boundary a manifold where that costs little; returns the number of tetrahedra removed.
pub(super) fn open_pinches(raw: &mut Raw) -> usize {
    let before = raw.tetrahedra.len();
    let total: f64 = raw.tetrahedra.iter().map(|t| volume(raw, t)).sum();
    let mut removed_volume = 0.0;
    for _ in 0..ROUNDS {
        let mut remove = vec![false; raw.tetrahedra.len()];
        let edges = pinched_edges(&raw.tetrahedra);
        let at_node = tetrahedra_at_nodes(raw);
        let mut round_volume = 0.0;
        for edge in edges {
            let around: Vec<u32> = at_node
                .row(edge[0] as usize)
                .iter()
                .copied()
                .filter(|&t| raw.tetrahedra[t as usize].contains(&edge[1]))
                .collect();
            // a fan lost already may have settled it
            if around.iter().any(|&t| remove[t as usize]) {
                continue;
            }
            let fans = connected(raw, &around, &edge);
            let size = |fan: &Vec<u32>| -> f64 {
                fan.iter()
                    .map(|&t| volume(raw, &raw.tetrahedra[t as usize]))
                    .sum()
            };
            let smallest = fans
                .iter()
                .min_by(|a, b| size(a).total_cmp(&size(b)).then(a.cmp(b)));
            if let (Some(fan), true) = (smallest, fans.len() > 1) {
                round_volume += size(fan);
                fan.iter().for_each(|&t| remove[t as usize] = true);
            }
        }
        if round_volume == 0.0 || removed_volume + round_volume > VOLUME_LIMIT * total {
            break;
        }
        removed_volume += round_volume;
        let mut t = 0;
        raw.tetrahedra.retain(|_| {
            t += 1;
            !remove[t - 1]
        });
    }
    split_nodes(raw);
    before - raw.tetrahedra.len()
}

fn volume(raw: &Raw, t: &[u32; 4]) -> f64 {
    let [a, b, c, d] = t.map(|n| raw.positions[n as usize]);
    (b - a).dot((c - a).cross(d - a)).abs() / 6.0
}

fn tetrahedra_at_nodes(raw: &Raw) -> Csr {
    let pairs = raw
        .tetrahedra
        .iter()
        .enumerate()
        .flat_map(|(t, nodes)| nodes.iter().map(move |&n| (n, t as u32)));
    Csr::from_pairs(raw.positions.len(), pairs)
}

/// Edges with more than two boundary facets, ascending.
fn pinched_edges(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 2]> {
    let mut faces: Vec<[u32; 3]> = Vec::with_capacity(4 * tetrahedra.len());
    for &[a, b, c, d] in tetrahedra {
        for mut face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            face.sort_unstable();
            faces.push(face);
        }
    }
    faces.sort_unstable();
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for group in faces.chunk_by(|x, y| x == y) {
        if let &[[a, b, c]] = group {
            edges.extend([[a, b], [a, c], [b, c]]);
        }
    }
    edges.sort_unstable();
    edges
        .chunk_by(|x, y| x == y)
        .filter(|g| g.len() > 2)
        .map(|g| g[0])
        .collect()
}

/// Groups tetrahedra that all contain `core` (an edge or a node) by common faces that contain it too.
fn connected(raw: &Raw, tetrahedra: &[u32], core: &[u32]) -> Vec<Vec<u32>> {
    let mut group: Vec<usize> = (0..tetrahedra.len()).collect();
    let top = |group: &[usize], mut i: usize| {
        while group[i] != i {
            i = group[i];
        }
        i
    };
    for i in 0..tetrahedra.len() {
        let own = raw.tetrahedra[tetrahedra[i] as usize];
        for j in 0..i {
            let other = raw.tetrahedra[tetrahedra[j] as usize];
            let shared = own.iter().filter(|n| other.contains(n)).count();
            debug_assert!(core.iter().all(|n| own.contains(n)));
            if shared == 3 {
                let (a, b) = (top(&group, i), top(&group, j));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut fans: Vec<Vec<u32>> = vec![Vec::new(); tetrahedra.len()];
    for i in 0..tetrahedra.len() {
        fans[top(&group, i)].push(tetrahedra[i]);
    }
    fans.retain(|f| !f.is_empty());
    fans
}

/// Gives each group of tetrahedra that meet at a node without a common face its own node.
fn split_nodes(raw: &mut Raw) {
    let at_node = tetrahedra_at_nodes(raw);
    let mut on_boundary = vec![false; raw.positions.len()];
    let mut faces: Vec<[u32; 3]> = Vec::with_capacity(4 * raw.tetrahedra.len());
    for &[a, b, c, d] in &raw.tetrahedra {
        for mut face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            face.sort_unstable();
            faces.push(face);
        }
    }
    faces.sort_unstable();
    for group in faces.chunk_by(|x, y| x == y) {
        if let [face] = group {
            face.iter().for_each(|&n| on_boundary[n as usize] = true);
        }
    }
    for n in 0..at_node.row_count() {
        if !on_boundary[n] {
            continue;
        }
        let fans = connected(raw, at_node.row(n), &[n as u32]);
        for fan in fans.iter().skip(1) {
            let copy = raw.positions.len() as u32;
            let position: Vec3 = raw.positions[n];
            raw.positions.push(position);
            for &t in fan {
                for m in &mut raw.tetrahedra[t as usize] {
                    if *m == n as u32 {
                        *m = copy;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    #[test]
    fn a_hinge_loses_its_smaller_side_and_a_pivot_is_doubled() {
        let positions = vec![
            vec3(0.0, 0.0, 0.0),
            vec3(0.0, 0.0, 1.0),
            vec3(1.0, 0.0, 0.0),
            vec3(1.0, 1.0, 0.0),
            vec3(-2.0, 0.0, 0.0),
            vec3(-2.0, -2.0, 0.0),
        ];
        // a common edge: the one with the small volume goes, if that is little of the whole; here it is not
        let mut hinge = Raw {
            positions: positions.clone(),
            tetrahedra: vec![[0, 1, 2, 3], [0, 1, 4, 5]],
        };
        assert_eq!(open_pinches(&mut hinge), 0);
        assert_eq!(hinge.positions.len(), 8);
        let mut small = Raw {
            positions: positions.clone(),
            tetrahedra: vec![[0, 1, 2, 3], [0, 1, 4, 5]],
        };
        small.positions[2] = vec3(0.05, 0.0, 0.0);
        small.positions[3] = vec3(0.05, 0.05, 0.0);
        assert_eq!(open_pinches(&mut small), 1);
        assert_eq!(small.tetrahedra, vec![[0, 1, 4, 5]]);
        // a common node
        let mut pivot = Raw {
            positions: [positions.clone(), vec![vec3(-3.0, 0.0, 2.0)]].concat(),
            tetrahedra: vec![[0, 1, 2, 3], [0, 4, 5, 6]],
        };
        assert_eq!(open_pinches(&mut pivot), 0);
        assert_eq!(pivot.positions.len(), 8);
        assert_eq!(pivot.tetrahedra[1][0], 7);
    }
}
