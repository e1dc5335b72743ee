//! Non-negative hard thresholding pursuit, NN-HTP [TSS13, §4]: gradient steps with the best length, of which the s largest
//! weights stay and are fitted.
//!
//! The gradient is evaluated for the present points and for 5 s elements drawn anew in every iteration (METHODS 2.3).

use super::{Cubature, CubatureSettings, ElementColumns, Support, norm};
use crate::dense_products::dot;
use crate::random::Random;
use rayon::prelude::*;

/// Candidates evaluated together; their contributions are added block by block, in order.
const BLOCK: usize = 64;

/// Iterations after which points that stay the same, whatever elements are drawn, are accepted.
const REPEATS: usize = 3;

pub(super) fn search(
    provider: &impl ElementColumns,
    target: &[f64],
    settings: &CubatureSettings,
) -> Cubature {
    let count = provider.column_count();
    let points = settings.points.min(count);
    let scale = norm(target);
    let mut random = Random::new(settings.seed);
    // random points, of which those get weights that are needed
    let first = random.choose(points, count);
    let mut support = Support::new(provider, first, vec![0.0; points], Support::default());
    let mut rest = support.fit(target, Some(settings.tolerance));
    let mut best = (norm(&rest), support.clone());
    let (mut iterations, mut repeats) = (0, 0);
    while iterations < settings.iterations && points < count {
        if best.0 <= settings.tolerance * scale || repeats == REPEATS {
            break;
        }
        iterations += 1;
        let drawn = random.choose(points * settings.candidates, count);
        let all_drawn = drawn.len() == count;
        let Some((elements, weights)) = step(provider, &support, &rest, drawn, points) else {
            repeats += 1;
            if all_drawn {
                break;
            }
            continue;
        };
        let same = elements == support.elements;
        support = Support::new(provider, elements, weights, support);
        rest = support.fit(target, None);
        if norm(&rest) < best.0 {
            best = (norm(&rest), support.clone());
        }
        repeats = if same { repeats + 1 } else { 0 };
        if same && all_drawn {
            break;
        }
    }
    best.1.prune(target, settings.tolerance, iterations)
}

/// Candidates whose weights grow, with their gradients, and their part of A g.
struct Block {
    moving: Vec<(usize, f64)>,
    image: Vec<f64>,
}

/// One gradient step with exact line search: the elements and weights of the s largest entries of (w − μ g)₊, or none when no
/// weight has a reason to move.
fn step(
    provider: &impl ElementColumns,
    support: &Support,
    rest: &[f64],
    drawn: Vec<usize>,
    points: usize,
) -> Option<(Vec<usize>, Vec<f64>)> {
    // of the present points: g, zero where the weight is zero and would become negative
    let own: Vec<f64> = (support.columns.par_iter().zip(&support.weights))
        .map(|(column, &w)| {
            let g = dot(column, rest);
            if w == 0.0 && g > 0.0 { 0.0 } else { g }
        })
        .collect();
    // of the candidates, whose weights are zero: g where it is negative, and its part of A g
    let candidates: Vec<usize> = (drawn.into_iter())
        .filter(|e| support.elements.binary_search(e).is_err())
        .collect();
    let blocks: Vec<Block> = candidates
        .par_chunks(BLOCK)
        .map(|block| {
            let mut column = vec![0.0; rest.len()];
            let mut image = vec![0.0; rest.len()];
            let mut moving = Vec::new();
            for &e in block {
                provider.fill(e, &mut column);
                let g = dot(&column, rest);
                if g < 0.0 {
                    moving.push((e, g));
                    image.iter_mut().zip(&column).for_each(|(i, c)| *i += g * c);
                }
            }
            Block { moving, image }
        })
        .collect();

    let mut image = vec![0.0; rest.len()];
    for (column, &g) in support.columns.iter().zip(&own) {
        image.iter_mut().zip(column).for_each(|(i, c)| *i += g * c);
    }
    let mut square = dot(&own, &own);
    let mut moved: Vec<(usize, f64)> = Vec::new();
    for Block {
        moving,
        image: part,
    } in blocks
    {
        image.iter_mut().zip(&part).for_each(|(i, p)| *i += p);
        square += moving.iter().map(|(_, g)| g * g).sum::<f64>();
        moved.extend(moving);
    }
    let curvature = dot(&image, &image);
    if square == 0.0 || curvature == 0.0 {
        return None;
    }
    let length = square / curvature;
    let own = support.elements.iter().zip(&support.weights).zip(&own);
    let mut weighed: Vec<(usize, f64)> = own
        .map(|((&e, &w), &g)| (e, w - length * g))
        .chain(moved.into_iter().map(|(e, g)| (e, -length * g)))
        .filter(|(_, z)| *z > 0.0)
        .collect();
    weighed.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weighed.truncate(points);
    weighed.sort_by_key(|(e, _)| *e);
    (!weighed.is_empty()).then(|| weighed.into_iter().unzip())
}
