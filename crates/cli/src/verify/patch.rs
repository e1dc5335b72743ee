//! Patch tests, rigid motion, linear limit: what every element and material must do exactly.

use super::case::{Check, Findings};
use super::setup::{boundary, hold, model, settings};
use anyhow::Result;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::settings::Integrator;
use pliant_solid::strategy::Method;

pub fn all(_: bool) -> Result<Findings> {
    let mut found = Findings::default();
    let bar = generate::bar(vec3(0.4, 0.1, 0.1), [4, 3, 3], generate::Split::Six)?;
    let sheet = generate::rectangle([0.4, 0.1], [8, 3], Default::default())?;
    for (name, mesh) in [
        ("tetrahedra", crooked(bar)?),
        ("triangles", crooked(sheet)?),
    ] {
        let (mut affine, mut turned) = (0.0f64, 0.0f64);
        for material in MaterialModel::ALL {
            affine = affine.max(deviation(
                &mesh,
                material,
                &strained(mesh.is_planar()),
                false,
            )?);
            if material != MaterialModel::Linear {
                let turn = Mat3::rotation(vec3(0.0, 0.0, 1.0), 0.7);
                turned = turned.max(deviation(&mesh, material, &turn, true)?);
            }
        }
        let what =
            "largest distance of interior nodes from an affine map of the boundary, all materials";
        found.checks.push(Check::new(
            format!("affine, {name}"),
            affine,
            0.0,
            1e-9,
            what,
        ));
        let what = "the same for a rotation by 0.7 rad that the body starts in, all materials but linear elasticity";
        found.checks.push(Check::new(
            format!("rotation, {name}"),
            turned,
            0.0,
            1e-9,
            what,
        ));
    }
    let (mut energy, mut modulus) = (0.0f64, 0.0f64);
    for material in MaterialModel::ALL {
        let specification = MaterialSpecification::new(material, 1.0, 0.3, 1.0);
        let response = |f: &Mat3| material.respond(f, specification.coefficients());
        if material != MaterialModel::Linear {
            let turn = Mat3::rotation(vec3(0.36, 0.48, 0.8), 2.1);
            energy = energy.max(response(&turn).first_piola.norm());
        }
        let strain = 1e-6;
        let lateral = 1.0 - 0.3 * strain;
        let f = Mat3::diagonal(vec3(1.0 + strain, lateral, lateral));
        modulus = modulus.max((response(&f).first_piola.at(0, 0) / strain - 1.0).abs());
    }
    let what =
        "largest stress of a rotation over Young's modulus, all materials but linear elasticity";
    found
        .checks
        .push(Check::new("rigid rotation", energy, 0.0, 1e-13, what));
    let what = "Hooke's law: largest deviation of stress over strain from Young's modulus at a strain of 1e-6, all materials";
    found
        .checks
        .push(Check::new("linear limit", modulus, 0.0, 1e-5, what));
    Ok(found)
}

fn strained(planar: bool) -> Mat3 {
    match planar {
        true => Mat3::from_rows([[1.05, 0.08, 0.0], [-0.02, 0.96, 0.0], [0.0, 0.0, 1.0]]),
        false => Mat3::from_rows([[1.05, 0.08, -0.03], [-0.02, 0.96, 0.04], [0.03, 0.01, 1.02]]),
    }
}

/// Interior nodes off their grid, so that elements differ.
fn crooked(mut mesh: Mesh) -> Result<Mesh> {
    let outside = boundary(&mesh)?;
    let planar = mesh.is_planar();
    for (node, x) in mesh.positions.iter_mut().enumerate() {
        if outside.binary_search(&(node as u32)).is_err() {
            let s = node as f64;
            let z = if planar { 0.0 } else { (2.3 * s).sin() };
            *x += vec3((3.1 * s).sin(), (1.7 * s).cos(), z) * 0.004;
        }
    }
    Ok(mesh)
}

/// Largest distance of a node from where an affine map of the boundary has it, over the size of the body; from rest, or from there.
fn deviation(mesh: &Mesh, material: MaterialModel, map: &Mat3, there: bool) -> Result<f64> {
    let drives = boundary(mesh)?.into_iter().map(|node| {
        let x = mesh.positions[node as usize];
        hold(vec![node], [true; 3], *map * x - x)
    });
    let specification = MaterialSpecification::new(material, 1e5, 0.35, 1000.0);
    let model = model(mesh.clone(), specification, drives.collect(), Vec3::ZERO)?;
    let statics = settings(Integrator::QuasiStatic, 1.0);
    let mut simulation = Simulation::new(model, statics, Method::Full)?;
    if there {
        let x = &mut simulation.state_mut().positions;
        x.iter_mut().for_each(|x| *x = *map * *x);
    }
    simulation.step()?;
    let pairs = simulation.state().positions.iter().zip(&mesh.positions);
    let apart = pairs.map(|(&x, &rest)| (x - *map * rest).norm());
    Ok(apart.fold(0.0, f64::max) / mesh.diagonal())
}
