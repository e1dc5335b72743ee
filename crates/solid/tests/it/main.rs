//! Whole steps: physics, invariance, robustness. One binary, one module an idea.

#![allow(clippy::unwrap_used)] // a test that cannot go on should stop here

mod allocation;
mod cables;
mod common;
mod compliance;
mod conjac;
mod conjac_arm;
mod conservation;
mod contact;
mod determinism;
mod drives;
mod early_cg;
mod extremes;
mod integrators;
mod invariance;
mod isodof;
mod joints;
mod long;
mod octets;
mod patch;
mod rig;
mod rigidify;
mod rigidify_sleep;
mod robustness;
mod seams;
mod similarity;
mod subspace;
mod subspace_bones;
