//! Medit `.mesh`, text: keywords with a count and that many items, in any order, over any number of lines. Nodes count
//! from 1, the last number of an item is its reference, which makes regions. Names of regions stand in comment
//! lines at the top (`regions.rs`).

use super::error::ReadError;
use super::format::first_word;
use super::input::Input;
use super::kind::ElementKind;
use super::lines::{Lines, parse};
use super::raw::{Cells, RawMesh};
use super::regions::{self, Groups, Numbers};
use super::runs::Runs;
use super::write::WriteError;
use pliant_linalg::vec3;
use std::collections::BTreeMap;
use std::io::Write;

const FIRST_KEYWORD: &[u8] = b"MeshVersionFormatted";

/// Elements that are left out: keyword, nodes each, kind.
const OTHERS: [(&[u8], usize, ElementKind); 13] = [
    (b"Edges", 2, ElementKind::Line),
    (b"EdgesP2", 3, ElementKind::Line),
    (b"Quadrilaterals", 4, ElementKind::Polygon),
    (b"QuadrilateralsQ2", 9, ElementKind::Polygon),
    (b"TrianglesP2", 6, ElementKind::HigherTriangle),
    (b"TetrahedraP2", 10, ElementKind::HigherTetrahedron),
    (b"Hexahedra", 8, ElementKind::Hexahedron),
    (b"Hexaedra", 8, ElementKind::Hexahedron),
    (b"HexahedraQ2", 27, ElementKind::Hexahedron),
    (b"Prisms", 6, ElementKind::Prism),
    (b"Pentahedra", 6, ElementKind::Prism),
    (b"Pyramids", 5, ElementKind::Pyramid),
    (b"Penta", 6, ElementKind::Prism),
];

/// Whether a file begins like this; binary files count, to be refused with advice.
pub fn begins(head: &[u8]) -> bool {
    first_word(head, b'#').eq_ignore_ascii_case(FIRST_KEYWORD) || is_binary(head)
}

/// Binary files start with the number 1 and their version, 1 to 4.
fn is_binary(head: &[u8]) -> bool {
    match head.first_chunk::<8>() {
        Some([1, 0, 0, 0, version, 0, 0, 0]) | Some([0, 0, 0, 1, 0, 0, 0, version]) => {
            (1..=4).contains(version)
        }
        _ => false,
    }
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut head = [0; 8];
    if input.read_at(0, &mut head)? == head.len() && is_binary(&head) {
        let message = "this is a binary Medit file (.meshb), which is not read";
        return Err(ReadError::new(input.name(), message)
            .help("export it as text with the extension .mesh, or as Gmsh .msh"));
    }
    let mut names = leading_names(input)?;
    let mut reader = Reader {
        lines: Lines::new(input)?.ignoring_comments(b'#'),
        mesh: RawMesh::new(input.name()),
        dimension: None,
        has_nodes: false,
        tetrahedra: Groups::default(),
        triangles: Groups::default(),
    };
    reader.sections(&mut names)?;
    let Reader {
        mut mesh,
        tetrahedra,
        triangles,
        ..
    } = reader;
    mesh.resolve_ids()?;
    regions::assign(&mut mesh, &tetrahedra, &triangles, &names);
    Ok(mesh)
}

/// Names of regions from the comments before the first keyword.
fn leading_names(input: &Input) -> Result<BTreeMap<u64, String>, ReadError> {
    let mut names = BTreeMap::new();
    let mut lines = Lines::new(input)?;
    while lines.next_line()? {
        let Some(comment) = lines.text().strip_prefix(b"#") else {
            break;
        };
        if let Some((label, name)) = regions::parse_comment(comment)
            && let Ok(number) = label.parse::<i64>()
        {
            names.insert(number as u64, name);
        }
    }
    Ok(names)
}

struct Reader<'a> {
    lines: Lines<'a>,
    mesh: RawMesh,
    dimension: Option<usize>,
    has_nodes: bool,
    tetrahedra: Groups,
    triangles: Groups,
}

impl Reader<'_> {
    fn sections(&mut self, names: &mut BTreeMap<u64, String>) -> Result<(), ReadError> {
        if !self
            .lines
            .next_word()?
            .is_some_and(|w| w.eq_ignore_ascii_case(FIRST_KEYWORD))
        {
            return Err(self.lines.unexpected("MeshVersionFormatted").help(
                "this is not a Medit file, although it is called .mesh; export Medit or Gmsh .msh",
            ));
        }
        self.lines.section = "MeshVersionFormatted".to_string();
        let version: u32 = self.lines.next_number("the version of the format")?;
        if !(1..=4).contains(&version) {
            return Err(self.lines.unexpected("a version from 1 to 4"));
        }
        let mut next = self.lines.next_word()?.map(<[u8]>::to_vec);
        while let Some(keyword) = next {
            if keyword.eq_ignore_ascii_case(b"End") {
                return Ok(());
            }
            if !keyword[0].is_ascii_alphabetic() {
                return Err(self
                    .lines
                    .unexpected("a keyword such as Vertices or Tetrahedra"));
            }
            self.lines.section =
                String::from_utf8_lossy(&keyword[..keyword.len().min(40)]).into_owned();
            let is = |name: &str| keyword.eq_ignore_ascii_case(name.as_bytes());
            if is("Dimension") {
                self.dimension = match self.lines.next_number("the dimension, 2 or 3")? {
                    d @ 2..=3 => Some(d),
                    _ => return Err(self.lines.unexpected("the dimension, 2 or 3")),
                };
            } else if is("Vertices") {
                self.vertices()?;
            } else if is("Tetrahedra") {
                let mut cells = std::mem::take(&mut self.mesh.tetrahedra);
                let mut groups = std::mem::take(&mut self.tetrahedra);
                self.elements(&mut cells, &mut groups, names)?;
                (self.mesh.tetrahedra, self.tetrahedra) = (cells, groups);
            } else if is("Triangles") {
                let mut cells = std::mem::take(&mut self.mesh.triangles);
                let mut groups = std::mem::take(&mut self.triangles);
                self.elements(&mut cells, &mut groups, names)?;
                (self.mesh.triangles, self.triangles) = (cells, groups);
            } else if let Some(other) = OTHERS.iter().find(|o| o.0.eq_ignore_ascii_case(&keyword)) {
                self.skip_elements(other.1, other.2)?;
            } else {
                next = self.skip_section()?;
                continue;
            }
            next = self.lines.next_word()?.map(<[u8]>::to_vec);
        }
        Ok(())
    }

    fn count(&mut self) -> Result<usize, ReadError> {
        let count: u64 = self.lines.next_number("the number of items")?;
        let least = 2 * count.min(u64::MAX / 2);
        if least > self.lines.remaining() as u64 + 1 {
            let what = format!("the last of {count} items");
            return Err(self.lines.truncated(&what));
        }
        Ok(count as usize)
    }

    fn vertices(&mut self) -> Result<(), ReadError> {
        let Some(dimension) = self.dimension else {
            return Err(self.lines.error("expected Dimension before Vertices"));
        };
        if self.has_nodes {
            return Err(self.lines.error("expected only one section Vertices"));
        }
        self.has_nodes = true;
        let count = self.count()?;
        if count >= u32::MAX as usize {
            return Err(self
                .lines
                .error("there are too many nodes for 32-bit indices"));
        }
        self.mesh
            .positions
            .reserve(count.min(self.lines.remaining() / 6));
        for _ in 0..count {
            let x = self.lines.next_coordinate()?;
            let y = self.lines.next_coordinate()?;
            let z = if dimension == 3 {
                self.lines.next_coordinate()?
            } else {
                0.0
            };
            // some programs write the reference as a real number
            self.lines.next_number::<f64>("the reference of a node")?;
            self.mesh.positions.push(vec3(x, y, z));
        }
        self.mesh.node_ids = Runs::counting(1, count);
        Ok(())
    }

    fn elements<const N: usize>(
        &mut self,
        cells: &mut Cells<N>,
        groups: &mut Groups,
        names: &mut BTreeMap<u64, String>,
    ) -> Result<(), ReadError> {
        let count = self.count()?;
        cells
            .nodes
            .reserve(count.min(self.lines.remaining() / (2 * N)));
        for _ in 0..count {
            let mut nodes = [0; N];
            for node in &mut nodes {
                *node = self.lines.next_number("a node number")?;
            }
            let line = self.lines.line;
            cells.push(nodes, cells.len() as u64 + 1, line);
            let reference = self.lines.next_number("the reference of an element")?;
            groups.push(regions::signed_group(reference, names));
        }
        Ok(())
    }

    fn skip_elements(&mut self, nodes: usize, kind: ElementKind) -> Result<(), ReadError> {
        let count = self.count()?;
        if count == 0 {
            return Ok(());
        }
        let first_line = self.lines.line;
        for _ in 0..count {
            for _ in 0..=nodes {
                self.lines
                    .next_number::<i64>("a node number or a reference")?;
            }
        }
        let code = self.lines.section.clone();
        self.mesh.skip(kind, count, Some(first_line), &code);
        Ok(())
    }

    /// Passes over a section that says nothing about the mesh; returns the keyword after it, which is the next word
    /// that is no number.
    fn skip_section(&mut self) -> Result<Option<Vec<u8>>, ReadError> {
        while let Some(word) = self.lines.next_word()? {
            if word[0].is_ascii_alphabetic() && parse::<f64>(word).is_none() {
                return Ok(Some(word.to_vec()));
            }
        }
        Ok(None)
    }
}

/// Writes a mesh.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let numbers = Numbers::of(mesh);
    numbers.write_comments(mesh, "#", out)?;
    let plane = mesh.tetrahedra.is_empty() && mesh.positions.iter().all(|p| p.z.to_bits() == 0);
    writeln!(
        out,
        "MeshVersionFormatted 2\nDimension {}",
        if plane { 2 } else { 3 }
    )?;
    writeln!(out, "Vertices\n{}", mesh.positions.len())?;
    for p in &mesh.positions {
        if plane {
            writeln!(out, "{:?} {:?} 0", p.x, p.y)?;
        } else {
            writeln!(out, "{:?} {:?} {:?} 0", p.x, p.y, p.z)?;
        }
    }
    write_elements("Triangles", &mesh.triangles, &numbers.triangles, out)?;
    write_elements("Tetrahedra", &mesh.tetrahedra, &numbers.tetrahedra, out)?;
    writeln!(out, "End")?;
    Ok(())
}

fn write_elements<const N: usize>(
    keyword: &str,
    cells: &Cells<N>,
    numbers: &[u64],
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    if cells.is_empty() {
        return Ok(());
    }
    writeln!(out, "{keyword}\n{}", cells.len())?;
    for (nodes, &region) in cells.nodes.iter().zip(&cells.regions) {
        for node in nodes {
            write!(out, "{} ", node + 1)?;
        }
        writeln!(out, "{}", numbers[region as usize])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.mesh"))
    }

    const SMALL: &str = "# made by hand
#region5 \"no region\"
# region 7 \"rigid part\"
# region 9 \"nobody\"
 MeshVersionFormatted\t2 # a comment
Dimension
3 Vertices 5
0 0 0 1  1 0 0 1.5
0 1 0 0
0 0 1. 0 1e0 1 .1d1 0
Corners 2 1 2
AngleOfCornerBound 10.1
Geometry \"some file.mesh\"
Edges 1
1 2 3
Hexahedra 1 1 2 3 4 5 1 2 3 0
Triangles
2
1 2 3 7
2 3
4 -2
tetrahedra 2
1 2 3 4 0 2 3 4 5
7
RequiredVertices
0
End
anything";

    #[test]
    fn odd_but_valid() {
        let mesh = read_text(SMALL).unwrap();
        assert_eq!(mesh.positions.len(), 5);
        assert_eq!(mesh.positions[4], vec3(1.0, 1.0, 1.0));
        assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(
            mesh.tetrahedra.region_names,
            ["default", "rigid part", "nobody"]
        );
        assert_eq!(mesh.tetrahedra.regions, [0, 1]);
        assert_eq!(mesh.tetrahedra.lines.iter().collect::<Vec<_>>(), [23, 23]);
        assert_eq!(mesh.triangles.region_names, ["rigid part", "-2"]);
        assert_eq!(mesh.triangles.regions, [0, 1]);
        assert_eq!(mesh.skipped[&ElementKind::Line].count, 1);
        assert_eq!(mesh.skipped[&ElementKind::Hexahedron].line, Some(16));
    }

    #[test]
    fn plane_meshes_have_two_coordinates() {
        let text = "MeshVersionFormatted 1 Dimension 2 Vertices 3 0 0 0 1 0 0 0 1 0 Triangles 1 1 2 3 0 End";
        let mesh = read_text(text).unwrap();
        assert_eq!(mesh.positions[2], vec3(0.0, 1.0, 0.0));
        let mut again = Vec::new();
        write(&mesh, &mut again).unwrap();
        assert!(String::from_utf8(again).unwrap().contains("Dimension 2\n"));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "1 2 3 4 0",
                "1 2 3 6 0",
                "t.mesh, line 23: element 1 uses node 6, which the file does not define",
            ),
            ("1 2 3 4 0", "1 2 3 0 0", "uses node 0, which"),
            (
                "1 2 3 4 0",
                "1 2 x 4 0",
                "line 23, tetrahedra: expected a node number, found \"x\"",
            ),
            (
                "0 0 1. 0",
                "0 0 nan 0",
                "line 10, Vertices: expected a finite coordinate, found \"nan\"",
            ),
            (
                "Vertices 5",
                "Vertices 4",
                "expected a keyword such as Vertices or Tetrahedra, found \"1e0\"",
            ),
            (
                "Vertices 5",
                "Vertices 6",
                "expected a coordinate, found \"Corners\"",
            ),
            (
                "Vertices 5",
                "Vertices 99999999999999",
                "it ends where the last of 99999999999999 items was expected",
            ),
            (
                "Vertices 5",
                "Vertices -5",
                "expected the number of items, found \"-5\"",
            ),
            (
                "3 Vertices",
                "4 Vertices",
                "line 7, Dimension: expected the dimension, 2 or 3, found \"4\"",
            ),
            ("Dimension\n3", "", "expected Dimension before Vertices"),
            (
                "MeshVersionFormatted\t2",
                "MFEM",
                "expected MeshVersionFormatted, found \"MFEM\"",
            ),
            ("\t2", "\t7", "a version from 1 to 4"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let found = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
        let twice = format!("{}\nVertices 0", SMALL.split("\nEnd").next().unwrap());
        assert!(
            read_text(&twice)
                .unwrap_err()
                .message
                .contains("only one section")
        );
        let binary = read(&Input::from_bytes(
            b"\x01\0\0\0\x02\0\0\0\x03\0\0\0",
            "t.meshb",
        ))
        .unwrap_err();
        assert!(binary.help.unwrap().contains(".mesh"));
        assert!(begins(b"\0\0\0\x01\0\0\0\x03") && begins(SMALL.as_bytes()));
    }
}
