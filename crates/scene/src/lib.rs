//! Scene files, recordings, checkpoints and exports.
//!
//! [`parse`] reads the text of a scene, [`build`] turns it into a [`Scene`] that `pliant-solid` can step.

mod build;
mod bytes;
pub mod checkpoint;
mod embedded;
mod error;
pub mod export;
pub mod file;
mod markup;
mod parse;
pub mod picture;
pub mod plot;
pub mod png;
pub mod recording;
pub mod run_report;
mod schema;
pub mod suggest;
pub mod trained;
pub mod tree;
pub mod units;
mod variant;

pub use build::{
    AssetUse, RecordSettings, Scene, Sources, TrainingPlan, TrainingRun, build, build_from,
    build_limited,
};
pub use embedded::{EMBEDDED, EmbeddedScene, embedded};
pub use error::SceneError;
pub use parse::{SceneFile, parse};
pub use schema::json_schema;
pub use variant::MaterialChange;
