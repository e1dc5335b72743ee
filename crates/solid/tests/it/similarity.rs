//! All methods, with contact: a scene that is turned, mirrored, moved by a kilometre, renumbered, or made a thousand times larger or smaller
//! with all that has units, moves as it did.

use crate::common::*;
use pliant_linalg::{Mat3, Vec3, vec3};
use pliant_mesh::{Elements, Mesh, generate};
use pliant_solid::Simulation;
use pliant_solid::contact::{ContactModel, Obstacle, Shape};
use pliant_solid::material::{MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::settings::Settings;
use pliant_solid::strategy::Method;

const STEPS: usize = 60;
/// Largest difference of positions over the size of the scene.
const TOLERANCE: f64 = 1e-6;
/// All that need no training.
pub const METHODS: [Method; 5] = [
    Method::Full,
    Method::EarlyCg,
    Method::Isodof,
    Method::Conjac,
    Method::Rigidify,
];

/// x ↦ scale · turn · x + shift, and whether nodes and elements are numbered backwards. Gravity and density stay as they are, so
/// that times grow with the root of lengths, and moduli with lengths.
#[derive(Clone, Copy)]
struct Change {
    turn: Mat3,
    scale: f64,
    shift: Vec3,
    backwards: bool,
}

const NONE: Change = Change {
    turn: Mat3::IDENTITY,
    scale: 1.0,
    shift: Vec3::ZERO,
    backwards: false,
};

impl Change {
    fn apply(&self, x: Vec3) -> Vec3 {
        self.turn * x * self.scale + self.shift
    }

    fn undo(&self, x: Vec3) -> Vec3 {
        self.turn.transpose() * (x - self.shift) / self.scale
    }

    /// Factor of times.
    fn time(&self) -> f64 {
        self.scale.sqrt()
    }

    /// A mesh in its new place, with its numbers.
    fn mesh(&self, mesh: &Mesh) -> Mesh {
        let last = mesh.node_count() as u32 - 1;
        let Elements::Tetrahedra(tets) = &mesh.elements else {
            panic!("solids only")
        };
        let mut positions: Vec<Vec3> = mesh.positions.iter().map(|&x| self.apply(x)).collect();
        let mut elements = tets.clone();
        if self.backwards {
            positions.reverse();
            elements.reverse();
            for tet in &mut elements {
                *tet = tet.map(|node| last - node);
                tet.swap(0, 2);
                tet.swap(1, 3);
            }
        }
        // a mirror turns elements inside out, and this turns them round again
        Mesh::single_region(positions, Elements::Tetrahedra(elements))
            .unwrap()
            .0
    }

    fn model(&self) -> Model {
        let beam = generate::bar(vec3(0.4, 0.1, 0.05), [6, 2, 1], generate::Split::Six).unwrap();
        let mut block =
            generate::bar(vec3(0.08, 0.07, 0.06), [2; 3], generate::Split::Six).unwrap();
        block
            .positions
            .iter_mut()
            .for_each(|x| *x += vec3(0.29, 0.012, 0.06));
        let mut clamped = left_end(&beam);
        if self.backwards {
            let last = beam.node_count() as u32 - 1;
            clamped.iter_mut().for_each(|node| *node = last - *node);
            clamped.sort_unstable();
        }
        let material = MaterialSpecification {
            stiffness_damping: 5e-3 * self.time(),
            ..MaterialSpecification::new(
                MaterialModel::StableNeoHookean,
                5e4 * self.scale,
                0.35,
                1000.0,
            )
        };
        let up = self.turn * vec3(0.0, 0.0, 1.0);
        let floor = Obstacle {
            name: "floor".into(),
            shape: Shape::HalfSpace {
                point: self.apply(vec3(0.0, 0.0, -0.04)),
                normal: up,
            },
            friction: None,
            motion: None,
        };
        let contact = ContactModel {
            enabled: true,
            obstacles: vec![floor],
            friction: 0.4,
            ..ContactModel::default()
        };
        // which nodes `conjac` would choose by itself depends on their numbers
        let body = |name: &str, mesh: &Mesh| {
            let last = mesh.node_count() as u32 - 1;
            let chosen = [5, last / 2, last - 3];
            let number = |node| if self.backwards { last - node } else { node };
            BodySpecification {
                representatives: Some(chosen.map(number).to_vec()),
                ..BodySpecification::uniform(name, self.mesh(mesh), material.clone())
            }
        };
        let bodies = vec![body("beam", &beam), body("block", &block)];
        let model = Model::build(bodies, vec![fix(clamped)], up * -9.81).unwrap();
        model.with_contact(contact).unwrap()
    }

    fn settings(&self) -> Settings {
        Settings {
            h: 5e-3 * self.time(),
            ..Settings::default()
        }
    }

    /// Positions after some steps, as they would be without the change.
    fn outcome(&self, method: Method) -> Vec<Vec3> {
        let mut simulation = Simulation::new(self.model(), self.settings(), method).unwrap();
        for _ in 0..STEPS {
            simulation.step().unwrap();
        }
        let model = simulation.model();
        let mut x: Vec<Vec3> = simulation
            .state()
            .positions
            .iter()
            .map(|&x| self.undo(x))
            .collect();
        if self.backwards {
            for body in &model.bodies {
                x[body.nodes.clone()].reverse();
            }
        }
        x
    }
}

/// A block falls on the end of a beam, above a floor.
pub fn block_on_beam() -> Model {
    NONE.model()
}

fn check(name: &str, change: Change) {
    for method in METHODS {
        let (plain, changed) = (NONE.outcome(method), change.outcome(method));
        let apart = distance(&plain, &changed);
        assert!(
            apart < TOLERANCE * 0.4,
            "{name}, {}: {apart:e}",
            method.name()
        );
    }
}

#[test]
fn the_block_falls_on_the_beam_and_bends_it() {
    for method in METHODS {
        let x = NONE.outcome(method);
        let rest = NONE.model().rest;
        let moved = x.iter().zip(&rest).map(|(x, r)| r.z - x.z);
        assert!(moved.fold(0.0, f64::max) > 0.02, "{}", method.name());
    }
}

#[test]
fn turned() {
    let axis = vec3(1.0, 2.0, -0.7).normalized().unwrap();
    let turn = Mat3::rotation(axis, 2.1);
    check("turned", Change { turn, ..NONE });
}

#[test]
fn mirrored() {
    let turn = Mat3::diagonal(vec3(1.0, -1.0, 1.0));
    check("mirrored", Change { turn, ..NONE });
}

#[test]
fn moved_by_a_kilometre() {
    let shift = vec3(600.0, -800.0, 50.0);
    check("moved", Change { shift, ..NONE });
}

#[test]
fn renumbered() {
    check(
        "renumbered",
        Change {
            backwards: true,
            ..NONE
        },
    );
}

#[test]
fn a_thousand_times_larger_and_smaller() {
    for scale in [1e3, 1e-3] {
        check(&format!("times {scale}"), Change { scale, ..NONE });
    }
}
