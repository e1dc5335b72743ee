//! Free bodies: flight, tumbling, precession.

use super::super::rotation::{exponential, mean_spin, orthonormalized};
use super::*;

const BOX: Mat3 = Mat3::diagonal(vec3(1.0, 2.0, 2.7));

#[test]
fn free_fall_follows_the_closed_form_of_the_scheme() {
    let mut model = spinning(BOX, vec3(0.3, 4.0, -2.0));
    model.bodies[0].velocity = vec3(1.0, 2.0, 0.0);
    let (h, n) = (0.01, 200);
    let state = run(&model, GRAVITY, h, n, |_| {});
    let t = h * n as f64;
    let velocity = vec3(1.0, 2.0, 0.0) + GRAVITY * t;
    let centre = vec3(1.0, 2.0, 0.0) * t + GRAVITY * (0.5 * t * (t + h));
    assert!((state.twists[0].velocity - velocity).norm() < 1e-12);
    assert!((state.poses[0].centre - centre).norm() < 1e-12);
}

#[test]
fn a_tumbling_body_keeps_momentum_and_energy() {
    let turn = Mat3::rotation(vec3(0.6, 0.8, 0.0), 0.9);
    let inertia = (turn * BOX * turn.transpose()).symmetric_part();
    for (turned, steps) in [(0.02, 20_000), (0.1, 20_000), (0.5, 100_000)] {
        let h = 0.01;
        let spin = vec3(0.5, 1.0, 0.3).normalized().unwrap() * (turned / h);
        let model = spinning(inertia, spin);
        let start = RigidState::initial(&model);
        let (l, e) = (start.momentum(&model).angular, start.kinetic_energy(&model));
        let (mut momentum, mut drift, mut skew) = (0.0_f64, 0.0_f64, 0.0_f64);
        run(&model, Vec3::ZERO, h, steps, |state| {
            let r = state.poses[0].rotation;
            momentum = momentum.max((state.momentum(&model).angular - l).norm() / l.norm());
            drift = drift.max((state.kinetic_energy(&model) / e - 1.0).abs());
            skew = skew.max((r.transpose() * r - Mat3::IDENTITY).max_abs());
        });
        println!("h|ω| {turned}: L {momentum:.1e}, E {drift:.1e}, RᵀR {skew:.1e}");
        assert!(momentum < 1e-12 && drift < 1e-11 && skew < 1e-14);
    }
}

/// Relative change of energy after `steps` with l⁺ = exp(−h w) l for a rule that gives w.
fn energy_change(rule: impl Fn(Vec3) -> Vec3, l: Vec3, h: f64, steps: usize) -> f64 {
    let inverse = BOX.inverse().unwrap();
    let mut now = l;
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for _ in 0..steps {
        now = exponential(rule(now) * -h) * now;
        let ratio = now.dot(inverse * now) / l.dot(inverse * l);
        (least, most) = (least.min(ratio), most.max(ratio));
    }
    f64::max(most - 1.0, 1.0 - least)
}

#[test]
fn the_mean_spin_is_needed_to_keep_energy() {
    let inverse = BOX.inverse().unwrap();
    let h = 0.01;
    for turned in [0.05, 0.2, 0.5] {
        let l = BOX * (vec3(0.2, 1.0, 0.3).normalized().unwrap() * (turned / h));
        let start = energy_change(|l| inverse * l, l, h, 20_000);
        // spin of the same momentum at the orientation half a step ahead: second order, not conserving
        let ahead = |l: Vec3| inverse * (exponential(inverse * l * (-0.5 * h)) * l);
        let midpoint = energy_change(ahead, l, h, 20_000);
        let mean = energy_change(|l| mean_spin(l, &inverse, h), l, h, 20_000);
        println!(
            "h|ω| {turned}: start {start:.1e}, explicit midpoint {midpoint:.1e}, mean {mean:.1e}"
        );
        assert!(mean < 1e-11 && start > 0.1);
    }
}

#[test]
fn spin_about_the_middle_axis_flips_again_and_again() {
    let h = 0.01;
    let model = spinning(BOX, vec3(1e-3, 10.0, 0.0));
    let (mut flips, mut side) = (0, 1.0);
    run(&model, Vec3::ZERO, h, 5000, |state| {
        let spin = state.poses[0].rotation.transpose() * state.twists[0].spin;
        if spin.y * side < -5.0 {
            (flips, side) = (flips + 1, -side);
        }
    });
    // half a period of the exact solution: 2 K(k) / √(λ), from the elliptic functions of the torque-free top
    let [a, b, c] = [1.0_f64, 2.0, 2.7];
    let (e2, l2) = (
        a * 1e-6 + b * 100.0,         // 2 E
        a * a * 1e-6 + b * b * 100.0, // L²
    );
    // E Iᵦ < L²/2 or not decides which of the outer axes is circled; k near 1 either way
    let (rate, k2) = if l2 > e2 * b {
        (
            ((c - b) * (l2 - e2 * a) / (a * b * c)).sqrt(),
            (b - a) * (e2 * c - l2) / ((c - b) * (l2 - e2 * a)),
        )
    } else {
        (
            ((b - a) * (e2 * c - l2) / (a * b * c)).sqrt(),
            (c - b) * (l2 - e2 * a) / ((b - a) * (e2 * c - l2)),
        )
    };
    let half_period =
        2.0 * std::f64::consts::FRAC_PI_2 / arithmetic_geometric(1.0, (1.0 - k2).sqrt()) / rate;
    let expected = 50.0 / half_period;
    println!("{flips} flips, {expected:.2} expected");
    assert!((flips as f64 - expected).abs() < 1.5);
}

pub(super) fn arithmetic_geometric(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

#[test]
fn a_symmetric_top_precesses_at_the_closed_rate() {
    // the axis of a free symmetric top circles L at |L|/I₁
    let inertia = Mat3::diagonal(vec3(1.0, 1.0, 1.8));
    let model = spinning(inertia, vec3(1.0, 0.0, 4.0));
    let l = inertia * vec3(1.0, 0.0, 4.0);
    let time = 2.0;
    let exact = exponential(l * time) * Vec3::AXES[2];
    let errors = [100, 200].map(|steps| {
        let state = run(&model, Vec3::ZERO, time / steps as f64, steps, |_| {});
        (state.poses[0].rotation * Vec3::AXES[2] - exact).norm()
    });
    println!("{errors:?}");
    assert!(errors[1] < 2e-3 && (3.8..4.2).contains(&(errors[0] / errors[1])));
}

#[test]
fn spin_about_a_principal_axis_is_exact() {
    let model = spinning(BOX, vec3(0.0, 0.0, 30.0));
    let state = run(&model, Vec3::ZERO, 0.02, 100, |_| {});
    let exact = exponential(vec3(0.0, 0.0, 60.0));
    assert!((state.poses[0].rotation - exact).max_abs() < 1e-12);
}

#[test]
fn rotations_stay_rotations_for_a_million_steps() {
    let mut random = Random(5);
    let mut r = Mat3::IDENTITY;
    let mut worst = 0.0_f64;
    for i in 0..1_000_000 {
        r = orthonormalized(r * exponential(random.vector() * 0.5));
        if i % 1000 == 0 {
            worst = worst.max((r.transpose() * r - Mat3::IDENTITY).max_abs());
        }
    }
    assert!(worst < 1e-14, "{worst:.1e}");
}

#[test]
fn the_exponential_map_joins_its_series_smoothly() {
    for angle in [1e-9, 1e-3, 0.01999, 0.02001, 1.0, 3.1] {
        let axis = vec3(2.0, -1.0, 2.0) / 3.0;
        let error = (exponential(axis * angle) - Mat3::rotation(axis, angle)).max_abs();
        assert!(error < 4e-16, "{angle}: {error:.1e}");
    }
}

#[test]
fn wild_spin_stays_within_the_bounds_of_its_momentum() {
    // h|ω| of 50: nothing is resolved, but momentum stays and the energy is bounded by it
    let model = spinning(BOX, vec3(500.0, 4000.0, -3000.0));
    let l = RigidState::initial(&model).momentum(&model).angular;
    run(&model, Vec3::ZERO, 0.01, 2000, |state| {
        let square = l.norm_squared();
        let e = state.kinetic_energy(&model);
        assert!(((state.momentum(&model).angular - l).norm() / l.norm()) < 1e-12);
        assert!(e > 0.499 * square / 2.7 && e < 0.501 * square);
    });
}

#[test]
fn loads_change_momentum_by_their_impulse() {
    let model = spinning(BOX, vec3(1.0, 2.0, 3.0));
    let (state, mut next) = (RigidState::initial(&model), RigidState::default());
    let load = Wrench {
        force: vec3(1.0, -2.0, 0.5),
        torque: vec3(0.2, 0.7, -3.0),
    };
    let (mut step, h) = (RigidStep::default(), 0.1);
    step.begin(&model, &state, GRAVITY, &[load], 0.0, h);
    step.finish(&model, &state, &mut next);
    let (before, after) = (state.momentum(&model), next.momentum(&model));
    let linear = (load.force + GRAVITY * 2.0) * h;
    let spin_change = after.angular - next.poses[0].centre.cross(after.linear) - before.angular;
    assert!((after.linear - before.linear - linear).norm() < 1e-14);
    assert!((spin_change - load.torque * h).norm() < 1e-14);
}
