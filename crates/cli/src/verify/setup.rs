//! What the cases share: meshes bent into shape, supports, static solutions.

use anyhow::Result;
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::surface::Surface;
use pliant_mesh::{Mesh, Selection};
use pliant_solid::Simulation;
use pliant_solid::drive::{Action, Drive, Faces, Motion};
use pliant_solid::material::MaterialSpecification;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::octet::Formulation;
use pliant_solid::profile::Profile;
use pliant_solid::settings::{Integrator, NewtonSettings, Settings};
use pliant_solid::strategy::Method;

/// Nodes for which a property of their position holds.
pub fn nodes_where(mesh: &Mesh, holds: impl Fn(Vec3) -> bool) -> Vec<u32> {
    let all = 0..mesh.node_count() as u32;
    all.filter(|&node| holds(mesh.positions[node as usize]))
        .collect()
}

/// Nodes of the boundary.
pub fn boundary(mesh: &Mesh) -> Result<Vec<u32>> {
    Ok(Selection::Surface.resolve(mesh)?)
}

/// Holds coordinates of nodes, displaced by constant amounts.
pub fn hold(nodes: Vec<u32>, axes: [bool; 3], by: Vec3) -> Drive {
    let motion = Motion {
        translation: Some([by.x, by.y, by.z].map(Profile::Constant)),
        ..Motion::default()
    };
    Drive {
        name: "hold".into(),
        action: Action::Prescribe {
            nodes,
            axes,
            motion,
            release: None,
        },
    }
}

/// Fixes nodes.
pub fn fix(nodes: Vec<u32>) -> Drive {
    hold(nodes, [true; 3], Vec3::ZERO)
}

/// Pushes each node by its mass times an acceleration.
pub fn push(node: u32, acceleration: Vec3) -> Drive {
    let acceleration = [acceleration.x, acceleration.y, acceleration.z].map(Profile::Constant);
    Drive {
        name: "push".into(),
        action: Action::Accelerate {
            nodes: vec![node],
            acceleration,
        },
    }
}

/// Settings with a tight Newton method.
pub fn settings(integrator: Integrator, h: f64) -> Settings {
    Settings {
        h,
        integrator,
        newton: NewtonSettings {
            relative_tolerance: 1e-11,
            max_iterations: 100,
        },
        ..Settings::default()
    }
}

/// A body of one material, of unit thickness where it is planar.
pub fn model(
    mesh: Mesh,
    material: MaterialSpecification,
    drives: Vec<Drive>,
    gravity: Vec3,
) -> Result<Model> {
    let body = BodySpecification::uniform("body", mesh, material);
    Ok(Model::build(vec![body], drives, gravity)?)
}

/// The same without gravity, for elements of any kind; the mesh has octets where they need them.
pub fn model_of(
    mesh: Mesh,
    material: MaterialSpecification,
    drives: Vec<Drive>,
    formulation: Formulation,
) -> Result<Model> {
    let body = BodySpecification {
        formulation,
        ..BodySpecification::uniform("body", mesh, material)
    };
    Ok(Model::build(vec![body], drives, Vec3::ZERO)?)
}

/// A traction, Pa, on the part of the surface whose nodes are chosen.
pub fn traction(mesh: &Mesh, chosen: impl Fn(Vec3) -> bool, traction: Vec3) -> Drive {
    surface_load(mesh, chosen, traction, 0.0)
}

/// A pressure, Pa, in the same way.
pub fn pressure(mesh: &Mesh, chosen: impl Fn(Vec3) -> bool, pressure: f64) -> Drive {
    surface_load(mesh, chosen, Vec3::ZERO, pressure)
}

fn surface_load(
    mesh: &Mesh,
    chosen: impl Fn(Vec3) -> bool,
    traction: Vec3,
    pressure: f64,
) -> Drive {
    let faces = Surface::of(mesh).triangles.into_iter();
    let loaded = |face: &[u32; 3]| face.iter().all(|&n| chosen(mesh.positions[n as usize]));
    Drive {
        name: "load".into(),
        action: Action::Traction {
            faces: Faces::Triangles(faces.filter(loaded).collect()),
            traction,
            pressure,
            profile: Profile::Constant(1.0),
        },
    }
}

/// Its static equilibrium.
pub fn equilibrium(model: Model) -> Result<Simulation> {
    let mut simulation =
        Simulation::new(model, settings(Integrator::QuasiStatic, 1.0), Method::Full)?;
    simulation.step()?;
    Ok(simulation)
}

/// Mean displacement of nodes.
pub fn mean_displacement(simulation: &Simulation, nodes: &[u32]) -> Vec3 {
    let (x, rest) = (&simulation.state().positions, &simulation.model().rest);
    let moved = nodes
        .iter()
        .map(|&node| x[node as usize] - rest[node as usize]);
    moved.fold(Vec3::ZERO, |sum, d| sum + d) / nodes.len() as f64
}

/// Constants of plane strain that behave, in small strains, as these do in plane stress: the two differ by their constants only.
pub fn as_plane_stress(young: f64, poisson: f64) -> [f64; 2] {
    let other = poisson / (1.0 + poisson);
    [
        young * (1.0 + 2.0 * poisson) / (1.0 + poisson).powi(2),
        other,
    ]
}

/// A quadrilateral of the plane from the unit square: corners in the order (0,0), (1,0), (1,1), (0,1).
pub fn quadrilateral(mut mesh: Mesh, corners: [[f64; 2]; 4]) -> Mesh {
    for x in &mut mesh.positions {
        let [s, t] = [x.x, x.y];
        let weights = [(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t];
        let at =
            |axis: usize| -> f64 { weights.iter().zip(corners).map(|(w, c)| w * c[axis]).sum() };
        *x = vec3(at(0), at(1), 0.0);
    }
    mesh
}
