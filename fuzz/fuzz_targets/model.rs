//! Trained models: the bytes are what the checksum covers.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pliant_fuzz::files::model(bytes));
