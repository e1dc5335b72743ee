//! OFF: vertices and polygons, the latter as fans of triangles. Colours, normals and texture (COFF, NOFF, STOFF and
//! their mixtures) are passed over; there are no regions.

use super::error::{ReadError, excerpt};
use super::format::first_word;
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
    is_header(first_word(head, b'#'))
}

fn is_header(word: &[u8]) -> bool {
    word.strip_suffix(b"OFF")
        .is_some_and(|kind| kind.len() <= 5 && kind.iter().all(|b| b"STCN4n".contains(b)))
}

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?.ignoring_comments(b'#');
    let mut mesh = RawMesh::new(input.name());
    lines.section = "header".to_string();
    lines.split_line(|| "OFF".to_string())?;
    let mut first = 0;
    // the word OFF may be missing, and the counts may follow it on the same line
    let word = lines.word(0).unwrap_or_default();
    if is_header(word) {
        if word.contains(&b'4') || word.contains(&b'n') {
            let error = lines.unexpected("vertices in 3 dimensions");
            return Err(error.help("export the surface in 3 dimensions"));
        }
        if lines
            .word(1)
            .is_some_and(|w| w.eq_ignore_ascii_case(b"BINARY"))
        {
            let message = "binary OFF files are not read";
            return Err(lines
                .error(message)
                .help("export it as text, or as PLY or STL"));
        }
        first = 1;
        if lines.word_count() == 1 {
            lines.split_line(|| "the numbers of vertices and faces".to_string())?;
            first = 0;
        }
    }
    let vertex_count: usize = lines.number(first, "the number of vertices")?;
    let face_count: usize = lines.number(first + 1, "the number of faces")?;
    if vertex_count >= u32::MAX as usize {
        return Err(lines.error("there are too many vertices for 32-bit indices"));
    }
    lines.section = "vertices".to_string();
    mesh.positions
        .reserve(vertex_count.min(lines.remaining() / 6));
    for i in 0..vertex_count {
        lines.split_line(|| format!("vertex {} of {vertex_count}", i + 1))?;
        mesh.positions.push(vec3(
            lines.coordinate(0)?,
            lines.coordinate(1)?,
            lines.coordinate(2)?,
        ));
    }
    mesh.node_ids = Runs::counting(0, vertex_count);
    lines.section = "faces".to_string();
    mesh.triangles
        .nodes
        .reserve(face_count.min(lines.remaining() / 8));
    let mut corners = Vec::new();
    for i in 0..face_count {
        lines.split_line(|| format!("face {} of {face_count}", i + 1))?;
        let count: usize = lines.number(0, "the number of corners")?;
        if count >= lines.word_count() {
            let found = format!("{} values", lines.word_count() - 1);
            return Err(lines.expected(&format!("{count} corners"), found));
        }
        corners.clear();
        for k in 1..=count {
            let corner: u32 = lines.number(k, "the index of a vertex")?;
            if corner as usize >= vertex_count {
                let expected = format!("the index of a vertex, below {vertex_count}");
                return Err(lines.expected(&expected, excerpt(lines.word(k).unwrap_or_default())));
            }
            corners.push(corner);
        }
        if count < 3 {
            mesh.skip(ElementKind::Line, 1, Some(lines.line), "face");
        }
        push_polygon(&mut mesh.triangles, &corners, lines.line);
    }
    mesh.triangles.single_region();
    Ok(mesh)
}

/// Writes the triangles, or the boundary of the tetrahedra; regions are lost.
pub fn write(mesh: &RawMesh, out: &mut dyn Write) -> Result<(), WriteError> {
    let cells = triangles(mesh, "OFF")?;
    writeln!(out, "OFF\n{} {} 0", mesh.positions.len(), cells.len())?;
    for p in &mesh.positions {
        writeln!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    for [a, b, c] in &cells.nodes {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.off"))
    }

    const SMALL: &str = "# c\nCOFF 4 3 0\n0 0 0 255 0 0 255\n1 0 0\n\n0 1 0 1 1 1\n0 0 1\n3 0 1 2\n4 0 1 2 3 255 0 0\n2 0 1\n";

    #[test]
    fn headers_colours_and_polygons() {
        for header in [
            "COFF 4 3 0",
            "OFF\n4 3 0",
            "4 3",
            "NOFF\n# c\n\n4 3 5",
            "STCNOFF 4 3 0",
        ] {
            let mesh = read_text(&SMALL.replace("COFF 4 3 0", header)).unwrap();
            assert_eq!(mesh.positions[2], vec3(0.0, 1.0, 0.0));
            assert_eq!(mesh.triangles.nodes, [[0, 1, 2], [0, 1, 2], [0, 2, 3]]);
            assert_eq!(mesh.skipped[&ElementKind::Line].count, 1);
        }
        let mut text = Vec::new();
        let mesh = read_text(SMALL).unwrap();
        write(&mesh, &mut text).unwrap();
        let again = read(&Input::from_bytes(&text, "t")).unwrap();
        assert_eq!(
            (again.positions, again.triangles.nodes),
            (mesh.positions, mesh.triangles.nodes)
        );
        assert!(begins(b"# c\nOFF\n") && begins(b"NOFF 1 2 3") && !begins(b"ON/OFF"));
    }

    #[test]
    fn errors_say_where_and_what() {
        for (from, to, wanted) in [
            (
                "1 0 0\n",
                "1 0\n",
                "t.off, line 4, vertices: expected a coordinate, found the end of the line",
            ),
            (
                "3 0 1 2",
                "3 0 1 4",
                "line 8, faces: expected the index of a vertex, below 4, found \"4\"",
            ),
            ("3 0 1 2", "3 0 1", "expected 3 corners, found 2 values"),
            (
                "3 0 1 2",
                "99999999999999 0 1",
                "expected 99999999999999 corners, found 2 values",
            ),
            (
                "COFF 4 3 0",
                "COFF 4 4 0",
                "ends where face 4 of 4 was expected",
            ),
            (
                "COFF 4 3 0",
                "OFF 4",
                "expected the number of faces, found the end of the line",
            ),
            ("COFF 4 3 0", "OFF BINARY", "binary OFF files are not read"),
            (
                "COFF 4 3 0",
                "4OFF 4 3 0",
                "expected vertices in 3 dimensions",
            ),
            ("COFF 4 3 0", "OFF 4294967295 3 0", "too many vertices"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let found = read_text(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
    }
}
