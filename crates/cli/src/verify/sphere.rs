//! A thick sphere under pressure from within.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{equilibrium, hold, model_of, nodes_where, pressure};
use anyhow::Result;
use pliant_linalg::Vec3;
use pliant_mesh::octet::EDGES;
use pliant_mesh::{Elements, Mesh, generate};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::octet::Formulation;

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
        let swelling = swelling(hollow(d)?, POISSON, Formulation::Linear)?;
        values.push((OUTER / d as f64, swelling));
    }
    let reference = exact(POISSON);
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

/// u(a) = p a³/(b³ − a³) · ((1 − 2ν) a + (1 + ν) b³/2a²)/E, m.
pub fn exact(poisson: f64) -> f64 {
    let (a, b) = (INNER, OUTER);
    PRESSURE * a.powi(3) / (b.powi(3) - a.powi(3)) / YOUNG
        * ((1.0 - 2.0 * poisson) * a + 0.5 * (1.0 + poisson) * b.powi(3) / (a * a))
}

/// Mean displacement outwards of the inner surface, m.
pub fn swelling(mesh: Mesh, poisson: f64, formulation: Formulation) -> Result<f64> {
    let inside = |x: Vec3| x.norm() < INNER + 1e-9;
    let mut drives = vec![pressure(&mesh, inside, PRESSURE)];
    for axis in 0..3 {
        let plane = nodes_where(&mesh, |x| x[axis].abs() < 1e-9);
        drives.push(hold(plane, [0, 1, 2].map(|k| k == axis), Vec3::ZERO));
    }
    let nodes = nodes_where(&mesh, inside);
    let material = MaterialSpecification::new(MaterialModel::Linear, YOUNG, poisson, 1000.0);
    let simulation = equilibrium(model_of(mesh, material, drives, formulation)?)?;
    let (x, rest) = (&simulation.state().positions, &simulation.model().rest);
    let outwards = |&n: &u32| {
        (x[n as usize] - rest[n as usize]).dot(rest[n as usize]) / rest[n as usize].norm()
    };
    Ok(nodes.iter().map(outwards).sum::<f64>() / nodes.len() as f64)
}

/// Octets whose middle nodes are on the spheres that the ends of their edges are on.
pub fn round(divisions: usize) -> Result<Mesh> {
    let mut mesh = hollow(divisions)?.with_octets()?;
    let ten = mesh.ten_nodes().unwrap_or_default();
    for nodes in ten {
        for (k, [a, b]) in EDGES.into_iter().enumerate() {
            let [ra, rb] = [a, b].map(|c| mesh.positions[nodes[c] as usize].norm());
            let middle = &mut mesh.positions[nodes[4 + k] as usize];
            if (ra - rb).abs() < 1e-9 {
                *middle = *middle * (ra / middle.norm());
            }
        }
    }
    Ok(mesh)
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
