//! Cutting a mesh along planes, in its rest shape.
//!
//! Nodes nearer to the plane than a share of their shortest edge count as lying on it and stay where they are, so that there
//! are no slivers and planes of a grid change no element. Every other edge that crosses the plane is bisected there, one after the
//! other in the order of node numbers. Bisecting an edge cuts each element around it in two and its faces with it, so
//! neighbours always agree and volumes stay positive; once all are bisected no element crosses the plane (a tetrahedron has then
//! become 1 + 3 or 3 + 3, or fewer where nodes lie on the plane). Nodes that elements of both sides use get a twin, which takes over
//! the side that the normal points to.
//!
//! Later cuts act on the mesh with the earlier ones open. Joining twins to their masters closes cuts again, all of them or
//! the last ones ([`CutMesh::leaders`]); for that to give a conforming mesh the copies of a node, edge or face are treated alike:
//! what is decided by numbers is decided by those of leaders.

use crate::mesh::{ELEMENT_LIMIT, Elements, Mesh};
use crate::select::{Selection, SelectionError};
use pliant_linalg::Vec3;
use std::ops::Range;
use thiserror::Error;

/// A plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// One of its points, m.
    pub point: Vec3,
    /// Points to the positive side, of any length but zero.
    pub normal: Vec3,
}

/// How a plane cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct CutOptions {
    /// Nodes nearer to the plane than this share of their shortest edge count as lying on it.
    pub tolerance: f64,
    /// The part of space in which it cuts; anything else than [`Selection::All`] makes an incision.
    pub within: Selection,
}

impl Default for CutOptions {
    fn default() -> Self {
        CutOptions {
            tolerance: 0.1,
            within: Selection::All,
        }
    }
}

/// A node and the copy that a cut separates from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// Which cut, counted from 0.
    pub cut: u32,
    /// The node, whose number is the smaller one.
    pub master: u32,
    /// Its copy, which rests at the same place.
    pub twin: u32,
}

/// A new node: the point at `ends[0]` + `share` · (`ends[1]` − `ends[0]`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgePoint {
    /// Nodes of the edge.
    pub ends: [u32; 2],
    /// Between 0 and 1.
    pub share: f64,
}

/// What one cut did.
#[derive(Clone, Debug, PartialEq)]
pub struct CutPart {
    /// Where its new nodes come from; they are numbered from the number of nodes that there were.
    pub points: Vec<EdgePoint>,
    /// Its twins, numbered after the new nodes.
    pub twins: Range<u32>,
    /// Elements on the positive side that use a twin, ascending.
    pub elements: Vec<u32>,
}

/// A mesh that has been cut any number of times. All cuts are open in it; old nodes keep their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CutMesh {
    /// The mesh.
    pub mesh: Mesh,
    /// The element of the uncut mesh that each element is part of.
    pub parents: Vec<u32>,
    /// What belongs together while cuts are closed, ascending by twin.
    pub twins: Vec<Twin>,
    /// Number of cuts.
    pub cuts: usize,
}

/// Why a mesh cannot be cut.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CutError {
    /// Not a plane.
    #[error("this is no plane: its point must be finite and its normal have a direction")]
    NoPlane,
    /// A tolerance without meaning.
    #[error("the tolerance is a share of an edge from 1e-6 to 0.5, not {0}")]
    Tolerance(f64),
    /// Nothing is on both sides.
    #[error("the plane cuts nothing; the mesh spans {low:?} to {high:?}")]
    Missed {
        /// Smallest coordinates of the mesh, m.
        low: [f64; 3],
        /// Largest coordinates of the mesh, m.
        high: [f64; 3],
    },
    /// An incision without a node that opens.
    #[error(
        "the incision opens nowhere: no node of the mesh lies in it with all its neighbours on the plane; \
         make it larger or the mesh finer"
    )]
    TooSmall,
    /// More elements than a mesh may have.
    #[error("the cut mesh would have {0} elements, more than the limit of {ELEMENT_LIMIT}")]
    TooManyElements(usize),
    /// A part of space that is none.
    #[error(transparent)]
    Within(#[from] SelectionError),
}

/// On which side of the plane something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Negative,
    On,
    Positive,
    /// An element of which the plane cuts only a part: it lies at the border of an incision.
    Across,
}

/// An edge that is bisected; the order is that in which edges are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CrossedEdge {
    /// Leaders of its ends, the smaller one first.
    key: [u32; 2],
    /// The ends, in the same order.
    ends: [u32; 2],
}

impl CrossedEdge {
    fn new(a: u32, b: u32, leaders: &[u32]) -> CrossedEdge {
        let [p, q] = [a, b].map(|n| leaders[n as usize]);
        let (key, ends) = if p < q {
            ([p, q], [a, b])
        } else {
            ([q, p], [b, a])
        };
        CrossedEdge { key, ends }
    }
}

impl CutMesh {
    /// A mesh without cuts.
    pub fn new(mesh: Mesh) -> CutMesh {
        CutMesh {
            parents: (0..mesh.element_count() as u32).collect(),
            mesh,
            twins: Vec::new(),
            cuts: 0,
        }
    }

    /// The node that stands for each node while only the first `open` cuts are open: its master, its master's master …
    pub fn leaders(&self, open: usize) -> Vec<u32> {
        let mut leaders: Vec<u32> = (0..self.mesh.node_count() as u32).collect();
        for twin in self.twins.iter().filter(|t| t.cut as usize >= open) {
            leaders[twin.twin as usize] = leaders[twin.master as usize];
        }
        leaders
    }

    /// The mesh while only the first `open` cuts are open, under the same numbers: twins of closed cuts belong to no element.
    pub fn joined(&self, open: usize) -> Mesh {
        let leaders = self.leaders(open);
        let mut mesh = self.mesh.clone();
        let lead = |n: &mut u32| *n = leaders[*n as usize];
        match &mut mesh.elements {
            Elements::Tetrahedra(list) => list.as_flattened_mut().iter_mut().for_each(lead),
            Elements::Triangles(list) => list.as_flattened_mut().iter_mut().for_each(lead),
        }
        mesh
    }

    /// Cuts along a plane; after an error nothing has changed.
    pub fn cut(&mut self, plane: &Plane, options: &CutOptions) -> Result<CutPart, CutError> {
        let normal = plane.normal.normalized();
        let normal = normal.filter(|_| plane.point.is_finite());
        let normal = normal.ok_or(CutError::NoPlane)?;
        if !(1e-6..=0.5).contains(&options.tolerance) {
            return Err(CutError::Tolerance(options.tolerance));
        }
        let slack = Selection::slack(&self.mesh);
        let within = |p: Vec3| options.within.holds(p, slack);
        within(plane.point)?;

        let leaders = self.leaders(0);
        let height = |p: Vec3| (p - plane.point).dot(normal);
        let mut sides = self.sides(&leaders, options.tolerance, height);
        let (edges, points) = self.crossed_edges(&leaders, &sides, height, within)?;
        let mut twins = self.twins_across(&edges);
        let mut mesh = self.mesh.clone();
        let parents = mesh.bisect(&edges, &points, &leaders)?;
        sides.resize(mesh.node_count(), Side::On);

        let (masters, elements) = divide(&mesh, &sides, height, within)?;
        if masters.is_empty() {
            return Err(self.nothing(&sides, options));
        }
        let first = mesh.node_count() as u32;
        twins.extend(masters.iter().zip(first..).map(|(&master, twin)| Twin {
            cut: self.cuts as u32,
            master,
            twin,
        }));
        mesh.duplicate(&masters);
        for &e in &elements {
            for node in mesh.elements.nodes_of_mut(e as usize) {
                if let Ok(place) = masters.binary_search(node) {
                    *node = first + place as u32;
                }
            }
        }

        self.mesh = mesh;
        self.parents = (parents.iter())
            .map(|&e| self.parents[e as usize])
            .collect();
        self.twins.append(&mut twins);
        self.cuts += 1;
        Ok(CutPart {
            points,
            twins: first..first + masters.len() as u32,
            elements,
        })
    }

    /// The side of each node; copies of one have the same.
    fn sides(&self, leaders: &[u32], tolerance: f64, height: impl Fn(Vec3) -> f64) -> Vec<Side> {
        let x = &self.mesh.positions;
        let mut shortest = vec![f64::INFINITY; x.len()];
        for nodes in self.mesh.elements.iter() {
            for (a, b) in pairs(nodes) {
                let length = (x[a as usize] - x[b as usize]).norm();
                for node in [a, b] {
                    let least = &mut shortest[leaders[node as usize] as usize];
                    *least = least.min(length);
                }
            }
        }
        let side = |(p, &leader): (&Vec3, &u32)| match height(*p) {
            h if h.abs() <= tolerance * shortest[leader as usize] => Side::On,
            h if h > 0.0 => Side::Positive,
            _ => Side::Negative,
        };
        x.iter().zip(leaders).map(side).collect()
    }

    /// Edges that cross the plane where it cuts, in order, and the points where they do.
    fn crossed_edges(
        &self,
        leaders: &[u32],
        sides: &[Side],
        height: impl Fn(Vec3) -> f64,
        within: impl Fn(Vec3) -> Result<bool, SelectionError>,
    ) -> Result<(Vec<CrossedEdge>, Vec<EdgePoint>), CutError> {
        let mut edges = Vec::new();
        for nodes in self.mesh.elements.iter() {
            let side = |n: u32| sides[n as usize];
            let apart = |a, b| side(a) != side(b) && side(a) != Side::On && side(b) != Side::On;
            let crossed = pairs(nodes).filter(|&(a, b)| apart(a, b));
            edges.extend(crossed.map(|(a, b)| CrossedEdge::new(a, b, leaders)));
        }
        edges.sort_unstable();
        edges.dedup();
        let x = &self.mesh.positions;
        let point = |edge: &CrossedEdge| {
            let [a, b] = edge.ends.map(|n| height(x[n as usize]));
            EdgePoint {
                ends: edge.ends,
                share: a / (a - b),
            }
        };
        let mut chosen = (Vec::new(), Vec::new());
        for edge in edges {
            let point = point(&edge);
            if within(point.position(x))? {
                chosen.0.push(edge);
                chosen.1.push(point);
            }
        }
        Ok(chosen)
    }

    /// Which of the new nodes earlier cuts separate. Copies of one edge get one each, and those belong together as long as the ends
    /// do.
    fn twins_across(&self, edges: &[CrossedEdge]) -> Vec<Twin> {
        let mut twins = Vec::new();
        let copies = || edges.chunk_by(|a, b| a.key == b.key);
        if copies().all(|group| group.len() == 1) {
            return twins;
        }
        let leaders: Vec<Vec<u32>> = (0..self.cuts).map(|open| self.leaders(open)).collect();
        let mut first = self.mesh.node_count() as u32;
        for group in copies() {
            for (place, edge) in group.iter().enumerate().skip(1) {
                // the last cut that separates it from a copy before it, and the first such copy
                let joined = leaders.iter().enumerate().rev().find_map(|(cut, leaders)| {
                    let led = |e: &CrossedEdge| e.ends.map(|n| leaders[n as usize]);
                    let before = group[..place].iter();
                    let master = before.map(led).position(|ends| ends == led(edge))?;
                    Some((cut as u32, master as u32))
                });
                twins.extend(joined.map(|(cut, master)| Twin {
                    cut,
                    master: first + master,
                    twin: first + place as u32,
                }));
            }
            first += group.len() as u32;
        }
        twins
    }

    /// Why no node got a twin.
    fn nothing(&self, sides: &[Side], options: &CutOptions) -> CutError {
        let both = sides.contains(&Side::Negative) && sides.contains(&Side::Positive);
        if both && options.within != Selection::All {
            return CutError::TooSmall;
        }
        let (low, high) = self.mesh.bounds();
        CutError::Missed {
            low: low.to_array(),
            high: high.to_array(),
        }
    }
}

impl EdgePoint {
    /// Where it is, given a nodal field of positions; any other field is interpolated alike.
    pub fn position(&self, field: &[Vec3]) -> Vec3 {
        let [a, b] = self.ends.map(|n| field[n as usize]);
        a + (b - a) * self.share
    }
}

impl Mesh {
    /// Adds a node on each edge and cuts the elements around it; the element that each element was part of.
    fn bisect(
        &mut self,
        edges: &[CrossedEdge],
        points: &[EdgePoint],
        leaders: &[u32],
    ) -> Result<Vec<u32>, CutError> {
        let first = self.node_count() as u32;
        let parents = match &mut self.elements {
            Elements::Tetrahedra(list) => bisected(list, edges, leaders, first),
            Elements::Triangles(list) => bisected(list, edges, leaders, first),
        };
        if parents.len() > ELEMENT_LIMIT {
            return Err(CutError::TooManyElements(parents.len()));
        }
        self.regions = parents.iter().map(|&e| self.regions[e as usize]).collect();
        let new: Vec<Vec3> = points.iter().map(|p| p.position(&self.positions)).collect();
        self.positions.extend(new);
        let greatest = self.original_ids.iter().copied().max().unwrap_or(0);
        let ids = (1..).map(|i| greatest.saturating_add(i));
        self.original_ids.extend(ids.take(points.len()));
        Ok(parents)
    }

    /// Adds copies of nodes.
    fn duplicate(&mut self, nodes: &[u32]) {
        for &n in nodes {
            self.positions.push(self.positions[n as usize]);
            self.original_ids.push(self.original_ids[n as usize]);
        }
    }
}

/// Bisects elements; the parent of each. The node on edge i has the number `first` + i.
fn bisected<const N: usize>(
    list: &mut Vec<[u32; N]>,
    edges: &[CrossedEdge],
    leaders: &[u32],
    first: u32,
) -> Vec<u32> {
    let mut parents = Vec::with_capacity(list.len());
    let mut result = Vec::with_capacity(list.len());
    for (parent, element) in list.iter().enumerate() {
        let mut crossed: Vec<usize> = pairs(element)
            .filter_map(|(a, b)| edges.binary_search(&CrossedEdge::new(a, b, leaders)).ok())
            .collect();
        crossed.sort_unstable();
        let start = result.len();
        result.push(*element);
        for edge in crossed {
            let point = first + edge as u32;
            let [a, b] = edges[edge].ends;
            for child in start..result.len() {
                let nodes: [u32; N] = result[child];
                if nodes.contains(&a) && nodes.contains(&b) {
                    let with = |old: u32| nodes.map(|n| if n == old { point } else { n });
                    result[child] = with(b);
                    result.push(with(a));
                }
            }
        }
        parents.resize(result.len(), parent as u32);
    }
    *list = result;
    parents
}

/// The nodes that get a twin, and the elements that take it; both ascending.
fn divide(
    mesh: &Mesh,
    sides: &[Side],
    height: impl Fn(Vec3) -> f64,
    within: impl Fn(Vec3) -> Result<bool, SelectionError>,
) -> Result<(Vec<u32>, Vec<u32>), CutError> {
    let on = |n: &u32| sides[*n as usize] == Side::On;
    let mut inside = vec![false; mesh.node_count()];
    for n in (0..mesh.node_count() as u32).filter(on) {
        inside[n as usize] = within(mesh.positions[n as usize])?;
    }
    // used by the negative side, used by the positive side, at the border of the cut
    let mut marks = vec![[false; 3]; mesh.node_count()];
    let mut positive = Vec::new();
    for (e, nodes) in mesh.elements.iter().enumerate() {
        let side = element_side(nodes, sides, || height(mesh.centroid(e)));
        let border = side == Side::Across || nodes.iter().any(|n| on(n) && !inside[*n as usize]);
        for &n in nodes {
            let mark = &mut marks[n as usize];
            mark[0] |= side == Side::Negative;
            mark[1] |= side == Side::Positive;
            mark[2] |= border;
        }
        if side == Side::Positive {
            positive.push(e as u32);
        }
    }
    let masters = (0..mesh.node_count() as u32).filter(on);
    let masters = masters.filter(|&n| marks[n as usize] == [true, true, false]);
    let masters: Vec<u32> = masters.collect();
    let mut doubled = vec![false; mesh.node_count()];
    for &n in &masters {
        doubled[n as usize] = true;
    }
    positive.retain(|&e| {
        mesh.nodes_of(e as usize)
            .iter()
            .any(|&n| doubled[n as usize])
    });
    Ok((masters, positive))
}

/// The side of an element; one with all its nodes on the plane is where its centroid is.
fn element_side(nodes: &[u32], sides: &[Side], height: impl Fn() -> f64) -> Side {
    let has = |side: Side| nodes.iter().any(|&n| sides[n as usize] == side);
    match (has(Side::Negative), has(Side::Positive)) {
        (true, true) => Side::Across,
        (true, false) => Side::Negative,
        (false, true) => Side::Positive,
        (false, false) if height() < 0.0 => Side::Negative,
        (false, false) => Side::Positive,
    }
}

/// All pairs of nodes: the edges of a simplex.
fn pairs(nodes: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let each = nodes.iter().enumerate();
    each.flat_map(|(i, &a)| nodes[i + 1..].iter().map(move |&b| (a, b)))
}

#[cfg(test)]
mod tests;
