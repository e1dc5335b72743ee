//! The sections of a binary Gmsh file. Blocks of records are located first and decoded on all threads afterwards;
//! a block is believed only as far as the file is long.

use super::{Gathered, TEN_NODES, kind_of, push_group, read_count};
use crate::file::ElementKind;
use crate::file::bytes::ByteOrder;
use crate::file::error::ReadError;
use crate::file::input::Input;
use crate::file::lines::Lines;
use crate::file::raw::{Cells, NodeLookup, RawMesh, unknown_node};
use crate::file::runs::Runs;
use pliant_linalg::{Vec3, vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements of one entity and type in MSH 4.1.
struct Block {
    kind: ElementKind,
    entity: i64,
    offset: u64,
    count: usize,
}

/// The element blocks of a file.
#[derive(Default)]
pub struct Blocks(Vec<Block>);

fn int(lines: &mut Lines, order: ByteOrder, expected: &str) -> Result<i32, ReadError> {
    Ok(order.i32(&lines.array::<4>(expected)?))
}

fn size(lines: &mut Lines, order: ByteOrder, expected: &str) -> Result<u64, ReadError> {
    Ok(order.u64(&lines.array::<8>(expected)?))
}

/// Refuses a count of records that the rest of the file cannot hold.
fn checked_count(lines: &Lines, count: u64, record: u64, what: &str) -> Result<usize, ReadError> {
    if count
        .checked_mul(record)
        .is_some_and(|bytes| bytes <= lines.remaining() as u64)
    {
        return Ok(count as usize);
    }
    let message =
        format!("{count} {what} are promised, but the rest of the file is too short for them");
    let error = ReadError::new(lines.name(), message).at(lines.byte_place(lines.offset()));
    Err(error.help("export or copy the file again"))
}

fn position(order: ByteOrder, bytes: &[u8]) -> Option<Vec3> {
    let p = vec3(
        order.f64(bytes),
        order.f64(&bytes[8..]),
        order.f64(&bytes[16..]),
    );
    p.is_finite().then_some(p)
}

fn not_finite(lines: &Lines, node: usize, offset: u64) -> ReadError {
    let message = format!(
        "node {} of the section has a coordinate that is not a finite number",
        node + 1
    );
    ReadError::new(lines.name(), message).at(lines.byte_place(offset))
}

fn bad_tag(lines: &Lines, what: &str, index: usize, offset: u64) -> ReadError {
    let message = format!(
        "the tag of {what} {} is not a number from 1 to {}",
        index + 1,
        u32::MAX
    );
    ReadError::new(lines.name(), message).at(lines.byte_place(offset))
}

/// Nodes of MSH 2: tag (i32), x, y, z.
pub fn nodes_plain(
    lines: &mut Lines,
    order: ByteOrder,
    raw: &mut RawMesh,
) -> Result<(), ReadError> {
    const RECORD: usize = 28;
    let count = read_count(lines, "nodes")?;
    let count = checked_count(lines, count as u64, RECORD as u64, "nodes")?;
    let (input, offset) = (lines.input(), lines.offset());
    let section = lines.section.clone();
    raw.positions = input
        .records(&section, offset, count, RECORD, Vec3::ZERO, |_, b| {
            position(order, &b[4..])
        })?
        .map_err(|node| not_finite(lines, node, offset))?;
    let tags = input.records(&section, offset, count, RECORD, 0, |_, b| {
        u32::try_from(order.i32(b)).ok()
    })?;
    let tags = tags.map_err(|index| bad_tag(lines, "node", index, offset))?;
    raw.node_ids = tags.into_iter().map(u64::from).collect();
    lines.seek(offset + (count * RECORD) as u64);
    Ok(())
}

/// Nodes of MSH 4.1: blocks of tags (u64), then of coordinates.
pub fn nodes_blocks(
    lines: &mut Lines,
    order: ByteOrder,
    raw: &mut RawMesh,
) -> Result<(), ReadError> {
    let block_count = size(lines, order, "the number of node blocks")?;
    let count = size(lines, order, "the number of nodes")?;
    let count = checked_count(lines, count, 32, "nodes")?;
    let block_count = checked_count(lines, block_count, 20, "node blocks")?;
    lines.array::<16>("the smallest and the largest node tag")?;
    for _ in 0..block_count {
        let dimension = int(lines, order, "the dimension of a node block")?;
        int(lines, order, "the entity of a node block")?;
        let parametric = int(lines, order, "0 or 1 for parametric")?;
        if !(0..=3).contains(&dimension) || !(0..=1).contains(&parametric) {
            let found = format!("{dimension} and {parametric}");
            let wanted = "a dimension from 0 to 3 and 0 or 1 for parametric";
            return Err(lines
                .expected(wanted, found)
                .at(lines.byte_place(lines.offset())));
        }
        let record = 24 + 8 * (parametric * dimension) as usize;
        let in_block = size(lines, order, "the number of nodes in a block")?;
        let in_block = checked_count(lines, in_block, 8 + record as u64, "nodes")?;
        if in_block > count - raw.node_ids.len() {
            let wanted = format!("at most {} more nodes", count - raw.node_ids.len());
            let error = lines.expected(&wanted, in_block.to_string());
            return Err(error.at(lines.byte_place(lines.offset())));
        }
        let (input, at) = (lines.input(), lines.offset());
        let tags = input.records(&lines.section, at, in_block, 8, 0, |_, b| {
            let tag = order.u64(b);
            (tag <= u64::from(u32::MAX)).then_some(tag)
        })?;
        for tag in tags.map_err(|index| bad_tag(lines, "node", index, at))? {
            raw.node_ids.push(tag);
        }
        let at = at + 8 * in_block as u64;
        let positions = input
            .records(&lines.section, at, in_block, record, Vec3::ZERO, |_, b| {
                position(order, b)
            })?
            .map_err(|node| not_finite(lines, node, at))?;
        append(&mut raw.positions, positions);
        lines.seek(at + (in_block * record) as u64);
    }
    if raw.node_ids.len() != count {
        let found = format!("{} in the blocks", raw.node_ids.len());
        let error = lines.expected(&format!("{count} nodes"), found);
        return Err(error.at(lines.byte_place(lines.offset())));
    }
    Ok(())
}

/// Appends without copying where there was nothing.
fn append<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.append(&mut more);
    }
}

/// Elements of MSH 2: headers (type, elements, tags), each followed by elements (number, tags, nodes), all i32.
/// Gmsh gives every element its own header.
pub fn elements_plain(
    lines: &mut Lines,
    order: ByteOrder,
    gathered: &mut Gathered,
) -> Result<(), ReadError> {
    let mut missing = read_count(lines, "elements")?;
    while missing > 0 {
        let code = int(lines, order, "an element type")? as u32;
        let in_block = int(lines, order, "the number of elements that follow")?;
        let tag_count = int(lines, order, "the number of element tags")?;
        let Some((kind, node_count)) = kind_of(code) else {
            return Err(unknown_type(lines, code));
        };
        let words = 1 + i64::from(tag_count) + node_count as i64;
        if in_block < 1 || in_block as usize > missing || !(0..=1024).contains(&tag_count) {
            let found = format!("{in_block} elements with {tag_count} tags");
            let wanted = format!("1 to {missing} elements with some tags");
            return Err(lines
                .expected(&wanted, found)
                .at(lines.byte_place(lines.offset())));
        }
        let record = 4 * words as usize;
        checked_count(lines, in_block as u64, record as u64, "elements")?;
        missing -= in_block as usize;
        let nodes_at = 4 * (1 + tag_count as usize);
        for _ in 0..in_block {
            let at = lines.offset();
            let bytes = lines.bytes(record)?;
            if bytes.len() < record {
                return Err(lines.truncated("an element").at(lines.byte_place(at)));
            }
            let tag = order.i32(bytes).max(0) as u64;
            let group = match tag_count {
                0 => 0,
                _ => i64::from(order.i32(&bytes[4..])),
            };
            let node = |i: usize| order.u32(&bytes[nodes_at + 4 * i..]);
            let raw = &mut gathered.raw;
            match kind {
                ElementKind::Tetrahedron => {
                    raw.tetrahedra.nodes.push([0, 1, 2, 3].map(node));
                    raw.tetrahedra.ids.push(tag);
                    push_group(&mut gathered.tetrahedron_groups, group, 1);
                }
                ElementKind::Triangle => {
                    raw.triangles.nodes.push([0, 1, 2].map(node));
                    raw.triangles.ids.push(tag);
                    push_group(&mut gathered.triangle_groups, group, 1);
                }
                _ if code == TEN_NODES => {
                    raw.ten_nodes.nodes.push(std::array::from_fn(node));
                    raw.ten_nodes.ids.push(tag);
                    push_group(&mut gathered.tetrahedron_groups, group, 1);
                }
                other => raw.skip(other, 1, None, &code.to_string()),
            }
        }
    }
    Ok(())
}

fn unknown_type(lines: &Lines, code: u32) -> ReadError {
    let message = format!("element type {code} is not known, so that its length is not either");
    ReadError::new(lines.name(), message)
        .at(lines.byte_place(lines.offset()))
        .help("export the mesh with linear tetrahedra only")
}

/// Finds the element blocks of MSH 4.1.
pub fn elements_blocks(
    lines: &mut Lines,
    order: ByteOrder,
    gathered: &mut Gathered,
) -> Result<Blocks, ReadError> {
    let block_count = size(lines, order, "the number of element blocks")?;
    let count = size(lines, order, "the number of elements")?;
    let block_count = checked_count(lines, block_count, 20, "element blocks")?;
    let mut missing = checked_count(lines, count, 16, "elements")?;
    lines.array::<16>("the smallest and the largest element tag")?;
    let mut blocks = Blocks::default();
    for _ in 0..block_count {
        int(lines, order, "the dimension of an element block")?;
        let entity = i64::from(int(lines, order, "the entity of an element block")?);
        let code = int(lines, order, "the element type of a block")? as u32;
        let in_block = size(lines, order, "the number of elements in a block")?;
        let Some((kind, node_count)) = kind_of(code) else {
            return Err(unknown_type(lines, code));
        };
        let record = 8 * (1 + node_count);
        let in_block = checked_count(lines, in_block, record as u64, "elements")?;
        if in_block > missing {
            let error = lines.expected(
                &format!("at most {missing} more elements"),
                in_block.to_string(),
            );
            return Err(error.at(lines.byte_place(lines.offset())));
        }
        missing -= in_block;
        let offset = lines.offset();
        match kind {
            ElementKind::HigherTetrahedron if code != TEN_NODES => {
                gathered.raw.skip(kind, in_block, None, &code.to_string());
            }
            ElementKind::Tetrahedron | ElementKind::Triangle | ElementKind::HigherTetrahedron => {
                blocks.0.push(Block {
                    kind,
                    entity,
                    offset,
                    count: in_block,
                });
            }
            other => gathered.raw.skip(other, in_block, None, &code.to_string()),
        }
        lines.seek(offset + (in_block * record) as u64);
    }
    if missing != 0 {
        let found = format!("{} in the blocks", count - missing as u64);
        let error = lines.expected(&format!("{count} elements"), found);
        return Err(error.at(lines.byte_place(lines.offset())));
    }
    Ok(blocks)
}

/// Reads the element blocks.
pub fn decode(
    input: &Input,
    order: ByteOrder,
    blocks: &Blocks,
    gathered: &mut Gathered,
) -> Result<(), ReadError> {
    let raw = &mut gathered.raw;
    let lookup = NodeLookup::new(&raw.node_ids).map_err(|id| raw.duplicate_node(id))?;
    for block in &blocks.0 {
        match block.kind {
            ElementKind::Tetrahedron => {
                decode_block::<4, 5>(input, order, block, &lookup, &mut raw.tetrahedra)?;
                push_group(&mut gathered.tetrahedron_groups, block.entity, block.count);
            }
            ElementKind::HigherTetrahedron => {
                decode_block::<10, 11>(input, order, block, &lookup, &mut raw.ten_nodes)?;
                push_group(&mut gathered.tetrahedron_groups, block.entity, block.count);
            }
            _ => {
                decode_block::<3, 4>(input, order, block, &lookup, &mut raw.triangles)?;
                push_group(&mut gathered.triangle_groups, block.entity, block.count);
            }
        }
    }
    Ok(())
}

/// Records of little-endian tags of an element and its `N` = `M` − 1 nodes, for nodes whose tags count up from `id`: nearly
/// all files are like that, and nothing is left to decide in the loop. Returns whether element tags do not count up from
/// `first`, and the first record with an unknown node.
fn take_counted<const N: usize, const M: usize>(
    bytes: &[u8],
    out: &mut [[u32; N]],
    first: u64,
    id: u64,
    count: u64,
) -> (bool, Option<usize>) {
    let (records, _) = bytes.as_chunks::<8>().0.as_chunks::<M>();
    let (mut strays, mut unknown) = (0, 0);
    for ((nodes, record), tag) in out.iter_mut().zip(records).zip(first..) {
        strays |= u64::from_le_bytes(record[0]) ^ tag;
        for k in 0..N {
            let index = u64::from_le_bytes(record[k + 1]).wrapping_sub(id);
            // the top bit is set if the index is not below the count
            unknown |= index | count.wrapping_sub(1).wrapping_sub(index);
            nodes[k] = index as u32;
        }
    }
    let known = |node: &[u8; 8]| u64::from_le_bytes(*node).wrapping_sub(id) < count;
    let refused = match unknown >> 63 {
        0 => None,
        _ => records.iter().position(|r| !r[1..].iter().all(known)),
    };
    (strays != 0, refused)
}

/// As [`take_counted`] for any order of bytes and any tags.
fn take_any<const N: usize>(
    bytes: &[u8],
    out: &mut [[u32; N]],
    first: u64,
    order: ByteOrder,
    lookup: &NodeLookup,
) -> (bool, Option<usize>) {
    let mut strays = false;
    for (i, (nodes, record)) in out
        .iter_mut()
        .zip(bytes.chunks_exact(8 * (1 + N)))
        .enumerate()
    {
        strays |= order.u64(record) != first.wrapping_add(i as u64);
        for k in 0..N {
            match lookup.find(order.u64(&record[8 * (k + 1)..])) {
                Some(index) => nodes[k] = index,
                None => return (strays, Some(i)),
            }
        }
    }
    (strays, None)
}

/// Appends a block of records: tag (u64), node tags (u64).
fn decode_block<const N: usize, const M: usize>(
    input: &Input,
    order: ByteOrder,
    block: &Block,
    lookup: &NodeLookup,
    cells: &mut Cells<N>,
) -> Result<(), ReadError> {
    const SECTION: &str = "$Elements";
    let record = 8 * (1 + N);
    let mut first = [0; 8];
    input.read_at(block.offset, &mut first)?;
    let first = order.u64(&first);
    let counts_up = AtomicBool::new(true);
    let take = |start: usize, bytes: &[u8], out: &mut [[u32; N]]| {
        let first = first.wrapping_add(start as u64);
        let (strays, refused) = match (lookup, order) {
            (NodeLookup::Consecutive { first: id, count }, ByteOrder::Little) => {
                take_counted::<N, M>(bytes, out, first, *id, *count as u64)
            }
            _ => take_any(bytes, out, first, order, lookup),
        };
        if strays {
            counts_up.store(false, Ordering::Relaxed);
        }
        refused
    };
    let read = input.batches(SECTION, block.offset, block.count, record, [0; N], take)?;
    let nodes = match read {
        Ok(nodes) => nodes,
        Err(index) => {
            let mut bytes = vec![0; record];
            input.read_at(block.offset + (index * record) as u64, &mut bytes)?;
            let tags = (1..=N).map(|i| order.u64(&bytes[8 * i..]));
            let unknown = tags.into_iter().find(|&t| lookup.find(t).is_none());
            let ids = Runs::counting(order.u64(&bytes), 1);
            let named = Cells::<N> {
                ids,
                ..Cells::default()
            };
            return Err(unknown_node(input.name(), &named, 0, unknown.unwrap_or(0)));
        }
    };
    if counts_up.into_inner() {
        cells.ids.push_run(first, block.count);
    } else {
        let tags = input.records(SECTION, block.offset, block.count, record, 0, |_, b| {
            Some(order.u64(b))
        })?;
        for tag in tags.unwrap_or_default() {
            cells.ids.push(tag);
        }
    }
    append(&mut cells.nodes, nodes);
    Ok(())
}

/// Physical groups of the entities of MSH 4.1.
pub fn entities(
    lines: &mut Lines,
    order: ByteOrder,
    gathered: &mut Gathered,
) -> Result<(), ReadError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = size(lines, order, "a number of entities")?;
    }
    for (dimension, count) in counts.into_iter().enumerate() {
        // tag, a point or the corners of a box, physical groups, and for all but points their boundary
        let extent = if dimension == 0 { 24 } else { 48 };
        let count = checked_count(lines, count, 12 + extent as u64, "entities")?;
        for _ in 0..count {
            let tag = i64::from(int(lines, order, "an entity tag")?);
            lines.bytes(extent)?;
            let groups = size(lines, order, "the number of physical groups")?;
            let groups = checked_count(lines, groups, 4, "physical groups")?;
            for i in 0..groups {
                let physical = i64::from(int(lines, order, "a physical group")?);
                if i == 0 {
                    gathered.entity_groups.insert((dimension, tag), physical);
                }
            }
            if dimension > 0 {
                let bounding = size(lines, order, "the number of bounding entities")?;
                let bounding = checked_count(lines, bounding, 4, "bounding entities")?;
                lines.seek(lines.offset() + 4 * bounding as u64);
            }
        }
    }
    Ok(())
}
