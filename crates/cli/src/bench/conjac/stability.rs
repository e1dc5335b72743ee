//! The smallest stable β, in steps of 0.1 [WKS20, Section 4, DRAGON].
//!
//! β is tried from 0.1 upwards, every tenth, since stability need not be monotone: what bisection finds may be a gap between
//! stable values. The search ends with three stable values in a row; the first of them is the smallest. Its double and fourfold are
//! tried, too, where a run is cheap. All are in the rows.

use super::Row;
use super::case::{Case, Way};
use super::motion::{Motion, follow};
use anyhow::Result;
use rayon::prelude::*;

/// Stable values in a row that end a search.
const IN_A_ROW: usize = 3;

/// Nodes of a body of which a run is cheap.
const CHEAP: usize = 5000;

/// A way to step and all that was tried.
pub struct Search {
    /// Ordered by β.
    pub tried: Vec<Motion>,
    /// Place of the smallest stable value with stable neighbours above; none up to the limit.
    smallest: Option<usize>,
}

impl Search {
    /// The run with the smallest stable β.
    pub fn smallest(&self) -> Option<&Motion> {
        self.tried.get(self.smallest?)
    }

    /// The smallest β that is stable, whatever its neighbours are.
    pub fn first_stable(&self) -> Option<f64> {
        let stable = self.tried.iter().find(|motion| motion.is_stable());
        stable.map(|motion| motion.way.beta)
    }

    /// The smallest β of those tried with which energy never grows.
    pub fn first_calm(&self) -> Option<f64> {
        let calm = self.tried.iter().find(|motion| motion.is_calm());
        calm.map(|motion| motion.way.beta)
    }

    /// Values above the smallest that are not stable.
    pub fn gaps_above(&self) -> usize {
        let above = self.smallest.map_or(&[][..], |at| &self.tried[at..]);
        above.iter().filter(|motion| !motion.is_stable()).count()
    }

    /// A row for each value of β.
    pub fn rows(&self) -> Vec<Row> {
        let rows = self.tried.iter().map(|motion| motion.row("stability"));
        rows.collect()
    }
}

fn tenths(count: usize) -> f64 {
    count as f64 / 10.0
}

/// Searches up to a largest β, so many values at a time.
pub fn search(case: &Case, way: &Way, largest: f64, at_a_time: usize) -> Result<Search> {
    let run = |k: &usize| follow(case, &way.with_beta(tenths(*k)));
    let most = (10.0 * largest).round() as usize;
    let mut tried: Vec<Motion> = Vec::new();
    let mut smallest = None;
    while smallest.is_none() && tried.len() < most {
        let next: Vec<usize> = (tried.len() + 1..=most).take(at_a_time).collect();
        tried.extend(next.par_iter().map(run).collect::<Result<Vec<_>>>()?);
        smallest = tried
            .windows(IN_A_ROW)
            .position(|few| few.iter().all(Motion::is_stable));
    }
    if let Some(first) = smallest
        && case.model.node_count() < CHEAP
    {
        let further = [2, 4].map(|factor| factor * (first + 1));
        let new = further.into_iter().filter(|&k| k > tried.len());
        let new: Vec<usize> = new.collect();
        tried.extend(new.par_iter().map(run).collect::<Result<Vec<_>>>()?);
    }
    Ok(Search { tried, smallest })
}
