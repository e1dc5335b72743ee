//! The command from the outside, and the documents beside it.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop here

mod abuse;
mod assets;
mod checkpoints;
mod common;
mod compare;
mod determinism;
mod documents;
mod export;
mod golden;
mod mesh;
mod mistakes;
mod random_scenes;
mod run;
mod similarity;
mod train;
mod view;
