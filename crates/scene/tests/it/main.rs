//! Scene files as a user writes them: every feature, every mistake, random damage.

mod errors;
mod features;
mod fuzz;
