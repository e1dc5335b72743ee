//! The Pliant engine.
pub mod drive;
pub mod element;
pub mod material;
pub mod model;
pub mod profile;
pub mod settings;
pub mod state;
