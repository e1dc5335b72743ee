//! VTK legacy files, text and binary.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant_mesh::file::Format;

fuzz_target!(|bytes: &[u8]| pliant_fuzz::attempt(Format::Vtk, bytes));
