//! PLY, text and binary of either byte order: the vertices, and the faces as fans of triangles. Other elements and
//! properties are passed over; there are no regions.
//!
//! By hand, not with the crate `ply-rs-bw`: it refuses numbers such as `1.` and `.5`, loses the second of two
//! properties of one name, and loops as often as a header says when an element has no properties.

use super::error::{ReadError, excerpt};
use super::input::Input;
use super::kind::ElementKind;
use super::lines::Lines;
use super::raw::RawMesh;
use super::runs::Runs;
use super::skin::{push_polygon, triangles};
use super::write::WriteError;
use pliant_linalg::vec3;
use std::io::Write;

/// Whether a file begins like this.
pub fn begins(head: &[u8]) -> bool {
    head.strip_prefix(b"ply")
        .is_some_and(|rest| rest.trim_ascii_start().len() < rest.len())
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Type of a number.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(word: &[u8]) -> Option<Scalar> {
        Some(match word {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    /// The number in `bytes`, which are [`Scalar::size`] and little-endian; every type fits into f64.
    fn value(self, bytes: &[u8]) -> f64 {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        let wide = u64::from_le_bytes(padded);
        match self {
            Scalar::I8 => f64::from(wide as i8),
            Scalar::U8 => f64::from(wide as u8),
            Scalar::I16 => f64::from(wide as i16),
            Scalar::U16 => f64::from(wide as u16),
            Scalar::I32 => f64::from(wide as i32),
            Scalar::U32 => f64::from(wide as u32),
            Scalar::F32 => f64::from(f32::from_bits(wide as u32)),
            Scalar::F64 => f64::from_bits(wide),
        }
    }
}

struct Property {
    name: String,
    /// Type of the length, where this is a list.
    length: Option<Scalar>,
    scalar: Scalar,
}

struct Element {
    name: String,
    count: usize,
    properties: Vec<Property>,
}

impl Element {
    fn find(&self, names: &[&str]) -> Option<usize> {
        self.properties
            .iter()
            .position(|p| names.contains(&p.name.as_str()))
    }

    /// Fewest bytes of one in a binary file.
    fn least_size(&self) -> usize {
        self.properties
            .iter()
            .map(|p| p.length.unwrap_or(p.scalar).size())
            .sum()
    }
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?;
    lines.section = "header".to_string();
    let (encoding, elements) = header(&mut lines)?;
    let mut reader = Reader {
        lines,
        encoding,
        item: 0,
        values: Vec::new(),
        lists: Vec::new(),
    };
    let mut mesh = RawMesh::new(input.name());
    for element in &elements {
        reader.lines.section = format!("element {}", element.name);
        reader.check_count(element)?;
        match element.name.as_str() {
            "vertex" => reader.vertices(element, &mut mesh)?,
            "face" => reader.faces(element, &mut mesh)?,
            "tristrips" => {
                let error = reader.lines.error("triangle strips are not read");
                return Err(error.help("export the surface with separate faces"));
            }
            name => {
                for _ in 0..element.count {
                    reader.next(element)?;
                }
                if element.count > 0 && name == "edge" {
                    mesh.skip(ElementKind::Line, element.count, None, name);
                }
            }
        }
    }
    if !elements.iter().any(|e| e.name == "vertex") {
        return Err(reader
            .lines
            .error("expected an element vertex in the header"));
    }
    let vertex_count = mesh.positions.len();
    if vertex_count >= u32::MAX as usize {
        return Err(reader
            .lines
            .error("there are too many vertices for 32-bit indices"));
    }
    mesh.node_ids = Runs::counting(0, vertex_count);
    if encoding != Encoding::Text {
        mesh.triangles.lines = Runs::default();
    }
    mesh.resolve_ids()?;
    mesh.triangles.single_region();
    Ok(mesh)
}

fn header(lines: &mut Lines) -> Result<(Encoding, Vec<Element>), ReadError> {
    lines.split_line(|| "ply".to_string())?;
    if lines.text() != b"ply" {
        return Err(lines
            .unexpected("ply")
            .help("export the surface again as PLY, OBJ or STL"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        lines.split_line(|| "end_header".to_string())?;
        let text = |index: usize| {
            let word = lines.word(index).unwrap_or_default();
            String::from_utf8_lossy(&word[..word.len().min(80)]).into_owned()
        };
        match lines.word(0).unwrap_or_default() {
            b"format" => {
                encoding = match lines.word(1).unwrap_or_default() {
                    b"ascii" => Some(Encoding::Text),
                    b"binary_little_endian" => Some(Encoding::LittleEndian),
                    b"binary_big_endian" => Some(Encoding::BigEndian),
                    _ => {
                        let expected = "format ascii, binary_little_endian or binary_big_endian";
                        return Err(lines.unexpected(expected));
                    }
                };
            }
            b"comment" | b"obj_info" => {}
            b"element" => {
                let count = lines.number(2, "the number of elements")?;
                elements.push(Element {
                    name: text(1),
                    count,
                    properties: Vec::new(),
                });
            }
            b"property" => {
                let is_list = lines.word(1) == Some(b"list");
                let scalar = |index: usize| match Scalar::of(lines.word(index).unwrap_or_default())
                {
                    Some(scalar) => Ok(scalar),
                    None => {
                        Err(lines.unexpected("property TYPE NAME or property list TYPE TYPE NAME"))
                    }
                };
                let property = match is_list {
                    true => Property {
                        name: text(4),
                        length: Some(scalar(2)?),
                        scalar: scalar(3)?,
                    },
                    false => Property {
                        name: text(2),
                        length: None,
                        scalar: scalar(1)?,
                    },
                };
                match elements.last_mut() {
                    Some(element) => element.properties.push(property),
                    None => return Err(lines.unexpected("element before the first property")),
                }
            }
            b"end_header" => break,
            _ => return Err(lines.unexpected("format, element, property or end_header")),
        }
    }
    match encoding {
        Some(encoding) => Ok((encoding, elements)),
        None => Err(lines.error("expected a line format in the header")),
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    encoding: Encoding,
    /// Number of the current item in its element.
    item: usize,
    /// Numbers of the current item: scalars and the contents of lists.
    values: Vec<f64>,
    /// For each property where its values start.
    lists: Vec<usize>,
}

impl Reader<'_> {
    /// Refuses counts that the rest of the file cannot hold.
    fn check_count(&mut self, element: &Element) -> Result<(), ReadError> {
        self.item = 0;
        let remaining = self.lines.remaining();
        let least = match self.encoding {
            // a digit and what parts it from the next
            Encoding::Text => 2 * element.properties.len(),
            _ => element.least_size(),
        };
        if element.count > 0 && least == 0 {
            return Err(self
                .lines
                .error("expected properties of this element in the header"));
        }
        if element
            .count
            .checked_mul(least)
            .is_none_or(|bytes| bytes > remaining + 1)
        {
            return Err(self
                .lines
                .truncated(&format!("the last of {}", element.count)));
        }
        Ok(())
    }

    /// Reads the next item into `values`.
    fn next(&mut self, element: &Element) -> Result<(), ReadError> {
        self.item += 1;
        self.values.clear();
        self.lists.clear();
        match self.encoding {
            Encoding::Text => self.next_text(element),
            _ => self.next_binary(element),
        }
    }

    fn next_text(&mut self, element: &Element) -> Result<(), ReadError> {
        let (item, count) = (self.item, element.count);
        self.lines.split_line(|| format!("{item} of {count}"))?;
        let mut word = 0;
        for property in &element.properties {
            self.lists.push(self.values.len());
            let mut length = 1;
            if property.length.is_some() {
                length = self.lines.number(word, "the length of a list")?;
                word += 1;
            }
            if length > self.lines.word_count().saturating_sub(word) {
                let expected = format!("{length} values of {}", property.name);
                return Err(self
                    .lines
                    .expected(&expected, "the end of the line".to_string()));
            }
            for _ in 0..length {
                self.values.push(self.lines.number(word, "a number")?);
                word += 1;
            }
        }
        if word < self.lines.word_count() {
            let found = excerpt(self.lines.word(word).unwrap_or_default());
            return Err(self.lines.expected("the end of the line", found));
        }
        Ok(())
    }

    fn next_binary(&mut self, element: &Element) -> Result<(), ReadError> {
        for property in &element.properties {
            self.lists.push(self.values.len());
            let mut length = 1;
            if let Some(scalar) = property.length {
                let value = self.binary_value(scalar)?;
                if value < 0.0 || value.fract() != 0.0 || value > self.lines.remaining() as f64 {
                    let expected = "the length of a list that fits into the file";
                    return Err(self.error(expected, value.to_string()));
                }
                length = value as usize;
            }
            for _ in 0..length {
                let value = self.binary_value(property.scalar)?;
                self.values.push(value);
            }
        }
        Ok(())
    }

    fn binary_value(&mut self, scalar: Scalar) -> Result<f64, ReadError> {
        let size = scalar.size();
        let mut bytes = [0; 8];
        let found = self.lines.bytes(size)?;
        if found.len() < size {
            let expected = format!("item {}", self.item);
            return Err(self.place(self.lines.truncated(&expected)));
        }
        bytes[..size].copy_from_slice(found);
        if self.encoding == Encoding::BigEndian {
            bytes[..size].reverse();
        }
        Ok(scalar.value(&bytes[..size]))
    }

    /// Where an error in the current item is.
    fn place(&self, mut error: ReadError) -> ReadError {
        if self.encoding != Encoding::Text {
            error.place = self.lines.byte_place(self.lines.offset());
        }
        error
    }

    fn error(&self, expected: &str, found: String) -> ReadError {
        self.place(
            self.lines
                .expected(&format!("{expected} in item {}", self.item), found),
        )
    }

    fn vertices(&mut self, element: &Element, mesh: &mut RawMesh) -> Result<(), ReadError> {
        let axis = |name: &str| {
            element
                .find(&[name])
                .filter(|&p| element.properties[p].length.is_none())
        };
        let (Some(x), Some(y), Some(z)) = (axis("x"), axis("y"), axis("z")) else {
            return Err(self
                .lines
                .error("expected the properties x, y and z of the element vertex"));
        };
        mesh.positions.reserve(element.count);
        for _ in 0..element.count {
            self.next(element)?;
            let at = |p: usize| self.values[self.lists[p]];
            let position = vec3(at(x), at(y), at(z));
            if !position.is_finite() {
                return Err(self.error("finite coordinates", format!("{:?}", position.to_array())));
            }
            mesh.positions.push(position);
        }
        Ok(())
    }

    fn faces(&mut self, element: &Element, mesh: &mut RawMesh) -> Result<(), ReadError> {
        let list = element.find(&["vertex_indices", "vertex_index"]);
        let Some(list) = list.filter(|&p| element.properties[p].length.is_some()) else {
            return Err(self
                .lines
                .error("expected the list vertex_indices of the element face"));
        };
        let mut corners = Vec::new();
        for _ in 0..element.count {
            self.next(element)?;
            let end = self
                .lists
                .get(list + 1)
                .copied()
                .unwrap_or(self.values.len());
            corners.clear();
            for &value in &self.values[self.lists[list]..end] {
                // refuses what is negative, too large or no whole number
                let index = value as u32;
                if f64::from(index) != value {
                    return Err(self.error("the index of a vertex", value.to_string()));
                }
                corners.push(index);
            }
            if corners.len() < 3 {
                let line = (self.encoding == Encoding::Text).then_some(self.lines.line);
                mesh.skip(ElementKind::Line, 1, line, "face");
            }
            push_polygon(&mut mesh.triangles, &corners, self.lines.line);
        }
        Ok(())
    }
}

/// Writes the triangles, or the boundary of the tetrahedra, in binary little-endian; regions are lost.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let cells = triangles(mesh, "PLY")?;
    if mesh.positions.len() > i32::MAX as usize {
        return Err(WriteError::CannotHold {
            format: "PLY",
            what: "more than 2147483647 vertices",
            instead: "write VTU",
        });
    }
    writeln!(
        out,
        "ply\nformat binary_little_endian 1.0\nelement vertex {}",
        mesh.positions.len()
    )?;
    writeln!(
        out,
        "property double x\nproperty double y\nproperty double z\nelement face {}",
        cells.len()
    )?;
    writeln!(out, "property list uchar int vertex_indices\nend_header")?;
    for p in &mesh.positions {
        for value in p.to_array() {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    for nodes in &cells.nodes {
        out.write_all(&[3])?;
        for node in nodes {
            out.write_all(&node.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(bytes, "t.ply"))
    }

    const SMALL: &str = "ply\r\nformat ascii 1.0\r\ncomment made by hand\nobj_info x\nelement camera 1\nproperty float f
property list uchar int l\nelement vertex 4\nproperty uchar red\nproperty float32 x\nproperty float y\nproperty double z
element face 3\nproperty list uchar int vertex_index\nproperty uchar flag\nelement edge 1\nproperty int a\nproperty int b
end_header\n.5 2 1 2\n255 0 0 0\n0 1. 0 0.1\n\n0 0 .5e1 0\n0 1 1 1\n3 0 1 2 7\n4 0 1 2 3 7\n2 0 1 7\n0 1\n";

    fn check(mesh: &RawMesh) {
        assert_eq!(mesh.positions[1], vec3(1.0, 0.0, 0.1));
        assert_eq!(mesh.positions[2], vec3(0.0, 5.0, 0.0));
        assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.skipped[&ElementKind::Line].count, 2);
    }

    /// The same file with binary data.
    fn binary(big: bool) -> Vec<u8> {
        let name = if big {
            "binary_big_endian"
        } else {
            "binary_little_endian"
        };
        let (header, _) = SMALL.split_once("end_header\n").unwrap();
        let mut bytes = header.replace("ascii", name).into_bytes();
        bytes.extend_from_slice(b"end_header\n");
        let mut push = |mut number: Vec<u8>| {
            if big {
                number.reverse();
            }
            bytes.extend(number);
        };
        let f32s = |v: f32| v.to_le_bytes().to_vec();
        let f64s = |v: f64| v.to_le_bytes().to_vec();
        let i32s = |v: i32| v.to_le_bytes().to_vec();
        for number in [f32s(0.5), vec![2], i32s(1), i32s(2)] {
            push(number);
        }
        for (x, y, z) in [
            (0.0, 0.0, 0.0),
            (1.0, 0.0, 0.1),
            (0.0, 5.0, 0.0),
            (1.0, 1.0, 1.0),
        ] {
            for number in [vec![9], f32s(x), f32s(y), f64s(z)] {
                push(number);
            }
        }
        for face in [&[0, 1, 2][..], &[0, 1, 2, 3], &[0, 1]] {
            push(vec![face.len() as u8]);
            face.iter().for_each(|&i| push(i32s(i)));
            push(vec![7]);
        }
        push(i32s(0));
        push(i32s(1));
        bytes
    }

    #[test]
    fn all_encodings_hold_the_same() {
        let text = read_bytes(SMALL.as_bytes()).unwrap();
        check(&text);
        assert_eq!(text.triangles.line(0), Some(26));
        for big in [false, true] {
            check(&read_bytes(&binary(big)).unwrap());
            let bytes = binary(big);
            for length in 0..bytes.len() {
                assert!(read_bytes(&bytes[..length]).is_err(), "{length}");
            }
        }
        let mut written = Vec::new();
        write(&text, &mut written).unwrap();
        let again = read_bytes(&written).unwrap();
        assert_eq!(
            (again.positions, again.triangles.nodes),
            (text.positions, text.triangles.nodes)
        );
        assert!(begins(SMALL.as_bytes()) && begins(&written) && !begins(b"plywood"));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "format ascii 1.0",
                "format text 1.0",
                "t.ply, line 2, header: expected format ascii, binary_little_endian",
            ),
            (
                "0 1. 0 0.1",
                "0 1. 0",
                "line 22, element vertex: expected 1 values of z, found the end of the line",
            ),
            (
                "0 1. 0 0.1",
                "0 1. 0 0.1 5",
                "expected the end of the line, found \"5\"",
            ),
            ("0 1. 0 0.1", "0 1. x 0.1", "expected a number, found \"x\""),
            (
                "0 1. 0 0.1",
                "0 1. nan 0.1",
                "expected finite coordinates in item 2",
            ),
            (
                "3 0 1 2 7",
                "3 0 1 -2 7",
                "expected the index of a vertex in item 1, found -2",
            ),
            (
                "3 0 1 2 7",
                "3 0 1 1.5 7",
                "expected the index of a vertex in item 1, found 1.5",
            ),
            ("3 0 1 2 7", "3 0 1 4 7", "line 26: element 1 uses node 4"),
            (
                "3 0 1 2 7",
                "99999999999 0 1 2 7",
                "expected 99999999999 values of vertex_index",
            ),
            (
                "element vertex 4",
                "element vertex 400000000000",
                "where the last of 400000000000 was expected",
            ),
            (
                "element vertex 4",
                "element point 4",
                "expected an element vertex in the header",
            ),
            (
                "property double z",
                "property double w",
                "expected the properties x, y and z",
            ),
            ("property double z", "property long z", "property TYPE NAME"),
            (
                "vertex_index",
                "indices",
                "expected the list vertex_indices",
            ),
            (
                "element camera 1",
                "property int x",
                "element before the first property",
            ),
            (
                "element edge 1",
                "element empty 99999999999999\nelement edge 1",
                "expected properties of this element",
            ),
            (
                "element face",
                "element tristrips",
                "triangle strips are not read",
            ),
            ("0 1\n", "", "ends where the last of 1 was expected"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let at = SMALL.rfind(from).unwrap();
            let text = format!("{}{to}{}", &SMALL[..at], &SMALL[at + from.len()..]);
            let found = read_bytes(text.as_bytes()).unwrap_err().to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
    }
}
