//! The Python module `pliant._pliant`; what users see of it is in `python/pliant`.

use pyo3::prelude::*;

#[pymodule]
mod _pliant {}
