//! Pliant mesh.
