//! Pliant scene.
