use super::*;
use crate::random::Random;
use proptest::prelude::*;

fn random_columns(rows: usize, count: usize, random: &mut Random) -> Vec<Vec<f64>> {
    (0..count)
        .map(|_| (0..rows).map(|_| random.signed()).collect())
        .collect()
}

/// Optimality (Karush, Kuhn, Tucker): w ≥ 0, g = Aᵀ(Aw − b) ≥ 0, w g = 0; errors relative to lengths.
fn assert_optimal(columns: &[Vec<f64>], target: &[f64], fit: &NonnegativeFit, tolerance: f64) {
    assert!(fit.optimal);
    let rest = residual(columns, &fit.weights, target);
    let norm = dot(target, target).sqrt().max(1e-300);
    assert!((dot(&rest, &rest).sqrt() - fit.residual).abs() <= 1e-12 * norm);
    for (column, &w) in columns.iter().zip(&fit.weights) {
        let length = dot(column, column).sqrt();
        let slope = dot(column, &rest) / (length * norm).max(1e-300);
        assert!(w >= 0.0 && w.is_finite());
        assert!(slope >= -tolerance, "a weight should enter: {slope:e}");
        assert!(
            w == 0.0 || slope.abs() <= tolerance,
            "a weight should move: {slope:e}"
        );
    }
}

#[test]
fn small_problems_with_known_answers() {
    // the unconstrained solution of the first is (1, −1): the second weight stays zero
    let columns = [vec![1.0, 0.0], vec![1.0, 1.0]];
    let fit = nonnegative_least_squares(&columns, &[0.0, -1.0], None);
    assert_eq!(fit.weights, [0.0, 0.0]);
    assert_eq!(fit.residual, 1.0);
    let fit = nonnegative_least_squares(&columns, &[2.0, -1.0], None);
    assert_eq!(fit.weights, [2.0, 0.0]);
    let fit = nonnegative_least_squares(&columns, &[3.0, 2.0], None);
    assert!((fit.weights[0] - 1.0).abs() < 1e-14 && (fit.weights[1] - 2.0).abs() < 1e-14);
    // the example of Lawson and Hanson's algorithm in which a weight enters and has to leave again
    let columns = [
        vec![1.0, 10.0, 4.0, 10.0],
        vec![4.0, 0.0, 1.0, 1.0],
        vec![9.0, 3.0, 8.0, 10.0],
    ];
    let fit = nonnegative_least_squares(&columns, &[4.0, 7.0, 4.0, 1.0], None);
    assert_optimal(&columns, &[4.0, 7.0, 4.0, 1.0], &fit, 1e-12);
    let none: [Vec<f64>; 0] = [];
    assert_eq!(
        nonnegative_least_squares(&none, &[3.0, 4.0], None).residual,
        5.0
    );
}

#[test]
fn a_sparse_solution_is_found_exactly() {
    let mut random = Random::new(11);
    for (rows, count, used) in [(40, 25, 6), (90, 200, 20), (300, 120, 120)] {
        let columns = random_columns(rows, count, &mut random);
        let mut exact = vec![0.0; count];
        for k in random.choose(used, count) {
            exact[k] = 1.0 + random.signed().abs();
        }
        let target = residual(&columns, &exact, &vec![0.0; rows]);
        let fit = nonnegative_least_squares(&columns, &target, None);
        assert_optimal(&columns, &target, &fit, 1e-11);
        assert!(fit.residual < 1e-10 * dot(&target, &target).sqrt());
        if count <= rows {
            // columns are independent: the solution is the only one
            for (w, e) in fit.weights.iter().zip(&exact) {
                assert!((w - e).abs() < 1e-9, "{w} {e}");
            }
        }
    }
}

#[test]
fn nearly_dependent_columns_do_no_harm() {
    let mut random = Random::new(12);
    let mut columns = random_columns(60, 10, &mut random);
    for k in 0..10 {
        // copies, copies with rounding noise, sums and a zero column
        let mut copy = columns[k].clone();
        columns.push(copy.clone());
        copy.iter_mut().for_each(|x| *x += 1e-9 * random.signed());
        columns.push(copy);
        let sum = (0..60)
            .map(|i| columns[k][i] + columns[(k + 1) % 10][i])
            .collect();
        columns.push(sum);
    }
    columns.push(vec![0.0; 60]);
    for _ in 0..20 {
        let target: Vec<f64> = (0..60).map(|_| random.signed()).collect();
        let fit = nonnegative_least_squares(&columns, &target, None);
        assert_optimal(&columns, &target, &fit, 1e-7);
        // as good as without the copies
        let plain = nonnegative_least_squares(&columns[..10], &target, None);
        assert!(fit.residual <= plain.residual * (1.0 + 1e-9));
    }
}

#[test]
fn any_start_leads_to_the_same_residual() {
    let mut random = Random::new(13);
    let columns = random_columns(80, 60, &mut random);
    let target: Vec<f64> = (0..80).map(|_| random.signed()).collect();
    let cold = nonnegative_least_squares(&columns, &target, None);
    for _ in 0..10 {
        let start: Vec<f64> = (0..60).map(|_| random.signed().max(0.0) * 3.0).collect();
        let warm = nonnegative_least_squares(&columns, &target, Some(&start));
        assert_optimal(&columns, &target, &warm, 1e-10);
        assert!((warm.residual - cold.residual).abs() < 1e-12);
    }
    let again = nonnegative_least_squares(&columns, &target, Some(&cold.weights));
    let passive = cold.weights.iter().filter(|w| **w > 0.0).count();
    assert_eq!(again.changes, passive, "the optimum is recognised");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn optimality_holds_for_any_problem(
        rows in 1_usize..40, count in 1_usize..60, seed in any::<u64>(), scale in -6_i32..6,
    ) {
        let mut random = Random::new(seed);
        let mut columns = random_columns(rows, count, &mut random);
        // lengths that differ by many orders
        for (k, column) in columns.iter_mut().enumerate() {
            let factor = 10.0_f64.powi((k as i32 % 5 - 2) * 2 + scale);
            column.iter_mut().for_each(|x| *x *= factor);
        }
        let target: Vec<f64> = (0..rows).map(|_| random.signed()).collect();
        let fit = nonnegative_least_squares(&columns, &target, None);
        assert_optimal(&columns, &target, &fit, 1e-7);
    }
}
