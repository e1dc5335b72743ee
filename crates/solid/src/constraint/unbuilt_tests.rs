//! The solver without W against the one with it.

use super::solve_tests::{Case, box_contact, contact, random_case};
use super::*;
use pliant_linalg::testing::Random;
use pliant_linalg::{BlockRows, Mat3, Vec3, vec3};

/// W that counts its products.
struct Counted<'a> {
    w: &'a BlockRows,
    products: usize,
}

impl DelassusOperator for Counted<'_> {
    fn len(&self) -> usize {
        self.w.row_count()
    }
    fn apply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        self.products += 1;
        for (row, y) in y.iter_mut().enumerate() {
            *y = self.w.row_product(row, x);
        }
    }
    fn diagonal(&self, i: usize) -> Mat3 {
        self.w.block(i, i)
    }
}

const SHARP: ConstraintSettings = ConstraintSettings {
    solver: ConstraintSolver::Newton,
    max_iterations: 2000,
    tolerance: 1e-11,
};

fn without_matrix(case: &Case, impulses: &mut [Vec3]) -> ConstraintReport {
    let mut operator = Counted {
        w: &case.w,
        products: 0,
    };
    let report = solve_unbuilt(
        &mut operator,
        &case.laws,
        &case.rates,
        &case.compliance,
        impulses,
        &SHARP,
        &mut UnbuiltWorkspace::default(),
    );
    assert_eq!(report.iterations, operator.products);
    report
}

/// Largest difference to the solver with W, relative to the largest impulse; asserts that both converged.
fn difference(case: &Case, name: &str) -> (f64, ConstraintReport) {
    let (expected, reference) = case.solve(&SHARP);
    let mut impulses = vec![Vec3::ZERO; case.laws.len()];
    let report = without_matrix(case, &mut impulses);
    assert!(
        reference.converged && report.converged,
        "{name}: {reference:?} {report:?}"
    );
    assert!(case.miss(&impulses) < 1e-9, "{name}");
    let size = expected.iter().fold(1e-300, |m: f64, l| m.max(l.norm()));
    let error =
        (impulses.iter().zip(&expected)).fold(0.0, |m: f64, (a, b)| m.max((*a - *b).norm()));
    (error / size, report)
}

#[test]
fn the_same_impulses_on_random_operators() {
    let mut random = Random::new(31);
    let mut most = 0;
    for k in 0..60 {
        let n = 2 + k % 20;
        let laws = (0..n).map(|i| match (i + k) % 6 {
            0 => box_contact(0.2),
            1 => contact(0.0),
            2 => Law::Equality { rows: 1 + k % 3 },
            3 => Law::Inequality,
            4 => contact(0.4),
            _ => contact(0.2),
        });
        let gamma = [0.0, 0.02][k % 2];
        let case = random_case(&mut random, laws.collect(), 9 * n, gamma);
        let (error, report) = difference(&case, &format!("case {k}"));
        assert!(error < 1e-9, "case {k}: {error:e} {report:?}");
        most = most.max(report.iterations);
    }
    println!("at most {most} products");
    assert!(most < 250, "{most}");
}

/// A square of side × side nodes (1 g, springs of 100 N/m to their neighbours, 10 ms steps) thrown at a wavy ground.
pub(super) fn membrane(side: usize, friction: f64, random: &mut Random) -> Case {
    let n = side * side;
    let spring = 100.0 * 1e-4;
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        matrix[i * n + i] += 1e-3;
        let right = (i % side + 1 < side).then_some(i + 1);
        let above = (i + side < n).then_some(i + side);
        for j in [right, above].into_iter().flatten() {
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                matrix[a * n + b] += sign * spring;
            }
        }
    }
    // Gauss–Jordan: the matrix is diagonally dominant
    let mut inverse = vec![0.0; n * n];
    for i in 0..n {
        inverse[i * n + i] = 1.0;
    }
    for k in 0..n {
        let pivot = 1.0 / matrix[k * n + k];
        for c in 0..n {
            matrix[k * n + c] *= pivot;
            inverse[k * n + c] *= pivot;
        }
        for r in (0..n).filter(|&r| r != k) {
            let factor = matrix[r * n + k];
            for c in 0..n {
                matrix[r * n + c] -= factor * matrix[k * n + c];
                inverse[r * n + c] -= factor * inverse[k * n + c];
            }
        }
    }
    let mut frames = Vec::new();
    for _ in 0..n {
        let tilt = vec3(0.3 * random.signed(), 0.3 * random.signed(), 1.0);
        frames.push(contact_frame(tilt / tilt.norm()));
    }
    let anisotropy = Mat3::diagonal(vec3(1.0, 0.7, 1.6));
    let w = BlockRows::dense(n, |i, j| {
        frames[i] * (anisotropy * inverse[i * n + j]) * frames[j].transpose()
    });
    let rates = (0..n).map(|i| {
        let gap = 0.3 * (0.9 * (i % side) as f64).sin() + 0.3 * (0.7 * (i / side) as f64).cos();
        frames[i] * vec3(0.4, 0.2 * random.signed(), -0.3) + vec3(gap, 0.0, 0.0)
    });
    Case {
        rates: rates.collect(),
        w,
        laws: vec![contact(friction); n],
        compliance: vec![0.0; n],
    }
}

#[test]
fn the_same_impulses_on_a_membrane() {
    let mut random = Random::new(4);
    for friction in [0.0, 0.3, 0.6] {
        let case = membrane(10, friction, &mut random);
        let (error, report) = difference(&case, "membrane");
        println!("friction {friction}: {report:?}, error {error:.1e}");
        assert!(error < 1e-9, "{friction}: {error:e} {report:?}");
        assert!(report.iterations < 300, "{report:?}");
    }
}

#[test]
fn the_solution_is_a_fixed_point() {
    let case = membrane(6, 0.4, &mut Random::new(12));
    let mut first = vec![Vec3::ZERO; 36];
    let report = without_matrix(&case, &mut first);
    assert!(report.converged, "{report:?}");
    let mut again = vec![Vec3::ZERO; 36];
    assert_eq!(without_matrix(&case, &mut again), report);
    assert_eq!(first, again, "the same bits again");
    let warm = without_matrix(&case, &mut again);
    assert!(warm.converged && warm.iterations <= 2, "{warm:?}");
}

#[test]
fn redundant_contacts_and_equations_converge() {
    let mut random = Random::new(77);
    let mut failed = 0;
    for k in 0..40 {
        let n = 4 + k % 8;
        let law = |i: usize| match i % 3 {
            0 => Law::Equality { rows: 1 },
            1 => contact(0.3),
            _ => contact(0.0),
        };
        // half as many freedoms as rows of contacts
        let case = random_case(&mut random, (0..n).map(law).collect(), n + 2, 0.0);
        let mut impulses = vec![Vec3::ZERO; n];
        let report = without_matrix(&case, &mut impulses);
        if report.converged {
            assert!(case.miss(&impulses) < 1e-8, "case {k}");
        } else {
            println!("case {k}: {report:?}");
            failed += 1;
        }
    }
    assert!(failed <= 2, "{failed} of 40");
}

#[test]
fn bad_input_is_reported() {
    let good = random_case(&mut Random::new(71), vec![contact(0.5); 5], 20, 0.0);
    let mut cases = vec![good; 4];
    cases[0].rates[2].y = f64::NAN;
    cases[1].compliance[1] = -1.0;
    cases[2].w.blocks[7].set(1, 1, f64::NAN);
    cases[3].rates.pop();
    for (k, case) in cases.iter().enumerate() {
        let mut impulses = vec![vec3(1.0, 0.0, 0.0); 5];
        let report = without_matrix(case, &mut impulses);
        assert!(!report.converged && report.residual == f64::INFINITY, "{k}");
        assert!(impulses.iter().all(|l| *l == Vec3::ZERO), "{k}");
    }
    let none = Case {
        w: BlockRows::default(),
        laws: vec![],
        rates: vec![],
        compliance: vec![],
    };
    assert!(without_matrix(&none, &mut []).converged);
}
