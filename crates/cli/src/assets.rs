//! Where the meshes are that scenes name as assets.

use crate::failure::Failure;
use pliant_scene::AssetUse;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Folders, separated as those of `PATH` are, for when `--assets` is not given; empty for none.
const VARIABLE: &str = "PLIANT_ASSETS";

/// Where a checkout of the development data lies, from the working directory.
const DEVELOPMENT: &str = "../shared/meshes";

/// The folders to search: the one given, or else those of the environment, or else that of a development checkout.
pub fn folders(given: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    if let Some(folder) = given {
        if !folder.is_dir() {
            return Err(Failure::usage(
                format!("--assets {}: there is no such folder", folder.display()),
                Some("name the folder that holds the meshes".into()),
            ));
        }
        return Ok(vec![folder.to_path_buf()]);
    }
    if let Some(list) = std::env::var_os(VARIABLE) {
        let named = |folder: &PathBuf| !folder.as_os_str().is_empty();
        return Ok(std::env::split_paths(&list).filter(named).collect());
    }
    let folder = Path::new(DEVELOPMENT);
    Ok(folder
        .is_dir()
        .then(|| folder.to_path_buf())
        .into_iter()
        .collect())
}

/// What was used, for `--json`.
pub fn to_json(assets: &[AssetUse]) -> Value {
    let each = assets.iter().map(|used| {
        json!({
            "owner": used.owner,
            "name": used.name,
            "file": used.file.as_ref().map(|f| f.display().to_string()),
            "stand_in": used.file.is_none(),
            "nodes": used.nodes,
        })
    });
    each.collect()
}

/// What was used, in a line for a report.
pub fn line(used: &AssetUse) -> String {
    match &used.file {
        Some(_) => format!("{}: {} ({} nodes)", used.owner, used.name, used.nodes),
        None => format!(
            "{}: generated in place of {} ({} nodes)",
            used.owner, used.name, used.nodes
        ),
    }
}
