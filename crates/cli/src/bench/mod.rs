//! Studies: timings and comparisons, each a JSON object with rows and a summary.
//!
//! `{"study": …, "machine": {…}, "rows": [{…}], "summary": {…}}`, times in seconds of one run, candidates
//! interleaved, minimum and median given; rates and ratios come from the minimum. Tables go to standard error.

mod bar;
mod conjac;
pub mod contact;
mod early_cg;
mod full;
mod isodof;
mod kernels;
mod machine;
mod mesh_io;
pub mod report;
mod rigidify;
mod rows;
mod scene;
mod subspace;
mod viewer;

use crate::measure::{table, timing};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// A study by name.
pub struct Study {
    /// What `pliant bench` calls it.
    pub name: &'static str,
    /// One line.
    pub description: &'static str,
    /// Measures, prints a table to standard error and returns the JSON object.
    pub run: fn(&Options) -> anyhow::Result<Value>,
    /// Parts that can be measured on their own, those of other runs are kept.
    pub parts: &'static [&'static str],
}

/// What the user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Fewer rounds and sizes: under 45 s on two cores.
    pub quick: bool,
    /// Number of threads that "all threads" means.
    pub threads: usize,
    /// Folder for pictures, where a study draws some.
    pub out: Option<PathBuf>,
    /// Parts of the study to measure; none: all.
    pub only: Vec<String>,
}

/// All studies.
pub const STUDIES: &[Study] = &[
    Study {
        name: "kernels",
        description: "time per tetrahedron of every material, products, factorisation, solves",
        run: kernels::run,
        parts: &[],
    },
    Study {
        name: "full",
        description: "time per step of a bar in stages, direct and PCG, one and all threads",
        run: full::run,
        parts: &[],
    },
    Study {
        name: "mesh-io",
        description: "reading mesh files of a million tetrahedra, beside meshio",
        run: mesh_io::run,
        parts: &[],
    },
    Study {
        name: "early-cg",
        description: "conjugate gradients stopped early: time, errors, first guesses, preconditioners, rotations",
        run: early_cg::run,
        parts: &[],
    },
    Study {
        name: "contact",
        description: "contact: time in each stage, solvers, compliance; inclines, impacts and Hertz against theory",
        run: contact::run,
        parts: &[],
    },
    Study {
        name: "isodof",
        description: "contact from isolated degrees of freedom: compliance, stages of a step, all variants and scenes",
        run: isodof::run,
        parts: &[],
    },
    Study {
        name: "conjac",
        description: "inertia on a few nodes: stages of a step, smallest stable β, liveliness, nodes that come and go, statics",
        run: conjac::run,
        parts: &[],
    },
    Study {
        name: "rigidify",
        description: "quiet elements as rigid bodies: speed-up and error of all scenes, what the oracle misses, thresholds",
        run: rigidify::run,
        parts: rigidify::PARTS,
    },
    Study {
        name: "subspace",
        description: "trained spaces with full regions: speed-up and error over the radius, iterations, steps on ever finer meshes",
        run: subspace::run,
        parts: subspace::PARTS,
    },
    Study {
        name: "viewer",
        description: "the browser viewer: frames a second at a socket, cost of a paused scene, slowdown by a watching page",
        run: viewer::run,
        parts: &[],
    },
];

/// The study with this name.
pub fn find(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// The JSON object of a study.
fn study(name: &str, machine: Value, rows: Vec<Map<String, Value>>, summary: Value) -> Value {
    json!({ "study": name, "machine": machine, "rows": rows, "summary": summary })
}
