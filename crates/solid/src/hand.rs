//! Hands: springs that somebody outside takes hold of nodes with while a simulation runs, as with a mouse.
//!
//! They are drives of their own at the end of the list, one a node, so that reports keep their length: idle ones do nothing.

use crate::drive::{Action, Drive, Motion};
use crate::model::Model;
use crate::profile::Profile;
use pliant_linalg::Vec3;

/// What drives of hands are called, with a number.
const NAME: &str = "hand";

/// A node that is pulled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Global node; of a body that is not rigid.
    pub node: u32,
    /// Where it is pulled to, m.
    pub target: Vec3,
    /// Stiffness of the spring, N/m.
    pub stiffness: f64,
    /// Its damping, N·s/m.
    pub damping: f64,
}

impl Model {
    /// The model with `count` more drives, which do nothing until [`crate::Simulation::hold`] uses them; without change if all
    /// bodies are rigid.
    pub fn with_hands(mut self, count: usize) -> Model {
        let soft = self.bodies.iter().find(|b| b.rigid.is_none());
        let Some(node) = soft.map(|body| body.nodes.start as u32) else {
            return self;
        };
        let mut drives = self.split_drives().to_vec();
        drives.extend((0..count).map(|index| Drive {
            name: format!("{NAME} {}", index + 1),
            action: idle(node),
        }));
        self.set_drives(drives);
        self
    }

    /// Where the drives of hands begin, and how many there are.
    pub fn hands(&self) -> (usize, usize) {
        let is_hand = |drive: &Drive| {
            let number = drive.name.strip_prefix(NAME).map(str::trim_start);
            let numbered = number.is_some_and(|n| n.parse::<usize>().is_ok());
            numbered && matches!(drive.action, Action::Spring { .. })
        };
        let count = self.drives.iter().rev().take_while(|d| is_hand(d)).count();
        (self.drives.len() - count, count)
    }

    /// Gives hands something to hold from `time` on and idles the others; holds that are too many, name no soft node or are not finite
    /// are left out.
    pub(crate) fn set_hands(&mut self, holds: &[Hold], time: f64) {
        let (first, count) = self.hands();
        let good = |hold: &&Hold| {
            let node = hold.node as usize;
            let numbers = [hold.stiffness, hold.damping];
            node < self.node_count()
                && self.rigid_of_node(node).is_none()
                && hold.target.is_finite()
                && numbers.iter().all(|v| v.is_finite() && *v >= 0.0)
        };
        // a hand that goes on holding a node has held it since it took it; one that takes it is news to the coming step
        let since = |node: u32| {
            let mut hands = self.drives[first..].iter();
            let held = hands.find_map(|drive| match &drive.action {
                Action::Spring { nodes, from, .. } if nodes[..] == [node] => Some(*from),
                _ => None,
            });
            held.filter(|&from| from <= time).unwrap_or(time.next_up())
        };
        let mut actions: Vec<Action> = (holds.iter().filter(good).take(count))
            .map(|hold| pull(hold, self.rest[hold.node as usize], since(hold.node)))
            .collect();
        let soft = self.bodies.iter().find(|b| b.rigid.is_none());
        let node = soft.map_or(0, |body| body.nodes.start as u32);
        actions.resize_with(count, || idle(node));
        let mut drives = self.split_drives().to_vec();
        for (drive, action) in drives[first..].iter_mut().zip(actions) {
            drive.action = action;
        }
        self.set_drives(drives);
    }
}

fn idle(node: u32) -> Action {
    Action::Spring {
        nodes: vec![node],
        motion: Motion::default(),
        stiffness: 0.0,
        damping: 0.0,
        from: f64::MAX,
        until: -1.0,
    }
}

fn pull(hold: &Hold, rest: Vec3, from: f64) -> Action {
    let shift = hold.target - rest; // targets of springs are motions of rest positions
    let translation = shift.to_array().map(Profile::Constant);
    Action::Spring {
        nodes: vec![hold.node],
        motion: Motion {
            translation: Some(translation),
            ..Motion::default()
        },
        stiffness: hold.stiffness,
        damping: hold.damping,
        from,
        until: f64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulation;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::BodySpecification;
    use crate::settings::Settings;
    use crate::strategy::Method;
    use pliant_linalg::vec3;
    use pliant_mesh::generate::{Split, bar};

    fn model() -> Model {
        let mesh = bar(vec3(0.1, 0.1, 0.1), [2, 2, 2], Split::Six).unwrap();
        let material =
            MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e4, 0.3, 1000.0);
        let body = BodySpecification::uniform("cube", mesh, material);
        Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
    }

    #[test]
    fn idle_hands_change_nothing_and_held_nodes_follow() {
        let run = |model: Model, held: bool| {
            let mut simulation = Simulation::new(model, Settings::default(), Method::Full).unwrap();
            if held {
                let target = simulation.model().rest[0] + vec3(0.0, 0.0, 0.05);
                simulation.hold(&[Hold {
                    node: 0,
                    target,
                    stiffness: 100.0,
                    damping: 1.0,
                }]);
            }
            for _ in 0..20 {
                simulation.step().unwrap();
            }
            simulation.state().positions.clone()
        };
        let (plain, idle) = (run(model(), false), run(model().with_hands(3), false));
        assert_eq!(plain, idle);
        let held = run(model().with_hands(3), true);
        assert!(held[0].z - plain[0].z > 0.005, "{:?}", held[0]);
        assert_eq!(model().with_hands(3).hands(), (0, 3));
    }

    #[test]
    fn nonsense_is_left_out() {
        let mut simulation =
            Simulation::new(model().with_hands(1), Settings::default(), Method::Full).unwrap();
        let bad = Hold {
            node: 1_000_000,
            target: vec3(f64::NAN, 0.0, 0.0),
            stiffness: -1.0,
            damping: 0.0,
        };
        simulation.hold(&[bad, bad]);
        simulation.step().unwrap();
        assert!(
            simulation
                .state()
                .velocities
                .iter()
                .all(|v| v.norm() < 1e-12)
        );
    }
}
