//! Cantilevers: small loads against Timoshenko, large ones against the elastica; a bar that hangs by its end.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{equilibrium, fix, hold, mean_displacement, model, nodes_where};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate::{self, TriangleSplit};
use pliant_solid::drive::{Action, Drive};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::profile::Profile;

/// Tip of an inextensible cantilever with a dead load P at its end, by PL²/EI: w/L and u/L.
const ELASTICA: [(f64, f64, f64); 3] = [
    (1.0, 0.30172, 0.05643),
    (2.0, 0.49346, 0.16064),
    (5.0, 0.71379, 0.38763),
];
const MATTIASSON: &str = "Mattiasson 1981, elliptic integrals";

pub fn all(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    hanging(&mut found)?;
    timoshenko(&mut found, full)?;
    for (load, down, along) in ELASTICA {
        elastica(&mut found, full, load, [down, along])?;
    }
    Ok(found)
}

/// δ = ρ g L²/2E without lateral contraction.
fn hanging(found: &mut Findings) -> Result<()> {
    let mesh = generate::bar(vec3(0.1, 0.1, 1.0), [2, 2, 20], generate::Split::Six)?;
    let top = nodes_where(&mesh, |x| x.z > 1.0 - 1e-9);
    let bottom = nodes_where(&mesh, |x| x.z < 1e-9);
    let material = MaterialSpecification::new(MaterialModel::Linear, 1e7, 0.0, 1000.0);
    let model = model(mesh, material, vec![fix(top)], vec3(0.0, 0.0, -9.81))?;
    let value = -mean_displacement(&equilibrium(model)?, &bottom).z;
    let reference = 1000.0 * 9.81 / 2e7;
    let source = "ρ g L²/2E";
    found
        .checks
        .push(Check::new("bar hanging by its end", value, reference, 1e-3, source).unit("m"));
    Ok(())
}

/// A square cantilever of 4 : 1 with a load at its end.
fn timoshenko(found: &mut Findings, full: bool) -> Result<()> {
    let (length, side, young, load) = (0.4, 0.1, 1e7, 1.0);
    let cells: &[usize] = if full { &[4, 8, 16, 32] } else { &[4, 8, 16] };
    let mut tips = Vec::new();
    for &n in cells {
        let mesh = generate::bar(
            vec3(length, side, side),
            [4 * n, n, n],
            generate::Split::Six,
        )?;
        let root = nodes_where(&mesh, |x| x.x < 1e-9);
        let on_axis = |x: Vec3| x.x < 1e-9 && (x.z - 0.5 * side).abs() < 1e-9;
        let axis = nodes_where(&mesh, on_axis);
        let tip = nodes_where(&mesh, |x| x.x > length - 1e-9);
        // the root may warp: only its axis is held in its plane
        let drives = vec![
            hold(root, [true, false, false], Vec3::ZERO),
            hold(axis, [false, true, true], Vec3::ZERO),
            force(tip.clone(), vec3(0.0, 0.0, -load)),
        ];
        let material = MaterialSpecification::new(MaterialModel::Linear, young, 0.0, 1000.0);
        let simulation = equilibrium(model(mesh, material, drives, Vec3::ZERO)?)?;
        tips.push((side / n as f64, -mean_displacement(&simulation, &tip).z));
    }
    let inertia = side.powi(4) / 12.0;
    let shear = 5.0 / 6.0 * young / 2.0 * side * side;
    let reference = load * length.powi(3) / (3.0 * young * inertia) + load * length / shear;
    let values: Vec<f64> = tips.iter().map(|t| t.1).collect();
    let [limit, order] = extrapolated(&values, Some(2.0));
    let source = "Timoshenko: PL³/3EI + PL/κGA, κ = 5/6; limit of three meshes";
    let check = Check::new("small load, square section", limit, reference, 0.01, source);
    found.checks.push(check.unit("m").order(order, 2.0));
    found.ladders.push(Ladder::new(
        "small load, tetrahedra",
        "edge (m)",
        reference,
        &tips,
    ));
    Ok(())
}

/// A strip of 40 : 1 in plane strain without lateral contraction, for which E I = E H³/12.
fn elastica(found: &mut Findings, full: bool, load: f64, tip: [f64; 2]) -> Result<()> {
    let (length, height, young): (f64, f64, f64) = (1.0, 0.025, 1e7);
    let rows: &[usize] = if full { &[4, 8, 16, 32] } else { &[4, 8, 16] };
    let mut ends = Vec::new();
    for &n in rows {
        let mesh = generate::rectangle([length, height], [20 * n, n], TriangleSplit::Crossed)?;
        let root = nodes_where(&mesh, |x| x.x < 1e-9);
        let end = nodes_where(&mesh, |x| x.x > length - 1e-9);
        let total = load * young * height.powi(3) / 12.0 / (length * length);
        let drives = vec![fix(root), force(end.clone(), vec3(0.0, -total, 0.0))];
        let material =
            MaterialSpecification::new(MaterialModel::StVenantKirchhoff, young, 0.0, 1000.0);
        let simulation = equilibrium(model(mesh, material, drives, Vec3::ZERO)?)?;
        ends.push((height / n as f64, mean_displacement(&simulation, &end)));
    }
    let part = |pick: fn(Vec3) -> f64| -> Vec<(f64, f64)> {
        ends.iter().map(|&(h, d)| (h, pick(d))).collect()
    };
    let parts = [
        ("w/L", part(|d| -d.y), tip[0]),
        ("u/L", part(|d| -d.x), tip[1]),
    ];
    for (what, values, reference) in parts {
        let numbers: Vec<f64> = values.iter().map(|v| v.1).collect();
        let [limit, order] = extrapolated(&numbers, Some(2.0));
        let name = format!("elastica, PL²/EI = {load}, {what}");
        let source = format!("{MATTIASSON}; limit of three meshes");
        found
            .checks
            .push(Check::new(name, limit, reference, 2e-3, source).order(order, 2.0));
        if load == 1.0 {
            let title = format!("elastica, {what}");
            found
                .ladders
                .push(Ladder::new(&title, "edge (m)", reference, &values));
        }
    }
    Ok(())
}

fn force(nodes: Vec<u32>, force: Vec3) -> Drive {
    Drive {
        name: "load".into(),
        action: Action::Force {
            nodes,
            force,
            profile: Profile::Constant(1.0),
        },
    }
}
