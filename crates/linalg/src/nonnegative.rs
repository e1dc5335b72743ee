//! Least squares with weights that are not negative: min ½‖A w − b‖², w ≥ 0, by an active set [LH74, ch. 23].
//!
//! The passive weights solve their normal equations with a Cholesky factor that is updated when a column enters or leaves. Columns
//! are scaled to length one; one that nearly depends on the passive ones does not enter. Where the columns themselves are there,
//! the last step refines the passive weights with their true residual, so that squaring costs no digits.

use crate::dense_products::{combine, dot, gram};
use crate::reduce::add_scaled_chunk;
use crate::vectorize;

/// Squared sine of the angle to the span of the passive columns below which a column counts as dependent.
const DEPENDENT: f64 = 1e-12;

/// Gradient, relative to the largest at w = 0, below which no weight enters.
const GRADIENT: f64 = 1e-11;

/// The best weights and what they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct NonnegativeFit {
    /// w, one for each column.
    pub weights: Vec<f64>,
    /// ‖A w − b‖.
    pub residual: f64,
    /// Columns that entered or left.
    pub changes: usize,
    /// Whether the optimality conditions hold; false only when changes ran out, with the best feasible weights so far.
    pub optimal: bool,
}

/// Solves for columns of one length and a target; `start` are weights to begin with, none: zero. Numbers must be finite.
pub fn nonnegative_least_squares<C: AsRef<[f64]> + Sync>(
    columns: &[C],
    target: &[f64],
    start: Option<&[f64]>,
) -> NonnegativeFit {
    let normal = Normal::new(columns, target);
    let mut set = ActiveSet::new(&normal, (0..columns.len()).collect());
    let optimal = set.solve(&normal, start, 0.0);
    // two corrections with the residual that the columns themselves give
    let mut residual = residual(columns, &set.weights(), target);
    for _ in 0..2 {
        let correction: Vec<f64> = (set.passive.iter())
            .map(|&k| -dot(columns[k].as_ref(), &residual) / set.lengths[k])
            .collect();
        if !set.correct(correction) {
            break;
        }
        residual = self::residual(columns, &set.weights(), target);
    }
    NonnegativeFit {
        weights: set.weights(),
        residual: dot(&residual, &residual).sqrt(),
        changes: set.changes,
        optimal,
    }
}

/// A w − b.
pub(crate) fn residual<C: AsRef<[f64]> + Sync>(
    columns: &[C],
    weights: &[f64],
    target: &[f64],
) -> Vec<f64> {
    let mut product = combine(columns, &[weights.to_vec()]).remove(0);
    product.resize(target.len(), 0.0);
    product.iter_mut().zip(target).for_each(|(p, b)| *p -= b);
    product
}

/// G = AᵀA and Aᵀb.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    size: usize,
    /// Rows of the lower triangle.
    rows: Vec<Vec<f64>>,
    rhs: Vec<f64>,
    /// ‖b‖².
    target: f64,
}

impl Normal {
    /// Of all columns.
    pub(crate) fn new<C: AsRef<[f64]> + Sync>(columns: &[C], target: &[f64]) -> Normal {
        let size = columns.len();
        let gram = gram(columns);
        let row = |i: usize| gram[i * size..i * size + i + 1].to_vec();
        Normal {
            size,
            rows: (0..size).map(row).collect(),
            rhs: columns.iter().map(|c| dot(c.as_ref(), target)).collect(),
            target: dot(target, target),
        }
    }

    /// Takes one more column: its products with the columns so far and itself, and with the target.
    pub(crate) fn push(&mut self, products: Vec<f64>, rhs: f64) {
        self.size += 1;
        self.rows.push(products);
        self.rhs.push(rhs);
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.rows[i.max(j)][i.min(j)]
    }
}

/// Which weights are free, and the factor of their normal equations. Indices are places in `columns`.
#[derive(Default)]
pub(crate) struct ActiveSet {
    /// Those of the normal equations that may have weights.
    columns: Vec<usize>,
    /// Lengths of the columns; weights inside are those of columns of length one.
    lengths: Vec<f64>,
    scaled: Vec<f64>,
    passive: Vec<usize>,
    is_passive: Vec<bool>,
    /// Rows of L.
    factor: Vec<Vec<f64>>,
    changes: usize,
}

impl ActiveSet {
    /// For some of the columns of the normal equations.
    pub(crate) fn new(normal: &Normal, columns: Vec<usize>) -> ActiveSet {
        let mut set = ActiveSet::default();
        columns.into_iter().for_each(|c| set.allow(normal, c));
        set
    }

    /// Lets one more column have a weight.
    pub(crate) fn allow(&mut self, normal: &Normal, column: usize) {
        self.columns.push(column);
        self.lengths.push(normal.at(column, column).sqrt());
        self.scaled.push(0.0);
        self.is_passive.push(false);
    }

    /// The weights, one for each of the columns.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let scaled = self.scaled.iter().zip(&self.lengths);
        scaled
            .map(|(w, length)| if *w > 0.0 { w / length } else { 0.0 })
            .collect()
    }

    /// Cosine of the angle between two columns.
    fn product(&self, normal: &Normal, i: usize, j: usize) -> f64 {
        normal.at(self.columns[i], self.columns[j]) / (self.lengths[i] * self.lengths[j])
    }

    fn rhs(&self, normal: &Normal, i: usize) -> f64 {
        normal.rhs[self.columns[i]] / self.lengths[i]
    }

    /// Finds the optimum, from the present weights or from others; false when it ran out of changes. With a tolerance no more
    /// columns enter once ‖A w − b‖ ≤ tolerance · ‖b‖.
    pub(crate) fn solve(&mut self, normal: &Normal, start: Option<&[f64]>, tolerance: f64) -> bool {
        let n = self.columns.len();
        let usable: Vec<bool> = self.lengths.iter().map(|&l| l > 0.0).collect();
        if let Some(start) = start {
            for k in (0..n).filter(|&k| usable[k] && start[k] > 0.0) {
                if self.enter(normal, k) {
                    self.scaled[k] = start[k] * self.lengths[k];
                }
            }
            self.descend(normal);
        }
        let largest = (0..n)
            .filter(|&k| usable[k])
            .map(|k| self.rhs(normal, k).abs());
        let floor = GRADIENT * largest.fold(0.0, f64::max);
        // columns that did not help since the passive set last changed
        let mut refused = vec![false; n];
        let mut gradient = vec![0.0; n];
        let limit = self.changes + 20 * n + 100;
        while self.changes <= limit {
            // where the passive equations are solved, ‖A w − b‖² = ‖b‖² − wᵀAᵀb
            let held: f64 = (self.passive.iter())
                .map(|&k| self.scaled[k] * self.rhs(normal, k))
                .sum();
            if tolerance > 0.0 && normal.target - held <= tolerance * tolerance * normal.target {
                return true;
            }
            self.descent(normal, &mut gradient);
            let open = (0..n).filter(|&k| usable[k] && !self.is_passive[k] && !refused[k]);
            let best = open
                .filter(|&k| gradient[k] > floor)
                .max_by(|&a, &b| gradient[a].total_cmp(&gradient[b]).then(b.cmp(&a)));
            let Some(best) = best else { return true };
            if !self.enter(normal, best) {
                refused[best] = true;
                continue;
            }
            // rounding can give a column with a gradient above zero a weight below; it must not enter then
            let solution = self.passive_solution(normal);
            if solution.last().is_none_or(|w| *w <= 0.0) {
                self.leave(self.passive.len() - 1);
                refused[best] = true;
                continue;
            }
            self.descend(normal);
            refused.fill(false);
        }
        false
    }

    /// Negative gradient Aᵀ(b − A w), columns of length one.
    fn descent(&self, normal: &Normal, gradient: &mut [f64]) {
        for (k, g) in gradient.iter_mut().enumerate() {
            *g = 0.0;
            if self.is_passive[k] || self.lengths[k] == 0.0 {
                continue;
            }
            let row = self.columns[k];
            let sum: f64 = (self.passive.iter())
                .map(|&p| normal.at(row, self.columns[p]) * (self.scaled[p] / self.lengths[p]))
                .sum();
            *g = (normal.rhs[row] - sum) / self.lengths[k];
        }
    }

    /// Moves to the best passive weights; those that would turn negative on the way leave.
    fn descend(&mut self, normal: &Normal) {
        while !self.passive.is_empty() {
            let solution = self.passive_solution(normal);
            let blocking = (self.passive.iter().zip(&solution).enumerate())
                .filter(|(_, (_, z))| **z <= 0.0)
                .map(|(place, (&k, z))| {
                    let w = self.scaled[k];
                    (if w > 0.0 { w / (w - z) } else { 0.0 }, place)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((step, place)) = blocking else {
                for (&k, z) in self.passive.iter().zip(solution) {
                    self.scaled[k] = z;
                }
                return;
            };
            for (&k, z) in self.passive.iter().zip(&solution) {
                self.scaled[k] += step * (z - self.scaled[k]);
            }
            self.leave(place);
            // others that have arrived at zero with it
            for place in (0..self.passive.len()).rev() {
                if self.scaled[self.passive[place]] <= 0.0 {
                    self.leave(place);
                }
            }
        }
    }

    /// Adds a correction of the passive normal equations' right-hand side; false, and nothing happens, when a weight would turn negative.
    fn correct(&mut self, rhs: Vec<f64>) -> bool {
        let step = self.substitute(rhs);
        let mut moves = self.passive.iter().zip(&step);
        if !moves.all(|(&k, d)| self.scaled[k] + d > 0.0) {
            return false;
        }
        for (&k, d) in self.passive.iter().zip(&step) {
            self.scaled[k] += d;
        }
        true
    }

    fn passive_solution(&self, normal: &Normal) -> Vec<f64> {
        self.substitute(self.passive.iter().map(|&k| self.rhs(normal, k)).collect())
    }

    /// (L Lᵀ)⁻¹ x.
    fn substitute(&self, mut x: Vec<f64>) -> Vec<f64> {
        for i in 0..x.len() {
            let row = &self.factor[i];
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for i in (0..x.len()).rev() {
            let row = &self.factor[i];
            x[i] /= row[i];
            let (rest, last) = x.split_at_mut(i);
            vectorize!(simd => add_scaled_chunk(simd, rest, -last[0], &row[..i]));
        }
        x
    }

    /// Makes a weight passive; false when its column depends on the passive ones.
    fn enter(&mut self, normal: &Normal, k: usize) -> bool {
        let mut row: Vec<f64> = Vec::with_capacity(self.passive.len() + 1);
        for (i, &p) in self.passive.iter().enumerate() {
            let above = &self.factor[i];
            row.push((self.product(normal, k, p) - dot(&row, &above[..i])) / above[i]);
        }
        let pivot = 1.0 - dot(&row, &row);
        if pivot.is_nan() || pivot < DEPENDENT {
            return false;
        }
        row.push(pivot.sqrt());
        self.factor.push(row);
        self.passive.push(k);
        self.is_passive[k] = true;
        self.changes += 1;
        true
    }

    /// Sets the weight at a place of the passive list to zero; rotations make the rest of the factor triangular again.
    fn leave(&mut self, place: usize) {
        let k = self.passive.remove(place);
        self.is_passive[k] = false;
        self.scaled[k] = 0.0;
        self.factor.remove(place);
        self.changes += 1;
        let mut turns: Vec<(f64, f64)> = Vec::with_capacity(self.factor.len() - place);
        for row in &mut self.factor[place..] {
            let mut c = place;
            for &(cosine, sine) in &turns {
                let (u, v) = (row[c], row[c + 1]);
                (row[c], row[c + 1]) = (cosine * u + sine * v, cosine * v - sine * u);
                c += 1;
            }
            let (u, v) = (row[c], row[c + 1]);
            let r = u.hypot(v);
            turns.push((u / r, v / r));
            row[c] = r;
            row.truncate(c + 1);
        }
    }
}

#[cfg(test)]
#[path = "nonnegative_tests.rs"]
mod tests;
