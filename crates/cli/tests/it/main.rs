//! The command from the outside, and the documents beside it.

mod checkpoints;
mod common;
mod documents;
mod golden;
mod mistakes;
mod run;
