//! MUSCLE of [WKS20] against a reference in maximal coordinates.
//!
//! The engine steps an arm as a chain in joint angles, with the muscle's attached nodes dynamic and tied to the bones by equality rows.
//! The reference knows no angles and no such rows: each bone has three velocities of its own, pins are explicit rows of a KKT system
//! with multipliers, and attached nodes are kinematic, v_a = J_a V (METHODS 1.3, *Coupled map for MUSCLE*). All of it is dense.
//! Both are consistent to first order in h: the engine meets attachments at the end of the step along the chord and takes
//! the chain's inertia implicitly, the reference moves along the tangent at its start. So their difference must vanish like h.

use crate::common::*;
use crate::conjac::{dense_solve, dense_tangent};
use pliant_linalg::{Vec3, vec3};
use pliant_mesh::generate;
use pliant_solid::Simulation;
use pliant_solid::assembly::{Forces, TangentWeights};
use pliant_solid::joint::{Anchor, Joint, JointKind};
use pliant_solid::material::{FibreKind, FibreSpecification, MaterialModel, MaterialSpecification};
use pliant_solid::model::{BodySpecification, Model};
use pliant_solid::profile::Profile;
use pliant_solid::rigid::{Chain, Link, Mobility};
use pliant_solid::settings::{ConjacSettings, Integrator, Settings};
use pliant_solid::strategy::Method;

const BETA: f64 = 0.5;
const DOWN: Vec3 = vec3(0.0, -9.81, 0.0);
/// Of shoulder and elbow, N·m·s/rad.
const DAMPING: [f64; 2] = [3e-3, 1e-3];
const SHOULDER: Vec3 = Vec3::ZERO;
const ELBOW: Vec3 = vec3(0.0, -0.16, 0.0);

/// A band that runs down along the upper arm and across the elbow, with fibres that shorten. It is as heavy as both bones.
fn muscle() -> BodySpecification {
    let mut mesh = generate::rectangle([0.12, 0.02], [8, 2], Default::default()).unwrap();
    // along −y, and a little forward
    let (sin, cos) = (-1.35f64).sin_cos();
    for p in &mut mesh.positions {
        *p = vec3(
            0.02 + cos * p.x - sin * p.y,
            -0.04 + sin * p.x + cos * p.y,
            0.0,
        );
    }
    let fibre = FibreSpecification {
        kind: FibreKind::Fung,
        modulus: 500.0,
        exponent: 4.0,
        active_modulus: 1e5,
        active_length: 0.7,
        activation: Profile::Keyframes {
            keys: vec![(0.0, 0.0), (0.1, 1.0)],
            smooth: true,
        },
    };
    let material = MaterialSpecification {
        fibre: Some(fibre),
        ..MaterialSpecification::new(MaterialModel::StableNeoHookean, 3e4, 0.49, 1060.0)
    };
    let elements = mesh.element_count();
    BodySpecification {
        fibres: vec![vec3(cos, sin, 0.0); elements],
        thickness: 0.025,
        ..BodySpecification::uniform("muscle", mesh, material)
    }
}

/// Nodes at both ends of the band, and the one in its middle.
fn nodes_of(mesh_nodes: &[Vec3]) -> ([Vec<u32>; 2], u32) {
    let (sin, cos) = (-1.35f64).sin_cos();
    let along = |p: &Vec3| cos * (p.x - 0.02) + sin * (p.y + 0.04);
    let at = |s: f64| -> Vec<u32> {
        let near = |n: &u32| (along(&mesh_nodes[*n as usize]) - s).abs() < 1e-9;
        (0..mesh_nodes.len() as u32).filter(near).collect()
    };
    ([at(0.0), at(0.12)], at(0.06)[1])
}

fn bones() -> [BodySpecification; 2] {
    let bone = |name: &str, size: Vec3, corner: Vec3, link: usize| {
        let mesh = generate::bar(size, [1; 3], generate::Split::Six).unwrap();
        let material = MaterialSpecification::new(MaterialModel::Corotated, 1e6, 0.3, 700.0);
        BodySpecification {
            rigid: Some(Mobility::Link { chain: 0, link }),
            ..BodySpecification::uniform(name, mesh.translated(corner), material)
        }
    };
    [
        bone(
            "upper arm",
            vec3(0.012, 0.16, 0.012),
            vec3(-0.006, -0.16, -0.006),
            0,
        ),
        bone(
            "forearm",
            vec3(0.14, 0.01, 0.01),
            vec3(0.0, -0.165, -0.005),
            1,
        ),
    ]
}

fn arm() -> Model {
    let link = |body, parent, point, damping| Link {
        body,
        parent,
        axis: Vec3::AXES[2],
        point,
        angle: 0.0,
        rate: 0.0,
        limits: None,
        damping,
        stiffness: 0.0,
        rest_angle: 0.0,
        torque: Profile::Constant(0.0),
    };
    let chain = Chain {
        name: "arm".into(),
        links: vec![
            link(0, None, SHOULDER, DAMPING[0]),
            link(1, Some(0), ELBOW, DAMPING[1]),
        ],
    };
    let [upper, forearm] = bones();
    let muscle = muscle();
    let (ends, middle) = nodes_of(&muscle.mesh.positions);
    let rest = muscle.mesh.positions.clone();
    let muscle = BodySpecification {
        representatives: Some(vec![middle]),
        ..muscle
    };
    let first = (upper.mesh.node_count() + forearm.mesh.node_count()) as u32;
    let joints = ends.iter().enumerate().map(|(body, nodes)| {
        let pair = |&n: &u32| {
            let point = rest[n as usize];
            [Anchor::Node(first + n), Anchor::Rigid { body, point }]
        };
        let pairs = nodes.iter().map(pair).collect();
        Joint::new("attachment", JointKind::Attachment { pairs })
    });
    let joints = joints.collect();
    let bodies = vec![upper, forearm, muscle];
    let model = Model::build_articulated(bodies, vec![chain], vec![], DOWN).unwrap();
    model.with_joints(joints).unwrap()
}

/// Angles of shoulder and elbow after each step of the engine.
fn by_engine(h: f64, steps: usize) -> Vec<[f64; 2]> {
    let settings = Settings {
        h,
        ..settings(Integrator::LinearImplicit { beta: BETA })
    };
    let mut simulation = Simulation::new(arm(), settings, Method::Conjac).unwrap();
    let mut angles = Vec::new();
    for _ in 0..steps {
        simulation.step().unwrap();
        // six attached nodes and the middle, all in the plane
        assert_eq!(simulation.report().active_dofs, 14);
        let now = &simulation.state().rigid.angles;
        angles.push([now[0], now[1]]);
    }
    angles
}

/// A bone in the plane.
#[derive(Clone, Copy)]
struct Bone {
    mass: f64,
    inertia: f64,
    rest: Vec3,
    centre: Vec3,
    angle: f64,
    /// Velocity of the centre, and spin.
    rates: [f64; 3],
}

impl Bone {
    /// Where a point of the rest shape is.
    fn place(&self, point: Vec3) -> Vec3 {
        self.centre + turned(point - self.rest, self.angle)
    }

    /// Rows of x and y of ẋ = J V for a point at x.
    fn map(&self, x: Vec3) -> [[f64; 3]; 2] {
        let arm = x - self.centre;
        [[1.0, 0.0, -arm.y], [0.0, 1.0, arm.x]]
    }
}

fn turned(arm: Vec3, angle: f64) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    vec3(cos * arm.x - sin * arm.y, sin * arm.x + cos * arm.y, 0.0)
}

/// What the reference leaves out, to see that the comparison notices.
#[derive(Clone, Copy, PartialEq)]
enum LeftOut {
    Nothing,
    /// The muscle's inertia, as in a quasi-static muscle.
    Inertia,
    /// What the muscle does to the upper arm.
    Reaction,
}

/// The same by the reference.
fn by_reference(h: f64, steps: usize, gamma: f64, left_out: LeftOut) -> Vec<[f64; 2]> {
    let specification = muscle();
    let activation = specification.materials[0].fibre.clone().unwrap().activation;
    let (ends, middle) = nodes_of(&specification.mesh.positions);
    let model = Model::build(vec![specification], vec![], DOWN).unwrap();
    let arm = arm();
    let mut bones = [0, 1].map(|b| {
        let body = &arm.rigid.bodies[b];
        Bone {
            mass: body.mass,
            inertia: body.inertia.columns[2].z,
            rest: body.centre,
            centre: body.centre,
            angle: 0.0,
            rates: [0.0; 3],
        }
    });
    let count = model.node_count();
    let mut x = model.rest.clone();
    let mut v = vec![0.0; 2 * count];
    // unknowns of the muscle: x and y of each node
    let of = |nodes: &[u32]| -> Vec<usize> {
        let both = |&n: &u32| [2 * n as usize, 2 * n as usize + 1];
        nodes.iter().flat_map(both).collect()
    };
    let d = of(&[middle]);
    let attached = of(&ends.concat());
    let bone_of = |dof: usize| usize::from(ends[1].contains(&(dof as u32 / 2)));
    let is_known = |i: &usize| d.contains(i) || attached.contains(i);
    let q: Vec<usize> = (0..2 * count).filter(|i| !is_known(i)).collect();
    let mut angles = Vec::new();
    for step in 0..steps {
        let active = [activation.at((step + 1) as f64 * h)];
        let stiffness = TangentWeights {
            stiffness: 1.0,
            damping: 0.0,
        };
        let tangent = dense_tangent(&model, &x, &active, stiffness);
        let hessian = |i: usize, j: usize| tangent[3 * (i / 2) + i % 2][3 * (j / 2) + j % 2];
        let mut forces = Forces::default();
        forces.evaluate(&model, &x, &active, false).unwrap();
        let f = |i: usize| (forces.nodal[i / 2] + DOWN * model.mass[i / 2])[i % 2];

        // the map of six bone rates and v_d onto the muscle, and b
        let mut known = vec![vec![0.0; 8]; 2 * count];
        for (k, &i) in d.iter().enumerate() {
            known[i][6 + k] = 1.0;
        }
        for &i in &attached {
            let bone = bone_of(i);
            let row = bones[bone].map(x[i / 2])[i % 2];
            known[i][3 * bone..3 * bone + 3].copy_from_slice(&row);
        }
        let qq: Vec<Vec<f64>> = (q.iter())
            .map(|&i| q.iter().map(|&j| hessian(i, j)).collect())
            .collect();
        let others: Vec<usize> = d.iter().chain(&attached).copied().collect();
        let pull = |i: usize, c: usize| -> f64 {
            -others
                .iter()
                .map(|&j| hessian(i, j) * known[j][c])
                .sum::<f64>()
        };
        let mut columns: Vec<Vec<f64>> = (0..8)
            .map(|c| q.iter().map(|&i| pull(i, c)).collect())
            .collect();
        columns.push(q.iter().map(|&i| f(i)).collect());
        let solved = dense_solve(&qq, &columns);
        let mut map = known.clone();
        for (place, &i) in q.iter().enumerate() {
            for c in 0..8 {
                map[i][c] = solved[c][place];
            }
        }

        // KKT: Σ + bones, pins as rows with multipliers
        let mut kkt = vec![vec![0.0; 12]; 12];
        let mut rhs = vec![0.0; 12];
        let mass = |i: usize| match left_out {
            LeftOut::Inertia => 0.0,
            _ => model.mass[i / 2],
        };
        for i in 0..2 * count {
            for c in 0..8 {
                rhs[c] += map[i][c] * (mass(i) * v[i] + h * f(i));
                for e in 0..8 {
                    let image: f64 = (0..2 * count).map(|j| hessian(i, j) * map[j][e]).sum();
                    kkt[c][e] += map[i][c] * (mass(i) * map[i][e] + BETA * h * h * image);
                }
            }
        }
        if left_out == LeftOut::Reaction {
            for c in 0..3 {
                kkt[c].fill(0.0);
                rhs[c] = 0.0;
            }
        }
        for (b, bone) in bones.iter().enumerate() {
            let weights = [bone.mass, bone.mass, bone.inertia];
            for c in 0..3 {
                kkt[3 * b + c][3 * b + c] += weights[c];
                rhs[3 * b + c] += weights[c] * bone.rates[c];
            }
            rhs[3 * b + 1] += h * bone.mass * DOWN.y;
        }
        // torques −D of the spins relative to the ground and to each other
        let [shoulder, elbow] = DAMPING;
        kkt[2][2] += h * (shoulder + elbow);
        kkt[5][5] += h * elbow;
        kkt[2][5] -= h * elbow;
        kkt[5][2] -= h * elbow;
        let at_shoulder = bones[0].map(bones[0].place(SHOULDER));
        let at_elbow = [0, 1].map(|b: usize| bones[b].map(bones[b].place(ELBOW)));
        for axis in 0..2 {
            for c in 0..3 {
                let rows = [
                    (8 + axis, c, at_shoulder[axis][c]),
                    (10 + axis, c, at_elbow[0][axis][c]),
                    (10 + axis, 3 + c, -at_elbow[1][axis][c]),
                ];
                for (row, column, value) in rows {
                    kkt[row][column] = value;
                    kkt[column][row] = value;
                }
            }
        }
        let y = &dense_solve(&kkt, &[rhs])[0];

        // bones: angles by their spins, centres so that the pins hold
        for (b, bone) in bones.iter_mut().enumerate() {
            bone.rates.copy_from_slice(&y[3 * b..3 * b + 3]);
            bone.angle += h * bone.rates[2];
        }
        bones[0].centre = SHOULDER + turned(bones[0].rest - SHOULDER, bones[0].angle);
        let elbow = bones[0].place(ELBOW);
        bones[1].centre = elbow + turned(bones[1].rest - ELBOW, bones[1].angle);
        for i in 0..2 * count {
            v[i] = (0..8).map(|c| map[i][c] * y[c]).sum();
        }
        let mut moved = v.clone();
        for (place, &i) in q.iter().enumerate() {
            moved[i] += gamma * solved[8][place] / h;
        }
        for n in 0..count {
            x[n] += vec3(moved[2 * n], moved[2 * n + 1], 0.0) * h;
        }
        for (bone, nodes) in bones.iter().zip(&ends) {
            for &n in nodes {
                x[n as usize] = bone.place(model.rest[n as usize]);
            }
        }
        angles.push([bones[0].angle, bones[1].angle - bones[0].angle]);
    }
    angles
}

/// Largest difference of an angle, rad; both have the same steps.
fn apart(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// At h = 5 ms the angles are 5e-4 rad apart where the arm swings by 0.35 rad, with half and quarter steps 3.3e-4 and 1.9e-4: a
/// difference of first order in h between two ways to write the same equations. Leaving out the muscle's inertia or its
/// reaction costs 0.13 and 0.66 rad.
#[test]
fn arm_and_muscle_are_those_of_maximal_coordinates() {
    let gamma = ConjacSettings::default().stabilisation;
    let missed = [1, 2, 4].map(|parts| {
        let (h, steps) = (5e-3 / parts as f64, 40 * parts);
        let engine = by_engine(h, steps);
        let reference = by_reference(h, steps, gamma, LeftOut::Nothing);
        let swing = reference.iter().flatten().map(|a| a.abs());
        let missed = apart(&engine, &reference) / swing.fold(0.0, f64::max);
        if parts == 1 {
            for part in [LeftOut::Inertia, LeftOut::Reaction] {
                let other = by_reference(h, steps, gamma, part);
                assert!(apart(&engine, &other) > 100.0 * apart(&engine, &reference));
            }
        }
        missed
    });
    assert!(missed[0] < 2e-3, "{missed:?}");
    assert!(
        missed[1] < 0.7 * missed[0] && missed[2] < 0.62 * missed[1],
        "{missed:?}"
    );
}
