//! Gmsh MSH files: 1, 2.2 and 4.1 as text, 2.2 and 4.1 binary. Physical groups become regions.
//! Format: gmsh.info, reference manual, "Gmsh file format".

mod binary;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use write::{Version, write};

use super::bytes::ByteOrder;
use super::error::ReadError;
use super::format::first_word;
use super::input::Input;
use super::kind::ElementKind;
use super::lines::Lines;
use super::raw::RawMesh;
use std::collections::BTreeMap;

/// Whether a file begins like a Gmsh file.
pub fn begins(head: &[u8]) -> bool {
    let first = first_word(head, b'\n');
    matches!(first, b"$MeshFormat" | b"$NOD" | b"$Comments")
}

/// The MSH versions in use.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    One,
    Two,
    FourOne,
}

/// How numbers are stored.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    Binary(ByteOrder),
}

/// A file while it is read.
struct Gathered {
    raw: RawMesh,
    layout: Layout,
    /// Group of runs of tetrahedra: a physical group (MSH 1 and 2) or an entity (MSH 4).
    tetrahedron_groups: Vec<(i64, usize)>,
    triangle_groups: Vec<(i64, usize)>,
    /// (dimension, entity) to its first physical group.
    entity_groups: BTreeMap<(usize, i64), i64>,
    /// (dimension, physical group) to its name.
    names: BTreeMap<(usize, u64), String>,
}

/// Lengthens the last run, or starts another.
fn push_group(runs: &mut Vec<(i64, usize)>, group: i64, count: usize) {
    match runs.last_mut() {
        Some(last) if last.0 == group => last.1 += count,
        _ => runs.push((group, count)),
    }
}

/// Reads a Gmsh file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?;
    let (layout, encoding) = read_format(&mut lines)?;
    let mut gathered = Gathered {
        raw: RawMesh::new(input.name()),
        layout,
        tetrahedron_groups: Vec::new(),
        triangle_groups: Vec::new(),
        entity_groups: BTreeMap::new(),
        names: BTreeMap::new(),
    };
    let mut blocks = binary::Blocks::default();
    let mut seen: Vec<Vec<u8>> = Vec::new();
    // MSH 1 has no format section: its first line already opened the nodes
    let mut open = layout == Layout::One || lines.next_line()?;
    while open {
        let section = lines.text().to_vec();
        if section[0] != b'$' {
            lines.section = "between sections".to_string();
            return Err(lines.unexpected("the start of a section ($…)"));
        }
        lines.section = String::from_utf8_lossy(&section).chars().take(40).collect();
        let needed = [&b"$Nodes"[..], b"$NOD", b"$Elements", b"$ELM"];
        if needed.contains(&&section[..]) {
            if seen.contains(&section) {
                return Err(lines.unexpected("only one such section"));
            }
            seen.push(section.clone());
        }
        let end = match (&section[..], layout, encoding) {
            (b"$NOD", Layout::One, _) | (b"$Nodes", Layout::Two, Encoding::Text) => {
                text::nodes_plain(&mut lines, &mut gathered.raw)?;
                if layout == Layout::One {
                    "$ENDNOD"
                } else {
                    "$EndNodes"
                }
            }
            (b"$ELM", Layout::One, _) | (b"$Elements", Layout::Two, Encoding::Text) => {
                text::elements_plain(&mut lines, &mut gathered)?;
                if layout == Layout::One {
                    "$ENDELM"
                } else {
                    "$EndElements"
                }
            }
            (b"$Nodes", Layout::FourOne, Encoding::Text) => {
                text::nodes_blocks(&mut lines, &mut gathered.raw)?;
                "$EndNodes"
            }
            (b"$Elements", Layout::FourOne, Encoding::Text) => {
                text::elements_blocks(&mut lines, &mut gathered)?;
                "$EndElements"
            }
            (b"$Entities", Layout::FourOne, Encoding::Text) => {
                text::entities(&mut lines, &mut gathered)?;
                "$EndEntities"
            }
            (b"$Nodes", Layout::Two, Encoding::Binary(order)) => {
                binary::nodes_plain(&mut lines, order, &mut gathered.raw)?;
                "$EndNodes"
            }
            (b"$Elements", Layout::Two, Encoding::Binary(order)) => {
                binary::elements_plain(&mut lines, order, &mut gathered)?;
                "$EndElements"
            }
            (b"$Nodes", Layout::FourOne, Encoding::Binary(order)) => {
                binary::nodes_blocks(&mut lines, order, &mut gathered.raw)?;
                "$EndNodes"
            }
            (b"$Elements", Layout::FourOne, Encoding::Binary(order)) => {
                blocks = binary::elements_blocks(&mut lines, order, &mut gathered)?;
                "$EndElements"
            }
            (b"$Entities", Layout::FourOne, Encoding::Binary(order)) => {
                binary::entities(&mut lines, order, &mut gathered)?;
                "$EndEntities"
            }
            (b"$PhysicalNames", _, _) => {
                text::physical_names(&mut lines, &mut gathered)?;
                "$EndPhysicalNames"
            }
            (b"$PartitionedEntities", _, _) => {
                let message = "the mesh is partitioned, and partitions are not read";
                return Err(lines.error(message).help(
                    "in Gmsh use Mesh > Unpartition and export again, or export as \"Version 2 ASCII\", without \"Save one file per partition\"",
                ));
            }
            (b"$ParametricNodes", _, _) => {
                let message = "nodes with parametric coordinates are not read from version 2";
                return Err(lines.error(message).help(
                    "in Gmsh export as \"Version 4.1 ASCII\", or without \"Save parametric coordinates\"",
                ));
            }
            _ => {
                skip_section(&mut lines, &section)?;
                ""
            }
        };
        if !end.is_empty() {
            close(&mut lines, end)?;
        }
        open = lines.next_line()?;
    }
    for (section, aliases) in [
        ("$Nodes", [&b"$Nodes"[..], b"$NOD"]),
        ("$Elements", [b"$Elements", b"$ELM"]),
    ] {
        if !aliases.iter().any(|a| seen.iter().any(|s| s == a)) {
            lines.section = "the end of the file".to_string();
            return Err(lines.truncated(&format!("a section {section}")));
        }
    }
    match encoding {
        Encoding::Binary(order) if layout == Layout::FourOne => {
            binary::decode(input, order, &blocks, &mut gathered)?;
        }
        _ => gathered.raw.resolve_ids()?,
    }
    Ok(gathered.finish())
}

/// What to export instead of something that is not read.
const EXPORT: &str = "in Gmsh use File > Export > .msh, \"Version 4.1 ASCII\" or \"Version 4 Binary\", without \"Save one file per partition\"";

impl Gathered {
    /// Turns groups into regions.
    fn finish(mut self) -> RawMesh {
        let physical = |dimension: usize, runs: &[(i64, usize)]| -> Vec<(u64, usize)> {
            let of = |group: i64| match self.layout {
                Layout::FourOne => {
                    let found = self.entity_groups.get(&(dimension, group));
                    found.copied().unwrap_or(0)
                }
                _ => group,
            };
            // a negative group means reversed orientation
            runs.iter()
                .map(|&(group, count)| (of(group).unsigned_abs(), count))
                .collect()
        };
        let names = |dimension: usize| -> BTreeMap<u64, String> {
            let of_dimension = self.names.iter().filter(|(key, _)| key.0 == dimension);
            of_dimension
                .map(|(key, name)| (key.1, name.clone()))
                .collect()
        };
        let (solids, faces) = (
            physical(3, &self.tetrahedron_groups),
            physical(2, &self.triangle_groups),
        );
        let (solid_names, face_names) = (names(3), names(2));
        // the last two middle nodes of Gmsh are the other way round
        for nodes in &mut self.raw.ten_nodes.nodes {
            nodes.swap(8, 9);
        }
        if !self.raw.ten_nodes.is_empty() {
            self.raw.ten_nodes.set_regions(&solids, &solid_names);
        }
        if !self.raw.tetrahedra.is_empty() {
            self.raw.tetrahedra.set_regions(&solids, &solid_names);
        }
        if !self.raw.triangles.is_empty() {
            self.raw.triangles.set_regions(&faces, &face_names);
        }
        self.raw
    }
}

fn read_format(lines: &mut Lines) -> Result<(Layout, Encoding), ReadError> {
    loop {
        if !lines.next_line()? {
            return Err(lines.truncated("$MeshFormat"));
        }
        match lines.text() {
            b"$MeshFormat" => break,
            b"$NOD" => return Ok((Layout::One, Encoding::Text)),
            // Gmsh lets comments come first
            b"$Comments" => skip_section(lines, b"$Comments")?,
            _ => {
                let message = "this is not a Gmsh file: it does not begin with $MeshFormat";
                return Err(ReadError::new(lines.name(), message).help(EXPORT));
            }
        }
    }
    lines.section = "$MeshFormat".to_string();
    lines.split_exactly(3, || "version, file type and data size".to_string())?;
    let version: f64 = lines.number(0, "a version such as 4.1")?;
    let file_type: u32 = lines.number(1, "file type 0 (ASCII) or 1 (binary)")?;
    let data_size: u32 = lines.number(2, "the data size 8")?;
    let layout = if (2.0..3.0).contains(&version) {
        Layout::Two
    } else if (version - 4.1).abs() < 1e-9 {
        Layout::FourOne
    } else {
        return Err(lines
            .error(format!("MSH version {version} is not read"))
            .help(EXPORT));
    };
    let encoding = match file_type {
        0 => Encoding::Text,
        1 => {
            if data_size != 8 {
                let message = format!("numbers of {data_size} bytes are not read");
                return Err(lines.error(message).help(EXPORT));
            }
            match lines.array::<4>("the number 1 that tells the byte order")? {
                [1, 0, 0, 0] => Encoding::Binary(ByteOrder::Little),
                [0, 0, 0, 1] => Encoding::Binary(ByteOrder::Big),
                other => {
                    let found = format!("the bytes {other:?}");
                    return Err(lines.expected("the number 1 that tells the byte order", found));
                }
            }
        }
        other => {
            let wanted = "file type 0 (ASCII) or 1 (binary)";
            return Err(lines.expected(wanted, other.to_string()));
        }
    };
    close(lines, "$EndMeshFormat")?;
    Ok((layout, encoding))
}

/// Reads the line that closes a section.
fn close(lines: &mut Lines, end: &str) -> Result<(), ReadError> {
    lines.expect_line(|| end.to_string())?;
    if lines.text() == end.as_bytes() {
        return Ok(());
    }
    Err(lines.unexpected(end))
}

/// Skips to the line that closes a section nobody reads.
fn skip_section(lines: &mut Lines, section: &[u8]) -> Result<(), ReadError> {
    let end = [b"$End", &section[1..]].concat();
    while lines.next_line()? {
        if lines.text() == end {
            return Ok(());
        }
    }
    Err(lines.truncated(&String::from_utf8_lossy(&end)))
}

/// A count that stands alone on a line.
fn read_count(lines: &mut Lines, what: &str) -> Result<usize, ReadError> {
    text::split_exactly(lines, 1, || format!("the number of {what}"))?;
    lines.number(0, &format!("the number of {what}"))
}

/// Gmsh's number for tetrahedra of ten nodes.
const TEN_NODES: u32 = 11;

/// Kind and node count of Gmsh's element type numbers.
fn kind_of(code: u32) -> Option<(ElementKind, usize)> {
    use ElementKind::*;
    Some(match code {
        1 => (Line, 2),
        2 => (Triangle, 3),
        3 => (Polygon, 4),
        4 => (Tetrahedron, 4),
        5 => (Hexahedron, 8),
        6 => (Prism, 6),
        7 => (Pyramid, 5),
        8 => (Line, 3),
        9 => (HigherTriangle, 6),
        10 => (Polygon, 9),
        11 => (HigherTetrahedron, 10),
        12 => (Hexahedron, 27),
        13 => (Prism, 18),
        14 => (Pyramid, 14),
        15 => (Point, 1),
        16 => (Polygon, 8),
        17 => (Hexahedron, 20),
        18 => (Prism, 15),
        19 => (Pyramid, 13),
        20 => (HigherTriangle, 9),
        21 => (HigherTriangle, 10),
        22 => (HigherTriangle, 12),
        23 | 24 => (HigherTriangle, 15),
        25 => (HigherTriangle, 21),
        26 => (Line, 4),
        27 => (Line, 5),
        28 => (Line, 6),
        29 => (HigherTetrahedron, 20),
        30 => (HigherTetrahedron, 35),
        31 => (HigherTetrahedron, 56),
        _ => return None,
    })
}
