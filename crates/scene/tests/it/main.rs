//! Scene files as a user writes them: every feature, every mistake, random damage.
#![allow(clippy::unwrap_used)]

mod assets;
mod contact;
mod cuts;
mod dynamic;
mod elements;
mod errors;
mod features;
mod fuzz;
mod joints;
mod mesh_files;
mod obstacles;
mod rig;
mod rigid;
mod steps;
mod training;
