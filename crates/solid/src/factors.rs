//! Sparse Cholesky factors of a system, one for each body, or for bodies in a row that contacts tie together.
//!
//! A body whose rows are coupled as before keeps the symbolic analysis that it has while others get new ones. Large factors that go out
//! of use are kept: a body that is wholly elastic again has the analysis and the memory that it had. Where spaces come and go there is
//! memory for another factor of each body from the start: getting it from the system takes longer than a small factorisation.

use crate::solver::{FactorPart, InverseOperator};
use crate::system::System;
use pliant_linalg::{BlockPattern, Llt, LltSymbolic, Mat3, SolveError, SolveScratch, Vec3};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// See the file header.
#[derive(Default)]
pub(crate) struct Factors {
    /// Of which space the parts are.
    revision: Option<u64>,
    /// They follow each other and have all rows.
    parts: Vec<Part>,
    /// Those that went out of use, one a body at most.
    spare: Vec<Part>,
    /// Memory for others, one a body at most.
    room: Vec<Llt>,
}

/// The factor of some rows that are coupled to no others.
struct Part {
    rows: Range<usize>,
    /// Where its blocks are in the matrix of all rows.
    blocks: Range<usize>,
    /// The elimination order that it was made with, where one was given.
    order: Option<Vec<u32>>,
    llt: Llt,
    /// One solve at a time.
    scratch: Mutex<SolveScratch>,
}

impl Factors {
    /// Factorises the system's matrix.
    pub fn update(&mut self, system: &System) -> Result<(), SolveError> {
        if self.revision != Some(system.revision) {
            self.revision = None; // in case of an error
            self.analyse(system)?;
            self.revision = Some(system.revision);
        }
        factorize(&mut self.parts, system.matrix.blocks())
    }

    /// Finds the parts; those that are coupled as one that was there before take its analysis.
    fn analyse(&mut self, system: &System) -> Result<(), SolveError> {
        let pattern = system.matrix.pattern();
        let runs = separate_runs(pattern, system.bodies.iter().map(|body| body.rows.end));
        let (rows, in_use) = (self.row_count(), self.parts.len());
        let mut known = std::mem::take(&mut self.parts);
        known.append(&mut self.spare);
        let orders = split_order(system.order.as_deref().map(|o| &o[..]), &runs);
        let patterns = runs.par_iter().map(|rows| pattern.part(rows.clone()));
        let patterns = patterns.collect::<Result<Vec<_>, SolveError>>()?;
        let mut known: Vec<Option<Part>> = known.into_iter().map(Some).collect();
        let mut reuse = |(own, order): (&BlockPattern, &Option<Vec<u32>>)| {
            let same =
                |part: &Part| **part.llt.symbolic().pattern() == *own && part.order == *order;
            let found = known.iter_mut().find(|p| p.as_ref().is_some_and(same));
            found.and_then(Option::take)
        };
        let reused: Vec<Option<Part>> = patterns.iter().zip(&orders).map(&mut reuse).collect();
        // those of a space that has become smaller are kept; in one that only couples other nodes they would not be asked for again
        let smaller = pattern.row_count() < rows;
        let left = known.into_iter().enumerate();
        let left = left.filter_map(|(index, part)| Some((index, part?)));
        let (mut spare, mut old): (Vec<_>, Vec<_>) =
            left.partition(|(index, _)| smaller || *index >= in_use);
        spare.sort_by_key(|(_, part)| std::cmp::Reverse(part.rows.len()));
        old.extend(spare.drain(spare.len().min(system.bodies.len())..));
        self.spare = spare.into_iter().map(|(_, part)| part).collect();
        let first = in_use == 0;
        let old = old.into_iter().map(|(_, part)| part.llt);
        let mut room = old.chain(std::mem::take(&mut self.room));
        let memory = reused.iter().map(|part| match part {
            Some(_) => None,
            None => room.next(),
        });
        let memory: Vec<Option<Llt>> = memory.collect();
        self.room = room.take(system.bodies.len()).collect();
        let starts = pattern.row_starts();
        let made = reused
            .into_par_iter()
            .zip(memory)
            .zip(patterns)
            .zip(orders)
            .zip(&runs)
            .map(|((((known, memory), own), order), rows)| {
                let llt = match known {
                    Some(part) => part.llt,
                    None => {
                        let own = Arc::new(own);
                        let symbolic = Arc::new(match &order {
                            Some(order) => LltSymbolic::with_order(&own, order)?,
                            None => LltSymbolic::new(&own)?,
                        });
                        Llt::in_memory_of(memory, symbolic)
                    }
                };
                Ok(Part {
                    rows: rows.clone(),
                    blocks: starts[rows.start] as usize..starts[rows.end] as usize,
                    order,
                    llt,
                    scratch: Mutex::default(),
                })
            });
        self.parts = made.collect::<Result<Vec<_>, SolveError>>()?;
        if first && system.order.is_some() {
            self.room = self.parts.iter().map(|part| part.llt.room()).collect();
        }
        Ok(())
    }
}

impl InverseOperator for Factors {
    fn row_count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.rows.end)
    }

    fn apply(&self, x: &mut [Vec3], _: &mut SolveScratch) -> Result<(), SolveError> {
        solve(&self.parts, x)
    }

    fn parts(&self) -> Vec<FactorPart<'_>> {
        let parts = self.parts.iter().map(|part| FactorPart {
            rows: part.rows.clone(),
            factor: &part.llt,
            kept: None,
        });
        parts.collect()
    }
}

/// Factorises parts, halves of them at a time on other threads; the error of the first part that has one.
fn factorize(parts: &mut [Part], blocks: &[Mat3]) -> Result<(), SolveError> {
    match parts {
        [] => Ok(()),
        [part] => {
            let made = part.llt.factorize_blocks(&blocks[part.blocks.clone()]);
            made.map_err(|error| error.in_part(part.rows.start))
        }
        _ => {
            let (left, right) = parts.split_at_mut(parts.len() / 2);
            let (left, right) =
                rayon::join(|| factorize(left, blocks), || factorize(right, blocks));
            left.and(right)
        }
    }
}

/// x ← A⁻¹ x for the rows of some parts, in the same way.
fn solve(parts: &[Part], x: &mut [Vec3]) -> Result<(), SolveError> {
    match parts {
        [] => Ok(()),
        [part] => {
            let scratch = &mut part.scratch.lock().unwrap_or_else(PoisonError::into_inner);
            part.llt.solve(x, scratch)
        }
        _ => {
            let (left, right) = parts.split_at(parts.len() / 2);
            let rows = right[0].rows.start - left[0].rows.start;
            let (x, y) = x.split_at_mut(rows);
            let (left, right) = rayon::join(|| solve(left, x), || solve(right, y));
            left.and(right)
        }
    }
}

/// Runs of rows that no block leaves, each of whole bodies, from where the rows of each body end.
fn separate_runs(
    pattern: &BlockPattern,
    body_ends: impl Iterator<Item = usize>,
) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let (mut start, mut row, mut reach) = (0, 0, 0);
    for end in body_ends {
        for row in row..end {
            // columns ascend, and the matrix is symmetric
            reach = reach.max(pattern.row(row).last().map_or(0, |&last| last as usize + 1));
        }
        row = end;
        if reach <= end && end > start {
            runs.push(start..end);
            start = end;
        }
    }
    runs
}

/// The elimination order of each run, counted from its first row.
fn split_order(order: Option<&[u32]>, runs: &[Range<usize>]) -> Vec<Option<Vec<u32>>> {
    let Some(order) = order else {
        return vec![None; runs.len()];
    };
    let mut orders: Vec<Vec<u32>> = runs.iter().map(|r| Vec::with_capacity(r.len())).collect();
    for &row in order {
        let run = runs.partition_point(|r| r.end <= row as usize);
        orders[run].push(row - runs[run].start as u32);
    }
    orders.into_iter().map(Some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_nothing_ties_are_runs_of_their_own() {
        let chain = |edges: &[[u32; 2]]| BlockPattern::from_edges(7, edges).unwrap();
        let ends = || [3, 3, 5, 7].into_iter(); // the second body has no rows
        let apart = chain(&[[0, 1], [1, 2], [3, 4], [5, 6]]);
        assert_eq!(separate_runs(&apart, ends()), [0..3, 3..5, 5..7]);
        let tied = chain(&[[0, 1], [1, 3], [5, 6]]);
        assert_eq!(separate_runs(&tied, ends()), [0..5, 5..7]);
        // what lies between two that are tied goes with them
        let around = chain(&[[0, 6], [3, 4]]);
        assert_eq!(
            separate_runs(&around, ends()),
            std::slice::from_ref(&(0..7))
        );
        let none = BlockPattern::from_edges(0, &[]).unwrap();
        assert_eq!(separate_runs(&none, [0, 0].into_iter()), []);
    }

    #[test]
    fn orders_are_split_without_changing_their_sequence() {
        let orders = split_order(Some(&[4, 0, 2, 3, 1]), &[0..3, 3..5]);
        assert_eq!(orders, [Some(vec![0, 2, 1]), Some(vec![1, 0])]);
        assert_eq!(split_order(None, &[0..3, 3..5]), [None, None]);
    }
}
