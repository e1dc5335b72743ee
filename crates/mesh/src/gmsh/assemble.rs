//! From the tags of a file to a mesh: node lookup, regions, and errors in the file's own numbers.

use super::ReadError;
use crate::error::{MeshError, MeshNotices};
use crate::mesh::{DEFAULT_REGION, Elements, Mesh};
use pliant_linalg::Vec3;
use std::collections::BTreeMap;

/// What an element's group number means.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Groups {
    /// A physical group (MSH 1 and 2).
    Physical,
    /// A geometric entity that may be in physical groups (MSH 4).
    Entities,
}

/// Nodes as in the file.
#[derive(Default)]
pub(super) struct RawNodes {
    pub tags: Vec<u32>,
    pub positions: Vec<Vec3>,
}

/// Elements of one kind as in the file: node tags, and for each its tag, group and line.
pub(super) struct RawElements<const N: usize> {
    pub nodes: Vec<[u32; N]>,
    pub tags: Vec<u64>,
    pub groups: Vec<i64>,
    pub lines: Vec<usize>,
}

impl<const N: usize> RawElements<N> {
    fn new() -> Self {
        RawElements {
            nodes: Vec::new(),
            tags: Vec::new(),
            groups: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub fn push(&mut self, nodes: [u32; N], tag: u64, group: i64, line: usize) {
        self.nodes.push(nodes);
        self.tags.push(tag);
        self.groups.push(group);
        self.lines.push(line);
    }
}

/// A file, read but not yet understood.
pub(super) struct RawMesh {
    groups: Groups,
    pub nodes: RawNodes,
    pub tetrahedra: RawElements<4>,
    pub triangles: RawElements<3>,
    skipped: BTreeMap<&'static str, usize>,
    /// Kind and line of the first face element that is not a linear triangle.
    pub first_face: Option<(&'static str, usize)>,
    /// (dimension, entity) to its first physical group.
    pub entity_groups: BTreeMap<(usize, i64), i64>,
    /// (dimension, physical group) to its name.
    pub names: BTreeMap<(usize, u64), String>,
}

impl RawMesh {
    pub fn new(groups: Groups) -> Self {
        RawMesh {
            groups,
            nodes: RawNodes::default(),
            tetrahedra: RawElements::new(),
            triangles: RawElements::new(),
            skipped: BTreeMap::new(),
            first_face: None,
            entity_groups: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    /// Counts an element that is left out.
    pub fn skip(&mut self, kind: &'static str) {
        *self.skipped.entry(kind).or_default() += 1;
    }

    /// Builds the mesh of tetrahedra, or of triangles if there are none.
    pub fn assemble(mut self, name: &str) -> Result<(Mesh, MeshNotices), ReadError> {
        let lookup = NodeLookup::new(&self.nodes.tags, name)?;
        let tags = std::mem::take(&mut self.nodes.tags);
        let positions = std::mem::take(&mut self.nodes.positions);
        let (built, element_tags, lines) = if !self.tetrahedra.nodes.is_empty() {
            if !self.triangles.nodes.is_empty() {
                self.skipped.insert("triangle", self.triangles.nodes.len());
            }
            let (regions, region_names) = self.regions(3, &self.tetrahedra.groups);
            let list = lookup.indices(&self.tetrahedra, name)?;
            let built = Mesh::new(positions, Elements::Tetrahedra(list), regions, region_names);
            (built, &self.tetrahedra.tags, &self.tetrahedra.lines)
        } else if let Some((kind, line)) = self.first_face {
            return Err(ReadError::Unsupported {
                name: name.to_string(),
                line,
                kind: kind.to_string(),
                instead: "tetrahedra (or triangles for a plane body)",
            });
        } else if !self.triangles.nodes.is_empty() {
            let (regions, region_names) = self.regions(2, &self.triangles.groups);
            let list = lookup.indices(&self.triangles, name)?;
            let built = Mesh::new(positions, Elements::Triangles(list), regions, region_names);
            (built, &self.triangles.tags, &self.triangles.lines)
        } else {
            return Err(ReadError::NoElements {
                name: name.to_string(),
            });
        };
        let name = name.to_string();
        let (mut mesh, mut notices) = built.map_err(|error| {
            let line = error.element().map(|e| lines[e]);
            let source = in_file_tags(error, element_tags, &tags);
            match line {
                Some(line) => ReadError::Element { name, line, source },
                None => ReadError::Mesh { name, source },
            }
        })?;
        for id in &mut mesh.original_ids {
            *id = tags[*id as usize];
        }
        let skipped = self.skipped.iter();
        notices.skipped = skipped.map(|(kind, n)| (kind.to_string(), *n)).collect();
        Ok((mesh, notices))
    }

    /// Region index of each element, and the names in the order of the physical groups. Groups without a name
    /// are called by their number, elements without a group [`DEFAULT_REGION`].
    fn regions(&self, dimension: usize, groups: &[i64]) -> (Vec<u32>, Vec<String>) {
        let physical_of = |group: i64| -> u64 {
            let physical = match self.groups {
                Groups::Physical => group,
                Groups::Entities => {
                    let found = self.entity_groups.get(&(dimension, group));
                    found.copied().unwrap_or(0)
                }
            };
            // a negative group means reversed orientation
            physical.unsigned_abs()
        };
        let physical: Vec<u64> = groups.iter().map(|&g| physical_of(g)).collect();
        let mut present: Vec<u64> = physical.clone();
        let named = self.names.keys().filter(|k| k.0 == dimension);
        present.extend(named.map(|k| k.1));
        present.sort_unstable();
        present.dedup();
        let mut names: Vec<String> = Vec::new();
        let mut by_name: BTreeMap<String, u32> = BTreeMap::new();
        let mut index_of: BTreeMap<u64, u32> = BTreeMap::new();
        for tag in present {
            let name = match self.names.get(&(dimension, tag)) {
                Some(name) => name.clone(),
                None if tag == 0 => DEFAULT_REGION.to_string(),
                None => tag.to_string(),
            };
            let index = *by_name.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            });
            index_of.insert(tag, index);
        }
        let regions = physical.iter().map(|p| index_of[p]).collect();
        (regions, names)
    }
}

/// Node tag to node index.
enum NodeLookup {
    /// Tags count up from this one.
    Consecutive { first: u32, count: usize },
    /// (tag, index), ascending.
    Sorted(Vec<(u32, u32)>),
}

impl NodeLookup {
    fn new(tags: &[u32], name: &str) -> Result<NodeLookup, ReadError> {
        let first = tags.first().copied().unwrap_or(0);
        let expected = (u64::from(first)..).take(tags.len());
        if tags.iter().zip(expected).all(|(&t, e)| u64::from(t) == e) {
            let count = tags.len();
            return Ok(NodeLookup::Consecutive { first, count });
        }
        let mut sorted: Vec<(u32, u32)> = tags.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|w| w[0].0 == w[1].0) {
            Some(pair) => Err(ReadError::DuplicateNode {
                name: name.to_string(),
                tag: pair[0].0,
            }),
            None => Ok(NodeLookup::Sorted(sorted)),
        }
    }

    fn find(&self, tag: u32) -> Option<u32> {
        match self {
            NodeLookup::Consecutive { first, count } => {
                let index = tag.checked_sub(*first)?;
                ((index as usize) < *count).then_some(index)
            }
            NodeLookup::Sorted(list) => {
                let slot = list.binary_search_by_key(&tag, |&(t, _)| t).ok()?;
                Some(list[slot].1)
            }
        }
    }

    fn indices<const N: usize>(
        &self,
        elements: &RawElements<N>,
        name: &str,
    ) -> Result<Vec<[u32; N]>, ReadError> {
        let mut list = elements.nodes.clone();
        for (e, nodes) in list.iter_mut().enumerate() {
            for node in nodes {
                *node = self.find(*node).ok_or_else(|| ReadError::UnknownNode {
                    name: name.to_string(),
                    line: elements.lines[e],
                    element: elements.tags[e],
                    node: *node,
                })?;
            }
        }
        Ok(list)
    }
}

/// The same error with the tags of the file in place of indices.
fn in_file_tags(mut error: MeshError, element_tags: &[u64], node_tags: &[u32]) -> MeshError {
    match &mut error {
        MeshError::RepeatedNode { element, node } => {
            *element = element_tags[*element] as usize;
            *node = node_tags[*node as usize];
        }
        MeshError::ZeroVolume { element, .. } | MeshError::Overflow { element } => {
            *element = element_tags[*element] as usize;
        }
        MeshError::DuplicateElement { element, first } => {
            *element = element_tags[*element] as usize;
            *first = element_tags[*first] as usize;
        }
        MeshError::NotPlanar { node, .. } | MeshError::NonFinite { node } => {
            *node = node_tags[*node] as usize;
        }
        _ => {}
    }
    error
}
