//! A single-precision copy of a factor, for preconditioning: solves are bound by reading L, and this is half of it.
//!
//! A panel is cut into blocks of six columns (the last may have three). A block is stored as one stream: the inverse of its
//! diagonal triangle, then the rows below in chunks of sixteen, the columns of a chunk one after the other. Chunks
//! are aligned to the end of the front, whose vector is padded at its beginning; rows that a chunk has too many are zero.
//!
//! The numbers are those of L/s, with s the power of two next to the largest pivot, and the right-hand side is scaled by
//! its largest entry: no unit of mass or force leaves the range of `f32`. Only pivots below 2⁻⁵⁰ of the largest
//! could lead out of it, and are raised to that. Forwards and backwards use the same numbers, so that the operator is symmetric and
//! positive definite for any L, up to the rounding of the vectors.

use crate::error::SolveError;
use crate::lines::Lines;
use crate::llt::{Llt, SupernodeView};
use crate::llt_solve::{PARALLEL_ENTRIES, Row, SolveScratch, Sweep};
use crate::symbolic::LltSymbolic;
use crate::vec3::{Vec3, flat, flat_mut};
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch, f32x16};
use std::ops::Range;
use std::sync::Arc;

/// Numbers of a cache line.
const CHUNK: usize = 16;

/// Columns of a block.
const BLOCK: usize = 6;

/// The smallest pivot, as a share of the largest: 2⁻⁵⁰.
const LEAST_PIVOT: f64 = 1.0 / (1_u64 << 50) as f64;

type Chunk = [f32; CHUNK];

/// See the file header; copying another factor of the same pattern allocates nothing.
#[derive(Debug, Default)]
pub struct SingleFactor {
    symbolic: Option<Arc<LltSymbolic>>,
    values: Lines,
    /// Where the panels start, in chunks.
    value_starts: Vec<usize>,
    /// Where the front vectors start.
    front_starts: Vec<usize>,
    /// Where the first row of every node (old numbering) is in the front vectors.
    places: Vec<usize>,
    /// s⁻².
    scale: f64,
}

impl SingleFactor {
    /// A copy without memory yet, of no factor.
    pub fn new() -> SingleFactor {
        SingleFactor::default()
    }

    /// Copies a factor; an error leaves no factor.
    pub fn copy_from(&mut self, factor: &Llt) -> Result<(), SolveError> {
        let known = self.symbolic.take();
        if !factor.is_factorized() {
            return Err(SolveError::NotFactorized);
        }
        let symbolic = Arc::clone(factor.symbolic());
        if !known.is_some_and(|known| Arc::ptr_eq(&known, &symbolic)) {
            self.lay_out(&symbolic);
        }
        let largest = (0..symbolic.supernode_count())
            .map(|s| largest_pivot(&factor.supernode(s)))
            .fold(0.0, f64::max);
        let unit = power_of_two(largest);
        self.scale = 1.0 / (unit * unit);
        let copy = Copying {
            factor,
            starts: &self.value_starts,
            scale: 1.0 / unit,
            least: LEAST_PIVOT * largest / unit,
            parallel: symbolic.factor_entries() > PARALLEL_ENTRIES,
        };
        let (chunks, _) = self.values.rounded_mut().as_chunks_mut::<CHUNK>();
        copy.panels(0..symbolic.supernode_count(), chunks);
        self.symbolic = Some(symbolic);
        Ok(())
    }

    fn lay_out(&mut self, symbolic: &LltSymbolic) {
        let count = symbolic.supernode_count();
        self.value_starts.clear();
        self.front_starts.clear();
        self.places.clear();
        self.places.resize(symbolic.row_count(), 0);
        let (mut value, mut front) = (0, 0);
        for s in 0..count {
            self.value_starts.push(value);
            self.front_starts.push(front);
            let columns = symbolic.columns(s);
            let height = symbolic.front_height(s);
            let length = height.next_multiple_of(CHUNK);
            let first = length - height;
            for (k, &node) in symbolic.permutation()[columns.clone()].iter().enumerate() {
                self.places[node as usize] = front + first + 3 * k;
            }
            value += (blocks(first..first + 3 * columns.len()))
                .map(|block| block_size(&block, length))
                .sum::<usize>();
            front += length;
        }
        self.value_starts.push(value);
        self.front_starts.push(front);
        self.values.grow(value * CHUNK / 2);
    }

    /// Number of nodes; zero without a factor.
    pub fn row_count(&self) -> usize {
        self.places.len()
    }

    /// x ← A⁻¹ x to single precision. An entry that is not finite leaves NaN behind.
    pub fn solve(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        let symbolic = self.symbolic.as_ref().ok_or(SolveError::NotFactorized)?;
        SolveError::check_size("right-hand side", symbolic.row_count(), x.len())?;
        let largest = flat(x).iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        if largest == 0.0 || !largest.is_finite() {
            // the maximum passes over NaN
            let zero = x.iter().all(|&v| v == Vec3::ZERO);
            flat_mut(x).fill(if zero { 0.0 } else { f64::NAN });
            return Ok(());
        }
        let unit = power_of_two(largest);
        let length = self.front_starts.last().copied().unwrap_or(0);
        scratch.rounded.grow(length / 2);
        let fronts = &mut scratch.rounded.rounded_mut()[..length];
        let (nodes, _) = flat_mut(x).as_chunks_mut::<3>();
        let scale = 1.0 / unit;
        for (node, &at) in nodes.iter().zip(&self.places) {
            for (row, value) in fronts[at..at + 3].iter_mut().zip(node) {
                *row = (value * scale) as f32;
            }
        }
        let (values, _) = self.values.rounded().as_chunks::<CHUNK>();
        let sweep = Sweep {
            symbolic,
            values,
            value_starts: &self.value_starts,
            front_starts: &self.front_starts,
            level: Level::new(),
        };
        sweep.run(fronts);
        let scale = unit * self.scale;
        for (node, &at) in nodes.iter_mut().zip(&self.places) {
            for (value, row) in node.iter_mut().zip(&fronts[at..at + 3]) {
                *value = f64::from(*row) * scale;
            }
        }
        Ok(())
    }
}

/// The largest power of two that a positive number holds.
fn power_of_two(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

fn largest_pivot(view: &SupernodeView<'_>) -> f64 {
    let pivots = view.values.iter().step_by(view.leading_dimension + 1);
    let pivots = pivots.take(3 * view.column_count);
    pivots.fold(0.0, |most, &pivot| most.max(pivot))
}

/// The blocks of the columns of a panel.
fn blocks(columns: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = columns.end;
    columns
        .step_by(BLOCK)
        .map(move |first| first..end.min(first + BLOCK))
}

/// Chunks of the inverse of the diagonal triangle of a block, stored as a square by columns.
const fn triangle_size(width: usize) -> usize {
    (width * width).div_ceil(CHUNK)
}

/// Chunks of a block of columns of a front of `length` rows.
fn block_size(columns: &Range<usize>, length: usize) -> usize {
    triangle_size(columns.len()) + columns.len() * (length / CHUNK - columns.end / CHUNK)
}

struct Copying<'a> {
    factor: &'a Llt,
    starts: &'a [usize],
    scale: f64,
    /// The smallest scaled pivot.
    least: f64,
    parallel: bool,
}

impl Copying<'_> {
    /// Copies some panels; `chunks` are theirs.
    fn panels(&self, range: Range<usize>, chunks: &mut [Chunk]) {
        let size = self.starts[range.end] - self.starts[range.start];
        if range.len() > 1 && self.parallel && 8 * CHUNK * size > PARALLEL_ENTRIES {
            // the middle of the numbers, with at least one panel on either side
            let target = self.starts[range.start] + size / 2;
            let middle = self.starts[range.clone()].partition_point(|&start| start < target);
            let middle = range.start + middle.clamp(1, range.len() - 1);
            let at = self.starts[middle] - self.starts[range.start];
            let (low, high) = chunks.split_at_mut(at);
            rayon::join(
                || self.panels(range.start..middle, low),
                || self.panels(middle..range.end, high),
            );
            return;
        }
        let mut rest = chunks;
        for s in range {
            let view = self.factor.supernode(s);
            let height = view.leading_dimension;
            let length = height.next_multiple_of(CHUNK);
            let first = length - height;
            for block in blocks(first..first + 3 * view.column_count) {
                let own;
                (own, rest) = rest.split_at_mut(block_size(&block, length));
                let (triangle, below) = own.split_at_mut(triangle_size(block.len()));
                self.triangle(&view, block.start - first..block.end - first, triangle);
                let start = block.end / CHUNK * CHUNK;
                for (k, columns) in below.chunks_exact_mut(block.len()).enumerate() {
                    let row = start + k * CHUNK;
                    for (c, chunk) in block.clone().zip(columns) {
                        let column = &view.values[(c - first) * height..][..height];
                        let missing = block.end.saturating_sub(row);
                        chunk[..missing].fill(0.0);
                        let column = &column[row + missing - first..row + CHUNK - first];
                        for (single, value) in chunk[missing..].iter_mut().zip(column) {
                            *single = (value * self.scale) as f32;
                        }
                    }
                }
            }
        }
    }

    /// The inverse of a diagonal triangle.
    fn triangle(&self, view: &SupernodeView<'_>, columns: Range<usize>, chunks: &mut [Chunk]) {
        let width = columns.len();
        let numbers = chunks.as_flattened_mut();
        numbers.fill(0.0);
        let mut inverse = [[0.0; BLOCK]; BLOCK];
        let entry = |r: usize, c: usize| {
            self.scale
                * view.values[(columns.start + c) * view.leading_dimension + columns.start + r]
        };
        for c in 0..width {
            for r in c..width {
                let mut value = if r == c { 1.0 } else { 0.0 };
                for k in c..r {
                    value -= entry(r, k) * inverse[c][k];
                }
                inverse[c][r] = value / entry(r, r).max(self.least);
                numbers[c * width + r] = inverse[c][r] as f32;
            }
        }
    }
}

impl Row for f32 {
    type Entry = Chunk;

    fn add(&mut self, other: &f32) {
        *self += other;
    }

    fn forward(level: Level, panel: &[Chunk], columns: Range<usize>, front: &mut [f32]) {
        dispatch!(level, simd => {
            let mut rest = panel;
            for block in blocks(columns) {
                let own;
                (own, rest) = rest.split_at(block_size(&block, front.len()));
                match block.len() {
                    BLOCK => forward_block::<_, BLOCK>(simd, own, block.start, front),
                    _ => forward_block::<_, 3>(simd, own, block.start, front),
                }
            }
        });
    }

    fn backward(level: Level, panel: &[Chunk], columns: Range<usize>, front: &mut [f32]) {
        dispatch!(level, simd => {
            let mut rest = panel;
            let mut end = columns.end;
            while end > columns.start {
                let first = columns.start + (end - columns.start - 1) / BLOCK * BLOCK;
                let own;
                (rest, own) = rest.split_at(rest.len() - block_size(&(first..end), front.len()));
                match end - first {
                    BLOCK => backward_block::<_, BLOCK>(simd, own, first, front),
                    _ => backward_block::<_, 3>(simd, own, first, front),
                }
                end = first;
            }
        });
    }
}

#[inline(always)]
fn forward_block<S: Simd, const W: usize>(
    simd: S,
    block: &[Chunk],
    column: usize,
    front: &mut [f32],
) {
    let (triangle, below) = block.split_at(triangle_size(W));
    let triangle = &triangle.as_flattened()[..W * W];
    let head = &mut front[column..column + W];
    let mut x = [0.0; W];
    for c in 0..W {
        for r in c..W {
            x[r] += triangle[c * W + r] * head[c];
        }
    }
    head.copy_from_slice(&x);
    let (columns, _) = below.as_chunks::<W>();
    let (rows, _) = front.as_chunks_mut::<CHUNK>();
    let rows = &mut rows[(column + W) / CHUNK..];
    let factors: [f32x16<S>; W] = std::array::from_fn(|a| f32x16::splat(simd, -x[a]));
    for (row, entries) in rows.iter_mut().zip(columns) {
        let mut sum = f32x16::load_array_ref(simd, row);
        for a in 0..W {
            sum = f32x16::load_array_ref(simd, &entries[a]).mul_add(factors[a], sum);
        }
        sum.store_array(row);
    }
}

#[inline(always)]
fn backward_block<S: Simd, const W: usize>(
    simd: S,
    block: &[Chunk],
    column: usize,
    front: &mut [f32],
) {
    let (triangle, below) = block.split_at(triangle_size(W));
    let triangle = &triangle.as_flattened()[..W * W];
    let (columns, _) = below.as_chunks::<W>();
    let (rows, _) = front.as_chunks::<CHUNK>();
    let rows = &rows[(column + W) / CHUNK..];
    let mut sums = [f32x16::splat(simd, 0.0); W];
    // backwards, so that a sweep reads the factor as one descending stream
    for (row, entries) in rows.iter().zip(columns).rev() {
        let known = f32x16::load_array_ref(simd, row);
        for a in 0..W {
            sums[a] = f32x16::load_array_ref(simd, &entries[a]).mul_add(known, sums[a]);
        }
    }
    let head = &mut front[column..column + W];
    let mut rest = [0.0; W];
    for a in 0..W {
        rest[a] = head[a] - sums[a].reduce_sum();
    }
    for c in 0..W {
        let mut x = 0.0;
        for r in c..W {
            x += triangle[c * W + r] * rest[r];
        }
        head[c] = x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{dot, norm_squared};
    use crate::testing::{fill_spd, random_spd, random_vector, relative_residual, spring_grid};
    use crate::{
        BlockMatrix, BlockPattern, Mat3, PartInverse, PartPcg, PartSystem, Pcg, PcgSettings,
        Preconditioner,
    };

    fn copy(matrix: &BlockMatrix) -> SingleFactor {
        let mut single = SingleFactor::new();
        single
            .copy_from(&Llt::from_matrix(matrix).unwrap())
            .unwrap();
        single
    }

    fn solved(single: &SingleFactor, rhs: &[Vec3]) -> Vec<Vec3> {
        let mut x = rhs.to_vec();
        single.solve(&mut x, &mut SolveScratch::new()).unwrap();
        x
    }

    fn scaled(matrix: &BlockMatrix, scale: f64) -> BlockMatrix {
        let mut matrix = matrix.clone();
        for block in matrix.values_mut() {
            *block *= scale;
        }
        matrix
    }

    #[test]
    fn agrees_with_the_factor_on_matrices_of_any_shape() {
        let mut matrices: Vec<_> = [1, 2, 3, 5, 50, 700]
            .into_iter()
            .map(|n| random_spd(n, n as u64))
            .collect();
        let components = BlockPattern::from_edges(9, &[[0, 7], [7, 3], [2, 5]]).unwrap();
        matrices.push(fill_spd(Arc::new(components), 1));
        matrices.push(spring_grid([16, 12, 12]));
        // one copy, of one after the other
        let mut single = SingleFactor::new();
        let mut scratch = SolveScratch::new();
        for matrix in &matrices {
            let llt = Llt::from_matrix(matrix).unwrap();
            single.copy_from(&llt).unwrap();
            let n = matrix.row_count();
            assert_eq!(single.row_count(), n);
            let (mut x, mut y) = (random_vector(n, 2), random_vector(n, 2));
            llt.solve(&mut x, &mut scratch).unwrap();
            single.solve(&mut y, &mut scratch).unwrap();
            let difference: Vec<Vec3> = x.iter().zip(&y).map(|(&x, &y)| x - y).collect();
            let error = (norm_squared(&difference) / norm_squared(&x)).sqrt();
            assert!(error < 2e-5, "{n}: {error:e}");
        }
    }

    #[test]
    fn is_symmetric_and_positive() {
        let single = copy(&spring_grid([14, 9, 9]));
        let n = single.row_count();
        for seed in 0..5 {
            let (a, b) = (random_vector(n, seed), random_vector(n, seed + 50));
            let (x, y) = (solved(&single, &a), solved(&single, &b));
            let scale = (dot(&a, &x) * dot(&b, &y)).sqrt();
            assert!(scale > 0.0);
            assert!((dot(&a, &y) - dot(&b, &x)).abs() < 1e-5 * scale);
        }
    }

    #[test]
    fn units_change_nothing_but_the_exponent() {
        let matrix = random_spd(200, 3);
        let rhs = random_vector(200, 4);
        let x = solved(&copy(&matrix), &rhs);
        // masses far below a nanogram and forces to match, in powers of two
        for (unit, force) in [(-400, -900), (400, 0), (-100, 600)] {
            let (unit, force) = (2.0_f64.powi(unit), 2.0_f64.powi(force));
            let small: Vec<Vec3> = rhs.iter().map(|&v| v * force).collect();
            let y = solved(&copy(&scaled(&matrix, unit)), &small);
            for (x, y) in x.iter().zip(&y) {
                assert_eq!(*x, *y * unit * (1.0 / force));
            }
        }
    }

    #[test]
    fn pivots_of_any_size_stay_in_range() {
        let pattern = Arc::new(BlockPattern::from_edges(61, &[[0, 59]]).unwrap());
        let mut matrix = BlockMatrix::new(pattern);
        for i in 0..61 {
            matrix.add_diagonal(i, Mat3::IDENTITY * 10.0_f64.powi(-4 * i as i32));
        }
        let one = Vec3::new(0.0, 1.0, 0.0);
        let x = solved(&copy(&matrix), &[one; 61]);
        for (i, x) in x.iter().enumerate() {
            // 2⁻⁵⁰ squared is 8e-31
            let expected = 10.0_f64.powi(4 * i as i32).min(2.0_f64.powi(100));
            assert!((x.y / expected - 1.0).abs() < 1e-6, "{i}: {x:?}");
        }
    }

    struct Inverse(SingleFactor, SolveScratch);

    impl PartInverse for Inverse {
        fn apply(&mut self, _: &[bool], r: &[Vec3], z: &mut [Vec3]) {
            z.copy_from_slice(r);
            self.0.solve(z, &mut self.1).unwrap();
        }
    }

    #[test]
    fn preconditions_in_two_or_three_iterations_with_the_same_bits_on_any_threads() {
        let matrix = spring_grid([24, 9, 9]);
        let n = matrix.row_count();
        let rhs = random_vector(n, 7);
        let settings = PcgSettings {
            relative_tolerance: 1e-10,
            ..PcgSettings::default()
        };
        let llt = Llt::from_matrix(&matrix).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let mut inverse = Inverse(SingleFactor::new(), SolveScratch::new());
                inverse.0.copy_from(&llt).unwrap();
                let mut x = vec![Vec3::ZERO; n];
                let mut pcg = PartPcg::new();
                let system = PartSystem {
                    operator: &matrix,
                    ends: &[n],
                    rhs: &rhs,
                    scale: &rhs,
                };
                (pcg.solve(&system, &mut inverse, &mut x, (1e-10, 9))).unwrap();
                let report = pcg.reports().next().unwrap();
                assert!(report.converged && (2..=3).contains(&report.iterations));
                assert!(relative_residual(&matrix, &x, &rhs) < 1.1e-10);
                x
            })
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(3));
        let mut jacobi = Preconditioner::block_jacobi();
        jacobi.prepare(matrix.diagonal_blocks(), &[]).unwrap();
        let mut x = vec![Vec3::ZERO; n];
        let slow = (Pcg::new().solve(&matrix, &jacobi, &rhs, &mut x, &settings)).unwrap();
        assert!(slow.iterations > 50);
    }

    #[test]
    fn bad_input_is_an_error_or_nan() {
        let matrix = random_spd(10, 1);
        let mut single = SingleFactor::new();
        let mut scratch = SolveScratch::new();
        let mut x = vec![Vec3::ZERO; 10];
        let missing = Err(SolveError::NotFactorized);
        assert_eq!(single.solve(&mut x, &mut scratch), missing);
        let symbolic = Arc::new(LltSymbolic::new(matrix.pattern()).unwrap());
        assert_eq!(single.copy_from(&Llt::new(symbolic)), missing);
        single
            .copy_from(&Llt::from_matrix(&matrix).unwrap())
            .unwrap();
        assert!(single.solve(&mut x[..9], &mut scratch).is_err());
        single.solve(&mut x, &mut scratch).unwrap();
        assert_eq!(x, [Vec3::ZERO; 10]);
        for bad in [f64::NAN, f64::INFINITY] {
            x.fill(Vec3::ZERO);
            x[3].y = bad;
            single.solve(&mut x, &mut scratch).unwrap();
            assert!(x.iter().all(|x| x.x.is_nan()));
        }
    }
}
