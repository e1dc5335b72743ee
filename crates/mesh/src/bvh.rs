//! A tree of axis-aligned boxes over numbered items: which items may touch a box or a segment, which is
//! nearest to a point, which pairs overlap. Contents are boxes only; what is in them is the caller's.
//!
//! Built by median splits along the longest axis of the box centres, ties by item number, so the tree and the
//! order of every answer depend on nothing but the boxes. Nodes are in depth-first order: the left child
//! follows its parent, hence [`Bvh::refit`] is one backward sweep.

use crate::aabb::Aabb;
use pliant_linalg::Vec3;

/// Items a leaf holds at most.
const LEAF_SIZE: usize = 4;

/// Median splits of at most 2³² items are at most 32 deep; one entry a level waits on the stack.
const STACK: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// Leaf: first place in `items`. Inner node: the right child.
    first: u32,
    /// Items of a leaf; 0 for an inner node.
    count: u32,
}

/// The tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl Bvh {
    /// Builds the tree; item `i` has `boxes[i]`.
    pub fn new(boxes: &[Aabb]) -> Bvh {
        let centres: Vec<Vec3> = boxes.iter().map(Aabb::centre).collect();
        let mut bvh = Bvh {
            nodes: Vec::with_capacity(boxes.len()),
            items: (0..boxes.len() as u32).collect(),
        };
        if !boxes.is_empty() {
            bvh.split(boxes, &centres, 0, boxes.len());
        }
        bvh
    }

    // recursion is as deep as the tree, at most 32
    fn split(&mut self, boxes: &[Aabb], centres: &[Vec3], start: usize, end: usize) {
        let items = &mut self.items[start..end];
        let mut bounds = Aabb::EMPTY;
        let mut spread = Aabb::EMPTY;
        for &i in items.iter() {
            bounds = bounds.union(&boxes[i as usize]);
            spread = spread.with(centres[i as usize]);
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            bounds,
            first: start as u32,
            count: (end - start) as u32,
        });
        if end - start <= LEAF_SIZE {
            items.sort_unstable();
            return;
        }
        let extent = spread.high - spread.low;
        let axis = (0..3).fold(0, |a, k| if extent[k] > extent[a] { k } else { a });
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&i, &j| {
            let (x, y) = (centres[i as usize][axis], centres[j as usize][axis]);
            x.total_cmp(&y).then(i.cmp(&j))
        });
        self.split(boxes, centres, start, start + half);
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = 0;
        self.split(boxes, centres, start + half, end);
    }

    /// Takes over moved boxes without changing the tree: right for any motion, slower the larger it is.
    pub fn refit(&mut self, boxes: &[Aabb]) {
        for n in (0..self.nodes.len()).rev() {
            let node = self.nodes[n];
            self.nodes[n].bounds = if node.count > 0 {
                self.leaf_items(&node)
                    .iter()
                    .fold(Aabb::EMPTY, |b, &i| b.union(&boxes[i as usize]))
            } else {
                let right = &self.nodes[node.first as usize].bounds;
                self.nodes[n + 1].bounds.union(right)
            };
        }
    }

    /// The box around everything, empty without items.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |n| n.bounds)
    }

    #[inline]
    fn leaf_items(&self, node: &Node) -> &[u32] {
        &self.items[node.first as usize..(node.first + node.count) as usize]
    }

    /// Appends the items of all leaves that `wanted` accepts all the way down.
    #[inline]
    fn collect(&self, wanted: impl Fn(&Aabb) -> bool, out: &mut Vec<u32>) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = [0u32; STACK];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let n = stack[waiting] as usize;
            let node = &self.nodes[n];
            if !wanted(&node.bounds) {
                continue;
            }
            if node.count > 0 {
                out.extend_from_slice(self.leaf_items(node));
            } else {
                stack[waiting] = node.first;
                stack[waiting + 1] = n as u32 + 1;
                waiting += 2;
            }
        }
    }

    /// Whether `touches(item)` holds for any item whose box may touch `query`; stops at the first.
    #[inline]
    pub fn any_near_box(&self, query: &Aabb, mut touches: impl FnMut(u32) -> bool) -> bool {
        let mut stack = [0u32; STACK];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let n = stack[waiting] as usize;
            let node = &self.nodes[n];
            if !node.bounds.overlaps(query) {
                continue;
            }
            if node.count > 0 {
                if self.leaf_items(node).iter().any(|&i| touches(i)) {
                    return true;
                }
            } else {
                stack[waiting] = node.first;
                stack[waiting + 1] = n as u32 + 1;
                waiting += 2;
            }
        }
        false
    }

    /// Number of nodes; children have larger numbers than their parents.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The box of node `n`.
    pub(crate) fn box_of(&self, n: usize) -> &Aabb {
        &self.nodes[n].bounds
    }

    /// Items of node `n` if it is a leaf, else its two children.
    pub(crate) fn node(&self, n: usize) -> Result<&[u32], [usize; 2]> {
        let node = &self.nodes[n];
        if node.count > 0 {
            Ok(self.leaf_items(node))
        } else {
            Err([n + 1, node.first as usize])
        }
    }

    /// Appends items whose boxes may touch `query`: all that do, and their neighbours in a leaf.
    pub fn near_box(&self, query: &Aabb, out: &mut Vec<u32>) {
        self.collect(|b| b.overlaps(query), out);
    }

    /// Appends items whose boxes may touch the segment from `start` to `end`.
    pub fn near_segment(&self, start: Vec3, end: Vec3, out: &mut Vec<u32>) {
        let d = end - start;
        let inverse = Vec3::new(1.0 / d.x, 1.0 / d.y, 1.0 / d.z);
        self.collect(|b| b.meets_segment(start, inverse), out);
    }

    /// The item for which `distance_squared(item)` is least and below `limit_squared`, with that value. Boxes
    /// farther from `point` than the best so far are not asked.
    #[inline]
    pub fn nearest(
        &self,
        point: Vec3,
        limit_squared: f64,
        mut distance_squared: impl FnMut(u32) -> f64,
    ) -> Option<(u32, f64)> {
        let mut best = None;
        let mut limit = limit_squared;
        let mut stack = [(0u32, 0.0f64); STACK];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let (n, distance) = stack[waiting];
            if distance >= limit {
                continue;
            }
            let node = &self.nodes[n as usize];
            if node.count > 0 {
                for &i in self.leaf_items(node) {
                    let d = distance_squared(i);
                    if d < limit {
                        limit = d;
                        best = Some((i, d));
                    }
                }
                continue;
            }
            let children = [n + 1, node.first]
                .map(|c| (c, self.nodes[c as usize].bounds.distance_squared(point)));
            // the nearer child last, so that it is next
            let [near, far] = if children[0].1 <= children[1].1 {
                children
            } else {
                [children[1], children[0]]
            };
            stack[waiting] = far;
            stack[waiting + 1] = near;
            waiting += 2;
        }
        best
    }

    /// All pairs of different items whose boxes touch, smaller item first, ascending.
    pub fn overlapping_pairs(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let mut near = Vec::new();
        for (i, query) in boxes.iter().enumerate() {
            near.clear();
            self.near_box(query, &mut near);
            near.retain(|&j| j as usize > i && boxes[j as usize].overlaps(query));
            near.sort_unstable();
            pairs.extend(near.iter().map(|&j| [i as u32, j]));
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    /// Numbers in 0..1 from a fixed sequence.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn random_boxes(count: usize, seed: &mut u64) -> Vec<Aabb> {
        (0..count)
            .map(|_| {
                let low = vec3(noise(seed), noise(seed), noise(seed));
                let size = vec3(noise(seed), noise(seed), noise(seed)) * 0.1;
                Aabb {
                    low,
                    high: low + size,
                }
            })
            .collect()
    }

    fn check_queries(bvh: &Bvh, boxes: &[Aabb], seed: &mut u64) {
        for query in random_boxes(50, seed) {
            let mut found = Vec::new();
            bvh.near_box(&query, &mut found);
            for (i, b) in boxes.iter().enumerate() {
                assert!(!b.overlaps(&query) || found.contains(&(i as u32)));
            }
            assert!(found.len() < boxes.len() / 2);
            let p = query.low;
            let (item, d) = bvh
                .nearest(p, f64::INFINITY, |i| boxes[i as usize].distance_squared(p))
                .unwrap();
            let least = boxes
                .iter()
                .map(|b| b.distance_squared(p))
                .fold(f64::INFINITY, f64::min);
            assert_eq!(d, least);
            assert_eq!(boxes[item as usize].distance_squared(p), least);
            // a segment: every box that holds one of its points must be found
            let end = query.high + vec3(0.3, -0.2, 0.0);
            found.clear();
            bvh.near_segment(p, end, &mut found);
            for (i, b) in boxes.iter().enumerate() {
                let held = (0..=64).any(|k| b.contains(p + (end - p) * (f64::from(k) / 64.0)));
                assert!(!held || found.contains(&(i as u32)));
            }
        }
        let pairs = bvh.overlapping_pairs(boxes);
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(&boxes[j]) {
                    expected.push([i as u32, j as u32]);
                }
            }
        }
        assert_eq!(pairs, expected);
    }

    #[test]
    fn answers_equal_brute_force_also_after_refit() {
        let mut seed = 7;
        let mut boxes = random_boxes(500, &mut seed);
        let mut bvh = Bvh::new(&boxes);
        check_queries(&bvh, &boxes, &mut seed);
        for b in &mut boxes {
            let shift = vec3(noise(&mut seed), noise(&mut seed), noise(&mut seed)) * 0.2;
            b.low += shift;
            b.high += shift;
        }
        bvh.refit(&boxes);
        check_queries(&bvh, &boxes, &mut seed);
    }

    #[test]
    fn nothing_and_equal_boxes() {
        let empty = Bvh::new(&[]);
        assert_eq!(empty.nearest(Vec3::ZERO, f64::INFINITY, |_| 0.0), None);
        let same = vec![Aabb::of(&[Vec3::ZERO]); 1000];
        let bvh = Bvh::new(&same);
        let mut found = Vec::new();
        bvh.near_box(&same[0], &mut found);
        assert_eq!(found.len(), 1000);
    }
}
