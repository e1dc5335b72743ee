//! Symmetric sparse matrices of 3×3 blocks: the pattern (shared) and the values.
//!
//! Both triangles are stored, so that a product needs no scatter and a row can be read alone.
//! Blocks of a row are sorted by column; a block is nine `f64` by columns, like [`Mat3`].

use crate::error::SolveError;
use crate::mat3::Mat3;
use crate::reduce::{dot, dot_chunk, fold};
use crate::vec3::{Vec3, flat};
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch, f64x4};
use std::ops::Range;
use std::sync::Arc;

/// Rows from which a product is worth a second thread.
const PARALLEL_ROWS: usize = 512;

/// A symmetric linear map on nodal vectors.
pub trait LinearOperator: Sync {
    /// Number of nodes, a third of the degrees of freedom.
    fn row_count(&self) -> usize;
    /// y ← A x.
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]);
    /// y ← A x, returning xᵀ A x.
    fn apply_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        self.apply(x, y);
        dot(x, y)
    }
}

/// Which 3×3 blocks of a symmetric matrix are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    row_starts: Vec<u32>,
    columns: Vec<u32>,
    diagonal: Vec<u32>,
}

impl BlockPattern {
    /// The pattern of a sum of dense element matrices, one for each list of nodes.
    pub fn from_cliques<'a>(
        node_count: usize,
        cliques: impl Iterator<Item = &'a [u32]> + Clone,
    ) -> Result<BlockPattern, SolveError> {
        let too_large = |what, count| SolveError::TooLarge { what, count };
        if node_count >= u32::MAX as usize {
            return Err(too_large("nodes", node_count));
        }
        // node → cliques, as offsets into the concatenated node lists
        let mut starts = vec![0_usize; node_count + 1];
        let mut members = Vec::new();
        let mut clique_starts = vec![0_usize];
        for clique in cliques {
            for &node in clique {
                let node = node as usize;
                if node >= node_count {
                    return Err(SolveError::NoSuchNode { node, node_count });
                }
                starts[node + 1] += 1;
            }
            members.extend_from_slice(clique);
            clique_starts.push(members.len());
        }
        for i in 0..node_count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut cliques_of = vec![0_usize; members.len()];
        for c in 0..clique_starts.len() - 1 {
            for &node in &members[clique_starts[c]..clique_starts[c + 1]] {
                cliques_of[next[node as usize]] = c;
                next[node as usize] += 1;
            }
        }
        Self::from_rows(node_count, |i, row| {
            for &c in &cliques_of[starts[i]..starts[i + 1]] {
                row.extend_from_slice(&members[clique_starts[c]..clique_starts[c + 1]]);
            }
        })
    }

    /// The pattern of a graph; edges may be given in either direction and repeatedly.
    pub fn from_edges(node_count: usize, edges: &[[u32; 2]]) -> Result<BlockPattern, SolveError> {
        Self::from_cliques(node_count, edges.iter().map(|edge| edge.as_slice()))
    }

    /// The pattern of some rows, which have no block in other columns.
    pub fn part(&self, rows: Range<usize>) -> Result<BlockPattern, SolveError> {
        let inside = |&j: &u32| rows.contains(&(j as usize));
        if let Some(row) = (rows.clone()).find(|&row| !self.row(row).iter().all(inside)) {
            return Err(SolveError::NotSeparate { node: row });
        }
        let first = rows.start as u32;
        Self::from_rows(rows.len(), |i, row| {
            row.extend(self.row(rows.start + i).iter().map(|j| j - first));
        })
    }

    /// The pattern of the rows whose columns `fill` appends to a list, which is sorted and cleared of repetitions; the diagonal is added, and
    /// the caller sees to symmetry.
    pub fn from_rows(
        node_count: usize,
        mut fill: impl FnMut(usize, &mut Vec<u32>),
    ) -> Result<BlockPattern, SolveError> {
        let mut row_starts = Vec::with_capacity(node_count + 1);
        let mut diagonal = Vec::with_capacity(node_count);
        let mut columns: Vec<u32> = Vec::new();
        let mut row = Vec::new();
        row_starts.push(0);
        for i in 0..node_count {
            row.clear();
            fill(i, &mut row);
            row.push(i as u32);
            row.sort_unstable();
            row.dedup();
            if let Some(&last) = row.last().filter(|&&last| last as usize >= node_count) {
                let node = last as usize;
                return Err(SolveError::NoSuchNode { node, node_count });
            }
            let on_diagonal = row.partition_point(|&j| (j as usize) < i);
            diagonal.push((columns.len() + on_diagonal) as u32);
            columns.extend_from_slice(&row);
            if columns.len() >= u32::MAX as usize {
                return Err(SolveError::TooLarge {
                    what: "blocks",
                    count: columns.len(),
                });
            }
            row_starts.push(columns.len() as u32);
        }
        Ok(BlockPattern {
            row_starts,
            columns,
            diagonal,
        })
    }

    /// Number of nodes.
    #[inline]
    pub fn row_count(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of stored blocks, both triangles and the diagonal.
    #[inline]
    pub fn block_count(&self) -> usize {
        self.columns.len()
    }

    /// Where each row begins in [`Self::columns`]; one entry more than rows.
    pub fn row_starts(&self) -> &[u32] {
        &self.row_starts
    }

    /// The column of every block, row after row.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The position of the diagonal block of row `i`.
    #[inline]
    pub fn diagonal_position(&self, i: usize) -> usize {
        self.diagonal[i] as usize
    }

    /// The sorted columns of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.row_starts[i] as usize..self.row_starts[i + 1] as usize]
    }

    /// The position of block (i, j), or `None` when it is not stored.
    #[inline]
    pub fn position(&self, i: usize, j: usize) -> Option<usize> {
        let (row, j) = (self.row(i), j as u32);
        // rows of meshes are short: comparing with all of them is faster than branches that nobody can predict
        let found = match row.len() {
            0..=SHORT_ROW => row.iter().map(|&other| usize::from(other < j)).sum(),
            _ => row.partition_point(|&other| other < j),
        };
        (row.get(found) == Some(&j)).then(|| self.row_starts[i] as usize + found)
    }

    /// For every block (i, j) the place of (j, i).
    pub(crate) fn mirrors(&self) -> Vec<u32> {
        // rows are met in ascending order, so that the mirrors in a row are met from its start to its end
        let mut next = self.row_starts.clone();
        let mirror = |&column: &u32| {
            let place = next[column as usize];
            next[column as usize] += 1;
            place
        };
        self.columns.iter().map(mirror).collect()
    }
}

/// Rows up to this length are searched from end to end.
const SHORT_ROW: usize = 48;

/// A symmetric matrix of 3×3 blocks. Symmetry of the values is the caller's promise.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<f64>,
}

impl BlockMatrix {
    /// The zero matrix of a pattern.
    pub fn new(pattern: Arc<BlockPattern>) -> BlockMatrix {
        let values = vec![0.0; 9 * pattern.block_count()];
        BlockMatrix { pattern, values }
    }

    /// The pattern.
    #[inline]
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Number of nodes.
    #[inline]
    pub fn row_count(&self) -> usize {
        self.pattern.row_count()
    }

    /// All values: nine a block, by columns, in the order of the pattern.
    #[inline]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Mutable [`Self::values`].
    #[inline]
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// All blocks in the order of the pattern.
    #[inline]
    pub fn blocks(&self) -> &[Mat3] {
        bytemuck::cast_slice(&self.values)
    }

    /// Mutable [`Self::blocks`].
    #[inline]
    pub fn blocks_mut(&mut self) -> &mut [Mat3] {
        bytemuck::cast_slice_mut(&mut self.values)
    }

    /// Block (i, j); zero when it is not stored.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        self.pattern
            .position(i, j)
            .map_or(Mat3::ZERO, |at| self.blocks()[at])
    }

    /// The diagonal block of node `i`.
    #[inline]
    pub fn diagonal_block(&self, i: usize) -> Mat3 {
        self.blocks()[self.pattern.diagonal_position(i)]
    }

    /// All diagonal blocks in order.
    pub fn diagonal_blocks(&self) -> impl ExactSizeIterator<Item = Mat3> + '_ {
        (0..self.row_count()).map(|i| self.diagonal_block(i))
    }

    /// Adds to the diagonal block of node `i`.
    #[inline]
    pub fn add_diagonal(&mut self, i: usize, addend: Mat3) {
        let at = self.pattern.diagonal_position(i);
        self.blocks_mut()[at] += addend;
    }

    /// Adds to block (i, j), if it is stored; the caller adds the transpose to (j, i). Returns whether it is stored.
    pub fn add_block(&mut self, i: usize, j: usize, addend: Mat3) -> bool {
        let Some(at) = self.pattern.position(i, j) else {
            return false;
        };
        self.blocks_mut()[at] += addend;
        true
    }

    /// Sets every value to zero.
    pub fn set_zero(&mut self) {
        self.values.fill(0.0);
    }

    /// Turns scalar degrees of freedom (3 node + axis) into identity rows and columns times `scale`.
    pub fn mask_dofs(&mut self, dofs: &[u32], scale: f64) -> Result<(), SolveError> {
        let node_count = self.row_count();
        let pattern = Arc::clone(&self.pattern);
        for &dof in dofs {
            let (i, axis) = (dof as usize / 3, dof as usize % 3);
            if i >= node_count {
                return Err(SolveError::NoSuchNode {
                    node: i,
                    node_count,
                });
            }
            let start = pattern.row_starts[i] as usize;
            for (k, &j) in pattern.row(i).iter().enumerate() {
                let block = &mut self.blocks_mut()[start + k];
                for column in &mut block.columns {
                    column[axis] = 0.0;
                }
                if let Some(mirror) = pattern.position(j as usize, i) {
                    self.blocks_mut()[mirror].columns[axis] = Vec3::ZERO;
                }
            }
            let diagonal = pattern.diagonal_position(i);
            self.blocks_mut()[diagonal].set(axis, axis, scale);
        }
        Ok(())
    }

    /// y ← A x.
    pub fn multiply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.multiply_part(0..self.row_count(), x, y);
    }

    /// y ← A x for a run of rows whose blocks all lie in the columns of the same run; x and y begin with its first row.
    pub fn multiply_part(&self, rows: Range<usize>, x: &[Vec3], y: &mut [Vec3]) {
        let level = Level::new();
        let first = rows.start;
        let parallel = rows.len() >= PARALLEL_ROWS;
        fold((rows, y), parallel, &|(rows, y): (_, &mut [Vec3])| {
            dispatch!(level, simd => multiply_rows(simd, self, rows, first, x, y));
            []
        });
    }

    /// y ← A x, returning xᵀ A x, in one pass over the matrix.
    pub fn multiply_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        let level = Level::new();
        let rows = 0..self.row_count();
        let parallel = rows.len() >= PARALLEL_ROWS;
        let [sum] = fold((rows, y, x), parallel, &|(rows, y, x_rows): (
            _,
            &mut [Vec3],
            &[Vec3],
        )| {
            dispatch!(level, simd => {
                multiply_rows(simd, self, rows, 0, x, y);
                [dot_chunk(simd, flat(x_rows), flat(y))]
            })
        });
        sum
    }

    /// The matrix as rows of scalars, for tests and small problems.
    pub fn to_dense(&self) -> Vec<Vec<f64>> {
        let n = self.row_count();
        let mut dense = vec![vec![0.0; 3 * n]; 3 * n];
        for i in 0..n {
            for &j in self.pattern.row(i) {
                let block = self.block(i, j as usize);
                for r in 0..3 {
                    for c in 0..3 {
                        dense[3 * i + r][3 * j as usize + c] = block.at(r, c);
                    }
                }
            }
        }
        dense
    }

    /// The largest |A − Aᵀ| entry, for tests.
    pub fn symmetry_error(&self) -> f64 {
        let mut error = 0.0_f64;
        for i in 0..self.row_count() {
            for &j in self.pattern.row(i) {
                let (a, b) = (self.block(i, j as usize), self.block(j as usize, i));
                error = error.max((a - b.transpose()).max_abs());
            }
        }
        error
    }
}

impl LinearOperator for BlockMatrix {
    fn row_count(&self) -> usize {
        self.pattern.row_count()
    }
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.multiply(x, y);
    }
    fn apply_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        self.multiply_dot(x, y)
    }
}

/// The rows `rows` of y ← A x. One accumulator a block column; the last one is loaded one entry early, so that
/// all loads stay inside the block: its lanes 1 to 3 hold the column.
#[inline(always)]
fn multiply_rows<S: Simd>(
    simd: S,
    matrix: &BlockMatrix,
    rows: Range<usize>,
    first: usize,
    x: &[Vec3],
    y: &mut [Vec3],
) {
    let pattern = &*matrix.pattern;
    let starts = &pattern.row_starts[rows.start..rows.end + 1];
    for (out, bounds) in y.iter_mut().zip(starts.windows(2)) {
        let range = bounds[0] as usize..bounds[1] as usize;
        *out = row_product(simd, matrix, range, first, x);
    }
}

/// Σ A_ij x_j over the blocks at the positions `range` of one row; x begins with row `start`.
#[inline(always)]
pub(crate) fn row_product<S: Simd>(
    simd: S,
    matrix: &BlockMatrix,
    range: Range<usize>,
    start: usize,
    x: &[Vec3],
) -> Vec3 {
    let blocks: &[[f64; 9]] = bytemuck::cast_slice(&matrix.values);
    let columns = &matrix.pattern.columns[range.clone()];
    let mut first = f64x4::splat(simd, 0.0);
    let mut second = f64x4::splat(simd, 0.0);
    let mut third = f64x4::splat(simd, 0.0);
    for (block, &j) in blocks[range].iter().zip(columns) {
        let v = x[j as usize - start];
        first = f64x4::from_slice(simd, &block[0..4]).mul_add(v.x, first);
        second = f64x4::from_slice(simd, &block[3..7]).mul_add(v.y, second);
        third = f64x4::from_slice(simd, &block[5..9]).mul_add(v.z, third);
    }
    let sum = first + second;
    Vec3::new(sum[0] + third[1], sum[1] + third[2], sum[2] + third[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_spd, random_vector};

    #[test]
    fn pattern_of_two_triangles_is_sorted_and_symmetric() {
        let cliques: [&[u32]; 2] = [&[2, 0, 1], &[3, 2, 1]];
        let pattern = BlockPattern::from_cliques(5, cliques.into_iter()).unwrap();
        assert_eq!(pattern.row(0), [0, 1, 2]);
        assert_eq!(pattern.row(1), [0, 1, 2, 3]);
        assert_eq!(pattern.row(3), [1, 2, 3]);
        assert_eq!(pattern.row(4), [4]);
        assert_eq!(pattern.position(3, 0), None);
        for i in 0..5 {
            assert_eq!(pattern.position(i, i), Some(pattern.diagonal_position(i)));
        }
        let bad: [&[u32]; 1] = [&[0, 5]];
        assert_eq!(
            BlockPattern::from_cliques(5, bad.into_iter()),
            Err(SolveError::NoSuchNode {
                node: 5,
                node_count: 5
            })
        );
    }

    #[test]
    fn product_matches_dense_and_does_not_depend_on_threads() {
        for n in [1, 7, 300, 1500] {
            let matrix = random_spd(n, 3);
            let x = random_vector(n, 4);
            let run = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                let mut y = vec![Vec3::ZERO; n];
                let form = pool.install(|| matrix.multiply_dot(&x, &mut y));
                (y, form)
            };
            let (y, form) = run(2);
            assert_eq!((y.clone(), form), run(1));
            let mut plain = vec![Vec3::ZERO; n];
            matrix.multiply(&x, &mut plain);
            assert_eq!(plain, y);
            for i in 0..n {
                let mut sum = Vec3::ZERO;
                for &j in matrix.pattern().row(i) {
                    sum += matrix.block(i, j as usize) * x[j as usize];
                }
                assert!((sum - y[i]).norm() <= 1e-13 * (1.0 + sum.norm()));
            }
            assert!((form - dot(&x, &y)).abs() <= 1e-12 * form.abs());
        }
    }

    #[test]
    fn masked_dofs_are_identity_rows_and_columns() {
        let mut matrix = random_spd(6, 9);
        let before = matrix.to_dense();
        matrix.mask_dofs(&[4, 17], 2.5).unwrap();
        let after = matrix.to_dense();
        for r in 0..18 {
            for c in 0..18 {
                let masked = [4, 17].contains(&r) || [4, 17].contains(&c);
                let expected = match masked {
                    true if r == c => 2.5,
                    true => 0.0,
                    false => before[r][c],
                };
                assert_eq!(after[r][c], expected);
            }
        }
        assert_eq!(matrix.symmetry_error(), 0.0);
        assert!(matrix.mask_dofs(&[18], 1.0).is_err());
    }
}
