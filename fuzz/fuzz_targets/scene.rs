//! Scene files: parsed and, where that succeeds, built.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pliant_fuzz::files::scene(bytes));
