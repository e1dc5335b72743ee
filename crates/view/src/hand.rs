//! A hand that holds a body: springs to the nodes around the place that was grabbed, or a force on a rigid body.

use crate::pane::Pane;
use crate::shape::Shape;
use pliant_linalg::{Mat3, Vec3};
use pliant_solid::Simulation;
use pliant_solid::hand::Hold;
use pliant_solid::rigid::Mobility;

/// Most nodes that a hand holds.
pub const NODES: usize = 24;
/// How far around, as a share of the size of the body.
const REACH: f64 = 0.1;
/// Stiffness of the springs, as a share of that of the mesh at their nodes.
const STIFFNESS: f64 = 0.3;
/// How fast a rigid body follows, rad/s.
const FREQUENCY: f64 = 15.0;

/// What is held, in one simulation.
#[derive(Clone, Debug)]
enum Hand {
    /// Nodes with the places that they had, relative to that of the hand.
    Soft(Vec<(u32, Vec3)>),
    /// A rigid body, by its number, and the place on it in rest axes, relative to the centre.
    Rigid(usize, Vec3),
}

impl Hand {
    /// Takes hold at a vertex; none where nothing can be held.
    fn grab(
        simulation: &Simulation,
        shape: &Shape,
        vertex: u32,
        carried: bool,
        point: Vec3,
    ) -> Option<Hand> {
        let node = shape.node_of(vertex, carried)? as usize;
        let (model, state) = (simulation.model(), simulation.state());
        let body = model.body_of_node(node)?;
        if let Some(index) = body.rigid {
            let free = matches!(model.rigid.bodies[index].mobility, Mobility::Free);
            let pose = &state.rigid.poses[index];
            let arm = pose.rotation.transpose() * (point - pose.centre);
            return free.then_some(Hand::Rigid(index, arm));
        }
        let rest = &model.rest[body.nodes.clone()];
        let reach = REACH * pliant_mesh::Aabb::of(rest).diagonal();
        let centre = model.rest[node];
        let mut near: Vec<(f64, u32)> = (body.surface.nodes.iter())
            .map(|&local| body.nodes.start as u32 + local)
            .map(|n| ((model.rest[n as usize] - centre).norm(), n))
            .filter(|(distance, n)| *distance <= reach || *n as usize == node)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(NODES);
        let held = near
            .iter()
            .map(|&(_, n)| (n, state.positions[n as usize] - point));
        Some(Hand::Soft(held.collect()))
    }

    /// Moves the hand to a point, before the next step.
    fn pull(&self, simulation: &mut Simulation, point: Vec3, h: f64) {
        match self {
            Hand::Soft(held) => {
                let model = simulation.model();
                let holds: Vec<Hold> = (held.iter())
                    .map(|&(node, arm)| {
                        let stiffness = STIFFNESS * model.node_stiffness[node as usize];
                        let mass = model.mass[node as usize];
                        Hold {
                            node,
                            target: point + arm,
                            stiffness,
                            damping: (stiffness * mass).sqrt(),
                        }
                    })
                    .collect();
                simulation.hold(&holds);
            }
            Hand::Rigid(index, arm) => {
                let body = simulation.model().rigid.bodies[*index].clone();
                let state = &mut simulation.state_mut().rigid;
                let pose = state.poses[*index];
                let arm = pose.rotation * *arm;
                let inertia = pose.rotation * body.inertia * pose.rotation.transpose();
                let inverse = inertia.inverse().unwrap_or(Mat3::IDENTITY);
                let twist = &mut state.twists[*index];
                let away = point - (pose.centre + arm);
                let wanted = away * FREQUENCY.powi(2) - twist.at(arm) * (2.0 * FREQUENCY);
                let impulse = wanted * (body.mass * h);
                // half of it turns the body: the rest would make a small one spin faster than steps can follow
                twist.velocity += impulse / body.mass;
                twist.spin += inverse * arm.cross(impulse) * 0.5;
                twist.spin = twist.spin * (1.0 / (1.0 + 4.0 * h));
            }
        }
    }
}

/// The same place of a body held in every simulation.
#[derive(Clone, Debug)]
pub struct Grip {
    hands: Vec<Option<Hand>>,
    /// Where the hand is, m.
    pub point: Vec3,
}

impl Grip {
    /// Takes hold at a vertex of the surfaces of bodies, or of those that are carried along; none where nothing can be held.
    pub fn take(
        panes: &[Pane],
        shape: &Shape,
        (vertex, carried): (u32, bool),
        point: Vec3,
    ) -> Option<Grip> {
        let carried = carried && shape.has_carried;
        let hands = panes.iter();
        let hands = hands.map(|pane| Hand::grab(&pane.simulation, shape, vertex, carried, point));
        let hands: Vec<Option<Hand>> = hands.collect();
        let any = hands.iter().any(Option::is_some);
        any.then_some(Grip { hands, point })
    }

    /// Pulls, before the next step of length `h`.
    pub fn pull(&self, panes: &mut [Pane], h: f64) {
        for (pane, hand) in panes.iter_mut().zip(&self.hands) {
            if let Some(hand) = hand {
                hand.pull(&mut pane.simulation, self.point, h);
            }
        }
    }

    /// Lets go.
    pub fn release(self, panes: &mut [Pane]) {
        for pane in panes {
            pane.simulation.hold(&[]);
        }
    }
}
