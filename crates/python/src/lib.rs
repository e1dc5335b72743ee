//! The Python module `pliant._pliant`; what users see of it is in `python/pliant`.

mod change;
mod command;
mod engine;
mod error;
mod kept_changes;
mod mesh;
mod report;
mod scene;
mod shown;
mod view;

use pyo3::prelude::*;

#[pymodule]
mod _pliant {
    #[pymodule_export]
    use crate::change::{attach, cut, move_drive, pull, release, set_control, set_force};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::mesh::RawMesh;
    #[pymodule_export]
    use crate::scene::{embedded_scenes, find_scene, scene_text, scene_tree, schema, set_in_tree};
    #[pymodule_export]
    use crate::view::ViewServer;
}
