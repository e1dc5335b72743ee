//! The first byte chooses the format, in the order of the table of formats.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant_mesh::file::Format;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let formats: Vec<Format> = Format::all().collect();
    pliant_fuzz::attempt(formats[first as usize % formats.len()], rest);
});
