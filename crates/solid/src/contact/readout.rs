//! What contacts did in a step: forces, pressures and friction states, by contact, by pair of bodies and by node.

use super::{Contact, Response};
use crate::model::Model;
use crate::step::Stepper;
use pliant_linalg::Vec3;

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partner {
    /// A body of the model.
    Body(usize),
    /// An obstacle.
    Obstacle(usize),
}

/// Whether a contact pushes, and whether it slips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// Near, but no force.
    Open,
    /// Friction holds it.
    Stick,
    /// It slides with all the friction there is.
    Slip,
}

impl ContactState {
    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            ContactState::Open => "open",
            ContactState::Stick => "stick",
            ContactState::Slip => "slip",
        }
    }
}

/// One contact of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The body that is pushed along the normal.
    pub body: usize,
    /// What pushes it.
    pub partner: Partner,
    /// Where, m, at the end of the step.
    pub point: Vec3,
    /// Unit normal out of the partner.
    pub normal: Vec3,
    /// Distance at the end of the step, m; negative when penetrated.
    pub gap: f64,
    /// Force along the normal, N.
    pub normal_force: f64,
    /// Friction force on the body, N.
    pub friction: Vec3,
    /// Normal force over the area that belongs to the touching nodes, Pa.
    pub pressure: f64,
    /// Open, sticking or slipping.
    pub state: ContactState,
}

/// Sum over the contacts of a body with one partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairForce {
    /// The body.
    pub body: usize,
    /// Its partner.
    pub partner: Partner,
    /// Force on the body, N; the partner feels the opposite.
    pub force: Vec3,
    /// Contacts that push.
    pub pushing: usize,
}

/// See the file header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactReadout {
    /// Contacts in the order of detection.
    pub contacts: Vec<ContactForce>,
    /// Pairs, sorted.
    pub pairs: Vec<PairForce>,
    /// Force of all contacts on each node, N; nodes of rigid bodies included.
    pub nodes: Vec<Vec3>,
}

/// Friction within this share of its limit, and slip below this speed in m/s, count as sticking: solvers leave rounding.
const STICKING: f64 = 1e-6;

impl ContactReadout {
    /// Of the last step that `stepper` made, which ended at these positions and velocities.
    pub(crate) fn new(
        stepper: &Stepper,
        model: &Model,
        positions: &[Vec3],
        velocities: &[Vec3],
    ) -> ContactReadout {
        let touch = &stepper.touch;
        let impulse = |index: usize| match model.contact.response {
            Response::Penalty => {
                let filtered = touch.friction.get(index).copied().unwrap_or_default();
                touch.couplings[index].impulse_at(velocities) + filtered
            }
            Response::Constraint => {
                let frame = touch.set.constraints()[index].frame;
                frame.transpose() * stepper.resolver.impulses[index]
            }
        };
        let scheme = &stepper.scheme;
        let contacts = touch.contacts();
        ContactReadout::of(model, positions, &scheme.base, contacts, impulse, scheme.h)
    }

    /// Of contacts with these impulses, N·s, in a step of length `h` from `base` to `positions`.
    pub(crate) fn of(
        model: &Model,
        positions: &[Vec3],
        base: &[Vec3],
        contacts: &[Contact],
        impulse: impl Fn(usize) -> Vec3,
        h: f64,
    ) -> ContactReadout {
        let areas = node_areas(model, positions);
        let mut readout = ContactReadout {
            nodes: vec![Vec3::ZERO; model.node_count()],
            ..ContactReadout::default()
        };
        for (index, contact) in contacts.iter().enumerate() {
            let force = impulse(index) / h;
            let ends = || {
                let nodes = contact.nodes[..contact.count].iter();
                nodes.zip(&contact.weights).map(|(&n, &w)| (n as usize, w))
            };
            for (node, w) in ends() {
                readout.nodes[node] += force * w;
            }
            let combine =
                |field: &[Vec3]| ends().fold(Vec3::ZERO, |sum, (node, w)| sum + field[node] * w);
            let start = combine(base);
            let moved = combine(positions) - start - contact.velocity * h;
            let normal_force = contact.normal.dot(force);
            let friction = force - contact.normal * normal_force;
            let pushed = ends().filter(|(_, w)| *w > 0.0);
            let (point, area) = pushed.fold((Vec3::ZERO, 0.0), |(point, area), (node, w)| {
                (point + positions[node] * w, area + areas[node] * w)
            });
            let (body, partner) = sides(model, contact);
            let slip = moved - contact.normal * contact.normal.dot(moved);
            let state = state(contact, normal_force, friction, slip, h);
            readout.contacts.push(ContactForce {
                body,
                partner,
                point,
                normal: contact.normal,
                gap: contact.normal.dot(moved) - contact.depth,
                normal_force,
                friction,
                pressure: if area > 0.0 { normal_force / area } else { 0.0 },
                state,
            });
        }
        readout.add_pairs();
        readout
    }

    fn add_pairs(&mut self) {
        for contact in &self.contacts {
            let (mut key, mut force) = (
                (contact.body, contact.partner),
                contact.normal * contact.normal_force + contact.friction,
            );
            // each pair of bodies once, the smaller first
            if contact.partner == Partner::Body(contact.body) {
                force = Vec3::ZERO; // a body has no net force on itself
            } else if let Partner::Body(other) = contact.partner
                && other < contact.body
            {
                key = (other, Partner::Body(contact.body));
                force = -force;
            }
            let at = self
                .pairs
                .binary_search_by_key(&key, |pair| (pair.body, pair.partner));
            let at = at.unwrap_or_else(|at| {
                self.pairs.insert(
                    at,
                    PairForce {
                        body: key.0,
                        partner: key.1,
                        force: Vec3::ZERO,
                        pushing: 0,
                    },
                );
                at
            });
            self.pairs[at].force += force;
            self.pairs[at].pushing += usize::from(contact.state != ContactState::Open);
        }
    }
}

/// Pushed body and partner of a contact.
fn sides(model: &Model, contact: &Contact) -> (usize, Partner) {
    let body_of = |at: usize| {
        let body = model.body_index_of_node(contact.nodes[at] as usize);
        body.unwrap_or_default() // every node has one
    };
    let partner = match contact.obstacle {
        Some(obstacle) => Partner::Obstacle(obstacle as usize),
        None => Partner::Body(body_of(contact.count - 1)),
    };
    (body_of(0), partner)
}

fn state(contact: &Contact, normal_force: f64, friction: Vec3, slip: Vec3, h: f64) -> ContactState {
    let limit = contact.friction * normal_force;
    if normal_force <= 0.0 {
        ContactState::Open
    } else if friction.norm() < limit * (1.0 - STICKING) || slip.norm() <= STICKING * h {
        ContactState::Stick
    } else {
        ContactState::Slip
    }
}

/// The share of the deformed surface that belongs to each node, m²: a third of its facets. Of planar bodies half of its
/// edges, for unit thickness.
fn node_areas(model: &Model, positions: &[Vec3]) -> Vec<f64> {
    let mut areas = vec![0.0; model.node_count()];
    for body in &model.bodies {
        for f in 0..body.surface.facet_count() {
            let nodes = body.surface.facet(f);
            let x = |i: usize| positions[body.nodes.start + nodes[i] as usize];
            let area = match nodes.len() {
                3 => (x(1) - x(0)).cross(x(2) - x(0)).norm() / 2.0,
                _ => (x(1) - x(0)).norm(),
            };
            for &n in nodes {
                areas[body.nodes.start + n as usize] += area / nodes.len() as f64;
            }
        }
    }
    areas
}
