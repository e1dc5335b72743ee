//! A mesh as its file has it: nothing turned round, removed or judged yet, only node ids resolved. Checking,
//! repairing and converting start here; simulating starts at [`RawMesh::into_mesh`].

use super::error::{Place, ReadError};
use super::kind::ElementKind;
use super::runs::Runs;
use crate::error::{MeshError, MeshNotices};
use crate::mesh::{DEFAULT_REGION, Elements, Mesh};
use pliant_linalg::Vec3;
use std::collections::BTreeMap;

/// Elements of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells<const N: usize> {
    /// Node indices.
    pub nodes: Vec<[u32; N]>,
    /// For each an index into `region_names`.
    pub regions: Vec<u32>,
    /// Names of the regions, all different.
    pub region_names: Vec<String>,
    /// Ids in the file.
    pub ids: Runs,
    /// Lines of the file; empty for binary files.
    pub lines: Runs,
}

impl<const N: usize> Cells<N> {
    /// Cells with ids counted from 1.
    pub fn counted(nodes: Vec<[u32; N]>, regions: Vec<u32>, region_names: Vec<String>) -> Self {
        Cells {
            ids: Runs::counting(1, nodes.len()),
            lines: Runs::default(),
            nodes,
            regions,
            region_names,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Appends an element; its region comes later.
    pub fn push(&mut self, nodes: [u32; N], id: u64, line: usize) {
        self.nodes.push(nodes);
        self.ids.push(id);
        self.lines.push(line as u64);
    }

    /// Puts everything into one region called [`DEFAULT_REGION`].
    pub fn single_region(&mut self) {
        self.regions = vec![0; self.nodes.len()];
        self.region_names = vec![DEFAULT_REGION.to_string()];
    }

    /// Regions from the group numbers of a file, given as runs (group, elements). Groups become regions in ascending
    /// order, together with those that have a name but no element; a group without a name is called by its number,
    /// and group 0 [`DEFAULT_REGION`]. Groups of one name become one region.
    pub fn set_regions(&mut self, runs: &[(u64, usize)], names: &BTreeMap<u64, String>) {
        let mut present: Vec<u64> = runs.iter().map(|r| r.0).collect();
        present.extend(names.keys());
        present.sort_unstable();
        present.dedup();
        self.region_names.clear();
        let mut by_name: BTreeMap<String, u32> = BTreeMap::new();
        let mut index_of: BTreeMap<u64, u32> = BTreeMap::new();
        for group in present {
            let name = match names.get(&group) {
                Some(name) => name.clone(),
                None if group == 0 => DEFAULT_REGION.to_string(),
                None => group.to_string(),
            };
            let index = *by_name.entry(name.clone()).or_insert_with(|| {
                self.region_names.push(name);
                self.region_names.len() as u32 - 1
            });
            index_of.insert(group, index);
        }
        self.regions = match runs {
            // fresh zeroed memory costs nothing until somebody writes to it
            [(group, count)] if index_of[group] == 0 => vec![0; *count],
            _ => runs
                .iter()
                .flat_map(|(group, count)| std::iter::repeat_n(index_of[group], *count))
                .collect(),
        };
    }

    /// The line of element `e`, where lines are known.
    pub fn line(&self, e: usize) -> Option<usize> {
        self.lines.get(e).map(|l| l as usize)
    }
}

/// Elements that are left out: how many, and the line of the first where lines are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// How many.
    pub count: usize,
    /// Line of the first.
    pub line: Option<usize>,
    /// The format's own number or name of the type.
    pub code: String,
}

/// A mesh as in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawMesh {
    /// The file, for errors.
    pub name: String,
    /// Node positions in the file's unit.
    pub positions: Vec<Vec3>,
    /// Ids of the nodes in the file.
    pub node_ids: Runs,
    /// Tetrahedra.
    pub tetrahedra: Cells<4>,
    /// Triangles: of a plane body, of a surface, or the boundary of the tetrahedra.
    pub triangles: Cells<3>,
    /// Ten-node tetrahedra, with their nodes as in VTK; only while a file is read, then they are among the tetrahedra.
    pub ten_nodes: Cells<10>,
    /// Whether the tetrahedra come eight by eight, the parts of ten-node tetrahedra; see [`crate::octet`].
    pub octets: bool,
    /// Elements of other kinds, which are left out.
    pub skipped: BTreeMap<ElementKind, Skipped>,
}

impl RawMesh {
    /// An empty mesh of the file `name`.
    pub fn new(name: &str) -> RawMesh {
        RawMesh {
            name: name.to_string(),
            ..RawMesh::default()
        }
    }

    /// Counts elements that are left out; `code` is the format's own word for them.
    pub fn skip(&mut self, kind: ElementKind, count: usize, line: Option<usize>, code: &str) {
        let entry = self.skipped.entry(kind).or_insert_with(|| Skipped {
            count: 0,
            line,
            code: code.to_string(),
        });
        entry.count += count;
    }

    /// Replaces node ids by indices in elements that were read before the nodes were known.
    pub fn resolve_ids(&mut self) -> Result<(), ReadError> {
        let lookup = NodeLookup::new(&self.node_ids).map_err(|id| self.duplicate_node(id))?;
        resolve(&mut self.tetrahedra, &lookup, &self.name)?;
        resolve(&mut self.ten_nodes, &lookup, &self.name)?;
        resolve(&mut self.triangles, &lookup, &self.name)
    }

    /// The error for two nodes with one id.
    pub fn duplicate_node(&self, id: u64) -> ReadError {
        ReadError::new(&self.name, format!("the file defines node {id} twice"))
    }

    /// Nodes and elements with the checks and harmless repairs of [`Mesh::new`]: the tetrahedra, or the triangles of a
    /// plane body if there are none. Errors are in the file's own ids and lines.
    pub fn into_mesh(self) -> Result<(Mesh, MeshNotices), ReadError> {
        self.check_kinds()?;
        let RawMesh {
            name,
            positions,
            node_ids,
            tetrahedra,
            triangles,
            octets,
            skipped,
            ..
        } = self;
        let mut left_out: BTreeMap<&str, usize> = skipped
            .iter()
            .map(|(kind, s)| (kind.name(), s.count))
            .collect();
        let (built, ids, lines) = if tetrahedra.is_empty() {
            checked(positions, triangles, Elements::Triangles)
        } else {
            if !triangles.is_empty() {
                left_out.insert(ElementKind::Triangle.name(), triangles.len());
            }
            checked(positions, tetrahedra, Elements::Tetrahedra)
        };
        let (mut mesh, mut notices) = built.map_err(|error| {
            let line = error.element().and_then(|e| lines.get(e));
            let message = in_file_ids(error, &ids, &node_ids).to_string();
            let place = match line {
                Some(line) => Place::Line {
                    line: line as usize,
                    section: String::new(),
                },
                None => Place::File,
            };
            ReadError::new(&name, message)
                .at(place)
                .help("`pliant mesh check` lists everything that is wrong, `pliant mesh repair` mends what it can")
        })?;
        mesh.octets = octets;
        if octets && mesh.ten_nodes().is_none() {
            let message =
                "some ten-node tetrahedra are curved so much that a part of them is inside out";
            return Err(ReadError::new(&name, message)
                .help("export the mesh with straight edges, or a finer one"));
        }
        match node_ids.single() {
            Some(first) => {
                for id in &mut mesh.original_ids {
                    *id = (first + u64::from(*id)) as u32;
                }
            }
            None => {
                let ids: Vec<u64> = node_ids.iter().collect();
                for id in &mut mesh.original_ids {
                    *id = ids[*id as usize] as u32;
                }
            }
        }
        notices.skipped = left_out
            .into_iter()
            .map(|(kind, n)| (kind.to_string(), n))
            .collect();
        Ok((mesh, notices))
    }

    /// Refuses meshes of which a part could not be simulated.
    fn check_kinds(&self) -> Result<(), ReadError> {
        // leaving out lines and points, or faces of a solid, takes nothing away from the body
        let needed = if self.tetrahedra.is_empty() { 2 } else { 3 };
        let refused: Vec<(&ElementKind, &Skipped)> = self
            .skipped
            .iter()
            .filter(|(kind, _)| kind.dimension() >= needed)
            .collect();
        if let Some((_, first)) = refused.first() {
            let name = |(kind, skipped): &(&ElementKind, &Skipped)| match kind {
                ElementKind::Unknown => format!("type {}", skipped.code),
                known => known.name().to_string(),
            };
            let kinds: Vec<String> = refused.iter().map(name).collect();
            let count: usize = refused.iter().map(|r| r.1.count).sum();
            let message = format!(
                "{} elements are not supported ({count} of them)",
                kinds.join(" and ")
            );
            let place = match first.line {
                Some(line) => Place::Line {
                    line,
                    section: String::new(),
                },
                None => Place::File,
            };
            return Err(ReadError::new(&self.name, message).at(place).help(
                "export the mesh with linear tetrahedra, or linear triangles for a plane body",
            ));
        }
        if self.tetrahedra.is_empty() && self.triangles.is_empty() {
            let message = "the file contains neither tetrahedra nor triangles";
            return Err(ReadError::new(&self.name, message)
                .help("export the volume mesh, not only its points or edges"));
        }
        Ok(())
    }
}

impl From<Mesh> for RawMesh {
    fn from(mesh: Mesh) -> RawMesh {
        let mut raw = RawMesh::new("");
        // generated meshes count their nodes from 0; files from 1
        let offset = u64::from(mesh.original_ids.contains(&0));
        raw.node_ids = mesh
            .original_ids
            .iter()
            .map(|&id| u64::from(id) + offset)
            .collect();
        raw.octets = mesh.octets;
        raw.positions = mesh.positions;
        let (regions, names) = (mesh.regions, mesh.region_names);
        match mesh.elements {
            Elements::Tetrahedra(nodes) => raw.tetrahedra = Cells::counted(nodes, regions, names),
            Elements::Triangles(nodes) => raw.triangles = Cells::counted(nodes, regions, names),
        }
        raw
    }
}

/// The mesh of some cells, with their ids and lines.
fn checked<const N: usize>(
    positions: Vec<Vec3>,
    cells: Cells<N>,
    elements: impl Fn(Vec<[u32; N]>) -> Elements,
) -> (Result<(Mesh, MeshNotices), MeshError>, Runs, Runs) {
    let built = Mesh::new(
        positions,
        elements(cells.nodes),
        cells.regions,
        cells.region_names,
    );
    (built, cells.ids, cells.lines)
}

fn resolve<const N: usize>(
    cells: &mut Cells<N>,
    lookup: &NodeLookup,
    name: &str,
) -> Result<(), ReadError> {
    for e in 0..cells.nodes.len() {
        for i in 0..N {
            let id = u64::from(cells.nodes[e][i]);
            match lookup.find(id) {
                Some(index) => cells.nodes[e][i] = index,
                None => return Err(unknown_node(name, cells, e, id)),
            }
        }
    }
    Ok(())
}

/// The error for element `e` that uses a node nobody defined.
pub fn unknown_node<const N: usize>(name: &str, cells: &Cells<N>, e: usize, id: u64) -> ReadError {
    let element = cells.ids.get(e).unwrap_or(e as u64);
    let message = format!("element {element} uses node {id}, which the file does not define");
    let place = match cells.line(e) {
        Some(line) => Place::Line {
            line,
            section: String::new(),
        },
        None => Place::File,
    };
    ReadError::new(name, message).at(place)
}

/// Node id to node index.
pub enum NodeLookup {
    /// Ids count up from this one.
    Consecutive {
        /// The first id.
        first: u64,
        /// Number of nodes.
        count: usize,
    },
    /// (id, index), ascending.
    Sorted(Vec<(u64, u32)>),
}

impl NodeLookup {
    /// Fails with the id that occurs twice.
    pub fn new(ids: &Runs) -> Result<NodeLookup, u64> {
        if let Some(first) = ids.single() {
            let count = ids.len();
            return Ok(NodeLookup::Consecutive { first, count });
        }
        let mut sorted: Vec<(u64, u32)> = ids.iter().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|w| w[0].0 == w[1].0) {
            Some(pair) => Err(pair[0].0),
            None => Ok(NodeLookup::Sorted(sorted)),
        }
    }

    /// The node of that id.
    #[inline]
    pub fn find(&self, id: u64) -> Option<u32> {
        match self {
            NodeLookup::Consecutive { first, count } => {
                let index = id.wrapping_sub(*first);
                (index < *count as u64).then_some(index as u32)
            }
            NodeLookup::Sorted(list) => {
                let slot = list.binary_search_by_key(&id, |&(t, _)| t).ok()?;
                Some(list[slot].1)
            }
        }
    }
}

/// The same error with the ids of the file in place of indices.
fn in_file_ids(mut error: MeshError, element_ids: &Runs, node_ids: &Runs) -> MeshError {
    let element_id = |e: &mut usize| *e = element_ids.get(*e).map_or(*e, |id| id as usize);
    let node_id = |n: &mut usize| *n = node_ids.get(*n).map_or(*n, |id| id as usize);
    match &mut error {
        MeshError::RepeatedNode { element, node } => {
            element_id(element);
            let mut wide = *node as usize;
            node_id(&mut wide);
            *node = wide as u32;
        }
        MeshError::ZeroVolume { element, .. } | MeshError::Overflow { element } => {
            element_id(element);
        }
        MeshError::DuplicateElement { element, first } => {
            element_id(element);
            element_id(first);
        }
        MeshError::NotPlanar { node, .. } | MeshError::NonFinite { node } => node_id(node),
        _ => {}
    }
    error
}
