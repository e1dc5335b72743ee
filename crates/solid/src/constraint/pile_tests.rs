//! Piles, columns and inclines whose answer is known.

use super::solve_tests::{Case, SOLVERS, box_contact, contact, with};
use super::*;
use pliant_linalg::testing::Random;
use pliant_linalg::{BlockRows, Mat3, Vec3, vec3};

/// Contacts of a column of point masses, contact k between mass k − 1 (or the floor) and mass k; one step of g h.
fn stack(masses: &[f64], fall: f64) -> (Case, Vec<f64>) {
    let n = masses.len();
    let inverse = |k: usize| 1.0 / masses[k];
    let w = BlockRows::dense(n, |i, j| {
        let below = if i > 0 { inverse(i - 1) } else { 0.0 };
        Mat3::IDENTITY
            * match (i as isize) - (j as isize) {
                0 => below + inverse(i),
                1 => -inverse(j),
                -1 => -inverse(i),
                _ => 0.0,
            }
    });
    let mut rates = vec![Vec3::ZERO; n];
    rates[0].x = -fall;
    let weights = (0..n)
        .map(|k| masses[k..].iter().sum::<f64>() * fall)
        .collect();
    let case = Case {
        w,
        laws: vec![contact(0.5); n],
        rates,
        compliance: vec![0.0; n],
    };
    (case, weights)
}

#[test]
fn seven_masses_of_ratio_4096() {
    let up: Vec<f64> = (0..7).map(|k| 4.0_f64.powi(k)).collect();
    let down: Vec<f64> = up.iter().rev().copied().collect();
    for (name, masses) in [("heavy on top", up), ("light on top", down)] {
        let (case, weights) = stack(&masses, 9.81e-3);
        let mut errors = Vec::new();
        for solver in SOLVERS {
            let (impulses, report) = case.solve(&with(solver));
            let of = |(l, w): (&Vec3, &f64)| (l.x - w).abs() / w;
            let error = impulses.iter().zip(&weights).map(of).fold(0.0, f64::max);
            println!("{name}, {solver:?}: {report:?}, error {error:.1e}");
            errors.push(error);
        }
        assert!(errors[2] < 1e-10, "{name} {errors:?}");
        if name == "heavy on top" {
            assert!(
                errors[0] > 1e-2,
                "if sweeps alone can do it, the other solvers are not needed: {errors:?}"
            );
        }
    }
}

/// A column of boxes, 1 kg times a power of `ratio` upwards, four contacts between any two: redundant and sparse. Also the
/// weight that each level carries.
fn column(levels: usize, ratio: f64, friction: f64) -> (Case, Vec<f64>) {
    let (a, b, fall) = (0.1, 0.05, 9.81e-3);
    let axes = [
        vec3(0.0, 0.0, 1.0),
        vec3(1.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
    ];
    let corner = |i: usize, z: f64| vec3([a, a, -a, -a][i], [a, -a, a, -a][i], z);
    let mass = |k: usize| ratio.powi(k as i32);
    let inertia = |k: usize| vec3(a * a + b * b, a * a + b * b, 2.0 * a * a) * (mass(k) / 3.0);
    // what an impulse e at r on body k does along f at s
    let response = |k: usize, r: Vec3, e: Vec3, s: Vec3, f: Vec3| {
        let (t, q, i) = (r.cross(e), s.cross(f), inertia(k));
        e.dot(f) / mass(k) + t.x * q.x / i.x + t.y * q.y / i.y + t.z * q.z / i.z
    };
    // contact 4k + i: corner i of level k, lower side of body k, upper side of body k − 1
    let block = |x: usize, y: usize| {
        let ((k, i), (l, j)) = ((x / 4, x % 4), (y / 4, y % 4));
        let entry = |p: usize, q: usize| {
            let (e, f) = (axes[p], axes[q]);
            let mut sum = 0.0;
            for (body, sign_x, z_x) in [(k as isize, 1.0, -b), (k as isize - 1, -1.0, b)] {
                for (other, sign_y, z_y) in [(l as isize, 1.0, -b), (l as isize - 1, -1.0, b)] {
                    if body == other && body >= 0 {
                        let (r, s) = (corner(i, z_x), corner(j, z_y));
                        sum += sign_x * sign_y * response(body as usize, r, e, s, f);
                    }
                }
            }
            sum
        };
        let row = |p: usize| [0, 1, 2].map(|q| entry(p, q));
        Mat3::from_rows([row(0), row(1), row(2)])
    };
    let n = 4 * levels;
    let mut w = BlockRows {
        starts: vec![0],
        ..BlockRows::default()
    };
    for x in 0..n {
        let level = x / 4;
        for y in 4 * level.saturating_sub(1)..(4 * level + 8).min(n) {
            w.columns.push(y as u32);
            w.blocks.push(block(x, y));
        }
        w.starts.push(w.columns.len());
    }
    let mut rates = vec![Vec3::ZERO; n];
    for rate in &mut rates[..4] {
        rate.x = -fall;
    }
    let case = Case {
        w,
        laws: vec![contact(friction); n],
        rates,
        compliance: vec![0.0; n],
    };
    let weight = |k: usize| (k..levels).map(mass).sum::<f64>() * fall;
    (case, (0..levels).map(weight).collect())
}

#[test]
fn columns_of_boxes_rest() {
    for (levels, ratio) in [(3, 1.0), (10, 1.0), (20, 1.0), (7, 4.0), (7, 0.25)] {
        let (case, weights) = column(levels, ratio, 0.5);
        for solver in SOLVERS {
            let (impulses, report) = case.solve(&with(solver));
            let carried = impulses
                .chunks(4)
                .map(|l| l.iter().map(|l| l.x).sum::<f64>());
            let error = (carried.zip(&weights)).fold(0.0_f64, |m, (l, w)| m.max((l - w).abs() / w));
            println!("{levels} boxes of ratio {ratio}, {solver:?}: error {error:.1e} {report:?}");
            if solver == ConstraintSolver::Newton {
                assert!(report.converged && error < 1e-6, "{error:e} {report:?}");
            }
        }
    }
}

/// Boxes of a column thrown against each other: contacts that open, stick and slide in every direction.
#[test]
fn columns_of_boxes_in_motion() {
    let mut random = Random::new(9);
    let mut failed = [0; 3];
    let mut seen = [0; 3];
    let mut steps = [0; 3];
    for k in 0..60 {
        let levels = 2 + k % 9;
        let (mut case, _) = column(levels, [1.0, 2.0, 0.5][k % 3], [0.1, 0.5, 1.0][k / 3 % 3]);
        let part = [0.002, 0.01, 0.1][k % 3];
        let mut motion =
            |_| [0, 1].map(|_| vec3(random.signed(), random.signed(), random.signed()) * part);
        let motions: Vec<[Vec3; 2]> = (0..levels).map(&mut motion).collect();
        for (x, rate) in case.rates.iter_mut().enumerate() {
            let (level, i) = (x / 4, x % 4);
            let at = |z: f64| vec3([0.1, 0.1, -0.1, -0.1][i], [0.1, -0.1, 0.1, -0.1][i], z);
            let velocity =
                |body: usize, z: f64| motions[body][0] + (motions[body][1] * 10.0).cross(at(z));
            let mut u = velocity(level, -0.05);
            if level > 0 {
                u -= velocity(level - 1, 0.05);
            }
            *rate += vec3(u.z, u.x, u.y);
        }
        for (s, solver) in SOLVERS.into_iter().enumerate() {
            let (impulses, report) = case.solve(&with(solver));
            failed[s] += usize::from(!report.converged);
            steps[s] += report.iterations;
            if solver != ConstraintSolver::Newton {
                continue;
            }
            if !report.converged {
                println!("case {k}: {report:?}");
                continue;
            }
            assert!(
                case.miss(&impulses) < 1e-6,
                "case {k}: {} {report:?}",
                case.miss(&impulses)
            );
            for l in &impulses {
                let slides = l.y.hypot(l.z) > (0.999_999 * [0.1, 0.5, 1.0][k / 3 % 3]) * l.x;
                seen[if l.x == 0.0 {
                    0
                } else {
                    1 + usize::from(slides)
                }] += 1;
            }
        }
    }
    println!(
        "not converged {failed:?} of 60, iterations {steps:?}; open, stuck, sliding: {seen:?}"
    );
    assert!(failed[2] <= 6 && failed[2] < failed[1], "{failed:?}");
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// A box of half sizes (0.1, 0.1, 0.05) m and 2 kg with contacts at its four lower corners. Axes: x downhill, z away from
/// the plane; the tangents of the contacts are turned by `turn`.
struct Incline {
    normal_and_tangents: [Vec3; 3],
    corners: [Vec3; 4],
    mass: f64,
    inertia: Vec3,
}

impl Incline {
    fn new(turn: f64) -> Incline {
        let (s, c) = turn.sin_cos();
        let (m, a, b) = (2.0, 0.1, 0.05);
        let side = m / 3.0 * (a * a + b * b);
        Incline {
            normal_and_tangents: [vec3(0.0, 0.0, 1.0), vec3(c, s, 0.0), vec3(-s, c, 0.0)],
            corners: [
                vec3(a, a, -b),
                vec3(a, -a, -b),
                vec3(-a, a, -b),
                vec3(-a, -a, -b),
            ],
            mass: m,
            inertia: vec3(side, side, m / 3.0 * 2.0 * a * a),
        }
    }

    fn delassus(&self) -> BlockRows {
        BlockRows::dense(4, |i, j| {
            let entry = |r: usize, c: usize| {
                let (e, f) = (self.normal_and_tangents[r], self.normal_and_tangents[c]);
                let (t, s) = (self.corners[i].cross(e), self.corners[j].cross(f));
                let angular: f64 = (0..3).map(|k| t[k] * s[k] / self.inertia[k]).sum();
                e.dot(f) / self.mass + angular
            };
            let row = |r: usize| [0, 1, 2].map(|c| entry(r, c));
            Mat3::from_rows([row(0), row(1), row(2)])
        })
    }

    /// Velocity and angular velocity after `steps` of h = 0.01 s on a slope of `angle`.
    fn slide(&self, angle: f64, law: Law, solver: ConstraintSolver, steps: usize) -> [Vec3; 2] {
        let (mut v, mut omega) = (Vec3::ZERO, Vec3::ZERO);
        let w = self.delassus();
        let mut impulses = vec![Vec3::ZERO; 4];
        let mut workspace = Workspace::default();
        for _ in 0..steps {
            v += vec3(angle.sin(), 0.0, -angle.cos()) * (9.81 * 0.01);
            let rate = |corner: &Vec3| {
                let u = v + omega.cross(*corner);
                let [n, t, s] = self.normal_and_tangents.map(|e| e.dot(u));
                vec3(n, t, s)
            };
            let rates: Vec<Vec3> = self.corners.iter().map(rate).collect();
            let problem = Problem {
                delassus: &w,
                laws: &[law; 4],
                rates: &rates,
                compliance: &[0.0; 4],
                start: None,
            };
            let report = solve(&problem, &mut impulses, &with(solver), &mut workspace);
            assert!(report.converged, "{solver:?} {report:?}");
            for (lambda, corner) in impulses.iter().zip(&self.corners) {
                let [n, t, s] = self.normal_and_tangents;
                let impulse = n * lambda.x + t * lambda.y + s * lambda.z;
                v += impulse / self.mass;
                let twist = corner.cross(impulse);
                for k in 0..3 {
                    omega[k] += twist[k] / self.inertia[k];
                }
            }
        }
        [v, omega]
    }
}

#[test]
fn a_block_on_an_incline_sticks_or_slides() {
    let angle = 30.0_f64.to_radians();
    for solver in SOLVERS {
        for (law, turn) in [(contact as fn(f64) -> Law, 0.6), (box_contact, 0.0)] {
            let incline = Incline::new(turn);
            for friction in [0.58, 0.8] {
                let [v, omega] = incline.slide(angle, law(friction), solver, 20);
                assert!(
                    v.norm() < 1e-8 && omega.norm() < 1e-7,
                    "{solver:?} {friction} {v:?} {omega:?}"
                );
            }
            for friction in [0.0, 0.2, 0.5, 0.57] {
                let [v, omega] = incline.slide(angle, law(friction), solver, 20);
                let exact = 0.2 * 9.81 * (angle.sin() - friction * angle.cos());
                let error = (v - vec3(exact, 0.0, 0.0)).norm() / exact;
                assert!(error < 1e-6, "{solver:?} {friction}: {v:?}, exact {exact}");
                assert!(omega.norm() < 1e-6, "{omega:?}");
            }
        }
    }
}
