//! The laws on random operators, and independent oracles for the parts that have one.

use super::cone::Local;
use super::*;
use pliant_linalg::testing::Random;
use pliant_linalg::{BlockRows, Mat3, Vec3, vec3};

pub(super) const SOLVERS: [ConstraintSolver; 3] = [
    ConstraintSolver::ProjectedGaussSeidel,
    ConstraintSolver::ConjugateGradients,
    ConstraintSolver::Newton,
];

pub(super) fn with(solver: ConstraintSolver) -> ConstraintSettings {
    ConstraintSettings {
        solver,
        max_iterations: 1000,
        tolerance: 1e-8,
    }
}

pub(super) fn contact(friction: f64) -> Law {
    Law::Contact {
        friction,
        friction_kind: Friction::Cone,
        tangential_compliance: 0.0,
    }
}

pub(super) fn box_contact(friction: f64) -> Law {
    Law::Contact {
        friction,
        friction_kind: Friction::Box,
        tangential_compliance: 0.0,
    }
}

/// A problem that owns what it is made of.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) w: BlockRows,
    pub(super) laws: Vec<Law>,
    pub(super) rates: Vec<Vec3>,
    pub(super) compliance: Vec<f64>,
}

impl Case {
    pub(super) fn problem(&self) -> Problem<'_> {
        Problem {
            delassus: &self.w,
            laws: &self.laws,
            rates: &self.rates,
            compliance: &self.compliance,
            start: None,
        }
    }

    pub(super) fn solve(&self, settings: &ConstraintSettings) -> (Vec<Vec3>, ConstraintReport) {
        let mut impulses = vec![Vec3::ZERO; self.laws.len()];
        let mut workspace = Workspace::default();
        let report = solve(&self.problem(), &mut impulses, settings, &mut workspace);
        (impulses, report)
    }

    /// u, without γ λ.
    fn rates_at(&self, impulses: &[Vec3]) -> Vec<Vec3> {
        let row = |i: usize| self.rates[i] + self.w.row_product(i, impulses);
        (0..self.laws.len()).map(row).collect()
    }

    /// By how much the laws are missed, written from their definition: velocities relative to the largest rate,
    /// impulses to the largest impulse.
    pub(super) fn miss(&self, impulses: &[Vec3]) -> f64 {
        let u = self.rates_at(impulses);
        let speed = self.rates.iter().fold(1e-300, |m, r| r.max_abs().max(m));
        let size = impulses.iter().fold(1e-300, |m, l| l.max_abs().max(m));
        let mut worst = 0.0_f64;
        for (i, law) in self.laws.iter().enumerate() {
            let l = impulses[i] / size;
            let gamma = self.compliance[i];
            let with_gamma = (u[i] + impulses[i] * gamma) / speed;
            let signorini = |l: f64, v: f64| (-l).max(-v).max(l.min(v).abs());
            let miss = match *law {
                Law::Contact {
                    friction,
                    friction_kind,
                    tangential_compliance,
                } => {
                    let v = (u[i] + impulses[i] * tangential_compliance) / speed;
                    let tangent = match friction_kind {
                        Friction::Cone => {
                            let (l_t, v_t) = (vec3(0.0, l.y, l.z), vec3(0.0, v.y, v.z));
                            let slack = friction * l.x - l_t.norm();
                            // opposite directions, and inside of the cone only without sliding
                            let opposed = (v_t * l_t.norm() + l_t * v_t.norm()).norm();
                            (-slack).max((slack * v_t.norm()).abs()).max(opposed)
                        }
                        Friction::Box => {
                            [(l.y, v.y), (l.z, v.z)]
                                .iter()
                                .fold(0.0_f64, |m, (l_t, v_t)| {
                                    let slack = friction * l.x - l_t.abs();
                                    let along = (l_t * v_t).max(0.0);
                                    m.max(-slack).max((slack * v_t).abs()).max(along)
                                })
                        }
                    };
                    let tangent = if friction == 0.0 {
                        l.y.abs() + l.z.abs()
                    } else {
                        tangent
                    };
                    tangent.max(signorini(l.x, with_gamma.x))
                }
                Law::Equality { rows } => (0..3).fold(0.0_f64, |m, r| {
                    m.max(if r < rows {
                        with_gamma[r].abs()
                    } else {
                        l[r].abs()
                    })
                }),
                Law::Inequality => signorini(l.x, with_gamma.x).max(l.y.abs()).max(l.z.abs()),
            };
            assert!(miss.is_finite());
            worst = worst.max(miss);
        }
        worst
    }
}

/// J A⁻¹ Jᵀ of random J and diagonal A over `freedoms`; fewer freedoms than rows make it singular. The rates are those of
/// a motion, so that equations are never contradictory.
pub(super) fn random_case(
    random: &mut Random,
    laws: Vec<Law>,
    freedoms: usize,
    gamma: f64,
) -> Case {
    let n = laws.len();
    let mut j: Vec<Vec<f64>> = (0..3 * n)
        .map(|_| (0..freedoms).map(|_| random.signed()).collect())
        .collect();
    for (i, law) in laws.iter().enumerate() {
        let used = match *law {
            Law::Contact { .. } => 3,
            Law::Equality { rows } => rows,
            Law::Inequality => 1,
        };
        for row in &mut j[3 * i + used..3 * i + 3] {
            row.fill(0.0);
        }
    }
    let inverse_mass: Vec<f64> = (0..freedoms).map(|_| 1.1 + random.signed()).collect();
    let motion: Vec<f64> = (0..freedoms).map(|_| random.signed()).collect();
    let entry = |r: usize, c: usize| {
        (0..freedoms)
            .map(|k| j[r][k] * inverse_mass[k] * j[c][k])
            .sum()
    };
    let rate = |r: usize| -> f64 { (0..freedoms).map(|k| j[r][k] * motion[k]).sum() };
    let rates = (0..n).map(|i| vec3(rate(3 * i), rate(3 * i + 1), rate(3 * i + 2)));
    Case {
        rates: rates.collect(),
        w: BlockRows::dense(n, |i, k| {
            let row = |r: usize| [0, 1, 2].map(|c| entry(3 * i + r, 3 * k + c));
            Mat3::from_rows([row(0), row(1), row(2)])
        }),
        compliance: vec![gamma; n],
        laws,
    }
}

/// Plain elimination with pivots, for oracles; `None` when singular.
fn dense_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&x, &y| a[x][k].abs().total_cmp(&a[y][k].abs()))?;
        a.swap(k, p);
        b.swap(k, p);
        if a[k][k].abs() < 1e-12 {
            return None;
        }
        for r in k + 1..n {
            let f = a[r][k] / a[k][k];
            for c in k..n {
                a[r][c] -= f * a[k][c];
            }
            b[r] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|c| a[k][c] * b[c]).sum::<f64>()) / a[k][k];
    }
    Some(b)
}

/// A random block of some rank plus `least`, and rates that close the contact. Of rank one with a small rest, normal and
/// tangents are strongly coupled.
fn random_block(random: &mut Random, rank: usize, least: f64) -> (Mat3, Vec3) {
    let mut a = Mat3::IDENTITY * least;
    for k in 0..rank {
        let v = vec3(random.signed(), random.signed(), random.signed());
        a += Mat3::outer(v, v) * if k == 0 { 4.0 } else { 1.0 };
    }
    let d = vec3(
        -random.signed().abs(),
        2.0 * random.signed(),
        2.0 * random.signed(),
    );
    (a, d)
}

/// All solutions of one contact: stick, and the slips that a scan of 720 angles brackets.
fn scan(a: &Mat3, d: Vec3, mu: f64) -> Vec<Vec3> {
    let mut found = Vec::new();
    if let Some(inverse) = a.inverse() {
        let l = -(inverse * d);
        if l.x >= 0.0 && l.y.hypot(l.z) <= mu * l.x {
            found.push(l);
        }
    }
    let at = |angle: f64| {
        let e = vec3(1.0, mu * angle.cos(), mu * angle.sin());
        let l = e * (-d.x / (*a * e).x);
        let u = d + *a * l;
        let cross = u.y * angle.sin() - u.z * angle.cos();
        let along = u.y * angle.cos() + u.z * angle.sin();
        (l, cross, along)
    };
    let step = std::f64::consts::TAU / 720.0;
    for k in 0..720 {
        let (mut low, mut high) = (k as f64 * step, (k + 1) as f64 * step);
        if at(low).0.x < 0.0 || at(high).0.x < 0.0 || at(low).1 * at(high).1 > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if at(low).1 * at(middle).1 <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        let (l, cross, along) = at(low);
        if along <= 0.0 && cross.abs() < 1e-9 {
            found.push(l);
        }
    }
    found
}

#[test]
fn one_contact_agrees_with_a_scan_of_angles() {
    let mut random = Random::new(11);
    let (mut stuck, mut slid, mut several) = (0, 0, 0);
    for k in 0..12000 {
        let (a, d) = random_block(&mut random, [1, 5][k % 2], 0.05);
        let mu = [0.05, 0.3, 0.8, 3.0, 10.0][k % 5];
        let l = Local::new(&contact(mu), &a, 0.0, 0.0).solve(d);
        let all = scan(&a, d, mu);
        let near = |other: &Vec3| (*other - l).norm() <= 1e-9 * l.norm();
        // grazing pairs of roots can hide between two angles of the scan: the law decides then
        let u = d + a * l;
        assert!(l.x > 0.0 && u.x.abs() < 1e-12 * (1.0 + a.max_abs() * l.norm()));
        if all.iter().any(near) {
            several += usize::from(all.len() > 1);
        } else {
            let opposed = (u.y * l.z - u.z * l.y).abs() + (u.y * l.y + u.z * l.z).max(0.0);
            assert!(
                opposed < 1e-9 * l.norm(),
                "block {k}: {l:?} is none of {all:?}"
            );
        }
        let tangent = l.y.hypot(l.z);
        if tangent < (1.0 - 1e-9) * mu * l.x {
            stuck += 1;
            assert!(u.norm() < 1e-11 * (1.0 + a.max_abs() * l.norm()));
        } else {
            slid += 1;
            assert!(tangent <= mu * l.x * (1.0 + 1e-14));
        }
    }
    println!("{stuck} stick, {slid} slide, {several} with more than one solution");
    assert!(stuck > 500 && slid > 500 && several > 5);
}

#[test]
fn one_contact_obeys_its_law_on_singular_blocks() {
    let mut random = Random::new(5);
    for k in 0..4000 {
        let (a, d) = random_block(&mut random, 1 + k % 3, 0.0);
        // rates that a motion can have
        let mut d = a * d;
        if d.x > 0.0 {
            d = -d;
        }
        if k % 4 == 0 {
            d = d * 1e-9;
        }
        for law in [
            contact(0.5),
            contact(3.0),
            box_contact(0.5),
            box_contact(3.0),
        ] {
            let l = Local::new(&law, &a, 0.0, 0.0).solve(d);
            let case = Case {
                w: BlockRows::dense(1, |_, _| a),
                laws: vec![law],
                rates: vec![d],
                compliance: vec![0.0],
            };
            assert!(
                case.miss(&[l]) < 1e-10,
                "block {k} {law:?}: {l:?}, {}",
                case.miss(&[l])
            );
        }
    }
}

#[test]
fn laws_hold_on_random_operators() {
    let mut random = Random::new(3);
    let mut worst = 0.0_f64;
    let mut failed = [0; 3];
    for k in 0..120 {
        let n = 2 + k % 7;
        let laws = (0..n).map(|i| match (i + k) % 4 {
            0 => box_contact(0.4),
            1 => contact(0.0),
            2 => contact(1.0),
            _ => contact(0.3),
        });
        // from twice as many freedoms as rows to fewer freedoms than contacts
        let freedoms = [6 * n, 3 * n + 1, 2 * n, 6.min(n + 1)][k % 4];
        let gamma = if k % 3 == 0 { 0.01 } else { 0.0 };
        let mut case = random_case(&mut random, laws.collect(), freedoms, gamma);
        if k % 5 == 0 {
            for law in &mut case.laws {
                if let Law::Contact {
                    tangential_compliance,
                    ..
                } = law
                {
                    *tangential_compliance = 0.02;
                }
            }
        }
        for (s, solver) in SOLVERS.into_iter().enumerate() {
            let (impulses, report) = case.solve(&with(solver));
            if !report.converged {
                failed[s] += 1;
                println!("case {k} {solver:?}: {report:?}");
                continue;
            }
            let miss = case.miss(&impulses);
            worst = worst.max(miss);
            assert!(miss < 2e-6, "case {k} {solver:?}: {miss:e} {report:?}");
        }
    }
    println!("not converged: {failed:?} of 120, largest miss {worst:e}");
    assert!(failed[0] < 12 && failed[2] < 6, "{failed:?}");
}

/// λ_n = v/(w + γ), λ_t = −s/(w + γ_t), and it slips by γ_t of that; beyond the cone it slides.
#[test]
fn what_sticks_creeps() {
    let (w, gamma, tangential_compliance, slip) = (2.0, 0.5, 0.25, 0.3);
    let mut random = Random::new(1);
    for friction_kind in [Friction::Cone, Friction::Box] {
        let law = Law::Contact {
            friction: 0.5,
            friction_kind,
            tangential_compliance,
        };
        let mut case = random_case(&mut random, vec![law], 3, gamma);
        case.w = BlockRows::dense(1, |_, _| Mat3::IDENTITY * w);
        case.rates = vec![vec3(-1.0, slip, 0.0)];
        for solver in SOLVERS {
            let (l, report) = case.solve(&with(solver));
            assert!(report.converged, "{solver:?}");
            let wanted = vec3(1.0 / (w + gamma), -slip / (w + tangential_compliance), 0.0);
            assert!((l[0] - wanted).norm() < 1e-7, "{solver:?} {l:?} {wanted:?}");
        }
        case.rates = vec![vec3(-1.0, 3.0, 0.0)];
        for solver in SOLVERS {
            let (l, _) = case.solve(&with(solver));
            let most = 0.5 / (w + gamma);
            assert!((l[0].y + most).abs() < 1e-7, "{solver:?} {l:?}");
        }
    }
}

#[test]
fn frictionless_contacts_agree_with_enumeration() {
    let mut random = Random::new(8);
    for k in 0..60 {
        let n = 1 + k % 6;
        let case = random_case(&mut random, vec![contact(0.0); n], 3 * n, 0.0);
        let mut exact = None;
        for set in 0..1_usize << n {
            let closed: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
            let entry = |&i: &usize| {
                closed
                    .iter()
                    .map(|&j| case.w.block(i, j).at(0, 0))
                    .collect()
            };
            let rhs = closed.iter().map(|&i| -case.rates[i].x).collect();
            let Some(solution) = dense_solve(closed.iter().map(entry).collect(), rhs) else {
                continue;
            };
            let mut impulses = vec![Vec3::ZERO; n];
            for (&i, &l) in closed.iter().zip(&solution) {
                impulses[i].x = l;
            }
            let u = case.rates_at(&impulses);
            if solution.iter().all(|&l| l > 0.0) && u.iter().all(|u| u.x > -1e-12) {
                exact = Some(impulses);
            }
        }
        let exact = exact.unwrap();
        let size = exact.iter().fold(0.0_f64, |m, l| m.max(l.x));
        for solver in SOLVERS {
            let (impulses, report) = case.solve(&with(solver));
            let error =
                (exact.iter().zip(&impulses)).fold(0.0_f64, |m, (a, b)| m.max((*a - *b).norm()));
            assert!(
                report.converged && error <= 1e-5 * size,
                "{k} {solver:?} {error:e} {report:?}"
            );
            if report.newton_steps > 0 {
                assert!(error <= 1e-10 * size, "{k} {error:e}");
            }
        }
    }
}

#[test]
fn equations_agree_with_a_dense_solve() {
    let mut random = Random::new(21);
    let laws: Vec<Law> = (0..6).map(|i| Law::Equality { rows: 1 + i % 3 }).collect();
    let case = random_case(&mut random, laws.clone(), 30, 0.02);
    let rows: Vec<(usize, usize)> = (0..6)
        .flat_map(|i| (0..1 + i % 3).map(move |r| (i, r)))
        .collect();
    let matrix = rows.iter().map(|&(i, r)| {
        let entry = |&(j, c): &(usize, usize)| {
            let gamma = if (i, r) == (j, c) { 0.02 } else { 0.0 };
            case.w.block(i, j).at(r, c) + gamma
        };
        rows.iter().map(entry).collect()
    });
    let rhs = rows.iter().map(|&(i, r)| -case.rates[i][r]).collect();
    let exact = dense_solve(matrix.collect(), rhs).unwrap();
    for solver in SOLVERS {
        let (impulses, report) = case.solve(&with(solver));
        assert!(report.converged, "{solver:?} {report:?}");
        for (&(i, r), &l) in rows.iter().zip(&exact) {
            assert!((impulses[i][r] - l).abs() < 1e-6, "{solver:?}");
        }
        for (i, l) in impulses.iter().enumerate() {
            for r in 1 + i % 3..3 {
                assert_eq!(l[r], 0.0, "unused rows carry nothing");
            }
        }
    }
}

#[test]
fn mixtures_of_laws() {
    let mut random = Random::new(33);
    for k in 0..40 {
        let laws = vec![
            contact(0.5),
            Law::Equality { rows: 3 },
            Law::Inequality,
            box_contact(0.7),
            Law::Equality { rows: 1 },
            contact(0.0),
            Law::Inequality,
        ];
        let gamma = [0.0, 1e-3, 0.1][k % 3];
        let case = random_case(&mut random, laws, 24, gamma);
        for solver in SOLVERS {
            let (impulses, report) = case.solve(&with(solver));
            assert!(report.converged, "case {k} {solver:?} {report:?}");
            assert!(
                case.miss(&impulses) < 1e-6,
                "case {k} {solver:?} {}",
                case.miss(&impulses)
            );
        }
    }
}

#[test]
fn what_cannot_move() {
    let zero = |law: Law, gamma: f64, rate: Vec3| Case {
        w: BlockRows::dense(1, |_, _| Mat3::ZERO),
        laws: vec![law],
        rates: vec![rate],
        compliance: vec![gamma],
    };
    let approaching = vec3(-0.3, 0.1, 0.0);
    let laws = [
        contact(0.0),
        contact(0.5),
        box_contact(0.5),
        Law::Equality { rows: 3 },
        Law::Inequality,
    ];
    for law in laws {
        for solver in SOLVERS {
            let (impulses, report) = zero(law, 0.0, approaching).solve(&with(solver));
            assert_eq!(impulses, [Vec3::ZERO]);
            assert!(report.converged, "{law:?}");
            // on a compliant contact λ = −bias/γ
            let (impulses, report) = zero(law, 0.01, approaching).solve(&with(solver));
            assert!(
                (impulses[0].x - 30.0).abs() < 1e-12 && report.converged,
                "{law:?}"
            );
        }
    }
    let (impulses, _) =
        zero(contact(0.5), 0.01, approaching).solve(&with(ConstraintSolver::Newton));
    assert!((impulses[0] - vec3(30.0, -15.0, 0.0)).norm() < 1e-12);
}

#[test]
fn the_solution_as_warm_start_and_a_second_run() {
    let mut random = Random::new(70);
    for gamma in [0.0, 0.01] {
        let case = random_case(&mut random, vec![contact(0.5); 12], 40, gamma);
        for solver in SOLVERS {
            let settings = with(solver);
            let mut workspace = Workspace::default();
            let mut first = vec![Vec3::ZERO; 12];
            let report = solve(&case.problem(), &mut first, &settings, &mut workspace);
            assert!(report.converged, "{solver:?} {report:?}");
            let mut second = vec![Vec3::ZERO; 12];
            let again = solve(&case.problem(), &mut second, &settings, &mut workspace);
            assert_eq!(
                (&first, report),
                (&second, again),
                "{solver:?}: the same bits again"
            );
            let warm = solve(&case.problem(), &mut second, &settings, &mut workspace);
            assert!(
                warm.converged && warm.iterations <= 1,
                "{solver:?} {warm:?}"
            );
        }
    }
}

#[test]
fn bad_input_is_reported() {
    let mut random = Random::new(71);
    let good = random_case(&mut random, vec![contact(0.5); 5], 20, 0.0);
    let mut cases = vec![good.clone(); 7];
    cases[0].rates[2].y = f64::NAN;
    cases[1].compliance[1] = f64::NAN;
    cases[2].compliance[1] = -1.0;
    cases[3].laws[4] = contact(f64::INFINITY);
    // in both triangles, as W is symmetric, and where an impulse acts: what is multiplied by zero need not be read
    let (solution, _) = good.solve(&with(ConstraintSolver::Newton));
    let pushes = solution.iter().position(|l| l.x > 0.0).unwrap();
    let other = (pushes + 1) % 5;
    for block in [5 * pushes + other, 5 * other + pushes] {
        cases[4].w.blocks[block].set(1, 1, f64::NAN);
    }
    cases[5].w.blocks[6].set(0, 0, f64::INFINITY);
    cases[6].rates.pop();
    for solver in SOLVERS {
        for (k, case) in cases.iter().enumerate() {
            let (impulses, report) = case.solve(&with(solver));
            assert!(
                !report.converged && report.residual == f64::INFINITY,
                "{k} {report:?}"
            );
            assert!(impulses.iter().all(|l| *l == Vec3::ZERO));
        }
        let mut impulses = vec![vec3(f64::NAN, 0.0, 0.0); 5];
        let report = solve(
            &good.problem(),
            &mut impulses,
            &with(solver),
            &mut Workspace::default(),
        );
        assert!(!report.converged && impulses.iter().all(|l| *l == Vec3::ZERO));
        let none = Case {
            w: BlockRows::default(),
            laws: vec![],
            rates: vec![],
            compliance: vec![],
        };
        assert!(none.solve(&with(solver)).1.converged);
    }
}

#[test]
fn contradictory_equations_end_without_success() {
    let case = Case {
        w: BlockRows::dense(2, |_, _| Mat3::diagonal(vec3(1.0, 0.0, 0.0))),
        laws: vec![Law::Equality { rows: 1 }; 2],
        rates: vec![vec3(1.0, 0.0, 0.0), vec3(-1.0, 0.0, 0.0)],
        compliance: vec![0.0; 2],
    };
    for solver in SOLVERS {
        let (impulses, report) = case.solve(&with(solver));
        assert!(
            !report.converged && impulses.iter().all(|l| l.is_finite()),
            "{report:?}"
        );
    }
}
