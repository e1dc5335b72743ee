//! Chains: kinematics, mass matrix, inertia torques, closed forms of pendulums.

use super::super::chain::Posture;
use super::free::arithmetic_geometric;
use super::*;
use std::f64::consts::{FRAC_PI_2, TAU};

fn posture(model: &RigidModel, angles: &[f64]) -> Posture {
    let mut posture = Posture::default();
    posture.place(model, &model.chains[0], angles);
    posture
}

fn mass(model: &RigidModel, angles: &[f64]) -> Vec<f64> {
    let mut mass = Vec::new();
    posture(model, angles).mass_matrix(&mut mass);
    mass
}

/// ½ uᵀ M(q) u.
fn kinetic(model: &RigidModel, q: &[f64], u: &[f64]) -> f64 {
    let (m, n) = (mass(model, q), q.len());
    let entries = (0..n * n).map(|i| 0.5 * u[i / n] * m[i] * u[i % n]);
    entries.sum()
}

fn shifted(q: &[f64], u: &[f64], by: f64) -> Vec<f64> {
    q.iter().zip(u).map(|(q, u)| q + by * u).collect()
}

#[test]
fn a_planar_arm_has_the_known_jacobian_and_mass_matrix() {
    let mut model = pendulum(2);
    let (q1, q2) = (0.4, 1.1);
    (
        model.chains[0].links[0].angle,
        model.chains[0].links[1].angle,
    ) = (q1, q2);
    let state = RigidState::initial(&model);
    let mut step = RigidStep::default();
    step.begin(&model, &state, Vec3::ZERO, &[], 0.0, 0.01);
    let j2 = vec3(q1.cos(), q1.sin(), 0.0);
    let tip = j2 + vec3((q1 + q2).cos(), (q1 + q2).sin(), 0.0);
    // ẋ = [P(x − j1), P(x − j2)] q̇ on link 2, and [1, 1] in its spin
    let perpendicular = |d: Vec3| vec3(-d.y, d.x, 0.0);
    let arm = tip - state.poses[1].centre;
    let mut blocks = Vec::new();
    step.jacobian(1, arm, &Mat3::IDENTITY, &Mat3::ZERO, &mut |b, m| {
        blocks.push((b, m))
    });
    let expected = Mat3::from_columns(perpendicular(tip), perpendicular(tip - j2), Vec3::ZERO);
    assert_eq!(blocks.len(), 1);
    assert_eq!(blocks[0].0, 0);
    assert!((blocks[0].1 - expected).max_abs() < 1e-15);
    // a point of link 1 does not feel joint 2
    step.jacobian(0, Vec3::ZERO, &Mat3::ZERO, &Mat3::IDENTITY, &mut |_, m| {
        let expected = Mat3::from_columns(Vec3::AXES[2], Vec3::ZERO, Vec3::ZERO);
        assert!((m - expected).max_abs() < 1e-15)
    });
    // textbook double rod: m l² (1/3 + 4/3 + cos q2, 1/3 + ½ cos q2, 1/3)
    let coupling = 1.0 / 3.0 + 0.5 * q2.cos();
    let expected = [5.0 / 3.0 + q2.cos(), coupling, coupling, 1.0 / 3.0];
    for (found, expected) in mass(&model, &[q1, q2]).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14);
    }
}

#[test]
fn the_mass_matrix_is_that_of_the_moving_bodies() {
    for seed in 1..6 {
        let model = tree(&BRANCHED, seed);
        let state = RigidState::initial(&model);
        let (q, u) = (&state.angles, &state.rates);
        let e = 1e-5;
        let [back, ahead] = [-e, e].map(|e| posture(&model, &shifted(q, u, e)).poses);
        let mut by_differences = 0.0;
        for (i, body) in model.bodies.iter().enumerate() {
            let velocity = (ahead[i].centre - back[i].centre) / (2.0 * e);
            // Ṙ Rᵀ = [ω]×
            let turning = (ahead[i].rotation - back[i].rotation) * (0.5 / e);
            let w = turning * state.poses[i].rotation.transpose();
            let spin = vec3(w.at(2, 1), w.at(0, 2), w.at(1, 0));
            let spin_rest = state.poses[i].rotation.transpose() * spin;
            by_differences += 0.5 * body.mass * velocity.norm_squared()
                + 0.5 * spin_rest.dot(body.inertia * spin_rest);
            assert!((velocity - state.twists[i].velocity).norm() < 1e-8);
            assert!((spin - state.twists[i].spin).norm() < 1e-8);
        }
        let t = kinetic(&model, q, u);
        assert!((t / by_differences - 1.0).abs() < 1e-8);
        assert!((t / state.kinetic_energy(&model) - 1.0).abs() < 1e-13);
    }
}

/// c_i = Σ Γ_ijk u_j u_k = Σ (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) u_j u_k by differences of M.
fn christoffel(model: &RigidModel, q: &[f64], u: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (n, e) = (q.len(), 1e-4);
    let derivative = |k: usize| -> Vec<f64> {
        let at = |by: f64| {
            let mut q = q.to_vec();
            q[k] += by;
            mass(model, &q)
        };
        // fourth order
        let (a, b, c, d) = (at(-2.0 * e), at(-e), at(e), at(2.0 * e));
        (0..n * n)
            .map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * e))
            .collect()
    };
    let dm: Vec<Vec<f64>> = (0..n).map(derivative).collect();
    let mut force = vec![0.0; n];
    let mut gradient = vec![0.0; n];
    for i in 0..n {
        for (j, k) in (0..n).flat_map(|j| (0..n).map(move |k| (j, k))) {
            let half = 0.5 * dm[i][j * n + k] * u[j] * u[k];
            gradient[i] += half;
            force[i] += dm[k][i * n + j] * u[j] * u[k] - half;
        }
    }
    (force, gradient)
}

#[test]
fn inertia_torques_are_those_of_the_christoffel_symbols() {
    for seed in 1..6 {
        let mut model = tree(&BRANCHED, seed);
        let state = RigidState::initial(&model);
        let (q, u, n) = (&state.angles, &state.rates, state.angles.len());
        let (force, gradient) = christoffel(&model, q, u);
        let mut found = vec![0.0; n];
        posture(&model, q).add_inertia_torques(u, 1.0, &mut found);
        for (found, expected) in found.iter().zip(&gradient) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        // the whole step turns it into M q̈ = −c, which a reversal of time leaves alone
        let change = |sign: f64, model: &RigidModel| {
            let state = run(model, Vec3::ZERO, 1e-4, 1, |_| {});
            let rates = state.rates.iter().zip(u);
            rates
                .map(|(a, b)| (a - sign * b) / 1e-4)
                .collect::<Vec<_>>()
        };
        let ahead = change(1.0, &model);
        for link in &mut model.chains[0].links {
            link.rate = -link.rate;
        }
        let back = change(-1.0, &model);
        let m = mass(&model, q);
        for i in 0..n {
            // errors of first order in h cancel in the mean of both
            let momentum: f64 = (0..n)
                .map(|j| m[i * n + j] * 0.5 * (ahead[j] + back[j]))
                .sum();
            assert!(
                (momentum + force[i]).abs() < 1e-3 * (1.0 + force[i].abs()),
                "{momentum} {}",
                -force[i]
            );
        }
    }
}

#[test]
fn a_physical_pendulum_has_the_elliptic_period() {
    let mut model = pendulum(1);
    let amplitude = 1.5;
    model.chains[0].links[0].angle = amplitude - FRAC_PI_2;
    let h = 1e-3;
    let (mut time, mut last, mut crossings) = (0.0, amplitude, Vec::new());
    run(&model, GRAVITY, h, 13_000, |state| {
        let angle = state.angles[0] + FRAC_PI_2;
        time += h;
        if last < 0.0 && angle >= 0.0 {
            crossings.push(time - h * angle / (angle - last));
        }
        last = angle;
    });
    let count = crossings.len() - 1;
    let period = (crossings[count] - crossings[0]) / count as f64;
    // I/(m g l) = (1/3)/(9.81/2) for a rod
    let small = TAU * (2.0 / (3.0 * 9.81_f64)).sqrt();
    let exact = small / arithmetic_geometric(1.0, (0.5 * amplitude).cos());
    println!("period {period:.6}, exact {exact:.6}");
    assert!(count >= 4 && (period / exact - 1.0).abs() < 2e-6);
}

#[test]
fn the_energy_of_a_double_pendulum_oscillates_with_h_and_does_not_drift() {
    let model = pendulum(2);
    let error = |h: f64, time: f64| {
        let mut worst = 0.0_f64;
        let steps = (time / h).round() as usize;
        run(&model, GRAVITY, h, steps, |state| {
            worst = worst.max(energy(&model, state, GRAVITY).abs());
        });
        worst
    };
    let [coarse, fine] = [2e-3, 1e-3].map(|h| error(h, 2.0));
    let long = error(1e-3, 60.0);
    println!("energy error {coarse:.4} J, {fine:.4} J, after 60 s {long:.4} J");
    assert!((1.7..2.3).contains(&(coarse / fine)));
    assert!(long < 5.0 * fine);
}

#[test]
fn a_chain_in_space_keeps_its_energy_and_its_momentum_about_a_free_axis() {
    // all joints' axes general, the first along y: its momentum is the total about that axis
    let mut model = tree(&[None, Some(0), Some(1), Some(2)], 11);
    model.chains[0].links[0].axis = Vec3::AXES[1];
    model.chains[0].links[0].point = Vec3::ZERO;
    let start = RigidState::initial(&model);
    let (l, e) = (
        start.momentum(&model).angular.y,
        start.kinetic_energy(&model),
    );
    let (mut turned, mut drift) = (0.0_f64, 0.0_f64);
    run(&model, Vec3::ZERO, 1e-3, 20_000, |state| {
        turned = turned.max((state.momentum(&model).angular.y - l).abs());
        drift = drift.max((state.kinetic_energy(&model) / e - 1.0).abs());
    });
    println!("momentum {turned:.1e} of {l:.2}, energy {drift:.1e}");
    assert!(turned < 1e-11 && drift < 0.02);
}

#[test]
fn a_falling_whip_loses_energy_where_it_is_not_resolved() {
    for (links, h, time) in [
        (10, 1.0 / 60.0, 20.0),
        (10, 1.0 / 240.0, 5.0),
        (30, 1.0 / 60.0, 10.0),
    ] {
        let model = pendulum(links);
        let scale = 9.81 * (links * links) as f64 / 2.0; // m g L/2, from the start to hanging down
        let (mut least, mut most) = (0.0_f64, 0.0_f64);
        let state = run(&model, GRAVITY, h, (time / h) as usize, |state| {
            let e = energy(&model, state, GRAVITY) / scale;
            (least, most) = (least.min(e), most.max(e));
        });
        println!("{links} links, h {h:.4}: energy {least:.3} … {most:.3} m g L/2");
        assert!(state.is_finite() && state.fits(&model));
        assert!(most < 0.01 && least > -0.8);
    }
    // half a turn of the last link a step: unresolved, said so, and no gain
    let mut model = tree(&BRANCHED, 2);
    for link in &mut model.chains[0].links {
        link.rate *= 300.0;
    }
    let mut step = RigidStep::default();
    let mut last = RigidState::initial(&model);
    step.begin(&model, &last, Vec3::ZERO, &[], 0.0, 0.01);
    assert_eq!(step.unresolved_count(), 1);
    let start = last.kinetic_energy(&model);
    last = run(&model, Vec3::ZERO, 0.01, 300, |state| {
        assert!(state.kinetic_energy(&model) < 1.05 * start);
    });
    assert!(last.is_finite() && last.kinetic_energy(&model) < start);
}

#[test]
fn damping_slows_a_joint_by_its_closed_form() {
    let mut model = pendulum(1);
    (
        model.chains[0].links[0].damping,
        model.chains[0].links[0].rate,
    ) = (0.5, 2.0);
    let (h, n) = (0.01, 100);
    let state = run(&model, Vec3::ZERO, h, n, |_| {});
    let scheme = 2.0 * (1.0 + h * 0.5 * 3.0).powi(-(n as i32));
    let exact = 2.0 * (-0.5 * 3.0 * h * n as f64).exp();
    assert!((state.rates[0] - scheme).abs() < 1e-13);
    assert!((state.rates[0] / exact - 1.0).abs() < 0.02);
}

#[test]
fn a_joint_spring_swings_at_its_frequency_and_rests_at_its_angle() {
    let mut model = pendulum(1);
    let joint = &mut model.chains[0].links[0];
    (joint.stiffness, joint.rest_angle, joint.angle) = (12.0, 0.3, 0.5);
    let h = 1e-4;
    let (mut last, mut crossings, mut time) = (0.2, Vec::new(), 0.0);
    run(&model, Vec3::ZERO, h, 40_000, |state| {
        let angle = state.angles[0] - 0.3;
        time += h;
        if last < 0.0 && angle >= 0.0 {
            crossings.push(time - h * angle / (angle - last));
        }
        last = angle;
    });
    let period = crossings[2] - crossings[1];
    assert!((period / (TAU / 6.0) - 1.0).abs() < 1e-5, "{period}");
    // stiff and with a large step: it goes to the balance of spring and driving torque and stays
    let joint = &mut model.chains[0].links[0];
    (joint.stiffness, joint.torque) = (1e6, Profile::Constant(2e5));
    let state = run(&model, Vec3::ZERO, 0.02, 200, |_| {});
    assert!((state.angles[0] - 0.5).abs() < 1e-9 && state.rates[0].abs() < 1e-9);
}

#[test]
fn a_load_on_a_link_is_the_torque_about_its_joints() {
    let model = tree(&BRANCHED, 3);
    let state = RigidState::initial(&model);
    let mut random = Random(8);
    let loads: Vec<Wrench> = (0..7)
        .map(|_| Wrench {
            force: random.vector(),
            torque: random.vector(),
        })
        .collect();
    let mut torques = vec![0.0; 7];
    let posture = posture(&model, &state.angles);
    posture.add_torques(|link| loads[link], GRAVITY, &mut torques);
    // virtual work: the power of all wrenches at unit rate of one joint
    for joint in 0..7 {
        let mut rates = [0.0; 7];
        rates[joint] = 1.0;
        let power: f64 = (0..7)
            .map(|link| {
                let twist = posture.twist(link, &rates);
                let force = loads[link].force + GRAVITY * model.bodies[link].mass;
                twist.velocity.dot(force) + twist.spin.dot(loads[link].torque)
            })
            .sum();
        assert!((torques[joint] - power).abs() < 1e-13);
    }
}
