//! Where the volume hardly changes: linear tetrahedra lock, averaged and quadratic ones do not. All three on the same nodes.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{
    equilibrium, hold, mean_displacement, model_of, nodes_where, quadrilateral, traction,
};
use super::sphere;
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::octet::Formulation;

/// Poisson's ratio of all checks.
const POISSON: f64 = 0.499;
/// Those of the curves.
const RATIOS: [f64; 5] = [0.3, 0.45, 0.49, 0.499, 0.4999];
/// What does not lock.
const FREE: [Formulation; 2] = [Formulation::Averaged, Formulation::Quadratic];

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    thick_sphere(&mut found, full)?;
    cantilever(&mut found, full)?;
    membrane(&mut found, full)?;
    Ok(found)
}

/// Error over 0.5 − ν, one curve for each formulation.
fn curve(
    found: &mut Findings,
    name: &str,
    formulation: Formulation,
    ratio_of: impl Fn(f64) -> Result<f64>,
) -> Result<()> {
    let point = |nu: f64| Ok((0.5 - nu, (ratio_of(nu)? - 1.0).abs()));
    found.ladders.push(Ladder {
        title: format!("{name}, {}", formulation.name()),
        size: "0.5 − ν",
        points: RATIOS.into_iter().map(point).collect::<Result<_>>()?,
    });
    Ok(())
}

fn thick_sphere(found: &mut Findings, full: bool) -> Result<()> {
    let sizes: &[usize] = if full { &[2, 4, 8] } else { &[2, 4] };
    for formulation in Formulation::ALL {
        let share = |divisions: usize, nu: f64| -> Result<f64> {
            let mesh = sphere::round(divisions)?;
            Ok(sphere::swelling(mesh, nu, formulation)? / sphere::exact(nu))
        };
        let mut shares = Vec::new();
        for &d in sizes {
            shares.push((1.0 / d as f64, share(d, POISSON)?));
        }
        let name = format!("thick sphere, ν = {POISSON}, {}", formulation.name());
        if FREE.contains(&formulation) {
            let finest = shares[shares.len() - 1].1;
            let source = "Lamé: u(a) of a thick sphere, as a share of it";
            let tolerance = match formulation {
                Formulation::Quadratic => 0.05,
                _ => 0.1, // two layers of cells: as linear tetrahedra do without locking
            };
            let check = Check::new(&name, finest, 1.0, tolerance, source);
            found.checks.push(check);
        }
        found
            .ladders
            .push(Ladder::new(&name, "edge (m)", 1.0, &shares));
        curve(found, "thick sphere over ν", formulation, |nu| {
            share(2, nu)
        })?;
    }
    Ok(())
}

/// A slender bar of 10 : 1 with a load at its end, bent.
fn cantilever(found: &mut Findings, full: bool) -> Result<()> {
    let (length, side, young, load): (f64, f64, f64, f64) = (1.0, 0.1, 1e7, 1.0);
    let sizes: &[usize] = if full { &[2, 4, 8] } else { &[2, 4] };
    for formulation in Formulation::ALL {
        let share = |n: usize, nu: f64| -> Result<f64> {
            let size = vec3(length, side, side);
            let mesh = generate::bar(size, [5 * n, n, n], generate::Split::Six)?;
            let mesh = mesh.with_octets()?;
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            let root = nodes_where(&mesh, |x| x.x < 1e-9);
            let middle = nodes_where(&mesh, |x| x.x < 1e-9 && near(x.y, 0.5 * side));
            let centre = nodes_where(&mesh, |x| {
                x.x < 1e-9 && near(x.y, 0.5 * side) && near(x.z, 0.5 * side)
            });
            let end = |x: Vec3| x.x > length - 1e-9;
            let tip = nodes_where(&mesh, end);
            // the root may warp and contract: only what would be a motion of the whole is held
            let drives = vec![
                hold(root, [true, false, false], Vec3::ZERO),
                hold(middle, [false, true, false], Vec3::ZERO),
                hold(centre, [false, false, true], Vec3::ZERO),
                traction(&mesh, end, vec3(0.0, 0.0, -load / (side * side))),
            ];
            let material = MaterialSpecification::new(MaterialModel::Linear, young, nu, 1000.0);
            let simulation = equilibrium(model_of(mesh, material, drives, formulation)?)?;
            let down = -mean_displacement(&simulation, &tip).z;
            // Cowper's shear coefficient of a rectangle
            let kappa = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
            let shear = kappa * young / (2.0 * (1.0 + nu)) * side * side;
            let bending = 3.0 * young * side.powi(4) / 12.0;
            Ok(down / (load * length.powi(3) / bending + load * length / shear))
        };
        let mut shares = Vec::new();
        for &n in sizes {
            shares.push((side / n as f64, share(n, POISSON)?));
        }
        let name = format!("bent cantilever, ν = {POISSON}, {}", formulation.name());
        if FREE.contains(&formulation) {
            let tolerance = match formulation {
                Formulation::Quadratic => 0.01,
                _ => 0.1, // bends as linear tetrahedra of this size do without locking
            };
            let finest = shares[shares.len() - 1].1;
            let source = "Timoshenko: PL³/3EI + PL/κGA with Cowper's κ, as a share of it";
            found
                .checks
                .push(Check::new(&name, finest, 1.0, tolerance, source));
        }
        found
            .ladders
            .push(Ladder::new(&name, "edge (m)", 1.0, &shares));
        curve(found, "bent cantilever over ν", formulation, |nu| {
            share(2, nu)
        })?;
    }
    Ok(())
}

/// Cook's membrane as a slab in plane strain. Nobody's value at this ratio is known to us: what two formulations agree on is the reference.
fn membrane(found: &mut Findings, full: bool) -> Result<()> {
    let sizes: &[usize] = if full { &[4, 8, 16, 32] } else { &[4, 8, 16] };
    let mut limits = Vec::new();
    let mut all = Vec::new();
    for formulation in Formulation::ALL {
        let mut tips = Vec::new();
        for &n in sizes {
            tips.push((48.0 / n as f64, cook(n, POISSON, formulation)?));
        }
        let numbers: Vec<f64> = tips.iter().map(|t| t.1).collect();
        limits.push(extrapolated(&numbers, None)[0]);
        all.push((formulation, tips));
    }
    let reference = limits[2];
    let source = "tet10, limit of three meshes: another formulation of this engine";
    let name = format!("Cook's membrane, ν = {POISSON}, tet4-averaged");
    let check = Check::new(name, limits[1], reference, 0.05, source);
    found.checks.push(check.unit("mm"));
    for (formulation, tips) in all {
        let name = format!("Cook's membrane, ν = {POISSON}, {}", formulation.name());
        found
            .ladders
            .push(Ladder::new(&name, "edge (mm)", reference, &tips));
    }
    Ok(())
}

/// Vertical displacement of the middle of the right edge, mm; E = 250 N/mm², 100 N over 16 × 1 mm².
fn cook(cells: usize, poisson: f64, formulation: Formulation) -> Result<f64> {
    let mesh = slab(
        cells,
        1.0,
        [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]],
    )?;
    let material = MaterialSpecification::new(MaterialModel::Linear, 250.0, poisson, 1e-6);
    let end = |x: Vec3| x.x > 48.0 - 1e-9;
    let point = nodes_where(&mesh, |x| end(x) && (x.y - 52.0).abs() < 1e-9);
    let drives = vec![
        hold(
            nodes_where(&mesh, |x| x.x < 1e-9),
            [true, true, false],
            Vec3::ZERO,
        ),
        hold(
            nodes_where(&mesh, |_| true),
            [false, false, true],
            Vec3::ZERO,
        ),
        traction(&mesh, end, vec3(0.0, 100.0 / 16.0, 0.0)),
    ];
    let simulation = equilibrium(model_of(mesh, material, drives, formulation)?)?;
    Ok(mean_displacement(&simulation, &point).y)
}

/// Octets between a quadrilateral of the plane and the same at some height.
pub fn slab(cells: usize, height: f64, corners: [[f64; 2]; 4]) -> Result<Mesh> {
    let size = vec3(1.0, 1.0, height);
    let bar = generate::bar(size, [cells, cells, 1], generate::Split::Six)?;
    let heights: Vec<f64> = bar.positions.iter().map(|x| x.z).collect();
    let mut mesh = quadrilateral(bar, corners);
    for (x, z) in mesh.positions.iter_mut().zip(heights) {
        x.z = z;
    }
    Ok(mesh.with_octets()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page shows is there: linear tetrahedra fall far short where the others do not.
    #[test]
    fn linear_tetrahedra_lock() {
        let tip = |nu, formulation| cook(4, nu, formulation).unwrap();
        let share = |nu, formulation| tip(nu, formulation) / tip(nu, Formulation::Quadratic);
        let compressible = share(0.3, Formulation::Linear);
        let incompressible = share(POISSON, Formulation::Linear);
        assert!(incompressible < 0.6, "{incompressible}");
        assert!(
            compressible > 1.2 * incompressible,
            "{compressible} {incompressible}"
        );
        let averaged = share(POISSON, Formulation::Averaged);
        assert!(averaged > 0.6, "{averaged}"); // four cells are too few for bending, whatever the volume does
    }
}
