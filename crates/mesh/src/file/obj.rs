//! Wavefront OBJ: vertices and faces. Groups (`g`) make regions, or objects (`o`) where there are no groups; polygons
//! become fans of triangles; texture, normals, materials and curves are passed over.
//!
//! By hand, not with the crate `tobj`: its errors tell no line, and it drops vertices that no face uses.

use super::error::{ReadError, excerpt};
use super::format::first_word;
use super::input::Input;
use super::kind::ElementKind;
use super::lines::{Lines, parse};
use super::raw::RawMesh;
use super::regions::{self, Groups, LabelledGroups};
use super::runs::Runs;
use super::skin::{push_polygon, triangles};
use super::write::WriteError;
use crate::mesh::DEFAULT_REGION;
use pliant_linalg::vec3;
use std::io::Write;

/// Statements that say nothing about the shape of a polygon mesh.
const PASSED_OVER: [&[u8]; 34] = [
    b"vt",
    b"vn",
    b"vp",
    b"s",
    b"mg",
    b"mtllib",
    b"usemtl",
    b"usemap",
    b"maplib",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"deg",
    b"bmat",
    b"step",
    b"cstype",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"call",
    b"csh",
    b"cap",
];

/// Whether a file begins like this for certain; most are known by their extension.
pub fn begins(head: &[u8]) -> bool {
    matches!(first_word(head, b'#'), b"mtllib" | b"usemtl")
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?;
    let mut mesh = RawMesh::new(input.name());
    let mut labels = LabelledGroups::default();
    let (mut group, mut object) = (0, 0);
    let (mut groups, mut objects) = (Groups::default(), Groups::default());
    let mut has_groups = false;
    let mut corners = Vec::new();
    while lines.next_line()? {
        if let Some(comment) = lines.text().strip_prefix(b"#") {
            labels.comment(comment);
            continue;
        }
        lines.split();
        let word = lines.word(0).unwrap_or_default();
        match word {
            b"v" => {
                // weights and colours may follow
                let position = vec3(
                    lines.coordinate(1)?,
                    lines.coordinate(2)?,
                    lines.coordinate(3)?,
                );
                mesh.positions.push(position);
                if mesh.positions.len() >= u32::MAX as usize {
                    return Err(lines.error("there are too many vertices for 32-bit indices"));
                }
            }
            b"f" => {
                let line = lines.line;
                face(&mut lines, mesh.positions.len(), &mut corners)?;
                if corners.len() < 3 {
                    mesh.skip(ElementKind::Line, 1, Some(line), "f");
                    continue;
                }
                push_polygon(&mut mesh.triangles, &corners, line);
                for _ in 2..corners.len() {
                    groups.push(group);
                    objects.push(object);
                }
            }
            b"g" | b"o" => {
                let name = String::from_utf8_lossy(lines.text()[1..].trim_ascii()).into_owned();
                let number = if name.is_empty() {
                    0
                } else {
                    labels.group(&name)
                };
                match word {
                    b"g" => (group, has_groups) = (number, true),
                    _ => object = number,
                }
            }
            b"l" => mesh.skip(ElementKind::Line, 1, Some(lines.line), "l"),
            b"p" => mesh.skip(ElementKind::Point, 1, Some(lines.line), "p"),
            // ZBrush ends its files with a zero
            b"\0" => {}
            word if PASSED_OVER.contains(&word) => {}
            _ => {
                let error = lines.unexpected("a statement of OBJ, such as v or f");
                return Err(error.help("export the surface again as OBJ, PLY or STL"));
            }
        }
    }
    mesh.node_ids = Runs::counting(1, mesh.positions.len());
    mesh.resolve_ids()?;
    let chosen = if has_groups { groups } else { objects };
    let mut names = std::mem::take(&mut labels.names);
    // a group that bears no face is none
    let used = chosen.distinct();
    names.retain(|g, _| used.contains(g));
    regions::assign(&mut mesh, &Groups::default(), &chosen, &names);
    Ok(mesh)
}

/// The vertices of a face, counted from 1; negative numbers count back from the last vertex so far.
fn face(lines: &mut Lines, vertex_count: usize, corners: &mut Vec<u32>) -> Result<(), ReadError> {
    corners.clear();
    let mut first = 1;
    loop {
        let mut goes_on = false;
        for k in first..lines.word_count() {
            let mut word = lines.word(k).unwrap_or_default();
            if word.starts_with(b"#") {
                break;
            }
            if k + 1 == lines.word_count()
                && let Some(before) = word.strip_suffix(b"\\")
            {
                goes_on = true;
                word = before;
                if word.is_empty() {
                    break;
                }
            }
            let number = word.split(|&b| b == b'/').next().unwrap_or_default();
            let vertex = match parse::<i64>(number) {
                Some(v @ 1..) => u32::try_from(v).ok(),
                Some(v @ ..=-1) => usize::try_from(v.unsigned_abs())
                    .ok()
                    .and_then(|back| (vertex_count + 1).checked_sub(back))
                    .filter(|&v| v > 0)
                    .map(|v| v as u32),
                _ => None,
            };
            match vertex {
                Some(vertex) => corners.push(vertex),
                None => return Err(lines.expected("a vertex number", excerpt(word))),
            }
        }
        if !goes_on {
            return Ok(());
        }
        // a blank line ends the face
        if !lines.any_line()? {
            return Err(lines.truncated("the rest of a face"));
        }
        lines.split();
        first = 0;
    }
}

/// Writes the triangles, or the boundary of the tetrahedra, with a group for each region.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let cells = triangles(mesh, "OBJ")?;
    let is_plain = |name: &str| {
        !name.is_empty()
            && name.trim() == name
            && !name.contains(|c: char| c.is_control() || c == '#' || c == '\\')
    };
    let labels = regions::labels(&cells.region_names, "region", is_plain);
    let single = cells.region_names == [DEFAULT_REGION];
    for (label, name) in labels.iter().zip(&cells.region_names) {
        if label != name {
            writeln!(out, "{}", regions::comment("#", label, name))?;
        }
    }
    for p in &mesh.positions {
        writeln!(out, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    let mut previous = None;
    for (nodes, &region) in cells.nodes.iter().zip(&cells.regions) {
        if previous != Some(region) && !single {
            previous = Some(region);
            writeln!(out, "g {}", labels[region as usize])?;
        }
        let [a, b, c] = nodes.map(|n| n + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.obj"))
    }

    const SMALL: &str = "# region g1 \"zwei Wörter\"\nmtllib a.mtl\no Box 7\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5
v 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1\ng g1\ns off\nusemtl x\nv 0 0 1\nv 2 2 2\nf -1 -2 \\\n1 2\nl 1 2\np 1\n";

    #[test]
    fn groups_polygons_and_negative_numbers() {
        let mesh = read_text(SMALL).unwrap();
        assert_eq!(mesh.positions.len(), 5);
        assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [4, 3, 0], [4, 0, 1]]);
        assert_eq!(mesh.triangles.region_names, ["default", "zwei Wörter"]);
        assert_eq!(mesh.triangles.regions, [0, 1, 1]);
        assert_eq!(mesh.triangles.line(1), Some(15));
        let objects = read_text(&SMALL.replace("g g1\n", "")).unwrap();
        assert_eq!(objects.triangles.region_names, ["Box 7"]);
    }

    #[test]
    fn faces_may_end_in_comments_and_go_on() {
        let points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
        for faces in [
            "f 1 2/1\\\n3 4 # a square",
            "f 1 2 \\\n3 4 #",
            "f 1 2 3 4 # 5 6",
            "f 1 2 3 4\\\n\nl 1 2",
        ] {
            let mesh = read_text(&format!("{points}{faces}\n")).unwrap();
            assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [0, 2, 3]], "{faces}");
        }
    }

    #[test]
    fn groups_are_written() {
        let mesh = read_text(SMALL).unwrap();
        let mut text = Vec::new();
        write(&mesh, &mut text).unwrap();
        let again = read(&Input::from_bytes(&text, "again")).unwrap();
        assert_eq!(again.positions, mesh.positions);
        assert_eq!(again.triangles.nodes, mesh.triangles.nodes);
        assert_eq!(again.triangles.region_names, mesh.triangles.region_names);
        assert_eq!(again.triangles.regions, mesh.triangles.regions);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "v 0 1 0\n",
                "v 0 y 0\n",
                "t.obj, line 6: expected a coordinate, found \"y\"",
            ),
            (
                "v 0 1 0\n",
                "v 0 1\n",
                "expected a coordinate, found the end of the line",
            ),
            (
                "f 1/1/1",
                "f 0/1/1",
                "line 9: expected a vertex number, found \"0/1/1\"",
            ),
            ("f 1/1/1", "f 9/1/1", "line 9: element 1 uses node 9"),
            ("f 1/1/1", "f -9", "expected a vertex number, found \"-9\""),
            (
                "s off",
                "soff",
                "line 11: expected a statement of OBJ, such as v or f, found \"soff\"",
            ),
            ("1 2\nl 1 2\np 1\n", "", "ends where the rest of a face"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let found = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
    }
}
