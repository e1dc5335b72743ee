//! The `pliant` command. Parsing and printing live in this crate and nowhere else.

mod bench;

fn main() {}
