//! Quadratic tetrahedra beside published numbers: Timoshenko's cantilever, NAFEMS LE10, Cook's membrane under large strain.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::locking::slab;
use super::setup::{
    equilibrium, hold, mean_displacement, model_of, nodes_where, pressure, settings, traction,
};
use anyhow::{Context, Result};
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::octet::EDGES;
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::octet::Formulation;
use pliant_solid::profile::Profile;
use pliant_solid::settings::Integrator;
use pliant_solid::strategy::Method;
use std::f64::consts::FRAC_PI_2;

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    timoshenko(&mut found, full)?;
    thick_plate(&mut found, full)?;
    large_strain(&mut found, full)?;
    Ok(found)
}

/// A square cantilever of 4 : 1 with a shear load at its end, without lateral contraction.
fn timoshenko(found: &mut Findings, full: bool) -> Result<()> {
    let (length, side, young, load) = (0.4, 0.1, 1e7, 1.0);
    let sizes: &[usize] = if full { &[2, 4, 8] } else { &[2, 4] };
    let mut tips = Vec::new();
    for &n in sizes {
        let size = vec3(length, side, side);
        let mesh = generate::bar(size, [4 * n, n, n], generate::Split::Six)?.with_octets()?;
        let root = nodes_where(&mesh, |x| x.x < 1e-9);
        let on_axis = |x: Vec3| x.x < 1e-9 && (x.z - 0.5 * side).abs() < 1e-9;
        let axis = nodes_where(&mesh, on_axis);
        let end = |x: Vec3| x.x > length - 1e-9;
        let tip = nodes_where(&mesh, end);
        let drives = vec![
            hold(root, [true, false, false], Vec3::ZERO),
            hold(axis, [false, true, true], Vec3::ZERO),
            traction(&mesh, end, vec3(0.0, 0.0, -load / (side * side))),
        ];
        let material = MaterialSpecification::new(MaterialModel::Linear, young, 0.0, 1000.0);
        let simulation = equilibrium(model_of(mesh, material, drives, Formulation::Quadratic)?)?;
        tips.push((side / n as f64, -mean_displacement(&simulation, &tip).z));
    }
    let inertia = side.powi(4) / 12.0;
    let shear = 5.0 / 6.0 * young / 2.0 * side * side;
    let reference = load * length.powi(3) / (3.0 * young * inertia) + load * length / shear;
    let finest = tips[tips.len() - 1].1;
    let source = "Timoshenko: PL³/3EI + PL/κGA, κ = 5/6; finest mesh";
    let check = Check::new(
        "small load, square section",
        finest,
        reference,
        5e-3,
        source,
    );
    found.checks.push(check.unit("m"));
    let ladder = Ladder::new("small load, tet10", "edge (m)", reference, &tips);
    found.ladders.push(ladder);
    Ok(())
}

/// NAFEMS LE10: a quarter of a plate between two ellipses, under pressure from above. In N and m.
fn thick_plate(found: &mut Findings, full: bool) -> Result<()> {
    let sizes: &[usize] = if full { &[2, 4, 8] } else { &[2, 4, 6] };
    let mut stresses = Vec::new();
    for &n in sizes {
        stresses.push((1.25 / n as f64, stress_at_d(n)? / 1e6));
    }
    let finest = stresses[stresses.len() - 1].1;
    let source = "NAFEMS LE10 (1990): σyy at D = −5.38 MPa; finest mesh";
    let check = Check::new("thick plate (LE10), σyy at D", finest, -5.38, 0.05, source);
    found.checks.push(check.unit("MPa"));
    let ladder = Ladder::new("thick plate (LE10)", "edge (m)", -5.38, &stresses);
    found.ladders.push(ladder);
    Ok(())
}

fn stress_at_d(n: usize) -> Result<f64> {
    const YOUNG: f64 = 210e9;
    const POISSON: f64 = 0.3;
    let bar = generate::bar(
        vec3(1.0, 1.0, 0.6),
        [2 * n, n, n.max(2)],
        generate::Split::Six,
    )?;
    let mut mesh = bar.with_octets()?;
    // middle nodes are put on the ellipses too
    let onto = |x: Vec3| {
        let (sine, cosine) = ((1.0 - x.x) * FRAC_PI_2).sin_cos();
        let (a, b) = (2.0 + 1.25 * x.y, 1.0 + 1.75 * x.y);
        vec3(a * cosine, b * sine, x.z)
    };
    let flat: Vec<Vec3> = mesh.positions.clone();
    mesh.positions = flat.iter().map(|&x| onto(x)).collect();
    let chosen = |holds: &dyn Fn(Vec3) -> bool| -> Vec<u32> {
        let nodes = (0u32..).zip(&flat).filter(|(_, x)| holds(**x));
        nodes.map(|(node, _)| node).collect()
    };
    let (outer, x_axis, y_axis) = (
        |x: Vec3| x.y > 1.0 - 1e-9,
        |x: Vec3| x.x > 1.0 - 1e-9,
        |x: Vec3| x.x < 1e-9,
    );
    let middle = |x: Vec3| outer(x) && (x.z - 0.3).abs() < 1e-9;
    let drives = vec![
        hold(
            chosen(&|x| outer(x) || y_axis(x)),
            [true, false, false],
            Vec3::ZERO,
        ),
        hold(
            chosen(&|x| outer(x) || x_axis(x)),
            [false, true, false],
            Vec3::ZERO,
        ),
        hold(chosen(&middle), [false, false, true], Vec3::ZERO),
        pressure(&mesh, |x| x.z > 0.6 - 1e-9, 1e6),
    ];
    let material = MaterialSpecification::new(MaterialModel::Linear, YOUNG, POISSON, 8000.0);
    let model = model_of(mesh.clone(), material, drives, Formulation::Quadratic)?;
    let simulation = equilibrium(model)?;
    let d = vec3(2.0, 0.0, 0.6);
    let strain = mean_strain(&simulation, &mesh, d).context("no element has the point D")?;
    let mu = YOUNG / (2.0 * (1.0 + POISSON));
    let lambda = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
    Ok(2.0 * mu * strain.at(1, 1) + lambda * strain.trace())
}

/// Small strain at a corner, the mean over the elements that have it.
fn mean_strain(simulation: &Simulation, mesh: &Mesh, point: Vec3) -> Option<Mat3> {
    let moved = &simulation.state().positions;
    let (mut sum, mut count) = (Mat3::ZERO, 0.0);
    for nodes in mesh.ten_nodes()? {
        let x = nodes.map(|n| mesh.positions[n as usize]);
        let Some(corner) = (0..4).find(|&c| (x[c] - point).norm() < 1e-9) else {
            continue;
        };
        // derivatives of the shape functions by barycentric coordinates at that corner
        let at = |c: usize| if c == corner { 1.0 } else { 0.0 };
        let mut slopes = [[0.0; 4]; 10];
        for c in 0..4 {
            slopes[c][c] = 4.0 * at(c) - 1.0;
        }
        for (e, [a, b]) in EDGES.into_iter().enumerate() {
            slopes[4 + e][a] = 4.0 * at(b);
            slopes[4 + e][b] = 4.0 * at(a);
        }
        let edges = |y: &dyn Fn(usize) -> Vec3| {
            let along = |i: usize| {
                let terms = slopes.iter().enumerate();
                terms.fold(Vec3::ZERO, |s, (k, slope)| s + y(k) * (slope[i] - slope[0]))
            };
            Mat3::from_columns(along(1), along(2), along(3))
        };
        let rest = edges(&|k| x[k]).inverse()?;
        let gradient = edges(&|k| moved[nodes[k] as usize] - x[k]) * rest;
        sum += gradient.symmetric_part();
        count += 1.0;
    }
    (count > 0.0).then(|| sum * (1.0 / count))
}

/// The code gallery of deal.II: μ = 422.5 kPa, ν = 0.3, 1 N over 16 × 1 mm². Units are N and mm.
///
/// Its text speaks of plane strain. Its program looks at x where it would find the faces ±z, so that these are free, and its
/// table is of the upper corner: 14.33 mm. Both are here.
fn large_strain(found: &mut Findings, full: bool) -> Result<()> {
    use MaterialModel::{NeoHookean, SplitNeoHookean};
    let sizes: &[usize] = if full { &[4, 8, 16, 32] } else { &[2, 4, 8] };
    // nine-node quadrilaterals in a program of its own: 14.505 on 16 × 16 of them, 14.731 with the energy of the gallery
    let own = "nine-node quadrilaterals in plane strain with this energy, written for the purpose; limit of three meshes";
    let gallery = "deal.II code gallery (Pelteret, McBride 2016), same energy, plane strain; limit of three meshes";
    let table = "deal.II code gallery (Pelteret, McBride 2016), table of results, same energy, upper corner, faces free as in its program; limit of three meshes";
    for (what, energy, sides, place, reference, source) in [
        ("middle of the edge", NeoHookean, Sides::Held, 0, 14.51, own),
        (
            "middle of the edge, split energy",
            SplitNeoHookean,
            Sides::Held,
            0,
            14.74,
            gallery,
        ),
        (
            "upper corner, split energy, free faces",
            SplitNeoHookean,
            Sides::Free,
            1,
            14.33,
            table,
        ),
    ] {
        let mut tips = Vec::new();
        for &n in sizes {
            tips.push((48.0 / n as f64, pulled(n, energy, sides)?[place]));
        }
        let numbers: Vec<f64> = tips.iter().map(|t| t.1).collect();
        let [limit, _] = extrapolated(&numbers, None);
        let name = format!("Cook's membrane, large strain, {what}");
        // the corner at the wall is singular, so that three meshes do not tell the order well
        let check = Check::new(&name, limit, reference, 5e-3, source);
        found.checks.push(check.unit("mm"));
        let ladder = Ladder::new(&name, "edge (mm)", reference, &tips);
        found.ladders.push(ladder);
    }
    Ok(())
}

/// What the faces in front and behind do.
#[derive(Clone, Copy, PartialEq)]
enum Sides {
    /// Plane strain.
    Held,
    /// Nothing holds them; half of the thickness, from the plane in the middle, which stays plane.
    Free,
}

/// What the middle and the upper corner of the loaded edge rise by, mm.
fn pulled(cells: usize, energy: MaterialModel, sides: Sides) -> Result<[f64; 2]> {
    const STEPS: u32 = 4;
    let height = if sides == Sides::Held { 1.0 } else { 0.5 };
    let mesh = slab(
        cells,
        height,
        [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]],
    )?;
    let (shear, poisson) = (0.4225, 0.3);
    let young = 2.0 * shear * (1.0 + poisson);
    let material = MaterialSpecification::new(energy, young, poisson, 1e-6);
    let end = |x: Vec3| x.x > 48.0 - 1e-9;
    let point = |y: f64| {
        nodes_where(&mesh, |x| {
            end(x) && (x.y - y).abs() < 1e-9 && x.z > height - 1e-9
        })
    };
    let points = [point(52.0), point(60.0)];
    let mut load = traction(&mesh, end, vec3(0.0, 1.0 / 16.0, 0.0));
    rise(&mut load, f64::from(STEPS));
    let wall = |x: Vec3| x.x < 1e-9;
    let guided = |x: Vec3| !wall(x) && (sides == Sides::Held || x.z < 1e-9);
    let drives = vec![
        hold(nodes_where(&mesh, wall), [true; 3], Vec3::ZERO),
        hold(nodes_where(&mesh, guided), [false, false, true], Vec3::ZERO),
        load,
    ];
    let model = model_of(mesh, material, drives, Formulation::Quadratic)?;
    let settings = settings(Integrator::QuasiStatic, 1.0);
    let mut simulation = Simulation::new(model, settings, Method::Full)?;
    for _ in 0..STEPS {
        simulation.step()?;
    }
    Ok(points.map(|nodes| mean_displacement(&simulation, &nodes).y))
}

/// Makes a load grow evenly until a time.
fn rise(drive: &mut Drive, until: f64) {
    if let Action::Traction { profile, .. } = &mut drive.action {
        *profile = Profile::Keyframes {
            keys: vec![(0.0, 0.0), (until, 1.0)],
            smooth: false,
        };
    }
}
