//! Rotating, translating or permuting a scene changes nothing but the frame; neither do threads.

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Elements, Mesh};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::{Integrator, Settings};

fn run(mesh: Mesh, clamped: Vec<u32>, gravity: Vec3, integrator: Integrator) -> Vec<Vec3> {
    let body = BodySpecification::uniform("bar", mesh, soft(MaterialModel::StableNeoHookean));
    let model = Model::build(vec![body], vec![fix(clamped)], gravity).unwrap();
    simulate(model, settings(integrator), 30)
        .state()
        .positions
        .clone()
}

#[test]
fn moving_and_permuting_the_scene_changes_only_the_frame() {
    for integrator in [Integrator::LinearImplicit { beta: 0.5 }, Integrator::Bdf2] {
        let mesh = bar([8, 2, 2]);
        let clamped = left_end(&mesh);
        let plain = run(mesh.clone(), clamped.clone(), GRAVITY, integrator);

        let rotation = Mat3::rotation(vec3(1.0, 2.0, -0.7).normalized().unwrap(), 2.1);
        let shift = vec3(3.0, -2.0, 1.0);
        let turned = mesh
            .clone()
            .rotated(&rotation, Vec3::ZERO)
            .unwrap()
            .translated(shift);
        let result = run(turned, clamped.clone(), rotation * GRAVITY, integrator);
        let back: Vec<Vec3> = result
            .iter()
            .map(|&x| rotation.transpose() * (x - shift))
            .collect();
        assert!(
            distance(&plain, &back) < 1e-9,
            "rotated: {}",
            distance(&plain, &back)
        );

        // node i becomes count − 1 − i, elements in reverse with their corners rotated
        let last = mesh.node_count() as u32 - 1;
        let Elements::Tetrahedra(tets) = &mesh.elements else {
            panic!()
        };
        let elements = tets
            .iter()
            .rev()
            .map(|&[a, b, c, d]| [last - b, last - c, last - a, last - d])
            .collect();
        let positions = mesh.positions.iter().rev().copied().collect();
        let permuted = Mesh::single_region(positions, Elements::Tetrahedra(elements))
            .unwrap()
            .0;
        let mut nodes: Vec<u32> = clamped.iter().map(|n| last - n).collect();
        nodes.sort();
        let mut result = run(permuted, nodes, GRAVITY, integrator);
        result.reverse();
        assert!(
            distance(&plain, &result) < 1e-9,
            "permuted: {}",
            distance(&plain, &result)
        );
    }
}

#[test]
fn the_thread_count_changes_no_bit() {
    let run = |threads: usize, solver| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut material = soft(MaterialModel::StableNeoHookean);
            material.stiffness_damping = 1e-3;
            let model = cantilever(bar([20, 5, 5]), material);
            let simulation = simulate(
                model,
                Settings {
                    solver,
                    ..Settings::default()
                },
                10,
            );
            let state = simulation.state().clone();
            (state, simulation.report().energies)
        })
    };
    for solver in [pliant_solid::settings::SolverChoice::Direct, pcg(1e-8)] {
        let one = run(1, solver);
        for threads in [2, 3] {
            assert!(run(threads, solver) == one, "{threads} threads");
        }
    }
}
