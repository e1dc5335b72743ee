//! What numbers were measured on.

use pliant_linalg::lanes::Level;
use serde_json::{Value, json};

/// The `machine` object beside measurements with so many threads.
pub fn describe(threads: usize) -> Value {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    json!({
        "cpu_model": cpu_model(),
        "cores": cores,
        "threads": threads,
        "instruction_set": instruction_set(),
        "target": format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        // above the number of cores the timings competed with other work
        "load_average": load_average(),
        "pliant_version": env!("CARGO_PKG_VERSION"),
        "build": if cfg!(debug_assertions) { "debug" } else { "release" },
    })
}

/// The level the vector kernels choose, such as `avx512`.
fn instruction_set() -> String {
    let level = format!("{:?}", Level::new());
    let name = level.split('(').next().unwrap_or_default();
    name.to_lowercase()
}

/// As Linux tells it; elsewhere only the architecture is known.
fn cpu_model() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = information.lines().find(|l| l.starts_with("model name"));
    let model = line.and_then(|l| l.split_once(':')).map(|(_, name)| name);
    model.unwrap_or(std::env::consts::ARCH).trim().to_owned()
}

/// Running processes averaged over the minute before; null where it is not known.
fn load_average() -> Option<f64> {
    let averages = std::fs::read_to_string("/proc/loadavg").ok()?;
    averages.split(' ').next()?.parse().ok()
}
