//! Whole steps: physics, invariance, robustness. One binary, one module an idea.

mod allocation;
mod common;
mod conservation;
mod drives;
mod integrators;
mod invariance;
mod patch;
mod robustness;
