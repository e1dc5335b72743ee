//! Parallel vector kernels whose bits do not depend on the number of threads.
//!
//! Nodal arrays are cut into chunks of [`CHUNK`] nodes; the chunks form a balanced binary tree that depends on
//! the length only. Branches run on either thread, partial sums meet at the branch points, so every sum has one
//! fixed order. Short arrays walk the same tree on one thread. Nothing allocates.

use crate::vec3::{Vec3, flat, flat_mut};
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch, f64x8};
use std::ops::Range;

/// Nodes in a leaf of the reduction tree; six arrays of a chunk fit the first-level cache.
pub const CHUNK: usize = 256;

/// Nodes from which a pass over plain vectors is worth a second thread.
pub const PARALLEL_NODES: usize = 512;

/// Slices, ranges and tuples of them that are cut at the same node.
pub trait Split: Sized + Send {
    /// Number of nodes.
    fn node_count(&self) -> usize;
    /// The nodes before `at` and the nodes from `at`.
    fn split(self, at: usize) -> (Self, Self);
}

impl<T: Sync> Split for &[T] {
    fn node_count(&self) -> usize {
        self.len()
    }
    fn split(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Send> Split for &mut [T] {
    fn node_count(&self) -> usize {
        self.len()
    }
    fn split(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl Split for Range<usize> {
    fn node_count(&self) -> usize {
        self.len()
    }
    fn split(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

macro_rules! split_tuple {
    ($($name:ident)+) => {
        impl<$($name: Split),+> Split for ($($name,)+) {
            #[allow(non_snake_case, unused_variables)]
            fn node_count(&self) -> usize {
                let ($($name,)+) = self;
                [$($name.node_count()),+][0]
            }
            #[allow(non_snake_case)]
            fn split(self, at: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.split(at);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
split_tuple!(A B);
split_tuple!(A B C);
split_tuple!(A B C D);
split_tuple!(A B C D E);
split_tuple!(A B C D E F);

/// Runs `leaf` on every chunk and adds its `K` results over the fixed tree.
///
/// `parallel` allows branches to run on different threads; it never changes the result.
pub fn fold<P: Split, const K: usize>(
    parts: P,
    parallel: bool,
    leaf: &(impl Fn(P) -> [f64; K] + Sync),
) -> [f64; K] {
    let chunks = parts.node_count().div_ceil(CHUNK);
    if chunks <= 1 {
        return leaf(parts);
    }
    let (low, high) = parts.split(chunks / 2 * CHUNK);
    let (mut sums, high_sums) = if parallel {
        rayon::join(|| fold(low, true, leaf), || fold(high, true, leaf))
    } else {
        (fold(low, false, leaf), fold(high, false, leaf))
    };
    for (sum, high_sum) in sums.iter_mut().zip(high_sums) {
        *sum += high_sum;
    }
    sums
}

/// aᵀb.
pub fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    let level = Level::new();
    let [sum] = fold((a, b), a.len() >= PARALLEL_NODES, &|(a, b)| {
        [dispatch!(level, simd => dot_chunk(simd, flat(a), flat(b)))]
    });
    sum
}

/// ‖a‖².
pub fn norm_squared(a: &[Vec3]) -> f64 {
    dot(a, a)
}

/// y ← y + s x.
pub fn add_scaled(y: &mut [Vec3], s: f64, x: &[Vec3]) {
    let level = Level::new();
    let parallel = y.len() >= PARALLEL_NODES;
    fold((y, x), parallel, &|(y, x): (&mut [Vec3], _)| {
        dispatch!(level, simd => add_scaled_chunk(simd, flat_mut(y), s, flat(x)));
        []
    });
}

/// y ← x + s y, the direction update of conjugate gradients.
pub fn scale_add(y: &mut [Vec3], s: f64, x: &[Vec3]) {
    let level = Level::new();
    let parallel = y.len() >= PARALLEL_NODES;
    fold((y, x), parallel, &|(y, x): (&mut [Vec3], _)| {
        dispatch!(level, simd => scale_add_chunk(simd, flat_mut(y), s, flat(x)));
        []
    });
}

/// aᵀb of one chunk, in a fixed lane order.
#[inline(always)]
pub(crate) fn dot_chunk<S: Simd>(simd: S, a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [f64x8::splat(simd, 0.0); 4];
    let (a_wide, a_rest) = a.as_chunks::<32>();
    let (b_wide, b_rest) = b.as_chunks::<32>();
    for (a, b) in a_wide.iter().zip(b_wide) {
        for (k, sum) in sums.iter_mut().enumerate() {
            let u = f64x8::from_slice(simd, &a[8 * k..8 * k + 8]);
            let v = f64x8::from_slice(simd, &b[8 * k..8 * k + 8]);
            *sum = u.mul_add(v, *sum);
        }
    }
    let mut rest = 0.0;
    for (u, v) in a_rest.iter().zip(b_rest) {
        rest += u * v;
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).reduce_sum() + rest
}

#[inline(always)]
pub(crate) fn add_scaled_chunk<S: Simd>(simd: S, y: &mut [f64], s: f64, x: &[f64]) {
    let (y_wide, y_rest) = y.as_chunks_mut::<8>();
    let (x_wide, x_rest) = x.as_chunks::<8>();
    let scale = f64x8::splat(simd, s);
    for (y, x) in y_wide.iter_mut().zip(x_wide) {
        let sum = f64x8::load_array_ref(simd, x).mul_add(scale, f64x8::load_array_ref(simd, y));
        sum.store_array(y);
    }
    for (y, x) in y_rest.iter_mut().zip(x_rest) {
        *y += s * x;
    }
}

#[inline(always)]
fn scale_add_chunk<S: Simd>(simd: S, y: &mut [f64], s: f64, x: &[f64]) {
    let (y_wide, y_rest) = y.as_chunks_mut::<8>();
    let (x_wide, x_rest) = x.as_chunks::<8>();
    let scale = f64x8::splat(simd, s);
    for (y, x) in y_wide.iter_mut().zip(x_wide) {
        let sum = f64x8::load_array_ref(simd, y).mul_add(scale, f64x8::load_array_ref(simd, x));
        sum.store_array(y);
    }
    for (y, x) in y_rest.iter_mut().zip(x_rest) {
        *y = x + s * *y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec3::vec3;

    fn wave(n: usize, phase: f64) -> Vec<Vec3> {
        (0..n)
            .map(|i| {
                let t = i as f64 + phase;
                vec3(t.sin(), (1.3 * t).cos(), (0.7 * t).sin() + 0.1)
            })
            .collect()
    }

    #[test]
    fn sums_do_not_depend_on_the_thread_count() {
        for n in [0, 1, 255, 256, 257, 5000, 20_011] {
            let (a, b) = (wave(n, 0.0), wave(n, 0.4));
            let run = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| {
                    let mut y = a.clone();
                    add_scaled(&mut y, 0.3, &b);
                    scale_add(&mut y, -0.7, &a);
                    (dot(&a, &b).to_bits(), dot(&y, &b).to_bits())
                })
            };
            assert_eq!(run(1), run(2));
            let naive: f64 = a.iter().zip(&b).map(|(u, v)| u.dot(*v)).sum();
            assert!((dot(&a, &b) - naive).abs() <= 1e-12 * (1.0 + n as f64));
        }
    }

    #[test]
    fn updates_match_their_formulas() {
        let (a, b) = (wave(700, 0.0), wave(700, 2.0));
        let (mut y, mut w) = (a.clone(), a.clone());
        add_scaled(&mut y, 0.25, &b);
        scale_add(&mut w, 0.25, &b);
        for i in 0..700 {
            assert!((y[i] - (a[i] + b[i] * 0.25)).norm() < 1e-15);
            assert!((w[i] - (b[i] + a[i] * 0.25)).norm() < 1e-15);
        }
    }
}
