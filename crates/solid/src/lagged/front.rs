//! The factors in use, one a body, turned: P = R (L Lᵀ)⁻¹ Rᵀ.

use crate::solver::{FactorPart, InverseOperator};
use pliant_linalg::{
    Llt, LltSymbolic, Mat3, NodeCompliance, PartInverse, SingleFactor, SolveError, SolveScratch,
    Vec3,
};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Everything made of one matrix.
pub(super) struct Prepared {
    llt: Llt,
    /// For conjugate gradients, where half the memory traffic counts more than the last digits.
    single: SingleFactor,
    /// Columns of its inverse that constraints have asked for.
    kept: Mutex<NodeCompliance>,
}

impl Prepared {
    pub fn new(symbolic: Arc<LltSymbolic>, kept_nodes: usize) -> Prepared {
        Prepared {
            llt: Llt::new(symbolic),
            single: SingleFactor::new(),
            kept: Mutex::new(NodeCompliance::with_limit(kept_nodes)),
        }
    }

    /// Factorises the matrix with these blocks and solves the columns of some rows.
    pub fn fill(&mut self, blocks: &[Mat3], prefetch: &[u32]) -> Result<(), SolveError> {
        self.llt.factorize_blocks(blocks)?;
        self.single.copy_from(&self.llt)?;
        let kept = self.kept.get_mut();
        let kept = kept.unwrap_or_else(PoisonError::into_inner); // it is cleared here
        kept.clear();
        kept.couple(&self.llt, prefetch).map(|_| ())
    }
}

/// The factor of one body.
pub(super) struct FrontPart {
    pub rows: Range<usize>,
    /// None before the first.
    pub prepared: Option<Box<Prepared>>,
    /// One solve at a time.
    scratch: Mutex<SolveScratch>,
}

impl FrontPart {
    pub fn new(rows: Range<usize>) -> FrontPart {
        FrontPart {
            rows,
            prepared: None,
            scratch: Mutex::default(),
        }
    }

    /// The same factor for other rows.
    pub fn moved(self, rows: &Range<usize>) -> FrontPart {
        FrontPart {
            rows: rows.clone(),
            ..self
        }
    }

    /// x ← A⁻¹ x with the factor, or its copy in single precision.
    fn solve(&self, x: &mut [Vec3], exact: bool) -> Result<(), SolveError> {
        let Prepared { llt, single, .. } =
            self.prepared.as_deref().ok_or(SolveError::NotFactorized)?;
        let scratch = &mut self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        match exact {
            true => llt.solve(x, scratch),
            false => single.solve(x, scratch),
        }
    }
}

/// See the file header. The parts follow each other and have all rows.
#[derive(Default)]
pub(super) struct Front {
    pub parts: Vec<FrontPart>,
    /// R of each row; empty where factors do not turn.
    pub turns: Vec<Mat3>,
    /// The system of conjugate gradients that each part is in: couplings make one of several.
    pub groups: Vec<usize>,
    /// Whether conjugate gradients use the factors themselves, not their copies in single precision.
    pub exact: bool,
}

impl Front {
    /// x ← R (L Lᵀ)⁻¹ Rᵀ x in the parts that are wanted.
    fn solve(
        &self,
        wanted: impl Fn(usize) -> bool,
        x: &mut [Vec3],
        exact: bool,
    ) -> Result<(), SolveError> {
        let mut rest = x;
        let mut pieces = Vec::with_capacity(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            let (own, after) = rest.split_at_mut(part.rows.len());
            rest = after;
            if wanted(index) {
                pieces.push((part, own));
            }
        }
        let solve = |(part, x): (&FrontPart, &mut [Vec3])| {
            let turns = match self.turns.is_empty() {
                true => &[],
                false => &self.turns[part.rows.clone()],
            };
            for (x, turn) in x.iter_mut().zip(turns) {
                *x = turn.transpose() * *x;
            }
            part.solve(x, exact)?;
            for (x, turn) in x.iter_mut().zip(turns) {
                *x = *turn * *x;
            }
            Ok(())
        };
        match pieces.len() {
            0 | 1 => pieces.into_iter().try_for_each(solve),
            _ => pieces.into_par_iter().try_for_each(solve),
        }
    }
}

impl InverseOperator for Front {
    fn row_count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.rows.end)
    }

    fn apply(&self, x: &mut [Vec3], _: &mut SolveScratch) -> Result<(), SolveError> {
        self.solve(|_| true, x, true)
    }

    fn parts(&self) -> Vec<FactorPart<'_>> {
        let factors = self.parts.iter().filter_map(|part| {
            let prepared = part.prepared.as_deref()?;
            Some(FactorPart {
                rows: part.rows.clone(),
                factor: &prepared.llt,
                kept: Some(&prepared.kept),
            })
        });
        factors.collect()
    }

    fn turns(&self) -> &[Mat3] {
        &self.turns
    }
}

impl PartInverse for Front {
    fn apply(&mut self, wanted: &[bool], r: &[Vec3], z: &mut [Vec3]) {
        z.copy_from_slice(r);
        let solved = self.solve(|part| wanted[self.groups[part]], z, self.exact);
        debug_assert!(solved.is_ok(), "all are filled before a solve");
    }
}
