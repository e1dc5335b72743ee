//! Pliant solid.
