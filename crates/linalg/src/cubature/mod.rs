//! Cubature: few elements with weights whose forces add up to those of all, min ½‖A w − b‖² with w ≥ 0 and few w ≠ 0.
//!
//! Column e of A holds what element e contributes to the reduced forces of all training samples, b the sums over all elements.
//! Columns are asked for when they are needed: A of some hundred thousand elements never exists as a whole.

mod greedy;
#[cfg(test)]
mod tests;
mod thresholding;

use crate::nonnegative::{ActiveSet, Normal, residual};
use rayon::prelude::*;

/// Columns of A, computed on request, always the same numbers.
pub trait ElementColumns: Sync {
    /// Rows of A: samples times modes.
    fn row_count(&self) -> usize;
    /// Columns of A: elements.
    fn column_count(&self) -> usize;
    /// Writes a column.
    fn fill(&self, column: usize, entries: &mut [f64]);
}

/// How points are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CubatureMethod {
    /// Non-negative hard thresholding pursuit, NN-HTP [TSS13].
    #[default]
    Thresholding,
    /// One point after the other, the best of some random ones [AKJ08].
    Greedy,
}

/// What is searched for and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubatureSettings {
    /// How.
    pub method: CubatureMethod,
    /// Most points s.
    pub points: usize,
    /// ‖A w − b‖/‖b‖ at which the search ends and to which points are left out again.
    pub tolerance: f64,
    /// Most iterations of the thresholding.
    pub iterations: usize,
    /// Columns drawn at random for each point: 5 s in an iteration of the thresholding (METHODS 2.3), this many times ten for each
    /// point of the greedy search.
    pub candidates: usize,
    /// Of the random choices.
    pub seed: u64,
}

impl Default for CubatureSettings {
    fn default() -> Self {
        CubatureSettings {
            method: CubatureMethod::Thresholding,
            points: 1000,
            tolerance: 0.04,
            iterations: 100,
            candidates: 5,
            seed: 1,
        }
    }
}

/// Points and their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cubature {
    /// (column, weight), ascending columns, positive weights.
    pub points: Vec<(usize, f64)>,
    /// ‖A w − b‖/‖b‖; zero where b is zero.
    pub error: f64,
    /// Iterations of the search.
    pub iterations: usize,
}

/// Chooses points. The result depends on columns, target and settings only, not on the number of threads.
pub fn select_cubature(
    columns: &impl ElementColumns,
    target: &[f64],
    settings: &CubatureSettings,
) -> Cubature {
    assert_eq!(target.len(), columns.row_count(), "one entry for each row");
    let scale = norm(target);
    if scale == 0.0 || columns.column_count() == 0 || settings.points == 0 {
        return Cubature {
            error: if scale == 0.0 { 0.0 } else { 1.0 },
            ..Cubature::default()
        };
    }
    match settings.method {
        CubatureMethod::Thresholding => thresholding::search(columns, target, settings),
        CubatureMethod::Greedy => greedy::search(columns, target, settings),
    }
}

fn norm(x: &[f64]) -> f64 {
    crate::dense_products::dot(x, x).sqrt()
}

/// Elements under consideration, with their columns and weights; ascending.
#[derive(Clone, Debug, Default)]
struct Support {
    elements: Vec<usize>,
    columns: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Support {
    /// Some elements, ascending, with weights to start from; columns that `other` has are taken from it.
    fn new(
        provider: &impl ElementColumns,
        elements: Vec<usize>,
        weights: Vec<f64>,
        mut other: Support,
    ) -> Support {
        let known: Vec<Option<Vec<f64>>> = (elements.iter())
            .map(|e| {
                let place = other.elements.binary_search(e).ok()?;
                Some(std::mem::take(&mut other.columns[place]))
            })
            .collect();
        let columns = (elements.par_iter().zip(known))
            .map(|(&e, known)| known.unwrap_or_else(|| column(provider, e)))
            .collect();
        Support {
            elements,
            columns,
            weights,
        }
    }

    /// The best weights, from the present ones; or, from none, as few as keep the tolerance. Returns A w − b.
    fn fit(&mut self, target: &[f64], tolerance: Option<f64>) -> Vec<f64> {
        let normal = Normal::new(&self.columns, target);
        let mut set = ActiveSet::new(&normal, (0..self.elements.len()).collect());
        match tolerance {
            None => set.solve(&normal, Some(&self.weights), 0.0),
            Some(tolerance) => set.solve(&normal, None, tolerance),
        };
        self.weights = set.weights();
        residual(&self.columns, &self.weights, target)
    }

    /// The fewest of the heaviest points that keep the tolerance, with the best weights for them; without points of no weight.
    fn prune(self, target: &[f64], tolerance: f64, iterations: usize) -> Cubature {
        let scale = norm(target);
        let mut order: Vec<usize> = (0..self.elements.len())
            .filter(|&k| self.weights[k] > 0.0)
            .collect();
        order.sort_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b)));
        let normal = Normal::new(&self.columns, target);
        let weigh = |count: usize| {
            let mut set = ActiveSet::new(&normal, order[..count].to_vec());
            let start: Vec<f64> = order[..count].iter().map(|&k| self.weights[k]).collect();
            set.solve(&normal, Some(&start), 0.0);
            let mut weights = vec![0.0; self.elements.len()];
            for (&k, w) in order.iter().zip(set.weights()) {
                weights[k] = w;
            }
            let error = norm(&residual(&self.columns, &weights, target)) / scale;
            (weights, error)
        };
        // the more points may be used, the smaller the error: the first count that is good enough lies between two bounds
        let (mut best, mut error) = weigh(order.len());
        if error <= tolerance {
            let (mut low, mut high) = (0, order.len());
            while high - low > 1 {
                let middle = low.midpoint(high);
                let (weights, found) = weigh(middle);
                if found <= tolerance {
                    (high, best, error) = (middle, weights, found);
                } else {
                    low = middle;
                }
            }
        }
        let points = self.elements.into_iter().zip(best);
        Cubature {
            points: points.filter(|(_, w)| *w > 0.0).collect(),
            error,
            iterations,
        }
    }
}

fn column(provider: &impl ElementColumns, element: usize) -> Vec<f64> {
    let mut column = vec![0.0; provider.row_count()];
    provider.fill(element, &mut column);
    column
}
