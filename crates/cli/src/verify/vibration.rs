//! Natural frequencies by inverse iteration: u ← K⁻¹ M u through static solutions, with loads that are masses times accelerations.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{
    as_plane_stress, equilibrium, fix, hold, model, nodes_where, push, quadrilateral,
};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::Mesh;
use pliant_mesh::generate::{self, TriangleSplit};
use pliant_solid::drive::Drive;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use std::f64::consts::PI;

/// Iterations: the second mode fades at least by a factor of six in each.
const ITERATIONS: usize = 8;

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    bar(&mut found)?;
    chain(&mut found)?;
    cantilever(&mut found, full)?;
    tapered_membrane(&mut found, full)?;
    Ok(found)
}

/// Half of a free bar, whose middle does not move: f = c/2L.
fn bar(found: &mut Findings) -> Result<()> {
    let (half, side, young, density) = (0.5, 0.05, 1e7, 1000.0);
    let mesh = generate::bar(vec3(half, side, side), [24, 2, 2], generate::Split::Six)?;
    let middle = nodes_where(&mesh, |x| x.x < 1e-9);
    // bending, which is slower, is kept out; without contraction that does not hinder stretching
    let holds = vec![
        hold(middle, [true, false, false], Vec3::ZERO),
        hold(
            nodes_where(&mesh, |_| true),
            [false, true, true],
            Vec3::ZERO,
        ),
    ];
    let material = MaterialSpecification::new(MaterialModel::Linear, young, 0.0, density);
    let value = frequency(
        &mesh,
        &material,
        &holds,
        |x| vec3(x.x, 0.0, 0.0),
        ITERATIONS,
    )?;
    let reference = (young / density).sqrt() / (4.0 * half);
    let check = Check::new(
        "free-free bar, stretching",
        value,
        reference,
        5e-3,
        "c/2L, c² = E/ρ",
    );
    found.checks.push(check.unit("Hz"));
    Ok(())
}

/// A strip of triangles that only stretches is a chain: masses of 3 · ρ/3 triangles, springs of E h t/2 dx. ω = 2 √(k/m) sin(π/2(n + 1)).
fn chain(found: &mut Findings) -> Result<()> {
    let (masses, length, young, density) = (20usize, 1.0, 1e7, 1000.0);
    let links = masses + 1;
    let mesh = generate::rectangle([length, 0.02], [links, 1], TriangleSplit::Parallel)?;
    let holds = vec![
        fix(nodes_where(&mesh, |x| x.x < 1e-9 || x.x > length - 1e-9)),
        hold(
            nodes_where(&mesh, |x| x.x > 1e-9 && x.x < length - 1e-9),
            [false, true, false],
            Vec3::ZERO,
        ),
    ];
    let material = MaterialSpecification::new(MaterialModel::Linear, young, 0.0, density);
    let start = |x: Vec3| vec3((PI * x.x / length).sin(), 0.0, 0.0);
    let value = frequency(&mesh, &material, &holds, start, ITERATIONS)?;
    let dx = length / links as f64;
    let reference = (young / density).sqrt() / dx * (PI / (2 * links) as f64).sin() / PI;
    let source = "a chain of n masses between walls: ω = 2 √(k/m) sin(π/2(n + 1))";
    let check = Check::new("chain of 20 masses", value, reference, 1e-7, source);
    found.checks.push(check.unit("Hz"));
    Ok(())
}

/// A strip of 20 : 1.
fn cantilever(found: &mut Findings, full: bool) -> Result<()> {
    let (length, height, young, density): (f64, f64, f64, f64) = (1.0, 0.05, 1e9, 1000.0);
    let rows: &[usize] = if full { &[4, 8, 16, 32] } else { &[4, 8, 16] };
    let mut values = Vec::new();
    for &n in rows {
        let mesh = generate::rectangle([length, height], [10 * n, n], TriangleSplit::Crossed)?;
        let holds = vec![fix(nodes_where(&mesh, |x| x.x < 1e-9))];
        let material = MaterialSpecification::new(MaterialModel::Linear, young, 0.0, density);
        let value = frequency(
            &mesh,
            &material,
            &holds,
            |x| vec3(0.0, x.x * x.x, 0.0),
            ITERATIONS,
        )?;
        values.push((height / n as f64, value));
    }
    // Euler and Bernoulli, and what rotary inertia and shear take off in the first order (Timoshenko; E/κG = 2.4 without contraction)
    let mode = 1.875_104_068_711_961_f64;
    let slender = mode * mode * (young * height * height / (12.0 * density)).sqrt()
        / (2.0 * PI * length * length);
    let correction = height * height / 12.0 / (length * length);
    // Rayleigh's quotient of the mode: ∫φ'² = 4.6478, ∫φ''² = 12.3624 for ∫φ² = 1
    let reference = slender / (1.0 + correction * (4.647_8 + 2.4 * shear_share())).sqrt();
    let numbers: Vec<f64> = values.iter().map(|v| v.1).collect();
    let [limit, order] = extrapolated(&numbers, Some(2.0));
    let source = "Euler–Bernoulli 1.8751²√(EI/ρAL⁴)/2π with Timoshenko's first-order correction; limit of three meshes";
    let check = Check::new("cantilever, bending", limit, reference, 1e-3, source);
    found.checks.push(check.unit("Hz").order(order, 2.0));
    found.ladders.push(Ladder::new(
        "cantilever, bending",
        "edge (m)",
        reference,
        &values,
    ));
    Ok(())
}

/// ∫φ'''² over ∫φ''² of a cantilever's first mode, times L²: what shear takes off its frequency.
fn shear_share() -> f64 {
    let k = 1.875_104_068_711_961_f64;
    let ratio = (k.cosh() + k.cos()) / (k.sinh() + k.sin());
    let (mut second, mut third) = (0.0, 0.0);
    for i in 0..2000 {
        let x = k * (f64::from(i) + 0.5) / 2000.0;
        second += ((x.cosh() + x.cos()) - ratio * (x.sinh() + x.sin())).powi(2);
        third += ((x.sinh() - x.sin()) - ratio * (x.cosh() + x.cos())).powi(2);
    }
    k * k * third / second
}

/// NAFEMS FV32: a steel membrane of 10 m that tapers from 5 to 1 m.
fn tapered_membrane(found: &mut Findings, full: bool) -> Result<()> {
    let cells: &[usize] = if full { &[4, 8, 16, 32] } else { &[4, 8, 16] };
    let [young, poisson] = as_plane_stress(200e9, 0.3);
    let mut values = Vec::new();
    for &n in cells {
        let square = generate::rectangle([1.0, 1.0], [2 * n, n], TriangleSplit::Crossed)?;
        let mesh = quadrilateral(square, [[0.0, -2.5], [10.0, -0.5], [10.0, 0.5], [0.0, 2.5]]);
        let holds = vec![fix(nodes_where(&mesh, |x| x.x < 1e-9))];
        let material = MaterialSpecification::new(MaterialModel::Linear, young, poisson, 8000.0);
        let value = frequency(
            &mesh,
            &material,
            &holds,
            |x| vec3(0.0, x.x * x.x, 0.0),
            ITERATIONS,
        )?;
        values.push((5.0 / n as f64, value));
    }
    let numbers: Vec<f64> = values.iter().map(|v| v.1).collect();
    let [limit, order] = extrapolated(&numbers, Some(2.0));
    let source = "NAFEMS FV32, first frequency 44.623 Hz; plane stress by its constants; limit of three meshes";
    let check = Check::new("tapered membrane (FV32)", limit, 44.623, 1e-3, source);
    found.checks.push(check.unit("Hz").order(order, 1.5));
    found.ladders.push(Ladder::new(
        "tapered membrane (FV32)",
        "edge (m)",
        44.623,
        &values,
    ));
    Ok(())
}

/// The lowest frequency, Hz, that a start field leads to.
fn frequency(
    mesh: &Mesh,
    material: &MaterialSpecification,
    holds: &[Drive],
    start: impl Fn(Vec3) -> Vec3,
    iterations: usize,
) -> Result<f64> {
    let mut u: Vec<Vec3> = mesh.positions.iter().map(|&x| start(x)).collect();
    let mut squared = f64::NAN;
    for _ in 0..iterations {
        let loads = u.iter().enumerate().map(|(node, &u)| push(node as u32, u));
        let drives = holds.iter().cloned().chain(loads).collect();
        let simulation = equilibrium(model(mesh.clone(), material.clone(), drives, Vec3::ZERO)?)?;
        let moved = simulation
            .state()
            .positions
            .iter()
            .zip(&simulation.model().rest);
        let next: Vec<Vec3> = moved.map(|(&x, &rest)| x - rest).collect();
        let mass = &simulation.model().mass;
        let product = |a: &[Vec3], b: &[Vec3]| -> f64 {
            a.iter()
                .zip(b)
                .zip(mass)
                .map(|((a, b), m)| a.dot(*b) * m)
                .sum()
        };
        squared = product(&next, &u) / product(&next, &next);
        let scale = 1.0 / product(&next, &next).sqrt();
        u = next.into_iter().map(|d| d * scale).collect();
    }
    Ok(squared.sqrt() / (2.0 * PI))
}
