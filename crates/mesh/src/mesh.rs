//! The mesh: node positions (m), linear elements, and a named region for each element.
//!
//! Tetrahedra are positively oriented, (b−a)·((c−a)×(d−a)) > 0; triangles lie in a plane
//! z = constant and run counter-clockwise seen from +z. [`Mesh::new`] establishes both.

use crate::adjacency;
use crate::error::{MeshError, MeshNotices};
use pliant_linalg::{Mat3, Vec3};

/// Most elements a mesh may have: twelve directed edges each still fit 32-bit offsets.
pub const ELEMENT_LIMIT: usize = 50_000_000;

/// Name of the region of elements that were given none.
pub const DEFAULT_REGION: &str = "default";

/// |det| below this times the longest edge cubed (squared in 2D) counts as no volume. Rounding of the
/// edge vectors and products leaves about 1e-15 near the origin and 1e-14 some hundred edge lengths
/// away from it: below 1e-13 the sign of the volume means nothing, and 1/volume would be noise.
pub const FLATNESS: f64 = 1e-13;

/// Triangle meshes may leave their plane by this fraction of the bounding-box diagonal.
const PLANE_TOLERANCE: f64 = 1e-9;

/// The elements, all of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// Linear tetrahedra of a solid.
    Tetrahedra(Vec<[u32; 4]>),
    /// Linear triangles of a plane body.
    Triangles(Vec<[u32; 3]>),
}

impl Elements {
    /// How many there are.
    pub fn element_count(&self) -> usize {
        match self {
            Elements::Tetrahedra(list) => list.len(),
            Elements::Triangles(list) => list.len(),
        }
    }

    /// The nodes of element `e`.
    #[inline]
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        match self {
            Elements::Tetrahedra(list) => &list[e],
            Elements::Triangles(list) => &list[e],
        }
    }

    /// The node lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.element_count()).map(|e| self.nodes_of(e))
    }

    /// Whether these are triangles of a plane body.
    pub fn is_planar(&self) -> bool {
        matches!(self, Elements::Triangles(_))
    }

    /// Nodes an element: 4 or 3.
    pub fn nodes_per_element(&self) -> usize {
        if self.is_planar() { 3 } else { 4 }
    }

    pub(crate) fn nodes_of_mut(&mut self, e: usize) -> &mut [u32] {
        match self {
            Elements::Tetrahedra(list) => &mut list[e],
            Elements::Triangles(list) => &mut list[e],
        }
    }
}

/// Nodes, elements and regions.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Rest positions of the nodes, m.
    pub positions: Vec<Vec3>,
    /// The elements.
    pub elements: Elements,
    /// For each element an index into `region_names`.
    pub regions: Vec<u32>,
    /// Names of the regions, all different.
    pub region_names: Vec<String>,
    /// For each node the id it had in its source: the index given to [`Mesh::new`], or the node tag in a
    /// Gmsh file. Differs from the node's index once unreferenced nodes are gone.
    pub original_ids: Vec<u32>,
    /// Whether the elements come eight by eight, the parts of ten-node tetrahedra; see [`crate::octet`].
    pub octets: bool,
}

impl Mesh {
    /// Checks and, where harmless, repairs: turns negative elements round and drops unreferenced nodes.
    ///
    /// An empty `regions` together with an empty `region_names` puts every element into [`DEFAULT_REGION`].
    pub fn new(
        positions: Vec<Vec3>,
        elements: Elements,
        regions: Vec<u32>,
        region_names: Vec<String>,
    ) -> Result<(Mesh, MeshNotices), MeshError> {
        let count = elements.element_count();
        if count == 0 {
            return Err(MeshError::Empty);
        }
        if count > ELEMENT_LIMIT || positions.len() >= u32::MAX as usize {
            return Err(MeshError::TooManyElements {
                count,
                limit: ELEMENT_LIMIT,
            });
        }
        if let Some(node) = positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NonFinite { node });
        }
        check_indices(&positions, &elements)?;
        let (regions, region_names) = check_regions(count, regions, region_names)?;
        let original_ids = (0..positions.len() as u32).collect();
        let mut mesh = Mesh {
            positions,
            elements,
            regions,
            region_names,
            original_ids,
            octets: false,
        };
        mesh.check_plane()?;
        let notices = MeshNotices {
            reoriented: mesh.orient()?,
            unreferenced_nodes: mesh.remove_unreferenced(),
            skipped: Vec::new(),
        };
        mesh.check_duplicates()?;
        Ok((mesh, notices))
    }

    /// [`Mesh::new`] with every element in [`DEFAULT_REGION`].
    pub fn single_region(
        positions: Vec<Vec3>,
        elements: Elements,
    ) -> Result<(Mesh, MeshNotices), MeshError> {
        Mesh::new(positions, elements, Vec::new(), Vec::new())
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.positions.len()
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.elements.element_count()
    }

    /// The nodes of element `e`.
    #[inline]
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        self.elements.nodes_of(e)
    }

    /// Whether this is a plane body of triangles.
    pub fn is_planar(&self) -> bool {
        self.elements.is_planar()
    }

    /// Name of the region of element `e`.
    pub fn region_of(&self, e: usize) -> &str {
        &self.region_names[self.regions[e] as usize]
    }

    /// Volume of tetrahedron `e` (m³) or area of triangle `e` (m²), positive for a checked mesh.
    pub fn volume(&self, e: usize) -> f64 {
        let (det, _) = self.determinant(e);
        if self.is_planar() {
            det / 2.0
        } else {
            det / 6.0
        }
    }

    /// Sum of [`Mesh::volume`] in element order.
    pub fn total_volume(&self) -> f64 {
        (0..self.element_count()).map(|e| self.volume(e)).sum()
    }

    /// Mean of the element's nodes.
    pub fn centroid(&self, e: usize) -> Vec3 {
        let nodes = self.nodes_of(e);
        let sum = nodes
            .iter()
            .fold(Vec3::ZERO, |s, &n| s + self.positions[n as usize]);
        sum / nodes.len() as f64
    }

    /// Smallest and largest coordinates.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let first = self.positions.first().copied().unwrap_or_default();
        self.positions
            .iter()
            .fold((first, first), |(low, high), &p| (low.min(p), high.max(p)))
    }

    /// Length of the diagonal of [`Mesh::bounds`], m.
    pub fn diagonal(&self) -> f64 {
        let (low, high) = self.bounds();
        (high - low).norm()
    }

    /// Mean length over the distinct edges, m.
    pub fn mean_edge_length(&self) -> f64 {
        let edges = adjacency::edges(self);
        let length =
            |&[a, b]: &[u32; 2]| (self.positions[a as usize] - self.positions[b as usize]).norm();
        edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
    }

    /// The mesh moved by `offset`, m.
    pub fn translated(mut self, offset: Vec3) -> Mesh {
        for p in &mut self.positions {
            *p += offset;
        }
        self
    }

    /// The mesh turned about `centre`. A plane body can only turn about z.
    pub fn rotated(mut self, rotation: &Mat3, centre: Vec3) -> Result<Mesh, MeshError> {
        let defect = (rotation.transpose() * *rotation - Mat3::IDENTITY).max_abs();
        let upright = (rotation.at(2, 2) - 1.0).abs() < 1e-9;
        let what = if !(defect < 1e-9 && rotation.determinant() > 0.0) {
            "the matrix is not a rotation (RᵀR = I, det R = 1)"
        } else if self.is_planar() && !upright {
            "a plane mesh can only be rotated about the z axis"
        } else {
            for p in &mut self.positions {
                *p = centre + *rotation * (*p - centre);
            }
            return Ok(self);
        };
        Err(MeshError::BadTransform {
            what: what.to_string(),
        })
    }

    /// The mesh stretched about the origin by positive factors along the axes.
    pub fn scaled(mut self, factors: Vec3) -> Result<Mesh, MeshError> {
        if !(factors.is_finite() && factors.to_array().iter().all(|&f| f > 0.0)) {
            return Err(MeshError::BadTransform {
                what: format!(
                    "scale factors must be positive numbers, not {:?}",
                    factors.to_array()
                ),
            });
        }
        for p in &mut self.positions {
            *p = p.scale(factors);
        }
        Ok(self)
    }

    /// Six times the volume or twice the area, with the squared length of the longest edge.
    pub(crate) fn determinant(&self, e: usize) -> (f64, f64) {
        let at = |n: u32| self.positions[n as usize];
        match &self.elements {
            Elements::Tetrahedra(list) => {
                let [a, b, c, d] = list[e].map(at);
                let (u, v, w) = (b - a, c - a, d - a);
                let longest = [u, v, w, c - b, d - b, d - c]
                    .iter()
                    .fold(0.0, |m: f64, x| m.max(x.norm_squared()));
                (u.dot(v.cross(w)), longest)
            }
            Elements::Triangles(list) => {
                let [a, b, c] = list[e].map(at);
                let (u, v) = (b - a, c - a);
                let longest = [u, v, c - b]
                    .iter()
                    .fold(0.0, |m: f64, x| m.max(x.norm_squared()));
                (u.x * v.y - u.y * v.x, longest)
            }
        }
    }

    /// Turns negative elements round and returns how many; refuses flat ones.
    fn orient(&mut self) -> Result<usize, MeshError> {
        let mut reoriented = 0;
        let mut flat: Option<(usize, f64)> = None;
        let mut flat_count = 0;
        for e in 0..self.element_count() {
            let (det, longest_squared) = self.determinant(e);
            let reference = if self.is_planar() {
                longest_squared
            } else {
                longest_squared * longest_squared.sqrt()
            };
            if !det.is_finite() || !reference.is_finite() {
                return Err(MeshError::Overflow { element: e });
            }
            // ≤ so that a reference that underflowed to zero is refused too
            if det.abs() <= FLATNESS * reference {
                flat_count += 1;
                let relative = if reference > 0.0 {
                    det.abs() / reference
                } else {
                    0.0
                };
                flat = flat.or(Some((e, relative)));
            } else if det < 0.0 {
                let last = self.elements.nodes_per_element() - 1;
                self.elements.nodes_of_mut(e).swap(last - 1, last);
                reoriented += 1;
            }
        }
        match flat {
            Some((element, relative)) => Err(MeshError::ZeroVolume {
                element,
                relative,
                count: flat_count,
            }),
            None => Ok(reoriented),
        }
    }

    fn check_plane(&self) -> Result<(), MeshError> {
        let Elements::Triangles(list) = &self.elements else {
            return Ok(());
        };
        let expected = self.positions[list[0][0] as usize].z;
        // only nodes in use: a stray one far away must not loosen the tolerance
        let used = || {
            list.as_flattened()
                .iter()
                .map(|&n| self.positions[n as usize])
        };
        let start = self.positions[list[0][0] as usize];
        let (low, high) = used().fold((start, start), |(l, h), p| (l.min(p), h.max(p)));
        let tolerance = PLANE_TOLERANCE * (high - low).norm();
        for &n in list.as_flattened() {
            let z = self.positions[n as usize].z;
            if (z - expected).abs() > tolerance {
                return Err(MeshError::NotPlanar {
                    node: n as usize,
                    z,
                    expected,
                });
            }
        }
        Ok(())
    }

    fn check_duplicates(&self) -> Result<(), MeshError> {
        let sorted = |e: u32| {
            let nodes = self.nodes_of(e as usize);
            let mut key = [u32::MAX; 4];
            key[..nodes.len()].copy_from_slice(nodes);
            key.sort_unstable();
            key
        };
        // equal elements have the same smallest node
        let smallest = |e: usize| self.nodes_of(e).iter().copied().min().unwrap_or(0);
        let pairs = (0..self.element_count()).map(|e| (smallest(e), e as u32));
        let by_smallest = adjacency::Csr::from_pairs(self.node_count(), pairs);
        let mut keys: Vec<([u32; 4], u32)> = Vec::new();
        let mut first_pair: Option<(u32, u32)> = None;
        for row in by_smallest.rows() {
            keys.clear();
            keys.extend(row.iter().map(|&e| (sorted(e), e)));
            keys.sort_unstable();
            for pair in keys.windows(2).filter(|w| w[0].0 == w[1].0) {
                let found = (pair[1].1, pair[0].1);
                first_pair = Some(first_pair.map_or(found, |f| f.min(found)));
            }
        }
        match first_pair {
            Some((element, first)) => Err(MeshError::DuplicateElement {
                element: element as usize,
                first: first as usize,
            }),
            None => Ok(()),
        }
    }

    /// Drops nodes in no element, keeping the order of the others; returns how many.
    pub(crate) fn remove_unreferenced(&mut self) -> usize {
        const UNUSED: u32 = u32::MAX;
        let mut new_index = vec![UNUSED; self.positions.len()];
        for nodes in self.elements.iter() {
            for &n in nodes {
                new_index[n as usize] = 0;
            }
        }
        let removed = new_index.iter().filter(|&&i| i == UNUSED).count();
        if removed == 0 {
            return 0;
        }
        let mut next = 0;
        for old in 0..new_index.len() {
            if new_index[old] != UNUSED {
                new_index[old] = next;
                self.positions[next as usize] = self.positions[old];
                self.original_ids[next as usize] = self.original_ids[old];
                next += 1;
            }
        }
        self.positions.truncate(next as usize);
        self.original_ids.truncate(next as usize);
        for e in 0..self.element_count() {
            for n in self.elements.nodes_of_mut(e) {
                *n = new_index[*n as usize];
            }
        }
        removed
    }
}

fn check_indices(positions: &[Vec3], elements: &Elements) -> Result<(), MeshError> {
    for (element, nodes) in elements.iter().enumerate() {
        for (i, &node) in nodes.iter().enumerate() {
            if node as usize >= positions.len() {
                return Err(MeshError::NodeOutOfRange {
                    element,
                    node,
                    node_count: positions.len(),
                });
            }
            if nodes[..i].contains(&node) {
                return Err(MeshError::RepeatedNode { element, node });
            }
        }
    }
    Ok(())
}

fn check_regions(
    element_count: usize,
    regions: Vec<u32>,
    names: Vec<String>,
) -> Result<(Vec<u32>, Vec<String>), MeshError> {
    if regions.is_empty() && names.is_empty() {
        return Ok((vec![0; element_count], vec![DEFAULT_REGION.to_string()]));
    }
    if regions.len() != element_count {
        return Err(MeshError::RegionCount {
            found: regions.len(),
            expected: element_count,
        });
    }
    if let Some(element) = regions.iter().position(|&r| r as usize >= names.len()) {
        return Err(MeshError::RegionOutOfRange {
            element,
            region: regions[element],
            names: names.len(),
        });
    }
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|w| w[0] == w[1]) {
        return Err(MeshError::DuplicateRegionName {
            name: pair[0].clone(),
        });
    }
    Ok((regions, names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::vec3;

    fn corner() -> Vec<Vec3> {
        vec![
            Vec3::ZERO,
            vec3(1.0, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
            vec3(0.0, 0.0, 1.0),
        ]
    }

    fn tets(list: &[[u32; 4]]) -> Elements {
        Elements::Tetrahedra(list.to_vec())
    }

    #[test]
    fn one_tetrahedron_by_hand() {
        let (mesh, notices) = Mesh::single_region(corner(), tets(&[[0, 1, 2, 3]])).unwrap();
        assert!(notices.is_empty());
        assert_eq!(mesh.volume(0), 1.0 / 6.0);
        assert_eq!(mesh.centroid(0), vec3(0.25, 0.25, 0.25));
        assert_eq!(mesh.bounds(), (Vec3::ZERO, vec3(1.0, 1.0, 1.0)));
        let mean = (3.0 + 3.0 * 2.0f64.sqrt()) / 6.0;
        assert!((mesh.mean_edge_length() - mean).abs() < 1e-15);
        assert_eq!(mesh.region_of(0), DEFAULT_REGION);
    }

    #[test]
    fn negative_elements_are_turned_round() {
        let (mesh, notices) = Mesh::single_region(corner(), tets(&[[0, 2, 1, 3]])).unwrap();
        assert_eq!(notices.reoriented, 1);
        assert!(mesh.volume(0) > 0.0);
        let flat = corner()[..3].to_vec();
        let (mesh, notices) =
            Mesh::single_region(flat, Elements::Triangles(vec![[0, 2, 1]])).unwrap();
        assert_eq!(notices.reoriented, 1);
        assert_eq!(mesh.volume(0), 0.5);
    }

    #[test]
    fn unreferenced_nodes_go_and_leave_their_ids() {
        let mut positions = corner();
        positions.insert(1, vec3(9.0, 9.0, 9.0));
        let (mesh, notices) = Mesh::single_region(positions, tets(&[[0, 2, 3, 4]])).unwrap();
        assert_eq!(notices.unreferenced_nodes, 1);
        assert_eq!(mesh.original_ids, [0, 2, 3, 4]);
        assert_eq!(mesh.positions, corner());
        assert_eq!(mesh.nodes_of(0), [0, 1, 2, 3]);
    }

    #[test]
    fn bad_meshes_are_refused_with_the_reason() {
        let build = |positions: Vec<Vec3>, list: &[[u32; 4]]| {
            Mesh::single_region(positions, tets(list)).unwrap_err()
        };
        assert_eq!(build(corner(), &[]), MeshError::Empty);
        let error = build(corner(), &[[0, 1, 2, 4]]);
        assert!(
            matches!(
                error,
                MeshError::NodeOutOfRange {
                    element: 0,
                    node: 4,
                    ..
                }
            ),
            "{error}"
        );
        let error = build(corner(), &[[0, 1, 1, 3]]);
        assert!(
            matches!(
                error,
                MeshError::RepeatedNode {
                    element: 0,
                    node: 1
                }
            ),
            "{error}"
        );
        let mut positions = corner();
        positions[2].y = f64::NAN;
        assert_eq!(
            build(positions, &[[0, 1, 2, 3]]),
            MeshError::NonFinite { node: 2 }
        );
        let mut positions = corner();
        positions[3] = vec3(0.3, 0.3, 1e-14);
        let error = build(positions, &[[0, 1, 2, 3]]);
        assert!(
            matches!(
                error,
                MeshError::ZeroVolume {
                    element: 0,
                    count: 1,
                    ..
                }
            ),
            "{error}"
        );
        let tiny = corner().iter().map(|&p| p * 1e-150).collect();
        assert!(matches!(
            build(tiny, &[[0, 1, 2, 3]]),
            MeshError::ZeroVolume { .. }
        ));
        let huge = corner().iter().map(|&p| p * 1e200).collect();
        assert_eq!(
            build(huge, &[[0, 1, 2, 3]]),
            MeshError::Overflow { element: 0 }
        );
        let error = build(corner(), &[[0, 1, 2, 3], [3, 2, 1, 0]]);
        assert_eq!(
            error,
            MeshError::DuplicateElement {
                element: 1,
                first: 0
            }
        );
        let error = Mesh::single_region(corner(), Elements::Triangles(vec![[0, 1, 2], [0, 1, 3]]))
            .unwrap_err();
        assert!(
            matches!(error, MeshError::NotPlanar { node: 3, .. }),
            "{error}"
        );
        let mut positions = corner();
        positions[3].z = 1e-3;
        positions.push(vec3(1e12, 0.0, 0.0));
        let list = Elements::Triangles(vec![[0, 1, 2], [1, 3, 2]]);
        let error = Mesh::single_region(positions, list).unwrap_err();
        assert!(matches!(error, MeshError::NotPlanar { .. }), "{error}");
    }

    #[test]
    fn regions_are_checked() {
        let build = |regions: &[u32], names: &[&str]| {
            let names = names.iter().map(|n| n.to_string()).collect();
            Mesh::new(corner(), tets(&[[0, 1, 2, 3]]), regions.to_vec(), names)
        };
        assert!(build(&[1], &["a", "b"]).is_ok());
        assert!(matches!(
            build(&[], &["a"]),
            Err(MeshError::RegionCount { .. })
        ));
        assert!(matches!(
            build(&[2], &["a", "b"]),
            Err(MeshError::RegionOutOfRange { .. })
        ));
        assert!(matches!(
            build(&[0], &["a", "a"]),
            Err(MeshError::DuplicateRegionName { .. })
        ));
    }

    #[test]
    fn moving_keeps_the_volume() {
        let (mesh, _) = Mesh::single_region(corner(), tets(&[[0, 1, 2, 3]])).unwrap();
        let turn = Mat3::rotation(vec3(0.6, 0.0, 0.8), 1.1);
        let moved = mesh
            .clone()
            .translated(vec3(1.0, 2.0, 3.0))
            .rotated(&turn, vec3(1.0, 2.0, 3.0))
            .unwrap();
        assert!((moved.volume(0) - 1.0 / 6.0).abs() < 1e-15);
        assert!((moved.positions[0] - vec3(1.0, 2.0, 3.0)).norm() < 1e-15);
        let scaled = mesh.clone().scaled(vec3(2.0, 3.0, 4.0)).unwrap();
        assert!((scaled.volume(0) - 4.0).abs() < 1e-14);
        assert!(mesh.clone().scaled(vec3(2.0, -3.0, 4.0)).is_err());
        assert!(
            mesh.rotated(&Mat3::diagonal(vec3(1.0, 1.0, -1.0)), Vec3::ZERO)
                .is_err()
        );
        let plane =
            Mesh::single_region(corner()[..3].to_vec(), Elements::Triangles(vec![[0, 1, 2]]))
                .unwrap()
                .0;
        assert!(plane.clone().rotated(&turn, Vec3::ZERO).is_err());
        assert!(
            plane
                .rotated(&Mat3::rotation(Vec3::AXES[2], 1.0), Vec3::ZERO)
                .is_ok()
        );
    }
}
