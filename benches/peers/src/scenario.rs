//! The bar that both engines get: the same nodes, tetrahedra, masses and clamp.

use pliant_linalg::{Vec3, vec3};
use pliant_mesh::{Mesh, Selection, generate};
use std::error::Error;

/// Young's modulus, Pa.
pub const YOUNG: f64 = 1e5;
/// Poisson's ratio.
pub const POISSON: f64 = 0.4;
/// Density, kg/m³.
pub const DENSITY: f64 = 1000.0;
/// Gravity along z, m/s².
pub const GRAVITY: f64 = -9.81;
/// Time step, s.
pub const H: f64 = 5e-3;
/// Relative residual at which both conjugate gradients stop.
pub const TOLERANCE: f64 = 1e-6;
/// Iterations that neither may need.
pub const ITERATION_LIMIT: usize = 5000;

/// A bar of 0.4 × 0.1 × 0.1 m, held at x = 0.
pub struct Bar {
    /// Six tetrahedra per cell.
    pub mesh: Mesh,
    /// Nodes at x = 0.
    pub clamped: Vec<u32>,
    /// Nodes at x = 0.4 m.
    pub tip: Vec<u32>,
}

impl Bar {
    /// With the given numbers of cells along x, y and z.
    pub fn new(cells: [usize; 3]) -> Result<Bar, Box<dyn Error>> {
        let size = vec3(0.4, 0.1, 0.1);
        let mesh = generate::bar(size, cells, generate::Split::Six)?;
        let end = |x: f64| {
            Selection::Plane {
                point: vec3(x, 0.0, 0.0),
                normal: vec3(1.0, 0.0, 0.0),
                tolerance: 1e-6,
            }
            .resolve(&mesh)
        };
        let (clamped, tip) = (end(0.0)?, end(size.x)?);
        Ok(Bar { mesh, clamped, tip })
    }

    /// Mean z displacement of the free end, m, where `z` gives a node's present height.
    pub fn tip_displacement(&self, z: impl Fn(usize) -> f64) -> f64 {
        let rise = |&node: &u32| z(node as usize) - self.mesh.positions[node as usize].z;
        self.tip.iter().map(rise).sum::<f64>() / self.tip.len() as f64
    }

    /// Lumped masses, kg: a quarter of each tetrahedron to each of its nodes.
    pub fn masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.mesh.node_count()];
        for element in 0..self.mesh.element_count() {
            for &node in self.mesh.nodes_of(element) {
                masses[node as usize] += 0.25 * DENSITY * self.mesh.volume(element);
            }
        }
        masses
    }
}

/// Gravity as a vector.
pub fn gravity() -> Vec3 {
    vec3(0.0, 0.0, GRAVITY)
}

/// What the measurement needs of an engine.
pub trait Engine: Send {
    /// Takes one step of [`H`].
    fn step(&mut self) -> Result<(), String>;
    /// Mean z displacement of the free end, m.
    fn tip(&self, bar: &Bar) -> f64;
    /// Iterations of the last linear solve, where the engine tells.
    fn iterations(&self) -> Option<usize> {
        None
    }
    /// Seconds per stage of the last step, where the engine tells.
    fn stages(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}
