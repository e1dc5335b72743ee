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
    /// At least so many numbers in the smallest of some vectors that has the room for them, which is taken from there; what they are
    /// is unspecified.
    pub(crate) fn from_pool(pool: &mut Vec<Lines>, length: usize) -> Lines {
        let lines = length.div_ceil(8);
        let fits = |own: &Lines| own.0.capacity() >= lines.max(1);
        let fitting = pool.iter().enumerate().filter(|(_, own)| fits(own));
        match fitting.min_by_key(|(_, own)| own.0.capacity()) {
            Some((index, _)) => {
                let Lines(mut own) = pool.swap_remove(index);
                own.resize(lines.max(own.len()), Line([0.0; 8]));
                Lines(own)
            }
            None => Lines::new(length),
        }
    }
    /// Writes to all of it, so that the system has memory for it from now on.
    pub(crate) fn touch(&mut self) {
        self.0.fill(Line([0.0; 8]));
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
