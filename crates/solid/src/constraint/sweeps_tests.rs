//! Sweeps that keep rates up to date.

use super::solve_tests::{Case, contact, random_case, with};
use super::unbuilt_tests::membrane;
use super::*;
use pliant_linalg::testing::Random;
use pliant_linalg::{Vec3, vec3};

const SWEEPS: ConstraintSolver = ConstraintSolver::ProjectedGaussSeidel;

fn started(case: &Case, start: Option<&[Vec3]>, impulses: &mut [Vec3]) -> ConstraintReport {
    let problem = Problem {
        start,
        ..case.problem()
    };
    let settings = ConstraintSettings {
        max_iterations: 20_000,
        ..with(SWEEPS)
    };
    solve(&problem, impulses, &settings, &mut Workspace::default())
}

/// Rates of a warm start that are known are as good as those of a product, also where the start is not admissible.
#[test]
fn a_start_with_known_rates() {
    let mut random = Random::new(21);
    let case = membrane(12, 0.4, &mut random);
    let n = case.laws.len();
    let guess: Vec<Vec3> = (0..n)
        .map(|_| vec3(random.signed(), random.signed(), random.signed()) * 0.1)
        .collect();
    let rates: Vec<Vec3> = (0..n)
        .map(|i| case.rates[i] + case.w.row_product(i, &guess))
        .collect();
    for solver in [SWEEPS, ConstraintSolver::Newton] {
        let [mut by_product, mut known] = [guess.clone(), guess.clone()];
        let settings = with(solver);
        let workspace = &mut Workspace::default();
        let first = solve(&case.problem(), &mut by_product, &settings, workspace);
        let problem = Problem {
            start: Some(&rates),
            ..case.problem()
        };
        let second = solve(&problem, &mut known, &settings, workspace);
        assert!(first.converged && second.converged, "{first:?} {second:?}");
        assert_eq!(first.iterations, second.iterations);
        let miss = case.miss(&known);
        assert!(miss < 1e-7, "{solver:?} {miss:e}");
        let size = by_product.iter().fold(0.0_f64, |m, l| m.max(l.norm()));
        for (a, b) in by_product.iter().zip(&known) {
            assert!((*a - *b).norm() < 1e-7 * size);
        }
    }
}

#[test]
fn the_solution_as_start_takes_no_sweep() {
    let case = membrane(10, 0.3, &mut Random::new(22));
    let mut impulses = vec![Vec3::ZERO; case.laws.len()];
    let first = started(&case, None, &mut impulses);
    assert!(first.converged && first.iterations > 3, "{first:?}");
    let before = impulses.clone();
    let again = started(&case, None, &mut impulses);
    assert!(again.converged && again.iterations == 0, "{again:?}");
    assert_eq!(before, impulses);
}

#[test]
fn sweeps_give_the_same_bits_on_any_number_of_threads() {
    let case = membrane(24, 0.5, &mut Random::new(23));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut impulses = vec![Vec3::ZERO; case.laws.len()];
            let report = started(&case, None, &mut impulses);
            (impulses, report)
        })
    };
    let (one, three) = (run(1), run(3));
    assert!(one.1.converged, "{:?}", one.1);
    assert_eq!(one, three);
}

/// What does not converge ends with the best impulses that were met.
#[test]
fn the_best_of_all_sweeps() {
    let mut random = Random::new(24);
    let laws = vec![contact(0.9); 9];
    let case = random_case(&mut random, laws, 12, 0.0);
    let residual = |sweeps: usize| {
        let settings = ConstraintSettings {
            max_iterations: sweeps,
            tolerance: 1e-14,
            ..with(SWEEPS)
        };
        case.solve(&settings).1.residual
    };
    let mut last = f64::INFINITY;
    for sweeps in [1, 2, 4, 8, 16] {
        let now = residual(sweeps);
        assert!(now <= last, "{sweeps}: {now:e} after {last:e}");
        last = now;
    }
}
