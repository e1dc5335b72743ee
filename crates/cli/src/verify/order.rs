//! Orders of convergence in time and space.

use super::case::{Check, Findings, Ladder};
use super::setup::{boundary, equilibrium, fix, model, nodes_where, push, settings};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::material::{Lame, MaterialModel, MaterialSpecification};
use pliant_solid::settings::Integrator;
use pliant_solid::strategy::Method;
use std::f64::consts::PI;

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    in_time(&mut found)?;
    in_space(&mut found, full)?;
    Ok(found)
}

/// A cantilever that swings, against one with short steps.
fn in_time(found: &mut Findings) -> Result<()> {
    let reference = swung(Integrator::Bdf2, 1.25e-4)?;
    let cases = [
        (
            "linearly implicit",
            Integrator::LinearImplicit { beta: 1.0 },
            1.0,
        ),
        ("implicit Euler", Integrator::ImplicitEuler, 1.0),
        ("BDF2", Integrator::Bdf2, 2.0),
    ];
    for (name, integrator, expected) in cases {
        let mut points = Vec::new();
        for h in [4e-3, 2e-3, 1e-3] {
            let end = swung(integrator, h)?;
            let squares = end
                .iter()
                .zip(&reference)
                .map(|(a, b)| (*a - *b).norm_squared());
            points.push((h, squares.sum::<f64>().sqrt()));
        }
        let ladder = Ladder {
            title: format!("in time, {name}"),
            size: "step (s)",
            points,
        };
        let measured = ladder.order();
        let source = "backward differences; against BDF2 with steps of 0.125 ms";
        found.checks.push(Check::new(
            format!("in time, {name}"),
            measured,
            expected,
            0.2,
            source,
        ));
        found.ladders.push(ladder);
    }
    Ok(())
}

fn swung(integrator: Integrator, h: f64) -> Result<Vec<Vec3>> {
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [8, 2, 2], generate::Split::Six)?;
    let root = nodes_where(&mesh, |x| x.x < 1e-9);
    let material = MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e5, 0.35, 1000.0);
    let model = model(mesh, material, vec![fix(root)], vec3(0.0, 0.0, -9.81))?;
    let mut simulation = Simulation::new(model, settings(integrator, h), Method::Full)?;
    for _ in 0..(0.08 / h).round() as usize {
        simulation.step()?;
    }
    Ok(simulation.state().positions.clone())
}

/// Manufactured solution: u = a sin πx sin πy sin πz in the unit cube, zero on its boundary, with the load −∇·σ(u).
fn in_space(found: &mut Findings, full: bool) -> Result<()> {
    let cells: &[usize] = if full { &[4, 8, 16, 24] } else { &[4, 8, 12] };
    let mut points = Vec::new();
    for &n in cells {
        points.push((1.0 / n as f64, manufactured(n)?));
    }
    let ladder = Ladder {
        title: "in space, manufactured solution".into(),
        size: "edge",
        points,
    };
    let source = "linear tetrahedra: second order in the mean square";
    found.checks.push(Check::new(
        "in space, linear tetrahedra",
        ladder.order(),
        2.0,
        0.15,
        source,
    ));
    found.ladders.push(ladder);
    Ok(())
}

/// Relative error in the mean square over the nodes.
fn manufactured(cells: usize) -> Result<f64> {
    let (young, poisson, density) = (1e6, 0.3, 1000.0);
    let Lame { mu, lambda, .. } = Lame::from_young(young, poisson);
    let amplitude = vec3(1.0, -0.5, 0.8) * 1e-3;
    let mesh = generate::bar(vec3(1.0, 1.0, 1.0), [cells; 3], generate::Split::Six)?;
    let exact = |x: Vec3| amplitude * ((PI * x.x).sin() * (PI * x.y).sin() * (PI * x.z).sin());
    // −∇·σ = −μ Δu − (λ + μ) ∇(∇·u)
    let load = |x: Vec3| {
        let (s, c) = (
            [x.x, x.y, x.z].map(|t| (PI * t).sin()),
            [x.x, x.y, x.z].map(|t| (PI * t).cos()),
        );
        let product = s[0] * s[1] * s[2];
        let mut force = amplitude * (3.0 * mu * PI * PI * product);
        for i in 0..3 {
            for j in 0..3 {
                // ∂ᵢ∂ⱼ of the product
                let second = match i == j {
                    true => -product,
                    false => c[i] * c[j] * s[3 - i - j],
                };
                force[i] -= (lambda + mu) * PI * PI * second * amplitude[j];
            }
        }
        force
    };
    let held = boundary(&mesh)?;
    let mut drives = vec![fix(held.clone())];
    for node in 0..mesh.node_count() as u32 {
        if held.binary_search(&node).is_err() {
            drives.push(push(node, load(mesh.positions[node as usize]) / density));
        }
    }
    let material = MaterialSpecification::new(MaterialModel::Linear, young, poisson, density);
    let simulation = equilibrium(model(mesh.clone(), material, drives, Vec3::ZERO)?)?;
    let (mut missed, mut whole) = (0.0, 0.0);
    for (&x, &rest) in simulation.state().positions.iter().zip(&mesh.positions) {
        missed += (x - rest - exact(rest)).norm_squared();
        whole += exact(rest).norm_squared();
    }
    Ok((missed / whole).sqrt())
}
