//! Scenes that are part of the program, for studies.

use crate::assets;
use anyhow::Result;
use pliant_scene::file::SceneTable;
use pliant_scene::{Scene, Sources};

/// A scene with the meshes that are there.
pub fn load(name: &str) -> Result<Scene> {
    edited(name, |_| {})
}

/// A scene after changes to its file.
pub fn edited(name: &str, edit: impl FnOnce(&mut SceneTable)) -> Result<Scene> {
    let mut file = pliant_scene::embedded(name)?.parse()?;
    edit(&mut file.table);
    let sources = Sources {
        base: None,
        // none of an argument can be wrong
        assets: assets::folders(None).unwrap_or_default(),
    };
    Ok(pliant_scene::build_from(&file, &sources)?)
}

/// The last part of its name, and that a mesh had to be generated in place of an asset where that is so.
pub fn label(scene: &Scene, name: &str) -> String {
    match scene.assets.iter().any(|used| used.file.is_none()) {
        true => format!("{name} (stand-in)"),
        false => name.to_string(),
    }
}
