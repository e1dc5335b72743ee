//! The compliance of constraints, W = Cᵀ A⁻¹ C with C = Jᵀ in the rows of the space: the Delassus operator.
//!
//! It may be built with factors only, see [`InverseOperator`], and is the sum of what each adds. Several ways give the same numbers: every column through the whole
//! factor, only along its path in the elimination tree, or columns of the touched nodes [ZCC22], W = Ĥ (Ī A⁻¹ Īᵀ) Ĥᵀ, which may
//! be kept while the factor stands. A turned factor, A⁻¹ = R (L Lᵀ)⁻¹ Rᵀ, has the columns RᵀC.

use crate::settings::Variant;
use crate::solver::{FactorPart, InverseOperator};
use pliant_linalg::{
    BlockRows, DenseScratch, GramScratch, Mat3, NodeCompliance, PartSum, Reuse, SolveError,
    SolveScratch, SparseColumns, Vec3,
};
use std::sync::PoisonError;

/// Builds W.
pub trait Compliance: Send {
    /// W for the columns C of all constraints, in groups of three; how many nodes they touch, and how many of those had to be
    /// solved, where that is known.
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError>;
}

impl Variant {
    /// The way that this names; none that builds nothing.
    pub(crate) fn compliance(self) -> Option<Box<dyn Compliance>> {
        match self {
            Variant::Reuse => Some(Box::new(ByParts::new(IsolatedNodes {
                keeps: true,
                ..IsolatedNodes::default()
            }))),
            Variant::Isolated | Variant::Direct => {
                Some(Box::new(ByParts::<IsolatedNodes>::default()))
            }
            Variant::DenseSts => Some(Box::new(ByParts::<DenseSolves>::default())),
            Variant::Unbuilt => None,
        }
    }
}

/// Solves every column with the whole inverse, one by one: any inverse will do. The reference for all others.
#[derive(Default)]
pub struct WholeSolves {
    scratch: SolveScratch,
    solved: [Vec<Vec3>; 3],
}

impl Compliance for WholeSolves {
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        let groups = columns.starts.len().saturating_sub(1);
        *w = BlockRows::dense(groups, |_, _| Mat3::ZERO);
        for j in 0..groups {
            for (axis, solved) in self.solved.iter_mut().enumerate() {
                solved.clear();
                solved.resize(inverse.row_count(), Vec3::ZERO);
                for at in columns.starts[j]..columns.starts[j + 1] {
                    let column = columns.blocks[at].transpose().row(axis);
                    solved[columns.rows[at] as usize] += column;
                }
                inverse.apply(solved, &mut self.scratch)?;
            }
            for i in 0..groups {
                let mut block = Mat3::ZERO;
                for at in columns.starts[i]..columns.starts[i + 1] {
                    let row = columns.rows[at] as usize;
                    let [a, b, c] = [0, 1, 2].map(|axis| self.solved[axis][row]);
                    block += columns.blocks[at].transpose() * Mat3::from_columns(a, b, c);
                }
                w.blocks[i * groups + j] = block;
            }
        }
        Ok(Reuse::default())
    }
}

/// The columns RᵀC of a turned factor; C itself where it does not turn.
#[derive(Default)]
struct Turned(SparseColumns);

impl Turned {
    fn columns<'a>(
        &'a mut self,
        columns: &'a SparseColumns,
        inverse: &dyn InverseOperator,
    ) -> &'a SparseColumns {
        let turns = inverse.turns();
        if turns.is_empty() {
            return columns;
        }
        self.0.clone_from(columns);
        for (block, &row) in self.0.blocks.iter_mut().zip(&columns.rows) {
            *block = turns[row as usize].transpose() * *block;
        }
        &self.0
    }
}

/// A way to build the term of one factor.
pub trait PartCompliance: Send {
    /// Cᵀ (L Lᵀ)⁻¹ C of one factor, rows counted from its first.
    fn gram(
        &mut self,
        part: &FactorPart<'_>,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError>;
}

/// Builds W from the factors that the inverse is made of, one way for all.
#[derive(Default)]
pub struct ByParts<Way> {
    way: Way,
    turned: Turned,
    sum: PartSum,
    ends: Vec<usize>,
}

impl<Way: PartCompliance + Default> ByParts<Way> {
    /// In this way.
    pub fn new(way: Way) -> ByParts<Way> {
        ByParts {
            way,
            ..ByParts::default()
        }
    }
}

impl<Way: PartCompliance> Compliance for ByParts<Way> {
    fn delassus(
        &mut self,
        columns: &SparseColumns,
        inverse: &dyn InverseOperator,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        let parts = inverse.parts();
        self.ends.clear();
        self.ends.extend(parts.iter().map(|part| part.rows.end));
        if self.ends.last().copied().unwrap_or(0) != inverse.row_count() {
            return Err(SolveError::NotFactorized);
        }
        let turned = self.turned.columns(columns, inverse);
        let gram = |part: usize, columns: &SparseColumns, w: &mut BlockRows| {
            self.way.gram(&parts[part], columns, w)
        };
        let reuse = self.sum.gram(turned, &self.ends, w, gram)?;
        inverse.add_low_rank(columns, w);
        Ok(reuse)
    }
}

/// Solves the columns of constraints along paths of the elimination tree.
#[derive(Default)]
pub struct PathSolves(GramScratch);

impl PartCompliance for PathSolves {
    fn gram(
        &mut self,
        part: &FactorPart<'_>,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        part.factor.gram(columns, &mut self.0, w)?;
        Ok(Reuse::default())
    }
}

/// Solves the columns of constraints through the whole factor, as dense matrices [CAK14].
#[derive(Default)]
pub struct DenseSolves(DenseScratch);

impl PartCompliance for DenseSolves {
    fn gram(
        &mut self,
        part: &FactorPart<'_>,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        part.factor.dense_gram(columns, &mut self.0, w)?;
        Ok(Reuse::default())
    }
}

/// Solves the columns of touched nodes along paths of the elimination tree.
#[derive(Default)]
pub struct IsolatedNodes {
    /// Whether columns kept with a factor are used and added to.
    keeps: bool,
    /// Columns of this call, where none are kept.
    own: NodeCompliance,
}

impl PartCompliance for IsolatedNodes {
    fn gram(
        &mut self,
        part: &FactorPart<'_>,
        columns: &SparseColumns,
        w: &mut BlockRows,
    ) -> Result<Reuse, SolveError> {
        match part.kept.filter(|_| self.keeps) {
            // a poisoned one was left by a panic that ends the program anyway
            Some(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.gram(part.factor, columns, w)
            }
            None => {
                self.own.clear();
                self.own.gram(part.factor, columns, w)
            }
        }
    }
}
