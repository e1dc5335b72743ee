//! Preconditioners of conjugate gradients: z = M⁻¹ r with M diagonal or block-diagonal.

use crate::error::SolveError;
use crate::mat3::Mat3;
use crate::reduce::{PARALLEL_NODES, Split, dot_chunk, fold};
use crate::vec3::{Vec3, flat, vec3};
use fearless_simd::Simd;

/// An approximate inverse M⁻¹ of a matrix. The stored numbers are those of M⁻¹.
#[derive(Clone, Debug, Default)]
pub enum Preconditioner {
    /// M = 1.
    #[default]
    Identity,
    /// M = nodal masses; holds 1/m.
    Mass(Vec<f64>),
    /// M = the scalar diagonal; holds its inverse.
    Jacobi(Vec<Vec3>),
    /// M = the 3×3 diagonal blocks; holds their inverses.
    BlockJacobi(Vec<Mat3>),
}

impl Preconditioner {
    /// An unprepared mass preconditioner.
    pub fn mass() -> Self {
        Preconditioner::Mass(Vec::new())
    }

    /// An unprepared scalar Jacobi preconditioner.
    pub fn jacobi() -> Self {
        Preconditioner::Jacobi(Vec::new())
    }

    /// An unprepared block-Jacobi preconditioner.
    pub fn block_jacobi() -> Self {
        Preconditioner::BlockJacobi(Vec::new())
    }

    /// Computes M⁻¹ from the diagonal blocks of a matrix and nodal masses (kg; read by [`Preconditioner::Mass`] only),
    /// reusing memory.
    ///
    /// An entry that is not positive is replaced by one, a block that is not positive definite by its diagonal.
    pub fn prepare(
        &mut self,
        diagonal: impl ExactSizeIterator<Item = Mat3>,
        mass: &[f64],
    ) -> Result<(), SolveError> {
        let n = diagonal.len();
        match self {
            Preconditioner::Identity => {}
            Preconditioner::Mass(inverse) => {
                SolveError::check_size("nodal mass", n, mass.len())?;
                inverse.clear();
                inverse.extend(mass.iter().map(|&m| positive_inverse(m)));
            }
            Preconditioner::Jacobi(inverse) => {
                inverse.clear();
                inverse.extend(diagonal.map(|block| diagonal_inverse(&block)));
            }
            Preconditioner::BlockJacobi(inverse) => {
                inverse.clear();
                inverse.extend(diagonal.map(|block| block_inverse(&block)));
            }
        }
        Ok(())
    }

    /// A lower bound of the eigenvalues of M⁻¹A for a matrix that is at least diag(`mass`), from its diagonal blocks.
    pub fn eigenvalue_bound(
        &self,
        diagonal: impl ExactSizeIterator<Item = Mat3>,
        mass: &[f64],
    ) -> f64 {
        // least over the nodes of mass over the largest eigenvalue of the node's block of M
        let least = |largest: &mut dyn Iterator<Item = f64>| {
            let shares = mass.iter().zip(largest).map(|(&m, most)| m / most);
            shares.fold(f64::INFINITY, f64::min)
        };
        match self {
            Preconditioner::Identity => least(&mut mass.iter().map(|_| 1.0)),
            Preconditioner::Mass(_) => 1.0,
            Preconditioner::Jacobi(_) => {
                least(&mut diagonal.map(|b| b.at(0, 0).max(b.at(1, 1)).max(b.at(2, 2))))
            }
            Preconditioner::BlockJacobi(_) => least(&mut diagonal.map(|b| b.norm())),
        }
    }

    /// Nodes it was prepared for; `None` when it fits any number.
    pub fn row_count(&self) -> Option<usize> {
        match self {
            Preconditioner::Identity => None,
            Preconditioner::Mass(inverse) => Some(inverse.len()),
            Preconditioner::Jacobi(inverse) => Some(inverse.len()),
            Preconditioner::BlockJacobi(inverse) => Some(inverse.len()),
        }
    }

    /// z ← M⁻¹ r.
    pub fn apply(&self, r: &[Vec3], z: &mut [Vec3]) {
        let parallel = r.len() >= PARALLEL_NODES;
        fold((r, z, self.view()), parallel, &|(r, z, inverse): (
            _,
            &mut [Vec3],
            InverseView,
        )| {
            inverse.apply(r, z);
            []
        });
    }

    /// A view that splits with the nodal arrays of a fused pass.
    pub(crate) fn view(&self) -> InverseView<'_> {
        match self {
            Preconditioner::Identity => InverseView::Identity,
            Preconditioner::Mass(inverse) => InverseView::Mass(inverse),
            Preconditioner::Jacobi(inverse) => InverseView::Jacobi(inverse),
            Preconditioner::BlockJacobi(inverse) => InverseView::BlockJacobi(inverse),
        }
    }
}

/// Part of a [`Preconditioner`].
#[derive(Clone, Copy)]
pub(crate) enum InverseView<'a> {
    Identity,
    Mass(&'a [f64]),
    Jacobi(&'a [Vec3]),
    BlockJacobi(&'a [Mat3]),
}

impl InverseView<'_> {
    /// z ← M⁻¹ r, returning rᵀz.
    #[inline(always)]
    pub(crate) fn apply_dot<S: Simd>(self, simd: S, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        self.apply(r, z);
        dot_chunk(simd, flat(r), flat(z))
    }

    #[inline(always)]
    pub(crate) fn apply(self, r: &[Vec3], z: &mut [Vec3]) {
        match self {
            InverseView::Identity => z.copy_from_slice(r),
            InverseView::Mass(inverse) => {
                for ((z, r), m) in z.iter_mut().zip(r).zip(inverse) {
                    *z = *r * *m;
                }
            }
            InverseView::Jacobi(inverse) => {
                for ((z, r), d) in z.iter_mut().zip(r).zip(inverse) {
                    *z = r.scale(*d);
                }
            }
            InverseView::BlockJacobi(inverse) => {
                for ((z, r), b) in z.iter_mut().zip(r).zip(inverse) {
                    *z = *b * *r;
                }
            }
        }
    }
}

impl Split for InverseView<'_> {
    fn node_count(&self) -> usize {
        match self {
            InverseView::Identity => 0,
            InverseView::Mass(inverse) => inverse.len(),
            InverseView::Jacobi(inverse) => inverse.len(),
            InverseView::BlockJacobi(inverse) => inverse.len(),
        }
    }
    fn split(self, at: usize) -> (Self, Self) {
        match self {
            InverseView::Identity => (self, self),
            InverseView::Mass(inverse) => {
                let (a, b) = inverse.split_at(at);
                (InverseView::Mass(a), InverseView::Mass(b))
            }
            InverseView::Jacobi(inverse) => {
                let (a, b) = inverse.split_at(at);
                (InverseView::Jacobi(a), InverseView::Jacobi(b))
            }
            InverseView::BlockJacobi(inverse) => {
                let (a, b) = inverse.split_at(at);
                (InverseView::BlockJacobi(a), InverseView::BlockJacobi(b))
            }
        }
    }
}

fn positive_inverse(value: f64) -> f64 {
    if value > 0.0 && value.is_finite() {
        1.0 / value
    } else {
        1.0
    }
}

fn diagonal_inverse(block: &Mat3) -> Vec3 {
    vec3(
        positive_inverse(block.at(0, 0)),
        positive_inverse(block.at(1, 1)),
        positive_inverse(block.at(2, 2)),
    )
}

/// The inverse of the symmetric part, by Sylvester's criterion on the leading minors.
fn block_inverse(block: &Mat3) -> Mat3 {
    let a = block.symmetric_part();
    let minor = a.at(0, 0) * a.at(1, 1) - a.at(0, 1) * a.at(1, 0);
    let definite = a.at(0, 0) > 0.0 && minor > 0.0 && a.determinant() > 0.0;
    match a.inverse() {
        Some(inverse) if definite && inverse.is_finite() => inverse.symmetric_part(),
        _ => Mat3::diagonal(diagonal_inverse(block)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_spd, random_vector};

    #[test]
    fn block_jacobi_inverts_the_diagonal_blocks() {
        let matrix = random_spd(40, 1);
        let mut preconditioner = Preconditioner::block_jacobi();
        preconditioner
            .prepare(matrix.diagonal_blocks(), &[])
            .unwrap();
        let r = random_vector(40, 2);
        let mut z = vec![Vec3::ZERO; 40];
        preconditioner.apply(&r, &mut z);
        for i in 0..40 {
            assert!((matrix.diagonal_block(i) * z[i] - r[i]).norm() < 1e-12);
        }
    }

    #[test]
    fn bad_blocks_fall_back_to_their_diagonal() {
        let indefinite = Mat3::from_rows([[1.0, 4.0, 0.0], [4.0, 2.0, 0.0], [0.0, 0.0, -3.0]]);
        assert_eq!(
            block_inverse(&indefinite),
            Mat3::diagonal(vec3(1.0, 0.5, 1.0))
        );
        assert_eq!(block_inverse(&Mat3::ZERO), Mat3::IDENTITY);
    }

    #[test]
    fn mass_needs_one_mass_a_node() {
        let matrix = random_spd(3, 1);
        let mut preconditioner = Preconditioner::mass();
        assert!(
            preconditioner
                .prepare(matrix.diagonal_blocks(), &[1.0])
                .is_err()
        );
        preconditioner
            .prepare(matrix.diagonal_blocks(), &[1.0, 2.0, 0.0])
            .unwrap();
        let mut z = vec![Vec3::ZERO; 3];
        preconditioner.apply(&[vec3(1.0, 2.0, 3.0); 3], &mut z);
        assert_eq!(z[1], vec3(0.5, 1.0, 1.5));
        assert_eq!(z[2], vec3(1.0, 2.0, 3.0));
    }
}
