//! Better shaped tetrahedra by other connections between the same nodes: edges are removed, and faces replaced by edges,
//! where that raises the smallest angle of the tetrahedra around. The boundary, the borders between regions and marked
//! triangles stay as they are. Edge removal finds the best triangulation of the ring around an edge by dynamic
//! programming [FO97].

use super::relax::quality;
use crate::mesh::{Elements, Mesh};
use pliant_linalg::Vec3;

/// Rings of more nodes are left alone: few of them gain, and the search grows with the cube.
const LARGEST_RING: usize = 9;

/// Passes over the bad tetrahedra at most.
const PASSES: usize = 4;

/// An angle must grow by this much, rad, so that no change undoes another.
const LEAST_GAIN: f64 = 1e-6;

/// A mesh whose tetrahedra change.
struct Connections<'a> {
    positions: &'a [Vec3],
    /// Removed tetrahedra have node `u32::MAX`.
    tetrahedra: Vec<[u32; 4]>,
    regions: Vec<u32>,
    around: Vec<Vec<u32>>,
    marked: &'a Marked,
}

/// Faces and edges that must stay, sorted.
#[derive(Default)]
pub struct Marked {
    faces: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
}

impl Marked {
    /// The triangles and their edges.
    pub fn new(triangles: impl Iterator<Item = [u32; 3]>) -> Marked {
        let mut marked = Marked::default();
        for mut face in triangles {
            face.sort_unstable();
            let [a, b, c] = face;
            marked.faces.push(face);
            marked.edges.extend([[a, b], [a, c], [b, c]]);
        }
        marked.faces.sort_unstable();
        marked.edges.sort_unstable();
        marked
    }
}

/// Replaces tetrahedra with an angle below `limit` (rad) where others do better; returns how many changes were made.
/// Regions go along; the order of the elements changes.
pub fn reconnect(mesh: &mut Mesh, limit: f64, marked: &Marked) -> usize {
    let Elements::Tetrahedra(list) = &mesh.elements else {
        return 0;
    };
    let mut connections = Connections {
        positions: &mesh.positions,
        tetrahedra: list.clone(),
        regions: mesh.regions.clone(),
        around: vec![Vec::new(); mesh.node_count()],
        marked,
    };
    for (t, nodes) in list.iter().enumerate() {
        for &n in nodes {
            connections.around[n as usize].push(t as u32);
        }
    }
    let mut changes = 0;
    for _ in 0..PASSES {
        let before = changes;
        let mut t = 0;
        while t < connections.tetrahedra.len() {
            let nodes = connections.tetrahedra[t];
            if nodes[0] != u32::MAX && quality(connections.positions, &nodes) < limit {
                changes += usize::from(connections.improve(t as u32));
            }
            t += 1;
        }
        if changes == before {
            break;
        }
    }
    if changes > 0 {
        let kept = |t: &usize| connections.tetrahedra[*t][0] != u32::MAX;
        let kept: Vec<usize> = (0..connections.tetrahedra.len()).filter(kept).collect();
        mesh.regions = kept.iter().map(|&t| connections.regions[t]).collect();
        let nodes = kept.iter().map(|&t| connections.tetrahedra[t]).collect();
        mesh.elements = Elements::Tetrahedra(nodes);
    }
    changes
}

impl Connections<'_> {
    /// Tries everything around a tetrahedron; whether something changed.
    fn improve(&mut self, t: u32) -> bool {
        let nodes = self.tetrahedra[t as usize];
        for i in 0..4 {
            for j in i + 1..4 {
                if self.remove_edge(nodes[i], nodes[j]) {
                    return true;
                }
            }
        }
        (0..4).any(|i| self.replace_face(t, nodes[i]))
    }

    fn quality_of(&self, nodes: [u32; 4]) -> f64 {
        quality(self.positions, &nodes)
    }

    /// Smallest angle of some tetrahedra, if they are in one region.
    fn worst(&self, list: &[u32]) -> Option<f64> {
        let region = self.regions[*list.first()? as usize];
        let mut worst = f64::INFINITY;
        for &t in list {
            if self.regions[t as usize] != region {
                return None;
            }
            worst = worst.min(self.quality_of(self.tetrahedra[t as usize]));
        }
        Some(worst)
    }

    fn replace(&mut self, old: &[u32], new: &[[u32; 4]]) {
        let region = self.regions[old[0] as usize];
        for &t in old {
            for n in self.tetrahedra[t as usize] {
                self.around[n as usize].retain(|&u| u != t);
            }
            self.tetrahedra[t as usize] = [u32::MAX; 4];
        }
        for &nodes in new {
            let t = self.tetrahedra.len() as u32;
            self.tetrahedra.push(nodes);
            self.regions.push(region);
            for n in nodes {
                self.around[n as usize].push(t);
            }
        }
    }

    /// Replaces the ring of tetrahedra around an inner edge by two fans over a triangulation of the ring.
    fn remove_edge(&mut self, a: u32, b: u32) -> bool {
        if self
            .marked
            .edges
            .binary_search(&[a.min(b), a.max(b)])
            .is_ok()
        {
            return false;
        }
        let of_edge = |t: &&u32| self.tetrahedra[**t as usize].contains(&b);
        let old: Vec<u32> = self.around[a as usize]
            .iter()
            .filter(of_edge)
            .copied()
            .collect();
        if !(3..=LARGEST_RING).contains(&old.len()) {
            return false;
        }
        let Some(worst) = self.worst(&old) else {
            return false;
        };
        let Some(mut ring) = self.ring(a, b, &old) else {
            return false;
        };
        // counter-clockwise around the direction from a to b
        let at = |n: u32| self.positions[n as usize];
        let turn: f64 = (0..ring.len())
            .map(|i| {
                let (u, v) = (at(ring[i]) - at(a), at(ring[(i + 1) % ring.len()]) - at(a));
                (at(b) - at(a)).dot(u.cross(v))
            })
            .sum();
        if turn < 0.0 {
            ring.reverse();
        }
        let Some(new) = self.best_fans(a, b, &ring, worst + LEAST_GAIN) else {
            return false;
        };
        self.replace(&old, &new);
        true
    }

    /// The nodes around an edge in turn, if its tetrahedra close around it.
    fn ring(&self, a: u32, b: u32, list: &[u32]) -> Option<Vec<u32>> {
        let pairs: Option<Vec<[u32; 2]>> = list
            .iter()
            .map(|&t| {
                let nodes = self.tetrahedra[t as usize];
                let mut others = nodes.into_iter().filter(|&n| n != a && n != b);
                Some([others.next()?, others.next()?])
            })
            .collect();
        let mut pairs = pairs?;
        let [first, mut last] = pairs.pop()?;
        let mut ring = vec![first, last];
        while let Some(next) = pairs.iter().position(|p| p.contains(&last)) {
            let [u, v] = pairs.swap_remove(next);
            last = if u == last { v } else { u };
            ring.push(last);
        }
        let closed = pairs.is_empty() && ring.pop() == Some(first);
        closed.then_some(ring)
    }

    /// The triangulation of the ring whose fans to `a` and `b` have the largest smallest angle, if that is above `least`.
    fn best_fans(&self, a: u32, b: u32, ring: &[u32], least: f64) -> Option<Vec<[u32; 4]>> {
        let n = ring.len();
        let fans = |i: usize, j: usize, k: usize| {
            let [u, v, w] = [ring[i], ring[j], ring[k]];
            [[u, v, w, b], [u, w, v, a]]
        };
        // best[i][k]: of the polygon i … k, with the middle corner of its triangle at the side i k
        let mut best = [[(f64::INFINITY, 0); LARGEST_RING]; LARGEST_RING];
        for length in 2..n {
            for i in 0..n - length {
                let k = i + length;
                let mut found = (f64::NEG_INFINITY, 0);
                for j in i + 1..k {
                    let [up, down] = fans(i, j, k).map(|t| self.quality_of(t));
                    let value = up.min(down).min(best[i][j].0).min(best[j][k].0);
                    if value > found.0 {
                        found = (value, j);
                    }
                }
                best[i][k] = found;
            }
        }
        if best[0][n - 1].0 <= least {
            return None;
        }
        let mut new = Vec::with_capacity(2 * (n - 2));
        let mut sides = vec![(0, n - 1)];
        while let Some((i, k)) = sides.pop() {
            if k - i >= 2 {
                let j = best[i][k].1;
                new.extend(fans(i, j, k));
                sides.extend([(i, j), (j, k)]);
            }
        }
        Some(new)
    }

    /// Replaces a tetrahedron and its neighbour across the face opposite to `apex` by three around a new edge.
    fn replace_face(&mut self, t: u32, apex: u32) -> bool {
        let nodes = self.tetrahedra[t as usize];
        let mut face = [0; 3];
        let others = nodes.into_iter().filter(|&n| n != apex);
        face.iter_mut().zip(others).for_each(|(f, n)| *f = n);
        face.sort_unstable();
        if self.marked.faces.binary_search(&face).is_ok() {
            return false;
        }
        let [x, y, z] = face;
        let shares = |u: &&u32| {
            let other = self.tetrahedra[**u as usize];
            **u != t && other.contains(&y) && other.contains(&z)
        };
        let Some(&other) = self.around[x as usize].iter().find(shares) else {
            return false;
        };
        let beyond = self.tetrahedra[other as usize];
        let Some(far) = beyond.into_iter().find(|n| !face.contains(n)) else {
            return false;
        };
        let Some(worst) = self.worst(&[t, other]) else {
            return false;
        };
        let mut new = [[apex, far, x, y], [apex, far, y, z], [apex, far, z, x]];
        let turn: f64 = new
            .iter()
            .map(|t| {
                let [a, b, c, d] = t.map(|n| self.positions[n as usize]);
                (b - a).dot((c - a).cross(d - a))
            })
            .sum();
        if turn < 0.0 {
            new.iter_mut().for_each(|t| t.swap(2, 3));
        }
        let better = new.iter().all(|&t| self.quality_of(t) > worst + LEAST_GAIN);
        // an edge between the two that exists already would make two tetrahedra overlap
        let exists = self.around[apex as usize]
            .iter()
            .any(|&u| self.tetrahedra[u as usize].contains(&far));
        if better && !exists {
            self.replace(&[t, other], &new);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Split, bar};
    use crate::surface::Surface;
    use pliant_linalg::vec3;

    fn mesh(positions: Vec<Vec3>, list: Vec<[u32; 4]>) -> Mesh {
        Mesh::single_region(positions, Elements::Tetrahedra(list))
            .unwrap()
            .0
    }

    /// Three slivers around a long edge between two good tetrahedra's apexes.
    fn spindle() -> Mesh {
        let corner = |i: f64| {
            let angle = std::f64::consts::TAU * i / 3.0;
            vec3(angle.cos(), angle.sin(), 0.0)
        };
        let positions = vec![
            vec3(0.0, 0.0, -0.02),
            vec3(0.0, 0.0, 0.9),
            corner(0.0),
            corner(1.0),
            corner(2.0),
        ];
        mesh(positions, vec![[0, 1, 2, 3], [0, 1, 3, 4], [0, 1, 4, 2]])
    }

    #[test]
    fn an_edge_gives_way_to_a_face_and_back() {
        // two flat tetrahedra over one triangle become three around the edge between their apexes
        let mut positions = spindle().positions;
        positions[0] = vec3(0.0, 0.0, -0.05);
        positions[1] = vec3(0.0, 0.0, 0.05);
        let mut flat = mesh(positions, vec![[2, 3, 4, 1], [2, 4, 3, 0]]);
        let volume = flat.total_volume();
        let surface = Surface::of(&flat).total_area(&flat.positions);
        assert_eq!(reconnect(&mut flat, 0.5, &Marked::default()), 1);
        assert_eq!(flat.element_count(), 3);
        assert!((flat.total_volume() - volume).abs() < 1e-12);
        assert!((Surface::of(&flat).total_area(&flat.positions) - surface).abs() < 1e-12);
        // the other way round: a ring of three around an edge that is longer than it should be
        let mut ring = spindle();
        ring.positions[0].z = -0.9;
        let volume = ring.total_volume();
        assert_eq!(reconnect(&mut ring, 2.0, &Marked::default()), 1);
        assert_eq!(ring.element_count(), 2);
        assert!((ring.total_volume() - volume).abs() < 1e-12);
        // unless the edge is marked
        let mut kept = spindle();
        kept.positions[0].z = -0.9;
        let marked = Marked::new([[0, 1, 2]].into_iter());
        assert_eq!(reconnect(&mut kept, 2.0, &marked), 0);
    }

    #[test]
    fn regions_and_boundary_stay() {
        let mut block = bar(vec3(4.0, 4.0, 4.0), [4, 4, 4], Split::Six).unwrap();
        block
            .assign_region_in_box("half", vec3(0.0, 0.0, 0.0), vec3(2.0, 4.0, 4.0))
            .unwrap();
        // shear the inner planes so that slivers appear
        for p in &mut block.positions {
            if p.z > 0.5
                && p.z < 3.5
                && p.y > 0.5
                && p.y < 3.5
                && p.x > 0.5
                && p.x < 3.5
                && p.x != 2.0
            {
                p.y += 0.9 * (p.z - 2.0) * 0.5;
                p.z += 0.3 * (p.x - 2.0);
            }
        }
        let of_region = |mesh: &Mesh, r: u32| -> f64 {
            (0..mesh.element_count())
                .filter(|&e| mesh.regions[e] == r)
                .map(|e| mesh.volume(e))
                .sum()
        };
        let volumes = [0, 1].map(|r| of_region(&block, r));
        let outside = Surface::of(&block);
        let changes = reconnect(&mut block, 20f64.to_radians(), &Marked::default());
        assert!(changes > 2, "{changes}");
        for (r, volume) in volumes.into_iter().enumerate() {
            assert!((of_region(&block, r as u32) - volume).abs() < 1e-9);
        }
        let after = Surface::of(&block);
        assert_eq!((after.nodes, after.overshared_faces), (outside.nodes, 0));
        assert_eq!(after.triangles.len(), outside.triangles.len());
        assert!((0..block.element_count()).all(|e| block.volume(e) > 0.0));
    }
}
