//! What must be known of each body to go on exactly: the matrices whose factors are in use and under way, not the factors.

use crate::reduction::ReducedSpace;
use pliant_linalg::Mat3;
use std::ops::Range;
use std::sync::Arc;

/// The matrix of a body as it was in some step.
#[derive(Debug, PartialEq)]
pub struct Snapshot {
    /// Its blocks in the order of the pattern, kg.
    pub blocks: Vec<Mat3>,
    /// Rotations of the nodes' surroundings then, one a row; empty where factors do not turn.
    pub rotations: Vec<Mat3>,
    /// A number that tells the unknowns and the pattern from others.
    pub pattern: u64,
    /// Effective length of the step, s.
    pub h: f64,
}

/// A factorisation under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Coming {
    /// Of which matrix.
    pub snapshot: Arc<Snapshot>,
    /// Steps since it was assembled.
    pub age: u32,
    /// Steps after which it is in use.
    pub due: u32,
    /// Rows of the body whose columns are solved beforehand.
    pub prefetch: Arc<Vec<u32>>,
}

/// What factorisation in the background carries from step to step, for one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FactorMemory {
    /// The matrix whose factor is in use.
    pub current: Option<Arc<Snapshot>>,
    /// Steps since it was assembled.
    pub age: u32,
    /// The next.
    pub coming: Option<Coming>,
    /// Steps that the next factorisation is given; zero before the first.
    pub lag: u32,
    /// Most iterations of a solve in the last step; the largest number when none were enough.
    pub iterations: u32,
    /// Relative residual that the age of the factor left in the last step.
    pub delay: f64,
}

impl FactorMemory {
    /// Whether it is of the body with that fingerprint.
    pub(super) fn is_of_body(&self, fingerprint: u64) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|snapshot| snapshot.pattern == fingerprint)
    }

    /// Whether both speak of the very same matrices, not only of equal ones.
    pub(super) fn is_of(&self, other: &FactorMemory) -> bool {
        let same = |a: Option<&Arc<Snapshot>>, b: Option<&Arc<Snapshot>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let coming = |memory: &'_ FactorMemory| memory.coming.as_ref().map(|c| c.snapshot.clone());
        same(self.current.as_ref(), other.current.as_ref())
            && same(coming(self).as_ref(), coming(other).as_ref())
    }
}

/// A number that tells bodies in spaces apart, wherever their rows are: FNV-1a over the pattern, the nodes of its rows and what is
/// known of them.
pub(super) fn fingerprint(space: &ReducedSpace, rows: &Range<usize>) -> u64 {
    let pattern = space.pattern();
    let first = rows.start as u32;
    let graph =
        (rows.clone()).flat_map(|row| pattern.row(row).iter().map(|&column| column - first));
    let masked = space.masked();
    let before = |row: usize| masked.partition_point(|&dof| (dof as usize) < 3 * row);
    let masked = masked[before(rows.start)..before(rows.end)].iter();
    let masked = masked.map(|&dof| dof - 3 * first);
    let nodes = space.kept()[rows.clone()].iter().copied();
    let numbers = graph.chain(nodes).chain(masked);
    numbers
        .chain([rows.len() as u32])
        .fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            (hash ^ u64::from(number)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}
