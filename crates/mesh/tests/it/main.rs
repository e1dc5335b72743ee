//! Mesh files from outside: round trips through every pair of formats, real files, random damage.
#![allow(clippy::unwrap_used)]

mod allocations;
mod corruption;
mod mutate;
mod real;
mod round_trip;
mod seeds;
