//! What studies and comparisons share: time, errors, tables, the machine.

pub mod deviation;
pub mod durations;
pub mod machine;
pub mod table;
pub mod timing;
