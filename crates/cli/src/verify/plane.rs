//! Cook's membrane: bending and shear of a tapered panel.

use super::case::{Check, Findings, Ladder, extrapolated};
use super::setup::{
    as_plane_stress, equilibrium, fix, mean_displacement, nodes_where, quadrilateral,
};
use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate::{self, TriangleSplit};
use pliant_mesh::surface::Surface;
use pliant_solid::drive::{Action, Drive, Faces};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;

/// mm.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]];
const THICKNESS: f64 = 5.0;

/// Young's modulus, N/mm², and Poisson's ratio.
const YOUNG: f64 = 70.0;
const POISSON: f64 = 1.0 / 3.0;
/// N.
const LOAD: f64 = 500.0;

pub fn cook(full: bool) -> Result<Findings> {
    let mut found = Findings::default();
    let strain = Case {
        name: "Cook's membrane, plane strain, upper corner",
        constants: [YOUNG, POISSON],
        height: 60.0,
        reference: 32.25,
        source: "CoFEA benchmark, converged 32.2 to 32.3 mm; limit of three meshes",
    };
    let stress = Case {
        name: "Cook's membrane, plane stress, middle of the edge",
        constants: as_plane_stress(YOUNG, POISSON),
        height: 52.0,
        reference: 23.96 * LOAD / (YOUNG * THICKNESS),
        source: "Cook 1974; 23.96 F/Et (Bergan and Felippa 1985); plane stress by its constants; limit of three meshes",
    };
    for case in [strain, stress] {
        let cells: &[usize] = if full {
            &[16, 32, 64, 128]
        } else {
            &[16, 32, 64]
        };
        let mut values = Vec::new();
        for &n in cells {
            values.push((48.0 / n as f64, deflection(n, &case)?));
        }
        let numbers: Vec<f64> = values.iter().map(|t| t.1).collect();
        let [limit, order] = extrapolated(&numbers, None); // the corner at the wall is singular
        let check = Check::new(case.name, limit, case.reference, 3e-3, case.source);
        found.checks.push(check.unit("mm").order(order, 1.5));
        let ladder = Ladder::new(case.name, "edge (mm)", case.reference, &values);
        found.ladders.push(ladder);
    }
    Ok(found)
}

struct Case {
    name: &'static str,
    /// Young's modulus and Poisson's ratio of plane strain.
    constants: [f64; 2],
    /// Where on the right edge, mm.
    height: f64,
    reference: f64,
    source: &'static str,
}

/// Vertical displacement of a point of the right edge, mm, under a shear force along that edge; units are N and mm.
fn deflection(cells: usize, case: &Case) -> Result<f64> {
    let [young, poisson] = case.constants;
    let square = generate::rectangle([1.0, 1.0], [cells, cells], TriangleSplit::Crossed)?;
    let mesh = quadrilateral(square, CORNERS);
    let root = nodes_where(&mesh, |x| x.x < 1e-9);
    let point = nodes_where(&mesh, |x| {
        x.x > 48.0 - 1e-9 && (x.y - case.height).abs() < 1e-9
    });
    let right = |node: &u32| mesh.positions[*node as usize].x > 48.0 - 1e-9;
    let edges = Surface::of(&mesh).edges.into_iter();
    let edges = edges.filter(|edge| edge.iter().all(right)).collect();
    let load = Drive {
        name: "shear".into(),
        action: Action::Traction {
            faces: Faces::Edges(edges, THICKNESS),
            traction: vec3(0.0, LOAD / (16.0 * THICKNESS), 0.0),
            pressure: 0.0,
            profile: Profile::Constant(1.0),
        },
    };
    let material = MaterialSpecification::new(MaterialModel::Linear, young, poisson, 1e-6);
    let body = BodySpecification {
        thickness: THICKNESS,
        ..BodySpecification::uniform("panel", mesh, material)
    };
    let model = Model::build(vec![body], vec![fix(root), load], Vec3::ZERO)?;
    Ok(mean_displacement(&equilibrium(model)?, &point).y)
}
