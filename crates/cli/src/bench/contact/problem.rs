//! What the comparisons with closed forms share: blocks, floors, means.

use anyhow::Result;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Partner, Shape};
use pliant_solid::drive::Drive;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::Settings;
use pliant_solid::strategy::Method;

/// m/s².
pub const GRAVITY: f64 = 9.81;

/// Something in the way.
pub fn obstacle(shape: Shape) -> Obstacle {
    Obstacle {
        name: "obstacle".into(),
        shape,
        friction: None,
        motion: None,
    }
}

/// Everything behind a plane through the origin.
pub fn half_space(normal: Vec3) -> Obstacle {
    let point = Vec3::ZERO;
    obstacle(Shape::HalfSpace { point, normal })
}

/// A cube whose lower corner is at the origin, of six tetrahedra a cell.
pub fn block(size: f64, cells: usize) -> Result<Mesh> {
    let size = vec3(size, size, size);
    Ok(generate::bar(size, [cells; 3], generate::Split::Six)?)
}

/// The mesh with every position changed.
pub fn moved(mut mesh: Mesh, change: impl Fn(Vec3) -> Vec3) -> Mesh {
    for x in &mut mesh.positions {
        *x = change(*x);
    }
    mesh
}

/// A simulation of bodies that touch each other and obstacles.
pub fn simulation(
    bodies: Vec<BodySpecification>,
    drives: Vec<Drive>,
    gravity: Vec3,
    contact: ContactModel,
    settings: Settings,
) -> Result<Simulation> {
    let contact = ContactModel {
        enabled: true,
        ..contact
    };
    let model = Model::build(bodies, drives, gravity)?.with_contact(contact)?;
    Ok(Simulation::new(model, settings, Method::Full)?)
}

/// Mean of a field, weighted by mass.
pub fn mean(simulation: &Simulation, field: &[Vec3]) -> Vec3 {
    let mass = &simulation.model().mass;
    let total: f64 = mass.iter().sum();
    let weighted = mass.iter().zip(field);
    weighted.fold(Vec3::ZERO, |sum, (&m, &f)| sum + f * (m / total))
}

/// Fastest node, m/s.
pub fn fastest(simulation: &Simulation) -> f64 {
    let velocities = simulation.state().velocities.iter();
    velocities.fold(0.0f64, |m, v| m.max(v.norm()))
}

/// What obstacles exert on bodies, N.
pub fn force_of_obstacles(simulation: &Simulation) -> Vec3 {
    let pairs = simulation.contacts().pairs;
    let of_obstacles = pairs
        .iter()
        .filter(|p| matches!(p.partner, Partner::Obstacle(_)));
    of_obstacles.fold(Vec3::ZERO, |sum, p| sum + p.force)
}

/// Weight of all bodies, N.
pub fn weight(simulation: &Simulation) -> f64 {
    GRAVITY * simulation.model().mass.iter().sum::<f64>()
}

/// Mean length of the surface's edges, the least of all bodies, m.
pub fn mean_edge(simulation: &Simulation) -> f64 {
    let model = simulation.model();
    let of_body = |body: &pliant_solid::model::Body| {
        let rest = &model.rest[body.nodes.clone()];
        let corners = |t: &[u32; 3]| t.map(|n| rest[n as usize]);
        let triangles = body.surface.triangles.iter().map(corners);
        let around = triangles.map(|[a, b, c]| (b - a).norm() + (c - b).norm() + (a - c).norm());
        around.sum::<f64>() / (3 * body.surface.triangles.len()).max(1) as f64
    };
    model
        .bodies
        .iter()
        .map(of_body)
        .fold(f64::INFINITY, f64::min)
}

/// A turn about the axis y.
pub fn tilt(angle: f64) -> Mat3 {
    Mat3::rotation(vec3(0.0, 1.0, 0.0), angle)
}
