//! J R⁻¹ Jᵀ + (γ/h²) H_qq⁻¹: how far positions follow impulses, as a velocity (METHODS 1.4).

use super::layout::Layout;
use crate::solver::{FactorPart, InverseOperator};
use fearless_simd::{Simd, prelude::*};
use pliant_linalg::lanes::{LANES, Lanes, splat};
use pliant_linalg::{
    BlockRows, DenseLlt, Llt, Mat3, SolveError, SolveScratch, SparseColumns, Vec3, flat, flat_mut,
    vectorize,
};

/// Scalar rows whose columns are multiplied while they are in the cache.
const BATCH: usize = 768;

/// See the file header.
#[derive(Default)]
pub(super) struct CondensedInverse {
    /// Of H' without the dynamic unknowns, which have a diagonal of their own.
    pub factor: Option<Llt>,
    /// The dynamic unknowns.
    pub layout: Layout,
    /// Island of each row.
    pub island_of: Vec<u32>,
    /// J, column by column, one a slot.
    pub jacobian: Vec<f64>,
    /// R = JᵀAJ of each island.
    pub reduced: Vec<DenseLlt>,
    /// √(γβ) for quasi-static unknowns, zero for dynamic and prescribed ones: T with γβ H'_qq⁻¹ = T (L Lᵀ)⁻¹ Tᵀ.
    pub maps: Vec<Mat3>,
}

impl CondensedInverse {
    /// Number of scalar rows.
    fn length(&self) -> usize {
        3 * self.island_of.len()
    }

    /// Column of a slot.
    pub fn column(&self, slot: usize) -> &[f64] {
        &self.jacobian[slot * self.length()..(slot + 1) * self.length()]
    }

    /// x ← γβ H'_qq⁻¹ x: how quasi-static unknowns follow impulses at once; zero for the others.
    pub fn follow(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        let weigh = |x: &mut [Vec3]| {
            let pairs = x.iter_mut().zip(&self.maps);
            pairs.for_each(|(x, map)| *x = *map * *x);
        };
        weigh(x);
        let factor = self.factor.as_ref().ok_or(SolveError::NotFactorized)?;
        factor.solve(x, scratch)?;
        weigh(x);
        Ok(())
    }

    /// Jᵀ x, in the order of the dynamic unknowns.
    pub fn restrict(&self, x: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.layout.dofs.len()];
        if self.layout.islands() == 1 {
            for (slot, sum) in result.iter_mut().enumerate() {
                *sum = dot(self.column(slot), x);
            }
            return result;
        }
        for slot in 0..self.layout.width {
            let column = self.column(slot).as_chunks::<3>().0;
            for ((c, x), &island) in column.iter().zip(x.as_chunks::<3>().0).zip(&self.island_of) {
                let range = self.layout.of_island(island as usize);
                if slot < range.len() {
                    result[range.start + slot] += c[0] * x[0] + c[1] * x[1] + c[2] * x[2];
                }
            }
        }
        result
    }

    /// x += J y.
    pub fn add_expanded(&self, y: &[f64], x: &mut [f64]) {
        for slot in 0..self.layout.width {
            let column = self.column(slot).as_chunks::<3>().0;
            let rows = x.as_chunks_mut::<3>().0.iter_mut();
            for ((x, c), &island) in rows.zip(column).zip(&self.island_of) {
                let range = self.layout.of_island(island as usize);
                if slot < range.len() {
                    let y = y[range.start + slot];
                    for axis in 0..3 {
                        x[axis] += c[axis] * y;
                    }
                }
            }
        }
    }

    /// y ← R⁻¹ y.
    pub fn solve_reduced(&self, y: &mut [f64]) {
        for (island, reduced) in self.reduced.iter().enumerate() {
            reduced.solve(&mut y[self.layout.of_island(island)]);
        }
    }

    /// Jᵀ diag(w) J with a weight a row, slot by slot as if all rows were one island where there is only one; entry (k, l), l ≤ k,
    /// of each island goes to `add(island, k, l, value)`.
    pub fn inertia(&self, weights: &[f64], mut add: impl FnMut(usize, usize, usize, f64)) {
        let width = self.layout.width;
        let islands = self.layout.islands();
        let mut sums = vec![0.0; islands * width * width];
        // runs of rows of one island, in batches that stay in the cache
        let mut scaled = vec![0.0; BATCH];
        let mut start = 0;
        while start < weights.len() {
            let island = self.island_of[start];
            let most = (start + BATCH / 3).min(weights.len());
            let same = self.island_of[start..most].iter();
            let end = start + same.take_while(|&&i| i == island).count();
            let island = island as usize;
            let count = self.layout.of_island(island).len();
            let rows = 3 * start..3 * end;
            for k in 0..count {
                let column = &self.column(k)[rows.clone()];
                let scaled = &mut scaled[..rows.len()];
                let triples = scaled.as_chunks_mut::<3>().0.iter_mut();
                let pairs = triples.zip(column.as_chunks::<3>().0);
                for ((s, c), &w) in pairs.zip(&weights[start..end]) {
                    *s = c.map(|c| c * w);
                }
                for l in 0..=k {
                    let other = &self.column(l)[rows.clone()];
                    sums[(island * width + k) * width + l] += dot(scaled, other);
                }
            }
            start = end;
        }
        for island in 0..islands {
            for k in 0..self.layout.of_island(island).len() {
                for l in 0..=k {
                    add(island, k, l, sums[(island * width + k) * width + l]);
                }
            }
        }
    }
}

/// Scalar product, summed in a fixed order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    vectorize!(simd => dot_lanes(simd, a, b))
}

#[inline(always)]
fn dot_lanes<S: Simd>(simd: S, a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sum = splat(simd, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b): (Lanes<S>, Lanes<S>) = (Lanes::simd_from(simd, *a), Lanes::simd_from(simd, *b));
        sum = a.mul_add(b, sum);
    }
    let lanes: [f64; LANES] = sum.into();
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}

impl InverseOperator for CondensedInverse {
    fn row_count(&self) -> usize {
        self.island_of.len()
    }

    fn apply(&self, x: &mut [Vec3], scratch: &mut SolveScratch) -> Result<(), SolveError> {
        let mut y = self.restrict(flat(x));
        self.solve_reduced(&mut y);
        self.follow(x, scratch)?;
        self.add_expanded(&y, flat_mut(x));
        Ok(())
    }

    fn parts(&self) -> Vec<FactorPart<'_>> {
        let part = |factor| FactorPart {
            rows: 0..self.island_of.len(),
            factor,
            kept: None,
        };
        self.factor.as_ref().map(part).into_iter().collect()
    }

    fn turns(&self) -> &[Mat3] {
        &self.maps
    }

    /// Cᵀ J R⁻¹ Jᵀ C.
    fn add_low_rank(&self, columns: &SparseColumns, w: &mut BlockRows) {
        // Jᵀ C of every group in every island that it touches
        let mut touched: Vec<(u32, u32, [Vec<f64>; 3])> = Vec::new();
        for group in 0..columns.group_count() {
            let first = touched.len();
            for at in columns.starts[group]..columns.starts[group + 1] {
                let row = columns.rows[at] as usize;
                let island = self.island_of[row];
                let count = self.layout.of_island(island as usize).len();
                let known = touched[first..].iter().position(|t| t.0 == island);
                let place = known.map_or(touched.len(), |k| first + k);
                if known.is_none() {
                    let zero = || vec![0.0; count];
                    touched.push((island, group as u32, [zero(), zero(), zero()]));
                }
                for slot in 0..count {
                    let j = &self.column(slot)[3 * row..3 * row + 3];
                    let j = Vec3::new(j[0], j[1], j[2]);
                    for (axis, sums) in touched[place].2.iter_mut().enumerate() {
                        sums[slot] += j.dot(columns.blocks[at].columns[axis]);
                    }
                }
            }
        }
        touched.sort_by_key(|&(island, group, _)| (island, group));
        for same in touched.chunk_by(|a, b| a.0 == b.0) {
            let reduced = &self.reduced[same[0].0 as usize];
            for (j, (_, column, sums)) in same.iter().enumerate() {
                let mut solved = sums.clone();
                solved.iter_mut().for_each(|s| reduced.solve(s));
                for (_, row, others) in &same[..=j] {
                    let block = Mat3::from_columns(
                        product(others, &solved[0]),
                        product(others, &solved[1]),
                        product(others, &solved[2]),
                    );
                    if row == column {
                        add_block(w, *row, *column, block.symmetric_part());
                    } else {
                        add_block(w, *row, *column, block);
                        add_block(w, *column, *row, block.transpose());
                    }
                }
            }
        }
    }
}

fn product(rows: &[Vec<f64>; 3], x: &[f64]) -> Vec3 {
    let [a, b, c] = [0, 1, 2].map(|i| rows[i].iter().zip(x).map(|(r, x)| r * x).sum());
    Vec3::new(a, b, c)
}

/// Adds to a block that the pattern of W holds: groups of one island have a common tree.
fn add_block(w: &mut BlockRows, row: u32, column: u32, block: Mat3) {
    let range = w.starts[row as usize]..w.starts[row as usize + 1];
    if let Ok(at) = w.columns[range.clone()].binary_search(&column) {
        w.blocks[range.start + at] += block;
    }
}
