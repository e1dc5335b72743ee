//! Greedy cubature [AKJ08]: again and again the element whose column makes the smallest angle with what is missing, of some
//! drawn at random, then the best weights of all points so far.

use super::{Cubature, CubatureSettings, ElementColumns, Support, column, norm};
use crate::dense_products::dot;
use crate::nonnegative::{ActiveSet, Normal, residual};
use crate::random::Random;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Draws in a row without an element that helps after which the search ends.
const PATIENCE: usize = 8;

pub(super) fn search(
    provider: &impl ElementColumns,
    target: &[f64],
    settings: &CubatureSettings,
) -> Cubature {
    let count = provider.column_count();
    let scale = norm(target);
    let mut random = Random::new(settings.seed);
    let (mut elements, mut columns) = (Vec::new(), Vec::<Vec<f64>>::new());
    let mut taken = BTreeSet::new();
    let (mut normal, mut set) = (Normal::default(), ActiveSet::default());
    let mut rest: Vec<f64> = target.iter().map(|b| -b).collect();
    let (mut iterations, mut idle) = (0, 0);
    while elements.len() < settings.points.min(count)
        && norm(&rest) > settings.tolerance * scale
        && idle < PATIENCE
    {
        iterations += 1;
        let drawn = random.choose(10 * settings.candidates.max(1), count);
        let all_drawn = drawn.len() == count;
        let fresh: Vec<usize> = drawn.into_iter().filter(|e| !taken.contains(e)).collect();
        // cos of the angle to b − A w = −rest
        let cosines: Vec<f64> = (fresh.par_iter())
            .map(|&e| {
                let column = column(provider, e);
                let length = norm(&column);
                if length > 0.0 {
                    -dot(&column, &rest) / length
                } else {
                    0.0
                }
            })
            .collect();
        let best = (0..fresh.len())
            .filter(|&k| cosines[k] > 1e-12 * scale)
            .max_by(|&a, &b| cosines[a].total_cmp(&cosines[b]).then(b.cmp(&a)));
        let Some(best) = best else {
            idle = if all_drawn { PATIENCE } else { idle + 1 };
            continue;
        };
        idle = 0;
        let column = column(provider, fresh[best]);
        let mut products: Vec<f64> = columns.par_iter().map(|c| dot(c, &column)).collect();
        products.push(dot(&column, &column));
        normal.push(products, dot(&column, target));
        set.allow(&normal, elements.len());
        taken.insert(fresh[best]);
        elements.push(fresh[best]);
        columns.push(column);
        set.solve(&normal, None, 0.0);
        rest = residual(&columns, &set.weights(), target);
    }
    let mut points: Vec<(usize, f64, Vec<f64>)> = (elements.into_iter())
        .zip(set.weights())
        .zip(columns)
        .map(|((e, w), c)| (e, w, c))
        .collect();
    points.sort_by_key(|(e, _, _)| *e);
    let mut support = Support::default();
    for (element, weight, column) in points {
        support.elements.push(element);
        support.weights.push(weight);
        support.columns.push(column);
    }
    support.prune(target, settings.tolerance, iterations)
}
