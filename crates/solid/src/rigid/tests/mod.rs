//! Closed forms and finite differences for rigid bodies and chains, through the public interface where it suffices.

mod chain;
mod free;
mod interface;

use super::*;
use crate::profile::Profile;
use pliant_linalg::{Mat3, Vec3, vec3};

const GRAVITY: Vec3 = vec3(0.0, -9.81, 0.0);

/// Numbers in [−1, 1), the same in every run.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        vec3(self.number(), self.number(), self.number())
    }

    fn unit(&mut self) -> Vec3 {
        self.vector().normalized().unwrap()
    }

    fn inertia(&mut self, size: f64) -> Mat3 {
        let turn = Mat3::rotation(self.unit(), 3.0 * self.number());
        let moments = (self.vector() + vec3(4.0, 5.0, 6.0)) * size;
        (turn * Mat3::diagonal(moments) * turn.transpose()).symmetric_part()
    }
}

fn body(mass: f64, inertia: Mat3, centre: Vec3, mobility: Mobility) -> RigidBody {
    RigidBody {
        name: "body".into(),
        mass,
        inertia,
        centre,
        mobility,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
    }
}

/// One free body at the origin that spins.
fn spinning(inertia: Mat3, spin: Vec3) -> RigidModel {
    let mut body = body(2.0, inertia, Vec3::ZERO, Mobility::Free);
    body.spin = spin;
    RigidModel {
        bodies: vec![body],
        chains: vec![],
    }
}

fn link(body: usize, parent: Option<usize>, axis: Vec3, point: Vec3) -> Link {
    Link {
        body,
        parent,
        axis,
        point,
        angle: 0.0,
        rate: 0.0,
        limits: None,
        damping: 0.0,
        stiffness: 0.0,
        rest_angle: 0.0,
        torque: Profile::Constant(0.0),
    }
}

/// A chain of uniform rods of length 1 and mass 1 along x, hinged about z, the first at the origin.
fn pendulum(count: usize) -> RigidModel {
    let inertia = Mat3::diagonal(vec3(0.01, 1.0 / 12.0, 1.0 / 12.0));
    let mut model = RigidModel::default();
    let mut links = Vec::new();
    for i in 0..count {
        let start = vec3(i as f64, 0.0, 0.0);
        let mobility = Mobility::Link { chain: 0, link: i };
        let centre = start + vec3(0.5, 0.0, 0.0);
        model.bodies.push(body(1.0, inertia, centre, mobility));
        links.push(link(i, i.checked_sub(1), Vec3::AXES[2], start));
    }
    model.chains.push(Chain {
        name: "pendulum".into(),
        links,
    });
    model.check().unwrap();
    model
}

/// A tree of links in space with general axes, inertias, angles and rates; link i hangs on `parents[i]`.
fn tree(parents: &[Option<usize>], seed: u64) -> RigidModel {
    let mut random = Random(seed);
    let mut model = RigidModel::default();
    let mut links = Vec::new();
    for (i, &parent) in parents.iter().enumerate() {
        let mobility = Mobility::Link { chain: 0, link: i };
        let mass = 1.5 + random.number();
        let inertia = random.inertia(0.1);
        let centre = random.vector() * 2.0;
        model.bodies.push(body(mass, inertia, centre, mobility));
        let mut link = link(i, parent, random.unit(), random.vector() * 2.0);
        link.angle = 2.0 * random.number();
        link.rate = random.number();
        links.push(link);
    }
    model.chains.push(Chain {
        name: "tree".into(),
        links,
    });
    model.check().unwrap();
    model
}

const BRANCHED: [Option<usize>; 7] = [None, Some(0), Some(1), Some(1), Some(3), None, Some(4)];

/// Steps without constraints and calls `each` with the state after every step.
fn run(
    model: &RigidModel,
    gravity: Vec3,
    h: f64,
    steps: usize,
    mut each: impl FnMut(&RigidState),
) -> RigidState {
    let (mut state, mut next) = (RigidState::initial(model), RigidState::default());
    let mut step = RigidStep::default();
    for index in 0..steps {
        step.begin(model, &state, gravity, &[], index as f64 * h, h);
        step.finish(model, &state, &mut next);
        std::mem::swap(&mut state, &mut next);
        each(&state);
    }
    state
}

fn energy(model: &RigidModel, state: &RigidState, gravity: Vec3) -> f64 {
    state.kinetic_energy(model)
        + state.gravitational_energy(model, gravity)
        + state.spring_energy(model)
}
