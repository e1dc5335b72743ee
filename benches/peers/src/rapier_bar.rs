//! The bar in rapier: one corotational finite-element soft body, in single and in double precision.
//!
//! Read from rapier's sources: a substep adds h g to the velocity v and solves A Δv = h f − (A − M) v with
//! A = M + (h² + hβ) K, lumped M, rotations frozen in K, by conjugate gradients preconditioned with 3×3 blocks and
//! started from zero; then x += h v. With β = 0 that is Pliant's linearised step with the frozen tangent.

macro_rules! bar_in {
    ($module:ident, $engine:ident, $real:ty, $doc:literal) => {
        #[doc = $doc]
        pub mod $module {
            use crate::scenario::{Bar, Engine, GRAVITY, H, POISSON, TOLERANCE, YOUNG};
            use $engine::prelude::*;

            /// A world with the bar alone.
            pub struct World {
                world: PhysicsWorld,
                body: SoftBodyHandle,
            }

            /// The bar without damping, contacts, sleep or substeps, and with every detection that could cost time off.
            pub fn build(bar: &Bar, iteration_limit: usize) -> World {
                let mut world = PhysicsWorld::new();
                world.gravity = Vector::new(0.0, 0.0, GRAVITY as $real);
                let parameters = &mut world.integration_parameters;
                parameters.dt = H as $real;
                parameters.num_solver_iterations = 1; // substeps
                parameters.num_internal_stabilization_iterations = 0;
                let soft = &mut parameters.soft_bodies;
                soft.max_extra_substeps = 0;
                soft.fem.linear_tolerance = TOLERANCE as $real;
                soft.fem.max_linear_iterations = iteration_limit;
                soft.recovery.inverted_cell_detection = false;
                soft.recovery.self_crossing_detection = false;
                soft.recovery.cross_body_detection = false;
                soft.recovery.overlap_constraints = false;

                let positions = (bar.mesh.positions.iter())
                    .map(|p| Vector::new(p.x as $real, p.y as $real, p.z as $real))
                    .collect();
                let cells = (0..bar.mesh.element_count())
                    .map(|e| std::array::from_fn(|k| bar.mesh.nodes_of(e)[k]))
                    .collect();
                let masses = bar.masses().iter().map(|&m| m as $real).collect();
                let builder = SoftBodyBuilder::new(positions)
                    .masses(masses)
                    .cells(cells)
                    .cell_model(SoftBodyCellModel::Corotational)
                    .material(SoftBodyMaterial {
                        young_modulus: YOUNG as $real,
                        poisson_ratio: POISSON as $real,
                        elastic_damping_ratio: 0.0,
                        ..Default::default()
                    })
                    .solver(SoftBodySolver::Fem)
                    .pinned_particles(bar.clamped.iter().copied())
                    .additional_pgs_iterations(0)
                    .no_surface_collider()
                    .can_sleep(false);
                let body = world.insert_soft_body(builder);
                World { world, body }
            }

            impl Engine for World {
                fn step(&mut self) -> Result<(), String> {
                    self.world.step();
                    Ok(())
                }

                fn tip(&self, bar: &Bar) -> f64 {
                    let body = &self.world.soft_bodies[self.body];
                    #[allow(clippy::unnecessary_cast)]
                    bar.tip_displacement(|node| body.particle_position(node).z as f64)
                }
            }
        }
    };
}

bar_in!(single, rapier3d, f32, "Single precision, rapier's default.");
bar_in!(double, rapier3d_f64, f64, "Double precision.");
