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
/// How far the springs are stretched at most, as a share of the size of the body: hands are faster than steps can follow.
const STRETCH: f64 = 0.03;
/// How fast a rigid body follows, rad/s.
const FREQUENCY: f64 = 15.0;

/// What is held, in one simulation.
#[derive(Clone, Debug)]
enum Hand {
    /// Nodes with the places that they had, relative to that of the hand, and how far they are pulled at most, m.
    Soft(Vec<(u32, Vec3)>, f64),
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
        let size = pliant_mesh::Aabb::of(rest).diagonal();
        let reach = REACH * size;
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
        Some(Hand::Soft(held.collect(), STRETCH * size))
    }

    /// Moves the hand to a point, before the next step.
    fn pull(&self, simulation: &mut Simulation, point: Vec3, h: f64) {
        match self {
            Hand::Soft(held, most) => {
                let (model, state) = (simulation.model(), simulation.state());
                let place = |&(node, arm): &(u32, Vec3)| state.positions[node as usize] - arm;
                let sum = held.iter().fold(Vec3::ZERO, |s, hold| s + place(hold));
                let now = sum / held.len() as f64;
                let away = point - now;
                let point = now + away * (most / away.norm().max(*most));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use pliant_scene::{Sources, embedded};

    #[test]
    fn pulling_as_hard_as_a_mouse_can_breaks_nothing() {
        for name in ["demo", "cantilever-2d", "contact/stack", "conjac/twist"] {
            let file = embedded(name).unwrap().parse().unwrap();
            let mut world = World::new(file, Sources::default(), None).unwrap();
            let (h, size) = (world.scene.settings.h, world.scene.model.diagonal());
            for body in 0..world.scene.model.bodies.len() {
                world.reset().unwrap();
                let model = &world.scene.model;
                let nodes = &model.bodies[body].nodes;
                let own = |n: &u32| nodes.contains(&(*n as usize));
                let vertex = world.shape.nodes.iter().rposition(own).unwrap();
                let at = model.rest[world.shape.nodes[vertex] as usize];
                let place = (vertex as u32, false);
                let mut grip = Grip::take(&world.panes, &world.shape, place, at).unwrap();
                // to and fro across the whole scene, at once
                for round in 0..60 {
                    let away = if round % 20 < 10 { size } else { -size };
                    grip.point = at + Vec3::new(away, away, 0.0);
                    grip.pull(&mut world.panes, h);
                    let step = world.panes[0].step();
                    assert!(step.is_ok(), "{name}, body {body}: {step:?}");
                }
            }
        }
    }
}
