//! Files that scenes name: where they are looked up, and what is used where a mesh is absent.

use super::{body, mesh_file, obstacle};
use crate::error::{KeyPath, Problem};
use crate::file::{AssetTable, MeshTable};
use pliant_linalg::Vec3;
use pliant_mesh::{Elements, Mesh, SurfaceMesh};
use std::path::{Component, Path, PathBuf};

/// Tried in this order for a name without an extension.
const EXTENSIONS: [&str; 8] = ["msh", "vtk", "vtu", "mesh", "veg", "node", "tobj", "inp"];

/// Where the files that a scene names are looked up.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Folder from which the paths of mesh files are taken; without it, as for embedded scenes, they are refused.
    pub base: Option<PathBuf>,
    /// Folders of assets; the first one that has a mesh counts.
    pub assets: Vec<PathBuf>,
}

/// What was used for an asset.
#[derive(Clone, Debug, PartialEq)]
pub struct AssetUse {
    /// Name of the body or obstacle.
    pub owner: String,
    /// Name of the asset in the scene.
    pub name: String,
    /// The file; none if a stand-in was generated.
    pub file: Option<PathBuf>,
    /// Nodes of the mesh; 0 for other files.
    pub nodes: usize,
    /// Identifier of nodes and elements.
    digest: u64,
}

impl AssetUse {
    /// A file that is no mesh.
    pub(super) fn other(owner: &str, name: &str, file: Option<&Path>, digest: u64) -> AssetUse {
        AssetUse {
            owner: owner.to_string(),
            name: name.to_string(),
            file: file.map(Path::to_path_buf),
            nodes: 0,
            digest,
        }
    }
}

/// The files of a scene while it is built.
pub(super) struct Files<'a> {
    pub sources: &'a Sources,
    pub notices: Vec<String>,
    pub assets: Vec<AssetUse>,
}

impl<'a> Files<'a> {
    pub fn new(sources: &'a Sources) -> Files<'a> {
        Files {
            sources,
            notices: Vec::new(),
            assets: Vec::new(),
        }
    }

    pub fn base(&self) -> Option<&'a Path> {
        self.sources.base.as_deref()
    }

    /// Changes the identifier of a scene by what was used for its assets, so that no run goes on with another mesh.
    pub fn digest(&self, of_text: u64) -> u64 {
        self.assets.iter().fold(of_text, |hash, used| {
            mixed(hash, &used.digest.to_le_bytes())
        })
    }
}

/// The mesh of an asset or of what stands in for it, before it is put anywhere; `owner` is the body.
pub(super) fn mesh(
    table: &AssetTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<Mesh, Problem> {
    let (file, mesh) = match located(table, at, files)? {
        Found::File(file) => {
            let mesh = mesh_file::read_asset(&file, table, owner, at, files)?;
            let mesh = match &table.place {
                None => mesh,
                Some(place) => body::placed(mesh, place, &at.key("place"))?,
            };
            (Some(file), mesh)
        }
        Found::StandIn(otherwise) => {
            let at = at.key("otherwise");
            (None, body::mesh(otherwise, owner, &at, files)?)
        }
    };
    let corners = match &mesh.elements {
        Elements::Tetrahedra(list) => list.as_flattened(),
        Elements::Triangles(list) => list.as_flattened(),
    };
    note(table, owner, file, &mesh.positions, corners, files);
    Ok(mesh)
}

/// The surface of an asset or of what stands in for it, before it is put anywhere; `owner` is the obstacle.
pub(super) fn surface(
    table: &AssetTable,
    owner: &str,
    at: &KeyPath,
    files: &mut Files,
) -> Result<SurfaceMesh, Problem> {
    let (file, surface) = match located(table, at, files)? {
        Found::File(file) => {
            let surface = mesh_file::asset_surface(&file, table, at)?;
            let surface = match &table.place {
                None => surface,
                Some(place) => obstacle::placed(surface, place, &at.key("place"))?,
            };
            (Some(file), surface)
        }
        Found::StandIn(otherwise) => {
            let at = at.key("otherwise");
            (None, obstacle::surface(otherwise, owner, &at, files)?)
        }
    };
    let corners = surface.triangles.as_flattened();
    note(table, owner, file, &surface.positions, corners, files);
    Ok(surface)
}

/// What there is for an asset.
enum Found<'t> {
    File(PathBuf),
    StandIn(&'t MeshTable),
}

fn located<'t>(table: &'t AssetTable, at: &KeyPath, files: &Files) -> Result<Found<'t>, Problem> {
    if let Some(file) = find_named(&table.name, &at.key("name"), files)? {
        return Ok(Found::File(file));
    }
    if let Some(otherwise) = &table.otherwise {
        return Ok(Found::StandIn(otherwise));
    }
    let folders: Vec<String> = (files.sources.assets.iter())
        .map(|folder| format!("`{}`", folder.display()))
        .collect();
    let searched = if folders.is_empty() {
        "no folder of assets is known".to_string()
    } else {
        format!("it is not in {}", folders.join(" or "))
    };
    Err(Problem::new(
        at.key("name"),
        format!("the mesh `{}` is needed, but {searched}", table.name),
    )
    .help(
        "name the folder that holds it with --assets or PLIANT_ASSETS, or add `otherwise` with a shape to use instead",
    ))
}

/// The file of an asset, if a folder has it.
pub(super) fn find_named(
    name: &str,
    at: &KeyPath,
    files: &Files,
) -> Result<Option<PathBuf>, Problem> {
    let path = Path::new(name);
    let plain = |part: Component| matches!(part, Component::Normal(_));
    if name.is_empty() || !path.components().all(plain) {
        let message = format!("`{name}` is no name of a mesh in a folder");
        return Err(Problem::new(at.clone(), message)
            .help("write a path within the folder of assets, such as \"animals/newt.msh\""));
    }
    Ok(find(path, &files.sources.assets))
}

/// Says what was used for an asset.
fn note(
    table: &AssetTable,
    owner: &str,
    file: Option<PathBuf>,
    positions: &[Vec3],
    corners: &[u32],
    files: &mut Files,
) {
    let nodes = positions.len();
    files.notices.push(match &file {
        Some(file) => format!("{owner} is {} ({nodes} nodes)", file.display()),
        None => format!(
            "{owner} is a generated stand-in of {nodes} nodes for {}; --assets names a folder with the mesh",
            table.name
        ),
    });
    files.assets.push(AssetUse {
        owner: owner.to_string(),
        name: table.name.clone(),
        file,
        nodes,
        digest: digest(positions, corners),
    });
}

/// The file of that name in the first folder that has it.
fn find(name: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().find_map(|folder| {
        let exact = folder.join(name);
        if name.extension().is_some() {
            return exact.is_file().then_some(exact);
        }
        EXTENSIONS
            .iter()
            .map(|extension| exact.with_extension(extension))
            .find(|path| path.is_file())
    })
}

/// FNV-1a, 64 bits.
pub(super) fn mixed(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(hash, step)
}

fn digest(positions: &[Vec3], corners: &[u32]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for value in positions.iter().flat_map(|p| p.to_array()) {
        hash = mixed(hash, &value.to_bits().to_le_bytes());
    }
    corners
        .iter()
        .fold(hash, |hash, node| mixed(hash, &node.to_le_bytes()))
}
