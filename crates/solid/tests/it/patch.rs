//! Patch test: affine boundary motion gives affine interior motion; and equilibrium against closed forms.

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Mesh, Selection, generate};
use pliant_solid::drive::{Action, Drive, Motion, Turn};
use pliant_solid::material::MaterialModel;
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::settings::{Integrator, NewtonSettings, Settings};

/// Interior nodes moved off their grid, so that elements differ.
fn crooked(mut mesh: Mesh) -> Mesh {
    let surface = Selection::Surface.resolve(&mesh).unwrap();
    let planar = mesh.is_planar();
    for node in 0..mesh.node_count() {
        if surface.binary_search(&(node as u32)).is_err() {
            let s = node as f64;
            let shift = vec3(
                (3.1 * s).sin(),
                (1.7 * s).cos(),
                if planar { 0.0 } else { (2.3 * s).sin() },
            );
            mesh.positions[node] += shift * 0.004;
        }
    }
    mesh
}

#[test]
fn affine_boundary_gives_affine_interior() {
    // a drive cannot shear, so the boundary's state is set by one spring-free trick: each boundary node is a drive
    for mesh in [crooked(bar([6, 4, 3])), crooked(rectangle())] {
        for material in MaterialModel::ALL {
            let map = if mesh.is_planar() {
                Mat3::from_rows([[1.05, 0.08, 0.0], [-0.02, 0.96, 0.0], [0.0, 0.0, 1.0]])
            } else {
                Mat3::from_rows([[1.05, 0.08, -0.03], [-0.02, 0.96, 0.04], [0.03, 0.01, 1.02]])
            };
            let boundary = Selection::Surface.resolve(&mesh).unwrap();
            let moved = |n: u32| {
                let x = mesh.positions[n as usize];
                let d = map * x - x;
                let key = |v: f64| Profile::Constant(v);
                Motion {
                    translation: Some([key(d.x), key(d.y), key(d.z)]),
                    ..Motion::default()
                }
            };
            let drives = boundary
                .iter()
                .map(|&n| prescribe(vec![n], [true; 3], moved(n)))
                .collect();
            let body = BodySpecification::uniform("patch", mesh.clone(), soft(material));
            let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
            let settings = Settings {
                newton: NewtonSettings {
                    relative_tolerance: 1e-13,
                    max_iterations: 60,
                },
                ..settings(Integrator::QuasiStatic)
            };
            let simulation = simulate(model, settings, 1);
            let expected: Vec<Vec3> = mesh.positions.iter().map(|&x| map * x).collect();
            let error = distance(&simulation.state().positions, &expected);
            assert!(
                error < 1e-10 * mesh.diagonal(),
                "{material:?} planar {} error {error}",
                mesh.is_planar()
            );
        }
    }
}

#[test]
fn uniaxial_stretch_matches_the_material_point() {
    // ends pulled apart with free sides: lateral stretch from ψ_lateral = 0, force from ψ_axial (Newton on one number)
    let mesh = generate::bar(vec3(0.4, 0.1, 0.1), [8, 2, 2], generate::Split::Six).unwrap();
    for material in [
        MaterialModel::StableNeoHookean,
        MaterialModel::NeoHookean,
        MaterialModel::MooneyRivlin,
    ] {
        let plane = |point: Vec3, normal| {
            Selection::Plane {
                point,
                normal,
                tolerance: 1e-9,
            }
            .resolve(&mesh)
            .unwrap()
        };
        let slide = |name: &str, nodes, axis: usize, motion| {
            let mut axes = [false; 3];
            axes[axis] = true;
            Drive {
                name: name.into(),
                action: Action::Prescribe {
                    nodes,
                    axes,
                    motion,
                    release: None,
                },
            }
        };
        let stretch = 1.3;
        let pull = Profile::Constant(0.4 * (stretch - 1.0));
        let still = || Profile::Constant(0.0);
        let drives = vec![
            slide(
                "left",
                plane(Vec3::ZERO, Vec3::AXES[0]),
                0,
                Motion::default(),
            ),
            slide("y", plane(Vec3::ZERO, Vec3::AXES[1]), 1, Motion::default()),
            slide("z", plane(Vec3::ZERO, Vec3::AXES[2]), 2, Motion::default()),
            slide(
                "right",
                plane(vec3(0.4, 0.0, 0.0), Vec3::AXES[0]),
                0,
                Motion {
                    translation: Some([pull, still(), still()]),
                    ..Motion::default()
                },
            ),
        ];
        let body = BodySpecification::uniform("bar", mesh.clone(), soft(material));
        let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
        let settings = Settings {
            newton: NewtonSettings {
                relative_tolerance: 1e-12,
                max_iterations: 60,
            },
            ..settings(Integrator::QuasiStatic)
        };
        let simulation = simulate(model, settings, 1);

        let coefficients = soft(material).coefficients();
        let stress = |lateral: f64| {
            material
                .respond(
                    &Mat3::diagonal(vec3(stretch, lateral, lateral)),
                    coefficients,
                )
                .first_piola
        };
        let (mut low, mut high) = (0.5, 1.2);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if stress(middle).at(1, 1) < 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        let force = stress(low).at(0, 0) * 0.01;
        let right = simulation.report().reactions[3];
        assert!(
            (right.x - force).abs() < 1e-8 * force,
            "{material:?} {} {force}",
            right.x
        );
        let corner = simulation.state().positions.last().unwrap();
        assert!((corner.y / 0.1 - low).abs() < 1e-8);
        let von_mises = simulation.report().max_von_mises.0;
        let cauchy = stress(low).at(0, 0) / (low * low);
        assert!(
            (von_mises - cauchy).abs() < 1e-6 * cauchy,
            "{von_mises} {cauchy}"
        );
    }
}

#[test]
fn twisted_bar_balances_and_springs_pull() {
    let mesh = bar([8, 2, 2]);
    let (left, right) = (left_end(&mesh), right_end(&mesh));
    let turn = Turn {
        axis: Vec3::AXES[0],
        centre: vec3(0.0, 0.05, 0.05),
        angle: Profile::Constant(0.6),
    };
    let drives = vec![
        fix(left),
        prescribe(
            right,
            [true; 3],
            Motion {
                rotation: Some(turn),
                ..Motion::default()
            },
        ),
    ];
    let body = BodySpecification::uniform("bar", mesh, soft(MaterialModel::StableNeoHookean));
    let model = Model::build(vec![body], drives, Vec3::ZERO).unwrap();
    let simulation = simulate(model, settings(Integrator::QuasiStatic), 1);
    let [a, b] = simulation.report().reactions[..] else {
        panic!()
    };
    let scale = simulation.report().energies.elastic / 0.4;
    assert!((a + b).norm() < 1e-6 * scale, "{a:?} {b:?}");
    assert!(simulation.report().energies.elastic > 0.0);
}
