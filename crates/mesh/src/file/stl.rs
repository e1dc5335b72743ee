//! STL, text and binary. Vertices with the same bits become one; solids make regions; normals are passed over.
//!
//! By hand, not with the crate `stl_io`: it rounds text to single precision, tells no line, and refuses a nameless
//! solid.

use super::error::{Place, ReadError};
use super::input::Input;
use super::lines::Lines;
use super::raw::RawMesh;
use super::regions::{self, Groups, LabelledGroups};
use super::runs::Runs;
use super::skin::{push_polygon, triangles};
use super::write::WriteError;
use pliant_linalg::{Vec3, vec3};
use std::collections::HashMap;
use std::io::Write;

/// Bytes before the triangles of a binary file: a comment of 80 and the count.
const HEADER: u64 = 84;
/// Normal, three vertices, and two bytes that mean nothing.
const RECORD: u64 = 50;

/// Whether a file begins like a text file; binary files are known by their extension.
pub fn begins(head: &[u8]) -> bool {
    let head = head.to_ascii_lowercase();
    let second_line = head.split(|&b| b == b'\n').nth(1).unwrap_or_default();
    head.trim_ascii_start().starts_with(b"solid")
        && [&b"facet"[..], b"endsolid"]
            .iter()
            .any(|w| second_line.trim_ascii().starts_with(w))
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut head = [0; HEADER as usize];
    let length = input.read_at(0, &mut head)?;
    let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]);
    // binary files may begin with "solid" too: their length gives them away
    let fits = input.length() == HEADER + RECORD * u64::from(count);
    let head = &head[..length];
    let is_text = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start()
        .get(..5)
        .is_some_and(|w| w.eq_ignore_ascii_case(b"solid"));
    if length == HEADER as usize && (fits || !is_text) {
        read_binary(input, count)
    } else {
        read_text(input)
    }
}

/// Makes vertices with the same coordinates one.
#[derive(Default)]
struct Weld {
    seen: HashMap<[u64; 3], u32>,
}

impl Weld {
    fn vertex(&mut self, mesh: &mut RawMesh, position: Vec3) -> u32 {
        // adding 0 makes −0 and 0 the same
        let key = position.to_array().map(|c| (c + 0.0).to_bits());
        *self.seen.entry(key).or_insert_with(|| {
            mesh.positions.push(position);
            mesh.positions.len() as u32 - 1
        })
    }
}

fn read_binary(input: &Input, count: u32) -> Result<RawMesh, ReadError> {
    let mut mesh = RawMesh::new(input.name());
    if count == 0 && input.length() > HEADER {
        let place = Place::Byte {
            offset: 80,
            section: "header".to_string(),
        };
        let message = "expected the number of triangles, found 0 although the file goes on";
        return Err(ReadError::new(input.name(), message)
            .at(place)
            .help("export the file again"));
    }
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let convert = |_, record: &[u8]| {
        let mut vertices = [0.0_f32; 9];
        for (value, bytes) in vertices.iter_mut().zip(record[12..].chunks_exact(4)) {
            *value = number(bytes);
        }
        vertices.iter().all(|v| v.is_finite()).then_some(vertices)
    };
    let records = input.records(
        "triangles",
        HEADER,
        count as usize,
        RECORD as usize,
        [0.0; 9],
        convert,
    )?;
    let records = records.map_err(|index| {
        let offset = HEADER + RECORD * index as u64;
        let message = format!(
            "expected finite coordinates in triangle {} of {count}",
            index + 1
        );
        ReadError::new(input.name(), message)
            .at(Place::Byte {
                offset,
                section: "triangles".to_string(),
            })
            .help("export the file again")
    })?;
    let mut weld = Weld::default();
    for record in &records {
        let corner = |k: usize| vec3(record[k].into(), record[k + 1].into(), record[k + 2].into());
        let nodes = [0, 3, 6].map(|k| weld.vertex(&mut mesh, corner(k)));
        mesh.triangles.nodes.push(nodes);
    }
    mesh.triangles.ids = Runs::counting(1, records.len());
    mesh.node_ids = Runs::counting(1, mesh.positions.len());
    mesh.triangles.single_region();
    Ok(mesh)
}

fn read_text(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?;
    let mut mesh = RawMesh::new(input.name());
    let mut weld = Weld::default();
    let mut labels = LabelledGroups::default();
    let mut groups = Groups::default();
    let mut corners = Vec::new();
    let is = |lines: &Lines, index: usize, word: &str| {
        lines
            .word(index)
            .is_some_and(|w| w.eq_ignore_ascii_case(word.as_bytes()))
    };
    while lines.next_line()? {
        lines.split();
        lines.section = "solid".to_string();
        if !is(&lines, 0, "solid") {
            return Err(lines
                .unexpected("solid")
                .help("export the surface again as STL, OBJ or PLY"));
        }
        let name = String::from_utf8_lossy(lines.text()[5..].trim_ascii()).into_owned();
        let group = if name.is_empty() {
            0
        } else {
            labels.group(&name)
        };
        loop {
            lines.split_line(|| "facet or endsolid".to_string())?;
            if is(&lines, 0, "endsolid") {
                break;
            }
            if !is(&lines, 0, "facet") {
                return Err(lines.unexpected("facet or endsolid"));
            }
            lines.split_line(|| "outer loop".to_string())?;
            if !(is(&lines, 0, "outer") && is(&lines, 1, "loop")) {
                return Err(lines.unexpected("outer loop"));
            }
            corners.clear();
            let line = lines.line;
            loop {
                lines.split_line(|| "vertex or endloop".to_string())?;
                if is(&lines, 0, "endloop") {
                    break;
                }
                if !is(&lines, 0, "vertex") {
                    return Err(lines.unexpected("vertex or endloop"));
                }
                let position = vec3(
                    lines.coordinate(1)?,
                    lines.coordinate(2)?,
                    lines.coordinate(3)?,
                );
                corners.push(weld.vertex(&mut mesh, position));
            }
            if corners.len() < 3 {
                return Err(lines.expected("at least 3 vertices", corners.len().to_string()));
            }
            push_polygon(&mut mesh.triangles, &corners, line);
            (2..corners.len()).for_each(|_| groups.push(group));
            lines.split_line(|| "endfacet".to_string())?;
            if !is(&lines, 0, "endfacet") {
                return Err(lines.unexpected("endfacet"));
            }
        }
    }
    mesh.node_ids = Runs::counting(1, mesh.positions.len());
    regions::assign(&mut mesh, &Groups::default(), &groups, &labels.names);
    Ok(mesh)
}

/// Writes the triangles, or the boundary of the tetrahedra, as a binary file: in single precision, without regions.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let cells = triangles(mesh, "STL")?;
    let Ok(count) = u32::try_from(cells.len()) else {
        return Err(WriteError::CannotHold {
            format: "STL",
            what: "more than 4294967295 triangles",
            instead: "write PLY",
        });
    };
    out.write_all(&[b' '; 80])?;
    out.write_all(&count.to_le_bytes())?;
    for nodes in &cells.nodes {
        let [a, b, c] = nodes.map(|n| mesh.positions[n as usize]);
        let normal = (b - a).cross(c - a).normalized().unwrap_or(Vec3::ZERO);
        for vector in [normal, a, b, c] {
            for value in vector.to_array() {
                out.write_all(&(value as f32).to_le_bytes())?;
            }
        }
        out.write_all(&[0; 2])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_bytes(bytes: &[u8]) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(bytes, "t.stl"))
    }

    const SMALL: &str =
        "solid erster Teil\n facet normal nan 0 1\n  outer loop\n   vertex 0 0 0.1\n   vertex 1 0 0
   vertex 0 1 0\n  endloop\n endfacet\nendsolid erster Teil\n\nSOLID\nfacet normal 0 0 1\nouter loop
vertex 1 0 0\nvertex -0 0 0.1\nvertex 2 2 2\nvertex 3 3 4\nendloop\nendfacet\nendsolid\n";

    #[test]
    fn text_with_two_solids() {
        let mesh = read_bytes(SMALL.as_bytes()).unwrap();
        assert_eq!(mesh.positions.len(), 5);
        // text keeps its double precision
        assert_eq!(mesh.positions[0].z, 0.1);
        assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [1, 0, 3], [1, 3, 4]]);
        assert_eq!(mesh.triangles.region_names, ["default", "erster Teil"]);
        assert_eq!(mesh.triangles.regions, [1, 0, 0]);
        assert!(begins(SMALL.as_bytes()) && !begins(b"solid as a rock"));
        let marked = read_bytes(format!("\u{feff}{SMALL}").as_bytes()).unwrap();
        assert_eq!(marked.triangles.nodes, mesh.triangles.nodes);
    }

    #[test]
    fn binary_even_if_it_begins_like_text() {
        let mesh = read_bytes(SMALL.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        write(&mesh, &mut bytes).unwrap();
        bytes[..5].copy_from_slice(b"solid");
        let again = read_bytes(&bytes).unwrap();
        assert_eq!(again.triangles.nodes, mesh.triangles.nodes);
        assert_eq!(again.positions[4], mesh.positions[4]);
        assert!(read_bytes(&bytes[..bytes.len() - 1]).is_err());
        let mut short = bytes.clone();
        short[0] = b'x';
        short[80] = 4;
        assert!(
            read_bytes(&short)
                .unwrap_err()
                .message
                .contains("incomplete")
        );
        short[80] = 0;
        assert!(
            read_bytes(&short)
                .unwrap_err()
                .to_string()
                .contains("found 0 although")
        );
        bytes[HEADER as usize + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        let error = read_bytes(&bytes).unwrap_err().to_string();
        assert_eq!(
            error,
            "t.stl, byte 84, triangles: expected finite coordinates in triangle 1 of 3"
        );
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "vertex 0 1 0",
                "vertex 0 one 0",
                "t.stl, line 6, solid: expected a coordinate, found \"one\"",
            ),
            (
                "   vertex 0 1 0\n",
                "",
                "expected at least 3 vertices, found 2",
            ),
            (
                " endfacet\n",
                "",
                "line 8, solid: expected endfacet, found \"endsolid erster Teil\"",
            ),
            ("outer loop", "outer", "expected outer loop"),
            ("SOLID", "rubbish", "expected solid, found \"rubbish\""),
            (
                "endfacet\nendsolid\n",
                "endfacet\n",
                "ends where facet or endsolid was expected",
            ),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let text = match SMALL.matches(from).count() {
                1 => SMALL.replace(from, to),
                _ => SMALL.replacen(from, to, 1),
            };
            let found = read_bytes(text.as_bytes()).unwrap_err().to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
        assert!(read_bytes(b"so").is_err());
    }
}
