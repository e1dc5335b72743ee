//! Free motion: falls, spins, collisions.

use super::case::{Check, Findings};
use super::setup::settings;
use crate::bench::contact::problem;
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::contact::{ConstraintResponse, ContactModel};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::rigid::Mobility;
use pliant_solid::settings::Integrator;
use pliant_solid::strategy::Method;

const GRAVITY: f64 = 9.81;
const INTEGRATORS: [(&str, Integrator); 3] = [
    (
        "linearly implicit",
        Integrator::LinearImplicit { beta: 1.0 },
    ),
    ("implicit Euler", Integrator::ImplicitEuler),
    ("BDF2", Integrator::Bdf2),
];

pub fn all(_: bool) -> Result<Findings> {
    let mut found = Findings::default();
    fall(&mut found)?;
    spin(&mut found)?;
    collision(&mut found)?;
    bounce(&mut found)?;
    Ok(found)
}

fn block(at: Vec3, velocity: Vec3, spin: Vec3) -> Result<BodySpecification> {
    let mesh = generate::bar(vec3(0.2, 0.1, 0.1), [4, 2, 2], generate::Split::Six)?.translated(at);
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e6, 0.3, 1000.0);
    Ok(BodySpecification {
        velocity,
        spin,
        ..BodySpecification::uniform("block", mesh, material)
    })
}

fn simulate(
    bodies: Vec<BodySpecification>,
    gravity: Vec3,
    integrator: Integrator,
    h: f64,
    contact: Option<ContactModel>,
) -> Result<Simulation> {
    let mut model = Model::build(bodies, vec![], gravity)?;
    if let Some(contact) = contact {
        model = model.with_contact(contact)?;
    }
    Ok(Simulation::new(
        model,
        settings(integrator, h),
        Method::Full,
    )?)
}

fn centre(simulation: &Simulation) -> Vec3 {
    let mass = &simulation.model().mass;
    let total: f64 = mass.iter().sum();
    let pairs = simulation.state().positions.iter().zip(mass);
    pairs.fold(Vec3::ZERO, |sum, (&x, &m)| sum + x * (m / total))
}

/// Both Euler methods fall by ½ g t (t + h).
fn fall(found: &mut Findings) -> Result<()> {
    let h = 0.01;
    for (name, integrator) in INTEGRATORS {
        let body = block(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO)?;
        let mut simulation = simulate(vec![body], vec3(0.0, 0.0, -GRAVITY), integrator, h, None)?;
        let start = centre(&simulation).z;
        for _ in 0..100 {
            simulation.step()?;
        }
        let value = start - centre(&simulation).z;
        let (reference, tolerance, source) = match integrator {
            Integrator::Bdf2 => (
                0.5 * GRAVITY,
                0.01,
                "½ g t²; the first of its steps is one of Euler's",
            ),
            _ => (
                0.5 * GRAVITY * (1.0 + h),
                1e-9,
                "½ g t (t + h), the sum of the scheme",
            ),
        };
        let check = Check::new(
            format!("free fall for 1 s, {name}"),
            value,
            reference,
            tolerance,
            source,
        );
        found.checks.push(check.unit("m"));
    }
    Ok(())
}

/// Angular momentum after a turn, over that at the start. Implicit Euler's end-of-step velocities turn ahead: L falls by (ω h)² L a step, so
/// that it is 1/√(1 + 2 n (ω₀ h)²) of it after n steps for a stiff body.
fn spin(found: &mut Findings) -> Result<()> {
    let (speed, h, steps): (f64, f64, u32) = (6.0, 1e-3, 1000);
    let euler = 1.0 / (1.0 + 2.0 * f64::from(steps) * (speed * h).powi(2)).sqrt();
    let cases = [
        (
            "implicit Euler",
            Integrator::ImplicitEuler,
            euler,
            5e-3,
            "1/√(1 + 2 n (ω h)²), derived for a stiff body",
        ),
        (
            "BDF2",
            Integrator::Bdf2,
            1.0,
            1e-3,
            "conservation of angular momentum",
        ),
    ];
    for (name, integrator, reference, tolerance, source) in cases {
        let body = block(Vec3::ZERO, Vec3::ZERO, vec3(0.0, 0.0, speed))?;
        let mut simulation = simulate(vec![body], Vec3::ZERO, integrator, h, None)?;
        simulation.step()?;
        let start = simulation.report().momentum.angular.z;
        for _ in 0..steps {
            simulation.step()?;
        }
        let kept = simulation.report().momentum.angular.z / start;
        let name = format!("angular momentum after a turn in 1000 steps, {name}");
        found
            .checks
            .push(Check::new(name, kept, reference, tolerance, source));
    }
    Ok(())
}

/// Two equal blocks meet: momentum is kept.
fn collision(found: &mut Findings) -> Result<()> {
    let bodies = vec![
        block(vec3(-0.25, 0.0, 0.0), vec3(1.0, 0.0, 0.0), Vec3::ZERO)?,
        block(vec3(0.0, 0.005, 0.005), Vec3::ZERO, Vec3::ZERO)?,
    ];
    let contact = ContactModel {
        enabled: true,
        friction: 0.0,
        ..ContactModel::default()
    };
    let linear = Integrator::LinearImplicit { beta: 1.0 };
    let mut simulation = simulate(bodies, Vec3::ZERO, linear, 1e-3, Some(contact))?;
    simulation.step()?;
    let before = simulation.report().momentum.linear.x;
    for _ in 0..200 {
        simulation.step()?;
    }
    let after = simulation.report().momentum.linear.x;
    let check = Check::new(
        "momentum of two blocks that collide",
        after / before,
        1.0,
        1e-9,
        "conservation of momentum",
    );
    found.checks.push(check);
    Ok(())
}

/// A rigid ball falls from rest by a metre and rebounds to e² of that.
fn bounce(found: &mut Findings) -> Result<()> {
    let (restitution, radius, drop) = (0.5, 0.1, 1.0);
    let mesh = generate::ball(radius, 3)?.translated(vec3(0.0, 0.0, radius + drop));
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e6, 0.3, 1000.0);
    let body = BodySpecification {
        rigid: Some(Mobility::Free),
        ..BodySpecification::uniform("ball", mesh, material)
    };
    let contact = ContactModel {
        enabled: true,
        constraint: ConstraintResponse {
            restitution,
            ..ConstraintResponse::default()
        },
        obstacles: vec![problem::half_space(vec3(0.0, 0.0, 1.0))],
        ..ContactModel::default()
    };
    let linear = Integrator::LinearImplicit { beta: 1.0 };
    let gravity = vec3(0.0, 0.0, -GRAVITY);
    let mut simulation = simulate(vec![body], gravity, linear, 1e-3, Some(contact))?;
    let (mut highest, mut met) = (0.0f64, false);
    for _ in 0..900 {
        met |= simulation.step()?.contacts > 0;
        if met {
            highest = highest.max(simulation.state().rigid.poses[0].centre.z - radius);
        }
    }
    let source = "e² of the height of the fall, e = 0.5";
    let check = Check::new(
        "rebound of a rigid ball",
        highest,
        restitution * restitution * drop,
        0.02,
        source,
    );
    found.checks.push(check.unit("m"));
    Ok(())
}
