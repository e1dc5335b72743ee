//! VTK's XML unstructured grids (`.vtu`): text, base64 and appended data, plain or compressed with zlib, any number of
//! pieces. Format: VTK file formats, "XML file formats".

mod array;
#[cfg(test)]
mod tests;

use super::base64;
use super::bytes::ByteOrder;
use super::error::{Place, ReadError};
use super::input::Input;
use super::lines::Lines;
use super::raw::RawMesh;
use super::vtk_cells::{self, REGION_NAMES, TETRAHEDRON};
use super::vtu_write::{self, Array, Encoding, Values, Vtu, VtuOptions};
use super::write::WriteError;
use super::xml::{Tag, Tags};
pub use array::Number;
use array::{Blocks, DataArray, Storage};
use pliant_linalg::{Vec3, vec3};
use std::io::Write;

/// What to export instead of something that is not read.
const EXPORT: &str = "save it from ParaView as \"VTK UnstructuredGrid Files (*.vtu)\" with data mode Ascii, Binary or Appended and the compressor None or ZLib";

/// Whether a file begins like this format.
pub fn begins(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    start.starts_with(b"<") && memchr::memmem::find(head, b"<VTKFile").is_some()
}

/// Settings of the whole file.
struct Settings {
    order: ByteOrder,
    /// Bytes of the numbers in headers: 4 or 8.
    header: usize,
    compressed: bool,
}

/// A piece of the grid: tags first, numbers afterwards.
#[derive(Default)]
struct PieceTags {
    point_count: usize,
    cell_count: usize,
    /// The part of the piece (Points, Cells, CellData) and the tag of each array in it.
    arrays: Vec<(String, Tag)>,
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut tags = Tags::new(input);
    let file = expect(&mut tags, "VTKFile")?;
    let settings = settings(&tags, &file)?;
    let grid = expect(&mut tags, "UnstructuredGrid")?;
    let mut pieces: Vec<PieceTags> = Vec::new();
    let mut field_arrays: Vec<Tag> = Vec::new();
    let mut part = String::new();
    // where appended data begins, and whether it is base64
    let mut appended: Option<(u64, bool)> = None;
    let mut complete = grid.is_empty;
    while let Some(tag) = tags.next_tag()? {
        match (tag.name.as_str(), tag.closes) {
            ("Piece", false) => pieces.push(PieceTags {
                point_count: count(&tags, &tag, "NumberOfPoints")?,
                cell_count: count(&tags, &tag, "NumberOfCells")?,
                arrays: Vec::new(),
            }),
            ("Points" | "Cells" | "CellData" | "PointData" | "FieldData", false) => {
                part.clone_from(&tag.name);
            }
            ("DataArray" | "Array", false) => {
                if !tag.is_empty {
                    tags.seek(end_of_inline(input, &settings, &tag)?);
                }
                match (part.as_str(), pieces.last_mut()) {
                    ("FieldData", _) => field_arrays.push(tag),
                    (_, Some(piece)) => piece.arrays.push((part.clone(), tag)),
                    _ => return Err(tags.error(tag.start, "this array is in no piece of the grid")),
                }
            }
            ("UnstructuredGrid", true) => complete = true,
            ("AppendedData", false) => {
                let encoding = tag.attribute("encoding").unwrap_or("base64");
                if !["raw", "base64"].contains(&encoding) {
                    let message = format!("appended data with encoding \"{encoding}\" is not read");
                    return Err(tags.error(tag.start, message).help(EXPORT));
                }
                appended = Some((start_of_appended(input, &tag)?, encoding == "base64"));
                break;
            }
            _ => {}
        }
    }
    if !complete {
        let message = "the file is incomplete: it ends before </UnstructuredGrid>";
        return Err(ReadError::new(input.name(), message).help("export or copy the file again"));
    }
    if pieces.is_empty() {
        let message = "the grid has no <Piece>";
        return Err(ReadError::new(input.name(), message).help(EXPORT));
    }
    let locate = |tag: &Tag| locate(input, &settings, appended, tag);
    let mut raw = RawMesh::new(input.name());
    let mut types = Vec::new();
    let mut regions: Option<Vec<i64>> = None;
    for piece in &pieces {
        read_piece(input, piece, &locate, &mut raw, &mut types, &mut regions)?;
    }
    raw.node_ids = super::runs::Runs::counting(0, raw.positions.len());
    let names = match field_arrays
        .iter()
        .find(|t| t.attribute("Name") == Some(REGION_NAMES))
    {
        Some(tag) => names(input, &locate(tag)?)?,
        None => Vec::new(),
    };
    vtk_cells::set_regions(&mut raw, types.iter().copied(), regions.as_deref(), &names);
    Ok(raw)
}

/// The next tag, which must have that name.
fn expect(tags: &mut Tags, name: &str) -> Result<Tag, ReadError> {
    match tags.next_tag()? {
        Some(tag) if tag.name == name && !tag.closes => Ok(tag),
        Some(tag) => {
            let message = format!("expected <{name}>, found <{}>", tag.name);
            Err(tags.error(tag.start, message).help(EXPORT))
        }
        None => Err(tags
            .error(0, format!("the file has no <{name}>"))
            .help(EXPORT)),
    }
}

fn settings(tags: &Tags, file: &Tag) -> Result<Settings, ReadError> {
    let refuse = |what: String| Err(tags.error(file.start, what).help(EXPORT));
    let kind = file.attribute("type").unwrap_or("");
    if kind == "PolyData" {
        let message = "this is a PolyData file, not an UnstructuredGrid";
        return Err(tags
            .error(file.start, message)
            .help("save the surface from ParaView as PLY, STL or \"Legacy VTK Files\""));
    }
    if kind != "UnstructuredGrid" {
        return refuse(format!("this is a {kind} file, not an UnstructuredGrid"));
    }
    let order = match file.attribute("byte_order") {
        None | Some("LittleEndian") => ByteOrder::Little,
        Some("BigEndian") => ByteOrder::Big,
        Some(other) => return refuse(format!("byte order \"{other}\" is not known")),
    };
    let header = match file.attribute("header_type") {
        None | Some("UInt32") => 4,
        Some("UInt64") => 8,
        Some(other) => return refuse(format!("headers of type \"{other}\" are not known")),
    };
    let compressed = match file.attribute("compressor") {
        None | Some("") => false,
        Some("vtkZLibDataCompressor") => true,
        Some(other) => return refuse(format!("the compressor {other} is not read")),
    };
    Ok(Settings {
        order,
        header,
        compressed,
    })
}

fn count(tags: &Tags, tag: &Tag, name: &str) -> Result<usize, ReadError> {
    let value = tag.attribute(name).unwrap_or("nothing");
    value.trim().parse().map_err(|_| {
        let message = format!("expected a number for {name}, found \"{value}\"");
        tags.error(tag.start, message)
    })
}

/// A position after the inline numbers of an array, so that nobody searches them for tags.
fn end_of_inline(input: &Input, settings: &Settings, tag: &Tag) -> Result<u64, ReadError> {
    if tag.attribute("format") != Some("binary") {
        return Ok(tag.end);
    }
    // arrays that are not what their header says are searched, and refused when they are read
    let end = match located_inline(input, settings, tag) {
        Ok((_, end)) => end,
        Err(_) => tag.end,
    };
    Ok(end)
}

/// First position that is not white space, from `offset` on.
fn skip_space(input: &Input, mut offset: u64) -> Result<u64, ReadError> {
    let mut buffer = [0; 256];
    loop {
        let length = input.read_at(offset, &mut buffer)?;
        match buffer[..length]
            .iter()
            .position(|b| !b.is_ascii_whitespace())
        {
            Some(at) => return Ok(offset + at as u64),
            None if length < buffer.len() => return Ok(offset + length as u64),
            None => offset += length as u64,
        }
    }
}

/// Appended data begins after an underscore.
fn start_of_appended(input: &Input, tag: &Tag) -> Result<u64, ReadError> {
    let at = skip_space(input, tag.end)?;
    let mut mark = [0];
    input.read_at(at, &mut mark)?;
    if mark == *b"_" {
        return Ok(at + 1);
    }
    let section = "AppendedData".to_string();
    Err(
        ReadError::new(input.name(), "appended data must begin with an underscore").at(
            Place::Byte {
                offset: at,
                section,
            },
        ),
    )
}

/// Where an inline binary array is, and where it ends.
fn located_inline(
    input: &Input,
    settings: &Settings,
    tag: &Tag,
) -> Result<(Storage, u64), ReadError> {
    let start = skip_space(input, tag.end)?;
    let (storage, end) = located(input, settings, start, true, tag)?;
    let after = skip_space(input, end)?;
    let mut next = [0];
    input.read_at(after, &mut next)?;
    if next == *b"<" {
        return Ok((storage, after));
    }
    Err(damaged(
        input,
        tag,
        "the data is not as long as its header says",
    ))
}

fn damaged(input: &Input, tag: &Tag, what: &str) -> ReadError {
    let section = format!("DataArray \"{}\"", tag.attribute("Name").unwrap_or(""));
    ReadError::new(input.name(), what)
        .at(Place::Byte {
            offset: tag.start,
            section,
        })
        .help("export or copy the file again")
}

/// Data that begins at `offset` with its header; also returns where it ends.
fn located(
    input: &Input,
    settings: &Settings,
    offset: u64,
    base64: bool,
    tag: &Tag,
) -> Result<(Storage, u64), ReadError> {
    let short = || damaged(input, tag, "the file is too short for this array");
    let width = settings.header as u64;
    // number `i` of the header
    let header = |bytes: &[u8], i: usize| match settings.header {
        4 => u64::from(settings.order.u32(&bytes[4 * i..])),
        _ => settings.order.u64(&bytes[8 * i..]),
    };
    let read_header = |length: u64| -> Result<Vec<u8>, ReadError> {
        let stored = if base64 {
            base64::encoded_length(length)
        } else {
            Some(length)
        };
        let stored = stored.ok_or_else(short)?;
        input
            .check_room("DataArray", offset, stored, 1)
            .map_err(|_| short())?;
        let mut bytes = vec![0; stored as usize];
        input.read_at(offset, &mut bytes)?;
        if base64 {
            let mut decoded = Vec::new();
            if !base64::decode(&bytes, &mut decoded) || (decoded.len() as u64) < length {
                return Err(damaged(input, tag, "the base64 text is damaged"));
            }
            return Ok(decoded);
        }
        Ok(bytes)
    };
    if !settings.compressed {
        let length = header(&read_header_prefix(input, offset, base64, width, tag)?, 0);
        let (storage, stored) = if base64 {
            let stored = length.checked_add(width).and_then(base64::encoded_length);
            let skip = width;
            (
                Storage::Base64 {
                    offset,
                    skip,
                    length,
                },
                stored,
            )
        } else {
            let stored = length.checked_add(width);
            let offset = offset + width;
            (Storage::Raw { offset, length }, stored)
        };
        let stored = stored.ok_or_else(short)?;
        input
            .check_room("DataArray", offset, stored, 1)
            .map_err(|_| short())?;
        return Ok((storage, offset + stored));
    }
    // blocks, bytes of a block, bytes of the last one if it is shorter, compressed bytes of each
    let count = header(&read_header_prefix(input, offset, base64, width, tag)?, 0);
    let header_length = count
        .checked_add(3)
        .and_then(|n| n.checked_mul(width))
        .ok_or_else(short)?;
    let bytes = read_header(header_length)?;
    let (size, partial) = (header(&bytes, 1), header(&bytes, 2));
    let mut ends = vec![0];
    let mut total: u64 = 0;
    for block in 0..count as usize {
        total = total
            .checked_add(header(&bytes, 3 + block))
            .ok_or_else(short)?;
        ends.push(total);
    }
    let length = match (count, partial) {
        (0, _) => Some(0),
        (_, 0) => count.checked_mul(size),
        _ => (count - 1)
            .checked_mul(size)
            .and_then(|l| l.checked_add(partial)),
    };
    let length = length.ok_or_else(short)?;
    let header_stored = if base64 {
        base64::encoded_length(header_length)
    } else {
        Some(header_length)
    };
    let data_offset = offset + header_stored.ok_or_else(short)?;
    let stored = if base64 {
        base64::encoded_length(total)
    } else {
        Some(total)
    };
    let stored = stored.ok_or_else(short)?;
    input
        .check_room("DataArray", data_offset, stored, 1)
        .map_err(|_| short())?;
    let blocks = Blocks {
        base64,
        offset: data_offset,
        size,
        length,
        ends,
    };
    if !blocks.is_plausible() || partial > size || (count > 0 && size == 0) {
        return Err(damaged(
            input,
            tag,
            "the header of the compressed data cannot be right",
        ));
    }
    Ok((Storage::Blocks(blocks), data_offset + stored))
}

/// The first number of a header.
fn read_header_prefix(
    input: &Input,
    offset: u64,
    base64: bool,
    width: u64,
    tag: &Tag,
) -> Result<Vec<u8>, ReadError> {
    let stored = if base64 { 4 * width.div_ceil(3) } else { width };
    let mut bytes = vec![0; stored as usize];
    let read = input.read_at(offset, &mut bytes)?;
    if read < bytes.len() {
        return Err(damaged(input, tag, "the file is too short for this array"));
    }
    if !base64 {
        return Ok(bytes);
    }
    let mut decoded = Vec::new();
    if base64::decode(&bytes, &mut decoded) && decoded.len() as u64 >= width {
        return Ok(decoded);
    }
    Err(damaged(input, tag, "the base64 text is damaged"))
}

/// Finds the numbers of an array.
fn locate(
    input: &Input,
    settings: &Settings,
    appended: Option<(u64, bool)>,
    tag: &Tag,
) -> Result<DataArray, ReadError> {
    let kind = tag.attribute("type").unwrap_or("nothing");
    let number = Number::by_name(kind).ok_or_else(|| {
        damaged(
            input,
            tag,
            &format!("numbers of type \"{kind}\" are not known"),
        )
    })?;
    let components = match tag.attribute("NumberOfComponents") {
        None => 1,
        Some(text) => {
            let parsed = text.trim().parse().ok().filter(|c| (1..=1024).contains(c));
            parsed.ok_or_else(|| damaged(input, tag, "the number of components cannot be right"))?
        }
    };
    let storage = match tag.attribute("format") {
        Some("ascii") | None => Storage::Held(read_text(input, number, tag)?),
        Some("binary") if tag.is_empty => Storage::Held(Vec::new()),
        Some("binary") => match located_inline(input, settings, tag) {
            Ok((storage, _)) => storage,
            Err(error) => rewrapped(input, settings, number, tag, error)?,
        },
        Some("appended") => {
            let Some((start, base64)) = appended else {
                return Err(damaged(input, tag, "the file has no appended data"));
            };
            let offset = tag
                .attribute("offset")
                .and_then(|o| o.trim().parse::<u64>().ok());
            let offset = offset.and_then(|o| o.checked_add(start));
            let offset = offset.filter(|o| *o <= input.length());
            let offset = offset.ok_or_else(|| damaged(input, tag, "the offset cannot be right"))?;
            located(input, settings, offset, base64, tag)?.0
        }
        Some(other) => {
            let what = format!("data in format \"{other}\" is not read");
            return Err(damaged(input, tag, &what).help(EXPORT));
        }
    };
    Ok(DataArray {
        name: tag.attribute("Name").unwrap_or("").to_string(),
        number,
        order: settings.order,
        components,
        storage,
        start: tag.start,
    })
}

/// Base64 text that was broken into lines: taken together and unwrapped in memory. `error` is what was wrong with it
/// as it stands, and stays so if there are no line breaks in it.
fn rewrapped(
    input: &Input,
    settings: &Settings,
    number: Number,
    tag: &Tag,
    error: ReadError,
) -> Result<Storage, ReadError> {
    let mut tags = Tags::new(input);
    tags.seek(tag.end);
    let Some(next) = tags.next_tag()? else {
        return Err(error);
    };
    let mut text = vec![0; (next.start - tag.end) as usize];
    input.read_at(tag.end, &mut text)?;
    let before = text.trim_ascii().len();
    text.retain(|b| !b.is_ascii_whitespace());
    if text.len() == before {
        return Err(error);
    }
    text.push(b'<');
    let joined = Input::from_bytes(&text, input.name());
    let first = Tag {
        end: 0,
        ..tag.clone()
    };
    let (storage, _) = located_inline(&joined, settings, &first)?;
    let array = DataArray {
        name: tag.attribute("Name").unwrap_or("").to_string(),
        number: Number::U8,
        order: settings.order,
        components: 1,
        storage,
        start: tag.start,
    };
    let mut bytes = array
        .groups(&joined, 1, 0, |_, b| Some(b[0]))?
        .unwrap_or_default();
    if settings.order == ByteOrder::Big {
        // what is held has its low byte first
        bytes
            .chunks_exact_mut(number.size())
            .for_each(<[u8]>::reverse);
    }
    Ok(Storage::Held(bytes))
}

/// The numbers of an array written as text, as little-endian bytes.
fn read_text(input: &Input, number: Number, tag: &Tag) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    if tag.is_empty {
        return Ok(bytes);
    }
    let mut lines = Lines::new(input)?;
    lines.seek(tag.end);
    lines.section = format!("DataArray \"{}\"", tag.attribute("Name").unwrap_or(""));
    loop {
        let at = lines.offset();
        let Some(word) = lines.next_word()? else {
            return Err(damaged(
                input,
                tag,
                "the file is incomplete: it ends within this array",
            ));
        };
        // the last number may touch the tag that closes the array
        let digits = memchr::memchr(b'<', word).map_or(word, |end| &word[..end]);
        if !digits.is_empty() && number.encode(digits, &mut bytes).is_none() {
            let found = super::error::excerpt(digits);
            let message = format!("expected a number of type {number:?}, found {found}");
            return Err(ReadError::new(input.name(), message).at(lines.byte_place(at)));
        }
        if digits.len() < word.len() {
            return Ok(bytes);
        }
    }
}

/// Reads the numbers of a piece and appends them.
fn read_piece(
    input: &Input,
    piece: &PieceTags,
    locate: &impl Fn(&Tag) -> Result<DataArray, ReadError>,
    raw: &mut RawMesh,
    all_types: &mut Vec<u8>,
    regions: &mut Option<Vec<i64>>,
) -> Result<(), ReadError> {
    let missing = |what: &str| {
        ReadError::new(input.name(), format!("the grid has no {what} array")).help(EXPORT)
    };
    let find = |part: &str, name: Option<&str>| {
        let mut arrays = piece.arrays.iter().filter(|(p, _)| p == part);
        arrays
            .find(|(_, tag)| name.is_none() || tag.attribute("Name") == name)
            .map(|(_, tag)| tag)
    };
    let first_node = raw.positions.len();
    let points = locate(find("Points", None).ok_or_else(|| missing("Points"))?)?;
    let positions = read_points(input, &points)?;
    compare(
        input,
        &points,
        "NumberOfPoints",
        piece.point_count,
        positions.len(),
    )?;
    if raw.positions.len() + positions.len() > u32::MAX as usize {
        return Err(points.error(input, "there are too many points"));
    }
    if raw.positions.is_empty() {
        raw.positions = positions;
    } else {
        raw.positions.extend(positions);
    }
    if piece.cell_count > 0 {
        let of_cells = |name: &str| find("Cells", Some(name)).ok_or_else(|| missing(name));
        let types_array = locate(of_cells("types")?)?;
        let offsets = locate(of_cells("offsets")?)?;
        let connectivity = locate(of_cells("connectivity")?)?;
        let (number, order) = (types_array.number, types_array.byte_order());
        let types = types_array
            .groups(input, 1, 0u8, |_, b| {
                u8::try_from(number.integer(order, b)?).ok()
            })?
            .map_err(|i| types_array.error(input, format!("the type of cell {i} is not known")))?;
        compare(
            input,
            &types_array,
            "NumberOfCells",
            piece.cell_count,
            types.len(),
        )?;
        compare(
            input,
            &offsets,
            "NumberOfCells",
            piece.cell_count,
            offsets.value_count(),
        )?;
        read_cells(
            input,
            &types,
            &offsets,
            &connectivity,
            first_node,
            piece.point_count,
            raw,
        )?;
        all_types.extend(types);
    }
    // the array of cell data whose name says best that it holds regions
    let arrays = piece.arrays.iter().filter(|(part, _)| part == "CellData");
    let ranked = arrays.filter_map(|(_, tag)| {
        let rank = vtk_cells::region_rank(tag.attribute("Name")?)?;
        Some((rank, tag))
    });
    if let Some((_, tag)) = ranked.min_by_key(|(rank, _)| *rank) {
        let array = locate(tag)?;
        // fractions are a property of a material, not the number of a region
        let fractions = |array: &DataArray| -> Result<bool, ReadError> {
            let (number, order) = (array.number, array.byte_order());
            let whole = |_: usize, b: &[u8]| number.integer(order, b).map(|_| 0u8);
            Ok(number.is_float() && array.groups(input, 1, 0, whole)?.is_err())
        };
        if array.components == 1 && !fractions(&array)? {
            let numbers = array.integers(input)?;
            compare(
                input,
                &array,
                "NumberOfCells",
                piece.cell_count,
                numbers.len(),
            )?;
            let before = all_types.len() - piece.cell_count;
            let list = regions.get_or_insert_with(Vec::new);
            list.resize(before, 0);
            list.extend(numbers);
        }
    }
    if let Some(list) = regions {
        list.resize(all_types.len(), 0);
    }
    Ok(())
}

/// Refuses arrays of another length than the header says.
fn compare(
    input: &Input,
    array: &DataArray,
    what: &str,
    promised: usize,
    found: usize,
) -> Result<(), ReadError> {
    if promised == found {
        return Ok(());
    }
    let message = format!("the array has {found} entries, but {what} is {promised}");
    Err(array
        .error(input, message)
        .help("the program that wrote the file got its counts wrong: export it again"))
}

fn read_points(input: &Input, points: &DataArray) -> Result<Vec<Vec3>, ReadError> {
    if points.components != 3 {
        return Err(points.error(input, "points must have 3 components"));
    }
    let (number, order) = (points.number, points.byte_order());
    let size = number.size();
    let position = |_: usize, b: &[u8]| {
        let [x, y, z] = [0, 1, 2].map(|i| number.float(order, &b[i * size..]));
        let p = vec3(x, y, z);
        p.is_finite().then_some(p)
    };
    points
        .groups(input, 3, Vec3::ZERO, position)?
        .map_err(|index| {
            points.error(
                input,
                format!("point {index} has a coordinate that is not a finite number"),
            )
        })
}

/// Cells from their arrays. A grid of nothing but tetrahedra, the usual one, goes straight to its place.
fn read_cells(
    input: &Input,
    types: &[u8],
    offsets: &DataArray,
    connectivity: &DataArray,
    first_node: usize,
    node_count: usize,
    raw: &mut RawMesh,
) -> Result<(), ReadError> {
    let (number, order, size) = (
        connectivity.number,
        connectivity.byte_order(),
        connectivity.number.size(),
    );
    let node = |b: &[u8]| {
        let index = number.integer(order, b)?;
        u32::try_from(index)
            .ok()
            .filter(|&n| (n as usize) < node_count)
    };
    let refused = |message: String| connectivity.error(input, message);
    let only_tetrahedra = types.iter().all(|&t| t == TETRAHEDRON) && {
        let (number, order) = (offsets.number, offsets.byte_order());
        let regular = offsets.groups(input, 1, (), |cell, b| {
            (number.integer(order, b)? == 4 * (cell as i64 + 1)).then_some(())
        })?;
        regular.is_ok() && connectivity.value_count() == 4 * types.len()
    };
    if only_tetrahedra {
        let (offset, limit) = (first_node as u32, node_count as u64);
        let checked = |nodes: [u64; 4]| {
            let known = nodes.iter().all(|&n| n < limit);
            known.then(|| nodes.map(|n| n as u32 + offset))
        };
        // a loop of its own for each of the usual types; negative numbers become too large ones
        let cells = match (number, order) {
            (Number::I32 | Number::U32, ByteOrder::Little) => {
                let cell = |_: usize, b: &[u8]| {
                    let words: &[[u8; 4]; 4] = b.as_chunks().0.try_into().ok()?;
                    checked(words.map(|w| u64::from(u32::from_le_bytes(w))))
                };
                connectivity.groups(input, 4, [0u32; 4], cell)?
            }
            (Number::I64 | Number::U64, ByteOrder::Little) => {
                let cell = |_: usize, b: &[u8]| {
                    let words: &[[u8; 8]; 4] = b.as_chunks().0.try_into().ok()?;
                    checked(words.map(u64::from_le_bytes))
                };
                connectivity.groups(input, 4, [0u32; 4], cell)?
            }
            _ => {
                let cell = |_: usize, b: &[u8]| {
                    let mut nodes = [0; 4];
                    for (i, n) in nodes.iter_mut().enumerate() {
                        *n = node(&b[i * size..])? + offset;
                    }
                    Some(nodes)
                };
                connectivity.groups(input, 4, [0u32; 4], cell)?
            }
        };
        let cells = cells.map_err(|cell| {
            refused(format!(
                "cell {cell} uses a node that does not exist: there are {node_count}"
            ))
        })?;
        raw.tetrahedra
            .ids
            .push_run(raw.tetrahedra.len() as u64, cells.len());
        if raw.tetrahedra.nodes.is_empty() {
            raw.tetrahedra.nodes = cells;
        } else {
            raw.tetrahedra.nodes.extend(cells);
        }
        return Ok(());
    }
    let ends: Vec<u64> = offsets
        .integers(input)?
        .iter()
        .map(|&e| e.max(0) as u64)
        .collect();
    let nodes = connectivity.groups(input, 1, 0u32, |_, b| node(b))?;
    let nodes = nodes
        .map_err(|index| refused(format!("number {index} is no node: there are {node_count}")))?;
    vtk_cells::distribute(
        raw,
        types,
        &ends,
        &nodes,
        first_node as u32,
        node_count as u32,
    )
}

/// Names, each ended by a zero.
fn names(input: &Input, array: &DataArray) -> Result<Vec<String>, ReadError> {
    let bytes: Vec<u8> = array.integers(input)?.iter().map(|&b| b as u8).collect();
    Ok(vtk_cells::names(&bytes))
}

/// Writes a mesh: tetrahedra, then triangles, with their regions counted through.
pub fn write(
    mesh: &RawMesh,
    encoding: Encoding,
    compress: bool,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let (solids, faces) = (&mesh.tetrahedra, &mesh.triangles);
    let mut cells = vtu_write::Cells::default();
    let ten = mesh.joined_ten_nodes();
    let solids = match &ten {
        Some(ten) => {
            ten.nodes.iter().for_each(|t| cells.push_ten_nodes(*t));
            &ten.regions
        }
        None => {
            solids.nodes.iter().for_each(|t| cells.push_tetrahedron(*t));
            &solids.regions
        }
    };
    faces.nodes.iter().for_each(|t| cells.push_triangle(*t));
    let offset = mesh.tetrahedra.region_names.len() as u32;
    let of_faces = faces.regions.iter().map(|r| r + offset);
    let regions: Vec<u32> = solids.iter().copied().chain(of_faces).collect();
    let names = mesh
        .tetrahedra
        .region_names
        .iter()
        .chain(&faces.region_names);
    let names = vtu_write::name_list(names.map(String::as_str));
    let array = |name, values| Array {
        name,
        components: 1,
        values,
    };
    let grid = Vtu {
        points: &mesh.positions,
        cells: &cells,
        point_data: &[],
        cell_data: &[array("region", Values::Index(&regions))],
        field_data: &[array(REGION_NAMES, Values::U8(&names))],
    };
    let options = VtuOptions { encoding, compress };
    Ok(vtu_write::write_vtu(out, &grid, options)?)
}
