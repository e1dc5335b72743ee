//! Writes Gmsh files. Coordinates are printed so that reading them gives the same bits back.
//! Region r becomes physical group r + 1 of its dimension.

use super::TEN_NODES;
use crate::file::raw::{Cells, RawMesh};
use crate::file::write::WriteError;
use std::io::{self, Write};

/// Versions of the format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MSH 2.2, which nearly every program reads.
    V2_2,
    /// MSH 4.1, Gmsh's own.
    V4_1,
}

/// Numbers as text or as little-endian bytes.
struct Encoder<'a> {
    out: &'a mut dyn Write,
    binary: bool,
    /// Whether a number was written on the current line.
    started: bool,
}

impl Encoder<'_> {
    fn separate(&mut self) -> io::Result<()> {
        if self.started {
            self.out.write_all(b" ")?;
        }
        self.started = true;
        Ok(())
    }

    /// An `int`.
    fn int(&mut self, value: i32) -> io::Result<()> {
        if self.binary {
            return self.out.write_all(&value.to_le_bytes());
        }
        self.separate()?;
        write!(self.out, "{value}")
    }

    /// A `size_t`.
    fn size(&mut self, value: u64) -> io::Result<()> {
        if self.binary {
            return self.out.write_all(&value.to_le_bytes());
        }
        self.separate()?;
        write!(self.out, "{value}")
    }

    /// A `double`.
    fn double(&mut self, value: f64) -> io::Result<()> {
        if self.binary {
            return self.out.write_all(&value.to_le_bytes());
        }
        self.separate()?;
        write!(self.out, "{value:?}")
    }

    /// The end of a record.
    fn end(&mut self) -> io::Result<()> {
        if self.binary {
            return Ok(());
        }
        self.started = false;
        self.out.write_all(b"\n")
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Closes a section: binary data does not end with a line break of its own.
    fn close(&mut self, end: &str) -> io::Result<()> {
        if self.binary {
            self.text("\n")?;
        }
        self.text(end)?;
        self.text("\n")
    }
}

/// Writes a mesh.
pub fn write(
    mesh: &RawMesh,
    version: Version,
    binary: bool,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let fits = |count: usize| i32::try_from(count).is_ok();
    if version == Version::V2_2
        && !(fits(mesh.positions.len()) && fits(mesh.tetrahedra.len() + mesh.triangles.len()))
    {
        return Err(WriteError::CannotHold {
            format: "Gmsh 2.2",
            what: "more than 2147483647 nodes or elements",
            instead: "write Gmsh 4.1",
        });
    }
    let number = match version {
        Version::V2_2 => "2.2",
        Version::V4_1 => "4.1",
    };
    let kind = u8::from(binary);
    write!(out, "$MeshFormat\n{number} {kind} 8\n")?;
    if binary {
        out.write_all(&1i32.to_le_bytes())?;
        out.write_all(b"\n")?;
    }
    writeln!(out, "$EndMeshFormat")?;
    write_names(mesh, out)?;
    let mut encoder = Encoder {
        out,
        binary,
        started: false,
    };
    match version {
        Version::V2_2 => write_2_2(mesh, &mut encoder)?,
        Version::V4_1 => write_4_1(mesh, &mut encoder)?,
    }
    Ok(())
}

fn write_names(mesh: &RawMesh, out: &mut dyn Write) -> io::Result<()> {
    let (faces, solids) = (&mesh.triangles.region_names, &mesh.tetrahedra.region_names);
    writeln!(out, "$PhysicalNames\n{}", faces.len() + solids.len())?;
    for (dimension, names) in [(2, faces), (3, solids)] {
        for (r, name) in names.iter().enumerate() {
            // the format has no escapes
            let name = name.replace(['"', '\n', '\r'], "'");
            writeln!(out, "{dimension} {} \"{name}\"", r + 1)?;
        }
    }
    writeln!(out, "$EndPhysicalNames")
}

/// Tags of the nodes: their ids, or 1, 2, 3… when those are no valid tags.
fn node_tags(mesh: &RawMesh) -> Vec<u64> {
    let valid = mesh.node_ids.len() == mesh.positions.len()
        && mesh
            .node_ids
            .iter()
            .all(|id| (1..=i32::MAX as u64).contains(&id));
    if valid {
        return mesh.node_ids.iter().collect();
    }
    (1..=mesh.positions.len() as u64).collect()
}

/// Ten-node tetrahedra, if the mesh has them, with their nodes as in Gmsh.
fn ten_nodes(mesh: &RawMesh) -> Option<Cells<10>> {
    let mut ten = mesh.joined_ten_nodes()?;
    for nodes in &mut ten.nodes {
        nodes.swap(8, 9);
    }
    Some(ten)
}

fn write_2_2(mesh: &RawMesh, encoder: &mut Encoder) -> io::Result<()> {
    let tags = node_tags(mesh);
    encoder.text(&format!("$Nodes\n{}\n", tags.len()))?;
    for (tag, p) in tags.iter().zip(&mesh.positions) {
        encoder.int(*tag as i32)?;
        for x in p.to_array() {
            encoder.double(x)?;
        }
        encoder.end()?;
    }
    encoder.close("$EndNodes")?;
    let (ten, first) = (ten_nodes(mesh), 1 + mesh.triangles.len());
    let solids = ten.as_ref().map_or(mesh.tetrahedra.len(), Cells::len);
    let count = mesh.triangles.len() + solids;
    encoder.text(&format!("$Elements\n{count}\n"))?;
    elements_2_2(&mesh.triangles, 2, 1, &tags, encoder)?;
    match &ten {
        Some(ten) => elements_2_2(ten, TEN_NODES as i32, first, &tags, encoder)?,
        None => elements_2_2(&mesh.tetrahedra, 4, first, &tags, encoder)?,
    }
    encoder.close("$EndElements")
}

fn elements_2_2<const N: usize>(
    cells: &Cells<N>,
    code: i32,
    first: usize,
    tags: &[u64],
    encoder: &mut Encoder,
) -> io::Result<()> {
    if encoder.binary && !cells.is_empty() {
        // one header for all of them: type, elements, tags
        for value in [code, cells.len() as i32, 2] {
            encoder.int(value)?;
        }
    }
    for (e, nodes) in cells.nodes.iter().enumerate() {
        let group = cells.regions[e] as i32 + 1;
        encoder.int((first + e) as i32)?;
        if !encoder.binary {
            encoder.int(code)?;
            encoder.int(2)?;
        }
        encoder.int(group)?;
        encoder.int(group)?;
        for &n in nodes {
            encoder.int(tags[n as usize] as i32)?;
        }
        encoder.end()?;
    }
    Ok(())
}

fn write_4_1(mesh: &RawMesh, encoder: &mut Encoder) -> io::Result<()> {
    let tags = node_tags(mesh);
    // one entity for each region, all with the bounding box of the mesh
    let first = mesh.positions.first().copied().unwrap_or_default();
    let (low, high) = mesh
        .positions
        .iter()
        .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
    let (faces, solids) = (
        mesh.triangles.region_names.len(),
        mesh.tetrahedra.region_names.len(),
    );
    encoder.text("$Entities\n")?;
    for count in [0, 0, faces, solids] {
        encoder.size(count as u64)?;
    }
    encoder.end()?;
    for entity in (1..=faces).chain(1..=solids) {
        encoder.int(entity as i32)?;
        for x in low.to_array().into_iter().chain(high.to_array()) {
            encoder.double(x)?;
        }
        // one physical group, no bounding entities
        encoder.size(1)?;
        encoder.int(entity as i32)?;
        encoder.size(0)?;
        encoder.end()?;
    }
    encoder.close("$EndEntities")?;
    encoder.text("$Nodes\n")?;
    let dimension = if mesh.tetrahedra.is_empty() { 2 } else { 3 };
    let count = tags.len() as u64;
    let (least, greatest) = (tags.iter().min().copied(), tags.iter().max().copied());
    for value in [1, count, least.unwrap_or(0), greatest.unwrap_or(0)] {
        encoder.size(value)?;
    }
    encoder.end()?;
    for value in [dimension, 1, 0] {
        encoder.int(value)?;
    }
    encoder.size(count)?;
    encoder.end()?;
    for &tag in &tags {
        encoder.size(tag)?;
        encoder.end()?;
    }
    for p in &mesh.positions {
        for x in p.to_array() {
            encoder.double(x)?;
        }
        encoder.end()?;
    }
    encoder.close("$EndNodes")?;
    encoder.text("$Elements\n")?;
    // a block for each run of elements of one region, so that their order survives
    let runs = |regions: &[u32]| regions.chunk_by(|a, b| a == b).count() as u64;
    let (ten, first) = (ten_nodes(mesh), 1 + mesh.triangles.len() as u64);
    let solids = ten.as_ref().map_or(mesh.tetrahedra.len(), Cells::len);
    let count = (mesh.triangles.len() + solids) as u64;
    let blocks = runs(&mesh.triangles.regions) + runs(&mesh.tetrahedra.regions);
    for value in [blocks, count, 1, count] {
        encoder.size(value)?;
    }
    encoder.end()?;
    elements_4_1(&mesh.triangles, 2, 2, 1, &tags, encoder)?;
    match &ten {
        Some(ten) => elements_4_1(ten, 3, TEN_NODES as i32, first, &tags, encoder)?,
        None => elements_4_1(&mesh.tetrahedra, 3, 4, first, &tags, encoder)?,
    }
    encoder.close("$EndElements")
}

fn elements_4_1<const N: usize>(
    cells: &Cells<N>,
    dimension: i32,
    code: i32,
    first: u64,
    tags: &[u64],
    encoder: &mut Encoder,
) -> io::Result<()> {
    let mut e = 0;
    for run in cells.regions.chunk_by(|a, b| a == b) {
        for value in [dimension, run[0] as i32 + 1, code] {
            encoder.int(value)?;
        }
        encoder.size(run.len() as u64)?;
        encoder.end()?;
        for _ in run {
            encoder.size(first + e as u64)?;
            for &n in &cells.nodes[e] {
                encoder.size(tags[n as usize])?;
            }
            encoder.end()?;
            e += 1;
        }
    }
    Ok(())
}
