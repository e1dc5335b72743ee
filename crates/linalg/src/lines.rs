//! Numbers aligned to cache lines: vectors of lines, without `unsafe`.

use bytemuck::{Pod, Zeroable};

/// A cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f64; 8]);

/// See the file header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Vec<Line>);

impl Lines {
    /// Zeros.
    pub(crate) fn new(length: usize) -> Lines {
        Lines(vec![Line([0.0; 8]); length.div_ceil(8)])
    }
    /// Room for at least `length` numbers; what they are is unspecified.
    pub(crate) fn grow(&mut self, length: usize) {
        let lines = length.div_ceil(8).max(self.0.len());
        self.0.resize(lines, Line([0.0; 8]));
    }
    pub(crate) fn numbers(&self) -> &[f64] {
        bytemuck::cast_slice(&self.0)
    }
    pub(crate) fn numbers_mut(&mut self) -> &mut [f64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
    pub(crate) fn rounded(&self) -> &[f32] {
        bytemuck::cast_slice(&self.0)
    }
    pub(crate) fn rounded_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
