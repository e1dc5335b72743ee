//! Symmetric positive definite matrices of plain numbers, such as Laplacians, by the factor that works on 3×3 blocks.
//!
//! Unknowns that follow each other in an elimination order are taken three at a time: a thousand of them make 334 blocks.

use crate::block_matrix::{BlockMatrix, BlockPattern};
use crate::error::SolveError;
use crate::llt::Llt;
use crate::llt_solve::SolveScratch;
use crate::mat3::Mat3;
use crate::ordering::elimination_order;
use crate::symbolic::LltSymbolic;
use std::sync::Arc;

/// A factorised matrix with one number for each pair of unknowns.
#[derive(Debug)]
pub struct ScalarFactor {
    factor: Llt,
    /// Place of each unknown in the order of elimination.
    places: Vec<u32>,
    columns: Vec<f64>,
    scratch: SolveScratch,
}

impl ScalarFactor {
    /// Factorises the matrix with this diagonal and these entries off it, each pair of unknowns once.
    pub fn new(diagonal: &[f64], entries: &[([u32; 2], f64)]) -> Result<ScalarFactor, SolveError> {
        let count = diagonal.len();
        let edges: Vec<[u32; 2]> = entries.iter().map(|entry| entry.0).collect();
        let graph = BlockPattern::from_edges(count, &edges)?;
        let mut places = vec![0; count];
        for (place, &node) in elimination_order(&graph)?.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        let blocks = count.div_ceil(3);
        let placed: Vec<[u32; 2]> = (edges.iter())
            .map(|edge| edge.map(|node| places[node as usize]))
            .collect();
        let coarse: Vec<[u32; 2]> = placed.iter().map(|edge| edge.map(|p| p / 3)).collect();
        let pattern = Arc::new(BlockPattern::from_edges(blocks, &coarse)?);
        let mut matrix = BlockMatrix::new(pattern.clone());
        let mut add = |row: u32, column: u32, value: f64| {
            let mut block = Mat3::ZERO;
            block.set(row as usize % 3, column as usize % 3, value);
            matrix.add_block(row as usize / 3, column as usize / 3, block);
        };
        for (&place, &value) in places.iter().zip(diagonal) {
            add(place, place, value);
        }
        for (&[row, column], &(_, value)) in placed.iter().zip(entries) {
            add(row, column, value);
            add(column, row, value);
        }
        // the last block may have rows that belong to nothing
        for rest in count as u32..3 * blocks as u32 {
            add(rest, rest, 1.0);
        }
        let order: Vec<u32> = (0..blocks as u32).collect();
        let mut factor = Llt::new(Arc::new(LltSymbolic::with_order(&pattern, &order)?));
        factor.factorize(&matrix)?;
        Ok(ScalarFactor {
            factor,
            places,
            columns: Vec::new(),
            scratch: SolveScratch::new(),
        })
    }

    /// Solves for right-hand sides by columns, in place.
    pub fn solve_many(&mut self, count: usize, columns: &mut [f64]) -> Result<(), SolveError> {
        let (given, length) = (self.places.len(), 3 * self.factor.symbolic().row_count());
        if columns.len() != count * given {
            return Err(SolveError::PatternMismatch);
        }
        self.columns.clear();
        self.columns.resize(count * length, 0.0);
        for column in 0..count {
            for (node, &place) in self.places.iter().enumerate() {
                self.columns[column * length + place as usize] = columns[column * given + node];
            }
        }
        self.factor
            .solve_many(count, &mut self.columns, &mut self.scratch)?;
        for column in 0..count {
            for (node, &place) in self.places.iter().enumerate() {
                columns[column * given + node] = self.columns[column * length + place as usize];
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_any_length() {
        for count in [1, 2, 3, 4, 50] {
            let entries: Vec<([u32; 2], f64)> =
                (1..count as u32).map(|n| ([n - 1, n], -1.0)).collect();
            let diagonal: Vec<f64> = (0..count).map(|n| 2.0 + 0.1 * n as f64).collect();
            let mut factor = ScalarFactor::new(&diagonal, &entries).unwrap();
            let wanted: Vec<f64> = (0..2 * count).map(|n| (n as f64).sin()).collect();
            let mut columns = vec![0.0; 2 * count];
            for column in 0..2 {
                let x = &wanted[column * count..(column + 1) * count];
                for n in 0..count {
                    let mut y = diagonal[n] * x[n];
                    if n > 0 {
                        y -= x[n - 1];
                    }
                    if n + 1 < count {
                        y -= x[n + 1];
                    }
                    columns[column * count + n] = y;
                }
            }
            factor.solve_many(2, &mut columns).unwrap();
            for (found, wanted) in columns.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-13);
            }
            assert!(factor.solve_many(3, &mut columns).is_err());
        }
        assert!(ScalarFactor::new(&[-1.0], &[]).is_err());
        assert!(ScalarFactor::new(&[1.0], &[([0, 5], -0.1)]).is_err());
    }
}
