//! A thick sphere under pressure from within.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{equilibrium, hold, model, nodes_where};
use anyhow::Result;
use pliant_linalg::Vec3;
use pliant_mesh::surface::Surface;
use pliant_mesh::{Elements, Mesh, generate};
use pliant_solid::drive::{Action, Drive, Faces};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::profile::Profile;

/// Radii, m.
const INNER: f64 = 0.5;
const OUTER: f64 = 1.0;
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const PRESSURE: f64 = 1e3;

pub fn lame(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    let divisions: &[usize] = if full { &[6, 12, 24] } else { &[4, 8, 16] };
    let mut values = Vec::new();
    for &d in divisions {
        values.push((OUTER / d as f64, swelling(d)?));
    }
    // u(a) = p a³/(b³ − a³) · ((1 − 2ν) a + (1 + ν) b³/2a²)/E
    let (a, b) = (INNER, OUTER);
    let reference = PRESSURE * a.powi(3) / (b.powi(3) - a.powi(3)) / YOUNG
        * ((1.0 - 2.0 * POISSON) * a + 0.5 * (1.0 + POISSON) * b.powi(3) / (a * a));
    let numbers: Vec<f64> = values.iter().map(|v| v.1).collect();
    let [limit, order] = extrapolated(&numbers, Some(2.0));
    let source = "Lamé: u(a) of a thick sphere; limit of three meshes";
    let check = Check::new(
        "inner radius of a thick sphere",
        limit,
        reference,
        0.01,
        source,
    );
    found.checks.push(check.unit("m").order(order, 1.7));
    found
        .ladders
        .push(Ladder::new("thick sphere", "edge (m)", reference, &values));
    Ok(found)
}

/// Mean displacement outwards of the inner surface, m.
fn swelling(divisions: usize) -> Result<f64> {
    let mesh = hollow(divisions)?;
    let inside = |node: u32| mesh.positions[node as usize].norm() < INNER + 1e-9;
    let faces = Surface::of(&mesh).triangles.into_iter();
    let faces = faces
        .filter(|face| face.iter().all(|&n| inside(n)))
        .collect();
    let load = Drive {
        name: "pressure".into(),
        action: Action::Traction {
            faces: Faces::Triangles(faces),
            traction: Vec3::ZERO,
            pressure: PRESSURE,
            profile: Profile::Constant(1.0),
        },
    };
    let mut drives = vec![load];
    for axis in 0..3 {
        let plane = nodes_where(&mesh, |x| x[axis].abs() < 1e-9);
        drives.push(hold(plane, [0, 1, 2].map(|k| k == axis), Vec3::ZERO));
    }
    let nodes: Vec<u32> = (0..mesh.node_count() as u32)
        .filter(|&n| inside(n))
        .collect();
    let material = MaterialSpecification::new(MaterialModel::Linear, YOUNG, POISSON, 1000.0);
    let simulation = equilibrium(model(mesh, material, drives, Vec3::ZERO)?)?;
    let (x, rest) = (&simulation.state().positions, &simulation.model().rest);
    let outwards = |&n: &u32| {
        (x[n as usize] - rest[n as usize]).dot(rest[n as usize]) / rest[n as usize].norm()
    };
    Ok(nodes.iter().map(outwards).sum::<f64>() / nodes.len() as f64)
}

/// A ball without its core: its shells are spheres.
fn hollow(divisions: usize) -> Result<Mesh> {
    let ball = generate::ball(OUTER, divisions)?;
    let outside = |nodes: &&[u32; 4]| {
        nodes
            .iter()
            .all(|&n| ball.positions[n as usize].norm() > INNER - 1e-9)
    };
    let kept = match &ball.elements {
        Elements::Tetrahedra(all) => all.iter().filter(outside).copied().collect(),
        Elements::Triangles(_) => Vec::new(),
    };
    Ok(Mesh::single_region(ball.positions.clone(), Elements::Tetrahedra(kept))?.0)
}
