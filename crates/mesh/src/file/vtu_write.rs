//! Writes VTK's XML unstructured grids (`.vtu`): tetrahedra and triangles with named arrays, little-endian.
//!
//! Three encodings: text, base64 inline, raw bytes appended after the markup (the quickest to read). The two binary
//! ones carry UInt64 lengths and may be compressed with zlib in blocks. Arrays go straight to the stream; only
//! compressed appended arrays are held in memory, since their lengths stand before them.
//! VTK's own String arrays stop other readers (meshio), so names are a UInt8 array: UTF-8, each ended by a zero.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pliant_linalg::{Vec3, flat};
use rayon::prelude::*;
use std::io::{self, Write};

/// VTK's number of a triangle.
pub const TRIANGLE: u8 = 5;
/// VTK's number of a tetrahedron.
pub const TETRAHEDRON: u8 = 10;
/// VTK's number of a tetrahedron of ten nodes.
const TEN_NODES: u8 = 24;

/// Bytes that are compressed at a time; blocks are shared among the threads, and their bytes do not depend on that.
const BLOCK: usize = 1 << 18;
/// A good deal faster than the default at a few per cent more bytes.
const LEVEL: u32 = 3;
/// Values that are converted at a time.
const BATCH: usize = 1 << 13;

/// How the numbers are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Text; reading it back gives the same numbers.
    Ascii,
    /// Base64 within the markup.
    Base64,
    /// Bytes after the markup.
    #[default]
    Appended,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VtuOptions {
    /// How the numbers are stored.
    pub encoding: Encoding,
    /// Compress with zlib; text never is.
    pub compress: bool,
}

/// Numbers of an array.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Float32.
    F32(&'a [f32]),
    /// Float64.
    F64(&'a [f64]),
    /// Int32 from numbers below 2³¹.
    Index(&'a [u32]),
    /// UInt8.
    U8(&'a [u8]),
}

/// A named array.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// Name as shown by viewers.
    pub name: &'a str,
    /// Numbers per point or cell.
    pub components: usize,
    /// The numbers.
    pub values: Values<'a>,
}

/// Cells in the order of their data: tetrahedra and triangles may alternate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    connectivity: Vec<u32>,
    offsets: Vec<u32>,
    types: Vec<u8>,
}

impl Cells {
    /// Adds a tetrahedron.
    pub fn push_tetrahedron(&mut self, nodes: [u32; 4]) {
        self.push(&nodes, TETRAHEDRON);
    }

    /// Adds a ten-node tetrahedron.
    pub fn push_ten_nodes(&mut self, nodes: [u32; 10]) {
        self.push(&nodes, TEN_NODES);
    }

    /// Adds a triangle.
    pub fn push_triangle(&mut self, nodes: [u32; 3]) {
        self.push(&nodes, TRIANGLE);
    }

    fn push(&mut self, nodes: &[u32], kind: u8) {
        self.connectivity.extend_from_slice(nodes);
        self.offsets.push(self.connectivity.len() as u32);
        self.types.push(kind);
    }

    /// How many there are.
    pub fn cell_count(&self) -> usize {
        self.types.len()
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug)]
pub struct Vtu<'a> {
    /// Positions.
    pub points: &'a [Vec3],
    /// Cells.
    pub cells: &'a Cells,
    /// Arrays with a tuple per point.
    pub point_data: &'a [Array<'a>],
    /// Arrays with a tuple per cell.
    pub cell_data: &'a [Array<'a>],
    /// Arrays of any length.
    pub field_data: &'a [Array<'a>],
}

/// Names as the numbers of a UInt8 array: UTF-8, each ended by a zero.
pub fn name_list<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for name in names {
        bytes.extend(name.bytes().filter(|&b| b != 0));
        bytes.push(0);
    }
    bytes
}

/// Writes a grid.
pub fn write_vtu<W: Write>(out: W, grid: &Vtu<'_>, options: VtuOptions) -> io::Result<()> {
    check(grid)?;
    let mut file = Writer {
        out,
        encoding: options.encoding,
        compress: options.compress && options.encoding != Encoding::Ascii,
        appended: Vec::new(),
        offset: 0,
    };
    let compressor = match file.compress {
        true => " compressor=\"vtkZLibDataCompressor\"",
        false => "",
    };
    writeln!(file.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        file.out,
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>"
    )?;
    writeln!(file.out, "<UnstructuredGrid>")?;
    if !grid.field_data.is_empty() {
        file.section("FieldData", grid.field_data, true)?;
    }
    writeln!(
        file.out,
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">",
        grid.points.len(),
        grid.cells.cell_count()
    )?;
    let array = |name, components, values| Array {
        name,
        components,
        values,
    };
    let points = [array("Points", 3, Values::F64(flat(grid.points)))];
    file.section("Points", &points, false)?;
    let cells = [
        array("connectivity", 1, Values::Index(&grid.cells.connectivity)),
        array("offsets", 1, Values::Index(&grid.cells.offsets)),
        array("types", 1, Values::U8(&grid.cells.types)),
    ];
    file.section("Cells", &cells, false)?;
    file.section("PointData", grid.point_data, false)?;
    file.section("CellData", grid.cell_data, false)?;
    writeln!(file.out, "</Piece>\n</UnstructuredGrid>")?;
    file.finish()
}

fn check(grid: &Vtu<'_>) -> io::Result<()> {
    let refuse = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let (points, cells) = (grid.points.len(), grid.cells.cell_count());
    for (arrays, tuples) in [
        (grid.point_data, Some(points)),
        (grid.cell_data, Some(cells)),
        (grid.field_data, None),
    ] {
        for array in arrays {
            let found = array.values.len();
            let wanted = tuples.map_or(found, |t| t * array.components);
            if found != wanted || array.components == 0 {
                let name = array.name;
                return refuse(format!("`{name}` has {found} numbers instead of {wanted}"));
            }
        }
    }
    let all = grid.point_data.iter().chain(grid.cell_data);
    let indices = all.chain(grid.field_data).filter_map(|a| match a.values {
        Values::Index(list) => Some(list),
        _ => None,
    });
    let own = [&grid.cells.connectivity[..], &grid.cells.offsets[..]];
    if indices
        .chain(own)
        .flatten()
        .any(|&n| i32::try_from(n).is_err())
    {
        return refuse("numbers of 2³¹ and more do not fit Int32".to_string());
    }
    if grid
        .cells
        .connectivity
        .iter()
        .any(|&n| n as usize >= points)
    {
        return refuse(format!(
            "a cell names a point beyond the {points} there are"
        ));
    }
    Ok(())
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Values::F32(list) => list.len(),
            Values::F64(list) => list.len(),
            Values::Index(list) => list.len(),
            Values::U8(list) => list.len(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Values::F32(_) | Values::Index(_) => 4,
            Values::F64(_) => 8,
            Values::U8(_) => 1,
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Values::F32(_) => "Float32",
            Values::F64(_) => "Float64",
            Values::Index(_) => "Int32",
            Values::U8(_) => "UInt8",
        }
    }

    /// The bytes of the numbers from `first`, at most `count` of them.
    fn piece(&self, first: usize, count: usize) -> Vec<u8> {
        macro_rules! convert {
            ($list:expr) => {
                $list[first..$list.len().min(first + count)]
                    .iter()
                    .flat_map(|v| v.to_le_bytes())
                    .collect()
            };
        }
        match self {
            Values::F32(list) => convert!(list),
            Values::F64(list) => convert!(list),
            Values::Index(list) => convert!(list),
            Values::U8(list) => convert!(list),
        }
    }

    /// Hands over all bytes in pieces.
    fn pieces(&self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let starts = (0..self.len()).step_by(BATCH);
        starts
            .map(|first| self.piece(first, BATCH))
            .try_for_each(|bytes| take(&bytes))
    }

    /// Text, a tuple a line.
    fn text(&self, out: &mut impl Write, components: usize) -> io::Result<()> {
        macro_rules! lines {
            ($list:expr, $format:literal) => {
                for tuple in $list.chunks(components) {
                    for (i, value) in tuple.iter().enumerate() {
                        let space = if i == 0 { "" } else { " " };
                        write!(out, concat!("{}", $format), space, value)?;
                    }
                    out.write_all(b"\n")?;
                }
            };
        }
        match self {
            // the exponent keeps tiny and huge numbers short
            Values::F32(list) => lines!(list, "{:e}"),
            Values::F64(list) => lines!(list, "{:e}"),
            Values::Index(list) => lines!(list, "{}"),
            Values::U8(list) => lines!(list, "{}"),
        }
        Ok(())
    }
}

/// An array whose bytes follow the markup.
enum Appended<'a> {
    Plain(Values<'a>),
    Compressed { header: Vec<u8>, blocks: Vec<u8> },
}

struct Writer<'a, W> {
    out: W,
    encoding: Encoding,
    compress: bool,
    appended: Vec<Appended<'a>>,
    /// Where the next appended array begins.
    offset: u64,
}

impl<'a, W: Write> Writer<'a, W> {
    fn section(&mut self, name: &str, arrays: &[Array<'a>], tuples: bool) -> io::Result<()> {
        writeln!(self.out, "<{name}>")?;
        for array in arrays {
            self.array(array, tuples)?;
        }
        writeln!(self.out, "</{name}>")
    }

    fn array(&mut self, array: &Array<'a>, tuples: bool) -> io::Result<()> {
        let values = array.values;
        let name = escaped(array.name);
        write!(
            self.out,
            "<DataArray type=\"{}\" Name=\"{name}\"",
            values.type_name()
        )?;
        if array.components > 1 {
            write!(self.out, " NumberOfComponents=\"{}\"", array.components)?;
        }
        if tuples {
            let count = values.len() / array.components;
            write!(self.out, " NumberOfTuples=\"{count}\"")?;
        }
        match self.encoding {
            Encoding::Ascii => {
                writeln!(self.out, " format=\"ascii\">")?;
                values.text(&mut self.out, array.components)?;
                writeln!(self.out, "</DataArray>")
            }
            Encoding::Base64 => {
                writeln!(self.out, " format=\"binary\">")?;
                self.inline(values)?;
                writeln!(self.out, "\n</DataArray>")
            }
            Encoding::Appended => {
                writeln!(
                    self.out,
                    " format=\"appended\" offset=\"{}\"/>",
                    self.offset
                )?;
                let (next, length) = match self.compress {
                    true => {
                        let (header, blocks) = compressed(values)?;
                        let length = header.len() + blocks.len();
                        (Appended::Compressed { header, blocks }, length)
                    }
                    false => (Appended::Plain(values), 8 + values.len() * values.size()),
                };
                self.offset += length as u64;
                self.appended.push(next);
                Ok(())
            }
        }
    }

    /// Base64: length and numbers as one text, or the lengths of the blocks and then the blocks.
    fn inline(&mut self, values: Values<'a>) -> io::Result<()> {
        if self.compress {
            let (header, blocks) = compressed(values)?;
            for bytes in [header, blocks] {
                let mut text = Base64::new(&mut self.out);
                text.put(&bytes)?;
                text.finish()?;
            }
            return Ok(());
        }
        let mut text = Base64::new(&mut self.out);
        text.put(&length_of(values))?;
        values.pieces(|bytes| text.put(bytes))?;
        text.finish()
    }

    fn finish(mut self) -> io::Result<()> {
        if !self.appended.is_empty() {
            write!(self.out, "<AppendedData encoding=\"raw\">\n_")?;
            for array in &self.appended {
                match array {
                    Appended::Plain(values) => {
                        self.out.write_all(&length_of(*values))?;
                        values.pieces(|bytes| self.out.write_all(bytes))?;
                    }
                    Appended::Compressed { header, blocks } => {
                        self.out.write_all(header)?;
                        self.out.write_all(blocks)?;
                    }
                }
            }
            writeln!(self.out, "\n</AppendedData>")?;
        }
        writeln!(self.out, "</VTKFile>")?;
        self.out.flush()
    }
}

fn length_of(values: Values<'_>) -> [u8; 8] {
    ((values.len() * values.size()) as u64).to_le_bytes()
}

/// Lengths (number of blocks, length of a block, length of a shorter last one or zero, compressed lengths), blocks.
fn compressed(values: Values<'_>) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let count = BLOCK / values.size();
    let block = |index: usize| {
        let bytes = values.piece(index * count, count);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
        encoder.write_all(&bytes)?;
        encoder.finish()
    };
    let number = values.len().div_ceil(count);
    let blocks: io::Result<Vec<Vec<u8>>> = (0..number).into_par_iter().map(block).collect();
    let blocks = blocks?;
    let lengths: Vec<u64> = blocks.iter().map(|b| b.len() as u64).collect();
    let last = values.len() * values.size() % BLOCK;
    let start = [lengths.len() as u64, BLOCK as u64, last as u64];
    let header = start.into_iter().chain(lengths);
    Ok((header.flat_map(u64::to_le_bytes).collect(), blocks.concat()))
}

/// Base64 of a stream of bytes.
struct Base64<W> {
    out: W,
    /// Bytes that wait for a group of three.
    waiting: Vec<u8>,
    text: Vec<u8>,
}

impl<W: Write> Base64<W> {
    const DIGITS: &'static [u8; 64] =
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    fn new(out: W) -> Self {
        Base64 {
            out,
            waiting: Vec::new(),
            text: Vec::new(),
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        self.text.clear();
        let (groups, left) = self.waiting.as_chunks::<3>();
        for &[a, b, c] in groups {
            self.text.extend(Self::digits(a, b, c));
        }
        let left = left.to_vec();
        self.waiting.clear();
        self.waiting.extend(left);
        self.out.write_all(&self.text)
    }

    fn digits(a: u8, b: u8, c: u8) -> [u8; 4] {
        let bits = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        [18, 12, 6, 0].map(|shift| Self::DIGITS[(bits >> shift & 63) as usize])
    }

    fn finish(mut self) -> io::Result<()> {
        let last = match self.waiting[..] {
            [a] => Self::digits(a, 0, 0),
            [a, b] => Self::digits(a, b, 0),
            _ => return Ok(()),
        };
        let used = self.waiting.len() + 1;
        self.out.write_all(&last[..used])?;
        self.out.write_all(&b"=="[..4 - used])
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test that cannot go on should stop here
mod tests {
    use super::*;
    use pliant_linalg::vec3;
    use std::io::Read;

    fn points() -> Vec<Vec3> {
        (0..5).map(|i| vec3(f64::from(i), 0.1, -1e-30)).collect()
    }

    fn cells() -> Cells {
        let mut cells = Cells::default();
        cells.push_tetrahedron([0, 1, 2, 3]);
        cells.push_triangle([2, 3, 4]);
        cells
    }

    fn written(encoding: Encoding, compress: bool) -> Vec<u8> {
        let (points, cells) = (points(), cells());
        let names = name_list(["flesh", "bone"]);
        let grid = Vtu {
            points: &points,
            cells: &cells,
            point_data: &[Array {
                name: "a<b",
                components: 3,
                values: Values::F32(&[0.5; 15]),
            }],
            cell_data: &[Array {
                name: "region",
                components: 1,
                values: Values::Index(&[7, 8]),
            }],
            field_data: &[Array {
                name: "region_names",
                components: 1,
                values: Values::U8(&names),
            }],
        };
        let mut bytes = Vec::new();
        write_vtu(&mut bytes, &grid, VtuOptions { encoding, compress }).unwrap();
        bytes
    }

    #[test]
    fn text_holds_the_numbers() {
        let text = String::from_utf8(written(Encoding::Ascii, true)).unwrap();
        assert!(
            text.contains("NumberOfPoints=\"5\" NumberOfCells=\"2\""),
            "{text}"
        );
        assert!(text.contains("\n0\n1\n2\n3\n2\n3\n4\n"), "{text}");
        assert!(text.contains("\n4\n7\n</DataArray>") && text.contains("\n10\n5\n"));
        assert!(text.contains("4e0 1e-1 -1e-30\n"), "{text}");
        assert!(text.contains("Name=\"a&lt;b\" NumberOfComponents=\"3\""));
        assert!(!text.contains("compressor"));
    }

    /// The bytes of the array of that name, found by its offset after the mark.
    fn appended<'a>(bytes: &'a [u8], name: &str) -> &'a [u8] {
        let mark = b"encoding=\"raw\">\n_";
        let at = bytes.windows(mark.len()).position(|w| w == mark).unwrap();
        let markup = String::from_utf8_lossy(&bytes[..at]);
        let after = markup.split(&format!("Name=\"{name}\"")).nth(1).unwrap();
        let offset = after.split("offset=\"").nth(1).unwrap();
        let offset: usize = offset.split('"').next().unwrap().parse().unwrap();
        &bytes[at + mark.len() + offset..]
    }

    fn number(bytes: &[u8], index: usize) -> u64 {
        u64::from_le_bytes(bytes[8 * index..8 * index + 8].try_into().unwrap())
    }

    #[test]
    fn appended_arrays_are_where_the_markup_says() {
        let bytes = written(Encoding::Appended, false);
        let region = appended(&bytes, "region");
        assert_eq!(number(region, 0), 8);
        assert_eq!(region[8..16], [7, 0, 0, 0, 8, 0, 0, 0]);
        let points = appended(&bytes, "Points");
        assert_eq!(number(points, 0), 5 * 24);
        assert_eq!(f64::from_bits(number(points, 4)), 1.0);
        let names = appended(&bytes, "region_names");
        assert_eq!(names[8..19], *b"flesh\0bone\0");
    }

    #[test]
    fn blocks_inflate_to_the_numbers() {
        let bytes = written(Encoding::Appended, true);
        assert!(String::from_utf8_lossy(&bytes).contains("vtkZLibDataCompressor"));
        let points = appended(&bytes, "Points");
        assert_eq!([0, 1, 2].map(|i| number(points, i)), [1, BLOCK as u64, 120]);
        let mut raw = Vec::new();
        let stored = &points[32..32 + number(points, 3) as usize];
        flate2::read::ZlibDecoder::new(stored)
            .read_to_end(&mut raw)
            .unwrap();
        assert_eq!(raw.len(), 120);
        assert_eq!(f64::from_bits(number(&raw, 6)), 2.0);
    }

    #[test]
    fn long_arrays_take_several_blocks() {
        let list = vec![1.0; BLOCK / 8 * 2];
        let (header, _) = compressed(Values::F64(&list)).unwrap();
        assert_eq!([0, 2].map(|i| number(&header, i)), [2, 0]);
        let (header, _) = compressed(Values::F64(&list[1..])).unwrap();
        assert_eq!([0, 2].map(|i| number(&header, i)), [2, BLOCK as u64 - 8]);
    }

    #[test]
    fn base64_pads_and_carries() {
        let encoded = |pieces: &[&[u8]]| {
            let mut out = Vec::new();
            let mut text = Base64::new(&mut out);
            pieces.iter().for_each(|p| text.put(p).unwrap());
            text.finish().unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(encoded(&[b"Man"]), "TWFu");
        assert_eq!(encoded(&[b"M", b"a"]), "TWE=");
        assert_eq!(encoded(&[b"Many", b"", b" han"]), "TWFueSBoYW4=");
        assert_eq!(encoded(&[b"light w"]), "bGlnaHQgdw==");
        assert_eq!(encoded(&[]), "");
        let text = String::from_utf8(written(Encoding::Base64, false)).unwrap();
        // eight bytes, 7 and 8
        assert!(text.contains("\nCAAAAAAAAAAHAAAACAAAAA==\n"), "{text}");
    }

    #[test]
    fn arrays_of_the_wrong_length_are_refused() {
        let (points, cells) = (points(), cells());
        let mut grid = Vtu {
            points: &points,
            cells: &cells,
            point_data: &[],
            cell_data: &[Array {
                name: "short",
                components: 1,
                values: Values::U8(&[1]),
            }],
            field_data: &[],
        };
        let refused = write_vtu(Vec::new(), &grid, VtuOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("short"), "{refused}");
        grid.cell_data = &[];
        grid.points = &points[..4];
        assert!(write_vtu(Vec::new(), &grid, VtuOptions::default()).is_err());
    }
}
