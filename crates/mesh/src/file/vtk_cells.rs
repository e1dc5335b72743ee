//! What VTK's two formats share: cell types, and which cell array tells the region.

use super::error::ReadError;
use super::kind::ElementKind;
use super::raw::RawMesh;
use std::collections::{BTreeMap, BTreeSet};

/// VTK's number for a linear tetrahedron.
pub const TETRAHEDRON: u8 = 10;

/// VTK's number for tetrahedra of ten nodes.
pub const TEN_NODES: u8 = 24;
/// VTK's number for a linear triangle.
pub const TRIANGLE: u8 = 5;

/// Name of the array that holds the names of the regions, in the order of their numbers.
pub const REGION_NAMES: &str = "region_names";

/// The kind of a VTK cell type.
pub fn kind_of(code: u8) -> ElementKind {
    use ElementKind::*;
    match code {
        1 | 2 => Point,
        3 | 4 | 21 | 35 | 68 | 75 => Line,
        5 => Triangle,
        22 | 34 | 69 | 76 => HigherTriangle,
        6..=9 | 23 | 28 | 30 | 36 | 37 | 70 | 77 => Polygon,
        10 => Tetrahedron,
        24 | 71 | 78 => HigherTetrahedron,
        11 | 12 | 25 | 29 | 33 | 72 | 79 => Hexahedron,
        13 | 26 | 31 | 32 | 73 | 80 => Prism,
        14 | 27 | 74 | 81 => Pyramid,
        15 | 16 | 41 | 42 => OtherSolid,
        _ => Unknown,
    }
}

/// How well an array's name says that it holds regions: smaller is better, none says it does not.
pub fn region_rank(name: &str) -> Option<usize> {
    const NAMES: [&str; 10] = [
        "region",
        "regions",
        "regionid",
        "material",
        "materials",
        "materialids",
        "gmsh:physical",
        "medit:ref",
        "cell_tags",
        "cellentityids",
    ];
    let name = name.to_ascii_lowercase();
    NAMES.iter().position(|n| *n == name)
}

/// Puts cells given by type, end offset and nodes into the mesh; `nodes` are indices of all cells one after the
/// other, and `first_node` is added to them. Returns for every cell whether it is a tetrahedron or a triangle.
pub fn distribute(
    raw: &mut RawMesh,
    types: &[u8],
    ends: &[u64],
    nodes: &[u32],
    first_node: u32,
    node_count: u32,
) -> Result<(), ReadError> {
    let mut start = 0;
    for (cell, (&code, &end)) in types.iter().zip(ends).enumerate() {
        let Some(corners) = usize::try_from(end)
            .ok()
            .and_then(|end| nodes.get(start..end))
        else {
            let message = format!(
                "cell {cell} ends at position {end} of the connectivity, which holds {} numbers and was read up to {start}",
                nodes.len()
            );
            return Err(ReadError::new(&raw.name, message));
        };
        if let Some(node) = corners.iter().find(|&&n| n >= node_count) {
            let message =
                format!("cell {cell} uses node {node}, but there are only {node_count} nodes");
            return Err(ReadError::new(&raw.name, message));
        }
        let wrong = |wanted: usize| {
            let message = format!(
                "cell {cell} has {} nodes where {wanted} were expected",
                corners.len()
            );
            ReadError::new(&raw.name, message)
        };
        match kind_of(code) {
            ElementKind::Tetrahedron => {
                let nodes: [u32; 4] = corners.try_into().map_err(|_| wrong(4))?;
                raw.tetrahedra.nodes.push(nodes.map(|n| n + first_node));
                raw.tetrahedra.ids.push(cell as u64);
            }
            ElementKind::Triangle => {
                let nodes: [u32; 3] = corners.try_into().map_err(|_| wrong(3))?;
                raw.triangles.nodes.push(nodes.map(|n| n + first_node));
                raw.triangles.ids.push(cell as u64);
            }
            ElementKind::HigherTetrahedron if code == TEN_NODES => {
                let nodes: [u32; 10] = corners.try_into().map_err(|_| wrong(10))?;
                raw.ten_nodes.nodes.push(nodes.map(|n| n + first_node));
                raw.ten_nodes.ids.push(cell as u64);
            }
            kind => raw.skip(kind, 1, None, &code.to_string()),
        }
        start = end as usize;
    }
    Ok(())
}

/// Regions from the numbers of all cells, given as (type, number).
pub fn set_regions(
    raw: &mut RawMesh,
    types: impl Iterator<Item = u8> + Clone,
    numbers: Option<&[i64]>,
    names: &[String],
) {
    let Some(numbers) = numbers else {
        raw.tetrahedra.single_region();
        raw.ten_nodes.single_region();
        raw.triangles.single_region();
        return;
    };
    let runs = |wanted: u8| {
        let mut runs: Vec<(u64, usize)> = Vec::new();
        let of_kind = types
            .clone()
            .zip(numbers)
            .filter(|(code, _)| *code == wanted);
        for (_, &number) in of_kind {
            // numbers below zero mean "none"
            let group = u64::try_from(number).unwrap_or(0);
            match runs.last_mut() {
                Some(last) if last.0 == group => last.1 += 1,
                _ => runs.push((group, 1)),
            }
        }
        runs
    };
    // no file with both kinds of tetrahedra is accepted
    let solid = match raw.ten_nodes.is_empty() {
        true => TETRAHEDRON,
        false => TEN_NODES,
    };
    let (solids, faces) = (runs(solid), runs(TRIANGLE));
    // names count from the number 0
    let named: BTreeMap<u64, String> = (0..).zip(names.iter().cloned()).collect();
    let groups = |runs: &[(u64, usize)]| -> BTreeSet<u64> { runs.iter().map(|r| r.0).collect() };
    let (of_solids, of_faces) = (groups(&solids), groups(&faces));
    // a name that nobody uses is the solids', if there are any
    let of = |own: &BTreeSet<u64>, takes: &dyn Fn(&u64) -> bool| -> BTreeMap<u64, String> {
        let mut kept = named.clone();
        kept.retain(|group, _| own.contains(group) || takes(group));
        kept
    };
    if !solids.is_empty() {
        let names = of(&of_solids, &|g| !of_faces.contains(g));
        match solid {
            TEN_NODES => raw.ten_nodes.set_regions(&solids, &names),
            _ => raw.tetrahedra.set_regions(&solids, &names),
        }
    }
    if !faces.is_empty() {
        raw.triangles
            .set_regions(&faces, &of(&of_faces, &|_| solids.is_empty()));
    }
}

/// Names, each ended by a zero.
pub fn names(bytes: &[u8]) -> Vec<String> {
    let parts = bytes.split(|&b| b == 0).filter(|n| !n.is_empty());
    parts
        .map(|n| String::from_utf8_lossy(n).into_owned())
        .collect()
}
