//! VTK's legacy files (`.vtk`), text and binary, versions up to 5.1: unstructured grids, and polygons of POLYDATA.
//! Binary numbers have their high byte first. Format: VTK file formats, "Simple legacy formats".

use super::bytes::ByteOrder;
use super::error::ReadError;
use super::input::Input;
use super::kind::ElementKind;
use super::lines::Lines;
use super::raw::RawMesh;
use super::runs::Runs;
use super::vtk_cells::{self, REGION_NAMES, TETRAHEDRON, TRIANGLE};
use super::vtu::Number;
use super::write::WriteError;
use pliant_linalg::{Vec3, vec3};
use std::io::Write;

/// What to export instead of something that is not read.
const EXPORT: &str = "export an UNSTRUCTURED_GRID of tetrahedra (ParaView: \"Legacy VTK Files\"), or a .vtu or Gmsh .msh file";

/// Whether a file begins like this format.
pub fn begins(head: &[u8]) -> bool {
    head.starts_with(b"# vtk DataFile")
}

/// A file while it is read.
struct Reader<'a> {
    lines: Lines<'a>,
    binary: bool,
    raw: RawMesh,
    types: Vec<u8>,
    /// Where each cell ends in `nodes`.
    ends: Vec<u64>,
    nodes: Vec<u32>,
    /// Rank of the name and numbers of the best region array so far.
    regions: Option<(usize, Vec<i64>)>,
    region_names: Vec<String>,
    /// Tuples of the attributes that follow, and whether they belong to cells.
    tuples: usize,
    of_cells: bool,
    polygons: bool,
    /// Vertices and lines of POLYDATA, which come before the polygons in the cell data.
    before_polygons: usize,
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?;
    lines.section = "the header".to_string();
    lines.expect_line(|| "# vtk DataFile Version".to_string())?;
    // the title may be blank
    if !lines.any_line()? {
        return Err(lines.truncated("a title"));
    }
    lines.expect_line(|| "ASCII or BINARY".to_string())?;
    let binary = match lines.text().to_ascii_uppercase().as_slice() {
        b"ASCII" => false,
        b"BINARY" => true,
        _ => return Err(lines.unexpected("ASCII or BINARY")),
    };
    lines.split_line(|| "DATASET UNSTRUCTURED_GRID".to_string())?;
    let kind = lines.word(1).unwrap_or_default().to_ascii_uppercase();
    let polygons = match (
        lines.word(0).map(<[u8]>::to_ascii_uppercase).as_deref(),
        &kind[..],
    ) {
        (Some(b"DATASET"), b"UNSTRUCTURED_GRID") => false,
        (Some(b"DATASET"), b"POLYDATA") => true,
        (Some(b"DATASET"), other) => {
            let other = String::from_utf8_lossy(other).into_owned();
            return Err(lines
                .error(format!("a {other} is not a mesh of elements"))
                .help(EXPORT));
        }
        _ => return Err(lines.unexpected("DATASET UNSTRUCTURED_GRID").help(EXPORT)),
    };
    let mut reader = Reader {
        lines,
        binary,
        raw: RawMesh::new(input.name()),
        types: Vec::new(),
        ends: Vec::new(),
        nodes: Vec::new(),
        regions: None,
        region_names: Vec::new(),
        tuples: 0,
        of_cells: false,
        polygons,
        before_polygons: 0,
    };
    while reader.lines.next_line()? {
        reader.section()?;
    }
    reader.finish()
}

impl Reader<'_> {
    /// Reads what the current line begins.
    fn section(&mut self) -> Result<(), ReadError> {
        self.lines.split();
        let keyword = self.lines.word(0).unwrap_or_default().to_ascii_uppercase();
        let name = self.text_word(1);
        self.lines.section = String::from_utf8_lossy(&keyword).chars().take(40).collect();
        match keyword.as_slice() {
            b"POINTS" => {
                let count = self.lines.number(1, "the number of points")?;
                let number = self.number_type(2)?;
                self.points(count, number)
            }
            b"CELLS" => self.cells(),
            b"POLYGONS" if self.polygons => {
                self.cells()?;
                self.types = vec![TRIANGLE; self.ends.len()];
                Ok(())
            }
            b"VERTICES" | b"LINES" | b"TRIANGLE_STRIPS" if self.polygons => {
                let kind = match keyword.as_slice() {
                    b"VERTICES" => ElementKind::Point,
                    b"LINES" => ElementKind::Line,
                    _ => ElementKind::Polygon,
                };
                let (ends, nodes) = (
                    std::mem::take(&mut self.ends),
                    std::mem::take(&mut self.nodes),
                );
                let line = self.lines.line;
                self.cells()?;
                let code = String::from_utf8_lossy(&keyword).into_owned();
                self.raw.skip(kind, self.ends.len(), Some(line), &code);
                if kind != ElementKind::Polygon {
                    self.before_polygons += self.ends.len();
                }
                (self.ends, self.nodes) = (ends, nodes);
                Ok(())
            }
            b"CELL_TYPES" => {
                let count: usize = self.lines.number(1, "the number of cells")?;
                let line = self.lines.line;
                let types = self.integers(count, Number::I32, "a cell type")?;
                let checked: Option<Vec<u8>> =
                    types.iter().map(|&t| u8::try_from(t).ok()).collect();
                self.types = checked.ok_or_else(|| {
                    self.lines.line = line;
                    self.lines
                        .error("a cell type is not a number from 0 to 255")
                })?;
                Ok(())
            }
            b"CELL_DATA" | b"POINT_DATA" => {
                self.tuples = self.lines.number(1, "the number of cells or points")?;
                self.of_cells = keyword == b"CELL_DATA";
                Ok(())
            }
            b"SCALARS" => {
                let bits = self.is_bits(2);
                let number = if bits {
                    Number::U8
                } else {
                    self.number_type(2)?
                };
                let components: usize = match self.lines.word_count() {
                    0..=3 => 1,
                    _ => self.lines.number(3, "the number of components")?,
                };
                // the table line is optional in practice
                let at = self.lines.offset();
                let line = self.lines.line;
                let table = self.lines.next_line()?
                    && self
                        .lines
                        .text()
                        .to_ascii_uppercase()
                        .starts_with(b"LOOKUP_TABLE");
                if !table {
                    self.lines.rewind(at, line);
                }
                if bits {
                    return self.skip_bits(self.tuples.saturating_mul(components));
                }
                self.attribute(&name, number, components)
            }
            b"COLOR_SCALARS" => {
                let components = self.lines.number(2, "the number of components")?;
                let number = if self.binary { Number::U8 } else { Number::F32 };
                self.attribute(&name, number, components)
            }
            b"LOOKUP_TABLE" => {
                let size: usize = self.lines.number(2, "the size of the table")?;
                let number = if self.binary { Number::U8 } else { Number::F32 };
                self.skip_values(size.saturating_mul(4), number)
            }
            b"GLOBAL_IDS" | b"PEDIGREE_IDS" | b"EDGE_FLAGS" => {
                if self.text_word(2) == "string" {
                    return self.strings(&name, self.tuples);
                }
                let number = self.number_type(2)?;
                self.skip_values(self.tuples, number)
            }
            b"VECTORS" | b"NORMALS" => {
                let number = self.number_type(2)?;
                self.skip_values(self.tuples.saturating_mul(3), number)
            }
            b"TENSORS" | b"TENSORS6" => {
                let number = self.number_type(2)?;
                let components = if keyword == b"TENSORS" { 9 } else { 6 };
                self.skip_values(self.tuples.saturating_mul(components), number)
            }
            b"TEXTURE_COORDINATES" => {
                let components: usize = self.lines.number(2, "the number of components")?;
                let number = self.number_type(3)?;
                self.skip_values(self.tuples.saturating_mul(components), number)
            }
            b"FIELD" => self.field(),
            b"METADATA" => self.metadata(),
            _ => Err(self
                .lines
                .unexpected("POINTS, CELLS, CELL_TYPES, CELL_DATA or an attribute")
                .help(EXPORT)),
        }
    }

    fn text_word(&self, index: usize) -> String {
        let word = self.lines.word(index).unwrap_or_default();
        String::from_utf8_lossy(word).into_owned()
    }

    /// The type named by a word of the current line.
    fn number_type(&self, index: usize) -> Result<Number, ReadError> {
        let name = self.text_word(index).to_ascii_lowercase();
        Ok(match name.as_str() {
            "char" | "signed_char" => Number::I8,
            "unsigned_char" => Number::U8,
            "short" => Number::I16,
            "unsigned_short" => Number::U16,
            "unsigned_int" => Number::U32,
            // VTK writes its ids as int, whatever they are in memory
            "int" | "vtktypeint32" | "vtkidtype" => Number::I32,
            "long" | "vtktypeint64" => Number::I64,
            "unsigned_long" | "vtktypeuint64" => Number::U64,
            "float" => Number::F32,
            "double" => Number::F64,
            "bit" => {
                let message = "numbers of one bit are not read here";
                return Err(self.lines.error(message).help(EXPORT));
            }
            _ => {
                let wanted = "a type of numbers such as float, double or int";
                return Err(self.lines.expected(wanted, format!("\"{name}\"")));
            }
        })
    }

    /// Refuses a promise of more numbers than the rest of the file can hold.
    fn check_room(&self, count: usize, number: Number) -> Result<(), ReadError> {
        let least = if self.binary { number.size() } else { 2 };
        // the last number of a text needs no space behind it
        if count
            .checked_mul(least)
            .is_some_and(|b| b <= self.lines.remaining() + 1)
        {
            return Ok(());
        }
        let message =
            format!("{count} numbers are promised, but the rest of the file is too short for them");
        Err(self
            .lines
            .error(message)
            .help("export or copy the file again"))
    }

    fn points(&mut self, count: usize, number: Number) -> Result<(), ReadError> {
        if !self.raw.positions.is_empty() || count >= u32::MAX as usize {
            return Err(self
                .lines
                .unexpected("only one list of points, of fewer than 2³² points"));
        }
        self.check_room(count.saturating_mul(3), number)?;
        if !self.binary {
            self.raw.positions.reserve(count);
            for _ in 0..count {
                let mut coordinate = || self.lines.next_coordinate();
                let (x, y, z) = (coordinate()?, coordinate()?, coordinate()?);
                self.raw.positions.push(vec3(x, y, z));
            }
            return Ok(());
        }
        let (at, size) = (self.lines.offset(), number.size());
        let position = |_: usize, b: &[u8]| {
            let [x, y, z] = [0, 1, 2].map(|i| number.float(ByteOrder::Big, &b[i * size..]));
            let p = vec3(x, y, z);
            p.is_finite().then_some(p)
        };
        let read =
            self.lines
                .input()
                .records("POINTS", at, count, 3 * size, Vec3::ZERO, position)?;
        self.raw.positions = read.map_err(|index| {
            self.lines.error(format!(
                "point {index} has a coordinate that is not a finite number"
            ))
        })?;
        self.lines.seek(at + (3 * size * count) as u64);
        Ok(())
    }

    /// `count` whole numbers.
    fn integers(
        &mut self,
        count: usize,
        number: Number,
        what: &str,
    ) -> Result<Vec<i64>, ReadError> {
        self.check_room(count, number)?;
        if !self.binary {
            let mut values = Vec::with_capacity(count);
            for _ in 0..count {
                // regions are sometimes written as 1.0
                let value: f64 = self.lines.next_number(what)?;
                if value as i64 as f64 != value {
                    return Err(self.lines.unexpected(what));
                }
                values.push(value as i64);
            }
            return Ok(values);
        }
        let (at, size) = (self.lines.offset(), number.size());
        let convert = |_: usize, b: &[u8]| number.integer(ByteOrder::Big, b);
        let section = self.lines.section.clone();
        let read = self
            .lines
            .input()
            .records(&section, at, count, size, 0, convert)?;
        let values = read.map_err(|i| self.lines.error(format!("number {i} is not {what}")))?;
        self.lines.seek(at + (size * count) as u64);
        Ok(values)
    }

    fn skip_values(&mut self, count: usize, number: Number) -> Result<(), ReadError> {
        self.check_room(count, number)?;
        if self.binary {
            self.lines
                .seek(self.lines.offset() + (count * number.size()) as u64);
            return Ok(());
        }
        for _ in 0..count {
            if self.lines.next_word()?.is_none() {
                return Err(self.lines.truncated("a number"));
            }
        }
        Ok(())
    }

    /// Whether a word of the current line names the type bit.
    fn is_bits(&self, index: usize) -> bool {
        let word = self.lines.word(index).unwrap_or_default();
        word.eq_ignore_ascii_case(b"bit")
    }

    /// Bits are packed in binary files and digits in text.
    fn skip_bits(&mut self, count: usize) -> Result<(), ReadError> {
        let values = if self.binary {
            count.div_ceil(8)
        } else {
            count
        };
        self.skip_values(values, Number::U8)
    }

    /// CELLS or POLYGONS: each cell with its number of nodes before it, or since version 5.1 offsets and nodes.
    fn cells(&mut self) -> Result<(), ReadError> {
        let count: usize = self.lines.number(1, "the number of cells")?;
        let total: usize = self.lines.number(2, "the number of numbers that follow")?;
        let header = self.lines.line;
        let (at, line) = (self.lines.offset(), self.lines.line);
        self.ends.clear();
        self.nodes.clear();
        if self.lines.next_line()?
            && self
                .lines
                .text()
                .to_ascii_uppercase()
                .starts_with(b"OFFSETS")
        {
            self.lines.split();
            let number = self.number_type(1)?;
            let offsets = self.integers(count, number, "an offset")?;
            self.ends = offsets.iter().skip(1).map(|&e| e.max(0) as u64).collect();
            self.lines.split_line(|| "CONNECTIVITY".to_string())?;
            if self.lines.word(0) != Some(b"CONNECTIVITY") {
                return Err(self.lines.unexpected("CONNECTIVITY"));
            }
            let number = self.number_type(1)?;
            let nodes = self.integers(total, number, "a node")?;
            for node in nodes {
                self.push_node(node)?;
            }
            return Ok(());
        }
        self.lines.rewind(at, line);
        let numbers = self.integers(total, Number::I32, "a node")?;
        let mut rest = &numbers[..];
        for cell in 0..count {
            let parts = rest.split_first().and_then(|(&length, after)| {
                let length = usize::try_from(length).ok()?;
                Some((after.get(..length)?, &after[length..]))
            });
            let Some((nodes, after)) = parts else {
                self.lines.line = header;
                let message = format!(
                    "the header promises {count} cells in {total} numbers, but cell {cell} does not fit into them"
                );
                return Err(self.lines.error(message).help(
                    "the second number must be the length of all cells, each with its number of nodes: export the file again",
                ));
            };
            rest = after;
            for &node in nodes {
                self.push_node(node)?;
            }
            self.ends.push(self.nodes.len() as u64);
        }
        if !rest.is_empty() {
            self.lines.line = header;
            let message = format!(
                "{count} cells leave {} of the {total} promised numbers over",
                rest.len()
            );
            return Err(self.lines.error(message));
        }
        Ok(())
    }

    fn push_node(&mut self, node: i64) -> Result<(), ReadError> {
        let count = self.raw.positions.len();
        match u32::try_from(node) {
            Ok(node) if (node as usize) < count => self.nodes.push(node),
            _ => {
                let message = format!("a cell uses node {node}, but there are only {count} nodes");
                return Err(self.lines.error(message));
            }
        }
        Ok(())
    }

    /// A scalar attribute, kept if it tells the regions.
    fn attribute(
        &mut self,
        name: &str,
        number: Number,
        components: usize,
    ) -> Result<(), ReadError> {
        let rank = vtk_cells::region_rank(name).filter(|_| self.of_cells && components == 1);
        let better = rank.filter(|r| self.regions.as_ref().is_none_or(|best| *r < best.0));
        match better {
            Some(rank) => {
                let start = (self.lines.offset(), self.lines.line);
                match self.integers(self.tuples, number, "the whole number of a region") {
                    Ok(numbers) => self.regions = Some((rank, numbers)),
                    // fractions are a property of a material, not the number of a region
                    Err(_) if number.is_float() => {
                        self.lines.rewind(start.0, start.1);
                        self.skip_values(self.tuples, number)?;
                    }
                    Err(error) => return Err(error),
                }
                Ok(())
            }
            None => self.skip_values(self.tuples.saturating_mul(components), number),
        }
    }

    /// FIELD: arrays of any length.
    fn field(&mut self) -> Result<(), ReadError> {
        let count: usize = self.lines.number(2, "the number of arrays")?;
        for _ in 0..count {
            self.lines.split_line(|| {
                "the header of an array: name, components, tuples, type".to_string()
            })?;
            while self.lines.word(0) == Some(b"METADATA") {
                self.metadata()?;
                self.lines
                    .split_line(|| "the header of an array".to_string())?;
            }
            let name = self.text_word(0);
            let components: usize = self.lines.number(1, "the number of components")?;
            let tuples: usize = self.lines.number(2, "the number of tuples")?;
            let values = components.saturating_mul(tuples);
            if self.text_word(3) == "string" {
                self.strings(&name, values)?;
                continue;
            }
            if self.is_bits(3) {
                self.skip_bits(values)?;
                continue;
            }
            let number = self.number_type(3)?;
            if name == REGION_NAMES && number == Number::U8 {
                let bytes = self.integers(values, number, "a byte of a name")?;
                let bytes: Vec<u8> = bytes.iter().map(|&b| b as u8).collect();
                self.region_names = vtk_cells::names(&bytes);
                continue;
            }
            let whole = self.tuples == tuples && self.of_cells;
            if whole && components == 1 {
                self.attribute(&name, number, 1)?;
            } else {
                self.skip_values(values, number)?;
            }
        }
        Ok(())
    }

    /// Strings: percent-encoded, one a line, or in binary files each with its length before it.
    fn strings(&mut self, name: &str, count: usize) -> Result<(), ReadError> {
        for _ in 0..count {
            let text = if self.binary {
                let bytes = self.binary_string()?;
                String::from_utf8_lossy(&bytes).into_owned()
            } else {
                // a blank line is an empty string
                if !self.lines.any_line()? {
                    return Err(self.lines.truncated("a string"));
                }
                decode_percent(self.lines.text().trim_ascii_end())
            };
            if name == REGION_NAMES {
                self.region_names.push(text);
            }
        }
        Ok(())
    }

    /// The high two bits of the first byte tell how many bytes the length has: 11 one, 10 two, 01 four, 00 eight.
    fn binary_string(&mut self) -> Result<Vec<u8>, ReadError> {
        let [first] = self.lines.array::<1>("the length of a string")?;
        let more = [7, 3, 1, 0][usize::from(first >> 6)];
        let mut length = u64::from(first & 0x3f);
        for _ in 0..more {
            let [byte] = self.lines.array::<1>("the length of a string")?;
            length = length << 8 | u64::from(byte);
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.check_room(length, Number::U8)?;
        Ok(self.lines.bytes(length)?.to_vec())
    }

    /// METADATA goes on to a blank line.
    fn metadata(&mut self) -> Result<(), ReadError> {
        while self.lines.any_line()? {
            if self.lines.text().trim_ascii().is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<RawMesh, ReadError> {
        let cells = self.ends.len();
        if self.types.len() != cells {
            let message = format!(
                "there are {cells} cells but {} cell types",
                self.types.len()
            );
            return Err(ReadError::new(self.lines.name(), message).help("export the file again"));
        }
        if self.polygons {
            self.triangulate();
        }
        self.raw.node_ids = Runs::counting(0, self.raw.positions.len());
        let node_count = self.raw.positions.len() as u32;
        vtk_cells::distribute(
            &mut self.raw,
            &self.types,
            &self.ends,
            &self.nodes,
            0,
            node_count,
        )?;
        let numbers = self
            .regions
            .map(|r| r.1)
            .filter(|n| n.len() == self.types.len());
        let types = self.types.iter().copied();
        vtk_cells::set_regions(&mut self.raw, types, numbers.as_deref(), &self.region_names);
        Ok(self.raw)
    }

    /// Polygons become fans of triangles around their first corner.
    fn triangulate(&mut self) {
        let (ends, nodes) = (
            std::mem::take(&mut self.ends),
            std::mem::take(&mut self.nodes),
        );
        let numbers = self.regions.take();
        let mut of_triangles = Vec::new();
        let mut start = 0;
        for (polygon, &end) in ends.iter().enumerate() {
            let corners = nodes.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                self.nodes.extend([corners[0], pair[0], pair[1]]);
                self.ends.push(self.nodes.len() as u64);
                if let Some((_, numbers)) = &numbers {
                    let cell = self.before_polygons + polygon;
                    of_triangles.push(numbers.get(cell).copied().unwrap_or(0));
                }
            }
        }
        self.types = vec![TRIANGLE; self.ends.len()];
        self.regions = numbers.map(|(rank, _)| (rank, of_triangles));
    }
}

fn decode_percent(text: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        match code.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes a text file of version 3.0, which every reader knows.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let (solids, faces) = (&mesh.tetrahedra, &mesh.triangles);
    writeln!(
        out,
        "# vtk DataFile Version 3.0\nPliant mesh\nASCII\nDATASET UNSTRUCTURED_GRID"
    )?;
    // numbers, not strings, which other readers (meshio) stumble over
    let names = solids.region_names.iter().chain(&faces.region_names);
    let names = super::vtu_write::name_list(names.map(String::as_str));
    writeln!(
        out,
        "FIELD FieldData 1\n{REGION_NAMES} 1 {} unsigned_char",
        names.len()
    )?;
    for byte in names {
        write!(out, "{byte} ")?;
    }
    writeln!(out)?;
    writeln!(out, "POINTS {} double", mesh.positions.len())?;
    for p in &mesh.positions {
        writeln!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    let count = solids.len() + faces.len();
    writeln!(out, "CELLS {count} {}", 5 * solids.len() + 4 * faces.len())?;
    for [a, b, c, d] in &solids.nodes {
        writeln!(out, "4 {a} {b} {c} {d}")?;
    }
    for [a, b, c] in &faces.nodes {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    writeln!(out, "CELL_TYPES {count}")?;
    for code in std::iter::repeat_n(TETRAHEDRON, solids.len())
        .chain(std::iter::repeat_n(TRIANGLE, faces.len()))
    {
        writeln!(out, "{code}")?;
    }
    writeln!(
        out,
        "CELL_DATA {count}\nSCALARS region int 1\nLOOKUP_TABLE default"
    )?;
    let offset = solids.region_names.len() as u32;
    for region in solids
        .regions
        .iter()
        .copied()
        .chain(faces.regions.iter().map(|r| r + offset))
    {
        writeln!(out, "{region}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\n
CELLS 3 13\n4 0 1 2 3\n4 1 2 3 4\n2 0 1\nCELL_TYPES 3\n10 10 3\nPOINT_DATA 5\nVECTORS v float\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
METADATA\nINFORMATION 0\n\nCELL_DATA 3\nSCALARS stress float 1\nLOOKUP_TABLE default\n0.5 1 2\nFIELD FieldData 1\nregion 1 3 int\n7 4 0\n";

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "test.vtk"))
    }

    #[test]
    fn attributes_are_passed_over_and_regions_kept() {
        let mesh = read_text(SMALL).unwrap();
        assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(mesh.tetrahedra.region_names, ["4", "7"]);
        assert_eq!(mesh.tetrahedra.regions, [1, 0]);
        assert_eq!(mesh.skipped[&ElementKind::Line].count, 1);
    }

    #[test]
    fn fractions_are_no_regions() {
        let text = SMALL.replace("region 1 3 int\n7 4 0", "material 1 3 float\n0.5 4 0");
        let mesh = read_text(&text).unwrap();
        assert_eq!(mesh.tetrahedra.region_names, ["default"]);
        let text = SMALL.replace("region 1 3 int\n7 4 0", "region 1 3 int\n7 x 0");
        assert!(read_text(&text).is_err());
    }

    #[test]
    fn version_five_has_offsets() {
        let text = SMALL.replace(
            "CELLS 3 13\n4 0 1 2 3\n4 1 2 3 4\n2 0 1\n",
            "CELLS 4 10\nOFFSETS vtktypeint64\n0 4 8 10\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 2 3 4 0 1\n",
        );
        let mesh = read_text(&text).unwrap();
        assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    }

    #[test]
    fn polygons_become_fans() {
        let text = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\n";
        let mesh = read_text(text).unwrap();
        assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn cell_data_of_polygons_begins_with_vertices_and_lines() {
        let text = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\n\
            VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\nPOLYGONS 2 8\n3 0 1 2\n3 0 2 3\nCELL_DATA 4\nSCALARS region int\n7 8 1 2\n";
        let mesh = read_text(text).unwrap();
        assert_eq!(mesh.triangles.region_names, ["1", "2"]);
        assert_eq!(mesh.triangles.regions, [0, 1]);
    }

    /// What VTK's own writers add: ids of 32 bits, packed bits, strings with their lengths.
    #[test]
    fn attributes_of_vtk_itself() {
        let mut text = SMALL.replace(
            "METADATA",
            "GLOBAL_IDS gid vtkIdType\n0 1 2 3 4\nSCALARS flag bit 1\nLOOKUP_TABLE default\n0 1 0 1 1\n\
             FIELD FieldData 1\nlabels 1 3 string\na%20b\n\nc\nMETADATA",
        );
        assert_eq!(read_text(&text).unwrap().tetrahedra.regions, [1, 0]);
        text = text.replace("labels 1 3 string", "labels 1 4 string");
        assert!(read_text(&text).is_err());

        let mut bytes =
            b"# vtk DataFile Version 4.2\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n"
                .to_vec();
        let floats = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.];
        let words = |bytes: &mut Vec<u8>, words: &[i32]| {
            bytes.extend(words.iter().flat_map(|w| w.to_be_bytes()));
        };
        bytes.extend(floats.iter().flat_map(|f: &f32| f.to_be_bytes()));
        bytes.extend(b"\nCELLS 2 10\n");
        words(&mut bytes, &[4, 0, 1, 2, 3, 4, 1, 2, 3, 4]);
        bytes.extend(b"\nCELL_TYPES 2\n");
        words(&mut bytes, &[10, 10]);
        bytes.extend(b"\nPOINT_DATA 5\nGLOBAL_IDS gid vtkIdType\n");
        words(&mut bytes, &[0, 1, 2, 3, 4]);
        bytes.extend(b"\nSCALARS flag bit 1\nLOOKUP_TABLE default\n\x50");
        bytes.extend(b"\nCELL_DATA 2\nFIELD FieldData 3\nlabels 1 2 string\n\xc2ab\x80\x46");
        bytes.extend([b'x'; 70]);
        bytes.extend(b"\nbits 9 1 bit\n\x00\x00\nregion 1 2 vtkIdType\n");
        words(&mut bytes, &[5, 3]);
        bytes.push(b'\n');
        let mesh = read(&Input::from_bytes(&bytes, "test.vtk")).unwrap();
        assert_eq!(mesh.tetrahedra.region_names, ["3", "5"]);
        assert_eq!(mesh.tetrahedra.regions, [1, 0]);
    }

    #[test]
    fn errors_say_where() {
        for (from, to, wanted) in [
            (
                "CELLS 3 13",
                "CELLS 3 12",
                "line 9, CELLS: the header promises 3 cells in 12 numbers",
            ),
            ("CELLS 3 13", "CELLS 2 13", "leave 3 of the 13"),
            (
                "4 1 2 3 4",
                "4 1 2 3 5",
                "uses node 5, but there are only 5",
            ),
            (
                "10 10 3",
                "10 10",
                "expected a cell type, found \"POINT_DATA\"",
            ),
            ("10 10 3", "9999 10 3", "not a number from 0 to 255"),
            (
                "POINTS 5 float",
                "POINTS 5 complex",
                "expected a type of numbers",
            ),
            (
                "POINTS 5",
                "POINTS 500000000",
                "the rest of the file is too short",
            ),
            (
                "ASCII",
                "TEXT",
                "line 3, the header: expected ASCII or BINARY",
            ),
            (
                "UNSTRUCTURED_GRID",
                "STRUCTURED_POINTS",
                "a STRUCTURED_POINTS is not a mesh",
            ),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let error = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(error.contains(wanted), "{to}: {error}");
        }
    }

    #[test]
    fn names_survive() {
        assert_eq!(decode_percent(b"50%20%25%20s%C3%BC%C3%9F"), "50 % süß");
    }
}
