//! Ten-node tetrahedra of files: the eight linear ones that each becomes, and back.

use super::error::ReadError;
use super::raw::{Cells, RawMesh};
use crate::octet::{parts_of, ten_nodes_of};

/// Places of the same nodes after corners 2 and 3 have changed places.
const TURNED: [usize; 10] = [0, 1, 3, 2, 4, 8, 7, 6, 5, 9];

impl RawMesh {
    /// Turns ten-node tetrahedra into octets, the right side out; they keep their ids, eight times each.
    pub(super) fn split_ten_nodes(&mut self) -> Result<(), ReadError> {
        if self.ten_nodes.is_empty() {
            return Ok(());
        }
        if !self.tetrahedra.is_empty() {
            let message = format!(
                "the file mixes {} tetrahedra of four nodes with {} of ten",
                self.tetrahedra.len(),
                self.ten_nodes.len()
            );
            return Err(
                ReadError::new(&self.name, message).help("export all elements with the same order")
            );
        }
        let ten = std::mem::take(&mut self.ten_nodes);
        let volume = |nodes: &[u32; 10]| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.positions[nodes[k] as usize]);
            (b - a).dot((c - a).cross(d - a))
        };
        let upright = ten.nodes.iter().map(|nodes| match volume(nodes) < 0.0 {
            true => TURNED.map(|k| nodes[k]),
            false => *nodes,
        });
        let cells = &mut self.tetrahedra;
        cells.nodes = parts_of(upright);
        cells.regions = ten.regions.iter().flat_map(|&r| [r; 8]).collect();
        cells.region_names = ten.region_names;
        for id in ten.ids.iter() {
            (0..8).for_each(|_| cells.ids.push(id));
        }
        for line in ten.lines.iter() {
            (0..8).for_each(|_| cells.lines.push(line));
        }
        self.octets = true;
        Ok(())
    }

    /// The ten-node tetrahedra that octets are; none of other meshes.
    pub(super) fn joined_ten_nodes(&self) -> Option<Cells<10>> {
        let cells = &self.tetrahedra;
        let (octets, _) = cells.nodes.as_chunks::<8>();
        if !self.octets || octets.is_empty() {
            return None;
        }
        let nodes = octets.iter().map(ten_nodes_of).collect::<Option<_>>()?;
        let regions = cells.regions.iter().step_by(8).copied().collect();
        Some(Cells::counted(nodes, regions, cells.region_names.clone()))
    }
}

#[cfg(test)]
mod tests {
    use crate::file::{Format, Input, RawMesh, read_bytes};
    use crate::{Elements, Mesh, generate};
    use pliant_linalg::vec3;

    fn bar() -> Mesh {
        let bar = generate::bar(vec3(0.4, 0.3, 0.2), [3, 2, 2], generate::Split::Five).unwrap();
        let mut mesh = bar.with_octets().unwrap();
        mesh.region_names.push("end".to_string());
        mesh.regions[..80].fill(1);
        mesh
    }

    fn written(format: Format) -> Vec<u8> {
        let mut bytes = Vec::new();
        format.write(&RawMesh::from(bar()), &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn ten_nodes_survive_writing_and_reading() {
        let mesh = bar();
        let formats = [
            Format::Gmsh41,
            Format::Gmsh41Binary,
            Format::Gmsh22,
            Format::Gmsh22Binary,
            Format::Vtu,
            Format::VtuCompressed,
            Format::VtuText,
            Format::Abaqus,
        ];
        for format in formats {
            let bytes = written(format);
            let raw = format.read(&Input::from_bytes(&bytes, "ten")).unwrap();
            let (again, notices) = raw.into_mesh().unwrap();
            assert_eq!(again.elements, mesh.elements, "{format:?}");
            assert!(again.octets && notices.skipped.is_empty(), "{format:?}");
            assert_eq!(again.positions, mesh.positions, "{format:?}");
            for e in [0, 79, 80, mesh.element_count() - 1] {
                assert_eq!(again.region_of(e), mesh.region_of(e), "{format:?}");
            }
        }
    }

    /// One element as Gmsh writes it: its last two nodes are in another order than in VTK.
    #[test]
    fn nodes_of_gmsh_and_abaqus_are_where_they_belong() {
        let corners = ["0 0 0", "2 0 0", "0 2 0", "0 0 2"];
        let gmsh = ["1 0 0", "1 1 0", "0 1 0", "0 0 1", "0 1 1", "1 0 1"];
        let abaqus = ["1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "0 1 1"];
        let list = |middles: [&str; 6], separator: &str| -> String {
            let all = corners.into_iter().chain(middles).zip(1..);
            all.map(|(p, id)| format!("{id}{separator}{}\n", p.replace(' ', separator)))
                .collect()
        };
        let texts = [
            format!(
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n{}$EndNodes\n$Elements\n1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
                list(gmsh, " ")
            ),
            format!(
                "*NODE\n{}*ELEMENT, TYPE=C3D10\n1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n",
                list(abaqus, ", ")
            ),
            // corners 2 and 3 the other way round: turned the right side out
            format!(
                "*NODE\n{}*ELEMENT, TYPE=C3D10\n1, 1, 2, 4, 3, 5, 9, 8, 7, 6, 10\n",
                list(abaqus, ", ")
            ),
        ];
        for (text, name) in texts.iter().zip(["t.msh", "t.inp", "t.inp"]) {
            let (raw, _) = read_bytes(text.as_bytes(), name).unwrap();
            let (mesh, _) = raw.into_mesh().unwrap();
            let ten = mesh.ten_nodes().unwrap()[0];
            let x = ten.map(|n| mesh.positions[n as usize]);
            for (k, [a, b]) in crate::octet::EDGES.into_iter().enumerate() {
                assert_eq!(x[4 + k], (x[a] + x[b]) * 0.5, "{name}");
            }
            assert!((mesh.total_volume() - 8.0 / 6.0).abs() < 1e-12);
        }
    }

    #[test]
    fn mixed_orders_and_folded_elements_are_refused() {
        let mut raw = RawMesh::from(bar());
        raw.ten_nodes = raw.joined_ten_nodes().unwrap();
        let error = raw.split_ten_nodes().unwrap_err().to_string();
        assert!(error.contains("mixes"), "{error}");
        // a middle node beyond the opposite corner
        let mut mesh = bar();
        let ten = mesh.ten_nodes().unwrap()[0];
        let [a, b] = [ten[2], ten[0]].map(|n| mesh.positions[n as usize]);
        mesh.positions[ten[4] as usize] += (a - b) * 1.5;
        let error = RawMesh::from(mesh).into_mesh().unwrap_err().to_string();
        assert!(error.contains("ten-node"), "{error}");
        assert!(matches!(bar().elements, Elements::Tetrahedra(_)));
    }
}
