//! Writes Gmsh text files. Coordinates are printed so that reading them gives the same bits back.

use crate::mesh::{Elements, Mesh};
use std::io::{self, Write};

/// Versions of the format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GmshVersion {
    /// MSH 2.2, which nearly every program reads.
    V2_2,
    /// MSH 4.1, Gmsh's own.
    V4_1,
}

/// Writes `mesh` as a text file. Region r becomes physical group r + 1. Node tags are the original ids, or
/// 1, 2, 3… when those are no valid tags (an id of 0 occurs, as in generated meshes).
pub fn write_gmsh(mesh: &Mesh, version: GmshVersion, out: &mut impl Write) -> io::Result<()> {
    let ids_are_tags =
        mesh.original_ids.len() == mesh.node_count() && mesh.original_ids.iter().all(|&i| i > 0);
    let tag = |n: u32| {
        if ids_are_tags {
            mesh.original_ids[n as usize]
        } else {
            n + 1
        }
    };
    let dimension = if mesh.is_planar() { 2 } else { 3 };
    let number = match version {
        GmshVersion::V2_2 => "2.2",
        GmshVersion::V4_1 => "4.1",
    };
    writeln!(out, "$MeshFormat\n{number} 0 8\n$EndMeshFormat")?;
    writeln!(out, "$PhysicalNames\n{}", mesh.region_names.len())?;
    for (r, name) in mesh.region_names.iter().enumerate() {
        // the format has no escapes
        let name = name.replace(['"', '\n', '\r'], "'");
        writeln!(out, "{dimension} {} \"{name}\"", r + 1)?;
    }
    writeln!(out, "$EndPhysicalNames")?;
    match version {
        GmshVersion::V2_2 => write_2_2(mesh, tag, out),
        GmshVersion::V4_1 => write_4_1(mesh, dimension, tag, out),
    }
}

/// Gmsh's element type number.
fn type_code(mesh: &Mesh) -> u32 {
    match mesh.elements {
        Elements::Tetrahedra(_) => 4,
        Elements::Triangles(_) => 2,
    }
}

fn write_nodes_of(nodes: &[u32], tag: impl Fn(u32) -> u32, out: &mut impl Write) -> io::Result<()> {
    for &n in nodes {
        write!(out, " {}", tag(n))?;
    }
    writeln!(out)
}

fn write_2_2(mesh: &Mesh, tag: impl Fn(u32) -> u32, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "$Nodes\n{}", mesh.node_count())?;
    for (n, p) in mesh.positions.iter().enumerate() {
        writeln!(out, "{} {:?} {:?} {:?}", tag(n as u32), p.x, p.y, p.z)?;
    }
    writeln!(out, "$EndNodes\n$Elements\n{}", mesh.element_count())?;
    let code = type_code(mesh);
    for (e, nodes) in mesh.elements.iter().enumerate() {
        let group = mesh.regions[e] + 1;
        write!(out, "{} {code} 2 {group} {group}", e + 1)?;
        write_nodes_of(nodes, &tag, out)?;
    }
    writeln!(out, "$EndElements")
}

fn write_4_1(
    mesh: &Mesh,
    dimension: usize,
    tag: impl Fn(u32) -> u32,
    out: &mut impl Write,
) -> io::Result<()> {
    // one entity for each region, all with the bounding box of the mesh
    let (low, high) = mesh.bounds();
    let region_count = mesh.region_names.len();
    let counts = if dimension == 3 {
        format!("0 0 0 {region_count}")
    } else {
        format!("0 0 {region_count} 0")
    };
    writeln!(out, "$Entities\n{counts}")?;
    for r in 1..=region_count {
        write!(out, "{r} {:?} {:?} {:?}", low.x, low.y, low.z)?;
        writeln!(out, " {:?} {:?} {:?} 1 {r} 0", high.x, high.y, high.z)?;
    }
    writeln!(out, "$EndEntities\n$Nodes")?;
    let count = mesh.node_count();
    let tags = (0..count as u32).map(&tag);
    let (least, greatest) = tags.fold((u32::MAX, 0), |(a, b), t| (a.min(t), b.max(t)));
    writeln!(out, "1 {count} {least} {greatest}\n{dimension} 1 0 {count}")?;
    for n in 0..count as u32 {
        writeln!(out, "{}", tag(n))?;
    }
    for p in &mesh.positions {
        writeln!(out, "{:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    writeln!(out, "$EndNodes\n$Elements")?;
    // a block for each run of elements of one region, so that their order survives
    let count = mesh.element_count();
    let runs = || mesh.regions.chunk_by(|a, b| a == b);
    writeln!(out, "{} {count} 1 {count}", runs().count())?;
    let code = type_code(mesh);
    let mut e = 0;
    for run in runs() {
        writeln!(out, "{dimension} {} {code} {}", run[0] + 1, run.len())?;
        for _ in run {
            write!(out, "{}", e + 1)?;
            write_nodes_of(mesh.nodes_of(e), &tag, out)?;
            e += 1;
        }
    }
    writeln!(out, "$EndElements")
}
