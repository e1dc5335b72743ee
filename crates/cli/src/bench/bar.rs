//! The bars that the studies measure: 0.4 × 0.1 × 0.1 m, six tetrahedra a cell, one end fixed, gravity.

use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Selection, generate};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Motion};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Settings, SolverChoice};
use pliant_solid::strategy::Method;

/// Length along x and width along y and z, m.
const SIZE: Vec3 = Vec3::new(0.4, 0.1, 0.1);

/// Cells of the bar of 4 961 nodes and 24 000 tetrahedra.
pub const SMALL: [usize; 3] = [40, 10, 10];

/// Cells of the bar of 18 785 nodes and 98 304 tetrahedra.
pub const LARGE: [usize; 3] = [64, 16, 16];

/// E 1e5 Pa, ν 0.4, ρ 1000 kg/m³.
pub fn material(model: MaterialModel) -> MaterialSpecification {
    MaterialSpecification::new(model, 1e5, 0.4, 1000.0)
}

/// The bar clamped at x = 0, ready to be stepped with h = 5 ms.
pub fn simulation(
    cells: [usize; 3],
    material: MaterialSpecification,
    solver: SolverChoice,
) -> Result<Simulation> {
    let mesh = generate::bar(SIZE, cells, generate::Split::Six)?;
    let end = Selection::Plane {
        point: Vec3::ZERO,
        normal: vec3(1.0, 0.0, 0.0),
        tolerance: 1e-6,
    };
    let clamp = Drive {
        name: "clamp".into(),
        action: Action::Prescribe {
            nodes: end.resolve(&mesh)?,
            axes: [true; 3],
            motion: Motion::default(),
            release: None,
        },
    };
    let fibres = match material.fibre {
        Some(_) => vec![vec3(0.8, 0.6, 0.0); mesh.element_count()],
        None => Vec::new(),
    };
    let body = BodySpecification {
        fibres,
        ..BodySpecification::uniform("bar", mesh, material)
    };
    let model = Model::build(vec![body], vec![clamp], vec3(0.0, 0.0, -9.81))?;
    let settings = Settings {
        h: 5e-3,
        solver,
        ..Settings::default()
    };
    Ok(Simulation::new(model, settings, Method::Full)?)
}

/// Bent to a quarter circle and twisted: strains of up to ±25 %, compression on one side, nothing inverted.
pub fn bent_and_twisted(rest: &[Vec3]) -> Vec<Vec3> {
    const CURVATURE: f64 = 4.0; // 1/m
    const TWIST: f64 = 2.0; // rad/m
    let low = rest.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let high = rest.iter().copied().reduce(Vec3::max).unwrap_or_default();
    let centre = (low + high) * 0.5;
    rest.iter()
        .map(|x| {
            let (y, z) = (x.y - centre.y, x.z - centre.z);
            let (sin, cos) = (TWIST * x.x).sin_cos();
            let (y, z) = (cos * y - sin * z, sin * y + cos * z);
            // the fibre at height z runs on a circle of radius 1/κ − z
            let (sin, cos) = (CURVATURE * x.x).sin_cos();
            let radius = 1.0 / CURVATURE - z;
            vec3(radius * sin, y, 1.0 / CURVATURE - radius * cos)
        })
        .collect()
}
