//! The sections of a Gmsh text file. Header counts are promises, not sizes: they bound loops that each consume
//! a line, and capacities never exceed what the remaining bytes could hold.

use super::{Gathered, Layout, TEN_NODES, kind_of, push_group, read_count};
use crate::file::ElementKind;
use crate::file::error::ReadError;
use crate::file::lines::Lines;
use crate::file::raw::RawMesh;
use pliant_linalg::vec3;

/// Fewest bytes of a node or element line ("1 0 0 0\n").
const LEAST_LINE: usize = 8;

/// Splits the next line of a section.
fn split_line(lines: &mut Lines, expected: impl Fn() -> String) -> Result<(), ReadError> {
    lines.split_line(&expected)?;
    if lines.text()[0] == b'$' {
        return Err(lines.unexpected(&expected()));
    }
    Ok(())
}

/// As [`split_line`], refusing lines without exactly `count` words.
pub fn split_exactly(
    lines: &mut Lines,
    count: usize,
    expected: impl Fn() -> String,
) -> Result<(), ReadError> {
    split_line(lines, &expected)?;
    if lines.word_count() == count {
        return Ok(());
    }
    let wanted = format!("{} ({count} values)", expected());
    Err(lines.expected(&wanted, format!("{} values", lines.word_count())))
}

fn push_position(lines: &Lines, raw: &mut RawMesh, first: usize) -> Result<(), ReadError> {
    let [x, y, z] = [0, 1, 2].map(|a| lines.coordinate(first + a));
    raw.positions.push(vec3(x?, y?, z?));
    Ok(())
}

/// Tags of nodes fit 32 bits here, as indices do.
fn push_tag(lines: &Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let tag: u32 = lines.number(0, "a node tag")?;
    raw.node_ids.push(u64::from(tag));
    Ok(())
}

/// Nodes of MSH 1 and 2.
pub fn nodes_plain(lines: &mut Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let count = read_count(lines, "nodes")?;
    raw.positions
        .reserve(count.min(lines.remaining() / LEAST_LINE));
    for i in 1..=count {
        split_exactly(lines, 4, || format!("node {i} of {count}: tag x y z"))?;
        push_tag(lines, raw)?;
        push_position(lines, raw, 1)?;
    }
    Ok(())
}

/// Nodes of MSH 4.1.
pub fn nodes_blocks(lines: &mut Lines, raw: &mut RawMesh) -> Result<(), ReadError> {
    let header = || "the header: blocks, nodes, smallest tag, largest tag".to_string();
    split_exactly(lines, 4, header)?;
    let block_count: usize = lines.number(0, "the number of node blocks")?;
    let count: usize = lines.number(1, "the number of nodes")?;
    raw.positions
        .reserve(count.min(lines.remaining() / LEAST_LINE));
    for b in 1..=block_count {
        split_exactly(lines, 4, || {
            format!(
                "header of node block {b} of {block_count}: dimension, entity, parametric, nodes"
            )
        })?;
        let dimension: usize = lines.number(0, "an entity dimension")?;
        let parametric: u32 = lines.number(2, "0 or 1 for parametric")?;
        let in_block: usize = lines.number(3, "the number of nodes in the block")?;
        if dimension > 3 || parametric > 1 {
            let wanted = "a dimension from 0 to 3 and 0 or 1 for parametric";
            return Err(lines.expected(wanted, "other numbers".to_string()));
        }
        let missing = count - raw.node_ids.len();
        if in_block > missing {
            let wanted = format!("at most {missing} more nodes");
            return Err(lines.expected(&wanted, in_block.to_string()));
        }
        for i in 1..=in_block {
            split_exactly(lines, 1, || {
                format!("tag of node {i} of {in_block} in block {b}")
            })?;
            push_tag(lines, raw)?;
        }
        let width = 3 + parametric as usize * dimension;
        for i in 1..=in_block {
            split_exactly(lines, width, || {
                format!("coordinates of node {i} of {in_block} in block {b}")
            })?;
            push_position(lines, raw, 0)?;
        }
    }
    if raw.node_ids.len() != count {
        let found = format!("{} in the blocks", raw.node_ids.len());
        return Err(lines.expected(&format!("{count} nodes"), found));
    }
    Ok(())
}

/// Elements of MSH 1 (tag type physical entity count nodes…) and 2 (tag type tag-count tags… nodes…).
pub fn elements_plain(lines: &mut Lines, gathered: &mut Gathered) -> Result<(), ReadError> {
    let count = read_count(lines, "elements")?;
    for i in 1..=count {
        split_line(lines, || format!("element {i} of {count}"))?;
        let tag: u64 = lines.number(0, "an element tag")?;
        let code: u32 = lines.number(1, "an element type")?;
        // the physical group is the first of the tags
        let (group, first_node) = if gathered.layout == Layout::One {
            (lines.number(2, "a physical group")?, 5)
        } else {
            let tag_count: usize = lines.number(2, "the number of element tags")?;
            let group = match tag_count {
                0 => 0,
                _ => lines.number(3, "a physical group")?,
            };
            (group, tag_count.saturating_add(3))
        };
        element(lines, gathered, code, tag, group, first_node)?;
    }
    Ok(())
}

/// Elements of MSH 4.1.
pub fn elements_blocks(lines: &mut Lines, gathered: &mut Gathered) -> Result<(), ReadError> {
    let header = || "the header: blocks, elements, smallest tag, largest tag".to_string();
    split_exactly(lines, 4, header)?;
    let block_count: usize = lines.number(0, "the number of element blocks")?;
    let count: usize = lines.number(1, "the number of elements")?;
    let mut missing = count;
    for b in 1..=block_count {
        split_exactly(lines, 4, || {
            format!(
                "header of element block {b} of {block_count}: dimension, entity, type, elements"
            )
        })?;
        let entity: i64 = lines.number(1, "an entity tag")?;
        let code: u32 = lines.number(2, "an element type")?;
        let in_block: usize = lines.number(3, "the number of elements in the block")?;
        if in_block > missing {
            let wanted = format!("at most {missing} more elements");
            return Err(lines.expected(&wanted, in_block.to_string()));
        }
        missing -= in_block;
        for i in 1..=in_block {
            split_line(lines, || format!("element {i} of {in_block} in block {b}"))?;
            let tag: u64 = lines.number(0, "an element tag")?;
            element(lines, gathered, code, tag, entity, 1)?;
        }
    }
    if missing != 0 {
        let found = format!("{} in the blocks", count - missing);
        return Err(lines.expected(&format!("{count} elements"), found));
    }
    Ok(())
}

/// Takes the nodes from the current line, from word `first_node` on.
fn element(
    lines: &Lines,
    gathered: &mut Gathered,
    code: u32,
    tag: u64,
    group: i64,
    first_node: usize,
) -> Result<(), ReadError> {
    let raw = &mut gathered.raw;
    match kind_of(code) {
        Some((ElementKind::Tetrahedron, _)) => {
            let nodes = node_tags(lines, first_node, "tetrahedron")?;
            raw.tetrahedra.push(nodes, tag, lines.line);
            push_group(&mut gathered.tetrahedron_groups, group, 1);
        }
        Some((ElementKind::Triangle, _)) => {
            let nodes = node_tags(lines, first_node, "triangle")?;
            raw.triangles.push(nodes, tag, lines.line);
            push_group(&mut gathered.triangle_groups, group, 1);
        }
        Some(_) if code == TEN_NODES => {
            let nodes = node_tags(lines, first_node, "ten-node tetrahedron")?;
            raw.ten_nodes.push(nodes, tag, lines.line);
            push_group(&mut gathered.tetrahedron_groups, group, 1);
        }
        known => {
            let kind = known.map_or(ElementKind::Unknown, |k| k.0);
            raw.skip(kind, 1, Some(lines.line), &code.to_string());
        }
    }
    Ok(())
}

/// The words of the current line from `first` on as node tags, of which there must be `N`.
fn node_tags<const N: usize>(
    lines: &Lines,
    first: usize,
    kind: &str,
) -> Result<[u32; N], ReadError> {
    let found = lines.word_count().saturating_sub(first);
    if found != N || lines.word_count() < first {
        let wanted = format!("the {N} nodes of a {kind}");
        return Err(lines.expected(&wanted, format!("{found} values")));
    }
    let mut nodes = [0; N];
    for (i, node) in nodes.iter_mut().enumerate() {
        *node = lines.number(first + i, "a node tag")?;
    }
    Ok(nodes)
}

/// Physical groups of the entities of MSH 4.1.
pub fn entities(lines: &mut Lines, gathered: &mut Gathered) -> Result<(), ReadError> {
    let header = || "the numbers of points, curves, surfaces and volumes".to_string();
    split_exactly(lines, 4, header)?;
    let mut counts = [0usize; 4];
    for (dimension, count) in counts.iter_mut().enumerate() {
        *count = lines.number(dimension, "a number of entities")?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        // tag, then a point or the corners of a box, then the physical groups
        let groups_at = if dimension == 0 { 4 } else { 7 };
        for i in 1..=count {
            split_line(lines, || {
                format!("entity {i} of {count} of dimension {dimension}")
            })?;
            let tag: i64 = lines.number(0, "an entity tag")?;
            let groups: usize = lines.number(groups_at, "the number of physical groups")?;
            if groups > 0 {
                let physical: i64 = lines.number(groups_at + 1, "a physical group")?;
                gathered.entity_groups.insert((dimension, tag), physical);
            }
        }
    }
    Ok(())
}

/// Names of physical groups, which are text in binary files too.
pub fn physical_names(lines: &mut Lines, gathered: &mut Gathered) -> Result<(), ReadError> {
    let count = read_count(lines, "physical names")?;
    for i in 1..=count {
        let expected = || format!("physical name {i} of {count}: dimension tag \"name\"");
        split_line(lines, expected)?;
        let dimension: usize = lines.number(0, "a dimension")?;
        let tag: i64 = lines.number(1, "a physical group")?;
        // the name is the rest of the line: it may hold spaces
        let mut parts = lines.text().splitn(3, |b| b.is_ascii_whitespace());
        let Some(quoted) = parts.nth(2) else {
            return Err(lines.unexpected(&expected()));
        };
        let text = String::from_utf8_lossy(quoted.trim_ascii()).into_owned();
        let name = text.strip_prefix('"').unwrap_or(&text);
        let name = name.strip_suffix('"').unwrap_or(name);
        if !name.is_empty() {
            let key = (dimension, tag.unsigned_abs());
            gathered.names.insert(key, name.to_string());
        }
    }
    Ok(())
}
