//! What can go wrong in a linear solve. Not reaching a tolerance is a report, never one of these.

/// A linear system that could not be set up or solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A pivot of the factorisation is not positive.
    #[error(
        "the matrix is not positive definite: pivot {value:e} at node {node}, axis {axis}; \
         project the element stiffness to positive semidefinite, add mass, or fix rigid motions"
    )]
    NotPositiveDefinite {
        /// The node of the caller's numbering.
        node: usize,
        /// 0, 1 or 2: the component of the node.
        axis: usize,
        /// The pivot that should have been positive.
        value: f64,
    },
    /// Conjugate gradients met a direction of non-positive curvature.
    #[error(
        "the {operator} is not positive definite: quadratic form {value:e} in iteration {iteration}; \
         project the element stiffness to positive semidefinite, or use a direct solver to find the node"
    )]
    NegativeCurvature {
        /// "matrix" or "preconditioner".
        operator: &'static str,
        /// pᵀAp or rᵀM⁻¹r, which should have been positive.
        value: f64,
        /// The iteration, counted from one.
        iteration: usize,
    },
    /// An infinity or a NaN appeared.
    #[error("the {what} is not finite")]
    NonFinite {
        /// What was found to be infinite or NaN.
        what: &'static str,
    },
    /// Two things that must have as many nodes do not.
    #[error("the {what} has {found} entries where {expected} are needed")]
    SizeMismatch {
        /// What has the wrong size.
        what: &'static str,
        /// The size of the system.
        expected: usize,
        /// The size that came.
        found: usize,
    },
    /// A node index beyond the node count.
    #[error("node {node} does not exist: there are {node_count} nodes")]
    NoSuchNode {
        /// The index that came.
        node: usize,
        /// The number of nodes.
        node_count: usize,
    },
    /// A part of a matrix was asked for that is coupled to the rest.
    #[error("the rows of node {node} reach out of their part of the matrix")]
    NotSeparate {
        /// The node.
        node: usize,
    },
    /// Something that this solver cannot do.
    #[error("{what} is not supported; {instead}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// More nodes or blocks than 32-bit indices can name.
    #[error("the matrix is too large: {count} {what} exceed 32-bit indices")]
    TooLarge {
        /// What is too many.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// The matrix has another pattern than the one that was analysed.
    #[error(
        "the matrix does not have the sparsity pattern that was analysed; analyse its pattern first"
    )]
    PatternMismatch,
    /// A solve before a successful factorisation.
    #[error("there is no factor to solve with; factorise a matrix first")]
    NotFactorized,
    /// The nested dissection failed.
    #[error("the fill-reducing ordering failed: {reason}")]
    Ordering {
        /// What the ordering library said.
        reason: String,
    },
}

impl SolveError {
    /// The same error with nodes counted in the whole, when it is about a part that begins at node `first`.
    pub fn in_part(self, first: usize) -> SolveError {
        match self {
            SolveError::NotPositiveDefinite { node, axis, value } => {
                SolveError::NotPositiveDefinite {
                    node: node + first,
                    axis,
                    value,
                }
            }
            other => other,
        }
    }

    /// An error unless `found == expected`.
    pub(crate) fn check_size(
        what: &'static str,
        expected: usize,
        found: usize,
    ) -> Result<(), SolveError> {
        if found == expected {
            Ok(())
        } else {
            Err(SolveError::SizeMismatch {
                what,
                expected,
                found,
            })
        }
    }

    /// An error unless all nodes exist.
    pub(crate) fn check_nodes(nodes: &[u32], node_count: usize) -> Result<(), SolveError> {
        match nodes.iter().find(|&&node| node as usize >= node_count) {
            Some(&node) => Err(SolveError::NoSuchNode {
                node: node as usize,
                node_count,
            }),
            None => Ok(()),
        }
    }
}
