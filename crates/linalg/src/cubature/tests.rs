use super::*;
use crate::dense_products::dot;
use crate::random::Random;
use proptest::prelude::*;

/// Columns by a formula: sums of a few directions with positive and negative entries, like the forces of elements.
struct Wavy {
    rows: usize,
    count: usize,
}

impl ElementColumns for Wavy {
    fn row_count(&self) -> usize {
        self.rows
    }
    fn column_count(&self) -> usize {
        self.count
    }
    fn fill(&self, column: usize, entries: &mut [f64]) {
        let t = column as f64 / self.count as f64;
        for (k, entry) in entries.iter_mut().enumerate() {
            let k = k as f64;
            *entry = ((1.0 + 0.37 * k) * t + 0.8 * k).sin() + 0.3 * (5.0 * t).cos();
        }
    }
}

/// Columns of a stored matrix.
struct Stored(Vec<Vec<f64>>);

impl ElementColumns for Stored {
    fn row_count(&self) -> usize {
        self.0[0].len()
    }
    fn column_count(&self) -> usize {
        self.0.len()
    }
    fn fill(&self, column: usize, entries: &mut [f64]) {
        entries.copy_from_slice(&self.0[column]);
    }
}

fn sum_of_all(provider: &impl ElementColumns) -> Vec<f64> {
    let mut sum = vec![0.0; provider.row_count()];
    for e in 0..provider.column_count() {
        let column = column(provider, e);
        sum.iter_mut().zip(&column).for_each(|(s, c)| *s += c);
    }
    sum
}

fn both() -> [CubatureMethod; 2] {
    [CubatureMethod::Thresholding, CubatureMethod::Greedy]
}

fn check(provider: &impl ElementColumns, target: &[f64], found: &Cubature) {
    assert!(found.points.windows(2).all(|w| w[0].0 < w[1].0));
    let mut rest: Vec<f64> = target.iter().map(|b| -b).collect();
    for &(e, w) in &found.points {
        assert!(w > 0.0 && w.is_finite());
        let column = column(provider, e);
        rest.iter_mut().zip(&column).for_each(|(r, c)| *r += w * c);
    }
    assert!((norm(&rest) / norm(target) - found.error).abs() < 1e-10);
    // the weights are the best of these points: no gradient is left
    for &(e, _) in &found.points {
        let column = column(provider, e);
        let slope = dot(&column, &rest) / (norm(&column) * norm(target));
        assert!(slope.abs() < 1e-9, "{slope:e}");
    }
}

#[test]
fn few_points_stand_for_thousands() {
    let provider = Wavy {
        rows: 60,
        count: 5000,
    };
    let target = sum_of_all(&provider);
    for method in both() {
        let settings = CubatureSettings {
            method,
            points: 60,
            tolerance: 1e-3,
            ..CubatureSettings::default()
        };
        let found = select_cubature(&provider, &target, &settings);
        check(&provider, &target, &found);
        assert!(found.error <= 1e-3, "{method:?}: {}", found.error);
        assert!(found.points.len() <= 60);
        let total: f64 = found.points.iter().map(|(_, w)| w).sum();
        assert!(
            (total / 5000.0 - 1.0).abs() < 0.2,
            "{method:?}: weights sum to {total}"
        );
    }
}

#[test]
fn sparse_solutions_are_recovered() {
    // random columns are nearly orthogonal, so that the only sparse solution is the one that was planted (SC-21)
    let mut random = Random::new(21);
    let (rows, count, used) = (160, 400, 8);
    let columns: Vec<Vec<f64>> = (0..count)
        .map(|_| (0..rows).map(|_| random.signed()).collect())
        .collect();
    let planted: Vec<(usize, f64)> = (random.choose(used, count).into_iter())
        .map(|e| (e, 1.0 + random.signed().abs()))
        .collect();
    let mut target = vec![0.0; rows];
    for &(e, w) in &planted {
        target
            .iter_mut()
            .zip(&columns[e])
            .for_each(|(b, c)| *b += w * c);
    }
    let provider = Stored(columns);
    for method in both() {
        // all elements are candidates: nothing is left to chance
        let settings = CubatureSettings {
            method,
            points: 2 * used,
            tolerance: 1e-8,
            candidates: 40,
            ..CubatureSettings::default()
        };
        let found = select_cubature(&provider, &target, &settings);
        check(&provider, &target, &found);
        assert_eq!(found.points.len(), used, "{method:?}");
        for (&(e, w), &(planted_e, planted_w)) in found.points.iter().zip(&planted) {
            assert_eq!(e, planted_e);
            assert!((w - planted_w).abs() < 1e-6);
        }
    }
}

#[test]
fn more_points_than_elements_and_nothing_to_do() {
    let provider = Wavy {
        rows: 30,
        count: 12,
    };
    let target = sum_of_all(&provider);
    for method in both() {
        let settings = CubatureSettings {
            method,
            tolerance: 1e-9,
            ..CubatureSettings::default()
        };
        let found = select_cubature(&provider, &target, &settings);
        // smooth columns nearly depend on each other, so that not all of them enter
        assert!(found.error <= 1e-6, "{method:?} {}", found.error);
        let nothing = select_cubature(&provider, &[0.0; 30], &settings);
        assert_eq!(nothing, Cubature::default());
        let none = CubatureSettings {
            points: 0,
            ..settings
        };
        assert_eq!(select_cubature(&provider, &target, &none).error, 1.0);
    }
}

#[test]
fn pruning_leaves_out_what_the_tolerance_allows() {
    let provider = Wavy {
        rows: 40,
        count: 900,
    };
    let target = sum_of_all(&provider);
    let count = |tolerance| {
        let settings = CubatureSettings {
            points: 100,
            tolerance,
            ..CubatureSettings::default()
        };
        let found = select_cubature(&provider, &target, &settings);
        assert!(found.error <= tolerance, "{} of {tolerance}", found.error);
        found.points.len()
    };
    let (rough, fine) = (count(0.1), count(1e-4));
    assert!(rough < fine && fine < 100, "{rough} {fine}");
}

#[test]
fn results_depend_on_the_seed_and_not_on_threads() {
    let provider = Wavy {
        rows: 50,
        count: 3000,
    };
    let target = sum_of_all(&provider);
    for method in both() {
        let run = |threads, seed| {
            let settings = CubatureSettings {
                method,
                points: 40,
                tolerance: 1e-3,
                seed,
                ..CubatureSettings::default()
            };
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| select_cubature(&provider, &target, &settings))
        };
        let one = run(1, 7);
        assert_eq!(one, run(3, 7));
        assert_ne!(one, run(1, 8));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn weights_are_optimal_for_their_points(
        rows in 2_usize..30, count in 2_usize..80, points in 1_usize..30, seed in any::<u64>(), greedy in any::<bool>(),
    ) {
        let mut random = Random::new(seed);
        let columns: Vec<Vec<f64>> = (0..count)
            .map(|_| (0..rows).map(|_| random.signed() + 0.2).collect())
            .collect();
        let provider = Stored(columns);
        let target = sum_of_all(&provider);
        let settings = CubatureSettings {
            method: if greedy { CubatureMethod::Greedy } else { CubatureMethod::Thresholding },
            points,
            tolerance: 1e-6,
            iterations: 20,
            candidates: 5,
            seed,
        };
        let found = select_cubature(&provider, &target, &settings);
        prop_assert!(found.points.len() <= points);
        check(&provider, &target, &found);
    }
}
