//! The sections of a Gmsh file. Header counts are promises, not sizes: they bound loops that each consume
//! a line, and capacities never exceed what the remaining bytes could hold.

use super::ReadError;
use super::assemble::{Groups, RawMesh, RawNodes};
use super::lines::Lines;
use crate::error::MeshNotices;
use crate::mesh::Mesh;
use pliant_linalg::vec3;

/// Fewest bytes of a node or element line ("1 0 0 0\n").
const LEAST_LINE: usize = 8;

/// The MSH versions in use.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    One,
    Two,
    FourOne,
}

/// What becomes of an element type.
enum Kind {
    Tetrahedron,
    Triangle,
    /// Lower-dimensional; left out.
    Boundary(&'static str),
    /// A face element that only a mesh of tetrahedra may contain.
    Face(&'static str),
    /// Of three dimensions, or unknown.
    Refused(&'static str),
}

/// Gmsh's element type numbers.
fn kind_of(code: u32) -> Kind {
    match code {
        1 | 8 | 26..=28 => Kind::Boundary("line"),
        2 => Kind::Triangle,
        3 => Kind::Face("quadrangle"),
        4 => Kind::Tetrahedron,
        5 => Kind::Refused("hexahedron"),
        6 => Kind::Refused("prism"),
        7 => Kind::Refused("pyramid"),
        9 | 20..=25 => Kind::Face("higher-order triangle"),
        10 | 16 => Kind::Face("higher-order quadrangle"),
        11 | 29..=31 => Kind::Refused("higher-order tetrahedron"),
        12 | 17 => Kind::Refused("higher-order hexahedron"),
        13 | 18 => Kind::Refused("higher-order prism"),
        14 | 19 => Kind::Refused("higher-order pyramid"),
        15 => Kind::Boundary("point"),
        _ => Kind::Refused("unknown"),
    }
}

/// Reads a Gmsh text file; `name` is only used in errors.
pub fn read_gmsh(text: &[u8], name: &str) -> Result<(Mesh, MeshNotices), ReadError> {
    let mut lines = Lines::new(text, name);
    let format = read_format(&mut lines)?;
    let mut raw = RawMesh::new(if format == Format::FourOne {
        Groups::Entities
    } else {
        Groups::Physical
    });
    let mut seen: Vec<&[u8]> = Vec::new();
    // MSH 1 has no format section: its first line already opens the nodes
    let mut opened = (format == Format::One).then_some(&b"$NOD"[..]);
    while let Some(line) = opened.take().or_else(|| lines.next_line()) {
        lines.section = String::from_utf8_lossy(line).chars().take(40).collect();
        if line[0] != b'$' {
            lines.section = "between sections".to_string();
            return Err(lines.syntax("the start of a section ($…)".to_string(), line));
        }
        if matches!(line, b"$Nodes" | b"$NOD" | b"$Elements" | b"$ELM") {
            if seen.contains(&line) {
                return Err(lines.syntax("only one such section".to_string(), line));
            }
            seen.push(line);
        }
        match (line, format) {
            (b"$NOD", Format::One) => {
                read_nodes_plain(&mut lines, &mut raw.nodes)?;
                lines.close("$ENDNOD")?;
            }
            (b"$ELM", Format::One) => {
                read_elements_plain(&mut lines, &mut raw, format)?;
                lines.close("$ENDELM")?;
            }
            (b"$Nodes", Format::Two) => {
                read_nodes_plain(&mut lines, &mut raw.nodes)?;
                lines.close("$EndNodes")?;
            }
            (b"$Elements", Format::Two) => {
                read_elements_plain(&mut lines, &mut raw, format)?;
                lines.close("$EndElements")?;
            }
            (b"$Nodes", Format::FourOne) => {
                read_nodes_blocks(&mut lines, &mut raw.nodes)?;
                lines.close("$EndNodes")?;
            }
            (b"$Elements", Format::FourOne) => {
                read_elements_blocks(&mut lines, &mut raw)?;
                lines.close("$EndElements")?;
            }
            (b"$Entities", Format::FourOne) => {
                read_entities(&mut lines, &mut raw)?;
                lines.close("$EndEntities")?;
            }
            (b"$PhysicalNames", _) => {
                read_physical_names(&mut lines, &mut raw)?;
                lines.close("$EndPhysicalNames")?;
            }
            (b"$PartitionedEntities", _) => {
                return Err(ReadError::Version {
                    name: name.to_string(),
                    what: "the mesh is partitioned, and partitions are not read".to_string(),
                });
            }
            _ => {
                let end = [b"$End", &line[1..]].concat();
                lines.skip_to(&end)?;
            }
        }
    }
    for (section, aliases) in [
        ("$Nodes", ["$Nodes", "$NOD"]),
        ("$Elements", ["$Elements", "$ELM"]),
    ] {
        if !aliases.iter().any(|a| seen.contains(&a.as_bytes())) {
            lines.section = "the end of the file".to_string();
            return Err(lines.truncated(format!("a section {section}")));
        }
    }
    raw.assemble(name)
}

fn read_format(lines: &mut Lines) -> Result<Format, ReadError> {
    let name = lines.name.to_string();
    match lines.next_line() {
        Some(b"$MeshFormat") => {}
        Some(b"$NOD") => return Ok(Format::One),
        // Gmsh lets comments come first
        Some(b"$Comments") => {
            lines.skip_to(b"$EndComments")?;
            return read_format(lines);
        }
        _ => return Err(ReadError::NotGmsh { name }),
    }
    lines.section = "$MeshFormat".to_string();
    lines.split_exactly(3, || "version, file type and data size".to_string())?;
    let version: f64 = lines.number(0, "a version such as 4.1")?;
    let file_type: u32 = lines.number(1, "file type 0 (ASCII) or 1 (binary)")?;
    let format = if (2.0..3.0).contains(&version) {
        Format::Two
    } else if (version - 4.1).abs() < 1e-9 {
        Format::FourOne
    } else {
        let what = format!("MSH version {version} is not read");
        return Err(ReadError::Version { name, what });
    };
    if file_type != 0 {
        return Err(ReadError::Binary { name });
    }
    lines.close("$EndMeshFormat")?;
    Ok(format)
}

/// A header line of a single count.
fn read_count(lines: &mut Lines, what: &str) -> Result<usize, ReadError> {
    lines.split_exactly(1, || format!("the number of {what}"))?;
    lines.number(0, &format!("the number of {what}"))
}

fn read_nodes_plain(lines: &mut Lines, nodes: &mut RawNodes) -> Result<(), ReadError> {
    let count = read_count(lines, "nodes")?;
    nodes.reserve(count.min(lines.remaining() / LEAST_LINE));
    for i in 1..=count {
        lines.split_exactly(4, || format!("node {i} of {count}: tag x y z"))?;
        nodes.tags.push(lines.number(0, "a node tag")?);
        nodes.push_position(lines, 1)?;
    }
    Ok(())
}

fn read_nodes_blocks(lines: &mut Lines, nodes: &mut RawNodes) -> Result<(), ReadError> {
    let header = || "the header: blocks, nodes, smallest tag, largest tag".to_string();
    lines.split_exactly(4, header)?;
    let block_count: usize = lines.number(0, "the number of node blocks")?;
    let count: usize = lines.number(1, "the number of nodes")?;
    nodes.reserve(count.min(lines.remaining() / LEAST_LINE));
    for b in 1..=block_count {
        lines.split_exactly(4, || {
            format!(
                "header of node block {b} of {block_count}: dimension, entity, parametric, nodes"
            )
        })?;
        let dimension: usize = lines.number(0, "an entity dimension")?;
        let parametric: u32 = lines.number(2, "0 or 1 for parametric")?;
        let in_block: usize = lines.number(3, "the number of nodes in the block")?;
        if dimension > 3 || parametric > 1 {
            let wanted = "a dimension from 0 to 3 and 0 or 1 for parametric";
            return Err(lines.syntax_found(wanted.to_string(), "other numbers".to_string()));
        }
        if in_block > count - nodes.tags.len() {
            let wanted = format!("at most {} more nodes", count - nodes.tags.len());
            return Err(lines.syntax_found(wanted, in_block.to_string()));
        }
        for i in 1..=in_block {
            lines.split_exactly(1, || format!("tag of node {i} of {in_block} in block {b}"))?;
            nodes.tags.push(lines.number(0, "a node tag")?);
        }
        let width = 3 + parametric as usize * dimension;
        for i in 1..=in_block {
            lines.split_exactly(width, || {
                format!("coordinates of node {i} of {in_block} in block {b}")
            })?;
            nodes.push_position(lines, 0)?;
        }
    }
    if nodes.tags.len() != count {
        let found = format!("{} in the blocks", nodes.tags.len());
        return Err(lines.syntax_found(format!("{count} nodes"), found));
    }
    Ok(())
}

impl RawNodes {
    fn reserve(&mut self, count: usize) {
        self.tags.reserve(count);
        self.positions.reserve(count);
    }

    fn push_position(&mut self, lines: &Lines, first: usize) -> Result<(), ReadError> {
        let [x, y, z] = [0, 1, 2].map(|a| lines.coordinate(first + a));
        self.positions.push(vec3(x?, y?, z?));
        Ok(())
    }
}

/// Elements of MSH 1 (tag type physical entity count nodes…) and 2 (tag type tag-count tags… nodes…).
fn read_elements_plain(
    lines: &mut Lines,
    raw: &mut RawMesh,
    format: Format,
) -> Result<(), ReadError> {
    let count = read_count(lines, "elements")?;
    for i in 1..=count {
        lines.split_line(|| format!("element {i} of {count}"))?;
        let tag: u64 = lines.number(0, "an element tag")?;
        let code: u32 = lines.number(1, "an element type")?;
        // group: the physical group, first of the tags
        let (group, first_node) = if format == Format::One {
            (lines.number(2, "a physical group")?, 5)
        } else {
            let tag_count: usize = lines.number(2, "the number of element tags")?;
            let group = match tag_count {
                0 => 0,
                _ => lines.number(3, "a physical group")?,
            };
            (group, tag_count.saturating_add(3))
        };
        read_element(lines, raw, code, tag, group, first_node)?;
    }
    Ok(())
}

fn read_elements_blocks(lines: &mut Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let header = || "the header: blocks, elements, smallest tag, largest tag".to_string();
    lines.split_exactly(4, header)?;
    let block_count: usize = lines.number(0, "the number of element blocks")?;
    let count: usize = lines.number(1, "the number of elements")?;
    let mut missing = count;
    for b in 1..=block_count {
        lines.split_exactly(4, || {
            format!(
                "header of element block {b} of {block_count}: dimension, entity, type, elements"
            )
        })?;
        let entity: i64 = lines.number(1, "an entity tag")?;
        let code: u32 = lines.number(2, "an element type")?;
        let in_block: usize = lines.number(3, "the number of elements in the block")?;
        if in_block > missing {
            return Err(lines.syntax_found(
                format!("at most {missing} more elements"),
                in_block.to_string(),
            ));
        }
        missing -= in_block;
        for i in 1..=in_block {
            lines.split_line(|| format!("element {i} of {in_block} in block {b}"))?;
            let tag: u64 = lines.number(0, "an element tag")?;
            read_element(lines, raw, code, tag, entity, 1)?;
        }
    }
    if missing != 0 {
        let found = format!("{} in the blocks", count - missing);
        return Err(lines.syntax_found(format!("{count} elements"), found));
    }
    Ok(())
}

/// Takes the nodes from the current line, from word `first_node` on.
fn read_element(
    lines: &Lines,
    raw: &mut RawMesh,
    code: u32,
    tag: u64,
    group: i64,
    first_node: usize,
) -> Result<(), ReadError> {
    let check_width = |nodes: usize, kind: &str| {
        let found = lines.words.len().saturating_sub(first_node);
        if found == nodes && lines.words.len() == first_node.saturating_add(nodes) {
            return Ok(());
        }
        let wanted = format!("the {nodes} nodes of a {kind}");
        Err(lines.syntax_found(wanted, format!("{found} values")))
    };
    match kind_of(code) {
        Kind::Tetrahedron => {
            check_width(4, "tetrahedron")?;
            let mut nodes = [0u32; 4];
            for (i, node) in nodes.iter_mut().enumerate() {
                *node = lines.number(first_node + i, "a node tag")?;
            }
            raw.tetrahedra.push(nodes, tag, group, lines.line);
        }
        Kind::Triangle => {
            check_width(3, "triangle")?;
            let mut nodes = [0u32; 3];
            for (i, node) in nodes.iter_mut().enumerate() {
                *node = lines.number(first_node + i, "a node tag")?;
            }
            raw.triangles.push(nodes, tag, group, lines.line);
        }
        Kind::Boundary(kind) => raw.skip(kind),
        Kind::Face(kind) => {
            raw.skip(kind);
            raw.first_face = raw.first_face.or(Some((kind, lines.line)));
        }
        Kind::Refused(kind) => {
            return Err(ReadError::Unsupported {
                name: lines.name.to_string(),
                line: lines.line,
                kind: match kind {
                    "unknown" => format!("type {code}"),
                    known => known.to_string(),
                },
                instead: "tetrahedra",
            });
        }
    }
    Ok(())
}

fn read_entities(lines: &mut Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let header = || "the numbers of points, curves, surfaces and volumes".to_string();
    lines.split_exactly(4, header)?;
    let mut counts = [0usize; 4];
    for (dimension, count) in counts.iter_mut().enumerate() {
        *count = lines.number(dimension, "a number of entities")?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        // tag, then a point or the corners of a box, then the physical groups
        let groups_at = if dimension == 0 { 4 } else { 7 };
        for i in 1..=count {
            lines.split_line(|| format!("entity {i} of {count} of dimension {dimension}"))?;
            let tag: i64 = lines.number(0, "an entity tag")?;
            let groups: usize = lines.number(groups_at, "the number of physical groups")?;
            if groups > 0 {
                let physical: i64 = lines.number(groups_at + 1, "a physical group")?;
                raw.entity_groups.insert((dimension, tag), physical);
            }
        }
    }
    Ok(())
}

fn read_physical_names(lines: &mut Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let count = read_count(lines, "physical names")?;
    for i in 1..=count {
        let expected = || format!("physical name {i} of {count}: dimension tag \"name\"");
        let line = lines.section_line(expected)?;
        let mut parts = line.splitn(3, |b| b.is_ascii_whitespace());
        lines.words.clear();
        lines.words.extend(parts.by_ref().take(2));
        let dimension: usize = lines.number(0, "a dimension")?;
        let tag: i64 = lines.number(1, "a physical group")?;
        let Some(quoted) = parts.next() else {
            return Err(lines.syntax(expected(), line));
        };
        let text = String::from_utf8_lossy(quoted.trim_ascii()).into_owned();
        let name = text.strip_prefix('"').unwrap_or(&text);
        let name = name.strip_suffix('"').unwrap_or(name);
        if !name.is_empty() {
            raw.names
                .insert((dimension, tag.unsigned_abs()), name.to_string());
        }
    }
    Ok(())
}
