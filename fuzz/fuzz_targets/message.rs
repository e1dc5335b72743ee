//! Messages that pages send to `pliant view`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pliant_fuzz::files::message(bytes));
