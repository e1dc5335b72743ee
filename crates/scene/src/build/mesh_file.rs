//! Bodies and obstacles from mesh files, and surfaces that bodies carry along.

use super::asset::Files;
use crate::error::{KeyPath, Problem};
use crate::file::{AssetTable, FileTable, LengthUnit};
use pliant_linalg::Vec3;
use pliant_mesh::file::{self, Input, RawMesh, ReadError};
use pliant_mesh::{Embedding, Mesh, SurfaceMesh};
use std::path::Path;

/// Longest mesh file that is read, bytes: the largest mesh takes less.
const LARGEST_FILE: u64 = 16 << 30;

/// The mesh of a file, in metres.
pub fn read(
    table: &FileTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Mesh, Problem> {
    let raw = open(&table.path, at, files.base())?;
    let mesh = solid(raw, owner, at, files)?;
    if table.unit != LengthUnit::M {
        let (low, high) = mesh.bounds();
        let [x, y, z] = (high - low).to_array();
        let unit = table.unit.name();
        let notice = format!("{owner}: {} is {x} × {y} × {z} {unit}", table.path);
        files.notices.push(notice);
    }
    in_metres(mesh, table.unit, at)
}

/// The mesh of an asset that was found, in metres.
pub fn read_asset(
    path: &Path,
    table: &AssetTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Mesh, Problem> {
    let at = &at.key("name");
    let mesh = solid(open_file(path, &table.name, at, "")?, owner, at, files)?;
    in_metres(mesh, table.unit, at)
}

/// The tetrahedra or triangles of a file as a mesh; what had to be mended becomes a notice.
fn solid(raw: RawMesh, owner: &str, at: &KeyPath, files: &mut Files) -> Result<Mesh, Problem> {
    let (mesh, changed) = raw.into_mesh().map_err(|e| problem(e, at))?;
    let messages = changed.messages();
    let notices = messages.iter().map(|m| format!("{owner}: {m}"));
    files.notices.extend(notices);
    Ok(mesh)
}

fn in_metres(mesh: Mesh, unit: LengthUnit, at: &KeyPath) -> Result<Mesh, Problem> {
    let metres = unit.metres();
    mesh.scaled(Vec3::new(metres, metres, metres))
        .map_err(|e| Problem::new(at.clone(), e.to_string()))
}

/// The surface that is shown instead of the mesh of a file, if it names one.
pub fn embedding(
    table: &FileTable,
    mesh: &Mesh,
    at: &KeyPath,
    base: Option<&Path>,
) -> Result<Option<Embedding>, Problem> {
    let Some(path) = &table.render else {
        return Ok(None);
    };
    let at = at.key("render");
    if mesh.is_planar() {
        let problem = Problem::new(at, "a planar body carries no surface");
        return Err(problem.help("remove `render`"));
    }
    let raw = open(path, &at, base)?;
    if raw.triangles.is_empty() {
        let problem = Problem::new(at, format!("`{path}` has no triangles"));
        return Err(problem.help("name a surface file such as an OBJ, STL, PLY or OFF"));
    }
    let metres = table.unit.metres();
    let positions = raw.positions.iter().map(|p| *p * metres).collect();
    let refused = |e: String| Problem::new(at.clone(), format!("`{path}`: {e}"));
    let surface =
        SurfaceMesh::new(positions, raw.triangles.nodes).map_err(|e| refused(e.to_string()))?;
    let embedding = Embedding::new(mesh, &surface).map_err(|e| refused(e.to_string()))?;
    Ok(Some(embedding))
}

/// The surface of a file, in metres: its triangles, or the boundary of its tetrahedra.
pub fn surface(
    table: &FileTable,
    at: &KeyPath,
    base: Option<&Path>,
) -> Result<SurfaceMesh, Problem> {
    if table.render.is_some() {
        let problem = Problem::new(at.key("render"), "an obstacle is shown as it is");
        return Err(problem.help("remove `render`"));
    }
    surface_of(open(&table.path, at, base)?, &table.path, table.unit, at)
}

/// The surface of an asset that was found, in metres.
pub fn asset_surface(
    path: &Path,
    table: &AssetTable,
    at: &KeyPath,
) -> Result<SurfaceMesh, Problem> {
    let at = &at.key("name");
    surface_of(
        open_file(path, &table.name, at, "")?,
        &table.name,
        table.unit,
        at,
    )
}

fn surface_of(
    raw: RawMesh,
    name: &str,
    unit: LengthUnit,
    at: &KeyPath,
) -> Result<SurfaceMesh, Problem> {
    let refused = |e: String| Problem::new(at.clone(), format!("`{name}`: {e}"));
    let metres = unit.metres();
    if raw.tetrahedra.is_empty() {
        let positions = raw.positions.iter().map(|p| *p * metres).collect();
        return SurfaceMesh::new(positions, raw.triangles.nodes)
            .map_err(|e| refused(e.to_string()));
    }
    let (mesh, _) = raw.into_mesh().map_err(|e| problem(e, at))?;
    let mesh = mesh
        .scaled(Vec3::new(metres, metres, metres))
        .map_err(|e| refused(e.to_string()))?;
    SurfaceMesh::of(&mesh).map_err(|e| refused(e.to_string()))
}

/// Reads a file of any format.
fn open(path: &str, at: &KeyPath, base: Option<&Path>) -> Result<RawMesh, Problem> {
    let Some(base) = base else {
        let problem = Problem::new(at.clone(), "an embedded scene cannot name a mesh file");
        return Err(problem.help("use a generated shape"));
    };
    let help = "paths are taken from the folder of the scene file";
    open_file(&base.join(path), path, at, help)
}

/// Reads a file that messages call `name`; `help` may be empty.
fn open_file(path: &Path, name: &str, at: &KeyPath, help: &str) -> Result<RawMesh, Problem> {
    let unreadable = |why: String| {
        let message = format!("the mesh file `{name}` cannot be read: {why}");
        let problem = Problem::new(at.clone(), message);
        if help.is_empty() {
            problem
        } else {
            problem.help(help)
        }
    };
    let input = Input::open(path).map_err(|e| unreadable(e.message))?;
    if input.length() > LARGEST_FILE {
        return Err(unreadable(format!(
            "it has {} bytes, and the limit is {LARGEST_FILE}",
            input.length()
        )));
    }
    let read = file::read(&input.named(name));
    read.map(|(raw, _)| raw).map_err(|e| problem(e, at))
}

fn problem(error: ReadError, at: &KeyPath) -> Problem {
    let problem = Problem::new(at.clone(), error.to_string());
    match error.help {
        Some(help) => problem.help(help),
        None => problem,
    }
}
