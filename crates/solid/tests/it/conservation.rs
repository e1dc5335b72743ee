//! Free flight, momentum, rotation without strain, the energy balance.

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::assembly::Forces;
use pliant_solid::material::MaterialModel;
use pliant_solid::settings::{Integrator, Settings};

const DYNAMIC: [Integrator; 3] = [
    Integrator::LinearImplicit { beta: 1.0 },
    Integrator::ImplicitEuler,
    Integrator::Bdf2,
];

#[test]
fn free_flight_keeps_momentum_and_follows_the_scheme_s_parabola() {
    let velocity = vec3(1.0, -0.5, 2.0);
    let spin = vec3(3.0, 1.0, -2.0);
    for integrator in DYNAMIC {
        let mesh = generate::ball(0.05, 3).unwrap();
        let model = free_body(
            mesh,
            soft(MaterialModel::StableNeoHookean),
            velocity,
            spin,
            Vec3::ZERO,
        );
        let total: f64 = model.mass.iter().sum();
        let simulation = simulate(model, settings(integrator), 60);
        let momentum = simulation.report().momentum.linear;
        assert!(
            (momentum - velocity * total).norm() < 1e-12 * total * velocity.norm(),
            "{integrator:?} {momentum:?}"
        );
    }

    // under gravity backward Euler has v = v₀ + n h g and x = x₀ + n h v₀ + ½ n(n+1) h² g
    let mesh = generate::ball(0.05, 3).unwrap();
    let model = free_body(
        mesh,
        soft(MaterialModel::StableNeoHookean),
        velocity,
        spin,
        GRAVITY,
    );
    let start = centre(&model.rest, &model.mass);
    let (h, n) = (5e-3, 60.0);
    let simulation = simulate(
        model,
        settings(Integrator::LinearImplicit { beta: 1.0 }),
        60,
    );
    let expected = start + velocity * (n * h) + GRAVITY * (0.5 * n * (n + 1.0) * h * h);
    let found = simulation.report().momentum.centre;
    assert!(
        (found - expected).norm() < 1e-12 * expected.norm().max(1.0),
        "{found:?} {expected:?}"
    );
}

fn centre(x: &[Vec3], mass: &[f64]) -> Vec3 {
    let total: f64 = mass.iter().sum();
    x.iter()
        .zip(mass)
        .fold(Vec3::ZERO, |s, (&x, &m)| s + x * (m / total))
}

#[test]
fn rigid_motion_stores_no_energy_except_in_linear_elasticity() {
    let rotation = Mat3::rotation(vec3(0.3, -1.0, 0.5).normalized().unwrap(), 1.9);
    for material in MaterialModel::ALL {
        let model = cantilever(bar([6, 2, 2]), soft(material));
        let x: Vec<Vec3> = model
            .rest
            .iter()
            .map(|&x| rotation * x + vec3(5.0, -3.0, 2.0))
            .collect();
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &[], false).unwrap();
        let volume: f64 = model.element_volumes.iter().sum();
        let density = forces.energy / volume / 1e5;
        if material == MaterialModel::Linear {
            assert!(density > 0.1, "linear elasticity sees strain in a rotation");
        } else {
            assert!(density.abs() < 1e-12, "{material:?} {density}");
        }
    }
}

#[test]
fn a_slowly_spinning_body_keeps_angular_momentum_to_second_order_in_h() {
    // backward Euler loses angular momentum like h²; Newton's method leaves no more than that
    let loss = |h: f64| {
        let mesh = generate::ball(0.05, 2).unwrap();
        let model = free_body(
            mesh,
            soft(MaterialModel::StableNeoHookean),
            Vec3::ZERO,
            vec3(0.0, 0.0, 2.0),
            Vec3::ZERO,
        );
        let l0: f64 = model
            .rest
            .iter()
            .zip(&model.mass)
            .map(|(x, m)| 2.0 * m * (x.x * x.x + x.y * x.y))
            .sum();
        let settings = Settings {
            h,
            ..settings(Integrator::Bdf2)
        };
        let simulation = simulate(model, settings, (0.1 / h).round() as usize);
        1.0 - simulation.report().momentum.angular.z / l0
    };
    let (coarse, fine) = (loss(1e-3), loss(5e-4));
    assert!(
        coarse.abs() < 1e-3 && fine.abs() < 0.4 * coarse.abs(),
        "{coarse} {fine}"
    );
}

#[test]
fn the_energy_balance_closes_and_damping_is_counted() {
    let mut material = soft(MaterialModel::StableNeoHookean);
    material.mass_damping = 1.0;
    material.stiffness_damping = 2e-3;
    let lossy = simulate(
        cantilever(bar([8, 2, 2]), material),
        settings(Integrator::Bdf2),
        200,
    );
    let e = lossy.report().energies;
    assert!(e.damping_loss > 0.0);
    // the integrator is second order and the step small against the first period: damping dominates the losses
    assert!(e.integrator_loss.abs() < 0.1 * e.damping_loss, "{e:?}");
    let start = lossy.state().ledger.initial_energy.unwrap();
    let balance = start + e.external_work - e.damping_loss - e.integrator_loss - e.mechanical();
    assert!(
        balance.abs() < 1e-12 * (e.elastic + e.damping_loss),
        "{balance}"
    );

    let backward = simulate(
        cantilever(bar([8, 2, 2]), soft(MaterialModel::StableNeoHookean)),
        settings(Integrator::ImplicitEuler),
        200,
    );
    assert!(
        backward.report().energies.integrator_loss > 0.0,
        "backward Euler only dissipates"
    );
}
