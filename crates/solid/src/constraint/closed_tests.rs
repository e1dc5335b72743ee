//! Many constraints of which some push.

use super::solve_tests::{Case, box_contact, contact, with};
use super::unbuilt_tests::membrane;
use super::*;
use pliant_linalg::testing::Random;
use pliant_linalg::{BlockRows, Vec3, vec3};

const NEWTON: ConstraintSolver = ConstraintSolver::Newton;

#[test]
fn some_of_three_hundred_push() {
    let mut random = Random::new(6);
    for friction in [0.0, 0.3, 0.8] {
        let case = membrane(18, friction, &mut random);
        let (impulses, report) = case.solve(&with(NEWTON));
        let miss = case.miss(&impulses);
        assert!(report.converged && miss < 1e-7, "{miss:e} {report:?}");
        assert!(report.iterations < 25, "{report:?}");
        let pushing = impulses.iter().filter(|l| l.x > 0.0).count();
        println!("friction {friction}: {pushing} push, {report:?}");
        assert!((50..300).contains(&pushing));
        let mut again = impulses.clone();
        let workspace = &mut Workspace::default();
        let warm = solve(&case.problem(), &mut again, &with(NEWTON), workspace);
        assert!(warm.converged && warm.iterations <= 4, "{warm:?}");
    }
}

#[test]
fn all_laws_together() {
    let mut random = Random::new(14);
    let mut case = membrane(12, 0.3, &mut random);
    for (i, law) in case.laws.iter_mut().enumerate() {
        match i % 7 {
            0 => *law = box_contact(0.5),
            2 => *law = Law::Equality { rows: 1 + i % 3 },
            3 => *law = Law::Inequality,
            5 => *law = contact(0.0),
            _ => {}
        }
    }
    for gamma in [0.0, 10.0] {
        case.compliance.fill(gamma);
        let (impulses, report) = case.solve(&with(NEWTON));
        let miss = case.miss(&impulses);
        assert!(report.converged && miss < 1e-7, "{miss:e} {report:?}");
        assert!(report.iterations < 25, "{report:?}");
    }
}

/// Every contact twice: W is singular, the sums of both are what they were.
#[test]
fn doubled_contacts() {
    let single = membrane(8, 0.3, &mut Random::new(15));
    let n = single.laws.len();
    let double = Case {
        w: BlockRows::dense(2 * n, |i, j| single.w.block(i % n, j % n)),
        laws: single.laws.repeat(2),
        rates: single.rates.repeat(2),
        compliance: single.compliance.repeat(2),
    };
    let (expected, _) = single.solve(&with(NEWTON));
    let (impulses, report) = double.solve(&with(NEWTON));
    assert!(report.converged, "{report:?}");
    let size = expected.iter().fold(0.0, |m: f64, l| m.max(l.norm()));
    for i in 0..n {
        let error = (impulses[i] + impulses[i + n] - expected[i]).norm();
        assert!(error < 1e-6 * size, "{i}: {error:e} of {size:e}");
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let case = membrane(18, 0.5, &mut Random::new(16));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| case.solve(&with(NEWTON)))
    };
    assert_eq!(run(1), run(3));
}

/// An island that Newton's method leaves to others, and one that has no solution at all.
#[test]
fn what_is_not_finite_or_contradictory_ends() {
    let mut case = membrane(8, 0.3, &mut Random::new(17));
    case.laws.fill(Law::Equality { rows: 1 });
    // two equations for the same thing
    let block = |i: usize, j: usize| case.w.block(i.max(1), j.max(1));
    case.w = BlockRows::dense(64, block);
    case.rates[0] = case.rates[1] + vec3(1.0, 0.0, 0.0);
    let (impulses, report) = case.solve(&with(NEWTON));
    assert!(!report.converged && impulses.iter().all(|l| l.is_finite()));
    case.w.blocks[3].set(0, 0, f64::NAN);
    let (impulses, report) = case.solve(&with(NEWTON));
    assert!(!report.converged && report.residual == f64::INFINITY);
    assert!(impulses.iter().all(|l| *l == Vec3::ZERO));
}
