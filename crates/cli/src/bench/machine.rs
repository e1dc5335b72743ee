//! What the numbers of a study were measured on.

use super::Options;
use crate::measure::machine;
use serde_json::{Value, json};

/// The `machine` object of a study.
pub fn describe(options: &Options) -> Value {
    let mut machine = machine::describe(options.threads);
    machine["quick"] = json!(options.quick);
    machine
}
