//! J R⁻¹ Jᵀ + (γ/h²) H_qq⁻¹: how far positions follow impulses, as a velocity (METHODS 1.4).

use super::layout::Layout;
use super::responses::Responses;
use crate::solver::{FactorPart, InverseOperator};
use pliant_linalg::{
    BlockRows, DenseLlt, Llt, Mat3, SolveError, SolveScratch, SparseColumns, Vec3, flat, flat_mut,
};

/// See the file header.
#[derive(Default)]
pub(super) struct CondensedInverse {
    /// Of H' without the dynamic unknowns, which have a diagonal of their own.
    pub factor: Option<Llt>,
    /// The dynamic unknowns.
    pub layout: Layout,
    /// Island of each row.
    pub island_of: Vec<u32>,
    /// J, one column a slot.
    pub responses: Responses,
    /// R = JᵀAJ of each island.
    pub reduced: Vec<DenseLlt>,
    /// √(γβ) for quasi-static unknowns, zero for dynamic and prescribed ones: T with γβ H'_qq⁻¹ = T (L Lᵀ)⁻¹ Tᵀ.
    pub maps: Vec<Mat3>,
}

impl CondensedInverse {
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
        self.responses.restrict(&self.layout, x)
    }

    /// x += J y.
    pub fn add_expanded(&self, y: &[f64], x: &mut [f64]) {
        self.responses
            .add_expanded(&self.layout, &self.island_of, y, x);
    }

    /// y ← R⁻¹ y.
    pub fn solve_reduced(&self, y: &mut [f64]) {
        for (island, reduced) in self.reduced.iter().enumerate() {
            reduced.solve(&mut y[self.layout.of_island(island)]);
        }
    }
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
                let rows = [0, 1, 2].map(|axis| self.responses.row(3 * row + axis));
                for slot in 0..count {
                    let j = Vec3::new(rows[0][slot], rows[1][slot], rows[2][slot]);
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
