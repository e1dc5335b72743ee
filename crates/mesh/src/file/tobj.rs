//! `.tobj`: lines `v x y z` and `t a b c d`, nodes counted from 0. Read only: there are no regions.

use super::error::ReadError;
use super::input::Input;
use super::lines::Lines;
use super::raw::RawMesh;
use super::runs::Runs;
use pliant_linalg::vec3;

/// Reads a file.
pub fn read(input: &Input) -> Result<RawMesh, ReadError> {
    let mut lines = Lines::new(input)?.ignoring_comments(b'#');
    let mut mesh = RawMesh::new(input.name());
    while lines.next_line()? {
        lines.split();
        match (lines.word(0), lines.word_count()) {
            (Some(b"v"), 4) => {
                let position = vec3(
                    lines.coordinate(1)?,
                    lines.coordinate(2)?,
                    lines.coordinate(3)?,
                );
                mesh.positions.push(position);
            }
            (Some(b"t"), 5) => {
                let mut nodes = [0; 4];
                for (k, node) in nodes.iter_mut().enumerate() {
                    *node = lines.number(1 + k, "a node number")?;
                }
                mesh.tetrahedra
                    .push(nodes, mesh.tetrahedra.len() as u64, lines.line);
            }
            _ => {
                let error = lines.unexpected("`v x y z` or `t a b c d`");
                return Err(error.help("export the tetrahedra as Gmsh .msh, VTK or VTU"));
            }
        }
    }
    if mesh.positions.len() >= u32::MAX as usize {
        return Err(lines.error("there are too many nodes for 32-bit indices"));
    }
    mesh.node_ids = Runs::counting(0, mesh.positions.len());
    mesh.resolve_ids()?;
    mesh.tetrahedra.single_region();
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<RawMesh, ReadError> {
        read(&Input::from_bytes(text.as_bytes(), "t.tobj"))
    }

    #[test]
    fn nodes_count_from_zero() {
        let text = "# c\nt 0 1 2 3\nv 0 0 0\nv 1 0 0\r\nv 0 1 0 # d\nv 0 0 1\n\n";
        let mesh = read_text(text).unwrap();
        assert_eq!(mesh.tetrahedra.nodes, [[0, 1, 2, 3]]);
        assert_eq!(mesh.tetrahedra.region_names, ["default"]);
        for (from, to, wanted) in [
            ("t 0 1 2 3", "t 0 1 2 4", "line 2: element 0 uses node 4"),
            (
                "t 0 1 2 3",
                "t 0 1 2",
                "line 2: expected `v x y z` or `t a b c d`, found \"t 0 1 2\"",
            ),
            (
                "v 1 0 0",
                "v 1 0 x",
                "line 4: expected a coordinate, found \"x\"",
            ),
            ("v 1 0 0", "f 1 0 0", "expected `v x y z`"),
        ] {
            let found = read_text(&text.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(found.contains(wanted), "{to:?} gave {found}");
        }
    }
}
