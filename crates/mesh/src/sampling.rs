//! Nodes spread evenly over a mesh, and the elements nearest to each, by distances along edges.
//!
//! Distances are sums of edge lengths on the shortest way (Dijkstra). They do not depend on the numbering of nodes; equal ones are
//! decided in favour of the smaller number.

use crate::adjacency::Csr;
use crate::mesh::Mesh;
use pliant_linalg::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Marks an element that no representative reaches in [`owners`].
pub const NO_OWNER: u32 = u32::MAX;

/// Nodes and the edges between them, with lengths.
#[derive(Clone, Debug)]
pub struct EdgeGraph {
    positions: Vec<Vec3>,
    neighbours: Csr,
}

impl EdgeGraph {
    /// The graph of a mesh.
    pub fn of(mesh: &Mesh) -> EdgeGraph {
        EdgeGraph::new(&mesh.positions, mesh.elements.iter())
    }

    /// The graph of nodes at `positions` (m) in which those that share an element are neighbours. Elements may name a node twice.
    pub fn new(positions: &[Vec3], elements: impl Iterator<Item = impl AsRef<[u32]>>) -> EdgeGraph {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for corners in elements {
            for &a in corners.as_ref() {
                let others = corners.as_ref().iter().filter(|&&b| b != a);
                pairs.extend(others.map(|&b| (a, b)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        EdgeGraph {
            positions: positions.to_vec(),
            neighbours: Csr::from_pairs(positions.len(), pairs.iter().copied()),
        }
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }

    fn length(&self, a: u32, b: u32) -> f64 {
        (self.positions[a as usize] - self.positions[b as usize]).norm()
    }
}

/// Spreads nodes evenly: `seeds` first, in their order, then always the node that is farthest from all taken so far, until there are
/// `count` of them or no node is left. Seeds are all taken, even when there are more.
///
/// Nodes in `held` are not chosen, and the others keep away from them as from those already taken: a node that is held has no motion
/// to show. A connected piece with neither seeds nor held nodes is served before all others, the one of most nodes first; it begins
/// with the node nearest to the mean of its nodes.
pub fn farthest_nodes(graph: &EdgeGraph, seeds: &[u32], held: &[u32], count: usize) -> Vec<u32> {
    let mut front = Front::new(graph);
    let mut chosen: Vec<u32> = Vec::new();
    for &node in seeds {
        if front.distances[node as usize] > 0.0 {
            chosen.push(node);
            front.start(node, 0);
        }
    }
    for &node in held {
        front.start(node, 0);
    }
    front.spread();
    let mut starts = piece_starts(graph, &front).into_iter();
    while chosen.len() < count {
        let farthest = || {
            let farther = |a: usize, b: usize| {
                let order = front.distances[a].total_cmp(&front.distances[b]);
                if order == Ordering::Less { b } else { a }
            };
            let others = (0..front.distances.len()).filter(|&n| front.distances[n] > 0.0);
            others.reduce(farther).map(|n| n as u32)
        };
        let Some(node) = starts.next().or_else(farthest) else {
            break;
        };
        chosen.push(node);
        front.start(node, 0);
        front.spread();
    }
    chosen
}

/// For each element the representative that owns it, by its place in `representatives`: the one nearest to most of its corners;
/// of equals the one nearest to a corner, then the first. [`NO_OWNER`] where none can be reached.
pub fn owners(
    graph: &EdgeGraph,
    elements: impl Iterator<Item = impl AsRef<[u32]>>,
    representatives: &[u32],
) -> Vec<u32> {
    let mut front = Front::new(graph);
    for (place, &node) in representatives.iter().enumerate() {
        front.start(node, place as u32);
    }
    front.spread();
    let owner = |corners: &[u32]| {
        let labels = corners.iter().map(|&c| front.owners[c as usize]);
        let rank = |&corner: &u32| {
            let owner = front.owners[corner as usize];
            let shared = labels.clone().filter(|&o| o == owner).count();
            (shared, front.distances[corner as usize], owner)
        };
        let reached = corners.iter().map(rank).filter(|r| r.2 != NO_OWNER);
        let better = |a: (usize, f64, u32), b: (usize, f64, u32)| {
            let order = (b.0.cmp(&a.0))
                .then(a.1.total_cmp(&b.1))
                .then(a.2.cmp(&b.2));
            if order == Ordering::Greater { b } else { a }
        };
        reached.reduce(better).map_or(NO_OWNER, |best| best.2)
    };
    elements.map(|corners| owner(corners.as_ref())).collect()
}

/// One start for each connected piece that nothing has reached, those of most nodes first.
fn piece_starts(graph: &EdgeGraph, front: &Front) -> Vec<u32> {
    let mut seen: Vec<bool> = front.distances.iter().map(|d| d.is_finite()).collect();
    let mut pieces: Vec<(usize, u32)> = Vec::new();
    let mut piece: Vec<u32> = Vec::new();
    for first in 0..graph.node_count() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        piece.clear();
        piece.push(first as u32);
        let mut next = 0;
        while next < piece.len() {
            for &other in graph.neighbours.row(piece[next] as usize) {
                if !seen[other as usize] {
                    seen[other as usize] = true;
                    piece.push(other);
                }
            }
            next += 1;
        }
        let sum = piece.iter().fold(Vec3::ZERO, |sum, &n| {
            sum + (graph.positions[n as usize] - graph.positions[first])
        });
        let middle = graph.positions[first] + sum / piece.len() as f64;
        let distance = |n: u32| (graph.positions[n as usize] - middle).norm_squared();
        let nearest = (piece.iter().copied())
            .min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
        pieces.extend(nearest.map(|n| (piece.len(), n)));
    }
    // stable: equals stay in the order of their first nodes
    pieces.sort_by_key(|&(size, _)| std::cmp::Reverse(size));
    pieces.into_iter().map(|(_, start)| start).collect()
}

/// Distances to the nearest start, and which that is.
struct Front<'a> {
    graph: &'a EdgeGraph,
    distances: Vec<f64>,
    owners: Vec<u32>,
    queue: BinaryHeap<Arrival>,
}

impl<'a> Front<'a> {
    fn new(graph: &'a EdgeGraph) -> Front<'a> {
        Front {
            graph,
            distances: vec![f64::INFINITY; graph.node_count()],
            owners: vec![NO_OWNER; graph.node_count()],
            queue: BinaryHeap::new(),
        }
    }

    fn start(&mut self, node: u32, owner: u32) {
        self.arrive(Arrival {
            distance: 0.0,
            owner,
            node,
        });
    }

    fn arrive(&mut self, arrival: Arrival) {
        let node = arrival.node as usize;
        let known = (self.distances[node], self.owners[node]);
        if (arrival.distance, arrival.owner) < known {
            (self.distances[node], self.owners[node]) = (arrival.distance, arrival.owner);
            self.queue.push(arrival);
        }
    }

    /// Goes on to all nodes that are nearer to the new starts than to the old ones.
    fn spread(&mut self) {
        let graph = self.graph;
        while let Some(Arrival {
            distance,
            owner,
            node,
        }) = self.queue.pop()
        {
            if (distance, owner) != (self.distances[node as usize], self.owners[node as usize]) {
                continue; // something nearer came first
            }
            for &next in graph.neighbours.row(node as usize) {
                self.arrive(Arrival {
                    distance: distance + graph.length(node, next),
                    owner,
                    node: next,
                });
            }
        }
    }
}

/// A node and a way to it; the greatest is the one to go on from.
#[derive(Clone, Copy, PartialEq)]
struct Arrival {
    distance: f64,
    owner: u32,
    node: u32,
}

impl Eq for Arrival {}

impl Ord for Arrival {
    fn cmp(&self, other: &Self) -> Ordering {
        let nearer = other.distance.total_cmp(&self.distance);
        let by_number = (other.owner, other.node).cmp(&(self.owner, self.node));
        nearer.then(by_number)
    }
}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use crate::mesh::Elements;
    use pliant_linalg::vec3;

    /// Nodes along x at unit distance, in pieces of the given sizes; elements are their edges.
    fn lines(sizes: &[usize]) -> EdgeGraph {
        let mut positions = Vec::new();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for (row, &size) in sizes.iter().enumerate() {
            let first = positions.len() as u32;
            positions.extend((0..size).map(|i| vec3(i as f64, 10.0 * row as f64, 0.0)));
            edges.extend((1..size as u32).map(|i| [first + i - 1, first + i]));
        }
        EdgeGraph::new(&positions, edges.iter())
    }

    #[test]
    fn a_line_is_halved_again_and_again() {
        let line = lines(&[17]);
        assert_eq!(farthest_nodes(&line, &[], &[], 5), [8, 0, 16, 4, 12]);
        // seeds first and each once, in their order, even when they are too many
        assert_eq!(farthest_nodes(&line, &[16, 0, 16], &[], 4), [16, 0, 8, 4]);
        assert_eq!(farthest_nodes(&line, &[3, 2, 1], &[], 2), [3, 2, 1]);
        // the far end is farthest from the one that is held, which is never chosen
        assert_eq!(farthest_nodes(&line, &[], &[0], 3), [16, 8, 4]);
        assert_eq!(farthest_nodes(&line, &[], &[0, 16], 1), [8]);
        assert_eq!(farthest_nodes(&line, &[], &[0], 99).len(), 16);
        assert_eq!(farthest_nodes(&line, &[], &[], 0), [0u32; 0]);
    }

    #[test]
    fn every_piece_is_served_first_and_the_largest_before_the_others() {
        let pieces = lines(&[3, 9, 5]);
        assert_eq!(farthest_nodes(&pieces, &[], &[], 3), [7, 14, 1]);
        // a piece with a seed or a held node has its share
        assert_eq!(farthest_nodes(&pieces, &[12], &[0], 3), [12, 7, 3]);
        let nearest = owners(&pieces, [[0, 1], [3, 4], [15, 16]].iter(), &[4, 12]);
        assert_eq!(nearest, [NO_OWNER, 0, 1]);
    }

    #[test]
    fn distances_go_along_edges_and_not_through_the_gap() {
        // a horseshoe: the ends are near each other, but the way between them is long
        let angle = |i: usize| 0.1 + 6.0 * i as f64 / 60.0;
        let positions: Vec<Vec3> = (0..61)
            .map(|i| vec3(angle(i).cos(), angle(i).sin(), 0.0))
            .collect();
        let edges: Vec<[u32; 2]> = (1..61).map(|i| [i - 1, i]).collect();
        let graph = EdgeGraph::new(&positions, edges.iter());
        assert_eq!(farthest_nodes(&graph, &[0], &[], 2), [0, 60]);
        assert_eq!(owners(&graph, edges.iter(), &[0, 60])[29..31], [0, 1]);
    }

    #[test]
    fn a_bar_is_shared_between_its_ends() {
        let mesh = bar(vec3(0.8, 0.1, 0.1), [8, 1, 1], Split::Five).unwrap();
        let graph = EdgeGraph::of(&mesh);
        let wall: Vec<u32> = (0..mesh.node_count() as u32)
            .filter(|&n| mesh.positions[n as usize].x == 0.0)
            .collect();
        let tip = farthest_nodes(&graph, &[], &wall, 1)[0];
        assert!((mesh.positions[tip as usize].x - 0.8).abs() < 1e-12);
        let middle = farthest_nodes(&graph, &[], &[], 1)[0];
        assert!((mesh.positions[middle as usize].x - 0.4).abs() < 1e-12);

        let ends = [wall[0], tip];
        let owned = owners(&graph, mesh.elements.iter(), &ends);
        for (e, &owner) in owned.iter().enumerate() {
            let x = mesh.centroid(e).x;
            if (x - 0.4).abs() > 0.1 {
                assert_eq!(owner, u32::from(x > 0.4), "{x}");
            }
        }
        // the first of two equals
        let twice = owners(&graph, mesh.elements.iter(), &[tip, tip]);
        assert!(twice.iter().all(|&o| o == 0));
        assert!(owners(&graph, mesh.elements.iter(), &[]) == vec![NO_OWNER; mesh.element_count()]);
    }

    #[test]
    fn numbering_does_not_matter() {
        let plain = bar(vec3(0.31, 0.17, 0.11), [5, 3, 2], Split::Six).unwrap();
        // no two distances alike
        let bent = |p: Vec3| {
            p + vec3(
                (7.0 * p.y).sin(),
                (5.0 * p.z + p.x).cos(),
                (11.0 * p.x).sin(),
            ) * 0.02
        };
        let positions: Vec<Vec3> = plain.positions.iter().map(|&p| bent(p)).collect();
        let count = positions.len() as u32;
        let Elements::Tetrahedra(list) = &plain.elements else {
            unreachable!()
        };
        // 29 shares no factor with the 72 nodes
        let renumbered = |n: u32| (29 * n + 5) % count;
        let mut moved = positions.clone();
        for (n, &p) in positions.iter().enumerate() {
            moved[renumbered(n as u32) as usize] = p;
        }
        let turned: Vec<[u32; 4]> = list.iter().map(|t| t.map(renumbered)).collect();
        let (a, b) = (
            EdgeGraph::new(&positions, list.iter()),
            EdgeGraph::new(&moved, turned.iter()),
        );
        for held in [&[][..], &[3, 40]] {
            let first = farthest_nodes(&a, &[7], held, 12);
            let other: Vec<u32> = held.iter().map(|&n| renumbered(n)).collect();
            let second = farthest_nodes(&b, &[renumbered(7)], &other, 12);
            let expected: Vec<u32> = first.iter().map(|&n| renumbered(n)).collect();
            assert_eq!(second, expected);
            assert_eq!(
                owners(&a, list.iter(), &first),
                owners(&b, turned.iter(), &second)
            );
        }
        let alone = farthest_nodes(&a, &[], &[], 4);
        let expected: Vec<u32> = alone.iter().map(|&n| renumbered(n)).collect();
        assert_eq!(farthest_nodes(&b, &[], &[], 4), expected);
    }
}
