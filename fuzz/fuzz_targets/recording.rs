//! Recordings: the bytes are chunks before compression and checksums.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pliant_fuzz::files::recording(bytes));
